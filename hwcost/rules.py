"""Names of the rules a choice can break, and the record of one breach.

One breach = one rule with its amounts. The words are in `hwcost/messages/rules.py`, under the key `rule.<rule>`,
in zh and en; `values` fills the placeholders.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

# rules on a build (builds.py)
BUILD_RULES = (
    "slots",
    "card_count",
    "card_length",
    "psu_watts",
    "psu_connectors",
    "psu_form",
    "psu_low_line",
    "passive_airflow",
    "open_air_stacking",
    "availability",
    "no_price",
    "no_fx",
    "excluded_by_user",
    "circuit",
    "noise",
    "rack_units",
    "datacentre_licence",
    "no_throughput",
    "storage_capacity",
    "rack_place",
)
# rules on a way to run a job (strategies.py)
STRATEGY_RULES = (
    "memory",
    "deadline",
    "ecc",
    "precision",
    "software",
    "batchnorm",
    "batch_too_small",
    "accumulation_off",
    "multi_card_off",
    "host_memory",
    "link",
    "shared_memory",
    "host_cores",
    "host_data",
    "wait_unknown",
)
# rules of the whole plan (model.py, plan.py)
PLAN_RULES = (
    "budget", "card_hours", "people_at_once", "demand", "packing", "circuit_load", "distinct_builds", "max_nodes",
    "rack_units_total", "equipment_year", "running_budget", "fund", "fund_use", "fund_pays", "no_plan",
    "fund_equipment", "spend_by", "staff_hours", "multi_card_setup", "stock", "min_order", "service_quota",
    "service_cards", "owned_hosts",
)  # fmt: skip


@dataclass(frozen=True)
class Breach:
    """A rule that is broken, with its figures."""

    rule: str
    values: dict[str, Any] = field(default_factory=dict)
