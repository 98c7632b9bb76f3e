"""The rewriter as people use it: text in, text out, and an answer to everything that may come."""

import asyncio
import json
import math
import pickle
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import copy as shallow_copy
from copy import deepcopy
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import tiny
from tests.networks.exported import exported
from tests.strategies import TEXTS, dialogues
from utterly import Dialogue, Rewrite, Rewriter
from utterly.dialogues import dialogue as words
from utterly.dialogues.conversation import last_user_text
from utterly.dialogues.dialogue import Word
from utterly.errors import DialogueError, MissingExtraError, ModelError, RewriterError, UtterlyError
from utterly.model.decode import ScoredScript
from utterly.model.folder import bundled_folders
from utterly.model.model import Model
from utterly.rewriter import FIRST_TURN, NO_WORDS
from utterly.scripts.edits import Rule
from utterly.scripts.explain import EditView, SpanView
from utterly.scripts.serialize import script_from_json

DIALOGUES = [each.script.dialogue for each in tiny.labels()]


@pytest.fixture(scope="module")
def folder(encoder_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tiny")
    exported("hct", encoder_folder, folder)
    return folder


@pytest.fixture(scope="module")
def rewriter(folder: Path) -> Rewriter:
    return Rewriter.load(folder)


@pytest.fixture
def copied(folder: Path, tmp_path: Path) -> Path:
    """A model's folder to spoil."""
    return Path(shutil.copytree(folder, tmp_path / "model"))


def changed(rewriter: Rewriter, **options: Any) -> tuple[Dialogue, Rewrite]:
    """A dialogue that the untrained model rewrites, in whatever way."""
    answers = ((dialogue, rewriter.rewrite(dialogue, **options)) for dialogue in DIALOGUES)
    return next((dialogue, result) for dialogue, result in answers if result.changed)


def test_a_rewrite_is_what_the_best_script_says(encoder_folder: Path, folder: Path, rewriter: Rewriter) -> None:
    from tests.networks.models import untrained

    expected = [best[0] for best in untrained("hct", encoder_folder).scripts_in_batches(DIALOGUES, batch_size=1)]
    results = [rewriter.rewrite(dialogue) for dialogue in DIALOGUES]
    assert [result.text for result in results] == [best.script.apply() for best in expected]
    assert [result.source for result in results] == [dialogue.source.text for dialogue in DIALOGUES]
    assert {result.model for result in results} == {folder.name}
    assert any(result.changed for result in results)


def test_turns_messages_and_dialogues_are_told_apart(rewriter: Rewriter) -> None:
    dialogue, expected = changed(rewriter)
    turns = [turn.text for turn in (*dialogue.context, dialogue.source)]
    spoken = [{"role": "assistant" if i % 2 else "user", "content": turn} for i, turn in enumerate(turns)]
    messages = [{"role": "system", "content": "Be kind."}, *spoken]
    for conversation in (turns, tuple(turns), messages, dialogue):
        assert rewriter.rewrite(conversation).text == expected.text


def test_what_comes_after_the_last_user_message_is_left_out(rewriter: Rewriter) -> None:
    messages = [
        {"role": "user", "content": "who is anna ?"},
        {"role": "assistant", "content": "a singer ."},
        {"role": "user", "content": "where was she born ?"},
    ]
    expected = rewriter.rewrite(messages)
    assert rewriter.rewrite([*messages, {"role": "assistant", "content": "in rome ."}]) == expected
    assert expected.source == "where was she born ?"


def test_edits_say_what_was_done_and_where_words_come_from(rewriter: Rewriter) -> None:
    dialogue, result = changed(rewriter)
    assert result.script is not None
    assert result.script.apply() == result.text
    assert result.explain()
    for edit in result.edits:
        assert isinstance(edit, EditView)
        assert isinstance(edit.rule, Rule)
        words = dialogue.source.words
        assert edit.text == (words[edit.word].text if edit.word < len(words) else None)
        for span in edit.spans:
            assert isinstance(span, SpanView)
            assert dialogue.context[span.turn].text[span.start : span.stop] == span.text


def test_everything_is_there_for_programs(rewriter: Rewriter) -> None:
    dialogue, result = changed(rewriter, n_best=3)
    line = json.loads(json.dumps(result.to_json()))
    assert (line["text"], line["source"], line["changed"]) == (result.text, result.source, True)
    assert script_from_json(line["edits"], dialogue) == result.script
    assert [way["text"] for way in line["alternatives"]] == [way.text for way in result.alternatives]
    assert (line["reason"], line["error"], line["abstained"]) == (None, None, False)


@given(dialogues())
def test_a_rewrite_has_only_what_the_dialogue_and_the_rules_have(folder: Path, dialogue: Dialogue) -> None:
    result = loaded(folder).rewrite(dialogue, fail_open=True)
    assert result.error is None
    assert result.source == dialogue.source.text
    assert 0 <= result.confidence <= 1
    assert result.changed == (result.text != result.source) == bool(result.edits)
    assert result == loaded(folder).rewrite(dialogue)
    for edit in result.edits:
        assert edit.rule in tiny.BOOK


_LOADED: dict[Path, Rewriter] = {}


def loaded(folder: Path) -> Rewriter:
    """One rewriter for all examples of a law."""
    return _LOADED.setdefault(folder, Rewriter.load(folder))


@given(TEXTS)
def test_a_first_turn_comes_back_byte_for_byte(folder: Path, text: str) -> None:
    for context in ([], ["", "  \n"]):
        result = loaded(folder).rewrite([*context, text])
        assert (result.text, result.changed, result.confidence) == (text, False, 1.0)
        assert result.reason == (FIRST_TURN if text.strip() else NO_WORDS)
        assert result.edits == ()


def test_without_context_no_model_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lazy = Rewriter(Rewriter.load(folder).models)
    monkeypatch.setattr(lazy, "_load", lambda *_, **__: pytest.fail("a model was asked for"))
    assert lazy.rewrite([" Hello there!  "]).text == " Hello there!  "


@pytest.mark.parametrize("text", ["", "  ", "\n\t\u3000"])
def test_a_turn_without_words_comes_back_with_the_reason(rewriter: Rewriter, text: str) -> None:
    result = rewriter.rewrite(["who is anna ?", text])
    assert (result.text, result.changed, result.reason, result.error) == (text, False, NO_WORDS, None)
    assert result.explain() == "no change: the turn has no words"


def test_a_turn_the_model_leaves_alone_is_the_same_to_the_blank(rewriter: Rewriter) -> None:
    spaced = "  where   was he\tborn ? \n"
    results = [rewriter.rewrite([f"who is {name} ?", spaced]) for name in (*tiny.NAMES, *tiny.TOWNS)]
    assert all(result.text == spaced for result in results if not result.edits)


BAD: dict[str, tuple[Any, str, str]] = {
    "no turns": ([], "needs at least one turn", ""),
    "one string": ("where ?", "a conversation must be a list of turns or messages, got a string", "where ?"),
    "nothing": (None, "a conversation must be a list of turns or messages, got null", ""),
    "a number among turns": (["who ?", 3, "where ?"], "a turn must be a string", "where ?"),
    "a number as the last turn": (["who ?", 3], "a turn must be a string", "3"),
    "a lone surrogate": (["who ?", "\ud800"], "must be valid Unicode", "\ud800"),
    "an unknown role": (
        [{"role": "user", "content": "who ?"}, {"role": "wizard", "content": "?"}, {"role": "user", "content": "so ?"}],
        "message 2 has the unknown role 'wizard'",
        "so ?",
    ),
    "only the assistant": ([{"role": "assistant", "content": "hi"}], "none of the 1 messages is from the user", ""),
    "no content": ([{"role": "user"}], "message 1 from the user has no content", ""),
    "a turn among messages": (
        [{"role": "user", "content": "who ?"}, "where ?"],
        "message 2 must have a role and content, got a string",
        "where ?",
    ),
}


@pytest.mark.parametrize(("conversation", "problem", "source"), BAD.values(), ids=BAD)
def test_what_is_no_dialogue_is_refused_or_comes_back(
    rewriter: Rewriter, conversation: Any, problem: str, source: str
) -> None:
    with pytest.raises(DialogueError, match=problem):
        rewriter.rewrite(conversation)
    result = rewriter.rewrite(conversation, fail_open=True)
    assert (result.text, result.source, result.changed, result.confidence) == (source, source, False, 0.0)
    assert isinstance(result.error, DialogueError)
    assert problem.split(",")[0] in result.explain()
    assert result.to_json()["error"]["type"] == "DialogueError"


def test_nul_bytes_are_text_like_any_other(rewriter: Rewriter) -> None:
    result = rewriter.rewrite(["who is\0anna ?\0", "where \0 was he\0born ?"])
    assert result.error is None
    kept = result.source if not result.changed else "".join(edit.text or "" for edit in result.edits if edit.deleted)
    assert set(kept) <= set(result.source)


def test_settings_out_of_range_are_refused(rewriter: Rewriter, folder: Path) -> None:
    wrong: dict[str, tuple[Any, ...]] = {
        "n_best": (0, 1.5, 1_001, True),
        "min_confidence": (1.1, -0.1, math.nan, "0.5", True),
        "search": (1, "yes", None),
    }
    for name, values in wrong.items():
        for value in values:
            with pytest.raises(RewriterError, match=f"{name} must be .*, got {value!r}"):
                rewriter.rewrite(["who ?", "where ?"], **{name: value})
    for odd in (0, -1, 257, 1.0, True):
        with pytest.raises(RewriterError, match=f"workers must be a whole number from 1 to 256, got {odd}"):
            rewriter.rewrite_many([], workers=odd)  # type: ignore[arg-type]
        with pytest.raises(RewriterError, match=f"threads must be a whole number from 1 to 256, got {odd}"):
            Rewriter.load(folder, threads=odd)  # type: ignore[arg-type]


def test_a_source_too_long_stays_with_the_reason(rewriter: Rewriter) -> None:
    long = "where was he " * 100
    result = rewriter.rewrite(["who is anna ?", long])
    assert (result.text, result.changed, result.confidence, result.error) == (long, False, 0.0, None)
    assert result.reason == "the turn is too long: it must fit into 64 pieces, got 302; shorten it"
    assert result.explain() == f"no change: {result.reason}"


MILLION = 1_000_000
HUGE = {
    "words": "lorem ipsum dolor " * (MILLION // 18),
    "one word": "a" * MILLION,
    "chinese": "好" * MILLION,
    "marks": "@" * MILLION,
    "blanks": " " * MILLION,
    "nuls": "\0" * MILLION,
}


@pytest.mark.parametrize("text", HUGE.values(), ids=HUGE)
def test_a_million_characters_have_an_answer_as_source_and_as_context(rewriter: Rewriter, text: str) -> None:
    result = rewriter.rewrite(["who is anna ?", text])
    assert result.changed or result.text == text
    result = rewriter.rewrite([text, "who is anna ?", "where was she born ?"], n_best=3)
    assert all(edit.spans or not edit.deleted or edit.text for edit in result.edits)


def test_ten_thousand_turns_are_read_no_further_than_a_hundred(
    rewriter: Rewriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def split_words(text: str, count: int) -> tuple[Word, ...]:
        read.append(text)
        return words.split_words(text, count)

    def turns_read(turns: int) -> int:
        read.clear()
        dialogue = [f"who is anna of {i} ?" for i in range(turns)] + [f"where was she born in {turns} ?"]
        assert rewriter.rewrite(dialogue).error is None
        return len(read)

    monkeypatch.setattr("utterly.model.encode.split_words", split_words)
    assert 0 < turns_read(10_000) < turns_read(100) + 5  # numbers of five digits take more pieces


def test_spans_name_their_turn_however_long_the_dialogue_is(rewriter: Rewriter) -> None:
    for name in tiny.NAMES:
        turns = [*(f"who is {name} ?" for _ in range(300)), "where was he born ?"]
        for edit in rewriter.rewrite(turns).edits:
            for span in edit.spans:
                assert turns[span.turn][span.start : span.stop] == span.text


def test_n_best_gives_alternatives_that_read_differently_and_changes_nothing_else(rewriter: Rewriter) -> None:
    dialogue, one = changed(rewriter)
    several = rewriter.rewrite(dialogue, n_best=4)
    assert (several.text, several.confidence, several.script) == (one.text, one.confidence, one.script)
    texts = [several.text, *(way.text for way in several.alternatives)]
    assert len(texts) == len(set(texts)) == 4
    confidences = [several.confidence, *(way.confidence for way in several.alternatives)]
    assert confidences == sorted(confidences, reverse=True)
    assert one.alternatives == ()


def test_under_the_least_confidence_the_source_comes_back_and_the_rewrite_is_an_alternative(rewriter: Rewriter) -> None:
    dialogue, result = changed(rewriter)
    held = rewriter.rewrite(dialogue, min_confidence=min(1.0, result.confidence + 1e-6))
    assert (held.text, held.changed, held.abstained, held.edits) == (result.source, False, True, ())
    assert held.confidence == result.confidence
    assert [way.text for way in held.alternatives] == [result.text]
    assert held.explain().startswith("no change: confidence 0.")
    again = rewriter.rewrite(dialogue, min_confidence=result.confidence)
    assert again == result
    assert not again.abstained


def change_config(folder: Path, **values: object) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | values))


def test_a_turn_that_the_model_leaves_alone_is_not_held_back(copied: Path) -> None:
    change_config(copied, decode={"stay_probability": 0.0}, min_confidence=1.0)
    result = Rewriter.load(copied).rewrite(DIALOGUES[0], n_best=3)
    assert (result.changed, result.abstained, result.reason) == (False, False, None)
    assert 0 < result.confidence < 1


def test_confidence_follows_the_curve_of_the_model(rewriter: Rewriter, copied: Path) -> None:
    dialogue, raw = changed(rewriter)
    change_config(copied, confidence={"slope": 0.5, "offset": 2.0})
    assert Rewriter.load(copied).rewrite(dialogue).confidence == pytest.approx(
        1 / (1 + math.exp(-(0.5 * math.log(raw.confidence) + 2.0))), rel=1e-6
    )


def test_many_are_answered_in_order_as_each_by_itself(rewriter: Rewriter) -> None:
    conversations: list[Any] = [*DIALOGUES, ["first turn"], ["who is anna ?", " "], ["who ?", "where was he " * 100]]
    expected = [rewriter.rewrite(each, n_best=2) for each in conversations]
    for workers in (None, 1, 3):
        assert list(rewriter.rewrite_many(iter(conversations), workers=workers, n_best=2)) == expected
    assert list(rewriter.rewrite_many([])) == []


def test_many_are_read_as_they_are_asked_for(rewriter: Rewriter) -> None:
    read = []

    def endless() -> Iterator[Dialogue]:
        for i in count():
            read.append(i)
            yield DIALOGUES[i % len(DIALOGUES)]

    answers = rewriter.rewrite_many(endless(), workers=2)
    assert [each.source for each in islice(answers, 100)] == [
        DIALOGUES[i % len(DIALOGUES)].source.text for i in range(100)
    ]
    answers.close()  # type: ignore[attr-defined]
    assert len(read) <= 100 + 2 * 16


def test_among_many_a_bad_one_is_raised_in_its_place_or_comes_back(rewriter: Rewriter) -> None:
    conversations: list[Any] = [DIALOGUES[0], [], DIALOGUES[1]]
    answers = rewriter.rewrite_many(conversations)
    assert next(answers).source == DIALOGUES[0].source.text
    with pytest.raises(DialogueError):
        next(answers)
    first, bad, last = rewriter.rewrite_many(conversations, fail_open=True)
    assert isinstance(bad.error, DialogueError)
    assert (first.error, last.error) == (None, None)


def test_several_threads_and_an_event_loop_get_the_same_answers(rewriter: Rewriter) -> None:
    expected = [rewriter.rewrite(dialogue) for dialogue in DIALOGUES]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(rewriter.rewrite, DIALOGUES * 4)) == expected * 4

    async def all_at_once() -> list[Rewrite]:
        return await asyncio.gather(*(rewriter.arewrite(dialogue) for dialogue in DIALOGUES))

    assert asyncio.run(all_at_once()) == expected


def test_models_say_what_they_are(rewriter: Rewriter, folder: Path) -> None:
    (model,) = rewriter.models
    assert (model.name, model.language, model.path, model.config.tagger) == (folder.name, "en", folder, "hct")


FAULTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "no config": (lambda f: (f / "config.json").unlink(), r"needs config\.json, but reading it failed: No such file"),
    "no graph": (lambda f: (f / "spans.onnx").unlink(), r"spans\.onnx: a model needs this file"),
    "no rules": (lambda f: (f / "rules.json").unlink(), r"rules\.json: a model needs this file"),
    "an altered graph": (lambda f: (f / "tagger.onnx").write_bytes(b"so"), r"tagger\.onnx: the file was altered"),
    "an altered tokenizer": (lambda f: (f / "tokenizer.json").write_text("{}"), r"tokenizer\.json: the file was"),
    "a newer format": (lambda f: change_config(f, version=2), "version must be 1, got 2; install the release"),
    "another program's": (lambda f: change_config(f, format="bert"), 'must have "format": "utterly tagger"'),
    "cold candidates": (
        lambda f: change_config(f, decode={"temperature": 0}),
        "temperature must be above 0, got 0",
    ),
    "broken config": (lambda f: (f / "config.json").write_text("{"), "must be JSON, but"),
    "odd checksums": (lambda f: change_config(f, files=[]), '"files" must be an object of names and checksums'),
    "odd decoding": (lambda f: change_config(f, decode={"bias": 1}), "a setting is missing or wrong .*bias"),
    "odd confidence": (lambda f: change_config(f, confidence=3), "a setting is missing or wrong"),
    "a curve that is no number": (
        lambda f: change_config(f, confidence={"slope": math.nan, "offset": 0}),
        "confidence must have finite numbers, got nan",
    ),
    "a bias that is no number": (
        lambda f: change_config(f, decode={"null_bias": math.nan}),
        "null_bias must be a number from -1,000,000 to 1,000,000, got nan",
    ),
    "a cost without end": (
        lambda f: change_config(f, decode={"repeat_cost": math.inf}),
        "repeat_cost must be a number from -1,000,000 to 1,000,000, got inf",
    ),
    "a cost that pays": (
        lambda f: change_config(f, decode={"empty_delete_cost": -1.0}),
        "empty_delete_cost must be 0 or more, got -1.0",
    ),
    "more than certain": (
        lambda f: change_config(f, decode={"stay_probability": 1.5}),
        "stay_probability must be at most 1, got 1.5",
    ),
    "a beam of words": (
        lambda f: change_config(f, decode={"beam": "8"}),
        "beam must be a whole number of at least 1, got '8'",
    ),
    "a negative beam": (
        lambda f: change_config(f, decode={"beam": -8}),
        "beam must be a whole number of at least 1, got -8",
    ),
    "a negative window": (
        lambda f: change_config(f, max_length=-512),
        "max_length must be a whole number of at least 3, got -512",
    ),
    "a broken window": (
        lambda f: change_config(f, max_length=math.nan),
        "max_length must be a whole number of at least 3, got nan",
    ),
    "negative topics": (
        lambda f: change_config(f, topic_turns=-1),
        "topic_turns must be a whole number of at least 0, got -1",
    ),
    "no language": (lambda f: change_config(f, language=None), "language must be a string, got None"),
    "brackets without end": (lambda f: (f / "config.json").write_text("[" * 100_000), "must be JSON, but"),
    "checksums that are none": (
        lambda f: change_config(f, files={"rules.json": 5}),
        '"files" must be an object of names and checksums',
    ),
    "a link out of the folder": (
        lambda f: (f / "rules.json").symlink_to((f / "rules.json").rename(f.parent / "elsewhere")),
        r"rules\.json: a model's files must be in its folder, but this is a link to elsewhere; copy the file",
    ),
}
ELSEWHERE = (
    "/etc/passwd",
    "../other/rules.json",
    "..",
    ".",
    "",
    "a/b",
    "a\\b",
    "C:\\boot.ini",
    "C:boot.ini",
    "~",
    "a\0b",
)
FAULTS |= {
    f"a file at {name!r}": (
        lambda f, name=name: change_config(f, files={name: "0" * 64}),  # type: ignore[misc]
        f'"files" must name files in the same folder, got {re.escape(repr(name))}',
    )
    for name in ELSEWHERE
}


@pytest.mark.parametrize(("spoil", "problem"), FAULTS.values(), ids=FAULTS)
def test_a_folder_with_a_fault_is_refused_and_never_breaks_a_chat(
    folder: Path, copied: Path, spoil: Callable[[Path], object], problem: str
) -> None:
    late = Rewriter(Rewriter.load(copied).models)  # knows the folder, and reads it when first needed
    config = (copied / "config.json").read_bytes()
    spoil(copied)
    with pytest.raises(ModelError, match=problem):
        Rewriter.load(copied)
    if not (copied / "config.json").exists() or (copied / "config.json").read_bytes() != config:
        assert late.rewrite(DIALOGUES[0]).error is None  # it knows the config already
        return
    result = late.rewrite(DIALOGUES[0], fail_open=True)
    assert (result.text, result.changed) == (DIALOGUES[0].source.text, False)
    assert isinstance(result.error, ModelError)
    with pytest.raises(ModelError, match=problem):
        late.rewrite(DIALOGUES[0])


def test_files_that_the_hubs_cache_links_to_are_read(copied: Path, tmp_path: Path) -> None:
    blobs, snapshot = tmp_path / "blobs", tmp_path / "snapshots" / "3f2a"
    blobs.mkdir()
    snapshot.mkdir(parents=True)
    for file in copied.iterdir():
        (snapshot / file.name).symlink_to(file.rename(blobs / f"digest-{file.name}"))
    assert Rewriter.load(snapshot).rewrite(DIALOGUES[0]).error is None


def test_a_failure_while_running_is_ours_and_can_be_let_pass(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rewriter = Rewriter.load(folder)
    model = rewriter._load(rewriter.models[0], one_core=False)
    assert isinstance(model, Model)

    class Broken:
        def run(self, *_: object) -> object:
            raise RuntimeError("out of memory\nat node 7")

    monkeypatch.setattr(model.scorer._tagger, "_session", Broken())  # type: ignore[attr-defined]
    with pytest.raises(ModelError, match="onnxruntime says: out of memory; export"):
        rewriter.rewrite(DIALOGUES[0])
    result = rewriter.rewrite(DIALOGUES[0], fail_open=True)
    assert (result.text, type(result.error)) == (DIALOGUES[0].source.text, ModelError)


def test_a_folder_of_torch_weights_is_read_with_torch(encoder_folder: Path, rewriter: Rewriter, tmp_path: Path) -> None:
    from tests.networks.models import untrained

    untrained("hct", encoder_folder).save_pretrained(tmp_path)
    torch_rewriter = Rewriter.load(tmp_path)
    assert [torch_rewriter.rewrite(each).text for each in DIALOGUES] == [rewriter.rewrite(d).text for d in DIALOGUES]
    assert list(torch_rewriter.rewrite_many(DIALOGUES[:4])) == [torch_rewriter.rewrite(d) for d in DIALOGUES[:4]]


def test_torch_weights_without_torch_name_the_extra(
    encoder_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.networks.models import untrained

    untrained("hct", encoder_folder).save_pretrained(tmp_path)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"utterly\[train\]"):
        Rewriter.load(tmp_path)


def test_a_name_that_is_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"xx: there is no such folder; .*, or a bundled model: en, zh"):
        Rewriter.load("xx")
    with pytest.raises(ModelError, match="there is no such folder"):
        Rewriter.load(tmp_path / "nowhere")


def test_what_cannot_name_a_model_is_refused_with_what_can(folder: Path) -> None:
    for odd in (5, b"en", ["en"], "", " ", True):
        with pytest.raises(ModelError) as refused:
            Rewriter.load(odd)  # type: ignore[arg-type]
        assert str(refused.value) == (
            f"a model must be named by a string or a path, got {odd!r}; "
            "give a model's folder, or its name on the hub, or a bundled model: en, zh"
        )
    with pytest.raises(
        ModelError, match=r"tagger\.onnx: a model must be a folder, but this is a file; give the folder"
    ):
        Rewriter.load(folder / "tagger.onnx")


@pytest.mark.parametrize("models", [[], "en", ["en"]])
def test_a_rewriter_made_of_anything_but_folders_says_how_to_load_one(models: Any) -> None:
    with pytest.raises(RewriterError, match=r"needs model folders, got .*; use Rewriter\.load"):
        Rewriter(models)


def test_a_rewriter_says_what_it_is(folder: Path) -> None:
    assert repr(Rewriter.load(folder, threads=2)) == f"<Rewriter of {folder.name}; threads=2, device='cpu'>"


def pickled_and_back(rewriter: Rewriter) -> Rewriter:
    back = pickle.loads(pickle.dumps(rewriter))  # noqa: S301 - our own
    assert isinstance(back, Rewriter)
    return back


def test_a_rewriter_is_copied_and_pickled_without_what_is_loaded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent)
    rewriter = Rewriter.load(folder.name, threads=1)
    expected = [rewriter.rewrite(dialogue) for dialogue in DIALOGUES]
    monkeypatch.chdir("/")  # the copy may be opened anywhere
    for copy in (deepcopy(rewriter), shallow_copy(rewriter), pickled_and_back(rewriter)):
        assert copy._loaded == {}
        assert repr(copy) == repr(rewriter)
        assert copy.models == rewriter.models
        assert [copy.rewrite(dialogue) for dialogue in DIALOGUES] == expected
        assert [name for name, _ in copy._loaded] == [folder.name]


def test_another_process_answers_as_this_one_does(rewriter: Rewriter) -> None:
    expected = [rewriter.rewrite(dialogue) for dialogue in DIALOGUES[:2]]
    with get_context("spawn").Pool(1) as pool:
        assert pool.map(rewriter.rewrite, DIALOGUES[:2]) == expected


@pytest.mark.skipif(not bundled_folders(), reason="no model is bundled with this checkout")
def test_bundled_models_are_pickled_as_their_names() -> None:
    rewriter = Rewriter.load()
    assert str(rewriter.models[0].path).encode() not in pickle.dumps(rewriter)  # elsewhere in another installation
    assert pickled_and_back(rewriter).models == rewriter.models


def bundle(monkeypatch: pytest.MonkeyPatch, **folders: Path) -> None:
    for module in ("rewriter", "model.folder"):
        monkeypatch.setattr(f"utterly.{module}.bundled_folders", lambda: folders)


def test_without_bundled_models_loading_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    bundle(monkeypatch)
    with pytest.raises(ModelError, match="this installation has no bundled models; install Utterly again"):
        Rewriter.load()


def test_bundled_models_are_chosen_by_the_language_and_read_when_needed(
    folder: Path, copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_config(copied, language="zh")
    bundle(monkeypatch, en=folder, zh=copied)
    rewriter = Rewriter.load()
    assert [info.name for info in rewriter.models] == ["en", "zh"]
    assert rewriter.rewrite(["who is anna ?", "where was she born ?"]).model == "en"
    assert [name for name, _ in rewriter._loaded] == ["en"]
    assert rewriter.rewrite(["谁是安娜？", "她在哪里出生？"]).model == "zh"
    assert rewriter.rewrite(Dialogue.of(["who is anna ?", "where was she born ?"], language="en-US")).model == "en"


def test_a_language_that_no_model_knows_is_left_alone_unless_a_model_is_named(
    folder: Path, copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_config(copied, language="zh")
    bundle(monkeypatch, en=folder, zh=copied)
    result = Rewriter.load().rewrite(["Wer ist Anna?", "Wo wurde sie geboren?"])
    assert (result.text, result.changed, result.model, result.language) == ("Wo wurde sie geboren?", False, "", "de")
    assert result.confidence == 0
    assert result.reason == ("the language is 'de', and the models know en, zh; name a model to use it anyway")
    named = Rewriter.load("en").rewrite(["Wer ist Anna?", "Wo wurde sie geboren?"])
    assert (named.model, named.reason, named.language) == ("en", None, "de")
    assert Rewriter.load().rewrite(["Wo wurde sie geboren?"]).reason == FIRST_TURN
    assert Rewriter.load("zh").rewrite(["who is anna ?", "where was she born ?"]).model == "zh"


CONVERSATIONS = st.one_of(
    st.lists(TEXTS, min_size=1, max_size=4),
    st.lists(TEXTS, min_size=1, max_size=4).map(lambda turns: [{"role": "user", "content": turn} for turn in turns]),
    st.lists(TEXTS, min_size=1, max_size=4).map(lambda turns: [("human", turn) for turn in turns]),
    st.lists(st.none() | st.integers() | TEXTS | st.dictionaries(TEXTS, TEXTS), max_size=4),
)


@given(CONVERSATIONS, st.sampled_from([OSError, KeyError, RecursionError, MemoryError, ModelError, ValueError]))
def test_whatever_comes_and_whatever_fails_fail_open_gives_the_last_user_text(
    folder: Path, conversation: Any, fault: type[Exception]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise fault("by the test")

    source = last_user_text(conversation)
    rewriter = loaded(folder)
    assert rewriter.rewrite(conversation, fail_open=True).source == source
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rewriter, "_load", fail)
        patch.setattr("utterly.rewriter.dialogue_from", fail)
        (result,) = rewriter.rewrite_many([conversation], fail_open=True)
        with pytest.raises(fault):
            rewriter.rewrite(conversation)
    assert (result.text, result.source, result.confidence) == (source, source, 0.0)
    assert isinstance(result.error, UtterlyError)
    assert fault in (type(result.error), type(result.error.__cause__))


def test_a_thread_may_be_all_there_is(folder: Path, rewriter: Rewriter) -> None:
    alone = Rewriter.load(folder, threads=1)
    assert list(alone.rewrite_many(DIALOGUES)) == [rewriter.rewrite(dialogue) for dialogue in DIALOGUES]
    assert len(alone._loaded) == 1  # what runs side by side is what runs alone


def test_a_new_process_loads_and_rewrites_without_torch(folder: Path) -> None:
    program = (
        "import sys; from utterly import Rewriter;"
        f"result = Rewriter.load({str(folder)!r}).rewrite(['who is anna ?', 'where was she born ?']);"
        "print(result.error, sorted({'torch', 'transformers', 'onnx'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["None", "[]"]


@pytest.mark.parametrize(("n_best", "asked"), [(1, 1), (2, 8), (8, 8), (11, 11)])
def test_more_scripts_are_asked_for_than_rewrites_as_several_may_read_alike(
    folder: Path, n_best: int, asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rewriter = Rewriter.load(folder)
    model = rewriter._load(rewriter.models[0], one_core=False)
    wanted: list[int] = []
    scripts = Model.scripts

    def noted(self: Model, dialogue: Dialogue, n: int = 1) -> list[ScoredScript]:
        wanted.append(n)
        return scripts(self, dialogue, n)

    monkeypatch.setattr(Model, "scripts", noted)
    rewriter.rewrite(DIALOGUES[0], n_best=n_best)
    assert model.config.decode.beam == 8
    assert wanted == [asked]
