"""The bundled scenes and networks: sizes of the distributed files, figures by hand from the papers' layers."""

import pytest
from catalog_rows import by_id, read


@pytest.mark.parametrize(
    ("scene", "height", "width", "bands", "labelled", "classes"),
    [
        ("indian-pines", 145, 145, 200, 10249, 16),
        ("pavia-university", 610, 340, 103, 42776, 9),  # article A section 1.1 prints 610 x 610
        ("salinas", 512, 217, 204, 54129, 16),
        ("houston-2013", 349, 1905, 144, 15029, 15),
    ],
)
def test_scenes_are_those_distributed(scene: str, height: int, width: int, bands: int, labelled: int,
                                      classes: int) -> None:  # fmt: skip
    row = by_id("datasets")[scene]
    names = ("height", "width", "bands", "labelled_pixels", "classes")
    assert [int(row[name]) for name in names] == [height, width, bands, labelled, classes]


def test_training_shares_lie_between_none_and_all() -> None:
    assert [row["id"] for row in read("datasets") if not 0 < float(row["train_share"]) < 1] == []


def test_networks_name_scenes_of_the_catalog_and_their_sizes_agree() -> None:
    families = {"patch_cnn", "patch_transformer", "tile_segmentation", "foundation", "other"}
    for row in read("workloads"):
        assert row["dataset_id"] == "" or row["dataset_id"] in by_id("datasets"), row["id"]
        assert row["family"] in families
        assert 0 < float(row["largest_saved_mib_per_sample"]) <= float(row["saved_mib_per_sample"]), row["id"]
        assert float(row["launches_per_step"]) >= int(row["parameter_tensors"]), row["id"]
        assert int(row["default_batch"]) >= 1 and int(row["batchnorm_min_batch"]) >= 0


def test_hybridsn_on_indian_pines_counts_as_its_authors_do() -> None:
    """Largest map: 32 filters x 18 bands x 19 x 19 after the third 3-D convolution; 4 + 3 layers with biases."""
    row = by_id("workloads")["hybridsn-ip"]
    assert int(row["params"]) == 5_122_176
    assert float(row["forward_gflop_per_sample"]) == pytest.approx(2 * 247_683_392 / 1e9)
    assert float(row["largest_saved_mib_per_sample"]) == pytest.approx(32 * 18 * 19 * 19 * 4 / 2**20, abs=1e-4)
    assert int(row["parameter_tensors"]) == 2 * (4 + 3)


@pytest.mark.parametrize(("network", "ms"), [("spectralformer-pixel-ip", 8.1), ("hybridsn-ip", 2.2), ("ssftt-ip", 0.3)])
def test_moved_bytes_take_the_profiled_time_at_batch_64_on_an_a5500(network: str, ms: float) -> None:
    """768 GB/s, 75 % of it reached."""
    moved = float(by_id("workloads")[network]["moved_mib_per_sample"]) * 2**20
    assert 64 * moved / (0.75 * 768e9) * 1e3 == pytest.approx(ms, rel=0.005)


@pytest.mark.parametrize(("network", "ms"), [("spectralformer-pixel-ip", 3.0), ("hybridsn-ip", 0.5), ("ssftt-ip", 1.1)])
def test_launches_take_the_profiled_time_at_12_us_each(network: str, ms: float) -> None:
    assert float(by_id("workloads")[network]["launches_per_step"]) * 0.012 == pytest.approx(ms, rel=0.02)


@pytest.mark.parametrize("side", [512, 256])
def test_unet_figures_are_the_layer_sums_of_the_paper(side: int) -> None:
    """Channels 64 x 2^l at 1/4^l of the pixels: one value per pixel and channel is 1 MiB at 512 x 512 and fp32.

    Saved per top pixel: input 200; encoder 4 maps a level (256 x 31/16); pooled maps and indices (96 x 15/16);
    decoder joined map and 4 maps (384 x 15/8). MAC per top pixel: 152,064 first level, 13.5 x 4096 the four below,
    2 x 4096 per up-convolution, 27 x 4096 per decoder level, 640 the classifier of 10 classes.
    """
    row = by_id("workloads")[f"unet-{side}x{side}x200-b64"]
    pixels = side * side
    saved = 200 + 256 * 31 / 16 + 96 * 15 / 16 + 384 * 15 / 8
    assert float(row["saved_mib_per_sample"]) == pytest.approx(saved * pixels * 4 / 2**20)
    mac = 9 * (200 * 64 + 64 * 64) + 4 * (13.5 + 2 + 27) * 4096 + 64 * 10
    assert float(row["forward_gflop_per_sample"]) == pytest.approx(2 * mac * pixels / 1e9, rel=1e-5)
    channels = [64 * 2**level for level in range(5)]
    params = 9 * (200 * 64 + 64 * 64) + sum(9 * (c * c // 2 + c * c) for c in channels[1:])
    params += sum(4 * 2 * c * c + c + 9 * 3 * c * c for c in channels[:4]) + 64 * 10 + 10
    params += 2 * 2 * (sum(channels) + sum(channels[:4]))  # scale and shift of each BatchNorm
    assert int(row["params"]) == params
    assert float(row["input_mib_per_sample"]) == pixels * 200 * 2 / 2**20
    assert float(row["largest_saved_mib_per_sample"]) == 128 * pixels * 4 / 2**20
    if side == 512:
        assert params == pytest.approx(31.2e6, rel=0.002)
        assert saved / 1024 == pytest.approx(1.47, abs=0.005)  # GiB


def test_vit_large_has_304_million_parameters_and_pretraining_sees_a_quarter() -> None:
    tune, pretrain = by_id("workloads")["vit-l-finetune"], by_id("workloads")["mae-vit-l-pretrain"]
    assert int(tune["params"]) == pytest.approx(304e6, rel=0.005)
    assert int(pretrain["params"]) == pytest.approx(329e6, rel=0.005)  # with the decoder
    assert float(tune["forward_gflop_per_sample"]) == pytest.approx(2 * 61.6, rel=0.005)
    encoder = 24 * (12 * 50 * 1024**2 + 2 * 50**2 * 1024) / 1e9  # GMAC on 49 tokens and the class token
    assert 2 * encoder < float(pretrain["forward_gflop_per_sample"]) < float(tune["forward_gflop_per_sample"]) / 2
