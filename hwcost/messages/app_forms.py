"""Words of the app's forms: repairs by hand, who pays, money by year, options of the user's own, words of the frame."""

from __future__ import annotations

BY_HAND = {
    "budget": (
        "Which fund pays the difference is for you to say: raise its amount on the page Money, under Funds.",
        "差额由哪项经费承担须由课题组决定：请在“经费与机时”页的“经费来源”中调高相应金额。",
    ),
    "tiles": (
        "The time of {workload} rests on a run that was timed on the present tiles. Time one on tiles of {side} x "
        "{side} and read it in with `hwcost calibrate`, or enter it as the anchor of the job in the scenario file (take "
        "it from the page Report).",
        "“{workload}”的用时依据现有图块的实测。请按 {side}×{side} 图块重新实测一次，用 hwcost calibrate 读入，"
        "或在情景文件中改写该任务的实测项（“论证与导出”页可下载）。",
    ),
    "one_by_one": (
        "These two changes cannot be made by one press. Make the first on its page, and work the plan out again.",
        "两项调整无法一次完成：请先在相应页面修改第一项，再重新测算。",
    ),
    "file": (
        "This is edited in the scenario file: take it from the page Report, change it, and open it again on the left.",
        "此项须在情景文件中修改：请在“论证与导出”页下载，改后在左侧重新打开。",
    ),
}  # fmt: skip


def _entries(prefix: str, words: dict[str, tuple[str, str]]) -> dict[str, dict[str, str]]:
    return {f"{prefix}.{name}": {"en": en, "zh": zh} for name, (en, zh) in words.items()}


TEXTS: dict[str, dict[str, str]] = {**_entries("web.by_hand", BY_HAND)}
