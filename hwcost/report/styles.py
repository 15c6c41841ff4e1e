"""Cell formats: what a figure is (kind), where it comes from (role), and how it stands out (weight).

Colours: inputs blue on pale yellow and unlocked, what a person has to fill in brown on pale orange and unlocked, what
the optimiser decided purple on pale purple, links to other sheets green, formulas black. Never colour alone: the legend
and the columns say the same in words.
"""

from __future__ import annotations

from typing import Any

FONTS = {"zh": "Microsoft YaHei", "en": "Calibri"}

# "_)" leaves room on the right, so that no figure touches the border
NUMBER_FORMATS = {
    "money": "#,##0.00_)",
    "quantity": "#,##0.00_)",
    "count": "#,##0_)",
    "tenths": "#,##0.0_)",
    "hours": "[<1]0.00_);[<10]0.0_);#,##0_)",
    "plain": "#,##0.########_)",
    "factor": "0.000000_)",
    "year": "0",
    "text": "@",
}
DATE_FORMATS = {"zh": 'yyyy"年"m"月"d"日"', "en": "yyyy-mm-dd"}
PERCENT_FORMATS = {"zh": "0.0#%_)", "en": "0.0# %_)"}

ROLES: dict[str, dict[str, Any]] = {
    "plain": {},
    "formula": {"font_color": "#000000"},
    "input": {"font_color": "#0000C0", "bg_color": "#FFF9DB", "locked": False},
    "solver": {"font_color": "#7030A0", "bg_color": "#F3ECFA"},
    "fill": {"font_color": "#833C0B", "bg_color": "#FCE8DC", "locked": False},
    "shown": {"font_color": "#833C0B", "bg_color": "#FCE8DC"},  # the colour of "fill" in the legend
    "link": {"font_color": "#00703C"},
}

WEIGHTS: dict[str, dict[str, Any]] = {
    "none": {},
    "cell": {"border": 1, "border_color": "#BFBFBF"},
    "header": {"border": 1, "border_color": "#BFBFBF", "bold": True, "bg_color": "#DDE7F0", "align": "center"},
    "total": {"border": 1, "border_color": "#808080", "bold": True, "bg_color": "#F2F2F2"},
    "title": {"bold": True, "font_size": 15},
    "heading": {"bold": True, "font_size": 12, "font_color": "#1F3864"},
    "note": {"font_color": "#595959", "font_size": 9},
    "warning": {"font_color": "#9C0006", "bold": True},
    "lead": {"font_size": 12},
    "figure": {"bold": True, "font_size": 14, "align": "center", "border": 1, "border_color": "#BFBFBF"},
    "mark": {"border": 1, "border_color": "#BFBFBF", "font_color": "#9C0006", "bold": True},
}


class Styles:
    """Makes each format once. `yes_no` and `changed` show 1 and 0 as words."""

    def __init__(self, workbook: Any, lang: str, words: dict[str, str]) -> None:
        """`words`: yes, no, changed, and year as a number format ('"Year "0')."""
        self.workbook, self.lang = workbook, lang
        self.formats: dict[tuple[str, str, str, bool, bool], Any] = {}
        self.numbers = NUMBER_FORMATS | {
            "date": DATE_FORMATS[lang],
            "percent": PERCENT_FORMATS[lang],
            "yes_no": f'[=1]"{words["yes"]}";"{words["no"]}"',
            "changed": f'[=1]"{words["changed"]}";""',
            "year_number": words["year"],
        }

    def get(
        self, kind: str = "text", role: str = "plain", weight: str = "cell", *, wrap: bool = False, quote: bool = False
    ) -> Any:
        key = (kind, role, weight, wrap, quote)
        if key not in self.formats:
            self.formats[key] = self.workbook.add_format(self._properties(*key))
        return self.formats[key]

    def _properties(self, kind: str, role: str, weight: str, wrap: bool, quote: bool) -> dict[str, Any]:
        properties: dict[str, Any] = {"font_name": FONTS[self.lang], "font_size": 10, "valign": "vcenter"}
        properties |= WEIGHTS[weight] | ROLES[role]
        if kind == "text":
            if role != "fill":
                properties.pop("locked", None)  # of inputs only figures, and what a person has to fill in
        else:
            properties["num_format"] = self.numbers[kind]
        if kind in ("date", "yes_no", "year", "changed"):
            properties["align"] = "center"
        if kind == "text" and weight in ("cell", "total", "mark"):
            properties |= {"align": "left", "indent": 1}  # keeps it apart from the border
        if wrap:
            properties["text_wrap"] = True
        if quote:
            properties["quote_prefix"] = True
        return properties
