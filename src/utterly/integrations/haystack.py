"""Haystack: a component that rewrites a query, instead of a prompt builder and a generator."""

from dataclasses import asdict
from typing import Any, Final

from utterly.extras import require
from utterly.integrations.lazy_rewriter import LazyRewriter
from utterly.rewriter import Rewrite

require("haystack", extra="haystack")

from haystack import component, default_from_dict, default_to_dict
from haystack.dataclasses import ChatMessage

_WITH_OUTPUTS: Final = component.output_types(
    query=str, raw_query=str, edits=list[dict[str, Any]], confidence=float, rewrite=dict[str, Any]
)


@component
class QuestionRewriter:
    """Rewrites a query so it can be understood without the messages before it.

    Outputs: `query` is the rewritten query (with `search`, the search query) and `raw_query` the original; `edits` says
    what was changed and where the words come from, as in `utterly.scripts.serialize`; `confidence` is 0 to 1; `rewrite`
    is all of `Rewrite.to_json()`.
    """

    def __init__(
        self,
        *,
        model: str | None = None,
        min_confidence: float | None = None,
        raise_errors: bool = False,
        search: bool = False,
    ) -> None:
        self._rewriter = LazyRewriter(model, min_confidence, raise_errors, search)

    def warm_up(self) -> None:
        """Load the model now instead of at the first query."""
        self._rewriter.warm_up()

    def to_dict(self) -> dict[str, Any]:
        """The settings, for saving a pipeline."""
        return default_to_dict(self, **asdict(self._rewriter))

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "QuestionRewriter":
        """The inverse of `to_dict`."""
        return default_from_dict(cls, data)

    @_WITH_OUTPUTS
    def run(self, query: str, messages: list[ChatMessage] | None = None) -> dict[str, Any]:
        """Rewrite `query`, given the `messages` before it; the last may be the query itself."""
        return _outputs(self._rewriter.rewrite(query, messages))

    @_WITH_OUTPUTS
    async def run_async(self, query: str, messages: list[ChatMessage] | None = None) -> dict[str, Any]:
        """`run` for asynchronous pipelines."""
        return _outputs(await self._rewriter.arewrite(query, messages))


def _outputs(rewrite: Rewrite) -> dict[str, Any]:
    everything = rewrite.to_json()
    return {
        "query": rewrite.search_query,
        "raw_query": rewrite.source,
        "edits": everything["edits"],
        "confidence": rewrite.confidence,
        "rewrite": everything,
    }
