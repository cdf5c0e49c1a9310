"""The line that identifies a result: the same for runs that must give the same numbers.

``csig|v:0.2.0|test:randomization|unit:document|n:19/20|exact|...``: keys and values, of which
``docs/signature.md`` has a table. What decides a number is in it, and nothing else: no thread, no
file, no name of a system. It is in ASCII; in values all other characters are percent-encoded.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote, unquote_to_bytes

import numpy as np

from csig import metrics
from csig.comparison import Comparison
from csig.digests import data_digest, joint_digest
from csig.engines.tasks import EXACT_BUDGET
from csig.errors import InputError
from csig.metrics import Metric
from csig.report.estimates import AUTO, INVERTED, LINEARIZED, NONE
from csig.report.options import Options
from csig.results import Interval, RandomizationResult, Seed

if TYPE_CHECKING:
    from csig.audits.outcome import Audit
    from csig.breakdowns import Breakdown
    from csig.rankings.methods import RankedMethods
    from csig.rankings.samples import SamplePrecision
    from csig.readers.source import Input
    from csig.systems import SystemsResult

__all__ = [
    "Estimated",
    "Gathered",
    "digest_of_estimates",
    "digest_of_systems",
    "line",
    "of_audit",
    "of_estimates",
    "of_methods",
    "of_ranked",
    "of_results",
    "of_systems",
    "parse",
]

#: Values that stand without their key.
_BARE = {
    "exact": "method",
    "certified": "method",
    "approximate": "method",
    "yeh2000": "method",
    "two-sided": "alternative",
    "less": "alternative",
    "greater": "alternative",
}

#: Digits of the digest that are printed: 64 bits.
_DIGITS = 16

#: Methods for other units and other runs.
_OF_RUNS = {"components": "components", "crossed bootstrap": "crossed-bootstrap"}

_SAFE = "*/()+=~"  # beside letters, digits, _ . and -

_Fields = dict[str, tuple[str, ...]]


class Gathered(Protocol):
    """A comparison and its results: :class:`csig.report.summary.Summary`."""

    @property
    def version(self) -> str: ...
    @property
    def input(self) -> Input: ...
    @property
    def comparison(self) -> Comparison: ...
    @property
    def options(self) -> Options: ...
    @property
    def results(self) -> Mapping[str, RandomizationResult]: ...
    @property
    def sensitivity(self) -> Mapping[str, Mapping[str, RandomizationResult]]: ...
    @property
    def breakdown(self) -> Breakdown | None: ...
    @property
    def comparisons(self) -> Mapping[str, Comparison]: ...
    @property
    def intervals(self) -> Mapping[str, Interval | str]: ...
    @property
    def metrics(self) -> Sequence[str | Metric]: ...
    @property
    def parts(self) -> Mapping[Hashable, Comparison]: ...
    @property
    def over_tasks(self) -> Mapping[str, Any]: ...


class Estimated(Protocol):
    """Intervals of scores and differences: :class:`csig.report.intervals.Estimates`."""

    @property
    def version(self) -> str: ...
    @property
    def input(self) -> Input: ...
    @property
    def options(self) -> Options: ...
    @property
    def unit(self) -> str: ...
    @property
    def rows(self) -> Mapping[str, Sequence[Any]]: ...
    @property
    def tests(self) -> Sequence[tuple[tuple[str, ...], Comparison]]: ...


# ---- the line ----------------------------------------------------------------------------


def line(fields: Mapping[str, Sequence[str]]) -> str:
    """Keys and values as one line of ASCII without spaces.

    Parameters
    ----------
    fields : mapping {key: sequence of str}
        Every key (small letters, digits, hyphens) has one value or more, any texts.

    Examples
    --------
    >>> line({"v": ["0.2.0"], "method": ["exact"], "metrics": ["f1", "my own, |x|"]})
    'csig|v:0.2.0|exact|metrics:f1,my%20own%2C%20%7Cx%7C'
    """
    parts = ["csig"]
    for key, values in fields.items():
        if not re.fullmatch("[a-z][a-z0-9-]*", key) or not values:
            raise ValueError(f"{key!r}: {values!r}")
        if len(values) == 1 and _BARE.get(values[0]) == key:
            parts.append(values[0])
            continue
        texts = (quote(text.encode("utf-8", "surrogatepass"), safe=_SAFE) for text in values)
        parts.append(f"{key}:{','.join(texts)}")
    return "|".join(parts)


def parse(line: str) -> dict[str, tuple[str, ...]]:
    """The keys and values of a signature.

    Parameters
    ----------
    line : str
        As every output of csig ends in.

    Raises
    ------
    InputError
        If it is no signature.

    Examples
    --------
    >>> parse("csig|v:0.2.0|test:randomization|unit:document|n:19/20|exact|two-sided")["n"]
    ('19/20',)
    >>> parse("csig|v:0.2.0|exact|metrics:f1,my%20own")["metrics"]
    ('f1', 'my own')
    """
    if not isinstance(line, str):
        raise InputError(f"a signature is a text, found {type(line).__name__}")
    start, *parts = line.strip().split("|")
    if start != "csig":
        raise InputError(f"a signature begins with 'csig|', found {line[:40]!r}")
    found: _Fields = {}
    for part in parts:
        key, sign, text = part.partition(":")
        if not sign and part in _BARE:
            key, text = _BARE[part], part
        elif not sign or not re.fullmatch("[a-z][a-z0-9-]*", key):
            raise InputError(f"signature: expected key:value, found {part[:40]!r}")
        if key in found:
            raise InputError(f"signature: {key} is given twice")
        found[key] = tuple(_decoded(value) for value in text.split(","))
    return found


def _decoded(value: str) -> str:
    try:
        if re.search("%(?![0-9A-Fa-f]{2})", value):
            raise ValueError
        return unquote_to_bytes(value.encode("utf-8", "surrogatepass")).decode(
            "utf-8", "surrogatepass"
        )
    except ValueError:
        raise InputError(f"signature: {value[:40]!r} is not percent-encoded UTF-8") from None


# ---- metrics -----------------------------------------------------------------------------


def _formula(weights: Mapping[str, int]) -> str:
    """A weighted sum; names of columns cannot be taken for signs."""
    parts = []
    for column, weight in weights.items():
        if weight:
            parts.append(f"{weight:+d}*{quote(column.encode('utf-8', 'surrogatepass'), safe='')}")
    return "".join(parts) or "0"


def _own(metric: Metric, columns: Sequence[str]) -> str | None:
    """What computes a metric that its name does not say; None for csig's own."""
    try:
        known = metrics.get(metric.name, columns)
    except InputError:
        known = None
    if metric.function is None:
        above, below = weights = metric.integer_weights
        same = known is not None and known.function is None and metric.columns == known.columns
        if same and known is not None and weights == known.integer_weights:
            return None
        if metric.columns in _MEANS and [*above.values(), *below.values()] == [1, 0, 0, 1]:
            return None
        return f"({_formula(above)})/({_formula(below)})"
    if metric.exact is not None and known is not None and known.exact == metric.exact:
        return None
    function: object = getattr(metric.function, "func", metric.function)  # of functools.partial
    name = getattr(function, "__qualname__", type(function).__qualname__)
    module = getattr(function, "__module__", None) or type(function).__module__
    columns = "+".join(quote(c.encode("utf-8", "surrogatepass"), safe="") for c in metric.columns)
    return f"{module}.{name}({columns})~{metric.tolerance!r}"


#: The means of scores, under whatever name.
_MEANS = {("score", "n"), ("correct", "items")}


def _of_metrics(
    tests: Sequence[tuple[Sequence[str | Metric], Comparison]], lower: Iterable[str]
) -> _Fields:
    """The metrics by name, those of a user's own with what computes them."""
    names, own = [], {}
    for wanted, comparison in tests:
        for metric in wanted:
            names.append(metric if isinstance(metric, str) else metric.name)
            if isinstance(metric, Metric):
                formula = _own(metric, comparison.columns)
                if formula is not None:
                    own[metric.name] = formula
    found: _Fields = {"metrics": tuple(sorted(names))}
    if own:
        found["own"] = tuple(text for name in sorted(own) for text in (name, own[name]))
    less = tuple(sorted(set(lower)))
    return found | ({"lower": less} if less else {})


# ---- what was read -----------------------------------------------------------------------


def _of_input(source: Input) -> _Fields:
    given = {
        "rules": source.rules,
        "scheme": source.scheme,
        "positive": None if source.table is None else source.table.positive,
    }
    return {name: (value,) for name, value in given.items() if value is not None}


def _sizes(comparisons: Iterable[Comparison]) -> tuple[str, ...]:
    """Units that differ and all; once where all comparisons have the same."""
    found = []
    for comparison in comparisons:
        units = comparison.units
        total = "" if units is None else f"/{units.n_total}"
        found.append(f"{comparison.n_units}{total}")
    return tuple(sorted(found)) if len(set(found)) > 1 else (found[0],)


def _together(digests: Sequence[str]) -> str:
    """One digest of one or several, in any order."""
    if len(digests) == 1:
        return digests[0]
    return hashlib.sha256("\n".join(sorted(digests)).encode()).hexdigest()


def _tests(summary: Gathered) -> list[tuple[tuple[str | Metric, ...], Comparison]]:
    """Every comparison with its metrics."""
    known = {m if isinstance(m, str) else m.name: m for m in summary.metrics}
    wanted = {name: known.get(name, name) for name in summary.results}
    if not summary.comparisons:
        return [(tuple(wanted.values()), summary.comparison)]
    return [((wanted[name],), own) for name, own in summary.comparisons.items()]


def _digest(summary: Gathered) -> str:
    """Of one summary's data: those of its metrics, units beside them, and parts."""
    digests = []
    for wanted, comparison in _tests(summary):
        own = data_digest(comparison, sorted(_beside([summary])))
        names = (m if isinstance(m, str) else m.name for m in wanted)
        # Scores of their own belong to their metric.
        digests.append(own if not summary.comparisons else "\t".join([*names, own]))
    if summary.breakdown is not None:
        drawn = any(r.seed is not None for p in summary.breakdown.parts for r in p.results.values())
        places = None
        if drawn:
            from csig.breakdowns import joint_places  # for those who break down

            places = joint_places(summary.parts)
        digests.append("parts\t" + joint_digest(summary.parts, places))
    for name, found in summary.over_tasks.items():
        digests.append(f"tasks\t{name}\t{data_digest(found.comparison)}")
    return _together(digests)


def digest_of_systems(summaries: Sequence[Gathered]) -> str:
    """The SHA-256 of the data of a report of two systems, or of several beside one baseline."""
    return _together([_digest(summary) for summary in summaries])


def digest_of_estimates(found: Estimated) -> str:
    """The SHA-256 of the data of intervals."""
    many = len({names for names, _ in found.tests}) > 1
    return _together([
        "\t".join([*names, data_digest(own)]) if many else data_digest(own)
        for names, own in found.tests
    ])  # fmt: skip


# ---- how it was computed -----------------------------------------------------------------


def _drawn(results: Iterable[RandomizationResult]) -> str:
    """How results were computed: exact, the number of shuffles, or how many are exact."""
    found = list(results)
    shuffled = [r for r in found if r.n_resamples is not None]
    numbers = "+".join(map(str, sorted({r.n_resamples or 0 for r in shuffled})))
    if shuffled and len(shuffled) == len(found):
        return numbers
    known = [r.method for r in found if r.n_resamples is None]
    if not shuffled and len(set(known)) <= 1:
        return known[0] if known else "exact"
    kinds = [f"{known.count(kind)}{kind}" for kind in ("exact", "certified") if kind in known]
    return "+".join([*kinds, *[numbers] * bool(shuffled)])


def _kind(results: Sequence[RandomizationResult]) -> str:
    """The method of a metric, of one or several systems."""
    if results[0].checks is not None:
        return "yeh2000"
    kinds = {result.method for result in results}
    if len(kinds) == 1:
        return kinds.pop()
    methods = [result.method for result in results]
    known = [kind for kind in ("exact", "certified") if kind in methods]
    return "+".join(f"{methods.count(kind)}{kind}" for kind in known)


def _beside(summaries: Sequence[Gathered]) -> dict[str, list[RandomizationResult]]:
    """The results with other units, by unit."""
    found: dict[str, list[RandomizationResult]] = {}
    for summary in summaries:
        for unit, results in summary.sensitivity.items():
            if unit != summary.comparison.unit:
                found.setdefault(unit, []).extend(results.values())
    return found


def _of_shuffles(
    results: Sequence[RandomizationResult], others: Sequence[RandomizationResult], options: Options
) -> _Fields:
    """What was drawn for tests; nothing where all are exact."""
    shuffled = [r for r in results if r.n_resamples is not None]
    found: _Fields = {}
    if not shuffled and not any(r.n_resamples is not None for r in others):
        return found
    if shuffled:
        found["shuffles"] = (_drawn(shuffled),)
    found["confidence"] = (repr(options.confidence_level),)  # decides what is undecided
    if options.risk is not None:
        found["decide"] = (repr(options.risk), str(options.n_resamples))
    return found


def _of_seeds(seeds: Iterable[Seed | None]) -> _Fields:
    """What repeats the draws, in one or several streams."""
    drawn = list(dict.fromkeys(seed for seed in seeds if seed is not None))
    if not drawn:
        return {}

    def entropy(seed: Seed) -> str:
        parts = (seed.entropy,) if isinstance(seed.entropy, int) else seed.entropy
        return "+".join(map(str, parts))

    def distinct(texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(texts))

    found = {
        "gen": distinct(seed.bit_generator for seed in drawn),
        "seed": distinct(map(entropy, drawn)),
    }
    if any(seed.spawn_key for seed in drawn):
        found["spawn"] = distinct("+".join(map(str, seed.spawn_key)) for seed in drawn)
    return found


def _of_intervals(
    options: Options, intervals: Iterable[Interval | str], comparison: Comparison
) -> _Fields:
    """How the intervals were made, and of how many runs."""
    found: _Fields = {"interval": (NONE,)}
    if options.interval != NONE:
        made = [own for own in intervals if isinstance(own, Interval)]
        number = {str(own.n_resamples) for own in made if own.n_resamples is not None}
        level, kinds = repr(options.interval_level), {own.method for own in made}
        method = next((name for name in _OF_RUNS if name in kinds), options.interval)
        if method == AUTO:  # the same as if it had been asked for what was made
            each = dict.fromkeys(own if own == INVERTED else LINEARIZED for own in sorted(kinds))
            method = "+".join(sorted(each)) or LINEARIZED
        found["interval"] = (_OF_RUNS.get(method, method), level, *sorted(number))
    if comparison.runs is not None:
        paired = ("paired",) if options.paired_runs else ()
        found["runs"] = (str(comparison.runs.n), *paired)
    return found


# ---- the whole ---------------------------------------------------------------------------


def _of_beside(beside: Mapping[str, Sequence[RandomizationResult]]) -> _Fields:
    if not beside:
        return {}
    return {
        "beside": tuple(beside),
        "beside-drawn": tuple(_drawn(results) for results in beside.values()),
    }


def _of_statistic(results: Iterable[RandomizationResult]) -> _Fields:
    """That the difference is studentised wherever that matters."""
    studentized = any(result.studentized is not None for result in results)
    return {"statistic": ("studentized",)} if studentized else {}


def of_systems(summaries: Sequence[Gathered], digest: str) -> str:
    """The signature of a report of two systems, or of several beside one baseline.

    Parameters
    ----------
    summaries : sequence of Gathered
        One for each pair.
    digest : str
        What :func:`digest_of_systems` gives.
    """
    first = summaries[0]
    options = first.options
    names = sorted(first.results)
    by_metric = {name: [summary.results[name] for summary in summaries] for name in names}
    results = [result for own in by_metric.values() for result in own]
    kinds = tuple(_kind(own) for own in by_metric.values())
    beside = _beside(summaries)
    others = [result for own in beside.values() for result in own]
    intervals = [own for summary in summaries for own in summary.intervals.values()]
    lower = [result.metric for result in results if not result.greater_is_better]
    comparisons = [own for summary in summaries for _, own in _tests(summary)]
    fields: _Fields = {
        "v": (first.version,),
        "test": ("randomization",),
        "unit": (first.comparison.unit,),
        "n": _sizes(comparisons),
        "method": kinds if len(set(kinds)) > 1 else kinds[:1],
        "alternative": (options.alternative,),
        **_of_metrics(_tests(first), lower),
        **_of_input(first.input),
        "zd": (str(options.zero_division),),
        "alpha": (repr(options.alpha),),
    }
    fields |= _of_statistic(results)
    if first.breakdown is not None:
        own = [r for part in first.breakdown.parts for r in part.results.values()]
        others += own
        fields["by"] = (options.by or "", str(len(first.breakdown)), _drawn(own))
    over_tasks = [own for summary in summaries for own in summary.over_tasks.values()]
    if over_tasks:
        own = [found.result for found in over_tasks]
        others += own
        intervals += [found.interval for found in over_tasks if found.interval is not None]
        fields["tasks"] = (str(max(found.n_tasks for found in over_tasks)), _drawn(own))
    if len(summaries) > 1:
        fields["holm"] = (str(len(summaries)),)
    fields |= _of_beside(beside)
    fields |= _of_shuffles(results, others, options)
    seeds = [r.seed for r in (*results, *others)]
    seeds += [own.seed for own in intervals if isinstance(own, Interval)]
    fields |= _of_seeds(seeds) | _of_intervals(options, intervals, first.comparison)
    return line(fields | {"data": (digest[:_DIGITS],)})


def of_audit(
    audit: Audit, options: Options, intervals: Iterable[Interval | str], version: str
) -> str:
    """The signature of an audit: that of its first run, and of the intervals beside it.

    Parameters
    ----------
    audit : Audit
        What was found.
    options : Options
        What was asked of the intervals.
    intervals : iterable of Interval or str
        Those of the differences.
    version : str
        Of the csig that ran it.
    """
    comparison, wanted = audit.comparison, audit.options["metrics"]
    results = list(audit.results.values())
    lower = [result.metric for result in results if not result.greater_is_better]
    budget = audit.options["exact_budget"]
    fields: _Fields = {
        "v": (version,),
        "test": ("audit",),
        "unit": (comparison.unit,),
        "n": _sizes([comparison]),
        "alternative": (options.alternative,),
        **_of_metrics([(wanted, comparison)], lower),
        "zd": (str(options.zero_division),),
        "alpha": (repr(options.alpha),),
        **({} if budget == EXACT_BUDGET else {"budget": (str(budget),)}),
        **_of_shuffles(results, [], options),
        **_of_seeds(result.seed for result in results),
        **_of_intervals(options, intervals, comparison),
    }
    return line(fields | {"data": (data_digest(comparison)[:_DIGITS],)})


def of_estimates(found: Estimated, digest: str) -> str:
    """The signature of intervals alone.

    Parameters
    ----------
    found : Estimated
        The intervals.
    digest : str
        What :func:`digest_of_estimates` gives.
    """
    intervals = [row.interval for rows in found.rows.values() for row in rows]
    tests = dict.fromkeys(names for names, _ in found.tests)
    comparison = found.tests[0][1]
    fields: _Fields = {
        "v": (found.version,),
        "test": ("none",),
        "unit": (found.unit,),
        "n": _sizes(own for _, own in found.tests),
        "metrics": tuple(sorted(name for names in tests for name in names)),
        **_of_input(found.input),
        "zd": (str(found.options.zero_division),),
        **_of_seeds(own.seed for own in intervals if isinstance(own, Interval)),
        **_of_intervals(found.options, intervals, comparison),
        "data": (digest[:_DIGITS],),
    }
    return line(fields)


def of_ranked(found: SystemsResult, version: str, source: Input | None = None) -> str:
    """The signature of many systems.

    Parameters
    ----------
    found : SystemsResult
        What was found.
    version : str
        csig's version.
    source : Input, optional
        What was read.
    """
    how = (found.correction,) if found.statistic is None else (found.correction, found.statistic)
    known = found.method in ("exact", "certified")
    fields: _Fields = {
        "v": (version,),
        "test": ("systems",),
        "unit": (found.unit,),
        "n": (str(found.n_units),),
        "systems": (str(len(found.names)), "all" if found.baseline is None else "baseline"),
        "method": (found.method if known else "approximate",),
        "metrics": (found.metric,),
        **({} if found.greater_is_better else {"lower": (found.metric,)}),
        **({} if source is None else _of_input(source)),
        "zd": (str(found.zero_division),),
        "alpha": (repr(found.alpha),),
        "correction": how,
        **({} if known else {found.method: (str(found.n_resamples),)}),
        **_of_seeds([found.seed]),
        "data": (found.digest[:_DIGITS],),
    }
    return line(fields)


def _of_lengths(n: list[int]) -> tuple[str, ...]:
    """Single ones, or the first, the last and the step; of many others those that data tell."""
    steps = {b - a for a, b in itertools.pairwise(n)}
    if len(n) > 2 and len(steps) == 1:
        return (f"{n[0]}-{n[-1]}", str(steps.pop()))
    return tuple(map(str, n)) if len(n) <= _DIGITS else (f"{n[0]}-{n[-1]}", f"{len(n)}*")


def of_methods(found: RankedMethods, version: str, samples: SamplePrecision | None = None) -> str:
    """The signature of ranking methods.

    Parameters
    ----------
    found : RankedMethods
        What was found.
    version : str
        csig's version.
    samples : SamplePrecision, optional
        Of the same methods.
    """
    sampled: _Fields = {}
    if samples is not None:
        counts = sorted(
            own.astype("<i8").tobytes()
            for own in np.stack([samples.accepted, samples.true_positives], axis=1)
        )
        digest = hashlib.sha256(b"".join(counts)).hexdigest()[:_DIGITS]
        rule = f"n={samples.n}" if samples.n is not None else f"total={samples.total}"
        sampled = {"samples": (str(len(samples.samples)), rule, digest)}
    precision = found.precision
    flips = {"flips": (str(found.n_resamples),)} if found.test == "flips" else {}
    tested: _Fields = {}
    if found.pairs:
        tested = {
            "method": ("exact" if found.test == "fisher" else "approximate",),
            "alpha": (repr(found.alpha),),
            **flips,
            **_of_seeds([found.seed]),
        }
    fields: _Fields = {
        "v": (version,),
        "test": ("rank",),
        "unit": ("candidate",),
        "n": (str(precision.n_candidates),),
        "methods": (str(len(found.names)), "all" if found.baseline is None else "baseline"),
        "lengths": _of_lengths(found.n.tolist()),
        "ties": (found.ties,),
        **tested,
        **sampled,
        "interval": (precision.interval, repr(precision.confidence_level)),
        "data": (found.digest[:_DIGITS],),
    }
    return line(fields)


def of_results(results: Sequence[RandomizationResult], version: str) -> str:
    """The line of tests that do not know their data: without its digest, and without a level.

    Parameters
    ----------
    results : sequence of RandomizationResult
        Of one call.
    version : str
        csig's version.

    Examples
    --------
    >>> from csig import Comparison, randomization_test
    >>> c = Comparison.from_scores([1, 0, 1, 1], [0, 0, 1, 0])
    >>> of_results([randomization_test(c, "mean")], "0.2.0")
    'csig|v:0.2.0|test:randomization|unit:unit|n:2|exact|two-sided|metrics:mean|zd:0'
    """
    own = sorted(results, key=lambda result: result.metric)
    first = own[0]
    kinds = tuple(_kind([result]) for result in own)
    lower = tuple(result.metric for result in own if not result.greater_is_better)
    decided = next((r.decision for r in own if r.decision is not None and r.seed is not None), None)
    fields: _Fields = {
        "v": (version,),
        "test": ("randomization",),
        "unit": (first.unit,),
        "n": (str(first.n_units),),
        "method": kinds if len(set(kinds)) > 1 else kinds[:1],
        "alternative": (first.alternative,),
        "metrics": tuple(result.metric for result in own),
        **({"lower": lower} if lower else {}),
        "zd": (str(first.zero_division),),
        **_of_statistic(own),
    }
    if any(result.n_resamples is not None for result in own):
        fields["shuffles"] = (_drawn(r for r in own if r.n_resamples is not None),)
        fields["confidence"] = (repr(first.confidence_level),)
    if decided is not None:
        fields["decide"] = (repr(decided.alpha), repr(decided.risk))
    return line(fields | _of_seeds(result.seed for result in own))
