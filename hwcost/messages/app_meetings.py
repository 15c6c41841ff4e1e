"""Words for what people ask in the three meetings: supply, the next money, the campus cluster, what else runs."""

from __future__ import annotations

PLAIN = {
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

SUPPLY = {
    "column": ("Available to buy", "可采购性"),
    "title": ("Can it still be bought?", "还买得到吗？"),
    "stated": ("{status} ({day})", "{status}（{day}）"),
    "judged": ("{status} ({day}; confirm with a quotation)", "{status}（{day}，须报价确认）"),
    "computed": ("{status} ({day}, computed from the rule)", "{status}（{day}，按规则与公开参数推算）"),
    "quoted": ("quoted as a whole machine ({day})", "整机已有报价（{day}）"),
    "parts": ("common parts; confirm with a quotation", "通用部件，须报价确认"),
    "unknown": ("to be checked: nobody has stated it", "需核实：尚无供货信息"),
    "ask": ("Name a card", "查询某款显卡"),
    "price_net": (
        "Last price seen: {amount} without tax ({day}, {kind}).",
        "最近一次价格：{amount}，不含税（{day}，{kind}）。",
    ),
    "price_gross": (
        "Last price seen: {amount} with tax ({day}, {kind}).",
        "最近一次价格：{amount}，含税（{day}，{kind}）。",
    ),
    "instead": (
        "On sale with no less memory, the cheapest first: {cards}.",
        "现可采购且显存不低于它的显卡（由低价到高价）：{cards}。",
    ),
    "nothing_instead": ("No card with as much memory can be bought here.", "当地现无显存不低于它的可采购显卡。"),
}

NEXT = {
    "title": ("What more money would buy", "预算再多一些能买到什么"),
    "ask": ("What would {more} more ({to}) buy?", "预算再加 {more}（至 {to}）能买到什么？"),
    "line": ("{gain} Then: {configuration}.", "{gain}届时配置：{configuration}。"),
}

CAMPUS = {
    "title": ("Why not the campus cluster?", "校级计算平台为什么不能满足？"),
    "ask": (
        "Nobody has stated the campus cluster's rate and wait: ask, and enter them under “Money”. Until then, "
        "published rates of other institutions stand here as a guide.",
        "本校计算平台的单价与排队时间尚未填写：请询问后填入“经费与机时”。以下先列其他单位公布的单价，仅供参考。",
    ),
    "ask_only": (
        "Nobody has stated the campus cluster's rate and wait: ask, and enter them under “Money”.",
        "本校计算平台的单价与排队时间尚未填写：请询问后填入“经费与机时”。",
    ),
    "offer": ("Offer", "平台"),
    "wait": ("Usual wait", "通常排队"),
    "rate": ("Per card-hour, with tax", "每卡时（含税）"),
    "hours": ("Card-hours a year", "年卡时"),
    "cost": ("Cost a year", "年费用"),
    "whose": ("Price from", "单价来源"),
    "ours": ("stated for this lab", "本课题组填写"),
    "published": ("published by another institution", "其他单位公布"),
    "reasons": ("Usual reasons against it, checked against the inputs", "常见的不适用理由，按已填内容逐项核对"),
    "reasons_note": (
        "Use only reasons that hold; what is to be asked decides nothing yet.",
        "论证时只应引用“成立”的理由；“待询”的须先问清。",
    ),
    "reason": ("Reason", "理由"),
    "state": ("Holds?", "是否成立"),
    "evidence": ("By what", "依据"),
    "state.holds": ("holds", "成立"),
    "state.fails": ("does not hold", "不成立"),
    "state.open": ("to be asked", "待询"),
    "name.queue": ("The queue is too long", "排队过久"),
    "name.data": ("Data must not leave the group", "数据不得出组"),
    "name.interactive": ("People work interactively", "需交互调试"),
    "name.fund": ("The money may not pay services", "经费不能支付服务费"),
    "name.memory": ("Its cards do not run the work", "平台显卡不能运行"),
    "queue.open": ("The usual wait is not stated.", "通常排队时间未填写。"),
    "queue.holds": ("With a wait of {wait} these end too late: {jobs}.", "排队 {wait}，不能按时完成：{jobs}。"),
    "queue.fails": ("With a wait of {wait} every job still ends in time.", "排队 {wait}，各任务仍能按时完成。"),
    "data.holds": ("The inputs say that data stay in the lab.", "已填明数据只能在课题组内处理。"),
    "data.fails": (
        "The inputs let the data be processed on campus.",
        "已填内容允许数据在校内处理；如不允许，请在情景中注明。",
    ),
    "interactive.open": (
        "Whether a card can be held there for interactive work is not stated; {people} train at once here.",
        "平台能否交互占用显卡未填写；本组最忙时 {people} 人同时训练。",
    ),
    "interactive.holds": (
        "No card can be held there for interactive work; {people} train at once here.",
        "平台不能交互占用显卡；本组最忙时 {people} 人同时训练。",
    ),
    "interactive.fails": (
        "Cards can be held there, or nobody here needs to hold one.",
        "平台可交互占用显卡，或本组无此需要。",
    ),
    "fund.open": (
        "The money is not split into funds: whether it may pay services is not stated.",
        "经费未分列，能否支付服务费未填写。",
    ),
    "fund.holds": ("None of the funds may pay services: {funds}.", "各项经费均不能支付服务费：{funds}。"),
    "fund.fails": ("These may pay services: {funds}.", "可支付服务费的经费：{funds}。"),
    "memory.open": ("The cards of the cluster are not stated.", "平台显卡型号未填写。"),
    "memory.holds": ("No card there runs: {jobs}.", "平台显卡均不能运行：{jobs}。"),
    "memory.fails": ("Each job runs on a card there.", "各任务均可在平台显卡上运行。"),
}

ELSE = {
    "title": ("What else it could do", "还能做什么"),
    "note": (
        "Estimates, beside the jobs asked for. A language model that only answers may be spread over the cards of one "
        "machine; training does not pool their memory. SAM with a ViT-L encoder is of the size of the last column.",
        "所列任务之外的能力，均为估算。语言模型推理可分摊到一台机器的多张卡；训练不能合并显存。"
        "SAM（ViT-L 编码器）的微调与末列同级。",
    ),
    "option": ("Option", "方案"),
    "machine": ("Machine", "机器"),
    "llm": ("Largest language model, 4 bit (DeepSeek, Qwen …)", "可运行的最大语言模型（DeepSeek、Qwen 等，4 位量化）"),
    "lora": ("LoRA fine-tuning of a 7 B model", "7B 模型 LoRA 微调"),
    "vision": ("ViT-L or SAM fine-tuning, one card", "ViT-L、SAM 微调（单卡）"),
    "one_card": ("{model}, on one card", "{model}，单卡即可"),
    "spread": ("{model}, over {cards} cards", "{model}，分摊到 {cards} 张卡"),
    "none": ("none of those listed", "所列模型均不能"),
    "yes": ("yes, on one card", "可以，单卡即可"),
    "no": ("no", "不能"),
    "batch": ("yes, batch up to {batch}", "可以，批大小最多 {batch}"),
}

DECISION = {
    "edit.larger_storage": (
        "The storage chosen does not hold {room} TB; the fastest that does takes its place: {storage}.",
        "所选存储容量不足 {room} TB，改用容量够用的最快存储：{storage}。",
    ),
    "edit.upgrade": (
        "No option buys a whole machine; upgrades are among the options above.",
        "各方案均不购整机；升级见上方各方案。",
    ),
    "edit.start": ("Start from option", "以哪个方案为起点"),
    "largest_tile": ("{job}; one tile at most {side} × {side}", "{job}；单个图块最大 {side}×{side}"),
}

SEVERAL = {
    "line_apart": (
        "{workload}: {line} But {people} people train at once, each on a card of their own: no need to run one model "
        "in parallel.",
        "{workload}：{line}但最忙时 {people} 人各自训练，各用一张卡，不需要并行。",
    ),
    "line_partly": (
        "{workload}: {line} In busy weeks {people} people use a card each; the others may run one model in parallel.",
        "{workload}：{line}最忙时 {people} 人各用一张卡，余下的卡才可用于并行。",
    ),
    "estimated": ("Speeds are estimates.", "速度倍数为估算。"),
}

REPORT = {
    "units": ("{nodes} at {price} each: {configuration}", "{nodes} 台，单价 {price}：{configuration}"),
    "others": ("What the rules of others ask at this amount", "其他学校的规定在此金额下的要求（对照）"),
    "others_note": (
        "For comparison: the rules of the own institution count. Choose them under “Start”, question 12.",
        "仅供对照，以本校规定为准；可在“起步问答”第 12 题选择。",
    ),
    "others.rules": ("Rules", "规定"),
    "others.method": ("Procedure", "采购方式"),
    "others.documents": ("Documents", "所需材料"),
    "others.nothing": ("none stated", "未列"),
}

QUOTE = {
    "option": ("Quotation of {vendor}: {name}", "报价（{vendor}）：{name}"),
    "machines": ("Whole machines quoted", "整机报价"),
    "machine": ("Machine", "整机"),
    "configuration": ("Configuration", "配置"),
    "amount": ("Price", "报价"),
    "tax": ("Tax", "税"),
    "valid": ("Valid until", "有效期至"),
    "warranty": ("Warranty", "质保"),
    "delivery": ("Delivery", "交货"),
    "estimate": ("Against the catalog's estimate", "与目录估算相比"),
    "years": ("{years} years", "{years} 年"),
    "weeks": ("{weeks} weeks", "{weeks} 周"),
    "parts": (
        "{cards} × {card}; {host}; {supplies} × {psu}; {ram} GiB; {storage}",
        "{cards} × {card}；{host}；{supplies} × {psu}；内存 {ram} GiB；{storage}",
    ),
    "above": ("{share} above the catalog's estimate of {estimate}", "高于目录估算 {share}（估算 {estimate}）"),
    "below": ("{share} below the catalog's estimate of {estimate}", "低于目录估算 {share}（估算 {estimate}）"),
    "equal": ("equal to the catalog's estimate", "与目录估算一致"),
    "no_estimate": ("no estimate: a part has no price", "无法估算：部分部件无价格"),
    "estimate_note": (
        "The estimate is the sum of the parts at the catalog's prices, on the same tax basis as the quotation.",
        "估算为各部件目录价格之和，含税口径与报价一致。",
    ),
}

OWNED = {
    "title": ("What we have: is it enough?", "现有设备：够不够用？"),
    "now": (
        "Kept as they are, the machines are used {used} of {available} card-hours a year ({share}; busy hours) and "
        "serve {people} at once.",
        "维持现状时，每年运行 {used} 卡时，可用 {available} 卡时（{share}），可供 {people}同时训练。",
    ),
    "job": ("Job", "任务"),
    "before": ("One run now", "现在单次"),
    "after": ("One run as recommended", "采用推荐方案后单次"),
    "change": ("Change", "变化"),
    "faster": ("{times} times as fast", "快至 {times} 倍"),
    "same": ("no faster", "无明显变化"),
    "one_more": (
        "One more {card}, number {number}, does not work: {reasons}",
        "加装第 {number} 张 {card} 不可行：{reasons}",
    ),
    "replace": (
        "Other cards in place of the present ones: {machine}, from {price} incl. tax.",
        "换卡：{machine}，含税 {price} 起。",
    ),
    "sell": (
        "Selling the {card}: public institutions dispose of equipment by rules of their own, so nothing is counted; a "
        "private owner would get about {price} a card, second-hand ({day}).",
        "出售 {card}：公立单位须按资产处置规定办理，故不计收入；个人二手价约每张 {price}（{day}）。",
    ),
}

POOL = {
    "title": ("Do several cards make one large memory?", "几张卡的显存能不能合成一张？"),
    "no": (
        "No: data parallelism copies the model to every card. {count} x {memory} GB stay {memory} GB for a job; only "
        "sharded training (FSDP, ZeRO-3) spreads parameters, gradients and optimizer, not the activations.",
        "不能：数据并行在每张卡上各存一份模型，{count} × {memory} GB 对一个任务仍是 {memory} GB；"
        "只有参数分片训练（FSDP、ZeRO-3）能分摊参数、梯度与优化器，激活值不能分摊。",
    ),
    "bridge": (
        "An NVLink bridge joins exactly {cards} of these cards: it makes their exchange faster, not their memory one.",
        "NVLink 桥只连接 {cards} 张此型号显卡：加快卡间通信，并不合并显存。",
    ),
    "none": ("This card has no NVLink bridge.", "此型号显卡没有 NVLink 桥。"),
}

COMPARE = {
    "assumed": (
        "Shown as if it could be had ({status}): order only with a quotation.",
        "按可供货测算（{status}），须凭报价采购。",
    ),
    "state_batch": ("{state}; at most {batch} on a card", "{state}；单卡批大小最多 {batch}"),
    "row.framework": ("Framework contract", "框架协议"),
    "framework.ask": (
        "ask purchasing; with a listed vendor no comparison is needed",
        "请询采购部门；在列供应商通常无须比价",
    ),
    "framework.consumer": ("GeForce cards are usually not listed", "GeForce 类显卡通常不在列"),
    "framework.quoted": ("ask {vendor} for the contract's number", "请向 {vendor} 询问协议编号"),
    "noise_ok": ("{noise}, within the limit of {limit} dBA", "{noise}，不超过限值 {limit} dBA"),
    "noise_over": ("{noise}, above the limit of {limit} dBA", "{noise}，超过限值 {limit} dBA"),
    "but.people": (
        "{name} is better only where more than {people} train at once and no job needs more than {memory} GB on a "
        "card.",
        "仅当同时训练超过 {people}，且单卡显存需求不超过 {memory} GB 时，{name} 才更合适。",
    ),
    "but.memory": (
        "{name} is better only where a job needs more than {memory} GB on one card.",
        "仅当有任务单卡需超过 {memory} GB 时，{name} 才更合适。",
    ),
    "but.price": ("{name} is {amount} cheaper to buy.", "{name} 的购置费低 {amount}。"),
}

AREAS = {
    "owned": OWNED, "pool": POOL, "compare": COMPARE,
    "supply": SUPPLY, "next": NEXT, "campus": CAMPUS, "else": ELSE, "decision": DECISION, "several": SEVERAL,
    "report": REPORT, "quoted": QUOTE,
}  # fmt: skip

TEXTS: dict[str, dict[str, str]] = {key: {"en": en, "zh": zh} for key, (en, zh) in PLAIN.items()} | {
    f"web.{area}.{key}": {"en": en, "zh": zh} for area, words in AREAS.items() for key, (en, zh) in words.items()
}
