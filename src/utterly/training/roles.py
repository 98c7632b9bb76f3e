"""Train a role labeller on sentences labelled with predicates and arguments, and measure its F1.

Each line of a file is a sentence: its words and, per predicate, its index and a column of brackets as in CoNLL:

    {"words": ["Ann", "sings", "old", "songs"], "props": [{"pred": [1], "col": ["(ARG0*)", "(V*)", "(ARG1*", "*)"]}]}
"""

import json
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any, Final, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from utterly.errors import FileError, TrainingError
from utterly.files import numbered_lines
from utterly.networks.layers import padded
from utterly.networks.roles import PREDICATE, Frame, Reading, RoleSpan, RoleTagger
from utterly.training.epochs import run_epochs, training_device
from utterly.training.recipe import Recipe, Report

_IGNORED: Final = -100  # tags of padding; torch's default
_VERBS: Final = frozenset({"V", "C-V"})  # the predicate itself, and a particle that belongs to it


class Sentence(NamedTuple):
    words: list[str]
    frames: list[Frame]


class _Example(NamedTuple):
    reading: Reading
    tags: list[int]


def train(recipe: Recipe, *, report: Report | None = None) -> RoleTagger:
    """The labeller that is best on dev; it is saved in the folder `model` of the run, with its F1 on test."""
    folder, device = Path(recipe.out) / "model", training_device(recipe)
    torch.manual_seed(recipe.training.seed)
    sentences = [sentence for path in recipe.data.train for sentence in read_sentences(path)]
    dev = list(read_sentences(recipe.data.dev))[: recipe.training.dev_limit or None]
    roles = sorted({span.role for _, frames in sentences for frame in frames for span in frame.arguments})
    if not roles or not dev:
        raise TrainingError(
            f"a role labeller needs arguments to learn and dev sentences, got {len(roles)} roles and {len(dev)} "
            "sentences; check data.train and data.dev"
        )
    tagger = RoleTagger.untrained(recipe.tagger.encoder, roles, max_length=recipe.tagger.max_length)
    examples = [example for sentence in sentences for example in _examples(tagger, sentence)]

    def loss(batch: Sequence[_Example]) -> Tensor:
        inputs = tagger.batch([each.reading for each in batch])
        tags, _ = padded([each.tags for each in batch])
        gold = tags[:, : inputs.source.shape[1]].masked_fill(~inputs.source_mask, _IGNORED)  # a long sentence is cut
        return functional.cross_entropy(tagger.network(inputs.to(device)).transpose(1, 2), gold.to(device))

    def save(event: dict[str, Any]) -> None:
        tagger.noted(recipe=recipe.to_dict(), dev=event).save(folder)

    run_epochs(
        tagger.network,
        examples,
        size=lambda example: len(example.tags),
        loss=loss,
        scores=lambda: {f"dev_{name}": f1 for name, f1 in role_scores(tagger, dev).items()},
        save=save,
        recipe=recipe,
        report=report,
        clip=1.0,
    )
    best = RoleTagger.load(folder, device=str(device))
    if recipe.data.test:
        measured = role_scores(best, list(read_sentences(recipe.data.test)))["roles"]
        best = best.noted(F1={Path(recipe.data.test).name.partition(".")[0]: round(100 * measured, 2)})
        best.save(folder)
    return best


def read_sentences(path: Path | str) -> Iterator[Sentence]:
    for number, line in numbered_lines(path):
        try:
            row = json.loads(line)
            frames = [Frame(each["pred"][0], tuple(_spans(each["col"]))) for each in row["props"]]
            yield Sentence(row["words"], frames)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as wrong:
            problem = f"a sentence must have 'words', and 'props' with 'pred' and 'col', but: {wrong!r}; check the file"
            raise FileError(path, problem, line=number) from None


def role_scores(tagger: RoleTagger, sentences: Sequence[Sentence]) -> dict[str, float]:
    """F1 of arguments, by predicate, role and words, and F1 of predicates; the tagger finds the predicates itself."""
    found = tagger.frames([sentence.words for sentence in sentences])
    both = [found, [sentence.frames for sentence in sentences]]
    predicates = [{(i, frame.predicate) for i, frames in enumerate(side) for frame in frames} for side in both]
    arguments = [
        {(i, frame.predicate, span) for i, frames in enumerate(side) for frame in frames for span in frame.arguments}
        for side in both
    ]
    return {"roles": _f1(*arguments), "predicates": _f1(*predicates)}


def _f1(found: AbstractSet[object], wanted: AbstractSet[object]) -> float:
    return 2 * len(found & wanted) / max(1, len(found) + len(wanted))


def _examples(tagger: RoleTagger, sentence: Sentence) -> Iterator[_Example]:
    """One example for the predicates of a sentence, and one for the arguments of each predicate."""
    predicates = {frame.predicate for frame in sentence.frames}
    words = range(len(sentence.words))
    yield _Example(Reading(sentence.words), [PREDICATE * (word in predicates) for word in words])
    for frame in sentence.frames:
        yield _Example(Reading(sentence.words, frame.predicate), tagger.tags(frame, len(words)))


def _spans(column: Sequence[str]) -> Iterator[RoleSpan]:
    """The arguments in a column of brackets: `(ARG1*`, `*`, `*)` is an argument of three words."""
    role, start = "", 0
    for place, cell in enumerate(column):
        if cell.startswith("("):
            role, start = cell[1 : cell.index("*")], place
        if cell.endswith(")") and role not in _VERBS:
            yield RoleSpan(role, start, place + 1)
