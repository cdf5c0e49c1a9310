"""Tables of units: from the cells and the layout of a sheet to systems over the same units."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from csig.base.errors import InputError, argument
from csig.base.wording import coded, counted, first_few
from csig.data.strings import Texts
from csig.readers.limits import check_systems
from csig.readers.lines import stem
from csig.readers.request import OptionError, Request
from csig.readers.tables import rows
from csig.readers.tables.matching import Table, Values, check_there, id_text, join, picked
from csig.readers.tables.names import RUN_NAMES
from csig.readers.tables.rules import Layout
from csig.readers.tables.sheets import Sheet

#: Counts of what is wrong, and what makes (tp, predicted, gold) of them.
_WRONG_COUNTS = ("tp", "fp", "fn")
_PLAIN_COUNTS = np.array([[1, 1, 1], [0, 1, 0], [0, 0, 1]])

#: What the clusters of labels between blank lines are called, which no column is.
SENTENCE = "sentence"

#: More values of a column are not runs.
MOST_RUNS = 1000

#: With fewer units two runs are the same by chance.
FEWEST = 10


def built(sheet: Sheet, layout: Layout, request: Request) -> Table:
    """The table of a sheet whose columns are known."""
    if layout.form != "labels" and sheet.dialect.decimal == ",":
        used = [name for names in layout.systems.values() for name in names]
        rows.check_thousands(sheet.path, (c for name in used for c in sheet.texts(name)))
    make = _by_system if layout.run is None else _with_runs
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
            "ignored. If they separate groups of rows, name a column with the groups: "
            f"{argument('cluster')}."
        )
        cautions = (*cautions, *coded("blank-lines", [doubt], n_places=len(gaps)))
    return replace(
        table, where="", id_column=layout.id, cluster_column=cluster, gold_column=layout.gold,
        notes=notes, cautions=cautions,
    )  # fmt: skip


def _keys(
    sheet: Sheet, layout: Layout, request: Request, clusters: Texts | None
) -> tuple[Sequence[Hashable] | None, Texts | None]:
    """The ids and clusters of all rows, each id once; or once within its cluster."""
    if layout.cluster is not None:
        clusters = rows.filled(sheet, layout.cluster, "the label of a cluster")
    if layout.id is None:
        return None, clusters
    texts = rows.filled(sheet, layout.id, "an id")
    if texts.distinct():
        return texts, clusters
    ids: list[Hashable] = list(texts if clusters is None else zip(clusters, texts, strict=True))
    if len(set(ids)) == len(ids):
        return ids, clusters
    doubled = [key for key, many in Counter(ids).items() if many > 1]
    first, second = [i for i, key in enumerate(ids) if key == doubled[0]][:2]
    taken = {layout.id, layout.cluster, layout.gold, layout.system, *request.ignore}
    taken.update(*layout.systems.values())
    ways = []  # columns that may tell rows of one id apart
    for name in sheet.names if layout.run is None else ():
        if name in taken or len({*zip(sheet.texts(name), ids, strict=True)}) < len(ids):
            continue
        if name.casefold() in RUN_NAMES:
            run = rows.way("swaps a unit with all its runs", run=[name])
            ways += [] if sheet.texts(name).distinct() else [run]
        elif layout.cluster is None:
            ways.append(rows.way("swaps whole groups", cluster=[name]))
    many = f"{len(doubled)} ids are" if len(doubled) > 1 else "1 id is"
    raise rows.refused(
        f"{sheet.path}: found the id {id_text(doubled[0])} on {sheet.place(first)} and again on "
        f"{sheet.place(second)}, expected every id once; {many} repeated: {first_few(doubled)}",
        ways,
    )


def _labels(sheet: Sheet, name: str) -> Texts:
    return rows.filled(sheet, name, "a label", rows.LEAVE_OUT)


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


def _by_unit(sheet: Sheet, layout: Layout, request: Request) -> Table:
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
            f"sentences, which are the clusters; {argument('unit', 'token')} swaps single rows."
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
            lack = tuple(n for n in used if layout.columns[1:] and empty[n].any())
            table = replace(table, left=tuple(left), lacking=lacking, gaps=lack)
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


def _by_system(sheet: Sheet, layout: Layout, request: Request) -> Table:
    """A table with a row for every unit, or for every unit and system."""
    if layout.system is None:
        return _by_unit(sheet, layout, request)
    names = layout.systems[""]
    codes, different = rows.filled(sheet, layout.system, "the name of a system").codes()
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
        parts[name] = _by_unit(part, replace(layout, systems={name: names}), request)
    return join(parts, request.allow_missing is not None, request.ignore)


# ---- several runs of each system -----------------------------------------------------------------


def _in_order(name: str) -> tuple[int, float, str]:
    """The key by which runs are sorted: numbers by their size."""
    try:
        return 0, float(name), name
    except ValueError:
        return 1, 0.0, name


def _with_runs(sheet: Sheet, layout: Layout, request: Request) -> Table:
    """The same of each run: a system's values are (units, runs, ...)."""
    column = str(layout.run)
    if layout.form == "labels":
        raise OptionError(f"{argument('run')} is for tables of scores or counts, found labels")
    if layout.id is None:
        raise InputError(
            f"{sheet.header}: several runs ({column!r}) need a column with the ids of the units; "
            f"name it with {argument('id')}"
        )
    codes, different = rows.filled(sheet, column, "the name of a run").codes()
    if len(different) > MOST_RUNS:
        raise InputError(
            f"{sheet.header}: column {column!r} has {len(different):,} different values, expected "
            f"at most {MOST_RUNS:,} runs"
        )
    names = sorted(different.tolist(), key=_in_order)
    if layout.system is not None:  # those of all runs together
        there: dict[str, set[str]] = {}
        for system, run in zip(sheet.texts(layout.system), sheet.texts(column), strict=True):
            there.setdefault(system, set()).add(run)
        request = replace(request, system=request.system or tuple(there))
        there = {name: there[name] for name in request.system if name in there}
        check_runs({f"{sheet.path}: {name!r}": sorted(own) for name, own in there.items()})
    runs: dict[str, Table] = {}
    for name in names:
        part = sheet.only(np.flatnonzero(codes == different.tolist().index(name)))
        runs[name] = _by_system(part, layout, request)
    every = list(runs.values())
    units = join(
        {
            f"run {name!r}": replace(own, systems={"": np.arange(own.n_units)})
            for name, own in runs.items()
        },
        request.allow_missing is not None,
    )
    places = [np.asarray(own) for own in units.systems.values()]
    systems = {}
    for name in every[0].systems:
        values = [picked(t.systems[name], own) for t, own in zip(every, places, strict=True)]
        systems[name] = np.stack(values, axis=1)
    doubts = [caution for own in every for caution in own.cautions]
    doubts += coded("same-run", _equal(systems, [*runs])) if units.n_units >= FEWEST else ()
    return replace(
        units,
        systems=systems,
        notes=tuple(dict.fromkeys(note for own in every for note in own.notes)),
        cautions=tuple(dict.fromkeys(doubts)),
        lacking={name: sum(own.lacking.get(name, 0) for own in every) for name in systems},
        runs=tuple(runs),
        run_column=column,
    )


def _equal(systems: Mapping[str, Values], runs: Sequence[str]) -> Iterator[str]:
    """A doubt where two runs of a system are the same, which may be one run twice."""
    for system, values in systems.items():
        seen: dict[bytes, str] = {}
        for name, run in zip(runs, np.moveaxis(np.asarray(values), 1, 0), strict=True):
            other = seen.setdefault(run.tobytes(), name)
            if other != name:
                yield (
                    f"Runs {other!r} and {name!r} of {system} are the same in every unit. Was it "
                    "run twice? Copies say nothing of how other runs would differ."
                )


def check_runs(runs: Mapping[str, Sequence[str]]) -> None:
    """Refuse files, or systems, with other runs than the first."""
    first = next(iter(runs), "")
    for name in runs:
        for here, there in ((name, first), (first, name)):
            missing = [run for run in runs[there] if run not in runs[here]]
            if missing:
                raise InputError(
                    f"{here}: no run {first_few(missing)}, which {there} has; every system needs "
                    "the same runs"
                )
