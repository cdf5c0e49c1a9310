"""Scores over training samples as a document: `csig.training` and ``csig train`` print it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from csig._version import __version__
from csig.base import wording
from csig.report.document import Cell, Column, Document, Kind, Scalar, Table
from csig.report.shown import document_of
from csig.training import words
from csig.training.distribution import TrainingDistribution
from csig.training.summaries import AcrossTestSets, TrainingDifference, TrainingScore


def _number(value: float | None, digits: int = 3) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _share(value: float) -> str:
    """A share with three decimals, or more where it would look like 0 or 1 without being that.

    >>> _share(0.5), _share(1.0), _share(0.99996)
    ('0.500', '1.000', '0.99996')
    """
    digits = 3
    while 0 < value < 1 and float(f"{value:.{digits}f}") in (0.0, 1.0):
        digits += 1
    return f"{value:.{digits}f}"


def _ratio(own: AcrossTestSets) -> float | None:
    return own.sd_second / own.sd_first if own.sd_first else None


def _table(
    name: str, title: str, headers: Sequence[str], rows: Sequence[Sequence[str]], kinds: str
) -> Table:
    """A table; of `kinds` there is a letter per column: names, numbers, intervals, p-values."""
    known: Mapping[str, Kind] = {"n": "name", "#": "number", "i": "interval", "p": "pvalue"}
    return Table(
        name=name,
        title=title,
        columns=[Column(h, "left" if k == "n" else "right") for h, k in zip(headers, kinds)],  # noqa: B905
        rows=[[Cell(text, known[k]) for text, k in zip(row, kinds, strict=True)] for row in rows],
    )


@dataclass(frozen=True)
class _Found:
    """Every system, every two, and every two test sets."""

    scores: Sequence[TrainingScore]
    differences: Sequence[TrainingDifference]
    across: Sequence[AcrossTestSets]
    samples: str

    @property
    def percents(self) -> bool:
        """Whether the scores are shares."""
        low, high = min(o.lowest for o in self.scores), max(o.highest for o in self.scores)
        return wording.in_percent(low, high)

    @property
    def unit(self) -> str:
        """Behind a title."""
        return " in percent" if self.percents else ""


def _scores(found: _Found) -> Table:
    share = found.percents
    rows = [
        (
            own.test_set, own.system, wording.score(own.mean, share),
            wording.score_difference(own.sd, share), wording.score(own.lowest, share),
            wording.score(own.highest, share),
        )
        for own in found.scores
    ]  # fmt: skip
    headers = ("Test set", "System", "Mean", "SD", "Lowest", "Highest")
    return _table("scores", f"Scores{found.unit} over {found.samples}", headers, rows, "nn####")


def _differences(found: _Found) -> Table:
    share = found.percents
    rows = []
    for own in found.differences:
        low, high = own.interval or (0.0, 0.0)
        rows.append(
            (
                own.test_set, f"{own.a} - {own.b}",
                wording.score_difference(own.mean, share, sign=True),
                wording.score_difference(own.sd, share), _number(own.correlation),
                _share(own.probability),
                "-" if own.interval is None else f"{_share(low)} to {_share(high)}",
                wording.count(own.n_ties),
            )
        )  # fmt: skip
    level = wording.decimal(100 * found.differences[0].confidence_level)
    unit = found.unit.replace("percent", "points")
    title = f"Differences{unit} over {found.samples}; a is the first of two systems, r their"
    headers = ("Test set", "Difference", "Mean", "SD", "r", "P(a > b)", f"{level}% of P", "Ties")
    return _table("differences", f"{title} correlation", headers, rows, "nn####i#")


def _across(found: _Found) -> Table:
    rows = [
        (
            own.system, f"{own.first}, {own.second}", _number(own.correlation),
            _number(_ratio(own), 2), "-" if own.pvalue is None else wording.pvalue(own.pvalue),
        )
        for own in found.across
    ]  # fmt: skip
    title = f"The same models on two test sets, over {found.samples}"
    headers = ("System", "Test sets", "r", "SD ratio", "p (equal SD)")
    return _table("across", title, headers, rows, "nn##p")


def _rows(found: _Found) -> Iterator[dict[str, Scalar]]:
    """For programs: rows of all three tables under one header."""
    keys = (
        "what test_set other_test_set system minus mean sd lowest highest correlation probability "
        "low high confidence_level n_ties sd_ratio pvalue"
    )
    nothing: dict[str, Scalar] = dict.fromkeys(keys.split())
    for score in found.scores:
        names = ("test_set", "system", "mean", "sd", "lowest", "highest")
        yield {**nothing, "what": "score", **{name: getattr(score, name) for name in names}}
    for own in found.differences:
        low, high = own.interval or (None, None)
        yield {
            **nothing, "what": "difference", "test_set": own.test_set, "system": own.a,
            "minus": own.b, "mean": own.mean, "sd": own.sd, "correlation": own.correlation,
            "probability": own.probability, "low": low, "high": high,
            "confidence_level": own.confidence_level, "n_ties": own.n_ties,
        }  # fmt: skip
    for two in found.across:
        yield {
            **nothing, "what": "across", "test_set": two.first, "other_test_set": two.second,
            "system": two.system, "correlation": two.correlation, "sd_ratio": _ratio(two),
            "pvalue": two.pvalue,
        }  # fmt: skip


@document_of.register
def document_of_training(
    training: TrainingDistribution,
    *,
    a: str | None = None,
    b: str | None = None,
    baseline: str | None = None,
    confidence_level: float = 0.95,
    table: str | None = None,
) -> Document:
    """Scores over training samples: every system, every two, and every two test sets.

    Parameters
    ----------
    training : TrainingDistribution
        The scores.
    a, b, baseline, confidence_level
        As `TrainingDistribution.table` has them.
    table : str, optional
        The file they were read from.
    """
    sets, systems = training.test_sets, training.systems
    pairs = training.pairs(a, b, baseline)
    found = _Found(
        [training.score(system, own) for own in sets for system in systems],
        [
            training.difference(*pair, own, confidence_level=confidence_level)
            for own in sets
            for pair in pairs
        ],
        [
            training.across(system, *two)
            for system in systems
            for two in itertools.combinations(sets, 2)
        ],
        words.samples_text(training.n_samples, training.method),
    )

    def record() -> Mapping[str, Any]:
        own = training.as_dict(a=a, b=b, baseline=baseline, confidence_level=confidence_level)
        head = {name: own.pop(name) for name in ("schema", "schema_version")}
        named = {} if table is None else {"table": table}
        return {**head, "csig_version": __version__, **named, **own}

    n_asked = training.n_samples + len(training.failures)
    notes = words.notes_of(training.method, training.independent, found.differences, found.across)
    return Document(
        title="Chance in the training data",
        doubts=words.doubts_of(training.independent, training.failures, n_asked),
        tables=[
            _scores(found),
            *([_differences(found)] if found.differences else []),
            *([_across(found)] if found.across else []),
        ],
        notes=[*notes, *training.notes],
        rows=list(_rows(found)),
        record=record,
    )
