"""Technical annex: how each kind of work runs with memory, step and error band, what several cards bring, the value."""

from __future__ import annotations

from hwcost.build import Build
from hwcost.memory import limit_mib
from hwcost.messages import say
from hwcost.names import way_text, workload_name
from hwcost.plan import Plan
from hwcost.report import labels
from hwcost.report.book import Sheet, cell
from hwcost.report.cost_place import Block
from hwcost.strategy import Strategy

MIB_PER_GIB = 1024.0
HEADS = ("workload", "machine", "cards", "batch", "steps", "memory", "limit", "step", "compute", "data", "link",
         "bound", "hours", "error", "evidence")  # fmt: skip
SEVERAL = ("workload", "machine", "cards", "alone", "several", "speedup", "efficiency", "ratio", "verdict")
WIDTHS = {
    0: 24.0, 1: 30.0, 2: 6.0, 3: 8.0, 4: 8.0, 5: 8.0, 6: 8.0, 11: 12.0, 12: 8.0,
    13: 8.0, 14: 16.0,
}  # fmt: skip


def write(sheet: Sheet, plan: Plan, block: Block) -> None:
    book, currency = sheet.book, plan.case.scenario.currency
    sheet.fixed |= WIDTHS
    sheet.text(0, 0, book.say("sheet.technical"), weight="title", fit=False)
    sheet.text(1, 0, book.say("technical.how"), weight="note", wrap=True, across=len(HEADS))
    row = 3
    for key, ref in (("nominal", block.nominal), ("present", block.present_value)):
        assert ref is not None
        sheet.text(row, 0, book.say(f"technical.{key}", currency=currency), weight="total", fit=False)
        sheet.link(row, 1, ref, weight="total")
        row += 1
    row = _ways(sheet, row + 1, plan)
    _several(sheet, row + 1, plan)
    sheet.finish(freeze=(2, 1))


def _ways(sheet: Sheet, row: int, plan: Plan) -> int:
    book, lang = sheet.book, sheet.book.lang
    sheet.text(row, 0, book.say("technical.ways"), weight="heading", fit=False)
    sheet.headers(row + 1, 0, [book.say(f"technical.col.{n}") for n in HEADS])
    row += 2
    first = [a for a in plan.assignments if a.year == min(b.year for b in plan.assignments)] if plan.assignments else []
    for way in dict.fromkeys(a.strategy for a in first):
        workload, build = plan.case.workload_by_id[way.workload_id], plan.case.build_by_id.get(way.build_id)
        sheet.text(row, 0, workload_name(workload, lang), wrap=True)
        sheet.text(row, 1, _where(way, build, lang), wrap=True)
        for column, count in ((2, way.cards), (3, way.micro_batch), (4, way.accumulation_steps)):
            sheet.number(row, column, float(count), "count", role="solver")
        sheet.number(row, 5, way.memory_mib / MIB_PER_GIB, "tenths")
        limit = None
        if build is not None:
            limit = limit_mib(build.card, plan.case.scenario.memory_margin, workload.ecc_required) / MIB_PER_GIB
        sheet.number(row, 6, limit, "tenths")
        data = max(way.loader_ms, way.storage_ms)
        for column, value in ((7, way.step_ms), (8, way.compute_ms), (9, data), (10, way.communication_ms)):
            sheet.number(row, column, value, "quantity")
        sheet.text(row, 11, say(f"bound.{way.bound}", lang), wrap=True)
        sheet.number(row, 12, way.hours_per_run, "hours")
        sheet.number(row, 13, way.error_share, "percent")
        sheet.text(row, 14, say(f"evidence.{way.evidence}", lang), wrap=True)
        row += 1
    return row


def _where(way: Strategy, build: Build | None, lang: str) -> str:
    """How the job runs, and in which machine; a service is named by the first alone."""
    if build is None:
        return way.build_id
    how = way_text(way, build, lang)
    return how if build.service else how + ("；" if lang == "zh" else "; ") + labels.short_machine(build, lang)


def _several(sheet: Sheet, row: int, plan: Plan) -> int:
    """Every workload that may use several cards of a machine of the plan, beside one card of it."""
    book, lang = sheet.book, sheet.book.lang
    sheet.text(row, 0, book.say("technical.parallel"), weight="heading", fit=False)
    pairs = _pairs(plan)
    if not pairs:
        sheet.text(row + 1, 0, book.say("technical.none"), weight="note", fit=False)
        return row + 2
    sheet.headers(row + 1, 0, [book.say(f"technical.col.{n}") for n in SEVERAL])
    row += 2
    for alone, way in pairs:
        build = plan.case.build_by_id[way.build_id]
        sheet.text(row, 0, workload_name(plan.case.workload_by_id[way.workload_id], lang), wrap=True)
        sheet.text(row, 1, labels.short_machine(build, lang), wrap=True)
        sheet.number(row, 2, float(way.cards), "count")
        sheet.number(row, 3, alone.step_ms, "quantity")
        sheet.number(row, 4, way.step_ms, "quantity")
        speedup = alone.step_ms / way.step_ms
        sheet.formula(row, 5, f"{cell(row, 3)}/{cell(row, 4)}", speedup, "quantity")
        sheet.formula(row, 6, f"{cell(row, 5)}/{cell(row, 2)}", speedup / way.cards, "percent")
        sheet.formula(row, 7, f"{cell(row, 2)}/{cell(row, 5)}-1", way.cards / speedup - 1.0, "quantity")
        words = book.say("technical.faster"), book.say("technical.not_faster")
        sheet.formula(row, 8, f'IF({cell(row, 5)}>1,"{words[0]}","{words[1]}")', words[0 if speedup > 1 else 1], "text")
        row += 1
    sheet.text(row, 0, book.say("technical.ratio_note"), weight="note", wrap=True, across=len(HEADS))
    return row + 1


def _pairs(plan: Plan) -> list[tuple[Strategy, Strategy]]:
    """The way on one card and the data-parallel one on most cards, by workload and machine."""
    builds = {p.build.id for p in plan.purchases}
    known = [s for s in (*plan.case.strategies.feasible, *plan.case.strategies.excluded) if s.build_id in builds]
    alone = {(s.workload_id, s.build_id): s for s in known if s.kind == "single"}
    several: dict[tuple[str, str], Strategy] = {}
    for way in known:
        key = (way.workload_id, way.build_id)
        usable = way.kind == "ddp" and key in alone and way.step_ms > 0 and alone[key].step_ms > 0
        if usable and (key not in several or way.cards > several[key].cards):
            several[key] = way
    return [(alone[key], way) for key, way in sorted(several.items())]
