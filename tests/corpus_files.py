"""A small file of each corpus, in the format of its release, written by hand."""

from pathlib import Path

FIXTURES = Path(__file__).parent / "fixtures"
CORPUS_FILES = {
    "canard": FIXTURES / "canard.json",
    "cast": FIXTURES / "cast.json",
    "followup": FIXTURES / "followup.tsv",
    "ikat": FIXTURES / "ikat.json",
    "jsonl": FIXTURES / "dialogues.jsonl",
    "mudoco": FIXTURES / "mudoco_garden.json",
    "pacific": FIXTURES / "pacific.json",
    "qrecc": FIXTURES / "qrecc.json",
    "restoration": FIXTURES / "restoration.sr",
    "rewrite": FIXTURES / "rewrite_corpus.txt",
    "task": FIXTURES / "task.json",
}
