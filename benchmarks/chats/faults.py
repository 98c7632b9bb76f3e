"""What makes a rewrite harmful in any chat: broken markup, runaway spans, lost words, broken grammar."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final

from benchmarks.chats.chats import Chat
from tests.acceptance.scoring import normalised

MOST_ADDED: Final = {"en": 25, "zh": 45}  # words, characters

_HAN: Final = r"[\u3400-\u4dbf\u4e00-\u9fff]"
_LETTERS: Final = rf"(?:(?!{_HAN})[^\W_])+"
_WORD: Final = re.compile(rf"{_HAN}|{_LETTERS}(?:['./_-]?{_LETTERS})*|\S")
_WHOLE_MARKUP: Final = re.compile(r"\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|`([^`]+)`|\[([^\]]+)\]\([^)\s]+\)")
_PARTIAL_MARKUP: Final = re.compile(r"\*|`|\||\n|\]\(|^#+ |</?\w+>|(?:^|\s)-\s")
_PAIRS: Final = ("()", "[]", "（）", "《》", "“”", "「」", "【】")
_MARKS: Final = frozenset(",.?!;:、()[]…-–—'\"“”《》「」")
_SENTENCE_ENDS: Final = frozenset(".?!。")  # as `normalised` writes them
_NO_SENTENCE: Final = frozenset(
    "yes no sure ok okay great please thanks 好 嗯 对 行 "
    "dr mr mrs ms st vs jr inc ltd co e.g i.e u.s u.k a.m p.m".split()
)
_DETERMINER: Final = r"(?:a|an|the|my|your|his|her|its|our|their)"
_BROKEN: Final = re.compile(
    rf"\b(\w+) \1\b"  # a word twice
    rf"|\b{_DETERMINER} (?:{_DETERMINER}|of|is|are|was|were|for|to|and|or)(?=[ ?.!,]|$)"
    r"|\b(?:a|an|the|my|your|its|our|their|of|and|or)$"  # unfinished
    r"|[,;:、]$"
)
_STRAY_MARKS: Final = re.compile(r"[.。,，;；:：、][?？!！.。,，]")
_PRONOUNS: Final = frozenset("it them they he him she her there that this those these one ones 它 他 她 那".split())
# Words of the user that a rewrite may simply drop.
_FILLERS: Final = frozenset(
    "a an the and so ok okay then too please just but also oh hm hmm well again ever really actually though yes yeah "
    "yep no nope sure thanks thx pls lol 的 了 吗 呢 吧 啊 呀 嘛 那 请 就 也 都 嗯 哦".split()
)
# Words that it may replace.
_LIGHT: Final = _FILLERS | frozenset(
    "this that these those it its it's they them their theirs he him his she her hers i me my you your we us our one "
    "ones some any there here or what which who whom whose when where why how is are was were be been am do does did "
    "done can could will would should shall may might must have has had what's how's that's there's i'm about of in on "
    "at to for from by with as than if into after before else other both all thank more like get got go ahead u wait "
    "right instead 他 她 它 们 这 哪 其 此 该 个 些 么 是 有 在 和 与 跟 还 又 再 对 好 我 你 您 一 下 什 怎 样".split()
)
_CLOSE: Final = 0.75  # similarity at which a word counts as kept: typos may be corrected, words inflected


def faults(chat: Chat, text: str) -> Iterator[str]:
    """What is wrong with a rewrite, by rules that hold for any chat."""
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
    if lost := lost_words(chat, text):
        yield f"loses {', '.join(lost)}"
    if dropped := dropped_words(chat, text):
        yield f"drops {', '.join(dropped)}"
    if kept := pronouns_beside_what_they_mean(chat, text):
        yield f"keeps {', '.join(kept)} beside what it stands for"
    broken = _BROKEN.search(plain_text(text)) or _STRAY_MARKS.search(text)
    if broken and broken.group() not in normalised(chat.source):
        yield f"reads {broken.group()!r}"


def plain_text(text: str) -> str:
    """A text as patterns see it: normalised, and without complete markup."""
    return normalised(_WHOLE_MARKUP.sub(lambda found: next(filter(None, found.groups())), text))


def words_of(text: str, *, marks: bool = True) -> list[str]:
    """Words, Chinese characters and marks, in lower case, without the final mark."""
    words = _WORD.findall(normalised(text))
    return [word for word in words if marks or word not in _MARKS]


def repeats_a_question(chat: Chat, text: str) -> bool:
    """Whether a text is one or several earlier questions followed by the unchanged turn."""
    asked = [" ".join(chat.questions[i:j]) for j in range(1, len(chat.questions) + 1) for i in range(j)]
    words = words_of(text, marks=False)
    return any(words == words_of(f"{question} {chat.source}", marks=False) for question in asked)


def count_sentences(words: list[str]) -> int:
    """The number of sentences, ignoring interjections and abbreviations."""
    ends = (i for i, word in enumerate(words[:-1]) if word in _SENTENCE_ENDS and i)
    return 1 + sum(words[i - 1] not in _NO_SENTENCE and words[max(0, i - 2) : i] != ["好", "的"] for i in ends)


def goes_on_after(source: str, text: str) -> bool:
    """Whether a text is the unchanged turn followed by something more: "Yes. Show me the list."."""
    start, rest = normalised(source), plain_text(text)
    return rest.startswith(start) and rest[len(start) :].lstrip()[:1] in _SENTENCE_ENDS


def lost_words(chat: Chat, text: str) -> list[str]:
    """Content words, or Chinese characters, of the turn that the rewrite lacks."""
    words = set(words_of(text))
    return [
        word
        for word, replaceable in marked_words(chat)
        if not replaceable and word not in _LIGHT and not any(_alike(word, other) for other in words)
    ]


def dropped_words(chat: Chat, text: str) -> list[str]:
    """Words, fillers aside, that are missing with nothing in their place."""
    source, words = marked_words(chat), words_of(text, marks=False)
    said = [word for word, _ in source]
    return [
        word
        for change, start, stop, _, _ in _changes(chat, text)
        if change == "delete"
        for word, replaceable in source[start:stop]
        if not replaceable and word not in _FILLERS and words.count(word) < said.count(word)
    ]


def pronouns_beside_what_they_mean(chat: Chat, text: str) -> list[str]:
    """Pronouns that should have been replaced, but stand next to the words added for them."""
    source, changes = marked_words(chat), _changes(chat, text)
    beside = {start for change, start, _, _, _ in changes if change == "insert"}
    beside |= {start - 1 for start in beside}
    return [
        source[i][0]
        for change, start, stop, _, _ in changes
        if change == "equal"
        for i in range(start, stop)
        if i in beside and source[i][1] and source[i][0] in _PRONOUNS
    ]


def drops_only_fillers(chat: Chat, text: str) -> bool:
    """Whether a text is the turn without words like "and" and "please"."""
    source = marked_words(chat)
    return bool(words_of(text, marks=False)) and all(
        change == "equal" or (change == "delete" and all(word in _FILLERS for word, _ in source[start:stop]))
        for change, start, stop, _, _ in _changes(chat, text)
    )


def marked_words(chat: Chat) -> list[tuple[str, bool]]:
    """The words of the turn, each with whether it may be replaced."""
    parts = re.split(r"(\{[^}]*\})", chat.marked)
    return [(word, part.startswith("{")) for part in parts for word in words_of(part.strip("{}"), marks=False)]


def _changes(chat: Chat, text: str) -> Sequence[tuple[str, int, int, int, int]]:
    source = [word for word, _ in marked_words(chat)]
    return SequenceMatcher(None, source, words_of(text, marks=False), autojunk=False).get_opcodes()


def _alike(word: str, other: str) -> bool:
    return word == other or (len(word) > 2 and SequenceMatcher(None, word, other).ratio() >= _CLOSE)
