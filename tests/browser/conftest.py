"""One app and one browser for all browser tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver

from tests.browser.server import browser, missing_tools, running_app

REQUIRE = "HWCOST_REQUIRE_TOOLS"


@pytest.fixture(scope="session")
def tools() -> None:
    """Chromium and its driver. Where they must be there, their absence fails; elsewhere it skips with the reason."""
    missing = missing_tools()
    if missing and os.environ.get(REQUIRE) == "1":
        pytest.fail(f"{REQUIRE}=1 and missing on this machine: {', '.join(missing)}")
    if missing:
        pytest.skip(f"browser tests need {' and '.join(missing)} (apt-get install chromium chromium-driver)")


@pytest.fixture(scope="session")
def address(tools: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("app")
    with running_app(folder / "app.log", folder / "data") as found:
        yield found


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where downloads arrive."""
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="session")
def driver(address: str, folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with browser(tmp_path_factory.mktemp("profile"), folder) as found:
        yield found
