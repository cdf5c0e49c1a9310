"""Tests of pairs over data sets beside all swaps one by one, and other packages."""

import itertools
import json
from fractions import Fraction

import numpy as np
import pytest
from places import REFERENCE
from scipy import stats

from csig import InputError
from csig.data.several import dataset_table
from csig.datasets.pairs import (
    Shuffles,
    adjusted_by,
    advice_on,
    check_correction,
    critical_difference,
    doubts,
    overall_doubts,
    overall_tests,
    pair_table,
    pair_test,
)
from csig.probability.tables import midranks

ALL = json.loads((REFERENCE / "datasets_peers.json").read_text(encoding="utf-8"))
PEERS = ALL["tables"]


def of(rows, chosen="wilcoxon", **options):
    table = dataset_table({str(j): list(own) for j, own in enumerate(zip(*rows, strict=True))})
    places = list(itertools.combinations(range(len(table.names)), 2))
    return pair_table(
        table, midranks(-table.scores), places, chosen, sign=1, zero_method="zsplit",
        shuffles=Shuffles(), **options,
    )  # fmt: skip


@pytest.mark.parametrize("peer", PEERS, ids=lambda own: f"{len(own['table'])} data sets")
def test_beside_scipy_and_scikit_posthocs(peer):
    """Frozen numbers of reference/datasets_peers.py, ties included."""
    found = of(peer["table"])
    for test in ("ranks", "conover", "quade", "t"):
        assert found.pvalues[test].tolist() == pytest.approx(peer[test], rel=1e-9), test


def test_ties_in_ranges_that_doubles_break():
    """0.3 - 0.1 is 0.6 - 0.4 in tenths; scikit-posthocs ranks the doubles, and finds another p."""
    peer = ALL["quade"]
    tenths = [[own / 10 for own in row] for row in peer["table"]]
    assert len({max(row) - min(row) for row in tenths}) > len(
        {max(row) - min(row) for row in peer["table"]}
    )
    assert of(tenths).pvalues["quade"].tolist() == pytest.approx(peer["whole"], rel=1e-10)
    assert max(abs(np.subtract(peer["whole"], peer["tenths"]))) > 0.001


def test_in_bulk_as_one_by_one():
    rng = np.random.default_rng(4)
    table = dataset_table({str(j): rng.integers(0, 8, 12).tolist() for j in range(4)})
    places = list(itertools.combinations(range(4), 2))
    found = pair_table(
        table, midranks(-table.scores), places, "wilcoxon", sign=1, zero_method="pratt",
        shuffles=Shuffles(),
    )  # fmt: skip
    for test in ("wilcoxon", "sign", "t", "randomization"):
        for i, (j, k) in enumerate(places):
            own = pair_test(test, table, j, k, zero_method="pratt", shuffles=Shuffles())
            assert found.pvalues[test][i] == pytest.approx(own.pvalue, rel=1e-12)
            assert found.logs[test][i] == pytest.approx(own.log_pvalue, abs=1e-11)
            assert np.sign(found.ahead[test][i]) == np.sign(own.ahead)


def test_swaps_of_units_within_data_sets_one_by_one():
    """The mean over data sets of the differences of their means, over all swaps of units."""
    a = {"x": [1, 0, 1, 1], "y": [1, 1], "z": [1, 0, 1]}
    b = {"x": [0, 0, 0, 1], "y": [0, 1], "z": [0, 1, 0]}
    d = [(Fraction(p - q, len(a[key]))) for key in a for p, q in zip(a[key], b[key], strict=True)]
    sums = [
        sum(s * own for s, own in zip(signs, d, strict=True))
        for signs in itertools.product((1, -1), repeat=len(d))
    ]
    expected = Fraction(sum(abs(own) >= abs(sum(d)) for own in sums), len(sums))
    table = dataset_table({"a": a, "b": b})
    found = pair_test("within", table, 0, 1, zero_method="zsplit", shuffles=Shuffles())
    assert found.pvalue == float(expected)
    assert found.statistic == pytest.approx(float(sum(d)) / 3)
    assert found.said == "exact"


def test_swaps_of_data_sets_one_by_one():
    a, b = [0.3, 0.5, 0.9, 0.4, 0.7], [0.1, 0.4, 0.2, 0.5, 0.5]
    d = [Fraction(str(p)) - Fraction(str(q)) for p, q in zip(a, b, strict=True)]
    sums = [
        sum(s * own for s, own in zip(signs, d, strict=True))
        for signs in itertools.product((1, -1), repeat=5)
    ]
    expected = Fraction(sum(abs(own) >= abs(sum(d)) for own in sums), 32)
    table = dataset_table({"a": a, "b": b})
    found = pair_test("randomization", table, 0, 1, zero_method="zsplit", shuffles=Shuffles())
    assert found.pvalue == float(expected)


def test_shuffles_are_counted():
    rng = np.random.default_rng(5)
    shuffles = Shuffles({"n_resamples": 999, "rng": 1})
    table = dataset_table({"a": rng.random(70), "b": rng.random(70)})
    found = pair_test("randomization", table, 0, 1, zero_method="zsplit", shuffles=shuffles)
    assert (found.said, shuffles.used) == ("certified", 0)
    drawn = Shuffles({"n_resamples": 999, "rng": 1, "method": "approximate"})
    found = pair_test("randomization", table, 0, 1, zero_method="zsplit", shuffles=drawn)
    assert (found.said, drawn.used) == ("999 shuffles", 1)


def test_a_test_that_says_nothing_is_left_out_or_refused():
    rows = [[1, 2, 5], [2, 3, 9], [3, 4, 3]]  # the first two always differ by one
    found = of(rows)
    assert "t" not in found.pvalues
    assert found.pvalues["anova"][0] == pytest.approx(
        2 * stats.t.sf(found.ahead["anova"][0] * -1, 4), rel=1e-12
    )
    with pytest.raises(InputError, match="0 and 1: all 3 data sets have the same difference"):
        of(rows, "t")
    steps = [[1, 2, 3], [2, 3, 4]]
    assert "anova" not in of(steps).pvalues
    with pytest.raises(InputError, match="systems differ by the same on every data set"):
        of(steps, "anova")


def test_progress_ends_at_the_end():
    seen = []
    of(PEERS[0]["table"], notify=lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1]
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


GARCIA = json.loads((REFERENCE / "garcia_herrera_2008.json").read_text(encoding="utf-8"))


def overall_by_name(rows, sign=-1):
    columns = {str(j): list(own) for j, own in enumerate(zip(*rows, strict=True))}
    table = dataset_table(columns)
    return {own.name: own for own in overall_tests(table, midranks(sign * table.scores))}


@pytest.mark.parametrize("peer", PEERS, ids=lambda own: f"{len(own['table'])} data sets")
def test_beside_scipy_and_statsmodels(peer):
    found = overall_by_name(peer["table"])
    if "friedman-ties" in peer:
        own = found["friedman-ties"]
        assert (own.statistic, own.pvalue) == pytest.approx(peer["friedman-ties"], rel=1e-10)
    own = found["anova"]
    assert (own.statistic, own.pvalue) == pytest.approx(peer["anova"], rel=1e-9)


@pytest.mark.parametrize("sign", [1, -1])
def test_garcia_and_herrera(sign):
    """The direction of the ranks makes no difference to any of these."""
    found = overall_by_name(GARCIA["accuracies"], sign)
    assert found["friedman"].statistic == pytest.approx(GARCIA["friedman"], abs=5e-4)
    assert found["iman-davenport"].statistic == pytest.approx(GARCIA["iman_davenport"], abs=5e-4)
    assert found["iman-davenport"].degrees_of_freedom == (4, 116)


def test_quade_where_scmamp_forgets_the_ties():
    """It takes for A what it would be without ties, and finds 10.802."""
    table = np.array(GARCIA["accuracies"])
    n, k = table.shape
    found = overall_by_name(GARCIA["accuracies"])["quade"]
    own = found.statistic
    share = own / (own + n - 1)  # B / A
    ranks = midranks(-table) - (k + 1) / 2
    weights = midranks(np.rint(1000 * np.ptp(table, axis=1))[None, :])[0]
    squares = ((weights[:, None] * ranks) ** 2).sum()
    without = n * (n + 1) * (2 * n + 1) * k * (k + 1) * (k - 1) / 72
    assert squares < without
    b = share * squares
    assert (n - 1) * b / (without - b) == pytest.approx(GARCIA["quade_without_ties"], abs=5e-4)


def test_forms_of_one_test_agree():
    found = overall_by_name(PEERS[1]["table"])
    n, k = 9, 4
    for chi2, f in (
        ("friedman", "iman-davenport"),
        ("friedman-ties", "iman-davenport-ties"),
        ("quade-chi2", "quade"),
    ):
        x = found[chi2].statistic
        assert found[f].statistic == pytest.approx((n - 1) * x / (n * (k - 1) - x))
        assert found[f].degrees_of_freedom == (k - 1, (k - 1) * (n - 1))


def test_data_sets_that_all_agree():
    found = overall_by_name([[1, 2, 3], [2, 3, 5], [1, 4, 6]])
    assert found["iman-davenport"].statistic == np.inf
    assert found["iman-davenport"].pvalue == pytest.approx(1 / 36)
    assert "alike" in found["iman-davenport"].note


def test_data_sets_that_all_agree_with_ties():
    """Two systems tied below the third: three orders of a data set, so p is 1/3^2."""
    found = overall_by_name([[1, 1, 3], [2, 2, 5], [1, 1, 6]])
    assert found["iman-davenport-ties"].statistic == np.inf
    assert found["iman-davenport-ties"].pvalue == pytest.approx(1 / 9)
    assert np.isfinite(found["iman-davenport"].statistic)


def test_constant_steps_have_no_analysis_of_variance():
    assert "anova" not in overall_by_name([[1, 2, 3], [2, 3, 4]])
    assert overall_by_name([[1, 1], [2, 2]])["anova"].pvalue == 1.0


def corrected(rows, correction="holm", base=None):
    table = dataset_table({str(j): list(own) for j, own in enumerate(zip(*rows, strict=True))})
    n, k = len(table.datasets), len(table.names)
    places = list(itertools.combinations(range(k), 2))
    if base is not None:
        places = [(j, base) for j in range(k) if j != base]
    pairs = pair_table(
        table, midranks(-table.scores), places, "wilcoxon", sign=1, zero_method="zsplit",
        shuffles=Shuffles(),
    )  # fmt: skip
    return pairs, adjusted_by(pairs, correction, k, n, all_pairs=base is None)


@pytest.mark.parametrize("peer", PEERS, ids=lambda own: f"{len(own['table'])} data sets")
def test_beside_scikit_posthocs(peer):
    found = corrected(peer["table"])[1]
    assert found["nemenyi"].tolist() == pytest.approx(peer["nemenyi"], rel=1e-9, abs=1e-12)
    assert found["ranks-holm"].tolist() == pytest.approx(peer["ranks-holm"], rel=1e-9)


def test_tukey_is_scipys_range_of_the_pooled_variance():
    rows = np.array(PEERS[2]["table"], dtype=float)
    n, k = rows.shape
    rest = rows - rows.mean(axis=0) - rows.mean(axis=1, keepdims=True) + rows.mean()
    df = (n - 1) * (k - 1)
    error = np.sqrt((rest**2).sum() / df / n)
    means = rows.mean(axis=0)
    expected = [
        stats.studentized_range.sf(abs(means[j] - means[i]) / error, k, df)
        for i, j in itertools.combinations(range(k), 2)
    ]
    assert corrected(rows.tolist())[1]["tukey"].tolist() == pytest.approx(
        expected, rel=1e-9, abs=1e-12
    )


def test_beside_a_baseline():
    rows = PEERS[2]["table"]
    pairs, found = corrected(rows, base=0)
    raw = pairs.pvalues["ranks"]
    assert found["bonferroni-dunn"].tolist() == np.minimum(1, 4 * raw).tolist()
    # Dunnett lies between the t test of each pair and Bonferroni's bound.
    t = pairs.pvalues["anova"]
    assert (t <= found["dunnett"]).all()
    assert (found["dunnett"] <= 4 * t).all()
    assert not {"nemenyi", "tukey", "ranks-shaffer"} & set(found)


def test_two_systems_are_not_corrected():
    pairs, found = corrected(PEERS[4]["table"])
    for name, test in (("nemenyi", "ranks"), ("tukey", "anova"), ("ranks-holm", "ranks")):
        assert found[name].tolist() == pytest.approx(pairs.pvalues[test].tolist(), rel=1e-10)


def test_critical_differences():
    """Demsar (2006): 1.25 and 1.12 for 4 classifiers on 14 data sets; 1.16 for Bonferroni-Dunn."""
    assert round(critical_difference("nemenyi", 0.05, 4, 14), 2) == 1.25
    assert round(critical_difference("nemenyi", 0.10, 4, 14), 2) == 1.12
    dunn = critical_difference("bonferroni-dunn", 0.05, 4, 14)
    assert dunn == pytest.approx(2.394 * np.sqrt(20 / 84), abs=5e-4)  # table 5b
    assert critical_difference("dunnett", 0.05, 4, 14) < dunn


def test_bonferroni_dunn_by_the_table_of_demsar():
    """Table 5b of Demsar (2006), k = 2 to 10; its 2.724 for k = 9 should be 2.734."""
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


@pytest.mark.parametrize(
    ("correction", "test", "systems", "baseline", "message"),
    [
        ("nemenyi", "wilcoxon", 3, None, "goes with pairs tested by 'ranks', found 'wilcoxon'"),
        ("nemenyi", "ranks", 3, "a", "'nemenyi' is for all pairs; 'holm' compares with a baseline"),
        ("tukey", "anova", 3, "a", "'tukey' is for all pairs; 'dunnett' compares with a baseline"),
        (
            "dunnett",
            "anova",
            3,
            None,
            "is for comparisons with a baseline; give one, or",
        ),
        ("shaffer", "ranks", 3, "a", "beside a baseline any set of systems may be equal to it"),
        ("bergmann-hommel", "ranks", 12, None, "at most 9 systems, found 12"),
    ],
)
def test_corrections_that_do_not_go_together(correction, test, systems, baseline, message):
    with pytest.raises(InputError, match=message):
        check_correction(correction, test, systems, baseline)


def doubts_with(
    n, k, test="wilcoxon", correction="holm", *, pairs=None, alpha=0.05, shuffled=0, units=False
):
    rows = {str(j): [(i * (j + 2)) % 7 for i in range(n)] for j in range(k)}
    if units:
        rows = {name: {i: [own, own] for i, own in enumerate(row)} for name, row in rows.items()}
    return doubts(
        dataset_table(rows), test, correction, alpha,
        n_pairs=k * (k - 1) // 2 if pairs is None else pairs, n_shuffled=shuffled,
    )  # fmt: skip


def test_nothing_to_say():
    assert doubts_with(20, 6) == ()
    assert doubts_with(20, 2) == ()


@pytest.mark.parametrize(
    ("n", "k", "said"),
    [(10, 6, True), (11, 6, False), (11, 5, True), (30, 3, True), (31, 3, False), (900, 5, False)],
)
def test_friedman_is_rough_with_few(n, k, said):
    assert any("rough approximation" in own for own in overall_doubts(k, n)) is said


def test_too_few_data_sets_for_any_verdict():
    """2^(1 - n) m > alpha: with 7 data sets 1/64 times 3; 8 suffice for two pairs, not for six."""
    assert (
        "none of 3 pairs can be significant at 0.05 after the correction holm"
        in doubts_with(6, 3)[0]
    )
    assert "below 0.0625: it is above 0.05, whatever the scores" in doubts_with(5, 2)[0]
    assert not any("none of" in own for own in doubts_with(8, 2, pairs=2))
    assert any("none of" in own for own in doubts_with(7, 4, pairs=6))
    assert not any("none of" in own for own in doubts_with(7, 4, "t", pairs=6))
    assert not any("none of" in own for own in doubts_with(7, 4, correction="bh", pairs=6))


def test_what_the_choice_assumes():
    assert any("depends on which others" in own for own in doubts_with(20, 6, "ranks", "nemenyi"))
    assert any("takes from 'j equals k" in own for own in doubts_with(20, 6, correction="shaffer"))
    assert not any("takes from" in own for own in doubts_with(20, 6, "anova", "shaffer"))


def test_data_that_say_nothing_or_were_shuffled():
    table = dataset_table({"a": [1] * 9, "b": [1] * 9})
    found = doubts(table, "wilcoxon", "holm", 0.05, n_pairs=1, n_shuffled=0)
    assert found == ("All systems have the same scores: nothing can differ.",)
    assert doubts_with(20, 6, shuffled=2) == ()  # of tests beside the chosen one
    assert doubts_with(20, 6, "randomization", shuffled=2) == (
        "2 p-values of pairs are from shuffles, not exact.",
    )
    assert "40 items in 20 data sets of 2 each" in doubts_with(20, 6, units=True)[0]


def test_advice_names_its_sources():
    for own in (advice_on(2, 10, False), advice_on(6, 10, True)):
        assert any("Demsar 2006" in line for line in own)
    assert not any("Nemenyi" in own for own in advice_on(2, 10, False))
    assert any("Benavoli" in own and "Nemenyi" in own for own in advice_on(6, 10, False))
    assert any("other units of these data sets" in own for own in advice_on(6, 10, True))


def test_what_symmetry_is_for():
    assert any("symmetric around zero" in own for own in advice_on(2, 10, False))
    assert any("Conover" in own and "too small" in own for own in advice_on(3, 10, False))


def test_benjamini_and_yekutieli_need_more_data_sets():
    """6 pairs: 2^-5 (1 + 1/2 + ... + 1/6) is 0.077, and 2^-6 of it 0.038."""
    assert any("correction by" in own for own in doubts_with(6, 4, correction="by"))
    assert not any("none of" in own for own in doubts_with(7, 4, correction="by"))
    assert not any("none of" in own for own in doubts_with(6, 4, correction="bh"))
