"""HCT, the hierarchical context tagger: an action and a rule per source word, then a span per slot."""

from typing import Any, ClassVar, Final

import torch
from torch import Tensor, nn

from utterly.networks.layers import Batch, RuleEmbeddings, SpanLogits, SpanPredictor
from utterly.networks.tagger import Queries, Tagger, Tags

SLOT_EMBEDDINGS: Final = "rule_embeddings.slots.weight"
"""A weight that only training reads: inference uses the stored rule embeddings."""


class Hct(Tagger):
    """Eqs. 1, 2 and 10 to 12. A query carries its rule: e = ReLU(W_c [e; r])."""

    kind = "hct"
    stops: ClassVar[bool] = False
    stored_rules: Tensor

    def __init__(self, network: Any, *, rules: list[list[int]], max_slots: int) -> None:
        super().__init__(network, max_slots=max_slots)
        width = self.encoder.width
        self.rule_head = nn.Linear(width, len(rules))
        self.rule_embeddings = RuleEmbeddings(rules, self.encoder.embedding_width, max_slots)
        self.combine = nn.Linear(2 * width, width)
        self.span_predictor = SpanPredictor(width)
        self.register_buffer("stored_rules", torch.zeros(len(rules), width))

    def tag(self, batch: Batch) -> Tags:
        states = self.encoder(batch)
        # Not in `spans`, which rewards call again: a CUDA graph may run only once before its backward pass.
        rules = self.rule_embeddings(self.encoder) if self.training else self.stored_rules
        return Tags(states, self.action_head(states.source), self.rule_head(states.source), rules)

    def spans(self, tags: Tags, queries: Queries) -> SpanLogits:
        states, rules = tags.states, tags.rule_embeddings
        assert rules is not None  # noqa: S101 - `tag` sets it
        word = states.source[queries.dialogue, queries.word]
        query = torch.relu(self.combine(torch.cat([word, rules[queries.rule].to(word.dtype)], dim=-1)))
        mask = states.context_mask.clone()
        mask[:, 0] = False  # no stop symbol: the rule says how many spans there are
        found: SpanLogits = self.span_predictor(query, queries.dialogue, states.context, mask, slots=self.max_slots)
        return found

    def train(self, mode: bool = True) -> "Hct":
        """Switching to evaluation stores the rule embeddings, so inference needs no pass over the rules."""
        stores = self.training and not mode
        super().train(mode)
        if stores:  # in full precision, even under autocast
            with torch.no_grad(), torch.autocast(self.stored_rules.device.type, enabled=False):
                self.stored_rules.copy_(self.rule_embeddings(self.encoder))
        return self
