"""Good, harmless and harmful rewrites of the chats, by kind.

python -m benchmarks.chats                          # the bundled models, on the half for choosing
python -m benchmarks.chats --model FOLDER --show    # another model; list every rewrite that is not good
python -m benchmarks.chats --rewrites FILE.jsonl    # any program's: lines of {"id": ..., "rewrite": ...}
python -m benchmarks.chats --baseline unchanged     # no rewriter at all; or previous, all
python -m benchmarks.chats --half report            # once, for the page: chats.md
"""

import argparse
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.chats.chats import Chat, load_chats
from benchmarks.chats.judging import Judgement, Verdict, judge

from utterly import Rewriter, UtterlyError

RewriteChat = Callable[[Chat], str]
BASELINES: Final[dict[str, RewriteChat]] = {
    "unchanged": lambda chat: chat.source,
    "previous": lambda chat: f"{chat.questions[-1]} {chat.source}",
    "all": lambda chat: " ".join((*chat.questions, chat.source)),
}
GROUPS: Final[dict[str, Callable[[Chat], str]]] = {
    "kind": lambda chat: chat.kind,
    "language": lambda chat: chat.lang,
    "turns that": lambda chat: "must stay" if chat.stays else "need a rewrite",
    "": lambda _: "all",
}


class Outcome(NamedTuple):
    """A rewrite of a chat's last turn, judged."""

    chat: Chat
    text: str
    judgement: Judgement


def main() -> None:
    options = parse()
    chats = [chat for chat in load_chats(half=options.half) if options.lang in (None, chat.lang)]
    rewrite = rewriter_for(options)
    outcomes = [Outcome(chat, text, judge(chat, text)) for chat in chats for text in [rewrite(chat)]]
    show_tables(outcomes)
    if options.show:
        show(outcome for outcome in outcomes if outcome.judgement.verdict in options.show)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Good, harmless and harmful rewrites of the chats, by kind.")
    rewriters = parser.add_mutually_exclusive_group()
    rewriters.add_argument("--model", help="a bundled model (en, zh) or the folder of a model; default: both bundled")
    rewriters.add_argument("--rewrites", type=Path, help='JSON lines with the "id" and "rewrite" of every chat')
    rewriters.add_argument("--baseline", choices=BASELINES, help="keep the turn, or prepend earlier questions")
    parser.add_argument("--threshold", type=float, default=0.0, help="confidence below which the turn stays unchanged")
    parser.add_argument("--half", choices=["choose", "report"], default="choose", help="default: choose")
    parser.add_argument("--lang", choices=["en", "zh"], help="only chats of this language")
    parser.add_argument(
        "--show", nargs="*", choices=list(Verdict), help="list rewrites with these verdicts; default: all but good"
    )
    options = parser.parse_args()
    if options.show == []:
        options.show = [Verdict.HARMLESS, Verdict.HARMFUL]
    return options


def rewriter_for(options: argparse.Namespace) -> RewriteChat:
    if options.baseline:
        return BASELINES[options.baseline]
    if options.rewrites:
        return from_file(options.rewrites)
    rewriter = Rewriter.load(options.model)
    return lambda chat: rewriter.rewrite(chat.messages, min_confidence=options.threshold).text


def from_file(path: Path) -> RewriteChat:
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    rewrites = {line["id"]: line["rewrite"] for line in lines}

    def rewrite(chat: Chat) -> str:
        if chat.id not in rewrites:
            raise UtterlyError(f"{path} must have a rewrite of every chat, but has none for {chat.id}")
        return str(rewrites[chat.id])

    return rewrite


def show_tables(outcomes: Sequence[Outcome]) -> None:
    for title, key in GROUPS.items():
        print(f"| {title} | chats | good | harmless | harmful |\n|---|---|---|---|---|")
        for name in dict.fromkeys(key(outcome.chat) for outcome in outcomes):
            verdicts = [outcome.judgement.verdict for outcome in outcomes if key(outcome.chat) == name]
            shares = " | ".join(share(verdicts.count(verdict), len(verdicts)) for verdict in Verdict)
            print(f"| {name} | {len(verdicts)} | {shares} |")
        print()


def share(count: int, total: int) -> str:
    return f"{count} ({count / total:.0%})"


def show(outcomes: Iterable[Outcome]) -> None:
    for chat, text, judgement in outcomes:
        print(f"{chat.id}: {chat.source}")
        print(f"    came:   {text}")
        print(f"    so:     {judgement.verdict}, {judgement.reason}")
        if not chat.stays:
            print(f"    wanted: {chat.examples[0]}")


if __name__ == "__main__":
    main()
