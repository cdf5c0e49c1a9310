"""Many systems: what ``--explain`` adds, what a paper says, and the line of the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from csig.base import wording
from csig.comparing import signature
from csig.comparing.described import source_line
from csig.comparing.signature import Methods, titles
from csig.readers.source import Input
from csig.report.document import Block, Citation, Section
from csig.report.forms import Text, table
from csig.systems.ranking import SystemsResult

#: What is said of pairs without shuffles, beside those with.
_OTHERS = "For all others every shuffle is counted, or p lies between two proven bounds."

#: What makes p-values of many pairs fit for claims, and who says so.
_CORRECTED: Mapping[str, tuple[str, str]] = {
    "holm": ("Holm-adjusted", "holm1979"),
    "holm-directions": ("Holm-adjusted over both directions of every pair", "holm1979"),
    "bonferroni": ("Bonferroni-adjusted", ""),
    "shaffer": ("adjusted by Shaffer's procedure", "shaffer1986"),
    "bh": ("adjusted for the false discovery rate", "benjamini1995"),
    "by": ("adjusted for the false discovery rate under any dependence", "benjamini2001"),
}


# ---- the explanation ---------------------------------------------------------------------


def explanation_of_ranked(
    result: SystemsResult, source: Input | None = None, most_pairs: int = 45
) -> list[Block]:
    """What was read, what is swapped, and what the numbers mean; the pairs if they are few."""
    units = wording.counted(result.n_units, result.unit)
    lines: list[list[Text]] = [[("Systems", "strong"), f"{len(result.names):,}, {units}"]]
    if source is not None:
        lines.insert(0, [("Input", "strong"), source_line(source)])
    return [
        Section(
            name="input", title="What was read", blocks=[table("input", "nt", ["", ""], lines)]
        ),
        Section(name="tests", title="What the tests swap", blocks=list(_tests(result, most_pairs))),
        Section(name="pvalue", title="What adjusted p means", blocks=_claims(result)),
        Section(name="ranks", title="What ranks mean", blocks=_ranks(result)),
    ]


def _tests(result: SystemsResult, most_pairs: int) -> Iterator[Block]:
    noun = wording.noun(result.unit)
    yield (
        f"For every pair of systems, a shuffle swaps the outputs of each {noun} with probability "
        "1/2. p is the share of shuffles with a difference at least as large, in either direction, "
        "as the observed one."
    )
    if result.statistic == "studentized" and result.correction != "flips":
        yield (
            f"For {wording.metric_name(result.metric)} the difference is divided by its standard "
            "error in every shuffle, because how much a system returns is its own. --statistic "
            "difference asks whether the systems are interchangeable."
        )
        if result.plain_pvalues is not None and result.n_pairs <= most_pairs:
            rows = []
            for pair in result.pairs:
                values = (pair.pvalue, pair.plain_pvalue, pair.adjusted, pair.plain_adjusted)
                known = [wording.pvalue(p, None, result.alpha) for p in values if p is not None]
                rows.append([f"{pair.system} - {pair.other}", *known])
            heads = (
                "Pair", "p", "p of the difference", "Adjusted p", "Adjusted p of the difference",
            )  # fmt: skip
            yield table("differences", "npppp", heads, rows)
    number = wording.count(result.n_resamples or 0)
    if result.correction == "flips":
        yield (
            f"Each of {number} flips swaps the same {wording.noun(result.unit, 2)} for all pairs, "
            "so that pairs that depend on each other cost less. An adjusted p is the share of "
            "flips in which any pair that is not yet found to differ comes as far."
        )
        if result.n_shuffled < result.n_pairs:
            but = f", but for {wording.counted(result.n_shuffled, 'pair')}"
            yield (
                f"p of a pair alone needs no flips{but if result.n_shuffled else ''}: every "
                "shuffle is counted, or p lies between two proven bounds and is the upper one."
            )
    elif result.method == "flips":
        shuffled = wording.counted(result.n_shuffled, "pair")
        some = result.n_shuffled < result.n_pairs
        yield (
            f"The shuffles {f'of {shuffled} ' if some else ''}are not counted exactly: {number} "
            f"were drawn, the same for all {'these ' if some else ''}pairs, and p is (hits + 1) / "
            f"(flips + 1).{f' {_OTHERS}' if some else ''}"
        )
    elif result.method == "shuffles":
        shuffled = wording.counted(result.n_shuffled, "pair")
        yield (
            f"For {shuffled}, {number} shuffles were drawn, and p is (hits + 1) / (shuffles + 1). "
            f"{_OTHERS}"
        )
    elif result.method == "certified":
        yield (
            "Nothing is drawn, and another seed changes nothing: the share of all shuffles is "
            "counted, or lies between two proven bounds within a relative 1e-4 of each other, and "
            "p is the upper one."
        )
    else:
        yield "All shuffles are counted: p is exact, and another seed changes nothing."


def _claims(result: SystemsResult) -> list[Block]:
    level = wording.decimal(100 * (1 - result.alpha))
    alpha = wording.decimal(result.alpha)
    adjusted = f"Adjusted p is adjusted for {wording.counted(result.n_pairs, 'pair')}: "
    if result.correction in ("bh", "by"):
        adjusted += (
            f"of all pairs with an adjusted p of at most {alpha}, at most "
            f"{wording.decimal(100 * result.alpha)}% are expected to be false claims."
        )
    else:
        adjusted += (
            f"with a probability of at least {level}% no claim is false among all pairs with an "
            f"adjusted p of at most {alpha}."
        )
    if result.correction == "flips":
        adjusted += (
            " With flips that holds if the differences of equal systems are jointly symmetric."
        )
    return [
        adjusted,
        "No evidence is not evidence of equality: the data cannot tell the two systems apart.",
    ]


def _ranks(result: SystemsResult) -> list[Block]:
    found: list[Block] = []
    if result.baseline is None:
        found.append(
            "A system ranks below all that are significantly better and above all that are "
            "significantly worse. A wide interval says that the data cannot tell systems apart."
        )
    columns = "Win/tie/loss counts the other systems with a lower score, the same and a higher one"
    if not result.greater_is_better:
        columns = "Win/tie/loss counts the other systems with a higher score, the same and a lower"
    return [
        *found,
        f"{columns}; Significant counts those that are worse, not told apart, and better.",
    ]


# ---- for a paper ---------------------------------------------------------------------------


def citation_of_ranked(found: SystemsResult) -> Citation:
    """How to cite the comparison of many systems."""
    methods = Methods()
    n, title = len(found.names), wording.clean(found.metric)
    if found.baseline is None:
        which = f"All {wording.counted(found.n_pairs, 'pair')} of {n:,} systems were compared in"
        if n == 2:
            which = f"{titles(found.names)} were compared in"
    else:
        others = wording.counted(found.n_pairs, "system")
        which = f"The scores of {others} were compared with those of "
        which += f"{wording.clean(found.baseline)} in"
    units = wording.noun(found.unit, 2)
    methods.sentences.append(
        f"{which} {title} by randomization{methods.cited('yeh2000')}, swapping {units} between two "
        f"systems; {wording.counted(found.n_units, found.unit)}."
    )
    methods.sentences.append(f"The p-values are {_adjusted(found, methods)}.")
    if found.baseline is None:
        level = wording.decimal(100 * (1 - found.alpha))
        side = (
            ""
            if found.correction in ("holm-directions", "flips")
            else f" from p-values Holm-adjusted{methods.cited('holm1979')} over both directions"
        )
        methods.sentences.append(
            f"Intervals of ranks hold jointly at {level}%{side}{methods.cited('mogstad2024')}."
        )
    return methods.end()


def _adjusted(found: SystemsResult, methods: Methods) -> str:
    """How p-values were computed and adjusted."""
    number = wording.count(found.n_resamples or 0)
    if found.correction == "flips":
        return (
            f"from step-down tests{methods.cited('romano2005')} with {number} sign flips of whole "
            f"units that all pairs share{methods.generator(found.seed)}"
        )
    made, what = "", "shuffles"
    if found.method == "flips":
        which = "all" if found.n_shuffled == found.n_pairs else "these"
        what = f"sign flips that {which} pairs share"
    if found.method in ("flips", "shuffles"):
        made = (
            f"(hits + 1) / ({found.method} + 1){methods.cited('noreen1989')} of {number} {what}"
            f"{methods.generator(found.seed)}"
        )
    known = "exact"
    if found.n_certified:
        some = found.n_certified + found.n_shuffled < found.n_pairs
        known = f"{'exact, or ' if some else ''}certified, upper bounds within 1e-4"
        known += methods.cited("graham1981")
    if not found.n_shuffled:
        made = known
    elif found.n_shuffled < found.n_pairs:
        made = f"{known}, or, of {wording.counted(found.n_shuffled, 'pair')}, {made}"
    how, key = _CORRECTED[found.correction]
    return f"{made}, and {how}{methods.cited(*filter(None, [key]))}"


def signature_of_ranked(found: SystemsResult, version: str, source: Input | None = None) -> str:
    """The line that identifies a comparison of many systems, and the files that were read."""
    how = (found.correction,) if found.statistic is None else (found.correction, found.statistic)
    known = found.method in ("exact", "certified")
    fields: signature.Fields = {
        "v": (version,),
        "test": ("systems",),
        "unit": (found.unit,),
        "n": (str(found.n_units),),
        "systems": (str(len(found.names)), "all" if found.baseline is None else "baseline"),
        "method": (found.method if known else "approximate",),
        "metrics": (found.metric,),
        **({} if found.greater_is_better else {"lower": (found.metric,)}),
        **({} if source is None else signature.of_input(source)),
        "zd": (str(found.zero_division),),
        "alpha": (repr(found.alpha),),
        "correction": how,
        **({} if known else {found.method: (str(found.n_resamples),)}),
        **signature.of_seeds([found.seed]),
        "data": (found.digest[: signature.DIGITS],),
    }
    return signature.line(fields)
