"""What the server counts, for Prometheus. Labels are routes, models and outcomes of ours, never what users sent."""

import os

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

_SECONDS = (0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_SIZES = (1, 2, 4, 8, 16, 32, 64)


class Metrics:
    """The figures of one process, and how they are shown for all."""

    def __init__(self) -> None:
        self.registry = here = CollectorRegistry()
        self.requests = Counter("utterly_requests", "Requests answered.", ["method", "route", "status"], registry=here)
        self.seconds = Histogram(
            "utterly_request_seconds", "Time to answer a request.", ["route"], buckets=_SECONDS, registry=here
        )
        self.running = Gauge(
            "utterly_requests_running", "Requests being answered.", registry=here, multiprocess_mode="livesum"
        )
        self.refused = Counter("utterly_problems", "Problems answered, by kind.", ["code"], registry=here)
        self.rewrites = Counter(
            "utterly_rewrites",
            "Dialogues answered, by what came of them.",
            ["model", "outcome"],
            registry=here,
        )
        self.queue = Gauge(
            "utterly_queue_dialogues", "Dialogues that wait.", registry=here, multiprocess_mode="livesum"
        )
        self.batch = Histogram(
            "utterly_batch_dialogues", "Dialogues rewritten together.", buckets=_SIZES, registry=here
        )
        self.batch_seconds = Histogram(
            "utterly_batch_seconds", "Time to rewrite a batch.", buckets=_SECONDS, registry=here
        )

    def count_rewrite(self, rewrite: Rewrite) -> None:
        outcome = "abstained" if rewrite.abstained else "changed" if rewrite.changed else "unchanged"
        self.rewrites.labels(rewrite.model, outcome).inc()

    def count_batch(self, size: int, seconds: float) -> None:
        self.batch.observe(size)
        self.batch_seconds.observe(seconds)

    def response(self) -> Response:
        """As Prometheus reads it; of all workers where there are several."""
        shown = self.registry
        if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
            shown = CollectorRegistry()
            multiprocess.MultiProcessCollector(shown)  # type: ignore[no-untyped-call]
        return Response(generate_latest(shown), media_type=CONTENT_TYPE_LATEST)
