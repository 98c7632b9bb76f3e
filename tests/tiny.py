"""A tokenizer, a rule book and labelled dialogues that are as small as can be: no download, nothing slow."""

import json
from functools import cache
from pathlib import Path
from string import ascii_lowercase

from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing

from utterly.dialogues.dialogue import Dialogue
from utterly.labels.labels import Labels, labels_to_json
from utterly.rules.book import RuleBook
from utterly.scripts.edits import NULL_RULE, Edit, EditScript, Rule, Span

BOOK = RuleBook((NULL_RULE, Rule.glue(1), Rule.glue(2), Rule.parse("besides _")), (0, 5, 2, 3))
NAMES = "anna boris clara dmitri".split()
TOWNS = "paris oslo rome".split()
WORDS = [*NAMES, *TOWNS, *"who is he where was born ? a singer in . any other friends besides did she live".split()]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


@cache
def vocabulary() -> dict[str, int]:
    """Our words; any other Latin word falls into letters."""
    letters = [*ascii_lowercase, *(f"##{letter}" for letter in ascii_lowercase), *"0123456789,'"]
    return {piece: number for number, piece in enumerate(dict.fromkeys([*SPECIAL, *WORDS, *letters]))}


def tokenizer() -> Tokenizer:
    """As BERT's."""
    made = Tokenizer(WordPiece(vocabulary(), unk_token="[UNK]"))  # noqa: S106 - no secret
    made.normalizer = BertNormalizer(lowercase=True)
    made.pre_tokenizer = BertPreTokenizer()
    ends = [(mark, vocabulary()[mark]) for mark in ("[CLS]", "[SEP]")]
    made.post_processor = TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
    return made


def save_encoder(folder: Path, *, positions: int = 128, feed_forward: int = 64) -> Path:
    """A BERT of two layers and width 32 that has learned nothing, as transformers saves it."""
    from transformers import BertConfig, BertModel, set_seed

    from utterly.networks.torch_model import _quiet

    set_seed(0)
    shape = BertConfig(
        vocab_size=len(vocabulary()),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=feed_forward,
        max_position_embeddings=positions,
    )
    with _quiet():
        BertModel(shape).save_pretrained(folder)
    tokenizer().save(str(folder / "tokenizer.json"))
    return folder


def labels() -> list[Labels]:
    """Two ways to leave something out: a pronoun for the name, and `any other friends` for `besides` the name."""
    return [make(name, town) for name in NAMES for town in TOWNS for make in (_pronoun, _ellipsis)]


def _pronoun(name: str, town: str) -> Labels:
    turns = [f"who is {name} ?", f"a singer in {town} .", "where was he born ?"]
    dialogue = Dialogue.of(turns, f"where was {name} born ?", id=f"{name}-{town}-he")
    he = Edit(False, Rule.glue(1), (Span(0, 2, 3),))
    return Labels(EditScript.from_changes(dialogue, [(2, he)]), ((), (), ((Span(0, 2, 3),),), (), (), ()))


def _ellipsis(name: str, town: str) -> Labels:
    turns = [f"did {name} live in {town} ?", f"{name} is in {town} .", "any other friends ?"]
    dialogue = Dialogue.of(turns, f"any other friends besides {name} ?", id=f"{name}-{town}-any")
    mentions = (Span(1, 0, 1), Span(0, 1, 2))
    besides = Edit(True, Rule.parse("besides _"), mentions[:1])
    return Labels(EditScript.from_changes(dialogue, [(3, besides)]), ((), (), (), (mentions,), ()))


def save_labels(folder: Path) -> tuple[Path, Path]:
    """A label file and a rule book."""
    book, path = folder / "rules.json", folder / "labels.jsonl"
    BOOK.save(book)
    path.write_text("".join(json.dumps(labels_to_json(each)) + "\n" for each in labels()))
    return path, book
