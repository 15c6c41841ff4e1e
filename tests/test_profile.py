"""The profiler against figures counted by hand, and the command around it."""

from __future__ import annotations

import csv
import json
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from cli_calls import call
from torch import nn

from hwcost.catalog import load_catalog
from hwcost.errors import InputError
from hwcost.measure.loading import InputSpec
from hwcost.measure.models import REFERENCES
from hwcost.measure.models.unet import UNet
from hwcost.measure.profiling import Profile, profile
from hwcost.tiles import Tile, tile_figures

BATCH = 8
FLOAT = 4


def profiled(factory: Callable[[], nn.Module], *shape: int, optimizer: str = "sgd", **options: bool) -> Profile:
    return profile(factory, "test", [InputSpec(shape)], BATCH, optimizer, **options)


class Product(nn.Module):
    """x W without bias, and the sum of it as the loss."""

    def __init__(self, width: int, out: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(width, out))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return (x @ self.weight).sum()


# --- FLOPs ---


def test_a_multiply_add_counts_as_two_flops_and_training_as_three_forward_passes() -> None:
    found = profiled(lambda: nn.Linear(10, 4), 10)
    assert found.forward_flop == 2 * BATCH * 10 * 4
    assert found.training_flop == 3 * found.forward_flop


@pytest.mark.parametrize("groups", [1, 2, 6])
def test_a_grouped_convolution_counts_the_weights_that_each_output_sees(groups: int) -> None:
    found = profiled(lambda: nn.Conv2d(6, 12, 3, groups=groups, bias=False), 6, 10, 9)
    outputs = BATCH * 12 * 8 * 7
    assert found.forward_flop == 2 * outputs * (6 // groups) * 9
    assert found.training_flop == 3 * found.forward_flop


def test_a_transposed_convolution_counts_each_input_position_once_for_every_weight() -> None:
    found = profiled(lambda: nn.ConvTranspose2d(6, 5, 2, stride=2, bias=False), 6, 4, 3)
    assert found.forward_flop == 2 * BATCH * 6 * 4 * 3 * 5 * 2 * 2


class Attention(nn.Module):
    """Attention of a learned scale of its input with itself: 2 heads, 50 tokens, width 8."""

    def __init__(self, dropout: float = 0.0) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))
        self.dropout = dropout

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x * self.scale
        return nn.functional.scaled_dot_product_attention(x, x, x, dropout_p=self.dropout).sum()


@pytest.mark.parametrize("dropout", [0.0, 0.1])
def test_attention_counts_scores_and_values_and_keeps_no_matrix_of_scores(dropout: float) -> None:
    heads, tokens, width = 2, 50, 8
    found = profiled(lambda: Attention(dropout), heads, tokens, width)
    assert found.forward_flop == 2 * BATCH * heads * tokens * tokens * (width + width)
    one_map = BATCH * heads * tokens * width * FLOAT
    # the input (for the scale), the scaled input, the result, and one figure a row for the softmax
    assert found.saved_bytes == 3 * one_map + BATCH * heads * tokens * FLOAT
    assert not found.unknown_operators


def test_attention_within_torchs_own_layer_keeps_no_matrix_of_scores_either() -> None:
    layer = nn.TransformerEncoderLayer(16, 2, 16, dropout=0.1, batch_first=True)
    # the matrix of scores alone would take heads x 400 x 400 values
    found = profiled(lambda: layer, 400, 16)
    assert found.saved_bytes < BATCH * 2 * 400 * 400 * FLOAT
    assert not found.unknown_operators


def test_elementwise_work_is_counted_apart_from_products() -> None:
    plain = profiled(lambda: Product(10, 4), 10)
    with_relu = profiled(lambda: nn.Sequential(nn.ReLU(), Product(10, 4)), 10)
    assert with_relu.forward_flop == plain.forward_flop
    assert with_relu.elementwise_flop == plain.elementwise_flop + BATCH * 10


# --- saved for backward ---


def test_saved_bytes_count_each_storage_once_and_no_parameters() -> None:
    class Twice(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = Product(10, 4), Product(10, 4)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            out: torch.Tensor = self.first(x) + self.second(x)
            return out

    # x is saved for the gradient of both weights; the weights themselves are not activations
    assert profiled(Twice, 10).saved_bytes == BATCH * 10 * FLOAT


def test_the_largest_saved_tensor_leaves_out_the_input() -> None:
    found = profiled(lambda: nn.Sequential(nn.Linear(100, 6), nn.ReLU(), Product(6, 2)), 100)
    assert found.saved_bytes == BATCH * (100 + 6) * FLOAT
    assert found.largest_saved_bytes == BATCH * 6 * FLOAT


def test_dropout_keeps_one_byte_an_element_as_on_a_card() -> None:
    without = profiled(lambda: nn.Sequential(nn.Linear(10, 16), Product(16, 2)), 10)
    with_dropout = profiled(lambda: nn.Sequential(nn.Linear(10, 16), nn.Dropout(0.5), Product(16, 2)), 10)
    assert with_dropout.saved_bytes == without.saved_bytes + BATCH * 16


# --- memory, kernels, bytes ---


@pytest.mark.parametrize(("optimizer", "copies"), [("sgd", 1), ("momentum", 2), ("adam", 3)])
def test_between_steps_parameters_and_the_copies_of_the_optimizer_stay(optimizer: str, copies: int) -> None:
    found = profiled(lambda: Product(50, 40), 50, optimizer=optimizer)
    assert found.state_bytes == copies * 50 * 40 * FLOAT


def test_the_peak_holds_parameters_input_and_gradient_at_once() -> None:
    width = 5000
    found = profile(lambda: Product(width, 1), "test", [InputSpec((width,))], 1, "sgd")
    assert 3 * width * FLOAT <= found.peak_live_bytes <= 3 * width * FLOAT + 64


def test_the_peak_of_adam_is_its_update_where_activations_are_small() -> None:
    size = 200 * 100 * FLOAT
    found = profile(lambda: Product(200, 100), "test", [InputSpec((200,))], 1, "adam")
    # parameters, two moments, gradient, and the list of square roots
    assert 5 * size <= found.peak_live_bytes <= 5 * size + 4 * 300 * FLOAT


def test_kernels_follow_the_operators_of_a_step() -> None:
    found = profiled(lambda: Product(10, 4), 10)
    # product, sum; the sum's gradient is a view, so that backward is one product beside the seed; one update
    assert (found.launches_forward, found.launches_optimizer) == (2, 1)
    assert found.launches == found.launches_forward + found.launches_backward + found.launches_optimizer
    bias = profiled(lambda: nn.Sequential(nn.Conv2d(1, 2, 3), nn.Flatten(), Product(72, 1)), 1, 8, 8)
    plain = profiled(lambda: nn.Sequential(nn.Conv2d(1, 2, 3, bias=False), nn.Flatten(), Product(72, 1)), 1, 8, 8)
    assert bias.launches_forward == plain.launches_forward + 1
    assert bias.launches_backward == plain.launches_backward + 1


def test_bytes_moved_grow_with_the_batch_by_what_each_sample_reads_and_writes() -> None:
    def moved(batch: int) -> int:
        return profile(lambda: Product(64, 16), "test", [InputSpec((64,))], batch, "sgd").moved_bytes

    # forward: x read, y written and read by the sum; backward: x read, the broadcast gradient is one figure
    assert moved(20) - moved(10) == 10 * (64 + 16 + 16 + 64) * FLOAT


def test_a_large_batch_needs_no_memory() -> None:
    found = profile(lambda: nn.Linear(1000, 10), "test", [InputSpec((1000,))], 10**9, "sgd")
    assert found.saved_bytes > 4e12


def test_batch_normalisation_is_found() -> None:
    assert profiled(lambda: nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)), 4).batchnorm
    assert not profiled(lambda: nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4)), 4).batchnorm


# --- what the profiler does not know ---


@torch.library.custom_op("hwcost_test::strange", mutates_args=())
def strange(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


strange.register_fake(torch.empty_like)
strange.register_autograd(lambda context, gradient: gradient)


class Strange(nn.Linear):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = strange(super().forward(x))
        return out


def test_an_operator_without_a_formula_is_named_with_its_calls() -> None:
    found = profiled(lambda: nn.Sequential(Strange(4, 4), Strange(4, 4)), 4)
    assert found.unknown_operators == {"hwcost_test.strange.default": 2}


class LooksAtValues(nn.Linear):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = super().forward(x * (2.0 if x.sum().item() > 0 else 1.0))
        return out


def test_a_network_that_looks_at_values_is_refused_without_and_profiled_with_real_ones() -> None:
    with pytest.raises(InputError) as raised:
        profiled(lambda: LooksAtValues(4, 4), 4)
    assert raised.value.problems[0].code == "measure_needs_values"
    assert profiled(lambda: LooksAtValues(4, 4), 4, real=True).forward_flop == 2 * BATCH * 4 * 4


def test_a_factory_that_looks_at_values_is_run_for_real_and_its_network_profiled_without() -> None:
    def factory() -> nn.Module:
        width = int(torch.linspace(2, 4, 3)[-1].item())
        return nn.Linear(width, width)

    assert profiled(factory, 4).params == 4 * 4 + 4


def test_real_and_shape_only_runs_agree() -> None:
    reference = REFERENCES["cnn3d"]
    spec = [InputSpec(reference.inputs[0])]
    without, real = (profile(reference.factory, "cnn3d", spec, 2, "adam", real=real) for real in (False, True))
    for name in ("forward_flop", "saved_bytes", "moved_bytes", "launches", "peak_live_bytes", "state_bytes"):
        assert getattr(without, name) == getattr(real, name), name


# --- reference networks ---

# forward FLOPs and saved KiB of a sample as another counter gave them on the public code of each network
PUBLISHED = {
    "hybridsn": (495_366_784, 1910.2),
    "ssrn": (186_532_176, 4568.2),
    "cnn3d": (8_696_680, 259.1),
    "spectralformer": (117_810_176, 6183.4),
    "ssftt": (23_294_528, 350.5),
}


@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_a_reference_network_has_the_published_parameters_flops_and_saved_bytes(name: str) -> None:
    reference = REFERENCES[name]
    found = profile(reference.factory, name, [InputSpec(shape) for shape in reference.inputs], BATCH, "adam")
    counts = {"hybridsn": 5_122_176, "ssrn": 364_168, "cnn3d": 45_196, "spectralformer": 346_361, "ssftt": 153_224}
    assert found.params == reference.params == counts[name]
    flop, saved_kib = PUBLISHED[name]
    assert found.forward_flop / BATCH == flop
    # dropout keeps four bytes an element on a processor, where the published figures were taken
    low = 0.92 if name == "spectralformer" else 0.99
    assert low <= found.saved_bytes / BATCH / 1024 / saved_kib <= 1.01
    assert not found.unknown_operators


@pytest.mark.parametrize(("bands", "base", "depth", "side"), [(200, 64, 4, 64), (30, 16, 2, 32), (3, 8, 3, 64)])
def test_the_unet_is_the_one_of_the_closed_form(bands: int, base: int, depth: int, side: int) -> None:
    expected = tile_figures(Tile(side, side, bands, "unet", base, depth))
    found = profiled(lambda: UNet(bands, base, depth), bands, side, side)
    assert found.params == expected.params
    assert found.parameter_tensors == expected.parameter_tensors
    assert found.forward_flop == BATCH * expected.forward_flop
    assert found.largest_saved_bytes == BATCH * expected.largest_saved_bytes
    # the closed form leaves out the loss: log-probabilities, the classes wanted, one sum; and the norms' statistics
    loss = BATCH * side * side * (10 * FLOAT + 8) + FLOAT
    statistics = sum(
        2 * FLOAT * m.num_features for m in UNet(bands, base, depth).modules() if hasattr(m, "num_features")
    )
    assert found.saved_bytes == BATCH * expected.saved_bytes + loss + statistics


# --- the command ---

USER_CODE = """
    from torch import nn

    def small():
        return nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 36, 2))

    def broken():
        raise RuntimeError("no weights here")

    def needs(width):
        return nn.Linear(width, width)

    def nothing():
        return 3

    def ends():
        raise SystemExit(3)

    class Fails(nn.Linear):
        how = ZeroDivisionError

        def forward(self, x):
            raise self.how("in the forward pass")

    class LacksAPackage(Fails):
        how = ModuleNotFoundError

    class Ends(Fails):
        how = SystemExit

    def divides():
        return Fails(3, 3)

    def lacks():
        return LacksAPackage(3, 3)

    def ends_later():
        return Ends(3, 3)
"""


@pytest.fixture
def user_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module of the user's own, in the current folder."""
    (tmp_path / "own_networks.py").write_text(textwrap.dedent(USER_CODE), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    sys.modules.pop("own_networks", None)
    return "own_networks"


def test_the_command_says_that_it_runs_the_users_code_and_writes_json(
    user_code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("profile", f"{user_code}:small", "--input", "3x8x8", "--batch", "4", "--json", "-", "--lang", "en")
    code, out, err = call(capsys, *words)
    assert code == 0
    assert "running your code" in err
    record = json.loads(out)
    assert record["schema"] == "hwcost.profile/1"
    assert record["params"] == (3 * 9 + 1) * 4 + 2 * 4 + 4 * 36 * 2 + 2
    assert record["forward_flop"] == 4 * 2 * (36 * 4 * 27 + 144 * 2)
    assert record["batchnorm"] is True


def test_the_row_is_one_that_the_catalog_loads_and_a_second_call_replaces(
    user_code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    target = folder / "workloads.csv"
    for batch in ("4", "8"):
        code, _, err = call(
            capsys, "profile", f"{user_code}:small", "--input", "3x8x8", "--batch", batch, "--id", "mine", "--name",
            "My net, small", "--out", str(target),
        )  # fmt: skip
        assert code == 0, err
    code, _, _ = call(capsys, "profile", "ssftt", "--out", str(target))
    assert code == 0
    catalog = load_catalog(folder)
    own = catalog.networks["mine"]
    assert (own.name, own.default_batch, own.origin.layer) == ("My net, small", 8, "user")
    assert own.forward_gflop_per_sample == pytest.approx(2 * (36 * 4 * 27 + 144 * 2) / 1e9, rel=1e-5)
    assert own.origin.as_of is not None and "torch" in own.origin.source
    assert len(list(csv.DictReader(target.open(encoding="utf-8")))) == 2
    ssftt = next(n for n in catalog.networks.values() if n.origin.layer == "user" and n.params == 153_224)
    assert ssftt.dataset_id == "indian-pines"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("own_networks:broken", "--input", "3"), "no weights here"),
        (("own_networks:needs", "--input", "3"), "width"),
        (("own_networks:ends", "--input", "3"), "SystemExit: 3"),
        (("own_networks:divides", "--input", "3"), "ZeroDivisionError: in the forward pass"),
        (("own_networks:lacks", "--input", "3"), "ModuleNotFoundError: in the forward pass"),
        (("own_networks:ends_later", "--input", "3"), "SystemExit: in the forward pass"),
        (("own_networks:small", "--input", "3x8x8", "--input", "4"), "3x8x8, 4"),
        (("own_networks:nothing", "--input", "3"), "torch.nn.Module"),
        (("own_networks:smal", "--input", "3"), "small"),
        (("no_such_module:small", "--input", "3"), "no_such_module"),
        (("hybridnet",), "hybridsn"),
        (("own_networks:small",), "--input"),
        (("own_networks:small", "--input", "4x8x8"), "4x8x8"),
        (("own_networks:small", "--input", "3xx"), "1x30x25x25"),
        (("own_networks:small", "--input", "3x8x8:int9"), "int64"),
        (("own_networks:small", "--input", "3x8x8", "--batch", "0"), "--batch"),
    ],
)
def test_a_fault_of_the_call_or_of_the_users_code_ends_with_2_and_a_sentence(
    user_code: str, words: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = call(capsys, "profile", *words, "--lang", "en")
    assert code == 2 and not out
    assert says in err
