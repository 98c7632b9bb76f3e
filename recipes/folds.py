"""Hold out each part of a recipe's dev file once: a model for every fold and seed, and the mean of all.

python -m recipes.folds RECIPE.toml --folds 5 --seeds 0 10 --device cuda

The dialogues of `data.dev` are dealt to folds. For each fold and seed a model learns from `data.train` and the other
folds, and its own fold chooses its epoch. What each model says of the fold that it has not seen chooses one decoding
for all. The recipe's model has that decoding and the mean of their weights: it has learned from every dialogue, and
every choice was made on dialogues held out. All models must go on from one, or their mean says nothing.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from recipes.average import averaged
from recipes.split import whole_dialogue

from utterly.errors import TrainingError
from utterly.files import numbered_lines, written_whole
from utterly.recipe import Recipe
from utterly.rules.restricted import read_restricted
from utterly.taggers.model import TaggerModel
from utterly.training.calibrate import ask, fit_decode_to
from utterly.training.loop import train
from utterly.training.trials import Answer, Trial


def fold_recipes(recipe: Recipe, folds: int, seeds: Sequence[int]) -> list[Recipe]:
    """A recipe for every seed and fold. The files that they read are written into the folder of the whole."""
    if not recipe.tagger.start_from:
        raise TrainingError("folds need models that go on from one, but the recipe has no start_from; name one there")
    out = Path(recipe.out)
    lines = [line for _, line in numbered_lines(recipe.data.dev)]
    names = [whole_dialogue(json.loads(line).get("id")) for line in lines]
    dialogues = list(dict.fromkeys(names))
    if not 2 <= folds <= len(dialogues):
        raise TrainingError(f"there must be from 2 to {len(dialogues)} folds, one dialogue in each, but {folds} came")
    out.mkdir(parents=True, exist_ok=True)
    made = []
    for fold in range(folds):
        held = set(dialogues[fold::folds])
        train_file, held_file = (out / f"fold-{fold}.{part}.jsonl" for part in ("train", "held"))
        for file, is_held in ((train_file, False), (held_file, True)):
            with written_whole(file) as opened:
                opened.writelines(
                    f"{line}\n" for line, name in zip(lines, names, strict=True) if (name in held) == is_held
                )
        data = replace(recipe.data, train=(*recipe.data.train, str(train_file)), dev=str(held_file))
        made += [
            replace(
                recipe,
                out=str(out / f"fold-{fold}-seed-{seed}"),
                data=data,
                training=replace(recipe.training, seed=seed + fold, dev_limit=0),
            )
            for seed in seeds
        ]
    return made


def train_on_folds(
    recipe: Recipe, folds: int, seeds: Sequence[int], *, device: str = "cpu"
) -> tuple[TaggerModel, Trial]:
    """The mean of the folds' models, and what its decoding scores on dialogues that each of them has not seen."""
    runs = fold_recipes(recipe, folds, seeds)
    answers: list[Answer] = []
    for run in runs:
        model = train(run)
        unseen = [each.script.dialogue for each in read_restricted(run.data.dev, model.book)]
        answers += ask(model, unseen, device=device)
    mean = averaged((TaggerModel.from_pretrained(Path(run.out) / "model") for run in runs), [1.0] * len(runs))
    best = fit_decode_to(answers, mean, workers=recipe.training.workers)[0]
    mean = replace(mean, decode=best.settings)
    mean.save_pretrained(Path(recipe.out) / "model")
    return mean, best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipe", type=Path)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0], help="each fold's is this and the fold's number")
    parser.add_argument("--device", default="cpu", help="where held-out folds are read; training takes the recipe's")
    args = parser.parse_args()
    _, best = train_on_folds(Recipe.read(args.recipe), args.folds, args.seeds, device=args.device)
    print(f"on dialogues not seen: BLEU-4 {best.bleu4:.2f}, EM {best.exact:.2f}; {best.settings}")


if __name__ == "__main__":
    main()
