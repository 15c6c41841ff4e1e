"""How the tests of the app open a page without a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from hwcost.names import purchase_total
from hwcost.plan import Plan
from hwcost.quantities import money_text
from hwcost.web.words import plain

PAGE = Path(__file__).resolve().parents[1] / "streamlit_app.py"
QUICK = "fast-single-task"
SESSION = "a-session-of-the-tests"


def page(lang: str = "zh", scenario: str = QUICK, view: str = "", session: str = SESSION, **address: str) -> AppTest:
    """The app at this address; `view` is the name of another page than the decision."""
    at = AppTest.from_file(str(PAGE), default_timeout=120)
    for name, value in {"lang": lang, "scenario": scenario, "s": session, **address}.items():
        at.query_params[name] = value
    at.run()
    return at.switch_page(f"hwcost/web/views/{view}.py").run() if view else at


def go(at: AppTest, view: str) -> AppTest:
    return at.switch_page(f"hwcost/web/views/{view}.py").run()


def headline(at: AppTest) -> str:
    return next(m.value for m in at.markdown if m.value.startswith("#### "))[5:]


def figures(at: AppTest) -> list[str]:
    return [m.value for m in at.metric]


def expected_figures(plan: Plan, lang: str) -> list[str]:
    currency = plan.case.scenario.currency
    people = f"{plan.people_at_once} 人" if lang == "zh" else str(plan.people_at_once)
    money = [purchase_total(plan), plan.totals.nominal]
    return [plain(text) for text in (*(money_text(x, currency, lang) for x in money), people)]


def set_budget(at: AppTest, text: str, scenario: str = QUICK) -> AppTest:
    return at.text_input(key=f"{scenario}/budget").set_value(text).run()


def sound(at: AppTest) -> bool:
    """No defect and no fault is on the page."""
    return not at.exception and not at.error


def texts_of(at: AppTest) -> list[str]:
    """Every text that a reader sees: sentences, labels, table cells."""
    kinds = ("markdown", "caption", "subheader", "title", "info", "warning", "error", "success")
    texts = [e.value for kind in kinds for e in at.get(kind)]
    widgets = ("text_input", "selectbox", "number_input", "button", "metric", "radio", "checkbox", "multiselect")
    texts += [w.label for kind in widgets for w in at.get(kind)]
    texts += [e.label for e in at.expander] + [t.label for t in at.tabs] + figures(at)
    for table in at.table:
        frame = table.value.reset_index()
        texts += [str(x) for x in [*frame.columns, *frame.to_numpy().ravel()]]
    return [_without_style(text) for text in texts]


def _without_style(text: Any) -> str:
    return "" if "<style>" in str(text) else str(text)
