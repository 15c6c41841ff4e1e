"""Names of options beyond a kind of machine: upgrades, hours of others, two stages, a rack, a scenario's own."""

from __future__ import annotations

TEXTS: dict[str, dict[str, str]] = {
    "option.upgrade": {
        "en": "Upgrade the machine we have",
        "zh": "现有设备升级（加固态盘、内存或显卡）",
    },
    "option.eight_rack": {"en": "Eight-card rack server (machine room)", "zh": "八卡机架式服务器（须机房）"},
    "option.campus": {"en": "Campus cluster time", "zh": "校级计算平台机时"},
    "option.rent": {"en": "Cloud rental by the hour", "zh": "租用云算力（按小时）"},
    "option.own_and_rented": {"en": "Own machine, rented peaks", "zh": "自购为主、高峰租用"},
    "option.two_stage": {
        "en": "Two-stage purchase (part now, part next year)",
        "zh": "两期购置（首期先购一部分，次年补足）",
    },
    # options that cannot matter here
    "notoffered.two_stage.same_years": {
        "en": "Not compared: {name}. Work, prices and money are the same every year, so buying part of it a year later "
        "gains nothing.",
        "zh": "未比较“{name}”：各年度的任务、价格和经费相同，推迟一年购置没有好处。",
    },
    "notoffered.two_stage.one_year": {
        "en": "Not compared: {name}. The plan covers one year only.",
        "zh": "未比较“{name}”：规划期仅一年。",
    },
    # options that a scenario names
    "problem.scenario_option_built_in": {
        "en": "{value} is an option that is always compared; give yours another id",
        "zh": "{value} 是程序固有的方案编号，请换一个编号",
    },
    "problem.scenario_option_empty": {
        "en": "the option {value} may buy and use nothing; name cards, chassis, systems, cards_per_node or services, "
        "or set upgrades = true",
        "zh": "方案 {value} 既不购置设备也不使用机时；请填写 cards、chassis、systems、cards_per_node 或 "
        "services，或设 upgrades = true",
    },
    "problem.scenario_options_many": {
        "en": "{count} options are stated; at most {limit} are compared beside the built-in ones",
        "zh": "共列出 {count} 个方案；除固有方案外最多比较 {limit} 个",
    },
}
