"""How long the app takes to answer: `python benchmarks/app_speed.py [--json F] [--scenario NAME] [--times N]`.

A server of its own and a headless Chromium. `first_page_s` is from the request to the first figures of a new session on
a server that has just started and answered nobody yet; `first_page_warm_s` the same for the next session. All other
times are medians, from leaving the box in which the change was typed: `answer_s` to the new recommendation after a
change of the budget on a page that has been looked at for some seconds, `answer_at_once_s` the same right after the
last answer, before plans of other budgets are there, `answer_other_s` after a change of the objective, `settled_s` to
the end of everything on the page. `engine_s` is one plan of the same inputs without the app, so that what the page adds
can be told from what the solver takes.
Goals: a page in 3 s, an answer to a change in 0.5 s, on an idle machine with two cores.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hwcost.catalog import load_catalog
from hwcost.engine import make_plan
from hwcost.scenario_io import load_scenario
from tests.browser.page import PATIENCE_S, find, find_all, text_of, wait_until_done
from tests.browser.server import browser, running_app

ANSWERS = (".st-key-answer-early", ".st-key-answer")
HEADS = tuple(f"{box} h4" for box in ANSWERS)
METRIC = "[data-testid=stMetricValue]"
GOALS = {"first_page_s": 3.0, "first_page_warm_s": 3.0, "answer_s": 0.5, "answer_at_once_s": 0.5, "answer_other_s": 0.5}
LOOKED_S = 10.0  # how long people look at an answer at least before they change something


def seconds(driver: webdriver.Chrome, act: Callable[[], Any], ready: Callable[[webdriver.Chrome], Any]) -> float:
    """From the act to the moment at which the page is ready."""
    begun = time.perf_counter()
    act()
    WebDriverWait(driver, PATIENCE_S, 0.01).until(ready)
    return time.perf_counter() - begun


def head(driver: webdriver.Chrome) -> str:
    """The sentence of the page, be it the early one."""
    return next((found for found in (text_of(driver, place) for place in HEADS) if found), "")


def budget_change(driver: webdriver.Chrome, scenario: str, amount: float) -> float:
    """Seconds from leaving the box of the budget to a sentence with the new amount."""
    box = find(driver, f".st-key-{scenario}-budget input")
    box.send_keys(Keys.CONTROL, "a")
    box.send_keys(f"{amount:.0f}")
    return seconds(driver, lambda: box.send_keys(Keys.TAB), lambda d: f"{amount:,.0f} budget" in head(d))


def objective_change(driver: webdriver.Chrome, scenario: str, number: int) -> float:
    """Seconds from the click on another objective to an answer that names it."""
    find(driver, f".st-key-{scenario}-objective input").click()
    options = WebDriverWait(driver, PATIENCE_S, 0.01).until(lambda d: find_all(d, "[role=option]"))
    wanted = f"Objective: {options[number].text}"
    return seconds(driver, options[number].click, lambda d: any(wanted in text_of(d, box) for box in ANSWERS))


def measure(scenario: str, times: int) -> dict[str, float]:
    """All figures of one scenario, seconds."""
    found: dict[str, float] = {}
    base = load_scenario(scenario, load_catalog()).budget or 100_000.0
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        with running_app(home / "app.log", home / "data") as address, browser(home / "profile", home) as driver:
            for number, name in enumerate(("first_page_s", "first_page_warm_s")):
                url = f"{address}/?lang=en&scenario={scenario}&s=speed-of-the-app-{number:04d}"
                found[name] = seconds(driver, lambda url=url: driver.get(url), lambda d: find_all(d, METRIC))
                wait_until_done(driver)
            looked, at_once, settled, other = [], [], [], []
            for n in range(times):
                time.sleep(LOOKED_S)
                begun = time.perf_counter()
                looked.append(budget_change(driver, scenario, base * (1.01 + 0.02 * n)))
                wait_until_done(driver)
                settled.append(time.perf_counter() - begun)
            for n in range(times):  # far from what has been looked at, and at once
                at_once.append(budget_change(driver, scenario, base * (2.0 + 0.4 * n)))
                wait_until_done(driver)
            for n in range(times):
                other.append(objective_change(driver, scenario, (1, 2, 0)[n % 3]))
                wait_until_done(driver)
            names = ("answer_s", "answer_at_once_s", "answer_other_s", "settled_s")
            for name, taken in zip(names, (looked, at_once, other, settled), strict=True):
                found[name] = statistics.median(taken)
    return found


def engine(scenario: str, times: int) -> float:
    """One plan without the app, median."""
    catalog = load_catalog()
    inputs = load_scenario(scenario, catalog)
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        make_plan(inputs, catalog)
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenario", default="lab-default")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    found = {**measure(asked.scenario, asked.times), "engine_s": engine(asked.scenario, asked.times)}
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    for name, value in found.items():
        goal = GOALS.get(name)
        mark = "" if goal is None else f"   goal {goal:g}: {'met' if value <= goal else 'missed'}"
        print(f"{name:18} {value:7.2f}{mark}")
    print(f"{'load':18} {load if load is None else f'{load:7.2f}'}")
    if asked.json is not None:
        asked.json.write_text(json.dumps({"scenario": asked.scenario, "load": load, **found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
