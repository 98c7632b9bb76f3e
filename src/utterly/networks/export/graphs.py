"""Export a trained tagger as two ONNX graphs that `utterly.model.onnx_scorer` runs, by default in int8."""

import copy
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import torch
from torch import Tensor, nn

from utterly.dialogues.dialogue import Dialogue
from utterly.errors import ModelError, PiecesError
from utterly.extras import require
from utterly.files import bytes_written_whole
from utterly.model.folder import SPANS_GRAPH, TAGGER_GRAPH, model_card, write_folder
from utterly.model.model import Model
from utterly.model.onnx_scorer import SPANS_INPUTS, TAGGER_INPUTS, OnnxScorer
from utterly.networks.hct import SLOT_EMBEDDINGS, Hct
from utterly.networks.layers import Batch
from utterly.networks.tagger import Tagger
from utterly.networks.torch_model import TorchModel

OPSET: Final = 17
FORMS: Final = {4: "ONNX in int8, stored in 4 bits", 8: "ONNX in int8", 32: "ONNX"}
"""What an export is called, by the bits of its weights."""


@dataclass(frozen=True)
class Export:
    """An exported model, and how often it rewrites as the original does."""

    folder: Path
    bytes: int
    compared: int  # dialogues of the sample
    agreed: int  # dialogues with the same rewrite

    @property
    def agreement(self) -> float:
        """0 to 1; 1 if nothing was compared."""
        return self.agreed / self.compared if self.compared else 1.0


def export(
    model: TorchModel,
    folder: Path | str,
    *,
    bits: int = 8,
    sample: Sequence[Dialogue] = (),
    card: str | None = None,
) -> Export:
    """Write a model's folder that needs no torch, and compare its rewrites of `sample` with the original's.

    `bits` is the size of a weight: 8 or 4, both computed in int8, or 32 for floats. `card` is the text of its
    README.md; by default it lists the model's notes.
    """
    if bits not in FORMS:
        raise ModelError(f"an export's weights must have {', '.join(map(str, FORMS))} bits, got {bits}")
    require("onnx", extra="export")
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tagger = copy.deepcopy(model.tagger.eval()).cpu()  # eval stores the rule embeddings
    tagger.encoder.network.set_attn_implementation("eager")
    for name, traced in ((TAGGER_GRAPH, _tagger_graph(model, tagger)), (SPANS_GRAPH, _spans_graph(tagger))):
        _write_graph(folder / name, traced, tagger.encoder.network.config, bits=bits)
    card = card or model_card(model.config, model.book, form=FORMS[bits], tags=("onnx",))
    write_folder(folder, model.config, model.book, model.encoder, card, weights=(TAGGER_GRAPH, SPANS_GRAPH))
    return _compared(model, folder, sample)


class _Traced(NamedTuple):
    """A module and what tracing it needs. Axes have names, so dialogues may have any length."""

    module: nn.Module
    inputs: Mapping[str, Tensor]
    outputs: Sequence[str]
    axes: Mapping[str, tuple[str, ...]]  # of inputs and outputs
    unread: Mapping[str, Tensor]  # weights that only training reads


class _TaggerGraph(nn.Module):
    """The first level: log probabilities of actions and rules, and the states that the second level reads."""

    def __init__(self, tagger: Tagger) -> None:
        super().__init__()
        self.tagger = tagger

    def forward(self, ids: Tensor, types: Tensor, source: Tensor, context: Tensor) -> tuple[Tensor, ...]:
        one = [each.unsqueeze(0) for each in (ids, types, source, context)]
        masks = [torch.ones_like(each).bool() for each in one]
        tags = self.tagger.tag(Batch(one[0], one[1], masks[0], one[2], masks[2], one[3], masks[3]))
        logits = [each for each in (tags.action_logits, tags.rule_logits) if each is not None]
        answers = *(each.log_softmax(-1) for each in logits), tags.states.source, tags.states.context
        return tuple(each[0] for each in answers)


class _SpansGraph(nn.Module):
    """The second level: as `SpanPredictor`, with the same keys for all queries."""

    def __init__(self, tagger: Any) -> None:
        super().__init__()
        self.tagger = tagger

    def forward(
        self,
        source: Tensor,  # (source, width)
        context: Tensor,  # (context, width)
        word: Tensor,  # (queries,)
        rule: Tensor,  # (queries,)
        slots: Tensor,  # (queries,): how many each has, in descending order
    ) -> tuple[Tensor, ...]:
        query = source[word]  # (queries, width)
        mask = torch.ones_like(context[:, 0]).bool()  # (context,)
        if isinstance(self.tagger, Hct):
            query = torch.relu(self.tagger.combine(torch.cat([query, self.tagger.stored_rules[rule]], dim=-1)))
            mask = torch.arange(context.shape[0]) > 0
        predictor = self.tagger.span_predictor
        keys = predictor.keys(context, mask)
        attention = keys.uniform_attention(query.shape[0])
        scores: list[Tensor] = []
        for slot in range(self.tagger.max_slots):
            if slot:  # only queries that have this slot
                going = (slots > slot).sum()
                query, attention = query[:going], attention[:going]
            query, attention, logits = predictor.step(query, attention, keys)
            scores += (each.log_softmax(dim=-1) for each in logits)
        return tuple(scores)


def _tagger_graph(model: TorchModel, tagger: Tagger) -> _Traced:
    pieces = model.encoder.encode(Dialogue.of(["Who is it?", "Nobody.", "Is he here, then?"]))
    inputs = {name: torch.from_numpy(getattr(pieces, name)) for name in TAGGER_INPUTS}
    by_source = ["actions", *(["rules"] if isinstance(tagger, Hct) else []), "source_states"]
    axes = {"ids": ("pieces",), "types": ("pieces",), "source": ("source",), "context": ("context",)}
    axes |= dict.fromkeys(by_source, ("source",)) | {"context_states": ("context",)}
    return _Traced(_TaggerGraph(tagger), inputs, [*by_source, "context_states"], axes, {})


def _spans_graph(tagger: Tagger) -> _Traced:
    width, most = tagger.encoder.width, tagger.max_slots
    states = torch.zeros(3, width), torch.zeros(5, width)
    rows = torch.tensor([[2, 0], [1, 1], [most, 1]])
    inputs = dict(zip(SPANS_INPUTS, (*states, *rows), strict=True))
    outputs = {f"{end}_{i}": (f"queries_{i}", "context") for i in range(1, most + 1) for end in ("start", "end")}
    asked = dict.fromkeys(("word", "rule", "slots"), ("queries",))
    axes = {"source_states": ("source",), "context_states": ("context",), **asked, **outputs}
    unread = {f"tagger.{SLOT_EMBEDDINGS}": tagger.get_parameter(SLOT_EMBEDDINGS)} if isinstance(tagger, Hct) else {}
    return _Traced(_SpansGraph(tagger), inputs, list(outputs), axes, unread)


def _write_graph(path: Path, traced: _Traced, shape: Any, *, bits: int) -> None:
    import onnx

    from utterly.networks.export.int8 import quantise_weights
    from utterly.networks.export.nibbles import pack_weights
    from utterly.networks.export.one_dialogue import fuse_attention, gather_rows, remove_head_transposes, remove_masks

    with tempfile.TemporaryDirectory() as folder, torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the tracer warns about constants; tests compare with torch
        torch.onnx.export(
            traced.module.eval(),
            tuple(traced.inputs.values()),
            str(Path(folder) / "graph.onnx"),
            dynamo=False,
            opset_version=OPSET,
            input_names=list(traced.inputs),
            output_names=traced.outputs,
            dynamic_axes={name: dict(enumerate(axes)) for name, axes in traced.axes.items()},
        )
        graph = onnx.load(Path(folder) / "graph.onnx")
    graph = gather_rows(remove_masks(graph, shape))
    graph = remove_head_transposes(graph, heads=shape.num_attention_heads, width=shape.hidden_size)
    if bits < 32:
        learned = {f"{name}.weight" for name, module in traced.module.named_modules() if type(module) is nn.Embedding}
        graph = fuse_attention(quantise_weights(graph, bits=bits, tables=learned))
    if bits == 4:
        graph = pack_weights(graph)
    unread = {name: weight.detach().numpy() for name, weight in traced.unread.items()}
    graph.graph.initializer.extend(onnx.numpy_helper.from_array(array, name) for name, array in unread.items())
    with bytes_written_whole(path) as file:
        file.write(graph.SerializeToString(deterministic=True))


def _compared(model: TorchModel, folder: Path, sample: Sequence[Dialogue]) -> Export:
    size = sum(file.stat().st_size for file in folder.iterdir())
    in_torch = model.to("cpu")
    in_onnx = Model(model.config, model.book, model.encoder, OnnxScorer(folder))
    compared = agreed = 0
    for dialogue in sample:
        try:
            texts = {each.scripts(dialogue)[0].script.apply() for each in (in_torch, in_onnx)}
        except PiecesError:  # too long for either
            continue
        compared += 1
        agreed += len(texts) == 1
    return Export(folder, size, compared, agreed)
