"""Predicted against measured as a small SVG picture, without any library."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from pathlib import Path

from accuracy_stats import Point

SIDE, LEFT, TOP = 360, 60, 40


def write_scatter(path: Path, title: str, points: Sequence[Point], logarithmic: bool) -> None:
    """Write the picture; the diagonal is a perfect prediction, the thin lines 20 % (0.05 where linear) off."""
    scale = math.log10 if logarithmic else float
    values = [scale(v) for p in points for v in (p.predicted, p.measured)]
    low, high = min(values), max(values)
    room = 0.04 * (high - low)
    low, high = low - room, high + room
    band = math.log10(1.2) if logarithmic else 0.05

    def at(value: float) -> float:
        return SIDE * (value - low) / (high - low)

    def line(shift: float, style: str) -> str:
        a, b = max(low, low - shift), min(high, high - shift)
        return (
            f'<line x1="{LEFT + at(a):.1f}" y1="{TOP + SIDE - at(a + shift):.1f}" '
            f'x2="{LEFT + at(b):.1f}" y2="{TOP + SIDE - at(b + shift):.1f}" {style}/>'
        )

    thin, thick = 'stroke="#bbb" stroke-dasharray="3 3"', 'stroke="#666"'
    parts = [line(band, thin), line(-band, thin), line(0.0, thick)]
    parts += [
        f'<circle cx="{LEFT + at(scale(p.measured)):.1f}" cy="{TOP + SIDE - at(scale(p.predicted)):.1f}" r="2" '
        f'fill="#1f6f8b" fill-opacity="0.5"/>'
        for p in points
    ]
    for k in range(5):
        value = low + (high - low) * k / 4
        text = f"{10**value if logarithmic else value:.3g}"
        parts.append(f'<text x="{LEFT + at(value):.0f}" y="{TOP + SIDE + 16}" text-anchor="middle">{text}</text>')
        parts.append(f'<text x="{LEFT - 6}" y="{TOP + SIDE - at(value) + 4:.0f}" text-anchor="end">{text}</text>')
    middle = LEFT + SIDE / 2
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + SIDE + 20}" height="{TOP + SIDE + 50}" '
        f'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="white"/>'
        f'<text x="{middle:.0f}" y="20" text-anchor="middle" font-size="13">{escape(title)}</text>'
        f'<rect x="{LEFT}" y="{TOP}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#999"/>{"".join(parts)}'
        f'<text x="{middle:.0f}" y="{TOP + SIDE + 36}" text-anchor="middle">measured</text>'
        f'<text x="14" y="{TOP + SIDE / 2:.0f}" text-anchor="middle" transform="rotate(-90 14 {TOP + SIDE / 2:.0f})">'
        f"predicted</text></svg>\n",
        encoding="utf-8",
    )
