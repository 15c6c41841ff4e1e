"""Words about predictions: what bounds a step, links, evidence, and the cases of the data-parallel threshold."""

from __future__ import annotations

TEXTS: dict[str, dict[str, str]] = {
    "bound.launches": {"en": "kernel launches", "zh": "内核启动开销"},
    "bound.bandwidth": {"en": "memory bandwidth", "zh": "显存带宽"},
    "bound.compute": {"en": "compute", "zh": "计算吞吐"},
    "bound.loader": {"en": "data loading on the CPU", "zh": "CPU 数据加载"},
    "bound.storage": {"en": "storage", "zh": "存储读取"},
    "bound.communication": {"en": "communication between cards", "zh": "卡间通信"},
    "bound_advice.launches": {
        "en": "A faster card changes little: try torch.compile or CUDA graphs, or several jobs on one card.",
        "zh": "更换更快的显卡收效甚微：可先尝试 torch.compile 或 CUDA Graphs，或在同一张卡上并行多个任务。",
    },
    "bound_advice.bandwidth": {
        "en": "Memory bandwidth decides: mixed precision first, then a card with more bandwidth.",
        "zh": "显存带宽是瓶颈：先启用混合精度，再考虑带宽更高的显卡。",
    },
    "bound_advice.compute": {
        "en": "Compute decides: mixed precision first, then a card with a higher rate.",
        "zh": "计算吞吐是瓶颈：先启用混合精度，再考虑算力更高的显卡。",
    },
    "bound_advice.loader": {
        "en": "The cards wait for the CPU: more loader workers and cores, or preprocessing once and ahead.",
        "zh": "显卡在等待 CPU：增加数据加载进程与 CPU 核数，或将预处理提前一次性完成。",
    },
    "bound_advice.storage": {
        "en": "The cards wait for storage: local NVMe, or enough RAM to hold the data set, before any faster card.",
        "zh": "显卡在等待存储：应先配置本地 NVMe，或将内存扩充至可容纳数据集，再考虑更快的显卡。",
    },
    "bound_advice.communication": {
        "en": "The cards wait for each other: separate runs on each card use the same money better.",
        "zh": "多卡在互相等待：将各卡用于独立任务，资金使用效率更高。",
    },
    "gain.memory": {"en": "+{percent:g} % memory", "zh": "显存容量 +{percent:g}%"},
    "gain.bandwidth": {"en": "+{percent:g} % memory bandwidth", "zh": "显存带宽 +{percent:g}%"},
    "gain.compute": {"en": "+{percent:g} % compute rate", "zh": "计算吞吐 +{percent:g}%"},
    "gain.storage": {"en": "+{percent:g} % storage speed", "zh": "存储速度 +{percent:g}%"},
    "gain.link": {"en": "+{percent:g} % link bandwidth", "zh": "互联带宽 +{percent:g}%"},
    "evidence.measured": {"en": "measured on this card", "zh": "本卡实测"},
    "evidence.transferred": {"en": "transferred from a measurement on a known card", "zh": "由已知显卡的实测换算"},
    "evidence.estimated": {"en": "estimated from specifications", "zh": "按规格估算"},
    "link.pcie_p2p": {"en": "PCIe, peer-to-peer", "zh": "PCIe 点对点直连"},
    "link.pcie_p2p_off": {"en": "PCIe without peer-to-peer", "zh": "PCIe（不支持点对点）"},
    "link.pcie_host_staged": {"en": "PCIe, staged through host memory", "zh": "PCIe（经主机内存中转）"},
    "link.nvlink_pair": {"en": "NVLink bridge between two cards", "zh": "双卡 NVLink 桥接"},
    "link.pcie_p2p_with_pair_bridges": {
        "en": "PCIe with NVLink bridges on pairs (bound by PCIe between the pairs)",
        "zh": "PCIe + 两两 NVLink 桥接（受卡对之间 PCIe 限制）",
    },
    "link.nvlink_sxm": {"en": "NVLink between all cards", "zh": "全卡 NVLink 互联"},
    "link.eth_1g": {"en": "1 Gb Ethernet", "zh": "千兆以太网"},
    "link.eth_10g": {"en": "10 Gb Ethernet", "zh": "万兆以太网"},
    "link.eth_25g": {"en": "25 Gb Ethernet", "zh": "25G 以太网"},
    "link.eth_100g": {"en": "100 Gb Ethernet", "zh": "100G 以太网"},
    "threshold.case.pays_from": {
        "en": "{cards} cards reach a speedup of {target:g} from {params_m:.3g} million parameters up.",
        "zh": "参数量达到 {params_m:.3g} 百万及以上时，{cards} 张卡可达到 {target:g} 倍加速。",
    },
    "threshold.case.always": {
        "en": "{cards} cards reach a speedup of {target:g} at every parameter count.",
        "zh": "无论参数量大小，{cards} 张卡均可达到 {target:g} 倍加速。",
    },
    "threshold.case.pays_up_to": {
        "en": "{cards} cards reach a speedup of {target:g} only up to {params_m:.3g} million parameters.",
        "zh": "仅当参数量不超过 {params_m:.3g} 百万时，{cards} 张卡可达到 {target:g} 倍加速。",
    },
    "threshold.case.never": {
        "en": "{cards} cards reach a speedup of {target:g} at no parameter count.",
        "zh": "无论参数量大小，{cards} 张卡均达不到 {target:g} 倍加速。",
    },
    "threshold.case.break_even": {
        "en": "{cards} cards give a speedup of exactly {target:g} at every parameter count.",
        "zh": "无论参数量大小，{cards} 张卡的加速比恰为 {target:g} 倍。",
    },
    "threshold.alternative.accumulation": {
        "en": "Gradient accumulation on one card: the same batch, no communication, no money.",
        "zh": "单卡梯度累积：等效批量相同，无通信开销，无需新增投入。",
    },
    "threshold.alternative.amp": {
        "en": "Mixed precision: about half the activation memory and bandwidth, on the cards you have.",
        "zh": "混合精度：在现有显卡上将激活显存与带宽需求降至约一半。",
    },
    "threshold.alternative.checkpointing": {
        "en": "Activation checkpointing: fits larger tiles for about a third more time.",
        "zh": "激活检查点：以约三分之一的额外时间换取更大的影像块。",
    },
    "threshold.alternative.sharding": {
        "en": "Sharding (FSDP, ZeRO): the only way to pool memory; useful from about 100 million parameters.",
        "zh": "参数分片（FSDP、ZeRO）：唯一能合并多卡显存的方式，参数量约 1 亿以上方有意义。",
    },
    "threshold.alternative.independent_runs": {
        "en": "Independent runs, one per card: full use of every card without communication.",
        "zh": "每卡独立运行一个任务：无通信开销，各卡均可满负荷使用。",
    },
}
