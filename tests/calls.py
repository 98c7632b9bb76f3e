"""A pytest plugin that notes which of some functions and classes each test calls, itself or in a fixture made for it.

The environment says which (`CALLS_OF`, dotted names) and where to write that (`CALLS_TO`, a JSON file).
"""

import inspect
import json
import os
import sys
import threading
from collections.abc import Generator, Iterator
from importlib import import_module
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

_NAMES = os.environ["CALLS_OF"].split()
_CALLED: dict[str, set[str]] = {}


def found(name: str) -> Any:
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(module), attribute)


def codes(thing: Any) -> Iterator[CodeType]:
    """The code of a function, or of every method of a class."""
    if inspect.isclass(thing):
        for each in vars(thing).values():
            function = each.fget if isinstance(each, property) else getattr(each, "__func__", each)
            if inspect.isroutine(function):
                yield from codes(function)
    elif code := getattr(inspect.unwrap(thing), "__code__", None):
        yield code


_WANTED = {code: name for name in _NAMES for code in codes(found(name))}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    called = _CALLED.setdefault(item.nodeid.partition("[")[0], set())

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and (name := _WANTED.get(frame.f_code)):
            called.add(name)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        return (yield)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def pytest_sessionfinish() -> None:
    text = json.dumps({test: sorted(names) for test, names in _CALLED.items()})
    Path(os.environ["CALLS_TO"]).write_text(text, encoding="utf-8")
