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


def summary(names: tuple[str, str], method: str = "auto", alpha: float = 0.05) -> Summary:
    comparison = Comparison.from_counts(**PAPER, names=names)
    results = csig.randomization_test(comparison, METRICS, method=method, rng=1)
    options = Options(METRICS, "two-sided", method, 2**20, 1, None, None, 0, 0.99, alpha)
    intervals = {name: csig.intervals.linearized_interval(comparison, name) for name in METRICS}
    return Summary(
        "1.2.3", Input("counts", {"counts": "c.toml"}), comparison, options, results,
        intervals=intervals,
    )  # fmt: skip


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


def test_the_papers_example() -> None:
    text = render(document(summary(("I", "II")), HINT), "text", Rendering(width=80))
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


@pytest.mark.parametrize("method", ["exact", "approximate", "yeh2000"])
@pytest.mark.parametrize("width", [40, 60, 80, 100, 200])
@pytest.mark.parametrize("explain", [False, True])
def test_nothing_but_the_signature_is_wider_than_the_terminal(method, width, explain) -> None:
    text = printed(summary(("method I", "method II"), method), width, explain)
    *lines, signature = text.splitlines()
    assert max(map(len, lines)) <= width
    assert signature.startswith("csig|v:1.2.3|")


@pytest.mark.parametrize("method", ["exact", "approximate"])
def test_every_row_holds_its_numbers(method: str) -> None:
    made = summary(("method I", "method II"), method)
    lines = printed(made, 100).splitlines()
    for row, result in zip(("Recall ", "Precision ", "F1 "), made.results.values(), strict=True):
        (line,) = [line for line in lines if line.startswith(row)]
        a, b = result.score_a, result.score_b
        assert f"{100 * b:.2f}  " in line
        assert line.index(f"{100 * b:.2f}") < line.index(f"{100 * a:.2f}")
        assert f"{100 * result.statistic:+.2f}" in line
    explained = printed(made, 100, explain=True)
    for result in made.results.values():
        if result.n_hits is None:
            assert "All 2^86 shuffles are counted" in explained
        else:
            assert f"{result.n_hits:,}  1,048,576" in explained
            assert "0.000153 to 0.000222" in explained


def test_approximate_tests_say_how_many_shuffles_they_draw() -> None:
    text = printed(summary(("a", "b"), "approximate"))
    assert "Approximate test (1,048,576 shuffles), swapping 86 responses" in text
    twice = " ".join(printed(summary(("a", "b"), "yeh2000")).split())
    assert "Approximate test (2 x 1,048,576 shuffles), swapping 86 responses" in twice


def test_each_check_has_its_own_pvalue() -> None:
    made = summary(("a", "b"), "yeh2000")
    lines = printed(made).splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("Checks of Yeh"))
    rows = lines[start + 1 : start + 5]
    for row, result in zip(rows, made.results.values(), strict=False):
        assert result.checks is not None
        assert f"{result.n_hits:,} hits" in row
        assert f"{result.checks.second_run.n_hits:,} hits" in row
        assert row.endswith(f"{result.checks.second_run.agreement_pvalue:.3f}")
    sign = made.results["recall"].checks
    assert sign is not None
    assert rows[3].endswith(f"{sign.sign_test.agreement_pvalue:.3f}")
    assert f"p = {sign.sign_test.sign_pvalue:.6f}" in rows[3]


@pytest.mark.parametrize("name", ["[red]x[/red]", "[/]", ":smile:", "[link=x]y"])
def test_markup_in_names_is_text(name: str) -> None:
    assert printed(summary((name, "other"))).count(name) >= 2


def test_a_name_cannot_send_escape_sequences() -> None:
    out = printed(summary(("a\x1b[2J\x07", "b\nc")), explain=True)
    assert "\x1b" not in out
    assert "\x07" not in out
    assert r"b\nc" in out


def test_long_names_give_way_to_the_numbers() -> None:
    name = "a-name-that-is-" + "very-" * 20 + "long"
    out = printed(summary((name, "b")))
    assert " ".join(out.split()).startswith(f"{name} beats b on recall")
    assert re.search(r"^Recall +24\.27 +45\.63 ", out, re.MULTILINE)
    assert re.search(r"^ +b +a-name +a-name - b ", out, re.MULTILINE)


def test_plain_text_is_plain() -> None:
    out = printed(summary(("a", "b")), explain=True)
    assert out.isascii()
    assert not any(line.endswith(" ") for line in out.splitlines())


# ---- other units and metrics -------------------------------------------------------------

SENTENCES = (
    {"s1": [(0, 1, "LOC"), (4, 5, "PER")], "s2": [(0, 2, "ORG")], "s3": []},
    {"s1": [(0, 1, "LOC"), (4, 5, "PER")], "s2": [(0, 2, "ORG")], "s3": []},
    {"s1": [(0, 1, "PER"), (4, 5, "PER")], "s2": [(0, 1, "ORG")], "s3": []},
)


@pytest.mark.parametrize("method", ["auto", "approximate"])
@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize(
    ("unit", "short", "long"),
    [
        ("conflict", "swapping all 2 conflict groups.", "2 of 2 conflict groups differ"),
        (
            "key",
            "swapping the 2 of 3 keys that differ.",
            "2 of 3 keys differ; the test swaps these",
        ),
        (
            "cluster",
            "swapping the 1 of 1 cluster that differs.",
            "1 of 1 cluster differs; the test swaps this one",
        ),
    ],
)
def test_what_is_swapped(method: str, width: int, unit: str, short: str, long: str) -> None:
    comparison = Comparison.from_responses(
        *SENTENCES, unit=unit, conflict=csig.metrics.spans, clusters=dict.fromkeys(SENTENCES[0], 1)
    )
    made = of(comparison, "recall", "f1", method=method)
    lines = printed(made, width, explain=True).splitlines()[:-1]  # without the signature
    assert max(map(len, lines)) <= width
    said = " ".join(" ".join(lines).split())
    assert short in said
    assert long in said
    assert "A 3 responses, 3 correct, 0 spurious" in said


def test_units_that_do_not_differ_or_are_not_there() -> None:
    same = Comparison.from_statistics([[1, 2, 3]], [[1, 2, 3]], ("tp", "predicted", "gold"))
    out = printed(of(same, "f1"), explain=True)
    assert out.startswith("B and A do not differ in any item: there is nothing to test.")
    assert "None of 1 item differs." in out
    mean = csig.Metric("mean", ("score", "n"), numerator=(1, 0), denominator=(0, 1))
    out = printed(of(Comparison.from_scores([], []), mean), explain=True)
    assert "There are no items." in out
    assert re.search("^A +0 items, total score 0$", out, re.MULTILINE)


def test_columns_that_are_not_those_of_responses() -> None:
    names = [f"c{i}" for i in range(8)]
    a, b = [[1000 * i for i in range(8)]] * 2, [[5] * 8] * 2
    metrics = [
        csig.Metric("share", ("c0", "c1"), numerator=(1, 0), denominator=(1, 1)),
        csig.Metric("ratio", ("c2", "c1"), numerator=(1, 0), denominator=(0, 1)),
    ]
    out = printed(of(Comparison.from_statistics(a, b, names), *metrics), width=100, explain=True)
    assert "A      c0 0, c1 2,000, c2 4,000, c3 6,000, c4 8,000, c5 10,000 and 2 more col" in out
    assert "Gold" not in out
    header = r"^Metric, higher is better +B +A +A - B +p "  # no line of %
    assert re.search(header, out, re.MULTILINE)
    assert re.search(r"^Share +50\.00% +0\.00% +-50\.00 points ", out, re.MULTILINE)
    assert re.search(r"^Ratio +1 +2 +\+1 ", out, re.MULTILINE)


def test_sums_of_scores_are_decimal_numbers() -> None:
    mean = csig.Metric("mean", ("score", "n"), numerator=(1, 0), denominator=(0, 1))
    out = printed(of(Comparison.from_scores([0.5, 1000.25], [1, 2]), mean), explain=True)
    assert re.search(r"^A +2 items, total score 1,000\.75$", out, re.MULTILINE)


def test_one_sided_tests_say_so() -> None:
    out = printed(of(Comparison.from_counts(**PAPER), "recall", "f1", alternative="greater"))
    assert "one-sided" in out.splitlines()[3]
    assert "Exact one-sided test swapping" in out
    down = of(Comparison.from_counts(**PAPER), "recall", alternative="less")
    out = printed(down, explain=True)
    assert out.startswith("No evidence that B beats A on recall.")


def test_several_systems_say_what_is_not_adjusted(systems: Systems, table: str) -> None:
    said = " ".join(printed(systems).split())
    assert (
        "p (Holm) is adjusted for 2 comparisons with base; the intervals are not adjusted. Other "
        f"pairs of systems are not tested; csig systems {table} ranks all systems and" in said
    )


def test_an_undecided_verdict_says_what_would_settle_it() -> None:
    made = of(Comparison.from_counts(**PAPER), "precision", method="approximate")
    out = " ".join(printed(made).split())
    assert out.startswith("Undecided whether B and A differ on precision.")
    assert "undecided" in out
    assert re.search(r"the 99% interval of p, 0\.0\d+ to 0\.0\d+, contains 0\.05", out)
    assert re.search(r"about [\d,]+ shuffles would settle it", out)


# ---- several systems ---------------------------------------------------------------------


@pytest.mark.parametrize("width", [60, 100, 160])
def test_every_system_has_its_row(systems: Systems, width: int) -> None:
    lines = printed(systems, width).splitlines()
    assert max(map(len, lines[:-1])) <= width
    assert lines[0] == "x beats base on the mean; the same score as base for y."
    rows = [line.split() for line in lines]
    assert [row[:3] for row in rows if row[:1] in (["x"], ["y"])][1:] == [
        ["x", "1.9375", "+1"], ["y", "0.9375", "0"]
    ]  # fmt: skip
    (x,) = [row for row in rows if row[:2] == ["x", "1.9375"]]
    assert x[-3:] == ["6.10e-05", "*", "better"]
    assert lines[-1] == systems.signature
    explained = printed(systems, width, explain=True)
    assert re.search(r"^x +3\.05e-05 +exact$", explained, re.MULTILINE)
    assert re.search(r"^x +16 +0 +0$", explained, re.MULTILINE)


def test_a_document_has_everything(systems: Systems) -> None:
    for made, schema in ((summary(("a", "b")), "csig.compare"), (systems, "csig.compare.systems")):
        found = document(made)
        assert found.record()["schema"] == schema
        assert found.rows
        assert " compared with " in found.title
        assert found.signature == made.signature


# ---- how long it is ----------------------------------------------------------------------


def words_beside_numbers(text: str) -> int:
    return len([word for word in text.split() if re.search("[A-Za-z]", word)])


@pytest.mark.parametrize("names", [("new", "base"), ("logistic-regression", "nearest-centroid")])
def test_the_answer_is_short(names: tuple[str, str]) -> None:
    text = render(document(summary(names), HINT), "text")
    assert words_beside_numbers(text) <= 100


def test_prose_is_at_most_90_columns_wide() -> None:
    *lines, _ = printed(summary(("I", "II"), "yeh2000"), 300, explain=True).splitlines()
    assert max(map(len, lines)) <= 90


def test_columns_name_what_is_subtracted_from_what():
    numbers = Numbers.of([True])
    *_, difference = headers_of(("logistic-regression", "base"), numbers)
    assert difference == ("logistic-regression - base\npoints", "logistic\n- base\npoints")
    assert headers_of(("base", "a\nb"), numbers)[0][0] == "a\\nb\n%"


def test_colour_is_direction_and_a_star_significance():
    names = ("new", "baseline-1")
    better, worse = (verdict_cell(own, names) for own in ("better", "worse"))
    assert (better.text, better.short, better.tone) == ("* new better", "* new", "better")
    assert (worse.text, worse.short, worse.tone) == ("* baseline-1 better", "* baseline", "worse")
    assert verdict_cell("worse").text == "* worse"
    quiet = [verdict_cell(own, names) for own in ("none", "same", "undecided")]
    assert [cell.text for cell in quiet] == ["no evidence", "same score", "undecided"]
    assert [cell.tone for cell in quiet] == ["plain", "plain", "doubt"]
