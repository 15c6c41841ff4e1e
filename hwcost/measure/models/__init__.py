"""Reference networks, written from the layer tables of their papers, with the inputs and batch of the public code.

They stand in for a user's own network where only the published one is at hand, and check the profiler: their parameter
counts are the published ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from torch import nn

from hwcost.measure.models.convolutional import SSRN, Hamida3DCNN, HybridSN
from hwcost.measure.models.transformers import SSFTT, SpectralFormer
from hwcost.measure.models.unet import UNet
from hwcost.measure.references import CATALOG_IDS


@dataclass(frozen=True)
class Reference:
    """One network: `inputs` are shapes of a sample; `params` the published count (None: a closed form of ours)."""

    name: str
    factory: Callable[[], nn.Module]
    inputs: tuple[tuple[int, ...], ...]
    family: str  # as in workloads.csv
    dataset_id: str
    params: int | None
    catalog_id: str  # its row in the bundled workloads.csv


REFERENCES = {
    "hybridsn": Reference(
        "HybridSN, Indian Pines", HybridSN, ((1, 30, 25, 25),), "patch_cnn", "indian-pines", 5_122_176,
        CATALOG_IDS["hybridsn"],
    ),
    "ssrn": Reference(
        "SSRN, Indian Pines", SSRN, ((1, 7, 7, 200),), "patch_cnn", "indian-pines", 364_168, CATALOG_IDS["ssrn"]
    ),
    "cnn3d": Reference(
        "Hamida 2018 3-D CNN, Indian Pines", Hamida3DCNN, ((1, 200, 5, 5),), "patch_cnn", "indian-pines", 45_196,
        CATALOG_IDS["cnn3d"],
    ),
    "spectralformer": Reference(
        "SpectralFormer by pixel, Indian Pines", SpectralFormer, ((200, 3),), "patch_transformer", "indian-pines",
        346_361, CATALOG_IDS["spectralformer"],
    ),
    "ssftt": Reference(
        "SSFTT, Indian Pines", SSFTT, ((1, 30, 13, 13),), "patch_transformer", "indian-pines", 153_224,
        CATALOG_IDS["ssftt"],
    ),
    "unet": Reference(
        "U-Net, 256 x 256 x 200 tiles", UNet, ((200, 256, 256),), "tile_segmentation", "", None, CATALOG_IDS["unet"]
    ),
}  # fmt: skip
