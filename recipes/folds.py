"""Train a model per fold of a recipe's dev file, and average them.

python -m recipes.folds RECIPE.toml --variant NAME --folds 5 --seeds 0 2 --device cuda

The dialogues of `data.dev` are split into folds. For each fold and seed, a model is trained on `data.train` and the
other folds, and its own fold, which it has not seen, selects the epoch. The decoding is tuned on the answers of all
models on their own folds. The result has that decoding and the mean of the weights: it has learned from every dialogue,
yet every choice was made on held-out dialogues. All models must start from the same one for their mean to make sense.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from recipes.average import averaged
from recipes.split import whole_dialogue

from utterly.errors import TrainingError, UtterlyError
from utterly.files import numbered_lines, written_whole
from utterly.labels.labels import read_labels
from utterly.networks.torch_model import TorchModel
from utterly.parallel import in_processes
from utterly.training.calibrate import ScoredDialogue, Trial, fit_decode_to, score_dialogues
from utterly.training.data import read_dev
from utterly.training.loop import train
from utterly.training.recipe import Recipe


def fold_recipes(recipe: Recipe, folds: int, seeds: Sequence[int]) -> list[Recipe]:
    """A recipe for every fold and seed; writes the files they read to the recipe's folder."""
    if not recipe.tagger.start_from:
        raise TrainingError("folds need models that start from the same one; set tagger.start_from")
    if not seeds or len(set(seeds)) < len(seeds):
        raise TrainingError(f"seeds must be at least one, all different, got {list(seeds)}")
    dealt = _dialogues(recipe)
    if not 2 <= folds <= len(dealt):
        raise TrainingError(
            f"folds must be at least 2 and at most the {len(dealt)} dialogues of {recipe.data.dev}, got {folds}; turns "
            "belong to one dialogue if their ids say so, such as news-7-turn2 or C_4_q#2"
        )
    out = Path(recipe.out)
    out.mkdir(parents=True, exist_ok=True)
    made = []
    for fold in range(folds):
        held = set(list(dealt)[fold::folds])
        files = []
        for part, is_held in (("train", False), ("held", True)):
            lines = [line for name, some in dealt.items() if (name in held) == is_held for line in some]
            files.append(_written(out / f"fold-{fold}-of-{folds}.{part}.jsonl", lines))
        made += [
            replace(
                recipe,
                out=str(out / f"fold-{fold}-of-{folds}-seed-{seed}"),
                data=replace(recipe.data, train=(*recipe.data.train, files[0]), dev=files[1]),
                training=replace(recipe.training, seed=seed * folds + fold, dev_limit=0),
            )
            for seed in seeds
        ]
    return made


def _dialogues(recipe: Recipe) -> dict[str, list[str]]:
    """The lines of the dev file by dialogue; none of them may be in data.train."""
    dealt: dict[str, list[str]] = {}
    read = zip(numbered_lines(recipe.data.dev), read_labels(recipe.data.dev), strict=True)
    for (number, line), labels in read:
        if not labels.id:
            raise TrainingError(
                f"{recipe.data.dev}, line {number}: every turn needs an id that names its dialogue, like news-7-turn2"
            )
        dealt.setdefault(whole_dialogue(labels.id), []).append(line)
    trained = (whole_dialogue(each.id) for path in recipe.data.train for each in read_labels(path))
    if both := next((name for name in trained if name in dealt), None):
        raise TrainingError(
            f"{both} is in both data.train and data.dev; remove it from one, or models have seen what they hold out"
        )
    return dealt


def _written(path: Path, lines: Sequence[str]) -> str:
    """Write a file and return its name. If it exists, it must be the same: earlier models may have seen these lines."""
    if path.exists() and [line for _, line in numbered_lines(path)] != list(lines):
        raise TrainingError(f"{path}: an earlier run dealt other dialogues to this fold; set another out")
    with written_whole(path) as file:
        file.writelines(f"{line}\n" for line in lines)
    return str(path)


def train_on_folds(
    recipe: Recipe, folds: int, seeds: Sequence[int], *, device: str = "cpu", jobs: int = 1
) -> tuple[TorchModel, Trial]:
    """The mean of the folds' models, and the scores of its decoding on held-out dialogues."""
    runs = fold_recipes(recipe, folds, seeds)
    scored = in_processes(partial(_trained_and_scored, device=device), runs, workers=jobs)
    unseen = [dialogue for some in scored for dialogue in some]
    mean = averaged((TorchModel.from_pretrained(Path(run.out) / "model") for run in runs), [1.0] * len(runs))
    best = fit_decode_to(unseen, mean, workers=recipe.training.workers)[0]
    notes = {
        "recipe": recipe.to_dict(),
        "averaged": f"{len(runs)} models of {folds} folds, seeds {list(seeds)}",
        "on dialogues that each had not seen": {"BLEU-4": round(best.bleu4, 2), "EM": round(best.exact, 2)},
    }
    mean = mean.with_config(decode=best.settings, notes=notes)
    mean.save_pretrained(Path(recipe.out) / "model")
    return mean, best


def _trained_and_scored(run: Recipe, *, device: str) -> list[ScoredDialogue]:
    """Train a fold's model, and score it on the dialogues it has not seen."""
    model = train(run)
    return score_dialogues(model.to(device), read_dev(run.data.dev))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipe", type=Path, help="recipe with tagger.start_from")
    parser.add_argument("--variant", default="", help="variant of the recipe")
    parser.add_argument("--folds", type=int, default=5, help="number of folds (default: 5)")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0], help="train one model per seed and fold")
    parser.add_argument("--device", default="cpu", help="device for scoring held-out folds; training uses the recipe's")
    parser.add_argument("--jobs", type=int, default=1, help="models to train at a time")
    args = parser.parse_args()
    try:
        recipe = Recipe.read(args.recipe, args.variant)
        _, best = train_on_folds(recipe, args.folds, args.seeds, device=args.device, jobs=args.jobs)
    except UtterlyError as error:
        sys.exit(str(error))
    print(f"on held-out dialogues: BLEU-4 {best.bleu4:.2f}, EM {best.exact:.2f}; {best.settings}")


if __name__ == "__main__":
    main()
