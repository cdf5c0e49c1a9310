"""Tables of units as a form: systems over the same units, from one file for all or one for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from csig.base.errors import InputError, Refusal, Remedy, argument
from csig.base.wording import Line, coded, counted, first_few, joined
from csig.data.repeats import is_of_answers, text_of
from csig.data.strings import Texts
from csig.data.units import refuse_missing
from csig.readers.data import Data, TableData, units_called
from csig.readers.limits import check_metrics, check_systems
from csig.readers.lines import read_lines, stem, stems
from csig.readers.request import (
    PAIRWISE,
    Input,
    OptionError,
    Request,
    TableInput,
    names_of,
    same_files,
    shown,
)
from csig.readers.tables import matching, rules
from csig.readers.tables import names as words
from csig.readers.tables.files import NumberLines, read_numbers, read_sheet
from csig.readers.tables.matching import LOGS, MEAN, Table, Values, check_there, join, picked
from csig.readers.tables.names import (
    RUN_NAMES,
    is_property,
    is_statistic,
    known_name,
    parts_of,
    shared_parts,
)
from csig.readers.tables.rules import Layout, kind_of, layout_of, way
from csig.readers.tables.sheets import FRAME, Dialect, Sheet, frame_sheet, is_number

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
        rules.check_thousands(sheet.path, (c for name in used for c in sheet.texts(name)))
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
            "ignored."
        )
        way = "If they separate groups of rows, name a column with the groups: "
        doubt = joined([doubt, Line(f"{way}{argument('cluster')}.")])
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
        clusters = rules.filled(sheet, layout.cluster, "the label of a cluster")
    if layout.id is None:
        return None, clusters
    texts = rules.filled(sheet, layout.id, "an id")
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
            run = rules.way("swaps a unit with all its runs", run=[name])
            ways += [] if sheet.texts(name).distinct() else [run]
        elif layout.cluster is None:
            ways.append(rules.way("swaps whole groups", cluster=[name]))
    many = f"{len(doubled)} ids are" if len(doubled) > 1 else "1 id is"
    once = "once" if layout.run is None else "once in each run"
    raise rules.refused(
        f"{sheet.path}: found the id {matching.id_text(doubled[0])} on {sheet.place(first)} and "
        f"again on {sheet.place(second)}, expected every id {once}; {many} repeated: "
        f"{first_few(doubled)}",
        ways,
    )


def _values(sheet: Sheet, layout: Layout, names: Sequence[str]) -> Values:
    """A system's values: labels, counts side by side, scores, or a field for every metric."""
    if layout.form == "labels":
        return rules.filled(sheet, names[0], "a label", rules.LEAVE_OUT)
    if layout.form == "counts":
        counts = np.stack([rules.integers(sheet, n) for n in names], axis=1)
        wrong = np.flatnonzero(counts[:, 0] > counts[:, 1])
        if layout.columns == ("correct", "items") and len(wrong):
            correct, items = counts[wrong[0]]
            where = sheet.at(int(wrong[0]))
            raise InputError(f"{where}: found {correct} of {items}, more than all")
        return counts @ _PLAIN_COUNTS if layout.columns == _WRONG_COUNTS else counts
    columns = {name: rules.scores(sheet, name) for name in names}
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
            "sentences, which are the clusters"
        )
        note = Line(f"{note}; {argument('unit', 'token')} swaps single rows.", f"{note}.")
        table = replace(table, cluster_column=SENTENCE, units_are="token", notes=(note,))
    if request.allow_missing == PAIRWISE and len(columns) > 1:
        matching.check_pairwise(layout.columns)
        parts = {}
        for name, (own,) in columns.items():
            missing = rules.missing_in(sheet, own)
            part = sheet.only(np.flatnonzero(~missing))
            found = _by_unit(part, replace(layout, systems={name: (own,)}), request)
            parts[name] = replace(found, left=tuple(np.flatnonzero(missing).tolist()))
        found = join(parts, PAIRWISE)
        nobody = len(sheet) - found.n_units
        return replace(found, left=tuple(range(nobody)), lacking=dict.fromkeys(columns, nobody))
    ids, clusters = _keys(sheet, layout, request, sentences)
    if request.allow_missing is not None:
        lacks = rules.unlabelled if layout.form == "labels" else rules.missing_in
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
    known = {layout.id, layout.cluster, layout.run, layout.system, request.answer_column, *used}
    others = [name for name in sheet.names if name not in known]
    systems = {name: _values(sheet, layout, own) for name, own in columns.items()}
    gold = None
    if layout.gold is not None:
        gold = rules.filled(sheet, layout.gold, "a label", rules.LEAVE_OUT)
    return replace(
        table, systems=systems, gold=gold, ids=ids, clusters=clusters,
        texts=_texts(sheet, request, [*systems]),
        others=_Columns(sheet, others) if others else {},
    )  # fmt: skip


def _texts(sheet: Sheet, request: Request, systems: Sequence[str]) -> dict[str, NDArray[Any]]:
    """The text of each answer, where a column has it."""
    if (name := request.answer_column) is None:
        return {}
    if len(systems) > 1:
        raise OptionError(
            f"{argument('answer_column', name)}: one column for {counted(len(systems), 'system')}; "
            "give a file for each, or a row for each answer of each"
        )
    return {systems[0]: np.array([*map(text_of, sheet.texts(name))], dtype=object)}


def _by_system(sheet: Sheet, layout: Layout, request: Request) -> Table:
    """A table with a row for every unit, or for every unit and system."""
    if layout.system is None:
        return _by_unit(sheet, layout, request)
    parts = {
        name: _by_unit(part, replace(layout, systems={name: layout.systems[""]}), request)
        for name, part in _of_systems(sheet, layout, request).items()
    }
    return join(parts, request.allow_missing or False, request.ignore)


def _of_systems(sheet: Sheet, layout: Layout, request: Request) -> dict[str, Sheet]:
    """The rows of every system that is asked for, or of all in the order of the file."""
    codes, different = rules.filled(sheet, str(layout.system), "the name of a system").codes()
    there = {name: code for code, name in enumerate(different)}
    first = np.unique(codes, return_index=True)[1]
    wanted = request.system or [different[code] for code in np.argsort(first).tolist()]
    check_there(wanted, there, sheet.path)
    check_systems(sheet.path, len(wanted))
    parts = {name: sheet.only(np.flatnonzero(codes == there[name])) for name in wanted}
    return {
        name: part.in_percent(layout.systems[""]) if name in request.percent else part
        for name, part in parts.items()
    }


def _with_runs(sheet: Sheet, layout: Layout, request: Request) -> Table:
    """The same of each run: a system's values are (units, runs, ...)."""
    try:
        return _of_all_units(sheet, layout, request)
    except InputError as error:
        if (answers := _answers(sheet, layout, request)) is None:
            raise
        return replace(answers, unequal=unequal(error))


def unequal(error: InputError) -> Refusal:
    """What is said of runs that do not have all units, unless they are answers to questions."""
    ways = error.remedies if isinstance(error, Refusal) else ()
    found = error.found if isinstance(error, Refusal) else str(error)
    why = "takes every unit's mean over the runs that it has"
    mean = Remedy(("--metric", "mean"), why, without=("--metric",))
    return Refusal(found, *ways, mean)


def _answers(sheet: Sheet, layout: Layout, request: Request) -> Table | None:
    """Units with different numbers of answers, as doubles, (units, answers), NaN where there is
    none; None where that is not what the table has.
    """
    if layout.form != "scores" or layout.id is None or request.allow_missing is not None:
        return None
    if layout.system is not None:
        if not {*request.system} <= {*sheet.texts(layout.system)}:
            return None
        parts = {}
        for name, part in _of_systems(sheet, layout, request).items():
            own = replace(layout, system=None, systems={name: layout.systems[""]})
            if (answers := _answers(part, own, request)) is None:
                return None
            parts[name] = answers
        return join(parts, False, request.ignore)
    run = rules.filled(sheet, str(layout.run), "the name of a run")
    unit, keys = rules.filled(sheet, layout.id, "an id").codes()
    clusters = None if layout.cluster is None else sheet.texts(layout.cluster)
    if len(names := run.codes()[1]) > MOST_RUNS:
        return None
    order = np.argsort(unit, kind="stable")
    first = order[np.unique(unit[order], return_index=True)[1]]
    same = clusters is None or clusters.take(first).take(unit) == clusters
    if len({*zip(unit.tolist(), run, strict=True)}) < len(run) or not same:
        return None
    place = np.empty(len(unit), dtype=np.intp)  # of an answer among those of its unit
    sizes = np.bincount(unit)
    place[order] = np.arange(len(unit)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    units = _by_unit(sheet.only(first), layout, request)
    systems, texts = {}, {}
    for name, cells in _texts(sheet, request, [*layout.systems]).items():
        texts[name or stem(sheet.path)] = of_units = np.full((len(keys), int(sizes.max())), None)
        of_units[unit, place] = cells
    for name, columns in layout.systems.items():
        values = np.asarray(_values(sheet, layout, columns))
        kind = [(own, np.float64) for own in values.dtype.names or ()] or np.float64
        table = np.full((len(keys), int(sizes.max())), np.nan, dtype=kind)
        table[unit, place] = values
        systems[name or stem(sheet.path)] = table
    others = {name: cells for name, cells in units.others.items()
              if picked(cells, unit) == sheet.texts(name)}  # fmt: skip
    runs = tuple(sorted(names, key=_in_order))
    return replace(
        units, systems=systems, texts=texts, others=others, runs=runs, run_column=str(layout.run)
    )


def _in_order(run: str) -> tuple[int, float, str]:
    """Runs by their number, or by name."""
    return (0, float(run), run) if is_number(run) else (1, 0.0, run)


def _of_all_units(sheet: Sheet, layout: Layout, request: Request) -> Table:
    """Runs that have all units."""
    column = str(layout.run)
    if layout.form == "labels":
        raise OptionError(f"{argument('run')} is for tables of scores or counts, found labels")
    if layout.id is None:
        raise InputError(
            f"{sheet.header}: several runs ({column!r}) need a column with the ids of the units; "
            f"name it with {argument('id')}"
        )
    codes, different = rules.filled(sheet, column, "the name of a run").codes()
    if len(different) > MOST_RUNS:
        raise InputError(
            f"{sheet.header}: column {column!r} has {len(different):,} different values, expected "
            f"at most {MOST_RUNS:,} runs"
        )
    names = sorted(different, key=_in_order)
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
    return stacked(runs, column, request.allow_missing or False)


def stacked(runs: Mapping[str, Table], column: str, allow_missing: bool | str) -> Table:
    """Tables of one run each as one, whose systems' values are (units, runs, ...)."""
    every = list(runs.values())
    units = join(
        {
            f"run {name!r}": replace(own, systems={"": np.arange(own.n_units)})
            for name, own in runs.items()
        },
        allow_missing,
    )
    places = [np.asarray(own) for own in units.systems.values()]
    systems, texts = {}, {}
    for name in every[0].systems:
        parts = [picked(t.systems[name], own) for t, own in zip(every, places, strict=True)]
        systems[name] = np.stack(parts, axis=1)
        if all(name in own.texts for own in every):
            chosen = zip(every, places, strict=True)
            texts[name] = np.stack([own.texts[name][here] for own, here in chosen], axis=1)
    doubts = [caution for own in every for caution in own.cautions]
    same = []  # which may be one run twice
    for system, values in systems.items() if units.n_units >= FEWEST else ():
        seen: dict[bytes, str] = {}
        for name, run in zip(runs, np.moveaxis(values, 1, 0), strict=True):
            other = seen.setdefault(run.tobytes(), name)
            if other != name:
                same.append(
                    f"Runs {other!r} and {name!r} of {system} are the same in every unit. Was it "
                    "run twice? Copies say nothing of how other runs would differ."
                )
    doubts += coded("same-run", same)
    return replace(
        units,
        systems=systems,
        texts=texts,
        notes=tuple(dict.fromkeys(note for own in every for note in own.notes)),
        cautions=tuple(dict.fromkeys(doubts)),
        lacking={name: sum(own.lacking.get(name, 0) for own in every) for name in systems},
        runs=tuple(runs),
        run_column=column,
    )


def check_runs(runs: Mapping[str, Sequence[str]]) -> None:
    """Refuse files, or systems, with other runs than the first."""
    first = next(iter(runs), "")
    for name in runs:
        for here, there in ((name, first), (first, name)):
            every = f", which {there} has; every system needs the same runs"
            refuse_missing(f"{here}: no run", runs[there], runs[here], every)


#: With fewer different cells a column may be the same in another order by chance.
FEWEST_DIFFERENT = 4

#: Names of a column that say nothing about the scores.
_NO_NAMES = {*words.SCORE_NAMES, *words.PREDICTIONS, "correct", "label"}


def dialect_of(request: Request) -> Dialect:
    """How cells are to be read."""
    return Dialect(**{own.name: getattr(request, own.name) for own in fields(Dialect)})


def read(request: Request, metrics: Sequence[str]) -> Data:
    """Scores, counts or labels of every system."""
    return data_of(request, read_tables(request, metrics), request.files)


def of_frame(frame: object, request: Request, metrics: Sequence[str] = ()) -> Data:
    """A data frame with a row for every unit, or for every unit and system."""
    if request.format not in ("auto", "scores", "counts", "labels"):
        raise OptionError(
            f"{argument('format')}: found {request.format!r}, a data frame has scores, counts or "
            "labels"
        )
    sheet = frame_sheet(frame, dialect_of(request))
    return data_of(request, table_alone(sheet, request, metrics), [FRAME])


def read_tables(request: Request, metrics: Sequence[str] = ()) -> Table:
    """The table that one file is, or that several make."""
    paths, dialect = request.files, dialect_of(request)
    if len(paths) == 1:
        sheet = read_sheet(paths[0], dialect)
        if len(sheet.names) == 1:
            raise InputError(
                f"{paths[0]}: found one column only, {sheet.names[0]!r}, so this is one system at "
                "most; give a file for every system"
            )
        return table_alone(sheet, request, metrics)
    check_systems(paths[0], len(paths))
    of_columns = request.given("id", "cluster", "run", "gold_column", "system_column", "field")
    if request.format in ("auto", "scores") and not of_columns:
        systems = zip(paths, stems(paths), strict=True)
        files = [read_numbers(path, dialect, system) for path, system in systems]
        numbers = [own for own in files if own is not None]
        if len(numbers) == len(files):
            return _of_numbers(request, numbers)
        bare = [own.path for own in numbers if own.name is None]
        if bare and request.header is None:
            other = paths[files.index(None)]
            read_sheet(other, dialect)  # where it is none, that is what is wrong
            raise InputError(
                f"{bare[0]}: found one number per line, but {other} is another kind of table; "
                "each file is a system, and all need the same columns"
            )
    return of_sheets(request, [read_sheet(path, dialect) for path in paths], metrics)


def table_alone(sheet: Sheet, request: Request, metrics: Sequence[str] = ()) -> Table:
    """The table that a sheet is by itself, with what is to be said first."""
    request = rules.by_name(sheet, request)
    free = [name for name in sheet.names if name not in (*request.ignore, *request.system)]
    chosen = tuple(name for name in free if name in metrics or MEAN + name in metrics)
    if chosen and (request.system_column or words.system_column(free)) is not None:
        request = replace(request, score_column=chosen)
    rules.check_in_percent(request, [sheet])
    sheet = rules.without_dropped(sheet, request)
    table = built(sheet, layout_of(sheet, request), request)
    called = [stem(sheet.path)] if sheet.form != "data frame" else []
    columns = request.score_column
    if len(columns) == 1 and columns[0].casefold() not in _NO_NAMES:
        called += columns
        table = replace(table, metric=MEAN + columns[0])
    elif len(table.systems) > 1:
        called += shared_parts(list(table.systems))
    table = replace(table, called=" ".join(called))
    return _checked(table, request, str(sheet.path), metrics, several=False)


def _checked(
    table: Table, request: Request, where: str, metrics: Sequence[str] = (), several: bool = True
) -> Table:
    """A table that is not in percent beside shares, with what is to be said first."""
    # Runs that do not have all units are none, but answers if a metric says so.
    if table.unequal is not None and not any(n == "mean" or is_of_answers(n) for n in metrics):
        raise table.unequal
    scores = table.format == "scores"
    if scores and (several or not table.metrics):  # of one file no option names a metric's percent
        check_shares(request, table, where)
    doubts = table.left_out()
    if scores and not table.runs:
        every = [np.asarray(own) for own in table.systems.values()]
        doubts = (*doubts, *coded("repeated-rows", rules.repeated(table.ids, every)))
    return replace(table, cautions=(*doubts, *table.cautions))


def check_shares(request: Request, table: Table, where: str = "") -> None:
    """Refuse percent beside shares by some metric."""
    metrics = table.metrics or ("",)
    for name in metrics if not request.system else ():
        part = table.of_metric(name) if name else table
        of_logs = part.format in LOGS
        called = part.columns[0] if of_logs else f"{table.metric or ''} {table.called}"
        parts = words.parts_of(called)
        if words.is_loss(parts) or (of_logs and words.direction_of(parts) == "lower"):
            continue
        values = {own: np.asarray(these) for own, these in part.systems.items()}
        ranges = {
            f"{own}: {name}" if name else own: (float(np.nanmin(these)), float(np.nanmax(these)))
            for own, these in values.items()
            if these.size
        }
        declared = None if of_logs else request.percent
        rules.check_percent(ranges, where or name or called, declared, list(table.systems))


def _shared_name(names: Sequence[str]) -> str:
    """What the names of files share that may tell a direction; "per" joins two words there."""
    return " ".join(part for part in shared_parts(names) if part != "per")


def _of_numbers(request: Request, files: Sequence[NumberLines]) -> Table:
    """One number a line: systems matched by their lines."""
    paths, names = request.files, stems(request.files)
    for path in paths if request.decimal == "," else ():
        rules.check_thousands(path, map(str.strip, read_lines(path)))
    headers = {own.name for own in files}
    if odd := request.given("ignore", "drop_row"):
        raise OptionError(f"{odd[0]} does not go with files of one number per line")
    if odd := [name for name in request.score_column if name not in headers]:
        raise InputError(f"{paths[0]}: no column {odd[0]!r}; each line is one number")
    rules.check_in_percent(request, [], [*names, *map(stem, paths), *filter(None, headers)])
    shared = min(own.leading for own in files)  # blank lines with which all begin are nothing
    systems = {name: own.numbers.values[shared:] for name, own in zip(names, files, strict=True)}
    sizes = [len(own) for own in systems.values()]
    count = max(sizes)
    parts = {}
    for (name, numbers), own in zip(systems.items(), files, strict=True):
        if len(numbers) + own.trailing < count:
            raise InputError(
                f"{own.path}: {len(numbers):,} numbers, but {paths[sizes.index(count)]} has "
                f"{count:,}; one number per line is matched by its line, so all need the same "
                "number"
            )
        missing = np.arange(len(numbers), count)
        if own.numbers.missing is not None:
            here = np.flatnonzero(own.numbers.missing[shared:])
            numbers, missing = np.delete(numbers, here), np.concatenate([here, missing])
        if len(missing) and request.allow_missing is None:
            in_all = f", one of {len(missing):,}" if len(missing) > 1 else ""
            where = own.at(shared + int(missing[0]))
            raise Refusal(f"{where}: no number, and numbers are matched by their lines{in_all}",
                          rules.LEAVE_OUT)  # fmt: skip
        left = tuple(missing.tolist())
        parts[name] = Table("scores", ("score",), {name: numbers}, left=left)
    table = join(parts, request.allow_missing or False)
    if request.system:
        check_there(request.system, table.systems)
        table = replace(table, systems={name: table.systems[name] for name in request.system})
    called = _shared_name(names)
    one_metric = Remedy(("--format", "scores"), "if the numbers are of one metric")
    if None not in headers:
        several = len(headers) > 1 and request.format == "auto"
        if several and any(map(words.is_metric, map(str, headers))):
            named = [f"{own.path} begins with {own.name!r}" for own in files[:3]]
            raise Refusal(f"{', '.join(named)}: systems are compared by one metric", one_metric)
        called = f"{headers.pop() if len(headers) == 1 else ''} {called}"
    for own in files if request.format != "scores" else ():
        rules.check_edges(str(own.path), own.numbers.values, replace(one_metric, why=""))
    return _checked(replace(table, called=called), request, first_few(map(shown, paths)))


def of_sheets(request: Request, sheets: Sequence[Sheet], metrics: Sequence[str]) -> Table:
    """Several tables: each is a system, and their columns of numbers are metrics."""
    every = dict.fromkeys(name for sheet in sheets for name in sheet.names)
    ignored = [name for name in request.ignore if not name.isdecimal()]
    check_there(ignored, every, argument("ignore"), "no file has a column")
    names = stems([str(sheet.path) for sheet in sheets])
    rules.check_in_percent(request, sheets, names)
    asked = set(request.system)
    of_columns = bool(asked) and (asked <= every.keys() or not asked <= set(names))
    if not of_columns:
        _check_headers(request, sheets, metrics)
    tables = []
    for name, sheet in zip(names, sheets, strict=True):
        wanted = [column.removeprefix(f"{name}: ") for column in request.system if of_columns]
        own = replace(
            request,
            ignore=tuple(n for n in request.ignore if n in sheet.names or n.isdecimal()),
            system=tuple(column for column in wanted if column in sheet.names),
        )
        if percent := [n for n in sheet.names if {name, f"{name}: {n}"} & set(request.percent)]:
            sheet = sheet.in_percent((*sheet.dialect.percent, *percent))
        try:
            own = rules.by_name(sheet, own)
            sheet = rules.without_dropped(sheet, own)
            layout = layout_of(sheet, own, alone=False, metrics=metrics)
            tables.append(built(sheet, layout, own))
        except Refusal as error:
            ways = list(error.remedies)
            for remedy in error.remedies:
                if "--id" in remedy.options:  # whose cells must be in all files, some at least
                    column = remedy.options[remedy.options.index("--id") + 1]
                    with_it = [set(own.texts(column)) for own in sheets if column in own.names]
                    if len(with_it) < len(sheets) or not set.intersection(*with_it):
                        ways.remove(remedy)
            raise rules.refused(error.found, ways) from None
    first, path = tables[0], sheets[0].path
    for sheet, table in zip(sheets, tables, strict=True):
        if (table.format, {*table.columns}) != (first.format, {*first.columns}):
            raise InputError(
                f"{sheet.path} has {table.format} ({', '.join(table.columns)}), {path} "
                f"{first.format} ({', '.join(first.columns)}); expected the same in every file"
            )
    check_metrics(path, len(first.columns))
    not_all = next((own.unequal for own in tables if own.unequal is not None), None)
    try:
        check_runs({str(sheet.path): own.runs for sheet, own in zip(sheets, tables, strict=True)})
    except InputError as error:
        if first.format != "scores" or request.allow_missing is not None:
            raise
        not_all = unequal(error)
    parts = _parts(request, sheets, tables, names)
    by_line = all(table.ids is None for table in tables)
    if by_line:
        _check_order(request, sheets)
    found = join(parts, request.allow_missing or False, request.ignore)
    notes = [note for table in tables for note in table.notes]
    if by_line and first.format != "labels":
        notes.append("Rows are matched by their order: no column has ids.")
    found = replace(
        found,
        unequal=not_all,
        notes=tuple(dict.fromkeys((*notes, *found.notes))),
        cautions=tuple(dict.fromkeys(caution for own in tables for caution in own.cautions)),
    )
    if found.format == "scores":
        found = _with_metric(request, sheets[0].names, found, metrics)
        found = replace(found, called=f"{found.called} {_shared_name(names)}")
    return _checked(found, request, first_few(map(shown, request.files)), metrics)


def _check_order(request: Request, sheets: Sequence[Sheet]) -> None:
    """Refuse rows without ids where a column has the same cells in every file in another order."""
    first, *others = sheets
    known = (*request.ignore, request.cluster, request.gold_column)
    for name in first.names:
        if name in known or any(name not in own.names for own in others):
            continue
        texts, *same = (own.texts(name) for own in sheets)
        if all(own == texts for own in same) or len(texts.codes()[1]) < FEWEST_DIFFERENT:
            continue
        if any(sorted(own) != sorted(texts) for own in same):
            continue
        raise Refusal(
            f"{others[0].path}: column {name!r} has the same cells as in {first.path}, but in "
            "another order, and no column is known to have the ids",
            *[way("matches rows by it", id=[name])][: texts.distinct()],
            way("if rows belong together by their order", ignore=[name]),
        )


def _with_metric(
    request: Request, columns: Sequence[str], table: Table, metrics: Sequence[str]
) -> Table:
    """The same with the name of its metric, and what of the columns may tell the direction."""
    if table.metrics:
        note = (
            f"The files have the same columns with scores, {first_few(table.metrics, 12)}: each is "
            "a metric and each file a system"
        )
        note = Line(f"{note}; {argument('metric')} chooses.", f"{note}.")
        return table if metrics else replace(table, notes=(*table.notes, note))
    asked = {*request.score_column, *metrics}
    chosen = next((name for name in columns if name in asked or MEAN + name in asked), None)
    if chosen is not None:
        metric = None if chosen.casefold() in _NO_NAMES else MEAN + chosen
        return replace(table, called=chosen, metric=metric)
    taken = {table.id_column, table.cluster_column, table.run_column, *request.ignore}
    rest = [name for name in columns if name not in taken and name not in table.others]
    return replace(table, called=" ".join(rest))


def _check_headers(request: Request, sheets: Sequence[Sheet], metrics: Sequence[str]) -> None:
    """Refuse files with other columns than the first: they are not measured alike."""
    first = sheets[0]
    shared = [name for name in first.names if all(name in own.names for own in sheets)]
    known = {*shared, *request.ignore}
    extra = {name: sheet for sheet in sheets for name in sheet.names if name not in known}
    if not extra or set(metrics) & set(shared):
        return
    lacking = next(s for s in sheets if any(name not in s.names for name in extra))
    name, having = next((n, s) for n, s in extra.items() if n not in lacking.names)
    found = (
        f"{lacking.path}: no column {name!r}, which {having.path} has; each file is a system, and "
        "all need the same columns"
    )
    if any(own and own.casefold() in words.ID_NAMES for own in extra):  # else rows may be mixed
        raise InputError(f"{found}; give the ids one name")
    taken = {*words.ID_NAMES, *words.CLUSTER_NAMES, *words.GOLD_NAMES}
    free = [
        n for n in shared if n.casefold() not in taken and n not in (request.id, request.cluster)
    ]
    ways = []
    if any(kind_of(first, own) not in ("text", "empty", "odd") for own in free):
        ways.append(way("compares the columns that all have", ignore=extra))
    gold = request.gold_column or known_name(shared, words.GOLD_NAMES)
    none = ("empty",) if gold else ("text", "empty")
    systems = [own for own, sheet in extra.items() if kind_of(sheet, own) not in none]
    if len(systems) == len(sheets) == len({id(extra[own]) for own in systems}):
        ways.append(way("if each of these columns is a system", system=systems))
    raise rules.refused(found, ways)


def _parts(
    request: Request, sheets: Sequence[Sheet], tables: Sequence[Table], names: Sequence[str]
) -> dict[str, Table]:
    """Every system's part by its name, or those of the systems that are asked for."""
    times = Counter(name for table in tables for name in table.systems)
    alike = len(times) == 1 and all(len(table.systems) == 1 for table in tables)
    parts: dict[str, Table] = {}
    columns: dict[str, tuple[str, str]] = {}  # in two ways
    for file, sheet, table in zip(names, sheets, tables, strict=True):
        for name, values in table.systems.items():
            system = f"{file}: {name}" if times[name] > 1 else name
            if alike or name == stem(sheet.path) or name.casefold() in _NO_NAMES:
                system = file
            parts[system] = replace(table, systems={name: values}, where=str(sheet.path))
            columns[system] = name, f"{file}: {name}"
    check_systems(sheets[0].path, len(parts))
    called = {} if request.system else {system: system for system in parts}
    for asked in request.system:
        fits = [system for system in parts if asked in (system, *columns[system])]
        check_there([] if fits else [asked], parts)
        called |= {own: asked if asked == columns[own][1] else own for own in fits}
    return {name: parts[system] for system, name in called.items()}


def data_of(request: Request, table: Table, files: Sequence[str]) -> Data:
    """The data of a table, with the systems in their order."""
    systems = list(table.systems)
    if request.system and set(request.system) <= set(systems):
        systems = list(request.system)
        table = replace(table, systems={name: table.systems[name] for name in systems})
    if len(set(request.system)) < len(request.system):
        raise OptionError(f"{argument('system')}: give each system only once")
    matching.check_labels(table, first_few(map(shown, files)))
    names = names_of(request, systems)
    if request.positive is not None and table.format != "labels":
        raise OptionError(f"{argument('positive')} is for tables of labels")
    n_runs = len(table.runs) if table.run_column is not None and table.unequal is None else None
    read_as = TableInput(
        tuple(map(shown, files)), tuple(map(shown, systems)), table.n_units,
        None if table.clusters is None else len(set(table.clusters)), table.id_column,
        table.cluster_column, table.gold_column, table.run_column, n_runs, request.positive,
        units_called(table),
    )  # fmt: skip
    # Counts that say the systems were asked different things; another gold is refused.
    different = []
    shared = next((name for name in ("items", "words") if name in table.columns), None)
    if table.format == "counts" and shared is not None and not table.runs:
        place = table.columns.index(shared)
        counts = {name: np.asarray(own)[:, place] for name, own in table.systems.items()}
        (first, base), *others = counts.items()
        for name, own in others:
            if count := int((own != base).sum()):
                different.append(
                    f"{shown(name)} and {shown(first)} differ in {shared} in {count} of "
                    f"{table.n_units} units. Is it the same test data?"
                )
    cautions = (*same_files(files), *table.cautions, *coded("other-test-data", different))
    source = Input(table.format, {}, table=read_as, notes=table.notes, cautions=cautions)
    return TableData(source, names, table, request.positive)


def leaderboard(sheet: Sheet, request: Request) -> Table | None:
    """The scores of systems in rows over data sets in columns; None for another table."""
    sheet = rules.without_dropped(sheet, request)
    free = [name for name in sheet.names if name not in request.ignore]
    column = request.system_column
    if column is None:
        column = words.system_column(free)
    bare = request.id is None and request.cluster is None and not request.system
    first = free[0] if free else ""
    if column is None and bare and first.casefold() in ("", *words.PERHAPS_SYSTEM):
        texts = [name for name in free if kind_of(sheet, name) == "text"]
        if texts == [first] and sheet.texts(first).distinct():
            called = f"is called {first!r}" if first else "has no name"
            raise Refusal(
                f"{sheet.header}: the first column {called}, and may name systems or data sets",
                way("if each row is a system", system_column=[first]),
                way("if each row is a data set", id=[first]),
            )
    if column is None or not sheet.texts(column).distinct():
        return None
    others = list(request.score_column)
    if not others:
        others = [name for name in free if name not in (column, request.id, request.cluster)]
        _check_datasets(sheet, others)
    rules.check_summaries(sheet, request, [name for name in sheet.names if name != column])
    places = {name: i for i, name in enumerate(sheet.texts(column))}
    check_there(request.system, places, sheet.path)
    places = {name: i for name, i in places.items() if name in (request.system or places)}
    chosen = sheet.only(np.array([*places.values()]))
    kept = [name for name in others if not rules.missing_in(chosen, name).any()]
    if request.allow_missing is None or not kept:
        kept = others
    gone = [name for name in others if name not in kept]
    said = (
        f"{len(gone):,} of {len(others):,} data sets are left out, as not every system has a "
        f"score there: {first_few(gone)}."
    )
    doubts = coded("left-out", [said][: len(gone)], n_left_out=len(gone), n_units=len(others))
    where = column or "the first column"
    if sheet.dialect.decimal == ",":
        rules.check_thousands(sheet.path, (cell for name in kept for cell in chosen.texts(name)))
    together = np.stack([rules.scores(chosen, name) for name in kept], axis=1)
    return Table(
        "scores", ("score",), dict(zip(places, together, strict=True)), ids=kept,
        notes=(f"Systems are in rows ({where}); each other column is a data set.",),
        cautions=tuple(doubts), called=" ".join((stem(sheet.path), *shared_parts(kept))),
    )  # fmt: skip


def _check_datasets(sheet: Sheet, names: list[str]) -> None:
    """Refuse columns that are no data sets, or are measured otherwise than the rest."""
    kinds = {name: kind_of(sheet, name) for name in names}
    rules.refuse_formatted(sheet, [name for name in names if kinds[name] in ("text", "odd")])
    numeric = [name for name in names if kinds[name] not in ("text", "empty")]
    highest = {name: sheet.numbers(name).values.max() for name in numeric}
    within = [name for name in numeric if highest[name] <= 100]
    beyond = len(numeric) > len(within) >= 2 and 2 * len(within) >= len(numeric)
    odd = {}
    for name in names:
        if name not in numeric:
            odd[name] = "holds texts"
        elif is_statistic(name) or is_property(name) or words.NO_DATASETS & {*parts_of(name)}:
            odd[name] = "is called like a statistic or a property"
        elif beyond and name not in within:
            odd[name] = f"goes up to {highest[name]:,g}, others stay below 100"
    if not odd:
        return
    why = ", ".join(f"column {name!r} {why}" for name, why in [*odd.items()][:4])
    ways = [way(ignore=odd)] if len(odd) < len(names) else []
    if len(numeric) <= 12 and any(name in odd for name in numeric):
        ways.append(way("if each is a data set", score_column=numeric))
    message = f"{sheet.header}: {why}, and each column of a leaderboard is a data set"
    raise rules.refused(message, ways)
