"""Rewriting files: JSON lines, CSV and Parquet in, the same rows with their rewrites out.

A row has the fields of our JSON lines, `history`, `utterance` and optionally `lang`; other fields are kept.
"""
