"""What a total is per card-hour and per run, and its carbon."""

TEXTS = {
    "unitcost.title": {"en": "What that is", "zh": "单位成本"},
    "unitcost.busy": {
        "en": "{amount} for each card-hour that computes, {available} for each card-hour that is there.",
        "zh": "每运行一卡时 {amount}；按可用卡时计，每卡时 {available}。",
    },
    "unitcost.run": {
        "en": "One run of {workload}: {amount} (its part of the total, idle time included).",
        "zh": "{workload} 单次训练 {amount}（按运行机时分摊总成本，含闲置）。",
    },
    "unitcost.carbon": {
        "en": "Electricity over {years} years: {energy} kWh, about {carbon} t of CO2.",
        "zh": "{years} 年用电 {energy} kWh，约合二氧化碳 {carbon} 吨。",
    },
    "unitcost.energy": {
        "en": "Electricity over {years} years: {energy} kWh; the carbon of the grid is not known here.",
        "zh": "{years} 年用电 {energy} kWh；电网碳排放因子未知。",
    },
}
