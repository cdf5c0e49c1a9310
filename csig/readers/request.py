"""What to read: what the commands with data have as options, and :func:`csig.read` as keywords."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from csig.base.defaults import MATCHES
from csig.base.errors import InputError, argument

#: What --field calls the fields of spans; other names are columns of tables.
FIELDS = {"document": "document", "start": "start", "end": "end", "label": "label"}

#: What --unit takes; which of them there are depends on the input.
UNITS = ("response", "conflict", "token", "sentence", "document", "unit", "cluster")

#: What other options take.
CHOICES = {
    "unit": UNITS,
    "allow_missing": ("intersection",),
    "quoting": ("none", "csv"),
    "decimal": (".", ","),
    "delimiter": ("tab", "comma", "semicolon", "space"),
    "rules": ("conlleval", "strict"),
    "match": MATCHES,
}


class OptionError(InputError):
    """Options that cannot be combined, or that do not fit what the files hold."""


def shown(path: str) -> str:
    """A path as text that every encoding and JSON can hold."""
    return path.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def stem(path: str) -> str:
    """Name of a system, after its file."""
    from csig.readers.lines import stem as stem_of  # which reads files, too

    return stem_of(shown(path))


def option(name: str, *values: str) -> tuple[str, ...]:
    """An option for each of some values.

    >>> option("ignore", "a", "b")
    ('--ignore', 'a', '--ignore', 'b')
    """
    return tuple(word for value in values for word in (f"--{name}", value))


@dataclass(frozen=True)
class Request:
    """The options that say what to read; their names are the options'."""

    files: tuple[str, ...] = ()
    counts: str | None = None
    statistics: str | None = None
    format: str = "auto"
    documents: bool = False
    spans: bool = False
    field: tuple[str, ...] = ()
    gold_column: str | None = None
    system: tuple[str, ...] = ()
    system_column: str | None = None
    score_column: tuple[str, ...] = ()
    id: str | None = None
    cluster: str | None = None
    filter: str | None = None
    allow_missing: str | None = None
    ignore: tuple[str, ...] = ()
    drop_row: tuple[str, ...] = ()
    keep_row: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    percent: tuple[str, ...] = ()
    run: str | None = None
    positive: str | None = None
    quoting: str | None = None
    decimal: str = "."
    delimiter: str | None = None
    header: bool | None = None
    sentence_column: str | None = None
    document_column: str | None = None
    document_file: str | None = None
    rules: str | None = None
    scheme: str | None = None
    match: str | None = None
    name_a: str | None = None
    name_b: str | None = None
    by: str | None = None

    @classmethod
    def taken(cls, options: dict[str, Any]) -> Request:
        """A request from a command's options, which are taken out of them."""
        return cls(**{f.name: options.pop(f.name) for f in fields(cls) if f.name in options})

    def given(self, *names: str) -> list[str]:
        """Those of some options that were given, as messages name them."""
        plain = Request()
        return [
            argument(f"no_{name}" if getattr(self, name) is False else name)
            for name in names
            if getattr(self, name) != getattr(plain, name)
        ]

    def words(self) -> list[str]:
        """The request as it is written on a command line."""
        found = list(self.files)
        for name in list(vars(self))[1:]:
            value = getattr(self, name)
            for option in self.given(name):
                for word in value if isinstance(value, tuple) else (value,):
                    found += (option,) if isinstance(word, bool) else (option, word)
        return found

    @property
    def fields(self) -> Mapping[str, str]:
        """The names of JSON's fields."""
        found = {}
        for text in self.field:
            name, sign, own = text.partition("=")
            if not sign or not name or not own:
                raise OptionError(
                    f"{argument('field')}: expected NAME=PATH, a column's name and where it is "
                    f"in the file, found {text!r}"
                )
            if name in found:
                raise OptionError(f"{argument('field')}: {name} is given twice")
            found[name] = own
        return found

    @property
    def paths(self) -> list[str]:
        """All files that are read."""
        more = (self.counts, self.statistics, self.document_file)
        return [*self.files, *(path for path in more if path is not None)]
