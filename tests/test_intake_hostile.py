"""Vendors' files that would be read as something else than they say: units, reductions, several tables, bombs."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from intake_files import amounts, open_ids, planned, saved, workbook

from hwcost.commands import catalog_import
from hwcost.errors import InputError
from hwcost.intake import apply_changes, read_quote
from hwcost.intake.offered import fits
from hwcost.messages import LANGUAGES
from hwcost.problems import problem_text

HEAD = ["名称", "数量", "含税单价"]
LINE = ["RTX A5500", 2, 1.2999]


def book(rows: list[list[Any]], formats: dict[str, str] | None = None) -> bytes:
    made = openpyxl.load_workbook(io.BytesIO(workbook(rows)))
    for place, shape in (formats or {}).items():
        made.worksheets[0][place].number_format = shape
    return saved(made)


def codes(data: bytes, answers: dict[str, str] | None = None) -> list[str]:
    with pytest.raises(InputError) as error:
        read_quote(data, "q.xlsx", answers or {})
    assert all(problem_text(p, lang) for p in error.value.problems for lang in LANGUAGES)
    return [p.code for p in error.value.problems]


# --- units ---


@pytest.mark.parametrize(
    ("above", "title", "figure"),
    [("金额单位：万元", "含税单价", 1.2999), ("单位：萬元人民幣", "含税单价", 1.2999),
     ("单位：千元", "含税单价", 12.999),
     ("", "含税单价（千元）", 12.999), ("", "含税单价(万元)", 1.2999), ("金额单位：万元", "含税单价（元）", 12999),
     ("报价总计12万元", "含税单价（元）", 12999)],
)  # fmt: skip
def test_a_unit_beside_the_table_or_in_a_title_counts_once(above: str, title: str, figure: float) -> None:
    rows = [[above or "某公司报价"], ["名称", "数量", title], ["RTX A5500", 2, figure]]
    assert amounts(planned(workbook(rows), {"currency": "CNY"}, "q.xlsx")) == {"rtx-a5500": (12999.0, "CNY")}


def test_a_title_in_thousands_of_euros_counts_in_thousands() -> None:
    rows = [["Item", "Qty", "Unit price incl. VAT (k€)"], ["RTX A5500", 1, 1.5]]
    found = amounts(planned(workbook(rows), {"region": "EU", "currency": "EUR"}, "q.xlsx"))
    assert found == {"rtx-a5500": (1500.0, "EUR")}


@pytest.mark.parametrize(
    ("shape", "stored"),
    [('0.0000"万元"', 1.2999), ('0!.0000"万元"', 12999), ('#,##0"元"', 12999), ('0.00,"千元"', 12999)],
)
def test_a_unit_in_the_number_format_counts_unless_the_format_only_shows_it(shape: str, stored: float) -> None:
    data = book([HEAD, ["RTX A5500", 2, stored]], {"C2": shape})
    assert amounts(planned(data, {"currency": "CNY"}, "q.xlsx")) == {"rtx-a5500": (12999.0, "CNY")}


def test_yen_and_yuan_formats_are_told_apart() -> None:
    data = book([HEAD, ["RTX A5500", 1, 250000]], {"C2": "[$¥-411]#,##0"})
    assert amounts(planned(data, {"row2.far": "keep"}, "q.xlsx")) == {"rtx-a5500": (250000.0, "JPY")}


def test_a_cell_that_states_yuan_is_not_counted_in_ten_thousands() -> None:
    rows = [["名称", "数量", "含税单价（万元）"], ["RTX A5500", 1, "12999元"]]
    assert amounts(planned(workbook(rows), name="q.xlsx")) == {"rtx-a5500": (12999.0, "CNY")}


# --- reductions ---


@pytest.mark.parametrize(("title", "text"), [("折扣", "9折"), ("Rabatt", "10%"), ("优惠金额", "-1300")])
def test_a_discount_in_a_column_of_its_own_is_asked_and_the_answer_is_the_price(title: str, text: str) -> None:
    data = workbook([["名称", "数量", "含税单价（元）", title], ["RTX A5500", 2, 13000, text]])
    assert open_ids(planned(data, name="q.xlsx")) == ["row2.price"]
    assert amounts(planned(data, {"row2.price": "11700"}, "q.xlsx")) == {"rtx-a5500": (11700.0, "CNY")}  # 13000 * 0.9


@pytest.mark.parametrize("title", ["折后价", "Your price (CNY) incl. VAT", "会员价"])
def test_a_second_price_under_any_title_is_asked(title: str) -> None:
    data = workbook([["名称", "数量", "含税单价（元）", title], ["RTX A5500", 2, 13000, 11700]])
    given = {"currency": "CNY", "tax_included": "yes"}
    assert open_ids(planned(data, given, "q.xlsx")) == ["column.price"]
    found = amounts(planned(data, {**given, "column.price": title}, "q.xlsx"))
    assert found == {"rtx-a5500": (11700.0, "CNY")}


def test_two_columns_of_the_same_title_can_be_told_apart() -> None:
    data = workbook([["名称", "数量", "含税单价", "含税单价"], ["RTX A5500", 2, 13000, 11700]])
    given = {"currency": "CNY"}
    assert [c.value for c in planned(data, given, "q.xlsx").questions[0].choices] == ["含税单价 (C)", "含税单价 (D)"]
    found = amounts(planned(data, {**given, "column.price": "含税单价 (D)"}, "q.xlsx"))
    assert found == {"rtx-a5500": (11700.0, "CNY")}


@pytest.mark.parametrize(
    "words", [["优惠后总价", None, 20000], ["最终优惠价：20000元"], ["Less 5% discount", None, -1300]]
)
def test_a_reduction_of_the_whole_is_asked(words: list[Any]) -> None:
    data = workbook([["名称", "数量", "含税单价（元）"], ["RTX A5500", 2, 13000], ["合计", None, 26000], words])
    assert open_ids(planned(data, name="q.xlsx")) == ["row4.total"]
    assert planned(data, {"row4.total": "lines"}, "q.xlsx").ready


# --- tables and sheets ---


def test_a_second_table_with_other_columns_is_asked_and_each_is_read_by_its_own() -> None:
    rows = [["名称", "数量", "含税单价（元）"], ["RTX A5500", 2, 13000], [None], ["名称", "含税单价（元）", "数量"],
            ["RTX A6000", 38500, 1]]  # fmt: skip
    data = workbook(rows)
    assert [q.key for q in planned(data, name="q.xlsx").questions] == ["tables"]
    assert amounts(planned(data, {"header_row": "1"}, "q.xlsx")) == {"rtx-a5500": (13000.0, "CNY")}
    assert amounts(planned(data, {"header_row": "4"}, "q.xlsx")) == {"rtx-a6000": (38500.0, "CNY")}


def test_a_header_repeated_on_every_page_is_no_second_table() -> None:
    titles = ["名称", "数量", "含税单价（元）"]
    rows = [titles, ["RTX A5500", 2, 13000], titles, ["RTX A6000", 1, 38500]]
    assert sorted(amounts(planned(workbook(rows), name="q.xlsx"))) == ["rtx-a5500", "rtx-a6000"]


def test_a_sheet_that_is_not_there_is_refused_and_not_replaced_by_another() -> None:
    assert codes(workbook([HEAD, LINE]), {"sheet": "Other"}) == ["intake_sheet_missing"]


# --- answers ---


@pytest.mark.parametrize(
    ("name", "answer"),
    [("price_kind", "cheap"), ("date_order", "foo"), ("decimal", ";"), ("row6.far", "no"), ("row7.total", "no"),
     ("block5.layout", "?"), ("extras", "no"), ("header_row", "²"), ("header_row", "9" * 5000), ("unknown", "all")],
)  # fmt: skip
def test_an_answer_outside_the_choices_is_no_answer(name: str, answer: str) -> None:
    assert not fits(name, answer)


def test_no_answer_outside_the_choices_settles_a_total_that_differs() -> None:
    data = workbook([["名称", "数量", "含税单价（元）"], ["RTX A5500", 2, 13000], ["合计", None, 25000]])
    assert open_ids(planned(data, {"row3.total": "no"}, "q.xlsx")) == ["row3.total"]


def test_a_figure_that_cannot_be_read_is_asked_again() -> None:
    data = workbook([["名称", "数量", "含税单价（元）"], ["RTX A5500", 2, "电询价"]])
    assert open_ids(planned(data, {"row2.price": "abc"}, "q.xlsx")) == ["row2.price"]


def test_an_answer_about_a_row_without_anything_to_read_is_named() -> None:
    changes = planned(workbook([["名称", "数量", "含税单价（元）"], ["RTX A5500", 2, 13000]]), name="q.xlsx")
    found = catalog_import._rows_without_questions(changes, {"row9.item": "rtx-a6000", "row2.far": "keep"}, "q.xlsx")
    assert [(p.code, p.value, p.values["row"]) for p in found] == [("intake_answer_row", "row9.item", "9")]


# --- bombs ---


def _with_part(data: bytes, part: str, old: bytes, new: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            content = source.read(name)
            if name == part:
                assert old in content
                content = content.replace(old, new, 1)
            target.writestr(name, content)
    return out.getvalue()


def test_a_merged_range_over_the_whole_sheet_is_refused_before_it_is_unfolded() -> None:
    merged = b'</sheetData><mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells>'
    data = _with_part(workbook([HEAD, LINE]), "xl/worksheets/sheet1.xml", b"</sheetData>", merged)
    assert codes(data) == ["intake_too_many_rows"]


def test_entities_behind_a_long_comment_are_refused() -> None:
    hidden = b"<!--" + b"x" * 9000 + b'--><!DOCTYPE w [<!ENTITY a "aaaa">]><worksheet'
    data = _with_part(workbook([HEAD, LINE]), "xl/worksheets/sheet1.xml", b"<worksheet", hidden)
    assert codes(data) == ["intake_broken_workbook"]


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.xlsx")
    with pytest.raises(InputError) as error:
        read_quote(tmp_path / "pipe.xlsx")
    assert [p.code for p in error.value.problems] == ["intake_is_device"]


# --- names, signs, durations ---


@pytest.mark.parametrize("text", ["99999999999天", "1e9天", "9999 years"])
def test_a_validity_that_no_offer_has_is_asked(text: str) -> None:
    data = workbook([[f"有效期：{text}"], ["名称", "数量", "含税单价（元）"], ["RTX A5500", 2, 13000]])
    assert open_ids(planned(data, name="q.xlsx")) == ["valid_until"]


def test_signs_that_steer_a_terminal_are_not_kept() -> None:
    data = "型号\t含税单价（元）\nRTX A5500\u202e\x1b\x07\t12999\n".encode()
    reading = read_quote(data, "q.csv")
    assert reading.lines[0].title == "RTX A5500"


def test_a_text_that_a_spreadsheet_would_run_behind_a_minus_is_refused() -> None:
    assert codes(workbook([HEAD, ["-2+3+cmd|' /C calc'!A0", 1, 2]])) == ["intake_formula_text"]


def test_a_name_that_no_system_takes_is_refused_with_a_sentence() -> None:
    with pytest.raises(InputError) as error:
        read_quote("x" * 5000)
    assert [p.code for p in error.value.problems] == ["file_unreadable"]


def test_a_vendor_that_looks_like_a_formula_is_replaced_when_it_comes_again(tmp_path: Path) -> None:
    data = workbook([["名称", "数量", "含税单价（元）"], ["RTX A5500", 2, 13000]])
    for _ in range(2):
        apply_changes(planned(data, {"vendor": "=cmd()"}, "q.xlsx"), tmp_path)
    lines = (tmp_path / "prices.csv").read_text(encoding="utf-8-sig").splitlines()
    assert len(lines) == 2 and "'=cmd()" in lines[1]
