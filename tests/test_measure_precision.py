"""`hwcost profile --precision`: what a step under autocast keeps, counted by hand, and what the command says of it."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import pytest
from cli_calls import call
from torch import nn

from hwcost.measure.loading import InputSpec
from hwcost.measure.profiling import Profile, profile

BATCH, HALF, FLOAT, LONG = 8, 2, 4, 8
# of cross-entropy over 4 classes: log-probabilities, the classes wanted, the sum of their weights
LOSS = BATCH * 4 * FLOAT + BATCH * LONG + FLOAT
CODE = """
    from torch import nn

    class Loud(nn.Linear):
        def forward(self, x):
            print("a network that prints")
            return super().forward(x)

    def loud():
        print("a factory that prints")
        return Loud(8, 4)

    def lazy():
        return nn.LazyLinear(4)
"""


def profiled(network: nn.Module, precision: str, real: bool = False) -> Profile:
    return profile(lambda: network, "test", [InputSpec((10,))], BATCH, "sgd", real=real, precision=precision)


@pytest.mark.parametrize("precision", ["amp16", "bf16"])
@pytest.mark.parametrize("real", [False, True])
def test_under_autocast_products_keep_two_bytes_and_norms_four_as_on_a_card(precision: str, real: bool) -> None:
    network = nn.Sequential(nn.Linear(10, 16), nn.LayerNorm(16), nn.Linear(16, 4))
    found = profiled(network, precision, real)
    # both products keep a 16-bit input, the norm its input in fp32 and two statistics a sample; no copies of weights
    kept = BATCH * (10 * HALF + 16 * FLOAT + 2 * FLOAT + 16 * HALF)
    assert found.saved_bytes == kept + LOSS
    assert found.precision == precision and found.forward_flop == 2 * BATCH * (10 * 16 + 16 * 4)


def test_a_softmax_written_out_keeps_its_result_at_four_bytes_and_a_copy_for_the_next_product() -> None:
    network = nn.Sequential(nn.Linear(10, 16), nn.Softmax(dim=1), nn.Linear(16, 4))
    assert profiled(network, "fp32").saved_bytes == BATCH * (10 + 16) * FLOAT + LOSS
    assert profiled(network, "amp16").saved_bytes == BATCH * (10 * HALF + 16 * FLOAT + 16 * HALF) + LOSS


@pytest.mark.parametrize("precision", ["tf32", "torch_default"])
def test_precisions_of_32_bits_keep_what_fp32_keeps(precision: str) -> None:
    network = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 4))
    assert profiled(network, precision).saved_bytes == profiled(network, "fp32").saved_bytes


def test_a_network_that_is_one_object_has_the_same_figures_at_every_profile() -> None:
    """Its parameters lost their values in the first; they are no activations in the second."""
    network = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 4))
    first, second = profiled(network, "fp32"), profiled(network, "fp32")
    assert first == second
    assert first.saved_bytes == BATCH * (10 + 16) * FLOAT + LOSS


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    lines = CODE.replace("\n    ", "\n")
    (tmp_path / "loud_networks.py").write_text(lines, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    sys.modules.pop("loud_networks", None)
    return "loud_networks"


def test_the_command_measures_the_precision_says_so_in_the_row_and_makes_the_folder(
    code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("profile", f"{code}:loud", "--input", "8", "--batch", "8", "--precision", "amp16", "--lang", "en")
    code_, out, err = call(capsys, *words, "--out", "new/own/workloads.csv", "--json", "-")
    assert code_ == 0, err
    record = json.loads(out)  # nothing of what the network prints
    assert "a network that prints" in err and "a factory that prints" in err
    assert record["saved_bytes"] == 8 * 8 * FLOAT + LOSS
    assert record["at_precision"]["saved_bytes"] == 8 * 8 * HALF + LOSS
    (row,) = csv.DictReader((tmp_path / "new" / "own" / "workloads.csv").open(encoding="utf-8"))
    assert row["default_precision"] == "amp16"
    share = (8 * 8 * HALF + LOSS) / (8 * 8 * FLOAT + LOSS)
    assert f"saved for backward at amp16 {share:.2f} of that" in row["source"]
    assert float(row["saved_mib_per_sample"]) == pytest.approx((8 * 8 * FLOAT + LOSS) / 8 / 2**20, rel=1e-5)


@pytest.mark.parametrize(("precision", "says"), [("bf16", "run under autocast"), ("tf32", "not what is stored")])
def test_the_table_tells_what_the_precision_changes(
    precision: str, says: str, code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code_, out, _ = call(capsys, "profile", f"{code}:loud", "--input", "8", "--precision", precision, "--lang", "en")
    assert code_ == 0 and says in out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("lazy", "--input", "8"), "lazy layer"),
        (("loud", "--input", "8x99999999999", "--real"), "GiB of main memory"),
        (("loud", "--input", "8", "--out", "loud_networks.py/x/w.csv"), "name another folder"),
    ],
)
def test_what_cannot_be_profiled_is_a_sentence(
    words: tuple[str, ...], says: str, code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code_, out, err = call(capsys, "profile", f"{code}:{words[0]}", *words[1:], "--lang", "en")
    assert code_ == 2 and not out and says in err
