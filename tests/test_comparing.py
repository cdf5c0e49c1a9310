"""`csig.compare`: the command line's numbers, from anything that holds scores; what it returns."""

import json
import pickle
import warnings
from functools import partial

import commands
import numpy as np
import pandas
import polars
import pytest
from brute import PAPER
from commands import run, write

import csig
from csig.answers.compare import IntervalMethod
from csig.base.defaults import INTERVALS, NO_INTERVAL

pytestmark = pytest.mark.usefixtures("remembered")
DIGITS = [
    f"examples/digits/{name}.tsv" for name in ("gold", "logistic-regression", "nearest-centroid")
]

RNG = np.random.default_rng(20001030)
BASE = np.round(RNG.random(120), 2)
TABLE = {
    "qid": [f"q{i}" for i in range(120)],
    "topic": [f"t{i % 12}" for i in range(120)],
    "base": BASE,
    "new": np.round(np.clip(BASE + RNG.normal(0.02, 0.1, 120), 0, 1), 2),
    "other": np.round(np.clip(BASE + RNG.normal(-0.02, 0.1, 120), 0, 1), 2),
}
FRAME = pandas.DataFrame(TABLE)


@pytest.fixture(name="table")
def table_fixture(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = zip(*(map(str, column) for column in TABLE.values()), strict=True)
    write("scores.csv", ",".join(TABLE), *map(",".join, rows))
    return "scores.csv"


record = partial(commands.record, "compare")


def plain(found):
    return json.loads(json.dumps(found.to_dict()))


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ("", {}),
        ("--method approximate --seed 5", {"method": "approximate", "rng": 5}),
        ("--metric f2,recall --alternative greater --alpha 0.1",
         {"metric": ["f2", "recall"], "alternative": "greater", "alpha": 0.1}),
        ("--interval bca --seed 3 --zero-division 1 --confidence-level 0.9",
         {"interval": "bca", "rng": 3, "zero_division": 1, "confidence_level": 0.9}),
        ("--method yeh2000 --seed 1 --interval none",
         {"method": "yeh2000", "rng": 1, "interval": "none"}),
        ("--decide --method approximate --seed 2 --risk 0.001",
         {"decide": True, "method": "approximate", "rng": 2, "risk": 0.001}),
    ],
)  # fmt: skip
def test_files_give_the_record_of_the_command(arguments, options):
    given = arguments.split() + ([] if "rng" in options else ["--seed", "7"])
    found = csig.compare(*DIGITS, **{"rng": 7, **options})
    assert plain(found) == record(*DIGITS, *given)
    shown = run("compare", *DIGITS, *given)
    assert str(found).split("\n")[0] in " ".join(shown.split("\n"))


@pytest.mark.filterwarnings("ignore::csig.DataWarning")
@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ("--system base --system new", {"systems": ["base", "new"]}),
        ("", {}),
        ("--baseline new --cluster topic", {"baseline": "new", "cluster": "topic"}),
        ("--lower-is-better --unit unit", {"lower_is_better": True, "unit": "unit"}),
        ("--by topic --system other --system new --no-sensitivity",
         {"by": "topic", "systems": ["other", "new"], "sensitivity": False}),
    ],
)  # fmt: skip
def test_tables_and_frames_give_the_record_of_the_command(arguments, options, table):
    expected = record(table, "--id", "qid", "--seed", "1", *arguments.split())
    assert plain(csig.compare(table, id="qid", rng=1, **options)) == expected
    for library in (pandas, polars) if "by" in options else (pandas,):
        own = plain(csig.compare(library.DataFrame(TABLE), id="qid", rng=1, **options))
        for one in (own, *(own.get("comparisons") or [])):
            if "input" in one:
                one["input"]["table"]["files"] = ["scores.csv"]
        assert own == expected


def test_scores_in_memory_give_the_numbers_of_the_table(table):
    options = {"rng": 1, "sensitivity": False}
    names, ids, clusters = ("base", "new", "other"), TABLE["qid"], TABLE["topic"]
    expected = csig.compare(table, id="qid", systems=names, **options)
    assert list(expected) == [("new", "mean"), ("other", "mean")]
    by_name = {name: TABLE[name].tolist() for name in names}
    by_id = {name: dict(zip(ids, own, strict=True)) for name, own in by_name.items()}
    pairs = [
        csig.Comparison.from_scores(
            by_name[name], by_name["base"], id=ids, cluster=clusters, names=(name, "base")
        )
        for name in names[1:]
    ]
    for inputs, given in (
        ([by_name], {"id": ids, "cluster": clusters}),
        ([by_id], {"cluster": dict(zip(ids, clusters, strict=True))}),
        (by_name.values(), {"systems": names, "id": ids, "cluster": clusters}),
        (pairs, {}),
    ):
        found = csig.compare(*inputs, **given, **options)
        assert list(found) == list(expected)
        for key, result in found.items():
            one, other = result.test, expected[key].test
            assert (one.pvalue, one.statistic) == (other.pvalue, other.statistic)
            assert one.n_hits == other.n_hits
            assert result.adjusted_pvalue == expected[key].adjusted_pvalue
            ends = [(own.interval.low, own.interval.high) for own in (result, expected[key])]
            assert ends[0] == pytest.approx(ends[1], rel=1e-12)


def test_counts_and_own_metrics(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("yeh.toml", *(f"{key} = {value}" for key, value in PAPER.items()))
    found = csig.compare(counts="yeh.toml", rng=1)
    assert plain(found) == record("--counts", "yeh.toml", "--seed", "1")
    fdr = csig.Metric("fdr", ("tp", "predicted"), numerator=(-1, 1), denominator=(0, 1))
    comparison = csig.Comparison.from_counts(**PAPER)
    both = csig.compare(comparison, metric=["recall", fdr], rng=1)
    assert list(both) == ["recall", "fdr"]
    precision = csig.compare(comparison, metric="precision")["precision"]
    assert both["fdr"].difference == pytest.approx(-precision.difference)
    assert IntervalMethod.__args__ == (*INTERVALS, NO_INTERVAL)  # as the command line has them


def test_doubts_are_warnings_once_each():
    with pytest.warns(csig.DataWarning, match="no difference could be significant") as caught:
        found = csig.compare([1, 0, 1], [0, 0, 1])
    first, last = found.doubts  # an interval that misses is no fault of the data
    assert [str(own.message) for own in caught] == [first]
    assert (first.code, last.code) == ("too-few-units", "few-data")
    assert all(own.filename == __file__ for own in caught)
    with warnings.catch_warnings():
        warnings.simplefilter("error", csig.DataWarning)
        with pytest.raises(csig.DataWarning):
            csig.compare([1, 0, 1], [0, 0, 1])
        csig.compare(FRAME, id="qid", cluster="topic")


def test_seeds_are_integers_and_progress_is_called_and_nothing_shown(capsys):
    calls = []
    options = {"method": "approximate", "n_resamples": 1000, "interval": "none",
               "progress": lambda done, _: calls.append(done)}  # fmt: skip
    scores = {"a": TABLE["base"], "b": TABLE["new"]}
    one = csig.compare(scores, rng=np.random.SeedSequence(12), **options)
    assert one["mean"].test.n_hits == csig.compare(scores, rng=12, **options)["mean"].test.n_hits
    drawn = csig.compare(scores, rng=np.random.default_rng(3), **options)
    seed = drawn["mean"].test.seed
    again = csig.compare(scores, rng=seed.entropy, bit_generator=seed.bit_generator, **options)
    assert again["mean"].test == drawn["mean"].test
    assert (again["mean"].interval, again["mean"].interval_reason) == (None, None)
    assert calls
    assert capsys.readouterr() == ("", "")


# ---- what it returns ---------------------------------------------------------------------------

OLD = [0.25, 0.5, 0.5, 0.75, 0.25, 0.5, 0.0, 0.5, 0.25, 0.75]
NEW = [0.5, 0.75, 0.5, 1.0, 0.5, 0.75, 0.25, 0.5, 0.5, 1.0]
BAD = [0.0, 0.25, 0.25, 0.5, 0.0, 0.25, 0.0, 0.25, 0.0, 0.5]
TWO = csig.compare({"base": OLD, "new": NEW})
MANY = csig.compare({"base": OLD, "new": NEW, "bad": BAD})


def test_two_systems_are_a_mapping_from_metric():
    assert list(TWO) == ["mean"]
    result = TWO["mean"]
    assert (result.system, result.baseline, result.metric) == ("new", "base", "mean")
    assert result.difference == pytest.approx(sum(NEW) / 10 - sum(OLD) / 10)
    # Exact: 8 units differ, all in one direction.
    assert result.pvalue == result.adjusted_pvalue == 2 / 2**8
    assert result.verdict == "significant"
    assert result.better == "new"
    assert result.interval.low < result.difference < result.interval.high
    assert (result.effect.a_better, result.effect.b_better) == (8, 0)
    assert TWO["new", "mean"] is result
    assert "f1" not in TWO
    assert TWO.get("f1") is None


def test_a_wrong_key_is_a_key_error():
    for found, key in ((TWO, "meen"), (MANY, "mean")):
        with pytest.raises(KeyError) as error:
            found[key]
        assert isinstance(error.value, csig.InputError)


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


def test_text_and_every_format_in_python_words():
    assert repr(TWO) == "<Compared new - base, mean: p = 0.00781>"
    assert repr(MANY) == "<Compared 2 systems - base, mean>"
    one = repr(TWO["mean"])
    assert one.startswith("<ComparedResult mean: new - base = +20.00 points (+12.50")
    assert one.endswith("p = 0.00781>")
    assert str(TWO).startswith("new beats base on the mean by 20.00 points.\n")
    assert "More: summary(explain=True). For papers: summary(cite=True)." in " ".join(
        str(TWO).split()
    )
    assert "--" not in str(MANY) + MANY.summary(explain=True)
    assert "<table" in TWO._repr_html_()
    assert "\\toprule" in MANY.summary("latex")
    assert "new" in str(TWO["mean"])
    frame = MANY.to_frame("pandas")
    assert len(MANY.summary("csv").splitlines()) == 1 + len(frame)
    for name in ("difference", "adjusted_pvalue"):
        assert frame[name].tolist() == [getattr(own, name) for own in MANY.values()]
        assert MANY.to_frame("polars")[name].to_list() == frame[name].tolist()
    again = pickle.loads(pickle.dumps(MANY))
    assert (dict(again), str(again)) == (dict(MANY), str(MANY))


@pytest.mark.filterwarnings("ignore::csig.DataWarning")
def test_units_and_parts():
    systems = ["base", "new"]
    found = csig.compare(FRAME, id="qid", systems=systems, cluster="topic", by="topic",
                         sensitivity=True)  # fmt: skip
    assert list(found["mean"].by_unit) == ["unit", "topic"]
    assert found.unit == "topic"
    assert list(found.breakdown) == sorted(set(TABLE["topic"]))


@pytest.mark.filterwarnings("ignore::csig.DataWarning")
def test_what_is_said_names_arguments_of_python():
    """In doubts, notes, the report and its record, whenever it is asked for; not in other calls."""
    scores = {"base": [0.1] * 9 + [0.9], "new": [0.2] * 9 + [0.1]}
    found = csig.compare(scores, method="approximate", n_resamples=99, rng=1, alpha=0.3)
    said = json.dumps(found.to_dict(), default=str) + found.summary(explain=True)
    assert "--" not in said.replace("-----", "")
    assert "--" not in str([found.doubts, found.notes])
    files = [f"examples/digits/{name}.tsv" for name in ("gold", "nearest-centroid", "gold")]
    for function in (csig.compare, csig.read):
        with pytest.raises(csig.InputError, match="unit='document' is not possible here"):
            dict(function(*files, unit="document").comparisons)


def test_which_units_make_a_difference():
    found = TWO.unit_contributions()
    assert found.names == ("new", "base")
    assert found.values.sum() == pytest.approx(TWO["mean"].difference)
    assert MANY.unit_contributions(("bad", "mean")).difference == MANY["bad", "mean"].difference
    frame = TWO.units_frame(n=2, library="pandas")
    assert frame["contribution"].tolist() == [0.025, 0.025]
    assert len(TWO.units_frame("mean", library="pandas")) == 10
