"""`hwcost catalog import|list|add`: a vendor's file into the user's tables, what the catalog holds, a new card."""

from __future__ import annotations

import argparse
from pathlib import Path

from hwcost.catalog import load_catalog
from hwcost.commands import catalog_import
from hwcost.commands.session import Session
from hwcost.errors import InputError, Problem
from hwcost.intake.store import first_use, has_tables

ACTIONS = ("import", "list", "add")


def _check_folders(args: argparse.Namespace) -> None:
    """Raises `InputError` for a name that the system takes for no folder at all, such as one that is too long."""
    for text in (args.to, args.catalog):
        try:
            if text is not None:
                Path(text).expanduser().exists()
        except (OSError, ValueError, RuntimeError) as error:
            values = {"reason": getattr(error, "strerror", None) or str(error)}
            raise InputError([Problem("file_unreadable", file=text[:80], values=values)]) from error


def run(args: argparse.Namespace, session: Session) -> int:
    """One of the actions. Status 2 where something is open or wrong, and then nothing is written."""
    if args.action != "list" and not args.what:
        problem = Problem("catalog_what_missing", file=f"catalog {args.action}", values={"action": args.action})
        raise InputError([problem])
    folder = Path(args.catalog) if args.catalog is not None else None
    _check_folders(args)
    if args.action == "list":
        catalog = load_catalog(folder)
    else:
        with first_use():  # the folder may be the one that this call fills
            catalog = load_catalog(folder if folder is not None and has_tables(folder) else None)
    if args.action == "import":
        return catalog_import.run(args, session, catalog)
    if args.action == "list":
        from hwcost.commands import catalog_list

        return catalog_list.run(args, session, catalog)
    from hwcost.commands import catalog_add

    return catalog_add.run(args, session, catalog)
