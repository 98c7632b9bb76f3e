"""Score two made-up systems, one careful and one eager, and test whether they really differ.

The same from a shell:

    utterly compare examples/dialogues.jsonl examples/dialogues.jsonl examples/dialogues.jsonl \\
        --field careful --field-b eager
"""

from pathlib import Path

from utterly.metrics import Predictions, score_files
from utterly.metrics.side_by_side import side_by_side

DIALOGUES = Path(__file__).parent / "dialogues.jsonl"


def main() -> None:
    careful, eager = Predictions(DIALOGUES, "careful"), Predictions(DIALOGUES, "eager")
    scores = score_files(DIALOGUES, careful)
    for name in ("BLEU-4", "EM", "restoration-F1"):
        score = scores.report[name]
        print(f"{score}  {score.settings}")
    comparison = side_by_side(DIALOGUES, careful, eager, seed=1).comparison
    if comparison:
        print(f"careful -> eager: {comparison.differences['BLEU-4']}")


if __name__ == "__main__":
    main()
