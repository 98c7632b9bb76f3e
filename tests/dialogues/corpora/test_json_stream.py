"""Streaming JSON: the entries of a list or object, one by one."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from utterly.dialogues.corpora.json_stream import list_elements, members_under, starts_a_list, value_under
from utterly.errors import FileError, MissingExtraError

TRICKY_STRINGS = st.text('[]{},:"\\\n\t aé👍\u2028', max_size=8)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TRICKY_STRINGS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TRICKY_STRINGS, inner, max_size=3),
    max_leaves=10,
)
LAYOUTS = st.fixed_dictionaries({"indent": st.sampled_from([None, 0, 3]), "ensure_ascii": st.booleans()})


def written(folder: Path, content: str | bytes) -> Path:
    path = folder / "file.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@given(st.lists(VALUES, max_size=4), LAYOUTS)
def test_the_elements_are_those_of_the_parsed_list(
    tmp_path_factory: pytest.TempPathFactory, values: list[Any], layout: dict[str, Any]
) -> None:
    path = written(tmp_path_factory.getbasetemp(), json.dumps(values, **layout))
    assert [json.loads(text) for _, text in list_elements(path)] == json.loads(path.read_bytes())


@given(st.dictionaries(TRICKY_STRINGS, VALUES, min_size=1, max_size=3), VALUES, LAYOUTS)
def test_the_members_are_those_of_the_parsed_object(
    tmp_path_factory: pytest.TempPathFactory, inner: dict[str, Any], other: object, layout: dict[str, Any]
) -> None:
    content = json.dumps({"before": other, "in": inner, "after": [other]}, **layout)
    path = written(tmp_path_factory.getbasetemp(), content)
    assert [json.loads(text) for _, text in members_under(path, "in")] == [{key: value} for key, value in inner.items()]
    assert value_under(path, "after") == [other]
    assert value_under(path, "absent") is None


def test_entries_are_numbered_from_one(tmp_path: Path) -> None:
    assert list(list_elements(written(tmp_path, '\ufeff\n[\n1, "x"]'))) == [(1, b"1"), (2, b'"x"')]
    assert list(members_under(written(tmp_path, '{"in": {"a": 1, "b": 2}}'), "in")) == [
        (1, b'{"a": 1}'),
        (2, b'{"b": 2}'),
    ]


def test_a_key_of_the_same_name_deeper_down_is_another(tmp_path: Path) -> None:
    path = written(tmp_path, '{"x": {"in": {"a": 1}}, "in": {"in": {"b": 2}}}')
    assert [json.loads(text) for _, text in members_under(path, "in")] == [{"in": {"b": 2}}]


@pytest.mark.parametrize("content", ["[]", " [ \n ] ", "\ufeff[]"])
def test_an_empty_list_has_no_elements(tmp_path: Path, content: str) -> None:
    assert list(list_elements(written(tmp_path, content))) == []


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "file.json: must be valid JSON: parse error: premature EOF; repair the file or fetch it again"),
        ("[1,\n2", "must be valid JSON: parse error: premature EOF"),
        ("[1] x", "must be valid JSON: .*trailing garbage|invalid char"),
        ("[1,,2]", "must be valid JSON: parse error"),
        ("hello, list", "must be valid JSON: lexical error"),
        (b'["\xff"]', "must be valid JSON: "),
    ],
)
def test_a_file_that_is_not_json_is_refused_after_the_elements_before(
    tmp_path: Path, content: str | bytes, problem: str
) -> None:
    with pytest.raises(FileError, match=problem):
        list(list_elements(written(tmp_path, content)))


@pytest.mark.parametrize("content", ["{}", '{"other": {}}', '{"in": [1]}', '{"in": 1}', '{"in": {}}'])
def test_the_object_must_be_there(tmp_path: Path, content: str) -> None:
    with pytest.raises(FileError, match="must have an object with members under the key 'in'"):
        list(members_under(written(tmp_path, content), "in"))


@pytest.mark.parametrize(
    ("content", "is_list"), [("[", True), ("\ufeff\n [", True), ("{}", False), ("", False), (" ", False)]
)
def test_a_list_is_known_by_its_first_bracket(tmp_path: Path, content: str, is_list: bool) -> None:
    assert starts_a_list(written(tmp_path, content)) is is_list


def test_without_ijson_its_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ijson", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'utterly\[labels\]'"):
        list(list_elements(written(tmp_path, "[]")))
