"""Chinese scenes with long answers that list things, compare two, or describe one.

A block names a table of things, with a text `about` each; `#` stands for the thing that a turn asks about.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from recipes.chat.compose import Exchange, Scene
from recipes.chat.templates import Block, items

_NUMBERS: Final = "一二三四五"
_FEWEST: Final = 3


def listed(block: Block) -> tuple[Scene, ...]:
    """第二个, 最后一款, 1和3: one or two of the things that the answer lists."""
    return tuple(_listed(block, count) for count in range(_FEWEST, len(_NUMBERS) + 1))


def _listed(block: Block, count: int) -> Scene:
    names, measure = _names(block, count), block["measure"][0]
    forms = (f"第#{measure}", "第#个", f"你说的第#{measure}", f"第#{measure}")
    asks, ordinal, pair = items(block, "ask"), list[str](), list[str]()
    for i, ask in enumerate(asks):  # each question once, its place and its form by turns
        place = (i + count) % count
        said = forms[i % len(forms)].replace("#", _NUMBERS[place] if i % 5 else str(place + 1))
        if place == count - 1 and i % 2:
            said = f"最后一{measure}"
        ordinal.append(ask.replace("#", f"[{said}|{names[place]}]", 1))
    for i, ask in enumerate(items(block, "pair")):
        first, second = sorted(((i + count) % count, (2 * i + count + 1) % count)) if i else (0, count - 1)
        if first != second:
            said = (f"{first + 1}和{second + 1}", f"第{_NUMBERS[first]}和第{_NUMBERS[second]}{measure}")[i % 2]
            pair.append(ask.replace("#", f"[{said}|{names[first]}和{names[second]}]", 1))
    openings = [(question, answer) for question in items(block, "listed") for answer in _lists(names)]
    named = [ask.replace("#", name) for ask in asks for name in names]
    return Scene(
        tuple(openings), {"ordinal": tuple(ordinal), "pair": tuple(pair)}, whole=(*named, *items(block, "whole"))
    )


def _lists(names: Sequence[str]) -> Iterator[str]:
    for name, mark in (("**#**", "{}. "), ("#", "{}. "), ("#", "{}、"), ("**#**", "- "), ("【#】", "（{}）")):
        rows = [mark.format(i) + name.replace("#", each) + "：" + _about(each) for i, each in enumerate(names, start=1)]
        yield "\\n".join(("{list_intro}", *rows, "{list_closing}"))


def compared(block: Block) -> tuple[Scene, ...]:
    """后者, 前面那款, 它们: one of two things that the answer compares, or both."""
    (first, second), measure = _names(block, 2), block["measure"][0]
    asks = items(block, "ask")
    forms = {
        first: ("前者", f"第一{measure}", f"前面那{measure}", f"前一{measure}"),
        second: ("后者", f"第二{measure}", f"后面那{measure}", f"后一{measure}"),
    }
    latter = [
        ask.replace("#", f"[{said[i % len(said)]}|{name}]", 1)
        for name, said in forms.items()
        for i, ask in enumerate(asks)
    ]
    both = [
        ask.replace("#", f"[{form}|{first}和{second}]", 1)
        for ask in items(block, "pair")
        for form in ("", "它们", f"这两{measure}")
    ]
    questions = (f"{first}和{second}怎么选？", f"{first}和{second}有什么区别", f"{first}好还是{second}好？")
    openings: list[Exchange] = [(question, answer) for question in questions for answer in _comparisons(first, second)]
    named = [ask.replace("#", name) for ask in asks for name in forms]
    return (Scene(tuple(openings), {"latter": tuple(latter), "both": tuple(both)}, whole=tuple(named)),)


def _comparisons(first: str, second: str) -> Iterator[str]:
    said = _about(first), _about(second)
    yield f"要看您更在意什么。**{first}**{said[0]}**{second}**{said[1]}{{list_closing}}"
    yield f"两个都不错。\\n\\n{first}：{said[0]}\\n\\n{second}：{said[1]}\\n\\n{{answer_more}}"
    yield f"对比如下：\\n- **{first}**：{said[0]}\\n- **{second}**：{said[1]}\\n{{answer_more}}{{list_closing}}"
    yield f"| | 特点 |\\n|---|---|\\n| **{first}** | {said[0]} |\\n| **{second}** | {said[1]} |\\n\\n{{list_closing}}"


def described(block: Block) -> tuple[Scene, ...]:
    """它, or nothing at all, for what a long answer is about, though it speaks of another thing too."""
    topic, other = _names(block, 2)
    told = (
        f"**{topic}**{_about(topic)}{{answer_more}}\\n\\n常有人拿它和{other}比较：{_about(other)}{{list_closing}}",
        f"{_about(topic)}{{answer_more}}如果不合适，也可以考虑**{other}**，{_about(other)}",
        f"{topic}的情况是这样：\\n1. {_about(topic)}\\n2. {{answer_more}}\\n3. 和{other}各有长短。\\n{{list_closing}}",
    )
    openings = [(ask.replace("#", topic), answer) for ask in items(block, "described") for answer in told]
    asks = items(block, "ask")
    frames = {
        "hidden": tuple(ask.replace("#", topic) for ask in items(block, "hidden")),
        "it": tuple(ask.replace("#", f"[{form}|{topic}]", 1) for ask in asks for form in ("它", "这个")),
    }
    named = [ask.replace("#", name) for ask in asks for name in (topic, other)]
    return (Scene(tuple(openings), frames, whole=(*named, *items(block, "whole"))),)


def _names(block: Block, count: int) -> list[str]:
    """The fillers of the block's table: `{trip}`, `{trip2}` and so on."""
    (table,) = block["table"]
    return [f"{{{table}{number if number > 1 else ''}}}" for number in range(1, count + 1)]


def _about(name: str) -> str:
    return name.replace("}", ".about}")
