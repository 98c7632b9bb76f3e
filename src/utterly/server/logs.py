"""Logs as JSON lines on standard error: what was asked and how it went, without what users wrote.

An exception is logged by its type and the place of ours where it arose. Its message may hold a text or a path, so
that is left out, and so is the trace.
"""

import json
import logging
import time
from types import TracebackType
from typing import Any, Final

LOGGER: Final = "utterly.server"
FIELDS: Final = "utterly_fields"  # where a record carries its own fields


class JsonFormatter(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, FIELDS, {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            said |= failure_fields(record.exc_info[1])
        return json.dumps(said)


def failure_fields(failure: BaseException) -> dict[str, str]:
    """The type of an exception and of its cause, and the module and line where it arose."""
    root = failure.__cause__ or failure
    return {"error": type(root).__name__, "at": _place(root.__traceback__)}


def log(level: int, event: str, /, **fields: Any) -> None:
    logging.getLogger(LOGGER).log(level, event, extra={FIELDS: fields})


def logging_config(level: str) -> dict[str, Any]:
    """For `logging.config.dictConfig`: ours and uvicorn's records, all as JSON lines."""
    logger = {"handlers": ["stderr"], "level": level.upper(), "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": f"{__name__}.{JsonFormatter.__name__}"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json", "stream": "ext://sys.stderr"}},
        "loggers": dict.fromkeys((LOGGER, "uvicorn", "uvicorn.error", "asyncio"), logger),
    }


def _place(trace: TracebackType | None) -> str:
    while trace and trace.tb_next:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_globals.get('__name__', '?')}:{trace.tb_lineno}" if trace else "?"
