"""The p-values of pairs are those of the two-system test."""

import itertools
from typing import Any

import numpy as np
import pytest

import csig
from csig import Comparison, InputError, Metric, randomization_test, replay, streams
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

COLUMNS = ("tp", "predicted", "gold")


def drawn(systems, n_resamples=None, metric=None, columns=None, **given):
    own = several(systems, columns, **given) if columns else several(systems, **given)
    pairs = np.triu_indices(len(systems), 1)
    source = streams.make_source(7, None)
    return pair_pvalues(scored(own, metric), pairs, source, n_resamples=n_resamples)


def exactly(systems, **given):
    """All p-values and their logarithms, none of which is drawn."""
    found = drawn(systems, **given)
    assert (found.n_shuffled, found.n_resamples) == (0, None)
    return found.pvalues.tolist(), found.logs.tolist()


def two_by_two(systems, metric=None, columns=None, clusters=None, **options):
    """The same by tests of two systems."""
    results = []
    for a, b in itertools.combinations(systems.values(), 2):
        if columns:
            two = Comparison.from_statistics(a, b, columns)
        else:
            two = Comparison.from_scores(a, b, cluster=clusters)
        results.append(randomization_test(two, metric or "mean", **options))
    return [own.pvalue for own in results], [own.log_pvalue for own in results]


def numbered(rows):
    return {str(i): own for i, own in enumerate(rows)}


def real(systems, n, seed=1):
    rng = np.random.default_rng(seed)
    return numbered(rng.standard_normal(n) + i / 30 for i in range(systems))


def thousandth(numbers):
    """The same, as multiples of a step that nobody looks for."""
    return numbered(own / 1009 for own in numbers)


# ---- exact p-values --------------------------------------------------------------------------


def exact_cases():
    rng = np.random.default_rng(1)
    binary = numbered(rng.integers(0, 2, 200) * (rng.random(200) < 0.3 + i / 5) for i in range(4))
    beyond = {"a": np.ones(3000, dtype=int), "b": np.arange(3000) % 40 == 0}
    return {
        "binary": (binary | {"same": binary["1"]}, 1e-12),
        "binary beyond doubles": (beyond, 1e-12),
        "binary in clusters": (numbered(rng.integers(0, 2, (3, 30))), 0),
        "eighths": (numbered(rng.integers(0, 9, (3, 30)) / 8), 0),
        "all flips at once": (numbered(rng.integers(0, 5, (16, 6)) / 10), 1e-14),
    }


EXACT = exact_cases()


@pytest.mark.parametrize("name", EXACT)
def test_exact_pvalues(name):
    systems, near = EXACT[name]
    clusters = (np.arange(30) // 3).tolist() if "clusters" in name else None
    found, logs = exactly(systems, clusters=clusters)
    expected, expected_logs = two_by_two(systems, clusters=clusters, method="exact")
    assert found == pytest.approx(expected, rel=near, abs=0)
    assert logs == pytest.approx(expected_logs, rel=near and 1e-12, abs=10 * near)
    assert name != "binary beyond doubles" or found == [0.0]


@pytest.mark.parametrize("metric", ["f1", "recall"])
def test_statistics(metric):
    rng = np.random.default_rng(4)
    gold = rng.integers(1, 5, 12)
    rows = [np.minimum(gold, rng.integers(0, 4, 12)) for _ in range(3)]
    systems = numbered(np.stack([tp, tp + rng.integers(0, 3, 12), gold], axis=1) for tp in rows)
    found, _ = exactly(systems, metric=metric, columns=COLUMNS)
    assert found == two_by_two(systems, metric, COLUMNS, method="exact")[0]
    table = scored(several(systems, COLUMNS), metric)
    two = Comparison.from_statistics(systems["0"], systems["1"], COLUMNS)
    assert table.scores[0] == two.scores(metric)[0]
    if metric == "recall":
        assert table.values.tolist() == np.stack(rows, axis=1).tolist()
    else:
        assert table.values is None


def test_scores_without_a_common_step():
    """Roots are no fractions; what they are not known by makes no difference here."""
    rng = np.random.default_rng(5)
    systems = numbered(np.sqrt(rng.integers(1, 99, (15, 6))))
    assert scored(several(systems), None).blur.any()
    found = dict(zip(itertools.combinations(systems, 2), exactly(systems)[0], strict=True))
    last = dict(list(systems.items())[-4:])
    expected, _ = two_by_two(last, method="exact")
    assert [found[pair] for pair in itertools.combinations(last, 2)] == pytest.approx(expected)


def test_real_ties_are_ties():
    """Doubles do not show that 1/1009 + 2/1009 is 3/1009, integers do."""
    whole = np.random.default_rng(6).integers(0, 4, (15, 8))
    assert scored(several(thousandth(whole)), None).blur.any()
    integers, _ = exactly(numbered(whole))
    assert exactly(thousandth(whole))[0] == pytest.approx(integers, rel=1e-14)
    many = np.random.default_rng(2).integers(0, 30, (3, 60))
    found, (integers, _) = drawn(thousandth(many)), exactly(numbered(many))
    assert found.pvalues == pytest.approx(integers, rel=1e-4)
    assert (found.pvalues >= np.array(integers) * (1 - 1e-9)).all()


# ---- certified p-values ----------------------------------------------------------------------


def certified_cases():
    rng = np.random.default_rng(1)
    gold = rng.integers(2**40, 2**41, 120)
    shares = numbered(np.stack([rng.integers(0, 2**40, 120), gold], axis=1) for _ in range(3))
    mixed = {
        "single": rng.random(300).astype(np.float32), "double": rng.random(300),
        "whole": rng.integers(0, 2, 300),
    }  # fmt: skip
    gain = Metric("gain", ("score", "n"), numerator=(-2, 1), denominator=(0, 3))
    total = Metric("total", ("score", "n"), numerator=("0.1", 0), denominator=(0, 1))
    ratio = {"metric": csig.metrics.ratio("share", "hits", "gold"), "columns": ("hits", "gold")}
    return {
        "two systems": (real(2, 300), {}),
        "clusters": (real(3, 400), {"clusters": (np.arange(400) // 4).tolist()}),
        "a constant denominator": (shares, ratio),
        "weights": (real(3, 200), {"metric": gain}),
        "tenths": (real(3, 200), {"metric": total}),
        "single precision beside integers": (mixed, {}),
    }


CERTIFIED = certified_cases()


@pytest.mark.parametrize("name", CERTIFIED)
def test_certified_pvalues_are_those_of_two_systems(name):
    systems, given = CERTIFIED[name]
    found = drawn(systems, 999, **given)
    assert (found.n_certified, found.flips) == (len(systems) * (len(systems) - 1) // 2, False)
    assert (found.pvalues.tolist(), found.logs.tolist()) == two_by_two(systems, **given)


@pytest.mark.parametrize("systems", [3, 16])
def test_real_scores_are_certified(systems):
    """To the last bit: however many pairs there are."""
    scores = real(systems, 300)
    found, n = drawn(scores), systems * (systems - 1) // 2
    assert (found.n_certified, found.n_shuffled, found.flips) == (n, 0, False)
    some = slice(None, None, 1 + n // 8)
    results = [
        randomization_test(Comparison.from_scores(a, b), "mean")
        for a, b in list(itertools.combinations(scores.values(), 2))[some]
    ]
    assert found.pvalues[some].tolist() == [own.pvalue for own in results]
    assert found.logs[some].tolist() == [own.log_pvalue for own in results]
    assert all(own.certificate is not None and own.certificate.width <= 1e-4 for own in results)


def test_neither_names_nor_order_change_a_pvalue():
    scores, order = real(5, 200), [3, 0, 4, 1, 2]
    expected, turned = drawn(scores), drawn({f"x{i}": scores[str(i)] for i in order})

    def by_pair(found, numbers):
        pairs = map(frozenset, itertools.combinations(numbers, 2))
        return dict(zip(pairs, found.pvalues.tolist(), strict=True))

    assert by_pair(turned, order) == by_pair(expected, range(5))


def mixture():
    """The first two differ by three values without a common step: 0.016% of p is an atom."""
    rng = np.random.default_rng(1)
    few = np.sqrt([2.0, 3.0, 5.0])[rng.integers(0, 3, 1000)] * rng.choice([-1, 1], 1000)
    own = rng.standard_normal((2, 1000))
    return {"zero": np.zeros(1000), "few": few, "x": own[0], "y": own[1]}


def test_pvalues_that_need_no_draw():
    systems = mixture()
    table, pairs = scored(several(systems), None), np.triu_indices(4, 1)
    found = pairwise.known_pvalues(table, pairs, threads=1)
    assert np.isnan(found.pvalues).tolist() == [True, *5 * [False]]
    assert (found.n_certified, found.n_shuffled) == (5, 1)
    assert found.pvalues[1:].tolist() == drawn(systems, 99).pvalues[1:].tolist()
    root = Metric("root", ("score", "n"), function=lambda s: np.sqrt(np.abs(s[:, 0])))
    other = pairwise.known_pvalues(scored(several(systems), root), pairs)
    assert np.isnan(other.pvalues).all()


# ---- flips that pairs share ------------------------------------------------------------------


def flips(rows, n_resamples):
    """Hits of every pair in the shuffles that all pairs share, in numpy."""
    table = np.stack(list(rows), axis=1)
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


@pytest.fixture(name="no_time")
def no_time_fixture(monkeypatch):
    """Bounds of all pairs take too long."""
    monkeypatch.setattr("csig.systems.ranking.BOUND_WORDS", 0)


def test_a_pair_that_cannot_be_bounded_has_shuffles_of_its_own():
    systems = mixture()
    found = drawn(systems, 999)
    assert (found.n_certified, found.n_shuffled, found.flips) == (5, 1, False)
    assert found.n_resamples == 999
    two = Comparison.from_scores(systems["zero"], systems["few"])
    own = randomization_test(two, "mean", n_resamples=999, rng=7)
    assert own.method == "approximate"
    assert (found.pvalues[0], found.logs[0]) == (own.pvalue, own.log_pvalue)


def test_such_pairs_share_flips_where_shuffles_take_too_long(monkeypatch):
    monkeypatch.setattr("csig.systems.ranking.EXACT_WORDS", 0)
    systems = mixture()
    found = drawn(systems, 999)
    assert (found.n_certified, found.n_shuffled, found.flips) == (5, 1, True)
    assert found.pvalues[0] == (1 + flips(systems.values(), 999)[0]) / 1000
    assert found.pvalues[1:].tolist() == drawn(systems, 999).pvalues[1:].tolist()


def test_a_thousand_systems_share_flips():
    """Half a million pairs are beyond the limit, whatever each takes."""
    table = scored(several(real(3, 100)), None)
    pairs: Any = tuple(np.zeros(499_500, dtype=np.intp) for _ in range(2))
    assert pairwise.planned(table, pairs, 2**20, 0) is None
    assert pairwise.planned(table, np.triu_indices(3, 1), 2**20, 0) is not None


@pytest.mark.usefixtures("no_time")
def test_many_real_scores_share_flips():
    whole = np.random.default_rng(7).integers(0, 2**20, (5, 80)) ** 2
    found, hits = drawn(numbered(whole), 3000), flips(whole, 3000)
    assert (found.flips, found.n_shuffled, found.n_resamples) == (True, 10, 3000)
    expected = [(1 + own) / 3001 for own in hits]
    assert found.pvalues.tolist() == expected
    assert found.logs == pytest.approx(np.log(expected), rel=1e-14)
    replayed = replay.flips_hits(whole.T.tolist(), 3000, alone=True, entropy=7)
    assert list(replayed.values()) == hits
    # Every pair alone, with shuffles of its own.
    alone, _ = two_by_two(numbered(whole), method="approximate", n_resamples=3000, rng=1)
    assert found.pvalues == pytest.approx(alone, abs=5 * 0.5 * (2 / 3000) ** 0.5)


@pytest.mark.usefixtures("no_time")
def test_shared_flips_see_real_ties():
    whole = np.random.default_rng(8).integers(0, 3000, (4, 200))
    found = drawn(thousandth(whole), 2000)
    assert found.flips
    assert found.pvalues.tolist() == [(1 + own) / 2001 for own in flips(whole, 2000)]


def test_sums_that_flips_cannot_hold_are_tested_one_by_one(monkeypatch):
    systems = numbered(np.random.default_rng(9).integers(0, 2**54, (3, 50)))
    found = drawn(systems, 999)
    assert (found.flips, found.n_shuffled, found.n_certified) == (False, 0, 3)
    monkeypatch.setattr("csig.engines.certified.by_itself", lambda _: None)  # as where none close
    found = drawn(systems, 999)
    assert (found.flips, found.n_shuffled, found.n_certified) == (False, 3, 0)


def test_what_takes_too_long_is_judged_by_a_sample(monkeypatch):
    """Three pairs are exact, 105 would take as long as 90 million flips of one system."""
    scores = np.random.default_rng(11).integers(0, 10**4, (15, 200)) / 10**4
    systems = numbered(scores)
    monkeypatch.setattr("csig.systems.ranking.EXACT_WORDS", 2**30)
    few = drawn(numbered(scores[:3]), 99)
    assert few.n_shuffled == 0
    bounds = drawn(systems, 99)  # of lattices, so that they count as exact
    assert (bounds.n_certified, bounds.n_shuffled) == (0, 0)
    assert bounds.pvalues[:2] == pytest.approx(few.pvalues[:2], rel=1e-9)
    monkeypatch.setattr("csig.systems.ranking.BOUND_WORDS", 0)
    many = drawn(systems, 99)
    assert (many.flips, many.n_shuffled) == (True, 105)


def test_enough_flips():
    for n_tests, alpha in ((1, 0.05), (4950, 0.05), (4950, 0.001), (499_500, 0.05)):
        n = enough_flips(n_tests, alpha)
        assert n_tests / n <= alpha / 10
        assert n == 2**20 or n_tests / (n / 2) > alpha / 10
    for systems, units in ((100, 10_000), (200, 100), (1000, 100), (100, 10**6)):
        pairs = systems * (systems - 1) // 2
        looks = pairs + systems * units / 16
        n, wanted = enough_flips(pairs, 0.05, looks), enough_flips(pairs, 0.05)
        # Not more than can be drawn.
        assert n == 2**16 or n * looks <= 2**38
        assert n == wanted or 2 * n * looks > 2**38 or pairs > 0.05 * 2**38 / looks
        assert n == 2**16 or pairs <= 0.05 * n


def test_the_order_of_systems_chooses_nothing():
    """One of 15 systems has scores that no lattice holds: its pairs are in the sample or not."""
    rng = np.random.default_rng(3)
    systems = {"real": rng.standard_normal(300)}
    systems |= {f"rated{i}": rng.integers(0, 5, 300) for i in range(14)}
    names = list(systems)
    for order in (names, names[::-1], rng.permutation(names).tolist()):
        found = drawn({name: systems[name] for name in order}, 20)
        assert (found.flips, found.n_shuffled, found.n_certified) == (False, 0, 14)


# ---- metrics ---------------------------------------------------------------------------------


def test_names_of_metrics():
    binary = several({"a": [1, 0], "b": [0, 0]})
    assert scored(binary, None).metric.name == "accuracy"
    assert scored(several({"a": [2, 0], "b": [0, 0]}), None).metric.name == "mean"
    assert not scored(binary, "error_rate").metric.greater_is_better
    assert not scored(binary, None, lower_is_better=True).metric.greater_is_better


@pytest.mark.parametrize(
    "metric",
    [
        Metric("wave", ("score", "n"), function=lambda s: np.cos(9 * s[:, 0] / s[:, 1])),
        Metric("odds", ("score", "n"), numerator=(1, 0), denominator=(-1, 1)),
        Metric("size", ("score", "n"), numerator=(0, 1), denominator=(0, 1)),
    ],
    ids=lambda metric: metric.name,
)
def test_metrics_of_scores_that_are_no_sums_are_tested_as_such(metric):
    rng = np.random.default_rng(1)
    table = {name: rng.integers(0, 2, 60) for name in "abcdef"}
    for pair in csig.compare_systems(table, metric=metric, rng=1).pairs:
        two = Comparison.from_scores(table[pair.system], table[pair.other])
        assert pair.pvalue == randomization_test(two, metric, rng=1).pvalue
    with pytest.raises(InputError, match="needs a metric that is a sum over units"):
        csig.compare_systems(table, metric=metric, rng=1, correction="flips")


LOST = {"base": [1e15, *5 * [0.1, 0.2, 0.3, 0.1]], "x\ny": [1e15, *5 * [0.5] * 4]}
SIXTEEN = {str(i): [[1, 2, 3]] for i in range(15)} | {"15": [[-2, 2, 3]]}


@pytest.mark.parametrize(
    ("systems", "columns", "metric", "message"),
    [
        (LOST, None, None,
         r"is lost beside a's score .* \(a is base, b is x\\ny\)$"),
        ({"base": [[1, 2, 1]], "new": [[-1, 2, 1]]}, COLUMNS, "f1",
         r"b: unit 0: tp must not .* \(a is base, b is new\)$"),
        # Whether or not its pairs are tested one by one.
        (SIXTEEN, COLUMNS, "recall", r"tp must not be negative.*b is 15"),
        ({"a": [1], "b": [2]}, None, "f1", "found 'f1'; scores have their mean"),
        ({"a": [[1]], "b": [[2]]}, ("tp",), None, "no default for 'tp'"),
    ],
)  # fmt: skip
def test_what_is_refused(systems, columns, metric, message):
    with pytest.raises(InputError, match=message):
        drawn(systems, metric=metric, columns=columns)


def test_counts_say_themselves_which_is_better():
    counts = several({"a": [[1]], "b": [[2]]}, ("tp",))
    with pytest.raises(InputError, match="lower_is_better is for scores"):
        scored(counts, "recall", lower_is_better=True)


# ---- what is doubtful ------------------------------------------------------------------------


def doubts(n, correction="holm", **fields):
    table = scored(several(numbered(np.random.default_rng(n).random((3, n)))), None)
    p = PairPvalues(np.full(3, 0.5), np.log(np.full(3, 0.5)), **fields)
    return doubts_of(table, correction, p, 0.05, True)


def test_doubts_of_pvalues():
    """Nothing is doubted that is exact or certified; flips name the smallest p-value."""
    assert doubts(50, n_certified=2) == []
    (all_three,) = doubts(50, n_shuffled=3, n_resamples=1999, flips=True)
    assert all_three == (
        "All 3 p-values of pairs are from one set of sign flips, not exact, and none of them can "
        "be below 0.0005: exact tests of these pairs would take too long, and proven bounds too, "
        "or they do not close."
    )
    (two,) = doubts(50, n_shuffled=2, n_resamples=1999, flips=True)
    assert two.startswith("2 of 3 p-values of pairs are")
    for n, said in ((1, "1 p-value of pairs is"), (2, "2 p-values of pairs are")):
        assert doubts(50, n_shuffled=n, n_resamples=999) == [f"{said} from shuffles, not exact."]
    _, few = doubts(50, n_shuffled=3, n_resamples=19, flips=True)
    assert few.startswith("With 19 flips none of these adjusted p-values can be as small as 0.05")
    (units,) = doubts(5, "bonferroni")
    assert units.startswith("With 5 items no p-value of a pair can be below 0.0625")


@pytest.mark.parametrize("n", [FEW_UNITS - 1, FEW_UNITS])
def test_flips_of_few_units(n):
    table = scored(several(numbered(np.random.default_rng(n).random((3, n)))), None)
    p = Flips(np.ones(3, dtype=int), np.ones(3, dtype=int), np.full(3, 0.5), 999)
    assert len(doubts_of(table, "flips", p, 0.05, True)) == (n < FEW_UNITS)


def test_the_first_factor():
    assert [largest_factor(own, 4) for own in ("holm", "bonferroni", "bh")] == [4, 4, 4]
    assert largest_factor("by", 4) == pytest.approx(4 * (1 + 1 / 2 + 1 / 3 + 1 / 4))
