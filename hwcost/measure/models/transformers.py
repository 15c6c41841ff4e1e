"""Transformers for patches and pixels: SpectralFormer (Hong et al. 2022) and SSFTT (Sun et al. 2022)."""

from __future__ import annotations

import torch
from torch import nn


class _Attention(nn.Module):
    """Scores, softmax and values written out, as the public code of both networks does."""

    def __init__(self, width: int, heads: int, head_width: int, bias: bool, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.scale = head_width**-0.5
        self.project = nn.Linear(width, 3 * heads * head_width, bias=bias)
        self.out = nn.Sequential(nn.Linear(heads * head_width, width), nn.Dropout(dropout))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        query, key, value = (
            part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in self.project(x).chunk(3, -1)
        )
        scores = torch.softmax(query @ key.transpose(-2, -1) * self.scale, dim=-1)
        out: torch.Tensor = self.out((scores @ value).transpose(1, 2).flatten(2))
        return out


class _Block(nn.Module):
    """Attention and a dense part, each with normalisation before it and its input added after it."""

    def __init__(self, width: int, heads: int, head_width: int, hidden: int, bias: bool, dropout: float) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = _Attention(width, heads, head_width, bias, dropout)
        self.dense = nn.Sequential(
            nn.Linear(width, hidden), nn.GELU(), nn.Dropout(dropout), nn.Linear(hidden, width), nn.Dropout(dropout)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attention(self.norm1(x))
        out: torch.Tensor = x + self.dense(self.norm2(x))
        return out


class SpectralFormer(nn.Module):
    """Groups of neighbouring bands as tokens, with skips across layers (mode CAF). Input (N, bands, near)."""

    def __init__(
        self, bands: int = 200, near: int = 3, classes: int = 16, width: int = 64, depth: int = 5, dropout: float = 0.1
    ) -> None:
        super().__init__()
        self.embed = nn.Linear(near, width)
        self.first = nn.Parameter(torch.randn(1, 1, width))
        self.position = nn.Parameter(torch.randn(1, bands + 1, width))
        self.dropout = nn.Dropout(dropout)
        self.blocks = nn.ModuleList(_Block(width, 4, 16, 8, False, dropout) for _ in range(depth))
        self.skips = nn.ModuleList(nn.Conv2d(bands + 1, bands + 1, (1, 2)) for _ in range(depth - 2))
        self.head = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, classes))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.cat([self.first.expand(len(x), -1, -1), self.embed(x)], dim=1)
        x = self.dropout(x + self.position)
        before: list[torch.Tensor] = []
        for i, block in enumerate(self.blocks):
            before.append(x)
            if i > 1:  # joined with what entered two layers earlier
                x = self.skips[i - 2](torch.stack([x, before[i - 2]], dim=3)).squeeze(3)
            x = block(x)
        out: torch.Tensor = self.head(x[:, 0])
        return out


class SSFTT(nn.Module):
    """One 3-D and one 2-D convolution, four learned tokens, one transformer block. Input (N, 1, bands, side, side)."""

    def __init__(
        self, bands: int = 30, classes: int = 16, tokens: int = 4, width: int = 64, dropout: float = 0.1
    ) -> None:
        super().__init__()
        self.spectral = nn.Sequential(nn.Conv3d(1, 8, 3), nn.BatchNorm3d(8), nn.ReLU())
        self.spatial = nn.Sequential(nn.Conv2d(8 * (bands - 2), 64, 3), nn.BatchNorm2d(64), nn.ReLU())
        self.where = nn.Parameter(torch.randn(1, tokens, 64))
        self.what = nn.Parameter(torch.randn(1, 64, width))
        self.first = nn.Parameter(torch.zeros(1, 1, width))
        self.position = nn.Parameter(torch.randn(1, tokens + 1, width))
        self.dropout = nn.Dropout(dropout)
        self.block = _Block(width, 8, width // 8, 8, True, dropout)
        self.head = nn.Linear(width, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        pixels = self.spatial(self.spectral(x).flatten(1, 2)).flatten(2).transpose(1, 2)
        share = torch.softmax(torch.matmul(pixels, self.where.transpose(1, 2)).transpose(1, 2), dim=-1)
        tokens = torch.matmul(share, torch.matmul(pixels, self.what))
        x = torch.cat([self.first.expand(len(x), -1, -1), tokens], dim=1) + self.position
        out: torch.Tensor = self.head(self.block(self.dropout(x))[:, 0])
        return out
