"""Realistic chats with long answers, written by hand, and what a rewrite of their last turn is worth."""
