"""The tables of a training distribution, and what is to be said of them."""

from __future__ import annotations

from collections.abc import Sequence

from csig import wording
from csig.training.sampling import Resampling
from csig.training.summaries import (
    AcrossTestSets,
    TrainingDifference,
    TrainingFailure,
    TrainingScore,
)
from csig.training.tables import Table

__all__ = ["LIMITS", "notes_of", "samples_text", "tables_of"]

#: Not what any of these numbers is about.
LIMITS = (
    "Every model is scored on the same test sets. What another test set would give, these numbers "
    "do not say; csig compare tests that."
)

#: Where nobody said how the samples were drawn.
UNKNOWN = (
    "How the training samples were drawn is not known. Intervals of P and p-values hold for "
    "samples that are independent given the corpus, as bootstrap samples are; not for k-fold "
    "splits."
)

#: With fewer samples a note says how rough the numbers are.
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


def samples_text(number: int, method: Resampling | None) -> str:
    """So many samples.

    >>> samples_text(100, "bootstrap"), samples_text(1200, None)
    ('100 bootstrap samples', '1,200 training samples')
    """
    return f"{wording.count(number)} {_SAMPLES[method]}"


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


def _ratio(found: AcrossTestSets) -> str:
    return _number(found.sd_second / found.sd_first if found.sd_first else None, 2)


def _score_rows(scores: Sequence[TrainingScore], percents: bool) -> list[tuple[str, ...]]:
    return [
        (
            own.test_set,
            own.system,
            wording.score(own.mean, percents),
            wording.score_difference(own.sd, percents),
            wording.score(own.lowest, percents),
            wording.score(own.highest, percents),
        )
        for own in scores
    ]


def _difference_rows(
    differences: Sequence[TrainingDifference], percents: bool
) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for own in differences:
        low, high = own.interval or (0.0, 0.0)
        rows.append(
            (
                own.test_set,
                f"{own.a} - {own.b}",
                wording.score_difference(own.mean, percents, sign=True),
                wording.score_difference(own.sd, percents),
                _number(own.correlation),
                _share(own.probability),
                "-" if own.interval is None else f"{_share(low)} to {_share(high)}",
                wording.count(own.n_ties),
            )
        )
    return rows


def _across_rows(found: Sequence[AcrossTestSets]) -> list[tuple[str, ...]]:
    return [
        (
            own.system,
            f"{own.first}, {own.second}",
            _number(own.correlation),
            _ratio(own),
            "-" if own.pvalue is None else wording.pvalue(own.pvalue),
        )
        for own in found
    ]


def tables_of(
    samples: str,
    scores: Sequence[TrainingScore],
    differences: Sequence[TrainingDifference],
    across: Sequence[AcrossTestSets],
) -> list[Table]:
    """The tables: every system, every two, and every two test sets; empty ones are left out."""
    percents = wording.in_percent(
        min(own.lowest for own in scores), max(own.highest for own in scores)
    )
    unit = " in percent" if percents else ""
    tables = [
        Table(
            f"Scores{unit} over {samples}",
            ("Test set", "System", "Mean", "SD", "Lowest", "Highest"),
            _score_rows(scores, percents),
            left=2,
        )
    ]
    if differences:
        level = wording.decimal(100 * differences[0].confidence_level)
        tables.append(
            Table(
                f"Differences{unit.replace('percent', 'points')} over {samples}; a is the first of "
                "two systems, r their correlation",
                ("Test set", "Difference", "Mean", "SD", "r", "P(a > b)", f"{level}% of P", "Ties"),
                _difference_rows(differences, percents),
                left=2,
            )
        )
    if across:
        tables.append(
            Table(
                f"The same models on two test sets, over {samples}",
                ("System", "Test sets", "r", "SD ratio", "p (equal SD)"),
                _across_rows(across),
                left=2,
            )
        )
    return tables


def notes_of(
    method: Resampling | None,
    independent: bool | None,
    differences: Sequence[TrainingDifference],
    across: Sequence[AcrossTestSets],
    failures: Sequence[TrainingFailure],
    n_samples: int,
) -> list[str]:
    """What must be known to read the tables."""
    notes = [LIMITS]
    n_scored = n_samples - len(failures)
    if n_scored < FEW:
        notes.append(
            f"{wording.counted(n_scored, 'training sample')} are few: standard deviations of so "
            f"many independent ones are off by about {50 * (2 / (n_scored - 1)) ** 0.5:.0f}%, and "
            "correlations are rough."
        )
    if independent is None:
        notes.append(UNKNOWN)
    elif not independent:
        notes.append(_DEPENDENT[method or "bootstrap"])
    if any(own.n_ties for own in differences):
        notes.append("P(a > b) counts samples on which a is ahead; ties are not among them.")
    correlations = [own.correlation for own in differences]
    if None in [*correlations, *(own.correlation for own in across)]:
        notes.append("Where scores do not vary there is no correlation (-).")
    if across:
        notes.append(
            "SD ratio: the second test set's standard deviation to the first's. A smaller test set "
            "usually has a larger one whatever is in it, so compare sets of equal size."
        )
    if failures:
        some = "; ".join(f"sample {own.sample}: {own.error}" for own in failures[:3])
        more = f"; and {len(failures) - 3} more" if len(failures) > 3 else ""
        notes.append(
            f"{len(failures)} of {wording.counted(n_samples, 'sample')} failed and are left out, "
            f"so the numbers are those of samples on which training succeeds. {some}{more}."
        )
    return notes
