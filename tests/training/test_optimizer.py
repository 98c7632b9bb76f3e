"""The optimizer takes the recipe's rates: what each step uses, seen from inside torch."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch
from torch.optim.optimizer import register_optimizer_step_pre_hook

from tests.training.recipes import tiny_recipe
from utterly.networks.layers import head_parameters
from utterly.training.loop import train


class Group(NamedTuple):
    rate: float
    weight_decay: float
    weights: int


@pytest.fixture
def steps() -> Iterator[list[list[Group]]]:
    """The optimizer's groups at every step taken while a test runs."""
    seen: list[list[Group]] = []

    def note(optimizer: torch.optim.Optimizer, *_: Any) -> None:
        groups = optimizer.param_groups
        seen.append([Group(g["lr"], g["weight_decay"], sum(p.numel() for p in g["params"])) for g in groups])

    hook = register_optimizer_step_pre_hook(note)
    yield seen
    hook.remove()


@pytest.mark.parametrize("factor", [1.0, 7.0])
def test_the_heads_learn_faster_than_the_encoder_by_the_recipes_factor(
    encoder_folder: Path, tmp_path: Path, steps: list[list[Group]], factor: float
) -> None:
    tagger = train(tiny_recipe(tmp_path, encoder_folder, epochs=1, head_rate_factor=factor)).tagger
    heads = sum(weights.numel() for weights in head_parameters(tagger))
    rest = sum(weights.numel() for weights in tagger.parameters()) - heads
    assert steps
    for slow, fast in steps:
        assert (slow.weights, fast.weights) == (rest, heads)
        assert fast.rate == pytest.approx(factor * slow.rate)


@pytest.mark.parametrize("weight_decay", [0.0, 0.3])
def test_every_weight_decays_as_the_recipe_says(
    encoder_folder: Path, tmp_path: Path, steps: list[list[Group]], weight_decay: float
) -> None:
    train(tiny_recipe(tmp_path, encoder_folder, epochs=1, weight_decay=weight_decay))
    assert {group.weight_decay for groups in steps for group in groups} == {weight_decay}


@pytest.mark.parametrize(
    ("warmup", "shares"),
    [
        (0.0, [1, 1, 4 / 5, 3 / 5, 2 / 5, 1 / 5]),
        (0.5, [1 / 3, 2 / 3, 1, 1, 2 / 3, 1 / 3]),
        (1.0, [1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6, 1]),
    ],
)
def test_the_rate_rises_over_the_recipes_share_of_steps_and_then_falls(
    encoder_folder: Path, tmp_path: Path, steps: list[list[Group]], warmup: float, shares: list[float]
) -> None:
    recipe = tiny_recipe(tmp_path, encoder_folder, epochs=1, batch_size=4, learning_rate=1e-3, warmup=warmup)
    train(recipe)
    assert [encoder.rate for encoder, _ in steps] == pytest.approx([1e-3 * share for share in shares])


def test_a_warm_up_in_epochs_replaces_the_share(encoder_folder: Path, tmp_path: Path, steps: list[list[Group]]) -> None:
    train(
        tiny_recipe(tmp_path, encoder_folder, epochs=2, batch_size=4, learning_rate=1e-3, warmup=0.9, warmup_epochs=1.0)
    )
    rising = [(step + 1) / 6 for step in range(6)]
    assert [encoder.rate for encoder, _ in steps] == pytest.approx([1e-3 * share for share in (*rising, *rising[::-1])])
