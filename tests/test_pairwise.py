"""The p-values of pairs are those of the two-system test, and say how they were found."""

import itertools
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import csig
from csig import Comparison, InputError, Metric, randomization_test, replay
from csig.data.several import several
from csig.systems.ranking import SystemsResult, enough_flips, planned, scored

COLUMNS = ("tp", "predicted", "gold")


def drawn(systems: Any, n_resamples: int | None = None, **given: Any) -> SystemsResult:
    return csig.compare_systems(systems, n_resamples=n_resamples, rng=7, **given)


def of_pairs(matrix: Any) -> list[float]:
    """In the order of the systems that were given."""
    return [float(own) for own in matrix[np.triu_indices(len(matrix), 1)]]


def exactly(systems: Any, **given: Any) -> tuple[list[float], list[float]]:
    """All p-values and their logarithms, none of which is drawn."""
    found = drawn(systems, **given)
    assert (found.n_shuffled, found.n_resamples) == (0, None)
    return of_pairs(found.pvalues), of_pairs(found.log_pvalues)


def two_by_two(
    systems: Any, metric: Any = None, columns: Any = None, cluster: Any = None, **options: Any
) -> tuple[list[float], list[float]]:
    """The same by tests of two systems."""
    results = []
    for a, b in itertools.combinations(systems.values(), 2):
        if columns:
            two = Comparison.from_statistics(a, b, columns)
        else:
            two = Comparison.from_scores(a, b, cluster=cluster)
        results.append(randomization_test(two, metric or "mean", **options))
    return [own.pvalue for own in results], [own.log_pvalue for own in results]


def numbered(rows: Iterable[Any]) -> dict[str, Any]:
    return {str(i): own for i, own in enumerate(rows)}


def real(systems: int, n: int, step: float = 1 / 30) -> dict[str, Any]:
    """Scores on no grid, each system better than the one before by a step."""
    rng = np.random.default_rng(1)
    return numbered(rng.standard_normal(n) + i * step for i in range(systems))


def thousandth(numbers: Iterable[Any]) -> dict[str, Any]:
    """The same, as multiples of a step that nobody looks for."""
    return numbered(own / 1009 for own in numbers)


def words(found: SystemsResult, **options: Any) -> str:
    return " ".join(found.summary(**options).split())


# ---- exact p-values --------------------------------------------------------------------------


def exact_cases() -> dict[str, Any]:
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
def test_exact_pvalues(name: str) -> None:
    systems, near = EXACT[name]
    cluster = (np.arange(30) // 3).tolist() if "clusters" in name else None
    found, logs = exactly(systems, cluster=cluster)
    expected, expected_logs = two_by_two(systems, cluster=cluster, method="exact")
    assert found == pytest.approx(expected, rel=near, abs=0)
    assert logs == pytest.approx(expected_logs, rel=near and 1e-12, abs=10 * near)
    assert name != "binary beyond doubles" or found == [0.0]


@pytest.mark.parametrize("metric", ["f1", "recall"])
def test_statistics(metric: str) -> None:
    rng = np.random.default_rng(4)
    gold = rng.integers(1, 5, 12)
    rows = [np.minimum(gold, rng.integers(0, 4, 12)) for _ in range(3)]
    systems = numbered(np.stack([tp, tp + rng.integers(0, 3, 12), gold], axis=1) for tp in rows)
    found = drawn(systems, metric=metric, columns=COLUMNS)
    asked = (systems, metric, COLUMNS)
    assert of_pairs(found.pvalues) == two_by_two(*asked, method="exact", statistic="auto")[0]
    if metric == "f1":  # whether the systems are interchangeable
        assert of_pairs(found.plain_pvalues) == two_by_two(*asked, method="exact")[0]


def test_scores_without_a_common_step() -> None:
    """Roots are no fractions; what they are not known by makes no difference here."""
    rng = np.random.default_rng(5)
    systems = numbered(np.sqrt(rng.integers(1, 99, (15, 6))))
    found = dict(zip(itertools.combinations(systems, 2), exactly(systems)[0], strict=True))
    last = dict(list(systems.items())[-4:])
    expected, _ = two_by_two(last, method="exact")
    assert [found[pair] for pair in itertools.combinations(last, 2)] == pytest.approx(expected)


def test_real_ties_are_ties() -> None:
    """Doubles do not show that 1/1009 + 2/1009 is 3/1009, integers do."""
    whole = np.random.default_rng(6).integers(0, 4, (15, 8))
    integers, _ = exactly(numbered(whole))
    assert exactly(thousandth(whole))[0] == pytest.approx(integers, rel=1e-14)
    many = np.random.default_rng(2).integers(0, 30, (3, 60))
    found, (integers, _) = of_pairs(drawn(thousandth(many)).pvalues), exactly(numbered(many))
    assert found == pytest.approx(integers, rel=1e-4)
    assert (np.array(found) >= np.array(integers) * (1 - 1e-9)).all()


# ---- certified p-values ----------------------------------------------------------------------


def certified_cases() -> dict[str, Any]:
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
        "clusters": (real(3, 400), {"cluster": (np.arange(400) // 4).tolist()}),
        "a constant denominator": (shares, ratio),
        "weights": (real(3, 200), {"metric": gain}),
        "tenths": (real(3, 200), {"metric": total}),
        "single precision beside integers": (mixed, {}),
    }


CERTIFIED = certified_cases()


@pytest.mark.parametrize("name", CERTIFIED)
def test_certified_pvalues_are_those_of_two_systems(name: str) -> None:
    systems, given = CERTIFIED[name]
    found = drawn(systems, 999, **given)
    assert (found.n_certified, found.method) == (found.n_pairs, "certified")
    assert (of_pairs(found.pvalues), of_pairs(found.log_pvalues)) == two_by_two(systems, **given)


def test_pairs_that_are_certified_say_so() -> None:
    systems = real(3, 300, 0.3)
    found = drawn(systems)
    assert (found.seed, found.n_resamples, found.doubts) == (None, None, ())
    assert "p is certified: the upper one of two proven bounds within 0.01%" in words(found)
    assert " certified " in words(found)
    down = drawn(systems, lower_is_better=True)  # errors as scores are
    assert down.pvalues.tolist() == found.pvalues.tolist()
    assert down.better.tolist() == found.better.T.tolist()
    assert down.better.any()
    systems["0"], systems["1"] = np.arange(300) % 2, np.arange(300) % 3 / 2
    mixed = drawn(systems)
    assert (mixed.method, mixed.n_certified) == ("certified", 2)
    assert "p of 3 pairs: 2 certified and 1 exact." in words(mixed)
    assert mixed.to_dict()["n_certified"] == 2
    against = drawn(systems, baseline="2")
    assert (against.n_certified, against.n_pairs) == (2, 2)
    assert against.pvalues[0, 2] == mixed.pvalues[0, 2]


# ---- flips that pairs share, and shuffles of a pair's own ----------------------------------------


def mixture() -> dict[str, Any]:
    """The first two differ by three values without a common step: 0.016% of p is an atom."""
    rng = np.random.default_rng(1)
    few = np.sqrt([2.0, 3.0, 5.0])[rng.integers(0, 3, 1000)] * rng.choice([-1, 1], 1000)
    own = rng.standard_normal((2, 1000))
    return {"zero": np.zeros(1000), "few": few, "x": own[0], "y": own[1]}


def flips(rows: Iterable[Any], n_resamples: int) -> list[int]:
    """Hits of every pair in the shuffles that all pairs share, in numpy."""
    table = np.stack(list(rows), axis=1)
    n = len(table)
    seed = np.random.SeedSequence(7, spawn_key=(0x63736967, 2, 0, 0))
    bits64 = np.random.PCG64DXSM(seed).random_raw(n * -(-n_resamples // 64)).reshape(-1, n)
    bits = bits64[:, None, :] >> np.arange(64, dtype=np.uint64)[:, None] & np.uint64(1)
    signs = 1 - 2 * bits.reshape(-1, n)[:n_resamples].astype(np.int64)
    found = []
    for j, k in itertools.combinations(range(table.shape[1]), 2):
        difference = table[:, j] - table[:, k]
        found.append(int((np.abs(signs @ difference) >= abs(difference.sum())).sum()))
    return found


@pytest.fixture
def no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds of all pairs take too long."""
    monkeypatch.setattr("csig.systems.ranking.BOUND_WORDS", 0)


def test_a_pair_that_cannot_be_bounded_has_shuffles_of_its_own_or_flips(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    systems = mixture()
    monkeypatch.setattr("csig.engines.certified.better_than_shuffles", lambda *_: False)
    found = drawn(systems, 999)
    assert (found.n_certified, found.n_shuffled, found.method) == (5, 1, "shuffles")
    assert found.n_resamples == 999
    assert found.doubts == ("1 p-value of pairs is from shuffles, not exact.",)
    assert "Shuffles: 999, seed 7." in found.summary()
    two = Comparison.from_scores(systems["zero"], systems["few"])
    own = randomization_test(two, "mean", n_resamples=999, rng=7)
    assert own.method == "approximate"
    assert (found.pvalues[0, 1], found.log_pvalues[0, 1]) == (own.pvalue, own.log_pvalue)

    known = drawn(systems, 999, correction="flips")  # of pairs alone, where no draw is needed
    assert (known.n_certified, known.n_shuffled) == (5, 1)
    assert of_pairs(known.pvalues)[1:] == of_pairs(found.pvalues)[1:]

    monkeypatch.setattr("csig.systems.ranking.EXACT_WORDS", 0)  # for shuffles of its own
    shared = drawn(systems, 999)
    assert (shared.n_certified, shared.n_shuffled, shared.method) == (5, 1, "flips")
    assert shared.pvalues[0, 1] == (1 + flips(systems.values(), 999)[0]) / 1000
    assert of_pairs(shared.pvalues)[1:] == of_pairs(found.pvalues)[1:]
    assert shared.doubts[0].startswith(
        "1 of 6 p-values of pairs are from one set of sign flips, not exact, and none of them can "
        "be below 0.001: exact tests of these pairs would take too long, and proven bounds too, or "
        "they do not close."
    )
    assert "p of 6 pairs: 5 certified and 1 from flips." in words(shared)
    said = words(shared, explain=True)
    assert "The shuffles of 1 pair are not counted exactly: 999 were drawn, the same for" in said


def test_a_thousand_systems_share_flips() -> None:
    """Half a million pairs are beyond the limit, whatever each takes."""
    table = scored(several(real(3, 100)), None)
    pairs: Any = tuple(np.zeros(499_500, dtype=np.intp) for _ in range(2))
    assert planned(table, pairs, 2**20, 0) is None
    assert planned(table, np.triu_indices(3, 1), 2**20, 0) is not None


@pytest.mark.usefixtures("no_time")
def test_many_real_scores_share_flips() -> None:
    whole = np.random.default_rng(7).integers(0, 2**20, (5, 80)) ** 2
    found, hits = drawn(numbered(whole), 3000), flips(whole, 3000)
    assert (found.method, found.n_shuffled, found.n_resamples) == ("flips", 10, 3000)
    (doubt,) = found.doubts
    assert doubt.startswith("All 10 p-values of pairs are from one set of sign flips, not exact")
    assert "Flips: 3,000, seed 7." in found.summary()
    expected = [(1 + own) / 3001 for own in hits]
    assert of_pairs(found.pvalues) == expected
    assert of_pairs(found.log_pvalues) == pytest.approx(np.log(expected), rel=1e-14)
    replayed = replay.flips_hits(whole.T.tolist(), 3000, alone=True, entropy=7)
    assert list(replayed.values()) == hits
    # Every pair alone, with shuffles of its own.
    alone, _ = two_by_two(numbered(whole), method="approximate", n_resamples=3000, rng=1)
    assert of_pairs(found.pvalues) == pytest.approx(alone, abs=5 * 0.5 * (2 / 3000) ** 0.5)

    tied = np.random.default_rng(8).integers(0, 3000, (4, 200))  # real ties
    found = drawn(thousandth(tied), 2000)
    assert found.method == "flips"
    assert of_pairs(found.pvalues) == [(1 + own) / 2001 for own in flips(tied, 2000)]


def test_sums_that_flips_cannot_hold_are_tested_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    systems = numbered(np.random.default_rng(9).integers(0, 2**54, (3, 50)))
    found = drawn(systems, 999)
    assert (found.method, found.n_shuffled, found.n_certified) == ("certified", 0, 3)
    monkeypatch.setattr("csig.engines.certified.by_itself", lambda *_: None)  # as where none close
    found = drawn(systems, 999)
    assert (found.method, found.n_shuffled, found.n_certified) == ("shuffles", 3, 0)
    assert found.doubts == ("3 p-values of pairs are from shuffles, not exact.",)


def test_what_takes_too_long_is_judged_by_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three pairs are exact, 105 would take as long as 90 million flips of one system."""
    scores = np.random.default_rng(11).integers(0, 10**4, (15, 200)) / 10**4
    systems = numbered(scores)
    monkeypatch.setattr("csig.systems.ranking.EXACT_WORDS", 2**30)
    few = drawn(numbered(scores[:3]), 99)
    assert few.method == "exact"
    bounds = drawn(systems, 99)  # of lattices, so that they count as exact
    assert bounds.method == "exact"
    assert bounds.pvalues[0, 1:3] == pytest.approx(few.pvalues[0, 1:], rel=1e-9)
    monkeypatch.setattr("csig.systems.ranking.BOUND_WORDS", 0)
    many = drawn(systems, 99)
    assert (many.method, many.n_shuffled) == ("flips", 105)


def test_the_order_of_systems_chooses_nothing() -> None:
    """One of 15 systems has scores that no lattice holds: its pairs are in the sample or not."""
    rng = np.random.default_rng(3)
    systems = {"real": rng.standard_normal(300)}
    systems |= {f"rated{i}": rng.integers(0, 5, 300) for i in range(14)}
    pvalues = []
    for order in ([*systems], [*systems][::-1]):
        found = drawn({name: systems[name] for name in order}, 20)
        assert (found.method, found.n_shuffled, found.n_certified) == ("certified", 0, 14)
        pvalues.append({frozenset((p.system, p.other)): p.pvalue for p in found.pairs})
    assert pvalues[0] == pvalues[1]


def test_enough_flips() -> None:
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


# ---- what is doubtful ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("correction", "enough"), [("holm", 199), ("bh", 19), ("by", 58), ("bonferroni", 199)]
)
@pytest.mark.usefixtures("no_time")
def test_too_few_flips_for_any_claim(correction: Any, enough: int) -> None:
    """All pairs have the smallest p-value: with "bh" as with one pair, ranks need Holm's factor."""
    systems = real(5, 300, 9)
    few, some, many = (drawn(systems, n, correction=correction) for n in (enough - 1, enough, 199))
    assert not few.better.any()
    assert "none of these adjusted p-values can be as small as 0.05" in few.doubts[1]
    if correction == "holm":
        assert few.doubts[1] == (
            "With 198 flips none of these adjusted p-values can be as small as 0.05; draw 200 or "
            "more, or take the correction flips, for which far fewer are enough."
        )
        assert drawn(systems, 150, correction="flips").better.any()
    assert some.better.sum() == 10
    if enough < 199:
        assert not some.ranks_better.any()
        for n in (enough, 198):
            doubts = drawn(systems, n, correction=correction).doubts
            assert "cannot narrow the ranks" in doubts[1]
        assert len(drawn(systems, enough, correction=correction, baseline="0").doubts) == 1
    assert many.ranks_better.sum() == 10
    assert len(many.doubts) == 1


#: The best of all tables: one system is better on every unit, and still nothing follows.
@pytest.mark.parametrize(
    ("n", "systems", "correction", "baseline", "least"),
    [
        (3, 4, "holm", None, "0.25"), (6, 3, "bonferroni", None, "0.0312"),
        (5, 3, "bh", None, "0.0625"), (7, 3, "by", None, ""),
        # 2^(1 - 5) is above 0.05: both directions of a pair are in the family.
        (5, 3, "flips", None, "0.0625"), (6, 3, "flips", None, ""),
        (5, 3, "flips", "s0", "0.0625"), (6, 3, "flips", "s0", ""),
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore::csig.DataWarning")
def test_too_few_units_for_any_claim(
    n: int, systems: int, correction: Any, baseline: str | None, least: str
) -> None:
    scores = {f"s{i}": np.full(n, float(i == 0)) for i in range(systems)}
    found = drawn(scores, 2**16, correction=correction, baseline=baseline)
    assert bool(found.better.any()) is not bool(least)
    said = [own for own in found.doubts if "More units are needed" in own]
    assert bool(least) == bool(said)
    assert all(f"can be below {least}" in own for own in said)


@pytest.mark.parametrize(
    ("units", "n_resamples", "doubt"),
    [
        (199, 99, "Flips of 199 items whose scores are not binary: below 200"),
        (200, 99, ""),
        (200, 18, "With 18 flips no adjusted p-value can be as small as 0.05; draw 20 or more."),
        (200, 19, ""),
    ],
)
@pytest.mark.filterwarnings("ignore::csig.DataWarning")
def test_flips_of_few_units_and_few_flips(units: int, n_resamples: int, doubt: str) -> None:
    found = drawn(real(3, units), n_resamples, correction="flips")
    assert [own.startswith(doubt) for own in found.doubts] == [True] * bool(doubt)


# ---- metrics ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "metric",
    [
        Metric("wave", ("score", "n"), function=lambda s: np.cos(9 * s[:, 0] / s[:, 1])),
        Metric("odds", ("score", "n"), numerator=(1, 0), denominator=(-1, 1)),
        Metric("size", ("score", "n"), numerator=(0, 1), denominator=(0, 1)),
    ],
    ids=lambda metric: metric.name,
)
def test_metrics_of_scores_that_are_no_sums_are_tested_as_such(metric: Metric) -> None:
    rng = np.random.default_rng(1)
    table = {name: rng.integers(0, 2, 60) for name in "abc"}
    for pair in csig.compare_systems(table, metric=metric, rng=1).pairs:
        two = Comparison.from_scores(table[pair.system], table[pair.other])
        assert pair.pvalue == randomization_test(two, metric, rng=1).pvalue
    with pytest.raises(InputError, match="needs a metric that is a sum over units"):
        csig.compare_systems(table, metric=metric, rng=1, correction="flips")


def test_pairs_that_have_shuffles_of_their_own_beside_bounds_keep_their_places(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Pairs that differ by three values that no step has in common have no close bounds."""
    monkeypatch.setattr("csig.engines.certified.better_than_shuffles", lambda *_: False)
    rng = np.random.default_rng(1)
    few = np.sqrt([2.0, 3.0, 5.0])[rng.integers(0, 3, (2, 1000))] * rng.choice([-1, 1], (2, 1000))
    systems = dict(zip("abcd", [np.zeros(1000), *few, rng.standard_normal(1000)], strict=True))
    found = csig.compare_systems(systems, n_resamples=99, rng=1)
    alone = {
        (pair.system, pair.other): randomization_test(
            Comparison.from_scores(systems[pair.system], systems[pair.other]), "mean",
            n_resamples=99, rng=1,
        )
        for pair in found.pairs
    }  # fmt: skip
    drawn = [own for own, result in alone.items() if result.method == "approximate"]
    assert 1 < len(drawn) < len(alone)
    for pair in found.pairs:
        result = alone[pair.system, pair.other]
        close = {"abs": 0.2} if result.method == "approximate" else {"rel": 2e-4}
        assert pair.pvalue == pytest.approx(result.pvalue, **close)
