"""What a paper says of how a result was computed: a sentence or two, and the references.

Only what was done is cited. The references were compared with the publishers' pages or with the
bibliographies of other software; their BibTeX is in ASCII.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from csig import wording
from csig._version import __version__
from csig.report.document import Citation, Reference
from csig.report.estimates import NONE
from csig.report.signature import Estimated, Gathered
from csig.results import Interval, RandomizationResult

if TYPE_CHECKING:
    from csig.audits.outcome import Audit
    from csig.breakdowns import Breakdown
    from csig.rankings.methods import RankedMethods
    from csig.systems import SystemsResult

__all__ = [
    "REFERENCES",
    "of_audit",
    "of_estimates",
    "of_methods",
    "of_ranked",
    "of_systems",
    "reference",
]


class _Source(NamedTuple):
    """A publication: its kind and fields in BibTeX, and how a text refers to it."""

    kind: str
    short: str
    fields: Mapping[str, str]


def _article(short: str, **fields: str) -> _Source:
    return _Source("article", short, fields)


#: Everything that can be cited, by its key in BibTeX.
REFERENCES: Mapping[str, _Source] = {
    "yeh2000": _Source("inproceedings", "Yeh 2000", {
        "author": "Yeh, Alexander",
        "title": "More accurate tests for the statistical significance of result differences",
        "booktitle": "COLING 2000 Volume 2: The 18th International Conference on Computational "
        "Linguistics",
        "year": "2000", "pages": "947--953", "doi": "10.3115/992730.992783",
    }),
    "evert2004": _Source("inproceedings", "Evert 2004", {
        "author": "Evert, Stefan",
        "title": "Significance tests for the evaluation of ranking methods",
        "booktitle": "COLING 2004: Proceedings of the 20th International Conference on "
        "Computational Linguistics",
        "year": "2004", "pages": "945--951",
    }),
    "graham1981": _article(
        "Graham and Vaaler 1981", author="Graham, S. W. and Vaaler, Jeffrey D.",
        title="A class of extremal functions for the Fourier transform",
        journal="Transactions of the American Mathematical Society", volume="265", number="1",
        pages="283--302", year="1981", doi="10.1090/S0002-9947-1981-0607121-1",
    ),
    "konietschke2014": _article(
        "Konietschke and Pauly 2014", author="Konietschke, Frank and Pauly, Markus",
        title="Bootstrapping and permuting paired t-test type statistics",
        journal="Statistics and Computing", volume="24", pages="283--296", year="2014",
        doi="10.1007/s11222-012-9370-4",
    ),
    "noreen1989": _Source("book", "Noreen 1989", {
        "author": "Noreen, Eric W.",
        "title": "Computer-Intensive Methods for Testing Hypotheses: An Introduction",
        "publisher": "John Wiley & Sons", "address": "New York", "year": "1989",
    }),
    "fisher1935": _Source("book", "Fisher 1935", {
        "author": "Fisher, Ronald A.", "title": "The Design of Experiments",
        "publisher": "Oliver and Boyd", "address": "Edinburgh", "year": "1935",
    }),
    "tritchler1984": _article(
        "Tritchler 1984", author="Tritchler, David", title="On inverting permutation tests",
        journal="Journal of the American Statistical Association", volume="79", number="385",
        pages="200--207", year="1984",
    ),
    "holm1979": _article(
        "Holm 1979", author="Holm, Sture",
        title="A simple sequentially rejective multiple test procedure",
        journal="Scandinavian Journal of Statistics", volume="6", number="2", pages="65--70",
        year="1979",
    ),
    "shaffer1986": _article(
        "Shaffer 1986", author="Shaffer, Juliet Popper",
        title="Modified sequentially rejective multiple test procedures",
        journal="Journal of the American Statistical Association", volume="81", number="395",
        pages="826--831", year="1986", doi="10.1080/01621459.1986.10478341",
    ),
    "benjamini1995": _article(
        "Benjamini and Hochberg 1995", author="Benjamini, Yoav and Hochberg, Yosef",
        title="Controlling the false discovery rate: A practical and powerful approach to multiple "
        "testing", journal="Journal of the Royal Statistical Society, Series B", volume="57",
        number="1", pages="289--300", year="1995", doi="10.1111/j.2517-6161.1995.tb02031.x",
    ),
    "benjamini2001": _article(
        "Benjamini and Yekutieli 2001", author="Benjamini, Yoav and Yekutieli, Daniel",
        title="The control of the false discovery rate in multiple testing under dependency",
        journal="The Annals of Statistics", volume="29", number="4", pages="1165--1188",
        year="2001", doi="10.1214/aos/1013699998",
    ),
    "romano2005": _article(
        "Romano and Wolf 2005", author="Romano, Joseph P. and Wolf, Michael",
        title="Exact and approximate stepdown methods for multiple hypothesis testing",
        journal="Journal of the American Statistical Association", volume="100", number="469",
        pages="94--108", year="2005", doi="10.1198/016214504000000539",
    ),
    "mogstad2024": _article(
        "Mogstad et al. 2024",
        author="Mogstad, Magne and Romano, Joseph P. and Shaikh, Azeem M. and Wilhelm, Daniel",
        title="Inference for ranks with applications to mobility across neighbourhoods and "
        "academic achievement across countries", journal="The Review of Economic Studies",
        volume="91", number="1", pages="476--518", year="2024", doi="10.1093/restud/rdad006",
    ),
    "darling1967": _article(
        "Darling and Robbins 1967", author="Darling, D. A. and Robbins, Herbert",
        title="Confidence sequences for mean, variance, and median",
        journal="Proceedings of the National Academy of Sciences", volume="58", number="1",
        pages="66--68", year="1967", doi="10.1073/pnas.58.1.66",
    ),
    "clopper1934": _article(
        "Clopper and Pearson 1934", author="Clopper, C. J. and Pearson, E. S.",
        title="The use of confidence or fiducial limits illustrated in the case of the binomial",
        journal="Biometrika", volume="26", number="4", pages="404--413", year="1934",
        doi="10.1093/biomet/26.4.404",
    ),
    "liang1986": _article(
        "Liang and Zeger 1986", author="Liang, Kung-Yee and Zeger, Scott L.",
        title="Longitudinal data analysis using generalized linear models",
        journal="Biometrika", volume="73", number="1", pages="13--22", year="1986",
        doi="10.1093/biomet/73.1.13",
    ),
    "miller2024": _Source("misc", "Miller 2024", {
        "author": "Miller, Evan",
        "title": "Adding error bars to evals: A statistical approach to language model evaluations",
        "howpublished": "arXiv:2411.00640", "year": "2024",
    }),
    "efron1979": _article(
        "Efron 1979", author="Efron, B.",
        title="Bootstrap methods: Another look at the jackknife",
        journal="The Annals of Statistics", volume="7", number="1", pages="1--26", year="1979",
        doi="10.1214/aos/1176344552",
    ),
    "efron1987": _article(
        "Efron 1987", author="Efron, Bradley", title="Better bootstrap confidence intervals",
        journal="Journal of the American Statistical Association", volume="82", number="397",
        pages="171--185", year="1987", doi="10.1080/01621459.1987.10478410",
    ),
    "hall1988": _article(
        "Hall 1988", author="Hall, Peter",
        title="Theoretical comparison of bootstrap confidence intervals",
        journal="The Annals of Statistics", volume="16", number="3", pages="927--953",
        year="1988", doi="10.1214/aos/1176350933",
    ),
    "davison1997": _Source("book", "Davison and Hinkley 1997", {
        "author": "Davison, A. C. and Hinkley, D. V.",
        "title": "Bootstrap Methods and their Application",
        "publisher": "Cambridge University Press", "year": "1997",
        "doi": "10.1017/CBO9780511802843",
    }),
    "owen2007": _article(
        "Owen 2007", author="Owen, Art B.", title="The pigeonhole bootstrap",
        journal="The Annals of Applied Statistics", volume="1", pages="386--411", year="2007",
        doi="10.1214/07-AOAS122",
    ),
    "oneill2014": _Source("techreport", "O'Neill 2014", {
        "author": "O'Neill, Melissa E.",
        "title": "PCG: A family of simple fast space-efficient statistically good algorithms for "
        "random number generation",
        "institution": "Harvey Mudd College", "number": "HMC-CS-2014-0905", "year": "2014",
    }),
    "salmon2011": _Source("inproceedings", "Salmon et al. 2011", {
        "author": "Salmon, John K. and Moraes, Mark A. and Dror, Ron O. and Shaw, David E.",
        "title": "Parallel random numbers: As easy as 1, 2, 3",
        "booktitle": "Proceedings of the International Conference for High Performance Computing, "
        "Networking, Storage and Analysis (SC11)",
        "year": "2011",
    }),
    "matsumoto1998": _article(
        "Matsumoto and Nishimura 1998", author="Matsumoto, Makoto and Nishimura, Takuji",
        title="Mersenne twister: A 623-dimensionally equidistributed uniform pseudo-random number "
        "generator", journal="ACM Transactions on Modeling and Computer Simulation", volume="8",
        number="1", pages="3--30", year="1998", doi="10.1145/272991.272995",
    ),
    "csig": _Source("misc", "csig", {
        "author": "{the csig developers}",
        "title": "csig: is the difference between two systems real?",
        "howpublished": f"Software, version {__version__}",
    }),
}  # fmt: skip

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

#: What has a meaning of its own in BibTeX's values.
_SPECIAL = {**{c: f"\\{c}" for c in "&%$#_"}, "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}


def _people(names: str) -> str:
    """Authors as a list ends: A, B, and C."""
    people = names.strip("{}").split(" and ")
    return ", ".join(people[:-1]) + (" and " if people[1:] else "") + people[-1]


def reference(key: str) -> Reference:
    """One of `REFERENCES` as text and as BibTeX.

    >>> reference("holm1979").text[:58]
    'Holm, Sture (1979). A simple sequentially rejective multip'
    """
    kind, _, fields = REFERENCES[key]
    year = f" ({fields['year']})" if "year" in fields else ""
    where = next(fields[n] for n in ("journal", "booktitle", "publisher", "institution",
                                      "howpublished") if n in fields)  # fmt: skip
    if "volume" in fields:
        number = f"({fields['number']})" if "number" in fields else ""
        where += f" {fields['volume']}{number}:{fields['pages']}"
    elif "pages" in fields:
        where += f", pages {fields['pages']}"
    elif "number" in fields:
        where += f", {fields['number']}"
    doi = f" https://doi.org/{fields['doi']}" if "doi" in fields else ""
    title = fields["title"] + ("" if fields["title"].endswith("?") else ".")
    text = f"{_people(fields['author'])}{year}. {title} {where.replace('--', '-')}.{doi}"
    lines = []
    for name, value in fields.items():
        escaped = "".join(_SPECIAL.get(c, c) for c in value) if name != "doi" else value
        shown = f"{{{escaped}}}" if name == "title" else escaped  # keeps its capitals
        lines.append(f"  {name} = {{{shown}}},\n")
    return Reference(text, f"@{kind}{{{key},\n{''.join(lines)}}}")


def _shuffles(results: Sequence[RandomizationResult]) -> str:
    """How many were drawn."""
    numbers = sorted({result.n_resamples or 0 for result in results})
    ends = dict.fromkeys((numbers[0], numbers[-1]))
    return f"{' to '.join(map(wording.count, ends))} shuffles"


class _Methods:
    """Sentences, and what they cite in its order."""

    def __init__(self) -> None:
        self.sentences: list[str] = []
        self.keys: dict[str, None] = {}

    def cited(self, *keys: str) -> str:
        """In brackets, after a word."""
        self.keys.update(dict.fromkeys(keys))
        return f" ({'; '.join(REFERENCES[key].short for key in keys)})" if keys else ""

    def end(self) -> Citation:
        self.sentences.append(f"Computed with csig {__version__}{self.cited('csig')}.")
        return Citation(" ".join(self.sentences).replace(" (csig)", ""), [
            reference(key) for key in self.keys
        ])  # fmt: skip

    def drawn(self, results: Sequence[RandomizationResult]) -> str:
        """How p-values of shuffles were computed."""
        first = results[0]
        made = f"(hits + 1) / (shuffles + 1){self.cited('noreen1989')} of {_shuffles(results)}"
        made += self.generator(first)
        if first.decision is not None:
            level, risk = wording.decimal(first.decision.alpha), first.decision.risk
            unsure = [r.metric for r in results if r.decision and r.decision.verdict == "undecided"]
            made += (
                f", drawn {'to decide p' if unsure else 'until p was decided'} at {level} with a "
                f"risk of {wording.decimal(risk)}{self.cited('darling1967')}"
            )
            if unsure:
                made += f", which left {_titles(unsure)} undecided"
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
        return f"exact, but for {_titles(some)}, where they are {certified}"

    def of_parts(self, breakdown: Breakdown) -> str:
        """How the p-values of parts were computed."""
        results = [own for part in breakdown.parts for own in part.results.values()]
        drawn = [own for own in results if own.n_resamples is not None]
        made = known = self.known([own for own in results if own.n_resamples is None])
        if drawn:  # said once
            made = f"of {_shuffles(drawn)}" if "noreen1989" in self.keys else self.drawn(drawn)
            made = f"{known}, or " * (len(drawn) < len(results)) + made
        return f"{made}, and Holm-adjusted over the parts{self.cited('holm1979')}"

    def generator(
        self, drawn: RandomizationResult | Interval | SystemsResult | RankedMethods
    ) -> str:
        """What drew, and its seed."""
        if drawn.seed is None:
            return ""
        name = drawn.seed.bit_generator
        by = self.cited(*(_GENERATORS[n] for n in (name,) if n in _GENERATORS))
        entropy = drawn.seed.entropy
        seed = str(entropy) if isinstance(entropy, int) else ", ".join(map(str, entropy))
        return f" ({wording.clean(name)}{by.replace(' (', ', ').rstrip(')')}, seed {seed})"

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
                way += f" with {wording.count(own.n_resamples)} resamples{self.generator(own)}"
            ways.append(way)
        percent = wording.decimal(100 * level)
        self.sentences.append(f"{percent}% confidence intervals are from {wording.listed(ways)}.")


#: What was asked of a system beside the baseline.
_SIDES: Mapping[str, str] = {
    "two-sided": "two-sided",
    "greater": "one-sided (better than {})",
    "less": "one-sided (worse than {})",
}


def _titles(names: Iterable[str]) -> str:
    return wording.listed([wording.clean(name) for name in names])


def of_systems(summaries: Sequence[Gathered]) -> Citation:
    """How to cite a report of two systems, or of several beside one baseline.

    Parameters
    ----------
    summaries : sequence of Gathered
        One for each pair.
    """
    first, methods = summaries[0], _Methods()
    results = [result for summary in summaries for result in summary.results.values()]
    comparison = first.comparison
    units = comparison.units
    baseline = wording.clean(comparison.names[1])
    others = _titles(summary.comparison.names[0] for summary in summaries)
    side = _SIDES[first.options.alternative].format(baseline)
    size = ""
    if len(summaries) == 1 and not first.comparisons:
        total = "" if units is None else f" of {wording.count(units.n_total)}"
        size = f"; {wording.count(comparison.n_units)}{total} differ"
    methods.sentences.append(
        f"The differences between {others} and {baseline} in {_titles(first.results)} were tested "
        f"by randomization{methods.cited('yeh2000')}, {side}, swapping "
        f"{wording.noun(comparison.unit, 2)} between the systems{size}."
    )
    ratios = dict.fromkeys(own.metric for own in results if own.studentized is not None)
    if ratios:
        methods.sentences.append(
            f"In {_titles(ratios)} the difference is divided by its standard error in every shuffle"
            f"{methods.cited('konietschke2014')}."
        )
    drawn = [result for result in results if result.n_resamples is not None]
    known = [result for result in results if result.n_resamples is None]
    if not drawn:
        made = f"are {methods.known(known)}"
    elif not known:
        made = f"are {methods.drawn(drawn)}"
    else:
        some = dict.fromkeys(result.metric for result in drawn)
        made = f"are {methods.known(known)}, but for {_titles(some)}, where some are "
        made += methods.drawn(drawn)
    if len(summaries) > 1:
        made += (
            f", and Holm-adjusted{methods.cited('holm1979')} for {len(summaries)} comparisons in "
            "every metric"
        )
    if first.breakdown is not None:
        parts = wording.counted(len(first.breakdown), "part")
        made += f"; those of {parts} are {methods.of_parts(first.breakdown)}"
    methods.sentences.append(f"The p-values {made}.")
    options = first.options
    if options.interval != NONE:
        intervals = [own for summary in summaries for own in summary.intervals.values()]
        methods.intervals(intervals, options.interval_level)
    return methods.end()


def of_audit(audit: Audit, intervals: Iterable[Interval | str], level: float) -> Citation:
    """How to cite an audit, and the results that it checked.

    Parameters
    ----------
    audit : Audit
        What was found.
    intervals : iterable of Interval or str
        Those of the differences.
    level : float
        Theirs.
    """
    methods, comparison = _Methods(), audit.comparison
    a, b = map(wording.clean, comparison.names)
    side = audit.options["alternative"]
    if side != "two-sided":
        better = {result.greater_is_better for result in audit.best.values()}
        if better == {False}:  # of the scores, of which less is better
            side = "less" if side == "greater" else "greater"
        side = _SIDES[side].format(b) if len(better) == 1 else f"one-sided ({side})"
    methods.sentences.append(
        f"The differences between {a} and {b} in {_titles(audit.best)} were tested by "
        f"randomization{methods.cited('yeh2000')}, {side}, swapping "
        f"{wording.noun(comparison.unit, 2)} between the systems."
    )
    drawn = [result for result in audit.best.values() if result.n_resamples is not None]
    known = methods.known([result for result in audit.best.values() if result.n_resamples is None])
    made = f"are {methods.drawn(drawn)}" if drawn else f"are {known}"
    if drawn and audit.exact:
        some = _titles(result.metric for result in drawn)
        made = f"are {known}, but for {some}, where they {made}"
    methods.sentences.append(f"The p-values {made}.")
    n = sum(check.passed is not None for check in audit.checks)
    passed = "all of which passed" if audit.passed else f"of which {len(audit.failed)} failed"
    methods.sentences.append(
        f"An audit ran {n} checks on them, {passed}, among them "
        f"{'two further' if drawn else 'three'} runs of "
        f"{wording.count(audit.options['n_resamples'])} shuffles."
    )
    methods.intervals(intervals, level)
    return methods.end()


def of_estimates(found: Estimated) -> Citation:
    """How to cite intervals of scores and differences.

    Parameters
    ----------
    found : Estimated
        The intervals.
    """
    methods = _Methods()
    intervals = [row.interval for rows in found.rows.values() for row in rows]
    methods.intervals(intervals, found.options.interval_level)
    return methods.end()


#: What makes p-values of many pairs fit for claims, and who says so.
_CORRECTED: Mapping[str, tuple[str, str]] = {
    "holm": ("Holm-adjusted", "holm1979"),
    "holm-directions": ("Holm-adjusted over both directions of every pair", "holm1979"),
    "bonferroni": ("Bonferroni-adjusted", ""),
    "shaffer": ("adjusted by Shaffer's procedure", "shaffer1986"),
    "bh": ("adjusted for the false discovery rate", "benjamini1995"),
    "by": ("adjusted for the false discovery rate under any dependence", "benjamini2001"),
}


def of_ranked(found: SystemsResult) -> Citation:
    """How to cite the comparison of many systems.

    Parameters
    ----------
    found : SystemsResult
        What was found.
    """
    methods = _Methods()
    n, title = len(found.names), wording.clean(found.metric)
    if found.baseline is None:
        which = f"All {wording.counted(found.n_pairs, 'pair')} of {n:,} systems were compared in"
        if n == 2:
            which = f"{_titles(found.names)} were compared in"
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


def _adjusted(found: SystemsResult, methods: _Methods) -> str:
    """How p-values were computed and adjusted."""
    number = wording.count(found.n_resamples or 0)
    if found.correction == "flips":
        return (
            f"from step-down tests{methods.cited('romano2005')} with {number} sign flips of whole "
            f"units that all pairs share{methods.generator(found)}"
        )
    made = ""
    if found.method == "flips":
        made = (
            f"(hits + 1) / (flips + 1){methods.cited('noreen1989')} of {number} sign flips that "
            f"{'all' if found.n_shuffled == found.n_pairs else 'these'} pairs share"
            f"{methods.generator(found)}"
        )
    elif found.method == "shuffles":
        made = (
            f"(hits + 1) / (shuffles + 1){methods.cited('noreen1989')} of {number} shuffles"
            f"{methods.generator(found)}"
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


def of_methods(found: RankedMethods) -> Citation:
    """How to cite the comparison of ranking methods.

    Parameters
    ----------
    found : RankedMethods
        What was found.
    """
    methods = _Methods()
    lengths = [wording.count(n) for n in found.n.tolist()]
    at = f"n = {wording.listed(lengths)}"
    if len(lengths) > 6:
        at = f"{len(lengths):,} values of n from {lengths[0]} to {lengths[-1]}"
    kind = {"clopper-pearson": "Clopper-Pearson", "wilson": "Wilson"}[found.precision.interval]
    level = wording.decimal(100 * found.precision.confidence_level)
    by = methods.cited("clopper1934") if kind == "Clopper-Pearson" else ""
    candidates = wording.counted(found.precision.n_candidates, "candidate")
    methods.sentences.append(
        f"The precision of the n best of {candidates} was computed for {at}, with {kind} "
        f"intervals{by} at {level}%."
    )
    if not found.pairs:
        return methods.end()
    which = f"All {wording.counted(len(found.pairs), 'pair')} of methods were"
    if len(found.names) == 2:
        which = f"{_titles(found.pairs[0].names)} were"
    elif found.baseline is not None:
        which = f"All other methods were compared with {wording.clean(found.baseline)},"
    which += "" if found.baseline is not None and len(found.names) > 2 else " compared"
    several = len(found.pairs) > 1
    if found.test == "fisher":
        adjusted = f", with Holm-adjusted p-values{methods.cited('holm1979')}" if several else ""
        methods.sentences.append(
            f"{which} by Fisher's exact test of the candidates that only one of two methods accepts"
            f"{methods.cited('evert2004')}{adjusted}."
        )
        return methods.end()
    over = (
        f", and by Holm's correction over the pairs{methods.cited('holm1979')}, each a family of "
        "lengths that is done where all differ"
        if several
        else ""
    )
    methods.sentences.append(
        f"{which} on the candidates that only one of two methods accepts"
        f"{methods.cited('evert2004')} by {wording.count(found.n_resamples or 0)} flips that all "
        f"lengths share{methods.generator(found)}; p-values are adjusted for the lengths by "
        f"step-down maxT{methods.cited('romano2005')}{over}."
    )
    return methods.end()
