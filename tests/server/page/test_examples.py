"""What the page shows with the bundled models: each example is rewritten as a person would, and the code runs."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import server
from tests.server.page.tab import Page, Tab, expect, paste, settled
from utterly import Rewriter
from utterly.model.folder import bundled_folders
from utterly.presets import Preset

pytestmark = pytest.mark.skipif(not bundled_folders(), reason="the bundled models are not here")

ACCEPTED = {
    "Federer’s injuries": {
        "Did Federer have any other injuries besides his back?",
        "Did Federer have any other injuries besides his back in yesterday's match?",
    },
    "A lamp to return": {"How do I return the brass desk lamp?"},
    "The weather there": {"What is the weather like in Lisbon?"},
    "An answer in Markdown": {"Who maintains PostgreSQL?"},
    "A question that stands alone": {"Does the Business plan include SSO?"},
    "周杰伦的歌": {"周杰伦最近出新歌了吗"},
    "上海的天气": {"那上海明天会下雨吗", "上海明天会下雨吗"},
}
AWKWARD = ['Who is "Federer"? It\'s $HOME, `ls`, C:\\new\nJSON\n', "He plays tennis 👍🏽\u2028'''", "Is he Swiss?"]

FIGURES = (Path(__file__).parents[3] / "docs" / "presets.md").read_text(encoding="utf-8")
UNSURE = ["Who painted it?", "Nobody knows.", "And before that?"]


@pytest.fixture(scope="module")
def real_page(browser: Any) -> Iterator[Page]:
    with server(Rewriter.load()) as url, browser.new_context(locale="en-GB") as context:
        page = Tab(context, url).open()
        page.wait_for_selector("#drawn ins")
        yield page


def test_every_example_is_rewritten_as_a_person_would(real_page: Page) -> None:
    said = {}
    for name in real_page.locator("#example option").all_inner_texts()[1:]:
        with real_page.expect_response("**/v1/rewrite") as response:
            real_page.get_by_label("Load an example").select_option(label=name)
        settled(real_page, response.value.json()["text"])
        assert real_page.locator("#text").get_attribute("lang") == response.value.json()["language"]
        said[name] = real_page.locator("#text").inner_text()
    assert said.keys() == ACCEPTED.keys()
    assert {name: text for name, text in said.items() if text not in ACCEPTED[name]} == {}


@pytest.mark.parametrize(
    ("turns", "why"),
    [
        (
            ["Wer ist Federer?", "Ein Spieler.", "Ist er Schweizer?"],
            "this is German, which no model here knows.",
        ),
        (["Who is Federer?"], "first turn: there is no context to resolve against."),
        (
            ["Who is Federer?", "A player.", "What is the capital of Portugal?"],
            "the turn stands on its own.",
        ),
    ],
)
def test_a_turn_that_is_left_alone_says_why(real_page: Page, turns: list[str], why: str) -> None:
    paste(real_page, json.dumps(turns))
    settled(real_page, turns[-1])
    expect(real_page.locator("#note")).to_contain_text(f"Unchanged: {why}")
    was_judged = "stands on its own" in why
    expect(real_page.locator("#confidence")).to_be_visible(visible=was_judged)  # no model was asked, so none is sure
    expect(real_page.locator("#confidence-about")).to_be_visible(visible=was_judged)


def test_the_presets_say_what_they_cost_and_hold_back_what_is_unsure(real_page: Page) -> None:
    rewrite = "And who painted before painted it?"
    paste(real_page, json.dumps(UNSURE))
    settled(real_page, rewrite)
    real_page.get_by_text("Settings").click()
    for preset in Preset:
        (row,) = re.findall(rf"^\| `{preset}` \|(.* / .*)$", FIGURES, re.MULTILINE)
        _, report, _, gain, *_ = row.split("|")
        about = real_page.locator(f"label:has([value={preset}])")
        expect(about).to_contain_text(f"gains {gain.strip()} %")
        expect(about).to_contain_text(f"{report.split('/')[-1].strip()} of")
    real_page.get_by_role("radio", name="Careful").check()
    settled(real_page, UNSURE[-1])
    expect(real_page.locator("#note")).to_contain_text(re.compile(r"Unchanged: confidence 0\.\d+ is below 0\.\d"))
    expect(real_page.locator("#alternatives li").first).to_contain_text(rewrite)
    real_page.get_by_role("radio", name="Eager").check()
    settled(real_page, rewrite)


@pytest.mark.parametrize("tab", ["Python", "curl", "LangChain"])
def test_the_code_prints_what_the_page_shows(real_page: Page, tab: str) -> None:
    if (tab == "LangChain" and find_spec("langchain_core") is None) or (tab == "curl" and shutil.which("curl") is None):
        pytest.skip(f"{tab} is not here")
    with real_page.expect_response("**/v1/rewrite") as response:
        paste(real_page, json.dumps(AWKWARD))
    assert response.value.request.post_data_json["turns"] == AWKWARD
    rewrite = response.value.json()["text"]
    settled(real_page, rewrite)
    assert rewrite == "Is Federer Swiss?"
    real_page.get_by_role("tab", name=tab).click()
    code = real_page.locator("#code").text_content()
    if tab == "curl":
        answer = json.loads(subprocess.run(["bash", "-c", code], capture_output=True, check=True).stdout)
        assert answer["text"] == rewrite
    else:
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert run.stdout.strip() == rewrite
