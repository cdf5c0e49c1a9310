"""Many systems as a document, the ranks that each may have first; as a card; as a record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from csig._version import __version__
from csig.base import wording
from csig.base.defaults import FLIPS, YEH_RESAMPLES
from csig.base.errors import InputError, argument
from csig.base.progress import ProgressBar
from csig.base.wording import counted
from csig.comparing import signature, sizes
from csig.comparing import verdict as verdicts
from csig.comparing.described import source_line
from csig.comparing.options import digits_of, record_of_seed
from csig.comparing.signature import Methods, titles
from csig.comparing.sizes import direction
from csig.data.metrics import Metric
from csig.data.several import Several, has_gaps, several
from csig.data.units import numbered
from csig.engines.base import EDITION
from csig.readers.forms import read
from csig.readers.reading import Reading
from csig.readers.request import PAIRWISE, Request
from csig.report.document import (
    Block,
    Citation,
    Document,
    Header,
    LazyRows,
    Names,
    Picture,
    Row,
    Section,
    Table,
    Text,
    Tone,
    head,
    picked,
    record_of_doubts,
    table,
)  # fmt: skip
from csig.report.records import metric_record, record_digest, when_and_where
from csig.report.rendering import Rendering, render
from csig.report.shown import document_of
from csig.systems.ranking import SCORES, SystemsResult, board_of, rank_systems, ranked
from csig.systems.reading import RankBy, with_gaps

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


def explanation_of_ranked(result: SystemsResult) -> list[Block]:
    """What was read, what is swapped, and what the numbers mean; the pairs if they are few."""
    units = wording.counted(result.n_units, result.unit)
    lines: list[list[Text]] = [[("Systems", "strong"), f"{len(result.names):,}, {units}"]]
    if result.source is not None:
        lines.insert(0, [("Input", "strong"), source_line(result.source)])
    alpha = wording.decimal(result.alpha)
    adjusted = f"Adjusted p is adjusted for {wording.counted(result.n_pairs, 'pair')}: "
    if result.correction in ("bh", "by"):
        adjusted += (
            f"of all pairs with an adjusted p of at most {alpha}, at most "
            f"{wording.decimal(100 * result.alpha)}% are expected to be false claims."
        )
    else:
        adjusted += (
            f"with a probability of at least {_level(result)} no claim is false among all pairs "
            f"with an adjusted p of at most {alpha}."
        )
    if result.correction == "flips":
        adjusted += (
            " With flips that holds if the differences of equal systems are jointly symmetric."
        )
    ranks: list[Block] = []
    if result.baseline is None:
        ranks.append(
            "A system ranks below all that are significantly better and above all that are "
            "significantly worse. A wide interval says that the data cannot tell systems apart."
        )
    ranks.append(
        "Better than, no evidence and worse than count the other systems from which a system does "
        "or does not differ significantly."
    )
    return [
        Section(
            name="input", title="What was read", blocks=[table("input", "nt", ["", ""], lines)]
        ),
        Section(name="tests", title="What the tests swap", blocks=list(_tests(result))),
        Section(
            name="pvalue",
            title="What adjusted p means",
            blocks=[
                adjusted,
                "No evidence is not evidence of equality: the data cannot tell the two systems "
                "apart.",
            ],
        ),
        Section(name="ranks", title="What ranks mean", blocks=ranks),
    ]


def _tests(result: SystemsResult) -> Iterator[Block]:
    noun = wording.noun(result.unit)
    yield (
        f"For every pair of systems, a shuffle swaps the outputs of each {noun} with probability "
        "1/2. p is the share of shuffles with a difference at least as large, in either direction, "
        "as the observed one."
    )
    if result.statistic == "studentized" and result.correction != "flips":
        said = (
            f"For {wording.metric_name(result.metric)} the difference is divided by its standard "
            "error in every shuffle, because systems return different numbers of responses."
        )
        other = f"{argument('statistic', 'difference')} asks whether the systems are "
        yield wording.joined([said, wording.Line(f"{other}interchangeable.")])
        if result.plain_pvalues is not None and result.n_pairs <= MOST_PAIRS:
            rows = []
            for own in result.pairs:
                values = (
                    own.pvalue, own.plain_pvalue, own.adjusted_pvalue, own.plain_adjusted_pvalue,
                )  # fmt: skip
                known = [wording.pvalue(p, None, result.alpha) for p in values if p is not None]
                rows.append([f"{own.system} - {own.other}", *known])
            heads = (
                "Pair", "p", "p of the difference", "Adjusted p", "Adjusted p of the difference",
            )  # fmt: skip
            yield table("differences", "npppp", heads, rows)
    number = wording.count(result.n_resamples or 0)
    if result.correction == "flips":
        yield (
            f"Each of {number} flips swaps the same {wording.noun(result.unit, 2)} for all pairs, "
            "which costs less where pairs are correlated. An adjusted p is the share of flips in "
            "which any pair not yet found to differ has as large a difference."
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
            "Nothing is drawn, so the seed has no effect: the share of all shuffles is "
            "counted, or lies between two proven bounds within a relative 1e-4 of each other, and "
            "p is the upper one."
        )
    else:
        yield "All shuffles are counted: p is exact, and the seed has no effect."


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
        side = (
            ""
            if found.correction in ("holm-directions", "flips")
            else f" from p-values Holm-adjusted{methods.cited('holm1979')} over both directions"
        )
        methods.sentences.append(
            f"Intervals of ranks hold jointly at {_level(found)}{side}"
            f"{methods.cited('mogstad2024')}."
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


def signature_of_ranked(found: SystemsResult) -> str:
    """The line that identifies a comparison of many systems, and the files that were read."""
    how = (found.correction,) if found.statistic is None else (found.correction, found.statistic)
    known = found.method in ("exact", "certified")
    fields: signature.Fields = {
        "v": (__version__,),
        "test": ("systems",),
        "unit": (found.unit,),
        "n": (str(found.n_units),),
        "systems": (str(len(found.names)), "all" if found.baseline is None else "baseline"),
        "method": (found.method if known else "approximate",),
        "metrics": (found.metric,),
        **({} if found.greater_is_better else {"lower": (found.metric,)}),
        **({} if found.source is None else signature.of_input(found.source)),
        "zd": (str(found.zero_division),),
        "alpha": (repr(found.alpha),),
        **({"gaps": (PAIRWISE,)} if found._table is not None and found._table.given.gaps else {}),
        "correction": how,
        **({} if known else {found.method: (str(found.n_resamples),)}),
        **signature.of_seeds([found.seed]),
        "data": (found.digest[: signature.DIGITS],),
    }
    return signature.line(fields)


#: Pairs that are printed; programs get all of them.
MOST_PAIRS = 45

#: Systems that a sentence names.
NAMED = 5

#: Pairs that are named where their p-values fall on different sides of alpha.
NAMED_PAIRS = 3

#: Letters of a metric's name that a narrow table has room for.
SHORT_TITLE = 16

#: Columns that count the other systems by the verdicts on them.
OTHERS = (
    ("Better than", "better\nthan"), ("No evidence", "no\nevidence"), ("Worse than", "worse\nthan"),
)  # fmt: skip

#: What corrections make of p-values.
CORRECTED = {
    "holm": "Holm-adjusted",
    "holm-directions": "Holm-adjusted, both directions",
    "bonferroni": "Bonferroni-adjusted",
    "shaffer": "Shaffer-adjusted",
    "bergmann-hommel": "Bergmann-Hommel-adjusted",
    "bh": "false discovery rate, Benjamini-Hochberg",
    "by": "false discovery rate, Benjamini-Yekutieli",
    "flips": "step-down flips",
}


def notes_of_pairs(over: str, n_pairs: int, correction: str, alpha: float) -> list[str]:
    """What to know of verdicts on pairs, over so many units or data sets."""
    found = []
    if correction in ("bh", "by"):
        found.append(
            f"At most {wording.decimal(100 * alpha)}% of the significant pairs are expected to be "
            "false claims; that none is false is not claimed."
        )
    first = f"{over}. " if over else ""
    found.append(f"{first}A pair without a significant difference is not shown to be equal.")
    if n_pairs > MOST_PAIRS:
        there = f"All {wording.count(n_pairs)} pairs are in CSV and JSON output."
        found.append(wording.Line(there))
    return found


def _level(result: SystemsResult) -> str:
    return f"{wording.decimal(100 * (1 - result.alpha))}%"


def _at(result: SystemsResult) -> str:
    if result.n_pairs == 1 and result.correction != "flips":
        return wording.decimal(result.alpha)  # of one p-value nothing is adjusted
    return f"{wording.decimal(result.alpha)} ({CORRECTED[result.correction]})"


def beside(
    baseline: str, better: Sequence[str], worse: Sequence[str], at: str, *, listed: int = 0
) -> str:
    """Which systems are better than a baseline, and which are worse; so many with an "and"."""
    said = []
    for names, word in ((better, "better"), (worse, "worse")):
        if names:
            known = wording.listed(names) if len(names) <= listed else wording.few(names, 12)
            said.append(f"{known} {'is' if len(names) == 1 else 'are'} significantly {word}")
    if not said:
        return f"No system differs significantly from {baseline} {at}."
    return f"{'; '.join(said)} than {baseline} {at}."


def _verdict(result: SystemsResult) -> str:
    """Which may be the best, and how many pairs differ."""
    many = wording.count(len(result.names))
    n, differ = result.n_pairs, int(result.better.sum())
    if result.baseline is not None:
        base, base_name = result.names.index(result.baseline), wording.clean(result.baseline)
        better, worse = (
            [wording.clean(result.names[i]) for i in result.order if own[i]]
            for own in (result.better[:, base], result.better[base])
        )
        return beside(base_name, better, worse, f"at {_at(result)}")
    best = [wording.clean(name) for name in result.possibly_best]
    if n == 1:
        first, second = (wording.clean(result.names[i]) for i in result.order)
        if differ:
            size = result._figures.sized(result.pairs[0].difference, sign=False)
            return f"{first} is better than {second} by {size}, significantly at {_at(result)}."
        return f"{first} and {second} do not differ significantly at {_at(result)}."
    if len(best) == 1:
        first, pair = f"{best[0]} is the best of {many} systems", result.pairs[0]
        if wording.clean(pair.system) == best[0] and pair.better is not None:
            size = result._figures.sized(pair.difference, sign=False)
            first += f", {size} ahead of {wording.clean(pair.other)}"
    elif len(best) == len(result.names):
        first = f"Any of the {many} systems may be the best"
    elif len(best) <= NAMED:
        first = f"{wording.listed(best, 'or')} may be the best of {many} systems"
    else:
        first = f"{len(best):,} of {many} systems may be the best, {', '.join(best[:2])} among them"
    verb = "differs" if differ == 1 else "differ"
    return (
        f"{first}; {wording.count(differ)} of {wording.counted(n, 'pair')} {verb} significantly at "
        f"{_at(result)}."
    )


def _in_the_metric(result: SystemsResult) -> list[str]:
    """Pairs that can be told apart where the metric cannot, or the other way round."""
    alpha = result.alpha
    returned, denominators = result.returned, result.denominators
    word = "p" if result.n_pairs == 1 else "adjusted p"
    said: list[str] = []
    n = 0
    if result.sparse is None or denominators is None:
        return said
    places = {name: i for i, name in enumerate(result.names)}
    for pair in result.pairs:
        i, k = places[pair.system], places[pair.other]
        plain = pair.plain_adjusted_pvalue
        few = result.sparse[i, k] and pair.adjusted_pvalue <= alpha
        if plain is None or few or (plain <= alpha) == (pair.adjusted_pvalue <= alpha):
            continue
        n += 1
        if n > NAMED_PAIRS:
            continue
        sentence = verdicts.in_the_metric(
            result.metric,
            *(f"{word} = {wording.pvalue(p, None, alpha)}" for p in (plain, pair.adjusted_pvalue)),
            apart=plain <= alpha,
            systems=f"{wording.clean(pair.system)} and {wording.clean(pair.other)}",
            returned=None if returned is None else (returned[i], returned[k]),
            denominators=(denominators[i], denominators[k]),
        )
        said.append(f"{wording.metric_title(result.metric)}: {sentence}")
    if n > NAMED_PAIRS:
        more = wording.counted(n - NAMED_PAIRS, "more pair")
        sides = f"Of {more} the two p-values also fall on different sides of"
        sides += f" {wording.decimal(alpha)}"
        said.append(wording.Line(f"{sides}; JSON output has both.", f"{sides}."))
    return said


def _ranks(result: SystemsResult, names: Names, letters: Mapping[str, str]) -> Table:
    share, ranked = result.in_percent, result.baseline is None
    scores = map(result._figures.score, (own.score for own in result.systems))
    rows = []
    for own, score in zip(result.systems, scores, strict=True):
        tone: Tone = "strong" if own.low == 1 else "plain"
        cells: list[Text] = [names.cell("{}", own.name, tone=tone), score]
        if ranked:
            cells.append(
                (f"{own.low}" if own.low == own.high else f"{own.low} to {own.high}", tone)
            )
        same = own.wins + own.ties + own.losses - own.better_than - own.worse_than
        cells += [f"{own.better_than}", f"{same}", f"{own.worse_than}"]
        rows.append([*cells, *([letters[own.name]] if letters else [])])
    said = direction(result.metric, result.greater_is_better)
    title, unit = wording.metric_title(result.metric), ", %" * share
    short = f"{title if len(title) <= SHORT_TITLE else 'score'}{unit}"
    headers: list[Header] = [
        "System",
        (f"{title}{unit}, {said}", f"{short},\n{said}") if said else (f"{title}{unit}", short),
    ]
    if ranked:
        headers.append((f"Ranks, {_level(result)}", "ranks"))
    headers += [*OTHERS, *["Letters"] * bool(letters)]
    kinds = "n#" + "T" * ranked + "TTT" + "t" * bool(letters)
    return table("ranks", kinds, headers, rows, names=names)


def _pairs(result: SystemsResult, names: Names) -> Table:
    share = result.in_percent
    figures = result._figures
    rows = [
        (
            names.cell("{} - {}", pair.system, pair.other),
            figures.difference(pair.difference, sign=True),
            wording.pvalue(pair.pvalue, pair.log_pvalue),
            wording.pvalue(pair.adjusted_pvalue, None, result.alpha),
            names.better(pair.better, pair.system),
        )
        for pair in result.pairs
    ]
    headers: list[Header] = [
        "Pair", (f"Difference{', points' * share}", "diff."), "p", ("Adjusted p", "adj. p"),
        "Verdict",
    ]  # fmt: skip
    return table("pairs", "n#ppv", headers, rows, names=names)


def _notes(result: SystemsResult) -> list[str]:
    units, table = wording.counted(result.n_units, result.unit), result._table
    if table is not None and table.differing is not None and result.baseline is None:
        units = f"Two systems differ in {wording.ranged(table.differing)} of {units}"
    notes = []
    if result.baseline is None:
        how = "; they follow from p-values Holm-adjusted over both directions of every pair"
        how *= result.correction not in ("holm-directions", "flips")
        notes.append(f"Ranks (1 is the best) hold jointly at {_level(result)}{how}.")
    notes += notes_of_pairs(units, result.n_pairs, result.correction, result.alpha)
    if result.rank_by != "mean":
        notes.append(
            f"{wording.metric_title(result.metric)}: on each {wording.noun(result.unit)} "
            f"{'how many' if result.rank_by == 'borda' else 'which share'} of the other systems it "
            "beats, ties counting half, then the mean. Other systems on the board change it."
        )
    certified, shuffled = result.n_certified, result.n_shuffled
    bounds = "the upper one of two proven bounds within 0.01% of each other"
    if certified == result.n_pairs:
        notes.append(f"p is certified: {bounds}; nothing is drawn for it.")
    elif certified:
        exact = result.n_pairs - certified - shuffled
        drawn = "from flips" if result.method == "flips" else "from shuffles"
        parts = ((certified, "certified"), (exact, "exact"), (shuffled, drawn))
        said = wording.listed([f"{wording.count(n)} {how}" for n, how in parts if n])
        of_pairs = wording.counted(result.n_pairs, "pair")
        notes.append(f"p of {of_pairs}: {said}. Certified is {bounds}.")
    if result.seed is not None:
        seed = ", ".join(digits_of(result.seed))
        what = "Shuffles" if result.method == "shuffles" else "Flips"
        notes.append(f"{what}: {wording.count(result.n_resamples or 0)}, seed {seed}.")
    return notes


def _rows(result: SystemsResult) -> list[Row]:
    systems = {own.name: own for own in result.systems}
    rows = []
    for pair in result.pairs:
        one, other = systems[pair.system], systems[pair.other]
        rows.append({
            "metric": result.metric,
            **picked(pair, "system other"),
            "score": one.score,
            "other_score": other.score,
            **picked(pair, "difference pvalue log_pvalue adjusted_pvalue"),
            **picked(result, "correction alpha"),
            "better": pair.better,
            **picked(one, "rank_low=low rank_high=high"),
            **picked(other, "other_rank_low=low other_rank_high=high"),
        })  # fmt: skip
    return rows


def as_record(result: SystemsResult) -> dict[str, Any]:
    """The JSON record; ``docs/json.md`` has its fields."""
    return {
        **head("csig.systems", 3),
        **picked(
            result,
            "metric greater_is_better rank_by unit n_units baseline correction statistic alpha "
            "n_resamples",
        ),
        "seed": record_of_seed(result.seed),
        **picked(result, "method n_certified n_shuffled"),
        "possibly_best": [] if result.baseline is not None else list(result.possibly_best),
        "systems": [
            picked(
                own,
                "name score rank_low=low rank_high=high wins ties losses better_than worse_than",
            )
            for own in result.systems
        ],
        "pairs": [
            picked(
                pair,
                "system other difference pvalue log_pvalue adjusted_pvalue plain_pvalue "
                "plain_adjusted_pvalue better",
            )
            for pair in result.pairs
        ],
        "doubts": record_of_doubts(result.doubts),
        "signature": signature_of_ranked(result),
        "digest": result.digest,
    }


@document_of.register
def document_of_systems(result: SystemsResult, *, letters: bool = False) -> Document:
    """The ranks, the compact letters if they are wanted, and the pairs if they are few."""
    names = Names(own.name for own in result.systems)
    tables = [_ranks(result, names, result.letters() if letters else {})]
    said = []
    if result.source is not None:
        said = [f"Read as {source_line(result.source)}.", *result.source.notes]
    if not letters and result.baseline is None and len(result.names) > 2:
        said.append(wording.Line("Groups: --letters. For papers: --cite."))
    if letters:
        said.append(
            "Systems that share a letter have no significant difference; they are not shown to "
            "be equal."
        )
    if result.n_pairs <= MOST_PAIRS:
        tables.append(_pairs(result, names))
    return Document(
        title=f"{wording.metric_title(result.metric)} of {len(result.names):,} systems",
        doubts=result.doubts,
        verdict=[_verdict(result), *_in_the_metric(result)],
        tables=tables,
        notes=[*_notes(result), *said],
        explanation=explanation_of_ranked(result),
        signature=signature_of_ranked(result),
        citation=citation_of_ranked(result),
        rows=LazyRows(lambda: _rows(result)),
        record=lambda: as_record(result),
    )


def systems_document(
    request: Request,
    metrics: tuple[str, ...],
    unit: str | None = None,
    *,
    letters: bool = False,
    lower_is_better: bool | None = None,
    rank_by: RankBy = "mean",
    **options: Any,
) -> tuple[SystemsResult, Document]:
    """Read, compare, and say what was found: ``csig systems``."""
    reading = Reading(read(request, metrics), unit, metrics, lower_is_better)
    with ProgressBar("Testing") as bar:
        found = ranked(reading, rank_by=rank_by, progress=bar if bar.wanted else None, **options)
    return found, document_of_systems(found, letters=letters)


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
    return replace(
        whole, doubts=[*whole.doubts, *few], explanation=shown, notes=notes,
        tables=[table("card", kinds, [*headers, "Better than"], rows)],
    )  # fmt: skip


def check_card(path: str) -> str:
    """The end of a card's name."""
    found: Any = next((end for end in SUFFIXES if path.lower().endswith(end)), None)
    if found is None:
        raise InputError(f"{path}: a card is {wording.listed(SUFFIXES, 'or')}, by the file's name")
    return str(found)


SCHEMA = "csig.board"

#: Random words, and looks of flips at differences, that a verification may take: about an hour.
MOST_WORDS, MOST_LOOKS = 2**40, 2**42

#: Fields of the result that are computed from the rest; sentences are not.
_RESULT = (
    "n_units statistic method n_certified n_shuffled n_resamples possibly_best systems pairs digest"
)


def make_record(
    found: SystemsResult,
    inputs: Sequence[Mapping[str, Any]] = (),
    command: Sequence[str] = (),
) -> dict[str, Any]:
    """The record of what :func:`csig.compare_systems` found."""
    # `inputs` has path, bytes and sha256 of every file.
    table, asked = found._table, found._asked
    if table is None or table.known is not None:
        raise InputError(
            "record: the comparisons that were given have no common numbers; give the scores"
        )
    data, metric = table.asked
    check_size(data, asked)
    rows = zip(data.names, data.rows, strict=True)
    record = {
        "schema": SCHEMA,
        "schema_version": 1,
        **when_and_where(),
        "command": list(command),
        "inputs": [dict(file) for file in inputs],
        "unit": table.unit,
        "columns": None if data.columns is None else list(data.columns),
        "clusters": None if data.clusters is None else numbered(data.clusters)[0].tolist(),
        "systems": [
            {"name": name, "type": str(own.dtype), "numbers": _listed(own)} for name, own in rows
        ],
        "metric": metric_record(metric, EDITION),
        "options": dict(asked),
        "result": result_of(found),
    }
    record["sha256"] = record_digest(record)
    return record


def _listed(numbers: np.ndarray[Any, Any]) -> list[Any]:
    """Numbers as JSON has them: null where a system lacks a unit."""
    if numbers.dtype.kind != "f":
        return list(numbers.tolist())
    return [None if number != number else number for number in numbers.astype(np.float64).tolist()]


def data_of(record: Mapping[str, Any]) -> Several:
    """The numbers of a record that was checked by its schema."""
    systems = record["systems"]
    names = tuple(own["name"] for own in systems)
    if len(set(names)) < len(names):
        raise InputError("systems: two of them have the same name")
    columns = record["columns"]
    rows: dict[str, Any] = {}
    for own in systems:
        try:
            numbers = np.array(own["numbers"], dtype=np.float64 if None in own["numbers"] else None)
            if numbers.dtype.kind in "if":
                with np.errstate(over="ignore"):
                    numbers = numbers.astype(own["type"], casting="same_kind")
        except (ValueError, TypeError, OverflowError):
            numbers = np.array("")
        if numbers.dtype.kind not in "if":
            raise InputError(f"systems: the numbers of {own['name'][:60]!r} are no table")
        rows[own["name"]] = numbers
    gaps = columns is None and has_gaps(rows.values())
    clusters = record["clusters"]
    if clusters is not None:  # whose order is that of texts
        clusters = [f"{number:09}" for number in clusters]
    return with_gaps(rows, None, clusters) if gaps else several(rows, columns, None, clusters)


def check_size(data: Several, options: Mapping[str, Any]) -> int:
    """How many pairs there are; refuses what no verification would take."""
    n, n_units = len(data.names), len(data.rows[0])
    n_pairs = n * (n - 1) // 2 if options["baseline"] is None else n - 1
    flips = options["correction"] == "flips"
    # Shuffles of scores that nobody asked for limit themselves.
    default = FLIPS if flips else 0 if data.columns is None else YEH_RESAMPLES
    trials = options["n_resamples"] or default
    work, most = -(-trials // 64) * n_units * n_pairs, MOST_WORDS
    if flips:
        work, most = trials * (n_pairs + n_units * n // SCORES), MOST_LOOKS
    if work > most:
        raise InputError(
            f"record: {trials:,} trials of {counted(n_pairs, 'pair')} of systems would take too "
            "long to verify"
        )
    return n_pairs


def ranked_again(
    record: Mapping[str, Any], metric: Metric, rng: Any, threads: int | None
) -> SystemsResult:
    """What comes of a record's numbers and options now."""
    options = dict(record["options"])
    seed = options.pop("seed")
    rank_by = options.pop("rank_by")
    data = data_of(record)
    n_pairs, pairs = check_size(data, options), record["result"].get("pairs")
    if not isinstance(pairs, list) or len(pairs) != n_pairs:  # so that a short one is no long work
        raise InputError(f"result.pairs: expected {counted(n_pairs, 'pair')} of systems")
    table = board_of(
        data, metric, rank_by, unit=record["unit"],
        zero_division=options["zero_division"],
    )  # fmt: skip
    return rank_systems(
        table, **options, rng=rng, bit_generator=seed["bit_generator"], threads=threads
    )


def result_of(found: SystemsResult) -> dict[str, Any]:
    """The fields of a record that are computed."""
    result = as_record(found)
    return {name: result[name] for name in _RESULT.split()}
