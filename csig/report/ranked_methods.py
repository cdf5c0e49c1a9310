"""Several ranking methods as a document: the verdict, the precision of the n best, the pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from csig import wording
from csig._version import __version__
from csig.ranking_by_sample import SamplePrecision
from csig.ranking_curves import RankingRegion, widest
from csig.rankings import MethodPair, RankedMethods
from csig.report import citation, signature
from csig.report.document import Block, Cell, Column, Document, Scalar, Section, Table
from csig.report.forms import record_of_doubts
from csig.report.nbest import ARRAYS, MOST_RANGES, TIES, places, where_better
from csig.report.ranked import LazyRows
from csig.report.seeds import digits_of, record_of_seed
from csig.report.shown import document_of
from csig.report.single import plain

__all__ = ["MOST_PAIRS", "as_record", "document_of_methods"]

#: Pairs that are printed; programs get all of them.
MOST_PAIRS = 45

#: Lengths side by side, and methods that a sentence names.
BESIDE, NAMED = 6, 12

#: Rows of pairs at every length that --explain prints.
MOST_ROWS = 400

Row = dict[str, Scalar]


# ---- the verdict -------------------------------------------------------------------------------


def _at(result: RankedMethods) -> str:
    alpha = wording.decimal(result.alpha)
    if result.test == "fisher":
        return f"({alpha}, Fisher's exact test{', Holm-adjusted' * (len(result.pairs) > 1)})"
    over = "pairs and lengths" if len(result.pairs) > 1 else "lengths"
    return f"({alpha}, all {over} together)"


def _where(result: RankedMethods) -> str:
    n = result.n.tolist()
    if len(n) == 1:
        return f"at n = {wording.count(n[0])}"
    return f"at any of {len(n):,} lengths from {wording.count(n[0])} to {wording.count(n[-1])}"


def _names(names: Sequence[str], word: str = "and") -> str:
    found = [wording.clean(name) for name in names]
    return wording.listed(found, word) if len(found) <= NAMED else wording.few(found, NAMED)


def _beside(result: RankedMethods, name: str) -> dict[str, list[str]]:
    """The other methods: those that are better somewhere, worse, both, and neither."""
    found: dict[str, list[str]] = {"better": [], "worse": [], "both": [], "neither": []}
    for pair in result.pairs:
        if name not in pair.names:
            continue
        other = pair.names[pair.names[0] == name]
        word = "neither"
        if pair.regions:
            word = {other: "better", name: "worse", None: "both"}[pair.better]
        found[word].append(other)
    return found


def _of_two(result: RankedMethods) -> str:
    (pair,) = result.pairs
    a, b = (wording.clean(name) for name in pair.names)
    if not pair.regions:
        p = wording.pvalue(pair.pvalue, None, result.alpha)
        between = f"No significant difference between {a} and {b}"
        return f"{between} {_where(result)}: p = {p} {_at(result)}."
    said = []
    for said_of, (better, other) in enumerate([(a, b), (b, a)]):
        where = where_better(pair.regions, pair.names[said_of], result.n)
        if where:
            said.append(f"{better} is significantly better than {other} {where}")
    return f"{'; '.join(said)} {_at(result)}."


#: What a method may be beside the baseline.
_WORDS = {"better": "better", "worse": "worse", "both": "both better and worse"}


def _of_baseline(result: RankedMethods, baseline: str) -> str:
    found = _beside(result, baseline)
    name, somewhere = wording.clean(baseline), " at some n" * (len(result.n) > 1)
    said = [
        f"{_names(found[word])} {'is' if len(found[word]) == 1 else 'are'} significantly {how}"
        for word, how in _WORDS.items()
        if found[word]
    ]  # fmt: skip
    if not said:
        return f"No method differs significantly from {name} {_where(result)} {_at(result)}."
    return f"{'; '.join(said)} than {name}{somewhere} {_at(result)}."


def _of_many(result: RankedMethods) -> list[str]:
    best = result.precision.curves[result.order[0]]
    name = wording.clean(best.name)
    number = sum(bool(pair.regions) for pair in result.pairs)
    verb = "differs" if number == 1 else "differ"
    where = _where(result).replace("at any of", "at some of")
    first = (
        f"{name} has the best average precision, {wording.percent(best.average_precision)}%, of "
        f"{len(result.names):,} methods; {wording.count(number)} of "
        f"{wording.counted(len(result.pairs), 'pair')} {verb} significantly {where} {_at(result)}."
    )
    if not number:
        return [first]
    found = _beside(result, best.name)
    said = []
    if found["worse"]:
        said.append(f"better than {_names(found['worse'])}")
    if found["both"]:
        said.append(f"better or worse than {_names(found['both'])}, depending on n")
    if found["better"]:
        said.append(f"worse than {_names(found['better'])}")
    if not said:
        return [first]
    if found["neither"]:
        said.append(f"not shown to differ from {_names(found['neither'], 'or')}")
    return [first, f"{name} is significantly {'; '.join(said)}."]


def _verdict(result: RankedMethods) -> list[str]:
    if not result.pairs:
        (curve,) = result.precision.curves
        share = result.precision.n_true / result.precision.n_candidates
        return [
            f"{wording.clean(curve.name)} has an average precision of "
            f"{wording.percent(curve.average_precision)}%; {wording.percent(share)}% of all "
            "candidates are true."
        ]
    if len(result.pairs) == 1:
        return [_of_two(result)]
    if result.baseline is not None:
        return [_of_baseline(result, result.baseline)]
    return _of_many(result)


# ---- tables ------------------------------------------------------------------------------------


def _shown(result: RankedMethods) -> list[int]:
    """The lengths that stand side by side."""
    found = places(result.n.tolist())
    if len(found) > BESIDE:
        found = [found[i * (len(found) - 1) // (BESIDE - 1)] for i in range(BESIDE)]
    return found


def _precision(result: RankedMethods) -> Table:
    """One row per method; of one length with its interval."""
    percent = wording.percent
    level = f"{wording.decimal(100 * result.precision.confidence_level)}%"
    shown = _shown(result)
    columns = [Column("Method", "left"), Column("Av. precision, %", short="av. prec.")]
    if len(result.n) == 1:
        n = wording.count(int(result.n[0]))
        columns += [
            Column(f"Precision, n = {n}", short=f"n = {n}"), Column(f"{level} interval"),
            Column("True"), Column("Recall, %", short="recall"),
        ]  # fmt: skip
    else:
        texts = [wording.count(int(result.n[i])) for i in shown]
        columns += [Column(f"n = {texts[0]}"), *(Column(text) for text in texts[1:])]
    rows = []
    for i in result.order:
        own = result.precision.curves[i]
        strong: Literal["strong", "plain"] = "strong" if i == result.order[0] else "plain"
        cells = [Cell(own.name, "name", strong), Cell(percent(own.average_precision), "number")]
        if len(result.n) == 1:
            longer = f" of {wording.count(int(own.size[0]))}" if own.size[0] > own.n[0] else ""
            cells += [
                Cell(percent(own.precision[0]), "number"),
                Cell(f"{percent(own.low[0])} to {percent(own.high[0])}", "interval"),
                Cell(f"{own.true_positives[0]:.0f}{longer}", "number"),
                Cell(percent(own.recall[0]), "number"),
            ]
        else:
            cells += [Cell(percent(own.precision[k]), "number") for k in shown]
        rows.append(cells)
    title = "" if len(result.n) == 1 else "Precision of the n best, %"
    return Table(name="precision", title=title, columns=columns, rows=rows)


def _verdict_cell(pair: MethodPair) -> Cell:
    if not pair.regions:
        return Cell("no evidence", "verdict", "quiet")
    if pair.better is None:
        return Cell("* depends on n", "verdict", "doubt")
    return Cell(
        f"* {pair.better} better", "verdict", "better" if pair.better == pair.names[0] else "worse"
    )


def _pair_cells(result: RankedMethods, pair: MethodPair) -> list[Cell]:
    adjusted = Cell(wording.pvalue(pair.pvalue, None, result.alpha), "pvalue")
    name = Cell(" - ".join(pair.names), "name")
    if len(result.n) == 1:
        return [
            name,
            *(Cell(f"{own[0][0]}/{own[0].sum()}", "text") for own in (pair.only_a, pair.only_b)),
            Cell(wording.points(float(pair.difference[0]), sign=True), "number"),
            Cell(wording.pvalue(float(pair.pvalues[0])), "pvalue"),
            adjusted,
            _verdict_cell(pair),
        ]
    return [name, adjusted, _verdict_cell(pair), _where_cell(result, pair)]


def _ends(region: RankingRegion) -> str:
    first, last = wording.count(region.first), wording.count(region.last)
    return first if first == last else f"{first} to {last}"


def _widest(result: RankedMethods, pair: MethodPair) -> tuple[list[RankingRegion], int]:
    """Where a pair differs: all ranges of a few, else the widest and how many others there are."""
    shown: list[RankingRegion] = []
    others = 0
    most = MOST_RANGES if pair.better is not None else MOST_RANGES - 1  # of each method
    for name in pair.names:
        own = [region for region in pair.regions if region.better == name]
        kept, left = widest(own, result.n, most)
        shown, others = [*shown, *kept], others + left
    return sorted(shown, key=lambda own: own.first), others


def _where_cell(result: RankedMethods, pair: MethodPair) -> Cell:
    shown, others = _widest(result, pair)
    said = [_ends(own) + (f" ({own.better})" if pair.better is None else "") for own in shown]
    return Cell("; ".join([*said, *([f"{wording.count(others)} more"] if others else [])]) or "-")


def _pairs(result: RankedMethods) -> Table:
    columns = [Column("Pair", "left")]
    if len(result.n) == 1:
        columns += [
            Column("Only first, true", short="only 1st"),
            Column("Only second, true", short="only 2nd"),
            Column("Difference, points", short="diff."), Column("p"),
            Column("Adjusted p", short="adj. p"), Column("Verdict", "left"),
        ]  # fmt: skip
    else:
        columns += [
            Column("Least adjusted p", short="adj. p"), Column("Verdict", "left"),
            Column("At n tested", "left", short="at n"),
        ]  # fmt: skip
    return Table(name="pairs", columns=columns, rows=[_pair_cells(result, p) for p in result.pairs])


def _ranges(result: RankedMethods) -> Table:
    """Every range of the pairs of which not all are named beside the verdict."""
    rows = [
        [Cell(" - ".join(pair.names), "name"), Cell(_ends(own)), Cell(f"{own.better} better")]
        for pair in result.pairs
        if _widest(result, pair)[1]
        for own in pair.regions
    ]
    columns = [Column("Pair", "left"), Column("At n tested", "left", short="at n"),
               Column("Verdict", "left")]  # fmt: skip
    return Table(name="ranges", title="All ranges of lengths", columns=columns, rows=rows)


def _every_length(result: RankedMethods) -> Table:
    rows = []
    for pair in result.pairs:
        for i, n in enumerate(pair.n.tolist()):
            rows.append([
                Cell(" - ".join(pair.names), "name"),
                Cell(wording.count(n), "number"),
                *(Cell(f"{own[i][0]}/{own[i].sum()}") for own in (pair.only_a, pair.only_b)),
                Cell(wording.points(float(pair.difference[i]), sign=True), "number"),
                Cell(wording.pvalue(float(pair.pvalues[i])), "pvalue"),
                Cell(wording.pvalue(float(pair.adjusted[i]), None, result.alpha), "pvalue"),
            ])  # fmt: skip
    columns = [
        Column("Pair", "left"), Column("n"), Column("Only first, true", short="only 1st"),
        Column("Only second, true", short="only 2nd"), Column("Difference, points", short="diff."),
        Column("p"), Column("Adjusted p", short="adj. p"),
    ]  # fmt: skip
    return Table(name="every length", columns=columns, rows=rows)


# ---- words -------------------------------------------------------------------------------------


def _notes(result: RankedMethods) -> list[str]:
    precision = result.precision
    found = [
        f"{wording.counted(precision.n_candidates, 'candidate')}, "
        f"{wording.count(precision.n_true)} true. {TIES[result.ties]}"
    ]
    if result.lower_is_better:
        found.append(f"Lower is better: {_names(result.lower_is_better)}.")
    if not result.pairs:
        return found
    many = len(result.pairs)
    pairs = wording.counted(many, "pair")
    if result.test == "fisher":
        found.append(
            "Fisher's exact test of the true ones among the candidates that only one of the two "
            f"accepts{f'; Holm-adjusted for {pairs}' * (many > 1)}."
        )
    elif result.seed is not None:
        found.append(
            f"Adjusted p: for {wording.counted(len(result.n), 'length')}"
            f"{f' and {pairs} together' * (many > 1)}; {wording.count(result.n_resamples or 0)} "
            f"flips{' of every pair' * (many > 1)}, seed {', '.join(digits_of(result.seed))}."
        )
        if len(result.n) > len(_shown(result)):
            found.append(f"All {wording.count(len(result.n))} lengths are in -f csv and -f json.")
        if any(_widest(result, pair)[1] for pair in result.pairs):
            found.append("At n: the widest ranges; all of them are in --explain and -f json.")
    if many > MOST_PAIRS:
        found.append(f"All {pairs} are in -f csv and -f json.")
    found.append(
        "Candidates are taken to be independent of each other. A pair without a significant "
        "difference is not shown to be equal."
    )
    return found


def _meaning(result: RankedMethods) -> list[Block]:
    found: list[Block] = [
        "Candidates that both methods of a pair accept, or neither, say nothing about the "
        "difference: those count that only one accepts."
    ]
    if result.test == "fisher":
        found.append(
            "p is the probability, if accepting such a candidate says nothing about whether it is "
            "true, of shares of true ones that differ as much or more (Fisher's exact test)."
        )
    else:
        found.append(
            "A flip trades the ranks that the two methods give a candidate, by a fair coin, at all "
            "lengths. p is the share of flips with a difference at least as large at this length; "
            "adjusted for lengths, at any of them. Every pair begins with the same seed: what is "
            "found of it does not depend on the other methods."
        )
    level = wording.decimal(100 * (1 - result.alpha))
    if len(result.pairs) > 1:
        found.append(
            f"The correction for {wording.counted(len(result.pairs), 'pair')} is Holm's"
            + (
                ", with the lengths of a pair as a family: the factor falls where a pair differs "
                "at all lengths"
                if len(result.n) > 1
                else ""
            )
            + f". With a probability of about {level}% no claim is false."
        )
    return found


def _explanation(result: RankedMethods) -> list[Block]:
    own = document_of(result.precision)
    sections: list[Block] = [
        Section(
            name="precision",
            title="The n best of every method, with intervals",
            blocks=[*own.tables, *own.notes[2:]],
        )
    ]
    if result.pairs:
        blocks = _meaning(result)
        ranges = _ranges(result)
        if ranges.rows:
            blocks.append(ranges)
        if len(result.n) > 1 and len(result.pairs) * len(result.n) <= MOST_ROWS:
            blocks.append(_every_length(result))
        sections.insert(0, Section(name="tests", title="What was tested", blocks=blocks))
    return sections


# ---- for programs ------------------------------------------------------------------------------


def _rows(result: RankedMethods) -> list[Row]:
    if not result.pairs:
        return [dict(row) for row in document_of(result.precision).rows]
    rows: list[Row] = []
    for pair in result.pairs:
        curves = [result.precision[name] for name in pair.names]
        for i, n in enumerate(pair.n.tolist()):
            row: Row = {"a": pair.names[0], "b": pair.names[1], "n": n}
            for which, curve in zip("ab", curves, strict=True):
                row |= {
                    f"size_{which}": int(curve.size[i]),
                    f"true_positives_{which}": int(curve.true_positives[i]),
                    f"precision_{which}": float(curve.precision[i]),
                    f"low_{which}": float(curve.low[i]),
                    f"high_{which}": float(curve.high[i]),
                    f"average_precision_{which}": curve.average_precision,
                }
            better = pair.names[0] if pair.a_better[i] else pair.names[1]
            rows.append(row | {
                "difference": float(pair.difference[i]),
                "only_a_true": int(pair.only_a[i, 0]), "only_a_false": int(pair.only_a[i, 1]),
                "only_b_true": int(pair.only_b[i, 0]), "only_b_false": int(pair.only_b[i, 1]),
                "pvalue": float(pair.pvalues[i]),
                "adjusted_pvalue": float(pair.adjusted[i]),
                "alpha": result.alpha,
                "better": better if pair.a_better[i] or pair.b_better[i] else None,
            })  # fmt: skip
    return rows


def _pair_record(pair: MethodPair) -> dict[str, Any]:
    lists: dict[str, Any] = {
        "only_a_true": pair.only_a[:, 0], "only_a_false": pair.only_a[:, 1],
        "only_b_true": pair.only_b[:, 0], "only_b_false": pair.only_b[:, 1],
        "difference": pair.difference, "pvalues": pair.pvalues,
        "adjusted_lengths": pair.adjusted_lengths, "adjusted_pvalues": pair.adjusted,
    }  # fmt: skip
    return {
        "a": pair.names[0],
        "b": pair.names[1],
        "adjusted_pvalue": pair.pvalue,
        "better": pair.better,
        "regions": [vars(own) for own in pair.regions],
        **{name: own.tolist() for name, own in lists.items()},
    }


#: What JSON has of a method's samples; intervals have both ends.
_SAMPLED = (
    "precision", "expected_sd", "observed_sd", "ratio", "ratio_bound", "dispersion_pvalue",
    "kolmogorov_pvalue", "misses", "misses_pvalue",
)  # fmt: skip


def _sample_record(found: SamplePrecision) -> dict[str, Any]:
    methods = []
    for i, (name, own) in enumerate(zip(found.names, found.validations, strict=True)):
        numbers: dict[str, Any] = {"name": name}
        numbers |= {key: getattr(own, key) for key in _SAMPLED}
        numbers |= {
            key: list(getattr(own, key))
            for key in ("interval", "corrected_interval", "ratio_interval")
        }
        numbers["accepted"] = found.accepted[i].tolist()
        numbers["true_positives"] = found.true_positives[i].tolist()
        methods.append(numbers)
    return {"n": found.n, "total": found.total, "names": list(found.samples), "methods": methods}


def as_record(
    result: RankedMethods,
    source: dict[str, Any] | None = None,
    samples: SamplePrecision | None = None,
    doubts: Sequence[str] = (),
) -> dict[str, Any]:
    """The JSON record; ``docs/json.md`` has its fields.

    Parameters
    ----------
    result : RankedMethods
        What was found.
    source : mapping, optional
        What was read.
    samples : SamplePrecision, optional
        Of the same methods.
    doubts : sequence of str
        What looks wrong in what was read.
    """
    curves = result.precision.curves
    return {
        "schema": "csig.rank",
        "schema_version": 3,
        "csig_version": __version__,
        "input": source,
        "n_candidates": result.precision.n_candidates,
        "n_true": result.precision.n_true,
        "lengths": result.n.tolist(),
        "ties": result.ties,
        "interval": result.precision.interval,
        "confidence_level": result.precision.confidence_level,
        "baseline": result.baseline,
        "test": result.test if result.pairs else None,
        "alpha": result.alpha,
        "n_resamples": result.n_resamples,
        "seed": record_of_seed(result.seed),
        "methods": [
            {
                "name": own.name,
                "lower_is_better": own.name in result.lower_is_better,
                "average_precision": own.average_precision,
                **{name: getattr(own, name).tolist() for name in ARRAYS if name != "n"},
            }
            for own in (curves[i] for i in result.order)
        ],
        "pairs": [_pair_record(pair) for pair in result.pairs],
        "samples": None if samples is None else _sample_record(samples),
        "doubts": record_of_doubts(
            (*doubts, *result.doubts, *(() if samples is None else samples.doubts))
        ),
        "signature": signature.of_methods(result, __version__, samples),
        "digest": result.digest,
    }


def document_of_methods(
    result: RankedMethods,
    *,
    doubts: Sequence[str] = (),
    notes: Sequence[str] = (),
    source: dict[str, Any] | None = None,
    samples: SamplePrecision | None = None,
) -> Document:
    """The precision of the n best, and the pairs if they are few.

    Parameters
    ----------
    result : RankedMethods
        What was found.
    doubts, notes : sequence of str
        What reading the data brought to light.
    source : mapping, optional
        What was read, for JSON.
    samples : SamplePrecision, optional
        How the precision varies between samples.
    """
    tables = [_precision(result)]
    if 0 < len(result.pairs) <= MOST_PAIRS:
        tables.append(_pairs(result))
    verdict, said, doubted = _verdict(result), _notes(result), [*doubts, *result.doubts]
    if samples is not None:
        own = document_of(samples)
        verdict += own.verdict
        tables += [replace(table, name="samples", title=own.title) for table in own.tables]
        said += own.notes
        doubted += own.doubts
    return Document(
        title=f"The n best of {wording.counted(len(result.names), 'ranking method')}",
        doubts=doubted,
        verdict=verdict,
        tables=tables,
        notes=[*said, *notes],
        explanation=_explanation(result),
        signature=signature.of_methods(result, __version__, samples),
        citation=citation.of_methods(result),
        rows=LazyRows(lambda: _rows(result)),
        record=lambda: plain(as_record(result, source, samples, doubts)),
    )


@document_of.register
def _(result: RankedMethods) -> Document:
    return document_of_methods(result)
