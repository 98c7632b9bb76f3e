"""Pro-Sub: what it replaces, by what; and that it trains, loads and rewrites like any model."""

import json
from pathlib import Path

import pytest

from tests.command_line import CommandLine, write_rows
from utterly import Rewriter
from utterly.baselines.pro_sub import ProSub
from utterly.dialogues.dialogue import Dialogue
from utterly.model.model import ModelConfig

TITLED = ProSub(ModelConfig(tagger="pro-sub", topic_turns=2))
UNTITLED = ProSub(ModelConfig(tagger="pro-sub", topic_turns=0))


def rewritten(model: ProSub, *turns: str) -> str:
    (found,) = model.scripts(Dialogue.of(turns))
    return found.script.apply()


@pytest.mark.parametrize(
    ("turn", "rewrite"),
    [
        ("Did she win?", "Did Mira Oduya win?"),
        ("Was his bridge tall?", "Was Mira Oduya's bridge tall?"),
        ("Was her bridge tall?", "Was Mira Oduya's bridge tall?"),
        ("Who married her?", "Who married Mira Oduya?"),
        ("Who saw her in Oslo?", "Who saw Mira Oduya in Oslo?"),
        ("She said it was theirs?", "Mira Oduya said it was theirs?"),
        ("Was this tall?", "Was this tall?"),
        ("Did Ana hurt herself?", "Did Ana hurt herself?"),
        ("Why?", "Why?"),
    ],
)
def test_the_first_pronoun_becomes_the_title(turn: str, rewrite: str) -> None:
    assert rewritten(TITLED, "Mira Oduya", "The glass bridge", turn) == rewrite


@pytest.mark.parametrize(
    ("context", "rewrite"),
    [
        (["Who wrote Dune?", "Frank Herbert did."], "Did Frank Herbert win?"),
        (["Who wrote Dune?", "no idea"], "Did Dune win?"),
        (["The mayor of New York City, I think."], "Did New York City win?"),
        (["who is it?", "It is one of them."], "Did he win?"),
    ],
)
def test_without_titles_the_last_name_stands_in(context: list[str], rewrite: str) -> None:
    assert rewritten(UNTITLED, *context, "Did he win?") == rewrite


def test_without_a_title_or_a_context_the_turn_is_unchanged() -> None:
    assert rewritten(TITLED, "", "Did he win?") == rewritten(UNTITLED, "Did he win?") == "Did he win?"


def test_it_trains_by_a_recipe_and_rewrites_like_any_model(utterly: CommandLine, tmp_path: Path) -> None:
    dev = [
        {"history": ["Mira Oduya"], "utterance": "Did she win?", "rewrite": "Did Mira Oduya win?"},
        {"history": ["Mira Oduya"], "utterance": "Why?", "rewrite": "Why did she win?"},
    ]
    path = write_rows(tmp_path / "dev.jsonl", dev)
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(
        f'out = "{tmp_path}/run"\n[data]\ntrain = ["none"]\ndev = "{path}"\nbook = "none"\n[tagger]\nkind = "pro-sub"\n'
    )
    assert utterly("train", recipe).out == f"the best model is in {tmp_path}/run/model\n"
    assert json.loads((tmp_path / "run" / "log.jsonl").read_text())["dev_em"] == 50
    result = Rewriter.load(tmp_path / "run" / "model").rewrite(["Ines Calder", "Is it far?"])
    assert result.text == "Is Ines Calder far?"
    assert result.confidence == pytest.approx(0.5)  # as often as it was right on dev
    assert 'word 2 "it": delete, insert "Ines Calder" by rule "_" from turn 1' in result.explain()
    out = tmp_path / "out.jsonl"
    assert utterly("rewrite", "--model", tmp_path / "run" / "model", "--input", path, "--output", out).status == 0
    assert utterly("compare", path, out).status == 0


@pytest.mark.parametrize("command", ["export", "calibrate"])
def test_only_taggers_are_exported_and_calibrated(command: str, utterly: CommandLine, tmp_path: Path) -> None:
    TITLED.save(tmp_path / "model")
    other = tmp_path / "other" if command == "export" else write_rows(tmp_path / "held.jsonl", [])
    status, _, error = utterly(command, tmp_path / "model", other)
    assert status == 2
    assert "no tagger called 'pro-sub'; known taggers: hct, mst, rast. A baseline cannot be exported" in error


def test_a_dev_file_without_targets_is_refused(utterly: CommandLine, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "dev.jsonl", [{"history": [], "utterance": "Why?"}])
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(
        f'out = "{tmp_path}/run"\n[data]\ntrain = ["none"]\ndev = "{path}"\nbook = "none"\n[tagger]\nkind = "pro-sub"\n'
    )
    status, _, error = utterly("train", recipe)
    assert status == 2
    assert "dev needs dialogues with a rewrite, got none; check data.dev" in error
