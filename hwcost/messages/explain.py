"""Words of why-not, switching prices, the frontier, sensitivities and sweeps. Figures come in as ready text."""

from __future__ import annotations

TEXTS: dict[str, dict[str, str]] = {
    # help of the commands
    "cli.help.explain": {
        "en": "what is in conflict and what repairs it; with --option, why a choice is not taken",
        "zh": "说明哪些条件相互矛盾、如何调整；用 --option 说明为何未选某方案",
    },
    "cli.help.frontier": {"en": "what more or less money buys", "zh": "预算增减各能换来什么"},
    "cli.help.switch-price": {
        "en": "the price at which the recommendation changes, and break-even hours against campus and rent",
        "zh": "推荐方案改变的临界价格，以及与校级平台、租用的盈亏平衡机时",
    },
    "cli.help.sensitivity": {"en": "which assumptions move the answer most", "zh": "哪些假设对结论影响最大"},
    "cli.help.sweep": {
        "en": "how often each option wins over price, demand and tariff scenarios, and its worst regret",
        "zh": "在价格、任务量、电价多种情形下各方案胜出的频次与最大遗憾值",
    },
    "cli.help.explained_option": {
        "en": "option (letter or name), card, machine or system to ask about",
        "zh": "要询问的方案（字母或名称）、显卡、机型或整机",
    },
    "cli.help.workers": {
        "en": "processes to use (default: one for each processor)",
        "zh": "并行进程数（默认：与处理器数相同）",
    },
    "cli.help.dask": {"en": "address of a Dask cluster to use instead", "zh": "改用 Dask 集群，填其地址"},
    "cli.help.items": {
        "en": "only these options, cards or other items, with all quantities over a grid of prices",
        "zh": "只计算指定的方案或货品，并列出各价位下的购置数量",
    },
    "cli.help.shares": {
        "en": "shares of the budget to try, e.g. 0.8 1 1.2",
        "zh": "要试算的预算倍数，如 0.8 1 1.2",
    },
    "cli.help.draws": {
        "en": "random draws within the error bands (default: 24)",
        "zh": "误差带内的随机抽样次数（默认 24）",
    },
    "cli.help.seed": {"en": "seed of the draws (default: 1)", "zh": "抽样种子（默认 1）"},
    "cli.help.listed_prices": {"en": "factors on all prices (default: 0.9 1 1.1)", "zh": "价格倍数（默认 0.9 1 1.1）"},
    "cli.help.listed_demand": {"en": "factors on the work (default: 0.7 1 1.5)", "zh": "任务量倍数（默认 0.7 1 1.5）"},
    "cli.help.listed_tariff": {"en": "factors on the tariff (default: 1 1.5)", "zh": "电价倍数（默认 1 1.5）"},
    "cli.progress_done": {"en": "{what}: {done} of {count}", "zh": "{what}：{done}/{count}"},
    "cli.progress_switching": {"en": "switching prices", "zh": "临界价格"},
    "cli.progress_frontier": {"en": "budgets", "zh": "预算"},
    "cli.progress_sensitivity": {"en": "assumptions", "zh": "假设"},
    "cli.progress_sweep": {"en": "scenarios", "zh": "情形"},
    "cli.progress_whynot": {"en": "forced choice", "zh": "强制选用"},
    "cli.stopped": {
        "en": "Stopped early: {done} of {count} are done and shown.",
        "zh": "已提前停止：完成 {done}/{count}，以下为已完成部分。",
    },
    "problem.option_unknown": {
        "en": "nothing is called “{value}”; name an option by letter or name, a card, a machine or a system "
        "('hwcost compare' lists the options)",
        "zh": "没有名为“{value}”的方案或货品；请填方案字母或名称、显卡、机型或整机（“hwcost compare”列出各方案）",
    },
    # headings
    "cli.heading.switching": {
        "en": "Switching prices (of one item; for an option, of one of its machines)",
        "zh": "临界价格（单件价格；方案为其单台主机价格）",
    },
    "cli.heading.breakeven": {
        "en": "Owning against campus and rent (card-hours a year)",
        "zh": "自购与校级平台、租用比较（卡时/年）",
    },
    "cli.heading.frontier": {"en": "What the money buys", "zh": "各档预算的配置"},
    "cli.heading.gains": {"en": "What more money adds", "zh": "追加预算的作用"},
    "cli.heading.difference": {
        "en": "Difference by cost line ({currency}, {years} years, present value)",
        "zh": "各费用项差额（{currency}，{years} 年，现值）",
    },
    "cli.heading.whynot_one": {"en": "Why not {what}", "zh": "为何未选{what}"},
    "cli.heading.quantities": {"en": "How many are bought at which price", "zh": "各价位下的购置数量"},
    "cli.heading.tornado": {"en": "Assumptions by effect on the total", "zh": "各假设对总成本的影响"},
    "cli.heading.near_ties": {"en": "Near ties", "zh": "相近方案"},
    "cli.heading.wins": {"en": "How often each plan wins", "zh": "各方案胜出频次"},
    # columns
    "cli.column.what": {"en": "what", "zh": "对象"},
    "cli.column.now": {"en": "now", "zh": "现价"},
    "cli.column.switch": {"en": "switching price", "zh": "临界价格"},
    "cli.column.headroom": {"en": "headroom", "zh": "价格余量"},
    "cli.column.budget": {"en": "budget", "zh": "预算"},
    "cli.column.spent": {"en": "spent", "zh": "实际支出"},
    "cli.column.runs_year": {"en": "runs a year", "zh": "年任务量"},
    "cli.column.largest_card": {"en": "largest card", "zh": "最大单卡显存"},
    "cli.column.buys": {"en": "buys", "zh": "配置"},
    "cli.column.best": {"en": "best plan", "zh": "推荐方案"},
    "cli.column.forced": {"en": "with it", "zh": "选用后"},
    "cli.column.difference": {"en": "difference", "zh": "差额"},
    "cli.column.hours_needed": {"en": "needed", "zh": "所需"},
    "cli.column.hours_even": {"en": "owning pays above", "zh": "自购合算的下限"},
    "cli.column.per_hour": {"en": "per card-hour", "zh": "每卡时"},
    "cli.column.assumption": {"en": "assumption", "zh": "假设"},
    "cli.column.range": {"en": "range", "zh": "范围"},
    "cli.column.low": {"en": "at the low end", "zh": "取低值"},
    "cli.column.high": {"en": "at the high end", "zh": "取高值"},
    "cli.column.range_source": {"en": "range from", "zh": "范围依据"},
    "cli.column.wins": {"en": "wins", "zh": "胜出"},
    "cli.column.infeasible": {"en": "does not do the work", "zh": "无法完成任务"},
    "cli.column.worst_regret": {"en": "worst regret", "zh": "最大遗憾值"},
    "cli.column.mean_regret": {"en": "mean regret", "zh": "平均遗憾值"},
    # switching prices
    "switch.value": {
        "en": "{name} now costs {now}; above {price} ({headroom} more) {instead} is better.",
        "zh": "{name}现价 {now}；高于 {price}（上涨 {headroom}）时应改选{instead}。",
    },
    "switch.value_none": {
        "en": "{name} now costs {now}; above {price} ({headroom} more) no plan meets the conditions.",
        "zh": "{name}现价 {now}；高于 {price}（上涨 {headroom}）时没有可行方案。",
    },
    "switch.value_out": {
        "en": "{name} now costs {now}; it enters the best plan below {price} ({headroom} less).",
        "zh": "{name}现价 {now}；低于 {price}（下降 {headroom}）时才进入推荐方案。",
    },
    "switch.tie": {
        "en": "{name} costs {now}, and the best plan without it is as good: any higher price drives it out.",
        "zh": "{name}现价 {now}，不选它的方案与推荐方案相当，价格再高即应改选。",
    },
    "switch.unaffordable": {
        "en": "{name} now costs {now}; above {price} ({headroom} more) the budget no longer pays for it.",
        "zh": "{name}现价 {now}；高于 {price}（上涨 {headroom}）时预算已不足以购置。",
    },
    "switch.unaffordable_out": {
        "en": "{name} now costs {now}; the budget pays for it, and it is best, below {price} ({headroom} less).",
        "zh": "{name}现价 {now}；低于 {price}（下降 {headroom}）时预算才够，且为最优。",
    },
    "switch.never_leaves": {
        "en": "{name} stays at any price: no plan without it does as much.",
        "zh": "{name}无论价格多高都应保留：缺少它的方案都做不到同样多。",
    },
    "switch.not_even_free": {
        "en": "{name} would not be in the best plan even if it cost nothing.",
        "zh": "{name}即使不要钱也不会进入推荐方案。",
    },
    "switch.unproven": {
        "en": "The switching price of {name} is not proven in the time allowed.",
        "zh": "{name}的临界价格未能在限定时间内证明。",
    },
    "switch.no_plan": {"en": "no plan", "zh": "无可行方案"},
    "switch.interval": {
        "en": "from {low} to {high}: {quantity}",
        "zh": "{low} 至 {high}：{quantity}",
    },
    "breakeven.pays": {
        "en": "Against {service} at {rate} per card-hour, buying pays above {threshold} card-hours a year; "
        "you need about {needed}.",
        "zh": "与{service}（每卡时 {rate}）相比，年用量超过 {threshold} 卡时购置才合算；现约需 {needed} 卡时。",
    },
    "breakeven.never": {
        "en": "Against {service} at {rate} per card-hour, buying never pays: the electricity alone costs as much. "
        "You need about {needed} card-hours a year.",
        "zh": "与{service}（每卡时 {rate}）相比，购置始终不合算，仅电费已不低于租费；现年需约 {needed} 卡时。",
    },
    "breakeven.partly": {
        "en": "{service} cannot run {workload}.",
        "zh": "{service}无法运行{workload}。",
    },
    "breakeven.late": {
        "en": "{workload} would end later there than wanted.",
        "zh": "{workload}在该平台不能按时完成。",
    },
    "breakeven.wait_unknown": {
        "en": "The queue there is not stated and not counted: ask for the usual wait.",
        "zh": "排队时间未说明，未计入，请先询问。",
    },
    # frontier
    "frontier.none": {
        "en": "Nothing is bought and no budget is stated: there is no frontier.",
        "zh": "未购置且未设预算，无需比较各档预算。",
    },
    "frontier.gain": {"en": "{more} more ({to}) buys {what}.", "zh": "预算增加 {more}（至 {to}），可{what}。"},
    "frontier.nothing": {
        "en": "{more} more ({to}) improves nothing.",
        "zh": "预算增加 {more}（至 {to}），无明显改善。",
    },
    "frontier.people": {"en": "{people} more at once", "zh": "多供 {people}同时训练"},
    "frontier.runs": {"en": "{count} more runs a year", "zh": "每年多完成 {count} 次任务"},
    "frontier.cards": {"en": "{cards} more", "zh": "增加 {cards}"},
    "frontier.capacity": {"en": "{share} more computing capacity", "zh": "增加 {share} 有效算力"},
    "frontier.memory": {"en": "a card of {memory}", "zh": "用上 {memory} 显存的卡"},
    "frontier.batch": {
        "en": "batches of {batch} instead of {before} for {workload}",
        "zh": "将“{workload}”的单卡批大小由 {before} 提高到 {batch}",
    },
    "frontier.cost": {"en": "a total that is {amount} lower", "zh": "使总成本降低 {amount}"},
    # why not
    "why.chosen": {
        "en": "{name} is in the best plan: {configuration}.",
        "zh": "{name}已在推荐方案中：{configuration}。",
    },
    "why.tie": {
        "en": "A plan with {name} ({configuration}) serves and costs the same as the best plan.",
        "zh": "选用{name}的方案（{configuration}）与推荐方案能力和费用相当。",
    },
    "why.cost": {
        "en": "The best plan with {name} ({configuration}) costs {more} more over {years} years; {line} differ most "
        "({amount}).",
        "zh": "选用{name}的最好方案（{configuration}）{years} 年总成本高 {more}，差额最大的是{line}（{amount}）。",
    },
    "why.level": {
        "en": "The best plan with {name} ({configuration}) is worse in {level}: {own} against {other}.",
        "zh": "选用{name}的最好方案（{configuration}）在“{level}”上较差：{own}，推荐方案为 {other}。",
    },
    "why.rule": {
        "en": "The condition that decides is {rule}: without it {share} of the difference would go.",
        "zh": "起决定作用的条件是“{rule}”：取消后差距可缩小 {share}。",
    },
    "why.rule_impossible": {
        "en": "The condition that stands in its way is {rule}.",
        "zh": "妨碍选用的条件是“{rule}”。",
    },
    "why.own": {
        "en": "No single condition explains it: the difference is its own cost and speed.",
        "zh": "并非某一条件所致，差距来自其自身的费用与速度。",
    },
    "why.beaten": {
        "en": "{beaten} is beaten in every respect by {by}.",
        "zh": "{beaten}在各方面均不优于{by}。",
    },
    "why.impossible": {
        "en": "No plan with {name} meets the conditions.",
        "zh": "在现有条件下，没有选用{name}的可行方案。",
    },
    "why.not_considered": {"en": "{name} is not considered: {reason}", "zh": "{name}未纳入比较：{reason}"},
    "why.no_machine": {"en": "No machine can be made with {name}: {reason}", "zh": "没有可装{name}的机型：{reason}"},
    "why.no_machine_plain": {"en": "No machine can be made with {name}.", "zh": "没有可装{name}的机型。"},
    "why.unproven": {"en": "The comparison is not proven.", "zh": "比较结果尚未证明。"},
    "why.missing": {"en": "{share} left out (weighted by priority)", "zh": "未完成 {share}（按优先级加权）"},
    "why.thousand_hours": {"en": "{hours} thousand card-hours a year", "zh": "每年 {hours} 千卡时"},
    "explain.option": {"en": "option {letter} ({name})", "zh": "方案 {letter}（{name}）"},
    "explain.all_met": {
        "en": "Everything that must be done can be done: nothing is in conflict.",
        "zh": "必须完成的任务均可完成，条件之间没有矛盾。",
    },
    # sensitivity
    "sensitivity.price": {"en": "price of {item}", "zh": "“{item}”价格"},
    "sensitivity.tariff": {"en": "electricity tariff", "zh": "电价"},
    "sensitivity.demand": {"en": "runs a year", "zh": "年任务量"},
    "sensitivity.hours": {"en": "predicted run times", "zh": "预测训练时长"},
    "sensitivity.pue": {"en": "PUE", "zh": "电能使用效率（PUE）"},
    "sensitivity.on_hours_per_year": {"en": "hours switched on a year", "zh": "年开机小时数"},
    "sensitivity.maintenance_rate": {"en": "maintenance after the warranty", "zh": "保修期后维护费率"},
    "sensitivity.failure_rate": {"en": "failures of cards", "zh": "显卡故障率"},
    "sensitivity.staff_hours_per_node_year": {"en": "upkeep hours of a machine", "zh": "每台年管理工时"},
    "sensitivity.staff_wage_per_hour": {"en": "wage per hour", "zh": "人工小时单价"},
    "sensitivity.staff_setup_hours_per_node": {"en": "set-up hours of a machine", "zh": "每台安装调试工时"},
    "sensitivity.hosting_per_node_year": {"en": "hosting of a machine", "zh": "每台年托管费"},
    "sensitivity.residual_share": {"en": "residual value", "zh": "残值率"},
    "sensitivity.discount_rate": {"en": "discount rate", "zh": "折现率"},
    "rangesource.price_band": {
        "en": "kind of price ({kind}), program's assumption",
        "zh": "按价格类别（{kind}），程序设定",
    },
    "rangesource.kind_band": {
        "en": "kind of figure ({kind}), program's assumption",
        "zh": "按数据类别（{kind}），程序设定",
    },
    "rangesource.stated_range": {"en": "usual values, program's assumption", "zh": "常见取值，程序设定"},
    "rangesource.sweep_band": {"en": "program's assumption", "zh": "程序设定"},
    "rangesource.prediction_error": {"en": "error band of the predictions", "zh": "预测误差带"},
    "sensitivity.switch": {
        "en": "Another purchase becomes best if these change within their range: {items}.",
        "zh": "下列假设在其范围内变动时应改选其他配置：{items}。",
    },
    "sensitivity.stays": {
        "en": "The same purchase stays best over the range of every single assumption.",
        "zh": "任一假设在其范围内单独变动，推荐配置均不变。",
    },
    "sensitivity.mark": {"en": "changes the purchase", "zh": "配置改变"},
    "neartie.cost": {
        "en": "Option {letter} ({name}) costs only {difference} more ({margin}).",
        "zh": "方案 {letter}（{name}）总成本仅高 {difference}（{margin}）。",
    },
    "neartie.capacity": {
        "en": "Option {letter} ({name}) has only {margin} less computing capacity.",
        "zh": "方案 {letter}（{name}）有效算力仅少 {margin}。",
    },
    "neartie.none": {
        "en": "No other option comes within {within}.",
        "zh": "其他方案的差距均超过 {within}。",
    },
    # sweep
    "sweep.states": {
        "en": "{count} states: {listed} listed, {draws} drawn (seed {seed}); the same for all. {proven} proven.",
        "zh": "共 {count} 种情形：列举 {listed} 种，抽样 {draws} 种（种子 {seed}），各方案相同；其中 {proven} 已证明。",
    },
    "sweep.wins": {
        "en": "Option {letter} ({name}) costs least in {wins} of {count} states; at worst it costs {regret} more than "
        "the best option.",
        "zh": "方案 {letter}（{name}）在 {count} 种情形中有 {wins} 种总成本最低；最坏时比最好的方案高 {regret}。",
    },
    "sweep.never": {
        "en": "Option {letter} ({name}) does not do all the work in any of the {count} states.",
        "zh": "方案 {letter}（{name}）在全部 {count} 种情形中均无法完成任务。",
    },
    "sweep.partly": {
        "en": "In {count} states it does not do all the work; they are not in the regret.",
        "zh": "其中 {count} 种情形无法完成任务，不计入遗憾值。",
    },
    "sweep.basis": {
        "en": "Purchases at the start are fixed, all else is decided anew; cost over {years} years at present value. "
        "A combination of machines takes no part.",
        "zh": "首次购置固定，其余重新优化；按 {years} 年总成本（现值）比较。组合方案不参与。",
    },
    "sweep.none": {"en": "No option has a plan: nothing to compare.", "zh": "没有可比较的方案。"},
}
