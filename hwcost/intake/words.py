"""The words of vendors' files: column titles, totals, tax, components; Chinese, English and some German."""

from __future__ import annotations

import re

from hwcost.quantities import tidy

# field -> titles, compared without spaces, marks, tax words and currency words
TITLES: dict[str, tuple[str, ...]] = {
    "no": ("序号", "编号", "no", "item no", "pos", "position", "#", "line", "行号"),
    "model": ("型号", "规格型号", "产品型号", "设备型号", "型号规格", "料号", "货号", "物料编码", "model",
        "model no", "part number", "part no", "part", "pn", "p n", "sku", "mpn", "artikelnummer", "artikel nr",
        "型號", "modell"),
    "name": ("名称", "产品名称", "品名", "货物名称", "设备名称", "商品名称", "物品名称", "项目", "产品", "配件",
        "部件", "配件名称", "部件名称", "货品名称", "名稱", "name", "product", "product name", "item", "item name",
        "component", "bezeichnung", "artikel", "produkt", "item description", "description", "beschreibung"),
    "spec": ("规格", "配置", "详细配置", "配置明细", "配置说明", "主要配置", "技术参数", "参数", "描述",
        "规格参数", "主要参数", "產品規格", "specification", "specifications", "spec", "specs", "configuration",
        "config", "details", "konfiguration"),
    "brand": ("品牌", "厂家", "生产厂家", "制造商", "厂商", "brand", "manufacturer", "maker", "make", "hersteller"),
    "category": ("类别", "类型", "分类", "配件类别", "category", "type", "kategorie"),
    "quantity": ("数量", "台数", "件数", "数目", "采购数量", "數量", "qty", "quantity", "units", "pcs", "menge",
        "anzahl", "stück"),
    "unit": ("单位", "计量单位", "單位", "unit", "uom", "einheit"),
    "price": ("单价", "价格", "报价", "优惠价", "成交价", "优惠单价", "报价单价", "售价", "單價", "unit price",
        "price", "unit cost", "price each", "each", "price per unit", "list price", "offer price", "preis",
        "einzelpreis", "stückpreis", "unit"),
    # what is taken off the price of its row
    "discount": ("折扣", "折扣率", "折扣%", "优惠", "优惠率", "优惠额", "优惠金额", "折让", "让利", "下浮率",
        "discount", "discount %", "discount rate", "disc", "disc %", "disc%", "discount%", "rebate",
        "rabatt", "rabatt %", "rabatt%", "nachlass",
        "nachlass %"),
    "amount": ("金额", "总价", "总额", "合价", "小计", "合计", "总金额", "金額", "總價", "amount", "total",
        "line total", "total price", "subtotal", "extended price", "ext price", "sum", "gesamt", "gesamtpreis",
        "betrag", "summe", "positionspreis"),
    "memory": ("显存", "显存容量", "显存大小", "顯存", "vram", "gpu memory", "video memory", "graphics memory"),
    "card": ("显卡", "gpu", "显卡型号", "gpu型号", "加速卡", "图形卡", "计算卡", "顯卡", "graphics card",
        "gpu model", "graphics", "video card", "accelerator", "grafikkarte"),
    "cards": ("显卡数量", "gpu数量", "卡数", "gpu卡数", "gpu count", "number of gpus", "gpus", "gpu qty",
        "gpu quantity", "number of cards", "cards"),
    "cpu": ("cpu", "处理器", "cpu型号", "processor", "prozessor"),
    "ram": ("内存", "内存容量", "内存配置", "記憶體", "ram", "memory", "system memory", "host memory",
        "arbeitsspeicher"),
    "storage": ("硬盘", "存储", "固态硬盘", "硬盘配置", "系统盘", "数据盘", "storage", "ssd", "disk", "disks",
        "drive", "nvme", "festplatte"),
    "psu": ("电源", "电源配置", "电源功率", "psu", "power supply", "power supplies", "netzteil"),
    "chassis": ("机箱", "平台", "整机型号", "机型", "主机型号", "服务器型号", "整机平台", "准系统", "chassis",
        "platform", "barebone", "gehäuse"),
    "valid": ("有效期", "报价有效期", "有效期至", "有效期限", "截止日期", "報價有效期", "valid until", "validity",
        "valid to", "valid", "valid through", "expiry", "expires", "offer valid until", "quote valid until",
        "quotation valid until", "gültig bis"),
    "delivery": ("交货期", "货期", "交期", "供货期", "供货周期", "到货期", "交货时间", "交货", "供货", "到货", "交貨期",
        "delivery", "lead time", "delivery time", "delivery weeks", "lieferzeit"),
    "warranty": ("质保", "保修", "质保期", "保修期", "质保年限", "维保", "售后服务", "保固", "warranty",
        "guarantee", "warranty period", "garantie", "gewährleistung"),
    "quote_number": ("报价单号", "报价编号", "单号", "报价单编号", "报价号", "報價單號", "quote no",
        "quotation no", "quote number", "quotation number", "quote", "quotation", "quote id", "quote ref",
        "angebotsnummer", "angebot nr"),
    "vendor": ("供应商", "报价单位", "报价方", "报价公司", "卖方", "供方", "乙方", "供货商", "商家", "销售方",
        "供應商", "vendor", "supplier", "seller", "reseller", "from", "lieferant", "anbieter", "供应商名称"),
    "date": ("报价日期", "日期", "报价时间", "開立日期", "date", "quote date", "quotation date", "date of quote",
        "issued", "date of issue", "angebotsdatum", "datum"),
    "currency": ("币种", "货币", "幣別", "currency", "währung"),
    "tax": ("税", "是否含税", "税费", "tax included", "includes tax", "vat included", "tax", "vat", "mwst"),
    "tax_rate": ("税率", "增值税率", "vat rate", "tax rate", "vat %", "tax %", "steuersatz"),
    "note": ("备注", "说明", "備註", "remark", "remarks", "note", "notes", "comment", "comments", "bemerkung"),
}  # fmt: skip
NAME_FIELDS = ("model", "name", "spec", "card")
MONEY_FIELDS = ("price", "amount")
FACT_FIELDS = ("vendor", "quote_number", "date", "valid", "delivery", "warranty", "currency", "tax", "tax_rate")
PART_FIELDS = ("chassis", "cpu", "card", "ram", "storage", "psu")

NET = re.compile(
    r"不含\s*增?值?税|未税|未稅|不含稅|税前|除税|\bnet\b|\bnetto\b|(excl(\.|uding|usive( of)?|udes?)?|"
    r"ex\.?|w/o|without|before|plus|zzgl\.?|ohne)\s*([0-9]+ ?% ?)?(sales )?(vat|tax|gst|mwst|ust)",
    re.IGNORECASE,
)
GROSS = re.compile(
    r"含\s*([0-9]+(\.[0-9]+)?% ?)?(增值)?[税稅]|税后|价税合计|\bgross\b|\bbrutto\b|(incl(\.|uding|"
    r"usive( of)?|udes?)?|w/|with|after|inkl\.?)\s*([0-9]+ ?% ?)?(sales )?(vat|tax|gst|mwst|ust)",
    re.IGNORECASE,
)
CURRENCY_TITLES = (("人民币", "CNY"), ("rmb", "CNY"), ("cny", "CNY"), ("美元", "USD"), ("美金", "USD"),
    ("us$", "USD"), ("usd", "USD"), ("欧元", "EUR"), ("eur", "EUR"), ("英镑", "GBP"), ("gbp", "GBP"),
    ("港币", "HKD"), ("hkd", "HKD"), ("日元", "JPY"), ("jpy", "JPY"), ("万元", "CNY"), ("元", "CNY"), ("¥", "CNY"),
    ("€", "EUR"), ("£", "GBP"), ("$", "USD"))  # fmt: skip

SCALES = (
    (re.compile(r"(?<![\d.,])\s?亿元"), 1e8), (re.compile(r"(?<![\d.,])\s?百万元"), 1e6),
    (re.compile(r"(?<![\d.,百千])\s?万(人民币)?元"), 1e4), (re.compile(r"(?<![\d.,])\s?千元"), 1e3),
    (re.compile(r"\b[kt](€|\$|£|eur\b|usd\b|cny\b|rmb\b)|\b(in|of) (thousands?|tausend|tsd)\b|\btsd\.? ?(€|eur)|"
                r"(€|\beur|\$|\busd)'?000\b", re.IGNORECASE), 1e3),
)  # fmt: skip
ABOUT_UNIT = re.compile(
    r"单位|币种|货币|金额|单价|价格|报价|currency|prices?\b|amounts?\b|figures\b|unit|preise|beträge|angaben",
    re.IGNORECASE,
)
# words of a reduction of the whole: "优惠后总价", "less 5 % discount"
DISCOUNT = re.compile(
    r"优惠|折扣|折后|折让|让利|抹零|下浮|\bdiscount|\brebate|rabatt|nachlass|skonto|\bspecial (price|offer)",
    re.IGNORECASE,
)
TOTALS = ("合计", "总计", "共计", "总价", "总金额", "价税合计", "含税合计", "不含税合计", "合计金额", "总报价",
    "合计大写", "total", "grand total", "sum", "total amount", "total price", "gesamt", "gesamtsumme", "summe",
    "合計", "總計")  # fmt: skip
SUBTOTALS = ("小计", "小計", "subtotal", "sub total", "zwischensumme", "net total", "total net")
TAX_LINE = re.compile(
    r"^(\+|plus|zzgl\.?)? ?(\d+(\.\d+)? ?% ?)?(vat|sales tax|gst|mwst|ust|增值税|税额|税金)[ .:(]*(\d+(\.\d+)? ?%)?\)?$"
)
TAX_LINES = ("税额", "税金", "增值税", "税费", "vat", "tax", "sales tax", "mwst", "ust")
EXTRAS = re.compile(
    r"运费|运输|物流|安装|调试|培训|上门|软件|操作系统|授权|线材|鼠标|键盘|显示器|机柜|技术服务|维保|"
    r"延保|freight|shipping|installation|training|warranty|garantie|质保|software|licen[cs]e|monitor|keyboard|support|"
    r"service|versand",
    re.IGNORECASE,
)
MACHINE = re.compile(
    r"整机|工作站|服务器|主机|一体机|塔式|机架式|台式机|\bworkstations?\b|\bservers?\b|\bdesktops?\b|"
    r"\btowers?\b|\bmachines?\b|\bsystems?\b|\bgpu box\b|\brechner\b",
    re.IGNORECASE,
)


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


CATEGORIES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("card", _words(
        r"显卡|\bgpu|加速卡|计算卡|图形卡|\brtx|\bgtx|geforce|quadro|tesla|graphics card|"
        r"\b[ahlv]\d{2,3}s?\b|昇腾|ascend"
    )),
    ("cpu", _words(
        r"\bcpu\b|处理器|xeon|epyc|ryzen|threadripper|至强|霄龙|线程撕裂者|\bcore (i|"
        r"ultra)|\bi[579]-|processor|prozessor"
    )),
    ("psu", _words(r"电源|psu|power suppl|netzteil|\b\d{3,4} ?w\b")),
    ("storage", _words(r"硬盘|固态|\bssd\b|nvme|\bhdd\b|u\.2|\bm\.2\b|\bdisk|\bsata\b|存储|festplatte")),
    ("ram", _words(r"内存|\bddr[345]\b|\brdimm\b|\budimm\b|\bram\b|memory|arbeitsspeicher")),
    ("chassis", _words(r"机箱|平台|准系统|chassis|barebone|platform|case\b|gehäuse")),
    ("other", _words(r"主板|散热|风扇|网卡|motherboard|mainboard|cooler|\bfans?\b|\bnic\b")),
)  # fmt: skip
PER_CARD_MEMORY = re.compile(r"(?<![\d.])(\d{1,3}) ?g(?:i?b)?(?![a-z])", re.IGNORECASE)


def plain_title(text: str) -> str:
    """A column title without marks, brackets' units, tax words and currency words: "含税单价（元）" -> "单价"."""
    plain = tidy(text).lower()
    plain = GROSS.sub(" ", NET.sub(" ", plain))
    plain = re.sub(r"\((?:[^()]*)\)|\[[^\]]*\]|/ ?(?:元|万元|rmb|cny|usd|eur|台|块|张|年|周|gb|gib)$", " ", plain)
    plain = re.sub(r"\b(?:rmb|cny|usd|eur|gbp|hkd|jpy)\b|人民币|美元|欧元|万元|[¥€£$]", " ", plain)
    return re.sub(r"[\s:：.,;*_\-/|]+", " ", plain).strip()


_FIELDS = {plain_title(title) or title: name for name, titles in TITLES.items() for title in reversed(titles)}
_FIELDS |= {"unit": "unit", "含税": "price", "不含税": "price"}


def field_of(text: str) -> str:
    """The field that a title names; "" where none. A title of tax words alone ("含税", "net") names a price."""
    plain = plain_title(text)
    if plain in _FIELDS:
        return _FIELDS[plain]
    squeezed = plain.replace(" ", "")
    if squeezed in _FIELDS:
        return _FIELDS[squeezed]
    if not plain and text.strip() and tax_of(text) is not None:
        return "price"
    if (
        re.search(r"[\u4e00-\u9fff]", squeezed) and len(squeezed) <= 8
    ):  # "设备单价", "优惠后总价": the word at the end counts
        for length in range(len(squeezed) - 1, 1, -1):
            if squeezed[-length:] in _FIELDS:
                return _FIELDS[squeezed[-length:]]
    # "折后价", "your price", "Sonderpreis": another price beside the first, and one of the two is not what is paid
    return "price" if len(plain) <= 24 and re.search(r"价$|\bprice$|preis$", plain) else ""


def tax_of(text: str) -> bool | None:
    """True where a text says that tax is included, False where not; None where it says nothing, or both."""
    plain = tidy(text)
    net = NET.search(plain) is not None
    gross = GROSS.search(NET.sub(" ", plain)) is not None
    return None if net == gross else gross


def is_total(text: str) -> str:
    """ "total", "subtotal" or "tax" where a row begins with such words; "" else. No product begins with 合计."""
    plain = tidy(text).lower()
    first = label(text)
    if first in SUBTOTALS or plain.startswith(("小计", "小計")):
        return "subtotal"
    if first in TAX_LINES or TAX_LINE.match(plain):
        return "tax"
    return "total" if first in TOTALS or plain.startswith(("合计", "总计", "共计", "价税合计", "合計", "總計")) else ""


def currency_of(text: str) -> str:
    """The currency that a title names, else ""."""
    plain = tidy(text).lower()
    return next((code for word, code in CURRENCY_TITLES if word in plain), "")


def scale_of(text: str) -> float:
    """10,000 where a title counts in 万元, 1,000 in 千元 or k€; else 1. "12万元" is an amount, not a unit."""
    plain = tidy(text).replace("萬", "万")
    return next((scale for pattern, scale in SCALES if pattern.search(plain)), 1.0)


def unit_of_money(text: str) -> float:
    """The unit that a sentence around the table gives its figures ("单位：万元", "all amounts in k€"); else 1."""
    return scale_of(text) if ABOUT_UNIT.search(tidy(text)) else 1.0


def label(text: str) -> str:
    """A row's first words for comparison with those of totals: "合计（大写）：" -> "合计", "Total EUR" -> "total"."""
    plain = re.sub(r"\([^()]*\)", "", tidy(text).lower())
    plain = re.sub(
        r"\b(?:rmb|cny|usd|eur|gbp|incl\.?|excl\.?|net|gross|vat|tax|of)\b|含税|不含税|人民币|大写|小写|[:：;,.\s*_\-]",
        " ",
        plain,
    )
    return re.sub(r"\s+", " ", plain).strip()


def category_of(text: str) -> str:
    """The kind of component that a text is about; "" where none is named. A "GPU workstation" is no card."""
    plain = tidy(text)
    if MACHINE.search(plain):
        plain = re.sub(r"\bgpu\b|gpu(?=[\u4e00-\u9fff])|显卡", " ", plain, flags=re.IGNORECASE)
    return next((name for name, pattern in CATEGORIES if pattern.search(plain)), "")
