"""The result of a classical test: one class for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from csig.base.shown import Shown
from csig.base.validation import Alternative


@dataclass(frozen=True, kw_only=True, repr=False)
class TestResult(Shown):
    """The result of a classical test.

    It unpacks as ``statistic, pvalue``, like those of scipy. What else a test says is in `details`,
    and an attribute, too: ``result.n_a`` of a sign test. Each test's docstring lists it.
    """

    __test__ = False  # pytest collects classes by their names

    #: "sign", "paired t", "Wilcoxon", "McNemar", "Cochran's Q"; of folds "corrected resampled t",
    #: "k-fold t", "5x2cv t", "5x2cv F"; of independent samples "t", "proportions", "chi-square".
    test: str
    statistic: float  #: What the test computes: a count, t, z, F, chi-square or a rank sum.
    pvalue: float  #: 1 if nothing differs; NaN if the test is not defined on these data.
    alternative: Alternative  #: "two-sided", "less" or "greater", of A minus B.
    assumes: str  #: What the test assumes, in plain words.
    degrees_of_freedom: float | tuple[int, int] | None = (
        None  #: Two of F; None where there are none.
    )
    difference: float | None = None  #: A's score minus B's; None where the test has none.
    details: Mapping[str, Any] = field(default_factory=dict, hash=False)  #: What else is known.
    names: tuple[str, ...] = field(default=("A", "B"), compare=False)  #: The systems' names.
    line: str = field(default="", compare=False)  #: What ``repr`` says.

    def _line(self) -> str:
        return self.line

    def __iter__(self) -> Iterator[float]:
        return iter((self.statistic, self.pvalue))

    def __len__(self) -> int:
        return 2

    def __getitem__(self, place: int) -> float:
        return (self.statistic, self.pvalue)[place]

    def __getattr__(self, name: str) -> Any:
        own = vars(self)  # empty while a copy is made
        if name in own.get("details", {}):
            return own["details"][name]
        raise AttributeError(f"the result of a {own.get('test')} test has no {name!r}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.details]
