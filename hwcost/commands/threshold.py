"""`hwcost threshold`: what several cards bring to one model, and from which size on (article A sections 2-4)."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from hwcost.catalog import load_catalog
from hwcost.commands.session import Session, check_outputs, number_option, whole_option
from hwcost.commands.table import table
from hwcost.errors import InputError, Problem
from hwcost.problems import nearest_match
from hwcost.quantities import number_text, percent_text
from hwcost.records import Link
from hwcost.scaling import LINK_IDS, DataParallel, data_parallel, expected_maximum, find_link
from hwcost.threshold import ALTERNATIVES, Threshold, threshold

SCHEMA = "hwcost.threshold/1"
ARTICLE_MS = ("2", "0.3333333333333333")  # c0 and c1 as the command line defaults state them
MILLION = 1e6
PAIR, PAIRS_IN_RING = "nvlink_pair", "pcie_p2p_with_pair_bridges"  # of two cards, of a ring of more
USUAL_LINK = "pcie_p2p"
TARGET_SHARE = 0.75  # of the cards: a target above 1 for two cards (1.5), which half of them (1) would not be
GRADIENT_BYTES = 4.0  # fp32, also under autocast


def run(args: argparse.Namespace, session: Session) -> int:
    """One row per link class and card count; without options the article's example (2 M parameters, 8 ms a step)."""
    problems: list[Problem] = check_outputs(session)
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
    known = [link for link in LINK_IDS if any(row.id == link for row in catalog.links)]
    for name in args.link or []:
        if name not in known:
            values = {"expected": ", ".join(known), "nearest": nearest_match(name, known)}
            problems.append(Problem("link_unknown", file="--link", value=name, values=values))
    wanted_counts = sorted({count for count in counts if count is not None})
    if args.link and PAIR in args.link and max(wanted_counts, default=0) > 2:
        problems.append(Problem("link_pair", file="--link", value=PAIR))
    wanted_sizes = [size for size in dict.fromkeys(sizes) if size is not None]
    if problems or not wanted_sizes or batch is None or c0 is None or c1 is None:
        raise InputError(problems)
    params_m = wanted_sizes[0]
    compute = c0 + c1 * params_m * batch
    rows: list[tuple[Link, int, float, DataParallel, Threshold]] = []
    others: dict[float, list[DataParallel]] = {size: [] for size in wanted_sizes[1:]}  # per size, as `rows`
    for name in args.link or known:
        for cards in wanted_counts:
            link = find_link(catalog.links, name, cards)
            if link is None or (name == PAIR and cards > 2) or (name == PAIRS_IN_RING and cards == 2):
                continue
            by_size = [
                data_parallel(
                    c0 + c1 * size * batch, size * MILLION, GRADIENT_BYTES, cards, link, overlap=overlap or 0.0,
                    step_cv=(straggler or 0.0) / expected_maximum(cards),
                )
                for size in wanted_sizes
            ]  # fmt: skip
            spread = by_size[0]
            for size, other in zip(others, by_size[1:], strict=True):
                others[size].append(other)
            wanted = target or TARGET_SHARE * cards
            found = threshold(
                c0_ms=c0, c1_ms_per_param_sample=c1 / MILLION, per_card_batch=batch, cards=cards,
                bandwidth_gb_s=link.bus_bandwidth_gb_s, alpha_ms=link.alpha_us / 1e3, speedup_target=wanted,
                grad_bytes=GRADIENT_BYTES, straggler_share=straggler or 0.0, overlap=overlap or 0.0,
            )  # fmt: skip
            rows.append((link, cards, wanted, spread, found))
    article = (args.c0_ms, args.c1_ms) == ARTICLE_MS
    note = session.say("cli.threshold_article" if article else "cli.threshold_own", c0=f"{c0:g}", c1=f"{c1:.4g}",
                       compute=number_text(compute, session.lang, 2))  # fmt: skip
    sizes_text = _sizes_text(session, rows, {params_m: [row[3] for row in rows], **others}) if others else []
    session.show([*_text(session, params_m, batch, compute, rows), *sizes_text, "", note, *_link_notes(session, rows)])
    inputs = {"params": params_m * MILLION, "per_card_batch": batch, "c0_ms": c0, "c1_ms_per_million": c1,
              "overlap": overlap, "straggler_share": straggler, "compute_ms": compute,
              "step_time_from": "article A, section 4.2 (example)" if article else "stated in the call"}  # fmt: skip
    records = [
        {**_record(*row), "other_sizes": [
            {"params": size * MILLION, "speedup": found[i].speedup, "efficiency": found[i].efficiency}
            for size, found in others.items()
        ]}
        for i, row in enumerate(rows)
    ]  # fmt: skip
    session.write_json({"schema": SCHEMA, "inputs": inputs, "rows": records})
    return 0


def _text(
    session: Session, params_m: float, batch: float, compute: float,
    rows: list[tuple[Link, int, float, DataParallel, Threshold]],
) -> list[str]:  # fmt: skip
    lang = session.lang
    cells = []
    for link, cards, target, spread, found in rows:
        params = 0.0 if found.params is None else found.params / MILLION
        case = session.say(found.case_key, cards=cards, target=target, params_m=params)
        cells.append([
            session.say(f"link.{link.id}"), str(cards), number_text(spread.step_ms, lang, 2),
            number_text(spread.speedup, lang, 2), percent_text(spread.efficiency, lang), f"{target:g}", case,
        ])  # fmt: skip
    titles = session.columns("link", "cards", "step", "speedup", "efficiency", "target", "case")
    title = session.heading(
        "threshold", params=f"{params_m:g}", batch=f"{batch:g}", compute=number_text(compute, lang, 2)
    )
    text = [title, *table(titles, cells, right=(1, 2, 3, 4, 5)), "", session.heading("alternatives")]
    if rows:  # most cards over the usual link, else over the best of the links asked for
        link, cards, _, spread, _ = max(rows, key=lambda row: (row[1], row[0].id == USUAL_LINK, row[3].speedup))
        text.append(session.say(
            "cli.threshold_accumulation", steps=cards, batch=f"{batch * cards:g}", link=session.say(f"link.{link.id}"),
            one=number_text(compute * cards, lang, 2), cards=cards, many=number_text(spread.step_ms, lang, 2),
            speedup=number_text(spread.speedup, lang, 2),
        ))  # fmt: skip
    return [*text, *(session.say(key) for key in ALTERNATIVES)]


def _sizes_text(
    session: Session,
    rows: list[tuple[Link, int, float, DataParallel, Threshold]],
    by_size: dict[float, list[DataParallel]],
) -> list[str]:
    """Speedup and efficiency over links, card counts and parameter sizes."""
    cells = [
        [session.say(f"link.{row[0].id}"), str(row[1])]
        + [f"{number_text(found[i].speedup, session.lang, 2)} ({percent_text(found[i].efficiency, session.lang, 0)})"
           for found in by_size.values()]
        for i, row in enumerate(rows)
    ]  # fmt: skip
    titles = session.columns("link", "cards") + [session.say("predict.size", params=f"{size:g}") for size in by_size]
    return ["", session.say("predict.sizes_heading"), *table(titles, cells, right=range(1, 2 + len(by_size)))]


def _link_notes(session: Session, rows: list[tuple[Link, int, float, DataParallel, Threshold]]) -> list[str]:
    """For each link: the bandwidth used, whether it is measured or estimated, and where it comes from."""

    def name(link: Link) -> str:
        plain = session.say(f"link.{link.id}")
        return session.say("cli.threshold_pcie", link=plain, generation=link.pcie_gen) if link.pcie_gen else plain

    found = [
        session.say("cli.threshold_link", link=name(link), cards=cards,
                    bandwidth=f"{link.bus_bandwidth_gb_s:g}", kind=session.say(f"figurekind.{link.origin.kind}"),
                    source=link.origin.source)
        for link, cards, *_ in rows
    ]  # fmt: skip
    return [session.say("cli.threshold_links"), *(f"- {text}" for text in found)] if found else []


def _record(link: Link, cards: int, target: float, spread: DataParallel, found: Threshold) -> dict[str, Any]:
    return {
        "link": link.id, "cards": cards, "pcie_gen": link.pcie_gen, "bus_bandwidth_gb_s": link.bus_bandwidth_gb_s,
        "alpha_ms": link.alpha_us / 1e3, "source": link.origin.source, "kind": link.origin.kind,
        "volume_bytes": spread.volume_bytes, "step_ms": spread.step_ms, "exposed_ms": spread.exposed_ms,
        "r": spread.r, "speedup": spread.speedup, "efficiency": spread.efficiency, "speedup_target": target,
        "case": found.case, "threshold_params": found.params,
    }  # fmt: skip
