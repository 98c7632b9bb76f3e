"""The result: edits drawn and tied to their places, confidence and its meaning, what else was meant, code to use."""

import json
import re
from typing import Any

import pytest

from tests.server.conftest import server
from tests.server.page.tab import Page, Tab, expect, paste, settled
from tests.server.stand_in import StandIn
from utterly.presets import Preset


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
    expect(place).to_have_class("lit")
    expect(span).to_have_class("span lit")
    assert span.get_attribute("aria-label") == "Federer, copied from turn 1"


def test_pressing_a_copied_span_goes_to_its_place(page: Page) -> None:
    page.locator("#drawn .span").focus()
    page.get_by_label("Turn 1, User", exact=True).fill("")
    expect(page.locator("#turns mark")).to_have_count(0)
    page.get_by_label("Turn 1, User", exact=True).fill("👍🏽👍🏽 Why did Federer withdraw?")
    expect(page.locator("#turns mark")).to_have_text("Federer")
    page.locator("#drawn .span").press("Enter")
    chosen = "() => { const e = document.activeElement; return e.value.slice(e.selectionStart, e.selectionEnd); }"
    assert page.evaluate(chosen) == "Federer"
    assert page.locator("#turns mark").inner_text() == "Federer"


def test_the_rewrite_is_copied(page: Page) -> None:
    page.get_by_role("button", name="Copy", exact=True).first.click()
    expect(page.locator("#notice")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == "Did Federer have any other injuries?"


def test_confidence_is_shown_with_what_it_means(page: Page) -> None:
    assert page.locator("#percent").inner_text() == "90 %"
    meter = page.get_by_role("meter", name="Confidence")
    assert meter.get_attribute("aria-valuenow") == "90"
    about = page.locator(f"#{meter.get_attribute('aria-describedby')}")
    expect(about).to_be_visible()
    expect(about).to_contain_text("chance that a person would have written exactly this")
    expect(about).to_contain_text("the chance that this helps rather than harms")


def test_time_and_model_are_shown_and_the_rewrite_is_announced(page: Page) -> None:
    assert re.fullmatch(r"\d+ ms \(server [\d.]+ ms\)", page.locator("#time").inner_text())
    assert page.locator("#by").inner_text() == "en"
    assert page.locator("#announced").get_attribute("aria-live") == "polite"
    assert page.locator("#announced").text_content() == "Did Federer have any other injuries?"


def test_alternatives_are_those_worth_reading_and_in_order(tab: Tab, page: Page) -> None:
    ways = {
        "Did Federer have any other injuries": 0.5,  # the same but for a sign
        "Did he have any other injuries?": 0.06,
        "Did Federer any other injuries?": 0.019,
        "Did Federer have injuries?": 0.2,
        "did he have any other injuries ?": 0.04,
        "Did his back have any other injuries?": 0.03,
        "Did the match have any other injuries?": 0.02,
    }

    def answer(route: Any) -> None:
        response = route.fetch()
        alternatives = [{"text": text, "confidence": confidence} for text, confidence in ways.items()]
        route.fulfill(response=response, body=json.dumps({**response.json(), "alternatives": alternatives}))

    page.route("**/v1/rewrite", answer)
    page.reload()
    expect(page.locator("#alternatives li").first).to_contain_text("Did Federer have injuries?")
    assert [each.split("\n") for each in page.locator("#alternatives li").all_inner_texts()] == [
        ["Did Federer have injuries?", "20 %"],
        ["Did he have any other injuries?", "6 %"],
        ["Did his back have any other injuries?", "3 %"],
    ]
    ways.clear()
    page.reload()
    page.wait_for_selector("#drawn ins")
    expect(page.locator("#others")).to_be_hidden()


def test_the_rewrite_that_was_held_back_comes_first(page: Page) -> None:
    ways = {"Did the match have others?": 0.01, "Did his back?": 0.3, "Did Federer?": 0.2, "Did he have others?": 0.1}
    alternatives = [{"text": text, "confidence": confidence} for text, confidence in ways.items()]

    def answer(route: Any) -> None:
        response = route.fetch()
        changes = {"abstained": True, "reason": "confidence 0.01 is below 0.4", "alternatives": alternatives}
        route.fulfill(response=response, body=json.dumps({**response.json(), **changes}))

    page.route("**/v1/rewrite", answer)
    page.reload()
    expect(page.locator("#alternatives li").first).to_contain_text("Did the match have others?")
    assert [each.split("\n")[0] for each in page.locator("#alternatives li").all_inner_texts()] == [*ways][:3]


def test_a_problem_is_shown_in_its_own_words(browser: Any, url: str) -> None:
    with browser.new_context(locale="en-GB") as context:
        page = Tab(context, url).open()
        page.wait_for_selector("#drawn ins")
        page.get_by_label("to be rewritten").fill("Now explode")
        expect(page.get_by_role("alert").first).to_contain_text("the server failed; try again")
        page.get_by_label("to be rewritten").fill("Is he Swiss?")
        settled(page, "Is Federer Swiss?")
        page.route("**/v1/rewrite", lambda route: route.abort())
        page.get_by_label("to be rewritten").fill("Is he tall?")
        expect(page.get_by_role("alert").first).to_contain_text(
            "The server cannot be reached; check that it is running"
        )


def test_a_key_is_asked_for_where_one_is_needed_and_never_shown(browser: Any) -> None:
    with server(StandIn(), api_keys=("hush",)) as url, browser.new_context(locale="en-GB") as context:
        page = Tab(context, url).open()
        page.get_by_label("API key of this server").fill("hush")
        page.get_by_role("button", name="Use it").click()
        settled(page, "Did Federer have any other injuries?")
        page.get_by_role("tab", name="curl").click()
        expect(page.locator("#code")).to_contain_text('-H "X-API-Key: $UTTERLY_API_KEY"')
        expect(page.locator("#code")).not_to_contain_text("hush")


def test_the_code_is_that_of_the_present_dialogue_and_settings(page: Page) -> None:
    code = page.locator("#code")
    expect(code).to_contain_text('"Did he have any other injuries?",\n]')
    page.get_by_label("to be rewritten").fill("Is he Swiss?")
    expect(code).to_contain_text('"Is he Swiss?",\n])\nprint(result.text)')
    page.get_by_text("Settings").click()
    expect(page.get_by_role("radio", name="Balanced")).to_be_checked()  # the threshold of both models
    page.get_by_role("radio", name="Careful").check()
    page.locator("#model").select_option("en")
    expect(code).to_contain_text('Rewriter.load("en")')
    expect(code).to_contain_text('], preset="careful")')
    page.get_by_role("tab", name="LangChain").click()  # it knows no presets
    expect(code).to_contain_text(f'QuestionRewriter(model="en", min_confidence={Preset.CAREFUL.min_confidence})')


def test_a_models_own_threshold_that_is_no_presets_checks_none(browser: Any, url: str) -> None:
    models = {"models": [{"name": "mine", "language": "en", "tagger": "hct", "min_confidence": 0.6}], "version": "1"}
    with browser.new_context(locale="en-GB") as context:
        context.route("**/v1/models", lambda route: route.fulfill(json=models))
        page = Tab(context, url).open()
        page.get_by_text("Settings").click()
        expect(page.locator("#model option")).to_have_count(2)
        expect(page.locator("[name=preset]:checked")).to_have_count(0)
        expect(page.locator("#code")).not_to_contain_text("preset")


def test_tabs_of_the_code_go_round_by_arrow_keys(page: Page) -> None:
    first = page.get_by_role("tab", name="Python")
    first.focus()
    for name in ("curl", "LangChain", "Python"):
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.textContent") == name
        assert page.get_by_role("tab", name=name).get_attribute("aria-selected") == "true"
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("tabpanel", name="LangChain")).to_contain_text("QuestionRewriter")
    assert page.locator("[role=tab][tabindex='-1']").count() == 2


def test_the_code_is_copied_whole_even_if_it_is_shown_shortened(page: Page) -> None:
    paste(page, json.dumps(["Federer " * 2000, "Is he Swiss?"]))
    settled(page, "Is Federer Swiss?")
    assert len(page.locator("#code").inner_text()) < 5000
    page.get_by_role("button", name="Copy the code").click()
    expect(page.locator("#notice")).to_have_text("Copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "Federer " * 2000 in copied
    assert copied.endswith("print(result.text)\n")


def test_a_server_that_allows_no_alternatives_is_asked_for_none(browser: Any) -> None:
    with server(StandIn(), max_n_best=2) as url, browser.new_context(locale="en-GB") as context:
        page = Tab(context, url).open()
        settled(page, "Did Federer have any other injuries?")
        expect(page.locator("#others")).to_be_hidden()
