"""What was drawn, kept line by line, so that a run goes on where it was stopped.

A ledger is JSON Lines. The first line has the question in full: the data, the metrics, the seed,
and the SHA-256 of all that. Every other line has a block of chunks and its hits. Lines are appended
and flushed as blocks come; a kill can cut only the last one, and that is drawn again.
``docs/many-machines.md`` lists the fields.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from numpy.random import SeedSequence

from csig import streams
from csig.comparison import Comparison
from csig.engines.base import Block
from csig.engines.questions import Question
from csig.engines.studentized import StudentizedQuestion
from csig.errors import InputError
from csig.ledger import Form, LedgerFile, first_line

__all__ = ["Contents", "Entry", "ShuffleLedger", "asked", "contents", "is_ledger", "seed_in"]

#: How many characters of its ledger's digest every line has.
PREFIX = 16

#: The largest number of a chunk, or of a run, in the streams contract.
LARGEST = 2**32

#: What a line has, in this order, but for its checksum.
FIELDS = ("question", "run", "first", "chunks", "trials", "hits", "near", "undefined")

#: The parts of a question, by what to call them.
PARTS = {
    "engine": "engine",
    "streams": "streams contract",
    "comparison": "data",
    "metrics": "metrics",
    "alternative": "alternative",
    "zero_division": "zero_division",
    "bit_generator": "bit generator",
    "entropy": "seed",
    "spawn_key": "seed's spawn key",
}


# ---- the question ----------------------------------------------------------------------------


def asked(
    comparison: Comparison,
    questions: Sequence[Question],
    source: streams.Source,
    zero_division: int,
) -> dict[str, Any]:
    """A question in full, as a ledger has it; only what a hit may depend on.

    Data and weights are as in the records of audits.
    """
    entropy, units = source.entropy, comparison.units
    rows = None if units is None else units.differences.tolist()
    responses = [[group.only_a, group.only_b] for group in comparison.classes]
    return {
        "engine": "shuffle",
        "streams": streams.CONTRACT,
        "bit_generator": source.name,
        "entropy": [str(part) for part in (entropy if isinstance(entropy, tuple) else (entropy,))],
        "spawn_key": list(source.spawn_key),
        "alternative": questions[0].alternative,
        "zero_division": zero_division,
        "metrics": [_metric(question) for question in questions],
        "comparison": {
            "unit": comparison.unit,
            "columns": list(comparison.columns),
            "sums_a": [str(total) for total in comparison.sums_a],
            "sums_b": [str(total) for total in comparison.sums_b],
            "scale": [str(value) for value in comparison.scale],
            "tau": str(comparison.tau),
            "n_total": None if units is None else units.n_total,
            "classes": responses if units is None else None,
            "differences": None if rows is None else [" ".join(map(str, row)) for row in rows],
        },
    }


def _metric(question: Question) -> dict[str, Any]:
    """Weights; of a function its name, and the observed scores, which are all that is known."""
    metric = question.metric
    if metric.linear_fractional:
        found: dict[str, Any] = {
            "name": metric.name,
            "columns": list(metric.columns),
            "numerator": [str(w) for w in metric.numerator],
            "denominator": [str(w) for w in metric.denominator],
        }
        if isinstance(question, StudentizedQuestion):
            found["studentized"] = {name: _text(own) for name, own in question.numbers.items()}
            columns = question.columns
            found["studentized"]["columns"] = None if columns is None else _text(columns.tolist())
        return found
    return {
        "name": metric.name,
        "columns": list(metric.columns),
        "numerator": None,
        "denominator": None,
        "tolerance": metric.tolerance.hex(),
        "scores": [float(score).hex() for score in question.scores],
    }


def _text(values: Sequence[Any]) -> str | list[str]:
    """Whole numbers of any size, a row a string."""
    if any(isinstance(own, Sequence) for own in values):
        return [" ".join(map(str, row)) for row in values]
    return " ".join(map(str, values))


class _Shuffles(Form):
    """The form of these ledgers."""

    def sound(self, question: Mapping[str, Any]) -> bool:
        """Whether it has all parts."""
        return {*PARTS} <= {*question} and isinstance(question["metrics"], list)

    def difference(self, theirs: Mapping[str, Any], mine: Mapping[str, Any]) -> str:
        """The first part in which two questions differ."""
        for part, title in PARTS.items():
            one, other = theirs[part], mine[part]
            if one == other:
                continue
            if part == "comparison":
                return "the data are others"
            if part == "metrics":
                one, other = (
                    [own["name"] + " (studentised)" * ("studentized" in own) for own in found]
                    for found in (one, other)
                )
                if one == other:
                    return f"{', '.join(other)}: another metric of the name"
            verb = "are" if part == "metrics" else "is"
            return f"{title} {verb} {_shown(one)} there, {_shown(other)} here"
        return "it has parts that this csig does not know"


def _shown(value: object) -> str:
    if not isinstance(value, list) or len(value) == 1:
        return str(value[0] if isinstance(value, list) else value)
    return f"({', '.join(map(str, value))})" if value else "none"


FORM = _Shuffles("csig.ledger", "sha256", None, versioned=True)


# ---- lines -----------------------------------------------------------------------------------


class Entry(NamedTuple):
    """A block that a ledger has."""

    run: int
    first: int
    chunks: int
    trials: int
    hits: list[int]
    near: list[int]
    undefined: list[bool]
    #: Of the file, from 1.
    line: int

    @property
    def end(self) -> int:
        """The chunk after its last."""
        return self.first + self.chunks

    @property
    def whole(self) -> bool:
        """Whether its last chunk is complete."""
        return self.trials == self.chunks * streams.CHUNK


def _check(digest: str, line: str) -> str:
    """Eight characters that show a damaged line."""
    return hashlib.sha256(f"{digest} {line}".encode()).hexdigest()[:8]


def _written(digest: str, values: Sequence[Any]) -> bytes:
    """The line of these values, which begin with the run."""
    text = json.dumps(dict(zip(FIELDS, [digest[:PREFIX], *values], strict=True)))
    return f'{text[:-1]}, "check": "{_check(digest, text)}"}}\n'.encode()


def _read(raw: bytes, digest: str, n_metrics: int, number: int) -> Entry | str:
    """The block of a line, or what is wrong with it."""
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        return "it is not JSON"
    if not isinstance(found, dict) or tuple(found) != (*FIELDS, "check"):
        return f"expected the fields {', '.join(FIELDS)}, check"
    if found["question"] != digest[:PREFIX]:
        return "it belongs to another question"
    text = json.dumps({name: found[name] for name in FIELDS})
    if _check(digest, text) != found["check"]:
        return "its checksum does not fit"
    run, first, chunks, trials, hits, near, undefined = (found[name] for name in FIELDS[1:])
    if not all(isinstance(own, list) and len(own) == n_metrics for own in (hits, near, undefined)):
        return f"expected the hits of {n_metrics} metrics"
    if not all(type(own) is int for own in (run, first, chunks, trials, *hits, *near)):
        return "expected whole numbers"
    if min(run, first) < 0 or chunks < 1 or max(run, first + chunks) > LARGEST:
        return "it has chunks that are not in the streams contract"
    if not (chunks - 1) * streams.CHUNK < trials <= chunks * streams.CHUNK or (
        chunks > 1 and trials % streams.CHUNK
    ):
        return f"{trials} shuffles are not {chunks} chunks"
    if not all(0 <= own <= trials for own in (*hits, *near)):
        return "it has more hits than shuffles"
    return Entry(run, first, chunks, trials, hits, near, [bool(own) for own in undefined], number)


def _doubled(entries: Sequence[Entry]) -> tuple[Entry, Entry] | None:
    """Two blocks with the same shuffles; of an incomplete chunk there may be a complete one too."""
    whole = sorted((own for own in entries if own.whole), key=lambda own: (own.run, own.first))
    for one, other in itertools.pairwise(whole):
        if one.run == other.run and other.first < one.end:
            return one, other
    seen: dict[tuple[int, int, int], Entry] = {}
    for own in entries:
        if not own.whole:
            known = seen.setdefault((own.run, own.first, own.trials), own)
            if known is not own:
                return known, own
    return None


# ---- reading ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Contents:
    """What a file holds."""

    question: Mapping[str, Any]  #: What :func:`asked` gave.
    digest: str  #: Its SHA-256.
    entries: list[Entry]  #: All blocks, in their order in the file.
    size: int  #: Bytes up to the end of the last complete line.


def is_ledger(head: bytes) -> bool:
    """Whether a file that begins like this is a ledger."""
    return head.startswith(FORM.begins)


def contents(data: bytes, path: str) -> Contents | None:
    """Read and check all of a ledger; None for one that ends before its first line does.

    Raises
    ------
    InputError
        For another file, and for damaged or doubled lines, with their numbers.
    """
    if not FORM.begun(data, path):  # nothing was drawn yet
        return None
    size = data.rfind(b"\n") + 1
    head, *lines = data[: size - 1].split(b"\n")
    question = FORM.question_in(head, path)
    return Contents(question, FORM.digest(question), _entries(lines, question, path), size)


def _entries(lines: Sequence[bytes], question: Mapping[str, Any], path: str) -> list[Entry]:
    """The blocks of all lines after the first."""
    digest, entries = FORM.digest(question), []
    for number, raw in enumerate(lines, start=2):
        own = _read(raw, digest, len(question["metrics"]), number)
        if isinstance(own, str):
            raise InputError(
                f"{path} line {number}: {own}; if you delete the line, its shuffles are drawn again"
            )
        entries.append(own)
    if (found := _doubled(entries)) is not None:
        one, other = sorted(own.line for own in found)
        raise InputError(
            f"{path} line {other}: some of its shuffles are those of line {one}; delete one of them"
        )
    return entries


def seed_in(path: object) -> SeedSequence | None:
    """The seed of a ledger that has one already."""
    question = first_line(path, FORM)
    if question is None:
        return None
    parts = [int(part) for part in question["entropy"]]
    entropy: Any = parts[0] if len(parts) == 1 else parts
    return SeedSequence(entropy, spawn_key=tuple(question["spawn_key"]))


# ---- writing ---------------------------------------------------------------------------------


class ShuffleLedger(LedgerFile):
    """A ledger of shuffles that is open to be continued.

    Parameters
    ----------
    path : str or path
        The file; a new one is begun.
    question : mapping
        What :func:`asked` gives.

    Raises
    ------
    InputError
        For the ledger of another question, for one that another process writes, and for
        damaged ones.
    """

    def __init__(self, path: object, question: Mapping[str, Any]) -> None:
        self.digest = FORM.digest(question)
        self.entries: list[Entry] = []
        #: Chunks that are drawn again though a block of the file has them, among others.
        self.again: list[Block] = []
        super().__init__(path, FORM, lambda known: question)

    def read(self, lines: Sequence[bytes]) -> None:
        """Take the blocks that are there."""
        self.entries = _entries(lines, self.question, self.path)

    def known(self, wanted: Block, by_chunk: bool) -> tuple[list[Mapping[str, Any]], list[Block]]:
        """What it has of these trials, as workers say it, and the blocks that it does not have.

        Complete chunks serve any number of shuffles, an incomplete last one only the same.
        """
        self.keep()  # drawing begins
        of_run = sorted(
            (own for own in self.entries if own.run == wanted.run), key=lambda own: own.first
        )
        if by_chunk and any(own.chunks > 1 for own in of_run):
            raise InputError(
                f"{self.path}: has blocks of several chunks, and with decide_at the hits of each "
                f"are needed; give another file"
            )
        last = wanted.first + wanted.chunks
        full = min(last, wanted.end // streams.CHUNK)
        used, gaps, place = [], [], wanted.first
        for own in of_run:
            if not own.whole or own.end <= wanted.first or own.first >= full:
                continue
            if own.first > place:
                gaps.append(Block(wanted.run, place, own.first - place, wanted.end))
            start, place = max(own.first, wanted.first), min(own.end, full)
            if (start, place) == (own.first, own.end):
                used.append(own)
            else:  # a part of a block, whose hits are not known
                self.again.append(Block(wanted.run, start, place - start, wanted.end))
                gaps.append(self.again[-1])
        if place < full:
            gaps.append(Block(wanted.run, place, full - place, wanted.end))
        if full < last:
            rest = Block(wanted.run, full, 1, wanted.end)
            same = [own for own in of_run if (own.first, own.trials) == (full, rest.trials)]
            used += same
            gaps += [] if same else [rest]
        return [_as_drawn(own, by_chunk) for own in used], gaps

    def append(self, drawn: Sequence[tuple[Block, Mapping[str, Any]]]) -> None:
        """Keep blocks that came, but for those that a larger block of the file already has."""
        lines = []
        for block, said in drawn:
            if self._has(block):
                continue
            if "chunks" not in said:
                parts = [(block, (said["hits"], said["near"], said["undefined"]))]
            else:
                parts = [
                    (Block(block.run, chunk, 1, block.end), own)
                    for chunk, own in sorted(said["chunks"].items())
                ]
            for part, (hits, near, undefined) in parts:
                values = [*part[:3], part.trials, hits, near, [bool(own) for own in undefined]]
                lines.append(_written(self.digest, values))
        if lines:
            self.write(b"".join(lines))

    def _has(self, block: Block) -> bool:
        return any(
            own.run == block.run and own.first <= block.first < own.first + own.chunks
            for own in self.again
        )


def _as_drawn(own: Entry, by_chunk: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"hits": own.hits, "near": own.near, "undefined": own.undefined}
    if by_chunk:
        found["chunks"] = {own.first: (own.hits, own.near, own.undefined)}
    return found
