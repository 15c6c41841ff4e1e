"""What was measured: processor, memory, cards and versions."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

import torch

import hwcost


def describe(device: str) -> dict[str, Any]:
    """The machine; what the system does not tell is None."""
    return {
        "cpu": _cpu_name(),
        "cores": os.cpu_count(),
        "ram_gib": ram_gib(),
        "system": platform.platform(terse=True),
        "device": device,
        "cards": _cards() if device == "cuda" else [],
    }


def versions() -> dict[str, Any]:
    """Versions of everything that sets the pace."""
    on_card = torch.cuda.is_available() and torch.distributed.is_available() and torch.distributed.is_nccl_available()
    nccl = torch.cuda.nccl.version() if on_card else None
    return {
        "hwcost": hwcost.__version__,
        "python": platform.python_version(),
        "torch": torch.__version__,
        "cuda": torch.version.cuda,
        "cudnn": torch.backends.cudnn.version() if torch.cuda.is_available() else None,
        "nccl": ".".join(str(part) for part in nccl) if nccl else None,
    }


def _cards() -> list[dict[str, Any]]:
    found = []
    for i in range(torch.cuda.device_count()):
        card = torch.cuda.get_device_properties(i)
        found.append({
            "name": card.name, "memory_mib": card.total_memory / 2**20, "capability": f"{card.major}.{card.minor}",
        })  # fmt: skip
    return found


def _cpu_name() -> str | None:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or None


def ram_gib() -> float | None:
    """Main memory; None where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    except (AttributeError, ValueError, OSError):  # not every system tells
        return None


def usable_cores() -> int:
    """Cores that this process may use: a container or a scheduler gives fewer than there are."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1
