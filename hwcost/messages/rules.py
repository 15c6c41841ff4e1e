"""Names and sentences of the rules that a choice can break, and `sentence`, which fills one with its amounts."""

from __future__ import annotations

from typing import Any

from hwcost.messages import say, texts
from hwcost.rules import Breach

NAMES = {
    # builds
    "slots": ("Slots in the case", "机箱插槽"),
    "card_count": ("Number of cards in the case", "机箱可装显卡数"),
    "card_length": ("Card length", "显卡长度"),
    "psu_watts": ("Power-supply capacity and redundancy", "电源功率与冗余"),
    "psu_connectors": ("Power connectors for the cards", "显卡供电接口"),
    "psu_form": ("Form of the power supply", "电源规格"),
    "psu_low_line": ("Power-supply capacity at 100-127 V", "100～127 V 市电下的电源功率"),
    "passive_airflow": ("Airflow for passive cards", "被动散热显卡的风道"),
    "open_air_stacking": ("Heat of open-air cards side by side", "开放式散热显卡并排散热"),
    "availability": ("Available to buy", "可采购性（在售、供货、质保）"),
    "no_price": ("Price known", "有无价格"),
    "no_fx": ("Exchange rate known", "有无汇率"),
    "excluded_by_user": ("Outside the selection", "不在选择范围内"),
    "circuit": ("Power circuit", "供电回路"),
    "noise": ("Noise and heat", "噪声与散热"),
    "rack_units": ("Rack units", "机柜高度（U 位）"),
    "datacentre_licence": ("Data-centre licence", "数据中心授权"),
    "no_throughput": ("Measured throughput", "实测性能"),
    "storage_capacity": ("Storage capacity", "存储容量"),
    "rack_place": ("Place for a rack machine", "机架设备的安放场所"),
    # ways to run a job
    "memory": ("Memory on one card", "单卡显存"),
    "deadline": ("Longest acceptable run", "单次训练时限"),
    "ecc": ("ECC memory", "纠错显存"),
    "precision": ("Number format", "数值精度"),
    "software": ("Software support", "软件支持"),
    "batchnorm": ("Batch for batch-norm statistics", "批归一化所需批大小"),
    "batch_too_small": ("Batch per card", "每卡批大小"),
    "accumulation_off": ("Gradient accumulation", "梯度累积"),
    "multi_card_off": ("Several cards for one run", "单个任务多卡并行"),
    "host_memory": ("Memory of the host", "主机内存"),
    "link": ("Link between the cards", "卡间互联"),
    # the whole plan
    "budget": ("Purchase budget", "购置预算"),
    "card_hours": ("Card-hours per year", "年卡时"),
    "people_at_once": ("People training at once", "同时训练人数"),
    "demand": ("Work per year", "年任务量"),
    "packing": ("Jobs placed on whole machines", "任务在整机上的安排"),
    "circuit_load": ("Load of the power circuits", "供电回路负载"),
    "distinct_builds": ("Number of different machines", "机型数量"),
    "max_nodes": ("Number of machines", "整机台数"),
    "rack_units_total": ("Rack units in all", "机柜总高度（U 位）"),
}

SENTENCES = {
    "slots": (
        "{cards} cards of {slot_width} slots need {need} slots; the case has {have}.",
        "{cards} 张 {slot_width} 槽卡需 {need} 槽，机箱仅有 {have} 槽。",
    ),
    "card_count": (
        "{cards} cards of {slot_width} slots; the case takes {limit} of that width.",
        "需装 {cards} 张 {slot_width} 槽卡，机箱最多可装 {limit} 张此宽度的卡。",
    ),
    "card_length": (
        "The card is {length_mm:.0f} mm long; the case takes {limit_mm:.0f} mm.",
        "显卡长 {length_mm:.0f} mm，机箱限长 {limit_mm:.0f} mm。",
    ),
    "psu_watts": (
        "Cards {cards_w:,.0f} W and host {host_w:,.0f} W, loaded to 80 %, need a {need_w:,g} W supply; "
        "{count} x {psu} gives {usable_w:,.0f} W.",
        "显卡 {cards_w:,.0f} W、主机 {host_w:,.0f} W，按 80% 负载需 {need_w:,g} W 电源；"
        "{count} 个 {psu} 可用 {usable_w:,.0f} W。",
    ),
    "psu_connectors": (
        "The cards need {need} {connector} power plugs; {count} x {psu} has {have}.",
        "显卡需 {need} 个 {connector} 供电接口，{count} 个 {psu} 仅有 {have} 个。",
    ),
    "psu_form": (
        "The case takes only a power supply of the form {form}; none at hand fits.",
        "机箱只能安装{form}电源，没有可用的型号。",
    ),
    "psu_low_line": (
        "At {volts:.0f} V, {count} x {psu} gives only {usable_w:,.0f} W of the {need_w:,g} W needed "
        "(cards {cards_w:,.0f} W and host {host_w:,.0f} W, loaded to 80 %); "
        "at 200-240 V it gives {high_line_w:,.0f} W.",
        "{volts:.0f} V 市电下，{count} 个 {psu} 仅可输出 {usable_w:,.0f} W，"
        "而显卡 {cards_w:,.0f} W、主机 {host_w:,.0f} W 按 80% 负载需 {need_w:,g} W；"
        "200～240 V 时可输出 {high_line_w:,.0f} W。",
    ),
    "passive_airflow": (
        "{card} has no fan of its own and needs the airflow of a server; this case does not give it.",
        "{card} 为被动散热，须依靠服务器风道，该机箱不具备。",
    ),
    "open_air_stacking": (
        "{cards} open-air cards side by side heat one another and slow down; this case bears {limit}.",
        "{cards} 张开放式散热显卡并排会相互加热而降频，该机箱最多并排 {limit} 张。",
    ),
    "availability": (
        "{item} is not free to buy in {region}: {status} (as of {as_of}).",
        "{item} 在{region}的可采购性为“{status}”（截至 {as_of}），不可直接采购。",
    ),
    "no_price": (
        "{item} has no price. Add a price row or a quotation.",
        "{item} 没有价格，请补充价格或报价单。",
    ),
    "no_fx": (
        "{item} is priced in {currency}, and no dated exchange rate to {to} is known. Add one with its source.",
        "{item} 以 {currency} 计价，缺少有日期的兑 {to} 汇率，请补充并注明来源。",
    ),
    "excluded_by_user": (
        "The scenario's selection leaves {item} out.",
        "方案设定的选择范围不含 {item}。",
    ),
    "circuit": (
        "At full load the machine draws {peak_w:,.1f} W; the largest circuit carries {limit_w:,g} W "
        "continuously at {volts:.0f} V.",
        "整机满载需 {peak_w:,.1f} W，最大供电回路在 {volts:.0f} V 下可持续承载 {limit_w:,g} W。",
    ),
    "noise": (
        "The machine makes {noise_dba:.0f} dB(A); the place bears {limit_dba:.0f} dB(A).",
        "整机噪声 {noise_dba:.0f} dB(A)，该场所可接受 {limit_dba:.0f} dB(A)。",
    ),
    "rack_units": (
        "The machine takes {need} rack units; {have} are free.",
        "整机占用 {need} U，机柜可用 {have} U。",
    ),
    "datacentre_licence": (
        "The driver of {card} is not licensed for a machine room.",
        "{card} 的驱动程序许可不允许用于机房（数据中心）。",
    ),
    "no_throughput": (
        "No measured training throughput of {card} is known, so its hours cannot be told.",
        "缺少 {card} 的实测训练性能，无法估算机时。",
    ),
    "storage_capacity": (
        "The data need {need_tb:g} TB; this storage holds {have_tb:g} TB.",
        "数据需 {need_tb:g} TB，该存储容量为 {have_tb:g} TB。",
    ),
    "rack_place": (
        "A rack machine needs a rack in a machine room; it does not suit this place: {place}.",
        "机架式设备须安装在机房机柜内，不宜放在{place}。",
    ),
    "memory": (
        "One run needs {need_gib:.1f} GiB on one card (batch {micro_batch}); {usable_gib:.1f} GiB may be used.",
        "单卡需 {need_gib:.1f} GiB 显存（批大小 {micro_batch}），卡上可用 {usable_gib:.1f} GiB。",
    ),
    "deadline": (
        "One run takes {hours:,.1f} hours; at most {limit_hours:,.1f} are accepted.",
        "单次训练需 {hours:,.1f} 小时，时限为 {limit_hours:,.1f} 小时。",
    ),
    "ecc": (
        "The work asks for ECC memory; {card} has none.",
        "任务要求纠错显存，{card} 不具备。",
    ),
    "precision": (
        "{card} does not compute in the number format asked for: {precision}.",
        "{card} 不支持所要求的数值精度：{precision}。",
    ),
    "software": (
        "Current PyTorch no longer serves {card}.",
        "当前版本的 PyTorch 已不再支持 {card}。",
    ),
    "batchnorm": (
        "Batch norm needs at least {minimum} samples per card and step; this way has {per_card}.",
        "批归一化要求每卡每步至少 {minimum} 个样本，此方式仅 {per_card} 个。",
    ),
    "batch_too_small": (
        "A batch of {batch} cannot be spread over {cards} cards.",
        "批大小 {batch} 无法分到 {cards} 张卡上。",
    ),
    "accumulation_off": (
        "{micro_batch} samples of the batch of {batch} fit at a time, and gradient accumulation is not allowed.",
        "批大小 {batch} 中每次只能放入 {micro_batch} 个样本，而该任务不允许梯度累积。",
    ),
    "multi_card_off": (
        "This work is not to be spread over several cards.",
        "该任务不允许多卡并行。",
    ),
    "host_memory": (
        "The processes need {need_gib:.0f} GiB of host memory; the machine has {ram_gib:.0f} GiB.",
        "训练进程需主机内存 {need_gib:.0f} GiB，整机配备 {ram_gib:.0f} GiB。",
    ),
    "link": (
        "The catalog has no bandwidth for a link that joins {cards} of these cards; add a row to links.csv.",
        "目录中没有 {cards} 张此类显卡互联的带宽数据，请在 links.csv 中补充。",
    ),
    "budget": (
        "Purchases cost {value}; the budget is {limit}.",
        "购置费 {value}，预算 {limit}。",
    ),
    "card_hours": (
        "The work needs more card-hours a year than the cards give.",
        "任务所需年卡时超出显卡可提供的卡时。",
    ),
    "people_at_once": (
        "{need} people train at once; there are cards for {have}.",
        "高峰需 {need} 人同时训练，显卡仅够 {have} 人。",
    ),
    "demand": (
        "Only {share:.0%} of the work that must be done is served.",
        "必须完成的任务仅能完成 {share:.0%}。",
    ),
    "packing": (
        "The jobs that run at once do not fit on whole machines.",
        "同时运行的任务无法安排到各整机的显卡上。",
    ),
    "circuit_load": (
        "The machines on one circuit draw {value_w:,.0f} W; it carries {limit_w:,.0f} W continuously.",
        "同一回路上的整机共需 {value_w:,.0f} W，该回路可持续承载 {limit_w:,.0f} W。",
    ),
    "distinct_builds": (
        "{value} different machines are chosen; at most {limit} are allowed.",
        "共选用 {value} 种机型，最多允许 {limit} 种。",
    ),
    "max_nodes": (
        "{value} machines are chosen; at most {limit} are allowed.",
        "共选用 {value} 台整机，最多允许 {limit} 台。",
    ),
    "rack_units_total": (
        "The machines take {value} rack units; {limit} are free.",
        "整机共占用 {value} U，机柜可用 {limit} U。",
    ),
    # why the cards of one machine talk slower than a reader may expect (notes, not rules)
    "link_no_p2p": (
        "{card} has no peer-to-peer access over PCIe: data between cards pass through host memory.",
        "{card} 不支持 PCIe 点对点传输，卡间数据须经主机内存中转。",
    ),
    "link_pairs_only": (
        "An NVLink bridge joins only {joined} {card}, so a ring over {cards} cards runs at PCIe speed.",
        "NVLink 桥接器只能连接 {joined} 张 {card}，{cards} 卡环路仍按 PCIe 速度计算。",
    ),
    "link_no_bridge": (
        "No NVLink bridge is counted; the {card} cards talk at PCIe speed.",
        "未计入 NVLink 桥接器，{card} 卡间通信按 PCIe 速度计算。",
    ),
}

# why an item is left out whole, as the heading of a list of items
REASONS = {
    "no_price": ("No price in the catalog", "目录中没有价格"),
    "no_fx": ("No exchange rate for its price", "缺少价格所用货币的汇率"),
    "availability": ("Not on sale here", "本地区不可直接采购"),
    "availability_status": ("Not on sale here ({status})", "本地区不可直接采购（{status}）"),
    "excluded_by_user": ("Left out by the scenario's selection", "不在方案设定的选择范围内"),
    "no_throughput": ("No measured training throughput", "缺少实测训练性能"),
    "storage_capacity": ("Too small for the data", "容量不足以存放数据"),
}

# codes that stand in the values of a breach: field -> code -> (en, zh)
CODES = {
    "status": {
        "on_sale": ("on sale", "在售"),
        "remnant": ("remaining stock only", "仅尾货"),
        "discontinued": ("discontinued", "已停产"),
        "not_exportable": ("not exportable to this region", "不可供货（出口管制）"),
        "used": ("used goods only", "仅二手"),
        "modified": ("modified goods", "改装货"),
        "to_check": ("to be checked with a vendor", "需核实"),
    },
    "region": {"CN": ("China", "中国"), "US": ("the United States", "美国"), "EU": ("the European Union", "欧盟")},
    "connector": {
        "pcie6": ("6-pin PCIe", "6 针 PCIe"),
        "pcie8": ("8-pin PCIe", "8 针 PCIe"),
        "eps8": ("8-pin EPS", "8 针 EPS"),
        "v12_2x6": ("12V-2x6", "12V-2x6"),
    },
    "form": {
        "atx": ("ATX", " ATX "),
        "crps:generic": ("CRPS (server module of no maker)", "通用 CRPS 冗余模块"),
        "maker": ("{maker} server module (CRPS)", "{maker}服务器冗余模块（CRPS）"),
        "fixed": ("built into this case", "该机型自带的"),
    },
    "maker": {
        "asus": ("ASUS", "华硕"),
        "gigabyte": ("Gigabyte", "技嘉"),
        "lenovo": ("Lenovo", "联想"),
        "supermicro": ("Supermicro", "超微"),
    },
    "place": {
        "office": ("office", "办公室"),
        "lab": ("laboratory", "实验室"),
        "department_room": ("department machine room", "学院机房"),
        "machine_room": ("machine room", "校级机房"),
    },
    "precision": {
        "fp32": ("32-bit (FP32)", "32 位（FP32）"),
        "torch_default": ("PyTorch's default", "PyTorch 默认精度"),
        "tf32": ("TF32", "TF32"),
        "amp16": ("mixed precision (FP16)", "混合精度（FP16）"),
        "bf16": ("16-bit brain float (BF16)", "BF16"),
    },
}

TEXTS = {
    **{f"rulename.{rule}": {"en": en, "zh": zh} for rule, (en, zh) in NAMES.items()},
    **{f"leftout.{rule}": {"en": en, "zh": zh} for rule, (en, zh) in REASONS.items()},
    **{f"rule.{rule}": {"en": en, "zh": zh} for rule, (en, zh) in SENTENCES.items()},
    **{
        f"rulecode.{name}.{code}": {"en": en, "zh": zh}
        for name, codes in CODES.items()
        for code, (en, zh) in codes.items()
    },
    "problem.build_unknown_id": {
        "en": "{machine} names an item that the catalog does not have. Add the item, or correct the id.",
        "zh": "{machine} 引用了目录中不存在的条目，请补充该条目或更正编号。",
    },
}


class _Amount(float):
    """A number that prints with thousands separators and no idle decimals where a sentence asks for no format."""

    def __format__(self, spec: str) -> str:
        if spec:
            return super().__format__(spec)
        return f"{self:,.2f}".rstrip("0").rstrip(".")


def sentence(breach: Breach, lang: str) -> str:
    """The breach in words: codes among its values (status, place, connector, ...) are words too.

    A value `x_zh` beside `x` is its Chinese name.
    """
    values: dict[str, Any] = {}
    for name, given in breach.values.items():
        value = breach.values.get(f"{name}_zh", given) if lang == "zh" else given
        key = f"rulecode.{name}.{value}"
        if key in texts():
            values[name] = say(key, lang)
        elif name == "form" and isinstance(value, str):
            values[name] = _module(value.partition(":")[2], lang)
        else:
            values[name] = _Amount(value) if isinstance(value, float) else value
    return say(f"rule.{breach.rule}", lang, **values)


def _module(maker: str, lang: str) -> str:
    """A server module that fits the cases of one maker; a maker that the program does not know keeps its code."""
    key = f"rulecode.maker.{maker}"
    unknown = f" {maker} " if lang == "zh" else maker
    return say("rulecode.form.maker", lang, maker=say(key, lang) if key in texts() else unknown)


def rule_name(breach: Breach, lang: str) -> str:
    """The short name of the rule that is broken."""
    return say(f"rulename.{breach.rule}", lang)
