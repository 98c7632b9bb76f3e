"""The loss that a recipe asks for: which terms it has, and how they are weighted."""

from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from tests.networks.models import untrained
from utterly.training.recipe import TrainingSettings
from utterly.training.step import LossTerm, TrainingLoss

WORTH = {"labels": 2.0, "teachers": 3.0, "agreement": 5.0, "rewards": 7.0}


def loss_of(folder: Path, *, teachers: int = 0, **settings: Any) -> TrainingLoss:
    model = untrained("hct", folder)
    return TrainingLoss(TrainingSettings(**settings), model, [model.tagger] * teachers, nullcontext)


@pytest.mark.parametrize(
    ("teachers", "settings", "terms"),
    [
        (0, {}, {"labels": 1.0}),
        (2, {"teacher_weight": 0.25}, {"labels": 0.75, "teachers": 0.25}),
        (0, {"teacher_weight": 0.25, "agreement_weight": 4.0}, {"labels": 1.0, "agreement": 4.0}),
        (1, {"teacher_weight": 1.0, "agreement_weight": 0.5}, {"labels": 0.0, "teachers": 1.0, "agreement": 0.5}),
    ],
)
def test_each_term_has_the_weight_that_the_recipe_gives_it(
    encoder_folder: Path, teachers: int, settings: dict[str, Any], terms: dict[str, float]
) -> None:
    loss = loss_of(encoder_folder, teachers=teachers, **settings)
    assert {term.name: term.weight for term in loss.terms} == terms


def test_rewards_take_their_share_of_the_loss_from_their_epoch_on(
    encoder_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loss = loss_of(
        encoder_folder, teachers=1, teacher_weight=0.25, agreement_weight=4.0, reward_weight=0.5, reward_from_epoch=2
    )

    def fixed(term: LossTerm) -> LossTerm:
        return term._replace(loss=lambda _: torch.tensor(WORTH[term.name]))

    loss.terms = [*map(fixed, loss.terms)]
    monkeypatch.setattr(loss, "_policy_loss", lambda _: torch.tensor(WORTH["rewards"]))
    reading: Any = SimpleNamespace(label_losses=SimpleNamespace(total=torch.tensor(WORTH["labels"])))
    supervised = 0.75 * 2 + 0.25 * 3 + 4 * 5
    assert [float(loss(reading, epoch=epoch)["loss"]) for epoch in (0, 1, 2, 3)] == pytest.approx(
        [supervised, supervised, 0.5 * supervised + 0.5 * 7, 0.5 * supervised + 0.5 * 7]
    )
    assert {name: float(each) for name, each in loss(reading, epoch=2).items() if name != "loss"} == WORTH
