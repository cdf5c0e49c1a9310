"""The same test on every part of the data, from the same shuffles."""

import inspect
import itertools
import math

import numpy as np
import pytest
from brute import PAPER, SCORES, difference, is_extreme, observed_difference, textbook_holm
from drawn import examples, several
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from csig import Comparison, InputError, Metric, randomization_test, replay
from csig.classical import correlation
from csig.comparing import breakdowns
from csig.comparing.breakdowns import Breakdown
from csig.data import metrics
from csig.effects import breakdown, heterogeneity
from csig.engines.shuffle import Run

COLUMNS = ("tp", "predicted", "gold")
METRICS = ["recall", "precision", "f1"]
ALTERNATIVES = ["two-sided", "less", "greater"]
EXAMPLE = Comparison.from_counts(**PAPER)


def drawn_with(n, rng, **more):
    return {"method": "approximate", "n_resamples": n, "rng": rng, **more}


@st.composite
def tables(draw, n_ids=6, n_parts=3):
    """{label: {id: (tp_a, predicted_a, tp_b, predicted_b, gold)}} with overlapping ids."""
    cell = st.tuples(*[st.integers(0, 3)] * 3, st.integers(0, 2), st.integers(0, 2))

    def row(values):
        gold, a, b, more_a, more_b = values
        return min(a, gold), min(a, gold) + more_a, min(b, gold), min(b, gold) + more_b, gold

    ids = [f"s{i}" for i in range(n_ids)]
    part = st.dictionaries(st.sampled_from(ids), cell.map(row), min_size=1, max_size=n_ids)
    return draw(
        st.dictionaries(
            st.sampled_from(["PER", "LOC", "a\tb", "ünïcode"]), part, min_size=1, max_size=n_parts
        )
    )


def comparisons(found):
    return {
        label: Comparison.from_statistics(
            {unit: (r[0], r[1], r[4]) for unit, r in rows.items()},
            {unit: (r[2], r[3], r[4]) for unit, r in rows.items()},
            COLUMNS,
        )
        for label, rows in found.items()
    }


@examples(200)
@given(tables(n_ids=5), st.sampled_from(ALTERNATIVES), st.sampled_from([0, 1]))
def test_exact_pvalues_are_those_of_each_part_alone(found, alternative, zero):
    """Exchanges of units that a part has not change nothing in it; corrected by Holm."""
    parts, options = comparisons(found), {"alternative": alternative, "zero_division": zero}
    result = breakdown(parts, METRICS, **options)
    for label, part in parts.items():
        assert result[label].results == randomization_test(part, METRICS, **options)
    for metric in METRICS:
        pvalues = [part.results[metric].pvalue for part in result.parts]
        adjusted = [part.adjusted_pvalues[metric] for part in result.parts]
        assert adjusted == pytest.approx(textbook_holm(pvalues), rel=1e-14)
        logs = [part.log_adjusted_pvalues[metric] for part in result.parts]
        assert logs == pytest.approx([math.log(p) for p in adjusted], abs=1e-13)


def moved(parts, n, entropy):
    """What every shuffle moves from A to B in each part, by pure numpy: all parts side by side."""
    ids = sorted({unit for part in parts.values() for unit in part.units.ids or ()}, key=str)
    ends = np.cumsum([0, *(part.units.differences.shape[1] for part in parts.values())])
    table = np.zeros((len(ids), ends[-1]), dtype=np.int64)
    for i, j, part in zip(ends, ends[1:], parts.values(), strict=False):
        table[[ids.index(unit) for unit in part.units.ids or ()], i:j] = part.units.differences
    sums = replay.unit_sums(table, n, entropy=entropy)
    return [(*own, sums[:, i:j]) for i, j, own in zip(ends, ends[1:], parts.items(), strict=False)]


def n_extreme(now, observed, alternative="two-sided", band=1e-11):
    found = {
        "two-sided": np.abs(now) >= abs(observed) - band,
        "greater": now >= observed - band,
        "less": now <= observed + band,
    }
    return int(found[alternative].sum())


def shares(above, below):
    return np.divide(above, below, out=np.zeros(len(above)), where=below != 0)


def macro_f1(sums, columns):
    metric = metrics.get("macro_f1", columns)
    return metric.values(sums[:, [columns.index(c) for c in metric.columns]].astype(float))[0]


OWN = Metric("own", ("correct", "items"), function=lambda s: np.sqrt(s[:, 0] / s[:, 1]))
#: Of the sums after each shuffle; ratios by the textbook.
SCORED = {
    "recall": lambda s, _: shares(s[:, 0], s[:, 2]),
    "precision": lambda s, _: shares(s[:, 0], s[:, 1]),
    "f1": lambda s, _: shares(2 * s[:, 0], s[:, 1] + s[:, 2]),
    "accuracy": lambda s, columns: shares(*s[:, [columns.index(c) for c in OWN.columns]].T),
    OWN: lambda s, columns: np.sqrt(SCORED["accuracy"](s, columns)),
    "macro_f1": macro_f1,
}


def drawn(rng, n, labels="PQ"):
    """Gold, A and B as sets of (sentence, label, number)."""
    every = [(f"s{i % 7}", labels[i % len(labels)], i) for i in range(n)]
    return [{r for r in every if rng.random() < share} for share in (0.5, 0.6, 0.6)]


def documents():
    rng = np.random.default_rng(3)
    found = {}
    for p in range(5):
        chosen = rng.choice(90, 60, replace=False)
        gold = rng.integers(0, 4, 60)
        a, b = (np.minimum(rng.integers(0, 4, 60), gold) for _ in "ab")
        more = rng.integers(0, 3, (2, 60))
        found[f"part {p}"] = {
            f"s{i:02}": (x, x + u, y, y + v, g)
            for i, x, y, g, u, v in zip(chosen, a, b, gold, *more, strict=True)
        }
    return comparisons(found)


def classes():
    rng, parts = np.random.default_rng(6), {}
    for label, names in (("short", "xy"), ("long", "xyz")):
        ids = [f"i{i}" for i in rng.choice(60, 40, replace=False)]
        gold, a, b = (rng.choice(list(names), 40).tolist() for _ in range(3))
        parts[label] = Comparison.from_labels(gold, a, b, id=ids)
    return parts


def responses(unit):
    sides = drawn(np.random.default_rng(12), 70)
    keys = [f"s{i}" for i in range(7)]
    clusters = {key: int(key[1]) % 4 for key in keys}
    return {
        label: Comparison.from_responses(
            *({k: [r[1:] for r in side if r[0] == k and r[1] == label] for k in keys}
              for side in sides),
            cluster=clusters, conflict=lambda r: r[1] // 4, unit=unit,
        )
        for label in "PQ"
    }  # fmt: skip


def check_hits(found, parts, wanted, n, entropy, alternative="two-sided"):
    for label, part, change in moved(parts, n, entropy):
        assert found[label].n_total == part.units.n_total
        a, b = np.array(part.sums_a) - change, np.array(part.sums_b) + change
        for metric in wanted:
            now = SCORED[metric](a, part.columns) - SCORED[metric](b, part.columns)
            hits = n_extreme(now, np.subtract(*part.scores(metric)), alternative)
            test = found[label].results[metrics.get(metric, part.columns).name]
            assert (test.n_hits, test.pvalue) == (hits, (hits + 1) / (n + 1))


@examples(120)
@given(tables(n_ids=9), st.sampled_from(ALTERNATIVES))
def test_hits_by_the_pure_numpy_replay(found, alternative):
    parts = comparisons(found)
    result = breakdown(parts, METRICS, **drawn_with(300, 11, alternative=alternative))
    check_hits(result, parts, METRICS, 300, 11, alternative)


@pytest.mark.parametrize(
    ("made", "given", "wanted", "n"),
    [
        (documents, (), ["precision", "f1"], 2**16 + 1000),  # more than one chunk
        (classes, (), ["macro_f1", OWN, "accuracy"], 2000),
        *((responses, (unit,), METRICS, 900) for unit in ("conflict", "key", "cluster")),
    ],
)
def test_hits_of_all_kinds_of_units_with_any_number_of_threads(made, given, wanted, n):
    parts = made(*given)
    found, other = (breakdown(parts, wanted, threads=t, **drawn_with(n, 5)) for t in (1, 3))
    assert found == other
    check_hits(found, parts, wanted, n, 5)


def test_every_part_keeps_its_own_scale_and_band():
    """Integers, decimals and fixed point side by side, against pure numpy."""
    rng = np.random.default_rng(4)
    parts = {}
    for label, make in {
        "integers": lambda: rng.integers(0, 5, 45),
        "decimals": lambda: rng.integers(0, 100, 45) / 100,
        "tiny": lambda: rng.random(45) * 1e-9,
        "large": lambda: rng.random(45) * 1e12,
    }.items():
        ids = [f"q{i:02}" for i in rng.choice(60, 45, replace=False)]
        parts[label] = Comparison.from_scores(make(), make(), id=ids)
    assert [bool(part.tau) for part in parts.values()] == [False, False, True, True]
    for alternative in ALTERNATIVES:
        found = breakdown(parts, "mean", **drawn_with(2000, 9, alternative=alternative))
        for label, part, change in moved(parts, 2000, 9):
            total = int(part.units.differences[:, 0].sum())
            now = total - 2 * change[:, 0]
            test = found[label].results["mean"]
            assert test.n_hits == n_extreme(now, total, alternative, 2 * part.tau)
            assert test.score_a == part.scores("mean")[0]
            alone = randomization_test(part, "mean", **drawn_with(9, 1, alternative=alternative))
            assert test.tau == alone.tau


def restricted(sides, wanted, **options):
    return Comparison.from_responses(*({r for r in s if wanted(r)} for s in sides), **options)


@pytest.mark.parametrize(("alternative", "zero"), [("two-sided", 0), ("less", 1), ("greater", 0)])
def test_responses_by_pure_numpy(alternative, zero):
    """A set bit gives a response to A; the correct ones take the first words, by text."""
    n = several(300, 1500)
    sides = drawn(np.random.default_rng(1), 60)
    gold, a, b = sides
    parts = {"P": lambda r: r[1] == "P", "Q": lambda r: r[1] == "Q", "low": lambda r: r[2] < 30}
    found = breakdown(
        {label: restricted(sides, wanted) for label, wanted in parts.items()}, METRICS,
        **drawn_with(n, 7, alternative=alternative, zero_division=zero),
    )  # fmt: skip
    unique = sorted(a ^ b, key=lambda r: (r not in gold, "\t".join(map(str, r))))
    words = replay.chunk_words(-(-n // 64) * len(unique), entropy=7).reshape(-1, len(unique))
    given = [
        {r for r, word in zip(unique, words[t // 64].tolist(), strict=True) if word >> t % 64 & 1}
        for t in range(n)
    ]
    for (label, wanted), metric in itertools.product(parts.items(), METRICS):
        right = {r for r in gold if wanted(r)}

        def lead(own, metric=metric, wanted=wanted, right=right):
            pair = (own | a & b, (a ^ b) - own | a & b)
            mine = [{r for r in side if wanted(r)} for side in pair]
            x, y = (SCORES[metric](len(s & right), len(s - right), len(right), zero) for s in mine)
            return x - y

        observed = lead(a - b)
        hits = sum(is_extreme(lead(own), observed, alternative) for own in given)
        assert found[label].results[metric].n_hits == hits


def test_the_papers_example_as_one_part():
    found = breakdown({"modifier": EXAMPLE}, METRICS)
    own = found["modifier"]
    assert own.results == randomization_test(EXAMPLE, METRICS)
    assert own.results["f1"].exact_count == 1143213312579716189306832 * 2
    assert own.r12 == found.median_r12 == correlation(EXAMPLE)
    assert own.adjusted_pvalues == {name: result.pvalue for name, result in own.results.items()}
    options = drawn_with(2**16 + 77, 1)
    function = Metric("own", COLUMNS, function=lambda s: s[:, 0] / (s[:, 1] + s[:, 2]))
    shuffled = breakdown({"modifier": EXAMPLE}, [*METRICS, function], **options)
    alone = randomization_test(EXAMPLE, [*METRICS, function], **options)
    assert shuffled["modifier"].results == alone


def test_counts_have_responses_of_their_own():
    """Those of one part come after those of another by the parts' texts."""
    counts = {
        "y": {"gold": 9, "both_correct": 0, "only_a_correct": 4, "only_b_correct": 1,
              "only_a_spurious": 2, "only_b_spurious": 1},
        "x": {"gold": 5, "both_correct": 1, "only_a_correct": 1, "only_b_correct": 2,
              "only_a_spurious": 0, "only_b_spurious": 1},
    }  # fmt: skip
    parts = {label: Comparison.from_counts(**own) for label, own in counts.items()}
    found = breakdown(parts, "precision", **drawn_with(640, 4))
    sizes = [3, 5, 1, 3]  # correct of x and of y, spurious of x and of y
    words = replay.chunk_words(640 // 64 * 12, entropy=4).reshape(-1, 12)
    bits = words[:, None, :] >> np.arange(64, dtype=np.uint64)[None, :, None] & np.uint64(1)
    ends = itertools.pairwise(np.cumsum([0, *sizes]))
    totals = [bits[:, :, i:j].sum(axis=2).ravel().tolist() for i, j in ends]
    for label, correct, spurious in (("x", *totals[::2]), ("y", *totals[1::2])):
        own = counts[label]
        observed = observed_difference(own, SCORES["precision"], 0)
        hits = sum(
            abs(difference(own, SCORES["precision"], x, y, 0)) >= abs(observed)
            for x, y in zip(correct, spurious, strict=True)
        )
        assert found[label].results["precision"].n_hits == hits


def test_holm_where_doubles_end():
    parts = {
        label: Comparison.from_counts(gold=n, only_a_correct=n, only_b_correct=0)
        for label, n in (("large", 5000), ("small", 3))
    }
    found = breakdown(parts, "recall")
    assert found["large"].adjusted_pvalues["recall"] == 0.0
    assert found["large"].log_adjusted_pvalues["recall"] == pytest.approx(-4998 * math.log(2))
    assert found["small"].adjusted_pvalues["recall"] == 0.25


def scores(part):
    """By metric, of A and of B."""
    return {name: (own.score_a, own.score_b) for name, own in part.results.items()}


def test_what_a_row_has():
    parts = {
        "PER": Comparison.from_counts(gold=10, both_correct=4, only_a_correct=3, only_b_correct=1,
                                      both_spurious=2, only_b_spurious=1),
        "LOC": Comparison.from_counts(gold=4, both_correct=1, only_a_correct=0, only_b_correct=2),
        "ORG": Comparison.from_counts(gold=6, both_correct=3, only_a_correct=0, only_b_correct=0),
        "NONE": Comparison.from_counts(gold=0, only_a_correct=0, only_b_correct=0,
                                       only_a_spurious=2),
    }  # fmt: skip
    found = breakdown(parts, ["recall", "precision"])
    assert isinstance(found, Breakdown)
    assert (len(found), found.metrics) == (4, ("recall", "precision"))
    assert [part.label for part in found.parts] == list(found) == list(parts)
    per, org, none = found["PER"], found["ORG"], found["NONE"]
    assert (per.n_units, per.n_total) == (5, 11)
    assert scores(per) == {"recall": (0.7, 0.5), "precision": (7 / 9, 5 / 8)}
    assert (org.n_units, org.n_total, org.r12) == (0, 3, 1.0)  # nothing differs
    assert [result.pvalue for result in org.results.values()] == [1.0, 1.0]
    assert scores(none) == {"recall": (0.0, 0.0), "precision": (0.0, 0.0)}  # no gold
    undefined = [own.zero_denominator for part in (per, none) for own in part.results.values()]
    assert undefined == [False, False, True, True]
    assert math.isnan(none.r12)
    r12 = [correlation(parts[label]) for label in ("PER", "LOC", "ORG")]
    assert found.median_r12 == sorted(r12)[1]
    two = breakdown({label: parts[label] for label in ("PER", "LOC")}, "recall")
    assert two.median_r12 == pytest.approx(sum(r12[:2]) / 2, rel=1e-15)
    with pytest.raises(KeyError):
        found["MISC"]
    ones = breakdown(parts, "recall", zero_division=1)
    assert scores(ones["NONE"]) == {"recall": (1.0, 1.0)}
    documents = Comparison.from_statistics({"d": (2, 3, 5)}, {"d": (1, 3, 5)}, COLUMNS)
    unknown = breakdown({"x": documents}, "recall")
    assert math.isnan(unknown["x"].r12)
    assert math.isnan(unknown.median_r12)


def test_one_run_for_all_parts_tells_its_progress(monkeypatch):
    runs, seen = [], []
    once = Run.__call__

    def counted(self):
        runs.append(len(self.questions))
        return once(self)

    def told(done, total):
        seen.append((done, total))

    monkeypatch.setattr(Run, "__call__", counted)
    parts = dict.fromkeys("xyz", EXAMPLE)
    found = breakdown(parts, iter(METRICS), **drawn_with(3000, 1, progress=told))
    assert found.metrics == tuple(METRICS)
    assert runs == [9]
    assert seen[-1] == (3000, 3000)


Odd = type("Odd", (), {"__str__": lambda self: "odd"})


def test_how_many_parts_there_may_be(monkeypatch):
    numbers = {"x": Comparison.from_responses({"r"}, {"r", "1"}, {1})}  # 1 is not "1"
    assert breakdown(numbers, "recall", **drawn_with(9, 1))["x"].n_units == 3
    parts = {
        str(i): Comparison.from_counts(gold=9, only_a_correct=i % 5, only_b_correct=i % 3)
        for i in range(200)
    }
    assert len(breakdown(parts, "recall", **drawn_with(100, 1))) == 200
    monkeypatch.setattr(breakdowns, "CELLS", 7)
    two = {i: parts[i] for i in "13"}
    with pytest.raises(InputError, match=r"5 units that differ and 4 columns of all parts make"):
        breakdown(two, "recall", method="approximate")


def part_of(name, a, b):
    return Comparison.from_scores(a, b, id=[f"{name}{i}" for i in range(len(a))])


def test_whether_the_difference_is_the_same_in_all_parts():
    rng = np.random.default_rng(3)
    groups = {name: rng.integers(-3, 6 + more, size) for name, more, size in
              (("x", 0, 12), ("y", 3, 30), ("z", 0, 7))}  # fmt: skip
    parts = {name: part_of(name, d, np.zeros_like(d)) for name, d in groups.items()}
    found = heterogeneity(parts, "mean")
    weights = {name: len(d) / d.var(ddof=1) for name, d in groups.items()}
    means = {name: d.mean() for name, d in groups.items()}
    assert found.parts == pytest.approx(means)
    weighted = sum(weights[name] * means[name] for name in groups) / sum(weights.values())
    assert found.difference == pytest.approx(weighted)
    if "equal_var" in inspect.signature(stats.f_oneway).parameters:  # since scipy 1.16
        expected = stats.f_oneway(*groups.values(), equal_var=False)
        assert (found.statistic, found.pvalue) == pytest.approx(tuple(expected))
    two = {name: parts[name] for name in "xy"}  # with two parts it is Welch's t test
    expected = stats.ttest_ind(groups["x"], groups["y"], equal_var=False)
    found = heterogeneity(two, "mean")
    assert found.pvalue == pytest.approx(expected.pvalue)
    assert found.statistic == pytest.approx(expected.statistic**2)
    assert found.degrees_of_freedom == pytest.approx((1, expected.df))


@pytest.mark.parametrize(("parts", "why"), [
    ({}, "found one part"),
    ({"y": part_of("x", [1, 2], [3, 1])}, "in several parts"),
    ({"y": part_of("y", [2, 3], [1, 2])}, "'y': the difference is the same in every item"),
    ({"y": part_of("y", [2], [1])}, "part 'y': only 1 item counts for mean"),
])  # fmt: skip
def test_no_test_of_parts(parts, why):
    parts = {"x": part_of("x", [1, 2], [3, 1]), **parts}
    with pytest.raises(InputError, match=why):
        heterogeneity(parts, "mean")
