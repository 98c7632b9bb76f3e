"""The interface of all taggers: tags, then spans."""

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor, nn

from utterly.networks.layers import Batch, Encoder, SpanLogits, States


@dataclass(frozen=True)
class Tags:
    """The first level: an action and, in HCT, a rule for each source word."""

    states: States
    action_logits: Tensor  # (batch, source, 2): delete, keep
    rule_logits: Tensor | None  # (batch, source, rules); only HCT has rules


@dataclass(frozen=True)
class Queries:
    """The source words that want spans, and in HCT the rule whose slots they fill."""

    dialogue: Tensor  # (queries,)
    word: Tensor  # (queries,)
    rule: Tensor  # (queries,); not read by MST and RaST

    def first(self, count: int) -> "Queries":
        return Queries(self.dialogue[:count], self.word[:count], self.rule[:count])


class Tagger(nn.Module):
    """Two levels, as in the paper: tag the source words, then fill the slots of those that want spans."""

    kind: ClassVar[str]
    encoder: Encoder
    max_slots: int
    stops: ClassVar[bool]
    """Whether the number of spans ends with a stop symbol (MST, RaST) or is given by a rule (HCT)."""

    def forward(self, batch: Batch, queries: Queries) -> tuple[Tags, SpanLogits]:
        """Both levels at once, for training, where the labels say which words want spans."""
        tags = self.tag(batch)
        return tags, self.spans(tags, queries)

    def tag(self, batch: Batch) -> Tags:
        raise NotImplementedError

    def spans(self, tags: Tags, queries: Queries) -> SpanLogits:
        raise NotImplementedError
