"""Scores to scripts: what a tagger means is what is done, chosen as a whole."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import tiny
from tests.strategies import scripts
from utterly.dialogues.dialogue import Dialogue
from utterly.metrics.bleu import sentence_bleu
from utterly.model.decode import Decoder, ScoredScript, Signals, best_spans
from utterly.model.encode import STOP, PieceEncoder, Pieces
from utterly.model.scores import Floats, FoundSpans, Query, ScoredEnds, SpanScores, TagScores
from utterly.model.settings import DecodeSettings
from utterly.rules.book import RuleBook
from utterly.scripts.edits import NULL_RULE, Edit, EditScript, Rule, Span

unguarded = partial(DecodeSettings, guarded=False)  # the laws hold for any script
ENCODER = PieceEncoder(tiny.tokenizer(), max_length=2_000)
ALL_OPTIONS = unguarded(rules_per_word=99, least_rule_probability=1e-30, spans_per_slot=99, beam=100_000)


def decoded(
    dialogue: Dialogue,
    tags: TagScores,
    ends: "Ends",
    book: RuleBook = tiny.BOOK,
    settings: DecodeSettings = unguarded(),  # noqa: B008 - frozen
    n: int = 1,
) -> list[ScoredScript]:
    """Both levels, as with a tagger whose second level answers `ends`."""
    pieces = ENCODER.encode(dialogue)
    spans = {}
    decoder = Decoder(book, settings)
    for query in decoder.queries(pieces, tags):
        start, end = ends(pieces, query)
        (spans[query],) = spans_of(pieces, start, end, settings)
    return decoder.choose(dialogue, pieces, tags, spans, n)


def spans_of(pieces: Pieces, start: Floats, end: Floats, settings: DecodeSettings) -> list[FoundSpans]:
    """The spans of one query, as the settings want them."""
    return best_spans(pieces, SpanScores(start[None], end[None]), settings)


class Ends:
    """Where spans start and end, in log probabilities (slots, context), for a query."""

    def __call__(self, pieces: Pieces, query: Query) -> tuple[Floats, Floats]:
        raise NotImplementedError


class GoldEnds(Ends):
    """All on the spans of a script; beyond them on the stop symbol."""

    def __init__(self, script: EditScript, slots: int) -> None:
        self.script, self.slots = script, slots

    def __call__(self, pieces: Pieces, query: Query) -> tuple[Floats, Floats]:
        found = [pieces.ends_of(span) or (STOP, STOP) for span in self.script.edits[query.word].spans]
        found += [(STOP, STOP)] * (self.slots - len(found))
        return sure([first for first, _ in found], len(pieces.context)), sure(
            [last for _, last in found], len(pieces.context)
        )


class RandomEnds(Ends):
    """Any distribution, the same whenever the same query asks."""

    def __init__(self, seed: int, slots: int = 2) -> None:
        self.seed, self.slots = seed, slots

    def __call__(self, pieces: Pieces, query: Query) -> tuple[Floats, Floats]:
        rng = np.random.default_rng([self.seed, query.word, query.rule])
        start, end = (log_probs(rng, self.slots, len(pieces.context)) for _ in range(2))
        return start, end


def sure(answers: Sequence[int], choices: int) -> Floats:
    """All probability on one choice each: (answers, choices)."""
    scores = np.full((len(answers), choices), -np.inf, dtype=np.float32)
    scores[np.arange(len(answers)), answers] = 0.0
    return scores


def log_probs(rng: np.random.Generator, *shape: int) -> Floats:
    logits = rng.normal(scale=2, size=shape).astype(np.float32)
    return logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)


def folded(span: Span, dialogue: Dialogue) -> tuple[str, ...]:
    return tuple(word.casefold() for word in span.words_in(dialogue))


def sensible(script: EditScript) -> EditScript:
    """The script without what decoding never says: a phrase inside a deleted run, and the same words twice."""
    said: set[tuple[str, ...]] = set()
    edits: list[Edit] = []
    for edit in script.edits:
        words = [folded(span, script.dialogue) for span in edit.spans]
        inside = edits and not edits[-1].keep and not edit.keep
        if inside or len({*words}) < len(words) or said.intersection(words):
            edit = Edit(edit.keep)
        said.update(folded(span, script.dialogue) for span in edit.spans)
        edits.append(edit)
    return EditScript(script.dialogue, tuple(edits))


def with_glue(script: EditScript, most: int) -> EditScript:
    """The script with at most so many spans an edit, and no rule words: what MST and RaST can say."""
    edits = (Edit(e.keep, Rule.glue(len(e.spans[:most])), e.spans[:most]) for e in script.edits)
    return EditScript(script.dialogue, tuple(edits))


def book_of(script: EditScript) -> RuleBook:
    used = {edit.rule for edit in script.edits}
    glue = [Rule.glue(slots) for slots in range(1, max(1, *(rule.slots for rule in used), 1) + 1)]
    rules = (NULL_RULE, *glue, *sorted(used - {NULL_RULE, *glue}, key=str))
    return RuleBook(rules, (0,) * len(rules))


def gold_actions(script: EditScript) -> Floats:
    return sure([int(edit.keep) for edit in script.edits], 2)


@given(script=scripts())
def test_scores_that_are_sure_of_a_script_give_it_back_in_hct(script: EditScript) -> None:
    script = sensible(script)
    book = book_of(script)
    tags = TagScores(gold_actions(script), sure([book.number(edit.rule) for edit in script.edits], len(book)))
    (best,) = decoded(script.dialogue, tags, GoldEnds(script, book.max_slots), book)
    assert best.script == script
    assert best.log_probability == pytest.approx(0.0)


@pytest.mark.parametrize("most", [1, 3], ids=["rast", "mst"])
@given(script=scripts())
def test_scores_that_are_sure_of_a_script_give_it_back_in(most: int, script: EditScript) -> None:
    script = sensible(with_glue(script, most))
    (best,) = decoded(script.dialogue, TagScores(gold_actions(script), None), GoldEnds(script, most))
    assert best.script == script
    assert best.log_probability == pytest.approx(0.0, abs=1e-6)


@given(sizes=st.lists(st.integers(0, 5), min_size=1, max_size=3), seed=st.integers(0, 999), max_words=st.integers(1, 5))
def test_the_best_pairs_are_those_of_all_pairs_inside_a_turn(sizes: list[int], seed: int, max_words: int) -> None:
    pieces = ENCODER.encode(Dialogue.of([*("who " * size for size in sizes), "why"]))
    start, end = RandomEnds(seed, slots=1)(pieces, Query(0, 0, 1))
    settings = unguarded(max_span_words=max_words, spans_per_slot=4)
    (found,) = spans_of(pieces, start, end, settings)
    indices = range(1, len(pieces.context))
    allowed = [
        (float(start[0, first] + end[0, last]), first, last)
        for first, last in product(indices, indices)
        if pieces.turns[first] == pieces.turns[last] and 0 <= last - first < max_words
    ]
    assert [tuple(pair[:3]) for pair in found.slots[0]] == sorted(allowed, reverse=True)[:4]
    assert list(found.stops) == pytest.approx([float(start[0, STOP] + end[0, STOP])])


DIALOGUE = Dialogue.of(["who is", "Is he", "he was"])
SHORT_BOOK = RuleBook((NULL_RULE, Rule.glue(1), Rule.parse("besides _"), Rule.parse("too")), (0, 1, 1, 1))


def random_tags(seed: int, words: int, rules: int) -> TagScores:
    rng = np.random.default_rng(seed)
    return TagScores(log_probs(rng, words, 2), log_probs(rng, words, rules))


def every_script(tags: TagScores, ends: Ends, settings: DecodeSettings) -> Iterator[ScoredScript]:
    """All scripts of the short dialogue, each scored from the definition."""
    pieces, (word, end) = ENCODER.encode(DIALOGUE), (range(2), 2)
    places = [Span(turn, start, stop) for turn in range(2) for start, stop in ((0, 1), (1, 2), (0, 2))]
    fillings = [(rule, span) for rule in SHORT_BOOK for span in (places if rule.slots else [None])]
    options = [*product((False, True), fillings)]
    for chosen in product(*(options for _ in word), [(True, filling) for filling in fillings]):
        score, said, was_kept = 0.0, set(), True
        edits = []
        for i, (keep, (rule, span)) in enumerate(chosen):
            number = SHORT_BOOK.number(rule)
            assert tags.rules is not None
            score += float(tags.rules[i, number]) + (float(tags.actions[i, int(keep)]) if i != end else 0.0)
            if span:
                start_log_probs, end_log_probs = ends(pieces, Query(i, number, tiny.BOOK.slots[number]))
                first, last = pieces.ends_of(span) or (0, 0)
                score += float(start_log_probs[0, first] + end_log_probs[0, last])
                score -= settings.repeat_cost * (folded(span, DIALOGUE) in said)
                said.add(folded(span, DIALOGUE))
            if not keep and not was_kept and rule.parts:
                break  # a phrase inside a deleted run
            if not keep and was_kept and not rule.parts:
                score -= settings.empty_delete_cost
            if keep and i == 0 and rule.parts:  # "he"
                score -= settings.kept_pronoun_cost
            was_kept = keep
            edits.append(Edit(keep, rule, (span,) if span else ()))
        else:
            yield ScoredScript(EditScript(DIALOGUE, tuple(edits)), score)


@pytest.mark.parametrize("seed", range(3))
def test_a_wide_beam_finds_what_trying_every_script_finds(seed: int) -> None:
    settings = replace(ALL_OPTIONS, empty_delete_cost=1.5, repeat_cost=2.0, kept_pronoun_cost=1.0)
    tags, ends = random_tags(seed, 3, len(SHORT_BOOK)), RandomEnds(seed, slots=1)
    found = decoded(DIALOGUE, tags, ends, SHORT_BOOK, settings, n=50)
    best = sorted(every_script(tags, ends, settings), key=lambda scored: -scored.log_probability)[:50]
    assert [scored.log_probability for scored in found] == pytest.approx([s.log_probability for s in best], abs=1e-4)
    assert found[0].script == best[0].script


def test_what_is_inserted_before_a_pronoun_takes_its_place_unless_the_tagger_is_sure() -> None:
    def actions(keep: float) -> Floats:
        return np.log(np.array([[1 - keep, keep], [0.01, 0.99], [0.5, 0.5]], dtype=np.float32))

    rules = np.log(np.array([[0.01, 0.97, 0.01, 0.01], [0.97, 0.01, 0.01, 0.01], [0.97, 0.01, 0.01, 0.01]]))
    ends = RandomEnds(0, slots=1)
    costly = unguarded(kept_pronoun_cost=4.0)
    best = [
        decoded(DIALOGUE, TagScores(actions(keep), rules.astype(np.float32)), ends, SHORT_BOOK, settings)[0].script
        for keep, settings in ((0.6, unguarded()), (0.6, costly), (0.999, costly))
    ]
    assert [script.edits[0].keep for script in best] == [True, False, True]


@pytest.mark.parametrize("name", [each.name for each in fields(DecodeSettings)])
@pytest.mark.parametrize("value", [-1, -0.5, float("nan"), float("inf"), -1_000_001.0, "1", None, True])
def test_every_setting_must_be_a_finite_number_and_only_the_bias_may_be_below_zero(name: str, value: Any) -> None:
    if name == "null_bias" and value in (-1, -0.5):
        assert DecodeSettings(null_bias=value).null_bias == value
        return
    if name in ("guarded", "argmax") and value is True:
        return
    with pytest.raises(ValueError, match=f"^{name} must be (a number|a whole|true or|0 or more).*, got {value!r}$"):
        DecodeSettings(**{name: value})


@pytest.mark.parametrize(
    "given", [{"temperature": 0.0}, {"least_rule_probability": 0}, {"beam": 0}, {"stay_probability": 1.1}]
)
def test_a_setting_out_of_range_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"^{next(iter(given))} must be (above 0|at most 1|a whole number)"):
        DecodeSettings(**given)


@pytest.mark.parametrize("temperature", [1.0, 1.5])
def test_candidates_are_weighed_as_far_as_their_weight_says_something(
    temperature: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    weighed = []

    def noted(rewrites: list[list[str]]) -> Floats:
        weighed.append(len(rewrites))
        return np.eye(len(rewrites), dtype=np.float32)

    monkeypatch.setattr("utterly.model.decode.pairwise_bleu", noted)
    tags, ends = random_tags(0, 3, len(SHORT_BOOK)), RandomEnds(0, slots=1)
    scripts = decoded(DIALOGUE, tags, ends, SHORT_BOOK, ALL_OPTIONS, n=300)
    near = [each for each in scripts if each.log_probability > scripts[0].log_probability - 4 * temperature]
    decoded(DIALOGUE, tags, ends, SHORT_BOOK, replace(ALL_OPTIONS, candidates=300, temperature=temperature))
    assert weighed == [len(near)]
    assert 1 < len(near) < 300


@pytest.mark.parametrize("temperature", [1.0, 2.5])
@pytest.mark.parametrize("seed", range(5))
def test_with_candidates_the_best_is_the_one_most_like_all_of_them(seed: int, temperature: float) -> None:
    tags, ends = random_tags(seed, 3, len(SHORT_BOOK)), RandomEnds(seed, slots=1)
    scripts = decoded(DIALOGUE, tags, ends, SHORT_BOOK, ALL_OPTIONS, n=6)  # all within what is worth weighing
    probs = softmax([scored.log_probability / temperature for scored in scripts])

    def expected(one: ScoredScript) -> float:
        rewrite = [word.casefold() for word in one.script.words]
        others = [[word.casefold() for word in each.script.words] for each in scripts]
        likeness = (float(sentence_bleu([rewrite], [each])[0]) for each in others)
        return sum(p * like for p, like in zip(probs, likeness, strict=True))

    settings = replace(ALL_OPTIONS, candidates=6, temperature=temperature)
    found = decoded(DIALOGUE, tags, ends, SHORT_BOOK, settings, n=6)
    assert set(found) == set(scripts)
    assert [expected(one) for one in found] == pytest.approx(sorted(map(expected, scripts), reverse=True))
    alone = decoded(DIALOGUE, tags, ends, SHORT_BOOK, settings)
    assert alone == found[:1]


@pytest.mark.parametrize("mst", [False, True])
def test_a_source_that_probably_needs_nothing_stays_whatever_the_bias(mst: bool) -> None:
    dialogue = Dialogue.of(["who is anna ?", "where was he ?"])
    tags, ends = random_tags(3, 5, len(tiny.BOOK)), RandomEnds(3)
    if mst:
        tags = tags._replace(rules=None)
    eager = unguarded(null_bias=9.0)
    changed = decoded(dialogue, tags, ends, settings=eager, n=3)
    assert changed[0].script != EditScript.unchanged(dialogue)
    stays = decoded(dialogue, tags, ends, settings=replace(eager, stay_probability=0.0), n=3)
    assert stays[0].script == EditScript.unchanged(dialogue)
    assert stays[1:] == changed[:2]
    expected = tags.actions[:-1, 1].sum()
    if tags.rules is not None:
        expected += tags.rules[:, 0].sum()
        assert stays[0].log_probability == pytest.approx(float(expected), abs=1e-5)
    limit = math.exp(stays[0].log_probability)
    assert decoded(dialogue, tags, ends, settings=replace(eager, stay_probability=limit), n=3) == changed


def softmax(log_probs: list[float]) -> list[float]:
    total = sum(map(math.exp, log_probs))
    return [math.exp(each) / total for each in log_probs]


def test_without_costs_scripts_are_a_distribution() -> None:
    settings = replace(ALL_OPTIONS, repeat_cost=0.0)
    tags, ends = random_tags(7, 3, len(SHORT_BOOK)), RandomEnds(7, slots=1)
    scores = [scored.log_probability for scored in decoded(DIALOGUE, tags, ends, SHORT_BOOK, settings, n=100_000)]
    assert 0 < np.exp(scores).sum() < 1  # pairs that are no span, and phrases inside a deleted run, are left out


@given(seed=st.integers(0, 999))
def test_the_n_best_are_sorted_distinct_and_begin_with_the_best(seed: int) -> None:
    dialogue = Dialogue.of(["who is anna ?", "where was he ?"])
    tags, ends = random_tags(seed, 5, len(tiny.BOOK)), RandomEnds(seed)
    found = decoded(dialogue, tags, ends, n=12)
    scores = [scored.log_probability for scored in found]
    assert len(found) == len({scored.script for scored in found}) == 12
    assert scores == sorted(scores, reverse=True)
    wide = unguarded(beam=12)
    widely = decoded(dialogue, tags, ends, settings=wide, n=12)
    assert [scored[:2] for scored in widely] == [scored[:2] for scored in found]  # signals look at the whole beam
    assert decoded(dialogue, tags, ends, settings=wide) == widely[:1]
    assert decoded(dialogue, tags, ends)[0].log_probability <= scores[0] + 1e-6


@given(seed=st.integers(0, 999), mst=st.booleans())
def test_nothing_is_inserted_twice_and_a_phrase_stands_before_its_deleted_run(seed: int, mst: bool) -> None:
    dialogue = Dialogue.of(["who is Anna ?", "anna is who ?", "where was he ?"])
    tags = random_tags(seed, 5, len(tiny.BOOK))
    if mst:
        tags = tags._replace(rules=None)
    settings = unguarded(repeat_cost=1e6, null_bias=3.0)
    for script, *_ in decoded(dialogue, tags, RandomEnds(seed), settings=settings, n=3):
        said = [folded(span, dialogue) for edit in script.edits for span in edit.spans]
        assert len(said) == len(set(said))
        assert sensible(script) == script
        assert script.edits[-1].keep


def test_a_deleted_run_that_nothing_replaces_has_its_price_once() -> None:
    dialogue = Dialogue.of(["who", "where was he"])
    actions = np.log(np.array([[0.6, 0.4], [0.6, 0.4], [0.01, 0.99], [0.5, 0.5]], dtype=np.float32))
    tags = TagScores(actions, np.log(np.array([[0.97, 0.01, 0.01, 0.01]] * 4, dtype=np.float32)))
    ends = RandomEnds(0)
    free, dear = (decoded(dialogue, tags, ends, settings=unguarded(empty_delete_cost=cost))[0] for cost in (0, 9))
    assert free.script.words == ("he",)
    assert dear.script.words == ("where", "was", "he")
    (cheap,) = decoded(dialogue, tags, ends, settings=unguarded(empty_delete_cost=0.1))
    assert cheap.log_probability == pytest.approx(free.log_probability - 0.1)


@given(seed=st.integers(0, 999), mst=st.booleans())
def test_a_larger_bias_never_takes_an_insertion_away(seed: int, mst: bool) -> None:
    dialogue = Dialogue.of(["who is anna ?", ""])  # one place to insert: the end
    tags = random_tags(seed, 1, len(tiny.BOOK))
    if mst:
        tags = tags._replace(rules=None)
    inserts = [
        decoded(dialogue, tags, RandomEnds(seed), settings=replace(ALL_OPTIONS, beam=8, null_bias=bias))[
            0
        ].script.has_changes
        for bias in (-4.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 4.0)
    ]
    assert inserts == sorted(inserts)


def test_the_end_is_never_deleted() -> None:
    actions = sure([0, 0, 0], 2)
    (best,) = decoded(Dialogue.of(["who", "is he"]), TagScores(actions, sure([0, 0, 0], len(tiny.BOOK))), RandomEnds(0))
    assert [edit.keep for edit in best.script.edits] == [False, False, True]


@pytest.mark.parametrize("turns", [["who ?"], ["", "who ?"]])
@pytest.mark.parametrize("mst", [False, True])
def test_without_context_no_span_is_asked_for_or_inserted(turns: list[str], mst: bool) -> None:
    dialogue = Dialogue.of(turns)
    pieces = ENCODER.encode(dialogue)
    eager = TagScores(sure([1, 1, 1], 2), None if mst else sure([1, 3, 1], len(tiny.BOOK)))
    assert Decoder(tiny.BOOK).queries(pieces, eager) == []
    (best,) = Decoder(tiny.BOOK).choose(dialogue, pieces, eager, {})
    assert best.script == EditScript.unchanged(dialogue)


def test_a_mention_does_not_fill_two_slots_of_a_rule() -> None:
    dialogue = Dialogue.of(["anna boris", "who"])
    pieces = ENCODER.encode(dialogue)
    both = np.log(np.array([[1e-9, 0.8, 0.2], [1e-9, 0.7, 0.3]], dtype=np.float32))
    (found,) = spans_of(pieces, both, both, unguarded(spans_per_slot=3))
    tags = TagScores(sure([1, 1], 2), sure([2, 0], len(tiny.BOOK)))
    best = Decoder(tiny.BOOK, unguarded(spans_per_slot=3)).choose(dialogue, pieces, tags, {Query(0, 2, 2): found})
    spans = best[0].script.edits[0].spans
    assert len({folded(span, dialogue) for span in spans}) == len(spans) == 2


def test_spans_without_an_answer_leave_the_null_rule() -> None:
    dialogue = Dialogue.of(["anna", "who"])
    tags = TagScores(sure([1, 1], 2), sure([1, 0], len(tiny.BOOK)))
    nothing: dict[Query, FoundSpans] = {}
    assert not Decoder(tiny.BOOK).choose(dialogue, ENCODER.encode(dialogue), tags, nothing)[0].script.has_changes


HE_IS_ANNA = EditScript.from_changes(
    Dialogue.of(["who is Anna ?", "anna is a singer .", "where was he ?"]),
    [(2, Edit(False, Rule.glue(1), (Span(0, 2, 3),)))],
)


def tags_for_anna(sure_of_it: float, delete: float = 0.9) -> TagScores:
    """`he` is deleted and replaced by a span with these probabilities; nothing else happens."""
    actions, rules = np.full((5, 2), 1e-9), np.full((5, len(tiny.BOOK)), 1e-9)
    actions[:, 1], rules[:, 0] = 1.0, 1.0
    actions[2], rules[2, :2] = (delete, 1 - delete), (1 - sure_of_it, sure_of_it)
    return TagScores(np.log(actions).astype(np.float32), np.log(rules).astype(np.float32))


def test_signals_say_what_speaks_for_a_script() -> None:
    tags, dialogue = tags_for_anna(0.8), HE_IS_ANNA.dialogue
    (best,) = decoded(dialogue, tags, GoldEnds(HE_IS_ANNA, 2), settings=DecodeSettings())
    assert best.script == HE_IS_ANNA
    assert best.signals.changed == 1.0
    assert best.signals.mentions == pytest.approx(math.log(2))  # Anna, anna
    assert best.signals.deletion == pytest.approx(math.log(0.9))
    assert best.signals.stays == pytest.approx(math.log(0.1 * 0.2), abs=1e-5)
    (less,) = decoded(dialogue, tags_for_anna(0.6), GoldEnds(HE_IS_ANNA, 2), settings=DecodeSettings())
    assert 0.5 < less.signals.agreement < best.signals.agreement <= 1.0


def certainty_of(context: str, start: Sequence[float], end: Sequence[float]) -> float:
    """How certain the best span of one slot is; the first index is the stop symbol."""
    pieces = ENCODER.encode(Dialogue.of([context, "who"]))
    starts, ends = (np.log(np.array([row], dtype=np.float32)) for row in (start, end))
    (found,) = spans_of(pieces, starts, ends, unguarded())
    return found.slots[0][0].certainty


def log_odds(probability: float) -> float:
    return math.log(probability / (1 - probability))


def test_a_span_is_as_certain_as_its_first_and_last_word_at_all_mentions() -> None:
    start, end = [1e-9, 0.4, 0.3, 0.3], [1e-9, 0.6, 0.1, 0.3]
    once = certainty_of("anna boris puppy", start, end)
    assert once == pytest.approx(log_odds(0.4) + log_odds(0.6), abs=1e-4)
    twice = certainty_of("anna boris anna", start, end)
    assert twice == pytest.approx(log_odds(0.7) + log_odds(0.9), abs=1e-4)


def test_certainty_has_limits() -> None:
    assert certainty_of("anna boris", [1e-9, 1, 1e-9], [1e-9, 1, 1e-9]) == pytest.approx(2 * log_odds(0.999), abs=1e-3)


def test_the_least_certain_span_of_a_script_counts() -> None:
    dialogue = Dialogue.of(["anna boris puppy", "who"])
    ends = [(ScoredEnds(-0.1, 1, 1, 5.0),), (ScoredEnds(-0.1, 2, 2, -2.0),)]
    tags = TagScores(sure([1, 1], 2), sure([2, 0], len(tiny.BOOK)))
    found = {Query(0, 2, 2): FoundSpans(tuple(ends), (0.0,))}
    (best,) = Decoder(tiny.BOOK, unguarded()).choose(dialogue, ENCODER.encode(dialogue), tags, found)
    assert len(best.script.edits[0].spans) == 2
    assert best.signals.certainty == -2.0


def test_a_script_that_changes_nothing_has_no_signals() -> None:
    (best,) = decoded(HE_IS_ANNA.dialogue, tags_for_anna(0.01, delete=0.01), GoldEnds(HE_IS_ANNA, 2))
    assert not best.script.has_changes
    assert best.signals == Signals()
