"""A language model learns from human rewrites to ask on and to say what is meant; then it writes chats.

    python -m recipes.wild.writing FOLDER FILE.gguf $DATA OUT --chats 4000 --device cuda

FOLDER/FILE.gguf is an instruction-tuned model (Qwen2.5-Coder-1.5B-Instruct, Apache-2.0, was used). In
OUT/rewritten.jsonl.gz are its rewrites of MTRAG-UN's turns, in OUT/written.jsonl.gz chats of its own: an opening
question for a passage, which is the answer, then follow-ups with what they mean, each answered by the passage that BM25
finds for that. `recipes.wild.written` makes dialogues of both.
"""

import argparse
import gzip
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from recipes.wild.answers import lengthened, words_in
from recipes.wild.conversations import (
    UNKNOWN,
    Asked,
    Conversation,
    canard_conversations,
    cast_conversations,
    ikat_conversations,
    qrecc_conversations,
    unlabelled_conversations,
)
from recipes.wild.language_model import LanguageModel, TuneSettings
from recipes.wild.passages import Passage, Search, read_passages
from recipes.wild.prompts import Stretch, laid_out, opened, to_ask, to_open, to_rewrite

LENGTHENED: Final = 0.6
MEANINGS: Final = 0.65
FOLLOW_UPS: Final = 3
AT_ONCE: Final = 640
DOMAINS: Final = {"clapnq": 50, "fiqa": 35, "cloud": 15}
STYLES: Final = {"search": 5, "rag": 4, "quac": 1}
_LEAST_WORDS_OF_A_TEXT: Final = 25


def sequences(data: Path, rng: random.Random) -> Iterator[list[Stretch]]:
    """All that the model learns from: whole conversations, and openings of conversations about a text."""
    canard, qrecc = list(canard_conversations(data)), list(qrecc_conversations(data))
    unlabelled = [conversation for _, conversation in unlabelled_conversations(data)]
    copies = (
        ("quac", canard, 1),
        ("search", qrecc, 2),
        ("search", list(ikat_conversations(data)), 6),
        ("search", list(cast_conversations(data)), 5),
        ("rag", unlabelled, 2),
    )
    for style, conversations, times in copies:
        for conversation in conversations * times:
            longer = _longer(conversation, rng) if rng.random() < LENGTHENED and style != "rag" else conversation
            yield [each for line in laid_out(style, longer, rng, meanings=MEANINGS) for each in line]
    for conversation in [*qrecc, *unlabelled, *unlabelled]:
        first = _longer(conversation, rng)[0]
        if words_in(first.answer) > _LEAST_WORDS_OF_A_TEXT:
            yield list(opened(first.answer, first.rewrite or first.question))
    for conversation in canard[::4]:
        asked = rng.choice(_longer(conversation, rng))
        if asked.rewrite and words_in(asked.answer) > _LEAST_WORDS_OF_A_TEXT:
            yield list(opened(asked.answer, asked.rewrite))


def rewritten(model: LanguageModel, data: Path) -> Iterator[dict[str, object]]:
    """MTRAG-UN's turns after the first, by the chat's id and the turn's place."""
    chats = list(unlabelled_conversations(data))
    turns = [(name, chat, place) for name, chat in chats for place in range(1, len(chat))]
    prompts = [to_rewrite("search", chat[:place], chat[place].question) for _, chat, place in turns]
    for (name, chat, place), said in zip(turns, model.go_on(prompts, ask=False), strict=True):
        yield {
            "id": f"{name}@{2 * place}",
            "utterance": chat[place].question,
            "rewrite": said.rewrite,
            "logp": said.log_probability,
        }


def chats(
    model: LanguageModel, passages: Sequence[Passage], count: int, rng: random.Random
) -> Iterator[dict[str, object]]:
    """So many chats, some at a time."""
    by_domain = {name: [each for each in passages if each.domain == name] for name in DOMAINS}
    by_domain = {name: some for name, some in by_domain.items() if some}
    searches = {name: Search(some) for name, some in by_domain.items()}
    shares = [DOMAINS[name] for name in by_domain]
    for start in range(0, count, AT_ONCE):
        drawn = [
            _Chat(rng.choice(by_domain[name]), *rng.choices(tuple(STYLES), tuple(STYLES.values())))
            for name in rng.choices(tuple(by_domain), shares, k=min(AT_ONCE, count - start))
        ]
        openings = model.go_on([to_open(chat.opening_text) for chat in drawn], ask=True, rewrite=False, temperature=0.8)
        for chat, said in zip(drawn, openings, strict=True):
            chat.take(said.question, "", 0.0, chat.passages[0])
        for _ in range(FOLLOW_UPS):
            for chat, said in zip(drawn, model.go_on([chat.prompt for chat in drawn], ask=True), strict=True):
                query = f"{said.rewrite} {chat.turns[0][0]}"
                found = searches[chat.domain].best(query, but={each.id for each in chat.passages})
                passage = found or rng.choice(by_domain[chat.domain])
                chat.passages.append(passage)
                chat.take(said.question, said.rewrite, said.log_probability, passage)
        yield from (chat.record for chat in drawn)


class _Chat:
    """A chat that is being written."""

    def __init__(self, passage: Passage, style: str) -> None:
        self.domain, self.style = passage.domain, style
        self.passages = [passage]
        self.turns: list[tuple[str, str, float, Passage]] = []

    @property
    def opening_text(self) -> str:
        first = self.passages[0]
        return f"{first.title}: {first.text}" if first.title else first.text

    @property
    def prompt(self) -> list[Stretch]:
        told = tuple(Asked(question, rewrite or None, passage.text) for question, rewrite, _, passage in self.turns)
        return to_ask(self.style, told)

    @property
    def record(self) -> dict[str, object]:
        turns = [
            {"q": question, "r": rewrite, "logp": log_probability, "answer": passage.text, "passage": passage.id}
            for question, rewrite, log_probability, passage in self.turns
        ]
        return {"domain": self.domain, "style": self.style, "turns": turns}

    def take(self, question: str, rewrite: str, log_probability: float, passage: Passage) -> None:
        self.turns.append((question, rewrite, log_probability, passage))


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("file", help="the model's GGUF file in that folder")
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--chats", type=int, default=4000)
    parser.add_argument("--seconds", type=float, default=190.0, help="of tuning, at most")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    rng = random.Random(wanted.seed)  # noqa: S311 - no secret
    wanted.out.mkdir(parents=True, exist_ok=True)
    model = LanguageModel.from_gguf(str(wanted.folder), wanted.file, device=wanted.device)
    model.tune(list(sequences(wanted.data, rng)), TuneSettings(seconds=wanted.seconds, seed=wanted.seed))
    passages = list(read_passages(wanted.data, rng))
    files = {"rewritten": rewritten(model, wanted.data), "written": chats(model, passages, wanted.chats, rng)}
    for name, records in files.items():
        with gzip.open(wanted.out / f"{name}.jsonl.gz", "wt", encoding="utf-8") as out:
            for record in records:
                out.write(json.dumps(record, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
