"""Batches: dialogues together say what each says by itself."""

from pathlib import Path

import pytest
import torch

from tests import tiny
from tests.networks.models import KINDS, untrained
from utterly.dialogues.dialogue import Dialogue
from utterly.model.decode import DecodeSettings, Query, TagScores, wanted_queries
from utterly.model.spans import FoundSpans
from utterly.networks.torch_scorer import TorchScorer, collate, found_spans, tag_scores

DIALOGUES = [
    *(each.script.dialogue for each in tiny.labels()[:5]),
    Dialogue.of(["where ?"]),
    Dialogue.of(["", "where was he born in paris ?"]),
    Dialogue.of(["who is anna ?", ""]),
]


@torch.no_grad()
@pytest.mark.parametrize("kind", KINDS)
def test_padding_changes_no_score(encoder_folder: Path, kind: str) -> None:
    model = untrained(kind, encoder_folder)
    pieces = [model.encoder.encode(dialogue) for dialogue in DIALOGUES]

    def answers(some: list[int]) -> tuple[list[TagScores], list[dict[Query, FoundSpans]]]:
        chosen = [pieces[i] for i in some]
        tags = model.tagger.tag(collate(chosen))
        scores = tag_scores(tags, chosen)
        wanted = [[Query(w, 1) for w in range(len(p.source))] if len(p.context) > 1 else [] for p in chosen]
        return scores, found_spans(model.tagger, tags, chosen, wanted, DecodeSettings())

    together_scores, together_spans = answers([*range(len(DIALOGUES))])
    for i in range(len(DIALOGUES)):
        (alone,), (spans,) = answers([i])
        together = together_scores[i]
        assert together.actions == pytest.approx(alone.actions, abs=1e-4)
        assert (together.rules is None) == (alone.rules is None) == (kind != "hct")
        if alone.rules is not None:
            assert together.rules == pytest.approx(alone.rules, abs=1e-4)
        for query, found in spans.items():
            other = together_spans[i][query]
            assert other.stops == pytest.approx(found.stops, abs=1e-3)
            for slot, same in zip(found.pairs, other.pairs, strict=True):
                assert [pair.log_probability for pair in slot] == pytest.approx([p[0] for p in same], abs=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_rewrites_do_not_hang_on_the_batch(encoder_folder: Path, kind: str) -> None:
    model = untrained(kind, encoder_folder)
    by_size = [[best[0].script for best in model.predict(DIALOGUES, batch_size=size)] for size in (1, 3, 64)]
    assert by_size[0] == by_size[1] == by_size[2]
    assert [script.dialogue for script in by_size[0]] == DIALOGUES
    assert any(script.changes for script in by_size[0])


@pytest.mark.parametrize("kind", KINDS)
def test_a_context_without_words_is_never_asked_for_spans(
    encoder_folder: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = untrained(kind, encoder_folder)
    asked: list[object] = []
    monkeypatch.setattr(model.tagger, "spans", lambda tags, queries: asked.append((tags, queries)))
    eager = DecodeSettings(null_bias=50.0)
    dialogues = [Dialogue.of(["where ?"]), Dialogue.of(["", " ", "where ?"])]
    pieces = [model.encoder.encode(dialogue) for dialogue in dialogues]
    scripts = TorchScorer(model.tagger).decode(dialogues, pieces, tiny.BOOK, eager)
    assert asked == []
    assert [edit.spans for best in scripts for edit in best[0].script.edits] == [()] * 6


@torch.no_grad()
def test_only_words_whose_rule_has_slots_are_asked_about_in_hct(encoder_folder: Path) -> None:
    model = untrained("hct", encoder_folder)
    pieces = model.encoder.encode(DIALOGUES[0])
    (scores,) = tag_scores(model.tagger.tag(collate([pieces])), [pieces])
    queries = wanted_queries(pieces, scores, tiny.BOOK, DecodeSettings())
    assert all(tiny.BOOK.slots[query.rule] for query in queries)
    assert wanted_queries(pieces, scores, tiny.BOOK, DecodeSettings(null_bias=-99.0)) == []
