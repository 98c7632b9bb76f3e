"""The competitor: a small language model on the same machine that condenses the question, as in chat frameworks.

    python -m benchmarks.retrieval.condense --data FOLDER --llm MODEL.gguf --out runs/llm.jsonl
    python -m benchmarks.retrieval --data FOLDER --rewrites "1.5B language model"=runs/llm.jsonl

Greedy, one line. First turns are left unchanged. An interrupted run continues. Needs llama-cpp-python.
"""

import argparse
import json
from collections.abc import Callable, Iterable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any, Final

from benchmarks.retrieval.sets import SearchTurn, json_lines, read_bench

# LangChain's CONDENSE_QUESTION_PROMPT, verbatim.
PROMPT: Final = """Given the following conversation and a follow up question, rephrase the follow up question to be a \
standalone question, in its original language.

Chat History:
{history}
Follow Up Input: {question}
Standalone question:"""
WINDOW: Final = 8192  # tokens
LONGEST: Final = 96  # tokens of a rewrite
Ask = Callable[[str], str]


def main() -> None:
    parser = argparse.ArgumentParser(description="Rewrites by a language model, for benchmarks.retrieval.")
    parser.add_argument("--data", type=Path, required=True, help="folder with wild/*.jsonl.gz")
    parser.add_argument("--llm", type=Path, required=True, help="GGUF file of an instruction-tuned model")
    parser.add_argument("--out", type=Path, required=True, help="JSON lines with id and rewrite")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    ask = language_model(options.llm, options.threads)
    for done, turn in enumerate(condense(read_bench(options.data).turns, ask, options.out), start=1):
        print(f"{done}: {turn}", flush=True)


def condense(turns: Iterable[SearchTurn], ask: Ask, out: Path) -> Iterator[str]:
    """Append the rewrite of every turn that is not in the file yet, and yield it."""
    out.parent.mkdir(parents=True, exist_ok=True)
    done = {row["id"] for row in json_lines(out)} if out.exists() else set()
    with out.open("a", encoding="utf-8") as file:
        for turn in turns:
            if turn.id not in done:
                rewrite = (ask(prompt(turn.context, turn.source)) if turn.context else "") or turn.source
                file.write(json.dumps({"id": turn.id, "rewrite": rewrite}, ensure_ascii=False) + "\n")
                file.flush()
                yield rewrite


def prompt(context: Iterable[str], source: str) -> str:
    speakers = cycle(["Human", "Assistant"])
    history = "\n".join(f"{speaker}: {text}" for speaker, text in zip(speakers, context, strict=False))
    return PROMPT.format(history=history, question=source)


def language_model(file: Path, threads: int) -> Ask:
    from llama_cpp import Llama

    model: Any = Llama(str(file), n_ctx=WINDOW, n_threads=threads, n_threads_batch=threads, verbose=False)

    def ask(question: str) -> str:
        answer = model.create_chat_completion(
            [{"role": "user", "content": question}], temperature=0, max_tokens=LONGEST, stop=["\n"]
        )
        return str(answer["choices"][0]["message"]["content"]).strip()

    return ask


if __name__ == "__main__":
    main()
