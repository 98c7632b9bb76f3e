"""A training step of HCT beside the plain formulation, which attends from every source word.

Only words whose rule has slots need spans. The plain formulation makes source x context x width for all of them
and lets the loss pick what it needs. Both take the same batches in turn, on the same tagger; the gradients agree.

    python -m benchmarks.training_step --labels runs/canard/train.hct.jsonl.gz --book runs/canard/rules.json \
        --encoder encoders/gte-small --device cuda
"""

import argparse
import statistics
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import numpy as np
import torch  # noqa: TID251 - measures training
from torch import Tensor  # noqa: TID251

from utterly.rules.book import RuleBook
from utterly.rules.restricted import read_restricted
from utterly.taggers.hct import Hct
from utterly.taggers.layers import Batch, SpanLogits
from utterly.taggers.model import TaggerModel
from utterly.training.batches import Gold, batched, tensors
from utterly.training.examples import encode_examples
from utterly.training.losses import label_losses

Way = Callable[[Hct, Batch, Gold], Tensor]


def needed_words(tagger: Hct, batch: Batch, gold: Gold) -> Tensor:
    """The loss as training computes it."""
    tags, spans = tagger(batch, gold.queries)
    return label_losses(batch, tags, spans, gold).total


def every_word(tagger: Hct, batch: Batch, gold: Gold) -> Tensor:
    """The same loss, with spans for all source words: those that the labels want are picked out afterwards."""
    tags = tagger.tag(batch)
    size, words = batch.source.shape
    rules = tagger.rule_embeddings(tagger.encoder)[gold.rules]  # (batch, source, width)
    query = torch.relu(tagger.combine(torch.cat([tags.states.source, rules], dim=-1))).flatten(end_dim=1)
    context = tags.states.context.repeat_interleave(words, dim=0)  # (batch x source, context, width)
    mask = batch.context_mask.repeat_interleave(words, dim=0)
    mask[:, 0] = False
    each = torch.arange(size * words, device=query.device)
    spans = tagger.span_predictor(query, each, context, mask, slots=tagger.max_slots)
    wanted = gold.queries.dialogue * words + gold.queries.word
    return label_losses(batch, tags, SpanLogits(spans.start[wanted], spans.end[wanted]), gold).total


def step_time(way: Way, tagger: Hct, optimizer: torch.optim.Optimizer, batch: Batch, gold: Gold) -> float:
    _wait(batch)
    started = time.perf_counter()
    loss = way(tagger, batch, gold)
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(tagger.parameters(), 5.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    _wait(batch)
    return time.perf_counter() - started


def _wait(batch: Batch) -> None:
    if batch.ids.is_cuda:
        torch.cuda.synchronize()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("labels", "book", "encoder"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--steps", type=int, default=60)
    wanted = parser.parse_args()

    torch.manual_seed(0)
    torch.set_float32_matmul_precision("high")
    book = RuleBook.load(wanted.book)
    model = TaggerModel.from_encoder("hct", wanted.encoder, book, max_length=384, topic_turns=2)
    labels = list(islice(read_restricted(wanted.labels, book), wanted.batch_size * wanted.steps))
    examples = encode_examples(labels, model.encoder, book)
    tagger = model.tagger.to(wanted.device).train()
    assert isinstance(tagger, Hct)
    optimizer = torch.optim.AdamW(tagger.parameters(), lr=1e-5, fused=wanted.device == "cuda")
    ways: dict[str, Way] = {"needed words": needed_words, "every word": every_word}
    times: dict[str, list[float]] = {name: [] for name in ways}
    for some in batched(examples, wanted.batch_size, np.random.default_rng(0)):
        batch, gold = tensors(some, max_slots=tagger.max_slots, stops=tagger.stops)
        batch, gold = batch.to(wanted.device), gold.to(wanted.device)
        for name, way in ways.items():
            times[name].append(step_time(way, tagger, optimizer, batch, gold))
    for name, seconds in times.items():
        middle = statistics.median(seconds[5:])
        print(f"{name}: {1000 * middle:.1f} ms a step, median of {len(seconds) - 5}, batch {wanted.batch_size}")
    ratio = statistics.median(a / b for b, a in zip(*(times[name][5:] for name in times), strict=True))
    print(f"every word / needed words: {ratio:.2f}")


if __name__ == "__main__":
    main()
