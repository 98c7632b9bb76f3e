"""The settings of decoding, as a model's config has them."""

from dataclasses import dataclass, fields
from typing import Final

_LARGEST: Final = 1_000_000  # value of a setting: log probabilities stay finite


@dataclass(frozen=True, kw_only=True)
class DecodeSettings:
    """Settings of the search. `utterly calibrate` tunes the first five on held-out dialogues."""

    null_bias: float = 0.0  # subtracted from the null rule's log odds: above 0 inserts more
    empty_delete_cost: float = 0.0  # log probability paid for a deleted run without a replacement
    stay_probability: float = 1.0  # keep the source if that is more probable than this, without the bias
    candidates: int = 1  # minimum Bayes risk among this many scripts; 1: the most probable
    temperature: float = 1.0  # divides the candidates' log probabilities: above 1, less probable ones weigh more
    repeat_cost: float = 20.0  # log probability paid for inserting the same words twice
    kept_pronoun_cost: float = 0.0  # log probability paid for keeping a pronoun beside an insertion
    max_span_words: int = 30
    rules_per_word: int = 3
    least_rule_probability: float = 0.02  # less probable rules are not tried, except the best
    spans_per_slot: int = 2
    beam: int = 8
    guarded: bool = True  # never make edits that are nearly always mistakes: see `model.guards` and `model.decode`
    argmax: bool = False  # the best tag at each position, as in the paper; ignores the above, except max_span_words

    def __post_init__(self) -> None:
        for each in fields(self):
            name, value = each.name, getattr(self, each.name)
            if each.type is bool:
                _check(type(value) is bool, name, "true or false", value)
                continue
            if each.type is int:
                _check(type(value) is int and value >= 1, name, "a whole number of at least 1", value)
                continue
            is_number = type(value) in (int, float) and abs(value) <= _LARGEST
            _check(is_number, name, f"a number from -{_LARGEST:,} to {_LARGEST:,}", value)
            _check(value >= 0 or name == "null_bias", name, "0 or more", value)
            _check(value <= 1 or not name.endswith("_probability"), name, "at most 1", value)
        for name in ("temperature", "least_rule_probability"):
            _check(getattr(self, name) > 0, name, "above 0", getattr(self, name))


def _check(holds: bool, name: str, must_be: str, value: object) -> None:
    if not holds:
        raise ValueError(f"{name} must be {must_be}, got {value!r}")
