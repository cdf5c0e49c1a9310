"""Every public class of results shows itself: as a line, text, HTML, a frame and a record."""

import dataclasses
import functools
import importlib
import inspect
import json
import pickle
import re
import sys
from collections.abc import Iterator
from typing import Any

import pandas
import pytest
from brute import PAPER
from elements import Page
from places import EXAMPLES
from written import refusal

import csig
import csig.results
from csig.base.shown import Shown
from csig.claims import check_claims, read_claims
from csig.rankings.methods import RankingRegion

SPACES = [csig, csig.results, *(getattr(csig, name) for name in csig.__all__
                                if inspect.ismodule(getattr(csig, name)))]  # fmt: skip

#: What is given to functions, or is a part of a result that the result shows with the rest.
GIVEN = """
    Claims Exact Exclusions Extent Interval Options Printed PrintedChiSquare PrintedDistribution
    PrintedScore PrintedTest Source Span Stream TrainingSamples
"""
PARTS = """
    AuditRun Certificate Columns Data Decision Flips Input LabelCounts OverTasks Runs
    SamplePair SecondRun Seed SignCheck Studentized Summary Systems TableInput TrainingFailure
    Trusted Unit UnitClass Units Yeh2000Checks
"""


def classes_in(owner: Any, annotation: object) -> Iterator[type]:
    """The classes of csig that an annotation names, imported for types only or not."""
    for name in re.findall(r"[A-Z]\w+", str(annotation)):
        yield from class_of(owner.__module__, name)


@functools.cache
def class_of(module: str, name: str) -> list[type]:
    """The class that a name is in a module, else in any of csig's."""
    modules = [sys.modules[module], *(own for key, own in sys.modules.items()
                                      if key.startswith("csig."))]  # fmt: skip
    known = (vars(own).get(name) for own in modules)
    named = [own for own in known if inspect.isclass(own) and own.__name__ == name]
    return [own for own in named[:1] if own.__module__.startswith("csig.")]


def public_classes() -> dict[str, type]:
    """What namespaces have, public functions return, and these have as fields and properties."""
    found: dict[str, type] = {}
    waiting: list[type] = []
    for space in SPACES:
        for own in (getattr(space, name) for name in space.__all__):
            waiting += [own] if inspect.isclass(own) else []
            if inspect.isfunction(own):
                waiting += classes_in(own, own.__annotations__.get("return", ""))
    while waiting:
        own = waiting.pop()
        if own.__name__ in found or issubclass(own, BaseException):
            continue
        found[own.__name__] = own
        if not dataclasses.is_dataclass(own):
            continue
        for field in dataclasses.fields(own):
            waiting += [] if field.name.startswith("_") else classes_in(own, field.type)
        for name, value in vars(own).items():
            getter = getattr(value, "fget", None) or getattr(value, "func", None)
            if getter is not None and not name.startswith("_"):
                waiting += classes_in(getter, getter.__annotations__.get("return", ""))
    return found


def made() -> Iterator[Any]:
    """At least one of every class."""
    test = csig.Comparison.from_counts(**PAPER, names=("new", "base"))
    few = csig.Comparison.from_scores([3, 1, 4, 1, 5, 9], [2, 7, 1, 8, 0, 8], names=("x", "y"))
    three = {"a": [1.0, 2, 3, 5], "b": [2, 2, 1.5, 1], "c": [1, 1, 1, 2.5]}
    yield from (test, csig.metrics.get("f1"))
    whole = csig.randomization_test(test, ["recall", "f1"])
    yield from (whole, whole["f1"], whole["recall"].null)
    yield csig.intervals.linearized_interval(test, "f1")
    yield csig.intervals.bootstrap_test(few, "mean", n_resamples=999, rng=1)
    runs = [[[0.3, 0.5, 0.9], [0.2, 0.6, 0.7]], [[0.1, 0.5, 0.6], [0.4, 0.3, 0.8]]]
    yield csig.intervals.run_variance(csig.Comparison.from_scores(*runs), "mean")
    yield csig.equivalence_test(few, "mean", 2)
    yield csig.intervals.answer_variance([[1, 1, 0], [0, 0, 1], [1, 1, 1]])
    yield csig.classical.sign_test(few)
    yield csig.classical.correlation_interval(few)
    yield csig.classical.confusion_table([*"xxyy"], [*"xyyy"])
    yield csig.classical.agreement_table([*"xxyyxy"], [*"xyyyxy"], [*"xxyxxx"])
    yield csig.classical.holm({"f1": whole["f1"], "recall": whole["recall"]})[0]
    timings = csig.classical.unpaired_tests([1.0, 2, 4, 3], [5.0, 6, 4, 7])
    yield from (timings, timings.tests[0])
    yield csig.effects.effect(few, "mean")
    parts = csig.effects.breakdown({"PER": test, "LOC": test}, ["f1"])
    yield from (parts, parts["PER"])
    yield csig.effects.sensitivity(test, "f1")
    yield csig.effects.unit_contributions(few, "mean")
    systems, data_sets = csig.compare_systems(three), csig.compare_datasets(three)
    yield from (systems, systems.systems[0], systems.pairs[0], systems.pairs)
    yield from (data_sets, data_sets.systems[0], data_sets.pairs[0], data_sets.overall[0])
    advice = csig.recommend(few)
    yield from (advice, advice.test)
    true, scores = [1, 0, 1, 1, 0, 0] * 20, [i % 7 + i % 6 / 9 for i in range(120)]
    table = {"m": scores, "k": scores[::-1], "true": true, "part": [i // 30 for i in range(120)]}
    ranked = csig.rank_methods(table, ["m", "k"], n=[20, 40], rng=1)
    yield from (ranked, ranked.pairs[0], RankingRegion(20, 40, "m"))
    best = csig.rankings.nbest_precision(table, "m", [20, 40])
    yield from (best, best.curves[0])
    yield csig.rankings.validate_binomial([(3, 10), (4, 12), (9, 20)])
    yield csig.rankings.sample_precision(table, ["m"], sample="part", n=9)
    claims = check_claims(read_claims(EXAMPLES / "yeh2000-claims.toml"))
    yield from (claims, claims.findings[0])
    audit = csig.audit(test, ["recall"], n_resamples=1024, rng=1)
    yield from (audit, audit.checks[0], csig.verify(audit.record))
    compared = csig.compare([1, 2, 3, 4, 5, 6, 9, 9, 8], [0, 1, 4, 2, 5, 1, 2, 3, 1])
    yield from (compared, compared["mean"])
    trained = str(EXAMPLES / "training" / "bootstrap.csv")
    yield csig.training.TrainingDistribution.from_table(trained, method="bootstrap")
    plan = csig.plan(few, items=40, difference=2.0, n_simulations=100, rng=1)
    gate = csig.gate(few, "mean", 30, rng=1)
    yield from (gate, gate.design)
    yield from (plan, plan.tests[0], csig.planning.Repeats(repeats=2, items=9, answers=18))
    yield csig.read(EXAMPLES / "datasets" / "accuracy.csv", systems=["logistic", "bayes"])


#: What every picture takes, of all classes of results; with one metric, where they have several.
DRAWN = {
    "critical_difference": "DatasetsResult",
    "forest": "Breakdown Compared ComparedResult Corrected Interval RandomizationResult Results "
              "ShownTuple",
    "leaderboard": "SystemsResult",
    "nbest_curves": "NBestResult RankedMethods",
    "null": "Compared ComparedResult Corrected NullDistribution RandomizationResult Results "
            "Sensitivity",
    "precision_histogram": "BinomialValidation SamplePrecision",
    "ranking_difference": "RankedMethods",
    "scores": "AgreementTable Audit Comparison Compared Reading SystemsResult",
    "units": "AgreementTable Audit Comparison Compared Reading UnitContributions",
}  # fmt: skip


@pytest.fixture(name="results", scope="module")
def results_fixture() -> dict[str, Any]:
    return {type(own).__name__: own for own in made()}


def test_every_public_class_is_a_result_or_what_is_given(results):
    found = public_classes()
    shown = {name for name, own in found.items() if issubclass(own, Shown)}
    assert set(found) - shown == set(f"{GIVEN} {PARTS}".split()) - {
        "Interval"
    }  # published numbers have their own
    assert shown == set(results)


def attributes(result):
    """The fields and properties of a result, which may refuse."""
    names = [own.name for own in dataclasses.fields(result)]
    names += [name for name, own in vars(type(result)).items()
              if isinstance(own, (property, functools.cached_property))]  # fmt: skip
    for name in names:
        if not name.startswith("_"):
            try:
                yield name, getattr(result, name)
            except csig.InputError:
                continue


def test_several_results_in_one_are_shown_as_each_is(results):
    """Every public attribute that is a tuple of results: pairs, ranks, parts, checks, curves."""
    found = {}
    for kind, result in results.items():
        for name, value in attributes(result) if dataclasses.is_dataclass(result) else ():
            if isinstance(value, (tuple, list)) and value and isinstance(value[0], Shown):
                found[f"{kind}.{name}"] = value
    assert len(found) >= 14
    for name, value in found.items():
        assert isinstance(value, Shown), name
        rows = [row for own in value for row in own.to_frame("pandas").to_dict("records")]
        assert len(value.to_frame("pandas")) == len(rows) >= len(value), name
        assert repr(value).startswith("<ShownTuple "), name
        assert f" ({len(value)}): " in repr(value), name
        kind = type(value[0]).__name__.lower()
        assert kind in value.to_dict()["results"][0]["kind"].lower().replace(" ", ""), name
        assert value == tuple(value), name
        assert repr(pickle.loads(pickle.dumps(value))) == repr(value), name
        assert "table" in Page(value._repr_html_()).tags(), name
        for shown in (str(value), value.summary("latex"), value.summary("csv")):
            assert 0 < len(shown) < 60_000, name
    pairs = found["SystemsResult.pairs"]
    assert list(pairs.to_frame("pandas")["pvalue"]) == [pair.pvalue for pair in pairs]
    assert "There are none" in str(type(pairs)())


def test_of_many_results_the_first_are_shown(results):
    pairs = results["SystemsResult"].pairs
    many = type(pairs)(pairs * 50)
    assert f"The first 100 of {len(many)} rows; to_frame() and JSON have all." in str(many)
    assert len(many.to_frame("pandas")) == len(many) > 100


def test_every_result_shows_itself_in_every_way(results):
    for name, result in results.items():
        line, text, part = repr(result), str(result), result._repr_html_()
        assert line.replace("\n", "").isprintable(), name
        assert text.strip(), name
        assert len(text) < 20_000, name
        assert "object at 0x" not in line + text + part, name
        assert part.startswith('<div class="csig">'), name
        assert "table" in Page(part).tags(), name
        frame = result.to_frame("pandas")
        assert isinstance(frame, pandas.DataFrame), name
        assert len(frame), name
        record = result.to_dict()
        assert json.loads(json.dumps(record)), name
        if name != "ClaimsReport":  # its summary is older: how many findings of each verdict
            assert result.summary().rstrip("\n") == text, name
            assert json.loads(result.summary("json")).keys() == record.keys(), name


@pytest.mark.parametrize("picture", [name for name in csig.plots.__all__ if name != "plot"])
def test_every_picture_takes_what_has_its_numbers_or_says_what_has(results, picture):
    pytest.importorskip("matplotlib")
    draw, taken = getattr(csig.plots, picture), set()
    for name, result in results.items():
        metric = {"metric": "recall"} if hasattr(result, "comparison") else {}
        try:
            draw(result, **metric if picture in ("scores", "units") else {})
        except csig.InputError as error:
            if not str(error).startswith(f"csig.plots.{picture} draws what csig."):
                taken.add(name)  # it lacks units of its own, or it is one of several
                continue
            for path in re.findall(r"csig(?:\.\w+)+", str(error)):
                assert callable(functools.reduce(getattr, path.split(".")[1:], csig))
            for kind in re.findall(r"found\.plot\('(\w+)'\)", str(error)):
                assert kind != picture
        else:
            taken.add(name)
    assert taken == set(DRAWN[picture].split())


def test_corrected_tests_draw_themselves_alone_and_together(results):
    pytest.importorskip("matplotlib")
    of_two = csig.classical.holm(dict(results["Results"]))
    ticks = [own.get_text() for own in of_two.plot().get_yticklabels()]
    assert ticks == [own.get_text() for own in csig.plots.plot(of_two).get_yticklabels()]
    assert ticks == ["Recall", "F1"]
    assert [own.get_text() for own in of_two[0].plot("forest").get_yticklabels()] == ["Recall"]
    assert of_two[1].plot("null").get_title("left") == results["Results"]["f1"].plot().get_title(
        "left"
    )
    assert "no picture of ShownTuple" in refusal(results["SystemsResult"].pairs.plot)
    assert "no picture of ShownTuple" in refusal(type(of_two)().plot)


def test_what_is_compared_and_what_is_compared_by_are_tables_of_a_few_rows(results):
    comparison, metric = results["Comparison"], results["Metric"]
    assert list(comparison.to_frame("pandas")["system"]) == ["new", "base"]
    assert "new" in str(comparison)
    row = metric.to_frame("pandas").iloc[0]
    assert (row["name"], row["columns"]) == (metric.name, ", ".join(metric.columns))
    null = results["NullDistribution"]
    assert null.to_dict()["results"][0]["pvalue"] == null.pvalue()
    pair = results["MethodPair"].to_frame("pandas")
    assert list(pair["n"]) == [20, 40]
    assert {"sizes_a", "true_positives_b", "pvalues"} <= set(pair)


def test_without_a_library_every_frame_names_it(results, monkeypatch):
    for library in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, library, None)
    for result in results.values():
        assert "a data frame needs pandas or polars: pip install" in refusal(result.to_frame)


def test_nothing_is_loaded_for_frames_before_one_is_asked_for():
    source = inspect.getsource(importlib.import_module("csig.base.shown"))
    assert not re.search(r"^(import|from) (pandas|polars)", source, re.MULTILINE)


def test_sums_of_scores_are_shown_as_numbers():
    lines = str(csig.Comparison.from_scores([0.1, 0.25, 0.3], [0.2, 0.4, 0.5])).splitlines()
    assert [line.split()[:2] for line in lines[1:]] == [["A", "0.65"], ["B", "1.1"]]
