"""The justification workbook: live formulas, with the value that the optimiser computed stored beside each."""

from hwcost.report.risk_data import FrontierRow, RiskData, SwitchRow, risk_data
from hwcost.report.word import write_document
from hwcost.report.workbook import write_workbook

__all__ = ["FrontierRow", "RiskData", "SwitchRow", "risk_data", "write_document", "write_workbook"]
