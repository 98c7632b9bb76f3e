"""Chats that are pasted: messages of many APIs, transcripts with speakers; and links that hold a dialogue."""

import json
import re
from typing import Any

import pytest

from tests.server.page.tab import Page, Tab, expect, paste, roles, settled, turns
from utterly.dialogues.conversation import dialogue_from, turns_of

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
]
ANTHROPIC = [
    {"role": "user", "content": "Who is Anna?"},
    {"role": "assistant", "content": [{"type": "text", "text": "A singer."}, {"type": "tool_use", "input": {}}]},
    {"role": "user", "content": "Is she here?"},
    {"role": "assistant", "content": [{"type": "tool_use", "name": "look", "input": {}}]},
    {"role": "user", "content": [{"type": "tool_result", "content": "yes"}]},
]
PAIRS = [["system", "Be brief."], ["human", "Who is Anna?"], ["ai", "A singer."], ["human", "Is she here?"]]
CHATS = {
    "openai": OPENAI,
    "gemini": GEMINI,
    "langchain": LANGCHAIN,
    "anthropic": ANTHROPIC,
    "pairs": PAIRS,
    "messages": {"messages": OPENAI},
    "turns": {"turns": ["Who is Anna?", "A singer.", "Is she here?"]},
}
TRANSCRIPTS = {
    "user": "User: Who is Anna?\nAssistant: A singer.\nUser: Is she here?",
    "human": "Human: Who is Anna?\n\nAI: A singer.\n\nHuman: Is she here?\n\nAI: Yes.",
    "q": "Q: Who is Anna?\nA: A singer.\nQ: Is she here?",
    "bold": "**User:** Who is Anna?\n\n**Assistant:** A singer.\n\n**User**: Is she here?",
    "own line": "### User:\nWho is Anna?\n\n### Assistant:\nA singer.\n\n### User:\nIs she here?",
    "system": "System: Be brief.\nuser: Who is Anna?\nassistant: A singer.\nuser: Is she here?",
    "chatgpt": "You said:\nWho is Anna?\nChatGPT said:\nA singer.\nYou said:\nIs she here?",
    "chinese": "用户：Who is Anna?\n助手：A singer.\n用户：Is she here?",
    "问答": "问：Who is Anna?\n答：A singer.\n问：Is she here?",
}


@pytest.mark.parametrize("chat", CHATS.values(), ids=CHATS)
def test_pasted_messages_become_turns(page: Page, chat: Any) -> None:
    paste(page, json.dumps(chat))
    settled(page, "Is Anna here?")
    assert turns(page) == turns_of(dialogue_from(chat)) == ["Who is Anna?", "A singer.", "Is she here?"]
    assert roles(page) == ["User", "Assistant", "User"]


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS)
def test_pasted_transcripts_become_turns(page: Page, transcript: str) -> None:
    paste(page, transcript)
    settled(page, "Is Anna here?")
    assert turns(page) == ["Who is Anna?", "A singer.", "Is she here?"]
    assert roles(page) == ["User", "Assistant", "User"]


def test_lines_that_only_look_like_a_speaker_stay_in_their_turn(page: Page) -> None:
    chat = "User: Which one?\nA: Anna\nQ: Bob\nAssistant: Note: it is\nModel: X200\n\nA: Anna\nUser: Is she here?"
    paste(page, chat)
    settled(page, "Is Anna here?")
    assert turns(page) == ["Which one?\nA: Anna\nQ: Bob", "Note: it is\nModel: X200\n\nA: Anna", "Is she here?"]


def test_two_turns_of_the_same_speaker_stay_two(page: Page) -> None:
    paste(page, "User: Who is Anna?\nUser: Hello?\nAssistant: A singer.\nUser: Is she here?")
    settled(page, "Is Anna here?")
    assert roles(page) == ["User", "User", "Assistant", "User"]


@pytest.mark.parametrize(
    ("pasted", "said"),
    [
        ('{"no": "list"}', "No speaker found"),
        ("Hello there", "No speaker found"),
        ('[{"content": "Who is it?"}]', "No speaker found"),
        ("Assistant: Hello", "None of these turns has text from the user"),
        ("[]", "None of these turns"),
    ],
)
def test_what_is_no_chat_is_said_and_changes_nothing(page: Page, pasted: str, said: str) -> None:
    before = turns(page)
    paste(page, pasted)
    expect(page.locator("#paste-problem")).to_contain_text(said)
    assert turns(page) == before


def test_a_chat_pasted_where_nothing_is_written_is_loaded(page: Page) -> None:
    page.evaluate("text => navigator.clipboard.writeText(text)", TRANSCRIPTS["user"])
    page.get_by_label("to be rewritten").focus()
    page.keyboard.press("Control+V")
    assert len(turns(page)) == 3  # something is written, so it is text of that turn
    assert turns(page)[2].endswith(TRANSCRIPTS["user"])
    page.get_by_role("button", name="Clear").click()
    page.keyboard.press("Control+V")
    settled(page, "Is Anna here?")
    assert turns(page) == ["Who is Anna?", "A singer.", "Is she here?"]


def test_a_link_holds_the_dialogue_and_only_the_browser_sees_it(tab: Tab, page: Page) -> None:
    page.get_by_label("to be rewritten").fill("Is he Swiss, 对吗? 👍🏽")
    page.get_by_role("button", name="User says turn 1: change to Assistant").click()
    page.get_by_role("button", name="Copy a link").click()
    expect(page.locator("#notice")).to_have_text("Link copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(rf"{tab.url}/#d=[\w-]+", link)
    page.goto("about:blank")
    page.goto(link)
    settled(page, "Is Federer Swiss, 对吗? 👍🏽")
    assert roles(page) == ["Assistant", "Assistant", "User"]
    assert not [each for each in tab.asked if "d=" in each.partition("#")[0]]


def test_links_made_before_there_were_roles_still_open(tab: Tab) -> None:
    page = tab.open("/#d=WyJXaG8gaXMgQW5uYT8iLCAiQSBzaW5nZXIuIiwgIklzIHNoZSBoZXJlPyJd")
    settled(page, "Is Anna here?")
    assert roles(page) == ["User", "Assistant", "User"]


@pytest.mark.parametrize("held", ["nonsense", "W10", "WzFd", "W3sicm9sZSI6InN5c3RlbSIsInRleHQiOiJ4In1d"])
def test_a_broken_link_is_said(tab: Tab, held: str) -> None:
    page = tab.open(f"/#d={held}")
    expect(page.locator("#notice")).to_contain_text("This link does not hold a dialogue")
