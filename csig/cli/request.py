"""What to read: the options that all commands with data share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

import click

from csig.cli.options import MAX_SIZE
from csig.readers.spans import FIELDS
from csig.readers.tags.matching import MATCHES
from csig.readers.tags.schemes import PLAIN

__all__ = ["FORMATS", "INPUT", "TABLES", "UNITS", "Request", "decorated", "shown", "stem"]

_F = TypeVar("_F", bound=Callable[..., Any])

#: What --format calls tables of units.
TABLES = ("scores", "counts", "labels", "lm-eval")

#: What --format takes.
FORMATS = ("responses", "tags", "spans", "statistics", *TABLES)

#: What --unit takes; which of them there are depends on the input.
UNITS = ("response", "conflict", "token", "sentence", "document", "unit", "cluster")


def shown(path: str) -> str:
    """A path as text that every encoding and JSON can hold."""
    return path.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def stem(path: str) -> str:
    """What a system is called after its file."""
    name = Path(shown(path).removesuffix(".gz"))
    return name.stem or shown(path)


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
        found = self.given("id", "cluster", "filter", "ignore", *cells)
        return found + ([] if plain else self.given("positive"))

    @property
    def of_spans(self) -> list[str]:
        """The options that are for spans only: all fields are those of a span."""
        if self.of_tables or self.format in TABLES:
            return []
        return self.given("field") if set(self.fields) <= set(FIELDS) else []

    @property
    def of_records(self) -> list[str]:
        """The options that are for tables as JSON only."""
        return self.given("field") if not self.of_spans else []

    @property
    def of_tags(self) -> list[str]:
        """The options that were given and are for tags only."""
        return self.given(
            "sentence_column", "document_column", "document_file", "rules", "scheme", "match"
        )

    @property
    def of_responses(self) -> list[str]:
        """The options that say what the fields of responses are."""
        return self.given("documents", "spans")

    @property
    def of_columns(self) -> list[str]:
        """The options that name columns."""
        return self.given("gold_column", "a_column", "b_column")

    @property
    def columns(self) -> tuple[str, ...]:
        """The systems that were asked for by name.

        Raises
        ------
        click.UsageError
            If the options contradict each other.
        """
        pair = (self.a_column, self.b_column)
        if pair == (None, None):
            found = self.system
            if len(set(found)) < len(found):
                raise click.UsageError("--system: every system once")
            return found
        if self.system:
            raise click.UsageError("--system does not go with --a-column and --b-column")
        if None in pair:
            raise click.UsageError(
                "--a-column and --b-column go together; one system alone is --system"
            )
        return tuple(name for name in pair if name is not None)

    @property
    def fields(self) -> Mapping[str, str]:
        """The names of JSON's fields."""
        found = {}
        for text in self.field:
            name, sign, own = text.partition("=")
            if not sign or not name or not own:
                raise click.UsageError(
                    f"--field: expected the name of a column, = and what it is called in the "
                    f"file, found {text!r}"
                )
            if name in found:
                raise click.UsageError(f"--field: {name} is given twice")
            found[name] = own
        return found

    @property
    def paths(self) -> list[str]:
        """All files that are read."""
        more = (self.counts, self.statistics, self.document_file)
        return [*self.files, *(path for path in more if path is not None)]


def decorated(*groups: Sequence[Callable[[_F], _F]]) -> Callable[[_F], _F]:
    """Decorate with options in the order in which they are listed, as --help shows them."""

    def decorate(function: _F) -> _F:
        for option in reversed([option for group in groups for option in group]):
            function = option(function)
        return function

    return decorate


INPUT = [
    click.argument("files", nargs=-1, metavar="[GOLD A B | FILE...]", type=click.Path()),
    click.option(
        "--counts",
        metavar="FILE",
        type=click.Path(),
        help="TOML or JSON file with gold, both_correct, only_a_correct, only_b_correct, "
        "both_spurious, only_a_spurious, only_b_spurious, and name_a, name_b.",
    ),
    click.option(
        "--statistics",
        metavar="FILE",
        type=click.Path(),
        help="A table that csig convert wrote.",
    ),
    click.option(
        "--format",
        type=click.Choice(["auto", *FORMATS]),
        default="auto",
        show_default=True,
        help="What the files hold; the output says what was recognised.",
    ),
    click.option(
        "--documents", is_flag=True, help="The first field of every response is a document id."
    ),
    click.option(
        "--spans",
        is_flag=True,
        help="Responses are start, end (not included) and label: overlaps are counted.",
    ),
    click.option(
        "--field",
        multiple=True,
        metavar="NAME=OWN",
        help="JSON: what a column is called there, or its path in objects (acc=scores.acc); of "
        "spans document, start, end and label.",
    ),
    click.option("--gold-column", metavar="NAME", help="Column of the gold's tags or labels."),
    click.option("--a-column", metavar="NAME", help="Column, or system of a table: A."),
    click.option("--b-column", metavar="NAME", help="Column, or system of a table: B."),
    click.option(
        "--system",
        multiple=True,
        metavar="NAME",
        help="A column, or system of a table; of more than two the first is the baseline.  "
        "[default: all of a table]",
    ),
    click.option("--id", metavar="NAME", help="Column of a table: what identifies the units."),
    click.option(
        "--cluster",
        metavar="NAME",
        help="Column of a table: units with the same label are exchanged together.",
    ),
    click.option(
        "--ignore",
        multiple=True,
        metavar="COLUMN",
        help="Column of a table that is neither a system nor ids, clusters or gold, whatever it "
        "looks like; can be given several times.",
    ),
    click.option(
        "--filter",
        metavar="NAME",
        help="Which filter of lm-evaluation-harness, where samples have several.",
    ),
    click.option(
        "--allow-missing",
        type=click.Choice(["intersection"]),
        metavar="intersection",
        help="Go on with the units of a table, or the documents of spans, that every system has.",
    ),
    click.option(
        "--positive",
        metavar="LABEL",
        help="Positive class: report its recall, precision and F (labels in a table, one a line, "
        "or with --scheme plain).",
    ),
    click.option(
        "--quoting",
        type=click.Choice(["none", "csv"]),
        help="Tables: quotation marks are text (none), or enclose cells (csv).  [default: csv; "
        "for TSV none]",
    ),
    click.option(
        "--decimal",
        type=click.Choice([".", ","]),
        default=".",
        show_default=True,
        help="Tables: the decimal mark.",
    ),
    click.option(
        "--header/--no-header",
        default=None,
        help="Tables: whether the first row has the names of the columns; without names they are "
        "numbered from 1.  [default: names, refused if they look like data]",
    ),
    click.option(
        "--sentence-column",
        metavar="NAME",
        help="Tags: column that changes where a sentence starts (blank lines do it too).",
    ),
    click.option(
        "--document-column", metavar="NAME", help="Tags: column with every token's document."
    ),
    click.option(
        "--document-file",
        metavar="FILE",
        type=click.Path(),
        help="Tags: a file with every sentence's document, one a line.",
    ),
    click.option(
        "--rules",
        type=click.Choice(["conlleval", "strict"]),
        help="Tags: how entities are found.  [default: conlleval]",
    ),
    click.option(
        "--scheme",
        metavar="NAME",
        help="Tags: IOB1, IOB2, IOE1, IOE2, IOBES, BILOU; or plain, labels that are no entities.",
    ),
    click.option(
        "--match",
        type=click.Choice(MATCHES),
        help="Tags in several files: compare tokens, which must be the same, or only the lengths "
        "of sentences (position), if tokens are spelt differently.  [default: token]",
    ),
    click.option("--name-a", metavar="NAME", help="Name of A.  [default: the file's]"),
    click.option("--name-b", metavar="NAME", help="Name of B.  [default: the file's]"),
    MAX_SIZE,
]
