"""The page in a real Chromium: what is typed is rewritten and drawn, by keyboard, on a phone, in the light and dark.

Where there is no Chromium these tests are skipped, each by name.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.chromium import launched, needs_chromium
from tests.server.conftest import server
from tests.server.stand_in import StandIn

playwright = pytest.importorskip("playwright.sync_api")
axe = pytest.importorskip("axe_playwright_python.sync_playwright")

Page = Any  # playwright's, which may not be there

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with server(StandIn()) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        chromium = launched(driver)
        yield chromium
        chromium.close()


class Tab:
    """A page that remembers what the console said and what was asked for."""

    def __init__(self, context: Any, url: str) -> None:
        self.page, self.url = context.new_page(), url
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def open(self, path: str = "/") -> Page:
        self.page.goto(self.url + path)
        return self.page


@pytest.fixture
def tab(browser: Any, url: str) -> Iterator[Tab]:
    with browser.new_context(permissions=["clipboard-read", "clipboard-write"], locale="en-GB") as context:
        tab = Tab(context, url)
        yield tab
        assert tab.said == []
        assert [each for each in tab.asked if not each.startswith(url)] == []


@pytest.fixture
def page(tab: Tab) -> Page:
    page = tab.open()
    page.wait_for_selector("#drawn ins")
    return page


def turns(page: Page) -> list[str]:
    return [field.input_value() for field in page.locator("#turns textarea").all()]


def settled(page: Page, text: str) -> None:
    """Wait until the rewrite reads so."""
    playwright.expect(page.locator("#text")).to_have_text(text)


def test_the_rewrite_appears_as_one_types(page: Page) -> None:
    page.get_by_label("Turn 3, to be rewritten").fill("")
    page.keyboard.type("Is he Swiss?")
    settled(page, "Is Federer Swiss?")


def test_typing_asks_for_the_whole_turn_and_not_for_every_key(tab: Tab, page: Page) -> None:
    page.get_by_label("to be rewritten").fill("")
    tab.asked.clear()
    page.keyboard.type("Is he Swiss?")
    settled(page, "Is Federer Swiss?")
    assert 1 <= len([each for each in tab.asked if each.endswith("/v1/rewrite")]) < len("Is he Swiss?")


def test_edits_are_drawn_and_told_apart(page: Page) -> None:
    page.get_by_label("to be rewritten").fill("Any other injuries?")
    settled(page, "Any other injuries besides Federer?")
    assert page.locator("#drawn ins.rule").all_inner_texts() == ["besides"]
    assert page.locator("#drawn ins.copied").all_inner_texts() == ["Federer"]
    page.get_by_label("to be rewritten").fill("Is he Swiss?")
    settled(page, "Is Federer Swiss?")
    assert page.locator("#drawn del").all_inner_texts() == ["he"]
    struck = page.locator("#drawn del").evaluate("each => getComputedStyle(each).textDecorationLine")
    assert struck == "line-through"


@pytest.mark.parametrize("way", ["hover", "focus"])
def test_a_copied_span_and_its_place_light_up_together(page: Page, way: str) -> None:
    span, place = page.locator("#drawn .span"), page.locator("#turns mark")
    assert place.inner_text() == "Federer"
    assert page.locator(".lit").count() == 0
    getattr(span, way)()
    playwright.expect(place).to_have_class("lit")
    playwright.expect(span).to_have_class("span lit")
    assert span.get_attribute("aria-label") == "Federer, copied from turn 1"


def test_pressing_a_copied_span_goes_to_its_place(page: Page) -> None:
    page.locator("#drawn .span").focus()
    page.get_by_label("Turn 1", exact=True).fill("")
    playwright.expect(page.locator("#turns mark")).to_have_count(0)
    page.get_by_label("Turn 1", exact=True).fill("👍🏽👍🏽 Why did Federer withdraw?")
    playwright.expect(page.locator("#turns mark")).to_have_text("Federer")
    page.locator("#drawn .span").press("Enter")
    chosen = "() => { const e = document.activeElement; return e.value.slice(e.selectionStart, e.selectionEnd); }"
    assert page.evaluate(chosen) == "Federer"
    assert page.locator("#turns mark").inner_text() == "Federer"


def test_turns_are_added_removed_and_moved_with_buttons(page: Page) -> None:
    page.get_by_role("button", name="Add a turn").click()
    page.keyboard.type("Is she Swiss?")
    page.get_by_role("button", name="Move turn 4 up").click()
    assert turns(page)[2:] == ["Is she Swiss?", "Did he have any other injuries?"]
    page.get_by_role("button", name="Remove turn 4").click()
    settled(page, "Is Federer Swiss?")
    assert page.get_by_role("button", name="Move turn 1 up").is_disabled()
    assert page.get_by_role("button", name="Move turn 3 down").is_disabled()


def test_everything_can_be_done_by_keyboard(page: Page) -> None:
    page.get_by_label("to be rewritten").focus()
    page.keyboard.press("Enter")
    page.keyboard.type("Who is Anna?")
    page.keyboard.press("Alt+ArrowUp")
    page.keyboard.press("Alt+ArrowUp")
    assert turns(page)[1] == "Who is Anna?"
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Turn 2"
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        name = "document.activeElement.id || document.activeElement.getAttribute('aria-label')"
        reached.add(page.evaluate(name))
    assert {"add", "paste", "share", "clear", "copy", "Federer, copied from turn 1", "Remove turn 1"} <= reached


def test_shift_enter_writes_a_line_and_the_field_grows(page: Page) -> None:
    field = page.get_by_label("to be rewritten")
    before = field.bounding_box()["height"]
    field.focus()
    page.keyboard.press("End")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("And now?")
    assert field.bounding_box()["height"] > before
    assert len(turns(page)) == 3


def test_examples_are_in_english_and_chinese(page: Page) -> None:
    page.get_by_label("Load an example").select_option(label="周杰伦的歌")
    settled(page, "周杰伦最近出新歌了吗")
    assert page.locator("#text").get_attribute("lang") == "zh"
    assert page.locator("#by").inner_text() == "zh"


OPENAI = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": [{"type": "text", "text": "Who is Anna?"}]},
    {"role": "assistant", "content": "A singer."},
    {"role": "user", "content": "Is she here?"},
    {"role": "assistant", "content": "Yes."},
]
GEMINI = [
    {"role": "user", "parts": [{"text": "Who is Anna?"}]},
    {"role": "model", "parts": [{"text": "Hm.", "thought": True}, {"text": "A singer."}]},
    {"role": "user", "parts": ["Is she here?"]},
]
LANGCHAIN = [
    {"type": "human", "content": "Who is Anna?"},
    {"type": "ai", "content": "A singer."},
    {"type": "human", "content": "Is she here?"},
    {"role": "user", "content": [{"type": "tool_result", "content": "{}"}]},
]


@pytest.mark.parametrize("chat", [OPENAI, GEMINI, LANGCHAIN], ids="openai gemini langchain".split())
def test_pasted_messages_become_turns(page: Page, chat: list[dict[str, Any]]) -> None:
    page.get_by_role("button", name="Paste messages").click()
    page.get_by_label("Messages as JSON").fill('{"no": "list"}')
    page.get_by_role("button", name="Use them").click()
    playwright.expect(page.locator("#paste-problem")).to_contain_text("must be a JSON list of messages")
    page.get_by_label("Messages as JSON").fill(json.dumps(chat))
    page.get_by_role("button", name="Use them").click()
    settled(page, "Is Anna here?")
    assert turns(page) == ["Who is Anna?", "A singer.", "Is she here?"]


def test_a_link_holds_the_dialogue_and_only_the_browser_sees_it(tab: Tab, page: Page) -> None:
    page.get_by_label("to be rewritten").fill("Is he Swiss, 对吗? 👍🏽")
    page.get_by_role("button", name="Copy a link").click()
    playwright.expect(page.locator("#notice")).to_have_text("Link copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(rf"{tab.url}/#d=[\w-]+", link)
    page.goto("about:blank")
    page.goto(link)
    settled(page, "Is Federer Swiss, 对吗? 👍🏽")
    assert not [each for each in tab.asked if "d=" in each.partition("#")[0]]


def test_a_broken_link_is_said(tab: Tab) -> None:
    page = tab.open("/#d=nonsense")
    playwright.expect(page.locator("#notice")).to_contain_text("This link does not hold a dialogue")


def test_the_rewrite_is_copied(page: Page) -> None:
    page.get_by_role("button", name="Copy", exact=True).click()
    playwright.expect(page.locator("#notice")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == "Did Federer have any other injuries?"


def test_confidence_alternatives_time_and_model_are_shown(page: Page) -> None:
    assert page.locator("#percent").inner_text() == "90 %"
    assert page.get_by_role("meter").get_attribute("aria-valuenow") == "90"
    assert page.locator("#alternatives li").all_inner_texts()[0].split("\n") == [
        "Did he have any other injuries?",
        "6 %",
    ]
    assert re.fullmatch(r"\d+ ms \(server [\d.]+ ms\)", page.locator("#time").inner_text())
    assert page.locator("#announced").get_attribute("aria-live") == "polite"
    assert page.locator("#announced").text_content() == "Did Federer have any other injuries?"


def test_a_turn_that_stays_says_why(page: Page) -> None:
    page.get_by_label("to be rewritten").fill("What is the capital of Portugal?")
    playwright.expect(page.locator("#note")).to_have_text("Unchanged: the turn stands on its own.")
    page.get_by_text("Settings").click()
    page.get_by_label("to be rewritten").fill("Is he Swiss?")
    page.get_by_label("Leave the turn unchanged").fill("95")
    playwright.expect(page.locator("#note")).to_have_text("Unchanged: confidence 0.90 is under 0.95.")


def test_the_page_speaks_chinese_too(page: Page) -> None:
    page.get_by_role("button", name="中文").click()
    assert page.get_by_role("heading", name="改写", exact=True).is_visible()
    assert page.get_by_label("第 3 句，待改写").is_visible()
    assert page.locator("html").get_attribute("lang") == "zh"


def test_light_and_dark_follow_the_system_until_one_chooses(browser: Any, url: str) -> None:
    with browser.new_context(color_scheme="dark") as context:
        page = Tab(context, url).open()
        shown = "getComputedStyle(document.documentElement).backgroundColor"
        dark = page.evaluate(shown)
        page.get_by_role("button", name="Switch between light and dark").click()
        light = page.evaluate(shown)
        assert dark != light
        page.reload()
        assert page.evaluate(shown) == light


@pytest.mark.parametrize("width", [320, 390, 768])
def test_nothing_is_wider_than_a_phone(browser: Any, url: str, width: int) -> None:
    with browser.new_context(viewport={"width": width, "height": 700}, has_touch=True) as context:
        page = Tab(context, url).open()
        page.wait_for_selector("#drawn ins")
        page.get_by_label("Turn 1", exact=True).fill("w" * 300)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        small = page.evaluate(
            """() => [...document.querySelectorAll("button, select, summary, a.quiet")]
                .filter((each) => each.offsetParent && !each.classList.contains("span"))
                .filter((each) => each.offsetHeight < 24 || each.offsetWidth < 24).map((each) => each.outerHTML)"""
        )
        assert small == []
        page.goto(f"{url}/docs")
        page.wait_for_selector(".operation")
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("state", ["rewrite", "problem", "pasting", "chinese", "docs"])
def test_axe_finds_nothing(browser: Any, url: str, scheme: str, state: str) -> None:
    with browser.new_context(color_scheme=scheme, locale="en-GB") as context:
        page = Tab(context, url).open("/docs" if state == "docs" else "/")
        page.wait_for_selector(".operation" if state == "docs" else "#drawn ins")
        if state == "problem":
            page.get_by_label("to be rewritten").fill("Now explode")
            page.wait_for_selector("#problem:not([hidden])")
        elif state == "pasting":
            page.get_by_role("button", name="Paste messages").click()
        elif state == "chinese":
            page.get_by_role("button", name="中文").click()
            page.wait_for_selector("#drawn ins")
        elif state == "rewrite":
            page.get_by_text("Settings").click()
        found = axe.Axe().run(page)
        assert found.violations_count == 0, found.generate_report()


def test_a_problem_is_shown_in_its_own_words(browser: Any, url: str) -> None:
    with browser.new_context(locale="en-GB") as context:
        page = Tab(context, url).open()
        page.wait_for_selector("#drawn ins")
        page.get_by_label("to be rewritten").fill("Now explode")
        playwright.expect(page.get_by_role("alert").first).to_contain_text("the server failed; try again")
        page.get_by_label("to be rewritten").fill("Is he Swiss?")
        settled(page, "Is Federer Swiss?")
        page.route("**/v1/rewrite", lambda route: route.abort())
        page.get_by_label("to be rewritten").fill("Is he tall?")
        playwright.expect(page.get_by_role("alert").first).to_contain_text(
            "The server cannot be reached; check that it is running"
        )


def test_a_key_is_asked_for_where_one_is_needed(browser: Any) -> None:
    with server(StandIn(), api_keys=("hush",)) as url, browser.new_context(locale="en-GB") as context:
        page = Tab(context, url).open()
        page.get_by_label("API key of this server").fill("hush")
        page.get_by_role("button", name="Use it").click()
        settled(page, "Did Federer have any other injuries?")


def test_the_description_is_readable(tab: Tab) -> None:
    page = tab.open("/docs#too-many-turns")
    page.wait_for_selector(".operation")
    titles = page.locator(".operation h3").all_inner_texts()
    assert "POST/v1/rewrite" in [title.replace(" ", "") for title in titles]
    assert page.locator("#too-many-turns").is_visible()
