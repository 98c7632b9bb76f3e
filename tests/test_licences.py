"""Code, English weights and Chinese weights have a licence each, and every place that names it names the same."""

import re
import tomllib
from pathlib import Path

import pytest

from utterly.model.folder import CARD, ModelFolder, bundled_folders

ROOT = Path(__file__).parent.parent
CODE = "Apache-2.0"
WEIGHTS = {  # by language: the front matter of the card, the metadata of the package, and how pages say it
    "en": ("cc-by-sa-4.0", "CC-BY-SA-4.0", "under CC BY-SA 4.0"),
    "zh": ("other", "LicenseRef-research-use", "for research use"),
}
NAMES = {"en": "English", "zh": "Chinese"}
pytestmark = pytest.mark.skipif(set(bundled_folders()) != set(WEIGHTS), reason="no model is bundled with this checkout")


def text(path: Path | str) -> str:
    """The words of a page, however its lines are broken."""
    return " ".join((ROOT / path).read_text(encoding="utf-8").split())


def test_the_package_names_the_licences_of_all_it_holds() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["license"].split(" AND ") == [CODE, *(package for _, package, _ in WEIGHTS.values())]
    cards = {card for pattern in project["license-files"] for card in ROOT.glob(pattern)} - {ROOT / "LICENSE"}
    assert cards == {folder / CARD for folder in bundled_folders().values()}
    assert "Apache License Version 2.0" in text("LICENSE")


@pytest.mark.parametrize("language", WEIGHTS)
def test_card_notes_readme_and_faq_say_the_same_of_the_weights(language: str) -> None:
    hub, _, words = WEIGHTS[language]
    folder = ModelFolder.find(language)
    card = text(folder.path / CARD)
    assert f" license: {hub} " in card
    assert f"The weights are {words}" in card
    assert f"The code and the generated chats are {CODE}" in card
    assert words.partition(" ")[2] in folder.config.notes["licence"]
    readme = text("README.md").partition("## Licences")[2].partition(" ## ")[0]
    assert f"The code is {CODE}." in readme
    assert f"weights {words}" in readme.partition(f"**{NAMES[language]}**")[2].partition(" - **")[0]
    faq = text("docs/faq.md")
    assert f"The code is {CODE}." in faq
    assert f"The {NAMES[language]} weights are {words}" in faq


def test_readme_names_the_data_of_the_english_weights_with_the_licence_of_each() -> None:
    card = (ModelFolder.find("en").path / CARD).read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\w+)[^|]*\| [\d,]+ \| ((?:CC|MIT|Apache)[^|]*?) \|$", card, re.MULTILINE)
    assert len(rows) == 8
    readme = text("README.md").partition("## Licences")[2]
    for data, licence in rows:
        assert re.search(rf"\b{data}\b[^()]*\({re.escape(licence)}\)", readme), data


@pytest.mark.parametrize("language", WEIGHTS)
def test_the_checksums_of_a_bundled_folder_cover_its_card(language: str) -> None:
    ModelFolder.find(language).check_files()
    assert CARD in ModelFolder.find(language).files
