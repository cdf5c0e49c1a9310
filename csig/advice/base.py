"""What is said of a test: sound or not on these data, why, and who says so."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from numpy.random import SeedSequence

from csig import streams
from csig.base.defaults import RESAMPLES, YEH_RESAMPLES
from csig.base.errors import InputError
from csig.base.shown import Shown, ShownRows, ShownTuple
from csig.base.validation import (
    Alternative,
    check_alternative,
    check_executor,
    check_zero_division,
    positive,
)
from csig.base.wording import count, first_few, perhaps, pvalue
from csig.results.randomization import Seed

#: The level at which tests are judged.
ALPHA = 0.05

#: Words, or units, that a test which stands beside another may draw.
WORDS = 2**29

#: What can be said of a test, the best first.
Soundness: TypeAlias = Literal[
    "sound", "approximate", "sound, but asks something else", "unsound", "does not apply"
]
VERDICTS: tuple[Soundness, ...] = get_args(Soundness)


@dataclass(frozen=True, kw_only=True)
class Advice(ShownRows):
    """A test, and whether it is sound on these data."""

    test: str  #: Its name.
    #: "sound"; "approximate", which is right for many units or under an assumption that cannot be
    #: checked; "sound, but asks something else" than whether the metric differs; "unsound"; or
    #: "does not apply".
    verdict: Soundness
    reason: str  #: Why, in a sentence about these data.
    source: str  #: Who says so.
    call: str  #: How Python runs it; `comparison`, `systems`, `a` and `b` stand for the data.
    unit: str | None = None  #: What it takes to be independent.
    statistic_name: str | None = None  #: What the statistic is, where the test was run.
    statistic: float | None = None  #: Its value, A minus B where it has a sign.
    #: pvalue, log_pvalue: where the test was run; the natural logarithm where the test has it.
    pvalue: float | None = None
    log_pvalue: float | None = None


@dataclass(frozen=True, kw_only=True, repr=False)
class Recommendation(Shown):
    """Which test is sound on some data, and which are not: see :func:`csig.recommend`."""

    metric: str  #: What is compared.
    names: tuple[str, ...]  #: The systems; of two A is the first.
    rows: str  #: What a row of the data is: "items", "folds", "datasets".
    unit: str  #: What the recommended test takes to be independent: the largest unit that is known.
    n_units: int  #: How many there are; of single responses those that one system has alone.
    #: Those by whose swap the metric can change; None for three systems or more.
    n_differ: int | None = None
    #: The smallest two-sided p-value that swapping so many units can reach; 0 where a double cannot
    #: hold it.
    least_pvalue: float | None = None
    #: r12, independence_cost: the correlation of the systems' results on single items, and the
    #: factor by which tests of independent samples overestimate the difference's standard
    #: deviation; None where they are not known.
    r12: float | None = None
    independence_cost: float | None = None
    skewness: float | None = None  #: Of the units' differences, of a metric that has some.
    facts: tuple[str, ...]  #: What the data are, in sentences.
    doubts: tuple[str, ...] = ()  #: What to know before believing any p-value.
    tests: ShownTuple[Advice]  #: The recommended test first, then all others by their verdicts.
    #: What reproduces the p-values that are drawn, where the tests were run.
    seed: Seed | None = None

    @property
    def test(self) -> Advice:
        """The recommended test."""
        return self.tests[0]

    @property
    def unsound(self) -> ShownTuple[Advice]:
        """The tests that are unsound on these data."""
        return ShownTuple(own for own in self.tests if own.verdict == "unsound")

    def __getitem__(self, test: str) -> Advice:
        """What is said of a test, by its name."""
        known = {own.test: own for own in self.tests}
        if test not in known:
            raise InputError(
                f"no test {test!r}{perhaps(test, known)}; there are {first_few(known, 40)}"
            )
        return known[test]

    def _line(self) -> str:
        own = self.test
        p = "" if own.pvalue is None else f", p = {pvalue(own.pvalue, own.log_pvalue)}"
        bad = len(self.unsound)
        return f"{self.metric}: {own.test}{p}; {count(bad)} of {len(self.tests)} tests unsound"


class Drawing:
    """What tests that draw are given, checked, and the alternative of all."""

    def __init__(
        self,
        rng: streams.Seed = None,
        bit_generator: str | streams.Factory | None = None,
        *,
        alternative: Alternative = "two-sided",
        n_resamples: int | None = None,
        bootstrap_resamples: int = RESAMPLES,
        threads: int | None = None,
        zero_division: int = 0,
        executor: object = None,
        notify: Any = None,
    ) -> None:
        n = YEH_RESAMPLES if n_resamples is None else n_resamples
        self.source = streams.make_source(rng, bit_generator)
        self.n_resamples = positive("n_resamples", n, 2**48)
        self.bootstrap_resamples = positive("bootstrap_resamples", bootstrap_resamples, 2**32)
        self.threads = None if threads is None else positive("threads", threads, 1024)
        self.zero_division = check_zero_division(zero_division)
        self.alternative = check_alternative(alternative)
        self.executor, self.notify = check_executor(executor), notify

    def beside(self, n_units: int) -> int:
        """Shuffles of a test that only stands beside another: a few seconds' worth."""
        return min(self.n_resamples, max(2**16, WORDS * 64 // max(1, n_units)))

    def resampled(self, n_units: int) -> int:
        """Resamples of a bootstrap test, likewise."""
        return min(self.bootstrap_resamples, max(999, WORDS // max(1, n_units)))

    def keywords(self, n_resamples: int | None = None) -> dict[str, Any]:
        """Those of a test that draws so many."""
        return {
            "rng": SeedSequence(self.source.entropy, spawn_key=self.source.spawn_key),
            "bit_generator": self.source.factory,
            "n_resamples": self.n_resamples if n_resamples is None else n_resamples,
            "threads": self.threads,
            "zero_division": self.zero_division,
            "alternative": self.alternative,
            "executor": self.executor,
            "progress": self.notify,
        }


class Candidate(NamedTuple):
    """A test with all that is said of it."""

    test: str
    call: str
    verdict: Soundness
    reason: str
    source: str
    unit: str | None = None
    run: Callable[[Drawing], Any] | None = None  # gives its result; None where it says nothing
    statistic: str | None = None

    def advice(self, drawing: Drawing | None) -> Advice:
        """What is said of it, with the statistic and the p-value where it is to be run."""
        advice = Advice(
            test=self.test, verdict=self.verdict, reason=self.reason, source=self.source,
            call=self.call, unit=self.unit,
        )  # fmt: skip
        if drawing is None or self.run is None or self.verdict == "does not apply":
            return advice
        found = self.run(drawing)
        if found is None:
            return advice
        log = getattr(found, "log_pvalue", None)
        return replace(
            advice,
            statistic_name=self.statistic,
            statistic=float(found.statistic),
            pvalue=float(found.pvalue),
            log_pvalue=None if log is None else float(log),
        )


def of_alternative(test: Callable[..., Any], *given: Any, **more: Any) -> Callable[[Drawing], Any]:
    """What runs a test that draws nothing."""
    return lambda drawing: test(*given, alternative=drawing.alternative, **more)


def nothing(tests: Iterable[tuple[str, str]], reason: str, source: str) -> list[Candidate]:
    """Tests, with their calls, that do not apply, all for the same reason."""
    return [Candidate(test, call, "does not apply", reason, source) for test, call in tests]


def refusal(run: Callable[[], Any]) -> str | None:
    """Why a test that is quickly run gives no p-value; None where it gives one."""
    try:
        found = run()
    except InputError as error:
        return str(error)
    numbers = (getattr(found, name, 0.0) for name in ("pvalue", "statistic"))
    if all(map(math.isfinite, numbers)):
        return None
    return "nothing varies: each system has the same result on all items"


def in_order(found: Sequence[Candidate]) -> list[Candidate]:
    """The recommended test is the first that was named; the others follow by their verdicts."""
    first, *others = found
    return [first, *sorted(others, key=lambda own: VERDICTS.index(own.verdict))]


# ---- sources -----------------------------------------------------------------------------------

#: Publications by the name and year that a short reference begins with.
SOURCES: Mapping[str, str] = {
    "Alpaydin 1999": "Alpaydin, E. (1999). Combined 5x2 cv F test for comparing supervised "
    "classification learning algorithms. Neural Computation 11(8).",
    "Benavoli et al. 2016": "Benavoli, A., Corani, G. and Mangili, F. (2016). Should we really use "
    "post-hoc tests based on mean-ranks? Journal of Machine Learning Research 17(5).",
    "Benjamini and Hochberg 1995": "Benjamini, Y. and Hochberg, Y. (1995). Controlling the false "
    "discovery rate: a practical and powerful approach to multiple testing. Journal of the Royal "
    "Statistical Society B 57.",
    "Berg-Kirkpatrick et al. 2012": "Berg-Kirkpatrick, T., Burkett, D. and Klein, D. (2012). An "
    "empirical investigation of statistical significance in NLP. EMNLP.",
    "Bestgen 2022": "Bestgen, Y. (2022). Please, don't forget the difference and the confidence "
    "interval when seeking for the state-of-the-art status. LREC; arXiv:2205.11134.",
    "Bouckaert and Frank 2004": "Bouckaert, R. and Frank, E. (2004). Evaluating the replicability "
    "of significance tests for comparing learning algorithms. PAKDD.",
    "Cochran 1950": "Cochran, W. (1950). The comparison of percentages in matched samples. "
    "Biometrika 37.",
    "Demšar 2006": "Demšar, J. (2006). Statistical comparisons of classifiers over multiple data "
    "sets. Journal of Machine Learning Research 7.",
    "Dietterich 1998": "Dietterich, T. (1998). Approximate statistical tests for comparing "
    "supervised classification learning algorithms. Neural Computation 10(7).",
    "Fagerland et al. 2013": "Fagerland, M., Lydersen, S. and Laake, P. (2013). The McNemar test "
    "for binary matched-pairs data: mid-p and asymptotic are better than exact conditional. BMC "
    "Medical Research Methodology 13:91.",
    "Holm 1979": "Holm, S. (1979). A simple sequentially rejective multiple test procedure. "
    "Scandinavian Journal of Statistics 6.",
    "Koehn 2004": "Koehn, P. (2004). Statistical significance tests for machine translation "
    "evaluation. EMNLP.",
    "Konietschke and Pauly 2014": "Konietschke, F. and Pauly, M. (2014). Bootstrapping and "
    "permuting paired t-test type statistics. Statistics and Computing 24.",
    "Nadeau and Bengio 2003": "Nadeau, C. and Bengio, Y. (2003). Inference for the generalization "
    "error. Machine Learning 52.",
    "Noreen 1989": "Noreen, E. (1989). Computer-Intensive Methods for Testing Hypotheses. Wiley.",
    "Riezler and Maxwell 2005": "Riezler, S. and Maxwell, J. (2005). On some pitfalls in automatic "
    "evaluation and significance testing for MT. ACL workshop.",
    "Romano and Wolf 2005": "Romano, J. and Wolf, M. (2005). Exact and approximate stepdown "
    "methods for multiple hypothesis testing. Journal of the American Statistical Association 100.",
    "Shaffer 1986": "Shaffer, J. (1986). Modified sequentially rejective multiple test procedures. "
    "Journal of the American Statistical Association 81.",
    "Smucker et al. 2007": "Smucker, M., Allan, J. and Carterette, B. (2007). A comparison of "
    "statistical significance tests for information retrieval evaluation. CIKM.",
    "Sugden et al. 2000": "Sugden, R., Smith, T. and Jones, R. (2000). Cochran's rule for simple "
    "random sampling. Journal of the Royal Statistical Society B 62, 787-793.",
    "Yeh 2000": "Yeh, A. (2000). More accurate tests for the statistical significance of result "
    "differences. COLING.",
}


def publications(references: Iterable[str]) -> list[str]:
    """The publications that short references name, in the order of their authors."""
    named = {part.strip() for own in references for part in own.split(";")}
    keys = {re.split(r",? (?:sections?|pages?) ", part)[0].rstrip(",") for part in named}
    return [text for key, text in SOURCES.items() if key in keys]
