"""Read PACIFIC (Deng et al., 2022): questions about a financial report, some answered with a clarifying question."""

from collections.abc import Iterator
from pathlib import Path

from utterly.dialogues.corpora.exchanges import Exchange, read_exchanges
from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.fields import Fields
from utterly.dialogues.reading import OnBad


def read_pacific(path: Path | str, *, on_bad: OnBad | None = None) -> Iterator[Dialogue]:
    """The dialogues of train.json, validation.json or test.json, whose answers are withheld."""

    def exchanges(report: Fields) -> Iterator[Exchange]:
        for turn in sorted(report.objects("questions"), key=lambda turn: turn.integer("order")):
            yield Exchange(turn.text("uid"), turn.text("question"), turn.text("original_question"), _answer(turn))

    return read_exchanges(path, exchanges, on_bad)


def _answer(turn: Fields) -> str | None:
    """Spans are a list, figures a number."""
    answer = turn.values.get("answer")
    return None if answer is None else ", ".join(map(str, answer if isinstance(answer, list) else [answer]))
