"""`hwcost predict`: rows in are rows out, each figure by the formula, and every fault with its row."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from pathlib import Path

import pytest
from cli_calls import call
from prediction_rows import spectralformer, ssftt, workload

from hwcost.catalog import load_catalog
from hwcost.other_cards import KnownCards, other_cards
from hwcost.steptime import ERROR_SHARE, step_time
from hwcost.transfer import card_ms, transfer

SCALING = "card,cards,params,grad_bytes,step_ms,per_card_batch"
TRANSFER = "from_card,step_ms,precision,to_card"
MEMORY = "params,optimizer,precision,saved_bytes_per_sample,largest_saved_bytes,batch"


@pytest.fixture
def table(tmp_path: Path) -> str:
    return str(tmp_path / "rows.csv")


def write(path: str, *lines: str) -> None:
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def predicted(capsys: pytest.CaptureFixture[str], kind: str, path: str, *lines: str) -> list[dict[str, str]]:
    write(path, *lines)
    code, stdout, stderr = call(capsys, "predict", kind, path, "--lang", "en")
    assert code == 0, stderr
    return list(csv.DictReader(io.StringIO(stdout)))


def test_scaling_is_the_formula_worked_by_hand(capsys: pytest.CaptureFixture[str], table: str) -> None:
    # 1 GbE, 4 cards: 0.11 GB/s, 0.312 ms; V = 1.5 x 2e6 x 4 = 12 MB; one bucket, so overlap hides nothing
    header = f"{SCALING},link,step_cv,overlap,parameter_tensors"
    [row] = predicted(capsys, "scaling", table, header, "rtx-a5500,4,2e6,4,8,9,eth_1g,0.1,0.5,30")
    maximum = 3 / math.sqrt(math.pi) * (0.5 + math.asin(1 / 3) / math.pi)  # of four normals
    communication = 0.312 + 12 / 0.11
    r = (communication + 8 * 0.1 * maximum + 30 * 0.020) / 8
    assert float(row["t_comm_ms"]) == pytest.approx(communication)
    assert float(row["r"]) == pytest.approx(r)
    assert float(row["speedup"]) == pytest.approx(4 / (1 + r))
    assert float(row["efficiency"]) == pytest.approx(1 / (1 + r))


def test_scaling_takes_the_link_that_the_card_has(capsys: pytest.CaptureFixture[str], table: str) -> None:
    header = f"{SCALING},link"
    rows = predicted(
        capsys, "scaling", table, header, "RTX A5500,4,3e8,4,400,8,", "RTX A5500,4,3e8,4,400,8,pcie_p2p",
        "rtx-3090,4,3e8,4,400,8,", "rtx-3090,4,3e8,4,400,8,pcie_p2p_off", "rtx-3090,1,3e8,4,400,8,",
    )  # fmt: skip
    own = [float(row["efficiency"]) for row in rows]
    assert own[0] == own[1] > own[2] == own[3]
    assert (own[4], rows[4]["t_comm_ms"]) == (1.0, "0")


def test_a_card_of_the_same_kind_keeps_its_time(capsys: pytest.CaptureFixture[str], table: str) -> None:
    [row] = predicted(capsys, "transfer", table, TRANSFER, "rtx-3090,100,tf32,RTX 3090")
    assert (row["predicted_ms"], row["basis"]) == ("100", "measured")
    assert float(row["low_ms"]) < 100 < float(row["high_ms"])


def test_transfer_from_specifications_is_the_longer_of_compute_and_bandwidth(
    capsys: pytest.CaptureFixture[str], table: str
) -> None:
    # A100 to H100 SXM, fp32: 19.5 and 66.9 TFLOPS at 0.50; 2039 and 3350 GB/s at 0.75; 1e12 FLOP, 2e10 bytes
    header = f"{TRANSFER},flops_per_step,bytes_per_step,launches_per_step"
    [row] = predicted(capsys, "transfer", table, header, "a100-sxm4-80,70,fp32,h100-sxm5-80,1e12,2e10,1000")
    old = max(1e12 / (19.5e9 * 0.50), 2e10 / (2039e6 * 0.75))
    new = max(1e12 / (66.9e9 * 0.50), 2e10 / (3350e6 * 0.75))
    assert float(row["predicted_ms"]) == pytest.approx(70 * (12 + new) / (12 + old))
    assert row["basis"] == "estimated"
    assert float(row["high_ms"]) / float(row["predicted_ms"]) == pytest.approx(math.exp(ERROR_SHARE["estimated"]))
    assert float(row["predicted_ms"]) / float(row["low_ms"]) == pytest.approx(math.exp(ERROR_SHARE["estimated"]))


def test_a_step_of_launches_alone_takes_as_long_on_every_card(capsys: pytest.CaptureFixture[str], table: str) -> None:
    [row] = predicted(capsys, "transfer", table, f"{TRANSFER},launches_per_step", "rtx-3090,1.2,tf32,rtx-4090,100")
    assert float(row["predicted_ms"]) == pytest.approx(1.2)  # 100 launches of 12 us


def test_references_of_both_cards_pull_the_ratio_towards_what_was_measured() -> None:
    cards = load_catalog().cards
    a, b = cards["rtx-3090"], cards["rtx-a6000"]
    work = (3 * 247e9, 10e9)  # BERT-large: measured 17.408 and 25.731 sequences a second
    found = transfer(a, b, 100.0, "tf32", flops=work[0], moved_bytes=work[1])
    plain = 100.0 * (card_ms(b, "tf32", *work, references=False) / card_ms(a, "tf32", *work, references=False))
    assert found.basis == "transferred"
    assert found.predicted_ms == pytest.approx(100 * 17.408 / 25.731, rel=1e-6)
    assert plain != pytest.approx(found.predicted_ms, rel=0.05)


def test_memory_is_the_formula_worked_by_hand(capsys: pytest.CaptureFixture[str], table: str) -> None:
    # momentum at fp32: 12 bytes; 2 MiB saved x 8; the largest tensor of the whole batch is 4 MiB, 3.9 of it
    [row] = predicted(capsys, "memory", table, MEMORY, f"{2**20},momentum,fp32,{2 * 2**20},{4 * 2**20},8")
    assert float(row["predicted_mib"]) == pytest.approx(1792 + 12 + 16 + 15.6)


def test_rows_come_back_in_their_order_with_their_own_cells(capsys: pytest.CaptureFixture[str], table: str) -> None:
    lines = [f"{1000 * i},Adam,AMP,{i},{i},{9 - i},case {i}" for i in range(1, 9)]
    rows = predicted(capsys, "memory", table, f"{MEMORY},note", *lines)
    assert [row["note"] for row in rows] == [f"case {i}" for i in range(1, 9)]
    assert [float(row["params"]) for row in rows] == [1000.0 * i for i in range(1, 9)]
    assert list(rows[0])[-1] == "predicted_mib"
    assert {row["precision"] for row in rows} == {"amp16"}


def test_the_file_and_the_json_hold_the_same_rows(
    capsys: pytest.CaptureFixture[str], table: str, tmp_path: Path
) -> None:
    write(table, MEMORY, "1e6,adam,fp32,1e6,1e6,4", "2e6,sgd,bf16,1e6,1e6,4")
    out = tmp_path / "out.csv"
    code, stdout, _ = call(capsys, "predict", "memory", table, "--out", str(out), "--json", "-")
    assert code == 0
    record = json.loads(stdout)
    read = list(csv.DictReader(out.open(encoding="utf-8")))
    assert (record["schema"], record["kind"], len(record["rows"]), len(read)) == ("hwcost.predict/1", "memory", 2, 2)
    assert [row["row"] for row in record["rows"]] == [2, 3]
    for a, b in zip(record["rows"], read, strict=True):
        assert a["predicted_mib"] == pytest.approx(float(b["predicted_mib"]), rel=1e-9)


@pytest.mark.parametrize(
    ("kind", "header", "lines", "said"),
    [
        ("scaling", SCALING, ["rtx-a5500,4,1e6,4,8,9", "rtx-a5501,4,1e6,4,8,9", "rtx-a5500,0,1e6,4,-8,9"],
         ["row 3, column card", "rtx-a5500", "row 4, column cards", "row 4, column step_ms"]),
        ("scaling", f"{SCALING},link", ["rtx-a5500,4,1e6,4,8,9,nvlink_pair", "rtx-a5500,4,1e6,4,8,9,pcie"],
         ["row 2, column link", "row 3, column link"]),
        ("transfer", TRANSFER, ["rtx-3090,5,tf32,gtx-9999", "rtx-3090,,fp8,rtx-4090"],
         ["row 2, column to_card", "row 3, column step_ms", "row 3, column precision"]),
        ("memory", MEMORY, ["1e6,lion,fp32,1,1,1", "1e6,adam,fp32,-1,1,0"],
         ["row 2, column optimizer", "row 3, column saved_bytes_per_sample", "row 3, column batch"]),
        ("memory", "params,optimizer", ["1,adam"], ["column precision", "column batch"]),
        ("memory", f"{MEMORY},speed", ["1e6,adam,fp32,1,1,1,2"], ["column speed"]),
        ("memory", MEMORY, [], ["no rows"]),
    ],
)  # fmt: skip
def test_bad_rows_are_all_named_and_nothing_is_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, kind: str, header: str, lines: list[str], said: list[str]
) -> None:
    path, out = tmp_path / "rows.csv", tmp_path / "out.csv"
    write(str(path), header, *lines)
    code, stdout, stderr = call(capsys, "predict", kind, str(path), "--out", str(out), "--lang", "en")
    assert (code, stdout) == (2, "")
    assert not out.exists()
    assert not [words for words in said if words not in stderr]


def test_the_rows_themselves_are_never_overwritten(capsys: pytest.CaptureFixture[str], table: str) -> None:
    write(table, MEMORY, "1e6,adam,fp32,1,1,1")
    before = Path(table).read_text(encoding="utf-8")
    assert call(capsys, "predict", "memory", table, "--out", table)[0] == 2
    assert Path(table).read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    ("word", "card_id"),
    [
        ("rtx-a5500", "rtx-a5500"), ("RTX A5500", "rtx-a5500"), ("A5500", "rtx-a5500"), ("3090", "rtx-3090"),
        ("a100-pcie-40", "a100-40gb-pcie"), ("V100-SXM2-32GB", "v100-sxm2-32"), ("a100", None), ("rtx", None),
        ("rtx-2080", "rtx-2080"), ("2080Ti", "rtx-2080-ti"), ("RTX 4090 D", "rtx-4090d"),
        ("RTX6000Ada", "rtx-6000-ada"),
        ("NVIDIA RTX 6000 Ada Generation", "rtx-6000-ada"), ("NVIDIA H100 80GB HBM3", "h100-sxm5-80"),
        ("H100_80GB_PCIe5", "h100-80gb-pcie"), ("NVIDIA H200", "h200-sxm5-141"), ("RTX 3090 x8", "rtx-3090"),
        ("8x RTX 4090", "rtx-4090"), ("RTX 4090 (48GB mod)", "rtx-4090"), ("GTX 1060 (laptop)", "gtx-1060-laptop"),
        ("NVIDIA GeForce RTX 3080 Laptop GPU", None), ("RTX 3080 (laptop)", None), ("RTX 9080", None),
    ],
)  # fmt: skip
def test_cards_are_known_by_what_people_call_them(word: str, card_id: str | None) -> None:
    found = KnownCards(load_catalog(), other_cards()).find(word)
    assert (found.id if found else None) == card_id


def test_a_suffix_that_makes_another_chip_is_never_added_to_a_word() -> None:
    """Without its suffix, every such card is found as itself or not at all, never as its relative."""
    known = KnownCards(load_catalog(), other_cards())
    suffixed = [name for name in known.names() if re.search(r"[ -](ti|super|ada|nvl)$", name)]
    assert len(suffixed) >= 12
    for name in suffixed:
        found = known.find(re.sub(r"[ -](ti|super|ada|nvl)$", "", name))
        assert found is None or name not in (found.id, found.name.lower())


def test_every_card_of_the_measurements_is_known() -> None:
    folder = Path(__file__).parent.parent / "benchmarks" / "evidence"
    known = KnownCards(load_catalog(), other_cards())
    for table in ("scaling.csv", "throughput.csv"):
        with (folder / table).open(encoding="utf-8", newline="") as file:
            assert {row["card"] for row in csv.DictReader(file) if known.find(row["card"]) is None} == set()


def test_a_word_for_several_cards_is_refused_with_their_ids(capsys: pytest.CaptureFixture[str], table: str) -> None:
    write(table, "from_card,step_ms,precision,to_card", "rtx-3090,12,tf32,A100")
    code, _, errors = call(capsys, "predict", "transfer", table, "--lang", "en")
    assert code == 2
    for card in ("a100-40gb-pcie", "a100-80gb-pcie", "a100-sxm4-40", "a100-sxm4-80"):
        assert card in errors
    code, _, errors = call(capsys, "threshold", "--card", "A100", "--lang", "en")
    assert code == 2 and "a100-sxm4-80" in errors


def test_fp32_on_a_card_with_tf32_is_remarked_and_not_elsewhere(capsys: pytest.CaptureFixture[str], table: str) -> None:
    write(table, "from_card,step_ms,precision,to_card", "rtx-3090,12,FP32,v100-sxm2-16", "v100-sxm2-16,9,fp32,p40",
          "rtx-3090,12,tf32,a40")  # fmt: skip
    code, _, errors = call(capsys, "predict", "transfer", table, "--lang", "en")
    assert code == 0 and "1 rows say fp32" in errors


def test_adamw_keeps_what_adam_keeps(capsys: pytest.CaptureFixture[str], table: str) -> None:
    write(table, MEMORY, "1e9,AdamW,fp32,0,0,1")
    code, text, _ = call(capsys, "predict", "memory", table)
    # 16 bytes of state and a temporary of 4 in the step of 1e9 parameters, beside 1,792 MiB
    assert code == 0 and float(text.splitlines()[1].split(",")[-1]) == pytest.approx(20e9 / 2**20 + 1792)


def test_an_option_given_twice_adds_to_itself(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("threshold", "--link", "eth_10g", "--link", "pcie_p2p", "--cards", "4", "--params", "2", "--params", "25")
    rows = json.loads(call(capsys, *words, "--json", "-")[1])["rows"]
    assert [row["link"] for row in rows] == ["eth_10g", "pcie_p2p"]
    assert [other["params"] for row in rows for other in row["other_sizes"]] == [25e6, 25e6]


def test_no_other_card_is_one_of_the_catalog() -> None:
    catalog, others = load_catalog(), other_cards()
    assert not set(others) & set(catalog.cards)
    for card in others.values():
        assert (card.tensor_fp16_tflops or card.fp32_tflops) >= card.fp32_tflops
        assert card.tensor_tf32_tflops is None or card.tensor_tf32_tflops < (card.tensor_fp16_tflops or 0.0)


def test_a_threshold_table_over_sizes_holds_what_each_size_alone_gives(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("threshold", "--cards", "2", "4", "--link", "eth_10g", "pcie_p2p", "--lang", "en")
    _, text, _ = call(capsys, *words, "--params", "2", "0.5", "20")
    _, stdout, _ = call(capsys, *words, "--params", "2", "0.5", "20", "--json", "-")
    rows = json.loads(stdout)["rows"]
    assert [[other["params"] for other in row["other_sizes"]] for row in rows] == [[0.5e6, 20e6]] * 4
    for place, size in ((0, "0.5"), (1, "20")):
        _, alone, _ = call(capsys, *words, "--params", size, "--json", "-")
        for row, single in zip(rows, json.loads(alone)["rows"], strict=True):
            assert row["other_sizes"][place]["speedup"] == pytest.approx(single["speedup"])
            assert f"{single['speedup']:.2f}" in text
            assert single["other_sizes"] == []


@pytest.mark.parametrize("precision", ["fp32", "torch_default", "amp16"])
@pytest.mark.parametrize(("a", "b"), [("rtx-3090", "rtx-a6000"), ("rtx-a5500", "rtx-5090"), ("rtx-5090", "l40s")])
def test_a_plan_and_a_transfer_predict_the_same_step(a: str, b: str, precision: str) -> None:
    """One step of a plan on one card, carried to another by `predict transfer`, is the step of a plan there."""
    cards = load_catalog().cards
    for job in (ssftt(precision=precision), spectralformer(precision=precision), workload(precision=precision)):
        before, after = (step_time(job, cards[name], 64).card_ms for name in (a, b))
        found = transfer(
            cards[a], cards[b], before, precision, flops=3 * 64 * job.forward_flop_per_sample,
            moved_bytes=64 * job.moved_bytes_per_sample, launches=job.launches_per_step,
        )  # fmt: skip
        assert found.predicted_ms == pytest.approx(after)
