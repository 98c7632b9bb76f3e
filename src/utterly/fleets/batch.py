"""`RewriteBatch`: adds rewrites to a batch of rows, for any engine that calls a function on batches of a table."""

import dataclasses
import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from utterly import __version__
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import DialogueError, RewriterError
from utterly.model.folder import ModelFolder, bundled_folders
from utterly.rewriter import Rewrite, RewriteOptions, shared_rewriter
from utterly.tables.parquet import extended
from utterly.tables.rows import ADDED, READ, NewFields, kept_fields, missing_column, new_fields, row_of_cells

NEW: Final = (*ADDED, "error")
ROWS: Final = 256  # in a batch: seconds of work, so little is lost if a worker dies


@dataclass(frozen=True, kw_only=True)
class RewriteBatch:
    """Adds `rewrite`, `confidence`, `changed` and `error` to a batch: a dict of columns, a pandas frame or Arrow data.

    A row has `history` and `utterance`, or a conversation in `messages`, `turns` or `field`, as in files; an existing
    `rewrite` becomes `target`. Rows keep their order. A row that cannot be rewritten keeps its turn and gets the reason
    in `error`; if `strict`, a row that is not a dialogue raises a `DialogueError` with its number instead.

    It holds only settings, so it is cheap to pickle and can be hashed. Each process loads the model at its first batch
    and runs it on one thread, because engines start a process per core.
    """

    model: str | None = None  # as for `Rewriter.load`
    min_confidence: float | None = None
    field: str | None = None  # with the conversation, if it has another name
    strict: bool = False
    workers: int = 1  # dialogues rewritten in parallel, for an engine that calls one function for all cores
    made_with: str = dataclasses.field(init=False, repr=False)  # release and models, so the hash covers them

    def __post_init__(self) -> None:
        RewriteOptions(min_confidence=self.min_confidence)  # checks it
        if type(self.workers) is not int or self.workers < 1:
            raise RewriterError(f"workers must be a whole number of at least 1, got {self.workers!r}")
        folders = [ModelFolder.find(name) for name in ([self.model] if self.model else bundled_folders())]
        used = repr([(__version__, folder.name, folder.config, folder.files) for folder in folders])
        object.__setattr__(self, "made_with", hashlib.sha256(used.encode()).hexdigest()[:16])

    def __call__(self, batch: Any) -> Any:
        """The batch with its rewrites, of the same type."""
        names = _names(batch)
        problem = missing_column(names, self.field)
        if problem and names:  # an empty batch may come without columns
            raise DialogueError(problem)
        new = list(self._rewritten(_rows(batch, [name for name in names if name in (*READ, self.field)])))
        return _joined(batch, {name: [row[name] for row in new] for name in NEW})

    def _rewritten(self, rows: Sequence[Mapping[str, Any]]) -> Iterator[NewFields]:
        read = [_dialogue(row, self.field) for row in rows]
        dialogues = (each for each in read if isinstance(each, Dialogue))
        rewriter = shared_rewriter(self.model, threads=1)
        rewrites = rewriter.rewrite_many(
            dialogues, workers=self.workers, min_confidence=self.min_confidence, fail_open=True
        )
        for number, each in enumerate(read, start=1):
            rewrite = next(rewrites) if isinstance(each, Dialogue) else each
            if rewrite.error and self.strict:
                raise DialogueError(f"row {number} of {len(rows)} in a batch cannot be rewritten: {rewrite.error}")
            unread = rewrite.script is None and rewrite.confidence == 0  # too long, or in an unknown language
            problem = str(rewrite.error or rewrite.reason) if unread else None
            new = new_fields(rewrite, alternatives=False, everything=False)
            yield {**new, "rewrite": new["rewrite"] if rewrite.text or not problem else None, "error": problem}


def _dialogue(row: Mapping[str, Any], field: str | None) -> Dialogue | Rewrite:
    try:
        return row_of_cells({name: _plain(value) for name, value in row.items()}, field).dialogue
    except DialogueError as problem:
        turn = row.get("utterance")
        return Rewrite.failed(turn if isinstance(turn, str) else [], problem)


def _plain(value: Any) -> Any:
    """A cell as in JSON: lists for arrays, and null for NaN."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    return None if isinstance(value, float) and math.isnan(value) else value


def _names(batch: Any) -> list[str]:
    if isinstance(batch, Mapping):
        return list(batch)
    if _is_arrow(batch):
        return list(batch.schema.names)
    if hasattr(batch, "iloc"):
        return list(batch.columns)
    raise DialogueError(
        f"a batch must be a dict of columns, a pandas frame, or an Arrow batch or table, got {type(batch).__name__}"
    )


def _rows(batch: Any, names: Sequence[str]) -> Any:
    """The rows as a list of dicts, with only these columns."""
    if isinstance(batch, Mapping):
        sizes = {name: len(column) for name, column in batch.items()}
        if len({*sizes.values()}) > 1:
            raise DialogueError(f"the columns of a batch must be equally long, got {sizes}")
        return [dict(zip(names, cells, strict=True)) for cells in zip(*map(batch.__getitem__, names), strict=True)]
    if _is_arrow(batch):
        return batch.select(names).to_pylist()
    cells = batch[names].astype(object)
    return cells.where(cells.notna(), None).to_dict("records")


def _joined(batch: Any, added: dict[str, list[Any]]) -> Any:
    """The columns that are kept, under their new names, and those that are added."""
    if _is_arrow(batch):
        return extended(batch, added)
    kept = kept_fields(_names(batch), added)
    if isinstance(batch, Mapping):
        return {then: batch[name] for name, then in kept.items()} | added
    return batch[list(kept)].rename(columns=kept).assign(**added)


def _is_arrow(batch: Any) -> bool:
    return hasattr(batch, "schema") and hasattr(batch, "to_pylist")
