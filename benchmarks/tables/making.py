"""How rows are made: which files are missing, which commands make them, and in what order.

A file that exists is never made again, so work can stop at any point, resume, and be split between machines. `utterly`
writes files whole or not at all, and `utterly train` and `utterly rewrite` resume after an interruption.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.tables.declared import Declared, Row, Table

from utterly.baselines import BASELINES, pro_sub
from utterly.training.recipe import Recipe

LABELS: Final = {"ours": "ours", "paper": "the paper's settings"}
_FILE: Final = re.compile(r"(?:\$DATA|\bencoders|\bruns/[\w-]+)/[\w./-]+|\$LTP_PYTHON")


@dataclass(frozen=True)
class Step:
    """Shell commands that make files from other files."""

    makes: tuple[str, ...]
    needs: tuple[str, ...]
    commands: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Run:
    """The rewrites of one system for a test set: published ones, or those of a model."""

    name: str  # canard/mst: what `--make` calls it
    seed: int | None = None
    test: str
    kept: Path  # the prefix of the files with rewrites and scores
    outputs: str = ""  # published rewrites, in `field`
    field: str = "rewrite"
    model: str = ""
    training: tuple[str, ...] = ()  # the commands that make the model
    needs: tuple[str, ...] = ()  # the files they read
    encoder: str = ""
    book: str = ""

    def __str__(self) -> str:
        return self.name if self.seed is None else f"{self.name}, seed {self.seed}"

    @property
    def predictions(self) -> str:
        return self.outputs or f"{self.kept}.jsonl.gz"

    @property
    def note(self) -> str:
        """How a run differs from what our commands make, if it does."""
        file = self.kept.with_name(f"{self.kept.name}.note")
        return file.read_text("utf-8").strip() if file.exists() else ""

    def scores_file(self, how: str) -> Path:
        return self.kept.with_name(f"{self.kept.name}.{how}.json")

    def rewriting(self, device: str) -> Step:
        """Train, which does nothing if already done, and rewrite the test set."""
        rewrite = f"utterly rewrite --model {self.model} --preset eager --input {self.test} --output {self.predictions}"
        return Step((self.predictions,), (*self.needs, self.test), (*self.training, rewrite + device))


class Runs:
    """All declared runs, the folder of their results, and the steps that make their files."""

    def __init__(self, declared: Declared, folder: Path, *, device: str = "cpu") -> None:
        self.folder = folder
        self._device = "" if device == "cpu" else f" --device {device}"
        self.steps = {path: step for step in map(_data_step, declared.commands) for path in step.makes}
        for _, run in self.all(declared.tables.values()):
            if run.training:  # others may start from the model
                self.steps[run.model] = Step((run.model,), run.needs, run.training)

    def of(self, table: Table, row: Row) -> dict[str, list[Run]]:
        """The runs of a row by their label: ours, the paper's settings, ..."""
        kept = self.folder / Path(table.test).parent.name
        if row.outputs:
            published = Run(name=row.name, test=table.test, kept=kept / row.field, outputs=row.outputs, field=row.field)
            return {"its outputs" if row.field != "utterance" else "": [published]}
        if row.model:
            bundled = Run(name=row.model, test=table.test, kept=kept / f"bundled-{row.model}", model=row.model)
            return {"": [bundled]}
        return {
            label: [self._trained(table, name, seed, calibrated=name == row.ours) for seed in row.seeds]
            for label, name in zip(LABELS.values(), (row.ours, row.paper), strict=True)
            if name
        }

    def all(self, tables: Iterable[Table]) -> Iterator[tuple[Table, Run]]:
        for table in tables:
            for row in table.rows:
                for runs in self.of(table, row).values():
                    yield from ((table, run) for run in runs)

    def _trained(self, table: Table, name: str, seed: int, *, calibrated: bool) -> Run:
        kept = self.folder / Path(table.test).parent.name / name / f"seed-{seed}"
        file, _, variant = name.partition("/")
        recipe = Recipe.read(f"recipes/{file}.toml", variant, seed)
        model, data, tagger = f"{recipe.out}/model", recipe.data, recipe.tagger
        training = [f"utterly train recipes/{file}.toml{f' --variant {variant}' * bool(variant)} --seed {seed}"]
        needs = {data.dev}
        if calibrated and tagger.kind not in BASELINES:
            training.append(f"utterly calibrate {model} {table.held}{self._device}")
            needs.add(table.held)
        if tagger.kind != pro_sub.KIND:  # which learns nothing
            needs |= {*data.train, data.book, tagger.encoder, tagger.start_from, *tagger.teachers}
        return Run(
            name=name,
            seed=seed,
            test=table.test,
            kept=kept,
            model=model,
            training=tuple(training),
            needs=tuple(sorted(path for path in needs if _FILE.fullmatch(path))),
            encoder=Path(tagger.encoder).name,
            book=data.book,
        )

    def plan(self, run: Run, *evaluate_options: str) -> "Plan":
        """The steps still needed before a run can be scored."""
        plan = Plan(self.steps, [])
        plan.add(run.test, *files_in(*evaluate_options))
        if run.outputs or found(run.predictions):
            plan.add(run.predictions)
        else:
            plan.add_step(run.rewriting(self._device))
        return plan


def _data_step(command: str) -> Step:
    makes = tuple(re.findall(r"\{(.*?)\}", command))
    text = re.sub(r"[{}]", "", command)
    return Step(makes, tuple(path for path in files_in(text) if path not in makes), (text,))


def files_in(*texts: str) -> tuple[str, ...]:
    """The files that commands or options name.

    >>> files_in("utterly label runs/a/train.jsonl runs/a/labels.jsonl --jobs 2")
    ('runs/a/train.jsonl', 'runs/a/labels.jsonl')
    """
    return tuple(path for text in texts for path in _FILE.findall(text))


def found(path: str) -> bool:
    return Path(os.path.expandvars(path)).exists()


@dataclass
class Plan:
    """Steps in order, and the files that no step makes."""

    makers: Mapping[str, Step]
    lacking: list[str]
    steps: list[Step] = field(default_factory=list)

    def add(self, *paths: str) -> None:
        for path in paths:
            if found(path) or path in self.lacking or any(path in step.makes for step in self.steps):
                continue
            if path in self.makers:
                self.add_step(self.makers[path])
            else:
                self.lacking.append(path)

    def add_step(self, step: Step) -> None:
        self.add(*step.needs)
        self.steps.append(step)

    @property
    def commands(self) -> list[str]:
        return [command for step in self.steps for command in step.commands]

    def carry_out(self) -> None:
        """Run the commands, with this environment's `utterly` and `python`; their output goes to stderr."""
        for step in self.steps:
            for path in step.makes:
                Path(path).parent.mkdir(parents=True, exist_ok=True)
            for command in step.commands:
                print(f"+ {command}", file=sys.stderr, flush=True)
                whole = re.sub(r"> (\S+)$", r"> \1.part && mv \1.part \1", command)  # or a partial file counts as done
                bash = ["bash", "-o", "pipefail", "-c", whole]
                subprocess.run(bash, stdout=sys.stderr, env=environment(), check=True)


def environment() -> dict[str, str]:
    """Our environment variables, with this program's `utterly` and `python` first in the path."""
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
