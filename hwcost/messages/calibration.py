"""Words about measured steps (`calibration.csv`)."""

TEXTS = {
    "cli.check_unmeasured": {
        "en": "Rows of calibration.csv that serve no workload of this scenario (another network, card or precision, or "
        "a timed run on that card stands before it): {rows}.",
        "zh": "calibration.csv 中未被本情景任何任务采用的行（网络、显卡或精度不同，或该卡已有整次训练实测）：{rows}。",
    },
    "assumption.measured_step": {
        "en": "Measured step of the whole batch on one card",
        "zh": "整批单卡单步实测时间",
    },
    "assumption.measured_step_cv": {"en": "Measured variation of a step", "zh": "实测单步时间变异系数"},
    "assumption.measured_overlap": {
        "en": "Measured share of communication hidden behind computing",
        "zh": "实测通信与计算重叠比例",
    },
    "assumption.measured_overhead_ms_per_tensor": {
        "en": "Measured cost of each parameter tensor with several cards",
        "zh": "多卡训练时每个参数张量的实测开销",
    },
    "assumption.measured_loader_ms_per_sample": {
        "en": "Measured time to prepare one sample",
        "zh": "单个样本的实测准备时间",
    },
    "measure.card_to_add": {
        "en": "The catalog has no card {card} yet: run 'hwcost catalog add \"{name}\"' and complete the row in the "
        "same folder, or plans refuse calibration.csv.",
        "zh": '目录中尚无显卡 {card}：请先执行 hwcost catalog add "{name}"，并在同一文件夹中补全该行，'
        "否则采购计算不接受 calibration.csv。",
    },
    "problem.calibration_params": {
        "en": "the row was measured with {value} parameters, {network} has {params}; measure that network, "
        "or give the row the id of your own workload",
        "zh": "本行实测网络的参数量为 {value}，而 {network} 为 {params}；请实测该网络，或将编号改为自有任务的编号",
    },
    "problem.scenario_calibration_params": {
        "en": "the workload has {value} parameters, but its measured step in {table} row {row} is of a network with "
        "{params}; correct one of the two or remove the row",
        "zh": "任务的参数量为 {value}，而 {table} 第 {row} 行的实测网络为 {params}；请更正其一，或删除该行",
    },
}
