"""Words for what people ask in the three meetings: supply, the next money, the campus cluster, what else runs."""

from __future__ import annotations

WORDS = {
    "breakeven.world": (
        "The price is that of the catalog row “{row}”, which holds for every region: {price} a card-hour without tax "
        "({day}), converted and taxed here; an estimate.",
        "单价取目录中适用于各地区的一行“{row}”：每卡时 {price}，不含税（{day}），已折算并计税，属估算。",
    ),
    "breakeven.world_gross": (
        "The price is that of the catalog row “{row}”, which holds for every region: {price} a card-hour with tax "
        "({day}), converted here; an estimate.",
        "单价取目录中适用于各地区的一行“{row}”：每卡时 {price}，含税（{day}），已折算，属估算。",
    ),
}

TEXTS: dict[str, dict[str, str]] = {key: {"en": en, "zh": zh} for key, (en, zh) in WORDS.items()}
