"""Markdown in turns: drawn as it reads, edited as it is written, marked where words were copied, and inert."""

import json
import re
import time
from random import Random
from typing import Any

import pytest

from tests.server.page.tab import Page, Tab, expect, paste_turns, settled, turns

DRAW = """async ([texts, stretches]) => {
    const { rendered } = await import("/page/markdown.js");
    return texts.map((text, i) => {
        const nodes = rendered(text, stretches[i] ?? []);
        if (nodes === null) return null;
        const box = document.createElement("div");
        box.append(...nodes);
        return box.innerHTML;
    });
}"""
CASES = {
    "Just a line.\n\nAnd another: 2 * 3 * 4, snake_case_word, a*b*c, 5 > 3, C# #1": None,
    "**unclosed and *this": None,
    "**hello** to *me*, __so__ _it_": "<p><strong>hello</strong> to <em>me</em>, <strong>so</strong> <em>it</em></p>",
    "***both*** ~~gone~~": "<p><strong><em>both</em></strong> <s>gone</s></p>",
    "**a *b* c**": "<p><strong>a <em>b</em> c</strong></p>",
    "这是**重点**内容": "<p>这是<strong>重点</strong>内容</p>",
    "`a *b*` and ``c ` d``": "<p><code>a *b*</code> and <code>c ` d</code></p>",
    r"\*not\* emphasis": "<p>*not* emphasis</p>",
    "[a *site*](https://x.org)": '<p><span class="link" title="https://x.org">a <em>site</em></span></p>',
    "see ![a cat](cat.png)": '<p>see <span class="link" title="cat.png">a cat</span></p>',
    "## Title\ntext": '<p class="heading">Title</p><p>text</p>',
    "one\ntwo **x**": "<p>one<br>two <strong>x</strong></p>",
    "- a\n- b\n  - c\n\n- d": "<ul><li><p>a</p></li><li><p>b</p><ul><li><p>c</p></li></ul></li><li><p>d</p></li></ul>",
    "3. c\n   more\n4. d\nafter": '<ol start="3"><li><p>c<br>more</p></li><li><p>d</p></li></ol><p>after</p>',
    "- a\n1. b": '<ul><li><p>a</p></li></ul><ol start="1"><li><p>b</p></li></ol>',
    "> q\n> > r\n\nx": "<blockquote><p>q</p><blockquote><p>r</p></blockquote></blockquote><p>x</p>",
    "a\n---\nb": "<p>a</p><hr><p>b</p>",
    "```py\nif x:\n    *y*\n```\nafter": "<pre><code>if x:\n    *y*\n</code></pre><p>after</p>",
    "```\nnever closed": "<pre><code>never closed</code></pre>",
    "| a | |\n|---|:-:|\n|| x \\| **y** |\nafter": (
        '<div class="table" tabindex="-1"><table><thead><tr><th>a</th><th></th></tr></thead>'
        "<tbody><tr><td></td><td>x | <strong>y</strong></td></tr></tbody></table></div><p>after</p>"
    ),
    "<b>bold</b> &amp; **x**": "<p>&lt;b&gt;bold&lt;/b&gt; &amp;amp; <strong>x</strong></p>",
}
HOSTILE = [
    "<script>alert(1)</script> **x**",
    "<img src=x onerror=alert(1)> **x**",
    "![pixel](https://example.org/pixel.png)",
    "[press](javascript:alert(1)) [me](data:text/html,<script>alert(1)</script>)",
    '[x](" onmouseover="alert(1)) **x**',
    "<iframe src='https://example.org'></iframe>\n- x",
    "<style>* { display: none }</style>\n# x",
    "```\n</code></pre><script>alert(1)</script>\n```",
    "| <svg onload=alert(1)> |\n|---|\n| <form action=//example.org><input autofocus onfocus=alert(1)> |\n",
    "> <a href=javascript:alert(1)>x</a>",
]


def draw(page: Page, texts: list[str], stretches: list[Any] | None = None) -> list[str | None]:
    drawn: list[str | None] = page.evaluate(DRAW, [texts, stretches or []])
    return drawn


def test_what_chat_models_write_is_drawn(page: Page) -> None:
    assert dict(zip(CASES, draw(page, list(CASES)), strict=True)) == CASES


def test_hostile_text_stays_text(tab: Tab, page: Page) -> None:
    alerts: list[Any] = []
    page.on("dialog", lambda dialog: alerts.append(dialog))
    paste_turns(page, [*HOSTILE, "Is it safe?"])
    settled(page, "Is it safe?")
    expect(page.locator(".turn.formatted")).to_have_count(len(HOSTILE))
    for name in ("script", "img", "iframe", "style", "svg", "form", "input", "a"):
        assert page.locator(f".view {name}").count() == 0
    attributes = "all => all.flatMap((each) => [...each.attributes].map((attribute) => attribute.name))"
    assert set(page.locator(".view *").evaluate_all(attributes)) <= {"class", "title", "start", "tabindex", "data-span"}
    page.get_by_text("press", exact=True).hover()
    assert alerts == []
    assert {each.partition("#")[0].removeprefix(tab.url).split("/")[1] for each in tab.asked} == {"", "page", "v1"}


def test_a_turn_is_edited_as_it_is_written_where_one_presses(page: Page) -> None:
    paste_turns(page, ["Who is **Anna**?", "She is a *very good* singer.", "Is she here?"])
    settled(page, "Is Anna here?")
    row, field = page.locator(".turn").nth(1), page.get_by_label("Turn 2, Assistant")
    assert row.locator(".view em").inner_text() == "very good"
    row.locator(".view em").click(position={"x": 1, "y": 8})
    expect(field).to_be_focused()
    expect(row.locator(".view")).to_be_hidden()
    assert field.evaluate("each => each.selectionStart") == len("She is a *")
    page.keyboard.type("really ")
    assert turns(page)[1] == "She is a *really very good* singer."
    page.keyboard.press("Tab")
    expect(row.locator(".view em")).to_have_text("really very good")


def test_leaving_a_formatted_turn_does_not_move_what_is_pressed(page: Page) -> None:
    rows = "\n".join(f"| {i} | x |" for i in range(30))
    paste_turns(page, ["Who is Anna?", f"| a | b |\n|---|---|\n{rows}", "Is she here?"])
    page.get_by_label("Turn 2, Assistant").focus()
    page.get_by_role("button", name="Add a turn").click()
    assert len(turns(page)) == 4


def test_copied_words_are_marked_in_what_is_drawn(page: Page) -> None:
    paste_turns(page, ["# About\n\n- 👍🏽 *Hello*\n- **Federer** is\n  `Federer`", "Nice.", "Is he Swiss?"])
    settled(page, "Is Federer Swiss?")
    assert page.locator(".view mark").all_inner_texts() == ["Federer"]
    assert page.locator(".view strong mark").count() == 1
    page.locator("#drawn .span").hover()
    expect(page.locator(".view mark")).to_have_class("lit")


def test_every_word_is_drawn_once_and_can_be_marked(page: Page) -> None:
    """Whatever the markup: words are numbered, and each is marked by its place in the text."""
    random, texts, stretches = Random(0), [], []  # noqa: S311 - no secret
    signs = [*"*_`[]|\\", "**", "__", "~~", "- ", "1. ", "> ", "# ", "\n", "\n\n", "\n|--|--|\n", "  "]
    words = [f"word{number}x" for number in range(12)]
    for _ in range(300):
        text, places = "", []
        for number, word in enumerate(words):
            text += "".join(random.choice(signs) + random.choice(["", " "]) for _ in range(random.randrange(4)))
            places.append({"start": len(text), "stop": len(text) + len(word), "number": number})
            text += word + random.choice(["", " "])
        texts.append(text)
        stretches.append(places)
    drawn = [html for html in draw(page, texts, stretches) if html is not None]
    assert len(drawn) > 200
    for html in drawn:
        assert re.findall(r"<mark data-span=\"\d+\">(.*?)</mark>", html) == words


@pytest.mark.parametrize(
    "part",
    ["*", "**a ", "*a**b", "_a ", "`", "[", "[a](", "![[", "\\", "> ", "- ", "  - a\n", "1. a\n\n", "|", "|-", "~~~\n"],
)
def test_hostile_markup_does_not_stall_the_tab(page: Page, part: str) -> None:
    began = time.monotonic()
    draw(page, [(part * 20_000)[:20_000]])
    assert time.monotonic() - began < 5  # seconds, on a busy machine


def test_messages_with_markdown_arrive_as_they_were_written(tab: Tab, page: Page) -> None:
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.post_data) if request.post_data else None)
    said = ["**Who** is [Anna](x)?\n\n- a", "A `singer`.", "Is she here?"]
    paste_turns(page, said)
    settled(page, "Is Anna here?")
    assert json.loads(sent[-1])["turns"] == said
