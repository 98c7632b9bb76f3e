"""Hypothesis strategies for labels and rule books."""

from hypothesis import strategies as st

from tests.strategies import RULES, scripts
from utterly.labels.labels import Labels
from utterly.rules.book import RuleBook
from utterly.scripts.edits import NULL_RULE, Rule

WORDY_RULES = RULES.filter(lambda rule: bool(rule.words))


def labels() -> st.SearchStrategy[Labels]:
    return scripts().map(
        lambda script: Labels(script, tuple(tuple((span,) for span in edit.spans) for edit in script.edits))
    )


@st.composite
def books(draw: st.DrawFn) -> RuleBook:
    wordy = draw(st.lists(WORDY_RULES, max_size=6, unique=True))
    max_slots = max([1, *(rule.slots for rule in wordy)])
    rules = (NULL_RULE, *map(Rule.glue, range(1, max_slots + 1)), *wordy)
    outside = draw(st.lists(WORDY_RULES.filter(lambda rule: rule not in rules), max_size=6, unique=True))
    exemplars = {
        member: draw(st.sampled_from(same))
        for member in outside
        if (same := [rule for rule in rules if rule.slots == member.slots])
    }
    return RuleBook(rules, tuple(draw(st.integers(0, 99)) for _ in rules), exemplars)
