"""``csig compare --method certified``: p with two proven bounds, in every format."""

import csv
import io
import re

import numpy as np
import pytest
from commands import both, record, words, write

import csig

TWO = ("compare", "s.csv", "--system", "base", "--system", "new", "--method", "certified")
BOUNDS = r"\(certified: between (\S+) and (\S+); no shuffles\)"


@pytest.fixture(autouse=True)
def result(_folder):
    """A thousand real scores."""
    rng = np.random.default_rng(7)
    base = rng.beta(2, 2, size=1000)
    new = base + rng.normal(0.02, 0.2, size=1000)
    rows = zip(base.tolist(), new.tolist(), strict=True)
    write("s.csv", "id,base,new", *(f"q{i},{a!r},{b!r}" for i, (a, b) in enumerate(rows)))
    comparison = csig.Comparison.from_scores(new, base, id=[f"q{i}" for i in range(1000)])
    return csig.randomization_test(comparison, "mean", method="certified")


def test_p_is_said_with_its_bounds_in_every_format(result):
    proof = result.certificate
    p, low, high = map(float, re.search(rf"p = (\S+) {BOUNDS}", words(*TWO)).groups())
    assert low <= proof.low <= result.pvalue <= high
    assert high - low < 3e-5 * high
    assert p == float(f"{result.pvalue:.3g}")
    for form in ("markdown", "latex", "html"):
        assert re.search(BOUNDS, " ".join(both(*TWO, "-f", form)[0].split()))
    assert result.how == f"certified: {proof.text}; no shuffles; 1,000 items"
    assert repr(result).endswith("p = 0.0181 (certified, 1,000 items)>")
    assert f"(certified: {proof.text}; no shuffles)." in str(result)
    text = words(*TWO, "--alpha", repr(sum(result.pvalue_interval) / 2))
    assert "undecided" in text
    assert "--method exact or --method approximate may settle it" in text


def test_json_has_the_certificate_and_csv_its_ends(result):
    own = record(*TWO)["results"][0]
    assert (own["method"], own["engine"], own["n_hits"], own["seed"]) == (
        "certified", "fourier", None, None,
    )  # fmt: skip
    proof = own["certificate"]
    assert own["pvalue_interval"] == [proof["low"], proof["high"]] == list(result.pvalue_interval)
    assert own["error_bound"] == proof["width"]
    assert (own["pvalue"], own["log_pvalue"]) == (proof["high"], proof["log_high"])
    (row,) = csv.DictReader(io.StringIO(both(*TWO, "-f", "csv")[0]))
    assert (float(row["pvalue_low"]), float(row["pvalue_high"])) == result.pvalue_interval
    assert (row["method"], row["n_resamples"]) == ("certified", "")
