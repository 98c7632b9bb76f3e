"""A door whose framework is not installed says which extra brings it."""

import sys
from importlib import import_module

import pytest

from utterly import MissingExtraError

DOORS = {
    "haystack": "haystack",
    "langchain": "langchain_core",
    "llama_index": "llama_index.core",
    "mcp": "mcp.server.mcpserver",
}


@pytest.mark.parametrize(("door", "framework"), DOORS.items())
def test_a_missing_framework_is_named_with_its_extra(
    door: str, framework: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, framework, None)
    monkeypatch.delitem(sys.modules, f"utterly.integrations.{door}", raising=False)
    with pytest.raises(MissingExtraError) as refused:
        import_module(f"utterly.integrations.{door}")
    assert f"pip install 'utterly[{door.replace('_', '-')}]'" in str(refused.value)
