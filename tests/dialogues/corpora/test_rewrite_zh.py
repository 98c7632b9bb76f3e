"""REWRITE: four columns a line, split by line number."""

from pathlib import Path

import pytest

from utterly.dialogues.corpora.rewrite_zh import REWRITE_SPLITS, read_rewrite
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import FileError

CORPUS = Path(__file__).parent.parent.parent / "fixtures" / "rewrite_corpus.txt"


def test_a_line_is_two_context_turns_the_source_and_its_target() -> None:
    first, second = read_rewrite(CORPUS)
    assert first == Dialogue.of(
        ["周末去哪爬山", "北边的石门山", "那里远吗"], "石门山远吗", language="zh", id="rewrite-1"
    )
    assert second.context[0].text == "你会做 pizza 吗"
    assert second.id == "rewrite-2"


def test_the_splits_are_the_first_18000_the_next_1000_and_the_last_1000_lines(tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_text("".join(f"a\t\tb\t\tc{n}\t\td\n" for n in range(1, 20_001)))
    ids = {split: [dialogue.id for dialogue in read_rewrite(path, split=split)] for split in REWRITE_SPLITS}
    assert {split: (len(found), found[0], found[-1]) for split, found in ids.items()} == {
        "train": (18_000, "rewrite-1", "rewrite-18000"),
        "dev": (1_000, "rewrite-18001", "rewrite-19000"),
        "test": (1_000, "rewrite-19001", "rewrite-20000"),
    }


def test_an_unknown_split_is_refused_at_once() -> None:
    with pytest.raises(FileError, match="this kind of file has no split 'valid'; choose from: train, dev, test"):
        read_rewrite(CORPUS, split="valid")


def test_empty_columns_are_empty_turns(tmp_path: Path) -> None:
    (tmp_path / "corpus.txt").write_bytes(b"\t\t\t\tc\t\t\r\n")
    (dialogue,) = read_rewrite(tmp_path / "corpus.txt")
    assert [turn.text for turn in dialogue.context] == ["", ""]
    assert dialogue.target is not None
    assert dialogue.target.text == ""


@pytest.mark.parametrize(("line", "count"), [("a\t\tb\t\tc", 3), ("a\tb\tc\td", 1), ("a\t\tb\t\tc\t\td\t\te", 5)])
def test_a_line_of_other_columns_is_refused_by_number(tmp_path: Path, line: str, count: int) -> None:
    (tmp_path / "corpus.txt").write_text(f"a\t\tb\t\tc\t\td\n{line}\n")
    with pytest.raises(FileError, match=rf"corpus.txt, line 2: a line must be .*, got {count} column\(s\)"):
        list(read_rewrite(tmp_path / "corpus.txt"))
