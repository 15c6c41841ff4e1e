"""A form whose entries outlive its page: what is typed is kept by the session and on disk, as text and numbers.

Streamlit forgets a widget that is not drawn; a `Form` gives it back its value when its page is drawn again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from hwcost.web.store import Store

DONT_KNOW = "?"


class Form:
    """Widgets by their names; `values` holds what they say. The names of widgets are those of the answers."""

    def __init__(self, name: str, store: Store) -> None:
        self.name, self.store = name, store
        kept: dict[str, Any] | None = st.session_state.get(f"form.{name}")
        if kept is None:
            kept = store.form(name)
            st.session_state[f"form.{name}"] = kept
        self.values = kept
        self.before = dict(kept)

    def _seed(self, key: str, default: Any) -> str:
        box = f"{self.name}/{key}"
        if box not in st.session_state:
            st.session_state[box] = self.values.get(key, default)
        else:
            st.session_state[box] = st.session_state[box]
        return box

    def _took(self, key: str, value: Any) -> Any:
        self.values[key] = value
        return value

    def text(self, key: str, label: str, default: str = "", **more: Any) -> str:
        """A line of text."""
        return str(self._took(key, st.text_input(label, key=self._seed(key, default), **more)))

    def flag(self, key: str, label: str, default: bool = False, **more: Any) -> bool:
        """A tick."""
        return bool(self._took(key, st.checkbox(label, key=self._seed(key, default), **more)))

    def number(self, key: str, label: str, low: float = 0.0, step: float = 1.0, **more: Any) -> float | None:
        """A figure that may stay open."""
        found = st.number_input(label, min_value=low, value=None, step=step, format="%.6g", key=self._seed(key, None),
                                **more)  # fmt: skip
        self._took(key, found)
        return None if found is None else float(found)

    def whole(self, key: str, label: str, low: int = 1, **more: Any) -> int | None:
        """A whole number that may stay open."""
        found = st.number_input(label, min_value=low, value=None, step=1, key=self._seed(key, None), **more)
        self._took(key, found)
        return None if found is None else int(found)

    def choice(self, key: str, label: str, choices: Sequence[Any], name: Callable[[Any], str], default: Any = None,
               **more: Any) -> Any:  # fmt: skip
        """One of some words; None where it stays open."""
        box = self._seed(key, default)
        if st.session_state[box] not in choices and not more.get("accept_new_options"):
            st.session_state[box] = default
        return self._took(key, st.selectbox(label, choices, index=None, format_func=name, key=box, **more))

    def several(self, key: str, label: str, choices: Sequence[Any], name: Callable[[Any], str], **more: Any
                ) -> list[Any]:  # fmt: skip
        """Some of several words."""
        box = self._seed(key, [])
        return list(self._took(key, st.multiselect(label, choices, format_func=name, key=box, **more)))

    def radio(self, key: str, label: str, choices: Sequence[Any], name: Callable[[Any], str], default: Any) -> Any:
        """One of a few words, all in sight."""
        box = self._seed(key, default)
        return self._took(key, st.radio(label, choices, format_func=name, key=box, horizontal=True))

    def keep(self) -> None:
        """Writes the entries to disk where they have changed."""
        if self.values != self.before:
            self.store.write_form(self.name, self.values)

    def clear(self) -> None:
        """Empties the form."""
        for key in [str(k) for k in st.session_state if str(k).startswith(f"{self.name}/")]:
            del st.session_state[key]
        self.values.clear()
        self.store.write_form(self.name, {})


def unless_open(pairs: Mapping[str, Any]) -> dict[str, Any]:
    """The entries that say something."""
    return {key: value for key, value in pairs.items() if value not in (None, "", [], {})}
