"""Eqs. 8 and 9: REINFORCE with sentence BLEU, and the greedy script as its baseline.

Actions, rules and spans are all sampled: a span's start from the start distribution, its end from the end distribution
among the ends that form a span with that start. The reward is sentence BLEU-4 on case-folded words, with smoothing
method 2 of Chen and Cherry (one match and one n-gram more in every order above 1).
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from utterly.metrics.bleu import sentence_bleu
from utterly.model.encode import STOP
from utterly.networks.tagger import Queries, Tags
from utterly.networks.torch_model import TorchModel
from utterly.networks.torch_scorer import decode_batch, scores_of
from utterly.scripts.edits import Edit, EditScript, Rule
from utterly.training.data import Ends, Example
from utterly.training.dev_scores import rewrite_and_target

_EQUAL: Final = 1e-9


def policy_loss(
    model: TorchModel, tags: Tags, examples: Sequence[Example], *, rng: torch.Generator, scaling: str = "common"
) -> Tensor:
    """-w log p(sampled script), averaged over the dialogues of a batch."""
    sampled, log_probs = sample_scripts(model, tags, examples, rng=rng)
    dialogues, pieces = [example.dialogue for example in examples], [example.pieces for example in examples]
    best = decode_batch(model.decoder, dialogues, pieces, scores_of(model.tagger, tags, pieces))
    greedy = [scripts[0].script for scripts in best]
    weights = reward_weights(rewards(sampled), rewards(greedy), scaling=scaling)
    return -(torch.from_numpy(weights).to(log_probs) * log_probs).mean()


def rewards(scripts: Sequence[EditScript]) -> NDArray[np.float64]:
    """Sentence BLEU-4 of each script's rewrite against its target: (scripts,), 0 to 1."""
    rewrites, targets = zip(*map(rewrite_and_target, scripts), strict=True)
    return sentence_bleu(rewrites, targets)


def reward_weights(
    sampled: NDArray[np.float64], greedy: NDArray[np.float64], *, scaling: str = "common"
) -> NDArray[np.float64]:
    """w of Eq. 8: how much better a sample is than the greedy script, scaled within the batch.

    "common" scales both rewards by the batch's range to 0..1, and subtracts. "literal" scales the differences to 0..1,
    as the paper can be read: then no weight is negative, and the baseline has no effect.
    """
    differences = sampled - greedy
    if scaling == "literal":
        differences -= differences.min()
        width = differences.max()
    else:
        width = max(sampled.max(), greedy.max()) - min(sampled.min(), greedy.min())
    # If all are equal but for rounding, the batch prefers no sample, and there is no range to scale by.
    return differences / width if width > _EQUAL else np.zeros_like(differences)


class _SlottedWord(NamedTuple):
    """A source word whose spans are sampled."""

    dialogue: int
    word: int
    rule: int


def sample_scripts(
    model: TorchModel, tags: Tags, examples: Sequence[Example], *, rng: torch.Generator
) -> tuple[list[EditScript], Tensor]:
    """A script for each dialogue, sampled from the tagger, and its log probability, (batch,)."""
    tagger, book, device = model.tagger, model.book, tags.action_logits.device
    sizes = torch.tensor([[len(example.pieces.source)] for example in examples], device=device)
    has_context = [len(example.pieces.context) > 1 for example in examples]
    place = torch.arange(tags.action_logits.shape[1], device=device)

    action_log_probs = tags.action_logits.float().log_softmax(-1)  # (batch, source, 2)
    keep = draw(action_log_probs, rng)  # (batch, source)
    is_word = place < sizes - 1  # the end has no action
    total = (_picked(action_log_probs, keep) * is_word).sum(-1)  # (batch,)
    rules = torch.zeros_like(keep)
    if tags.rule_logits is not None:
        slotted = torch.tensor([slots > 0 for slots in book.slots], device=device)
        unfillable = ~torch.tensor(has_context, device=device)[:, None, None] & slotted  # (batch, 1, rules)
        rule_log_probs = tags.rule_logits.float().masked_fill(unfillable, float("-inf")).log_softmax(-1)
        rules = draw(rule_log_probs, rng)
        total = total + _picked(rule_log_probs, rules).masked_fill(place >= sizes, 0.0).sum(-1)

    keeps, numbers = keep.masked_fill(~is_word, 1).tolist(), rules.tolist()
    words = [
        _SlottedWord(d, w, numbers[d][w])
        for d, example in enumerate(examples)
        if has_context[d]
        for w in range(len(example.gold))
        if tagger.stops or book.slots[numbers[d][w]]
    ]
    spans: dict[tuple[int, int], list[Ends]] = {}
    if words:
        spans, span_log_probs = _sample_spans(model, tags, examples, words, rng)
        total = total.index_add(0, torch.tensor([word.dialogue for word in words], device=device), span_log_probs)

    scripts = []
    for d, example in enumerate(examples):
        edits = []
        for w in range(len(example.gold)):
            found = tuple(example.pieces.span_at(*ends) for ends in spans.get((d, w), ()))
            rule = Rule.glue(len(found)) if tagger.stops else book.rules[numbers[d][w]]
            edits.append(Edit(bool(keeps[d][w]), rule, found))
        scripts.append(EditScript(example.dialogue, tuple(edits)))
    return scripts, total


def _sample_spans(
    model: TorchModel, tags: Tags, examples: Sequence[Example], words: Sequence[_SlottedWord], rng: torch.Generator
) -> tuple[dict[tuple[int, int], list[Ends]], Tensor]:
    """The ends of the spans sampled for each word, and their log probability, (words,)."""
    tagger, device = model.tagger, tags.action_logits.device
    logits = tagger.spans(tags, Queries(*torch.tensor(words, device=device).unbind(dim=1)))
    turns = _turns(examples, words, logits.start.shape[-1]).to(device)  # (words, context)
    index = torch.arange(turns.shape[1], device=device)
    slots = [tagger.max_slots if tagger.stops else model.book.slots[word.rule] for word in words]
    wanted = torch.tensor(slots, device=device)
    total = torch.zeros(len(words), device=device)
    spans: dict[tuple[int, int], list[Ends]] = {(word.dialogue, word.word): [] for word in words}
    going = torch.ones(len(words), dtype=torch.bool, device=device)
    for slot in range(tagger.max_slots):
        going = going & (slot < wanted)
        start_log_probs = logits.start[:, slot].float().log_softmax(-1)
        start = draw(start_log_probs, rng)  # (words,)
        same_turn = turns == turns.gather(1, start.unsqueeze(1))
        near = (index >= start.unsqueeze(1)) & (index < start.unsqueeze(1) + model.config.decode.max_span_words)
        end_logits = logits.end[:, slot].float().masked_fill(~(same_turn & near), float("-inf"))
        end_log_probs = end_logits.log_softmax(-1)
        end = draw(end_log_probs, rng)
        picked = _picked(start_log_probs, start) + _picked(end_log_probs, end)
        total = total + picked.masked_fill(~going, 0.0)
        going = going & (start != STOP)
        for word, first, last, goes in zip(words, start.tolist(), end.tolist(), going.tolist(), strict=True):
            if goes:
                spans[word.dialogue, word.word].append((first, last))
    return spans, total


def _turns(examples: Sequence[Example], words: Sequence[_SlottedWord], width: int) -> Tensor:
    """The turn of each context index, -1 for the stop symbol and -2 for padding: (words, context)."""
    rows = np.full((len(examples), width), -2)
    for d, example in enumerate(examples):
        rows[d, : len(example.pieces.turns)] = example.pieces.turns
    return torch.from_numpy(rows[[word.dialogue for word in words]])


def _picked(log_probs: Tensor, index: Tensor) -> Tensor:
    """The log probability of an index along the last axis."""
    return log_probs.gather(-1, index.unsqueeze(-1)).squeeze(-1)


def draw(log_probs: Tensor, rng: torch.Generator) -> Tensor:
    """Sample an index along the last axis, on the CPU: a seed gives the same result on any device."""
    flat = log_probs.detach().exp().flatten(end_dim=-2).cpu()
    return torch.multinomial(flat, 1, generator=rng).view(log_probs.shape[:-1]).to(log_probs.device)
