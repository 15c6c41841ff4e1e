"""Words about presets, tiles and anchors: faults in their keys, and names of what is assumed with them."""

from __future__ import annotations

TEXTS: dict[str, dict[str, str]] = {
    "problem.scenario_tile_fixed": {
        "en": "{model} comes in one size; leave this key out",
        "zh": "{model} 的规模是固定的；请删去这个键",
    },
    "problem.scenario_tile_side": {
        "en": "{value} is not a multiple of {multiple}, so a level of the network would be cut; use {expected}, or a "
        "smaller depth",
        "zh": "{value} 不是 {multiple} 的倍数，网络逐级下采样时无法整除；请改为 {expected}，或减小 depth",
    },
    "problem.scenario_tile_base": {
        "en": "{value} is not a multiple of {multiple}, so the layers cannot be halved; use another width or a smaller "
        "depth",
        "zh": "{value} 不是 {multiple} 的倍数，各层宽度无法逐级减半；请更换基数或减小 depth",
    },
    "problem.scenario_startup_above_anchor": {
        "en": "the start-up of {value} s takes as long as the whole anchor run of {hours:g} h; correct one of the two, "
        "or leave startup_s out",
        "zh": "启动时间 {value} 秒不短于基准训练的全程 {hours:g} 小时；请更正其中一项，或删去 startup_s",
    },
    "assumption.anchor_hours": {"en": "Timed run on a known card", "zh": "已知显卡上的实测单次训练时间"},
    "assumption.anchor_startup": {
        "en": "Start-up, held to a tenth of the timed run",
        "zh": "启动时间（取实测单次训练时间的十分之一）",
    },
    "assumption.anchor_memory_used": {
        "en": "Memory reading of the timed run, replaces the estimate",
        "zh": "实测显存占用，已替代估算值",
    },
    "assumption.anchor_memory_at_most": {
        "en": 'Memory reading that only says "at most"; the estimate is kept',
        "zh": "实测显存占用仅表示上限，仍采用估算值",
    },
    "assumption.anchor_memory_below": {
        "en": "Memory reading below what weights and optimizer need; the estimate is kept",
        "zh": "实测显存占用低于权重与优化器所需，仍采用估算值",
    },
}
