"""The recipes: each can be read, and the commands of their README run from the corpus to the scores."""

import gzip
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from accelerate.state import AcceleratorState

from tests import tiny
from tests.command_line import CommandLine
from utterly.baselines import BASELINES
from utterly.cli.app import app
from utterly.dialogues.corpora.rewrite_zh import REWRITE_SPLITS
from utterly.labels.labels import TAGGER_LABELS
from utterly.model.settings import DecodeSettings
from utterly.training.recipe import ROLES, Recipe, read_variants

RECIPES = Path(__file__).parent.parent.parent / "recipes"
README = (RECIPES / "README.md").read_text(encoding="utf-8")
FILES = sorted(RECIPES.glob("*.toml"))
RECIPES_BY_OUT = {recipe.out: recipe for path in FILES for _, recipe in read_variants(path).values()}
AVERAGED = set(re.findall(r"^python recipes/average.py (\S+)", README, re.MULTILINE))
DIALOGUES = [
    ([turn.text for turn in d.context], d.source.text, d.target.text)
    for d in (each.script.dialogue for each in tiny.labels())
    if d.target
]
COMMANDS = [
    line.strip()
    for block in re.findall(r"^ *```console\n(.*?)^ *```$", README, re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
]


def trained(command: str) -> Recipe:
    """The recipe that `utterly train RECIPE [--variant NAME]` trains."""
    _, _, path, *variant = shlex.split(command)
    return Recipe.read(RECIPES.parent / path, "".join(variant[1:]))


def save(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()))


def lines(rows: Iterable[Mapping[str, object]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def save_canard(folder: Path) -> None:
    """The tiny dialogues as CANARD has them."""
    rows: list[dict[str, object]] = [
        {"History": turns, "Question": source, "Rewrite": target, "title_guess": "x"}
        for turns, source, target in DIALOGUES
    ]
    for name in ("train", "test"):
        save(folder / f"{name}.jsonl.gz", lines(rows))
    dev = [{"QuAC_dialog_id": f"d{i}", "Question_no": 1, **row} for i, row in enumerate(rows)]
    save(folder / "dev.json.gz", json.dumps(dev))


def save_rewrite(folder: Path) -> None:
    """The tiny dialogues as REWRITE has them."""
    save(folder / "corpus.txt.gz", "".join("\t\t".join([*t, *rest]) + "\n" for t, *rest in DIALOGUES))


def save_mudoco(folder: Path) -> None:
    """The tiny dialogues as we have MuDoCo's, all of them calls."""
    for name in ("dev", "test", "train_news_weather"):
        rows = (
            {"id": f"{name}-{i}-turn2", "domain": "calling", "history": turns, "utterance": source, "rewrite": target}
            for i, (turns, source, target) in enumerate(DIALOGUES)
        )
        save(folder / f"{name}.jsonl.gz", lines(rows))


def save_roles(folder: Path) -> None:
    """A sentence whose verb has two arguments."""
    verb = {"pred": [1], "col": ["(ARG0*)", "(V*)", "(ARG1*", "*)"]}
    for name in ("train", "dev", "test"):
        save(folder / f"ewt_{name}.jsonl.gz", lines([{"words": "who is a singer".split(), "props": [verb]}]))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A place like the root of the repository, with tiny corpora and tiny encoders by the names that recipes use."""
    (tmp_path / "recipes").symlink_to(RECIPES)
    save_canard(tmp_path / "data" / "canard")
    save_rewrite(tmp_path / "data" / "rewrite")
    save_mudoco(tmp_path / "data" / "mudoco")
    save_roles(tmp_path / "data" / "syntax")
    for name in ("gte-small", "bert-base-zh"):
        tiny.save_encoder(tmp_path / "encoders" / name, positions=512)
    return tmp_path


def test_there_are_at_most_a_dozen_recipes_each_named_in_the_readme() -> None:
    assert FILES
    assert len(FILES) <= 12
    assert not [path.name for path in FILES if f"`{path.name}`" not in README]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_variants_are_kept_apart_and_named_for_their_tagger(path: Path) -> None:
    variants = read_variants(path)
    assert len({recipe.out for _, recipe in variants.values()}) == len(variants)
    for name, (_, recipe) in variants.items():
        usual = path.stem if path.stem == ROLES else "hct"
        named = [kind for kind in (*TAGGER_LABELS, *BASELINES) if re.search(rf"\b{kind}\b", name)]
        assert [recipe.tagger.kind] == (named or [usual])
        on_encoder = name not in BASELINES
        assert (bool(recipe.tagger.encoder) != bool(recipe.tagger.start_from)) == on_encoder, name


@pytest.mark.parametrize(("corpus", "rate"), [("canard", 1e-5), ("mudoco", 1e-5), ("rewrite", 2e-5)])
def test_the_papers_own_settings_are_those_of_the_paper(corpus: str, rate: float) -> None:
    variants = {name: each.recipe for name, each in read_variants(RECIPES / f"{corpus}.toml").items()}
    paper = variants["paper"]
    training = paper.training
    assert (training.learning_rate, training.head_rate_factor, training.batch_size) == (rate, 1, 16)
    assert (training.min_epochs, training.patience, training.warmup_epochs) == (15, 3, 3)
    assert (training.reward_weight, training.reward_scaling, training.reward_from_epoch) == (0.5, "literal", 0)
    assert (training.agreement_weight, paper.tagger.teachers, paper.data.exact_only) == (0, (), False)
    assert paper.tagger.max_length == (144 if corpus == "rewrite" else 360)
    assert paper.decode == DecodeSettings(argmax=True)
    assert paper.data.literal
    for name in ("paper-mst", "paper-rast"):
        assert replace(variants[name], out=paper.out, tagger=paper.tagger) == paper
    for name in ("paper", "paper-mst"):
        without = replace(variants[name].training, reward_weight=0.0)
        assert variants[f"{name}-no-rewards"].training == without


def test_models_that_recipes_start_from_or_learn_from_are_made_by_recipes() -> None:
    made = {f"{recipe.out}/model" for recipe in RECIPES_BY_OUT.values()} | AVERAGED
    for recipe in RECIPES_BY_OUT.values():
        assert {recipe.tagger.start_from, *recipe.tagger.teachers} - {"", "en", "zh"} <= made, recipe.out


def test_the_files_that_the_commands_train_on_are_made_by_the_commands() -> None:
    made = {word for command in COMMANDS for word in shlex.split(command)}
    for command in COMMANDS:
        if command.startswith("utterly train "):
            data = trained(command).data
            names = {*data.train, data.dev, data.book, data.test} - {""}
            assert names <= made or {f"$DATA/syntax/{Path(name).name}" for name in names} <= made


def test_the_commands_shown_name_recipes_and_variants_there_are() -> None:
    shown = re.findall(r"^ *utterly train (?!.*--list-variants).*$", README, re.MULTILINE)
    assert len(shown) >= 10
    for command in shown:
        trained(command.partition("#")[0])


def test_every_step_is_there() -> None:
    steps = [command.split()[1] for command in COMMANDS if command.startswith("utterly")]
    assert list(dict.fromkeys(steps)) == "convert label rules train calibrate rewrite evaluate".split()
    assert {*steps} <= {
        command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands
    }


def test_the_commands_run_from_the_corpus_to_the_scores(
    utterly: CommandLine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("DATA", str(folder / "data"))
    half = len(DIALOGUES) // 2 + 1
    for name, part in zip(("train", "dev", "test"), (range(1, half), *2 * [range(half, 99)]), strict=True):
        monkeypatch.setitem(REWRITE_SPLITS, name, part)
    for command in COMMANDS:
        program, *arguments = shlex.split(os.path.expandvars(command.replace("--jobs 2", "--jobs 1")))
        if program == "utterly":
            AcceleratorState._reset_state()  # each command is a process of its own
            status, out, error = utterly(*arguments)
            assert (status, error) == (0, ""), command
            assert arguments[0] != "evaluate" or "BLEU-4" in out, command
        elif program == "python":
            subprocess.run([sys.executable, *arguments], check=True)
        else:
            subprocess.run(command, shell=True, check=True)  # noqa: S602 - as a reader would
    for command in COMMANDS:
        if command.startswith("utterly train "):
            assert (folder / trained(command).out / "model" / "model.safetensors").exists(), command
