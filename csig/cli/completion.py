"""What a shell may complete: metrics, and the columns of the tables that stand in the command.

Nothing here reads more than the first line of a file, or imports what a comparison needs.
"""

from __future__ import annotations

import csv
import json
import os
import shlex

import click
from click.shell_completion import CompletionItem

from csig.base.defaults import METRICS

#: Bytes of a file that are looked at: a header that is longer has no columns to complete.
LONGEST = 2**16

#: Files that hold columns with names.
_TABLES = (".csv", ".tsv", ".tab", ".txt", ".conll")
_RECORDS = (".jsonl", ".ndjson")


def metrics(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of metrics, also behind a comma."""
    before, comma, own = incomplete.rpartition(",")
    return [CompletionItem(f"{before}{comma}{name}") for name in METRICS if name.startswith(own)]


def _words() -> list[str]:
    """The command so far: click forgets its files where an option still lacks a value."""
    given = os.environ.get("COMP_WORDS", "")
    try:
        return shlex.split(given)
    except ValueError:  # a quotation mark that is not closed yet
        return given.split()


def columns(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of columns in the tables of the command."""
    names = dict.fromkeys(name for word in _words() for name in names_in(word))
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def names_in(path: str) -> list[str]:
    """The columns that the first line of a file names; none where it cannot be read."""
    small = path.lower()
    if not small.endswith((*_TABLES, *_RECORDS)):
        return []
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
