"""Words of the justification form: the argument in the order of the form, and what a person has to fill in."""

from __future__ import annotations

from hwcost.messages.report import entries

HEADINGS = {
    "1": ("Necessity and workload", "购置必要性与工作量预测"),
    "2": ("The same equipment on campus", "校内同类设备及使用情况"),
    "3": ("Fitness and selection", "先进性、适用性与选型"),
    "4": ("Accessories, software and yearly running cost", "附件、软件及每年运行维护费"),
    "5": ("Operators", "管理与技术人员"),
    "6": ("Site", "安装条件"),
    "7": ("Sharing", "共享方案"),
    "8": ("Benefit and risk", "效益预测与风险"),
    "9": ("Opinion of the experts and approval", "专家论证意见与审批"),
}

TEXT = {
    "title": ("Need and justification for training hardware", "训练设备购置论证表"),
    "how": (
        "Texts are those of the run named in the footer; what is marked “to be filled in” is for the applicant.",
        "正文为页脚所列运行的结果；标有“待填”的栏目由申购人填写。",
    ),
    "docx_note": (
        "Run {run}. Amounts are those of the workbook of the same run.", "运行编号 {run}，金额与同一运行的工作簿一致。",
    ),
    # 1
    "people": (
        "{people} train at the same time in a busy week; {jobs} kinds of work, about {runs} runs a year.",
        "高峰时 {people}同时训练；任务 {jobs} 类，每年约 {runs} 次训练。",
    ),
    "job": (
        "{workload}: {runs} runs a year, {hours} each, {people} at once; {evidence}.",
        "{workload}：每年 {runs} 次，每次 {hours}，{people}同时训练；{evidence}。",
    ),
    "job_nobody": (
        "{workload}: {runs} runs a year, {hours} each; {evidence}.",
        "{workload}：每年 {runs} 次，每次 {hours}；{evidence}。",
    ),
    "job_none": (
        "{workload}: {runs} runs a year are asked for; none of them can run on this configuration.",
        "{workload}：每年需 {runs} 次，本配置无法完成。",
    ),
    "hours": (
        "Machine-hours a year: cards held {held} card-hours, cards computing {busy} card-hours, hours in which "
        "somebody holds a card {wall}.",
        "年机时：占用 {held} 卡时，运行 {busy} 卡时，至少一张卡被占用的时间 {wall} 小时。",
    ),
    "hours_note": (
        "People are those who train at once, as the number of people was not stated; held hours are an estimate.",
        "人数未填写，按高峰同时训练人数计；占用机时为估算值。",
    ),
    "hours_stated": (
        "Held hours follow from {people} people and {week} hours a week each (estimate).",
        "占用机时按 {people} 人、每人每周 {week} 小时推算（估算值）。",
    ),
    "owned": ("At hand: {machines}.", "现有设备：{machines}。"),
    "owned_none": ("No machine at hand is registered.", "未登记现有设备。"),
    "keep_not": ("Why it does not do (option {letter}): {reason}", "不能满足的原因（方案 {letter}）：{reason}"),
    "keep_enough": ("The machines at hand do the work; nothing is bought.", "现有设备已能满足任务，本方案不购置设备。"),
    # 2
    "service": (
        "{name}: {price} per card-hour, {wait}; about {cost} a year for {busy} busy card-hours.",
        "{name}：每卡时 {price}，{wait}；按年运行 {busy} 卡时计，约 {cost}。",
    ),
    "wait": ("usual wait {hours}", "通常排队 {hours}"),
    "wait_unknown": ("usual wait not known", "排队时间未知"),
    "service_none": (
        "Rate and wait of the campus cluster were not stated.", "未填写校级计算平台的单价与排队情况。",
    ),
    "stays": ("The data has to stay: {where}.", "数据要求：{where}。"),
    "stays.campus": ("on campus", "不得出校"),
    "stays.lab": ("in the group", "不得出组"),
    # 3
    "chosen": ("Chosen: option {letter}, {name}: {configuration}.", "选定方案 {letter}“{name}”：{configuration}。"),
    "chosen_plain": ("Chosen: {configuration}.", "选定配置：{configuration}。"),
    "price": ("Purchase {amount} incl. tax.", "购置费（含税）{amount}。"),
    "price_untaxed": ("Purchase {amount}, no tax.", "购置费 {amount}（不计税）。"),
    "option": ("Option {letter}, {name}: {reason}", "方案 {letter} {name}：{reason}"),
    "options_few": (
        "Fewer than three options have a plan ({count}); the form asks for three.",
        "有可行配置的方案仅 {count} 个，论证要求不少于三个。",
    ),
    "domestic": ("Domestic equivalents: {names}; {reason}.", "国产同类：{names}；{reason}。"),
    "domestic_open": ("not chosen under the conditions stated", "在所列条件下未被选中"),
    "domestic_none": ("The catalog has no domestic equivalent.", "目录中无国产同类产品。"),
    "products": (
        "{count} products of the catalog meet the requirements on cards at once.",
        "目录中有 {count} 种产品同时满足显卡要求。",
    ),
    "products_lot": (
        "Lot {number}: {count} products of the catalog meet the requirements on cards at once.",
        "采购包 {number}：目录中有 {count} 种产品同时满足显卡要求。",
    ),
    # 4
    "parts": ("Beside the cards: {parts}.", "除显卡外包括：{parts}。"),
    "running": ("Running cost: {amount} a year on average.", "年均运行费 {amount}。"),
    "running_payer": ("Of the {years}-year total {payer}: {amount}.", "{years} 年总费用中，{payer}：{amount}。"),
    "total": ("Total over {years} years, nominal: {amount}.", "{years} 年总成本（名义值）：{amount}。"),
    # 5
    "staff": ("Upkeep takes about {hours} hours a year for all machines.", "全部设备日常管理每年约 {hours} 工时。"),
    "staff_none": ("No hours of upkeep were stated.", "未给出日常管理工时。"),
    # 6
    "place": ("Place: {place}.", "放置地点：{place}。"),
    "place.office": ("office", "办公室"),
    "place.lab": ("laboratory", "实验室"),
    "place.department_room": ("machine room of the department", "学院机房"),
    "place.machine_room": ("central machine room", "校级机房"),
    "power": (
        "{machine}: {watts} W at the wall under full load, heat {btu} BTU an hour.",
        "{machine}：满载市电功率 {watts} W，发热量 {btu} BTU/h。",
    ),
    "noise": ("Noise {noise} dBA.", "噪声 {noise} dBA。"),
    "rack": ("Height {units} U.", "机架高度 {units} U。"),
    "circuit": (
        "Sockets: {count} of {volts} V and {amps} A, {watts} W each in continuous use.",
        "供电：{volts} V、{amps} A 独立回路 {count} 路，每路持续功率不超过 {watts} W。",
    ),
    # 7
    "free": (
        "About {free} card-hours a year are free beside the group's own work; full cost of a card-hour {cost}.",
        "满足本组任务后每年约有 {free} 卡时可供共享；每卡时完全成本 {cost}。",
    ),
    # 8
    "model": (
        "Beside training, the machine runs language models up to {model} for answers only (estimate).",
        "训练之外，该设备可运行的最大语言模型为 {model}（仅推理，估算）。",
    ),
    "budget_left": (
        "Left of the budget for dearer offers: {amount} ({share}).", "预算余额可应对涨价：{amount}（{share}）。",
    ),
    "no_signs": ("No sign of a risk in supply, price or support.", "未见供货、价格和软件支持方面的风险提示。"),
    # blanks
    "blank.subjects": ("Subjects and projects served", "服务的学科与项目"),
    "blank.present": ("Use of the present machines, with evidence", "现有设备使用情况及依据"),
    "blank.campus_same": ("The same equipment on campus and its use", "校内同类设备及使用情况"),
    "blank.campus_rate": ("Campus cluster: rate and usual wait", "校级计算平台单价与排队情况"),
    "blank.campus_why": ("Why the campus cluster does not do", "校级计算平台不适用的原因"),
    "blank.software": ("Software that has to be bought", "需购置的软件"),
    "blank.running_fund": ("Source of the yearly running cost", "每年运行维护费来源"),
    "blank.operators": ("Names and training of the operators", "管理与技术人员姓名及资质"),
    "blank.room": ("Room, area, floor load", "房间、面积、承重"),
    "blank.cooling": ("Cooling, network, fire protection", "制冷、网络、消防条件"),
    "blank.sharing": ("Sharing inside and outside, with charges", "校内外共享与收费办法"),
    "blank.benefit": ("Expected results, training of people, services", "预期成果、人才培养与社会服务"),
    "blank.opinion": ("Opinion of the experts", "专家论证意见"),
    "blank.experts": ("Experts: name, position, signature", "专家姓名、职称、签名"),
    "blank.approval": ("Approval with date", "审批意见与日期"),
    "blank.conflict": (
        "Statement that nobody involved has an interest in a supplier", "参与人员与供应商无利益关系的声明",
    ),
}  # fmt: skip

RISKS = {
    "status": ("Supply: {items}.", "供货状态：{items}。"),
    "status_judged": (
        "Supply, judged and not stated by a seller: {items}.", "供货状态（判断，非供应商陈述）：{items}。",
    ),
    "stale": ("Prices out of date: {items}.", "价格已过期：{items}。"),
    "estimate": ("Prices that are estimates, get quotations: {items}.", "价格为估算，须取得书面报价：{items}。"),
    "used": ("Used goods, no warranty: {items}.", "二手货，无质保：{items}。"),
    "licence": (
        "The maker's driver is not licensed for data centres: {items}.", "厂商驱动许可不含数据中心使用：{items}。",
    ),
    "support": ("Current training frameworks no longer serve: {items}.", "现行训练框架已不支持：{items}。"),
    "no_quote": (
        "No written quotation: the machines are composed from parts.", "尚无书面报价：整机由部件组成，价格为估算。",
    ),
    "foreign": (
        "Prices in {currency} were converted at {rate} {own} per {currency}; a change of the rate changes the price.",
        "以 {currency} 计价的部件按 1 {currency} = {rate} {own} 换算，汇率变动会改变价格。",
    ),
}  # fmt: skip

COVER = {
    "title": ("Purchase of training hardware", "训练设备购置"),
    "nothing": ("Nothing is bought: there is no amount to approve.", "本方案不购置设备，无待批金额。"),
    "item": ("Title of the purchase", "项目（设备）名称"),
    "unit": ("Unit and group", "申购单位、课题组"),
    "proposer": ("Proposer, with contact", "申购人及联系方式"),
    "seconder": ("Seconder", "附议人"),
    "amount": ("Total, incl. tax ({currency})", "预算总额（含税，{currency}）"),
    "amount_untaxed": ("Total, no tax ({currency})", "预算总额（不计税，{currency}）"),
    "words": ("Total in words", "预算总额（大写）"),
    "machines": ("Machines", "数量（台）"),
    "unit_price": ("Price of one machine, incl. tax", "单价（含税）"),
    "configuration": ("Configuration", "配置"),
    "fund": ("Fund", "经费来源"),
    "fund_uses": ("{name}: {amount}, pays {uses}", "{name}：{amount}，可用于{uses}"),
    "fund_unlimited": ("{name}: no limit stated, pays {uses}", "{name}：未给出限额，可用于{uses}"),
    "use.equipment": ("equipment", "设备"),
    "use.services": ("services", "服务（机时）"),
    "use.consumables": ("consumables", "材料"),
    "account": ("Account number of the fund", "经费项目号"),
    "line": ("Budget line", "预算科目"),
    "spend_by": ("To be spent by", "经费使用截止日期"),
    "asset": ("Asset class (suggestion)", "资产类别（建议）"),
    "code": ("Item code of the institution", "品目编码"),
    "procedure": ("Suggested procedure", "采购方式（建议）"),
    "procedure_of": ("{rules}: {method}", "{rules}：{method}"),
    "documents": ("Documents needed", "所需材料"),
    "delivery": ("Delivery", "交货"),
    "warning": ("Please note", "提示"),
    "signatures": ("Signatures", "签批"),
    "role": ("Role", "签批方"),
    "name": ("Name", "姓名（签章）"),
    "date": ("Date", "日期"),
    "role.proposer": ("Proposer", "申购人"),
    "role.lab": ("Head of the laboratory", "实验室负责人"),
    "role.faculty": ("Faculty (seal)", "学院（盖章）"),
    "role.experts": ("Panel of experts", "论证专家组"),
    "role.assets": ("Asset office", "资产管理部门"),
    "role.finance": ("Finance office", "财务部门"),
    "role.it": ("IT office", "信息化部门"),
    "role.purchasing": ("Purchasing office", "采购部门"),
    "certify": (
        "I certify that the statements are true and that I have no interest in any of the suppliers.",
        "本人保证所填内容属实，且与供应商无利益关系。",
    ),
    "blanks": ("Fields left to fill in, all sheets", "全工作簿待填栏目数"),
    "blanks_of": ("{sheet}: {labels}", "{sheet}：{labels}"),
    "blanks_list": ("What is left to fill in", "待填栏目"),
    "rerun": (
        "Inputs changed since the optimisation: run again before signing.", "优化后输入已改动：请重新运行后再签批。",
    ),
}  # fmt: skip

NOTES = {
    "fill": ("to be filled in", "待填"),
    "col.label": ("Field", "栏目"),
    "col.content": ("Content", "内容"),
    "source_quoted": ("{text}", "原文：{text}"),
}

TEXTS: dict[str, dict[str, str]] = {
    **entries("form.heading.", HEADINGS),
    **entries("form.", TEXT),
    **entries("risk.sign.", RISKS),
    **entries("cover.", COVER),
    **entries("", NOTES),
}
