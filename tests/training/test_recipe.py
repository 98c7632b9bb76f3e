"""Recipes: every setting is known, of its type, and in its range."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from utterly.errors import RecipeError
from utterly.labels.labels import TAGGER_LABELS
from utterly.model.settings import DecodeSettings
from utterly.training.recipe import PRECISIONS, Recipe, TrainingSettings, read_variants

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
        ({"decode": {"temperature": 0.0}}, "decode.temperature must be above 0, got 0.0"),
        ({"data": {"train": ["a"]}}, "data is missing: dev, book"),
        ({"data": DATA | {"train": "a"}}, "data.train must be a list of strings, got 'a'"),
        ({"data": DATA | {"train": []}}, "data.train must name at least one label file, got none"),
        ({"data": DATA | {"taught": ["c"]}}, "data.taught must be a subset of data.train, but c is not in it"),
        ({"training": {"epochs": 2.5}}, "training.epochs must be int, got 2.5"),
        ({"training": {"epochs": True}}, "training.epochs must be int, got True"),
        ({"training": {"epochs": 0}}, "epochs must be at least 1, got 0"),
        ({"training": {"min_epochs": 5}}, "min_epochs must be from 0 to epochs, which is 4, got 5"),
        ({"training": {"warmup_epochs": 4}}, "warmup_epochs must be at least 0 and below epochs, which is 4, got 4.0"),
        ({"training": {"reward_weight": 2}}, "reward_weight must be between 0 and 1, got 2.0"),
        ({"training": {"agreement_weight": -1}}, "agreement_weight must be at least 0, got -1.0"),
        ({"training": {"precision": "int8"}}, f"must be one of {', '.join(map(repr, PRECISIONS))}, got 'int8'"),
        ({"training": {"device": "tpu"}}, "device must be one of '', 'cpu', 'cuda', got 'tpu'"),
        ({"training": {"reward_scaling": "z"}}, "reward_scaling must be one of 'common', 'literal', got 'z'"),
        ({"training": {"weight_bits": 5}}, "weight_bits must be one of 0, 4, 8, got 5"),
        ({"tagger": {"encoder": "e", "feed_forward": -1}}, "tagger.feed_forward must be at least 0, got -1"),
        (
            {"tagger": {"encoder": "e", "kind": "run", "feed_forward": 9}},
            f"tagger.feed_forward is for {', '.join(TAGGER_LABELS)} only, but the kind is 'run'",
        ),
        ({"training": 3}, "training must be a table, got 3"),
        (
            {"tagger": {"encoder": "e", "kind": "t5"}},
            f"no tagger called 't5'; known taggers: {', '.join(TAGGER_LABELS)}, pro-sub, ptr-gen, run",
        ),
        ({"tagger": {}}, "set tagger.encoder, or tagger.start_from to continue from a trained tagger"),
        ({"decode": {"beam": "wide"}}, "decode.beam must be int, got 'wide'"),
        ({"out": None}, "out must be str, got None"),
    ],
)
def test_a_wrong_setting_is_refused(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(RecipeError) as refused:
        Recipe.from_dict(WHOLE | changes)
    assert problem in str(refused.value)


def test_a_file_that_is_no_recipe_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    for content, problem in ((b"out = ", "a recipe must be TOML: "), (b"\xff", "a recipe must be TOML: ")):
        path.write_bytes(content)
        with pytest.raises(RecipeError, match=problem):
            Recipe.read(path)
    path.write_text("tagger = {}")
    with pytest.raises(RecipeError, match=f"^{path}: the recipe is missing: out, data$"):
        Recipe.read(path)
    with pytest.raises(RecipeError, match=r"nowhere.toml: cannot read the recipe: No such file or directory"):
        Recipe.read(tmp_path / "nowhere.toml")


OWN = """
about = "small"
out = "runs/one"
data = { train = ["a.jsonl"], dev = "dev.jsonl", book = "rules.json" }
tagger.encoder = "encoders/small"
training = { epochs = 2, seed = 7 }
"""
VARIANTS = """
[variants.rdrop]
about = "R-Drop"
training.agreement_weight = 0.5

[variants.rdrop-long]
extends = "rdrop"
training = { epochs = 9 }
data.train = ["a.jsonl", "b.jsonl"]
decode.beam = 3

[variants.elsewhere]
out = "runs/two"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "recipe.toml"
    path.write_text(OWN + VARIANTS)
    return path


def test_a_variant_overrides_some_settings_and_keeps_the_others(file: Path) -> None:
    own, rdrop, longer = (Recipe.read(file, name) for name in ("", "rdrop", "rdrop-long"))
    assert rdrop == replace(
        own, out="runs/one/rdrop", training=TrainingSettings(epochs=2, seed=7, agreement_weight=0.5)
    )
    assert longer == replace(
        own,
        out="runs/one/rdrop-long",
        data=replace(own.data, train=("a.jsonl", "b.jsonl")),
        training=TrainingSettings(epochs=9, seed=7, agreement_weight=0.5),
        decode=DecodeSettings(beam=3),
    )
    assert Recipe.read(file, "elsewhere") == replace(own, out="runs/two")


def test_another_seed_is_kept_in_a_folder_of_its_own(file: Path) -> None:
    own = Recipe.read(file, "rdrop")
    other = Recipe.read(file, "rdrop", own.training.seed + 1)
    assert other == replace(
        own, out=f"{own.out}/seed-{own.training.seed + 1}", training=replace(own.training, seed=own.training.seed + 1)
    )
    assert Recipe.read(file, "rdrop", own.training.seed) == own


def test_variants_are_listed_in_order_with_what_they_are_about(file: Path) -> None:
    listed = {name: about for name, (about, _) in read_variants(file).items()}
    assert listed == {"": "small", "rdrop": "R-Drop", "rdrop-long": "", "elsewhere": ""}
    assert list(listed) == ["", "rdrop", "rdrop-long", "elsewhere"]


@pytest.mark.parametrize(
    ("variants", "problem"),
    [
        ("[variants.a.training]\nlr = 1", "a: training has no setting 'lr'; it has: seed, epochs"),
        ("[variants.a]\nbatch = 1", "a: the recipe has no setting 'batch'; it has: out, data"),
        ("[variants.a.training]\nepochs = 0", "a: epochs must be at least 1, got 0"),
        ("[variants]\na = 3", "a: a variant must be a table, got 3"),
        ("[variants.a]\nextends = 'c'\n[variants.b]", "a: extends must name a variant, got 'c'; known variants: a, b"),
        (
            "[variants.a]\nextends = 'b'\n[variants.b]\nextends = 'a'",
            "a: a variant must not extend itself, got a -> b -> a",
        ),
        ("[variants.a]\nextends = ['b']\n[variants.b]", "a: extends must name a variant, got ['b']"),
        ("[variants.a]\nabout = 3", "a: about must be str, got 3"),
        ("[variants.a]\nout = 3", "a: out must be str, got 3"),
    ],
)
def test_a_mistake_in_any_variant_is_refused(tmp_path: Path, variants: str, problem: str) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text(OWN + variants)
    with pytest.raises(RecipeError) as refused:
        Recipe.read(path)
    assert str(refused.value).startswith(f"{path}, variant {problem}")


def test_variants_must_be_a_table(tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text(f"variants = 3\n{OWN}")
    with pytest.raises(RecipeError, match=f"^{path}: variants must be a table, got 3$"):
        Recipe.read(path)


def test_an_unknown_variant_is_refused_with_those_there_are(file: Path, tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"has no variant 'mst'; its variants: rdrop, rdrop-long, elsewhere$"):
        Recipe.read(file, "mst")
    plain = tmp_path / "plain.toml"
    plain.write_text(OWN)
    with pytest.raises(RecipeError, match=r"plain.toml has no variant 'mst'; its variants: none$"):
        Recipe.read(plain, "mst")
