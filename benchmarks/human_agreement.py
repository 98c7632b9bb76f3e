"""How well two people agree on CANARD: one human rewrite scored against another, for 100 turns with two.

The scores usually cited (BLEU-4 61.6, EM 30) are the second rewrite against the first, in `paper` mode. BLEU is not
symmetric, so both directions are printed.

    python -m benchmarks.human_agreement --data FOLDER    # with canard/multiple_refs.json.gz
"""

import argparse
import gzip
import json
from pathlib import Path

from utterly.metrics import evaluate


def main() -> None:
    parser = argparse.ArgumentParser(description="Score one human rewrite against another.")
    parser.add_argument("--data", type=Path, required=True, help="folder with canard/multiple_refs.json.gz")
    path: Path = parser.parse_args().data / "canard" / "multiple_refs.json.gz"
    first, second = zip(*json.loads(gzip.decompress(path.read_bytes())), strict=True)
    for direction, rewrites, references in (
        ("second against first", second, first),
        ("first against second", first, second),
    ):
        report = evaluate(rewrites, references)
        print(f"{direction}: " + ", ".join(map(str, report.overall.values())))
    print(report["BLEU-4"].settings)


if __name__ == "__main__":
    main()
