"""The rules for scores on the folds of cross-validations, or on random splits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from csig import folds, paired, randomization
from csig.advice.base import Advice, Candidate, Drawing, nothing, refusal
from csig.comparison import Comparison
from csig.errors import InputError
from csig.validation import between, positive
from csig.wording import count, counted

__all__ = ["Folds", "candidates", "of_folds"]

_TRAINING = "Nadeau and Bengio 2003; Dietterich 1998"


@dataclass(frozen=True, kw_only=True, eq=False)
class Folds:
    """Two systems' scores on folds."""

    a: tuple[float, ...]  #: a, b: one score per fold, in the order of the folds.
    b: tuple[float, ...]
    folds: int | None  #: Folds of each cross-validation; None of random splits.
    test_share: Fraction  #: The share of the data that is tested in each.
    comparison: Comparison  #: The same, with folds as units.

    @property
    def n(self) -> int:
        """How many folds."""
        return len(self.a)

    @property
    def what(self) -> str:
        """The folds in words."""
        if self.folds is None:
            return counted(self.n, "random split")
        if self.folds == self.n:
            return f"{count(self.n)} folds of one cross-validation"
        return f"{count(self.n)} folds of {count(self.n // self.folds)} cross-validations"


def of_folds(
    a: Sequence[float],
    b: Sequence[float],
    n_folds: int | None,
    test_share: float | None,
    names: tuple[str, str],
) -> Folds:
    """Scores on folds, checked.

    Parameters
    ----------
    a, b : sequence of float
        One score per fold.
    n_folds : int, optional
        Folds of each cross-validation; by default there is one.
    test_share : float, optional
        Of random splits: the share that is tested.
    names : pair of str
        The systems' names.

    Raises
    ------
    InputError
        If they do not go together, or no test could say anything.

    Examples
    --------
    >>> of_folds([0.8, 0.9, 0.7], [0.7, 0.8, 0.7], None, None, ("A", "B")).what
    '3 folds of one cross-validation'
    """
    comparison = Comparison.from_scores(list(a), list(b), names=names)
    n = len(a)
    if n < 2:
        raise InputError(f"found {counted(n, 'fold')}, and no test can say anything of one")
    if test_share is not None:
        if n_folds is not None:
            raise InputError("folds is for cross-validations, test_share for random splits")
        share = Fraction(between("test_share", test_share)).limit_denominator(10**6)
    else:
        each = n if n_folds is None else positive("folds", n_folds, n)
        if each < 2 or n % each:
            raise InputError(
                f"folds: found {each}, but {n} rows are no whole number of cross-validations of "
                f"at least two folds"
            )
        share, n_folds = Fraction(1, each), each
    made = Folds(
        a=tuple(map(float, a)), b=tuple(map(float, b)), folds=n_folds, test_share=share,
        comparison=comparison,
    )  # fmt: skip
    if (why := refusal(lambda: folds.kfold_t_test(np.array(made.a), np.array(made.b)))) is not None:
        raise InputError(why)
    return made


def _of_five_by_two(f: Folds) -> list[Candidate]:
    tests = [("5x2cv F test", "csig.cv52_f_test(a, b)"), ("5x2cv t test", "csig.cv52_t_test(a, b)")]
    source = "Alpaydin 1999; Dietterich 1998"
    if f.folds != 2 or f.n != 10:
        reason = f"it takes five cross-validations of two folds, and there are {f.what}"
        return nothing(tests, reason, source)
    a, b = np.array(f.a).reshape(5, 2), np.array(f.b).reshape(5, 2)
    why = refusal(lambda: folds.cv52_f_test(a, b))
    if why is not None:
        return nothing(tests, why, source)
    said = [
        "made for five cross-validations of two folds: the halves share no training items within "
        "each",
        "as the F test, but it rests on the first of ten differences, and so on the order of folds",
    ]
    runs: list[Callable[[Drawing], Any]] = [
        lambda drawing: folds.cv52_f_test(a, b),
        lambda drawing: folds.cv52_t_test(a, b, alternative=drawing.alternative),
    ]
    return [
        Candidate(
            Advice(test=test, verdict="approximate", reason=reason, source=source, call=call,
                   unit="fold"),
            run, statistic,
        )
        for (test, call), reason, run, statistic in zip(tests, said, runs, "Ft", strict=True)
    ]  # fmt: skip


def _corrected(f: Folds) -> Candidate:
    a, b = np.array(f.a), np.array(f.b)
    test, train = f.test_share.numerator, f.test_share.denominator - f.test_share.numerator
    share = f"{100 * float(f.test_share):.3g}%"
    return Candidate(
        Advice(
            test="corrected resampled t test", verdict="approximate", unit="fold",
            reason=f"allows for the training items that {f.what} share, by the share tested "
            f"({share}); a heuristic",
            source="Nadeau and Bengio 2003; Bouckaert and Frank 2004",
            call=f"csig.resampled_t_test(a, b, n_train={train}, n_test={test})",
        ),
        lambda drawing: folds.resampled_t_test(
            a, b, n_train=train, n_test=test, alternative=drawing.alternative
        ),
        "t",
    )  # fmt: skip


def _naive(f: Folds) -> list[Candidate]:
    """Tests that take folds for independent."""
    a, b = np.array(f.a), np.array(f.b)
    shared = f"{f.what} share training items: their differences are not independent"
    comparison = f.comparison

    def swapped(drawing: Drawing) -> Any:
        drawn = drawing.keywords(drawing.n_resamples)
        return randomization.randomization_test(comparison, "mean", **drawn)

    tests: list[tuple[str, str, Callable[[Drawing], Any], str]] = [
        ("k-fold t test", "csig.kfold_t_test(a, b)",
         lambda d: folds.kfold_t_test(a, b, alternative=d.alternative), "t"),
        ("randomization test of folds", 'csig.randomization_test(comparison, "mean")', swapped,
         "A - B"),
        ("Wilcoxon test of folds", "csig.wilcoxon_test(comparison)",
         lambda d: paired.wilcoxon_test(comparison, alternative=d.alternative),
         "rank sum of A"),
        ("sign test of folds", "csig.sign_test(comparison)",
         lambda d: paired.sign_test(comparison, alternative=d.alternative), "wins of A"),
    ]  # fmt: skip
    return [
        Candidate(
            Advice(test=test, verdict="unsound", reason=shared, source=_TRAINING, call=call,
                   unit="fold"),
            run, statistic,
        )
        for test, call, run, statistic in tests
    ]  # fmt: skip


def candidates(f: Folds) -> list[Candidate]:
    """Every test on folds, the recommended one first.

    Parameters
    ----------
    f : Folds
        Two systems' scores.
    """
    special, corrected = _of_five_by_two(f), _corrected(f)
    found = [corrected, *special]
    if special[0].run is not None:
        found = [special[0], corrected, *special[1:]]
    items = [
        ("tests of items (McNemar, bootstrap, independent samples)",
         'csig.randomization_test(comparison, "accuracy")'),
    ]  # fmt: skip
    reason = (
        f"the rows are {f.what}, whose scores say nothing of single items; with the items of one "
        "test set, which no fold trains on, all tests of two trained systems are there"
    )
    return [*found, *_naive(f), *nothing(items, reason, "Dietterich 1998")]
