"""The package as users import it: its names, its weight, its version."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import utterly

ROOT = Path(__file__).parent.parent


def test_every_exported_name_is_there_and_the_list_is_sorted() -> None:
    assert [name for name in utterly.__all__ if not hasattr(utterly, name)] == []
    assert list(utterly.__all__) == sorted(utterly.__all__)


def test_every_error_is_exported_and_of_the_family() -> None:
    from utterly import errors

    family = {name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, Exception)}
    assert family <= set(utterly.__all__)
    assert all(issubclass(getattr(errors, name), utterly.UtterlyError) for name in family)


def test_importing_it_brings_in_nothing_beyond_the_standard_library() -> None:
    program = (
        "import sys; before = set(sys.modules); import utterly;"
        "new = {name.split('.')[0] for name in set(sys.modules) - before} - {'utterly'};"
        "sys.exit(', '.join(sorted(new - set(sys.stdlib_module_names))))"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert result.stderr.strip() == ""


def test_what_rewrites_is_imported_when_asked_for_and_runs_nothing_yet() -> None:
    program = (
        "import sys, utterly; utterly.Rewriter, utterly.Rewrite; from utterly import Rewriter;"
        "sys.exit(', '.join(sorted({'onnxruntime', 'torch', 'transformers', 'onnx'} & set(sys.modules))))"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert result.stderr.strip() == ""


def test_a_name_that_is_not_there_is_refused_as_in_every_module() -> None:
    with pytest.raises(AttributeError, match="module 'utterly' has no attribute 'Paraphraser'"):
        _ = utterly.Paraphraser
    assert set(utterly.__all__) <= set(dir(utterly))


def test_the_version_is_the_same_wherever_it_is_written() -> None:
    assert utterly.__version__ == version("utterly")
    assert f"\nversion: {utterly.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"\n## [{utterly.__version__}]" in (ROOT / "CHANGELOG.md").read_text()
