"""`hwcost app`: the Streamlit front end on this machine only."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import hwcost
from hwcost.commands.session import Session, whole_option
from hwcost.errors import InputError, Problem

ADDRESS = "127.0.0.1"  # prices and quotations are nobody else's business
DEFAULT_PORT = 8501
HIGHEST_PORT = 65535
# Those of `.streamlit/config.toml`, which is read from the folder of a checkout only and does not travel with an
# installed package: this machine only, no statistics sent, no traceback shown, small uploads.
SETTINGS: dict[str, str | tuple[str, ...]] = {
    "server.address": ADDRESS, "server.allowedHosts": ("localhost", ADDRESS), "server.enableCORS": "true",
    "server.enableXsrfProtection": "true", "server.enableStaticServing": "false", "server.maxUploadSize": "20",
    "server.fileWatcherType": "none", "server.showEmailPrompt": "false", "browser.gatherUsageStats": "false",
    "client.showErrorDetails": "type", "client.toolbarMode": "viewer", "theme.light.primaryColor": "#0072B2",
    "theme.dark.primaryColor": "#56B4E9",
}  # fmt: skip
PERSONAL = "HWCOST_APP_PERSONAL"  # one person's app: earlier sessions may be offered


def run(args: argparse.Namespace, session: Session) -> int:
    """Start Streamlit and wait for it; its exit status is ours, Ctrl-C is a normal end."""
    problems: list[Problem] = []
    port = whole_option(args.port, "--port", problems) or DEFAULT_PORT
    if port > HIGHEST_PORT:
        values = {"expected": f"1 - {HIGHEST_PORT}"}
        problems.append(Problem("option_range", file="--port", value=str(port), values=values))
    script = app_script()
    if script is None or find_spec("streamlit") is None:
        problems.append(Problem("app_missing"))
    if problems or script is None:
        raise InputError(problems)
    session.note(session.say("cli.app_start", address=f"http://{ADDRESS}:{port}"))
    environment = {**os.environ, "HWCOST_LANG": session.lang, PERSONAL: "1"}
    words = command(script, port)
    if os.name == "posix":  # in place of this process, so that a signal to it ends the app too
        sys.stderr.flush()
        os.execve(words[0], words, environment)
    try:
        return subprocess.call(words, env=environment)
    except KeyboardInterrupt:
        return 0


def app_script() -> Path | None:
    """The script that Streamlit runs: in the package, else `streamlit_app.py` of the checkout."""
    package = Path(hwcost.__file__).resolve().parent
    candidates = (package / "web" / "app.py", package.parent / "streamlit_app.py")
    return next((path for path in candidates if path.is_file()), None)


def command(script: Path, port: int) -> list[str]:
    """The command line of Streamlit: the settings, and the port."""
    words = [sys.executable, "-m", "hwcost.web.serve", "run", str(script), "--server.port", str(port)]
    for name, value in SETTINGS.items():
        for part in value if isinstance(value, tuple) else (value,):
            words += [f"--{name}", part]
    return words
