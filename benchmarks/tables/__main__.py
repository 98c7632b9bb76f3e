"""The paper's tables: finds what is missing, makes it, and prints the paper's scores and ours side by side.

    python -m benchmarks.tables 2 --data FOLDER              # 2 to 8 or figure4, one or several; default: all
    python -m benchmarks.tables 2 --plan                     # only print the commands for what is missing
    python -m benchmarks.tables 2 --show                     # only print existing results
    python -m benchmarks.tables --make canard/mst --seeds 1 --device cuda    # one row, perhaps on another machine

Run it from the root of the repository. Rows are declared in rows.toml, the paper's scores in printed.toml. Corpora,
labels, books and models go where the recipes say; encoders are expected in encoders/. Rewrites and scores are stored in
`--runs`; copy these files to combine results from several machines. Files that exist are not made again.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from benchmarks.tables.declared import HERE, Table, read_declared
from benchmarks.tables.figure import draw
from benchmarks.tables.making import Plan, Run, Runs
from benchmarks.tables.markdown import HOW_TO_READ, book_file, missing_lines, page, table_lines
from benchmarks.tables.scores import evaluate_command, keep_book, score, scored, up_to_date

RUNS: Final = Path("benchmarks/tables/runs")


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    declared = read_declared(options.declared)
    if unknown := [name for name in options.tables if name not in declared.names]:
        parser().error(f"no table {unknown[0]!r}; there are: {', '.join(declared.names)}")
    if options.data:
        os.environ["DATA"] = str(options.data)
    runs = Runs(declared, options.runs, device=options.device)
    tables = [table for name in options.tables or declared.names for table in declared.named(name)]
    wanted = [
        (table, run)
        for table, run in runs.all(tables)
        if (not options.make or run.name in options.make) and (not options.seeds or run.seed in (None, *options.seeds))
    ]
    if unknown := sorted(set(options.make) - {run.name for _, run in wanted}):
        known = sorted({run.name for _, run in runs.all(tables)})
        parser().error(f"no row {unknown[0]!r}; there are: {', '.join(known)}")
    if options.plan:
        print("\n".join(dict.fromkeys(line for table, run in wanted for line in planned(table, run, runs))))
        return 0
    if not options.show:
        for table, run in wanted:
            make(table, run, runs)
        for table in () if options.make else tables:
            make_books(table, runs)
    if not options.make:
        for table in tables:
            print(*table_lines(table, runs), *missing_lines(table, runs), sep="\n")
        print(HOW_TO_READ)
    if options.page:
        text = page(options.page.read_text("utf-8"), declared.tables.values(), runs)
        options.page.write_text(text, "utf-8")
    if options.picture:
        draw(declared.tables["figure4"], runs, options.picture)
    return 0 if options.show or all(scored(run, how) for table, run in wanted for how in table.scores) else 1


def planned(table: Table, run: Run, runs: Runs) -> Iterator[str]:
    """The commands still to run for a run and its scores, and the files they lack."""
    left = [options for how, options in table.scores.items() if not up_to_date(run, how)]
    if left:
        plan = runs.plan(run, *left)
        if plan.lacking:
            yield f"# {run}: missing {', '.join(plan.lacking)}"
        yield from plan.commands
        yield from (evaluate_command(run, options) for options in left)


def make(table: Table, run: Run, runs: Runs) -> None:
    """Make everything a run still needs; report a failure without stopping other runs."""
    for how, options in table.scores.items():
        if not up_to_date(run, how) and carried_out(runs.plan(run, options), str(run)):
            say(f"+ {evaluate_command(run, options)}")
            try:
                score(run, how, options)
            except subprocess.CalledProcessError as failed:
                say(f"{run}: `utterly evaluate` failed with status {failed.returncode}")


def make_books(table: Table, runs: Runs) -> None:
    for name, path in table.books.items():
        kept = book_file(table, name, runs.folder)
        plan = Plan(runs.steps, [])
        plan.add(path)
        if not kept.exists() and carried_out(plan, path):
            keep_book(path, kept)


def carried_out(plan: Plan, what: str) -> bool:
    if plan.lacking:
        say(f"{what}: missing {', '.join(plan.lacking)}")
        return False
    try:
        plan.carry_out()
    except subprocess.CalledProcessError as failed:
        say(f"{what}: failed with status {failed.returncode}; run this again to continue")
        return False
    return True


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.tables", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables", nargs="*", metavar="TABLE", help="2 to 8, figure4; default: all")
    parser.add_argument("--data", type=Path, help="the folder of the corpora; default: $DATA")
    parser.add_argument("--runs", type=Path, default=RUNS, help=f"folder of rewrites and scores; default: {RUNS}")
    parser.add_argument("--device", default="cpu", help="device to rewrite on; training uses a GPU if there is one")
    parser.add_argument("--make", nargs="+", default=[], metavar="ROW", help="make only these: canard/mst, en, ...")
    parser.add_argument("--seeds", nargs="+", type=int, default=[], metavar="N", help="only these seeds")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="draw Figure 4")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write all tables into a page, between its markers")
    parser.add_argument("--plan", action="store_true", help="print the commands for what is missing; run nothing")
    parser.add_argument("--show", action="store_true", help="print existing results; run nothing")
    parser.add_argument("--declared", type=Path, default=HERE, help="the folder of rows.toml and printed.toml")
    return parser


if __name__ == "__main__":
    sys.exit(main())
