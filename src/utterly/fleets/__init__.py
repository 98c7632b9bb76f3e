"""Millions of dialogues: `RewriteBatch` in Ray, Spark, Hugging Face datasets, Polars and DuckDB, one file each.

The engine splits the table, starts processes and retries failures; this code adds rewrites to one batch of rows.
"""

from utterly.fleets.batch import RewriteBatch

__all__ = ["RewriteBatch"]
