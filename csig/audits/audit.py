"""The audit: is the answer what the procedure gives, and can others reproduce it?

Yeh (2000, section 3.3) warns that an approximate test may mislead through bad luck or a bad
generator, and checks for both: a second run, and recall's p-value from the same shuffles against
the sign test. The sign test is blind to spurious responses, so there are more checks, and they
look at every metric. ``docs/audit.md`` lists them.

A check that has a p-value fails below `csig.audits.outcome.RISK` divided by the number of such
checks, so that a faultless audit fails with probability at most 1e-6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from csig import streams
from csig.audits import checks
from csig.audits.checks import Context, make_context
from csig.audits.generator import check_source
from csig.audits.outcome import Audit, Check, decided
from csig.audits.records import OPTIONS, check_size, make_record
from csig.base.errors import InputError, in_python, warn
from csig.base.shown import ShownTuple
from csig.base.validation import Alternative, between
from csig.comparing.options import direction
from csig.data.comparison import Comparison
from csig.data.metrics import Metric, get_all
from csig.engines.base import EDITION
from csig.engines.pool import Progress
from csig.engines.tasks import EXACT_BUDGET, make_task
from csig.results.randomization import Results

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from csig.readers.reading import ReadOptions

#: All checks, in the order of the records and the docs.
CHECKS: tuple[Callable[[Context], list[Check]], ...] = (
    checks.check_runs,
    checks.check_sign_test,
    checks.check_exact,
    checks.check_symmetry,
    check_source,
    checks.check_replay,
    checks.check_threads,
    checks.check_independence,
    checks.check_dependence,
    checks.check_resolution,
    checks.check_metric_itself,
)


def audit(
    *inputs: object,
    metric: str | Metric | Iterable[str | Metric] | None = None,
    systems: str | Sequence[str] | None = None,
    baseline: str | None = None,
    id: object = None,
    cluster: object = None,
    gold: object = None,
    positive: str | None = None,
    unit: str | None = None,
    lower_is_better: bool | None = None,
    alternative: Alternative = "two-sided",
    n_resamples: int | None = None,
    rng: streams.Seed = None,
    bit_generator: str | streams.Factory | None = None,
    threads: int | None = None,
    zero_division: int = 0,
    pvalue_confidence: float = 0.99,
    alpha: float = 0.05,
    exact_budget: int = EXACT_BUDGET,
    allow_bad_generator: bool = False,
    executor: Executor | None = None,
    progress: Progress | bool | None = None,
    **reading: Unpack[ReadOptions],
) -> Audit:
    """Check whether a comparison's p-values are right and can be reproduced.

    Parameters
    ----------
    *inputs
        A :class:`csig.Comparison`, which the metric may follow; or what else
        :func:`csig.compare` takes, of two systems. The first is the baseline, B.
    metric : str, Metric, or several of them
        By default those that suit the data.
    systems, baseline, id, cluster, gold, positive, unit, lower_is_better
        As for :func:`csig.compare`. A comparison has its own, but for the unit.
    alternative, n_resamples, rng, bit_generator, threads
        As for :func:`csig.randomization_test`; but "greater" asks whether the system is better
        than the baseline, also where less is better.
    zero_division, pvalue_confidence, exact_budget
        As there. All p-values from the audit's own shuffles are approximate; the exact ones are
        given beside them.
    alpha : float
        The significance level of the verdicts.
    allow_bad_generator : bool
        Whether RANDU may be audited: "randu" or "randu-top" as ``bit_generator``.
    executor : concurrent.futures.Executor, optional
        Draws the shuffles of the runs, as in :func:`csig.randomization_test`; all checks are made
        here.
    progress : callable or True, optional
        Called as ``progress(done, total)`` during the runs.
    **reading
        How files are read: the other keywords of :func:`csig.read`.

    Returns
    -------
    Audit
        With all checks; ``audit.passed`` is whether none failed, ``audit.record`` is what
        :func:`csig.verify` recomputes it from. The record has the data, not the files' names.

    Warns
    -----
    DataWarning
        Once for everything that looks wrong in files, and for a system that is the gold or has no
        responses.

    Raises
    ------
    InputError
        For anything that cannot be used, for more than two systems, and for several runs of each.

    References
    ----------
    Yeh, A. (2000). More accurate tests for the statistical significance of result
    differences. COLING. Section 3.3.

    Examples
    --------
    >>> import csig
    >>> comparison = csig.Comparison.from_counts(gold=103, both_correct=19, only_a_correct=28,
    ...     only_b_correct=6, both_spurious=5, only_a_spurious=43, only_b_spurious=9)
    >>> found = csig.audit(comparison, ["recall", "f1"], n_resamples=2**17, rng=1)
    >>> found.passed, found.failed
    (True, ())
    >>> [check.kind for check in found.checks if check.passed is None]
    ['independence', 'dependence', 'metric itself']

    Scores, of which the first are the baseline's:

    >>> scores = {"base": [0.2, 0.5, 0.5, 0.2, 0.5], "new": [0.4, 0.7, 0.5, 0.4, 0.7]}
    >>> csig.audit(scores, metric="mean", n_resamples=2**12, rng=1).exact["mean"].pvalue
    0.125
    """
    given = {**locals()}  # every parameter
    from csig.readers.data import one_group
    from csig.readers.objects import check_reading, read_of, several
    from csig.readers.request import role_cautions

    inputs = check_reading("csig.audit", inputs, given, reading)
    n = sum(isinstance(own, Comparison) for own in inputs)
    if n > 1:
        raise InputError(f"inputs: an audit is of one csig.Comparison, found {n}; audit each")
    with in_python():
        wanted = several("metric", given["metric"], (str, Metric), "names or csig.Metrics")
        read = read_of(inputs, wanted, given, reading)
        if len(read.names) != 2:
            raise InputError(
                f"an audit is of two systems, found {len(read.names)}; choose them with systems="
            )
        metrics, data = one_group(read.groups)
        comparison = data.at(*read.pairs[0], read.unit)
        alternative = direction(comparison, metrics, alternative)
    for caution in dict.fromkeys([*data.source.cautions, *role_cautions(comparison)]):
        warn(caution)
    return audit_of_edition(
        EDITION, comparison, metrics, alternative=alternative, n_resamples=n_resamples, rng=rng,
        bit_generator=bit_generator, threads=threads, zero_division=zero_division,
        pvalue_confidence=pvalue_confidence, alpha=alpha, exact_budget=exact_budget,
        allow_bad_generator=allow_bad_generator, executor=executor, progress=progress,
    )  # fmt: skip


def audit_of_edition(
    edition: int,
    comparison: Comparison,
    metrics: str | Metric | Iterable[str | Metric],
    *,
    alpha: float,
    allow_bad_generator: bool,
    progress: Progress | bool | None = None,
    **options: Any,
) -> Audit:
    """Run an audit with the checks of a given version of records."""
    between("alpha", alpha)
    if comparison.runs is not None and comparison.runs.n > 1:
        raise InputError(
            f"comparison: a record of an audit holds no runs, found {comparison.runs.n} of each "
            "system; audit one run of each, or csig.Comparison.from_statistics of the sums over "
            "the runs"
        )
    wanted = get_all(metrics, comparison.columns)
    task = make_task(
        comparison, method="approximate", allow_bad_generator=allow_bad_generator,
        edition=edition, **options,
    )  # fmt: skip
    check_size(comparison, task.n_resamples, task.exact_budget)
    context = make_context(task, wanted, alpha=alpha, edition=edition, progress=progress)
    found = [check for look in CHECKS for check in look(context)]
    names = {metric.name for metric in wanted}
    return Audit(
        comparison,
        Results(context.results),
        Results({name: own for name, own in context.exact.items() if name in names}),
        context.runs,
        ShownTuple(decided(found, edition)),
        alpha,
        {name: getattr(task, name) for name in OPTIONS}
        | {"allow_bad_generator": allow_bad_generator, "metrics": tuple(wanted)},
        make_record,
    )
