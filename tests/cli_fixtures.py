"""For tests of the command line: a small scenario file, one reading of the bundled catalog."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hwcost import cli
from hwcost.commands import session

SCENARIO = """
schema = "hwcost.scenario/1"
id = "small"
name_en = "Small lab"
name_zh = "小型课题组"
region = "CN"
currency = "CNY"
as_of = 2026-11-30
objective = "cost"
[budget]
amount = 150000
tax_included = true
[choice]
include_cards = ["rtx-pro-4000-blackwell"]
[capacity]
cards_per_node = [1, 2]
[[workload]]
id = "hybridsn"
preset = "hybridsn-ip"
runs_per_year = 500
people_at_once = 2
train_samples = 3075
batch = 256
epochs = 100
max_hours_per_run = 14
"""


@pytest.fixture
def one_reading_of_the_bundled_catalog(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read the bundled tables once for all tests; a folder of the user's is read as always."""
    load = session.load_catalog

    def cached(folder: Path | None = None) -> Any:
        if folder is not None:
            return load(folder)
        if "bundled" not in READ:
            READ["bundled"] = load(None)
        return READ["bundled"]

    monkeypatch.setattr(session, "load_catalog", cached)
    for name in cli.LOCALE_VARIABLES:
        monkeypatch.delenv(name, raising=False)


READ: dict[str, Any] = {}


@pytest.fixture
def scenario(tmp_path: Path) -> Callable[..., str]:
    """Writes the small scenario with some lines replaced; gives its path."""

    def write(*changes: tuple[str, str]) -> str:
        text = SCENARIO
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "small.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write
