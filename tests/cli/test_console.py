"""Progress is for people at a terminal and never in the way of the work; skipped records are reported."""

import pytest

from utterly.cli.console import busy, counted, skipping
from utterly.errors import FileError


def test_things_pass_unchanged_and_nothing_is_printed_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with busy("scoring"):
        assert list(counted(iter("abc"), what="reading")) == ["a", "b", "c"]
    assert capsys.readouterr() == ("", "")


def test_a_terminal_is_told_on_the_error_stream(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert len(list(counted(range(5), what="reading talk.jsonl"))) == 5
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "reading talk.jsonl" in shown.err


def test_skipped_records_are_counted_and_the_first_few_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with skipping(True) as on_bad:
        assert on_bad
        for line in range(1, 11):
            on_bad(FileError("talk.jsonl", "must be an object", line=line))
    heading, *shown = capsys.readouterr().err.splitlines()
    assert heading == "skipped 10 bad record(s), starting with:"
    assert shown == [f"  talk.jsonl, line {line}: must be an object" for line in range(1, 4)]


def test_a_record_met_in_a_second_reading_counts_once(capsys: pytest.CaptureFixture[str]) -> None:
    with skipping(True) as on_bad:
        assert on_bad
        for _ in range(2):
            on_bad(FileError("talk.jsonl", "must be an object", line=4))
    assert capsys.readouterr().err.startswith("skipped 1 bad record(s), ")


def test_if_nothing_is_skipped_nothing_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    for wanted in (True, False):
        with skipping(wanted) as on_bad:
            assert (on_bad is not None) is wanted
    assert capsys.readouterr() == ("", "")
