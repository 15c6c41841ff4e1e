"""The meetings at one screen, minute by minute: what people type and what they must see. Figures are worked out here
from the rows of the catalog."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import openpyxl
from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

from tests.browser.page import (
    PATIENCE_S,
    arrived,
    choose,
    find,
    find_all,
    metrics,
    open_expander,
    press,
    radio,
    tab,
    table_rows,
    text_of,
    turn_to,
    type_over,
    visit,
    wait_for_text,
    wait_until_done,
)

CATALOG = Path(__file__).resolve().parents[2] / "catalog"
HEAD = ".st-key-answer h4"
LAB = "my-lab"
VAT, BUDGET = 0.13, 250_000
CARD, HOST, DISK, NAS = "rtx-pro-5000-blackwell-48gb", "dell-7960", "nvme-4tb", "nas-10g"  # the host has its supply
QUOTED = 212_000
QUOTE = f"""供应商,甲公司
报价单号,JG-2026-11
报价日期,2026-11-28
有效期至,2027-01-31
币种,CNY
名称,型号,配置,数量,含税单价（元）,交货期,质保
四卡工作站,Precision 7960,"4×RTX PRO 5000 Blackwell 48GB / 256GB DDR5 / 4TB NVMe",1,"{QUOTED:,}",6周,3年
"""


def rows_of(name: str) -> list[dict[str, str]]:
    with (CATALOG / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def price(item: str) -> float:
    """The catalog's only price of an item, US dollars without tax."""
    (row,) = [r for r in rows_of("prices.csv") if r["item_id"] == item]
    assert (row["currency"], row["tax_included"]) == ("USD", "no")
    return float(row["amount"])


def yuan(dollars: float) -> float:
    """With tax, at the catalog's rate."""
    (row,) = [r for r in rows_of("fx.csv") if (r["base"], r["quote"]) == ("USD", "CNY")]
    return dollars * float(row["rate"]) * (1 + VAT)


def wan(amount: float) -> str:
    return f"{amount / 10_000:.2f} 万元"


def supply(card: str) -> dict[str, str]:
    """The newest row on a card in China."""
    rows = [r for r in rows_of("availability.csv") if (r["item_id"], r["region"]) == (card, "CN")]
    return max(rows, key=lambda r: r["as_of"])


def day_zh(text: str) -> str:
    year, month, day = (int(part) for part in text.split("-"))
    return f"{year}年{month}月{day}日"


def money_in(text: str) -> float:
    """The amount of "176,570.18 元" or "1,076 元"."""
    found = re.search(r"([\d,]+(?:\.\d\d)?) 元", text)
    assert found, text
    return float(found[1].replace(",", ""))


def tile_side(text: str) -> int:
    """1,760 of "单个图块最大 1,760×1,760"."""
    found = re.search(r"单个图块最大 ([\d,]+)×", text)
    assert found, text
    return int(found[1].replace(",", ""))


def box(driver: webdriver.Chrome, ending: str) -> str:
    """The key of the widget whose key ends so; a part of it is the result that it belongs to."""
    names = driver.execute_script(
        "return [...document.querySelectorAll('[class*=st-key-]')].flatMap(e => [...e.classList])"
    )
    (found,) = {n.removeprefix("st-key-") for n in names if n.startswith("st-key-") and n.endswith(ending)}
    return found


def test_the_first_meeting_minute_by_minute(
    driver: webdriver.Chrome, address: str, folder: Path, tmp_path: Path
) -> None:
    """250,000 yuan that lapse, eight students; PI, technical lead and finance officer."""
    visit(driver, address, "start", lang="zh", s="browser-test-meeting-0001")
    minute_0_answers(driver)
    minute_6_answer(driver)
    minute_8_best_use_of_the_budget(driver)
    minute_12_supply(driver)
    minute_22_campus_and_what_else(driver)
    minute_15_several_cards(driver)
    minute_18_route(driver)
    minute_30_quotation(driver, tmp_path)
    minute_35_workbook(driver, folder)
    minute_45_three_changes(driver)


def minute_0_answers(driver: webdriver.Chrome) -> None:
    """Budget with unit and tax; three networks by name, runs a week; nothing about FLOPs."""
    page = text_of(driver, "[data-testid=stMain]")
    assert all(f"{n}. " in page for n in range(1, 13)) and "FLOP" not in page.upper()
    assert {"元", "万元", "含税", "不含税"} <= set(page.split("\n"))
    type_over(driver, ".st-key-start-budget input", "25")
    type_over(driver, ".st-key-start-people input", "8")
    type_over(driver, ".st-key-start-at_once input", "8")
    radio(driver, "start-trainings", "3")
    wait_until_done(driver)
    for n, network in enumerate(("HybridSN（印第安松树）", "SSFTT（印第安松树）", "U-Net 512×512×200"), 1):
        choose(driver, f"start-train{n}-what", network)
        wait_until_done(driver)
    type_over(driver, ".st-key-start-train1-people input", "4")
    choose(driver, "start-train1-by", "每人每周次数")
    type_over(driver, ".st-key-start-train1-count input", "30")
    wait_until_done(driver)
    runs_a_year = 30 * 46 * 4  # 46 weeks are worked
    assert f"{runs_a_year:,}" in table_rows(driver, "start-jobs")[0]


def minute_6_answer(driver: webdriver.Chrome) -> None:
    """One sentence, three figures, three options with what each can do."""
    press(driver, "make")
    wait_for_text(driver, HEAD, f"在 {wan(BUDGET)}预算内")
    wait_until_done(driver)
    assert "可供 8 人同时训练" in text_of(driver, HEAD)
    assert len(metrics(driver)) == 3 and metrics(driver)[2] == "8 人"
    columns = [e.text for e in find_all(driver, ".st-key-rivals [data-testid=stColumn]")]
    assert len(columns) == 3
    for column in columns:
        assert re.search(r"同时训练：\d+ 人", column) and re.search(r"单次 [\d.]+ (分钟|小时)", column)
        assert tile_side(column) >= 512


def minute_8_best_use_of_the_budget(driver: webdriver.Chrome) -> None:
    """The other objective at the same screen, and what a fifth more would buy."""
    choose(driver, f"{LAB}-objective", "预算内配置最优")
    wait_for_text(driver, ".st-key-answer", "若须用足")
    wait_until_done(driver)
    spent = float(metrics(driver)[0].removesuffix(" 万元")) * 10_000
    assert 0.8 * BUDGET <= spent <= BUDGET
    press(driver, "next-money")
    wait_for_text(driver, ".st-key-next-money-text", f"预算增加 {wan(0.2 * BUDGET)}（至 {wan(1.2 * BUDGET)}）")
    wait_until_done(driver)


def minute_12_supply(driver: webdriver.Chrome) -> None:
    """Every option with its supply and day; the A5500 and the 6000 Ada by name."""
    open_expander(driver, "全部方案")
    options = table_rows(driver, "options")
    assert len(options) >= 6
    bought = supply(CARD)
    assert bought["status"] == "on_sale"
    large = [row for row in options if "RTX PRO 5000 Blackwell 48GB" in row[1]]
    assert large and all(any(c.startswith(f"在售（{day_zh(bought['as_of'])}") for c in row) for row in large)
    assert all(re.search(r"（\d{4}年\d+月\d+日", row[-2]) for row in options)
    open_expander(driver, "还买得到吗")
    words = {"remnant": "仅尾货", "not_exportable": "不可供货（出口管制）"}
    for typed, card in (("A5500", "rtx-a5500"), ("RTX 6000 Ada", "rtx-6000-ada")):
        choose(driver, f"{LAB}-supply", typed)
        row = supply(card)
        wait_for_text(driver, ".st-key-supply-answer", f"{words[row['status']]}（{day_zh(row['as_of'])}")
        wait_until_done(driver)
        newest = max((r for r in rows_of("prices.csv") if r["item_id"] == card), key=lambda r: r["as_of"])
        assert f"{float(newest['amount']):,.2f} 美元" in text_of(driver, ".st-key-supply-answer")


def minute_22_campus_and_what_else(driver: webdriver.Chrome) -> None:
    """Rate, wait and yearly cost of a campus cluster, every usual reason with its state; language models too."""
    open_expander(driver, "校级计算平台为什么不能满足")
    offers = {row[0]: row for row in table_rows(driver, "campus-offers")}
    for rental in rows_of("rentals.csv"):
        if rental["category"] == "campus" and rental["region"] == "CN":
            _, wait, rate, hours, cost, _ = offers[rental["name_zh"]]
            assert wait == "—" and rate == f"{float(rental['price_per_card_hour']):.2f} 元"
            yearly = float(rental["price_per_card_hour"]) * float(hours.replace(",", ""))
            assert abs(money_in(cost) - yearly) <= float(rental["price_per_card_hour"])
    states = {row[0]: row[1] for row in table_rows(driver, "campus-reasons")}
    assert states["排队过久"] == "待询" and states["数据不得出组"] == "不成立"
    assert {"需交互调试", "经费不能支付服务费"} <= set(states)
    open_expander(driver, "还能做什么")
    rows = table_rows(driver, "what-else")
    assert len(rows) == 3
    assert all("4 位量化" in row[2] and row[3].startswith("可以") and "批大小最多" in row[4] for row in rows)


def minute_15_several_cards(driver: webdriver.Chrome) -> None:
    """One line for each job, and that eight people with a card each need none of it."""
    turn_to(driver, "要不要多卡")
    lines = [e.text for e in find_all(driver, ".st-key-several-lines li")]
    assert len(lines) == 3
    assert all("8 人各自训练" in line or "不值得多卡并行" in line for line in lines)
    assert any(re.search(r"4 卡速度为单卡的 [\d.]+ 倍", line) for line in lines)


def minute_18_route(driver: webdriver.Chrome) -> None:
    """Total and price of each machine, class, what is asked for; the tiers of other universities at this amount."""
    turn_to(driver, "论证与导出")
    lines = text_of(driver, ".st-key-route").split("\n")
    total = money_in(next(x for x in lines if x.startswith("含税金额")))
    machines = [re.match(r"(\d+) 台，单价 ([\d,.]+) 元", x) for x in lines]
    assert abs(sum(int(m[1]) * float(m[2].replace(",", "")) for m in machines if m) - total) < 0.005
    route = "\n".join(lines)
    assert "大写：人民币" in route and re.search("服务器|图形工作站|台式计算机", route)
    assert "报价不少于 3 份" in route and "交货" in route
    open_expander(driver, "其他学校的规定")
    others = {row[0]: " ".join(row[1:]) for row in table_rows(driver, "other-rules")}
    (tier,) = [r for r in rows_of("procurement.csv") if r["id"] == "cn-jiliang" and r["from_amount"] == "100000"]
    asked = others["中国计量大学"]
    assert f"不少于 {tier['experts']} 名专家" in asked and f"公示 {tier['publicity_days']} 天" in asked
    assert "信息化部门审批" in others["中北大学（信息化项目）"]


def minute_30_quotation(driver: webdriver.Chrome, tmp_path: Path) -> None:
    """A whole machine: what is open is asked, then one row with tax, validity, warranty, delivery, difference."""
    turn_to(driver, "目录与报价")
    tab(driver, "导入报价")
    file = tmp_path / "报价.csv"
    file.write_text(QUOTE, encoding="utf-8")
    find(driver, ".st-key-quote-file input[type=file]").send_keys(str(file))
    wait_for_text(driver, "[data-testid=stMain]", "哪种主机最接近")
    wait_until_done(driver)
    choose(driver, "quote-row7-chassis", "7960")
    wait_for_text(driver, ".st-key-quote-machines", "212,000.00 元")
    wait_until_done(driver)
    ((_, parts, _, tax, valid, warranty, delivery, differs),) = table_rows(driver, "quote-machines")
    assert "4 × RTX PRO 5000 Blackwell 48GB" in parts and tax == "含税" and valid == "2027年1月31日"
    assert (float(warranty.split()[0]), float(delivery.split()[0])) == (3.0, 6.0)
    estimate = yuan(4 * price(CARD) + price(HOST) + price(DISK))
    below = 100 * (1 - QUOTED / estimate)
    share = f"{below:.1f}".removesuffix(".0")
    assert below > 0 and differs == f"低于目录估算 {share}%（估算 {wan(estimate)}）"
    press(driver, "take-quote")
    WebDriverWait(driver, PATIENCE_S, 0.1).until(lambda d: find_all(d, "[data-testid=stAlertContentSuccess]"))
    turn_to(driver, "方案")
    wait_until_done(driver)
    open_expander(driver, "全部方案")
    quoted = next(row for row in table_rows(driver, "options") if "报价（甲公司）" in row[0])
    assert quoted[2] == wan(QUOTED) and quoted[-2] == "整机已有报价（2026年11月28日）"


def minute_35_workbook(driver: webdriver.Chrome, folder: Path) -> None:
    """The quotation is chosen; sheets in finance's order, amount in words, the quoted line to the cent."""
    open_expander(driver, "修改配置")
    choose(driver, box(driver, "-start"), "报价")
    wait_until_done(driver)
    assert table_rows(driver, "configured")[0][2] == wan(QUOTED)
    press(driver, "take-configuration")
    wait_for_text(driver, HEAD, wan(QUOTED))
    wait_until_done(driver)
    turn_to(driver, "论证与导出")
    for old in folder.glob("*.xlsx"):
        old.unlink()
    press(driver, "download-workbook")
    workbook = openpyxl.load_workbook(arrived(folder, ".xlsx"), data_only=True)
    assert workbook.sheetnames[:5] == ["封面与签批", "摘要", "购置论证表", "方案比选", "配置与预算"]
    assert workbook.sheetnames[-1] == "运行记录"
    cover = [str(c) for row in workbook["封面与签批"].iter_rows(values_only=True) for c in row if c is not None]
    assert "人民币贰拾壹万贰仟元整" in cover and "资产管理部门" in cover
    lines = [row for row in workbook["配置与预算"].iter_rows(values_only=True) if "JG-2026-11" in row]
    assert QUOTED in lines[0]


def minute_45_three_changes(driver: webdriver.Chrome) -> None:
    """Three cards, ten terabytes, five years of warranty: each is checked at once, all are taken over and logged."""
    turn_to(driver, "方案")
    open_expander(driver, "修改配置")
    part = box(driver, "-cards")
    type_over(driver, f".st-key-{part} input", "3")
    wait_for_text(driver, "[data-testid=stMain]", "可行：1 台三卡 RTX PRO 5000")
    wait_until_done(driver)
    three = yuan(3 * price(CARD) + price(HOST) + price(DISK))
    assert table_rows(driver, "configured")[0][2] == wan(three)
    type_over(driver, f".st-key-{part.removesuffix('cards')}room input", "10")
    wait_for_text(driver, "[data-testid=stMain]", "所选存储容量不足 10")
    wait_until_done(driver)
    roomy = yuan(3 * price(CARD) + price(HOST) + price(NAS))
    assert table_rows(driver, "configured")[0][2] == wan(roomy)
    type_over(driver, f".st-key-{part.removesuffix('cards')}warranty input", "5")
    wait_until_done(driver)
    page = text_of(driver, "[data-testid=stMain]")
    assert f"在预算内，余 {wan(BUDGET - roomy)}" in page and re.search(r"单台满载 [\d,]+ W，电源 [\d,]+ W", page)
    press(driver, "take-configuration")
    wait_for_text(driver, HEAD, wan(roomy))
    wait_until_done(driver)
    turn_to(driver, "论证与导出")
    newest = table_rows(driver, "decision-log")[0][2]
    assert all(x in newest for x in ("每台显卡数：4 → 3", "数据容量（TB）：", " → 10", "质保（年）"))


def test_the_second_meeting_gross_or_net_which_card_and_how_to_buy_it(driver: webdriver.Chrome, address: str) -> None:
    """30,000 euros with tax: net amount and the limit beside it, three cards by name, requirements without brands."""
    visit(driver, address, "compare", lang="en", scenario="eu-lab", s="browser-test-meeting-0002")
    net = 30_000 / 1.19
    assert f"EUR 30,000 incl. tax; EUR {net:,.0f} excl. tax" in text_of(driver, "[data-testid=stSidebar]")
    for name in ("RTX A5500", "RTX 6000 Ada", "RTX PRO 6000 Blackwell Max-Q"):
        choose(driver, "compare-pick", name)
        wait_until_done(driver)
    rows = {row[0]: row[1:] for row in table_rows(driver, "head-to-head")}
    gigabytes = {r["id"]: int(r["memory_gib"]) for r in rows_of("cards.csv")}
    cards = ("rtx-a5500", "rtx-6000-ada", "rtx-pro-6000-blackwell-max-q")
    machines = rows["Configuration"]
    counts = {"one": 1, "two": 2, "four": 4}
    for card, machine, memory in zip(cards, machines, rows["Memory of a card / of the machine"], strict=True):
        (number,) = [n for word, n in counts.items() if f"with {word} " in machine]
        assert memory == f"{gigabytes[card]} GB / {gigabytes[card] * number} GB"
    assert all(float(cell.removeprefix("EUR ").replace(",", "")) <= 30_000 for cell in rows["Purchase, incl. tax"])
    assert all("at most" in cell for cell in rows["U-Net segmentation, tiles 512 x 512 x 200"])
    assert all("within the limit of 55 dBA" in cell for cell in rows["Noise"])
    assert all("ask purchasing" in cell for cell in rows["Framework contract"])
    assert [cell.split(" (")[0] for cell in rows["Available"]] == ["remaining stock only"] * 2 + ["on sale"]
    verdict = text_of(driver, ".st-key-verdict")
    assert verdict.startswith("Better: ") and "is better only where" in verdict
    turn_to(driver, "Report")
    wait_for_text(driver, ".st-key-route", "File note on the award")
    wait_until_done(driver)
    warnings = " ".join(e.text for e in find_all(driver, "[data-testid=stAlertContentWarning]"))
    assert f"EUR {net:,.0f} net, {100 * (net / 25_000 - 1):.1f} % above the limit of EUR 25,000 net" in warnings
    open_expander(driver, "Brand-neutral requirements")
    asked = [row[0] for row in table_rows(driver, "requirements-0")]
    assert asked and not any(re.search("NVIDIA|RTX|GeForce|Lenovo|Dell", line) for line in asked)


def test_the_third_meeting_what_we_own_is_enough_with_a_disk(driver: webdriver.Chrome, address: str) -> None:
    """Two RTX 3090: the disk first, a third card refused with reasons, campus and cloud, no pooled memory."""
    visit(driver, address, lang="en", scenario="owned-3090s", s="browser-test-meeting-0003")
    assert "NVMe SSD 4 TB for your 1 x desktop with two GeForce RTX 3090" in text_of(driver, HEAD)
    answer = text_of(driver, ".st-key-answer")
    assert "Review when the work exceeds" in answer and "storage sets the pace, not the card" in answer
    assert metrics(driver)[0] == f"CNY {yuan(price(DISK)):,.0f}"
    runs = {row[0]: row[1:] for row in table_rows(driver, "owned-jobs")}
    before, after, change = runs["U-Net segmentation, tiles 512 x 512 x 200"]
    assert float(before.split()[0]) / float(after.split()[0]) > 1.5 and change.endswith("times as fast")
    cards = text_of(driver, ".st-key-owned-cards")
    for reason in ("number 3, does not work", "9 slots; the case has 7", f"{(3 * 350 + 280) / 0.8:,.1f} W supply"):
        assert reason in cards
    assert "Other cards in place of the present ones" in cards and "second-hand (2026-01-01)" in cards
    open_expander(driver, "Why not the campus cluster")
    states = {row[0]: row[1] for row in table_rows(driver, "campus-reasons")}
    assert states["The queue is too long"] == "holds" and states["The money may not pay services"] == "does not hold"
    turn_to(driver, "What if")
    rent = text_of(driver, ".st-key-rent")
    assert "Campus cluster, 80 GB cards" in rent and "cloud-rtx-3090" in rent and "buying pays above" in rent
    turn_to(driver, "Several cards?")
    pool = text_of(driver, ".st-key-pool")
    assert "No: data parallelism" in pool and "joins exactly 2 of these cards" in pool
