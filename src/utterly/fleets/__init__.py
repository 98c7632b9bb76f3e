"""Millions of dialogues: `RewriteBatch` inside Ray, Spark, Hugging Face datasets, Polars and DuckDB, a file each.

The engine cuts the table, starts processes and repeats what failed; here a batch of rows gets its rewrites.
"""

from utterly.fleets.batch import RewriteBatch

__all__ = ["RewriteBatch"]
