"""The same score has the same digits on every command, in every picture and format."""

import math
import pickle
import re

import numpy as np
import pytest
from commands import run
from drawings import said
from hypothesis import given
from hypothesis import strategies as st

import csig
from csig.base import wording
from csig.data import metrics
from csig.data.comparison import paired_error

#: Units, the mean of all scores, their spread and that of what differs.
SCORES = {
    "scores": (40, 12.0, 5.0, 2.5), "one unit": (90, 1.0, 0.1, 0.05),
    "ratings": (40, 3.6, 0.3, 0.2), "log-probabilities": (50, -4.0, 2.0, 0.5),
    "seconds": (25, 0.02, 0.004, 0.002), "tokens": (12, 3000.0, 900.0, 400.0),
}  # fmt: skip

NAMES = ("base", "newer", "other")

#: What prints means, and how it is asked.
COMMANDS = ("compare", "interval", "systems", "describe", "datasets")


def table_of(n, mean, spread, differing, k, seed=0):
    """Correlated scores of k systems, some of which are better."""
    rng = np.random.default_rng([n, k, seed])
    common = rng.normal(mean, spread, (n, 1))
    return common + differing * (rng.normal(0, 1, (n, k)) + 0.3 * np.arange(k))


def written(path, table, digits=4):
    names, n = NAMES[: table.shape[1]], len(table)
    lines = [",".join(["id", "kind", *names])]
    for i, row in enumerate(table.tolist()):
        kind = "odd" if i % 2 else "even"
        lines.append(f"q{i},{kind if n > 20 else i}," + ",".join(f"{x:.{digits}g}" for x in row))
    path.write_text("\n".join(lines) + "\n")
    return [str(path), *(word for name in names for word in ("--system", name))]


def numbers(text, row):
    """The numbers in the last row with this head, that of a system, a metric or a unit."""
    found = re.findall(rf"^{row}  +(.*)", text, re.MULTILINE)
    assert found, (row, text)
    return re.findall(r"[-+]?\d[\d.]*(?:e-\d+)?", found[-1])


def means(text, command, names):
    """The first number of every system; csig compare has two systems in one row."""
    if command == "compare" and len(names) == 2:
        return dict(zip(names, numbers(text, "Mean"), strict=False))
    return {name: numbers(text, name)[command == "datasets"] for name in names}


def decimals(text):
    return len(text.partition(".")[2])


@pytest.mark.parametrize(("kind", "k", "lower"), [
    ("scores", 3, True), ("one unit", 2, False), ("ratings", 2, True),
    ("log-probabilities", 3, False), ("seconds", 2, True), ("tokens", 3, True),
])  # fmt: skip
def test_a_mean_has_the_same_digits_everywhere(kind, lower, k, tmp_path):
    names, table = NAMES[:k], table_of(*SCORES[kind], k)
    files = written(tmp_path / "s.csv", table)
    files.append("--lower-is-better" if lower else "--higher-is-better")
    texts = {own: run(own, *files, "--id", "id") for own in COMMANDS}
    shown = {own: means(text, own, names) for own, text in texts.items()}
    assert all(own == shown["compare"] for own in shown.values()), shown
    latex = run("compare", *files, "--id", "id", "-f", "latex").replace("\\", "")
    assert {own.lstrip("-−") for own in shown["compare"].values()} <= {
        own.lstrip("-−") for own in re.findall(r"[-−]?\d[\d.]*", latex)
    }
    assert len(set(map(decimals, shown["compare"].values()))) == 1


@pytest.mark.parametrize(("n", "beside"), [(5, 0.99), (5, 1.01), (200, 1.01)])
def test_an_error_beside_a_power_of_ten(n, beside, tmp_path):
    """Where every interval has a width of its own, and some of them another number of digits."""
    table = table_of(n, 30.0, 3.0, 1.0, 2)
    d = table[:, 1] - table[:, 0]
    d = (d - d.mean()) / (d.std(ddof=1) / math.sqrt(n)) * 0.5 * beside + 0.4
    table[:, 1] = table[:, 0] + d
    files = [*written(tmp_path / "s.csv", table, 12), "--higher-is-better"]
    shown = [
        means(run(command, *files, *more), command, NAMES[:2])
        for command, *more in (
            *((command,) for command in COMMANDS[:4]), ("compare", "--interval", "percentile"),
            ("compare", "--interval", "none"), ("interval", "--method", "basic"),
            ("interval", "--confidence-level", "0.5"),
        )
    ]  # fmt: skip
    assert all(own == shown[0] for own in shown), shown
    assert {decimals(own) for own in shown[0].values()} == {2 if beside < 1 else 1}


@pytest.mark.parametrize("kind", ["scores", "one unit", "seconds"])
def test_parts_units_and_pictures_have_the_digits_of_the_table(kind, tmp_path):
    files = [*written(tmp_path / "s.csv", table_of(*SCORES[kind], 2)), "--higher-is-better"]
    text = run("compare", *files, "--id", "id", "--by", "kind", "--worst", 5)
    base, newer, difference, *ends = numbers(text, "Mean")[:5]
    for part in ("even", "odd"):
        own = numbers(text, part)[:3]
        assert {*map(decimals, own[:2])} == {decimals(base)}
        assert decimals(own[2]) >= decimals(base)
    rows = [numbers(text, f"q{i}") for i in range(SCORES[kind][0]) if f"\nq{i} " in text]
    assert len(rows) >= 8
    assert all(decimals(score) <= decimals(base) for row in rows for score in row[:2])
    pytest.importorskip("matplotlib")
    found = csig.compare(files[0], systems=NAMES[:2], id="id", lower_is_better=False)
    for picture, shown in (("forest", [difference, *ends]), ("null", [difference])):
        own = found if picture == "forest" else found["mean"]
        drawn = " ".join(said(own.plot(picture))).replace("−", "-")
        assert all(f" {own}" in f" {drawn}" for own in shown), (shown, drawn)
    drawn = " ".join(said(found.plot("scores"))).replace("−", "-")
    assert base in drawn
    assert newer in drawn


@given(st.integers(0, 10**6), st.integers(2, 40), st.booleans())
def test_the_error_is_that_of_paired_differences(seed, n, ratio):
    """As the linearized interval has it; the same whichever system is named first."""
    rng = np.random.default_rng(seed)
    if ratio:
        a, b = (rng.integers(1, 50, (n, 2)) for _ in "ab")
        pair = csig.Comparison.from_statistics(a, b, columns=("above", "below"))
        turned = csig.Comparison.from_statistics(b, a, columns=("above", "below"))
        metric = csig.Metric(
            "ratio", ("above", "below"), numerator={"above": 10}, denominator={"below": 1}
        )
    else:
        a, b = rng.normal(5, 2, (2, n)).round(3)
        pair, turned = (csig.Comparison.from_scores(*own) for own in ((a, b), (b, a)))
        metric = metrics.get("mean", pair.columns)
    error = paired_error(pair, metric)
    assert error == pytest.approx(paired_error(turned, metric), rel=1e-9)
    interval = csig.intervals.linearized_interval(pair, metric)
    if not ratio:
        assert error == pytest.approx(interval.standard_error, rel=1e-9)
    elif error is not None and n > 30:  # of all swaps, not of these data
        assert error == pytest.approx(interval.standard_error, rel=0.4)


@pytest.mark.parametrize("power", range(-6, 7))
def test_dust_decides_no_digit(power):
    """Errors that sums in another order give, on both sides of a power of ten."""
    error = 0.5 * 10.0**power
    around = [error * (1 + dust) for dust in (-1e-10, -1e-15, 0, 1e-15, 1e-10)]
    shown = {wording.figures([3e3, 4e3], False, [own]).score(3e3) for own in around}
    assert len(shown) == 1


@pytest.mark.parametrize("value", [0.027, -0.027])
def test_an_end_of_an_interval_is_never_0_but_for_0(value):
    figures = wording.Figures(False, 1)
    text = figures.score(value, sign=True)
    assert float(text) == value
    assert text.lstrip("+-") == figures.difference(value)
    assert figures.score(0.0, sign=True) == figures.difference(0.0) == "0.0"
    assert figures.score(value) == "0.0" if value > 0 else "-0.0"


def test_a_line_has_the_digits_of_the_table():
    a, b = [12.31, 14.2, 11.1, 15.2, 18.9, 3.3], [12.0, 14.1, 11.3, 15.0, 18.0, 3.1]
    pair = csig.Comparison.from_scores(a, b)
    interval = csig.intervals.linearized_interval(pair, "mean")
    units = csig.effects.unit_contributions(pair, "mean")
    compared = csig.compare({"B": b, "A": a}, lower_is_better=False)["mean"]
    for own in (csig.randomization_test(pair, "mean"), interval, units, compared):
        assert "A - B = +0.25" in repr(own), repr(own)
        assert "+0.251" not in repr(own)
    assert f"{interval.low:+.2f} to {interval.high:+.2f}" in repr(interval)


def test_training_samples_have_the_digits_of_their_spread():
    rng = np.random.default_rng(5)
    scores = rng.normal([[28.3], [28.0]], 0.4, (20, 2, 1)).tolist()
    own = csig.training.TrainingDistribution(scores, ("a", "b"), ("test",), "bootstrap")
    shown = {decimals(number) for name in "ab" for number in numbers(str(own), f"test  +{name}")}
    assert shown == {2}


def test_digits_ask_a_users_function_only_where_they_are_printed():
    calls = []

    def ratio(sums):
        calls.append(len(sums))
        return sums[:, 0] / sums[:, 1] * 30

    metric = csig.Metric("own", ("score", "n"), function=ratio)
    pair = csig.Comparison.from_scores([3.25, 5.5, 6.0, 7.75], [2.5, 5.0, 4.25, 9.0])
    tests = {
        "test": lambda: csig.randomization_test(pair, metric, rng=1, n_resamples=999),
        "interval": lambda: csig.intervals.linearized_interval(pair, metric),
        "bootstrap": lambda: csig.intervals.bootstrap_test(pair, metric, rng=1, n_resamples=999),
        "units": lambda: csig.effects.unit_contributions(pair, metric),
    }
    for name, make in tests.items():
        result = make()
        made = len(calls)
        shown = repr(result)
        assert len(calls) > made, name
        made = len(calls)
        assert repr(result) == shown
        assert len(calls) == made, name  # once, however often it is printed
        if name != "test":  # that can make its null distribution by the function
            assert repr(pickle.loads(pickle.dumps(result))) == shown
