"""The small helpers of prose: numbers, names, plurals and lists as they are printed."""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from itertools import accumulate, islice
from itertools import count as count_from
from typing import Self, TypeVar

from csig.base.errors import clean as clean
from csig.base.errors import shortened


class Line(str):
    """A line that also says what to type; `paper` is what of it is for a paper."""

    paper: str

    def __new__(cls, text: str, paper: str = "") -> Self:
        line = super().__new__(cls, text)
        line.paper = paper
        return line

    def __getnewargs_ex__(self) -> tuple[tuple[str, str], dict[str, float]]:  # copies, workers
        return (str(self), self.paper), {}


class Typed(Line):
    """A line to paste, which stays one."""


def for_paper(text: str) -> str:
    """A line without what to type."""
    return text.paper if isinstance(text, Line) else text


def joined(parts: Iterable[str], between: str = " ") -> str:
    """One line of all that are not empty."""
    own = [part for part in parts if part]
    return Line(between.join(own), between.join(filter(None, map(for_paper, own))))


class Doubt(Line):
    """What to know before believing a result: a sentence for people, a code for programs."""

    code: str  #: Short and stable; ``docs/json.md`` lists all.
    numbers: dict[str, float]  #: Those in the sentence that nothing else in a record has.

    def __new__(cls, sentence: str, code: str = "other", **numbers: float) -> Doubt:
        doubt = super().__new__(cls, sentence, for_paper(sentence))
        doubt.code, doubt.numbers = code, numbers
        return doubt

    def __getnewargs_ex__(self) -> tuple[tuple[str, str], dict[str, float]]:
        return (str(self), self.code), self.numbers


#: So many of those that share a line are named.
NAMED = 4


def about(names: Sequence[str], line: str) -> str:
    """A line that is true of some only, with their names before it; a doubt keeps its code."""
    whole = joined([f"{few(names, NAMED)}:", line])
    return Doubt(whole, line.code, **line.numbers) if isinstance(line, Doubt) else whole


def doubts(sentences: Mapping[str, str]) -> list[str]:
    """Sentences by their codes, as doubts."""
    return [Doubt(sentence, code) for code, sentence in sentences.items()]


def coded(code: str, sentences: Iterable[str], **numbers: float) -> list[str]:
    """Sentences of one kind as doubts with their code; none that is one already."""
    return [text if isinstance(text, Doubt) else Doubt(text, code, **numbers) for text in sentences]


#: How alike two names are, from 0 to 1, where one may be the other misspelt; difflib's measure.
ALIKE = 0.65

#: Names that are looked at, and their longest: a table may have 100,000 columns.
MOST_NAMES, LONGEST_NAME = 10_000, 60

#: Below this a double loses digits, and then everything: powers of ten are printed.
SMALLEST = 1e-300

#: Holds every digit of a double with so many decimals.
_WIDE = Context(prec=400)


def noun(unit: str, number: int = 1) -> str:
    """What the units are called."""
    name = {"conflict": "conflict group", "unit": "item"}.get(unit) or clean(unit)
    name, of, whole = name.partition(" of ")
    if number != 1 and not re.search(r"[^aisu]s$", name):  # which is a plural already
        if re.search(r"[^aeiou]y$", name):
            name = f"{name[:-1]}ies"
        else:
            name += "es" if name.endswith(("s", "x", "ch", "sh")) else "s"
    return name + of + whole


def counted(number: int, unit: str) -> str:
    """So many of them."""
    return f"{count(number)} {noun(unit, number)}"


def ranged(numbers: Iterable[int]) -> str:
    """The least and the largest of some numbers: 3 to 10."""
    low, *more = sorted({*numbers})
    return f"{count(low)} to {count(more[-1])}" if more else count(low)


def listed(names: Sequence[str], word: str = "and") -> str:
    """Names with a word before the last."""
    return f" {word} ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def few(names: Sequence[str], limit: int, what: str = "") -> str:
    """The first of many names, and how many more there are (of what)."""
    more = len(names) - limit
    if more <= 0:
        return ", ".join(names)
    kind = f" {noun(what, more)}" if what else ""
    return f"{', '.join(names[:limit])} and {count(more)} more{kind}"


def count(number: int) -> str:
    """A count with commas."""
    return f"{number:,}"


def powered(number: int) -> str:
    """The same, or a power of ten as such."""
    power = len(str(number)) - 1
    return f"10^{power}" if power > 5 and number == 10**power else count(number)


def amount(total: int | Fraction) -> str:
    """A sum of statistics: a count, or a sum of scores."""
    return count(total) if isinstance(total, int) else f"{float(total):,.10g}"


def decimal(number: float) -> str:
    """A number as short as it can be, never in binary dust."""
    return f"{number:.12g}"


_TITLES = {
    "balanced_accuracy": "Balanced accuracy",
    "error_rate": "Error rate",
    "exact_match": "Exact match",
    "macro_f1": "Macro F1",
    "mcc": "MCC",
    "weighted_f1": "Weighted F1",
    "wer": "WER",
}


def metric_title(name: str) -> str:
    """A metric's name at the beginning of a line: ``recall`` is Recall, ``wer`` is WER."""
    return _TITLES.get(name) or clean(name[:1].upper() + name[1:])


def metric_name(name: str) -> str:
    """A metric's name within a sentence."""
    if name == "mean":
        return "the mean"
    title = _TITLES.get(name)
    if title is not None:
        return title if title.isupper() else title[:1].lower() + title[1:]
    shown = clean(name)
    return shown[:1].upper() + shown[1:] if shown[:1] == "f" and shown[1:2].isdigit() else shown


#: Stands for what is left out of a name.
ELLIPSIS = "..."


def columns_of(text: str) -> int:
    """The columns that a text takes in a terminal."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(c: str) -> int:
    # Marks take none, nor do vowels and finals behind the first letter of a Korean syllable.
    if unicodedata.category(c) in ("Mn", "Me") or "\u1160" <= c <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1


def short_names(
    names: Sequence[str], width: int = 24, halves: int = 0, ellipsis: str = ELLIPSIS
) -> list[str]:
    """Names in that many columns, different if they are: whole, in two such lines, else elided.

    Lines of two have `halves` columns. What is left of an elided name fits no other one; where that
    cannot be, its number is behind it.
    """
    cleaned = [clean(name) for name in names]
    taken, found = {*cleaned}, []
    for number, name in enumerate(cleaned, start=1):
        short = _in_two(name, halves) if columns_of(name) > halves else ""
        if not short or short in taken:
            short = name
        if short == name and columns_of(name) > width:
            others = [other for other in cleaned if other != name]
            ways = _elided(name, others, width, ellipsis, f"{ellipsis}#{number}")
            short = next(text for text in ways if text not in taken)
        taken.add(short)
        found.append(short)
    return found


def _in_words(name: str) -> list[bool]:
    """Which characters belong to words; 3.5 is one."""
    return [c.isalnum() or c == "." for c in name]


def _in_two(name: str, width: int) -> str:
    """A name with a line break before one of its words, if both lines have room."""
    words = _in_words(name)
    breaks = (i for i in range(1, len(name)) if words[i] > words[i - 1])
    ways = ((name[:i].rstrip(" "), name[i:]) for i in breaks)
    widest = {"\n".join(way): max(map(columns_of, way)) for way in ways if way[0]}
    best = min(widest, key=widest.__getitem__, default="")
    return best if best and widest[best] <= width else ""


def _elided(
    name: str, others: Sequence[str], width: int, ellipsis: str, number: str
) -> Iterator[str]:
    """Without its middle, the best first; else a part of it; else its beginning and a number."""
    at = [0, *accumulate(map(_columns, name))]
    room, n = width - len(ellipsis), len(name)
    cuts = [i for i in range(1, n) if at[i + 1] > at[i]]  # never before a mark
    words = _in_words(name)
    begins = [i for i in cuts if words[i] > words[i - 1]]
    ways = []
    for i in cuts[: bisect_left(cuts, room, key=at.__getitem__)]:
        for ends in (cuts, begins):
            least = bisect_left(ends, at[n] - room + at[i], key=at.__getitem__)
            for j in ends[least : least + 1]:
                whole = (words[i - 1] > words[i]) + (j in begins)
                kept = at[i], at[n] - at[j]
                if i < j:
                    ways.append((4 * whole + sum(kept), -abs(kept[0] - kept[1]), i, j))
    for *_, i, j in sorted(ways, reverse=True):
        if not any(own.startswith(name[:i]) and own.endswith(name[j:]) for own in others):
            yield f"{name[:i]}{ellipsis}{name[j:]}"
    pairs = (zip(name, other, strict=False) for other in others)
    differ = {next((i for i, (c, d) in enumerate(pair) if c != d), 0) for pair in pairs}
    for i in [*begins, *sorted(differ.intersection(cuts))]:
        j = bisect_right(at, at[i] + room - len(ellipsis)) - 1
        if i < j < n and not any(name[i:j] in own for own in others):
            yield f"{ellipsis}{name[i:j]}{ellipsis}"
    for more in count_from(0):
        end = number + "'" * more
        i = max((i for i in cuts if at[i] + len(end) <= width), default=0)
        yield name[:i] + end


def percent(score: float) -> str:
    """A score in percent, with two decimals as is usual."""
    return f"{round(100 * score, 10):.2f}"


def points(difference: float, sign: bool = False) -> str:
    """A difference in percentage points; never 0.00 for two scores that differ."""
    value = 100 * difference if sign else abs(100 * difference)
    value = round(value, 10) or value
    if value == 0:
        return "0.00"
    decimals = 2
    while decimals < 25 and round(value, decimals) == 0:
        decimals += 1
    return f"{value:{'+' if sign else ''}.{decimals}f}"


#: The largest of scores that are printed in percent is at least this.
SMALLEST_SHARE = 1e-4

#: Correlations, which happen to lie between 0 and 1.
_NO_SHARES = frozenset(("kappa", "mcc"))


def in_percent(scores: Iterable[float], metric: str = "", shares: bool | None = None) -> bool:
    """Whether scores are printed as shares; a mean of 30.1 is not 3010%, nor a kappa of 0.3."""
    # A mean of seconds may be 0.6: where every unit's score is known, `shares` says whether all of
    # them lie from 0 to 1. Two decimals of a percent are nothing of what is smaller than they.
    values = list(scores)
    return (
        shares is not False
        and metric not in _NO_SHARES
        and all(0 <= value <= 1 for value in values)
        and not 0 < max(values, default=0.0) < SMALLEST_SHARE
    )


def _exponent(value: float) -> int:
    return math.floor(math.log10(value))


@dataclass(frozen=True)
class Figures:
    """How scores that belong together, their differences and intervals are printed."""

    percents: bool  #: In percent and points, with two decimals.
    decimals: int = 0  #: Else all with so many,
    mantissa: int | None = None  #: or so many behind the first digit, before an exponent.

    def score(self, value: float, sign: bool = False) -> str:
        """A score; or, with a sign, an end of the interval of a difference, never 0 but for 0."""
        if self.percents:
            return points(value, sign=True) if sign else percent(value)
        plus = "+" if sign and value else ""
        # The number that others stand for, too, which were summed in another order; never -0.
        value = float(f"{value:.14g}") + 0.0
        if self.mantissa is not None:
            return f"{value:{plus}.{self.mantissa}e}" if value else "0"
        text = f"{value:{plus}.{self.decimals}f}"
        return f"{value:+.2g}" if sign and value and not float(text) else text

    def difference(self, value: float, sign: bool = False) -> str:
        """A difference; never 0 for two scores that differ."""
        if self.percents:
            return points(value, sign)
        text = self.score(value, True)
        return text if sign else text.lstrip("+-")

    def sized(self, value: float, sign: bool = True) -> str:
        """A difference with its unit, for sentences."""
        return self.difference(value, sign) + " points" * self.percents


def figures(
    values: Iterable[float], percents: bool = False, errors: Iterable[float | None] = ()
) -> Figures:
    """How scores of a table are printed, their differences and all intervals beside them.

    Numbers that are not in percent have the same decimals: two digits of twice the least standard
    error of a difference, which is about half of its 95% interval, and as many as tell two scores
    apart, if a dozen digits do; without errors four digits of what lies between the scores.
    """
    if percents:
        return Figures(True)
    given = sorted({*filter(math.isfinite, values)})
    # Summed in another order, an error is the same in so many digits: no decimal depends on it.
    known = [float(f"{2 * own:.6g}") for own in errors if own and own < math.inf]
    largest = max([*map(abs, given), *known[:1]], default=0.0)
    if largest == 0:
        return Figures(False)
    size = _exponent(largest)
    between = given[-1] - given[0] if given else 0.0
    width = min(known, default=between if 0 < between < math.inf else largest)
    places = min((2 if known else 4) - 1 - _exponent(width), 13 - size)

    def with_places(places: int) -> Figures:
        if -4 <= size < 15:
            return Figures(False, max(places, 0))
        return Figures(False, mantissa=max(places + size, 0))

    def printed() -> list[str]:
        return [*map(with_places(places).score, given)]

    # Two are told apart; of many that their errors do not tell apart some may look the same.
    most = 11 - size if len(given) == 2 or not known else min(11 - size, places + 1)
    while places < most and len({*printed()}) < len(given):
        places += 1
    while not known and places > 0 and all(re.search(r"\.\d*0$", text) for text in printed()):
        places -= 1
    return with_places(places)


def _digits(number: float, digits: int) -> str:
    """A positive number with that many significant digits."""
    if number < 1e-4:
        return f"{number:.{digits - 1}e}"
    return f"{number:.{max(0, digits - 1 - math.floor(math.log10(number)))}f}"


def pvalue(value: float, log_value: float | None = None, alpha: float | None = None) -> str:
    """A p-value with three digits, or as many as show on which side of ``alpha`` it lies."""
    # Its natural logarithm is for values that a double cannot hold.
    if log_value is not None and log_value < math.log(SMALLEST):
        return f"10^{log_value / math.log(10):.1f}"
    if value >= 1:
        return "1"
    if value <= 0:
        return "0"
    for digits in range(3, 18):
        text = _digits(value, digits)
        shown = float(text)
        if shown < 1 and (alpha is None or (shown <= alpha) == (value <= alpha)):
            return text
    return repr(value)


def enclosed(ends: Sequence[float], logs: Sequence[float]) -> str:
    """Two proven bounds of a p-value, with the digits that tell them apart, rounded outward."""
    # They are positive but where a double cannot hold them; their natural logarithms say what.
    low, high = ends
    log_low, log_high = logs
    shown: Sequence[str]
    if log_low < math.log(SMALLEST):
        low, high = log_low / math.log(10), log_high / math.log(10)
        places = min(max(1, math.ceil(-math.log10(max(high - low, 1e-15)))), 12)
        shown = _outward(low, places, ROUND_FLOOR), _outward(high, places, ROUND_CEILING)
        return " and ".join(f"10^{text}" for text in shown)
    digits = min(max(3, math.ceil(-math.log10(max((high - low) / high, 1e-16)))), 15)
    places = digits - 1 - math.floor(math.log10(low))
    shown = [_outward(low, places, ROUND_FLOOR), _outward(high, places, ROUND_CEILING)]
    if high < 1e-4:
        shown = [f"{Decimal(text):e}" for text in shown]
    return " and ".join(shown)


def _outward(number: float, places: int, rounding: str) -> str:
    """A number with so many decimals, rounded down or up."""
    return f"{Decimal(number).quantize(Decimal(1).scaleb(-places), rounding, _WIDE):f}"


def share(value: float) -> str:
    """A p-value as a share of shuffles."""
    if value < 1e-6:
        return "fewer than one shuffle in a million"
    if value >= 1:
        return "every shuffle"
    text = _digits(100 * value, 3)
    return f"{text if float(text) < 100 else 'more than 99.9'}% of shuffles"


def first_few(items: Iterable[object], limit: int = 5) -> str:
    """Name the first items of a list for an error message."""
    return few([shortened(repr(item)) for item in items], limit)


def _plain(name: str) -> str:
    """A name without what is easily got wrong: case, and what stands between its words."""
    return "".join(c for c in name.casefold() if c.isalnum()) or name


def _meant(given: str, known: Sequence[str]) -> list[str]:
    """Up to two of the known names that may have been meant, the likeliest first."""
    from difflib import SequenceMatcher, get_close_matches  # few runs end here

    plain: dict[str, str] = {}
    for name in known:
        plain.setdefault(_plain(name)[:LONGEST_NAME], name)
    own = _plain(given)[:LONGEST_NAME]
    if own in plain:
        return [plain[own]]
    longer = [name for name in plain if name.startswith(own)]
    if len(longer) == 1 and len(own) > 1:
        return [plain[longer[0]]]
    found = get_close_matches(own, plain, 2, ALIKE)
    likeness = [SequenceMatcher(None, name, own).ratio() for name in found]
    return [plain[name] for name, own in zip(found, likeness, strict=True) if own == likeness[0]]


def perhaps(given: object, known: Iterable[object], quote: bool = True) -> str:
    """What may have been meant by a name that does not exist, to stand behind it in a message."""
    # Case, hyphens, underscores and spaces do not count, the beginning of a single name is enough,
    # and else names must be alike (`difflib`); the answer is empty where nothing is.
    if not isinstance(given, str):
        return ""
    texts = [name for name in islice(known, MOST_NAMES) if isinstance(name, str)]
    found = [name for name in _meant(given, texts) if name != given]
    if not found:
        return ""
    names = [shortened(repr(name)) if quote else clean(name) for name in found]
    return f" (did you mean {listed(names, 'or')}?)"


def lacks_and_has(
    missing: Sequence[object], extra: Sequence[object], other: object, unit: str
) -> str:
    """What one of two lacks, and what it has that the other lacks."""
    return " and ".join(
        f"{what} {counted(len(units), unit)} that {other} {its}: {first_few(units)}"
        for what, units, its in (("lacks", missing, "has"), ("has", extra, "lacks"))
        if units
    )


F = TypeVar("F", bound=Callable[..., object])

#: What the docstrings of many functions share: ``%(alternative)s`` among Parameters.
SHARED = {
    "comparison": """comparison : Comparison
    Both systems on the same test data.""",
    "items": """comparison : Comparison
    Both systems on the same test data, with the results on single items known (see
    :func:`csig.classical.correlation`).""",
    "yeh": """>>> import csig
>>> c = csig.Comparison.from_counts(gold=103, both_correct=19, only_a_correct=28,
...     only_b_correct=6, both_spurious=5, only_a_spurious=43, only_b_spurious=9)""",
    "pair_metric": """metric : str or Metric, optional
    One whose denominator is the same for both systems in every unit: recall, accuracy, a
    mean, the error rate. The default is recall, accuracy or the mean, whichever the
    comparison has the columns for.""",
    "alternative": """alternative : {"two-sided", "less", "greater"}
    What counts as extreme: A differs from B, is less, is greater.""",
    "own_alternative": """alternative : {"two-sided", "less", "greater"}, optional
    The test's own by default.""",
    "confidence_level": """confidence_level : float
    Of the interval, which is two-sided whatever the alternative.""",
    "table": """table : mapping {column: values}, or data frame
    One row per candidate.""",
    "true": """true : str
    The column that says which candidates are true: True and False, or 1 and 0.
lower_is_better : sequence of str
    Those of the methods whose small scores are the best, as p-values.""",
    "ties": """ties : {"all", "first"}
    Of candidates with the same score of which only some fit into a list, all, or those that
    come first in the table. Lists of "all" may be longer than n, and do not depend on the order
    of the table; precision takes their lengths into account.""",
    "samples": """n : int, optional
    A method accepts the n best of every sample. Give this, `threshold` or `total`.
threshold : float, sequence of float, or mapping {method: float}, optional
    A method accepts the candidates with this score or a better one, in every sample the same.
total : int, optional
    A method accepts the `total` best of the whole table; a sample has those that are its own.""",
    "continuity": """continuity : bool
    Whether "asymptotic" is corrected for continuity, as R and statsmodels do by default.""",
    "names": """names : pair of str
    The systems' names in reports.""",
    "ids": """id : sequence, optional
    One per unit, all different; hits then do not depend on the order of the rows. Without ids
    or an index rows are matched by position.
cluster : sequence or mapping {id: label}, optional
    One label per unit. Units with the same label are swapped together; ``at("unit")`` gives the
    comparison without clusters.""",
    "unit_names": """unit_name, cluster_name : str
    Names of units and clusters in reports and in `levels`.""",
    "metric": """metric : str or Metric
    A name that :func:`csig.metrics.get` knows, or your own.""",
    "metrics": """metric : str, Metric, or several of them
    As for :func:`csig.randomization_test`; several share what is drawn.""",
    "zero_division": """zero_division : {0, 1}
    The score where the denominator is zero.""",
    "what": """what : {"difference", "a", "b"}
    The difference, A's score minus B's, or one system's score.""",
    "level": """confidence_level : float
    The share of test sets whose interval should hold the true value.""",
    "ax": """ax : Axes, optional
    What to draw on; by default new axes on a figure of their own, of rows as high as it takes.""",
    "caption": """caption : bool
    Whether to write below what the marks mean.
width : float
    Of a new figure, in inches: 3.3 is a column of a paper.""",
    "width": """width : float
    Of a new figure, in inches: 3.3 is a column of a paper.""",
    "drawing": """rng, bit_generator, threads, executor, progress
    As for :func:`csig.randomization_test`. Nothing depends on the threads.""",
    "folds": """a, b : array_like, (splits,)
    Both systems' scores on the test part of every split; or the differences alone, as `a`.""",
    "replications": """a, b : array_like, (5, 2)
    Both systems' scores, one row per replication; or the differences alone, as `a`.""",
}


def documented(function: F) -> F:
    """A function whose docstring has the shared parts in the place of their names."""
    if function.__doc__:  # none with python -OO
        function.__doc__ = re.sub(
            r"^( *)%\((\w+)\)s$",
            lambda match: "\n".join(match[1] + line for line in SHARED[match[2]].split("\n")),
            function.__doc__,
            flags=re.MULTILINE,
        )
    return function
