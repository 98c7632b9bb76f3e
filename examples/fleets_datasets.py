"""Hugging Face datasets: two processes, and a cache. Needs `pip install 'utterly[datasets]'`."""

from datasets import Dataset, disable_progress_bars

from utterly.fleets.datasets import rewrite_dataset

DUNE = ["Who wrote Dune?", "Frank Herbert."]
ROWS = [{"history": DUNE, "utterance": "When was it published?"}, {"history": DUNE, "utterance": "thanks!"}]


def main() -> None:
    disable_progress_bars()
    dialogues = Dataset.from_list(ROWS)  # or load_dataset("...")
    rewritten = rewrite_dataset(dialogues, num_proc=2)
    for row in rewritten:
        print(f"{row['utterance']} -> {row['rewrite']}")


if __name__ == "__main__":
    main()
