"""What `csig.compare` returns."""

import json
import pickle

import pandas
import pytest

import csig

BASE = [0.25, 0.5, 0.5, 0.75, 0.25, 0.5, 0.0, 0.5, 0.25, 0.75]
NEW = [0.5, 0.75, 0.5, 1.0, 0.5, 0.75, 0.25, 0.5, 0.5, 1.0]
BAD = [0.0, 0.25, 0.25, 0.5, 0.0, 0.25, 0.0, 0.25, 0.0, 0.5]
TWO = csig.compare({"base": BASE, "new": NEW})
MANY = csig.compare({"base": BASE, "new": NEW, "bad": BAD})


def test_two_systems_are_a_mapping_from_metric():
    assert list(TWO) == ["mean"]
    result = TWO["mean"]
    assert (result.system, result.baseline, result.metric) == ("new", "base", "mean")
    assert result.difference == pytest.approx(sum(NEW) / 10 - sum(BASE) / 10)
    # Exact: 8 units differ, all in one direction.
    assert result.pvalue == result.adjusted_pvalue == 2 / 2**8
    assert result.verdict == "significant"
    assert result.better == "new"
    assert result.interval.low < result.difference < result.interval.high
    assert (result.effect.a_better, result.effect.b_better) == (8, 0)
    assert TWO["new", "mean"] is result
    assert "f1" not in TWO
    assert TWO.get("f1") is None


def test_several_systems_are_a_mapping_from_system_and_metric():
    assert list(MANY) == [("new", "mean"), ("bad", "mean")]
    assert MANY.systems == ("base", "new", "bad")
    assert MANY.baseline == "base"
    assert MANY.metrics == ("mean",)
    new, bad = MANY.values()
    # 8 and 9 units differ, each in one direction; Holm doubles the smaller p.
    assert (new.pvalue, bad.pvalue) == (2 / 2**8, 2 / 2**9)
    assert (new.adjusted_pvalue, bad.adjusted_pvalue) == (2 / 2**8, 4 / 2**9)
    assert (new.better, bad.better) == ("new", "base")
    assert bad.difference < 0
    assert list(MANY.comparisons) == ["new", "bad"]
    assert MANY.comparisons["bad"].names == ("bad", "base")


@pytest.mark.parametrize(
    ("found", "key", "message"),
    [
        (TWO, "meen", r"no result 'meen' \(did you mean 'mean'\?\); there are 'mean'"),
        (TWO, ("old", "mean"), "no result"),
        (MANY, "mean", r"several systems need two names, as \('new', 'mean'\)"),
        (MANY, ("nwe", "mean"), r"did you mean 'new'\?"),
    ],
)
def test_a_wrong_key_is_a_key_error_that_says_what_there_is(found, key, message):
    with pytest.raises(KeyError) as error:
        found[key]
    assert isinstance(error.value, csig.InputError)
    with pytest.raises(csig.InputError, match=message):
        found[key]


def test_a_line_each_and_after_pickling():
    assert repr(TWO) == "<Compared new - base, mean: p = 0.00781>"
    assert repr(MANY) == "<Compared 2 systems - base, mean>"
    assert repr(TWO["mean"]).startswith("<ComparedResult mean: new - base = +0.2 (+0.12")
    assert repr(TWO["mean"]).endswith("p = 0.00781>")
    again = pickle.loads(pickle.dumps(MANY))
    assert dict(again) == dict(MANY)
    assert str(again) == str(MANY)


def test_text_and_every_format_in_python_words():
    assert str(TWO).startswith("new beats base on the mean.\n")
    assert "summary(explain=True) says what this means." in " ".join(str(TWO).split())
    assert "--" not in str(MANY) + MANY.summary(explain=True)
    assert "<table" in TWO._repr_html_()
    assert "\\toprule" in MANY.summary("latex")
    assert len(MANY.summary("csv").splitlines()) == 1 + len(MANY.to_frame("pandas"))
    assert "new" in str(TWO["mean"])


def test_frames_have_a_row_per_result():
    frame = MANY.to_frame("pandas")
    assert isinstance(frame, pandas.DataFrame)
    assert frame["difference"].tolist() == [own.difference for own in MANY.values()]
    assert frame["adjusted_pvalue"].tolist() == [own.adjusted_pvalue for own in MANY.values()]
    assert MANY.to_frame("polars")["pvalue"].to_list() == frame["pvalue"].tolist()


def test_reasons_stand_where_an_interval_would():
    same = csig.compare({"base": BASE, "new": BASE})
    assert same["mean"].interval is None or same["mean"].interval.low == 0
    none = csig.compare({"base": BASE, "new": NEW}, interval="none")["mean"]
    assert (none.interval, none.interval_reason) == (None, None)


@pytest.mark.filterwarnings("ignore::csig.DataWarning")
def test_units_and_parts():
    ids = [f"q{i}" for i in range(10)]
    topics = [f"t{i // 2}" for i in range(10)]
    frame = pandas.DataFrame({"id": ids, "topic": topics, "base": BASE, "new": NEW})
    found = csig.compare(frame, cluster="topic", by="topic", sensitivity=True)
    assert list(found["mean"].by_unit) == ["unit", "topic"]
    assert found.unit == "topic"
    assert list(found.breakdown) == ["t0", "t1", "t2", "t3", "t4"]


@pytest.mark.filterwarnings("ignore::csig.DataWarning")
def test_what_is_said_names_arguments_of_python():
    """In doubts, notes, the report and its record, whenever it is asked for; not in other calls."""
    scores = {"base": [0.1] * 9 + [0.9], "new": [0.2] * 9 + [0.1]}
    found = csig.compare(scores, method="approximate", n_resamples=99, rng=1, alpha=0.3)
    said = json.dumps(found.to_dict(), default=str) + found.summary(explain=True)
    assert "--" not in said.replace("-----", "")
    assert "--" not in str([found.doubts, found.notes])
    files = [f"examples/digits/{name}.tsv" for name in ("gold", "nearest-centroid", "gold")]
    for function, name in ((csig.compare, "unit='document'"), (csig.read, "--unit document")):
        with pytest.raises(csig.InputError, match=f"{name} is not possible here"):
            dict(function(*files, unit="document").comparisons)


def test_differences_are_drawn_as_a_forest():
    pytest.importorskip("matplotlib")
    for axes, expected in (
        (TWO.plot(), ["Mean"]), (TWO["mean"].plot("forest"), ["Mean"]),
        (MANY.plot(), ["new", "bad"]), (MANY.plot(metric="mean"), ["new", "bad"]),
    ):  # fmt: skip
        assert [own.get_text() for own in axes.get_yticklabels()] == expected
    assert TWO["mean"].plot().get_title("left").startswith("Mean: p = 0.00781")
    assert TWO["mean"].test.plot("null") is not None
    for plot, message in (
        (lambda: TWO.plot("null"), r"found\['mean'\]\.plot\('null'\)"),
        (lambda: MANY.plot(metric="meen"), "no result 'meen'"),
        (lambda: TWO["mean"].plot("sensitivity"), "only one unit is known"),
    ):
        with pytest.raises(csig.InputError, match=message):
            plot()


def test_which_units_make_a_difference():
    found = TWO.unit_contributions()
    assert found.names == ("new", "base")
    assert found.values.sum() == pytest.approx(TWO["mean"].difference)
    assert MANY.unit_contributions(("bad", "mean")).difference == MANY["bad", "mean"].difference
    frame = TWO.units_frame(n=2, library="pandas")
    assert frame["contribution"].tolist() == [0.025, 0.025]
    assert len(TWO.units_frame("mean", library="pandas")) == 10
    with pytest.raises(csig.InputError, match=r"key: name one of \('new', 'mean'\)"):
        MANY.units_frame()
