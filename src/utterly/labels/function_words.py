"""Function words, which are not worth copying on their own.

A span with nothing else is no antecedent: `the` or `of` in a target comes from grammar, not from the context, so it
belongs in the rule (`of _`). A span may contain them among other words (`his back`).
"""

from collections.abc import Iterable
from typing import Final

_ENGLISH: Final = frozenset(
    "a an the this that these those such same other another any some all both each every either neither no more most "
    "many much few less least several own "
    "i me my mine myself you your yours he him his she her hers it its we us our ours they them their theirs "
    "himself herself itself themselves one ones who whom whose which what when where why how whether "
    "of in on at by for from to with without within into onto upon over under about above below after before during "
    "since until through throughout between among against along around across behind beyond near off out up down "
    "as than like except besides aside apart despite per via toward towards regarding concerning including "
    "and or but nor so yet if because although though while unless "
    "be am is are was were been being do does did done doing have has had having can could will would shall should "
    "may might must ca wo not n't n’t 's ’s ' ’ 'm ’m 're ’re 've ’ve 'll ’ll 'd ’d "
    "there here then also too just only even ever else again still addition".split()
)
_CHINESE: Final = frozenset("的 了 吗 呢 吧 啊 呀 么 嘛 着 过 地 得 是 在 和 与 也 都 就 还 又 很".split())
FUNCTION_WORDS: Final = _ENGLISH | _CHINESE


def is_content(word: str) -> bool:
    """Whether a case-folded word is neither a function word nor punctuation."""
    return word not in FUNCTION_WORDS and any(map(str.isalnum, word))


def worth_a_span(words: Iterable[str]) -> bool:
    """Whether one of these case-folded words is a content word.

    >>> worth_a_span(("his", "back")), worth_a_span(("of", "the")), worth_a_span(("?",))
    (True, False, False)
    """
    return any(map(is_content, words))
