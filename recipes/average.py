"""Average the weights of models that were trained on from one.

python recipes/average.py OUT MODEL MODEL --shares 1 3
"""

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from utterly.errors import TrainingError
from utterly.taggers.model import TaggerModel


def averaged(models: Iterable[TaggerModel], shares: Sequence[float]) -> TaggerModel:
    """The first model with the mean of all weights, which may come one at a time; what it stores is made anew."""
    if not shares or min(shares) < 0 or not sum(shares):
        raise TrainingError(f"averaging needs a share of at least 0 for each model, not all 0, but {list(shares)} came")
    each = zip(models, (share / sum(shares) for share in shares), strict=True)
    first, share = next(each)
    mean = {name: weight.mul(share) for name, weight in _learned(first).items()}
    for model, share in each:
        if model.tagger.kind != first.tagger.kind or model.book != first.book:
            raise TrainingError(
                f"averaging needs models of one kind and book, but {first.tagger.kind} with {len(first.book)} rules "
                f"and {model.tagger.kind} with {len(model.book)} came; give models that were trained on from one"
            )
        for name, weight in _learned(model).items():
            mean[name].add_(weight, alpha=share)
    first.tagger.train().load_state_dict(first.tagger.state_dict() | mean)
    first.tagger.eval()
    return first


def _learned(model: TaggerModel) -> dict[str, Any]:
    """The numbers that training moves, by name."""
    return {name: each for name, each in model.tagger.state_dict().items() if each.is_floating_point()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("models", type=Path, nargs="+")
    parser.add_argument("--shares", type=float, nargs="+", help="how much each model counts; all alike if left out")
    args = parser.parse_args()
    shares = args.shares or [1.0] * len(args.models)
    if len(shares) != len(args.models):
        parser.error(f"there must be a share for each model, but {len(shares)} came for {len(args.models)} models")
    averaged(map(TaggerModel.from_pretrained, args.models), shares).save_pretrained(args.out)


if __name__ == "__main__":
    main()
