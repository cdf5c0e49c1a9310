"""``csig compare --method certified``: what is printed of two proven bounds, in every format."""

from __future__ import annotations

import csv
import io
import re
from functools import partial

import commands
import numpy as np
import pytest
from commands import write

import csig

words = partial(commands.words, "compare")
record = partial(commands.record, "compare")

CERTIFIED = ("--method", "certified")
SYSTEMS = ("s.csv", "--system", "base", "--system", "new")
TWO = (*SYSTEMS, *CERTIFIED, "--ignore", "story")
BOUNDS = r"\(certified: between (\S+) and (\S+); no shuffles\)"


@pytest.fixture(autouse=True)
def result(_folder):
    """A thousand real scores of three systems; two questions to a story."""
    rng = np.random.default_rng(7)
    base = rng.beta(2, 2, size=1000)
    new, third = (base + rng.normal(shift, 0.2, size=1000) for shift in (0.02, 0.015))
    rows = zip(base.tolist(), new.tolist(), third.tolist(), strict=True)
    lines = [f"q{i},{i // 2},{a!r},{b!r},{c!r}" for i, (a, b, c) in enumerate(rows)]
    write("s.csv", "id,story,base,new,third", *lines)
    scores = [dict(zip(map("q{}".format, range(1000)), own.tolist(), strict=True)) for own in
              (new, base)]  # fmt: skip
    return csig.randomization_test(csig.Comparison.from_scores(*scores), "mean", method="certified")


def test_p_is_said_with_its_bounds_in_every_format(result):
    proof = result.certificate
    text = words(*TWO)
    assert "Certified test swapping all 1,000 items." in text
    p, low, high = map(float, re.search(rf"p = (\S+) {BOUNDS}", text).groups())
    assert low <= proof.low <= result.pvalue <= high
    assert high - low < 3e-5 * high
    assert p == float(f"{result.pvalue:.3g}")
    assert "|certified|two-sided|" in text
    assert "seed" not in text
    for form in ("markdown", "latex", "html"):
        assert re.search(BOUNDS, " ".join(commands.both("compare", *TWO, "-f", form)[0].split()))
    assert result.how == f"certified: {proof.text}; no shuffles; 1,000 items"
    assert repr(result).endswith("p = 0.0181 (certified, 1,000 items)>")
    assert f"(certified: {proof.text}; no shuffles)." in str(result)


def test_json_has_the_certificate_and_csv_its_ends(result):
    own = record(*TWO)["results"][0]
    assert (own["method"], own["engine"], own["n_hits"], own["seed"]) == (
        "certified", "fourier", None, None,
    )  # fmt: skip
    proof = own["certificate"]
    assert own["pvalue_interval"] == [proof["low"], proof["high"]] == list(result.pvalue_interval)
    assert own["error_bound"] == proof["width"]
    assert (own["pvalue"], own["log_pvalue"]) == (proof["high"], proof["log_high"])
    (row,) = csv.DictReader(io.StringIO(commands.both("compare", *TWO, "-f", "csv")[0]))
    assert (float(row["pvalue_low"]), float(row["pvalue_high"])) == result.pvalue_interval
    assert (row["method"], row["n_resamples"]) == ("certified", "")
    made = csig.compare("s.csv", systems=["base", "new"], method="certified", ignore="story")
    assert made["mean"].test.method == made.to_dict()["options"]["method"] == "certified"
    assert made["mean"].test.pvalue == result.pvalue


def test_the_explanation_and_the_reference():
    text = words(*TWO, "--explain", "--cite")
    assert "the p-value over all shuffles lies between two proven bounds" in text
    assert "Relative width" in text
    assert "All 2^" not in text
    assert "The p-values are certified, upper bounds (Graham and Vaaler 1981) that exceed" in text
    assert "@article{graham1981," in text
    assert "Noreen" not in text
    drawn = ("--cluster", "story", "--resamples", "999", "--seed", "1", "--explain")
    text = words(*SYSTEMS, *CERTIFIED, *drawn)  # other units need no bounds
    assert "Certified test swapping all 500 stories." in text
    assert "Swapping items instead gives the same verdict." in text


def test_several_systems_have_bounds_each():
    text = words(*TWO, "--system", "third", "--explain", "--cite")
    assert "Certified test swapping all 1,000 items." in text
    assert len(re.findall(r"certified, between \S+ and \S+", text)) == 2
    made = record(*TWO, "--system", "third")
    assert all(own["results"][0]["certificate"] for own in made["comparisons"])


def test_a_level_between_the_bounds_is_undecided(result):
    text = words(*TWO, "--alpha", repr(sum(result.pvalue_interval) / 2))
    assert "undecided" in text
    assert "--method exact or --method approximate may settle it" in text


def test_options_of_shuffles_that_were_not_needed_are_said_to_have_no_effect():
    said = "no effect, as no shuffles were needed"
    drawn = ("--seed", "1", "--resamples", "99")
    assert f"--seed, --resamples and --decide: {said}." in words(*TWO, *drawn, "--decide")
    assert f"--seed: {said}." in words(*TWO, "--system", "third", "--seed", "1")
    # Of the interval's resamples, and of shuffles by another unit, the seed is that.
    for own in (TWO, (*TWO, "--seed", "1", "--interval", "percentile"),
                (*SYSTEMS, "--method", "approximate", *drawn)):  # fmt: skip
        assert said not in words(*own)


def test_the_explanation_says_who_found_p_and_why():
    text = words(*SYSTEMS, "--ignore", "story", "--explain", "--no-sensitivity")
    assert re.search(r"Mean: by the engine fourier, \d+ factors, within the budget of \d+\.", text)
    assert "A factor is the part of one unit in the characteristic function" in text
    write("s.csv", "id,base,new", *(f"{i},0.5,{0.5 + 2.0**-i!r}" for i in range(30)))
    assert "All 2^30 shuffles are counted" in words(*SYSTEMS, *CERTIFIED, "--explain")
    write("s.csv", "id,base,new", *(f"{i},0.5,{i * i % 97 / 100}" for i in range(300)))
    text = words(*SYSTEMS, *CERTIFIED, "--explain")
    assert re.search(r"are called exact where they are as close as here, \de-1\d of p apart", text)
    assert "are counted" not in text
