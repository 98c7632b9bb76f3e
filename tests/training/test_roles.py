"""Training a role labeller: what it reads, what it learns, and how its own F1 is counted."""

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from tests import tiny
from tests.command_line import CommandLine, write_rows
from utterly.errors import FileError, RecipeError, TrainingError
from utterly.metrics.roles import Argument
from utterly.networks.roles import Frame, RoleSpan, RoleTagger
from utterly.training.recipe import Recipe
from utterly.training.roles import Sentence, read_sentences, role_scores, train


def sentence(name: str, town: str) -> dict[str, Any]:
    """`was` has two arguments of one word; `born` one of one, one of two."""
    return {
        "words": ["he", "was", name, "born", "in", town],
        "props": [
            {"pred": [1], "col": ["(ARG0*)", "(V*)", "(ARG1*)", "*", "*", "*"]},
            {"pred": [3], "col": ["*", "*", "(ARG1*)", "(V*)", "(ARGM-LOC*", "*)"]},
        ],
    }


def recipe(folder: Path, encoder: Path, rows: Sequence[object] | None = None, **data: str) -> Recipe:
    known = [sentence(name, town) for name in tiny.NAMES for town in tiny.TOWNS] if rows is None else list(rows)
    path = str(write_rows(folder / "ewt_test.jsonl", known))
    return Recipe.from_dict(
        {
            "out": str(folder / "run"),
            "data": {"train": [path], "dev": path, "book": "", **data},
            "tagger": {"kind": "roles", "encoder": str(encoder), "max_length": 32},
            "training": {"epochs": 25, "patience": 25, "batch_size": 6, "learning_rate": 3e-3, "device": "cpu"},
        }
    )


def test_a_sentence_is_its_words_and_the_arguments_of_each_predicate(tmp_path: Path) -> None:
    column = ["(R-ARG0*)", "(V*)", "(C-V*)", "*", "(ARGM-TMP*", "*", "*)"]
    path = write_rows(tmp_path / "rows.jsonl", [{"words": list("abcdefg"), "props": [{"pred": [1], "col": column}]}])
    assert list(read_sentences(path)) == [
        Sentence(list("abcdefg"), [Frame(1, (RoleSpan("R-ARG0", 0, 1), RoleSpan("ARGM-TMP", 4, 7)))])
    ]


@pytest.mark.parametrize("row", ["[1]", "{", {"words": ["a"]}, {"words": ["a"], "props": [{"pred": [], "col": []}]}])
def test_a_line_that_is_no_sentence_is_named(row: object, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", [sentence("anna", "rome"), row])
    with pytest.raises(FileError, match=r"rows.jsonl, line 2: a sentence must have 'words', and 'props'"):
        list(read_sentences(path))


def test_it_learns_predicates_and_arguments_and_is_measured_on_test(encoder_folder: Path, tmp_path: Path) -> None:
    given = recipe(tmp_path, encoder_folder)
    events: list[dict[str, Any]] = []
    train(replace(given, data=replace(given.data, test=given.data.dev)), report=events.append)
    log = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    assert events == log
    assert max(event["dev_roles"] for event in log) == 100
    labeller = RoleTagger.load(tmp_path / "run" / "model")
    assert labeller.version == "role tagger (F1 100.00 on ewt_test)"
    assert labeller.arguments(["He was Anna born in Oslo"]) == [
        [
            Argument("was", "ARG0", "He"),
            Argument("was", "ARG1", "Anna"),
            Argument("born", "ARG1", "Anna"),
            Argument("born", "ARGM-LOC", "in Oslo"),
        ]
    ]


def test_f1_counts_arguments_and_predicates_that_are_right() -> None:
    a, b = RoleSpan("ARG0", 0, 1), RoleSpan("ARG1", 2, 3)
    gold = [Sentence(list("wxyz"), [Frame(1, (a, b)), Frame(3, (a,))]), Sentence(list("w"), [])]
    found = [[Frame(1, (a, b._replace(stop=4)))], [Frame(0, (a,))]]
    # 1 of 3 found arguments is among the 3 wanted, 1 of 2 found predicates among the 2 wanted
    assert role_scores(Mock(frames=Mock(return_value=found)), gold) == {"roles": 2 / 6, "predicates": 2 / 4}


def test_training_needs_arguments_and_dev(encoder_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="got 0 roles and 1 sentences; check data"):
        train(recipe(tmp_path, encoder_folder, [{"words": ["oh"], "props": []}]))


def test_a_recipe_says_what_a_labeller_starts_from_and_only_a_labeller_has_a_test(tmp_path: Path) -> None:
    table = recipe(tmp_path, tmp_path, test="t").to_dict()
    with pytest.raises(RecipeError, match="a role labeller starts from a bare encoder"):
        Recipe.from_dict(table | {"tagger": {"kind": "roles", "start_from": "en"}})
    with pytest.raises(RecipeError, match=r"data\.test is for a role labeller only, but the tagger is 'hct'"):
        Recipe.from_dict(table | {"tagger": {"kind": "hct", "encoder": "e"}})


def test_without_a_labeller_the_command_says_how_to_make_one(utterly: CommandLine, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", [{"utterance": "he?", "rewrite": "Anna?"}])
    files = ["--predictions", path, "--references", path, "--field", "utterance"]
    status, out, error = utterly("evaluate", *files, "--roles", "nowhere")
    how = "train a role labeller with: utterly train recipes/roles.toml"
    assert (status, out) == (2, "")
    assert error == f"error: nowhere: there is no such folder; none is bundled, {how}\n"


def test_without_torch_the_command_names_the_extra(
    utterly: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    path = write_rows(tmp_path / "rows.jsonl", [{"utterance": "he?", "rewrite": "Anna?"}])
    status, _, error = utterly("evaluate", "--predictions", path, "--references", path, "--roles", tmp_path)
    assert status == 2
    assert "pip install 'utterly[train]'" in error


def test_the_commands_train_a_labeller_and_score_with_it(
    utterly: CommandLine, encoder_folder: Path, tmp_path: Path
) -> None:
    given = recipe(tmp_path, encoder_folder)
    toml = tmp_path / "roles.toml"
    toml.write_text(
        f"out = {given.out!r}\n[data]\ntrain = {list(given.data.train)!r}\ndev = {given.data.dev!r}\nbook = ''\n"
        f"[tagger]\nkind = 'roles'\nencoder = '{encoder_folder}'\nmax_length = 32\n"
        "[training]\nepochs = 1\nlearning_rate = 5e-3\n"
    )
    status, out, error = utterly("train", toml)
    assert (status, error) == (0, "")
    assert ", dev F1 of roles " in out
    rows = [{"id": "a", "utterance": "he?", "rewrite": "He was Anna born in Rome?"}]
    path = write_rows(tmp_path / "rows.jsonl", rows)
    files = ["--predictions", path, "--references", path, "--field", "utterance", "--roles", f"{given.out}/model"]
    status, out, error = utterly("evaluate", *files)
    assert (status, error) == (0, "")
    assert "roles-P/R/F: mode:roles|words:role tagger (F1 not measured)|case:lower|n:1" in out
    status, _, error = utterly("evaluate", *files, "--language", "zh")
    assert (status, error.count("\n")) == (2, 1)
    assert "the language of the texts, zh, but this labeller reads en" in error
    scores = json.loads(utterly("evaluate", *files, "--json").out)["report"]["overall"]
    assert {"roles-P", "roles-R", "roles-F"} < {*scores}
