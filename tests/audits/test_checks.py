"""One check, its constructors, and the limit that is shared out."""

from __future__ import annotations

from dataclasses import replace

from csig.audits.checks import RISK, Check, decided


def test_an_old_record_has_the_checks_of_its_time():
    """A check that came later is not asked of it, and does not count for the limit either."""
    checks = [
        Check(
            name=name, what="", observed="", expected="", pvalue=0.5, passed=None, sentence="",
            since=since, until=until,
        )
        for name, since, until in (("always", 1, 9), ("new", 2, 9), ("gone", 1, 1))
    ]  # fmt: skip
    for edition, names in ((1, ["always", "gone"]), (2, ["always", "new"])):
        found = decided(checks, edition)
        assert [check.name for check in found] == names
        assert {check.limit for check in found} == {RISK / 2}


WORDS = {"what": "One did this.", "observed": "1", "expected": "2", "sentence": "So it is."}


def test_a_check_with_a_pvalue_is_decided_by_the_limit_that_all_share():
    """RISK / 2 each: what is exactly at the limit passes."""
    pvalues = {"at": RISK / 2, "below": RISK / 2 * (1 - 1e-12)}
    checks = [Check.of_pvalue(name, p, statistic=3.0, **WORDS) for name, p in pvalues.items()]
    assert [check.passed for check in checks] == [None, None]
    others = [
        Check.yes_no("sum: f1", False, **WORDS),
        Check.yes_no("resolution", None, **WORDS),
        Check.informs("independence", statistic=0.5, **WORDS),
        Check.not_applicable("sign test", "One did this.", "there is no recall"),
    ]
    found = decided([*checks, *others])
    assert [check.passed for check in found] == [True, False, False, None, None, None]
    assert [check.limit for check in found] == [RISK / 2] * 2 + [None] * 4
    assert list(found[2:]) == others


def test_constructors_say_all_that_there_is_to_say():
    check = Check.of_pvalue("runs: f1", 0.25, statistic=3.0, **WORDS)
    assert (check.pvalue, check.statistic, check.kind) == (0.25, 3.0, "runs")
    assert {name: getattr(check, name) for name in WORDS} == WORDS
    assert Check.informs("independence", statistic=0.5, **WORDS).statistic == 0.5
    nothing = Check.not_applicable("sign test", "One did this.", "there is no recall")
    assert nothing.observed == "not applicable"
    assert nothing.expected == ""
    assert nothing.sentence == "Not applicable: there is no recall."
    assert (nothing.pvalue, nothing.passed, nothing.statistic) == (None, None, None)


def test_an_edition_has_the_checks_of_its_time():
    old = replace(Check.yes_no("old", True, **WORDS), until=1)
    new = replace(Check.of_pvalue("new", 1e-9, statistic=0.0, **WORDS), since=2)
    both = Check.of_pvalue("both", 6e-7, statistic=0.0, **WORDS)
    assert [check.name for check in decided([old, new, both], 1)] == ["old", "both"]
    assert [check.name for check in decided([old, new, both])] == ["new", "both"]
    assert decided([both, new], 1)[0].passed is False
    assert decided([both, new])[0].passed is True
