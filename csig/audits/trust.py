"""What a verification takes on trust: one list, from which its output and the docs are made.

Everything else in a record must match, or the verification fails. The list names fields by their
path, as differences do: ``metrics[mean].name``. ``[]`` stands for every item of a list, and
``.*`` for everything inside.
"""

from __future__ import annotations

import math
import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from csig import metrics
from csig.audits.rebuilding import is_bound
from csig.errors import InputError
from csig.metrics import Metric

__all__ = [
    "CLOSE",
    "ITSELF",
    "TRUST",
    "WORDS",
    "Case",
    "Trust",
    "Trusted",
    "as_markdown",
    "last_part",
    "same_number",
    "trusted",
    "whole_fields",
]

#: Doubles computed on another machine may differ in their last digits.
CLOSE = 1e-9

#: The last version of records whose requests say of higher scores what they say of no answer.
LAST_WITHOUT_DIRECTION = 3

#: The checks of ratios themselves, which need the units without a difference too.
ITSELF = "metric itself"

#: The words of a check.
WORDS = ("what", "observed", "expected", "sentence")


@dataclass(frozen=True)
class Case:
    """What a verification has to work with."""

    record: Mapping[str, Any]
    metrics: Sequence[Metric]  #: The record's metrics.
    data: bool = False  #: Whether the data were read again, and match the record.
    #: Whether they were read from the files that the record names, and in the same way.
    files: bool = False
    asked: bool = False  #: Whether the metrics were given again, too.
    words: bool = True  #: Whether this version of csig wrote the checks' words.

    @property
    def version(self) -> int:
        """The record's schema version."""
        return int(self.record["schema_version"])

    @property
    def of_responses(self) -> bool:
        """Whether single responses are swapped: their counts are the whole data."""
        return self.record["comparison"]["classes"] is not None

    @property
    def has_table(self) -> bool:
        """Whether the record has the data itself, whatever is swapped."""
        return self.of_responses or self.record["comparison"]["differences"] is not None

    @property
    def items_known(self) -> bool:
        """Whether the record has the results on single items."""
        return self.of_responses or self.record["comparison"].get("responses") is not None

    @property
    def one_level(self) -> bool:
        """Whether the record says that there is only one unit that could be swapped."""
        return len(self.record["comparison"].get("levels", ())) == 1

    def checks(self, kind: str) -> list[str]:
        """The names of the checks of a kind."""
        names = [check["name"] for check in self.record["checks"]]
        return [name for name in names if name.partition(":")[0] == kind]


Fields = Sequence[str]


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
        """Whether a field is one of them.

        >>> Trusted(("inputs.*",), "").covers("inputs[1].bytes")
        True
        """
        return any(_pattern(field).fullmatch(path) for field in self.fields)


@dataclass(frozen=True)
class Trust(Trusted):
    """Fields that verifications take on trust, wholly or partly."""

    when: str = "always"  #: When, for the docs: "always", or a condition.
    applies: Callable[[Case], bool] = lambda case: True  #: Whether the condition holds in a case.
    #: Which of the fields apply in a case; all of them by default.
    of: Callable[[Case], Fields] | None = None


def whole_fields(trust: Sequence[Trusted]) -> re.Pattern[str]:
    """One pattern of all fields that are wholly taken on trust."""
    fields = [field for own in trust if own.whole for field in own.fields]
    return re.compile("|".join(_pattern(field).pattern for field in fields), re.DOTALL)


@lru_cache(1024)
def _pattern(field: str) -> re.Pattern[str]:
    text = re.escape(field).replace(re.escape("[]"), r"\[.*\]")
    if text.endswith(re.escape(".*")):
        text = text.removesuffix(re.escape(".*")) + r"([.\[].*)?"
    return re.compile(text, re.DOTALL)


# ---- what changes nothing --------------------------------------------------------------------


def same_number(mine: float, theirs: float) -> bool:
    """Whether two doubles are the same, except for the last digits."""
    return math.isclose(mine, theirs, rel_tol=CLOSE)


def _same_double(mine: Any, theirs: Any) -> bool:
    return isinstance(mine, float) and isinstance(theirs, float) and same_number(mine, theirs)


def last_part(path: str) -> str:
    r"""The name of a file or folder, from a path of any operating system.

    >>> last_part("data/gold/"), last_part("C:\\a.tsv"), last_part("-")
    ('gold', 'a.tsv', '-')
    """
    return posixpath.basename(posixpath.normpath(path.replace("\\", "/")))


def _same_last_part(mine: Any, theirs: Any) -> bool:
    texts = isinstance(mine, str) and isinstance(theirs, str)
    return texts and last_part(mine) == last_part(theirs)


def _left_out(mine: Any, theirs: Any) -> bool:
    return theirs is None


# ---- what depends on the record --------------------------------------------------------------


def _checks(case: Case) -> Fields:
    """What checks say about items and units that the record does not have."""
    items = [] if case.items_known else case.checks("independence")
    units = [] if case.one_level else case.checks("dependence")
    ratios = [] if case.of_responses else [n for n in case.checks(ITSELF) if n != ITSELF]
    found = [f"checks[{name}].{word}" for name in items + units + ratios for word in WORDS]
    return found + [f"checks[{name}].statistic" for name in items + ratios]


def _free(case: Case) -> list[str]:
    """Metrics that their name does not determine."""
    columns = case.record["comparison"]["columns"]
    return [metric.name for metric in case.metrics if not is_bound(metric, columns)]


def _said(case: Case) -> Fields:
    request = case.record["request"]
    found = [f"request.{name}" for name in ("name_a", "name_b") if request.get(name)]
    lower = request.get("lower_is_better")
    if lower or (lower is False and case.version > LAST_WITHOUT_DIRECTION):
        found.append("request.lower_is_better")
    return found


def _direction_said(case: Case) -> bool:
    """Whether the files and the request say which scores are better."""
    if case.version > LAST_WITHOUT_DIRECTION:
        return True
    return bool(case.record["request"].get("lower_is_better"))


def _is_known(name: str) -> bool:
    try:
        return bool(metrics.get(name))
    except InputError:
        return False


def _free_names(case: Case) -> Fields:
    return [f"metrics[{name}].name" for name in _free(case) if not _is_known(name)]


def _lent_names(case: Case) -> Fields:
    return [f"metrics[{name}].name" for name in _free(case) if _is_known(name)]


def _free_weights(case: Case) -> Fields:
    parts = ("numerator[]", "denominator[]")
    return [f"metrics[{name}].{part}" for name in _free(case) for part in parts]


def _free_directions(case: Case) -> Fields:
    means = [metric.name for metric in case.metrics if metric.name == "mean"]
    return [f"metrics[{name}].greater_is_better" for name in dict.fromkeys(means + _free(case))]


# ---- the list --------------------------------------------------------------------------------

WITHOUT = "without `--inputs`"

#: These fields are covered only by the record's own SHA-256.
TRUST: tuple[Trust, ...] = (
    Trust(("date", "environment.*"), "when and where the audit ran"),
    Trust(("command.*",), "the command line, which is not run"),
    Trust(("cautions.*",), "what looked wrong in the files"),
    Trust(
        ("inputs.*", "request.*"),
        "which files were read, and how",
        WITHOUT,
        lambda case: not case.files,
    ),
    Trust(
        ("inputs[].path",),
        "the folders of the files; only the file names are compared",
        "with `--inputs`",
        lambda case: case.files,
        overlooks=_same_last_part,
    ),
    Trust(
        ("request.*",),
        "options that give the same data and metrics from these files",
        "with `--inputs`",
        lambda case: case.files,
    ),
    Trust(
        ("request.name_a", "request.name_b", "request.lower_is_better"),
        "what the user said about the systems and the scores, which no file says",
        "with `--inputs`",
        lambda case: case.files,
        _said,
    ),
    Trust(
        ("comparison.names[]",),
        "what the systems are called",
        WITHOUT,
        lambda case: not case.data,
    ),
    Trust(
        ("comparison.n_total", "comparison.ids_digest"),
        "how many units do not differ, and the ids of those that do",
        f"{WITHOUT}, unless single responses are swapped",
        lambda case: not case.data and not case.of_responses,
    ),
    Trust(
        ("comparison.differences",),
        "that the record should keep no statistics of units (`--no-table`)",
        "with `--inputs`",
        lambda case: case.data and not case.has_table,
        overlooks=_left_out,
    ),
    Trust(
        ("comparison.levels.*",),
        "what else could be swapped",
        WITHOUT,
        lambda case: not case.data and case.version > 1,
    ),
    Trust(
        ("checks[independence]", "checks[dependence: ...]", "checks[metric itself: ...]"),
        "what checks say about single items, larger units and all units, which the record does not "
        "hold",
        WITHOUT,
        lambda case: not case.data,
        _checks,
    ),
    Trust(
        ("metrics[].name",),
        "names of metrics unknown to csig",
        WITHOUT,
        lambda case: not case.asked,
        _free_names,
    ),
    Trust(
        ("metrics[].name",),
        "names of csig's own metrics on other columns: these are not csig's metrics of these names",
        WITHOUT,
        lambda case: not case.asked,
        _lent_names,
    ),
    Trust(
        ("metrics[].numerator[]", "metrics[].denominator[]"),
        "weights of such metrics, if they change no number",
        WITHOUT,
        lambda case: not case.asked,
        _free_weights,
    ),
    Trust(
        ("metrics[].greater_is_better",),
        "whether more or less is better, for such metrics and for means",
        WITHOUT,
        lambda case: not case.asked or (case.files and not _direction_said(case)),
        _free_directions,
    ),
    Trust(
        tuple(
            f"options.{name}"
            for name in ("alpha", "confidence_level", "exact_budget", "zero_division")
        ),
        "options, if they change no number: the result is simply a valid record of a different "
        "audit",
    ),
    Trust(
        ("results[].*", "checks[].pvalue", "checks[].limit", "checks[].statistic"),
        "digits of doubles beyond the ninth, and the sign of a zero",
        overlooks=_same_double,
    ),
    Trust(
        tuple(f"checks[].{word}" for word in WORDS),
        "the words of checks, which another version of csig wrote",
        "where another version wrote the record",
        lambda case: not case.words,
    ),
    Trust(
        ("options.allow_bad_generator", "metrics[].columns[]"),
        "whether a bad generator was allowed, and columns without a weight",
        "in records of version 1",
        lambda case: case.version == 1,
    ),
    Trust(
        ("checks[dependence: ...]",),
        "which larger units have a check",
        f"in records of version 1, {WITHOUT}",
        lambda case: case.version == 1 and not case.data,
        lambda case: [f"checks[{name}]" for name in case.checks("dependence")],
    ),
)


def trusted(case: Case) -> tuple[Trusted, ...]:
    """The entries of the list that apply to a case."""
    found = []
    for own in filter(lambda own: own.applies(case), TRUST):
        fields = own.fields if own.of is None else own.of(case)
        if fields:
            found.append(Trusted(tuple(fields), own.what, overlooks=own.overlooks))
    return tuple(found)


def as_markdown() -> str:
    """The list for the docs: one item per entry."""
    lines = []
    for own in TRUST:
        when = "" if own.when == "always" else f" ({own.when})"
        fields = ", ".join(f"`{field}`" for field in own.fields)
        lines.append(f"- {fields}{when}: {own.what}\n")
    return "".join(lines)
