"""`hwcost template F.xlsx`: the input workbook, empty or filled from a scenario."""

from __future__ import annotations

import argparse
from pathlib import Path

from hwcost.atomic import output_problems, replacing
from hwcost.catalog import load_catalog
from hwcost.commands.session import Session, written
from hwcost.errors import InputError, Problem

SCHEMA = "hwcost.template/1"


def run(args: argparse.Namespace, session: Session) -> int:
    """Write the workbook; an existing file is kept unless --force is given."""
    path = Path(args.out)
    problems = output_problems("F.xlsx", path, ".xlsx")
    if not problems and path.exists() and not args.force:
        problems.append(Problem("template_exists", file=str(path), value=str(path)))
    if problems:
        raise InputError(problems)
    catalog = load_catalog(Path(args.catalog) if args.catalog is not None else None)
    from hwcost.intake.template import write_template

    def write(target: Path) -> None:
        with replacing(target) as temporary:
            write_template(temporary, catalog, session.lang, args.source)

    written(session, "F.xlsx", path, write)
    session.show([session.say("template.written", path=path)])
    session.write_json({"schema": SCHEMA, "file": str(path), "from": args.source, "lang": session.lang})
    return 0
