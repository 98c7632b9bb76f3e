"""Decode scores into scripts by beam search, the same way in evaluation, training and use.

Every source word has a few options: keep or delete it, and insert nothing or a rule with its spans. The beam search
combines them word by word and scores scripts as a whole: a span inserted twice is penalised, a deleted run takes an
insertion only before its first word, and it costs something to delete without replacing, or to keep a pronoun beside
its replacement. Minimum Bayes risk may then choose the script with the highest expected BLEU against the others, as the
most probable one may be an outlier.

Guards refuse scripts that are nearly always mistakes: the asker's words are deleted only if a span replaces them, a
third of them stay, nothing is doubled where an insertion meets them, "do that" does not go with the "he" before it, and
a "why?" after a no does not presuppose a yes.
`utterly.model.guards` has the guards on spans.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from itertools import chain, islice, pairwise, product, takewhile
from operator import itemgetter
from typing import Final, NamedTuple, Optional

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from utterly.dialogues.dialogue import Dialogue, Word, split_words
from utterly.model.argmax import best_tags
from utterly.model.encode import STOP, Pieces
from utterly.model.guards import ends_sentence
from utterly.model.likeness import pairwise_bleu
from utterly.model.scores import Floats, FoundSpans, Query, ScoredEnds, Scores, SpanScores, TagScores
from utterly.model.settings import DecodeSettings
from utterly.rules.book import RuleBook
from utterly.scripts.edits import KEEP, NULL_RULE, SLOT, Edit, EditScript, Rule

_KEEP_ACTION: Final = 1  # column in the action scores; delete is 0
_DETERMINERS: Final = frozenset("the my your his its our their".split())  # not `a`: `the A-Team`, `vitamin A the day`
_FINAL_MARKS: Final = frozenset(". ! ?".split())
_DONE: Final = frozenset("do done doing".split())  # not `does it`, `did this`: what was done follows these
_WHAT_WAS_DONE: Final = frozenset("it that this so".split())
_LEAST_PROBABILITY: Final = 1e-3  # of a word in a signal; nearer to 0 or to 1 counts the same
_WORTH_WEIGHING: Final = 4.0  # candidates whose log weight is below the best by more than this are ignored
PRONOUNS: Final = frozenset(
    "it he she they him her them its his their theirs hers this that these those there one ones".split()
)
"""English pronouns and the like: an insertion before one nearly always replaces it.

CANARD's training labels insert something before one of these 17,000 times, and all but 50 of them are deleted.
"""

_WHY: Final = frozenset("why come 为 凭 咋".split())  # how come, 为什么
_BARE_WHY: Final = _WHY.union(
    "how so is was that this it then but and ok okay oh well really though exactly , . ? ! … "
    "什 么 啥 何 呢 呀 啊 吗 那 但 可 是 ， 。 ？ ！".split()
)
_NO: Final = frozenset(
    "no nope not n't n’t never cannot none nothing nobody neither nor unfortunately avoid against without hardly "
    "illegal forbidden prohibited unsafe dangerous risky impossible bad 不 没 别 无 未 非 勿 禁 否 莫".split()
)


class Signals(NamedTuple):
    """What tells, beyond its probability, whether a script is likely to help; all 0 if it changes nothing.

    The probability alone says how often a person would have written the same. Signals say whether the other scripts
    copy the same words, how often the context has them, how certain these words are wherever they are copied from, how
    certain each deletion is, and how certain it is that the turn needs a change.
    """

    changed: float = 0.0  # 1
    agreement: float = 0.0  # 0 to 1: how far the other scripts in the beam copy the same words
    mentions: float = 0.0  # log count, in the context, of the rarest copied span
    certainty: float = 0.0  # log odds of the first word of the least certain span, plus those of its last word
    deletion: float = 0.0  # log probability of the least probable deletion
    stays: float = 0.0  # log probability that the turn stays unchanged


class ScoredScript(NamedTuple):
    script: EditScript
    log_probability: float
    reason: str | None = None  # why the source could not be read and stays unchanged
    signals: Signals = Signals()


class _Insertion(NamedTuple):
    """A rule with spans, or nothing, before one source word."""

    log_probability: float
    rule: Rule
    spans: tuple[tuple[int, int], ...] = ()  # the context indices of each one's first and last word
    words: tuple[str, ...] = ()  # all inserted words, case-folded
    copied: frozenset[tuple[str, ...]] = frozenset()  # the words of each span, case-folded
    certainty: float = 0.0  # of its least certain span


class _Path(NamedTuple):
    """A script up to some source word: its last step, and the path before that."""

    log_probability: float
    keep: bool
    insertion: _Insertion
    copied: frozenset[tuple[str, ...]]
    before: Optional["_Path"]


_START: Final = _Path(0.0, True, _Insertion(0.0, NULL_RULE), frozenset(), None)
_Step = tuple[float, bool, _Insertion, _Path]
"""A possible next path: its log probability, whether the word is kept, the insertion, and the path before."""
_score = itemgetter(0)


@dataclass(frozen=True)
class Decoder:
    """Finds the best scripts that use the rules of a book."""

    book: RuleBook
    settings: DecodeSettings = field(default_factory=DecodeSettings)

    def best(self, dialogue: Dialogue, pieces: Pieces, scores: Scores, n: int = 1) -> list[ScoredScript]:
        """The `n` best scripts, best first."""
        return self.choose(dialogue, pieces, scores.tags, self.find_spans(pieces, scores), n)

    def find_spans(self, pieces: Pieces, scores: Scores) -> dict[Query, FoundSpans]:
        """The best spans for every query; the second level runs only if there is a query."""
        queries = self.queries(pieces, scores.tags)
        if not queries:
            return {}
        return dict(zip(queries, best_spans(pieces, scores.spans(queries), self.settings), strict=True))

    def queries(self, pieces: Pieces, tags: TagScores) -> list[Query]:
        """The source words and rules that the second level must score spans for."""
        if len(pieces.context) < 2:
            return []
        if tags.rules is None:
            return [Query(word, 0, self.book.max_slots) for word in range(len(tags.actions))]
        slots = self.book.slots
        if self.settings.argmax:
            numbers = enumerate(tags.rules.argmax(axis=1).tolist())
            return [Query(word, rule, slots[rule]) for word, rule in numbers if slots[rule]]
        best = enumerate(self._best_rules(self._biased(tags.rules)))
        return [Query(word, rule, slots[rule]) for word, rules in best for rule in rules if slots[rule]]

    def choose(
        self, dialogue: Dialogue, pieces: Pieces, tags: TagScores, spans: Mapping[Query, FoundSpans], n: int = 1
    ) -> list[ScoredScript]:
        """Like `best`, from known tags and spans."""
        settings = self.settings
        if settings.argmax:
            return [ScoredScript(*best_tags(self.book, dialogue, pieces, tags, spans))]
        filler = _Filler(dialogue, pieces, settings.spans_per_slot)
        if tags.rules is None:
            insertions = self._by_stops(len(tags.actions), spans, filler)
        else:
            insertions = self._by_rules(self._biased(tags.rules), spans, filler)
        actions = tags.actions.tolist()
        actions[-1] = [-np.inf, 0.0]  # the end of the source cannot be deleted
        paths = [_START]
        wanted = max(settings.candidates, n)
        width = max(settings.beam, wanted)
        needs_no = settings.guarded and needs_a_no(dialogue)
        words = dialogue.source.words
        pronouns = [word.text.casefold() in PRONOUNS for word in words]
        for (delete, keep), options, pronoun in zip(actions, insertions, (*pronouns, False), strict=True):
            longer = self._steps(paths, options, delete, keep, pronoun)
            longer.sort(key=_score, reverse=True)  # stable: ties go to the first
            paths = [
                _Path(score, kept, option, before.copied | option.copied if option.copied else before.copied, before)
                for score, kept, option, before in longer[:width]
            ]
        stays = _unchanged_log_prob(tags, spans)
        beam, said = paths[: settings.beam], _said(dialogue, pieces)
        if needs_no:
            paths = [path for path in paths if not (inserted := _inserted(path)) or _says_no(inserted)]
        if settings.guarded:
            done = _places_of_do(words)
            paths = [path for path in paths if _joins_well(path, words) and _replaces_do(path, done)]
        if not paths:
            return [ScoredScript(EditScript.unchanged(dialogue), stays)]
        likely = paths[0].log_probability - _WORTH_WEIGHING * settings.temperature
        paths = [path for i, path in enumerate(paths[:wanted]) if i < n or path.log_probability > likely]
        if settings.candidates > 1 and len(paths) > 1:
            paths = _by_likeness(paths, dialogue, settings.temperature)
        if settings.guarded and not _keeps_the_turn(paths[0], words):
            return [ScoredScript(EditScript.unchanged(dialogue), stays)]

        def scored(path: _Path) -> ScoredScript:
            signals = _signals(beam, said, tags, stays, path)
            return ScoredScript(EditScript(dialogue, _edits(path, pieces)), path.log_probability, signals=signals)

        ranked: Iterator[ScoredScript] = map(scored, paths)  # lazy: few are taken
        if np.exp(stays) > settings.stay_probability:
            unchanged = ScoredScript(EditScript.unchanged(dialogue), stays)
            ranked = chain([unchanged], (each for each in ranked if each.script != unchanged.script))
        return list(islice(ranked, n))

    def _by_rules(
        self, rule_log_probs: Floats, spans: Mapping[Query, FoundSpans], filler: "_Filler"
    ) -> Iterator[list[_Insertion]]:
        """HCT: for each source word, the best rules with their best spans."""
        best = self._best_rules(rule_log_probs)
        for word, (numbers, row) in enumerate(zip(best, rule_log_probs.tolist(), strict=True)):
            options: list[_Insertion] = []
            for number in numbers:
                rule, slots, score = self.book.rules[number], self.book.slots[number], row[number]
                if not slots:
                    options.append(_Insertion(score, rule, words=tuple(part.casefold() for part in rule.parts if part)))
                elif found := spans.get(Query(word, number, slots)):
                    options += filler.filled(rule, score, found.slots[:slots])
            yield options

    def _by_stops(self, words: int, spans: Mapping[Query, FoundSpans], filler: "_Filler") -> Iterator[list[_Insertion]]:
        """MST and RaST: for each source word no span, one, two and so on, each followed by the stop symbol."""
        for word in range(words):
            found = spans.get(Query(word, 0, self.book.max_slots), FoundSpans((), (0.0,)))
            stops = _with_odds(found.stops, self.settings.null_bias)
            nothing = _Insertion(stops[0], NULL_RULE)
            options: list[_Insertion] = []
            for count in range(1, len(found.slots) + 1):
                stop = stops[count] if count < len(stops) else 0.0
                options += filler.filled(Rule.glue(count), stop, found.slots[:count])
            yield [nothing, *nlargest(self.settings.rules_per_word, options, key=_score)]

    def _steps(
        self, paths: Sequence[_Path], options: Sequence[_Insertion], delete: float, keep: float, pronoun: bool
    ) -> list[_Step]:
        """Every way to extend some paths. There are many and few are taken, so a step is a plain tuple."""
        ways = [(option, option.log_probability, bool(option.rule.parts), option.copied) for option in options]
        deletes, guarded, repeat_cost = delete > -np.inf, self.settings.guarded, self.settings.repeat_cost
        pronoun_cost = self.settings.kept_pronoun_cost if pronoun else 0.0
        steps: list[_Step] = []
        for before in paths:
            so_far, copied, after_deleted = before.log_probability, before.copied, not before.keep
            for option, log_probability, inserts, copies in ways:
                score = so_far + log_probability
                if copied and copies and not copied.isdisjoint(copies):
                    score -= repeat_cost * len(copies & copied)
                steps.append((score + keep - (pronoun_cost if inserts else 0.0), True, option, before))
                # A deleted run has one insertion, at its start, and if guarded, that copies a span: the asker's words
                # are deleted only if something replaces them, and `the` does not.
                if deletes and (not inserts if after_deleted else copies or not guarded):
                    cost = 0.0 if after_deleted or inserts else self.settings.empty_delete_cost
                    steps.append((score + delete - cost, False, option, before))
        return steps

    def _biased(self, rule_log_probs: Floats) -> Floats:
        """Rule log probabilities with the bias subtracted from the null rule, renormalised."""
        if not self.settings.null_bias:
            return rule_log_probs
        biased = rule_log_probs.copy()
        biased[:, 0] -= self.settings.null_bias
        best = biased.max(axis=1, keepdims=True)
        normalised: Floats = biased - (best + np.log(np.exp(biased - best).sum(axis=1, keepdims=True)))
        return normalised

    def _best_rules(self, log_probs: Floats) -> list[list[int]]:
        """For each source word the null rule, which is number 0, and the best others that are probable enough."""
        least = np.log(self.settings.least_rule_probability)
        chosen: list[list[int]] = [[] for _ in log_probs]
        for rank, (best, scores) in enumerate(_best_columns(log_probs.copy(), self.settings.rules_per_word)):
            for rules, rule, score in zip(chosen, best, scores, strict=True):
                if not rank or score >= least:
                    rules.append(rule)
        return [best if 0 in best else [0, *best] for best in chosen]


class _Filler:
    """Fills the slots of rules with spans of a dialogue."""

    def __init__(self, dialogue: Dialogue, pieces: Pieces, count: int) -> None:
        self._dialogue, self._pieces, self._count = dialogue, pieces, count
        self._words: dict[tuple[int, int], tuple[str, ...]] = {}

    def filled(self, rule: Rule, score: float, slots: Sequence[Sequence[ScoredEnds]]) -> Iterator[_Insertion]:
        """The best few ways to fill a rule; the same words do not fill two slots."""
        ways: Iterable[tuple[ScoredEnds, ...]] = product(*slots)
        if len(slots) > 1:
            ways = nlargest(self._count, ways, key=lambda way: sum(map(_score, way)))
        for way in ways:
            phrases = [self._phrase(ends.first, ends.last) for ends in way]
            copied = frozenset(phrases)
            if len(copied) == len(phrases):
                filling = iter(phrases)
                words = [next(filling) if part is SLOT else (part.casefold(),) for part in rule.parts]
                spans = tuple((ends.first, ends.last) for ends in way)
                found = score + sum(map(_score, way))
                certainty = min(ends.certainty for ends in way)
                yield _Insertion(found, rule, spans, tuple(chain.from_iterable(words)), copied, certainty)

    def _phrase(self, first: int, last: int) -> tuple[str, ...]:
        """The words of a span, case-folded."""
        if (first, last) not in self._words:
            turn, start, stop = self._pieces.turns[first], self._pieces.words[first], self._pieces.words[last] + 1
            words = split_words(self._dialogue.context[turn].text, int(stop))[start:]
            self._words[first, last] = tuple(word.text.casefold() for word in words)
        return self._words[first, last]


def best_spans(pieces: Pieces, scores: SpanScores, settings: DecodeSettings) -> list[FoundSpans]:
    """The best spans for each slot of each query; start and end are chosen together."""
    start, end = scores
    asked = asked_slots(scores)
    best = _best_ends(all_spans(pieces, scores, settings), settings.spans_per_slot)
    found = _with_certainty(best, pieces, start[asked], end[asked])
    stops = (start[:, :, STOP] + end[:, :, STOP]).tolist()
    return [
        FoundSpans(tuple(next(found) if wanted else () for wanted in row), tuple(stop))
        for row, stop in zip(asked.tolist(), stops, strict=True)
    ]


def asked_slots(scores: SpanScores) -> NDArray[np.bool_]:
    """Which slots the rule of each query has: (queries, slots)."""
    asked: NDArray[np.bool_] = scores.start.max(axis=2) > -np.inf
    return asked


def all_spans(pieces: Pieces, scores: SpanScores, settings: DecodeSettings) -> Floats:
    """The log probabilities of all spans, by first index and length - 1, a row per asked slot: (rows, context, length).

    Minus infinity for anything that is not a span within one turn.
    """
    start, end = scores
    context, asked = start.shape[2], asked_slots(scores)
    outside = _outside(pieces, settings)  # (context, length)
    most_words = outside.shape[1]
    ends = np.full((np.count_nonzero(asked), context + most_words - 1), -np.inf, dtype=end.dtype)
    ends[:, :context] = end[asked]
    both: Floats = start[asked][:, :, None] + sliding_window_view(ends, most_words, axis=1)
    both += outside
    return both


def _best_ends(both: Floats, count: int) -> list[tuple[ScoredEnds, ...]]:
    """The `count` best spans of each row, best first; ties go to the first in the context.

    `both` comes from `all_spans` and is overwritten.
    """
    found: list[list[ScoredEnds]] = [[] for _ in both]
    for best, scores in _best_columns(both.reshape(len(both), -1), count):
        for spans, index, score in zip(found, best, scores, strict=True):
            if score > -np.inf:
                first, more = divmod(index, both.shape[2])
                spans.append(ScoredEnds(score, first, first + more))
    return [tuple(spans) for spans in found]


def _with_certainty(
    found: Iterable[tuple[ScoredEnds, ...]], pieces: Pieces, start: Floats, end: Floats
) -> Iterator[tuple[ScoredEnds, ...]]:
    """The spans of each row with their certainty. `start` and `end` are log probabilities: (rows, context).

    A word is as probable as all its mentions together. Words with the same first piece count as the same.
    """
    _, word = np.unique(pieces.ids[pieces.context], return_inverse=True)  # (context,)
    mentions = np.eye(word.max() + 1, dtype=np.float32)[word]  # (context, words)
    starts, ends = (_log_odds(np.exp(each) @ mentions) for each in (start, end))  # (rows, words)
    for row, spans in enumerate(found):
        yield tuple(
            span._replace(certainty=float(starts[row, word[span.first]] + ends[row, word[span.last]])) for span in spans
        )


def _log_odds(probabilities: Floats) -> Floats:
    """Log odds, clipped to about -7 to 7."""
    clipped = probabilities.clip(_LEAST_PROBABILITY, 1 - _LEAST_PROBABILITY)
    odds: Floats = np.log(clipped) - np.log1p(-clipped)
    return odds


def _best_columns(scores: Floats, count: int) -> Iterator[tuple[list[int], list[float]]]:
    """The best column of each row with its score, then the second best and so on; `scores` is overwritten."""
    rows = np.arange(len(scores))
    for _ in range(min(count, scores.shape[1])):
        best = scores.argmax(axis=1)  # ties go to the first
        yield best.tolist(), scores[rows, best].tolist()
        scores[rows, best] = -np.inf


def _outside(pieces: Pieces, settings: DecodeSettings) -> Floats:
    """0 if a first context index and a length - 1 make a span, else minus infinity: (context, length)."""
    if settings.guarded and not settings.argmax:
        firsts, lasts = pieces.firsts, pieces.lasts
    else:
        firsts = np.cumsum((np.diff(pieces.turns, prepend=-1) != 0) | (np.diff(pieces.words, prepend=-2) != 1))
        firsts[:1] = -1
        lasts = np.where(firsts < 0, -2, firsts)
    context = len(firsts)
    reaches = np.zeros(max(0, firsts.max(), lasts.max()) + 1, dtype=np.int64)
    reaches[lasts[lasts >= 0]] = np.flatnonzero(lasts >= 0)  # the last index of each stretch
    longest = int((np.where(firsts >= 0, reaches[firsts], -1) - np.arange(context)).max()) + 1
    most_words = max(1, min(settings.max_span_words, longest))
    padded = np.full(context + most_words - 1, -2)
    padded[:context] = lasts
    inside = sliding_window_view(padded, most_words) == firsts[:, None]
    outside: Floats = np.where(inside, np.float32(0), np.float32(-np.inf))
    return outside


def _with_odds(log_probs: Sequence[float], bias: float) -> list[float]:
    """Log probabilities with `bias` subtracted from their log odds."""
    probs = np.clip(np.exp(log_probs), 1e-9, 1 - 1e-9)
    log_odds = np.log(probs) - np.log1p(-probs) - bias
    biased: list[float] = (-np.log1p(np.exp(-log_odds))).tolist()
    return biased


def _unchanged_log_prob(tags: TagScores, spans: Mapping[Query, FoundSpans]) -> float:
    """The log probability, without any bias, that every word is kept and nothing inserted."""
    kept = float(tags.actions[:-1, _KEEP_ACTION].sum())
    if tags.rules is not None:
        return kept + float(tags.rules[:, 0].sum())
    return kept + sum(found.stops[0] for found in spans.values())


def _by_likeness(paths: Sequence[_Path], dialogue: Dialogue, temperature: float) -> list[_Path]:
    """The paths ordered by expected sentence BLEU, supposing that one of them is the target: minimum Bayes risk."""
    log_probs = np.array([path.log_probability for path in paths]) / temperature
    probs = np.exp(log_probs - np.logaddexp.reduce(log_probs))
    source = [(word.text.casefold(),) for word in dialogue.source.words]
    rewrites = [
        [w for step, said in zip(_steps_of(path), (*source, ()), strict=True)
         for w in (*step.insertion.words, *(said if step.keep else ()))]
        for path in paths
    ]  # fmt: skip
    expected = pairwise_bleu(rewrites) @ probs
    return [paths[i] for i in np.argsort(-expected, kind="stable")]


def _said(dialogue: Dialogue, pieces: Pieces) -> str:
    """The part of the context that is read, case-folded: a turn per line, each word between spaces."""
    last_words = dict(zip(pieces.turns[1:].tolist(), pieces.words[1:].tolist(), strict=True))
    turns = (split_words(dialogue.context[turn].text, last + 1) for turn, last in last_words.items())
    return "\n".join(" ".join(["", *(word.text for word in words), ""]) for words in turns).casefold()


def _signals(beam: Sequence[_Path], said: str, tags: TagScores, stays: float, path: _Path) -> Signals:
    """The signals of a path; `beam` is the best paths, best first, and `said` the context."""
    steps = _steps_of(path)
    deletions = [float(tags.actions[i, 1 - _KEEP_ACTION]) for i, step in enumerate(steps) if not step.keep]
    if not deletions and not any(step.insertion.rule.parts for step in steps):
        return Signals()
    copied, *others = (frozenset(chain.from_iterable(each.copied)) for each in (path, *beam))
    shared = [len(copied & words) / max(1, len(copied | words)) for words in others]
    mentions = [max(1, said.count(" ".join(["", *phrase, ""]))) for phrase in path.copied]
    weights = np.exp([other.log_probability - beam[0].log_probability for other in beam])
    return Signals(
        changed=1.0,
        agreement=float(weights @ shared / weights.sum()),
        mentions=float(np.log(min(mentions, default=1))),
        certainty=min((step.insertion.certainty for step in steps if step.insertion.spans), default=0.0),
        deletion=min(deletions, default=0.0),
        stays=stays,
    )


def needs_a_no(dialogue: Dialogue) -> bool:
    """Whether the turn is a bare "why?" after an answer that begins with a no.

    After "Can I take it with alcohol?" and "You should avoid it.", the rewrite "why can I take it with alcohol?" would
    mean the opposite. "为什么不能喝酒" is fine: its insertion says no.
    """
    asked = [word.text.casefold() for word in split_words(dialogue.source.text, 12)]
    if not dialogue.context or _WHY.isdisjoint(asked) or not _BARE_WHY.issuperset(asked):
        return False
    answer = split_words(dialogue.context[-1].text, 40)
    sentence = takewhile(lambda k: not ends_sentence(answer, k), range(len(answer)))
    return _says_no(answer[k].text for k in sentence)


def _says_no(words: Iterable[str]) -> bool:
    return any(word.casefold() in _NO for word in words)


def _keeps_the_turn(path: _Path, words: Sequence[Word]) -> bool:
    """Whether at least a third of the source's words are kept, if it has three or more; else it is another question."""
    kept = [step.keep for word, step in zip(words, _steps_of(path), strict=False) if word.text[0].isalnum()]
    return len(kept) < 3 or 3 * sum(kept) >= len(kept)


def _joins_well(path: _Path, words: Sequence[Word]) -> bool:
    """Whether nothing is doubled where an insertion meets the asker's words: no `in in`, `my the` or `?.`."""
    said: list[tuple[str, bool]] = []  # each word of the rewrite, case-folded, and whether it is the asker's
    for step, own in zip(_steps_of(path), (*words, None), strict=True):
        said += ((word, False) for word in step.insertion.words)
        if own is not None and step.keep:
            said.append((own.text.casefold(), True))
    return not any(_doubles(left, right) for (left, ours), (right, theirs) in pairwise(said) if ours != theirs)


def _places_of_do(words: Sequence[Word]) -> list[int]:
    """The position of each "do" in "do that", "done it" and the like."""
    said = [word.text.casefold() for word in words]
    return [k for k, (word, after) in enumerate(pairwise(said)) if word in _DONE and after in _WHAT_WAS_DONE]


def _replaces_do(path: _Path, places: Sequence[int]) -> bool:
    """Whether each "do that" that is deleted is replaced: by more than the name for the "he" deleted before it."""
    steps = _steps_of(path) if places else []
    for place in places:
        if not steps[place].keep:
            start, stop = place, place + 1  # of the deleted run
            while start and not steps[start - 1].keep:
                start -= 1
            while not steps[stop].keep:  # the end of the source is always kept
                stop += 1
            inserted = len(steps[start].insertion.words)
            if stop == place + 1 or (start < place and inserted <= stop - start):
                return False
    return True


def _doubles(left: str, right: str) -> bool:
    if left == right:
        return left.isascii() and left.isalpha()
    return {left, right} <= _DETERMINERS or (left == "?" and right in _FINAL_MARKS)


def _inserted(path: _Path) -> list[str]:
    """All words inserted by a path, case-folded."""
    return [word for step in _steps_of(path) for word in step.insertion.words]


def _edits(path: _Path, pieces: Pieces) -> tuple[Edit, ...]:
    return tuple(
        KEEP
        if step.keep and not step.insertion.rule.parts
        else Edit(step.keep, step.insertion.rule, tuple(pieces.span_at(*ends) for ends in step.insertion.spans))
        for step in _steps_of(path)
    )


def _steps_of(path: _Path) -> list[_Path]:
    """The steps of a path, first to last."""
    steps: list[_Path] = []
    while path.before is not None:
        steps.append(path)
        path = path.before
    return steps[::-1]
