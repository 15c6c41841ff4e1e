"""`hwcost measure [MODEL ...]`: the five steps of article A section 5 on this machine."""

from __future__ import annotations

import argparse

from hwcost.commands.session import Session
from hwcost.measure import require_torch


def run(args: argparse.Namespace, session: Session) -> int:
    require_torch("measure")
    return 0
