"""What results show of themselves: one line, text, records and frames."""

import dataclasses
import pickle
import subprocess
import sys

import pandas
import polars
import pytest
from brute import PAPER

import csig
from csig.base.shown import FORMATS, WIDTH, as_frame


@pytest.fixture(name="paper", scope="module")
def paper_fixture():
    return csig.Comparison.from_counts(**PAPER, names=("new", "base"))


@pytest.fixture(name="results", scope="module")
def results_fixture(paper):
    return csig.randomization_test(paper, ["recall", "f1"])


def test_a_line_says_what_how_much_and_p(results):
    assert repr(results["f1"]) == (
        "<RandomizationResult f1: new - base = +0.1226, p = 0.0296 (exact, 86 responses)>"
    )
    assert repr(results) == "<Results recall: p = 0.000195, f1: p = 0.0296>"


def test_long_and_hostile_names_stay_within_a_line():
    names = ("new\n\x1b[31m", "b" * 200)
    own = csig.randomization_test(
        csig.Comparison.from_scores([1, 2, 3], [2, 4, 5], names=names), "mean"
    )
    line = repr(own)
    assert line.isprintable()
    assert len(line) == WIDTH
    assert line.endswith("...>")


def test_text_is_what_the_summary_says(results):
    assert f"{results!s}\n" == results.summary() == results.summary("text")
    assert "A" not in str(results["f1"]).split()
    assert "new - base" in str(results)
    assert "interchangeable" not in str(results)
    assert "interchangeable" in results.summary(explain=True)


@pytest.mark.parametrize("bad", ["latx", "", None, 3])
def test_another_format_is_refused(results, bad):
    with pytest.raises(csig.InputError, match="format must be one of 'text', 'markdown'"):
        results.summary(bad)


def test_a_width_is_a_number_of_columns(results):
    narrow = results.summary(width=40)
    assert max(map(len, narrow.splitlines()[:4])) <= 40
    with pytest.raises(csig.InputError, match="width"):
        results.summary(width=-3)


def test_the_record_is_json(results):
    record = results.to_dict()
    assert [own["metric"] for own in record["results"]] == ["recall", "f1"]
    assert record["results"][1]["pvalue"] == results["f1"].pvalue


@pytest.mark.parametrize(("library", "kind"), [("pandas", pandas), ("polars", polars)])
def test_a_frame_has_a_row_per_metric(results, library, kind):
    frame = results.to_frame(library)
    assert isinstance(frame, kind.DataFrame)
    assert list(frame["metric"]) == ["recall", "f1"]
    assert list(frame["pvalue"]) == [own.pvalue for own in results.values()]
    assert list(frame["difference"]) == [own.statistic for own in results.values()]


def test_without_a_library_frames_are_refused(results, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert isinstance(results.to_frame(), polars.DataFrame)
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(csig.InputError, match="a data frame needs pandas or polars: pip install"):
        results.to_frame()
    with pytest.raises(csig.InputError, match="a data frame needs polars: pip install polars"):
        results.to_frame("polars")
    with pytest.raises(csig.InputError, match="library must be one of 'pandas', 'polars'"):
        results.to_frame("panda")


def test_polars_sees_numbers_after_many_rows_without():
    rows = [{"n": None}] * 200 + [{"n": 1.5}]
    assert as_frame(rows, "polars")["n"][200] == 1.5


def test_results_are_what_they_were(results):
    one = results["f1"]
    assert pickle.loads(pickle.dumps(one)) == one
    assert pickle.loads(pickle.dumps(results)) == results == dict(results)
    assert dataclasses.replace(one, names=("x", "y")) == one
    assert dataclasses.asdict(one)["pvalue"] == one.pvalue
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.pvalue = 0.5
    assert isinstance(results, dict)


def test_the_reports_are_loaded_when_something_is_shown():
    code = """if True:
        import sys, csig
        c = csig.Comparison.from_scores([1, 2, 3], [2, 4, 5])
        result = csig.randomization_test(c, ["mean"])
        repr(result), result == result
        assert not any(name.startswith("csig.report") for name in sys.modules)
        str(result)
        assert "csig.report.shown" in sys.modules
    """
    subprocess.run([sys.executable, "-P", "-c", code], check=True)


def test_every_format_has_a_name_on_the_command_line():
    assert FORMATS == ("text", "markdown", "latex", "csv", "json", "html")
