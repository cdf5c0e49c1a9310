"""``python -m benchmarks.repeats``: single answers swapped, or questions with all their answers.

Two equally good systems answer 50 questions several times each. Some questions suit one system and
some the other, so that the answers to a question go together: swapping single answers, as if there
were ten times as many questions, finds differences that are none. The table and the picture are in
docs/repeats.md.

    nice python -m benchmarks.repeats            # a minute; writes results/repeats.json
    nice python -m benchmarks.repeats --tables   # prints the table of what was written
"""

from __future__ import annotations

import argparse
import json
import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtr

from benchmarks.signs import flip_pvalues

RESULTS = Path(__file__).with_name("results") / "repeats.json"

DATA_SETS, QUESTIONS, ALPHA, SEED = 10_000, 50, 0.05, 1

#: Standard deviations of the log odds: of questions, and how far each system's own differ.
DIFFICULTY, OWN = 1.5, (0.0, 0.5, 1.0, 2.0)

ANSWERS = 2, 10


class Cell(NamedTuple):
    """A kind of data."""

    answers: int
    own: float


def cells() -> Iterator[Cell]:
    """All of them, in the order of the table."""
    return (Cell(answers, own) for answers in ANSWERS for own in OWN)


def draw(cell: Cell, data_sets: int) -> NDArray[np.int64]:
    """Right and wrong answers of both systems, (2, data sets, questions, answers)."""
    key = zlib.crc32(repr(tuple(cell)).encode())
    rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(key,)))
    odds = DIFFICULTY * rng.normal(size=(data_sets, QUESTIONS))
    odds = odds + cell.own * rng.normal(size=(2, data_sets, QUESTIONS))
    luck = rng.random((2, data_sets, QUESTIONS, cell.answers))
    return (luck < expit(odds)[..., None]).astype(np.int64)


def row(cell: Cell, data_sets: int = DATA_SETS) -> dict[str, float]:
    """How often each test has p <= 0.05; how far differences of answers to a question correlate,
    and what that says of swapping single answers.
    """
    a, b = draw(cell, data_sets)
    differences = a - b
    of_questions = differences.sum(axis=2)
    m = cell.answers
    squares = float((differences**2).sum())
    correlation = (float((of_questions**2).sum()) - squares) / ((m - 1) * squares)
    tests = {"single": differences.reshape(data_sets, -1), "whole": of_questions}
    rates = {name: float((flip_pvalues(own) <= ALPHA).mean()) for name, own in tests.items()}
    expected = 2 * float(ndtr(-1.959964 / math.sqrt(1 + (m - 1) * max(correlation, 0.0))))
    return {**cell._asdict(), "data_sets": data_sets, "correlation": round(correlation, 4),
            **rates, "expected": round(expected, 4)}  # fmt: skip


def tables(rows: Sequence[Mapping[str, float]]) -> dict[str, list[str]]:
    """Markdown."""
    heads = ("answers", "SD of own", "correlation", "single answers", "by the formula",
             "whole questions")  # fmt: skip
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for own in rows:
        rates = [own[name] for name in ("correlation", "single", "expected", "whole")]
        cells = [f"{own['answers']}", f"{own['own']:g}", *(f"{rate:.3f}" for rate in rates)]
        lines.append("| " + " | ".join(cells) + " |")
    return {"repeats": lines}


def picture(rows: Sequence[Mapping[str, float]], path: Path) -> None:
    """Rates against how far the systems' own difficulties differ."""
    from csig.report.style import COLOURS, MUTED, bytes_of, drawing, kind_of, new_figure, styled

    with drawing(""):
        figure = new_figure()
        axes = styled(figure.subplots())
        for kind, color in zip(("single", "whole"), COLOURS, strict=False):
            for answers, line in zip(ANSWERS, ("dashed", "solid"), strict=True):
                own = [one for one in rows if one["answers"] == answers]
                name = {"single": "single answers", "whole": "whole questions"}[kind]
                axes.plot(
                    [one["own"] for one in own], [one[kind] for one in own], color=color,
                    marker="os"[kind == "whole"], markerfacecolor="none", linewidth=1,
                    linestyle=line, label=f"{name}, {answers} each",
                )  # fmt: skip
        axes.axhline(ALPHA, color=MUTED, linewidth=0.8, linestyle="dotted")
        axes.set(
            xlabel="how far the systems differ in what is easy, SD of log odds", ylim=(0, None),
            ylabel="data sets with p ≤ 0.05, equal systems", xticks=OWN,
        )  # fmt: skip
        axes.legend(frameon=False)
        path.write_bytes(bytes_of(figure, kind_of(str(path))))


def main(arguments: Sequence[str] | None = None) -> None:
    """Simulate and write, or print the table of what was written."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", action="store_true", help="print what was written")
    parser.add_argument("--data-sets", type=int, default=DATA_SETS)
    parser.add_argument("--picture", type=Path, help="draw it into this file")
    given = parser.parse_args(arguments)
    if not given.tables and given.picture is None:
        rows = [row(cell, given.data_sets) for cell in cells()]
        RESULTS.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    rows = json.loads(RESULTS.read_text(encoding="utf-8"))
    if given.picture is not None:
        picture(rows, given.picture)
    print(*tables(rows)["repeats"], sep="\n")


if __name__ == "__main__":
    main()
