"""Read TREC CAsT, 2019 to 2021: conversational search by topic, each turn with its manual rewrite.

2019 and 2020 have no answers, 2021 has a passage for each turn. The rewrites of 2019 are in a separate file.
"""

from collections.abc import Iterator
from pathlib import Path

from utterly.dialogues.corpora.exchanges import Exchange, read_exchanges
from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.fields import Fields
from utterly.dialogues.reading import OnBad
from utterly.files import numbered_lines


def read_cast(path: Path | str, *, on_bad: OnBad | None = None) -> Iterator[Dialogue]:
    """The dialogues of a topics file, such as 2021_manual_evaluation_topics_v1.0.json.

    evaluation_topics_v1.0.json (2019) needs evaluation_topics_annotated_resolved_v1.0.tsv next to it.
    """
    resolved = _resolved(Path(path))

    def exchanges(topic: Fields) -> Iterator[Exchange]:
        for turn in topic.objects("turn"):
            id_ = f"{topic.integer('number')}_{turn.integer('number')}"
            target = turn.optional_text("manual_rewritten_utterance") or resolved.get(id_)
            yield Exchange(id_, turn.text("raw_utterance"), target, turn.optional_text("passage"))

    return read_exchanges(path, exchanges, on_bad)


def _resolved(path: Path) -> dict[str, str]:
    """The rewrites of 2019 by id; none for other years."""
    rewrites = path.with_name(path.name.replace("topics_v", "topics_annotated_resolved_v").replace(".json", ".tsv"))
    if rewrites.name == path.name or not rewrites.is_file():
        return {}
    columns = (line.partition("\t") for _, line in numbered_lines(rewrites))
    return {id_: target.strip() for id_, _, target in columns}
