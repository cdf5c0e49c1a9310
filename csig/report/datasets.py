"""Systems over many data sets as a document: average ranks, pairs, and every other test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from csig import wording
from csig._version import __version__
from csig.datasets import DatasetPair, DatasetsResult, OverallTest
from csig.report.document import (
    Block,
    Cell,
    Column,
    Document,
    Scalar,
    Section,
    Table,
)
from csig.report.drawn import picture_of
from csig.report.forms import record_of_doubts
from csig.report.procedures import (
    OVERALL,
    adjusted_title,
    doubt_of,
    procedures,
    short_title,
    title,
)
from csig.report.ranked import LazyRows
from csig.report.seeds import digits_of, record_of_seed
from csig.report.shown import document_of

__all__ = ["MOST_PAIRS", "as_record", "document_of_datasets"]

#: Pairs that are printed; programs get all of them.
MOST_PAIRS = 45

#: Pairs that differ and that the verdict names.
NAMED = 4

#: Procedures in one table side by side.
BESIDE = 7

#: Tests of all systems that are printed without --explain.
_SHOWN = (
    "friedman", "iman-davenport", "iman-davenport-ties", "quade", "aligned-ranks",
    "anova-greenhouse-geisser",
)  # fmt: skip

#: Tests of two systems, which say more than those of several where there are no more.
_OF_TWO = ("wilcoxon", "sign", "t", "randomization", "within")

#: What to think of a test of all systems.
_REMARKS = {
    "friedman": "approximate, too cautious",
    "friedman-ties": "approximate, too cautious",
    "iman-davenport": "as if no ranks were tied",
    "iman-davenport-ties": "as if ties were planned",
    "quade": "scores must be comparable",
    "quade-chi2": "scores must be comparable",
    "aligned-ranks": "scores must be comparable",
    "anova": "assumes normal scores",
    "anova-greenhouse-geisser": "assumes normal scores",
    "anova-huynh-feldt": "assumes normal scores",
    "wilcoxon": "",
    "sign": "valid, finds least",
    "t": "assumes normal differences",
    "randomization": "scores must be comparable",
    "within": "of these data sets only, not of others",
}

Row = dict[str, Scalar]


def _share(result: DatasetsResult) -> bool:
    return all(wording.in_percent(own, own) for own in result.scores.flat)


def _at(result: DatasetsResult) -> str:
    return f"{wording.decimal(result.alpha)} ({title(result)})"


# ---- the verdict -------------------------------------------------------------------------------


def _verdict(result: DatasetsResult) -> list[str]:
    """Who leads, and which pairs differ."""
    if len(result.names) == 2:
        return [_of_two(result)]
    if result.baseline is not None:
        return [_beside(result, result.baseline)]
    n, many = len(result.pairs), len(result.names)
    ranks = sorted(result.average_ranks)
    best = [wording.clean(own.name) for own in result.systems if own.average_rank == ranks[0]]
    has = "has" if len(best) == 1 else "have"
    first = (
        f"{wording.few(best, 3)} {has} the best average rank, {ranks[0]:.2f}, of {many:,} systems "
        f"on {wording.counted(len(result.datasets), 'data set')}"
    )
    found = [pair for pair in result.pairs if pair.better is not None]
    if not found:
        return [f"{first}; no pair differs significantly at {_at(result)}."]
    verb = "differs" if len(found) == 1 else "differ"
    last = "."
    if len(found) <= NAMED:
        named = [f"{wording.clean(str(p.better))} beats {wording.clean(_loser(p))}" for p in found]
        last = f": {wording.listed(named)}."
    return [
        f"{first}; {wording.count(len(found))} of {wording.counted(n, 'pair')} {verb} "
        f"significantly at {_at(result)}{last}"
    ]


def _loser(pair: DatasetPair) -> str:
    return pair.other if pair.better == pair.system else pair.system


def _of_two(result: DatasetsResult) -> str:
    (pair,) = result.pairs
    a, b = wording.clean(pair.system), wording.clean(pair.other)
    sets = wording.counted(len(result.datasets), "data set")
    p = wording.pvalue(pair.pvalue, None, result.alpha)
    if pair.better is None:
        first = f"No significant difference between {a} and {b} at {_at(result)}: p = {p}"
    else:
        own, other = wording.clean(pair.better), wording.clean(_loser(pair))
        first = f"{own} is significantly better than {other} at {_at(result)}: p = {p}"
    ties = f", {pair.ties:,} tied" if pair.ties else ""
    return f"{first}. Of {sets} {a} wins {pair.wins:,} and {b} {pair.losses:,}{ties}."


def _beside(result: DatasetsResult, baseline: str) -> str:
    base = wording.clean(baseline)
    said = []
    for word in ("better", "worse"):
        names = [
            wording.clean(pair.system)
            for pair in result.pairs
            if pair.better is not None and (pair.better == pair.system) == (word == "better")
        ]
        if names:
            verb = "is" if len(names) == 1 else "are"
            listed = wording.listed(names) if len(names) <= NAMED else wording.few(names, 12)
            said.append(f"{listed} {verb} significantly {word}")
    sets = wording.counted(len(result.datasets), "data set")
    if not said:
        return f"No system differs significantly from {base} at {_at(result)} on {sets}."
    return f"{'; '.join(said)} than {base} at {_at(result)} on {sets}."


# ---- tables ------------------------------------------------------------------------------------


def _systems(result: DatasetsResult) -> Table:
    share = _share(result)
    everyone = result.systems
    means = wording.scores([own.mean for own in everyone], share)
    others = len(result.names) - 1
    rows = []
    for own, mean in zip(everyone, means, strict=True):
        pairs = others if own.name == result.baseline or result.baseline is None else 1
        same = pairs - own.better_than - own.worse_than
        rows.append([
            Cell(own.name, "name", "strong" if own is everyone[0] else "plain"),
            Cell(f"{own.average_rank:.2f}", "number"),
            Cell(mean, "number", "quiet"),
            Cell(f"{own.wins}/{own.ties}/{own.losses}", "text"),
            Cell(f"{own.better_than}/{same}/{own.worse_than}", "text"),
        ])  # fmt: skip
    better = f"{'higher' if result.greater_is_better else 'lower'} is better"
    columns = [
        Column("System", "left"),
        Column("Average rank", short="rank"),
        Column(f"Mean{', %' if share else ''}, {better}", short=f"mean,\n{better}"),
        Column("Win/tie/loss", short="w/t/l"),
        Column("Significant", short="sig."),
    ]
    return Table(name="systems", columns=columns, rows=rows)


def _pair_cells(result: DatasetsResult, pair: DatasetPair) -> list[Cell]:
    cell = Cell("no evidence", "verdict", "quiet")
    if pair.better is not None:
        tone = "better" if pair.better == pair.system else "worse"
        cell = Cell(f"* {pair.better} better", "verdict", tone)  # type: ignore[arg-type]
    return [
        Cell(f"{pair.system} - {pair.other}", "name"),
        Cell(f"{pair.rank_difference:+.2f}", "number"),
        Cell(f"{pair.wins}/{pair.ties}/{pair.losses}", "text"),
        Cell(wording.pvalue(pair.pvalue), "pvalue"),
        Cell(wording.pvalue(pair.adjusted, None, result.alpha), "pvalue"),
        cell,
    ]


def _pairs(result: DatasetsResult) -> Table:
    return Table(
        name="pairs",
        columns=[
            Column("Pair", "left"),
            Column("Ranks", short="ranks"),
            Column("Win/tie/loss", short="w/t/l"),
            Column("p"),
            Column("Adjusted p", short="adj. p"),
            Column("Verdict", "left"),
        ],
        rows=[_pair_cells(result, pair) for pair in result.pairs],
    )


def _trusted(result: DatasetsResult) -> str:
    """The test of all systems, or of two, to look at."""
    if len(result.names) == 2:
        return "wilcoxon"
    tests = {own.name: own.statistic for own in result.overall}
    tied = tests["iman-davenport"] != tests["iman-davenport-ties"]
    return "iman-davenport-ties" if tied else "iman-davenport"


def _statistic(own: OverallTest) -> str:
    """A statistic with its degrees of freedom."""
    if own.name in ("sign", "randomization", "within"):
        return "-"
    value = f"{own.statistic:.4g}" if math.isfinite(own.statistic) else "infinite"
    df = ", ".join(f"{number:.4g}" for number in own.df)
    letter = "F" if len(own.df) == 2 else "t" if own.name == "t" else "chi2" if own.df else "W"
    return f"{letter}({df}) = {value}" if df else f"{letter} = {value}"


def _overall(result: DatasetsResult, *, everything: bool) -> Table:
    """Tests of all systems at once; of two systems, of these two."""
    tests = {own.name: own for own in result.overall}
    trusted = _trusted(result)
    if not everything:
        names = [*_OF_TWO] if len(result.names) == 2 else [*_SHOWN]
        if trusted == "iman-davenport":  # the other one is the same
            names.remove("iman-davenport-ties")
        tests = {name: tests[name] for name in names if name in tests}
    rows = []
    for name, own in tests.items():
        remark = "trust this one" if name == trusted else _REMARKS[name]
        if everything and own.note:
            own_words = name == "anova"  # which say it all
            remark = own.note if own_words else "; ".join(filter(None, (remark, own.note)))
        strong = name == trusted
        rows.append([
            Cell(OVERALL[name], "text", "strong" if strong else "plain"),
            Cell(_statistic(own), "text"),
            Cell(wording.pvalue(own.pvalue, None, result.alpha), "pvalue"),
            Cell(remark, "text", "plain" if strong else "quiet"),
        ])  # fmt: skip
    what = (
        "Tests of these two systems" if len(result.names) == 2 else "Tests of all systems at once"
    )
    return Table(
        name="overall",
        title=what,
        columns=[Column("Test", "left"), Column("Statistic", "left"), Column("p"),
                 Column("", "left")],
        rows=rows,
    )  # fmt: skip


def _everything(result: DatasetsResult) -> list[Table]:
    """Every pair's adjusted p-value by every procedure; the doubtful ones have a question mark."""
    names = procedures(result)
    groups = {"Adjusted p-values by every procedure": names}
    if len(names) > BESIDE:
        groups = {
            "Adjusted p-values by every procedure": [own for own in names if not doubt_of(own)],
            "Procedures that are doubtful": [own for own in names if doubt_of(own)],
        }
    parts = [
        (titled if not i else "", own[i : i + BESIDE])
        for titled, own in groups.items()
        for i in range(0, len(own), BESIDE)
    ]
    tables = []
    for n, (titled, part) in enumerate(parts, 1):
        marks = [f"{short_title(own)}{'?' if doubt_of(own) else ''}" for own in part]
        rows = []
        for pair in result.pairs:
            cells = [Cell(f"{pair.system} - {pair.other}", "name")]
            for own in part:
                p = pair.adjusted_by[own]
                text = wording.pvalue(p, None, result.alpha)
                star = "*" if p <= result.alpha else ""
                cells.append(Cell(text + star, "text", "strong" if star else "plain"))
            rows.append(cells)
        columns = [Column("Pair", "left"), *(Column(mark) for mark in marks)]
        tables.append(Table(name=f"procedures {n}", title=titled, columns=columns, rows=rows))
    return tables


def _diagram(result: DatasetsResult) -> list[Block]:
    """The critical-difference diagram, for formats that have pictures."""
    if len(result.names) < 3:
        return []
    ranks = [f"{wording.clean(own.name)} {own.average_rank:.2f}" for own in result.systems]
    alt = f"Critical-difference diagram; average ranks: {', '.join(ranks)}."
    return picture_of(result, "diagram", alt)


# ---- words -------------------------------------------------------------------------------------


def _notes(result: DatasetsResult) -> list[str]:
    sets = wording.counted(len(result.datasets), "data set")
    found = [
        "Average ranks: 1 is the best, ties share the mean of their ranks. Means over data sets "
        "are doubtful: scores of different data sets are seldom comparable (Demsar 2006)."
    ]
    if result.test in ("wilcoxon", "sign", "within", "randomization"):
        found.append(
            "A pair's verdict rests on the two systems alone; tests on average ranks depend on the "
            "other systems (Benavoli, Corani and Mangili 2016)."
        )
    name = "nemenyi" if result.baseline is None else "bonferroni-dunn"
    critical = result.critical_differences[name]
    if len(result.names) > 2:
        found.append(
            f"Critical difference of average ranks at {wording.decimal(result.alpha)} "
            f"({adjusted_title(name, result.correction)}): {critical:.3g}."
        )
    if result.correction in ("bh", "by"):
        found.append(
            f"At most {wording.decimal(100 * result.alpha)}% of the significant pairs are expected "
            "to be false claims; that none is false is not claimed."
        )
    units = "" if result.sizes is None else f", {wording.counted(sum(result.sizes), 'unit')}"
    found.append(
        f"{sets}{units}. A pair without a significant difference is not shown to be equal."
    )
    if len(result.pairs) > MOST_PAIRS:
        found.append(f"All {wording.count(len(result.pairs))} pairs are in -f csv and -f json.")
    if result.seed is not None:
        found.append(
            f"Shuffles: {wording.count(result.n_resamples or 0)}, seed "
            f"{', '.join(digits_of(result.seed))}."
        )
    return found


def _marks(result: DatasetsResult) -> list[str]:
    """What the question marks of procedures mean."""
    by_reason: dict[str, list[str]] = {}
    for own in procedures(result):
        if doubt_of(own):
            by_reason.setdefault(doubt_of(own), []).append(short_title(own))
    said = [f"{', '.join(own)}: {reason}" for reason, own in by_reason.items()]
    general = adjusted_title("sign", result.correction).removeprefix("sign test, ")
    return [
        f"* significant at {wording.decimal(result.alpha)}; ? doubtful ({'; '.join(said)}). Where "
        f"the name says nothing else, {general}."
    ]


# ---- for programs ------------------------------------------------------------------------------


def _rows(result: DatasetsResult) -> list[Row]:
    systems = {own.name: own for own in result.systems}
    names = list(result.pairs[0].pvalues)
    adjusted = list(result.pairs[0].adjusted_by)
    return [
        {
            "system": pair.system,
            "other": pair.other,
            "average_rank": systems[pair.system].average_rank,
            "other_average_rank": systems[pair.other].average_rank,
            "rank_difference": pair.rank_difference,
            "mean": systems[pair.system].mean,
            "other_mean": systems[pair.other].mean,
            "difference": pair.difference,
            "wins": pair.wins,
            "ties": pair.ties,
            "losses": pair.losses,
            "test": result.test,
            "pvalue": pair.pvalue,
            "correction": result.correction,
            "adjusted_pvalue": pair.adjusted,
            "alpha": result.alpha,
            "better": pair.better,
            **{f"pvalue_{name}": pair.pvalues[name] for name in names},
            **{f"adjusted_{name}": pair.adjusted_by[name] for name in adjusted},
        }
        for pair in result.pairs
    ]


def _number(value: float) -> float | None:
    """What JSON has a number for."""
    return float(value) if math.isfinite(value) else None


def _pair_records(result: DatasetsResult) -> list[dict[str, Any]]:
    """The pairs, with the p-values of every test and procedure."""
    return [
        {
            "system": pair.system,
            "other": pair.other,
            "difference": pair.difference,
            "rank_difference": pair.rank_difference,
            "wins": pair.wins,
            "ties": pair.ties,
            "losses": pair.losses,
            "pvalue": pair.pvalue,
            "adjusted_pvalue": pair.adjusted,
            "better": pair.better,
            "pvalues": dict(pair.pvalues),
            "adjusted_pvalues": dict(pair.adjusted_by),
        }
        for pair in result.pairs
    ]


def as_record(result: DatasetsResult, cautions: Sequence[str] = ()) -> dict[str, Any]:
    """The JSON record, with what looks wrong in what was read; ``docs/json.md`` has its fields."""
    return {
        "schema": "csig.datasets",
        "schema_version": 3,
        "csig_version": __version__,
        "greater_is_better": result.greater_is_better,
        "baseline": result.baseline,
        "test": result.test,
        "correction": result.correction,
        "zero_method": result.zero_method,
        "alpha": result.alpha,
        "n_resamples": result.n_resamples,
        "seed": record_of_seed(result.seed),
        "datasets": [
            {
                "name": name,
                "n_units": None if result.sizes is None else result.sizes[i],
                "scores": dict(zip(result.names, result.scores[i].tolist(), strict=True)),
                "ranks": dict(zip(result.names, result.ranks[i].tolist(), strict=True)),
            }
            for i, name in enumerate(result.datasets)
        ],
        "systems": [
            {
                "name": own.name,
                "average_rank": own.average_rank,
                "mean": own.mean,
                "wins": own.wins,
                "ties": own.ties,
                "losses": own.losses,
                "better_than": own.better_than,
                "worse_than": own.worse_than,
            }
            for own in result.systems
        ],
        "overall": [
            {
                "name": own.name,
                "statistic": _number(own.statistic),
                "df": [float(number) for number in own.df],
                "pvalue": own.pvalue,
            }
            for own in result.overall
        ],
        "trusted": _trusted(result),
        "critical_differences": dict(result.critical_differences),
        "pairs": _pair_records(result),
        "doubts": record_of_doubts((*cautions, *result.doubts, *result.overall_doubts)),
    }


def document_of_datasets(
    result: DatasetsResult,
    *,
    cautions: Sequence[str] = (),
    doubts: Sequence[str] | None = None,
    notes: Sequence[str] = (),
    all_tests: bool = False,
) -> Document:
    """The average ranks, and the pairs if they are few.

    Parameters
    ----------
    result : DatasetsResult
        What was found.
    cautions : sequence of str
        What looks wrong in what was read.
    doubts : sequence of str, optional
        Those that concern the verdicts; else the result's. Those about tests of all systems are
        said where these are explained.
    notes : sequence of str
        What else reading brought to light.
    all_tests : bool
        Whether to add every procedure's p-value of every pair.
    """
    tables = [_systems(result)]
    if 1 < len(result.pairs) <= MOST_PAIRS:
        tables.append(_pairs(result))
    tables.append(_overall(result, everything=False))
    said = _notes(result)
    trust: list[Block] = [*_diagram(result), *result.advice, *result.overall_doubts]
    trust.append(_overall(result, everything=True))
    if len(result.pairs) > MOST_PAIRS:
        every, marks = [], []
    else:
        every, marks = _everything(result), _marks(result)
    if all_tests:
        tables += every
        said = [*marks, *said]
    else:
        trust += [*every, *marks]
    sets = wording.counted(len(result.datasets), "data set")
    return Document(
        title=f"{len(result.names):,} systems on {sets}",
        doubts=[*cautions, *(result.doubts if doubts is None else doubts)],
        verdict=_verdict(result),
        tables=tables,
        notes=[*said, *notes],
        explanation=[Section(name="trust", title="Which test to trust", blocks=trust)],
        rows=LazyRows(lambda: _rows(result)),
        record=lambda: as_record(result, cautions),
    )


@document_of.register
def _(result: DatasetsResult) -> Document:
    return document_of_datasets(result)
