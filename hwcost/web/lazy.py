"""pandas and Altair, loaded when something first asks them for anything: the first answer needs neither of them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any


class _Later:
    """Stands for a module until one of its names is asked for."""

    def __init__(self, name: str) -> None:
        self._module = name

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._module), name)


if TYPE_CHECKING:
    import altair as alt
    import pandas as pd
else:
    alt, pd = _Later("altair"), _Later("pandas")

__all__ = ["alt", "pd"]
