"""``csig compare --method certified``: what is printed of two proven bounds, in every format."""

from __future__ import annotations

import csv
import io
import re
from functools import partial
from pathlib import Path

import commands
import numpy as np
import pytest
from commands import write

import csig

run = partial(commands.run, "compare")
words = partial(commands.words, "compare")
record = partial(commands.record, "compare")
refused = partial(commands.refused, "compare")

CERTIFIED = ("--method", "certified")
TWO = ("s.csv", "--system", "base", "--system", "new", *CERTIFIED)
THREE = (*TWO, "--system", "third")


@pytest.fixture(autouse=True)
def _scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A thousand real scores of three systems; two questions to a story."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(7)
    base = rng.beta(2, 2, size=1000)
    new, third = (base + rng.normal(shift, 0.2, size=1000) for shift in (0.02, 0.015))
    rows = zip(base.tolist(), new.tolist(), third.tolist(), strict=True)
    lines = (f"q{i},{i // 2},{a!r},{b!r},{c!r}" for i, (a, b, c) in enumerate(rows))
    write("s.csv", "id,story,base,new,third", *lines)


def found() -> csig.results.RandomizationResult:
    rows = list(csv.DictReader(Path("s.csv").read_text(encoding="utf-8").splitlines()))
    scores = ([float(row[name]) for row in rows] for name in ("new", "base"))
    ids = [row["id"] for row in rows]
    a, b = (dict(zip(ids, own, strict=True)) for own in scores)
    return csig.randomization_test(csig.Comparison.from_scores(a, b), "mean", method="certified")


def test_the_text_has_p_and_its_bounds():
    result = found()
    assert result.certificate is not None
    text = words(*TWO, "--ignore", "story")
    assert "Certified test swapping all 1,000 items." in text
    said = re.search(r"p = (\S+) \(certified: between (\S+) and (\S+); no shuffles\)", text)
    assert said is not None
    p, low, high = map(float, said.groups())
    assert low <= result.certificate.low <= result.pvalue <= high
    assert high - low < 3e-5 * high
    assert p == float(f"{result.pvalue:.3g}")
    assert "|certified|two-sided|" in text
    assert "seed" not in text


def test_python_says_the_same():
    result = found()
    assert result.certificate is not None
    assert result.how == f"certified: {result.certificate.text}; no shuffles; 1,000 items"
    assert repr(result).endswith("p = 0.0181 (certified, 1,000 items)>")
    assert f"(certified: {result.certificate.text}; no shuffles)." in str(result)


def test_json_has_the_certificate_and_csv_its_ends():
    result = found()
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


@pytest.mark.parametrize("form", ["markdown", "latex", "html"])
def test_every_format_says_it(form: str):
    text = " ".join(commands.both("compare", *TWO, "-f", form)[0].split())
    assert re.search(r"\(certified: between \S+ and \S+; no shuffles\)", text)


def test_the_explanation_and_the_reference():
    text = words(*TWO, "--explain", "--cite")
    assert "the p-value over all shuffles lies between two proven bounds" in text
    assert "Relative width" in text
    assert "All 2^" not in text
    assert "The p-values are certified, upper bounds (Graham and Vaaler 1981) that exceed" in text
    assert "@article{graham1981," in text
    assert "Noreen" not in text


def test_other_units_need_no_bounds():
    text = words(*TWO, "--cluster", "story", "--resamples", "999", "--seed", "1", "--explain")
    assert "Certified test swapping all 500 stories." in text
    assert "Swapping items instead gives the same verdict." in text


def test_several_systems_have_bounds_each():
    text = words(*THREE, "--ignore", "story", "--explain", "--cite")
    assert "Certified test swapping all 1,000 items." in text
    assert len(re.findall(r"certified, between \S+ and \S+", text)) == 2
    made = record(*THREE)
    assert all(own["results"][0]["certificate"] for own in made["comparisons"])


def test_a_level_between_the_bounds_is_undecided():
    low, high = found().pvalue_interval
    text = words(*TWO, "--ignore", "story", "--alpha", repr((low + high) / 2))
    assert "undecided" in text
    assert "--method exact or --method approximate may settle it" in text
    by_itself = [part for part in TWO if part not in CERTIFIED]
    low, high = record(*by_itself)["results"][0]["pvalue_interval"]
    text = words(*by_itself, "--ignore", "story", "--alpha", repr((low + high) / 2), "--explain")
    assert "closer bounds, by --method certified, may settle it" in text
    assert "--method approximate draws shuffles instead." in text
    low, high = found().pvalue_interval
    at_bound = record(*TWO, "--alpha", repr(high))["results"][0]
    assert at_bound["verdict"] == "significant"


def test_what_is_no_sum_is_refused():
    write("gold.tsv", "a\t1", "a\t2", "b\t3")
    write("one.tsv", "a\t1", "b\t4")
    write("two.tsv", "a\t2", "b\t3")
    text = refused("gold.tsv", "one.tsv", "two.tsv", "--metric", "f1", *CERTIFIED)
    assert "method 'certified' is for sums over units" in text
    assert "use method 'auto'" in text


def test_options_of_shuffles_that_were_not_needed_are_said_to_have_no_effect():
    said = "no effect, as no shuffles were needed"
    own = (*TWO, "--ignore", "story")
    text = words(*own, "--seed", "1", "--resamples", "99", "--decide")
    assert f"--seed, --resamples and --decide: {said}." in text
    assert f"--seed: {said}." in words(*THREE, "--ignore", "story", "--seed", "1")
    assert said not in words(*own)
    # Of the interval's resamples, and of shuffles by another unit, the seed is that.
    assert said not in words(*own, "--seed", "1", "--interval", "percentile")
    drawn = ("s.csv", "--system", "base", "--system", "new", "--method", "approximate")
    assert said not in words(*drawn, "--seed", "1", "--resamples", "99")


def test_the_explanation_says_who_found_p_and_why():
    by_itself = [part for part in TWO if part not in CERTIFIED]
    own = (*by_itself, "--ignore", "story", "--explain", "--no-sensitivity")
    said = r"Mean: by the engine fourier, \d+ factors, within the budget of \d+\."
    assert re.search(said, words(*own))
    assert "A factor is the part of one unit in the characteristic function" in words(*own)
    write("few.csv", "id,base,new", *(f"{i},0.5,{0.5 + 2.0**-i!r}" for i in range(30)))
    text = words("few.csv", *TWO[1:], "--explain")
    assert "All 2^30 shuffles are counted" in text
    write("cents.csv", "id,base,new", *(f"{i},0.5,{i * i % 97 / 100}" for i in range(300)))
    text = words("cents.csv", *TWO[1:], "--explain")
    assert re.search(r"are called exact where they are as close as here, \de-1\d of p apart", text)
    assert "are counted" not in text


def test_the_command_in_python():
    made = csig.compare("s.csv", systems=["base", "new"], method="certified", ignore="story")
    assert made["mean"].test.method == "certified"
    assert made["mean"].test.pvalue == found().pvalue
    assert made.to_dict()["options"]["method"] == "certified"
