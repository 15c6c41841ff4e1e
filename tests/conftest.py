"""No test reads the tables or the scenarios of whoever runs it."""

from __future__ import annotations

import os
import tempfile

EMPTY = tempfile.mkdtemp(prefix="hwcost-no-data-")
for name in ("XDG_DATA_HOME", "APPDATA"):
    os.environ[name] = EMPTY  # also for the processes that tests start
os.environ.pop("HWCOST_HOME", None)
os.environ["HWCOST_APP_AHEAD"] = "0"  # tests of it ask for it
