"""Verifying a ledger: some of its blocks are drawn again, and chunks of them in pure numpy.

As from a record, nothing but numbers and strings is read from a ledger.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from csig import streams
from csig._version import __version__
from csig.audits.forms import check_data
from csig.audits.rebuilding import rebuilt, recorded_metrics, seed_of
from csig.audits.repeats import REPLAYED_WORDS, replayed
from csig.audits.runs import AuditRun
from csig.comparison import Comparison
from csig.engines.ledger import Contents, Entry, contents
from csig.engines.pool import default_threads
from csig.engines.questions import Question, make_question
from csig.engines.shuffle import Run
from csig.engines.studentized import StudentizedQuestion, moving
from csig.engines.weights import WeightsQuestion
from csig.errors import InputError
from csig.ledger import ledger_bytes
from csig.metrics import Metric, get_all
from csig.shown import Shown
from csig.validation import ALTERNATIVES, positive
from csig.wording import counted

__all__ = ["SAMPLE", "LedgerVerification", "Redrawn", "verify_ledger"]

#: Blocks that are drawn again.
SAMPLE = 4

#: Random words of a block, beyond which it is not drawn again: minutes.
MOST_WORDS = 2**38


class Redrawn(NamedTuple):
    """A block that was drawn again, and its chunk that was replayed."""

    line: int  #: Of the file, from 1.
    run: int  #: run, first, chunks, trials: what the line has.
    first: int
    chunks: int
    trials: int
    #: chunk, replayed: the chunk whose first shuffles were drawn in pure numpy, and how many these
    #: are.
    chunk: int
    replayed: int


@dataclass(frozen=True, repr=False)
class LedgerVerification(Shown):
    """Whether what was drawn again is what a ledger has."""

    differences: tuple[str, ...]  #: One line for everything that differs; empty if nothing does.
    redrawn: tuple[Redrawn, ...]  #: The blocks that were drawn again.
    blocks: int  #: All blocks of the ledger.
    trials: Mapping[int, int]  #: Shuffles of every run.
    hits: Mapping[int, Mapping[str, int]]  #: Their hits, as the ledger has them.
    sha256: str  #: Of the question.
    trust: tuple[str, ...] = field(default=())  #: What was taken on trust.

    def _line(self) -> str:
        drawn = f"{len(self.redrawn)} of {counted(self.blocks, 'block')} drawn again"
        return f"{drawn}, {'all match' if self.ok else 'with differences'}"

    @property
    def ok(self) -> bool:
        """Whether nothing differs."""
        return not self.differences

    def as_dict(self) -> dict[str, Any]:
        """As Python objects for JSON; ``docs/many-machines.md`` lists the fields."""
        return {
            "schema": "csig.verify-ledger",
            "schema_version": 1,
            "csig_version": __version__,
            "ok": self.ok,
            "sha256": self.sha256,
            "blocks": self.blocks,
            "redrawn": [own._asdict() for own in self.redrawn],
            "runs": [
                {"run": run, "n_resamples": n, "hits": dict(self.hits[run])}
                for run, n in self.trials.items()
            ],
            "differences": list(self.differences),
            "trust": list(self.trust),
        }


def verify_ledger(
    path: str,
    *,
    sample: int = SAMPLE,
    metrics: Iterable[str | Metric] | str | Metric | None = None,
    threads: int | None = None,
) -> LedgerVerification:
    """Draw some blocks of a ledger again, and chunks of them in pure numpy.

    Parameters
    ----------
    path : str
        The file that ``ledger=`` of :func:`csig.randomization_test` wrote. All of its lines are
        checked for damage, and that no two have the same shuffles.
    sample : int
        How many blocks are drawn again, chosen at random for every call, the last one among
        them. Their hits must be those of the ledger. Of each, a chunk chosen at random is also
        drawn by :mod:`csig.replay`, without any compiled code of csig: all of it, or as many
        shuffles as 2^21 random words are enough for.
    metrics : str, Metric, or several of them, optional
        Needed for functions of your own, which a ledger does not hold.
    threads : int, optional
        Default: all processors.

    Returns
    -------
    LedgerVerification
        With what differs, what was drawn again, and what was taken on trust.

    Raises
    ------
    InputError
        If this is no ledger, a damaged one, or one larger than csig reads (2 GiB).

    Examples
    --------
    >>> import csig, os, tempfile
    >>> comparison = csig.Comparison.from_counts(gold=10, only_a_correct=6, only_b_correct=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "run.jsonl")
    ...     result = csig.randomization_test(comparison, "recall", method="approximate",
    ...         n_resamples=4096, rng=1, ledger=path)
    ...     found = csig.verify_ledger(path)
    >>> found.ok, len(found.redrawn), found.hits[0]["recall"] == result.n_hits
    (True, 1, True)
    """
    sample = positive("sample", sample)
    threads = default_threads() if threads is None else positive("threads", threads, 1024)
    found = contents(ledger_bytes(path), path)
    if found is None:
        raise InputError(f"{path}: the ledger ends before its first line does")
    case = _Case(found, path, metrics)
    chosen = _chosen(found.entries, sample)
    differences = list(case.scores())
    redrawn = []
    for own in chosen:
        lines, done = case.redraw(own, threads)
        differences += lines
        redrawn.append(done)
    runs = _runs(found.entries)
    return LedgerVerification(
        tuple(differences),
        tuple(redrawn),
        len(found.entries),
        {run: sum(own.trials for own in used) for run, used in runs},
        {
            run: dict(zip(case.names, _sums(used, len(case.names)), strict=True))
            for run, used in runs
        },
        found.digest,
        case.trust(len(redrawn)),
    )


def _runs(entries: Sequence[Entry]) -> list[tuple[int, list[Entry]]]:
    """The blocks that count, by run: of an incomplete last chunk the longest, if it counts."""
    found = []
    for run in sorted({own.run for own in entries}):
        used = [own for own in entries if own.run == run and own.whole]
        end = max((own.end for own in used), default=0)
        rest = [own for own in entries if own.run == run and not own.whole and own.first >= end]
        if rest:
            used.append(max(rest, key=lambda own: (own.first, own.trials)))
        found.append((run, used))
    return found


def _sums(entries: Sequence[Entry], n: int) -> list[int]:
    return [sum(own.hits[i] for own in entries) for i in range(n)]


def _chosen(entries: Sequence[Entry], sample: int) -> list[Entry]:
    """Blocks chosen at random, in the order of the file; nobody knows beforehand which."""
    if len(entries) <= sample:
        return list(entries)
    some = random.SystemRandom().sample(entries[:-1], sample - 1)
    return sorted([*some, entries[-1]], key=lambda own: own.line)


class _Case:
    """A ledger's question, made again."""

    def __init__(self, found: Contents, path: str, metrics: object) -> None:
        self.found, self.path = found, path
        given = found.question
        record = _as_record(given, path)
        check_data(record, path)
        self.comparison = rebuilt(record, path)
        if self.comparison is None:
            raise InputError(f"{path}: comparison: found neither classes nor differences")
        self.metrics = _metrics(record, self.comparison, metrics, path)
        if given["alternative"] not in ALTERNATIVES or given["zero_division"] not in (0, 1):
            raise InputError(f"{path}: alternative, zero_division: found values that csig has not")
        if (given["engine"], given["streams"]) != ("shuffle", streams.CONTRACT):
            raise InputError(f"{path}: engine, streams: found others than this csig's")
        if not isinstance(given["entropy"], list) or not given["entropy"]:
            raise InputError(f"{path}: entropy: found no numbers")
        try:
            self.source = streams.make_source(
                seed_of(given), given["bit_generator"], allow_bad=True
            )
        except (TypeError, ValueError, KeyError) as error:
            raise InputError(f"{path}: the seed cannot be made ({error})") from None
        self.questions: list[Question] = []
        for metric, own in zip(self.metrics, given["metrics"], strict=True):
            question = make_question(
                self.comparison, metric, given["alternative"], given["zero_division"]
            )
            numbers = own.get("studentized")
            if numbers is not None:
                question = _studentized(question, numbers, self.comparison, path)
            self.questions.append(question)

    @property
    def names(self) -> list[str]:
        """The metrics; recall of the sign test may be there twice."""
        found: list[str] = []
        for question in self.questions:
            name = question.metric.name
            if isinstance(question, StudentizedQuestion):
                name += " (studentised)"
            found.append(name if name not in found else f"{name} (sign test)")
        return found

    def scores(self) -> Iterable[str]:
        """The scores of functions, where they are not those of the ledger."""
        for given, question in zip(self.found.question["metrics"], self.questions, strict=True):
            scores = [float(score).hex() for score in question.scores]
            if given["numerator"] is None and given.get("scores") != scores:
                yield f"{self.path} line 1: {question.metric.name}: other scores than observed now"

    def run(self, number: int, first: int, n: int, threads: int) -> Run:
        made = Run(
            self.source, number, self.questions, n, threads, comparison=self.comparison,
            first_chunk=first,
        )  # fmt: skip
        made()
        return made

    def redraw(self, own: Entry, threads: int) -> tuple[list[str], Redrawn]:
        """Compare a block with what is drawn now, and a chunk of that with pure numpy."""
        comparison = self.comparison
        assert comparison is not None
        words = max(1, comparison.n_units) * own.trials // 64
        if words > MOST_WORDS:
            raise InputError(
                f"{self.path} line {own.line}: a block of {words:,} random words, more than "
                f"{MOST_WORDS:,}, would take too long"
            )
        start = own.first * streams.CHUNK
        made = self.run(own.run, own.first, start + own.trials, threads)
        lines = [
            f"{self.path} line {own.line}: {name}: {theirs} {what} in the ledger, {mine} now"
            for what, then, now in (("hits", own.hits, made.hits), ("ties", own.near, made.near))
            for name, theirs, mine in zip(self.names, then, now, strict=True)
            if theirs != mine
        ]
        if own.undefined != [bool(value) for value in made.undefined]:
            lines.append(f"{self.path} line {own.line}: undefined: other scores are undefined now")
        chunk = random.SystemRandom().randrange(own.first, own.end)
        most = max(64, REPLAYED_WORDS // max(1, comparison.n_units) * 64)
        n = min(streams.CHUNK, start + own.trials - chunk * streams.CHUNK, most)
        compiled = self.run(own.run, chunk, chunk * streams.CHUNK + n, threads).hits
        run = AuditRun(own.run, self.source, n, {}, {})
        again = replayed(comparison, run, chunk, n, self.questions)
        slow = [again(question)[question.alternative] for question in self.questions]
        lines += [
            f"run {own.run}, chunk {chunk}: {name}: {fast} hits compiled, {other} in pure numpy"
            for name, fast, other in zip(self.names, compiled, slow, strict=True)
            if fast != other
        ]
        return lines, Redrawn(own.line, *own[:4], chunk, n)

    def trust(self, redrawn: int) -> tuple[str, ...]:
        """What nothing was compared with."""
        found = ["the data and the metrics: they are those of the ledger's first line"]
        others = len(self.found.entries) - redrawn
        if others:
            found.append(f"the hits of the other {others:,} blocks")
        return tuple(found)


def _metrics(
    record: Mapping[str, Any], comparison: Comparison, given: Any, path: str
) -> list[Metric]:
    """Those of a ledger; functions of a user's own are given."""
    if given is None:
        return recorded_metrics(record, path)
    own = {metric.name: metric for metric in get_all(given, comparison.columns)}
    found = []
    for one in record["metrics"]:
        if one["numerator"] is not None or one["name"] not in own:
            found += recorded_metrics({**record, "metrics": [one]}, path)
        else:
            found.append(own[one["name"]])
    return found


def _studentized(plain: Question, given: Any, comparison: Comparison, path: str) -> Question:
    """The studentised question of a ledger's numbers."""
    units = comparison.units
    width = 2
    shapes = {"total": 2, "squares": 2, "observed": 3, "base": 3}
    sound = isinstance(plain, WeightsQuestion)
    try:
        numbers: dict[str, Any] = {name: _numbers(given[name]) for name in [*shapes, "reach"]}
        numbers["weights"] = tuple(map(_numbers, given["weights"]))
        if units is not None:
            columns = np.array([*map(_numbers, given["columns"])], dtype=np.int64)
            sound &= columns.ndim == 2 and len(columns) == len(units.differences)
            numbers["columns"] = columns
            width = len(moving(units)) + columns.shape[-1]
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError):
        sound = False
    else:
        sound &= all(len(numbers[name]) == size for name, size in shapes.items())
        rows = [*numbers["weights"], numbers["reach"]]
        sound &= [len(row) for row in rows] == [width] * 4
    if not sound:
        raise InputError(f"{path} line 1: the question is none of csig's")
    assert isinstance(plain, WeightsQuestion)
    return StudentizedQuestion(plain, **numbers)


def _numbers(row: str) -> tuple[int, ...]:
    return tuple(map(int, row.split(" ")))


def _as_record(question: Mapping[str, Any], path: str) -> dict[str, Any]:
    """A question's data and metrics as a record of an audit has them."""
    try:
        data, metrics = dict(question["comparison"]), question["metrics"]
        unique, rows = data["classes"], data["differences"]
        n_units = len(rows) if rows is not None else sum(map(sum, unique))
        data |= {
            "names": ["A", "B"], "n_units": n_units, "digest": "0" * 64, "ids_digest": None,
            "levels": [data["unit"]], "responses": unique,
        }  # fmt: skip
        fields = ("name", "columns", "numerator", "denominator")
        own = [{name: one[name] for name in fields} for one in metrics]
    except (TypeError, ValueError, KeyError):
        raise InputError(f"{path} line 1: the question is none of csig's") from None
    return {"comparison": data, "metrics": [one | {"greater_is_better": True} for one in own]}
