"""Scores over training samples as a document: `csig.training` and ``csig train`` print it."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from csig.base import wording
from csig.report.document import Document, Row, head, picked
from csig.report.document import table as table_of
from csig.report.shown import document_of
from csig.training.distribution import (
    AcrossTestSets,
    TrainingDifference,
    TrainingDistribution,
    TrainingScore,
)

#: Not what any of these numbers is about.
_LIMITS = (
    "Every model is scored on the same test sets. These numbers do not say what another test set "
    "would give"
)
LIMITS = wording.Line(f"{_LIMITS}; csig compare tests that.", f"{_LIMITS}.")

#: Where nobody said how the samples were drawn.
UNKNOWN = (
    "How the training samples were drawn is not known. Intervals of P and p-values hold for "
    "samples that are independent given the corpus, as bootstrap samples are; not for k-fold "
    "splits."
)

#: Of more pairs of systems the answer has numbers only.
MOST_ANSWERS = 6

#: With fewer samples a caution says how rough the numbers are.
FEW = 10

_DEPENDENT = {
    "kfold": "k-fold samples share most of their sentences, so they depend on each other: P has "
    "no interval, and no p-value is given.",
    "subsample": "Samples without a common sentence depend on each other: P has no interval, and "
    "no p-value is given.",
    "bootstrap": "The samples are said to depend on each other: P has no interval, and no p-value "
    "is given.",
}

_SAMPLES = {
    "bootstrap": "bootstrap samples",
    "kfold": "k-fold samples",
    "subsample": "subsamples",
    None: "training samples",
}

#: The columns of flat rows, of all three tables.
_COLUMNS = (
    "what", "test_set", "other_test_set", "system", "minus", "mean", "sd", "lowest", "highest",
    "correlation", "probability", "low", "high", "confidence_level", "n_ties", "sd_ratio", "pvalue",
)  # fmt: skip


def _doubts(training: TrainingDistribution) -> list[str]:
    """Why the numbers may be less than they look."""
    doubts = []
    n_scored, failures = training.n_samples, training.failures
    if n_scored < FEW:
        doubts.append(
            f"{wording.counted(n_scored, 'training sample')} are few: standard deviations of so "
            f"many independent ones are off by about {50 * (2 / (n_scored - 1)) ** 0.5:.0f}%, and "
            "correlations are rough."
        )
    if training.independent is None:
        doubts.append(UNKNOWN)
    if failures:
        some = "; ".join(f"sample {own.sample}: {own.error}" for own in failures[:3])
        more = f"; and {len(failures) - 3} more" if len(failures) > 3 else ""
        asked = wording.counted(n_scored + len(failures), "sample")
        doubts.append(
            f"{len(failures)} of {asked} failed and are left out, so the numbers are those of "
            f"samples on which training succeeds. {some}{more}."
        )
    return doubts


def _notes(
    training: TrainingDistribution,
    differences: Sequence[TrainingDifference],
    across: Sequence[AcrossTestSets],
) -> list[str]:
    """What must be known to read the tables."""
    notes: list[str] = [LIMITS]
    if training.independent is False:
        notes.append(_DEPENDENT[training.method or "bootstrap"])
    if any(own.n_ties for own in differences):
        notes.append("P(a > b) counts samples on which a is ahead, without ties.")
    correlations = [own.correlation for own in differences]
    if None in [*correlations, *(own.correlation for own in across)]:
        notes.append("- means no correlation: the scores do not vary.")
    if across:
        notes.append(
            "SD ratio: the second test set's standard deviation to the first's. A smaller test set "
            "usually has a larger one whatever is in it, so compare sets of equal size."
        )
    return [*notes, *training.notes]


def _number(value: float | None, digits: int = 3) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _share(value: float) -> str:
    """A share with three decimals, or more where it would look like 0 or 1 without being that.

    >>> _share(0.5), _share(1.0), _share(0.99996), _share(0.0002)
    ('0.500', '1.000', '0.99996', '0.0002')
    """
    digits = 3
    while 0 < value < 1 and float(f"{value:.{digits}f}") in (0.0, 1.0):
        digits += 1
    return f"{value:.{digits}f}"


def _rows(
    scores: Sequence[TrainingScore],
    differences: Sequence[TrainingDifference],
    across: Sequence[AcrossTestSets],
) -> list[Row]:
    """For programs: rows of all three tables under one header."""
    rows: list[Row] = [
        {"what": "score", **picked(own, "test_set system mean sd lowest highest")} for own in scores
    ]
    for own in differences:
        low, high = own.interval or (None, None)
        names = "test_set system=a minus=b mean sd correlation probability confidence_level n_ties"
        rows.append({"what": "difference", **picked(own, names), "low": low, "high": high})
    rows += [
        {"what": "across"}
        | picked(two, "test_set=first other_test_set=second system correlation sd_ratio pvalue")
        for two in across
    ]
    return [{name: row.get(name) for name in _COLUMNS} for row in rows]


def _ahead(own: TrainingDifference, samples: str) -> str:
    """Which of two systems is ahead, and how often that is the other one."""
    a, b = wording.clean(own.a), wording.clean(own.b)
    first, second = (a, b) if own.n_ahead >= own.n_behind else (b, a)
    less, more = sorted((own.n_ahead, own.n_behind))
    total, ties = wording.count(less + more + own.n_ties), f", and they tie on {own.n_ties}"
    if less:
        return (
            f"which of {a} and {b} is better depends on the training sample in "
            f"{wording.count(less)} of {total} cases: {first} is ahead on {wording.count(more)} "
            f"of the {samples}, {second} on {wording.count(less)}{ties * bool(own.n_ties)}"
        )
    if not more:
        return f"{a} and {b} tie on all {total} {samples}"
    if own.n_ties:
        return f"{first} is ahead of {second} on {wording.count(more)} of {total} {samples}{ties}"
    return f"{first} is ahead of {second} on all {total} {samples}"


def _answer(said: Sequence[tuple[str, str]], several: bool) -> list[str]:
    """Sentences, each once with the test sets of which it is true, if there are several sets."""
    found: dict[str, list[str]] = {}
    for test_set, line in said:
        found.setdefault(line, []).append(wording.clean(test_set))
    if len(found) > MOST_ANSWERS:
        unsure = sum(line.startswith("which of ") for _, line in said)
        return [
            "Which of two systems is better depends on the training sample for "
            f"{wording.count(unsure)} of {wording.count(len(said))} pairs"
            f"{' and test sets' * several}."
        ]
    if several:
        return [f"On {wording.listed(sets)}, {line}." for line, sets in found.items()]
    return [f"W{line[1:]}." if line.startswith("which of ") else f"{line}." for line in found]


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
    """Every system, every two, and every two test sets; `table` is the file they were read from."""
    sets, systems = training.test_sets, training.systems
    pairs = training.pairs(a, b, baseline)
    scores = [training.score(system, own) for own in sets for system in systems]
    differences = [
        training.difference(*pair, own, confidence_level=confidence_level)
        for own in sets
        for pair in pairs
    ]
    across = [
        training.across(system, *two)
        for system in systems
        for two in itertools.combinations(sets, 2)
    ]
    extremes = [end for own in scores for end in (own.lowest, own.highest)]
    share = wording.in_percent(extremes)
    figures = wording.figures(extremes, share, [own.sd for own in differences or scores])
    over = f"over {wording.count(training.n_samples)} {_SAMPLES[training.method]}"
    tables = [
        table_of(
            "scores",
            "nn####",
            ("Test set", "System", "Mean", "SD", "Lowest", "Highest"),
            [
                (
                    own.test_set, own.system, figures.score(own.mean),
                    figures.difference(own.sd), figures.score(own.lowest),
                    figures.score(own.highest),
                )
                for own in scores
            ],
            f"Scores{' in percent' * share} {over}",
        )
    ]  # fmt: skip
    if differences:
        rows = []
        for own in differences:
            ends = [] if own.interval is None else map(_share, own.interval)
            rows.append(
                (
                    own.test_set, f"{own.a} - {own.b}",
                    figures.difference(own.mean, sign=True),
                    figures.difference(own.sd), _number(own.correlation),
                    _share(own.probability), " to ".join(ends) or "-", wording.count(own.n_ties),
                )
            )  # fmt: skip
        level = f"{wording.decimal(100 * confidence_level)}% of P"
        title = f"Differences{' in points' * share} {over}; a is the first of two systems, r their"
        headers = ("Test set", "Difference", "Mean", "SD", "r", "P(a > b)", level, "Ties")
        tables.append(table_of("differences", "nn####i#", headers, rows, f"{title} correlation"))
    if across:
        tables.append(
            table_of(
                "across",
                "nn##p",
                ("System", "Test sets", "r", "SD ratio", "p (equal SD)"),
                [
                    (
                        own.system, f"{own.first}, {own.second}", _number(own.correlation),
                        _number(own.sd_ratio, 2),
                        "-" if own.pvalue is None else wording.pvalue(own.pvalue),
                    )
                    for own in across
                ],
                f"The same models on two test sets, {over}",
            )
        )  # fmt: skip
    said = [(own.test_set, _ahead(own, _SAMPLES[training.method])) for own in differences]
    if len(systems) == 1:
        for score in scores:
            ends = f"{figures.score(score.lowest)} to {figures.score(score.highest)}{'%' * share}"
            said.append((score.test_set, f"{wording.clean(score.system)} scores {ends} {over}"))
    doubts, notes = _doubts(training), _notes(training, differences, across)

    def record() -> Mapping[str, Any]:
        return {
            **head("csig.train", 2),
            **({} if table is None else {"table": table}),
            **picked(training, "method independent n_samples"),
            "systems": list(systems),
            "test_sets": list(sets),
            "scores": [asdict(own) for own in scores],
            "differences": [
                {("system" if name == "a" else "baseline" if name == "b" else name): value
                 for name, value in asdict(own).items()}
                | {"interval": None if own.interval is None else list(own.interval)}
                for own in differences
            ],
            "across": [asdict(own) for own in across],
            "failures": [asdict(own) for own in training.failures],
            "notes": [*doubts, *notes],
        }  # fmt: skip

    return Document(
        title="Chance in the training data",
        doubts=doubts,
        verdict=_answer(said, len(sets) > 1),
        tables=tables,
        notes=notes,
        rows=_rows(scores, differences, across),
        record=record,
    )
