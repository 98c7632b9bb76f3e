"""MST, the multi-span tagger: an action per source word, and spans until the stop symbol; and RaST, its baseline."""

from typing import Any, ClassVar

from utterly.networks.layers import Batch, SpanLogits, SpanPredictor
from utterly.networks.tagger import Queries, Tagger, Tags


class Mst(Tagger):
    """Eqs. 1 to 6. Every source word is a query; the first context index is the stop symbol."""

    kind = "mst"
    stops: ClassVar[bool] = True

    def __init__(self, network: Any, *, max_slots: int) -> None:
        super().__init__(network, max_slots=max_slots)
        self.span_predictor = SpanPredictor(self.encoder.width)

    def tag(self, batch: Batch) -> Tags:
        states = self.encoder(batch)
        return Tags(states, self.action_head(states.source))

    def spans(self, tags: Tags, queries: Queries) -> SpanLogits:
        states = tags.states
        query = states.source[queries.dialogue, queries.word]
        found: SpanLogits = self.span_predictor(
            query, queries.dialogue, states.context, states.context_mask, slots=self.max_slots
        )
        return found


class Rast(Mst):
    """The paper's baseline: MST with at most one span a word (l = 1)."""

    kind = "rast"

    def __init__(self, network: Any, *, max_slots: int = 1) -> None:
        super().__init__(network, max_slots=min(max_slots, 1))
