"""A calculation in a thread of its own: the page shows its progress, keeps what is ready, and can stop it.

The solver lets other threads run while it searches. A stop takes effect at the next word of progress; the page does
not wait for it. Nothing here touches Streamlit, and the thread touches neither page nor session.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable
from typing import Any, Generic, TypeVar
from weakref import WeakSet

AT_THE_END_S = 3.0  # for what still searches when the program ends: the solver must not be cut off in the middle
T = TypeVar("T")
Report = Callable[[str, str], None]  # step, and the stage or option it is about


class Stopped(Exception):
    """Somebody pressed stop, or the inputs changed meanwhile."""


class Job(Generic[T]):
    """`task` gets a function for progress, and one for a part of the result that may be shown already."""

    def __init__(self, task: Callable[[Report, Callable[[T], None]], T]) -> None:
        self.parts: list[T] = []
        self.steps: list[tuple[str, str]] = []
        self.result: T | None = None
        self.error: BaseException | None = None
        self.started = time.monotonic()
        self.seconds = 0.0
        self._stop = threading.Event()
        self._done = threading.Event()
        self._task = task
        RUNNING.add(self)
        threading.Thread(target=self._run, daemon=True, name="hwcost-work").start()

    def _run(self) -> None:
        try:
            self.result = self._task(self._report, self.parts.append)
        except BaseException as error:
            self.error = error
        finally:
            self.seconds = time.monotonic() - self.started
            self._done.set()

    def _report(self, step: str, about: str) -> None:
        if self._stop.is_set():
            raise Stopped
        self.steps.append((step, about))

    def stop(self) -> None:
        self._stop.set()

    @property
    def done(self) -> bool:
        return self._done.is_set()

    def wait(self, seconds: float) -> bool:
        """True once it is done."""
        return self._done.wait(seconds)


RUNNING: WeakSet[Job[Any]] = WeakSet()


@atexit.register
def _end() -> None:
    """Stops what runs and waits for it: a thread that dies inside the solver takes the process down with a message."""
    left = [job for job in RUNNING if not job.done]
    for job in left:
        job.stop()
    until = time.monotonic() + AT_THE_END_S
    for job in left:
        job.wait(max(0.0, until - time.monotonic()))
