"""`hwcost calibrate FILE`: constants of the measured machine."""

from __future__ import annotations

import argparse

from hwcost.commands.session import Session
from hwcost.measure import require_torch


def run(args: argparse.Namespace, session: Session) -> int:
    require_torch("calibrate")
    return 0
