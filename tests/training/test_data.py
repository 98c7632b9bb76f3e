"""Labels as examples: in the tagger's kind and book, in pieces, and without those that cannot be learned from."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests import tiny
from tests.networks.models import KINDS
from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.jsonl import write_jsonl
from utterly.labels.labels import Labels, labels_for
from utterly.model.encode import PieceEncoder
from utterly.rules.book import RuleBook
from utterly.rules.restrict import Restriction
from utterly.scripts.edits import NULL_RULE, EditScript, Rule
from utterly.training.data import Example, ExampleEncoder, GoldWord, read_dev

ENCODER = PieceEncoder(tiny.tokenizer(), max_length=64)
SMALL = RuleBook((NULL_RULE, Rule.glue(1)), (0, 1))


def examples() -> list[Example]:
    return ExampleEncoder("hct", tiny.BOOK, ENCODER).encode(tiny.labels()).examples


def test_an_example_has_the_edit_of_each_word_and_all_mentions() -> None:
    besides = examples()[1]
    assert besides.dialogue == tiny.labels()[1].script.dialogue
    nothing = GoldWord(True, 0, ())
    # did anna live in paris ? | anna is in paris . : the name is at 2, and in the newer turn at 7
    assert besides.gold == (nothing, nothing, nothing, GoldWord(True, 3, (((7, 7), (2, 2)),)), nothing)


@pytest.mark.parametrize("book", [tiny.BOOK, SMALL], ids=["every rule", "glue only"])
@pytest.mark.parametrize("kind", KINDS)
def test_plain_labels_are_mapped_onto_the_taggers_kind_and_book(kind: str, book: RuleBook) -> None:
    restriction = Restriction(book, copy_words=kind == "hct")
    mapped = [restriction.restrict(labels_for(kind)(each)) for each in tiny.labels()]
    encoder = ExampleEncoder(kind, book, ENCODER)
    found = [example.gold for example in encoder.encode(tiny.labels()).examples]
    assert found == [example.gold for example in encoder.encode(mapped).examples]  # mapping them again changes nothing
    for labels, gold in zip(mapped, found, strict=True):
        assert [book.number(edit.rule) for edit in labels.script.edits] == [word.rule for word in gold]
    besides = max(word.rule for gold in found for word in gold)
    assert besides == (3 if kind == "hct" and book is tiny.BOOK else 1)


def test_literal_examples_are_mapped_as_in_the_paper() -> None:
    """Without `besides _`, `besides anna` becomes its span; RaST learns nothing where a rule has words."""
    for kind, insertions in (("hct", 1), ("mst", 1), ("rast", 0)):
        besides = ExampleEncoder(kind, SMALL, ENCODER, literal=True).encode(tiny.labels()[1:2]).examples[0]
        assert sum(len(word.slots) for word in besides.gold) == insertions


def test_exact_only_skips_scripts_that_miss_their_target_in_the_rules_of_the_book() -> None:
    every = len(tiny.labels())
    for book, inexact in ((tiny.BOOK, 0), (SMALL, every // 2)):  # without `besides _` half of the targets are missed
        found = ExampleEncoder("hct", book, ENCODER, exact_only=True).encode(tiny.labels())
        assert (len(found.examples), found.inexact) == (every - inexact, inexact)
        found = ExampleEncoder("hct", book, ENCODER).encode(tiny.labels())
        assert (len(found.examples), found.inexact) == (every, 0)


def test_several_processes_read_the_same_examples_from_a_file(tmp_path: Path) -> None:
    encoder = ExampleEncoder("hct", SMALL, ENCODER, exact_only=True)
    few, _ = tiny.save_labels(tmp_path)
    many = tmp_path / "many.jsonl"
    many.write_text("".join(few.read_text().replace('"id": "', f'"id": "{copy}-') for copy in range(30)))
    alone, together = encoder.encode(tiny.labels() * 30), encoder.encode_file(many, workers=2)
    assert [e.gold for e in alone.examples] == [e.gold for e in together.examples]
    assert [e.pieces.ids.tolist() for e in alone.examples] == [e.pieces.ids.tolist() for e in together.examples]
    assert alone[1:] == together[1:] == (0, 360)


def test_a_source_too_long_for_the_encoder_is_skipped() -> None:
    long = EditScript.unchanged(Dialogue.of(["where " * 90]))
    found = ExampleEncoder("hct", tiny.BOOK, ENCODER).encode([Labels(long, ((),) * 91), *tiny.labels()[:1]])
    assert (len(found.examples), found.too_long) == (1, 1)


def test_dev_is_plain_dialogues_that_have_a_target(tmp_path: Path) -> None:
    dialogues = [labels.script.dialogue for labels in tiny.labels()[:3]]
    write_jsonl(tmp_path / "dev.jsonl", [Dialogue.of(["why ?"]), *dialogues])
    assert read_dev(tmp_path / "dev.jsonl") == dialogues
    assert read_dev(tmp_path / "dev.jsonl", limit=2) == dialogues[:2]
    labels, _ = tiny.save_labels(tmp_path)
    assert read_dev(labels, limit=3) == dialogues  # a label file will do


def test_worker_processes_need_no_torch() -> None:
    program = "import sys, utterly.training.data, utterly.training.calibrate; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
