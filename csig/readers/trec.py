"""Runs of TREC with their qrels: the topics are the units.

Documents are ordered as trec_eval 10 orders them: by score, as doubles, and of equal scores by
name, the last one first; the rank column is ignored. (trec_eval 9 and pytrec_eval round scores to
single precision, so that more are equal.) Every topic of the qrels counts, with 0 where a run has
nothing for it: trec_eval -c.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from csig.base.errors import InputError, argument
from csig.base.wording import clean, counted, first_few
from csig.data.strings import Texts
from csig.readers.data import Data
from csig.readers.limits import check_metrics, check_systems
from csig.readers.lines import StrPath, stems
from csig.readers.request import OptionError, Request
from csig.readers.tables.matching import MEAN, Table, check_there
from csig.readers.tables.reader import data_of
from csig.readers.trec_lines import columns_of, line_of, numbers_of
from csig.readers.trec_measures import Ints, measure

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
