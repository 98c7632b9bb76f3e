"""Streaming JSON: the entries of a list or object, found without parsing the file."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from utterly.dialogues.corpora import json_stream
from utterly.dialogues.corpora.json_stream import list_elements, object_members, starts_a_list
from utterly.errors import FileError

TRICKY_STRINGS = st.text('[]{},:"\\\n\t aé👍\u2028', max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TRICKY_STRINGS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TRICKY_STRINGS, inner, max_size=3),
    max_leaves=10,
)
LAYOUTS = st.fixed_dictionaries({"indent": st.sampled_from([None, 0, 3]), "ensure_ascii": st.booleans()})


def written(folder: Path, content: str | bytes) -> Path:
    path = folder / "file.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@given(st.lists(VALUES, max_size=4), LAYOUTS, st.integers(1, 9))
def test_the_elements_are_those_of_the_parsed_list(values: list[Any], layout: dict[str, Any], chunk: int) -> None:
    with TemporaryDirectory() as folder, patch.object(json_stream, "_CHUNK", chunk):
        path = written(Path(folder), json.dumps(values, **layout))
        assert [json.loads(text) for _, text in list_elements(path)] == json.loads(path.read_bytes())


@given(st.dictionaries(TRICKY_STRINGS, VALUES, max_size=3), VALUES, LAYOUTS, st.integers(1, 9))
def test_the_nested_members_are_those_of_the_parsed_object(
    inner: dict[str, Any], other: object, layout: dict[str, Any], chunk: int
) -> None:
    with TemporaryDirectory() as folder, patch.object(json_stream, "_CHUNK", chunk):
        path = written(Path(folder), json.dumps({"before": other, "in": inner, "after": other}, **layout))
        members = list(object_members(path, nested_under="in"))
    nested = [json.loads(member.text) for member in members if member.nested]
    outer = [json.loads(member.text) for member in members if not member.nested]
    assert nested == [{key: value} for key, value in inner.items()]
    assert outer == [{"before": other}, {"in": {}}, {"after": other}]


def test_each_element_comes_with_the_line_it_starts_at(tmp_path: Path) -> None:
    path = written(tmp_path, '\ufeff\n[\n  1, {\n"a": 2\n},\n\n\n"x",3\r\n]\n')
    assert list(list_elements(path)) == [(3, b"1"), (3, b'{\n"a": 2\n}'), (8, b'"x"'), (8, b"3")]


def test_members_come_with_lines_too(tmp_path: Path) -> None:
    path = written(tmp_path, '{"a": 1,\n"in": {\n"b": 2,\n"c": 3}}')
    assert [(m.line, json.loads(m.text), m.nested) for m in object_members(path, nested_under="in")] == [
        (1, {"a": 1}, False),
        (3, {"b": 2}, True),
        (4, {"c": 3}, True),
        (2, {"in": {}}, False),
    ]


def test_a_key_of_the_same_name_deeper_down_is_not_the_nested_object(tmp_path: Path) -> None:
    path = written(tmp_path, '{"x": {"in": {"a": 1}}, "in": {"in": {"b": 2}}}')
    assert [json.loads(m.text) for m in object_members(path, nested_under="in") if m.nested] == [{"in": {"b": 2}}]


@pytest.mark.parametrize("content", ["[]", " [ \n ] ", "\ufeff[]"])
def test_an_empty_list_has_no_elements(tmp_path: Path, content: str) -> None:
    assert list(list_elements(written(tmp_path, content))) == []


def test_bad_elements_are_handed_out_and_do_not_hide_the_next(tmp_path: Path) -> None:
    path = written(tmp_path, '[{"a" 1}, nope,, {"a: 1\n}, 5,]')
    assert [text for _, text in list_elements(path)] == [b'{"a" 1}', b"nope", b"", b'{"a: 1\n}', b"5", b""]


def test_a_member_left_out_does_not_parse(tmp_path: Path) -> None:
    *_, trailing, _ = object_members(written(tmp_path, '{"in": {"a": 1,}}'), nested_under="in")
    with pytest.raises(json.JSONDecodeError):
        json.loads(trailing.text)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "file.json, line 1: must be one JSON list, but is empty; repair the file or fetch it again"),
        ("\n\n  ", "line 3: must be one JSON list, but is empty"),
        ('\n{"a": 1}', "line 2: must be one JSON list, but starts with '{'"),
        ("hello, list", "line 1: must be one JSON list, but starts with 'hello,'"),
        ("[1,\n2]\n[3]", r"line 3: must end after its JSON list, but '\[' follows"),
        ("[1] x", "line 1: must end after its JSON list, but 'x' follows"),
        ("[1,\n\n{\n2,", "line 3: the JSON is cut off: the file ends inside what starts here"),
        ("[1,\n2", "line 2: the JSON is cut off"),
        ('[\n"\\', "line 2: the JSON is cut off"),
        ("[", "line 1: the JSON is cut off"),
        ("[1,\n2}", "line 2: brackets must match, got '}' for ']'"),
        ('[{"a": 1}},\n2]', "line 1: brackets must match, got '}' for ']'"),
    ],
)
def test_a_file_that_is_not_one_whole_list_is_refused_by_line(tmp_path: Path, content: str, problem: str) -> None:
    with pytest.raises(FileError, match=problem):
        list(list_elements(written(tmp_path, content)))


@pytest.mark.parametrize("content", ["{}", '{"other": {}}', '{"in": [1]}', '{"in": 1}'])
def test_the_nested_object_must_be_there(tmp_path: Path, content: str) -> None:
    with pytest.raises(FileError, match="must have an object under the key 'in'"):
        list(object_members(written(tmp_path, content), nested_under="in"))


def test_an_empty_nested_object_is_there(tmp_path: Path) -> None:
    (member,) = object_members(written(tmp_path, '{"in": { }}'), nested_under="in")
    assert not member.nested


@pytest.mark.parametrize(
    ("content", "is_list"), [("[", True), ("\ufeff\n [", True), ("{}", False), ("", False), (" ", False)]
)
def test_a_list_is_known_by_its_first_bracket(tmp_path: Path, content: str, is_list: bool) -> None:
    assert starts_a_list(written(tmp_path, content)) is is_list


def test_an_element_of_many_megabytes_comes_whole(tmp_path: Path) -> None:
    text = '\\"[' * 1_000_000
    path = written(tmp_path, f'["{text}", 1]')
    assert list(list_elements(path)) == [(1, f'"{text}"'.encode()), (1, b"1")]
