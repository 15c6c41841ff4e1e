"""The documents against the program: what they name exists, what they list is all there is."""

from __future__ import annotations

import csv
import io
import re
import shlex
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from hwcost.catalog import load_catalog
from hwcost.catalog_specs import SPECS
from hwcost.cli import COMMANDS, OBJECTIVES, build_parser
from hwcost.errors import InputError
from hwcost.pricing import is_stale
from hwcost.records import STATUSES, Catalog
from hwcost.scenario_io import bundled_scenarios, scenario_from_dict
from hwcost.steptime import ERROR_SHARE
from hwcost.strict import Table
from hwcost.workload import OPTIMIZERS, PRECISIONS

ROOT = Path(__file__).resolve().parent.parent
READMES = ("README.md", "README.zh.md")
PAGES = ("start", "scenarios", "catalog", "import", "method", "articles", "accuracy", "workbook", "measure")
DOCS = (*READMES, *(f"docs/{page}.md" for page in PAGES))
COMMON_COLUMNS = {"source", "as_of", "kind"}
MINIMAL = 'schema = "hwcost.scenario/1"\nregion = "CN"\nas_of = 2026-11-30\n'
WORKLOAD = {"id": "w", "preset": "hybridsn-ip", "runs_per_year": 100, "epochs": 100}
OWNED = {"id": "o", "card": "rtx-3090", "chassis": "consumer-full", "psu": "rm1000x", "storage": "sata-4tb"}
FUND = {"id": "f", "pays": ["equipment", "services"]}
SERVICE = {"id": "s", "card": "rtx-3090", "price_per_card_hour": 5}
OPTION = {"id": "o", "cards": ["rtx-3090"]}


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(name: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text(name), re.DOTALL | re.MULTILINE)


def code_words(name: str) -> list[str]:
    """Everything set as code in running text and tables."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text(name), flags=re.DOTALL | re.MULTILINE))


def tables(name: str) -> list[tuple[str, list[dict[str, str]]]]:
    """Every table with the heading above it: rows, cells by column title. A cell may hold `a|b` as code."""
    found: list[tuple[str, list[dict[str, str]]]] = []
    heading, titles = "", []
    for line in text(name).splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        if not line.startswith("|"):
            titles = []
            continue
        cells = [cell.strip() for cell in re.split(r"(?<= )\|(?= )", line.strip()[1:-1])]
        if not titles:
            titles = cells
            found.append((heading, []))
        elif not line.startswith("| ---"):
            found[-1][1].append(dict(zip(titles, cells, strict=True)))
    return found


def table_with(name: str, first_cell: str) -> list[dict[str, str]]:
    """The one table whose first cell says this."""
    fitting = [rows for _, rows in tables(name) if rows and next(iter(rows[0].values())) == first_cell]
    assert len(fitting) == 1, f"{name}: {first_cell}"
    return fitting[0]


def first_column(rows: list[dict[str, str]]) -> list[str]:
    return [next(iter(row.values())) for row in rows]


def keys_of(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


# --- README: commands, files ---


@pytest.mark.parametrize("name", READMES)
def test_every_command_of_the_readme_is_one_that_the_program_parses(name: str) -> None:
    parser = build_parser("en")
    lines = [*"".join([*blocks(name, "sh"), *blocks(name, "bat")]).splitlines(), *code_words(name)]
    calls = [m[1] for line in lines if (m := re.match(r"(?:\.venv\\Scripts\\)?hwcost (.*)$", line))]
    assert len(calls) > 8
    for call in calls:
        words = shlex.split(call.replace("[INPUT]", "lab-default"))
        assert parser.parse_args(words).command in COMMANDS
    listed = [cell.strip("`").split()[1] for cell in first_column(table_with(name, "`hwcost plan [INPUT]`"))]
    assert sorted(listed) == sorted(COMMANDS)


@pytest.mark.parametrize("name", READMES)
def test_every_option_of_the_readme_is_known_to_some_command(name: str) -> None:
    parser: Any = build_parser("en")
    commands = next(a for a in parser._actions if a.dest == "command").choices
    known = {option for sub in commands.values() for option in sub._option_string_actions}
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", " ".join([*code_words(name), *blocks(name, "bat")])))
    assert {"--xlsx", "--json", "--lang", "--budget", "--catalog"} <= named <= known
    assert f"--objective {'|'.join(OBJECTIVES)}" in text(name)


@pytest.mark.parametrize("name", READMES)
def test_cards_that_the_readme_compares_are_on_sale_in_the_default_scenario(name: str, catalog: Catalog) -> None:
    call = next(word for word in code_words(name) if word.startswith("--between"))
    named = re.findall(r'"([^"]+)"', call)
    ids = {card.name: card.id for card in catalog.cards.values()}
    on_sale = {row.item_id for row in catalog.availability if (row.region, row.status) == ("CN", "on_sale")}
    assert len(named) == 2 and {ids[card] for card in named} <= on_sale


@pytest.mark.parametrize("name", READMES)
def test_every_make_target_of_the_readme_is_in_the_makefile(name: str) -> None:
    targets = set(re.findall(r"^([a-z]+):", text("Makefile"), re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z]+)\b", "\n".join([*blocks(name, "sh"), *code_words(name)])))
    assert {"plan", "test", "app"} <= named <= targets
    variables = set(re.findall(r"\bmake [a-z]+ ([A-Z_]+)=", text(name)))
    assert all(f"{variable} ?=" in text("Makefile") for variable in variables)


@pytest.mark.parametrize("name", DOCS)
def test_every_linked_file_is_there(name: str) -> None:
    folder = (ROOT / name).parent
    links = [link for link in re.findall(r"\]\(([^)#]+)", text(name)) if "://" not in link]
    assert not [link for link in links if not (folder / link).exists()]


@pytest.mark.parametrize("name", DOCS)
def test_every_file_named_as_code_is_there(name: str) -> None:
    written = {  # what a reader makes
        "out/justification.xlsx", "justification.xlsx", "my-lab.toml", "my-lab.xlsx", "quote.xlsx", "cards.draft.csv",
        "calibration.csv", "my_networks.py",
    }  # fmt: skip
    prefixes = ("", "catalog/", "hwcost/", "docs/")
    for word in code_words(name):
        for part in word.split():
            if not re.fullmatch(r"[\w./-]+\.(?:py|md|csv|toml|xlsx|txt|png)|[a-z]+(?:/[a-z]+)*/", part):
                continue
            if part in written or part.startswith("my-tables/"):
                continue
            assert any((ROOT / f"{prefix}{part}").exists() for prefix in prefixes), f"{name} names {part}"


@pytest.mark.parametrize("name", READMES)
def test_the_readme_lists_every_bundled_scenario(name: str) -> None:
    assert {cell.strip("`") for cell in first_column(table_with(name, "`lab-default`"))} == set(bundled_scenarios())


def test_the_two_readmes_have_the_same_sections_tables_and_figures() -> None:
    english, chinese = text("README.md"), text("README.zh.md")
    assert len(re.findall(r"^## ", english, re.MULTILINE)) == len(re.findall(r"^## ", chinese, re.MULTILINE))
    sizes = [[len(rows) for _, rows in tables(name)] for name in READMES]
    assert sizes[0] == sizes[1]
    links = [set(re.findall(r"\]\(([^)]+)\)", t)) - {"README.md", "README.zh.md"} for t in (english, chinese)]
    assert links[0] == links[1]
    for figure in ("2,545", "±40 %", "±50 %", "3.11", "180", "90"):
        assert figure in english and figure in chinese


def test_error_bands_of_the_readme_are_those_of_the_program() -> None:
    for name in READMES:
        assert f"±{ERROR_SHARE['transferred']:.0%}".replace("%", " %") in text(name)
        assert f"±{ERROR_SHARE['estimated']:.0%}".replace("%", " %") in text(name)
    assert "40 and 50 %" in text("docs/method.md")


def test_most_bundled_prices_are_out_of_date_as_the_readme_warns(catalog: Catalog) -> None:
    stale = [is_stale(price, date(2026, 11, 30)) for price in catalog.prices]
    assert sum(stale) > len(stale) / 2
    soft = [price.price_kind in ("street", "estimate") for price in catalog.prices]
    assert sum(soft) > len(soft) / 2
    years = [price.as_of.year for price in catalog.prices]
    assert f"{min(years)} to {max(years)}" in text("README.md") and f"{min(years)}～{max(years)}" in text(
        "README.zh.md"
    )


@pytest.mark.parametrize("name", READMES)
def test_the_readme_names_the_exit_statuses_0_to_4(name: str) -> None:
    assert first_column(table_with(name, "0")) == ["0", "1", "2", "3", "4"]


# --- docs/scenarios.md ---


def asked_keys(data: dict[str, Any], catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> set[tuple[str, str]]:
    """Every (table, key) that the loader asks for, `owned[1]` as `owned`."""
    asked: set[tuple[str, str]] = set()
    original = Table.has

    def has(self: Table, key: str) -> bool:
        asked.add((re.sub(r"\[\d+\]", "", self.path), key))
        return original(self, key)

    monkeypatch.setattr(Table, "has", has)
    scenario_from_dict(data, catalog)
    return asked


def documented() -> dict[tuple[str, str], dict[str, str]]:
    """Every (table, key) of the two pages on scenario files with its row."""
    found = {}
    for heading, rows in [*tables("docs/scenarios.md"), *tables("docs/funds.md")]:
        path = "" if heading == "Top of the file" else heading.strip("[]")
        for row in rows:
            for key in keys_of(row["key"]):
                assert (path, key) not in found, f"{path}.{key} is documented twice"
                found[path, key] = row
    return found


def whole_document(**top: Any) -> dict[str, Any]:
    """A document in which every table is present."""
    data: dict[str, Any] = {**tomllib.loads(MINIMAL), "workload": [dict(WORKLOAD)], "owned": [dict(OWNED)]}
    return {
        **data,
        "site": {"circuit": [{"amps": 16}]},
        "budget": {"amount": 1000},
        "fund": [dict(FUND)],
        "service": [dict(SERVICE)],
        "option": [dict(OPTION)],
        **top,
    }


def test_every_key_that_the_loader_knows_is_documented_and_no_other(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = asked_keys(whole_document(), catalog, monkeypatch)
    sections = {
        "budget",
        "site",
        "money",
        "power",
        "staff",
        "payers",
        "capacity",
        "storage",
        "choice",
        "owned",
        "workload",
        "purchase",
        "fund",
        "service",
        "option",
    }
    assert sections < {key for path, key in asked if path == ""}
    asked -= {("", section) for section in sections} | {("site", "circuit")}
    tables_of_names = {"purchase.price_trend_per_year", "purchase.stock", "purchase.min_order"}
    assert {path for path, _ in asked} & tables_of_names == set()  # their keys are ids, not words of the page
    assert set(documented()) == asked


def with_key(path: str, key: str, value: Any) -> dict[str, Any]:
    """The whole document with one key set, its rival ways to say the same removed."""
    data = whole_document()
    target: Any = data
    for part in [p for p in path.split(".") if p]:
        target = target.setdefault(part, {})
        target = target[0] if isinstance(target, list) else target
    target[key] = value
    if key == "steps_per_run":
        del target["epochs"]
    return data


RANGED = sorted((path, key) for (path, key), row in documented().items() if row["range"])


@pytest.mark.parametrize(("path", "key"), RANGED, ids=lambda value: value or "top")
def test_documented_ranges_are_those_that_the_loader_enforces(path: str, key: str, catalog: Catalog) -> None:
    stated = documented()[path, key]["range"].strip("`")
    with pytest.raises(InputError) as caught:
        scenario_from_dict(with_key(path, key, -2), catalog)
    dotted = re.sub(r"\[\d+\]", "", caught.value.problems[0].column)
    assert dotted == (f"{path}.{key}" if path else key)
    assert caught.value.problems[0].values["expected"] == stated.removeprefix("whole, ")
    with pytest.raises(InputError) as caught:
        scenario_from_dict(with_key(path, key, 1.5 if stated.startswith("whole") else "much"), catalog)
    named = key == "pue"  # a number, or the id of a row
    expected = "scenario_not_whole" if stated.startswith("whole") else "scenario_not_number"
    assert caught.value.problems[0].code == ("scenario_unknown_word" if named else expected)


DEFAULTS = sorted(
    (path, key) for (path, key), row in documented().items() if re.fullmatch(r"[\d.]+|true|false", row["default"])
)


@pytest.mark.parametrize(("path", "key"), DEFAULTS, ids=lambda value: value or "top")
def test_documented_defaults_are_those_of_the_loader(path: str, key: str, catalog: Catalog) -> None:
    stated = tomllib.loads(f"x = {documented()[path, key]['default']}")["x"]
    scenario = scenario_from_dict(whole_document(), catalog)
    parts: dict[str, Any] = {"workload": scenario.workloads, "owned": scenario.owned, "fund": scenario.funds,
                             "service": scenario.services, "option": scenario.options}  # fmt: skip
    holder: Any = parts[path][0] if path in parts else scenario
    holder = scenario.circuits[0] if path == "site.circuit" else holder
    renamed = {("workload", "ecc"): "ecc_required", ("budget", "tax_included"): "budget_tax_included",
               ("budget", "carry_over"): "equipment_carry_over"}  # fmt: skip
    assert getattr(holder, renamed.get((path, key), key)) == stated


def test_defaults_by_region_are_as_documented(catalog: Catalog) -> None:
    stated = documented()
    for n, region in enumerate(("CN", "US", "EU")):
        scenario = scenario_from_dict(whole_document(region=region), catalog)
        order = {"CN": 0, "EU": 1, "US": 2}[region]
        assert (
            stated["site.circuit", "volts"]["default"].split(", ")[order] == f"{scenario.circuits[0].volts:g} {region}"
        )
        assert stated["money", "tax_rate"]["default"].split(", ")[n] == f"{scenario.tax_rate:g} {region}"
    for (path, key), row in stated.items():
        if path == "payers" and key != "energy":
            assert f'"{scenario.payers[key]}"' in row["default"], key


def test_every_example_of_the_scenario_page_loads(catalog: Catalog) -> None:
    examples = blocks("docs/scenarios.md", "toml")
    assert len(examples) == 2
    loaded = [scenario_from_dict(tomllib.loads(example), catalog, "my-lab.toml") for example in examples]
    assert loaded[0].workloads[0].runs_per_year == 675
    assert [w.must for w in loaded[1].workloads] == [True, False]


def test_words_that_the_scenario_page_lists_are_all_there_are() -> None:
    rows = documented()
    assert keys_of(rows["workload", "optimizer"]["meaning"]) == list(OPTIMIZERS)
    assert set(keys_of(rows["workload", "precision"]["meaning"])) == set(PRECISIONS)
    assert set(keys_of(rows["choice", "allowed_statuses"]["meaning"])) == set(STATUSES)
    assert keys_of(rows["", "objective"]["meaning"]) == list(OBJECTIVES)


# --- docs/catalog.md ---


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.file)
def test_every_column_of_the_catalog_is_documented_with_whether_it_is_required(spec: Any) -> None:
    rows = dict(tables("docs/catalog.md"))[spec.file]
    stated = {key: row["required"] == "yes" for row in rows for key in keys_of(row["column"])}
    columns = {column.name: column.required for column in spec.columns if column.name not in COMMON_COLUMNS}
    assert stated == columns


def test_the_page_names_every_table_of_the_catalog() -> None:
    assert len(SPECS) == 19 and "Nineteen CSV tables, eighteen of them in `catalog/`" in text("docs/catalog.md")
    bundled = {spec.file for spec in SPECS} - {"calibration.csv"}  # measured on the user's own cards
    assert {path.name for path in (ROOT / "catalog").glob("*.csv")} == bundled


def test_words_that_the_catalog_page_lists_are_the_choices_of_the_column() -> None:
    checked = 0
    for spec in SPECS:
        choices = {column.name: set(column.choices) for column in spec.columns if 1 < len(column.choices) < 7}
        for row in dict(tables("docs/catalog.md"))[spec.file]:
            for key in keys_of(row["column"]):
                if key in choices and keys_of(row["meaning"]) and key not in ("currency", "base", "quote"):
                    assert set(keys_of(row["meaning"])) == choices[key], f"{spec.file}: {key}"
                    checked += 1
    assert checked > 12


def test_rows_added_by_hand_as_the_page_shows_are_read_and_win(tmp_path: Path) -> None:
    names = ("prices.csv", "availability.csv", "systems.csv")
    examples = blocks("docs/catalog.md", "csv")
    assert len(examples) == len(names)
    for name, example in zip(names, examples, strict=True):
        (tmp_path / name).write_text(example, encoding="utf-8")
    price = next(csv.DictReader(io.StringIO(examples[0])))
    loaded = load_catalog(tmp_path)
    assert any(p.amount == float(price["amount"]) and p.origin.layer == "user" for p in loaded.prices)
    said = [row for row in loaded.availability if (row.item_id, row.region) == (price["item_id"], "CN")]
    assert [(row.status, row.origin.layer) for row in said] == [("on_sale", "user")]
    assert loaded.systems["dealer-2x-pro5000"].cards == 2 and not loaded.systems["dealer-2x-pro5000"].example
