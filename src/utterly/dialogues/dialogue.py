"""`Turn` and `Dialogue`: what everything else reads and rewrites."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from utterly.dialogues.words import Word, guess_language, split_words
from utterly.errors import DialogueError


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker said in one go. The text is kept to the byte; `words` are views into it."""

    text: str

    def __post_init__(self) -> None:
        _check_text("a turn", self.text)

    @property
    def words(self) -> tuple[Word, ...]:
        return split_words(self.text)


@dataclass(frozen=True, slots=True)
class Dialogue:
    """Context turns, oldest first, then the source: the turn to rewrite.

    `target` is the source as it reads on its own, where somebody wrote that down. `language` is
    guessed from source and context where it is not given.
    """

    context: tuple[Turn, ...]
    source: Turn
    target: Turn | None = None
    language: str = ""
    domain: str | None = None
    id: str | None = None

    def __post_init__(self) -> None:
        typed = all(map(isinstance, (self.context, self.target), (tuple, Turn | None)))
        if not typed or not all(isinstance(turn, Turn) for turn in (*self.context, self.source)):
            raise DialogueError(
                "a dialogue is a tuple of Turns as context, a Turn as source and one as target, or no target, "
                "but other types came; `Dialogue.of` makes one from strings"
            )
        for name in ("language", "domain", "id"):
            if (value := getattr(self, name)) is not None:
                _check_text(f"a dialogue's {name}", value)
        if not self.language:
            text = self.source.text if self.source.text.strip() else " ".join(t.text for t in self.context[-2:])
            object.__setattr__(self, "language", guess_language(text))

    @classmethod
    def of(
        cls,
        turns: Sequence[str],
        target: str | None = None,
        *,
        language: str = "",
        domain: str | None = None,
        id: str | None = None,  # noqa: A002 - the field's own name
    ) -> Self:
        """A dialogue from plain strings, the last of which is the source.

        >>> Dialogue.of(["Who is Federer?", "A player.", "Is he Swiss?"]).source.text
        'Is he Swiss?'
        """
        if isinstance(turns, str) or not isinstance(turns, Sequence):
            raise DialogueError(
                f"turns must be a list of strings, but {type(turns).__name__} came; put the turns in a list"
            )
        if not turns:
            raise DialogueError("a dialogue needs at least one turn, but none came; give the turn to rewrite")
        *context, source = (Turn(text) for text in turns)
        goal = None if target is None else Turn(target)
        return cls(tuple(context), source, goal, language=language, domain=domain, id=id)

    def with_target(self, text: str | None) -> Self:
        """The same dialogue with another target, or with none."""
        return replace(self, target=None if text is None else Turn(text))


def _check_text(what: str, text: object) -> None:
    if not isinstance(text, str):
        raise DialogueError(f"{what} must be a string, but {type(text).__name__} came; give it as text")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as bad:
        raise DialogueError(
            f"{what} must be valid Unicode, but character {bad.start} is the lone surrogate "
            f"U+{ord(text[bad.start]):04X}; decode the text again, or replace what is broken in it"
        ) from None
