"""Printed distributions over training samples: real ones pass, altered ones do not."""

from fractions import Fraction

import numpy as np
import pytest
from claimed import by_check
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st
from places import EXAMPLES

from csig.claims import read_claims
from csig.claims.checker import check_claims, variance_of_difference
from csig.claims.model import Claims, Interval, PrintedDistribution, printed_number, printed_pvalue
from csig.training import TrainingDistribution

MOMENTS = {"mean_a": "93.0", "mean_b": "92.5", "sd_difference": "0.36"}
CHECKS = (
    "deviation of the difference",
    "share of samples",
    "share and moments",
    "share of normal scores",
)


def printed(texts, samples=100):
    own = {name: printed_number(text) for name, text in texts.items() if name != "probability"}
    if "probability" in texts:
        own["probability"] = printed_pvalue(texts["probability"])
    return PrintedDistribution(test_set="news", samples=samples, **own)


def texts_of(a, b, digits=2):
    """What a paper prints of two systems' scores."""
    scores = np.stack([a, b], axis=1)[:, :, None]
    found = TrainingDistribution(scores, ("a", "b"), ("news",), "bootstrap")
    pair = found.difference("a", "b", "news")
    one, other = found.score("a", "news"), found.score("b", "news")
    numbers = {
        "mean_a": one.mean, "mean_b": other.mean, "sd_a": one.sd, "sd_b": other.sd,
        "sd_difference": pair.sd, "probability": pair.probability,
    }  # fmt: skip
    texts = {name: f"{value:.{digits}f}" for name, value in numbers.items()}
    texts["probability"] = f"{pair.probability:.3f}"
    if pair.correlation is not None:
        texts["correlation"] = f"{pair.correlation:.{digits}f}"
    return texts


def verdicts(texts, samples=100):
    report = check_claims(Claims(distributions=(printed(texts, samples),)))
    return {finding.check: finding.verdict for finding in report.findings}


PAIRS = st.lists(
    st.tuples(st.floats(0, 100), st.floats(0, 100)), min_size=2, max_size=40
) | st.lists(st.sampled_from([(0.0, 0.0), (1.0, 0.0), (0.0, 9.0)]), min_size=2, max_size=40)


@given(pairs=PAIRS, digits=st.integers(0, 4))
@examples(300)
def test_no_real_scores_are_called_wrong(pairs, digits):
    """Whatever their distribution; that they are not normal is no mistake."""
    a, b = (np.array(own) for own in zip(*pairs, strict=True))
    found = verdicts(texts_of(a, b, digits), len(pairs))
    assert not {"inconsistent", "impossible", "contradicted"} & set(found.values())
    assert found["share of samples"] == "confirmed"


@pytest.mark.parametrize(("name", "text", "check", "verdict"), [
    ("sd_difference", "0.40", CHECKS[0], "inconsistent"),
    ("sd_difference", "0.64", CHECKS[0], "inconsistent"),  # as if they were independent
    ("correlation", "-0.70", CHECKS[0], "inconsistent"),
    ("sd_a", "0.90", CHECKS[0], "inconsistent"),
    ("probability", "0.935", CHECKS[1], "impossible"),
    ("probability", "0.40", CHECKS[2], "inconsistent"),
    ("mean_a", "91.00", CHECKS[2], "inconsistent"),
    ("probability", "0.70", CHECKS[3], "doubtful"),
])  # fmt: skip
def test_altered_numbers_are_found(name, text, check, verdict):
    """Of two systems with deviations of 0.5 and 0.4, r of 0.7, 0.5 apart: s_d is 0.357."""
    texts = {
        "mean_a": "93.00", "mean_b": "92.50", "sd_a": "0.50", "sd_b": "0.40",
        "correlation": "0.70", "sd_difference": "0.36", "probability": "0.92",
    }  # fmt: skip
    assert set(verdicts(texts).values()) == {"confirmed", "possible"}
    assert verdicts({**texts, name: text})[check] == verdict


OF_MOMENTS = {CHECKS[0]: "unknown", CHECKS[2]: "possible"}


@pytest.mark.parametrize(("texts", "samples", "expected"), [
    ({"sd_a": "0.5", "sd_b": "0.4", "sd_difference": "0.8"}, 100, {CHECKS[0]: "possible"}),
    ({"sd_a": "0.5", "sd_b": "0.4", "sd_difference": "1.1"}, 100, {CHECKS[0]: "inconsistent"}),
    ({"sd_a": "0.5", "sd_difference": "0.8"}, 100, {CHECKS[0]: "unknown"}),
    # Without the number of samples chance is not judged; nearly always may be a bound.
    (MOMENTS | {"probability": "0.92"}, None, OF_MOMENTS | {CHECKS[3]: "confirmed"}),
    (MOMENTS | {"probability": "0.80"}, None, OF_MOMENTS | {CHECKS[3]: "unknown"}),
    ({"probability": "0.8"}, None, {}),
    ({"mean_a": "93.0", "mean_b": "92.0", "sd_difference": "0.2", "probability": "> 0.99"}, 100,
     OF_MOMENTS | {CHECKS[1]: "confirmed", CHECKS[3]: "confirmed"}),
])  # fmt: skip
def test_what_is_not_printed_is_not_judged(texts, samples, expected):
    assert verdicts(texts, samples) == expected


@given(
    ends=st.lists(st.integers(0, 8), min_size=4, max_size=4),
    r=st.lists(st.integers(-4, 4), min_size=2, max_size=2),
)
@examples(200)
def test_the_range_of_the_variance_is_that_of_a_grid(ends, r):
    a, b, rho = (Interval(*sorted(Fraction(x, 4) for x in own)) for own in (ends[:2], ends[2:], r))
    found = variance_of_difference(a, b, rho)
    x, y, z = (np.linspace(float(i.low), float(i.high), 25) for i in (a, b, rho))
    x, y, z = np.meshgrid(x, y, z)
    grid = x * x + y * y - 2 * x * y * z
    assert float(found.low) <= grid.min() + 1e-12
    assert float(found.high) == pytest.approx(grid.max())
    assert grid.min() - float(found.low) <= 0.02  # a grid of 25 points misses it by less


def test_the_claims_of_the_example_are_confirmed():
    """Which are those of examples/training/bootstrap.txt."""
    claims = read_claims(EXAMPLES / "training" / "claims.toml")
    table = (EXAMPLES / "training" / "bootstrap.txt").read_text(encoding="utf-8")
    for own in claims.distributions:
        row = next(
            line.split()
            for line in table.partition("Differences")[2].splitlines()
            if line.startswith(f"{own.test_set} ") and "-" in line
        )
        assert own.sd_difference.text == f"{row[-7]} %"
        assert own.correlation.text == row[-6]
        assert own.probability.text == row[-5]
    report = check_claims(claims)
    assert report.passed
    found = by_check(report, "deviation of the difference")
    assert [finding.verdict for finding in found] == ["confirmed", "confirmed"]
    assert set(report.totals) == {"confirmed", "possible"}
