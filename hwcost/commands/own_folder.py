"""The folder of the user's own tables or measurements: made when something is written, named where it cannot be."""

from __future__ import annotations

import os
from pathlib import Path

from hwcost.atomic import output_problems
from hwcost.errors import Problem


def folder_problems(option: str, folder: Path) -> list[Problem]:
    """What keeps `folder` from being made and written to; nothing is made yet."""
    place = f"{option} {folder}"
    if folder.exists() and not folder.is_dir():
        return [Problem("folder_is_file", file=place)]
    nearest = folder.resolve()
    while not nearest.exists():
        nearest = nearest.parent
    if not nearest.is_dir():
        return [Problem("measure_folder_in_file", file=place, value=str(nearest))]
    if not os.access(nearest, os.W_OK | os.X_OK):
        return [Problem("measure_folder_rights", file=place, value=str(nearest))]
    return []


def file_problems(option: str, path: Path, suffix: str) -> list[Problem]:
    """What keeps a file from being written whose folder is made where it is missing."""
    folder = path.resolve().parent
    if folder.is_dir():
        return output_problems(option, path, suffix)
    if path.suffix.lower() != suffix:
        return [Problem("output_suffix", file=f"{option} {path}", value=str(path), values={"suffix": suffix})]
    return folder_problems(option, folder)
