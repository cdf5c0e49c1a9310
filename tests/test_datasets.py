"""Many systems over many data sets: published numbers, other packages, brute force, refusals."""

import itertools
import json
import pickle
import types
from fractions import Fraction

import numpy as np
import pytest
from places import REFERENCE
from scipy import stats
from scipy.special import fdtri, ndtri

import csig
from csig import InputError
from csig.datasets.comparing import MOST_PAIRS
from csig.datasets.pairs import advice_on, critical_difference, overall_doubts

#: Demsar (2006), table 6: ranks within 14 data sets.
NAMES = ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")

GARCIA = json.loads((REFERENCE / "garcia_herrera_2008.json").read_text(encoding="utf-8"))

#: What scipy, statsmodels and scikit-posthocs find for tables with ties.
ALL = json.loads((REFERENCE / "datasets_peers.json").read_text(encoding="utf-8"))
PEERS = ALL["tables"]
RNG = np.random.default_rng(11)
TABLE = {name: RNG.integers(0, 30, 15).tolist() for name in "abcd"}
TABLE["d"] = [own + 25 for own in TABLE["d"]]


@pytest.fixture(scope="module")
def worked(shared_data):
    folder = shared_data("worked_examples")
    return json.loads((folder / "worked_examples.json").read_text(encoding="utf-8"))


def columns(rows, names=None):
    """A table of rows, one a data set, as systems."""
    own = list(map(list, zip(*rows, strict=True)))
    return dict(zip(names or map(str, range(len(own))), own, strict=True))


def of(rows, **options):
    return csig.compare_datasets(columns(rows), **options)


def overall(result):
    return {own.name: own for own in result.overall}


def by_names(result):
    return {frozenset((own.system, own.other)): own for own in result.pairs}


def of_pairs(result, test):
    """P-values of a test, or adjusted ones of a procedure, in the order of the table's columns."""
    pairs = by_names(result)
    own = [pairs[frozenset(pair)] for pair in itertools.combinations(result.names, 2)]
    return [(pair.adjusted_by | pair.pvalues)[test] for pair in own]


# ---- published numbers --------------------------------------------------------------------------


def test_demsar(worked):
    """Statistical comparisons of classifiers over multiple data sets, JMLR 7, section 3: ranks."""
    example = worked["demsar2006_table6"]
    printed, table = example["printed"], columns(example["inputs"]["published_ranks"], NAMES)
    found = csig.compare_datasets(table, lower_is_better=True)
    assert found.average_ranks == pytest.approx(printed["avg_ranks"], abs=8e-4)
    own = overall(found)
    assert round(own["friedman"].statistic, 2) == printed["chi2_F"]
    assert round(own["friedman"].pvalue, 6) == printed["chi2_p"]
    assert round(own["iman-davenport"].statistic, 2) == printed["F_F"]
    assert round(own["iman-davenport"].pvalue, 6) == printed["F_F_p"]
    assert own["iman-davenport"].degrees_of_freedom == (3, 39)
    assert round(fdtri(3, 39, 0.95), 2) == printed["F_crit_3_39"]
    ties = own["friedman-ties"]
    assert [ties.statistic, ties.pvalue] == pytest.approx(
        printed["scipy_tie_corrected_with_0.9751"], rel=1e-12
    )
    assert round(found.critical_differences["nemenyi"], 2) == printed["CD_0.05"]
    assert round(found.critical_difference(alpha=0.10), 2) == printed["CD_0.10"]
    for alpha in ("0.05", "0.10"):
        q = found.critical_difference("nemenyi", float(alpha)) / (4 * 5 / (6 * 14)) ** 0.5
        assert q == pytest.approx(printed[f"q_{alpha}_k4"], abs=5e-4)

    found = csig.compare_datasets(
        table, lower_is_better=True, pairs="ranks", correction="nemenyi", alpha=0.10
    )
    different = {f"{own.better} vs {own.other}" for own in found.pairs if own.better}
    assert different == set(printed["significant_at_0.10"])
    assert found.groups() == found.groups("nemenyi")
    assert found.groups() == (("C4.5+m+cf", "C4.5+m", "C4.5+cf"), ("C4.5+cf", "C4.5"))
    # The bars are those of the critical difference.
    limit = found.critical_differences["nemenyi"]
    assert all((abs(own.rank_difference) >= limit) == bool(own.better) for own in found.pairs)


def test_demsars_scores(worked):
    """In those of row 13, printed, 0.975 is there twice, a tie that the ranks lack."""
    example = worked["demsar2006_table6"]
    table = columns(example["inputs"]["auc_3_decimals"], NAMES)
    found = csig.compare_datasets(table)
    expected = example["computed_here"]["from_3_decimal_table"]
    assert found.average_ranks == pytest.approx(expected["avg_ranks"], abs=5e-7)
    for test, key in (("friedman", "chi2_no_tie_correction"), ("iman-davenport", "F_F"),
                      ("friedman-ties", "chi2_tie_corrected")):  # fmt: skip
        assert overall(found)[test].statistic == pytest.approx(expected[key], abs=5e-7)
    two = csig.compare_datasets({name: table[name] for name in NAMES[:2]})
    printed = example["printed"]
    sums, own = printed["wilcoxon_C45_vs_C45m"], overall(two)
    assert own["wilcoxon"].statistic == sums["R_minus"]
    assert f"rank sums {sums['R_plus']} and {sums['R_minus']};" in own["wilcoxon"].note
    wins, losses = printed["sign_test_wins_with_split_ties"]
    assert f"with ties shared {wins} and {losses}" in own["sign"].note
    assert two.pairs[0].better == "C4.5+m"


def test_rounding_first_base(worked):
    """Hollander and Wolfe (1999), table 7.1; wnmt is the largest of the pairs' z, as of coin."""
    example = worked["rounding_first_base"]
    names = ("round", "narrow", "wide")
    found = csig.compare_datasets(
        columns(example["inputs"]["times_22x3"], names), lower_is_better=True
    )
    printed = example["printed"]
    own = overall(found)["friedman-ties"]
    assert round(own.statistic, 3) == printed["friedman_chi2"]
    assert round(own.pvalue, 6) == printed["p"]
    pairs = by_names(found)
    z = max(-ndtri(own.pvalues["ranks-ties"] / 2) for own in pairs.values())
    assert round(z, 4) == printed["wnmt_maxT"]
    # coin integrates at random, to 1e-3.
    single = {own: p.adjusted_by["nemenyi-ties"] for own, p in pairs.items()}
    for text, p in printed["pairs_single_step"].items():
        assert single[frozenset(text.split("-"))] == pytest.approx(p, abs=1e-4)
    assert min(single.values()) == pytest.approx(printed["wnmt_p"], abs=1e-4)


def test_hamilton_depression(worked):
    """Two occasions of nine patients: coin prints chi-square forms."""
    example = worked["hamilton_depression"]
    found = csig.compare_datasets({"x": example["inputs"]["x"], "y": example["inputs"]["y"]})
    printed, own = example["printed"], overall(found)
    assert round(own["friedman"].statistic, 4) == printed["friedman_chi2_2_samples"]
    assert round(own["quade-chi2"].statistic, 4) == printed["quade_chi2_2_samples"]
    assert round(own["wilcoxon"].pvalue, 5) == printed["wilcoxon_exact_two_sided"]
    assert round(own["sign"].pvalue, 4) == printed["sign_exact_two_sided"]
    assert f"z = {printed['wilcoxon_Z']:.3f}" in own["wilcoxon"].note


def test_friedman_other(worked):
    """Scipy's test data; Zar's has no ties."""
    first, second = worked["friedman_other"]["cases"]
    for case, key in ((first, "chi2_tie_corrected"), (second, "chi2")):
        own = overall(of(zip(*case["k_columns"], strict=True)))["friedman-ties"]
        assert (own.statistic, own.pvalue) == pytest.approx((case[key], case["p"]), rel=1e-12)


def test_garcia_and_herrera():
    """Ranks, statistics, p-values and verdicts."""
    found = csig.compare_datasets(
        columns(GARCIA["accuracies"], GARCIA["names"]), datasets=GARCIA["datasets"],
        pairs="ranks", correction="bergmann-hommel",
    )  # fmt: skip
    assert found.average_ranks == pytest.approx((2.1, 3.25, 2.2, 4.333, 3.117), abs=5e-4)
    tests, pairs = overall(found), by_names(found)
    assert tests["friedman"].statistic == pytest.approx(GARCIA["friedman"], abs=5e-4)
    assert tests["iman-davenport"].statistic == pytest.approx(GARCIA["iman_davenport"], abs=5e-4)
    assert tests["iman-davenport"].degrees_of_freedom == (4, 116)
    for text, p in GARCIA["ranks"].items():
        own = pairs[frozenset(text.split(" "))]
        assert own.pvalue == pytest.approx(p, rel=1e-6)
        by = own.adjusted_by
        assert own.adjusted_pvalue <= by["ranks-shaffer"] <= by["ranks-holm"]
        assert own.adjusted_pvalue == by["ranks-bergmann-hommel"]
    assert sum(own.better is not None for own in found.pairs) == 8


def test_critical_differences_beside_a_baseline():
    """Demsar (2006), table 5b, k = 2 to 10; its 2.724 for k = 9 should be 2.734."""
    printed = {
        0.05: [1.960, 2.241, 2.394, 2.498, 2.576, 2.638, 2.690, 2.724, 2.773],
        0.10: [1.645, 1.960, 2.128, 2.241, 2.326, 2.394, 2.450, 2.498, 2.539],
    }
    wrong = []
    for alpha, row in printed.items():
        for k, q in enumerate(row, 2):
            n = k * (k + 1) // 2  # data sets, so that the standard error is the root of 1/3
            found = critical_difference("bonferroni-dunn", alpha, k, n) * 3**0.5
            assert found == pytest.approx(stats.norm.isf(alpha / 2 / (k - 1)), rel=1e-12)
            if abs(found - q) > 6e-4:
                wrong.append((k, q, round(float(found), 3)))
    assert wrong == [(9, 2.724, 2.734)]


# ---- other packages, and all swaps one by one ---------------------------------------------------


@pytest.mark.parametrize("peer", PEERS, ids=lambda own: f"{len(own['table'])} data sets")
def test_beside_scipy_statsmodels_and_scikit_posthocs(peer):
    """Frozen numbers of reference/datasets_peers.py, ties included."""
    found = of(peer["table"])
    for test in ("ranks", "conover", "quade", "t", "nemenyi", "ranks-holm"):
        expected = pytest.approx(peer[test], rel=1e-9, abs=1e-12 if test == "nemenyi" else None)
        assert of_pairs(found, test) == expected, test
    for test, rel in (("friedman-ties", 1e-10), ("anova", 1e-9)):
        own = overall(found).get(test) if len(found.names) > 2 else None
        if own is not None:
            assert (own.statistic, own.pvalue) == pytest.approx(peer[test], rel=rel)


def test_ties_in_ranges_that_doubles_break():
    """0.3 - 0.1 is 0.6 - 0.4 in tenths; scikit-posthocs ranks the doubles, and finds another p."""
    peer = ALL["quade"]
    tenths = [[own / 10 for own in row] for row in peer["table"]]
    ranges = [len({max(row) - min(row) for row in rows}) for rows in (tenths, peer["table"])]
    assert ranges[0] > ranges[1]
    assert of_pairs(of(tenths), "quade") == pytest.approx(peer["whole"], rel=1e-10)
    assert max(abs(np.subtract(peer["whole"], peer["tenths"]))) > 0.001


def errors(rows):
    """Standard error of a mean by all systems' variance, its degrees of freedom, and the means."""
    x = np.array(rows, dtype=float)
    n, k = x.shape
    rest = x - x.mean(axis=0) - x.mean(axis=1, keepdims=True) + x.mean()
    df = (n - 1) * (k - 1)
    return np.sqrt((rest**2).sum() / df / n), df, x.mean(axis=0)


def test_tukey_is_scipys_range_of_the_pooled_variance():
    rows = PEERS[2]["table"]
    error, df, means = errors(rows)
    expected = [
        stats.studentized_range.sf(abs(one - other) / error, len(means), df)
        for one, other in itertools.combinations(means, 2)
    ]
    assert of_pairs(of(rows), "tukey") == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_of_many_as_of_two():
    """Pairs are tested all at once where that can be done, by the tests of two systems."""
    rng, told = np.random.default_rng(4), []
    table = {str(j): rng.integers(0, 8, 12).tolist() for j in range(4)}
    found = csig.compare_datasets(
        table, zero_method="pratt", progress=lambda *done: told.append(done)
    )
    assert told[-1][0] == told[-1][1]
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    for pair in found.pairs:
        names = pair.system, pair.other
        alone = csig.compare_datasets({own: table[own] for own in names}, zero_method="pratt")
        for test in ("wilcoxon", "sign", "t", "randomization"):
            assert pair.pvalues[test] == pytest.approx(overall(alone)[test].pvalue, rel=1e-12)
        assert alone.pairs[0].difference in (pair.difference, -pair.difference)


def all_swaps(d):
    """The share of all signs whose sum is as far from zero as that of these differences."""
    sums = [
        sum(s * own for s, own in zip(signs, d, strict=True))
        for signs in itertools.product((1, -1), repeat=len(d))
    ]
    return Fraction(sum(abs(own) >= abs(sum(d)) for own in sums), len(sums))


def test_swaps_of_units_within_data_sets_and_of_data_sets_one_by_one():
    """The mean over data sets of the differences of their means, over all swaps of units."""
    a = {"x": [1, 0, 1, 1], "y": [1, 1], "z": [1, 0, 1]}
    b = {"x": [0, 0, 0, 1], "y": [0, 1], "z": [0, 1, 0]}
    d = [Fraction(p - q, len(a[key])) for key in a for p, q in zip(a[key], b[key], strict=True)]
    labels = [key for key, own in a.items() for _ in own]
    table = {"a": [*itertools.chain(*a.values())], "b": [*itertools.chain(*b.values())]}
    own = overall(csig.compare_datasets(table, datasets=labels, pairs="within"))["within"]
    assert (own.pvalue, own.note) == (float(all_swaps(d)), "exact")
    assert own.statistic == pytest.approx(float(sum(d)) / 3)
    means = [0.3, 0.5, 0.9, 0.4, 0.7], [0.1, 0.4, 0.2, 0.5, 0.5]
    d = [Fraction(str(p)) - Fraction(str(q)) for p, q in zip(*means, strict=True)]
    found = csig.compare_datasets(dict(zip("ab", means, strict=True)), pairs="randomization")
    assert found.pairs[0].pvalue == float(all_swaps(d))


# ---- what a result has --------------------------------------------------------------------------


def test_forms_of_one_test_agree():
    found, n, k = overall(of(PEERS[1]["table"])), 9, 4
    for chi2, f in (
        ("friedman", "iman-davenport"),
        ("friedman-ties", "iman-davenport-ties"),
        ("quade-chi2", "quade"),
    ):
        x = found[chi2].statistic
        assert found[f].statistic == pytest.approx((n - 1) * x / (n * (k - 1) - x))
        assert found[f].degrees_of_freedom == (k - 1, (k - 1) * (n - 1))


@pytest.mark.parametrize(
    ("rows", "test", "p"),
    [
        ([[1, 2, 3], [2, 3, 5], [1, 4, 6]], "iman-davenport", 1 / 36),
        # Two systems tied below the third: three orders of a data set, so p is 1/3^2.
        ([[1, 1, 3], [2, 2, 5], [1, 1, 6]], "iman-davenport-ties", 1 / 9),
    ],
)
def test_data_sets_that_all_agree(rows, test, p):
    own = overall(of(rows))
    assert (own[test].statistic, own[test].pvalue) == (np.inf, pytest.approx(p))
    assert "alike" in own[test].note
    assert np.isfinite(own["iman-davenport"].statistic) is np.bool_(test != "iman-davenport")


def test_a_test_that_says_nothing_is_left_out_or_refused():
    rows = [[1, 2, 5], [2, 3, 9], [3, 4, 3]]  # the first two always differ by one
    found = of(rows)
    assert not any("t" in pair.pvalues for pair in found.pairs)
    error, df, means = errors(rows)
    t = abs(means[0] - means[1]) / (error * 2**0.5)
    assert of_pairs(found, "anova")[0] == pytest.approx(2 * stats.t.sf(t, df), rel=1e-12)
    with pytest.raises(InputError, match="1 and 0: all 3 data sets have the same difference"):
        of(rows, pairs="t")
    steps = [[1, 2, 3], [2, 3, 4]]
    assert not any("anova" in pair.pvalues for pair in of(steps).pairs)
    assert "anova" not in overall(of(steps))
    (pair,) = of([[1, 1], [2, 2]]).pairs
    assert pair.pvalues["anova"] == pair.pvalues["t"] == 1
    with pytest.raises(InputError, match="systems differ by the same on every data set"):
        of(steps, pairs="anova")


def test_two_systems_are_not_corrected():
    (pair,) = of(PEERS[4]["table"]).pairs
    for name, test in (("nemenyi", "ranks"), ("tukey", "anova"), ("ranks-holm", "ranks")):
        assert pair.adjusted_by[name] == pytest.approx(pair.pvalues[test], rel=1e-10)


def test_what_a_result_has():
    found = csig.compare_datasets(TABLE, datasets=[f"set {i}" for i in range(15)])
    assert found.datasets[14] == "set 14"
    assert (found.ranks.sum(axis=1) == 10).all()
    assert found.means == tuple(np.mean(TABLE[name]) for name in "abcd")
    assert found.order[0] == 3
    assert [own.name for own in found.systems] == [found.names[i] for i in found.order]
    assert (found.sizes, found.seed, found.n_resamples, found.baseline) == (None,) * 4
    assert (found.wins + found.wins.T + found.ties == 15).all()
    first = found.systems[0]
    assert (first.name, first.better_than, first.worse_than) == ("d", 3, 0)
    assert first.wins + first.ties + first.losses == 45
    assert (found.systems[1].worse_than, found.systems[1].better_than) == (1, 0)
    assert found.groups()[0] == tuple(own.name for own in found.systems[1:])
    for pair in found.pairs:
        j, k = (found.names.index(own) for own in (pair.system, pair.other))
        apart = found.average_ranks[j] - found.average_ranks[k]
        assert pair.rank_difference == pytest.approx(apart)
        assert pair.rank_difference <= 0
        assert (pair.wins, pair.ties) == (found.wins[j, k], found.ties[j, k])
        c = csig.Comparison.from_scores(TABLE[pair.system], TABLE[pair.other])
        assert pair.pvalue == csig.classical.wilcoxon_test(c, zero_method="zsplit").pvalue
        assert pair.adjusted_pvalue == pair.adjusted_by["wilcoxon"]
        assert pair.better == (pair.system if pair.adjusted_pvalue <= 0.05 else None)
    assert repr(found).startswith("<DatasetsResult 4 systems, 15 data sets: best rank 1, d; 3 of 6")
    assert pickle.loads(pickle.dumps(found)).pairs == found.pairs
    with pytest.raises(InputError, match=r"by must be one of .* found 'dunnett'"):
        found.groups("dunnett")
    with pytest.raises(InputError, match="procedure must be one of 'nemenyi', 'bonferroni-dunn'"):
        found.critical_difference("tukey")


@pytest.mark.parametrize("test", ["sign", "t", "randomization", "ranks"])
def test_lower_is_better_turns_everything_around(test):
    up = csig.compare_datasets(TABLE, pairs=test)
    down = csig.compare_datasets(
        {name: [-own for own in row] for name, row in TABLE.items()}, pairs=test,
        lower_is_better=True,
    )  # fmt: skip
    assert (up.ranks == down.ranks).all()
    assert not down.greater_is_better
    for one, other in zip(up.pairs, down.pairs, strict=True):
        assert (one.system, one.better) == (other.system, other.better)
        assert one.difference == -other.difference
        assert one.pvalue == pytest.approx(other.pvalue, rel=1e-12)
    assert any(own.better == "d" for own in up.pairs)


@pytest.mark.parametrize("lower", [False, True])
def test_wins_are_better_scores_and_a_verdict_against_the_mean_is_said(lower):
    table = {"a": [1, 2, 3, 4, 5], "b": [0, 1, 2, 5, 5]}
    found = csig.compare_datasets(table, lower_is_better=lower)
    pair, signs = found.pairs[0], overall(found)["sign"]
    assert pair.system == ("b" if lower else "a")
    assert (pair.wins, pair.losses, signs.statistic) == (3, 1, 3)
    assert signs.note == "3 wins and 1 losses; with ties shared 3.5 and 1.5"
    # Eleven small wins of a, and one data set that outweighs them.
    sign = -1 if lower else 1
    table = {"a": [sign * own for own in [*range(1, 12), 0]], "b": [0] * 11 + [sign * 90]}
    for way, test in ((lower, "wilcoxon"), (lower, "sign"), (not lower, "wilcoxon")):
        found = csig.compare_datasets(table, lower_is_better=way, pairs=test)
        assert found.pairs[0].better == ("a" if way is lower else "b")
        assert any("1 significant pair has the worse mean" in own for own in found.doubts)
    even = {"a": table["a"][:11], "b": table["b"][:11]}
    assert csig.compare_datasets(even, lower_is_better=lower).doubts == ()


@pytest.mark.parametrize(
    ("test", "correction", "baseline"),
    [
        ("wilcoxon", "shaffer", None), ("t", "by", "a"), ("anova", "tukey", None),
        ("anova", "dunnett", "b"), ("ranks", "nemenyi", None), ("randomization", "holm", "a"),
    ],
)  # fmt: skip
def test_choices(test, correction, baseline):
    found = csig.compare_datasets(
        TABLE, pairs=test, correction=correction, baseline=baseline, alpha=0.01
    )
    assert len(found.pairs) == (6 if baseline is None else 3)
    for pair in found.pairs:
        own = pair.adjusted_by[
            correction if correction in ("tukey", "dunnett", "nemenyi") else test
        ]
        assert pair.adjusted_pvalue == own >= pair.pvalue
        assert (pair.better is not None) == (own <= 0.01)
        assert baseline in (None, pair.other)
    if baseline is not None:
        assert found.groups() in ((), (found.groups()[0],))
        assert "bonferroni-dunn" in found.pairs[0].adjusted_by
        limit = found.critical_difference()
        assert limit == found.critical_differences["bonferroni-dunn"]
        assert found.critical_difference("dunnett") < limit


def test_units_in_data_sets():
    rng = np.random.default_rng(7)
    labels = np.repeat([f"task {i}" for i in range(6)], [5, 9, 12, 4, 20, 10])
    a, b = (rng.random((2, 60)) < [[0.8], [0.5]]).astype(int)
    found = csig.compare_datasets({"a": a, "b": b}, datasets=labels, pairs="within")
    assert found.sizes == (5, 9, 12, 4, 20, 10)
    assert found.scores[0].tolist() == [a[:5].mean(), b[:5].mean()]
    assert "60 items in 6 data sets of 4 to 20 each" in found.doubts[0]
    pair = found.pairs[0]
    assert pair.pvalue == pair.pvalues["within"] == overall(found)["within"].pvalue
    assert pair.better == "a"
    assert pair.pvalues["within"] < pair.pvalues["randomization"]
    assert any("other units of these data sets" in own for own in found.advice)


def test_units_are_swapped_where_that_is_quick_or_asked_for():
    units = dict(zip("abc", np.random.default_rng(1).integers(0, 2, (3, 17_000)), strict=True))
    options = {"datasets": np.arange(17_000) % 9, "n_resamples": 99, "rng": 1}
    for systems, test, swapped in (("ab", "sign", True), ("abc", "sign", False),
                                   ("abc", "within", True)):  # fmt: skip
        found = csig.compare_datasets(units, systems=[*systems], pairs=test, **options)
        assert ("within" in found.pairs[0].pvalues) is swapped


def test_shuffles_have_a_seed_and_do_not_depend_on_threads(monkeypatch):
    three = dict(zip("abc", np.random.default_rng(8).random((3, 60)), strict=True))
    bounded = csig.compare_datasets(three, pairs="randomization", rng=5)
    assert bounded.n_resamples is bounded.seed is None
    assert not any("shuffles" in own for own in bounded.doubts)
    assert "randomization" in overall(csig.compare_datasets(three, systems=["a", "b"]))
    monkeypatch.setattr("csig.engines.certified.by_itself", lambda *_: None)  # as where none close
    options = {"pairs": "randomization", "n_resamples": 2**16, "rng": 5}
    one, two = (csig.compare_datasets(three, threads=n, **options) for n in (1, 2))
    assert [own.pvalue for own in one.pairs] == [own.pvalue for own in two.pairs]
    assert (one.n_resamples, one.seed.entropy) == (2**16, 5)
    assert "3 p-values of pairs are from shuffles" in one.doubts[-1]
    beside = csig.compare_datasets(three, **{**options, "pairs": "sign"})  # not the chosen one
    assert beside.doubts == ()
    two = overall(csig.compare_datasets(three, systems=["a", "b"], **options))
    assert two["randomization"].note == "65,536 shuffles"


def test_data_without_a_difference_and_a_constant_column_have_a_defined_answer():
    found = csig.compare_datasets({"a": [1, 2, 3], "b": [1, 2, 3], "c": [1, 2, 3]})
    assert all(own.pvalue == 1 for own in found.overall)
    assert all(value == 1 for pair in found.pairs for value in pair.adjusted_by.values())
    assert (found.groups(), found.average_ranks) == ((("a", "b", "c"),), (2, 2, 2))
    found = csig.compare_datasets({"a": [1, 1, 1, 1], "b": [1, 2, 3, 4], "c": [4, 1, 3, 2]})
    assert all(np.isfinite(own.pvalue) for own in found.overall)
    assert all(0 <= p <= 1 for pair in found.pairs for p in pair.adjusted_by.values())


def test_many_systems_of_few_data_sets():
    rng = np.random.default_rng(3)
    table = {f"s{i}": rng.integers(0, 9, 3) for i in range(1000)}
    with pytest.raises(InputError, match="1,000 systems have 499,500 pairs, more than 20,000; com"):
        csig.compare_datasets(table)
    found = csig.compare_datasets(table, baseline="s0")
    assert len(found.pairs) == 999 <= MOST_PAIRS
    assert found.pairs[0].adjusted_pvalue == 1.0
    assert "none of 999 pairs can be significant" in found.doubts[0]


@pytest.mark.parametrize("options", [{"threads": 0}, {"n_resamples": 2**50}])
def test_what_shuffles_would_take_is_checked_where_none_are_drawn(options):
    table = dict(zip("abc", np.random.default_rng(0).random((3, 40)), strict=True))
    with pytest.raises(InputError, match=f"{next(iter(options))} must be an integer from 1 to"):
        csig.compare_datasets(table, **options)


def test_integers_that_doubles_cannot_tell_apart():
    """Their ranks are those of the integers."""
    n = 2**55
    found = csig.compare_datasets({"a": [n, n, n], "b": [n + 1, n, n - 1]})
    assert found.ranks.tolist() == [[2, 1], [1.5, 1.5], [1, 2]]


@pytest.mark.parametrize("power", [-1050, 985])
def test_tiny_and_huge_scores_are_like_others(power):
    plain = {name: [score / 1024 for score in own] for name, own in TABLE.items()}
    scaled = {name: np.ldexp(own, power) for name, own in plain.items()}
    known, found = map(csig.compare_datasets, (plain, scaled))
    for one, other in zip(known.pairs, found.pairs, strict=True):
        assert other.pvalues == pytest.approx(one.pvalues)
        assert other.adjusted_by == pytest.approx(one.adjusted_by)
    for test, other_test in zip(known.overall, found.overall, strict=True):
        assert other_test.statistic == pytest.approx(test.statistic)
    found.summary(explain=True)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_data_frames(library):
    module = pytest.importorskip(library)
    frame = module.DataFrame({"task": [f"t{i}" for i in range(15)], **TABLE})
    found = csig.compare_datasets(frame)
    assert found.datasets[:2] == ("t0", "t1")
    assert found.pairs == csig.compare_datasets(TABLE).pairs
    assert len(found.systems.to_frame(library)) == 4
    if library == "pandas":
        assert csig.compare_datasets(frame.set_index("task")).datasets == found.datasets
        labels = ["p", "q", "r"] * 5
        units = csig.compare_datasets(frame[list(TABLE)], datasets=labels)
        assert units.sizes == (5, 5, 5)


# ---- what is said of it -------------------------------------------------------------------------


def test_what_else_there_is_to_doubt():
    found = csig.compare_datasets({"a": [1] * 9, "b": [1] * 9})
    assert found.doubts == ("All systems have the same scores: nothing can differ.",)
    for n, k, said in ((10, 6, 1), (11, 6, 0), (11, 5, 1), (30, 3, 1), (31, 3, 0), (900, 5, 0)):
        assert any("rough approximation" in own for own in overall_doubts(k, n)) == said


# ---- what is given ------------------------------------------------------------------------------


def test_advice_names_its_sources():
    two, many, units = (
        " ".join(advice_on(*own)) for own in ((2, 10, False), (6, 10, False), (6, 10, True))
    )
    assert "Demsar 2006" in two
    assert "Demsar 2006" in units
    assert "symmetric around zero" in two
    assert "Nemenyi" not in two
    assert all(words in many for words in ("Benavoli", "Nemenyi", "Conover", "too small"))
    assert "other units of these data sets" in units


def numbers(found):
    return found.datasets, [(own.system, own.other, own.pvalues) for own in found.pairs]


def test_systems_one_by_one_and_ids_beside_scores():
    def found(*inputs, **options):
        return numbers(csig.compare_datasets(*inputs, rng=1, **options))

    assert found(*TABLE.values(), systems=[*TABLE]) == found(TABLE)
    assert csig.compare_datasets(*TABLE.values()).names == ("A", "B", "C", "D")
    assert csig.compare_datasets(TABLE, systems=["d", "a"]).names == ("d", "a")
    sets, ids = [f"set {i}" for i in range(15)], [f"q{i}" for i in range(15)]
    assert found(TABLE, id=sets) == found(TABLE, datasets=sets)
    of = {own: f"set {i % 5}" for i, own in enumerate(ids)}
    by_id = {name: dict(zip(ids, own, strict=True)) for name, own in TABLE.items()}
    units = found(TABLE, datasets=[*of.values()])
    assert found(by_id, datasets=of) == found(TABLE, id=ids, datasets=of) == units


def test_labels_beside_their_gold():
    rng = np.random.default_rng(5)
    labels = {name: rng.choice(list("xyz"), 60) for name in "abc"}
    gold, sets = rng.choice(list("xyz"), 60), [f"set {i // 6}" for i in range(60)]
    right = {name: (own == gold).astype(int).tolist() for name, own in labels.items()}
    labels = {name: own.tolist() for name, own in labels.items()}
    options = {"datasets": sets, "pairs": "within", "rng": 1}
    found = csig.compare_datasets(labels, gold=gold.tolist(), **options)
    assert numbers(found) == numbers(csig.compare_datasets(right, **options))
    assert found.sizes == (6,) * 10


def test_a_column_of_numbers_is_no_system_in_files_and_frames_alike(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"task": list("xyz"), "year": [1.0, 2.0, 4.0], "a": [0.5, 0.25, 0.75],
                              "b": [0.125, 0.5, 0.25]})  # fmt: skip
    file = tmp_path / "t.csv"
    frame.to_csv(file, index=False)
    said = []
    for given in (frame, file):
        with pytest.raises(InputError, match="column 'year' is called like a ") as caught:
            csig.compare_datasets(given)
        said.append(str(caught.value).partition(": ")[2])
        assert csig.compare_datasets(given, ignore="year").names == ("a", "b")
    assert said[0] == said[1]
    assert "ignore='year'" in said[0]


AB = {"a": [0.1, 0.2], "b": [0.75, 0.5]}


class Frame:
    """The least that a data frame is."""

    def __init__(self, index, columns):
        self.own, self.columns = columns, list(columns)
        if index:
            self.index = types.SimpleNamespace(names=index)

    def __getitem__(self, name):
        return self.own[name]


@pytest.mark.parametrize(
    ("columns", "options", "index", "names"),
    [
        ({}, {}, (), ("1", "2")),
        ({"task": ["x", "y"]}, {}, (), ("x", "y")),
        ({"name": ["x", "y"]}, {"id": "name"}, (), ("x", "y")),
        ({"name": ["x", "y"]}, {}, ("name",), ("x", "y")),
        ({"": ["x", "y"]}, {}, (None,), ("x", "y")),
        ({}, {"datasets": ["p", "q"]}, (), ("p", "q")),
        ({"year": [2001, 2002]}, {"id": "year"}, (), ("2001", "2002")),
        ({"year": [2001, 2002]}, {}, ("year",), ("2001", "2002")),
        ({"id": [7, 8]}, {}, (), ("7", "8")),
    ],
)
def test_what_names_the_data_sets_of_a_frame(columns, options, index, names):
    found = csig.compare_datasets(Frame(index, {**columns, **AB}), **options)
    assert (found.datasets, found.names) == (names, ("a", "b"))
    assert found.scores.T.tolist() == [*AB.values()]


@pytest.mark.parametrize(("options", "message"), [
    ({"systems": ["a", "c"]}, "no column 'c'"),
    ({"datasets": "dataset"}, "^datasets='dataset': every row has a data set of its .* id="),
    ({"metric": "f1"}, "^metric='f1': "),
    ({"pairs": "within"}, "^pairs='within' swaps units .* and with datasets= the data set"),
    ({"datasets": ["x", "y"]}, "^datasets: found list, expected the name of a column"),
])  # fmt: skip
def test_files_are_refused_in_words_of_python(options, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("dataset,a,b\nx,0.5,0.25\ny,0.25,0.75\n")
    with pytest.raises(InputError, match=message) as caught:
        csig.compare_datasets("t.csv", **options)
    assert "--" not in str(caught.value)


@pytest.mark.parametrize(
    ("n", "zero_method"), [(6, "wilcox"), (70, "pratt"), (70, "zsplit"), (300, "wilcox")]
)
def test_pairs_of_real_scores_are_tested_as_each_alone(n, zero_method):
    """With scores that agree but for their rounding, and with differences that do."""
    rng = np.random.default_rng(n)
    scores = dict(zip("abcd", rng.normal(0.7, 0.1, (4, n)), strict=True))
    scores["b"][: n // 2] = scores["a"][: n // 2] + 0.1 - 0.1
    scores["c"][::3] = scores["a"][::3] + 0.1
    found = csig.compare_datasets(
        {name: own.tolist() for name, own in scores.items()}, zero_method=zero_method
    )
    for pair in found.pairs:
        own = csig.Comparison.from_scores(scores[pair.system], scores[pair.other])
        rank = csig.classical.wilcoxon_test(own, zero_method=zero_method)
        expected = [rank, csig.classical.sign_test(own), csig.classical.paired_t_test(own)]
        for name, test in zip(("wilcoxon", "sign", "t"), expected, strict=True):
            assert pair.pvalues[name] == pytest.approx(test.pvalue, rel=1e-11)
    equal = {**{name: own.tolist() for name, own in scores.items()}}
    equal["d"] = (scores["a"] + 0.25).tolist()  # the same difference on all data sets: no t
    assert "t" not in csig.compare_datasets(equal).pairs[0].pvalues
