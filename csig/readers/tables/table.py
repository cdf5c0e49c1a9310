"""Tables of units: from the cells and the layout of a sheet to systems over the same units."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from csig.data.strings import Texts
from csig.errors import InputError, Refusal, Remedy
from csig.readers.limits import check_systems
from csig.readers.lines import stem
from csig.readers.request import Request, option
from csig.readers.tables import kinds, rows
from csig.readers.tables.matching import Table, Values, check_there, id_text, join, picked
from csig.readers.tables.names import RUN_NAMES
from csig.readers.tables.rules import Layout
from csig.readers.tables.runs import with_runs
from csig.readers.tables.sheets import Sheet
from csig.wording import counted, first_few

__all__ = ["built"]

#: Counts of what is wrong, and what makes (tp, predicted, gold) of them.
_WRONG_COUNTS = ("tp", "fp", "fn")
_PLAIN_COUNTS = np.array([[1, 1, 1], [0, 1, 0], [0, 0, 1]])

#: What the clusters of labels between blank lines are called, which no column is.
SENTENCE = "sentence"


def built(sheet: Sheet, layout: Layout, request: Request) -> Table:
    """The table of a sheet whose columns are known."""
    if layout.form != "labels" and sheet.dialect.decimal == ",":
        used = [name for names in layout.systems.values() for name in names]
        kinds.check_thousands(sheet.path, (c for name in used for c in sheet.texts(name)))
    make = _long if layout.system is not None else _wide
    if layout.run is not None:
        table = with_runs(sheet, layout, request, make)
    else:
        table = make(sheet, layout, request)
    if table.columns == _WRONG_COUNTS:
        table = replace(table, columns=("tp", "predicted", "gold"))
    cluster = layout.cluster or table.cluster_column
    notes, cautions = (*sheet.notes, *table.notes), (*table.cautions, *sheet.cautions)
    if table.ids is not None and isinstance(table.ids[0], tuple):
        notes = (f"Ids ({layout.id}) are unique only within {cluster}.", *notes)
    if layout.form != "labels" and layout.cluster is None and (gaps := sheet.gaps()):
        doubt = (
            f"{sheet.path}: blank lines between the rows, in {counted(len(gaps), 'place')}, are "
            "ignored. If they separate groups of rows, name a column with the groups: --cluster."
        )
        cautions = (*cautions, doubt)
    return replace(
        table, where="", id_column=layout.id, cluster_column=cluster, gold_column=layout.gold,
        notes=notes, cautions=cautions,
    )  # fmt: skip


def _keys(
    sheet: Sheet, layout: Layout, request: Request, clusters: Texts | None = None
) -> tuple[Sequence[Hashable] | None, Texts | None]:
    """The ids and clusters of all rows, each id once; or once within its cluster."""
    if layout.cluster is not None:
        clusters = rows.filled(sheet, layout.cluster, "the label of a cluster")
    if layout.id is None:
        return None, clusters
    texts = rows.filled(sheet, layout.id, "an id")
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
    second = ids.index(doubled[0], first + 1)
    many = f"{len(doubled)} ids are" if len(doubled) > 1 else "1 id is"
    found = (
        f"{sheet.path}: found the id {id_text(doubled[0])} on {sheet.place(first)} and again on "
        f"{sheet.place(second)}, expected every id once; {many} repeated: {first_few(doubled)}"
    )
    taken = {layout.id, layout.cluster, layout.gold, layout.system, *ignored}
    taken.update(*layout.systems.values())
    remedies = []
    for name in sheet.names if layout.run is None else ():
        if name in taken or len({*zip(sheet.texts(name), ids, strict=True)}) < len(ids):
            continue
        if name.casefold() in RUN_NAMES:
            remedies.append(Remedy(option("run", name), "swaps a unit with all its runs"))
        elif layout.cluster is None:
            remedies.append(Remedy(option("cluster", name), "swaps whole groups"))
    return Refusal(found, *remedies) if remedies else InputError(found)


def _labels(sheet: Sheet, name: str) -> Texts:
    return rows.filled(sheet, name, "a label", kinds.LEAVE_OUT)


def _values(sheet: Sheet, layout: Layout, names: Sequence[str]) -> Values:
    """A system's values: labels, counts side by side, scores, or a field for every metric."""
    if layout.form == "labels":
        return _labels(sheet, names[0])
    if layout.form == "counts":
        counts = np.stack([rows.integers(sheet, n) for n in names], axis=1)
        wrong = np.flatnonzero(counts[:, 0] > counts[:, 1])
        if layout.columns == ("correct", "items") and len(wrong):
            correct, items = counts[wrong[0]]
            where = sheet.at(int(wrong[0]))
            raise InputError(f"{where}: found {correct} of {items}, more than all")
        return counts @ _PLAIN_COUNTS if layout.columns == _WRONG_COUNTS else counts
    columns = {name: rows.scores(sheet, name) for name in names}
    if len(columns) == 1:
        return columns[names[0]]
    together = np.empty(len(sheet), dtype=[(name, own.dtype) for name, own in columns.items()])
    for name, own in columns.items():
        together[name] = own
    return together


@dataclass(frozen=True, eq=False)
class _Columns(Mapping[str, Texts]):
    """Columns by name, read when they are needed."""

    sheet: Sheet
    names: Sequence[str]

    def __getitem__(self, name: str) -> Texts:
        if name not in self.names:
            raise KeyError(name)
        return self.sheet.texts(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


def _wide(sheet: Sheet, layout: Layout, request: Request) -> Table:
    """A table with one row per unit."""
    check_systems(sheet.path, len(layout.systems))
    columns = {name or stem(sheet.path): own for name, own in layout.systems.items()}
    used = [name for names in columns.values() for name in names]
    used += [layout.gold] if layout.gold is not None else []
    table = Table(layout.form, layout.columns, {}, where=str(sheet.path))
    sentences = None
    gaps = sheet.gaps() if layout.form == "labels" and layout.cluster is None else []
    if gaps and SENTENCE not in sheet.names:
        ends = np.zeros(len(sheet), dtype=np.intp)
        ends[gaps] = 1
        sentences = Texts.of([str(i) for i in range(len(gaps) + 1)]).take(np.cumsum(ends))
        note = (
            f"Blank lines divide {counted(len(sheet), 'row')} into {len(gaps) + 1:,} "
            "sentences, which are the clusters; --unit token swaps single rows."
        )
        table = replace(table, cluster_column=SENTENCE, units_are="token", notes=(note,))
    ids, clusters = _keys(sheet, layout, request, sentences)
    if request.allow_missing is not None:
        lacks = rows.unlabelled if layout.form == "labels" else rows.missing_in
        empty = {name: lacks(sheet, name) for name in used}
        none = np.any([*empty.values()], axis=0)
        if none.all():
            raise InputError(f"{sheet.path}: no unit has values in all of {first_few(used)}")
        if none.any():
            lacking = {
                system: int(np.any([empty[name] for name in names], axis=0).sum())
                for system, names in columns.items()
            }
            kept, gone = np.flatnonzero(~none), np.flatnonzero(none)
            left = gone.tolist() if ids is None else picked(ids, gone)
            table = replace(table, left=tuple(left), lacking=lacking)
            sheet, ids, clusters = sheet.only(kept), picked(ids, kept), picked(clusters, kept)
    known = {layout.id, layout.cluster, layout.run, layout.system, *used}
    others = [name for name in sheet.names if name not in known]
    return replace(
        table,
        systems={name: _values(sheet, layout, own) for name, own in columns.items()},
        gold=None if layout.gold is None else _labels(sheet, layout.gold),
        ids=ids,
        clusters=clusters,
        others=_Columns(sheet, others) if others else {},
    )


def _long(sheet: Sheet, layout: Layout, request: Request) -> Table:
    """A table with a row for every unit and system."""
    column, names = str(layout.system), layout.systems[""]
    codes, different = rows.filled(sheet, column, "the name of a system").codes()
    there = {name: code for code, name in enumerate(different)}
    first = np.unique(codes, return_index=True)[1]
    wanted = request.system or [different[code] for code in np.argsort(first).tolist()]
    check_there(wanted, there, sheet.path)
    check_systems(sheet.path, len(wanted))
    parts = {}
    for name in wanted:
        part = sheet.only(np.flatnonzero(codes == there[name]))
        if name in request.percent:
            part = part.in_percent(names)
        parts[name] = _wide(part, replace(layout, systems={name: names}), request)
    return join(parts, request.allow_missing is not None, request.ignore)
