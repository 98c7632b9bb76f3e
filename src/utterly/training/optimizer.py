"""The optimizer, its learning rates and their schedule."""

import torch
from torch import nn
from torch.optim import AdamW, Optimizer
from torch.optim.lr_scheduler import LambdaLR

from utterly.networks.layers import head_parameters
from utterly.training.recipe import TrainingSettings


def make_optimizer(tagger: nn.Module, settings: TrainingSettings, device: torch.device) -> AdamW:
    """AdamW with two groups: the pre-trained encoder at the learning rate, and the heads faster by a factor."""
    heads = head_parameters(tagger)
    is_head = {id(weight) for weight in heads}
    groups = [
        {"params": [w for w in tagger.parameters() if id(w) not in is_head], "lr": settings.learning_rate},
        {"params": heads, "lr": settings.learning_rate * settings.head_rate_factor},
    ]
    return AdamW(groups, weight_decay=settings.weight_decay, fused=device.type == "cuda")


def make_schedule(optimizer: Optimizer, *, steps: int, warmup: float) -> LambdaLR:
    return LambdaLR(optimizer, lambda step: rate_share(step, steps, warmup))


def rate_share(step: int, steps: int, warmup: float) -> float:
    """The share of the full rate at a step: it rises linearly for the share `warmup` of all steps, then falls linearly.

    >>> [round(rate_share(step, 6, 0.5), 2) for step in range(6)]
    [0.33, 0.67, 1.0, 1.0, 0.67, 0.33]
    """
    rising = max(1, int(steps * warmup))
    return (step + 1) / rising if step < rising else max(0.0, (steps - step) / max(1, steps - rising))
