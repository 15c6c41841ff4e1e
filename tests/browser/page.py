"""How the browser tests find things on the page."""

from __future__ import annotations

import time

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support import expected_conditions
from selenium.webdriver.support.ui import WebDriverWait

PATIENCE_S = 40.0
STILL_S = 0.4


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


def type_over(driver: webdriver.Chrome, selector: str, text: str) -> None:
    """Replaces what stands in a text box and leaves it."""
    box = find(driver, selector)
    box.send_keys(Keys.CONTROL, "a")
    box.send_keys(text, Keys.TAB)
