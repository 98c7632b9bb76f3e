"""Decode by argmax, as in the paper: the best action, rule and spans at each position, independently of the others."""

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from utterly.dialogues.dialogue import Dialogue
from utterly.model.encode import Pieces
from utterly.model.scores import Floats, FoundSpans, Query, ScoredEnds, TagScores
from utterly.rules.book import RuleBook
from utterly.scripts.edits import NULL_RULE, Edit, EditScript, Rule

_NOTHING_FOUND: Final = FoundSpans((), ())


class _BestRule(NamedTuple):
    """The rule before one source word, with a span for each slot."""

    rule: Rule
    spans: list[ScoredEnds]
    log_probability: float  # of the rule or the stop, without the spans


def best_tags(
    book: RuleBook, dialogue: Dialogue, pieces: Pieces, tags: TagScores, spans: Mapping[Query, FoundSpans]
) -> tuple[EditScript, float]:
    """The script of the best tags and its log probability."""
    actions = [*tags.actions[:-1].tolist(), [-np.inf, 0.0]]  # the end of the source cannot be deleted
    edits, score = [], 0.0
    for word, (delete, keep) in enumerate(actions):
        if tags.rules is None:
            best = _up_to_stop(spans.get(Query(word, 0, book.max_slots), _NOTHING_FOUND))
        else:
            best = _best_rule(book, word, tags.rules[word], spans)
        copied = tuple(pieces.span_at(ends.first, ends.last) for ends in best.spans)
        edits.append(Edit(keep >= delete, best.rule, copied))
        score += max(delete, keep) + (best.log_probability + sum(ends.log_probability for ends in best.spans))
    return EditScript(dialogue, tuple(edits)), score


def _best_rule(book: RuleBook, word: int, log_probs: Floats, spans: Mapping[Query, FoundSpans]) -> _BestRule:
    """HCT: the best rule with the best span for each slot, or nothing if a slot has none."""
    number = int(log_probs.argmax())
    rule = book.rules[number]
    found = spans.get(Query(word, number, rule.slots), _NOTHING_FOUND)
    taken = [slot[0] for slot in found.slots[: rule.slots] if slot]
    if len(taken) < rule.slots:
        return _BestRule(NULL_RULE, [], float(log_probs[0]))
    return _BestRule(rule, taken, float(log_probs[number]))


def _up_to_stop(found: FoundSpans) -> _BestRule:
    """MST and RaST: the best spans up to the slot where the stop symbol is better."""
    taken: list[ScoredEnds] = []
    for slot, stop in zip(found.slots, found.stops, strict=True):
        if not slot or slot[0].log_probability <= stop:
            return _BestRule(Rule.glue(len(taken)), taken, stop)
        taken.append(slot[0])
    return _BestRule(Rule.glue(len(taken)), taken, 0.0)
