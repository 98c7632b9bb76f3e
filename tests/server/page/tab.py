"""A tab with the page, and what tests do in it."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "locale": "en-GB"}
Page = Any  # playwright's, which may not be there

expect = pytest.importorskip("playwright.sync_api").expect


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


def turns(page: Page) -> list[str]:
    return [field.input_value() for field in page.locator("#turns textarea").all()]


def roles(page: Page) -> list[str]:
    texts: list[str] = page.locator("#turns .role").all_inner_texts()
    return texts


def settled(page: Page, text: str) -> None:
    """Wait until the rewrite reads so."""
    expect(page.locator("#text")).to_have_text(text)


def paste(page: Page, text: str) -> None:
    """Paste a chat in the dialog for it."""
    page.get_by_role("button", name="Paste a chat").click()
    page.get_by_label("The chat, as text or JSON").fill(text)
    page.get_by_role("button", name="Use them").click()


def paste_turns(page: Page, texts: Sequence[str]) -> None:
    paste(page, json.dumps(texts))
    expect(page.locator("#paste-dialog")).not_to_be_visible()
