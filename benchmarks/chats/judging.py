"""Verdicts on rewrites of a chat's last turn: good, harmless or harmful.

Rules for all chats come first (`faults.py`), then the chat's own patterns. A change that no pattern covers is harmful:
see README.md.
"""

import re
from enum import StrEnum
from typing import NamedTuple

from benchmarks.chats.chats import Chat
from benchmarks.chats.faults import drops_only_fillers, faults, plain_text
from tests.acceptance.scoring import normalised


class Verdict(StrEnum):
    GOOD = "good"
    HARMLESS = "harmless"
    HARMFUL = "harmful"


class Judgement(NamedTuple):
    verdict: Verdict
    reason: str


def judge(chat: Chat, text: str) -> Judgement:
    """The verdict on a rewrite, and the reason."""
    plain = plain_text(text)
    if plain == normalised(chat.source):
        return Judgement(Verdict.GOOD if chat.stays else Verdict.HARMLESS, "left as it was")
    for fault in faults(chat, text):
        return Judgement(Verdict.HARMFUL, fault)
    for pattern in chat.bad:
        if re.search(pattern, plain):
            return Judgement(Verdict.HARMFUL, f"says {pattern}")
    if chat.good and all(re.search(pattern, plain) for pattern in chat.good):
        return Judgement(Verdict.GOOD, "says what was meant")
    if chat.fair and all(re.search(pattern, plain) for pattern in chat.fair):
        return Judgement(Verdict.HARMLESS, "says a part of what was meant")
    if drops_only_fillers(chat, text):
        return Judgement(Verdict.HARMLESS, "hardly changed")
    return Judgement(Verdict.HARMFUL, "changed, though it stands alone" if chat.stays else "not what was meant")
