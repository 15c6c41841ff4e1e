"""Header, merged cells, totals, tax, facts around the table, and names: what a quotation says in its own layout."""

from __future__ import annotations

import io

import openpyxl
import pytest
from intake_files import amounts, catalog, open_ids, planned, workbook

from hwcost.errors import InputError
from hwcost.intake import read_quote
from hwcost.intake.header import find_header
from hwcost.intake.match import match_card
from hwcost.intake.words import field_of, tax_of

# --- titles ---


@pytest.mark.parametrize(
    ("title", "field"),
    [("型号", "model"), ("规格型号", "model"), ("货物名称", "name"), ("单价", "price"), ("含税单价（元）", "price"),
     ("金额", "amount"),
     ("显存", "memory"), ("数量（台）", "quantity"), ("报价有效期", "valid"), ("交货期", "delivery"), ("质保期（年）",
     "warranty"),
     ("报价单号", "quote_number"), ("供应商", "vendor"), ("Unit price (USD, excl. VAT)", "price"), ("Qty", "quantity"),
     ("Line total", "amount"), ("Lead time", "delivery"), ("Quote no.", "quote_number"), ("不含税", "price"),
     ("Einzelpreis", "price"), ("Bezeichnung", "name"), ("颜色", "")],
)  # fmt: skip
def test_titles_in_both_languages_name_their_field(title: str, field: str) -> None:
    assert field_of(title) == field


@pytest.mark.parametrize(
    ("text", "included"),
    [("含税", True), ("不含税", False), ("含13%增值税", True), ("未税", False), ("excl. VAT", False),
     ("incl. 19 % VAT", True),
     ("net", False), ("gross", True), ("prices exclude VAT", False), ("单价", None)],
)  # fmt: skip
def test_words_of_tax(text: str, included: bool | None) -> None:
    assert tax_of(text) is included


def test_a_letterhead_above_the_table_is_no_header() -> None:
    text = "XX科技有限公司,,\n报价单,,\n型号,数量,含税单价（元）\nRTX A5500,1,12999\n"
    assert read_quote(text.encode(), "q.csv").header_rows == (3,)


def test_titles_over_two_rows_under_a_merged_cell_are_joined() -> None:  # A34
    rows = [["型号", "数量", "单价（元）", None], [None, None, "不含税", "含税"], ["RTX A5500", 2, 10000, 11300]]
    data = workbook(rows, merged=["A1:A2", "B1:B2", "C1:D1"])
    reading = read_quote(data, "q.xlsx")
    assert reading.header_rows == (1, 2)
    assert reading.lines[0].row == 3
    price = reading.lines[0].price
    assert price is not None and (price.value, price.tax_included) == (11300.0, True)


def test_only_merged_cells_are_filled() -> None:  # A34: a blank cell is not the one above it
    rows = [["供应商", "型号", "含税单价（元）"], ["甲公司", "RTX A5500", 12999], [None, "RTX A6000", 38500],
            [None, "RTX 4090", 16000]]  # fmt: skip
    changes = planned(workbook(rows, merged=["A2:A3"]), name="q.xlsx")
    vendors = {p.item_id: p.cells["vendor"] for p in changes.prices}
    assert vendors == {"rtx-a5500": "Dealer", "rtx-a6000": "Dealer", "rtx-4090": "Dealer"}  # the user's word wins
    lines = {line.title: line.facts.get("vendor") for line in changes.reading.lines}
    assert lines == {"RTX A5500": "甲公司", "RTX A6000": "甲公司", "RTX 4090": None}


def test_the_header_of_another_layout_can_be_stated() -> None:
    text = "a,b\nGerät,Wert\nRTX A5500,12999\n"
    assert open_ids(planned(text)) == ["header_row"]


def test_two_sheets_with_tables_are_asked() -> None:
    book = openpyxl.Workbook()
    first = book.active
    assert first is not None
    first.title = "A"
    for sheet in (first, book.create_sheet("B")):
        sheet.append(["型号", "含税单价（元）"])
        sheet.append(["RTX A5500", 12999 if sheet.title == "A" else 11000])
    out = io.BytesIO()
    book.save(out)
    assert open_ids(planned(out.getvalue(), name="q.xlsx")) == ["sheet"]
    assert amounts(planned(out.getvalue(), {"sheet": "B"}, "q.xlsx")) == {"rtx-a5500": (11000.0, "CNY")}


# --- totals (A35) ---


@pytest.mark.parametrize("word", ["合计", "总计：", "Total", "SUM", "合计（大写）"])
def test_a_row_of_totals_is_a_check_and_no_line(word: str) -> None:
    text = f"名称,型号,数量,单价,金额\n显卡,RTX A5500,2,5,10\n显卡,RTX A6000,1,5,5\n{word},,,,15\n"
    reading = read_quote(text.encode(), "q.csv")
    assert len(reading.lines) == 2
    assert [(c.row, c.stated, c.read, c.ok) for c in reading.totals] == [(4, 15.0, 15.0, True)]


def test_a_total_that_differs_is_asked_with_both_figures() -> None:
    head = "名称,型号,数量,含税单价（元）,金额\n"
    text = head + "显卡,RTX A5500,2,20000,40000\n显卡,RTX A6000,1,38000,38000\n合计,,,,79000\n"
    changes = planned(text)
    assert open_ids(changes) == ["row4.total"]
    assert changes.questions[0].values == {"stated": "79,000.00", "read": "78,000.00"}
    assert not planned(text, {"row4.total": "lines"}).questions


def test_subtotals_check_their_own_lines_and_tax_lines_belong_to_the_total() -> None:
    text = (
        "名称,型号,数量,不含税单价（元）,金额\n显卡,RTX A5500,1,100,100\n小计,,,,100\n"
        "显卡,RTX A6000,1,200,200\n小计,,,,200\n"
        "税额,,,,39\n价税合计,,,,339\n"
    )
    reading = read_quote(text.encode(), "q.csv")
    assert [(c.stated, c.ok) for c in reading.totals] == [(100.0, True), (200.0, True), (339.0, True)]


def test_quantity_times_price_must_be_the_amount() -> None:
    text = "型号,数量,含税单价（元）,金额\nRTX A5500,3,20000,59000\n"
    changes = planned(text)
    assert open_ids(changes) == ["row2.amount"]
    assert changes.questions[0].values["product"] == "60,000.00"
    assert amounts(planned(text, {"row2.amount": "price"})) == {"rtx-a5500": (20000.0, "CNY")}
    assert amounts(planned(text, {"row2.amount": "amount"})) == {"rtx-a5500": (19666.67, "CNY")}  # 59,000 / 3


def test_an_amount_alone_is_divided_by_the_quantity_and_asked_without_one() -> None:
    assert amounts(planned("型号,数量,含税金额（元）\nRTX A5500,4,52000\n")) == {"rtx-a5500": (13000.0, "CNY")}
    text = "型号,含税金额（元）\nRTX A5500,52000\n"
    assert open_ids(planned(text)) == ["row2.quantity"]
    assert amounts(planned(text, {"row2.quantity": "4"})) == {"rtx-a5500": (13000.0, "CNY")}


@pytest.mark.parametrize("word", ["VAT 19 %", "增值税", "zzgl. 19 % MwSt", "Plus VAT"])
def test_a_tax_line_is_no_item(word: str) -> None:
    text = f"Item,Qty,Unit price EUR net,Total\nRTX A5500,1,100,100\nSubtotal,,,100\n{word},,,19\nTotal,,,119\n"
    reading = read_quote(text.encode(), "q.csv")
    assert [line.row for line in reading.lines] == [2]
    assert [check.ok for check in reading.totals] == [True, True]


def test_a_total_in_words_is_a_total() -> None:
    text = "名称,型号,数量,含税单价（元）,金额\n显卡,RTX A5500,2,9000,18000\n合计人民币（大写）壹万捌仟元整,,,,18000\n"
    reading = read_quote(text.encode(), "q.csv")
    assert len(reading.lines) == 1 and reading.totals[0].ok


def test_a_price_cut_in_two_by_the_separator_is_refused_and_never_read_as_its_first_part() -> None:
    with pytest.raises(InputError) as error:
        read_quote("型号,数量,含税单价（元）\nRTX A5500,2,￥12,999\n".encode(), "q.csv")
    problem = error.value.problems[0]
    assert (problem.code, problem.row, problem.values) == ("row_length", 2, {"found": 4, "expected": 3})


def test_a_price_far_from_the_catalog_is_asked() -> None:
    text = "型号,含税单价（元）,备注\nRTX A5500,￥12,999\n"  # the separator cut the price, and a column took the rest
    changes = planned(text)
    assert open_ids(changes) == ["row2.far"]
    assert not planned(text, {"row2.far": "keep"}).questions
    assert not planned(text, {"row2.far": "leave_out"}).prices


# --- tax ---


def test_of_two_prices_that_differ_by_tax_the_one_that_is_paid_counts() -> None:
    changes = planned("型号,不含税单价（元）,含税单价（元）\nRTX A5500,10000,11300\n")
    cells = changes.prices[0].cells
    assert (cells["amount"], cells["tax_included"]) == ("11300", "yes")


def test_a_list_price_beside_an_offer_is_asked() -> None:
    text = "型号,含税单价（元）,优惠价（元，含税）\nRTX 4090D,18000,16200\n"
    assert open_ids(planned(text))[0] == "column.price"
    assert amounts(planned(text, {"column.price": "优惠价（元，含税）"})) == {"rtx-4090d": (16200.0, "CNY")}
    assert amounts(planned(text, {"column.price": "含税单价（元）"})) == {"rtx-4090d": (18000.0, "CNY")}


def test_a_tax_basis_is_taken_from_the_file_or_asked() -> None:
    assert open_ids(planned("型号,单价（元）\nRTX A5500,12999\n")) == ["tax_included"]
    below = planned("型号,单价（元）\nRTX A5500,12999\n以上价格不含税,\n")
    assert below.prices[0].cells["tax_included"] == "no"
    both = planned("型号,单价（元）\nRTX A5500,12999\n以上价格不含税,\n总价含税,\n")
    assert open_ids(both) == ["tax_included"]
    noted = planned("型号,单价（元）,备注\nRTX A5500,12999,含税含运费\n")
    assert noted.prices[0].cells["tax_included"] == "yes"
    own = planned("型号,单价（元）,是否含税\nRTX A5500,12999,是\nRTX A6000,38500,否\n")
    assert [p.cells["tax_included"] for p in own.prices] == ["yes", "no"]


# --- facts around the table ---


def test_facts_stand_above_or_below_the_table_in_a_cell_or_beside_their_label() -> None:
    text = (
        "供应商：北京甲乙科技有限公司,,\n报价单号,Q-2026-118,\n报价日期：2026年11月20日,,\n型号,数量,含税单价（元）\n"
        "RTX A5500,1,12999\n有效期：30天；交货期：4周；质保三年,,\n"
    )
    changes = planned(text, {"vendor": "", "date": ""})
    cells = changes.prices[0].cells
    assert not changes.questions
    assert (cells["vendor"], cells["as_of"], cells["valid_until"]) == (
        "北京甲乙科技有限公司",
        "2026-11-20",
        "2026-12-20",
    )
    assert cells["source"] == "quotation Q-2026-118 (quote.csv, row 5)"
    assert changes.reading.facts["warranty"] == "三年" and changes.reading.facts["delivery"] == "4周"


def test_what_the_file_does_not_say_is_asked() -> None:
    changes = planned("model,unit price\nRTX A5500,12999\n", {"vendor": "", "date": "", "region": ""})
    assert sorted(open_ids(changes)) == ["currency", "date", "region", "tax_included", "vendor"]


def test_a_validity_before_the_date_is_asked() -> None:
    text = "model,unit price CNY incl. tax,valid until\nRTX A5500,12999,2026-10-01\n"
    assert open_ids(planned(text)) == ["valid_until"]


# --- names ---


@pytest.mark.parametrize(
    ("words", "card"),
    [("RTX A5500", "rtx-a5500"), ("NVIDIA RTX A5500 24GB", "rtx-a5500"), ("英伟达 RTX A5500 24G 专业显卡", "rtx-a5500"),
     ("A5500", "rtx-a5500"), ("RTX4090", "rtx-4090"), ("GeForce RTX 4090D", "rtx-4090d"), ("RTX 4090 D", "rtx-4090d"),
     ("rtx-a6000", "rtx-a6000"), ("RTX 6000 Ada", "rtx-6000-ada"), ("A100 80GB PCIe", "a100-80gb-pcie")],
)  # fmt: skip
def test_equal_names_are_taken(words: str, card: str) -> None:
    assert match_card([words], None, catalog()).id == card


@pytest.mark.parametrize(
    ("words", "offered"),
    [("RTX 4090 48GB", "rtx-4090"), ("RTX A100", "a100-40gb-pcie"), ("RTX PRO 5000 48G", "rtx-pro-5000-blackwell-48gb"),
     ("二手 RTX 3090", "rtx-3090"), ("RTX 5000", "rtx-5000-ada"), ("ASUS TUF RTX 4090 OC", "rtx-4090")],
)  # fmt: skip
def test_near_names_are_offered_and_never_taken(words: str, offered: str) -> None:
    match = match_card([words], None, catalog())
    assert match.id == "" and offered in match.near


def test_the_memory_column_tells_cards_of_one_name_apart() -> None:
    assert match_card(["A100 PCIe"], 80.0, catalog()).id == "a100-80gb-pcie"
    assert match_card(["A100 PCIe"], 40.0, catalog()).id == "a100-40gb-pcie"
    assert match_card(["RTX A5500"], 48.0, catalog()).id == ""


@pytest.mark.parametrize("number", ["00123", "12E3", "5E10", "NA", "None", "null"])
def test_part_numbers_stay_text(number: str) -> None:  # A32, A33
    reading = read_quote(f"型号,名称,含税单价（元）\n{number},RTX A5500,12999\n".encode(), "q.csv")
    assert reading.lines[0].names[0] == number
    data = workbook([["型号", "名称", "含税单价（元）"], [number, "RTX A5500", 12999]])
    assert read_quote(data, "q.xlsx").lines[0].names[0] == number


def test_leading_zeros_of_a_formatted_number_are_kept() -> None:
    book = openpyxl.load_workbook(io.BytesIO(workbook([["型号", "名称", "单价"], [123, "RTX A5500", 12999]])))
    book["Quote"]["A2"].number_format = "00000"
    out = io.BytesIO()
    book.save(out)
    assert read_quote(out.getvalue(), "q.xlsx").lines[0].names[0] == "00123"


def test_freight_and_parts_without_a_table_are_left_out_and_said() -> None:
    text = "名称,型号,含税单价（元）\n显卡,RTX A5500,12999\n运费,,200\n内存,DDR5 64GB,1500\n主板,WRX90,9000\n"
    changes = planned(text)
    assert list(amounts(changes)) == ["rtx-a5500"]
    assert [(said.row, said.key) for said in changes.left_out] == [(3, "extra"), (4, "no_table"), (5, "no_table")]


def test_an_unknown_name_is_asked_with_near_ones_and_may_be_left_out() -> None:
    text = "型号,含税单价（元）\nRTX PRO 5000 48G,35000\n"
    changes = planned(text)
    assert open_ids(changes) == ["row2.item"]
    assert changes.questions[0].choices[0].value == "rtx-pro-5000-blackwell-48gb"
    answered = planned(text, {"row2.item": "rtx-pro-5000-blackwell-48gb"})
    assert amounts(answered) == {"rtx-pro-5000-blackwell-48gb": (35000.0, "CNY")}
    left = planned(text, {"row2.item": "leave_out"})
    assert not left.questions and not left.prices and not left.ready


def test_a_price_list_asks_once_for_all_that_the_catalog_does_not_have() -> None:
    text = "型号,含税单价（元）\nRTX A5500,12999\n" + "".join(f"Maus X{n},{n}\n" for n in range(1, 22))
    changes = planned(text)
    assert open_ids(changes) == ["unknown"] and changes.questions[0].values == {"count": 21}
    left = planned(text, {"unknown": "leave_out"})
    assert not left.questions and list(amounts(left)) == ["rtx-a5500"] and len(left.left_out) == 21
    assert len(planned(text, {"unknown": "ask"}).questions) == 21


def test_one_item_at_two_prices_is_asked() -> None:
    text = "型号,含税单价（元）\nRTX A5500,12999\nNVIDIA RTX A5500,13500\n"
    assert open_ids(planned(text)) == ["same.rtx-a5500"]
    assert amounts(planned(text, {"same.rtx-a5500": "3"})) == {"rtx-a5500": (13500.0, "CNY")}


def test_a_sheet_without_name_and_price_has_no_header() -> None:
    from hwcost.intake.files import read_source

    source, _ = read_source(b"a,b\n1,2\n", "q.csv", {})
    assert source is not None and find_header(source.grids[0]) is None
