"""English: patterns of scenes, and how people type."""

import random
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from recipes.chat.compose import Draft, Exchange, Material, Part, Row, Scene, Tables
from recipes.chat.templates import Block, asked, exchanges, items, read_material, read_tables, scene

_PRONOUNS: Final = {
    "m": {"he": "he", "him": "him", "his": "his", "himself": "himself"},
    "f": {"he": "she", "him": "her", "his": "her", "himself": "herself"},
}
_PART: Final = re.compile(r"<(?:([^<>:!]*)(!?):)?([^<>]*)>")
_NUMBERED: Final = re.compile(r"\{([a-z_]+)(2?)(?=[.}])")
_NEVER_AFTER_ABOUT: Final = ("of ", "times ", "than ", "into ")
_ASKS_YES_OR_NO: Final = frozenset("is are was were do does did can could has have will should may must".split())
_INTERLUDES: Final = (
    ("ok thanks", "You're welcome! Anything else?"),
    ("I see.", "Is there something else you'd like to know?"),
    ("hm ok", "Let me know if you have more questions."),
    ("Wait a second please.", "Sure, take your time."),
    ("sorry, I was on the phone", "No worries."),
    ("Are you a bot?", "Yes, a virtual assistant."),
    ("one sec, someone is at the door", "No problem."),
)
_LEADS: Final = ("Quick one: ", "Hey, ", "Hi! ", "Hello, I have a question: ", "ok so ", "Please help me: ")
_TAILS: Final = (
    "Let me know if you need more details.",
    "I can look up the details if you like.",
    "Keep in mind that this may change.",
    "Just ask if anything is unclear.",
    "I hope that helps.",
)


def _derived(row: Row) -> Row:
    """A name with its article and its possessive; a person's pronouns, and their role with its article."""
    name = row["name"]
    columns = {"a": f"{_article(name)} {name}", "own": name + ("'" if name.endswith("s") else "'s")}
    if "role" in row:
        columns["trade"] = f"{_article(row['role'])} {row['role']}"
    return columns | _PRONOUNS.get(row.get("sex", ""), {})


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _said(template: str) -> str:
    """The template without the marks of its parts."""
    return _PART.sub(lambda part: f"{part[1]} {part[3]}" if part[1] else part[3], template)


def _other(filler: str, first: str, second: str = "") -> str:
    """The filler with another number, so another value is sampled for it.

    >>> _other("{city} and {city2}", "4", "5")
    '{city4} and {city5}'
    """
    return _NUMBERED.sub(lambda slot: "{" + slot[1] + (second if slot[2] else first), filler)


def contrast(block: Block) -> tuple[Scene, ...]:
    """A question or command that comes back with another filler: "and Y?" after "Is <X> open today?".

    A preposition before the filler, `<in:{city}>`, may be repeated; `<by:train/car>` names both fillers.
    """
    return tuple(_contrast(*asked(line)) for line in block["contrast"])


def _contrast(question: str, answers: tuple[str, ...]) -> Scene:
    mark = "?" if question.endswith("?") else ""
    (part,) = _PART.finditer(question)
    before, after = question[: part.start()].strip(), question[part.end() :].removesuffix(mark)
    lead = part[1] or ""
    filler, _, other = part[3].partition("/")
    other = other or _other(filler, "2")
    start = f"{before} {lead}".strip()
    frames = [
        f"and [|{start} ]{other}[|{after}]{mark}",
        f"[what about|{start}] {other}[|{after}]{mark}",
        f"[how about|{start}] {other}[|{after}]{mark}",
        f"[|{start} ]{other}[|{after}]{mark}",
        f"ok and [|{start} ]{other}[|{after}]{mark}",
    ]
    if lead:
        frames += [f"and [|{before} ]{lead} {other}[|{after}]{mark}"]
    if lead not in ("", "of"):
        frames += [
            f"[what about|{before}] {lead} {other}[|{after}]{mark}",
            f"[|{before} ]{lead} {other}[|{after}]{mark}",
        ]
    said = f"{_capital(start)} {filler}{after}{mark or '.'}"
    return Scene(
        openings=tuple((said, answer) for answer in answers),
        frames={"contrast": tuple(frames)},
        whole=(f"{start} {other}{after}{mark}", f"and {start} {other}{after}{mark}"),
    )


def asked_back(block: Block) -> tuple[Scene, ...]:
    """A yes-or-no question, and "why?" or "since when?" after it: the words of the question complete it."""
    question, answers = asked(*block["asked back"])
    followups = items(block, "after")
    return (
        Scene(
            openings=tuple((f"{_capital(question)}?", answer) for answer in answers),
            frames={"bare question": tuple(f"{followup}[| {question}]?" for followup in followups)},
            whole=tuple(f"{followup} {question}?" for followup in followups),
        ),
    )


def swapped(block: Block) -> tuple[Scene, ...]:
    """A scene for each part in angle brackets that a follow-up replaces: "and in Peru?" after "... <in:{nation}>?".

    The words before the colon lead the part; the follow-up may leave them out, unless "!" follows them.
    """
    whole = items(block, "whole")
    return tuple(each for line in block["swapped"] for each in _swapped(*asked(line), whole))


def _swapped(question: str, answers: tuple[str, ...], more: tuple[str, ...]) -> tuple[Scene, ...]:
    mark = "?" if question.endswith("?") else ""
    body = question.removesuffix("?")
    yes_or_no = body.split()[0] in _ASKS_YES_OR_NO
    scenes = []
    for number, part in enumerate(_PART.finditer(body)):
        before, after = _said(body[: part.start()]), _said(body[part.end() :])
        lead, always, filler = f"{part[1]} " if part[1] else "", bool(part[2]), part[3]
        other, third = _other(filler, "4", "5"), _other(filler, "6", "7")
        frames = []
        for spoken, added in ((lead, ""), ("", lead)) if lead and not always else ((lead, ""),):
            start, end = f"[|{before}{added}]{spoken}", f"[|{after}]{mark}"
            frames += [
                f"and {start}{other}{end}",
                f"and {start}{other}{end}",
                f"{start}{other}{end}",
                f"ok and {start}{other}{end}",
            ]
            if spoken not in _NEVER_AFTER_ABOUT:
                frames += [
                    f"[what about |{before}{added}]{spoken}{other}{end}",
                    f"[how about |{before}{added}]{spoken}{other}{end}",
                    f"and [what about |{before}{added}]{spoken}{other}{end}",
                ]
            if yes_or_no:
                frames += [f"or {start}{other}{end}", f"{start}{other}[|{after}] too{mark}"]
        full = f"{before}{lead}{other}{after}{mark}"
        said = _said(_capital(body)) + (mark or ".")
        turn = len(body) + number
        openings: list[Exchange] = [
            *(2 * [(said, answer) for answer in answers]),
            (f"{_LEADS[turn % len(_LEADS)]}{_said(body)}{mark}", answers[0]),
            (said, f"{answers[-1]} {_TAILS[turn % len(_TAILS)]}" if mark else answers[-1]),
            (said, answers[-1], *_INTERLUDES[turn % len(_INTERLUDES)]),
            (said, answers[0], f"And {lead}{third}{mark}", answers[-1]),
        ]
        whole = (full, f"and {full}", f"ok, and {full}", *more)
        scenes.append(Scene(tuple(openings), {"substitution": tuple(frames)}, whole=whole))
    return tuple(scenes)


def bare(block: Block) -> tuple[Scene, ...]:
    """A fragment of a question that words of the opening complete."""
    (opening,) = exchanges(block, "bare")
    made = scene(block, "bare")
    full = tuple(re.sub(r"\[[^|]*\|([^\]]*)\]", r"\1", frame) for frame in made.frames["bare fragment"])
    thanked = (*opening, *_INTERLUDES[len(opening[0]) % len(_INTERLUDES)])
    return (replace(made, openings=(opening, opening, thanked), whole=full + made.whole),)


def followed(block: Block) -> tuple[Scene, ...]:
    """A scene of one phenomenon, sometimes with words in between."""
    made = scene(block, "followed")
    (frames,) = made.frames.values()
    first = made.openings[0]
    thanked = (*first, *_INTERLUDES[len(frames[0]) % len(_INTERLUDES)])
    return (replace(made, openings=(*made.openings, thanked)) if len(first) < 6 else made,)


_FOLDER: Final = Path(__file__).parent / "en"
_PATTERNS: Final = {
    "contrast": contrast,
    "asked back": asked_back,
    "swapped": swapped,
    "bare": bare,
    "followed": followed,
}
_QUESTIONS: Final = frozenset("what how who where are do does have really seriously sup pardon anyone huh come".split())
_EMOJI: Final = ("👍", "😊", "😂", "🙏", "❤️", "🎉", "😅", "🤔", "🙂", "😭", ":)", ":D", ";-)", "xD")
_CODE: Final = re.compile(r"[a-z][A-Z]|[_()\\]|::|\w\.\w|\d")
_NEARBY: Final = dict(zip("abcdefghiklmnoprstuvwy", "snvsrdgjokkmnbpteaybqt", strict=True))


@cache
def _tables() -> Tables:
    return read_tables(_FOLDER / "tables.txt", _derived)


@cache
def _libraries() -> frozenset[str]:
    return frozenset(row["name"] for row in _tables()["library"])


@cache
def _names() -> frozenset[str]:
    """Every word of the tables, in lower case."""
    return frozenset(
        " ".join(value for rows in _tables().values() for row in rows for value in row.values()).lower().split()
    )


def vary_small_talk(rng: random.Random, phrase: str) -> str:
    """A phrase in one of the ways people type it."""
    asks = phrase.split()[0].strip(",") in _QUESTIONS
    phrase = rng.choice(
        (phrase, phrase, opened(phrase), opened(phrase), phrase.upper() if len(phrase) < 12 else phrase)
    )
    phrase += rng.choice(("", "", "?", "??") if asks else ("", "", ".", "!", "!!", "..."))
    return f"{phrase} {rng.choice(_EMOJI)}" if rng.random() < 0.15 else phrase


def vary(rng: random.Random, draft: Draft) -> Draft:
    """The dialogue as someone might type it: cased or not, with or without marks, with slips."""
    chance = rng.random()
    careless = chance < 0.35  # the user writes lower case and drops marks
    quiet = chance < 0.12  # and so does the assistant
    plain = draft.phenomenon != "small talk"  # small talk comes in its own surface
    history, last = tuple(map(opened, draft.history)), draft.last
    if careless:
        history = tuple(lowered(turn).rstrip(".?!") if quiet or i % 2 == 0 else turn for i, turn in enumerate(history))
    if careless and plain:
        last = tuple(_lowered(part, quiet) for part in last)
    if plain and (careless or rng.random() < 0.15):
        last = _without_mark(last)
    last = tuple(part if part.kept else Part(part.said, _as_cased_in(part.rewritten, history)) for part in last)
    if plain and not careless:
        last = _with_capital(last)
    if rng.random() < 0.1:
        last = _with_slip(rng, last)
    if rng.random() < 0.04:
        last = _with_blank(rng, last)
    return Draft(history, last, draft.phenomenon)


def opened(text: str) -> str:
    """With an initial capital, unless the first word has a fixed spelling."""
    word = text.split(maxsplit=1)[0] if text.split() else ""
    return (
        text
        if word in _libraries() or not word.replace("'", "").rstrip(",?!").isalpha() or _CODE.search(word)
        else text[0].upper() + text[1:]
    )


def lowered(text: str) -> str:
    """In lower case, except for code."""
    return " ".join(word if _CODE.search(word) else word.lower() for word in text.split(" "))


def _lowered(part: Part, inserted_too: bool) -> Part:
    if part.kept or inserted_too:
        return Part(lowered(part.said), lowered(part.rewritten))
    return Part(lowered(part.said), part.rewritten)


def _with_capital(last: tuple[Part, ...]) -> tuple[Part, ...]:
    """Capitalise the start of both the turn and its rewrite, even if they start with different parts."""
    parts, said, rewritten = [], False, False
    for part in last:
        parts.append(
            Part(
                part.said if said else opened(part.said),
                part.rewritten if rewritten else opened(part.rewritten),
            )
        )
        said, rewritten = said or bool(part.said), rewritten or bool(part.rewritten)
    return tuple(parts)


def _as_cased_in(text: str, history: tuple[str, ...]) -> str:
    """Lower-case inserted text if the history has one of its words only in lower case."""
    words = set(re.findall(r"\w+", " ".join(history)))
    small = any(word not in words and word.lower() in words for word in re.findall(r"\w+", text))
    return lowered(text) if small else text


def _without_mark(last: tuple[Part, ...]) -> tuple[Part, ...]:
    *parts, end = last
    if not end.kept:
        return last
    kept = end.said.rstrip(".?!")
    return (*parts, Part(kept, kept)) if kept or parts else last


def _on_a_kept_part(last: tuple[Part, ...], spots: list[tuple[int, str]]) -> tuple[Part, ...]:
    return tuple(Part(dict(spots).get(i, part.said), dict(spots).get(i, part.rewritten)) for i, part in enumerate(last))


def _with_slip(rng: random.Random, last: tuple[Part, ...]) -> tuple[Part, ...]:
    """A typo in a longer word that is kept and is not a name."""
    spots = [
        (i, word)
        for i, part in enumerate(last)
        if part.kept
        for word in re.finditer(r"(?<![\w'.])[a-z]{5,}(?![\w'.(:])", part.said)
        if word[0] not in _names()
    ]
    if not spots:
        return last
    i, word = rng.choice(spots)
    at = rng.randrange(1, len(word[0]) - 1)
    letters = word[0]
    slipped = rng.choice(
        (
            letters[:at] + letters[at + 1 :],
            letters[:at] + letters[at] + letters[at:],
            letters[:at] + letters[at + 1] + letters[at] + letters[at + 2 :],
            letters[:at] + _NEARBY.get(letters[at], letters[at]) + letters[at + 1 :],
        )
    )
    text = last[i].said
    return _on_a_kept_part(last, [(i, text[: word.start()] + slipped + text[word.end() :])])


def _with_blank(rng: random.Random, last: tuple[Part, ...]) -> tuple[Part, ...]:
    spots = [
        (i, m.start()) for i, part in enumerate(last) if part.kept for m in re.finditer(r"(?<=\w) (?=\w)", part.said)
    ]
    if not spots:
        return last
    i, at = rng.choice(spots)
    text = last[i].said
    return _on_a_kept_part(last, [(i, text[:at] + " " + text[at:])])


def read_english(scenes: str) -> Material:
    """The English templates: all scenes, or only the follow-ups."""
    return read_material(_FOLDER, scenes, _tables(), _PATTERNS, vary, vary_small_talk)
