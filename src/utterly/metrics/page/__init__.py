"""The page of `utterly compare --html`: one file with its data, style and script, which loads and sends nothing.

Texts are data: the script shows them as text, and the page's content policy lets no other script run.
"""

import json
import math
import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from utterly.dialogues.dialogue import split_words
from utterly.labels.lcs import aligned_pairs
from utterly.metrics.errors import MEANINGS, ErrorKind
from utterly.metrics.side_by_side import JudgedDialogue, JudgedRewrite, SideBySide

_FOLDER: Final = Path(__file__).parent

SignedText = tuple[str, str]
"""A sign and a text: "=" is in both texts, "-" only in the old one, "+" only in the new one."""


def to_html(found: SideBySide) -> str:
    style, script = ((_FOLDER / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    parts = {
        "style": style,
        "script": script,
        "policy": f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}",
        # In JSON, "<" occurs only inside strings; escaped, nothing in the data can end its element.
        "data": json.dumps(_plain(found), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
    }
    page = (_FOLDER / "page.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], page)


def text_diff(old: str, new: str) -> list[SignedText]:
    """How one text became another. Joined without "-", the texts are the new one.

    >>> text_diff("Is he Swiss?", "Is Federer Swiss?")
    [('=', 'Is '), ('-', 'he'), ('+', 'Federer'), ('=', ' Swiss?')]
    """
    by_sign = groupby(filter(itemgetter(1), _pieces(old, new)), key=itemgetter(0))
    return [(sign, "".join(text for _, text in group)) for sign, group in by_sign]


def _pieces(old: str, new: str) -> Iterator[SignedText]:
    words, new_words = split_words(old), split_words(new)
    pairs = aligned_pairs([word.text.lower() for word in words], [word.text.lower() for word in new_words])
    i = j = done = 0  # the next word of each text, and how many characters of the new one were yielded
    for next_i, next_j in (*pairs, (len(words), len(new_words))):
        start = new_words[j].start if j < len(new_words) else len(new)
        yield "=", new[done:start]
        if i < next_i:
            yield "-", old[words[i].start : words[next_i - 1].stop]
        done = new_words[next_j - 1].stop if j < next_j else start
        yield "+", new[start:done]
        if next_j < len(new_words):
            yield "=", new[done : new_words[next_j].stop]
            done = new_words[next_j].stop
        i, j = next_i + 1, next_j + 1
    yield "=", new[done:]


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
        "target": text_diff(source, target),
        "rewrites": [_rewrite(rewrite, source, target) for rewrite in judged.rewrites],
    }


def _rewrite(rewrite: JudgedRewrite, source: str, target: str) -> dict[str, Any]:
    confidence = rewrite.confidence
    return {
        "loss": round(rewrite.loss, 4),
        "kinds": [number for number, kind in enumerate(ErrorKind) if kind in rewrite.kinds],
        "confidence": confidence if confidence is not None and math.isfinite(confidence) else None,
        "edits": rewrite.edits,
        "source": text_diff(source, rewrite.text),
        "target": text_diff(target, rewrite.text),
    }
