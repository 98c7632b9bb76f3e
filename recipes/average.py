"""Average the weights of models that started from the same one.

python recipes/average.py OUT MODEL MODEL --shares 1 3
"""

import argparse
import math
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from utterly.errors import TrainingError, UtterlyError
from utterly.networks.torch_model import TorchModel


def averaged(models: Iterable[TorchModel], shares: Sequence[float]) -> TorchModel:
    """The first model with the mean of all weights; models can be loaded one at a time.

    Values that the tagger derives from its weights are recomputed. The decoding is the first model's; the confidence
    must be fitted again.
    """
    if len(shares) < 2 or not all(math.isfinite(share) and share >= 0 for share in shares) or not sum(shares):
        raise TrainingError(
            f"averaging needs at least two models with shares of at least 0, not all 0, got shares {list(shares)}"
        )
    each = zip(models, (share / sum(shares) for share in shares), strict=True)
    first, share = next(each)
    mean = {name: weight.mul(share) for name, weight in _learned(first).items()}
    for model, share in each:
        if _must_agree(model) != _must_agree(first) or not model.encoder.cuts_like(first.encoder):
            raise TrainingError(
                f"averaging needs models with the same tagger, rule book and encoder, got {_described(first)} and "
                f"{_described(model)}; use models that started from the same one"
            )
        for name, weight in _learned(model).items():
            mean[name].add_(weight, alpha=share)
    first.tagger.train().load_state_dict(first.tagger.state_dict() | mean)
    first.tagger.eval()
    notes = {"averaged": f"{len(shares)} models, shares {list(shares)}"}
    return first.with_config(confidence=None, min_confidence=0.0, notes=notes)


def _learned(model: TorchModel) -> dict[str, Any]:
    """Weights and values computed from them, by name, without counters and indices."""
    return {name: each for name, each in model.tagger.state_dict().items() if each.is_floating_point()}


def _must_agree(model: TorchModel) -> tuple[Any, ...]:
    """What models must share for their weights to be comparable."""
    weights = {name: each.shape for name, each in model.tagger.state_dict().items()}
    return model.tagger.kind, model.book, model.tagger.encoder.network.config.to_dict(), weights


def _described(model: TorchModel) -> str:
    encoder = type(model.tagger.encoder.network).__name__
    parameters = sum(each.numel() for each in model.tagger.parameters())
    return f"{model.tagger.kind} on {encoder} with {parameters:,} parameters and the book {model.book.fingerprint}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="folder to write, which must not exist")
    parser.add_argument("models", type=Path, nargs="+", help="folders of models")
    parser.add_argument("--shares", type=float, nargs="+", help="weight of each model (default: equal)")
    args = parser.parse_args()
    shares = args.shares or [1.0] * len(args.models)
    if len(shares) != len(args.models):
        parser.error(f"--shares needs one number per model, got {len(shares)} for {len(args.models)} models")
    if args.out.exists():
        parser.error(f"OUT must not exist, but {args.out} does")
    try:
        averaged(map(TorchModel.from_pretrained, args.models), shares).save_pretrained(args.out)
    except UtterlyError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
