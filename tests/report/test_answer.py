"""What ``csig compare`` says: the answer first, all numbers in their rows, nothing lost."""

from __future__ import annotations

import re

import pytest
from brute import PAPER

import csig
from csig.answers.answer import HINT, document
from csig.comparing.options import Options
from csig.comparing.sizes import Numbers, headers_of, verdict_cell
from csig.comparing.summary import Summary, Systems
from csig.data.comparison import Comparison
from csig.readers.request import Input
from csig.report.rendering import Rendering, render

METRICS = ("recall", "precision", "f1")


def summary(names: tuple[str, str], method: str = "auto") -> Summary:
    comparison = Comparison.from_counts(**PAPER, names=names)
    results = csig.randomization_test(comparison, METRICS, method=method, rng=1)
    options = Options(METRICS, "two-sided", method, 2**20, 1, None, None, 0, 0.99, 0.05)
    intervals = {name: csig.intervals.linearized_interval(comparison, name) for name in METRICS}
    source = Input("counts", {"counts": "c.toml"})
    return Summary("1.2.3", source, comparison, options, results, intervals=intervals)


def of(comparison: Comparison, *metrics: str | csig.Metric, **more) -> Summary:
    """A summary of any comparison."""
    asked = {"alternative": "two-sided", "method": "auto", "n_resamples": 999} | more
    results = csig.randomization_test(comparison, metrics, rng=1, **asked)
    options = Options(
        tuple(results), asked["alternative"], asked["method"], 999, 1, None, None, 0, 0.99, 0.05
    )
    return Summary("1.2.3", Input("responses", {"gold": "g"}), comparison, options, results)


def printed(made: Summary | Systems, width: int = 80, explain: bool = False) -> str:
    return render(document(made), "text", Rendering(width=width, explain=explain))


def has_row(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.MULTILINE) is not None


def test_the_papers_example() -> None:
    text = render(document(summary(("I", "II")), HINT), "text", Rendering(width=80))
    assert len([word for word in text.split() if re.search("[A-Za-z]", word)]) <= 100
    *lines, _ = text.splitlines()
    assert (
        "\n".join(lines)
        == """\
I beats II on recall and F1; II beats I on precision.

              II      I  I - II      95% interval
Metric         %      %  points            points         p  at 0.05
Recall     24.27  45.63  +21.36  +10.88 to +31.83  0.000195  * I better
Precision  64.10  49.47  -14.63   -29.81 to +0.55    0.0400  * II better
F1         35.21  47.47  +12.26   +1.28 to +23.25    0.0296  * I better

Exact test swapping 86 responses that only one system has.
Precision: the p-value and the 95% interval fall on different sides; they are
computed in different ways, and this is close.
Not corrected for testing 3 metrics. --explain says what this means."""
    )


@pytest.mark.parametrize(("method", "width", "explain"), [
    ("exact", 40, True), ("exact", 200, True), ("approximate", 60, True), ("yeh2000", 40, True),
    ("yeh2000", 80, False), ("exact", 40, False),
])  # fmt: skip
def test_nothing_but_the_signature_is_wider_than_the_terminal(method, width, explain) -> None:
    """Prose is never wider than 90 columns."""
    text = printed(summary(("I", "II"), method), width, explain)
    assert text.isascii()
    assert not any(line.endswith(" ") for line in text.splitlines())
    *lines, signature = text.splitlines()
    assert max(map(len, lines)) <= min(width, 90)
    assert signature.startswith("csig|v:1.2.3|")


@pytest.mark.parametrize(("method", "said", "explained"), [
    ("exact", "Exact test swapping 86", "All 2^86 shuffles are counted"),
    ("approximate", "Approximate test (1,048,576 shuffles), swapping 86 responses",
     "0.000153 to 0.000222"),
    ("yeh2000", "Approximate test (2 x 1,048,576 shuffles), swapping 86 responses", "hits"),
])  # fmt: skip
def test_shuffles_and_hits_are_said(method: str, said: str, explained: str) -> None:
    made = summary(("a", "b"), method)
    assert said in " ".join(printed(made).split())
    assert explained in " ".join(printed(made, 100, explain=True).split())
    if method == "approximate":
        text = printed(made, 100, explain=True)
        assert has_row(r"^Recall +\d+ +1,048,576 +0\.000153 to 0\.000222$", text)
        assert all(f"{own.n_hits:,}  1,048,576" in text for own in made.results.values())


def test_names_of_any_kind() -> None:
    """None sends escape sequences; long ones give way to the numbers."""
    out = printed(summary(("a\x1b[2J\x07", "b\nc")), explain=True)
    assert not {"\x1b", "\x07"} & set(out)
    assert r"b\nc" in out
    name = "a-name-that-is-" + "very-" * 20 + "long"
    out = printed(summary((name, "b")))
    assert " ".join(out.split()).startswith(f"{name} beats b on recall")
    assert has_row(r"^Recall +24\.27 +45\.63 ", out)
    assert has_row(r"^ +b +a-name +a-name - b ", out)


# ---- other units and metrics -------------------------------------------------------------

SENTENCES = (
    {"s1": [(0, 1, "LOC"), (4, 5, "PER")], "s2": [(0, 2, "ORG")], "s3": []},
    {"s1": [(0, 1, "LOC"), (4, 5, "PER")], "s2": [(0, 2, "ORG")], "s3": []},
    {"s1": [(0, 1, "PER"), (4, 5, "PER")], "s2": [(0, 1, "ORG")], "s3": []},
)


@pytest.mark.parametrize(("unit", "method", "swapped", "explained"), [
    ("conflict", "auto", "swapping all 2 conflict groups.", "2 of 2 conflict groups differ"),
    ("key", "approximate", "swapping the 2 of 3 keys that differ.",
     "2 of 3 keys differ; the test swaps these"),
    ("cluster", "auto", "swapping the 1 of 1 cluster that differs.",
     "1 of 1 cluster differs; the test swaps this one"),
])  # fmt: skip
def test_what_is_swapped(unit: str, method: str, swapped: str, explained: str) -> None:
    comparison = Comparison.from_responses(
        *SENTENCES, unit=unit, conflict=csig.metrics.spans, cluster=dict.fromkeys(SENTENCES[0], 1)
    )
    made = of(comparison, "recall", "f1", method=method)
    lines = printed(made, 40, explain=True).splitlines()[:-1]  # without the signature
    assert max(map(len, lines)) <= 40
    said = " ".join(" ".join(lines).split())
    assert swapped in said
    assert explained in said
    assert "A 3 responses, 3 correct, 0 spurious" in said


MEAN = csig.Metric("mean", ("score", "n"), numerator=(1, 0), denominator=(0, 1))
SHARE = csig.Metric("share", ("c0", "c1"), numerator=(1, 0), denominator=(1, 1))
RATIO = csig.Metric("ratio", ("c2", "c1"), numerator=(1, 0), denominator=(0, 1))
COLUMNS = Comparison.from_statistics(
    [[1000 * i for i in range(8)]] * 2, [[5] * 8] * 2, [f"c{i}" for i in range(8)]
)
SAME = Comparison.from_statistics([[1, 2, 3]], [[1, 2, 3]], ("tp", "predicted", "gold"))
PAPERS = Comparison.from_counts(**PAPER)


@pytest.mark.parametrize(("made", "rows"), [
    (of(SAME, "f1"), ["^B and A do not differ in any item: there is nothing to test",
                      r"None of 1 item differs\."]),
    (of(Comparison.from_scores([], []), MEAN),
     [r"There are no items\.", "^A +0 items, total score 0$"]),
    (of(Comparison.from_scores([0.5, 1000.25], [1, 2]), MEAN),
     [r"^A +2 items, total score 1,000\.75$"]),
    # No line of %, and no gold.
    (of(COLUMNS, SHARE, RATIO),
     ["^A      c0 0, c1 2,000, c2 4,000, c3 6,000, c4 8,000, c5 10,000 and 2 more col",
      r"^Metric, higher is better +B +A +A - B +p ",
      r"^Share +50\.00% +0\.00% +-50\.00 points ", r"^Ratio +1 +2 +\+1 "]),
    (of(PAPERS, "recall", "f1", alternative="greater"),
     ["one-sided  at 0.05$", "Exact one-sided test swapping",
      r"^86 responses come from only one system \(34 correct, 52 spurious\); the test swaps"]),
    (of(PAPERS, "recall", alternative="less"), [r"\ANo evidence that B beats A on recall\."]),
])  # fmt: skip
def test_units_and_columns_of_any_kind(made: Summary, rows: list[str]) -> None:
    out = printed(made, 100, explain=True)
    assert not [row for row in rows if not has_row(row, out)], out
    assert ("Gold" in out) == (made.comparison in (SAME, PAPERS))


# ---- several systems ---------------------------------------------------------------------


def test_every_system_has_its_row(systems: Systems, table: str) -> None:
    lines = printed(systems, 60).splitlines()
    assert max(map(len, lines[:-1])) <= 60
    assert lines[0] == "x beats base on the mean; the same score as base for y."
    rows = [line.split() for line in lines]
    assert [row[:3] for row in rows if row[:1] in (["x"], ["y"])][1:] == [
        ["x", "1.94", "+1.00"], ["y", "0.94", "0.00"]
    ]  # fmt: skip
    (x,) = [row for row in rows if row[:2] == ["x", "1.94"]]
    assert x[-3:] == ["6.10e-05", "*", "better"]
    assert lines[-1] == systems.signature
    explained = printed(systems, 60, explain=True)
    assert has_row(r"^x +3\.05e-05 +exact$", explained)
    assert has_row(r"^x +16 +0 +0$", explained)
    assert has_row(r"^y +8 +8 +0$", explained)
    assert (
        "p (Holm) is adjusted for 2 comparisons with base; the intervals are not adjusted. Other "
        f"pairs of systems are not tested; csig systems {table} ranks all systems and"
    ) in " ".join(printed(systems).split())


def test_headers_and_verdicts_of_short_names() -> None:
    """Colour is direction, and a star significance."""
    *_, difference = headers_of(("logistic-regression", "base"), Numbers.of([True]))
    assert difference == ("logistic-regression - base\npoints", "logistic\n- base\npoints")
    names = ("new", "baseline-1")
    better, worse = (verdict_cell(own, names) for own in ("better", "worse"))
    assert (better.text, better.short, better.tone) == ("* new better", "* new", "better")
    assert (worse.text, worse.short, worse.tone) == ("* baseline-1 better", "* baseline", "worse")
    assert verdict_cell("worse").text == "* worse"
    quiet = [verdict_cell(own, names) for own in ("none", "same", "undecided")]
    assert [cell.text for cell in quiet] == ["no evidence", "same score", "undecided"]
    assert [cell.tone for cell in quiet] == ["plain", "plain", "doubt"]
