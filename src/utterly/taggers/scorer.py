"""A torch tagger that answers in numpy: the border between the network and the decoder."""

from collections.abc import Sequence

import torch

from utterly.decode import (
    DecodeSettings,
    FoundSpans,
    Query,
    ScoredScript,
    TagScores,
    best_scripts,
    best_spans,
    wanted_queries,
)
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import ModelError
from utterly.pieces import Pieces
from utterly.rules.book import RuleBook
from utterly.taggers.layers import Batch, padded
from utterly.taggers.tagger import Queries, Tagger, Tags


def collate(pieces: Sequence[Pieces]) -> Batch:
    """Dialogues of different lengths as one batch, padded with zeros."""
    ids, mask = padded([torch.from_numpy(p.ids) for p in pieces])
    types, _ = padded([torch.from_numpy(p.types) for p in pieces])
    source, source_mask = padded([torch.from_numpy(p.source) for p in pieces])
    context, context_mask = padded([torch.from_numpy(p.context) for p in pieces])
    return Batch(ids, types, mask, source, source_mask, context, context_mask)


def usable_device(name: str) -> str:
    """The device itself, if torch can use it here."""
    try:
        torch.empty(0, device=name)
    except (AssertionError, NotImplementedError, RuntimeError) as failure:
        reason = str(failure).strip().splitlines()[0]
        raise ModelError(
            f"a device must be one that torch can use here, but {name!r} is not: {reason}; use cpu"
        ) from None
    return name


class TorchScorer:
    """Runs both levels of a tagger on batches of dialogues."""

    def __init__(self, tagger: Tagger, device: torch.device | str = "cpu") -> None:
        self.tagger, self.device = tagger.eval(), device

    @torch.no_grad()
    def decode(
        self,
        dialogues: Sequence[Dialogue],
        pieces: Sequence[Pieces],
        book: RuleBook,
        settings: DecodeSettings,
        *,
        n: int = 1,
    ) -> list[list[ScoredScript]]:
        """The `n` best scripts of each dialogue."""
        tags = self.tagger.tag(collate(pieces).to(self.device))
        return scripts_from_tags(self.tagger, tags, dialogues, pieces, book, settings, n=n)


@torch.no_grad()
def scripts_from_tags(
    tagger: Tagger,
    tags: Tags,
    dialogues: Sequence[Dialogue],
    pieces: Sequence[Pieces],
    book: RuleBook,
    settings: DecodeSettings,
    *,
    n: int = 1,
) -> list[list[ScoredScript]]:
    """The `n` best scripts of each dialogue whose words are tagged already."""
    scores = tag_scores(tags, pieces)
    wanted = [wanted_queries(p, each, book, settings) for p, each in zip(pieces, scores, strict=True)]
    spans = found_spans(tagger, tags, pieces, wanted, settings)
    each = zip(dialogues, pieces, scores, spans, strict=True)
    return [best_scripts(d, p, tagged, found, book, settings, n=n) for d, p, tagged, found in each]


def tag_scores(tags: Tags, pieces: Sequence[Pieces]) -> list[TagScores]:
    """The first level's answer for each dialogue."""
    actions = tags.action_logits.float().log_softmax(-1).cpu().numpy()
    rules = None if tags.rule_logits is None else tags.rule_logits.float().log_softmax(-1).cpu().numpy()
    sizes = [len(p.source) for p in pieces]
    return [TagScores(actions[i, :size], None if rules is None else rules[i, :size]) for i, size in enumerate(sizes)]


def found_spans(
    tagger: Tagger,
    tags: Tags,
    pieces: Sequence[Pieces],
    wanted: Sequence[Sequence[Query]],
    settings: DecodeSettings,
) -> list[dict[Query, FoundSpans]]:
    """The second level's answer for each query of each dialogue."""
    rows = [(i, query.word, query.rule) for i, queries in enumerate(wanted) for query in queries]
    if not rows:
        return [{} for _ in wanted]
    numbers = torch.tensor(rows, device=tags.action_logits.device)
    logits = tagger.spans(tags, Queries(numbers[:, 0], numbers[:, 1], numbers[:, 2]))
    start = logits.start.float().log_softmax(-1).cpu().numpy()
    end = logits.end.float().log_softmax(-1).cpu().numpy()
    found, at = [], 0
    for p, queries in zip(pieces, wanted, strict=True):
        here, size = slice(at, at + len(queries)), len(p.context)
        spans = best_spans(p, start[here, :, :size], end[here, :, :size], settings) if queries else []
        found.append(dict(zip(queries, spans, strict=True)))
        at += len(queries)
    return found
