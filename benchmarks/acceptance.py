"""How many dialogues of the acceptance set the bundled models get right, by kind, and every failure.

python -m benchmarks.acceptance                 # all of tests/acceptance/dialogues.jsonl
python -m benchmarks.acceptance --lang zh       # one language
python -m benchmarks.acceptance --unchanged     # the row to beat: every turn unchanged
"""

import argparse
from collections.abc import Callable, Iterable, Sequence

from tests.acceptance.scoring import Case, Outcome, Rewrite, load_cases, run, tallies

from utterly import Rewriter

GROUPS: dict[str, Callable[[Case], str]] = {
    "kind": lambda case: case.kind,
    "language": lambda case: case.lang,
    "setting": lambda case: case.setting,
    "turns that": lambda case: "must stay" if case.must_stay else "need a rewrite",
    "": lambda _: "all",
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Passes of the acceptance set, by kind.")
    parser.add_argument("--lang", choices=["en", "zh"], help="only dialogues of this language")
    parser.add_argument("--unchanged", action="store_true", help="leave every turn unchanged instead of rewriting it")
    options = parser.parse_args()
    cases = [case for case in load_cases() if options.lang in (None, case.lang)]
    outcomes = run(unchanged if options.unchanged else bundled(), cases)
    show_table(outcomes)
    show_failures(outcome for outcome in outcomes if not outcome.passed)


def bundled() -> Rewrite:
    rewriter = Rewriter.load()
    return lambda turns: rewriter.rewrite(list(turns)).text


def unchanged(turns: Sequence[str]) -> str:
    return turns[-1]


def show_table(outcomes: Sequence[Outcome]) -> None:
    for title, key in GROUPS.items():
        print(f"| {title} | passed | share |\n|---|---|---|")
        for name, tally in tallies(outcomes, key).items():
            print(f"| {name} | {tally} | {tally.passed / tally.total:.0%} |")
        print()


def show_failures(failures: Iterable[Outcome]) -> None:
    for case, text in failures:
        print(f"{case.id}: {' / '.join(case.turns)}")
        print(f"    got:    {text}")
        print(f"    wanted: {case.accept[0]} (1 of {len(case.accept)})")


if __name__ == "__main__":
    main()
