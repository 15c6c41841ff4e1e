"""The cover: amount in figures and words, fund, asset class, procedure, signatures, and a list of what is left open."""

from __future__ import annotations

import math

from hwcost.amount_words import amount_words
from hwcost.costs import cents
from hwcost.names import configuration_text, listed, scenario_name
from hwcost.plan import Plan
from hwcost.procurement_route import Route, asset_text, delivery_text, documents, warnings
from hwcost.quantities import date_text, money_exact
from hwcost.report.book import Sheet, area, literal
from hwcost.report.inputs import Inputs
from hwcost.report.live import unchanged
from hwcost.report.sheet_budget import Budget
from hwcost.scenario import Fund

LABEL, CONTENT, LAST = 0, 1, 3
ACROSS = LAST - CONTENT + 1
WIDTHS = {LABEL: 30.0, 1: 34.0, 2: 26.0, 3: 20.0}
ROLES = ("proposer", "lab", "faculty", "experts", "assets", "finance", "it", "purchasing")
SEEN = 200, 60  # rows and columns of a sheet in which blanks are counted


class _Cover:
    """Writes one labelled row after the other."""

    def __init__(self, sheet: Sheet, row: int) -> None:
        self.sheet, self.row = sheet, row

    def label(self, key: str, **values: object) -> str:
        text = self.sheet.book.say(f"cover.{key}", **values)
        self.sheet.text(self.row, LABEL, text, weight="total", wrap=True)
        return text

    def known(self, key: str, text: str, **values: object) -> None:
        self.label(key, **values)
        self.sheet.text(self.row, CONTENT, text, wrap=True, across=ACROSS)
        self.row += 1

    def blank(self, key: str) -> None:
        text = self.label(key)
        self.sheet.blank(self.row, CONTENT, text, across=ACROSS)
        self.row += 1


def write(sheet: Sheet, plan: Plan, found: Route, budget: Budget | None, inputs: Inputs) -> None:
    """Everything; the blanks of all other sheets must have been written before."""
    book, scenario = sheet.book, plan.case.scenario
    sheet.fixed |= WIDTHS
    sheet.text(0, 0, book.say("cover.title"), weight="title", fit=False)
    sheet.text(1, 0, scenario_name(scenario, book.lang), weight="note", wrap=True, across=LAST + 1)
    rerun = literal(book.say("cover.rerun"))
    sheet.formula(2, 0, f'IF({unchanged(sheet, inputs)},"",{rerun})', "", "text", weight="warning", fit=False)
    cover = _Cover(sheet, 3)
    for key in ("item", "unit", "proposer", "seconder"):
        cover.blank(key)
    if budget is None:
        sheet.text(cover.row, 0, book.say("cover.nothing"), weight="lead", fit=False)
        cover.row += 1
    else:
        _amount(cover, plan, budget, inputs)
    _money(cover, plan)
    if budget is not None:
        _procedure(cover, plan, found)
    row = _signatures(sheet, cover.row + 1)
    _open(sheet, row + 1)
    sheet.finish()


def _amount(cover: _Cover, plan: Plan, budget: Budget, inputs: Inputs) -> None:
    """The total with tax as a live figure and in words, machines, unit prices, configuration."""
    sheet, scenario = cover.sheet, plan.case.scenario
    book = sheet.book
    cover.label("amount" if scenario.tax_rate else "amount_untaxed", currency=scenario.currency)
    style = book.styles.get("money", "link", "figure")
    sheet.raw.merge_range(cover.row, CONTENT, cover.row, LAST, "", style)
    sheet.formula(cover.row, CONTENT, budget.total.at(sheet.title), budget.total.value, role="link", weight="figure",
                  fit=False)  # fmt: skip
    cover.row += 1
    cover.label("words")
    total = cents(math.fsum(p.nodes * p.unit_price for p in plan.bought))
    words = amount_words(total, scenario.currency, book.lang)
    formula = f"IF({unchanged(sheet, inputs)},{literal(words)},{literal(book.say('checks.rerun'))})"
    sheet.formula_text(cover.row, CONTENT, formula, words, weight="total", across=ACROSS)
    cover.row += 1
    nodes = sum(p.nodes for p in plan.bought)
    cover.label("machines")
    style = book.styles.get("count", "solver", "cell")
    sheet.raw.merge_range(cover.row, CONTENT, cover.row, LAST, "", style)
    sheet.number(cover.row, CONTENT, float(nodes), "count", role="solver")
    cover.row += 1
    prices = [
        f"{configuration_text([p], book.lang)}：{money_exact(p.unit_price, scenario.currency, book.lang)}"
        if book.lang == "zh"
        else f"{configuration_text([p], book.lang)}: {money_exact(p.unit_price, scenario.currency, book.lang)}"
        for p in plan.bought
    ]
    cover.known("unit_price", "\n".join(prices))


def _money(cover: _Cover, plan: Plan) -> None:
    """Funds as stated; account, line and, where not stated, the last day are for the applicant."""
    scenario, book = plan.case.scenario, cover.sheet.book
    if scenario.funds:
        cover.known("fund", "\n".join(_fund(cover, f, scenario.currency) for f in scenario.funds))
    else:
        cover.blank("fund")
    cover.blank("account")
    cover.blank("line")
    days = [d for d in (scenario.spend_by, *(f.spend_by for f in scenario.funds)) if d]
    if days:
        cover.known("spend_by", date_text(min(days), book.lang))
    else:
        cover.blank("spend_by")


def _fund(cover: _Cover, fund: Fund, currency: str) -> str:
    book = cover.sheet.book
    name = fund.name_zh if book.lang == "zh" and fund.name_zh else fund.name
    uses = listed([book.say(f"cover.use.{use}") for use in fund.pays], book.lang, most=len(fund.pays))
    if fund.amount is None:
        return book.say("cover.fund_unlimited", name=name, uses=uses)
    return book.say("cover.fund_uses", name=name, amount=money_exact(fund.amount, currency, book.lang), uses=uses)


def _procedure(cover: _Cover, plan: Plan, found: Route) -> None:
    """Asset class, procedure, documents, delivery and warnings, as far as the rules are known."""
    book = cover.sheet.book
    lang = book.lang
    cover.known("asset", asset_text(found, lang))
    cover.blank("code")
    if found.band is None:
        cover.known("procedure", book.say("route.unknown"))
    else:
        rules = found.band.name_zh if lang == "zh" else found.band.name
        method = found.band.method_zh if lang == "zh" else found.band.method
        cover.known("procedure", book.say("cover.procedure_of", rules=rules, method=method))
        texts = documents(found, lang)
        if texts:
            cover.known("documents", "\n".join(texts))
        else:
            cover.blank("documents")
    cover.known("delivery", delivery_text(found, lang))
    notes = warnings(found, plan.case.scenario, lang)
    if notes:
        cover.known("warning", "\n".join(notes))


def _signatures(sheet: Sheet, row: int) -> int:
    book = sheet.book
    sheet.text(row, 0, book.say("cover.signatures"), weight="heading", fit=False)
    sheet.text(row + 1, LABEL, book.say("cover.role"), weight="header")
    sheet.text(row + 1, 1, book.say("cover.name"), weight="header", across=2)
    sheet.text(row + 1, LAST, book.say("cover.date"), weight="header", fit=False)
    row += 2
    for role in ROLES:
        sheet.text(row, LABEL, book.say(f"cover.role.{role}"), wrap=True)
        sheet.text(row, 1, "", role="fill", across=2)
        sheet.text(row, LAST, "", role="fill", fit=False)
        sheet.raw.set_row(row, 24.0)
        row += 1
    sheet.text(row, 0, book.say("cover.certify"), weight="note", wrap=True, across=LAST + 1)
    return row + 1


def _open(sheet: Sheet, row: int) -> None:
    """How many blanks are left, counted as they are filled in, and which ones there are, by sheet."""
    book = sheet.book
    sheet.text(row, 0, book.say("cover.blanks_list"), weight="heading", fit=False)
    row += 1
    by_sheet: dict[str, list[str]] = {}
    for title, label in book.blanks:
        by_sheet.setdefault(title, []).append(label)
    text = literal(book.say("fill"))
    here = sheet.title  # of the cover only what stands above: a count must not count itself
    ends = {title: (row - 1, LAST) if title == here else SEEN for title in by_sheet}
    counts = "+".join(f"COUNTIF({area(0, 0, *end, title)},{text})" for title, end in ends.items()) or "0"
    sheet.text(row, LABEL, book.say("cover.blanks"), weight="total", wrap=True)
    sheet.formula(row, CONTENT, counts, float(len(book.blanks)), "count", weight="total", fit=False)
    row += 1
    join = "；" if book.lang == "zh" else "; "
    for title, labels in by_sheet.items():
        sheet.text(row, 0, book.say("cover.blanks_of", sheet=title, labels=join.join(dict.fromkeys(labels))),
                   weight="note", wrap=True, across=LAST + 1)  # fmt: skip
        row += 1
