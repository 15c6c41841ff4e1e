"""Words about what software can do before a purchase, whether several cards pay, and the chart of speedups."""

from __future__ import annotations

TEXTS: dict[str, dict[str, str]] = {
    "alternative.one_card": {"en": "one card, as it is", "zh": "单卡，维持现状"},
    "alternative.accumulation": {"en": "one card, gradient accumulation", "zh": "单卡，梯度累积"},
    "alternative.amp": {"en": "one card, mixed precision", "zh": "单卡，混合精度"},
    "alternative.checkpointing": {"en": "one card, activation checkpointing", "zh": "单卡，激活检查点"},
    "alternative.compiled": {
        "en": "one card, torch.compile or CUDA graphs",
        "zh": "单卡，torch.compile 或 CUDA Graphs",
    },
    "alternative.power_cap": {"en": "one card, power capped at 80 %", "zh": "单卡，功耗限制为 80%"},
    "alternative.data_parallel": {"en": "{cards} cards, data parallel", "zh": "{cards} 卡，数据并行"},
    "alternative.sharding": {
        "en": "{cards} cards, sharded (FSDP, ZeRO-3)",
        "zh": "{cards} 卡，参数分片（FSDP、ZeRO-3）",
    },
    "alternative.independent_runs": {
        "en": "{cards} cards, one run on each",
        "zh": "{cards} 卡，每卡各跑一个任务",
    },
    "alternatives.heading": {
        "en": "Software first: {workload}, global batch {batch}, {card}",
        "zh": "先用软件手段：{workload}，全局批量 {batch}，{card}",
    },
    "alternatives.example": {"en": "the example of article A", "zh": "文章 A 的算例"},
    "alternatives.own": {"en": "the step of this call", "zh": "本次输入的步时"},
    "alternatives.column.way": {"en": "way", "zh": "方式"},
    "alternatives.column.memory": {"en": "memory of a card", "zh": "每卡显存"},
    "alternatives.column.passes": {"en": "samples x passes", "zh": "每次样本×次数"},
    "alternatives.column.step": {"en": "step ms", "zh": "单步 ms"},
    "alternatives.column.batch": {"en": "global batch", "zh": "全局批量"},
    "alternatives.column.runs": {"en": "runs an hour", "zh": "每小时完成任务数"},
    "alternatives.column.steps": {"en": "steps a second", "zh": "每秒步数"},
    "alternatives.column.watts": {"en": "card watts", "zh": "显卡功率 W"},
    "alternatives.column.kind": {"en": "kind", "zh": "依据"},
    "alternatives.kind.prediction": {"en": "prediction", "zh": "预测"},
    "alternatives.kind.estimate": {"en": "estimate", "zh": "估算"},
    "alternatives.not": {"en": "does not fit", "zh": "放不下"},
    "alternatives.note": {
        "en": "Runs and watts are of all cards named. Estimates rest on one factor each: checkpointing 4/3 of the "
        "time, compiling two thirds of the launches, a cap at 80 % of the power 95 % of the speed.",
        "zh": "任务数与功率按所列全部显卡计。估算项各取一个系数：激活检查点耗时为 4/3，编译后内核启动开销为三分之二，"
        "功耗限制为 80% 时速度为 95%。",
    },
    "alternatives.premise": {
        "en": "The {card} is taken to hold {batch} samples and no more, as the article supposes.",
        "zh": "按文章前提，{card} 每次最多放入 {batch} 个样本。",
    },
    "several.pays": {
        "en": "{cards} cards: {speedup} times as fast as one.",
        "zh": "{cards} 卡速度为单卡的 {speedup} 倍。",
    },
    "several.only_way": {
        "en": "{cards} cards: the only way without gradient accumulation, since one card does not hold the batch.",
        "zh": "不允许梯度累积时只能用 {cards} 卡，因为单卡放不下整批样本。",
    },
    "several.not_worth": {
        "en": "Several cards are not worth it, because {reason}.",
        "zh": "不值得多卡并行，因为{reason}。",
    },
    "several.reason.switched_off": {
        "en": "this work is not to be spread over cards",
        "zh": "该任务不允许多卡并行",
    },
    "several.reason.batch": {
        "en": "the batch has fewer samples than {cards} cards",
        "zh": "批大小小于 {cards} 张卡",
    },
    "several.reason.link": {"en": "no link joins {cards} of these cards", "zh": "没有可连接 {cards} 张卡的互联"},
    "several.reason.memory": {
        "en": "data parallelism does not pool memory, and a card does not hold its share",
        "zh": "数据并行不能合并显存，单卡放不下应承担的样本",
    },
    "several.reason.batchnorm": {
        "en": "each card would see too few samples for its batch norm",
        "zh": "每张卡的样本数不足以满足批归一化",
    },
    "several.reason.slow": {
        "en": "{cards} cards are only {speedup} times as fast, held back by {bound}",
        "zh": " {cards} 张卡的速度仅为单卡的 {speedup} 倍，多卡时的瓶颈为{bound}",
    },
    "chart.speedup": {"en": "Speedup S(N)", "zh": "加速比 S(N)"},
    "chart.efficiency": {"en": "Efficiency S(N)/N", "zh": "效率 S(N)/N"},
    "chart.cards": {"en": "cards N", "zh": "卡数 N"},
    "chart.linear": {"en": "linear", "zh": "线性"},
    "chart.title": {
        "en": "{params} M parameters, batch {batch} per card, {compute} ms a step on one card",
        "zh": "参数量 {params} 百万，每卡批量 {batch}，单卡步时 {compute} ms",
    },
    "chart.written": {"en": "Chart written to {path}.", "zh": "图表已写入 {path}。"},
    "cli.help.chart": {
        "en": "write speedup and efficiency over card counts as a picture (SVG) to this file",
        "zh": "将加速比与效率随卡数的变化绘成图（SVG）写入此文件",
    },
    "cli.help.card_kind": {
        "en": "the card, whose PCIe generation chooses the link figures (default: rtx-a5500, the article's)",
        "zh": "显卡，按其 PCIe 代际选取互联数据（默认为文章中的 rtx-a5500）",
    },
}
