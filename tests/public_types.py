"""What a type checker knows of the public names: mypy reads this file, and nothing runs it."""

from collections.abc import Callable
from typing import Any, assert_type

import numpy as np

import csig
import csig.results
import csig.systems
from csig.answers.compare import ComparedResult
from csig.base.shown import ShownTuple


def testing(comparison: csig.Comparison) -> None:
    one = csig.randomization_test(comparison, "f1", alternative="less", method="exact")
    assert_type(one, csig.results.RandomizationResult)
    arrays = csig.randomization_test([1, 0, 1], np.zeros(3), names=("new", "old"), rng=1)
    assert_type(arrays, csig.results.RandomizationResult)
    assert_type(arrays[1], float)
    several = csig.randomization_test(comparison, ["f1", csig.metrics.recall])
    assert_type(several, csig.results.Results[csig.results.RandomizationResult])
    assert_type(several["f1"], csig.results.RandomizationResult)
    csig.randomization_test("1", "0")  # type: ignore[arg-type]
    csig.randomization_test(comparison, "f1", alternative="both")  # type: ignore[call-overload]
    csig.randomization_test(comparison, "f1", method="fast")  # type: ignore[call-overload]
    csig.randomization_test(comparison, "f1", resamples=9)  # type: ignore[call-overload]
    one.summary("latx")  # type: ignore[arg-type]
    one.to_frame("panda")  # type: ignore[arg-type]
    csig.comparee(comparison)  # type: ignore[attr-defined]
    csig.audit(comparison, "f1", alternative="both")  # type: ignore[arg-type]
    csig.replay.class_hits({}, {}, {}, 1, alternative="both", entropy=1)  # type: ignore[arg-type]


def effects(comparison: csig.Comparison) -> None:
    by_unit = csig.effects.sensitivity(comparison, "f1", method="exact", threads=2)
    assert_type(by_unit, csig.effects.Sensitivity[csig.results.RandomizationResult])
    parts = csig.effects.breakdown({"PER": comparison}, "f1", alternative="greater", method="auto")
    assert_type(parts, csig.effects.Breakdown)
    corrected = ShownTuple[csig.classical.Corrected[csig.results.RandomizationResult]]
    assert_type(parts.corrected("f1"), corrected)
    csig.effects.sensitivity(comparison, "f1", method="fast")  # type: ignore[call-overload]
    csig.effects.breakdown({"x": comparison}, "f1", method="fast")  # type: ignore[arg-type]


def intervals(comparison: csig.Comparison) -> None:
    i = csig.intervals
    assert_type(i.bootstrap_interval(comparison, "f1", "a", rng=1), i.Interval)
    assert_type(i.bootstrap_interval(comparison, ["f1"]), csig.results.Results[i.Interval])
    assert_type(i.bootstrap_test(comparison, "f1", method="koehn"), i.BootstrapResult)
    assert_type(i.bootstrap_test(comparison, ["f1"]), csig.results.Results[i.BootstrapResult])
    i.linearized_interval(comparison, "f1", "both")  # type: ignore[arg-type]
    i.bootstrap_interval(comparison, "f1", method="bc")  # type: ignore[call-overload]
    i.bootstrap_test(comparison, "f1", method="bca")  # type: ignore[call-overload]


def compared(comparison: csig.Comparison) -> None:
    found = csig.compare("gold.tsv", "a.tsv", "b.tsv", metric=["f1", csig.metrics.recall], rng=1)
    assert_type(found["f1"], ComparedResult)
    assert_type(found["b", "f1"].difference, float)
    assert_type(found["f1"].interval, csig.intervals.Interval | None)
    csig.compare({"a": [1, 2], "b": [2, 1]}, cluster=["x", "y"], interval="bca", decimal=",")
    csig.compare(comparison, alternative="bigger")  # type: ignore[arg-type]
    csig.compare(comparison, method="exakt")  # type: ignore[arg-type]
    csig.compare(comparison, interval="bc")  # type: ignore[arg-type]
    csig.compare(comparison, zero_division=2)  # type: ignore[arg-type]
    csig.compare(comparison, rules="loose")  # type: ignore[arg-type]
    csig.compare(comparison, metrics="f1")  # type: ignore[call-arg]
    print(found["f1"].pvlaue)  # type: ignore[attr-defined]
    found.summary("latx")  # type: ignore[arg-type]


def recommended(comparison: csig.Comparison, scores: dict[str, list[int]]) -> None:
    found = csig.recommend(comparison, "f1")
    assert_type(found["sign test"].pvalue, float | None)
    csig.recommend(scores, rows="folds", folds=2)
    csig.recommend(scores, rows="topics")  # type: ignore[arg-type]
    csig.advice.all_tests(comparison, alternative="bigger")  # type: ignore[arg-type]


def systems_and_datasets(scores: dict[str, list[int]]) -> None:
    csig.compare_systems(scores, correction="flips", statistic="difference", rng=1)
    csig.compare_systems(scores, correction="tukey")  # type: ignore[arg-type]
    csig.compare_datasets(scores, pairs="ranks", correction="nemenyi", rng=1)
    csig.compare_datasets(scores, correction="flips")  # type: ignore[arg-type]
    csig.compare_datasets(scores, pairs="wilcox")  # type: ignore[arg-type]


def rankings(table: dict[str, list[float]]) -> None:
    csig.rankings.nbest_precision(table, "MI", [10, 20], ties="all", interval="wilson")
    csig.rank_methods(table, ["MI", "freq"], baseline="MI", ties="first", rng=1)
    csig.rank_methods(table, ["MI", "freq"], threshold={"MI": 1.5, "freq": 3})
    csig.rankings.validate_binomial([(20, 100), (35, 100)], 0.3)
    by_sample = csig.rankings.sample_precision(table, ["MI", "freq"], sample="part", n=9)
    assert_type(by_sample["MI"], csig.rankings.BinomialValidation)
    csig.rankings.nbest_precision(table, "MI", ties="last")  # type: ignore[arg-type]
    csig.rank_methods(table, ["MI", "freq"], ties="expected")  # type: ignore[arg-type]


def training(train_and_score: Callable[[Any, dict[str, Any]], dict[str, dict[str, float]]]) -> None:
    csig.training.resample_training(100, method="kfold", k=5, rng=1)
    found = csig.training.training_distribution(train_and_score, 100, ["news"], systems=["a", "b"])
    assert_type(found, csig.training.TrainingDistribution)
    assert_type(found.difference("a", "b", "news").interval, tuple[float, float] | None)
    assert_type(csig.training.TrainingDistribution.from_table("scores.csv").table("latex"), str)
    found.table("pdf")  # type: ignore[arg-type]
    csig.training.resample_training(100, method="jackknife")  # type: ignore[arg-type]


def classical(comparison: csig.Comparison, gold: list[str]) -> None:
    c = csig.classical
    assert_type(c.holm([0.1, 0.2]), ShownTuple[c.Corrected[float]])
    for found in (
        c.sign_test(comparison),
        c.paired_t_test(comparison, "recall"),
        c.wilcoxon_test(comparison, zero_method="pratt"),
        c.mcnemar_test(comparison, method="mid-p"),
        c.kfold_t_test([0.1, 0.2]),
        c.resampled_t_test([0.1], [0.2], n_train=9, n_test=1),
        c.cv52_t_test([[0.1, 0.2]] * 5),
        c.cv52_f_test([[0.1, 0.2]] * 5),
        c.independent_t_test(comparison, equal_variances=False),
        c.proportions_test(comparison, pooled=False),
        c.chi_square_test(comparison, continuity=True),
        c.cochran_q_test({"a": [1, 0], "b": [0, 1]}, method="exact"),
    ):
        assert_type(found, c.TestResult)
        assert_type(found[1], float)
        assert_type(found.difference, float | None)
        assert_type(found.degrees_of_freedom, float | tuple[float, float] | None)
    c.wilcoxon_test(comparison, method="normal")  # type: ignore[arg-type]
    c.mcnemar_test(comparison, method="midp")  # type: ignore[arg-type]
    c.chi_square_test(comparison, continuity="yates")  # type: ignore[arg-type]
    c.cochran_q_test({"a": [1], "b": [0]}, method="approximate")  # type: ignore[arg-type]
    c.sign_test(comparison, alternative="both")  # type: ignore[arg-type]
    c.independent_t_test(comparison, alternative="both")  # type: ignore[arg-type]
    c.proportions_test(comparison, alternative="both")  # type: ignore[arg-type]
