"""The checks of published claims, one finding after the other: why is in the model's docstring."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from csig.claims.attainable import (
    CELLS,
    STEPS,
    Solutions,
    World,
    contradictory,
    needs,
    numerators,
    score,
    solutions,
    worlds,
)
from csig.claims.chances import allowing_chance, hits_pvalue
from csig.claims.model import (
    CONFIRMED,
    CONTRADICTED,
    Claims,
    Finding,
    PrintedChiSquare,
    PrintedScore,
    PrintedTest,
)
from csig.claims.printed import Interval, Printed
from csig.comparison import Comparison
from csig.engines.exact import engines
from csig.engines.questions import make_question
from csig.errors import InputError
from csig.independent import chi_square_test, correlation
from csig.metrics import Metric
from csig.randomization import randomization_test

__all__ = ["Checker"]

#: Steps that all exact p-values of a file may take together: a second or two.
_BUDGET = 2**26


class _Chance(NamedTuple):
    """How far a printed number is from what is expected."""

    z: float | None
    pvalue: float
    log_pvalue: float


def _verdict(pvalue: float) -> str:
    if pvalue >= CONFIRMED:
        return "confirmed"
    return "doubtful" if pvalue >= CONTRADICTED else "contradicted"


# ---- words -----------------------------------------------------------------------------------


def _few(names: Sequence[str], limit: int = 3) -> str:
    """A list in words."""
    if len(names) > limit:
        return ", ".join(names[:limit]) + f" and {len(names) - limit:,} more"
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def _p_text(pvalue: float, log_pvalue: float) -> str:
    if log_pvalue < math.log(1e-4):
        power = log_pvalue / math.log(10)
        return f"10^{power:.1f}" if math.isfinite(power) else "0"
    return f"{pvalue:.2g}"


def _exact_text(pvalue: float, log_pvalue: float, printed: Printed | None) -> str:
    if pvalue < 1e-300:
        return f"10^{log_pvalue / math.log(10):.1f}"
    percent = printed is not None and printed.percent
    return f"{100 * pvalue:.5g} %" if percent else f"{pvalue:.5g}"


def _stands_for(*printed: Printed | None) -> str:
    said = [p for p in printed if p is not None]
    return "; ".join(f"{p.text} stands for {p.meaning}" for p in said)


#: Of a chance.
_LIMITS = f"confirmed from a probability of {CONFIRMED:g} on, contradicted below {CONTRADICTED:g}"


class Checker:
    """All checks of one text."""

    def __init__(self, claims: Claims) -> None:
        self.claims = claims
        self.found: list[Finding] = []
        self.steps = _BUDGET
        self.answers: dict[tuple[object, ...], tuple[float, float] | str] = {}
        self.worlds, self.reason = worlds(claims.counts)
        printed: dict[str, list[tuple[Metric, Interval]]] = {"a": [], "b": []}
        for said in claims.scores:
            printed[said.system].append((said.metric, said.printed.interval))
        self.printed = printed
        #: For each system, of each world, the counts that fit the scores.
        self.solutions: dict[str, list[Solutions]] = {"a": [], "b": []}
        self.fitting: list[dict[str, int]] = []

    def findings(self) -> tuple[Finding, ...]:
        """All of them."""
        self.scores()
        for said in self.claims.tests:
            self.test(said)
        self.sides()
        self.correlation()
        for chi_square in self.claims.chi_squares:
            self.chi_square(chi_square)
        return tuple(self.found)

    # -- scores

    def scores(self) -> None:
        claims = self.claims
        share = max(100, 50_000 // max(1, len(self.worlds)))
        for system, printed in self.printed.items():
            if printed:
                self.solutions[system] = [
                    solutions(printed, world, system, min(share, STEPS)) for world in self.worlds
                ]
        excluded = {
            i for found in self.solutions.values() for i, s in enumerate(found) if s.excluded
        }
        self.fitting = [world for i, world in enumerate(self.worlds) if i not in excluded]
        self.counts()
        for said in claims.scores:
            self.score(said)
        for system in "ab":
            self.together(system)

    def counts(self) -> None:
        """Are the counts possible, and which of their candidates are left?"""
        uncertain = {n: c for n, c in self.claims.counts.items() if len(c) > 1}
        if not self.worlds:
            self.add(
                check="counts", claim="the counts", verdict="inconsistent",
                sentence=f"The counts exclude each other: {self.reason}.",
            )  # fmt: skip
        for name, candidates in uncertain.items():
            left = tuple(c for c in candidates if any(w[name] == c for w in self.fitting))
            out = [f"{c:,}" for c in candidates if c not in left]
            if not left:
                verdict, say = "impossible", "None of the candidates fits all that is printed."
            elif len(left) == 1:
                verdict = "confirmed"
                say = f"Only {left[0]:,} fits all that is printed; {_few(out)} cannot be."
            else:
                verdict = "possible"
                say = f"{_few([f'{c:,}' for c in left])} fit all that is printed" + (
                    f"; {_few(out)} cannot be." if out else "."
                )
            self.add(
                check="counts", claim=f"{name}: {' or '.join(f'{c:,}' for c in candidates)}",
                verdict=verdict, sentence=say, candidates=left,
                limits="every printed score, as it is rounded",
            )  # fmt: skip

    def score(self, said: PrintedScore) -> None:
        """Is the score attainable, and is it the counts'?"""
        metric, printed, system = said.metric, said.printed, said.system
        interval = printed.interval
        names = needs(metric, system)
        lines, attainable = [], []
        seen: dict[tuple[int, ...], Fraction | None] = {}
        for world in self._sorted_worlds():
            if any(name not in world for name in names[1:]):
                continue
            value = score(metric, world, system)
            key = tuple(world[name] for name in names if name in world)
            if key in seen:
                continue
            seen[key] = value
            ks = _numerators(said, interval, world)
            attainable.append(bool(ks))
            lines.append(self._score_line(said, world, value, ks))
        values = [value for value in seen.values() if value is not None]
        common: dict[str, Any] = {
            "check": "score", "claim": f"{metric.name} of {self.claims.name(system)}: "
            f"{printed.text}", "metric": metric.name, "system": system,
            **_numbers(printed),
        }  # fmt: skip
        if not seen:
            missing = [n for n in names[1:] if not any(n in world for world in self.worlds)]
            self.add(
                **common, verdict="unknown",
                sentence=f"{_few(missing) or 'What it is made of'} is not known; many numbers "
                f"are rounded to {printed.text}.",
            )  # fmt: skip
            return
        if values:
            best = min(values, key=lambda v: (not interval.contains(v), abs(v - _mid(interval))))
            common["expected"] = float(best)
            if interval.contains(best):
                verdict = "confirmed"
            else:
                verdict = "contradicted" if any(attainable) else "impossible"
        else:
            verdict = "possible" if any(attainable) else "impossible"
        text = " ".join(lines[:3])
        if len(lines) > 3:
            text += f" {len(lines) - 3:,} more candidates were looked at."
        self.add(**common, verdict=verdict, sentence=text)

    def _sorted_worlds(self) -> list[dict[str, int]]:
        """Those that fit come first."""
        fitting = {id(world) for world in self.fitting}
        return sorted(self.worlds, key=lambda world: id(world) not in fitting)

    def _score_line(
        self, said: PrintedScore, world: World, value: Fraction | None, ks: range
    ) -> str:
        """What one candidate gives."""
        printed, names = said.printed, needs(said.metric, said.system)
        of = " and ".join(f"{world[name]:,} {_plain(name)}" for name in names[1:])
        text = ""
        if value is not None:
            text = f"{world[names[0]]:,} correct of {of} give {printed.show(value)}, "
            if printed.interval.contains(value):
                return f"{text}which is rounded to {printed.text}."
            text += f"not {printed.text}. "
        if ks:
            few = _few([f"{k:,}" for k in ks]) if len(ks) < 4 else f"{ks[0]:,} to {ks[-1]:,}"
            return f"{text}With {of}, {few} correct give {printed.text}."
        near, texts = self._nearest(said, world)
        if value is not None and world[names[0]] in near:
            text = ""  # it is among the nearest
        ends = f": {', '.join(texts)}" if texts else ""
        return f"{text}With {of} no whole number of correct ones gives {printed.text}{ends}."

    def _nearest(self, said: PrintedScore, world: World) -> tuple[list[int], list[str]]:
        """The numbers on both sides of a score that is not attainable, and what they give."""
        names = needs(said.metric, said.system)
        limit = min(world[name] for name in names[1:])
        below = _numerators(said, Interval(Fraction(-(10**30)), _mid(said.printed.interval)), world)
        if not below:
            return [], []
        k = below[-1] if said.metric.greater_is_better else below[0] - 1
        near = [number for number in (k, k + 1) if 0 <= number <= limit]
        scores = [score(said.metric, {**world, names[0]: number}, said.system) for number in near]
        return near, [
            f"{number:,} give {said.printed.show(value)}"
            for number, value in zip(near, scores, strict=True)
            if value is not None
        ]

    def together(self, system: str) -> None:
        """Do the scores of a system go together, and which counts give them?"""
        printed = self.printed[system]
        if len(printed) == 0 or not self.worlds:
            return
        said = [s for s in self.claims.scores if s.system == system]
        claim = f"{self.claims.name(system)}: " + ", ".join(
            f"{s.metric.name} {s.printed.text}" for s in said
        )
        common: dict[str, Any] = {
            "check": "scores together", "claim": claim, "system": system,
            "limits": _stands_for(*(s.printed for s in said)),
        }  # fmt: skip
        if contradictory(printed):
            self.add(
                **common, verdict="inconsistent", n_solutions=0,
                sentence="No counts, however large, give these scores together.",
            )  # fmt: skip
            return
        needed = [needs(s.metric, system) for s in said]
        names = {name for own in needed for name in own}
        if all(names <= world.keys() for world in self.worlds):
            return  # each score was computed
        if len(said) == 1 and all(world.keys() >= {*needed[0][1:]} for world in self.worlds):
            return  # the one score was looked at by itself
        found = self.solutions[system]
        count = sum(s.count for s in found)
        complete = all(s.complete for s in found)
        first = tuple(itertools.islice((row for s in found for row in s.first), 5))
        if not any("gold" in world for world in self.worlds):
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
            sentence = f"Which counts give all of them was not found out: {end}."
        self.add(
            **common, verdict=verdict, sentence=sentence, n_solutions=count, solutions=first,
            complete=complete,
        )  # fmt: skip

    # -- tests

    def title(self, said: PrintedTest) -> str:
        """What a test is called."""
        a, b = self.claims.names
        sided = {
            "two-sided": f"{a} and {b}, two-sided",
            "greater": f"{a} above {b}, one-sided",
            "less": f"{b} above {a}, one-sided",
        }[said.alternative]
        return f"{said.metric.name}, {sided}"

    def test(self, said: PrintedTest) -> None:
        """Hits against p, and both against the exact answer."""
        if said.hits is not None and said.pvalue is not None:
            self.hits_and_p(said)
        if said.hits is not None:
            self.hits(said)
        else:
            self.pvalue(said)

    def hits_and_p(self, said: PrintedTest) -> None:
        assert said.hits is not None
        assert said.trials is not None
        assert said.pvalue is not None
        shares = {
            "hits / shuffles": Fraction(said.hits, said.trials),
            "(hits + 1) / (shuffles + 1)": Fraction(said.hits + 1, said.trials + 1),
        }
        fits = [name for name, p in shares.items() if said.pvalue.interval.contains(p)]
        p = shares["hits / shuffles"]
        numbers = f"{said.hits:,} of {said.trials:,} is {_share_text(p, said.pvalue)}"
        how = f"as p {said.pvalue.text} says"
        if len(fits) == 1:
            how = f"and p {said.pvalue.text} is {fits[0]}"
        self.add(
            check="hits and p",
            claim=f"{self.title(said)}: {said.hits:,} hits of {said.trials:,}, "
            f"p {said.pvalue.text}",
            verdict="confirmed" if fits else "inconsistent",
            sentence=f"{numbers}, {how}." if fits else f"{numbers}, which is not "
            f"what p {said.pvalue.text} stands for, nor is (hits + 1) / (shuffles + 1).",
            metric=said.metric.name, alternative=said.alternative, trials=said.trials,
            expected=float(p), **_numbers(said.pvalue),
        )  # fmt: skip

    def exact(self, said: PrintedTest) -> list[tuple[str, tuple[float, float] | str]]:
        """The exact p-values and their logarithms, or why not; one for each set of counts."""
        metric = said.metric
        if "predicted" in metric.columns:
            cells = [c for c in CELLS if c != "gold" or "gold" in metric.columns]
        else:  # neither what both found nor the size of the gold changes p
            cells = ["only_a_correct", "only_b_correct"]
        found: dict[tuple[int, ...], tuple[str, tuple[float, float] | str]] = {}
        considered = self.fitting or self.worlds
        uncertain = [c for c in cells if len({world.get(c) for world in considered}) > 1]
        for world in considered:
            if any(cell not in world for cell in cells):
                continue
            key = tuple(world[cell] for cell in cells)
            if key not in found:
                given = ", ".join(f"{c} {world[c]:,}" for c in uncertain)
                counts: dict[str, int] = dict.fromkeys(CELLS, 0) | {c: world[c] for c in cells}
                if "gold" not in cells:
                    counts["gold"] = sum(n for c, n in counts.items() if c.endswith("_correct"))
                found[key] = given, self._answer(counts, metric, said.alternative)
        if not found:
            return [("", "the counts it takes are not all known")]
        return list(found.values())

    def _answer(
        self, counts: dict[str, int], metric: Metric, alternative: str
    ) -> tuple[float, float] | str:
        key = (*counts.values(), metric, alternative)
        if key not in self.answers:
            self.answers[key] = self._computed(counts, metric, alternative)
        return self.answers[key]

    def _computed(
        self, counts: dict[str, int], metric: Metric, alternative: str
    ) -> tuple[float, float] | str:
        try:
            comparison = _comparison(counts)
            cost = engines(comparison, make_question(comparison, metric, alternative, 0))[0].cost
            if cost > self.steps:
                return "it would take too long for counts as large as these"
            self.steps -= cost
            result = randomization_test(
                comparison, metric, alternative=alternative, method="exact", threads=1
            )
        except InputError as error:
            return f"it cannot be computed for these counts ({error})"
        return result.pvalue, result.log_pvalue

    def judged(
        self,
        said: PrintedTest,
        common: dict[str, Any],
        judge: Callable[[float, float], tuple[_Chance, str, dict[str, Any]]],
    ) -> None:
        """The finding by the counts that suit the claim best."""
        answers = self.exact(said)
        known = [(given, answer) for given, answer in answers if not isinstance(answer, str)]
        if not known:
            reason = next(a for _, a in answers if isinstance(a, str))
            self.add(
                **common, verdict="unknown",
                sentence=f"The exact p-value of the test is not known: {reason}.",
            )  # fmt: skip
            return
        judged = [(given, *judge(*answer)) for given, answer in known]
        verdicts = {_verdict(chance.pvalue) for _, chance, _, _ in judged}
        given, chance, sentence, numbers = max(judged, key=lambda one: one[1].log_pvalue)
        verdict = _verdict(chance.pvalue)
        if len(judged) < len(answers) or len(verdicts) > 1:
            if verdict == "confirmed":
                verdict = "possible"
            elif len(judged) < len(answers):
                verdict = "unknown"
            sentence += " Not all candidates of the counts say the same."
        if not self.fitting:
            sentence += " (From the counts as printed, though they do not fit all printed scores.)"
        elif given:
            sentence = f"With {given}: {sentence[:1].lower()}{sentence[1:]}"
        self.add(
            **common, verdict=verdict, sentence=sentence,
            **{"pvalue": chance.pvalue, "log_pvalue": chance.log_pvalue, "z": chance.z, **numbers},
        )  # fmt: skip

    def hits(self, said: PrintedTest) -> None:
        """Printed hits against the exact p."""
        assert said.hits is not None
        assert said.trials is not None
        hits, trials = said.hits, said.trials

        def judge(p: float, log_p: float) -> tuple[_Chance, str, dict[str, Any]]:
            chance = _Chance(*hits_pvalue(hits, trials, log_p))
            expected = trials * p
            apart = (
                ""
                if chance.z is None
                else f", {abs(chance.z):,.1f} standard errors "
                + ("above" if chance.z > 0 else "below")
            )
            sentence = (
                f"The exact p is {_exact_text(p, log_p, said.pvalue)}, so {expected:,.1f} hits are "
                f"expected of {trials:,}; {hits:,} were printed{apart}. Chance goes as far with "
                f"probability {_p_text(chance.pvalue, chance.log_pvalue)}."
            )
            if chance.pvalue < CONTRADICTED:
                sentence += " These are not the hits of this test with these counts."
            return chance, sentence, {"expected": expected, "exact_pvalue": p}

        self.judged(
            said,
            {
                "check": "exact hits",
                "claim": f"{self.title(said)}: {hits:,} hits of {trials:,}",
                "metric": said.metric.name, "alternative": said.alternative, "trials": trials,
                "printed": float(hits), "limits": _LIMITS,
            },
            judge,
        )  # fmt: skip

    def pvalue(self, said: PrintedTest) -> None:
        """A printed p alone against the exact one, by rounding and, of shuffles, by chance."""
        assert said.pvalue is not None
        printed, trials = said.pvalue, said.trials

        def judge(p: float, log_p: float) -> tuple[_Chance, str, dict[str, Any]]:
            sentence = f"The exact p is {_exact_text(p, log_p, printed)}, "
            numbers = {"expected": p, "exact_pvalue": p}
            certain = {**numbers, "pvalue": None, "log_pvalue": None}  # no chance is in it
            exact = Fraction(p)
            if _near(printed.interval, exact):
                return _Chance(None, 1.0, 0.0), sentence + f"as {printed.text} says.", certain
            if trials is None:
                sentence += (
                    f"not {printed.text}. How many shuffles were drawn is not stated, so none are "
                    f"allowed for."
                )
                return _Chance(None, 0.0, -math.inf), sentence, certain
            hits = _nearest_hits(printed.interval, exact, trials)
            if hits is None:
                sentence += f"and no number of hits of {trials:,} gives {printed.text}."
                return _Chance(None, 0.0, -math.inf), sentence, certain
            chance = _Chance(*hits_pvalue(hits, trials, log_p))
            sentence += (
                f"not {printed.text}; but {trials:,} shuffles were drawn, and chance goes as far "
                f"with probability {_p_text(chance.pvalue, chance.log_pvalue)}."
            )
            return chance, sentence, numbers

        numbers = _numbers(printed)
        if trials is not None:
            numbers["limits"] += f"; {_LIMITS}"
        self.judged(
            said,
            {
                "check": "exact p",
                "claim": f"{self.title(said)}: p {printed.text}",
                "metric": said.metric.name, "alternative": said.alternative, "trials": trials,
                **numbers,
            },
            judge,
        )  # fmt: skip

    def sides(self) -> None:
        """One-sided against two-sided p-values."""
        allowed = [(said, _allowed(said)) for said in self.claims.tests]
        for (one, half), (two, whole) in itertools.product(allowed, repeat=2):
            if one.metric == two.metric and one.alternative != two.alternative == "two-sided":
                self.pair(one, half, two, whole)

    def pair(self, one: PrintedTest, half: Interval, two: PrintedTest, whole: Interval) -> None:
        texts = [_p_claim(said) for said in (one, two)]
        claim = f"{self.title(one)}: {texts[0]}; two-sided: {texts[1]}"
        rule = "Under the null hypothesis the one-sided p is half the two-sided one"
        twice = half.times(2)
        if half.high >= Fraction(1, 2):
            verdict = "unknown"
            sentence = "The one-sided p may be on the other side, where it is not half of anything."
        elif twice.meets(whole):
            verdict = "confirmed"
            sentence = f"{rule}, and these two can be."
        else:
            verdict = "inconsistent"
            sentence = f"{rule}: twice {texts[0]} is not {texts[1]}, however they were rounded."
        exact = [dict(self.exact(said)) for said in (one, two)]
        if all(len(answer) == 1 and "" in answer for answer in exact):
            texts = [
                _exact_text(*answer[""], said.pvalue)
                for answer, said in zip(exact, (one, two), strict=True)
                if not isinstance(answer[""], str)
            ]
            if len(texts) == 2:
                sentence += f" The exact ones are {texts[0]} and {texts[1]}."
        stated = [said.trials for said in (one, two) if said.trials is not None]
        limits = _stands_for(one.pvalue, two.pvalue)
        if stated:
            limits += f"; chance allowed for to {CONTRADICTED:g} where the shuffles are stated"
        self.add(
            check="one-sided and two-sided", claim=claim, verdict=verdict, sentence=sentence,
            limits=limits.removeprefix("; "), metric=one.metric.name, alternative=one.alternative,
            interval=_floats(half), expected_interval=_floats(whole, 2),
        )  # fmt: skip

    # -- the tests that assume independence

    def correlation(self) -> None:
        printed = self.claims.correlation
        if printed is None:
            return
        cells = ("gold", "both_correct", "only_a_correct", "only_b_correct")
        self.recomputed(
            check="correlation", claim=f"correlation of the recalls: {printed.text}",
            metric="recall", printed=printed, cells=cells,
            compute=lambda world: correlation(_comparison({cell: world[cell] for cell in cells})),
        )  # fmt: skip

    def chi_square(self, said: PrintedChiSquare) -> None:
        columns = ("correct", "predicted") if said.metric == "precision" else ("correct",)
        cells = [f"{c}_{s}" for c in columns for s in "ab"]
        if said.metric != "precision":
            cells.append("gold")

        def table(world: World) -> Comparison:
            # Only the sums count here, so all may be called responses of one system only.
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

        on = f"on {said.metric}"
        if said.statistic is not None:
            self.recomputed(
                check="chi-square", claim=f"chi-square {on}: {said.statistic.text}",
                metric=said.metric, printed=said.statistic, cells=cells,
                compute=lambda world: chi_square_test(table(world), said.metric).statistic,
            )  # fmt: skip
        if said.pvalue is not None:
            self.recomputed(
                check="chi-square", claim=f"chi-square {on}: p {said.pvalue.text}",
                metric=said.metric, printed=said.pvalue, cells=cells,
                compute=lambda world: chi_square_test(table(world), said.metric).pvalue,
            )  # fmt: skip

    def recomputed(
        self,
        *,
        check: str,
        claim: str,
        metric: str,
        printed: Printed,
        cells: Iterable[str],
        compute: Callable[[dict[str, int]], float],
    ) -> None:
        common: dict[str, Any] = {
            "check": check, "claim": claim, "metric": metric, **_numbers(printed),
        }  # fmt: skip
        known = [w for w in self.fitting or self.worlds if all(cell in w for cell in cells)]
        values = []
        for world in known:
            try:
                value = compute(world)
            except InputError:
                continue
            if math.isfinite(value):
                values.append(value)
        if not values:
            self.add(
                **common, verdict="unknown",
                sentence="The counts it takes are not known, or do not define it.",
            )  # fmt: skip
            return
        fits = [_near(printed.interval, Fraction(value)) for value in values]
        best = values[fits.index(True)] if any(fits) else values[0]
        sentence = f"The counts give {best:.6g}, "
        sentence += f"as {printed.text} says." if any(fits) else f"not {printed.text}."
        if any(fits) and not all(fits):
            sentence += " Not all candidates of the counts do."
        verdict = "contradicted" if not any(fits) else "confirmed" if all(fits) else "possible"
        self.add(**common, verdict=verdict, sentence=sentence, expected=best)

    def add(self, **fields: Any) -> None:
        self.found.append(Finding(**fields))


def _comparison(counts: Mapping[str, Any]) -> Comparison:
    return Comparison.from_counts(**counts)


def _plain(name: str) -> str:
    """What a count counts."""
    return "in the gold" if name == "gold" else "responses"


def _mid(interval: Interval) -> Fraction:
    return (interval.low + interval.high) / 2


def _floats(interval: Interval, divisor: int = 1) -> tuple[float, float]:
    return float(interval.low / divisor), float(interval.high / divisor)


def _numbers(printed: Printed) -> dict[str, Any]:
    """The fields of a finding that say what was printed."""
    return {
        "printed": None if printed.value is None else float(printed.value),
        "interval": _floats(printed.interval),
        "limits": _stands_for(printed),
    }


def _numerators(said: PrintedScore, interval: Interval, world: World) -> range:
    """The numbers of correct ones that give a score; what is not known is not needed."""
    n, g = world.get(f"predicted_{said.system}"), world.get("gold")
    assert n is not None or g is not None
    return numerators(
        said.metric, interval, (g or 0) if n is None else n, (n or 0) if g is None else g
    )


def _share_text(p: Fraction, printed: Printed) -> str:
    return f"{float(100 * p):.4g} %" if printed.percent else f"{float(p):.4g}"


def _near(interval: Interval, x: Fraction) -> bool:
    """Whether a number belongs to an interval that is a double, exact to a relative 1e-10."""
    slack = abs(x) / 10**10
    return interval.meets(Interval(x - slack, x + slack))


def _nearest_hits(interval: Interval, p: Fraction, trials: int) -> int | None:
    """Of the hits that give a p in the interval, as h / t or (h + 1) / (t + 1), the likeliest."""
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
