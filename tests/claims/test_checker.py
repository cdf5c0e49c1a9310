"""Published claims: the paper's, changed digits, and claims made from counts."""

from __future__ import annotations

import decimal
import json
import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import csig
from csig.claims.attainable import CELLS, claimed_metric, completed, score
from csig.claims.checker import check_claims
from csig.claims.model import VERDICTS, Claims, PrintedChiSquare, PrintedScore, PrintedTest
from csig.claims.printed import printed_number, printed_pvalue
from csig.errors import InputError
from csig.readers import read_claims

COUNTS = dict(zip(CELLS, (103, 19, 28, 6, 5, 43, 9), strict=True))


@pytest.fixture(scope="session")
def paper(request):
    return read_claims(request.config.rootpath / "examples" / "yeh2000-claims.toml")


@pytest.fixture(scope="session")
def report(paper):
    return check_claims(paper)


def by_check(report, check, **fields):
    """The findings of a check, those about something alone."""
    return [
        finding
        for finding in report.findings
        if finding.check == check
        and all(getattr(finding, name) == value for name, value in fields.items())
    ]


def counts(numbers=COUNTS, **others):
    return {name: (n,) for name, n in {**numbers, **others}.items() if n is not None}


def printed_scores(texts):
    """{"a": {"recall": "45.6 %"}}."""
    return tuple(
        PrintedScore(system=system, metric=claimed_metric(name), printed=printed_number(text))
        for system, own in texts.items()
        for name, text in own.items()
    )


def printed_test(metric, alternative, hits=None, trials=None, pvalue=None):
    return PrintedTest(
        metric=claimed_metric(metric), alternative=alternative, hits=hits, trials=trials,
        pvalue=None if pvalue is None else printed_pvalue(pvalue),
    )  # fmt: skip


def verdict(claims, check="exact hits"):
    (finding,) = by_check(check_claims(claims), check)
    return finding.verdict


# ---- the paper -------------------------------------------------------------------------------


def test_the_paper_has_these_findings_and_no_others(report):
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
    assert report.summary == {"confirmed": 15, "contradicted": 3, "inconsistent": 2}
    assert not report.passed


def test_103_against_104(report):
    (finding,) = by_check(report, "counts")
    assert finding.candidates == (103,)
    assert finding.sentence == "Only 103 fits all that is printed; 104 cannot be."
    recalls = [f for f in by_check(report, "score") if f.metric == "recall"]
    assert [f.sentence for f in recalls] == [
        "47 correct of 103 in the gold give 45.63 %, which is rounded to 45.6 %. With 104 in the "
        "gold no whole number of correct ones gives 45.6 %: 47 give 45.19 %, 48 give 46.15 %.",
        "25 correct of 103 in the gold give 24.27 %, which is rounded to 24.3 %. With 104 in the "
        "gold no whole number of correct ones gives 24.3 %: 25 give 24.04 %, 26 give 25.00 %.",
    ]
    assert [f.expected for f in recalls] == [47 / 103, 25 / 103]


@pytest.mark.parametrize(
    ("metric", "exact", "expected", "z"),
    [
        ("recall", 9.756279177963734e-05, 102.302, -0.6),
        ("f1", 0.014775685752788524, 15493.429, -5.7),
        ("precision", 0.019994289562099043, 20965.532, 33.5),
    ],
)
def test_hits_of_the_paper(report, metric, exact, expected, z):
    """REFERENCE, section 1."""
    (finding,) = by_check(report, "exact hits", metric=metric)
    assert finding.exact_pvalue == pytest.approx(exact, rel=1e-12)
    assert round(finding.expected, 3) == expected
    assert round(finding.z, 1) == z
    assert finding.trials == 2**20


def test_4_percent_and_3_percent(report):
    first, second = by_check(report, "exact p")
    assert first.sentence.startswith("The exact p is 1.9994 %, not 3 %.")
    assert second.sentence == "The exact p is 3.9989 %, as less than 4 % says."
    _, finding = by_check(report, "one-sided and two-sided")
    assert finding.claim.endswith("one-sided: p 3 %; two-sided: p less than 4 %")
    assert finding.interval == (0.025, 0.035)
    assert finding.expected_interval == (0, 0.02)
    assert finding.sentence.endswith("The exact ones are 1.9994 % and 3.9989 %.")


def test_correlation_and_chi_square_of_the_paper(report):
    assert round(by_check(report, "correlation")[0].expected, 6) == 0.345181
    statistic, pvalue = by_check(report, "chi-square")
    assert round(statistic.expected, 7) == 2.3800768
    assert round(pvalue.expected, 7) == 0.1228915


def test_as_dict(report):
    text = json.dumps(report.as_dict(), allow_nan=False)
    found = json.loads(text)
    assert (found["schema"], found["schema_version"]) == ("csig.claims", 1)
    assert found["counts"]["gold"] == ["103", "104"]
    assert len(found["findings"]) == len(report.findings)
    assert found["findings"][0]["candidates"] == ["103"]
    for finding in found["findings"]:
        assert finding["verdict"] in VERDICTS
        assert finding.keys() == found["findings"][0].keys()


# ---- changed digits --------------------------------------------------------------------------


@pytest.mark.parametrize("which", range(6))
@pytest.mark.parametrize("step", [-1, 1])
def test_a_changed_last_digit_of_a_score_is_found(paper, which, step):
    """With these counts each score has one form with one decimal."""
    said = paper.scores[which]
    text = f"{Decimal(said.printed.text.removesuffix(' %')) + step * Decimal('0.1')} %"
    scores = list(paper.scores)
    scores[which] = replace(said, printed=printed_number(text))
    found = check_claims(replace(paper, scores=tuple(scores), counts=counts()))
    wrong = [f for f in by_check(found, "score") if f.verdict != "confirmed"]
    assert [(f.system, f.metric) for f in wrong] == [(said.system, said.metric.name)]
    assert wrong[0].verdict in {"contradicted", "impossible"}
    ambiguous = check_claims(replace(paper, scores=tuple(scores)))
    assert by_check(ambiguous, "counts")[0].verdict == "impossible"


@pytest.mark.parametrize("cell", CELLS)
def test_a_changed_count_is_found(paper, cell):
    found = check_claims(replace(paper, counts=counts(**{cell: COUNTS[cell] + 1})))
    assert any(f.verdict in {"contradicted", "impossible"} for f in by_check(found, "score"))


@pytest.mark.parametrize(
    ("hits", "text", "expected"),
    [
        (96, "0.00009", "confirmed"),
        (96, "0.0000916", "confirmed"),  # hits / shuffles
        (96, "0.00009251", "confirmed"),  # (hits + 1) / (shuffles + 1)
        (96, "0.00010", "inconsistent"),
        (106, "0.00009", "inconsistent"),
        (96, "< 0.0001", "confirmed"),
        (96, "> 0.0001", "inconsistent"),
        (0, "0.000", "confirmed"),
    ],
)
def test_hits_and_p(hits, text, expected):
    test = printed_test("recall", "greater", hits, 2**20, text)
    assert verdict(Claims(tests=(test,)), "hits and p") == expected


def test_hits_by_either_formula_are_said():
    for text, formula in (("0.1", "hits / shuffles"), ("0.2", "(hits + 1) / (shuffles + 1)")):
        test = printed_test("recall", "greater", 1, 9, text)
        (finding,) = by_check(check_claims(Claims(tests=(test,))), "hits and p")
        assert finding.sentence.endswith(f"{text} is {formula}.")


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("0.02", "0.04", "confirmed"),
        ("0.02", "0.05", "confirmed"),  # 0.0245 and 0.049
        ("0.02", "0.06", "inconsistent"),
        ("3 %", "less than 4 %", "inconsistent"),
        ("3 %", "less than 5 %", "inconsistent"),  # 2.5 % is not less
        ("3 %", "at most 5 %", "confirmed"),
        ("3 %", "5 % to 10 %", "confirmed"),
        ("0.02", "0.02", "inconsistent"),
        ("0.7", "0.6", "unknown"),
    ],
)
def test_one_sided_and_two_sided(one, two, expected):
    tests = (
        printed_test("recall", "less", pvalue=one), printed_test("recall", "two-sided", pvalue=two),
    )  # fmt: skip
    assert verdict(Claims(tests=tests), "one-sided and two-sided") == expected


def test_one_sided_and_two_sided_by_shuffles_may_differ_by_chance():
    def check(hits, trials, two):
        tests = (
            printed_test("recall", "less", hits, trials),
            printed_test("recall", "two-sided", pvalue=two),
        )
        return verdict(Claims(tests=tests), "one-sided and two-sided")

    assert check(20, 1000, "0.060") == "confirmed"
    assert check(20_000, 10**6, "0.060") == "inconsistent"
    tests = (
        printed_test("recall", "less", pvalue="0.020", trials=1000),
        printed_test("recall", "two-sided", pvalue="0.060"),
    )
    assert verdict(Claims(tests=tests), "one-sided and two-sided") == "confirmed"


def test_other_metrics_are_no_pair():
    tests = (
        printed_test("recall", "less", pvalue="0.1"), printed_test("f1", "two-sided", pvalue="0.1"),
        printed_test("f1", "two-sided", pvalue="0.1"),
    )  # fmt: skip
    assert by_check(check_claims(Claims(tests=tests)), "one-sided and two-sided") == []


# ---- against the exact answer ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("hits", "expected"),
    [(20966, "confirmed"), (20392, "doubtful"), (21539, "doubtful"), (20000, "contradicted")],
)
def test_limits_of_hits(hits, expected):
    test = printed_test("precision", "less", hits, 2**20)
    assert verdict(Claims(counts=counts(), tests=(test,))) == expected


@pytest.mark.parametrize(
    ("text", "trials", "expected"),
    [
        ("0.020", None, "confirmed"),
        ("0.0200", None, "confirmed"),
        ("0.025", None, "contradicted"),
        ("< 0.05", None, "confirmed"),
        ("> 0.05", None, "contradicted"),
        ("0.025", 1000, "confirmed"),  # chance
        ("0.025", 2**20, "contradicted"),
        ("0.02", 1000, "confirmed"),
        ("0.0205", 40_000, "confirmed"),
        ("0.0240", 20_000, "doubtful"),
        ("0.0123", 7, "contradicted"),  # of 7 shuffles no share is that
    ],
)
def test_printed_p_alone(text, trials, expected):
    test = printed_test("precision", "less", trials=trials, pvalue=text)
    assert verdict(Claims(counts=counts(), tests=(test,)), "exact p") == expected


def test_recall_needs_the_correct_ones_alone():
    some = counts({"only_a_correct": 28, "only_b_correct": 6})
    test = printed_test("recall", "greater", 96, 2**20)
    assert verdict(Claims(counts=some, tests=(test,))) == "confirmed"
    test = printed_test("accuracy", "greater", 96, 2**20)
    assert verdict(Claims(counts=some, tests=(test,))) == "confirmed"
    for metric in ("precision", "f1"):
        assert (
            verdict(Claims(counts=some, tests=(printed_test(metric, "less", 9, 99),))) == "unknown"
        )
    no_gold = counts(gold=None)
    test = printed_test("precision", "less", 25_770, 2**20)
    assert verdict(Claims(counts=no_gold, tests=(test,))) == "contradicted"


def test_counts_may_follow_from_totals():
    totals = {"gold": 103, "correct_a": 47, "correct_b": 25, "both_correct": 19,
              "predicted_a": 95, "predicted_b": 39, "both_spurious": 5}  # fmt: skip
    test = printed_test("f1", "greater", 14_794, 2**20)
    (finding,) = by_check(check_claims(Claims(counts=counts(totals), tests=(test,))), "exact hits")
    assert finding.exact_pvalue == pytest.approx(0.014775685752788524, rel=1e-12)


def test_candidates_that_do_not_agree_are_possible():
    """28 and 6 give 102 hits, 20 and 14 many more."""
    ambiguous = {"only_a_correct": (28, 20), "only_b_correct": (6,)}
    test = printed_test("recall", "greater", 96, 2**20)
    (finding,) = by_check(check_claims(Claims(counts=ambiguous, tests=(test,))), "exact hits")
    assert finding.verdict == "possible"
    assert finding.sentence.startswith("With only_a_correct 28: the exact p is ")
    assert finding.sentence.endswith("Not all candidates of the counts say the same.")
    test = printed_test("recall", "greater", 5, 2**20)
    assert verdict(Claims(counts=ambiguous, tests=(test,))) == "contradicted"


def test_counts_that_do_not_fit_the_scores_are_used_as_printed(paper):
    found = check_claims(replace(paper, counts=counts(gold=104)))
    (finding,) = by_check(found, "exact hits", metric="recall")
    assert finding.verdict == "confirmed"
    assert finding.sentence.endswith("though they do not fit all printed scores.)")


@pytest.mark.parametrize("trials", [10**18, 10**18 - 1])
def test_as_many_trials_as_may_be(trials):
    test = printed_test("precision", "less", trials // 50, trials, "0.02")
    (finding,) = by_check(check_claims(Claims(counts=counts(), tests=(test,))), "exact hits")
    assert finding.verdict == "contradicted"
    assert finding.pvalue == 0
    assert math.isfinite(finding.log_pvalue)


def test_an_exact_p_that_underflows():
    """2000 to 0: p is 2^-2000."""
    many = counts({"only_a_correct": 2000, "only_b_correct": 0})
    for hits, expected in ((0, "confirmed"), (1, "contradicted")):
        test = printed_test("recall", "greater", hits, 10**6)
        (finding,) = by_check(check_claims(Claims(counts=many, tests=(test,))), "exact hits")
        assert finding.verdict == expected
        assert "The exact p is 10^-602.1," in finding.sentence
    test = printed_test("recall", "greater", pvalue="< 1e-600")
    assert verdict(Claims(counts=many, tests=(test,)), "exact p") == "confirmed"


# ---- scores alone ----------------------------------------------------------------------------


def test_grim():
    for gold, expected in ((103, "possible"), (104, "impossible")):
        claims = Claims(
            counts={"gold": (gold,)}, scores=printed_scores({"a": {"recall": "45.6 %"}})
        )
        assert verdict(claims, "score") == expected
    unknown = Claims(scores=printed_scores({"a": {"recall": "45.6 %"}}))
    assert verdict(unknown, "score") == "unknown"


def test_scores_together():
    texts = {"recall": "45.6 %", "precision": "49.5 %", "f1": "47.5 %"}
    claims = Claims(counts={"gold": (103,)}, scores=printed_scores({"a": texts}))
    (finding,) = by_check(check_claims(claims), "scores together")
    assert (finding.verdict, finding.n_solutions) == ("possible", 1)
    assert finding.solutions == ((47, 95, 103),)
    wrong = replace(claims, scores=printed_scores({"a": {**texts, "f1": "47.9 %"}}))
    assert verdict(wrong, "scores together") == "inconsistent"
    precise = replace(claims, scores=printed_scores({"a": {**texts, "precision": "49.51 %"}}))
    assert verdict(precise, "scores together") == "impossible"
    without = Claims(scores=printed_scores({"a": texts}))
    assert verdict(without, "scores together") == "unknown"


def test_too_many_to_list():
    texts = {"recall": "45.6 %", "precision": "49.5 %", "f1": "47.5 %"}
    claims = Claims(counts={"gold": (10**12,)}, scores=printed_scores({"a": texts}))
    (finding,) = by_check(check_claims(claims), "scores together")
    assert finding.verdict == "possible"
    assert not finding.complete
    assert "at least" in finding.sentence


def test_counts_that_exclude_each_other():
    claims = Claims(counts=counts(gold=40), scores=printed_scores({"a": {"recall": "45.6 %"}}))
    (finding,) = by_check(check_claims(claims), "counts")
    assert finding.verdict == "inconsistent"
    assert finding.sentence == (
        "The counts exclude each other: correct_a is 47, more than gold, 40."
    )


def test_correlation_and_chi_square_need_their_counts():
    found = check_claims(
        Claims(
            correlation=printed_number("0.35"),
            chi_squares=(PrintedChiSquare(metric="recall", statistic=printed_number("1")),),
        )
    )
    assert [f.verdict for f in found.findings] == ["unknown", "unknown"]


def test_chi_square_from_sums_alone():
    sums = {"correct_a": 47, "correct_b": 25, "predicted_a": 95, "predicted_b": 39, "gold": 103}
    squares = (
        PrintedChiSquare(metric="precision", statistic=printed_number("2.38")),
        PrintedChiSquare(metric="recall", statistic=printed_number("10.33")),
        PrintedChiSquare(metric="recall", statistic=printed_number("10.43")),
    )
    found = check_claims(Claims(counts=counts(sums), chi_squares=squares))
    assert [f.verdict for f in found.findings] == ["confirmed", "confirmed", "contradicted"]
    z = csig.proportions_test(csig.Comparison.from_counts(**COUNTS), "recall").statistic
    assert found.findings[1].expected == pytest.approx(z**2)


# ---- claims from counts ----------------------------------------------------------------------


def rounded(x: float | Fraction, decimals: int, percent: bool = True) -> str:
    with decimal.localcontext(prec=60):
        exact = Fraction(x) * (100 if percent else 1)
        number = Decimal(exact.numerator) / exact.denominator
        text = f"{number.quantize(Decimal(1).scaleb(-decimals), decimal.ROUND_HALF_UP):f}"
    return f"{text} %" if percent else text


CELL = st.integers(0, 12)


@settings(max_examples=40)
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
    for alternative in ("two-sided", "less", "greater"):
        p = csig.randomization_test(
            comparison, metric, alternative=alternative, method="exact"
        ).pvalue
        tests.append(printed_test(metric, alternative, pvalue=rounded(p, decimals + 1)))
        hits = round(p * 1000)  # what is expected
        tests.append(
            printed_test(metric, alternative, hits, 1000, rounded(hits / 1000, decimals + 2))
        )
    chi_squares = []
    if world["predicted_a"] and world["predicted_b"]:
        chi = csig.chi_square_test(comparison)
        if math.isfinite(chi.statistic):
            printed = printed_number(rounded(chi.statistic, 2, percent=False))
            chi_squares.append(PrintedChiSquare(metric="precision", statistic=printed))
    r12 = csig.correlation(comparison)
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
    wrong = [
        f for f in found.findings if f.verdict in {"contradicted", "inconsistent", "impossible"}
    ]
    assert not wrong
    for finding in by_check(found, "counts"):
        name = finding.claim.partition(":")[0]
        assert true[name] in finding.candidates


@pytest.mark.parametrize("seed", range(5))
def test_hits_of_the_shuffles_are_not_contradicted(seed):
    comparison = csig.Comparison.from_counts(**COUNTS)
    found = csig.randomization_test(
        comparison, ["recall", "precision", "f1"], alternative="less", method="approximate",
        n_resamples=2**16, rng=seed,
    )  # fmt: skip
    tests = tuple(printed_test(m, "less", r.n_hits, 2**16) for m, r in found.items())
    report = check_claims(Claims(counts=counts(), tests=tests))
    assert [f.verdict for f in report.findings] == ["confirmed"] * 3


@pytest.mark.parametrize("size", [10**9, 2**31, 10**17])
@pytest.mark.parametrize("metric", ["recall", "precision", "f1"])
def test_large_counts_are_refused_by_their_cost(size, metric):
    """Or by the size of a class of responses; nothing of that size may ever run."""
    numbers = {name: (4 if name == "gold" else 1) * size for name in CELLS}
    test = printed_test(metric, "less", 5, 10, "0.5")
    found = check_claims(Claims(counts=counts(numbers), tests=(test,)))
    (finding,) = by_check(found, "exact hits")
    assert finding.verdict == "unknown"
    assert finding.sentence.startswith("The exact p-value of the test is not known: it ")


def test_no_claims():
    with pytest.raises(InputError) as caught:
        check_claims({})
    assert str(caught.value) == "claims must be csig.claims.Claims, found dict"


def test_the_docs_list_all_fields_and_name_what_is_found(request, report):
    text = (request.config.rootpath / "docs" / "claims.md").read_text(encoding="utf-8")
    for name in report.as_dict()["findings"][0]:
        assert f"`{name}`" in text
    for name in (*VERDICTS, *{finding.check for finding in report.findings}):
        assert f"`{name}`" in text
    for finding in by_check(report, "exact hits"):
        assert f"{finding.expected:,.1f} are expected" in text


def test_the_file_in_the_docs_can_be_read(request, tmp_path):
    text = (request.config.rootpath / "docs" / "claims.md").read_text(encoding="utf-8")
    block = text.partition("    [source]")[2].partition("\n| key")[0]
    path = tmp_path / "claims.toml"
    path.write_text("[source]" + block, encoding="utf-8")
    assert check_claims(read_claims(path)).summary == {"confirmed": 8, "contradicted": 1}
