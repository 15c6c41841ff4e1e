"""The app in a real browser: edits that stay, files that arrive, sessions kept apart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

from tests.browser.page import (
    PATIENCE_S,
    arrived,
    cell_text,
    find,
    find_all,
    metrics,
    open_expander,
    paste,
    press,
    radio,
    text_of,
    turn_to,
    type_cell,
    type_over,
    visit,
    wait_for_text,
    wait_until_done,
)

QUICK = "fast-single-task"
BUDGET = f".st-key-{QUICK}-budget"
ECHO = "[data-testid=stSidebar]"
HEAD = ".st-key-answer h4"
JOBS = f"grid-{QUICK}-jobs"
PRICES = "grid-prices-card-CN"
PEOPLE, RUNS = 2, 3  # columns of the table of jobs
FUNDS = f"grid-{QUICK}-fund"
AMOUNT_OF_FUND, SPEND_BY, AFTER_MARK = 1, 5, 60  # columns of the table of funds; pixels before the first one
AMOUNT, AS_OF = 1, 6  # columns of the table of prices


def session(name: str) -> str:
    """An id of its own for each test."""
    return f"browser-test-{name}-0001"


def test_three_edits_in_a_row_stay_through_a_page_switch_and_a_reload(driver: webdriver.Chrome, address: str) -> None:
    visit(driver, address, "workloads", lang="zh", scenario=QUICK, s=session("edits"))
    for text in ("2", "3", "4"):
        type_cell(driver, JOBS, PEOPLE, 0, text)
        WebDriverWait(driver, PATIENCE_S, 0.1).until(
            lambda d, text=text: text_of(d, "[data-testid=stMain] ul").endswith(f"高峰 {text} 人同时。")
        )
        assert cell_text(driver, JOBS, PEOPLE, 0) == text
        wait_until_done(driver)
    type_cell(driver, JOBS, RUNS, 0, "1 200")
    WebDriverWait(driver, PATIENCE_S, 0.1).until(lambda d: "每年 1,200 次" in text_of(d, "[data-testid=stMain] ul"))
    turn_to(driver, "要不要多卡")
    turn_to(driver, "任务")
    assert [cell_text(driver, JOBS, c, 0) for c in (PEOPLE, RUNS)] == ["4", "1200"]
    driver.refresh()
    wait_until_done(driver)
    assert [cell_text(driver, JOBS, c, 0) for c in (PEOPLE, RUNS)] == ["4", "1200"]
    assert "修改已自动保存" in text_of(driver, ECHO)


def test_pasted_prices_are_read_by_the_one_parser_and_the_rest_is_listed(
    driver: webdriver.Chrome, address: str
) -> None:
    visit(driver, address, "catalog", lang="zh", scenario=QUICK, s=session("paste"))
    paste(driver, PRICES, AMOUNT, 0, ["￥12,999", "1.2万", "1.599,00", "1,599", "N/A"])
    listed = "[data-testid=stAlertContentError]"
    wait_for_text(driver, listed, "1,599")
    wait_until_done(driver)
    assert len(find_all(driver, f"{listed} li")) == 1
    turn_to(driver, "任务")
    turn_to(driver, "目录与报价")
    WebDriverWait(driver, PATIENCE_S, 0.1).until(lambda d: cell_text(d, PRICES, AMOUNT, 0) == "12999")
    assert [cell_text(driver, PRICES, AMOUNT, n) for n in (1, 2)] == ["12000", "1599"]
    assert [cell_text(driver, PRICES, AS_OF, n) for n in (0, 1, 2)] == ["2026-11-30"] * 3
    assert cell_text(driver, PRICES, AMOUNT, 3) not in ("1599", "1.599", "1,599")


def test_the_language_changes_in_place_and_keeps_the_figures(driver: webdriver.Chrome, address: str) -> None:
    visit(driver, address, lang="zh", scenario=QUICK, s=session("language"))
    assert metrics(driver)[0] == "2.95 万元"
    radio(driver, "lang", "English")
    wait_for_text(driver, HEAD, "Choose option")
    wait_until_done(driver)
    assert metrics(driver)[0] == "CNY 29,492"
    assert "lang=en" in driver.current_url
    assert not find_all(driver, "[data-testid=stException], [data-testid=stAlertContentError]")
    charts = find_all(driver, "[data-testid=stVegaLiteChart] :is(canvas, svg)")
    assert charts and charts[0].size["width"] > 300 and charts[0].size["height"] > 100


def test_two_sessions_at_once_do_not_see_each_other_and_one_survives_a_reload(
    driver: webdriver.Chrome, address: str
) -> None:
    visit(driver, address, lang="zh", scenario=QUICK, s=session("first"))
    first = driver.current_window_handle
    driver.switch_to.new_window("tab")
    try:
        visit(driver, address, lang="zh", scenario=QUICK, s=session("second"))
        second = driver.current_window_handle
        driver.switch_to.window(first)
        type_over(driver, f"{BUDGET} input", "7.5")
        wait_for_text(driver, ECHO, "¥ 75,000 = 7.50 万元")
        driver.switch_to.window(second)
        type_over(driver, f"{BUDGET} input", "4.5")
        wait_for_text(driver, ECHO, "¥ 45,000 = 4.50 万元")
        wait_for_text(driver, HEAD, "4.50 万元预算")
        driver.switch_to.window(first)
        driver.refresh()
        wait_until_done(driver)
        assert find(driver, f"{BUDGET} input").get_attribute("value") == "7.5"
        assert "7.50 万元预算" in text_of(driver, HEAD)
        driver.switch_to.window(second)
        driver.close()
    finally:
        driver.switch_to.window(first)


def test_an_impossible_budget_shows_repairs_and_one_press_applies_one(driver: webdriver.Chrome, address: str) -> None:
    visit(driver, address, lang="zh", scenario=QUICK, s=session("repair"))
    type_over(driver, f"{BUDGET} input", "1")
    wait_for_text(driver, "[data-testid=stAlertContentInfo]", "购置预算增加")
    wait_until_done(driver)
    assert not metrics(driver)
    press(driver, "repair-0")
    WebDriverWait(driver, PATIENCE_S, 0.1).until(lambda d: len(metrics(d)) == 3)
    wait_until_done(driver)
    assert not find_all(driver, "[data-testid=stAlertContentError]")


def test_the_record_and_the_scenario_arrive_and_open(driver: webdriver.Chrome, address: str, folder: Path) -> None:
    visit(driver, address, "report", lang="zh", scenario=QUICK, s=session("files"))
    press(driver, "download-record")
    record = json.loads(arrived(folder, ".json").read_text(encoding="utf-8"))
    assert record["totals"]["nominal"] > 0
    press(driver, "download-toml")
    scenario = arrived(folder, ".toml")
    open_expander(driver, "打开、恢复")
    find(driver, ".st-key-open-file input[type=file]").send_keys(str(scenario))
    WebDriverWait(driver, PATIENCE_S, 0.1).until(lambda d: f"scenario={QUICK}-2" in d.current_url)
    wait_until_done(driver)
    assert not find_all(driver, "[data-testid=stException], [data-testid=stAlertContentError]")


@pytest.mark.parametrize("page", ["", "workloads"])
def test_tables_scroll_on_a_narrow_screen_and_the_page_does_not(
    driver: webdriver.Chrome, address: str, page: str
) -> None:
    screen = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    try:
        visit(driver, address, page, lang="zh", scenario=QUICK, s=session("narrow"))
        WebDriverWait(driver, PATIENCE_S, 0.1).until(
            lambda d: d.execute_script("return document.documentElement.scrollWidth") <= 390
        )
        widths = driver.execute_script(
            "return [...document.querySelectorAll('[data-testid=stTable]')].map(t => t.getBoundingClientRect().right)"
        )
        assert widths and max(widths) <= 390
    finally:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_fund_typed_into_its_table_is_in_the_scenario_after_a_reload(driver: webdriver.Chrome, address: str) -> None:
    """The budget split into funds; three cells in a row, of which the last one cannot be read."""
    visit(driver, address, "money", lang="en", scenario=QUICK, s=session("money"))
    press(driver, "make-funds")
    wait_until_done(driver)
    for column, row, text in ((AMOUNT_OF_FUND, 0, "70000"), (AMOUNT_OF_FUND, 1, "12000"), (SPEND_BY, 0, "soon")):
        type_cell(driver, FUNDS, column, row, text, AFTER_MARK)
        wait_until_done(driver)
    assert "soon" in text_of(driver, "[class*=st-key-rejected]")
    driver.refresh()
    wait_until_done(driver)
    assert [cell_text(driver, FUNDS, AMOUNT_OF_FUND, row) for row in (0, 1)] == ["70000", "12000"]
    assert cell_text(driver, FUNDS, SPEND_BY, 0) == ""
    turn_to(driver, "Decision")
    assert "70,000" in text_of(driver, ECHO)
