"""A table as Markdown: the paper's rows, ours, and ours in the paper's settings; below it, what is missing."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from benchmarks.tables.declared import Table
from benchmarks.tables.making import LABELS, Run, Runs
from benchmarks.tables.scores import Scores, scored

BEGIN, END = "<!-- tables:begin -->", "<!-- tables:end -->"
HOW_TO_READ: Final = (
    "Of several seeds a figure is the mean, ± their standard deviation. Brackets are 95 % bootstrap intervals over\n"
    "dialogues (1,000 resamples, seed 0), also the mean over seeds."
)


def page(text: str, tables: Iterable[Table], runs: Runs) -> str:
    """A page with the tables between its markers, without what is missing, which depends on the machine."""
    before, _, rest = text.partition(BEGIN)
    made = "\n".join(line for table in tables for line in table_lines(table, runs))
    return f"{before}{BEGIN}\n\n{made}\n{END}{rest.partition(END)[2]}"


def table_lines(table: Table, runs: Runs) -> Iterator[str]:
    number = table.key.partition("-")[0]
    yield from (f"## {'Figure 4' if number == 'figure4' else f'Table {number}'}: {table.title}", "")
    yield from (f"Printed: {table.where}.", "")
    if table.books:
        yield from rules_table(table, runs.folder)
    for how, options in table.scores.items():
        yield from (f"`utterly evaluate {options}`:", "", *scores_table(table, runs, how), "")


def scores_table(table: Table, runs: Runs, how: str) -> Iterator[str]:
    yield from header("", "", *(column.removeprefix("roles-") for column in table.columns))
    settings: dict[str, None] = {}
    for row in table.rows:
        name = row.name
        if printed := table.printed.get(name):
            figures = [f"{figure:g}" if isinstance(figure, int) else f"{figure:.1f}" for figure in printed]
            yield line(name, "printed", *figures, *[""] * (len(table.columns) - len(figures)))
            name = ""
        for label, of in runs.of(table, row).items():
            if there := [run for run in of if scored(run, how)]:
                scores = Scores.read(there, how)
                settings |= dict.fromkeys(scores.settings(table.columns))
                yield line(name, said(label, there), *map(scores.cell, table.columns))
            else:
                yield line(name, ": ".join(filter(None, (label, "missing"))), *[""] * len(table.columns))
            name = ""
    if settings:
        yield from ("", "Settings: " + ", ".join(f"`{each}`" for each in settings) + ".")


def said(label: str, runs: Sequence[Run]) -> str:
    """
    >>> said("ours", [Run(name="a", test="", kept=Path("a"), seed=seed, encoder="gte-small") for seed in (0, 1)])
    'ours, gte-small, seeds 0, 1'
    """
    seeds = [str(run.seed) for run in runs if run.seed is not None]
    seeded = f"seed{'s' * (len(seeds) > 1)} {', '.join(seeds)}" * bool(seeds)
    notes = dict.fromkeys(run.note for run in runs)
    return "; ".join(filter(None, [", ".join(filter(None, (label, runs[0].encoder, seeded))), *notes]))


def missing_lines(table: Table, runs: Runs) -> Iterator[str]:
    """The runs without scores, and the files they need that no step makes."""
    missing: dict[tuple[str, str], list[Run]] = {}
    for _, run in runs.all([table]):
        if left := [options for how, options in table.scores.items() if not scored(run, how)]:
            lacking = runs.plan(run, *left).lacking
            needs = f"needs {', '.join(lacking)}" if lacking else "`--plan` prints the commands"
            missing.setdefault((run.name, needs), []).append(run)
    if missing:
        yield from ("Missing:", "", *(f"- {said(name, of)}: {needs}" for (name, needs), of in missing.items()), "")


def rules_table(table: Table, folder: Path) -> Iterator[str]:
    """The paper's rules, with how many training phrases each covers in our books; and our books' other rules."""
    books: dict[str, dict[str, int]] = {}
    for name in table.books:
        kept = book_file(table, name, folder)
        books[name] = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    yield from header("the paper's rules", *(LABELS[name] for name in books))
    for rule in table.rules:
        yield line(f"`{rule}`", *(f"{book[rule]:,}" if rule in book else "" for book in books.values()))
    yield ""
    for name, book in books.items():
        shared = sum(rule in book for rule in table.rules)
        others = ", ".join(f"`{rule}` {count:,}" for rule, count in book.items() if rule not in table.rules)
        counts = f"{len(book)} rules, {shared} of the paper's {len(table.rules)}; the others: {others or 'none'}"
        yield f"- {LABELS[name]}: {counts if book else 'missing, ' + table.books[name]}"
    yield ""


def book_file(table: Table, name: str, folder: Path) -> Path:
    return folder / "books" / f"table-{table.key}-{name}.json"


def header(*names: str) -> list[str]:
    return [line(*names), "|---" * len(names) + "|"]


def line(*cells: str) -> str:
    """
    >>> line("HCT", "", "52.1")
    '| HCT | | 52.1 |'
    """
    return "|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|"
