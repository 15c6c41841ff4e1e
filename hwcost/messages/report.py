"""Words of the workbook: sheets, columns, labels and notes."""

from __future__ import annotations

SHEETS = {
    "cover": ("Cover and sign-off", "封面与签批"),
    "summary": ("Summary", "摘要"),
    "form": ("Need and justification", "购置论证表"),
    "options": ("Options", "方案比选"),
    "budget": ("Configuration and budget", "配置与预算"),
    "requirements": ("Technical requirements", "技术参数（采购需求）"),
    "market": ("Source selection and price", "市场调研与报价"),
    "work": ("Workload and machine-hours", "任务量与机时"),
    "cost": ("Three-year cost", "三年费用"),
    "risk": ("Risk and sensitivity", "风险与敏感性"),
    "assumptions": ("Assumptions and sources", "假设与来源"),
    "checks": ("Checks", "核对"),
    "technical": ("Technical annex", "技术附录"),
    "annex": ("Cost of the other options", "其他方案费用"),
    "chart": ("Cost by kind", "费用构成"),
    "record": ("Run record", "运行记录"),
}

COLUMNS = {
    "no": ("No.", "序号"),
    "item": ("Item", "项目"),
    "value": ("Value", "取值"),
    "unit": ("Unit", "单位"),
    "stored": ("Value in the optimisation", "优化时取值"),
    "changed": ("Changed?", "是否改动"),
    "kind": ("Kind", "性质"),
    "source": ("Source", "来源"),
    "price_kind": ("Kind of price", "价格性质"),
    "price_date": ("Date of the price", "价格日期"),
    "valid_until": ("Valid until", "有效期至"),
    "stale": ("Out of date?", "是否过期"),
    "taxed": ("Tax included?", "是否含税"),
    "net": ("Net unit price", "不含税单价"),
    "quantity": ("Quantity", "数量"),
    "amount": ("Amount", "金额"),
    "group": ("Kind of cost", "费用大类"),
    "category": ("Category", "费用类别"),
    "payer": ("Paid by", "承担方"),
    "per": ("Quantity per unit", "单位用量"),
    "unit_price": ("Unit price", "单价"),
    "total": ("Total", "合计"),
    "present_value": ("Present value", "现值（折现后）"),
    "grand_total": ("Total", "总计"),
    "specification": ("Specification", "规格"),
    "unit_net": ("Unit price, net", "单价（不含税）"),
    "unit_gross": ("Unit price, incl. tax", "单价（含税）"),
    "amount_net": ("Amount, net", "金额（不含税）"),
    "amount_gross": ("Amount, incl. tax", "金额（含税）"),
    "letter": ("Option", "方案"),
    "option": ("Name", "名称"),
    "configuration": ("Configuration", "配置"),
    "price_gross": ("Purchase, incl. tax", "购置费（含税）"),
    "three_year": ("Total over {years} years", "{years} 年总成本"),
    "paid_lab": ("Paid by the lab", "课题组支付"),
    "paid_university": ("Borne by the university", "学校承担"),
    "paid_non_cash": ("Own hours, no cash", "自有工时（非现金）"),
    "people": ("People at once", "可同时训练人数"),
    "can": ("Can do (largest batch on one card, one run)", "可完成（单卡最大批大小，单次用时）"),
    "cannot": ("Cannot do", "不能完成"),
    "reason": ("Why (not) chosen", "是否推荐及理由"),
    "check": ("Check", "核对项"),
    "subject": ("About", "对象"),
    "sense": ("Sense", "关系"),
    "must_be": ("Must be", "应为"),
    "is": ("Is", "实为"),
    "work": ("Asked by the lab", "用户要求"),
    "hard": ("In the optimisation", "求解条件"),
    "method": ("Method", "采购方式"),
    "applies": ("This purchase", "本次采购"),
    "quotes": ("Quotations at least", "最少报价数"),
    "quote_days": ("Greatest age in days", "报价最长天数"),
    "band_from": ("From", "金额下限（含）"),
    "band_to": ("Below", "金额上限（不含）"),
    "rule_date": ("Date of the rule", "规定日期"),
    "rule_source": ("Source of the rule", "规定来源"),
    "result": ("Result", "结论"),
    "level": ("Level of the objective", "目标层次"),
    "stage_status": ("State", "状态"),
    "gap": ("Gap to the bound", "与理论下限的差距"),
    "seconds": ("Seconds", "用时（秒）"),
    "reason_left_out": ("Reason", "原因"),
}

GROUPS = {
    "cards": ("Cards", "显卡"),
    "machines": ("Hosts and parts", "主机与配件"),
    "delivery": ("Freight, installation, tax", "运费、安装与税"),
    "energy": ("Electricity", "电费"),
    "staff": ("Staff hours", "管理工时"),
    "upkeep": ("Maintenance and failures", "维护与故障"),
    "hosting": ("Hosting", "托管"),
    "services": ("Services and other", "服务及其他"),
    "residual": ("Residual value", "残值"),
}

DRIVERS = {
    "bought": ("Machines bought", "购置台数"),
    "kept": ("Machines kept", "沿用台数"),
    "in_service": ("Machines in service", "在用台数"),
    "after_warranty": ("in service, after the warranty", "其中已过质保期"),
    "at_end": ("in service in the last year", "期末在用台数"),
    "cards": ("Cards in service", "在用显卡数"),
    "card_hours": ("Card-hours computing", "运行卡时"),
}

BASES = {
    "freight": ("share of the net price", "按不含税价计"),
    "installation": ("per machine", "按台计"),
    "tax": ("on goods, freight and installation", "按货款、运费与安装费计"),
    "setup": ("hours per machine", "按台计工时"),
    "energy_idle": ("idle watts x hours x PUE", "待机功率×开机时数×PUE"),
    "energy_busy": ("extra watts x card-hours x PUE", "运行增加功率×卡时×PUE"),
    "staff": ("hours per machine and year", "每台每年工时"),
    "hosting": ("per machine and year", "每台每年"),
    "maintenance": ("share of the net price, per year", "按不含税价，每年"),
    "failures": ("share of a card's net price, per card and year", "按显卡不含税价，每卡每年"),
    "residual": ("share of the net price", "按不含税价计"),
}

UNITS = {
    "share": ("share", "比例"),
    "share_year": ("share per year", "比例/年"),
    "per_node": ("{currency} per machine", "{currency}/台"),
    "years": ("years", "年"),
    "per_kwh": ("{currency} per kWh", "{currency}/kWh"),
    "ratio": ("ratio", "比值"),
    "hours_year": ("hours per year", "小时/年"),
    "per_node_year": ("{currency} per machine and year", "{currency}/台·年"),
    "hours_node_year": ("hours per machine and year", "小时/台·年"),
    "hours_node": ("hours per machine", "小时/台"),
    "per_hour": ("{currency} per hour", "{currency}/小时"),
}

# units and sources of the scenario's own words
GIVEN = {
    "h": ("hours", "小时"),
    "nodes": ("machines", "台"),
    "builds": ("kinds", "种"),
    "share of memory": ("share of memory", "占显存比例"),
    "hwcost default": ("default of the program", "程序默认值"),
    "scenario": ("stated by the lab", "课题组填写"),
    "changed": ("changed by the user", "用户改动"),
}

SPECIFICATIONS = {
    "card": ("{memory:g} GB, {tdp:,.0f} W", "显存 {memory:g} GB，功耗 {tdp:,.0f} W"),
    "host": (
        "{form}, {cores} cores, {ram:g} GiB memory, {slots} slots for cards",
        "{form}，{cores} 核处理器，内存 {ram:g} GiB，可装显卡 {slots} 槽",
    ),
    "psu": ("{watts:,.0f} W at 200-240 V", "{watts:,.0f} W（200～240 V）"),
    "storage": ("{capacity:g} TB, reads {read:,.0f} MB/s", "{capacity:g} TB，读取 {read:,.0f} MB/s"),
    "system": (
        "{cards} x {card} {memory:g} GB, {cores} cores, {ram:g} GiB memory, {capacity:g} TB",
        "{cards}×{card} {memory:g} GB，{cores} 核处理器，内存 {ram:g} GiB，存储 {capacity:g} TB",
    ),
}

NOTES = {
    "footer": ("Run {run}", "运行编号 {run}"),
    "year": ('"Year "0', '"第 "0" 年"'),
    "yes": ("yes", "是"),
    "no": ("no", "否"),
    "changed": ("changed", "已改动"),
    "stale": ("out of date", "已过期"),
    "none": ("none", "无"),
    "labelled": ("{label}: {text}", "{label}：{text}"),
    "not_stated": ("not stated", "未注明"),
    "money_basis": (
        "Amounts in {currency}, nominal, over {years} years. Purchases: net prices, with tax as a line of its own.",
        "金额单位：{currency}，名义值，期限 {years} 年。购置费按不含税价列示，税费单列。",
    ),
    "input.error_title": ("Not a possible value", "取值无效"),
    "input.error": ("Please enter a number from {low} to {high}.", "请输入 {low} 至 {high} 之间的数值。"),
    "legend.input": ("input, may be changed", "输入，可修改"),
    "legend.solver": ("set by the optimisation", "优化结果"),
    "legend.link": ("from another sheet", "引自其他工作表"),
    "legend.formula": ("formula", "公式"),
    # summary
    "summary.title": ("Training hardware: summary of the proposal", "训练设备购置方案摘要"),
    "summary.purchase": ("Purchase incl. tax ({currency})", "购置费（含税，{currency}）"),
    "summary.three_year": ("Total over {years} years ({currency})", "{years} 年总成本（{currency}）"),
    "summary.people": ("People training at once", "可同时训练人数"),
    "summary.options": ("Options (amounts in {currency})", "方案比较（金额单位：{currency}）"),
    "summary.impossible": ("Without a plan: {names}.", "无可行配置的方案：{names}。"),
    "summary.rests_on": ("What it rests on", "依据"),
    "summary.status": ("{status}; objective: {objective}.", "{status}；目标：{objective}。"),
    "summary.prices": (
        "Prices: {kinds}; the oldest of {oldest}; {stale} out of date.",
        "价格性质：{kinds}；最早日期 {oldest}；已过期 {stale} 项。",
    ),
    "summary.evidence": (
        "Hours, by card-hours: {measured} measured on the same card, {transferred} transferred from another card, "
        "{estimated} estimated.",
        "机时依据（按卡时计）：同卡实测 {measured}，由其他显卡换算 {transferred}，估算 {estimated}。",
    ),
    "summary.choice_note": (
        "Amounts follow the inputs; which machines and how many was decided by the program and does not.",
        "金额随输入自动重算；机型与数量由程序优化得出，不随输入改变。",
    ),
    "summary.would_change": ("What would change it", "何时须改变结论"),
    "summary.bears_before": ("Left of the budget for a rise of the price: ", "预算余额可承受的涨价："),
    "summary.bears_after": (
        " {currency}; above that the purchase has to be smaller.",
        " {currency}，超过时须减少购置。",
    ),
    "summary.repairs": ("What would help", "可行的调整"),
    "summary.use_busy": ("Busy card-hours a year", "每年运行卡时"),
    "summary.use_room": ("Card-hours available a year", "每年可用卡时"),
    "summary.use_share": ("Busy share of the time", "时间利用率"),
    "summary.use_note": (
        "Mean over the years. Busy time only: it does not say how much of a card's computing power a job uses.",
        "按各年平均。仅指显卡被占用的时间，不表示算力的利用程度。",
    ),
    # once an input is changed
    "changed.headline": (
        "Inputs changed since the optimisation: run again. Until then the amounts below are those of the old choice.",
        "优化后输入已改动，请重新运行；在此之前，下列金额仍对应原定机型与数量。",
    ),
    "changed.over_before": (" The purchase now exceeds the budget by ", "按现输入，购置费超出预算 "),
    "changed.over_after": (" {currency}.", " {currency}。"),
    "changed.options": (
        "Inputs changed: run again. Reasons and what each can do are of the old run.",
        "输入已改动，请重新运行；理由与可完成的任务仍为原结果。",
    ),
    # suggested procurement route
    "route.title": ("Suggested procurement route", "建议采购方式"),
    "route.note": ("A suggestion; the rules of your institution count.", "仅为建议，以本单位规定为准。"),
    "route.unknown": (
        "Not known for your institution: name its rules in the scenario, or ask the procurement office.",
        "本单位的采购规定未知：请在情景中指明所适用的规定，或咨询采购部门。",
    ),
    "route.rules": ("Rules", "所依据规定"),
    "route.amount_gross": ("Amount that counts, incl. tax", "计算金额（含税）"),
    "route.amount_net": ("Amount that counts, net of tax", "计算金额（不含税）"),
    "route.quote_days": ("Greatest age of a quotation in days", "报价最长天数"),
    "route.applies": ("applies", "适用"),
    "route.colon": (": ", "："),
    "route.quotes_before": (". Quotations, at least: ", "。最少报价数："),
    "route.days_before": ("; greatest age of one in days: ", "；报价最长天数："),
    "route.end": (" (a suggestion; the rules of your institution count).", "（仅为建议，以本单位规定为准）。"),
    # options
    "options.lettered": ("{letter} {name}", "{letter} {name}"),
    "options.how": (
        "Each option is at its own best under the same conditions. Amounts are live; batch and time of a run are not.",
        "各方案均在相同条件下取其最优配置。金额随输入重算；批大小与用时为程序计算结果。",
    ),
    "options.can": ("{workload}: batch up to {batch}, {hours} a run", "{workload}：批大小至 {batch}，每次 {hours}"),
    "options.left_out": (
        "{workload}: {runs} of {all} runs a year left out",
        "{workload}：每年 {all} 次中有 {runs} 次无法完成",
    ),
    "options.waiting": ("{workload}: {people} people wait at the peak", "{workload}：高峰时 {people} 人须等待"),
    "options.all_out": ("everything", "全部任务"),
    "options.nothing_out": ("nothing is left out", "全部任务均可完成"),
    "options.enough": ("Smallest purchase that does the work", "满足任务的最小购置"),
    "options.enough_must": ("Smallest purchase that does what must be done", "完成必须任务的最小购置"),
    "options.enough_none": ("The machines at hand do the work", "现有设备已能满足任务"),
    "options.enough_can": ("all the work as stated", "所列全部任务"),
    "options.enough_can_must": ("all that must be done", "全部必须任务"),
    "options.enough_same": ("The same purchase as the chosen option.", "与推荐方案相同。"),
    "options.enough_why": (
        "Enough for the work; the chosen option adds computing power.",
        "已能满足任务；推荐方案增加了算力。",
    ),
    "chart.title": ("Cost over {years} years by kind", "{years} 年费用构成"),
    # budget
    "budget.how": (
        "One line per part. Unit prices come from the sheet of assumptions; tax is computed once per machine on goods, "
        "freight and installation, and the line of rounding shows what single lines with tax differ by.",
        "每个部件一行。单价引自“假设与来源”；税费按整台的货款、运费与安装费合并计算，各行含税金额与之相差的尾差单列。",
    ),
    "budget.estimate_only": ("(estimate: composed from parts, not quoted)", "（估算：由部件组成，尚无整机报价）"),
    "budget.nothing": ("Nothing is bought.", "本方案不购置设备。"),
    "budget.subtotal": ("Subtotal", "小计"),
    "budget.tax": ("Tax", "税费"),
    "budget.rounding": ("Rounding of the single lines", "各行含税金额尾差"),
    "budget.total": ("Total incl. tax", "总计（含税）"),
    "budget.limit_gross": ("Equipment budget, incl. tax", "设备预算（含税）"),
    "budget.limit_net": ("Equipment budget, net of tax", "设备预算（不含税）"),
    "budget.left": ("Left of the budget", "预算余额"),
    "budget.no_limit": ("No equipment budget is stated.", "未给出设备预算。"),
    "budget.spend_by": ("To be spent by {date}.", "经费使用期限：{date}。"),
    # cost
    "cost.how": (
        "Amount = quantity x unit price. Purple: set by the optimisation; all else follows from the inputs.",
        "金额＝数量×单价。紫色为优化结果，其余均由输入推算。",
    ),
    "annex.how": (
        "The same table for every option that was not chosen, with the same inputs.",
        "未推荐方案按相同输入列示的同样表格。",
    ),
    "cost.factor_start": ("Discount factor, start of the year (purchases)", "年初折现系数（购置费）"),
    "cost.factor_end": ("Discount factor, end of the year (running cost)", "年末折现系数（运行费）"),
    "cost.other": ("Work on several cards, services, overhead", "多卡调试、服务与管理费"),
    "cost.net_price": ("Net price of one machine", "单台不含税价"),
    "cost.by_group": ("By kind of cost", "按费用大类"),
    "cost.by_category": ("By category", "按费用类别"),
    "cost.by_payer": ("By payer", "按承担方"),
    "cost.capex": ("Purchase, incl. tax", "购置费（含税）"),
    "cost.capex_net": ("Purchase, net of tax", "购置费（不含税）"),
    "cost.opex": ("Running cost", "运行费"),
    # assumptions
    "assumptions.how": (
        "The pale yellow cells may be changed; every amount of the workbook follows. Which machines are bought does "
        "not follow: run the program again after a change.",
        "浅黄色单元格可以修改，全部金额随之重算；机型与数量不会随之改变，改动后请重新运行程序。",
    ),
    "assumptions.legend": ("Colours", "颜色说明"),
    "assumptions.changed_count": ("Inputs changed since the optimisation", "优化后改动的输入项数"),
    "assumptions.scalars": ("Rates and prices", "费率与单价"),
    "assumptions.rate": ("Exchange rate of {currency}", "{currency} 汇率"),
    "assumptions.rate_kind": ("published rate", "公布汇率"),
    "assumptions.rate_source": ("fx.csv, newest rate on the day of the scenario", "fx.csv，情景日期前最新汇率"),
    "assumptions.prices": ("Prices of parts, as quoted or published", "部件价格（按报价或公布价）"),
    "assumptions.net_note": (
        "Net unit price in {currency} = price x exchange rate, without tax where it is included, to the cent.",
        "不含税单价（{currency}）＝价格×汇率，含税的扣除税额，取至分。",
    ),
    "assumptions.watts": ("Power at the wall", "市电侧功率"),
    "assumptions.idle_w": ("{machine}: whole machine, idle", "{machine}：整机待机"),
    "assumptions.busy_w": ("{machine}: extra for each computing card", "{machine}：每张卡运行时增加"),
    "assumptions.watts_source": ("from the parts and the efficiency of the power supply", "由部件规格与电源效率计算"),
    "assumptions.constants": ("Constants of the formulas (not to be changed)", "公式常数（不可修改）"),
    "assumptions.others": (
        "Other assumptions: they decide the choice, not the amounts",
        "其他假设：影响选型，不影响金额计算",
    ),
}


def entries(prefix: str, words: dict[str, tuple[str, str]]) -> dict[str, dict[str, str]]:
    """A table of messages from pairs (en, zh)."""
    return {f"report.{prefix}{name}": {"en": en, "zh": zh} for name, (en, zh) in words.items()}


TEXTS: dict[str, dict[str, str]] = {
    **entries("sheet.", SHEETS),
    **entries("col.", COLUMNS),
    **entries("group.", GROUPS),
    **entries("driver.", DRIVERS),
    **entries("basis.", BASES),
    **entries("unit.", UNITS),
    **entries("given.", GIVEN),
    **entries("spec.", SPECIFICATIONS),
    **entries("", NOTES),
}
