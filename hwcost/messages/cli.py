"""Words of the command line: help, headings, column titles, notes and problems of options."""

from __future__ import annotations

HELP = {
    "program": (
        "What training hardware a hyperspectral lab should buy, and what it costs.",
        "高光谱实验室训练硬件购置方案与费用测算。",
    ),
    "plan": ("the best plan, its cost and the options beside it", "求购置方案、费用，并列出各备选方案"),
    "compare": ("the options side by side", "各方案并列比较"),
    "check": ("check a scenario and the catalog, solve nothing", "校验情景文件与目录，不求解"),
    "threshold": ("when several cards pay for one model", "单个模型何时值得多卡并行"),
    "memory": ("what each job needs on each card", "各任务在各显卡上的显存需求"),
    "doctor": ("check this installation", "检查安装环境"),
    "app": ("open the app in the browser", "在浏览器中打开图形界面"),
    "input": ("scenario file (TOML) or the name of a bundled scenario", "情景文件（TOML）或内置情景名称"),
    "json": ("write the result as JSON; - is standard output", "将结果写为 JSON；- 表示标准输出"),
    "lang": (
        "language, zh or en (default: from LC_ALL, LC_MESSAGES, LANG)",
        "语言 zh 或 en（默认取自 LC_ALL、LC_MESSAGES、LANG）",
    ),
    "catalog": (
        "folder with tables of your own, which override the bundled ones",
        "自有目录表所在文件夹，优先于内置目录",
    ),
    "budget": (
        "equipment budget instead of the scenario's, e.g. 250000",
        "设备预算，替代情景文件中的值，如 250000 或 25万",
    ),
    "objective": (
        "what is best: budget, serve or cost",
        "目标：budget（预算内最优）、serve（先满足任务）、cost（费用最低）",
    ),
    "time_limit": ("seconds for the plan, and for each option", "求解时限（秒），方案与各备选分别计算"),
    "xlsx": ("write the justification workbook", "写出购置论证工作簿"),
    "risk": (
        "with --xlsx: compute switching prices and the budget curve for the sheet of risk (takes minutes)",
        "与 --xlsx 同用：为风险表计算临界价格与预算曲线（需数分钟）",
    ),
    "docx": ("write the justification form as a text document (Word)", "写出购置论证表（Word 文档）"),
    "between": ("only these cards or whole machines, head to head", "只比较指定的显卡或整机"),
    "version": ("show the version", "显示版本"),
    "help": ("show this help", "显示帮助"),
    "commands": ("commands", "命令"),
    "options": ("options", "选项"),
    "arguments": ("arguments", "参数"),
    "usage": ("usage: ", "用法："),
    "params": ("parameters of the model, in millions", "模型参数量，百万"),
    "batch": ("batch per card", "每卡批大小"),
    "cards": ("cards, one or several counts", "卡数，可填多个"),
    "cards_named": ("only these cards (default: all that can be bought)", "只列出指定的显卡（默认：全部可购显卡）"),
    "link": ("link classes (default: all in the catalog)", "互联类型（默认：目录中的全部）"),
    "c0_ms": ("fixed time of a step, ms", "每步固定时间，毫秒"),
    "c1_ms": ("time per million parameters and sample, ms", "每百万参数、每样本的时间，毫秒"),
    "target": (
        "speedup wanted (default: 0.75 of the cards, 1.5 for two)",
        "目标加速比（默认：卡数的 0.75 倍，双卡为 1.5）",
    ),
    "overlap": ("share of communication hidden behind backward, 0 to 1", "通信被反向计算掩盖的比例，0～1"),
    "straggler": ("share of a step lost in waiting for the slowest card", "等待最慢卡损失的时间比例"),
    "port": ("port of the app on this machine", "本机端口"),
}  # fmt: skip

HEADINGS = {
    "figures": ("Three figures", "三个数字"),
    "purchase": ("What is bought ({currency}, unit prices net of tax)", "购置清单（{currency}，单价不含税）"),
    "workloads": ("What each job gets", "各任务的安排"),
    "costs": ("Cost by year ({currency}, nominal)", "分年费用（{currency}，名义值）"),
    "options": ("Options side by side", "方案比选"),
    "whynot": ("What each option buys, and why it is not chosen", "各方案配置与未选原因"),
    "what_else": (
        "What else each machine could run (rules of thumb, estimates)",
        "整机还能运行什么（经验估算）",
    ),
    "rests": ("What it rests on", "依据"),
    "left_out": ("What is left out", "未满足的任务"),
    "conflict": ("What stands in the way, and what would repair it", "矛盾的条件与可行的调整"),
    "not_considered": ("Not considered", "未纳入比较"),
    "status": ("Status", "求解状态"),
    "batches": ("Largest batch that fits on one card, and a typical run", "单卡可用的最大批大小与单次训练时长"),
    "memory": ("Memory need per card, GiB (margin {margin} kept free)", "单卡显存需求，GiB（预留 {margin}）"),
    "threshold": (
        "Data parallelism: {params} million parameters, batch {batch} per card, one card {compute} ms a step",
        "数据并行：{params} 百万参数，每卡批大小 {batch}，单卡每步 {compute} 毫秒",
    ),
    "alternatives": ("Before a second card", "在增购显卡之前"),
    "doctor": ("This installation", "安装环境"),
    "stale": ("Out-of-date prices", "已过期的价格"),
}

COLUMNS = {
    "item": ("item", "项目"), "name": ("name", "名称"), "quantity": ("quantity", "数量"),
    "unit_price": ("unit price", "单价"), "amount": ("amount", "金额"), "price_from": ("price from", "价格来源"),
    "workload": (
        "job",
        "任务"), "on": ("on", "运行于"), "years": ("years", "年度"), "runs": ("runs a year", "年次数",
    ),
    "hours": ("one run", "单次时长"), "memory": ("memory", "显存"), "batch": ("batch", "批大小"),
    "bound": ("bound by", "瓶颈"), "evidence": ("evidence", "依据"), "payer": ("paid by", "承担方"),
    "category": ("cost", "费用"), "total": ("total", "合计"), "letter": ("", ""), "option": ("option", "方案"),
    "configuration": ("configuration", "配置"), "price": ("price", "总价"),
    "years_total": ("{years}-year total", "{years} 年总成本"), "people": ("people", "人数"),
    "served": ("must / wanted", "必须 / 希望"), "use": ("card use", "机时利用"),
    "pace": ("pace set by", "速度瓶颈"), "card": ("card", "显卡"), "usable": ("usable", "可用"),
    "need": ("need", "需求"), "largest": ("largest batch", "最大批大小"),
    "mostly": ("mostly", "主要占用"), "limits": ("what limits it", "限制因素"),
    "link": ("link", "互联"), "cards": ("cards", "卡数"), "step": ("step, ms", "每步，毫秒"),
    "speedup": ("speedup S", "加速比 S"), "efficiency": ("efficiency", "效率"), "target": ("target", "目标"),
    "case": ("sizes that reach the target (from, or up to)", "达到目标的参数量范围"),
    "year": ("year {year}", "第 {year} 年"), "kind": ("kind", "类型"), "as_of": ("date", "日期"),
    "age": (
        "age, days",
        "天数"), "source": ("source", "来源"), "check": ("check", "检查项"), "result": ("result", "结果",
    ),
    "typical": ("one run", "单次时长"),
}  # fmt: skip

LINES = {
    "purchase": ("Purchase: {price}", "购置费：{price}"),
    "purchase_of": ("Purchase: {price}; budget {budget}", "购置费：{price}；预算 {budget}"),
    "cash": ("of which cash: {cash}; cash of the lab: {lab}", "其中现金支出：{cash}；课题组现金支出：{lab}"),
    "price_basis": ("{price}, {basis}", "{price}（{basis}）"),
    "total": ("{years}-year total: {total} ({payers})", "{years} 年总成本：{total}（{payers}）"),
    "payer": ("{payer} {amount}", "{payer} {amount}"),
    "present": (
        "Present value of all costs: {total} (discount rate {rate})",
        "全部费用现值：{total}（折现率 {rate}）",
    ),
    "people": ("People at once: {people} of {wanted}", "可同时训练人数：{people} / {wanted}"),
    "quoted": ("{kind} {date}", "{kind} {date}"),
    "quoted_stale": ("{kind} {date}, out of date", "{kind} {date}，已过期"),
    "sum": ("Total, {basis}", "合计（{basis}）"),
    "converted": ("{origin}; {converted}", "{origin}；{converted}"),
    "kept": ("Kept: {configuration}", "保留：{configuration}"),
    "runs_on": ("{count} x {card}", "{count} × {card}"),
    "batch": ("{micro} x {steps}", "{micro} × {steps}"),
    "evidence": ("{evidence}, ±{error}", "{evidence}，±{error}"),
    "left_out": ("{workload}: {runs} runs in year {year}", "{workload}：第 {year} 年 {runs} 次"),
    "nothing_left_out": ("Nothing.", "无。"),
    "else_fits": ("{cards} x {card}: {models}.", "{cards} × {card}：可运行{models}。"),
    "else_not": ("{cards} x {card}: no room for {models}.", "{cards} × {card}：显存不足以运行{models}。"),
    "price_kinds": ("Prices in the plan: {kinds}.", "方案所用价格：{kinds}。"),
    "kind_count": ("{count} {kind}", "{kind} {count} 项"),
    "stale_bought": ("Out of date: {items}.", "已过期：{items}。"),
    "stale_others": (
        "{count} more prices in the comparison are out of date ('hwcost check' lists them).",
        "参与比较的另有 {count} 项价格已过期（可用 hwcost check 查看）。",
    ),
    "stale_only_others": (
        "{count} prices of the comparison are out of date, none of them paid by this plan "
        "('hwcost check' lists them).",
        "参与比较的价格中有 {count} 项已过期，均不在本方案的购置之列（可用 hwcost check 查看）。",
    ),
    "none_stale": ("No price of the comparison is out of date.", "参与比较的价格均未过期。"),
    "composed": (
        "Machines are composed from parts: an estimate until a quotation exists.",
        "整机价格由部件合成，取得书面报价前仅为估算。",
    ),
    "tiers": ("Run times: {tiers}.", "训练时长依据：{tiers}。"),
    "figures": (
        "{estimates} of {all} assumptions are estimates ('--json' lists them with their sources).",
        "{all} 项假设中 {estimates} 项为估算（--json 列出全部及来源）。",
    ),
    "group": ("{rule}: {items}", "{rule}：{items}"),
    "status": ("{status}. Objective: {objective}.", "{status}。目标：{objective}。"),
    "status_gap": ("{status}, {gap}. Objective: {objective}.", "{status}，{gap}。目标：{objective}。"),
    "written": ("Written: {path}", "已写出：{path}"),
    "no_workbook": ("No workbook is written, because there is no plan.", "没有可行方案，未写出工作簿。"),
    "no_document": ("No text document is written, because there is no plan.", "没有可行方案，未写出 Word 文档。"),
    "progress": ("... {what}", "…… {what}"),
    "progress_load": ("reading the catalog and the scenario", "读取目录与情景文件"),
    "progress_prepare": ("evaluating machines and run times", "核算机型与训练时长"),
    "progress_stage": ("solving: {stage}", "求解：{stage}"),
    "progress_option": ("comparing: {option}", "比较：{option}"),
    "progress_conflict": ("looking for the rules in conflict and their repairs", "查找相互矛盾的条件与调整办法"),
    "progress_workbook": ("writing the workbook", "写出工作簿"),
    "chosen_mark": ("*", "*"),
    "unproven": (" (Best found, not proven.)", "（尚未证明最优。）"),
    "check_ok": (
        "OK: {scenario}. {workloads} jobs, {cards} cards, {chassis} hosts, {prices} prices; "
        "{builds} machines can be built, {ways} ways to run the jobs.",
        "校验通过：{scenario}。任务 {workloads} 项，显卡 {cards} 种，主机 {chassis} 种，价格 {prices} 条；"
        "可组成机型 {builds} 种，运行方式 {ways} 种。",
    ),
    "check_none": (
        "No job of the scenario can run on any machine that can be bought: see what is not considered.",
        "没有任何可购机型能运行该情景的任务，请查看未纳入比较的项目。",
    ),
    "check_catalog": ("Catalog {sha}, scenario {sha_scenario}", "目录 {sha}，情景 {sha_scenario}"),
    "check_refused": (
        "{count} combinations of card, number and host do not work; most often: {rules}.",
        "{count} 种显卡、数量与主机的组合不成立，最常见的原因：{rules}。",
    ),
    "memory_mostly": ("{part} {share}", "{part} {share}"),
    "memory_part.context_mib": ("context", "运行环境"),
    "memory_part.state_mib": ("parameters and optimizer", "参数与优化器"),
    "memory_part.activations_mib": ("activations", "激活值"),
    "memory_part.workspace_mib": ("workspace", "工作区"),
    "memory_full": ("the whole batch of {batch} fits", "批大小 {batch} 可整体放入"),
    "memory_accumulate": ("batch {micro} x {steps} steps of accumulation", "批大小 {micro}，梯度累积 {steps} 步"),
    "memory_none": ("one sample needs {need}, {limit} may be used", "单个样本需 {need}，可用 {limit}"),
    "memory_off": (
        "the batch needs {need}, {limit} may be used; accumulation is not allowed",
        "整批需 {need}，可用 {limit}；不允许梯度累积",
    ),
    "threshold_accumulation": (
        "One card with {steps} steps of accumulation gives the same batch of {batch}: {one} ms a step, "
        "{cards} cards over {link} take {many} ms ({speedup} times as fast).",
        "单卡梯度累积 {steps} 步可得同样的批大小 {batch}，每步 {one} 毫秒；"
        "{cards} 卡经{link}为 {many} 毫秒（{speedup} 倍）。",
    ),
    "threshold_links": ("Link figures, with the bus bandwidth used:", "互联参数（所用总线带宽）："),
    "threshold_pcie": ("{link}, PCIe {generation}", "{link}，PCIe {generation}"),
    "threshold_link": (
        "{link}, {cards} cards: {bandwidth} GB/s, {kind} ({source})",
        "{link}，{cards} 卡：{bandwidth} GB/s，{kind}（{source}）",
    ),
    "threshold_article": (
        "Step time on one card: T_c = c0 + c1 x parameters x batch = {compute} ms, with c0 = {c0} ms and c1 = {c1} ms "
        "per million parameters and sample from the example of article A, section 4.2, not from a measurement; "
        "give your own with --c0-ms and --c1-ms.",
        "单卡步时 T_c = c0 + c1×参数量×批大小 = {compute} 毫秒；c0 = {c0} 毫秒、c1 = {c1} 毫秒/（百万参数·样本）"
        "取自文章 A 第 4.2 节的算例，并非实测，可用 --c0-ms、--c1-ms 改为自有数值。",
    ),
    "threshold_own": (
        "Step time on one card: T_c = c0 + c1 x parameters x batch = {compute} ms, with c0 = {c0} ms and c1 = {c1} ms "
        "per million parameters and sample as stated in the call.",
        "单卡步时 T_c = c0 + c1×参数量×批大小 = {compute} 毫秒；c0 = {c0} 毫秒、c1 = {c1} 毫秒/（百万参数·样本）"
        "为命令中给定的数值。",
    ),
    "doctor_ok": ("Everything that is needed works.", "所需各项均正常。"),
    "doctor_bad": ("Something that is needed does not work; see above.", "有必需项不正常，见上。"),
    "ok": ("ok", "正常"),
    "missing": ("missing", "缺失"),
    "optional": ("not there (optional)", "未安装（可选）"),
    "app_start": ("Opening the app at {address} (Ctrl-C ends it).", "正在打开图形界面 {address}（按 Ctrl-C 结束）。"),
    "interrupted": ("Interrupted. Nothing has been written.", "已中断，未写出任何文件。"),
    "bad_file": (
        "{file}: the system refuses this file or folder ({reason}); check its name, its place and your rights.",
        "{file}：系统拒绝访问该文件或文件夹（{reason}）；请检查名称、位置和权限。",
    ),
    "defect": (
        "hwcost has a defect: {kind}: {reason}. Please report it; HWCOST_DEBUG=1 shows where it happened.",
        "程序出现缺陷：{kind}：{reason}。请反馈；设置 HWCOST_DEBUG=1 可查看位置。",
    ),
    "not_installed": (
        "{name} is not installed; 'hwcost doctor' says what is missing and what to do.",
        "未安装 {name}；可用 hwcost doctor 查看缺失项与处理办法。",
    ),
    "problems": (
        "{count} problem(s) in the input; nothing has been written.",
        "输入有 {count} 处问题，未写出任何文件。",
    ),
    "usage_error": (
        "{message}. 'hwcost {command} --help' shows the options.",
        "{message}。选项说明：hwcost {command} --help。",
    ),
    "usage_error_plain": ("{message}. 'hwcost --help' shows the commands.", "{message}。命令说明：hwcost --help。"),
}  # fmt: skip

USAGE = {
    "unrecognized": ("not known: {what}", "不认识的参数：{what}"),
    "choice": ("{argument}: {value} is not one of {choices}", "{argument}：{value} 不在可选范围 {choices} 内"),
    "required": ("missing: {what}", "缺少参数：{what}"),
    "one": ("{argument} needs a value", "{argument} 需要一个值"),
    "at_least_one": ("{argument} needs at least one value", "{argument} 至少需要一个值"),
    "other": ("{what}", "{what}"),
}

PROBLEMS = {
    "output_is_folder": (
        "this is a folder; give the name of the file to write",
        "这是一个文件夹；请指定要写出的文件名",
    ),
    "output_is_device": (
        "this is a device or a pipe, not a file; give the name of a file ('--json -' writes to standard output)",
        "这是设备或管道，不是文件；请指定文件名（“--json -” 写到标准输出）",
    ),
    "output_folder_missing": (
        "the folder of this file does not exist; create it",
        "该文件所在的文件夹不存在；请先新建",
    ),
    "output_suffix": ("the file name must end with {suffix}", "文件名应以 {suffix} 结尾"),
    "output_not_writable": (
        "the file cannot be written; close it in other programs and check your access rights",
        "文件无法写出；请先在其他程序中关闭该文件，并检查访问权限",
    ),
    "output_over_input": (
        "this is the file that is read; give the output another name",
        "这是所读取的输入文件；请为输出另行命名",
    ),
    "output_same": ("two outputs have the same name; give each its own", "两个输出文件同名；请分别命名"),
    "input_is_workbook": (
        "an input workbook is not read by this command; give a scenario file (TOML) or the name of a bundled scenario",
        "该命令不读取输入工作簿；请给出情景文件（TOML）或内置情景名称",
    ),
    "option_negative": ("“{value}” is negative; give an amount above 0", "“{value}”为负数；请填写大于 0 的数"),
    "option_not_finite": ("“{value}” is not a finite number; write a figure", "“{value}”不是有限的数；请填写数值"),
    "option_zero": ("“{value}” is zero; give a figure above 0", "“{value}”为零；请填写大于 0 的数"),
    "option_range": ("“{value}” is out of range; {expected} is expected", "“{value}”超出范围；应为 {expected}"),
    "option_empty": ("no figure is given; write one, for example 250000", "没有填写数值；请填写，例如 250000"),
    "option_whole": ("“{value}” is not a whole number from 1 up", "“{value}”不是不小于 1 的整数"),
    "option_currency": (
        "“{value}” is in {found}, but the scenario counts in {currency}; give the amount in {currency}",
        "“{value}”的币种为 {found}，而情景以 {currency} 计；请换算为 {currency}",
    ),
    "link_unknown": (
        "“{value}” is no link class; use one of {expected}",
        "“{value}”不是互联类型；请使用 {expected} 之一",
    ),
    "link_pair": (
        "a bridge joins two cards only; give '--cards 2' or another link",
        "桥接器只能连接两张卡；请填写 --cards 2 或改用其他互联",
    ),
    "cards_one": ("one card runs no data parallelism; give 2 or more", "单卡不存在数据并行；请填写 2 及以上"),
    "card_unknown": (
        "“{value}” is no card of the catalog; use an id or a name",
        "“{value}”不是目录中的显卡；请使用编号或名称",
    ),
    "between_unknown": (
        "“{value}” is neither a card nor a whole machine of the catalog; use an id or a name",
        "“{value}”不是目录中的显卡或整机；请使用编号或名称",
    ),
    "between_not_buildable": (
        "“{value}” is in the catalog, but no machine with it can be bought here ({reason})",
        "“{value}”在目录中，但没有可购的机型（{reason}）",
    ),
    "app_missing": (
        "the app is not installed; install the package with its requirements ('pip install hwcost')",
        "未安装图形界面；请安装完整的程序包（pip install hwcost）",
    ),
}  # fmt: skip

DOCTOR = {
    "python": ("Python {version}", "Python {version}"),
    "python_old": (
        "Python {version} is too old; 3.11 or newer is needed",
        "Python {version} 版本过低，须 3.11 及以上",
    ),
    "package": ("{name} {version}", "{name} {version}"),
    "package_missing": (
        "{name} is not installed; run 'pip install {name}'",
        "未安装 {name}；请运行 pip install {name}",
    ),
    "solver_ok": ("solver test: HiGHS gives {value}, as it should", "求解器自检：HiGHS 得 {value}，正确"),
    "solver_wrong": (
        "solver test: HiGHS gives {value} instead of 0; reinstall highspy and PuLP",
        "求解器自检：HiGHS 得 {value}，应为 0；请重新安装 highspy 与 PuLP",
    ),
    "cbc_ok": ("CBC is there (not needed)", "CBC 可用（非必需）"),
    "cbc_none": ("CBC is not there; it is not needed", "未安装 CBC，非必需"),
    "catalog_ok": (
        "bundled catalog: {cards} cards, {prices} prices in {folder}",
        "内置目录：显卡 {cards} 种，价格 {prices} 条，位于 {folder}",
    ),
    "catalog_bad": (
        "catalog: {count} problem(s), the first: {first} 'hwcost check' lists all",
        "目录有 {count} 处问题，首个：{first}可用 hwcost check 查看全部",
    ),
    "home_ok": ("your catalog folder: {folder}", "用户目录：{folder}"),
    "home_none": (
        "no catalog folder of your own (HWCOST_HOME is not set, nothing was imported)",
        "没有用户目录（未设置 HWCOST_HOME，也未导入过数据）",
    ),
    "scenarios": ("bundled scenarios: {names}", "内置情景：{names}"),
    "write_ok": ("this folder can be written: {folder}", "当前文件夹可写：{folder}"),
    "write_no": (
        "this folder cannot be written: {folder}; change to one of your own",
        "当前文件夹不可写：{folder}；请换到有权限的文件夹",
    ),
    "encoding": ("output encoding: {encoding}", "输出编码：{encoding}"),
}  # fmt: skip


def _entries(prefix: str, words: dict[str, tuple[str, str]]) -> dict[str, dict[str, str]]:
    return {f"{prefix}.{name}": {"en": en, "zh": zh} for name, (en, zh) in words.items()}


TEXTS: dict[str, dict[str, str]] = {
    **_entries("cli.help", HELP),
    **_entries("cli.heading", HEADINGS),
    **_entries("cli.column", COLUMNS),
    **_entries("cli", LINES),
    **_entries("cli.usage", USAGE),
    **_entries("problem", PROBLEMS),
    **_entries("doctor", DOCTOR),
}
