"""Forms in a real browser: figures typed one after the other while the page redraws, and menus in Chinese."""

from __future__ import annotations

import time

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from tests.browser.page import (
    PATIENCE_S,
    cell_text,
    find,
    find_all,
    on_cell,
    open_expander,
    press,
    text_of,
    visit,
    wait_until_done,
)

QUICK = "fast-single-task"
PRICES, AMOUNT = "grid-prices-card-CN", 1
FUNDS = f"grid-{QUICK}-fund"
STROKE_S = 0.08  # of a quick typist
ENGLISH = """
const words = new Set(), walk = document.createTreeWalker(document.querySelector(arguments[0]), NodeFilter.SHOW_TEXT);
while (walk.nextNode()) if (/[A-Za-z]{3,}/.test(walk.currentNode.nodeValue)
    && !walk.currentNode.parentElement.closest('[data-testid=stIconMaterial], style'))
  words.add(walk.currentNode.nodeValue.trim());
return [...words];
"""


def strokes(driver: webdriver.Chrome, text: str, leave: str) -> None:
    """Types as a hand does, without looking whether the page has taken it."""
    for stroke in (*text, leave):
        ActionChains(driver).send_keys(stroke).perform()
        time.sleep(STROKE_S)


def type_down(driver: webdriver.Chrome, grid: str, column: int, texts: list[str]) -> None:
    for row, text in enumerate(texts):
        on_cell(driver, grid, column, row)
        strokes(driver, text, Keys.ENTER)


def english(driver: webdriver.Chrome, selector: str) -> list[str]:
    """Words in Latin letters within an element, once it is there."""
    WebDriverWait(driver, PATIENCE_S, 0.1).until(lambda d: text_of(d, selector))
    return list(driver.execute_script(ENGLISH, selector))


def test_prices_typed_one_after_the_other_are_all_kept(driver: webdriver.Chrome, address: str) -> None:
    """Each one makes the page redraw; the next is being typed meanwhile."""
    visit(driver, address, "catalog", lang="zh", scenario=QUICK, s="browser-test-typed-0001")
    wanted = ["9001", "9002", "9003", "9004"]
    type_down(driver, PRICES, AMOUNT, wanted)
    wait_until_done(driver)
    driver.refresh()
    wait_until_done(driver)
    assert [cell_text(driver, PRICES, AMOUNT, row) for row in range(4)] == wanted


def test_amounts_of_funds_and_a_box_typed_in_a_row_are_all_kept(driver: webdriver.Chrome, address: str) -> None:
    visit(driver, address, "money", lang="zh", scenario=QUICK, s="browser-test-typed-0002")
    press(driver, "make-funds")
    wait_until_done(driver)
    type_down(driver, FUNDS, 1, ["70000", "12000"])
    box = f".st-key-{QUICK}-purchase-lead_weeks input"
    find(driver, box).click()
    strokes(driver, "6", Keys.TAB)
    wait_until_done(driver)
    driver.refresh()
    wait_until_done(driver)
    assert [cell_text(driver, FUNDS, 1, row) for row in (0, 1)] == ["70000", "12000"]
    assert find(driver, box).get_attribute("value") == "6"


def test_no_table_of_money_scrolls_sideways(driver: webdriver.Chrome, address: str) -> None:
    visit(driver, address, "money", lang="zh", scenario=QUICK, s="browser-test-wide-0001")
    press(driver, "make-funds")
    wait_until_done(driver)
    open_expander(driver, "到账时间")
    wait_until_done(driver)
    widths = driver.execute_script(
        "return [...document.querySelectorAll('[data-testid=stDataFrame] .dvn-scroller')]"
        ".map(s => s.scrollWidth - s.clientWidth)"
    )
    assert len(widths) == 2 and max(widths) <= 0


def test_menus_lists_and_uploads_are_in_chinese_too(driver: webdriver.Chrome, address: str) -> None:
    visit(driver, address, "money", lang="zh", scenario=QUICK, s="browser-test-words-0001")
    press(driver, "make-funds")
    wait_until_done(driver)
    open_expander(driver, "打开、恢复")
    assert english(driver, ".st-key-open-file [data-testid=stBaseButton-secondary]") == []
    assert "上传文件" in text_of(driver, ".st-key-open-file")
    years = find(driver, f".st-key-{QUICK}-purchase-years input")
    years.click()
    assert english(driver, "[data-testid=stMultiSelectDropdown]") == []
    years.send_keys("zz")
    WebDriverWait(driver, PATIENCE_S, 0.1).until(
        lambda d: "无匹配项" in text_of(d, "[data-testid=stMultiSelectDropdown]")
    )
    years.send_keys(Keys.ESCAPE)
    canvas = find_all(driver, f".st-key-{FUNDS} canvas[data-testid=data-grid-canvas]")[0]
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", canvas)
    left, top = canvas.size["width"] / 2, canvas.size["height"] / 2
    ActionChains(driver).move_to_element_with_offset(canvas, 230 - left, 17 - top).pause(0.3).click().perform()
    assert english(driver, "[data-testid=stDataFrameColumnMenu]") == []
    ActionChains(driver).send_keys(Keys.ESCAPE).perform()
    find(driver, "[data-testid=stMainMenu] button").click()
    assert set(english(driver, "[data-testid=stMainMenuPopover]")) <= {"基于 Streamlit v"}
    ActionChains(driver).send_keys(Keys.ESCAPE).perform()
    assert driver.execute_script("return document.documentElement.lang") == "zh-CN"
