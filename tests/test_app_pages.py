"""The pages beside the decision, without a browser: each says what the engine says, in both languages."""

from __future__ import annotations

import re
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest
from app_kit import QUICK, SESSION, figures, go, headline, page, sound, texts_of
from streamlit.testing.v1 import AppTest

from hwcost.alternatives import several_cards, several_cards_line
from hwcost.answers_io import answers_from_dict
from hwcost.catalog import load_catalog
from hwcost.commands.app import SETTINGS, command
from hwcost.messages import LANGUAGES
from hwcost.records import Catalog
from hwcost.scenario_io import load_scenario, scenario_from_dict
from hwcost.start import start
from hwcost.web.app import PAGES, VIEWS
from hwcost.web.words import plain

ROOT = Path(__file__).resolve().parents[1]
CJK = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HWCOST_HOME", str(tmp_path))
    return tmp_path


def test_every_page_is_a_file_and_every_file_a_page() -> None:
    assert {path.stem for path in VIEWS.glob("*.py")} - {"__init__"} == set(PAGES)


def test_every_page_draws_in_both_languages_and_english_has_no_chinese_word() -> None:
    at = page("en")
    for name in PAGES[1:]:
        at = go(at, name)
        assert sound(at), name
        assert not [text for text in texts_of(at) if CJK.search(text) and text != "中文"], name
    at.radio(key="lang").set_value("zh").run()
    for name in PAGES[1:]:
        at = go(at, name)
        assert sound(at), name
        assert CJK.search(at.title[0].value), name


# --- start ---


def answered(at: AppTest) -> AppTest:
    at.text_input(key="start/budget").set_value("25").run()
    at.number_input(key="start/people").set_value(8).run()
    return at.number_input(key="start/at_once").set_value(6).run()


def test_twelve_answers_make_a_scenario_that_is_the_engines_and_is_kept(home: Path, catalog: Catalog) -> None:
    at = answered(page("zh", view="start"))
    assert sound(at)
    at.button(key="make").click().run()
    assert sound(at) and at.title[0].value == "我们的课题组"
    kept = tomllib.loads((home / "sessions" / SESSION / "my-lab.toml").read_text(encoding="utf-8"))
    made = scenario_from_dict(kept, catalog, "my-lab.toml")
    told = {
        "schema": "hwcost.answers/1", "id": "my-lab", "name_en": "我们的课题组", "name_zh": "我们的课题组",
        "region": "CN", "as_of": made.as_of, "people": {"total": 8, "at_once": 6},
        "budget": {"amount": 250_000.0, "unit": "CNY", "tax_included": True},
    }  # fmt: skip
    expected = start(answers_from_dict(told, catalog), catalog).scenario
    assert made.sha256 == expected.sha256 and made.budget == 250_000.0
    assert sum(w.people_at_once for w in made.workloads) == 6


def test_what_is_typed_in_the_form_is_there_again_after_a_page_switch_and_a_restart() -> None:
    at = go(go(answered(page("zh", view="start")), "decision"), "start")
    assert at.text_input(key="start/budget").value == "25" and at.number_input(key="start/people").value == 8
    again = page("zh", view="start")
    assert again.text_input(key="start/budget").value == "25" and again.number_input(key="start/at_once").value == 6


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_wrong_answer_is_told_at_its_question_and_nothing_is_made(lang: str) -> None:
    at = page(lang, view="start")
    at.number_input(key="start/people").set_value(2).run()
    at.number_input(key="start/at_once").set_value(5).run()
    assert len(at.error) == 1 and "2" in at.error[0].value and "toml" not in at.error[0].value
    assert at.button(key="make").disabled


# --- workloads ---


def test_a_job_added_by_its_name_is_in_the_scenario_and_can_be_removed() -> None:
    at = page("en", view="workloads")
    at.selectbox(key="add-what").set_value("SSFTT, Indian Pines").run()
    at.button(key="add-job").click().run()
    assert sound(at)
    assert [w.preset for w in at.session_state["desk"].scenario().workloads][-1] == "ssftt-ip"
    added = at.session_state["desk"].scenario().workloads[-1].id
    at.selectbox(key="remove-which").set_value(added).run()
    at.button(key="remove-job").click().run()
    assert [w.id for w in at.session_state["desk"].scenario().workloads] == ["unet-fast"]


def test_the_map_of_jobs_and_cards_has_a_reason_wherever_a_job_does_not_run() -> None:
    at = page("en", "office-circuit", view="workloads")
    table = next(t.value for t in at.table if "Fits?" in t.value.columns and "reason" in t.value.columns)
    refused = table[table["Fits?"] == "does not run"]
    assert len(refused) and all(refused["reason"].str.len() > 10)
    assert all(table[table["Fits?"] != "does not run"]["reason"] == "")


# --- compare, several cards, report ---


def test_two_named_cards_stand_beside_each_other_with_a_verdict() -> None:
    at = page("en", view="compare")
    known = at.multiselect(key="compare/pick").options
    assert "card: RTX PRO 4000 Blackwell 24 GB" in known
    at.multiselect(key="compare/pick").set_value(
        ["card/rtx-pro-4000-blackwell", "card/rtx-pro-5000-blackwell-48gb"]
    ).run()
    assert sound(at)
    assert headline(at) == "Better\\: RTX PRO 4000 Blackwell 24 GB\\. It decides by cost\\.".replace("\\.", ".")
    (table,) = (t.value for t in at.table)
    dear = "RTX PRO 5000 Blackwell 48GB"
    assert list(table.columns) == ["RTX PRO 4000 Blackwell 24 GB", dear]
    assert table.loc["Available", dear].split(" (")[0] in (
        "on sale", "remnant", "discontinued", "not exportable", "to be checked", "used")  # fmt: skip


def test_the_line_on_several_cards_is_the_engines(catalog: Catalog) -> None:
    at = page("en", view="several")
    chosen = at.selectbox(key=f"{QUICK}/several-card").value
    scenario = load_scenario(QUICK, catalog)
    expected = several_cards_line(
        several_cards(scenario.workloads[0], catalog.cards[chosen], catalog.links, cards=4), "en")  # fmt: skip
    assert any(plain(expected) in m.value for m in at.markdown)


def test_the_report_gives_the_amount_in_words_and_five_files() -> None:
    at = page("zh", view="report")
    assert any("人民币" in m.value for m in at.markdown)
    keys = {b.key for b in at.get("download_button")}
    assert {"download-workbook", "download-toml", "download-record", "download-log"} <= keys


def test_the_log_of_decisions_stands_in_the_report() -> None:
    at = page("en")
    at.number_input(key=f"{QUICK}/horizon_years").set_value(5).run()
    at = go(at, "report")
    log = next(t.value for t in at.table if t.value.index.name == "Time")
    assert list(log["What"]) == ["Horizon, years\\: 3 → 5"] and log["Difference"].iloc[0].startswith("+CNY")


# --- what if ---


def test_why_not_and_the_next_money_answer_when_asked(catalog: Catalog) -> None:
    at = page("en", view="whatif")
    before = figures(at)
    at.selectbox(key=f"{QUICK}/why").set_value("rtx-pro-5000-blackwell-48gb").run()
    assert sound(at) and any("RTX PRO 5000" in m.value for m in at.markdown)
    at.button(key="start-budget").click().run()
    assert sound(at)
    table = next(t.value for t in at.table if t.value.index.name == "Budget")
    assert len(table) == 10 and figures(at) == before
    at = go(at, "report")
    assert sound(at)
    said = " ".join(c.value.replace("\\", "") for c in at.caption)
    assert "sheet of risk holds: what other budgets buy" in said and "left out of its sheet of risk: switching" in said
    at = go(at, "whatif")
    at.button(key="start-tornado").click().run()
    assert sound(at)
    effects = next(t.value for t in at.table if "Range from" in t.value.columns)
    assert len(effects) > 5 and set(effects["Choice"]) <= {"the choice stays", "the choice changes"}


# --- settings ---


def test_the_command_gives_the_settings_of_the_file() -> None:
    """`hwcost app` works outside a checkout, where the file is not read."""
    stated = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))

    def flat(table: dict, prefix: str = "") -> dict:
        rows = {}
        for key, value in table.items():
            rows |= flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {f"{prefix}{key}": value}
        return rows

    def text(value: object) -> object:
        return (
            tuple(value) if isinstance(value, list) else str(value).lower() if isinstance(value, bool) else str(value)
        )

    assert {key: text(value) for key, value in flat(stated).items()} == SETTINGS
    words = command(Path("page.py"), 8600)
    for name, value in SETTINGS.items():
        for part in value if isinstance(value, tuple) else (value,):
            assert (f"--{name}", part) in pairwise(words)


@pytest.mark.parametrize(
    ("name", "safe"),
    [("server.address", "127.0.0.1"), ("server.enableXsrfProtection", "true"), ("browser.gatherUsageStats", "false"),
     ("client.showErrorDetails", "type"), ("server.maxUploadSize", "20"), ("server.enableStaticServing", "false")],
)  # fmt: skip
def test_the_defaults_are_the_safe_ones(name: str, safe: str) -> None:
    assert SETTINGS[name] == safe
