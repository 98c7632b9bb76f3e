"""Which edits are never made: spans with markup or across sentences, deletions without a referent, a denied claim."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.test_decode import ENCODER, GoldEnds, book_of, gold_actions, sure
from utterly import Rewriter
from utterly.dialogues.dialogue import Dialogue, split_words
from utterly.model.decode import Decoder, best_spans, needs_a_no
from utterly.model.guards import stretches
from utterly.model.scores import SpanScores, TagScores
from utterly.scripts.edits import NULL_RULE, Edit, EditScript, Rule, Span

MARKUP = re.compile(r"[*`|\[\]<>{}\\]|https?:|&\w+;|^\s*[-+#]\s|~~|___|---|\n")


@pytest.fixture(scope="module")
def bundled() -> Rewriter:
    return Rewriter.load("en")


def copyable(text: str, *, answer: bool = False) -> set[str]:
    """Every span of a turn that may be copied."""
    words, (firsts, lasts) = split_words(text), stretches(text, len(split_words(text)), answer=answer)
    return {
        text[words[i].start : words[j].stop]
        for i in range(len(words))
        for j in range(i, len(words))
        if firsts[i] == lasts[j]
    }


@pytest.mark.parametrize(
    ("text", "may", "never"),
    [
        ("Get the **MacBook Air M3** now", ["MacBook Air M3"], ["**MacBook Air M3", "MacBook Air M3** now", "**"]),
        ("Use `git commit --amend` here", ["git commit --amend"], ["`git commit", "Use `git commit --amend`"]),
        ("See [the docs](https://a.org/x_(y)) first", ["the docs", "first"], ["docs]", "https://a.org/x_(y)", "a.org"]),
        ("| city | C |\n|---|---|\n| Oslo | 4 |", ["Oslo", "city"], ["| Oslo", "Oslo | 4", "---", "C |\n"]),
        ("It is <b>Rome</b>, or A&amp;B &nbsp; or x < y", ["Rome", ", or A"], ["b", "<b>Rome", "amp", "nbsp", "x < y"]),
        ("1. Oslo\n2. Rome\n- Cairo", ["Oslo", "Rome", "Cairo"], ["1", "2. Rome", "- Cairo", "Oslo\n2"]),
        ("# The _old mill_ of __init__", ["The", "of"], ["#", "# The", "_old", "mill_", "__init__"]),
        ("Try:\n```python\nprint(a)\n```\nor ask", ["or ask", "Try"], ["print", "python", "a", "```"]),
        ("Go to https://a.org/a?b=c or www.b.de now", ["Go to", "now"], ["https://a.org/a?b=c", "www.b.de"]),
        ("It closed. Then it opened.", ["It closed", "Then it opened"], ["closed. Then", "opened."]),
        ("Dr. J. Ziegler of the U.S. team", ["Dr. J. Ziegler of the U.S. team"], []),
        ("Ana (a doctor) said “no” to it", ["Ana (a doctor)", "a doctor", "“no”"], ["Ana (a", "doctor) said", "“no"]),
        ('the song "Stupid Girl" was', ['song "Stupid Girl"', "Stupid Girl"], ['"Stupid', 'song "Stupid', 'Girl" was']),
        ("the key " + "aB3/" * 15 + "== and " + "x" * 41, ["the key", "and"], ["aB3", "x" * 41, "=="]),
        ("我喜欢他。他来了", ["我喜欢他", "他来了"], ["他。他"]),
        ("$$ x of mass $$ is it", ["x of mass", "is it"], ["$$ x", "mass $$"]),
        ("\x1b[1m red\x07 and \u202eblue", ["red", "and", "blue"], ["1", "1m", "red\x07 and", "\u202eblue"]),
        ("a line\nand the next", ["a line", "and the next"], ["line\nand"]),
        ("C# and C++ and #1, 3 * 4", ["C# and C++ and #1, 3"], ["3 * 4"]),
    ],
)  # fmt: skip
def test_spans_lie_within_a_sentence_and_hold_no_markup(text: str, may: list[str], never: list[str]) -> None:
    found = copyable(text)
    assert found.issuperset(may)
    assert found.isdisjoint(never)


@pytest.mark.parametrize(
    ("text", "may"),
    [
        ("https://example.org/" + "a" * 60, "https://example.org/" + "a" * 60),
        ("```bash\nkubectl describe pod\n```", "kubectl describe pod"),
        ("www.example.org.", "www.example.org"),
    ],
)
def test_code_and_addresses_may_be_copied_if_they_are_the_answer_itself(text: str, may: str) -> None:
    assert may in copyable(text)
    assert may not in copyable(f"I would say: {text}")


FRAGMENTS = st.sampled_from(
    "** * ` ``` ~~ | [ ]( ) ( <b> </b> &amp; _ -- “ ” Oslo x 猫 。 https://a.org/b [a](b)".split()
) | st.sampled_from(["\n", "\n- ", "\n1. ", "# ", ". ", "? ", " ", " ", " ", '"', "the mill", "a" * 45])


@given(st.lists(FRAGMENTS, max_size=14).map("".join))
def test_nothing_that_may_be_copied_holds_markup_a_sentence_end_inside_or_half_a_pair(text: str) -> None:
    for span in copyable(f"So {text}"):
        assert len(span) < 400
        assert span.count("(") == span.count(")")
        assert span.count('"') % 2 == 0
        assert not re.search(r"[.?] +[^a-z ]|。", span)
        assert not MARKUP.search(span)


def test_a_bracket_that_closes_on_another_line_closes_nothing() -> None:
    assert copyable("(Oslo\n) Bergen") >= {"Oslo", "Bergen"}


def sure_of(script: EditScript) -> EditScript:
    """What the guarded decoder makes of scores that are sure of a script."""
    book = book_of(script)
    pieces = ENCODER.encode(script.dialogue)
    tags = TagScores(gold_actions(script), sure([book.number(edit.rule) for edit in script.edits], len(book)))
    decoder = Decoder(book)
    spans = {}
    for query in decoder.queries(pieces, tags):
        start, end = GoldEnds(script, book.max_slots)(pieces, query)
        (spans[query],) = best_spans(pieces, SpanScores(start[None], end[None]), decoder.settings)
    tags = TagScores(np.maximum(tags.actions, -5), tags.rules)  # not so sure that nothing else is left
    assert tags.rules is not None
    tags = TagScores(tags.actions, np.maximum(tags.rules, -5))
    return decoder.choose(script.dialogue, pieces, tags, spans)[0].script


@pytest.mark.parametrize(
    ("source", "deleted", "rule"),
    [
        ("the first two marriages", {2}, ""),
        ("does the plan include SSO?", {2}, ""),
        ("does the plan include SSO?", {1, 2}, "the"),
        ("which of them is it", {2}, ""),
        ("tell me their price", {2}, "the"),
    ],
)
def test_what_the_asker_wrote_goes_only_where_a_span_takes_its_place(source: str, deleted: set[int], rule: str) -> None:
    dialogue = Dialogue.of(["Johnny Bench married four times.", source])

    def script(first: Edit) -> EditScript:
        edits = dict.fromkeys(deleted, Edit(keep=False)) | {min(deleted): first}
        return EditScript.from_changes(dialogue, edits.items())

    assert all(edit.keep for edit in sure_of(script(Edit(keep=False, rule=Rule.parse(rule)))).edits)
    replaced = script(Edit(keep=False, rule=Rule.glue(1), spans=(Span(0, 0, 2),)))
    assert sure_of(replaced) == replaced


def test_an_answers_you_is_not_copied_but_a_titles_you_and_the_askers_own_are() -> None:
    assert copyable("for your starter", answer=True) == {"for", "starter"}
    assert "for your starter" in copyable("for your starter")
    assert "I Want You Back" in copyable("Michael sang I Want You Back", answer=True)
    assert copyable("Your router is old. You know", answer=True).isdisjoint({"Your router", "Your", "You know"})
    assert "Your Name" in copyable("Your Name is a film", answer=True)
    assert "Your router" not in copyable("Check:\n- Your router\n- the cable", answer=True)
    asked = ["How do you say thank you in Spanish?", "Say gracias if you like it.", "in Portuguese?"]
    pieces = ENCODER.encode(Dialogue.of(asked))
    copied = {turn for turn, word, first in zip(pieces.turns, pieces.words, pieces.firsts, strict=True)
              if first >= 0 and turn >= 0 and split_words(asked[turn])[word].text == "you"}  # fmt: skip
    assert copied == {0}


CAN_I = "Can I take paracetamol with alcohol?"


@pytest.mark.parametrize(
    ("answer", "source", "refused"),
    [
        ("You should avoid it. Better drink water.", "why?", True),
        ("No.", "But why is that?", True),
        ("I'd advise against it", "how come?", True),
        ("It isn't safe.", "ok, why though", True),
        ("Yes, a little. But not much.", "why?", False),
        ("Yes", "why?", False),
        ("You should avoid it.", "why not?", False),
        ("You should avoid it.", "why is the liver harmed?", False),
        ("No.", "When?", False),
        ("不能。", "为什么呢？", True),
        ("可以", "为什么", False),
    ],
)
def test_a_why_after_a_no_is_known(answer: str, source: str, refused: bool) -> None:
    assert needs_a_no(Dialogue.of([CAN_I, answer, source])) is refused


def test_a_why_after_a_no_does_not_assert_the_question_but_may_restore_the_no() -> None:
    def copied(answer: str, *spans: Span) -> EditScript:
        edit = Edit(rule=Rule.glue(len(spans)), spans=spans)
        return EditScript.from_changes(Dialogue.of([CAN_I, answer, "why?"]), [(1, edit)])

    question = Span(0, 0, 6)
    assert not sure_of(copied("You should avoid it.", question)).has_changes
    assert sure_of(copied("Yes.", question)).apply() == "why can I take paracetamol with alcohol?"
    assert sure_of(copied("Avoid taking it.", Span(1, 0, 2), Span(0, 3, 6))).has_changes
    assert not needs_a_no(Dialogue.of(["why?"]))


@pytest.mark.parametrize(
    "turns",
    [
        [CAN_I, "You should avoid it.", "why?"],
        ["What is **Rust**?", "A `systems` language. See [docs](https://example.org/a?b=c).", "Is it fast?"],
        ["Which plan has SSO?", "| plan | SSO |\n|---|---|\n| **Team** | yes |", "How much is it?"],
        ["Which option?", 'Use:\n```python\nfrom a import b\n```\nor `errors="replace"`.', "is that option slower?"],
    ],
)
def test_the_bundled_model_inserts_no_markup_and_asserts_nothing_denied(bundled: Rewriter, turns: list[str]) -> None:
    result = bundled.rewrite(turns, n_best=5)
    for text in (result.text, *(way.text for way in result.alternatives)):
        assert not MARKUP.search(text)
        assert "why can" not in text.lower()


@pytest.mark.parametrize(("source", "stays"), [("how much does it cost", True), ("and it ?", False), ("him ?", False)])
def test_a_turn_of_which_too_little_would_be_left_stays(source: str, stays: bool) -> None:
    dialogue = Dialogue.of(["Johnny Bench married four times.", source])
    gone = Edit(False, Rule.glue(1), (Span(0, 0, 2),))
    words = [word for word, each in enumerate(dialogue.source.words) if each.text.isalpha()]
    script = EditScript.from_changes(dialogue, [(words[0], gone), *((i, Edit(False, NULL_RULE)) for i in words[1:])])
    assert (sure_of(script) == EditScript.unchanged(dialogue)) == stays


@pytest.mark.parametrize(
    ("source", "place", "rule", "span", "joins"),
    [
        ("what are you worried about", 5, "_", (3, 5), False),  # about | about mice
        ("what are you worried about", 5, "_", (4, 5), True),
        ("reset my now", 2, "_", (0, 2), False),  # my | the cats
        ("reset my now", 2, "_", (1, 2), True),
        ("is it true .", 3, "_ ?", (1, 2), False),  # cats ? | .
        ("is it true .", 3, "_", (1, 2), True),
        ("which cats purr", 1, "_", (1, 2), False),  # cats | cats
        ("which do purr", 3, "_", (5, 7), True),  # Duran Duran
        ("is it true ?", 3, "_", (7, 9), True),  # Apple Inc . | ?
        ("the band", 0, "_", (0, 1), False),  # The | the
        ("my band", 0, "_", (0, 1), False),  # The | my
        ("the won", 1, "_", (9, 11), True),  # the | A team
        ("take the day", 1, "_", (8, 10), True),  # . A | the day
    ],
)
def test_an_insertion_doubles_nothing_beside_it(
    source: str, place: int, rule: str, span: tuple[int, int], joins: bool
) -> None:
    dialogue = Dialogue.of(["The cats chase about mice Duran Duran Inc. A team", source])
    script = EditScript.from_changes(dialogue, [(place, Edit(True, Rule.parse(rule), (Span(0, *span),)))])
    assert (sure_of(script) == script) == joins


def test_nor_does_one_that_replaces_a_word() -> None:
    dialogue = Dialogue.of(["A shop in Rome.", "what is it in ?"])
    shop_in, shop = (Edit(False, Rule.glue(1), (Span(0, 0, stop),)) for stop in (3, 2))
    doubled, fine = (EditScript.from_changes(dialogue, [(2, edit)]) for edit in (shop_in, shop))
    assert sure_of(doubled) != doubled
    assert sure_of(fine) == fine


@pytest.mark.parametrize(
    ("source", "goes", "span", "replaced"),
    [
        ("why did she do that", (2, 5), (0, 1), False),  # why did Anna
        ("why did she do that", (2, 5), (0, 4), True),  # why did Anna sell her house
        ("why did she do that", (2, 4), (0, 1), False),  # why did Anna that
        ("why did she do that", (2, 3), (0, 1), True),  # why did Anna do that
        ("why did she do that", (3, 5), (1, 4), True),  # why did she sell her house
        ("why did she do that", (3, 4), (1, 4), False),  # why did she sell her house that
        ("why did she do well", (2, 4), (0, 1), True),  # something else is done
        ("did she do that", (1, 4), (0, 1), False),
        ("when did it happen", (1, 3), (0, 1), True),  # `did it` is no `do it`
        ("has she done", (1, 3), (0, 1), True),
    ],
)
def test_do_that_does_not_go_with_the_pronoun_before_it(
    source: str, goes: tuple[int, int], span: tuple[int, int], replaced: bool
) -> None:
    dialogue = Dialogue.of(["Anna sell her house", source])
    first, *others = range(*goes)
    edits = [(first, Edit(False, Rule.glue(1), (Span(0, *span),))), *((k, Edit(False)) for k in others)]
    script = EditScript.from_changes(dialogue, edits)
    assert (sure_of(script) == script) == replaced
