"""Sources of the bundled tables: each row's source is about that row, and its day is the day of the evidence."""

import re

from catalog_rows import by_id, read

from hwcost.records import REGIONS

READ_ON = "2026-11-30"
EXPORT = re.compile(r"3A090|4A090|TPP|8-K|export", re.IGNORECASE)  # says what may be shipped to China, nothing else
ABOUT_SALE = re.compile(r"launch|offer|listed|review|platform|made for China", re.IGNORECASE)


def test_no_european_or_american_status_rests_on_the_export_rule_alone() -> None:
    for row in read("availability"):
        if row["region"] != "CN":
            assert not EXPORT.search(row["source"]) or ABOUT_SALE.search(row["source"]), row
            assert ABOUT_SALE.search(row["source"]), row


def test_a_card_is_not_called_on_sale_in_china_because_it_may_be_exported() -> None:
    rows = [row for row in read("availability") if (row["region"], row["status"]) == ("CN", "on_sale")]
    assert {row["item_id"] for row in rows} >= {f"rtx-pro-{n}-blackwell" for n in (4000, 4500)}
    for row in rows:
        assert row["kind"] == "estimate" and ABOUT_SALE.search(row["source"])
        assert "must be confirmed by a quotation" in row["note"], row


def test_a_judged_status_is_an_estimate_and_only_a_named_card_is_more() -> None:
    rows = read("availability")
    assert {row["kind"] for row in rows if "judged" in row["source"] or "computed" in row["source"]} == {"estimate"}
    firm = [row for row in rows if row["kind"] != "estimate"]
    assert all(
        (row["region"], row["status"], "named" in row["source"]) == ("CN", "not_exportable", True) for row in firm
    )
    assert {row["region"] for row in rows} == set(REGIONS)


def test_a_status_is_dated_by_its_evidence_not_by_the_reading() -> None:
    rows = read("availability")
    assert [row for row in rows if row["as_of"] >= READ_ON] == []
    dated = [
        (row, day)
        for row in rows
        for day in re.findall(r"(?:listed by US sellers on|offer seen) (\S+?);", row["source"])
    ]
    assert len(dated) > 30
    assert [row for row, day in dated if row["as_of"] != day] == []


def test_estimates_from_part_prices_carry_the_day_of_those_prices() -> None:
    estimates = [p for p in read("prices") if p["vendor"] == "class estimate"]
    built_on = {*by_id("chassis"), *by_id("psus"), *by_id("storage"), *by_id("upgrades")}
    assert len(estimates) > 20 and {p["item_id"] for p in estimates} <= built_on
    for price in estimates:
        assert price["as_of"] == "2025-07-23" and "2025-07-23" in price["source"], price


def test_a_median_over_all_countries_stands_once_and_for_the_world() -> None:
    rows = [r for r in read("rentals") if "global" in r["source"]]
    assert len(rows) == 20
    assert {r["region"] for r in rows} == {"world"}
    assert len({(r["card_id"], r["tier"]) for r in rows}) == len(rows)
