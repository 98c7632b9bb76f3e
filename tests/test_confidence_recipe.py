"""The dialogues that the confidence of the English model is fitted to."""

import gzip
import json
from pathlib import Path

from recipes.confidence import dialogues


def save(path: Path, *rows: dict[str, object]) -> Path:
    path.parent.mkdir(exist_ok=True)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def test_every_source_gives_context_source_and_target(tmp_path: Path) -> None:
    asked = {"history": ["who is anna ?", "a singer ."], "utterance": "is she here ?"}
    wild = tmp_path / "wild"
    save(wild / "cast2021.jsonl.gz", {**asked, "rewrite": "cast"})
    save(
        wild / "ikat2023_test.jsonl.gz",
        {**asked, "rewrite": "mine", "needs_persona": True},
        {**asked, "rewrite": "ikat"},
    )
    save(wild / "mtrag_dev.jsonl.gz", {**asked, "llm_rewrite": "mtrag"}, {**asked, "llm_rewrite": None})
    save(wild / "coqar_sample.jsonl.gz", {**asked, "rewrites": ["coqar", "other"]})
    held = save(tmp_path / "held.jsonl", {**asked, "history": ["Title", "Part", "who ?", "anna ."], "rewrite": "held"})
    chats = save(tmp_path / "chats.jsonl", {**asked, "rewrite": "chat"})
    found = list(dialogues(tmp_path, held, chats))
    assert [target for _, _, target in found[:3]] == ["cast", "ikat", "mtrag"]
    assert found[-3:] == [
        (asked["history"], asked["utterance"], "chat"),
        (asked["history"], asked["utterance"], "coqar"),
        (["who ?", "anna ."], "is she here ?", "held"),
    ]
    assert len(found) > 70  # the chats that choose, too
