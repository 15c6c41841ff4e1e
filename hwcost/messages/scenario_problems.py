"""Sentences for faults in a scenario file. `where` is the dotted key, `given` the value as the user wrote it."""

TEXTS = {
    "problem.scenario_not_found": {
        "en": "No scenario {given}. Did you mean {nearest}? Bundled scenarios: {expected}; "
        "or give the path of a TOML file.",
        "zh": "找不到方案 {given}。是否指 {nearest}？内置方案有：{expected}；也可填写 TOML 文件的路径。",
    },
    "problem.scenario_not_found_alone": {
        "en": "No scenario {given}. Bundled scenarios: {expected}; or give the path of a TOML file.",
        "zh": "找不到方案 {given}。内置方案有：{expected}；也可填写 TOML 文件的路径。",
    },
    "problem.scenario_is_folder": {
        "en": "{given} is a folder. Give the path of one scenario file (TOML).",
        "zh": "{given} 是文件夹，请填写一个方案文件（TOML）的路径。",
    },
    "problem.scenario_unreadable": {
        "en": "{given} cannot be read: {reason}. Check the permissions of the file.",
        "zh": "无法读取 {given}：{reason}。请检查文件权限。",
    },
    "problem.scenario_not_utf8": {
        "en": "{given} is not UTF-8 text (byte {byte}). Save the file with the encoding UTF-8.",
        "zh": "{given} 不是 UTF-8 文本（第 {byte} 字节）。请以 UTF-8 编码保存。",
    },
    "problem.scenario_empty": {
        "en": "{given} is empty. Copy a bundled scenario and change its figures.",
        "zh": "{given} 为空文件。请复制一个内置方案，再修改其中的数字。",
    },
    "problem.scenario_not_toml": {
        "en": "{given}, line {line}, column {at}: not valid TOML ({reason}). "
        "Write one key = value per line, with texts in double quotes.",
        "zh": "{given} 第 {line} 行第 {at} 列不符合 TOML 格式（{reason}）。请每行写一个“键 = 值”，文字加英文双引号。",
    },
    "problem.scenario_unknown_key": {
        "en": "{where} is not a known key. Did you mean {nearest}?",
        "zh": "{where} 不是可用的键。是否指 {nearest}？",
    },
    "problem.scenario_unknown_key_alone": {
        "en": "{where} is not a known key. Known here: {expected}.",
        "zh": "{where} 不是可用的键。此处可用：{expected}。",
    },
    "problem.scenario_missing_key": {
        "en": "{where} is missing. State it in the scenario.",
        "zh": "缺少 {where}，请在方案中填写。",
    },
    "problem.scenario_not_number": {
        "en": "{where} is {given}; a number is expected. Write it without quotes, unit or thousands separator.",
        "zh": "{where} 为 {given}，应填数字。请勿加引号、单位或千位分隔符。",
    },
    "problem.scenario_not_whole": {
        "en": "{where} is {given}; a whole number is expected.",
        "zh": "{where} 为 {given}，应填整数。",
    },
    "problem.scenario_not_finite": {
        "en": "{where} is {given}; a finite number is expected. Leave the key out where the figure is unknown.",
        "zh": "{where} 为 {given}，应填有限的数值。数值未知时请删去此键。",
    },
    "problem.scenario_out_of_range": {
        "en": "{where} is {given}; allowed is {expected}.",
        "zh": "{where} 为 {given}，允许范围为 {expected}。",
    },
    "problem.scenario_not_text": {
        "en": "{where} is {given}; a text in double quotes is expected.",
        "zh": "{where} 为 {given}，应填文字，并加英文双引号。",
    },
    "problem.scenario_not_flag": {
        "en": "{where} is {given}; true or false is expected, without quotes.",
        "zh": "{where} 为 {given}，应填 true 或 false，不加引号。",
    },
    "problem.scenario_not_date": {
        "en": "{where} is {given}; a date such as 2026-12-31 is expected, without quotes or time.",
        "zh": "{where} 为 {given}，应填日期，如 2026-12-31，不加引号，不写时刻。",
    },
    "problem.scenario_not_list": {
        "en": "{where} is {given}; a list in square brackets with at least one entry is expected.",
        "zh": "{where} 为 {given}，应填方括号内的列表，且至少一项。",
    },
    "problem.scenario_not_table": {
        "en": "{where} is {given}; a table [{where}] is expected.",
        "zh": "{where} 为 {given}，应写成表 [{where}]。",
    },
    "problem.scenario_not_tables": {
        "en": "{where} is {given}; one or more tables [[{where}]] are expected.",
        "zh": "{where} 为 {given}，应写成一个或多个表 [[{where}]]。",
    },
    "problem.scenario_unknown_word": {
        "en": "{where} is {given}, which is unknown. Did you mean {nearest}? Known: {expected}.",
        "zh": "{where} 为 {given}，无此项。是否指 {nearest}？可用：{expected}。",
    },
    "problem.scenario_unknown_word_alone": {
        "en": "{where} is {given}, which is unknown. Known: {expected}.",
        "zh": "{where} 为 {given}，无此项。可用：{expected}。",
    },
    "problem.scenario_duplicate_id": {
        "en": "{where} is {given}, the id of {first} too. Give each one an id of its own.",
        "zh": "{where} 为 {given}，与 {first} 的编号重复。请各用不同的编号。",
    },
    "problem.scenario_no_workloads": {
        "en": "{where}: the scenario has no workload. Add at least one [[workload]] with a preset and runs_per_year.",
        "zh": "{where}：方案中没有训练任务。请至少添加一个 [[workload]]，写明 preset 和 runs_per_year。",
    },
    "problem.scenario_no_steps": {
        "en": "{where} is missing: the length of a run is unknown. State steps_per_run, or epochs and train_samples.",
        "zh": "缺少 {where}，无法得知一次训练的长度。请填写 steps_per_run，或填写 epochs 和 train_samples。",
    },
    "problem.scenario_two_ways": {
        "en": "{where} is stated beside {expected}: the same thing in two ways. Keep one of the two.",
        "zh": "{where} 与 {expected} 同时填写，含义重复。请只保留其中一项。",
    },
    "problem.scenario_share_of_what": {
        "en": "{where} is {given}, but the labelled pixels of the data set are unknown. "
        "Name a dataset of the catalog, or state train_samples.",
        "zh": "{where} 为 {given}，但数据集的标注像元数未知。请填写目录中的 dataset，或直接填写 train_samples。",
    },
    "problem.scenario_largest_above_saved": {
        "en": "{where} is {given}; one saved tensor cannot exceed all of them together ({expected}). "
        "Correct one of the two.",
        "zh": "{where} 为 {given}，单个保存张量不可能大于全部保存量（{expected}）。请更正其中一项。",
    },
    "problem.scenario_spend_by_past": {
        "en": "{where} is {given}, but the scenario counts from a later day; allowed is {expected}. "
        "Correct the spend-by date or as_of.",
        "zh": "{where} 为 {given}，早于方案的起算日，应为 {expected}。请更正经费使用截止日期或 as_of。",
    },
    "problem.scenario_no_default": {
        "en": "{where} is not stated, and the catalog has no figure for {expected}. State it in the scenario.",
        "zh": "未填写 {where}，目录中也没有 {expected} 地区的默认值。请在方案中填写。",
    },
    "problem.scenario_no_rate": {
        "en": "{where}: {given} is in another currency, and the catalog has no dated exchange rate {expected}. "
        "State the figure in the scenario, or add the rate to the catalog.",
        "zh": "{where}：{given} 以其他货币计价，目录中没有 {expected} 的带日期汇率。"
        "请在方案中直接填写该数值，或在目录中补充汇率。",
    },
}
