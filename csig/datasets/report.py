"""Systems over many data sets as a document: average ranks, pairs, and every other test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from csig._version import __version__
from csig.base import wording
from csig.comparing.options import digits_of, record_of_seed
from csig.datasets import procedures
from csig.datasets.comparing import DatasetPair, DatasetsResult
from csig.report.document import Block, Document, Scalar, Section, Table
from csig.report.forms import Text, better_cell, picked, plain, record_of_doubts, table
from csig.report.shown import document_of, picture_of
from csig.systems.report import LazyRows

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


def _at(result: DatasetsResult) -> str:
    return f"{wording.decimal(result.alpha)} ({procedures.title(result)})"


# ---- the verdict -------------------------------------------------------------------------------


def _loser(pair: DatasetPair) -> str:
    return pair.other if pair.better == pair.system else pair.system


def _verdict(result: DatasetsResult) -> str:
    """Who leads, and which pairs differ."""
    sets, at = wording.counted(len(result.datasets), "data set"), _at(result)
    found = [pair for pair in result.pairs if pair.better is not None]
    if len(result.names) == 2:
        (pair,) = result.pairs
        a, b = wording.clean(pair.system), wording.clean(pair.other)
        first = f"No significant difference between {a} and {b} at {at}"
        if pair.better is not None:
            own, other = wording.clean(pair.better), wording.clean(_loser(pair))
            first = f"{own} is significantly better than {other} at {at}"
        p = wording.pvalue(pair.pvalue, None, result.alpha)
        ties = f", {pair.ties:,} tied" if pair.ties else ""
        return f"{first}: p = {p}. Of {sets} {a} wins {pair.wins:,} and {b} {pair.losses:,}{ties}."
    if result.baseline is not None:
        base = wording.clean(result.baseline)
        said = []
        for word in ("better", "worse"):
            names = [
                wording.clean(pair.system)
                for pair in found
                if (pair.better == pair.system) == (word == "better")
            ]
            if names:
                verb = "is" if len(names) == 1 else "are"
                listed = wording.listed(names) if len(names) <= NAMED else wording.few(names, 12)
                said.append(f"{listed} {verb} significantly {word}")
        if not said:
            return f"No system differs significantly from {base} at {at} on {sets}."
        return f"{'; '.join(said)} than {base} at {at} on {sets}."
    rank = min(result.average_ranks)
    best = [wording.clean(own.name) for own in result.systems if own.average_rank == rank]
    first = (
        f"{wording.few(best, 3)} {'has' if len(best) == 1 else 'have'} the best average rank, "
        f"{rank:.2f}, of {len(result.names):,} systems on {sets}"
    )
    if not found:
        return f"{first}; no pair differs significantly at {at}."
    verb = "differs" if len(found) == 1 else "differ"
    last = "."
    if len(found) <= NAMED:
        named = [f"{wording.clean(str(p.better))} beats {wording.clean(_loser(p))}" for p in found]
        last = f": {wording.listed(named)}."
    return (
        f"{first}; {wording.count(len(found))} of {wording.counted(len(result.pairs), 'pair')} "
        f"{verb} significantly at {at}{last}"
    )


# ---- tables ------------------------------------------------------------------------------------


def _systems(result: DatasetsResult) -> Table:
    share = all(wording.in_percent(own, own) for own in result.scores.flat)
    means = wording.scores([own.mean for own in result.systems], share)
    others = len(result.names) - 1
    rows: list[list[Text]] = []
    for own, mean in zip(result.systems, means, strict=True):
        pairs = others if own.name == result.baseline or result.baseline is None else 1
        same = pairs - own.better_than - own.worse_than
        rows.append([
            (own.name, "plain" if rows else "strong"),
            f"{own.average_rank:.2f}",
            (mean, "quiet"),
            f"{own.wins}/{own.ties}/{own.losses}",
            f"{own.better_than}/{same}/{own.worse_than}",
        ])  # fmt: skip
    better = f"{'higher' if result.greater_is_better else 'lower'} is better"
    headers = (
        "System",
        ("Average rank", "rank"),
        (f"Mean{', %' if share else ''}, {better}", f"mean,\n{better}"),
        ("Win/tie/loss", "w/t/l"),
        ("Significant", "sig."),
    )
    return table("systems", "n##TT", headers, rows)


def _pairs(result: DatasetsResult) -> Table:
    rows = [
        (
            f"{pair.system} - {pair.other}",
            f"{pair.rank_difference:+.2f}",
            f"{pair.wins}/{pair.ties}/{pair.losses}",
            wording.pvalue(pair.pvalue),
            wording.pvalue(pair.adjusted, None, result.alpha),
            better_cell(pair.better, pair.system),
        )
        for pair in result.pairs
    ]
    headers = (
        "Pair", ("Ranks", "ranks"), ("Win/tie/loss", "w/t/l"), "p", ("Adjusted p", "adj. p"),
        "Verdict",
    )  # fmt: skip
    return table("pairs", "n#Tppv", headers, rows)


def _trusted(result: DatasetsResult) -> str:
    """The test of all systems, or of two, to look at."""
    if len(result.names) == 2:
        return "wilcoxon"
    tests = {own.name: own.statistic for own in result.overall}
    tied = tests["iman-davenport"] != tests["iman-davenport-ties"]
    return "iman-davenport-ties" if tied else "iman-davenport"


def _overall(result: DatasetsResult, *, everything: bool) -> Table:
    """Tests of all systems at once; of two systems, of these two."""
    tests = {own.name: own for own in result.overall}
    trusted = _trusted(result)
    if not everything:
        names = [*_OF_TWO] if len(result.names) == 2 else [*_SHOWN]
        if trusted == "iman-davenport":  # the other one is the same
            names.remove("iman-davenport-ties")
        tests = {name: tests[name] for name in names if name in tests}
    rows: list[list[Text]] = []
    for name, own in tests.items():
        called, remark = procedures.OVERALL[name]
        if name == trusted:
            remark = "trust this one"
        if everything and own.note:
            own_words = name == "anova"  # which say it all
            remark = own.note if own_words else "; ".join(filter(None, (remark, own.note)))
        statistic = "-"
        if name not in ("sign", "randomization", "within"):  # with its degrees of freedom
            letter = "F" if len(own.df) == 2 else "t" if name == "t" else "chi2" if own.df else "W"
            df = ", ".join(f"{number:.4g}" for number in own.df)
            value = f"{own.statistic:.4g}" if math.isfinite(own.statistic) else "infinite"
            statistic = f"{letter}({df}) = {value}" if df else f"{letter} = {value}"
        strong = name == trusted
        rows.append([
            (called, "strong" if strong else "plain"),
            statistic,
            wording.pvalue(own.pvalue, None, result.alpha),
            (remark, "plain" if strong else "quiet"),
        ])  # fmt: skip
    what = "these two systems" if len(result.names) == 2 else "all systems at once"
    return table("overall", "ttpt", ("Test", "Statistic", "p", ""), rows, f"Tests of {what}")


def _everything(result: DatasetsResult) -> list[Table]:
    """Every pair's adjusted p-value by every procedure; the doubtful ones have a question mark."""
    names = procedures.procedures(result)
    groups = {"Adjusted p-values by every procedure": names}
    if len(names) > BESIDE:
        groups = {
            "Adjusted p-values by every procedure": [
                own for own in names if not procedures.doubt_of(own)
            ],
            "Procedures that are doubtful": [own for own in names if procedures.doubt_of(own)],
        }
    parts = [
        (titled if not i else "", own[i : i + BESIDE])
        for titled, own in groups.items()
        for i in range(0, len(own), BESIDE)
    ]
    tables = []
    for n, (titled, part) in enumerate(parts, 1):
        headers = [
            "Pair",
            *(
                f"{procedures.short_title(own)}{'?' * bool(procedures.doubt_of(own))}"
                for own in part
            ),
        ]
        rows: list[list[Text]] = []
        for pair in result.pairs:
            rows.append([f"{pair.system} - {pair.other}"])
            for own in part:
                p = pair.adjusted_by[own]
                text = wording.pvalue(p, None, result.alpha)
                rows[-1].append((f"{text}*", "strong") if p <= result.alpha else text)
        tables.append(table(f"procedures {n}", "n" + "T" * len(part), headers, rows, titled))
    return tables


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
            f"({procedures.adjusted_title(name, result.correction)}): {critical:.3g}."
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
    for own in procedures.procedures(result):
        if procedures.doubt_of(own):
            by_reason.setdefault(procedures.doubt_of(own), []).append(procedures.short_title(own))
    said = [f"{', '.join(own)}: {reason}" for reason, own in by_reason.items()]
    general = procedures.adjusted_title("sign", result.correction).removeprefix("sign test, ")
    return [
        f"* significant at {wording.decimal(result.alpha)}; ? doubtful ({'; '.join(said)}). Where "
        f"the name says nothing else, {general}."
    ]


# ---- for programs ------------------------------------------------------------------------------


def _rows(result: DatasetsResult) -> list[dict[str, Scalar]]:
    systems = {own.name: own for own in result.systems}
    rows = []
    for pair in result.pairs:
        one, other = systems[pair.system], systems[pair.other]
        rows.append({
            "system": pair.system,
            "other": pair.other,
            "average_rank": one.average_rank,
            "other_average_rank": other.average_rank,
            "rank_difference": pair.rank_difference,
            "mean": one.mean,
            "other_mean": other.mean,
            **picked(pair, "difference wins ties losses"),
            "test": result.test,
            "pvalue": pair.pvalue,
            "correction": result.correction,
            "adjusted_pvalue": pair.adjusted,
            "alpha": result.alpha,
            "better": pair.better,
            **{f"pvalue_{name}": p for name, p in pair.pvalues.items()},
            **{f"adjusted_{name}": p for name, p in pair.adjusted_by.items()},
        })  # fmt: skip
    return rows


def as_record(result: DatasetsResult, cautions: Sequence[str] = ()) -> dict[str, Any]:
    """The JSON record, with what looks wrong in what was read; ``docs/json.md`` has its fields."""
    pair = "system other difference rank_difference wins ties losses pvalue "
    pair += "adjusted_pvalue=adjusted better"
    system = "name average_rank mean wins ties losses better_than worse_than"
    return {
        "schema": "csig.datasets",
        "schema_version": 3,
        "csig_version": __version__,
        **picked(result, "greater_is_better baseline test correction zero_method alpha"),
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
        "systems": [picked(own, system) for own in result.systems],
        "overall": [
            {
                "name": own.name,
                "statistic": plain(float(own.statistic)),
                "df": [float(number) for number in own.df],
                "pvalue": own.pvalue,
            }
            for own in result.overall
        ],
        "trusted": _trusted(result),
        "critical_differences": dict(result.critical_differences),
        "pairs": [
            {
                **picked(own, pair),
                "pvalues": dict(own.pvalues),
                "adjusted_pvalues": dict(own.adjusted_by),
            }
            for own in result.pairs
        ],
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

    Cautions and notes are what reading brought to light; doubts those that concern the verdicts,
    else the result's: those about tests of all systems are said where these are explained. With
    `all_tests` every procedure's p-value of every pair is printed.
    """
    tables = [_systems(result)]
    if 1 < len(result.pairs) <= MOST_PAIRS:
        tables.append(_pairs(result))
    tables.append(_overall(result, everything=False))
    said = _notes(result)
    trust: list[Block] = [*result.advice, *result.overall_doubts]
    if len(result.names) > 2:
        ranks = [f"{wording.clean(own.name)} {own.average_rank:.2f}" for own in result.systems]
        alt = f"Critical-difference diagram; average ranks: {', '.join(ranks)}."
        trust[:0] = picture_of(result, "diagram", alt)
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
        verdict=[_verdict(result)],
        tables=tables,
        notes=[*said, *notes],
        explanation=[Section(name="trust", title="Which test to trust", blocks=trust)],
        rows=LazyRows(lambda: _rows(result)),
        record=lambda: as_record(result, cautions),
    )


@document_of.register
def _(result: DatasetsResult) -> Document:
    return document_of_datasets(result)
