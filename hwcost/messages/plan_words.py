"""Words for the parts of a plan: cost categories, payers, units, statuses, objectives and their levels."""

from __future__ import annotations

CATEGORIES = {
    "card": ("Cards", "显卡"),
    "bridge": ("NVLink bridges", "NVLink 桥接器"),
    "host": ("Hosts (case, board, CPU, memory)", "主机（机箱、主板、处理器、内存）"),
    "psu": ("Power supplies", "电源"),
    "storage": ("Storage", "存储"),
    "system": ("Whole machines", "整机"),
    "network": ("Network", "网络"),
    "freight": ("Freight", "运费"),
    "installation": ("Installation", "安装调试"),
    "tax": ("Tax", "税费"),
    "setup": ("Set-up (staff hours)", "部署（工时）"),
    "energy_idle": ("Electricity, idle", "电费（待机）"),
    "energy_busy": ("Electricity, computing", "电费（运行）"),
    "staff": ("Upkeep (staff hours)", "日常管理（工时）"),
    "maintenance": ("Maintenance after the warranty", "质保期后维护"),
    "failures": ("Replacement of failed cards", "故障显卡更换"),
    "hosting": ("Hosting", "托管"),
    "residual": ("Residual value", "残值"),
}

PAYERS = {
    "lab": ("the lab", "课题组"),
    "university": ("the university", "学校"),
    "non_cash": ("own hours, no cash", "自有工时（非现金）"),
}

STATUSES = {
    "proven_optimal": ("Proven to be the best", "已证明最优"),
    "best_found": ("Best found so far, not proven", "目前找到的最好方案（尚未证明最优）"),
    "infeasible": ("No plan meets all the conditions", "无可行方案"),
    "no_plan_found": ("No plan found in the time allowed", "在限定时间内未找到方案"),
}

OBJECTIVES = {
    "budget": ("best use of a fixed budget", "预算内配置最优"),
    "serve": ("serve the most work, then least cost", "先满足任务，再求费用最低"),
    "cost": ("do all the work at least cost", "满足全部任务且费用最低"),
    "spend": ("do all the work with the smallest purchase", "满足全部任务且购置费最低"),
}

LEVELS = {
    "must_demand": ("work that must be done", "必须完成的任务"),
    "people_must": ("people at once, work that must be done", "同时训练人数（必须完成的任务）"),
    "people_want": ("people at once, other work", "同时训练人数（其他任务）"),
    "want_demand": ("other work", "其他任务"),
    "capacity": ("effective capacity", "有效算力"),
    "spend": ("smallest purchase", "最低购置费"),
    "cost": ("cost", "费用"),
    "nodes": ("number of machines", "整机台数"),
    "build_rank": ("order among equal machines", "同等机型的排序"),
    "place_rank": ("order among equal places", "同等安排的排序"),
}

FORMS = {
    "tower": ("desktop", "主机"),
    "workstation": ("workstation", "工作站"),
    "tower_server": ("tower server", "塔式服务器"),
    "rack": ("rack server", "机架式服务器"),
}

PRICE_KINDS = {
    "quote": ("quotation", "书面报价"),
    "list": ("list price", "目录价"),
    "street": ("street price", "市场价"),
    "used": ("used price", "二手价"),
    "estimate": ("estimate", "估算"),
}

LAYERS = {
    "bundled": ("bundled catalog", "内置目录"),
    "user": ("your catalog folder", "用户目录"),
    "scenario": ("scenario", "情景文件"),
}

FIGURE_KINDS = {
    "measured": ("measured", "实测"),
    "specification": ("specification", "规格"),
    "estimate": ("estimate", "估算"),
}

UNITS = {
    "piece": ("piece", "件"),
    "hour": ("hour", "工时"),
    "kWh": ("kWh", "kWh"),
    "node-year": ("machine-year", "台·年"),
    "card-year": ("card-year", "卡·年"),
    "node": ("machines", "台"),
    "build": ("kinds", "种"),
    "person": ("people", "人"),
    "card-hour": ("card-hours", "卡时"),
    "card": ("cards", "张"),
    "W": ("W", "W"),
    "U": ("U", "U"),
    "%": ("%", "%"),
    "h": ("h", "小时"),
    "share": ("share", "比例"),
}

# numbers in running text: "four cards", 四卡
NUMBERS = {
    1: ("one", "单"),
    2: ("two", "双"),
    3: ("three", "三"),
    4: ("four", "四"),
    5: ("five", "五"),
    6: ("six", "六"),
    7: ("seven", "七"),
    8: ("eight", "八"),
}

STRATEGIES = {
    "single": ("one card", "单卡"),
    "ddp": ("{cards} cards in parallel", "{cards} 卡并行"),
}


def _entries(prefix: str, words: dict[str, tuple[str, str]]) -> dict[str, dict[str, str]]:
    return {f"{prefix}.{name}": {"en": en, "zh": zh} for name, (en, zh) in words.items()}


TEXTS: dict[str, dict[str, str]] = {
    **_entries("category", CATEGORIES),
    **_entries("payer", PAYERS),
    **_entries("status", STATUSES),
    **_entries("objective", OBJECTIVES),
    **_entries("level", LEVELS),
    **_entries("form", FORMS),
    **_entries("pricekind", PRICE_KINDS),
    **_entries("layer", LAYERS),
    **_entries("figurekind", FIGURE_KINDS),
    **_entries("unit", UNITS),
    **_entries("number", {str(n): words for n, words in NUMBERS.items()}),
    **_entries("strategy", STRATEGIES),
    "status.gap": {"en": "at most {gap} from the bound", "zh": "与理论下限相差不超过 {gap}"},
    "people.one": {"en": "{people} person", "zh": "{people} 人"},
    "people.many": {"en": "{people} people", "zh": "{people} 人"},
    "cards.one": {"en": "{cards} card", "zh": "{cards} 张卡"},
    "cards.many": {"en": "{cards} cards", "zh": "{cards} 张卡"},
    "check.plugged": {"en": "Machines plugged in", "zh": "已接入供电回路的整机"},
    "check.ok": {"en": "met", "zh": "满足"},
    "check.failed": {"en": "not met", "zh": "未满足"},
    "check.left_out": {"en": "partly left out", "zh": "部分未满足"},
    "check.line": {
        "en": "{name}: {value} / {limit} {unit} ({state})",
        "zh": "{name}：{value} / {limit} {unit}（{state}）",
    },
    "check.line_subject": {
        "en": "{name}, {subject}: {value} / {limit} {unit} ({state})",
        "zh": "{name}（{subject}）：{value} / {limit} {unit}（{state}）",
    },
    "check.money": {"en": "{name}: {value} / {limit} ({state})", "zh": "{name}：{value} / {limit}（{state}）"},
    # one line that names what is bought
    "configuration.built": {"en": "{nodes} x {form} with {count} {card}", "zh": "{nodes} 台{count}卡 {card} {form}"},
    "configuration.system": {
        "en": "{nodes} x {system} ({count} {card})",
        "zh": "{nodes} 台 {system}（{count}卡 {card}）",
    },
    "configuration.owned": {
        "en": "keep {nodes} x {form} with {count} {card}",
        "zh": "保留现有 {nodes} 台{count}卡 {card} {form}",
    },
    "configuration.upgraded": {
        "en": "{added} for your {nodes} x {form} with {count} {card}",
        "zh": "为 {nodes} 台{count}卡 {card} {form}加装 {added}",
    },
    "configuration.memory": {"en": "{gib} GB of memory", "zh": "内存（增至 {gib} GB）"},
    "configuration.in_year": {"en": "{machines} (in year {year})", "zh": "{machines}（第 {year} 年）"},
    "configuration.nothing": {"en": "nothing", "zh": "不购置"},
    "configuration.and": {"en": " and ", "zh": "及 "},
}
