"""Folds: every dialogue is held out once, chooses for a model that has not seen it, and is learned by the others."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from recipes.folds import fold_recipes, train_on_folds
from recipes.split import whole_dialogue

from tests.taggers.models import untrained
from tests.training.recipes import tiny_recipe
from utterly.errors import TrainingError
from utterly.recipe import Recipe
from utterly.taggers.model import TaggerModel
from utterly.training.calibrate import ask, fit_decode, fit_decode_to


@pytest.fixture
def recipe(encoder_folder: Path, tmp_path: Path) -> Recipe:
    """All that can be learned is in dev; train has two dialogues."""
    start = tmp_path / "start"
    untrained("hct", encoder_folder).save_pretrained(start)
    made = tiny_recipe(tmp_path, encoder_folder, epochs=1, dev_limit=1)
    lines = Path(made.data.dev).read_text().splitlines(keepends=True)
    for name, some in (("train.jsonl", lines[:2]), ("dev.jsonl", lines[2:])):
        (tmp_path / name).write_text("".join(some))
    data = replace(made.data, train=(str(tmp_path / "train.jsonl"),), dev=str(tmp_path / "dev.jsonl"))
    return replace(made, data=data, tagger=replace(made.tagger, encoder="", start_from=str(start)))


def lines(*paths: str) -> list[dict[str, Any]]:
    return [json.loads(line) for path in paths for line in Path(path).read_text().splitlines()]


def test_each_dialogue_is_held_out_once_with_all_its_turns(recipe: Recipe) -> None:
    dev = Path(recipe.data.dev)
    turns = [{**line, "id": f"call-{number // 3}-turn{number % 3}"} for number, line in enumerate(lines(str(dev)))]
    dev.write_text("".join(json.dumps(turn) + "\n" for turn in turns))
    runs = fold_recipes(recipe, 3, [5])
    assert [run.training.seed for run in runs] == [5, 6, 7]
    held = [{whole_dialogue(line["id"]) for line in lines(run.data.dev)} for run in runs]
    assert sum(map(len, held)) == len(set.union(*held)) == 8
    for run in runs:
        assert lines(*run.data.train)[:2] == lines(*recipe.data.train)
        learned = lines(*run.data.train)[2:]
        assert sorted(line["id"] for line in [*learned, *lines(run.data.dev)]) == sorted(turn["id"] for turn in turns)
        assert not {whole_dialogue(line["id"]) for line in learned} & {
            whole_dialogue(line["id"]) for line in lines(run.data.dev)
        }


def test_the_model_is_the_mean_of_the_folds_and_decodes_as_what_they_had_not_seen_says(recipe: Recipe) -> None:
    model, best = train_on_folds(recipe, 2, [3, 30])
    folders = [Path(recipe.out) / f"fold-{fold}-seed-{seed}" / "model" for fold in (0, 1) for seed in (3, 30)]
    each = [TaggerModel.from_pretrained(folder) for folder in folders]
    weights = [one.tagger.state_dict()["action_head.weight"] for one in each]
    assert not torch.equal(weights[0], weights[1])
    assert torch.allclose(model.tagger.state_dict()["action_head.weight"], torch.stack(weights).mean(0), atol=1e-6)
    saved = TaggerModel.from_pretrained(Path(recipe.out) / "model")
    assert saved.decode == model.decode == best.settings


def test_answers_of_one_model_are_fitted_as_the_model_is(encoder_folder: Path, recipe: Recipe) -> None:
    from tests.tiny import labels

    model = untrained("hct", encoder_folder)
    dialogues = [each.script.dialogue for each in labels()][:4]
    assert fit_decode(model, dialogues) == fit_decode_to(ask(model, dialogues), model)


def test_too_few_dialogues_and_models_of_their_own_are_refused(encoder_folder: Path, recipe: Recipe) -> None:
    with pytest.raises(TrainingError, match=r"from 2 to 22 folds, .* but 23 came"):
        fold_recipes(recipe, 23, [0])
    alone = replace(recipe, tagger=replace(recipe.tagger, start_from="", encoder=str(encoder_folder)))
    with pytest.raises(TrainingError, match=r"go on from one, but the recipe has no start_from"):
        fold_recipes(alone, 2, [0])
