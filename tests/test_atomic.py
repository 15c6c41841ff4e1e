"""Output files: whole or not at all, and never in the place of what is no file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from cli_calls import call

from hwcost.atomic import write_text

Capture = pytest.CaptureFixture[str]


def test_an_output_is_never_moved_over_a_device_or_a_pipe(capsys: Capture, tmp_path: Path) -> None:
    """As root, a file moved over /dev/null would take the place of the device for every program."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    code, out, err = call(capsys, "--lang", "en", "check", "--json", str(pipe))
    assert (code, out) == (2, "") and "not a file" in err
    with pytest.raises(OSError, match="no file"):
        write_text(pipe, "{}")
    assert pipe.is_fifo() and list(tmp_path.iterdir()) == [pipe]


def test_a_link_stays_a_link_and_two_names_of_one_file_are_the_same_output(capsys: Capture, tmp_path: Path) -> None:
    link, target = tmp_path / "link.xlsx", tmp_path / "target.json"
    link.symlink_to(target)
    write_text(link, "{}")
    assert link.is_symlink() and target.read_text(encoding="utf-8") == "{}"
    code, _, err = call(capsys, "--lang", "en", "plan", "--json", str(target), "--xlsx", str(link))
    assert code == 2 and "two outputs" in err
