"""Patch classifiers: HybridSN (Roy et al. 2020), SSRN (Zhong et al. 2018), a 3-D CNN (Hamida et al. 2018)."""

from __future__ import annotations

import torch
from torch import nn


class HybridSN(nn.Module):
    """Three 3-D convolutions over the bands, one 2-D convolution, three dense layers. Input (N, 1, bands, H, W)."""

    def __init__(self, bands: int = 30, side: int = 25, classes: int = 16) -> None:
        super().__init__()
        self.spectral = nn.Sequential(
            nn.Conv3d(1, 8, (7, 3, 3)), nn.ReLU(),
            nn.Conv3d(8, 16, (5, 3, 3)), nn.ReLU(),
            nn.Conv3d(16, 32, (3, 3, 3)), nn.ReLU(),
        )  # fmt: skip
        depth = bands - 12  # the three kernels take 6, 4 and 2 bands away
        self.spatial = nn.Sequential(nn.Conv2d(32 * depth, 64, 3), nn.ReLU())
        self.dense = nn.Sequential(
            nn.Flatten(),
            nn.Linear(64 * (side - 8) ** 2, 256), nn.ReLU(), nn.Dropout(0.4),
            nn.Linear(256, 128), nn.ReLU(), nn.Dropout(0.4),
            nn.Linear(128, classes),
        )  # fmt: skip

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.spectral(x).flatten(1, 2)
        out: torch.Tensor = self.dense(self.spatial(x))
        return out


class _Residual(nn.Module):
    """Two convolutions of 24 channels with batch normalisation, and the input added."""

    def __init__(self, kernel: tuple[int, int, int]) -> None:
        super().__init__()
        padding = tuple(width // 2 for width in kernel)
        self.first = nn.Sequential(nn.Conv3d(24, 24, kernel, padding=padding), nn.ReLU(), nn.BatchNorm3d(24), nn.ReLU())
        self.second = nn.Sequential(nn.Conv3d(24, 24, kernel, padding=padding), nn.BatchNorm3d(24))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.second(self.first(x)) + x)


class SSRN(nn.Module):
    """Spectral, then spatial residual blocks. Input (N, 1, side, side, bands) with a side of 7."""

    def __init__(self, bands: int = 200, side: int = 7, classes: int = 16) -> None:
        super().__init__()
        depth = -(-(bands - 6) // 2)
        self.spectral = nn.Sequential(
            nn.Conv3d(1, 24, (1, 1, 7), stride=(1, 1, 2)), nn.BatchNorm3d(24), nn.ReLU(),
            _Residual((1, 1, 7)), _Residual((1, 1, 7)),
            nn.Conv3d(24, 128, (1, 1, depth)), nn.BatchNorm3d(128), nn.ReLU(),
        )  # fmt: skip
        self.joined = nn.Sequential(nn.Conv3d(1, 24, (3, 3, 128)), nn.BatchNorm3d(24), nn.ReLU())
        self.spatial = nn.Sequential(
            _Residual((3, 3, 1)), _Residual((3, 3, 1)), nn.AvgPool3d((side - 2, side - 2, 1)), nn.Flatten(),
            nn.Linear(24, classes),
        )  # fmt: skip

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.spectral(x).permute(0, 4, 2, 3, 1)  # 128 channels take the place of the bands
        out: torch.Tensor = self.spatial(self.joined(x))
        return out


class Hamida3DCNN(nn.Module):
    """Convolutions over bands and pixels, strided ones in place of pooling. Input (N, 1, bands, 5, 5)."""

    def __init__(self, bands: int = 200, classes: int = 16) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv3d(1, 20, 3), nn.ReLU(),
            nn.Conv3d(20, 20, (3, 1, 1), stride=(2, 1, 1), padding=(1, 0, 0)), nn.ReLU(),
            nn.Conv3d(20, 35, 3, padding=(1, 0, 0)), nn.ReLU(),
            nn.Conv3d(35, 35, (3, 1, 1), stride=(2, 1, 1), padding=(1, 0, 0)), nn.ReLU(),
            nn.Conv3d(35, 35, (3, 1, 1), padding=(1, 0, 0)), nn.ReLU(),
            nn.Conv3d(35, 35, (2, 1, 1), stride=(2, 1, 1), padding=(1, 0, 0)), nn.ReLU(),
        )  # fmt: skip
        after_first = (bands - 3) // 2 + 1  # bands - 2 after the first kernel, then halved with one more at the edge
        after_second = (after_first - 1) // 2 + 1
        self.classifier = nn.Linear(35 * (after_second // 2 + 1), classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.classifier(self.features(x).flatten(1))
        return out
