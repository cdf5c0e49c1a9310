"""Which units make a difference: a table of those that raise it most and those that lower it most.

``docs/units.md`` says what a unit contributes; `csig.comparing.contributions` has the mathematics.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from csig._version import __version__
from csig.base import wording
from csig.comparing.contributions import UnitContributions, label
from csig.comparing.summary import Summary
from csig.report import forms
from csig.report.document import Document, Table, Tone
from csig.report.forms import Text, picked
from csig.report.shown import document_of

#: Units each way where nobody says how many.
FEW = 10


def table(found: UnitContributions, n: int = FEW) -> Table:
    """The units that raise the difference most, and those that lower it most."""
    a, b = map(wording.clean, found.names)
    shares = wording.in_percent(found.score_a, found.score_b, found.metric)
    raising, lowering = found.largest()
    unit = wording.noun(found.unit)
    percent, points = ("\n%", "\npoints") if shares else ("", "")
    clusters = found.clusters
    headers = [f"{unit[:1].upper()}{unit[1:]}", *(["in"] if clusters is not None else [])]
    headers += [f"{b}{percent}", f"{a}{percent}", f"adds to {a} - {b}{points}"]
    names = list(map(label, found.ids))
    rows: list[list[Text]] = []
    for i in [*raising[:n], *reversed(lowering[:n])]:
        value = float(found.values[i])
        tone: Tone = "better" if (value > 0) == found.greater_is_better else "worse"
        scores = (float(found.scores_b[i]), float(found.scores_a[i]))
        rows.append(
            [
                names[i],
                *([label(clusters[i])] if clusters is not None else []),
                *("-" if own != own else wording.score(own, shares) for own in scores),
                (wording.score_difference(value, shares, sign=True), tone),
            ]
        )
    title = f"{wording.metric_title(found.metric)}, {a} - {b}: "
    title += f"{_counted(found, raising, 'raise', n)}, {_counted(found, lowering, 'lower', n)}."
    kinds = "n###" if clusters is None else "nn###"
    return forms.table("units", kinds, headers, rows, title)


def _counted(found: UnitContributions, places: list[int], word: str, n: int) -> str:
    """So many of so many units that raise it, or lower it."""
    what = wording.counted(len(places), found.unit)
    verb = word if len(places) != 1 else f"{word}s"
    if not places:
        return f"no {wording.noun(found.unit)} {word}s it"
    if len(places) <= n:
        return f"{what} {verb} it"
    sizes = abs(found.values[places])
    equal = int((sizes >= sizes[n - 1]).sum())  # no fewer than n
    shown = "is the one that does" if n == 1 else f"are the {n} that do"
    if equal > n:
        shown = f"{'is' if n == 1 else 'are'} {n} of the {wording.count(equal)} that do"
    return f"{what} {verb} it, shown {shown} most"


def notes(found: UnitContributions, of: str = "") -> list[str]:
    """What the last column is, and what the first where ids are numbers from 0."""
    begin = f"{of}: what" if of else "What"
    if found.additive:
        said = (
            f"{begin} the units add sums to the difference; docs/units.md says how it is computed."
        )
    else:
        said = (
            f"{begin} a unit adds is half of what the difference loses when this one unit is "
            "swapped; the parts need not sum to the difference."
        )
    numbered = 0 in found.ids and all(type(own) is int for own in found.ids)
    name = wording.noun(found.unit, 2)
    return [said, *[f"{name[:1].upper()}{name[1:]} are numbered from 0."] * numbered]


def tables(summary: Summary) -> list[Table]:
    """Those of a comparison, by metric, where somebody asked for them."""
    return [table(own, summary.options.worst or FEW) for own in summary.units.values()]


def said(summaries: Sequence[Summary]) -> list[str]:
    """The notes that go with them, each once."""
    units = [own for summary in summaries for own in summary.units.values()]
    kinds: dict[bool, dict[str, None]] = {}
    for own in units:
        kinds.setdefault(own.additive, {})[wording.metric_title(own.metric)] = None
    lines: dict[str, None] = {}
    for own in units:
        of = wording.listed(list(kinds[own.additive])) if len(kinds) > 1 else ""
        lines |= dict.fromkeys(notes(own, of))
    return list(lines)


def record(found: UnitContributions, n: int | None = None) -> dict[str, Any]:
    """The units for JSON, as `UnitContributions.rows` has them; ids are texts."""
    names = "metric system=names.0 baseline=names.1 unit difference additive"
    return {
        **picked(found, names),
        "columns": list(found.columns),
        "units": [
            {
                "id": label(row["id"]),
                "cluster": label(row["cluster"]) if "cluster" in row else None,
                "statistics": [row[f"{column}_a"] for column in found.columns],
                "baseline_statistics": [row[f"{column}_b"] for column in found.columns],
                "score": row["score_a"],
                "baseline_score": row["score_b"],
                "contribution": row["contribution"],
                "differs": row["differs"],
            }
            for row in found.rows(n)
        ],
    }


@document_of.register
def _(result: UnitContributions) -> Document:
    def recorded() -> Mapping[str, Any]:
        head = {"schema": "csig.units", "schema_version": 1, "csig_version": __version__}
        return head | record(result)

    ids = ("id", "cluster")
    return Document(
        title=f"What units add to {result.names[0]} - {result.names[1]}",
        tables=[table(result)],
        notes=notes(result),
        rows=[
            {**row, **{name: label(row[name]) for name in ids if name in row}}
            for row in result.rows()
        ],
        record=recorded,
    )
