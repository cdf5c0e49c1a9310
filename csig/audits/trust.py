"""What a record says against what is computed now, field by field, and what is taken on trust.

Of the latter there is one list, from which the output of a verification and the docs are made.
Everything else in a record must match, or the verification fails. The list names fields by their
path, as differences do: ``metrics[mean].name``. ``[]`` stands for every item of a list, and ``.*``
for everything inside.
"""

from __future__ import annotations

import math
import posixpath
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import fields as fields_of
from functools import lru_cache
from typing import Any, NamedTuple

from csig.audits.records import known_metric
from csig.base.errors import InputError
from csig.data import metrics
from csig.data.metrics import Metric
from csig.results.randomization import Certificate

#: Doubles computed on another machine may differ in their last digits.
CLOSE = 1e-9

#: The last version of records whose requests say of higher scores what they say of no answer.
LAST_WITHOUT_DIRECTION = 3

#: The checks of ratios themselves, which need the units without a difference too.
ITSELF = "metric itself"

#: The words of a check.
WORDS = ("what", "observed", "expected", "sentence")

#: The fields of proven bounds; that there are any is none of them.
PROOF = tuple(f"certificate.{own.name}" for own in fields_of(Certificate))

#: Characters of a value that a line shows.
SHOWN = 100


@dataclass(frozen=True)
class Case:
    """What a verification has to work with."""

    record: Mapping[str, Any]
    metrics: Sequence[Metric]  #: The record's metrics.
    data: bool = False  #: Whether the data were read again, and match the record.
    #: Whether they were read from the files that the record names, and in the same way.
    files: bool = False
    asked: bool = False  #: Whether the metrics were given again, too.
    today: bool = True  #: Whether this version of csig wrote the record.

    @property
    def version(self) -> int:
        """The record's schema version."""
        return int(self.record["schema_version"])

    @property
    def of_responses(self) -> bool:
        """Whether single responses are swapped: their counts are the whole data."""
        return self.record["comparison"]["classes"] is not None

    @property
    def one_level(self) -> bool:
        """Whether the record says that there is only one unit that could be swapped."""
        return len(self.record["comparison"].get("levels", ())) == 1

    def checks(self, kind: str) -> list[str]:
        """The names of the checks of a kind."""
        names = [check["name"] for check in self.record["checks"]]
        return [name for name in names if name.partition(":")[0] == kind]

    def certified(self) -> list[str]:
        """The metrics whose p-values have proven bounds."""
        results = self.record["results"]
        return [own["metric"] for own in results if own.get("certificate") is not None]

    def free(self) -> list[str]:
        """Metrics that their name does not determine."""
        columns = self.record["comparison"]["columns"]
        names = [metric.name for metric in self.metrics]
        return [name for name in names if known_metric(name, columns) is None]


def _anything(mine: Any, theirs: Any) -> bool:
    return True


@dataclass(frozen=True)
class Trusted:
    """What one verification took on trust."""

    fields: tuple[str, ...]  #: Paths in the record.
    what: str  #: What they describe, or which part of them was taken on trust.
    #: Whether a change from one value to another would go unnoticed.
    overlooks: Callable[[Any, Any], bool] = field(default=_anything, kw_only=True)

    @property
    def whole(self) -> bool:
        """Whether any value would be accepted."""
        return self.overlooks is _anything

    def covers(self, path: str) -> bool:
        """Whether a field is one of them."""
        return any(_pattern(field).fullmatch(path) for field in self.fields)


class When(NamedTuple):
    """In which cases something is taken on trust."""

    text: str  #: For the docs.
    holds: Callable[[Case], bool]


ALWAYS = When("", lambda case: True)


@dataclass(frozen=True)
class Trust(Trusted):
    """Fields that verifications take on trust, wholly or partly."""

    when: When = ALWAYS
    #: Which of the fields apply in a case; all of them by default.
    of: Callable[[Case], Sequence[str]] | None = None


@lru_cache(1024)
def _pattern(field: str) -> re.Pattern[str]:
    text = re.escape(field).replace(re.escape("[]"), r"\[.*\]")
    if text.endswith(re.escape(".*")):
        text = text.removesuffix(re.escape(".*")) + r"([.\[].*)?"
    return re.compile(text, re.DOTALL)


# ---- what changes nothing ----------------------------------------------------------------------


def same_double(mine: Any, theirs: Any) -> bool:
    doubles = isinstance(mine, float) and isinstance(theirs, float)
    return doubles and math.isclose(mine, theirs, rel_tol=CLOSE)


def _same_width(mine: Any, theirs: Any) -> bool:
    return isinstance(mine, float) and isinstance(theirs, float) and abs(mine - theirs) <= CLOSE


def last_part(path: str) -> str:
    r"""The name of a file or folder, from a path of any operating system."""
    return posixpath.basename(posixpath.normpath(path.replace("\\", "/")))


def _same_last_part(mine: Any, theirs: Any) -> bool:
    return {type(mine), type(theirs)} == {str} and last_part(mine) == last_part(theirs)


# ---- what depends on the record ----------------------------------------------------------------


def _checks(case: Case) -> list[str]:
    """What checks say about items and units that the record does not have."""
    items_known = case.of_responses or case.record["comparison"].get("responses") is not None
    items = [] if items_known else case.checks("independence")
    units = [] if case.one_level else case.checks("dependence")
    ratios = [] if case.of_responses else [n for n in case.checks(ITSELF) if n != ITSELF]
    found = [f"checks[{name}].{word}" for name in items + units + ratios for word in WORDS]
    return found + [f"checks[{name}].statistic" for name in items + ratios]


def _said(case: Case) -> list[str]:
    request = case.record["request"]
    found = [f"request.{name}" for name in ("name_a", "name_b") if request.get(name)]
    lower = request.get("lower_is_better")
    if lower or (lower is False and case.version > LAST_WITHOUT_DIRECTION):
        found.append("request.lower_is_better")
    return found


def _names(case: Case, known: bool) -> list[str]:
    """Names that do not determine their metric, of csig's own or of no other metric."""

    def is_known(name: str) -> bool:
        try:
            metrics.get(name)
        except InputError:
            return False
        return True

    return [f"metrics[{name}].name" for name in case.free() if is_known(name) is known]


# ---- the list ----------------------------------------------------------------------------------

WITHOUT = "without `--inputs`"
NO_FILES = When(WITHOUT, lambda case: not case.files)
NO_DATA = When(WITHOUT, lambda case: not case.data)
NO_METRICS = When(WITHOUT, lambda case: not case.asked)
FILES = When("with `--inputs`", lambda case: case.files)

#: Where the record has no data, though these were read again.
NO_TABLE = When(
    FILES.text,
    lambda case: (
        case.data and not case.of_responses and case.record["comparison"]["differences"] is None
    ),
)

#: Where neither metrics nor the files and the request say which scores are better.
NO_DIRECTION = When(
    WITHOUT,
    lambda case: (
        not case.asked
        or (
            case.files
            and case.version <= LAST_WITHOUT_DIRECTION
            and not case.record["request"].get("lower_is_better")
        )
    ),
)

NO_SINGLE = When(
    f"{WITHOUT}, unless single responses are swapped",
    lambda case: not case.data and not case.of_responses,
)
NO_LEVELS = When(WITHOUT, lambda case: not case.data and case.version > 1)
OTHERS = When("where another version wrote the record", lambda case: not case.today)
THIRD = When("in records from version 3 on", lambda case: case.version > 2)
FIRST = When("in records of version 1", lambda case: case.version == 1)
FIRST_NO_DATA = When(f"{FIRST.text}, {WITHOUT}", lambda case: case.version == 1 and not case.data)

#: These fields are covered only by the record's own SHA-256.
TRUST: tuple[Trust, ...] = (
    Trust(("date", "environment.*"), "when and where the audit ran"),
    Trust(("command.*",), "the command line, which is not run"),
    Trust(("cautions.*",), "what looked wrong in the files"),
    Trust(("inputs.*", "request.*"), "which files were read, and how", NO_FILES),
    Trust(
        ("inputs[].path",), "the folders of the files; only the file names are compared", FILES,
        overlooks=_same_last_part,
    ),
    Trust(
        ("request.*",), "options that give the same data and metrics from these files", FILES
    ),
    Trust(
        ("request.name_a", "request.name_b", "request.lower_is_better"),
        "what the user said about the systems and the scores, which no file says", FILES, _said,
    ),
    Trust(("comparison.names[]",), "what the systems are called", NO_DATA),
    Trust(
        ("comparison.n_total", "comparison.ids_digest"),
        "how many units do not differ, and the ids of those that do", NO_SINGLE,
    ),
    Trust(
        ("comparison.differences",),
        "that the record should keep no statistics of units (`--no-table`)", NO_TABLE,
        overlooks=lambda mine, theirs: theirs is None,
    ),
    Trust(("comparison.levels.*",), "what else could be swapped", NO_LEVELS),
    Trust(
        ("checks[independence]", "checks[dependence: ...]", "checks[metric itself: ...]"),
        "what checks say about single items, larger units and all units, which the record does not "
        "hold", NO_DATA, _checks,
    ),
    Trust(
        ("metrics[].name",), "names of metrics unknown to csig", NO_METRICS,
        lambda case: _names(case, known=False),
    ),
    Trust(
        ("metrics[].name",),
        "names of csig's own metrics on other columns, which are others", NO_METRICS,
        lambda case: _names(case, known=True),
    ),
    Trust(
        ("metrics[].numerator[]", "metrics[].denominator[]"),
        "weights of such metrics, if they change no number", NO_METRICS,
        lambda case: [
            f"metrics[{name}].{part}[]"
            for name in case.free() for part in ("numerator", "denominator")
        ],
    ),
    Trust(
        ("metrics[].columns[]", "metrics[].numerator[]", "metrics[].denominator[]"),
        "in which order the columns stand", NO_METRICS,
        lambda case: [
            f"metrics[{metric.name}].{part}[]"
            for metric in case.metrics if len(metric.columns) > 1 and metric.linear_fractional
            for part in ("columns", "numerator", "denominator")
        ],
        overlooks=lambda mine, theirs: {type(mine), type(theirs)} == {str},
    ),
    Trust(
        ("metrics[].greater_is_better",),
        "whether more or less is better, for such metrics and for means", NO_DIRECTION,
        lambda case: [
            f"metrics[{name}].greater_is_better"
            for name in dict.fromkeys(
                [own.name for own in case.metrics if own.name == "mean"] + case.free()
            )
        ],
    ),
    Trust(
        ("options.alpha", "options.confidence_level", "options.exact_budget",
         "options.zero_division"),
        "options, if they change no number: a valid record of another audit",
    ),
    Trust(
        ("results[].*", "checks[].pvalue", "checks[].limit", "checks[].statistic"),
        "digits of doubles beyond the ninth, and the sign of a zero", overlooks=same_double,
    ),
    Trust(
        ("results[].certificate.width",), "what of it is below 1e-9",
        of=lambda case: [f"results[{name}].certificate.width" for name in case.certified()],
        overlooks=_same_width,
    ),
    Trust(
        ("schema_version",), "the version, where another one has all the same fields", THIRD,
        overlooks=lambda mine, theirs: {type(mine), type(theirs)} == {int},
    ),
    Trust(
        tuple(f"checks[].{word}" for word in WORDS),
        "the words of checks, which another version of csig wrote", OTHERS,
    ),
    Trust(
        ("results[].exact_pvalue", "results[].exact_log_pvalue", "results[].certificate.*"),
        "which bounds were proven, and how, if they agree with each other and hold a p that those "
        "computed now hold", OTHERS,
        lambda case: [
            f"results[{name}].{field}"
            for name in case.certified()
            for field in ("exact_pvalue", "exact_log_pvalue", *PROOF)
        ],
    ),
    Trust(
        ("options.allow_bad_generator", "metrics[].columns[]"),
        "whether a bad generator was allowed, and columns without a weight", FIRST,
    ),
    Trust(
        ("checks[dependence: ...]",), "which larger units have a check", FIRST_NO_DATA,
        lambda case: [f"checks[{name}]" for name in case.checks("dependence")],
    ),
)  # fmt: skip


def trusted(case: Case) -> tuple[Trusted, ...]:
    """The entries of the list that apply to a case."""
    found = []
    for own in filter(lambda own: own.when.holds(case), TRUST):
        fields = own.fields if own.of is None else own.of(case)
        if fields:
            found.append(Trusted(tuple(fields), own.what, overlooks=own.overlooks))
    return tuple(found)


def as_markdown() -> str:
    """The list for the docs: one item per entry, in lines of at most 120 characters."""
    items = []
    for own in TRUST:
        when = f" ({own.when.text})" if own.when.text else ""
        fields = ", ".join(f"`{field}`" for field in own.fields)
        item = f"- {fields}{when}: {own.what}"
        items.append(
            textwrap.fill(item, 120, subsequent_indent="  ", break_on_hyphens=False) + "\n"
        )
    return "".join(items)


# ---- field by field ----------------------------------------------------------------------------


class Field(NamedTuple):
    """A field of two records, or of one of them."""

    path: str
    mine: Any
    theirs: Any
    difference: str = ""  # in words; empty if there is none
    recomputed: int = 0  # how many values it is that were computed again


def compared(
    mine: Mapping[str, Any], theirs: Mapping[str, Any], trust: Sequence[Trusted]
) -> tuple[list[str], int]:
    """One line for every field that differs, and how many fields were recomputed."""
    whole = [_pattern(field).pattern for own in trust if own.whole for field in own.fields]
    found, count = [], 0
    for own in _fields(mine, theirs, re.compile("|".join(whole), re.DOTALL)):
        count += own.recomputed
        if own.difference and not any(
            one.covers(own.path) and one.overlooks(own.mine, own.theirs) for one in trust
        ):
            found.append(own.difference)
    return found, count


def _fields(mine: Any, theirs: Any, uncounted: re.Pattern[str], path: str = "") -> Iterator[Field]:
    """All fields of two records; those that are `uncounted` are not recomputed."""
    if isinstance(mine, dict) and isinstance(theirs, dict):
        for name in sorted({*mine, *theirs}):
            inner = f"{path}.{name}" if path else name
            if name in mine and name in theirs:
                yield from _fields(mine[name], theirs[name], uncounted, inner)
            else:
                where = "only now" if name in mine else "only in the record"
                yield Field(inner, mine.get(name), theirs.get(name), f"{inner}: {where}")
    elif path == "checks" and isinstance(theirs, list):
        yield from _of_checks(mine, theirs, uncounted)
    elif isinstance(mine, list) and isinstance(theirs, list):
        if len(mine) != len(theirs):
            text = f"{path}: {len(theirs)} in the record, {len(mine)} now"
            yield Field(path, mine, theirs, text)
        elif mine == theirs and all(type(item) is str for item in mine):
            # At once: the units may be a million.
            yield Field(path, mine, theirs, recomputed=len(mine))
        else:
            for i, (own, other) in enumerate(zip(mine, theirs, strict=True)):
                label = None
                if isinstance(other, dict):
                    label = other.get("name", other.get("metric"))
                yield from _fields(own, other, uncounted, f"{path}[{label or i}]")
    else:
        # The same value of the same type: 1 is not 1.0, and 0.0 is not -0.0.
        same = type(mine) is type(theirs) and mine == theirs
        if same and isinstance(mine, float):
            same = math.copysign(1, mine) == math.copysign(1, theirs)
        text = ""
        if not same:
            then, now = (
                shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}..."
                for shown in map(repr, (theirs, mine))
            )
            text = f"{path}: {then} in the record, {now} now"
        yield Field(path, mine, theirs, text, int(uncounted.fullmatch(path) is None))


def _of_checks(
    mine: Sequence[Mapping[str, Any]],
    theirs: Sequence[Mapping[str, Any]],
    uncounted: re.Pattern[str],
) -> Iterator[Field]:
    """Checks are told apart by their names, and have an order."""
    now = {check["name"]: check for check in mine}
    then = {check["name"]: check for check in theirs}
    for name in {**now, **then}:
        path = f"checks[{name}]"
        if name not in then:
            yield Field(path, name, None, f"{path}: not in the record")
        elif name not in now:
            yield Field(path, None, name, f"{path}: only in the record")
        else:
            yield from _fields(now[name], then[name], uncounted, path)
    order, order_then = (
        [check["name"] for check in own if check["name"] in now and check["name"] in then]
        for own in (mine, theirs)
    )
    if order != order_then:
        text = f"checks: {len(theirs)} in the record, {len(mine)} now, or in another order"
        yield Field("checks", order, order_then, text)


def with_larger_units(checks: Sequence[Mapping[str, Any]], case: Case) -> list[Mapping[str, Any]]:
    """The checks, with those of larger units that the data of a record alone do not give."""
    if case.data or case.one_level:
        return list(checks)
    # The names of the checks of larger units, as far as the record determines them.
    names = case.checks("dependence")
    weighted = any(metric.linear_fractional for metric in case.metrics)
    if case.version > 1:
        larger = case.record["comparison"]["levels"][1:]
        names = [f"dependence: {level}" for level in larger] if weighted else []
    elif names != ["dependence"] and (names or weighted):
        known = weighted and all(name.startswith("dependence: ") for name in names)
        names = (names if known else []) or ["dependence"]
    nothing = dict.fromkeys((*WORDS, "pvalue", "limit", "passed", "statistic"))
    found: list[Mapping[str, Any]] = []
    for check in checks:
        if check["name"] != "dependence" or names == ["dependence"]:
            found.append(check)
        else:  # alone: no larger units are known
            found += [{**nothing, "name": name} for name in names]
    return found
