"""Words that the web framework itself shows: menus of lists and tables, uploads, the main menu, lost connections.

The English is the framework's own, letter for letter; where it says another word the page shows that one.
"""

from __future__ import annotations

LISTS = {
    "choose_option": ("Choose an option", "请选择"),
    "choose_options": ("Choose options", "请选择"),
    "choose_or_add": ("Choose or add an option", "请选择或填写"),
    "choose_or_add_some": ("Choose or add options", "请选择或填写"),
    "add_option": ("Add an option", "请填写"),
    "no_results": ("No results", "无匹配项"),
    "no_options": ("No options to select", "无可选项"),
    "no_options_here": ("No options to select.", "无可选项。"),
    "select_all": ("Select all", "全选"),
    "select_matches": ("Select {n} matches", "选取匹配的 {n} 项"),
    "add_typed": ("Add: {text}", "填入：{text}"),
    "clear_value": ("Clear value", "清除"),
    "clear_all": ("Clear all", "全部清除"),
    "remove": ("Remove {name}", "移除 {name}"),
    "open": ("Open", "展开"),
    "selected": ("Selected values", "已选"),
    "select_options": ("Selectbox options", "选项"),
    "multi_options": ("Multiselect options", "选项"),
    "dismiss": ("Dismiss", "关闭"),
    "one_available": ("1 option available.", "共 1 项。"),
    "available": ("{n} options available.", "共 {n} 项。"),
    "loading": ("Loading...", "正在载入……"),
}

NUMBERS = {
    "error_at_most": (
        "Error: Number is above the allowed range. Please enter a value less than or equal to {high}.",
        "数值超出允许范围，请填写不大于 {high} 的数。",
    ),
    "error_at_least": (
        "Error: Number is below the allowed range. Please enter a value greater than or equal to {low}.",
        "数值低于允许范围，请填写不小于 {low} 的数。",
    ),
    "error_between": (
        "Error: Number is outside the allowed range. Please enter a value between {low} and {high}.",
        "数值不在允许范围内，请填写 {low} 至 {high} 之间的数。",
    ),
    "more": ("Increment", "增加"),
    "less": ("Decrement", "减少"),
    "above": ("Number is above the allowed range.", "数值超出允许范围。"),
    "below": ("Number is below the allowed range.", "数值低于允许范围。"),
    "outside": ("Number is outside the allowed range.", "数值不在允许范围内。"),
    "at_most": (
        "Number is above the allowed range. Please enter a value less than or equal to {high}.",
        "数值超出允许范围，请填写不大于 {high} 的数。",
    ),
    "at_least": (
        "Number is below the allowed range. Please enter a value greater than or equal to {low}.",
        "数值低于允许范围，请填写不小于 {low} 的数。",
    ),
    "between": (
        "Number is outside the allowed range. Please enter a value between {low} and {high}.",
        "数值不在允许范围内，请填写 {low} 至 {high} 之间的数。",
    ),
    "invalid": ("Invalid input.", "输入无效。"),
}

TABLES = {
    "column_menu": ("Dataframe column menu", "列菜单"),
    "ascending": ("Sort ascending", "升序排列"),
    "descending": ("Sort descending", "降序排列"),
    "format": ("Format", "格式"),
    "autosize": ("Autosize", "自动列宽"),
    "pin": ("Pin column", "固定该列"),
    "unpin": ("Unpin column", "取消固定"),
    "hide": ("Hide column", "隐藏该列"),
    "statistics": ("Statistics", "统计"),
    "copy_name": ("Copy column name", "复制列名"),
    "columns": ("Show/hide columns", "显示或隐藏列"),
    "add_row": ("Add row", "增加行"),
    "delete_rows": ("Delete row(s)", "删除行"),
    "clear_selection": ("Clear selection", "取消选取"),
    "search": ("Search", "查找"),
    "close_search": ("Close Search", "关闭查找"),
    "previous": ("Previous Result", "上一处"),
    "next": ("Next Result", "下一处"),
    "csv": ("Download as CSV", "下载 CSV"),
    "png": ("Download as PNG", "下载 PNG"),
    "show_data": ("Show data", "查看数据"),
    "chart": ("Show chart", "查看图表"),
    "copy_chart": ("Copy Vega-Lite spec", "复制图表定义"),
    "fullscreen": ("Fullscreen", "全屏"),
    "close_fullscreen": ("Close fullscreen", "退出全屏"),
    "empty": ("No data", "无数据"),
    "nothing": ("No content", "无内容"),
    "values": ("Values", "取值"),
    "distinct": ("Distinct", "不同取值"),
    "blank": ("Empty", "空值"),
    "longest": ("Maximum length", "最大长度"),
    "shortest": ("Minimum length", "最小长度"),
    "average_length": ("Average length", "平均长度"),
    "automatic": ("Automatic", "自动"),
    "sampled": ("Based on sample", "按样本统计"),
}

UPLOADS = {
    "upload": ("Upload", "上传文件"),
    "browse": ("Browse files", "选择文件"),
    "drop": ("Drag and drop file here", "将文件拖放到此处"),
    "drop_one": ("Drag and drop a file here", "将文件拖放到此处"),
    "drop_some": ("Drag and drop files here", "将文件拖放到此处"),
    "file_upload": ("file upload", "上传文件"),
    "larger": ("File is larger than {size}", "文件超过 {size}"),
    "must_be": ("File must be {size} or smaller.", "文件不得超过 {size}。"),
    "limit": ("Limit {size} per file", "每个文件不超过 {size}"),
    "only_one": ("Only one file is allowed.", "只能上传一个文件。"),
    "failed": ("Upload failed", "上传失败"),
    "not_allowed": ("{kind} files are not allowed.", "不接受此类文件（{kind}）。"),
    "error": ("Error:", "错误："),
    "add_files": ("Add files", "添加文件"),
    "add_icon": ("add icon", "添加"),
    "each": ("{size} per file", "每个文件不超过 {size}"),
    "retry": ("Click to retry upload", "点击重新上传"),
    "cancel": ("Cancel upload of {name}", "取消上传 {name}"),
    "unexpected": ("Unexpected error. Please try again.", "意外错误，请重试。"),
}

FRAME = {
    "menu": ("Main menu", "主菜单"),
    "pages": ("App pages", "页面"),
    "sidebar": ("Sidebar", "侧栏"),
    "open_sidebar": ("Expand sidebar", "展开侧栏"),
    "close_sidebar": ("Collapse sidebar", "收起侧栏"),
    "skip": ("Skip to main content", "跳到正文"),
    "rerun": ("Rerun", "重新运行"),
    "stop": ("Stop", "停止"),
    "auto_rerun": ("Auto rerun", "自动重新运行"),
    "print": ("Print", "打印"),
    "record": ("Record a screencast", "录制屏幕"),
    "screen": ("Record screen", "录制屏幕"),
    "about": ("About", "关于"),
    "version": ("Made with Streamlit v", "基于 Streamlit v"),
    "copy_version": ("Copy version to clipboard", "复制版本号"),
    "chart": ("Vega visualization", "图表"),
    "help": ("Get help", "帮助"),
    "bug": ("Report a bug", "报告问题"),
    "settings": ("Settings", "设置"),
    "theme": ("Theme", "主题"),
    "system": ("System", "跟随系统"),
    "light": ("Light", "浅色"),
    "dark": ("Dark", "深色"),
    "help_for": ("Help for {label}", "{label}：说明"),
    "more_help": ("Help", "说明"),
    "heading": ("Link to heading", "本节链接"),
    "close": ("Close", "关闭"),
    "copy": ("Copy", "复制"),
    "connecting": ("Connecting", "正在连接"),
    "running": ("Running...", "正在运行……"),
    "connection": ("Connection error", "连接错误"),
    "timed_out": ("Connection timed out.", "连接超时。"),
    "not_responding": (
        "Streamlit server is not responding. Are you connected to the internet?",
        "程序没有响应，可能已停止，请检查后刷新页面。",
    ),
    "is_connecting": (
        "Is Streamlit still running? If you accidentally stopped Streamlit, just restart it in your terminal:",
        "程序可能已停止，请重新启动 hwcost app。",
    ),
}

TEXTS: dict[str, dict[str, str]] = {
    f"web.frame.{name}": {"en": en, "zh": zh}
    for words in (LISTS, NUMBERS, TABLES, UPLOADS, FRAME)
    for name, (en, zh) in words.items()
}
