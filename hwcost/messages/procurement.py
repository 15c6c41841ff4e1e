"""Words of the procurement route, of amounts in words, and of brand-neutral requirements."""

from __future__ import annotations

AMOUNTS = {
    "sentence": ("{words} {currency} and {cents}/100", "{words}{currency}{cents}"),
    "CNY": ("Chinese yuan", "人民币"),
    "USD": ("US dollars", "美元"),
    "EUR": ("euros", "欧元"),
    "GBP": ("pounds sterling", "英镑"),
    "JPY": ("Japanese yen", "日元"),
    "HKD": ("Hong Kong dollars", "港元"),
}

ASSETS = {
    "server": ("server", "服务器"),
    "workstation": ("graphics workstation", "图形工作站"),
    "desktop": ("desktop computer", "台式计算机"),
    "part": ("parts for a machine in use", "计算机配件"),
}

ROUTE = {
    "asset": ("{name} (CPV {code})", "{name}（CPV {code}）"),
    "doc.quotes": ("at least {count} quotations", "报价不少于 {count} 份"),
    "doc.quotes_age": (
        "at least {count} quotations, none older than {days} days", "报价不少于 {count} 份，出具不超过 {days} 天",
    ),
    "doc.experts": ("opinion of at least {count} experts", "不少于 {count} 名专家的论证意见"),
    "doc.experts_external": (
        "opinion of at least {count} experts, {external} of them external",
        "不少于 {count} 名专家的论证意见，其中校外 {external} 名",
    ),
    "doc.publicity": ("publicity for {days} days", "公示 {days} 天"),
    "delivery.known": ("{day} at the earliest", "最早 {day}"),
    "delivery.open": (
        "{day} at the earliest, the time of the procedure not counted", "最早 {day}（未计采购程序所需时间）",
    ),
    "delivery.unknown": ("not known: no quotation states a delivery time", "未知：尚无报价给出交货期"),
    "delivery.late": ("; later than {day}, by which the money has to be spent", "，晚于经费使用期限 {day}"),
    "split": (
        "Split purchases: {count} purchases of one class ({asset}) fall within twelve months, together {amount}. "
        "They count as one; splitting to stay below a limit is not allowed.",
        "拆分采购提示：12 个月内同类（{asset}）采购 {count} 次，合计 {amount}，应合并计算，不得为规避限额而拆分。",
    ),
    "split_lifts": (
        "Split purchases: {count} purchases of one class ({asset}) fall within twelve months. Together they come to "
        "{amount} and reach a higher band than any of them alone: the higher one applies.",
        "拆分采购提示：12 个月内同类（{asset}）采购 {count} 次，合计 {amount}，合并后进入更高一档，应按该档办理。",
    ),
    "near_net_above": (
        "{subject}: {gross} incl. tax is {amount} net, {share} above the limit of {limit} net.",
        "{subject}：含税 {gross} 合不含税 {amount}，高于 {limit}（不含税）的限额 {share}。",
    ),
    "near_net_below": (
        "{subject}: {gross} incl. tax is {amount} net, {share} below the limit of {limit} net.",
        "{subject}：含税 {gross} 合不含税 {amount}，低于 {limit}（不含税）的限额 {share}。",
    ),
    "near_gross_above": (
        "{subject}: {amount} incl. tax is {share} above the limit of {limit}.",
        "{subject}：含税 {amount}，高于 {limit} 的限额 {share}。",
    ),
    "near_gross_below": (
        "{subject}: {amount} incl. tax is {share} below the limit of {limit}.",
        "{subject}：含税 {amount}，低于 {limit} 的限额 {share}。",
    ),
    "server_standard": (
        "Servers: ask whether the State's requirement standard for general servers (Cai Ku [2023] No. 33) applies; "
        "where it does, its items marked * have to stand in the requirements.",
        "服务器：请确认是否适用《通用服务器政府采购需求标准（2023年版）》（财库〔2023〕33号）；适用的，须将其标“*”指标列入采购需求。",
    ),
    "subject.purchase": ("The purchase", "本次采购"),
    "subject.budget": ("The budget", "设备预算"),
}  # fmt: skip

REQUIREMENTS = {
    "cards": ("Accelerator cards in each machine", "每台加速卡数量"),
    "machines": ("Machines", "台数"),
    "memory": ("Memory of one card", "单卡显存容量"),
    "bandwidth": ("Memory bandwidth of one card", "单卡显存带宽"),
    "tensor": ("16-bit matrix rate of one card, dense", "单卡 16 位矩阵运算速率（稠密）"),
    "fp32": ("32-bit rate of one card", "单卡单精度浮点速率"),
    "power": ("Power of one machine under full load", "整机满载功率"),
    "ecc": ("Error-correcting card memory", "显存纠错（ECC）"),
    "framework": ("Runs the current releases of common training frameworks", "支持通用训练框架的现行版本"),
    "ram": ("Main memory", "系统内存"),
    "cores": ("Processor cores", "处理器核数"),
    "capacity": ("Local data storage", "本地数据存储容量"),
    "read": ("Sustained reading of the data storage", "数据存储持续读取速率"),
    "psu": ("Rated output of the power supply", "电源额定输出功率"),
    "noise": ("Noise in operation", "运行噪声"),
    "warranty": ("Warranty on site", "整机质保期"),
    "yes": ("required", "须具备"),
    "warning": (
        "Only {count} products of the catalog meet all the requirements on cards at once: fewer than three. Widen the "
        "requirement, or give the reason for a single source.",
        "目录中同时满足全部显卡要求的产品仅 {count} 种，不足三种：请放宽要求，或说明单一来源的理由。",
    ),
    "warning_one": (
        "“{name}”: only {count} products of the catalog meet it.", "“{name}”：目录中仅 {count} 种产品满足。",
    ),
    "enough": (
        "{count} products of the catalog meet all the requirements on cards at once.",
        "目录中有 {count} 种产品同时满足全部显卡要求。",
    ),
    "margin_note": (
        "Values are those of the chosen configuration less {margin}, rounded down; never less than the work needs.",
        "数值按所选配置下浮 {margin} 取整，且不低于任务所需。",
    ),
}  # fmt: skip

REQUIREMENT_UNITS = {
    "node": ("machine(s)", "台"),
    "card": ("card(s)", "张"),
    "core": ("cores", "核"),
    "year": ("years", "年"),
}


def _entries(prefix: str, words: dict[str, tuple[str, str]]) -> dict[str, dict[str, str]]:
    return {f"{prefix}{name}": {"en": en, "zh": zh} for name, (en, zh) in words.items()}


TEXTS: dict[str, dict[str, str]] = {
    **_entries("amount.", AMOUNTS),
    **_entries("asset.", ASSETS),
    **_entries("route.", ROUTE),
    **_entries("requirement.", REQUIREMENTS),
    **_entries("requnit.", REQUIREMENT_UNITS),
}
