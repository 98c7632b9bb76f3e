"""Score two made-up systems, one careful and one eager, and test whether they really differ.

The same from a shell:

    utterly evaluate --references examples/dialogues.jsonl --predictions examples/dialogues.jsonl \\
        --field careful --compare examples/dialogues.jsonl --compare-field eager
"""

from pathlib import Path

from utterly.metrics import Predictions, score_files

DIALOGUES = Path(__file__).parent / "dialogues.jsonl"


def main() -> None:
    scores = score_files(DIALOGUES, Predictions(DIALOGUES, "careful"), Predictions(DIALOGUES, "eager"), seed=1)
    for name in ("BLEU-4", "EM", "restoration-F1"):
        score = scores.report[name]
        print(f"{score}  {score.settings}")
    if scores.comparison:
        print(f"careful -> eager: {scores.comparison.differences['BLEU-4']}")


if __name__ == "__main__":
    main()
