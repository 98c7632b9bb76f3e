"""Eqs. 8 and 9: REINFORCE with sentence BLEU, and the greedy script as its baseline.

Actions, rules and spans are all sampled. A span's start is drawn from the start distribution, its end from the
end distribution among the ends that make a span with that start. The reward is sentence BLEU-4 with smoothing
method 2 of Chen and Cherry (one match and one n-gram more in every order above 1), on words without casing.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from utterly.metrics.bleu import Smoothing, sentence_bleu
from utterly.model.encode import STOP
from utterly.networks.tagger import Queries, Tags
from utterly.networks.torch_model import TorchModel
from utterly.networks.torch_scorer import scores_of
from utterly.scripts.edits import Edit, EditScript, Rule
from utterly.training.data import Example

_EQUAL: Final = 1e-9


def policy_loss(
    model: TorchModel, tags: Tags, examples: Sequence[Example], *, rng: torch.Generator, scaling: str = "common"
) -> Tensor:
    """-w log p(sampled script), averaged over the dialogues of a batch."""
    scripts, log_probs = sample_scripts(model, tags, examples, rng=rng)
    scores = scores_of(model.tagger, tags, [example.pieces for example in examples])
    greedy = [
        model.decoder.best(example.dialogue, example.pieces, each)[0].script
        for example, each in zip(examples, scores, strict=True)
    ]
    weights = reward_weights(rewards(scripts), rewards(greedy), scaling=scaling)
    return -(torch.from_numpy(weights).to(log_probs) * log_probs).mean()


def rewards(scripts: Sequence[EditScript]) -> NDArray[np.float64]:
    """Sentence BLEU-4 of each script's rewrite against its target: (scripts,), 0 to 1."""
    said = [[word.casefold() for word in script.words] for script in scripts]
    meant = [[word.text.casefold() for word in s.dialogue.target.words] for s in scripts if s.dialogue.target]
    return sentence_bleu(said, meant, smoothing=Smoothing.ADD_ONE)


def reward_weights(
    sampled: NDArray[np.float64], greedy: NDArray[np.float64], *, scaling: str = "common"
) -> NDArray[np.float64]:
    """w of Eq. 8: how much better a sample is than the greedy script, scaled within the batch.

    "common" puts both rewards on the batch's common scale of 0 to 1 and subtracts. "literal" scales the
    differences to 0 to 1, as the paper may be read: then no weight is below 0 and the baseline is undone.
    """
    differences = sampled - greedy
    if scaling == "literal":
        low, high = differences.min(), differences.max()
        wanted = differences - low
    else:
        low, high = min(sampled.min(), greedy.min()), max(sampled.max(), greedy.max())
        wanted = differences
    # Where all are equal but for rounding, the batch prefers no sample, and there is no scale to speak of.
    return wanted / (high - low) if high - low > _EQUAL else np.zeros_like(differences)


def sample_scripts(
    model: TorchModel, tags: Tags, examples: Sequence[Example], *, rng: torch.Generator
) -> tuple[list[EditScript], Tensor]:
    """A script for each dialogue drawn from the tagger, and its log probability: (batch,)."""
    tagger, book = model.tagger, model.book
    device = tags.action_logits.device
    sizes = [len(example.pieces.source) for example in examples]
    action_log_probs = tags.action_logits.float().log_softmax(-1)  # (batch, source, 2)
    keep = draw(action_log_probs, rng)  # (batch, source)
    total = torch.zeros(len(examples), device=device)
    words_mask = torch.zeros(keep.shape, dtype=torch.bool, device=device)
    for d, size in enumerate(sizes):
        words_mask[d, : size - 1] = True
    total = total + (action_log_probs.gather(-1, keep.unsqueeze(-1)).squeeze(-1) * words_mask).sum(-1)
    keep = torch.where(words_mask, keep, torch.ones_like(keep))

    has_context = [len(example.pieces.context) > 1 for example in examples]
    rules = torch.zeros_like(keep)
    if tags.rule_logits is not None:
        slotted = torch.tensor([rule.slots > 0 for rule in book], device=device)
        without = torch.tensor([not has for has in has_context], device=device)
        logits = tags.rule_logits.float().masked_fill(without[:, None, None] & slotted, float("-inf"))
        rule_log_probs = logits.log_softmax(-1)
        rules = draw(rule_log_probs, rng)
        words_mask = words_mask.clone()
        for d, size in enumerate(sizes):
            words_mask[d, size - 1] = True
        picked = rule_log_probs.gather(-1, rules.unsqueeze(-1)).squeeze(-1)
        total = total + torch.where(words_mask, picked, torch.zeros_like(picked)).sum(-1)

    rules_list, keep_list = rules.tolist(), keep.tolist()
    places = [
        (d, w, rules_list[d][w])
        for d, size in enumerate(sizes)
        if has_context[d]
        for w in range(size)
        if tagger.stops or book.rules[rules_list[d][w]].slots
    ]
    spans: dict[tuple[int, int], list[tuple[int, int]]] = {}
    if places:
        spans, span_log_probs = _sample_spans(model, tags, examples, places, rng)
        total = total.index_add(0, torch.tensor([d for d, _, _ in places], device=device), span_log_probs)

    scripts = []
    for d, example in enumerate(examples):
        edits = []
        for w in range(sizes[d]):
            found = tuple(example.pieces.span_at(*ends) for ends in spans.get((d, w), ()))
            rule = Rule.glue(len(found)) if tagger.stops else book.rules[rules_list[d][w]]
            edits.append(Edit(bool(keep_list[d][w]), rule, found))
        scripts.append(EditScript(example.dialogue, tuple(edits)))
    return scripts, total


def _sample_spans(
    model: TorchModel,
    tags: Tags,
    examples: Sequence[Example],
    places: Sequence[tuple[int, int, int]],
    rng: torch.Generator,
) -> tuple[dict[tuple[int, int], list[tuple[int, int]]], Tensor]:
    tagger, book, device = model.tagger, model.book, tags.action_logits.device
    numbers = torch.tensor(places, device=device)
    logits = tagger.spans(tags, Queries(numbers[:, 0], numbers[:, 1], numbers[:, 2]))
    turns = _turn_rows(examples, places, logits.start.shape[-1]).to(device)  # (queries, context)
    index = torch.arange(turns.shape[1], device=device)
    left = torch.tensor(
        [tagger.max_slots if tagger.stops else book.rules[rule].slots for _, _, rule in places], device=device
    )
    total = torch.zeros(len(places), device=device)
    spans: dict[tuple[int, int], list[tuple[int, int]]] = {(d, w): [] for d, w, _ in places}
    going = torch.ones(len(places), dtype=torch.bool, device=device)
    for slot in range(tagger.max_slots):
        going = going & (slot < left)
        start_log_probs = logits.start[:, slot].float().log_softmax(-1)
        start = draw(start_log_probs, rng)  # (queries,)
        same_turn = turns == turns.gather(1, start.unsqueeze(1))
        near = (index >= start.unsqueeze(1)) & (index < start.unsqueeze(1) + model.config.decode.max_span_words)
        end_logits = logits.end[:, slot].float().masked_fill(~(same_turn & near), float("-inf"))
        end_log_probs = end_logits.log_softmax(-1)
        end = draw(end_log_probs, rng)
        picked = start_log_probs.gather(1, start.unsqueeze(1)) + end_log_probs.gather(1, end.unsqueeze(1))
        total = total + torch.where(going, picked.squeeze(1), torch.zeros_like(total))
        going = going & (start != STOP)
        for q, (first, last, goes) in enumerate(zip(start.tolist(), end.tolist(), going.tolist(), strict=True)):
            if goes:
                spans[places[q][0], places[q][1]].append((first, last))
    return spans, total


def _turn_rows(examples: Sequence[Example], places: Sequence[tuple[int, int, int]], width: int) -> Tensor:
    """The turn of each context index, -1 for the stop symbol and -2 beyond the context: (queries, context)."""
    rows = np.full((len(examples), width), -2)
    for d, example in enumerate(examples):
        rows[d, : len(example.pieces.turns)] = example.pieces.turns
    return torch.from_numpy(rows[[d for d, _, _ in places]])


def draw(log_probs: Tensor, rng: torch.Generator) -> Tensor:
    """One index along the last axis, by its probability; drawn on the CPU, so that a seed means one thing."""
    flat = log_probs.detach().exp().flatten(end_dim=-2).cpu()
    return torch.multinomial(flat, 1, generator=rng).view(log_probs.shape[:-1]).to(log_probs.device)
