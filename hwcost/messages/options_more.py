"""Names of options beyond a kind of machine: upgrades, time on other people's machines, two stages, a rack server."""

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
}
