"""The same test on every part of the data, from the same shuffles."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from brute import PAPER, SCORES, is_extreme, textbook_holm
from drawn import several
from hypothesis import given, settings
from hypothesis import strategies as st

import csig
from csig import Comparison, InputError, Metric, replay
from csig.comparing import breakdowns
from csig.comparing.breakdowns import Breakdown
from csig.data import metrics
from csig.engines.shuffle import Run

COLUMNS = ("tp", "predicted", "gold")
METRICS = ["recall", "precision", "f1"]


def breakdown(parts, metric="recall", **options):
    return csig.effects.breakdown(parts, metric, **options)


# ---- brute force ---------------------------------------------------------------------------


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


def scores_of(rows, metric, zero, exchanged=frozenset()):
    """A minus B by the textbook, with some units exchanged."""
    sums = [0] * 4
    gold = sum(r[4] for r in rows.values())
    for unit, r in rows.items():
        own = (r[2], r[3], r[0], r[1]) if unit in exchanged else r[:4]
        sums = [s + v for s, v in zip(sums, own, strict=True)]
    score = SCORES[metric]
    a, b = ((sums[i], sums[i + 1] - sums[i]) for i in (0, 2))
    return score(*a, gold, zero) - score(*b, gold, zero)


@settings(max_examples=40)
@given(tables(), st.sampled_from(["two-sided", "less", "greater"]), st.sampled_from([0, 1]))
def test_exact_pvalues_by_all_joint_exchanges(found, alternative, zero):
    """All 2^n exchanges of the units of all parts together, in Fractions."""
    parts = comparisons(found)
    result = breakdown(parts, METRICS, alternative=alternative, zero_division=zero)
    everywhere = sorted({unit for rows in found.values() for unit in rows})
    subsets = [
        frozenset(itertools.compress(everywhere, coins))
        for coins in itertools.product((0, 1), repeat=len(everywhere))
    ]
    for label, rows in found.items():
        for metric in METRICS:
            observed = scores_of(rows, metric, zero)
            extreme = sum(
                is_extreme(scores_of(rows, metric, zero, subset), observed, alternative)
                for subset in subsets
            )
            test = result[label].results[metric]
            assert test.method == "exact"
            assert test.pvalue == pytest.approx(extreme / len(subsets), rel=1e-12)
            assert test.statistic == pytest.approx(float(observed), abs=1e-15)
            alone = csig.randomization_test(
                parts[label], metric, alternative=alternative, zero_division=zero
            )
            assert alone == test


def joint(found):
    """Both systems' rows over all ids in order, the columns of the parts side by side."""
    ids = sorted({unit for rows in found.values() for unit in rows})
    a, b = (np.zeros((len(ids), 3 * len(found)), dtype=np.int64) for _ in "ab")
    for p, rows in enumerate(found.values()):
        for unit, r in rows.items():
            a[ids.index(unit), 3 * p : 3 * p + 3] = r[0], r[1], r[4]
            b[ids.index(unit), 3 * p : 3 * p + 3] = r[2], r[3], r[4]
    return a, b


@settings(max_examples=several(12, 25))
@given(tables(n_ids=9), st.sampled_from(["two-sided", "less", "greater"]), st.sampled_from([0, 1]))
def test_hits_by_the_pure_numpy_replay(found, alternative, zero):
    n = 700
    result = breakdown(
        comparisons(found), METRICS, alternative=alternative, zero_division=zero,
        method="approximate", n_resamples=n, rng=11,
    )  # fmt: skip
    a, b = joint(found)
    for p, label in enumerate(found):
        for name in METRICS:
            metric = metrics.get(name)
            rows = []
            for weights in (metric.numerator, metric.denominator):
                by_column = dict(zip(metric.columns, weights, strict=True))
                own = [Fraction(0)] * a.shape[1]
                own[3 * p : 3 * p + 3] = [by_column.get(c, Fraction(0)) for c in COLUMNS]
                rows.append(own)
            hits = replay.unit_hits(
                a, b, *rows, n, alternative=alternative, zero_division=zero, entropy=11
            )
            test = result[label].results[name]
            assert test.n_hits == hits
            assert test.pvalue == (hits + 1) / (n + 1)


def test_more_than_one_chunk_and_any_number_of_threads():
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
    parts, n = comparisons(found), 2**16 + 1000
    options = {"method": "approximate", "n_resamples": n, "rng": 5}
    results = [breakdown(parts, ["precision"], threads=t, **options) for t in (1, 3)]
    assert results[0] == results[1]
    a, b = joint(found)
    moved = replay.unit_sums((a - b)[(a != b).any(axis=1)], n, entropy=5)
    of_a, of_b = a.sum(axis=0) - moved, b.sum(axis=0) + moved
    for p, label in enumerate(found):
        (tp_a, all_a), (tp_b, all_b) = (s[:, 3 * p : 3 * p + 2].T for s in (of_a, of_b))
        (x, x_all), (y, y_all) = (s[:, 3 * p : 3 * p + 2].sum(axis=0).tolist() for s in (a, b))
        assert min(all_a.min(), all_b.min()) > 0
        crossed = np.abs(tp_a * all_b - tp_b * all_a) * (x_all * y_all)
        hits = int((crossed >= abs(x * y_all - y * x_all) * (all_a * all_b)).sum())
        assert results[0][label].results["precision"].n_hits == hits


def test_parts_share_their_shuffles():
    """A part that is given twice has the same hits; alone, with the same units, it has them too."""
    rng = np.random.default_rng(8)
    scores = rng.integers(0, 9, (2, 40))
    part = Comparison.from_scores(*scores, ids=range(40))
    options = {"method": "approximate", "n_resamples": 5000, "rng": 2}
    found = breakdown({"x": part, "y": part}, "mean", **options)
    alone = csig.randomization_test(part, "mean", **options)
    assert found["x"].results["mean"] == found["y"].results["mean"] == alone


# ---- scores and functions ------------------------------------------------------------------


def test_every_part_keeps_its_own_scale_and_band():
    """Integers, decimals and fixed point side by side, against pure numpy."""
    rng = np.random.default_rng(4)
    n, ids = 4000, [f"q{i:02}" for i in range(60)]
    made = {
        "integers": lambda: rng.integers(0, 5, 45),
        "decimals": lambda: rng.integers(0, 100, 45) / 100,
        "tiny": lambda: rng.random(45) * 1e-9,
        "large": lambda: rng.random(45) * 1e12,
    }
    parts = {}
    for label, make in made.items():
        chosen = rng.choice(60, 45, replace=False)
        parts[label] = Comparison.from_scores(
            make(), make(), ids=[ids[i] for i in chosen], clusters=None
        )
    assert [bool(part.tau) for part in parts.values()] == [False, False, True, True]
    for alternative in ("two-sided", "less", "greater"):
        found = breakdown(
            parts, "mean", method="approximate", n_resamples=n, rng=9, alternative=alternative
        )
        table = np.zeros((60, 4), dtype=np.int64)
        for p, part in enumerate(parts.values()):
            rows = [ids.index(unit) for unit in part.units.ids]
            table[rows, p] = part.units.differences[:, 0]
        table = table[table.any(axis=1)]
        sums = replay.unit_sums(table, n, entropy=9)
        for p, (label, part) in enumerate(parts.items()):
            total = int(table[:, p].sum())
            now = total - 2 * sums[:, p]
            extreme = {
                "two-sided": np.abs(now) >= abs(total) - 2 * part.tau,
                "greater": now >= total - 2 * part.tau,
                "less": now <= total + 2 * part.tau,
            }[alternative]
            test = found[label].results["mean"]
            assert test.n_hits == int(extreme.sum())
            assert test.score_a == part.scores("mean")[0]
            alone = csig.randomization_test(
                part, "mean", method="approximate", n_resamples=9, rng=1, alternative=alternative
            )
            assert test.tau == alone.tau


def test_functions_of_sums():
    """Macro F1 over the labels that a part has, and a user's own."""
    rng = np.random.default_rng(6)
    n = 2000
    own = Metric("own", ("correct", "items"), function=lambda s: np.sqrt(s[:, 0] / s[:, 1]))
    parts, tables_ = {}, {}
    for label, names in (("short", "xy"), ("long", "xyz")):
        ids = [f"i{i}" for i in rng.choice(60, 40, replace=False)]
        gold, a, b = (rng.choice(list(names), 40).tolist() for _ in range(3))
        parts[label] = Comparison.from_labels(gold, a, b, ids=ids)
        tables_[label] = parts[label].units
    found = breakdown(
        parts, ["macro_f1", own, "accuracy"], method="approximate", n_resamples=n, rng=3
    )
    everywhere = sorted({unit for units in tables_.values() for unit in units.ids})
    widths = [units.differences.shape[1] for units in tables_.values()]
    table = np.zeros((len(everywhere), sum(widths)), dtype=np.int64)
    starts = [0, widths[0]]
    for start, width, units in zip(starts, widths, tables_.values(), strict=True):
        rows = [everywhere.index(unit) for unit in units.ids]
        table[rows, start : start + width] = units.differences
    sums = replay.unit_sums(table, n, entropy=3)
    for start, width, (label, part) in zip(starts, widths, parts.items(), strict=True):
        for wanted in ("macro_f1", own, "accuracy"):
            metric = metrics.get(wanted, part.columns)
            where = [part.columns.index(c) for c in metric.columns]
            moved = sums[:, start : start + width]

            def scores(total, metric=metric, where=where):
                if metric.function is None:
                    return total[:, where[0]] / total[:, where[1]]
                return metric.values(total[:, where].astype(float))[0]

            now = scores(np.array(part.sums_a) - moved) - scores(np.array(part.sums_b) + moved)
            observed = np.subtract(*part.scores(metric))
            hits = int((np.abs(now) >= abs(observed) - 1e-11).sum())
            assert found[label].results[metric.name].n_hits == hits


# ---- responses -----------------------------------------------------------------------------


def drawn(rng, n, labels="PQ"):
    """Gold, A and B as sets of (sentence, label, number)."""
    every = [(f"s{i % 7}", labels[i % len(labels)], i) for i in range(n)]
    return [{r for r in every if rng.random() < share} for share in (0.5, 0.6, 0.6)]


def restricted(sides, wanted, **options):
    return Comparison.from_responses(*({r for r in s if wanted(r)} for s in sides), **options)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("zero", [0, 1])
def test_responses_by_pure_numpy(alternative, zero):
    """A set bit gives a response to A; the correct ones take the first words, by text."""
    n = several(700, 1500)
    sides = drawn(np.random.default_rng(1), 60)
    gold, a, b = sides
    parts = {
        "P": lambda r: r[1] == "P",
        "Q": lambda r: r[1] == "Q",
        "low": lambda r: r[2] < 30,
    }
    found = breakdown(
        {label: restricted(sides, wanted) for label, wanted in parts.items()}, METRICS,
        method="approximate", n_resamples=n, rng=7, alternative=alternative, zero_division=zero,
    )  # fmt: skip
    unique = sorted(a ^ b, key=lambda r: (r not in gold, "\t".join(map(str, r))))
    words = replay.chunk_words(-(-n // 64) * len(unique), entropy=7).reshape(-1, len(unique))
    given = [
        {r for r, word in zip(unique, words[t // 64].tolist(), strict=True) if word >> t % 64 & 1}
        for t in range(n)
    ]
    for label, wanted in parts.items():
        right = {r for r in gold if wanted(r)}
        for metric in METRICS:

            def difference(own, metric=metric, wanted=wanted, right=right):
                pair = (own | a & b, (a ^ b) - own | a & b)
                mine = [{r for r in side if wanted(r)} for side in pair]
                x, y = (
                    SCORES[metric](len(s & right), len(s - right), len(right), zero) for s in mine
                )
                return x - y

            observed = difference(a - b)
            hits = sum(is_extreme(difference(own), observed, alternative) for own in given)
            assert found[label].results[metric].n_hits == hits


def test_exact_responses_are_the_staircases():
    sides = drawn(np.random.default_rng(2), 80)
    parts = {label: restricted(sides, lambda r, x=label: r[1] == x) for label in "PQ"}
    found = breakdown(parts, METRICS)
    for label, part in parts.items():
        assert found[label].results == csig.randomization_test(part, METRICS)
        assert {r.engine for r in found[label].results.values()} == {"staircase"}
        _, a, b = ({r for r in side if r[1] == label} for side in sides)
        assert found[label].n_total == len(a | b)
        assert found[label].n_units == len(a ^ b)


def test_the_papers_example_as_one_part():
    example = Comparison.from_counts(**PAPER)
    found = breakdown({"modifier": example}, METRICS)
    assert found["modifier"].results == csig.randomization_test(example, METRICS)
    assert found["modifier"].results["f1"].exact_count == 1143213312579716189306832 * 2
    assert found["modifier"].r12 == found.median_r12 == csig.classical.correlation(example)
    assert found["modifier"].adjusted_pvalues == {
        name: result.pvalue for name, result in found["modifier"].results.items()
    }
    options = {"method": "approximate", "n_resamples": 2**16 + 77, "rng": 1}
    shuffled = breakdown({"modifier": example}, METRICS, **options)
    assert shuffled["modifier"].results == csig.randomization_test(example, METRICS, **options)
    function = Metric("own", COLUMNS, function=lambda s: s[:, 0] / (s[:, 1] + s[:, 2]))
    shuffled = breakdown({"modifier": example}, function, **options)
    alone = csig.randomization_test(example, function, **options)
    assert shuffled["modifier"].results["own"] == alone


def test_counts_have_responses_of_their_own():
    """Those of one part come after those of another by the parts' texts."""
    counts = {
        "y": {"gold": 9, "only_a_correct": 4, "only_b_correct": 1, "only_a_spurious": 2},
        "x": {"gold": 5, "both_correct": 1, "only_a_correct": 1, "only_b_correct": 2},
    }
    full = {
        label: {"only_b_spurious": 1, "only_a_spurious": 0} | own for label, own in counts.items()
    }
    n = 640
    found = breakdown(
        {label: Comparison.from_counts(**own) for label, own in full.items()}, "precision",
        method="approximate", n_resamples=n, rng=4,
    )  # fmt: skip
    sizes = [3, 5, 1, 3]  # correct of x and of y, spurious of x and of y
    words = replay.chunk_words(n // 64 * 12, entropy=4).reshape(-1, 12)
    bits = words[:, None, :] >> np.arange(64, dtype=np.uint64)[None, :, None] & np.uint64(1)
    ends = np.cumsum([0, *sizes])
    totals = [bits[:, :, i:j].sum(axis=2).ravel().astype(int) for i, j in itertools.pairwise(ends)]
    for label, correct, spurious in (("x", *totals[::2]), ("y", *totals[1::2])):
        own = full[label]
        both = own.get("both_correct", 0)
        n_correct = own["only_a_correct"] + own["only_b_correct"]
        n_spurious = own["only_a_spurious"] + own["only_b_spurious"]

        def difference(x, y, both=both, n_correct=n_correct, n_spurious=n_spurious):
            score = SCORES["precision"]
            return score(both + x, y, 0, 0) - score(both + n_correct - x, n_spurious - y, 0, 0)

        observed = difference(own["only_a_correct"], own["only_a_spurious"])
        hits = sum(
            abs(difference(int(x), int(y))) >= abs(observed)
            for x, y in zip(correct, spurious, strict=True)
        )
        assert found[label].results["precision"].n_hits == hits


@pytest.mark.parametrize("unit", ["conflict", "key", "cluster"])
def test_responses_in_larger_units(unit):
    rng = np.random.default_rng(12)
    sides = drawn(rng, 70)
    keys = [f"s{i}" for i in range(7)]
    clusters = {key: int(key[1]) % 4 for key in keys}

    def part(label):
        by_key = [
            {key: [r[1:] for r in side if r[0] == key and r[1] == label] for key in keys}
            for side in sides
        ]
        return Comparison.from_responses(
            *by_key, clusters=clusters, conflict=lambda r: r[1] // 4, unit=unit
        )

    parts = {label: part(label) for label in "PQ"}
    n = 900
    found = breakdown(parts, METRICS, method="approximate", n_resamples=n, rng=21)
    ids = sorted({u for c in parts.values() for u in c.units.ids}, key=str)
    table = np.zeros((len(ids), 6), dtype=np.int64)
    for p, c in enumerate(parts.values()):
        table[[ids.index(u) for u in c.units.ids], 3 * p : 3 * p + 3] = c.units.differences
    sums = replay.unit_sums(table, n, entropy=21)
    for p, (label, c) in enumerate(parts.items()):
        assert found[label].n_total == c.units.n_total
        for metric in METRICS:

            def difference(moved, c=c, metric=metric):
                pair = (np.array(c.sums_a) - moved, np.array(c.sums_b) + moved)
                x, y = (
                    SCORES[metric](*(int(v) for v in (s[0], s[1] - s[0], s[2])), 0) for s in pair
                )
                return x - y

            observed = difference(np.zeros(3, dtype=int))
            hits = sum(abs(difference(row)) >= abs(observed) for row in sums[:, 3 * p : 3 * p + 3])
            assert found[label].results[metric].n_hits == hits


# ---- order ---------------------------------------------------------------------------------


@settings(max_examples=15)
@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_parts_and_rows_never_matters(found, random):
    options = {"method": "approximate", "n_resamples": 300, "rng": 1}
    straight = breakdown(comparisons(found), METRICS, **options)
    shuffled = list(found.items())
    random.shuffle(shuffled)
    other = {}
    for label, rows in shuffled:
        items = list(rows.items())
        random.shuffle(items)
        other[label] = dict(items)
    again = breakdown(comparisons(other), METRICS, **options)
    assert list(again) == list(other)
    for label in found:
        assert again[label].results == straight[label].results
        assert again[label].adjusted_pvalues == straight[label].adjusted_pvalues


def test_the_order_of_responses_never_matters():
    sides = drawn(np.random.default_rng(3), 50)
    options = {"method": "approximate", "n_resamples": 500, "rng": 1}
    results = []
    for turn in (list, lambda s: sorted(s, reverse=True)):
        parts = {
            label: Comparison.from_responses(*(turn([r for r in s if r[1] == label])
                                               for s in sides))
            for label in turn("PQ")
        }  # fmt: skip
        found = breakdown(parts, METRICS, **options)
        results.append([found[label].results for label in "PQ"])
    assert results[0] == results[1]


# ---- the rows ------------------------------------------------------------------------------


@settings(max_examples=30)
@given(tables(n_parts=4))
def test_the_parts_are_corrected_by_holm(found):
    result = breakdown(comparisons(found), METRICS)
    for name in METRICS:
        pvalues = [part.results[name].pvalue for part in result.parts]
        adjusted = [part.adjusted_pvalues[name] for part in result.parts]
        assert adjusted == pytest.approx(textbook_holm(pvalues), rel=1e-14)
        logs = [part.log_adjusted_pvalues[name] for part in result.parts]
        assert logs == pytest.approx([math.log(p) for p in adjusted], abs=1e-13)


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
    assert (list(found), len(found), found.metrics) == (
        ["PER", "LOC", "ORG", "NONE"], 4, ("recall", "precision"),
    )  # fmt: skip
    assert [part.label for part in found.parts] == list(parts)
    per, org, none = found["PER"], found["ORG"], found["NONE"]
    assert (per.n_units, per.n_total) == (5, 11)
    assert scores(per) == {"recall": (0.7, 0.5), "precision": (7 / 9, 5 / 8)}
    assert not any(result.zero_denominator for result in per.results.values())
    # Nothing differs.
    assert (org.n_units, org.n_total, org.r12) == (0, 3, 1.0)
    assert [result.pvalue for result in org.results.values()] == [1.0, 1.0]
    # No gold.
    assert scores(none) == {"recall": (0.0, 0.0), "precision": (0.0, 0.0)}
    assert all(result.zero_denominator for result in none.results.values())
    assert math.isnan(none.r12)
    correlations = [csig.classical.correlation(parts[label]) for label in ("PER", "LOC", "ORG")]
    assert found.median_r12 == sorted(correlations)[1]
    two = breakdown({label: parts[label] for label in ("PER", "LOC")}, "recall")
    assert two.median_r12 == pytest.approx(sum(correlations[:2]) / 2, rel=1e-15)
    assert correlations[0] != correlations[1]
    with pytest.raises(KeyError):
        found["MISC"]
    ones = breakdown(parts, "recall", zero_division=1)
    assert scores(ones["NONE"]) == {"recall": (1.0, 1.0)}


def test_a_part_without_a_difference_among_shuffled_ones():
    same = Comparison.from_scores([1, 2], [1, 2])  # no ids: there is nothing to match
    other = Comparison.from_scores([1, 5], [4, 2], ids=["x", "y"])
    options = {"method": "approximate", "n_resamples": 99, "rng": 1}
    found = breakdown({"same": same, "other": other}, "mean", **options)
    result = found["same"].results["mean"]
    assert (result.n_hits, result.pvalue, result.n_units) == (99, 1.0, 0)
    found = breakdown({"same": same}, "mean", **options)
    assert found["same"].results["mean"].pvalue == 1.0
    empty = Comparison.from_counts(gold=3, only_a_correct=0, only_b_correct=0)
    found = breakdown({"x": empty, "y": empty}, "f1", **options)
    assert found["x"].results["f1"].pvalue == 1.0


def test_correlations_that_are_not_known():
    documents = Comparison.from_statistics({"d": (2, 3, 5)}, {"d": (1, 3, 5)}, COLUMNS)
    found = breakdown({"x": documents}, "recall")
    assert math.isnan(found["x"].r12)
    assert math.isnan(found.median_r12)


def test_some_metrics_exact_and_some_shuffled():
    rng = np.random.default_rng(10)
    parts = {
        label: Comparison.from_scores(rng.random(n), rng.random(n), ids=range(n))
        for label, n in (("few", 10), ("many", 90))
    }
    found = breakdown(parts, "mean", n_resamples=500, rng=6)
    assert [part.results["mean"].method for part in found.parts] == ["exact", "certified"]
    alone = csig.randomization_test(parts["many"], "mean")
    assert found["many"].results["mean"] == alone
    found = breakdown(parts, "mean", n_resamples=500, rng=6, exact_budget=2**10)
    assert [part.results["mean"].method for part in found.parts] == ["exact", "approximate"]
    # The few are among the many, so that the shuffles are those of the many alone.
    drawn = csig.randomization_test(
        parts["many"], "mean", n_resamples=500, rng=6, method="approximate"
    )
    assert found["many"].results["mean"].n_hits == drawn.n_hits
    few = csig.randomization_test(parts["few"], "mean", exact_budget=2**10)
    assert found["few"].results["mean"] == few


def test_an_iterator_of_metrics_serves_all_parts():
    parts = {label: Comparison.from_counts(**PAPER) for label in "xy"}
    assert breakdown(parts, iter(["recall", "f1"])).metrics == ("recall", "f1")


def test_progress_is_told():
    seen = []
    parts = {label: Comparison.from_counts(**PAPER) for label in "xy"}
    breakdown(
        parts, method="approximate", n_resamples=3000, rng=1,
        progress=lambda done, total: seen.append((done, total)),
    )  # fmt: skip
    assert seen[-1] == (3000, 3000)


def test_one_run_for_all_parts(monkeypatch):
    runs = []
    once = Run.__call__

    def counted(self):
        runs.append(len(self.questions))
        return once(self)

    monkeypatch.setattr(Run, "__call__", counted)
    parts = {label: Comparison.from_counts(**PAPER) for label in "xyz"}
    breakdown(parts, METRICS, method="approximate", n_resamples=64, rng=1)
    assert runs == [9]


# ---- errors --------------------------------------------------------------------------------

EXAMPLE = Comparison.from_counts(**PAPER)
NO_IDS = Comparison.from_scores([1, 2], [2, 2])
BY_ID = Comparison.from_scores([1, 2], [2, 2], ids=["x", "y"])


@pytest.mark.parametrize(
    ("parts", "options", "message"),
    [
        ([EXAMPLE], {}, r"parts must be \{label: Comparison\}, found list"),
        ({}, {}, "an empty mapping has nothing to test"),
        ({"x": 3}, {}, r"parts\['x'\] must be a csig.Comparison, found int"),
        (dict.fromkeys(range(201), EXAMPLE), {}, "at most 200 are possible, found 201"),
        ({None: EXAMPLE}, {}, r"parts\[0\]: None is not a label"),
        ({1: EXAMPLE, "1": EXAMPLE}, {}, "1 and '1' have the same text"),
        (
            {"x": EXAMPLE, "y": BY_ID},
            {},
            r"parts\['y'\] has the unit 'unit', but parts\['x'\] has 'response'",
        ),
        (
            {"x": EXAMPLE, "y": Comparison.from_counts(**PAPER, names=("C", "D"))},
            {},
            r"has the names \('C', 'D'\), but parts\['x'\] has \('A', 'B'\)",
        ),
        ({"x": NO_IDS}, {"metric": "mean"}, r"parts\['x'\]: its units have no ids"),
        ({"x": EXAMPLE}, {"method": "yeh2000"}, "'yeh2000', .* is for one comparison"),
        ({"x": EXAMPLE}, {"method": "best"}, "method must be one of"),
        ({"x": EXAMPLE}, {"alternative": "up"}, "alternative must be"),
        ({"x": EXAMPLE}, {"zero_division": 2}, "zero_division must be 0 or 1"),
        ({"x": EXAMPLE}, {"metric": "accuracy"}, r"parts\['x'\]: metric 'accuracy' reads"),
        ({"x": EXAMPLE}, {"metric": []}, "found an empty list, expected at least one"),
        ({"x": EXAMPLE}, {"progress": 3}, "progress must be"),
    ],
)
def test_what_is_refused(parts, options, message):
    with pytest.raises(InputError, match=message):
        breakdown(parts, **options)


def test_ids_with_the_same_text_in_two_parts():
    parts = {
        "x": Comparison.from_scores([1, 2], [2, 3], ids=[1, 2]),
        "y": Comparison.from_scores([1, 2], [2, 3], ids=["1", "2"]),
    }
    with pytest.raises(InputError, match=r"parts: units: 1 and '1' have the same text"):
        breakdown(parts, "mean", method="approximate")


def test_conflict_groups_with_the_same_text():
    part = Comparison.from_responses(
        {"k": []}, {"k": [("1",), ("2",)]}, {"k": [(1,), (2,)]}, conflict=type, unit="conflict"
    )
    assert part.units is not None
    same = Comparison.from_responses(
        {"k": []}, {"k": ["1"]}, {"k": [1]}, conflict=type, unit="conflict"
    )
    assert same.units.ids == ("k\t1", "k\t1")
    with pytest.raises(InputError, match=r"parts\['x'\]: several units have the id 'k\\t1'"):
        breakdown({"x": same}, "precision", method="approximate")


def test_gold_that_differs_between_parts():
    parts = {
        "x": Comparison.from_responses({"r"}, {"r"}, set()),
        "y": Comparison.from_responses(set(), {"r"}, set()),
    }
    with pytest.raises(InputError, match=r"parts\['y'\]: response 'r' is spurious, but not in an"):
        breakdown(parts, method="approximate")


def test_responses_with_the_same_text():
    odd = type("Odd", (), {"__str__": lambda self: "odd"})
    parts = {"x": Comparison.from_responses({"r"}, {"r", odd(), odd()}, set())}
    with pytest.raises(InputError, match="have the same text, by which they are ordered"):
        breakdown(parts, method="approximate")
    numbers = {"x": Comparison.from_responses({"r"}, {"r", "1"}, {1})}
    assert breakdown(numbers, method="approximate", n_resamples=9)["x"].n_units == 3


def test_too_large_a_table(monkeypatch):
    monkeypatch.setattr(breakdowns, "CELLS", 7)
    with pytest.raises(InputError, match="2 units that differ and 4 columns of all parts make"):
        breakdown(
            {
                "x": Comparison.from_counts(gold=1, only_a_correct=1, only_b_correct=0),
                "y": Comparison.from_counts(gold=1, only_a_correct=0, only_b_correct=1),
            },
            method="approximate",
        )


def test_two_hundred_parts():
    parts = {
        f"{i}": Comparison.from_counts(gold=9, only_a_correct=i % 5, only_b_correct=i % 3)
        for i in range(200)
    }
    found = breakdown(parts, method="approximate", n_resamples=100, rng=1)
    assert len(found) == 200
