"""What is wrong with the input, and what to do: one sentence per problem code, without its place and full stop.

`problems.problem_text` puts the place before it and the nearest match and the full stop behind it.
"""

from __future__ import annotations

TEXTS: dict[str, dict[str, str]] = {
    # the place
    "problem.where.sheet": {"en": "sheet {sheet}", "zh": "工作表“{sheet}”"},
    "problem.where.row": {"en": "row {row}", "zh": "第 {row} 行"},
    "problem.where.key": {"en": "key {column}", "zh": "键“{column}”"},
    "problem.where.column": {"en": "column {column}", "zh": "“{column}”列"},
    "problem.nearest": {"en": "; nearest match: {nearest}", "zh": "；最接近的是“{nearest}”"},
    # files
    "problem.file_missing": {
        "en": "the file does not exist; check the path",
        "zh": "文件不存在；请核对路径",
    },
    "problem.folder_missing": {
        "en": "the folder does not exist; create it, or correct the path",
        "zh": "文件夹不存在；请新建该文件夹或更正路径",
    },
    "problem.file_is_folder": {
        "en": "this is a folder; give the CSV file itself",
        "zh": "这是一个文件夹；请指定其中的 CSV 文件",
    },
    "problem.folder_is_file": {
        "en": "this is a file; give the folder that holds the tables",
        "zh": "这是一个文件；请指定存放各表的文件夹",
    },
    "problem.folder_without_tables": {
        "en": "the folder holds none of the catalog's tables ({expected}); name the files like that",
        "zh": "文件夹中没有任何目录表（{expected}）；请按这些名称命名文件",
    },
    "problem.file_unknown": {
        "en": "no table of the catalog has this name; rename the file or move it away",
        "zh": "目录中没有此名称的表；请改名或移走该文件",
    },
    "problem.file_unreadable": {
        "en": "the file cannot be read ({reason}); close it in other programs and check your access rights",
        "zh": "文件无法读取（{reason}）；请先在其他程序中关闭该文件，并检查访问权限",
    },
    "problem.file_empty": {
        "en": "the file is empty; its first row must name the columns",
        "zh": "文件是空的；第一行应为列名",
    },
    "problem.file_is_workbook": {
        "en": "this is an Excel workbook, not a CSV file; save the sheet as CSV UTF-8",
        "zh": "这是 Excel 工作簿，不是 CSV 文件；请将该工作表另存为“CSV UTF-8”格式",
    },
    "problem.file_not_text": {
        "en": "the file is not readable as text (tried UTF-8, UTF-16 with byte order mark and GB18030); "
        "save it as CSV UTF-8",
        "zh": "文件无法按文本读取（已尝试 UTF-8、带字节序标记的 UTF-16 和 GB18030）；请另存为“CSV UTF-8”格式",
    },
    "problem.csv_quotes": {
        "en": "the quotation marks of the table do not match ({reason}); close or double them",
        "zh": "表中的引号不配对（{reason}）；请补全引号或将其写成两个",
    },
    # shape
    "problem.column_missing": {
        "en": "the column is missing from the header; add it",
        "zh": "表头缺少该列；请补上",
    },
    "problem.column_unknown": {
        "en": "the header names a column that this table does not have; rename or delete it",
        "zh": "表头中有本表不认识的列；请改名或删除",
    },
    "problem.column_twice": {
        "en": "the header names the column twice, as the {first}. and the {second}. column; delete one",
        "zh": "表头中该列出现两次（第 {first} 列和第 {second} 列）；请删除其一",
    },
    "problem.column_unnamed": {
        "en": "the {position}. column has values but no name in the header; name or delete it",
        "zh": "第 {position} 列有内容但表头没有列名；请补上列名或删除该列",
    },
    "problem.row_length": {
        "en": "the row has {found} cells where the header has {expected}; check for a missing or an extra separator",
        "zh": "该行有 {found} 个单元格，而表头有 {expected} 个；请检查是否缺少或多出分隔符",
    },
    "problem.row_total": {
        "en": "“{value}” looks like a row of totals; delete it, so that nothing is counted twice",
        "zh": "“{value}”像是合计行；请删除，以免重复计算",
    },
    "problem.row_twice": {
        "en": "{value} stands in row {first} already; keep one of the two rows",
        "zh": "“{value}”已出现在第 {first} 行；两行只保留一行",
    },
    # cells
    "problem.cell_empty": {
        "en": "the cell is empty, but this figure is needed; fill it in",
        "zh": "单元格为空，而此项必填；请填写",
    },
    "problem.not_a_number": {
        "en": "“{value}” is not a number; write digits only, for example 12999 or 0.13",
        "zh": "“{value}”不是数字；请只写数字，例如 12999 或 0.13",
    },
    "problem.not_whole": {
        "en": "“{value}” is not a whole number; write one without decimals",
        "zh": "“{value}”不是整数；请填写不带小数的数",
    },
    "problem.number_ambiguous": {
        "en": "“{value}” can mean {first} or {second}; write one of these two",
        "zh": "“{value}”既可读作 {first}，也可读作 {second}；请改写为其中之一",
    },
    "problem.number_group": {
        "en": "the separators in “{value}” do not divide it into groups of three; "
        "write the number without separators and with a decimal point",
        "zh": "“{value}”中的分隔符不是三位一节；请去掉千位分隔符，小数点用“.”",
    },
    "problem.not_finite": {
        "en": "“{value}” is not a finite number; leave the cell empty where the figure is unknown",
        "zh": "“{value}”不是有限的数；数值未知时请将单元格留空",
    },
    "problem.memory_unit": {
        "en": "“{value}” is not an amount of memory; write for example 24 GB or 24564 MiB",
        "zh": "“{value}”不是显存或内存容量；请写成 24 GB 或 24564 MiB 的形式",
    },
    "problem.date": {
        "en": "“{value}” is not a date; write it as 2026-11-30",
        "zh": "“{value}”不是日期；请写成 2026-11-30 的形式",
    },
    "problem.yes_no": {
        "en": "“{value}” is neither yes nor no; write true or false, or leave the cell empty where it is unknown",
        "zh": "“{value}”既不是“是”也不是“否”；请写 true 或 false，未知时留空",
    },
    "problem.lanes": {
        "en": "“{value}” does not give the lanes by card count; write for example 1:16 2:8",
        "zh": "“{value}”没有写明各卡数对应的通道数；请写成 1:16 2:8 的形式",
    },
    "problem.choice": {
        "en": "“{value}” is not one of the known words; use one of {expected}",
        "zh": "“{value}”不在可选范围内；请从以下各项中选择：{expected}",
    },
    "problem.range": {
        "en": "{value} is out of range; a value from {low} to {high} is expected",
        "zh": "{value} 超出范围；应在 {low} 到 {high} 之间",
    },
    "problem.range_low": {
        "en": "{value} is too small; at least {low} is expected",
        "zh": "{value} 过小；应不小于 {low}",
    },
    "problem.range_above": {
        "en": "{value} is out of range; a value greater than {low} is expected",
        "zh": "{value} 超出范围；应大于 {low}",
    },
    "problem.range_above_to": {
        "en": "{value} is out of range; a value greater than {low} and at most {high} is expected",
        "zh": "{value} 超出范围；应大于 {low} 且不大于 {high}",
    },
    "problem.range_below": {
        "en": "{value} is out of range; a share from {low} to below {high} is expected",
        "zh": "{value} 超出范围；应为不小于 {low} 且小于 {high} 的比例",
    },
    # money
    "problem.zero_price": {
        "en": "the price “{value}” is zero or blank; leave the row out until there is a price, "
        "or mark the machine as owned in the scenario",
        "zh": "价格“{value}”为零或空白；没有价格时请删去此行，已有的设备请在情景文件中标为自有",
    },
    "problem.negative_price": {
        "en": "“{value}” is a negative price; write the price as a positive amount",
        "zh": "“{value}”是负的价格；请写成正数",
    },
    "problem.currency_unknown": {
        "en": "the currency “{currency}” in “{value}” is not known; use one of {expected}",
        "zh": "“{value}”中的币种“{currency}”不认识；请使用 {expected} 之一",
    },
    "problem.currency_conflict": {
        "en": "“{value}” names more than one currency ({found}); keep one",
        "zh": "“{value}”涉及不止一种币种（{found}）；请只保留一种",
    },
    # what belongs together
    "problem.id_unknown": {
        "en": "“{value}” is not an id of {table}; use an existing id or add the row there",
        "zh": "“{value}”不是 {table} 中的编号；请改用已有编号，或在该表中补上这一行",
    },
    "problem.tensor_below_fp32": {
        "en": "the tensor rate {value} TFLOPS is below the FP32 rate {fp32}; check both against the data sheet",
        "zh": "张量算力 {value} TFLOPS 低于 FP32 算力 {fp32} TFLOPS；请对照产品规格书核对",
    },
    "problem.above_roof": {
        "en": "the measured {value} images per second need {need} TFLOPS, more than the card's {roof}; check the "
        "measurement and the specification",
        "zh": "实测每秒 {value} 张图像需要 {need} TFLOPS，超过该卡的 {roof} TFLOPS；请核对实测值和规格",
    },
    "problem.usable_above_memory": {
        "en": "the usable memory of {value} MiB is more than the card has ({most} MiB); check both figures",
        "zh": "可用显存 {value} MiB 超过该卡的总显存 {most} MiB；请核对两个数值",
    },
    "problem.idle_above_tdp": {
        "en": "the idle power of {value} W is not below the limit of {most} W under load; check both figures",
        "zh": "空载功耗 {value} W 不低于满载功耗 {most} W；请核对两个数值",
    },
    "problem.band": {
        "en": "low {low}, value {value} and high {high} are not in rising order; check the three figures",
        "zh": "下限 {low}、取值 {value}、上限 {high} 未按从小到大排列；请核对三个数值",
    },
    "problem.tariff_usd": {
        "en": "the tariff of {value} {unit} is {usd} USD/kWh; from 0.01 to 2 USD/kWh is expected; check value and unit",
        "zh": "电价 {value} {unit} 折合 {usd} USD/kWh，应在 0.01 到 2 USD/kWh 之间；请核对数值和单位",
    },
    "problem.unit": {
        "en": "the unit “{value}” does not fit; a unit like {expected} is expected",
        "zh": "单位“{value}”不适用；应为 {expected} 一类的单位",
    },
    "problem.labelled_above_scene": {
        "en": "{value} labelled pixels are more than the scene has ({most}); check the three figures",
        "zh": "标注像素 {value} 个超过影像的总像素数 {most}；请核对",
    },
    "problem.valid_before_as_of": {
        "en": "the price is valid until {value}, before its own date {as_of}; check both dates",
        "zh": "报价有效期至 {value}，早于报价日期 {as_of}；请核对两个日期",
    },
    "problem.same_currency": {
        "en": "the rate converts {value} into itself; name two different currencies",
        "zh": "汇率两边都是 {value}；请填写两种不同的币种",
    },
}
