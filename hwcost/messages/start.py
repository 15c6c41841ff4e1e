"""Words of the start form: the twelve questions, what each changes, notes, and what `hwcost start` prints."""

from __future__ import annotations

QUESTIONS = {
    1: ("Budget", "预算", "what may be bought at all", "可购配置的上限"),
    2: ("Funds: what each may pay for, and until when", "经费：可用于哪些支出，使用截止日期",
        "whether the goal is the best use of a lapsing fund or the least cost", "目标是用好到期经费，还是费用最低"),
    3: ("People who train networks, and how many at once in busy weeks", "做深度学习的人数；最忙时同时训练的人数",
        "the number of cards", "显卡数量"),
    4: ("What you train (one to four)", "主要训练什么（1～4 项）",
        "memory of a card, and the time of a run", "所需显存与单次训练时长"),
    5: ("One run now: how long, on which card, how much memory", "现在一次训练要多久、用什么显卡、占多少显存",
        "run times on every other card, measured instead of estimated", "其他显卡上的时长由实测换算，不再估算"),
    6: ("Result wanted within", "一次训练希望多久出结果",
        "slower ways to run a job are left out", "排除过慢的运行方式"),
    7: ("How many runs a year", "一年大约训练多少次", "the work of a year", "年任务量"),
    8: ("What you own", "现有设备", "whether anything has to be bought", "是否需要购置"),
    9: ("Where the machine stands", "设备放在哪里", "noise, power at the socket, which machines are allowed",
        "噪声、插座功率与允许的机型"),
    10: ("Who pays power, hosting and care", "电费、托管、运维由谁承担", "whose cost it is, in the cost table",
         "费用表中由谁承担"),
    11: ("Campus cluster: rate and usual wait", "校级计算平台：单价与常见排队时间",
         "the comparison that every reviewer asks for", "评审必问的比较对象"),
    12: ("Procurement rules that apply", "适用的采购规定", "how old a quotation may be", "报价的有效期限"),
}  # fmt: skip

FIELDS = {
    "budget.amount": ("Amount", "金额"),
    "budget.unit": ("Unit of the amount", "金额单位"),
    "budget.tax_included": ("Does it include tax", "是否含税"),
    "fund.name": ("Name of the fund", "经费名称"),
    "fund.pays": ("It may pay for", "可用于"),
    "fund.amount": ("Its amount", "该项经费金额"),
    "fund.spend_by": ("To be spent by", "使用截止日期"),
    "objective": ("Goal", "目标"),
    "people.total": ("People", "人数"),
    "people.at_once": ("At once in busy weeks", "最忙时同时训练人数"),
    "train.what": ("Network, by its name", "网络名称"),
    "train.batch": ("Batch", "批大小"),
    "train.epochs": ("Passes over the samples", "训练轮数"),
    "train.tiles": ("Training samples", "训练样本"),
    "train.people": ("People on this training", "该项训练的人数"),
    "train.at_once": ("Of these at once", "其中同时训练人数"),
    "train.people_per_card": ("People who may share one card", "可共用一张卡的人数"),
    "train.now.hours": ("One run now", "现在单次训练时长"),
    "train.now.card": ("On which card", "所用显卡"),
    "train.now.memory_gib": ("Memory in use", "显存占用"),
    "train.now.memory_from": ("Where the memory was read", "显存读数来源"),
    "within": ("Result wanted within", "希望多久出结果"),
    "train.within": ("Result wanted within", "希望多久出结果"),
    "train.papers": ("Papers a year", "每年论文篇数"),
    "train.runs_per_week": ("Runs of each person in a week", "每人每周训练次数"),
    "train.runs_per_year": ("Runs a year", "每年训练次数"),
    "own.card": ("Card you own", "已有显卡型号"),
    "own.cards": ("Cards in one machine", "每台显卡数"),
    "own.count": ("Machines like this", "同样设备台数"),
    "own.host": ("Host", "主机"),
    "own.psu_watts": ("Power supply", "电源功率"),
    "own.disk": ("Disk", "硬盘"),
    "own.disk_tb": ("Size of the disk", "硬盘容量"),
    "place.where": ("Place", "放置地点"),
    "place.circuit_amps": ("Rating of a socket", "插座额定电流"),
    "place.circuits": ("Sockets on circuits of their own", "独立回路数"),
    "place.noise_limit_dba": ("Noise limit", "噪声上限"),
    "place.rack_units": ("Free rack units", "空余机架高度"),
    "payers.power": ("Who pays the power", "电费由谁承担"),
    "payers.hosting": ("Who pays the hosting", "托管费由谁承担"),
    "payers.care": ("Who pays the care", "运维由谁承担"),
    "campus.available": ("Is there a campus cluster", "有无校级计算平台"),
    "campus.price_per_card_hour": ("Its rate for a card-hour", "每卡时单价"),
    "campus.usual_wait_hours": ("Usual wait there", "常见排队时间"),
    "campus.card": ("Its card", "平台显卡型号"),
    "procurement.profile": ("Profile of rules", "采购规定"),
}

HINTS = {
    "number": ("a number", "数字"),
    "whole": ("a whole number", "整数"),
    "day": ("a date such as 2026-12-31", "日期，如 2026-12-31"),
    "flag": ("yes or no", "是或否"),
    "text": ("in your own words", "可用自己的话填写"),
    "words": ("one or several of {choices}, with commas", "{choices} 中的一项或多项，以逗号分隔"),
    "word": ("one of {choices}", "{choices} 之一"),
    "within": ("one of {choices}, or hours", "{choices} 之一，或小时数"),
}  # fmt: skip

# as they may be entered; those of the Chinese form are read by `answers_io.WORDS_ZH`
CHOICES = {
    "equipment": ("equipment", "设备"), "services": ("services", "服务"), "consumables": ("consumables", "材料"),
    "hour": ("hour", "1小时"), "overnight": ("overnight", "当晚"), "weekend": ("weekend", "周末"),
    "week": ("week", "一周"), "any": ("any", "不限"), "office": ("office", "办公室"), "lab": ("lab", "实验室"),
    "department_room": ("department_room", "学院机房"), "machine_room": ("machine_room", "校级机房"),
    "university": ("university", "学校"), "non_cash": ("non_cash", "不单独计费"), "payers.lab": ("lab", "课题组"),
}  # fmt: skip

ORIGINS = {"answered": ("answered", "已回答"), "unknown": ("not known: default", "不知道，取默认值"),
           "default": ("default", "默认值")}  # fmt: skip

RULES = {
    "patch_methods": ("Methods compared in a paper on patches", "小块分类论文的比较方法数"),
    "patch_scenes": ("Scenes in a paper on patches", "小块分类论文的数据集数"),
    "patch_repeats": ("Repeats of each run", "每组实验重复次数"),
    "patch_ablations": ("Ablations", "消融实验组数"),
    "patch_settings": ("Settings tried", "调参组数"),
    "patch_setting_repeats": ("Repeats of a setting", "每组调参重复次数"),
    "patch_waste": ("Runs made per run that counts", "实际训练次数与有效次数之比"),
    "tiles_runs_per_paper": ("Runs per paper on tiles", "图块任务每篇论文训练次数"),
    "pretraining_runs_per_paper": ("Pretraining runs per paper", "每篇论文预训练次数"),
    "finetuning_runs_per_paper": ("Fine-tuning runs per paper", "每篇论文微调次数"),
    "papers_per_person_year": ("Papers per person and year", "每人每年论文篇数"),
    "at_once_share": ("Share of the people who train at once", "最忙时同时训练人数占比"),
    "weeks_per_year": ("Working weeks", "每年工作周数"),
    "held_hours_per_person_week": ("Hours a week for which a person holds a card", "每人每周占用显卡时数"),
    "held_per_busy": ("Held hours per busy hour, at least", "占用机时与运行机时之比下限"),
    "window_hours_per_week": ("Hours of a week in which people hold cards", "每周可占用显卡的时段"),
    "people_per_card_patch": ("People on one card, patches", "每卡共用人数（小块任务）"),
    "people_per_card_tiles": ("People on one card, tiles", "每卡共用人数（图块任务）"),
    "people_per_card_pretraining": ("People on one card, pretraining", "每卡共用人数（预训练）"),
    "people_per_card_finetuning": ("People on one card, fine-tuning", "每卡共用人数（微调）"),
    "busy_week_hours_per_person": ("Hours for which a person wants a card in a busy week", "最忙一周每人需用显卡时数"),
    "session_hours": ("Hours for which a card is held in one go", "一次连续占用显卡的时数"),
}

NOTES = {
    "funds_below": (
        "The funds that may pay for equipment add up to {funds}, less than the budget of {budget}. The plan may spend "
        "the budget: correct one of the two.",
        "可用于设备的经费合计 {funds}，低于预算 {budget}。方案以预算为限：请更正其中一项。",
    ),
    "services": (
        "No fund may pay for services, so campus time and rent are left out of the plan.",
        "没有经费可支付服务费，因此方案不含租用与校级机时。",
    ),
    "no_budget": ("No budget is stated, so the plan has no limit.", "未填写预算，方案不受金额限制。"),
    "campus_none": (
        "No campus cluster. Finance will ask for that in writing.",
        "无校级计算平台。财务会要求书面说明。",
    ),
    "campus": (
        "Campus cluster: {hours} busy card-hours a year would cost {cost} there. It takes part in the plan as an "
        "option.",
        "校级计算平台：每年运行机时 {hours} 卡时，约需 {cost}，已作为备选纳入方案。",
    ),
    "campus_wait": (
        "Campus cluster, usual wait not known: no result within a time can be promised, so a training that is wanted "
        "within a time is not planned there. Ask the cluster and answer 'usual_wait_hours' (a guess will do at first).",
        "校级计算平台的常见排队时间未知，无法保证按时出结果，有时限的训练不会安排到该平台。"
        "请向平台询问后填写 usual_wait_hours（可先填估计值）。",
    ),
    "campus_ask": (
        "Campus cluster: to be asked (rate, usual wait). {hours} busy card-hours a year are to be compared with it. "
        "Without a rate it takes no part in the plan.",
        "校级计算平台：待询（单价、排队时间），比较依据为每年运行机时 {hours} 卡时。单价未知，未纳入方案。",
    ),
    "sharing": (
        "If people share cards as assumed, {cards} card(s) serve {people} people.",
        "如按假设多人共用，{cards} 张卡可供 {people} 人使用。",
    ),
    "owned_memory": (
        "Memory of the machine you own: noted, not yet part of the calculation. The catalog's nearest host is used.",
        "现有主机的内存：已记录，尚未纳入计算，按目录中最接近的主机计。",
    ),
}

LINES = {
    "region": ("Region", "地区"),
    "intro": (
        "Twelve questions. Enter takes the default, ? means “don't know”.",
        "共 12 个问题。直接回车取默认值，? 表示不知道。",
    ),
    "asked": ("{number}. {title}", "{number}. {title}"),
    "changes": ("It changes: {what}.", "影响：{what}。"),
    "prompt": ("   {field} ({hint}; default: {default}) ", "   {field}（{hint}；默认：{default}）"),
    "another": ("Another one?", "还有吗？"), "empty": ("none", "无"),
    "again": ("   {problem}", "   {problem}"),
    "ended": ("The input ended; what is open takes its default.", "输入已结束，其余问题取默认值。"),
    "title": ("Answers, and what follows from them", "回答与推导结果"),
    "jobs": ("Demand of a year, runs timed on {card} (estimates)", "年需求，单次时长按 {card} 计（估算）"),
    "stores": (
        "Storage that the data need, from the speed of {card} (estimates; one disk read by all who train at once)",
        "数据所需存储，读取速度按 {card} 计（估算；同时训练者共用一块盘）",
    ),
    "room": ("room", "容量"),
    "read_speed": ("reading without waiting", "不等待所需读取速度"),
    "least_tier": ("least that suffices", "够用的最低配置"),
    "in_memory": ("stays in memory", "可常驻内存"),
    "any_tier": ("any", "均可"),
    "no_tier": (
        "none in the catalog; read less data a step, or add memory",
        "目录中均不足；请减少每步读取量或增加内存",
    ),
    "hours": ("Three figures of hours a year", "三种年机时"),
    "busy": ("Busy (cards compute): {hours} card-hours. Energy and rent follow it.",
             "运行机时（显卡计算）：{hours} 卡时，电费与租用按此计。"),
    "held": ("Held (a card is reserved): {hours} card-hours. The number of cards follows it and the people at once.",
             "占用机时（显卡被占用）：{hours} 卡时，显卡数量由此与同时人数决定。"),
    "wall": ("Wall (somebody holds a card): {hours} hours. Forms ask for it.",
             "占用时段（至少一张卡被占用）：{hours} 小时，论证表填此数。"),
    "waiting": ("Waiting in a busy week, {people} people at once (estimate)",
                "最忙一周的排队情况，{people} 人同时（估算）"),
    "advice_compute": (
        "Computing is not the limit: {busy} of {held} held card-hours. Choose the number of cards by the people at "
        "once.",
        "算力不是瓶颈：占用 {held} 卡时中仅 {busy} 卡时在计算。请按同时使用人数配置显卡。",
    ),
    "rules": ("Rules of thumb used, editable under [assumption] (estimates)",
              "所用经验规则，可在 [assumption] 中修改（估算）"),
    "noted": ("Noted", "备注"),
    "nobody": ("nobody", "无人"),
    "grows": ("the queue grows all week", "整周持续增长"),
    "question": ("question", "问题"), "answer": ("answer", "回答"), "origin": ("from", "来源"),
    "value": ("what follows", "推导值"), "becomes": ("in the scenario", "情景中的键"), "field": ("answer to", "项目"),
    "job": ("training", "训练"), "people": ("people", "人数"), "at_once": ("at once", "同时"),
    "per_card": ("per card", "每卡人数"), "runs": ("runs a year", "年次数"), "one_run": ("one run", "单次时长"),
    "busy_hours": ("busy, h", "运行，卡时"), "batch": ("batch", "批大小"), "memory": ("memory", "显存"),
    "yes": ("yes", "是"), "no": ("no", "否"), "value_plain": ("value", "取值"), "key": ("key", "键"),
    "unit.people": ("people", "人"), "unit.people/card": ("people a card", "人/卡"),
    "unit.runs/year": ("runs a year", "次/年"), "unit.samples": ("samples", "个样本"), "unit.epochs": ("epochs", "轮"),
    "unit.share": ("of the pixels", "（占标注像元比例）"), "unit.cards": ("cards", "张"),
    "unit.machines": ("machines", "台"), "unit.supplies": ("supplies", "个"), "unit.h": ("h", "小时"),
    "value.office": ("office", "办公室"), "value.lab": ("lab", "实验室（课题组）"),
    "value.department_room": ("room of the department", "学院机房"), "value.machine_room": ("machine room", "校级机房"),
    "value.university": ("the university", "学校"), "value.non_cash": ("hours, no cash", "不单独计费"),
    "value.budget": ("best use of the budget", "预算内配置最优"),
    "value.serve": ("all the work, then least cost", "先满足任务，再求费用最低"), "value.any": ("no limit", "不限"),
    "value.equipment": ("equipment", "设备"), "numbered": ("{field} ({number})", "{field}（{number}）"),
    "cards": ("cards", "卡数"), "waits": ("wait at the peak", "高峰等待人数"), "wait": ("mean wait", "平均等待"),
    "waits_shared": ("cards shared: wait at the peak", "多人共用时：高峰等待人数"),
    "open_wait": ("mean wait by M/M/c, a card each", "按 M/M/c 排队模型（每人一卡）"),
    "name": ("rule", "规则"),
    "next": ("Next: hwcost plan {path}", "下一步：hwcost plan {path}"),
    "head": ("Scenario made by 'hwcost start'. Above each figure: the question, the answer, where it is from.",
             "由 hwcost start 生成的情景。每个数字上方注明对应的问题、回答与来源。"),
    "comment": ("question {number}, {field}: {answer} ({origin})", "问题 {number}，{field}：{answer}（{origin}）"),
    "no_answer": ("no answer", "未回答"),
}  # fmt: skip

HELP = {
    "start": ("from twelve questions to a scenario", "回答 12 个问题，生成情景"),
    "answers": (
        "file of answers (TOML) or the name of bundled answers; without it the questions are asked",
        "回答文件（TOML）或内置回答名称；不填则逐项提问",
    ),
    "out": ("scenario file to write (default: <id>-scenario.toml)", "写出的情景文件（默认 <id>-scenario.toml）"),
    "force": ("replace the file if it exists", "文件已存在时覆盖"),
}

PROBLEMS = {
    "answers_not_found": (
        "there are no such answers; use one of {expected}, or give the path of a TOML file",
        "没有此回答文件；请使用 {expected} 之一，或填写 TOML 文件的路径",
    ),
    "answers_budget_small": (
        "{amount} {currency} buys no machine; check the amount and its unit (in ten thousands?)",
        '{amount} {currency} 买不到任何主机；请写明单位，如 unit = "万元"',
    ),
    "answers_budget_large": (
        "{amount} {currency} is more than any group has; check the amount and its unit",
        "{amount} {currency} 远超课题组经费；请核对金额与单位",
    ),
    "answers_too_many": ("{value} are stated; at most {most} are possible", "填写了 {value} 项；最多 {most} 项"),
    "answers_spend_by_past": (
        "{value} lies before {as_of}, the day of the answers; correct one of the two",
        "{value} 早于填写日 {as_of}；请更正其中一项",
    ),
    "answers_tile_incomplete": (
        "the tile lacks this side; state height, width and bands",
        "图块缺少此项；请填写 height、width 和 bands",
    ),
    "answers_anchor_incomplete": (
        "a run now needs both the hours and the card; state this one too, or leave both out",
        "现在一次训练须同时填写时长和显卡；请补充此项，或两项都不填",
    ),
    "answers_training_unknown": (
        "“{value}” is no training of the catalog; use a name such as {expected}",
        "“{value}”不是目录中的训练任务；可用名称如 {expected}",
    ),
    "answers_training_several": (
        "“{value}” may mean several trainings; say which: {expected}",
        "“{value}”可能指多种训练任务；请写明是哪一种：{expected}",
    ),
    "answers_training_inference": (
        "“{value}” is only used, not trained, in this form; name what you train",
        "“{value}”在此仅作推理，不是训练任务；请填写要训练的网络",
    ),
    "answers_dataset_unknown": (
        "“{value}” is no data set of the catalog; use one of {expected}",
        "“{value}”不是目录中的数据集；请使用 {expected} 之一",
    ),
    "answers_card_unknown": (
        "“{value}” is no card of the catalog; a card of your own comes in by 'hwcost catalog add' (docs/import.md) and "
        "--catalog; otherwise use a name such as {expected}",
        "“{value}”不是目录中的显卡；目录外的显卡可用 hwcost catalog add 添加（见 docs/import.md），"
        "再以 --catalog 读取；否则请用目录中的名称，如 {expected}",
    ),
    "answers_card_several": (
        "“{value}” may mean several cards; say which of {expected}",
        "“{value}”可能指多种显卡；请从 {expected} 中写明一种",
    ),
    "answers_host_unknown": (
        "“{value}” is no host of the catalog; use one of {expected}, or leave it out",
        "“{value}”不是目录中的主机；请使用 {expected} 之一，或不填",
    ),
    "start_word": ("“{value}” is not known; use one of {expected}", "没有“{value}”这一项；可填：{expected}"),
    "output_exists": (
        "the file exists; give another name with --out, or --force to replace it",
        "文件已存在；请用 --out 另取文件名，或加 --force 覆盖",
    ),
    "output_is_input": (
        "this is the file of the answers; give the scenario another name",
        "这是回答文件本身；请为情景文件另取名称",
    ),
}

Pair = tuple[str, str]


def _entries(prefix: str, words: dict[str, Pair]) -> dict[str, dict[str, str]]:
    return {f"{prefix}.{name}": {"en": en, "zh": zh} for name, (en, zh) in words.items()}


TEXTS: dict[str, dict[str, str]] = {
    **_entries("start", {f"q{n}": (en, zh) for n, (en, zh, _, _) in QUESTIONS.items()}),
    **_entries("start", {f"q{n}.changes": (en, zh) for n, (_, _, en, zh) in QUESTIONS.items()}),
    **_entries("start.field", FIELDS),
    **_entries("start.hint", HINTS),
    **_entries("start.choice", CHOICES),
    **_entries("start.origin", ORIGINS),
    **_entries("start.rule", RULES),
    **_entries("start.note", NOTES),
    **_entries("start", LINES),
    **_entries("cli.help", HELP),
    **_entries("problem", PROBLEMS),
}
