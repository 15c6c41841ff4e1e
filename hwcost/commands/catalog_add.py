"""`hwcost catalog add "RTX 5000 Ada"`: a draft row for a card, with the list of what must be completed."""

from __future__ import annotations

import argparse

from hwcost.commands.session import Session
from hwcost.errors import InputError, Problem
from hwcost.intake.new_card import FILE, new_card
from hwcost.intake.store import add_draft, target_folder
from hwcost.records import Catalog

SCHEMA = "hwcost.card/1"


def run(args: argparse.Namespace, session: Session, catalog: Catalog) -> int:
    """Write the draft beside the user's tables: a row with empty cells in the table itself would stop every plan."""
    card = new_card(args.what, catalog)
    folder = target_folder(args.to, args.catalog)
    if not args.dry_run:
        try:
            path = add_draft(folder, FILE, card.cells)
        except OSError as error:
            values = {"reason": error.strerror or str(error)}
            raise InputError([Problem("intake_not_written", file=str(folder), values=values)]) from error
        values = {"name": card.cells["name"], "id": card.cells["id"], "file": str(path),
                  "columns": ", ".join(card.missing) or "-"}  # fmt: skip
        session.show([session.say("intake.add.done", **values), session.say("intake.add.stays", file=folder / FILE)])
    else:
        session.show([f"{name}: {text or '-'}" for name, text in card.cells.items()])
        session.note(session.say("intake.dry_run", folder=folder))
    session.write_json(
        {"schema": SCHEMA, "card": card.cells, "missing": list(card.missing), "unknown": list(card.unknown)}
    )
    return 0
