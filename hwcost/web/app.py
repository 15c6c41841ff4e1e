"""The app: what all pages share (session, sidebar, language), and the list of pages, which are files of `views/`."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from hwcost.errors import InputError
from hwcost.web import frame, inputs, run, state
from hwcost.web.words import word

# hints below boxes and the toolbars of tables would cover what they are about
STYLE = """<style>
[data-testid="InputInstructions"], [data-testid="stElementToolbar"] { display: none; }
[data-testid="stMetricValue"] > div { white-space: normal; overflow: visible; }
.block-container { padding-top: 3.5rem; padding-bottom: 3rem; }
[data-testid="stTable"] th { color: inherit; }
[data-testid="stFileUploaderDropzoneInstructions"] { display: none; }
</style>"""
VIEWS = Path(__file__).resolve().parent / "views"
PAGES = ("decision", "start", "workloads", "money", "compare", "catalog", "several", "whatif", "report")


def main() -> None:
    """Draw the page that the address names."""
    lang = state.language()
    st.set_page_config(page_title=word("title", lang), layout="wide")
    pages = [
        st.Page(VIEWS / f"{name}.py", title=word(f"page.{name}", lang), url_path=name, default=name == PAGES[0])
        for name in PAGES
    ]
    page = st.navigation(pages, position="top")
    if st.session_state.get("page") != page.url_path:  # tables start from the figures as they are
        st.session_state["page"] = page.url_path
        st.session_state["page_turn"] = st.session_state.get("page_turn", 0) + 1
    st.html(STYLE)
    frame.show(lang)
    try:
        desk = state.desk()
    except InputError as error:
        inputs.problems(error.problems, lang)
        return
    with st.sidebar:
        inputs.sidebar(desk, lang)
    state.write_address(desk, lang)
    try:
        page.run()
    except Exception as error:  # a defect of one page: a sentence, and the rest of the app stays
        run.failed(error, lang)


if __name__ == "__main__":
    main()
