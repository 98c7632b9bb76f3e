"""Systems: the queries that each one searches with instead of the turn.

A system maps turn ids to queries. If a turn has several, such as a rewrite and a search form, each is run and the
rankings are fused.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.retrieval.sets import SearchSet, SearchTurn, json_lines

from utterly import Dialogue, Rewriter, RuleBook
from utterly.labels.extract import LabelExtractor
from utterly.labels.syntax import NoSyntax
from utterly.rules.restrict import Restriction

Queries = tuple[str, ...]
RAW: Final = "raw turn"
PREVIOUS: Final = "previous question + turn"
PEERS: Final = {"gpt4o": "GPT-4o", "llm4cs": "LLM4CS", "chiq": "CHIQ"}  # as their authors spell them


@dataclass(frozen=True)
class System:
    """The name of its row, and its queries by turn id. First turns may be missing: they are searched unchanged."""

    name: str
    queries: Mapping[str, Queries]

    def asks(self, turn: SearchTurn) -> Queries:
        return self.queries[turn.id] if turn.context else self.queries.get(turn.id, (turn.source,))

    def covers(self, turns: SearchSet) -> bool:
        """Whether it has queries for a set; having them for only some of its turns is an error."""
        needed = [turn.id for turn in turns.turns if turn.context]
        missing = [turn for turn in needed if turn not in self.queries]
        if missing and len(missing) < len(needed):
            raise ValueError(
                f"{self.name} must have all {len(needed)} follow-up turns of {turns.name} or none of them, "
                f"but {len(missing)} are missing, {missing[0]} first"
            )
        return not missing


def raw(turns: Iterable[SearchTurn]) -> System:
    return System(RAW, {turn.id: (turn.source,) for turn in turns})


def reference(turns: Iterable[SearchTurn]) -> System:
    return System("reference: human, MTRAG a language model", {turn.id: (turn.reference,) for turn in turns})


def with_previous(turns: Iterable[SearchTurn]) -> System:
    """The user's previous turn, then the turn. Speakers alternate, so it is the last but one of the context."""
    queries = {turn.id: (" ".join([*turn.context[-2:-1], turn.source]),) for turn in turns}
    return System(PREVIOUS, queries)


def gold_scripts(turns: Iterable[SearchTurn], book: RuleBook) -> System:
    """The ceiling of a tagger: the reference as an edit script with the rules of a book, applied."""
    asked = list(turns)
    labels = LabelExtractor(NoSyntax()).extract([Dialogue.of(turn.turns, turn.reference) for turn in asked])
    restricted = map(Restriction(book).restrict, labels)
    queries = {turn.id: (each.script.apply(),) for turn, each in zip(asked, restricted, strict=True)}
    return System(f"gold scripts, {len(book) - 1} rules", queries)


def rewriter(
    name: str, model: str | None, turns: Iterable[SearchTurn], thresholds: Iterable[float]
) -> Iterator[System]:
    """Rewrites and search forms of a model folder or a bundled model, at each confidence threshold."""
    asked, model_rewriter = list(turns), Rewriter.load(model)
    for least in (0.0, *thresholds):
        called = f"{name}, confidence ≥ {least:g}" if least else name
        answers = model_rewriter.rewrite_many([turn.turns for turn in asked], min_confidence=least, search=True)
        rewrites = {turn.id: rewrite for turn, rewrite in zip(asked, answers, strict=True)}
        yield System(called, {turn: (rewrite.text,) for turn, rewrite in rewrites.items()})
        yield System(f"{called}, search form", {turn: (rewrite.search_query,) for turn, rewrite in rewrites.items()})
        both = {turn: (rewrite.text, rewrite.search_query) for turn, rewrite in rewrites.items()}
        yield System(f"{called}, both fused", both)


def peers(rewrites: Mapping[str, Mapping[str, str]]) -> Iterator[System]:
    for name, by_turn in rewrites.items():
        yield System(PEERS.get(name, name), {turn: (text,) for turn, text in by_turn.items()})


def rewrites_file(name: str, path: Path) -> System:
    """JSON lines with `id` and `rewrite`: a string, or a list of strings whose rankings are fused."""
    return System(name, {str(row["id"]): _queries(row, path) for row in json_lines(path)})


def _queries(row: Mapping[str, Any], path: Path) -> Queries:
    rewrite = row.get("rewrite")
    queries = (rewrite,) if isinstance(rewrite, str) else tuple(rewrite or ())
    if not queries or not all(isinstance(query, str) for query in queries):
        raise ValueError(f"{path}, {row['id']}: rewrite must be a string or a list of strings, got {rewrite!r}")
    return queries
