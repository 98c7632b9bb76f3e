"""How conversations are laid out for a language model that asks and rewrites.

    Style: search                          where the conversation comes from: quac, search, rag
    User: What is lobular cancer?
    Bot: It begins in the glands ...
    User: How common is it?
    Means: How common is lobular cancer?

Learned is what follows `User:` and `Means:`, up to the end of the line. So one model learns two tasks: to ask on, and
to say what a question means. A third is to open a conversation about a text (`Text: ...`, then `User:`).
"""

import random
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from recipes.wild.conversations import Asked, Conversation

STYLES: Final = ("quac", "search", "rag")
USER: Final = "User:"
MEANS: Final = "Means:"


class Stretch(NamedTuple):
    """A part of a prompt. Each is cut into pieces by itself, so that the end of a line is a piece of its own."""

    text: str
    learned: bool = False


def laid_out(
    style: str, conversation: Sequence[Asked], rng: random.Random, *, meanings: float
) -> Iterator[tuple[Stretch, ...]]:
    """The lines of a conversation; what a question means is told for a share of those where it is known."""
    yield (Stretch(f"Style: {style}"), Stretch("\n"))
    for place, asked in enumerate(conversation):
        yield (Stretch(USER), *_answered(asked.question))
        if asked.rewrite and rng.random() < meanings:
            yield (Stretch(MEANS), *_answered(asked.rewrite))
        if asked.answer and place + 1 < len(conversation):
            yield (Stretch(f"Bot: {asked.answer}"), Stretch("\n"))


def opened(text: str, question: str) -> tuple[Stretch, ...]:
    return (Stretch(f"Text: {text}"), Stretch("\n"), Stretch(USER), *_answered(question))


def to_ask(style: str, conversation: Conversation) -> list[Stretch]:
    """A prompt that ends where the next question is to be said."""
    return [*_told(style, conversation), Stretch(USER)]


def to_rewrite(style: str, conversation: Conversation, question: str) -> list[Stretch]:
    """A prompt that ends where it is to be said what the question means."""
    return [*_told(style, conversation), Stretch(USER), Stretch(f" {question}"), Stretch("\n"), Stretch(MEANS)]


def to_open(text: str) -> list[Stretch]:
    return [Stretch(f"Text: {text}"), Stretch("\n"), Stretch(USER)]


def _answered(said: str) -> tuple[Stretch, Stretch]:
    return Stretch(f" {said}", learned=True), Stretch("\n", learned=True)


def _told(style: str, conversation: Conversation) -> Iterator[Stretch]:
    yield from (Stretch(f"Style: {style}"), Stretch("\n"))
    for asked in conversation:
        yield from (Stretch(USER), Stretch(f" {asked.question}"), Stretch("\n"))
        if asked.rewrite:
            yield from (Stretch(MEANS), Stretch(f" {asked.rewrite}"), Stretch("\n"))
        if asked.answer:
            yield from (Stretch(f"Bot: {asked.answer}"), Stretch("\n"))
