"""Readers for the public corpora, one file each; `CORPORA` names them for the command line.

Readers stream plain or gzip files: one record is in memory at a time.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from utterly.dialogues.corpora.canard import read_canard
from utterly.dialogues.corpora.cast import read_cast
from utterly.dialogues.corpora.followup import read_followup
from utterly.dialogues.corpora.ikat import read_ikat
from utterly.dialogues.corpora.mudoco import MUDOCO_SPLITS, read_mudoco
from utterly.dialogues.corpora.pacific import read_pacific
from utterly.dialogues.corpora.qrecc import read_qrecc
from utterly.dialogues.corpora.restoration import read_restoration
from utterly.dialogues.corpora.rewrite_zh import REWRITE_SPLITS, read_rewrite
from utterly.dialogues.corpora.task import read_task
from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.jsonl import read_jsonl
from utterly.dialogues.reading import OnBad, check_split
from utterly.errors import FileError

__all__ = ["CORPORA", "Corpus", "read_canard", "read_corpus", "read_mudoco", "read_rewrite"]


class Corpus(NamedTuple):
    """A reader, the splits within one file of the corpus, and whether it has guessed titles."""

    read: Callable[..., Iterator[Dialogue]]
    splits: tuple[str, ...] = ()
    has_guessed_titles: bool = False


CORPORA: Final = {
    "canard": Corpus(read_canard, has_guessed_titles=True),
    "cast": Corpus(read_cast),
    "followup": Corpus(read_followup),
    "ikat": Corpus(read_ikat),
    "jsonl": Corpus(read_jsonl),
    "mudoco": Corpus(read_mudoco, tuple(MUDOCO_SPLITS)),
    "pacific": Corpus(read_pacific),
    "qrecc": Corpus(read_qrecc),
    "restoration": Corpus(read_restoration),
    "rewrite": Corpus(read_rewrite, tuple(REWRITE_SPLITS)),
    "task": Corpus(read_task),
}


def read_corpus(
    name: str, path: Path | str, *, split: str | None = None, guessed_titles: bool = False, on_bad: OnBad | None = None
) -> Iterator[Dialogue]:
    """The dialogues in a file of the named corpus: all of them, or those of one split.

    `guessed_titles` is for training on CANARD files that lost their titles; see `read_canard`.
    """
    if name not in CORPORA:
        raise FileError(path, f"no corpus called {name!r}; known: {', '.join(CORPORA)}")
    corpus = CORPORA[name]
    check_split(path, split, corpus.splits)
    if guessed_titles and not corpus.has_guessed_titles:
        known = ", ".join(name for name, each in CORPORA.items() if each.has_guessed_titles)
        raise FileError(path, f"only {known} has guessed titles, but this file is read as {name}")
    options: dict[str, object] = {"split": split} if split is not None else {}
    if guessed_titles:
        options["guessed_titles"] = True
    return corpus.read(path, on_bad=on_bad, **options)
