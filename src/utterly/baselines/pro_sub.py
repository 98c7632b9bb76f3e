"""Pro-Sub: replace the first pronoun of the turn with the title of the dialogue's topic. It learns nothing.

The paper only says "the first pronoun by the article's title". The rest was chosen on CANARD dev, by BLEU-4 and exact
match:

    replaced      he she it they him them; his its their hers theirs; possessive her
    not replaced  this that these those, reflexives, and everything after the first pronoun
    possessive    the title and `'s`
    title         the first turn of the context, if the model's dialogues begin with titles (`topic_turns` above 0);
                  else the last name in the context: a run of capitalised words other than function words
    otherwise     without a pronoun or a title, the turn is unchanged
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from utterly.dialogues.dialogue import Dialogue, Word
from utterly.labels.function_words import FUNCTION_WORDS
from utterly.model.decode import ScoredScript
from utterly.model.folder import ModelFolder, write_card_and_config
from utterly.model.model import ScriptModel
from utterly.scripts.edits import SLOT, Edit, EditScript, Rule, Span

KIND: Final = "pro-sub"
_PERSONAL: Final = frozenset("he she it they him them".split())
_POSSESSIVE: Final = frozenset("his its their hers theirs".split())
_TITLE: Final = Rule.glue(1)
_TITLES: Final = Rule((SLOT, "'s"))


@dataclass(frozen=True)
class ProSub(ScriptModel):
    """Its confidence is the same for every rewrite: how often it was right on dev."""

    def scripts(self, dialogue: Dialogue, n: int = 1) -> list[ScoredScript]:  # noqa: ARG002 - there is only one
        rules = ((i, _rule(dialogue.source.words, i)) for i in range(len(dialogue.source.words)))
        first = next(((i, rule) for i, rule in rules if rule), None)
        title = self._title(dialogue) if first else None
        if first is None or title is None:
            return [ScoredScript(EditScript.unchanged(dialogue), 0.0)]
        i, rule = first
        return [ScoredScript(EditScript.from_changes(dialogue, [(i, Edit(False, rule, (title,)))]), 0.0)]

    def _title(self, dialogue: Dialogue) -> Span | None:
        turns = [turn.words for turn in dialogue.context]
        if self.config.topic_turns:
            return Span(0, 0, len(turns[0])) if turns and turns[0] else None
        names = (_last_name(t, words) for t, words in reversed([*enumerate(turns)]))
        return next((name for name in names if name), None)

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        about = "# Pro-Sub\n\nReplaces the first pronoun with the title. Load it with `Rewriter.load(folder)`.\n"
        write_card_and_config(folder, self.config, about)


def load(folder: ModelFolder, device: str) -> ProSub:  # noqa: ARG001 - it runs without torch
    return ProSub(folder.config)


def _rule(words: Sequence[Word], i: int) -> Rule | None:
    """The rule that replaces word i; None if it is not a pronoun.

    >>> [str(_rule(Dialogue.of([text]).source.words, 1)) for text in ("Is her band good?", "Is her?", "Is Ana?")]
    ["_ 's", '_', 'None']
    """
    word = words[i].text.lower()
    if word == "her":
        after = words[i + 1].text.lower() if i + 1 < len(words) else "?"
        return _TITLES if after[0].isalpha() and after not in FUNCTION_WORDS else _TITLE
    return _TITLES if word in _POSSESSIVE else _TITLE if word in _PERSONAL else None


def _last_name(turn: int, words: Sequence[Word]) -> Span | None:
    """The last run of capitalised words in a turn."""
    in_name = [word.text[0].isupper() and word.text.lower() not in FUNCTION_WORDS for word in words]
    if not any(in_name):
        return None
    stop = len(words) - in_name[::-1].index(True)
    start = next((i + 1 for i in range(stop - 1, -1, -1) if not in_name[i]), 0)
    return Span(turn, start, stop)
