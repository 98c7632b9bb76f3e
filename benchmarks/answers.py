"""The bundled models' answers must not change unless a model does: a snapshot of 500 English and 200 Chinese dialogues.

python -m benchmarks.answers --data $DATA            # compare with benchmarks/answers.jsonl
python -m benchmarks.answers --data $DATA --save     # save a new snapshot, after a model has changed

An answer is the rewrite, its script, its confidence to the last bit, and the alternatives. The file holds scripts as
numbers and the SHA-256 of the whole answer, but no text of a corpus. int8 sums differ between types of CPU: compare on
the machine that saved the snapshot.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

from tests.acceptance.scoring import load_cases

from utterly import Rewriter
from utterly.dialogues.corpora import read_canard, read_rewrite

SAVED: Final = Path(__file__).with_name("answers.jsonl")
SIZES: Final = {"en": 500, "zh": 200}
HELD_OUT: Final = {
    "en": lambda data: read_canard(data / "canard" / "dev.json.gz"),
    "zh": lambda data: read_rewrite(data / "rewrite" / "corpus.txt.gz", split="dev"),
}
_EVERY: Final = 5  # dialogues of a dev set: the fifth, the tenth, ...

_LONG: Final = "The old mill stands by the river, and its owner sells flour to the bakers of the town. " * 80
ODD: Final[list[list[Any]]] = [
    ["Hello"],
    ["", "What is it?"],
    ["Who is Ada?", ""],
    ["Who is Ada?", "   "],
    ["Who is Ada?", "A mathematician.", "?"],
    ["Who is Ada?", "A mathematician.", "where was she born"],
    ["WHO IS ADA?", "A MATHEMATICIAN.", "WHERE WAS SHE BORN?"],
    ["Tell me about 🐙.", "An octopus has 3 ❤️s.", "Why does it?"],
    ["What is **Rust**?", "A `systems` language. See [docs](https://example.org/a?b=c).", "Is it fast?"],
    ["Compare these:\n1. Oslo\n2. Rome\n3. Cairo", "| city | C |\n|---|---|\n| Oslo | 4 |",
     "How warm is the second one?"],
    ["Qu'est-ce que c'est ?", "Un café.", "Il coûte combien ?"],
    ["naïve façade résumé", "coöperate", "what does it mean?"],
    [_LONG, "Who owns it?", "The miller does.", "Where does he live?"],
    [*(["Is it far?", "Not very."] * 60), "How do I get there?"],
    ["Who wrote Dune?", "Frank Herbert.", "when was it published " * 300],
    ["a" * 5_000, "What is it?"],
    ["Who wrote Dune?", "Frank Herbert.", "it it it it it it"],
    ["Who wrote Dune?", "Frank Herbert.", "thanks!"],
    ["Can I bring my dog?", "Only small ones.", "why?"],
    ["Mix 中文 and English", "好的", "what about it?"],
    ["\u200bzero\u200bwidth", "ok\u00a0then", "and\tthat\none?"],
    ["I'm Ann.", "Hi Ann, I'm Bob's sister.", "What's his surname?"],
    ["Which is larger, 3.14 or 22/7?", "22/7 is.", "By how much is it?"],
    ["Book a table for two at Luigi's.", "At 7 or 8?", "The latter."],
    [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Who is Ada?"},
     {"role": "assistant", "content": "A mathematician."}, {"role": "user", "content": "Is she alive?"}],
    [{"role": "user", "content": [{"type": "text", "text": "Who is Ada?"}, {"type": "image_url", "image_url": "x"}]},
     {"role": "assistant", "content": None}, {"role": "user", "content": "Is she alive?"}],
    ["今天天气怎么样", "很热", "明天呢"],
    ["你喜欢周杰伦吗", "喜欢他的歌", "我也喜欢"],
    ["你喜欢周杰伦吗", "喜欢", ""],
    ["我买了iPhone 15", "好用吗", "它的电池不错"],
    ["北京" * 400, "它在哪里"],
    ["推荐一本书", "《三体》", "作者是谁？"],
]  # fmt: skip


def dialogues(data: Path, language: str) -> Iterator[tuple[str, Any]]:
    """Inputs by name: odd ones, the acceptance set, then held-out turns of a corpus."""
    chinese = [any("\u4e00" <= c <= "\u9fff" for c in str(turns)) for turns in ODD]
    for number, (turns, is_chinese) in enumerate(zip(ODD, chinese, strict=True)):
        if is_chinese == (language == "zh"):
            yield f"odd-{number}", turns
    for case in load_cases():
        if case.lang == language:
            yield case.id, list(case.turns)
    held_out = islice(HELD_OUT[language](data), _EVERY - 1, None, _EVERY)
    for number, dialogue in enumerate(held_out, start=1):
        yield f"{language}-dev-{number * _EVERY}", dialogue


def answer(rewriter: Rewriter, name: str, conversation: Any) -> dict[str, Any]:
    rewrite = rewriter.rewrite(conversation, preset="eager", n_best=3)
    whole = rewrite.to_json() | {"exact": [rewrite.confidence, *(way.confidence for way in rewrite.alternatives)]}
    whole["reason"] = rewrite.reason is not None  # its words may change
    plain = rewriter.rewrite(conversation, preset="eager")
    whole["alone"] = [plain.text, plain.confidence]
    return {
        "id": name,
        "confidence": rewrite.confidence,
        "script": [
            [i, int(edit.keep), str(edit.rule), [[span.turn, span.start, span.stop] for span in edit.spans]]
            for i, edit in enumerate(rewrite.script.edits if rewrite.script else ())
            if edit.is_change
        ],
        "sha256": hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare the bundled models' answers with those saved.")
    parser.add_argument("--data", type=Path, required=True, help="folder of the corpora")
    parser.add_argument("--save", action="store_true", help="save the answers instead of comparing them")
    options = parser.parse_args()
    rewriter = Rewriter.load()
    asked = [each for language, size in SIZES.items() for each in islice(dialogues(options.data, language), size)]
    lines = [json.dumps(answer(rewriter, *each), ensure_ascii=False) for each in asked]
    if options.save:
        SAVED.write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"saved the answers to {len(lines)} dialogues")
        return
    saved = SAVED.read_text(encoding="utf-8").splitlines()
    differing = [(was, now) for was, now in zip(saved, lines, strict=True) if was != now]
    for was, now in differing[:5]:
        print(f"was: {was}\nnow: {now}")
    print(f"{len(lines) - len(differing)} of {len(lines)} answers are the same")
    sys.exit(bool(differing))


if __name__ == "__main__":
    main()
