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
    columns = ("id", "cluster", "gold_column", "run", "system_column", "score_column", "ignore",
               "system")  # fmt: skip
    roles: dict[str, str] = {}
    found: dict[str, str | tuple[str, ...]] = {}
    for field in columns:
        given, role = getattr(request, field) or (), f"--{field.replace('_', '-')}"
        names = []
        for name in (given,) if isinstance(given, str) else given:
            number = int(name) if name.isdecimal() and len(name) < 10 else 0
            if name not in sheet.names and 1 <= number <= len(sheet.names):
                name = sheet.names[number - 1]
            if role != "--system":
                check_names(sheet, [name])
            before = roles.setdefault(name, role)
            # Ids and clusters may be one column, and an id of a unit is no run of it.
            if before != role and {before, role} != {"--id", "--cluster"}:
                raise InputError(f"{before} and {role} name the same column, {name!r}")
            names.append(name)
            roles[name] = role
        if given:
            found[field] = names[0] if isinstance(given, str) else tuple(names)
    return replace(request, **found)  # type: ignore[arg-type]


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
        for row, cell in enumerate(cells if any(own.endswith("%") for own in cells) else ()):
            if is_number(cell) and abs(float(cell)) <= 1:
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
    there = list(dict.fromkeys(known))
    if missing := [name for name in request.percent if name not in there]:
        raise InputError(
            f"--percent: found no {first_few(missing)}{perhaps(missing[0], there)}; there are "
            f"{first_few(there, 12)}"
        )
