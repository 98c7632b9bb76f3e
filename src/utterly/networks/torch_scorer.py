"""A torch tagger that answers in numpy: the border between the network and the decoder."""

from collections.abc import Sequence

import torch

from utterly.dialogues.dialogue import Dialogue
from utterly.errors import ModelError
from utterly.model import scores as levels
from utterly.model.decode import DecodeSettings, Query, ScoredScript, TagScores
from utterly.model.encode import Indices, Pieces
from utterly.model.scores import SecondLevel, SpanScores
from utterly.model.spans import FoundSpans
from utterly.networks.layers import Batch
from utterly.networks.tagger import Queries, Tagger, Tags
from utterly.rules.book import RuleBook


def collate(pieces: Sequence[Pieces]) -> Batch:
    """Dialogues of different lengths as one batch, padded with zeros."""
    return Batch(*map(torch.from_numpy, levels.batch_of(pieces)))


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
    scores, second = tag_scores(tags, pieces), _second_level(tagger, tags)
    return levels.scripts_from_scores(dialogues, pieces, scores, second, book, settings, n=n)


def tag_scores(tags: Tags, pieces: Sequence[Pieces]) -> list[TagScores]:
    """The first level's answer for each dialogue."""
    actions = tags.action_logits.float().log_softmax(-1).cpu().numpy()
    rules = None if tags.rule_logits is None else tags.rule_logits.float().log_softmax(-1).cpu().numpy()
    return levels.tag_scores(actions, rules, pieces)


def found_spans(
    tagger: Tagger,
    tags: Tags,
    pieces: Sequence[Pieces],
    wanted: Sequence[Sequence[Query]],
    settings: DecodeSettings,
) -> list[dict[Query, FoundSpans]]:
    """The second level's answer for each query of each dialogue."""
    return levels.found_spans(pieces, wanted, _second_level(tagger, tags), settings)


def _second_level(tagger: Tagger, tags: Tags) -> SecondLevel:
    def answer(rows: Indices) -> SpanScores:
        numbers = torch.from_numpy(rows).to(tags.action_logits.device)
        logits = tagger.spans(tags, Queries(*numbers.unbind(dim=1)))
        start, end = (each.float().log_softmax(-1).cpu().numpy() for each in (logits.start, logits.end))
        return SpanScores(start, end)

    return answer
