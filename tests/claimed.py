"""Claims that are made in several tests."""

from brute import PAPER

from csig.claims.attainable import CELLS, claimed_metric
from csig.claims.checker import check_claims
from csig.claims.model import PrintedScore, PrintedTest, printed_number, printed_pvalue

NUMBER = "expected a number as printed, like '45.6 %' or '0.456'"
PVALUE = (
    "expected a p-value as printed, like '0.014', '3 %', '< 0.05', 'less than 4 %' or "
    "'10 % to 20 %'"
)
COUNTS = {cell: PAPER[cell] for cell in CELLS}


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
