"""Screenshots of the pages: `python tests/browser/screenshot.py docs/screenshot.png [--page decision] [--lang en]`.

With `--all`, the target is a folder for every page in both languages and both themes, each in full height.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from selenium import webdriver

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from hwcost.web.app import PAGES
from tests.browser.page import wait_until_done
from tests.browser.server import browser, running_app

MOST_HEIGHT = 6000


def theme(driver: webdriver.Chrome, dark: bool) -> None:
    """What the reader's system prefers."""
    feature = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})


def screen(driver: webdriver.Chrome, width: int, height: int) -> None:
    """The size of the page's view."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def whole(driver: webdriver.Chrome, width: int) -> None:
    """As high as the page is long."""
    script = "const m = document.querySelector('[data-testid=stMain]'); return m ? m.scrollHeight : 1000"
    screen(driver, width, min(MOST_HEIGHT, int(driver.execute_script(script)) + 80))
    wait_until_done(driver)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", type=Path)
    parser.add_argument("--page", default="", help="as in the address; the decision where it is left out")
    parser.add_argument("--lang", default="zh")
    parser.add_argument("--width", type=int, default=1440)
    parser.add_argument("--height", type=int, default=1100)
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--pages", nargs="*", default=list(PAGES))
    parser.add_argument("--query", default="scenario=lab-default", help="more of the address, e.g. scenario=eu-lab")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        with (
            running_app(home / "app.log", home / "data") as address,
            browser(home / "profile", home, width=asked.width, height=asked.height) as driver,
        ):
            screen(driver, asked.width, asked.height)
            if not asked.all:
                theme(driver, asked.dark)
                driver.get(f"{address}/{asked.page}?lang={asked.lang}&{asked.query}")
                wait_until_done(driver)
                driver.save_screenshot(str(asked.target))
                return
            asked.target.mkdir(parents=True, exist_ok=True)
            for lang in ("zh", "en"):
                for name in asked.pages:
                    screen(driver, asked.width, asked.height)
                    page = "" if name == PAGES[0] else name
                    driver.get(f"{address}/{page}?lang={lang}&{asked.query}&s=screenshots-{lang}-0000")
                    wait_until_done(driver)
                    for dark in (False, True):
                        theme(driver, dark)
                        whole(driver, asked.width)
                        mark = "dark" if dark else "light"
                        driver.save_screenshot(str(asked.target / f"{name}-{lang}-{mark}.png"))


if __name__ == "__main__":
    main()
