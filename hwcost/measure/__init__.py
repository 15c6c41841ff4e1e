"""Measures models and machines with torch: the optional extra `hwcost[measure]`. Nothing of the core imports it.

loading     a network and its inputs from words: `module:factory`, `1x30x25x25`
operators   FLOPs, bytes moved and kernels of one operator
watching    the modes that see every operator and every saved tensor
profiling   what one training step of a network needs, without running it on a card
models      reference networks of hyperspectral papers
references  which rows of the catalog they are (needs no torch)
machine     what ran: processor, cards, versions
timing      steps of one process on one device
ranks       several processes, one a card, that end together
kinds       what a case does in each of them
record      the file of a measurement, written after every finished step
checking    whether the figures of such a file can be what was measured (needs no torch)
steps       the five steps of article A section 5
line        a straight line through timings, with intervals (needs no torch)
several     what several cards add to a step (needs no torch)
fitting     constants with intervals from a measurement (needs no torch)
"""

from __future__ import annotations

from importlib.util import find_spec

from hwcost.errors import InputError, Problem

EXTRA = "hwcost[measure]"


def require_torch(command: str) -> None:
    """Raises `InputError` with what to install where torch is missing."""
    if find_spec("torch") is None:
        raise InputError([Problem("measure_no_torch", file=f"hwcost {command}", values={"extra": EXTRA})])
