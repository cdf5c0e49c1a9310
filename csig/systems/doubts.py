"""What to know before believing a comparison of many systems."""

from __future__ import annotations

import math

from csig.base import wording
from csig.base.wording import counted, decimal
from csig.engines.flips import Flips
from csig.results.randomization import LEAST_COUNT
from csig.systems.pairs import PairPvalues, Scored

#: Fewer units with scores that are not binary may have asymmetric differences.
FEW_UNITS = 200


def doubts_of(
    table: Scored, correction: str, p: PairPvalues | Flips, alpha: float, ranked: bool
) -> list[str]:
    """Sentences, most important first; `ranked` says whether ranks follow from all pairs."""
    n = table.n_units
    found: dict[str, str] = {}
    if correction == "flips" and not table.binary and n < FEW_UNITS:
        found["asymmetric-flips"] = (
            f"Flips of {counted(n, table.unit)} whose scores are not binary: below {FEW_UNITS} "
            "differences that are not symmetric can make adjusted p-values too small; the "
            "correction holm is safer."
        )
    if isinstance(p, Flips):
        if alpha * (1 + p.n_resamples) < 1:
            found["too-few-shuffles"] = (
                f"With {p.n_resamples:,} flips no adjusted p-value can be as small as "
                f"{decimal(alpha)}; draw {math.ceil(1 / alpha):,} or more."
            )
        least = 2.0 ** (1 - n)  # both directions of a pair are in the family
        if least > alpha:
            found["too-few-units"] = (
                f"With {counted(n, table.unit)} no adjusted p-value can be below {least:.3g}: "
                f"nothing can be significant at {decimal(alpha)}. More units are needed."
            )
        return wording.doubts(found)
    n_pairs = len(p.pvalues)
    factor = largest_factor(correction, n_pairs)
    if correction in ("bh", "by"):  # all may be small at once
        factor /= n_pairs
    least = 2.0 ** (1 - n)  # all swapped, or none, is as extreme as anything
    if factor * least > alpha:
        after = f" after the correction {correction}" if n_pairs > 1 else ""
        found["too-few-units"] = (
            f"With {counted(n, table.unit)} no p-value of a pair can be below {least:.3g}: none of "
            f"{counted(n_pairs, 'pair')} can be significant at {decimal(alpha)}{after}, whatever "
            "the scores. More units are needed."
        )
    if p.n_not_studentized:
        found["not-studentized"] = (
            f"Of {counted(p.n_not_studentized, 'pair')} the difference is not divided by its "
            "standard error, for counts that are too large or units that are not known: there the "
            "test asks whether the systems are interchangeable, not whether the metric differs."
        )
    few = 0 if p.sparse is None else int(p.sparse.sum())
    if few:
        found["few-counts"] = (
            f"{counted(few, 'pair')} of systems that return more or less than each other "
            f"{'rests' if few == 1 else 'rest'} on fewer than {LEAST_COUNT} expected counts; no "
            "difference is called significant there."
        )
    if p.flips:
        which = f"{p.n_shuffled:,} of" if p.n_shuffled < n_pairs else "All"
        found["drawn"] = (
            f"{which} {counted(n_pairs, 'p-value')} of pairs are from one set of sign flips, not "
            f"exact, and none of them can be below {1 / (1 + (p.n_resamples or 0)):.2g}: exact "
            "tests of these pairs would take too long, and proven bounds too, or they do not "
            "close."
        )
    elif p.n_shuffled:
        verb = "is" if p.n_shuffled == 1 else "are"
        found["drawn"] = (
            f"{counted(p.n_shuffled, 'p-value')} of pairs {verb} from shuffles, not exact."
        )
    if p.n_resamples is not None:
        found |= _too_few(correction, p, p.n_resamples, alpha, ranked)
    return wording.doubts(found)


def _too_few(
    correction: str, p: PairPvalues, n_resamples: int, alpha: float, ranked: bool
) -> dict[str, str]:
    """Trials that no claim can follow from."""
    n, drawn = len(p.pvalues), f"With {n_resamples:,} {'flips' if p.flips else 'shuffles'}"
    # Exact p-values may come first: of both directions of their pairs one is out of the way.
    joint = (n + p.n_shuffled) / 2 if ranked else p.n_shuffled
    factor = largest_factor(correction, n)
    if correction == "holm-directions":
        factor = joint
    elif correction == "holm":
        factor = p.n_shuffled
    elif correction in ("bh", "by"):  # all may be small at once
        factor /= n
    if factor > alpha * (1 + n_resamples):
        out = f"draw {math.ceil(factor / alpha):,} or more"
        if p.flips:
            out += ", or take the correction flips, for which far fewer are enough"
        said = (
            f"{drawn} none of these adjusted p-values can be as small as {decimal(alpha)}; {out}."
        )
        return {"too-few-shuffles": said}
    if correction in ("bh", "by", "holm") and ranked and joint > alpha * (1 + n_resamples):
        said = (
            f"{drawn} these pairs cannot narrow the ranks, which follow from Holm-adjusted "
            f"p-values; draw {math.ceil(joint / alpha):,} or more."
        )
        return {"too-few-shuffles": said}
    return {}


def largest_factor(correction: str, n_pairs: int) -> float:
    """What the smallest p-value is multiplied with.

    >>> largest_factor("holm", 45), round(largest_factor("by", 3), 3)
    (45, 5.5)
    """
    if correction != "by":
        return n_pairs
    return n_pairs * math.fsum(1 / i for i in range(1, n_pairs + 1))
