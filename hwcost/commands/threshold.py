"""`hwcost threshold`: what several cards bring to one model, and from which size on (article A sections 2-4)."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from hwcost.alternatives import Alternative, alternatives, example_workload
from hwcost.atomic import output_problems, write_text
from hwcost.catalog import load_catalog
from hwcost.commands.gains import alternative_record, alternative_table
from hwcost.commands.session import Session, check_outputs, number_option, whole_option, written
from hwcost.commands.table import table
from hwcost.errors import InputError, Problem
from hwcost.names import card_name
from hwcost.other_cards import KnownCards, other_cards
from hwcost.problems import nearest_match
from hwcost.quantities import number_text, percent_text
from hwcost.records import Card, Link
from hwcost.scaling import LINK_IDS
from hwcost.speedups import PAIR, SpeedupRow, StepLine, bars, speedup_curves, speedup_rows, speedup_svg
from hwcost.threshold import ALTERNATIVES

SCHEMA = "hwcost.threshold/1"
ARTICLE_MS = ("2", "0.3333333333333333")  # c0 and c1 as the command line defaults state them
MILLION = 1e6
USUAL_LINK = "pcie_p2p"
CHART_COUNTS = (2, 4, 8)


def run(args: argparse.Namespace, session: Session) -> int:
    """One row per link class and card count; without options the article's example (2 M parameters, 8 ms a step)."""
    problems: list[Problem] = check_outputs(session)
    if args.chart is not None:
        problems += output_problems("--chart", Path(args.chart))
        to_file = session.json_to is not None and not session.pure_json
        if to_file and Path(args.chart).resolve() == Path(str(session.json_to)).resolve():
            problems.append(Problem("output_same", file=f"--chart {args.chart}", value=args.chart))
    sizes = [number_option(text, "--params", problems) for text in args.params]
    batch = number_option(args.batch, "--batch", problems)
    c0 = number_option(args.c0_ms, "--c0-ms", problems)
    c1 = number_option(args.c1_ms, "--c1-ms", problems)
    target = number_option(args.target, "--target", problems)
    overlap = number_option(args.overlap, "--overlap", problems, above=None, most=1.0)
    straggler = number_option(args.straggler, "--straggler", problems, above=None, most=1.0)
    counts = [whole_option(text, "--cards", problems) for text in args.cards]
    problems += [Problem("cards_one", file="--cards", value="1") for count in counts if count == 1]
    try:
        catalog = load_catalog(Path(args.catalog) if args.catalog is not None else None)
    except InputError as error:
        raise InputError([*problems, *error.problems]) from error
    cards = KnownCards(catalog, other_cards())
    card = cards.find(args.card)
    if card is None:
        problems.append(cards.problem(args.card, "--card"))
    known = [link for link in LINK_IDS if any(row.id == link for row in catalog.links)]
    for name in args.link or []:
        if name not in known:
            values = {"expected": ", ".join(known), "nearest": nearest_match(name, known)}
            problems.append(Problem("link_unknown", file="--link", value=name, values=values))
    wanted_counts = sorted({count for count in counts if count is not None})
    if args.link and PAIR in args.link and max(wanted_counts, default=0) > 2:
        problems.append(Problem("link_pair", file="--link", value=PAIR))
    wanted_sizes = [size for size in dict.fromkeys(sizes) if size is not None]
    if problems or not wanted_sizes or batch is None or c0 is None or c1 is None or card is None:
        raise InputError(problems)
    lines = [
        StepLine(c0, c1 / MILLION, size * MILLION, batch, overlap or 0.0, straggler or 0.0) for size in wanted_sizes
    ]
    names = args.link or known
    by_size = [
        speedup_rows(line, catalog.links, names, wanted_counts, card=card, target=target) for line in lines
    ]  # fmt: skip
    line, rows = lines[0], by_size[0]
    article = (args.c0_ms, args.c1_ms) == ARTICLE_MS
    note = session.say("cli.threshold_article" if article else "cli.threshold_own", c0=f"{c0:g}", c1=f"{c1:.4g}",
                       compute=number_text(line.compute_ms, session.lang, 2))  # fmt: skip
    others = {size: found for size, found in zip(wanted_sizes, by_size, strict=True)} if len(lines) > 1 else {}
    best = _best(rows)
    first = _software_first(line, catalog.links, card, max(wanted_counts), best)
    session.show([
        *_text(session, line, rows), *_sizes_text(session, others), "",
        *_first_text(session, first, card, line, article), "",
        *(session.say(key) for key in ALTERNATIVES), "", note, *_link_notes(session, rows),
    ])  # fmt: skip
    if args.chart is not None:
        drawn = sorted({*CHART_COUNTS, *wanted_counts})
        picture = _chart(session, line, speedup_rows(line, catalog.links, names, drawn, card=card))
        written(session, "--chart", Path(args.chart), lambda place: write_text(place, picture))
        session.show([session.say("chart.written", path=args.chart)])
    inputs = {"params": line.params, "per_card_batch": batch, "c0_ms": c0, "c1_ms_per_million": c1,
              "overlap": overlap, "straggler_share": straggler, "compute_ms": line.compute_ms, "card": card.id,
              "step_time_from": "article A, section 4.2 (example)" if article else "stated in the call"}  # fmt: skip
    records = [
        {**_record(row), "other_sizes": [
            {"params": size * MILLION, "speedup": found[i].spread.speedup, "efficiency": found[i].spread.efficiency}
            for size, found in list(others.items())[1:]
        ]}
        for i, row in enumerate(rows)
    ]  # fmt: skip
    session.write_json({
        "schema": SCHEMA, "inputs": inputs, "rows": records,
        "alternatives": [alternative_record(found) for found in first],
    })  # fmt: skip
    return 0


def _best(rows: tuple[SpeedupRow, ...]) -> SpeedupRow | None:
    """Most cards over the usual link, else over the best of the links asked for."""
    return max(rows, key=lambda row: (row.cards, row.link.id == USUAL_LINK, row.spread.speedup), default=None)


def _software_first(
    line: StepLine, links: tuple[Link, ...], card: Card, cards: int, best: SpeedupRow | None
) -> tuple[Alternative, ...]:
    """What one card can do for the global batch of the call, beside the cards of it."""
    job = example_workload(
        card, params=line.params, per_card_batch=line.per_card_batch, cards=cards, c0_ms=line.c0_ms, c1_ms=line.c1_ms
    )
    return alternatives(job, card, links, cards=cards, hooks=False, link=best.link if best else None)


def _first_text(
    session: Session, found: tuple[Alternative, ...], card: Card, line: StepLine, article: bool
) -> list[str]:
    name = session.say("alternatives.example" if article else "alternatives.own")
    heading = session.say(
        "alternatives.heading", workload=name, batch=f"{found[0].global_batch:g}", card=card_name(card)
    )
    premise = session.say("alternatives.premise", card=card_name(card), batch=f"{line.per_card_batch:g}")
    return [heading, *alternative_table(session, found, steps=True), session.say("alternatives.note"), premise]


def _chart(session: Session, line: StepLine, rows: tuple[SpeedupRow, ...]) -> str:
    title = session.say(
        "chart.title", params=f"{line.params / MILLION:g}", batch=f"{line.per_card_batch:g}",
        compute=number_text(line.compute_ms, session.lang, 2),
    )  # fmt: skip
    return speedup_svg(speedup_curves(rows), title, session.say)


def _text(session: Session, line: StepLine, rows: tuple[SpeedupRow, ...]) -> list[str]:
    lang = session.lang
    cells = []
    for row, bar in zip(rows, bars(rows, 20), strict=True):
        params = 0.0 if row.threshold.params is None else row.threshold.params / MILLION
        case = session.say(row.threshold.case_key, cards=row.cards, target=row.target, params_m=params)
        cells.append([
            session.say(f"link.{row.link.id}"), str(row.cards), number_text(row.spread.step_ms, lang, 2),
            number_text(row.spread.speedup, lang, 2), percent_text(row.spread.efficiency, lang), bar,
            f"{row.target:g}", case,
        ])  # fmt: skip
    titles = session.columns("link", "cards", "step", "speedup", "efficiency", "target", "case")
    titles.insert(5, session.say("chart.efficiency"))
    title = session.heading(
        "threshold", params=f"{line.params / MILLION:g}", batch=f"{line.per_card_batch:g}",
        compute=number_text(line.compute_ms, lang, 2),
    )  # fmt: skip
    text = [title, *table(titles, cells, right=(1, 2, 3, 4, 6)), "", session.heading("alternatives")]
    best = _best(rows)
    if best is not None:
        text.append(session.say(
            "cli.threshold_accumulation", steps=best.cards, batch=f"{line.per_card_batch * best.cards:g}",
            link=session.say(f"link.{best.link.id}"), one=number_text(line.compute_ms * best.cards, lang, 2),
            cards=best.cards, many=number_text(best.spread.step_ms, lang, 2),
            speedup=number_text(best.spread.speedup, lang, 2),
        ))  # fmt: skip
    return text


def _sizes_text(session: Session, by_size: dict[float, tuple[SpeedupRow, ...]]) -> list[str]:
    """Speedup and efficiency over links, card counts and parameter sizes; nothing for one size."""
    if not by_size:
        return []
    rows = next(iter(by_size.values()))
    cells = [
        [session.say(f"link.{row.link.id}"), str(row.cards)]
        + [f"{number_text(found[i].spread.speedup, session.lang, 2)} "
           f"({percent_text(found[i].spread.efficiency, session.lang, 0)})" for found in by_size.values()]
        for i, row in enumerate(rows)
    ]  # fmt: skip
    titles = session.columns("link", "cards") + [session.say("predict.size", params=f"{size:g}") for size in by_size]
    return ["", session.say("predict.sizes_heading"), *table(titles, cells, right=range(1, 2 + len(by_size)))]


def _link_notes(session: Session, rows: tuple[SpeedupRow, ...]) -> list[str]:
    """For each link: the bandwidth used, whether it is measured or estimated, and where it comes from."""

    def name(link: Link) -> str:
        plain = session.say(f"link.{link.id}")
        return session.say("cli.threshold_pcie", link=plain, generation=link.pcie_gen) if link.pcie_gen else plain

    found = [
        session.say("cli.threshold_link", link=name(row.link), cards=row.cards,
                    bandwidth=f"{row.link.bus_bandwidth_gb_s:g}",
                    kind=session.say(f"figurekind.{row.link.origin.kind}"), source=row.link.origin.source)
        for row in rows
    ]  # fmt: skip
    return [session.say("cli.threshold_links"), *(f"- {text}" for text in found)] if found else []


def _record(row: SpeedupRow) -> dict[str, Any]:
    link, spread = row.link, row.spread
    return {
        "link": link.id, "cards": row.cards, "pcie_gen": link.pcie_gen, "bus_bandwidth_gb_s": link.bus_bandwidth_gb_s,
        "alpha_ms": link.alpha_us / 1e3, "source": link.origin.source, "kind": link.origin.kind,
        "volume_bytes": spread.volume_bytes, "step_ms": spread.step_ms, "exposed_ms": spread.exposed_ms,
        "r": spread.r, "speedup": spread.speedup, "efficiency": spread.efficiency, "speedup_target": row.target,
        "case": row.threshold.case, "threshold_params": row.threshold.params,
    }  # fmt: skip
