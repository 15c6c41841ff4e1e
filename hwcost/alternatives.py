"""Software first: what a job can do on a card before money is spent, each way beside data parallelism.

One record per alternative, all for the job's global batch: the memory of one card, the time of one optimizer step,
and finished runs an hour of the cards named. The card stands alone, as in `bounds.py`: neither storage nor the CPU of
a host limits it. Figures that rest on an estimated factor (checkpointing, sharding, compiling, a power cap) say so.
Source: article A section 9 and DP against accumulation; the factors are in `layouts.py`, `steptime.py` and here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from hwcost.bounds import PAYS_FROM
from hwcost.layouts import Layout, layout_memory, messages, statistics_messages, volume_params_bytes
from hwcost.memory import SIXTEEN_BIT, WORKSPACE_PER_LARGEST, largest_that, limit_mib
from hwcost.messages import say
from hwcost.quantities import number_text
from hwcost.records import Card, Link
from hwcost.scaling import data_parallel, find_link, link_id_for
from hwcost.steptime import step_time
from hwcost.workload import Workload

KEYS = (
    "accumulation", "amp", "checkpointing", "compiled", "power_cap", "data_parallel", "sharding", "independent_runs",
)  # fmt: skip
ESTIMATES = ("checkpointing", "compiled", "power_cap", "sharding")
CARDS = 4
EXAMPLE_LAYERS = 10
# Estimate: four RTX 3090 held at 280 of 350 W kept 95 % of their speed (Puget Systems, 2020-11, TensorFlow).
CAPPED_POWER, CAPPED_SPEED = 0.80, 0.95
MS_PER_HOUR = 3_600_000.0


@dataclass(frozen=True)
class Alternative:
    """`step_ms` and `runs_per_hour` are None where the job does not fit; `kind` is prediction or estimate."""

    key: str
    cards: int
    memory_mib: float  # of one card
    limit_mib: float
    global_batch: int
    micro_batch: int
    accumulation_steps: int
    step_ms: float | None
    runs_per_hour: float | None  # of all `cards` together
    watts: float | None  # of all `cards` while they compute; None where the card's are not known
    kind: str

    @property
    def fits(self) -> bool:
        return self.step_ms is not None


def alternatives(
    workload: Workload,
    card: Card,
    links: Iterable[Link] = (),
    *,
    cards: int = CARDS,
    margin: float = 0.25,
    hooks: bool = True,
    link: Link | None = None,
) -> tuple[Alternative, ...]:
    """Every alternative that differs from what the job does already, in the order of KEYS; the first is one card.

    `links` are rows of the link table; data parallelism and sharding are left out without a link between `cards` of
    this kind, for fewer samples than cards, and where the job is not to be spread.
    `link` stands in for the one that the card has. `hooks` False: without the cost of data parallelism per parameter
    tensor, as the article's line.
    """
    links = tuple(links)
    if not workload.multi_card or workload.batch < cards:
        link = None
    elif link is None:
        link = find_link(links, link_id_for(card, cards), cards, lanes=card.pcie_lanes, card=card)
    half = replace(workload, precision="bf16" if card.bf16 else "amp16")
    one = _Setup(workload, card, margin, hooks=hooks)
    setups = {
        "accumulation": one,
        "amp": None if workload.precision in SIXTEEN_BIT else replace(one, workload=half),
        "checkpointing": replace(one, layout=Layout(checkpointing=True)),
        "compiled": None if workload.compiled else replace(one, workload=replace(workload, compiled=True)),
        "power_cap": replace(one, speed=CAPPED_SPEED, power=CAPPED_POWER),
        "data_parallel": None if link is None else replace(one, layout=Layout(cards), link=link),
        "sharding": None if link is None else replace(one, layout=Layout(cards, "all"), link=link),
        "independent_runs": replace(one, runs=cards),
    }
    return tuple(_alternative(key, setup) for key in KEYS if (setup := setups[key]) is not None)


@dataclass(frozen=True)
class SeveralCards:
    """Whether `cards` cards pay for one run. `reason` is empty where they do, else a key below `several.`."""

    workload_id: str
    cards: int
    speedup: float | None
    reason: str
    bound: str = ""

    @property
    def pays(self) -> bool:
        return not self.reason


def several_cards(
    workload: Workload, card: Card, links: Iterable[Link], *, cards: int = CARDS, margin: float = 0.25
) -> SeveralCards:
    """What `cards` of this kind bring to one run at the same global batch: a speedup, or the reason against it."""

    def refused(reason: str, speedup: float | None = None, bound: str = "") -> SeveralCards:
        return SeveralCards(workload.id, cards, speedup, reason, bound)

    if not workload.multi_card:
        return refused("switched_off")
    if workload.batch < cards:
        return refused("batch")
    link = find_link(tuple(links), link_id_for(card, cards), cards, lanes=card.pcie_lanes, card=card)
    if link is None:
        return refused("link")
    one = _Setup(workload, card, margin)
    spread = replace(one, layout=Layout(cards), link=link)
    alone, together = _alternative("accumulation", one), _alternative("data_parallel", spread)
    if together.step_ms is None:
        return refused("memory")  # a share of the batch does not fit: several cards do not pool their memory
    samples = together.micro_batch * (cards if workload.sync_batchnorm else 1)
    if workload.batchnorm_min_batch and samples < min(workload.batchnorm_min_batch, workload.batch):
        return refused("batchnorm")
    if alone.step_ms is None:  # accumulation is off and the batch fits in shares alone
        return SeveralCards(workload.id, cards, None, "")
    speedup = alone.step_ms / together.step_ms
    return SeveralCards(workload.id, cards, speedup, "") if speedup >= PAYS_FROM else refused(
        "slow", speedup, _bound(spread, together)
    )  # fmt: skip


def several_cards_line(found: SeveralCards, lang: str) -> str:
    """One plain line: "four cards: 3.7 times as fast" or "not worth it, because …"."""
    speedup = "" if found.speedup is None else number_text(found.speedup, lang, 1)
    if found.pays:
        key = "several.pays" if found.speedup is not None else "several.only_way"
        return say(key, lang, cards=found.cards, speedup=speedup)
    bound = say(f"bound.{found.bound}", lang) if found.bound else ""
    reason = say(f"several.reason.{found.reason}", lang, cards=found.cards, speedup=speedup, bound=bound)
    return say("several.not_worth", lang, reason=reason)


def example_workload(
    card: Card, *, params: float, per_card_batch: float, cards: int, c0_ms: float, c1_ms: float, margin: float = 0.25
) -> Workload:
    """A job whose step is the line c0 + c1*P*b on `card` (`c1_ms` a sample and parameter), bound by compute above c0.

    As in article A section 1, the card holds `per_card_batch` samples and no more: the saved bytes are what fits, of
    ten equal layers that save two tensors each (estimate).
    """
    blank = Workload(
        id="example", name="", name_zh="", must=True, priority=1.0, people_at_once=1, runs_per_year=1.0,
        growth_per_year=0.0, steps_per_run=1.0, batch=math.ceil(per_card_batch * cards), precision="torch_default",
        optimizer="adam", max_hours_per_run=None, ecc_required=False, accumulation=True, multi_card=True, startup_s=0.0,
        workers=4, loader_ms_per_sample=0.0, overlap=0.0, step_cv=0.0, params=params, forward_flop_per_sample=1.0,
        saved_bytes_per_sample=0.0, largest_saved_bytes_per_sample=0.0, moved_bytes_per_sample=0.0,
        launches_per_step=0.0, parameter_tensors=2 * EXAMPLE_LAYERS, input_bytes_per_sample=0.0, dataset_bytes=0.0,
        batchnorm=False, batchnorm_min_batch=0,
    )  # fmt: skip
    per_flop = step_time(blank, card, 1).compute_ms  # of one forward FLOP, backward with it
    per_launch = step_time(replace(blank, launches_per_step=1.0), card, 1).launch_ms
    fixed = layout_memory(blank, 0, Layout(cards))
    room = max(0.0, limit_mib(card, margin) - fixed.context_mib - fixed.state_mib) * 2.0**20
    saved = room / per_card_batch / (1.0 + WORKSPACE_PER_LARGEST / (2 * EXAMPLE_LAYERS)) * (1.0 - 1e-9)
    return replace(
        blank, forward_flop_per_sample=c1_ms * params / per_flop, launches_per_step=c0_ms / per_launch,
        saved_bytes_per_sample=saved, largest_saved_bytes_per_sample=saved / (2 * EXAMPLE_LAYERS),
    )  # fmt: skip


@dataclass(frozen=True)
class _Setup:
    """One way to use the cards; `runs` jobs side by side, each on its own card."""

    workload: Workload
    card: Card
    margin: float
    layout: Layout = Layout()  # noqa: RUF009  (frozen, shared by all)
    link: Link | None = None
    runs: int = 1
    speed: float = 1.0
    power: float = 1.0
    hooks: bool = True


def _alternative(key: str, setup: _Setup) -> Alternative:
    workload, card, layout = setup.workload, setup.card, setup.layout
    limit = limit_mib(card, setup.margin, workload.ecc_required)
    share = math.ceil(workload.batch / layout.cards)
    largest = largest_that(lambda batch: layout_memory(workload, batch, layout).total_mib <= limit, share)
    fits = largest >= share or (largest >= 1 and workload.accumulation)
    passes = math.ceil(share / largest) if fits else 1
    micro = math.ceil(share / passes)
    passes = math.ceil(share / micro)
    step_ms = _step_ms(setup, micro, passes) if fits else None
    return Alternative(
        key=key, cards=layout.cards * setup.runs, memory_mib=layout_memory(workload, micro, layout).total_mib,
        limit_mib=limit, global_batch=workload.batch, micro_batch=micro, accumulation_steps=passes, step_ms=step_ms,
        runs_per_hour=None if step_ms is None else setup.runs / _run_hours(workload, step_ms),
        watts=layout.cards * setup.runs * setup.power * card.tdp_w if card.tdp_w > 0 else None,
        kind="estimate" if key in ESTIMATES else "prediction",
    )  # fmt: skip


def _step_ms(setup: _Setup, micro: int, passes: int) -> float:
    workload, layout = setup.workload, setup.layout
    step = step_time(
        workload, setup.card, micro, accumulation_steps=passes, data_parallel_cards=layout.cards,
        lanes=setup.card.pcie_lanes, recompute=layout.compute_factor,
    )  # fmt: skip
    alone = step.total_ms + (1.0 / setup.speed - 1.0) * step.busy_ms  # a cap slows what the card does, not the launches
    return workload.time_factor_on(setup.card.id) * data_parallel(
        alone, workload.params, volume_params_bytes(workload, layout.sharding), layout.cards, setup.link,
        overlap=workload.overlap, step_cv=workload.step_cv,
        parameter_tensors=workload.parameter_tensors if setup.hooks else 0,
        accumulation_steps=passes, messages=messages(workload, layout.sharding),
        blocking_messages=statistics_messages(workload, passes) if layout.cards > 1 else 0,
        overhead_ms_per_tensor=workload.overhead_ms_per_tensor,
    ).step_ms  # fmt: skip


def _run_hours(workload: Workload, step_ms: float) -> float:
    return workload.startup_s / 3600.0 + workload.steps_per_run * step_ms / MS_PER_HOUR


def _bound(setup: _Setup, found: Alternative) -> str:
    """What takes most of the step on several cards."""
    step = step_time(
        setup.workload, setup.card, found.micro_batch, accumulation_steps=found.accumulation_steps,
        data_parallel_cards=setup.layout.cards, lanes=setup.card.pcie_lanes,
    )  # fmt: skip
    added = (found.step_ms or 0.0) / setup.workload.time_factor_on(setup.card.id) - step.total_ms
    return "communication" if added > max(step.launch_ms, step.busy_ms, step.loader_ms) else step.bound
