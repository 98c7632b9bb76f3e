"""`Skipped`: bad records that were passed over, counted, with the first few to look at."""

from typing import Final

from utterly.errors import FileError

SHOWN: Final = 3


class Skipped:
    """Give this to a reader as `on_bad`. A record met again, in a second reading, counts once."""

    def __init__(self) -> None:
        self._problems: dict[str, None] = {}  # a set in the order of arrival

    def __call__(self, error: FileError) -> None:
        self._problems[str(error)] = None

    def __len__(self) -> int:
        return len(self._problems)

    def __str__(self) -> str:
        """
        >>> skipped = Skipped()
        >>> skipped(FileError("talk.jsonl", "the field 'utterance' is missing; add it", line=2))
        >>> print(skipped)
        skipped 1 bad record(s), the first of them:
          talk.jsonl, line 2: the field 'utterance' is missing; add it
        """
        shown = [f"  {problem}" for problem in [*self._problems][:SHOWN]]
        return "\n".join([f"skipped {len(self)} bad record(s), the first of them:", *shown])
