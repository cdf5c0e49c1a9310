"""Help in two steps, ``--help`` what most people need and ``--help-all`` the rest; completion.

Nothing here reads more than the first line of a file, or imports what a comparison needs.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from csig.base.wording import perhaps

#: Where the explanations of options begin.
_INDENT = 24

#: How many examples --help shows; the most common ones come first.
SHOWN = 5

if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:  # not generic before click 8.2
    _Choice = click.Choice


class Choice(_Choice):
    """One of several words; what may have been meant is said of any other."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The word."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            message = error.message.removesuffix(".") + perhaps(value, self.choices)
            raise click.BadParameter(message, ctx, param) from None


class Option(click.Option):
    """An option of a group; ``--help`` shows the brief ones."""

    def __init__(self, names: Sequence[str], *, group: str, brief: bool, **keywords: Any) -> None:
        super().__init__(names, **keywords)
        self.group, self.brief = group, brief


class Argument(click.Argument):
    """An argument with the rows that say what it may be."""

    def __init__(
        self, names: Sequence[str], *, rows: list[tuple[str, str]], **keywords: Any
    ) -> None:
        required = names != ["files"] and not keywords["metavar"].startswith("[")
        super().__init__(names, required=required, **keywords)
        self.rows = rows


def folded(text: str, width: int, indent: str = "", more: str = "") -> list[str]:
    """Lines that are broken at spaces only; words that are longer stay whole."""
    lines = textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=more or indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines or [""]


def listing(rows: Sequence[tuple[str, str]], width: int, indent: int = _INDENT) -> Iterator[str]:
    """Names with what they are; a name that is too long has a line of its own.

    >>> list(listing([("-a", "one two"), ("--long NAME", "three")], 14, 8))
    ['  -a    one', '        two', '  --long NAME', '        three']
    """
    for name, text in rows:
        lines = folded(text, width, " " * indent)
        if len(name) + 4 <= indent:
            yield f"  {name}".ljust(indent) + lines[0].lstrip()
            yield from lines[1:]
            continue
        name = f"  {name}"
        while len(name) > width and "|" in name[:width]:  # words of a choice
            at = name.rindex("|", 0, width) + 1
            yield name[:at]
            name = f"      {name[at:]}"
        yield name
        yield from lines


def examples_of(command: click.Command, width: int, most: int | None = None) -> list[str]:
    """The examples; a long one goes on in the next line, as a shell reads it."""
    head, *examples = (command.epilog or "").splitlines()
    lines = [head]
    for example in examples[:most]:
        parts = folded(example.strip(), width - 2, "  ", "      ")
        lines += [*(f"{part} \\" for part in parts[:-1]), parts[-1]]
    return lines


class Command(click.Command):
    """A command with help in two steps."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)

        def show_all(context: click.Context, _: click.Parameter, value: bool) -> None:
            if not value or context.resilient_parsing:
                return
            formatter = context.make_formatter()
            self._write(context, formatter, brief=False)
            click.echo(formatter.getvalue().rstrip("\n"), color=context.color)
            context.exit()

        self.params.append(
            click.Option(
                ["--help-all"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=show_all,
                help="Show all options and exit.",
            )
        )

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What most people need."""
        self._write(ctx, formatter, brief=True)

    def _write(self, ctx: click.Context, formatter: click.HelpFormatter, brief: bool) -> None:
        width = formatter.width
        usage = " ".join(self.collect_usage_pieces(ctx))
        said = (self.help or "").split("\n\n")
        blocks = [folded(f"Usage: {ctx.command_path} {usage}", width, "", "  ")]
        blocks += [folded(" ".join(own.split()), width) for own in said[: 1 if brief else None]]
        blocks.append(examples_of(self, width, SHOWN if brief else None))
        params = sorted(self.get_params(ctx), key=lambda own: own.name == "help_all")  # the last
        rows = [row for own in params if isinstance(own, Argument) for row in own.rows]
        options = [own for own in params if isinstance(own, click.Option)]
        shown = options
        if brief and not all(getattr(own, "brief", True) for own in options):
            shown = [own for own in options if getattr(own, "brief", False)]
        for group, members in groupby(shown, lambda own: getattr(own, "group", "Help")):
            records = (own.get_help_record(ctx) for own in members)
            rows += [record for record in records if record is not None]
            blocks.append([f"{group}:", *listing(rows, width)])
            rows = []
        if len(shown) < len(options):
            more = f"{ctx.command_path} --help-all shows all {len(options)} options."
            blocks.append(folded(more, width))
        formatter.write("\n\n".join("\n".join(lines) for lines in blocks) + "\n")


#: Bytes of a file that are looked at: a header that is longer has no columns to complete.
LONGEST = 2**16

#: Files that hold columns with names.
_TABLES = (".csv", ".tsv", ".tab", ".txt", ".conll")
_RECORDS = (".jsonl", ".ndjson")


def complete_metrics(
    _: click.Context, __: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Names of metrics, also behind a comma."""
    from csig.base.defaults import METRICS  # for those who complete

    before, comma, own = incomplete.rpartition(",")
    return [CompletionItem(f"{before}{comma}{name}") for name in METRICS if name.startswith(own)]


def complete_columns(
    _: click.Context, __: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Names of columns in the tables of the command."""
    # The command so far: click forgets its files where an option still lacks a value.
    import shlex  # for those who complete

    given = os.environ.get("COMP_WORDS", "")
    try:
        words = shlex.split(given)
    except ValueError:  # a quotation mark that is not closed yet
        words = given.split()
    names = dict.fromkeys(name for word in words for name in names_in(word))
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def names_in(path: str) -> list[str]:
    """The columns that the first line of a file names; none where it cannot be read."""
    small = path.lower()
    if not small.endswith((*_TABLES, *_RECORDS)):
        return []
    import csv  # for those who complete
    import json

    try:
        with open(path, "rb") as file:
            line = file.readline(LONGEST).decode("utf-8-sig").rstrip("\r\n")
        if small.endswith(_RECORDS):
            record = json.loads(line)
            return [name for name in record if name.isprintable()]
        mark = max("\t,;", key=line.count)
        found = next(csv.reader([line.removeprefix("# ")], delimiter=mark), [])
    except (OSError, ValueError, csv.Error, AttributeError, TypeError):
        return []
    return [name.strip() for name in found if name.strip().isprintable() and name.strip()]
