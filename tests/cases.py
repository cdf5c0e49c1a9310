"""Cases for readers of tables: files and options, and what they mean or why they are refused."""

import shlex
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from commands import followed, options_of
from written import text_file

from csig.base.errors import InputError, Refusal
from csig.readers import Table, read_table

#: What keeps a comparison short, where it is enough that there is one.
QUICK = ("--method", "approximate", "--resamples", "99", "--seed", "1", "--interval", "none")

#: A text is the file t.csv; several files have names.
Files = str | bytes | Mapping[str, str | bytes]


def files_of(files: Files) -> list[str]:
    """The names of the files, which are written."""
    named = files if isinstance(files, Mapping) else {"t.csv": files}
    return [text_file(text, name) for name, text in named.items()]


def read(files: Files, **options: Any) -> Table:
    """The table that files are."""
    return read_table(*files_of(files), **options)


def plain(value: Any) -> Any:
    """Lists for arrays and columns, whatever they are inside."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return {name: plain(own) for name, own in value.items()}
    if isinstance(value, (str, tuple, int)) or value is None:
        return value
    return [*value]


def check(files: Files, options: Mapping[str, Any], **expected: Any) -> Table:
    """Files mean this: fields of a table; systems also by their names alone."""
    table = read(files, **options)
    for name, value in expected.items():
        own = plain(getattr(table, name))
        if name == "systems" and not isinstance(value, Mapping):
            own, value = list(own), [*value]
        assert own == value, f"{name}: {own!r}, expected {value!r}"
    return table


def ways(error: InputError) -> list[str]:
    """What the commands below a message add to the one that was given."""
    if not isinstance(error, Refusal):
        return []
    return [
        " ".join(filter(None, [own.verb and f"csig {own.verb}", shlex.join(own.options)]))
        for own in error.remedies
    ]


def refused(files: Files, *, most: int = 3, **options: Any) -> str:
    """The line that files are refused with, and below it options; each leads to a reading."""
    paths = files_of(files)
    with pytest.raises(InputError) as caught:
        read_table(*paths, **options)
    message, found = str(caught.value), ways(caught.value)
    assert "\n" not in message
    if found:
        assert followed("compare", *paths, *options_of(options), *QUICK, most=most)
    return "\n".join([message, *found])


def check_refused(
    files: Files, options: Mapping[str, Any], words: str, *expected: str, **more: int
) -> None:
    """Files are refused in these words; each of these options leads to a reading."""
    message, *found = refused(files, **options, **more).split("\n")
    assert words in message, message
    assert found == [*expected], f"{message}: {found}"
