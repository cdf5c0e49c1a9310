"""What a paper says of how a result was computed: a sentence or two, and the references.

Only what was done is cited, from ``references.bib`` beside this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from csig._version import __version__
from csig.base import wording
from csig.base.defaults import NO_INTERVAL
from csig.comparing.seeds import digits_of
from csig.comparing.sizes import ranged
from csig.report.document import Citation, Reference
from csig.results.randomization import Interval, RandomizationResult, Seed

if TYPE_CHECKING:
    from csig.audits.outcome import Audit
    from csig.comparing.breakdowns import Breakdown
    from csig.comparing.summary import Summary

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
    "crossed bootstrap": ("the crossed bootstrap of {units} and runs", ("owen2007",)),
}

#: What was asked of a system beside the baseline.
_SIDES: Mapping[str, str] = {
    "two-sided": "two-sided",
    "greater": "one-sided (better than {})",
    "less": "one-sided (worse than {})",
}


# ---- references --------------------------------------------------------------------------


@cache
def references() -> dict[str, str]:
    """Everything that can be cited, as BibTeX by its key."""
    text = resources.files("csig.report").joinpath("references.bib").read_text("ascii")
    text = text.replace("{version}", __version__)
    found = re.finditer(r"^@\w+\{(\w+),\n.*?^\}", text, re.MULTILINE | re.DOTALL)
    return {entry[1]: entry[0] for entry in found}


def _fields(key: str) -> dict[str, str]:
    """The fields of an entry as plain text."""
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


def _short(key: str) -> str:
    """How a text refers to an entry: Holm 1979, Romano and Wolf 2005, Mogstad et al. 2024."""
    fields = _fields(key)
    names = [name.partition(",")[0] for name in fields["author"].split(" and ")]
    people = " and ".join(names) if len(names) <= 2 else f"{names[0]} et al."
    return f"{people} {fields['year']}"


# ---- methods -----------------------------------------------------------------------------


def titles(names: Iterable[str]) -> str:
    """Names in a sentence."""
    return wording.listed([wording.clean(name) for name in names])


def _shuffles(results: Iterable[RandomizationResult]) -> str:
    return f"of {ranged(own.n_resamples or 0 for own in results)} shuffles"


class Methods:
    """Sentences, and what they cite in its order."""

    def __init__(self) -> None:
        self.sentences: list[str] = []
        self.keys: dict[str, None] = {}

    def cited(self, *keys: str) -> str:
        """In brackets, after a word."""
        self.keys.update(dict.fromkeys(keys))
        return f" ({'; '.join(map(_short, keys))})" if keys else ""

    def end(self) -> Citation:
        """All of it, and csig itself."""
        said = " ".join([*self.sentences, f"Computed with csig {__version__}."])
        return Citation(said, [reference(key) for key in (*self.keys, "csig")])

    def tested(
        self, systems: Iterable[str], baseline: str, metrics: Iterable[str], how: str
    ) -> None:
        """What was tested, and how."""
        self.sentences.append(
            f"The differences between {titles(systems)} and {baseline} in {titles(metrics)} were "
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
        """How p-values of shuffles were computed."""
        first = results[0]
        made = f"(hits + 1) / (shuffles + 1){self.cited('noreen1989')} {_shuffles(results)}"
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
        """How p-values without shuffles were computed."""
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
        """How the p-values of parts were computed."""
        results = [own for part in breakdown.parts for own in part.results.values()]
        drawn = [own for own in results if own.n_resamples is not None]
        made = known = self.known([own for own in results if own.n_resamples is None])
        if drawn:  # said once
            made = _shuffles(drawn) if "noreen1989" in self.keys else self.drawn(drawn)
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


def of_systems(summaries: Sequence[Summary]) -> Citation:
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


def of_audit(audit: Audit, intervals: Iterable[Interval | str], level: float) -> Citation:
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
