"""Words to pieces and back: where each word is read, and what of a long dialogue is kept."""

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, pre_tokenizers
from tokenizers.models import BPE, Unigram, WordPiece
from tokenizers.processors import TemplateProcessing
from tokenizers.trainers import BpeTrainer

from tests import tiny
from tests.strategies import dialogues, scripts
from utterly.dialogues import dialogue as words
from utterly.dialogues.dialogue import Dialogue, Turn, Word
from utterly.errors import PiecesError
from utterly.model.encode import PieceEncoder, Pieces
from utterly.scripts.edits import EditScript, Rule, Span

CLS, SEP = tiny.vocabulary()["[CLS]"], tiny.vocabulary()["[SEP]"]


def byte_level() -> Tokenizer:
    """As RoBERTa's and ModernBERT's: pieces know the blank before them."""
    made = Tokenizer(BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = BpeTrainer(special_tokens=["<s>", "</s>"], initial_alphabet=alphabet, show_progress=False)
    made.train_from_iterator(tiny.WORDS, trainer)
    made.post_processor = TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 1)])
    return made


def sentencepiece() -> Tokenizer:
    """As those of T5's family: a blank is part of the piece after it."""
    pieces = ["<s>", "</s>", "<unk>", "▁", *(f"▁{word}" for word in tiny.WORDS), *"abcdefghijklmnopqrstuvwxyz"]
    made = Tokenizer(Unigram([(piece, -float(i)) for i, piece in enumerate(pieces)], unk_id=2))
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.post_processor = TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 1)])
    return made


TOKENIZERS: dict[str, Callable[[], Tokenizer]] = {
    "wordpiece": tiny.tokenizer,
    "byte-level": byte_level,
    "sentencepiece": sentencepiece,
}
ENCODERS = {name: PieceEncoder(make(), max_length=1000) for name, make in TOKENIZERS.items()}


def encoder(max_length: int = 512, topic_turns: int = 2) -> PieceEncoder:
    return PieceEncoder(tiny.tokenizer(), max_length=max_length, topic_turns=topic_turns)


def turns_in(pieces: Pieces) -> list[int]:
    return sorted({turn for turn in pieces.turns.tolist() if turn >= 0})


def test_a_dialogue_is_its_turns_and_then_the_source_each_with_a_mark_behind_it() -> None:
    number = tiny.vocabulary()
    pieces = encoder().encode(Dialogue.of(["who is anna ?", "where was he zu ?"]))
    words = [number[word] for word in "who is anna ?".split()]
    source = [number[piece] for piece in "where was he z ##u ?".split()]
    assert pieces.ids.tolist() == [CLS, *words, SEP, *source, SEP]
    assert pieces.types.tolist() == [0] * 6 + [1] * 7
    assert pieces.source.tolist() == [6, 7, 8, 9, 11, 12]  # zu is read at its first piece, the end at the last mark
    assert pieces.context.tolist() == [0, 1, 2, 3, 4]
    assert (pieces.turns.tolist(), pieces.words.tolist()) == ([-1, 0, 0, 0, 0], [-1, 0, 1, 2, 3])


@pytest.mark.parametrize("name", ENCODERS)
@given(dialogue=dialogues())
def test_every_word_has_a_first_piece_of_its_own(name: str, dialogue: Dialogue) -> None:
    pieces = ENCODERS[name].encode(dialogue)
    assert len(pieces.source) == len(dialogue.source.words) + 1
    assert len(pieces.context) == 1 + sum(len(turn.words) for turn in dialogue.context)
    places = [*pieces.context.tolist(), *pieces.source.tolist()]
    assert places == sorted(set(places))
    assert places[-1] == len(pieces.ids) - 1
    assert set(pieces.types[pieces.source].tolist()) == {1}
    assert set(pieces.types[pieces.context].tolist()) == {0}


@pytest.mark.parametrize("name", ENCODERS)
@given(script=scripts())
def test_a_span_is_found_again_from_its_ends(name: str, script: EditScript) -> None:
    pieces = ENCODERS[name].encode(script.dialogue)
    for span in (span for edit in script.edits for span in edit.spans):
        ends = pieces.ends_of(span)
        assert ends is not None
        assert pieces.span_at(*ends) == span


def test_a_blank_before_a_word_counts_where_pieces_know_blanks() -> None:
    def first_word(text: str) -> list[int]:
        pieces = ENCODERS["byte-level"].encode(Dialogue.of([text]))
        return [int(piece) for piece in pieces.ids[pieces.source[0] : pieces.source[1]]]

    assert first_word(" anna ?") != first_word("anna ?")


@pytest.mark.parametrize("make", TOKENIZERS.values(), ids=TOKENIZERS)
def test_a_word_that_yields_no_piece_can_still_be_read(make: Callable[[], Tokenizer]) -> None:
    dialogue = Dialogue.of(["who \u200d is", "\x07 \u0301 ?"])
    pieces = PieceEncoder(make()).encode(dialogue)
    assert len(set(pieces.source.tolist())) == len(dialogue.source.words) + 1
    assert len(pieces.context) == 1 + len(dialogue.context[0].words)


def test_without_context_there_is_only_the_stop_symbol() -> None:
    for turns in (["who ?"], ["", "who ?"], ["  ", "", "who ?"]):
        pieces = encoder().encode(Dialogue.of(turns))
        assert pieces.context.tolist() == [0]
        assert pieces.source.tolist() == [len(pieces.ids) - 3, len(pieces.ids) - 2, len(pieces.ids) - 1]


def test_a_source_without_words_has_an_end() -> None:
    assert encoder().encode(Dialogue.of(["who ?", ""])).source.tolist() == [4]


def numbered(count: int, size: int = 4) -> Dialogue:
    return Dialogue.of([*("who " * size for _ in range(count)), "where ?"])


def test_a_long_dialogue_keeps_its_first_turns_and_the_newest_that_fit() -> None:
    # 4 for [CLS], the source and its mark; a turn takes 5: two of the topic and four of the newest make 34
    assert turns_in(encoder(max_length=34).encode(numbered(20))) == [0, 1, 16, 17, 18, 19]
    assert turns_in(encoder(max_length=34, topic_turns=0).encode(numbered(20))) == [14, 15, 16, 17, 18, 19]
    assert turns_in(encoder(max_length=34).encode(numbered(6))) == [0, 1, 2, 3, 4, 5]


def test_the_oldest_turn_in_the_window_is_cut_where_enough_of_it_is_left() -> None:
    pieces = encoder(max_length=4 + 21 + 11, topic_turns=0).encode(numbered(3, size=20))
    assert [pieces.turns.tolist().count(turn) for turn in range(3)] == [0, 10, 20]
    pieces = encoder(max_length=4 + 21 + 8, topic_turns=0).encode(numbered(3, size=20))
    assert turns_in(pieces) == [2]  # seven words say too little


def test_a_long_topic_turn_leaves_room_for_the_newest() -> None:
    pieces = encoder(max_length=128, topic_turns=1).encode(Dialogue.of(["who " * 500, "is he ?", "where ?"]))
    assert [pieces.turns.tolist().count(turn) for turn in range(2)] == [48, 3]


@given(
    sizes=st.lists(st.integers(0, 60), max_size=8),
    source=st.integers(0, 30),
    max_length=st.integers(32, 80),
    topic_turns=st.integers(0, 3),
)
def test_whatever_is_kept_fits(sizes: list[int], source: int, max_length: int, topic_turns: int) -> None:
    dialogue = Dialogue.of([*("who " * size for size in sizes), "is " * source])
    pieces = encoder(max_length, topic_turns).encode(dialogue)
    assert len(pieces.ids) <= max_length
    assert len(pieces.source) == source + 1


def test_the_source_is_never_cut() -> None:
    assert len(encoder(max_length=8).encode(Dialogue.of(["is he ?", "who " * 6])).ids) == 8
    with pytest.raises(PiecesError) as refused:
        encoder(max_length=8).encode(Dialogue.of(["is he ?", "who " * 7]))
    assert str(refused.value) == ("the turn is too long: it must fit into 8 pieces, got 9; shorten it")


@pytest.mark.parametrize("text", ["who is anna ?", ""])
def test_of_ten_thousand_turns_only_those_are_cut_that_may_fit(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def split_words(text: str, count: int) -> tuple[Word, ...]:
        read.append(text)
        return words.split_words(text, count)

    monkeypatch.setattr("utterly.model.encode.split_words", split_words)
    context = tuple(Turn(f"{text} {number}" if text else "") for number in range(10_000))
    pieces = encoder(max_length=128).encode(Dialogue(context, Turn("where ?")))
    assert len(pieces.ids) <= 128
    assert len(read) <= 128


def test_no_more_of_a_turn_is_cut_than_fits_and_of_a_source_than_shows_that_it_does_not() -> None:
    encoder = PieceEncoder(tiny.tokenizer(), max_length=16)
    long = "anna " * 200_000
    assert len(encoder.encode(Dialogue.of([long, "where ?"])).ids) == 16
    with pytest.raises(PiecesError, match="into 16 pieces, got more than 4098; shorten it"):
        encoder.encode(Dialogue.of(["who ?", long]))


def test_a_word_as_long_as_an_address_takes_few_pieces() -> None:
    assert len(encoder().encode(Dialogue.of(["x" * 80])).ids) <= 26


def test_a_span_that_the_window_does_not_hold_has_no_ends() -> None:
    pieces = encoder(max_length=14, topic_turns=0).encode(numbered(20))
    assert pieces.ends_of(Span(0, 0, 1)) is None
    assert pieces.ends_of(Span(19, 1, 3)) is not None


def test_slots_of_a_rule_are_numbered_below_zero() -> None:
    number = tiny.vocabulary()
    rule = Rule.parse("besides _ , _")
    assert encoder().encode_rule(rule) == [CLS, number["besides"], -1, number[","], -2]
    assert encoder().encode_rule(Rule()) == [CLS]


def test_a_part_of_a_rule_that_is_two_words_keeps_both() -> None:
    number = tiny.vocabulary()
    assert encoder().encode_rule(Rule(("it's",)))[1:] == [number[piece] for piece in ("i", "##t", "'", "s")]


def test_an_encoder_travels_to_another_process() -> None:
    dialogue = Dialogue.of(["who is anna ?", "where was he ?"])
    again = pickle.loads(pickle.dumps(encoder(max_length=64, topic_turns=1)))  # noqa: S301
    assert (again.max_length, again.topic_turns) == (64, 1)
    assert again.encode(dialogue).ids.tolist() == encoder().encode(dialogue).ids.tolist()


def test_a_tokenizer_without_marks_around_a_text_is_refused() -> None:
    with pytest.raises(PiecesError, match="must put one piece before and one after a text, as BERT's does, got 0"):
        PieceEncoder(Tokenizer(WordPiece(tiny.vocabulary(), unk_token="[UNK]")))  # noqa: S106


def test_a_folder_without_a_fast_tokenizer_is_refused(tmp_path: object) -> None:
    with pytest.raises(PiecesError, match=r"needs a fast tokenizer, the file tokenizer\.json; save it"):
        PieceEncoder.from_folder(str(tmp_path))


@pytest.mark.parametrize("damage", [b"", b"{}", b"\xff\x00"])
def test_a_tokenizer_that_cannot_be_read_is_named(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "tokenizer.json").write_bytes(damage)
    with pytest.raises(PiecesError, match=r"tokenizer\.json: must be a Hugging Face tokenizer, but .*; save it again"):
        PieceEncoder.from_folder(tmp_path)
