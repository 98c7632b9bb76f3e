"""Syntax providers, and the cache of what they say."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.labels.providers import provider
from tests.strategies import TEXTS
from utterly.errors import LabelError, MissingExtraError
from utterly.labels import syntax as syntax_module
from utterly.labels.syntax import PROVIDERS, NoSyntax, Parse, Range, Syntax, default_syntax, load_syntax, nested


def said(text: str, syntax: Syntax) -> tuple[tuple[str, ...], list[str]]:
    """Lemmas, and the text of each constituent; words of these tests are apart by blanks."""
    (parse,) = syntax.parse([text])
    words = text.split()
    return parse.lemmas, [" ".join(words[start:stop]) for start, stop in parse.constituents or ()]


def test_without_syntax_words_are_lemmas_and_any_range_will_do() -> None:
    assert list(NoSyntax().parse(["The Dogs", ""])) == [Parse(("the", "dogs"), None), Parse((), None)]


def test_spacy_finds_lemmas_and_phrases_over_our_words() -> None:
    lemmas, constituents = said("The old dogs slept in a red basket .", provider("spacy"))
    assert lemmas == ("the", "old", "dog", "sleep", "in", "a", "red", "basket", ".")
    assert constituents == [
        "The old dogs slept in a red basket",
        "slept in a red basket",
        "in a red basket",
        "The old dogs",
        "a red basket",
    ]


def test_chinese_characters_are_words_and_jiebas_words_constituents() -> None:
    (parse,) = provider("zh").parse(["我喜欢iPhone手机"])
    assert parse.lemmas == ("我", "喜", "欢", "iphone", "手", "机")
    assert parse.constituents == ((1, 3), (4, 6))


@pytest.mark.parametrize("name", ["none", "spacy", "zh"])
def test_any_text_gets_a_lemma_per_word_and_nested_constituents(name: str) -> None:
    syntax = provider(name)

    @given(st.lists(TEXTS, max_size=3))
    def holds(texts: list[str]) -> None:
        parses = list(syntax.parse(texts))
        plain = list(NoSyntax().parse(texts))
        assert [len(parse.lemmas) for parse in parses] == [len(parse.lemmas) for parse in plain]
        for parse in parses:
            ranges = parse.constituents or ()
            assert all(0 <= start < stop <= len(parse.lemmas) for start, stop in ranges)
            assert nested(ranges) == ranges

    holds()


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6))))
def test_nested_ranges_do_not_cross(ranges: list[Range]) -> None:
    kept = nested(ranges)
    assert set(kept) <= set(ranges)
    assert all(stop - start > 1 for start, stop in kept)
    assert not any(a < i < b < k for a, b in kept for i, k in kept)
    for i, k in set(ranges) - set(kept):  # left out for a reason: too narrow, or a wider one crosses it
        assert k - i < 2 or any((i < a < k < b or a < i < b < k) and b - a >= k - i for a, b in kept)


def test_spacy_is_spared_texts_it_would_want_gigabytes_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syntax_module, "LONGEST", 3)
    long, short = load_syntax("spacy").parse(["The dogs slept well", "dogs slept"])
    assert long == Parse(("the", "dogs", "slept", "well"), None)
    assert short.lemmas == ("dog", "sleep")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("spicy", f"no syntax provider called 'spicy'; known: {', '.join(PROVIDERS)}"),
        ("none:big", "the syntax provider 'none' has no models, got 'big'; leave it out"),
        ("spacy:no_such_pipeline", "the spaCy pipeline 'no_such_pipeline' is not installed; install"),
    ],
)
def test_what_cannot_be_loaded_is_refused(name: str, problem: str) -> None:
    with pytest.raises(LabelError, match=problem):
        load_syntax(name)


@pytest.mark.parametrize(("name", "extra"), [("spacy", "labels"), ("zh", "labels")])
def test_a_missing_package_is_answered_with_its_extra(name: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("spacy", "jieba"):
        monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"pip install 'utterly\[{extra}\]'"):
        load_syntax(name)


def test_the_language_chooses_where_nobody_else_does() -> None:
    assert [default_syntax(language) for language in ("en", "zh", "")] == ["spacy", "zh", "spacy"]
