"""Many independent solves on several processes, or on an existing Dask cluster.

A task is a top-level function of (context, job); every task stands for itself, so the results are the same for any
number of workers and come back in the order of the jobs. Worker processes are spawned, never forked: a forked child
can hang after a solve. Ctrl-C stops early and keeps what is done.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from types import FrameType
from typing import Any, Generic, TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")
Progress = Callable[[int, int], None]  # jobs done, jobs in all


@dataclass(frozen=True)
class Outcome(Generic[Result]):
    """`results` in the order of the jobs, None where one was not done; `stopped` by the user before the end."""

    results: tuple[Result | None, ...]
    stopped: bool

    @property
    def done(self) -> tuple[Result, ...]:
        return tuple(r for r in self.results if r is not None)


def default_workers() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return max(1, os.cpu_count() or 1)


def run(
    task: Callable[[Any, Job], Result], context: Any, jobs: Sequence[Job], *, workers: int | None = 1,
    dask: str | None = None, on_done: Progress | None = None,
) -> Outcome[Result]:  # fmt: skip
    """Do every job. `workers` processes (None: one for each processor; 1: this one), or the cluster at `dask`.

    Raises what a task raises, and `ModuleNotFoundError` where `dask` is given and `distributed` is not installed.
    """
    report = on_done or (lambda done, count: None)
    if dask is not None:
        return _on_cluster(task, context, jobs, dask, report)
    count = min(len(jobs), default_workers() if workers is None else workers)
    if count <= 1:
        return _here(task, context, jobs, report)
    return _in_processes(task, context, jobs, count, report)


def _here(task: Callable[[Any, Job], Result], context: Any, jobs: Sequence[Job], report: Progress) -> Outcome[Result]:
    """In this process. A solver may take an interrupt for the end of one solve, so that it is noted here too."""
    results: list[Result | None] = [None] * len(jobs)
    with _noted() as stopped:
        try:
            for n, job in enumerate(jobs):
                found = task(context, job)
                if stopped:  # this job was cut short
                    break
                results[n] = found
                report(n + 1, len(jobs))
        except KeyboardInterrupt:
            return Outcome(tuple(results), True)
    return Outcome(tuple(results), bool(stopped))


@contextmanager
def _noted() -> Iterator[list[int]]:
    """A list that holds the interrupts that came meanwhile; they go on to whoever handled them before."""
    came: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield came  # signals reach the main thread only
        return
    before = signal.getsignal(signal.SIGINT)

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)
        if callable(before):
            before(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield came
    finally:
        signal.signal(signal.SIGINT, before)


_shared: tuple[Callable[[Any, Any], Any], Any] | None = None  # of a worker process: its task and context, sent once


def _start(task: Callable[[Any, Any], Any], context: Any) -> None:
    global _shared
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process decides what an interrupt means
    _shared = (task, context)


def _work(job: Any) -> Any:
    assert _shared is not None
    return _shared[0](_shared[1], job)


def _in_processes(
    task: Callable[[Any, Job], Result], context: Any, jobs: Sequence[Job], count: int, report: Progress
) -> Outcome[Result]:
    with ProcessPoolExecutor(count, get_context("spawn"), _start, (task, context)) as executor:
        futures: list[Future[Result]] = [executor.submit(_work, job) for job in jobs]
        return _collected(futures, as_completed(futures), report, lambda: executor.shutdown(cancel_futures=True))


def _collected(
    futures: Sequence[Any], finished: Iterable[Any], report: Progress, cancel: Callable[[], None]
) -> Outcome[Any]:
    """Results as they come, in the order of the jobs; on an interrupt only those that are there."""
    place = {id(future): n for n, future in enumerate(futures)}
    results: list[Any] = [None] * len(futures)
    count = 0
    try:
        for future in finished:
            results[place[id(future)]] = future.result()
            count += 1
            report(count, len(futures))
    except KeyboardInterrupt:
        cancel()
        return Outcome(tuple(results), True)
    except BaseException:
        cancel()
        raise
    return Outcome(tuple(results), False)


def _on_cluster(
    task: Callable[[Any, Job], Result], context: Any, jobs: Sequence[Job], address: str, report: Progress
) -> Outcome[Result]:
    from distributed import Client
    from distributed import as_completed as as_completed_there

    with Client(address, timeout="30s") as client:
        shared = client.scatter(context, broadcast=True, hash=False)
        futures = [client.submit(task, shared, job, pure=False) for job in jobs]
        finished = as_completed_there(futures)
        return _collected(futures, finished, report, lambda: client.cancel(futures))
