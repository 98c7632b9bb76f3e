"""Dialogues: turns of words, and every way they arrive: chat messages, JSON lines, corpora."""
