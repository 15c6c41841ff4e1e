"""Networks on image tiles in closed form: what one H x W x B tile costs to train, without a profiler.

**U-Net** (Ronneberger et al. 2015; 3-D: Cicek et al. 2016), same padding, two convolutions of width 3 a level without
bias, each with batch normalisation and ReLU, max pooling by 2, transposed convolutions of width 2, a 1 x 1 classifier.
With n dimensions, k = 3^n weights of a kernel, f = 2^n, channels c_i = base 2^i at level i = 0..depth on V/f^i of the
V top positions, C input channels, K classes, and G(q, m) = 1 + q + ... + q^(m-1):

    parameters      k (C b + b^2) + 6 k b^2 G(4, d) + (3 k + 2 f) b^2 G(4, d) + 4 b G(2, d+1) + 5 b G(2, d) + (b + 1) K
    MAC / position  k (C b + b^2) + 1.5 k b^2 q G(q, d) + (3 k + 2) b^2 G(q, d) + b K                   q = 4/f
    saved / pos.    C + 4 b G(p, d+1) + 1.5 b p G(p, d) + 6 b G(p, d)                                   p = 2/f

Saved for backward, in values of 4 bytes: the input; of each convolution its output (for the batch normalisation) and
the ReLU's output; each pooled map with 8-byte indices (3 values); the joined maps of the decoder. The largest saved
tensor is the top joined map of 2 b channels; the input gets no gradient, so it causes no temporaries of its size.
The 2-D network sees bands as channels (V = H W, C = B); the 3-D one sees a volume (V = H W B, C = 1).

**SegFormer-B2** (Xie et al. 2021): four stages of N = H W / 16, 64, 256, 1024 tokens, layer formulas in `segformer`.
**Autoencoder**: a spectral unmixing network, pixel by pixel, layer formulas in `autoencoder`.

1 MAC = 2 FLOP. Launches are an estimate: three times the layers' forward kernels (backward takes twice as many) and
nine for loss and optimizer; 210 for the U-Net of depth 4.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from hwcost.records import Network, Origin

FLOAT_BYTES = 4
RAW_BYTES = 2  # tiles are stored as the sensor's 16-bit integers
MIB = 2**20
LOADER_MS_PER_MIB = 0.4  # estimate: one worker reads, crops and converts 100 MiB of int16 in 40 ms
LOSS_AND_OPTIMIZER_LAUNCHES = 9
BACKWARD_LAUNCHES = 3  # forward and backward together, in units of forward

MODELS = ("unet", "unet3d", "segformer-b2", "autoencoder")
DEFAULT_BASE = {"unet": 64, "unet3d": 32, "autoencoder": 128}  # a model that is missing here has no free width
DEFAULT_DEPTH = {"unet": 4, "unet3d": 3, "autoencoder": 3}
DEFAULT_CLASSES = 10

# SegFormer-B2: channels, blocks, heads and spatial reduction of each stage, width of the decoder
SEGFORMER_STAGES = ((64, 3, 1, 8), (128, 4, 2, 4), (320, 6, 5, 2), (512, 3, 8, 1))
SEGFORMER_DECODER = 768
SEGFORMER_STRIDE = 32  # of the last stage


@dataclass(frozen=True)
class Tile:
    """A network on tiles: pixels, bands, and the network's width (`base`), levels (`depth`) and classes."""

    height: int
    width: int
    bands: int
    model: str = "unet"
    base: int = 64
    depth: int = 4
    classes: int = DEFAULT_CLASSES

    @property
    def input_bytes(self) -> int:
        """Bytes of one tile on disk, 16 bit."""
        return self.height * self.width * self.bands * RAW_BYTES


@dataclass(frozen=True)
class TileFigures:
    """What one tile costs; bytes are at fp32, FLOP of the forward pass."""

    params: int
    forward_flop: int
    saved_bytes: int
    largest_saved_bytes: int
    launches: int
    parameter_tensors: int
    input_bytes: int


def tile_figures(tile: Tile) -> TileFigures:
    """The figures of any model of `MODELS`. The tile's sides must be multiples of `side_multiple(tile)`."""
    return _FIGURES[tile.model](tile)


def side_multiple(tile: Tile) -> int:
    """What height and width (and the bands of a 3-D network) must be multiples of, so that no level is cut."""
    if tile.model in ("unet", "unet3d"):
        return 2**tile.depth
    return SEGFORMER_STRIDE if tile.model == "segformer-b2" else 1


def unet(tile: Tile) -> TileFigures:
    """The closed form of the module's head, for 2 or 3 dimensions."""
    solid = tile.model == "unet3d"
    n = 3 if solid else 2
    positions = tile.height * tile.width * (tile.bands if solid else 1)
    channels = 1 if solid else tile.bands
    k, f, b, d, classes = 3**n, 2**n, tile.base, tile.depth, tile.classes
    q, p = Fraction(4, f), Fraction(2, f)

    first = k * (channels * b + b * b)
    params = first + (6 * k + 3 * k + 2 * f) * b * b * _sum(4, d)
    params += 4 * b * _sum(2, d + 1) + 5 * b * _sum(2, d) + (b + 1) * classes
    mac = first + (Fraction(3, 2) * k * q + 3 * k + 2) * b * b * _sum(q, d) + b * classes
    saved = channels + 4 * b * _sum(p, d + 1) + (Fraction(3, 2) * p + 6) * b * _sum(p, d)
    convolutions = 4 * d + 2
    forward_kernels = 3 * convolutions + 3 * d + 1  # convolution, norm, ReLU; pool, up, join; classifier
    return TileFigures(
        params=int(params),
        forward_flop=int(2 * mac * positions),
        saved_bytes=int(saved * positions * FLOAT_BYTES),
        largest_saved_bytes=2 * b * positions * FLOAT_BYTES,
        launches=_launches(forward_kernels),
        parameter_tensors=3 * convolutions + 2 * d + 2,
        input_bytes=tile.input_bytes,
    )


def segformer(tile: Tile) -> TileFigures:
    """SegFormer-B2, layer by layer; a stage of C channels, N tokens, h heads and reduction R:

    block   parameters 12 C^2 + 55 C, and (R > 1) R^2 C^2 + 3 C
            MAC        N (10 C^2 + 2 C^2/R^2 + 36 C + 2 C N/R^2), and (R > 1) N C^2
            saved      18 N C + 2 C N/R^2 + h N^2/R^2, and (R > 1) 2 C N/R^2
    stage   embedding by an overlapping convolution of width w (7, then 3) and two norms: w^2 C' C + 5 C parameters,
            N w^2 C' C MAC, saved 3 N C
    decoder linear C -> D of each stage, joined 4 D -> D (no bias, batch norm, ReLU), D -> K at the size of stage one

    Saved in a block: input and output of both norms (4 N C), query, attention's output, hidden maps of width 4 C
    before the depth-wise convolution, before and after GELU (12 N C); keys and values; the softmax of the attention.
    """
    tokens_full = tile.height * tile.width
    params = mac = 0
    saved = tile.bands * tokens_full
    largest = 0
    kernels = tensors = 0
    before, reach, tokens, decoder = tile.bands, 7, tokens_full // 16, SEGFORMER_DECODER
    top = tokens
    for c, blocks, heads, reduction in SEGFORMER_STAGES:
        keys = tokens // reduction**2
        params += reach**2 * before * c + 5 * c
        mac += tokens * reach**2 * before * c
        saved += 3 * tokens * c
        block_params = 12 * c * c + 55 * c
        block_mac = tokens * (10 * c * c + 36 * c) + keys * 2 * c * c + 2 * tokens * keys * c
        block_saved = 18 * tokens * c + 2 * keys * c + heads * tokens * keys
        if reduction > 1:
            block_params += reduction**2 * c * c + 3 * c
            block_mac += tokens * c * c
            block_saved += 2 * keys * c
        params += blocks * block_params
        mac += blocks * block_mac
        saved += blocks * block_saved
        largest = max(largest, heads * tokens * keys, 4 * tokens * c)
        kernels += 3 + blocks * (18 if reduction > 1 else 15)
        tensors += 6 + blocks * (20 if reduction > 1 else 16)
        params += c * decoder + decoder
        mac += tokens * c * decoder
        before, reach, tokens = c, 3, tokens // 4
    params += 4 * decoder * decoder + 2 * decoder + (decoder + 1) * tile.classes
    mac += top * (4 * decoder * decoder + decoder * tile.classes)
    saved += top * (4 + 2) * decoder
    largest = max(largest, top * 4 * decoder)
    return TileFigures(
        params=params,
        forward_flop=2 * mac,
        saved_bytes=saved * FLOAT_BYTES,
        largest_saved_bytes=largest * FLOAT_BYTES,
        launches=_launches(kernels + 13),
        parameter_tensors=tensors + 8 + 5,
        input_bytes=tile.input_bytes,
    )


def autoencoder(tile: Tile) -> TileFigures:
    """Spectral unmixing, the same for each of H W pixels: `depth` linear layers with ReLU of widths w_i = base / 2^i,
    a linear layer to `classes` abundances with softmax, and a linear mixing without bias back to the bands.

    Saved per pixel: the spectrum, each ReLU's output, the abundances, the reconstruction (for the loss).
    """
    widths = [tile.bands, *(tile.base // 2**i for i in range(tile.depth)), tile.classes]
    weights = sum(a * b for a, b in itertools.pairwise(widths))
    mixing = tile.classes * tile.bands
    pixels = tile.height * tile.width
    return TileFigures(
        params=weights + sum(widths[1:]) + mixing,
        forward_flop=2 * (weights + mixing) * pixels,
        saved_bytes=(sum(widths) + tile.bands) * pixels * FLOAT_BYTES,
        largest_saved_bytes=max(*widths[1:], tile.bands) * pixels * FLOAT_BYTES,
        launches=_launches(2 * (tile.depth + 1) + 1),
        parameter_tensors=2 * (tile.depth + 1) + 1,
        input_bytes=tile.input_bytes,
    )


_FIGURES: dict[str, Callable[[Tile], TileFigures]] = {
    "unet": unet,
    "unet3d": unet,
    "segformer-b2": segformer,
    "autoencoder": autoencoder,
}

# Name of the model in both languages, and where its layers are from.
_WORDS = {
    "unet": ("U-Net", "U-Net 图块分割", "layer sums of the U-Net of Ronneberger et al. 2015, same padding"),
    "unet3d": ("3-D U-Net", "三维 U-Net 图块分割", "layer sums of the 3-D U-Net of Cicek et al. 2016, same padding"),
    "segformer-b2": ("SegFormer-B2", "SegFormer-B2 图块分割", "layer sums of SegFormer-B2 (Xie et al. 2021)"),
    "autoencoder": ("Unmixing autoencoder", "解混自编码器", "layer sums of a pixel-wise autoencoder"),
}


def tile_network(tile: Tile) -> Network:
    """The tile as a row like those of `workloads.csv`, so that everything below treats both alike.

    The batch is nobody's default (1 stands for it): whoever trains on tiles states it.
    """
    figures = tile_figures(tile)
    name, name_zh, source = _WORDS[tile.model]
    shape = f"{tile.height}x{tile.width}x{tile.bands}"
    free = tile.model in DEFAULT_BASE
    sizes = f"base {tile.base}, depth {tile.depth}, " if free else ""
    return Network(
        id="",
        name=f"{name} on {tile.height} x {tile.width} x {tile.bands} tiles" + (f", base {tile.base}" if free else ""),
        name_zh=f"{name_zh}（{tile.height}×{tile.width}×{tile.bands}" + (f"，基数 {tile.base}）" if free else "）"),
        family="other" if tile.model == "autoencoder" else "tile_segmentation",
        input_shape=shape,
        dataset_id="",
        params=float(figures.params),
        forward_gflop_per_sample=figures.forward_flop / 1e9,
        saved_mib_per_sample=figures.saved_bytes / MIB,
        largest_saved_mib_per_sample=figures.largest_saved_bytes / MIB,
        moved_mib_per_sample=None,
        launches_per_step=float(figures.launches),
        parameter_tensors=figures.parameter_tensors,
        input_mib_per_sample=figures.input_bytes / MIB,
        default_batch=1,
        default_precision="torch_default" if tile.model == "autoencoder" else "amp16",
        batchnorm=tile.model != "autoencoder",
        batchnorm_min_batch=0,
        loader_ms_per_sample=LOADER_MS_PER_MIB * figures.input_bytes / MIB,
        origin=Origin("", 0, "scenario", f"{source}: {shape}, {sizes}{tile.classes} classes", None, "estimate"),
    )


def _sum(ratio: int | Fraction, terms: int) -> Fraction:
    """1 + ratio + ... + ratio^(terms - 1)."""
    if ratio == 1:
        return Fraction(terms)
    return (Fraction(ratio) ** terms - 1) / (ratio - 1)


def _launches(forward_kernels: int) -> int:
    return BACKWARD_LAUNCHES * forward_kernels + LOSS_AND_OPTIMIZER_LAUNCHES
