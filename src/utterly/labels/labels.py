"""`Labels`, the training data of taggers, and the lines of a label file.

A label line is the dialogue with `script` (see `utterly.scripts.serialize`) and `mentions`: for each edit and each slot
of its rule, every `[turn, start, stop]` with the same words, newest turn first.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.fields import Fields
from utterly.dialogues.jsonl import dialogue_from_json, dialogue_to_json
from utterly.dialogues.reading import Record, read_records
from utterly.errors import DialogueError, EditError, LabelError
from utterly.scripts.edits import Edit, EditScript, Rule, Span
from utterly.scripts.serialize import script_from_json, script_to_json

Mentions = tuple[tuple[Span, ...], ...]
"""For each slot of a rule, every context span with the same words, newest turn first."""


@dataclass(frozen=True)
class Labels:
    """A script, and the mentions for each of its edits; the script uses the first of each slot."""

    script: EditScript
    mentions: tuple[Mentions, ...]

    def __post_init__(self) -> None:
        first = tuple(tuple(spans[0] if spans else None for spans in slots) for slots in self.mentions)
        if first != tuple(edit.spans for edit in self.script.edits):
            raise EditError(
                "labels need mentions for each slot of each edit, the first of them as in the script, but they differ; "
                "label the dialogue again"
            )
        sizes = [len(turn.words) for turn in self.script.dialogue.context]
        for span in (span for slots in self.mentions for spans in slots for span in spans):
            if span.turn >= len(sizes) or span.stop > sizes[span.turn]:
                raise EditError(
                    f"{span} is outside the context, whose turns have {sizes} words; label the dialogue again"
                )

    @classmethod
    def of(cls, dialogue: Dialogue, edits: Iterable[tuple[bool, Rule, Mentions]]) -> Self:
        """Labels from the edits of a dialogue: whether to keep the word, the rule, and the mentions for its slots."""
        keeps, rules, mentions = zip(*edits, strict=True)
        spans = (tuple(slot[0] for slot in slots) for slots in mentions)
        return cls(EditScript(dialogue, tuple(map(Edit, keeps, rules, spans))), mentions)

    @property
    def id(self) -> str | None:
        return self.script.dialogue.id


def labels_to_json(labels: Labels) -> dict[str, Any]:
    """A label line."""
    mentions = [
        [[[span.turn, span.start, span.stop] for span in spans] for spans in slots] for slots in labels.mentions
    ]
    dialogue = dialogue_to_json(labels.script.dialogue)
    return {**dialogue, "script": script_to_json(labels.script), "mentions": mentions}


def labels_from_json(value: Any) -> Labels:
    """The inverse of `labels_to_json`."""
    dialogue = dialogue_from_json(value)
    if "script" not in value or "mentions" not in value:
        raise EditError("a label line needs the fields script and mentions; make it with `utterly label`")
    script = script_from_json(value["script"], dialogue)
    try:
        mentions = tuple(tuple(tuple(Span(*span) for span in spans) for spans in slots) for slots in value["mentions"])
    except TypeError:
        raise EditError(
            "mentions must be [turn, start, stop] for each mention of each slot of each edit; label the dialogue again"
        ) from None
    return Labels(script, mentions)


def read_labels(path: Path | str, *, lines: Iterable[tuple[int, bytes]] | None = None) -> Iterator[Labels]:
    """The labels of a file, one line in memory at a time; or of some of its lines, each with its number."""

    def read(record: Record) -> Iterator[Labels]:
        try:
            yield labels_from_json(Fields.parsed(record.text).values)
        except EditError as wrong:
            raise DialogueError(str(wrong)) from None

    return read_records(path, read, None, records=lines)


def mst_labels(labels: Labels) -> Labels:
    """For MST, which has no rule words: the spans of each phrase, in order."""
    return _with_slots(labels, [range(edit.rule.slots) for edit in labels.script.edits])


def rast_labels(labels: Labels) -> Labels:
    """For RaST, which has one span per phrase: the longest in characters, or the first of equally long ones."""
    chosen = []
    for edit in labels.script.edits:
        sizes = [sum(map(len, span.words_in(labels.script.dialogue))) for span in edit.spans]
        chosen.append([sizes.index(max(sizes))] if sizes else [])
    return _with_slots(labels, chosen)


def whole_span_labels(labels: Labels) -> Labels:
    """For RaST as it was first trained: phrases that are not a single span are dropped."""
    chosen = [range(edit.rule == Rule.glue(1)) for edit in labels.script.edits]
    return _with_slots(labels, chosen)


def _with_slots(labels: Labels, chosen: Sequence[Sequence[int]]) -> Labels:
    """The labels with only the chosen slots of each edit and no rule words."""
    edits = zip(labels.script.edits, labels.mentions, chosen, strict=True)
    glued = ((edit.keep, Rule.glue(len(slots)), tuple(same[slot] for slot in slots)) for edit, same, slots in edits)
    return Labels.of(labels.script.dialogue, glued)


TAGGER_LABELS: Final[dict[str, Callable[[Labels], Labels]]] = {
    "hct": lambda labels: labels,
    "mst": mst_labels,
    "rast": rast_labels,
}
"""For each tagger, the function that turns labels into its training labels."""


def labels_for(tagger: str, *, literal: bool = False) -> Callable[[Labels], Labels]:
    """The function that makes a tagger's training labels; with `literal`, RaST learns only phrases of a single span."""
    if tagger not in TAGGER_LABELS:
        raise LabelError(f"no tagger called {tagger!r}; known taggers: {', '.join(TAGGER_LABELS)}")
    return whole_span_labels if literal and tagger == "rast" else TAGGER_LABELS[tagger]
