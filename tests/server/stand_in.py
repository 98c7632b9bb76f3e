"""A rewriter without a model: it puts a name for a pronoun and adds `besides` to `any other`, by real edit scripts.

python -m tests.server.stand_in    # serves it, as the environment's settings say
"""

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from utterly.dialogues.dialogue import Dialogue, split_words
from utterly.model.folder import ModelFolder
from utterly.model.model import ModelConfig
from utterly.model.terms import Term
from utterly.rewriter import Alternative, Rewrite, Rewriter
from utterly.scripts.edits import Edit, EditScript, Rule, Span

NAMES = {"Federer", "Anna", "Paris", "周杰伦", "Müller"}
PRONOUNS = {"he", "she", "it", "he's", "他", "她"}


class StandIn(Rewriter):
    """Answers at once, or after `seconds` a batch. It remembers how many dialogues came together."""

    def __init__(self, *, seconds: float = 0.0, seconds_each: float = 0.0) -> None:
        models = [
            ModelFolder(
                language, Path("/nowhere/secret"), ModelConfig(tagger="hct", language=language, min_confidence=0.4)
            )
            for language in ("en", "zh")
        ]
        super().__init__(models)
        self.seconds, self.seconds_each = seconds, seconds_each
        self.batches: list[int] = []

    def rewrite(self, dialogue: Any, **wishes: Any) -> Rewrite:
        return next(iter(self.rewrite_many([dialogue], **wishes)))

    def rewrite_many(self, dialogues: Iterable[Any], **wishes: Any) -> Iterator[Rewrite]:
        asked: Sequence[Dialogue] = list(dialogues)
        self.batches.append(len(asked))
        time.sleep(self.seconds + self.seconds_each * len(asked))
        for dialogue in asked:
            if "explode" in dialogue.source.text:
                raise RuntimeError(f"/nowhere/secret: cannot rewrite {dialogue.source.text!r}")
        yield from (_rewrite(dialogue, **wishes) for dialogue in asked)


def _rewrite(
    dialogue: Dialogue,
    *,
    n_best: int = 1,
    min_confidence: float | None = None,
    fail_open: bool = False,
    search: bool = False,
) -> Rewrite:
    script = EditScript.from_changes(dialogue, _changes(dialogue))
    source, text = dialogue.source.text, script.apply()
    if not dialogue.context:
        return Rewrite(text=source, source=source, confidence=1.0, model=dialogue.language, reason="nothing before it")
    confidence = 0.9 if script.has_changes else 0.8
    least = 0.4 if min_confidence is None else min_confidence
    held_back = script.has_changes and confidence < least
    others = [Alternative(source, 0.06), Alternative(f"{source} (or so)", 0.03)] if script.has_changes else []
    return Rewrite(
        text=source if held_back else text,
        source=source,
        confidence=confidence,
        model=dialogue.language,
        script=EditScript.unchanged(dialogue) if held_back else script,
        alternatives=tuple(others[: n_best - 1]),
        abstained=held_back,
        reason=f"confidence {confidence:.2f} is under {least:g}" if held_back else None,
        terms=(Term("tennis", Span(0, 0, 1), 0.5),) if search else None,
    )


def _changes(dialogue: Dialogue) -> Iterator[tuple[int, Edit]]:
    name = _named(dialogue)
    if name is None:
        return
    words = [word.text for word in dialogue.source.words]
    for i, word in enumerate(words):
        if word.lower() in PRONOUNS:
            yield i, Edit(False, Rule.parse("_"), (name,))
    if "other" in words and not PRONOUNS & set(words):
        end = len(words) - 1 if words[-1] == "?" else len(words)
        yield end, Edit(True, Rule.parse("besides _"), (name,))


def _named(dialogue: Dialogue) -> Span | None:
    """The first known name of the context."""
    for turn, said in enumerate(dialogue.context):
        words = [word.text for word in said.words]
        for name in NAMES:
            parts = [word.text for word in split_words(name)]
            for start in range(len(words) - len(parts) + 1):
                if words[start : start + len(parts)] == parts:
                    return Span(turn, start, start + len(parts))
    return None


def main() -> None:
    from utterly.server.serve import serve
    from utterly.server.settings import ServerSettings

    slow = {name: float(os.environ.get(f"STAND_IN_{name.upper()}", "0")) for name in ("seconds", "seconds_each")}
    serve(ServerSettings.read(), rewriter=StandIn(**slow))


if __name__ == "__main__":
    main()
