"""How the page looks: in the light and dark, in two languages, on a phone; and what axe says of it."""

import json
from typing import Any

import pytest

from tests.server.page.tab import PHONE, Page, Tab, expect, paste, paste_turns

axe = pytest.importorskip("axe_playwright_python.sync_playwright")

ANSWER = "# Anna\n\nShe is **a singer**:\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> so\n\n```\ncode\n```"


def test_the_page_speaks_chinese_too(page: Page) -> None:
    page.get_by_role("button", name="中文").click()
    assert page.get_by_role("heading", name="改写", exact=True).is_visible()
    assert page.get_by_label("第 3 句，用户，待改写").is_visible()
    assert page.locator("html").get_attribute("lang") == "zh"
    assert page.evaluate("[...document.querySelectorAll('[data-say]')].every((each) => each.textContent.trim())")


def test_text_from_right_to_left_is_written_so(page: Page) -> None:
    paste_turns(page, ["«من هو فيدرر؟»", "He is Federer.", "1. הוא שוויצרי?"])
    expect(page.locator("#text")).to_have_text("1. הוא שוויצרי?")
    direction = "each => getComputedStyle(each).direction"
    assert [each.evaluate(direction) for each in page.locator("#turns textarea").all()] == ["rtl", "ltr", "rtl"]
    assert page.locator("#text").evaluate(direction) == "rtl"


def test_both_languages_say_the_same_things(page: Page) -> None:
    names = """async () => { const { say, speak } = await import("/page/strings.js"); speak("en");
        const english = Object.keys((await import("/page/strings.js")).say); speak("zh");
        return [english, Object.keys((await import("/page/strings.js")).say)]; }"""
    english, chinese = page.evaluate(names)
    assert english == chinese


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
        wide = f"| {' | '.join(['Federer'] * 12)} |\n|{'---|' * 12}\n| {' | '.join(['w' * 30] * 12)} |"
        paste_turns(page, [f"{ANSWER}\n\n{wide}\n\n`{'w' * 300}`", "w" * 300, "Is he Swiss?"])
        page.wait_for_selector("#drawn ins")
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


@pytest.mark.parametrize("turns", [3, 41], ids=["short", "long"])
def test_on_a_phone_the_rewrite_and_its_turn_are_seen_without_scrolling(browser: Any, url: str, turns: int) -> None:
    with browser.new_context(**PHONE) as context:
        page = Tab(context, url).open()
        page.wait_for_selector("#drawn ins")
        if turns > 3:
            paste(page, json.dumps(["Why did Federer go?", ANSWER] * (turns // 2) + ["Is he Swiss?"]))
            expect(page.locator("#text")).to_have_text("Is Federer Swiss?")
        for seen in (page.locator("#text"), page.get_by_label("to be rewritten")):
            expect(seen).to_be_in_viewport(ratio=1)
            inside = "each => { const b = each.getBoundingClientRect(); const x = b.x + b.width / 2;"
            inside += " return [b.y + 4, b.bottom - 4].every((y) => document.elementFromPoint(x, y) === each); }"
            assert seen.evaluate(inside)  # and nothing covers it
        page.locator("#time").scroll_into_view_if_needed()
        expect(page.locator("#time")).to_be_in_viewport(ratio=1)


def test_on_a_phone_nothing_that_has_the_focus_is_covered(browser: Any, url: str) -> None:
    with browser.new_context(**PHONE) as context:
        page = Tab(context, url).open()
        paste_turns(page, ["Why did Federer go?", ANSWER] * 3 + ["Is he Swiss?"])
        expect(page.locator("#text")).to_have_text("Is Federer Swiss?")
        page.get_by_role("button", name="User says turn 1").focus()
        for _ in range(50):
            page.keyboard.press("Tab")
            seen = """() => { const each = document.activeElement; const b = each.getBoundingClientRect();
                const there = document.elementFromPoint(b.x + b.width / 2, b.y + Math.min(b.height / 2, 20));
                return each === document.body || each.contains(there) || there?.contains(each) || each.outerHTML; }"""
            assert page.evaluate(seen) is True


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("state", ["rewrite", "markdown", "phone", "problem", "pasting", "chinese", "docs"])
def test_axe_finds_nothing(browser: Any, url: str, scheme: str, state: str) -> None:
    look = {"color_scheme": scheme, "locale": "en-GB", **(PHONE if state == "phone" else {})}
    with browser.new_context(**look) as context:
        page = Tab(context, url).open("/docs" if state == "docs" else "/")
        page.wait_for_selector(".operation" if state == "docs" else "#drawn ins")
        if state == "problem":
            page.get_by_label("to be rewritten").fill("Now explode")
            page.wait_for_selector("#problem:not([hidden])")
        elif state in ("markdown", "phone"):
            paste_turns(page, [f"Who is Federer? {ANSWER}", ANSWER, "Is he Swiss?"])
            page.wait_for_selector(".view mark")
        elif state == "pasting":
            page.get_by_role("button", name="Paste a chat").click()
        elif state == "chinese":
            page.get_by_role("button", name="中文").click()
            page.wait_for_selector("#drawn ins")
        elif state == "rewrite":
            page.get_by_text("Settings").click()
        found = axe.Axe().run(page)
        assert found.violations_count == 0, found.generate_report()


def test_the_description_is_readable(tab: Tab) -> None:
    page = tab.open("/docs#too-many-turns")
    page.wait_for_selector(".operation")
    titles = page.locator(".operation h3").all_inner_texts()
    assert "POST/v1/rewrite" in [title.replace(" ", "") for title in titles]
    assert page.locator("#too-many-turns").is_visible()
