"""The U-Net whose closed form `hwcost/tiles.py` holds: Ronneberger et al. 2015, same padding, batch normalisation."""

from __future__ import annotations

import torch
from torch import nn


def _twice(channels_in: int, channels: int) -> nn.Sequential:
    """Two convolutions of width 3 without bias, each with batch normalisation and ReLU."""
    return nn.Sequential(
        nn.Conv2d(channels_in, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels), nn.ReLU(),
        nn.Conv2d(channels, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels), nn.ReLU(),
    )  # fmt: skip


class UNet(nn.Module):
    """Segmentation of tiles, bands as channels. Input (N, bands, height, width), sides multiples of 2^depth."""

    def __init__(self, bands: int = 200, base: int = 64, depth: int = 4, classes: int = 10) -> None:
        super().__init__()
        widths = [base * 2**i for i in range(depth + 1)]
        self.down = nn.ModuleList(
            _twice(before, after) for before, after in zip([bands, *widths[:-1]], widths, strict=True)
        )
        self.pool = nn.MaxPool2d(2)
        upwards = list(zip(widths[:0:-1], widths[-2::-1], strict=True))
        self.up = nn.ModuleList(nn.ConvTranspose2d(wide, narrow, 2, stride=2) for wide, narrow in upwards)
        self.join = nn.ModuleList(_twice(wide, narrow) for wide, narrow in upwards)
        self.classifier = nn.Conv2d(base, classes, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        skips: list[torch.Tensor] = []
        for i, level in enumerate(self.down):
            x = level(x if i == 0 else self.pool(x))
            skips.append(x)
        skips.pop()
        for up, join in zip(self.up, self.join, strict=True):
            x = join(torch.cat([skips.pop(), up(x)], dim=1))
        out: torch.Tensor = self.classifier(x)
        return out
