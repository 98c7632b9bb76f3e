"""Average the weights of two models: `python recipes/average.py FIRST SECOND 0.75 OUT` has three quarters of SECOND."""

import argparse
from pathlib import Path

from utterly.errors import TrainingError
from utterly.taggers.model import TaggerModel


def averaged(first: TaggerModel, second: TaggerModel, share: float) -> TaggerModel:
    """`second` with the mean of both weights, of which `share` is its own; what a tagger stores is made anew."""
    if first.tagger.kind != second.tagger.kind or first.book != second.book or not 0 <= share <= 1:
        raise TrainingError(
            f"averaging needs two models of one kind and book, and a share from 0 to 1, but {first.tagger.kind} with "
            f"{len(first.book)} rules, {second.tagger.kind} with {len(second.book)}, and {share} came; "
            "give models of which one was trained on from the other"
        )
    others = first.tagger.state_dict()
    mean = {
        name: weight.lerp(others[name], 1 - share) if weight.is_floating_point() else weight
        for name, weight in second.tagger.state_dict().items()
    }
    second.tagger.train().load_state_dict(mean)
    second.tagger.eval()
    return second


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("share", type=float)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    first, second = TaggerModel.from_pretrained(args.first), TaggerModel.from_pretrained(args.second)
    averaged(first, second, args.share).save_pretrained(args.out)


if __name__ == "__main__":
    main()
