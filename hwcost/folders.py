"""Folders of one user: where the program keeps what belongs to nobody else."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def data_folder() -> Path:
    """The platform's folder for a program's data of one user; it need not be there."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or home / "AppData" / "Roaming") / "hwcost"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "hwcost"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "hwcost"
