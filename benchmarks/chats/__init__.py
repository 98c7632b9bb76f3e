"""Realistic chats with long answers, written by hand, and verdicts on rewrites of their last turn."""
