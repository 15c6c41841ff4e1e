"""`hwcost catalog`: doubts are asked at a terminal and listed elsewhere; a dry run writes nothing."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from cli_calls import call

FULL = "型号,含税单价（元）\nRTX A5500,12999\n"
FACTS = ("--vendor", "Dealer", "--date", "2026-11-20", "--region", "CN")


@pytest.fixture
def quote(tmp_path: Path) -> Path:
    path = tmp_path / "报价.csv"
    path.write_text(FULL, encoding="utf-8")
    return path


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_doubts_are_listed_with_their_ids_and_status_2(
    capsys: pytest.CaptureFixture[str], quote: Path, tmp_path: Path
) -> None:
    code, out, err = call(capsys, "catalog", "import", str(quote), "--to", str(tmp_path / "mine"), "--lang", "en")
    assert (code, out) == (2, "")
    assert all(f"--answer {name}=" in err for name in ("vendor", "date", "region"))
    assert not (tmp_path / "mine").exists()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_dry_run_shows_what_would_change_and_writes_nothing(
    capsys: pytest.CaptureFixture[str], quote: Path, tmp_path: Path, lang: str
) -> None:
    target = tmp_path / "mine"
    words = ("catalog", "import", str(quote), "--to", str(target), *FACTS, "--dry-run", "--lang", lang)
    code, out, err = call(capsys, *words)
    assert code == 0
    assert "RTX A5500" in out and "12,999.00" in out and "%" in out
    assert str(target) in err and not target.exists()


def test_the_import_writes_and_the_plan_reads_it(
    capsys: pytest.CaptureFixture[str], quote: Path, tmp_path: Path
) -> None:
    target = tmp_path / "mine"
    code, out, _ = call(capsys, "catalog", "import", str(quote), "--to", str(target), *FACTS, "--json", "-")
    record = json.loads(out)
    assert code == 0 and record["schema"] == "hwcost.import/1"
    assert [(row["item_id"], row["amount"]) for row in record["prices"]] == [("rtx-a5500", "12999")]
    code, out, _ = call(capsys, "check", "--catalog", str(target), "--json", "-")
    assert code == 0 and json.loads(out)["counts"]["prices"] > 1


@pytest.mark.parametrize("made", [True, False])
def test_the_first_import_fills_the_folder_of_the_environment(
    capsys: pytest.CaptureFixture[str], quote: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: bool
) -> None:
    home = tmp_path / "home"
    if made:
        home.mkdir()
    monkeypatch.setenv("HWCOST_HOME", str(home))
    assert call(capsys, "catalog", "import", str(quote), *FACTS)[0] == 0
    assert (home / "prices.csv").exists()
    assert call(capsys, "catalog", "list", "--json", "-")[0] == 0  # and from now on it is a layer


def test_an_empty_folder_may_be_named_as_the_catalog(
    capsys: pytest.CaptureFixture[str], quote: Path, tmp_path: Path
) -> None:
    (tmp_path / "mine").mkdir()
    assert call(capsys, "catalog", "import", str(quote), *FACTS, "--catalog", str(tmp_path / "mine"))[0] == 0
    assert (tmp_path / "mine" / "prices.csv").exists()


def test_at_a_terminal_questions_are_asked_and_the_writing_is_confirmed(
    capsys: pytest.CaptureFixture[str], quote: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "mine"
    # region CN is the first choice; a wrong entry is asked again; vendor and day are typed; then "y"
    monkeypatch.setattr(sys, "stdin", Terminal("nonsense\n1\nDealer\n2026-11-20\ny\n"))
    code, _, err = call(capsys, "catalog", "import", str(quote), "--to", str(target), "--lang", "en")
    assert code == 0 and "That is none of the answers." in err
    assert (target / "prices.csv").read_text(encoding="utf-8-sig").splitlines()[1].startswith("rtx-a5500,12999,CNY,yes")


def test_without_the_confirmation_nothing_is_written(
    capsys: pytest.CaptureFixture[str], quote: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal("n\n"))
    code, _, _ = call(capsys, "catalog", "import", str(quote), "--to", str(tmp_path / "mine"), *FACTS)
    assert code == 0 and not (tmp_path / "mine").exists()


def test_where_the_terminal_ends_the_rest_is_listed(
    capsys: pytest.CaptureFixture[str], quote: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal("1\n"))
    code, _, err = call(capsys, "catalog", "import", str(quote), "--to", str(tmp_path / "mine"), "--lang", "en")
    assert code == 2 and "--answer vendor=" in err


def test_a_file_without_anything_to_take_ends_with_status_2(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_text("名称,型号,含税单价（元）\n运费,,200\n", encoding="utf-8")
    code, _, err = call(capsys, "catalog", "import", str(path), "--to", str(tmp_path / "mine"), *FACTS, "--lang", "en")
    assert code == 2 and "no line of the file" in err


@pytest.mark.parametrize(
    "words",
    [
        ("import",),
        ("add",),
        ("import", "none.csv"),
        ("import", "q", "--answer", "x"),
        ("import", "q", "--answer", "row2.itm=a"),
    ],
)
def test_faults_are_sentences_with_status_2(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    code, out, err = call(capsys, "catalog", *words, "--lang", "en")
    assert code == 2 and out == "" and "Traceback" not in err and err.count("\n") >= 2
