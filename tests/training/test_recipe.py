"""Recipes: every setting is known, of its type, and in its range."""

from pathlib import Path
from typing import Any

import pytest

from utterly.errors import RecipeError
from utterly.model.decode import DecodeSettings
from utterly.training.recipe import PRECISIONS, TAGGER_KINDS, Recipe

DATA: dict[str, Any] = {"train": ["a.jsonl", "b.jsonl"], "dev": "dev.jsonl", "book": "rules.json"}
WHOLE: dict[str, Any] = {"out": "runs/one", "data": DATA, "tagger": {"encoder": "encoders/small"}}


def test_a_recipe_is_read_from_toml_with_its_defaults(tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text(
        'out = "runs/one"\n'
        'data = { train = ["a.jsonl", "b.jsonl"], dev = "dev.jsonl", book = "rules.json" }\n'
        '[tagger]\nkind = "mst"\nencoder = "encoders/small"\n'
        "[training]\nlearning_rate = 1\nepochs = 2\n[decode]\nbeam = 3\n"
    )
    recipe = Recipe.read(path)
    assert recipe.data.train == ("a.jsonl", "b.jsonl")
    assert (recipe.tagger.kind, recipe.training.epochs, recipe.decode) == ("mst", 2, DecodeSettings(beam=3))
    assert recipe.training.learning_rate == 1.0
    assert isinstance(recipe.training.learning_rate, float)
    assert Recipe.from_dict(recipe.to_dict()) == recipe


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"batch": 3}, "the recipe has no setting 'batch'; it has: out, data, tagger, training, decode"),
        ({"training": {"lr": 1e-4}}, "training has no setting 'lr'; it has: seed, epochs, batch_size"),
        ({"decode": {"temperature": 0.0}}, "decode.temperature must be above 0, but 0.0 came; 1 weighs by probability"),
        ({"data": {"train": ["a"]}}, "data must have dev, book, but it has not; add it"),
        ({"data": DATA | {"train": "a"}}, "data.train must be a list of strings, but 'a' came"),
        (
            {"data": DATA | {"train": []}},
            "data.train must name at least one label file, but the list is empty; add one",
        ),
        ({"training": {"epochs": 2.5}}, "training.epochs must be int, but 2.5 came"),
        ({"training": {"epochs": True}}, "training.epochs must be int, but True came"),
        ({"training": {"epochs": 0}}, "epochs must be at least 1, but 0 came"),
        ({"training": {"reward_weight": 2}}, "reward_weight must lie in 0 to 1, but 2.0 came"),
        ({"training": {"agreement_weight": -1}}, "agreement_weight must be at least 0, but -1.0 came"),
        ({"training": {"precision": "int8"}}, f"must be one of {', '.join(map(repr, PRECISIONS))}, but 'int8' came"),
        ({"training": {"device": "tpu"}}, "device must be one of '', 'cpu', 'cuda', but 'tpu' came"),
        ({"training": {"reward_scaling": "z"}}, "reward_scaling must be one of 'common', 'literal', but 'z' came"),
        ({"training": 3}, "training must be a table, but 3 came"),
        (
            {"tagger": {"encoder": "e", "kind": "t5"}},
            f"no tagger called 't5'; known taggers: {', '.join(TAGGER_KINDS)}",
        ),
        ({"tagger": {}}, "must name an encoder, or a tagger to start from, but it names neither"),
        ({"decode": {"beam": "wide"}}, "decode.beam must be int, but 'wide' came"),
        ({"out": None}, "out must be str, but None came"),
    ],
)
def test_a_wrong_setting_is_refused(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(RecipeError) as refused:
        Recipe.from_dict(WHOLE | changes)
    assert problem in str(refused.value)


def test_a_file_that_is_no_recipe_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    for content, problem in ((b"out = ", "a recipe must be TOML, but: "), (b"\xff", "a recipe must be TOML, but: ")):
        path.write_bytes(content)
        with pytest.raises(RecipeError, match=problem):
            Recipe.read(path)
    path.write_text("tagger = {}")
    with pytest.raises(RecipeError, match=f"^{path}: the recipe must have out, data, but it has not; add it$"):
        Recipe.read(path)
    with pytest.raises(RecipeError, match="must be a file one can read, but No such file or directory"):
        Recipe.read(tmp_path / "nowhere.toml")
