"""Verifying certified p-values: bounds that are computed again hold the same p.

Two proven enclosures of one p-value need not be the same: another instruction set may round
otherwise. What counts is that both hold it, so that they have numbers in common.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

import numpy as np

from csig.audits.trust import same_number
from csig.engines.certified import CLOSE, Tail, tail_of
from csig.engines.questions import Question
from csig.results import Certificate
from csig.tails import claimed_tail

__all__ = ["certificate_of", "independently", "settled"]

#: Below this doubles lose digits, and the logarithms count.
SMALLEST = 1e-290

#: Logarithms of bounds are rounded this much, relatively.
OF_LOGS = 1e-12


def certificate_of(result: Mapping[str, Any]) -> Certificate | None:
    """That of a result in a record, where it has one."""
    own = result.get("certificate")
    return None if own is None else Certificate(**own)


def _amiss(result: Mapping[str, Any], own: Certificate) -> str:
    """What is wrong with a certificate in itself, if anything is."""
    if not (own.low <= own.high and own.log_low <= own.log_high):
        return "its lower bound is above the upper one"
    if result["exact_pvalue"] != own.high or result["exact_log_pvalue"] != own.log_high:
        return "its upper bound is not the exact_pvalue"
    if not (0 <= own.width <= CLOSE and own.log_high - own.log_low <= own.width + OF_LOGS):
        return "its width is not that of its bounds"
    for end, log in ((own.low, own.log_low), (own.high, own.log_high)):
        if end > SMALLEST and not same_number(end, math.exp(log)):
            return "its bounds are not those of their logarithms"
        if end <= SMALLEST and log > math.log(SMALLEST) + 1:
            return "its bounds are not those of their logarithms"
    return ""


def settled(
    mine: Sequence[Mapping[str, Any]], theirs: Sequence[Mapping[str, Any]]
) -> tuple[list[dict[str, Any]], list[str], list[str]]:
    """Compare the certificates of results, computed now and in a record.

    Parameters
    ----------
    mine, theirs : sequence of mapping
        The field ``results`` of both records.

    Returns
    -------
    results : list of dict
        `mine`, with the record's numbers where both enclosures hold the same p.
    differences, said : list of str
        A line for each that does not agree, and for each that does.
    """
    known = {own["metric"]: own for own in theirs}
    results, differences, said = [], [], []
    for own in mine:
        results.append(dict(own))
        other = known.get(own["metric"], {})
        now, then = certificate_of(own), certificate_of(other)
        if now is None or then is None:
            continue
        where = f"results[{own['metric']}].certificate"
        amiss = _amiss(other, then)
        if amiss:
            differences.append(f"{where}: {amiss}")
            continue
        both = f"the bounds of the record, {then.text}, and those computed now, {now.text},"
        if not now.overlaps(then):
            differences.append(f"{where}: {both} hold no common p")
            continue
        said.append(
            f"{own['metric']}: the bounds of the record, {then.text}, were computed again to the "
            "last bit."
            if now == then
            else f"{own['metric']}: {both} hold the same p."
        )
        results[-1] |= {
            "certificate": asdict(then),
            "exact_pvalue": then.high,
            "exact_log_pvalue": then.log_high,
        }
    return results, differences, said


def independently(
    results: Sequence[Mapping[str, Any]], questions: Mapping[str, Question]
) -> tuple[list[str], list[str]]:
    """Compare certificates with bounds in pure numpy.

    Parameters
    ----------
    results : sequence of mapping
        The field ``results`` of a record.
    questions : mapping {metric: Question}
        What was asked of each.

    Returns
    -------
    differences, said : list of str
        A line for each that certainly does not hold p, and for each that may.
    """
    differences, said = [], []
    for result in results:
        own, question = certificate_of(result), questions[result["metric"]].weighted
        line = None if question is None else question.line
        if own is None or question is None or question.steps is None or line is None:
            continue
        tail = tail_of(line)
        where = f"results[{result['metric']}].certificate"
        if tail is None:  # every shuffle is a hit
            differences.append(f"{where}: p is 1")
            continue
        low, high, exponent = _claim(own, tail)
        values = np.ascontiguousarray(question.steps[:, 0])
        verdict, found = claimed_tail(values, tail.s, low, high, exponent)
        if verdict == "outside":
            differences.append(f"{where}: {own.text} does not hold p by bounds in pure numpy")
            continue
        how = "lie within them" if verdict == "inside" else "hold the same p"
        said.append(
            f"{result['metric']}: bounds in pure numpy, {100 * found.width:.2g}% apart, {how}."
        )
    return differences, said


def _claim(own: Certificate, tail: Tail) -> tuple[float, float, int]:
    """What a certificate says about P(S >= s)."""
    if tail.rest:
        ends = (1 - Fraction(own.high), 1 - Fraction(own.low))
        low, high = (float(end) for end in ends)
        return math.nextafter(low, -1), math.nextafter(high, 2), 0
    if own.low > SMALLEST:
        return own.low, own.high, -1 if tail.doubled else 0
    exponent = math.floor(own.log_high / math.log(2))
    low, high = (math.exp(log - exponent * math.log(2)) for log in (own.log_low, own.log_high))
    slack = OF_LOGS * max(1.0, abs(own.log_high))
    return low * (1 - slack), high * (1 + slack), exponent - tail.doubled
