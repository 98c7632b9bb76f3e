"""The page of `utterly compare` in a real Chromium: filters, order, pages of thousands of rows, and hostile text."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from tests.chromium import launched, needs_chromium
from tests.strategies import TEXTS
from utterly.metrics import Predictions
from utterly.metrics.page import text_diff, to_html
from utterly.metrics.side_by_side import side_by_side

Page = Any  # playwright's, which may not be there
Row = tuple[str, str, str, str, str, float]  # domain, source, target, A, B, confidence of A

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)> {{data}} <!-- \u2028 \u202e"
LONG = "Why did they split after so many years on the road?"
ROWS: list[Row] = [
    ("sport", "Is he Swiss?", "Is Federer Swiss?", "Is Federer Swiss?", "Is he Swiss?", 0.9),
    ("sport", "Did he win?", "Did Federer win?", "Did Nadal win?", "Did Federer win?", 0.2),
    ("music", LONG, LONG.replace("they", "ABBA"), "Why did ABBA split after many years on the road?", LONG, 0.4),
    ("music", HOSTILE, HOSTILE + " so", HOSTILE, HOSTILE, 0.1),
]


@given(TEXTS, TEXTS)
def test_a_diff_holds_both_texts(old: str, new: str) -> None:
    segments = text_diff(old, new)
    assert "".join(text for sign, text in segments if sign != "-") == new
    assert text_diff(new, new) == ([("=", new)] if new else [])
    rest = "".join(text for sign, text in segments if sign != "+")
    assert "".join(rest.split()).casefold() == "".join(old.split()).casefold()


def written(folder: Path, rows: list[Row], *, systems: int = 2) -> Path:
    """The page that compares these rewrites."""
    files = [folder / f"{name}.jsonl" for name in ("references", "a", "b")]
    for path in files:
        path.write_text("")
    for number, (domain, source, target, a, b, confidence) in enumerate(rows):
        shared = {"id": f"{number}{HOSTILE[:9]}", "history": ["Who is it?", HOSTILE], "utterance": source}
        new: list[dict[str, Any]] = [
            {"domain": domain, "rewrite": target},
            {"rewrite": a, "confidence": confidence},
            {"rewrite": b},
        ]
        for path, fields in zip(files, new, strict=True):
            with path.open("a") as file:
                file.write(json.dumps({**shared, **fields}) + "\n")
    page = folder / "page.html"
    page.write_text(to_html(side_by_side(files[0], *map(Predictions, files[1 : 1 + systems]))), encoding="utf-8")
    return page


def test_the_page_names_no_other_place(tmp_path: Path) -> None:
    page = written(tmp_path, ROWS[:3])
    without_data = re.sub(r'id="data">.*?</script>', "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert not re.search(r"https?:|//\w|\b(?:src|href|url|import|fetch)\b\s*[=(]", without_data)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        chromium = launched(driver)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("page"), ROWS)


def opened(context: Any, path: Path, said: list[str]) -> Page:
    page = context.new_page()
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: said.append(dialog.message))
    page.on("request", lambda request: None if request.url.startswith("file:") else said.append(request.url))
    page.goto(path.as_uri())
    return page


@pytest.fixture
def page(browser: Any, path: Path) -> Iterator[Page]:
    said: list[str] = []
    with browser.new_context(locale="en-GB") as context:
        yield opened(context, path, said)
    assert said == []


def numbers(page: Page) -> list[int]:
    return [int(text.removeprefix("no. ")) for text in page.locator("#rows .head span:first-child").all_inner_texts()]


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


@needs_chromium
def test_rows_are_sorted_by_loss_and_drawn_over_source_or_target(page: Page) -> None:
    assert numbers(page)[-1] == 1  # exact, so without loss
    page.get_by_role("searchbox").fill("nadal")
    assert numbers(page) == [2]
    assert page.locator("#rows dd").nth(2).locator("ins").all_inner_texts() == ["Nadal"]
    assert page.locator("#rows dd").nth(2).locator("del").all_inner_texts() == ["he"]
    page.get_by_label("Draw rewrites over").select_option("target")
    assert page.locator("#rows dd").nth(2).locator("del").all_inner_texts() == ["Federer"]
    assert "the target has it, the rewrite does not" in page.locator("#legend").inner_text()


@needs_chromium
def test_a_count_shows_the_rewrites_it_counts(page: Page) -> None:
    press(page, "wrong span, A: 1. Show only these")
    assert numbers(page) == [2]
    press(page, "exact, B: 1. Show only these")
    assert numbers(page) == [2]  # wrong in A, right in B
    press(page, "wrong span, A: 1. Show only these")
    press(page, "exact, B: 1. Show only these")
    assert len(numbers(page)) == len(ROWS)
    press(page, "deleted, A: 1. Show only these")
    assert numbers(page) == [3]


@needs_chromium
def test_domain_length_and_order_are_chosen_together_and_cleared(page: Page) -> None:
    page.get_by_label("Domain").select_option("music")
    assert sorted(numbers(page)) == [3, 4]
    page.get_by_label("Turn, words").select_option("9 to 12")
    assert numbers(page) == [3]
    press(page, "exact, A: 1. Show only these")
    assert page.locator("#shown").inner_text() == "no dialogue fits (4 in all)"
    press(page, "Clear filters")
    page.get_by_label("Order").select_option("as in the file")
    assert numbers(page) == [1, 2, 3, 4]
    page.get_by_label("Order").select_option("confidence of A, highest first")
    assert numbers(page) == [1, 3, 2, 4]
    page.get_by_label("Order").select_option("A worse than B, most first")
    assert numbers(page)[0] == 2


@needs_chromium
def test_hostile_text_is_shown_as_text(page: Page) -> None:
    page.get_by_label("Order").select_option("as in the file")
    assert page.locator("#rows dd .says").nth(12).inner_text().startswith("</script><script>alert(1)")
    assert page.locator("img, script:not([id])").count() == 1  # ours
    page.locator("#rows summary").first.click()
    assert page.locator("#rows .turns li").nth(1).inner_text().startswith("</script>")


@needs_chromium
def test_figures_are_on_top_with_their_test(page: Page) -> None:
    cells = page.locator("#scores tr", has_text="EM").locator("td").all_inner_texts()
    assert cells[:3] == ["25.00", "25.00", "0.00"]
    assert "paired bootstrap, 1,000 trials, two-sided" in page.locator("#settings").inner_text()


@needs_chromium
def test_a_page_of_one_system_has_no_second(browser: Any, tmp_path: Path) -> None:
    said: list[str] = []
    with browser.new_context() as context:
        page = opened(context, written(tmp_path, ROWS, systems=1), said)
        assert page.locator("#scores thead th").all_inner_texts() == ["A"]
        assert page.locator("#rows > li").first.locator("dt").all_inner_texts() == ["Source", "Target", "A"]
    assert said == []


@needs_chromium
def test_thousands_of_rows_come_in_pages(browser: Any, tmp_path: Path) -> None:
    said: list[str] = []
    many = [("sport", f"Is he {i}?", f"Is Federer {i}?", f"Is he {i}?", f"Is Federer {i}?", 0.5) for i in range(6_000)]
    with browser.new_context() as context:
        page = opened(context, written(tmp_path, many), said)
        assert len(numbers(page)) == 50
        page.get_by_role("button", name="Next").first.click()
        assert numbers(page)[0] == 51
        page.get_by_role("searchbox").fill("is federer 5999")
        assert numbers(page) == [6000]
        assert page.get_by_role("button", name="Previous").first.is_disabled()
    assert said == []


@needs_chromium
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_it_on_a_phone_too(browser: Any, path: Path, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    said: list[str] = []
    with browser.new_context(viewport={"width": 360, "height": 740}, color_scheme=scheme) as context:
        page = opened(context, path, said)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        found = axe.Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
