"""The `utterly` command: one command a step. A body only fetches, calls and shows.

Modules that take time to import are imported in the body that needs them, so that `--help` is quick.
"""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from utterly import __version__
from utterly.dialogues import CORPORA, read_corpus, write_jsonl
from utterly.dialogues.jsonl import dialogue_to_line
from utterly.errors import UtterlyError
from utterly.extras import require
from utterly.terminal.skipped import Skipped

BAD_INPUT = 2
"""The exit status for everything Utterly refuses on purpose."""

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
Device = Annotated[str, typer.Option(help="Where the model runs, as torch names it: cpu, cuda, mps.")]
SkipBad = Annotated[bool, typer.Option("--skip-bad", help="Pass over records that are wrong, and report their number.")]
Out = Annotated[Path, typer.Argument(metavar="OUT", help="The file to write; a name that ends in .gz is compressed.")]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line: what the program `utterly` calls."""
    try:
        try:
            app(args=arguments, prog_name="utterly")
        except UtterlyError as refused:
            typer.secho(f"error: {' '.join(str(refused).splitlines())}", err=True, fg="red")
            sys.exit(BAD_INPUT)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output has gone, as `head` does. Python flushes once more at its end: let it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"utterly {__version__}")
        raise typer.Exit


@app.callback()
def utterly(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version, and end.")
    ] = False,
) -> None:
    """Rewrite the last turn of a dialogue so that it stands on its own.

    Each command is one step; `utterly COMMAND --help` explains it with an example.
    """


@app.command(no_args_is_help=True)
def convert(
    corpus: Annotated[str, typer.Argument(metavar="CORPUS", help=f"What kind of file it is: {', '.join(CORPORA)}.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to read, plain or gzip.")],
    out: Annotated[
        Path | None,
        typer.Argument(
            metavar="OUT", help="The file to write; a name that ends in .gz is compressed. Left out: standard output."
        ),
    ] = None,
    split: Annotated[
        str | None,
        typer.Option(
            help="Only this part of a file that holds several: "
            + "; ".join(f"{name}: {', '.join(kind.splits)}" for name, kind in CORPORA.items() if kind.splits)
            + "."
        ),
    ] = None,
    guessed_titles: Annotated[
        bool,
        typer.Option(
            "--guessed-titles",
            help="canard: put `title_guess` before the history. It was derived from the rewrites: "
            "for training only, never to evaluate.",
        ),
    ] = False,
    skip_bad: SkipBad = False,
) -> None:
    """Turn a corpus into JSON lines, the format all other commands read.

    Each line is a dialogue with the fields `history` (list of turns, oldest first), `utterance` (the turn to
    rewrite), and where they are known `rewrite`, `lang`, `domain` and `id`. `OUT` appears once it is complete.

    Example: `utterly convert rewrite corpus.txt test.jsonl --split test`
    """
    from utterly.terminal.progress import counted

    with _skipping(skip_bad) as on_bad:
        dialogues = read_corpus(corpus, file, split=split, guessed_titles=guessed_titles, on_bad=on_bad)
        if out is None:
            for line in map(dialogue_to_line, dialogues):
                typer.echo(line, nl=False)
            return
        count = write_jsonl(out, counted(dialogues, f"reading {file.name}"))
    typer.echo(f"wrote {count:,} dialogues to {out}")


@app.command(no_args_is_help=True)
def label(
    file: Annotated[Path, typer.Argument(metavar="IN", help="JSON lines with `rewrite`, plain or gzip.")],
    out: Out,
    syntax: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What finds constituents and lemmas. *none*: no syntax. *spacy*, *spacy:PIPELINE*: English. "
            "*benepar*, *benepar:MODEL*: English, where you have its weights. *zh*: Chinese. "
            "Else *zh* where the first dialogue is Chinese, and *spacy* where it is not.",
        ),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Number of processes.")] = 1,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Keep no parses for the next time, and use none that were kept.")
    ] = False,
    skip_bad: SkipBad = False,
) -> None:
    """Turn dialogues with their rewrites into edit scripts, which training learns from.

    Each line of `OUT` is the dialogue with `script` and `mentions`. In the end it is shown how much of the rewrites
    the scripts say, and how. `OUT` appears once it is complete; cut short, the same command goes on where it
    stopped. Parses are kept in `$UTTERLY_CACHE`, else in `~/.cache/utterly`.
    Needs the extra `labels`: `pip install 'utterly[labels]'`.

    Example: `utterly label train.jsonl train-labels.jsonl.gz --jobs 2`
    """
    from utterly.labels.label_file import label_file
    from utterly.terminal.coverage import show_coverage
    from utterly.terminal.progress import counted

    with _skipping(skip_bad) as on_bad:
        coverage = label_file(
            file,
            out,
            syntax=syntax,
            jobs=jobs,
            cached=not no_cache,
            on_bad=on_bad,
            progress=lambda dialogues, total: counted(dialogues, f"labelling {file.name}", total=total),
        )
    show_coverage(coverage)
    typer.echo(f"wrote the labels of {coverage.dialogues:,} dialogues to {out}")


@app.command(no_args_is_help=True)
def evaluate(
    predictions: Annotated[Path, typer.Option(help="JSON lines with what a system said.")],
    references: Annotated[Path, typer.Option(help="JSON lines with `utterance` and the right `rewrite`.")],
    mode: Annotated[
        str,
        typer.Option(
            help="How text becomes words. *paper*: lower case, spaCy's words (Chinese: characters). "
            "*published*: the same after BERT's tokeniser, only to stand beside printed figures. "
            "*sacrebleu*: as sacreBLEU does."
        ),
    ] = "paper",
    field: Annotated[
        str, typer.Option(help="The field of a prediction; `utterance` scores leaving all as it is.")
    ] = "rewrite",
    compare: Annotated[
        Path | None, typer.Option(help="A second system's predictions: test whether the two differ.")
    ] = None,
    compare_field: Annotated[
        str | None, typer.Option(help="Its field, where that has another name than the first one's.")
    ] = None,
    intervals: Annotated[bool, typer.Option("--intervals", help="Show 95 % bootstrap intervals.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="Seed of all resampling.")] = 0,
    language: Annotated[
        str | None, typer.Option(help="Whose words: en or zh; else as the references say, or guessed.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    skip_bad: SkipBad = False,
) -> None:
    """Score rewrites against references: BLEU, ROUGE, exact match, and what was restored.

    Lines are matched by `id` where all have one, else by their order. References with a `domain` are also
    scored by domain. Needs the extra `metrics`: `pip install 'utterly[metrics]'`.

    Example: `utterly evaluate --predictions mine.jsonl --references test.jsonl --compare theirs.jsonl`
    """
    from utterly.metrics import Predictions, score_files
    from utterly.terminal.progress import busy
    from utterly.terminal.scores import show_scores

    against = Predictions(compare, compare_field or field) if compare else None
    with _skipping(skip_bad) as on_bad, busy(f"scoring {predictions.name}"):
        scores = score_files(
            references,
            Predictions(predictions, field),
            against,
            mode=mode,
            language=language,
            intervals=intervals,
            seed=seed,
            on_bad=on_bad,
        )
    if as_json:
        typer.echo(json.dumps(scores.to_dict(), indent=2))
    else:
        show_scores(scores)


@app.command(no_args_is_help=True)
def rules(
    labels: Annotated[Path, typer.Argument(metavar="LABELS", help="Label lines, made by `utterly label`.")],
    book: Annotated[
        Path | None, typer.Argument(metavar="BOOK", help="The rule book to write; left out, it is only shown.")
    ] = None,
    threshold: Annotated[
        float, typer.Option(min=0, max=1, help="The share of phrases that a cluster must cover to stay.")
    ] = 0.005,
    max_slots: Annotated[int, typer.Option(min=1, help="The most slots of a rule.")] = 3,
    size: Annotated[
        int | None, typer.Option(min=1, help="Instead of a threshold: so many rules beside the null rule.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the clustering.")] = 0,
    sweep: Annotated[
        Path | None, typer.Option(metavar="OUT.png", help="Draw the number of rules against the threshold instead.")
    ] = None,
    thresholds: Annotated[
        str | None, typer.Option(help="The thresholds of the sweep, apart by commas; the paper's where none are given.")
    ] = None,
    oracle: Annotated[
        Path | None, typer.Option(metavar="LABELS", help="Label lines, of dev data: score the sweep's books on them.")
    ] = None,
) -> None:
    """Make a rule book: cluster the rules of labels, and keep the clusters that cover enough phrases.

    Shows each rule with the share of phrases it stands for, and the first of its members. With `--sweep` it draws
    how the number of rules, and with `--oracle` the scores of gold scripts in those rules, hang on the threshold.
    Needs the extra `labels`: `pip install 'utterly[labels]'`; `--oracle` also `metrics`.

    Example: `utterly rules train.labels.jsonl rules.json --threshold 0.005`
    """
    from utterly.labels.labels import read_labels
    from utterly.rules import sweep as sweeping
    from utterly.rules.build import build_book
    from utterly.rules.cluster import cluster_rules, count_rules
    from utterly.terminal.progress import busy, counted
    from utterly.terminal.rules import show_book, show_sweep

    if sweep is None and (oracle or thresholds is not None):
        raise typer.BadParameter("--oracle and --thresholds are for a sweep; name its picture with --sweep OUT.png")
    tried = sweeping.PAPER_THRESHOLDS if thresholds is None else sweeping.parse_thresholds(thresholds)
    counts = count_rules(counted(read_labels(labels), f"reading {labels.name}"))
    with busy("clustering"):
        clusters = cluster_rules(counts, seed=seed)
    if book or not sweep:
        made = build_book(clusters, counts, threshold=threshold, max_slots=max_slots, size=size)
        if book:
            made.save(book)
        show_book(made)
    if sweep:
        scored = list(read_labels(oracle)) if oracle else None
        points = sweeping.sweep(clusters, counts, tried, max_slots=max_slots, oracle_labels=scored)
        done = list(counted(points, "sweeping", total=len(tried)))
        sweeping.draw_sweep(done, sweep)
        show_sweep(done)


@app.command(no_args_is_help=True)
def restrict(
    labels: Annotated[Path, typer.Argument(metavar="LABELS", help="Label lines, made by `utterly label`.")],
    book: Annotated[Path, typer.Argument(metavar="BOOK", help="The rule book, made by `utterly rules`.")],
    out: Out,
    literal: Annotated[
        bool,
        typer.Option(
            "--literal",
            help="Let phrases keep their spans, as in the paper; else words outside the rules are copied if it helps.",
        ),
    ] = False,
    tagger: Annotated[
        str, typer.Option(help="hct; or *mst*: spans without rule words; or *rast*: one span a phrase.")
    ] = "hct",
) -> None:
    """Put labels into the rules of a book, ready for training.

    Each line says in `book` which book it was made with, and in `oracle` how the rewrite reads, so that
    `utterly evaluate --field oracle` gives the ceiling of every tagger with this book.
    Needs the extra `labels`: `pip install 'utterly[labels]'`.

    Example: `utterly restrict dev.labels.jsonl rules.json dev.restricted.jsonl`
    """
    from utterly.labels.labels import read_labels
    from utterly.labels.variants import variant
    from utterly.rules.book import RuleBook
    from utterly.rules.restrict import Restriction
    from utterly.rules.restricted import write_restricted
    from utterly.terminal.progress import counted

    as_tagger = variant(tagger)
    restriction = Restriction(RuleBook.load(book), copy_words=tagger == "hct" and not literal)
    read = counted(map(as_tagger, read_labels(labels)), f"reading {labels.name}")
    count = write_restricted(out, read, restriction)
    typer.echo(f"wrote {count:,} label lines in {len(restriction.book)} rules to {out}")


@app.command(no_args_is_help=True)
def train(
    recipe: Annotated[Path, typer.Argument(metavar="RECIPE", help="Every setting of the run, as TOML.")],
) -> None:
    """Train a tagger as a recipe says, and keep the model that is best on dev.

    The run is kept in the folder that the recipe names in `out`: `model`, `log.jsonl` and a checkpoint. Stopped at any
    moment, the same command goes on from the checkpoint to the same result. For several processes:
    `accelerate launch -m utterly.training RECIPE`. Needs the extra `train`: `pip install 'utterly[train]'`.

    Example: `utterly train recipes/canard-hct-gte-small.toml`
    """
    from utterly.recipe import Recipe

    settings = Recipe.read(recipe)
    _require("torch", "transformers", "accelerate", extra="train")
    from utterly.terminal.training import training_progress
    from utterly.training import loop

    with training_progress() as report:
        loop.train(settings, report=report)
    typer.echo(f"the best model is in {Path(settings.out) / 'model'}")


@app.command(no_args_is_help=True)
def calibrate(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="The folder of a model; it is changed.")],
    held_out: Annotated[
        Path, typer.Argument(metavar="HELD_OUT", help="JSON lines with `rewrite` that training has not seen.")
    ],
    device: Device = "cpu",
    jobs: Annotated[int, typer.Option(min=1, help="Number of processes.")] = 1,
) -> None:
    """Fit how a model chooses scripts to held-out dialogues, and save that into the model.

    Tried are the bias against inserting nothing and the prices of whole-script faults; the best mean of BLEU-4 and
    exact match wins. Shows the best trials. Needs the extra `train`: `pip install 'utterly[train]'`.

    Example: `utterly calibrate runs/canard/hct/model runs/canard/held.jsonl --jobs 2`
    """
    _require("torch", "transformers", extra="train")
    from utterly.dialogues import read_jsonl
    from utterly.taggers.model import TaggerModel
    from utterly.terminal.progress import busy
    from utterly.terminal.training import show_trials
    from utterly.training.calibrate import fit_decode

    loaded, dialogues = TaggerModel.from_pretrained(model), list(read_jsonl(held_out))
    with busy(f"fitting to {held_out.name}"):
        trials = fit_decode(loaded, dialogues, device=device, workers=jobs)
    loaded.with_decode(trials[0].settings).save_pretrained(model)
    show_trials(trials, len(dialogues))


@app.command(no_args_is_help=True)
def predict(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="The folder of a model, or its name on the hub.")],
    file: Annotated[Path, typer.Argument(metavar="IN", help="JSON lines, plain or gzip.")],
    out: Out,
    batch_size: Annotated[int, typer.Option(min=1, help="Dialogues that are read together.")] = 32,
    device: Device = "cpu",
    n_best: Annotated[int, typer.Option(min=1, help="How many rewrites of each dialogue, best first.")] = 1,
) -> None:
    """Rewrite dialogues with a model.

    Each line of `OUT` is the dialogue with `rewrite`, its `log_probability` and its `edits`; a rewrite that `IN` knows
    is there as `target`. So `utterly evaluate --predictions OUT --references IN` scores it.
    Needs the extra `train`: `pip install 'utterly[train]'`.

    Example: `utterly predict runs/canard/hct/model test.jsonl predictions.jsonl --batch-size 64`
    """
    _require("torch", "transformers", extra="train")
    from utterly.dialogues import read_jsonl
    from utterly.predictions import write_predictions
    from utterly.taggers.model import TaggerModel
    from utterly.terminal.progress import counted

    dialogues = counted(read_jsonl(file), f"rewriting {file.name}")
    answers = TaggerModel.from_pretrained(model).predict(dialogues, device=device, batch_size=batch_size, n=n_best)
    count = write_predictions(out, answers)
    typer.echo(f"wrote the rewrites of {count:,} dialogues to {out}")


def _require(*modules: str, extra: str) -> None:
    """Say which extra is missing, before a module that needs it is imported."""
    for module in modules:
        require(module, extra=extra)


@contextmanager
def _skipping(wanted: bool) -> Iterator[Skipped | None]:
    """What to do with bad records: nothing of our own, or pass over them and report them in the end."""
    skipped = Skipped()
    yield skipped if wanted else None
    if skipped:
        typer.echo(str(skipped), err=True)
