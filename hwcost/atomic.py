"""Files appear whole or not at all: written beside their place under another name, then moved over it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hwcost.errors import Problem


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path in the folder of `path`; it takes its place when the block ends without an exception.

    After an exception the old file is as it was, and nothing is left beside it. A link is followed, so that it stays a
    link. Raises `OSError` where the folder cannot be written, another program holds the file, or what stands there is
    no file: moved over a device such as /dev/null, a file would take its place for every program.
    """
    path = path.resolve()
    if is_special(path):
        raise OSError(f"{path} is no file")
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-", suffix=path.suffix)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(_usual_mode(path))
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def is_special(path: Path) -> bool:
    """True for a device, a pipe or a socket."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _usual_mode(path: Path) -> int:
    """The mode of the file that is replaced, else what the user's mask gives to a new file (mkstemp gives 0600)."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def write_text(path: Path, text: str) -> None:
    """Write `text` as UTF-8 with line feeds, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def output_problems(option: str, path: Path, suffix: str = "") -> list[Problem]:
    """What keeps a file from being written at `path`, known before the work begins."""

    def problem(code: str) -> list[Problem]:
        return [Problem(code, file=f"{option} {path}", value=str(path), values={"suffix": suffix})]

    if path.is_dir():
        return problem("output_is_folder")
    if is_special(path):
        return problem("output_is_device")
    if not path.resolve().parent.is_dir():
        return problem("output_folder_missing")
    if suffix and path.suffix.lower() != suffix:
        return problem("output_suffix")
    writable = os.access(path.resolve().parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))
    return [] if writable else problem("output_not_writable")
