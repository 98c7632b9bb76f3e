"""What a rewrite of a chat's last turn is worth: good, harmless or harmful.

Rules that hold for every chat come first (`faults`), then the chat's own patterns. A change that no pattern
knows is harmful: see README.md.
"""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Final, NamedTuple

from benchmarks.chats.chats import Chat
from tests.acceptance.scoring import normalised

MOST_ADDED: Final = {"en": 25, "zh": 45}  # words, characters

_HAN: Final = r"[\u3400-\u4dbf\u4e00-\u9fff]"
_LETTERS: Final = rf"(?:(?!{_HAN})[^\W_])+"
_WORD: Final = re.compile(rf"{_HAN}|{_LETTERS}(?:['./_-]?{_LETTERS})*|\S")
_WHOLE_MARKUP: Final = re.compile(r"\*\*([^*]+)\*\*|`([^`]+)`|\[([^\]]+)\]\([^)\s]+\)")
_PARTIAL_MARKUP: Final = re.compile(r"\*\*|`|\||\n|\]\(|^#+ |</?\w+>|(?:^|\s)[*-]\s")
_PAIRS: Final = ("()", "[]", "（）", "《》", "“”", "「」", "【】")
_SENTENCE_ENDS: Final = frozenset(".?!。")  # as `normalised` writes them
_NO_SENTENCE: Final = frozenset(
    "yes no sure ok okay great please thanks 好 嗯 对 行 "
    "dr mr mrs ms st vs jr inc ltd co e.g i.e u.s u.k a.m p.m".split()
)
_DETERMINER: Final = r"(?:a|an|the|my|your|his|her|its|our|their)"
_BROKEN: Final = re.compile(
    rf"\b(\w+) \1\b|\b{_DETERMINER} (?:{_DETERMINER}|of|is|are|was|were|for|to|and|or)(?=[ ?.!,]|$)"
)
# Words of the asker that a rewrite may leave out or replace without loss.
_LIGHT: Final = frozenset(
    "a an the this that these those it its it's they them their theirs he him his she her hers i me my you your we us "
    "our one ones some any there here then so and or but also too just please ok okay oh hm hmm yes yeah yep no nope "
    "sure what which who whom whose when where why how is are was were be been am do does did done can could will "
    "would should shall may might must have has had what's how's that's there's i'm about of in on at to for from by "
    "with as than if into after before else other both all thanks thank more well actually like get got go ahead u "
    "thx pls wait right instead though really".split()
)
_LIGHT_HAN: Final = frozenset(
    "他她它们这那哪其此该个些的了吗呢吧啊呀嘛么是有在和与跟还也就都又再请好嗯哦对我你您一下什怎样"
)
_CLOSE: Final = 0.75  # a word survives as one spelt this much alike: typos may be corrected, words inflected


class Verdict(StrEnum):
    GOOD = "good"
    HARMLESS = "harmless"
    HARMFUL = "harmful"


class Judgement(NamedTuple):
    verdict: Verdict
    reason: str


def judge(chat: Chat, text: str) -> Judgement:
    """What a rewrite is worth, and why."""
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
    return Judgement(Verdict.HARMFUL, "changed, though it stands alone" if chat.stays else "not what was meant")


def plain_text(text: str) -> str:
    """A text as patterns read it: without whole markup, case and what else does not count."""
    return normalised(_WHOLE_MARKUP.sub(lambda found: next(filter(None, found.groups())), text))


def faults(chat: Chat, text: str) -> Iterator[str]:
    """What is wrong with a rewrite whatever the chat is about."""
    bare = _WHOLE_MARKUP.sub(" ", text)
    if _PARTIAL_MARKUP.search(bare.strip()) and not _PARTIAL_MARKUP.search(chat.source):
        yield "has a part of markup"
    if any(bare.count(left) != bare.count(right) for left, right in _PAIRS) or bare.count('"') % 2:
        yield "has half a pair of marks"
    words, source = words_of(text), words_of(chat.source)
    if len(words) - len(source) > MOST_ADDED[chat.lang]:
        yield "adds too much"
    if repeats_a_question(chat, text):
        if chat.kind != "clarify":  # there the earlier question and the reply belong together
            yield "asks an earlier question again"
    elif count_sentences(words) > count_sentences(source) + goes_on_after(chat.source, text):
        yield "has a sentence more than the turn"
    if found := lost_words(chat, text):
        yield f"loses {', '.join(found)}"
    plain = plain_text(text)
    if (found_broken := _BROKEN.search(plain)) and found_broken.group() not in normalised(chat.source):
        yield f"reads {found_broken.group()!r}"


def words_of(text: str, *, marks: bool = True) -> list[str]:
    """Words, Chinese characters and marks, in lower case, without the final mark."""
    words = _WORD.findall(normalised(text))
    return [word for word in words if marks or word[0].isalnum()]


def repeats_a_question(chat: Chat, text: str) -> bool:
    """Whether a text is what was asked before, once or several times, and then the turn as it was."""
    asked = [" ".join(chat.questions[i:j]) for j in range(1, len(chat.questions) + 1) for i in range(j)]
    words = words_of(text, marks=False)
    return any(words == words_of(f"{question} {chat.source}", marks=False) for question in asked)


def count_sentences(words: list[str]) -> int:
    """How many sentences there are, interjections and abbreviations aside."""
    ends = (i for i, word in enumerate(words[:-1]) if word in _SENTENCE_ENDS and i)
    return 1 + sum(words[i - 1] not in _NO_SENTENCE and words[max(0, i - 2) : i] != ["好", "的"] for i in ends)


def goes_on_after(source: str, text: str) -> bool:
    """Whether a text is the turn as it was, and then something more: "Yes. Show me the list."."""
    start, rest = normalised(source), plain_text(text)
    return rest.startswith(start) and rest[len(start) :].lstrip()[:1] in _SENTENCE_ENDS


def lost_words(chat: Chat, text: str) -> list[str]:
    """Words of content, or Chinese characters, that the asker said and the rewrite does not."""
    words = set(words_of(text))
    return [
        word
        for word in words_of(chat.kept, marks=False)
        if word not in _LIGHT | _LIGHT_HAN and not any(_alike(word, other) for other in words)
    ]


def _alike(word: str, other: str) -> bool:
    return word == other or (len(word) > 2 and SequenceMatcher(None, word, other).ratio() >= _CLOSE)
