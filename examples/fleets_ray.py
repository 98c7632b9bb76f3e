"""Ray Data: a dataset of dialogues gets its rewrites. Needs `pip install 'utterly[ray]'`."""

import ray

from utterly.fleets.ray import rewrite_dataset

DUNE = ["Who wrote Dune?", "Frank Herbert."]
ROWS = [{"history": DUNE, "utterance": "When was it published?"}, {"history": DUNE, "utterance": "thanks!"}]


def main() -> None:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
    ray.data.DataContext.get_current().enable_progress_bars = False
    dialogues = ray.data.from_items(ROWS)  # or ray.data.read_parquet("s3://...")
    rewritten = rewrite_dataset(dialogues, concurrency=2)
    for row in rewritten.iter_rows():  # or rewritten.write_parquet("s3://...")
        print(f"{row['utterance']} -> {row['rewrite']}")
    ray.shutdown()


if __name__ == "__main__":
    main()
