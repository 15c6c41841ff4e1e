"""The justification workbook: live formulas, with the value that the optimiser computed stored beside each."""

from hwcost.report.workbook import write_workbook

__all__ = ["write_workbook"]
