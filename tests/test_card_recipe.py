"""The card of an exported model: scores and sizes are filled in, the notes and checksums agree with it."""

import json
import shutil
from pathlib import Path

import pytest
from recipes.card import filled, main

from utterly.model.folder import ModelFolder


def test_scores_and_sizes_are_filled_in(tmp_path: Path) -> None:
    (path := tmp_path / "canard-copies.labels.jsonl").write_text("{}\n" * 1200)
    assert filled("$bleu4 / $em of $canard_copies", {"BLEU-4": 59.081, "EM": 29.0}, [path]) == "59.08 / 29.00 of 1,200"
    with pytest.raises(KeyError, match="more"):
        filled("$more", {"BLEU-4": 1.0, "EM": 1.0}, [path])


def test_the_card_of_a_model_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = shutil.copytree(ModelFolder.find("zh").path, tmp_path / "zh")
    (tmp_path / "more.jsonl").write_text("{}\n{}\n")
    (tmp_path / "card.md").write_text("# Mine: $bleu4, $em, $more turns\n")
    report = {"overall": {"BLEU-4": {"value": 84.524}, "EM": {"value": 64.0}}}
    (tmp_path / "scores.json").write_text(json.dumps({"report": report}))
    options = ["--scores", str(tmp_path / "scores.json"), "--data", str(tmp_path / "more.jsonl")]
    monkeypatch.setattr("sys.argv", ["card", str(model), str(tmp_path / "card.md"), *options])
    main()
    found = ModelFolder.find(model)
    found.check_files()
    assert (model / "README.md").read_text() == "# Mine: 84.52, 64.00, 2 turns\n"
    assert found.config.notes["scores"] == {"REWRITE test, paper mode": {"BLEU-4": 84.52, "EM": 64.0}}
    (tmp_path / "card.md").write_text("$less")
    with pytest.raises(SystemExit, match=r"card.md: a card may name bleu4, em and its data .*, got 'less'$"):
        main()
