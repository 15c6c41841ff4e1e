"""Where and how a job runs, in a few words."""

TEXTS = {
    "way.single": {"en": "1 x {card}", "zh": "1 张 {card}"},
    "way.parallel": {"en": "{count} x {card} in parallel", "zh": "{count} 张 {card} 并行"},
    "way.sharded": {"en": "{count} x {card}, sharded", "zh": "{count} 张 {card} 分片训练"},
    "way.shared": {"en": "{sharers} share one {card}", "zh": "{sharers} 人共用 1 张 {card}"},
    "way.service": {"en": "{service}, {card}", "zh": "{service}，{card}"},
    "way.wait": {"en": ", after about {hours} h in the queue", "zh": "，排队约 {hours} 小时"},
    "way.nodes": {"en": ", over {nodes} machines", "zh": "，跨 {nodes} 台主机"},
    "way.checkpointing": {"en": ", with activation checkpointing", "zh": "，启用激活检查点"},
}
