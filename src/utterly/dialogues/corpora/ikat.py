"""Read TREC iKAT, 2023: conversational search with a persona, whose own knowledge is left out."""

from collections.abc import Iterator
from pathlib import Path

from utterly.dialogues.corpora.exchanges import Exchange, read_exchanges
from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.fields import Fields
from utterly.dialogues.reading import OnBad


def read_ikat(path: Path | str, *, on_bad: OnBad | None = None) -> Iterator[Dialogue]:
    """The dialogues of a topics file, such as 2023_train_topics.json."""

    def exchanges(topic: Fields) -> Iterator[Exchange]:
        for turn in topic.objects("turns"):
            yield Exchange(
                f"{topic.text('number')}_{turn.integer('turn_id')}",
                turn.text("utterance"),
                turn.optional_text("resolved_utterance"),
                turn.optional_text("response"),
            )

    return read_exchanges(path, exchanges, on_bad)
