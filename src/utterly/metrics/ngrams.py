"""The n-grams of a list of words."""

from collections.abc import Iterator, Sequence


def ngrams(words: Sequence[str], order: int) -> Iterator[tuple[str, ...]]:
    """Every run of `order` words, from left to right.

    >>> list(ngrams(["is", "he", "swiss"], 2))
    [('is', 'he'), ('he', 'swiss')]
    """
    return zip(*(words[start:] for start in range(order)), strict=False)
