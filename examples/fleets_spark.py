"""Spark: a frame of dialogues gets its rewrites. Needs `pip install 'utterly[spark]'` and Java."""

import os
import sys

from pyspark.sql import SparkSession

from utterly.fleets.spark import rewrite_frame

DUNE = ["Who wrote Dune?", "Frank Herbert."]
ROWS = [(DUNE, "When was it published?"), (DUNE, "thanks!")]


def main() -> None:
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # the Python that has Utterly
    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    dialogues = spark.createDataFrame(ROWS, "history array<string>, utterance string")  # or spark.read.parquet("...")
    rewritten = rewrite_frame(dialogues)
    for row in rewritten.collect():  # or rewritten.write.parquet("...")
        print(f"{row['utterance']} -> {row['rewrite']}")
    spark.stop()


if __name__ == "__main__":
    main()
