"""The app in a real browser: it draws, it speaks both languages, it keeps what is typed, its files arrive."""

from __future__ import annotations

import json
import time
from pathlib import Path

import openpyxl
import pytest
from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

from tests.browser.page import PATIENCE_S, find, find_all, press, text_of, type_over, wait_for_text, wait_until_done

QUICK = "fast-single-task"
BUDGET = f".st-key-{QUICK}-budget"
ECHO = "[data-testid=stSidebar] [data-testid=stCaptionContainer]"
METRIC = "[data-testid=stMetricValue]"


def open_page(driver: webdriver.Chrome, address: str, lang: str) -> None:
    driver.get(f"{address}/?lang={lang}&scenario={QUICK}")
    wait_until_done(driver)


def radio(driver: webdriver.Chrome, name: str, label: str) -> None:
    boxes = find_all(driver, f".st-key-{name} label")
    box = next(b for b in boxes if b.text.strip() == label)
    driver.execute_script("arguments[0].click()", box)


def arrived(folder: Path, suffix: str) -> Path:
    """The file with this ending, once it is complete."""

    def found(_: object) -> Path | None:
        return next((p for p in folder.iterdir() if p.suffix == suffix), None)

    return WebDriverWait(folder, PATIENCE_S, 0.2).until(found)


@pytest.mark.parametrize(("lang", "sentence"), [("zh", "建议采用方案"), ("en", "Choose option")])
def test_the_page_gets_ready_with_charts_and_their_tables(
    driver: webdriver.Chrome, address: str, lang: str, sentence: str
) -> None:
    open_page(driver, address, lang)
    assert sentence in text_of(driver, ".st-key-answer h4")
    assert not find_all(driver, "[data-testid=stException], [data-testid=stAlertContentError]")
    charts = find_all(driver, "[data-testid=stVegaLiteChart] :is(canvas, svg)")
    assert len(charts) >= 2 and all(c.size["width"] > 300 and c.size["height"] > 100 for c in charts)
    for name in ("costs-category", "costs-payer"):  # the table under each chart
        rows = find_all(driver, f".st-key-{name} tbody tr")
        assert rows and all(len(r.text.split()) > 2 for r in rows)


def test_the_language_changes_in_place_and_keeps_the_figures(driver: webdriver.Chrome, address: str) -> None:
    open_page(driver, address, "zh")
    assert text_of(driver, METRIC) == "2.95 万元"
    radio(driver, "lang", "English")
    wait_for_text(driver, ".st-key-answer h4", "Choose option")
    wait_until_done(driver)
    assert text_of(driver, METRIC) == "CNY 29,492"
    assert "lang=en" in driver.current_url


def test_25_in_units_of_ten_thousand_is_250000_in_units_of_one(driver: webdriver.Chrome, address: str) -> None:
    open_page(driver, address, "zh")
    type_over(driver, f"{BUDGET} input", "25")
    wait_for_text(driver, ECHO, "¥ 250,000 = 25.00 万元")
    press(driver, "solve")
    wait_for_text(driver, ".st-key-answer h4", "25.00 万元预算")
    wait_until_done(driver)
    in_wan = [e.text for e in find_all(driver, METRIC)]
    radio(driver, f"{QUICK}-unit", "元")
    wait_for_text(driver, ECHO, "¥ 25 = ")
    type_over(driver, f"{BUDGET} input", "250000")
    wait_for_text(driver, ECHO, "¥ 250,000 = 25.00 万元")
    wait_until_done(driver)
    assert [e.text for e in find_all(driver, METRIC)] == in_wan
    assert not find_all(driver, "[data-testid=stAlertContentWarning]")  # the same input: nothing is stale


def test_a_reload_keeps_what_was_typed(driver: webdriver.Chrome, address: str) -> None:
    open_page(driver, address, "zh")
    type_over(driver, f"{BUDGET} input", "7.5")
    wait_for_text(driver, ECHO, "¥ 75,000 = 7.50 万元")
    WebDriverWait(driver, PATIENCE_S, 0.2).until(lambda d: "budget=7.5" in d.current_url)
    driver.refresh()
    wait_until_done(driver)
    assert find(driver, f"{BUDGET} input").get_attribute("value") == "7.5"


def test_the_files_arrive_and_are_those_of_the_page(driver: webdriver.Chrome, address: str, folder: Path) -> None:
    open_page(driver, address, "zh")
    press(driver, "download-workbook")
    workbook = arrived(folder, ".xlsx")
    assert workbook.name == f"采购论证_{QUICK}.xlsx"
    assert openpyxl.load_workbook(workbook).sheetnames
    press(driver, "download-record")
    record = json.loads(arrived(folder, ".json").read_text(encoding="utf-8"))
    assert f"{record['totals']['nominal'] / 10_000:.2f} 万元" in [e.text for e in find_all(driver, METRIC)]


def test_tables_scroll_on_a_narrow_screen_and_the_page_does_not(driver: webdriver.Chrome, address: str) -> None:
    screen = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    try:
        open_page(driver, address, "zh")
        time.sleep(0.3)  # the layout follows the width one frame later
        assert driver.execute_script("return document.documentElement.scrollWidth") <= 390
        widths = driver.execute_script(
            "return [...document.querySelectorAll('[data-testid=stTable]')].map(t => t.getBoundingClientRect().right)"
        )
        assert widths and max(widths) <= 390
    finally:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
