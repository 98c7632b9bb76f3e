"""Dialogues without a rewrite to learn from: which are taken, and what a model guesses for them."""

import json
import random
from pathlib import Path

from recipes.guessed import guessed
from recipes.wild.unlabelled import inexact, left_out, moved, write

from tests import tiny
from tests.networks.models import untrained
from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.jsonl import read_jsonl
from utterly.files import written_whole
from utterly.labels.labels import Labels, labels_to_json
from utterly.model.folder import find_book
from utterly.scripts.edits import EditScript, Span
from utterly.training.dev_scores import is_exact

TURNS = ["who is anna ?", "a singer .", "is she famous ?", "very .", "and her mother ?"]


def labels_file(path: Path, dialogues: list[Dialogue]) -> Path:
    """Labels that change nothing, so they are exact where the target is the source."""
    with written_whole(path) as out:
        for dialogue in dialogues:
            script = EditScript.unchanged(dialogue)
            out.write(json.dumps(labels_to_json(Labels(script, ((),) * len(script.edits)))) + "\n")
    return path


def test_those_that_the_rules_cannot_say_and_those_left_out_are_taken(tmp_path: Path) -> None:
    exact, missed = (Dialogue.of(["hi", "well ?"], target) for target in ("well ?", "is anna well ?"))
    everything = labels_file(tmp_path / "all.jsonl", [exact, missed])
    assert list(inexact(everything, find_book("en"))) == [missed]
    chosen = labels_file(tmp_path / "chosen.jsonl", [missed])
    taken = [each for seed in range(20) for each in left_out(everything, chosen, random.Random(seed))]  # noqa: S311 - no secret
    assert set(taken) == {exact}
    assert 0 < len(taken) < 20


def test_a_chat_is_moved_to_less_context_or_after_another_and_written_without_a_target(tmp_path: Path) -> None:
    chats = [Dialogue.of([f"{i} {turn}" for turn in TURNS], "the rewrite") for i in range(40)]
    found = list(moved(chats, random.Random(1)))  # noqa: S311 - no secret
    for each in found:
        own = [turn.text for turn in next(chat for chat in chats if chat.source == each.source).context]
        read = [turn.text for turn in each.context]
        assert read != own
        assert read[-2:] == own[-2:]  # the answer that the turn follows
        assert len(read) % 2 == 0
    assert {len(each.context) for each in found} == {2, 6, 8}
    write(chats[:1], tmp_path / "out.jsonl")
    (written,) = read_jsonl(tmp_path / "out.jsonl")
    assert (written.source, written.target) == (chats[0].source, None)


def test_guessed_labels_are_exact_for_what_the_model_says_and_have_all_mentions(tmp_path: Path) -> None:
    tiny.save_encoder(tmp_path)
    model = untrained("hct", tmp_path)
    dialogues = [Dialogue.of(["anna is anna", f"where was {who} born ?"]) for who in ("she", "it", "paris")]
    found = list(guessed(model, dialogues))
    for dialogue, (best, *_), labels in zip(dialogues, model.scripts_in_batches(dialogues), found, strict=True):
        assert labels.script.dialogue == dialogue.with_target(best.script.apply())
        assert is_exact(labels.script)
    copied = [spans for labels in found for slots in labels.mentions for spans in slots]
    assert copied  # or the test says nothing
    said = ["anna", "is", "anna"]
    for spans in copied:
        first, size = spans[0], len(spans[0])
        words = said[first.start : first.stop]
        everywhere = {Span(0, k, k + size) for k in range(len(said) - size + 1) if said[k : k + size] == words}
        assert set(spans) == everywhere
