"""Tables of one file: one row per unit, or per unit and system.

One function for each of scores, counts and labels makes a :class:`Table` of the cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from shlex import quote
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.data.strings import Texts
from csig.errors import InputError
from csig.readers.limits import MOST_SYSTEMS, check_systems
from csig.readers.lines import StrPath, stem
from csig.readers.tables.columns import (
    GOLD_NAMES,
    SCORE_NAMES,
    SYSTEM_NAMES,
    Roles,
    Wanted,
    check_names,
    check_there,
    counts_of,
    known_name,
)
from csig.readers.tables.kinds import RUN_NAMES, Split, systems_among
from csig.readers.tables.matching import Block, Table, Values, id_text, join, left_out, picked
from csig.readers.tables.sheets import (
    LEAVE_OUT,
    Sheet,
    bad_cell,
    is_numeric,
    read_integers,
    read_scores,
)
from csig.readers.tables.spelling import answer_columns, check_answers
from csig.wording import counted, first_few

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["as_columns", "as_counts", "as_labels", "as_scores", "joined", "score_columns"]

# ---- ids --------------------------------------------------------------------------------------


def _keys(sheet: Sheet, roles: Roles) -> tuple[Sequence[Hashable] | None, Texts | None]:
    """The ids and clusters of all rows, each id once."""
    id_, cluster, within = roles.id, roles.cluster, roles.within

    def cells(name: str, what: str) -> Texts:
        column = sheet.column(name)
        empty = np.flatnonzero(column.sizes == 0)
        if len(empty):
            raise InputError(
                f"{sheet.at(int(empty[0]))}, column {name!r}: the cell is empty, expected {what}"
            )
        return column

    outer = None if within is None else cells(within, "the label of a cluster")
    clusters = outer if within == cluster else None
    if id_ is None:
        return None, clusters
    texts = cells(id_, "an id")
    if texts.distinct():
        return texts, clusters
    ids: list[Hashable] = list(texts)
    if outer is not None:
        ids = list(zip(outer, ids, strict=True))
        if len(set(ids)) == len(ids):
            return ids, clusters
    times = Counter(ids)
    doubled = [key for key, many in times.items() if many > 1]
    first = ids.index(doubled[0])
    places = [sheet.place(at) for at in (first, ids.index(doubled[0], first + 1))]
    hint = "" if roles.run is not None else _may_repeat(sheet, within)
    raise InputError(
        f"{sheet.path}: found the id {id_text(doubled[0])} on {places[0]} and again on "
        f"{places[1]}, expected every id once; {_doubled(doubled)}{hint}"
    )


def _may_repeat(sheet: Sheet, within: str | None) -> str:
    """Between what ids may repeat, and the column that may be it."""
    runs = next((name for name in sheet.names if name.lower() in RUN_NAMES), None)
    if runs is not None:
        own = quote(runs)
        return f"; if column {runs!r} tells runs of each system apart, give --run {own}"
    if within is not None:
        return ""
    return "; ids may repeat only between clusters (--cluster) or runs (--run)"


def _doubled(ids: Sequence[Hashable]) -> str:
    many = f"{len(ids)} ids are" if len(ids) > 1 else "1 id is"
    return f"{many} repeated: {first_few(ids)}"


# ---- one table -------------------------------------------------------------------------------


class Columns(Mapping[str, Texts]):
    """Columns by name, read when they are needed."""

    def __init__(self, sheet: Sheet, names: Sequence[str]) -> None:
        self._sheet, self._names = sheet, names

    def __getitem__(self, name: str) -> Texts:
        if name not in self._names:
            raise KeyError(name)
        return self._sheet.column(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return repr(dict(self))


def _wide(
    sheet: Sheet,
    wanted: Wanted,
    format_: str,
    columns: tuple[str, ...],
    by_system: Mapping[str, Sequence[str]],
    convert: Callable[[Sheet, str], Any],
    gold: str | None,
    roles: Roles,
) -> Table:
    """A table with one row per unit."""
    check_systems(sheet.path, len(by_system))
    used = [name for names in by_system.values() for name in names]
    used += [gold] if gold is not None else []
    notes: tuple[str, ...] = ()
    left: tuple[Hashable, ...] = ()
    ids, clusters = _keys(sheet, roles)  # doubled ids are wrong whatever is kept
    if wanted.allow_missing:
        empty = np.any([sheet.column(name).blank() for name in used], axis=0)
        if empty.all():
            raise InputError(f"{sheet.path}: no unit has values in all of {first_few(used)}")
        notes = left_out(int(empty.sum()), len(sheet))
        if notes:
            rows, gone = np.flatnonzero(~empty), np.flatnonzero(empty)
            left = tuple(gone.tolist() if ids is None else picked(ids, gone))
            sheet = sheet.only(rows)
            ids, clusters = picked(ids, rows), picked(clusters, rows)
    systems: dict[str, Values] = {}
    for system, names in by_system.items():
        systems[system] = _values(sheet, names, convert)
    others = [name for name in sheet.names if name not in {roles.id, roles.cluster, *used}]
    return Table(
        format_,
        columns,
        systems,
        gold=None if gold is None else _label_cells(sheet, gold),
        ids=ids,
        clusters=clusters,
        others=Columns(sheet, others) if others else {},  # which would keep the sheet alive
        id_column=roles.id,
        cluster_column=roles.cluster,
        gold_column=gold,
        notes=notes,
        left=left,
    )


def _values(sheet: Sheet, names: Sequence[str], convert: Callable[[Sheet, str], Any]) -> Any:
    """A column, or several side by side."""
    found = [convert(sheet, name) for name in names]
    return found[0] if len(found) == 1 else np.stack(found, axis=1)


def _label_cells(sheet: Sheet, name: str) -> Texts:
    found = sheet.column(name).stripped()
    empty = np.flatnonzero(found.sizes == 0)
    if len(empty):
        raise bad_cell(sheet, name, int(empty[0]), "a label", LEAVE_OUT)
    return found


def _chosen(sheet: Sheet, wanted: Wanted, there: Iterable[str]) -> list[str]:
    """The systems that were asked for, in that order; by default all."""
    there = list(there)
    check_there(wanted.systems, there, sheet.path)
    return list(wanted.systems) or there


def as_labels(sheet: Sheet, wanted: Wanted, roles: Roles) -> Table:
    rest = roles.rest
    gold = wanted.gold if wanted.gold is not None else known_name(rest, GOLD_NAMES)
    if gold is None:
        raise InputError(
            f"{sheet.header}: no column {', '.join(GOLD_NAMES)}; name the gold's with --gold-column"
        )
    check_names(sheet, (gold, *wanted.systems))
    if wanted.systems:
        split = Split(wanted.systems, cautions=check_answers(sheet, gold, wanted.systems))
    else:
        split = answer_columns(sheet, gold, [name for name in rest if name != gold])
    by_system = {name: [name] for name in split.systems}
    table = _wide(sheet, wanted, "labels", ("label",), by_system, _label_cells, gold, roles)
    return replace(table, cautions=split.cautions)


def as_counts(sheet: Sheet, wanted: Wanted, roles: Roles) -> Table:
    rest = roles.rest
    system = known_name(rest, SYSTEM_NAMES)
    if system is not None:
        return _long(sheet, wanted, "counts", system, roles)
    complete = counts_of(rest)
    if not complete:
        raise InputError(
            f"{sheet.header}: no counts of any system; expected columns such as tp_NAME, "
            f"predicted_NAME and gold, or tp, fp and fn, or correct and total"
        )
    if "" in complete and len(complete) == 1:
        complete = {stem(sheet.path): complete[""]}
    complete = {name: complete[name] for name in _chosen(sheet, wanted, complete)}
    columns = tuple(next(iter(complete.values())))
    odd = next((name for name, own in complete.items() if tuple(own) != columns), None)
    if odd is not None:
        raise InputError(
            f"{sheet.header}: {odd} has {', '.join(complete[odd])}, {next(iter(complete))} has "
            f"{', '.join(columns)}; expected the same for every system"
        )
    by_system = {name: list(own.values()) for name, own in complete.items()}
    found = _wide(sheet, wanted, "counts", columns, by_system, read_integers, None, roles)
    return _plain_counts(found, sheet.path)


def _plain_counts(table: Table, path: StrPath) -> Table:
    """Counts as (tp, predicted, gold) or (correct, items), checked against each other."""
    systems = {name: np.asarray(values) for name, values in table.systems.items()}
    columns = table.columns
    if columns == ("tp", "fp", "fn"):
        columns = ("tp", "predicted", "gold")
        step = np.array([[1, 1, 1], [0, 1, 0], [0, 0, 1]])
        systems = {name: values @ step for name, values in systems.items()}
    elif columns == ("correct", "items"):
        for name, values in systems.items():
            wrong = np.flatnonzero(values[:, 0] > values[:, 1])
            if len(wrong):
                row = int(wrong[0])
                unit = f"unit {row + 1}" if table.ids is None else f"id {id_text(table.ids[row])}"
                raise InputError(
                    f"{path}: {name}, {unit}: correct is {values[row, 0]}, more than the total "
                    f"of {values[row, 1]}"
                )
    return replace(table, columns=columns, systems=systems)


def as_scores(sheet: Sheet, wanted: Wanted, roles: Roles) -> Table:
    rest = roles.rest
    system = known_name(rest, SYSTEM_NAMES)
    if system is not None and system not in wanted.systems:
        return _long(sheet, wanted, "scores", system, roles)
    check_names(sheet, wanted.systems)
    split = Split(wanted.systems) if wanted.systems else score_columns(sheet, wanted, roles)
    table = as_columns(sheet, wanted, roles, split.systems)
    return replace(table, cautions=split.cautions)


def as_columns(sheet: Sheet, wanted: Wanted, roles: Roles, names: Sequence[str]) -> Table:
    """Scores: these columns."""
    by_system = {name: [name] for name in names}
    return _wide(sheet, wanted, "scores", ("score",), by_system, read_scores, None, roles)


def score_columns(
    sheet: Sheet,
    wanted: Wanted,
    roles: Roles,
    shared: Collection[str] = (),
    what: str = "--system",
) -> Split:
    """Which columns have scores, where none are named."""
    names = [name for name in roles.rest if is_numeric(sheet, name)]
    gold = known_name(names, GOLD_NAMES)
    if gold is not None and wanted.format is None and len(names) > 1:
        raise InputError(
            f"{sheet.header}: column {gold!r} is named like the gold, but no other column has its "
            "labels, and csig needs scores or labels of systems, not free answers. If it has "
            f"scores, give --format scores; otherwise leave it out with --ignore {gold}"
        )
    clusters = None if roles.within is None else sheet.column(roles.within)
    return systems_among(sheet, names, clusters, shared, what)


def _long(sheet: Sheet, wanted: Wanted, format_: str, system: str, roles: Roles) -> Table:
    """A table with a row for every unit and system."""
    if roles.id is None:
        raise InputError(
            f"{sheet.header}: one row per unit and system ({system!r}) needs a column with the "
            "ids; name it with --id"
        )
    rest = [name for name in roles.rest if name != system]
    columns, names, convert = _of_rows(sheet, format_, rest)
    codes, different = sheet.column(system).codes()
    numbers: dict[str, list[int]] = {}
    for number, name in enumerate(different):
        numbers.setdefault(name.strip(), []).append(number)
    if not wanted.systems:
        check_systems(sheet.path, len(numbers))
    elif len(numbers) > MOST_SYSTEMS:  # each takes a look at all rows
        numbers = {name: own for name, own in numbers.items() if name in wanted.systems}
    rows = {name: np.flatnonzero(np.isin(codes, own)) for name, own in numbers.items()}
    rows = dict(sorted(rows.items(), key=lambda item: int(item[1][0])))
    if "" in rows:
        raise InputError(f"{sheet.at(int(rows[''][0]))}, column {system!r}: the cell is empty")
    used = {roles.id, roles.cluster, system, *names}
    others = [name for name in sheet.names if name not in used]
    whole = sheet if not wanted.allow_missing else _with_values(sheet, names)
    values, there = _values(whole, names, convert), np.ones(len(sheet), dtype=bool)
    if whole is not sheet:
        there = ~_blank(sheet, names)
    at, blocks, every = np.cumsum(there) - 1, {}, set()
    for name in _chosen(sheet, wanted, rows):
        own_sheet, stay = _part(sheet, rows[name]), there[rows[name]]
        ids, clusters = _keys(own_sheet, roles)  # doubled ids are wrong whatever is kept
        if not stay.all():
            every |= set(ids or ())
            kept = np.flatnonzero(stay)
            ids, clusters = picked(ids, kept), picked(clusters, kept)
            own_sheet = _part(sheet, rows[name][kept])
        blocks[name] = Block(
            str(sheet.path),
            values[at[rows[name][stay]]],
            ids,
            clusters,
            others={other: own_sheet.column(other) for other in others},
        )
    table = joined(blocks, format_, columns, wanted, roles.id, roles.cluster)
    nowhere = every.difference(*(block.ids or () for block in blocks.values()))
    if nowhere:
        said = f"No system has a value for {counted(len(nowhere), 'id')}, left out as well."
        table = replace(table, notes=(*table.notes, said))
    return _plain_counts(table, sheet.path) if format_ == "counts" else table


def _of_rows(
    sheet: Sheet, format_: str, rest: Sequence[str]
) -> tuple[tuple[str, ...], list[str], Callable[[Sheet, str], NDArray[Any]]]:
    """What a row for every unit and system holds: the statistics, their columns, how to read."""
    if format_ == "counts":
        complete = counts_of(rest).get("")
        if complete is None:
            raise InputError(
                f"{sheet.header}: expected columns tp, predicted and gold, or tp, fp and fn, "
                f"or correct and total; found {first_few(rest, 12)}"
            )
        return tuple(complete), list(complete.values()), read_integers
    named = known_name(rest, SCORE_NAMES)
    numeric = [n for n in rest if is_numeric(sheet, n)]
    if named is None and len(numeric) != 1:
        raise InputError(
            f"{sheet.header}: expected a column 'score', or only one with numbers; "
            f"found {first_few(rest, 12)}; --ignore COLUMN leaves one out"
        )
    return ("score",), [named or numeric[0]], read_scores


def _part(sheet: Sheet, rows: NDArray[np.intp]) -> Sheet:
    """These rows of those that are kept."""
    return sheet.only(rows if sheet.kept is None else sheet.kept[rows])


def _blank(sheet: Sheet, names: Sequence[str]) -> NDArray[np.bool_]:
    """The rows in which one of these cells is empty."""
    found: NDArray[np.bool_] = np.any([sheet.column(name).blank() for name in names], axis=0)
    return found


def _with_values(sheet: Sheet, names: Sequence[str]) -> Sheet:
    """The rows that have all values; the sheet itself if all have."""
    empty = _blank(sheet, names)
    if empty.all():
        raise InputError(f"{sheet.path}: no row has a value in all of {first_few(names)}")
    return _part(sheet, np.flatnonzero(~empty)) if empty.any() else sheet


def joined(
    blocks: Mapping[str, Block],
    format_: str,
    columns: tuple[str, ...],
    wanted: Wanted,
    id_: str | None,
    cluster: str | None,
) -> Table:
    """Systems over the units that all have."""
    systems, units, notes = join(blocks, wanted.allow_missing)
    every = dict.fromkeys(name for block in blocks.values() for name in block.others)
    lost = [name for name in every if name not in units.others and name not in wanted.ignore]
    if lost:
        notes += (f"Columns that differ between systems and were not used: {first_few(lost, 12)}.",)
    return Table(
        format_,
        columns,
        systems,
        gold=units.gold,
        ids=units.ids,
        clusters=units.clusters,
        others=units.others,
        id_column=id_,
        cluster_column=cluster,
        notes=notes,
    )
