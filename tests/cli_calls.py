"""One call of the command line in process."""

from __future__ import annotations

import pytest

from hwcost import cli


def call(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = cli.main(list(words))
    out, err = capsys.readouterr()
    return code, out, err
