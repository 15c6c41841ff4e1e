"""Makes the screenshot of the README: `python tests/browser/screenshot.py docs/screenshot.png [--lang en] ...`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.browser.page import wait_until_done
from tests.browser.server import browser, running_app


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", type=Path)
    parser.add_argument("--lang", default="zh")
    parser.add_argument("--width", type=int, default=1440)
    parser.add_argument("--height", type=int, default=1100)
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--query", default="", help="more of the address, e.g. scenario=eu-lab")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        with (
            running_app(home / "app.log") as address,
            browser(home / "profile", home, width=asked.width, height=asked.height) as driver,
        ):
            if asked.dark:
                feature = {"name": "prefers-color-scheme", "value": "dark"}
                driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
            screen = {"width": asked.width, "height": asked.height, "deviceScaleFactor": 1, "mobile": False}
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
            driver.get(f"{address}/?lang={asked.lang}&{asked.query}")
            wait_until_done(driver)
            driver.save_screenshot(str(asked.target))


if __name__ == "__main__":
    main()
