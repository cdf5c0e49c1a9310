"""Printed hits and p-values of randomization tests, compared with each other and the exact ones."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from csig.claims.chances import allowing_chance, hits_pvalue
from csig.claims.known import Known
from csig.claims.model import CONFIRMED, CONTRADICTED, Finding, PrintedTest
from csig.claims.printed import Interval
from csig.claims.words import LIMITS, exact_text, numbers, p_text, share_text, stands_for

__all__ = ["check_sides", "check_tests"]


class _Chance(NamedTuple):
    """How far a printed number is from its expectation."""

    z: float | None
    pvalue: float
    log_pvalue: float

    @property
    def verdict(self) -> str:
        if self.pvalue >= CONFIRMED:
            return "confirmed"
        return "doubtful" if self.pvalue >= CONTRADICTED else "contradicted"


#: Judges a claim by an exact p-value and its logarithm: the chance, a sentence, and fields.
Judge = Callable[[float, float], tuple[_Chance, str, dict[str, Any]]]


def check_tests(known: Known) -> list[Finding]:
    """Compare hits with p, and both with the exact answer."""
    found = []
    for said in known.claims.tests:
        if said.hits is not None and said.pvalue is not None:
            found.append(_hits_and_p(known, said))
        found.append((_pvalue if said.hits is None else _hits)(known, said))
    return found


def _title(known: Known, said: PrintedTest) -> str:
    """The title of a test."""
    a, b = known.claims.names
    sided = {
        "two-sided": f"{a} and {b}, two-sided",
        "greater": f"{a} above {b}, one-sided",
        "less": f"{b} above {a}, one-sided",
    }[said.alternative]
    return f"{said.metric.name}, {sided}"


def _hits_and_p(known: Known, said: PrintedTest) -> Finding:
    """Compare printed hits with the printed p."""
    assert said.hits is not None
    assert said.trials is not None
    assert said.pvalue is not None
    shares = {
        "hits / shuffles": Fraction(said.hits, said.trials),
        "(hits + 1) / (shuffles + 1)": Fraction(said.hits + 1, said.trials + 1),
    }
    fits = [name for name, p in shares.items() if said.pvalue.interval.contains(p)]
    p = shares["hits / shuffles"]
    share = f"{said.hits:,} of {said.trials:,} is {share_text(p, said.pvalue)}"
    how = f"in agreement with p {said.pvalue.text}"
    if len(fits) == 1:
        how = f"and p {said.pvalue.text} is {fits[0]}"
    return Finding(
        check="hits and p",
        claim=f"{_title(known, said)}: {said.hits:,} hits of {said.trials:,}, "
        f"p {said.pvalue.text}",
        verdict="confirmed" if fits else "inconsistent",
        sentence=f"{share}, {how}." if fits else f"{share}, which does not agree with "
        f"p {said.pvalue.text}; neither does (hits + 1) / (shuffles + 1).",
        metric=said.metric.name, alternative=said.alternative, trials=said.trials,
        expected=float(p), **numbers(said.pvalue),
    )  # fmt: skip


def _judged(
    known: Known, said: PrintedTest, about: tuple[str, str], fields: dict[str, Any], judge: Judge
) -> Finding:
    """The finding for the counts that fit the claim best; `about` is the check and the claim."""
    check, claim = about
    common: dict[str, Any] = {
        "check": check, "claim": f"{_title(known, said)}: {claim}", "metric": said.metric.name,
        "alternative": said.alternative, "trials": said.trials, **fields,
    }  # fmt: skip
    answers = known.exact.of(said)
    computed = [(given, answer) for given, answer in answers if not isinstance(answer, str)]
    if not computed:
        reason = next(a for _, a in answers if isinstance(a, str))
        return Finding(
            **common, verdict="unknown",
            sentence=f"The exact p-value of the test is not known: {reason}.",
        )  # fmt: skip
    judged = [(given, *judge(*answer)) for given, answer in computed]
    verdicts = {chance.verdict for _, chance, _, _ in judged}
    given, chance, sentence, more = max(judged, key=lambda one: one[1].log_pvalue)
    verdict = chance.verdict
    if len(judged) < len(answers) or len(verdicts) > 1:
        if verdict == "confirmed":
            verdict = "possible"
        elif len(judged) < len(answers):
            verdict = "unknown"
        sentence += " Not all candidates for the counts give the same verdict."
    if not known.fitting:
        sentence += " (From the counts as printed, though they do not fit all printed scores.)"
    elif given:
        sentence = f"With {given}: {sentence[:1].lower()}{sentence[1:]}"
    return Finding(
        **common, verdict=verdict, sentence=sentence,
        **{"pvalue": chance.pvalue, "log_pvalue": chance.log_pvalue, "z": chance.z, **more},
    )  # fmt: skip


def _hits(known: Known, said: PrintedTest) -> Finding:
    """Compare printed hits with the exact p."""
    assert said.hits is not None
    assert said.trials is not None
    hits, trials = said.hits, said.trials

    def judge(p: float, log_p: float) -> tuple[_Chance, str, dict[str, Any]]:
        chance = _Chance(*hits_pvalue(hits, trials, log_p))
        expected = trials * p
        apart = (
            ""
            if chance.z is None
            else f", {abs(chance.z):,.1f} standard errors " + ("above" if chance.z > 0 else "below")
        )
        sentence = (
            f"The exact p is {exact_text(p, log_p, said.pvalue)}, so {expected:,.1f} hits are "
            f"expected in {trials:,} shuffles; {hits:,} were printed{apart}. A deviation this "
            f"large has probability {p_text(chance.pvalue, chance.log_pvalue)}"
        )
        if chance.pvalue < CONTRADICTED:
            sentence += ", so these hits cannot come from this test on these counts"
        sentence += "."
        return chance, sentence, {"expected": expected, "exact_pvalue": p}

    about = "exact hits", f"{hits:,} hits of {trials:,}"
    return _judged(known, said, about, {"printed": float(hits), "limits": LIMITS}, judge)


def _pvalue(known: Known, said: PrintedTest) -> Finding:
    """Compare a printed p alone with the exact one, allowing for rounding and for shuffles."""
    assert said.pvalue is not None
    printed, trials = said.pvalue, said.trials

    def judge(p: float, log_p: float) -> tuple[_Chance, str, dict[str, Any]]:
        sentence = f"The exact p is {exact_text(p, log_p, printed)}, "
        exactly = {"expected": p, "exact_pvalue": p}
        certain = {**exactly, "pvalue": None, "log_pvalue": None}  # without any chance
        exact = Fraction(p)
        if printed.interval.near(exact):
            agrees = f"in agreement with {printed.text}."
            return _Chance(None, 1.0, 0.0), sentence + agrees, certain
        if trials is None:
            sentence += (
                f"not {printed.text}. The number of shuffles is not stated, so nothing is allowed "
                f"for chance."
            )
            return _Chance(None, 0.0, -math.inf), sentence, certain
        hits = _nearest_hits(printed.interval, exact, trials)
        if hits is None:
            sentence += f"and no number of hits of {trials:,} gives {printed.text}."
            return _Chance(None, 0.0, -math.inf), sentence, certain
        chance = _Chance(*hits_pvalue(hits, trials, log_p))
        sentence += (
            f"not {printed.text}; but with {trials:,} shuffles a deviation this large has "
            f"probability {p_text(chance.pvalue, chance.log_pvalue)}."
        )
        return chance, sentence, exactly

    fields = numbers(printed)
    if trials is not None:
        fields["limits"] += f"; {LIMITS}"
    return _judged(known, said, ("exact p", f"p {printed.text}"), fields, judge)


def check_sides(known: Known) -> list[Finding]:
    """Compare one-sided with two-sided p-values."""
    allowed = [(said, _allowed(said)) for said in known.claims.tests]
    found = []
    for (one, half), (two, whole) in itertools.product(allowed, repeat=2):
        if one.metric == two.metric and one.alternative != two.alternative == "two-sided":
            found.append(_pair(known, (one, two), half, whole))
    return found


def _pair(
    known: Known, pair: tuple[PrintedTest, PrintedTest], half: Interval, whole: Interval
) -> Finding:
    """Compare the interval of a one-sided p with that of a two-sided one."""
    one, two = pair
    texts = [_p_claim(said) for said in pair]
    claim = f"{_title(known, one)}: {texts[0]}; two-sided: {texts[1]}"
    rule = "Under the null hypothesis the one-sided p is half the two-sided one"
    twice = half.times(2)
    if half.high >= Fraction(1, 2):
        verdict = "unknown"
        sentence = "The one-sided p may be on the other side, where this rule does not hold."
    elif twice.meets(whole):
        verdict = "confirmed"
        sentence = f"{rule}, and these two agree with that."
    else:
        verdict = "inconsistent"
        sentence = f"{rule}: twice {texts[0]} is not {texts[1]}, however they were rounded."
    exact = [dict(known.exact.of(said)) for said in pair]
    if all(len(answer) == 1 and "" in answer for answer in exact):
        texts = [
            exact_text(*answer[""], said.pvalue)
            for answer, said in zip(exact, pair, strict=True)
            if not isinstance(answer[""], str)
        ]
        if len(texts) == 2:
            sentence += f" The exact values are {texts[0]} and {texts[1]}."
    stated = [said.trials for said in pair if said.trials is not None]
    limits = stands_for(one.pvalue, two.pvalue)
    if stated:
        limits += f"; chance allowed for down to {CONTRADICTED:g} where the shuffles are stated"
    return Finding(
        check="one-sided and two-sided", claim=claim, verdict=verdict, sentence=sentence,
        limits=limits.removeprefix("; "), metric=one.metric.name, alternative=one.alternative,
        interval=half.floats(), expected_interval=whole.floats(2),
    )  # fmt: skip


def _nearest_hits(interval: Interval, p: Fraction, trials: int) -> int | None:
    """The likeliest hits that give a p in the interval, as h / t or (h + 1) / (t + 1)."""
    candidates = []
    for plus in (0, 1):
        low, high = (end * (trials + plus) - plus for end in (interval.low, interval.high))
        least = math.ceil(low) if interval.low_closed else math.floor(low) + 1
        most = math.floor(high) if interval.high_closed else math.ceil(high) - 1
        least, most = max(0, least), min(trials, most)
        if least <= most:
            candidates.append(min(max(round(p * trials), least), most))
    return min(candidates, key=lambda hits: abs(hits - p * trials), default=None)


def _allowed(said: PrintedTest) -> Interval:
    """The p-values that a printed test may stand for."""
    if said.hits is not None and said.trials is not None:
        hits = Interval(Fraction(said.hits, said.trials), Fraction(said.hits + 1, said.trials + 1))
        return allowing_chance(hits, said.trials)
    assert said.pvalue is not None
    if said.trials is not None:
        return allowing_chance(said.pvalue.interval, said.trials)
    return said.pvalue.interval


def _p_claim(said: PrintedTest) -> str:
    if said.pvalue is not None:
        return f"p {said.pvalue.text}"
    return f"{said.hits:,} hits of {said.trials:,}"
