"""Many systems: ranks, adjusted p-values, letters."""

import itertools
from fractions import Fraction
from typing import Any, get_args

import numpy as np
import pytest
from brute import every_swap, textbook_holm
from workers import Wire

import csig
from csig import DataWarning, InputError, replay
from csig.base import defaults
from csig.base.validation import STATISTICS
from csig.probability import corrections
from csig.systems.ranking import SystemsCorrection


def binary(n: int, shares: list[float], seed: int = 1) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    return {f"s{i}": (rng.random(n) < share).astype(int) for i, share in enumerate(shares)}


SYSTEMS = binary(150, [0.5, 0.9, 0.55, 0.7, 0.5, 0.95])
PLAIN = csig.compare_systems(SYSTEMS)


def test_corrections_are_those_of_the_textbook() -> None:
    """R's p.adjust(p, "holm") of the two-sided p-values, beside Holm over directions of pairs."""
    p = [own.pvalue for own in PLAIN.pairs]
    assert len(p) == PLAIN.n_pairs == 15
    assert (PLAIN.method, PLAIN.sparse) == ("exact", None)
    adjusted = [own.adjusted_pvalue for own in PLAIN.pairs]
    assert adjusted == pytest.approx(textbook_holm(p), rel=1e-12)
    both = csig.compare_systems(SYSTEMS, correction="holm-directions")
    halves = textbook_holm([own / 2 for own in p] + [1.0] * len(p))[: len(p)]
    assert [own.adjusted_pvalue for own in both.pairs] == pytest.approx(halves, rel=1e-12)
    assert (PLAIN.adjusted_pvalues <= both.adjusted_pvalues).all()
    numbers = np.array(p), np.log(p)
    others: list[Any] = ["bonferroni", "shaffer", "bh", "by"]
    for correction in others:
        found = csig.compare_systems(SYSTEMS, correction=correction)
        expected = corrections.adjusted(*numbers, correction, n_systems=6)[0].tolist()
        assert [own.adjusted_pvalue for own in found.pairs] == pytest.approx(expected, rel=1e-14)
        assert found.ranks == PLAIN.ranks == both.ranks


def one_sided(systems: dict[str, Any]) -> dict[tuple[str, str], Fraction]:
    """Exact one-sided p-values: the first is better than the second."""
    found = {}
    for j, k in itertools.permutations(systems, 2):
        comparison = csig.Comparison.from_scores(systems[j], systems[k])
        result = csig.randomization_test(comparison, "mean", method="exact", alternative="greater")
        found[j, k] = Fraction(result.pvalue)
    return found


def holm_claims(p: dict[tuple[str, str], Fraction], alpha: float) -> set[tuple[str, str]]:
    """Reject one by one, from the smallest p-value on."""
    claims: set[tuple[str, str]] = set()
    for pair in sorted(p, key=p.__getitem__):
        if p[pair] * (len(p) - len(claims)) > alpha:
            break
        claims.add(pair)
    return claims


def test_ranks_from_directional_pvalues() -> None:
    found, claims = PLAIN, holm_claims(one_sided(SYSTEMS), 0.05)
    assert 5 < len(claims) < 15
    for name, (low, high) in found.ranks.items():
        assert low == 1 + sum(worse == name for _, worse in claims)
        assert high == 6 - sum(better == name for better, _ in claims)
    assert {(found.names[j], found.names[k]) for j, k in zip(*np.nonzero(found.better), strict=True)
            } == claims  # fmt: skip
    assert found.possibly_best == tuple(name for name, (low, _) in found.ranks.items() if low == 1)
    assert [own.name for own in found.systems] == list(found.ranks)


def test_flips_are_the_replay() -> None:
    found = csig.compare_systems(SYSTEMS, correction="flips", rng=3, n_resamples=2000)
    hits = replay.flips_hits(np.stack(list(SYSTEMS.values()), axis=1).tolist(), 2000, entropy=3)
    least, expected = 0, {}
    total = {name: int(own.sum()) for name, own in SYSTEMS.items()}
    d = {pair: abs(total[f"s{pair[0]}"] - total[f"s{pair[1]}"]) for pair in hits}
    q = {(j, k): int((SYSTEMS[f"s{j}"] != SYSTEMS[f"s{k}"]).sum()) for j, k in hits}
    for pair in sorted(hits, key=lambda own: (-Fraction(d[own] ** 2, q[own]), own)):
        least = max(least, hits[pair])
        expected[pair] = (1 + least) / 2001
    for (j, k), p in expected.items():
        assert found.adjusted_pvalues[j, k] == found.adjusted_pvalues[k, j] == p
    assert found.seed is not None
    again = csig.compare_systems(
        SYSTEMS, correction="flips", rng=found.seed.entropy, n_resamples=2000
    )
    assert again.adjusted_pvalues.tolist() == found.adjusted_pvalues.tolist()
    p = found.pvalues  # one pair needs no adjustment
    two = csig.compare_systems(
        {name: SYSTEMS[name] for name in ("s0", "s2")}, baseline="s0", correction="flips", rng=1
    )
    assert abs(two.adjusted_pvalues[0, 1] - p[0, 2]) < 5 * (p[0, 2] * (1 - p[0, 2]) / 2**16) ** 0.5


def test_flips_never_adjust_below_the_pairs_own_exact_p_value() -> None:
    # 47 of 999 flips reach a difference whose exact p-value is 0.0534.
    rng = np.random.default_rng(98)
    rng.choice([2, 3])
    x = rng.normal(size=(2, 40))
    x[1] += 0.5
    with pytest.warns(DataWarning, match="below 200"):
        found = csig.compare_systems(
            {"s0": x[0], "s1": x[1]}, correction="flips", n_resamples=999, rng=98
        )
    (pair,) = found.pairs
    exact = csig.randomization_test(csig.Comparison.from_scores(x[0], x[1]), "mean")
    assert pair.adjusted_pvalue == pair.pvalue == exact.pvalue > 0.05
    assert pair.better is None
    assert set(found.ranks.values()) == {(1, 2)}


def root(sums: Any) -> Any:
    """No sum over units: pairs are shuffled."""
    return np.sqrt(sums[..., 0] / sums[..., 1])


@pytest.mark.parametrize("correction", ["flips", "holm"])
def test_an_executor_and_threads_change_nothing(correction: Any) -> None:
    rng = np.random.default_rng(1)
    systems: dict[str, Any] = {f"s{i}": rng.integers(1, 9, (200, 2)) for i in range(3)}
    given: dict[str, Any] = {"metric": csig.Metric("root", ("x", "n"), function=root)}
    if correction == "flips":
        systems, given = {name: own[:, 0] for name, own in systems.items()}, {}
    else:
        given["columns"] = ("x", "n")
    wire = Wire()
    one, two, other = (
        csig.compare_systems(
            systems, **given, correction=correction, n_resamples=70_000, rng=1, **more
        )
        for more in ({"threads": 1}, {"threads": 3}, {"executor": wire})
    )
    assert len(wire.blocks) > 0
    for found in (two, other):
        assert found.pvalues.tolist() == one.pvalues.tolist()
        assert found.adjusted_pvalues.tolist() == one.adjusted_pvalues.tolist()


def test_against_a_baseline() -> None:
    found = csig.compare_systems(SYSTEMS, baseline="s3")
    rest = {name: csig.Comparison.from_scores(own, SYSTEMS["s3"]) for name, own in SYSTEMS.items()
            if name != "s3"}  # fmt: skip
    tests = {name: csig.randomization_test(c, "mean", method="exact") for name, c in rest.items()}
    expected = {str(row.name): row.adjusted_pvalue for row in csig.classical.holm(tests)}
    assert {own.system: own.adjusted_pvalue for own in found.pairs} == pytest.approx(
        expected, rel=1e-12
    )
    assert {own.other for own in found.pairs} == {"s3"}
    assert found.adjusted_pvalues[0, 1] == 1
    for what in ("ranks", "possibly_best"):
        with pytest.raises(InputError, match="ranks need all pairs"):
            getattr(found, what)
    with pytest.raises(InputError, match="letters need all pairs"):
        found.letters()
    base = next(own for own in found.systems if own.name == "s3")
    assert base.wins + base.ties + base.losses == 5
    assert base.low is None


def test_letters() -> None:
    letters, better = PLAIN.letters(), PLAIN.better
    for j, k in itertools.combinations(range(6), 2):
        share = set(letters[f"s{j}"]) & set(letters[f"s{k}"])
        assert bool(share) == (not (better[j, k] or better[k, j]))


def test_wins_ties_losses() -> None:
    found = csig.compare_systems({"a": [1, 0, 1], "b": [1, 1, 0], "c": [0, 0, 1]})
    assert [(own.name, own.wins, own.ties, own.losses) for own in found.systems] == [
        ("a", 1, 1, 0), ("b", 1, 1, 0), ("c", 0, 0, 2),
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ["binary", "eighths", "real"])
def test_hundreds_of_systems_of_three_items(kind: str) -> None:
    rng = np.random.default_rng(1)
    scores = {
        "binary": rng.integers(0, 2, (300, 3)),
        "eighths": rng.integers(0, 9, (300, 3)) / 8,
        "real": rng.standard_normal((300, 3)),
    }[kind]
    found = csig.compare_systems({str(i): own for i, own in enumerate(scores)})
    assert set(found.ranks.values()) == {(1, 300)}
    assert found.adjusted_pvalues.min() == 1
    for j, k in itertools.combinations(range(0, 300, 37), 2):
        differences = [Fraction(a) - Fraction(b) for a, b in zip(scores[j], scores[k], strict=True)]
        assert found.pvalues[j, k] == every_swap(differences)


def test_the_command_has_every_correction_and_statistic() -> None:
    assert get_args(SystemsCorrection) == defaults.CORRECTIONS
    assert {*defaults.STATISTICS, "auto"} == {*STATISTICS}


def test_the_correction_flips_has_known_pvalues_of_pairs_alone() -> None:
    """Flips adjust; what is exact or certified without them is not drawn."""
    rng = np.random.default_rng(4)
    systems = {str(i): rng.standard_normal(250) + i / 8 for i in range(4)}
    found = csig.compare_systems(systems, correction="flips", rng=1, n_resamples=999)
    assert found.pvalues.tolist() == csig.compare_systems(systems).pvalues.tolist()
    assert (found.method, found.n_certified, found.n_shuffled) == ("flips", 6, 0)
    assert found.adjusted_pvalues[0, 1] >= 0.001
    exact = csig.compare_systems(SYSTEMS, correction="flips", rng=1, n_resamples=99)
    assert exact.pvalues.tolist() == PLAIN.pvalues.tolist()
    assert "p of a pair alone needs no flips" in " ".join(exact.summary(explain=True).split())


# ---- what is given ------------------------------------------------------------------------------


RNG = np.random.default_rng(8)
DECIMALS = {name: np.round(RNG.random(40), 2) for name in "abc"}
DOUBLES = {name: RNG.random(40) for name in "abc"}
LABELS = {name: RNG.choice(list("xyz"), 40).tolist() for name in "abc"}
GOLD = RNG.choice(list("xyz"), 40).tolist()
COUNTS = {name: np.sort(RNG.integers(0, 5, (40, 3)), axis=1) for name in "abc"}
for own in COUNTS.values():
    own[:, 2] = 9
COLUMNS = ("tp", "predicted", "gold")
IDS = [f"q{i}" for i in range(40)]
STORIES = [f"s{i // 3}" for i in range(40)]


def compared(kind: str, one: str, other: str, **units: Any) -> csig.Comparison:
    """Two of the systems above."""
    names = (one, other)
    if kind == "counts":
        rows = COUNTS[one], COUNTS[other]
        return csig.Comparison.from_statistics(*rows, COLUMNS, names=names, **units)
    if kind == "labels":
        rows = LABELS[one], LABELS[other]
        return csig.Comparison.from_labels(GOLD, *rows, names=names, **units)
    systems = {"decimals": DECIMALS, "doubles": DOUBLES, "binary": BINARY}[kind]
    return csig.Comparison.from_scores(systems[one], systems[other], names=names, **units)


BINARY = dict(zip("abc", binary(40, [0.3, 0.6, 0.8]).values(), strict=True))

#: Each kind of scores, as mappings are given.
KINDS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "decimals": (DECIMALS, {}),
    "binary": (BINARY, {}),
    "labels": (LABELS, {"gold": GOLD}),
    "counts": (COUNTS, {"columns": COLUMNS, "metric": "f1"}),
}

#: What units may have.
UNITS: list[dict[str, Any]] = [
    {},
    {"id": IDS},
    {"cluster": STORIES},
    {"id": IDS, "cluster": STORIES},
]


def numbers(found: Any) -> Any:
    """All that is found of pairs, by their systems."""
    keys = ("pvalue", "adjusted_pvalue", "difference")
    return found.digest, found.unit, found.n_units, {
        frozenset((pair.system, pair.other)): [abs(getattr(pair, key)) for key in keys]
        for pair in found.pairs
    }  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "units"),
    [*((kind, UNITS[3]) for kind in KINDS), *(("decimals", u) for u in UNITS[:3])],
)
def test_comparisons_are_what_their_systems_are(kind: str, units: Any) -> None:
    systems, options = KINDS[kind]
    rng = {"rng": 1, "n_resamples": 999}
    expected = numbers(csig.compare_systems(systems, **options, **units, **rng))
    metric = {"metric": "f1"} if kind == "counts" else {}
    shared = [compared(kind, name, "a", **units) for name in "bc"]
    assert numbers(csig.compare_systems(*shared, **metric, **rng)) == expected
    # No baseline is needed, and two are not too many.
    every = [compared(kind, *pair, **units) for pair in ("ab", "ca", "bc")]
    assert numbers(csig.compare_systems(*every, **metric, **rng)) == expected
    two = {name: systems[name] for name in "ab"}
    alone = csig.compare_systems(compared(kind, "b", "a", **units), **metric, **rng)
    assert numbers(alone) == numbers(csig.compare_systems(two, **options, **units, **rng))


def test_own_metrics_of_comparisons() -> None:
    own = csig.metrics.ratio("right", "score", "n", greater_is_better=False)
    found = csig.compare_systems(*[compared("decimals", name, "a") for name in "bc"], metric=own)
    assert (found.metric, found.greater_is_better) == ("right", False)
    assert numbers(found)[1:] == numbers(csig.compare_systems(DECIMALS, metric=own))[1:]
    lower = csig.compare_systems(compared("decimals", "b", "a"), lower_is_better=True)
    assert (lower.metric, lower.greater_is_better) == ("mean", False)


def test_a_function_of_scores_is_no_sum_of_them() -> None:
    own = csig.Metric("root", ("score", "n"), function=root)
    found = csig.compare_systems(DECIMALS, metric=own, n_resamples=999, rng=1)
    for pair in found.pairs:
        alone = compared("decimals", pair.system, pair.other)
        assert pair.pvalue == csig.randomization_test(alone, own, n_resamples=999, rng=1).pvalue


def test_comparisons_with_ids_need_no_common_system() -> None:
    four = {**DECIMALS, "d": DECIMALS["a"][::-1]}
    names = (("b", "a"), ("d", "c"))
    pairs = [
        csig.Comparison.from_scores(four[one], four[other], names=(one, other), id=IDS)
        for one, other in names
    ]
    assert numbers(csig.compare_systems(*pairs)) == numbers(csig.compare_systems(four, id=IDS))
    bare = [csig.Comparison.from_scores(four[a], four[b], names=(a, b)) for a, b in names]
    with pytest.raises(InputError, match=r"^d - c: its units are not those of .* systems or ids"):
        csig.compare_systems(*bare)


def test_responses_are_compared_by_sentence() -> None:
    gold = {i: [(i, "x")] for i in range(20)}
    systems = {
        name: {i: [(i, "x" if i % step else "y")] for i in range(20)}
        for name, step in {"a": 2, "b": 5, "c": 9}.items()
    }
    pairs = [
        csig.Comparison.from_responses(
            gold, systems[name], systems["a"], names=(name, "a"), key_name="sentence"
        )
        for name in "bc"
    ]
    found = csig.compare_systems(*pairs)
    assert (found.metric, found.unit, found.n_units) == ("f1", "sentence", 20)
    for pair in pairs:
        (own,) = (p for p in found.pairs if {p.system, p.other} == {*pair.names})
        assert own.pvalue == csig.randomization_test(pair, "f1", statistic="auto").pvalue
    with pytest.raises(InputError, match=r"^unit=: many systems are compared by sentences"):
        csig.compare_systems(pairs[0].at("response"))


def test_scores_that_share_no_grid_are_tested_as_they_were_compared() -> None:
    pairs = [compared("doubles", name, "a") for name in "bc"]
    found = csig.compare_systems(*pairs, baseline="a")
    expected = csig.compare_systems(DOUBLES, baseline="a")
    assert {own.system: own.pvalue for own in found.pairs} == {
        own.system: own.pvalue for own in expected.pairs
    }
    scores = dict(zip(expected.names, expected.scores, strict=True))
    assert dict(zip(found.names, found.scores, strict=True)) == pytest.approx(scores, rel=1e-12)
    alone = csig.compare_systems(pairs[0]).pairs[0].pvalue
    assert alone == csig.randomization_test(pairs[0], "mean").pvalue
    with pytest.raises(InputError, match=r"^b and c: no comparison is of these two, .* a baseline"):
        csig.compare_systems(*pairs)


def test_one_argument_a_system() -> None:
    expected = csig.compare_systems(dict(zip("ABC", DECIMALS.values(), strict=True)))
    assert csig.compare_systems(*DECIMALS.values()).pairs == expected.pairs
    named = csig.compare_systems(*DECIMALS.values(), systems=[*DECIMALS], baseline="b")
    assert named.pairs == csig.compare_systems(DECIMALS, baseline="b").pairs
    two = csig.compare_systems(DECIMALS, systems=["c", "a"])
    assert two.names == ("c", "a")
    by_id = {name: dict(zip(IDS, own, strict=True)) for name, own in DECIMALS.items()}
    clusters = dict(zip(IDS, STORIES, strict=True))
    assert numbers(csig.compare_systems(by_id, cluster=clusters)) == numbers(
        csig.compare_systems(DECIMALS, id=IDS, cluster=STORIES)
    )
    single = csig.compare_systems(DECIMALS, cluster=STORIES, unit="unit")
    assert single.pairs == csig.compare_systems(DECIMALS).pairs
    assert csig.compare_systems(DECIMALS, unit_name="question").unit == "question"


def test_frames_are_tables() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"id": IDS, "story": STORIES, **DECIMALS})
    found = csig.compare_systems(frame, cluster="story")
    expected = csig.compare_systems(DECIMALS, id=IDS, cluster=STORIES)
    assert (found.pairs, found.digest) == (expected.pairs, expected.digest)
    assert found.source is not None
    assert expected.source is None
    series = [pandas.Series(own, index=IDS, name=name) for name, own in DECIMALS.items()]
    assert numbers(csig.compare_systems(*series)) == numbers(csig.compare_systems(DECIMALS, id=IDS))


ONE = compared("decimals", "b", "a")
OTHER = "^c - a: a has other numbers than before"
ROWS = {"a": [[1, 2, 2], [0, 1, 1]], "b": [[1, 1, 2], [1, 1, 1]]}


def scored(*scores: Any, **options: Any) -> csig.Comparison:
    return csig.Comparison.from_scores(*scores, names=("c", "a"), **options)


def of_other_gold() -> list[csig.Comparison]:
    rows = [*COUNTS.values()][:2]
    return [
        csig.Comparison.from_statistics(*(np.add(own, [0, 0, more]) for own in rows), COLUMNS,
                                        names=pair, id=IDS)
        for more, pair in enumerate((("b", "a"), ("d", "c")))
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("inputs", "options", "message"),
    [
        ((ONE, DECIMALS), {}, r"^inputs\[1\] must be a csig.Comparison"),
        ((ONE, compared("counts", "c", "a")), {}, "^c: its comparison has the columns"),
        ((ONE, scored(DECIMALS["c"], DECIMALS["b"])), {}, OTHER),
        ((ONE, scored([1, 0, 1], [0, 1, 0])), {}, OTHER),
        ([compared("decimals", own, "a", id=IDS[::step]) for own, step in (("b", 1), ("c", -1))],
         {}, OTHER),
        ((ONE, compared("decimals", "c", "a", id=IDS)), {},
         "^c - a: its units are not those of the comparisons before; all need the same ids"),
        (of_other_gold(), {"metric": "recall"}, "^d: found another gold than that of the others"),
    ],
)  # fmt: skip
def test_refused_inputs(inputs: Any, options: Any, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        csig.compare_systems(*inputs, **options)
    assert "--" not in str(caught.value)


def test_recall_can_be_flipped() -> None:
    with pytest.warns(DataWarning):
        csig.compare_systems(
            ROWS, metric="recall", columns=COLUMNS, correction="flips", n_resamples=9
        )


def test_two_systems_have_two_names() -> None:
    with pytest.raises(InputError, match=r"^names: found 'x' twice, expected two different names$"):
        csig.randomization_test([1, 0], [0, 1], names=("x", "x"))
    # Records of earlier versions can have such, and are made into comparisons again.
    assert csig.Comparison.from_scores([1, 0], [0, 1], names=("x", "x")).names == ("x", "x")
