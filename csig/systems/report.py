"""Many systems as a document: the ranks that each may have first, then the pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, overload

from csig._version import __version__
from csig.base import wording
from csig.comparing import verdict as verdicts
from csig.comparing.options import digits_of, record_of_seed
from csig.comparing.sizes import direction
from csig.readers.source import Input
from csig.report.document import Document, Scalar, Table, Tone
from csig.report.forms import Text, better_cell, picked, record_of_doubts, table
from csig.report.shown import document_of
from csig.systems.explained import citation_of_ranked, explanation_of_ranked, signature_of_ranked
from csig.systems.ranking import SystemsResult

#: Pairs that are printed; programs get all of them.
MOST_PAIRS = 45

#: Systems that a sentence names.
NAMED = 5

#: Pairs that are named where their p-values fall on different sides of alpha.
NAMED_PAIRS = 3

Row = dict[str, Scalar]

#: What the correction makes of the p-values.
_ADJUSTED = {
    "holm": "Holm-adjusted",
    "holm-directions": "Holm-adjusted, both directions",
    "bonferroni": "Bonferroni-adjusted",
    "shaffer": "Shaffer-adjusted",
    "bh": "false discovery rate, Benjamini-Hochberg",
    "by": "false discovery rate, Benjamini-Yekutieli",
    "flips": "step-down flips",
}


class LazyRows(Sequence[Row]):
    """Rows that are made when somebody looks at them: a thousand systems have half a million."""

    def __init__(self, make: Callable[[], list[Row]]) -> None:
        self._make = make

    @cached_property
    def _found(self) -> list[Row]:
        return self._make()

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[Row]:
        return iter(self._found)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Row]: ...
    def __getitem__(self, index: Any) -> Any:
        return self._found[index]


def _level(result: SystemsResult) -> str:
    return f"{wording.decimal(100 * (1 - result.alpha))}%"


def _at(result: SystemsResult) -> str:
    if result.n_pairs == 1 and result.correction != "flips":
        return wording.decimal(result.alpha)  # of one p-value nothing is adjusted
    return f"{wording.decimal(result.alpha)} ({_ADJUSTED[result.correction]})"


def _share(result: SystemsResult) -> bool:
    return all(wording.in_percent(own, own, result.metric) for own in result.scores)


def _verdict(result: SystemsResult) -> list[str]:
    """Which may be the best, and how many pairs differ."""
    many = wording.count(len(result.names))
    n, differ = result.n_pairs, int(result.better.sum())
    if result.baseline is not None:
        base, base_name = result.names.index(result.baseline), wording.clean(result.baseline)
        said = []
        for word, own in (("better", result.better[:, base]), ("worse", result.better[base])):
            names = [wording.clean(result.names[i]) for i in result.order if own[i]]
            if names:
                verb = "is" if len(names) == 1 else "are"
                said.append(f"{wording.few(names, 12)} {verb} significantly {word}")
        if not said:
            return [f"No system differs significantly from {base_name} at {_at(result)}."]
        return [f"{'; '.join(said)} than {base_name} at {_at(result)}."]
    best = [wording.clean(name) for name in result.possibly_best]
    if n == 1:
        first, second = (wording.clean(result.names[i]) for i in result.order)
        if differ:
            return [f"{first} is significantly better than {second} at {_at(result)}."]
        return [f"{first} and {second} do not differ significantly at {_at(result)}."]
    if len(best) == 1:
        first = f"{best[0]} is the best of {many} systems"
    elif len(best) == len(result.names):
        first = f"Any of the {many} systems may be the best"
    elif len(best) <= NAMED:
        first = f"{wording.listed(best, 'or')} may be the best of {many} systems"
    else:
        first = f"{len(best):,} of {many} systems may be the best, {', '.join(best[:2])} among them"
    verb = "differs" if differ == 1 else "differ"
    return [
        f"{first}; {wording.count(differ)} of {wording.counted(n, 'pair')} {verb} significantly at "
        f"{_at(result)}."
    ]


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
        plain = pair.plain_adjusted
        few = result.sparse[i, k] and pair.adjusted <= alpha
        if plain is None or few or (plain <= alpha) == (pair.adjusted <= alpha):
            continue
        n += 1
        if n > NAMED_PAIRS:
            continue
        sentence = verdicts.in_the_metric(
            result.metric,
            *(f"{word} = {wording.pvalue(p, None, alpha)}" for p in (plain, pair.adjusted)),
            apart=plain <= alpha,
            systems=f"{wording.clean(pair.system)} and {wording.clean(pair.other)}",
            returned=None if returned is None else (returned[i], returned[k]),
            denominators=(denominators[i], denominators[k]),
        )
        said.append(f"{wording.metric_title(result.metric)}: {sentence}")
    if n > NAMED_PAIRS:
        more = wording.counted(n - NAMED_PAIRS, "more pair")
        said.append(
            f"Of {more} the two p-values fall on different sides of {wording.decimal(alpha)} as "
            "well; -f json has both."
        )
    return said


def _ranks(result: SystemsResult) -> Table:
    share, ranked = _share(result), result.baseline is None
    scores = wording.scores([own.score for own in result.systems], share)
    rows = []
    for own, score in zip(result.systems, scores, strict=True):
        tone: Tone = "strong" if own.low == 1 else "plain"
        cells: list[Text] = [(own.name, tone), score]
        if ranked:
            cells.append(
                (f"{own.low}" if own.low == own.high else f"{own.low} to {own.high}", tone)
            )
        same = own.wins + own.ties + own.losses - own.better_than - own.worse_than
        cells += [
            f"{own.wins}/{own.ties}/{own.losses}", f"{own.better_than}/{same}/{own.worse_than}",
        ]  # fmt: skip
        rows.append(cells)
    said = direction(result.metric, result.greater_is_better)
    title = wording.metric_title(result.metric)
    title = f"{title}{', %' if share else ''}{f', {said}' if said else ''}"
    headers: list[str | tuple[str, str]] = [
        "System",
        (title, f"score,\n{said}" if said else "score"),
    ]
    if ranked:
        headers.append((f"Ranks, {_level(result)}", "ranks"))
    headers += [("Win/tie/loss", "w/t/l"), ("Significant", "sig.")]
    return table("ranks", "n#TTT" if ranked else "n#TT", headers, rows)


def _pairs(result: SystemsResult) -> Table:
    share = _share(result)
    rows = [
        (
            f"{pair.system} - {pair.other}",
            wording.score_difference(pair.difference, share, sign=True),
            wording.pvalue(pair.pvalue, pair.log_pvalue),
            wording.pvalue(pair.adjusted, None, result.alpha),
            better_cell(pair.better, pair.system),
        )
        for pair in result.pairs
    ]
    headers: list[str | tuple[str, str]] = [
        "Pair", (f"Difference{', points' * share}", "diff."), "p", ("Adjusted p", "adj. p"),
        "Verdict",
    ]  # fmt: skip
    return table("pairs", "n#ppv", headers, rows)


def _notes(result: SystemsResult) -> list[str]:
    units = wording.counted(result.n_units, result.unit)
    notes = []
    if result.baseline is None:
        notes.append(
            f"Ranks: all intervals hold at once with a probability of at least {_level(result)} "
            "(1 is the best)."
        )
        if result.correction not in ("holm-directions", "flips"):
            notes.append(
                "The ranks follow from p-values that are Holm-adjusted over both directions of "
                "every pair."
            )
    if result.correction in ("bh", "by"):
        notes.append(
            f"At most {wording.decimal(100 * result.alpha)}% of the significant pairs are expected "
            "to be false claims; that none is false is not claimed."
        )
    notes.append(f"{units}. A pair without a significant difference is not shown to be equal.")
    if result.n_pairs > MOST_PAIRS:
        notes.append(f"All {wording.count(result.n_pairs)} pairs are in -f csv and -f json.")
    known = _known(result)
    if known:
        notes.append(known)
    if result.seed is not None:
        seed = ", ".join(digits_of(result.seed))
        what = "Shuffles" if result.method == "shuffles" else "Flips"
        notes.append(f"{what}: {wording.count(result.n_resamples or 0)}, seed {seed}.")
    return notes


def _known(result: SystemsResult) -> str:
    """How many pairs were certified, where any were; of others that is said elsewhere."""
    n, certified, shuffled = result.n_pairs, result.n_certified, result.n_shuffled
    if not certified:
        return ""
    bounds = "the upper one of two proven bounds within 0.01% of each other"
    if certified == n:
        return f"p is certified: {bounds}; nothing is drawn for it."
    exact = n - certified - shuffled
    what = "flips" if result.method == "flips" else "shuffles"
    parts = [(certified, "certified"), (exact, "exact"), (shuffled, f"from {what}")]
    said = wording.listed([f"{wording.count(own)} {how}" for own, how in parts if own])
    return f"p of {wording.counted(n, 'pair')}: {said}. Certified is {bounds}."


def _rows(result: SystemsResult) -> list[Row]:
    systems = {own.name: own for own in result.systems}
    return [
        {
            "metric": result.metric,
            "system": pair.system,
            "other": pair.other,
            "score": systems[pair.system].score,
            "other_score": systems[pair.other].score,
            "difference": pair.difference,
            "pvalue": pair.pvalue,
            "log_pvalue": pair.log_pvalue,
            "adjusted_pvalue": pair.adjusted,
            "correction": result.correction,
            "alpha": result.alpha,
            "better": pair.better,
            "rank_low": systems[pair.system].low,
            "rank_high": systems[pair.system].high,
            "other_rank_low": systems[pair.other].low,
            "other_rank_high": systems[pair.other].high,
        }
        for pair in result.pairs
    ]


def as_record(result: SystemsResult, source: Input | None = None) -> dict[str, Any]:
    """The JSON record of what was found in what was read; ``docs/json.md`` has its fields."""
    return {
        "schema": "csig.systems",
        "schema_version": 3,
        "csig_version": __version__,
        **picked(
            result,
            "metric greater_is_better unit n_units baseline correction statistic alpha n_resamples",
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
            {
                "system": pair.system,
                "other": pair.other,
                "difference": pair.difference,
                "pvalue": pair.pvalue,
                "log_pvalue": pair.log_pvalue,
                "adjusted_pvalue": pair.adjusted,
                "plain_pvalue": pair.plain_pvalue,
                "plain_adjusted_pvalue": pair.plain_adjusted,
                "better": pair.better,
            }
            for pair in result.pairs
        ],
        "doubts": record_of_doubts((*(() if source is None else source.cautions), *result.doubts)),
        "signature": signature_of_ranked(result, __version__, source),
        "digest": result.digest,
    }


def document_of_systems(
    result: SystemsResult,
    *,
    doubts: Sequence[str] = (),
    notes: Sequence[str] = (),
    letters: bool = False,
    source: Input | None = None,
) -> Document:
    """The ranks, the compact letters if they are wanted, and the pairs if they are few.

    `doubts` and `notes` are what reading the data brought to light, `source` what was read.
    """
    tables = [_ranks(result)]
    said = list(notes)
    if letters:
        rows = list(result.letters().items())
        tables.append(table("letters", "nt", ["System", "Letters"], rows))
        said.append(
            "Systems that share a letter have no significant difference; a letter is no group of "
            "equals."
        )
    if result.n_pairs <= MOST_PAIRS:
        tables.append(_pairs(result))
    return Document(
        title=f"{wording.metric_title(result.metric)} of {len(result.names):,} systems",
        doubts=[*doubts, *result.doubts],
        verdict=[*_verdict(result), *_in_the_metric(result)],
        tables=tables,
        notes=[*_notes(result), *said],
        explanation=explanation_of_ranked(result, source, MOST_PAIRS),
        signature=signature_of_ranked(result, __version__, source),
        citation=citation_of_ranked(result),
        rows=LazyRows(lambda: _rows(result)),
        record=lambda: as_record(result, source),
    )


@document_of.register
def _(result: SystemsResult) -> Document:
    return document_of_systems(result)
