"""Columns that are declared: their names, or their numbers, must be those of a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from csig.errors import InputError
from csig.readers.request import Request
from csig.readers.tables.names import SYSTEM_NAMES, known_name
from csig.readers.tables.sheets import Sheet, is_number
from csig.wording import first_few, perhaps

__all__ = ["by_name", "check_in_percent", "check_names", "check_percents"]


def by_name(sheet: Sheet, request: Request) -> Request:
    """The request with columns that were given by their number, from 1, by their name."""

    def name(own: str) -> str:
        number = int(own) if own.isdecimal() and len(own) < 10 else 0
        if own in sheet.names or not 1 <= number <= len(sheet.names):
            return own
        return sheet.names[number - 1]

    single = {
        what: None if (own := getattr(request, what)) is None else name(own)
        for what in ("id", "cluster", "gold_column", "run", "system_column")
    }
    several = {
        what: tuple(map(name, getattr(request, what)))
        for what in ("score_column", "ignore", "system")
    }
    declared = {f"--{what.replace('_', '-')}": [own] for what, own in single.items() if own}
    declared |= {f"--{what.replace('_', '-')}": list(own) for what, own in several.items()}
    roles: dict[str, str] = {}
    for what, names in declared.items():
        for own in names:
            if what != "--system":
                check_names(sheet, [own])
            # Ids and clusters may be one column, and an id of a unit is no run of it.
            if own in roles and what != roles[own] and {what, roles[own]} != {"--id", "--cluster"}:
                raise InputError(f"{roles[own]} and {what} name the same column, {own!r}")
            roles[own] = what
    return replace(request, **single, **several)  # type: ignore[arg-type]


def check_names(sheet: Sheet, names: Iterable[str]) -> None:
    """Refuse names that no column has."""
    missing = [name for name in names if name not in sheet.names]
    if missing and missing[0] in sheet.unusable:
        raise InputError(
            f"{sheet.header}: column {missing[0]!r} holds {sheet.unusable[missing[0]]}, expected "
            "text or numbers"
        )
    if missing:
        raise InputError(
            f"{sheet.header}: no column {first_few(missing)}{perhaps(missing[0], sheet.names)}; "
            f"there are {first_few(sheet.names, 12)}"
        )


def check_percents(sheet: Sheet, names: Iterable[str]) -> None:
    """Refuse shares among cells with a percent sign: which are divided by 100, nobody knows."""
    for name in names:
        cells = list(sheet.texts(name)) if name in sheet.names else []
        marked = [cell.endswith("%") for cell in cells]
        for row, cell in enumerate(cells if any(marked) else ()):
            if not marked[row] and is_number(cell) and abs(float(cell)) <= 1:
                raise InputError(
                    f"{sheet.at(row)}, column {name!r}: found {cell!r} among percentages; is it a "
                    "share, or is the sign missing?"
                )


def check_in_percent(request: Request, sheets: Sequence[Sheet], files: Sequence[str] = ()) -> None:
    """Refuse percentages of what is no column, no system of a long table and no file."""
    known = [*files]
    for sheet in sheets:
        known += sheet.names
        columns = (request.system_column, known_name(sheet.names, SYSTEM_NAMES))
        column = next((name for name in columns if name in sheet.names), None)
        known += [] if column is None else sheet.texts(column).codes()[1]
    for file, sheet in zip(files, sheets, strict=False):
        known += [f"{file}: {name}" for name in sheet.names]
    missing = [name for name in request.percent if name not in known]
    if missing:
        there = list(dict.fromkeys(known))
        raise InputError(
            f"--percent: found no {first_few(missing)}{perhaps(missing[0], there)}; there are "
            f"{first_few(there, 12)}"
        )
