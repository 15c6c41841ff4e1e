"""Checks of the installation: what is there, what is missing, and what to do about it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

OLDEST_PYTHON = (3, 11)
NEEDED = ("pulp", "highspy", "pandas", "streamlit", "XlsxWriter", "openpyxl")
SOLVER_PACKAGES = ("pulp", "highspy")


@dataclass(frozen=True)
class Finding:
    """One check: `key` is a message key "doctor.<key>"; a finding that is not `needed` never fails the whole."""

    key: str
    ok: bool
    needed: bool = True
    values: dict[str, Any] = field(default_factory=dict)


def findings(lang: str) -> list[Finding]:
    """All checks in the order in which a fault would be mended; `lang` is for the texts of problems."""
    found = [_python(), *_packages()]
    if all(f.ok for f in found if f.values.get("name") in SOLVER_PACKAGES):
        found += [_solver(), _cbc()]
    return [*found, *_data(lang), _writable(), _encoding()]


def _python() -> Finding:
    now = ".".join(str(part) for part in sys.version_info[:3])
    ok = sys.version_info >= OLDEST_PYTHON
    return Finding("python" if ok else "python_old", ok, values={"version": now})


def _packages() -> Iterator[Finding]:
    for name in NEEDED:
        try:
            yield Finding("package", True, values={"name": name, "version": version(name)})
        except PackageNotFoundError:
            yield Finding("package_missing", False, values={"name": name})


def self_test() -> float:
    """The optimum of a small problem that one solver release called infeasible; it is 0 (all x = 1).

    min c0 + c1;  x0 + c1 = 1;  x0 + c0 >= 1;  x1 + c1 <= 1;  c0 + c1 <= 1;  x2 = 1;
    9000 x1 + 7200 x2 + 10800 c1 >= 16200, all binary (pulp issue 662).
    """
    from hwcost import solver

    problem = solver.new_problem("selftest")
    x0, x1, x2, c0, c1 = (problem.add_variable(f"v{i}", 0, 1, cat="Integer") for i in range(5))
    rows = (
        x0 + c1 == 1,
        x0 + c0 >= 1,
        x1 + c1 <= 1,
        c0 + c1 <= 1,
        x2 == 1,
        9000 * x1 + 7200 * x2 + 10800 * c1 >= 16200,
    )
    for n, row in enumerate(rows):
        problem.addConstraint(row, f"r{n}")
    answer = solver.minimise(problem, c0 + c1, time_limit_s=10.0)
    return float("nan") if answer.objective is None else answer.objective


def _solver() -> Finding:
    value = self_test()
    ok = abs(value) < 1e-6
    return Finding("solver_ok" if ok else "solver_wrong", ok, values={"value": f"{0.0 if ok else value:g}"})


def _cbc() -> Finding:
    import pulp

    there = any("CBC" in name or name == "COIN_CMD" for name in pulp.listSolvers(onlyAvailable=True))
    return Finding("cbc_ok" if there else "cbc_none", there, needed=False)


def _data(lang: str) -> Iterator[Finding]:
    """The catalog and the scenarios, from all layers."""
    from hwcost.catalog import bundled_dir, load_catalog, tables_dir
    from hwcost.errors import InputError
    from hwcost.problems import problem_text
    from hwcost.scenario_io import bundled_scenarios

    try:
        catalog = load_catalog()
    except InputError as error:
        values: dict[str, Any] = {"count": len(error.problems), "first": problem_text(error.problems[0], lang)}
        yield Finding("catalog_bad", False, values=values)
    else:
        counts = {"cards": len(catalog.cards), "prices": len(catalog.prices), "folder": str(bundled_dir())}
        yield Finding("catalog_ok", True, values=counts)
    home = tables_dir()
    if home is None:
        yield Finding("home_none", True, needed=False)
    else:
        yield Finding("home_ok", True, needed=False, values={"folder": str(home)})
    names = ", ".join(bundled_scenarios())
    yield Finding("scenarios", bool(names), values={"names": names or "-"})


def _writable() -> Finding:
    folder = Path.cwd()
    ok = os.access(folder, os.W_OK)
    return Finding("write_ok" if ok else "write_no", ok, needed=False, values={"folder": str(folder)})


def _encoding() -> Finding:
    return Finding("encoding", True, needed=False, values={"encoding": sys.stdout.encoding or "-"})
