"""What costs nothing and is worth trying before anything is bought."""

TEXTS = {
    "software.title": {
        "en": "Before you buy: software that costs nothing (predictions, to be tried)",
        "zh": "购置之前：不花钱的软件措施（预测值，请先试行）",
    },
    "software.line": {
        "en": "{workload} on {card}: {way} takes about {then} a run instead of {now} ({share} less).",
        "zh": "{workload}（{card}）：{way}，单次训练约 {then}，现为 {now}（缩短 {share}）。",
    },
    "software.seconds": {"en": "{seconds} s", "zh": "{seconds} 秒"},
    "software.way.amp": {"en": "mixed precision", "zh": "启用混合精度"},
    "software.way.compiled": {"en": "torch.compile or CUDA graphs", "zh": "使用 torch.compile 或 CUDA Graphs"},
}
