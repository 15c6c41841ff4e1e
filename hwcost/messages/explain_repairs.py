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
        "en": "Ask {workload} for more than the {from_} card-hours a year of its quota.",
        "zh": "向{workload}申请超过每年 {from_} 卡时的机时额度。",
    },
    "repair.running_budget": {"en": "Give up the limit of yearly running cost.", "zh": "取消年度运行经费的限制。"},
    "repair.staff_hours": {"en": "Give up the limit of hours for upkeep.", "zh": "取消管理工时的限制。"},
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
