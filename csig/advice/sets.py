"""The rules for systems on many data sets: one score each, or units in data sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from csig.advice.base import Advice, Candidate, Drawing, Soundness, nothing
from csig.data.dataset_table import DatasetTable, dataset_table
from csig.dataset_advice import FEW_DATASETS, FEW_SYSTEMS, MANY_DATASETS, is_rough
from csig.datasets import DatasetsResult, compare_over_datasets
from csig.wording import counted

__all__ = ["ALPHA", "FEW", "Found", "Sets", "candidates", "of_sets"]

ALPHA = 0.05

#: With fewer data sets a t test rests on normal differences (Demsar 2006, section 3.1.2).
FEW = 30

_BENAVOLI = "Benavoli et al. 2016"


@dataclass(frozen=True, eq=False)
class Sets:
    """Systems on data sets."""

    given: Mapping[str, Any]  #: What :func:`csig.compare_over_datasets` takes.
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
            drawn = drawing.keywords(drawing.n_resamples)
            for name in ("alternative", "executor", "zero_division"):
                drawn.pop(name)
            self._results[id(drawing)] = compare_over_datasets(**self.given, **drawn)
        return self._results[id(drawing)]


@dataclass(frozen=True)
class Found:
    """A p-value; of pairs the smallest, with the difference of that pair's means."""

    statistic: float
    pvalue: float


def of_sets(given: Mapping[str, Any]) -> Sets:
    """Systems on data sets, checked.

    Parameters
    ----------
    given : mapping
        Keywords of :func:`csig.compare_over_datasets`: table, datasets, lower_is_better.

    Raises
    ------
    InputError
        If they cannot be used.
    """
    table = dataset_table(given["table"], given.get("datasets"))
    return Sets(given, table)


def _said(s: Sets) -> dict[str, tuple[str, Soundness, str, str]]:
    """By the test of a pair: its name, the verdict, why, and who says so."""
    what = s.what
    t: Soundness = "approximate" if s.n >= FEW else "unsound"
    because = f"averages {what}, whose scores must be comparable"
    if s.n < FEW:
        because += f"; with fewer than {FEW} their differences must be normal, too"
    outlier = f"averages {what}: one with large differences outweighs the others"
    other: Soundness = "sound, but asks something else"
    return {
        "wilcoxon": (
            "Wilcoxon test over data sets", "sound",
            f"ranks the differences on {what}, so that no single one decides, and assumes that "
            "those of equal systems are symmetric",
            "Demšar 2006, section 3.1.3" + (f"; {_BENAVOLI}" if s.k > 2 else ""),
        ),
        "sign": (
            "sign test over data sets", "sound",
            f"counts the {what} on which each system is better; it misses more",
            "Demšar 2006, section 3.1.4",
        ),
        "randomization": (
            "randomization test over data sets", other, outlier, "Demšar 2006, section 3.1.1",
        ),
        "t": ("paired t test over data sets", t, because, "Demšar 2006, section 3.1.2"),
    }  # fmt: skip


def _of_pairs(s: Sets, lines: str) -> list[Candidate]:
    """Tests of two systems, or of all pairs with Holm's correction."""
    several = ", Holm" if s.k > 2 else ""

    def smallest(test: str) -> Callable[[Drawing], Found | None]:
        def run(drawing: Drawing) -> Found | None:
            pairs = s.result(drawing).pairs
            if test not in pairs[0].adjusted_by:
                return None
            best = min(pairs, key=lambda own: own.adjusted_by[test])
            return Found(best.difference, best.adjusted_by[test])

        return run

    found = []
    for test, (name, verdict, reason, source) in _said(s).items():
        more = "" if test == "wilcoxon" else f', pairs="{test}"'
        advice = Advice(test=name + several, verdict=verdict, reason=reason, source=source,
                        unit="data set",
                        call=f"csig.compare_over_datasets({lines}{more})")  # fmt: skip
        found.append(Candidate(advice, smallest(test), "difference of means"))
    name, call = "randomization test within data sets", f"csig.compare_over_datasets({lines}, " \
        'pairs="within")'  # fmt: skip
    source = "Demšar 2006, section 3"
    if s.table.units is None:
        reason = f"there is one score for each of {s.what}, and no units are known"
        return [*found, *nothing([(name + several, call)], reason, source)]
    advice = Advice(
        test=name + several, verdict="sound, but asks something else", source=source, call=call,
        reason=f"whether a difference would hold on other units of these {s.what}, not on other "
        "data sets", unit="unit",
    )  # fmt: skip
    return [*found, Candidate(advice, smallest("within"), "difference of means")]


def _of_all(s: Sets, lines: str) -> list[Candidate]:
    """Tests of all systems at once, and pairs that depend on all of them."""
    what, systems = s.what, counted(s.k, "system")
    call = f"csig.compare_over_datasets({lines})"

    def overall(name: str) -> Callable[[Drawing], Found | None]:
        def run(drawing: Drawing) -> Found | None:
            for own in s.result(drawing).overall:
                if own.name == name and own.pvalue == own.pvalue:
                    return Found(own.statistic, own.pvalue)
            return None

        return run

    def procedure(name: str, adjusted: bool = True) -> Callable[[Drawing], Found | None]:
        def run(drawing: Drawing) -> Found | None:
            known = [
                ((own.adjusted_by if adjusted else own.pvalues).get(name), own.difference)
                for own in s.result(drawing).pairs
            ]
            least = min(((p, d) for p, d in known if p is not None), default=None)
            return None if least is None else Found(least[1], least[0])

        return run

    rough = is_rough(s.n, s.k)
    anyone = f"whether any of {systems} differ over {what}, not which"
    told: list[tuple[str, Soundness, str, str, Callable[[Drawing], Any], str, str]] = [
        ("Friedman, F of Iman and Davenport", "sound, but asks something else", anyone,
         "Demšar 2006, section 3.2.2", overall("iman-davenport"), "F", call),
        ("Friedman, chi-square", "approximate" if rough else "sound, but asks something else",
         f"{anyone}" + (f"; rough with at most {FEW_DATASETS} data sets, or with "
                        f"{FEW_SYSTEMS} systems on at most {MANY_DATASETS}" if rough else ""),
         "Demšar 2006, section 3.2.2", overall("friedman"), "chi-square", call),
        ("Nemenyi", "unsound",
         f"average ranks among {systems}: whether two of them differ depends on the others",
         _BENAVOLI, procedure("nemenyi"), "difference of means",
         f'csig.compare_over_datasets({lines}, pairs="ranks", correction="nemenyi")'),
        ("ANOVA, Tukey", "unsound",
         f"takes differences on {what} for normal, with the same variance for all {systems}",
         "Demšar 2006, section 3.2.1", procedure("tukey"), "difference of means",
         f'csig.compare_over_datasets({lines}, pairs="anova", correction="tukey")'),
        ("Wilcoxon test over data sets, unadjusted", "unsound",
         f"{counted(s.pairs, 'pair')} at {ALPHA} each: the chance of a false claim is up to "
         f"{100 * min(1.0, ALPHA * s.pairs):.0f}% where the systems are equal",
         "Holm 1979", procedure("wilcoxon", adjusted=False), "difference of means", call),
    ]  # fmt: skip
    return [
        Candidate(Advice(test=test, verdict=verdict, reason=reason, source=source, call=own,
                         unit="data set"), run, statistic)
        for test, verdict, reason, source, run, statistic, own in told
    ]  # fmt: skip


def candidates(s: Sets) -> list[Candidate]:
    """Every test over data sets, the recommended one first.

    Parameters
    ----------
    s : Sets
        Systems on data sets.
    """
    lines = "systems" if s.given.get("datasets") is None else "systems, datasets=datasets"
    found = _of_pairs(s, lines)
    if s.k > 2:
        found += _of_all(s, lines)
    reason = (
        f"the units here are {s.what}; on each of them alone csig recommend says which test "
        "compares the systems"
    )
    one = [("tests on one data set", 'csig.randomization_test(comparison, "mean")')]
    return [*found, *nothing(one, reason, "Demšar 2006, section 2")]
