"""Rewriting files: JSON lines, CSV and Parquet in, the same rows with their rewrites out.

A row has `history` and `utterance`, or a conversation in `messages`, `turns` or a named field; and optionally `lang`.
Other fields are kept.
"""
