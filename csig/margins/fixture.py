"""The fixture ``csig_gate`` of pytest: a test that fails where a system is worse."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from csig.margins.gate import GateResult
    from csig.margins.testing import MarginKind


def csig_gate(
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

    files = [isinstance(own, (str, os.PathLike)) for own in (base, new)]
    if all(files):
        tests = csig.read(base, new, metric=metric).tests(1, 0)
        names = [own for several, _ in tests for own in several]
        if len(names) > 1:
            raise csig.InputError(f"metric: a gate has one, found {', '.join(map(str, names))}")
        wanted, comparison = names[0], tests[0][1]
    elif any(files):
        raise csig.InputError("csig_gate takes two files, or the scores of two systems")
    else:
        comparison = csig.Comparison.from_scores(new, base, names=("new", "base"))
        wanted = "mean" if metric is None else metric
    found = csig.gate(comparison, wanted, margin, margin_kind=margin_kind, alpha=alpha, rng=0)
    design = "" if found.design is None else f"\n{found.design.sentence}"
    if found.verdict == "INCONCLUSIVE" and inconclusive:
        warnings.warn(f"{found.sentence}{design}", csig.DataWarning, stacklevel=2)
    elif found.verdict != "PASS":
        pytest.fail(f"{found.sentence}{design}", pytrace=False)
    return found


@pytest.fixture(name="csig_gate")
def fixture() -> Callable[..., GateResult]:
    """A gate that fails the test unless ``new`` is not worse than ``base`` by more than a margin.

    Called as ``csig_gate(base, new, margin=1)``: with scores of the same items (sequences, or
    {id: score}), or with two files that :func:`csig.read` reads. `metric`, `margin_kind` and
    `alpha` are those of :func:`csig.gate`, whose result it returns; with ``inconclusive=True`` data
    that show neither warn and do not fail.
    """
    return csig_gate
