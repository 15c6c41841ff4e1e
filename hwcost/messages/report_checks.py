"""Words of the workbook's checks, constants and run record."""

from __future__ import annotations

from hwcost.messages.report import entries

NOTES = {
    "constant.price_decimals": ("Decimals of a price", "价格小数位数"),
    "constant.watts_per_kw": ("Watts in a kilowatt", "每千瓦瓦数"),
    "constant.money_tolerance": ("Amounts are equal below a difference of", "金额相等的容差"),
    "constant.rule_tolerance": ("Relative tolerance of a rule", "条件的相对容差"),
    # checks
    "checks.how": (
        "Rules are the ones the plan was made under; values in purple were set by the optimisation and do not follow a "
        "change of inputs.",
        "各项条件即优化所用条件；紫色数值为优化结果，不随输入改变。",
    ),
    "checks.all": ("All checks", "核对结论"),
    "checks.changed": ("Inputs", "输入"),
    "checks.same": ("unchanged since the optimisation", "与优化时一致"),
    "checks.rerun": ("inputs changed since the optimisation: run again", "优化后输入已改动：请重新运行"),
    "checks.sums": ("Sums", "勾稽"),
    "checks.rules": ("Rules", "条件"),
    "checks.health": ("State of the workbook", "工作簿状态"),
    "checks.ok": ("OK", "满足"),
    "checks.not_ok": ("NOT OK", "不满足"),
    "checks.partly": ("partly left out", "部分未满足"),
    "checks.look": ("please look", "请查看"),
    "checks.hard": ("must hold", "硬性条件"),
    "checks.soft": ("as far as possible", "尽量满足"),
    "checks.must": ("must be done", "必须完成"),
    "checks.want": ("wanted", "次要任务"),
    "checks.all_partly": ("all rules hold; part of the work is left out", "条件均满足，部分任务未满足"),
    "checks.not_applicable": ("not applicable", "不适用"),
    "checks.on_cards": ("on {which} card(s)", "{which} 卡"),
    "checks.only_unchanged": ("while no input is changed", "输入未改动时适用"),
    "checks.job_size": ("jobs on {which} or more cards", "{which} 卡及以上任务"),
    "checks.year": ("year {first}", "第 {first} 年"),
    "checks.years": ("years {first} to {last}", "第 {first} 至 {last} 年"),
    "checks.circuit": ("circuit {which}", "第 {which} 路"),
    "checks.errors": ("Error values among the amounts", "金额中的错误值"),
    "checks.replaced": ("Characters that could not be stored and were replaced", "无法保存而被替换的字符数"),
    "sum.years": ("Sum of the years = total", "各年之和＝总计"),
    "sum.groups": ("Purchase + running cost + residual = total", "购置费＋运行费＋残值＝总计"),
    "sum.categories": ("Sum of the categories = total", "各类别之和＝总计"),
    "sum.payers": ("Sum of the payers = total", "各承担方之和＝总计"),
    "sum.budget": ("Budget sheet = purchase on the cost sheet", "配置与预算总计＝费用表购置费"),
    "sum.options": ("Chosen option on the options sheet = total", "方案比选中推荐方案＝总计"),
    "sum.engine": ("Total = total computed by the program", "总计＝程序计算的总计"),
    # record
    "record.run": ("Run", "运行编号"),
    "record.program": ("Program", "程序"),
    "record.scenario": ("Scenario", "情景"),
    "record.scenario_sha": ("Fingerprint of the scenario (SHA-256)", "情景指纹（SHA-256）"),
    "record.catalog_sha": ("Fingerprint of the catalog (SHA-256)", "目录指纹（SHA-256）"),
    "record.as_of": ("Prices as of", "价格基准日"),
    "record.written": ("Workbook written on", "文件生成日期"),
    "record.objective": ("Objective", "优化目标"),
    "record.status": ("State of the answer", "结果状态"),
    "record.gap": ("Largest gap to the bound", "与理论下限的最大差距"),
    "record.solver": ("Solver", "求解器"),
    "record.seconds": ("Seconds in the solver", "求解用时（秒）"),
    "record.candidates": ("Machines in the model / that can be built", "进入模型的机型数／可组装的机型数"),
    "record.sentences": ("The answer for these inputs", "按上述输入得出的结论"),
    "record.stages": ("Levels of the objective, in their order", "目标层次（按顺序）"),
    "record.left_out": ("Not considered", "未纳入比较"),
    "stage.proven": ("proven", "已证明"),
    "stage.best_found": ("best found, not proven", "目前最好，尚未证明"),
    "stage.infeasible": ("not possible", "不可行"),
    "stage.none": ("nothing found in time", "限时内未找到"),
}

TEXTS: dict[str, dict[str, str]] = entries("", NOTES)
