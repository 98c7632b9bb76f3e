"""How fast variants of a recipe train: the fastest of a few epochs on a part of their labels.

python -m benchmarks.training_speed recipes/rewrite.toml run ptr-gen --dialogues 2000
"""

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch  # noqa: TID251 - its memory is measured

from utterly.files import opened
from utterly.training.recipe import Recipe
from utterly.training.train import train


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipe", type=Path)
    parser.add_argument("variants", nargs="*", default=[""])
    parser.add_argument("--dialogues", type=int, default=2000, help="labels to train on")
    parser.add_argument("--epochs", type=int, default=3, help="at least 2: the first one warms up")
    given = parser.parse_args(arguments)
    device = torch.cuda.get_device_name() if torch.cuda.is_available() else f"CPU, {torch.get_num_threads()} threads"
    print(f"{given.dialogues:,} dialogues of {given.recipe}, {device}, torch {torch.__version__}\n")
    print("| variant | batch | dialogues a second | all labels, an epoch | GPU memory |\n|---|---|---|---|---|")
    for variant in given.variants:
        print(_row(Recipe.read(given.recipe, variant), variant, given.dialogues, given.epochs), flush=True)


def _row(recipe: Recipe, variant: str, dialogues: int, epochs: int) -> str:
    events: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        part = Path(folder) / "part.labels.jsonl"
        total = _write_part(recipe.data.train, part, dialogues)
        shorter = replace(
            recipe,
            out=f"{folder}/run",
            data=replace(recipe.data, train=(str(part),), taught=()),
            training=replace(recipe.training, epochs=epochs, patience=epochs, dev_limit=1),
        )
        if torch.cuda.is_available():
            torch.cuda.reset_peak_memory_stats()
        train(shorter, report=events.append)
    fastest = min(event["seconds"] for event in events[1:] if "epoch" in event and event["epoch"] > 1)
    rate = min(dialogues, total) / max(fastest, 0.1)  # seconds come with one decimal
    memory = f"{torch.cuda.max_memory_allocated() / 2**30:.1f} GiB" if torch.cuda.is_available() else ""
    name, batch = variant or recipe.tagger.kind, recipe.training.batch_size
    return f"| {name} | {batch} | {rate:,.0f} | {total / rate:,.0f} s | {memory} |"


def _write_part(files: Sequence[str], part: Path, dialogues: int) -> int:
    """Write the first labels of the files, and return how many there are in all."""
    total = 0
    with part.open("wb") as out:
        for path in files:
            with opened(path) as lines:
                for line in lines:
                    if total < dialogues:
                        out.write(line)
                    total += 1
    return total


if __name__ == "__main__":
    main()
