"""Words of the page on the twelve questions."""

from __future__ import annotations

WORDS = {
    "title": ("Twelve questions, one scenario", "12 个问题，生成情景"),
    "intro": (
        "Nothing has to be answered: what stays open takes the default shown, and “?” says that nobody knows. "
        "What you enter is kept. What follows from it stands at the end of the page.",
        "均可不填：留空取所示默认值，“?”表示不知道。所填内容自动保存，推导结果见页末。",
    ),
    "region": ("Region", "地区"),
    "region.CN": ("China", "中国"),
    "region.EU": ("European Union", "欧盟"),
    "region.US": ("United States", "美国"),
    "name": ("Name of the scenario", "情景名称"),
    "default_name": ("Our lab", "我们的课题组"),
    "question": ("{number}. {title}", "{number}. {title}"),
    "default": ("open: {default}", "留空：{default}"),
    "unknown": ("don't know", "不知道"),
    "amount": ("Amount", "金额"),
    "funds": ("Number of funds", "经费项数"),
    "trainings": ("Number of trainings", "训练任务数"),
    "machines": ("Kinds of machine you own", "现有设备种类数"),
    "training": ("Training {number}", "训练 {number}"),
    "what": ("Network: choose one or type its name", "网络：选择或直接输入名称"),
    "what.help": (
        "For example “HybridSN, Indian Pines”, “U-Net 512x512x200”, “SSFTT”.",
        "例如 “HybridSN, Indian Pines”、“U-Net 512x512x200”、“SSFTT”。",
    ),
    "people": ("People", "人数"),
    "batch": ("Batch", "批大小"),
    "tiles": ("Training tiles or samples", "训练图块（样本）数"),
    "must": ("Must be done", "必须完成"),
    "now": ("One run now", "现在一次训练"),
    "now.hours": ("Hours", "小时"),
    "now.card": ("On which card", "用什么显卡"),
    "now.memory_gib": ("Memory in use, GiB", "显存占用（GiB）"),
    "now.memory_from": ("Where it was read", "读数来源"),
    "runs_by": ("Runs by", "次数按"),
    "runs_by.papers": ("papers a year", "每年论文数"),
    "runs_by.runs_per_week": ("runs a week and person", "每人每周次数"),
    "runs_by.runs_per_year": ("runs a year", "每年总次数"),
    "count": ("How many", "数量"),
    "own": ("Machine {number}", "设备 {number}"),
    "yes": ("yes", "有"),
    "no": ("no", "无"),
    "follows": ("What follows", "推导结果"),
    "make": ("Work out the plan with these answers", "用以上回答生成情景并测算"),
    "clear": ("Empty the form", "清空"),
    "example": ("Fill with an example", "填入示例"),
    "wrong": ("Some answers cannot be used yet; they are marked above.", "有些回答暂不能使用，见上方标记。"),
    "made": ("The scenario “{name}” was made; see “Decision”.", "已生成情景“{name}”，见“方案”页。"),
    "all_steps": ("Every figure with the answer behind it", "每个数字及其对应的回答"),
}

TEXTS: dict[str, dict[str, str]] = {f"web.start.{k}": {"en": en, "zh": zh} for k, (en, zh) in WORDS.items()}
