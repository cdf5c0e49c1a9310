"""Pairs that are tested at once: the p-values of the test of two systems, and of exact counts."""

import csv
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import signs
from drawn import several

import csig
from csig.engines import meet_in_the_middle
from csig.engines.pair_tests import PairAnswers, PairTests

Compare = Callable[[int, int], csig.Comparison]


def asked_of(rows: Any, compare: Compare | None = None) -> PairTests:
    def two(j: int, k: int) -> csig.Comparison:
        return csig.Comparison.from_scores(rows[j], rows[k])

    asked = {"metric": csig.data.metrics.mean, "n_resamples": 2**20, "zero_division": 0}
    return PairTests(comparison=compare or two, **asked)


def run(rows: Any, pairs: Any = None, quickly: bool = True, **options: Any) -> PairAnswers:
    """The answers to all pairs, or to some."""
    asked = pairs or pairs_of(rows)
    return asked_of(rows).run(asked, quickly=quickly, **({"threads": 1} | options))


def pairs_of(rows: Any) -> list[tuple[int, int]]:
    return list(itertools.combinations(range(len(rows)), 2))


def real(systems: int, n: int, seed: int = 1) -> Any:
    rng = np.random.default_rng(seed)
    return rng.standard_normal((systems, n)) + 0.2 * np.arange(systems)[:, None]


def bits(found: PairAnswers) -> list[bytes]:
    return [own.tobytes() for own in (found.pvalues, found.logs, found.certified)]


@pytest.mark.parametrize("quickly", [False, True])
@pytest.mark.parametrize("whole", [False, True])
def test_the_pvalues_of_two_systems(quickly: bool, whole: bool) -> None:
    """To the last bit, where that test takes bounds as well."""
    rows, seen = real(4, 300), []
    found = run(
        rows, quickly=quickly, whole=whole, threads=2,
        notify=lambda done, total: seen.append((done, total)),
    )  # fmt: skip
    assert seen[-1] == (6, 6)
    results = [
        csig.randomization_test(csig.Comparison.from_scores(rows[j], rows[k]), "mean")
        for j, k in pairs_of(rows)
    ]
    assert {own.method for own in results} == {"certified"}
    assert found.pvalues.tolist() == [own.pvalue for own in results]
    assert found.logs.tolist() == [own.log_pvalue for own in results]
    assert found.certified.all()


def test_bounds_where_an_exact_engine_would_be() -> None:
    """Both hold the same p: no bits in common, but the same number."""
    rows = np.random.default_rng(2).integers(0, 100, (4, 200)) / 100
    assert {asked_of(rows).price(*pair).engine for pair in pairs_of(rows)} == {"lattice"}
    exact, bounds = (run(rows, quickly=quickly) for quickly in (False, True))
    assert bounds.pvalues == pytest.approx(exact.pvalues, rel=1e-9)
    assert not bounds.certified.any()  # a period is treated exactly


@pytest.mark.parametrize("quickly", [False, True])
@pytest.mark.parametrize("n", [3, 9, 16])
def test_against_all_sums(n: int, quickly: bool) -> None:
    rows = np.random.default_rng(n).integers(0, 10**6, (4, n)) ** 2
    found = run(rows, quickly=quickly)
    for p, (j, k) in zip(found.pvalues.tolist(), pairs_of(rows), strict=True):
        d = rows[j] - rows[k]
        expected = np.count_nonzero(np.abs(signs.listed(d)) >= abs(d.sum())) / 2**n
        assert expected <= p <= expected * (1 + 1e-9)


def test_few_units_are_counted_rather_than_certified(shared_data: Any, monkeypatch: Any) -> None:
    """A board of 41 tasks: as merged lists of blocks have it, and within the bounds of before."""
    folder = shared_data("mteb_eng_v2")
    table = np.loadtxt(folder / "mteb_eng_v2.csv", delimiter=",", skiprows=1, usecols=range(1, 21))
    with (folder / "csig_pairs_20.csv").open(encoding="utf-8") as file:
        known = list(csv.DictReader(file))[:: several(12, 1)]
    places = {name: i for i, name in enumerate((folder / "mteb_eng_v2.csv").read_text("utf-8")
                                               .split("\n")[0].split(",")[1:])}  # fmt: skip
    asked = [(places[row["system"]], places[row["other"]]) for row in known]
    found = run(table.T, asked)
    before = np.array([float(row["pvalue"]) for row in known])
    assert not found.certified.any()
    assert np.all(found.pvalues <= before * (1 + 1e-12))
    assert found.pvalues == pytest.approx(before, rel=1e-4)
    monkeypatch.setattr(meet_in_the_middle, "LISTED_UNITS", 0)
    for i in range(0, len(asked), 30):
        two = csig.Comparison.from_scores(table.T[asked[i][0]], table.T[asked[i][1]])
        assert csig.randomization_test(two, "mean", method="exact").pvalue == found.pvalues[i]


def test_neither_threads_nor_order_nor_direction_change_anything() -> None:
    rows = real(4, 120)
    one, *others = (bits(run(rows, threads=threads)) for threads in (1, 2, 5))
    assert all(own == one for own in others)
    turned = run(rows, [(k, j) for j, k in reversed(pairs_of(rows))])
    assert turned.pvalues[::-1].tobytes() == one[0]


def test_equal_systems_and_ties() -> None:
    rows = real(2, 80)
    rows = [rows[0], rows[0], rows[1], rows[0] + np.where(np.arange(80) % 2, 1.0, -1.0)]
    found = run(rows, [(0, 1), (0, 3), (1, 2)])
    assert found.pvalues[:2].tolist() == [1.0, 1.0]
    assert found.logs[:2].tolist() == [0.0, 0.0]
    assert found.certified.tolist() == [False, False, True]


def atoms() -> list[Any]:
    """The first two differ by three values that no step has in common."""
    rng = np.random.default_rng(1)
    few = np.sqrt([2.0, 3.0, 5.0])[rng.integers(0, 3, 1000)] * rng.choice([-1, 1], 1000)
    return [np.zeros(1000), few, *rng.standard_normal((2, 1000))]


@pytest.mark.parametrize("quickly", [False, True])
def test_a_pair_that_cannot_be_bounded_has_no_answer(
    quickly: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = atoms()
    monkeypatch.setattr("csig.engines.certified.better_than_shuffles", lambda *_: False)
    found = run(rows, quickly=quickly, threads=2)
    assert found.missing.tolist() == [0]
    assert np.isnan(found.logs[0])
    assert found.certified.tolist() == [False, *5 * [True]]
    two = csig.Comparison.from_scores(rows[0], rows[1])
    assert csig.randomization_test(two, "mean", n_resamples=99, rng=1).method == "approximate"


@pytest.mark.parametrize("refused", [False, True])
def test_what_stops_one_thread_stops_all(refused: bool) -> None:
    """A pair that is refused, and what the caller's thread hears while it waits."""
    rows, asked = real(2, 500), []

    def two(j: int, k: int) -> csig.Comparison:
        asked.append((j, k))
        if refused and len(asked) == 20:
            raise csig.InputError("this pair")
        return csig.Comparison.from_scores(rows[0], rows[1])

    def pressed(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(csig.InputError if refused else KeyboardInterrupt):
        asked_of(rows, two).run(
            [(0, 1)] * 10**5, quickly=True, threads=2, notify=None if refused else pressed
        )
    assert len(asked) < 10**4


def test_prices() -> None:
    rows = [*atoms(), np.arange(1000) % 2, np.arange(1000) % 3]
    tests = asked_of(rows)
    own = tests.price(2, 3)
    assert own.engine == "fourier"
    assert own.alone == own.quick
    whole = tests.price(4, 5)
    assert whole.engine == "lattice"
    assert whole.alone is not None
    assert whole.alone < 2**24
    few = asked_of(real(2, 45)).price(0, 1)
    assert few.quick is None or few.quick > 2**20
