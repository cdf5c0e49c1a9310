from __future__ import annotations

import dataclasses
import io
import re
from pathlib import Path

import pytest
from brute import PAPER
from rich.console import Console

import csig
from csig.comparison import Comparison
from csig.readers.source import Input
from csig.report.options import Options
from csig.report.summary import Summary
from csig.report.terminal.comparison import print_summary
from csig.report.terminal.console import make_console

METRICS = ("recall", "precision", "f1")


def summary(names: tuple[str, str], method: str = "auto", alpha: float = 0.05) -> Summary:
    comparison = Comparison.from_counts(**PAPER, names=names)
    results = csig.randomization_test(comparison, METRICS, method=method, rng=1)
    options = Options(METRICS, "two-sided", method, 2**20, 1, None, None, 0, 0.99, alpha)
    return Summary("1.2.3", Input("counts", {"counts": "c.toml"}), comparison, options, results)


def of(comparison: Comparison, *metrics: str | csig.Metric, method: str = "auto") -> Summary:
    """A summary of any comparison."""
    results = csig.randomization_test(comparison, metrics, method=method, rng=1, n_resamples=999)
    options = Options(tuple(results), "two-sided", method, 999, 1, None, None, 0, 0.99, 0.05)
    return Summary("1.2.3", Input("responses", {"gold": "g"}), comparison, options, results)


def printed(made: Summary, width: int = 80, terminal: bool = False) -> str:
    file = io.StringIO()
    console = Console(
        file=file, width=width, force_terminal=terminal, no_color=True, markup=False, emoji=False
    )
    print_summary(console, made)
    return file.getvalue()


@pytest.mark.parametrize("method", ["exact", "approximate", "yeh2000"])
@pytest.mark.parametrize("width", [40, 60, 80, 100, 200])
def test_nothing_but_the_signature_is_wider_than_the_terminal(method: str, width: int) -> None:
    *lines, signature = printed(summary(("method I", "method II"), method), width).splitlines()
    assert max(map(len, lines)) <= width
    assert signature.startswith("csig 1.2.3")


@pytest.mark.parametrize("method", ["exact", "approximate"])
def test_at_80_columns_every_row_holds_its_numbers(method: str) -> None:
    made = summary(("method I", "method II"), method)
    lines = printed(made).splitlines()
    for row, result in zip(("Recall ", "Precision ", "F1 "), made.results.values(), strict=True):
        (line,) = [line for line in lines if line.startswith(row)]
        assert f"{100 * result.score_a:.2f}" in line
        assert f"{100 * result.score_b:.2f}" in line
        assert f"{100 * result.statistic:+.2f}" in line
        if result.n_hits is None:
            assert "exact, all 2^86 shuffles" in line
        else:
            assert f"{result.n_hits:,} hits of 1,048,576" in line
    assert any("method I  method II" in line for line in lines)


def test_the_interval_is_below_the_hits() -> None:
    lines = printed(summary(("a", "b"), "approximate"), 100).splitlines()
    index = next(i for i, line in enumerate(lines) if "approximate: 194 hits of" in line)
    assert "99% interval of p: 0.000153 to 0.000222" in lines[index + 1]


def test_each_check_has_its_own_pvalue() -> None:
    made = summary(("a", "b"), "yeh2000")
    lines = printed(made).splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("Checks of Yeh"))
    rows = lines[start + 2 : start + 6]
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
@pytest.mark.parametrize("terminal", [False, True])
def test_markup_in_names_is_text(name: str, terminal: bool) -> None:
    out = printed(summary((name, "other")), terminal=terminal)
    assert out.count(name) >= 2


def test_a_name_cannot_send_escape_sequences() -> None:
    out = printed(summary(("a\x1b[2J\x07", "b\nc")))
    assert "\x1b" not in out
    assert "\x07" not in out
    assert r"b\nc" in out


def test_long_names_give_way_to_the_numbers() -> None:
    name = "a-name-that-is-" + "very-" * 20 + "long"
    out = printed(summary((name, "b")))
    assert "45.63" in out
    assert "exact, all 2^86 shuffles" in out


def test_what_is_not_a_terminal_gets_plain_text() -> None:
    out = printed(summary(("a", "b")))
    assert out.isascii()
    assert not any(line.endswith(" ") for line in out.splitlines())


def test_a_pipe_is_100_columns_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert make_console(io.StringIO()).width == 100
    monkeypatch.setenv("COLUMNS", "70")
    assert make_console(io.StringIO()).width == 70
    monkeypatch.setenv("COLUMNS", "0")
    assert make_console(io.StringIO()).width == 80


def test_a_terminal_that_has_only_ascii(tmp_path: Path) -> None:
    with open(tmp_path / "out", "w", encoding="ascii", errors="backslashreplace") as file:
        print_summary(Console(file=file, width=80, force_terminal=True), summary(("a", "\u6570")))
    assert "\\u6570" in (tmp_path / "out").read_text(encoding="ascii")


# ---- other units ------------------------------------------------------------------------

SENTENCES = (
    {"s1": [(0, 1, "LOC"), (4, 5, "PER")], "s2": [(0, 2, "ORG")], "s3": []},
    {"s1": [(0, 1, "LOC"), (4, 5, "PER")], "s2": [(0, 2, "ORG")], "s3": []},
    {"s1": [(0, 1, "PER"), (4, 5, "PER")], "s2": [(0, 1, "ORG")], "s3": []},
)


@pytest.mark.parametrize("method", ["auto", "approximate"])
@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize(
    ("unit", "shown", "expected"),
    [
        ("conflict", "conflict", "2 of 2 conflict groups differ; the test swaps these"),
        ("key", "sentence", "2 of 3 sentences differ; the test swaps these"),
        ("key", "key", "2 of 3 keys differ; the test swaps these"),
        ("cluster", "cluster", "1 of 1 cluster differs; the test swaps this one"),
    ],
)
def test_what_is_exchanged(method: str, width: int, unit: str, shown: str, expected: str) -> None:
    comparison = Comparison.from_responses(
        *SENTENCES, unit=unit, conflict=csig.spans, clusters=dict.fromkeys(SENTENCES[0], 1)
    )
    made = of(dataclasses.replace(comparison, unit=shown), "recall", "f1", method=method)
    lines = printed(made, width).splitlines()[:-1]  # without the signature
    assert max(map(len, lines)) <= width
    assert expected in " ".join(" ".join(lines).split())
    assert any(line.startswith("Units") for line in lines)
    assert not any(line.startswith("Unique") for line in lines)
    assert "A      3 responses, 3 correct, 0 spurious" in lines or width == 40


def test_units_that_do_not_differ_or_are_not_there() -> None:
    same = Comparison.from_statistics([[1, 2, 3]], [[1, 2, 3]], ("tp", "predicted", "gold"))
    assert "Units  none of 1 item differs" in printed(of(same, "f1"))
    mean = csig.Metric("mean", ("score", "n"), numerator=(1, 0), denominator=(0, 1))
    out = printed(of(Comparison.from_scores([], []), mean))
    assert "Units  there are no items" in out
    assert "A      0 items, total score 0" in out


def test_columns_that_are_not_those_of_responses() -> None:
    names = [f"c{i}" for i in range(8)]
    a, b = [[1000 * i for i in range(8)]] * 2, [[5] * 8] * 2
    metrics = [
        csig.Metric("share", ("c0", "c1"), numerator=(1, 0), denominator=(1, 1)),
        csig.Metric("ratio", ("c2", "c1"), numerator=(1, 0), denominator=(0, 1)),
    ]
    out = printed(of(Comparison.from_statistics(a, b, names), *metrics), width=100)
    assert "A      c0 0, c1 2,000, c2 4,000, c3 6,000, c4 8,000, c5 10,000 and 2 more col" in out
    assert "Gold" not in out
    assert re.search(r"^Metric +A +B +Difference  two-sided", out, re.MULTILINE)  # no line of %
    assert re.search(r"^Share +0\.00% +50\.00% +-50\.00% ", out, re.MULTILINE)
    assert re.search(r"^Ratio +2 +1 +\+1 ", out, re.MULTILINE)


def test_sums_of_scores_are_decimal_numbers() -> None:
    mean = csig.Metric("mean", ("score", "n"), numerator=(1, 0), denominator=(0, 1))
    out = printed(of(Comparison.from_scores([0.5, 1000.25], [1, 2]), mean))
    assert "A      2 items, total score 1,000.75" in out
