"""Repairs that a lab makes, and pairs of repairs. Figures come in as ready text."""

from __future__ import annotations

TEXTS: dict[str, dict[str, str]] = {
    "repair.amp": {
        "en": "Turn on mixed precision for {workload}: memory falls from {from_} to {to}.",
        "zh": "“{workload}”启用混合精度，显存需求由 {from_} 降至 {to}。",
    },
    "repair.accumulation": {
        "en": "Allow gradient accumulation for {workload}: in small steps it needs {to} instead of {from_} of memory.",
        "zh": "“{workload}”采用梯度累积，分小批计算，显存需求由 {from_} 降至最低 {to}。",
    },
    "repair.checkpointing": {
        "en": "Use activation checkpointing for {workload}: memory falls from {from_} to {to}, the time grows by about "
        "a third.",
        "zh": "“{workload}”启用激活检查点，显存需求由 {from_} 降至 {to}，训练时间约增加三分之一。",
    },
    "repair.share": {
        "en": "Let {to} people share a card for {workload}.",
        "zh": "“{workload}”每张卡由 {to} 人共用。",
    },
    "repair.tiles": {
        "en": "Use tiles of {to} x {to} instead of {from_} x {from_} for {workload}.",
        "zh": "“{workload}”图块由 {from_}×{from_} 改为 {to}×{to}。",
    },
    "repair.nvme": {
        "en": "Put the data on a local NVMe disk (up to {to} TB).",
        "zh": "数据改放本地 NVMe 固态盘（最大 {to} TB）。",
    },
    "repair.upgrades": {"en": "Allow upgrades of the machines you own.", "zh": "允许升级现有设备。"},
    "repair.service_quota": {
        "en": "Ask {workload} for {to} instead of {from_} card-hours a year.",
        "zh": "向{workload}申请将每年机时额度由 {from_} 卡时增加到 {to} 卡时。",
    },
    "repair.running_budget": {
        "en": "Raise the yearly money for running cost and services from {from_} to {to}.",
        "zh": "年度运行经费由 {from_} 提高到 {to}。",
    },
    "repair.staff_hours": {
        "en": "Give {to} instead of {from_} hours a year to upkeep and set-up.",
        "zh": "管理与部署工时由每年 {from_} 工时增加到 {to} 工时。",
    },
    "repair.fund": {
        "en": "Raise the fund “{workload}” from {from_} to {to}, over all its years.",
        "zh": "经费“{workload}”由 {from_} 增加到 {to}（各年合计）。",
    },
    "repair.fund_pays": {
        "en": "Let the fund “{workload}” pay for {uses} too.",
        "zh": "允许经费“{workload}”同时列支{uses}。",
    },
    "repair.fund_use": {
        "en": "Let the university pay for {uses}.",
        "zh": "由学校承担{uses}。",
    },
    "conflict.fund_use": {
        "en": "what the funds may pay for: the lab must pay for {uses}, and no fund may in every year (the fund "
        "“{fund}” could be widened)",
        "zh": "经费用途（{uses}须由课题组承担，但没有经费在各年度均可列支；可扩大经费“{fund}”的用途）",
    },
    "repair.spend_by": {
        "en": "Extend the spend-by date from {from_} to {to}, when the machines have come.",
        "zh": "经费使用期限由 {from_} 延至 {to}（设备届时到货）。",
    },
    "repair.equipment_year": {
        "en": "Have all the equipment money at the start.",
        "zh": "购置经费在首年年初全部到位。",
    },
    "repair.stock": {
        "en": "Have more units delivered than the stock that is stated.",
        "zh": "落实所填可供货数量以外的货源。",
    },
    "repair.min_order": {"en": "Order below the least quantity that is stated.", "zh": "与供应商协商降低起订量。"},
    "repair.data_stay": {
        "en": "Let the data be processed outside, at the services that are stated.",
        "zh": "允许数据在所列平台上处理。",
    },
    "repair.rack_units_total": {"en": "Give up the limit of rack units.", "zh": "取消机柜高度的限制。"},
    "repair.pair": {
        "en": "Two changes are needed together. {first} {second}",
        "zh": "同时做两项调整才可行：{first}{second}",
    },
    "conflict.filtered": {
        "en": "None of these conditions can be left out of the set; there may be a smaller set.",
        "zh": "该组条件缺一不可，但未必是最少的一组。",
    },
}
