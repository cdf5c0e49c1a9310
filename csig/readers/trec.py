"""Runs of TREC with their qrels, and what ``trec_eval -q`` prints: the topics are the units.

Documents are ordered as trec_eval 10 orders them: by score, as doubles, and of equal scores by
name, the last one first; the rank column is ignored. (trec_eval 9 and pytrec_eval round scores to
single precision, so that more are equal.) Every topic of the qrels counts, with 0 where a run has
nothing for it: trec_eval -c. Measures are called as ir-measures calls them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from csig.base.errors import InputError, argument
from csig.base.wording import clean, counted, first_few, perhaps
from csig.data.strings import Texts
from csig.readers.data import Data
from csig.readers.limits import check_metrics, check_systems
from csig.readers.lines import Bytes, StrPath, read_bytes, stems, text_bytes, utf8_bytes
from csig.readers.request import OptionError, Request
from csig.readers.tables.matching import MEAN, Table, check_there, join, left_out
from csig.readers.tables.reader import data_of

#: The largest numbers: grades of relevance, and scores.
_MOST: dict[type, float] = {int: 2**20, float: sys.float_info.max}

#: Which bytes are no white space, as ``bytes.split`` has it.
_FILLED = np.array([not bytes([i]).isspace() for i in range(256)])


def line_of(path: StrPath, row: int) -> str:
    """Where a row is, for messages."""
    lines = enumerate(utf8_bytes(path).split(b"\n"), start=1)
    places = (i for i, line in lines if line.lstrip()[:1] not in (b"", b"#"))
    return f"{path} line {next(islice(places, row, None))}"


def _edges(data: Bytes) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where fields begin and end."""
    filled = np.zeros(len(data) + 2, dtype=np.bool_)
    np.take(_FILLED, data, out=filled[1:-1])
    edges = np.flatnonzero(filled[1:] != filled[:-1])
    return edges[::2], edges[1::2]


def columns_of(path: StrPath, what: str, most: int | None = None) -> list[Texts]:
    """The columns of a file with these fields a line, and what else stands there up to `most`."""
    data, size = text_bytes(path, read_bytes(path)), len(what.split())
    starts, ends = _edges(data)
    breaks = np.flatnonzero(data == ord("\n"))
    n = len(starts) // size
    regular = len(starts) == n * size > 0 and len(breaks) in (n - 1, n)
    if (
        not regular
        or (ends[size - 1 :: size][: len(breaks)] > breaks).any()
        or (starts[size::size] < breaks[: n - 1]).any()
        or (data[starts[::size]] == ord("#")).any()
    ):
        rows = list[bytes]()
        for row in _rows(path):
            if not size <= len(row) <= (most or len(row)):
                where, fields = line_of(path, len(rows)), counted(len(row), "field")
                raise InputError(f"{where}: found {fields}, expected {size}: {what}")
            rows.append(b" ".join(row[:size]))
        if not rows:
            raise InputError(f"{path}: found no lines, expected {what}")
        data = np.frombuffer(b"\n".join(rows), dtype=np.uint8)
        starts, ends = _edges(data)
    return [Texts(data, starts[i::size], ends[i::size]) for i in range(size)]


def _rows(path: StrPath) -> Iterator[list[bytes]]:
    """The fields of lines that are neither blank nor comments."""
    rows = (line.split() for line in utf8_bytes(path).split(b"\n"))
    return (row for row in rows if row and row[0][:1] != b"#")


def _decimals(cells: Texts) -> tuple[Ints, Ints] | None:
    """Digits and how many are decimals of plain numbers, such as -12.50; None if some are not."""
    size = int(cells.sizes.max(initial=0))
    if not 0 < size < 18:
        return None
    digits, decimals = np.zeros((2, len(cells)), dtype=np.int64)
    points = np.zeros(len(cells), dtype=np.int64)
    first = cells.byte(0)
    negative = first == ord("-")
    signed = negative | (first == ord("+"))
    for k in range(size):
        byte = cells.byte(k)
        digit = byte - np.uint8(ord("0"))
        is_digit, is_point = digit < 10, byte == ord(".")
        other = ~is_digit & ~is_point & (byte > 0)
        if k == 0:
            other &= ~signed
        if other.any():
            return None
        digits = np.where(is_digit, 10 * digits + digit, digits)
        points += is_point
        decimals += is_digit & (points > 0)
    if (points > 1).any() or (digits >= 2**53).any() or (cells.sizes == points + signed).any():
        return None
    return np.where(negative, -digits, digits), np.where(points > 0, decimals, -1)


def numbers_of(
    path: StrPath, texts: Texts, kind: type, rows: Sequence[int] | None = None
) -> NDArray[Any]:
    """The numbers in cells of some rows: finite, and not 1_000, which Python alone reads."""
    if (plain := _decimals(texts)) is not None:
        digits, decimals = plain
        if kind is float:  # two doubles without an error, and so their quotient is rounded once
            return np.where(digits == 0, 0.0, digits / 10.0 ** np.maximum(decimals, 0))
        if (decimals < 0).all() and (np.abs(digits) <= _MOST[int]).all():
            return digits
    cells = texts.raw()
    with suppress(ValueError, OverflowError):
        found: NDArray[Any] = np.array([*map(kind, cells)], dtype=kind)
        if b"_" not in b"".join(cells) and (np.abs(found) <= _MOST[kind]).all():
            return found
    for row, cell in zip(range(len(cells)) if rows is None else rows, cells, strict=True):
        with suppress(ValueError):
            if b"_" not in cell and abs(kind(cell)) <= _MOST[kind]:
                continue
        expected = "a whole number up to 1,048,576" if kind is int else "a number"
        raise InputError(f"{line_of(path, row)}: found {cell.decode()!r}, expected {expected}")
    raise AssertionError(path)


Ints: TypeAlias = NDArray[np.int64]
#: From the relevance of a topic's documents, as they are ranked and as they are judged.
Measure: TypeAlias = Callable[[Ints, Ints], float]

_NAME = re.compile(r"([A-Za-z]+)(?:\(rel=(\d{1,6})\))?(?:@(\d{1,9}))?", re.ASCII)


def _total(values: NDArray[np.float64]) -> float:
    """A sum from left to right, as in C, to the last bit."""
    return float(np.cumsum(values)[-1]) if len(values) else 0.0


def _average_precision(hits: NDArray[np.bool_], relevant: int) -> float:
    ranks = np.flatnonzero(hits) + 1
    return _total(np.arange(1, len(ranks) + 1) / ranks) / relevant if relevant else 0.0


def _reciprocal_rank(hits: NDArray[np.bool_]) -> float:
    return 1 / (int(hits.argmax()) + 1) if hits.any() else 0.0


def _gain(relevance: Ints) -> float:
    places = np.flatnonzero(relevance > 0)
    return _total(relevance[places] / np.log2(places + 2))


def _ndcg(ranked: Ints, judged: Ints, cutoff: int | None) -> float:
    ideal = _gain(np.sort(judged)[::-1][:cutoff])
    return _gain(ranked[:cutoff]) / ideal if ideal else 0.0


def _preferred(ranked: Ints, judged: Ints, level: int) -> float:
    """Bpref: relevant documents that stand before those that are judged not to be."""
    ranked = ranked[ranked >= 0]
    hits = ranked >= level
    relevant = int((judged >= level).sum())
    others = int(((judged >= 0) & (judged < level)).sum())
    above = np.minimum(np.cumsum(~hits)[hits], relevant)
    return _total(1 - above / max(min(relevant, others), 1)) / relevant if relevant else 0.0


#: Whether a measure has a cutoff (None: it may), and a level of relevance.
_MEASURES: dict[str, tuple[bool | None, bool]] = {
    "AP": (None, True), "nDCG": (None, False), "P": (True, True), "R": (True, True),
    "RR": (None, True), "Rprec": (False, True), "Success": (True, True), "Bpref": (False, True),
}  # fmt: skip


def measure(name: str) -> Measure:
    """A measure by its name, as ir-measures has it: ``nDCG@10``, ``P(rel=2)@5``."""
    found = _NAME.fullmatch(name)
    if found is None or found[1] not in _MEASURES:
        raise OptionError(
            f"{argument('metric', name)}{perhaps(name, _MEASURES)}: runs have AP, nDCG, P@k, R@k, "
            "RR, Rprec, Success@k and Bpref, also as nDCG@10 or AP(rel=2)"
        )
    own = found[1]
    has_cutoff, has_level = _MEASURES[own]
    if has_cutoff is not None and has_cutoff is not (found[3] is not None):
        cutoff = f"a cutoff, such as {own}@10" if has_cutoff else "no cutoff"
        raise OptionError(f"{argument('metric', name)}: {own} has {cutoff}")
    if found[2] is not None and not has_level:
        raise OptionError(f"{argument('metric', name)}: {own} counts every grade, without rel=")
    k, level = None if found[3] is None else int(found[3]), int(found[2] or 1)
    if k == 0 or level == 0:
        raise OptionError(f"{argument('metric', name)}: found 0, expected at least 1")

    def score(ranked: Ints, judged: Ints) -> float:
        if own == "nDCG":
            return _ndcg(ranked, judged, k)
        if own == "Bpref":
            return _preferred(ranked, judged, level)
        relevant = int((judged >= level).sum())
        hits = ranked[: relevant if own == "Rprec" else k] >= level
        if own == "AP":
            return _average_precision(hits, relevant)
        if own == "RR":
            return _reciprocal_rank(hits)
        if own == "Success":
            return float(hits.any())
        of = k if own == "P" else relevant
        return float(hits.sum()) / of if of else 0.0

    return score


#: The measures of runs, if none was asked for.
DEFAULT = ("AP", "nDCG@10")

_RUN = "topic Q0 document rank score tag"
_QRELS = "topic iteration document relevance"

#: A document that is not judged: trec_eval's number, for all measures like any below 0.
_UNJUDGED = -1

#: Spreads the numbers of topics over 64 bits: 2^64 over the golden ratio.
_MIX = np.uint64(0x9E3779B97F4A7C15)


def _check_once(path: StrPath, topics: Texts, documents: Texts, keys: NDArray[np.uint64]) -> None:
    """Refuse a topic's document that comes twice: two of the keys, in order, are the same then."""
    if (keys[1:] != keys[:-1]).all():
        return
    seen: dict[tuple[bytes, ...], int] = {}
    for i, key in enumerate(zip(topics.raw(), documents.raw(), strict=True)):
        if (first := seen.setdefault(key, i)) != i:
            line = line_of(path, i).removeprefix(f"{path} ")
            raise InputError(
                f"{line_of(path, first)}: found the document {key[1].decode()!r} of topic "
                f"{key[0].decode()!r}, and again on {line}; expected each once"
            )


class Qrels:
    """Judgements, by topics and documents."""

    def __init__(self, path: StrPath) -> None:
        topics, _, self._documents, cells = columns_of(path, _QRELS, 4)
        self._grades = numbers_of(path, cells, int)
        codes, different = topics.codes()
        first = np.unique(codes, return_index=True)[1]
        #: The topics in the file's order, and their numbers.
        self.topics = different.take(np.argsort(first)).raw()
        self.numbers = {topic: i for i, topic in enumerate(self.topics)}
        self._topics = np.argsort(np.argsort(first))[codes]
        keys = self.keys(self._topics, self._documents)
        self._order = np.argsort(keys)
        self._keys = keys[self._order]
        _check_once(path, topics, self._documents, self._keys)
        by_topic = np.argsort(self._topics, kind="stable")
        ends = np.cumsum(np.bincount(self._topics))
        #: The grades of every topic.
        self.grades = np.split(self._grades[by_topic], ends[:-1])

    @staticmethod
    def keys(topics: NDArray[np.intp], documents: Texts) -> NDArray[np.uint64]:
        """A hash of each topic's document."""
        return (documents.hashes() ^ topics.astype(np.uint64) * _MIX) * _MIX

    def relevance(
        self, topics: NDArray[np.intp], documents: Texts, keys: NDArray[np.uint64], order: Ints
    ) -> Ints:
        """The grades of topics' documents, by their keys in order and that order."""
        found = np.full(len(keys), _UNJUDGED, dtype=np.int64)
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        there = np.flatnonzero(self._keys[at] == keys)
        rows, places = order[there], self._order[at[there]]
        found[rows] = self._grades[places]
        same = self._documents.take(places) == documents.take(rows)
        if not same or (self._topics[places] != topics[rows]).any():  # two have the same hash
            pairs = zip(self._topics.tolist(), self._documents.raw(), strict=True)
            known = dict(zip(pairs, self._grades.tolist(), strict=True))
            pairs = zip(topics.tolist(), documents.raw(), strict=True)
            found[:] = [known.get(pair, _UNJUDGED) for pair in pairs]
        return found


def _run(path: StrPath, qrels: Qrels) -> tuple[dict[bytes, Ints], list[bytes], int, str]:
    """The relevance of documents as they are ranked, by topic.

    Also the topics that are not in the qrels, how many neighbours only doubles tell apart, the tag.
    """
    topics, _, documents, _, cells, tags = columns_of(path, _RUN)
    scores = numbers_of(path, cells, float)
    groups, different = topics.codes()
    named = different.raw()
    others = [topic for topic in named if topic not in qrels.numbers]
    new = {topic: len(qrels.topics) + i for i, topic in enumerate(others)}
    numbers = np.array([{**qrels.numbers, **new}[topic] for topic in named])[groups]
    keys = qrels.keys(numbers, documents)
    by_key = np.argsort(keys)
    keys = keys[by_key]
    _check_once(path, topics, documents, keys)
    order = np.argsort(-scores)
    small = np.min_scalar_type(len(named))  # up to 16 bits numpy counts instead of comparing
    order = order[np.argsort(groups[order].astype(small), kind="stable")]
    same_topic = groups[order[1:]] == groups[order[:-1]]
    equal = same_topic & (scores[order[1:]] == scores[order[:-1]])
    tied = np.flatnonzero(np.append(equal, False) | np.append(False, equal))
    if len(tied):
        rows, ties = order[tied], np.cumsum(np.append(True, ~equal))[tied]
        order[tied] = rows[np.lexsort((-documents.take(rows).codes()[0], ties))]
    with np.errstate(over="ignore"):
        single = scores.astype(np.float32)[order]
    close = int((same_topic & ~equal & (single[1:] == single[:-1])).sum())
    relevance = qrels.relevance(numbers, documents, keys, by_key)[order]
    parts = np.split(relevance, np.cumsum(np.bincount(groups))[:-1])
    ranked = {name: own for name, own in zip(named, parts, strict=True) if name not in new}
    return ranked, others, close, tags[0]


def named(topics: Sequence[bytes]) -> str:
    return first_few([topic.decode() for topic in topics])


def read_runs(paths: Sequence[StrPath], qrels: StrPath, metric: Sequence[str] = ()) -> Table:
    """The scores of runs, by topics and measures."""
    metric = tuple(dict.fromkeys(metric or DEFAULT))
    measures = {name: measure(name) for name in metric}
    check_metrics(qrels, len(measures))
    check_systems(paths[0], len(paths))
    judged = Qrels(qrels)
    grades = dict(zip(judged.topics, judged.grades, strict=True))
    nothing = np.zeros(0, dtype=np.int64)
    names, tags, notes = stems(paths), [], list[str]()
    values = []
    for path in paths:
        ranked, others, close, tag = _run(path, judged)
        tags.append(tag)
        if not any((own != _UNJUDGED).any() for own in ranked.values()):
            raise InputError(f"{path}: none of its documents is judged in {qrels}")
        rows = [
            tuple(score(ranked.get(topic, nothing), own) for score in measures.values())
            for topic, own in grades.items()
        ]
        values.append(np.array(rows, dtype=[(name, np.float64) for name in measures]))
        name = clean(str(path))
        if lacks := [topic for topic in grades if topic not in ranked]:
            of = f"{len(lacks):,} of {counted(len(grades), 'topic')}"
            notes.append(f"{name} has no results for {of}, which count 0: {named(lacks)}.")
        if others:
            are = "is" if len(others) == 1 else "are"
            of = f"{counted(len(others), 'topic')} of {name} that the qrels lack"
            notes.append(f"{of} {are} left out: {named(others)}.")
        if close:
            notes.append(
                f"{name}: {counted(close, 'score')} {'differs' if close == 1 else 'differ'} from "
                "the next one beyond single precision only, which trec_eval before version 10 and "
                "pytrec_eval take as equal."
            )
    if names == [str(path) for path in paths] and len({*tags}) == len(tags):
        names = tags
    if empty := [topic for topic, own in grades.items() if own.max() < 1]:
        of = f"{counted(len(empty), 'topic')} of the qrels"
        notes.append(f"{of} without a relevant document count 0: {named(empty)}.")
    table = table_of(judged.topics, dict(zip(names, values, strict=True)))
    return replace(table, notes=tuple(notes))


def table_of(topics: Sequence[bytes], systems: Mapping[str, NDArray[np.void]]) -> Table:
    """A table of scores, by topics; more is better."""
    columns = next(iter(systems.values())).dtype.names
    assert columns is not None
    return Table(
        "scores", columns, systems, ids=[topic.decode() for topic in topics],
        id_column="topic", units_are="topic", less_is_better=False,
    )  # fmt: skip


def read(request: Request, metrics: Sequence[str]) -> Data:
    """The scores of runs by the measures that were asked for."""
    if request.qrels is None:
        raise OptionError(f"runs of TREC need their judgements: {argument('qrels', 'FILE')}")
    names = [name.removeprefix(MEAN) for name in metrics]
    table = read_runs(request.files, request.qrels, names)
    return as_data(request, table, [*request.files, request.qrels], "trec")


def as_data(request: Request, table: Table, files: Sequence[str], form: str) -> Data:
    check_there(request.system, table.systems)
    name, *others = table.columns
    data = data_of(request, table if others else table.of_metric(name), files)
    return replace(data, source=replace(data.source, format=form))


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


def read_printed(request: Request, metrics: Sequence[str]) -> Data:
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
