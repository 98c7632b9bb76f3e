"""200 hostile conversations through Python, the command line and HTTP: an answer to each, and no harm in any."""

import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.hostile import COUNT, Hostile, conversations
from utterly import Rewrite, Rewriter
from utterly.dialogues.conversation import last_user_text
from utterly.dialogues.dialogue import split_words
from utterly.model.folder import bundled_folders

CONVERSATIONS = conversations()
MARKUP = re.compile(r"[*`|\[\]<>{}\\]|https?:|&#?\w+;|^\s*[-+#]\s|~~|___|---|\$\$|\n|\w{41}")
MOST_CHARACTERS = 100_000  # of a request, by default
REFUSED = {400, 413, 422}
pytestmark = pytest.mark.skipif(set(bundled_folders()) != {"en", "zh"}, reason="no model is bundled with this checkout")


@pytest.fixture(scope="module")
def rewriter() -> Rewriter:
    return Rewriter.load()


@pytest.fixture(scope="module")
def answers(rewriter: Rewriter) -> list[tuple[Hostile, Rewrite]]:
    """What Python answers: an exception would end every test here."""
    return [(each, rewriter.rewrite(each.conversation, fail_open=True, n_best=2)) for each in CONVERSATIONS]


def test_they_are_two_hundred_and_the_same_each_time() -> None:
    assert len(CONVERSATIONS) == len({each.name for each in CONVERSATIONS}) == COUNT
    again = conversations()
    assert [(each.name, each.in_json()) for each in again] == [(each.name, each.in_json()) for each in CONVERSATIONS]
    assert len({each.unsupported for each in CONVERSATIONS if each.unsupported}) >= 20


def test_every_answer_is_about_the_last_user_turn_and_is_whole(answers: list[tuple[Hostile, Rewrite]]) -> None:
    for hostile, answer in answers:
        assert answer.source == last_user_text(hostile.conversation), hostile.name
        assert answer.error is None or not answer.changed, hostile.name
        assert 0 <= answer.confidence <= 1, hostile.name
        assert json.dumps(answer.to_json()), hostile.name
        assert answer.explain(), hostile.name


def inserted(answer: Rewrite) -> Iterator[str]:
    """What a rewrite inserts; what is copied of a turn is the turn itself, if there is nothing else in it."""
    context = answer.script.dialogue.context if answer.script else ()
    for edit in answer.edits:
        if not edit.spans or any(context[span.turn].text.strip() != span.text for span in edit.spans):
            yield edit.inserted


def test_nothing_inserted_has_markup(answers: list[tuple[Hostile, Rewrite]]) -> None:
    assert [(each.name, text) for each, answer in answers for text in inserted(answer) if MARKUP.search(text)] == []


def test_nothing_inserted_has_characters_that_a_terminal_or_a_page_obeys(
    answers: list[tuple[Hostile, Rewrite]],
) -> None:
    def obeyed(character: str) -> bool:
        turns = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}  # the direction of what follows
        return unicodedata.category(character) == "Cc" or unicodedata.bidirectional(character) in turns

    assert [(each.name, text) for each, answer in answers for text in inserted(answer) if any(map(obeyed, text))] == []


def test_a_rewrite_is_still_the_askers_question(answers: list[tuple[Hostile, Rewrite]]) -> None:
    def kept(answer: Rewrite) -> float:
        words = [word.text for word in split_words(answer.source) if word.text[0].isalnum()]
        gone = [edit.text for edit in answer.edits if edit.deleted and edit.text and edit.text[0].isalnum()]
        return 1 - len(gone) / len(words) if len(words) >= 3 else 1.0

    assert [(each.name, answer.text) for each, answer in answers if answer.changed and kept(answer) < 0.33] == []


def test_a_language_that_no_model_knows_stays_with_a_reason(answers: list[tuple[Hostile, Rewrite]]) -> None:
    unknown = [(each, answer) for each, answer in answers if each.unsupported]
    assert [(each.name, answer.text) for each, answer in unknown if answer.changed] == []
    assert [each.name for each, answer in unknown if not answer.reason or answer.language in ("en", "zh")] == []


def test_what_was_answered_with_no_is_not_asserted(answers: list[tuple[Hostile, Rewrite]]) -> None:
    asked = {each.denied.rstrip("?").lower(): answer.text for each, answer in answers if each.denied}
    assert [text for question, text in asked.items() if question in text.lower()] == []


def test_the_command_line_answers_as_python_does(
    utterly: CommandLine, answers: list[tuple[Hostile, Rewrite]], tmp_path: Path
) -> None:
    rows = {each.name: (row, answer) for each, answer in answers if (row := each.in_json()) is not None}
    lines = [json.dumps({**json.loads(row), "name": name}) for name, (row, _) in rows.items()]
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    command = ["rewrite", "--input", tmp_path / "in.jsonl", "--output", tmp_path / "out.jsonl", "--skip-bad"]
    status, out, error = utterly(*command)
    found = [json.loads(line) for line in (tmp_path / "out.jsonl").read_bytes().splitlines()]
    bad = {name for name, (_, answer) in rows.items() if answer.error}
    assert (status, out) == (0, f"wrote {len(found)} rewrites to {tmp_path / 'out.jsonl'}\n")
    assert error.startswith(f"skipped {len(bad)} bad record(s)")
    assert {row["name"]: row["rewrite"] for row in found} == {
        name: answer.text for name, (_, answer) in rows.items() if name not in bad
    }


def test_a_server_answers_as_python_does_or_says_what_is_wrong(
    rewriter: Rewriter, answers: list[tuple[Hostile, Rewrite]]
) -> None:
    pytest.importorskip("fastapi")
    from starlette.testclient import TestClient

    from utterly.server.app import create_app
    from utterly.server.settings import ServerSettings

    with TestClient(create_app(ServerSettings(), rewriter=rewriter), raise_server_exceptions=True) as client:
        for hostile, answer in answers:
            if (body := hostile.in_json()) is None:
                continue
            response = client.post("/v1/rewrite", content=body, headers={"Content-Type": "application/json"})
            if answer.error or len(body) > MOST_CHARACTERS or hostile.name.endswith("size: turns"):
                assert response.status_code in REFUSED, hostile.name
                assert response.json()["detail"], hostile.name
            else:
                assert response.status_code == 200, (hostile.name, response.json())
                assert response.json()["text"] == answer.text, hostile.name
