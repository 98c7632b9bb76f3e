"""Labels that a model guesses, for dialogues without a rewrite: its best script, with all mentions of what it copies.

    python -m recipes.guessed MODEL DIALOGUES.jsonl OUT.labels.jsonl --device cuda

To learn from them, be taught: the label only says which slots to fill, and the teachers what is likely.
"""

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.jsonl import read_jsonl
from utterly.files import written_whole
from utterly.labels.labels import Labels, labels_to_json
from utterly.labels.trees import Context
from utterly.networks.torch_model import TorchModel


def guessed(model: TorchModel, dialogues: Iterable[Dialogue]) -> Iterator[Labels]:
    """The labels of each dialogue whose source the model can read; their target is what the model's script gives."""
    for best, *_ in model.scripts_in_batches(dialogues):
        if best.reason is None:
            script = best.script
            context = Context.of(script.dialogue)
            edits = (
                (edit.keep, edit.rule, tuple(context.mentions(context.words(span)) for span in edit.spans))
                for edit in script.edits
            )
            yield Labels.of(script.dialogue.with_target(script.apply()), edits)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("dialogues", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--device", default="cpu")
    wanted = parser.parse_args()
    model = TorchModel.from_pretrained(wanted.model, device=wanted.device)
    with written_whole(wanted.out) as out:
        for labels in guessed(model, read_jsonl(wanted.dialogues)):
            out.write(json.dumps(labels_to_json(labels), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
