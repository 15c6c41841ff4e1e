"""Forms for what a scenario file can say: who pays, money by year, options of the user's own."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from app_kit import QUICK, SESSION, go, page, sound, texts_of
from streamlit.testing.v1 import AppTest

from hwcost.catalog import load_catalog
from hwcost.errors import Problem
from hwcost.intake.store import spec_of
from hwcost.messages import texts
from hwcost.records import COOLINGS, ECC_KINDS, FIGURE_KINDS, SEGMENTS, Catalog
from hwcost.scenario_io import PAYER_CATEGORIES, load_scenario, scenario_from_dict
from hwcost.web import changes, frame, new_cards, own_options, payers, tables, yearly
from hwcost.web.desk import original
from hwcost.web.documents import put
from hwcost.web.words import plain


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HWCOST_HOME", str(tmp_path))
    return tmp_path


def scenario_of(at: Any) -> Any:
    return at.session_state["desk"].scenario()


# --- who pays ---


def test_every_cost_that_arises_has_a_box() -> None:
    """Bridges and networks are kept for parts that nobody buys yet."""
    lines = {*payers.BOUGHT, *payers.RUNNING, *payers.ENERGY} - {"energy"}
    assert lines == set(PAYER_CATEGORIES) - {"bridge", "network"}
    for kind in ("energy", *lines):
        assert f"web.key.payers.{kind}" in texts()


@pytest.mark.parametrize(("lang", "lab"), [("zh", "课题组"), ("en", "the lab")])
def test_a_payer_chosen_on_the_page_is_the_one_of_the_plan(lang: str, lab: str) -> None:
    at = go(page(lang), "money")
    box = at.selectbox(key=f"{QUICK}/payers.hosting")
    assert box.value == "university" and lab in box.options
    box.set_value("lab").run()
    at.selectbox(key=f"{QUICK}/payers.staff").set_value("lab").run()
    assert sound(at)
    found = scenario_of(at).payers
    assert (found["hosting"], found["staff"], found["setup"]) == ("lab", "lab", "non_cash")


def test_one_box_for_electricity_sets_both_lines_and_says_where_they_differ(catalog: Catalog) -> None:
    document = put(original(QUICK), {"payers": {"energy_idle": "lab"}})
    scenario = scenario_from_dict(document, catalog, "t")
    assert payers.payer_of(scenario, "energy") == payers.APART
    made = scenario_from_dict(put(document, payers.fields_of("energy", "lab")), catalog, "t")
    assert (made.payers["energy_idle"], made.payers["energy_busy"]) == ("lab", "lab")
    assert payers.payer_of(made, "energy") == "lab"
    back = put(put(document, payers.fields_of("energy", "lab")), payers.fields_of("energy", "university"))
    assert scenario_from_dict(back, catalog, "t").payers["energy_idle"] == "university"


@pytest.mark.parametrize(("lang", "payer"), [("zh", "课题组"), ("en", "the lab")])
def test_the_list_of_changes_names_the_payer_in_words(lang: str, payer: str) -> None:
    at = go(page(lang), "money")
    at.selectbox(key=f"{QUICK}/payers.energy").set_value("lab").run()
    at = go(at, "decision")
    assert sound(at) and payer in texts_of(at)


def test_what_hosting_and_hours_cost_is_typed_beside_who_pays_them(catalog: Catalog) -> None:
    usual = load_scenario(QUICK, catalog).staff_wage_per_hour
    at = go(page("zh"), "money")
    typed = {
        "power.hosting_per_node_year": "1,200.00",
        "staff.wage_per_hour": "￥60",
        "staff.hours_limit_per_year": "80",
    }
    for key, text in typed.items():
        at.text_input(key=f"{QUICK}/{key}").set_value(text).run()
    assert sound(at)
    found = scenario_of(at)
    assert (found.hosting_per_node_year, found.staff_wage_per_hour) == (1200, 60)
    assert found.staff_hours_limit_per_year == 80
    for key in typed:
        at.text_input(key=f"{QUICK}/{key}").set_value("").run()
    found = scenario_of(at)
    assert sound(at) and found.staff_hours_limit_per_year is None
    assert (found.hosting_per_node_year, found.staff_wage_per_hour) == (0, usual)


# --- money by year ---


def years(at: Any, *amounts: str) -> Any:
    for year, text in enumerate(amounts):
        at.text_input(key=f"{QUICK}/budget.per_year/{year}").set_value(text).run()
    return at


def test_money_typed_by_year_makes_the_budget_and_its_years(catalog: Catalog) -> None:
    at = years(go(page("zh"), "money"), "6万", "￥40,000")
    assert not at.error
    found = scenario_of(at)
    assert (found.equipment_per_year, found.budget) == ((60_000.0, 40_000.0), 100_000.0)
    assert any("第 2 年" in w.value for w in at.warning)  # nothing may be bought then
    at.multiselect(key=f"{QUICK}/purchase.years").set_value([1, 2]).run()
    assert not at.warning
    at.checkbox(key=f"{QUICK}/budget.carry_over").set_value(False).run()
    assert not scenario_of(at).equipment_carry_over
    assert scenario_of(at).objective == load_scenario(QUICK, catalog).objective


def test_emptied_years_leave_the_sum_at_the_start() -> None:
    at = years(go(page("en"), "money"), "60000", "40000")
    at = years(at, "", "")
    found = scenario_of(at)
    assert (found.equipment_per_year, found.budget) == ((), 40_000.0)  # the last year stood alone before


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_year_that_cannot_be_read_is_told_and_changes_nothing(lang: str, catalog: Catalog) -> None:
    before = load_scenario(QUICK, catalog)
    at = years(go(page(lang), "money"), "soon")
    assert len(at.error) == 1 and "soon" in at.error[0].value
    assert scenario_of(at).budget == before.budget and scenario_of(at).equipment_per_year == ()
    assert at.text_input(key=f"{QUICK}/budget.per_year/0").value == "soon"


@pytest.mark.parametrize(
    ("amounts", "parts"),
    [([1.0, None, 2.0], [1.0, 0.0, 2.0]), ([1.0, 0.0, None], [1.0]), ([None, 3.0], [0.0, 3.0])],
)
def test_a_year_between_is_nothing_and_none_at_the_end(
    amounts: list[float | None], parts: list[float], catalog: Catalog
) -> None:
    fields = yearly.fields_of(amounts, load_scenario(QUICK, catalog))
    assert fields["budget.per_year"] == parts and fields["budget.amount"] == sum(parts)


def test_empty_boxes_where_nothing_was_stated_are_no_change(catalog: Catalog) -> None:
    assert yearly.fields_of([None, None], load_scenario(QUICK, catalog)) == {}


# --- options of the user's own ---

OWN_PAGE = """
import streamlit as st
from hwcost.web import changes, frame, new_cards, own_options, state
desk, lang = state.desk(), state.language()
own_options.show(desk, desk.scenario(), lang)
"""


def own(lang: str, scenario: str = QUICK) -> AppTest:
    at = AppTest.from_string(OWN_PAGE, default_timeout=60)
    for name, value in {"lang": lang, "scenario": scenario, "s": SESSION}.items():
        at.query_params[name] = value
    return at.run()


def multiselect(at: AppTest, field: str, identity: str = "") -> Any:
    return at.multiselect(key=f"{QUICK}/option/{identity}/{field}" if identity else f"new-option/{field}")


@pytest.mark.parametrize(("lang", "name"), [("zh", "经销商的单台"), ("en", "The dealer's box")])
def test_an_option_named_in_words_is_one_of_the_scenario(lang: str, name: str, catalog: Catalog) -> None:
    at = own(lang)
    assert sound(at) and at.button(key="add-option").disabled
    at.text_input(key="new-option/name").set_value(name).run()
    assert at.button(key="add-option").disabled  # it names nothing yet
    cards = multiselect(at, "cards")
    assert "RTX A5500 24 GB" in cards.options and not set(catalog.cards) & set(cards.options)
    cards.set_value(["rtx-a5500"]).run()
    multiselect(at, "cards_per_node").set_value([2]).run()
    at.number_input(key="new-option/max_nodes").set_value(1).run()
    at.button(key="add-option").click().run()
    assert sound(at)
    (made,) = scenario_of(at).options
    assert (made.name_zh if lang == "zh" else made.name) == name
    assert (made.id, made.cards, made.cards_per_node, made.max_nodes) == ("option-1", ("rtx-a5500",), (2,), 1)
    assert (made.chassis, made.systems, made.services, made.upgrades) == ((), (), (), False)
    assert at.text_input(key="new-option/name").value == "" and multiselect(at, "cards").value == []


def test_an_option_can_be_changed_renamed_and_taken_away() -> None:
    at = own("zh")
    at.text_input(key="new-option/name").set_value("甲").run()
    multiselect(at, "cards").set_value(["rtx-a5500"]).run()
    at.button(key="add-option").click().run()
    multiselect(at, "cards_per_node", "option-1").set_value([1, 2]).run()
    multiselect(at, "cards", "option-1").set_value([]).run()
    at.text_input(key=f"{QUICK}/option/option-1/name").set_value("乙").run()
    (made,) = scenario_of(at).options
    assert sound(at)
    assert (made.name_zh, made.cards, made.cards_per_node) == ("乙", (), (1, 2))
    at.button(key="remove-option-1").click().run()
    assert sound(at) and scenario_of(at).options == ()


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_an_option_emptied_is_refused_in_words_and_stays(lang: str) -> None:
    at = own(lang)
    at.text_input(key="new-option/name").set_value("X").run()
    multiselect(at, "cards").set_value(["rtx-a5500"]).run()
    at.button(key="add-option").click().run()
    multiselect(at, "cards", "option-1").set_value([]).run()
    assert len(at.error) == 1 and "option-1" not in at.error[0].value and "X" in at.error[0].value
    assert scenario_of(at).options[0].cards == ("rtx-a5500",)
    assert multiselect(at, "cards", "option-1").value == ["rtx-a5500"]


def test_at_most_eight_options(catalog: Catalog) -> None:
    at = own("en")
    rows = [{"id": f"o{n}", "name_en": f"O{n}", "cards": ["rtx-a5500"]} for n in range(8)]
    faults: tuple[Problem, ...] = at.session_state["desk"].edit({"option": rows})
    assert not faults
    at.run()
    assert sound(at) and len(scenario_of(at).options) == 8
    assert not [b for b in at.button if b.key == "add-option"]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_lists_name_hosts_machines_and_offers_in_words(lang: str, catalog: Catalog) -> None:
    document = put(original(QUICK), {"service": [{"id": "hpc", "rental": "campus-cn-80gb"}]})
    scenario = scenario_from_dict(document, catalog, "t")
    for field, table in (("cards", catalog.cards), ("chassis", catalog.chassis), ("systems", catalog.systems)):
        found = own_options.choices(field, scenario, catalog, lang)
        assert set(found) == set(table) and not set(found.values()) & set(table)
    assert set(own_options.choices("services", scenario, catalog, lang)) == {"hpc"}
    assert list(own_options.choices("cards_per_node", scenario, catalog, lang)) == list(scenario.cards_per_node)


# --- words of the framework ---


def dictionary(lang: str) -> tuple[dict[str, str], list[list[str]]]:
    """The words and the patterns that the script of a language holds."""
    found = re.search(r"const words = (\{.*\}), patterns = (\[.*\])\.map\(\(\[from", frame.script(lang))
    assert found is not None
    return json.loads(found[1]), json.loads(found[2])


def said(lang: str, text: str) -> str | None:
    """What the script makes of a text; Python writes named groups with a P and replaces by \\g<name>."""
    words, patterns = dictionary(lang)
    for pattern, to in patterns:
        pattern, to = pattern.replace("(?<", "(?P<"), to.replace("$<", "\\g<")
        if text not in words and re.search(pattern, text):
            return re.sub(pattern, to, text)
    return words.get(text)


EXACT = [("Select all", "全选"), ("No results", "无匹配项"), ("Upload", "上传文件"), ("Add: my net", "填入：my net")]
BELOW = "Number is below the allowed range. Please enter a value greater than or equal to 1."


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        *EXACT, ("Choose options", "请选择"), ("Delete row(s)", "删除行"), ("20MB per file", "每个文件不超过 20MB"),
        (BELOW, "数值低于允许范围，请填写不小于 1 的数。"),
        (f"Error: {BELOW}", "数值低于允许范围，请填写不小于 1 的数。"),
    ],
)  # fmt: skip
def test_a_word_of_the_framework_is_said_in_chinese(english: str, chinese: str) -> None:
    assert said("zh", english) == chinese
    assert said("en", english) is None and said("zh", "设备费") is None


@pytest.mark.parametrize(("english", "chinese"), EXACT)
def test_a_word_of_the_framework_is_taken_back_in_english(english: str, chinese: str) -> None:
    assert said("en", chinese) == english


def test_no_word_of_the_framework_can_end_the_script() -> None:
    for lang in ("zh", "en"):
        assert frame.script(lang).count("</script>") == 1 and frame.script(lang).endswith("</script>")


# --- where figures are from ---


@pytest.mark.parametrize("key", ["fast-single-task", "lab-default"])
def test_what_the_program_says_of_its_own_figures_is_in_the_reader_language(key: str, catalog: Catalog) -> None:
    """Citations stay as they are; ids of rows and jobs are not shown."""
    scenario = load_scenario(key, catalog)
    ids = {w.id for w in scenario.workloads} | set(catalog.power)
    assert len(scenario.assumptions) > 10
    for item in scenario.assumptions:
        chinese, english = (tables.source_text(item.source, scenario, lang) for lang in ("zh", "en"))
        assert re.search("[\u4e00-\u9fff]", chinese), item.source
        assert not [i for i in ids if re.search(rf"\b{re.escape(i)}: ", f"{chinese}{english}")]


@pytest.mark.parametrize(
    ("lang", "text"), [("zh", "数据集容量的 1.25 倍，至少 1 TB"), ("en", "1.25 x data sets, at least 1 TB")]
)
def test_a_source_of_the_program_has_its_words(lang: str, text: str, catalog: Catalog) -> None:
    scenario = load_scenario(QUICK, catalog)
    assert tables.source_text("1.25 x data sets, at least 1 TB", scenario, lang) == text
    assert tables.source_text("a letter of 3 May", scenario, lang) == "a letter of 3 May"


# --- the list of changes ---


@pytest.mark.parametrize(
    ("key", "value", "chinese", "english"),
    [
        ("option[mine].id", "mine", "是", "yes"),
        ("option[mine].cards", ["rtx-a5500", "rtx-a4000"], "RTX A5500、RTX A4000", "RTX A5500, RTX A4000"),
        ("service[hpc].card", "a100-40gb-pcie", "NVIDIA A100 40GB PCIe", "NVIDIA A100 40GB PCIe"),
        ("service[hpc].kind", "campus", "校级平台", "campus cluster"),
        ("fund[f].pays", ["equipment"], "设备费", "equipment"),
        ("workload[w].precision", "amp16", "混合精度（FP16）", "mixed precision (FP16)"),
        ("payers.staff", "non_cash", "自有工时（非现金）", "own hours, no cash"),
    ],
)
def test_the_list_of_changes_speaks_in_names(
    key: str, value: Any, chinese: str, english: str, catalog: Catalog
) -> None:
    assert changes.value_text(key, value, "CNY", "zh", catalog) == chinese
    assert changes.value_text(key, value, "CNY", "en", catalog) == english


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_form_of_a_card_names_every_column_in_words_and_its_codes(lang: str) -> None:
    rows = new_cards.rows({}, lang)
    fields = [str(row["field"]) for row in rows.values()]
    assert len(set(fields)) == len(fields) == len(spec_of(new_cards.FILE).columns)
    assert not set(fields) & set(rows)
    for name, codes in (("segment", SEGMENTS), ("cooling", COOLINGS), ("ecc", ECC_KINDS), ("kind", FIGURE_KINDS)):
        assert all(code in rows[name]["field"] for code in codes)


@pytest.mark.parametrize(("lang", "shown"), [("zh", True), ("en", False)])
def test_what_follows_from_the_answers_names_networks_and_rules_in_the_reader_language(
    lang: str, shown: bool, catalog: Catalog
) -> None:
    at = go(page(lang), "start")
    cells = set(texts_of(at))
    assert not {*catalog.networks, *(row.id for row in catalog.procurement)} & cells
    patch = catalog.networks["hybridsn-ip"]
    assert (plain(patch.name_zh) in cells) is shown and (plain(patch.name) in cells) is not shown
