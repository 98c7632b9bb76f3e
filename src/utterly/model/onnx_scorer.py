"""A scorer that runs on onnxruntime: no torch, two graphs, one dialogue at a time.

    tagger.onnx    encoder, action and rule heads: log probabilities, and the states of source and context words
    spans.onnx     span predictor with the stored rule embeddings, run only if a rule has slots, and only for those

In int8, numbers are rounded by the range of their whole array, so in a batch, scores would depend on the other
dialogues; and batches are no faster. Dialogues run in parallel instead, each on one core.

The outputs start_1, end_1, start_2, ... of the second graph score the first slot, the second, ... of the queries that
have one. Queries with more slots come first, so each output covers the first rows.

`utterly.networks.export` writes the graphs.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from utterly.errors import ModelError
from utterly.model.encode import Pieces
from utterly.model.folder import SPANS_GRAPH, TAGGER_GRAPH
from utterly.model.scores import Query, Scores, SpanScores, TagScores
from utterly.parallel import usable_cores

TAGGER_INPUTS: Final = ("ids", "types", "source", "context")
SPANS_INPUTS: Final = ("source_states", "context_states", "word", "rule", "slots")

Arrays = dict[str, NDArray[Any]]

_NO_TELEMETRY: Final = "ORT_DISABLE_TELEMETRY"
_MOST_THREADS: Final = 4  # one dialogue is too little work for more
_SLOW_FUSIONS: Final = ["SkipLayerNormFusion", "BiasSkipLayerNormFusion"]  # their CPU kernels are not vectorised


class OnnxScorer:
    """Runs both graphs of a model folder. Thread-safe."""

    def __init__(self, folder: Path, *, threads: int | None = None) -> None:
        self._tagger = Graph(folder / TAGGER_GRAPH, threads=threads)
        self._spans = Graph(folder / SPANS_GRAPH, threads=1)  # little work; a second pool would compete with the first

    def read(self, pieces: Pieces) -> Scores:
        """Run the first graph; the second runs when spans are requested."""
        return _OnnxScores(self._tagger.run({name: getattr(pieces, name) for name in TAGGER_INPUTS}), self._spans)


class _OnnxScores:
    def __init__(self, tagged: Arrays, graph: "Graph") -> None:
        self.tags = TagScores(tagged["actions"], tagged.get("rules"))
        self._states = {name: tagged[name] for name in ("source_states", "context_states")}
        self._graph = graph

    def spans(self, queries: Sequence[Query]) -> SpanScores:
        word, rule, slots = np.array(queries, dtype=np.int64).T
        order = np.argsort(-slots, kind="stable")
        found = self._graph.run({**self._states, "word": word[order], "rule": rule[order], "slots": slots[order]})
        most_slots, context = len(found) // 2, len(self._states["context_states"])
        scores = np.full((2, len(queries), most_slots, context), -np.inf, dtype=np.float32)
        for slot in range(most_slots):
            for end, name in enumerate((f"start_{slot + 1}", f"end_{slot + 1}")):
                scores[end, order[: len(found[name])], slot] = found[name]
        return SpanScores(*scores)


class Graph:
    """One ONNX file, ready to run. Arrays go in and out by name; arrays that are not inputs are ignored."""

    def __init__(self, path: Path, *, threads: int | None = None) -> None:
        onnxruntime = _onnxruntime()
        self._failures = _failures()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads or min(_MOST_THREADS, usable_cores())
        options.inter_op_num_threads = 1
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        options.enable_mem_pattern = False  # it would remember every shape it ever saw
        options.enable_cpu_mem_arena = False  # it would grow with every rare shape, and is no faster
        options.add_session_config_entry("session.force_spinning_stop", "1")  # idle threads do not spin between runs
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(
                path, options, providers=["CPUExecutionProvider"], disabled_optimizers=_SLOW_FUSIONS
            )
        except self._failures as wrong:
            raise ModelError(
                f"{path}: onnxruntime cannot read this graph: {_first_line(wrong)}; export the model again"
            ) from None
        self.inputs = frozenset(each.name for each in self._session.get_inputs())
        self.outputs = tuple(each.name for each in self._session.get_outputs())

    def run(self, arrays: Arrays) -> Arrays:
        read = {name: array for name, array in arrays.items() if name in self.inputs}
        try:
            answers = self._session.run(self.outputs, read)
        except self._failures as wrong:
            raise ModelError(
                f"the model failed to run, onnxruntime says: {_first_line(wrong)}; "
                "export the model again, and if that does not help, report it"
            ) from None
        return dict(zip(self.outputs, answers, strict=True))


def _onnxruntime() -> Any:
    """Import onnxruntime with its telemetry off.

    Since 1.31 it stores a device id and events in the user's cache and sends them. It reads the variable when imported,
    so the environment is changed only for that moment; if it is already imported, a call turns telemetry off.
    """
    if "onnxruntime" in sys.modules or _NO_TELEMETRY in os.environ:
        onnxruntime = import_module("onnxruntime")
        onnxruntime.disable_telemetry_events()
        return onnxruntime
    os.environ[_NO_TELEMETRY] = "1"
    try:
        return import_module("onnxruntime")
    finally:
        del os.environ[_NO_TELEMETRY]


def _failures() -> tuple[type[Exception], ...]:
    """All exceptions that onnxruntime raises; they have no common base class."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state  # type: ignore[import-untyped]

    own = [each for each in vars(state).values() if isinstance(each, type) and issubclass(each, Exception)]
    return (*own, RuntimeError, ValueError)


def _first_line(failure: Exception) -> str:
    return (str(failure).strip().splitlines() or [type(failure).__name__])[0]
