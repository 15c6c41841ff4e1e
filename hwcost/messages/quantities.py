"""Words around figures: units, currencies and dates."""

from __future__ import annotations

TEXTS: dict[str, dict[str, str]] = {
    "money.CNY_wan": {"en": "CNY {figure} x 10,000", "zh": "{figure} 万元"},
    "money.CNY": {"en": "CNY {figure}", "zh": "{figure} 元"},
    "money.USD": {"en": "USD {figure}", "zh": "{figure} 美元"},
    "money.EUR": {"en": "EUR {figure}", "zh": "{figure} 欧元"},
    "money.GBP": {"en": "GBP {figure}", "zh": "{figure} 英镑"},
    "money.JPY": {"en": "JPY {figure}", "zh": "{figure} 日元"},
    "money.HKD": {"en": "HKD {figure}", "zh": "{figure} 港元"},
    "quantity.hours": {"en": "{figure} h", "zh": "{figure} 小时"},
    "quantity.minutes": {"en": "{figure} min", "zh": "{figure} 分钟"},
    "quantity.seconds": {"en": "{figure} s", "zh": "{figure} 秒"},
    "quantity.date": {"en": "{year:04d}-{month:02d}-{day:02d}", "zh": "{year}年{month}月{day}日"},
}
