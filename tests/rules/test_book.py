"""A rule book keeps its order, goes to disk and back, and refuses to be half a book."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from tests.rules.strategies import books
from utterly.errors import FileError, RuleBookError
from utterly.rules.book import RuleBook
from utterly.scripts.edits import NULL_RULE, Rule


def book(*texts: str, members: dict[str, str] | None = None) -> RuleBook:
    exemplars = {Rule.parse(member): Rule.parse(rule) for member, rule in (members or {}).items()}
    return RuleBook(tuple(map(Rule.parse, texts)), (1,) * len(texts), exemplars)


@given(books())
def test_a_book_reads_back_as_it_was_written(written: RuleBook) -> None:
    read = RuleBook.from_json(json.loads(json.dumps(written.to_json())))
    assert read == written
    assert read.fingerprint == written.fingerprint


def test_a_book_is_saved_and_loaded(tmp_path: Path) -> None:
    saved = book("∅", "_", "_ _", "besides _", "\\_ 's", members={"besides the _": "besides _"})
    saved.save(tmp_path / "rules.json")
    loaded = RuleBook.load(tmp_path / "rules.json")
    assert loaded == saved
    assert loaded.members(Rule.parse("besides _")) == (Rule.parse("besides the _"),)


@given(books())
def test_the_number_of_a_rule_is_its_place(some: RuleBook) -> None:
    assert [some.number(rule) for rule in some] == list(range(len(some)))
    assert some.number(NULL_RULE) == 0
    assert some.number(Rule.glue(some.max_slots)) == some.max_slots


def test_a_rule_outside_the_book_has_no_number() -> None:
    with pytest.raises(RuleBookError, match="rule 'by _' is not in the book; restrict the script to the book first"):
        book("∅", "_").number(Rule.parse("by _"))


def test_the_fingerprint_tells_rules_and_their_order_and_nothing_else() -> None:
    first = book("∅", "_", "by _", "of _")
    assert first.fingerprint == RuleBook(first.rules, (7, 7, 7, 7)).fingerprint
    assert first.fingerprint != book("∅", "_", "of _", "by _").fingerprint
    assert first.fingerprint == "9ab692e92be4eb48"  # labels on disk rely on it


@pytest.mark.parametrize(
    ("texts", "members", "problem"),
    [
        ([], {}, "the first rule of a book must be the null rule; build it again"),
        (["_", "∅"], {}, "must be the null rule"),
        (["∅"], {}, r"must be followed by the glue rules of 1 to 1 slot\(s\), in order, got glue rules of \[\] slots"),
        (["∅", "_", "of _ _"], {}, r"of 1 to 2 slot\(s\), in order, got glue rules of \[1\] slots"),
        (["∅", "_ _", "_"], {}, r"got glue rules of \[2, 1\] slots; build the book again with `utterly rules`"),
        (["∅", "by _", "_"], {}, "the null rule must be followed by the glue rules"),
        (["∅", "_", "by _", "by _"], {}, "must have each rule once, with a count; build it again"),
        (["∅", "_", "by _"], {"of _": "in _"}, "both need equally many slots, got exemplar 'in _' of 'of _'"),
        (["∅", "_", "by _"], {"of _ _": "by _"}, "got exemplar 'by _' of 'of _ _'; build it again"),
        (["∅", "_", "by _", "of _"], {"of _": "by _"}, "got exemplar 'by _' of 'of _'"),
    ],
)  # fmt: skip
def test_half_a_book_is_refused(texts: list[str], members: dict[str, str], problem: str) -> None:
    with pytest.raises(RuleBookError, match=problem):
        book(*texts, members=members)


def test_counts_are_one_a_rule_and_not_negative() -> None:
    for counts in [(1,), (1, -1)]:
        with pytest.raises(RuleBookError, match="each rule once, with a count"):
            RuleBook((NULL_RULE, Rule.glue(1)), counts)


GOOD: dict[str, Any] = book("∅", "_", "by _").to_json()
ROW: dict[str, Any] = {"rule": "by _", "count": 1, "members": ["of _"]}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{", "a rule book must be JSON: Expecting property name"),
        ("\udcff", "a rule book must be JSON: 'utf-8' codec can't decode"),
        ("[]", 'must be an object with "format": "utterly rule book"; make one with `utterly rules`'),
        (json.dumps({"rules": []}), 'must be an object with "format": "utterly rule book"'),
        (json.dumps(GOOD | {"version": 2}), "the format version of a rule book must be 1, got 2; build it again with"),
        (json.dumps(GOOD | {"version": True}), "must be 1, got True"),
        (json.dumps(GOOD | {"rules": GOOD["rules"][:1]}), "must be followed by the glue rules of 1 to 1 slot"),
        (json.dumps(GOOD | {"rules": 3}), "needs rule, count and members: the field 'rules' must be a list, got"),
        (json.dumps(GOOD | {"rules": [{"rule": "∅"}]}), "rule, count and members: the field 'members' is missing"),
        (json.dumps(GOOD | {"rules": [ROW | {"rule": "by\ud800 _"}]}), "must be SLOT or one word"),
        (json.dumps(GOOD | {"rules": [ROW, ROW]}), "a rule must be a member once, got 'of _' twice"),
    ],
    ids="not-JSON not-UTF-8 not-an-object another-format another-version no-version no-glue no-list no-members "
    "lone-surrogate member-twice".split(),
)  # fmt: skip
def test_a_file_that_is_no_rule_book_is_refused_by_name(content: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "rules.json"
    path.write_bytes(content.encode(errors="surrogateescape"))
    with pytest.raises(RuleBookError) as refused:
        RuleBook.load(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert problem in str(refused.value)


def test_a_missing_file_is_a_file_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="there is no such file"):
        RuleBook.load(tmp_path / "nowhere.json")


def test_a_book_is_read_without_the_packages_that_make_one() -> None:
    program = (
        "import sys; import utterly.rules.book; heavy = {'numpy', 'rapidfuzz', 'sklearn', 'spacy'};"
        "sys.exit(', '.join(sorted(heavy & set(sys.modules))))"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert result.stderr.strip() == ""
