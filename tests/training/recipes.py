"""Recipes for the tiny encoder and the tiny labels."""

from pathlib import Path
from typing import Any

from tests.tiny import save_labels
from utterly.training.recipe import Recipe


def tiny_table(folder: Path, encoder: Path | str, *, kind: str = "hct", **training: Any) -> dict[str, Any]:
    """A run of a second or two that can learn the tiny labels by heart, kept in `folder`."""
    labels, book = save_labels(folder)
    usual = {"epochs": 2, "batch_size": 8, "learning_rate": 2e-3, "device": "cpu", "seed": 3}
    return {
        "out": str(folder / "run"),
        "data": {"train": [str(labels)], "dev": str(labels), "book": str(book)},
        "tagger": {"kind": kind, "encoder": str(encoder), "max_length": 64},
        "training": usual | training,
    }


def tiny_recipe(folder: Path, encoder: Path, *, kind: str = "hct", **training: Any) -> Recipe:
    return Recipe.from_dict(tiny_table(folder, encoder, kind=kind, **training))


def tiny_toml(folder: Path, encoder: Path | str, *, kind: str = "hct", **training: Any) -> Path:
    """The same as a file."""
    table = tiny_table(folder, encoder, kind=kind, **training)
    lines = [f"out = {table.pop('out')!r}"]
    for name, section in table.items():
        lines += [f"[{name}]", *(f"{key} = {value!r}" for key, value in section.items())]
    path = folder / "recipe.toml"
    path.write_text("\n".join(lines))
    return path
