"""The page of a server with a stand-in for the models, opened in Chromium.

While the browser is open an event loop runs, so it is closed after the tests of this package.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.chromium import CHROMIUM, launched
from tests.server.conftest import server
from tests.server.stand_in import StandIn

if TYPE_CHECKING:
    from tests.server.page.tab import Tab


@pytest.fixture(scope="package")
def url() -> Iterator[str]:
    with server(StandIn()) as address:
        yield address


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine: apt-get install chromium")
    with sync_playwright() as driver:
        started = launched(driver)
        yield started
        started.close()


@pytest.fixture
def tab(browser: Any, url: str) -> Iterator["Tab"]:
    from tests.server.page.tab import Tab

    with browser.new_context(permissions=["clipboard-read", "clipboard-write"], locale="en-GB") as context:
        tab = Tab(context, url)
        yield tab
        assert tab.said == []
        assert [each for each in tab.asked if not each.startswith(url)] == []


@pytest.fixture
def page(tab: "Tab") -> Any:
    page = tab.open()
    page.wait_for_selector("#drawn ins")
    return page
