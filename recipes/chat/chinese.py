"""Chinese: patterns of scenes, and how people type."""

import random
import re
from pathlib import Path
from typing import Final

from recipes.chat.chinese_lists import compared, described, listed
from recipes.chat.compose import Draft, Exchange, Material, Part, Row, Scene
from recipes.chat.templates import Block, asked, items, read_material, read_tables

_PRONOUNS: Final = {"m": {"he": "他"}, "f": {"he": "她"}}
_FILLER: Final = re.compile(r"<([^<>]*)>")
_SLOT: Final = re.compile(r"\{([a-z_]+)(?=[.}])")
_NUMBERED: Final = re.compile(r"\{([a-z_]+)\d\}")
_BETWEEN: Final = (
    ("好的，谢谢", "不客气，还有什么可以帮您？"),
    ("嗯嗯", "您还想了解什么？"),
    ("知道了", "好的，有问题随时叫我。"),
    ("真的吗", "是的。"),
)


def _derived(row: Row) -> Row:
    return _PRONOUNS.get(row.get("sex", ""), {})


def _answered(questions: tuple[str, ...], answers: tuple[str, ...]) -> tuple[Exchange, ...]:
    """Exchanges of every question and answer; some with a word or two after them."""
    short = tuple((question, answer) for question in questions for answer in answers)
    longer = tuple((questions[0], answers[0], *between) for between in _BETWEEN[: len(short) // 3])
    return short + longer


def contrast(block: Block) -> tuple[Scene, ...]:
    """A question that comes back with another filler: 那上海呢 after <北京>天气怎么样."""
    return tuple(_contrast(*asked(line)) for line in block["contrast"])


def _contrast(question: str, answers: tuple[str, ...]) -> Scene:
    before, filler, after = _FILLER.split(question)
    other = _SLOT.sub(r"{\g<1>2", filler)
    gone = f"[呢|{after}]"
    frames = (
        f"那[|{before}]{other}{gone}？",
        f"[|{before}]{other}{gone}？",
        f"[|{before}]{other}[|{after}]？",
        f"那么[|{before}]{other}{gone}？",
        f"好的，那[|{before}]{other}{gone}？",
    )
    return Scene(
        openings=tuple((f"{before}{filler}{after}？", answer) for answer in answers),
        frames={"contrast": frames},
        whole=(f"{before}{other}{after}？", f"那{before}{other}{after}？"),
    )


def asked_back(block: Block) -> tuple[Scene, ...]:
    """A yes-or-no question, subject|verb, and 为什么 after it: the words of the question complete it."""
    return tuple(_asked_back(*asked(line)) for line in block["asked back"])


def _asked_back(question: str, answers: tuple[str, ...]) -> Scene:
    subject, done = question.split("|")
    frames = (
        f"[|{subject}]为什么[|{done}了]？",
        f"[|{subject}]为啥[|{done}了]？",
        f"真的？[|{subject}]为什么[|{done}了]？",
        f"[|{subject}]什么时候[|{done}的]？",
        f"[|{subject}]是从什么时候开始[|{done}的]？",
        f"那[|{subject}]是为什么[|{done}的]？",
    )
    return Scene(
        openings=tuple((f"{subject}{done}了吗？", answer) for answer in answers),
        frames={"bare question": frames},
        whole=(f"{subject}为什么{done}了？", f"{subject}什么时候{done}的？"),
    )


def chain(block: Block) -> tuple[Scene, ...]:
    """A question that came back with one part swapped, and does so again; the turn is written as for `swap`."""
    question, (first, second) = asked(*block["chain"])
    before, said, after = block["turn"][0].split("|")
    again = _NUMBERED.sub(r"{\g<1>9}", said)
    openings = (
        (f"{question}？", first, f"那{said}呢？", second),
        (f"请问{question}？", first, f"{said}呢", second),
        (f"{question}？", first, f"{before}{said}{after}？", second),
    )
    frames = (
        f"那[|{before}]{again}[呢|{after}]？",
        f"[|{before}]{again}[呢|{after}]？",
        f"[|{before}]{again}[|{after}]？",
        f"[还有|{before}]{again}[呢|{after}]？",
    )
    whole = (f"{before}{again}{after}？", "明白了，谢谢", "好的，我再考虑一下")
    return (Scene(openings, {"substituted again": frames}, whole=whole),)


def swap(block: Block) -> tuple[Scene, ...]:
    """A question that comes back with one of its parts swapped: a turn is written "before|what is said|after"."""
    return (_swap(block, "swap"),)


def swap_or_ask(block: Block) -> tuple[Scene, ...]:
    """The same, and the turn may ask whether the other part is all right."""
    return (_swap(block, "swap or ask"),)


def _swap(block: Block, name: str) -> Scene:
    question, answers = asked(*block[name])
    frames: list[str] = []
    whole: list[str] = []
    for turn in items(block, "turn"):
        if "[" in turn:
            frames.append(turn)
            continue
        before, said, after = turn.split("|")
        frames += (
            f"那[|{before}]{said}[呢|{after}]？",
            f"[|{before}]{said}[呢|{after}]？",
            f"[|{before}]{said}[呢|{after}]",
            f"好的，那[|{before}]{said}[呢|{after}]？",
            f"[要是|{before}]{said}[呢|{after}]？",
            f"[换成|{before}]{said}[呢|{after}]？",
            f"[|{before}]{said}[|{after}]？",
        )
        if name == "swap or ask":
            frames += (
                f"那[|{before}]{said}[行吗|{after}]？",
                f"[|{before}]{said}[可以吗|{after}]？",
                f"那[|{before}]{said}[怎么样|{after}]？",
            )
        whole += (f"{before}{said}{after}？", f"那{before}{said}{after}？")
    openings = _answered((f"{question}？", f"请问{question}？", f"我想问一下{question}"), answers)
    return Scene(openings, {"substitution": tuple(frames)}, whole=(*whole, *items(block, "whole")))


def order(block: Block) -> tuple[Scene, ...]:
    """A command that comes back with one of its parts swapped, written as for `swap`."""
    command, answers = asked(*block["order"])
    frames: list[str] = []
    whole: list[str] = []
    for turn in items(block, "turn"):
        before, said, after = turn.split("|")
        frames += (
            f"[|{before}]{said}[呢|{after}]",
            f"[那|{before}]{said}[呢|{after}]",
            f"[还有|{before}]{said}[|{after}]",
            f"[换成|{before}]{said}[|{after}]",
            f"[不对，|{before}]{said}[|{after}]",
            f"[我是说|{before}]{said}[|{after}]",
            f"[|{before}]{said}[|{after}]",
        )
        whole.append(f"{before}{said}{after}")
    openings = _answered((command, f"帮我{command}", f"请{command}"), answers)
    whole += items(block, "whole")
    return (Scene(openings, {"substituted command": tuple(frames)}, whole=tuple(whole), leads_to="small talk"),)


def denied(block: Block) -> tuple[Scene, ...]:
    """A question, subject|verb|denial, answered with no, and 为什么 after it: the denial completes it.

    # in an answer stands for the denial.
    """
    return tuple(_denied(*asked(line)) for line in block["denied"])


def _denied(question: str, answers: tuple[str, ...]) -> Scene:
    subject, verb, denial = question.split("|")
    frames = (
        f"[|{subject}]为什么[|{denial}]？",
        f"[|{subject}]为什么[|{denial}]",
        f"[|{subject}]为啥[|{denial}]？",
        f"啊？[|{subject}]为什么[|{denial}]？",
        f"[|{subject}]为何[|{denial}]？",
        f"哦，[|{subject}]为什么[|{denial}]呢？",
        f"[|{subject}]为什么[这样|{denial}]？",
    )
    return Scene(
        openings=tuple((f"{subject}{verb}？", answer.replace("#", denial)) for answer in answers),
        frames={"why not": frames},
        whole=(f"{subject}为什么{denial}？", "那我再想想", "太可惜了", "好吧，我知道了"),
    )


_FOLDER: Final = Path(__file__).parent / "zh"
_PATTERNS: Final = {
    "contrast": contrast,
    "asked back": asked_back,
    "chain": chain,
    "swap": swap,
    "swap or ask": swap_or_ask,
    "order": order,
    "denied": denied,
    "listed": listed,
    "compared": compared,
    "described": described,
}
_EMOJI: Final = ("😊", "😂", "👍", "🙏", "😭", "🎉", "🤔", "~", "^_^")
_MARKS: Final = str.maketrans("？，。！", "?,.!")


def vary_small_talk(rng: random.Random, phrase: str) -> str:
    """A phrase in one of the ways people type it."""
    if phrase[-1] not in "？吗么":
        phrase += rng.choice(("", "", "", "。", "！", "啊" if phrase[-1] in "的好对是" else "~", "..."))
    return phrase + rng.choice(_EMOJI) if rng.random() < 0.15 else phrase


def vary(rng: random.Random, draft: Draft) -> Draft:
    """The dialogue as someone might type it: with or without marks, with marks of the other width, with slips."""
    chance = rng.random()
    history, last = draft.history, draft.last
    if chance < 0.3:  # the user drops the marks at the end
        history = tuple(turn.rstrip("？。！") if i % 2 == 0 else turn for i, turn in enumerate(history))
    elif chance < 0.45:  # so do both
        history = tuple(turn.rstrip("？。！") for turn in history)
    if draft.phenomenon != "small talk" and chance < 0.55:
        *parts, end = last
        kept = end.said.rstrip("？。！")
        last = (*parts, Part(kept, kept)) if end.kept and (kept or parts) else last
    if chance > 0.9:
        history = tuple(turn.translate(_MARKS) for turn in history)
        last = tuple(Part(part.said.translate(_MARKS), part.rewritten.translate(_MARKS)) for part in last)
    if 0.8 < chance < 0.9:
        history = tuple(turn.lower() for turn in history)
        last = tuple(Part(part.said.lower(), part.rewritten.lower()) for part in last)
    if rng.random() < 0.08:
        last = tuple(_with_slip(part) if part.kept else part for part in last)
    return Draft(history, last, draft.phenomenon)


def _with_slip(part: Part) -> Part:
    """Words as an input method or haste spells them."""
    text = part.said
    for right, wrong in (
        ("什么", "神马"),
        ("怎么", "咋么"),
        ("时候", "时侯"),
        ("帮我", "邦我"),
        ("知道", "只道"),
        ("可以", "可已"),
    ):
        text = text.replace(right, wrong)
    return Part(text, text)


def read_chinese(scenes: str) -> Material:
    """The Chinese templates: all scenes, or only those of a file: `followups`, `long`."""
    tables = read_tables(_FOLDER / "tables.txt", _derived)
    return read_material(_FOLDER, scenes, tables, _PATTERNS, vary, vary_small_talk)
