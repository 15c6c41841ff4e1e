"""`hwcost doctor`: whether this installation works, and what to do where it does not."""

from __future__ import annotations

import argparse

from hwcost.commands.session import Session, check_outputs
from hwcost.commands.table import table
from hwcost.doctor import findings
from hwcost.errors import InputError

SCHEMA = "hwcost.doctor/1"


def run(args: argparse.Namespace, session: Session) -> int:
    """Status 0 where everything needed works, else 2: something has to be installed or mended."""
    problems = check_outputs(session)
    if problems:
        raise InputError(problems)
    found = findings(session.lang)
    good = all(f.ok for f in found if f.needed)
    words = [(f, session.say(f"doctor.{f.key}", **f.values)) for f in found]
    cells = [
        [text, session.say("cli.ok" if f.ok else "cli.missing" if f.needed else "cli.optional")] for f, text in words
    ]
    titles = session.columns("check", "result")
    verdict = session.say("cli.doctor_ok" if good else "cli.doctor_bad")
    session.show([session.heading("doctor"), *table(titles, cells), "", verdict])
    checks = [{"check": f.key, "ok": f.ok, "needed": f.needed, "text": text, **f.values} for f, text in words]
    session.write_json({"schema": SCHEMA, "ok": good, "checks": checks})
    return 0 if good else 2
