"""Words of the app's forms: repairs by hand, who pays, money by year, options of the user's own, words of the frame."""

from __future__ import annotations

BY_HAND = {
    "budget": (
        "Which fund pays the difference is for you to say: raise its amount on the page Money, under Funds.",
        "差额由哪项经费承担须由课题组决定：请在“经费与机时”页的“经费来源”中调高相应金额。",
    ),
    "tiles": (
        "The time of {workload} rests on a run that was timed on the present tiles. Time one on tiles of {side} x "
        "{side} and read it in with `hwcost calibrate`, or write it into the scenario file as the anchor of the job "
        "(the page Report hands the file out).",
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

MONEY = {
    "new_fund": ("Another fund", "增加一项经费"),
    "new_fund_name": ("its name, for example: provincial grant", "经费名称，如：省自然科学基金"),
    "remove_fund": ("Fund to take away", "删除经费"),
    "remove_service": ("Offer to take away", "删除平台"),
    "fund_rules": ("When each fund arrives, and its further rules", "到账时间与其他列支规定"),
    "fund_rules_note": (
        "By year: the amounts of the first, second, third year with semicolons between. Years count from 1; overhead "
        "on services as a share (0.15 or 15%). Depreciation: the fund pays the yearly depreciation, not the price.",
        "分年到账按年度依次填写，以分号分隔；年度从 1 起算；管理费率按服务类支出计，如 15%；仅列折旧指只支付年折旧额。",
    ),
    "service_rules": ("Quota, least payment and further terms", "额度、保底与其他条款"),
    "service_rules_note": (
        "What is paid at least is paid in every year of use, used or not.",
        "保底机时在使用的各年度均须支付，不论是否用满。",
    ),
    "own_offer": ("An offer of your own", "自行填写平台"),
    "own_offer_price": ("Per card-hour, {currency}", "每卡时单价（{currency}）"),
    "yearly": ("Equipment money that comes in parts", "设备费分年到账"),
    "yearly_note": (
        "Now: {budget}. Fill in the years if it comes in parts; their sum becomes the budget. All empty: everything is "
        "there at the start.",
        "目前：{budget}。如分年到账，请逐年填写，合计即为设备预算；均留空表示年初一次到位。",
    ),
    "yearly_box": ("Year {year}, {currency}", "第 {year} 年（{currency}）"),
    "yearly_carry": ("What is left of a year may be spent later", "当年结余可结转使用"),
    "yearly_late": (
        "Money comes in year {year}, and nothing may be bought then: add the year below, under Years of purchase.",
        "第 {year} 年有经费到账，但该年度未列为可购置年度，请在下方“可购置的年度”中添加。",
    ),
    "payers": ("Who pays what", "费用由谁承担"),
    "payers_note": (
        "All of it counts in the total cost. Funds and the running budget must cover what the lab pays, and nothing "
        "else.",
        "各方承担的费用均计入总成本；各项经费与年度运行经费只须覆盖课题组承担的部分。",
    ),
    "payers_bought": ("Parts of the purchase, freight, tax, residual value", "购置各项、运费、税费与残值"),
    "hosting_amount": ("Hosting of one machine a year, {currency}", "每台托管费（{currency}/年）"),
    "hosting_amount_help": ("Rent of the room or rack; empty: none.", "机房或机柜租金；留空表示无。"),
    "wage": ("One hour of upkeep, {currency}", "管理工时单价（{currency}/小时）"),
    "wage_help": (
        "Full cost of an hour of whoever looks after the machines; empty: the catalog's usual figure.",
        "管理人员每工时全部成本；留空取目录常用值。",
    ),
    "hours_limit": ("Hours for upkeep and set-up a year", "每年管理与部署工时上限"),
    "hours_limit_help": ("What the group can give; empty: no limit.", "课题组可投入的工时；留空表示不限。"),
    "payers_apart": ("idle and computing differ", "待机与运行不同"),
    "payers.energy": ("Electricity", "电费"),
    "payers.hosting": ("Hosting of the machines (room, rack)", "托管（机房、机柜）"),
    "payers.residual": ("Residual value goes to", "残值归属"),
}

PAYER_KEYS = {
    "energy": ("who pays electricity", "电费由谁承担"),
    "energy_idle": ("who pays electricity, idle", "待机电费由谁承担"),
    "energy_busy": ("who pays electricity, computing", "运行电费由谁承担"),
    "hosting": ("who pays hosting", "托管费由谁承担"),
    "staff": ("who bears the upkeep", "日常管理由谁承担"),
    "setup": ("who bears the set-up", "部署由谁承担"),
    "maintenance": ("who pays maintenance", "维护费由谁承担"),
    "failures": ("who pays replacement cards", "故障更换由谁承担"),
    "campus": ("who pays campus cluster hours", "校级平台机时费由谁承担"),
    "rental": ("who pays rented hours", "云算力租用费由谁承担"),
    "overhead": ("who pays overhead", "间接费由谁承担"),
    "system": ("who pays whole machines", "整机由谁付款"),
    "card": ("who pays cards", "显卡由谁付款"),
    "host": ("who pays hosts", "主机由谁付款"),
    "psu": ("who pays power supplies", "电源由谁付款"),
    "storage": ("who pays storage", "存储由谁付款"),
    "freight": ("who pays freight", "运费由谁承担"),
    "installation": ("who pays installation", "安装费由谁承担"),
    "tax": ("who pays tax", "税费由谁承担"),
    "residual": ("who gets the residual value", "残值归属"),
}

KEYS = {
    "power.hosting_per_node_year": ("Hosting of one machine a year", "每台每年托管费"),
    "staff.wage_per_hour": ("One hour of upkeep", "管理工时单价"),
    "budget.per_year": ("Equipment money by year", "设备费分年到账"),
    "budget.carry_over": ("Carried over into the next year", "当年结余可结转"),
    **{f"payers.{name}": words for name, words in PAYER_KEYS.items()},
}

OWN = {
    "title": ("Options of your own", "自定方案"),
    "note": (
        "Name what an option may buy; it is solved to its best plan under the same rules and compared with the others, "
        "lettered after them. What stays empty is free. It can only narrow what the scenario allows; at most {most}.",
        "填写某方案可购置的范围，程序按相同条件求其最优配置，列在其他方案之后参与比选。留空的项不限；"
        "只能在情景允许的范围内收窄，最多 {most} 个。",
    ),
    "new": ("Add an option", "增加自定方案"),
    "name": ("Name", "名称"),
    "name.example": ("for example: one box as the dealer proposes", "如：经销商推荐的单台整机"),
    "cards": ("Cards", "显卡"),
    "cards_per_node": ("Cards in one machine", "单机卡数"),
    "chassis": ("Hosts", "主机"),
    "systems": ("Quoted whole machines", "已报价整机"),
    "services": ("Hired hours that it may use", "可用的平台机时"),
    "upgrades": ("It may upgrade owned machines", "可升级现有设备"),
    "max_nodes": ("Machines at most", "最多台数"),
    "any": ("any", "不限"),
    "none": ("none", "不用"),
    "add": ("Add it to the comparison", "列入比选"),
    "remove": ("Take this option away", "删除该方案"),
    "empty": (
        "Name at least one thing that it may buy or use.",
        "请至少填写一项可购置或可使用的内容。",
    ),
    "full": ("There are {most} options already; take one away first.", "已有 {most} 个自定方案，请先删除一个。"),
    "quoted": ("{name} ({vendor})", "{name}（{vendor}）"),
}

OWN_KEYS = {
    "id": ("in the list", "列入清单"),
    "name_en": ("name (English)", "英文名称"),
    "name_zh": ("name (Chinese)", "中文名称"),
    **{key: OWN[key] for key in ("cards", "cards_per_node", "chassis", "systems", "services", "upgrades", "max_nodes")},
}

CARD = {  # columns of the table of cards; words in brackets are what may be entered
    "id": ("Short name (letters, digits, hyphens)", "短名（字母、数字、连字符）"),
    "name": ("Name", "名称"),
    "vendor": ("Maker", "厂商"),
    "segment": (
        "Class (consumer, workstation, datacentre, domestic)",
        "类别（consumer 消费级，workstation 专业级，datacentre 数据中心，domestic 国产）",
    ),
    "architecture": ("Chip family", "架构"),
    "compute_capability": ("CUDA compute capability", "CUDA 计算能力"),
    "memory_gib": ("Memory, GiB", "显存（GiB）"),
    "usable_mib": ("Memory as nvidia-smi shows it, MiB", "nvidia-smi 显示的显存（MiB）"),
    "memory_type": ("Kind of memory (GDDR6, HBM2e)", "显存类型（GDDR6、HBM2e 等）"),
    "ecc": ("Error correction (none, inline, native)", "纠错（none 无，inline 占用显存，native 原生）"),
    "bandwidth_gb_s": ("Memory bandwidth, GB/s", "显存带宽（GB/s）"),
    "fp32_tflops": ("FP32, TFLOPS", "FP32 算力（TFLOPS）"),
    "tensor_fp16_tflops": ("Tensor FP16, dense, TFLOPS", "张量 FP16 稠密算力（TFLOPS）"),
    "tensor_tf32_tflops": ("Tensor TF32, dense, TFLOPS", "张量 TF32 稠密算力（TFLOPS）"),
    "bf16": ("BF16 (yes, no)", "支持 BF16（yes 是，no 否）"),
    "tdp_w": ("Power limit, W", "功耗上限（W）"),
    "idle_w": ("Idle power, W", "待机功耗（W）"),
    "slot_width": ("Width, slots", "占用槽位"),
    "length_mm": ("Length, mm", "长度（mm）"),
    "cooling": ("Cooling (blower, open_air, passive)", "散热（blower 涡轮，open_air 开放式，passive 被动）"),
    "power_connector": (
        "Power plug (none, pcie6, pcie8, eps8, v12_2x6)",
        "供电接口（none、pcie6、pcie8、eps8、v12_2x6）",
    ),
    "power_connectors": ("Power plugs, number", "供电接口数"),
    "pcie_gen": ("PCIe generation", "PCIe 代数"),
    "pcie_lanes": ("PCIe lanes", "PCIe 通道数"),
    "nvlink_gb_s": ("NVLink, both directions, GB/s", "NVLink 双向带宽（GB/s）"),
    "nvlink_max_cards": ("Cards that one bridge joins (0: none)", "单桥可连显卡数（0 表示不支持）"),
    "p2p": ("Peer-to-peer over PCIe (yes, no)", "PCIe 点对点直传（yes 是，no 否）"),
    "datacentre_licensed": ("Allowed in machine rooms (yes, no)", "许可用于机房（yes 是，no 否）"),
    "pytorch_current": ("Served by current PyTorch (yes, no)", "当前 PyTorch 支持（yes 是，no 否）"),
    "resnet50_fp32_img_s": ("Measured ResNet-50, FP32, images/s", "ResNet-50 FP32 实测（图/秒）"),
    "bert_large_fp32_seq_s": ("Measured BERT-large, FP32, sequences/s", "BERT-large FP32 实测（序列/秒）"),
    "warranty_years": ("Warranty, years", "质保（年）"),
    "notes": ("Notes", "备注"),
    "source": ("Source of the figures", "参数来源"),
    "as_of": ("Day of the source", "来源日期"),
    "kind": (
        "Kind of figures (measured, specification, estimate)",
        "参数性质（measured 实测，specification 规格，estimate 估算）",
    ),
}

ECC = {
    "none": ("none", "无"),
    "inline": ("takes memory", "占用显存"),
    "native": ("native", "原生"),
}

# sources that the program itself gives for a figure, letter for letter in English
SOURCES = {
    "tax_cn": ("standard VAT rate on goods, China", "中国货物增值税标准税率"),
    "tax_us": ("public universities are commonly exempt from sales tax", "公立大学通常免征销售税"),
    "tax_eu": ("standard VAT rate, Germany", "德国增值税标准税率"),
    "data_sets": ("1.25 x data sets, at least 1 TB", "数据集容量的 1.25 倍，至少 1 TB"),
    "moved": ("9.5 x saved_mib_per_sample", "反向保存量的 9.5 倍"),
}


def _entries(prefix: str, words: dict[str, tuple[str, str]]) -> dict[str, dict[str, str]]:
    return {f"{prefix}.{name}": {"en": en, "zh": zh} for name, (en, zh) in words.items()}


TEXTS: dict[str, dict[str, str]] = {
    **_entries("web.by_hand", BY_HAND),
    **_entries("web.source", SOURCES),
    **_entries("web.card_column", CARD),
    **_entries("web.ecc", ECC),
    "web.cell.cited": {"en": "catalog, {file}: {source}", "zh": "目录 {file}：{source}"},
    "web.workloads.how": {"en": "How each job may be run", "zh": "各任务的运行方式"},
    **_entries("web.money", MONEY),
    **_entries("web.key", KEYS),
    **_entries("web.own", OWN),
    **_entries("web.key.option", OWN_KEYS),
    "web.result.jobs_none": {"en": "No job runs in the first year.", "zh": "第一年没有任务可以运行。"},
    "web.log_note.own_option": {"en": "own option", "zh": "自定方案"},
}
