"""What a type checker knows of the public names; mypy reads this file, and nothing runs it."""

from collections.abc import Callable, Sequence
from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import csig
import csig.results
import csig.systems
from csig.answers.compare import Compared, ComparedResult


def results(comparison: csig.Comparison) -> None:
    one = csig.randomization_test(comparison, "f1", alternative="less", method="exact")
    assert_type(one, csig.results.RandomizationResult)
    assert_type(one.null, csig.results.NullDistribution)
    assert_type(one.null.quantile(0.5), float)
    arrays = csig.randomization_test([1, 0, 1], np.zeros(3), names=("new", "old"), rng=1)
    assert_type(arrays, csig.results.RandomizationResult)
    assert_type(arrays[1], float)
    csig.randomization_test("1", "0")  # type: ignore[arg-type]
    several = csig.randomization_test(comparison, ["f1", csig.metrics.recall])
    assert_type(several, csig.results.Results[csig.results.RandomizationResult])
    parts = csig.effects.breakdown({"PER": comparison}, "f1", alternative="greater", method="auto")
    assert_type(parts, csig.effects.Breakdown)
    assert_type(
        parts.corrected("f1"), list[csig.classical.Corrected[csig.results.RandomizationResult]]
    )
    assert_type(csig.classical.holm([0.1, 0.2]), list[csig.classical.Corrected[float]])
    assert_type(
        csig.intervals.crossed_interval(comparison, "f1", "a", method="bootstrap"),
        csig.intervals.Interval,
    )
    assert_type(
        csig.intervals.run_variance(comparison, "f1", paired=True), csig.intervals.RunVariance
    )
    assert_type(csig.classical.correlation(comparison), float)
    assert_type(csig.intervals.linearized_interval(comparison, "f1", "a"), csig.intervals.Interval)
    assert_type(csig.intervals.inverted_interval(comparison, "recall"), csig.intervals.Interval)
    assert_type(
        csig.intervals.bootstrap_interval(comparison, "f1", "a", rng=1), csig.intervals.Interval
    )
    assert_type(
        csig.intervals.bootstrap_interval(comparison, ["f1"]),
        csig.results.Results[csig.intervals.Interval],
    )
    assert_type(
        csig.intervals.bootstrap_test(comparison, "f1", method="koehn"),
        csig.intervals.BootstrapResult,
    )
    assert_type(
        csig.intervals.bootstrap_test(comparison, ["f1"]),
        csig.results.Results[csig.intervals.BootstrapResult],
    )
    assert_type(csig.effects.effect(comparison, "f1"), csig.effects.Effect)
    by_unit = csig.effects.sensitivity(comparison, "f1", method="exact", threads=2)
    assert_type(by_unit, csig.effects.Sensitivity[csig.results.RandomizationResult])


def compared(comparison: csig.Comparison) -> None:
    found = csig.compare("gold.tsv", "a.tsv", "b.tsv", metric=["f1", csig.metrics.recall], rng=1)
    assert_type(found, Compared)
    assert_type(found["f1"], ComparedResult)
    assert_type(found["b", "f1"].difference, float)
    assert_type(found["f1"].interval, csig.intervals.Interval | None)
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
    assert_type(found, csig.advice.Recommendation)
    assert_type(found.test, csig.advice.Advice)
    assert_type(found.tests, tuple[csig.advice.Advice, ...])
    assert_type(found["sign test"].pvalue, float | None)
    assert_type(
        csig.advice.all_tests(csig.read("t.csv"), rng=1, threads=2), csig.advice.Recommendation
    )
    csig.recommend(scores, rows="folds", folds=2)
    csig.recommend(scores, rows="topics")  # type: ignore[arg-type]
    csig.advice.all_tests(comparison, alternative="bigger")  # type: ignore[arg-type]


def systems(scores: dict[str, list[int]]) -> None:
    found = csig.compare_systems(scores, correction="flips", statistic="difference", rng=1)
    assert_type(found, csig.systems.SystemsResult)
    assert_type(found.ranks, dict[str, tuple[int, int]])
    assert_type(found.pairs, tuple[csig.systems.SystemPair, ...])
    assert_type(found.systems, tuple[csig.systems.SystemRank, ...])
    assert_type(found.adjusted_pvalues, NDArray[np.float64])
    assert_type(found.letters(), dict[str, str])
    csig.compare_systems(scores, correction="tukey")  # type: ignore[arg-type]


def rankings(table: dict[str, list[float]]) -> None:
    found = csig.rankings.nbest_precision(
        table, ["MI", "freq"], [10, 20], ties="all", interval="wilson"
    )
    assert_type(found, csig.rankings.NBestResult)
    assert_type(found["MI"], csig.rankings.NBestCurve)
    assert_type(found["MI"].band_low, NDArray[np.float64])
    assert_type(found["MI"].average_precision, float)
    ranked = csig.rank_methods(table, ["MI", "freq"], baseline="MI", ties="first", rng=1)
    assert_type(ranked, csig.rankings.RankedMethods)
    assert_type(ranked.pairs, tuple[csig.rankings.MethodPair, ...])
    assert_type(ranked.pair("MI", "freq").better, str | None)
    assert_type(ranked.precision, csig.rankings.NBestResult)
    limits = {"MI": 1.5, "freq": 3}
    pair = csig.rank_methods(table, ["MI", "freq"], threshold=limits, baseline="MI").pairs[0]
    assert_type(pair.adjusted_pvalues, NDArray[np.float64])
    assert_type(pair.comparison(9), csig.Comparison)
    assert_type(pair.regions[0].better, str)
    parts = csig.rankings.validate_binomial([(20, 100), (35, 100)], 0.3)
    assert_type(parts, csig.rankings.BinomialValidation)
    assert_type(parts.ratio_interval, tuple[float, float])
    assert_type(parts.standardized, NDArray[np.float64])
    by_sample = csig.rankings.sample_precision(table, ["MI", "freq"], sample="part", n=9)
    assert_type(by_sample, csig.rankings.SamplePrecision)
    assert_type(by_sample["MI"], csig.rankings.BinomialValidation)
    two = csig.rank_methods(table, ["MI", "freq"], sample="part", total=90, rng=1).pairs[0]
    if two.by_sample is not None:
        assert_type(two.by_sample.test, csig.results.RandomizationResult)
        assert_type(two.by_sample.interval, tuple[float, float])
    csig.rankings.nbest_precision(table, "MI", ties="last")  # type: ignore[arg-type]
    csig.rank_methods(table, ["MI", "freq"], ties="expected")  # type: ignore[arg-type]


def over_datasets(scores: dict[str, list[float]]) -> None:
    found = csig.compare_datasets(scores, pairs="ranks", correction="nemenyi", rng=1)
    assert_type(found, csig.datasets.DatasetsResult)
    assert_type(found.overall, tuple[csig.datasets.OverallTest, ...])
    assert_type(found.pairs, tuple[csig.datasets.DatasetPair, ...])
    assert_type(found.pairs[0].better, str | None)
    assert_type(found.average_ranks, tuple[float, ...])
    assert_type(found.ranks, NDArray[np.float64])
    assert_type(found.groups("nemenyi"), tuple[tuple[str, ...], ...])
    csig.compare_datasets(scores, correction="flips")  # type: ignore[arg-type]
    csig.compare_datasets(scores, pairs="wilcox")  # type: ignore[arg-type]


def shown(
    result: csig.results.RandomizationResult, results: csig.results.Results[csig.intervals.Interval]
) -> None:
    assert_type(result.summary("latex", explain=True, cite=True, width=60), str)
    assert_type(results.to_dict(), dict[str, Any])
    assert_type(results["f1"], csig.intervals.Interval)
    result.summary("latx")  # type: ignore[arg-type]
    result.to_frame("panda")  # type: ignore[arg-type]


def training(train_and_score: Callable[[Any, dict[str, Any]], dict[str, dict[str, float]]]) -> None:
    samples = csig.training.resample_training(100, method="kfold", k=5, rng=1)
    assert_type(samples[0].indices, NDArray[np.int64])
    found = csig.training.training_distribution(train_and_score, 100, ["news"], systems=["a", "b"])
    assert_type(found, csig.training.TrainingDistribution)
    assert_type(found.difference("a", "b", "news").interval, tuple[float, float] | None)
    assert_type(csig.training.TrainingDistribution.from_table("scores.csv").table("latex"), str)
    found.table("pdf")  # type: ignore[arg-type]
    csig.training.resample_training(100, method="jackknife")  # type: ignore[arg-type]


def units(comparison: csig.Comparison) -> None:
    found = csig.effects.unit_contributions(comparison, "f1", zero_division=1)
    assert_type(found, csig.effects.UnitContributions)
    assert_type(found.values, NDArray[np.float64])
    assert_type(found.largest(3), tuple[list[int], list[int]])
    assert_type(found.rows(), list[dict[str, Any]])
    found.units_frame(library="arrow")  # type: ignore[arg-type]


def pairs(comparison: csig.Comparison) -> None:
    assert_type(csig.classical.sign_test(comparison), csig.classical.TestResult)
    assert_type(csig.classical.sign_test_critical(25, 0.1), int)
    assert_type(csig.classical.paired_t_test(comparison, "recall"), csig.classical.TestResult)
    assert_type(
        csig.classical.wilcoxon_test(comparison, zero_method="pratt"), csig.classical.TestResult
    )
    assert_type(csig.classical.mcnemar_test(comparison, method="mid-p").difference, float | None)
    assert_type(csig.classical.kfold_t_test([0.1, 0.2]), csig.classical.TestResult)
    assert_type(
        csig.classical.resampled_t_test([0.1], [0.2], n_train=9, n_test=1),
        csig.classical.TestResult,
    )
    _, pvalue = csig.classical.cv52_t_test([[0.1, 0.2]] * 5)
    assert_type(pvalue, float)
    found = csig.classical.cv52_f_test([[0.1, 0.2]] * 5)
    assert_type(found.degrees_of_freedom, float | tuple[int, int] | None)
    assert_type(found[0], float)
    csig.classical.wilcoxon_test(comparison, method="normal")  # type: ignore[arg-type]
    csig.classical.mcnemar_test(comparison, method="midp")  # type: ignore[arg-type]


def independent(comparison: csig.Comparison) -> None:
    welch = csig.classical.independent_t_test(comparison, equal_variances=False)
    assert_type(welch, csig.classical.TestResult)
    assert_type(csig.classical.proportions_test(comparison, pooled=False).assumes, str)
    assert_type(csig.classical.chi_square_test(comparison, continuity=True).pvalue, float)
    found = csig.classical.correlation_interval(comparison, confidence_level=0.9)
    assert_type(found, csig.classical.CorrelationInterval)
    csig.classical.chi_square_test(comparison, continuity="yates")  # type: ignore[arg-type]


def tables(gold: list[str], said: list[str]) -> None:
    table = csig.classical.confusion_table(gold, said, positive="T")
    assert_type(table, csig.classical.ConfusionTable)
    assert_type(table.cells, tuple[int, int, int, int])
    assert_type(table.measures, dict[str, float])
    pair = csig.classical.agreement_table(gold, said, said)
    assert_type(pair, csig.classical.AgreementTable)
    assert_type(pair.comparison, csig.Comparison)
    found = csig.classical.cochran_q_test({"a": [1, 0], "b": [0, 1]}, method="exact")
    assert_type(found, csig.classical.TestResult)
    assert_type(found.names, tuple[str, ...])
    csig.classical.cochran_q_test({"a": [1], "b": [0]}, method="approximate")  # type: ignore[arg-type]


def words(comparison: csig.Comparison, counts: Sequence[str]) -> None:
    """An ignored line without a mistake is one itself."""
    csig.randomization_test(comparison, "f1", alternative="both")  # type: ignore[call-overload]
    csig.randomization_test(comparison, "f1", method="fast")  # type: ignore[call-overload]
    csig.randomization_test(comparison, "f1", resamples=9)  # type: ignore[call-overload]
    csig.effects.sensitivity(comparison, "f1", method="fast")  # type: ignore[call-overload]
    csig.effects.breakdown({"x": comparison}, "f1", method="fast")  # type: ignore[arg-type]
    csig.audit(comparison, "f1", alternative="both")  # type: ignore[arg-type]
    csig.intervals.crossed_interval(comparison, "f1", method="bca")  # type: ignore[arg-type]
    csig.classical.sign_test(comparison, alternative="both")  # type: ignore[arg-type]
    csig.intervals.linearized_interval(comparison, "f1", "both")  # type: ignore[arg-type]
    csig.intervals.bootstrap_interval(comparison, "f1", method="bc")  # type: ignore[call-overload]
    csig.intervals.bootstrap_test(comparison, "f1", method="bca")  # type: ignore[call-overload]
    csig.classical.independent_t_test(comparison, alternative="both")  # type: ignore[arg-type]
    csig.classical.proportions_test(comparison, alternative="both")  # type: ignore[arg-type]
    csig.replay.class_hits({}, {}, {}, 1, alternative="both", entropy=1)  # type: ignore[arg-type]
    assert csig.no_such_name  # type: ignore[attr-defined]
