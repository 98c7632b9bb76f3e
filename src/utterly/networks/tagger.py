"""The interface of all taggers: tags, then spans."""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from torch import Tensor, nn

from utterly.networks.layers import Batch, Encoder, SpanLogits, States


@dataclass(frozen=True)
class Tags:
    """The first level: an action and, in HCT, a rule for each source word."""

    states: States
    action_logits: Tensor  # (batch, source, 2): delete, keep
    rule_logits: Tensor | None = None  # (batch, source, rules); only HCT has rules
    rule_embeddings: Tensor | None = None  # (rules, width); for the spans of HCT


class Queries(NamedTuple):
    """The source words that need spans and, in HCT, the rule whose slots they fill."""

    dialogue: Tensor  # (queries,)
    word: Tensor  # (queries,)
    rule: Tensor  # (queries,); not read by MST and RaST


class Tagger(nn.Module):
    """Two levels, as in the paper: tag the source words, then fill the slots of those that need spans."""

    kind: ClassVar[str]
    stops: ClassVar[bool]
    """Whether a stop symbol ends the spans of a word (MST, RaST), or a rule says how many there are (HCT)."""

    def __init__(self, network: Any, *, max_slots: int) -> None:
        super().__init__()
        self.max_slots = max_slots
        self.encoder = Encoder(network)
        self.action_head = nn.Linear(self.encoder.width, 2)

    def forward(self, batch: Batch, queries: Queries) -> tuple[Tags, SpanLogits]:
        """Both levels at once, for training, where the labels say which words need spans."""
        tags = self.tag(batch)
        return tags, self.spans(tags, queries)

    def tag(self, batch: Batch) -> Tags:
        raise NotImplementedError

    def spans(self, tags: Tags, queries: Queries) -> SpanLogits:
        raise NotImplementedError
