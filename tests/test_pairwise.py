"""The p-values of pairs are those of the two-system test."""

import itertools
from typing import Any

import numpy as np
import pytest

import csig
from csig import InputError, replay, streams
from csig.data.several import several
from csig.engines.flips import Flips
from csig.systems import ranking as pairwise
from csig.systems.ranking import (
    FEW_UNITS,
    PairPvalues,
    doubts_of,
    enough_flips,
    largest_factor,
    pair_pvalues,
    scored,
)


def drawn(systems: dict[str, Any], n_resamples: int | None = None, **given: Any) -> PairPvalues:
    table = scored(several(systems, **given), given.pop("metric", None))
    pairs = np.triu_indices(len(systems), 1)
    return pair_pvalues(table, pairs, streams.make_source(7, None), n_resamples=n_resamples)


def pvalues(systems: dict[str, Any], **given: Any) -> tuple[list[float], list[float]]:
    found = drawn(systems, **given)
    assert found.n_shuffled == 0
    assert found.n_resamples is None
    return found.pvalues.tolist(), found.logs.tolist()


def two_by_two(systems: dict[str, Any], **given: Any) -> tuple[list[float], list[float]]:
    results = [
        csig.randomization_test(csig.Comparison.from_scores(a, b, **given), "mean", method="exact")
        for a, b in itertools.combinations(systems.values(), 2)
    ]
    return [own.pvalue for own in results], [own.log_pvalue for own in results]


def test_binary_scores() -> None:
    rng = np.random.default_rng(1)
    systems = {str(i): rng.integers(0, 2, 200) * (rng.random(200) < 0.3 + i / 5) for i in range(4)}
    systems["same"] = systems["1"]
    found, logs = pvalues(systems)
    expected, expected_logs = two_by_two(systems)
    assert found == pytest.approx(expected, rel=1e-12)
    assert logs == pytest.approx(expected_logs, rel=1e-12, abs=1e-12)


def test_binary_scores_beyond_doubles() -> None:
    systems = {"a": np.ones(3000, dtype=int), "b": np.arange(3000) % 40 == 0}
    found, logs = pvalues(systems)
    expected, expected_logs = two_by_two(systems)
    assert found == expected == [0.0]
    assert logs == pytest.approx(expected_logs, rel=1e-12)


def test_other_scores_and_clusters() -> None:
    rng = np.random.default_rng(2)
    systems = {str(i): rng.integers(0, 2, 30) for i in range(3)}
    clusters = (np.arange(30) // 3).tolist()
    assert pvalues(systems, clusters=clusters) == two_by_two(systems, clusters=clusters)
    systems = {str(i): rng.integers(0, 9, 30) / 8 for i in range(3)}
    assert pvalues(systems) == two_by_two(systems)


def test_many_systems_of_few_units() -> None:
    """All flips at once: the same as one by one."""
    rng = np.random.default_rng(3)
    systems = {str(i): rng.integers(0, 5, 6) / 10 for i in range(16)}
    found, logs = pvalues(systems)
    expected, expected_logs = two_by_two(systems)
    assert found == pytest.approx(expected, rel=1e-14)
    assert logs == pytest.approx(expected_logs, rel=1e-12, abs=1e-13)


def test_statistics() -> None:
    rng = np.random.default_rng(4)
    gold = rng.integers(1, 5, 12)
    rows = [np.minimum(gold, rng.integers(0, 4, 12)) for _ in range(3)]
    systems = {
        str(i): np.stack([tp, tp + rng.integers(0, 3, 12), gold], axis=1)
        for i, tp in enumerate(rows)
    }
    columns = ("tp", "predicted", "gold")
    given = several(systems, columns)
    for metric in ("f1", "recall"):
        table = scored(given, metric)
        assert (table.values is None) == (metric == "f1")
        source = streams.make_source(1, None)
        found = pair_pvalues(table, np.triu_indices(3, 1), source).pvalues.tolist()
        comparisons = [
            csig.Comparison.from_statistics(a, b, columns)
            for a, b in itertools.combinations(systems.values(), 2)
        ]
        expected = [csig.randomization_test(c, metric, method="exact").pvalue for c in comparisons]
        assert found == expected
        assert table.scores[0] == comparisons[0].scores(metric)[0]
    recall = scored(given, "recall").values
    assert recall is not None
    assert recall.tolist() == np.stack(rows, axis=1).tolist()


def test_scores_without_a_common_step() -> None:
    """Roots are no fractions; what they are not known by makes no difference here."""
    rng = np.random.default_rng(5)
    systems = {str(i): np.sqrt(rng.integers(1, 99, 6)) for i in range(15)}
    table = scored(several(systems), None)
    assert table.blur.any()
    found, _ = pvalues(systems)
    last = dict(list(systems.items())[-4:])
    expected, _ = two_by_two(last)
    table = dict(zip(itertools.combinations(systems, 2), found, strict=True))
    assert [table[pair] for pair in itertools.combinations(last, 2)] == pytest.approx(expected)


def thousandth(numbers: Any) -> dict[str, Any]:
    """The same, as multiples of a step that nobody looks for."""
    return {str(i): own / 1009 for i, own in enumerate(numbers)}


def test_real_ties_are_ties() -> None:
    """Doubles do not show that 1/1009 + 2/1009 is 3/1009, integers do."""
    whole = np.random.default_rng(6).integers(0, 4, (15, 8))
    assert scored(several(thousandth(whole)), None).blur.any()
    integers, _ = pvalues({str(i): own for i, own in enumerate(whole)})
    assert pvalues(thousandth(whole))[0] == pytest.approx(integers, rel=1e-14)


def flips(systems: dict[str, Any], n_resamples: int) -> list[int]:
    """Hits of every pair in the shuffles that all pairs share, in numpy."""
    table = np.stack(list(systems.values()), axis=1)
    n = len(table)
    seed = np.random.SeedSequence(7, spawn_key=(0x63736967, 2, 0, 0))
    words = np.random.PCG64DXSM(seed).random_raw(n * -(-n_resamples // 64)).reshape(-1, n)
    bits = words[:, None, :] >> np.arange(64, dtype=np.uint64)[:, None] & np.uint64(1)
    signs = 1 - 2 * bits.reshape(-1, n)[:n_resamples].astype(np.int64)
    found = []
    for j, k in itertools.combinations(range(table.shape[1]), 2):
        difference = table[:, j] - table[:, k]
        found.append(int((np.abs(signs @ difference) >= abs(difference.sum())).sum()))
    return found


def no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds of all pairs take too long."""
    monkeypatch.setattr("csig.systems.ranking.BOUND_WORDS", 0)


def real(systems: int, n: int, seed: int = 1) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    return {str(i): rng.standard_normal(n) + i / 30 for i in range(systems)}


@pytest.mark.parametrize("systems", [3, 16])
def test_real_scores_are_certified(systems: int) -> None:
    """The p-values of two systems, to the last bit: however many pairs there are."""
    scores = real(systems, 500)
    found = drawn(scores)
    n = systems * (systems - 1) // 2
    assert (found.n_certified, found.n_shuffled, found.flips) == (n, 0, False)
    some = slice(None, None, 1 + n // 8)
    results = [
        csig.randomization_test(csig.Comparison.from_scores(a, b), "mean")
        for a, b in list(itertools.combinations(scores.values(), 2))[some]
    ]
    assert found.pvalues[some].tolist() == [own.pvalue for own in results]
    assert found.logs[some].tolist() == [own.log_pvalue for own in results]
    certificates = [own.certificate for own in results]
    assert all(own is not None and own.width <= 1e-4 for own in certificates)


def test_clusters_are_certified() -> None:
    scores = real(3, 400)
    clusters = (np.arange(400) // 4).tolist()
    found = drawn(scores, clusters=clusters)
    expected = [
        csig.randomization_test(csig.Comparison.from_scores(a, b, clusters=clusters), "mean")
        for a, b in itertools.combinations(scores.values(), 2)
    ]
    assert found.n_certified == 3
    assert found.pvalues.tolist() == [own.pvalue for own in expected]


def test_counts_with_a_constant_denominator_are_certified() -> None:
    rng = np.random.default_rng(1)
    gold = rng.integers(2**40, 2**41, 120)
    systems = {str(i): np.stack([rng.integers(0, 2**40, 120), gold], axis=1) for i in range(3)}
    table = scored(several(systems, ("hits", "gold")), csig.metrics.ratio("share", "hits", "gold"))
    found = pair_pvalues(table, np.triu_indices(3, 1), streams.make_source(1, None))
    expected = [
        csig.randomization_test(
            csig.Comparison.from_statistics(a, b, ("hits", "gold")), table.metric
        ).pvalue
        for a, b in itertools.combinations(systems.values(), 2)
    ]
    assert found.n_certified == 3
    assert found.pvalues.tolist() == expected


@pytest.mark.parametrize(
    "metric",
    [
        csig.Metric("gain", ("score", "n"), numerator=(-2, 1), denominator=(0, 3)),
        csig.Metric("total", ("score", "n"), numerator=("0.1", 0), denominator=(0, 1)),
    ],
)
def test_other_weights_of_scores_are_certified(metric: csig.Metric) -> None:
    scores = real(3, 200)
    table = scored(several(scores), metric)
    found = pair_pvalues(table, np.triu_indices(3, 1), streams.make_source(1, None))
    assert found.n_certified == 3
    assert found.pvalues.tolist() == [
        csig.randomization_test(csig.Comparison.from_scores(a, b), metric).pvalue
        for a, b in itertools.combinations(scores.values(), 2)
    ]


def test_single_precision_beside_integers_is_certified() -> None:
    rng = np.random.default_rng(3)
    scores = {
        "single": rng.random(300).astype(np.float32), "double": rng.random(300),
        "whole": rng.integers(0, 2, 300),
    }  # fmt: skip
    found = drawn(scores)
    assert found.pvalues.tolist() == [
        csig.randomization_test(csig.Comparison.from_scores(a, b), "mean").pvalue
        for a, b in itertools.combinations(scores.values(), 2)
    ]


def test_pvalues_that_need_no_draw() -> None:
    systems = mixture()
    table = scored(several(systems), None)
    pairs = np.triu_indices(4, 1)
    found = pairwise.known_pvalues(table, pairs, threads=1)
    assert np.isnan(found.pvalues).tolist() == [True, *5 * [False]]
    assert (found.n_certified, found.n_shuffled) == (5, 1)
    assert found.pvalues[1:].tolist() == drawn(systems, 99).pvalues[1:].tolist()
    squares = csig.Metric("root", ("score", "n"), function=lambda s: np.sqrt(np.abs(s[:, 0])))
    other = pairwise.known_pvalues(scored(several(systems), squares), pairs)
    assert np.isnan(other.pvalues).all()


def test_neither_names_nor_order_change_a_pvalue() -> None:
    scores = real(5, 200)
    found = drawn(scores)
    names = list(itertools.combinations(scores, 2))
    expected = dict(zip(map(frozenset, names), found.pvalues.tolist(), strict=True))
    order = [3, 0, 4, 1, 2]
    turned = drawn({f"x{i}": scores[str(i)] for i in order})
    again = {
        frozenset({str(order[j]), str(order[k])}): p
        for (j, k), p in zip(
            itertools.combinations(range(5), 2), turned.pvalues.tolist(), strict=True
        )
    }
    assert again == expected


def test_bands_of_ties_are_those_of_two_systems() -> None:
    """Multiples of 1/1009, which is no denominator that is looked for: doubles do not tie."""
    whole = np.random.default_rng(2).integers(0, 30, (3, 60))
    found = drawn(thousandth(whole))
    integers, _ = pvalues({str(i): own for i, own in enumerate(whole)})
    assert found.pvalues == pytest.approx(integers, rel=1e-4)
    assert (found.pvalues >= np.array(integers) * (1 - 1e-9)).all()


def mixture() -> dict[str, Any]:
    """The first two differ by three values without a common step: 0.016% of p is an atom."""
    rng = np.random.default_rng(1)
    few = np.sqrt([2.0, 3.0, 5.0])[rng.integers(0, 3, 1000)] * rng.choice([-1, 1], 1000)
    real = rng.standard_normal((2, 1000))
    return {"zero": np.zeros(1000), "few": few, "x": real[0], "y": real[1]}


def test_a_pair_that_cannot_be_bounded_has_shuffles_of_its_own() -> None:
    systems = mixture()
    found = drawn(systems, 999)
    assert (found.n_certified, found.n_shuffled, found.flips) == (5, 1, False)
    assert found.n_resamples == 999
    own = csig.randomization_test(
        csig.Comparison.from_scores(systems["zero"], systems["few"]), "mean",
        n_resamples=999, rng=7,
    )  # fmt: skip
    assert own.method == "approximate"
    assert found.pvalues[0] == own.pvalue
    assert found.logs[0] == own.log_pvalue


def test_such_pairs_share_flips_where_shuffles_take_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("csig.systems.ranking.EXACT_WORDS", 0)
    systems = mixture()
    found = drawn(systems, 999)
    assert (found.n_certified, found.n_shuffled, found.flips) == (5, 1, True)
    only = flips(dict(list(systems.items())), 999)[0]
    assert found.pvalues[0] == (1 + only) / 1000
    assert found.pvalues[1:].tolist() == drawn(systems, 999).pvalues[1:].tolist()


def test_a_thousand_systems_share_flips() -> None:
    """Half a million pairs are beyond the limit, whatever each takes."""
    table = scored(several(real(3, 100)), None)
    pairs = tuple(np.zeros(499_500, dtype=np.intp) for _ in range(2))
    assert pairwise.planned(table, pairs, 2**20, 0) is None  # type: ignore[arg-type]
    few = np.triu_indices(3, 1)
    assert pairwise.planned(table, few, 2**20, 0) is not None


def test_many_real_scores_share_flips(monkeypatch: pytest.MonkeyPatch) -> None:
    no_time(monkeypatch)
    whole = np.random.default_rng(7).integers(0, 2**20, (5, 80)) ** 2
    integers = {str(i): own for i, own in enumerate(whole)}
    found = drawn(integers, 3000)
    assert found.flips
    assert found.n_shuffled == 10
    assert found.n_resamples == 3000
    expected = [(1 + hits) / 3001 for hits in flips(integers, 3000)]
    assert found.pvalues.tolist() == expected
    assert found.logs == pytest.approx(np.log(expected), rel=1e-14)
    replayed = replay.flips_hits(whole.T.tolist(), 3000, alone=True, entropy=7)
    assert list(replayed.values()) == flips(integers, 3000)
    # Every pair alone, with shuffles of its own.
    options: dict[str, Any] = {"method": "approximate", "n_resamples": 3000, "rng": 1}
    alone = [
        csig.randomization_test(csig.Comparison.from_scores(a, b), "mean", **options).pvalue
        for a, b in itertools.combinations(whole, 2)
    ]
    assert found.pvalues == pytest.approx(alone, abs=5 * 0.5 * (2 / 3000) ** 0.5)


def test_shared_flips_see_real_ties(monkeypatch: pytest.MonkeyPatch) -> None:
    no_time(monkeypatch)
    whole = np.random.default_rng(8).integers(0, 3000, (4, 200))
    found = drawn(thousandth(whole), 2000)
    assert found.flips
    hits = flips({str(i): own for i, own in enumerate(whole)}, 2000)
    assert found.pvalues.tolist() == [(1 + own) / 2001 for own in hits]


def test_sums_that_flips_cannot_hold_are_tested_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(9)
    systems = {str(i): rng.integers(0, 2**54, 50) for i in range(3)}
    found = drawn(systems, 999)
    assert (found.flips, found.n_shuffled, found.n_certified) == (False, 0, 3)
    monkeypatch.setattr("csig.engines.certified.by_itself", lambda _: None)  # as where none close
    found = drawn(systems, 999)
    assert (found.flips, found.n_shuffled, found.n_certified) == (False, 3, 0)


def test_two_systems_are_the_two_system_test() -> None:
    rng = np.random.default_rng(10)
    a, b = rng.standard_normal((2, 300))
    found = drawn({"a": a, "b": b}, 999)
    result = csig.randomization_test(
        csig.Comparison.from_scores(a, b), "mean", n_resamples=999, rng=7
    )
    assert found.pvalues.tolist() == [result.pvalue]
    assert not found.flips


def test_what_takes_too_long_is_judged_by_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three pairs are exact, 105 would take as long as 90 million flips of one system."""
    rng = np.random.default_rng(11)
    scores = rng.integers(0, 10**4, (15, 200)) / 10**4
    systems = {str(i): own for i, own in enumerate(scores)}
    monkeypatch.setattr("csig.systems.ranking.EXACT_WORDS", 2**30)
    few = drawn(dict(list(systems.items())[:3]), 99)
    assert few.n_shuffled == 0
    bounds = drawn(systems, 99)  # of lattices, so that they count as exact
    assert (bounds.n_certified, bounds.n_shuffled) == (0, 0)
    assert bounds.pvalues[:2] == pytest.approx(few.pvalues[:2], rel=1e-9)
    no_time(monkeypatch)
    many = drawn(systems, 99)
    assert many.flips
    assert many.n_shuffled == 105


def test_enough_flips() -> None:
    for n_tests, alpha in ((1, 0.05), (4950, 0.05), (4950, 0.001), (499_500, 0.05)):
        n = enough_flips(n_tests, alpha)
        assert n_tests / n <= alpha / 10
        assert n == 2**20 or n_tests / (n / 2) > alpha / 10


@pytest.mark.parametrize(
    ("systems", "units"), [(100, 10_000), (200, 100), (1000, 100), (100, 10**6)]
)
def test_enough_flips_are_not_more_than_can_be_drawn(systems: int, units: int) -> None:
    pairs = systems * (systems - 1) // 2
    looks = pairs + systems * units / 16
    n, wanted = enough_flips(pairs, 0.05, looks), enough_flips(pairs, 0.05)
    assert n == 2**16 or n * looks <= 2**38
    assert n == wanted or 2 * n * looks > 2**38 or pairs > 0.05 * 2**38 / looks
    assert n == 2**16 or pairs <= 0.05 * n


def test_the_order_of_systems_chooses_nothing() -> None:
    """One of 15 systems has scores that no lattice holds: its pairs are in the sample or not."""
    rng = np.random.default_rng(3)
    systems: dict[str, Any] = {"real": rng.standard_normal(300)}
    systems |= {f"rated{i}": rng.integers(0, 5, 300) for i in range(14)}
    methods = set()
    for _ in range(4):
        names = rng.permutation(list(systems)).tolist()
        found = drawn({name: systems[name] for name in names}, 20)
        methods.add((found.flips, found.n_shuffled, found.n_certified))
    assert methods == {(False, 0, 14)}


def test_names_of_metrics() -> None:
    binary = several({"a": [1, 0], "b": [0, 0]})
    assert scored(binary, None).metric.name == "accuracy"
    assert scored(several({"a": [2, 0], "b": [0, 0]}), None).metric.name == "mean"
    assert not scored(binary, "error_rate").metric.greater_is_better
    assert not scored(binary, None, lower_is_better=True).metric.greater_is_better


def test_a_pair_that_is_refused_has_its_names() -> None:
    own = ([0.1, 0.2, 0.3, 0.1], [0.5, 0.5, 0.5, 0.5])
    scores = dict(zip(("base", "x\ny"), ([1e15] + 5 * part for part in own), strict=True))
    message = r"is lost beside a's score .* \(a is base, b is x\\ny\)$"
    with pytest.raises(InputError, match=message):
        drawn(scores)
    counts = several({"base": [[1, 2, 1]], "new": [[-1, 2, 1]]}, ("tp", "predicted", "gold"))
    with pytest.raises(InputError, match=r"b: unit 0: tp must not .* \(a is base, b is new\)$"):
        scored(counts, "f1")


def test_counts_of_every_system_are_looked_at() -> None:
    """Whether or not its pairs are tested one by one."""
    counts = {str(i): [[1, 2, 3]] for i in range(16)}
    counts["15"] = [[-2, 2, 3]]
    with pytest.raises(InputError, match=r"tp must not be negative.*b is 15"):
        scored(several(counts, ("tp", "predicted", "gold")), "recall")


def test_refused() -> None:
    scores, counts = several({"a": [1], "b": [2]}), several({"a": [[1]], "b": [[2]]}, ("tp",))
    with pytest.raises(InputError, match="found 'f1'; scores have their mean"):
        scored(scores, "f1")
    with pytest.raises(InputError, match="no default for 'tp'"):
        scored(counts, None)
    with pytest.raises(InputError, match="lower_is_better is for scores"):
        scored(counts, "recall", lower_is_better=True)


@pytest.mark.parametrize(
    "metric",
    [
        csig.Metric("wave", ("score", "n"), function=lambda s: np.cos(9 * s[:, 0] / s[:, 1])),
        csig.Metric("odds", ("score", "n"), numerator=(1, 0), denominator=(-1, 1)),
        csig.Metric("size", ("score", "n"), numerator=(0, 1), denominator=(0, 1)),
    ],
    ids=lambda metric: metric.name,
)
def test_metrics_of_scores_that_are_no_sums_are_tested_as_such(metric):
    rng = np.random.default_rng(1)
    table = {name: rng.integers(0, 2, 60) for name in "abcdef"}
    found = csig.compare_systems(table, metric=metric, rng=1)
    for pair in found.pairs:
        two = csig.Comparison.from_scores(table[pair.system], table[pair.other])
        alone = csig.randomization_test(two, metric, rng=1)
        assert pair.pvalue == alone.pvalue
    with pytest.raises(csig.InputError, match="needs a metric that is a sum over units"):
        csig.compare_systems(table, metric=metric, rng=1, correction="flips")


def table(n: int) -> Any:
    rng = np.random.default_rng(n)
    return scored(several({name: rng.random(n) for name in "abc"}), None)


def shuffled(n_shuffled: int, n_resamples: int, flips: bool) -> PairPvalues:
    return PairPvalues(np.full(3, 0.5), np.log(np.full(3, 0.5)), n_shuffled, n_resamples, flips)


def test_nothing_is_doubted_that_is_exact_or_certified() -> None:
    p = PairPvalues(np.full(3, 0.5), np.log(np.full(3, 0.5)), n_certified=2)
    assert doubts_of(table(50), "holm", p, 0.05, True) == []


def test_flips_name_the_smallest_pvalue() -> None:
    (doubt,) = doubts_of(table(50), "holm", shuffled(3, 1999, True), 0.05, True)
    assert doubt == (
        "All 3 p-values of pairs are from one set of sign flips, not exact, and none of them can "
        "be below 0.0005: exact tests of these pairs would take too long, and proven bounds too, "
        "or they do not close."
    )
    (doubt,) = doubts_of(table(50), "holm", shuffled(2, 1999, True), 0.05, True)
    assert doubt.startswith("2 of 3 p-values of pairs are")


def test_shuffles_of_some_pairs() -> None:
    one, two = (doubts_of(table(50), "holm", shuffled(n, 999, False), 0.05, True) for n in (1, 2))
    assert one == ["1 p-value of pairs is from shuffles, not exact."]
    assert two == ["2 p-values of pairs are from shuffles, not exact."]


def test_too_few_trials_and_too_few_units() -> None:
    few = doubts_of(table(50), "holm", shuffled(3, 19, True), 0.05, True)
    assert few[1].startswith(
        "With 19 flips none of these adjusted p-values can be as small as 0.05"
    )
    p = PairPvalues(np.full(3, 0.5), np.log(np.full(3, 0.5)))
    (units,) = doubts_of(table(5), "bonferroni", p, 0.05, True)
    assert units.startswith("With 5 items no p-value of a pair can be below 0.0625")


@pytest.mark.parametrize("n", [FEW_UNITS - 1, FEW_UNITS])
def test_flips_of_few_units(n: int) -> None:
    p = Flips(np.ones(3, dtype=int), np.ones(3, dtype=int), np.full(3, 0.5), 999)
    assert len(doubts_of(table(n), "flips", p, 0.05, True)) == (n < FEW_UNITS)


def test_the_first_factor() -> None:
    assert [largest_factor(own, 4) for own in ("holm", "bonferroni", "bh")] == [4, 4, 4]
    assert largest_factor("by", 4) == pytest.approx(4 * (1 + 1 / 2 + 1 / 3 + 1 / 4))
