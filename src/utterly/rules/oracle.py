"""How well a tagger would do that never errs: scripts from labels, applied and scored.

Labels restricted to a book give the ceiling of every tagger that chooses from that book.
"""

from collections.abc import Iterable

from utterly.errors import LabelError
from utterly.labels.labels import Labels
from utterly.metrics import Report, evaluate


def oracle(labels: Iterable[Labels]) -> Report:
    """The rewrites that the scripts give against the targets, in `paper` mode."""
    rewrites, targets, sources, languages = [], [], [], set()
    for each in labels:
        dialogue = each.script.dialogue
        if dialogue.target is None:
            raise LabelError(
                f"an oracle needs the target of each dialogue, but {dialogue.id or dialogue.source.text[:60]!r} has "
                "none; give its rewrite"
            )
        rewrites.append(each.script.apply())
        targets.append(dialogue.target.text)
        sources.append(dialogue.source.text)
        languages.add(dialogue.language)
    if not rewrites:
        raise LabelError("an oracle needs labels to score, but none came; give label lines of dev data")
    language = languages.pop() if len(languages) == 1 else None
    return evaluate(rewrites, targets, sources=sources, language=language)
