"""Extract the edit script that rewrites the source of a dialogue into its target."""

from collections.abc import Iterator, Mapping, Sequence

from utterly.dialogues.dialogue import Dialogue
from utterly.errors import LabelError
from utterly.labels.function_words import FUNCTION_WORDS, worth_a_span
from utterly.labels.labels import Labels, Mentions
from utterly.labels.lcs import align
from utterly.labels.syntax import Parse, Range, Syntax, folded_words
from utterly.labels.trees import Context, best_cover, rule_with_slots
from utterly.scripts.edits import NULL_RULE, Rule, Span

Slots = dict[Range, tuple[Span, ...]]
"""Ranges of target words, left to right, each with the context spans that have the same words."""


class LabelExtractor:
    """Extracts labels, using a syntax provider.

    With `literal`, as in the paper: function words alone are spans too, and Algorithm 1 has no additions.
    """

    def __init__(self, syntax: Syntax, *, literal: bool = False) -> None:
        self._syntax, self._literal = syntax, literal

    def extract(self, dialogues: Sequence[Dialogue]) -> list[Labels]:
        """Labels for each dialogue. A dialogue is parsed only if its context lacks a phrase."""
        cases = [_Case(dialogue, self._literal) for dialogue in dialogues]
        texts = list(dict.fromkeys(text for case in cases for text in case.texts_to_parse()))
        parses = dict(zip(texts, self._syntax.parse(texts), strict=True))
        return [case.labels(parses) for case in cases]


class _Case:
    """The extraction for one dialogue."""

    def __init__(self, dialogue: Dialogue, literal: bool) -> None:
        if dialogue.target is None:
            raise LabelError(
                f"labels need a target, but dialogue {dialogue.id or dialogue.source.text[:60]!r} has none"
            )
        self._dialogue, self._literal = dialogue, literal
        self._target_text = dialogue.target.text
        self._target = folded_words(self._target_text)
        self._target_words = [word.text.lower() for word in dialogue.target.words]
        self._context = Context.of(dialogue)
        self._alignment = align(folded_words(dialogue.source.text), self._target)
        phrases = [(start, stop) for _, start, stop in self._alignment.phrases]
        self._whole: Slots = {phrase: self._mentions_worth_a_span(*phrase) for phrase in phrases}
        self._needs_syntax = any(
            not mentions and self._worth_a_span(*phrase) for phrase, mentions in self._whole.items()
        )

    def texts_to_parse(self) -> Iterator[str]:
        if self._needs_syntax:
            yield self._target_text
            yield from (turn.text for turn in self._dialogue.context)

    def labels(self, parses: Mapping[str, Parse]) -> Labels:
        inserted: dict[int, tuple[Rule, Mentions]] = {}
        for before, start, stop in self._alignment.phrases:
            whole = self._whole[start, stop]
            slots = {(start, stop): whole} if whole else self._covered((start, stop), parses)
            rule = rule_with_slots(self._target_words, (start, stop), tuple(slots))
            inserted[before] = rule, tuple(slots.values())
        keeps = enumerate((*self._alignment.keep, True))
        return Labels.of(self._dialogue, ((keep, *inserted.get(i, (NULL_RULE, ()))) for i, keep in keeps))

    def _covered(self, phrase: Range, parses: Mapping[str, Parse]) -> Slots:
        """The parts of a phrase that the context has as words or lemmas: the paper's Algorithm 1."""
        if not self._needs_syntax:
            return {}
        target_lemmas = self._keys(self._target, parses[self._target_text])
        turns = zip(self._context.turns, self._dialogue.context, strict=True)
        lemmas = Context(self._keys(words, parses[turn.text]) for words, turn in turns)
        start, stop = phrase
        longest = max(
            self._context.longest_run(self._target[start:stop]), lemmas.longest_run(target_lemmas[start:stop])
        )
        found: Slots = {}

        def match(start: int, stop: int) -> int:
            """Characters of the words that a mention shares; if literal, words with the same lemma count too."""
            if stop - start > longest:
                return 0
            if (start, stop) not in found:
                found[start, stop] = self._mentions_worth_a_span(start, stop)
                if not found[start, stop] and self._worth_a_span(start, stop):
                    found[start, stop] = self._most_alike(start, lemmas.mentions(target_lemmas[start:stop]))
            return self._shared(start, found[start, stop][0]) if found[start, stop] else 0

        ranges = best_cover(phrase, parses[self._target_text].constituents, match, literal=self._literal)
        return {r: found[r] for r in ranges}

    def _most_alike(self, start: int, spans: tuple[Span, ...]) -> tuple[Span, ...]:
        shared = [self._shared(start, span) for span in spans]
        return tuple(span for span, n in zip(spans, shared, strict=True) if n == max(shared))

    def _shared(self, start: int, span: Span) -> int:
        """Characters of the words that a span shares with the target at `start`, if they are worth a span."""
        mention = self._context.words(span)
        if self._literal:
            return sum(map(len, mention))
        shared = tuple(word for word, other in zip(self._target[start:], mention, strict=False) if word == other)
        return sum(map(len, shared)) if worth_a_span(shared) else 0

    def _keys(self, words: Sequence[str], parse: Parse) -> tuple[str, ...]:
        """Lemmas, except for function words: `'s` and `was` share a lemma and little else."""
        if self._literal or words == parse.lemmas:
            return parse.lemmas
        pairs = zip(words, parse.lemmas, strict=True)
        return tuple(word if word in FUNCTION_WORDS else lemma for word, lemma in pairs)

    def _mentions_worth_a_span(self, start: int, stop: int) -> tuple[Span, ...]:
        return self._context.mentions(self._target[start:stop]) if self._worth_a_span(start, stop) else ()

    def _worth_a_span(self, start: int, stop: int) -> bool:
        return self._literal or worth_a_span(self._target[start:stop])
