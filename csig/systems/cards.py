"""A board of systems on one page: for a README, a paper's appendix, a model card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from csig.base import wording
from csig.base.errors import InputError
from csig.comparing import sizes
from csig.report.document import Block, Document, Header, Picture, Text, table
from csig.report.rendering import Rendering, render
from csig.systems.ranking import SystemsResult
from csig.systems.report import as_record, citation_of_ranked, document_of_systems

#: What a card may be, by the end of its file's name.
SUFFIXES = (".html", ".md", ".svg")


def card(result: SystemsResult, suffix: str) -> str:
    """The text of a card: a page, Markdown, or a picture."""
    if suffix == ".svg":
        return _picture(result)
    html = suffix == ".html"
    options = Rendering(explain=html, cite=html)
    return render(card_document(result), "html" if html else "markdown", options)


def _picture(result: SystemsResult) -> str:
    from csig.report.style import bytes_of  # for those who draw

    return bytes_of(result.plot("scores").figure, "svg").decode()


def runs(numbers: Sequence[int]) -> str:
    """Numbers in order, neighbours together: ``2 to 4, 7``."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][-1] + 1:
            found[-1].append(number)
        else:
            found.append([number])
    return ", ".join(
        f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in found
    )


def card_document(result: SystemsResult) -> Document:
    """Scores with intervals, the ranks that each may have, and which pairs differ."""
    whole = document_of_systems(result)
    order, figures = result.order, result._figures
    intervals = result.score_intervals()
    place = {i: number for number, i in enumerate(order, start=1)}
    try:
        letters: dict[str, str] = {} if result.baseline is not None else result.letters()
    except InputError:  # there are too many groups for letters
        letters = {}
    title = wording.metric_title(result.metric)
    few = sizes.few_data(
        (f"{title} of {wording.clean(name)}", sizes.few(own, None))
        for name, own in zip(result.names, intervals, strict=True)
        if not isinstance(own, str)
    )
    rows: list[list[Text]] = []
    for own, i in zip(result.systems, order, strict=True):
        ends = intervals[i]
        said = ends if isinstance(ends, str) else ""
        if not isinstance(ends, str):
            said = f"{figures.score(ends.low)} to {figures.score(ends.high)}"
        beaten = sorted(place[k] for k in range(len(order)) if result.better[i, k])
        row: list[Text] = [f"{place[i]}", own.name, figures.score(own.score), said]
        if result.baseline is None:
            row.append(f"{own.low}" if own.low == own.high else f"{own.low} to {own.high}")
        rows.append([*row, *([letters[own.name]] if letters else []), runs(beaten) or "-"])
    level = f"{wording.decimal(100 * (1 - result.alpha))}%"
    unit = ", %" * result.in_percent
    headers: list[Header] = [
        "Row", "System", f"{title}{unit}", f"Interval, {level}",
    ]  # fmt: skip
    headers += [f"Ranks, {level}"] * (result.baseline is None) + ["Group"] * bool(letters)
    kinds = "Tn#i" + "T" * (result.baseline is None) + "t" * bool(letters) + "t"
    notes = [*whole.notes]
    notes.append(
        "Intervals are of each score alone; whether two systems differ is what the paired tests "
        "say: the last column has the rows that a system is significantly better than."
    )
    if letters:
        notes.append("Systems that share a letter cannot be told apart.")
    alt = f"{title} of {len(order):,} systems with intervals"
    shown: list[Block] = [Picture(name="scores", alt=alt, draw=lambda: _picture(result))]
    return Document(
        title=whole.title, doubts=[*whole.doubts, *few], verdict=whole.verdict,
        tables=[table("card", kinds, [*headers, "Better than"], rows)],
        notes=notes, explanation=shown, signature=whole.signature,
        citation=citation_of_ranked(result), rows=whole.rows,
        record=lambda: as_record(result),
    )  # fmt: skip


def check_card(path: str) -> str:
    """The end of a card's name."""
    found: Any = next((end for end in SUFFIXES if path.lower().endswith(end)), None)
    if found is None:
        raise InputError(f"{path}: a card is {wording.listed(SUFFIXES, 'or')}, by the file's name")
    return str(found)
