"""Progress is for people at a terminal, and never in the way of the work."""

import pytest

from utterly.terminal.progress import busy, counted


def test_things_pass_unchanged_and_nothing_is_printed_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with busy("scoring"):
        assert list(counted(iter("abc"), "reading")) == ["a", "b", "c"]
    assert capsys.readouterr() == ("", "")


def test_a_terminal_is_told_on_the_error_stream(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert len(list(counted(range(5), "reading talk.jsonl"))) == 5
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "reading talk.jsonl" in shown.err
