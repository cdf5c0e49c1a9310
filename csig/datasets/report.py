"""Systems over many data sets as a document: average ranks, pairs, and every other test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from csig._version import __version__
from csig.base import wording
from csig.base.progress import ProgressBar
from csig.comparing import signature
from csig.comparing.described import source_line
from csig.comparing.options import digits_of, record_of_seed
from csig.data.comparison import error_of_sum
from csig.datasets.comparing import DatasetsResult, loser, rank_datasets, table_read
from csig.datasets.pairs import sizes_in_words, units_in
from csig.readers.request import Request
from csig.report.document import (
    Block,
    Document,
    LazyRows,
    Names,
    Scalar,
    Section,
    Table,
    Text,
    head,
    picked,
    plain,
    record_of_doubts,
    table,
)
from csig.report.shown import document_of, picture_of
from csig.systems.report import CORRECTED, MOST_PAIRS, OTHERS, beside, notes_of_pairs

#: A column that counts data sets.
_WON = ("Won/tied/lost", "won/tied\n/lost")

#: Tests of two systems: in a sentence, and over a column.
_TESTS = {
    "wilcoxon": ("Wilcoxon signed-rank test", "Wilcoxon"),
    "sign": ("sign test", "sign"),
    "t": ("paired t test", "t"),
    "randomization": ("randomization test swapping data sets", "random."),
    "within": ("randomization test swapping units within data sets", "within"),
    "ranks": ("average ranks", "ranks"),
    "ranks-ties": ("average ranks with their ties", "ranks (ties)"),
    "conover": ("Conover's t test on ranks", "Conover"),
    "quade": ("Quade's t test on weighted ranks", "Quade"),
    "anova": ("analysis of variance", "ANOVA"),
}

#: Procedures that test and adjust at once, the same way.
_WHOLE = {
    "nemenyi": ("Nemenyi", "Nemenyi"),
    "nemenyi-ties": ("Nemenyi, with tied ranks", "Nemenyi (ties)"),
    "bonferroni-dunn": ("Bonferroni-Dunn", "Bonf.-Dunn"),
    "ranks-holm": ("average ranks, Holm-adjusted", "ranks (Holm)"),
    "ranks-shaffer": ("average ranks, Shaffer-adjusted", "ranks (Shaffer)"),
    "ranks-bergmann-hommel": ("average ranks, Bergmann-Hommel-adjusted", "ranks (B.-H.)"),
    "tukey": ("Tukey", "Tukey"),
    "dunnett": ("Dunnett", "Dunnett"),
}

#: Tests of all systems at once, and of two: what they are called, and what to think of them.
OVERALL = {
    "friedman": ("Friedman", "approximate, conservative"),
    "friedman-ties": ("Friedman, tied ranks", "approximate, conservative"),
    "iman-davenport": ("Iman-Davenport", "as if no ranks were tied"),
    "iman-davenport-ties": ("Iman-Davenport, tied ranks", "as if ties were planned"),
    "quade": ("Quade", "scores must be comparable"),
    "quade-chi2": ("Quade, chi-square", "scores must be comparable"),
    "aligned-ranks": ("Aligned ranks", "scores must be comparable"),
    "anova": ("ANOVA", "assumes normal scores"),
    "anova-greenhouse-geisser": ("ANOVA, Greenhouse-Geisser", "assumes normal scores"),
    "anova-huynh-feldt": ("ANOVA, Huynh-Feldt", "assumes normal scores"),
    "wilcoxon": ("Wilcoxon", ""),
    "sign": ("Sign", "valid, finds least"),
    "t": ("Paired t", "assumes normal differences"),
    "randomization": ("Randomization of data sets", "scores must be comparable"),
    "within": (
        "Randomization of units within data sets",
        "of these data sets only, not of others",
    ),
}


def doubt_of(procedure: str) -> str:
    """Why not to trust a procedure over data sets; empty where nothing speaks against it."""
    if procedure in ("t", "anova", "tukey", "dunnett"):
        return "assumes normal differences"
    if procedure.startswith(("ranks", "nemenyi", "bonferroni-dunn", "conover", "quade")):
        return "depends on which other systems are in the table"
    return ""


def adjusted_title(procedure: str, correction: str) -> str:
    """A procedure in a sentence, with its correction."""
    if procedure in _WHOLE:
        return _WHOLE[procedure][0]
    # A correction of one test only leaves the other tests with Holm's.
    return f"{_TESTS[procedure][0]}, {CORRECTED.get(correction, CORRECTED['holm'])}"


def short_title(procedure: str) -> str:
    """The same over a column, without the correction."""
    return (_WHOLE.get(procedure) or _TESTS[procedure])[1]


def title(result: DatasetsResult) -> str:
    """What the verdicts of a result come from."""
    if result.correction in _WHOLE:
        return _WHOLE[result.correction][0]
    corrected = f", {CORRECTED[result.correction]}" if len(result.pairs) > 1 else ""
    return _TESTS[result.test][0] + corrected


def procedures(result: DatasetsResult) -> list[str]:
    """The procedures that say something of a result, and none that says what another does."""
    # Those that count ties are left out where no ranks are tied, and the test of average ranks by
    # a correction that "ranks" has already.
    known = list(result.pairs[0].adjusted_by)
    tied = any(
        pair.adjusted_by[name] != pair.adjusted_by[name.removesuffix("-ties")]
        for pair in result.pairs
        for name in known
        if name.endswith("-ties")
    )
    same = f"ranks-{result.correction if result.correction in CORRECTED else 'holm'}"
    return [name for name in known if name != same and (tied or not name.endswith("-ties"))]


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


def _verdict(result: DatasetsResult) -> str:
    """Who leads, and which pairs differ."""
    sets = wording.counted(len(result.datasets), "data set")
    at = f"{wording.decimal(result.alpha)} ({title(result)})"
    differing = [pair for pair in result.pairs if pair.better is not None]
    if len(result.names) == 2:
        (pair,) = result.pairs
        a, b = wording.clean(pair.system), wording.clean(pair.other)
        first = f"No significant difference between {a} and {b} at {at}"
        if pair.better is not None:
            winner, other = wording.clean(pair.better), wording.clean(str(loser(pair)))
            first = f"{winner} is significantly better than {other} at {at}"
        p = wording.pvalue(pair.pvalue, None, result.alpha)
        ties = f", {pair.ties:,} tied" if pair.ties else ""
        return f"{first}: p = {p}. Of {sets} {a} wins {pair.wins:,} and {b} {pair.losses:,}{ties}."
    if result.baseline is not None:
        better, worse = (
            [wording.clean(p.system) for p in differing if (p.better == p.system) == ahead]
            for ahead in (True, False)
        )
        base = wording.clean(result.baseline)
        return beside(base, better, worse, f"at {at} on {sets}", listed=NAMED)
    rank = min(result.average_ranks)
    best = [wording.clean(own.name) for own in result.systems if own.average_rank == rank]
    first = (
        f"{wording.few(best, 3)} {'has' if len(best) == 1 else 'have'} the best average rank, "
        f"{rank:.2f}, of {len(result.names):,} systems on {sets}"
    )
    if not differing:
        return f"{first}; no pair differs significantly at {at}."
    verb = "differs" if len(differing) == 1 else "differ"
    last = "."
    if len(differing) <= NAMED:
        named = [
            f"{wording.clean(str(p.better))} beats {wording.clean(str(loser(p)))}"
            for p in differing
        ]
        last = f": {wording.listed(named)}."
    return (
        f"{first}; {wording.count(len(differing))} of {wording.counted(len(result.pairs), 'pair')} "
        f"{verb} significantly at {at}{last}"
    )


def _systems(result: DatasetsResult, names: Names) -> Table:
    share, base = result.in_percent, result.names.index(result.baseline or result.names[0])
    parts = (result.scores.T - result.scores[:, base]) / len(result.datasets)
    errors = [error_of_sum(own, len(result.datasets)) for own in parts]
    figures = wording.figures([own.mean for own in result.systems], share, errors)
    others = len(result.names) - 1
    rows: list[list[Text]] = []
    for own in result.systems:
        pairs = others if own.name == result.baseline or result.baseline is None else 1
        same = pairs - own.better_than - own.worse_than
        rows.append([
            names.cell("{}", own.name, tone="plain" if rows else "strong"),
            f"{own.average_rank:.2f}",
            (figures.score(own.mean), "quiet"),
            f"{own.wins}/{own.ties}/{own.losses}",
            f"{own.better_than}",
            f"{same}",
            f"{own.worse_than}",
        ])  # fmt: skip
    better = f"{'higher' if result.greater_is_better else 'lower'} is better"
    headers = (
        "System",
        ("Average\nrank", "rank"),
        (f"Mean{', %' if share else ''},\n{better}", f"mean,\n{better}"),
        _WON,
        *OTHERS,
    )
    return table("systems", "n##TTTT", headers, rows, names=names)


def _pairs(result: DatasetsResult, names: Names) -> Table:
    rows = [
        (
            names.cell("{} - {}", pair.system, pair.other),
            f"{pair.rank_difference:+.2f}",
            f"{pair.wins}/{pair.ties}/{pair.losses}",
            wording.pvalue(pair.pvalue),
            wording.pvalue(pair.adjusted_pvalue, None, result.alpha),
            names.better(pair.better, pair.system),
        )
        for pair in result.pairs
    ]
    headers = (
        "Pair", ("Rank difference", "ranks"), _WON, "p",
        ("Adjusted p", "adj. p"), "Verdict",
    )  # fmt: skip
    return table("pairs", "n#Tppv", headers, rows, names=names)


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
        names = [*(_OF_TWO if len(result.names) == 2 else _SHOWN)]
        if trusted == "iman-davenport":  # the other one is the same
            names.remove("iman-davenport-ties")
        tests = {name: tests[name] for name in names if name in tests}
    rows: list[list[Text]] = []
    for name, own in tests.items():
        called, remark = OVERALL[name]
        if name == trusted:
            remark = "trust this one"
        if everything and own.note:  # that of "anova" says it all
            remark = f"{remark}; {own.note}" if remark and name != "anova" else own.note
        statistic = "-"
        if name not in ("sign", "randomization", "within"):  # with its degrees of freedom
            df = ", ".join(f"{number:.4g}" for number in own.degrees_of_freedom)
            letter = "F" if "," in df else "t" if name == "t" else "chi2" if df else "W"
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
    return table("overall", "ttpt", ("Test", "Statistic", "p", ""), rows,
                 f"{'All tests' if everything else 'Tests'} of {what}")  # fmt: skip


def _everything(result: DatasetsResult, called: Names) -> list[Table]:
    """Every pair's adjusted p-value by every procedure; the doubtful ones have a question mark."""
    names = procedures(result)
    doubtful = [own for own in names if doubt_of(own)] if len(names) > BESIDE else []
    groups = {
        "Adjusted p-values by every procedure": [own for own in names if own not in doubtful],
        "Procedures that are doubtful": doubtful,
    }
    parts = [
        (titled if not i else "", own[i : i + BESIDE])
        for titled, own in groups.items()
        for i in range(0, len(own), BESIDE)
    ]
    tables = []
    for n, (titled, part) in enumerate(parts, 1):
        headers = ["Pair", *(short_title(own) + "?" * bool(doubt_of(own)) for own in part)]
        rows: list[list[Text]] = []
        for pair in result.pairs:
            rows.append([called.cell("{} - {}", pair.system, pair.other)])
            for own in part:
                p = pair.adjusted_by[own]
                text = wording.pvalue(p, None, result.alpha)
                rows[-1].append((f"{text}*", "strong") if p <= result.alpha else text)
        tables.append(
            table(f"procedures {n}", "n" + "T" * len(part), headers, rows, titled, called)
        )
    return tables


def _notes(result: DatasetsResult) -> list[str]:
    sets = wording.counted(len(result.datasets), "data set")
    notes = [
        "Average ranks: 1 is the best. Means over data sets are doubtful: scores of different "
        "data sets are seldom comparable (Demsar 2006)."
    ]
    if result.test in ("wilcoxon", "sign", "within", "randomization"):
        notes.append(
            "A pair's verdict rests on the two systems alone; tests on average ranks depend on the "
            "other systems (Benavoli, Corani and Mangili 2016)."
        )
    name = "nemenyi" if result.baseline is None else "bonferroni-dunn"
    critical = result.critical_differences[name]
    if len(result.names) > 2:
        notes.append(
            f"Critical difference of average ranks at {wording.decimal(result.alpha)} "
            f"({adjusted_title(name, result.correction)}): {critical:.3g}."
        )
    size = ""
    if result.source is None:  # which says it
        size = (
            sets
            if result.sizes is None
            else f"{sets}, {wording.counted(sum(result.sizes), 'unit')}"
        )
    notes += notes_of_pairs(size, len(result.pairs), result.correction, result.alpha)
    if result.seed is not None:
        notes.append(
            f"Shuffles: {wording.count(result.n_resamples or 0)}, seed "
            f"{', '.join(digits_of(result.seed))}."
        )
    return notes


def _marks(result: DatasetsResult) -> str:
    """What the question marks of procedures mean."""
    by_reason: dict[str, list[str]] = {}
    for own in procedures(result):
        by_reason.setdefault(doubt_of(own), []).append(short_title(own))
    by_reason.pop("", None)
    said = [f"{', '.join(own)}: {reason}" for reason, own in by_reason.items()]
    general = adjusted_title("sign", result.correction).removeprefix("sign test, ")
    return (
        f"* significant at {wording.decimal(result.alpha)}; ? doubtful ({'; '.join(said)}). Where "
        f"the name says nothing else, {general}."
    )


def _rows(result: DatasetsResult) -> list[dict[str, Scalar]]:
    systems = {own.name: own for own in result.systems}
    rows = []
    for pair in result.pairs:
        one, other = systems[pair.system], systems[pair.other]
        rows.append({
            **picked(pair, "system other"),
            "average_rank": one.average_rank,
            "other_average_rank": other.average_rank,
            "rank_difference": pair.rank_difference,
            "mean": one.mean,
            "other_mean": other.mean,
            **picked(pair, "difference wins ties losses"),
            "test": result.test,
            "pvalue": pair.pvalue,
            "correction": result.correction,
            "adjusted_pvalue": pair.adjusted_pvalue,
            "alpha": result.alpha,
            "better": pair.better,
            **{f"pvalue_{name}": p for name, p in pair.pvalues.items()},
            **{f"adjusted_{name}": p for name, p in pair.adjusted_by.items()},
        })  # fmt: skip
    return rows


def as_record(result: DatasetsResult) -> dict[str, Any]:
    """The JSON record; ``docs/json.md`` has its fields."""
    pair = "system other difference rank_difference wins ties losses pvalue "
    pair += "adjusted_pvalue better"
    system = "name average_rank mean wins ties losses better_than worse_than"
    return {
        **head("csig.datasets", 3),
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
                "df": [float(number) for number in own.degrees_of_freedom],
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
        "doubts": record_of_doubts((*result.doubts, *result.overall_doubts)),
        "signature": signature_of_datasets(result),
        "digest": result.digest,
    }


def signature_of_datasets(found: DatasetsResult) -> str:
    """The line that identifies a comparison over data sets."""
    return signature.line({
        "v": (__version__,),
        "test": ("datasets",),
        "unit": ("data set",),
        "n": (str(len(found.datasets)),),
        "systems": (str(len(found.names)), "all" if found.baseline is None else "baseline"),
        "pairs": (found.test, found.zero_method),
        **({} if found.greater_is_better else {"lower": ("mean",)}),
        **({} if found.source is None else signature.of_input(found.source)),
        "alpha": (repr(found.alpha),),
        "correction": (found.correction,),
        **({} if found.seed is None else {"shuffles": (str(found.n_resamples),)}),
        **signature.of_seeds([found.seed]),
        "data": (found.digest[: signature.DIGITS],),
    })  # fmt: skip


@document_of.register
def document_of_datasets(result: DatasetsResult, *, all_tests: bool = False) -> Document:
    """The average ranks, and the pairs if they are few; or every procedure's p of every pair."""
    called = Names(own.name for own in result.systems)
    tables = [_systems(result, called)]
    if 1 < len(result.pairs) <= MOST_PAIRS:
        tables.append(_pairs(result, called))
    tables.append(_overall(result, everything=False))
    said = _notes(result)
    trust: list[Block] = [*result.advice, *result.overall_doubts]
    if len(result.names) > 2:
        ranks = [f"{wording.clean(own.name)} {own.average_rank:.2f}" for own in result.systems]
        alt = f"Critical-difference diagram; average ranks: {', '.join(ranks)}."
        trust[:0] = picture_of(result, "diagram", alt)
    trust.append(_overall(result, everything=True))
    if len(result.pairs) <= MOST_PAIRS and all_tests:
        tables += _everything(result, called)
        said.insert(0, _marks(result))
    elif len(result.pairs) <= MOST_PAIRS:
        trust += [*_everything(result, called), _marks(result)]
    doubts = list(result.doubts)
    notes: list[str] = []
    if result.source is not None:
        source, what = result.source, "data set" if result.sizes is None else None
        if source.table is not None:  # by one word
            names = source.table.called[0], "data set"
            source = replace(source, table=replace(source.table, called=names))
        notes = [f"Read as {source_line(source, what)}.", *source.notes]
        if result.sizes is not None:
            doubts.remove(units_in(result.sizes))  # the column of data sets was named
            unit = "unit" if source.table is None else source.table.called[0]
            its = f"{sizes_in_words(result.sizes)} {wording.noun(unit, 2)}"
            notes.insert(0, f"The score of a data set is the mean of its {its}.")
    sets = wording.counted(len(result.datasets), "data set")
    return Document(
        title=f"{len(result.names):,} systems on {sets}",
        doubts=doubts,
        verdict=[_verdict(result)],
        tables=tables,
        notes=[*said, *notes],
        explanation=[Section(name="trust", title="Which test to trust", blocks=trust)],
        signature=signature_of_datasets(result),
        rows=LazyRows(lambda: _rows(result)),
        record=lambda: as_record(result),
    )


def over_datasets(
    request: Request,
    dataset: str | None = None,
    *,
    metrics: Sequence[str] = (),
    lower_is_better: bool | None = None,
    all_tests: bool = False,
    **options: Any,
) -> tuple[DatasetsResult, Document]:
    """Read, compare, and say what was found: ``csig datasets``."""
    table, lower, read = table_read(request, dataset, metrics, lower_is_better)
    with ProgressBar("Testing") as bar:
        result = rank_datasets(
            table, lower_is_better=bool(lower), read=read,
            progress=bar if bar.wanted else None, **options,
        )  # fmt: skip
    return result, document_of_datasets(result, all_tests=all_tests)
