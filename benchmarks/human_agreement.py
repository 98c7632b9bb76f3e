"""How well two people agree on CANARD: one human rewrite scored against another, for 100 turns with two.

The figure usually cited (BLEU-4 61.6, EM 30) is the second rewrite against the first in `paper` mode. BLEU is not
symmetric, so both directions are printed.

    python -m benchmarks.human_agreement --data FOLDER    # with canard/multiple_refs.json.gz
"""

import argparse
import gzip
import json
from pathlib import Path

from utterly.metrics import human_agreement


def main() -> None:
    parser = argparse.ArgumentParser(description="Score one human rewrite against another.")
    parser.add_argument("--data", type=Path, required=True, help="folder with canard/multiple_refs.json.gz")
    path: Path = parser.parse_args().data / "canard" / "multiple_refs.json.gz"
    rewrites: list[list[str]] = json.loads(gzip.decompress(path.read_bytes()))
    for direction, pairs in (
        ("second against first", rewrites),
        ("first against second", [versions[::-1] for versions in rewrites]),
    ):
        report = human_agreement(pairs)
        print(f"{direction}: " + ", ".join(map(str, report.overall.values())))
    print(report["BLEU-4"].settings)


if __name__ == "__main__":
    main()
