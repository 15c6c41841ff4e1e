"""Words of rules on years, funds, services, owned machines, stock and own hours, and of the costs they bring."""

from __future__ import annotations

NAMES = {
    "equipment_year": ("Purchase budget by year", "分年度购置预算"),
    "running_budget": ("Yearly running budget", "年度运行经费"),
    "fund": ("Money of the fund", "经费额度"),
    "fund_use": ("What the fund may pay for", "经费用途"),
    "fund_pays": ("A fund that may pay", "可列支的经费"),
    "no_plan": ("All conditions together", "全部条件"),
    "fund_equipment": ("A fund that pays for equipment", "可支付设备费的经费"),
    "spend_by": ("Spend-by date", "经费使用期限"),
    "staff_hours": ("Hours for upkeep and set-up", "管理工时"),
    "multi_card_setup": ("Set-up of jobs over several cards", "多卡任务调试"),
    "stock": ("Units that can be had", "可供货数量"),
    "min_order": ("Least order", "起订量"),
    "service_quota": ("Card-hours of the service", "机时额度"),
    "service_cards": ("Cards held at once at the service", "平台可同时占用卡数"),
    "owned_hosts": ("Owned machines kept or upgraded", "保留及升级的现有设备"),
}

SENTENCES = {
    "equipment_year": (
        "Purchases up to this year cost {value}; {limit} has come by then.",
        "截至该年度的购置费 {value}，届时到位经费 {limit}。",
    ),
    "running_budget": (
        "Running cost and services take {value} of the lab's money in a year; {limit} is allowed.",
        "课题组年度运行与机时支出 {value}，年度运行经费 {limit}。",
    ),
    "fund": (
        "The fund is charged {value}; it holds {limit} by then.",
        "该项经费列支 {value}，届时可用 {limit}。",
    ),
    "fund_use": (
        "No fund may pay for what the lab would have to pay: {value}.",
        "课题组须承担的 {value} 没有经费可以列支。",
    ),
    "fund_pays": (
        "The lab must pay for {use}, and no fund may in every year.",
        "课题组须承担{use}，但没有经费在各年度均可列支。",
    ),
    "no_plan": (
        "No plan of this kind meets all the conditions.",
        "此类机型没有同时满足全部条件的方案。",
    ),
    "fund_equipment": (
        "No fund may pay for equipment in the years of purchase.",
        "购置年度内没有可支付设备费的经费。",
    ),
    "spend_by": (
        "Delivery takes {weeks:.0f} weeks, until {delivery}; the money must be spent by {spend_by}.",
        "交货期 {weeks:.0f} 周（{delivery} 到货），经费须于 {spend_by} 前使用。",
    ),
    "staff_hours": (
        "Upkeep and set-up take {value} hours in a year; the group has {limit}.",
        "日常管理与部署一年需 {value} 工时，课题组可投入 {limit} 工时。",
    ),
    "multi_card_setup": (
        "Jobs over several cards run before they are set up.",
        "多卡任务在完成调试之前已安排运行。",
    ),
    "stock": (
        "{value} units are needed; {limit} can be had.",
        "需 {value} 件，可供货 {limit} 件。",
    ),
    "min_order": (
        "{value} units are ordered; the least order is {limit}.",
        "订购 {value} 件，起订量 {limit} 件。",
    ),
    "service_quota": (
        "The work takes {value} card-hours a year there; {limit} may be used.",
        "一年需用 {value} 卡时，额度为 {limit} 卡时。",
    ),
    "service_cards": (
        "People hold {value} cards there at once; {limit} may be held.",
        "同时占用 {value} 张卡，平台允许 {limit} 张。",
    ),
    "owned_hosts": (
        "{value} machines are kept or upgraded; the lab has {limit}.",
        "保留及升级共 {value} 台，现有 {limit} 台。",
    ),
}

CATEGORIES = {
    "campus": ("Campus cluster time", "校级平台机时费"),
    "rental": ("Cloud rental", "云算力租用费"),
    "overhead": ("Overhead on services", "间接费（管理费）"),
}

USES = {
    "equipment": ("equipment", "设备费"),
    "services": ("services (hosting, maintenance)", "服务费（托管、维护）"),
    "consumables": ("consumables (energy, spare parts)", "消耗费（电费、备件）"),
}

UNITS = {"day": ("days", "天"), "year": ("years of use", "个使用年度")}


def _entries(prefix: str, words: dict[str, tuple[str, str]]) -> dict[str, dict[str, str]]:
    return {f"{prefix}.{name}": {"en": en, "zh": zh} for name, (en, zh) in words.items()}


TEXTS: dict[str, dict[str, str]] = {
    **_entries("rulename", NAMES),
    **_entries("rule", SENTENCES),
    **_entries("category", CATEGORIES),
    **_entries("unit", UNITS),
    **_entries("funduse", USES),
    **_entries("rulecode.use", USES),
}
