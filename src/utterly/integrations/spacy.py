"""spaCy: the pipe `utterly`, which rewrites a `Doc` so that it can be understood without the turns before it.

nlp.add_pipe("utterly")
for doc, _ in nlp.pipe([("Is he Swiss?", ["Who is Federer?", "A player."])], as_tuples=True):
    doc._.rewrite, doc._.rewrite_confidence, doc._.rewrite_edits
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

from utterly.extras import require
from utterly.integrations.lazy_rewriter import LazyRewriter, Question
from utterly.rewriter import Rewrite

require("spacy", extra="spacy")

from spacy.language import Language
from spacy.tokens import Doc

EXTENSIONS: Final = (
    "history",  # input: the turns before this one, as strings or as chat messages
    "rewrite",  # output: the rewritten text, or the text itself if nothing had to change
    "rewrite_edits",  # what was changed, as in `utterly.scripts.serialize`
    "rewrite_confidence",  # 0 to 1
    "rewrite_error",  # why rewriting failed, if it did
)
"""What a `Doc` has under `._`; None before the pipe runs."""


class RewritePipe:
    """Adds the rewrite to a `Doc`, whose text and tokens stay as they are.

    The turns before it are in `Doc._.history`, or the context of `nlp.pipe(..., as_tuples=True)`: a list of turns, or a
    dict with one under `history`.
    """

    def __init__(self, rewriter: LazyRewriter) -> None:
        self._rewriter = rewriter
        for name in EXTENSIONS:
            if not Doc.has_extension(name):
                Doc.set_extension(name, default=None)

    def __call__(self, doc: Doc) -> Doc:
        return _with_rewrite(doc, self._rewriter.rewrite(*_question(doc)))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """The pipe for many docs, in batches."""
        waiting = iter(stream)
        while docs := list(islice(waiting, batch_size)):
            rewrites = self._rewriter.rewrite_many([_question(doc) for doc in docs])
            yield from map(_with_rewrite, docs, rewrites)

    def initialize(self, *_: Any, **__: Any) -> None:
        """Load the model now instead of at the first text."""
        self._rewriter.warm_up()


@Language.factory(
    "utterly",
    default_config={"model": None, "min_confidence": 0.0, "raise_errors": False},
    assigns=[f"doc._.{name}" for name in EXTENSIONS if name != "history"],
)
def make_rewrite_pipe(
    nlp: Language,  # noqa: ARG001 - spaCy passes it
    name: str,  # noqa: ARG001 - spaCy passes it
    model: str | None,
    min_confidence: float,
    raise_errors: bool,
) -> RewritePipe:
    """Make the pipe for `nlp.add_pipe("utterly", config={...})`."""
    return RewritePipe(LazyRewriter(model=model, min_confidence=min_confidence, raise_errors=raise_errors))


def _question(doc: Doc) -> Question:
    history = doc._.history if doc._.history is not None else doc._context
    return doc.text, history.get("history") if isinstance(history, Mapping) else history


def _with_rewrite(doc: Doc, rewrite: Rewrite) -> Doc:
    doc._.rewrite = rewrite.text
    doc._.rewrite_edits = rewrite.to_json()["edits"]
    doc._.rewrite_confidence = rewrite.confidence
    doc._.rewrite_error = None if rewrite.error is None else str(rewrite.error)
    return doc
