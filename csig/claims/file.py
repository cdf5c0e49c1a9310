"""What a text prints about two systems, in a TOML file: :mod:`csig.claims.model` checks it.

``docs/claims.md`` describes the file, ``examples/yeh2000-claims.toml`` is one. Numbers may be
quoted or not: their digits are kept as written, 0.50 is not 0.5.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from typing import Any, NoReturn

from csig.base.errors import InputError
from csig.base.validation import public
from csig.base.wording import perhaps
from csig.claims.attainable import COUNTS, MOST_WORLDS, claimed_metric
from csig.claims.model import (
    ALTERNATIVES,
    ROUNDINGS,
    Claims,
    Printed,
    PrintedChiSquare,
    PrintedDistribution,
    PrintedScore,
    PrintedTest,
    printed_number,
    printed_pvalue,
)
from csig.data.metrics import Metric
from csig.readers import limits
from csig.readers.counts import parse_toml, read_small
from csig.readers.lines import StrPath

_SECTIONS = (
    "source", "rounding", "systems", "counts", "scores", "tests", "correlation", "chi_square",
    "distributions",
)  # fmt: skip
_SOURCE = ("author", "title", "year", "section", "url")

#: No test set is larger, and doubles near it are still precise to a small part of a standard error.
_LARGEST = 10**18

#: Numbers of a distribution that are scores, all in percent or none.
_SCORES = ("mean_a", "mean_b", "sd_a", "sd_b", "sd_difference")

#: Maximum number of scores of a system, of tests in a file, of characters in a name.
_MOST_SCORES, _MOST_TESTS, _LENGTH = 12, 50, 200

#: A table's head, for messages.
_HEADER = re.compile(r"\s*+(\[\[?)([^\[\]=]+)\]")


class _Number(str):
    """A float as it is written in the file."""

    __slots__ = ()


def _shown(value: object) -> str:
    """A short text for any value that was found."""
    if isinstance(value, _Number):
        return str(value)[:60]
    if isinstance(value, int) and abs(value) > 10**40:
        return f"an integer of {abs(value).bit_length()} bits"
    if isinstance(value, (list, dict)):
        return f"{'an array' if isinstance(value, list) else 'a table'} of {len(value)}"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}..."


def _lines(text: str) -> dict[str, int]:
    """Where each key seems to be set, as tests[0].hits; for messages only."""
    found: dict[str, int] = {}
    section, several = "", Counter[str]()
    for number, line in enumerate(text.split("\n"), start=1):
        header = _HEADER.match(line)
        setting, sign, _ = line.partition("=")  # a key, if it may be one
        setting = setting.strip() if sign and not any(c in "[]#{}" for c in setting) else ""
        if header is not None:
            key = section = _plain(header[2])
            if header[1] == "[[":
                found.setdefault(key, number)
                key = section = f"{key}[{several[key]}]"
                several[_plain(header[2])] += 1
        elif setting:
            key = f"{section}.{_plain(setting)}" if section else _plain(setting)
        else:
            continue
        if key.count(".") > 2 * limits.TOML_DEPTH:  # inside a text, for example
            continue
        while key:  # the tables around it begin here, if not before
            found.setdefault(key, number)
            key = key.rpartition(".")[0]
    return found


def _plain(key: str) -> str:
    """A key without quotes and spaces."""
    return "".join(c for c in key if c not in "\"' \t")


class _File:
    """A file, to name its lines in messages."""

    def __init__(self, path: StrPath, text: str) -> None:
        self.path = path
        self.lines = _lines(text)
        self.rounding: tuple[str, ...] = ()  # conventions, any of which may have been used

    def wrong(self, key: str, message: str) -> NoReturn:
        """Raise an error that names the line, if it is found."""
        key_line = self.lines.get(_plain(key))
        line = self.lines.get(key.partition("[")[0]) if key_line is None else key_line
        where = f"{self.path}" if line is None else f"{self.path} line {line}"
        raise InputError(f"{where}: {key}: {message}")

    def table(self, key: str, value: object, known: Collection[str] | None) -> dict[str, Any]:
        """A table without unknown keys."""
        if not isinstance(value, dict):
            head = f"[[{key.partition('[')[0]}]]" if key.endswith("]") else f"[{key}]"
            self.wrong(key, f"found {_shown(value)}, expected a table, {head}")
        for name in value:
            if known is not None and name not in known:
                self.unknown(f"{key}.{name}", name, known)
        return value

    def array(self, key: str, value: object) -> list[Any]:
        """Tables of one kind, not too many."""
        if not isinstance(value, list):
            self.wrong(key, f"found {_shown(value)}, expected [[{key}]] before each")
        if len(value) > _MOST_TESTS:
            self.wrong(key, f"found {len(value)}, expected at most {_MOST_TESTS}")
        return value

    def unknown(self, key: str, name: str, known: Collection[str]) -> NoReturn:
        hint = perhaps(name, known) or f"; expected {', '.join(known)}"
        self.wrong(_key(key), f"found the unknown key {_shown(name)}{hint}")

    def text_of(self, key: str, value: object) -> str:
        """A name or a title: one printable line."""
        if not isinstance(value, str) or isinstance(value, _Number) or not value.strip():
            self.wrong(key, f"found {_shown(value)}, expected a text in quotes")
        if not value.isprintable() or len(value) > _LENGTH:
            self.wrong(
                key,
                f"found {_shown(value)}, expected a line of at most {_LENGTH} printable characters",
            )
        return value.strip()

    def integer(self, key: str, value: object, least: int, most: int = _LARGEST) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            self.wrong(key, f"found {_shown(value)}, expected an integer")
        if not least <= value <= most:
            limit = "10^18" if most == _LARGEST else f"{most}"
            self.wrong(key, f"found {_shown(value)}, expected an integer from {least} to {limit}")
        return value

    def printed(self, key: str, value: object, low: float, high: float, what: str) -> Printed:
        """A number as printed, in quotes or not, that may stand for one from low to high."""
        printed = self._parsed(key, value, printed_number)
        if not (printed.interval.low <= high and printed.interval.high >= low):
            self.wrong(key, f"found {printed.text!r}, expected {what}")
        return printed

    def correlation(self, key: str, value: object) -> Printed:
        return self.printed(key, value, -1, 1, "a number from -1 to 1")

    def pvalue(self, key: str, value: object) -> Printed:
        return self._parsed(key, value, printed_pvalue)

    def _parsed(
        self, key: str, value: object, parse: Callable[[str, tuple[str, ...]], Printed]
    ) -> Printed:
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**40:
            value = str(value)
        if not isinstance(value, str):
            self.wrong(key, f"found {_shown(value)}, expected a number as printed, in quotes")
        try:
            return parse(value.replace("_", ""), self.rounding)
        except InputError as error:
            self.wrong(key, str(error))

    def metric(self, key: str, name: object) -> Metric:
        if not isinstance(name, str):
            self.wrong(key, f"found {_shown(name)}, expected the name of a metric")
        try:
            return claimed_metric(name)
        except InputError as error:
            self.wrong(_key(key), str(error))


def _key(key: str) -> str:
    """A key for a message, with special characters escaped."""
    return key if key.isprintable() else key.encode("unicode_escape").decode("ascii")[:_LENGTH]


@public("csig.claims")
def read_claims(path: StrPath) -> Claims:
    r"""Read what a text prints about two systems.

    Parameters
    ----------
    path : str or path-like
        A TOML file; ``docs/claims.md`` lists its keys.

    Returns
    -------
    csig.claims.Claims
        For :func:`csig.claims.check_claims`.

    Raises
    ------
    InputError
        If the file cannot be read or is not TOML, a key is unknown or missing, or a value is
        invalid. The message names the key, and the line where that is certain.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "claims.toml")
    ...     _ = file.write_text('counts.gold = [103, 104]\nscores.a.recall = "45.6 %"\n')
    ...     read_claims(file).scores[0].printed.meaning
    '45.55% to 45.65%'
    """
    text = read_small(path)
    found = parse_toml(path, text, _Number)
    file = _File(path, text)
    for name in found:
        if name not in _SECTIONS:
            file.unknown(name, name, _SECTIONS)
    several = found.get("rounding", "nearest")
    several = several if isinstance(several, list) else [several]
    for name in several:
        if not isinstance(name, str) or name not in ROUNDINGS:
            file.wrong("rounding", f"found {_shown(name)}, expected {', '.join(ROUNDINGS)}")
    if not several:
        file.wrong("rounding", f"found no convention, expected {', '.join(ROUNDINGS)}")
    file.rounding = tuple(dict.fromkeys(several))
    source = {
        name: str(value)
        if name in ("year", "section") and type(value) is int and abs(value) < 10**9
        else file.text_of(f"source.{name}", value)
        for name, value in file.table("source", found.get("source", {}), _SOURCE).items()
    }
    systems = file.table("systems", found.get("systems", {}), ("a", "b"))
    a, b = (file.text_of(f"systems.{s}", systems.get(s, s.upper())) for s in "ab")
    if a == b:
        file.wrong("systems.b", f"found {b!r} for both systems, expected two names")
    correlation = None
    if (own := found.get("correlation")) is not None:
        table = file.table("correlation", own, ("recall",))
        if "recall" not in table:
            file.wrong("correlation", "'recall' is missing")
        correlation = file.correlation("correlation.recall", table["recall"])
    claims = Claims(
        source=source,
        names=(a, b),
        rounding=file.rounding,
        counts=_counts(file, found.get("counts", {})),
        scores=_scores(file, found.get("scores", {})),
        tests=tuple(
            _test(file, f"tests[{i}]", value)
            for i, value in enumerate(file.array("tests", found.get("tests", [])))
        ),
        correlation=correlation,
        chi_squares=_chi_squares(file, found.get("chi_square", {})),
        distributions=tuple(
            _distribution(file, f"distributions[{i}]", value)
            for i, value in enumerate(file.array("distributions", found.get("distributions", [])))
        ),
    )
    if not any(
        (claims.scores, claims.tests, claims.correlation, claims.chi_squares, claims.distributions)
    ):
        raise InputError(
            f"{path}: nothing to check; expected [scores.a], [scores.b], [[tests]], "
            f"[correlation], [chi_square] or [[distributions]]"
        )
    return claims


def _counts(file: _File, value: object) -> dict[str, tuple[int, ...]]:
    table = file.table("counts", value, COUNTS)
    counts: dict[str, tuple[int, ...]] = {}
    for name, found in table.items():
        key = f"counts.{name}"
        several = found if isinstance(found, list) else [found]
        if not several:
            file.wrong(key, "found no candidate, expected at least one integer")
        least = 1 if name == "gold" else 0
        counts[name] = tuple(dict.fromkeys(file.integer(key, n, least) for n in several))
    combinations = math.prod(map(len, counts.values()))
    if combinations > MOST_WORLDS:
        file.wrong(
            "counts",
            f"found candidates with {_shown(combinations)} combinations, "
            f"expected at most {MOST_WORLDS}",
        )
    return counts


def _scores(file: _File, value: object) -> tuple[PrintedScore, ...]:
    found: list[PrintedScore] = []
    for system, own in file.table("scores", value, ("a", "b")).items():
        key = f"scores.{system}"
        table = file.table(key, own, None)
        if len(table) > _MOST_SCORES:
            file.wrong(key, f"found {len(table)} scores, expected at most {_MOST_SCORES}")
        seen: dict[str, str] = {}
        for name, number in table.items():
            place = _key(f"{key}.{name}")
            metric = file.metric(place, name)
            if metric.name in seen:
                file.wrong(place, f"found {metric.name} a second time, expected every score once")
            seen[metric.name] = name
            printed = file.printed(place, number, 0, 1, "a share from 0 to 1, or in percent")
            found.append(PrintedScore(system=system, metric=metric, printed=printed))
    return tuple(found)


def _test(file: _File, key: str, value: object) -> PrintedTest:
    table = file.table(key, value, ("metric", "alternative", "hits", "trials", "pvalue"))
    for name in ("metric", "alternative"):
        if name not in table:
            file.wrong(key, f"{name!r} is missing")
    alternative = table["alternative"]
    if not isinstance(alternative, str) or alternative not in ALTERNATIVES:
        file.wrong(
            f"{key}.alternative",
            f"found {_shown(alternative)}, expected {', '.join(ALTERNATIVES)}, of A minus B",
        )
    trials = hits = pvalue = None
    if "trials" in table:
        trials = file.integer(f"{key}.trials", table["trials"], 1)
    if "hits" in table:
        if trials is None:
            file.wrong(key, "found hits without trials, expected both")
        hits = file.integer(f"{key}.hits", table["hits"], 0, trials)
    if "pvalue" in table:
        pvalue = file.pvalue(f"{key}.pvalue", table["pvalue"])
    elif hits is None:
        file.wrong(key, "found neither hits nor a pvalue, expected one of them")
    return PrintedTest(
        metric=file.metric(f"{key}.metric", table["metric"]), alternative=alternative,
        hits=hits, trials=trials, pvalue=pvalue,
    )  # fmt: skip


def _chi_squares(file: _File, value: object) -> tuple[PrintedChiSquare, ...]:
    found = []
    for metric, own in file.table("chi_square", value, ("precision", "recall", "accuracy")).items():
        key = f"chi_square.{metric}"
        table: Mapping[str, Any] = file.table(key, own, ("statistic", "pvalue"))
        statistic = pvalue = None
        if "statistic" in table:
            statistic = file.printed(
                f"{key}.statistic", table["statistic"], 0, _LARGEST, "a number from 0 to 10^18"
            )
        if "pvalue" in table:
            pvalue = file.pvalue(f"{key}.pvalue", table["pvalue"])
        if statistic is None and pvalue is None:
            file.wrong(key, "found neither a statistic nor a pvalue, expected one of them")
        found.append(PrintedChiSquare(metric=metric, statistic=statistic, pvalue=pvalue))
    return tuple(found)


def _distribution(file: _File, key: str, value: object) -> PrintedDistribution:
    known = ("test_set", "samples", *_SCORES, "correlation", "probability")
    table = file.table(key, value, known)
    found: dict[str, Any] = {}
    if "test_set" in table:
        found["test_set"] = file.text_of(f"{key}.test_set", table["test_set"])
    if "samples" in table:
        found["samples"] = file.integer(f"{key}.samples", table["samples"], 2)
    for name in (own for own in _SCORES if own in table):
        least = 0 if name.startswith("sd_") else -math.inf
        found[name] = file.printed(f"{key}.{name}", table[name], least, math.inf, "at least 0")
    if "correlation" in table:
        found["correlation"] = file.correlation(f"{key}.correlation", table["correlation"])
    if "probability" in table:
        found["probability"] = file.pvalue(f"{key}.probability", table["probability"])
    scores = [found[name] for name in _SCORES if name in found]
    if len({score.percent for score in scores}) > 1:
        file.wrong(key, "found some scores in percent and some not, expected all or none")
    if "sd_difference" not in found and "probability" not in found:
        file.wrong(key, "found neither sd_difference nor probability, expected one of them")
    return PrintedDistribution(**found)
