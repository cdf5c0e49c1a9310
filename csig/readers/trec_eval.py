"""What ``trec_eval -q`` prints, a file for each system: the topics are the units."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from csig.base.errors import InputError, argument
from csig.base.wording import clean
from csig.readers.data import Data
from csig.readers.limits import check_metrics, check_systems
from csig.readers.lines import StrPath, stems
from csig.readers.request import Request
from csig.readers.tables.matching import MEAN, Table, check_there, join, left_out
from csig.readers.trec import as_data, named, table_of
from csig.readers.trec_lines import columns_of, line_of, numbers_of

#: The measures of trec_eval that are means over topics, and of which more is better.
_PRINTED = re.compile(
    r"map(_cut_\d+)?|11pt_avg|bpref|infAP|iprec_at_recall_[\d.]+|recip_rank|(relative_)?P_\d+"
    r"|ndcg(_rel|_cut_\d+)?|Rndcg|binG|G|rbp|utility|recall_\d+|success_\d+|Rprec(_mult_[\d.]+)?"
    r"|set_(P|F|recall|map|relative_P)(_[\d.]+)?"
)

#: The one that may be any number; the others are from 0 to 1.
_UNLIMITED = "utility"

#: The topic of what is no topic's.
_ALL = b"all"


def _printed(path: StrPath) -> dict[str, dict[bytes, float]]:
    """The values of measures that are tested, by topic, with the mean as that of all."""
    columns = columns_of(path, "measure topic value")
    names, topics = (own.raw() for own in columns[:2])
    tested = {name for name in {*names} if _PRINTED.fullmatch(name.decode())}
    rows = [i for i, name in enumerate(names) if name in tested]
    values = numbers_of(path, columns[2].take(np.array(rows, dtype=np.intp)), float, rows)
    found: dict[str, dict[bytes, float]] = {}
    for i, value in zip(rows, values.tolist(), strict=True):
        name = names[i].decode()
        own = found.setdefault(name, {})
        there = f"{line_of(path, i)}: found {name} of {topics[i].decode()!r}"
        if topics[i] in own:
            raise InputError(f"{there} again, expected each once")
        if not 0 <= value <= 1 and name != _UNLIMITED:
            percent = "; is it in percent? then divide by 100" if value > 1 else ""
            raise InputError(f"{there} as {value:g}, expected a number from 0 to 1{percent}")
        own[topics[i]] = value
    found = {name: own for name, own in found.items() if {*own} - {_ALL}}
    if not found:
        raise InputError(f"{path}: found no values of topics, which trec_eval prints with -q")
    return found


def _table_of(path: StrPath, printed: Mapping[str, dict[bytes, float]]) -> Table:
    """The table of one file, with a doubt where means are those of other topics."""
    (first, base), *_ = printed.items()
    topics = [topic for topic in base if topic != _ALL]
    values = np.empty(len(topics), dtype=[(name, np.float64) for name in printed])
    cautions = []
    for name, own in printed.items():
        if odd := [*(own.keys() ^ base.keys()) - {_ALL}]:
            raise InputError(
                f"{path}: {first} and {name} are not of the same topics: {named(sorted(odd))}"
            )
        values[name] = [own[topic] for topic in topics]
        mean = float(values[name].mean())
        if abs(own.get(_ALL, mean) - mean) > 0.0001 + 1e-9:  # all have four decimals
            cautions.append(
                f"{clean(str(path))}: trec_eval printed {own[_ALL]:.4f} as {name} of all topics, "
                f"but the mean of the {len(topics):,} that it printed is {mean:.4f}."
            )
    table = table_of(topics, {"": values})
    return replace(table, where=str(path), cautions=tuple(cautions[:1]))


def read(request: Request, metrics: Sequence[str]) -> Data:
    """The values that ``trec_eval -q`` printed, one file a system."""
    files = request.files
    check_systems(files[0], len(files))
    printed = [_printed(path) for path in files]
    names = [name.removeprefix(MEAN) for name in metrics]
    for path, own in zip(files, printed, strict=True):
        check_there(names, own, path, f"{argument('metric')}: no measure")
    common = [name for name in printed[0] if all(name in own for own in printed)]
    if not common:
        raise InputError(f"{files[-1]}: found no measure that {files[0]} has, too")
    chosen = [name for name in common if name in (names or common)]
    check_metrics(files[0], len(chosen))
    parts = {
        system: _table_of(path, {name: own[name] for name in chosen})
        for system, path, own in zip(stems(files), files, printed, strict=True)
    }
    table = join(parts, request.allow_missing is not None)
    gone = len(table.left)
    said = left_out(table.lacking, gone, table.n_units + gone)
    cautions = (*said, *(line for part in parts.values() for line in part.cautions))
    return as_data(request, replace(table, cautions=cautions), files, "trec-eval")
