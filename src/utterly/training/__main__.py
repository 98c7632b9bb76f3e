"""`python -m utterly.training RECIPE.toml [VARIANT]`: train without the command line's dependencies."""

import sys
from typing import Any

from utterly.errors import UtterlyError
from utterly.training.recipe import Recipe
from utterly.training.train import train


def main(arguments: list[str]) -> int:
    if len(arguments) not in (1, 2):
        print("usage: python -m utterly.training RECIPE.toml [VARIANT]", file=sys.stderr)  # noqa: T201 - a program
        return 2
    try:
        train(Recipe.read(*arguments), report=_print)
    except UtterlyError as refused:
        print(f"error: {refused}", file=sys.stderr)  # noqa: T201 - a program
        return 2
    return 0


def _print(event: dict[str, Any]) -> None:
    print(" ".join(f"{name}={value}" for name, value in event.items()), flush=True)  # noqa: T201 - a program


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
