"""Chats with long answers in Markdown, made of templates: what is listed, offered, asked back or advised against.

    python -m recipes.wild.scenes OUT.jsonl --count 3000 --seed 5

A last turn picks an item of a list (`the second one`, `option 3`, `the latter`), asks of its hidden topic, takes up an
offer, answers a question of the assistant, asks why after a no, or stands on its own and is to be left alone.
"""

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from recipes.wild.scene_tables import Listing, SceneTables

_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth")
_NUMBERED: Final = ("the {ordinal} one", "the {ordinal}", "number {n}", "option {n}", "the {ordinal} option")
_BULLETED: Final = ("the {ordinal} one", "the {ordinal} one you listed", "the {ordinal} one on your list")
_INTRODUCTIONS: Final = (
    "Here are some that are often recommended:",
    "There are several. The best known are:",
    "Sure! These come up most often:",
    "It depends on what you need, but here is a short list:",
)
_CLOSINGS: Final = (
    "Let me know if you want to know more about any of these.",
    "All of them have their strengths, so it depends on your situation.",
    "I can go into more detail if you like.",
    "",
)
_KINDS: Final = {
    "ordinal": 26,
    "pair": 6,
    "latter": 10,
    "hidden": 16,
    "offer": 9,
    "asked back": 11,
    "advice": 10,
    "stays": 12,
}


class Scenes:
    """Draws chats, each by its own kind."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)  # noqa: S311 - no secret
        self._tables = SceneTables.read()

    def chats(self, count: int) -> Iterator[dict[str, object]]:
        """Distinct chats as records of the JSON lines format."""
        seen: set[tuple[str, ...]] = set()
        while len(seen) < count:
            (kind,) = self._rng.choices(tuple(_KINDS), tuple(_KINDS.values()))
            history, utterance, rewrite = self._drawn(kind)
            if self._rng.random() < 0.25:
                utterance, rewrite = utterance.rstrip("?."), rewrite.rstrip("?.")
            if self._rng.random() < 0.3:
                utterance, rewrite = (text[0].lower() + text[1:] for text in (utterance, rewrite))
            if (*history, utterance) not in seen:
                seen.add((*history, utterance))
                name = f"scene-{kind.replace(' ', '-')}-{len(seen)}"
                yield {"id": name, "lang": "en", "history": history, "utterance": utterance, "rewrite": rewrite}

    def _drawn(self, kind: str) -> tuple[list[str], str, str]:
        rng = self._rng
        if kind == "offer":
            scene = rng.choice(self._tables.offers)
            asked = rng.choice(("Would you like me to", "Shall I", "Do you want me to"))
            said = rng.choice(("Yes, please", "yes please", "Please", "Ok, please", "Sure, please"))
            return (
                [*self._before(), scene.question, f"{scene.answer} {asked} {scene.offer}?"],
                said,
                f"{said} {scene.offer}",
            )
        if kind == "asked back":
            back = rng.choice(self._tables.asked_back)
            reply = rng.choice(back.replies)
            return [*self._before(), f"{back.question}?", back.answer], reply, f"{back.question} {reply}"
        if kind == "advice":
            advice = rng.choice(self._tables.advice)
            return [*self._before(), advice.question, advice.answer], f"{advice.why}?", f"{advice.why} {advice.claim}?"
        listing = rng.choice(self._tables.lists)
        items = rng.sample(listing.items, rng.randint(2 if kind == "latter" else 3, min(5, len(listing.items))))
        history = [*self._before(listing), rng.choice(listing.questions), self._listed(items)]
        if kind == "stays":
            (name, _) = rng.choice(items)
            turn = rng.choice(
                (*self._tables.leaves, *(frame.format(name) for frame in listing.frames), *listing.questions)
            )
            return history, turn, turn
        if kind == "hidden":
            topic, _ = items[0]
            history = [*self._before(listing), f"Tell me about {topic}.", self._described(topic, listing)]
            short, long = rng.choice(listing.hidden)
            return history, short, long.format(topic)
        if kind == "latter":
            (a, about_a), (b, about_b) = items[:2]
            history = [
                *history[:-2],
                f"What is the difference between {a} and {b}?",
                self._compared(a, about_a, b, about_b),
            ]
            said, meant = rng.choice(
                (("the latter", b), ("the former", a), ("the second one", b), ("the first one", a))
            )
        elif kind == "pair":
            i, k = sorted(rng.sample(range(len(items)), 2))
            history[-1] = self._listed(items, numbered=True)
            frame = rng.choice(("Compare {}.", "What is the difference between {}?", "Can you compare {}?"))
            said, meant = (
                rng.choice((f"{i + 1} and {k + 1}", f"numbers {i + 1} and {k + 1}")),
                f"{items[i][0]} and {items[k][0]}",
            )
            return history, frame.format(said), frame.format(meant)
        else:
            place = rng.randrange(len(items))
            numbered = rng.random() < 0.6
            history[-1] = self._listed(items, numbered=numbered)
            form = rng.choice(_NUMBERED if numbered else _BULLETED)
            said = form.format(ordinal=_ORDINALS[place], n=place + 1)
            if place == len(items) - 1 and rng.random() < 0.5:
                said = "the last one"
            meant = items[place][0]
        frame = rng.choice(listing.frames)
        return history, frame.format(said), frame.format(meant)

    def _before(self, but: Listing | None = None) -> list[str]:
        """Sometimes an exchange about something else."""
        if self._rng.random() < 0.6:
            return []
        other = self._rng.choice([each for each in self._tables.lists if each is not but])
        return [self._rng.choice(other.questions), self._listed(self._rng.sample(other.items, 3))]

    def _listed(self, items: list[tuple[str, str]], *, numbered: bool | None = None) -> str:
        rng = self._rng
        numbered = rng.random() < 0.5 if numbered is None else numbered
        bold = rng.random() < 0.6
        bare = [name.removeprefix("the ") for name, _ in items]
        names = [f"**{name}**" if bold else name for name in bare]
        marks = [f"{i}." if numbered else "-" for i in range(1, len(items) + 1)]
        between = rng.choice((": ", " - ", ": "))
        rows = [f"{mark} {name}{between}{about}" for mark, name, (_, about) in zip(marks, names, items, strict=True)]
        glue = "\n" if rng.random() < 0.8 else " "
        return glue.join(filter(None, (rng.choice(_INTRODUCTIONS), *rows, rng.choice(_CLOSINGS))))

    def _described(self, topic: str, listing: Listing) -> str:
        others = [each for each in listing.items if each[0] != topic]
        about = dict(listing.items)[topic]
        aside = self._rng.choice(others)
        return f"{about} It is often mentioned together with {aside[0]}: {aside[1][0].lower()}{aside[1][1:]}"

    def _compared(self, a: str, about_a: str, b: str, about_b: str) -> str:
        bold = "**" if self._rng.random() < 0.5 else ""
        return f"Both are popular. {bold}{a}{bold}: {about_a} {bold}{b}{bold}: {about_b}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    with wanted.out.open("w", encoding="utf-8") as out:
        for record in Scenes(wanted.seed).chats(wanted.count):
            out.write(json.dumps(record, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
