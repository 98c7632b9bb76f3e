"""Scores to scripts: the one way from what a tagger says to what is done, in evaluation, in training and in use.

Every source word offers a few options: keep or delete it, and insert nothing or a rule with its spans. A beam
search over the words puts options together and scores scripts as a whole: a span is not inserted twice, a
phrase stands only before the first word of a deleted run, and deleting without replacing has its price, as has
keeping a pronoun beside what should replace it. Of the scripts that come out, the one whose rewrite is most like those
of the others may be chosen: the smallest expected loss, in BLEU, where the most probable script alone may be an odd one
out.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import chain, islice, product
from operator import itemgetter
from typing import Final, NamedTuple, Optional

import numpy as np

from utterly.dialogues.dialogue import Dialogue
from utterly.metrics.bleu import Smoothing, pairwise_bleu
from utterly.model.encode import Pieces
from utterly.model.pronouns import PRONOUNS
from utterly.model.spans import Floats, FoundSpans, Pair
from utterly.rules.book import RuleBook
from utterly.scripts.edits import KEEP as UNCHANGED
from utterly.scripts.edits import NULL_RULE, SLOT, Edit, EditScript, Rule, Span

DELETE: Final = 0
KEEP: Final = 1
_WORTH_WEIGHING: Final = 4.0  # log weight under the best script's: below it a candidate says next to nothing


@dataclass(frozen=True, kw_only=True)
class DecodeSettings:
    """How scripts are chosen. The first five are fitted on held-out dialogues and saved with a model."""

    null_bias: float = 0.0  # taken off the null rule's log odds: above 0 inserts more
    empty_delete_cost: float = 0.0  # log probability paid for a deleted run that nothing replaces
    stay_probability: float = 1.0  # above it, by what the tagger says without the bias, a source stays as it is
    candidates: int = 1  # scripts of which the most like all, weighed by probability, is best; 1: the most probable is
    temperature: float = 1.0  # divides the candidates' log probabilities: above 1 the less probable weigh more
    repeat_cost: float = 20.0  # log probability paid for inserting the same words twice
    kept_pronoun_cost: float = 0.0  # log probability paid for a pronoun that stays beside what is inserted
    max_span_words: int = 30
    rules_per_word: int = 3
    least_rule_probability: float = 0.02  # rules below it are no option unless they are the best
    spans_per_slot: int = 2
    beam: int = 8

    def __post_init__(self) -> None:
        if not self.temperature > 0:
            raise ValueError(f"temperature must be above 0, but {self.temperature} came; 1 weighs by probability")


class TagScores(NamedTuple):
    """What the first level says of one dialogue, as log probabilities."""

    actions: Floats  # (source, 2): delete, keep
    rules: Floats | None  # (source, rules); None in MST and RaST


class Query(NamedTuple):
    """A source word that wants spans, for a rule by its number; 0 where there are no rules."""

    word: int
    rule: int


class ScoredScript(NamedTuple):
    script: EditScript
    log_probability: float
    reason: str | None = None  # why the source had to stay as it is


class _Insertion(NamedTuple):
    """A rule with spans, or nothing, before one source word."""

    log_probability: float
    rule: Rule
    spans: tuple[Span, ...] = ()
    words: tuple[str, ...] = ()  # all that is inserted, without casing
    copied: frozenset[tuple[str, ...]] = frozenset()  # the words of each span, likewise


class _Path(NamedTuple):
    """A script up to some source word: its last step, and the path before that."""

    log_probability: float
    keep: bool
    insertion: _Insertion
    copied: frozenset[tuple[str, ...]]
    before: Optional["_Path"]


_Step = tuple[float, bool, _Insertion, _Path | None]
"""A path that may become one: its log probability, whether the word is kept, what is inserted, the path before."""
_score = itemgetter(0)


def wanted_queries(pieces: Pieces, tags: TagScores, book: RuleBook, settings: DecodeSettings) -> list[Query]:
    """The source words and rules whose spans the second level must score."""
    if len(pieces.context) < 2:
        return []
    if tags.rules is None:
        return [Query(word, 0) for word in range(len(tags.actions))]
    slots = book.slots
    best = enumerate(_best_rules(_biased(tags.rules, settings), settings))
    return [Query(word, rule) for word, rules in best for rule in rules if slots[rule]]


def best_scripts(
    dialogue: Dialogue,
    pieces: Pieces,
    tags: TagScores,
    spans: Mapping[Query, FoundSpans],
    book: RuleBook,
    settings: DecodeSettings,
    *,
    n: int = 1,
) -> list[ScoredScript]:
    """The `n` best scripts, best first."""
    filler = _Filler(dialogue, pieces, settings)
    if tags.rules is None:
        insertions = _by_stops(len(tags.actions), spans, filler)
    else:
        insertions = _by_rules(_biased(tags.rules, settings), spans, book, filler)
    actions = tags.actions.tolist()
    actions[-1] = [-np.inf, 0.0]  # the end is no word: it stays
    starts: list[_Path | None] = [None]
    paths: list[_Path] = []
    wanted = max(settings.candidates, n)
    width = max(settings.beam, wanted)
    pronouns = [word.text.casefold() in PRONOUNS for word in dialogue.source.words]
    for (delete, keep), options, pronoun in zip(actions, insertions, (*pronouns, False), strict=True):
        longer = _steps(paths or starts, options, delete, keep, settings, pronoun)
        longer.sort(key=_score, reverse=True)  # of equal ones the first
        paths = [
            _Path(score, kept, option, _copied(before, option), before)
            for score, kept, option, before in longer[:width]
        ]
    likely = paths[0].log_probability - _WORTH_WEIGHING * settings.temperature
    paths = [path for i, path in enumerate(paths[:wanted]) if i < n or path.log_probability > likely]
    if settings.candidates > 1 and len(paths) > 1:
        paths = _by_likeness(paths, dialogue, settings.temperature)
    ranked: Iterator[ScoredScript] = (  # made as they are taken
        ScoredScript(EditScript(dialogue, _edits(path)), path.log_probability) for path in paths
    )
    stays = _unchanged_log_prob(tags, spans)
    if np.exp(stays) > settings.stay_probability:
        unchanged = ScoredScript(EditScript.unchanged(dialogue), stays)
        ranked = chain([unchanged], (each for each in ranked if each.script != unchanged.script))
    return list(islice(ranked, n))


def _unchanged_log_prob(tags: TagScores, spans: Mapping[Query, FoundSpans]) -> float:
    """How probable it is that every word is kept and nothing inserted, without any bias."""
    kept = float(tags.actions[:-1, KEEP].sum())
    if tags.rules is not None:
        return kept + float(tags.rules[:, 0].sum())
    return kept + sum(found.stops[0] for found in spans.values())


def _by_likeness(paths: Sequence[_Path], dialogue: Dialogue, temperature: float) -> list[_Path]:
    """Paths by the sentence BLEU that each may expect if the target is one of them: minimum Bayes risk."""
    source = [word.text.casefold() for word in dialogue.source.words]
    log_probs = np.array([path.log_probability for path in paths]) / temperature
    probs = np.exp(log_probs - np.logaddexp.reduce(log_probs))
    expected = pairwise_bleu([_words(path, source) for path in paths], smoothing=Smoothing.ADD_ONE) @ probs
    return [paths[i] for i in np.argsort(-expected, kind="stable")]


def _words(path: _Path | None, source: Sequence[str]) -> list[str]:
    """The rewrite without casing, as `EditScript.words` has it with."""
    steps = list(_back(path))[::-1]
    return [
        word
        for (step, said) in zip(steps, (*source, None), strict=True)
        for word in (*step.insertion.words, *([said] if said is not None and step.keep else ()))
    ]


def _steps(
    paths: Sequence[_Path | None],
    options: Sequence[_Insertion],
    delete: float,
    keep: float,
    settings: DecodeSettings,
    pronoun: bool,
) -> list[_Step]:
    """Every way on from some paths. There are many and few are taken, so a step is no more than it must be."""
    ways = [(option, option.log_probability, bool(option.rule.parts), option.copied) for option in options]
    deletes, repeat_cost = delete > -np.inf, settings.repeat_cost
    doubled_cost = settings.kept_pronoun_cost if pronoun else 0.0
    steps: list[_Step] = []
    for before in paths:
        so_far = before.log_probability if before else 0.0
        copied = before.copied if before else None
        after_deleted = before is not None and not before.keep
        for option, log_probability, inserts, copies in ways:
            score = so_far + log_probability
            if copied and copies and not copied.isdisjoint(copies):
                score -= repeat_cost * len(copies & copied)
            steps.append((score + keep - (doubled_cost if inserts else 0.0), True, option, before))
            if deletes and not (after_deleted and inserts):  # a deleted run's phrase stands before its first word
                cost = 0.0 if after_deleted or inserts else settings.empty_delete_cost
                steps.append((score + delete - cost, False, option, before))
    return steps


def _copied(before: _Path | None, option: _Insertion) -> frozenset[tuple[str, ...]]:
    if before is None:
        return option.copied
    return before.copied | option.copied if option.copied else before.copied


def _edits(path: _Path | None) -> tuple[Edit, ...]:
    edits = [
        UNCHANGED
        if step.keep and not step.insertion.rule.parts
        else Edit(step.keep, step.insertion.rule, step.insertion.spans)
        for step in _back(path)
    ]
    return tuple(reversed(edits))


def _back(path: _Path | None) -> Iterator[_Path]:
    """The steps of a path, the last first."""
    while path is not None:
        yield path
        path = path.before


def _by_rules(
    rule_log_probs: Floats, spans: Mapping[Query, FoundSpans], book: RuleBook, filler: "_Filler"
) -> Iterator[list[_Insertion]]:
    """HCT: for each source word, the best rules with their best spans."""
    best = _best_rules(rule_log_probs, filler.settings)
    for word, (numbers, row) in enumerate(zip(best, rule_log_probs.tolist(), strict=True)):
        options: list[_Insertion] = []
        for number in numbers:
            rule, score = book.rules[number], row[number]
            if not rule.parts or not book.slots[number]:
                options.append(_Insertion(score, rule, words=tuple(map(str.casefold, rule.words))))
            elif found := spans.get(Query(word, number)):
                options += filler.filled(rule, score, found.pairs[: book.slots[number]])
        yield options


def _by_stops(words: int, spans: Mapping[Query, FoundSpans], filler: "_Filler") -> Iterator[list[_Insertion]]:
    """MST and RaST: for each source word no span, one span, two, each up to the stop symbol."""
    settings = filler.settings
    for word in range(words):
        found = spans.get(Query(word, 0), FoundSpans((), (0.0,)))
        stops = _with_odds(found.stops, settings.null_bias)
        nothing = _Insertion(stops[0], NULL_RULE)
        options: list[_Insertion] = []
        for count in range(1, len(found.pairs) + 1):
            stop = stops[count] if count < len(stops) else 0.0
            options += filler.filled(Rule.glue(count), stop, found.pairs[:count])
        yield [nothing, *nlargest(settings.rules_per_word, options, key=lambda option: option.log_probability)]


class _Filler:
    """Fills the slots of rules with spans of one dialogue."""

    def __init__(self, dialogue: Dialogue, pieces: Pieces, settings: DecodeSettings) -> None:
        self._dialogue, self._pieces, self.settings = dialogue, pieces, settings
        self._phrases: dict[tuple[int, int], _Phrase] = {}

    def filled(self, rule: Rule, score: float, slots: Sequence[Sequence[Pair]]) -> Iterator[_Insertion]:
        """The rule in the best few ways to fill it; one mention does not fill two slots."""
        ways: Iterable[tuple[Pair, ...]] = product(*slots)
        if len(slots) > 1:
            ways = nlargest(self.settings.spans_per_slot, ways, key=lambda way: sum(pair[0] for pair in way))
        for way in ways:
            phrases = [self._phrase(pair.first, pair.last) for pair in way]
            copied = frozenset(phrase.words for phrase in phrases)
            if len(copied) == len(phrases):
                filling = iter(phrases)
                words = [next(filling).words if part is SLOT else (part.casefold(),) for part in rule.parts]
                spans = tuple(phrase.span for phrase in phrases)
                found = score + sum(pair[0] for pair in way)
                yield _Insertion(found, rule, spans, tuple(chain.from_iterable(words)), copied)

    def _phrase(self, first: int, last: int) -> "_Phrase":
        if (first, last) not in self._phrases:
            span = self._pieces.span_at(first, last)
            self._phrases[first, last] = _Phrase(span, tuple(map(str.casefold, span.words_in(self._dialogue))))
        return self._phrases[first, last]


class _Phrase(NamedTuple):
    """A span with its words, without casing."""

    span: Span
    words: tuple[str, ...]


def _biased(rule_log_probs: Floats, settings: DecodeSettings) -> Floats:
    """Rule log probabilities with the bias taken off the null rule, summing to one again."""
    if not settings.null_bias:
        return rule_log_probs
    biased = rule_log_probs.copy()
    biased[:, 0] -= settings.null_bias
    best = biased.max(axis=1, keepdims=True)
    normalised: Floats = biased - (best + np.log(np.exp(biased - best).sum(axis=1, keepdims=True)))
    return normalised


def _with_odds(log_probs: Sequence[float], bias: float) -> list[float]:
    """Log probabilities with `bias` taken off their log odds."""
    probs = np.clip(np.exp(log_probs), 1e-9, 1 - 1e-9)
    log_odds = np.log(probs) - np.log1p(-probs) - bias
    biased: list[float] = (-np.log1p(np.exp(-log_odds))).tolist()
    return biased


def _best_rules(log_probs: Floats, settings: DecodeSettings) -> list[list[int]]:
    """For each source word the null rule, which is number 0, and the best others that are probable enough."""
    left, rows = log_probs.copy(), np.arange(len(log_probs))
    least = np.log(settings.least_rule_probability)
    chosen: list[list[int]] = [[] for _ in rows]
    for rank in range(min(settings.rules_per_word, log_probs.shape[1])):
        best = left.argmax(axis=1)  # of equal ones the first
        for rules, rule, score in zip(chosen, best.tolist(), left[rows, best].tolist(), strict=True):
            if not rank or score >= least:
                rules.append(rule)
        left[rows, best] = -np.inf
    return [best if 0 in best else [0, *best] for best in chosen]
