"""Funds and what they are charged, in the terminal."""

TEXTS = {
    "cli.heading.funds": {"en": "Charged to each fund ({currency})", "zh": "各项经费列支（{currency}）"},
    "cli.column.fund": {"en": "fund", "zh": "经费"},
    "cli.column.pays": {"en": "may pay for", "zh": "用途"},
    "cli.column.fund_amount": {"en": "holds", "zh": "总额"},
    "cli.funds_below": {
        "en": "The funds that may pay for equipment hold {funds}, less than the budget of {budget}: the funds decide. "
        "Correct one of the two.",
        "zh": "可用于设备的经费合计 {funds}，低于预算 {budget}，以经费为限；请更正其中一项。",
    },
}
