"""The answer in sentences. Figures come in as ready text; a Chinese sentence keeps within 60 characters."""

from __future__ import annotations

TEXTS: dict[str, dict[str, str]] = {
    "answer.lead": {"en": "Choose option {letter}: ", "zh": "建议采用方案 {letter}：购置 "},
    "answer.lead_plain": {"en": "Buy ", "zh": "建议购置 "},
    "answer.net": {"en": "{money} net", "zh": "{money}（不含税）"},
    "answer.gross": {"en": "{money} incl. tax", "zh": "{money}（含税）"},
    "answer.untaxed": {"en": "{money} (no tax)", "zh": "{money}（不计税）"},
    "answer.present": {"en": "{money} at present value", "zh": "{money}（现值）"},
    "tax.included": {"en": "incl. tax", "zh": "含税"},
    "tax.none": {"en": "no tax", "zh": "不计税"},
    "price.converted": {"en": "{amount} x {rate}", "zh": "{amount} × {rate}"},
    "price.converted_gross": {"en": "{amount} incl. tax x {rate}", "zh": "{amount}（含税）× {rate}"},
    "answer.buy_in_budget": {
        "en": "{lead}{configuration} for {price}. It is within the {budget} budget and serves {people} at once.",
        "zh": "{lead}{configuration}，{price}，在 {budget}预算内，可供 {people}同时训练。",
    },
    "answer.buy": {
        "en": "{lead}{configuration} for {price}. It serves {people} at once.",
        "zh": "{lead}{configuration}，{price}，可供 {people}同时训练。",
    },
    "answer.cheapest": {
        "en": "Option {letter} does all the work and costs {total} over {years} years, the lowest of all options "
        "that do.",
        "zh": "方案 {letter} 已能满足全部任务，{years} 年总成本 {total}，为能满足全部任务的方案中最低。",
    },
    # the smallest purchase that is enough, and what the rest of a fixed budget buys
    "answer.enough": {
        "en": "The work itself needs only {need}: {configuration}, for {people} at once.",
        "zh": "任务本身只需 {need}：{configuration}，可供 {people}同时训练。",
    },
    "answer.enough_must": {
        "en": "The work that must be done needs only {need}: {configuration}, for {people} at once.",
        "zh": "必须完成的任务只需 {need}：{configuration}，可供 {people}同时训练。",
    },
    "answer.enough_owned": {
        "en": "The work itself needs no purchase: the machines you have serve {people} at once.",
        "zh": "任务本身无需购置：现有设备可供 {people}同时训练。",
    },
    "answer.enough_owned_must": {
        "en": "The work that must be done needs no purchase: the machines you have serve {people} at once.",
        "zh": "必须完成的任务无需购置：现有设备可供 {people}同时训练。",
    },
    "answer.rest_cards": {
        "en": "If the full {budget} must be used, the choice above adds most computing capacity: "
        "{cards} instead of {need_cards}.",
        "zh": "若须用足 {budget}，上述配置增加的算力最多：由 {need_cards} 张卡增至 {cards}。",
    },
    "answer.rest": {
        "en": "If the full {budget} must be used, the choice above adds most computing capacity.",
        "zh": "若须用足 {budget}，上述配置增加的算力最多。",
    },
    "answer.rest_wants": {
        "en": "If the full {budget} must be used, the choice above also does most of the other work.",
        "zh": "若须用足 {budget}，上述配置完成的其他任务最多。",
    },
    # how much of the cards' time the jobs take
    "answer.use": {
        "en": "These jobs take about {hours} card-hours a year, {share} of what the cards could give "
        "(busy hours only).",
        "zh": "任务每年约需运行 {hours} 卡时，占显卡可用机时的 {share}（仅计运行，不计占用）。",
    },
    "answer.use_people": {
        "en": "These jobs take about {hours} card-hours a year, {share} of what the cards could give "
        "(busy hours only); the number of cards follows from {people} at once.",
        "zh": "任务每年约需运行 {hours} 卡时，占显卡可用机时的 {share}（不计占用）；卡数取决于 {people}同时训练。",
    },
    "answer.use_free": {
        "en": "These jobs take about {hours} card-hours a year, {share} of what the cards could give "
        "(busy hours only); cards that stay free in the busiest week: {free} of {cards}.",
        "zh": "任务每年约需运行 {hours} 卡时，占显卡可用机时的 {share}（不计占用）；"
        "最忙时 {cards} 张卡中仍空闲 {free} 张。",
    },
    "answer.near_tie": {
        "en": "Options {letter} and {other} differ by {difference} ({share}) over {years} years, "
        "within the error of the estimate; decide by delivery and warranty.",
        "zh": "方案 {letter} 与方案 {other} {years} 年总成本仅差 {difference}（{share}），"
        "在估算误差之内，可按供货和质保条件取舍。",
    },
    "answer.short": {
        "en": "{budget} covers {share} of the work that must be done. Left out: {workload}.",
        "zh": "{budget}可完成 {share} 的必须任务；缺口为 {workload}。",
    },
    "answer.short_no_budget": {
        "en": "The plan covers {share} of the work that must be done. Left out: {workload}.",
        "zh": "该方案可完成 {share} 的必须任务；缺口为 {workload}。",
    },
    "answer.short_people": {
        "en": "Only {people} of the {wanted} people can train at once in a busy week; the others wait.",
        "zh": "高峰期 {wanted} 人中仅 {people} 人可同时训练，其余须排队。",
    },
    "answer.short_want": {
        "en": "Less urgent work that is partly left out: {workload}.",
        "zh": "次要任务中部分未满足的有：{workload}。",
    },
    "answer.keep": {
        "en": "The machines you have are enough: {configuration}. Buy nothing now; "
        "review when the work exceeds {hours} card-hours a year (now about {used}).",
        "zh": "现有设备已能满足需求（{configuration}），建议暂不购置，"
        "年用量（现约 {used} 卡时）超过 {hours} 卡时后再议。",
    },
    "answer.keep_service": {
        "en": "Keep what you have ({configuration}) and buy nothing now; use {services}. Review when the work exceeds "
        "{hours} card-hours a year (now about {used}).",
        "zh": "保留现有设备（{configuration}），暂不购置，另用{services}；"
        "年用量（现约 {used} 卡时）超过 {hours} 卡时后再议。",
    },
    "answer.only_service": {
        "en": "Buy nothing; use {services}.",
        "zh": "建议暂不购置，使用{services}。",
    },
    "answer.service": {"en": "Beside it, use {services}.", "zh": "另使用{services}。"},
    "answer.upgrade": {
        "en": "{lead}{configuration} for {price}: no new machine is needed.",
        "zh": "{lead}{configuration}，{price}，无须新购整机。",
    },
    "answer.review": {
        "en": "Review when the work exceeds {hours} card-hours a year (now about {used}).",
        "zh": "年用量（现约 {used} 卡时）超过 {hours} 卡时后再议。",
    },
    "service.use": {
        "en": "{service} for {workload} (about {hours} card-hours and {amount} a year)",
        "zh": "{service}（承担“{workload}”，每年约 {hours} 卡时、{amount}）",
    },
    "answer.lead_upgrade": {"en": "Choose option {letter}: ", "zh": "建议采用方案 {letter}："},
    "answer.lead_upgrade_plain": {"en": "Upgrade what you have: ", "zh": "建议升级现有设备："},
    "answer.keep_short": {
        "en": "Nothing worth buying was found within the conditions.",
        "zh": "在现有条件下没有值得购置的机型。",
    },
    "answer.single_large": {
        "en": "{count} of the {all} jobs need more than {limit} on one card (up to {need}, including the {margin} "
        "reserve); data parallel does not pool memory, so choose single cards of {memory}.",
        "zh": "{all} 项任务中有 {count} 项单卡需超过 {limit}（最多 {need}，含 {margin} 预留），"
        "多卡并行不能合并显存，故选单卡 {memory}。",
    },
    "answer.many_cards": {
        "en": "The jobs are small and the people many: the number of cards matters more than the speed of one. "
        "Choose {cards} for {people} at once.",
        "zh": "任务小、人数多，卡数比单卡性能重要，故按 {people}同时训练选 {cards}。",
    },
    "answer.many_cards_more": {
        "en": "The jobs are small and the people many: the number of cards matters more than the speed of one. "
        "{people} at once use {cards}; more cards only shorten the queue.",
        "zh": "任务小、人数多，卡数比单卡性能重要；{people}同时训练用 {cards}，再多只缩短排队。",
    },
    "answer.parallel_no": {
        "en": "Do not run one model on {cards} cards: at best it is {speedup} times faster ({workload}), and gradient "
        "accumulation gives the same batch on one card.",
        "zh": "单个模型不必多卡并行：{cards} 卡最多快 {speedup} 倍（{workload}），用梯度累积可在单卡得到同样的批大小。",
    },
    "answer.parallel_separate": {
        "en": "{cards} cards would run {workload} {speedup} times as fast, but people run their own jobs: "
        "one run per card uses the cards best.",
        "zh": "{workload} 用 {cards} 卡约快 {speedup} 倍；但各人各跑各的，每卡一个任务利用率最高。",
    },
    "answer.parallel_used": {
        "en": "{workload} runs on {cards} cards at once, {speedup} times as fast as on one.",
        "zh": "{workload} 采用 {cards} 卡并行，约为单卡的 {speedup} 倍。",
    },
    "answer.infeasible": {
        "en": "No option meets all the conditions. They contradict each other: {rules}.",
        "zh": "在现有条件下没有可行方案，相互矛盾的条件是：{rules}。",
    },
    "answer.infeasible_plain": {"en": "No option meets all the conditions.", "zh": "在现有条件下没有可行方案。"},
    "answer.none_found": {
        "en": "No plan was found in the time allowed; that does not mean that there is none. Allow more time.",
        "zh": "在限定时间内未找到方案，但并不说明没有可行方案；请放宽求解时间。",
    },
    "answer.estimate": {
        "en": "The answer rests on an estimated price of {items}. Get a written quotation first.",
        "zh": "结论取决于 {items}的估算价格，请先取得书面报价。",
    },
    "answer.no_quote": {
        "en": "The prices are composed of parts and not quoted as a whole machine. Get written quotations first.",
        "zh": "价格按部件合成，尚无整机书面报价，请先取得报价。",
    },
    "answer.stale": {
        "en": "Out-of-date prices: {items}. Ask for them again.",
        "zh": "报价已过期：{items}，请重新询价。",
    },
    "answer.data_bound": {
        "en": "{workload}: {bound} sets the pace, not the card; more memory or a faster disk helps first.",
        "zh": "{workload}：瓶颈在{bound}，而非显卡；应先增加内存或换用更快的硬盘。",
    },
    "answer.not_proven": {
        "en": "Best found in the time allowed: {total} over {years} years, up to {gap} above the lower bound; "
        "not proven to be the best.",
        "zh": "已在限定时间内找到 {years} 年总成本 {total} 的方案，与理论下限相差至多 {gap}，尚未证明最优。",
    },
    "answer.not_proven_level": {
        "en": "Best found in the time allowed: {total} over {years} years; not proven to be the best: "
        "{level} is up to {gap} from its bound.",
        "zh": "已在限定时间内找到 {years} 年总成本 {total} 的方案，{level}与理论界限相差至多 {gap}，尚未证明最优。",
    },
    "answer.not_proven_plain": {
        "en": "Best found in the time allowed: {total} over {years} years; not proven to be the best.",
        "zh": "已在限定时间内找到 {years} 年总成本 {total} 的方案，尚未证明最优。",
    },
    "basis.rates": {
        "en": "Exchange rates are planning values, an estimate: {rates}.",
        "zh": "汇率为计划取值（估算）：{rates}。",
    },
    "basis.supply": {
        "en": "Supply of {items} is judged; confirm with the seller.",
        "zh": "{items}能否供货为判断，请向供应商确认。",
    },
    "answer.and_more": {"en": "{items} and {count} more", "zh": "{items}等 {count} 项"},
    # a set of rules that cannot hold together, and the cheapest single change of each
    "conflict.rule": {"en": "{rule}", "zh": "{rule}"},
    "conflict.rule_of": {"en": "{rule} of {workload}", "zh": "{workload}的{rule}"},
    "conflict.unproven": {
        "en": "The set may not be the smallest: a check ended without proof.",
        "zh": "该组条件未必最少：有一次检验未得到证明。",
    },
    "repair.budget": {
        "en": "Raise the purchase budget by {more} (to {to}) and all the work is covered.",
        "zh": "购置预算增加 {more}（至 {to}），即可满足全部任务。",
    },
    "repair.people_at_once": {
        "en": "Let {to} instead of {from_} people run {workload} at once.",
        "zh": "“{workload}”同时训练人数由 {from_} 人减为 {to} 人。",
    },
    "repair.people": {
        "en": "Let {to} instead of {from_} people train at once in a busy week; the others wait.",
        "zh": "高峰期同时训练人数由 {from_} 人减为 {to} 人，其余排队。",
    },
    "repair.deadline": {
        "en": "Allow {to} instead of {from_} for one run of {workload}.",
        "zh": "“{workload}”单次训练时限由 {from_} 放宽至 {to}。",
    },
    "repair.circuit": {
        "en": "Fit a circuit of {to} A instead of {from_} A.",
        "zh": "供电回路由 {from_} A 改为 {to} A。",
    },
    "repair.max_nodes": {
        "en": "Allow {to} machines instead of {from_}.",
        "zh": "整机台数上限由 {from_} 台放宽至 {to} 台。",
    },
    "repair.distinct_builds": {
        "en": "Allow more kinds of machines.",
        "zh": "放宽机型数量的限制。",
    },
    "repair.noise": {"en": "Give up the noise limit.", "zh": "取消噪声限制。"},
    "repair.ecc": {
        "en": "Make ECC memory a preference for {workload}.",
        "zh": "将“{workload}”的纠错显存要求改为“优先”。",
    },
    "repair.demand": {
        "en": "Leave out {workload} ({people} at once, {runs} runs a year).",
        "zh": "放弃“{workload}”（{people}同时训练，每年 {runs} 次）。",
    },
    "repair.cost": {
        "en": "{change} Then the plan costs {total} over {years} years, {capex} of it to buy.",
        "zh": "{change}届时 {years} 年总成本 {total}，其中购置 {capex}。",
    },
    "repair.cost_machines": {
        "en": "{change} Then the plan costs {total} over {years} years, {capex} of it to buy: {configuration}, "
        "for {people} at once.",
        "zh": "{change}届时 {years} 年总成本 {total}，其中购置 {capex}：{configuration}，可供 {people}同时训练。",
    },
    "repair.none": {
        "en": "No single change of one rule is enough; at least two are needed together.",
        "zh": "仅调整一项条件不足以解决，至少须同时调整两项。",
    },
}
