"""The justification workbook: live formulas, with the value that the optimiser computed stored beside each."""

from hwcost.report.risk_data import FrontierRow, RiskData, SwitchRow
from hwcost.report.word import write_document
from hwcost.report.workbook import write_workbook

__all__ = ["FrontierRow", "RiskData", "SwitchRow", "write_document", "write_workbook"]
