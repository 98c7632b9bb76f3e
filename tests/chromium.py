"""The machine's own Chromium, if there is one; none is downloaded."""

import shutil
from typing import Any

import pytest

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"]
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine: apt-get install chromium")


def launched(driver: Any) -> Any:
    """A browser, from Playwright's driver."""
    return driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
