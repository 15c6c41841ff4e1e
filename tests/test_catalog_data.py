"""The bundled tables themselves: complete, sourced, priced and physically possible."""

import re
from collections import Counter
from dataclasses import fields
from datetime import date

import pytest
from catalog_rows import Row, by_id, number, read

from hwcost import records

READ_ON = date(2026, 11, 30)
TABLES: dict[str, tuple[type, tuple[str, ...]]] = {  # file -> record, columns that name a row
    "cards": (records.Card, ("id",)),
    "chassis": (records.Chassis, ("id",)),
    "psus": (records.Psu, ("id",)),
    "storage": (records.Storage, ("id",)),
    "links": (records.Link, ("id", "pcie_gen", "cards")),
    "systems": (records.System, ("id",)),
    "prices": (records.Price, ("item_id", "region", "price_kind", "vendor", "as_of")),
    "fx": (records.FxRate, ("base", "quote", "as_of")),
    "availability": (records.Availability, ("item_id", "region")),
    "upgrades": (records.Addition, ("id",)),
    "power": (records.PowerFigure, ("id",)),
    "staffing": (records.StaffFigure, ("id",)),
    "rentals": (records.Rental, ("id",)),
    "datasets": (records.Dataset, ("id",)),
    "workloads": (records.Network, ("id",)),
    "procurement": (records.ProcurementProfile, ("id", "from_amount")),
}
WITHOUT_KIND = ("prices", "fx")
UNPRICED = {"a10", "a30", "ascend-910b", "h100-nvl-94gb", "h200-nvl-141gb", "rtx-5880-ada", "tesla-v100s-32gb-pcie"}

CARDS = by_id("cards")


# --- shape and provenance ---


@pytest.mark.parametrize("table", TABLES)
def test_a_table_has_every_column_of_its_record(table: str) -> None:
    record, _ = TABLES[table]
    wanted = {field.name for field in fields(record)} - {"origin"} | {"source", "as_of"}
    wanted |= set() if table in WITHOUT_KIND else {"kind"}
    extra = {"note"} if table == "prices" else set()
    assert set(read(table)[0]) == wanted | extra


@pytest.mark.parametrize("table", TABLES)
def test_no_two_rows_have_the_same_key_and_rows_are_sorted(table: str) -> None:
    _, key = TABLES[table]
    rows = read(table)
    assert [k for k, n in Counter(tuple(row[c] for c in key) for row in rows).items() if n > 1] == []
    first = [row[key[0]] for row in rows]
    assert first == sorted(first)


@pytest.mark.parametrize("table", TABLES)
def test_every_row_has_a_source_a_day_and_a_kind(table: str) -> None:
    for row in read(table):
        assert row["source"].strip(), row
        assert date.fromisoformat(row["as_of"]) <= READ_ON, row
        if table not in WITHOUT_KIND:
            assert row["kind"] in records.FIGURE_KINDS, row


@pytest.mark.parametrize("table", TABLES)
def test_no_cell_names_a_path_of_somebodys_machine(table: str) -> None:
    path = re.compile(r"(^|\s)/(work|home|tmp|root|opt)/|[A-Z]:\\")
    assert [cell for row in read(table) for cell in row.values() if path.search(cell)] == []


@pytest.mark.parametrize("table", TABLES)
def test_yes_no_columns_say_yes_or_no(table: str) -> None:
    record, _ = TABLES[table]
    for field in fields(record):
        if str(field.type).startswith("bool"):
            allowed = {"yes", "no", ""} if "None" in str(field.type) else {"yes", "no"}
            assert {row[field.name] for row in read(table)} <= allowed, field.name


def test_the_tables_are_large_enough_to_choose_from() -> None:
    least = {"cards": 30, "chassis": 11, "psus": 18, "storage": 5, "systems": 2, "workloads": 18}
    assert {table: n for table, n in least.items() if len(read(table)) < n} == {}


@pytest.mark.parametrize("table", TABLES)
def test_chinese_columns_use_full_width_punctuation(table: str) -> None:
    chinese = [cell for row in read(table) for column, cell in row.items() if column.endswith("_zh")]
    assert [cell for cell in chinese if re.search(r"[(),:;]", cell)] == []


@pytest.mark.parametrize("table", ["chassis", "storage", "systems", "power", "staffing", "datasets", "workloads"])
def test_every_row_has_a_chinese_name(table: str) -> None:
    assert [row["id"] for row in read(table) if not row["name_zh"]] == []


# --- hosts, supplies, storage, links ---


def test_cards_never_cover_more_slots_than_a_case_has() -> None:
    for case in read("chassis"):
        for width in (1, 2, 3):
            assert width * int(case[f"max_cards_{width}slot"]) <= int(case["slots"]), case["id"]
        lanes = dict(pair.split(":") for pair in case["lanes_by_cards"].split(";"))
        assert "1" in lanes and set(lanes.values()) <= {"4", "8", "16"}


def test_four_three_slot_cards_fit_no_workstation() -> None:
    for case in read("chassis"):
        if case["segment"] != "server":
            assert int(case["slots"]) < 4 * 3
            assert int(case["max_cards_3slot"]) < 4


def test_four_a5500_overload_the_built_in_supply_of_the_p620() -> None:
    case, supply = by_id("chassis")["lenovo-p620"], by_id("psus")["p620-1000"]
    assert case["psu_form"] == "fixed:p620-1000"
    watts = 4 * float(CARDS["rtx-a5500"]["tdp_w"]) + float(case["host_load_w"])
    assert watts > float(supply["watts_high_line"])


def test_built_in_supplies_exist_and_have_no_price_of_their_own() -> None:
    built_in = {c["psu_form"].removeprefix("fixed:") for c in read("chassis") if c["psu_form"].startswith("fixed:")}
    assert built_in <= set(by_id("psus"))
    assert built_in & {p["item_id"] for p in read("prices")} == set()


def test_efficiencies_are_shares_of_an_80_plus_class_and_low_line_is_not_above_high_line() -> None:
    classes = {(0.90, 0.92, 0.89), (0.92, 0.94, 0.90), (0.94, 0.96, 0.94), (0.90, 0.94, 0.91), (0.94, 0.96, 0.91)}
    for psu in read("psus"):
        assert tuple(float(psu[f"efficiency_{load}"]) for load in (20, 50, 100)) in classes, psu["id"]
        assert 0 <= float(psu["watts_low_line"]) <= float(psu["watts_high_line"])
        fed_by_board = {psu["pcie8_connectors"], psu["v12_2x6_connectors"], psu["eps8_connectors"]} == {""}
        assert fed_by_board == psu["form"].startswith("crps:"), psu["id"]
        if not fed_by_board and "built-in" not in psu["name"]:  # an EPS plug for a card is made of two PCIe 8-pin plugs
            assert 2 * int(psu["eps8_connectors"]) <= int(psu["pcie8_connectors"])


def test_storage_tiers_read_at_the_speed_of_their_interface() -> None:
    speed = {"nvme": 3000, "sata": 500, "nas_10g": 1000, "nas_1g": 110}
    assert {(s["tier"], float(s["read_mb_s"])) for s in read("storage")} == set(speed.items())
    assert {s["tier"] for s in read("storage") if s["local"] == "yes"} == {"nvme", "sata"}


def links(link: str, gen: str) -> dict[int, Row]:
    return {int(row["cards"]): row for row in read("links") if (row["id"], row["pcie_gen"]) == (link, gen)}


def test_every_link_class_is_there() -> None:
    assert {row["id"] for row in read("links")} == {
        "pcie_p2p", "pcie_p2p_off", "pcie_host_staged", "nvlink_pair", "pcie_p2p_with_pair_bridges", "nvlink_sxm",
        "eth_1g", "eth_10g", "eth_25g", "eth_100g",
    }  # fmt: skip


def test_four_a5500_over_pcie_4_reach_19_to_26_gb_s() -> None:
    row = links("pcie_p2p", "4")[4]
    assert (float(row["low_gb_s"]), float(row["high_gb_s"])) == (19, 26)
    assert 19 <= float(row["bus_bandwidth_gb_s"]) <= 26


def test_staging_through_the_host_falls_with_the_number_of_cards() -> None:
    for cards, row in links("pcie_host_staged", "").items():
        assert float(row["bus_bandwidth_gb_s"]) == pytest.approx(3.7 * (2 / cards) ** 1.1, rel=1e-3)


def test_link_figures_lie_within_their_bounds_and_below_the_wire() -> None:
    wire = {"3": 15.75, "4": 31.5, "5": 63.0}  # GB/s each way at 16 lanes
    for row in read("links"):
        low, value, high = (float(row[c]) for c in ("low_gb_s", "bus_bandwidth_gb_s", "high_gb_s"))
        assert 0 < low <= value <= high, row
        assert float(row["alpha_us"]) > 0
        if row["id"] in ("pcie_p2p", "pcie_p2p_off"):
            assert high < wire[row["pcie_gen"]], row
    assert 4 not in links("nvlink_pair", "4")
    for name, gb_s in (("eth_1g", 0.125), ("eth_10g", 1.25), ("eth_25g", 3.125), ("eth_100g", 12.5)):
        assert all(float(row["high_gb_s"]) < gb_s for row in links(name, "").values()), name


# --- money and market ---


def test_no_price_is_zero() -> None:
    assert [row for row in read("prices") if not float(row["amount"]) > 0] == []
    assert [row for row in read("rentals") if not float(row["price_per_card_hour"]) > 0] == []


def test_every_price_and_every_status_is_of_an_item_in_a_table() -> None:
    items = {i for table in ("cards", "chassis", "psus", "storage", "systems", "upgrades") for i in by_id(table)}
    assert {p["item_id"] for p in read("prices")} - items == set()
    assert {a["item_id"] for a in read("availability")} - items == set()
    assert {r["card_id"] for r in read("rentals") if r["card_id"]} - set(CARDS) == set()


def test_everything_that_is_sold_has_a_price() -> None:
    priced = {p["item_id"] for p in read("prices")}
    built_in = {c["psu_form"].removeprefix("fixed:") for c in read("chassis")}
    for table in ("chassis", "storage", "systems"):
        assert set(by_id(table)) - priced == set()
    assert set(by_id("psus")) - built_in - priced == set()
    assert set(CARDS) - priced == UNPRICED


def test_prices_have_known_kinds_regions_and_a_validity_after_their_day() -> None:
    for price in read("prices"):
        assert price["price_kind"] in records.PRICE_KINDS
        assert price["region"] in records.REGIONS
        if price["valid_until"]:
            assert date.fromisoformat(price["valid_until"]) >= date.fromisoformat(price["as_of"])


def test_every_currency_has_a_dated_rate_to_the_dollar() -> None:
    rates = {(r["base"], r["quote"]): float(r["rate"]) for r in read("fx")}
    tariffs = {p["unit"].split("/")[0] for p in read("power") if p["category"] == "tariff"}
    wages = {s["unit"].split("/")[0] for s in read("staffing") if s["category"] == "wage"}
    used = {p["currency"] for p in read("prices") + read("rentals") + read("procurement")} | tariffs | wages
    assert {c for c in used - {"USD"} if (c, "USD") not in rates and ("USD", c) not in rates} == set()
    assert rates["EUR", "CNY"] == pytest.approx(rates["EUR", "USD"] * rates["USD", "CNY"], rel=0.005)


def test_every_card_has_a_status_in_every_region() -> None:
    known = {(row["item_id"], row["region"]): row["status"] for row in read("availability")}
    assert {(card, region) for card in CARDS for region in records.REGIONS} - set(known) == set()
    assert set(known.values()) <= set(records.STATUSES)


def test_cards_above_the_export_limit_are_not_offered_in_china() -> None:
    """TPP = 16 x dense 16-bit TFLOPS; 4,800 and more need a US licence."""
    status = {row["item_id"]: row["status"] for row in read("availability") if row["region"] == "CN"}
    above = {i for i, c in CARDS.items() if c["tensor_fp16_tflops"] and 16 * float(c["tensor_fp16_tflops"]) >= 4800}
    assert {"rtx-6000-ada", "rtx-pro-6000-blackwell-max-q", "a100-80gb-pcie"} <= above
    assert {status[i] for i in above} == {"not_exportable"}
    assert status["rtx-4090"] == status["rtx-5090"] == "not_exportable"
    current = ("rtx-5090-d-v2", "rtx-pro-4000-blackwell", "rtx-pro-4500-blackwell", "rtx-pro-5000-blackwell-48gb")
    assert {status[i] for i in current} == {"on_sale"}
    assert (status["rtx-a5500"], status["rtx-3090"]) == ("remnant", "used")


def test_the_last_offer_of_the_a5500_is_kept_with_its_day() -> None:
    offers = [p for p in read("prices") if p["item_id"] == "rtx-a5500"]
    assert [(p["amount"], p["currency"], p["as_of"], p["price_kind"]) for p in offers] == [
        ("4499", "USD", "2024-05-14", "street")
    ]


def test_quoted_machines_are_marked_examples_of_parts_in_the_catalog() -> None:
    quotes = {p["item_id"]: p for p in read("prices") if p["price_kind"] == "quote"}
    for system in read("systems"):
        assert system["example"] == "yes" and "illustration" in system["vendor"]
        assert system["id"] in quotes and quotes[system["id"]]["valid_until"]
        assert system["card_id"] in CARDS and system["chassis_id"] in by_id("chassis")
        assert system["psu_id"] in by_id("psus") and system["storage_id"] in by_id("storage")


# --- site and people ---


def test_site_figures_are_physical() -> None:
    usd = {"USD": 1.0, "CNY": 1 / 7.1, "EUR": 1.1}
    for row in read("power"):
        low, value, high = number(row, "low"), float(row["value"]), number(row, "high")
        assert (low if low is not None else value) <= value <= (high if high is not None else value), row["id"]
        if row["category"] == "tariff":
            assert 0.01 <= value * usd[row["unit"].split("/")[0]] <= 2, row["id"]
        if row["category"] == "pue":
            assert (low or 1) >= 1 and (high or 3) <= 3, row["id"]
        if row["category"] == "grid_factor":
            assert 0 < value < 1.5, row["id"]
    circuits = {(row["region"], float(row["value"]), row["volts"]) for row in read("power") if row["unit"][0] == "A"}
    assert circuits == {("CN", 10, "220"), ("CN", 16, "220"), ("US", 15, "120"), ("US", 20, "120"), ("EU", 16, "230")}


def test_rates_of_failure_and_maintenance_are_shares() -> None:
    rows = [row for row in read("staffing") if row["category"] in ("failure", "maintenance")]
    assert len(rows) >= 3
    for row in rows:
        assert 0 <= float(row["low"]) <= float(row["value"]) <= float(row["high"]) < 1, row["id"]


@pytest.mark.parametrize("region", records.REGIONS)
def test_every_region_has_a_tariff_a_grid_factor_and_a_wage(region: str) -> None:
    assert {r["category"] for r in read("power") if r["region"] == region} >= {"tariff", "grid_factor", "circuit"}
    assert [r["id"] for r in read("staffing") if r["category"] == "wage" and r["region"] == region]


def test_purchasing_bands_of_a_profile_follow_each_other_without_a_gap() -> None:
    profiles: dict[str, list[Row]] = {}
    for row in read("procurement"):
        profiles.setdefault(row["id"], []).append(row)
    assert {"cn-generic", "cn-jiliang", "cn-tongji", "de-ovgu", "us-2cfr200"} <= set(profiles)
    for bands in profiles.values():
        bands.sort(key=lambda row: float(row["from_amount"]))
        assert bands[0]["from_amount"] == "0" and bands[-1]["to_amount"] == ""
        assert [b["to_amount"] for b in bands[:-1]] == [b["from_amount"] for b in bands[1:]]
        assert len({(b["currency"], b["basis"]) for b in bands}) == 1
        assert all(int(b["quote_max_age_days"]) <= 90 for b in bands)
    ovgu = [(b["from_amount"], b["basis"]) for b in profiles["de-ovgu"]]
    assert ovgu == [("0", "net"), ("1000", "net"), ("25000", "net")]


# --- what is added to a machine ---


def test_additions_are_memory_adapters_and_cables_with_what_each_needs() -> None:
    links = {row["id"] for row in read("links")}
    for row in read("upgrades"):
        if row["category"] == "ram":
            assert row["gib"] and not row["link_id"], row["id"]
            assert f"{row['gib']} GB" in row["name"]
        else:
            assert row["link_id"] in links and not row["gib"], row["id"]
    assert {row["category"] for row in read("upgrades")} == {"ram", "network", "cable"}


def test_every_adapter_has_a_cable_of_its_class() -> None:
    kinds = {kind: {r["link_id"] for r in read("upgrades") if r["category"] == kind} for kind in ("network", "cable")}
    assert kinds["network"] == kinds["cable"] == {"eth_10g", "eth_25g", "eth_100g"}


def test_memory_of_two_kits_costs_as_much_as_one_of_twice_the_size_at_least() -> None:
    amounts = {row["item_id"]: float(row["amount"]) for row in read("prices")}
    assert amounts["ram-udimm-64gb"] < amounts["ram-rdimm-64gb"] < amounts["ram-rdimm-128gb"]
    assert amounts["ram-rdimm-128gb"] <= 2 * amounts["ram-rdimm-64gb"]
    assert 2 * 220 <= amounts["ram-udimm-64gb"] <= 3.5 * 220  # the 2025 median, raised as the notes of the hosts say
