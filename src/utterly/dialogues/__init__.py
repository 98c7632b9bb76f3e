"""Step 1: corpora, chat messages and JSON lines become dialogues of words.

Readers stream: one record in memory at a time, from plain or gzip files. `CORPORA` names them for
the command line.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from utterly.dialogues.canard import read_canard
from utterly.dialogues.dialogue import Dialogue, Turn
from utterly.dialogues.jsonl import dialogue_from_json, dialogue_to_json, read_jsonl, write_jsonl
from utterly.dialogues.messages import dialogue_from_messages
from utterly.dialogues.mudoco import MUDOCO_SPLITS, read_mudoco
from utterly.dialogues.records import OnBad, check_split
from utterly.dialogues.rewrite_zh import REWRITE_SPLITS, read_rewrite
from utterly.dialogues.words import Word, split_words
from utterly.errors import FileError

__all__ = [
    "CORPORA",
    "Corpus",
    "Dialogue",
    "OnBad",
    "Turn",
    "Word",
    "dialogue_from_json",
    "dialogue_from_messages",
    "dialogue_to_json",
    "read_canard",
    "read_corpus",
    "read_jsonl",
    "read_mudoco",
    "read_rewrite",
    "split_words",
    "write_jsonl",
]


class Corpus(NamedTuple):
    """A kind of file: its reader, the splits that one such file holds, and whether titles in it were guessed."""

    read: Callable[..., Iterator[Dialogue]]
    splits: tuple[str, ...] = ()
    has_guessed_titles: bool = False


CORPORA: Final = {
    "canard": Corpus(read_canard, has_guessed_titles=True),
    "jsonl": Corpus(read_jsonl),
    "mudoco": Corpus(read_mudoco, tuple(MUDOCO_SPLITS)),
    "rewrite": Corpus(read_rewrite, tuple(REWRITE_SPLITS)),
}


def read_corpus(
    name: str,
    path: Path | str,
    *,
    split: str | None = None,
    guessed_titles: bool = False,
    on_bad: OnBad | None = None,
) -> Iterator[Dialogue]:
    """The dialogues of a file of the corpus with this name: all of them, or those of one split.

    `guessed_titles` is for training on CANARD files that lost their titles; see `read_canard`.
    """
    if name not in CORPORA:
        raise FileError(path, f"there is no corpus called {name!r} to read it as; known: {', '.join(CORPORA)}")
    corpus = CORPORA[name]
    check_split(path, split, corpus.splits)
    if guessed_titles and not corpus.has_guessed_titles:
        known = ", ".join(name for name, each in CORPORA.items() if each.has_guessed_titles)
        raise FileError(
            path, f"only files of {known} have guessed titles, but it is read as {name}; do not ask for them"
        )
    options: dict[str, object] = {"split": split} if split is not None else {}
    if guessed_titles:
        options["guessed_titles"] = True
    return corpus.read(path, on_bad=on_bad, **options)
