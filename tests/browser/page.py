"""How the browser tests find things on the page."""

from __future__ import annotations

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

PATIENCE_S = 40.0


def find(driver: webdriver.Chrome, selector: str) -> WebElement:
    return driver.find_element(By.CSS_SELECTOR, selector)


def find_all(driver: webdriver.Chrome, selector: str) -> list[WebElement]:
    return driver.find_elements(By.CSS_SELECTOR, selector)


def text_of(driver: webdriver.Chrome, selector: str) -> str:
    """The text of one element, "" while it is not there or is being redrawn."""
    script = "const e = document.querySelector(arguments[0]); return e ? e.innerText : ''"
    return str(driver.execute_script(script, selector))


def wait_until_done(driver: webdriver.Chrome) -> None:
    """The script has run to its end, and the charts are drawn."""

    def done(d: webdriver.Chrome) -> bool:
        state = d.execute_script(
            "return [!!document.querySelector('[data-testid=stApp][data-test-script-state=notRunning]'),"
            " !!document.querySelector('.st-key-download-record'),"
            " document.querySelectorAll('[data-testid=stVegaLiteChart] :is(canvas, svg)').length]"
        )
        return bool(state[0] and state[1] and state[2])

    WebDriverWait(driver, PATIENCE_S, 0.2).until(done)


def wait_for_text(driver: webdriver.Chrome, selector: str, text: str) -> None:
    WebDriverWait(driver, PATIENCE_S, 0.2).until(lambda d: text in text_of(d, selector))


def type_over(driver: webdriver.Chrome, selector: str, text: str) -> None:
    """Replaces what stands in a text box and leaves it."""
    box = find(driver, selector)
    box.send_keys(Keys.CONTROL, "a")
    box.send_keys(text, Keys.TAB)
