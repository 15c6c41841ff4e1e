"""`hwcost calibrate FILE [--out DIR]`: constants of the measured machine, each with a 95 % interval.

Where DIR is read as the user's catalog, rows of links.csv override the bundled ones, and the step of each measured
network on the measured card (calibration.csv) takes the place of the prediction. Needs no torch.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from hwcost.calibration import PROCESSOR
from hwcost.catalog import load_catalog
from hwcost.commands.own_folder import folder_problems
from hwcost.commands.session import Session, check_outputs, written
from hwcost.commands.table import table
from hwcost.errors import InputError, Problem
from hwcost.other_cards import KnownCards, other_cards
from hwcost.problems import nearest_match
from hwcost.quantities import number_text, percent_text
from hwcost.records import Card
from hwcost.scaling import LINK_IDS, SXM_LINK, expected_maximum, link_id_for
from hwcost.speedups import TARGET_SHARE
from hwcost.threshold import threshold

SCHEMA = "hwcost.calibration/1"
UNKNOWN_ID = re.compile(r"[^a-z0-9]+")
SLICE = re.compile(r"\bMIG\b")  # as the driver calls a part of a card
FLAT_SHARE = 0.01  # of the upper end of a time per sample that is nothing within its error: the table wants more than 0


def run(args: argparse.Namespace, session: Session) -> int:
    """Fits the constants, prints them with predictions beside measurements, and writes rows where asked."""
    from hwcost.measure.checking import record_problems
    from hwcost.measure.fitting import calibrate
    from hwcost.measure.record import read_record

    out = Path(args.out) if args.out is not None else None
    problems = check_outputs(session, source=args.measurement)
    if out is not None:
        problems += folder_problems("--out", out)
    if args.link is not None and args.link not in LINK_IDS:
        values = {"expected": ", ".join(LINK_IDS), "nearest": nearest_match(args.link, LINK_IDS)}
        problems.append(Problem("link_unknown", file="--link", value=args.link, values=values))
    if problems:
        raise InputError(problems)
    record = read_record(Path(args.measurement))
    problems = record_problems(record, args.measurement)
    if problems:
        raise InputError(problems)
    card, in_catalog = _card(args, record)
    found = calibrate(record)
    without = unfitted_lines(session, found)
    if not found.networks and not found.all_reduces:
        for line in without:
            session.note(line)
        raise InputError([Problem("calibrate_too_little", file=args.measurement)])
    links, rows = _rows(args, record, found, card)
    session.show([*_lines(session, record, found), *([""] if without else []), *without])
    if out is not None:
        _write(session, out, links, rows)
    if out is not None and rows and card is not None and not in_catalog:
        session.note(session.say("measure.card_to_add", card=card.id, name=card.name))
    if not links:
        session.note(session.say("measure.no_link_row"))
    session.write_json(_json(record, found, card, links, rows))
    return 0


def _card(args: argparse.Namespace, record: dict[str, Any]) -> tuple[Card | None, bool]:
    """The measured card, by `--card` or by the name that its driver gives it, and whether the catalog has it; None on a
    machine without cards."""
    if record["settings"]["device"] == "cpu":
        if args.link is not None or args.card is not None:
            option = "--link" if args.link is not None else "--card"
            raise InputError([Problem("calibrate_processor", file=option, value=args.link or args.card)])
        return None, False
    catalog = load_catalog(Path(args.catalog) if args.catalog is not None else None)
    known = KnownCards(catalog, other_cards())
    _check_equal_cards(record)
    name = args.card or record["machine"]["cards"][0]["name"]
    card = known.find(name)
    if card is None:
        values = {"nearest": nearest_match(name, known.names())}
        raise InputError([Problem("calibrate_card", file="--card", value=name, values=values)])
    return card, card.id in catalog.cards


def _check_equal_cards(record: dict[str, Any]) -> None:
    """Raises `InputError` for parts of a card, and for figures of several cards that differ."""
    results = record["results"]
    most = max([1, *(case["processes"] for step in ("all_reduce", "ratio", "scan") for case in results[step])])
    names = [item["name"] for item in record["machine"]["cards"][:most]]
    sliced = next((name for name in names if SLICE.search(name)), None)
    if sliced is not None:
        raise InputError([Problem("calibrate_slice", file="machine.cards", value=sliced)])
    if len(set(names)) > 1:
        raise InputError([Problem("calibrate_mixed_cards", file="machine.cards", value=", ".join(names))])


Rows = list[dict[str, str]]


def _rows(args: argparse.Namespace, record: dict[str, Any], found: Any, card: Card | None) -> tuple[Rows, Rows]:
    """Rows of links.csv and of calibration.csv."""
    from hwcost.measure.references import CATALOG_IDS
    from hwcost.measure.rows import calibration_row, link_row

    as_of = str(record["updated"])[:10]
    machine = card.name if card is not None else record["machine"]["cpu"] or PROCESSOR
    source = f"hwcost measure on {machine}, torch {record['versions']['torch']}, {as_of}"
    links = []
    for fit in found.all_reduces if card is not None else ():
        assert card is not None
        link = args.link or (SXM_LINK if "sxm" in card.id else link_id_for(card, fit.processes))
        if link is not None:
            generation = card.pcie_gen if link.startswith("pcie") else None
            links.append(link_row(fit, link, generation, source, as_of))
    rows = []
    for network in found.networks:
        shape = "-".join(record["models"][network.model]["inputs"])
        own_id = UNKNOWN_ID.sub("-", f"{network.model}-{shape}".lower()).strip("-")
        rows.append(calibration_row(
            _above_zero(network), found, CATALOG_IDS.get(network.model, own_id),
            card.id if card is not None else PROCESSOR, record["settings"]["precision"], source, as_of,
        ))  # fmt: skip
    return links, rows


def _above_zero(network: Any) -> Any:
    """The network with a time per sample above zero, where it was flat: small against its error."""
    per_sample = network.ms_per_sample
    if not network.flat or not per_sample.high:
        return network
    return replace(network, ms_per_sample=replace(per_sample, value=FLAT_SHARE * per_sample.high))


def _write(session: Session, out: Path, links: Rows, rows: Rows) -> None:
    from hwcost.measure.rows import CALIBRATION, write_rows

    def link_key(row: Mapping[str, str]) -> tuple[str, ...]:
        return row["id"], row["pcie_gen"], row["cards"]

    def own_key(row: Mapping[str, str]) -> tuple[str, ...]:
        return row["workload_id"], row["card_id"], row["precision"]

    tables: list[tuple[str, Rows, Callable[[Mapping[str, str]], Any]]] = [
        ("links.csv", links, link_key), (CALIBRATION, rows, own_key),
    ]  # fmt: skip
    if any(held for _, held, _ in tables):
        out.mkdir(parents=True, exist_ok=True)
    for name, held, key in tables:
        if held:

            def write(
                path: Path, name: str = name, held: Rows = held, key: Callable[[Mapping[str, str]], Any] = key
            ) -> None:
                write_rows(path, name, held, key)

            written(session, "--out", out / name, write)


# --- words ---


def _spread(session: Session, interval: Any, decimals: int) -> str:
    """`2.00 (1.95 to 2.05)`; without interval where nothing is known."""
    if interval is None:
        return "-"

    def text(value: float) -> str:
        return number_text(value, session.lang, decimals)

    high = "…" if interval.high is None else text(interval.high)
    return session.say("measure.interval", value=text(interval.value), low=text(interval.low), high=high)


def _lines(session: Session, record: dict[str, Any], found: Any) -> list[str]:
    networks = [
        [fit.model, f"{fit.batch_from}-{fit.batch_to}", _spread(session, fit.c0_ms, 3),
         _spread(session, fit.ms_per_sample, 4), f"{fit.c1_ms.value:.3g}",
         "-" if fit.step_cv is None else _spread(session, fit.step_cv.scaled(100.0), 2),
         "-" if fit.loader_ms_per_sample is None else number_text(fit.loader_ms_per_sample, session.lang, 4)]
        for fit in found.networks
    ]  # fmt: skip
    links = [
        [str(fit.processes), _spread(session, fit.alpha_us, 1), _spread(session, fit.bus_gb_s, 3),
         percent_text(fit.worst, session.lang, 0)]
        for fit in found.all_reduces
    ]  # fmt: skip
    return [
        *_section(
            session, "networks", ("model", "batches", "c0", "per_sample", "c1", "cv_percent", "loader"), networks
        ),
        *_section(session, "links", ("processes", "alpha", "bus", "worst"), links),
        *_several(session, found),
        *_thresholds(session, record, found),
        *_checks(session, found),
    ]


def unfitted_lines(session: Session, found: Any) -> list[str]:
    """A sentence for whatever has no constants, and for each network whose step does not depend on the batch."""

    def ms(value: float) -> str:
        return number_text(value, session.lang, 3)

    lines = [
        session.say(
            f"measure.unfitted.{item.kind}.{item.reason}", name=item.name, points=item.points,
            first=number_text(item.first, session.lang), last=number_text(item.last, session.lang),
            first_ms=ms(item.first_ms), last_ms=ms(item.last_ms),
        )
        for item in found.unfitted
    ]  # fmt: skip
    return lines + [
        session.say("measure.flat", name=fit.model, batch=fit.batch_to) for fit in found.networks if fit.flat
    ]


def _section(session: Session, name: str, columns: tuple[str, ...], rows: list[list[str]]) -> list[str]:
    if not rows:
        return []
    titles = [session.say(f"measure.column.{column}") for column in columns]
    return ["", session.say(f"measure.heading.{name}"), *table(titles, rows, right=range(1, len(titles)))]


def _several(session: Session, found: Any) -> list[str]:
    overhead = found.overhead_ms_per_tensor
    lines = [
        session.say("measure.overhead_unknown") if overhead is None
        else session.say("measure.overhead", figure=_spread(session, overhead.scaled(1e3), 1)),
        session.say("measure.overlap_unknown") if found.overlap is None
        else session.say("measure.overlap", figure=_spread(session, found.overlap, 2)),
    ]  # fmt: skip
    for (model, processes), share in sorted(found.contention.items()):
        figure = percent_text(share - 1.0, session.lang, 0)
        lines.append(session.say("measure.contention", model=model, cards=processes, share=figure))
    return ["", *lines]


def _thresholds(session: Session, record: dict[str, Any], found: Any) -> list[str]:
    """From which size on several cards of this machine pay, by article A section 3.3 with the constants measured."""
    lines = []
    batch = record["settings"]["batch"]
    for network in found.networks:
        for link in found.all_reduces:
            target = TARGET_SHARE * link.processes
            # what the host costs, and the wait for the slowest, come off the target like any other loss
            lost = max(0.0, found.contention.get((network.model, link.processes), 1.0) - 1.0)
            if network.step_cv is not None:
                lost += network.step_cv.value * expected_maximum(link.processes)
            overhead = 0.0 if found.overhead_ms_per_tensor is None else found.overhead_ms_per_tensor.value
            case = threshold(
                c0_ms=network.c0_ms.value, c1_ms_per_param_sample=network.c1_ms.value, per_card_batch=batch,
                cards=link.processes, bandwidth_gb_s=link.bus_gb_s.value, alpha_ms=link.alpha_us.value / 1e3,
                speedup_target=target, straggler_share=lost, overhead_ms=overhead * network.parameter_tensors,
                overlap=0.0 if found.overlap is None else found.overlap.value,
            )  # fmt: skip
            params = 0.0 if case.params is None else case.params / 1e6
            sentence = session.say(case.case_key, cards=link.processes, target=target, params_m=params)
            lines.append(session.say(
                "measure.threshold", model=network.model, params=f"{network.params / 1e6:.3g}", batch=batch,
                cards=link.processes, target=f"{target:g}", case=sentence,
            ))  # fmt: skip
    return ["", session.say("measure.heading.threshold"), *lines] if lines else []


def _checks(session: Session, found: Any) -> list[str]:
    rows = [
        [session.say(f"measure.step.{check.kind}"), check.model or "-", str(check.processes),
         number_text(check.batch, session.lang), number_text(check.predicted_ms, session.lang, 3),
         number_text(check.measured_ms, session.lang, 3), percent_text(check.error, session.lang, 0),
         session.say("measure.fitted" if check.fitted else "measure.not_fitted")]
        for check in found.checks
    ]  # fmt: skip
    names = ("what", "model", "processes", "batch_or_bytes", "predicted", "measured", "error", "seen")
    return _section(session, "checks", names, rows)


def _json(record: dict[str, Any], found: Any, card: Card | None, links: Rows, rows: Rows) -> dict[str, Any]:
    return {
        "schema": SCHEMA, "measured": record["updated"], "machine": record["machine"], "versions": record["versions"],
        "card": None if card is None else card.id, "networks": [
            {**asdict(fit), "c1_ms": asdict(fit.c1_ms)} for fit in found.networks
        ],
        "links": [asdict(fit) for fit in found.all_reduces],
        "overhead_ms_per_tensor": found.overhead_ms_per_tensor and asdict(found.overhead_ms_per_tensor),
        "overlap": found.overlap and asdict(found.overlap),
        "contention": [
            {"model": model, "processes": processes, "share": share}
            for (model, processes), share in sorted(found.contention.items())
        ],
        "unfitted": [asdict(item) for item in found.unfitted],
        "checks": [{**asdict(check), "error": check.error} for check in found.checks],
        "rows": {"links.csv": links, "calibration.csv": rows},
    }  # fmt: skip
