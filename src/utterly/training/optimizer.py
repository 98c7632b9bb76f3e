"""The optimizer, its learning rates and their schedule."""

import torch
from torch import nn
from torch.optim import Adam, AdamW, Optimizer
from torch.optim.lr_scheduler import LambdaLR

from utterly.networks.layers import head_parameters
from utterly.training.recipe import TrainingSettings


def make_optimizer(network: nn.Module, settings: TrainingSettings, device: torch.device) -> Optimizer:
    """AdamW with two groups: the pre-trained encoder at the learning rate, and the heads faster by a factor.

    Without a pre-trained encoder, Adam with one.
    """
    heads, rate, fused = head_parameters(network), settings.learning_rate, device.type == "cuda"
    is_head = {id(weight) for weight in heads}
    encoder = [weight for weight in network.parameters() if id(weight) not in is_head]
    if not encoder:
        return Adam(heads, lr=rate, fused=fused)
    groups = [{"params": encoder, "lr": rate}, {"params": heads, "lr": rate * settings.head_rate_factor}]
    return AdamW(groups, weight_decay=settings.weight_decay, fused=fused)


def make_schedule(optimizer: Optimizer, *, steps: int, warmup: float) -> LambdaLR:
    return LambdaLR(optimizer, lambda step: rate_share(step, steps, warmup))


def rate_share(step: int, steps: int, warmup: float) -> float:
    """The learning rate at a step as a share of the full one: up linearly for `warmup` of all steps, then down to 0.

    >>> [round(rate_share(step, 6, 0.5), 2) for step in range(6)]
    [0.33, 0.67, 1.0, 1.0, 0.67, 0.33]
    """
    rising = max(1, int(steps * warmup))
    return (step + 1) / rising if step < rising else max(0.0, (steps - step) / max(1, steps - rising))
