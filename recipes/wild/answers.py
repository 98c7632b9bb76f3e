"""Answers as chat assistants give them: long, and often in Markdown."""

import random
import re
from collections.abc import Sequence
from typing import Final

_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'(])")
_NAME: Final = re.compile(r"(?<![*\w])(?:[A-Z][\w'’-]+(?: (?:of|the|de|and) )?(?: ?[A-Z][\w'’-]+)*)")
_INTRODUCTIONS: Final = (
    "Here is what I found:",
    "Here's a short overview:",
    "Sure! In short:",
    "Good question.",
    "There are a few things to know:",
)
_OFFERS: Final = (
    "Let me know if you would like to know more.",
    "Would you like more details?",
    "I hope this helps!",
    "Is there anything else you would like to know?",
)


def sentences(text: str) -> list[str]:
    return _SENTENCE_END.split(text.strip())


def words_in(text: str) -> int:
    return len(text.split())


def lengthened(answer: str, later: Sequence[str], *, words: int) -> str:
    """The answer and what later ones say, up to about so many words, with no sentence cut."""
    said = sentences(answer)
    for sentence in (each for text in later for each in sentences(text)):
        if words_in(" ".join(said)) >= words:
            break
        if sentence not in said:
            said.append(sentence)
    return " ".join(said)


def dressed(answer: str, rng: random.Random) -> str:
    """The answer as it is, or as an assistant would set it in Markdown."""
    said = sentences(answer)
    (kind,) = rng.choices(("plain", "bullets", "numbers", "bold", "framed"), (58, 11, 7, 12, 12))
    if kind == "bold":
        name = _NAME.search(answer, len(said[0]) // 2)
        return answer[: name.start()] + f"**{name[0]}**" + answer[name.end() :] if name else answer
    if kind == "framed":
        return " ".join((rng.choice(_INTRODUCTIONS), answer, rng.choice(_OFFERS)))
    if kind == "plain" or len(said) < 3:
        return answer
    marks = (f"{number}. " if kind == "numbers" else "- " for number in range(1, len(said) + 1))
    items = [mark + each for mark, each in zip(marks, said[1:], strict=False)]
    return "\n".join((said[0], *items))
