"""Load what a run starts from: the model, its teachers, the training examples and the dev dialogues."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import torch

from utterly.dialogues.dialogue import Dialogue
from utterly.errors import TrainingError
from utterly.model.folder import find_book
from utterly.model.model import ModelConfig
from utterly.networks.narrow import narrow_feed_forward
from utterly.networks.torch_model import TorchModel, shape_of
from utterly.networks.torch_scorer import collate
from utterly.rules.book import RuleBook
from utterly.training.data import Encoded, Example, ExampleEncoder, check_data, read_dev
from utterly.training.recipe import Recipe

_READ_TO_NARROW: Final = 400  # examples, at most


class Start(NamedTuple):
    model: TorchModel
    teachers: Sequence[TorchModel]
    examples: Sequence[Example]
    dev: Sequence[Dialogue]
    event: dict[str, int]  # about the data, for the log


def load_start(recipe: Recipe, device: torch.device) -> Start:
    """What a recipe starts from; the model is on `device`, its teachers are still on the CPU."""
    book = find_book(recipe.data.book)
    model, teachers = _starting_model(recipe, book).to(device), _teachers(recipe, book)
    encoded = [_read_labels(path, recipe, model, teachers) for path in recipe.data.train]
    examples = [example for each in encoded for example in each.examples]
    dev = read_dev(recipe.data.dev, recipe.training.dev_limit)
    check_data(examples, dev, hint=", or set exact_only = false" if recipe.data.exact_only else "")
    if recipe.tagger.feed_forward:
        model = _narrowed(model, recipe.tagger.feed_forward, examples)
    skipped = {name: sum(getattr(each, name) for each in encoded) for name in ("too_long", "inexact")}
    event = {"examples": len(examples), **skipped, "dev": len(dev)}
    return Start(model.with_config(language=dev[0].language), teachers, examples, dev, event)


def _read_labels(path: str, recipe: Recipe, model: TorchModel, teachers: Sequence[TorchModel]) -> Encoded:
    data, kind = recipe.data, recipe.tagger.kind
    teacher = teachers[0].encoder if teachers and path in (data.taught or data.train) else None
    encoder = ExampleEncoder(
        kind, model.book, model.encoder, literal=data.literal, exact_only=data.exact_only, teacher=teacher
    )
    return encoder.encode_file(path, workers=recipe.training.workers)


def _starting_model(recipe: Recipe, book: RuleBook) -> TorchModel:
    """An untrained tagger on an encoder, or a trained one."""
    settings = recipe.tagger
    if settings.start_from:
        model = TorchModel.from_pretrained(settings.start_from)
        hint = "set data.book to its rules.json, or start from an encoder"
        _check_kind_and_book("tagger.start_from", settings.start_from, model, recipe, book, hint)
        return model.with_decode(recipe.decode)
    config = ModelConfig(
        tagger=settings.kind,
        max_length=settings.max_length,
        topic_turns=settings.topic_turns,
        window=settings.window,
        decode=recipe.decode,
    )
    return TorchModel.untrained(config, settings.encoder, book)


def _narrowed(model: TorchModel, width: int, examples: Sequence[Example]) -> TorchModel:
    """The model with narrower feed-forward layers, which keep what training examples need."""
    some = examples[:: len(examples) // _READ_TO_NARROW + 1]
    narrow_feed_forward(model.tagger.encoder, width, (collate([each.pieces]).to(model.scorer.device) for each in some))
    return model.with_config(encoder=shape_of(model.tagger.encoder.network))


def _teachers(recipe: Recipe, book: RuleBook) -> list[TorchModel]:
    folders = recipe.tagger.teachers
    teachers = [TorchModel.from_pretrained(folder) for folder in folders]
    for folder, teacher in zip(folders, teachers, strict=True):
        _check_kind_and_book("a teacher", folder, teacher, recipe, book, "train it with this book")
        if not teacher.encoder.cuts_like(teachers[0].encoder):
            raise TrainingError(
                f"teachers must cut dialogues into the same pieces, but {folder} and {folders[0]} do not; "
                "choose teachers with the same encoder, max_length, topic_turns and window"
            )
    return teachers


def _check_kind_and_book(what: str, folder: str, model: TorchModel, recipe: Recipe, book: RuleBook, hint: str) -> None:
    kind = model.tagger.kind
    if model.book.fingerprint != book.fingerprint or kind != recipe.tagger.kind:
        raise TrainingError(
            f"{what} must be of kind {recipe.tagger.kind} with the rules of {recipe.data.book}, but {folder} is of "
            f"kind {kind} with the book {model.book.fingerprint}; {hint}"
        )
