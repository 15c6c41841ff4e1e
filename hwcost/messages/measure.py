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
    "cli.help.max_batch": {
        "en": "global batch of the scan over card counts; larger than fits is accumulated",
        "zh": "卡数扫描所用的全局批大小；放不下时用梯度累积",
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
        "en": "a training step on samples of {shapes} failed ({reason}); check the shape of --input",
        "zh": "以 {shapes} 的样本训练一步失败（{reason}）；请检查 --input 的形状",
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
        "en": "the same with a process's own memory, MiB, without the workspace of libraries",
        "zh": "上项加进程自身占用，MiB，不含库工作区",
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
}
