"""Speedup and efficiency over links and card counts, as data and as a picture (article A sections 2-4).

The step of one card is the line T_c = c0 + c1*P*b; the same per-card batch on each of N cards, so that S <= N.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape

from hwcost.records import Card, Link
from hwcost.scaling import DataParallel, bandwidth_gb_s, data_parallel, expected_maximum, find_link
from hwcost.threshold import Threshold, threshold

GRADIENT_BYTES = 4.0  # fp32, also under autocast
TARGET_SHARE = 0.75  # of the cards: a target above 1 for two cards (1.5), which half of them (1) would not be
PAIR, PAIRS_IN_RING = "nvlink_pair", "pcie_p2p_with_pair_bridges"  # of two cards, of a ring of more
COLOURS = ("#1f6f8b", "#c0392b", "#7d8a2e", "#8e44ad", "#d68910", "#2c3e50", "#16a085", "#b03a7c", "#5d6d7e", "#a04000")


@dataclass(frozen=True)
class StepLine:
    """The step of one card: c0 + c1*P*b, ms; `c1_ms` a sample and parameter. `straggler` is a share of the step."""

    c0_ms: float
    c1_ms: float
    params: float
    per_card_batch: float
    overlap: float = 0.0
    straggler: float = 0.0

    @property
    def compute_ms(self) -> float:
        return self.c0_ms + self.c1_ms * self.params * self.per_card_batch


@dataclass(frozen=True)
class SpeedupRow:
    """N cards over one link: the step, its speedup, and from which size on the target is reached."""

    link: Link
    cards: int
    target: float
    spread: DataParallel
    threshold: Threshold


def speedup_rows(
    line: StepLine,
    links: Iterable[Link],
    link_ids: Sequence[str],
    counts: Sequence[int],
    *,
    card: Card | None = None,
    target: float | None = None,
) -> tuple[SpeedupRow, ...]:
    """One row per link and card count that go together. `card` chooses the PCIe generation of the links."""
    table = tuple(links)
    rows = []
    for name in link_ids:
        for cards in counts:
            link = find_link(table, name, cards, card=card)
            if link is None or (name == PAIR and cards > 2) or (name == PAIRS_IN_RING and cards == 2):
                continue
            spread = data_parallel(
                line.compute_ms, line.params, GRADIENT_BYTES, cards, link, overlap=line.overlap,
                step_cv=line.straggler / expected_maximum(cards),
            )  # fmt: skip
            wanted = target or TARGET_SHARE * cards
            found = threshold(
                c0_ms=line.c0_ms, c1_ms_per_param_sample=line.c1_ms, per_card_batch=line.per_card_batch, cards=cards,
                bandwidth_gb_s=bandwidth_gb_s(link, GRADIENT_BYTES * line.params), alpha_ms=link.alpha_us / 1e3,
                speedup_target=wanted, grad_bytes=GRADIENT_BYTES, straggler_share=line.straggler, overlap=line.overlap,
            )  # fmt: skip
            rows.append(SpeedupRow(link, cards, wanted, spread, found))
    return tuple(rows)


def speedup_curves(rows: Iterable[SpeedupRow]) -> dict[str, list[tuple[int, float, float]]]:
    """(N, S, S/N) by link id, from one card up: what a chart draws."""
    curves: dict[str, list[tuple[int, float, float]]] = {}
    for row in rows:
        curve = curves.setdefault(row.link.id, [(1, 1.0, 1.0)])
        curve.append((row.cards, row.spread.speedup, row.spread.efficiency))
    return {name: sorted(curve) for name, curve in curves.items()}


def speedup_svg(curves: dict[str, list[tuple[int, float, float]]], title: str, say: Callable[[str], str]) -> str:
    """Two panels over the card count, S(N) with the linear line and S(N)/N; `say` names links and axes by key."""
    counts = sorted({n for curve in curves.values() for n, _, _ in curve})
    most = max(counts, default=1)
    left = _Panel(60, counts, float(most), say("chart.speedup"), say("chart.cards"))
    right = _Panel(460, counts, 1.0, say("chart.efficiency"), say("chart.cards"))
    parts = [left.frame(), right.frame()]
    parts.append(left.path([(n, float(n)) for n in counts], "#999", dashed=True))
    legend = [f'<text x="60" y="{360}" fill="#999">- - {escape(say("chart.linear"))}</text>']
    for i, (name, curve) in enumerate(curves.items()):
        colour = COLOURS[i % len(COLOURS)]
        parts += [left.path([(n, s) for n, s, _ in curve], colour), right.path([(n, e) for n, _, e in curve], colour)]
        x, y = 60 + 400 * ((i + 1) % 2), 360 + 18 * ((i + 1) // 2)
        legend.append(f'<text x="{x}" y="{y}" fill="{colour}">&#9632; {escape(say(f"link.{name}"))}</text>')
    height = 375 + 18 * (len(curves) // 2 + 1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="840" height="{height}" font-family="sans-serif" '
        f'font-size="12"><rect width="100%" height="100%" fill="white"/>'
        f'<text x="420" y="20" text-anchor="middle" font-size="14">{escape(title)}</text>'
        f"{''.join(parts)}{''.join(legend)}</svg>\n"
    )


def bars(rows: Sequence[SpeedupRow], width: int = 30) -> list[str]:
    """A bar of efficiency for each row: full width is S = N."""
    filled = [min(width, max(0, round(width * row.spread.efficiency))) for row in rows]
    return ["#" * n + "." * (width - n) for n in filled]


@dataclass(frozen=True)
class _Panel:
    """One diagram, 320 wide and 260 high; card counts stand at equal distances (each doubles the one before)."""

    x: int
    counts: list[int]
    most: float
    title: str
    below: str
    top: int = 50
    side: int = 320
    high: int = 260

    def at(self, cards: int, value: float) -> tuple[float, float]:
        place = self.counts.index(cards) / max(1, len(self.counts) - 1)
        return self.x + self.side * place, self.top + self.high * (1.0 - min(value, self.most) / self.most)

    def path(self, points: list[tuple[int, float]], colour: str, dashed: bool = False) -> str:
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (self.at(n, value) for n, value in points))
        dots = "".join(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'
            for x, y in (self.at(n, value) for n, value in points) if not dashed
        )  # fmt: skip
        dash = ' stroke-dasharray="4 4"' if dashed else ' stroke-width="2"'
        return f'<polyline points="{line}" fill="none" stroke="{colour}"{dash}/>{dots}'

    def frame(self) -> str:
        bottom, middle = self.top + self.high, self.x + self.side // 2
        parts = [
            f'<rect x="{self.x}" y="{self.top}" width="{self.side}" height="{self.high}" fill="none" stroke="#bbb"/>',
            f'<text x="{middle}" y="{self.top - 8}" text-anchor="middle">{escape(self.title)}</text>',
            f'<text x="{middle}" y="{bottom + 34}" text-anchor="middle">{escape(self.below)}</text>',
        ]
        for n in self.counts:
            parts.append(f'<text x="{self.at(n, 0)[0]:.0f}" y="{bottom + 16}" text-anchor="middle">{n}</text>')
        for k in range(5):
            value = self.most * k / 4
            y = bottom - self.high * k / 4
            parts.append(f'<text x="{self.x - 6}" y="{y + 4:.0f}" text-anchor="end">{value:g}</text>')
            parts.append(f'<line x1="{self.x}" x2="{self.x + self.side}" y1="{y:.1f}" y2="{y:.1f}" stroke="#eee"/>')
        return "".join(parts)
