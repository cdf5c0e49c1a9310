"""What is said of two systems and several: the expressions of answers.txt, and what they print.

``PYTHONPATH=.:tests python tests/report/test_answer.py`` writes it anew: read the difference.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from brute import PAPER
from printed import expected, printed, rewrite

import csig
from csig import Comparison, Metric
from csig.answers.answer import HINT, document, document_of_estimates
from csig.comparing import conclusions, signature, verdict
from csig.comparing.described import document_of_description
from csig.comparing.estimates import Estimates, Row
from csig.comparing.options import Options
from csig.comparing.sizes import Numbers, headers_of, verdict_cell
from csig.comparing.summary import Summary, Systems
from csig.data.comparison import Exclusions
from csig.readers.describe import Description, LabelRow, SystemRow
from csig.readers.request import Input
from csig.report.document import Section
from csig.report.rendering import Rendering, render
from csig.report.shown import document_of
from csig.results.randomization import (
    Decision,
    RandomizationResult,
    SecondRun,
    SignCheck,
    Yeh2000Checks,
)

PRINTED = Path(__file__).with_name("answers.txt")

NAMES = ("new", "base")
ALL = ("recall", "precision", "f1")
YEH = Comparison.from_counts(**PAPER, names=("I", "II"))
OPTIONS = Options((), "two-sided", "auto", 2**20, 1, None, None, 0, 0.99, 0.05)
EXCLUSIONS = Exclusions
scores, conflict = Comparison.from_scores, csig.metrics.spans

# ---- csig compare --------------------------------------------------------------------------------


def made(comparison: Comparison, *metrics: str | Metric, **asked: Any) -> Summary:
    results = csig.randomization_test(comparison, metrics, **{"rng": 1, **asked})
    own = {name: value for name, value in asked.items() if name in ("alternative", "method")}
    options = replace(OPTIONS, metrics=tuple(results), **own)
    source = Input("counts", {"counts": "c.toml"})
    return Summary("1.2.3", source, comparison, options, results, metrics=metrics)


def beside(own: Summary) -> Summary:
    """With linearized intervals."""
    interval = csig.intervals.linearized_interval
    return replace(own, intervals={name: interval(own.comparison, name) for name in own.results})


def said(own: Summary, width: int = 80, explain: bool = False) -> str:
    made = document(own, "" if explain else HINT)
    text = render(made, "text", Rendering(width=width, explain=explain))
    *lines, last = text.splitlines()
    assert last.startswith("csig|v:")
    assert not [own for own in lines if len(own) > min(width, 90) and " " in own]
    assert not any(line.endswith(" ") for line in lines)
    return text


def explained(own: Summary) -> list[str]:
    """The paragraphs of the explanation."""
    sections = [part for part in conclusions.explanation(own) if isinstance(part, Section)]
    return [line for part in sections for line in part.blocks if isinstance(line, str)]


def named(*names: str) -> Comparison:
    return Comparison.from_counts(**PAPER, names=names)


SENTENCES = (
    {"s1": [(0, 1, "LOC"), (4, 5, "PER")], "s2": [(0, 2, "ORG")], "s3": []},
    {"s1": [(0, 1, "LOC"), (4, 5, "PER")], "s2": [(0, 2, "ORG")], "s3": []},
    {"s1": [(0, 1, "PER"), (4, 5, "PER")], "s2": [(0, 1, "ORG")], "s3": []},
)


def at(unit: str) -> Comparison:
    return Comparison.from_responses(
        *SENTENCES, unit=unit, conflict=conflict, cluster=dict.fromkeys(SENTENCES[0], 1)
    )


def ratio(name: str, above: str, below: str, **options: bool) -> Metric:
    return Metric(name, (above, below), numerator=(1, 0), denominator=(0, 1), **options)


MEAN, LENGTH = ratio("mean", "score", "n"), ratio("length", "words", "n")
WER = ratio("wer", "errors", "words", greater_is_better=False)
SHARE = Metric("share", ("c0", "c1"), numerator=(1, 0), denominator=(1, 1))
COLUMNS = Comparison.from_statistics(
    [[1000 * i for i in range(8)]] * 2, [[5] * 8] * 2, [f"c{i}" for i in range(8)]
)


def tabled(a: Any, b: Any, columns: str = "tp predicted gold") -> Comparison:
    return Comparison.from_statistics(a, b, columns.split(), names=NAMES)


def errors(a: int, b: int) -> Comparison:
    """Eight units of ten words."""
    return tabled([[a, 10, 1]] * 8, [[b, 10, 1]] * 8, "errors words n")


LONG, SHORT = [[0, 31, 1], [0, 29, 1]], [[0, 12, 1], [0, 13, 1]]

# ---- csig interval, csig describe ----------------------------------------------------------------


def estimated(*rows: Row, width: int = 70, comparison: Comparison = YEH) -> str:
    metric = "recall" if comparison is YEH else "mean"
    found = Estimates(
        "1.2.3", Input("counts", {"counts": "c.toml"}), OPTIONS, "response", {metric: list(rows)},
        [((metric,), comparison)],
    )  # fmt: skip
    return render(document_of_estimates(found), "text", Rendering(width=width))


def row(comparison: Comparison, what: Any, *names: str) -> Row:
    metric = "recall" if comparison is YEH else "mean"
    interval = csig.intervals.linearized_interval(comparison, metric, what)
    return Row(names, interval.estimate, interval, 34 if what == "difference" else None)


THREE = scores([3.5, 4.0, 5.5], [3.0, 3.0, 5.0])


def described(labels: int) -> str:
    """Tags of two systems, with so many labels."""
    names = [f"L{i}" for i in range(labels)]
    found = Description(
        input=Input("tags", {"gold": "g", "a": "a", "b": "b"}),
        units={"sentence": 1200},
        systems=[SystemRow(name, {"found": 8}, {"recall": 0.5}) for name in ("a", "b\x1b")],
        labels=[LabelRow(name, 4, {"a": 2, "b\x1b": 0}, {"a": 1, "b\x1b": 0}) for name in names],
        gold=4,
        notes=["A note."],
        suspicious=["A doubt."],
    )
    return render(document_of_description(found), "text", Rendering())


# ---- the answer in a sentence --------------------------------------------------------------------


def result(a: list[float], b: list[float], alternative: str = "two-sided", **options: Any) -> Any:
    comparison = scores(a, b, names=NAMES)
    metric = ratio("loss", "score", "n", **options)
    return csig.randomization_test(comparison, metric, alternative=alternative)


UP, DOWN = result([1.0] * 9, [0.5] * 9), result([0.5] * 9, [1.0] * 9)
SAME, NONE = result([1.0, 0.0], [0.0, 1.0]), result([1.0, 0.5], [0.5, 0.5])
ALIKE = result([1.0, 0.5], [1.0, 0.5])
#: No evidence that A beats B, that B beats A, and that B has less, which is better.
ABOVE, BELOW = (result([1, 0.5], [0.5, 0.5], way) for way in ("greater", "less"))
LESS = result([1, 0.5], [0.5, 0.5], "less", greater_is_better=False)
BY_OUTCOME = {"better": UP, "worse": DOWN, "same": SAME, "none": NONE, "undecided": UP, "few": UP}


def few(n: int, total: int | None = None, **options: Any) -> RandomizationResult:
    """So many stories, of which all differ but those that are more."""
    total = total or n
    clusters = {"cluster": range(total), "cluster_name": "story"}
    own = scores([1.0] * n + [0.0] * (total - n), [0.0] * total, names=NAMES, **clusters)
    found: Any = csig.randomization_test(own, "mean", **options)
    return found


def two(outcomes: str, total: int | None = None, **results: Any) -> str:
    found: Any = dict(own.split("=") for own in outcomes.split())
    own = {metric: BY_OUTCOME[kind] for metric, kind in found.items()} | results
    return conclusions.of_two(found, own, NAMES, totals=dict.fromkeys(found, total))


def parsed(rows: str) -> Any:
    return [tuple(own.rsplit("=", 1)) for own in rows.split(", ")]


def several(tested: RandomizationResult = UP, **rows: str) -> list[str]:
    found = {metric: parsed(own) for metric, own in rows.items()}
    return conclusions.of_systems(found, dict.fromkeys(found, tested), "base")


def parts(by: str, **rows: str) -> list[str]:
    found = {metric: parsed(own) for metric, own in rows.items()}
    return conclusions.of_parts(found, dict.fromkeys(found, UP), NAMES, by)


def compared(
    alpha: float = 0.05, every: int | None = None, finer: bool = True, **right: str
) -> str:
    """What csig.compare says first of systems beside one that has nothing right."""
    n = len(right["new"])
    systems = {"base": [0] * n, **{name: list(map(int, own)) for name, own in right.items()}}
    options: Any = {} if every is None else {"cluster": [f"c{i // every}" for i in range(n)]}
    found = csig.compare(systems, alpha=alpha, sensitivity=finer, **options)
    return "\n".join(document_of(found).verdict)


def what_is_tested(*given: Summary) -> str:
    return conclusions.tested(given, given[0].results)


# ---- verdicts, doubts, notes ---------------------------------------------------------------------


def sentence(comparison: Comparison, metric: Any, alpha: float = 0.05, **options: Any) -> str:
    found: Any = csig.randomization_test(comparison, metric, **options)
    return verdict.sentence(found, alpha, comparison.names)


def drawn(hits: int, trials: int, decided: str = "", **changes: Any) -> RandomizationResult:
    """A result with these hits; nothing was shuffled."""
    own: Any = csig.randomization_test(YEH, "f1", method="approximate", n_resamples=1, rng=1)
    if decided:
        n = None if decided == "undecided" else trials
        changes["decision"] = Decision(0.05, 1e-6, decided, n)
    pvalue = (hits + 1) / (trials + 1)
    return replace(own, n_hits=hits, n_resamples=trials, pvalue=pvalue, **changes)


def of_drawn(*given: Any) -> str:
    return verdict.sentence(drawn(*given), 0.05, ("I", "II"))


def doubts(comparison: Comparison, *metrics: Any, **options: Any) -> list[str]:
    results = csig.randomization_test(comparison, metrics, **options).values()
    return verdict.cautions(comparison, results)


def notes(comparison: Comparison, *metrics: Any, **options: Any) -> list[str]:
    results = csig.randomization_test(comparison, metrics, **options).values()
    return verdict.notes(comparison, results)


def doubts_of(*results: RandomizationResult, alpha: float = 0.05) -> list[str]:
    return verdict.cautions(YEH, results, alpha)


def notes_of(*results: RandomizationResult) -> list[str]:
    return verdict.notes(YEH, results)


FAILED = Yeh2000Checks(
    SecondRun(n_hits=99, pvalue=0.1, agreement_pvalue=1e-9),
    SignCheck(n_hits=3, pvalue=0.004, sign_pvalue=0.5, agreement_pvalue=1e-12),
)


def unequal(only_a: int) -> Comparison:
    return Comparison.from_counts(gold=20, both_correct=1, only_a_correct=only_a, only_b_correct=0)


ZERO = Comparison.from_counts(gold=0, only_a_correct=0, only_b_correct=0, only_a_spurious=9)
EQUAL = Comparison.from_counts(gold=10, only_a_correct=3, only_b_correct=3)
TINY = Comparison.from_counts(gold=5000, only_a_correct=4500, only_b_correct=0)
IDENTICAL = Comparison.from_counts(gold=10, both_correct=3, only_a_correct=0, only_b_correct=0)
GOLD = Comparison.from_counts(gold=4, only_a_correct=4, only_b_correct=0, names=("x", "y"))
#: Two wrong labels for one place: no test of groups can tell them apart.
WRONG = Comparison.from_responses(
    ["1/x"], ["1/y"], ["1/z"], unit="conflict", conflict=lambda r: r[0]
)
ONE = {0: [(0, 1, "X")]}
SENTENCE = Comparison.from_responses(
    ONE, ONE, {0: [(0, 1, "Y")]}, key_name="sentence", conflict=conflict
)
VALUES = np.random.default_rng(2).random((3, 20)).round(2)
RUNS = scores(VALUES, VALUES[::-1])


def notes_of_runs(comparison: Comparison, *paired: bool) -> list[str]:
    return verdict.notes_of_runs(comparison, *paired)


# ---- citations -----------------------------------------------------------------------------------

FEW = {"method": "approximate", "n_resamples": 99, "rng": 1}
SHUFFLES = {"method": "approximate", "n_resamples": 2000, "rng": 7}
P = made(YEH, "f1").results["f1"].pvalue
DECIDED = {"method": "approximate", "decide_at": 0.05, "rng": 1}


def cited(own: Summary, **options: Any) -> str:
    """The methods sentence, and the keys of the references."""
    own = replace(own, options=replace(OPTIONS, **options))
    found = signature.cited_systems([own])
    assert found.methods.isprintable()
    assert found.methods.count("(") == found.methods.count(")")
    keys = [re.match(r"@\w+\{(\w+),", own.bibtex) for own in found.references]
    return f"{found.methods}\n{' '.join(own[1] for own in keys if own)}"


def in_parts(options: Any, asked: Any) -> Summary:
    found = csig.effects.breakdown({"x": YEH}, "f1", **options)
    return replace(made(YEH, "f1", **asked), breakdown=found)


def mixed() -> Summary:
    """Of two metrics one was counted, and one drawn."""
    counted, other = (
        made(YEH, m, alternative="greater", **o) for m, o in (("recall", {}), ("f1", FEW))
    )
    return replace(counted, results={**counted.results, **other.results})


def resampled(method: Any) -> Summary:
    drawn = {"method": method, "rng": 1, "n_resamples": 999}
    return replace(
        made(YEH, "f1"), intervals={"f1": csig.intervals.bootstrap_interval(YEH, "f1", **drawn)}
    )


# ---- all of them ---------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::csig.DataWarning")
@pytest.mark.parametrize(("expression", "text"), expected(PRINTED).items())
def test_what_is_said(expression: str, text: str) -> None:
    assert printed(expression, globals()) == text


@pytest.mark.parametrize("width", [40, 60, 200])
@pytest.mark.parametrize("method", ["exact", "approximate", "yeh2000"])
def test_nothing_but_the_signature_is_wider_than_the_terminal(method: str, width: int) -> None:
    own = made(YEH, *ALL, method=method)
    assert said(own, width, explain=True).isascii()
    assert said(beside(own), width).isascii()


def test_every_system_has_its_row(systems: Systems, table: str) -> None:
    def shown(width: int, explain: bool = False) -> str:
        return render(document(systems), "text", Rendering(width=width, explain=explain))

    lines = shown(60).splitlines()
    assert max(map(len, lines[:-1])) <= 60
    assert lines[0] == "x beats base on the mean; the same score as base for y."
    rows = [line.split() for line in lines]
    assert [row[:3] for row in rows if row[:1] in (["x"], ["y"])][1:] == [
        ["x", "1.9375", "+1"], ["y", "0.9375", "0"]
    ]  # fmt: skip
    (x,) = [row for row in rows if row[:2] == ["x", "1.9375"]]
    assert x[-3:] == ["6.10e-05", "*", "better"]
    assert lines[-1] == systems.signature
    explained = shown(60, explain=True)
    assert re.search(r"^x +3\.05e-05 +exact$", explained, re.MULTILINE)
    assert re.search(r"^x +16 +0 +0$", explained, re.MULTILINE)
    assert re.search(r"^y +8 +8 +0$", explained, re.MULTILINE)
    assert (
        "p (Holm) is adjusted for 2 comparisons with base; the intervals are not adjusted. Other "
        f"pairs of systems are not tested; csig systems {table} ranks all systems and"
    ) in " ".join(shown(80).split())


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


if __name__ == "__main__":
    rewrite(PRINTED, globals())
