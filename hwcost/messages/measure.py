"""Words of `hwcost profile`, `measure` and `calibrate`, and of their faults."""

from __future__ import annotations

TEXTS: dict[str, dict[str, str]] = {
    "cli.help.profile": {
        "en": "what one training step of your network needs, computed without a card",
        "zh": "测算自有网络单个训练步的需求，无需显卡",
    },
    "cli.help.measure": {
        "en": "measure this machine in five steps: step time, all-reduce, scaling, time to a target",
        "zh": "分五步实测本机：步时、All-Reduce、多卡扩展、达到目标的时间",
    },
    "cli.help.calibrate": {
        "en": "constants of this machine from a measurement, with intervals, as rows of your own catalog",
        "zh": "由实测拟合本机常数及其置信区间，并写成自有目录表",
    },
    "cli.help.model": {
        "en": "module:factory of your code (it is imported and run), or hybridsn, ssrn, cnn3d, spectralformer, ssftt, "
        "unet",
        "zh": "自有代码的 module:factory（将被导入并运行），或 hybridsn、ssrn、cnn3d、spectralformer、ssftt、unet",
    },
    "cli.help.profile_input": {
        "en": "shape of one sample without the batch, e.g. 1x30x25x25 or 128:int64; one for each input",
        "zh": "单个样本的形状（不含批维），如 1x30x25x25 或 128:int64；每个输入一项",
    },
    "cli.help.profile_batch": {"en": "samples of one step on one card", "zh": "单卡每步样本数"},
    "cli.help.optimizer": {"en": "sgd, momentum or adam", "zh": "优化器：sgd、momentum 或 adam"},
    "cli.help.precision": {
        "en": "precision that the training will use; the figures are at fp32",
        "zh": "训练所用精度；各项数值均按 fp32 计",
    },
    "cli.help.profile_out": {
        "en": "write or replace the row of the network in this table (workloads.csv of your own catalog)",
        "zh": "将网络写入此表（自有目录的 workloads.csv），同编号的行被替换",
    },
    "cli.help.row_name": {"en": "name of the row", "zh": "行的名称"},
    "cli.help.row_id": {"en": "id of the row", "zh": "行的编号"},
    "cli.help.row_family": {"en": "family of the row", "zh": "行的类别"},
    "cli.help.row_dataset": {"en": "data set of the row, by its id in the catalog", "zh": "行的数据集（目录中的编号）"},
    "cli.help.loader_ms": {
        "en": "time to prepare one sample on the processor, ms (default: estimated from its bytes)",
        "zh": "处理器准备单个样本的时间，毫秒（默认按字节数估算）",
    },
    "cli.help.real": {
        "en": "run the network for real on the processor, for networks that look at values",
        "zh": "在处理器上实际运行网络（用于依赖数值的网络）",
    },
    "cli.help.measure_batch": {
        "en": "samples per card of the baseline (the article's 9)",
        "zh": "基线的每卡样本数（文中为 9）",
    },
    "cli.help.global_batch": {
        "en": "batch of all cards together in the scan and in the runs to a target",
        "zh": "扫描与达标训练所用的全局批大小",
    },
    "cli.help.max_batch": {
        "en": "largest batch of one pass; a larger one is accumulated",
        "zh": "单次前反向的最大批大小；更大的批用梯度累积",
    },
    "cli.help.measure_data": {
        "en": "module:factory that returns (training, validation) data sets of (input, class); without it samples are "
        "made",
        "zh": "返回（训练集，验证集）的 module:factory，样本为（输入，类别）；不填则使用合成样本",
    },
    "cli.help.measure_target": {
        "en": "validation accuracy that ends a run to the target, 0 to 1",
        "zh": "达标训练的目标验证精度，0～1",
    },
    "cli.help.processes": {
        "en": "most processes, one a card (default: the cards, or 2 on a machine without)",
        "zh": "最多进程数，每卡一个（默认为显卡数；无显卡时为 2）",
    },
    "cli.help.steps": {"en": "timed training steps of each case", "zh": "每种情形计时的训练步数"},
    "cli.help.only": {"en": "only these steps of the five", "zh": "只执行五步中的这几步"},
    "cli.help.seeds": {"en": "seeds of the runs to a target", "zh": "达到目标的重复次数（随机种子数）"},
    "cli.help.max_message": {"en": "largest message of the all-reduce, MiB", "zh": "All-Reduce 的最大消息，MiB"},
    "cli.help.device": {
        "en": "where to run (default: the cards if there are any)",
        "zh": "运行设备（默认有显卡则用显卡）",
    },
    "cli.help.measure_precision": {"en": "precision of the training steps", "zh": "训练步所用精度"},
    "cli.help.measure_out": {
        "en": "file of the measurement; finished steps in it are kept and not repeated",
        "zh": "实测结果文件；其中已完成的步骤予以保留，不再重复",
    },
    "cli.help.restart": {"en": "measure everything again", "zh": "全部重新实测"},
    "cli.help.measurement": {"en": "file written by hwcost measure", "zh": "hwcost measure 写出的文件"},
    "cli.help.calibrate_out": {
        "en": "folder of your own catalog to write links.csv and calibration.csv to",
        "zh": "写入 links.csv 与 calibration.csv 的自有目录文件夹",
    },
    "cli.help.calibrate_card": {
        "en": "id of the measured card in the catalog (default: found by its name)",
        "zh": "被测显卡在目录中的编号（默认按名称查找）",
    },
    "cli.help.calibrate_link": {
        "en": "link class that was measured (default: the one that the card has)",
        "zh": "被测互联类型（默认取该卡的互联类型）",
    },
    "problem.measure_no_torch": {
        "en": 'needs PyTorch, which is not installed; install it with: pip install "{extra}" (on a machine with '
        "NVIDIA cards, the build of PyTorch for its driver)",
        "zh": '需要 PyTorch，但尚未安装；请执行 pip install "{extra}"（有 NVIDIA 显卡时安装与驱动匹配的版本）',
    },
    "problem.measure_input": {
        "en": "“{value}” is no shape; write the sizes of one sample without the batch, e.g. 1x30x25x25",
        "zh": "“{value}”不是形状；请填写单个样本的尺寸（不含批维），如 1x30x25x25",
    },
    "problem.measure_input_type": {
        "en": "the type of “{value}” is unknown; expected one of {expected}",
        "zh": "“{value}”的数据类型未知；可用：{expected}",
    },
    "problem.measure_input_missing": {
        "en": "the shape of one sample is missing; state it, e.g. --input 1x30x25x25",
        "zh": "缺少单个样本的形状；请填写，如 --input 1x30x25x25",
    },
    "problem.measure_model_form": {
        "en": "“{value}” is neither module:factory nor one of {known}",
        "zh": "“{value}”既不是 module:factory，也不是以下网络之一：{known}",
    },
    "problem.measure_import": {
        "en": "the module cannot be imported ({reason}); start the command in the folder of your code",
        "zh": "模块无法导入（{reason}）；请在代码所在文件夹中执行",
    },
    "problem.measure_no_factory": {
        "en": "the module has no {name}",
        "zh": "模块中没有 {name}",
    },
    "problem.measure_not_callable": {
        "en": "{value} is neither a function nor a network; name a function without arguments that returns a network",
        "zh": "{value} 既不是函数也不是网络；请指定无参数、返回网络的函数",
    },
    "problem.measure_build": {
        "en": "the factory failed ({reason}); it is called without arguments, needed were: {needs}",
        "zh": "函数执行失败（{reason}）；调用时不带参数，而它需要：{needs}",
    },
    "problem.measure_build_failed": {
        "en": "the factory failed ({reason}); it is called without arguments, in the current folder: correct it there",
        "zh": "函数执行失败（{reason}）；该函数在当前文件夹中不带参数调用，请修正后重试",
    },
    "problem.measure_lazy": {
        "en": "{value} has no size yet (a lazy layer); state its size, or run one sample through the network in the "
        "factory",
        "zh": "{value} 尚未确定尺寸（延迟初始化层）；请写明尺寸，或在函数中先用一个样本运行网络",
    },
    "problem.measure_not_module": {
        "en": "the factory returned {value}; expected a torch.nn.Module",
        "zh": "函数返回了 {value}；应返回 torch.nn.Module",
    },
    "problem.measure_no_parameters": {
        "en": "the network has no parameters to train",
        "zh": "该网络没有可训练的参数",
    },
    "problem.measure_needs_values": {
        "en": "the network looks at values while it runs ({reason}); profile it with --real, on the processor",
        "zh": "该网络运行时依赖具体数值（{reason}）；请加 --real 在处理器上测算",
    },
    "problem.measure_step": {
        "en": "a training step on samples of {shapes} failed ({reason}); check the shape of --input and --batch",
        "zh": "以 {shapes} 的样本训练一步失败（{reason}）；请检查 --input 的形状与 --batch",
    },
    "problem.measure_out_table": {
        "en": "what stands there is no table {table} of the catalog; name another file",
        "zh": "该文件不是目录表 {table}；请指定其他文件",
    },
    "measure.runs_your_code": {
        "en": "Importing and running your code: {model}",
        "zh": "正在导入并运行您的代码：{model}",
    },
    "measure.profile_heading": {
        "en": "{model} on {shape}, batch {batch}, {optimizer}: one training step at fp32",
        "zh": "{model}，输入 {shape}，批大小 {batch}，{optimizer}：fp32 下的单个训练步",
    },
    "measure.column.figure": {"en": "figure", "zh": "指标"},
    "measure.column.value": {"en": "value", "zh": "数值"},
    "measure.figure.params": {"en": "parameters", "zh": "参数量"},
    "measure.figure.tensors": {"en": "parameter tensors", "zh": "参数张量数"},
    "measure.figure.forward": {
        "en": "forward, GFLOP per sample (convolutions, products, attention)",
        "zh": "前向计算量，GFLOP/样本（卷积、矩阵乘、注意力）",
    },
    "measure.figure.training": {
        "en": "training, GFLOP per step (3 x forward)",
        "zh": "训练计算量，GFLOP/步（前向的 3 倍）",
    },
    "measure.figure.elementwise": {
        "en": "elementwise and norms, GFLOP per sample, forward",
        "zh": "逐元素与归一化，GFLOP/样本（前向）",
    },
    "measure.figure.saved": {"en": "saved for backward, MiB per sample", "zh": "为反向保存的数据，MiB/样本"},
    "measure.figure.largest": {"en": "largest saved tensor, MiB per sample", "zh": "最大的保存张量，MiB/样本"},
    "measure.figure.moved": {"en": "bytes moved, MiB per sample of a step", "zh": "显存读写量，MiB/样本（单步）"},
    "measure.figure.launches": {
        "en": "kernel launches per step (forward {forward}, backward {backward}, optimizer {optimizer})",
        "zh": "单步内核启动次数（前向 {forward}、反向 {backward}、优化器 {optimizer}）",
    },
    "measure.figure.state": {
        "en": "held between steps, MiB (parameters, buffers, optimizer)",
        "zh": "步间常驻，MiB（参数、缓冲、优化器状态）",
    },
    "measure.figure.live": {"en": "peak of tensors alive at once, MiB", "zh": "同时存活张量的峰值，MiB"},
    "measure.figure.process": {
        "en": "expected peak of the process at fp32, MiB (with context, workspace, larger blocks)",
        "zh": "fp32 下进程的预计峰值，MiB（含上下文、工作区与分块余量）",
    },
    "measure.figure.predicted": {
        "en": "peak memory by the planning formula at {precision}, MiB",
        "zh": "按规划公式预测的峰值显存（{precision}），MiB",
    },
    "measure.batchnorm_yes": {
        "en": "Batch normalisation is in the network: its statistics depend on the batch of each card.",
        "zh": "网络含批归一化：其统计量取决于每卡批大小。",
    },
    "measure.batchnorm_no": {"en": "No batch normalisation.", "zh": "不含批归一化。"},
    "measure.unknown_operators": {
        "en": "FLOPs are too low: no formula for {names}",
        "zh": "计算量偏低：以下算子没有公式：{names}",
    },
    "problem.measure_data": {
        "en": "the data cannot be used ({reason}); the factory returns two data sets whose items are (input, class)",
        "zh": "数据无法使用（{reason}）；函数应返回两个数据集，元素为（输入，类别）",
    },
    "problem.measure_failed": {
        "en": "measuring {case} failed ({reason}); what is done is in the file, and the same call goes on there",
        "zh": "实测 {case} 失败（{reason}）；已完成的部分已写入文件，再次执行同一命令可继续",
    },
    "problem.measure_no_record": {
        "en": "this is no measurement of hwcost ({reason}); name a file that hwcost measure wrote",
        "zh": "这不是 hwcost 的实测文件（{reason}）；请指定 hwcost measure 写出的文件",
    },
    "problem.measure_other": {
        "en": "the file was measured differently ({names}); name another file with --out, or measure again with "
        "--restart",
        "zh": "该文件的实测条件不同（{names}）；请用 --out 指定其他文件，或加 --restart 重新实测",
    },
    "problem.measure_no_card": {
        "en": "PyTorch finds no NVIDIA card; measure with --device cpu, or install the build for your driver",
        "zh": "PyTorch 未找到 NVIDIA 显卡；请使用 --device cpu，或安装与驱动匹配的版本",
    },
    "problem.measure_few_cards": {
        "en": "{value} processes need as many cards; there are {cards}",
        "zh": "{value} 个进程需要同样多的显卡；现有 {cards} 张",
    },
    "problem.measure_no_distributed": {
        "en": "this build of PyTorch cannot run several processes; measure with --processes 1",
        "zh": "该 PyTorch 版本不支持多进程；请使用 --processes 1",
    },
    "measure.progress": {"en": "{done}/{count} {what}: {case}", "zh": "{done}/{count} {what}：{case}"},
    "measure.step.baseline": {"en": "baseline of one card", "zh": "单卡基线"},
    "measure.step.all_reduce": {"en": "all-reduce", "zh": "All-Reduce 通信"},
    "measure.step.ratio": {"en": "several cards, same batch on each", "zh": "多卡，每卡批大小不变"},
    "measure.step.scan": {"en": "several cards, same batch in all", "zh": "多卡，全局批大小不变"},
    "measure.step.target": {"en": "training to the target", "zh": "训练至目标精度"},
    "measure.written": {
        "en": "Measurement: {path}. Next: hwcost calibrate {path} --out DIR",
        "zh": "实测结果：{path}。下一步：hwcost calibrate {path} --out DIR",
    },
    "measure.machine": {
        "en": "{cpu}, {cores} cores; {cards}; PyTorch {torch}, {precision}",
        "zh": "{cpu}，{cores} 核；{cards}；PyTorch {torch}，{precision}",
    },
    "measure.no_cards": {"en": "no cards", "zh": "无显卡"},
    "measure.loader_of": {"en": "{model}: loader", "zh": "{model}：数据加载"},
    "measure.heading.baseline": {"en": "Baseline of one card (or process)", "zh": "单卡（单进程）基线"},
    "measure.heading.all_reduce": {"en": "All-reduce", "zh": "All-Reduce 通信"},
    "measure.heading.ratio": {
        "en": "Communication against compute, the same batch on each card",
        "zh": "通信与计算之比（每卡批大小不变）",
    },
    "measure.heading.scan": {"en": "The same batch in all over card counts", "zh": "全局批大小不变时的卡数扫描"},
    "measure.heading.target": {"en": "Training time to the target accuracy", "zh": "训练至目标精度的时间"},
    "measure.column.model": {"en": "network", "zh": "网络"},
    "measure.column.batch": {"en": "batch", "zh": "批大小"},
    "measure.column.median": {"en": "median, ms", "zh": "中位数，毫秒"},
    "measure.column.cv": {"en": "variation", "zh": "波动"},
    "measure.column.peak": {"en": "peak memory, MiB", "zh": "峰值内存，MiB"},
    "measure.column.processes": {"en": "cards", "zh": "卡数"},
    "measure.column.message": {"en": "message, MiB", "zh": "消息，MiB"},
    "measure.column.bus": {"en": "bus bandwidth, GB/s", "zh": "总线带宽，GB/s"},
    "measure.column.one": {"en": "one card, ms", "zh": "单卡，毫秒"},
    "measure.column.step": {"en": "step, ms", "zh": "单步，毫秒"},
    "measure.column.comm": {"en": "all-reduce, ms", "zh": "通信，毫秒"},
    "measure.column.ratio": {"en": "T_comm/T_c", "zh": "T_comm/T_c"},
    "measure.column.r": {"en": "r", "zh": "r"},
    "measure.column.speedup": {"en": "speedup S", "zh": "加速比 S"},
    "measure.column.efficiency": {"en": "efficiency", "zh": "效率"},
    "measure.column.micro": {"en": "micro-batch", "zh": "微批"},
    "measure.column.accumulation": {"en": "passes", "zh": "累积次数"},
    "measure.column.samples_s": {"en": "samples/s", "zh": "样本/秒"},
    "measure.column.reached": {"en": "reached", "zh": "达标"},
    "measure.column.quartile1": {"en": "1st quartile, s", "zh": "下四分位，秒"},
    "measure.column.median_s": {"en": "median, s", "zh": "中位数，秒"},
    "measure.column.quartile3": {"en": "3rd quartile, s", "zh": "上四分位，秒"},
    "problem.calibrate_too_little": {
        "en": "too little was measured for a fit: three batches of a network, or three message sizes, are needed; run "
        "hwcost measure again without --only",
        "zh": "实测数据不足以拟合：至少需要同一网络的三种批大小，或三种消息大小；请不加 --only 重新执行 hwcost measure",
    },
    "problem.calibrate_processor": {
        "en": "the file was measured on a processor, which says nothing about “{value}”; leave {file} out",
        "zh": "该文件在处理器上实测，不能说明“{value}”；请去掉 {file}",
    },
    "problem.calibrate_card": {
        "en": "no card of the catalog is called “{value}”; name it with --card, or add the card to your own cards.csv",
        "zh": "目录中没有名为“{value}”的显卡；请用 --card 指定，或在自有 cards.csv 中补充该卡",
    },
    "measure.interval": {"en": "{value} ({low} to {high})", "zh": "{value}（{low} 至 {high}）"},
    "measure.no_link_row": {
        "en": "No row for links.csv: a link is known only from several cards.",
        "zh": "没有可写入 links.csv 的行：互联只能由多张显卡测得。",
    },
    "measure.heading.networks": {
        "en": "Step of one card, T = c0 + c1 x parameters x batch (95 % intervals)",
        "zh": "单卡步时 T = c0 + c1 × 参数量 × 批大小（95% 置信区间）",
    },
    "measure.heading.links": {
        "en": "All-reduce, T = alpha + V / bandwidth (95 % intervals)",
        "zh": "All-Reduce，T = alpha + V / 带宽（95% 置信区间）",
    },
    "measure.heading.threshold": {
        "en": "From which size on several of these cards pay",
        "zh": "该机多卡并行的参数量阈值",
    },
    "measure.heading.checks": {"en": "Predicted against measured", "zh": "预测与实测对照"},
    "measure.threshold": {
        "en": "{model} ({params} million parameters, batch {batch}), {cards} cards, speedup {target}: {case}",
        "zh": "{model}（{params} 百万参数，批大小 {batch}），{cards} 卡，加速比 {target}：{case}",
    },
    "measure.overhead": {
        "en": "Fixed cost of several cards: {figure} us per parameter tensor and step.",
        "zh": "多卡固定开销：每个参数张量每步 {figure} 微秒。",
    },
    "measure.overhead_unknown": {
        "en": "Fixed cost of several cards: not measured (a network whose gradients fit 25 MiB tells it).",
        "zh": "多卡固定开销：未测得（需梯度不超过 25 MiB 的网络）。",
    },
    "measure.overlap": {
        "en": "Share of backward under which communication hides: {figure}.",
        "zh": "通信被反向计算掩盖的比例：{figure}。",
    },
    "measure.overlap_unknown": {
        "en": "Share of backward under which communication hides: not measured (gradients of more than 25 MiB tell it; "
        "below that nothing can hide).",
        "zh": "通信被反向计算掩盖的比例：未测得（需梯度超过 25 MiB 的网络；更小时无法掩盖）。",
    },
    "measure.contention": {
        "en": "{model}, {cards} cards: steps without communication take {share} longer than on one card; that is the "
        "host, not the link.",
        "zh": "{model}，{cards} 卡：无通信时的步时比单卡长 {share}，源于主机而非互联。",
    },
    "measure.fitted": {"en": "yes", "zh": "是"},
    "measure.not_fitted": {"en": "no", "zh": "否"},
    "measure.column.batches": {"en": "batches", "zh": "批大小范围"},
    "measure.column.c0": {"en": "c0, ms", "zh": "c0，毫秒"},
    "measure.column.per_sample": {"en": "ms per sample", "zh": "毫秒/样本"},
    "measure.column.c1": {"en": "c1, ms per parameter and sample", "zh": "c1，毫秒/参数/样本"},
    "measure.column.cv_percent": {"en": "variation, %", "zh": "波动，%"},
    "measure.column.loader": {"en": "loader, ms per sample", "zh": "加载，毫秒/样本"},
    "measure.column.alpha": {"en": "alpha, us", "zh": "alpha，微秒"},
    "measure.column.worst": {"en": "worst error", "zh": "最大误差"},
    "measure.column.what": {"en": "what", "zh": "内容"},
    "measure.column.batch_or_bytes": {"en": "batch or bytes", "zh": "批大小或字节"},
    "measure.column.predicted": {"en": "predicted, ms", "zh": "预测，毫秒"},
    "measure.column.measured": {"en": "measured, ms", "zh": "实测，毫秒"},
    "measure.column.error": {"en": "error", "zh": "误差"},
    "measure.column.seen": {"en": "used in the fit", "zh": "参与拟合"},
}
