"""Tables as JSON: records, columns, or one object with the ids.

What is inside objects is named by its path, with dots: ``scores.accuracy``. A field that a record
does not have, and null, is a missing cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from csig.base.errors import InputError, argument
from csig.base.wording import first_few, perhaps
from csig.readers.limits import check_columns
from csig.readers.lines import StrPath, is_text, json_values, stem
from csig.readers.tables.names import is_metric, is_property, is_statistic
from csig.readers.tables.sheets import Dialect, Sheet


def _is_nested(value: object) -> bool:
    return type(value) is dict or type(value) is list


def _flat(record: Mapping[str, Any], before: str = "") -> Iterable[tuple[str, Any]]:
    """The fields of a record, those inside objects by their paths; of an object also that it is."""
    for name, value in record.items():
        if type(value) is dict:
            yield f"{before}{name}", value
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _columns(
    path: StrPath, records: list[dict[str, Any]]
) -> tuple[dict[str, list[Any]], dict[str, str]]:
    """The columns of records by their paths, and what those hold that have no texts or numbers."""
    nested: dict[str, str] = {}
    names: dict[str, None] = {}
    rows = []
    for record in records:
        row = record
        if any(map(_is_nested, record.values())):
            row = {}
            for name, value in _flat(record):
                if name in row:
                    nested[name] = "a field and a path"
                elif _is_nested(value):
                    nested[name] = "objects" if type(value) is dict else "lists"
                else:
                    row[name] = value
        names.update(dict.fromkeys(row))
        check_columns(path, len(names))
        rows.append(row)
    columns = {name: [row.get(name) for row in rows] for name in names}
    for name, kind in list(nested.items()):
        values = columns.pop(name, [])
        if kind == "objects" and all(value is None for value in values):
            del nested[name]  # its fields are columns
    return columns, nested


def _are_numbers(values: Iterable[Any]) -> bool:
    return set(map(type, values)) <= {int, float, bool, type(None)}


def _refuse_results(path: StrPath, names: list[str]) -> None:
    """Refuse one number for each of some metrics."""
    metrics = [name for name in names if is_metric(name)]
    known = [n for n in names if n in metrics or is_statistic(n) or is_property(n)]
    if metrics and 2 * len(known) > len(names):
        raise InputError(
            f"{path}: found results, one number for each of {first_few(metrics)}, and one score of "
            "a system is no test; what is missing are the scores of the units"
        )


def _of_one(path: StrPath, whole: dict[str, Any]) -> tuple[dict[str, list[Any]], dict[str, str]]:
    """The columns of one object: of {column: values}, {id: record} or {id: value}.

    What holds nothing but numbers, and twice as many names inside as outside, is {system: {id:
    score}}; half as many, {id: {system: score}}.
    """
    kinds = set(map(type, whole.values()))
    ids, values = list(whole), list(whole.values())
    if kinds == {list}:
        if len(set(map(len, values))) > 1:
            sizes = [f"{name!r} has {len(own):,}" for name, own in whole.items()]
            raise InputError(f"{path}: found lists of different lengths: {first_few(sizes)}")
        return _columns(
            path, [dict(zip(ids, row, strict=True)) for row in zip(*values, strict=True)]
        )
    if kinds == {dict}:
        rows = [str(i) for i in range(len(values[0]))]
        if all(list(own) == rows for own in values):  # as pandas writes frames
            return _columns(path, [{name: own[i] for name, own in whole.items()} for i in rows])
        inner = list(dict.fromkeys(name for own in values for name in own))
        numbers = all(_are_numbers(own.values()) for own in values)
        few, many = sorted((len(ids), len(inner)))
        records = [record for own in values for record in own.values()]
        deep = all(type(own) is dict and _are_numbers(own.values()) for own in records)
        deep = deep and any(map(is_metric, (name for own in records for name in own)))
        if deep or (numbers and "id" not in inner and many < 2 * few):
            raise InputError(
                f"{path}: found an object with {len(ids):,} names outside and {len(inner):,} "
                "inside, and either may be the systems; what is missing is which: write {column: "
                "[values]}, with a column for each system"
            )
        if len(inner) > len(ids) and numbers:
            _refuse_results(path, inner)
            by_id = {name: [own.get(key) for key in inner] for name, own in whole.items()}
            return {"": inner, **by_id}, {}
        name = "" if numbers or any("id" in own for own in values) else "id"
        return _columns(path, [{name: own, **record} for own, record in whole.items()])
    if _are_numbers(values) or kinds == {str}:
        _refuse_results(path, ids)
        return {"id": ids, "score": values}, {}
    lists = {name: own for name, own in whole.items() if type(own) is list and own[1:]}
    tables = [name for name, own in lists.items() if set(map(type, own)) == {dict}]
    way = (
        (
            f"; to read {tables[0]!r}: python -c \"import json; json.dump(json.load(open('{path}'))"
            f"['{tables[0]}'], open('{stem(path)}.records.json', 'w'))\""
        )
        if len(tables) == 1
        else ""
    )
    raise InputError(
        f"{path}: found one JSON object with the fields {first_few(whole, 12)}; expected records "
        "in an array or one per line, {column: [values]}, {id: record} or {id: value}" + way
    )


def json_sheet(path: StrPath, dialect: Dialect) -> Sheet:
    """The table that a JSON file is."""
    values, place = json_values(path)
    if not values:
        raise InputError(f"{path}: found an empty array, expected records")
    one = len(values) == 1 and place(0) != "record 1" and type(values[0]) is dict
    if one:
        columns, unusable = _of_one(path, values[0])
    else:
        odd = next((i for i, value in enumerate(values) if type(value) is not dict), None)
        if odd is not None:
            raise InputError(f"{path} {place(odd)}: found {values[odd]!r}, expected an object")
        columns, unusable = _columns(path, values)
    for own in dialect.fields.values():
        if own not in columns and own not in unusable:
            raise InputError(
                f"{path}: no record has the field {own!r}{perhaps(own, columns)} that "
                f"{argument('field')} "
                f"names; there are {first_few(columns, 12)}"
            )
    renamed: dict[str, list[Any]] = {}
    for name, cells in columns.items():
        names = [other for other, own in dialect.fields.items() if own == name]
        renamed |= dict.fromkeys(names or {name}.difference(dialect.fields), cells)
    columns = renamed
    unusable |= {name: unusable[own] for name, own in dialect.fields.items() if own in unusable}
    if not columns:
        raise InputError(f"{path}: found no fields of text or numbers")
    half = next((name for name in columns if not is_text(name)), None)
    if half is not None:
        raise InputError(f"{path}: found half of a surrogate pair in the field {half!r}")
    loaded = list(columns.values())

    def where(row: int) -> str:
        return "fields" if row < 0 else f"record {row + 1}" if one else place(row)

    return Sheet(
        path, list(columns), "JSON", len(loaded[0]), loaded.__getitem__, where, dialect,
        unusable=unusable,
    )  # fmt: skip
