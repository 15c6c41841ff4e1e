"""Every workbook against the program: all bundled scenarios, both languages, every change of an input.

`python benchmarks/reconcile_all.py [pytest options]` runs `tests/test_reconcile.py` on the full set (some minutes; it
needs LibreOffice). The suite itself tries three scenarios that hold every rule of money between them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    everything = {"HWCOST_RECONCILE": "all", "HWCOST_REQUIRE_TOOLS": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "tests/test_reconcile.py", *sys.argv[1:]]
    return subprocess.run(command, cwd=ROOT, env=os.environ | everything, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
