"""The two exceptions of the package, and the record of one fault in the input.

`InputError` means that the user must change something; it carries *all* problems found.
`SolverError` means a defect: the solver answered something that no caller can act on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Problem:
    """One fault in the input, with the place where it stands.

    `code` is a message key (`problem.*` in `hwcost/messages`); `values` fills its placeholders.
    `row` counts as the user sees it in the file: the header is row 1.
    """

    code: str
    file: str = ""
    sheet: str = ""
    row: int | None = None
    column: str = ""
    value: str = ""
    values: dict[str, Any] = field(default_factory=dict)


class InputError(Exception):
    """Bad input: every problem is listed, and nothing has been written."""

    def __init__(self, problems: list[Problem] | tuple[Problem, ...]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(f"{p.file}:{p.row or ''}:{p.column}:{p.code}" for p in self.problems))


class SolverError(Exception):
    """The solver failed in a way that is a defect of the program, not of the input."""
