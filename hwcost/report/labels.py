"""Names of machines, parts and workloads as the workbook prints them."""

from __future__ import annotations

from hwcost.build import Build
from hwcost.messages import say, texts
from hwcost.names import machine_form
from hwcost.records import Catalog
from hwcost.workload import Workload


def machine(build: Build, lang: str) -> str:
    """One line that tells a machine or a service from any other of the workbook."""
    if build.service:
        return build.service.name_zh if lang == "zh" else build.service.name
    if build.system:
        return build.system.name_zh if lang == "zh" else build.system.name
    host = build.chassis.name_zh if lang == "zh" else build.chassis.name
    storage = build.storage.name_zh if lang == "zh" else build.storage.name
    times = "×" if lang == "zh" else " x "
    cards = build.cards // build.nodes_per_unit
    one = f"{cards}{times}{build.card.name} · {host} · {build.psu_count}{times}{build.psu.name} · {storage}"
    return _joined(one, build, lang)


def _joined(one: str, build: Build, lang: str) -> str:
    """The machine, or so many of it joined by a network."""
    return one if build.nodes_per_unit == 1 else say("report.joined", lang, count=build.nodes_per_unit, machine=one)


def short_machine(build: Build, lang: str) -> str:
    """Cards and host: "8 x RTX PRO 4000 in ThinkSystem ST650 V2"; of a quoted machine, its name."""
    if build.system:
        return machine(build, lang)
    host = build.chassis.name_zh if lang == "zh" else build.chassis.name
    cards = build.cards // build.nodes_per_unit
    one = f"{host}（{cards}×{build.card.name}）" if lang == "zh" else f"{cards} x {build.card.name} in {host}"
    return _joined(one, build, lang)


def unit(code: str, lang: str) -> str:
    """The unit in words; a unit that is the same in every language (GiB, CNY) stands for itself."""
    key = f"unit.{code}"
    return say(key, lang) if key in texts() else code


def workload(item: Workload, lang: str) -> str:
    return item.name_zh if lang == "zh" and item.name_zh else item.name


def part(catalog: Catalog, item_id: str, name: str, lang: str) -> str:
    """The part's name; hosts, storage and quoted systems have a Chinese one."""
    if lang == "zh":
        for table in (catalog.chassis, catalog.storage, catalog.systems):
            if item_id in table:
                return str(table[item_id].name_zh or name)
    return name


def specification(build: Build, role: str, lang: str) -> str:
    """What the figures of a part are, in a line; empty for roles without any."""
    key = f"report.spec.{role}"
    if key not in texts():
        return ""
    form = say(f"form.{machine_form(build)}", lang)
    return say(
        key, lang, memory=build.card.memory_gib, tdp=build.card.tdp_w, form=form, cores=build.chassis.cpu_cores,
        ram=build.chassis.ram_gib, slots=build.chassis.slots, watts=build.psu.watts_high_line,
        capacity=build.storage.capacity_tb, read=build.storage.read_mb_s, cards=build.cards, card=build.card.name,
    )  # fmt: skip


def source_text(text: str, lang: str) -> str:
    """A source as it is cited; one in English is marked as quoted in a Chinese sheet."""
    foreign = lang == "zh" and bool(text) and not any("\u4e00" <= c <= "\u9fff" for c in text)
    return say("report.source_quoted", lang, text=text) if foreign else text
