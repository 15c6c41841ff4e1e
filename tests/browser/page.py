"""How the browser tests find things on the page."""

from __future__ import annotations

import time
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support import expected_conditions
from selenium.webdriver.support.ui import WebDriverWait

PATIENCE_S = 90.0
STILL_S = 0.3
METRIC = "[data-testid=stMetricValue]"
EDITOR = "#portal input, #portal textarea"
HEADER = ROW = 35  # pixels of a table's header and rows


def find(driver: webdriver.Chrome, selector: str) -> WebElement:
    return driver.find_element(By.CSS_SELECTOR, selector)


def find_all(driver: webdriver.Chrome, selector: str) -> list[WebElement]:
    return driver.find_elements(By.CSS_SELECTOR, selector)


def text_of(driver: webdriver.Chrome, selector: str) -> str:
    """The text of one element, "" while it is not there or is being redrawn."""
    script = "const e = document.querySelector(arguments[0]); return e ? e.innerText : ''"
    return str(driver.execute_script(script, selector))


def wait_until_done(driver: webdriver.Chrome) -> None:
    """The script has run to its end, the charts are drawn, and nothing has changed for `STILL_S`."""
    since: dict[str, float] = {}

    def done(d: webdriver.Chrome) -> bool:
        state, charts, drawn, running, text = d.execute_script(
            "const count = s => document.querySelectorAll(s).length;"
            "return [document.querySelector('[data-testid=stApp]')?.getAttribute('data-test-script-state'),"
            " count('[data-testid=stVegaLiteChart]'), count('[data-testid=stVegaLiteChart] :is(canvas, svg)'),"
            " count('.st-key-stop button') + count('[data-testid=stSkeleton]'), document.body.innerText]"
        )
        if state != "notRunning" or running or drawn < charts:
            since.clear()
            return False
        seen = f"{charts} {text}"
        if seen not in since:
            since.clear()
            since[seen] = time.monotonic()
        return time.monotonic() - since[seen] >= STILL_S

    WebDriverWait(driver, PATIENCE_S, 0.05).until(done)


def press(driver: webdriver.Chrome, key: str) -> None:
    """Clicks a button as a hand does, once it can be clicked."""
    button = WebDriverWait(driver, PATIENCE_S, 0.1).until(
        expected_conditions.element_to_be_clickable((By.CSS_SELECTOR, f".st-key-{key} button"))
    )
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
    button.click()


def wait_for_text(driver: webdriver.Chrome, selector: str, text: str) -> None:
    WebDriverWait(driver, PATIENCE_S, 0.2).until(lambda d: text in text_of(d, selector))


def visit(driver: webdriver.Chrome, address: str, page: str = "", **query: str) -> None:
    """Opens a page of the app and waits until it is done."""
    words = "&".join(f"{name}={value}" for name, value in query.items())
    driver.get(f"{address}/{page}?{words}")
    wait_until_done(driver)


def turn_to(driver: webdriver.Chrome, title: str) -> None:
    """Goes to another page by its name, as a hand does."""
    links = WebDriverWait(driver, PATIENCE_S, 0.1).until(
        lambda d: [e for e in find_all(d, "[data-testid=stTopNavLink]") if e.text.strip() == title]
    )
    links[0].click()
    wait_until_done(driver)


def radio(driver: webdriver.Chrome, name: str, label: str) -> None:
    """Chooses one of a few words."""
    boxes = find_all(driver, f".st-key-{name} label")
    box = next(b for b in boxes if b.text.strip() == label)
    driver.execute_script("arguments[0].click()", box)


def open_expander(driver: webdriver.Chrome, title: str) -> None:
    """Unfolds a part of the page, where it is not unfolded already."""
    for box in find_all(driver, "[data-testid=stExpander] summary"):
        if title in box.text:
            driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", box)
            if driver.execute_script("return !arguments[0].closest('details').open", box):
                box.click()
                _still(driver, box)
            return
    raise AssertionError(f"there is no part called {title}")


def _still(driver: webdriver.Chrome, box: WebElement) -> None:
    """Waits until the part has its full height: while it unfolds, what is in it moves."""
    heights = [-1.0]

    def same(d: webdriver.Chrome) -> bool:
        script = "return arguments[0].closest('[data-testid=stExpander]').getBoundingClientRect().height"
        heights.append(float(d.execute_script(script, box)))
        return heights[-1] == heights[-2]

    WebDriverWait(driver, PATIENCE_S, 0.15).until(same)


def on_cell(driver: webdriver.Chrome, grid: str, column: int, row: int, first: int = 20) -> None:
    """Puts the cursor of a table into a cell: a click on the first one of the row, then arrows.

    `first` is where the first cell begins, pixels; rows that can be deleted have a mark before it.
    """
    canvas = WebDriverWait(driver, PATIENCE_S, 0.1).until(
        lambda d: find_all(d, f".st-key-{grid} canvas[data-testid=data-grid-canvas]")
    )[0]
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", canvas)
    left, top = canvas.size["width"] / 2, canvas.size["height"] / 2
    ActionChains(driver).move_to_element_with_offset(
        canvas, first - left, HEADER + ROW * row + ROW / 2 - top
    ).click().perform()
    for _ in range(column):
        ActionChains(driver).send_keys(Keys.ARROW_RIGHT).perform()


def type_cell(driver: webdriver.Chrome, grid: str, column: int, row: int, text: str, first: int = 20) -> None:
    """Types over a cell and leaves it."""
    on_cell(driver, grid, column, row, first)
    ActionChains(driver).send_keys(text[0]).perform()  # opens the editor of the cell
    for typed, rest in ((text[0], text[1:]), (text, Keys.ENTER)):  # each once the editor has what was typed before
        box = WebDriverWait(driver, PATIENCE_S, 0.05).until(
            lambda d, typed=typed: next((e for e in find_all(d, EDITOR) if e.get_attribute("value") == typed), None)
        )
        box.send_keys(rest)


def paste(driver: webdriver.Chrome, grid: str, column: int, row: int, lines: list[str]) -> None:
    """Pastes lines into a column from this cell on."""
    wanted = ["clipboardReadWrite", "clipboardSanitizedWrite"]
    driver.execute_cdp_cmd("Browser.grantPermissions", {"permissions": wanted})
    driver.execute_async_script(
        "const done = arguments[1]; window.focus(); navigator.clipboard.writeText(arguments[0]).then(done, done)",
        "\n".join(lines),
    )
    on_cell(driver, grid, column, row)
    ActionChains(driver).key_down(Keys.CONTROL).send_keys("v").key_up(Keys.CONTROL).perform()


def cell_text(driver: webdriver.Chrome, grid: str, column: int, row: int) -> str:
    """What a cell says, once it is there: a table is drawn some time after the page is."""
    script = "const e = document.querySelector(arguments[0]); return e ? [e.textContent] : null"
    place = f".st-key-{grid} [data-testid=glide-cell-{column}-{row}]"
    return str(WebDriverWait(driver, PATIENCE_S, 0.05).until(lambda d: d.execute_script(script, place))[0])


def type_over(driver: webdriver.Chrome, selector: str, text: str) -> None:
    """Replaces what stands in a text box and leaves it."""
    box = find(driver, selector)
    box.send_keys(Keys.CONTROL, "a")
    box.send_keys(text, Keys.TAB)


def choose(driver: webdriver.Chrome, key: str, text: str) -> None:
    """Takes the first entry with this text from a list that unfolds; in a long one it is typed before."""
    box = WebDriverWait(driver, PATIENCE_S, 0.05).until(lambda d: next(iter(find_all(d, f".st-key-{key} input")), None))
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", box)
    box.click()
    box.send_keys(text)
    WebDriverWait(driver, PATIENCE_S, 0.05).until(
        lambda d: next((e for e in find_all(d, "[role=option]") if text in e.text), None)
    ).click()


def tab(driver: webdriver.Chrome, title: str) -> None:
    """Turns to a tab of the page."""
    script = (
        "[...document.querySelectorAll('[data-testid=stTab]')].find(t => t.innerText.includes(arguments[0])).click()"
    )
    driver.execute_script(script, title)


def table_rows(driver: webdriver.Chrome, key: str) -> list[list[str]]:
    """The cells of a table's rows, its header left out."""
    script = (
        "return [...document.querySelectorAll(arguments[0])].map(r => [...r.children].map(c => c.textContent.trim()))"
    )
    return list(driver.execute_script(script, f".st-key-{key} tbody tr"))


def metrics(driver: webdriver.Chrome) -> list[str]:
    return [e.text for e in find_all(driver, METRIC)]


def arrived(folder: Path, suffix: str) -> Path:
    """The file with this ending, once it is complete."""

    def found(_: object) -> Path | None:
        return next((p for p in folder.iterdir() if p.suffix == suffix), None)

    return WebDriverWait(folder, PATIENCE_S, 0.1).until(found)
