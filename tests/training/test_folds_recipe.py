"""Folds: every dialogue is held out once, chooses for a model that has not seen it, and is learned by the others."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from recipes import folds
from recipes.folds import fold_recipes, train_on_folds
from recipes.split import whole_dialogue

from tests.networks.models import untrained
from tests.training.recipes import tiny_recipe
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import TrainingError
from utterly.networks.torch_model import TorchModel
from utterly.training.calibrate import ScoredDialogue, Trial, fit_decode_to, score_dialogues
from utterly.training.recipe import Recipe


@pytest.fixture
def recipe(encoder_folder: Path, tmp_path: Path) -> Recipe:
    """Train has one dialogue, dev eleven, all of two turns."""
    start = tmp_path / "start"
    untrained("hct", encoder_folder).save_pretrained(start)
    made = tiny_recipe(tmp_path, encoder_folder, epochs=1, dev_limit=1)
    turns = [{**line, "id": f"call-{number // 2}-turn{number % 2}"} for number, line in enumerate(lines(made.data.dev))]
    for name, some in (("train.jsonl", turns[:2]), ("dev.jsonl", turns[2:])):
        save(tmp_path / name, some)
    data = replace(made.data, train=(str(tmp_path / "train.jsonl"),), dev=str(tmp_path / "dev.jsonl"))
    return replace(made, data=data, tagger=replace(made.tagger, encoder="", start_from=str(start)))


def save(path: Path, turns: Sequence[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(turn) + "\n" for turn in turns))


def lines(*paths: str) -> list[dict[str, Any]]:
    return [json.loads(line) for path in paths for line in Path(path).read_text().splitlines()]


def dialogues(*paths: str) -> set[str]:
    return {whole_dialogue(line["id"]) for line in lines(*paths)}


@pytest.mark.parametrize(
    ("turn", "dialogue"), [("news-7-turn12", "news-7"), ("C_4_q#2", "C_4_q"), ("a-turn", "a-turn"), (None, "")]
)
def test_the_ids_of_a_dialogues_turns_have_its_name(turn: str | None, dialogue: str) -> None:
    assert whole_dialogue(turn) == dialogue


def test_each_dialogue_is_held_out_once_with_all_its_turns(recipe: Recipe) -> None:
    runs = fold_recipes(recipe, 3, [5])
    assert [run.training.seed for run in runs] == [15, 16, 17]
    assert all(run.training.dev_limit == 0 for run in runs)
    held = [dialogues(run.data.dev) for run in runs]
    assert sum(map(len, held)) == len(set.union(*held)) == 11
    for run in runs:
        assert run.data.train[:-1] == recipe.data.train
        assert not dialogues(*run.data.train) & dialogues(run.data.dev)
        both = [line["id"] for line in lines(run.data.train[-1], run.data.dev)]
        assert sorted(both) == sorted(line["id"] for line in lines(recipe.data.dev))


def test_the_model_is_the_mean_of_the_folds(recipe: Recipe) -> None:
    model, best = train_on_folds(recipe, 2, [3, 30])
    folders = [Path(recipe.out) / f"fold-{fold}-of-2-seed-{seed}" / "model" for fold in (0, 1) for seed in (3, 30)]
    weights = [TorchModel.from_pretrained(folder).tagger.state_dict()["action_head.weight"] for folder in folders]
    assert not torch.equal(weights[0], weights[1])
    assert torch.allclose(model.tagger.state_dict()["action_head.weight"], torch.stack(weights).mean(0), atol=1e-6)
    saved = TorchModel.from_pretrained(Path(recipe.out) / "model")
    assert saved.config.decode == model.config.decode == best.settings
    assert saved.config.notes["averaged"] == "4 models of 2 folds, seeds [3, 30]"
    assert saved.config.notes["recipe"]["out"] == recipe.out


def test_models_trained_side_by_side_are_those_trained_one_by_one(
    recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # as many as here: others would sum in another order
    one_by_one, best = train_on_folds(recipe, 2, [3])
    apart = replace(recipe, out=str(tmp_path / "side-by-side"))
    side_by_side, same = train_on_folds(apart, 2, [3], jobs=2)
    assert (side_by_side.config.decode, same) == (one_by_one.config.decode, best)
    for name, weight in one_by_one.tagger.state_dict().items():
        assert torch.equal(side_by_side.tagger.state_dict()[name], weight)


def test_decoding_is_fitted_to_the_scores_of_each_model_on_its_own_fold(
    recipe: Recipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[set[str]] = []
    fitted: list[str | None] = []

    def seen_ask(model: TorchModel, unseen: Sequence[Dialogue]) -> list[ScoredDialogue]:
        asked.append({whole_dialogue(dialogue.id) for dialogue in unseen})
        learned = model.config.notes["recipe"]["data"]["train"]
        assert not asked[-1] & dialogues(*learned)
        return score_dialogues(model, unseen)

    def seen_fit(scored: Sequence[ScoredDialogue], model: TorchModel, *, workers: int) -> list[Trial]:
        fitted.extend(answer.dialogue.id for answer in scored)
        return fit_decode_to(scored, model, workers=workers)

    monkeypatch.setattr(folds, "score_dialogues", seen_ask)
    monkeypatch.setattr(folds, "fit_decode_to", seen_fit)
    train_on_folds(recipe, 2, [0])
    assert [len(each) for each in asked] == [6, 5]
    assert sorted(map(str, fitted)) == sorted(line["id"] for line in lines(recipe.data.dev))


def test_a_run_resumes_only_with_the_same_folds(recipe: Recipe) -> None:
    first = fold_recipes(recipe, 2, [0])
    assert fold_recipes(recipe, 2, [0]) == first
    assert not {run.out for run in fold_recipes(recipe, 3, [0])} & {run.out for run in first}
    dev = Path(recipe.data.dev)
    save(dev, lines(str(dev))[2:])
    with pytest.raises(TrainingError, match=r"fold-0-of-2.train.jsonl: an earlier run dealt other .* another out"):
        fold_recipes(recipe, 2, [0])


def test_the_script_ends_with_one_line_of_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["folds.py", str(tmp_path / "none.toml")])
    with pytest.raises(SystemExit, match=r"none.toml: cannot read the recipe: No such file"):
        folds.main()


def test_invalid_folds_are_refused(encoder_folder: Path, recipe: Recipe) -> None:
    with pytest.raises(TrainingError, match=r"at least 2 and at most the 11 dialogues of .*, got 12"):
        fold_recipes(recipe, 12, [0])
    for seeds in ([], [3, 3]):
        with pytest.raises(TrainingError, match=r"at least one, all different, got \["):
            fold_recipes(recipe, 2, seeds)
    both = replace(recipe, data=replace(recipe.data, train=(*recipe.data.train, recipe.data.dev)))
    with pytest.raises(TrainingError, match=r"call-1 is in both data.train and data.dev"):
        fold_recipes(both, 2, [0])
    alone = replace(recipe, tagger=replace(recipe.tagger, start_from="", encoder=str(encoder_folder)))
    with pytest.raises(TrainingError, match=r"start from the same one; set tagger.start_from"):
        fold_recipes(alone, 2, [0])
    dev = Path(recipe.data.dev)
    save(dev, [{name: value for name, value in line.items() if name != "id"} for line in lines(str(dev))])
    with pytest.raises(TrainingError, match=r"dev.jsonl, line 1: every turn needs an id"):
        fold_recipes(recipe, 2, [0])
