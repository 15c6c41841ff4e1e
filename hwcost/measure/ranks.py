"""Cases that one or several processes run together, one a card: the same code on cards (nccl) and processors (gloo).

Every case that ends leaves its result in a folder, from where the caller takes it while the rest still runs.
"""

from __future__ import annotations

import contextlib
import gc
import json
import logging
import multiprocessing as processes_of_python
import os
import re
import shutil
import signal
import tempfile
import threading
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import torch
from torch import distributed, multiprocessing

from hwcost.atomic import write_text
from hwcost.errors import InputError, Problem

LONGEST_SILENCE = timedelta(minutes=10)  # of another process, before the exchange is given up
GRACE_S = 10.0  # for a process to end by itself
ERROR_LINE = re.compile(r"^\w+(\.\w+)*(Error|Exception|Exit|Interrupt|Warning)\b")


@dataclass(frozen=True)
class Case:
    """One thing to measure. `kind` is a key of `kinds.KINDS`; `step` and `key` say where its result belongs."""

    step: str
    key: str
    kind: str
    model: str = ""
    batch: int = 1  # samples of one process and optimizer step
    count: int = 10  # timed steps, or repeats
    sync: bool = True
    message_bytes: int = 0
    seeds: int = 1
    optional: bool = False  # of one process: what the network refuses is noted, and the next case follows


@dataclass(frozen=True)
class Settings:
    """What all cases share."""

    device: str
    precision: str
    optimizer: str
    inputs: tuple[str, ...]  # of the user's own networks
    data: str | None
    max_batch: int  # largest micro-batch; more is accumulated
    target_accuracy: float
    most_steps: int  # of a run to the target
    threads: int  # of one process, on a processor


def run_cases(cases: Sequence[Case], processes: int, settings: Settings) -> Iterator[tuple[Case, dict[str, Any]]]:
    """Runs the cases in their order over `processes` and yields each result as soon as it is there.

    Raises `InputError` where a process fails: the user's code, or the machine's communication.
    """
    with tempfile.TemporaryDirectory(prefix="hwcost-measure-") as name:
        folder = Path(name)
        arguments = (processes, list(cases), settings, str(folder))
        logging.getLogger("torch.multiprocessing.spawn").setLevel(logging.ERROR)  # whom it ends is no news
        with _deaf_to_interrupts():
            context: Any = multiprocessing.start_processes(
                _process, arguments, nprocs=processes, join=False, start_method="spawn"
            )
        given = 0
        try:
            running = True
            while running:
                running = not context.join(timeout=0.1)
                while given < len(cases) and (folder / f"{given}.json").is_file():
                    yield cases[given], json.loads((folder / f"{given}.json").read_text(encoding="utf-8"))
                    given += 1
        except (multiprocessing.ProcessRaisedException, multiprocessing.ProcessExitedException) as error:
            raise _failed(cases[min(given, len(cases) - 1)], reason_of(str(error))) from error
        finally:
            _end(context.processes)
        if given < len(cases):  # a network that ends the program leaves no error behind
            raise _failed(cases[given], "SystemExit: 0")


@contextlib.contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """What is started here inherits that Ctrl-C is ignored: this process alone hears it and ends the others."""
    if threading.current_thread() is not threading.main_thread():  # only there may signals be set
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _end(processes: Sequence[Any]) -> None:
    for process in processes:
        if process.is_alive():
            process.terminate()
    for process in processes:
        process.join(GRACE_S)
        if process.is_alive():  # hangs in an exchange that hears no signal
            process.kill()
            process.join()


def reason_of(report: str) -> str:
    """The line with the error in a report of a process: behind the last line of its traceback."""
    lines = [line.rstrip() for line in report.strip().splitlines() if line.strip()]
    inner = [i for i, line in enumerate(lines) if line.startswith((" ", "\t"))]
    rest = lines[inner[-1] + 1 :] if inner else lines
    named = next((line for line in rest if ERROR_LINE.match(line)), None)
    return named or (rest or lines or ["-"])[0 if inner else -1]


def _failed(case: Case, reason: str) -> InputError:
    values = {"case": f"{case.step} {case.key}", "reason": reason}
    return InputError([Problem("measure_failed", file=case.model or "measure", values=values)])


def _process(rank: int, processes: int, cases: list[Case], settings: Settings, folder: str) -> None:
    """What each process does; the first one writes the results."""
    from hwcost.measure.kinds import KINDS  # which builds on this module

    os.dup2(2, 1)  # what a network prints is no result
    threading.Thread(target=_end_with_parent, args=(folder,), daemon=True).start()
    warnings.filterwarnings("ignore", message="Grad strides do not match bucket view strides")  # nothing to act on
    device = torch.device(settings.device, rank) if settings.device == "cuda" else torch.device("cpu")
    if settings.device == "cuda":
        torch.cuda.set_device(device)
    torch.set_num_threads(settings.threads)
    if processes > 1:
        _meet(rank, processes, device, folder)
    for i, case in enumerate(cases):
        gc.collect()  # wrapped networks hold themselves
        if settings.device == "cuda":
            torch.cuda.empty_cache()
        torch.manual_seed(0)
        ranks = Ranks(rank, processes, device)
        result = KINDS[case.kind](case, settings, ranks)
        if rank == 0:
            write_text(Path(folder) / f"{i}.json", json.dumps({"processes": processes, **result}))
        ranks.wait()
    # not after an error: it would wait for processes that wait for this one
    if processes > 1:
        distributed.destroy_process_group()


def _meet(rank: int, processes: int, device: torch.device, folder: str) -> None:
    """Joins the others; the card is named, so that NCCL does not guess it."""
    on_card = device.type == "cuda"
    distributed.init_process_group(
        "nccl" if on_card else "gloo", store=distributed.FileStore(str(Path(folder) / "meeting"), processes), rank=rank,
        world_size=processes, timeout=LONGEST_SILENCE, device_id=device if on_card else None,
    )  # fmt: skip


def _end_with_parent(folder: str) -> None:
    """Ends this process, wherever it is, when the one that started it is gone: killed, it could not do so itself."""
    parent = processes_of_python.parent_process()
    if parent is not None:
        parent.join()
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)


@dataclass(frozen=True)
class Ranks:
    rank: int
    processes: int
    device: torch.device

    def all_say(self, yes: bool) -> bool:
        """True where every process says so."""
        if self.processes == 1:
            return yes
        votes = torch.tensor([1.0 if yes else 0.0], device=self.device)
        distributed.all_reduce(votes, op=distributed.ReduceOp.MIN)
        return bool(votes.item() > 0.5)

    def wait(self) -> None:
        """Until every process is here."""
        if self.processes > 1:
            distributed.barrier()
