"""What to read: what the commands with data have as options, and :func:`csig.read` as keywords."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from csig.defaults import MATCHES, PLAIN
from csig.errors import InputError

__all__ = ["CHOICES", "COLUMNS", "FIELDS", "UNITS", "OptionError", "Request", "shown", "stem"]

#: What --field calls the fields of spans; other names are columns of tables.
FIELDS = {"document": "document", "start": "start", "end": "end", "label": "label"}

#: What --unit takes; which of them there are depends on the input.
UNITS = ("response", "conflict", "token", "sentence", "document", "unit", "cluster")


#: The fields that name columns: of the gold, and of two systems.
COLUMNS = ("gold_column", "a_column", "b_column")

#: What other options take.
CHOICES = {
    "unit": UNITS,
    "allow_missing": ("intersection",),
    "quoting": ("none", "csv"),
    "decimal": (".", ","),
    "rules": ("conlleval", "strict"),
    "match": MATCHES,
}


class OptionError(InputError):
    """Options that cannot be combined, or that do not fit what the files hold.

    Attributes
    ----------
    option : str or None
        The first that the message names, as it is written for a command.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        found = re.search("--[a-z][a-z-]*", message)
        self.option = None if found is None else found[0]


def shown(path: str) -> str:
    """A path as text that every encoding and JSON can hold."""
    return path.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def stem(path: str) -> str:
    """Name of a system, after its file."""
    from csig.readers.lines import stem as stem_of  # which reads files, too

    return stem_of(shown(path))


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
    a_column: str | None = None
    b_column: str | None = None
    system: tuple[str, ...] = ()
    id: str | None = None
    cluster: str | None = None
    filter: str | None = None
    allow_missing: str | None = None
    ignore: tuple[str, ...] = ()
    run: str | None = None
    positive: str | None = None
    quoting: str | None = None
    decimal: str = "."
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
        """Those of some options that were given, as they are written."""
        plain = Request()
        return [
            "--no-header" if name == "header" and self.header is False
            else f"--{name.replace('_', '-')}"
            for name in names
            if getattr(self, name) != getattr(plain, name)
        ]  # fmt: skip

    @property
    def of_tables(self) -> list[str]:
        """The options that were given and are for tables of units only."""
        plain = self.scheme == PLAIN  # labels too, and one of them may be looked for
        cells = ("quoting", "decimal", "header")
        found = self.given("id", "cluster", "run", "filter", "ignore", *cells)
        return found + ([] if plain else self.given("positive"))

    @property
    def names_spans(self) -> bool:
        """Whether all fields that were named are those of spans, and nothing else says tables."""
        own = set(self.fields) <= set(FIELDS) and self.format in ("auto", "spans")
        return own and not self.of_tables

    @property
    def columns(self) -> tuple[str, ...]:
        """The systems that were asked for by name.

        Raises
        ------
        OptionError
            If the options contradict each other.
        """
        pair = (self.a_column, self.b_column)
        if pair == (None, None):
            found = self.system
            if len(set(found)) < len(found):
                raise OptionError("--system: give each system only once")
            return found
        if self.system:
            raise OptionError("--system does not go with --a-column and --b-column")
        if None in pair:
            raise OptionError(
                "--a-column and --b-column go together; for a single system give --system"
            )
        return tuple(name for name in pair if name is not None)

    @property
    def fields(self) -> Mapping[str, str]:
        """The names of JSON's fields."""
        found = {}
        for text in self.field:
            name, sign, own = text.partition("=")
            if not sign or not name or not own:
                raise OptionError(
                    "--field: expected NAME=PATH, a column's name and where it is in the file, "
                    f"found {text!r}"
                )
            if name in found:
                raise OptionError(f"--field: {name} is given twice")
            found[name] = own
        return found

    @property
    def paths(self) -> list[str]:
        """All files that are read."""
        more = (self.counts, self.statistics, self.document_file)
        return [*self.files, *(path for path in more if path is not None)]
