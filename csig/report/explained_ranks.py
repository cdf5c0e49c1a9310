"""What ``csig systems --explain`` adds: what was read, what is swapped, what the numbers mean."""

from __future__ import annotations

from collections.abc import Iterator

from csig import wording
from csig.readers.source import Input
from csig.report.compared import source_line
from csig.report.document import Block, Cell, Column, Section, Table
from csig.systems import SystemsResult

__all__ = ["explanation_of_ranked"]

#: What every correction promises.
_PROMISES = {
    "holm": "no claim is false",
    "holm-directions": "no claim is false",
    "bonferroni": "no claim is false",
    "shaffer": "no claim is false",
    "flips": "no claim is false",
}

#: On what.
_CONDITIONS = {
    "flips": " With flips that holds if the differences of equal systems are jointly symmetric.",
}


#: What is said of pairs without shuffles, beside those with.
_OTHERS = "For all others every shuffle is counted, or p lies between two proven bounds."


def _read(result: SystemsResult, source: Input | None) -> Iterator[Block]:
    units = wording.counted(result.n_units, result.unit)
    lines = [("Systems", f"{len(result.names):,}, {units}")]
    if source is not None:
        lines.insert(0, ("Input", source_line(source)))
    rows = [[Cell(name, "name", "strong"), Cell(text)] for name, text in lines]
    yield Table(name="input", columns=[Column("", "left"), Column("", "left")], rows=rows)


def _plain(result: SystemsResult, most_pairs: int) -> Iterator[Block]:
    """Both p-values of every pair, of a studentised ratio."""
    if result.plain_pvalues is None or result.n_pairs > most_pairs:
        return
    heads = ("p", "p of the difference", "Adjusted p", "Adjusted p of the difference")
    rows = []
    for pair in result.pairs:
        values = (pair.pvalue, pair.plain_pvalue, pair.adjusted, pair.plain_adjusted)
        texts = [wording.pvalue(own, None, result.alpha) for own in values if own is not None]
        cells = [Cell(f"{pair.system} - {pair.other}", "name")]
        rows.append(cells + [Cell(text, "pvalue") for text in texts])
    columns = [Column("Pair", "left"), *map(Column, heads)]
    yield Table(name="differences", columns=columns, rows=rows)


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
        yield from _plain(result, most_pairs)
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


def _claims(result: SystemsResult) -> Iterator[Block]:
    level = wording.decimal(100 * (1 - result.alpha))
    alpha = wording.decimal(result.alpha)
    promise = _PROMISES.get(result.correction)
    tests = wording.counted(result.n_pairs, "pair")
    if promise is not None:
        yield (
            f"Adjusted p is adjusted for {tests}: with a probability of at least {level}% {promise}"
            f" among all pairs with an adjusted p of at most {alpha}."
            + _CONDITIONS.get(result.correction, "")
        )
    else:
        yield (
            f"Adjusted p is adjusted for {tests}: of all pairs with an adjusted p of at most "
            f"{alpha}, at most {wording.decimal(100 * result.alpha)}% are expected to be false "
            "claims."
        )
    yield "No evidence is not evidence of equality: the data cannot tell the two systems apart."


def _ranks(result: SystemsResult) -> Iterator[Block]:
    if result.baseline is None:
        yield (
            "A system ranks below all that are significantly better and above all that are "
            "significantly worse. A wide interval says that the data cannot tell systems apart."
        )
    columns = "Win/tie/loss counts the other systems with a lower score, the same and a higher one"
    if not result.greater_is_better:
        columns = "Win/tie/loss counts the other systems with a higher score, the same and a lower"
    yield f"{columns}; Significant counts those that are worse, not told apart, and better."


def explanation_of_ranked(
    result: SystemsResult, source: Input | None = None, most_pairs: int = 45
) -> list[Block]:
    """The explanation of a comparison of many systems.

    Parameters
    ----------
    result : SystemsResult
        What was found.
    source : Input, optional
        What was read, where it was files.
    most_pairs : int
        Pairs that are printed.
    """
    return [
        Section(name="input", title="What was read", blocks=list(_read(result, source))),
        Section(name="tests", title="What the tests swap", blocks=list(_tests(result, most_pairs))),
        Section(name="pvalue", title="What adjusted p means", blocks=list(_claims(result))),
        Section(name="ranks", title="What ranks mean", blocks=list(_ranks(result))),
    ]
