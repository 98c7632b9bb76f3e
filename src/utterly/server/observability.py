"""The server's log and Prometheus metrics. Neither contains what users wrote.

The log is JSON lines on standard error. An exception is logged by its type and the line of code that raised it, without
message or trace, which may contain a text or a path. Labels of metrics are our own routes, models and outcomes.
"""

import json
import logging
import os
import time
import traceback
from pathlib import Path
from typing import Any, Final

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)
from starlette.responses import Response

from utterly.rewriter import Rewrite

LOGGER: Final = "utterly.server"
_FIELDS: Final = "utterly_fields"  # the attribute of a log record with our fields
_SECONDS: Final = (0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_SIZES: Final = (1, 2, 4, 8, 16, 32, 64)


def log(level: int, event: str, /, **fields: Any) -> None:
    logging.getLogger(LOGGER).log(level, event, extra={_FIELDS: fields})


class JsonFormatter(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, _FIELDS, {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            line |= failure_fields(record.exc_info[1])
        return json.dumps(line)


def failure_fields(failure: BaseException) -> dict[str, str]:
    """The type of an exception, or of its cause, and the module and line that raised it."""
    root = failure.__cause__ or failure
    place = "?"
    for frame, line in traceback.walk_tb(root.__traceback__):
        place = f"{frame.f_globals.get('__name__', '?')}:{line}"
    return {"error": type(root).__name__, "at": place}


def logging_config(level: str) -> dict[str, Any]:
    """For `logging.config.dictConfig`: our log and uvicorn's as JSON lines."""
    logger = {"handlers": ["stderr"], "level": level.upper(), "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": f"{__name__}.{JsonFormatter.__name__}"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json", "stream": "ext://sys.stderr"}},
        "loggers": dict.fromkeys((LOGGER, "uvicorn", "uvicorn.error", "asyncio"), logger),
    }


class Metrics:
    """The metrics of one process, shown as sums over all workers."""

    def __init__(self) -> None:
        _forget_dead_workers()
        self.registry = CollectorRegistry()
        here: dict[str, Any] = {"registry": self.registry}
        summed = here | {"multiprocess_mode": "livesum"}
        timed = here | {"buckets": _SECONDS}
        self.requests = Counter("utterly_requests", "Requests answered.", ["method", "route", "status"], **here)
        self.seconds = Histogram("utterly_request_seconds", "Time to answer a request.", ["route"], **timed)
        self.running = Gauge("utterly_requests_running", "Requests being answered.", **summed)
        self.problems = Counter("utterly_problems", "Problems answered, by code.", ["code"], **here)
        self.rewrites = Counter("utterly_rewrites", "Dialogues answered, by outcome.", ["model", "outcome"], **here)
        self.queue = Gauge("utterly_queue_dialogues", "Dialogues waiting.", **summed)
        self.batch = Histogram("utterly_batch_dialogues", "Dialogues rewritten together.", buckets=_SIZES, **here)
        self.batch_seconds = Histogram("utterly_batch_seconds", "Time to rewrite a batch.", **timed)

    def count_rewrite(self, rewrite: Rewrite) -> None:
        outcome = "abstained" if rewrite.abstained else "changed" if rewrite.changed else "unchanged"
        self.rewrites.labels(rewrite.model, outcome).inc()

    def count_batch(self, size: int, seconds: float) -> None:
        self.batch.observe(size)
        self.batch_seconds.observe(seconds)

    def response(self) -> Response:
        """The metrics in Prometheus' format."""
        shown = self.registry
        if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
            shown = CollectorRegistry()
            multiprocess.MultiProcessCollector(shown)  # type: ignore[no-untyped-call]
        return Response(generate_latest(shown), media_type=CONTENT_TYPE_LATEST)


def _forget_dead_workers() -> None:
    """Remove the gauges of workers that were killed. When one dies, another starts and calls this."""
    folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
    for file in Path(folder).glob("gauge_live*_*.db") if folder else ():
        process = int(file.stem.rpartition("_")[2])
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            multiprocess.mark_process_dead(process)  # type: ignore[no-untyped-call]
