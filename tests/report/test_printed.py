"""What results print, to the last word: every expression of printed.txt."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from brute import PAPER
from printed import expected, printed, rewrite

import csig
from csig import Comparison, classical
from csig.comparing import report
from csig.datasets.report import document_of_datasets
from csig.report.document import Document
from csig.report.rendering import Rendering, render
from csig.report.shown import document_of

PRINTED = Path(__file__).with_name("printed.txt")

NAMES = ("new", "base")
YEH = Comparison.from_counts(**PAPER, names=NAMES)
scores = Comparison.from_scores

# ---- classical tests, effects, runs --------------------------------------------------------------

RUNS = scores(
    [[1, 0, 1, 1, 1, 0], [1, 1, 1, 1, 0, 1], [0, 0, 1, 1, 1, 1]],
    [[0, 0, 1, 0, 1, 0], [1, 0, 1, 0, 0, 0], [0, 0, 1, 1, 1, 0]],
    names=NAMES,
)
RIGHT = scores([1, 1, 1, 0, 0], [1, 0, 0, 1, 0], names=NAMES)
SCORES = scores([3, 1, 4, 1, 5], [2, 1, 1, 3, 0], names=NAMES)
LABELS = Comparison.from_labels(*map(list, ("xxy", "xxx", "xyy")))
FIVE = [[0.02, 0.01], [0.03, 0.00], [0.01, 0.02], [0.04, 0.02], [0.01, 0.01]]
SAME = scores([1, 1], [1, 1])
GOLD, SAID = list("TFFTFFTTTF"), list("TTTFFFTTTT")
SEVERAL = classical.confusion_table(list("xxyyz"), list("xyyyx"), name="new")
MANY = [*range(23), *[7] * 5, *[8] * 3], [*range(23), *[9] * 5, *[1] * 3]
RATED = {"a": [1, 1, 0, 1], "b": [0, 1, 0, 0], "c": [0, 1, 1, 1]}
ERRORS = Comparison.from_statistics([[0, 1]] * 12, [[1, 1]] * 12, ["errors", "items"], names=NAMES)

# ---- parts and units -----------------------------------------------------------------------------

SPANS = [
    {"s1": [(0, 2, "PER"), (5, 6, "LOC")], "s2": [(3, 4, "PER"), (7, 9, "LOC")]},
    {"s1": [(0, 2, "PER"), (5, 6, "LOC")], "s2": [(3, 4, "PER")]},
    {"s1": [(0, 1, "PER"), (5, 6, "ORG")], "s2": [(3, 4, "PER"), (7, 9, "LOC")]},
]
WHOLE = Comparison.from_responses(*SPANS, conflict=csig.metrics.spans, names=NAMES)
PARTS = {
    label: Comparison.from_responses(
        *({k: [r for r in rs if r[2] == label] for k, rs in own.items()} for own in SPANS),
        names=NAMES,
    )
    for label in ("PER", "LOC")
}
#: Three documents that raise F1, one that lowers it, one without any response that counts.
DOCUMENTS = Comparison.from_statistics(
    {"d1": [3, 4, 5], "d2": [2, 2, 2], "d3": [0, 0, 1], "d4": [1, 1, 1], "d5": [1, 1, 1]},
    {"d1": [1, 4, 5], "d2": [2, 3, 2], "d3": [1, 1, 1], "d4": [0, 1, 1], "d5": [1, 1, 1]},
    ("tp", "predicted", "gold"),
    names=NAMES,
    unit_name="document",
)
FEWER = Comparison.from_statistics([[1, 5], [3, 5]], [[4, 5], [3, 5]], ("errors", "items"))
TIES = scores([1, 1, 1, 0, 0], [0, 0, 0, 1, 1])
CLUSTERED = scores([1, 0], [0, 0], cluster=["x", "y"]).at("unit")

# ---- systems and data sets -----------------------------------------------------------------------


def systems(shares: list[float], **options: Any) -> csig.systems.ranking.SystemsResult:
    """Systems that are right on such shares of a hundred items."""
    rng = np.random.default_rng(1)
    own = {f"s{i}": (rng.random(100) < share).astype(int) for i, share in enumerate(shares)}
    return csig.compare_systems(own, **options)


RNG = np.random.default_rng(1)
REAL = {name: RNG.standard_normal(100) for name in "abc"}

#: On every data set a is ahead of b, and b of c.
CLEAR = {
    "a": [0.9, 0.8, 0.7, 0.95, 0.6, 0.85, 0.75, 0.99],
    "b": [0.8, 0.7, 0.6, 0.88, 0.5, 0.75, 0.65, 0.89],
    "c": [0.5, 0.4, 0.3, 0.55, 0.2, 0.45, 0.25, 0.59],
}
UNCLEAR = {"a": [0.9, 0.4, 0.7, 0.5], "b": [0.8, 0.7, 0.6, 0.85], "c": [0.5, 0.9, 0.3, 0.85]}
SHARED = {"a": [1, 2, 1, 2], "b": [2, 1, 2, 1], "c": [0, 0, 0, 0]}
ELEVEN = {f"s{i:02d}": [(i * j) % 11 + i for j in range(1, 9)] for i in range(11)}
TIED = {"x": [1, 2, 3, 4], "y": [1, 2, 4, 3]}
datasets = csig.compare_datasets


def doubts(n: int, k: int, **options: Any) -> list[str]:
    """Of k systems on n data sets, twice where these are named."""
    rows = {str(j): [i * (j + 2) % 7 for i in range(n)] for j in range(k)}
    if "datasets" in options:
        rows = {name: row * 2 for name, row in rows.items()}
    return list(datasets(rows, **options).doubts)


# ---- how -----------------------------------------------------------------------------------------


def answer(*results: Any) -> str:
    """The answers alone, a line each."""
    return "\n".join(" ".join(document_of(own).verdict) for own in results)


def title(units: csig.effects.UnitContributions, n: int) -> str:
    return report.table_of_units(units, n).title


def notes_of_units(*given: Any) -> list[str]:
    return list(report.notes_of_units(*given))


def all_tests(found: csig.datasets.DatasetsResult) -> Document:
    return document_of_datasets(found, all_tests=True)


def explained(result: Any) -> str:
    return str(result.summary(explain=True))


def coloured(result: Any) -> str:
    return render(document_of(result), "text", Rendering(colour=True)).replace("\x1b[0m", "⟨⟩")


@pytest.mark.filterwarnings("ignore::csig.DataWarning")
@pytest.mark.parametrize(("expression", "text"), expected(PRINTED))
def test_what_is_printed(expression: str, text: str) -> None:
    assert printed(expression, globals()) == text


if __name__ == "__main__":
    rewrite(PRINTED, globals())
