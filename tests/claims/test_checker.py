"""Published claims: the paper's, changed digits, claims made from counts, and every verdict."""

import decimal
import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from claimed import COUNTS, by_check, counts, printed_scores, printed_test, verdict
from drawn import several
from hypothesis import given, settings
from hypothesis import strategies as st

import csig
from csig.base.errors import InputError
from csig.claims import read_claims
from csig.claims.attainable import CELLS, claimed_metric, completed, score
from csig.claims.checker import (
    check_claims,
    exact_text,
    few,
    known_of,
    p_text,
    share_text,
    stands_for,
)  # fmt: skip
from csig.claims.model import VERDICTS, Claims, PrintedChiSquare, printed_number, printed_pvalue

# ---- the paper -------------------------------------------------------------------------------


def test_the_paper_has_these_findings_and_no_others(report):
    assert repr(report) == "<ClaimsReport 15 confirmed, 3 contradicted, 2 inconsistent>"
    assert [(f.check, f.metric, f.verdict) for f in report.findings] == [
        ("counts", None, "confirmed"),
        *((("score", metric, "confirmed")) for metric in ("recall", "precision", "f1") * 2),
        ("hits and p", "recall", "confirmed"),
        ("exact hits", "recall", "confirmed"),
        ("hits and p", "f1", "confirmed"),
        ("exact hits", "f1", "contradicted"),
        ("hits and p", "precision", "confirmed"),
        ("exact hits", "precision", "contradicted"),
        ("exact p", "precision", "contradicted"),  # 3 %
        ("exact p", "precision", "confirmed"),  # less than 4 %
        ("one-sided and two-sided", "precision", "inconsistent"),  # 0.025
        ("one-sided and two-sided", "precision", "inconsistent"),  # 3 %
        ("correlation", "recall", "confirmed"),
        ("chi-square", "precision", "confirmed"),
        ("chi-square", "precision", "confirmed"),
    ]
    assert report.totals == {"confirmed": 15, "contradicted": 3, "inconsistent": 2}
    assert not report.passed


@pytest.mark.parametrize(("metric", "exact", "expected", "z"), [
    ("recall", 9.756279177963734e-05, 102.302, -0.6), ("f1", 0.014775685752788524, 15493.429, -5.7),
    ("precision", 0.019994289562099043, 20965.532, 33.5),
])  # fmt: skip
def test_hits_of_the_paper(report, metric, exact, expected, z):
    """REFERENCE, section 1."""
    (finding,) = by_check(report, "exact hits", metric=metric)
    assert finding.exact_pvalue == pytest.approx(exact, rel=1e-12)
    assert (round(finding.expected, 3), round(finding.z, 1)) == (expected, z)
    assert finding.trials == 2**20


def test_numbers_of_the_paper(report):
    first, second = by_check(report, "exact p")
    assert first.sentence.startswith("The exact p is 1.9994%, not 3 %.")
    assert second.sentence == "The exact p is 3.9989%, in agreement with less than 4 %."
    _, finding = by_check(report, "one-sided and two-sided")
    assert finding.claim.endswith("one-sided: p 3 %; two-sided: p less than 4 %")
    assert (finding.interval, finding.expected_interval) == ((0.025, 0.035), (0, 0.02))
    assert finding.sentence.endswith("The exact values are 1.9994% and 3.9989%.")
    assert round(by_check(report, "correlation")[0].expected, 6) == 0.345181
    statistic, pvalue = by_check(report, "chi-square")
    assert (round(statistic.expected, 7), round(pvalue.expected, 7)) == (2.3800768, 0.1228915)
    (finding,) = by_check(report, "counts")
    assert finding.candidates == (103,)
    assert finding.sentence == "Only 103 fits all printed scores; 104 cannot be right."
    recalls = [f for f in by_check(report, "score") if f.metric == "recall"]
    assert [f.sentence for f in recalls] == [
        "47 correct of 103 in the gold give 45.63%, which rounds to 45.6 %. With 104 in the "
        "gold, no whole number of correct responses gives 45.6 %: 47 give 45.19%, 48 give 46.15%.",
        "25 correct of 103 in the gold give 24.27%, which rounds to 24.3 %. With 104 in the "
        "gold, no whole number of correct responses gives 24.3 %: 25 give 24.04%, 26 give 25.00%.",
    ]
    assert [f.expected for f in recalls] == [47 / 103, 25 / 103]


@pytest.mark.parametrize(("which", "step"), [*enumerate((1, -1, 1, -1, 1, -1))])
def test_a_changed_digit_or_count_is_found(paper, which, step):
    """With these counts each score has one form with one decimal."""
    said = paper.scores[which]
    text = f"{Decimal(said.printed.text.removesuffix(' %')) + step * Decimal('0.1')} %"
    scores = list(paper.scores)
    scores[which] = replace(said, printed=printed_number(text))
    found = check_claims(replace(paper, scores=tuple(scores), counts=counts()))
    wrong = [f for f in by_check(found, "score") if f.verdict != "confirmed"]
    assert [(f.system, f.metric) for f in wrong] == [(said.system, said.metric.name)]
    assert wrong[0].verdict in {"contradicted", "impossible"}
    if which in (0, 5):
        ambiguous = check_claims(replace(paper, scores=tuple(scores)))
        assert by_check(ambiguous, "counts")[0].verdict == "impossible"
    cell = CELLS[which + 1]
    for name, value in ((cell, COUNTS[cell] + 1), ("gold", 104)):
        found = check_claims(replace(paper, counts=counts(**{name: value})))
        assert any(f.verdict in {"contradicted", "impossible"} for f in by_check(found, "score"))
    (finding,) = by_check(found, "exact hits", metric="recall")  # counts are used as printed
    assert finding.verdict == "confirmed"
    assert finding.sentence.endswith("though they do not fit all printed scores.)")


# ---- claims from counts ----------------------------------------------------------------------


def rounded(x: float | Fraction, decimals: int, percent: bool = True) -> str:
    with decimal.localcontext(prec=60):
        exact = Fraction(x) * (100 if percent else 1)
        number = Decimal(exact.numerator) / exact.denominator
        text = f"{number.quantize(Decimal(1).scaleb(-decimals), decimal.ROUND_HALF_UP):f}"
    return f"{text} %" if percent else text


CELL = st.integers(0, 12)


@settings(max_examples=several(10, 25))
@given(st.lists(CELL, min_size=6, max_size=6), st.integers(0, 9), st.integers(0, 2), st.data())
def test_claims_that_are_right_are_never_refused(cells, missed, decimals, data):
    gold = sum(cells[:3]) + missed
    true = dict(zip(CELLS, (max(gold, 1), *cells), strict=True))
    world = completed(true)
    assert isinstance(world, dict)
    names = ("recall", "precision", "f1", "f2", "jaccard")
    texts = {
        s: {name: rounded(score(claimed_metric(name), world, s), decimals) for name in names}
        for s in "ab"
    }
    comparison = csig.Comparison.from_counts(**true)
    metric = data.draw(st.sampled_from(names[:3]))
    tests = []
    for side in ("two-sided", "less", "greater"):
        p = csig.randomization_test(comparison, metric, alternative=side, method="exact").pvalue
        tests.append(printed_test(metric, side, pvalue=rounded(p, decimals + 1)))
        hits = round(p * 1000)  # what is expected
        tests.append(printed_test(metric, side, hits, 1000, rounded(hits / 1000, decimals + 2)))
    chi_squares = []
    if world["predicted_a"] and world["predicted_b"]:
        chi = csig.classical.chi_square_test(comparison)
        if math.isfinite(chi.statistic):
            printed = printed_number(rounded(chi.statistic, 2, percent=False))
            chi_squares.append(PrintedChiSquare(metric="precision", statistic=printed))
    r12 = csig.classical.correlation(comparison)
    known = data.draw(st.sets(st.sampled_from(CELLS)))
    candidates = {
        name: (n, *data.draw(st.lists(CELL, max_size=1)))
        for name, n in true.items()
        if name in known
    }
    if "gold" in candidates:
        candidates["gold"] = tuple(max(1, n) for n in candidates["gold"])
    candidates = {name: tuple(dict.fromkeys(several)) for name, several in candidates.items()}
    found = check_claims(
        Claims(
            counts=candidates, scores=printed_scores(texts), tests=tuple(tests),
            correlation=None if math.isnan(r12) else printed_number(rounded(r12, 2, percent=False)),
            chi_squares=tuple(chi_squares),
        )
    )  # fmt: skip
    wrong = {"contradicted", "inconsistent", "impossible"}
    assert not [f for f in found.findings if f.verdict in wrong]
    for finding in by_check(found, "counts"):
        assert true[finding.claim.partition(":")[0]] in finding.candidates


# ---- every verdict ---------------------------------------------------------------------------

TEXTS = {"recall": "45.6 %", "precision": "49.5 %", "f1": "47.5 %"}
GOLD = {"gold": (103,)}
ALL, LARGE = counts(), counts({"only_a_correct": 2000, "only_b_correct": 0})
SOME, NO_GOLD = counts({"only_a_correct": 28, "only_b_correct": 6}), counts(gold=None)
#: 28 and 6 give 102 hits, 20 and 14 many more.
EITHER = {"only_a_correct": (28, 20), "only_b_correct": (6,)}
N = 2**20


def hits_and_p(hits, text):
    return "hits and p", {}, (printed_test("recall", "greater", hits, N, text),)


def sides(one, two, hits=None, trials=None):
    tests = (
        printed_test("recall", "less", hits, trials, one),
        printed_test("recall", "two-sided", pvalue=two),
    )
    return "one-sided and two-sided", {}, tests


def exact_hits(known, metric, alternative, hits, trials=N):
    return "exact hits", known, (printed_test(metric, alternative, hits, trials),)


def exact_p(text, trials=None):
    return "exact p", ALL, (printed_test("precision", "less", trials=trials, pvalue=text),)


@pytest.mark.parametrize(("claim", "expected"), [
    (hits_and_p(96, "0.00009"), "confirmed"),
    (hits_and_p(96, "0.0000916"), "confirmed"),  # hits / shuffles
    (hits_and_p(96, "0.00009251"), "confirmed"),  # (hits + 1) / (shuffles + 1)
    (hits_and_p(96, "0.00010"), "inconsistent"),
    (hits_and_p(106, "0.00009"), "inconsistent"),
    (hits_and_p(96, "< 0.0001"), "confirmed"),
    (hits_and_p(96, "> 0.0001"), "inconsistent"),
    (hits_and_p(0, "0.000"), "confirmed"),
    (sides("0.02", "0.04"), "confirmed"),
    (sides("0.02", "0.05"), "confirmed"),  # 0.0245 and 0.049
    (sides("0.02", "0.06"), "inconsistent"),
    (sides("3 %", "less than 5 %"), "inconsistent"),  # 2.5 % is not less
    (sides("3 %", "at most 5 %"), "confirmed"),
    (sides("3 %", "5 % to 10 %"), "confirmed"),
    (sides("0.02", "0.02"), "inconsistent"),
    (sides("0.7", "0.6"), "unknown"),
    (sides(None, "0.060", 20, 1000), "confirmed"),  # by chance
    (sides(None, "0.060", 20_000, 10**6), "inconsistent"),
    (sides("0.020", "0.060", None, 1000), "confirmed"),
    (exact_hits(ALL, "precision", "less", 20966), "confirmed"),
    (exact_hits(ALL, "precision", "less", 20392), "doubtful"),
    (exact_hits(ALL, "precision", "less", 20000), "contradicted"),
    (exact_hits(SOME, "recall", "greater", 96), "confirmed"),  # these need no others
    (exact_hits(SOME, "accuracy", "greater", 96), "confirmed"),
    (exact_hits(SOME, "precision", "less", 9, 99), "unknown"),
    (exact_hits(SOME, "f1", "less", 9, 99), "unknown"),
    (exact_hits(NO_GOLD, "precision", "less", 25_770), "contradicted"),
    (exact_hits(EITHER, "recall", "greater", 96), "possible"),
    (exact_hits(EITHER, "recall", "greater", 5), "contradicted"),
    (exact_p("0.020"), "confirmed"),
    (exact_p("0.0200"), "confirmed"),
    (exact_p("0.025"), "contradicted"),
    (exact_p("< 0.05"), "confirmed"),
    (exact_p("> 0.05"), "contradicted"),
    (exact_p("0.025", 1000), "confirmed"),  # chance
    (exact_p("0.025", N), "contradicted"),
    (exact_p("0.0205", 40_000), "confirmed"),
    (exact_p("0.0240", 20_000), "doubtful"),
    (exact_p("0.0123", 7), "contradicted"),  # of 7 shuffles no share is that
])  # fmt: skip
def test_verdicts_on_tests(claim, expected):
    check, known, tests = claim
    assert verdict(Claims(counts=known, tests=tests), check) == expected


def finding_of(known, test, check="exact hits"):
    (finding,) = by_check(check_claims(Claims(counts=known, tests=(test,))), check)
    return finding


def test_numbers_at_the_limits():
    """2000 to 0: p is 2^-2000."""
    for hits, expected in ((0, "confirmed"), (1, "contradicted")):
        finding = finding_of(LARGE, printed_test("recall", "greater", hits, 10**6))
        assert finding.verdict == expected
        assert "The exact p is 10^-602.1," in finding.sentence
    test = printed_test("recall", "greater", pvalue="< 1e-600")
    assert finding_of(LARGE, test, "exact p").verdict == "confirmed"
    for n in (10**18, 10**18 - 1):
        finding = finding_of(ALL, printed_test("precision", "less", n // 50, n, "0.02"))
        assert (finding.verdict, finding.pvalue) == ("contradicted", 0)
        assert math.isfinite(finding.log_pvalue)
    claims = Claims(counts={"gold": (10**12,)}, scores=printed_scores({"a": TEXTS}))
    (finding,) = by_check(check_claims(claims), "scores together")
    assert (finding.verdict, finding.complete) == ("possible", False)
    assert "at least" in finding.sentence


def test_what_else_findings_of_tests_say():
    for text, formula in (("0.1", "hits / shuffles"), ("0.2", "(hits + 1) / (shuffles + 1)")):
        finding = finding_of({}, printed_test("recall", "greater", 1, 9, text), "hits and p")
        assert finding.sentence.endswith(f"{text} is {formula}.")
    totals = {"gold": 103, "correct_a": 47, "correct_b": 25, "both_correct": 19,
              "predicted_a": 95, "predicted_b": 39, "both_spurious": 5}  # fmt: skip
    finding = finding_of(counts(totals), printed_test("f1", "greater", 14_794, N))
    assert finding.exact_pvalue == pytest.approx(0.014775685752788524, rel=1e-12)
    said = finding_of(EITHER, printed_test("recall", "greater", 96, N)).sentence
    assert said.startswith("With only_a_correct 28: the exact p is ")
    assert said.endswith("Not all candidates for the counts give the same verdict.")
    tests = [printed_test(m, s, pvalue="0.1") for m, s in (("recall", "less"), ("f1", "two-sided"))]
    report = check_claims(Claims(tests=(*tests, tests[1])))  # other metrics are no pair
    assert by_check(report, "one-sided and two-sided") == []


@pytest.mark.parametrize(
    ("size", "metric"), [(10**9, "f1"), (2**31, "recall"), (10**17, "precision")]
)
def test_large_counts_are_refused_by_their_cost(size, metric):
    """Or by the size of a class of responses; nothing of that size may ever run."""
    large = {name: (4 if name == "gold" else 1) * size for name in CELLS}
    finding = finding_of(counts(large), printed_test(metric, "less", 5, 10, "0.5"))
    assert finding.verdict == "unknown"
    assert finding.sentence.startswith("The exact p-value of the test is not known: it ")


# ---- scores and counts -----------------------------------------------------------------------


@pytest.mark.parametrize(("known", "texts", "check", "expected"), [
    (GOLD, {"recall": "45.6 %"}, "score", "possible"),
    ({"gold": (104,)}, {"recall": "45.6 %"}, "score", "impossible"),
    ({}, {"recall": "45.6 %"}, "score", "unknown"), (GOLD, TEXTS, "scores together", "possible"),
    (GOLD, {**TEXTS, "f1": "47.9 %"}, "scores together", "inconsistent"),
    (GOLD, {**TEXTS, "precision": "49.51 %"}, "scores together", "impossible"),
    ({}, TEXTS, "scores together", "unknown"),
    (counts(gold=40), {"recall": "45.6 %"}, "counts", "inconsistent"),
])  # fmt: skip
def test_verdicts_on_scores(known, texts, check, expected):
    claims = Claims(counts=known, scores=printed_scores({"a": texts}))
    (finding,) = by_check(check_claims(claims), check)
    assert finding.verdict == expected
    if (known, texts) == (GOLD, TEXTS):
        assert (finding.n_solutions, finding.solutions) == (1, ((47, 95, 103),))
    if check == "counts":
        assert finding.sentence == (
            "The counts exclude each other: correct_a is 47, more than gold, 40."
        )


def test_chi_square_from_sums_alone_and_from_nothing():
    sums = {"correct_a": 47, "correct_b": 25, "predicted_a": 95, "predicted_b": 39, "gold": 103}
    squares = tuple(
        PrintedChiSquare(metric=metric, statistic=printed_number(text))
        for metric, text in (("precision", "2.38"), ("recall", "10.33"), ("recall", "10.43"))
    )
    found = check_claims(Claims(counts=counts(sums), chi_squares=squares)).findings
    assert [f.verdict for f in found] == ["confirmed", "confirmed", "contradicted"]
    z = csig.classical.proportions_test(csig.Comparison.from_counts(**COUNTS), "recall").statistic
    assert found[1].expected == pytest.approx(z**2)
    found = check_claims(Claims(counts=counts(sums, gold=None), chi_squares=squares)).findings
    assert [f.verdict for f in found] == ["confirmed", "unknown", "unknown"]
    without = Claims(correlation=printed_number("0.35"), chi_squares=squares[:1])
    assert [f.verdict for f in check_claims(without).findings] == ["unknown", "unknown"]


def test_candidates_that_no_count_fits_are_left_out():
    """45.6 % of n: which n up to 130 have a k with k / n rounded to it?"""

    def known(**counts):
        return known_of(Claims(counts=counts, scores=printed_scores({"a": {"recall": "45.6 %"}})))

    def golds(worlds):
        return [world["gold"] for world in worlds]

    candidates = tuple(range(100, 131))
    found = known(gold=candidates)
    possible = [n for n in candidates if any(911 * n <= 2000 * k <= 913 * n for k in range(n + 1))]
    assert 0 < len(possible) < len(candidates)
    assert (golds(found.worlds), golds(found.fitting)) == (list(candidates), possible)
    assert found.exact.worlds == found.fitting
    assert [s.count > 0 for s in found.solutions["a"]] == [n in possible for n in candidates]
    assert list(found.solutions["b"]) == []
    found = known(gold=(104, 106))  # where none fits all are considered
    assert (golds(found.fitting), golds(found.exact.worlds)) == ([], [104, 106])
    found = known(gold=(5,), both_correct=(6,))
    assert found.worlds == []
    assert "gold" in found.reason


# ---- words, and what the docs say ------------------------------------------------------------


def test_many_names_and_small_p_are_short():
    assert [few(list(names)) for names in ("", "abc", "abcd")] == [
        "",
        "a, b and c",
        "a, b, c and 1 more",
    ]
    assert few([str(i) for i in range(2003)]) == "0, 1, 2 and 2,000 more"
    for p, text in ((0.25, "0.25"), (1.01e-4, "0.0001"), (0.99e-4, "10^-4.0")):
        assert p_text(p, math.log(p)) == text
    assert p_text(0.0, -math.inf) == "0"
    assert exact_text(0.0123456, math.log(0.0123456), None) == "0.012346"
    said = stands_for(printed_number("50 %"), printed_pvalue("<0.05"))
    assert said.startswith("50 % stands for 49.5% to 50.5%; ")
    for printed, text in (("33 %", "33.33%"), ("0.33", "0.3333")):
        assert share_text(Fraction(1, 3), printed_number(printed)) == text
    with pytest.raises(InputError, match=r"^claims must be csig\.claims\.Claims, found dict$"):
        check_claims({})


def test_the_docs_name_what_is_found_and_their_file_can_be_read(request, report, tmp_path):
    text = (request.config.rootpath / "docs" / "claims.md").read_text(encoding="utf-8")
    for name in (*VERDICTS, *{finding.check for finding in report.findings}):
        assert f"`{name}`" in text
    for finding in by_check(report, "exact hits"):
        assert f"{finding.expected:,.1f} are expected" in text
    block = text.partition("    [source]")[2].partition("\n- `rounding`")[0]
    path = tmp_path / "claims.toml"
    path.write_text("[source]" + block, encoding="utf-8")
    assert check_claims(read_claims(path)).totals == {"confirmed": 8, "contradicted": 1}
