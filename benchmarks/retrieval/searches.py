"""`Searches`: every system's queries run on one retriever and scored."""

from collections.abc import Mapping
from typing import Final

import numpy as np
from benchmarks.retrieval import systems
from benchmarks.retrieval.measures import MEASURES, Comparison, Floats, resampled
from benchmarks.retrieval.retrievers import Retriever, fused
from benchmarks.retrieval.sets import Bench, SearchSet
from benchmarks.retrieval.systems import System

SEED: Final = 20


class Searches:
    """The score of every search, with one retriever per pool. Systems are compared with raw turns and references."""

    def __init__(self, bench: Bench, retrievers: Mapping[str, Retriever]) -> None:
        self.bench, self._retrievers = bench, retrievers
        self._places = {
            name: {passage: place for place, passage in enumerate(pool)} for name, pool in bench.pools.items()
        }
        self._raw, self._reference = systems.raw(bench.turns), systems.reference(bench.turns)
        self._known: dict[tuple[str, tuple[str, ...]], float] = {}
        rng = np.random.default_rng(SEED)
        self._weights = {each.name: resampled([turn.dialogue for turn in each.turns], rng) for each in bench.sets}

    def compare(self, system: System, turns: SearchSet) -> Comparison:
        return Comparison(
            scores=self._scores(system, turns),
            raw=self._scores(self._raw, turns),
            reference=self._scores(self._reference, turns),
            weights=self._weights[turns.name],
        )

    def _scores(self, system: System, turns: SearchSet) -> Floats:
        measure = MEASURES[turns.measure]
        scores = np.empty(len(turns.turns))
        for at, turn in enumerate(turns.turns):
            key = turn.id, system.asks(turn)
            if key not in self._known:
                retriever, places = self._retrievers[turn.pool], self._places[turn.pool]
                found = fused([retriever.scores(query) for query in dict.fromkeys(system.asks(turn))])
                self._known[key] = measure(found, [places[passage] for passage in turn.relevant])
            scores[at] = self._known[key]
        return scores
