"""What is delivered: the wheel, an installed copy away from the checkout, the order of the modules, the start-up."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "hwcost"
LEAVES = ("report", "web", "cli", "commands", "doctor", "measure", "__main__")
MOST_LINES = 400

# The flow, downwards: a module imports only what stands above it. A new module takes its place here.
FLOW = (
    # records and the words of messages: the contracts between modules
    "errors", "folders", "messages", "rules", "origin", "calibration", "workload", "records", "scenario", "strategy",
    "build",
    # reading: quantities, tables, the catalog, the scenario
    "quantities", "problems", "atomic", "jsontext", "tables", "strict", "pricing", "catalog_specs", "catalog_checks",
    "catalog",
    # physics of one job on one card; what a scenario's workload is made of
    "memory", "layouts", "rates", "steptime", "tiles", "anchors", "scenario_tiles", "measured_work",
    "scenario_workloads", "scenario_checks", "scenario_defaults", "scenario_money", "scenario_services",
    "scenario_options", "scenario_io",
    "presets", "storage_need", "inference",
    # several cards; a step on another card
    "scaling", "threshold", "speedups", "transfer", "other_cards", "bounds", "alternatives",
    # machines, ways to run jobs, money, and their join
    "psu", "fit", "market", "assembly", "upgrades", "services", "clusters", "builds", "ways", "strategies",
    "costs", "funds", "prune", "case",
    # the start form: people and papers to a scenario
    "demand", "answers_io", "scenario_text", "start_defaults", "start_work", "start",
    # the program and its result
    "money_rules", "solver", "decisions", "objectives", "program", "site_rows", "money_rows", "model", "solution",
    "narrow", "climb", "funding", "checks", "plan", "reuse", "engine", "use", "unit_costs", "software_first",
    "answering", "option_cases", "options", "whatif",
    "conflict", "lab_changes", "repairs", "explain", "why_not", "pool", "switching", "frontier", "sweep", "sensitivity",
    # the result in words and as data
    "names", "reasons", "repair_words", "basis", "sentences", "record",
    # conflicts, other prices, budgets and assumptions in words and as data
    "breakeven", "told", "told_record", "told_sweep",
    # for the form: amounts in words, hours as forms ask for them, requirements without brands, the purchasing route
    "amount_words", "machine_hours", "requirements", "procurement_route",
)  # fmt: skip
UNWANTED_IN_CORE = ("streamlit", "openpyxl", "xlsxwriter", "altair", "torch")
SOLVER_LIBRARIES = ("pulp", "highspy")
SLOW_AT_START = ("streamlit", "torch", "xlsxwriter", "openpyxl", "altair", "pandas")


def core_modules() -> list[Path]:
    """Modules of the core: single files of the package, and the folder of messages."""
    files = [path for path in PACKAGE.glob("*.py") if path.stem not in (*LEAVES, "__init__")]
    return sorted([*files, *(PACKAGE / "messages").glob("*.py")])


def imported(path: Path) -> set[str]:
    """Dotted names of everything a file imports, wherever in the file it does so."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports by a relative name"
            names |= {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def own_imports(path: Path) -> set[str]:
    """First names below `hwcost` that a file imports; only those that are modules, not their contents."""
    found = {name.split(".")[1] for name in imported(path) if name.startswith("hwcost.")}
    return {name for name in found if (PACKAGE / f"{name}.py").exists() or (PACKAGE / name).is_dir()}


def place_of(path: Path) -> str:
    """The name in `FLOW` of a core module; the folder of messages is one of them."""
    return "messages" if path.parent.name == "messages" else path.stem


# --- the order of the modules ---


def test_every_core_module_has_its_place_in_the_flow() -> None:
    assert len(set(FLOW)) == len(FLOW)
    strangers = {place_of(path) for path in core_modules()} - set(FLOW)
    assert not strangers, f"give these modules a place in FLOW: {sorted(strangers)}"


@pytest.mark.parametrize("path", core_modules(), ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_a_module_imports_only_modules_above_it(path: Path) -> None:
    place = place_of(path)
    allowed = {*FLOW[: FLOW.index(place)], *(["messages", "rules"] if place == "messages" else [])}
    assert own_imports(path) <= allowed, f"{path.name} imports {sorted(own_imports(path) - allowed)} from below"


def test_the_check_of_the_flow_sees_imports_inside_functions(tmp_path: Path) -> None:
    file = tmp_path / "late.py"
    file.write_text("def f():\n    from hwcost.plan import Plan\n    import hwcost.case\n", encoding="utf-8")
    assert own_imports(file) == {"plan", "case"}


@pytest.mark.parametrize("path", core_modules(), ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_the_core_knows_no_front_end_and_only_one_module_knows_the_solver(path: Path) -> None:
    libraries = {name.split(".")[0] for name in imported(path)}
    unwanted = {*UNWANTED_IN_CORE, *(() if path.stem == "solver" else SOLVER_LIBRARIES)}
    assert not libraries & unwanted


def test_the_workbook_and_the_app_do_not_know_the_command_line() -> None:
    files = [*(PACKAGE / "report").rglob("*.py"), *(PACKAGE / "web").rglob("*.py")]
    assert len(files) > 5
    for path in files:
        assert not own_imports(path) & {"cli", "commands"}, path


def test_no_file_is_longer_than_400_lines() -> None:
    folders = ("hwcost", "tests", "benchmarks", "docs", "catalog/scenarios")
    files = [p for folder in folders for p in (ROOT / folder).rglob("*") if p.suffix in (".py", ".md", ".toml", ".css")]
    files += [p for p in ROOT.iterdir() if p.suffix in (".py", ".md", ".toml")]
    assert len(files) > 80
    lines = {str(p.relative_to(ROOT)): len(p.read_text(encoding="utf-8").splitlines()) for p in files}
    assert not {name: count for name, count in lines.items() if count > MOST_LINES}


# --- start-up ---


def test_the_command_line_starts_without_front_end_workbook_library_or_torch() -> None:
    code = f"import sys, hwcost.cli; print([m for m in {SLOW_AT_START!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_help_in_both_languages_names_every_command() -> None:
    from hwcost.cli import COMMANDS, build_parser

    for lang in ("en", "zh"):
        text = build_parser(lang).format_help()
        assert all(name in text for name in COMMANDS)


def test_every_command_has_its_module() -> None:
    from hwcost.cli import COMMANDS

    assert not [name for name in COMMANDS if not (PACKAGE / "commands" / f"{name.replace('-', '_')}.py").is_file()]


# --- the wheel ---


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built offline from a copy, so that no leftover of an earlier build slips in."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "requirements.txt", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for folder in ("hwcost", "catalog"):
        shutil.copytree(ROOT / folder, source / folder, ignore=shutil.ignore_patterns("__pycache__"))
    options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-index", "--no-build-isolation"]
    command = [sys.executable, "-m", "pip", "wheel", *options, "--wheel-dir", str(target), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return next(target.glob("hwcost-*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packages that holds the installed copy."""
    site = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    return site


def files_below(folder: Path, prefix: str) -> set[str]:
    found = (
        p for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts and not p.name.startswith(".")
    )
    return {f"{prefix}/{p.relative_to(folder).as_posix()}" for p in found}


def test_the_wheel_holds_every_file_of_the_package_and_of_the_catalog(wheel: Path) -> None:
    wanted = files_below(PACKAGE, "hwcost") | files_below(ROOT / "catalog", "hwcost/bundled")
    assert "hwcost/bundled/cards.csv" in wanted and "hwcost/bundled/scenarios/lab-default.toml" in wanted
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert held == wanted


def test_the_wheel_says_what_it_needs_and_under_which_licence(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        name = next(n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        metadata = archive.read(name).decode()
        assert any(n.endswith("/licenses/LICENSE") for n in archive.namelist())
    assert "License-Expression: MIT" in metadata
    needed = [line.partition(":")[2] for line in metadata.splitlines() if line.startswith("Requires-Dist")]
    stated = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()

    def package(requirement: str) -> str:
        return re.split("[<>=;]", requirement)[0].strip()

    wanted = {package(line) for line in stated if line and not line.startswith("#")}
    assert {package(line) for line in needed if "extra ==" not in line} == wanted


def away(installed: Path, folder: Path, code: str) -> str:
    """What `code` prints in a fresh interpreter that finds the installed copy, in another folder."""
    start = f"import sys; sys.path.insert(0, {str(installed)!r})\n"
    done = subprocess.run(
        [sys.executable, "-I", "-c", start + code], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_an_installed_copy_finds_its_catalog_and_scenarios(installed: Path, tmp_path: Path) -> None:
    code = (
        "from hwcost.catalog import bundled_dir, load_catalog\n"
        "from hwcost.scenario_io import bundled_scenarios, load_scenario\n"
        "catalog = load_catalog()\n"
        "print(bundled_dir(), len(catalog.cards), len(bundled_scenarios()), load_scenario('lab-default', catalog).id)"
    )
    cards = len((ROOT / "catalog" / "cards.csv").read_text(encoding="utf-8").splitlines()) - 1
    scenarios = len(list((ROOT / "catalog" / "scenarios").glob("*.toml")))
    expected = f"{installed / 'hwcost' / 'bundled'} {cards} {scenarios} lab-default"
    assert away(installed, tmp_path, code) == expected


def test_a_folder_called_catalog_beside_an_installed_copy_is_not_taken_for_ours(
    installed: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    shutil.copytree(installed, site)
    (site / "catalog").mkdir()
    found = away(site, tmp_path, "from hwcost.catalog import bundled_dir; print(bundled_dir())")
    assert found == str(site / "hwcost" / "bundled")


def test_an_installed_copy_answers_on_the_command_line(installed: Path, tmp_path: Path) -> None:
    code = "from hwcost.cli import main; code = main(['threshold', '--lang', 'en']); print('status', code)"
    assert away(installed, tmp_path, code).endswith("status 0")
