"""Words of `profile`, `measure` and `calibrate` about what was not measured, cannot be, or was edited by hand."""

from __future__ import annotations

FIGURES = {
    "time": ("expected a time above 0, in ms", "应为大于 0 的时间（毫秒）"),
    "share": ("expected a number from 0 up, or nothing", "应为不小于 0 的数，或留空"),
    "count": ("expected a whole number from 1 up", "应为不小于 1 的整数"),
    "several": ("expected a whole number of processes, 2 or more", "应为不小于 2 的进程数"),
    "yes_no": ("expected true or false", "应为 true 或 false"),
    "text": ("expected a text", "应为文本"),
    "model": ("expected a network that stands under models with its figures", "应为 models 中列有数据的网络"),
    "device": ("expected cpu or cuda", "应为 cpu 或 cuda"),
    "precision": ("expected one of the program's precisions", "应为程序支持的精度之一"),
    "cards": ("expected the measured cards with their names", "应为被测显卡及其名称"),
    "date": ("expected a date such as 2026-11-30", "应为日期，如 2026-11-30"),
}

TEXTS: dict[str, dict[str, str]] = {
    **{
        f"problem.measure_figure_{name}": {
            "en": f"{{place}} is “{{value}}”; {en}: the file was changed or cut, take the original or measure again",
            "zh": f"{{place}} 为“{{value}}”；{zh}：该文件经过改动或不完整，请使用原文件或重新实测",
        }
        for name, (en, zh) in FIGURES.items()
    },
    "problem.measure_folder_in_file": {
        "en": "the folder cannot be made, since {value} is a file; name another folder",
        "zh": "无法新建该文件夹，因为 {value} 是文件；请指定其他文件夹",
    },
    "problem.measure_folder_rights": {
        "en": "the folder cannot be made or written to: you have no right to write in {value}; name another folder",
        "zh": "无法新建或写入该文件夹：没有 {value} 的写权限；请指定其他文件夹",
    },
    "problem.measure_precision_processor": {
        "en": "a processor has no {value}; measure with --precision fp32 or bf16, or on a card",
        "zh": "处理器不支持 {value}；请使用 --precision fp32 或 bf16，或在显卡上实测",
    },
    "problem.measure_precision_card": {
        "en": "{card} does not compute in {value} (compute capability {capability}, 8.0 or later is needed); measure "
        "with --precision fp32 or amp16",
        "zh": "{card} 不支持 {value}（计算能力 {capability}，需 8.0 及以上）；请使用 --precision fp32 或 amp16",
    },
    "problem.measure_mixed_cards": {
        "en": "the cards differ ({value}): data parallelism over them runs at the pace of the slowest and describes "
        "none; "
        "make equal ones visible (CUDA_VISIBLE_DEVICES=0,1), or measure one with --processes 1",
        "zh": "显卡型号不一（{value}）：跨型号数据并行以最慢者为准，结果不代表任何一款；请只启用同型号显卡"
        "（CUDA_VISIBLE_DEVICES=0,1），或用 --processes 1 实测单卡",
    },
    "problem.measure_no_nccl": {
        "en": "this build of PyTorch has no NCCL, without which several cards cannot be measured (NCCL is for Linux); "
        "measure one card with --processes 1, or use Linux or WSL 2",
        "zh": "该 PyTorch 版本不含 NCCL，无法实测多卡（NCCL 仅支持 Linux）；请用 --processes 1 实测单卡，"
        "或改用 Linux 或 WSL 2",
    },
    "problem.measure_large": {
        "en": "samples of {shapes} at a batch of {batch} take {need} GiB of main memory, this machine has {have} GiB; "
        "check --input, or state a smaller --batch, --global-batch and --max-batch",
        "zh": "形状 {shapes}、批大小 {batch} 的样本需要 {need} GiB 内存，本机为 {have} GiB；请检查 --input，"
        "或减小 --batch、--global-batch 与 --max-batch",
    },
    "problem.calibrate_slice": {
        "en": "“{value}” is a part of a card (MIG): its times say nothing about the whole card; measure with MIG off",
        "zh": "“{value}”是显卡的一个切片（MIG），其用时不代表整卡；请关闭 MIG 后重新实测",
    },
    "problem.calibrate_mixed_cards": {
        "en": "the measured cards differ ({value}); what several of them take describes none: measure equal ones",
        "zh": "被测显卡型号不一（{value}），多卡结果不代表任何一款；请用同型号显卡实测",
    },
    "measure.unfitted.network.few": {
        "en": "{name}: no c0 and c1, since only {points} different batches ran and three are needed; measure again "
        "without --only and with a larger --max-batch",
        "zh": "{name}：无 c0、c1，因为只有 {points} 种批大小有结果，至少需要三种；请去掉 --only 并加大 --max-batch "
        "后重新实测",
    },
    "measure.unfitted.network.falling": {
        "en": "{name}: no c0 and c1, since the step gets shorter as the batch grows ({first_ms} ms at {first}, "
        "{last_ms} ms at {last}), which no card does by itself; something else ran, or clocks had not risen yet: "
        "measure again on an idle machine with more --steps (--restart)",
        "zh": "{name}：无 c0、c1，因为批大小增大时步时反而缩短（{first} 时 {first_ms} 毫秒，{last} 时 {last_ms} "
        "毫秒），"
        "显卡本身不会如此；可能有其他程序在运行，或频率尚未升起：请在空闲的机器上加大 --steps 重新实测（--restart）",
    },
    "measure.unfitted.network.never_ran": {
        "en": "{name}: no c0 and c1, since it ran at none of the batches in one pass; measure with a smaller --batch",
        "zh": "{name}：无 c0、c1，因为没有一种批大小能一次通过；请减小 --batch 后重新实测",
    },
    "measure.unfitted.all_reduce.few": {
        "en": "All-reduce over {name}: no alpha and bandwidth, since only {points} message sizes were measured "
        "and three "
        "are needed; measure again without --only and with a larger --max-message-mib",
        "zh": "{name} 卡 All-Reduce：无 alpha 与带宽，因为只测了 {points} 种消息大小，至少需要三种；请去掉 --only "
        "并加大 "
        "--max-message-mib 后重新实测",
    },
    "measure.unfitted.all_reduce.falling": {
        "en": "All-reduce over {name}: no alpha and bandwidth, since large messages took no longer than small ones "
        "({first_ms} ms for {first} bytes, {last_ms} ms for {last}); measure again on an idle machine with a larger "
        "--max-message-mib (--restart)",
        "zh": "{name} 卡 All-Reduce：无 alpha 与带宽，因为大消息并不比小消息慢（{first} 字节 {first_ms} 毫秒，{last} "
        "字节 "
        "{last_ms} 毫秒）；请在空闲的机器上加大 --max-message-mib 重新实测（--restart）",
    },
    "measure.flat": {
        "en": "{name}: all batches take the same time within their errors; the step is its fixed part (launches), "
        "and a "
        "larger batch costs nothing up to {batch}. Measure larger ones (--max-batch) to see what a sample costs.",
        "zh": "{name}：各批大小的步时在误差内相同，步时即固定开销（内核启动）；批大小不超过 {batch} 时加大批"
        "不增加用时。请用 --max-batch 实测更大的批，以得到单个样本的用时。",
    },
    "measure.refused": {
        "en": "{model} did not run at a batch of {batch}: {reason}",
        "zh": "{model} 在批大小 {batch} 下未能运行：{reason}",
    },
    "measure.no_classes": {
        "en": "{model}: no runs to a target, since its output has no classes.",
        "zh": "{model}：输出不含类别，未进行达标训练。",
    },
    "measure.interrupted": {
        "en": "Interrupted. Finished cases are in {path}; the same call goes on there.",
        "zh": "已中断。已完成的情形保存在 {path}；再次执行同一命令可继续。",
    },
    "measure.figure.saved_at": {
        "en": "saved for backward at {precision}, MiB per sample, run under autocast",
        "zh": "{precision} 下为反向保存的数据，MiB/样本（按 autocast 实际运行）",
    },
    "measure.figure.live_at": {
        "en": "peak of tensors alive at once at {precision}, MiB",
        "zh": "{precision} 下同时存活张量的峰值，MiB",
    },
    "measure.precision_same": {
        "en": "{precision} changes how products are computed, not what is stored: sizes are those of fp32.",
        "zh": "{precision} 只改变乘法的计算方式，不改变存储：各项大小与 fp32 相同。",
    },
    "problem.measure_autocast": {
        "en": "a step at {value} failed ({reason}) though one at fp32 runs: an operator has no 16-bit form on a "
        "processor; profile with --precision fp32, or without --real",
        "zh": "{value} 下单步失败（{reason}），而 fp32 可以运行：处理器上有算子不支持 16 位；请使用 --precision fp32，"
        "或去掉 --real",
    },
}
