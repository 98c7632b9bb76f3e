"""How much one request may ask for."""

from collections.abc import Sequence

from utterly.server.problems import Problem
from utterly.server.settings import ServerSettings


def check_batch(size: int, settings: ServerSettings) -> None:
    if size > settings.max_batch:
        raise Problem(
            "batch-too-large",
            f"a batch must have at most {settings.max_batch} dialogues, but {size} came; send them in several requests",
        )


def check_turns(size: int, settings: ServerSettings, *, at: str) -> None:
    """`at` is the list's place in the body; it may hold turns or messages."""
    if size > settings.max_turns:
        raise Problem(
            "too-many-turns",
            f"{at} must have at most {settings.max_turns} entries, but {size} came; "
            "leave out the oldest; the newest matter most",
        )


def check_characters(turns: Sequence[str], settings: ServerSettings, *, at: str) -> None:
    size = sum(map(len, turns))
    if size > settings.max_characters:
        raise Problem(
            "too-many-characters",
            f"{at} must have at most {settings.max_characters} characters in all, but {size} came; "
            "leave out the oldest turns or shorten them; the newest matter most",
        )
