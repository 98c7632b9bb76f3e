"""A training step of HCT beside the plain formulation, which attends from every source word.

Only words whose rule has slots need spans. The plain formulation makes source x context x width for all of them
and lets the loss pick what it needs. On a GPU the encoder's passes may be recorded, too. All ways take the same batches
in turn, on the same tagger; without dropout they give the same loss.

    python -m benchmarks.training_step --labels runs/canard/train.hct.jsonl.gz --book runs/canard/rules.json \
        --encoder encoders/gte-small --device cuda
"""

import argparse
import statistics
import time
from collections.abc import Callable
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch  # noqa: TID251 - measures training
from torch import Tensor  # noqa: TID251

from utterly.rules.book import RuleBook
from utterly.rules.restricted import read_restricted
from utterly.taggers.hct import Hct
from utterly.taggers.layers import Batch, SpanLogits
from utterly.taggers.model import TaggerModel
from utterly.training.batches import Gold, batched, tensors
from utterly.training.deterministic import sums_in_order
from utterly.training.examples import encode_examples
from utterly.training.losses import label_losses
from utterly.training.recorded import record_passes

Way = Callable[[Hct, Batch, Gold], Tensor]
_WARM_UP: Final = 5  # steps


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


def step_time(
    way: Way, recorded: Any, tagger: Hct, optimizer: torch.optim.Optimizer, batch: Batch, gold: Gold
) -> float:
    tagger.encoder.recorded = recorded
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
    parser.add_argument("--deterministic", action="store_true")
    wanted = parser.parse_args()
    with sums_in_order(wanted.deterministic):
        measure(wanted)


def measure(wanted: argparse.Namespace) -> None:
    torch.manual_seed(0)
    torch.set_float32_matmul_precision("high")
    book = RuleBook.load(wanted.book)
    model = TaggerModel.from_encoder("hct", wanted.encoder, book, max_length=384, topic_turns=2)
    labels = list(islice(read_restricted(wanted.labels, book), wanted.batch_size * wanted.steps))
    examples = encode_examples(labels, model.encoder, book)
    tagger = model.tagger.to(wanted.device).train()
    assert isinstance(tagger, Hct)
    optimizer = torch.optim.AdamW(tagger.parameters(), lr=1e-5, fused=wanted.device == "cuda")
    recorded = None
    if wanted.device == "cuda":
        record_passes(tagger, map(len, examples), wanted.batch_size, nullcontext)
        recorded = tagger.encoder.recorded
    ways: dict[str, tuple[Way, Any]] = {"every word": (every_word, None), "needed words": (needed_words, None)}
    if recorded:
        ways |= {"every word, recorded": (every_word, recorded), "needed words, recorded": (needed_words, recorded)}
    times: dict[str, list[float]] = {name: [] for name in ways}
    for some in batched(examples, wanted.batch_size, np.random.default_rng(0)):
        batch, gold = tensors(some, max_slots=tagger.max_slots, stops=tagger.stops)
        batch, gold = batch.to(wanted.device), gold.to(wanted.device)
        for name, way in ways.items():
            times[name].append(step_time(*way, tagger, optimizer, batch, gold))
    plain = times["every word"][_WARM_UP:]
    print(f"medians of {len(plain)} steps, batch {wanted.batch_size}, deterministic: {wanted.deterministic}")
    for name, all_seconds in times.items():
        seconds = all_seconds[_WARM_UP:]
        faster = statistics.median(a / b for a, b in zip(plain, seconds, strict=True))
        print(f"{name:24}{1000 * statistics.median(seconds):7.1f} ms {faster:6.2f}x")


if __name__ == "__main__":
    main()
