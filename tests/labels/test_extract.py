"""From dialogues to labels: the paper's examples, the laws, and odd dialogues."""

from typing import Any

import pytest
from hypothesis import given

from tests.labels.providers import provider
from tests.strategies import dialogues
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import LabelError
from utterly.labels.extract import LabelExtractor
from utterly.labels.function_words import FUNCTION_WORDS
from utterly.labels.labels import Labels
from utterly.labels.syntax import NoSyntax, Parse, Syntax, folded_words
from utterly.scripts.edits import NULL_RULE, Span

FEDERER = Dialogue.of(
    [
        "Why did Federer withdraw from the tournament?",
        "He injured his back in yesterday's match.",
        "Did he have any other injuries?",
    ],
    "Did Federer have any other injuries besides his back?",
)
PUPPY = Dialogue.of(["We adopted a puppy.", "It sleeps well, mostly at night."], "The puppy sleeps well at night now.")


def label(dialogue: Dialogue, syntax: Syntax | None = None, **options: Any) -> Labels:
    (labels,) = LabelExtractor(syntax or NoSyntax(), **options).extract([dialogue])
    return labels


def changes(labels: Labels) -> list[tuple[int, bool, str, list[str]]]:
    """Of each edit that changes something: the word, whether it stays, the rule, what fills the slots."""
    script = labels.script
    return [
        (i, edit.keep, str(edit.rule), [" ".join(span.words_in(script.dialogue)) for span in edit.spans])
        for i, edit in enumerate(script.edits)
        if edit.is_change
    ]


def words(text: str) -> list[str]:
    return list(folded_words(text))


class Lemmas:
    """A provider that knows a few lemmas and no constituents but the whole."""

    version = "test"

    def __init__(self, **lemmas: str) -> None:
        self._lemmas = lemmas

    def parse(self, texts: Any) -> list[Parse]:
        folded = [folded_words(text) for text in texts]
        return [Parse(tuple(self._lemmas.get(word, word) for word in each), ((0, len(each)),)) for each in folded]


@pytest.mark.parametrize("name", ["none", "spacy"])
def test_federer(name: str) -> None:
    labels = label(FEDERER, provider(name))
    assert changes(labels) == [(1, False, "_", ["Federer"]), (6, True, "besides _", ["his back"])]
    assert labels.script.apply() == FEDERER.target.text  # type: ignore[union-attr]
    assert labels.mentions[6] == ((Span(1, 2, 4),),)


@pytest.mark.parametrize("name", ["none", "spacy"])
def test_the_puppy_of_the_paper(name: str) -> None:
    """`the puppy` is not in the context, but `puppy` is; `now` is nowhere."""
    assert changes(label(PUPPY, provider(name))) == [
        (0, False, "the _", ["puppy"]),
        (3, False, "∅", []),
        (4, False, "∅", []),
        (7, True, "now", []),
    ]


def test_a_phrase_found_whole_is_one_span_with_all_its_mentions() -> None:
    dialogue = Dialogue.of(["New York, new york", "Not New York!", "Is it big?"], "Is New York big?")
    labels = label(dialogue)
    assert changes(labels) == [(1, False, "_", ["New York"])]
    assert labels.mentions[1] == ((Span(1, 1, 3), Span(0, 0, 2), Span(0, 3, 5)),)


def test_spans_never_start_inside_a_word() -> None:
    assert changes(label(Dialogue.of(["The starting gun", "When?"], "When art ?")))[0][2:] == ("art", [])


def test_function_words_alone_are_rule_words_unless_labels_are_literal() -> None:
    dialogue = Dialogue.of(["the end of it", "why"], "why of the")
    assert changes(label(dialogue)) == [(1, True, "of the", [])]
    assert changes(label(dialogue, literal=True)) == [(1, True, "_ _", ["of", "the"])]


def test_words_that_share_only_their_lemma_come_along_with_others() -> None:
    syntax = Lemmas(puppies="puppy", slept="sleep", sleeps="sleep")
    dialogue = Dialogue.of(["Red puppies slept.", "Why?"], "Why red puppy sleeps?")
    labels = label(dialogue, syntax)
    assert changes(labels) == [(1, True, "_", ["Red puppies slept"])]
    assert labels.script.apply() == "Why Red puppies slept?"
    alone = Dialogue.of(["Red puppies slept.", "Why?"], "Why puppy?")
    assert changes(label(alone, syntax)) == [(1, True, "puppy", [])]


def test_function_words_are_compared_as_they_are() -> None:
    """`was` and `is` share a lemma, and little else."""
    syntax = Lemmas(was="be", **{"is": "be"})
    dialogue = Dialogue.of(["It was red.", "Why?"], "Why is red?")
    assert changes(label(dialogue, syntax)) == [(1, True, "is _", ["red"])]


def test_of_mentions_by_lemma_those_most_alike_are_kept() -> None:
    syntax = Lemmas(dogs="dog", cats="cat")
    dialogue = Dialogue.of(["big dogs", "big dog eats", "Why?"], "Why big dog bites?")
    assert label(dialogue, syntax).mentions[1] == ((Span(1, 0, 2),),)


def test_literal_labels_take_any_words_as_spans_and_match_by_lemma_alone() -> None:
    dialogue = Dialogue.of(["the end of it", "why"], "why of the ?")
    assert changes(label(dialogue, literal=True)) == [(1, True, "_ _ ?", ["of", "the"])]
    syntax = Lemmas(puppies="puppy", was="be", **{"is": "be"})
    alone = Dialogue.of(["Red puppies slept.", "Why?"], "Why puppy?")
    assert changes(label(alone, syntax, literal=True)) == [(1, True, "_", ["puppies"])]
    be = Dialogue.of(["It was red.", "Why?"], "Why is red?")
    assert changes(label(be, syntax, literal=True)) == [(1, True, "_", ["was red"])]


def test_only_what_the_context_lacks_is_parsed() -> None:
    class Counting(NoSyntax):
        def parse(self, texts: Any) -> Any:
            asked.extend(texts)
            return super().parse(texts)

    asked: list[str] = []
    LabelExtractor(Counting()).extract([Dialogue.of(["Ann sang.", "Did she?"], "Did Ann?"), FEDERER, FEDERER])
    assert asked == [FEDERER.target.text, *(turn.text for turn in FEDERER.context)]  # type: ignore[union-attr]


@given(dialogues(with_target=True))
def test_extract_then_apply_gives_the_targets_words_casing_aside(dialogue: Dialogue) -> None:
    assert dialogue.target is not None
    assert [word.casefold() for word in label(dialogue).script.words] == words(dialogue.target.text)


@given(dialogues(with_target=True))
def test_every_mention_says_the_same_newest_turn_first_and_each_once(dialogue: Dialogue) -> None:
    labels = label(dialogue)
    for spans in (spans for slots in labels.mentions for spans in slots):
        said = {tuple(word.casefold() for word in span.words_in(dialogue)) for span in spans}
        assert len(said) == 1
        assert len(set(spans)) == len(spans)
        assert [span.turn for span in spans] == sorted((span.turn for span in spans), reverse=True)


@given(dialogues(with_target=True))
def test_the_same_dialogue_gives_the_same_labels_alone_and_among_others(dialogue: Dialogue) -> None:
    among = LabelExtractor(NoSyntax()).extract([FEDERER, dialogue, PUPPY, dialogue])
    assert among[1] == among[3] == label(dialogue)


@pytest.mark.parametrize("dialogue", [FEDERER, PUPPY])
def test_with_lemmas_each_slot_says_the_targets_words_up_to_lemma(dialogue: Dialogue) -> None:
    spacy = provider("spacy")
    assert dialogue.target is not None
    texts = [dialogue.target.text, *(turn.text for turn in dialogue.context)]
    target, *context = (parse.lemmas for parse in spacy.parse(texts))
    labels = label(dialogue, spacy)
    for spans in (spans for slots in labels.mentions for spans in slots):
        for span in spans:
            said = context[span.turn][span.start : span.stop]
            assert any(target[i : i + len(said)] == said for i in range(len(target)))


def test_a_dialogue_without_target_is_refused() -> None:
    with pytest.raises(LabelError, match="labels need a target, but dialogue 'd7' has none"):
        label(Dialogue.of(["Who?", "Why?"], id="d7"))


LONG = " ".join(f"word{i % 97}" for i in range(1_000))


@pytest.mark.parametrize("name", ["none", "spacy", "zh"])
@pytest.mark.parametrize(
    ("turns", "target", "rules"),
    [
        (["Who is she?", "Why?"], "Why?", []),
        (["Who is she?", "Why?"], "so cold here", ["so cold here"]),
        ([], "Why now?", ["now"]),
        (["Basel!"], "Basel", ["_"]),
        (["", " "], "Why now?", ["now"]),
        (["_ and \\_ and ∅ a_b"], "Why _ a_b ∅?", ["\\_ _ \\∅"]),
        (["a"], "", []),
    ],
    ids=[
        "target is source",
        "nothing shared",
        "no context",
        "one word",
        "empty turns",
        "slot marks",
        "no target words",
    ],
)
def test_odd_dialogues(turns: list[str], target: str, rules: list[str], name: str) -> None:
    source = "" if target == "Basel" else "Why?"
    labels = label(Dialogue.of([*turns, source] if turns[-1:] != ["Why?"] else turns, target), provider(name))
    assert [str(edit.rule) for edit in labels.script.edits if edit.rule != NULL_RULE] == rules
    assert [word.casefold() for word in labels.script.words] == words(target)
    assert labels.script.has_changes == (target != labels.script.dialogue.source.text)


@pytest.mark.parametrize("context", [LONG, LONG[::-1], ""], ids=["the same", "backwards", "empty"])
@pytest.mark.parametrize("source", ["Why?", LONG[500:]], ids=["short source", "long source"])
def test_a_thousand_words_are_labelled(context: str, source: str) -> None:
    labels = label(Dialogue.of([context, source], LONG))
    assert [word.casefold() for word in labels.script.words] == words(LONG)


def test_function_words_are_case_folded_single_words() -> None:
    assert all(words(each) == [each] or each in "'’" for each in FUNCTION_WORDS - {"ca", "wo"})
