"""Words of the rules on jobs that share a card, are spread over cards or run on somebody else's machine."""

from __future__ import annotations

TEXTS: dict[str, dict[str, str]] = {
    "rulename.shared_memory": {"en": "Memory for jobs that share a card", "zh": "共用显卡的显存"},
    "rule.shared_memory": {
        "en": "{jobs} jobs on one card need {need_gib:.1f} GiB together at {micro_batch} samples each; "
        "{usable_gib:.1f} GiB may be used.",
        "zh": "一张卡上同时运行 {jobs} 个任务共需显存 {need_gib:.1f} GiB（每个任务每次 {micro_batch} 个样本），"
        "可用 {usable_gib:.1f} GiB。",
    },
    "rulename.host_cores": {"en": "CPU cores for jobs that share a card", "zh": "共用显卡所需 CPU 核数"},
    "rule.host_cores": {
        "en": "{jobs} jobs on one card with their loader processes need {need} CPU cores; the machine has {cores}.",
        "zh": "一张卡上的 {jobs} 个任务连同数据加载进程需 {need} 个 CPU 核，整机仅有 {cores} 个。",
    },
    "rulename.host_data": {"en": "Host memory for each process's data", "zh": "各进程数据所需主机内存"},
    "rule.host_data": {
        "en": "{processes} processes that each hold their data of {data_gib:.1f} GiB need {need_gib:.0f} GiB of host "
        "memory; the machine has {ram_gib:.0f} GiB.",
        "zh": "{processes} 个进程各自载入 {data_gib:.1f} GiB 数据，共需主机内存 {need_gib:.0f} GiB，"
        "整机配备 {ram_gib:.0f} GiB。",
    },
    "rulename.wait_unknown": {"en": "Usual wait for card-hours", "zh": "机时排队时间"},
    "rule.wait_unknown": {
        "en": "The usual wait at {service} is not known, so a result within {limit_hours:.1f} hours cannot be "
        "promised; ask the provider and enter it.",
        "zh": "{service} 的常见排队时间未知，无法保证 {limit_hours:.1f} 小时内出结果，请向平台核实后填写。",
    },
}
