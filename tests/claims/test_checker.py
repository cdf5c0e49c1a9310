"""Published claims: the paper's, changed digits, and claims made from counts."""

from __future__ import annotations

import decimal
import math
from decimal import Decimal
from fractions import Fraction

import pytest
from claimed import by_check, printed_scores, printed_test
from hypothesis import given, settings
from hypothesis import strategies as st

import csig
from csig.base.errors import InputError
from csig.claims import read_claims
from csig.claims.attainable import CELLS, claimed_metric, completed, score
from csig.claims.checker import check_claims
from csig.claims.model import VERDICTS, Claims, PrintedChiSquare, printed_number

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
    assert report.summary == {"confirmed": 15, "contradicted": 3, "inconsistent": 2}
    assert not report.passed


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
    wrong = [
        f for f in found.findings if f.verdict in {"contradicted", "inconsistent", "impossible"}
    ]
    assert not wrong
    for finding in by_check(found, "counts"):
        name = finding.claim.partition(":")[0]
        assert true[name] in finding.candidates


def test_no_claims():
    with pytest.raises(InputError) as caught:
        check_claims({})
    assert str(caught.value) == "claims must be csig.claims.Claims, found dict"


def test_the_docs_name_what_is_found(request, report):
    text = (request.config.rootpath / "docs" / "claims.md").read_text(encoding="utf-8")
    for name in (*VERDICTS, *{finding.check for finding in report.findings}):
        assert f"`{name}`" in text
    for finding in by_check(report, "exact hits"):
        assert f"{finding.expected:,.1f} are expected" in text


def test_the_file_in_the_docs_can_be_read(request, tmp_path):
    text = (request.config.rootpath / "docs" / "claims.md").read_text(encoding="utf-8")
    block = text.partition("    [source]")[2].partition("\n- `rounding`")[0]
    path = tmp_path / "claims.toml"
    path.write_text("[source]" + block, encoding="utf-8")
    assert check_claims(read_claims(path)).summary == {"confirmed": 8, "contradicted": 1}
