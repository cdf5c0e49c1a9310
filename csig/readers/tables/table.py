"""Tables of units: from the cells and the layout of a sheet to systems over the same units."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from csig.data.strings import Texts
from csig.errors import InputError, Refusal, Remedy
from csig.readers.limits import check_systems
from csig.readers.lines import stem
from csig.readers.request import Request, option
from csig.readers.tables import kinds, rows
from csig.readers.tables.declared import by_name
from csig.readers.tables.matching import Block, Table, Values, id_text, joined, picked
from csig.readers.tables.names import RUN_NAMES
from csig.readers.tables.rules import Layout, layout_of
from csig.readers.tables.runs import with_runs
from csig.readers.tables.sheets import Sheet
from csig.wording import counted, first_few, perhaps

__all__ = ["built", "table_of"]

#: What the clusters of labels between blank lines are called, which no column is.
SENTENCE = "sentence"


def table_of(
    sheet: Sheet, request: Request, *, alone: bool = True, metrics: Sequence[str] = ()
) -> Table:
    """The table that a sheet is: as it is declared, and by the rules for the rest."""
    request = by_name(sheet, request)
    sheet = rows.without_dropped(sheet, request)
    return built(sheet, layout_of(sheet, request, alone=alone, metrics=metrics), request)


def built(sheet: Sheet, layout: Layout, request: Request, *, declared: bool = False) -> Table:
    """The same of a sheet whose columns are known; rows and cells of a declared one are, too."""
    if layout.form != "labels" and not declared and sheet.dialect.decimal == ",":
        used = [name for names in layout.systems.values() for name in names]
        kinds.check_thousands(sheet.path, (c for name in used for c in sheet.texts(name)))
    make = _long if layout.system is not None else _wide
    if layout.run is not None:
        table = with_runs(sheet, layout, request, make)
    else:
        table = make(sheet, layout, request)
    within: tuple[str, ...] = ()
    if table.ids is not None and isinstance(table.ids[0], tuple):
        whole = layout.cluster or table.cluster_column
        within = (f"Ids ({layout.id}) are unique only within {whole}.",)
    return replace(
        table,
        id_column=layout.id,
        cluster_column=table.cluster_column or layout.cluster,
        gold_column=layout.gold,
        notes=(*within, *sheet.notes, *table.notes),
        cautions=(*table.cautions, *sheet.cautions, *_of_blank_lines(sheet, layout)),
    )


# ---- ids and clusters ----------------------------------------------------------------------------


def _keys(
    sheet: Sheet, layout: Layout, request: Request, clusters: Texts | None = None
) -> tuple[Sequence[Hashable] | None, Texts | None]:
    """The ids and clusters of all rows, each id once; or once within its cluster."""

    def cells(name: str, what: str) -> Texts:
        texts = sheet.texts(name)
        empty = np.flatnonzero(texts.sizes == 0)
        if len(empty):
            raise InputError(
                f"{sheet.at(int(empty[0]))}, column {name!r}: the cell is empty, expected {what}"
            )
        return texts

    if layout.cluster is not None:
        clusters = cells(layout.cluster, "the label of a cluster")
    if layout.id is None:
        return None, clusters
    texts = cells(layout.id, "an id")
    if texts.distinct():
        return texts, clusters
    ids: list[Hashable] = list(texts)
    if clusters is not None:
        ids = list(zip(clusters, ids, strict=True))
        if len(set(ids)) == len(ids):
            return ids, clusters
    raise _doubled(sheet, layout, ids, request.ignore)


def _doubled(
    sheet: Sheet, layout: Layout, ids: Sequence[Hashable], ignored: Sequence[str]
) -> InputError:
    """What to say of ids that come twice, and which column may tell their rows apart."""
    doubled = [key for key, many in Counter(ids).items() if many > 1]
    first = ids.index(doubled[0])
    places = [sheet.place(at) for at in (first, ids.index(doubled[0], first + 1))]
    many = f"{len(doubled)} ids are" if len(doubled) > 1 else "1 id is"
    found = (
        f"{sheet.path}: found the id {id_text(doubled[0])} on {places[0]} and again on "
        f"{places[1]}, expected every id once; {many} repeated: {first_few(doubled)}"
    )
    remedies = []
    taken = {layout.id, layout.cluster, layout.gold, layout.system, layout.run}
    taken |= {name for own in layout.systems.values() for name in own}
    for name in sheet.names if layout.run is None else ():
        if (
            name in taken
            or name in ignored
            or len(set(zip(sheet.texts(name), ids, strict=True))) < len(ids)
        ):
            continue
        if name.casefold() in RUN_NAMES:
            remedies.append(Remedy(option("run", name), "swaps a unit with all its runs"))
        elif layout.cluster is None:
            remedies.append(Remedy(option("cluster", name), "swaps whole groups"))
    return Refusal(found, *remedies) if remedies else InputError(found)


class _Columns(Mapping[str, Texts]):
    """Columns by name, read when they are needed."""

    def __init__(self, sheet: Sheet, names: Sequence[str]) -> None:
        self._sheet, self._names = sheet, names

    def __getitem__(self, name: str) -> Texts:
        if name not in self._names:
            raise KeyError(name)
        return self._sheet.texts(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _of_blank_lines(sheet: Sheet, layout: Layout) -> tuple[str, ...]:
    """A doubt where blank lines between rows mean nothing, though they may."""
    if layout.form == "labels" or layout.cluster is not None or not (gaps := sheet.gaps()):
        return ()
    return (
        f"{sheet.path}: blank lines between the rows, in {counted(len(gaps), 'place')}, are "
        "ignored. If they separate groups of rows, name a column with the groups: --cluster.",
    )


# ---- one row per unit ----------------------------------------------------------------------------


def _labels(sheet: Sheet, name: str) -> Texts:
    texts = sheet.texts(name)
    empty = np.flatnonzero(texts.sizes == 0)
    if len(empty):
        raise Refusal(
            f"{sheet.at(int(empty[0]))}, column {name!r}: the cell is empty, expected a label",
            kinds.LEAVE_OUT,
        )
    return texts


def _sentences(sheet: Sheet) -> Texts | None:
    """The number of every row's sentence, if blank lines end some."""
    gaps = sheet.gaps()
    if not gaps or SENTENCE in sheet.names:
        return None
    ends = np.zeros(len(sheet), dtype=np.intp)
    ends[gaps] = 1
    return Texts.of([str(i) for i in range(len(gaps) + 1)]).take(np.cumsum(ends))


def _values(sheet: Sheet, layout: Layout, names: Sequence[str]) -> Values:
    """A system's values: labels, counts side by side, scores, or a field for every metric."""
    if layout.form == "labels":
        return _labels(sheet, names[0])
    if layout.form == "counts":
        counts = np.stack([rows.integers(sheet, n) for n in names], axis=1)
        wrong = np.flatnonzero(counts[:, 0] > counts[:, 1])
        if layout.columns == ("correct", "items") and len(wrong):
            row = int(wrong[0])
            raise InputError(
                f"{sheet.at(row)}: found {counts[row, 0]} of {counts[row, 1]}, more than all"
            )
        return counts
    columns = [rows.scores(sheet, name) for name in names]
    if len(columns) == 1:
        return columns[0]
    fields = [(name, own.dtype) for name, own in zip(names, columns, strict=True)]
    together = np.empty(len(columns[0]), dtype=fields)
    for name, own in zip(names, columns, strict=True):
        together[name] = own
    return together


def _wide(sheet: Sheet, layout: Layout, request: Request) -> Table:
    """A table with one row per unit."""
    check_systems(sheet.path, len(layout.systems))
    labels = layout.form == "labels"
    used = [name for names in layout.systems.values() for name in names]
    used += [layout.gold] if layout.gold is not None else []
    table = Table(layout.form, layout.columns, {})
    sentences = _sentences(sheet) if labels and layout.cluster is None else None
    if sentences is not None:
        note = (
            f"Blank lines divide {counted(len(sheet), 'row')} into {len(sheet.gaps()) + 1:,} "
            "sentences, which are the clusters; --unit token swaps single rows."
        )
        table = replace(table, cluster_column=SENTENCE, units_are="token", notes=(note,))
    ids, clusters = _keys(sheet, layout, request, sentences)
    if request.allow_missing is not None:
        gaps_by = {
            system: np.any([sheet.texts(n).sizes == 0 for n in names], axis=0)
            if labels
            else rows.missing_in(sheet, names)
            for system, names in layout.systems.items()
        }
        empty = np.any(list(gaps_by.values()), axis=0)
        if labels and layout.gold is not None:
            empty |= sheet.texts(layout.gold).sizes == 0
        if empty.all():
            raise InputError(f"{sheet.path}: no unit has values in all of {first_few(used)}")
        if empty.any():
            kept, gone = np.flatnonzero(~empty), np.flatnonzero(empty)
            left = tuple(gone.tolist() if ids is None else picked(ids, gone))
            lacking = {name or stem(sheet.path): int(g.sum()) for name, g in gaps_by.items()}
            table = replace(table, left=left, lacking=lacking)
            sheet = sheet.only(kept)
            ids, clusters = picked(ids, kept), picked(clusters, kept)
    systems = {
        name or stem(sheet.path): _values(sheet, layout, names)
        for name, names in layout.systems.items()
    }
    others = [n for n in sheet.names if n not in {layout.id, layout.cluster, *used}]
    table = replace(
        table,
        systems=systems,
        gold=None if layout.gold is None else _labels(sheet, layout.gold),
        ids=ids,
        clusters=clusters,
        others=_Columns(sheet, others) if others else {},
    )
    return table.with_plain_counts()


# ---- one row per unit and system -----------------------------------------------------------------


def _long(sheet: Sheet, layout: Layout, request: Request) -> Table:
    """A table with a row for every unit and system."""
    column, names = str(layout.system), layout.systems[""]
    codes, different = sheet.texts(column).codes()
    there = {name: code for code, name in enumerate(different)}
    if "" in there:
        row = int(np.argmax(codes == there[""]))
        raise InputError(f"{sheet.at(row)}, column {column!r}: the cell is empty")
    first = np.full(len(there), len(sheet))
    np.minimum.at(first, codes, np.arange(len(sheet)))
    wanted = list(request.system) or sorted(there, key=lambda name: int(first[there[name]]))
    missing = [name for name in wanted if name not in there]
    if missing:
        raise InputError(
            f"{sheet.path}: no system {first_few(missing)}{perhaps(missing[0], there)}; there are "
            f"{first_few(there, 12)}"
        )
    check_systems(sheet.path, len(wanted))
    used = {layout.id, layout.cluster, column, *names}
    others = [name for name in sheet.names if name not in used]
    gaps = rows.missing_in(sheet, names)
    blocks, lacking = {}, {}
    for name in wanted:
        own = np.flatnonzero(codes == there[name])
        part = sheet.only(own)
        if name in request.percent:
            part = part.in_percent(names)
        ids, clusters = _keys(part, layout, request)  # doubled ids are wrong whatever is kept
        lacking[name] = frozenset[Hashable]()
        if request.allow_missing is not None and gaps[own].any():
            kept, gone = np.flatnonzero(~gaps[own]), np.flatnonzero(gaps[own])
            lacking[name] = frozenset(picked(ids, gone))
            part = part.only(kept)
            ids, clusters = picked(ids, kept), picked(clusters, kept)
        blocks[name] = Block(
            str(sheet.path),
            _values(part, layout, names),
            ids,
            clusters,
            others={other: part.texts(other) for other in others},
        )
    found = joined(blocks, layout.form, layout.columns, request, left=lacking)
    return found.with_plain_counts()
