"""`python -m hwcost.web.serve run SCRIPT ...`: Streamlit with its own arguments, and the first answer made ready.

A browser takes a second or two to load the page. Meanwhile a thread reads the catalog and works out the scenario that a
new session shows; the session finds the answer there, or waits for the rest of it.
"""

from __future__ import annotations

import logging
import sys
import threading

log = logging.getLogger(__name__)


def warm() -> None:
    """Load what the pages need, and the answer to the default scenario. What is wrong is told by the page."""
    try:
        from hwcost.scenario_io import DEFAULT_SCENARIO, load_scenario
        from hwcost.web import run, state

        catalog = state.shared_catalog()
        run.shared_job(load_scenario(DEFAULT_SCENARIO, catalog), catalog, patient=True)
        import hwcost.web.app
        import hwcost.web.views.decision  # noqa: F401
    except Exception as error:
        log.info("nothing was made ready: %s", error)


def main() -> None:
    from streamlit.web.cli import main as streamlit

    threading.Thread(target=warm, daemon=True, name="hwcost-warm").start()
    sys.argv[0] = "streamlit"
    streamlit(prog_name="streamlit")


if __name__ == "__main__":
    main()
