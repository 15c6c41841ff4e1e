"""How far predictions lie from public measurements: prints a table with the split of every line and its rivals.

Run `python benchmarks/accuracy.py [--json F] [--plots DIR]`. Errors are |ln(predicted/measured)| in per cent, of
efficiencies the difference. What is fitted is fitted on other rows than those reported; a goal that is missed is
printed as missed. The measurements lie in the folder `evidence` beside this file, each row or file with its source; the
program itself reads none of them.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from accuracy_memory import memory_lines
from accuracy_profile import profile_lines
from accuracy_stats import Line, Point, errors_line, lowest, quantile
from accuracy_transfer import transfer_lines
from scatter import write_scatter

from hwcost.catalog import load_catalog
from hwcost.other_cards import KnownCards, other_cards
from hwcost.records import Link, Origin
from hwcost.scaling import TYPICAL_OVERLAP, all_reduce_ms, data_parallel, find_link, scaled

EVIDENCE = Path(__file__).resolve().parent / "evidence"
MIB = 2.0**20
BEGIN, END = "<!-- table begins -->", "<!-- table ends -->"


def rows_of(name: str) -> list[dict[str, str]]:
    """The rows of one table of measurements."""
    with (EVIDENCE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def main() -> None:
    """Compute every line, print the table, and write JSON and plots where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, metavar="F", help="write the table as JSON, a record per line")
    parser.add_argument("--plots", type=Path, metavar="DIR", help="write predicted against measured as SVG here")
    parser.add_argument("--write", type=Path, metavar="F", help="replace what stands between the markers in this file")
    parser.add_argument("--memory", action="store_true", help="only the lines of peak memory")
    args = parser.parse_args()
    lines: list[Line] = []
    if not args.memory:
        lines += [*scaling_lines(), *transfer_lines(rows_of("throughput.csv"), cards()), small_batch_line()]
    peaks, profiles = rows_of("memory_peaks.csv"), rows_of("memory_profiles.csv")
    lines += [*memory_lines(peaks, profiles), *profile_lines(peaks, profiles, rows_of("memory_live.csv"))]
    lines += [] if args.memory else all_reduce_lines()
    text = "\n".join(markdown(lines))
    print(text)
    if args.write is not None:
        before, _, rest = args.write.read_text(encoding="utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        args.write.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")
    if args.json is not None:
        records = [line.record() for line in lines]
        args.json.write_text(json.dumps(records, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    if args.plots is not None:
        for line in lines:
            if line.plot and line.points:
                write_scatter(args.plots / f"accuracy_{line.plot}.svg", line.prediction, line.points, line.logarithmic)


def cards() -> KnownCards:
    """Every card that a row may name."""
    return KnownCards(load_catalog(), other_cards())


# --- scaling ---


def scaling_lines() -> list[Line]:
    """Leave-card-out: overlap and one factor on all bandwidths are fitted without the card, then used on it."""
    catalog, known = load_catalog(), cards()
    rows = rows_of("scaling.csv")

    def efficiency(row: dict[str, str], overlap: float, factor: float) -> float:
        card = known.find(row["card"])
        assert card is not None, row["card"]
        link = find_link(catalog.links, row["link"], int(row["cards"]), card.pcie_gen)
        assert link is not None, row["link"]
        return data_parallel(
            float(row["step_ms"]), float(row["params"]), float(row["grad_bytes"]), int(row["cards"]),
            scaled(link, factor), overlap=overlap, step_cv=float(row["step_cv"]),
        ).efficiency  # fmt: skip

    points: list[Point] = []
    for name in sorted({row["card"] for row in rows}):
        others = [row for row in rows if row["card"] != name]

        def cost(fit: Sequence[float], others: list[dict[str, str]] = others) -> float:
            off = [abs(efficiency(row, max(fit[0], 0.0), fit[1]) - float(row["efficiency"])) for row in others]
            return math.fsum(min(x, 0.05) for x in off)

        overlap, factor = lowest(cost, [0.03, 1.0], [0.01, 0.05], rounds=4)
        points += [
            Point(efficiency(row, max(overlap, 0.0), factor), float(row["efficiency"]), row["card"])
            for row in rows if row["card"] == name
        ]  # fmt: skip
    linear = [abs(1.0 - float(row["efficiency"])) for row in rows]
    main_line = errors_line(
        "efficiency on 2, 4, 8 cards, link and step_cv given",
        "leave-card-out: overlap and one factor on the link table fitted on the other five cards; the link table's "
        "rows of PCIe 4 and of hosts that stage through memory come from step times of RTX A5500 and RTX 3090",
        points, absolute=True, goal=(0.010, 0.045), plot="scaling",
        rivals={"linear": (quantile(linear, 0.5), quantile(linear, 0.9))},
    )  # fmt: skip
    large = [row for row in rows if row["model"] == "bert_large_squad"]
    fixed = [Point(efficiency(row, TYPICAL_OVERLAP, 1.0), float(row["efficiency"]), row["card"]) for row in large]
    linear = [abs(1.0 - float(row["efficiency"])) for row in large]
    large_line = errors_line(
        "the same, BERT-large alone, with the program's constants",
        f"overlap {TYPICAL_OVERLAP} from ResNet-50 and BERT-base, link table as it is; BERT-large communicates most",
        fixed, absolute=True, goal=(0.010, 0.045),
        rivals={"linear": (quantile(linear, 0.5), quantile(linear, 0.9))},
    )  # fmt: skip
    return [main_line, large_line]


# --- all-reduce ---


def all_reduce_lines() -> list[Line]:
    """Alpha and bandwidth of each run from every other size above 1 MiB; reported on the sizes between."""
    runs: dict[str, list[dict[str, str]]] = {}
    for row in rows_of("all_reduce.csv"):
        runs.setdefault(row["run"], []).append(row)
    found: dict[str, list[Point]] = {"pcie": [], "nvlink": []}
    for name, rows in runs.items():
        large = sorted((row for row in rows if float(row["bytes"]) >= MIB), key=lambda row: float(row["bytes"]))
        if len(large) < 4:
            continue
        cards_count, kind = int(large[0]["cards"]), large[0]["link"]

        def time_ms(fit: Sequence[float], size: float, cards_count: int = cards_count) -> float:
            origin = Origin("", 0, "", "", None, "measured")
            link = Link("", None, cards_count, math.exp(fit[1]), None, None, math.exp(fit[0]), origin)
            return all_reduce_ms(size, cards_count, link)

        def cost(fit: Sequence[float], rows: list[dict[str, str]] = large[::2], time: Callable = time_ms) -> float:
            return math.fsum(
                min(abs(math.log(time(fit, float(row["bytes"])) * 1e3 / float(row["time_us"]))), 0.3) for row in rows
            )

        last = large[::2][-1]  # the largest size fitted: bandwidth alone explains it nearly
        bandwidth = 2e-3 * (cards_count - 1) / cards_count * float(last["bytes"]) / float(last["time_us"])
        fit = lowest(cost, [math.log(20.0), math.log(bandwidth)], [1.0, 0.1], rounds=10)
        found[kind] += [Point(time_ms(fit, float(r["bytes"])), float(r["time_us"]) / 1e3, name) for r in large[1::2]]
    split = "latency and bandwidth of each run fitted on every other size above 1 MiB, reported on the sizes between"
    return [
        errors_line(f"all-reduce time above 1 MiB, {title}", split, found[kind], goal=(None, goal), worst=True)
        for kind, title, goal in (("pcie", "PCIe", 0.12), ("nvlink", "NVLink", 0.25))
    ]


# --- small batches ---


def small_batch_line() -> Line:
    """No public row states card, batch and step of a small network on two cards: nothing to report on."""
    return Line(
        "step on another card, networks at small batch",
        "no rows: no public measurement names two cards, batch and step",
        None, None, 0, goal=(0.12, 0.35),
    )  # fmt: skip


# --- the table ---


def markdown(lines: Sequence[Line]) -> list[str]:
    """The table, then the split of each line."""
    text = [
        "| prediction | rows | median | 90th | goal | rivals (median / 90th) |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for line in lines:
        rivals = "; ".join(f"{name} {line.figure(a)} / {line.figure(b)}" for name, (a, b) in line.rivals.items())
        text.append(
            f"| {line.prediction} | {line.rows} | {line.figure(line.median)} | {line.figure(line.p90)} "
            f"| {line.goal_text()} | {rivals or '-'} |"
        )
    return [*text, "", *(f"- {line.prediction}: {line.split}{line.note and f'. {line.note}'}." for line in lines)]


if __name__ == "__main__":
    main()
