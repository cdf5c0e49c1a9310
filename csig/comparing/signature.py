"""The line that identifies a result, and how a paper cites it.

``docs/output.md`` has a table of its keys. What decides a number is in it, and nothing else: no
thread, no file, no name of a system. A citation has the references of what was done only, from
``references.bib``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from csig._version import __version__
from csig.base import wording
from csig.base.defaults import INTERVALS, NO_INTERVAL
from csig.base.errors import InputError
from csig.comparing.options import Options, digits_of
from csig.data import metrics
from csig.data.comparison import Comparison
from csig.data.digests import data_digest, joint_digest
from csig.data.metrics import Metric
from csig.engines.tasks import EXACT_BUDGET
from csig.report.document import Citation, Reference
from csig.report.identity import Fields as Fields
from csig.report.identity import line as line
from csig.report.identity import parse as parse
from csig.report.identity import quoted
from csig.results.randomization import Interval, RandomizationResult, Seed

if TYPE_CHECKING:
    from csig.audits.outcome import Audit
    from csig.comparing.breakdowns import Breakdown
    from csig.readers.request import Input

#: Digits of the digest that are printed: 64 bits.
DIGITS = 16

#: The means of scores, under whatever name.
_MEANS = {("score", "n"), ("correct", "items")}


def _formula(weights: Mapping[str, int]) -> str:
    """A weighted sum; names of columns cannot be taken for signs."""
    return "".join(f"{own:+d}*{quoted(column)}" for column, own in weights.items() if own) or "0"


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
    return f"{module}.{name}({'+'.join(map(quoted, metric.columns))})~{metric.tolerance!r}"


def _of_metrics(
    tests: Sequence[tuple[Sequence[str | Metric], Comparison]], lower: Iterable[str]
) -> Fields:
    """The metrics by name, those of a user's own with what computes them."""
    names, own = [], {}
    for wanted, comparison in tests:
        for metric in wanted:
            names.append(metric if isinstance(metric, str) else metric.name)
            if isinstance(metric, Metric):
                formula = _own(metric, comparison.columns)
                if formula is not None:
                    own[metric.name] = formula
    return {
        "metrics": tuple(sorted(names)),
        "own": tuple(text for name in sorted(own) for text in (name, own[name])),
        "lower": tuple(sorted(set(lower))),
    }


def of_input(source: Input) -> Fields:
    """How files were read."""
    positive = None if source.table is None else source.table.positive
    given = {"rules": source.rules, "scheme": source.scheme, "positive": positive}
    return {name: () if value is None else (value,) for name, value in given.items()}


def of_sizes(comparisons: Iterable[Comparison]) -> tuple[str, ...]:
    """Units that differ and all; once where all comparisons have the same."""
    found = []
    for comparison in comparisons:
        units = comparison.units
        total = "" if units is None else f"/{units.n_total}"
        found.append(f"{comparison.n_units}{total}")
    return tuple(sorted(found)) if len(set(found)) > 1 else (found[0],)


def together(digests: Sequence[str]) -> str:
    """One digest of one or several, in any order."""
    if len(digests) == 1:
        return digests[0]
    return hashlib.sha256("\n".join(sorted(digests)).encode()).hexdigest()


def _tests(summary: Any) -> list[tuple[tuple[str | Metric, ...], Comparison]]:
    wanted = {name: summary.tested(name) for name in summary.results}
    if not summary.comparisons:
        return [(tuple(wanted.values()), summary.comparison)]
    return [((wanted[name],), own) for name, own in summary.comparisons.items()]


def digest_of_systems(summaries: Sequence[Any]) -> str:
    """The SHA-256 of the data of a report, of one `Summary` for each pair: of the metrics, units
    beside them, and parts.
    """
    whole = []
    for summary in summaries:
        digests = []
        for wanted, comparison in _tests(summary):
            own = data_digest(comparison, sorted(_beside([summary])))
            names = (m if isinstance(m, str) else m.name for m in wanted)
            # Scores of their own belong to their metric.
            digests.append(own if not summary.comparisons else "\t".join([*names, own]))
        if summary.breakdown is not None:
            places = None
            results = (own for part in summary.breakdown.parts for own in part.results.values())
            if any(own.seed is not None for own in results):
                from csig.comparing.breakdowns import joint_places  # for those who break down

                places = joint_places(summary.parts)
            digests.append("parts\t" + joint_digest(summary.parts, places))
        for name, found in summary.over_tasks.items():
            digests.append(f"tasks\t{name}\t{data_digest(found.comparison)}")
        whole.append(together(digests))
    return together(whole)


def _counted(methods: Sequence[str]) -> list[str]:
    return [f"{methods.count(kind)}{kind}" for kind in ("exact", "certified") if kind in methods]


def _drawn(results: Sequence[RandomizationResult]) -> str:
    """How results were computed: exact, the number of shuffles, or how many are exact."""
    known = [r.method for r in results if r.n_resamples is None]
    shuffles = sorted({r.n_resamples for r in results if r.n_resamples is not None})
    numbers = ["+".join(map(str, shuffles))] if shuffles else []
    if not shuffles and len(set(known)) <= 1:
        return known[0] if known else "exact"
    return "+".join([*_counted(known), *numbers])


def _kind(results: Sequence[RandomizationResult]) -> str:
    methods = [result.method for result in results]
    if results[0].checks is not None:
        return "yeh2000"
    return methods[0] if len(set(methods)) == 1 else "+".join(_counted(methods))


def _kinds(found: Iterable[Sequence[RandomizationResult]]) -> tuple[str, ...]:
    """How the p-values of each metric were computed; once where all are alike."""
    kinds = tuple(map(_kind, found))
    return kinds if len(set(kinds)) > 1 else kinds[:1]


def _beside(summaries: Sequence[Any]) -> dict[str, list[RandomizationResult]]:
    """The results with other units, by unit."""
    found: dict[str, list[RandomizationResult]] = {}
    for summary in summaries:
        for unit, results in summary.sensitivity.items():
            if unit != summary.comparison.unit:
                found.setdefault(unit, []).extend(results.values())
    return found


def _of_shuffles(
    results: Sequence[RandomizationResult], others: Sequence[RandomizationResult], options: Options
) -> Fields:
    """What was drawn for tests; nothing where all are exact."""
    shuffled = [r for r in results if r.n_resamples is not None]
    if not shuffled and all(r.n_resamples is None for r in others):
        return {}
    decide = () if options.risk is None else (repr(options.risk), str(options.n_resamples))
    return {
        "shuffles": (_drawn(shuffled),) if shuffled else (),
        "confidence": (repr(options.pvalue_confidence),),  # decides what is undecided
        "decide": decide,
    }


def of_seeds(seeds: Iterable[Seed | None]) -> Fields:
    """What repeats the draws, in one or several streams."""
    drawn = list(dict.fromkeys(seed for seed in seeds if seed is not None))
    keys = ["+".join(map(str, seed.spawn_key)) for seed in drawn]
    return {
        "gen": tuple(dict.fromkeys(seed.bit_generator for seed in drawn)),
        "seed": tuple(dict.fromkeys("+".join(digits_of(seed)) for seed in drawn)),
        "spawn": tuple(dict.fromkeys(keys)) if any(keys) else (),
    }


def of_intervals(
    options: Options, intervals: Iterable[Interval | str], comparison: Comparison
) -> Fields:
    """How the intervals were made, and of how many runs."""
    found: Fields = {"interval": (NO_INTERVAL,)}
    if options.interval != NO_INTERVAL:
        made = [own for own in intervals if isinstance(own, Interval)]
        number = {str(own.n_resamples) for own in made if own.n_resamples is not None}
        level, kinds = repr(options.confidence_level), {own.method for own in made}
        components = "components"  # for other units and other runs
        method = components if components in kinds else options.interval
        auto, inverted, linearized = INTERVALS[:3]
        if method == auto:  # the same as if it had been asked for what was made
            each = {inverted if own == inverted else linearized for own in kinds}
            method = "+".join(sorted(each)) or linearized
        found["interval"] = (method, level, *sorted(number))
    if comparison.runs is not None:
        found["runs"] = (str(comparison.runs.n), *["paired"] * options.paired_runs)
    return found


def _of_statistic(results: Iterable[RandomizationResult]) -> Fields:
    studentized = any(result.studentized is not None for result in results)
    return {"statistic": ("studentized",) if studentized else ()}


def of_systems(summaries: Sequence[Any], digest: str) -> str:
    """The signature of a report, of one `Summary` for each pair and the digest of all."""
    first = summaries[0]
    options = first.options
    by_metric = [[summary.results[name] for summary in summaries] for name in sorted(first.results)]
    results = [result for own in by_metric for result in own]
    beside = _beside(summaries)
    others = [result for own in beside.values() for result in own]
    intervals = [own for summary in summaries for own in summary.intervals.values()]
    lower = [result.metric for result in results if not result.greater_is_better]
    comparisons = [own for summary in summaries for _, own in _tests(summary)]
    fields: Fields = {
        "v": (first.version,),
        "test": ("randomization",),
        "unit": (first.comparison.unit,),
        "n": of_sizes(comparisons),
        "method": _kinds(by_metric),
        "alternative": (options.alternative,),
        **_of_metrics(_tests(first), lower),
        **of_input(first.input),
        "zd": (str(options.zero_division),),
        "alpha": (repr(options.alpha),),
        **_of_statistic(results),
    }
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
    seeds = [r.seed for r in (*results, *others)]
    seeds += [own.seed for own in intervals if isinstance(own, Interval)]
    return line({
        **fields,
        "holm": (str(len(summaries)),) if len(summaries) > 1 else (),
        "beside": tuple(beside),
        "beside-drawn": tuple(map(_drawn, beside.values())),
        **_of_shuffles(results, others, options),
        **of_seeds(seeds),
        **of_intervals(options, intervals, first.comparison),
        "data": (digest[:DIGITS],),
    })  # fmt: skip


def of_audit(
    audit: Audit, options: Options, intervals: Iterable[Interval | str], version: str
) -> str:
    """The signature of an audit: that of its first run, and of the intervals beside it."""
    comparison, wanted = audit.comparison, audit.options["metrics"]
    results = list(audit.results.values())
    lower = [result.metric for result in results if not result.greater_is_better]
    budget = audit.options["exact_budget"]
    return line({
        "v": (version,),
        "test": ("audit",),
        "unit": (comparison.unit,),
        "n": of_sizes([comparison]),
        "alternative": (options.alternative,),
        **_of_metrics([(wanted, comparison)], lower),
        "zd": (str(options.zero_division),),
        "alpha": (repr(options.alpha),),
        "budget": () if budget == EXACT_BUDGET else (str(budget),),
        **_of_shuffles(results, [], options),
        **of_seeds(result.seed for result in results),
        **of_intervals(options, intervals, comparison),
        "data": (data_digest(comparison)[:DIGITS],),
    })  # fmt: skip


def of_results(results: Sequence[RandomizationResult], version: str) -> str:
    """The line of tests that do not know their data: without its digest, and without a level.

    >>> from csig import Comparison, randomization_test
    >>> c = Comparison.from_scores([1, 0, 1, 1], [0, 0, 1, 0])
    >>> of_results([randomization_test(c, "mean")], "0.2.0")
    'csig|v:0.2.0|test:randomization|unit:unit|n:2|exact|two-sided|metrics:mean|zd:0'
    """
    own = sorted(results, key=lambda result: result.metric)
    first = own[0]
    shuffled = [r for r in own if r.n_resamples is not None]
    decided = [r.decision for r in own if r.decision is not None and r.seed is not None]
    return line({
        "v": (version,),
        "test": ("randomization",),
        "unit": (first.unit,),
        "n": (str(first.n_units),),
        "method": _kinds([result] for result in own),
        "alternative": (first.alternative,),
        "metrics": tuple(result.metric for result in own),
        "lower": tuple(result.metric for result in own if not result.greater_is_better),
        "zd": (str(first.zero_division),),
        **_of_statistic(own),
        "shuffles": (_drawn(shuffled),) if shuffled else (),
        "confidence": (repr(first.pvalue_confidence),) if shuffled else (),
        "decide": (repr(decided[0].alpha), repr(decided[0].risk)) if decided else (),
        **of_seeds(result.seed for result in own),
    })  # fmt: skip


# ---- citations ---------------------------------------------------------------------------

#: Who made the generators.
_GENERATORS = {
    "PCG64DXSM": "oneill2014",
    "PCG64": "oneill2014",
    "Philox": "salmon2011",
    "MT19937": "matsumoto1998",
}

#: How intervals are made, in words, and who says so.
_INTERVALS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "linearized": ("standard errors over {units}", ("liang1986", "miller2024")),
    "inverted": (
        "the inversion of the randomization test that swaps {units}",
        ("fisher1935", "tritchler1984"),
    ),
    "jackknife": ("jackknife standard errors over {units}", ()),
    "clopper-pearson": ("exact binomial bounds", ("clopper1934",)),
    "bca": ("the BCa bootstrap of {units}", ("efron1987",)),
    "percentile": ("the percentile bootstrap of {units}", ("efron1979",)),
    "basic": ("the basic bootstrap of {units}", ("davison1997",)),
    "studentized": ("the studentized bootstrap of {units}", ("hall1988",)),
    "components": ("variance components of {units} and runs, with t for each", ()),
}

#: What was asked of a system beside the baseline.
_SIDES: Mapping[str, str] = {
    "two-sided": "two-sided",
    "greater": "one-sided (better than {})",
    "less": "one-sided (worse than {})",
}


@cache
def references() -> dict[str, str]:
    """Everything that can be cited, as BibTeX by its key."""
    from importlib import resources  # for those who cite

    text = resources.files("csig.report").joinpath("references.bib").read_text("ascii")
    text = text.replace("{version}", __version__)
    found = re.finditer(r"^@\w+\{(\w+),\n.*?^\}", text, re.MULTILINE | re.DOTALL)
    return {entry[1]: entry[0] for entry in found}


def _fields(key: str) -> dict[str, str]:
    found = re.findall(r"^  (\w+) = \{(.*)\},$", references()[key], re.MULTILINE)
    return {name: value.strip("{}").replace("\\&", "&") for name, value in found}


def reference(key: str) -> Reference:
    """An entry of ``references.bib`` as text and as BibTeX.

    >>> reference("holm1979").text[:58]
    'Holm, Sture (1979). A simple sequentially rejective multip'
    """
    fields = _fields(key)
    year = f" ({fields['year']})" if "year" in fields else ""
    places = ("journal", "booktitle", "publisher", "institution", "howpublished")
    where = next(fields[name] for name in places if name in fields)
    if "volume" in fields:
        number = f"({fields['number']})" if "number" in fields else ""
        where += f" {fields['volume']}{number}:{fields['pages']}"
    elif "pages" in fields:
        where += f", pages {fields['pages']}"
    elif "number" in fields:
        where += f", {fields['number']}"
    doi = f" https://doi.org/{fields['doi']}" if "doi" in fields else ""
    title = fields["title"] + ("" if fields["title"].endswith("?") else ".")
    *others, last = fields["author"].split(" and ")
    people = f"{', '.join(others)} and {last}" if others else last
    text = f"{people}{year}. {title} {where.replace('--', '-')}.{doi}"
    return Reference(text, references()[key])


def titles(names: Iterable[str]) -> str:
    return wording.listed([wording.clean(name) for name in names])


class Methods:
    """Sentences, and what they cite in its order."""

    def __init__(self) -> None:
        self.sentences: list[str] = []
        self.keys: dict[str, None] = {}

    def cited(self, *keys: str) -> str:
        """In brackets, after a word: Holm 1979; Romano and Wolf 2005; Mogstad et al. 2024."""
        self.keys.update(dict.fromkeys(keys))
        short = []
        for fields in map(_fields, keys):
            names = [name.partition(",")[0] for name in fields["author"].split(" and ")]
            people = " and ".join(names) if len(names) <= 2 else f"{names[0]} et al."
            short.append(f"{people} {fields['year']}")
        return f" ({'; '.join(short)})" if keys else ""

    def end(self) -> Citation:
        said = " ".join([*self.sentences, f"Computed with csig {__version__}."])
        return Citation(said, [reference(key) for key in (*self.keys, "csig")])

    def tested(self, systems: Iterable[str], baseline: str, names: Iterable[str], how: str) -> None:
        self.sentences.append(
            f"The differences between {titles(systems)} and {baseline} in {titles(names)} were "
            f"tested by randomization{self.cited('yeh2000')}, {how}."
        )

    def computed(self, results: Sequence[RandomizationResult], of_some: str) -> str:
        """How p-values were computed; of some metrics where not all are the same."""
        drawn = [result for result in results if result.n_resamples is not None]
        known = [result for result in results if result.n_resamples is None]
        if not drawn:
            return self.known(known)
        if not known:
            return self.drawn(drawn)
        some = titles(dict.fromkeys(result.metric for result in drawn))
        return f"{self.known(known)}, but for {some}, where {of_some} are {self.drawn(drawn)}"

    def drawn(self, results: Sequence[RandomizationResult]) -> str:
        first = results[0]
        numbers = wording.ranged(own.n_resamples or 0 for own in results)
        made = f"(hits + 1) / (shuffles + 1){self.cited('noreen1989')} of {numbers} shuffles"
        made += self.generator(first.seed)
        if first.decision is not None:
            level, risk = wording.decimal(first.decision.alpha), first.decision.risk
            unsure = [r.metric for r in results if r.decision and r.decision.verdict == "undecided"]
            made += (
                f", drawn {'to decide p' if unsure else 'until p was decided'} at {level} with a "
                f"risk of {wording.decimal(risk)}{self.cited('darling1967')}"
            )
            if unsure:
                made += f", which left {titles(unsure)} undecided"
        return made

    def known(self, results: Sequence[RandomizationResult]) -> str:
        proofs = [own.certificate for own in results if own.method == "certified"]
        width = max((own.width for own in proofs if own is not None), default=None)
        if width is None:
            return "exact"
        certified = (
            f"certified, upper bounds{self.cited('graham1981')} that exceed the exact ones by at "
            f"most a relative {1.05 * width:.1e}"
        )
        if len(proofs) == len(results):
            return certified
        some = dict.fromkeys(own.metric for own in results if own.method == "certified")
        return f"exact, but for {titles(some)}, where they are {certified}"

    def of_parts(self, breakdown: Breakdown) -> str:
        results = [own for part in breakdown.parts for own in part.results.values()]
        drawn = [own for own in results if own.n_resamples is not None]
        made = known = self.known([own for own in results if own.n_resamples is None])
        if drawn:  # said once
            numbers = wording.ranged(own.n_resamples or 0 for own in drawn)
            known_way = "noreen1989" in self.keys
            made = f"of {numbers} shuffles" if known_way else self.drawn(drawn)
            made = f"{known}, or " * (len(drawn) < len(results)) + made
        return f"{made}, and Holm-adjusted over the parts{self.cited('holm1979')}"

    def generator(self, seed: Seed | None) -> str:
        """What drew, and its seed."""
        if seed is None:
            return ""
        key = _GENERATORS.get(seed.bit_generator)
        by = self.cited(*filter(None, [key])).replace(" (", ", ").rstrip(")")
        return f" ({wording.clean(seed.bit_generator)}{by}, seed {', '.join(digits_of(seed))})"

    def intervals(self, found: Iterable[Interval | str], level: float) -> None:
        """How intervals were made; nothing where there is none."""
        made: dict[str, Interval] = {}
        for own in found:
            if isinstance(own, Interval):
                made.setdefault(own.method, own)
        if not made:
            return
        ways = []
        for method, own in made.items():
            how, keys = _INTERVALS[method]
            way = how.format(units=wording.noun(own.unit, 2)) + self.cited(*keys)
            if own.n_resamples is not None:
                way += f" with {wording.count(own.n_resamples)} resamples{self.generator(own.seed)}"
            ways.append(way)
        percent = wording.decimal(100 * level)
        self.sentences.append(f"{percent}% confidence intervals are from {wording.listed(ways)}.")


def cited_systems(summaries: Sequence[Any]) -> Citation:
    """How to cite a report of two systems, or of several beside one baseline: of every pair."""
    first, methods = summaries[0], Methods()
    results = [result for summary in summaries for result in summary.results.values()]
    comparison, options = first.comparison, first.options
    units = comparison.units
    baseline = wording.clean(comparison.names[1])
    size = ""
    if len(summaries) == 1 and not first.comparisons:
        total = "" if units is None else f" of {wording.count(units.n_total)}"
        size = f"; {wording.count(comparison.n_units)}{total} differ"
    methods.tested(
        (summary.comparison.names[0] for summary in summaries),
        baseline,
        first.results,
        f"{_SIDES[options.alternative].format(baseline)}, swapping "
        f"{wording.noun(comparison.unit, 2)} between the systems{size}",
    )
    ratios = dict.fromkeys(own.metric for own in results if own.studentized is not None)
    if ratios:
        methods.sentences.append(
            f"In {titles(ratios)} the difference is divided by its standard error in every shuffle"
            f"{methods.cited('konietschke2014')}."
        )
    made = methods.computed(results, "some")
    if len(summaries) > 1:
        made += (
            f", and Holm-adjusted{methods.cited('holm1979')} for {len(summaries)} comparisons in "
            "every metric"
        )
    if first.breakdown is not None:
        parts = wording.counted(len(first.breakdown), "part")
        made += f"; those of {parts} are {methods.of_parts(first.breakdown)}"
    methods.sentences.append(f"The p-values are {made}.")
    if options.interval != NO_INTERVAL:
        intervals = [own for summary in summaries for own in summary.intervals.values()]
        methods.intervals(intervals, options.confidence_level)
    return methods.end()


def cited_audit(audit: Audit, intervals: Iterable[Interval | str], level: float) -> Citation:
    """How to cite an audit, the results that it checked, and intervals of their differences."""
    methods, comparison = Methods(), audit.comparison
    a, b = map(wording.clean, comparison.names)
    side = audit.options["alternative"]
    if side != "two-sided":
        better = {result.greater_is_better for result in audit.best.values()}
        if better == {False}:  # of the scores, of which less is better
            side = "less" if side == "greater" else "greater"
        side = _SIDES[side].format(b) if len(better) == 1 else f"one-sided ({side})"
    units = wording.noun(comparison.unit, 2)
    methods.tested([a], b, audit.best, f"{side}, swapping {units} between the systems")
    results = list(audit.best.values())
    methods.sentences.append(f"The p-values are {methods.computed(results, 'they')}.")
    n = sum(check.passed is not None for check in audit.checks)
    passed = "all of which passed" if audit.passed else f"of which {len(audit.failed)} failed"
    drawn = any(result.n_resamples is not None for result in results)
    methods.sentences.append(
        f"An audit ran {n} checks on them, {passed}, among them "
        f"{'two further' if drawn else 'three'} runs of "
        f"{wording.count(audit.options['n_resamples'])} shuffles."
    )
    methods.intervals(intervals, level)
    return methods.end()
