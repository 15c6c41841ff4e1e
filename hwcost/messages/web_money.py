"""Words of the page on funds, hired card-hours and years of purchase."""

from __future__ import annotations

WORDS = {
    "title": ("Money and hired hours", "经费与平台机时"),
    "intro": (
        "What each fund may pay for and until when, card-hours of the campus cluster or a cloud, and when something "
        "may be bought. Each change is checked and put to use at once.",
        "各项经费可列支什么、何时到期，校级平台与云算力的机时，以及可在哪些年度购置；修改即核对并生效。",
    ),
    "funds": ("Funds", "经费来源"),
    "no_funds": (
        "One budget pays for equipment ({budget}); running cost is not limited by fund. With several funds, the plan "
        "minds what each may pay for.",
        "目前设备费为一笔预算（{budget}），运行费未按经费限定。如有多项经费，可分别填写其用途，方案将据此核对。",
    ),
    "make_funds": ("Split it into funds", "分列为多项经费"),
    "drop_funds": ("Back to one budget", "恢复为一笔预算"),
    "funds_note": (
        "Everything that the group pays must be covered by a fund that may pay for it. An empty amount is no limit.",
        "课题组承担的每笔费用都须由可列支的经费支付。金额留空表示不限。",
    ),
    "both": (
        "The equipment budget on the left ({budget}) limits purchases beside the funds.",
        "左侧设备预算（{budget}）与各项经费同时限制购置。",
    ),
    "fund.name": ("Fund", "经费"),
    "fund.amount": ("Amount", "金额"),
    "fund.equipment": ("Equipment", "设备"),
    "fund.services": ("Services, rent", "服务、机时"),
    "fund.consumables": ("Consumables, energy", "材料、电费"),
    "fund.per_year": ("By year", "分年到账"),
    "fund.from_year": ("From year", "起始年度"),
    "fund.to_year": ("To year", "截止年度"),
    "fund.spend_by": ("Spend by", "使用截止日期"),
    "fund.carry_over": ("Carried over", "可结转"),
    "fund.tax_included": ("Gross prices", "含税列支"),
    "fund.overhead_rate": ("Overhead", "管理费率"),
    "fund.depreciation_only": ("Depreciation", "仅列折旧"),
    "services": ("Campus cluster and cloud", "校级平台与云算力"),
    "services_note": (
        "As the group is charged, with tax. The wait counts against the deadlines; empty is “not known”. People at "
        "once count there only where cards can be held interactively.",
        "填写课题组实际支付的含税单价。排队时间计入任务时限，留空表示未知；可交互占用显卡时才计入同时训练人数。",
    ),
    "service.name": ("Offer", "平台"),
    "service.kind": ("Kind", "类别"),
    "service.card": ("Card", "显卡"),
    "service.price_per_card_hour": ("Per card-hour", "每卡时单价"),
    "service.wait_hours": ("Usual wait, h", "常见排队（小时）"),
    "service.cards_per_job": ("Cards per job", "单任务最多卡数"),
    "service.cards_at_once": ("Cards at once", "可同时占用卡数"),
    "service.quota_card_hours_per_year": ("Quota, h a year", "额度（卡时/年）"),
    "service.minimum_card_hours_per_year": ("Paid at least, h a year", "保底机时（卡时/年）"),
    "service.fixed_cost_per_year": ("Fixed cost a year", "年固定费用"),
    "service.interactive": ("Interactive", "可交互使用"),
    "kind.campus": ("campus cluster", "校级平台"),
    "kind.cloud": ("cloud", "云算力"),
    "offer": ("Offer of the catalog to add", "从目录增加"),
    "offer_line": ("{name}, {card}: {price} per card-hour ({date})", "{name}，{card}：每卡时 {price}（{date}）"),
    "purchase": ("When something may be bought", "购置时间"),
    "years": ("Years of purchase", "可购置的年度"),
    "years_help": (
        "Something may be bought at the start of these years; with two, options in two stages are compared.",
        "可在所选年度年初购置；选两个年度时，比选中列入分期购置。",
    ),
    "year": ("year {year}", "第 {year} 年"),
    "lead_weeks": ("From order to use, weeks", "订货至可用（周）"),
    "lead_help": ("Where no quotation says so; empty: at once.", "报价未注明交货期时采用；留空表示不计。"),
    "running": ("Running budget a year, {currency}", "年度运行经费（{currency}）"),
    "running_help": (
        "What the group itself may pay each year for running cost and services; empty: no limit.",
        "课题组每年可支付的运行费与机时费上限；留空表示不限。",
    ),
    "upgrades": ("Owned machines may be upgraded", "可升级现有设备"),
    "retire": ("Owned machines may be left unused", "可停用现有设备"),
}

NO_KEYS = ("name", "equipment", "services", "consumables")  # columns that are no keys of the document
KEYS = {
    "budget.running_per_year": ("Running budget a year", "年度运行经费"),
    "purchase.years": ("Years of purchase, from 0", "可购置的年度（从 0 起算）"),
    "purchase.lead_weeks": ("From order to use, weeks", "订货至可用（周）"),
    "purchase.upgrades": ("Owned machines may be upgraded", "可升级现有设备"),
    "purchase.retire_owned": ("Owned machines may be left unused", "可停用现有设备"),
    "staff.hours_limit_per_year": ("Hours for upkeep a year", "每年管理工时上限"),
    "site.data_stays": ("Where the data must stay", "数据存放范围"),
    "site.rack_units": ("Rack units", "机柜高度（U）"),
    "workload.multi_card": ("several cards allowed", "允许多卡并行"),
    "workload.sharding": ("sharding allowed", "允许分片训练"),
    "fund.id": ("in the list", "列入清单"),
    "fund.name_en": ("name (English)", "英文名称"),
    "fund.name_zh": ("name (Chinese)", "中文名称"),
    "fund.pays": ("may pay for", "可列支"),
    "service.id": ("in the list", "列入清单"),
    "service.name_en": ("name (English)", "英文名称"),
    "service.name_zh": ("name (Chinese)", "中文名称"),
    "service.rental": ("row of the catalog", "目录条目"),
    **{name: words for name, words in WORDS.items()
       if name.startswith(("fund.", "service.")) and name.partition(".")[2] not in NO_KEYS},
}  # fmt: skip

NOTES = {"funds": ("funds changed", "修改经费来源"), "services": ("offer added", "增加平台机时")}

TEXTS: dict[str, dict[str, str]] = {
    **{f"web.money.{k}": {"en": en, "zh": zh} for k, (en, zh) in WORDS.items()},
    **{f"web.key.{k}": {"en": en, "zh": zh} for k, (en, zh) in KEYS.items()},
    **{f"web.log_note.{k}": {"en": en, "zh": zh} for k, (en, zh) in NOTES.items()},
    "web.page.money": {"en": "Money", "zh": "经费与机时"},
}
