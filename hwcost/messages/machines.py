"""Words of upgrades, services and machines joined by a network: their names, and the rules that keep them out."""

from __future__ import annotations

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")

NAMES = {
    "data_stay": ("Where the data may be processed", "数据存放与处理范围"),
    "fund_services": ("A fund that pays for services", "可支付服务费的经费"),
    "card_unknown": ("Card known", "显卡型号已知"),
    "network_slot": ("Slot for the network adapter", "网卡插槽"),
    "network_segment": ("Network adapter of the case", "主机可用网卡"),
}

SENTENCES = {
    "data_stay": (
        "The data may be processed {data_stays}; {item} is {service_kind}.",
        "数据只能{data_stays}处理，而{item}属于{service_kind}。",
    ),
    "fund_services": (
        "None of the funds may pay for services, and {item} is one. Name a fund that may, or leave the service out.",
        "各项经费均不能支付服务费，而{item}属于服务；请增加可支付服务费的经费，或不采用该服务。",
    ),
    "card_unknown": (
        "{item} offers the card {card}, which neither the catalog nor the program knows; add it to the catalog.",
        "{item}提供的显卡 {card} 不在目录中，程序也没有其参数；请先将其加入目录。",
    ),
    "network_slot": (
        "{cards} cards of {slot_width} slots and a network adapter need {need} slots; the case has {have}.",
        "{cards} 张 {slot_width} 槽卡加一块网卡需 {need} 槽，机箱仅有 {have} 槽。",
    ),
    "network_segment": (
        "No network adapter of the catalog that can be bought suits this kind of case.",
        "目录中没有可采购且适用于该类主机的网卡。",
    ),
}

CODES = {
    "data_stays": {
        "campus": ("on the campus alone", "在校内"),
        "lab": ("in the laboratory alone", "在本实验室"),
    },
    "service_kind": {
        "campus": ("a campus cluster", "校级计算平台"),
        "cloud": ("a cloud", "云平台"),
    },
}

TEXTS: dict[str, dict[str, str]] = {
    **{f"rulename.{rule}": {"en": en, "zh": zh} for rule, (en, zh) in NAMES.items()},
    **{f"rule.{rule}": {"en": en, "zh": zh} for rule, (en, zh) in SENTENCES.items()},
    **{
        f"rulecode.{name}.{code}": {"en": en, "zh": zh}
        for name, codes in CODES.items()
        for code, (en, zh) in codes.items()
    },
    **{f"upgrade.ordinal.{number}": {"en": word, "zh": f"第 {number} 张"} for number, word in enumerate(ORDINALS, 1)},
    "upgrade.add_card": {"en": "Upgrade of {machine}: {ordinal} {card}", "zh": "{machine} 升级：加装{ordinal} {card}"},
    "upgrade.replace_card": {
        "en": "Upgrade of {machine}: {cards} x {card} in place of its cards",
        "zh": "{machine} 升级：换装 {cards} 张 {card}",
    },
    "network.unit": {
        "en": "{machines} machines joined by a network, each {cards} x {card} in {chassis}",
        "zh": "{machines} 台联网主机（每台 {chassis}，{cards} 张 {card}）",
    },
    "problem.rental_unknown": {
        "en": "the catalog has no rental {value}; name a row of rentals.csv",
        "zh": "目录中没有租用条目“{value}”；请填写 rentals.csv 中的编号",
    },
    "problem.rental_without_card": {
        "en": "the rental {value} does not say which card it offers; state the service with its card instead",
        "zh": "租用条目“{value}”没有说明显卡型号；请改为在情景中写明服务及其显卡",
    },
    "problem.rental_no_rate": {
        "en": "no dated exchange rate leads from {currency} to {to} for the rental {value}; add one to fx.csv",
        "zh": "租用条目“{value}”无法换算：没有从 {currency} 到 {to} 的带日期汇率；请在 fx.csv 中补充",
    },
}
