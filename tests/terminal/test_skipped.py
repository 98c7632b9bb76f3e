"""What is shown of bad records that were passed over."""

from utterly.errors import FileError
from utterly.terminal.skipped import SHOWN, Skipped


def test_all_are_counted_and_the_first_few_shown() -> None:
    skipped = Skipped()
    for line in range(1, 11):
        skipped(FileError("talk.jsonl", "must be an object", line=line))
    heading, *shown = str(skipped).splitlines()
    assert heading == "skipped 10 bad record(s), the first of them:"
    assert shown == [f"  talk.jsonl, line {line}: must be an object" for line in range(1, SHOWN + 1)]


def test_a_record_met_in_a_second_reading_counts_once() -> None:
    skipped = Skipped()
    for _ in range(2):
        skipped(FileError("talk.jsonl", "must be an object", line=4))
    assert len(skipped) == 1
