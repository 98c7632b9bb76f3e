"""Scores of runs, stored as small files: the paper's metrics from `utterly evaluate`, and the size of the book."""

import json
import os
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, stdev
from typing import Any, Final

from benchmarks.tables.making import Run, environment, found

from utterly.files import written_whole
from utterly.rules.book import RuleBook
from utterly.scripts.edits import NULL_RULE

METRICS: Final = ("BLEU-1", "BLEU-2", "BLEU-4", "ROUGE-1", "ROUGE-2", "ROUGE-L", "EM", "roles-P", "roles-R", "roles-F")
WITH_INTERVALS: Final = ("BLEU-4", "EM", "roles-F")
_RULES: Final = "rules"


def evaluate_command(run: Run, options: str) -> str:
    field = "" if run.field == "rewrite" else f" --field {run.field}"
    return (
        f"utterly evaluate --predictions {run.predictions}{field} --references {run.test} {options} --intervals --json"
    )


def scored(run: Run, how: str) -> bool:
    return run.scores_file(how).exists()


def up_to_date(run: Run, how: str) -> bool:
    """Whether there are scores, and not older than the predictions, if those are here."""
    predictions = Path(os.path.expandvars(run.predictions))
    return scored(run, how) and not (
        predictions.exists() and predictions.stat().st_mtime > run.scores_file(how).stat().st_mtime
    )


def score(run: Run, how: str, options: str) -> None:
    """Evaluate, and store the scores."""
    command = shlex.split(os.path.expandvars(evaluate_command(run, options)))
    done = subprocess.run(command, env=environment(), stdout=subprocess.PIPE, text=True, check=True)
    report = json.loads(done.stdout)["report"]
    parts = {"": report["overall"], **report["domains"]}
    kept = {
        "settings": {name: scores["settings"] for name, scores in report["overall"].items() if name in WITH_INTERVALS},
        _RULES: len(RuleBook.load(run.book)) - 1 if run.book and found(run.book) else None,
        "scores": {
            part: {name: _figures(scores[name]) for name in METRICS if name in scores} for part, scores in parts.items()
        },
    }
    run.scores_file(how).parent.mkdir(parents=True, exist_ok=True)
    with written_whole(run.scores_file(how)) as file:
        file.write(json.dumps(kept) + "\n")


def keep_book(book: str, kept: Path) -> None:
    """Store the rules of a book, with how many training phrases each covers."""
    made = RuleBook.load(book)
    kept.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(kept) as file:
        rules = {str(rule): count for rule, count in zip(made.rules, made.counts, strict=True) if rule != NULL_RULE}
        json.dump(rules, file, ensure_ascii=False)


def _figures(score: Mapping[str, Any]) -> list[float]:
    return [round(figure, 4) for figure in (score["value"], score["interval"]["low"], score["interval"]["high"])]


@dataclass(frozen=True)
class Scores:
    """The scores of several seeds; a cell shows their mean."""

    files: Sequence[Mapping[str, Any]]

    @classmethod
    def read(cls, runs: Sequence[Run], how: str) -> "Scores":
        return cls([json.loads(run.scores_file(how).read_text(encoding="utf-8")) for run in runs])

    def cell(self, column: str) -> str:
        """A score; for the main metrics, with the spread over seeds and the mean of their intervals."""
        domain, _, metric = column.rpartition(" ")
        if metric == _RULES:
            return "" if self.files[0][_RULES] is None else str(self.files[0][_RULES])
        figures = [each["scores"].get(domain, {}).get(metric) for each in self.files]
        known = [each for each in figures if each]
        if not known:
            return ""
        value, low, high = (mean(column) for column in zip(*known, strict=True))
        if metric not in WITH_INTERVALS:
            return f"{value:.2f}"
        spread = f" ± {stdev(each[0] for each in known):.2f}" if len(known) > 1 else ""
        return f"{value:.2f}{spread} [{low:.2f}, {high:.2f}]"

    def value(self, column: str) -> float:
        """The score alone."""
        return float(self.cell(column).split()[0])

    def settings(self, columns: Sequence[str]) -> list[str]:
        """The settings of the metrics shown."""
        shown = {column.rpartition(" ")[2] for column in columns}
        return [settings for metric, settings in self.files[0]["settings"].items() if metric in shown]
