"""All checks of published claims; :mod:`csig.claims.model` explains why they are right."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from csig.base import wording
from csig.base.errors import InputError
from csig.base.shown import ShownTuple
from csig.base.validation import Alternative, public
from csig.claims.attainable import (
    CELLS,
    STEPS,
    Solutions,
    World,
    allowing_chance,
    contradictory,
    hits_pvalue,
    needs,
    numerators,
    score,
    solutions,
    worlds,
)
from csig.claims.model import (
    CONFIRMED,
    CONTRADICTED,
    WRONG,
    Claims,
    ClaimsReport,
    Finding,
    Interval,
    Printed,
    PrintedChiSquare,
    PrintedDistribution,
    PrintedScore,
    PrintedTest,
)
from csig.classical.independent import chi_square_test, correlation
from csig.comparing.randomization import randomization_test
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.engines.exact import engines
from csig.engines.questions import make_question
from csig.probability.binomial import rate_pvalue
from csig.report.document import Document, Tone, picked, plain, table
from csig.report.shown import document_of

# ---- in words ----------------------------------------------------------------------------------

#: For findings with a probability.
LIMITS = (
    f"confirmed if the probability is at least {CONFIRMED:g}, contradicted below {CONTRADICTED:g}"
)


def few(names: Sequence[str], limit: int = 3) -> str:
    """A list in words."""
    if 0 < len(names) <= limit:
        return wording.listed(names)
    return wording.few(names, limit)


def p_text(pvalue: float, log_pvalue: float) -> str:
    if log_pvalue < math.log(1e-4):
        power = log_pvalue / math.log(10)
        return f"10^{power:.1f}" if math.isfinite(power) else "0"
    return f"{pvalue:.2g}"


def exact_text(pvalue: float, log_pvalue: float, printed: Printed | None) -> str:
    if pvalue < 1e-300:
        return f"10^{log_pvalue / math.log(10):.1f}"
    percent = printed is not None and printed.percent
    return f"{100 * pvalue:.5g}%" if percent else f"{pvalue:.5g}"


def stands_for(*printed: Printed | None) -> str:
    return "; ".join(f"{own.text} stands for {own.meaning}" for own in printed if own is not None)


def share_text(p: Fraction, printed: Printed) -> str:
    return f"{float(100 * p):.4g}%" if printed.percent else f"{float(p):.4g}"


def numbers(printed: Printed) -> dict[str, Any]:
    """The fields of a finding that describe a printed number."""
    return {
        "printed": None if printed.value is None else float(printed.value),
        "interval": printed.interval.floats(),
        "limits": stands_for(printed),
    }


# ---- what is known -----------------------------------------------------------------------------

#: A p-value and its logarithm, or the reason why they are unknown.
Answer = tuple[float, float] | str

#: Maximum total number of steps for all exact p-values of a file: a second or two.
BUDGET = 2**26


class ExactAnswers:
    """The exact p-values for all counts that a text leaves possible, each computed on demand."""

    def __init__(self, worlds: Sequence[World]) -> None:
        self.worlds = worlds  #: The choices of candidates that fit, or all if none does.
        self.steps = BUDGET
        self.known: dict[tuple[object, ...], Answer] = {}

    def of(self, said: PrintedTest) -> dict[str, Answer]:
        """One answer for each set of counts, by a text that tells these apart."""
        metric = said.metric
        if "predicted" in metric.columns:
            cells = [c for c in CELLS if c != "gold" or "gold" in metric.columns]
        else:  # neither what both found nor the size of the gold changes p
            cells = ["only_a_correct", "only_b_correct"]
        found: dict[str, Answer] = {}
        uncertain = [c for c in cells if len({world.get(c) for world in self.worlds}) > 1]
        for world in self.worlds:
            if any(cell not in world for cell in cells):
                continue
            given = ", ".join(f"{c} {world[c]:,}" for c in uncertain)
            counts: dict[str, int] = dict.fromkeys(CELLS, 0) | {c: world[c] for c in cells}
            if "gold" not in cells:
                counts["gold"] = sum(n for c, n in counts.items() if c.endswith("_correct"))
            asked = (*counts.values(), metric, said.alternative)
            if asked not in self.known:
                self.known[asked] = self._computed(counts, metric, said.alternative)
            found[given] = self.known[asked]
        return found or {"": "not all counts it needs are known"}

    def _computed(self, counts: dict[str, int], metric: Metric, alternative: Alternative) -> Answer:
        given: dict[str, Any] = counts
        try:
            comparison = Comparison.from_counts(**given)
            cost = engines(comparison, make_question(comparison, metric, alternative, 0))[0].cost
            if cost > self.steps:
                return "it would take too long for counts this large"
            self.steps -= cost
            result = randomization_test(
                comparison, metric, alternative=alternative, method="exact", threads=1
            )
        except InputError as error:
            return f"it cannot be computed for these counts ({error})"
        return result.pvalue, result.log_pvalue


@dataclass(frozen=True, kw_only=True)
class Known:
    """What the checks of a text work with."""

    claims: Claims
    worlds: Sequence[dict[str, int]]  #: All choices of candidates that do not exclude each other.
    reason: str  #: Why there are none.
    #: For each of these, the counts that fit the system's scores.
    solutions: Mapping[str, Sequence[Solutions]]
    fitting: Sequence[dict[str, int]]  #: The choices for which some counts fit.
    exact: ExactAnswers


def scores_of(claims: Claims, system: str) -> list[PrintedScore]:
    """The printed scores of a system."""
    return [said for said in claims.scores if said.system == system]


def intervals(scores: Sequence[PrintedScore]) -> list[tuple[Metric, Interval]]:
    """The intervals of printed scores."""
    return [(said.metric, said.printed.interval) for said in scores]


def known_of(claims: Claims) -> Known:
    """What a text says about the counts."""
    possible, reason = worlds(claims.counts)
    share = min(STEPS, max(100, 50_000 // max(1, len(possible))))
    found: dict[str, list[Solutions]] = {}
    for system in "ab":
        printed = intervals(scores_of(claims, system))
        found[system] = [solutions(printed, world, system, share) for world in possible if printed]
    excluded = {i for own in found.values() for i, s in enumerate(own) if s.excluded}
    fitting = [world for i, world in enumerate(possible) if i not in excluded]
    return Known(
        claims=claims,
        worlds=possible,
        reason=reason,
        solutions=found,
        fitting=fitting,
        exact=ExactAnswers(fitting or possible),
    )


# ---- counts and scores -------------------------------------------------------------------------


def check_counts(known: Known) -> list[Finding]:
    """Are the counts possible, and which of their candidates are left?"""
    uncertain = {n: c for n, c in known.claims.counts.items() if len(c) > 1}
    found = []
    if not known.worlds:
        why = f"The counts exclude each other: {known.reason}."
        claim = "the counts"
        found.append(Finding(check="counts", claim=claim, verdict="inconsistent", sentence=why))
    for name, candidates in uncertain.items():
        left = tuple(c for c in candidates if any(w[name] == c for w in known.fitting))
        out = [f"{c:,}" for c in candidates if c not in left]
        if not left:
            verdict, say = "impossible", "No candidate fits all printed scores."
        elif len(left) == 1:
            verdict = "confirmed"
            say = f"Only {left[0]:,} fits all printed scores; {few(out)} cannot be right."
        else:
            verdict = "possible"
            say = f"{few([f'{c:,}' for c in left])} fit all printed scores" + (
                f"; {few(out)} cannot be right." if out else "."
            )
        found.append(
            Finding(
                check="counts",
                claim=f"{name}: {' or '.join(f'{c:,}' for c in candidates)}",
                verdict=verdict,
                sentence=say,
                candidates=left,
                limits="every printed score, allowing for its rounding",
            )
        )
    return found


def _score(known: Known, said: PrintedScore) -> Finding:
    """Is the score attainable, and do the counts give it?"""
    metric, printed, system = said.metric, said.printed, said.system
    interval = printed.interval
    names = needs(metric, system)
    lines, attainable = [], []
    seen: dict[tuple[int, ...], Fraction | None] = {}
    others = [world for world in known.worlds if world not in known.fitting]
    for world in (*known.fitting, *others):
        if any(name not in world for name in names[1:]):
            continue
        value = score(metric, world, system)
        key = tuple(world[name] for name in names if name in world)
        if key in seen:
            continue
        seen[key] = value
        ks = _numerators(said, interval, world)
        attainable.append(bool(ks))
        lines.append(_score_line(said, world, value, ks))
    common: dict[str, Any] = {
        "check": "score", "claim": f"{metric.name} of {known.claims.name(system)}: "
        f"{printed.text}", "metric": metric.name, "system": system,
        **numbers(printed),
    }  # fmt: skip
    if not seen:
        missing = [n for n in names[1:] if not any(n in world for world in known.worlds)]
        needed = few(missing) or "A count that it needs"
        why = f"{needed} is not known; many numbers round to {printed.text}."
        return Finding(**common, verdict="unknown", sentence=why)
    values = [value for value in seen.values() if value is not None]
    verdict = "impossible"
    if any(attainable):
        verdict = "contradicted" if values else "possible"
    if values:
        best = min(values, key=lambda v: (not interval.contains(v), abs(v - interval.middle)))
        common["expected"] = float(best)
        if interval.contains(best):
            verdict = "confirmed"
    text = " ".join(lines[:3])
    if len(lines) > 3:
        text += f" {len(lines) - 3:,} more candidates were tried."
    return Finding(**common, verdict=verdict, sentence=text)


def _score_line(said: PrintedScore, world: World, value: Fraction | None, ks: range) -> str:
    """What one candidate gives."""
    printed, names = said.printed, needs(said.metric, said.system)
    of = " and ".join(
        f"{world[name]:,} {'in the gold' if name == 'gold' else 'responses'}" for name in names[1:]
    )
    text = ""
    if value is not None:
        text = f"{world[names[0]]:,} correct of {of} give {printed.show(value)}, "
        if printed.interval.contains(value):
            return f"{text}which rounds to {printed.text}."
        text += f"not {printed.text}. "
    if ks:
        these = few([f"{k:,}" for k in ks]) if len(ks) < 4 else f"{ks[0]:,} to {ks[-1]:,}"
        return f"{text}With {of}, {these} correct give {printed.text}."
    nearest = _nearest(said, world)
    if value is not None and world[names[0]] in nearest:
        text = ""
    ends = ", ".join(f"{k:,} give {printed.show(own)}" for k, own in nearest.items())
    end = f": {ends}." if ends else "."
    return f"{text}With {of}, no whole number of correct responses gives {printed.text}{end}"


def _nearest(said: PrintedScore, world: World) -> dict[int, Fraction]:
    """The numbers on both sides of a score that is not attainable, and what they give."""
    names = needs(said.metric, said.system)
    limit = min(world[name] for name in names[1:])
    below = _numerators(said, Interval(Fraction(-(10**30)), said.printed.interval.middle), world)
    if not below:
        return {}
    k = below[-1] if said.metric.greater_is_better else below[0] - 1
    near = [number for number in (k, k + 1) if 0 <= number <= limit]
    scores = [score(said.metric, {**world, names[0]: number}, said.system) for number in near]
    return {k: own for k, own in zip(near, scores, strict=True) if own is not None}


def _numerators(said: PrintedScore, interval: Interval, world: World) -> range:
    """The numbers of correct responses that give a score; an unknown count is not needed."""
    n, g = world.get(f"predicted_{said.system}"), world.get("gold")
    n, g = (g if n is None else n), (n if g is None else g)
    assert n is not None
    assert g is not None
    return numerators(said.metric, interval, n, g)


def _together(known: Known, system: str) -> list[Finding]:
    """Are the scores of a system consistent, and which counts give them?"""
    said = scores_of(known.claims, system)
    if not said or not known.worlds:
        return []
    claim = f"{known.claims.name(system)}: " + ", ".join(
        f"{s.metric.name} {s.printed.text}" for s in said
    )
    common: dict[str, Any] = {
        "check": "scores together", "claim": claim, "system": system,
        "limits": stands_for(*(s.printed for s in said)),
    }  # fmt: skip
    if contradictory(intervals(said)):
        impossible = "No counts, however large, give these scores together."
        return [Finding(**common, verdict="inconsistent", n_solutions=0, sentence=impossible)]
    needed = [needs(s.metric, system) for s in said]
    names = {name for own in needed for name in own}
    if all(names <= world.keys() for world in known.worlds):
        return []  # each score was computed
    if len(said) == 1 and all(world.keys() >= {*needed[0][1:]} for world in known.worlds):
        return []  # the one score was checked alone
    found = known.solutions[system]
    count = sum(s.count for s in found)
    complete = all(s.complete for s in found)
    first = tuple(itertools.islice((row for s in found for row in s.first), 5))
    if not any("gold" in world for world in known.worlds):
        end = "gold is not known"
    else:
        end = "there are too many to list"
    if count:
        verdict = "possible"
        rows = "; ".join(
            f"{k:,} correct of {'any number' if n is None else f'{n:,}'} with gold {g:,}"
            for k, n, g in first
        )
        more = "" if complete else "at least "
        sentence = f"Counts that give all of them: {more}{count:,}. The first: {rows}."
    elif complete:
        verdict, sentence = "impossible", "No counts give all of them."
    else:
        verdict = "unknown"
        sentence = f"The counts that give all of them could not be determined: {end}."
    common |= {"n_solutions": count, "solutions": first, "complete": complete}
    return [Finding(**common, verdict=verdict, sentence=sentence)]


# ---- hits and p-values of randomization tests --------------------------------------------------


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
    judged = [(given, *judge(*own)) for given, own in answers.items() if not isinstance(own, str)]
    if not judged:
        reason = next(iter(answers.values()))
        why = f"The exact p-value of the test is not known: {reason}."
        return Finding(**common, verdict="unknown", sentence=why)
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
        never = _Chance(None, 0.0, -math.inf)
        exact = Fraction(p)
        if printed.interval.near(exact):
            agrees = f"in agreement with {printed.text}."
            return _Chance(None, 1.0, 0.0), sentence + agrees, certain
        if trials is None:
            why = "The number of shuffles is not stated, so nothing is allowed for chance."
            return never, f"{sentence}not {printed.text}. {why}", certain
        # The likeliest hits that give a p in the interval, as h / t or (h + 1) / (t + 1).
        nearest = [
            min(max(round(exact * trials), ks[0]), ks[-1])
            for ks in (printed.interval.shares(trials, plus) for plus in (0, 1))
            if ks
        ]
        hits = min(nearest, key=lambda hits: abs(hits - exact * trials), default=None)
        if hits is None:
            why = f"and no number of hits of {trials:,} gives {printed.text}."
            return never, sentence + why, certain
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
    return [
        _pair(known, one, two, half, whole)
        for (one, half), (two, whole) in itertools.product(allowed, repeat=2)
        if one.metric == two.metric and one.alternative != two.alternative == "two-sided"
    ]


def _pair(
    known: Known, one: PrintedTest, two: PrintedTest, half: Interval, whole: Interval
) -> Finding:
    """Compare the interval of a one-sided p with that of a two-sided one."""
    pair = one, two
    texts = [
        f"{own.hits:,} hits of {own.trials:,}" if own.pvalue is None else f"p {own.pvalue.text}"
        for own in pair
    ]
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
    exact = [
        exact_text(*answer, said.pvalue)
        for said in pair
        if not isinstance(answer := known.exact.of(said).get("", ""), str)
    ]
    if len(exact) == 2:
        sentence += f" The exact values are {exact[0]} and {exact[1]}."
    stated = [said.trials for said in pair if said.trials is not None]
    limits = stands_for(one.pvalue, two.pvalue)
    if stated:
        limits += f"; chance allowed for down to {CONTRADICTED:g} where the shuffles are stated"
    return Finding(
        check="one-sided and two-sided", claim=claim, verdict=verdict, sentence=sentence,
        limits=limits.removeprefix("; "), metric=one.metric.name, alternative=one.alternative,
        interval=half.floats(), expected_interval=whole.floats(2),
    )  # fmt: skip


def _allowed(said: PrintedTest) -> Interval:
    """The p-values that a printed test may stand for."""
    if said.hits is not None and said.trials is not None:
        hits = Interval(Fraction(said.hits, said.trials), Fraction(said.hits + 1, said.trials + 1))
        return allowing_chance(hits, said.trials)
    assert said.pvalue is not None
    if said.trials is not None:
        return allowing_chance(said.pvalue.interval, said.trials)
    return said.pvalue.interval


# ---- correlations and chi-squares --------------------------------------------------------------


def check_correlation(known: Known) -> list[Finding]:
    """The correlation of the recalls."""
    printed = known.claims.correlation
    if printed is None:
        return []
    cells = ("gold", "both_correct", "only_a_correct", "only_b_correct")

    def compute(world: World) -> float:
        given: dict[str, Any] = {cell: world[cell] for cell in cells}
        return correlation(Comparison.from_counts(**given))

    claim = f"correlation of the recalls: {printed.text}"
    return [_recomputed(known, "correlation", claim, "recall", printed, cells, compute)]


def _chi_square(known: Known, said: PrintedChiSquare) -> list[Finding]:
    columns = ("correct", "predicted") if said.metric == "precision" else ("correct",)
    cells = [f"{c}_{s}" for c in columns for s in "ab"]
    if said.metric != "precision":
        cells.append("gold")

    def table(world: World) -> Comparison:
        # Only the sums matter here, so all may be treated as responses of one system only.
        correct = [world[f"correct_{s}"] for s in "ab"]
        wrong = [world.get(f"predicted_{s}", k) - k for s, k in zip("ab", correct, strict=True)]
        if said.metric == "precision":
            return Comparison.from_counts(
                gold=sum(correct), only_a_correct=correct[0], only_b_correct=correct[1],
                only_a_spurious=wrong[0], only_b_spurious=wrong[1],
            )  # fmt: skip
        both = max(0, sum(correct) - world["gold"])
        return Comparison.from_counts(
            gold=world["gold"], both_correct=both, only_a_correct=correct[0] - both,
            only_b_correct=correct[1] - both,
        )  # fmt: skip

    found = []
    for name, title in (("statistic", ""), ("pvalue", "p ")):
        printed = getattr(said, name)
        if printed is None:
            continue

        def compute(world: World, name: str = name) -> float:
            return float(getattr(chi_square_test(table(world), said.metric), name))

        claim = f"chi-square on {said.metric}: {title}{printed.text}"
        found.append(_recomputed(known, "chi-square", claim, said.metric, printed, cells, compute))
    return found


def _recomputed(
    known: Known,
    check: str,
    claim: str,
    metric: str,
    printed: Printed,
    cells: Iterable[str],
    compute: Callable[[World], float],
) -> Finding:
    """Compare a printed number with the same one computed from the counts."""
    common: dict[str, Any] = {
        "check": check, "claim": claim, "metric": metric, **numbers(printed),
    }  # fmt: skip
    complete = [world for world in known.exact.worlds if all(cell in world for cell in cells)]
    values = []
    for world in complete:
        try:
            value = compute(world)
        except InputError:
            continue
        if math.isfinite(value):
            values.append(value)
    if not values:
        why = "The counts it needs are not known, or do not define it."
        return Finding(**common, verdict="unknown", sentence=why)
    fits = [value for value in values if printed.interval.near(Fraction(value))]
    best = (fits or values)[0]
    verdict, how = "contradicted", f"not {printed.text}."
    if fits:
        verdict, how = "confirmed", f"in agreement with {printed.text}."
    if 0 < len(fits) < len(values):
        verdict, how = "possible", f"{how} Not all candidates for the counts do."
    sentence = f"The counts give {best:.6g}, {how}"
    return Finding(**common, verdict=verdict, sentence=sentence, expected=best)


# ---- distributions over training samples -------------------------------------------------------
#
# Deviation of the difference: s_d^2 = s_a^2 + s_b^2 - 2 s_a s_b r, for any scores. The square is
# convex in s_a and in s_b and falls in r, so over the intervals that printed numbers stand for it
# is largest in a corner, and smallest in one or where s_a = r s_b (or the reverse).
#
# P(a > b), whatever the scores: with D the mean difference, at most s_d^2 / (s_d^2 + D^2) of the
# samples lie on the other side of 0 (Cantelli's inequality, for the distribution of the samples
# themselves, whose variance with n is below that with n - 1). For normal scores it is Phi(D / s_d),
# and the samples ahead are Binomial(n, P): what disagrees is doubtful, not wrong.


def check_distributions(known: Known) -> list[Finding]:
    """The deviations of differences, and the shares of samples on which A is ahead."""
    found: list[Finding] = []
    for said in known.claims.distributions:
        where = f" on {said.test_set}" if said.test_set else ""
        if said.sd_difference is not None:
            found.append(_deviation(said, said.sd_difference, where))
        if said.probability is not None:
            a, b = known.claims.names
            found += _shares(said, said.probability, f"P({a} > {b}){where}")
    return found


def _at_least_zero(printed: Printed) -> Interval:
    return Interval(max(printed.interval.low, Fraction(0)), printed.interval.high)


def variance_of_difference(a: Interval, b: Interval, r: Interval) -> Interval:
    """The values that s_a^2 + s_b^2 - 2 s_a s_b r takes."""

    def square(x: Fraction, y: Fraction, rho: Fraction) -> Fraction:
        return x * x + y * y - 2 * x * y * rho

    def clamped(x: Fraction, ends: Interval) -> Fraction:
        return min(max(x, ends.low), ends.high)

    corners = list(itertools.product((a.low, a.high), (b.low, b.high)))
    lowest = [square(x, y, r.high) for x, y in corners]
    lowest += [square(clamped(r.high * y, a), y, r.high) for y in (b.low, b.high)]
    lowest += [square(x, clamped(r.high * x, b), r.high) for x in (a.low, a.high)]
    if r.high == 1 and a.meets(b):  # both may be the same
        lowest.append(Fraction(0))
    return Interval(min(lowest), max(square(x, y, r.low) for x, y in corners))


def _squares(printed: Printed) -> Interval:
    own = _at_least_zero(printed)
    return Interval(own.low**2, own.high**2)


def _from_deviations(said: PrintedDistribution) -> Interval | None:
    """The squares of the difference's deviation that both deviations and r give."""
    if said.sd_a is None or said.sd_b is None:
        return None
    one = Fraction(1)
    r = Interval(-one, one) if said.correlation is None else said.correlation.interval
    r = Interval(max(r.low, -one), min(r.high, one))
    return variance_of_difference(_at_least_zero(said.sd_a), _at_least_zero(said.sd_b), r)


def _deviation(said: PrintedDistribution, printed: Printed, where: str) -> Finding:
    """Does it follow from both deviations and their correlation?"""
    common: dict[str, Any] = {
        "check": "deviation of the difference",
        "claim": f"deviation of the difference{where}: {printed.text}",
        **numbers(printed),
    }
    found = _from_deviations(said)
    if found is None or said.sd_a is None or said.sd_b is None:
        why = "It needs the deviations of both systems."
        return Finding(**common, verdict="unknown", sentence=why)
    ends = math.sqrt(found.low), math.sqrt(found.high)
    texts = " to ".join(printed.show(end) for end in ends)
    given, verdict = "any correlation of the two", "possible"
    if said.correlation is not None:
        given, verdict = f"a correlation of {said.correlation.text}", "confirmed"
    return Finding(
        **common,
        verdict=verdict if _squares(printed).meets(found) else "inconsistent",
        sentence=f"Deviations of {said.sd_a.text} and {said.sd_b.text} with {given} give {texts}.",
        expected_interval=ends,
    )


def _shares(said: PrintedDistribution, printed: Printed, name: str) -> list[Finding]:
    """Is it a share of the samples, can it be, and is it that of normal scores?"""
    found = []
    common: dict[str, Any] = {"claim": f"{name}: {printed.text}", **numbers(printed)}
    n = said.samples
    ks = range(0)
    if n is not None:  # the numbers of n samples whose share rounds to what is printed
        ks = printed.interval.shares(n)
        say = "none gives" if not ks else f"{ks[0]:,} gives"
        say = f"{ks[0]:,} to {ks[-1]:,} give" if len(ks) > 1 else say
        found.append(
            Finding(
                check="share of samples",
                **common,
                verdict="confirmed" if ks else "impossible",
                sentence=f"Of {n:,} samples, {say} {printed.text}.",
            )
        )
    given = None if said.sd_difference is None else _squares(said.sd_difference)
    ranges = [own for own in (given, _from_deviations(said)) if own is not None]
    if said.mean_a is None or said.mean_b is None or not ranges:
        return found
    # Where both exclude each other, which is said of the deviation, either may be right.
    low, high = sorted([max(own.low for own in ranges), min(own.high for own in ranges)])
    variance = Interval(low, high)
    a, b = said.mean_a.interval, said.mean_b.interval
    apart = Interval(a.low - b.high, a.high - b.low)
    # Cantelli's inequality, with the smallest difference and the largest deviation.
    low, high = Fraction(0), Fraction(1)
    nearest = max(apart.low, -apart.high, Fraction(0))  # to a difference of 0
    if nearest:
        other_side = variance.high / (variance.high + nearest**2)
        low, high = (1 - other_side, high) if apart.low > 0 else (low, other_side)
    fits = printed.interval.meets(Interval(low, high))
    found.append(
        Finding(
            check="share and moments",
            **common,
            verdict="possible" if fits else "inconsistent",
            sentence="With these means and deviations, whatever the scores, it lies from "
            f"{printed.show(low)} to {printed.show(high)}.",
            expected_interval=(float(low), float(high)),
        )
    )
    if fits and (ks or n is None):
        found.append(_normal(printed, n, ks, apart, variance, common))
    return found


def _normal(
    printed: Printed,
    n: int | None,
    ks: range,
    apart: Interval,
    variance: Interval,
    common: dict[str, Any],
) -> Finding:
    """Phi(D / s_d), allowing for the chance of n samples."""
    from scipy.special import ndtr

    ends = [math.sqrt(end) for end in (variance.low, variance.high)]
    values = [
        float(ndtr(float(d) / s)) if s else float(d > 0) if d else 0.5
        for d in (apart.low, apart.high)
        for s in ends
    ]
    low, high = min(values), max(values)
    common = {**common, "check": "share of normal scores", "expected_interval": (low, high)}
    shown = " to ".join(dict.fromkeys(printed.show(end) for end in (low, high)))
    say = f"Normal scores with these means and deviations give {shown}"
    if n is None:
        fits = printed.interval.meets(Interval(Fraction(low), Fraction(high)))
        return Finding(
            **common,
            verdict="confirmed" if fits else "unknown",
            sentence=f"{say}." if fits else f"{say}; how many samples there were is not said.",
        )
    wanted = (math.ceil(low * n), math.floor(high * n))
    nearest = {min(max(k, ks[0]), ks[-1]) for k in wanted}
    # The probability of a deviation this large, for the nearest of the possible shares.
    pvalue = max(rate_pvalue(k, n, min(max(k / n, low), high)) for k in nearest)
    fits = pvalue >= CONFIRMED
    more = "" if fits else ", so the scores are not normal, or a number is wrong"
    return Finding(
        **common,
        verdict="confirmed" if fits else "doubtful",
        sentence=f"{say}; a deviation this large has probability {pvalue:.2g}{more}.",
        pvalue=pvalue,
        log_pvalue=math.log(pvalue) if pvalue else None,
    )


#: In the order of the findings.
CHECKS: tuple[Callable[[Known], list[Finding]], ...] = (
    check_counts,
    lambda known: [_score(known, said) for said in known.claims.scores],
    lambda known: [found for system in "ab" for found in _together(known, system)],
    check_tests,
    check_sides,
    check_correlation,
    lambda known: [f for said in known.claims.chi_squares for f in _chi_square(known, said)],
    check_distributions,
)


@public("csig.claims")
def check_claims(claims: Claims) -> ClaimsReport:
    """Check printed numbers: are they possible, consistent and right?

    Parameters
    ----------
    claims : Claims
        As :func:`csig.claims.read_claims` reads them.

    Returns
    -------
    ClaimsReport
        One finding for each printed number and each pair that must agree.

    Notes
    -----
    See the docstring of :mod:`csig.claims.model`. The exact p-values are those of the randomization
    test on single responses; a text that swapped sentences or documents made another test.

    Examples
    --------
    >>> from csig.claims import PrintedScore
    >>> from csig.claims.attainable import claimed_metric
    >>> from csig.claims.model import printed_number
    >>> recall = PrintedScore(system="a", metric=claimed_metric("recall"),
    ...                       printed=printed_number("45.6 %"))
    >>> report = check_claims(Claims(counts={"gold": (103, 104)}, scores=(recall,)))
    >>> for finding in report.findings[:2]:
    ...     print(finding.claim, "-", finding.verdict)
    gold: 103 or 104 - confirmed
    recall of A: 45.6 % - possible
    """
    if not isinstance(claims, Claims):
        raise InputError(f"claims must be csig.claims.Claims, found {type(claims).__name__}")
    known = known_of(claims)
    return ClaimsReport(claims, ShownTuple(own for check in CHECKS for own in check(known)))


@document_of.register
def claims_document(found: ClaimsReport) -> Document:
    """The findings on published numbers."""
    tones: dict[str, Tone] = {"confirmed": "better", **dict.fromkeys(WRONG, "worse")}
    rows = [
        (own.claim, (own.verdict, tones.get(own.verdict, "plain")), own.sentence)
        for own in found.findings
    ]
    kinds = Counter(own.verdict for own in found.findings)
    counts = [f"{wording.count(n)} {verdict}" for verdict, n in kinds.items()]
    return Document(
        title="Published numbers",
        verdict=[f"{wording.count(len(rows))} findings: {', '.join(counts)}."],
        tables=[table("findings", "nvt", ("Printed", "Verdict", "Finding"), rows)],
        rows=[picked(own, "claim verdict finding=sentence") for own in found.findings],
        record=partial(_as_dict, found),
    )


def _as_dict(found: ClaimsReport) -> dict[str, Any]:
    claims = found.claims
    return {
        "schema": "csig.claims",
        "schema_version": 1,
        "source": dict(claims.source),
        "systems": list(claims.names),
        "rounding": list(claims.rounding),
        "counts": {name: list(map(str, counts)) for name, counts in claims.counts.items()},
        "passed": found.passed,
        "summary": found.totals,
        "findings": [_finding_as_dict(finding) for finding in found.findings],
    }


def _finding_as_dict(finding: Finding) -> dict[str, Any]:
    """Numbers that can exceed 2^53 are texts of decimal digits."""

    def text(number: int | None) -> str | None:
        return None if number is None else str(number)

    return {
        **plain(vars(finding)),
        "trials": text(finding.trials),
        "candidates": list(map(text, finding.candidates)),
        "n_solutions": text(finding.n_solutions),
        "solutions": [list(map(text, row)) for row in finding.solutions],
    }
