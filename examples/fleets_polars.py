"""Polars: rewrites as an expression. Needs `pip install 'utterly[polars]'`."""

import polars as pl

from utterly.fleets.polars import utterly_rewrite

DUNE = ["Who wrote Dune?", "Frank Herbert."]
ROWS = [{"history": DUNE, "utterance": "When was it published?"}, {"history": DUNE, "utterance": "thanks!"}]


def main() -> None:
    dialogues = pl.LazyFrame(ROWS)  # or pl.scan_parquet("...")
    rewritten = dialogues.with_columns(utterly_rewrite().struct.unnest())
    for row in rewritten.collect().iter_rows(named=True):
        print(f"{row['utterance']} -> {row['rewrite']}")


if __name__ == "__main__":
    main()
