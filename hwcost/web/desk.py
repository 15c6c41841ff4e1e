"""The work of one session: its scenarios as documents, the results, what changed since when, and who changed it.

A document is the only place where an input lives. Every edit is checked as a whole, kept on disk at once and written to
the log of decisions; the widgets of the pages show what the document says. No Streamlit here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hwcost.errors import InputError, Problem
from hwcost.names import purchase_total
from hwcost.records import Catalog
from hwcost.scenario import Scenario
from hwcost.scenario_io import DEFAULT_SCENARIO, bundled_scenarios, read_document, scenario_from_dict
from hwcost.scenario_text import scenario_text
from hwcost.web import documents
from hwcost.web.documents import Change, Document
from hwcost.web.solve import Outcome, key_of
from hwcost.web.store import Store, file_key
from hwcost.web.work import Job

MOST_OUTCOMES = 12
MOST_UNDO = 50
OF_CATALOG = ("price", "quote", "card")  # notes of the log about what is not in the document


@dataclass(frozen=True)
class Figures:
    """What a result is told apart by, in the scenario's currency."""

    purchase: float | None
    total: float | None
    people: int | None
    configuration: Mapping[str, str] = field(default_factory=dict)  # by language

    @classmethod
    def of(cls, outcome: Outcome) -> Figures:
        plan = outcome.plan
        if not plan.has_plan:
            return cls(None, None, None)
        from hwcost.names import configuration_text

        words = {lang: configuration_text(plan.purchases, lang) for lang in ("zh", "en")}
        return cls(purchase_total(plan), plan.totals.nominal, plan.people_at_once, words)

    def record(self) -> dict[str, Any]:
        return {"purchase": self.purchase, "total": self.total, "people": self.people,
                "configuration": dict(self.configuration)}  # fmt: skip

    @classmethod
    def read(cls, record: Any) -> Figures | None:
        if not isinstance(record, Mapping):
            return None
        return cls(record.get("purchase"), record.get("total"), record.get("people"), record.get("configuration", {}))


@dataclass
class Desk:
    """`catalog` may be replaced as the session's prices change; the documents stay."""

    store: Store
    catalog: Catalog
    current: str = DEFAULT_SCENARIO
    who: str = ""
    documents: dict[str, Document] = field(default_factory=dict)
    stamps: dict[str, int | None] = field(default_factory=dict)
    undos: dict[str, list[Document]] = field(default_factory=dict)
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    ahead: dict[str, Job[Any]] = field(default_factory=dict)  # key of a result -> plans of budgets around it
    shown: dict[str, str] = field(default_factory=dict)  # scenario -> key of the result that its pages show
    scenarios: dict[str, Scenario] = field(default_factory=dict)  # text of document and catalog -> scenario
    unkept: str = ""  # why the last edit is not on disk

    # --- documents ---

    def names(self) -> list[str]:
        """All scenarios: those of this session first, then the bundled ones that it has not changed."""
        own = [key for key in self.documents if key not in bundled_scenarios()]
        stored = [key for key in self.store.names() if key not in bundled_scenarios() and key not in own]
        bundled = sorted(bundled_scenarios(), key=lambda key: (key != DEFAULT_SCENARIO, key))
        return [*own, *stored, *bundled]

    def open(self, key: str) -> bool:
        """Makes a scenario the current one; False where there is none of this name."""
        if key not in self.names():
            return False
        self.current = key
        return True

    @property
    def document(self) -> Document:
        """The current document, read again where another window of this session has changed it."""
        stamp = self.store.stamp(self.current)
        if self.current not in self.documents or stamp != self.stamps.get(self.current):
            self.documents[self.current] = self._read(stamp is not None)
            self.stamps[self.current] = stamp
        return self.documents[self.current]

    def _read(self, stored: bool) -> Document:
        if stored:
            try:
                return self.store.read(self.current)
            except InputError:  # damaged from outside: what is still known, else the bundled one
                if self.current in self.documents:
                    return self.documents[self.current]
        if self.current in bundled_scenarios():
            return original(self.current)
        return self.documents[self.current]

    @property
    def changed(self) -> bool:
        """The session holds a version of its own."""
        return self.store.stamp(self.current) is not None

    @property
    def as_bundled(self) -> bool:
        """A bundled scenario as it came, at the prices of the program: nothing of it is this session's own."""
        own_prices = self.store.catalog_dir.is_dir()
        return self.current in bundled_scenarios() and not self.changed and not own_prices

    def scenario(self) -> Scenario:
        """The current document, checked. Raises `InputError`, where the catalog no longer has what it names."""
        return self.checked(self.document, self.current)

    def checked(self, document: Document, key: str) -> Scenario:
        text = f"{self.catalog.sha256}\n{key}\n{scenario_text(document)}"
        if text not in self.scenarios:
            while len(self.scenarios) >= MOST_OUTCOMES:
                del self.scenarios[next(iter(self.scenarios))]
            self.scenarios[text] = scenario_from_dict(document, self.catalog, f"{key}.toml")
        return self.scenarios[text]

    def edit(self, changes: Mapping[str, Any], note: str = "") -> tuple[Problem, ...]:
        """Puts figures into the current document, by their keys; the faults where it cannot be so, and nothing done."""
        return self.replace(documents.put(self.document, changes), note)

    def replace(self, changed: Document, note: str = "") -> tuple[Problem, ...]:
        """The current document as a whole."""
        before = self.document
        found = documents.differences(before, changed)
        if not found:
            return ()
        try:
            self.checked(changed, self.current)
        except InputError as error:
            return error.problems
        past = self.undos.setdefault(self.current, [])
        past.append(before)
        del past[:-MOST_UNDO]
        self._keep(changed, found, note)
        return ()

    def edit_with(self, changed: Document, note: str) -> None:
        """As `replace`. Raises `InputError` where it cannot be so."""
        faults = self.replace(changed, note)
        if faults:
            raise InputError(faults)

    def undo(self) -> bool:
        """Takes the last edit of this session back."""
        past = self.undos.get(self.current, [])
        if not past:
            return False
        before = past.pop()
        self._keep(before, documents.differences(self.document, before), "undo")
        return True

    def reset(self) -> None:
        """Back to the figures that the scenario began with."""
        self.replace(self.baseline(), "reset")

    def add(self, document: Document, key: str, note: str = "") -> str:
        """A new scenario, which becomes the current one; its key is free. The caller has checked it."""
        free, n = file_key(key), 2
        while free in self.names():
            free, n = f"{file_key(key)}-{n}", n + 1
        self.current = free
        self.documents[free] = {**document, "id": free}
        self.stamps[free] = None
        self._keep(self.documents[free], [], note or "new")
        self.set_baseline()
        return free

    def _keep(self, document: Document, changes: list[Change], note: str) -> None:
        self.documents[self.current] = document
        entries = self.log()
        entries.append({**self._entry(changes, note), "sha256": self.checked(document, self.current).sha256})
        self.unkept = ""
        try:
            if not self.store.meta(self.current) and self.current in bundled_scenarios():
                self.store.write_meta(self.current, {"baseline": original_text(self.current), "figures": self._known()})
            self.store.write(self.current, document)
            self.stamps[self.current] = self.store.stamp(self.current)
            self.store.write_log(self.current, entries)
        except OSError as error:  # a full or locked disk: the session works on, and says so
            self.stamps[self.current] = self.store.stamp(self.current)
            self.unkept = error.strerror or str(error)

    def note(self, changes: list[Change], note: str) -> None:
        """An entry of the log about what is not in the document: a price, a quotation, a card."""
        if not changes:
            return
        entries = self.log()
        entries.append({**self._entry(changes, note), "sha256": self.checked(self.document, self.current).sha256})
        try:
            if not self.store.meta(self.current):
                self.store.write_meta(self.current, {"baseline": scenario_text(self.baseline()),
                                                     "figures": self._known()})  # fmt: skip
            self.store.write_log(self.current, entries)
        except OSError as error:
            self.unkept = error.strerror or str(error)

    def _entry(self, changes: list[Change], note: str) -> dict[str, Any]:
        return {
            "time": datetime.now(UTC).isoformat(timespec="seconds"), "who": self.who, "note": note,
            "changes": [{"key": c.key, "from": c.before, "to": c.after} for c in changes],
            "before": self._known(), "after": None,
        }  # fmt: skip

    def _known(self) -> dict[str, Any] | None:
        outcome = self.outcomes.get(self.shown.get(self.current, ""))
        return Figures.of(outcome).record() if outcome else None

    # --- log and baseline ---

    def log(self) -> list[dict[str, Any]]:
        """Decisions on the current scenario, the first one first."""
        return self.store.log(self.current)

    def baseline(self) -> Document:
        """What changes are counted from."""
        import tomllib

        text = self.store.meta(self.current).get("baseline")
        if isinstance(text, str):
            return tomllib.loads(text)
        return original(self.current) if self.current in bundled_scenarios() else self.document

    def baseline_figures(self) -> Figures | None:
        """The result of the baseline, where it was worked out; at the prices of then."""
        kept = Figures.read(self.store.meta(self.current).get("figures"))
        if kept is not None:
            return kept
        try:
            scenario = self.checked(self.baseline(), self.current)
        except InputError:
            return None
        outcome = self.outcomes.get(key_of(scenario, self.catalog))
        return Figures.of(outcome) if outcome else None

    def set_baseline(self) -> None:
        """Counts changes from here."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self._write_meta({"baseline": scenario_text(self.document), "figures": self._known(), "since": now})

    def other_changes(self) -> list[Change]:
        """Prices, quotations and cards that were changed since the start, in the order of the log."""
        since = str(self.store.meta(self.current).get("since", ""))
        found = [e for e in self.log() if e.get("note") in OF_CATALOG and str(e.get("time", "")) >= since]
        return [Change(c["key"], c["from"], c["to"]) for e in found for c in e.get("changes", [])]

    def _write_meta(self, meta: Mapping[str, Any]) -> None:
        try:
            self.store.write_meta(self.current, meta)
        except OSError as error:
            self.unkept = error.strerror or str(error)

    # --- results ---

    def keep(self, outcome: Outcome) -> None:
        """A result of the current scenario: the newest stay, each holds a whole case. The log learns what it cost."""
        self.outcomes.pop(outcome.key, None)
        self.outcomes[outcome.key] = outcome
        while len(self.outcomes) > MOST_OUTCOMES:
            del self.outcomes[next(iter(self.outcomes))]
        self.shown[self.current] = outcome.key
        figures, entries = Figures.of(outcome).record(), self.log()
        open_ones = [e for e in entries if e.get("sha256") == outcome.scenario.sha256 and e.get("after") is None]
        for entry in open_ones:
            entry["after"] = figures
        meta = self.store.meta(self.current)
        try:
            if open_ones:
                self.store.write_log(self.current, entries)
            if meta and meta.get("figures") is None and outcome.scenario.sha256 == self._baseline_sha():
                self.store.write_meta(self.current, {**meta, "figures": figures})
        except OSError as error:
            self.unkept = error.strerror or str(error)

    def _baseline_sha(self) -> str:
        try:
            return self.checked(self.baseline(), self.current).sha256
        except InputError:
            return ""

    def outcome(self) -> Outcome | None:
        """The result for the current inputs, if it was worked out."""
        return self.outcomes.get(key_of(self.scenario(), self.catalog))

    def last_outcome(self) -> Outcome | None:
        """The latest result of this scenario, perhaps for other inputs."""
        return self.outcomes.get(self.shown.get(self.current, ""))


def original(key: str) -> Document:
    """A bundled scenario as it comes with the program."""
    return read_document(bundled_scenarios()[key], bundled_scenarios())


def original_text(key: str) -> str:
    return scenario_text(original(key))


def document_of(data: bytes, name: str, folder: Path) -> Document:
    """A scenario from an upload, through a file in `folder`. Raises `InputError`."""
    path = folder / f"{file_key(Path(name).stem)}.toml"
    path.write_bytes(data)
    return read_document(path, {})
