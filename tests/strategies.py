"""Hypothesis strategies for our own values."""

from hypothesis import strategies as st

from utterly.dialogues.dialogue import Dialogue, Turn
from utterly.scripts.edits import SLOT, Edit, EditScript, Rule, Span

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)

_SPOKEN_WORDS = st.sampled_from(
    "he the puppy Federer 's n't it , ? . it's U.S. 3.5 José ñandú “so” _ ∅ 好 我 吗 ？ iPhone 👍🏽 The In".split()
)
_SPOKEN = st.lists(st.tuples(_SPOKEN_WORDS, st.sampled_from(["", " ", " ", "  ", "\n"])), max_size=8).map(
    lambda pairs: "".join(word + gap for word, gap in pairs)
)
TEXTS = _SPOKEN | ANY_TEXT

RULES = st.lists(st.one_of(st.just(SLOT), _SPOKEN_WORDS), max_size=4).map(lambda parts: Rule(tuple(parts)))


def dialogues(*, with_target: bool = False) -> st.SearchStrategy[Dialogue]:
    turns = TEXTS.map(Turn)
    return st.builds(
        Dialogue,
        context=st.lists(turns, max_size=4).map(tuple),
        source=turns,
        target=turns if with_target else st.none(),
        language=st.sampled_from(["en", "zh"]),
        domain=st.none() | st.sampled_from(["news", "weather"]),
        id=st.none() | st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5),
    )


@st.composite
def scripts(draw: st.DrawFn) -> EditScript:
    dialogue = draw(dialogues())
    places = [(t, len(turn.words)) for t, turn in enumerate(dialogue.context) if turn.words]
    edits = []
    for i in range(len(dialogue.source.words) + 1):
        rule = draw(RULES)
        if rule.slots and not places:
            rule = Rule(rule.words)
        spans = []
        for _ in range(rule.slots):
            turn, size = draw(st.sampled_from(places))
            start = draw(st.integers(0, size - 1))
            spans.append(Span(turn, start, draw(st.integers(start + 1, size))))
        keep = i == len(dialogue.source.words) or draw(st.booleans())
        edits.append(Edit(keep, rule, tuple(spans)))
    return EditScript(dialogue, tuple(edits))
