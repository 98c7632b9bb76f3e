"""The recipes: each can be read, and the commands of their README run from the corpus to the scores."""

import gzip
import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from tests import tiny
from tests.command_line import CommandLine
from utterly.cli import app
from utterly.recipe import Recipe

RECIPES = Path(__file__).parent.parent.parent / "recipes"
README = (RECIPES / "README.md").read_text(encoding="utf-8")
COMMANDS = [
    line.strip()
    for block in re.findall(r"^ *```console\n(.*?)^ *```$", README, re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
]


def rows() -> list[dict[str, object]]:
    """The tiny labels as CANARD has them."""
    return [
        {
            "History": [turn.text for turn in d.context],
            "Question": d.source.text,
            "Rewrite": d.target.text,
            "title_guess": "x",
        }
        for d in (each.script.dialogue for each in tiny.labels())
        if d.target
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A place like the root of the repository, with a tiny corpus and a tiny encoder by the names that recipes use."""
    (tmp_path / "recipes").symlink_to(RECIPES)
    corpus = tmp_path / "data" / "canard"
    corpus.mkdir(parents=True)
    lines = "".join(json.dumps(row) + "\n" for row in rows())
    for name in ("train", "test"):
        (corpus / f"{name}.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    (corpus / "dev.json.gz").write_bytes(
        gzip.compress(
            json.dumps([{"QuAC_dialog_id": f"d{i}", "Question_no": 1, **r} for i, r in enumerate(rows())]).encode()
        )
    )
    tiny.save_encoder(tmp_path / "encoders" / "gte-small", positions=512)
    return tmp_path


@pytest.mark.parametrize("path", sorted(RECIPES.glob("*.toml")), ids=lambda path: path.name)
def test_a_recipe_can_be_read_and_is_named_for_what_it_trains(path: Path) -> None:
    recipe = Recipe.read(path)
    corpus, kind, encoder = path.stem.split("-", 2)
    assert (recipe.tagger.kind, recipe.tagger.encoder) == (kind, f"encoders/{encoder}")
    assert recipe.out == f"runs/{corpus}/{kind}-{encoder}"
    assert recipe.data.train == (f"runs/{corpus}/train.{kind}.jsonl.gz",)
    assert f"`{path.name}`" in README


def test_the_files_that_recipes_read_are_made_by_the_commands() -> None:
    made = {word for command in COMMANDS for word in shlex.split(command)}
    for path in RECIPES.glob("*.toml"):
        data = Recipe.read(path).data
        assert {*data.train, data.dev, data.book} <= made


def test_every_step_is_there() -> None:
    steps = [command.split()[1] for command in COMMANDS if command.startswith("utterly")]
    assert list(dict.fromkeys(steps)) == "convert label rules restrict train calibrate predict evaluate".split()
    assert {*steps} <= {
        command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands
    }


def test_the_commands_run_from_the_corpus_to_the_scores(
    utterly: CommandLine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("DATA", str(folder / "data"))
    monkeypatch.setenv("UTTERLY_CACHE", str(folder / "cache"))
    out = ""
    for command in COMMANDS:
        program, *arguments = shlex.split(os.path.expandvars(command.replace("--jobs 2", "--jobs 1")))
        if program == "utterly":
            status, out, error = utterly(*arguments)
            assert (status, error) == (0, ""), command
        else:
            subprocess.run(command, shell=True, check=True)  # noqa: S602 - as a reader would
    assert "BLEU-4" in out
    assert (folder / "runs" / "canard" / "hct-gte-small" / "model" / "model.safetensors").exists()
