"""Everything about one comparison, of two systems and of several: gathered, and as flat rows."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
from brute import textbook_holm
from places import DOCS

import csig
from csig.answers.gathering import gathered
from csig.comparing.options import Options
from csig.comparing.summary import Summary, Systems, rows, rows_of_systems
from csig.readers.data import CountsData, Data
from csig.readers.request import Input, OptionError, Request

BASE = [i % 3 for i in range(16)]


def test_every_unit_that_is_known(table: str, options: Options, summary: Summary) -> None:
    """Units are trusted only where several were tested."""
    request = Request(files=(table,), system=("x", "base"), cluster="story")
    found = gathered(request, replace(options, sensitivity=True))
    assert isinstance(found, Summary)
    pvalues = {unit: own["mean"].pvalue for unit, own in found.sensitivity.items()}
    assert pvalues == {"unit": 2**-15, "story": 2**-3}
    assert found.trust is not None
    assert summary.trust is None
    asked = replace(options, seed=None, method="approximate")  # one seed for all tests
    several = gathered(Request(files=(table,), ignore=("story",)), asked)
    assert isinstance(several, Systems)
    assert len({own.results["mean"].seed.entropy for own in several.summaries}) == 1  # type: ignore[union-attr]


@pytest.mark.parametrize(("systems", "changes", "message"), [
    ((), {"risk": 1e-6}, "--decide"),
    ((), {"by": "story"}, "--by is for two systems, found 3"),
    ((), {"method": "yeh2000"}, "--method yeh2000"),
    (("x",), {}, "one system"),
])  # fmt: skip
def test_what_does_not_go_with_so_many_systems(table, options, systems, changes, message):
    request = Request(files=(table,), system=systems, ignore=("story",))
    with pytest.raises(OptionError if changes else csig.InputError, match=message):
        gathered(request, replace(options, **changes))  # type: ignore[arg-type]


@dataclass(frozen=True)
class OfTwoKinds(CountsData):
    """Errors, and what is right, of the same items."""

    def comparison(self, a: int, b: int) -> csig.Comparison:
        rows = [[[own, 3 - own, 3] for own in values] for values in (BASE, [1, 0, 2, 3] * 4)]
        columns = ("errors", "correct", "items")
        return csig.Comparison.from_statistics(rows[a], rows[b], columns, id=range(16))

    def metrics(self, wanted: Sequence[str], lower: bool = False) -> list[str | csig.Metric]:
        return ["error_rate", "accuracy"]

    def parts(self, by: str) -> dict[str, Data]:
        return {"one": self, "same": self}


@pytest.mark.parametrize(("alternative", "by"), [
    ("two-sided", None), ("greater", None), ("less", None), ("less", "x"),
])  # fmt: skip
def test_metrics_of_both_kinds_have_the_same_shuffles(alternative, by, options, monkeypatch):
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


# ---- what is said of it --------------------------------------------------------------------------


def test_what_is_said_of_all_metrics_is_said_once(summary: Summary, systems: Systems) -> None:
    """What the files brought to light comes first, with the name of one of several systems."""
    source = Input("scores", {}, notes=("a note",), cautions=("a caution",))
    found = replace(summary, input=source)
    assert (found.notes[0], found.cautions[0]) == ("a note", "a caution")
    first, second = systems.summaries
    odd = replace(first.input, cautions=("odd",))
    one = Systems([replace(first, input=odd), second])
    both = Systems([replace(first, input=odd), replace(second, input=odd)])
    assert "x: odd" in one.cautions
    assert "odd" in both.cautions
    (result,) = summary.results.values()
    results = {"f1": result, "recall": result}
    comparisons = dict.fromkeys(results, summary.comparison)
    found = replace(summary, results=results, comparisons=comparisons)
    for lines in (found.notes, found.cautions):
        assert len(lines) == len(set(lines))
    assert set(summary.cautions) <= set(found.cautions)


def test_flat_rows(summary: Summary, systems: Systems) -> None:
    """With the columns of the docs."""
    (row,) = rows(summary)
    result = summary.results["mean"]
    expected = {
        "system": "x", "baseline": "base", "metric": "mean", "pvalue": result.pvalue,
        "difference": result.statistic, "adjusted_pvalue": None, "verdict": "significant",
        "better": "x", "n_system_better": 16, "n_baseline_better": 0, "n_ties": 0, "n_differ": 16,
        "n_units": 16, "by": None, "part": None,
        "low": None, "interval_method": None,  # all units differ by the same
    }  # fmt: skip
    assert {name: row[name] for name in expected} == expected
    assert row["difference"] == row["score"] - row["baseline_score"]
    page = (DOCS / "output.md").read_text(encoding="utf-8")
    table = page[page.index("| column |") :].partition("\n\n")[0]
    first = [line.split("|")[1] for line in table.splitlines()[2:]]
    assert sorted(re.findall(r"`(\w+)`", " ".join(first))) == sorted(row)
    adjusted = textbook_holm([own.result.pvalue for own in systems.rows("mean")])
    x, y = rows_of_systems(systems)
    assert [x["adjusted_pvalue"], y["adjusted_pvalue"]] == pytest.approx(adjusted, rel=1e-15)
    interval = csig.intervals.inverted_interval(systems.summaries[1].comparison, "mean")
    assert (y["low"], y["high"]) == (interval.low, interval.high)
    assert (x["system"], y["system"]) == ("x", "y")
    assert {x["baseline"], y["baseline"]} == {"base"}
    assert (y["verdict"], y["better"]) == ("not significant", None)
    assert list(x) == list(y) == list(rows(systems.summaries[0])[0])
