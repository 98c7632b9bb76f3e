"""What rewriting costs with a sequence-to-sequence model: T5-base with random weights.

Weights do not affect the time as long as the number of output pieces is fixed. In torch it runs as users run it:
`generate` without sampling. In onnxruntime there are two int8 graphs: one encodes the input and prepares the decoder's
cross-attention, the other computes the next piece from the last one and the cached keys and values.
"""

import tempfile
import warnings
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime  # type: ignore[import-untyped]
import torch  # noqa: TID251 - the competitor
from numpy.typing import NDArray
from torch import Tensor, nn  # noqa: TID251
from transformers import T5Config, T5ForConditionalGeneration

_SHAPE: Final[dict[str, Any]] = {
    "d_model": 768,
    "d_ff": 3072,
    "d_kv": 64,
    "num_layers": 12,
    "num_heads": 12,
    "vocab_size": 32128,
}
_START: Final = 0  # the piece that T5's decoder begins with
_OPSET: Final = 17


def random_t5() -> Any:
    torch.manual_seed(0)
    return T5ForConditionalGeneration(T5Config(**_SHAPE)).eval()


class TorchT5:
    """Greedy decoding in eager torch, with a cache."""

    def __init__(self, model: Any, pieces_out: int) -> None:
        self.model, self._pieces_out = model, pieces_out

    @torch.no_grad()
    def generate(self, ids: NDArray[np.int64]) -> list[int]:
        out = self.model.generate(
            torch.from_numpy(ids)[None],
            attention_mask=torch.ones(1, len(ids), dtype=torch.long),
            decoder_start_token_id=_START,
            do_sample=False,
            num_beams=1,
            use_cache=True,
            min_new_tokens=self._pieces_out,
            max_new_tokens=self._pieces_out,
        )
        made: list[int] = out[0, 1:].tolist()
        return made


class OnnxT5:
    """Greedy decoding in onnxruntime int8, with a cache."""

    def __init__(self, model: Any, pieces_out: int, *, threads: int) -> None:
        self._pieces_out = pieces_out
        config = model.config
        self._nothing = np.zeros((1, config.num_heads, 0, config.d_kv), dtype=np.float32)
        self._layers: int = config.num_layers
        _must_agree(model, pieces_out)
        with tempfile.TemporaryDirectory() as folder:
            paths = Path(folder) / "encoder.onnx", Path(folder) / "decoder.onnx"
            _export_encoder(model, paths[0])
            _export_step(model, paths[1])
            self._encoder, self._step = (_session(_in_int8(path), threads) for path in paths)

    def generate(self, ids: NDArray[np.int64]) -> list[int]:
        crossed = self._encoder.run(None, {"ids": ids[None]})
        fixed = dict(zip(_names("cross", self._layers), crossed, strict=True))
        cache = [self._nothing] * (2 * self._layers)
        piece = np.array([[_START]])
        made: list[int] = []
        for _ in range(self._pieces_out):
            piece, *cache = self._step.run(
                None, {"piece": piece, **dict(zip(_names("past", self._layers), cache, strict=True)), **fixed}
            )
            made.append(int(piece[0, 0]))
        return made


class _Encoder(nn.Module):
    """The encoder, with its states as keys and values for each decoder layer."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def forward(self, ids: Tensor) -> tuple[Tensor, ...]:
        states = self.model.encoder(input_ids=ids).last_hidden_state
        attentions = [block.layer[1].EncDecAttention for block in self.model.decoder.block]
        return tuple(_heads(part(states), each) for each in attentions for part in (each.k, each.v))


class _Step(nn.Module):
    """The decoder for one piece, written by hand because the cache of transformers cannot be traced."""

    biases: Tensor

    def __init__(self, model: Any, most: int = 64) -> None:
        super().__init__()
        self.model = model
        with torch.no_grad():
            first = model.decoder.block[0].layer[0].SelfAttention
            biases = first.compute_bias(most, most)[0, :, -1].flip(-1)  # (heads, distance)
        self.register_buffer("biases", biases)

    def forward(self, piece: Tensor, *caches: Tensor) -> tuple[Tensor, ...]:
        decoder, kept = self.model.decoder, []
        pairs = list(zip(caches[::2], caches[1::2], strict=True))
        past, cross = pairs[: len(decoder.block)], pairs[len(decoder.block) :]
        hidden = decoder.embed_tokens(piece)  # (1, 1, width)
        made = past[0][0].shape[2]
        distances = made - torch.arange(made + 1)  # of every piece so far, and last of this one
        bias = self.biases[:, distances][None, :, None]  # (1, heads, 1, pieces)
        for block, (past_keys, past_values), (keys, values) in zip(decoder.block, past, cross, strict=True):
            own, other, feed_forward = block.layer
            normed, attention = own.layer_norm(hidden), own.SelfAttention
            own_keys = torch.cat([past_keys, _heads(attention.k(normed), attention)], dim=2)
            own_values = torch.cat([past_values, _heads(attention.v(normed), attention)], dim=2)
            hidden = hidden + _attended(attention, normed, own_keys, own_values, bias)
            normed, attention = other.layer_norm(hidden), other.EncDecAttention
            hidden = hidden + _attended(attention, normed, keys, values, None)
            hidden = feed_forward(hidden)
            kept += [own_keys, own_values]
        hidden = decoder.final_layer_norm(hidden) * self.model.config.d_model**-0.5
        return self.model.lm_head(hidden).argmax(-1), *kept


@torch.no_grad()
def _must_agree(model: Any, pieces_out: int) -> None:
    """Check that the modules written by hand here produce the same pieces in torch as `generate`."""
    ids = torch.arange(5, 45)
    nothing = torch.zeros(1, model.config.num_heads, 0, model.config.d_kv)
    crossed, step = _Encoder(model)(ids[None]), _Step(model)
    piece, cache, made = torch.tensor([[_START]]), [nothing] * len(crossed), []
    for _ in range(pieces_out):
        piece, *cache = step(piece, *cache, *crossed)
        made.append(int(piece))
    assert made == TorchT5(model, pieces_out).generate(ids.numpy())


def _heads(rows: Tensor, attention: Any) -> Tensor:
    """(1, pieces, width) -> (1, heads, pieces, width of one)."""
    return rows.view(1, -1, attention.n_heads, attention.key_value_proj_dim).transpose(1, 2)


def _attended(attention: Any, hidden: Tensor, keys: Tensor, values: Tensor, bias: Tensor | None) -> Tensor:
    scores = _heads(attention.q(hidden), attention) @ keys.transpose(2, 3)
    mixed = (scores if bias is None else scores + bias).softmax(-1) @ values
    out: Tensor = attention.o(mixed.transpose(1, 2).flatten(2))  # (1, 1, width)
    return out


def _names(kind: str, layers: int) -> list[str]:
    return [f"{kind}_{part}_{layer}" for layer in range(layers) for part in ("keys", "values")]


def _export_encoder(model: Any, path: Path) -> None:
    names = _names("cross", model.config.num_layers)
    axes = {"ids": {1: "pieces"}} | {name: {2: "pieces"} for name in names}
    _export(
        _Encoder(model), (torch.arange(9)[None] + 5,), path, input_names=["ids"], output_names=names, dynamic_axes=axes
    )


def _export_step(model: Any, path: Path) -> None:
    config, layers = model.config, model.config.num_layers
    past, cross, kept = (_names(kind, layers) for kind in ("past", "cross", "kept"))
    axes = {name: {2: "made"} for name in past} | {name: {2: "pieces"} for name in cross}
    axes |= {name: {2: "made_now"} for name in kept}
    caches = [torch.zeros(1, config.num_heads, size, config.d_kv) for size in (3, 9) for _ in range(2 * layers)]
    names = {"input_names": ["piece", *past, *cross], "output_names": ["next", *kept]}
    _export(_Step(model), (torch.tensor([[_START]]), *caches), path, **names, dynamic_axes=axes)


def _export(module: nn.Module, inputs: tuple[Tensor, ...], path: Path, **names: Any) -> None:
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the tracer lists what it treats as constant: layers, heads, widths
        torch.onnx.export(module.eval(), inputs, str(path), dynamo=False, opset_version=_OPSET, **names)


def _in_int8(path: Path) -> Path:
    from onnxruntime.quantization import QuantType, quantize_dynamic  # type: ignore[import-untyped]

    small = path.with_suffix(".int8.onnx")
    quantize_dynamic(path, small, weight_type=QuantType.QInt8)
    return small


def _session(path: Path, threads: int) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.force_spinning_stop", "1")  # or it would slow down the others
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
