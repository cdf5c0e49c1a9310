"""How much the answer depends on the unit that is swapped.

The randomization test assumes that the units it swaps are independent of each other. Responses
in the same document, or questions about the same text, seldom are; ``docs/theory.md`` explains
why, and what follows. So the same comparison is tested once for every available unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, Unpack, overload

from numpy.random import SeedSequence

from csig import streams
from csig.base.errors import InputError
from csig.base.shown import Shown
from csig.base.validation import instance
from csig.base.wording import documented, pvalue
from csig.comparing.randomization import RandomizationOptions, randomization_test
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.results.randomization import RandomizationResult, Results

T = TypeVar("T")


class Sensitivity(Shown, dict[str, T], report="csig.comparing.parts"):
    """The results with every unit: a dictionary ``{unit: result}`` that shows itself."""

    __slots__ = ()

    def _line(self) -> str:
        def short(result: object) -> str:
            if isinstance(result, Mapping):
                return "/".join(short(own) for own in result.values())
            assert isinstance(result, RandomizationResult)
            return pvalue(result.pvalue, result.log_pvalue)

        return "p by unit: " + ", ".join(f"{unit} {short(own)}" for unit, own in self.items())


@overload
def sensitivity(  # type: ignore[overload-overlap]
    comparison: Comparison, metric: str | Metric, **options: Unpack[RandomizationOptions]
) -> Sensitivity[RandomizationResult]: ...


@overload
def sensitivity(
    comparison: Comparison, metric: Iterable[str | Metric], **options: Unpack[RandomizationOptions]
) -> Sensitivity[Results[RandomizationResult]]: ...


@documented
def sensitivity(
    comparison: Comparison,
    metric: str | Metric | Iterable[str | Metric],
    **options: Unpack[RandomizationOptions],
) -> Sensitivity[RandomizationResult] | Sensitivity[Results[RandomizationResult]]:
    """Test a comparison once for every unit that can be swapped.

    Parameters
    ----------
    %(comparison)s
    %(metrics)s
    **options
        Everything else that :func:`csig.randomization_test` takes; the seed is the same for
        every unit. Method "yeh2000" is for responses only and is refused.

    Returns
    -------
    Sensitivity
        A dict ``{unit: result}``, or for several metrics ``{unit: {metric name: result}}``, in the
        order of ``comparison.levels``, finest first.

    Notes
    -----
    Report the last one, that of the largest unit, even if you like another better: outputs that
    are correlated within a unit are then swapped together. Choosing the unit by its p-value means
    testing several times and reporting once. With few large units little can be significant; that
    is all that the data can show, and not a reason to swap smaller units.

    Examples
    --------
    >>> import csig
    >>> comparison = csig.Comparison.from_scores(
    ...     a=[1, 1, 1, 0, 1, 1, 1, 1], b=[0, 0, 0, 0, 1, 1, 0, 0],
    ...     clusters=["x", "x", "x", "y", "y", "y", "z", "z"], cluster_name="story")
    >>> found = csig.effects.sensitivity(comparison, "mean")
    >>> {unit: (result.n_units, result.pvalue) for unit, result in found.items()}
    {'unit': (5, 0.0625), 'story': (2, 0.5)}
    """
    instance("comparison", comparison, Comparison)
    if options.get("method") == "yeh2000":
        raise InputError("method 'yeh2000' is the paper's, for responses; use 'auto'")
    if not isinstance(metric, (str, Metric)):
        metric = list(metric)  # an iterator is read once
    # One seed for all: a generator would give other words each time, and None new entropy.
    source = streams.make_source(
        options.pop("rng", None),
        options.pop("bit_generator", None),
        allow_bad=options.get("allow_bad_generator", False),
    )
    options["rng"] = SeedSequence(source.entropy, spawn_key=source.spawn_key)
    options["bit_generator"] = source.factory
    found: Sensitivity[Any] = Sensitivity()
    for unit in comparison.levels:
        found[unit] = randomization_test(comparison.at(unit), metric, **options)
    return found
