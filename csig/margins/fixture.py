"""The fixture ``csig_gate`` of pytest: a test that fails where a system is worse."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from csig.margins.gate import GateResult
    from csig.margins.sides import MarginKind


class Gate(Protocol):
    """What the fixture gives."""

    def __call__(
        self,
        base: Any,
        new: Any,
        *,
        margin: float,
        metric: str | None = None,
        margin_kind: MarginKind = "points",
        alpha: float = 0.05,
        inconclusive: bool = False,
    ) -> GateResult: ...


@pytest.fixture
def csig_gate() -> Gate:
    """A gate that fails the test unless ``new`` is not worse than ``base`` by more than a margin.

    Called as ``csig_gate(base, new, margin=1)``: with scores of the same items (sequences, or
    {id: score}), or with two files that :func:`csig.read` reads. `margin_kind` and `alpha` are
    those of :func:`csig.noninferiority_test`; with ``inconclusive=True`` data that show neither
    warn and do not fail. It returns what ``csig gate`` prints.
    """

    def check(
        base: Any,
        new: Any,
        *,
        margin: float,
        metric: str | None = None,
        margin_kind: MarginKind = "points",
        alpha: float = 0.05,
        inconclusive: bool = False,
    ) -> GateResult:
        __tracebackhide__ = True
        import csig  # for tests that have a gate
        from csig.margins.gate import gate

        if isinstance(base, (str, os.PathLike)):
            tests = csig.read(base, new, metric=metric).tests(1, 0)
            names = [own for several, _ in tests for own in several]
            if len(names) > 1:
                raise csig.InputError(f"metric: a gate has one, found {', '.join(map(str, names))}")
            wanted, comparison = names[0], tests[0][1]
        else:
            comparison = csig.Comparison.from_scores(new, base, names=("new", "base"))
            wanted = "mean" if metric is None else metric
        found = gate(
            comparison, csig.metrics.get(wanted, comparison.columns), margin,
            margin_kind=margin_kind, alpha=alpha, rng=0,
        )  # fmt: skip
        design = "" if found.design is None else f"\n{found.design.sentence}"
        if found.verdict == "INCONCLUSIVE" and inconclusive:
            warnings.warn(f"{found.sentence}{design}", csig.DataWarning, stacklevel=2)
        elif found.verdict != "PASS":
            pytest.fail(f"{found.sentence}{design}", pytrace=False)
        return found

    return check
