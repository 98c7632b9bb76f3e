"""Take the screenshots of docs/serving.md again, from a running server.

utterly serve &
python docs/screenshots.py http://127.0.0.1:8000
"""

import shutil
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

IMAGES = Path(__file__).parent / "images"
LOOKS: dict[str, dict[str, Any]] = {
    "page-light": {"viewport": {"width": 1180, "height": 740}, "color_scheme": "light"},
    "page-dark": {"viewport": {"width": 1180, "height": 740}, "color_scheme": "dark"},
    "page-phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light", "has_touch": True},
}


def main() -> None:
    url = sys.argv[1]
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for name, look in LOOKS.items():
            with browser.new_context(locale="en-GB", **look) as context:
                page = context.new_page()
                page.goto(url)
                page.wait_for_selector("#drawn .span")
                if name == "page-dark":
                    page.get_by_label("Load an example").select_option("4")
                    page.wait_for_selector("#text[lang=zh]")
                if page.locator("#drawn .span").count():
                    page.locator("#drawn .span").first.hover()
                page.screenshot(path=IMAGES / f"{name}.png", full_page=name == "page-phone")
        browser.close()


if __name__ == "__main__":
    main()
