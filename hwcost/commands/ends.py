"""How a command ends that did not do its work: bad input, a file that the system refuses, a defect."""

from __future__ import annotations

import os
import sys
import traceback

from hwcost.errors import InputError
from hwcost.messages import say

BAD_INPUT, DEFECT, INTERRUPTED = 2, 1, 130
MOST_OF_A_NAME = 200  # characters of a file's name in a message


def bad_input(error: InputError, pure_json: bool, lang: str) -> int:
    """All problems as sentences on stderr, and as JSON where stdout is asked for JSON."""
    from hwcost.problems import problem_text
    from hwcost.record import problems_record, to_json

    for problem in error.problems:
        print(problem_text(problem, lang), file=sys.stderr)
    print(say("cli.problems", lang, count=len(error.problems)), file=sys.stderr)
    if pure_json:
        print(to_json(problems_record(error, lang)), end="")
    return BAD_INPUT


def bad_file(error: OSError, lang: str) -> int:
    """What the system says about a file or folder: a name too long, no room, no right to read."""
    reason = error.strerror or type(error).__name__
    print(say("cli.bad_file", lang, file=str(error.filename)[:MOST_OF_A_NAME], reason=reason), file=sys.stderr)
    return BAD_INPUT


def defect(error: Exception, lang: str) -> int:
    if os.environ.get("HWCOST_DEBUG"):
        traceback.print_exc()
    reason = str(error).splitlines()[0] if str(error) else "-"
    print(say("cli.defect", lang, kind=type(error).__name__, reason=reason), file=sys.stderr)
    return DEFECT
