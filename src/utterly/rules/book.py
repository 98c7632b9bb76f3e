"""`RuleBook`: the rules a tagger chooses from, in a fixed order, and what each stands for."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self

from utterly.edits import NULL_RULE, Rule
from utterly.errors import EditError, RuleBookError
from utterly.files import opened, written_whole

FORMAT_VERSION: Final = 1


@dataclass(frozen=True)
class RuleBook:
    """Rules in order: the null rule, the glue rules of 1, 2, ... slots, then the others, frequent ones first.

    `counts` says how many training phrases each rule stands for, its own and those of its members;
    `exemplars` which rule of the book stands for a member that is not in it.
    """

    rules: tuple[Rule, ...]
    counts: tuple[int, ...]
    exemplars: Mapping[Rule, Rule] = field(default_factory=dict)

    def __post_init__(self) -> None:
        glue = [rule.slots for rule in self.rules if rule.is_glue]
        needed = range(1, max((rule.slots for rule in self.rules), default=0) + 1)
        if self.rules[:1] != (NULL_RULE,):
            raise RuleBookError("a rule book must begin with the null rule, but this one does not; build it again")
        if glue != list(needed) or not glue or any(not rule.is_glue for rule in self.rules[1 : len(glue) + 1]):
            raise RuleBookError(
                f"after the null rule a rule book must have the glue rules of 1 to {max(needed, default=1)} slots, "
                f"but it has those of {glue} slots; build it again with `utterly rules`"
            )
        if len(set(self.rules)) != len(self.rules) or len(self.counts) != len(self.rules):
            raise RuleBookError("a rule book must have each rule once, with one count each; build it again")
        strangers = [str(rule) for rule in self.exemplars.values() if rule not in self._places]
        if strangers:
            raise RuleBookError(f"an exemplar must be a rule of the book, but {strangers[0]!r} is not; build it again")

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
        """The place of a rule in the book."""
        if rule not in self._places:
            raise RuleBookError(f"rule {str(rule)!r} is not in the book; restrict the script to the book first")
        return self._places[rule]

    @property
    def max_slots(self) -> int:
        return max(rule.slots for rule in self.rules)

    @cached_property
    def fingerprint(self) -> str:
        """Tells whether two books have the same rules in the same order."""
        return hashlib.sha256("\n".join(map(str, self.rules)).encode()).hexdigest()[:16]

    def to_json(self) -> dict[str, Any]:
        members: dict[Rule, list[str]] = {}
        for member, exemplar in self.exemplars.items():
            members.setdefault(exemplar, []).append(str(member))
        rules = [
            {"rule": str(rule), "count": count, "members": members.get(rule, [])}
            for rule, count in zip(self.rules, self.counts, strict=True)
        ]
        return {"format": "utterly rule book", "version": FORMAT_VERSION, "rules": rules}

    @classmethod
    def from_json(cls, data: Any) -> Self:
        if not isinstance(data, dict) or data.get("version") != FORMAT_VERSION:
            came = data.get("version") if isinstance(data, dict) else type(data).__name__
            raise RuleBookError(
                f"a rule book must be of format version {FORMAT_VERSION}, but {came!r} came; "
                "build it again with `utterly rules`, or install the release of Utterly that wrote it"
            )
        try:
            rows = data["rules"]
            rules = tuple(Rule.parse(row["rule"]) for row in rows)
            exemplars = {
                Rule.parse(member): rule for rule, row in zip(rules, rows, strict=True) for member in row["members"]
            }
            return cls(rules, tuple(int(row["count"]) for row in rows), exemplars)
        except (AttributeError, EditError, KeyError, TypeError, ValueError) as wrong:
            raise RuleBookError(
                f"each rule of a book needs rule, count and members, but reading failed with {wrong!r}; build it again"
            ) from None

    def save(self, path: Path | str) -> None:
        with written_whole(path) as file:
            json.dump(self.to_json(), file, ensure_ascii=False, indent=1)
            file.write("\n")

    @classmethod
    def load(cls, path: Path | str) -> Self:
        with opened(path) as file:
            try:
                data = json.loads(file.read())
            except ValueError as wrong:
                raise RuleBookError(f"{path}: a rule book must be JSON, but {wrong}; build it again") from None
        try:
            return cls.from_json(data)
        except RuleBookError as wrong:
            raise RuleBookError(f"{path}: {wrong}") from None
