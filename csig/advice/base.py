"""What is said of a test: sound or not on these data, and why."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

from csig.defaults import RESAMPLES, YEH_RESAMPLES
from csig.errors import InputError
from csig.validation import Alternative

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import SeedSequence

    from csig.streams import Factory

__all__ = ["VERDICTS", "Advice", "Candidate", "Drawing", "Soundness", "in_order", "nothing", "run"]

#: Words, or units, that a test which stands beside another may draw.
WORDS = 2**29

#: What can be said of a test, the best first.
Soundness: TypeAlias = Literal[
    "sound", "approximate", "sound, but asks something else", "unsound", "does not apply"
]
VERDICTS: tuple[Soundness, ...] = get_args(Soundness)


@dataclass(frozen=True, kw_only=True)
class Advice:
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


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """What tests that draw are given, and the alternative of all."""

    seed: SeedSequence
    bit_generator: Factory | None = None
    n_resamples: int = YEH_RESAMPLES
    bootstrap_resamples: int = RESAMPLES
    threads: int | None = None
    zero_division: int = 0
    alternative: Alternative = "two-sided"
    executor: Any = None
    progress: Any = None

    def beside(self, n_units: int) -> int:
        """Shuffles of a test that only stands beside another: a few seconds' worth.

        >>> from numpy.random import SeedSequence
        >>> Drawing(seed=SeedSequence(1)).beside(10**6)
        65536
        """
        return min(self.n_resamples, max(2**16, WORDS * 64 // max(1, n_units)))

    def resampled(self, n_units: int) -> int:
        """Resamples of a bootstrap test, likewise."""
        return min(self.bootstrap_resamples, max(999, WORDS // max(1, n_units)))

    def keywords(self, n_resamples: int) -> dict[str, Any]:
        """Those of a test that draws so many."""
        return {
            "rng": self.seed,
            "bit_generator": self.bit_generator,
            "n_resamples": n_resamples,
            "threads": self.threads,
            "zero_division": self.zero_division,
            "alternative": self.alternative,
            "executor": self.executor,
            "progress": self.progress,
        }


class Candidate(NamedTuple):
    """A test with what is said of it; `run` gives its result, None where it has no p-value."""

    advice: Advice
    run: Callable[[Drawing], Any] | None = None
    statistic: str | None = None


def nothing(tests: Sequence[tuple[str, str]], reason: str, source: str) -> list[Candidate]:
    """Tests, with their calls, that do not apply, all for the same reason."""
    verdict: Soundness = "does not apply"
    return [
        Candidate(Advice(test=name, verdict=verdict, reason=reason, source=source, call=call))
        for name, call in tests
    ]


def refusal(run: Callable[[], Any]) -> str | None:
    """Why a test that is quickly run gives no p-value; None where it gives one.

    >>> refusal(lambda: None) is None
    True
    """
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
    return [first, *sorted(others, key=lambda own: VERDICTS.index(own.advice.verdict))]


def run(candidate: Candidate, drawing: Drawing) -> Advice:
    """The advice with the statistic and the p-value, where the test gives some."""
    advice = candidate.advice
    if candidate.run is None or advice.verdict == "does not apply":
        return advice
    found = candidate.run(drawing)
    if found is None:  # it says nothing of these data
        return advice
    log = getattr(found, "log_pvalue", None)
    return replace(
        advice,
        statistic_name=candidate.statistic,
        statistic=float(found.statistic),
        pvalue=float(found.pvalue),
        log_pvalue=None if log is None else float(log),
    )
