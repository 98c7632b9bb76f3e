"""Read template files; README.md in this folder explains their format.

A file has sections (`== name`), a section has blocks (between empty lines), a block has lines (`key: text`).
"""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from recipes.chat.compose import Draft, Exchange, Material, Row, Scene, Tables

Block = Mapping[str, tuple[str, ...]]  # the texts after each key, in order
Pattern = Callable[[Block], tuple[Scene, ...]]  # the scenes of a block that begins with the pattern's name


class TemplateError(ValueError):
    """A template file that cannot be read."""


class Section(NamedTuple):
    name: str
    leads_to: str  # the untouched phenomenon that often follows its scenes
    blocks: tuple[Block, ...]


def read_sections(path: Path) -> Iterator[Section]:
    for text in path.read_text(encoding="utf-8").removeprefix("== ").split("\n== "):
        heading, *blocks = text.strip().split("\n\n")
        name, _, leads_to = heading.partition(" -> ")
        yield Section(name, leads_to, tuple(_block(path, block) for block in blocks))


def _block(path: Path, text: str) -> Block:
    lines: dict[str, tuple[str, ...]] = {}
    for line in text.replace("\n  ", " / ").splitlines():
        key, colon, rest = line.partition(": ")
        if not colon:
            raise TemplateError(f"{path}: a line must be `key: text`, got {line!r}")
        lines[key] = (*lines.get(key, ()), rest)
    return lines


def items(block: Block, key: str) -> tuple[str, ...]:
    """The items between slashes: `how old is it? / where is it?`."""
    return tuple(item for line in block.get(key, ()) for item in line.split(" / "))


def asked(line: str) -> tuple[str, tuple[str, ...]]:
    """A question and the answers it may get: `is it open? => Yes. / No, not today.`."""
    question, arrow, answers = line.partition(" => ")
    if not arrow or " => " in answers:
        raise TemplateError(f"a pattern must be `question => answer / answer`, got {line!r}")
    return question, tuple(answers.split(" / "))


def exchanges(block: Block, key: str) -> tuple[Exchange, ...]:
    """Turns between arrows; the last may have several wordings: `is it open? => Yes. / No.` is two exchanges."""
    split = (line.split(" => ") for line in block.get(key, ()))
    return tuple((*turns, last) for *turns, lasts in split for last in lasts.split(" / "))


def scene(block: Block, key: str = "open") -> Scene:
    """A scene whose openings are under `key`; every key without another meaning is a phenomenon."""
    kinds = [kind for kind in block if kind not in (key, "more", "whole", "leads to")]
    return Scene(
        exchanges(block, key),
        {kind: items(block, kind) for kind in kinds},
        more=exchanges(block, "more"),
        whole=items(block, "whole"),
        leads_to="".join(block.get("leads to", ())),
    )


def scenes(section: Section, patterns: Mapping[str, Pattern]) -> tuple[Scene, ...]:
    """The scenes of a section: each block begins with `open`, or with the name of a pattern."""
    made: list[Scene] = []
    for block in section.blocks:
        pattern = patterns.get(next(iter(block)))
        made += pattern(block) if pattern else (scene(block),)
    return tuple(replace(each, leads_to=section.leads_to) if section.leads_to else each for each in made)


def read_material(
    folder: Path,
    which: str,
    tables: Tables,
    patterns: Mapping[str, Pattern],
    vary: Callable[[random.Random, Draft], Draft],
    vary_small_talk: Callable[[random.Random, str], str],
) -> Material:
    """A language's templates; `which` is "all", or the name of the only file to take scenes from."""
    files = ("scenes", "followups") if which == "all" else (which,)
    if missing := [name for name in files if not (folder / f"{name}.txt").is_file()]:
        raise TemplateError(f"{folder} has no scenes called {missing[0]!r}; see README.md")
    sections = tuple(read_sections(folder / "scenes.txt"))
    only = {section.name: section.blocks for section in sections if section.name in ("small talk", "greetings")}
    made: list[Scene] = []
    standalone: dict[str, tuple[str, ...]] = {}
    for section in (each for name in files for each in read_sections(folder / f"{name}.txt")):
        if section.name == "standalone":
            for block in section.blocks:
                for kind in block:
                    standalone[kind] = standalone.get(kind, ()) + items(block, kind)
        elif section.name not in only:
            made += scenes(section, patterns)
    return Material(
        language=folder.name,
        tables=tables,
        scenes=tuple(made),
        standalone=standalone,
        small_talk=tuple(phrase for block in only["small talk"] for phrase in items(block, "said")),
        greetings=tuple(exchange for block in only["greetings"] for exchange in exchanges(block, "said")),
        vary=vary,
        vary_small_talk=vary_small_talk,
    )


def read_tables(path: Path, derived: Callable[[Row], Row]) -> Tables:
    """Tables of fillers by name; `derived` computes columns from others.

    `name: a; b` is a table of names; `name: name | year` starts one with columns, and rows up to an empty line.
    """
    tables = {}
    for text in path.read_text(encoding="utf-8").replace(";\n  ", "; ").split("\n\n"):
        head, *lines = text.strip().splitlines()
        if " | " in head:
            name, _, columns = head.partition(": ")
            tables[name] = [_row(path, name, columns.split(" | "), row) for line in lines for row in line.split("; ")]
        else:
            for line in (head, *lines):
                name, _, names = line.partition(": ")
                tables[name] = [{"name": each} for each in names.split("; ")]
    return {name: tuple({**row, **derived(row)} for row in rows) for name, rows in tables.items()}


def _row(path: Path, table: str, columns: list[str], row: str) -> dict[str, str]:
    cells = row.split(" | ")
    if len(cells) != len(columns):
        known = ", ".join(columns)
        raise TemplateError(f"{path}: a row of {table} must have {len(columns)} cells ({known}), got {row!r}")
    return dict(zip(columns, cells, strict=True))
