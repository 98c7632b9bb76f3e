"""What our decoding gains: one model's predictions decoded by argmax, as in the paper, and by our methods.

    python -m benchmarks.decodings en runs/canard/held.jsonl

*beam* has the default settings; *tuned* has the model's own, which may have been chosen on these dialogues.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from utterly.dialogues.jsonl import read_jsonl
from utterly.metrics import evaluate
from utterly.model.folder import ModelFolder
from utterly.model.model import Model
from utterly.model.onnx_scorer import OnnxScorer
from utterly.model.settings import DecodeSettings

SCORES: Final = ("BLEU-1", "BLEU-2", "BLEU-4", "EM")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="the folder of an exported model, or the name of a bundled one")
    parser.add_argument("dialogues", type=Path, help="JSON lines with `rewrite`")
    options = parser.parse_args(arguments)
    folder = ModelFolder.find(options.model)
    model = Model(folder.config, folder.book(), folder.encoder(), OnnxScorer(folder.path))
    print(f"| decoding | {' | '.join(SCORES)} |\n" + "|---" * (1 + len(SCORES)) + "|")
    for decoding, figures in rows(model, options.dialogues):
        print(f"| {decoding} | {' | '.join(f'{figure:.2f}' for figure in figures)} |", flush=True)


def rows(model: Model, path: Path) -> Iterator[tuple[str, list[float]]]:
    """Each decoding, with its scores in `paper` mode."""
    dialogues = [(each, each.target.text) for each in read_jsonl(path) if each.target]
    ways = {
        "argmax": DecodeSettings(argmax=True),
        "beam, unguarded": DecodeSettings(guarded=False),
        "beam": DecodeSettings(),
        "tuned": model.config.decode,
    }
    decoders = {name: model.with_decode(settings).decoder for name, settings in ways.items()}
    rewrites: dict[str, list[str]] = {name: [] for name in ways}
    for dialogue, _ in dialogues:
        pieces = model.encoder.encode(dialogue)
        scores = model.scorer.read(pieces)
        for name, decoder in decoders.items():
            rewrites[name].append(decoder.best(dialogue, pieces, scores)[0].script.apply())
    targets, language = [target for _, target in dialogues], model.config.language or None
    for name, texts in rewrites.items():
        report = evaluate(texts, targets, language=language)
        yield name, [report[score].value for score in SCORES]


if __name__ == "__main__":
    main()
