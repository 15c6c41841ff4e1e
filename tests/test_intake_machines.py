"""Whole machines: one per row or per block, what is asked of them, and their price against the catalog's parts."""

from __future__ import annotations

import pytest
from intake_files import catalog, open_ids, planned, workbook

from hwcost.intake import read_quote
from hwcost.intake.match import storage_of
from hwcost.intake.parts import count_of, size_gib, watts, without_count
from hwcost.pricing import choose_price, convert

CONFIGURATION = "Xeon w7-3455 / 4×RTX PRO 5000 Blackwell 48GB / 128GB DDR5 (8×16GB) / 8TB NVMe / 2200W 电源"
ROW = "名称,型号,配置,数量,含税单价（元）,交货期,质保\n"
HOST = {"row2.chassis": "dell-7960", "quote_number": "Q-119"}
BLOCK = (
    "名称,型号,数量,含税单价（元）,金额\n机箱平台,Dell Precision 7960,1,30000,30000\n"
    "处理器,Xeon w7-3455,1,18000,18000\n"
    "内存,DDR5 128GB,1,6000,6000\n显卡,RTX A5500,4,13000,52000\n硬盘,NVMe SSD 8TB,1,5000,5000\n"
    "电源,2200W,1,2000,2000\n合计,,,,113000\n交货期：4周；质保三年,,,,\n"
)


@pytest.mark.parametrize(
    ("text", "count", "name"),
    [("4×RTX PRO 5000 48GB", 4, "RTX PRO 5000 48GB"), ("RTX A5500 24G x4", 4, "RTX A5500 24G"), ("RTX 4090*2", 2,
     "RTX 4090"),
     ("4张 RTX A5500", 4, "RTX A5500"), ("四卡 RTX A5500", 4, "RTX A5500"), ("RTX A5500（4张）", 4, "RTX A5500"),
     ("2 x RTX 5090", 2, "RTX 5090"), ("dual RTX 4090", 2, "RTX 4090"), ("RTX 4090 D", None, "RTX 4090 D")],
)  # fmt: skip
def test_how_many_cards_and_which(text: str, count: int | None, name: str) -> None:
    assert (count_of(text), without_count(text)) == (count, name)


@pytest.mark.parametrize(
    ("text", "gib"),
    [
        ("128GB DDR5 (8×16GB)", 128),
        ("16G*8 DDR5", 128),
        ("8×16GB", 128),
        ("DDR5 64GB", 64),
        ("1TB", 1024),
        ("内存", None),
    ],
)
def test_memory_is_the_sum_of_its_modules(text: str, gib: float | None) -> None:
    assert size_gib(text) == gib


def test_watts_and_number_of_supplies() -> None:
    assert (watts("2×2000W 冗余电源"), count_of("2×2000W 冗余电源")) == (2000.0, 2)


def test_storage_is_taken_by_interface_and_capacity_and_near_ones_are_offered() -> None:
    assert storage_of("8TB NVMe SSD", catalog()).id == "nvme-8tb"
    assert storage_of("7.68TB NVMe", catalog()).id == ""
    assert storage_of("7.68TB NVMe", catalog()).near[0] == "nvme-8tb"


# --- one machine per row ---


def test_a_machine_in_one_row_becomes_a_system_and_a_price_of_the_same_id() -> None:
    changes = planned(ROW + f'四卡工作站,Precision 7960,"{CONFIGURATION}",1,211000,4周,3年\n', HOST)
    assert not changes.questions
    assert changes.systems[0].cells == {
        "id": "quote-q-119-2", "name": "四卡工作站 Precision 7960", "name_zh": "", "vendor": "Dealer",
        "quote_number": "Q-119",
        "card_id": "rtx-pro-5000-blackwell-48gb", "cards": "4", "chassis_id": "dell-7960", "psu_id": "dell-7960-2200",
        "psu_count": "1", "storage_id": "nvme-8tb", "ram_gib": "128", "warranty_years": "3", "delivery_weeks": "4",
        "example": "no", "source": "quotation Q-119 (quote.csv, row 2)", "as_of": "2026-11-20", "kind": "specification",
    }  # fmt: skip
    assert [(p.item_id, p.cells["amount"], p.cells["tax_included"]) for p in changes.prices] == [
        ("quote-q-119-2", "211000", "yes")
    ]


def test_the_price_of_a_machine_is_held_against_its_parts() -> None:
    changes = planned(ROW + f'四卡工作站,Precision 7960,"{CONFIGURATION}",1,211000,4周,3年\n', HOST)
    day = changes.prices[0].cells["as_of"]
    expected = 0.0
    for item, number in (("rtx-pro-5000-blackwell-48gb", 4), ("dell-7960", 1), ("nvme-8tb", 1)):
        from datetime import date

        price = choose_price(catalog(), item, "CN", date.fromisoformat(day))
        assert price is not None
        rate = convert(catalog(), price.amount, price.currency, "CNY", date(2026, 11, 30))
        assert rate is not None
        expected += number * rate.amount / (1.13 if price.tax_included else 1.0)
    difference = changes.prices[0].difference
    assert difference == pytest.approx(211000 / 1.13 / expected - 1.0, rel=1e-9)


def test_columns_for_the_parts_of_a_machine_are_read_as_one() -> None:
    text = (
        "机型,显卡型号,显卡数量,内存,硬盘,电源,含税单价（元）,交货期（周）,质保（年）\n"
        "消费级双卡,RTX 4090,2,64GB,4TB NVMe,1200W,68000,2,3\n"
    )
    changes = planned(text, {"row2.chassis": "consumer-full", "row2.psu": "hx1500i"})
    cells = changes.systems[0].cells
    assert (cells["card_id"], cells["cards"], cells["ram_gib"], cells["storage_id"]) == (
        "rtx-4090",
        "2",
        "64",
        "nvme-4tb",
    )
    assert (cells["delivery_weeks"], cells["warranty_years"], cells["psu_count"]) == ("2", "3", "1")


def test_what_a_machine_does_not_state_is_asked_one_question_each() -> None:
    changes = planned("名称,配置,含税单价（元）\nGPU工作站,Xeon / 4×RTX A5500,120000\n")
    wanted = ["row2.chassis", "row2.storage", "row2.ram", "row2.warranty", "row2.delivery"]
    assert open_ids(changes) == wanted
    offered = [choice.value for choice in changes.questions[0].choices]
    assert "leave_out" in offered and "consumer-mid" not in offered  # that host holds one card


def test_a_machine_may_be_left_out() -> None:
    changes = planned("名称,配置,含税单价（元）\nGPU工作站,Xeon / 4×RTX A5500,120000\n", {"row2.ram": "leave_out"})
    assert not changes.questions and [said.key for said in changes.left_out] == ["left_out_by_user"]


def test_an_answer_that_is_no_id_is_asked_again() -> None:
    changes = planned(ROW + f'四卡工作站,7960,"{CONFIGURATION}",1,211000,4周,3年\n', {"row2.chassis": "dell-7961"})
    question = changes.questions[0]
    assert (question.id, question.values["nearest"]) == ("row2.chassis", "dell-7960")


def test_freight_and_service_beside_one_machine_are_asked_whether_they_are_in_its_price() -> None:
    text = ROW + f'四卡工作站,Precision 7960,"{CONFIGURATION}",1,211000,4周,3年\n运费,,,1,1500,,\n安装调试,,,1,500,,\n'
    assert open_ids(planned(text, HOST)) == ["extras"]
    assert planned(text, {**HOST, "extras": "apart"}).prices[0].cells["amount"] == "211000"
    assert planned(text, {**HOST, "extras": "add"}).prices[0].cells["amount"] == "213000"  # 211,000 + 1,500 + 500


# --- one machine per block ---


def test_priced_components_are_asked_whether_they_are_one_machine() -> None:
    changes = planned(BLOCK)
    assert open_ids(changes)[0] == "block2.layout"
    assert [choice.value for choice in changes.questions[0].choices] == ["machine", "items"]


def test_a_block_becomes_one_machine_at_its_total() -> None:
    changes = planned(BLOCK, {"block2.layout": "machine", "row2.chassis": "dell-7960"})
    assert not changes.questions
    cells = changes.systems[0].cells
    assert (cells["card_id"], cells["cards"], cells["ram_gib"]) == ("rtx-a5500", "4", "128")
    assert (cells["psu_id"], cells["storage_id"]) == ("dell-7960-2200", "nvme-8tb")
    assert changes.prices[0].cells["amount"] == "113000"
    assert changes.reading.totals[0].ok


def test_a_block_may_be_items_instead() -> None:
    changes = planned(BLOCK, {"block2.layout": "items", "row2.item": "dell-7960", "row6.item": "nvme-8tb",
                              "row7.item": "leave_out"})  # fmt: skip
    assert not changes.systems
    assert {p.item_id: p.cells["amount"] for p in changes.prices} == {
        "dell-7960": "30000", "rtx-a5500": "13000", "nvme-8tb": "5000"
    }  # fmt: skip


def test_components_with_one_price_between_them_are_a_machine_without_a_question() -> None:
    rows = [["名称", "型号", "数量", "含税总价（元）"], ["机箱", "Dell Precision 7960", 1, 113000], ["处理器", "Xeon",
    1, None],
            ["显卡", "RTX A5500", 4, None], ["内存", "128GB", 1, None]]  # fmt: skip
    reading = read_quote(workbook(rows, merged=["D2:D5"]), "q.xlsx")
    assert [(line.kind, line.row) for line in reading.lines] == [("machine", 2)]
    price = reading.lines[0].price
    assert price is not None and price.value == 113000.0  # once, not four times
    assert [part.category for part in reading.lines[0].parts] == ["chassis", "cpu", "card", "ram"]


def test_a_name_merged_over_the_parts_names_the_machine_and_no_part() -> None:
    rows = [["名称", "规格型号", "数量", "含税单价（元）"], ["GPU工作站", "Dell Precision 7960", 1, 135000],
            [None, "CPU Xeon w7", 1], [None, "显卡 RTX A5500 24G", 4], [None, "内存 DDR5 128GB", 1]]  # fmt: skip
    reading = read_quote(workbook(rows, merged=["A2:A5", "D2:D5"]), "q.xlsx")
    assert [(line.kind, line.title) for line in reading.lines] == [("machine", "GPU工作站")]
    card = next(part for part in reading.lines[0].parts if part.category == "card")
    assert (card.text, card.count) == ("显卡 RTX A5500 24G", 4)


def test_several_options_in_one_file_are_several_machines() -> None:
    head, body = BLOCK.splitlines()[0], BLOCK.splitlines()[1:8]
    text = "\n".join([head, "方案一,,,,", *body, "方案二,,,,", *body, "交货期：4周；质保三年,,,,"]) + "\n"
    reading = read_quote(text.encode(), "q.csv", {"block3.layout": "machine", "block11.layout": "machine"})
    assert [(line.kind, line.title, line.row) for line in reading.lines] == [
        ("machine", "方案一", 3),
        ("machine", "方案二", 11),
    ]
    prices = [line.price for line in reading.lines]
    assert all(price is not None and price.value == 113000.0 for price in prices)
    assert [check.ok for check in reading.totals] == [True, True]
