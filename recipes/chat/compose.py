"""Dialogues from templates: fillers are sampled, the last turn contains its own edits, and the surface form varies.

README.md in this folder explains fillers and edits. Text outside an edit is the same in the turn and its rewrite, so
every variation of the surface changes both.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

Row = Mapping[str, str]
Exchange = tuple[str, ...]  # turns, the user's first
Table = tuple[Row, ...]
Tables = Mapping[str, Table]

MOST_TURNS: Final = 8
UNTOUCHED: Final = 0.45
NAMED_AGAIN: Final = 0.5  # how often a turn that resolves its own pronoun names the topic of the history
FITTING: Final = 0.5  # how often an untouched turn follows a scene that leads to its kind
_INSIDE: Final = "resolved inside"
_UNLIKE: Final = ("sex", "role")
_SLOT: Final = re.compile(r"\{([a-z_]+)(\d?)(?:\.([a-z]+))?\}")
_EDIT: Final = re.compile(r"\[([^\[\]|]*)\|([^\[\]|]*)\]")


@dataclass(frozen=True)
class Scene:
    """A topic: how it starts, how it continues, and the last turns that may follow."""

    openings: tuple[Exchange, ...]  # whole exchanges: the user first, the assistant last
    frames: Mapping[str, tuple[str, ...]]  # by phenomenon; with marked edits
    more: tuple[Exchange, ...] = ()  # exchanges that stay on the topic
    whole: tuple[str, ...] = ()  # last turns that stand on their own
    leads_to: str = ""  # the untouched phenomenon that often follows


@dataclass(frozen=True)
class Part:
    """A part of a last turn, as said and as rewritten."""

    said: str
    rewritten: str

    @property
    def kept(self) -> bool:
        return self.said == self.rewritten


@dataclass(frozen=True)
class Draft:
    """A dialogue before its surface is varied."""

    history: tuple[str, ...]
    last: tuple[Part, ...]
    phenomenon: str

    @property
    def utterance(self) -> str:
        return "".join(part.said for part in self.last)

    @property
    def rewrite(self) -> str:
        return "".join(part.rewritten for part in self.last)


@dataclass(frozen=True)
class Material:
    """Everything a language's dialogues are made of."""

    language: str
    tables: Tables
    scenes: tuple[Scene, ...]
    standalone: Mapping[str, tuple[str, ...]]  # last turns that fit anywhere and stand on their own, by phenomenon
    small_talk: tuple[str, ...]
    greetings: tuple[Exchange, ...]  # exchanges that may come before a topic
    vary: Callable[[random.Random, Draft], Draft]
    vary_small_talk: Callable[[random.Random, str], str]


class Fillers:
    """The fillers of one topic, sampled when first used; people in one topic differ in sex and role."""

    def __init__(self, rng: random.Random, tables: Tables) -> None:
        self._rng, self._tables, self._drawn = rng, tables, dict[str, Row]()

    @property
    def names(self) -> set[str]:
        return {row["name"] for row in self._drawn.values()}

    def fill(self, template: str) -> str:
        return _SLOT.sub(self._value, template).replace("\\n", "\n")

    def are_named_in(self, template: str) -> bool:
        """Whether the template uses a filler already sampled."""
        return any(kind + number in self._drawn for kind, number, _ in _SLOT.findall(template))

    def parts(self, template: str) -> tuple[Part, ...]:
        parts, end = [], 0
        for edit in _EDIT.finditer(template):
            kept = self.fill(template[end : edit.start()])
            parts += [Part(kept, kept), Part(self.fill(edit[1]), self.fill(edit[2]))]
            end = edit.end()
        kept = self.fill(template[end:])
        return tuple(part for part in [*parts, Part(kept, kept)] if part != Part("", ""))

    def _value(self, slot: re.Match[str]) -> str:
        kind, number, column = slot.groups()
        if kind + number not in self._drawn:
            self._drawn[kind + number] = self._draw(kind)
        return self._drawn[kind + number][column or "name"]

    def _draw(self, kind: str) -> Row:
        taken = {(column, row[column]) for row in self._drawn.values() for column in _UNLIKE if column in row}
        rows = [row for row in self._tables[kind] if row["name"] not in self.names]
        return self._rng.choice([row for row in rows if not taken & row.items()] or rows)


def compose(material: Material, count: int, seed: int) -> Iterator[dict[str, object]]:
    """Distinct dialogues as records of the JSON lines format."""
    rng = random.Random(seed)  # noqa: S311 - data, not secrets
    frames = _frames(material)
    weights = [len(each) ** 0.5 for each in frames.values()]  # or the largest phenomena would dominate
    seen: set[tuple[str, ...]] = set()
    while len(seen) < count:
        if rng.random() < UNTOUCHED:
            draft = _untouched(rng, material)
        else:
            (kind,) = rng.choices(tuple(frames), weights)
            draft = _edited(rng, material, kind, *rng.choice(frames[kind]))
        draft = material.vary(rng, draft)
        key = (*draft.history, draft.utterance)
        if key in seen:
            continue
        seen.add(key)
        yield {
            "id": f"chat-{material.language}-{seed}-{len(seen)}",
            "lang": material.language,
            "domain": "chat",
            "history": list(draft.history),
            "utterance": draft.utterance,
            "rewrite": draft.rewrite,
            "phenomenon": draft.phenomenon,
        }


def _frames(material: Material) -> Mapping[str, Sequence[tuple[Scene, str]]]:
    """All last turns with edits, each with its scene, by phenomenon."""
    frames: dict[str, list[tuple[Scene, str]]] = {}
    for scene in material.scenes:
        for kind, templates in scene.frames.items():
            frames.setdefault(kind, []).extend((scene, template) for template in templates)
    return frames


def _edited(rng: random.Random, material: Material, kind: str, scene: Scene, frame: str) -> Draft:
    fillers = Fillers(rng, material.tables)
    history = _history(rng, material, scene, fillers)
    return Draft(history, fillers.parts(frame), kind)


def _untouched(rng: random.Random, material: Material) -> Draft:
    weights = (2 * len(templates) ** 0.5 for templates in material.standalone.values())
    (kind,) = rng.choices(("same topic", "small talk", *material.standalone), (35, 30, *weights))
    scene = _scene_before(rng, material, kind)
    fillers = Fillers(rng, material.tables)
    history = _history(rng, material, scene, fillers)
    if kind == "same topic":
        text = fillers.fill(rng.choice(scene.whole))
    elif kind == "small talk":
        text = material.vary_small_talk(rng, rng.choice(material.small_talk))
    else:
        templates = material.standalone[kind]
        again = [template for template in templates if fillers.are_named_in(template)] if kind == _INSIDE else []
        if again and rng.random() < NAMED_AGAIN:
            text = fillers.fill(rng.choice(again))
        else:
            text = Fillers(rng, material.tables).fill(rng.choice(templates))
    return Draft(history, (Part(text, text),), kind)


def _scene_before(rng: random.Random, material: Material, kind: str) -> Scene:
    """A scene for an untouched turn to follow; half the time, one that leads to it."""
    scenes = [scene for scene in material.scenes if scene.whole or kind != "same topic"]
    fitting = [scene for scene in scenes if scene.leads_to == kind]
    return rng.choice(fitting if fitting and rng.random() < FITTING else scenes)


def _history(rng: random.Random, material: Material, scene: Scene, fillers: Fillers) -> tuple[str, ...]:
    """An opening of the scene, sometimes after a greeting or other topics, sometimes followed by more exchanges."""
    turns = [fillers.fill(turn) for turn in rng.choice(scene.openings)]
    for exchange in rng.sample(scene.more, rng.randint(0, min(3, len(scene.more)))):
        turns += map(fillers.fill, exchange)
    (topics,) = rng.choices((0, 1, 2, 3), (50, 28, 15, 7))
    before = [_other_topic(rng, material, fillers) for _ in range(topics)]
    if rng.random() < 0.12:
        before.append(rng.choice(material.greetings))
    for exchange in before:
        if len(exchange) + len(turns) <= MOST_TURNS:
            turns = [*exchange, *turns]
    return tuple(turns)


def _other_topic(rng: random.Random, material: Material, fillers: Fillers) -> tuple[str, ...]:
    """An opening of another scene, with fillers that differ from the topic's."""
    while True:
        opening = rng.choice(rng.choice(material.scenes).openings)
        others = Fillers(rng, material.tables)
        turns = [others.fill(turn) for turn in opening]
        if not others.names & fillers.names:
            return tuple(turns)
