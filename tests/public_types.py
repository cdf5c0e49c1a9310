"""What a type checker knows of the public names; mypy reads this file, and nothing runs it."""

from collections.abc import Callable, Sequence
from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import csig


def results(comparison: csig.Comparison) -> None:
    one = csig.randomization_test(comparison, "f1", alternative="less", method="exact")
    assert_type(one, csig.RandomizationResult)
    assert_type(one.null, csig.NullDistribution)
    assert_type(one.null.quantile(0.5), float)
    arrays = csig.randomization_test([1, 0, 1], np.zeros(3), names=("new", "old"), rng=1)
    assert_type(arrays, csig.RandomizationResult)
    assert_type(arrays[1], float)
    csig.randomization_test("1", "0")  # type: ignore[arg-type]
    several = csig.randomization_test(comparison, ["f1", csig.metrics.recall])
    assert_type(several, csig.Results[csig.RandomizationResult])
    parts = csig.breakdown({"PER": comparison}, "f1", alternative="greater", method="auto")
    assert_type(parts, csig.Breakdown)
    assert_type(parts.corrected("f1"), list[csig.Corrected[csig.RandomizationResult]])
    assert_type(csig.holm([0.1, 0.2]), list[csig.Corrected[float]])
    assert_type(csig.crossed_interval(comparison, "f1", "a", method="bootstrap"), csig.Interval)
    assert_type(csig.run_variance(comparison, "f1", paired=True), csig.RunVariance)
    assert_type(csig.correlation(comparison), float)
    assert_type(csig.linearized_interval(comparison, "f1", "a"), csig.Interval)
    assert_type(csig.inverted_interval(comparison, "recall"), csig.Interval)
    assert_type(csig.bootstrap_interval(comparison, "f1", "a", rng=1), csig.Interval)
    assert_type(csig.bootstrap_interval(comparison, ["f1"]), csig.Results[csig.Interval])
    assert_type(csig.bootstrap_test(comparison, "f1", method="koehn"), csig.BootstrapResult)
    assert_type(csig.bootstrap_test(comparison, ["f1"]), csig.Results[csig.BootstrapResult])
    assert_type(csig.effect(comparison, "f1"), csig.Effect)
    by_unit = csig.sensitivity(comparison, "f1", method="exact", threads=2)
    assert_type(by_unit, csig.Sensitivity[csig.RandomizationResult])


def compared(comparison: csig.Comparison) -> None:
    found = csig.compare("gold.tsv", "a.tsv", "b.tsv", metric=["f1", csig.metrics.recall], rng=1)
    assert_type(found, csig.Compared)
    assert_type(found["f1"], csig.ComparedResult)
    assert_type(found["b", "f1"].difference, float)
    assert_type(found["f1"].interval, csig.Interval | None)
    assert_type(found.doubts, tuple[str, ...])
    assert_type(found.comparisons, dict[str, csig.Comparison])
    csig.compare({"a": [1, 2], "b": [2, 1]}, cluster=["x", "y"], interval="bca", decimal=",")
    csig.compare(comparison, alternative="bigger")  # type: ignore[arg-type]
    csig.compare(comparison, method="exakt")  # type: ignore[arg-type]
    csig.compare(comparison, interval="bc")  # type: ignore[arg-type]
    csig.compare(comparison, zero_division=2)  # type: ignore[arg-type]
    csig.compare(comparison, rules="loose")  # type: ignore[arg-type]
    csig.compare(comparison, metrics="f1")  # type: ignore[call-arg]
    found.summary("latx")  # type: ignore[arg-type]


def recommended(comparison: csig.Comparison, scores: dict[str, list[int]]) -> None:
    found = csig.recommend(comparison, "f1")
    assert_type(found, csig.Recommendation)
    assert_type(found.test, csig.Advice)
    assert_type(found.tests, tuple[csig.Advice, ...])
    assert_type(found["sign test"].pvalue, float | None)
    assert_type(csig.all_tests(csig.read("t.csv"), rng=1, threads=2), csig.Recommendation)
    csig.recommend(scores, rows="folds", folds=2)
    csig.recommend(scores, rows="topics")  # type: ignore[arg-type]
    csig.all_tests(comparison, alternative="bigger")  # type: ignore[arg-type]


def systems(scores: dict[str, list[int]]) -> None:
    found = csig.compare_systems(scores, correction="flips", statistic="difference", rng=1)
    assert_type(found, csig.SystemsResult)
    assert_type(found.ranks, dict[str, tuple[int, int]])
    assert_type(found.pairs, tuple[csig.SystemPair, ...])
    assert_type(found.systems, tuple[csig.SystemRank, ...])
    assert_type(found.adjusted, NDArray[np.float64])
    assert_type(found.letters(), dict[str, str])
    csig.compare_systems(scores, correction="tukey")  # type: ignore[arg-type]


def rankings(table: dict[str, list[float]]) -> None:
    found = csig.nbest_precision(table, ["MI", "freq"], [10, 20], ties="all", interval="wilson")
    assert_type(found, csig.NBestResult)
    assert_type(found["MI"], csig.NBestCurve)
    assert_type(found["MI"].band_low, NDArray[np.float64])
    assert_type(found["MI"].average_precision, float)
    ranked = csig.rank_methods(table, ["MI", "freq"], baseline="MI", ties="first", rng=1)
    assert_type(ranked, csig.RankedMethods)
    assert_type(ranked.pairs, tuple[csig.MethodPair, ...])
    assert_type(ranked.pair("MI", "freq").better, str | None)
    assert_type(ranked.precision, csig.NBestResult)
    limits = {"MI": 1.5, "freq": 3}
    pair = csig.rank_methods(table, ["MI", "freq"], threshold=limits, baseline="MI").pairs[0]
    assert_type(pair.adjusted, NDArray[np.float64])
    assert_type(pair.comparison(9), csig.Comparison)
    assert_type(pair.regions[0].better, str)
    parts = csig.validate_binomial([(20, 100), (35, 100)], 0.3)
    assert_type(parts, csig.BinomialValidation)
    assert_type(parts.ratio_interval, tuple[float, float])
    assert_type(parts.standardized, NDArray[np.float64])
    by_sample = csig.sample_precision(table, ["MI", "freq"], sample="part", n=9)
    assert_type(by_sample, csig.SamplePrecision)
    assert_type(by_sample["MI"], csig.BinomialValidation)
    two = csig.rank_methods(table, ["MI", "freq"], sample="part", total=90, rng=1).pairs[0]
    if two.by_sample is not None:
        assert_type(two.by_sample.test, csig.RandomizationResult)
        assert_type(two.by_sample.interval, tuple[float, float])
    csig.nbest_precision(table, "MI", ties="last")  # type: ignore[arg-type]
    csig.rank_methods(table, ["MI", "freq"], ties="expected")  # type: ignore[arg-type]


def over_datasets(scores: dict[str, list[float]]) -> None:
    found = csig.compare_over_datasets(scores, pairs="ranks", correction="nemenyi", rng=1)
    assert_type(found, csig.DatasetsResult)
    assert_type(found.overall, tuple[csig.OverallTest, ...])
    assert_type(found.pairs, tuple[csig.DatasetPair, ...])
    assert_type(found.pairs[0].better, str | None)
    assert_type(found.average_ranks, tuple[float, ...])
    assert_type(found.ranks, NDArray[np.float64])
    assert_type(found.groups("nemenyi"), tuple[tuple[str, ...], ...])
    csig.compare_over_datasets(scores, correction="flips")  # type: ignore[arg-type]
    csig.compare_over_datasets(scores, pairs="wilcox")  # type: ignore[arg-type]


def shown(result: csig.RandomizationResult, results: csig.Results[csig.Interval]) -> None:
    assert_type(result.summary("latex", explain=True, cite=True, width=60), str)
    assert_type(results.to_dict(), dict[str, Any])
    assert_type(results["f1"], csig.Interval)
    result.summary("latx")  # type: ignore[arg-type]
    result.to_frame("panda")  # type: ignore[arg-type]


def training(train_and_score: Callable[[Any, dict[str, Any]], dict[str, dict[str, float]]]) -> None:
    samples = csig.resample_training(100, method="kfold", k=5, rng=1)
    assert_type(samples[0].indices, NDArray[np.int64])
    found = csig.training_distribution(train_and_score, 100, ["news"], systems=["a", "b"])
    assert_type(found, csig.TrainingDistribution)
    assert_type(found.difference("a", "b", "news").interval, tuple[float, float] | None)
    assert_type(csig.TrainingDistribution.from_table("scores.csv").table("latex"), str)
    found.table("pdf")  # type: ignore[arg-type]
    csig.resample_training(100, method="jackknife")  # type: ignore[arg-type]


def units(comparison: csig.Comparison) -> None:
    found = csig.unit_contributions(comparison, "f1", zero_division=1)
    assert_type(found, csig.UnitContributions)
    assert_type(found.values, NDArray[np.float64])
    assert_type(found.largest(3), tuple[list[int], list[int]])
    assert_type(found.rows(), list[dict[str, Any]])
    found.units_frame(library="arrow")  # type: ignore[arg-type]


def pairs(comparison: csig.Comparison) -> None:
    assert_type(csig.sign_test(comparison), csig.TestResult)
    assert_type(csig.sign_test_critical(25, 0.1), int)
    assert_type(csig.paired_t_test(comparison, "recall"), csig.TestResult)
    assert_type(csig.wilcoxon_test(comparison, zero_method="pratt"), csig.TestResult)
    assert_type(csig.mcnemar_test(comparison, method="mid-p").difference, float | None)
    assert_type(csig.kfold_t_test([0.1, 0.2]), csig.TestResult)
    assert_type(csig.resampled_t_test([0.1], [0.2], n_train=9, n_test=1), csig.TestResult)
    _, pvalue = csig.cv52_t_test([[0.1, 0.2]] * 5)
    assert_type(pvalue, float)
    found = csig.cv52_f_test([[0.1, 0.2]] * 5)
    assert_type(found.degrees_of_freedom, float | tuple[int, int] | None)
    assert_type(found[0], float)
    csig.wilcoxon_test(comparison, method="normal")  # type: ignore[arg-type]
    csig.mcnemar_test(comparison, method="midp")  # type: ignore[arg-type]


def independent(comparison: csig.Comparison) -> None:
    welch = csig.independent_t_test(comparison, equal_variances=False)
    assert_type(welch, csig.TestResult)
    assert_type(csig.proportions_test(comparison, pooled=False).assumes, str)
    assert_type(csig.chi_square_test(comparison, continuity=True).pvalue, float)
    found = csig.correlation_interval(comparison, confidence_level=0.9)
    assert_type(found, csig.CorrelationInterval)
    csig.chi_square_test(comparison, continuity="yates")  # type: ignore[arg-type]


def tables(gold: list[str], said: list[str]) -> None:
    table = csig.confusion_table(gold, said, positive="T")
    assert_type(table, csig.ConfusionTable)
    assert_type(table.cells, tuple[int, int, int, int])
    assert_type(table.measures, dict[str, float])
    pair = csig.agreement_table(gold, said, said)
    assert_type(pair, csig.AgreementTable)
    assert_type(pair.comparison, csig.Comparison)
    found = csig.cochran_q_test({"a": [1, 0], "b": [0, 1]}, method="exact")
    assert_type(found, csig.TestResult)
    assert_type(found.names, tuple[str, ...])
    csig.cochran_q_test({"a": [1], "b": [0]}, method="approximate")  # type: ignore[arg-type]


def words(comparison: csig.Comparison, counts: Sequence[str]) -> None:
    """An ignored line without a mistake is one itself."""
    csig.randomization_test(comparison, "f1", alternative="both")  # type: ignore[call-overload]
    csig.randomization_test(comparison, "f1", method="fast")  # type: ignore[call-overload]
    csig.randomization_test(comparison, "f1", resamples=9)  # type: ignore[call-overload]
    csig.sensitivity(comparison, "f1", method="fast")  # type: ignore[call-overload]
    csig.breakdown({"x": comparison}, "f1", method="fast")  # type: ignore[arg-type]
    csig.audit(comparison, "f1", alternative="both")  # type: ignore[arg-type]
    csig.crossed_interval(comparison, "f1", method="bca")  # type: ignore[arg-type]
    csig.sign_test(comparison, alternative="both")  # type: ignore[arg-type]
    csig.linearized_interval(comparison, "f1", "both")  # type: ignore[arg-type]
    csig.bootstrap_interval(comparison, "f1", method="bc")  # type: ignore[call-overload]
    csig.bootstrap_test(comparison, "f1", method="bca")  # type: ignore[call-overload]
    csig.independent_t_test(comparison, alternative="both")  # type: ignore[arg-type]
    csig.proportions_test(comparison, alternative="both")  # type: ignore[arg-type]
    csig.replay.class_hits({}, {}, {}, 1, alternative="both", entropy=1)  # type: ignore[arg-type]
    assert csig.no_such_name  # type: ignore[attr-defined]
