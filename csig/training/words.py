"""What is to be said beside the tables of a training distribution."""

from __future__ import annotations

from collections.abc import Sequence

from csig.base import wording
from csig.training.sampling import Resampling
from csig.training.summaries import AcrossTestSets, TrainingDifference, TrainingFailure

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


def samples_text(number: int, method: Resampling | None) -> str:
    """So many samples.

    >>> samples_text(100, "bootstrap"), samples_text(1200, None)
    ('100 bootstrap samples', '1,200 training samples')
    """
    return f"{wording.count(number)} {_SAMPLES[method]}"


def doubts_of(
    independent: bool | None, failures: Sequence[TrainingFailure], n_samples: int
) -> list[str]:
    """Why the numbers may be less than they look."""
    doubts = []
    n_scored = n_samples - len(failures)
    if n_scored < FEW:
        doubts.append(
            f"{wording.counted(n_scored, 'training sample')} are few: standard deviations of so "
            f"many independent ones are off by about {50 * (2 / (n_scored - 1)) ** 0.5:.0f}%, and "
            "correlations are rough."
        )
    if independent is None:
        doubts.append(UNKNOWN)
    if failures:
        some = "; ".join(f"sample {own.sample}: {own.error}" for own in failures[:3])
        more = f"; and {len(failures) - 3} more" if len(failures) > 3 else ""
        doubts.append(
            f"{len(failures)} of {wording.counted(n_samples, 'sample')} failed and are left out, "
            f"so the numbers are those of samples on which training succeeds. {some}{more}."
        )
    return doubts


def notes_of(
    method: Resampling | None,
    independent: bool | None,
    differences: Sequence[TrainingDifference],
    across: Sequence[AcrossTestSets],
) -> list[str]:
    """What must be known to read the tables."""
    notes = [LIMITS]
    if independent is False:
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
    return notes
