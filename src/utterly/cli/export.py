"""`utterly export`: a trained model to int8 ONNX, which needs no torch."""

import json
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from utterly.cli.console import busy
from utterly.cli.options import Force
from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.fields import Fields
from utterly.dialogues.jsonl import read_jsonl
from utterly.errors import DialogueError, FileError
from utterly.extras import require_all

_MOST_COMPARED: Final = 1000  # dialogues of a sample
_SAMPLE: Final = (
    ("Why did Federer withdraw from the tournament?", "He injured his back.", "Did he have any other injuries?"),
    ("Who wrote Dune?", "Frank Herbert.", "When was it published?"),
    ("What's the weather in Oslo?", "Rainy, 8 degrees.", "And tomorrow?"),
    ("My order hasn't arrived.", "What is the order number?", "A-1043", "Sorry, it is late.", "Can I cancel it?"),
    ("Play some jazz.", "Playing jazz.", "Turn it up a little"),
    ("Which libraries read Parquet?", "pyarrow and polars do.", "which one is faster?"),
    ("Hello!", "Hi, how can I help?", "Thanks, nothing for now."),
    ("Where is the Louvre?", "In Paris.", "How do I renew my passport?"),
    ("你喜欢周杰伦吗", "喜欢，他的歌很好听", "他最有名的歌是什么"),
    ("北京今天天气怎么样", "今天北京有雨", "明天呢"),
    ("我想订一张去上海的票", "好的，什么时候出发", "周五，那边冷不冷"),
    ("你好", "你好，有什么可以帮你", "谢谢"),
)


def export(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A folder, a name on the hub, or a bundled model.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to write.")],
    sample: Annotated[
        Path | None,
        typer.Option(
            help=f"JSON lines to compare on, at most {_MOST_COMPARED:,}. Default: {len(_SAMPLE)} built-in dialogues."
        ),
    ] = None,
    card: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="A model card. Default: made from the notes.")
    ] = None,
    notes: Annotated[
        Path | None,
        typer.Option(exists=True, dir_okay=False, help="A JSON object to store with the model: its data, its scores."),
    ] = None,
    bits: Annotated[int, typer.Option(help="Bits of a stored weight: 8, or 4 for half the size.")] = 8,
    no_int8: Annotated[bool, typer.Option("--no-int8", help="Keep float weights: four times the size.")] = False,
    force: Force = False,
) -> None:
    """Export a trained model to int8 ONNX, which needs no torch, and compare the rewrites of both.

    `utterly rewrite --model OUT` and `Rewriter.load("OUT")` read the folder. Reports for how many dialogues of the
    sample both models give the same rewrite. With 4 bits it computes in int8 too; train for it (`weight_bits = 4`), or
    many rewrites will differ. Needs the extra `export`: `pip install 'utterly[export]'`.

    Example: `utterly export runs/canard/hct/model my-model --sample runs/canard/dev.jsonl`
    """
    require_all("torch", "transformers", "onnx", extra="export")
    from utterly.networks.export.graphs import export as write_onnx
    from utterly.networks.torch_model import TorchModel

    if out.exists() and not out.is_dir():
        raise FileError(out, "the output must be a folder, but this is a file")
    if out.exists() and Path(model).exists() and out.samefile(model):
        raise FileError(out, "the output must not be the model's own folder; name another")
    if out.exists() and any(out.iterdir()) and not force:
        raise FileError(out, "the output folder must be empty, but has files; name another, or use --force")
    dialogues = list(islice(read_jsonl(sample), _MOST_COMPARED)) if sample else list(map(Dialogue.of, _SAMPLE))
    trained = TorchModel.from_pretrained(model)
    if notes:
        trained = trained.with_config(notes=_read_notes(notes))
    text = card.read_text(encoding="utf-8") if card else None
    with busy(f"exporting {Path(model).name}"):
        made = write_onnx(trained, out, bits=32 if no_int8 else bits, sample=dialogues, card=text)
    typer.echo(f"wrote {made.bytes / 1e6:.1f} MB to {out}")
    typer.echo(f"rewrites are the same for {made.agreed:,} of {made.compared:,} dialogues ({made.agreement:.1%})")


def _read_notes(path: Path) -> dict[str, Any]:
    try:
        return Fields(json.loads(path.read_text(encoding="utf-8"))).values
    except (OSError, ValueError, DialogueError) as wrong:
        raise FileError(path, f"notes must be a JSON object: {wrong}") from None
