"""The rules for folds, for three systems or more on one test set, and for many data sets."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from csig.advice.base import (
    ALPHA,
    Candidate,
    Drawing,
    Soundness,
    nothing,
    of_alternative,
    refusal,
)
from csig.advice.pairs import DATA_SETS, OTHER, swapped
from csig.base.errors import InputError, argument
from csig.base.validation import between, positive
from csig.base.wording import count, counted, metric_name, noun
from csig.classical import paired
from csig.classical.contingency import cochran_q_test
from csig.classical.paired import too_few
from csig.data.comparison import Comparison
from csig.data.several import DatasetTable, dataset_table
from csig.datasets.comparing import DatasetsResult, rank_datasets
from csig.datasets.pairs import FEW_DATASETS, FEW_SYSTEMS, MANY_DATASETS, is_rough
from csig.probability.corrections import adjusted as corrected
from csig.systems.ranking import (
    FEW_UNITS,
    Scored,
    SystemsResult,
    places_of,
    rank_systems,
    table_of,
)

#: With fewer data sets a t test rests on normal differences (Demsar 2006, section 3.1.2).
FEW_SETS = 30

_BENAVOLI = "Benavoli et al. 2016"
_DEMSAR = "Demšar 2006, section"

#: By a test's name: its verdict, why, and who says so.
Said = tuple[str, Soundness, str, str]


class Least(NamedTuple):
    """A p-value; of pairs the smallest, with that pair's statistic."""

    statistic: float
    pvalue: float


def unadjusted(pairs: int) -> str:
    """What is wrong with the p-values of so many pairs as they are."""
    return (
        f"{counted(pairs, 'pair')} at {ALPHA} each: the chance of a false claim is up to "
        f"{100 * min(1.0, pairs * ALPHA):.0f}% where the systems are equal"
    )


# ---- folds of cross-validations, or random splits ----------------------------------------------


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

    def candidates(self) -> list[Candidate]:
        """Every test on folds, the recommended one first."""
        a, b = np.array(self.a), np.array(self.b)
        n_test = self.test_share.numerator
        sizes = {"n_train": self.test_share.denominator - n_test, "n_test": n_test}
        corrected = Candidate(
            "corrected resampled t test",
            "csig.classical.resampled_t_test(a, b, n_train={n_train}, n_test={n_test})".format(
                **sizes
            ),
            "approximate",
            f"allows for the training items that {self.what} share, by the share tested "
            f"({100 * float(self.test_share):.3g}%); a heuristic",
            "Nadeau and Bengio 2003; Bouckaert and Frank 2004",
            "fold",
            of_alternative(paired.resampled_t_test, a, b, **sizes),
            "t",
        )
        special = self._of_five_by_two()
        place = 0 if special[0].run is None else 1  # the F test is recommended where it applies
        items = "tests of items (McNemar, bootstrap, independent samples)"
        call = 'csig.randomization_test(comparison, "accuracy")'
        reason = (
            f"the rows are {self.what}, whose scores say nothing of single items; with the items "
            "of one test set, which no fold trains on, all tests of two trained systems are there"
        )
        return [
            *special[:place],
            corrected,
            *special[place:],
            *self._naive(a, b),
            *nothing([(items, call)], reason, "Dietterich 1998"),
        ]

    def _of_five_by_two(self) -> list[Candidate]:
        f = ("5x2cv F test", "csig.classical.cv52_f_test(a, b)")
        t = ("5x2cv t test", "csig.classical.cv52_t_test(a, b)")
        source = "Alpaydin 1999; Dietterich 1998"
        if self.folds != 2 or self.n != 10:
            reason = f"it takes five cross-validations of two folds, and there are {self.what}"
            return nothing([f, t], reason, source)
        a, b = np.array(self.a).reshape(5, 2), np.array(self.b).reshape(5, 2)
        why = refusal(lambda: paired.cv52_f_test(a, b))
        if why is not None:
            return nothing([f, t], why, source)
        of_f = (
            "made for five cross-validations of two folds: the halves share no training items "
            "within each"
        )
        of_t = (
            "as the F test, but it rests on the first of ten differences, and so on the order of "
            "folds"
        )
        run = of_alternative(paired.cv52_t_test, a, b)

        def run_f(drawing: Drawing) -> Any:
            return paired.cv52_f_test(a, b)

        return [
            Candidate(*f, "approximate", of_f, source, "fold", run_f, "F"),
            Candidate(*t, "approximate", of_t, source, "fold", run, "t"),
        ]

    def _naive(self, a: NDArray[np.float64], b: NDArray[np.float64]) -> list[Candidate]:
        """Tests that take folds for independent."""
        comparison = self.comparison
        reason = f"{self.what} share training items: their differences are not independent"
        source = "Nadeau and Bengio 2003; Dietterich 1998"
        tests = [
            ("k-fold t test", "classical.kfold_t_test(a, b)", "t",
             of_alternative(paired.kfold_t_test, a, b)),
            ("randomization test of folds", 'randomization_test(comparison, "mean")', "A - B",
             swapped(comparison, "mean")),
            ("Wilcoxon test of folds", "classical.wilcoxon_test(comparison)", "rank sum of A",
             of_alternative(paired.wilcoxon_test, comparison)),
            ("sign test of folds", "classical.sign_test(comparison)", "wins of A",
             of_alternative(paired.sign_test, comparison)),
        ]  # fmt: skip
        return [
            Candidate(test, f"csig.{call}", "unsound", reason, source, "fold", run, statistic)
            for test, call, statistic, run in tests
        ]


def of_folds(
    a: Iterable[float],
    b: Iterable[float],
    n_folds: int | None,
    test_share: float | None,
    names: tuple[str, str],
) -> Folds:
    """Scores on folds, checked: of one cross-validation, of several with `n_folds` each, or on
    random splits of which `test_share` is tested.
    """
    first, second = (tuple(map(float, scores)) for scores in (a, b))
    comparison = Comparison.from_scores(first, second, names=names)
    n = len(first)
    if n < 2:
        raise InputError(f"found {counted(n, 'fold')}, and no test can say anything of one")
    if test_share is not None:
        if n_folds is not None:
            raise InputError(
                f"{argument('folds')} is for cross-validations, {argument('test_share')} for "
                "random splits"
            )
        share = Fraction(between("test_share", test_share)).limit_denominator(10**6)
    else:
        each = n if n_folds is None else positive("folds", n_folds, n)
        if each < 2 or n % each:
            raise InputError(
                f"{argument('folds')}: found {each}, but {n} rows are no whole number of "
                "cross-validations of at least two folds"
            )
        share, n_folds = Fraction(1, each), each
    why = refusal(lambda: paired.kfold_t_test(np.array(first), np.array(second)))
    if why is not None:
        raise InputError(why)
    return Folds(a=first, b=second, folds=n_folds, test_share=share, comparison=comparison)


# ---- three systems or more ---------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Many:
    """Systems on the same units."""

    given: Mapping[str, Any]  #: Their scores or counts, ids, clusters, metric and baseline.
    table: Scored  #: The systems and the metric.

    @property
    def names(self) -> tuple[str, ...]:
        """The systems."""
        return self.table.given.names

    @property
    def baseline(self) -> str | None:
        """The system that all others are compared with, if only these pairs are asked for."""
        found = self.given.get("baseline")
        return None if found is None else str(found)

    @property
    def pairs(self) -> int:
        """Pairs of systems that are compared."""
        return len(self.places[0])

    @property
    def places(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """These pairs, by the places of their systems."""
        base = self.baseline
        return places_of(len(self.names), None if base is None else self.names.index(base))

    def candidates(self) -> list[Candidate]:
        """Every procedure for many systems, the recommended one first."""
        names, table, given, unit = self.names, self.table, self.given, self.table.unit
        holm: list[tuple[Drawing, SystemsResult]] = []

        def compared(correction: Any, drawing: Drawing) -> SystemsResult:
            drawn = drawing.keywords()
            for name in ("alternative", "executor", *["n_resamples"] * (correction == "flips")):
                drawn.pop(name)
            return rank_systems(table, baseline=self.baseline, correction=correction, **drawn)

        def smallest(correction: Any, adjusted: bool = True) -> Callable[[Drawing], Least]:
            def run(drawing: Drawing) -> Least:
                if correction == "flips":
                    pairs = compared(correction, drawing).pairs
                else:  # all others adjust the same p-values, which are computed once
                    if not holm or holm[0][0] is not drawing:
                        holm[:] = [(drawing, compared("holm", drawing))]
                    pairs = holm[0][1].pairs
                least = [own.adjusted_pvalue if adjusted else own.pvalue for own in pairs]
                if correction in ("bonferroni", "shaffer", "bh"):
                    p = np.array([(own.pvalue, own.log_pvalue) for own in pairs])
                    own = corrected(p[:, 0], p[:, 1], correction, n_systems=len(names))
                    least = own[0].tolist()
                place = min(range(len(pairs)), key=lambda i: (least[i], pairs[i].pvalue))
                return Least(pairs[place].difference, least[place])

            return run

        def cochran(drawing: Drawing) -> Any:
            return cochran_q_test(given["systems"], id=given.get("ids"))

        arguments = ["systems"]
        metric = given.get("metric")
        if metric is not None:
            arguments.append(f'metric="{metric}"' if isinstance(metric, str) else "metric=metric")
        called = {"columns": "columns", "clusters": "cluster"}
        arguments += [f"{called[own]}={own}" for own in called if given.get(own) is not None]
        if self.baseline is not None:
            arguments.append(f"baseline={json.dumps(self.baseline, ensure_ascii=False)}")
        call = f"csig.compare_systems({', '.join(arguments)}"
        statistic, items = "difference of the pair", counted(table.n_units, unit)
        found = []
        for correction, (test, verdict, reason, source) in self._said().items():
            more = "" if correction == "holm" else f', correction="{correction}"'
            run = None if verdict == "does not apply" else smallest(correction)
            found.append(
                Candidate(test, f"{call}{more})", verdict, reason, source, unit, run, statistic)
            )
        q, source = ("Cochran's Q", "csig.classical.cochran_q_test(systems)"), "Cochran 1950"
        if table.binary:
            reason = f"whether any of {counted(len(names), 'system')} differ on {items}, not which"
            found.append(Candidate(*q, OTHER, reason, source, unit, cochran, "Q"))
        else:
            reason = f"it takes single items that are right or wrong, and {items} are not"
            found += nothing([q], reason, source)
        plain = (f"{self._which}, unadjusted", f"{call}).pvalues")
        run, reason, source = smallest("holm", adjusted=False), unadjusted(self.pairs), "Holm 1979"
        found.append(Candidate(*plain, "unsound", reason, source, unit, run, statistic))
        two = [("tests of two systems", "csig.recommend(comparison)")]
        reason = (
            f"there are {count(len(names))} systems; give two, or take the p-values of pairs "
            "without a correction"
        )
        found += nothing(two, reason, source)
        return found + nothing(DATA_SETS, f"{items} are one data set", f"{_DEMSAR} 3")

    @property
    def _which(self) -> str:
        return "all pairs" if self.baseline is None else "pairs with the baseline"

    def _said(self) -> dict[str, Said]:
        """What is said of every correction."""
        table, which = self.table, self._which
        pairs, systems = counted(self.pairs, "pair"), counted(len(self.names), "system")
        verdict: Soundness = "sound"
        limit = ""
        if table.values is not None and not table.binary:
            # Whether units are too few for the skewness of any system's difference from the mean.
            values = table.values
            own = values - values.mean(axis=1, keepdims=True)
            own -= own.mean(axis=0)
            second, third = ((own**k).mean(axis=0) for k in (2, 3))
            varies = second > 0
            each = third[varies] / second[varies] ** 1.5
            if any(too_few(len(values), skewness) for skewness in each.tolist()):
                verdict = "approximate"
                limit = (
                    f"; but some differences are skewed, or {noun(table.unit, 2)} too few to tell, "
                    "and tests of their means may reject too often"
                )
        rate = "false claims of all claims" if self.pairs > 1 else "false claims"
        return {
            "holm": (
                f"{which}, Holm", verdict,
                f"{pairs} of {systems}: no claim is false with a probability of at least 0.95, "
                f"however the systems depend on each other{limit}",
                "Holm 1979",
            ),
            "bonferroni": (
                f"{which}, Bonferroni", verdict, f"as Holm for {pairs}, but never more powerful",
                "Holm 1979",
            ),
            "shaffer": (f"{which}, Shaffer", *self._shaffer(), "Shaffer 1986"),
            "flips": (f"{which}, flips", *self._flips(), "Romano and Wolf 2005"),
            "bh": (
                f"{which}, Benjamini-Hochberg", OTHER,
                f"of {pairs} it bounds the expected share of {rate}, not the chance of any",
                "Benjamini and Hochberg 1995",
            ),
        }  # fmt: skip

    def _flips(self) -> tuple[Soundness, str]:
        table = self.table
        units = counted(table.n_units, table.unit)
        if table.values is None:
            title = metric_name(table.metric.name)
            reason = f"{title} is not a sum over units, so that flips have nothing to flip"
            return "does not apply", reason
        if table.binary or table.n_units >= FEW_UNITS:
            return "approximate", (
                f"more power than Holm: the pairs share flips of {units}; exact if their "
                "differences are jointly symmetric"
            )
        return "unsound", (
            f"there are {units} whose scores are not binary: below {FEW_UNITS}, differences that "
            "are not symmetric make adjusted p-values too small"
        )

    def _shaffer(self) -> tuple[Soundness, str]:
        table, pairs = self.table, counted(self.pairs, "pair")
        if self.baseline is not None:
            return "does not apply", (
                f"{pairs} with one baseline: any of them may be true alone, so that its factors "
                "are those of Holm"
            )
        if table.binary:
            return "sound", f"smaller factors than Holm for {pairs}: each item is right or wrong"
        return "does not apply", (
            f"its factors hold for binary scores only, and {metric_name(table.metric.name)} of "
            f"{counted(table.n_units, table.unit)} is not binary"
        )


def of_systems(given: Mapping[str, Any], zero_division: int = 0) -> Many:
    """Systems, checked."""
    return Many(given, table_of(given, zero_division))


# ---- many data sets ----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Sets:
    """Systems on data sets: one score each, or units in data sets."""

    given: Mapping[str, Any]  #: Their scores, the data sets, and whether lower is better.
    table: DatasetTable  #: The same, checked.
    _results: dict[int, DatasetsResult] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """Data sets."""
        return len(self.table.datasets)

    @property
    def k(self) -> int:
        """Systems."""
        return len(self.table.names)

    @property
    def pairs(self) -> int:
        """Pairs of systems."""
        return self.k * (self.k - 1) // 2

    @property
    def what(self) -> str:
        """The data sets in words."""
        return counted(self.n, "data set")

    def result(self, drawing: Drawing) -> DatasetsResult:
        """All tests; they are run once for a drawing."""
        if id(drawing) not in self._results:
            drawn = drawing.keywords()
            for name in ("alternative", "executor", "zero_division"):
                drawn.pop(name)
            lower = bool(self.given.get("lower_is_better"))
            self._results[id(drawing)] = rank_datasets(self.table, lower_is_better=lower, **drawn)
        return self._results[id(drawing)]

    @property
    def _arguments(self) -> str:
        """As Python writes them."""
        return "systems" if self.given.get("datasets") is None else "systems, datasets=datasets"

    def _smallest(
        self, test: str, adjusted: bool = True, first: bool = False
    ) -> Callable[[Drawing], Least | None]:
        """The least p of the pairs by a test, if they have it; of equal ones the first, or by
        difference.
        """

        def run(drawing: Drawing) -> Least | None:
            known = [
                ((own.adjusted_by if adjusted else own.pvalues).get(test), own.difference)
                for own in self.result(drawing).pairs
            ]
            pairs = [(p, difference) for p, difference in known if p is not None]
            if not pairs:
                return None
            p, difference = min(pairs, key=lambda own: own[:1] if first else own)
            return Least(difference, p)

        return run

    def candidates(self) -> list[Candidate]:
        """Every test over data sets, the recommended one first."""
        found = self._of_pairs()
        if self.k > 2:
            found += self._of_all()
        reason = f"the units here are {self.what}; two systems on each alone are another comparison"
        one = [("tests on one data set", 'csig.randomization_test(comparison, "mean")')]
        return [*found, *nothing(one, reason, f"{_DEMSAR} 2")]

    def _of_pairs(self) -> list[Candidate]:
        """Tests of two systems, or of all pairs with Holm's correction."""
        what, statistic = self.what, "difference of means"
        several, call = ", Holm" * (self.k > 2), f"csig.compare_datasets({self._arguments}"
        t: Soundness = "approximate" if self.n >= FEW_SETS else "unsound"
        because = f"averages {what}, whose scores must be comparable"
        if self.n < FEW_SETS:
            because += f"; with fewer than {FEW_SETS} their differences must be normal, too"
        said: dict[str, Said] = {
            "wilcoxon": (
                "Wilcoxon test over data sets", "sound",
                f"ranks the differences on {what}, so that no single one decides, and assumes that "
                "those of equal systems are symmetric",
                f"{_DEMSAR} 3.1.3" + (f"; {_BENAVOLI}" if self.k > 2 else ""),
            ),
            "sign": (
                "sign test over data sets", "sound",
                f"counts the {what} on which each system is better; it misses more",
                f"{_DEMSAR} 3.1.4",
            ),
            "randomization": (
                "randomization test over data sets", OTHER,
                f"averages {what}: one with large differences outweighs the others",
                f"{_DEMSAR} 3.1.1",
            ),
            "t": ("paired t test over data sets", t, because, f"{_DEMSAR} 3.1.2"),
        }  # fmt: skip
        found = []
        for test, (name, verdict, reason, source) in said.items():
            own = f"{call})" if test == "wilcoxon" else f'{call}, pairs="{test}")'
            run = self._smallest(test, first=True)
            found.append(
                Candidate(name + several, own, verdict, reason, source, "data set", run, statistic)
            )
        within = (f"randomization test within data sets{several}", f'{call}, pairs="within")')
        source = f"{_DEMSAR} 3"
        if self.table.units is None:
            reason = f"there is one score for each of {what}, and no units are known"
            return [*found, *nothing([within], reason, source)]
        reason = (
            f"whether a difference would hold on other units of these {what}, not on other data "
            "sets"
        )
        run = self._smallest("within", first=True)
        return [*found, Candidate(*within, OTHER, reason, source, "unit", run, statistic)]

    def _of_all(self) -> list[Candidate]:
        """Tests of all systems at once, and pairs that depend on all of them."""
        what, systems = self.what, counted(self.k, "system")
        call, means = f"csig.compare_datasets({self._arguments}", "difference of means"

        def overall(name: str) -> Callable[[Drawing], Least | None]:
            def run(drawing: Drawing) -> Least | None:
                for own in self.result(drawing).overall:
                    if own.name == name and own.pvalue == own.pvalue:
                        return Least(own.statistic, own.pvalue)
                return None

            return run

        anyone = f"whether any of {systems} differ over {what}, not which"
        chi_square: tuple[Soundness, str] = (OTHER, anyone)
        if is_rough(self.n, self.k):
            chi_square = (
                "approximate",
                (
                    f"{anyone}; rough with at most {FEW_DATASETS} data sets, or with {FEW_SYSTEMS} "
                    f"systems on at most {MANY_DATASETS}"
                ),
            )
        friedman = f"{_DEMSAR} 3.2.2"
        said: list[tuple[str, str, Soundness, str, str, Callable[[Drawing], Any], str]] = [
            ("Friedman, F of Iman and Davenport", ")", OTHER, anyone, friedman,
             overall("iman-davenport"), "F"),
            ("Friedman, chi-square", ")", *chi_square, friedman, overall("friedman"),
             "chi-square"),
            ("Nemenyi", ', pairs="ranks", correction="nemenyi")', "unsound",
             f"average ranks among {systems}: whether two of them differ depends on the others",
             _BENAVOLI, self._smallest("nemenyi"), means),
            ("ANOVA, Tukey", ', pairs="anova", correction="tukey")', "unsound",
             f"takes differences on {what} for normal, with the same variance for all {systems}",
             f"{_DEMSAR} 3.2.1", self._smallest("tukey"), means),
            ("Wilcoxon test over data sets, unadjusted", ")", "unsound", unadjusted(self.pairs),
             "Holm 1979", self._smallest("wilcoxon", adjusted=False), means),
        ]  # fmt: skip
        return [
            Candidate(test, call + more, verdict, reason, source, "data set", run, statistic)
            for test, more, verdict, reason, source, run, statistic in said
        ]


def of_sets(given: Mapping[str, Any]) -> Sets:
    """Systems on data sets, checked."""
    return Sets(given, dataset_table(given["table"], given.get("datasets")))
