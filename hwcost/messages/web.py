"""Words of the app: labels, headings, column titles and notes."""

from __future__ import annotations

LANGUAGE_NAMES = {"zh": "中文", "en": "English"}  # a language is named in itself

PAGE = {
    "title": ("Training hardware for a hyperspectral lab", "高光谱实验室训练硬件购置方案"),
    "language": ("Language", "语言"),
    "scenario": ("Scenario", "情景"),
    "scenario_line": ("Scenario: {scenario}", "情景：{scenario}"),
    "scenario.help": (
        "A worked example to start from. What you change below stays with it.",
        "可作起点的示例；下方所作的修改随该情景保留。",
    ),
    "inputs.money": ("Money", "经费"),
    "inputs.demand": ("Demand", "任务需求"),
    "budget": ("Equipment budget", "设备预算"),
    "budget.help": (
        "For example 250000 or 250,000; 250 with the unit at 1,000. Empty: no limit. "
        "A unit or currency written here counts before the switch.",
        "可填 25、250000、250,000 或 25万；留空表示不限。此处写明的单位优先于右侧开关。",
    ),
    "unit": ("Unit", "单位"),
    "tax": ("Tax", "税"),
    "tax.included": ("incl. tax", "含税"),
    "tax.excluded": ("excl. tax", "不含税"),
    "echo": ("{amount} {basis}; {other} {other_basis}", "{amount}（{basis}），{other_basis} {other}"),
    "echo.untaxed": ("{amount}; {basis}", "{amount}（{basis}）"),
    "echo.yuan": ("CNY {figure} = {wan} x CNY 10,000", "¥ {figure} = {wan} 万元"),
    "echo.none": ("No budget limit.", "不设预算上限。"),
    "objective": ("Objective", "目标"),
    "horizon": ("Horizon, years", "测算年限（年）"),
    "tariff": ("Electricity tariff, {currency} per kWh", "电价（{currency}/kWh）"),
    "people": ("People at once", "同时训练（人）"),
    "runs": ("Runs per year", "训练次数（次/年）"),
    "must": ("{workload} · must be done", "{workload} · 必须完成"),
    "want": ("{workload} · wished for", "{workload} · 希望完成"),
    "solve": ("Work out the plan", "开始测算"),
    "reset": ("Reset", "恢复原值"),
    "stale": (
        "Inputs have changed since. The figures below are for the earlier inputs: {inputs}.",
        "输入已修改，下方仍为修改前的结果：{inputs}。",
    ),
    "solve_again": ("Work it out again", "重新测算"),
    "fix_inputs": (
        "Correct the input on the left first; the figures below are for the earlier inputs: {inputs}.",
        "请先更正左侧的输入，下方仍为修改前的结果：{inputs}。",
    ),
    "problems": ("The input cannot be used yet", "输入有误，暂不能测算"),
    "input_at": ("{label}: {problem}", "{label}：{problem}"),
    "budget_zero": ("A budget of 0 buys nothing. Enter an amount, or leave it empty for no limit.",
                    "预算为 0 无法购置，请填写金额，不限则留空。"),
    "failed": (
        "The calculation failed. This is a defect of the program, not of your input. "
        "The details are in the program's log ({kind}).",
        "测算失败，属程序缺陷，与输入无关。详情见程序日志（{kind}）。",
    ),
    "inputs_line": (
        "{scenario}; budget {budget}; {objective}; {years} years; {tariff} per kWh",
        "{scenario}；预算 {budget}；{objective}；{years} 年；电价 {tariff}/kWh",
    ),
    "no_limit": ("without limit", "不限"),
}  # fmt: skip

PROGRESS = {
    "running": ("Working out the plan", "正在测算"),
    "prepare": (
        "Checking which machines can be built and what each job takes on them",
        "核对可组装的机型与各任务的用时",
    ),
    "stage": ("Best plan: {stage}", "求最优方案：{stage}"),
    "option": ("Option: {option}", "方案：{option}"),
    "need": ("What the work alone would need", "仅满足任务所需的配置"),
    "conflict": (
        "Looking for the conditions that contradict each other; this can take a minute",
        "查找相互矛盾的条件，可能需要一分钟",
    ),
    "done": ("Done in {seconds} s", "测算完成，用时 {seconds} 秒"),
    "stopped": ("Not finished", "未完成"),
}

RESULT = {
    "answer": ("Recommendation", "结论"),
    "status": ("{status}. Objective: {objective}.", "{status}。目标：{objective}。"),
    "status_gap": ("{status}, {gap}. Objective: {objective}.", "{status}，{gap}。目标：{objective}。"),
    "purchase": ("Purchase, {basis}", "购置费（{basis}）"),
    "of_cash": ("of which cash: {cash}; cash of the lab: {lab}", "其中现金支出 {cash}，课题组现金支出 {lab}"),
    "of_budget": ("budget: {budget}", "预算 {budget}"),
    "total": ("{years}-year cost, all payers", "{years} 年总成本（各方合计）"),
    "of_lab": ("{amount} of it paid by the lab", "其中课题组支付 {amount}"),
    "served": ("People training at once", "同时训练人数"),
    "of_people": ("wanted: {wanted}", "需 {wanted} 人"),
    "people_count": ("{people}", "{people} 人"),
    "present": (
        "At present value (discount rate {rate}): {amount}.",
        "现值（折现率 {rate}）：{amount}。",
    ),
    "amounts_note": (
        "All amounts are nominal, over {years} years, tax on purchases included, in {currency}.",
        "金额均为名义值，按 {years} 年计，购置含税，币种 {currency}。",
    ),
    "options": ("Options side by side", "方案比选"),
    "capability": ("What each option can do", "各方案能做什么"),
    "capability_note": (
        "For each job: largest batch that one card holds / time of one typical run on one card. "
        "Times are estimates. A dash: one card alone cannot do it within the conditions.",
        "各任务列为“单卡可容纳的最大批大小 / 单卡一次典型训练的时长（估算）”；“—”表示单卡在现有条件下不能完成。",
    ),
    "by_category": ("{years}-year cost by category", "{years} 年总成本构成（按费用类别）"),
    "by_payer": ("{years}-year cost by payer", "{years} 年总成本构成（按承担方）"),
    "axis": ("{years}-year cost ({unit}, nominal)", "{years} 年总成本（{unit}，名义值）"),
    "table_unit": ("The same figures in {unit}:", "图中数据（单位：{unit}）："),
    "purchases": ("What is bought", "购置清单"),
    "purchases_none": ("Nothing is bought.", "不购置。"),
    "purchases_note": (
        "Unit prices are net of tax; tax, freight and installation are lines of their own.",
        "单价不含税；税费、运费、安装费单列。",
    ),
    "kept": ("Kept: {configuration}.", "沿用：{configuration}。"),
    "jobs": ("How each job runs", "各任务的安排"),
    "rests": ("What it rests on", "结论的依据"),
    "rests.kinds": ("Prices of what is bought: {kinds}.", "购置价格来源：{kinds}。"),
    "rests.kind": ("{count} x {kind}", "{kind} {count} 项"),
    "rests.stale": ("Out of date: {items}.", "已过期：{items}。"),
    "rests.stale_item": ("{name} ({date})", "{name}（{date}）"),
    "rests.fresh": ("No price of what is bought is out of date.", "购置所用价格均未过期。"),
    "rests.stale_others": (
        "{count} more prices that the comparison used are out of date.",
        "比选中另有 {count} 项价格已过期。",
    ),
    "rests.stale_only_others": (
        "{count} prices that the comparison used are out of date, none of them paid by this plan.",
        "比选所用价格中有 {count} 项已过期，均不在本方案购置之列。",
    ),
    "rests.composed": (
        "Machines are composed of parts; no whole machine has been quoted.",
        "整机由部件组合，尚无整机报价。",
    ),
    "rests.figures": (
        "{estimates} of the {all} figures of the scenario are estimates.",
        "情景的 {all} 项参数中有 {estimates} 项为估算。",
    ),
    "rests.times": (
        "Run times: {tiers}; the error of each is in the table of jobs.",
        "训练时长依据：{tiers}；各自误差见任务安排表。",
    ),
    "assumptions": ("Figures of the scenario and their sources", "情景参数及来源"),
    "not_considered": ("Not considered", "未纳入比较"),
    "not_considered_count": ("{count} items, with the reason for each", "{count} 项，逐项列明原因"),
    "conflict": ("What stands in the way, and what would repair it", "矛盾的条件与可行的调整"),
    "conflict_ask": ("What would it take to do everything?", "全部满足还需要什么？"),
    "conflict_note": (
        "Not all work or people fit within the conditions. The search can take a minute.",
        "现有条件下任务或人数未能全部满足；查找调整办法可能需要一分钟。",
    ),
    "downloads": ("Take it with you", "导出"),
    "workbook": ("Justification workbook (Excel)", "论证工作簿（Excel）"),
    "record": ("Plan as data (JSON)", "方案数据（JSON）"),
    "file.workbook": ("justification_{scenario}.xlsx", "采购论证_{scenario}.xlsx"),
    "file.record": ("plan_{scenario}.json", "购置方案_{scenario}.json"),
}

COLUMNS = {
    "option": ("Option", "方案"),
    "configuration": ("Configuration", "配置"),
    "price": ("Purchase, {basis}", "购置费（{basis}）"),
    "total": ("{years}-year cost", "{years} 年总成本"),
    "decision": ("Decision and reason", "取舍及原因"),
    "shares": ("Must / wanted", "必须 / 希望"),
    "use": ("Card use", "机时利用"),
    "pace": ("Pace set by", "速度瓶颈"),
    "people": ("People at once", "同时训练（人）"),
    "sum": ("Total", "合计"),
    "cost": ("Cost", "费用"),
    "item": ("Item", "项目"),
    "name": ("Name", "名称"),
    "quantity": ("Quantity", "数量"),
    "unit_price": ("Unit price ({currency})", "单价（{currency}）"),
    "amount": ("Amount ({currency})", "金额（{currency}）"),
    "price_kind": ("Kind of price", "价格类型"),
    "price_date": ("Price as of", "价格日期"),
    "source": ("Source", "来源"),
    "workload": ("Job", "任务"),
    "where": ("Runs on", "运行方式"),
    "hours": ("One run", "单次时长"),
    "memory": ("Memory on a card", "单卡显存"),
    "batch": ("Batch on a card x steps", "单卡批大小×累积步数"),
    "bound": ("Limited by", "瓶颈"),
    "evidence": ("Evidence", "依据"),
    "reason": ("Reason", "原因"),
    "figure": ("Figure", "参数"),
    "value": ("Value", "取值"),
    "kind": ("Kind", "性质"),
}

CELLS = {
    "total_of": ("{option}: {total}", "{option}：{total}"),
    "lettered": ("{letter}  {name}", "{letter}  {name}"),
    "batch_hours": ("{batch} / {hours}", "{batch} / {hours}"),
    "batch_steps": ("{micro} x {steps}", "{micro}×{steps}"),
    "evidence": ("{tier}, ±{error}", "{tier}，±{error}"),
    "converted": ("{kind} ({converted})", "{kind}（{converted}）"),
    "stale_mark": ("{date}, out of date", "{date}，已过期"),
    "scenario_source": ("this scenario", "本情景"),
    "changed_source": ("changed in the app", "在本页修改"),
    "default_source": ("default of the program", "程序默认值"),
}

# chart groups: several cost categories that a meeting sees as one
GROUPS = {
    "card": ("Cards", "显卡"),
    "host": ("Hosts and power supplies", "主机与电源"),
    "system": ("Whole machines", "整机"),
    "storage": ("Storage", "存储"),
    "delivery": ("Freight and installation", "运费与安装"),
    "tax": ("Tax", "税费"),
    "energy": ("Electricity", "电费"),
    "staff": ("Staff hours", "管理工时"),
    "upkeep": ("Maintenance and failures", "维护与故障"),
    "hosting": ("Hosting", "托管"),
    "service": ("Campus cluster and rent", "校级机时与租用"),
    "overhead": ("Overhead on services", "间接费"),
    "residual": ("Residual value", "残值"),
}

UNITS = {
    "CNY": ("CNY", "元"),
    "USD": ("USD", "美元"),
    "EUR": ("EUR", "欧元"),
    "GBP": ("GBP", "英镑"),
    "JPY": ("JPY", "日元"),
    "HKD": ("HKD", "港元"),
}


def _entries(prefix: str, words: dict[str, tuple[str, str]]) -> dict[str, dict[str, str]]:
    return {f"{prefix}.{name}": {"en": en, "zh": zh} for name, (en, zh) in words.items()}


# the scenario's figures with their unit, by the unit as the scenario records it; {currency} stands for its code
FIGURE_UNITS = {
    "share of net price": ("{value} of the net price", "不含税价的 {value}"),
    "share of net price per year": ("{value} of the net price per year", "每年为不含税价的 {value}"),
    "share of memory": ("{value} of the memory", "显存的 {value}"),
    "per year": ("{value} per year", "每年 {value}"),
    "cards per card-year": ("{value} of the cards per year", "每年 {value} 的显卡"),
    "years": ("{value} years", "{value} 年"),
    "ratio": ("{value}", "{value}"),
    "nodes": ("{value} machines", "{value} 台"),
    "builds": ("{value} kinds", "{value} 种"),
    "h": ("{value} h", "{value} 小时"),
    "h/node": ("{value} h per machine", "{value} 小时/台"),
    "h/node-year": ("{value} h per machine and year", "{value} 小时/台·年"),
    "{currency}/node": ("{value} {currency} per machine", "{value} {currency}/台"),
    "{currency}/node-year": ("{value} {currency} per machine and year", "{value} {currency}/台·年"),
    "{currency}/kWh": ("{value} {currency} per kWh", "{value} {currency}/kWh"),
    "{currency}/h": ("{value} {currency} per hour", "{value} {currency}/小时"),
    "kgCO2/kWh": ("{value} kg CO2 per kWh", "{value} kg CO₂/kWh"),
}

TEXTS: dict[str, dict[str, str]] = {
    **_entries("web", PAGE),
    **_entries("web.progress", PROGRESS),
    **_entries("web.result", RESULT),
    **_entries("web.column", COLUMNS),
    **_entries("web.cell", CELLS),
    **_entries("web.group", GROUPS),
    **_entries("web.unit", UNITS),
    **_entries("web.figure_unit", FIGURE_UNITS),
    "web.legend.category": {"en": "Cost category", "zh": "费用类别"},
    "web.legend.payer": {"en": "Paid by", "zh": "承担方"},
    "web.unit_wan": {"en": "10,000 {currency}", "zh": "万{currency}"},
    "web.unit_thousand": {"en": "1,000 {currency}", "zh": "千{currency}"},
}
