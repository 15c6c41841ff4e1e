"""Words of the page on workloads, and of tables that people edit."""

from __future__ import annotations

WORDS = {
    "title": ("What you train", "训练任务"),
    "intro": (
        "Change figures in the table: people at once, runs, batch, deadline. Each change is checked and put to use at "
        "once.",
        "可直接在表中修改人数、次数、批大小与时限，修改即核对并生效。",
    ),
    "name": ("Job", "任务"),
    "must": ("Must", "必须"),
    "people": ("People at once", "同时训练（人）"),
    "runs": ("Runs per year", "次/年"),
    "batch": ("Batch", "批大小"),
    "precision": ("Precision", "精度"),
    "hours": ("Longest run, h", "单次时限（小时）"),
    "ecc": ("ECC", "纠错显存"),
    "accumulation": ("Accumulation", "梯度累积"),
    "sharers": ("People on one card", "可共用一卡（人）"),
    "checkpointing": ("Checkpointing", "激活检查点"),
    "multi_card": ("Several cards", "可多卡并行"),
    "sharding": ("Sharding", "可分片训练"),
    "words": ("In plain words", "任务说明"),
    "line": (
        "{name}: batch {batch}; {memory} of memory for the whole batch; one run {hours} ({card}; {evidence}, "
        "±{error}); {runs} runs a year = {busy} busy card-hours; {people} at once.",
        "{name}：批大小 {batch}；整批需显存 {memory}；单次 {hours}（{card}；{evidence}，±{error}）；"
        "每年 {runs} 次，合 {busy} 卡时（运行机时）；高峰 {people}同时。",
    ),
    "line_no": (
        "{name}: batch {batch}; {memory} of memory for the whole batch; no card that can be had runs it.",
        "{name}：批大小 {batch}；整批需显存 {memory}；可购显卡均不能运行。",
    ),
    "memory": ("Memory of each card against the job", "各卡显存与任务所需"),
    "memory_note": (
        "Bars: memory for jobs, after {margin} is kept free. Solid line: the whole batch in one piece ({whole}). "
        "Dashed line: one sample at a time ({one}), which gradient accumulation can come down to.",
        "条形为扣除 {margin} 余量后可用的显存。实线：整批一次装入（{whole}）；虚线：逐个样本（{one}），"
        "即梯度累积的下限。",
    ),
    "memory_axis": ("memory for jobs, GiB", "可用显存（GiB）"),
    "card": ("Card", "显卡"),
    "limit": ("for jobs, GiB", "可用（GiB）"),
    "largest": ("largest batch", "最大批大小"),
    "fits": ("Fits?", "能否运行"),
    "state.whole": ("whole batch on one card", "单卡整批"),
    "state.saving": ("one card, accumulating or checkpointing", "单卡，须梯度累积或检查点"),
    "state.several": ("several cards only", "须多卡"),
    "state.no": ("does not run", "不能运行"),
    "short.whole": ("●", "●"),
    "short.saving": ("◐", "◐"),
    "short.several": ("◫", "◫"),
    "short.no": ("×", "×"),
    "map": ("Which job runs on which card", "任务与显卡对照"),
    "map_note": (
        "Cards that can be bought here or are owned; point at a field for the reason.",
        "仅列可购或已有显卡；指向方格可看原因。",
    ),
    "one_run": ("one run", "单次时长"),
    "reason": ("reason", "原因"),
    "reasons": ("The same as a table, with the reasons", "对照表及原因"),
    "add": ("Add or remove a job", "增加或删除任务"),
    "add.what": ("Network: choose one or type its name", "网络：选择或直接输入名称"),
    "add.people": ("People at once", "同时训练（人）"),
    "add.runs": ("Runs per year", "次/年"),
    "add.button": ("Add", "增加"),
    "remove": ("Remove", "删除"),
    "remove.which": ("Job to remove", "要删除的任务"),
    "last": ("A scenario keeps at least one job.", "情景至少保留一项任务。"),
}

GRID = {
    "rejected": ("These cells cannot be used; the figures before them still hold", "以下单元格无法使用，仍按原值计"),
    "rejected_cell": ("{row}, {column}, “{text}”: ", "{row}，{column}，“{text}”："),
}

TEXTS: dict[str, dict[str, str]] = {
    **{f"web.workloads.{k}": {"en": en, "zh": zh} for k, (en, zh) in WORDS.items()},
    **{f"web.grid.{k}": {"en": en, "zh": zh} for k, (en, zh) in GRID.items()},
}
