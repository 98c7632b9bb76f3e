"""Training as it goes, and the decode settings that were tried after it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from utterly.terminal.tables import output_console, plain_table
from utterly.training.trials import Trial

_TRIALS_SHOWN: Final = 10


@contextmanager
def training_progress() -> Iterator[Callable[[dict[str, Any]], None]]:
    """What training reports to: a bar on the error stream of a terminal, and a line an epoch on the output stream."""
    console, output = Console(stderr=True), output_console()
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=None)

        def show(event: dict[str, Any]) -> None:
            progress.update(task, completed=event["step"], total=event["steps"], description=_state(event))
            if "epoch" in event:
                output.print(Text(epoch_line(event)))

        yield show


def epoch_line(event: dict[str, Any]) -> str:
    """
    >>> scores = {"dev_bleu4": 57.28, "dev_em": 33.77}
    >>> epoch_line({"epoch": 2, "loss": 1.25, "action": 0.5, "rule": 0.25, "span": 0.5, "seconds": 72.0, **scores})
    'epoch 2: loss 1.2500 (action 0.5000, rule 0.2500, span 0.5000), dev BLEU-4 57.28, EM 33.77, 72.0 s'
    """
    parts = ", ".join(f"{name} {event[name]:.4f}" for name in ("action", "rule", "span"))
    scores = f"dev BLEU-4 {event['dev_bleu4']:.2f}, EM {event['dev_em']:.2f}"
    return f"epoch {event['epoch']}: loss {event['loss']:.4f} ({parts}), {scores}, {event['seconds']:.1f} s"


def show_trials(trials: Sequence[Trial], dialogues: int) -> None:
    """Print the best trials, and what made their scores."""
    console = output_console()
    console.print(trials_table(trials[:_TRIALS_SHOWN]))
    made_by = f"the best of {len(trials)} settings on {dialogues:,} dialogues; their own words, case:folded|smooth:none"
    console.print(Text(made_by, style="dim"), soft_wrap=True)


def trials_table(trials: Sequence[Trial]) -> Table:
    fitted = ("null_bias", "empty_delete_cost", "stay_probability", "candidates", "temperature")
    table = plain_table(*(name.replace("_", " ") for name in fitted), "BLEU-4", "EM", "mean")
    for trial in trials:
        chosen = (getattr(trial.settings, name) for name in fitted)
        scores = (trial.bleu4, trial.exact, trial.value)
        table.add_row(*(f"{value:g}" for value in chosen), *(f"{score:.2f}" for score in scores))
    return table


def _state(event: dict[str, Any]) -> str:
    rate = f", rate {event['rate']:.1e}" if "rate" in event else ""
    dev = f", dev BLEU-4 {event['dev_bleu4']:.2f}, EM {event['dev_em']:.2f}" if "dev_bleu4" in event else ""
    return f"loss {event['loss']:.3f}{rate}{dev}"
