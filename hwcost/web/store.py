"""What the app keeps on disk: the scenarios of one session with their history, its prices, and its log of decisions.

    <data folder>/sessions/<session>/<scenario>.toml              the scenario as it is now
                                     history/<scenario>/<time>.toml   as it was before each change
                                     <scenario>.log.json              who changed what, and what it cost
                                     <scenario>.meta.json             what changes are counted from
                                     catalog/*.csv                    prices and cards of this session

The data folder is `HWCOST_HOME` where that is set, else the platform's own place for data of programs. A folder is made
by the first thing that is kept, never by a look. Files are replaced whole, so that a crash leaves the old one.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hwcost.atomic import write_text
from hwcost.catalog import SESSIONS, user_dir
from hwcost.folders import data_folder
from hwcost.scenario_io import read_document
from hwcost.scenario_text import scenario_text

__all__ = ["SESSIONS", "Store", "data_dir"]

SESSION_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")
KEY = re.compile(r"[^\w.-]+")  # what a file name should not hold
MOST_KEPT = 200  # versions in the history of one scenario
LOG, META, FORM = ".log.json", ".meta.json", ".form.json"


def data_dir() -> Path:
    """The folder for everything the app keeps: `HWCOST_HOME`, else the platform's folder for data of programs."""
    own = user_dir()
    if own is not None:
        return own
    return data_folder()


def new_session() -> str:
    """An id that nobody can guess: whoever has it sees the session's scenarios."""
    return secrets.token_urlsafe(16)


def is_session(text: str) -> bool:
    return SESSION_ID.fullmatch(text) is not None


def file_key(name: str) -> str:
    """A name as a file name; "scenario" where nothing of it is left."""
    return KEY.sub("-", name.strip()).strip("-.")[:80] or "scenario"


@dataclass(frozen=True)
class Store:
    """The folder of one session. Reading a folder that is not there finds nothing."""

    folder: Path

    @classmethod
    def of(cls, session: str) -> Store:
        return cls(data_dir() / SESSIONS / session)

    @property
    def catalog_dir(self) -> Path:
        return self.folder / "catalog"

    def names(self) -> list[str]:
        """Scenarios of this session, the latest first."""
        found = [p for p in self.folder.glob("*.toml") if p.is_file()] if self.folder.is_dir() else []
        return [p.stem for p in sorted(found, key=lambda p: (-p.stat().st_mtime_ns, p.stem))]

    def path(self, key: str) -> Path:
        return self.folder / f"{key}.toml"

    def stamp(self, key: str) -> int | None:
        """Changes whenever the file does; None where there is none."""
        try:
            return self.path(key).stat().st_mtime_ns
        except OSError:
            return None

    def read(self, key: str) -> dict[str, Any]:
        """The document. Raises `InputError` where the file cannot be read."""
        return read_document(self.path(key), {})

    def write(self, key: str, document: Mapping[str, Any]) -> None:
        """Keeps the document; what stood there before goes to the history. Raises `OSError`."""
        text, path = scenario_text(document), self.path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            before = path.read_text(encoding="utf-8")
            if before == text:
                return
            past = self.folder / "history" / key
            past.mkdir(parents=True, exist_ok=True)
            write_text(past / f"{datetime.now(UTC):%Y%m%dT%H%M%S.%f}Z.toml", before)
            for old in self.history(key)[MOST_KEPT:]:
                old.unlink(missing_ok=True)
        write_text(path, text)

    def history(self, key: str) -> list[Path]:
        """Earlier versions, the latest first."""
        past = self.folder / "history" / key
        return sorted(past.glob("*.toml"), reverse=True) if past.is_dir() else []

    def log(self, key: str) -> list[dict[str, Any]]:
        found = self._json(key, LOG)
        return found if isinstance(found, list) else []

    def write_log(self, key: str, entries: list[dict[str, Any]]) -> None:
        self._write_json(key, LOG, entries)

    def meta(self, key: str) -> dict[str, Any]:
        found = self._json(key, META)
        return found if isinstance(found, dict) else {}

    def write_meta(self, key: str, meta: Mapping[str, Any]) -> None:
        self._write_json(key, META, meta)

    def forget_catalog(self) -> None:
        """Takes the session's own tables away; they stay in the history."""
        past = self.folder / "history" / "catalog" / f"{datetime.now(UTC):%Y%m%dT%H%M%S.%f}Z"
        if self.catalog_dir.is_dir():
            past.parent.mkdir(parents=True, exist_ok=True)
            self.catalog_dir.rename(past)

    def form(self, name: str) -> dict[str, Any]:
        """What is typed in a form of the app."""
        found = self._json(name, FORM)
        return found if isinstance(found, dict) else {}

    def write_form(self, name: str, values: Mapping[str, Any]) -> None:
        """Keeps it where the disk takes it; the session holds it in any case."""
        with suppress(OSError):
            self._write_json(name, FORM, values)

    def _json(self, key: str, suffix: str) -> Any:
        """What the file holds; nothing where it is not there or was damaged from outside."""
        try:
            return json.loads((self.folder / f"{key}{suffix}").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    def _write_json(self, key: str, suffix: str, value: Any) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        write_text(self.folder / f"{key}{suffix}", json.dumps(value, ensure_ascii=False, indent=1, default=str) + "\n")


@dataclass(frozen=True)
class Earlier:
    """A scenario of another session of the same person."""

    session: str
    key: str
    changed: datetime

    @property
    def path(self) -> Path:
        return Store.of(self.session).path(self.key)


def earlier_work(but: str, most: int = 20) -> list[Earlier]:
    """Scenarios of all sessions but one, the latest first. For an app that serves one person only."""
    root = data_dir() / SESSIONS
    found = [p for p in root.glob("*/*.toml") if is_session(p.parent.name) and p.parent.name != but]
    dated = [Earlier(p.parent.name, p.stem, datetime.fromtimestamp(p.stat().st_mtime, UTC)) for p in found]
    return sorted(dated, key=lambda e: e.changed, reverse=True)[:most]
