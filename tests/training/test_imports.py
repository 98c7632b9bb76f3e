"""What training may import: it starts without the packages of the other extras and of the command line."""

import subprocess
import sys
from pathlib import Path

from tests.training.recipes import tiny_toml

WITHOUT = """
import sys
from importlib.machinery import PathFinder

class Absent(PathFinder):
    # As on a machine without them: imports fail, and whoever only asks for them is told they are not there.
    NAMES = "sklearn spacy jieba typer rich onnxruntime sacrebleu matplotlib pandas".split()

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.split(".")[0] in cls.NAMES else PathFinder.find_spec(name, path, target)

sys.meta_path[sys.meta_path.index(PathFinder)] = Absent
"""


def run(program: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-c", WITHOUT + program], capture_output=True, text=True, check=False)


def test_training_runs_without_the_packages_of_other_extras_and_of_the_command_line(
    encoder_folder: Path, tmp_path: Path
) -> None:
    toml = tiny_toml(tmp_path, encoder_folder, epochs=1)
    result = run(f"from utterly.training.__main__ import main; sys.exit(main([{str(toml)!r}]))")
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("examples=24 too_long=0 inexact=0 dev=24\nepoch=1 step=3 steps=3")
    assert "error" not in result.stderr


def test_an_error_is_one_line_and_a_status() -> None:
    result = run("from utterly.training.__main__ import main; sys.exit(main(['nowhere.toml']))")
    assert result.returncode == 2
    assert result.stderr == "error: nowhere.toml: cannot read the recipe: No such file or directory\n"
    for arguments in ([], ["recipe.toml", "", "first"], ["recipe.toml", "", "1", "2"]):
        result = run(f"from utterly.training.__main__ import main; sys.exit(main({arguments}))")
        assert result.returncode == 2
        assert result.stderr == "usage: python -m utterly.training RECIPE.toml [VARIANT [SEED]]\n"
