"""Take the screenshots of docs/serving.md again, from a running server. Few colours make them small.

utterly serve &
python docs/screenshots.py http://127.0.0.1:8000
"""

import io
import shutil
import sys
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

IMAGES = Path(__file__).parent / "images"
DESKTOP = {"width": 1180, "height": 760}
PHONE = {"width": 390, "height": 844}
LOOKS: dict[str, tuple[str, dict[str, Any]]] = {  # by name: an example, and how it is looked at
    "page-light": ("Federer’s injuries", {"viewport": DESKTOP, "color_scheme": "light", "locale": "en-GB"}),
    "page-dark": ("An answer in Markdown", {"viewport": DESKTOP, "color_scheme": "dark", "locale": "en-GB"}),
    "page-phone": ("上海的天气", {"viewport": PHONE, "color_scheme": "light", "locale": "zh-CN", "has_touch": True}),
}


def main() -> None:
    url = sys.argv[1]
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for name, (example, look) in LOOKS.items():
            with browser.new_context(**look) as context:
                page = context.new_page()
                page.goto(url)
                with page.expect_response("**/v1/rewrite"):
                    page.locator("#example").select_option(label=example)
                page.wait_for_selector("#turns mark")
                page.locator("#drawn .span").first.hover()
                page.evaluate("scrollTo(0, 0)")
                picture = Image.open(io.BytesIO(page.screenshot()))
                picture.quantize(256).save(IMAGES / f"{name}.png", optimize=True)
        browser.close()


if __name__ == "__main__":
    main()
