"""Bytes to cells: encodings, separators, and files that must be refused with one sentence."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import openpyxl
import pytest
from intake_files import open_ids, planned, saved, workbook

from hwcost.errors import InputError
from hwcost.intake import read_quote
from hwcost.messages import LANGUAGES
from hwcost.problems import problem_text

TABLE = "型号,名称,含税单价（元）\nRTX A5500,显卡,12999\n"


def refused(data: bytes, name: str = "quote.xlsx") -> str:
    """The code of the one problem with which a file is refused, which has a sentence in both languages."""
    with pytest.raises(InputError) as error:
        read_quote(data, name)
    assert len(error.value.problems) == 1
    assert all(problem_text(error.value.problems[0], lang) for lang in LANGUAGES)
    return error.value.problems[0].code


# --- encodings (A26, A27, A28) ---


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_a_chinese_file_reads_the_same_in_every_usual_encoding(encoding: str) -> None:
    reading = read_quote(TABLE.encode(encoding), "q.csv")
    assert reading.encoding == encoding
    assert reading.lines[0].title == "显卡 RTX A5500"
    assert reading.lines[0].price is not None and reading.lines[0].price.value == 12999


def test_utf8_without_a_mark_is_never_taken_for_gb18030() -> None:
    assert "显存".encode().decode("gb18030") != "显存"  # it decodes without an error, to nonsense
    assert read_quote("名称,单价\n显存卡,1000.00\n".encode(), "q.csv").encoding == "utf-8"


def test_western_accents_are_asked_and_not_read_as_rare_chinese_characters() -> None:
    data = "Bezeichnung;Preis\nGerät RTX A5500;1.599,00\n".encode("cp1252")
    data.decode("gb18030")  # it decodes without an error
    changes = planned(data)
    assert open_ids(changes) == ["encoding"]
    assert "cp1252" in [choice.value for choice in changes.questions[0].choices]
    reading = read_quote(data, "q.csv", {"encoding": "cp1252"})
    assert reading.lines[0].title == "Gerät RTX A5500"


def test_bytes_in_no_known_encoding_are_refused() -> None:
    assert refused(b"\x00\x01\x02" * 333, "q.csv") == "intake_encoding"


# --- separators (A28) ---


@pytest.mark.parametrize(
    ("separator", "shown"), [(",", "comma"), (";", "semicolon"), ("\t", "tab"), ("，", "wide_comma")]
)
def test_every_usual_separator_is_found_and_named(separator: str, shown: str) -> None:
    text = separator.join(("型号", "数量", "单价")) + "\n" + separator.join(("RTX A5500", "2", "12999")) + "\n"
    reading = read_quote(text.encode(), "q.csv")
    assert reading.separator == separator
    assert [(line.title, line.quantity) for line in reading.lines] == [("RTX A5500", 2.0)]
    assert [note.values["separator"] for note in reading.notes if note.key == "read_as"] == [shown]


def test_the_hint_of_excel_is_no_row_and_gives_the_separator() -> None:
    reading = read_quote(b"sep=;\nModel;Price\nRTX A5500;12999\n", "q.csv")
    assert (reading.separator, reading.header_rows, reading.lines[0].row) == (";", (2,), 3)


def test_unicode_text_of_excel_reads() -> None:
    reading = read_quote("型号\t单价\nRTX A5500\t12999\n".encode("utf-16"), "q.txt")
    assert (reading.encoding, reading.separator) == ("utf-16", "\t")
    assert reading.lines[0].names[0] == "RTX A5500"


# --- hostile and unusable files ---


def test_a_zip_bomb_is_refused_before_it_is_unpacked() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        with archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as part:
            for _ in range(101):
                part.write(b"0" * 2**20)
    assert len(out.getvalue()) < 2**20
    assert refused(out.getvalue()) == "intake_unpacked"


def test_a_million_rows_are_refused_in_both_kinds_of_file() -> None:
    assert refused(b"model,price\n" + b"a,1\n" * 1_000_000, "q.csv") == "intake_too_many_rows"
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    for _ in range(20_002):
        sheet.append(["RTX A5500", 1])
    assert refused(saved(book)) == "intake_too_many_rows"


def test_one_cell_far_away_is_refused_instead_of_filling_the_memory() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet["A1"], sheet["XFD1048576"] = "model", "x"
    assert refused(saved(book)) == "intake_too_many_rows"


def test_a_huge_cell_is_refused() -> None:
    assert refused(b"model,price\n" + b"a" * 5_000 + b",1\n", "q.csv") == "intake_huge_cell"
    assert refused(workbook([["model", "price"], ["a" * 5_000, 1]])) == "intake_huge_cell"


@pytest.mark.parametrize("text", ["=cmd|' /C calc'!A0", '=WEBSERVICE("http://x")', "@SUM(1)", "+cmd|' /C calc'!A0"])
def test_a_formula_where_a_text_belongs_is_refused(text: str) -> None:
    cell = '"' + text.replace('"', '""') + '"'
    assert refused(f"model,price\n{cell},1\n".encode(), "q.csv") == "intake_formula_text"


def test_prices_that_are_formulas_without_results_are_refused_with_the_remedy() -> None:  # A40
    data = workbook([["Model", "Qty", "Unit price"], ["RTX A5500", 2, "=6000+999"]])
    with pytest.raises(InputError) as error:
        read_quote(data, "q.xlsx")
    problem = error.value.problems[0]
    assert (problem.code, problem.values["cell"]) == ("intake_formula_unstored", "C2")
    assert "save it first" in problem_text(problem, "en")


def test_a_workbook_that_draws_figures_from_another_file_is_refused() -> None:
    data = workbook([["Model", "Price"], ["RTX A5500", 1]])
    out = io.BytesIO(data)
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr("xl/externalLinks/externalLink1.xml", "<externalLink/>")
    assert refused(out.getvalue()) == "intake_external_links"


def test_entities_that_unfold_are_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("xl/workbook.xml", '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><workbook/>')
    assert refused(out.getvalue()) == "intake_broken_workbook"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "intake_empty"), (b" \n ", "intake_empty"), (b"%PDF-1.7 ...", "intake_pdf"),
        (b"\xd0\xcf\x11\xe0" + b"\0" * 600, "intake_old_workbook"), (b"<html><table>", "intake_markup"),
        (b"PK\x03\x04 broken", "intake_broken_workbook"),
    ],
)  # fmt: skip
def test_what_is_no_table_is_refused_with_what_to_do(data: bytes, code: str) -> None:
    assert refused(data, "q.xlsx") == code


def test_a_packed_file_that_is_no_workbook_is_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("word/document.xml", "<document/>")
    assert refused(out.getvalue()) == "intake_not_workbook"


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path, code in ((tmp_path / "no.csv", "file_missing"), (tmp_path, "intake_is_folder")):
        with pytest.raises(InputError) as error:
            read_quote(path)
        assert error.value.problems[0].code == code


def test_quotation_marks_that_do_not_match_are_refused_with_the_line() -> None:
    with pytest.raises(InputError) as error:
        read_quote(b'model,price\n"RTX A5500,1\n', "q.csv")
    assert error.value.problems[0].code == "intake_csv"
