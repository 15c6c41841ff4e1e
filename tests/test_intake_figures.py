"""Amounts, decimal marks, days and durations of quotations; each expected value is read by hand."""

from __future__ import annotations

from datetime import date

import pytest
from intake_files import amounts, open_ids, planned, workbook

from hwcost.intake.figures import amount, count, day, duration_weeks, duration_years, validity
from hwcost.intake.model import Cell
from hwcost.quantities import QuantityError


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("￥12,999", 12999, "CNY"), ("¥12,999.00", 12999, "CNY"), ("RMB 12999", 12999, "CNY"),
        ("RMB 12,999", 12999, "CNY"), ("12,999元", 12999, "CNY"), ("$1,599.00", 1599, "USD"),
        ("US$1,599", 1599, "USD"), ("USD 1599", 1599, "USD"), ("１２９９９．５", 12999.5, ""),
        ("１２，９９９．５０", 12999.5, ""), ("1.2万", 12000, ""), ("12万元", 120000, "CNY"), ("1亿", 1e8, ""),
        ("1 299,00", 1299, ""), ("1.599,00 €", 1599, "EUR"), ("12,999 元/张", 12999, "CNY"),
        ("￥12,999.00（含税）", 12999, "CNY"),
    ],
)  # fmt: skip
def test_amounts_as_people_write_them(text: str, value: float, currency: str) -> None:  # A31
    assert amount(Cell(text), "", None) == (pytest.approx(value), currency)


@pytest.mark.parametrize("text", ["N/A", "-", "--", "面议", "询价", "TBD", "", "/"])
def test_words_for_no_price_are_missing_and_never_zero(text: str) -> None:
    assert amount(Cell(text), "CNY", None) is None
    changes = planned(f"model,unit price CNY incl. tax\nRTX A5500,{text}\nRTX A6000,38500\n")
    assert list(amounts(changes)) == ["rtx-a6000"]
    assert [said.key for said in changes.left_out] == ["no_price"]


@pytest.mark.parametrize(
    ("text", "code"),
    [("(1,200)", "negative_price"), ("−5", "negative_price"), ("0", "zero_price"), ("13%", "not_a_number"),
     ("1,59,000", "number_group"), ("1,599", "number_ambiguous"), ("1.599", "number_ambiguous")],
)  # fmt: skip
def test_amounts_that_are_no_price_or_are_open_are_refused(text: str, code: str) -> None:
    with pytest.raises(QuantityError) as error:
        amount(Cell(text), "", None)
    assert error.value.code == code


def test_a_price_of_zero_is_left_out_and_said() -> None:
    changes = planned("model,unit price CNY incl. tax\nRTX A5500,0\nRTX A6000,38500\n")
    assert list(amounts(changes)) == ["rtx-a6000"]
    assert "zero_price" in [said.key for said in changes.left_out]


def test_a_negative_price_is_asked() -> None:
    changes = planned("model,unit price CNY incl. tax\nRTX A5500,−5\nRTX A6000,38500\n")
    assert open_ids(changes) == ["row2.price"]
    repaired = planned("model,unit price CNY incl. tax\nRTX A5500,−5\nRTX A6000,38500\n", {"row2.price": "5000"})
    assert amounts(repaired)["rtx-a5500"] == (5000.0, "CNY")


# --- decimal marks, per column (A30) ---


def test_one_separator_before_three_digits_is_asked_where_no_row_settles_it() -> None:
    text = "model;unit price excl. VAT\nRTX A5500;1.599\n"
    changes = planned(text, {"currency": "EUR", "region": "EU"})
    assert open_ids(changes) == ["decimal"]
    for mark, value in ((".", 1.599), (",", 1599.0)):
        settled = planned(text, {"currency": "EUR", "region": "EU", "decimal": mark})
        assert amounts(settled) == {"rtx-a5500": (value, "EUR")}


@pytest.mark.parametrize(("other", "value"), [("1.299,00", 1599.0), ("1,299.00", 1.599), ("899,50", 1599.0)])
def test_the_other_rows_of_the_column_settle_it(other: str, value: float) -> None:
    text = f"model;unit price excl. VAT\nRTX A5500;1.599\nRTX A6000;{other}\n"
    assert amounts(planned(text, {"currency": "EUR", "region": "EU"}))["rtx-a5500"] == (value, "EUR")


def test_beside_a_currency_with_a_point_a_comma_divides_thousands() -> None:
    assert amounts(planned('model,含税单价（元）\nRTX A5500,"12,999"\n')) == {"rtx-a5500": (12999.0, "CNY")}


def test_two_figures_after_a_comma_are_no_thousands_and_are_asked() -> None:
    changes = planned('model,含税单价（元）\nRTX A5500,"1,59"\n')
    assert open_ids(changes) == ["row2.price"]


def test_a_title_in_ten_thousands_scales_its_column() -> None:
    assert amounts(planned("型号,含税单价（万元）\nRTX A5500,1.3\n")) == {"rtx-a5500": (13000.0, "CNY")}


def test_a_number_of_a_workbook_needs_no_mark() -> None:
    data = workbook([["型号", "含税单价（元）"], ["RTX A5500", 12999.5]])
    assert amounts(planned(data, name="q.xlsx")) == {"rtx-a5500": (12999.5, "CNY")}


# --- currencies ---


def test_a_file_without_a_currency_is_asked_and_two_currencies_stay_apart() -> None:
    assert open_ids(planned("model,unit price incl. tax\nRTX A5500,12999\n")) == ["currency"]
    mixed = planned('model,unit price incl. tax\nRTX A5500,"￥12,999"\nRTX A6000,"$4,500.00"\n')
    assert amounts(mixed) == {"rtx-a5500": (12999.0, "CNY"), "rtx-a6000": (4500.0, "USD")}


def test_the_yen_sign_is_yen_where_the_file_says_so() -> None:
    changes = planned('model,currency,unit price incl. tax\nRTX A5500,JPY,"¥312,999"\n')
    assert amounts(changes) == {"rtx-a5500": (312999.0, "JPY")}


def test_the_number_format_of_a_workbook_tells_the_currency() -> None:
    import io

    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(workbook([["Model", "Unit price incl. VAT"], ["RTX A5500", 1599]])))
    book["Quote"]["B2"].number_format = "[$€-407] #,##0.00"
    out = io.BytesIO()
    book.save(out)
    assert amounts(planned(out.getvalue(), {"region": "EU"}, "q.xlsx")) == {"rtx-a5500": (1599.0, "EUR")}


# --- days ---


@pytest.mark.parametrize(
    "text",
    ["2026-11-30", "2026/11/30", "2026年11月30日", "2026.11.30", "30.11.2026", "11/30/2026", "30/11/2026", "46356",
     "30 Nov 2026", "Nov 30, 2026", "30. November 2026", "２０２６-11-30", "2026-11-30 08:30:00"],
)  # fmt: skip
def test_a_day_in_every_usual_form(text: str) -> None:
    assert day(text) == date(2026, 11, 30)


def test_a_day_of_a_workbook_is_a_serial_or_a_date() -> None:
    # 2026-11-30 is 46,356 days after 1899-12-30
    assert (date(2026, 11, 30) - date(1899, 12, 30)).days == 46356
    assert day(Cell("46356", 46356.0)) == day(Cell("x", date(2026, 11, 30))) == date(2026, 11, 30)


def test_a_day_in_two_orders_is_asked_once_for_the_file() -> None:
    with pytest.raises(QuantityError) as error:
        day("03/04/2026")
    assert error.value.values == {"first": "2026-04-03", "second": "2026-03-04"}
    text = "model,unit price CNY incl. tax,date,valid until\nRTX A5500,12999,03/04/2026,05/06/2026\n"
    assert open_ids(planned(text, {"date": ""})) == ["date_order"]
    for order, issued, valid in (("dmy", "2026-04-03", "2026-06-05"), ("mdy", "2026-03-04", "2026-05-06")):
        cells = planned(text, {"date": "", "date_order": order}).prices[0].cells
        assert (cells["as_of"], cells["valid_until"]) == (issued, valid)


@pytest.mark.parametrize(
    ("text", "weeks"),
    [("4周", 4), ("4-6 weeks", 6), ("15个工作日", 3), ("28天", 4), ("现货", 0), ("in stock", 0), ("两周", 2), ("8",
     None),
     ("ask", None)],
)  # fmt: skip
def test_delivery_in_weeks(text: str, weeks: float | None) -> None:
    assert duration_weeks(text) == weeks


@pytest.mark.parametrize(
    ("text", "years"),
    [("3年", 3), ("36个月", 3), ("三年", 3), ("3", 3), ("5 years on site", 5), ("36", None), ("原厂", None)],
)
def test_warranty_in_years_and_a_bare_36_is_open(text: str, years: float | None) -> None:
    assert duration_years(text) == years


def test_a_validity_in_days_counts_from_the_quotation() -> None:
    assert validity("30天", None, date(2026, 11, 20), None) == date(2026, 12, 20)
    assert validity("有效期至2026年12月31日", None, None, None) == date(2026, 12, 31)
    assert validity("30 days", None, None, None) is None


@pytest.mark.parametrize(("text", "number"), [("4", 4), ("4台", 4), ("x2", 2), ("2 pcs", 2), ("两", 2)])
def test_quantities(text: str, number: float) -> None:
    assert count(Cell(text)) == number
