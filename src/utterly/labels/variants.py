"""The labels of HCT's simpler relatives, made from HCT's: both copy spans and have no words of their own.

MST   the spans of a phrase in order, its rule words dropped
RaST  one span a phrase: the one that says it, else its longest
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from utterly.errors import LabelError
from utterly.labels.labels import Labels
from utterly.scripts.edits import EditScript, Rule, Span


def mst_labels(labels: Labels) -> Labels:
    """The labels with a glue rule wherever a rule has slots, and none elsewhere."""
    return _with_slots(labels, [range(edit.rule.slots) for edit in labels.script.edits])


def rast_labels(labels: Labels) -> Labels:
    """The labels with at most one span an edit: of several the longest in characters, of equals the first."""

    def characters(span: Span) -> int:
        return sum(map(len, span.words_in(labels.script.dialogue)))

    chosen = []
    for edit in labels.script.edits:
        sizes = [characters(span) for span in edit.spans]
        chosen.append([sizes.index(max(sizes))] if sizes else [])
    return _with_slots(labels, chosen)


def _with_slots(labels: Labels, chosen: Sequence[Sequence[int]]) -> Labels:
    """The labels with only the chosen slots of each edit, and no rule words."""
    script = labels.script
    edits = tuple(
        replace(edit, rule=Rule.glue(len(slots)), spans=tuple(edit.spans[slot] for slot in slots))
        for edit, slots in zip(script.edits, chosen, strict=True)
    )
    mentions = tuple(tuple(same[slot] for slot in slots) for same, slots in zip(labels.mentions, chosen, strict=True))
    return Labels(EditScript(script.dialogue, edits), mentions)


VARIANTS: Final[dict[str, Callable[[Labels], Labels]]] = {
    "hct": lambda labels: labels,
    "mst": mst_labels,
    "rast": rast_labels,
}
"""By tagger, how it reads the labels."""


def variant(tagger: str) -> Callable[[Labels], Labels]:
    """How a tagger, by its name, reads the labels."""
    if tagger not in VARIANTS:
        raise LabelError(f"no tagger called {tagger!r}; known taggers: {', '.join(VARIANTS)}")
    return VARIANTS[tagger]
