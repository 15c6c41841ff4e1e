"""Opening a scenario: a file or input workbook, the earlier work of this machine's user, or earlier versions."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import streamlit as st

from hwcost.errors import InputError, Problem
from hwcost.scenario_text import scenario_text
from hwcost.web import desk as desks
from hwcost.web import downloads, state
from hwcost.web.desk import Desk
from hwcost.web.store import earlier_work
from hwcost.web.words import word

MOST_BYTES = 1_000_000  # of a scenario; the largest bundled one has 4 kB
MOST_BOOK_BYTES = 5_000_000  # of an input workbook, as of a quotation
WORKBOOK = b"PK"  # how an xlsx file begins, whatever it is called
FAULTS = "open_faults"


def opener(desk: Desk, lang: str) -> None:
    """Upload, earlier sessions where one person alone uses the app, and the history of the current scenario."""
    from hwcost.web.inputs import problems

    st.file_uploader(word("open.file", lang), type=["toml", "xlsx"], key="open-file", help=word("open.help", lang),
                     on_change=_opened, args=(desk,))  # fmt: skip
    found: tuple[Problem, ...] = st.session_state.pop(FAULTS, ())
    if found:
        problems(found, lang)
    downloads.file("download-template", word("open.template", lang), lambda: template_bytes(desk, lang),
                   word("open.template_file", lang, scenario=desk.current), downloads.XLSX,
                   desk.scenario().sha256)  # fmt: skip
    if state.personal():
        _earlier(desk, lang)
    _history(desk, lang)


def template_bytes(desk: Desk, lang: str) -> bytes:
    """The current scenario as an input workbook, to fill in elsewhere and open here again."""
    from hwcost.intake.template import write_template

    with tempfile.TemporaryDirectory() as folder:
        source, path = Path(folder) / f"{desk.current}.toml", Path(folder) / "input.xlsx"
        source.write_text(scenario_text(desk.document), encoding="utf-8")
        write_template(path, desk.catalog, lang, source)
        return path.read_bytes()


def _opened(desk: Desk) -> None:
    upload = st.session_state.get("open-file")
    if upload is None:
        return
    try:
        add_file(desk, upload.getvalue(), upload.name)
    except InputError as error:
        st.session_state[FAULTS] = error.problems


def add_file(desk: Desk, data: bytes, name: str) -> str:
    """A scenario file or input workbook as a scenario of this session; its key. Raises `InputError` with all problems.

    Rows of the catalog that a workbook brings become the session's own; one whose scenario is faulty leaves none.
    """
    book = data.startswith(WORKBOOK)
    most = MOST_BOOK_BYTES if book else MOST_BYTES
    if len(data) > most:
        values = {"most": most // 1000}
        raise InputError([Problem("upload_too_large", file=name, value=str(len(data)), values=values)])
    return _add_book(desk, data, name) if book else _add_document(desk, data, name)


def _add_document(desk: Desk, data: bytes, name: str) -> str:
    try:
        with tempfile.TemporaryDirectory() as folder:
            document = desks.document_of(data, name, Path(folder))
        stem = str(document.get("id") or Path(name).stem)
        desk.checked(document, stem)
    except InputError as error:  # the reader knows the file by the name it was sent under
        raise InputError([replace(problem, file=name) for problem in error.problems]) from error
    return desk.add(document, stem, "opened")


def _add_book(desk: Desk, data: bytes, name: str) -> str:
    from hwcost.intake.store import write_rows
    from hwcost.intake.template_read import read_book  # a workbook library, and most sessions open no workbook

    book = read_book(data, desk.catalog, name)
    if book.rows:
        write_rows(book.rows, desk.store.catalog_dir)
        desk.catalog = state.catalog_of(desk.store)
    stem = str(book.document.get("id") or Path(name).stem)
    desk.checked(book.document, stem)
    return desk.add(book.document, stem, "opened")


def _earlier(desk: Desk, lang: str) -> None:
    found = earlier_work(desk.store.folder.name)
    if not found:
        return
    chosen = st.selectbox(
        word("open.earlier", lang), found, index=None, key="open-earlier", placeholder=word("open.choose", lang),
        format_func=lambda e: word("open.entry", lang, name=e.key, time=f"{e.changed.astimezone():%Y-%m-%d %H:%M}"),
    )  # fmt: skip

    def take() -> None:
        if chosen is not None:
            try:
                add_file(desk, chosen.path.read_bytes(), chosen.path.name)
            except InputError as error:
                st.session_state[FAULTS] = error.problems

    st.button(word("open.take", lang), key="open-take", on_click=take, disabled=chosen is None, width="stretch")


def _history(desk: Desk, lang: str) -> None:
    past = desk.store.history(desk.current)
    if not past:
        return
    chosen = st.selectbox(
        word("open.version", lang), past, index=None, key=f"{desk.current}/version",
        placeholder=word("open.choose", lang), format_func=lambda path: _time_of(path),
    )  # fmt: skip

    def back() -> None:
        if chosen is not None:
            from hwcost.scenario_io import read_document

            try:
                faults = desk.replace(read_document(chosen, {}), "version")
            except InputError as error:
                faults = error.problems
            if faults:
                st.session_state[FAULTS] = faults

    st.button(word("open.back", lang), key="open-back", on_click=back, disabled=chosen is None, width="stretch")


def _time_of(path: Path) -> str:
    from datetime import UTC, datetime

    made = datetime.strptime(path.stem, "%Y%m%dT%H%M%S.%fZ").replace(tzinfo=UTC)
    return f"{made.astimezone():%Y-%m-%d %H:%M:%S}"
