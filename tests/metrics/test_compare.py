"""`compare`: a paired test, beside sacreBLEU's own."""

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest as SacrebleuTest
from sacrebleu.significance import Result as SacrebleuResult

from utterly.errors import MetricsError
from utterly.metrics import Comparison, compare

REFERENCES = [f"how many slams did roger federer win in {year} ?" for year in range(2000, 2040)]
COPIES = [f"how many slams did he win in {year} ?" for year in range(2000, 2040)]
MIXED = [text if row % 4 else copy for row, (text, copy) in enumerate(zip(REFERENCES, COPIES, strict=True))]
CLOSE = [text if row % 7 else copy for row, (text, copy) in enumerate(zip(REFERENCES, COPIES, strict=True))]
WORDS = "is he a swiss player or coach of the team who won many slams and did not retire in basel ?".split()


def compared(a: list[str], b: list[str], seed: int = 3) -> Comparison:
    rng = np.random.default_rng(seed)
    return compare(a, b, REFERENCES, sources=COPIES, mode="sacrebleu", rng=rng)


def test_a_system_does_not_differ_from_itself() -> None:
    for difference in compared(MIXED, MIXED).differences.values():
        assert difference.value == 0
        assert difference.p == 1


def test_a_clear_difference_is_significant() -> None:
    found = compared(COPIES, MIXED).differences
    assert found["BLEU-4"].value > 0
    assert found["BLEU-4"].p == pytest.approx(1 / 1001)
    assert found["EM"].p == pytest.approx(1 / 1001)


def test_p_is_near_that_of_sacrebleus_randomisation(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(11)
    references = [" ".join(rng.choice(WORDS, size=rng.integers(5, 15))) for _ in range(60)]
    a, b = (
        [" ".join(word for word in text.split() if rng.random() > dropped) for text in references]
        for dropped in (0.13, 0.10)
    )
    monkeypatch.setenv("SACREBLEU_SEED", "5")
    outside = SacrebleuTest(
        [("a", a), ("b", b)], {"BLEU": BLEU(references=[references])}, None, test_type="ar", n_samples=1000
    )
    result = outside()[1]["BLEU"][1]
    assert isinstance(result, SacrebleuResult)
    ours = compare(a, b, references, mode="sacrebleu", rng=rng).differences["BLEU-4"]
    assert ours.b.value == pytest.approx(result.score)
    assert result.p_value is not None
    assert 0.02 < result.p_value < 0.5
    assert ours.p == pytest.approx(result.p_value, abs=0.05)


def test_the_same_generator_gives_the_same_comparison() -> None:
    assert compared(MIXED, CLOSE) == compared(MIXED, CLOSE)
    assert compared(MIXED, CLOSE) != compared(MIXED, CLOSE, seed=4)


def test_the_interval_holds_the_difference() -> None:
    found = compared(MIXED, CLOSE).differences["BLEU-4"]
    assert found.interval.low < found.value < found.interval.high


def test_a_difference_is_printed() -> None:
    assert str(compared(COPIES, MIXED).differences["EM"]) == "EM 0.00 -> 75.00 (+75.00, p = 0.0010)"


def test_systems_must_answer_the_same_dialogues() -> None:
    with pytest.raises(MetricsError, match="39 predictions and 40 references"):
        compared(COPIES, MIXED[1:])
