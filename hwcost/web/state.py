"""The session of one browser window: its language, its desk, and what its address says.

The address holds an id that nobody can guess. It leads back to the same scenarios after a reload or a restart, and to
nobody else's; only the catalog that comes with the program is shared between sessions, by what its tables say.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from datetime import date
from pathlib import Path

import streamlit as st

from hwcost.catalog import bundled_dir, load_catalog, tables_dir, user_dir
from hwcost.catalog_specs import SPECS
from hwcost.messages import LANGUAGES
from hwcost.records import Catalog
from hwcost.web.desk import Desk
from hwcost.web.store import SESSIONS, Store, data_dir, is_session, new_session

LANGUAGE, SCENARIO, SESSION = "lang", "scenario", "s"
LANGUAGE_VARIABLE = "HWCOST_LANG"
SHARED_VARIABLE = "HWCOST_APP_SHARED"  # "1": several people use this server
PERSONAL_VARIABLE = "HWCOST_APP_PERSONAL"  # set by `hwcost app`
DESK = "desk"


def language() -> str:
    """The language chosen, else that of the address, of `hwcost app --lang`, of the browser, else Chinese."""
    if LANGUAGE not in st.session_state:
        browser = (st.context.locale or "zh")[:2]
        kept = st.session_state.get("language", "")
        asked = (kept, st.query_params.get(LANGUAGE, ""), os.environ.get(LANGUAGE_VARIABLE, ""), browser, "en")
        st.session_state[LANGUAGE] = next(lang for lang in asked if lang in LANGUAGES)
    st.session_state["language"] = st.session_state[LANGUAGE]
    return str(st.session_state[LANGUAGE])


def session_id() -> str:
    """The id of the address, else a new one."""
    if SESSION not in st.session_state:
        asked = st.query_params.get(SESSION, "")
        st.session_state[SESSION] = asked if is_session(asked) else new_session()
    return str(st.session_state[SESSION])


def desk() -> Desk:
    """The desk of this session, with its catalog as the tables are now. Raises `InputError` for faulty tables."""
    store = Store.of(session_id())
    catalog = catalog_of(store)
    if DESK not in st.session_state:
        made = Desk(store, catalog)
        asked = st.query_params.get(SCENARIO, "")
        own = store.names()
        if not made.open(asked) and own:
            made.open(own[0])
        st.session_state[DESK] = made
    found: Desk = st.session_state[DESK]
    found.catalog = catalog
    return found


def write_address(found: Desk, lang: str) -> None:
    """What a reload needs; the rest of the address is Streamlit's own."""
    wanted = {LANGUAGE: lang, SCENARIO: found.current, SESSION: session_id()}
    if wanted != st.query_params.to_dict():
        st.query_params.from_dict(wanted)


def personal() -> bool:
    """One person alone uses this server: started by `hwcost app`, and no proxy stands before it."""
    if os.environ.get(PERSONAL_VARIABLE) != "1" or os.environ.get(SHARED_VARIABLE) == "1":
        return False
    headers = {name.lower() for name in st.context.headers}
    return not any(name.startswith("x-forwarded-") or name == "forwarded" for name in headers)


# --- catalog ---


def catalog_of(store: Store) -> Catalog:
    """The bundled catalog with the user's folder and the session's own tables on top."""
    shared_layers = _layers()
    if not has_tables(store.catalog_dir):
        return _shared(shared_layers, date.today())
    state = hashlib.sha256(repr((shared_layers, _contents([store.catalog_dir]), date.today())).encode()).hexdigest()
    kept: tuple[str, Catalog] | None = st.session_state.get("own_catalog")
    if kept is None or kept[0] != state:
        kept = (state, load_catalog(store.catalog_dir))
        st.session_state["own_catalog"] = kept
    return kept[1]


def shared_catalog() -> Catalog:
    """The catalog of a session without tables of its own."""
    return _shared(_layers(), date.today())


def _layers() -> str:
    """What the tables say that all sessions share."""
    make_home()
    own = tables_dir()
    return _contents([bundled_dir(), *([own] if own is not None else [])])


def make_home() -> None:
    """A folder named for the app's data may be new; with its sub-folder it is known to hold data and no tables yet."""
    if user_dir() is not None and not (data_dir() / SESSIONS).is_dir():
        with suppress(OSError):  # what is wrong with the folder is said when the catalog is read
            (data_dir() / SESSIONS).mkdir(parents=True)


def has_tables(folder: Path) -> bool:
    return any((folder / spec.file).is_file() for spec in SPECS)


def _contents(folders: list[Path]) -> str:
    """sha256 over what the tables say, read again only where a file has another time or size."""
    files = [folder / spec.file for folder in folders for spec in SPECS if (folder / spec.file).is_file()]
    state = tuple((str(path), (found := path.stat()).st_mtime_ns, found.st_size) for path in files)
    return _hashed(state)


@st.cache_data(show_spinner=False, max_entries=8)
def _hashed(state: tuple[tuple[str, int, int], ...]) -> str:
    digest = hashlib.sha256()
    for name, _, _ in state:
        digest.update(Path(name).name.encode() + b"\0" + Path(name).read_bytes() + b"\0")
    return digest.hexdigest()


@st.cache_resource(show_spinner=False, max_entries=2)
def _shared(contents: str, today: date) -> Catalog:
    """The catalog of all sessions. `today` counts where ages of prices do."""
    return load_catalog()
