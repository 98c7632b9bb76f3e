"""MPNet's attention as one fused operation, for faster training on a GPU; transformers computes it step by step.

The weights stay the same, and so does what they compute, up to rounding. The gradient is not deterministic.
"""

from typing import Any, Final

import torch
from torch import Tensor, nn
from torch.nn.functional import pad, scaled_dot_product_attention
from transformers.modeling_outputs import BaseModelOutput
from transformers.models.mpnet.modeling_mpnet import MPNetEncoder, MPNetSelfAttention

_ALIGNED: Final = 16  # the rows of a mask must begin at multiples of this for the fused kernel to read them in place


class FusedSelfAttention(MPNetSelfAttention):
    """Adds one mask to the scores, which holds the bias of each distance and minus infinity for padding."""

    def forward(self, hidden_states: Tensor, *masks: Tensor | None, **_: Any) -> tuple[Tensor]:
        by_head = (*hidden_states.shape[:-1], -1, self.attention_head_size)
        query, key, value = (part(hidden_states).view(by_head).transpose(1, 2) for part in (self.q, self.k, self.v))
        dropout = self.dropout.p if self.training else 0.0
        mixed = scaled_dot_product_attention(query, key, value, attn_mask=masks[-1], dropout_p=dropout)
        return (self.o(mixed.transpose(1, 2).flatten(2)),)


class FusedEncoder(MPNetEncoder):
    """The layers of MPNet, which share one mask."""

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None, *_: Any, **__: Any) -> Any:
        mask: Tensor = self.compute_position_bias(hidden_states[:1])  # type: ignore[no-untyped-call]  # (1, heads, pieces, pieces)
        if attention_mask is not None:  # (batch, 1, 1 or pieces, pieces)
            mask = mask + attention_mask
        if torch.is_autocast_enabled(hidden_states.device.type):
            mask = mask.to(torch.get_autocast_dtype(hidden_states.device.type))
        width = mask.shape[-1]
        mask = pad(mask, (0, -width % _ALIGNED))[..., :width]
        for layer in self.layer:
            (hidden_states,) = layer(hidden_states, None, mask)
        return BaseModelOutput(last_hidden_state=hidden_states)


def fuse_mpnet_attention(tagger: nn.Module) -> None:
    """Fuse the attention of an MPNet in a tagger, in place; other encoders stay as they are."""
    for module in tagger.modules():
        if type(module) is MPNetEncoder:
            module.__class__ = FusedEncoder
        elif type(module) is MPNetSelfAttention:
            module.__class__ = FusedSelfAttention
