"""The app in a process of its own, and a headless Chromium to look at it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

ROOT = Path(__file__).resolve().parents[2]
START_S = 60.0
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
    "--force-color-profile=srgb", "--lang=zh-CN",
)  # fmt: skip


def missing_tools() -> list[str]:
    """Programs that a browser test needs and this machine lacks."""
    missing = []
    if not chromium():
        missing.append("chromium")
    if not shutil.which("chromedriver"):
        missing.append("chromedriver")
    return missing


def chromium() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if (found := shutil.which(name))), None)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running_app(log: Path, home: Path, port: int | None = None) -> Iterator[str]:
    """The address of a running app, which keeps its data in `home`; it is stopped at the end."""
    port = port or free_port()
    command = [sys.executable, "-m", "hwcost.web.serve", "run", "streamlit_app.py", "--server.port", str(port),
               "--server.headless", "true"]  # fmt: skip
    ours = ("HWCOST_HOME", "HWCOST_LANG", "HWCOST_APP_PERSONAL", "HWCOST_APP_SHARED")
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    environment["HWCOST_HOME"] = str(home)
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=out, stderr=subprocess.STDOUT)
        try:
            _wait(process, f"http://127.0.0.1:{port}/_stcore/health", log)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(timeout=10)


def _wait(process: subprocess.Popen[bytes], address: str, log: Path) -> None:
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(address, timeout=1) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, TimeoutError, ConnectionError):
            with suppress(subprocess.TimeoutExpired):  # it has ended, or the wait is over
                process.wait(timeout=0.1)
        if process.poll() is not None:
            break
    raise RuntimeError(f"the app did not start:\n{log.read_text(errors='replace')}")


@contextmanager
def browser(profile: Path, downloads: Path, *, width: int = 1440, height: int = 1000) -> Iterator[webdriver.Chrome]:
    """A browser of its own, with a new profile."""
    options = Options()
    options.binary_location = chromium() or ""
    for flag in (*FLAGS, f"--user-data-dir={profile}", f"--window-size={width},{height}"):
        options.add_argument(flag)
    wanted = {
        "download.default_directory": str(downloads),
        "download.prompt_for_download": False,
        "profile.default_content_setting_values.automatic_downloads": 1,  # a second file needs no consent
    }
    options.add_experimental_option("prefs", wanted)
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        yield driver
    finally:
        driver.quit()
