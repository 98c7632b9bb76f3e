"""A language model learns from human rewrites to ask on and to say what is meant; then it writes chats.

    python -m recipes.wild.writing FOLDER FILE.gguf $DATA OUT --device cuda

FOLDER/FILE.gguf is an instruction-tuned model (Qwen2.5-Coder-1.5B-Instruct, Apache-2.0, was used). Each chat in
OUT/written-*.jsonl.gz has an opening question for a passage, which is the answer, then follow-ups with what they mean,
each answered by the passage that BM25 finds for that. `recipes.wild.written` makes dialogues of them.
"""

import argparse
import gzip
import json
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from recipes.wild.answers import lengthened, words_in
from recipes.wild.conversations import (
    UNKNOWN,
    Asked,
    Conversation,
    canard_conversations,
    cast_conversations,
    conversation,
    ikat_conversations,
    qrecc_conversations,
    unlabelled_conversations,
)
from recipes.wild.corpora import lines, plain
from recipes.wild.language_model import LanguageModel, Said, TuneSettings
from recipes.wild.passages import Passage, Search, read_passages
from recipes.wild.prompts import MEANS, USER, Stretch, laid_out, opened, to_ask, to_open, to_rewrite

LENGTHENED: Final = 0.6
MEANINGS: Final = 0.65
FOLLOW_UPS: Final = 6
AT_ONCE: Final = 1_024
CHOICES: Final = 2  # passages, one of which answers a question
MOST_PIECES_OF_A_QUESTION: Final = 32
MOST_PIECES_OF_A_REWRITE: Final = 44
_MOST_PIECES_OF_A_TURN: Final = 90  # with what stands around question and rewrite
DOMAINS: Final = {"clapnq": 50, "fiqa": 35, "cloud": 15}
STYLES: Final = {"search": 5, "rag": 4, "quac": 1}
_LEAST_WORDS_OF_A_TEXT: Final = 25


class Turn(NamedTuple):
    """A turn to be rewritten."""

    id: str
    before: Conversation
    question: str


def sequences(data: Path, rng: random.Random) -> Iterator[list[Stretch]]:
    """All that the model learns from: whole conversations, and openings of conversations about a text."""
    canard, qrecc = list(canard_conversations(data)), list(qrecc_conversations(data))
    unlabelled = [chat for _, chat in unlabelled_conversations(data)]
    copies = (
        ("quac", canard, 1),
        ("search", qrecc, 2),
        ("search", list(ikat_conversations(data)), 6),
        ("search", list(cast_conversations(data)), 5),
        ("rag", unlabelled, 2),
    )
    for style, conversations, times in copies:
        for each in conversations * times:
            longer = _longer(each, rng) if rng.random() < LENGTHENED and style != "rag" else each
            yield [stretch for line in laid_out(style, longer, rng, meanings=MEANINGS) for stretch in line]
    for each in [*qrecc, *unlabelled, *unlabelled]:
        first = _longer(each, rng)[0]
        if words_in(first.answer) > _LEAST_WORDS_OF_A_TEXT:
            yield list(opened(first.answer, first.rewrite or first.question))
    for each in canard[::4]:
        asked = rng.choice(_longer(each, rng))
        if asked.rewrite and words_in(asked.answer) > _LEAST_WORDS_OF_A_TEXT:
            yield list(opened(asked.answer, asked.rewrite))


def rewritten(model: LanguageModel, turns: Sequence[Turn]) -> Iterator[dict[str, object]]:
    """What each turn means in its conversation."""
    prompts = [to_rewrite("search", turn.before, turn.question) for turn in turns]
    for turn, said in zip(turns, model.complete(prompts, most_pieces=MOST_PIECES_OF_A_REWRITE), strict=True):
        yield {"id": turn.id, "rewrite": said.text, "logp": round(said.log_probability, 3)}


def chats(
    model: LanguageModel, passages: Sequence[Passage], rng: random.Random, *, at_once: int = AT_ONCE
) -> Iterator[list[dict[str, object]]]:
    """Chats without end, so many at a time."""
    by_domain = {name: [each for each in passages if each.domain == name] for name in DOMAINS}
    by_domain = {name: some for name, some in by_domain.items() if some}
    searches = {name: Search(some, device=model.device) for name, some in by_domain.items()}
    shares = [DOMAINS[name] for name in by_domain]
    while True:
        chats = [
            _Chat(rng.choice(by_domain[name]), *rng.choices(tuple(STYLES), tuple(STYLES.values())))
            for name in sorted(rng.choices(tuple(by_domain), shares, k=at_once))
        ]
        openings = [to_open(chat.opening_text) for chat in chats]
        asked = model.complete(openings, most_pieces=MOST_PIECES_OF_A_QUESTION, temperature=0.8)
        for chat, said in zip(chats, asked, strict=True):
            chat.take(said.text, Said("", 0.0))
        answered = [chat.told for chat in chats]
        longest = max(len(model.ids(told)) for told in answered)
        rows = model.conversations(len(chats), (FOLLOW_UPS + 1) * (longest + _MOST_PIECES_OF_A_TURN))
        for left in reversed(range(FOLLOW_UPS)):
            rows.read([model.ids([*told, Stretch(USER)]) for told in answered])
            questions = rows.say(MOST_PIECES_OF_A_QUESTION, temperature=1.0)
            rows.read([model.ids([Stretch(MEANS)])] * len(chats))
            rewrites = rows.say(MOST_PIECES_OF_A_REWRITE)
            for chat, question, rewrite in zip(
                chats, map(model.said, questions), map(model.said, rewrites), strict=True
            ):
                chat.take(question.text, rewrite)
            if left:
                for name, search in searches.items():
                    some = [chat for chat in chats if chat.domain == name]
                    found = search.best([chat.query for chat in some], CHOICES, but=[chat.passages for chat in some])
                    for chat, likely in zip(some, found, strict=True):
                        chat.answer(rng.choice(likely))
                answered = [chat.last_answer for chat in chats]
        del rows  # its memory is needed for the next ones
        yield [chat.record for chat in chats]


class _Chat:
    """A chat that is being written."""

    def __init__(self, passage: Passage, style: str) -> None:
        self.domain, self.style = passage.domain, style
        self.passages = [passage]
        self._turns: list[tuple[str, Said]] = []

    @property
    def opening_text(self) -> str:
        first = self.passages[0]
        return f"{first.title}: {first.text}" if first.title else first.text

    @property
    def told(self) -> list[Stretch]:
        """The chat up to its first answer."""
        return to_ask(self.style, (Asked(self._turns[0][0], None, self.passages[0].text),))[:-1]

    @property
    def last_answer(self) -> list[Stretch]:
        return [Stretch(f"Bot: {self.passages[-1].text}"), Stretch("\n")]

    @property
    def query(self) -> str:
        """What to search for: what was meant, and what the chat is about."""
        return f"{self._turns[-1][1].text} {self._turns[0][0]}"

    @property
    def record(self) -> dict[str, object]:
        turns: list[dict[str, object]] = [
            {"q": question, "r": rewrite.text, "logp": round(rewrite.log_probability, 3)}
            for question, rewrite in self._turns
        ]
        for turn, passage in zip(turns, self.passages, strict=False):  # the last question has no answer
            turn |= {"passage": passage.id, "words": words_in(passage.text)}
        return {"domain": self.domain, "style": self.style, "turns": turns}

    def take(self, question: str, rewrite: Said) -> None:
        self._turns.append((question, rewrite))

    def answer(self, passage: Passage) -> None:
        self.passages.append(passage)


def _longer(conversation: Conversation, rng: random.Random) -> Conversation:
    """Answers go on with what later ones say."""
    answers = [asked.answer for asked in conversation]
    return tuple(
        Asked(asked.question, asked.rewrite, _with(asked.answer, answers[place + 1 :], rng))
        for place, asked in enumerate(conversation)
    )


def _with(answer: str, later: Sequence[str], rng: random.Random) -> str:
    known = [each for each in later if each and each != UNKNOWN[1]]
    return lengthened(answer, known, words=rng.randint(40, 150)) if answer else answer


def turns_of(path: Path) -> list[Turn]:
    """The last turns of a file with `id`, `history` and `utterance`."""
    return [
        Turn(row["id"], conversation([*row["history"], row["utterance"]], {})[:-1], plain(row["utterance"]))
        for row in lines(path)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("file", help="the model's GGUF file in that folder")
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--chats", type=int, default=8000, help="at least so many, if there is time")
    parser.add_argument("--seconds", type=float, nargs=2, default=(190.0, 330.0), help="of tuning and writing, at most")
    parser.add_argument(
        "--rewrite", type=Path, nargs="*", default=[], help="files to rewrite too, to measure the model"
    )
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    rng = random.Random(wanted.seed)  # noqa: S311 - no secret
    wanted.out.mkdir(parents=True, exist_ok=True)
    model = LanguageModel.from_gguf(str(wanted.folder), wanted.file, device=wanted.device)
    loss = model.tune(list(sequences(wanted.data, rng)), TuneSettings(seconds=wanted.seconds[0], seed=wanted.seed))
    print(f"tuned, last loss {loss:.3f}", flush=True)
    for path in wanted.rewrite:
        _write(wanted.out / f"rewritten-{path.name}", rewritten(model, turns_of(path)))
    began, count = time.monotonic(), 0
    for number, some in enumerate(chats(model, list(read_passages(wanted.data, rng)), rng)):
        _write(wanted.out / f"written-{number:03}.jsonl.gz", some)
        count += len(some)
        print(f"{count} chats in {time.monotonic() - began:.0f} s", flush=True)
        if count >= wanted.chats or (time.monotonic() - began) * (number + 2) / (number + 1) > wanted.seconds[1]:
            break


def _write(path: Path, records: Iterable[dict[str, object]]) -> None:
    with gzip.open(path, "wt", encoding="utf-8") as out:
        for record in records:
            out.write(json.dumps(record, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
