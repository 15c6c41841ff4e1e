"""Names of the options, and why an option is not chosen. One sentence each, with a figure."""

from __future__ import annotations

TEXTS: dict[str, dict[str, str]] = {
    "option.keep": {"en": "Keep what we have", "zh": "维持现状（仅用现有设备）"},
    "option.one_very_large": {
        "en": "One very large card (80 GB or more)",
        "zh": "单卡大显存工作站（80 GB 及以上）",
    },
    "option.one_large": {"en": "One large-memory card (40-80 GB)", "zh": "单卡大显存工作站（40～80 GB）"},
    "option.two_large": {
        "en": "Two large-memory cards (2 x 40 GB or more)",
        "zh": "双卡大显存工作站（2×40 GB 及以上）",
    },
    "option.four_large": {
        "en": "Four large professional cards (4 x 40 GB or more)",
        "zh": "四卡专业工作站（4×40 GB 及以上）",
    },
    "option.four_professional": {
        "en": "Four professional cards (4 x 20-32 GB, data parallel)",
        "zh": "四卡专业工作站（4×20～32 GB，可多卡并行）",
    },
    "option.two_professional": {
        "en": "Two professional cards (below 40 GB)",
        "zh": "双卡专业工作站（40 GB 以下）",
    },
    "option.one_professional": {
        "en": "One professional card (below 40 GB)",
        "zh": "单卡专业工作站（40 GB 以下）",
    },
    "option.desktops_one_consumer": {
        "en": "Desktops with one GeForce-class card each",
        "zh": "消费级单卡主机（每台 1 张）",
    },
    "option.desktops_one_consumer.count": {
        "en": "{count} x desktop with one GeForce-class card",
        "zh": "消费级单卡主机（每台 1 张，共 {count} 台）",
    },
    "option.desktops_two_consumer": {
        "en": "Desktops with two GeForce-class cards each",
        "zh": "消费级双卡主机（每台 2 张）",
    },
    "option.desktops_two_consumer.count": {
        "en": "{count} x desktop with two GeForce-class cards",
        "zh": "消费级双卡主机（每台 2 张，共 {count} 台）",
    },
    "option.eight_cards": {"en": "Eight cards in one server", "zh": "单台八卡服务器"},
    "option.combination": {"en": "Combination of machines", "zh": "多种机型组合"},
    "option.machines": {"en": "{name}, {count} machines", "zh": "{name}，共 {count} 台"},
    # what sets the pace of an option's jobs
    "pace.data": {"en": "waits for data", "zh": "等待数据"},
    "pace.hint": {
        "en": "Where jobs wait for data, more memory or a faster disk helps first, not a faster card.",
        "zh": "“等待数据”的任务，应先增加内存或换用更快的硬盘，而非更快的显卡。",
    },
    # why an option is not chosen
    "whynot.chosen": {"en": "Chosen.", "zh": "推荐。"},
    "whynot.no_build": {
        "en": "No machine of this kind can be bought or built from the catalog.",
        "zh": "目录中没有可购置或可组装的此类机型。",
    },
    "whynot.refused": {"en": "Cannot be had: {reason}", "zh": "无法实现：{reason}"},
    "whynot.too_dear": {
        "en": "One machine costs {price}, more than the budget of {budget}.",
        "zh": "单台 {price}，超出预算 {budget}。",
    },
    "whynot.no_plan": {"en": "No plan of this kind meets the conditions.", "zh": "此类机型没有满足条件的方案。"},
    "whynot.no_plan_found": {
        "en": "No plan of this kind was found in the time allowed.",
        "zh": "在限定时间内未找到此类方案。",
    },
    "whynot.must_demand": {
        "en": "Does {served} of the work that must be done; {best} does {best_served}.",
        "zh": "必须完成的任务仅能完成 {served}，{best} 可完成 {best_served}。",
    },
    "whynot.must_share": {
        "en": "Does {served} of the work that must be done.",
        "zh": "必须完成的任务仅能完成 {served}。",
    },
    "whynot.people_wanted": {
        "en": "Serves {own} of the {wanted} people who must train at once.",
        "zh": "必须同时训练的 {wanted} 人中仅可供 {own} 人。",
    },
    "whynot.must_workload": {
        "en": "Cannot do {workload}: {reason}",
        "zh": "无法完成“{workload}”：{reason}",
    },
    "whynot.people": {
        "en": "Serves {own} at once; {best} serves {value}.",
        "zh": "可供 {own}同时训练，{best} 可供 {value} 人。",
    },
    "whynot.want_demand": {
        "en": "Leaves out more of the less urgent work than {best}.",
        "zh": "次要任务完成得比{best} 少。",
    },
    "whynot.capacity": {
        "en": "{share} less computing capacity than {best}.",
        "zh": "有效算力比{best} 少 {share}。",
    },
    "whynot.cost": {
        "en": "Costs {more} more than {best} over {years} years.",
        "zh": "{years} 年总成本比{best} 高 {more}。",
    },
    "whynot.cost_present": {
        "en": "Costs {more} more than {best} over {years} years, at present value.",
        "zh": "{years} 年总成本（现值）比{best} 高 {more}。",
    },
    "whynot.tie": {
        "en": "Serves and costs the same as {best}, which needs fewer machines or comes first by name.",
        "zh": "能力与费用同 {best} 相当，后者台数更少或排序在前。",
    },
    "whynot.unproven": {
        "en": "No worse than {best} on any proven count; the comparison is not proven.",
        "zh": "未见逊于 {best}，但比较结果尚未证明。",
    },
    "whynot.best_word": {"en": "option {letter}", "zh": "方案 {letter}"},
    "whynot.best_plain": {"en": "the best plan", "zh": "推荐方案"},
}
