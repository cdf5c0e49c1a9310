"""From what to read and what to ask to what is reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest

import csig
from csig.answers.gathering import gathered
from csig.base.errors import InputError
from csig.base.validation import Alternative
from csig.comparing.options import Options
from csig.comparing.summary import Summary, Systems
from csig.readers.data import CountsData, Data
from csig.readers.request import Input, OptionError, Request

BASE = [i % 3 for i in range(16)]
X = [value + 1 for value in BASE]
Y = [value + (-1) ** i for i, value in enumerate(BASE)]


def test_results_are_those_of_the_test(summary: Summary, systems: Systems) -> None:
    for found, a in ((summary, X), (systems.summaries[0], X), (systems.summaries[1], Y)):
        expected = csig.randomization_test(csig.Comparison.from_scores(a, BASE), "mean", rng=5)
        assert found.results["mean"].pvalue == expected.pvalue
        assert found.results["mean"].statistic == expected.statistic


def test_options_say_what_was_done(summary: Summary, options: Options) -> None:
    assert summary.options == replace(options, metrics=("mean",), unit="unit")


def test_without_a_seed_there_is_one_for_all_tests(table: str, options: Options) -> None:
    asked = replace(options, seed=None, method="approximate")
    found = gathered(Request(files=(table,), ignore=("story",)), asked)
    assert isinstance(found, Systems)
    seeds = {own.results["mean"].seed.entropy for own in found.summaries}  # type: ignore[union-attr]
    assert len(seeds) == 1


def test_every_unit_that_is_known(table: str, options: Options) -> None:
    request = Request(files=(table,), system=("x", "base"), cluster="story")
    found = gathered(request, replace(options, sensitivity=True))
    assert isinstance(found, Summary)
    pvalues = {unit: own["mean"].pvalue for unit, own in found.sensitivity.items()}
    assert pvalues == {"unit": 2**-15, "story": 2**-3}
    assert found.trust is not None


def test_rows_of_parts(table: str, options: Options) -> None:
    request = Request(files=(table,), system=("x", "base"), by="story", id="id")
    found = gathered(request, replace(options, by="story"))
    assert isinstance(found, Summary)
    assert found.breakdown is not None
    pvalues = [part.results["mean"].pvalue for part in found.breakdown.parts]
    assert pvalues == [2**-3] * 4


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"risk": 1e-6}, "--decide"),
        ({"by": "story"}, "--by is for two systems, found 3"),
        ({"method": "yeh2000"}, "--method yeh2000"),
    ],
)
def test_what_does_not_go_with_three_systems_in_a_table(
    table: str, options: Options, changes: dict[str, object], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        gathered(Request(files=(table,), ignore=("story",)), replace(options, **changes))  # type: ignore[arg-type]


def test_one_system_is_too_few(table: str, options: Options) -> None:
    with pytest.raises(InputError, match="one system"):
        gathered(Request(files=(table,), system=("x",), ignore=("story",)), options)


@dataclass(frozen=True)
class OfTwoKinds(CountsData):
    """Errors, and what is right, of the same items."""

    def comparison(self, a: int, b: int) -> csig.Comparison:
        rows = [[[own, 3 - own, 3] for own in values] for values in (BASE, [1, 0, 2, 3] * 4)]
        columns = ("errors", "correct", "items")
        return csig.Comparison.from_statistics(rows[a], rows[b], columns, ids=range(16))

    def metrics(self, wanted: Sequence[str], lower: bool = False) -> list[str | csig.Metric]:
        return ["error_rate", "accuracy"]

    def parts(self, by: str) -> dict[str, Data]:
        return {"one": self, "same": self}


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("by", [None, "x"])
def test_metrics_of_both_kinds_have_the_same_shuffles(
    alternative: Alternative, by: str | None, options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error rate is 1 - accuracy: asked in one call, the same seed gives the same hits."""
    data = OfTwoKinds(Input("counts", {}), ("a", "b"), csig.Comparison.from_scores([1], [2]))
    monkeypatch.setattr("csig.answers.gathering.read", lambda *_: data)
    asked = replace(
        options, metrics=("x", "y"), alternative=alternative, method="approximate", by=by
    )
    found = gathered(Request(), asked)
    assert isinstance(found, Summary)
    several = [found.results]
    if by is not None:
        assert found.breakdown is not None
        several += [part.results for part in found.breakdown.parts]
        assert found.breakdown.metrics == ("error_rate", "accuracy")
    for own in several:
        errors, right = own.values()
        assert list(own) == ["error_rate", "accuracy"]
        assert (errors.n_hits, errors.pvalue) == (right.n_hits, right.pvalue)
        assert errors.statistic == -right.statistic > 0
    if alternative != "two-sided" and by is None:
        assert {errors.alternative, right.alternative} == {"greater", "less"}
        assert (errors.pvalue < 0.5) == (alternative == "less")
