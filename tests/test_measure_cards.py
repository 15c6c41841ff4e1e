"""What `hwcost measure` asks of cards, with torch's answers about them made up: no card is needed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import torch
from test_measure import wanted

from hwcost.errors import InputError
from hwcost.measure import machine, ranks, steps, timing

A5500, TURING = ("NVIDIA RTX A5500", 8, 6), ("NVIDIA TITAN RTX", 7, 5)


def with_cards(monkeypatch: pytest.MonkeyPatch, *cards: tuple[str, int, int]) -> None:
    """A machine with these cards: name and compute capability."""
    made = [SimpleNamespace(name=n, major=a, minor=b, total_memory=24 * 2**30) for n, a, b in cards]
    monkeypatch.setattr(torch.cuda, "is_available", lambda: bool(made))
    monkeypatch.setattr(torch.cuda, "device_count", lambda: len(made))
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda i: made[i])
    monkeypatch.setattr(torch.distributed, "is_nccl_available", lambda: True)


def refused(**changes: Any) -> str:
    with pytest.raises(InputError) as raised:
        steps._device(wanted(**{"device": "auto", **changes}))
    (problem,) = raised.value.problems
    return problem.code


def test_all_cards_of_a_machine_are_used_where_nothing_else_is_stated(monkeypatch: pytest.MonkeyPatch) -> None:
    with_cards(monkeypatch, A5500, A5500, A5500)
    assert steps._device(wanted(device="auto", processes=None)) == ("cuda", 3)
    assert [card["name"] for card in machine._cards()] == [A5500[0]] * 3


def test_more_processes_than_cards_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with_cards(monkeypatch, A5500, A5500)
    assert refused(processes=4) == "measure_few_cards"


def test_cards_of_two_kinds_are_measured_one_at_a_time_only(monkeypatch: pytest.MonkeyPatch) -> None:
    with_cards(monkeypatch, A5500, TURING)
    assert refused(processes=2) == refused(processes=None) == "measure_mixed_cards"
    assert steps._device(wanted(device="auto", processes=1)) == ("cuda", 1)


@pytest.mark.parametrize("precision", ["tf32", "bf16"])
def test_a_card_without_a_precision_is_not_measured_in_another_under_its_name(
    precision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_cards(monkeypatch, TURING)
    assert refused(processes=1, precision=precision) == "measure_precision_card"
    with_cards(monkeypatch, A5500)
    assert steps._device(wanted(device="cuda", processes=1, precision=precision)) == ("cuda", 1)


def test_a_processor_has_no_tf32() -> None:
    assert refused(device="cpu", processes=1, precision="tf32") == "measure_precision_processor"


def test_several_cards_need_nccl_and_one_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    with_cards(monkeypatch, A5500, A5500)
    monkeypatch.setattr(torch.distributed, "is_nccl_available", lambda: False)
    assert refused(processes=2) == "measure_no_nccl"
    assert steps._device(wanted(device="cuda", processes=1)) == ("cuda", 1)
    assert machine.versions()["nccl"] is None


def test_each_process_takes_its_card_before_it_meets_the_others_over_nccl(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    calls: list[tuple[str, Any]] = []
    monkeypatch.setattr(torch.cuda, "set_device", lambda device: calls.append(("set_device", str(device))))
    monkeypatch.setattr(torch.cuda, "empty_cache", lambda: None)
    monkeypatch.setattr(ranks.os, "dup2", lambda a, b: None)
    monkeypatch.setattr(
        ranks.distributed, "init_process_group",
        lambda backend, **named: calls.append((backend, (named["rank"], named["world_size"], str(named["device_id"])))),
    )  # fmt: skip
    monkeypatch.setattr(ranks.distributed, "destroy_process_group", lambda: calls.append(("destroy", None)))
    settings = ranks.Settings("cuda", "fp32", "adam", (), None, 8, 0.9, 10, torch.get_num_threads())
    ranks._process(1, 2, [], settings, str(tmp_path))
    assert calls == [("set_device", "cuda:1"), ("nccl", (1, 2, "cuda:1")), ("destroy", None)]


class Event:
    """A mark on a card's time line that runs a ms behind for each mark before it."""

    made = 0
    waited = False

    def __init__(self, enable_timing: bool) -> None:
        assert enable_timing

    def record(self) -> None:
        Event.made += 1
        self.at = float(Event.made)

    def elapsed_time(self, other: Event) -> float:
        assert Event.waited, "a card's marks have no time before it has got there"
        return other.at - self.at


def test_a_cards_steps_are_timed_by_its_own_marks_after_it_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "Event", Event)
    monkeypatch.setattr(torch.cuda, "synchronize", lambda device: setattr(Event, "waited", True))
    clock = timing.Clock(torch.device("cuda", 0))
    for _ in range(4):
        clock.mark()
    assert clock.intervals_ms() == [1.0, 1.0, 1.0]


def test_the_peak_of_a_card_is_that_of_the_timed_steps_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    for name in ("synchronize", "reset_peak_memory_stats"):
        monkeypatch.setattr(torch.cuda, name, lambda device, name=name: order.append(name))
    for name in ("max_memory_allocated", "max_memory_reserved"):
        monkeypatch.setattr(torch.cuda, name, lambda device, name=name: order.append(name) or 2**20)

    class Trainer:
        device = torch.device("cuda", 0)

        def step(self, passes: Any, sync: bool) -> None:
            order.append("step")

    class Clock:
        def __init__(self, device: torch.device) -> None:
            order.append("clock")

        def mark(self) -> None:
            pass

        def intervals_ms(self) -> list[float]:
            return [1.0, 1.0]

    monkeypatch.setattr(timing, "Clock", Clock)
    steps_of: Any = timing.time_steps
    found = steps_of(Trainer(), [], 2)
    assert order[:6] == ["step"] * 3 + ["synchronize", "reset_peak_memory_stats", "clock"]
    assert order[6:8] == ["step", "step"] and found["peak_mib"] == 1.0


def test_the_line_with_the_error_is_taken_from_a_report_of_several_lines() -> None:
    report = (
        "\n\n-- Process 1 terminated with the following error:\nTraceback (most recent call last):\n"
        '  File "a.py", line 3, in f\n    x()\n'
        "RuntimeError: Expected to have finished reduction\nParameter indices: 2 3\n"
    )
    assert ranks.reason_of(report) == "RuntimeError: Expected to have finished reduction"
    assert ranks.reason_of("process 1 terminated with signal SIGKILL") == "process 1 terminated with signal SIGKILL"
