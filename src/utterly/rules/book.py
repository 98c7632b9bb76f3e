"""`RuleBook`: the rules a tagger chooses from, in a fixed order, and the rules that each represents."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self

from utterly.dialogues.fields import Fields
from utterly.errors import DialogueError, EditError, RuleBookError
from utterly.files import opened, written_whole
from utterly.scripts.edits import NULL_RULE, Rule

FORMAT: Final = "utterly rule book"
FORMAT_VERSION: Final = 1


@dataclass(frozen=True)
class RuleBook:
    """Rules in order: the null rule, the glue rules with 1, 2, ... slots, then the others, frequent ones first.

    `counts` is the number of phrases that each rule represented when the book was built: its own, those of its members,
    and those of rules it is nearest to. `exemplars` maps members, which are not in the book, to their rule in the book.
    """

    rules: tuple[Rule, ...]
    counts: tuple[int, ...]
    exemplars: Mapping[Rule, Rule] = field(default_factory=dict)

    def __post_init__(self) -> None:
        glue = [rule.slots for rule in self.rules if rule.is_glue]
        needed = range(1, max([1, *(rule.slots for rule in self.rules)]) + 1)
        if self.rules[:1] != (NULL_RULE,):
            raise RuleBookError("the first rule of a book must be the null rule; build it again with `utterly rules`")
        if glue != [*needed] or not all(rule.is_glue for rule in self.rules[1 : len(glue) + 1]):
            raise RuleBookError(
                f"the null rule must be followed by the glue rules of 1 to {needed[-1]} slot(s), in order, "
                f"got glue rules of {glue} slots; build the book again with `utterly rules`"
            )
        if len(self._places) != len(self.rules) or len(self.counts) != len(self.rules) or min(self.counts) < 0:
            raise RuleBookError("a rule book must have each rule once, with a count; build it again")
        for member, exemplar in self.exemplars.items():
            if exemplar not in self or member in self or member.slots != exemplar.slots:
                raise RuleBookError(
                    "an exemplar must be in the book, its members must not, and both need equally many slots, got "
                    f"exemplar {str(exemplar)!r} of {str(member)!r}; build it again"
                )

    @cached_property
    def _places(self) -> dict[Rule, int]:
        return {rule: i for i, rule in enumerate(self.rules)}

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __contains__(self, rule: object) -> bool:
        return rule in self._places

    def number(self, rule: Rule) -> int:
        """The position of a rule in the book."""
        if rule not in self._places:
            raise RuleBookError(f"rule {str(rule)!r} is not in the book; restrict the script to the book first")
        return self._places[rule]

    @cached_property
    def slots(self) -> tuple[int, ...]:
        """How many slots each rule has."""
        return tuple(rule.slots for rule in self.rules)

    @property
    def max_slots(self) -> int:
        return max(self.slots)

    @cached_property
    def fingerprint(self) -> str:
        """A hash: two books with the same rules in the same order have the same."""
        return hashlib.sha256("\n".join(map(str, self.rules)).encode()).hexdigest()[:16]

    def members(self, rule: Rule) -> tuple[Rule, ...]:
        """The rules outside the book that a rule represents."""
        return tuple(member for member, exemplar in self.exemplars.items() if exemplar == rule)

    def to_json(self) -> dict[str, Any]:
        rules = [
            {"rule": str(rule), "count": count, "members": [str(member) for member in self.members(rule)]}
            for rule, count in zip(self.rules, self.counts, strict=True)
        ]
        return {"format": FORMAT, "version": FORMAT_VERSION, "rules": rules}

    @classmethod
    def from_json(cls, data: Any) -> Self:
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise RuleBookError(
                f'a rule book must be an object with "format": "{FORMAT}"; make one with `utterly rules`'
            )
        if data.get("version") != FORMAT_VERSION or type(data["version"]) is not int:
            raise RuleBookError(
                f"the format version of a rule book must be {FORMAT_VERSION}, got {data.get('version')!r}; "
                "build it again with `utterly rules`, or install the release of Utterly that wrote it"
            )
        try:
            rows = Fields(data).objects("rules")
            rules = tuple(Rule.parse(row.text("rule")) for row in rows)
            members = [
                (Rule.parse(member), rule)
                for rule, row in zip(rules, rows, strict=True)
                for member in row.texts("members")
            ]
            counts = tuple(row.integer("count") for row in rows)
        except (DialogueError, EditError) as wrong:
            raise RuleBookError(f"each rule of a book needs rule, count and members: {wrong}") from None
        exemplars: dict[Rule, Rule] = {}
        for member, rule in members:
            if member in exemplars:
                raise RuleBookError(f"a rule must be a member once, got {str(member)!r} twice; build the book again")
            exemplars[member] = rule
        return cls(rules, counts, exemplars)

    def save(self, path: Path | str, *, replace: bool = True) -> None:
        """Write the book to a file. Without `replace`, an existing file is an error."""
        with written_whole(path, replace=replace) as file:
            json.dump(self.to_json(), file, ensure_ascii=False, indent=1)
            file.write("\n")

    @classmethod
    def load(cls, path: Path | str) -> Self:
        """Read the book from a file."""
        with opened(path) as file:
            try:
                data = json.loads(file.read())
            except (ValueError, RecursionError) as wrong:
                raise RuleBookError(
                    f"{path}: a rule book must be JSON: {wrong}; make one with `utterly rules`"
                ) from None
        try:
            return cls.from_json(data)
        except RuleBookError as wrong:
            raise RuleBookError(f"{path}: {wrong}") from None
