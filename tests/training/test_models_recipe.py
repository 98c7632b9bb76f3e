"""`make model-en` and `make model-zh`: every file that a recipe learns from is made, and a tiny model is made whole."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import onnx
import pytest

from tests import tiny
from tests.training.test_recipes import DIALOGUES, RECIPES, lines, save, save_canard, save_rewrite
from utterly.model.folder import ModelFolder
from utterly.rewriter import Rewriter
from utterly.training.recipe import read_variants

UTTERLY = f"{sys.executable} -c 'from utterly.cli.app import main; main()'"
ENCODERS = {"en": ("mpnet-base",), "zh": ("roformer-small-zh", "bert-base-zh")}
MORE = "qrecc_sample task_train cast2019 cast2020 ikat2023_train followup_train pacific_validation".split()
AUTHORED_CHAT = (
    "===\nU: who is anna ?\nA: a singer .\n? pronoun | where was she born ? | where was anna born ?\n? stay | thanks\n"
)

pytestmark = pytest.mark.skipif(not shutil.which("make"), reason="needs make")


class Workshop:
    """A place like the root of the repository, with tiny corpora and encoders."""

    def __init__(self, folder: Path) -> None:
        self.folder, data = folder, folder / "data"
        for name in ("recipes", "benchmarks", "tests"):
            (folder / name).symlink_to(RECIPES.parent / name)
        save_canard(data / "canard")
        save(data / "canard/train.jsonl.gz", lines(_canard_train()))
        save_rewrite(data / "rewrite")
        rows = lines({"history": turns, "utterance": said, "rewrite": meant} for turns, said, meant in DIALOGUES[:4])
        for name in (*(f"more/{each}" for each in MORE), "more/restoration200k_valid", "wild/qrecc_human"):
            save(data / f"{name}.jsonl.gz", rows)
        for name in ("cast2021", "ikat2023_test"):
            save(data / f"wild/{name}.jsonl.gz", rows)
        save(data / "wild/mtrag_dev.jsonl.gz", rows.replace('"rewrite"', '"llm_rewrite"'))
        save(data / "wild/coqar_sample.jsonl.gz", re.sub(r'"rewrite": ("[^"]*")', r'"rewrites": [\1]', rows))
        save(
            data / "wild/mtrag_un.jsonl.gz",
            lines([{"id": "a", "history": ["who is anna ?", "a singer ."], "utterance": "why ?"}]),
        )
        passage = {"id": "p", "domain": "clapnq", "title": "", "text": "anna is a singer in paris ."}
        save(data / "wild/mtrag_pool.jsonl.gz", lines([passage]))
        asked = {"q": "who is the singer anna ?", "r": "who is the singer anna ?", "passage": "p", "words": 6}
        again = {"q": "where was she born ?", "r": "where was anna born ?", "logp": -0.1}
        save(folder / "written.jsonl.gz", lines([{"turns": [asked | {"logp": 0.0}, again]}]))
        save(folder / "rewritten.jsonl.gz", lines([{"id": "a@2", "rewrite": "why is anna ?"}]))
        for language in ENCODERS:
            path = folder / "authored" / language / "chats.txt"
            path.parent.mkdir(parents=True)
            path.write_text(3 * AUTHORED_CHAT, encoding="utf-8")
        for name in (name for names in ENCODERS.values() for name in names):
            tiny.save_encoder(folder / "some encoders" / name, positions=512, feed_forward=2048)

    def make(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        settings = {
            "PYTHON": sys.executable,
            "UTTERLY": UTTERLY,
            "DEVICE": "cpu",
            "JOBS": "1",
            "DATA": "data",
            "ENCODERS": "some encoders",
            "SMALLER": "2000",
            "AUTHORED": "authored",
            "WRITTEN": "written.jsonl.gz",
            "REWRITTEN": "rewritten.jsonl.gz",
        }
        command = [
            "make",
            "-f",
            "recipes/models.mk",
            *(f"{name}={each}" for name, each in settings.items()),
            *arguments,
        ]
        alone = os.environ | {"OMP_NUM_THREADS": "1"}  # threads of two jobs would wait for each other
        return subprocess.run(command, cwd=self.folder, env=alone, capture_output=True, text=True, check=False)


def _canard_train() -> Iterator[dict[str, object]]:
    """The tiny dialogues from their first question on, with ids."""
    for number, ((first, *rest), said, meant) in enumerate(DIALOGUES):
        row: dict[str, object] = {"QuAC_dialog_id": f"t{number}", "title_guess": "x"}
        yield row | {"Question_no": 1, "History": [], "Question": first, "Rewrite": first}
        yield row | {"Question_no": 2, "History": [first, *rest], "Question": said, "Rewrite": meant}


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return Workshop(tmp_path_factory.mktemp("workshop"))


@pytest.mark.parametrize("language", sorted(ENCODERS))
def test_every_file_that_the_recipe_learns_from_is_made(workshop: Workshop, language: str) -> None:
    shown = workshop.make("-n", f"model-{language}")
    assert shown.returncode == 0, shown.stderr
    for name, (_, recipe) in read_variants(RECIPES / f"bundled-{language}.toml").items():
        for path in (*recipe.data.train, recipe.data.dev):
            assert path in shown.stdout.split(), path
        assert f"train recipes/bundled-{language}.toml{f' --variant {name}' if name else ''}\n" in shown.stdout
    steps = [shown.stdout.index(f" {step} ") for step in ("train", "calibrate", "export", "evaluate")]
    assert steps == sorted(steps)


def test_without_data_it_says_what_to_give(workshop: Workshop) -> None:
    failed = workshop.make("model-en", "DATA=")
    assert failed.returncode
    assert "DATA must name the folder of the corpora" in failed.stderr


def test_an_english_model_is_made_from_corpora_and_an_encoder_and_made_again_if_they_change(workshop: Workshop) -> None:
    done = workshop.make("-j2", "model-en")
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    exported = workshop.folder / "runs/bundled/en/exported"
    (scores,) = ModelFolder.find(exported).config.notes["scores"].values()
    card = (exported / "README.md").read_text(encoding="utf-8")
    assert f"| {scores['BLEU-4']:.2f} | {scores['EM']:.2f} |" in card
    assert f"| {3 * len(DIALOGUES)} | CC BY-SA 4.0 |" in card
    ModelFolder.find(exported).check_files()
    assert Rewriter.load(exported).rewrite(["who is anna ?", "a singer .", "where was she born ?"]).text
    final = ModelFolder.find(workshop.folder / "runs/bundled/en/final").config
    taught = [f"runs/bundled/en/{name}model" for name in ("", "taught/", "taught-again/")]
    assert final.notes["recipe"]["tagger"]["teachers"] == taught
    assert final.encoder["intermediate_size"] == 1536
    exported_weights = onnx.load(exported / "tagger.onnx").graph.initializer
    assert any(each.data_type == onnx.TensorProto.UINT16 for each in exported_weights)  # four weights of 4 bits

    assert "Nothing to be done" in workshop.make("model-en").stdout
    (workshop.folder / "runs/bundled/en/data/more.jsonl").touch()
    again = workshop.make("-n", "model-en").stdout
    assert "label runs/bundled/en/data/more.jsonl" in again
    assert "label runs/bundled/en/data/chats.jsonl" not in again
    assert "--variant taught\n" in again
    assert "--variant further\n" in again
