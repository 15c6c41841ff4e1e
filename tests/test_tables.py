"""Tables as Excel and scripts write them: bytes to typed rows, all faults noted."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from hwcost.errors import Problem
from hwcost.problems import problem_text
from hwcost.tables import Column, number_cell, parse_raw, read_raw, read_table, text_cell, whole_cell

COLUMNS = (
    Column("id", text_cell),
    Column("vendor", text_cell, required=False, default=""),
    Column("price", number_cell, low=0, low_open=True),
    Column("count", whole_cell, required=False, low=1, high=8),
    Column("kind", text_cell, required=False, choices=("quote", "list", "street")),
)
CHINESE = "id,vendor,price\na1,联想,12999\na2,浪潮信息,13500\na3,曙光,9800\n"


def write(folder: Path, content: bytes | str, encoding: str = "utf-8") -> Path:
    path = folder / "t.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
    return path


def codes(problems: list[Problem]) -> list[str]:
    return [problem.code for problem in problems]


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (CHINESE.encode(), "utf-8"),
        (codecs.BOM_UTF8 + CHINESE.encode(), "utf-8-sig"),
        (CHINESE.encode("utf-16"), "utf-16"),
        (codecs.BOM_UTF16_BE + CHINESE.encode("utf-16-be"), "utf-16"),
        (CHINESE.encode("gb18030"), "gb18030"),
        (CHINESE.encode("gbk"), "gb18030"),
    ],
)
def test_chinese_text_is_read_right_in_every_encoding_that_excel_writes(data: bytes, encoding: str) -> None:
    raw, problems = parse_raw(data, "t.csv")
    assert not problems and raw is not None
    assert raw.encoding == encoding
    assert [cells[1] for _, cells in raw.rows] == ["联想", "浪潮信息", "曙光"]


def test_utf8_is_tried_before_gb18030_where_both_decode_without_error() -> None:
    word = "中国"
    assert word.encode().decode("gb18030") != word  # both decodings succeed, one is nonsense
    raw, _ = parse_raw(f"id,vendor\na,{word}\n".encode(), "t.csv")
    assert raw is not None and raw.rows[0][1][1] == word


@pytest.mark.parametrize("separator", [",", ";", "\t", "，"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "gb18030"])
def test_the_separator_is_found_and_named(tmp_path: Path, separator: str, encoding: str) -> None:
    path = write(tmp_path, CHINESE.replace(",", separator), encoding)
    raw, problems = read_raw(path, ["id", "vendor", "price"])
    assert not problems and raw is not None
    assert (raw.separator, raw.header) == (separator, ("id", "vendor", "price"))


@pytest.mark.parametrize("hint", ["sep=;\n", "SEP=;\r\n", "sep=;\r\n"])
def test_excels_separator_line_counts_as_no_row(tmp_path: Path, hint: str) -> None:
    rows, problems = read_table(write(tmp_path, hint + "id;price\na;x\n"), COLUMNS)
    assert (problems[0].row, problems[0].column, problems[0].value) == (2, "price", "x")
    assert not rows


def test_words_that_libraries_take_for_missing_stay_text(tmp_path: Path) -> None:
    ids = ["NA", "None", "null", "nan", "00123", "12E3", "5E10", "50060e8007123400", "TRUE", "1,599"]
    path = write(tmp_path, "id,vendor,price\n" + "".join(f'"{name}",None,1\n' for name in ids))
    rows, problems = read_table(path, COLUMNS)
    assert not problems
    assert [row.values["id"] for row in rows] == ids
    assert {row.values["vendor"] for row in rows} == {"None"}


def test_a_columns_other_cells_decide_an_ambiguous_figure(tmp_path: Path) -> None:
    european = write(tmp_path, "id;price\na;1.599\nb;1.599,00\nc;12,5\n")
    assert [row.values["price"] for row in read_table(european, COLUMNS)[0]] == [1599.0, 1599.0, 12.5]
    american = write(tmp_path, 'id;price\na;1,599\nb;"12,999.00"\n')
    assert [row.values["price"] for row in read_table(american, COLUMNS)[0]] == [1599.0, 12999.0]


def test_a_file_separated_by_commas_writes_decimal_points(tmp_path: Path) -> None:
    rows, problems = read_table(write(tmp_path, 'id,price\na,1.599\nb,"1,599"\n'), COLUMNS)
    assert not problems
    assert [row.values["price"] for row in rows] == [1.599, 1599.0]


def test_an_ambiguous_figure_that_nothing_decides_is_refused(tmp_path: Path) -> None:
    _, problems = read_table(write(tmp_path, "id;price\na;1,599\nb;12\n"), COLUMNS)
    assert codes(problems) == ["number_ambiguous"]
    assert "1599" in problem_text(problems[0], "en") and "1.599" in problem_text(problems[0], "zh")


def test_a_comma_that_is_no_thousands_group_is_never_dropped(tmp_path: Path) -> None:
    rows, problems = read_table(write(tmp_path, 'id,price\na,"1,5"\nb,"1,59"\n'), COLUMNS)
    assert codes(problems) == ["number_group", "number_group"]
    assert not rows


def test_all_faults_of_all_rows_are_noted_at_once(tmp_path: Path) -> None:
    content = "id,vendor,price,count,kind\na,x,abc,9,list\n,x,-1,1.5,lst\nc,x,12,3,quote\nd,x\ne,x,,,\n合计,,24,,\n"
    rows, problems = read_table(write(tmp_path, content), COLUMNS)
    assert [(p.row, p.column, p.code, p.value) for p in problems] == [
        (2, "price", "not_a_number", "abc"),
        (2, "count", "range", "9"),
        (3, "id", "cell_empty", ""),
        (3, "price", "range_above", "-1"),
        (3, "count", "not_whole", "1.5"),
        (3, "kind", "choice", "lst"),
        (5, "", "row_length", ""),
        (6, "price", "cell_empty", ""),
        (7, "", "row_total", "合计"),
    ]
    assert [row.number for row in rows] == [4]
    assert problems[5].values["nearest"] == "list"


def test_an_open_end_leaves_out_the_bound_itself(tmp_path: Path) -> None:
    closed = Column("rate", number_cell, low=0, high=1)
    share = Column("rate", number_cell, low=0, high=1, high_open=True)
    positive = Column("rate", number_cell, low=0, high=1, low_open=True)
    path = write(tmp_path, "rate\n0\n0.5\n1\n1.01\n")
    assert [row.values["rate"] for row in read_table(path, [closed])[0]] == [0.0, 0.5, 1.0]
    assert [row.values["rate"] for row in read_table(path, [share])[0]] == [0.0, 0.5]
    assert [row.values["rate"] for row in read_table(path, [positive])[0]] == [0.5, 1.0]
    assert codes(read_table(path, [share])[1]) == ["range_below", "range_below"]


def test_empty_lines_count_as_rows_but_hold_nothing(tmp_path: Path) -> None:
    rows, problems = read_table(write(tmp_path, "id,price\n\na,1\n,\n\nb,0\n"), COLUMNS)
    assert [row.number for row in rows] == [3]
    assert [(p.row, p.code) for p in problems] == [(6, "range_above")]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("", ["file_empty"]),
        ("\n\n", ["file_empty"]),
        ("sku,cost\na,1\n", ["column_missing", "column_missing", "column_unknown", "column_unknown"]),
        ("id,prices\na,1\n", ["column_missing", "column_unknown"]),
        ("id,price,price\na,1,2\n", ["column_twice"]),
        ("id,price,\na,1,2\n", ["column_unnamed"]),
        ("id,price,,\na,1,,\n", []),
        ("id,price,notes\na,1,anything\n", []),
        ("ID, Price \na,1\n", []),
        ("id,price\na,1,2\n", ["row_length"]),
        ("id,price\na,1,,\n", []),
        ('id,price\na,"1\n', ["csv_quotes"]),
        (b"\xff\xfe\x00", ["file_not_text"]),
        (b"id,price\na,\xff\xff\n", ["file_not_text"]),
        (b"PK\x03\x04rest of an xlsx", ["file_is_workbook"]),
        ("id,price\na,1\n".encode("utf-16-le"), ["file_not_text"]),
    ],
)
def test_a_file_of_the_wrong_shape_is_refused_with_its_reason(
    tmp_path: Path, content: bytes | str, found: list[str]
) -> None:
    _, problems = read_table(write(tmp_path, content), COLUMNS)
    assert codes(problems) == found
    for problem in problems:
        assert "t.csv" in problem_text(problem, "en") and "t.csv" in problem_text(problem, "zh")


def test_a_missing_file_and_a_folder_are_said_to_be_that(tmp_path: Path) -> None:
    assert codes(read_raw(tmp_path / "none.csv")[1]) == ["file_missing"]
    assert codes(read_raw(tmp_path)[1]) == ["file_is_folder"]


def test_a_misspelt_column_is_told_its_nearest_name(tmp_path: Path) -> None:
    _, problems = read_table(write(tmp_path, "id,prcie\na,1\n"), COLUMNS)
    assert {(p.code, p.column, p.values["nearest"]) for p in problems} == {
        ("column_missing", "price", "prcie"),
        ("column_unknown", "prcie", "price"),
    }


def test_a_problem_is_one_sentence_with_its_place_and_its_remedy() -> None:
    values = {"expected": "quote, list", "nearest": "list"}
    problem = Problem("choice", "t.csv", "报价", 4, "kind", "lst", values)
    assert problem_text(problem, "en") == (
        "t.csv, sheet 报价, row 4, column kind: “lst” is not one of the known words; use one of quote, list;"
        " nearest match: list."
    )
    assert problem_text(problem, "zh") == (
        "t.csv，工作表“报价”，第 4 行，“kind”列：“lst”不在可选范围内；"
        "请从以下各项中选择：quote、list；最接近的是“list”。"
    )
    assert problem_text(Problem("problem.file_empty"), "en") == problem_text(Problem("file_empty"), "en")
