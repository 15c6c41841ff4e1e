"""Words of what all pages of the app share: pages, opening and keeping, progress, and the names of edited figures."""

from __future__ import annotations

PAGES = {
    "decision": ("Decision", "方案"),
    "start": ("Start", "起步问答"),
    "workloads": ("Workloads", "任务"),
    "compare": ("X or Y?", "比一比"),
    "catalog": ("Catalog", "目录与报价"),
    "several": ("Several cards?", "要不要多卡"),
    "whatif": ("What if", "假设分析"),
    "report": ("Report", "论证与导出"),
}

FRAME = {
    "inputs.more": ("Horizon, tariff, name", "年限、电价、记录人"),
    "scenario.changed": ("{name} · changed", "{name} · 已修改"),
    "who": ("Who makes the changes (optional)", "修改人（可不填）"),
    "who.help": ("Written beside each change in the log of decisions.", "记入决策日志的每一条修改。"),
    "undo": ("Undo", "撤销"),
    "reset.help": ("Back to the figures that changes are counted from.", "恢复到变更起点的数值。"),
    "kept": ("Changes are kept; a reload or a restart finds them.", "修改已自动保存，刷新或重启后仍在。"),
    "unkept": (
        "The last change could not be written to disk ({reason}). It holds until this window is closed: download the "
        "scenario under “Report”.",
        "最近的修改未能写入磁盘（{reason}），仅在本窗口有效，请在“论证与导出”中下载情景文件。",
    ),
    "budget.meant": ("It means {amount}", "指 {amount}"),
    "open": ("Open or go back", "打开、恢复"),
    "open.file": ("Scenario file (TOML) or input workbook (Excel)", "情景文件（TOML）或填写用工作簿（Excel）"),
    "open.help": (
        "A file made by this program, by “hwcost start” or “hwcost template”, or by hand: TOML to 1 MB, Excel to 5 MB. "
        "It is checked before it is opened, and copied; prices and cards that a workbook brings count in this session.",
        "本程序、hwcost start、hwcost template 生成或手工编写的文件（TOML 不超过 1 MB，Excel 不超过 5 MB）；"
        "打开前先核对并存为副本，工作簿所带价格和显卡仅在本会话内生效。",
    ),
    "open.template": ("Input workbook to fill in (Excel)", "下载填写用工作簿（Excel）"),
    "open.template_file": ("input_{scenario}.xlsx", "填写_{scenario}.xlsx"),
    "open.earlier": ("Earlier work on this machine", "本机以往的情景"),
    "open.entry": ("{name}, {time}", "{name}，{time}"),
    "open.choose": ("choose", "请选择"),
    "open.take": ("Open a copy", "打开副本"),
    "open.version": ("Earlier version of this scenario", "本情景的以往版本"),
    "open.back": ("Go back to it", "恢复到该版本"),
    "stop": ("Stop", "停止"),
    "stopped": (
        "The calculation was stopped; there is no result for these inputs yet.",
        "测算已停止，当前输入尚无结果。",
    ),
    "progress.now": ("{step} … {seconds} s", "{step}…… {seconds} 秒"),
    "baseline": ("What has changed since the start", "与起点相比的变化"),
    "baseline.input": ("Input", "输入"),
    "baseline.before": ("before", "原值"),
    "baseline.after": ("now", "现值"),
    "baseline.none": ("Nothing has been changed yet.", "尚无修改。"),
    "baseline.set": ("Count changes from here", "以当前为新起点"),
    "baseline.result": ("Result", "结果"),
    "baseline.difference": ("difference", "差额"),
    "not_stated": ("not stated", "未填写"),
}

KEYS = {
    "budget.amount": ("Equipment budget", "设备预算"),
    "budget.tax_included": ("Budget includes tax", "预算含税"),
    "budget.spend_by": ("To be spent by", "使用截止日期"),
    "objective": ("Objective", "目标"),
    "horizon_years": ("Horizon, years", "测算年限（年）"),
    "power.tariff_per_kwh": ("Electricity tariff per kWh", "电价（每千瓦时）"),
    "money.warranty_years": ("Warranty, years", "质保（年）"),
    "storage.needed_tb": ("Room for data, TB", "数据容量（TB）"),
    "storage.ids": ("Storage that may be bought", "可购存储"),
    "capacity.cards_per_node": ("Cards in one machine", "每台显卡数"),
    "capacity.max_nodes": ("Most machines", "机器数量上限"),
    "capacity.max_distinct_builds": ("Most kinds of machine", "机型数量上限"),
    "choice.include_cards": ("Cards allowed", "限定显卡"),
    "choice.exclude_cards": ("Cards excluded", "排除显卡"),
    "choice.include_chassis": ("Hosts allowed", "限定主机"),
    "choice.include_systems": ("Whole machines allowed", "限定整机"),
    "choice.allowed_statuses": ("Supply that is accepted", "可接受的供货状态"),
    "site.place": ("Place", "放置地点"),
    "site.noise_limit_dba": ("Noise limit, dBA", "噪声上限（dBA）"),
    "site.circuit": ("Circuits", "供电回路"),
    "workload": ("Jobs", "任务"),
    "workload.name_en": ("name (English)", "英文名称"),
    "workload.name_zh": ("name (Chinese)", "中文名称"),
    "workload.id": ("in the list", "列入清单"),
    "workload.must": ("must be done", "必须完成"),
    "workload.people_at_once": ("people at once", "同时训练（人）"),
    "workload.runs_per_year": ("runs per year", "训练次数（次/年）"),
    "workload.batch": ("batch", "批大小"),
    "workload.epochs": ("passes over the samples", "训练轮数"),
    "workload.precision": ("precision", "数值精度"),
    "workload.max_hours_per_run": ("longest acceptable run, h", "单次训练时限（小时）"),
    "workload.ecc": ("ECC memory required", "须纠错显存"),
    "workload.accumulation": ("gradient accumulation allowed", "允许梯度累积"),
    "workload.checkpointing": ("activation checkpointing allowed", "允许激活检查点"),
    "workload.sharers": ("people who may share a card", "可共用一张卡（人）"),
    "workload.preset": ("network of the catalog", "目录中的网络"),
    "name_en": ("Name (English)", "英文名称"),
    "name_zh": ("Name (Chinese)", "中文名称"),
    "procurement": ("Procurement rules", "采购规定"),
}

NOTES = {
    "undo": ("taken back", "撤销"),
    "reset": ("back to the start", "恢复起点"),
    "version": ("earlier version", "恢复以往版本"),
    "new": ("new scenario", "新建情景"),
    "opened": ("file opened", "打开文件"),
    "repair": ("repair applied", "采用调整办法"),
    "configuration": ("configuration taken over", "采用改动后的配置"),
    "answers": ("from the twelve questions", "由起步问答生成"),
    "job_added": ("job added", "增加任务"),
    "job_removed": ("job removed", "删除任务"),
}

PROBLEMS = {
    "upload_too_large": (
        "the file has {value} bytes; a scenario has at most {most} kB",
        "文件有 {value} 字节；情景文件不超过 {most} kB",
    ),
    "upload_unpacks_large": (
        "unpacked, the file would have {value} MB; at most {most} MB are read",
        "解压后将达 {value} MB；最多读取 {most} MB",
    ),
}


def _entries(prefix: str, words: dict[str, tuple[str, str]]) -> dict[str, dict[str, str]]:
    return {f"{prefix}.{name}": {"en": en, "zh": zh} for name, (en, zh) in words.items()}


TEXTS: dict[str, dict[str, str]] = {
    **_entries("web.page", PAGES),
    **_entries("web", FRAME),
    **_entries("web.key", KEYS),
    **_entries("web.log_note", NOTES),
    **_entries("problem", PROBLEMS),
}
