"""The editor: turns are written, added, moved and removed, each by someone; what is typed is rewritten."""

import time

from tests.server.page.tab import Page, Tab, expect, paste_turns, roles, settled, turns

LONG_CHAT = [
    f"{'Question' if i % 2 else 'Answer'} {i} about Federer, with some words to fill a line." for i in range(40)
]


def test_the_rewrite_appears_as_one_types(page: Page) -> None:
    page.get_by_label("Turn 3, User, to be rewritten").fill("")
    page.keyboard.type("Is he Swiss?")
    settled(page, "Is Federer Swiss?")


def test_typing_asks_for_the_whole_turn_and_not_for_every_key(tab: Tab, page: Page) -> None:
    page.get_by_label("to be rewritten").fill("")
    tab.asked.clear()
    page.keyboard.type("Is he Swiss?")
    settled(page, "Is Federer Swiss?")
    assert 1 <= len([each for each in tab.asked if each.endswith("/v1/rewrite")]) < len("Is he Swiss?")


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
    focused = "document.activeElement.id || document.activeElement.getAttribute('aria-label')"
    assert page.evaluate(focused) == "Turn 2, Assistant"
    reached = set()
    for _ in range(50):
        page.keyboard.press("Tab")
        reached.add(page.evaluate(focused))
    assert {"add", "paste", "share", "clear", "copy", "Federer, copied from turn 1", "Remove turn 1"} <= reached
    assert {"User says turn 1: change to Assistant", "tab-python", "snippet", "copy-code"} <= reached


def test_shift_enter_writes_a_line_and_the_field_grows(page: Page) -> None:
    field = page.get_by_label("to be rewritten")
    before = field.bounding_box()["height"]
    field.focus()
    page.keyboard.press("End")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("And now?")
    assert field.bounding_box()["height"] > before
    assert len(turns(page)) == 3


def test_one_sees_who_said_what_and_can_change_it(page: Page) -> None:
    assert roles(page) == ["User", "Assistant", "User"]
    page.get_by_role("button", name="Add a turn").click()
    page.keyboard.type("Yes, his knee.")
    assert roles(page) == ["User", "Assistant", "User", "Assistant"]
    page.get_by_role("button", name="Assistant says turn 4: change to User").click()
    assert roles(page) == ["User", "Assistant", "User", "User"]
    assert page.evaluate("document.activeElement.textContent") == "User"  # the focus stays where it was
    page.get_by_role("button", name="Move turn 2 up").click()
    assert roles(page) == ["Assistant", "User", "User", "User"]
    assert page.get_by_label("Turn 1, Assistant").input_value() == "He injured his back in yesterday's match."


def test_the_turn_to_rewrite_is_scrolled_into_view(page: Page) -> None:
    paste_turns(page, LONG_CHAT)
    expect(page.get_by_label("Turn 40, User, to be rewritten")).to_be_in_viewport(ratio=1)
    expect(page.get_by_label("Turn 1, Assistant")).not_to_be_in_viewport()


def test_a_megabyte_without_a_blank_neither_stalls_the_tab_nor_breaks_the_layout(tab: Tab, page: Page) -> None:
    page.evaluate("navigator.clipboard.writeText('x'.repeat(1e6))")
    page.evaluate(
        """() => { let last = performance.now(); window.longest = 0; setInterval(() => {
            const now = performance.now();
            window.longest = Math.max(window.longest, now - last);
            last = now; }, 5); }"""
    )
    for turn in ("Turn 1, User", "Turn 3, User, to be rewritten"):
        page.get_by_label(turn, exact=True).focus()
        page.keyboard.press("Control+V")
        expect(page.locator("#problem")).to_contain_text("must have at most")
        expect(page.locator("#code")).to_contain_text("xxx")
    size = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert size[0] <= page.viewport_size["width"]
    assert size[1] < 2000
    assert page.evaluate("window.longest") < 5000  # milliseconds, on a busy machine; it was 150,000
    page.get_by_role("button", name="Copy a link").click()
    expect(page.locator("#notice")).to_contain_text("too long for a link")
    page.get_by_role("button", name="Clear").click()
    assert turns(page) == [""]
    tab.said.clear()  # the console says that the server refused


def test_a_long_turn_is_rewritten_like_any_other(page: Page) -> None:
    paste_turns(page, ["Why did Federer withdraw? " + "word " * 5000, "He hurt his back.", "Is he Swiss?"])
    settled(page, "Is Federer Swiss?")
    field = page.get_by_label("Turn 1, User", exact=True)
    assert field.bounding_box()["height"] < 300
    page.locator("#drawn .span").click()
    chosen = "() => { const e = document.activeElement; return e.value.slice(e.selectionStart, e.selectionEnd); }"
    assert page.evaluate(chosen) == "Federer"


def test_what_was_replaced_or_removed_comes_back(page: Page) -> None:
    page.get_by_label("to be rewritten").fill("Is he Swiss?")
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_hidden()
    said = turns(page)
    for name in ("Clear", "Remove turn 3", "A lamp to return", "A lamp to return"):  # the same example again
        if "lamp" in name:
            page.get_by_label("Load an example").select_option(label=name)
        else:
            page.get_by_role("button", name=name).click()
        assert turns(page) != said
        undo.click()
        assert turns(page) == said
        expect(undo).to_be_hidden()
    settled(page, "Is Federer Swiss?")


def test_hundreds_of_turns_can_be_edited(page: Page) -> None:
    paste_turns(page, [f"Turn {i} is about **Federer**." for i in range(499)] + ["Is he Swiss?"])
    settled(page, "Is Federer Swiss?")
    began = time.monotonic()
    page.get_by_label("to be rewritten").focus()
    page.keyboard.press("Enter")
    page.keyboard.type("Is she tall?")
    page.keyboard.press("Alt+ArrowUp")
    expect(page.locator("#turns textarea").nth(-2)).to_have_value("Is she tall?")
    assert time.monotonic() - began < 8  # seconds, on a busy machine
