"""Words of `hwcost predict`, of its faults, and of gains."""

from __future__ import annotations

TEXTS: dict[str, dict[str, str]] = {
    "cli.help.predict": {
        "en": "scaling, step time on another card, or memory, for each row of a table",
        "zh": "对表格逐行预测：多卡扩展效率、换卡后的步时或显存需求",
    },
    "cli.help.predict_kind": {
        "en": "what to predict: scaling over several cards, the step on another card, or peak memory",
        "zh": "预测内容：scaling 多卡扩展、transfer 换卡后的步时、memory 峰值显存",
    },
    "cli.help.predict_rows": {"en": "table (CSV) with one case a row", "zh": "数据表（CSV），每行一种情形"},
    "cli.help.predict_out": {
        "en": "write the rows with the predictions to this file (default: standard output)",
        "zh": "将各行及预测结果写入此文件（默认输出到标准输出）",
    },
    "predict.done.scaling": {
        "en": "{count} rows predicted: t_comm_ms is the communication that adds to the step, "
        "r all that several cards add as a share of one card's step.",
        "zh": "已预测 {count} 行：t_comm_ms 为叠加到单步的通信时间，r 为多卡全部附加开销与单卡步时之比。",
    },
    "predict.done.transfer": {
        "en": "{count} rows predicted: low_ms to high_ms holds nine of ten cases; basis says whether the cards' "
        "reference throughputs were known.",
        "zh": "已预测 {count} 行：九成情况落在 low_ms 至 high_ms 之间；basis 说明是否有两张卡的基准实测。",
    },
    "predict.done.memory": {
        "en": "{count} rows predicted: peak of one training process, in MiB.",
        "zh": "已预测 {count} 行：单个训练进程的显存峰值（MiB）。",
    },
    "predict.fp32_note": {
        "en": "{count} rows say fp32 on a card with TF32: predicted without TF32. Logs mostly mean tf32 by it "
        "(NVIDIA's containers) or torch_default; write that where it is so.",
        "zh": "有 {count} 行在支持 TF32 的显卡上写为 fp32，按不启用 TF32 预测；日志中的 FP32 多指 tf32（NVIDIA 容器）"
        "或 torch_default，如属此情形请据实填写。",
    },
    "problem.predict_card_unknown": {
        "en": "no card is called “{value}”; write an id or a name of the catalog, "
        "or add the card to your own cards.csv",
        "zh": "没有名为“{value}”的显卡；请填写目录中的编号或名称，或在自有 cards.csv 中补充该卡",
    },
    "problem.card_several": {
        "en": "“{value}” may be one of several cards ({known}); write one of these ids",
        "zh": "“{value}”可能指多款显卡（{known}）；请填写其中一个编号",
    },
    "problem.predict_link_pair": {
        "en": "a bridge joins two cards only; write pcie_p2p_with_pair_bridges for more cards with bridges on pairs",
        "zh": "桥接器只能连接两张卡；两两桥接的更多显卡请填写 pcie_p2p_with_pair_bridges",
    },
    "problem.predict_link_missing": {
        "en": "the link table has no row for “{value}”; add one to your own links.csv",
        "zh": "互联表中没有“{value}”；请在自有 links.csv 中补充",
    },
    "problem.predict_no_rows": {
        "en": "the table has a header but no rows; write one case a row",
        "zh": "表中只有表头而无数据；请每行填写一种情形",
    },
    "predict.sizes_heading": {
        "en": "Speedup (and efficiency) by parameter count",
        "zh": "不同参数量下的加速比（与效率）",
    },
    "predict.size": {"en": "{params} M", "zh": "{params} 百万"},
    "cli.help.gains": {
        "en": "also what binds each job on each card, what a tenth more of each resource saves, and four cards",
        "zh": "另列各任务在各显卡上的瓶颈、各项资源增加一成可省的时间，以及四卡效果",
    },
    "gains.heading": {
        "en": "What binds a step of the whole batch, and what share of it 10 % more would save",
        "zh": "整批单步的瓶颈，以及各项资源增加 10% 可省的比例",
    },
    "gains.column.workload": {"en": "workload", "zh": "任务"},
    "gains.column.card": {"en": "card", "zh": "显卡"},
    "gains.column.step": {"en": "step ms", "zh": "单步 ms"},
    "gains.column.bound": {"en": "bound by", "zh": "瓶颈"},
    "gains.column.memory": {"en": "memory", "zh": "显存"},
    "gains.column.bandwidth": {"en": "bandwidth", "zh": "带宽"},
    "gains.column.compute": {"en": "compute", "zh": "算力"},
    "gains.column.link": {"en": "link, 4 cards", "zh": "互联（四卡）"},
    "gains.column.several": {"en": "4 cards", "zh": "四卡"},
    "gains.times": {"en": "{speedup} times", "zh": "{speedup} 倍"},
    "gains.several_heading": {
        "en": "Four cards instead of one, at the same global batch",
        "zh": "全局批量不变，四卡替代单卡",
    },
    "gains.several_line": {"en": "{workload}, {card}: {line}", "zh": "{workload}，{card}：{line}"},
    "gains.note": {
        "en": "Steps are predictions for the card alone (error {low} to {high} in nine of ten cases); "
        "the plan also judges storage and the CPU.",
        "zh": "步时为仅考虑显卡的预测值（九成情况误差在 {low} 至 {high} 以内）；购置方案还会考虑存储与 CPU。",
    },
}
