"""The tables that the two articles announce but do not contain, computed from the catalog: prints Markdown.

Run `python benchmarks/article_tables.py [--write docs/articles.md]`. Article A: section 4.2. Article B: tables 1 to 5.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from hwcost.catalog import load_catalog
from hwcost.memory import job_memory, largest_micro_batch, limit_mib, usable_mib
from hwcost.messages import say
from hwcost.rates import card_rates
from hwcost.records import Card, Catalog, Link, Network, Price
from hwcost.scaling import bandwidth_gb_s, data_parallel, find_link, link_id_for
from hwcost.scenario_workloads import MOVED_PER_SAVED
from hwcost.steptime import StepTime, step_time
from hwcost.threshold import threshold
from hwcost.workload import Workload

MIB = 2.0**20
MARGIN = 0.25
ARTICLE_CARDS = ("rtx-3090", "rtx-4090", "rtx-a5500", "tesla-v100s-32gb-pcie")
MORE_CARDS = ("rtx-5090", "rtx-a6000", "rtx-6000-ada", "rtx-pro-6000-blackwell-max-q")
HOST_W = 350.0  # a workstation's host under load, as in article B 8.1 worked out
BEGIN, END = "<!-- tables begin -->", "<!-- tables end -->"
PRICE_TRUST = ("quote", "list", "street", "used", "estimate")


def main() -> None:
    """Print every table, or put them between the markers of the file after `--write`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path, help="replace what stands between the markers in this file")
    target: Path | None = parser.parse_args().write
    text = tables(load_catalog())
    if target is None:
        print(text)
        return
    before, _, rest = target.read_text(encoding="utf-8").partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        parser.error(f"{target}: no lines {BEGIN} and {END} to write between")
    target.write_text(f"{before}{BEGIN}\n\n{text}\n{END}{after}", encoding="utf-8")


def tables(catalog: Catalog) -> str:
    """All tables as Markdown."""
    parts = (
        ("A 4.2: parameters at which four cards reach a speedup of 2", threshold_rows(catalog)),
        ("B table 1: training workloads on one RTX A5500", workload_rows(catalog)),
        ("B table 2: cards", card_rows(catalog)),
        ("B table 3: what bounds an operator on an RTX A5500", operator_rows(catalog)),
        ("B table 4: options, their cost and power", option_rows(catalog)),
        ("B table 5: what an option is good at", decision_rows(catalog)),
    )
    return "\n".join(f"### {title}\n\n{markdown(rows)}" for title, rows in parts)


def markdown(rows: Iterable[tuple[str, ...]]) -> str:
    """A Markdown table whose first row is the header."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, "|" + " --- |" * lines[0].count(" | ") + " --- |")
    return "\n".join(lines) + "\n"


def as_workload(network: Network, precision: str | None = None, batch: int | None = None) -> Workload:
    """The catalog's network as one run of a thousand steps."""
    moved = network.moved_mib_per_sample
    return Workload(
        id=network.id, name=network.name, name_zh=network.name_zh, must=True, priority=1.0, people_at_once=1,
        runs_per_year=1.0, growth_per_year=0.0, steps_per_run=1000.0, batch=batch or network.default_batch,
        precision=precision or network.default_precision, optimizer="adam", max_hours_per_run=None, ecc_required=False,
        accumulation=True, multi_card=True, startup_s=0.0, workers=4, loader_ms_per_sample=0.0, overlap=0.0,
        step_cv=0.02, params=network.params, forward_flop_per_sample=network.forward_gflop_per_sample * 1e9,
        saved_bytes_per_sample=network.saved_mib_per_sample * MIB,
        largest_saved_bytes_per_sample=network.largest_saved_mib_per_sample * MIB,
        moved_bytes_per_sample=(MOVED_PER_SAVED * network.saved_mib_per_sample if moved is None else moved) * MIB,
        launches_per_step=network.launches_per_step, parameter_tensors=network.parameter_tensors,
        input_bytes_per_sample=network.input_mib_per_sample * MIB, dataset_bytes=0.0, batchnorm=network.batchnorm,
        batchnorm_min_batch=network.batchnorm_min_batch,
    )  # fmt: skip


def threshold_rows(catalog: Catalog) -> list[tuple[str, ...]]:
    """A 4.2 with its own line (c0 = 2 ms, T_c = 8 ms at 2 M and batch 9), r* = 1, fp32 gradients, four cards."""
    rows = [("link", "GB/s", "alpha ms", "P* as in the article", "P* with 0.6 ms for the hooks of 30 tensors")]
    for link_id, generation in (
        ("eth_1g", None), ("eth_10g", None), ("eth_25g", None), ("eth_100g", None), ("pcie_host_staged", None),
        ("pcie_p2p_off", 4), ("pcie_p2p", 3), ("pcie_p2p", 4), ("pcie_p2p", 5), ("nvlink_sxm", None),
    ):  # fmt: skip
        link = find_link(catalog.links, link_id, 4, generation)
        if link is None:
            continue
        name = say(f"link.{link_id}", "en") + (f" {generation}.0" if generation else "")
        cells = [_threshold_cell(link, overhead) for overhead in (0.0, 0.6)]
        rows.append((name, f"{bandwidth_gb_s(link, 8e6):.4g}", f"{link.alpha_us / 1e3:.3f}", *cells))
    return rows


def _threshold_cell(link: Link, overhead_ms: float) -> str:
    found = threshold(
        c0_ms=2.0, c1_ms_per_param_sample=6.0 / (2e6 * 9), per_card_batch=9, cards=4, overhead_ms=overhead_ms,
        bandwidth_gb_s=bandwidth_gb_s(link, 8e6), alpha_ms=link.alpha_us / 1e3, speedup_target=2.0,
    )  # fmt: skip
    words = found.case.replace("_", " ")
    return words if found.params is None else f"{words} {found.params / 1e6:.3f} M"


def workload_rows(catalog: Catalog) -> list[tuple[str, ...]]:
    """B table 1: size, memory and the bound of a step, at each network's usual batch and precision."""
    card = catalog.cards["rtx-a5500"]
    rows = [("network", "parameters", "batch, precision", "memory GiB", "launches / bandwidth / compute ms", "bound")]
    for network in sorted(catalog.networks.values(), key=lambda n: (n.family, n.id)):
        job = as_workload(network)
        step = step_time(job, card, job.batch)
        parts = f"{step.launch_ms:.2f} / {step.bandwidth_ms:.2f} / {step.compute_ms:.2f}"
        memory = job_memory(job, job.batch).total_mib / 1024
        fits = "" if memory * 1024 <= limit_mib(card, MARGIN) else " (needs accumulation or more memory)"
        what = f"{job.batch}, {job.precision}"
        bound = say(f"bound.{step.bound}", "en")
        rows.append((network.name, f"{network.params / 1e6:.2f} M", what, f"{memory:.2f}{fits}", parts, bound))
    return rows


def card_rows(catalog: Catalog) -> list[tuple[str, ...]]:
    """B table 2: specifications beside what training reaches."""
    rows = [
        ("card", "usable GiB", "GB/s", "FP32", "TF32", "16-bit tensor TFLOPS, dense", "TDP W", "NVLink GB/s (cards)",
         "ResNet-50 img/s", "BERT-large seq/s", "expected ratio of a bandwidth-bound step to an A5500's")
    ]  # fmt: skip
    reference = card_rates(catalog.cards["rtx-a5500"], "torch_default")
    for card in _cards(catalog):
        ratio = reference.bytes_per_ms / card_rates(card, "torch_default").bytes_per_ms
        bridge = f"{card.nvlink_gb_s:g} ({card.nvlink_max_cards})" if card.nvlink_gb_s else "none"
        rows.append(
            (card.name, f"{usable_mib(card) / 1024:.1f}", f"{card.bandwidth_gb_s:g}", f"{card.fp32_tflops:g}",
             _known(card.tensor_tf32_tflops), _known(card.tensor_fp16_tflops), f"{card.tdp_w:g}", bridge,
             _known(card.resnet50_fp32_img_s), _known(card.bert_large_fp32_seq_s), f"{ratio:.2f}")
        )  # fmt: skip
    return rows


def operator_rows(catalog: Catalog) -> list[tuple[str, ...]]:
    """B table 3: FLOPs per byte of an operator at batch 64 in fp32, against the card's own ratio."""
    rates = card_rates(catalog.cards["rtx-a5500"], "torch_default")
    ridge = rates.flop_per_ms / rates.bytes_per_ms
    rows = [("operator (batch 64, fp32)", "GFLOP", "MB moved", "FLOP per byte", f"bound (card: {ridge:.0f})")]
    batch = 64
    for name, flop, elements in (
        ("first 2-D convolution, 200 -> 64, 3x3 on 16x16", *_convolution(batch, 200, 64, 9, 256)),
        ("first 3-D convolution, 1 -> 32, 3x3x7 on 16x16x200", *_convolution(batch, 1, 32, 63, 51_200)),
        ("pointwise convolution, 64 -> 64 on 16x16", *_convolution(batch, 64, 64, 1, 256)),
        ("deep 2-D convolution, 256 -> 256, 3x3 on 16x16", *_convolution(batch, 256, 256, 9, 256)),
        ("depthwise convolution, 64, 3x3 on 16x16", 2.0 * batch * 64 * 9 * 256, 2.0 * batch * 64 * 256 + 64 * 9),
        ("attention matrix, 200 tokens, 4 heads of 16", *_attention(batch, 200, 4, 16)),
        ("linear layer, 64 -> 256 on 200 tokens", *_convolution(batch, 64, 256, 1, 200)),
        ("normalisation or activation, 64 on 16x16", 5.0 * batch * 64 * 256, 2.0 * batch * 64 * 256),
    ):
        moved = 4.0 * elements
        bound = "compute" if flop / moved > ridge else "bandwidth"
        rows.append((name, f"{flop / 1e9:.2f}", f"{moved / 1e6:.1f}", f"{flop / moved:.1f}", bound))
    return rows


def _convolution(batch: int, channels_in: int, channels_out: int, kernel: int, places: int) -> tuple[float, float]:
    """FLOPs, and elements read and written once: input, weights, output."""
    flop = 2.0 * batch * channels_in * channels_out * kernel * places
    return flop, batch * places * (channels_in + channels_out) + float(channels_in * channels_out * kernel)


def _attention(batch: int, tokens: int, heads: int, width: int) -> tuple[float, float]:
    """Scores and their product with the values; the matrix is written, normalised (read, written) and read."""
    flop = 2 * 2.0 * batch * heads * tokens * tokens * width
    return flop, 4.0 * batch * heads * tokens * tokens + 4.0 * batch * heads * tokens * width


def option_rows(catalog: Catalog) -> list[tuple[str, ...]]:
    """B table 4: card money as dated in the catalog, supply rating and tile-training throughput of each option."""
    tile = _tile(catalog)
    rows = [("option", "cards' price, net of tax where stated", "cards W", "supply rating W", f"{tile.name}: tiles/s")]
    for card, count in _options(catalog):
        price = _price(catalog, card.id)
        money = "no price in the catalog" if price is None else (
            f"{count * price.amount:,.0f} {price.currency} ({price.price_kind}, {price.as_of})"
        )  # fmt: skip
        watts = count * card.tdp_w
        step = _tile_step(as_workload(tile), card)
        speed = "does not fit" if step is None else f"{count * tile.default_batch / step.total_ms * 1e3:.1f}"
        rows.append((f"{count} x {card.name}", money, f"{watts:.0f}", f"{(watts + HOST_W) / 0.8:.0f}", speed))
    return rows


def decision_rows(catalog: Catalog) -> list[tuple[str, ...]]:
    """B table 5: time of one job, jobs at once, largest tile batch, and what data parallelism makes of one job."""
    tile, patch = _tile(catalog), _patch(catalog)
    rows = [
        ("option", f"{patch.name}: step ms", "jobs at once", f"{tile.name}: step ms",
         "largest tile micro-batch", f"speedup of one {patch.name} job", f"speedup of one {tile.name} job")
    ]  # fmt: skip
    for card, count in _options(catalog):
        job, tiles = as_workload(patch), as_workload(tile)
        step, tile_step = step_time(job, card, job.batch), _tile_step(tiles, card)
        largest = largest_micro_batch(tiles, card, MARGIN, 10_000)
        rows.append(
            (f"{count} x {card.name}", f"{step.total_ms:.2f}", str(count),
             "does not fit" if tile_step is None else f"{tile_step.total_ms:.0f}", str(largest),
             _speedup(catalog, job, card, count, lambda b, j=job, c=card: step_time(j, c, b)),
             _speedup(catalog, tiles, card, count, lambda b, j=tiles, c=card: step_time(j, c, b)))
        )  # fmt: skip
    return rows


def _speedup(catalog: Catalog, job: Workload, card: Card, count: int, step: Callable[[int], StepTime]) -> str:
    """Speedup at the same global batch: the batch is split, so launches stay while samples shrink."""
    if count == 1:
        return "1"
    link = find_link(catalog.links, link_id_for(card, count), count, card.pcie_gen)
    part = step(-(-job.batch // count)).total_ms
    found = data_parallel(
        part, job.params, 4.0, count, link, step_cv=job.step_cv, parameter_tensors=job.parameter_tensors
    )
    return f"{step(job.batch).total_ms / found.step_ms:.2f}"


def _options(catalog: Catalog) -> list[tuple[Card, int]]:
    names = (
        ("rtx-3090", 1), ("rtx-4090", 1), ("rtx-5090", 1), ("tesla-v100s-32gb-pcie", 1), ("rtx-a6000", 1),
        ("rtx-pro-6000-blackwell-max-q", 1), ("rtx-4090", 2), ("rtx-a5500", 4),
    )  # fmt: skip
    return [(catalog.cards[name], count) for name, count in names if name in catalog.cards]


def _cards(catalog: Catalog) -> list[Card]:
    return [catalog.cards[name] for name in ARTICLE_CARDS + MORE_CARDS if name in catalog.cards]


def _tile(catalog: Catalog) -> Network:
    tiles = (n for n in catalog.networks.values() if n.family == "tile_segmentation")
    return max(tiles, key=lambda n: (n.id.startswith("unet") or n.id.startswith("u-net"), n.saved_mib_per_sample))


def _patch(catalog: Catalog) -> Network:
    patches = (n for n in catalog.networks.values() if n.id.startswith("hybridsn"))
    return max(patches, key=lambda n: n.forward_gflop_per_sample)


def _tile_step(job: Workload, card: Card) -> StepTime | None:
    micro = largest_micro_batch(job, card, MARGIN, job.batch)
    if micro == 0:
        return None
    return step_time(job, card, micro, accumulation_steps=-(-job.batch // micro))


def _price(catalog: Catalog, item_id: str) -> Price | None:
    rows = [row for row in catalog.prices if row.item_id == item_id]
    return min(rows, key=lambda p: (PRICE_TRUST.index(p.price_kind), -p.as_of.toordinal()), default=None)


def _known(value: float | None) -> str:
    return "none or unknown" if value is None else f"{value:g}"


if __name__ == "__main__":
    main()
