"""The page of `utterly compare --html`: one file with data, style and script inside, which loads and sends nothing.

The texts are data: the script shows them as text, and the page's policy lets no other script run.
"""

import json
import math
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from utterly.dialogues.dialogue import split_words
from utterly.labels.lcs import aligned_pairs
from utterly.metrics.errors import MEANINGS, ErrorKind
from utterly.metrics.side_by_side import JudgedDialogue, JudgedRewrite, SideBySide

_FOLDER: Final = Path(__file__).parent

Segments = list[tuple[str, str]]
"""Texts, each after its sign: "=" is in both, "-" in the old one only, "+" in the new one only."""


def to_html(found: SideBySide) -> str:
    """The page, whole."""
    style, script = ((_FOLDER / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    parts = {
        "style": style,
        "script": script,
        "policy": f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}",
        # In JSON "<" occurs only inside strings, so nothing in the data can end its element.
        "data": json.dumps(_plain(found), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
    }
    page = (_FOLDER / "page.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], page)


def drawn(old: str, new: str) -> Segments:
    """A text over another. Without what only the old one has, the segments joined are the new one.

    >>> drawn("Is he Swiss?", "Is Federer Swiss?")
    [('=', 'Is '), ('-', 'he'), ('+', 'Federer'), ('=', ' Swiss?')]
    """
    words, new_words = split_words(old), split_words(new)
    pairs = aligned_pairs([word.text.lower() for word in words], [word.text.lower() for word in new_words])
    segments: Segments = []
    i = j = at = 0  # the next word of each, and how much of the new text is drawn
    for next_i, next_j in (*pairs, (len(words), len(new_words))):
        start = new_words[j].start if j < len(new_words) else len(new)
        _draw(segments, "=", new[at:start])
        if i < next_i:
            _draw(segments, "-", old[words[i].start : words[next_i - 1].stop])
        at = new_words[next_j - 1].stop if j < next_j else start
        _draw(segments, "+", new[start:at])
        if next_j < len(new_words):
            _draw(segments, "=", new[at : new_words[next_j].stop])
            at = new_words[next_j].stop
        i, j = next_i + 1, next_j + 1
    _draw(segments, "=", new[at:])
    return segments


def _draw(segments: Segments, sign: str, text: str) -> None:
    if text and segments and segments[-1][0] == sign:
        segments[-1] = sign, segments[-1][1] + text
    elif text:
        segments.append((sign, text))


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _plain(found: SideBySide) -> dict[str, Any]:
    differences = found.comparison.differences if found.comparison else {}
    return {
        "systems": [str(system) for system in found.systems],
        "references": str(found.references),
        "settings": str(found.scores[0]["EM"].settings),
        "test": found.comparison and f"paired bootstrap, {found.comparison.trials:,} trials",
        "kinds": [[kind, MEANINGS[kind]] for kind in ErrorKind],
        "scores": {
            name: {
                "values": [scores[name].value for scores in found.scores],
                "difference": differences[name].value if differences else None,
                "p": differences[name].p if differences else None,
            }
            for name in found.scores[0]
        },
        "rows": [_row(each) for each in found.dialogues],
    }


def _row(judged: JudgedDialogue) -> dict[str, Any]:
    dialogue = judged.dialogue
    source, target = dialogue.source.text, dialogue.target.text if dialogue.target else ""
    return {
        "id": dialogue.id,
        "domain": dialogue.domain,
        "context": [turn.text for turn in dialogue.context],
        "words": [len(dialogue.source.words), sum(len(turn.words) for turn in dialogue.context)],
        "source": source,
        "target": drawn(source, target),
        "rewrites": [_rewrite(rewrite, source, target) for rewrite in judged.rewrites],
    }


def _rewrite(rewrite: JudgedRewrite, source: str, target: str) -> dict[str, Any]:
    sure = rewrite.confidence
    return {
        "loss": round(rewrite.loss, 4),
        "kinds": [number for number, kind in enumerate(ErrorKind) if kind in rewrite.kinds],
        "confidence": sure if sure is not None and math.isfinite(sure) else None,
        "edits": rewrite.edits,
        "source": drawn(source, rewrite.text),
        "target": drawn(target, rewrite.text),
    }
