"""The rules for three systems or more on one test set."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from csig.advice.base import Advice, Candidate, Drawing, Soundness, nothing
from csig.advice.pairs import too_few
from csig.contingency import cochran_q_test
from csig.data.several import several
from csig.pairwise import Scored, scored
from csig.probability.corrections import adjusted as corrected
from csig.system_doubts import FEW_UNITS
from csig.systems import compare_systems
from csig.wording import count, counted, metric_name, noun

__all__ = ["ALPHA", "Least", "Many", "candidates", "of_systems"]

ALPHA = 0.05


@dataclass(frozen=True, eq=False)
class Many:
    """Systems on the same units."""

    given: Mapping[str, Any]  #: What :func:`csig.compare_systems` takes.
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
        n = len(self.names)
        return n - 1 if self.baseline is not None else n * (n - 1) // 2

    @property
    def which(self) -> str:
        """Which pairs, as tests are called."""
        return "all pairs" if self.baseline is None else "pairs with the baseline"


@dataclass(frozen=True)
class Least:
    """The pair of systems with the smallest p-value."""

    statistic: float
    pvalue: float


def of_systems(given: Mapping[str, Any], zero_division: int = 0) -> Many:
    """Systems, checked.

    Parameters
    ----------
    given : mapping
        Keywords of :func:`csig.compare_systems`.
    zero_division : {0, 1}
        The score where the denominator is zero.
    """
    several_ = several(
        given["systems"], given.get("columns"), given.get("ids"), given.get("clusters")
    )
    table = scored(
        several_, given.get("metric"), lower_is_better=bool(given.get("lower_is_better")),
        unit=given.get("unit_name", "unit"), zero_division=zero_division,
    )  # fmt: skip
    return Many(given, table)


def _flips(m: Many) -> tuple[Soundness, str]:
    n, title = m.table.n_units, metric_name(m.table.metric.name)
    units = counted(n, m.table.unit)
    if m.table.values is None:
        return "does not apply", f"{title} is no sum over units, so that flips have nothing to flip"
    if m.table.binary or n >= FEW_UNITS:
        return "approximate", (
            f"more power than Holm: the pairs share flips of {units}; exact if their differences "
            "are jointly symmetric"
        )
    return "unsound", (
        f"there are {units} whose scores are not binary: below {FEW_UNITS}, differences that are "
        "not symmetric make adjusted p-values too small"
    )


def _shaffer(m: Many) -> tuple[Soundness, str]:
    pairs = counted(m.pairs, "pair")
    if m.baseline is not None:
        return "does not apply", (
            f"{pairs} with one baseline: any of them may be true alone, so that its factors are "
            "those of Holm"
        )
    if m.table.binary:
        return "sound", f"smaller factors than Holm for {pairs}: each item is right or wrong"
    return "does not apply", (
        f"its factors hold for binary scores only, and {metric_name(m.table.metric.name)} "
        f"of {counted(m.table.n_units, m.table.unit)} is not binary"
    )


def _skewed(m: Many) -> bool:
    """Whether units are too few for the skewness of any system's difference from the mean."""
    values = m.table.values
    if values is None or m.table.binary:
        return False
    own = values - values.mean(axis=1, keepdims=True)
    own -= own.mean(axis=0)
    second, third = ((own**k).mean(axis=0) for k in (2, 3))
    varies = second > 0
    each = third[varies] / second[varies] ** 1.5
    return any(too_few(len(values), own) for own in each.tolist())


def _said(m: Many) -> dict[str, tuple[str, Soundness, str, str]]:
    """By correction: the name, the verdict, why, and who says so."""
    pairs, systems = counted(m.pairs, "pair"), counted(len(m.names), "system")
    flips = _flips(m)
    verdict: Soundness = "approximate" if _skewed(m) else "sound"
    limit = (
        f"; but some differences are skewed, or {noun(m.table.unit, 2)} too few to tell, and tests "
        "of their means may find too much"
    )
    limit *= verdict != "sound"
    rate = "false claims of all claims" if m.pairs > 1 else "false claims"
    return {
        "holm": (
            f"{m.which}, Holm", verdict,
            f"{pairs} of {systems}: no claim is false with a probability of at least 0.95, however "
            f"the systems depend on each other{limit}",
            "Holm 1979",
        ),
        "bonferroni": (
            f"{m.which}, Bonferroni", verdict,
            f"as Holm for {pairs}, but never more powerful", "Holm 1979",
        ),
        "shaffer": (f"{m.which}, Shaffer", *_shaffer(m), "Shaffer 1986"),
        "flips": (f"{m.which}, flips", *flips, "Romano and Wolf 2005"),
        "bh": (
            f"{m.which}, Benjamini-Hochberg", "sound, but asks something else",
            f"of {pairs} it bounds the expected share of {rate}, not the chance of any",
            "Benjamini and Hochberg 1995",
        ),
    }  # fmt: skip


def _cochran(m: Many) -> Candidate:
    """Whether any systems differ, of results that are right or wrong."""
    units = counted(m.table.n_units, m.table.unit)
    test, call, source = "Cochran's Q", "csig.cochran_q_test(systems)", "Cochran 1950"
    if not m.table.binary:
        reason = f"it takes single items that are right or wrong, and {units} are not"
        return nothing([(test, call)], reason, source)[0]
    advice = Advice(
        test=test, verdict="sound, but asks something else", source=source, call=call,
        reason=f"whether any of {counted(len(m.names), 'system')} differ on {units}, not which",
        unit=m.table.unit,
    )  # fmt: skip
    given = m.given
    return Candidate(advice, lambda _: cochran_q_test(given["systems"], ids=given.get("ids")), "Q")


def _arguments(m: Many) -> str:
    """The call's arguments, as Python writes them."""
    found = ["systems"]
    metric = m.given.get("metric")
    if metric is not None:
        found.append("metric" if not isinstance(metric, str) else f'"{metric}"')
    found += [f"{own}={own}" for own in ("columns", "clusters") if m.given.get(own) is not None]
    if m.baseline is not None:
        found.append(f"baseline={json.dumps(m.baseline, ensure_ascii=False)}")
    return ", ".join(found)


def candidates(m: Many, zero_division: int = 0) -> list[Candidate]:
    """Every procedure for many systems, the recommended one first.

    Parameters
    ----------
    m : Many
        The systems.
    zero_division : {0, 1}
        The score where the denominator is zero.
    """
    made: list[tuple[Drawing, Any]] = []

    def tested(drawing: Drawing) -> Any:
        """All corrections but flips adjust the same p-values, which are computed once."""
        if not made or made[0][0] is not drawing:
            made[:] = [(drawing, compared("holm", drawing))]
        return made[0][1]

    def compared(correction: Any, drawing: Drawing) -> Any:
        drawn = drawing.keywords(drawing.n_resamples)
        for name in ("alternative", "executor"):
            drawn.pop(name)
        if correction == "flips":
            drawn.pop("n_resamples")
        return compare_systems(correction=correction, **{**m.given, **drawn})

    def smallest(correction: Any, adjusted: bool = True) -> Callable[[Drawing], Least]:
        def run(drawing: Drawing) -> Least:
            flips = correction == "flips"
            pairs = (compared(correction, drawing) if flips else tested(drawing)).pairs
            least = [own.adjusted for own in pairs]
            if correction in ("bonferroni", "shaffer", "bh", "by"):
                p = np.array([(own.pvalue, own.log_pvalue) for own in pairs])
                least = corrected(p[:, 0], p[:, 1], correction, n_systems=len(m.names))[0].tolist()
            elif not adjusted:
                least = [own.pvalue for own in pairs]
            place = min(range(len(pairs)), key=lambda i: (least[i], pairs[i].pvalue))
            return Least(pairs[place].difference, least[place])

        return run

    arguments, unit = _arguments(m), m.table.unit
    found = []
    for correction, (test, verdict, reason, source) in _said(m).items():
        more = "" if correction == "holm" else f', correction="{correction}"'
        advice = Advice(test=test, verdict=verdict, reason=reason, source=source, unit=unit,
                        call=f"csig.compare_systems({arguments}{more})")  # fmt: skip
        run = None if verdict == "does not apply" else smallest(correction)
        found.append(Candidate(advice, run, "difference of the pair"))
    found.append(_cochran(m))
    chance = min(1.0, m.pairs * ALPHA)
    reason = (
        f"{counted(m.pairs, 'pair')} at {ALPHA} each: the chance of a false claim is up to "
        f"{100 * chance:.0f}% where the systems are equal"
    )
    advice = Advice(
        test=f"{m.which}, unadjusted", verdict="unsound", reason=reason, source="Holm 1979",
        call=f"csig.compare_systems({arguments}).pvalues", unit=unit,
    )  # fmt: skip
    found.append(Candidate(advice, smallest("holm", adjusted=False), "difference of the pair"))
    reason = (
        f"there are {count(len(m.names))} systems; give two, or take the p-values of pairs "
        "without a correction"
    )
    two = [("tests of two systems", "csig.recommend(comparison)")]
    sets = [("tests over data sets", "csig.compare_over_datasets(table)")]
    units = f"{counted(m.table.n_units, unit)} are one data set"
    return [
        *found,
        *nothing(two, reason, "Holm 1979"),
        *nothing(sets, units, "Demšar 2006, section 3"),
    ]
