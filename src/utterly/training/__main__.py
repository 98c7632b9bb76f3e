"""`python -m utterly.training RECIPE.toml [VARIANT [SEED]]`: train without the command line's dependencies."""

import sys
from typing import Any, Final

from utterly.errors import UtterlyError
from utterly.training.recipe import Recipe
from utterly.training.train import train

USAGE: Final = "python -m utterly.training RECIPE.toml [VARIANT [SEED]]"


def main(arguments: list[str]) -> int:
    recipe, variant, seed = [*arguments, "", "", ""][:3]
    if not 1 <= len(arguments) <= 3 or not (seed.isdigit() or seed == ""):
        print(f"usage: {USAGE}", file=sys.stderr)  # noqa: T201 - a program
        return 2
    try:
        train(Recipe.read(recipe, variant, int(seed) if seed else None), report=_print)
    except UtterlyError as error:
        print(f"error: {error}", file=sys.stderr)  # noqa: T201 - a program
        return 2
    return 0


def _print(event: dict[str, Any]) -> None:
    print(" ".join(f"{name}={value}" for name, value in event.items()), flush=True)  # noqa: T201 - a program


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
