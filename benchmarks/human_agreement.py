"""How well people agree: one human rewrite against another, CANARD's 100 turns with two rewrites each.

`multiple_refs.json` is a list of pairs. The usual figure (BLEU-4 61.6, EM 30) is the second rewrite of each
pair scored against the first in `paper` mode, and blanks left by removed quotes are not words. The other
way round gives 62.3, because BLEU is not symmetric: both are printed.

    python benchmarks/human_agreement.py --data FOLDER    # with canard/multiple_refs.json.gz
"""

import argparse
import json
from pathlib import Path

from utterly.files import opened
from utterly.metrics import Report, human_agreement


def main() -> None:
    parser = argparse.ArgumentParser(description="Score one human rewrite against another.")
    parser.add_argument("--data", type=Path, required=True, help="folder with canard/multiple_refs.json.gz")
    folder: Path = parser.parse_args().data
    with opened(folder / "canard" / "multiple_refs.json.gz") as file:
        rewrites: list[list[str]] = json.load(file)
    show("second against first", human_agreement(rewrites))
    show("first against second", human_agreement([versions[::-1] for versions in rewrites]))


def show(reading: str, report: Report) -> None:
    print(f"{reading}: " + ", ".join(map(str, report.overall.values())))
    print(f"  {report['BLEU-4'].settings}")


if __name__ == "__main__":
    main()
