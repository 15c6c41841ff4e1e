"""Faults in a scenario file: one sentence per code, without its place and full stop.

`problems.problem_text` puts the file and the dotted key before it, the nearest match and the full stop behind it.
"""

TEXTS = {
    "problem.scenario_not_found": {
        "en": "there is no such scenario; use one of {expected}, or give the path of a TOML file",
        "zh": "没有此情景；请使用 {expected} 之一，或填写 TOML 文件的路径",
    },
    "problem.scenario_is_folder": {
        "en": "this is a folder; give one scenario file (TOML)",
        "zh": "这是一个文件夹；请指定一个情景文件（TOML）",
    },
    "problem.scenario_unreadable": {
        "en": "the file cannot be read ({reason}); check the file and your access rights",
        "zh": "文件无法读取（{reason}）；请检查文件内容和访问权限",
    },
    "problem.scenario_not_utf8": {
        "en": "the file is not UTF-8 text (byte {byte}); save it with the encoding UTF-8",
        "zh": "文件不是 UTF-8 文本（第 {byte} 字节）；请以 UTF-8 编码保存",
    },
    "problem.scenario_empty": {
        "en": "the file is empty; copy a bundled scenario and change its figures",
        "zh": "文件是空的；请复制一个内置情景，再修改其中的数字",
    },
    "problem.scenario_not_toml": {
        "en": "line {line}, column {at} is not valid TOML ({reason}); write one key = value per line, with texts "
        "in double quotes",
        "zh": "第 {line} 行第 {at} 列不符合 TOML 格式（{reason}）；请每行写一个“键 = 值”，文字加英文双引号",
    },
    "problem.scenario_unknown_key": {
        "en": "the key is not known here; use one of {expected}",
        "zh": "此处没有这个键；可用的键：{expected}",
    },
    "problem.scenario_missing_key": {
        "en": "the key is missing; state it in the scenario",
        "zh": "缺少这个键；请在情景中填写",
    },
    "problem.scenario_not_number": {
        "en": "{value} is not a number; write digits only, without quotes, unit or thousands separator",
        "zh": "{value} 不是数字；请只写数字，不加引号、单位或千位分隔符",
    },
    "problem.scenario_not_whole": {
        "en": "{value} is not a whole number; write one without decimals",
        "zh": "{value} 不是整数；请填写不带小数的数",
    },
    "problem.scenario_not_finite": {
        "en": "{value} is not a finite number; leave the key out where the figure is unknown",
        "zh": "{value} 不是有限的数；数值未知时请删去这个键",
    },
    "problem.scenario_out_of_range": {
        "en": "{value} is out of range; a value {expected} is expected",
        "zh": "{value} 超出范围；应满足 {expected}",
    },
    "problem.scenario_not_text": {
        "en": "{value} is not a text; write a text in double quotes",
        "zh": "{value} 不是文字；请填写文字并加英文双引号",
    },
    "problem.scenario_not_flag": {
        "en": "{value} is neither true nor false; write one of the two without quotes",
        "zh": "{value} 既不是 true 也不是 false；请填写其一，不加引号",
    },
    "problem.scenario_not_date": {
        "en": "{value} is not a date; write it as 2026-12-31, without quotes or time",
        "zh": "{value} 不是日期；请写成 2026-12-31 的形式，不加引号，不写时刻",
    },
    "problem.scenario_not_list": {
        "en": "{value} is not a list with entries; write at least one entry in square brackets",
        "zh": "{value} 不是有内容的列表；请在方括号内至少写一项",
    },
    "problem.scenario_not_table": {
        "en": "{value} is not a table; write the header [{table}] on a line of its own and its keys below",
        "zh": "{value} 不是表；请单独一行写表头 [{table}]，其下写各键",
    },
    "problem.scenario_not_tables": {
        "en": "{value} is not a list of tables; begin each one with the header [[{table}]]",
        "zh": "{value} 不是一组表；每个表请以表头 [[{table}]] 开始",
    },
    "problem.scenario_unknown_word": {
        "en": "{value} is not known; use one of {expected}",
        "zh": "无此项 {value}；请从以下各项中选择：{expected}",
    },
    "problem.scenario_duplicate_id": {
        "en": "{value} is the id of {first} too; give each one an id of its own",
        "zh": "{value} 与 {first} 的编号重复；请各用不同的编号",
    },
    "problem.scenario_no_workloads": {
        "en": "the scenario has no workload; add at least one [[workload]] with a preset and runs_per_year",
        "zh": "情景中没有训练任务；请至少添加一个 [[workload]]，写明 preset 和 runs_per_year",
    },
    "problem.scenario_no_steps": {
        "en": "the length of a run is unknown; state steps_per_run, or epochs and train_samples",
        "zh": "无法得知一次训练的长度；请填写 steps_per_run，或填写 epochs 和 train_samples",
    },
    "problem.scenario_two_ways": {
        "en": "the figure is stated beside {expected}, which says the same; keep one of the two",
        "zh": "与 {expected} 同时填写，含义重复；请只保留其中一项",
    },
    "problem.scenario_share_of_what": {
        "en": "{value} is a share of a data set whose labelled pixels are unknown; name a dataset of the catalog, "
        "or state train_samples",
        "zh": "{value} 所对应数据集的标注像元数未知；请填写目录中的 dataset，或直接填写 train_samples",
    },
    "problem.scenario_largest_above_saved": {
        "en": "one saved tensor of {value} MiB exceeds all of them together; {expected} is expected, so correct "
        "one of the two",
        "zh": "单个保存张量 {value} MiB 大于全部保存量；应满足 {expected}，请更正其中一项",
    },
    "problem.scenario_spend_by_past": {
        "en": "{value} lies before the day the scenario counts from; {expected} is expected, so correct spend_by "
        "or as_of",
        "zh": "{value} 早于情景的起算日；应满足 {expected}，请更正经费使用截止日期或 as_of",
    },
    "problem.scenario_no_default": {
        "en": "the figure is not stated, and the catalog has none for {expected}; state it in the scenario",
        "zh": "未填写此项，目录中也没有 {expected} 地区的默认值；请在情景中填写",
    },
    "problem.scenario_no_rate": {
        "en": "{value} is priced in another currency, and the catalog has no dated exchange rate {expected}; state "
        "the figure in the scenario, or add the rate to the catalog",
        "zh": "{value} 以其他货币计价，目录中没有 {expected} 的带日期汇率；请在情景中直接填写数值，或在目录中补充汇率",
    },
    "problem.scenario_too_many_years": {
        "en": "{years} years are stated, but the scenario has {horizon}; give one amount for each year at most",
        "zh": "填写了 {years} 个年度，而情景只有 {horizon} 年；每年至多填写一个金额",
    },
    "problem.scenario_sum_differs": {
        "en": "the years add up to {value}, the amount is {expected}; correct one of the two",
        "zh": "各年合计 {value}，与总额 {expected} 不符；请更正其中一项",
    },
}
