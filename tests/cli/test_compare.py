"""`utterly compare`: kinds of error in the terminal, and the page."""

from pathlib import Path
from typing import Any

from tests.command_line import CommandLine, write_rows

ROWS: list[dict[str, Any]] = [
    {"id": "a", "history": [], "utterance": "Is he Swiss?", "rewrite": "Is Federer Swiss?"},
    {"id": "b", "history": [], "utterance": "Why?", "rewrite": "Why did the band split?"},
]


def test_kinds_of_error_are_a_table_with_scores_differences_and_p(utterly: CommandLine, tmp_path: Path) -> None:
    references = write_rows(tmp_path / "references.jsonl", ROWS)
    right = write_rows(tmp_path / "right.jsonl", ROWS)
    status, out, error = utterly(
        "compare", references, references, right, "--field", "utterance", "--field-b", "rewrite"
    )
    assert (status, error) == (0, "")
    lines = {line.strip()[:15].strip(): line[16:].split() for line in out.splitlines()}
    assert lines["EM"] == ["0.00", "100.00", "+100.00", "0.0010"]
    assert lines["under-inserted"] == ["2", "(100.00", "%)", "0", "(0.00", "%)", "-100.00", "0.0010"]
    assert f"A: {references}, field 'utterance'" in out
    assert "p: paired bootstrap, two-sided, 1,000 trials, seed 0" in out


def test_the_page_is_written_once_and_replaced_on_demand(utterly: CommandLine, tmp_path: Path) -> None:
    references = write_rows(tmp_path / "references.jsonl", ROWS)
    page = tmp_path / "page.html"
    arguments = ("compare", references, references, "--field", "utterance", "--html", page)
    assert f"wrote 2 dialogues to {page}" in utterly(*arguments).out
    assert page.read_text().startswith("<!doctype html>")
    status, out, error = utterly(*arguments)
    assert (status, out) == (2, "")
    assert "exists" in error
    assert utterly(*arguments, "--force").status == 0


def test_the_page_must_not_be_one_of_the_inputs(utterly: CommandLine, tmp_path: Path) -> None:
    references = write_rows(tmp_path / "references.jsonl", ROWS)
    status, _, error = utterly(
        "compare", references, references, "--field", "utterance", "--html", references, "--force"
    )
    assert status == 2
    assert "references.jsonl" in error
