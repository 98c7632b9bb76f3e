"""The recipe's loss: which terms it has, and how they are weighted."""

from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from tests.networks.models import untrained
from utterly.training.recipe import TrainingSettings
from utterly.training.step import TrainingLoss

Worth = dict[str, torch.Tensor]


@pytest.fixture
def worth(monkeypatch: pytest.MonkeyPatch) -> Worth:
    """What each term of the loss is worth, whatever is read."""
    values = {"labels": 2.0, "teachers": 3.0, "agreement": 5.0, "rewards": 7.0}
    found = {name: torch.tensor(value, requires_grad=True) for name, value in values.items()}
    for name, method in {
        "teachers": "_teacher_loss",
        "agreement": "_agreement_loss",
        "rewards": "_policy_loss",
    }.items():
        monkeypatch.setattr(TrainingLoss, method, lambda *_, name=name: found[name])
    return found


def losses(
    folder: Path, worth: Worth, *, teachers: int = 0, epoch: int = 0, **settings: Any
) -> dict[str, torch.Tensor]:
    model = untrained("hct", folder)
    loss = TrainingLoss(TrainingSettings(**settings), model, [model.tagger] * teachers, nullcontext)
    reading: Any = SimpleNamespace(label_losses=SimpleNamespace(total=worth["labels"]))
    return loss(reading, epoch=epoch)


@pytest.mark.parametrize(
    ("teachers", "settings", "weights"),
    [
        (0, {}, {"labels": 1.0}),
        (2, {"teacher_weight": 0.25}, {"labels": 0.75, "teachers": 0.25}),
        (0, {"teacher_weight": 0.25, "agreement_weight": 4.0}, {"labels": 1.0, "agreement": 4.0}),
        (1, {"teacher_weight": 1.0, "agreement_weight": 0.5}, {"labels": 0.0, "teachers": 1.0, "agreement": 0.5}),
    ],
)
def test_each_term_has_the_weight_that_the_recipe_gives_it(
    encoder_folder: Path, worth: Worth, teachers: int, settings: dict[str, Any], weights: dict[str, float]
) -> None:
    found = losses(encoder_folder, worth, teachers=teachers, **settings)
    assert {"labels", *found} == {"loss", *weights}
    gradients = torch.autograd.grad(found["loss"], [worth[name] for name in weights])
    assert dict(zip(weights, map(float, gradients), strict=True)) == weights


def test_rewards_take_their_share_of_the_loss_from_their_epoch_on(encoder_folder: Path, worth: Worth) -> None:
    settings: dict[str, Any] = {"teacher_weight": 0.25, "agreement_weight": 4.0, "reward_weight": 0.5}
    settings["reward_from_epoch"] = 2
    found = [losses(encoder_folder, worth, teachers=1, epoch=epoch, **settings) for epoch in (0, 1, 2, 3)]
    supervised = 0.75 * 2 + 0.25 * 3 + 4 * 5
    assert [each["loss"].item() for each in found] == pytest.approx(
        [supervised, supervised, 0.5 * supervised + 0.5 * 7, 0.5 * supervised + 0.5 * 7]
    )
    assert found[2].keys() ^ worth.keys() == {"loss", "labels"}
    assert all(found[2][name] is worth[name] for name in ("teachers", "agreement", "rewards"))
