"""The command line. Exit status:

    0    done; a plan is proven to be the best
    1    a defect of the program (one sentence; HWCOST_DEBUG=1 shows where)
    2    bad input: every problem as a sentence on stderr, nothing written
    3    no plan meets the hard rules: the conflict and its repairs are printed and in the JSON
    4    best found at the time limit, not proven
    130  interrupted

Results go to stdout, progress and diagnostics to stderr. With `--json -` stdout is JSON and nothing else.
The language is `--lang`, else that of LC_ALL, LC_MESSAGES, LANG: zh for zh*, en for all others.
"""

from __future__ import annotations

import argparse
import importlib
import io
import locale
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import hwcost
from hwcost.commands import ends
from hwcost.commands.ends import BAD_INPUT, DEFECT, INTERRUPTED
from hwcost.errors import InputError
from hwcost.messages import LANGUAGES, say
from hwcost.workload import OPTIMIZERS, PRECISIONS

COMMANDS = (
    "start", "plan", "compare", "explain", "frontier", "switch-price", "sensitivity", "sweep", "check", "threshold",
    "memory", "predict", "profile", "measure", "calibrate", "catalog",
    "template", "doctor", "app",
)  # fmt: skip
MEASURE_STEPS = ("baseline", "all_reduce", "ratio", "scan", "target")
FAMILIES = ("patch_cnn", "patch_transformer", "tile_segmentation", "foundation", "other")
OBJECTIVES = ("budget", "serve", "cost")
LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")

# argparse speaks English only; its messages are recognised by their form
ARGUMENT = r"argument (?P<argument>.*?)"
USAGE_FORMS = (
    ("unrecognized", re.compile(r"^unrecognized arguments: (?P<what>.*)$", re.DOTALL)),
    ("choice", re.compile(rf"^{ARGUMENT}: invalid choice: (?P<value>.*) \(choose from (?P<choices>.*)\)$")),
    ("required", re.compile(r"^the following arguments are required: (?P<what>.*)$")),
    ("one", re.compile(rf"^{ARGUMENT}: expected one argument$")),
    ("at_least_one", re.compile(rf"^{ARGUMENT}: expected at least one argument$")),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status and never raises."""
    words = list(sys.argv[1:] if argv is None else argv)
    _use_utf8()
    lang = language(words, os.environ)
    try:
        code = _run(words, lang)
        sys.stdout.flush()
        return code
    except SystemExit as stop:  # argparse: help and version end with 0, a usage error with 2
        return stop.code if isinstance(stop.code, int) else BAD_INPUT
    except KeyboardInterrupt:
        print(say("cli.interrupted", lang), file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of a pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except ModuleNotFoundError as error:
        print(say("cli.not_installed", lang, name=error.name), file=sys.stderr)
        return DEFECT
    except Exception as error:
        return ends.defect(error, lang)


def _run(words: list[str], lang: str) -> int:
    args = build_parser(lang).parse_args(words)
    if args.command is None:
        build_parser(lang).print_help(sys.stderr)
        return BAD_INPUT
    from hwcost.commands.session import Session

    session = Session(lang, args.json)
    try:
        run: Callable[[argparse.Namespace, Session], int] = importlib.import_module(
            f"hwcost.commands.{args.command.replace('-', '_')}"
        ).run
        return run(args, session)
    except InputError as error:
        return ends.bad_input(error, session.pure_json, lang)
    except OSError as error:
        if error.filename is None:  # no file of the user's: a defect
            raise
        return ends.bad_file(error, lang)


def language(words: Sequence[str], environment: Mapping[str, str]) -> str:
    """`--lang` where it is valid, else the language of the environment (zh* is zh), else en."""
    for i, word in enumerate(words):
        stated = word.removeprefix("--lang=") if word.startswith("--lang=") else None
        if word == "--lang" and i + 1 < len(words):
            stated = words[i + 1]
        if stated in LANGUAGES:
            return stated
    named = next((environment[name] for name in LOCALE_VARIABLES if environment.get(name)), None)
    if named is None and os.name == "nt":  # Windows states no LANG
        named = locale.getlocale()[0]
    return "zh" if (named or "").lower().startswith(("zh", "chinese")) else "en"


def _use_utf8() -> None:
    """Both streams in UTF-8, whatever the code page (Windows) or the locale says."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and (stream.encoding or "").lower().replace("-", "") != "utf8":
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


class _Parser(argparse.ArgumentParser):
    """argparse with its errors in the reader's language, on one line."""

    lang = "en"

    def error(self, message: str) -> NoReturn:
        text = message
        for name, form in USAGE_FORMS:
            found = form.match(message)
            if found:
                text = say(f"cli.usage.{name}", self.lang, **found.groupdict())
                break
        command = self.prog.removeprefix("hwcost").strip()
        key = "cli.usage_error" if command else "cli.usage_error_plain"
        self.exit(BAD_INPUT, say(key, self.lang, message=text, command=command) + "\n")


class _Collected(argparse.Action):
    """The words of every mention of the option: `--params 2 --params 25` is `--params 2 25`."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option_string: Any = None
    ) -> None:
        held = getattr(namespace, self.dest)
        setattr(namespace, self.dest, list(values) if held is self.default else [*held, *values])


def _formatter(usage: str) -> type[argparse.HelpFormatter]:
    """The help formatter whose usage line begins with `usage`."""

    class Formatter(argparse.HelpFormatter):
        def add_usage(self, text: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
            super().add_usage(text, actions, groups, usage if prefix is None else prefix)

    return Formatter


def build_parser(lang: str) -> argparse.ArgumentParser:
    """The parser of all commands, its help in `lang`."""

    def help_of(name: str) -> str:
        return say(f"cli.help.{name}", lang).replace("%", "%%")

    parser_class = type("Parser", (_Parser,), {"lang": lang})
    common: dict[str, Any] = {"allow_abbrev": False, "add_help": False, "formatter_class": _formatter(help_of("usage"))}
    parser = parser_class(prog="hwcost", description=help_of("program"), **common)
    _add_help(parser, help_of)
    parser.add_argument("--version", action="version", version=f"hwcost {hwcost.__version__}", help=help_of("version"))
    parser.add_argument("--lang", choices=LANGUAGES, default=None, help=help_of("lang"))
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title=help_of("commands"))
    parser.set_defaults(json=None)
    for name in COMMANDS:
        text = help_of("catalog_command" if name == "catalog" else name)  # --catalog has that word already
        sub = commands.add_parser(name, help=text, description=text, **common)
        _add_help(sub, help_of)
        sub.add_argument("--lang", choices=LANGUAGES, default=argparse.SUPPRESS, help=help_of("lang"))
        if name != "app":
            sub.add_argument("--json", metavar="F", default=argparse.SUPPRESS, help=help_of("json"))
        _ADD[name](sub, help_of)
    return parser


def _add_help(parser: argparse.ArgumentParser, help_of: Callable[[str], str]) -> None:
    parser.add_argument("-h", "--help", action="help", help=help_of("help"))
    parser._positionals.title, parser._optionals.title = help_of("arguments"), help_of("options")


def _add_input(parser: argparse.ArgumentParser, help_of: Callable[[str], str]) -> None:
    parser.add_argument("input", metavar="INPUT", nargs="?", help=help_of("input"))
    parser.add_argument("--catalog", metavar="DIR", help=help_of("catalog"))


def _add_solve(parser: argparse.ArgumentParser, help_of: Callable[[str], str]) -> None:
    _add_input(parser, help_of)
    parser.add_argument("--budget", metavar="N", help=help_of("budget"))
    parser.add_argument("--objective", choices=OBJECTIVES, help=help_of("objective"))
    parser.add_argument("--time-limit", metavar="S", help=help_of("time_limit"))


def _add_start(parser: argparse.ArgumentParser, help_of: Callable[[str], str]) -> None:
    parser.add_argument("input", metavar="ANSWERS", nargs="?", help=help_of("answers"))
    parser.add_argument("--out", metavar="F", help=help_of("out"))
    parser.add_argument("--force", action="store_true", help=help_of("force"))
    parser.add_argument("--catalog", metavar="DIR", help=help_of("catalog"))


def _add_plan(parser: argparse.ArgumentParser, help_of: Callable[[str], str]) -> None:
    _add_solve(parser, help_of)
    parser.add_argument("--xlsx", metavar="F", help=help_of("xlsx"))
    parser.add_argument("--docx", metavar="F", help=help_of("docx"))
    parser.add_argument("--risk", action="store_true", help=help_of("risk"))


def _add_compare(parser: argparse.ArgumentParser, help_of: Callable[[str], str]) -> None:
    _add_solve(parser, help_of)
    parser.add_argument("--between", metavar="NAME", nargs="+", action=_Collected, help=help_of("between"))


def _add_many(parser: argparse.ArgumentParser, help_of: Callable[[str], str]) -> None:
    _add_solve(parser, help_of)
    parser.add_argument("--workers", metavar="N", help=help_of("workers"))
    parser.add_argument("--dask", metavar="ADDRESS", help=help_of("dask"))


def _add_explain(parser: argparse.ArgumentParser, help_of: Callable[[str], str]) -> None:
    _add_solve(parser, help_of)
    parser.add_argument("--option", metavar="NAME", nargs="+", action=_Collected, help=help_of("explained_option"))


def _add_frontier(parser: argparse.ArgumentParser, help_of: Callable[[str], str]) -> None:
    _add_many(parser, help_of)
    parser.add_argument("--shares", metavar="F", nargs="+", action=_Collected, help=help_of("shares"))


def _add_switch_price(parser: argparse.ArgumentParser, help_of: Callable[[str], str]) -> None:
    _add_many(parser, help_of)
    parser.add_argument("--items", metavar="NAME", nargs="+", action=_Collected, help=help_of("items"))


def _add_sweep(parser: argparse.ArgumentParser, help_of: Callable[[str], str]) -> None:
    _add_many(parser, help_of)
    for name in ("prices", "demand", "tariff"):
        parser.add_argument(f"--{name}", metavar="F", nargs="+", action=_Collected, help=help_of(f"listed_{name}"))
    parser.add_argument("--draws", metavar="N", help=help_of("draws"))
    parser.add_argument("--seed", metavar="N", help=help_of("seed"))


def _add_check(parser: argparse.ArgumentParser, help_of: Callable[[str], str]) -> None:
    _add_input(parser, help_of)
    parser.add_argument("--budget", metavar="N", help=help_of("budget"))


def _add_memory(parser: argparse.ArgumentParser, help_of: Callable[[str], str]) -> None:
    _add_input(parser, help_of)
    parser.add_argument("--cards", metavar="CARD", nargs="+", action=_Collected, help=help_of("cards_named"))
    parser.add_argument("--gains", action="store_true", help=help_of("gains"))


def _add_threshold(parser: argparse.ArgumentParser, help_of: Callable[[str], str]) -> None:
    parser.add_argument("--catalog", metavar="DIR", help=help_of("catalog"))
    parser.add_argument("--params", metavar="M", nargs="+", action=_Collected, default=["2"], help=help_of("params"))
    parser.add_argument("--batch", metavar="B", default="9", help=help_of("batch"))
    parser.add_argument("--cards", metavar="N", nargs="+", action=_Collected, default=["2", "4"], help=help_of("cards"))
    parser.add_argument("--link", metavar="LINK", nargs="+", action=_Collected, help=help_of("link"))
    parser.add_argument("--c0-ms", metavar="MS", default="2", help=help_of("c0_ms"))
    parser.add_argument("--c1-ms", metavar="MS", default="0.3333333333333333", help=help_of("c1_ms"))
    parser.add_argument("--target", metavar="S", help=help_of("target"))
    parser.add_argument("--overlap", metavar="F", default="0", help=help_of("overlap"))
    parser.add_argument("--straggler", metavar="F", default="0", help=help_of("straggler"))
    parser.add_argument("--card", metavar="CARD", default="rtx-a5500", help=help_of("card_kind"))
    parser.add_argument("--chart", metavar="F.svg", help=help_of("chart"))


def _add_predict(parser: argparse.ArgumentParser, help_of: Callable[[str], str]) -> None:
    parser.add_argument("kind", choices=("scaling", "transfer", "memory"), help=help_of("predict_kind"))
    parser.add_argument("rows", metavar="ROWS", help=help_of("predict_rows"))
    parser.add_argument("--out", metavar="F", help=help_of("predict_out"))
    parser.add_argument("--catalog", metavar="DIR", help=help_of("catalog"))


def _add_profile(parser: argparse.ArgumentParser, help_of: Callable[[str], str]) -> None:
    parser.add_argument("model", metavar="MODEL", help=help_of("model"))
    parser.add_argument("--input", metavar="SHAPE", nargs="+", action=_Collected, help=help_of("profile_input"))
    parser.add_argument("--batch", metavar="B", default="64", help=help_of("profile_batch"))
    parser.add_argument("--optimizer", choices=OPTIMIZERS, default="adam", help=help_of("optimizer"))
    parser.add_argument("--precision", choices=PRECISIONS, default="torch_default", help=help_of("precision"))
    parser.add_argument("--real", action="store_true", help=help_of("real"))
    parser.add_argument("--out", metavar="F", help=help_of("profile_out"))
    parser.add_argument("--id", metavar="ID", help=help_of("row_id"))
    parser.add_argument("--name", metavar="NAME", help=help_of("row_name"))
    parser.add_argument("--family", choices=FAMILIES, help=help_of("row_family"))
    parser.add_argument("--dataset", metavar="ID", help=help_of("row_dataset"))
    parser.add_argument("--loader-ms", metavar="MS", help=help_of("loader_ms"))


def _add_measure(parser: argparse.ArgumentParser, help_of: Callable[[str], str]) -> None:
    parser.add_argument("models", metavar="MODEL", nargs="*", help=help_of("model"))
    parser.add_argument("--input", metavar="SHAPE", nargs="+", action=_Collected, help=help_of("profile_input"))
    parser.add_argument("--batch", metavar="B", default="9", help=help_of("measure_batch"))
    parser.add_argument("--global-batch", metavar="B", default="36", help=help_of("global_batch"))
    parser.add_argument("--max-batch", metavar="B", default="64", help=help_of("max_batch"))
    parser.add_argument("--data", metavar="DATA", help=help_of("measure_data"))
    parser.add_argument("--processes", metavar="N", help=help_of("processes"))
    parser.add_argument("--steps", metavar="N", default="200", help=help_of("steps"))
    parser.add_argument(
        "--only", metavar="STEP", nargs="+", action=_Collected, choices=MEASURE_STEPS, help=help_of("only")
    )
    parser.add_argument("--seeds", metavar="N", default="3", help=help_of("seeds"))
    parser.add_argument("--target", metavar="A", default="0.9", help=help_of("measure_target"))
    parser.add_argument("--max-message-mib", metavar="MIB", default="256", help=help_of("max_message"))
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto", help=help_of("device"))
    parser.add_argument("--precision", choices=PRECISIONS, default="torch_default", help=help_of("measure_precision"))
    parser.add_argument("--optimizer", choices=OPTIMIZERS, default="adam", help=help_of("optimizer"))
    parser.add_argument("--out", metavar="F", default="measurement.json", help=help_of("measure_out"))
    parser.add_argument("--restart", action="store_true", help=help_of("restart"))


def _add_calibrate(parser: argparse.ArgumentParser, help_of: Callable[[str], str]) -> None:
    parser.add_argument("measurement", metavar="FILE", help=help_of("measurement"))
    parser.add_argument("--out", metavar="DIR", help=help_of("calibrate_out"))
    parser.add_argument("--card", metavar="CARD", help=help_of("calibrate_card"))
    parser.add_argument("--link", metavar="LINK", help=help_of("calibrate_link"))
    parser.add_argument("--catalog", metavar="DIR", help=help_of("catalog"))


def _add_catalog(parser: argparse.ArgumentParser, help_of: Callable[[str], str]) -> None:
    parser.add_argument("action", choices=("import", "list", "add"), help=help_of("catalog_action"))
    parser.add_argument("what", metavar="WHAT", nargs="?", help=help_of("catalog_what"))
    words = {
        "to": "DIR", "catalog": "DIR", "vendor": "NAME", "quote-number": "N", "date": "DAY", "valid-until": "DAY",
        "currency": "CODE", "sheet": "NAME", "encoding": "NAME", "scenario": "INPUT",
    }  # fmt: skip
    for option, metavar in words.items():
        parser.add_argument(f"--{option}", metavar=metavar, help=help_of(option.replace("-", "_")))
    parser.add_argument("--tax-included", choices=("yes", "no"), help=help_of("tax_included"))
    parser.add_argument("--region", choices=("CN", "US", "EU"), help=help_of("region"))
    kinds = ("quote", "list", "street", "used", "estimate")
    parser.add_argument("--price-kind", choices=kinds, help=help_of("price_kind"))
    parser.add_argument("--answer", metavar="ID=VALUE", action="append", help=help_of("answer"))
    for option in ("on-sale", "dry-run", "yes"):
        parser.add_argument(f"--{option}", action="store_true", help=help_of(option.replace("-", "_")))


def _add_template(parser: argparse.ArgumentParser, help_of: Callable[[str], str]) -> None:
    parser.add_argument("out", metavar="F.xlsx", help=help_of("template_out"))
    parser.add_argument("--from", metavar="SCENARIO", dest="source", help=help_of("template_from"))
    parser.add_argument("--catalog", metavar="DIR", help=help_of("catalog"))
    parser.add_argument("--force", action="store_true", help=help_of("force"))


def _add_nothing(parser: argparse.ArgumentParser, help_of: Callable[[str], str]) -> None:
    """No options of its own."""


def _add_app(parser: argparse.ArgumentParser, help_of: Callable[[str], str]) -> None:
    parser.add_argument("--port", metavar="N", help=help_of("port"))


_ADD: dict[str, Callable[[argparse.ArgumentParser, Callable[[str], str]], None]] = {
    "start": _add_start,
    "plan": _add_plan,
    "compare": _add_compare,
    "explain": _add_explain,
    "frontier": _add_frontier,
    "switch-price": _add_switch_price,
    "sensitivity": _add_many,
    "sweep": _add_sweep,
    "check": _add_check,
    "threshold": _add_threshold,
    "memory": _add_memory,
    "predict": _add_predict,
    "profile": _add_profile,
    "measure": _add_measure,
    "calibrate": _add_calibrate,
    "catalog": _add_catalog,
    "template": _add_template,
    "doctor": _add_nothing,
    "app": _add_app,
}
