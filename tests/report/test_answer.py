"""What is said of two systems and several: the expressions of answers.txt, and what they print."""

import itertools
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
from csig.comparing.estimates import Estimates, Row
from csig.comparing.options import Options
from csig.comparing.sizes import Numbers, headers_of, verdict_cell
from csig.comparing.summary import Summary, Systems
from csig.data.comparison import Exclusions, paired_error
from csig.data.metrics import get
from csig.probability.binomial import clopper_pearson
from csig.readers.request import Input
from csig.report.document import Names, Section, Table
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

NAMES, COUNTS = ("new", "base"), ("tp", "predicted", "gold")
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
    assert re.fullmatch(r"csig 1\.2\.3 · .+ · [0-9a-f]{10}", last)
    assert not [own for own in lines if len(own) > min(width, 90) and " " in own]
    assert not any(line.endswith(" ") for line in lines)
    return text


def paragraphs(blocks: list[Any]) -> list[str]:
    sections = [part for part in blocks if isinstance(part, Section)]
    return [line for part in sections for line in part.blocks if isinstance(line, str)]


def explained(own: Summary) -> list[str]:
    return paragraphs(conclusions.explanation(own))


def of_runs(more: float, n: int = 3) -> list[list[str]]:
    """What the explanation has in its table of runs, of which the last scores so much more."""
    table = 0.5 + (np.random.default_rng(3).random((2, 3, 20)).round(2) - 0.5) / 4
    table[:, 2] += 2 * more
    own = made(scores(*table[:, :n], names=NAMES), "mean")
    own = replace(own, runs={"mean": csig.intervals.run_variance(own.comparison, "mean")})
    sections = [part for part in conclusions.explanation(own) if isinstance(part, Section)]
    tables = [block for part in sections for block in part.blocks if isinstance(block, Table)]
    return [
        [own.header for own in found.columns] + [cell.text for row in found.rows for cell in row]
        for found in tables if found.name == "runs"
    ]  # fmt: skip


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
    differ = 34 if what == "difference" else None
    error = paired_error(comparison, get(metric, comparison.columns))
    return Row(names, interval.estimate, interval, differ, error=error)


THREE = scores([3.5, 4.0, 5.5], [3.0, 3.0, 5.0])


# ---- the answer in a sentence --------------------------------------------------------------------


def result(a: list[float], b: list[float], alternative: str = "two-sided", **options: Any) -> Any:
    comparison = scores(a, b, names=NAMES)
    metric = ratio("loss", "score", "n", **options)
    return csig.randomization_test(comparison, metric, alternative=alternative)


UP, DOWN = result([1.0] * 9, [0.5] * 9), result([0.5] * 9, [1.0] * 9)
SAME, NONE = result([1.0, 0.0], [0.0, 1.0]), result([1.0, 0.5], [0.5, 0.5])
LITTLE, NINES = result([1.0] * 9, [0.75] * 9), result([9.0] * 9, [5.0] * 9)
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


def several(*tested: RandomizationResult, **rows: str) -> list[str]:
    """The results are those that are given, one after another, again and again."""
    found = {metric: parsed(own) for metric, own in rows.items()}
    every = itertools.cycle(tested or [UP])
    results = {metric: [next(every) for _ in own] for metric, own in found.items()}
    return conclusions.of_systems(found, results, "base")


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


def outcomes(*found: tuple[Any, str]) -> list[str]:
    return [verdict.outcome(own, said) for own, said in found]


def outcome_at(n: int, alternative: str = "two-sided", alpha: float = 0.05) -> str:
    own = few(n, alternative=alternative)
    return verdict.outcome(own, verdict.verdict(own, alpha), alpha)


def undecided(own: Any, alpha: float = 0.05) -> str:
    return conclusions.undecided(own, alpha)


def pvalue_intervals(own: Any) -> str:
    return conclusions.pvalue_intervals([own], 0.05)


def precision(**options: Any) -> Any:
    return csig.randomization_test(YEH, "precision", **options)


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


def headers(*names: str) -> Any:
    return headers_of(Names(names[::-1]), Numbers.of([True]))


def cells(*outcomes: str, names: Any = None) -> list[Any]:
    """Colour is direction, and a star significance."""
    return [verdict_cell(own, names and Names(names[::-1])) for own in outcomes]


def cautions_of_runs(pvalue: float, low: float, runs: int | None = 3) -> list[str]:
    """With another p-value, and another interval."""
    result = replace(csig.randomization_test(RUNS, "mean"), pvalue=pvalue)
    interval = replace(csig.intervals.crossed_interval(RUNS, "mean"), low=low, high=0.5)
    intervals = {"mean": replace(interval, n_runs=runs), "x": "no reason"}
    return verdict.cautions_of_runs(intervals, {"mean": result}, 0.05)


def cautions_of_parts(alternative: Any = "two-sided", **sizes: int) -> list[str]:
    """On each unit A is better: five give 2^-4 at best, two-sided, and six 2^-5."""
    own = {
        name: scores(np.ones(n), np.zeros(n), id=[f"{name}{i}" for i in range(n)])
        for name, n in sizes.items()
    }
    found = csig.effects.breakdown(own, "mean", rng=1)
    return verdict.cautions_of_parts(found, replace(OPTIONS, by="size", alternative=alternative))


#: x is better than base on each unit, y on every second.
BASE = [i % 3 for i in range(16)]
OF_X, OF_Y = (
    made(scores(own, BASE, names=(name, "base"), id=range(16)), "mean")
    for name, own in (
        ("x", [score + 1 for score in BASE]),
        ("y", [score + (-1) ** i for i, score in enumerate(BASE)]),
    )
)


def in_stories(own: Summary, **changes: Any) -> Summary:
    story = {"mean": replace(own.results["mean"], **changes)}
    return replace(own, sensitivity={"unit": own.results, "story": story})


def other_units(**changes: Any) -> str:
    """Of two systems, of two and their parts, and of three, where x is told otherwise."""
    own = in_stories(OF_X, **changes)
    parts = csig.effects.breakdown({"p": own.comparison}, "mean")
    several = conclusions.other_units_of_systems(Systems([own, in_stories(OF_Y)]))
    two = (conclusions.other_units(each) for each in (own, replace(own, breakdown=parts)))
    return "\n".join([*two, several])


OF_RUNS = made(scores([[1, 1], [1, 0]], [[0, 1], [1, 0]], id=[1, 2]), "mean")
ONE_SIDED = replace(OF_X, options=replace(OPTIONS, alternative="greater"))

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
@pytest.mark.parametrize(("expression", "text"), expected(PRINTED))
def test_what_is_said(expression: str, text: str) -> None:
    assert printed(expression, globals()) == text


@pytest.mark.parametrize("width", [40, 60, 200])
@pytest.mark.parametrize("method", ["exact", "approximate", "yeh2000"])
def test_nothing_but_the_signature_is_wider_than_the_terminal(method: str, width: int) -> None:
    own = made(YEH, *ALL, method=method)
    assert said(own, width, explain=True).replace(" · ", "").isascii()
    assert said(beside(own), width).replace(" · ", "").isascii()


def test_an_exact_pvalue_is_always_decided() -> None:
    result = made(YEH, "f1").results["f1"]
    assert verdict.verdict(result, result.pvalue) == "significant"
    assert verdict.verdict(result, result.pvalue * (1 - 1e-9)) == "not significant"
    assert verdict.shuffles_to_decide(result, result.pvalue) is None


@pytest.mark.parametrize(("hits", "trials"), [(47, 1000), (0, 10), (525, 10_000), (6, 100)])
def test_shuffles_to_decide_is_the_first_doubling_that_decides(hits: int, trials: int) -> None:
    needed = verdict.shuffles_to_decide(drawn(hits, trials), 0.05)
    assert needed is not None
    factor, rest = divmod(needed, trials)
    assert (rest, factor & (factor - 1)) == (0, 0)
    for n, settled in ((needed, True), (needed // 2, False)):
        low, high = clopper_pearson(hits * n // trials, n, 0.99)
        assert (not low <= 0.05 <= high) == settled
    assert verdict.shuffles_to_decide(drawn(50, 1000), 0.05) is None  # the share of hits is alpha
    assert verdict.shuffles_to_decide(drawn(50, 1000, "undecided"), 0.05) is None


def test_another_question_than_that_of_the_metric_is_said(options: Options) -> None:
    """Both systems' responses together are 2^61 or more in one part, and few in the other."""
    large = np.array([[2**57, 2**58, 2**58]] * 4)
    few = np.array([[1, 3, 4], [2, 2, 3], [0, 5, 2]])
    pairs = {
        label: Comparison.from_statistics(one, other, COUNTS, id=range(len(one)))
        for label, one, other in (
            ("large", large, large - [[1, 5, 0], [2, 1, 0], [0, 9, 0], [5, 5, 0]]),
            ("few", few, few + np.array([[1, 1, 0], [0, 3, 0], [1, 1, 0]])),
        )
    }
    found = csig.effects.breakdown(pairs, "precision", statistic="auto", rng=1)
    assert found["few"].results["precision"].not_studentized is None
    said = verdict.cautions_of_parts(found, replace(options, by="size"))
    assert any(line.startswith("By size: for precision the difference is not") for line in said)


def test_the_least_pvalue_is_that_of_the_largest_difference() -> None:
    """With a threshold many swaps lead to the largest difference: 44 of 64."""
    comparison = Comparison.from_statistics([[1]] * 6, [[0]] * 6, ("right",), names=NAMES)
    passed = csig.Metric("passed", ("right",), function=lambda sums: sums[:, 0] >= 3)
    found = csig.randomization_test(comparison, passed)
    assert verdict.least_pvalue(found) == found.pvalue == 44 / 64
    assert two("passed=few", 6, passed=found) == (
        "Six items cannot tell at 0.05: no p-value below 0.6875 is possible."
    )
    assert [verdict.least_pvalue(few(n)) for n in (1, 4, 30)] == [1, 0.125, 2.0**-29]


def test_all_that_the_notes_say_is_there_once(summary: Summary, systems: Systems) -> None:
    of_systems = paragraphs(conclusions.explanation_of_systems(systems))
    for own, found in ((summary, explained(summary)), (systems, of_systems)):
        text = " ".join(found)
        assert [text.count(note) for note in own.notes] == [1] * len(own.notes)
        assert "significantly" not in text  # the answer says which system is better
    assert "16 of 16 items differ; the test swaps these." in explained(summary)
    text = " ".join(of_systems)
    assert "No evidence means p above 0.05: these data do not tell the systems apart." in text
    assert "is not evidence that the systems are equal" in text
    (note,) = [own for own in summary.notes if "interval" in own]
    without = conclusions.explanation(replace(summary, intervals={}), [note])
    assert note not in paragraphs(without)


if __name__ == "__main__":
    rewrite(PRINTED, globals())
