"""Faults of input workbooks that are told as of a spreadsheet, not of a scenario's file."""

TEXTS: dict[str, dict[str, str]] = {
    "problem.template_sheet_unknown": {
        "en": "this sheet has the keys of an input workbook but another name, so it would not be read; give it its "
        "name back or delete its row of keys (sheets that are read here: {expected})",
        "zh": "该工作表含有输入工作簿的键，但名称已改，不会被读取；请改回原名，"
        "或删去键所在行（本文件中读取的工作表：{expected}）",
    },
    "problem.template_sheet_twice": {
        "en": "sheet “{first}” holds the same table already; keep one of the two",
        "zh": "工作表“{first}”已是同一张表；两张只保留一张",
    },
    "problem.template_column_twice": {
        "en": "the key “{value}” stands over two columns; keep one of them",
        "zh": "键“{value}”出现在两列上；只保留一列",
    },
    "problem.template_keys_moved": {
        "en": "the row of keys, which begins with “{first}”, is not here any more; take out rows and columns that were "
        "put before it",
        "zh": "以“{first}”开头的键所在行已不在此处；请删去插在它之前的行或列",
    },
    "problem.template_not_pairs": {
        "en": "{value} is no list of names with figures; write it as card = -0.1; host = 0",
        "zh": "{value} 不是“名称 = 数值”的列表；请写成 card = -0.1; host = 0 的形式",
    },
    "problem.template_not_flag": {
        "en": "{value} is neither yes nor no; choose one of the two",
        "zh": "{value} 既不是“是”也不是“否”；请选择其一",
    },
    "problem.template_not_day": {
        "en": "{value} is no day that can be read in one way only; write it as 2026-12-31",
        "zh": "{value} 不是可唯一识别的日期；请写成 2026-12-31 的形式",
    },
    "problem.template_not_number": {
        "en": "{value} is not a number, or can be read in two ways; write digits only, such as 12999 or 0.13",
        "zh": "{value} 不是数字，或有两种读法；请只写数字，例如 12999 或 0.13",
    },
    "problem.template_not_several": {
        "en": "{value} is no list; write one or several with commas between them",
        "zh": "{value} 不是列表；请填写一项或多项，以逗号分隔",
    },
    "problem.template_missing": {
        "en": "this cell must be filled",
        "zh": "此格必填",
    },
}
