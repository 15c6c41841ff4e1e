"""A quoted whole machine as a row of `systems.csv`: what the quotation does not state is asked."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hwcost.intake.figures import duration_weeks, duration_years
from hwcost.intake.match import Match, chassis_of, match_card, psus_of, storage_of
from hwcost.intake.model import LEAVE_OUT, Answers, Choice, Line, Part, Question
from hwcost.intake.parts import size_gib
from hwcost.problems import nearest_match
from hwcost.quantities import QuantityError, parse_number, tidy
from hwcost.records import Card, Catalog

REDUNDANT = re.compile(r"冗余|1\+1|redundant|redundan", re.IGNORECASE)
MOST_CARDS = 20
LEAVE = Choice(LEAVE_OUT, "leave_out")


@dataclass
class Asker:
    """Answers given so far, and the questions that are left."""

    answers: Answers
    questions: list[Question]

    def item(self, question_id: str, key: str, match: Match, rows: Iterable[str], line: Line, text: str) -> str:
        """The id: matched, answered, or "" with a question. An answer may be any id of the table."""
        known = set(rows)
        answer = self.answers.get(question_id, "")
        if answer in known:
            return answer
        if match.id:
            return match.id
        values = {"text": tidy(text)[:80] or "-", "name": line.title}
        if answer:
            values |= {"text": answer, "nearest": nearest_match(answer, known)}
        near = [Choice(identity, "") for identity in match.near if identity in known]
        self.questions.append(Question(question_id, key, "choice", (*near, LEAVE), values, line.row))
        return ""

    def number(
        self, question_id: str, key: str, found: float | None, line: Line, low: float, high: float
    ) -> float | None:
        """The figure: stated, answered, or None with a question."""
        answer = self.answers.get(question_id, "")
        if answer:
            try:
                value = parse_number(answer, decimal=".")
            except QuantityError:
                value = None
            if value is not None and low <= value <= high:
                return value
        elif found is not None and low <= found <= high:
            return found
        values = {"name": line.title, "low": f"{low:g}", "high": f"{high:g}"}
        self.questions.append(Question(question_id, key, "number", (LEAVE,), values, line.row))
        return None


def is_left_out(line: Line, answers: Answers) -> bool:
    return any(key.startswith(f"row{line.row}.") and value == LEAVE_OUT for key, value in answers.items())


def system_cells(line: Line, facts: dict[str, str], catalog: Catalog, asker: Asker) -> dict[str, str] | None:
    """The cells of `systems.csv` but id, source and date; None while something is open."""
    row, before = f"row{line.row}", len(asker.questions)
    parts = {part.category: part for part in reversed(line.parts)}
    card_part = parts.get("card")
    names = [card_part.text] if card_part else list(line.names)
    found = match_card(names, line.memory_gib, catalog)
    card_id = asker.item(f"{row}.card", "card", found, catalog.cards, line, names[0] if names else "")
    count = asker.number(f"{row}.cards", "cards", _count(card_part), line, 1, MOST_CARDS)
    card = catalog.cards.get(card_id)
    if card is None or count is None:
        return None
    cells = _host_cells(line, parts, card, int(count), catalog, asker)
    ram = asker.number(f"{row}.ram", "ram", _total(parts.get("ram"), size_gib), line, 1, 16_384)
    years = asker.number(f"{row}.warranty", "warranty", duration_years(facts.get("warranty", "")), line, 0, 15)
    weeks = asker.number(f"{row}.delivery", "delivery", duration_weeks(facts.get("delivery", "")), line, 0, 200)
    if len(asker.questions) > before or ram is None or years is None or weeks is None:
        return None
    figures = {"ram_gib": f"{ram:g}", "warranty_years": f"{years:g}", "delivery_weeks": f"{weeks:g}"}
    return {"name": line.title, "card_id": card_id, "cards": str(int(count)), **cells, **figures, "example": "no"}


def _host_cells(
    line: Line, parts: dict[str, Part], card: Card, cards: int, catalog: Catalog, asker: Asker
) -> dict[str, str]:
    row = f"row{line.row}"
    text = parts["chassis"].text if "chassis" in parts else ""
    match = chassis_of(parts.get("chassis"), card, cards, catalog)
    chassis_id = asker.item(f"{row}.chassis", "chassis", match, catalog.chassis, line, text)
    chassis = catalog.chassis.get(chassis_id)
    cells = {"chassis_id": chassis_id}
    psu_text = parts["psu"].text if "psu" in parts else ""
    if chassis is not None:
        cells["psu_id"] = asker.item(
            f"{row}.psu", "psu", psus_of(psu_text, chassis, catalog), catalog.psus, line, psu_text
        )
        stated = _count(parts.get("psu")) or (2 if REDUNDANT.search(psu_text) else None)
        stated = stated or (1 if chassis.psu_bays == 1 else None)
        number = asker.number(f"{row}.psu_count", "psu_count", stated, line, 1, chassis.psu_bays)
        cells["psu_count"] = "" if number is None else str(int(number))
    part = parts.get("storage")
    text = part.text if part else ""
    capacity = _total(part, size_gib)
    wanted = text if capacity is None else f"{re.sub(r'[0-9.]+ ?[GT]i?B?', '', text)} {capacity / 1024:g}TB"
    match = storage_of(wanted, catalog) if part else Match("", storage_of("", catalog).near)
    cells["storage_id"] = asker.item(f"{row}.storage", "storage", match, catalog.storage, line, text)
    return cells


def _count(part: Part | None) -> int | None:
    return part.count if part is not None else None


def _total(part: Part | None, size: Callable[[str], float | None]) -> float | None:
    """Size of a part by its number: two of 4 TB are 8. A product in the text ("8×16GB") has the number in it."""
    if part is None:
        return None
    one = size(part.text)
    several = part.count or 1
    product = re.search(r"\d\s*[x×*]\s*\d+(\.\d+)?\s*[GT]|[GT]i?B?\s*[x×*]\s*\d", tidy(part.text), re.IGNORECASE)
    return one if one is None or product else one * several


def system_id(line: Line, vendor: str, quote_number: str, issued: str) -> str:
    """An id that the same line of the same quotation gets again: letters and digits of its number, else a sum."""
    stem = re.sub(r"[^a-z0-9]+", "-", tidy(quote_number).lower()).strip("-")
    if not stem:
        stem = hashlib.sha256(f"{vendor}|{issued}|{line.title}".encode()).hexdigest()[:8]
    return f"quote-{stem}-{line.row}"
