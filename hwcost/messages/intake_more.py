"""More sentences on vendors' files: units, reductions, several tables, devices, answers outside the choices."""

TEXTS: dict[str, dict[str, str]] = {
    "problem.intake_is_device": {
        "en": "this is a device or a pipe, not a file; save the quotation as a file and give its name",
        "zh": "这是设备或管道，不是文件；请先将报价另存为文件，再指定该文件",
    },
    "problem.intake_sheet_missing": {
        "en": "no visible sheet with entries is named “{value}”; use one of {expected}",
        "zh": "没有名为“{value}”且有内容的可见工作表；请从以下各项中选择：{expected}",
    },
    "problem.intake_answer_choice": {
        "en": "“{value}” is no answer to “{id}”; use one of {expected}",
        "zh": "“{value}”不是问题“{id}”的可选答案；请从以下各项中选择：{expected}",
    },
    "problem.intake_answer_row": {
        "en": "no question is asked about row {row} of this file, so the answer “{value}” settles nothing; "
        "correct the row's number or leave the answer out",
        "zh": "该文件第 {row} 行没有待确认的问题，答案“{value}”不起作用；请更正行号或去掉该答案",
    },
    "intake.ask.tables": {
        "en": "The sheet holds several tables with different columns; their titles stand in rows {rows}. Which one is "
        "to be read? Import the file once more for each of the others.",
        "zh": "该工作表有几张列不同的表，标题行为第 {rows} 行。读取哪一张？其余各表请再次导入本文件。",
    },
    "intake.ask.discount": {
        "en": "Column “{column}” says “{discount}” beside a price of {price}. What is the unit price after it?",
        "zh": "“{column}”列为“{discount}”，旁边的价格为 {price}。折后单价是多少？",
    },
    "intake.ask.reduced": {
        "en": "“{text}”: this reduces the whole, and the lines as read add up to {read} without it. Go on with the "
        "lines? Else write the reduced unit prices into the file.",
        "zh": "“{text}”：此处对总价有优惠，读到的各行之和 {read} 未计入。是否仍按各行导入？"
        "否则请先在文件中写明优惠后的单价。",
    },
}
