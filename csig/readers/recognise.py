"""From what was asked for to data: which format the files have, and what they hold."""

from __future__ import annotations

from collections.abc import Sequence

from csig.readers.base import Reader
from csig.readers.counts import CountsReader
from csig.readers.data import Data
from csig.readers.registry import FORMATS, kinds, readers
from csig.readers.request import COLUMNS, OptionError, Request, shown
from csig.wording import first_few, perhaps

__all__ = ["read", "reader_of"]


def _claims(request: Request) -> list[tuple[str, list[str]]]:
    """What the given options are for, and which these are; those that are for all, for none."""
    given = {reader.kind: reader.given(request) for reader in readers()}
    return [(kind, given[kind]) for kind in kinds() if given[kind]]


def _check_whole(request: Request) -> None:
    """Refuse what does not go with a file that stands for all, if there is one."""
    whole = [option for option in ("counts", "statistics") if getattr(request, option) is not None]
    if not whole:
        if not request.files:
            raise OptionError("no input files: give GOLD A B, one table, or --counts FILE")
        return
    option, more = f"--{whole[0]}", len(request.files)
    if more:
        raise OptionError(
            f"{option} replaces GOLD A B, but {more} more file{'s' * (more > 1)} "
            f"{'were' if more > 1 else 'was'} given: {first_few(map(shown, request.files))}"
        )
    if len(whole) > 1:
        raise OptionError(f"{option} does not go with --{whole[1]}")
    taken = _first(readers(), request).takes(request)
    other = request.given(*COLUMNS)
    other += [name for _, options in _claims(request) for name in options]
    other += request.given("format", "system")
    other = [name for name in other if name not in taken]
    if other:
        raise OptionError(f"{option} does not go with {other[0]}")


def _first(some: Sequence[Reader], request: Request) -> Reader:
    """The first of some readers that knows the files, or the last of all."""
    return next((own for own in some[:-1] if own.sniff(request)), some[-1])


def reader_of(request: Request) -> Reader:
    """The reader of what is to be read: by its options, by ``--format``, by the files.

    Raises
    ------
    OptionError
        If the options do not go together.
    InputError
        If a file cannot be read, or could be of two formats.
    """
    for option, name in (("--name-a", request.name_a), ("--name-b", request.name_b)):
        if name is not None and not name.strip():
            raise OptionError(f"{option} must not be empty")
    counts = CountsReader()
    if request.counts is not None and request == counts.alone(request):
        return counts  # at once: nothing here could be for others
    _check_whole(request)
    claims = _claims(request)
    if len(claims) > 1:
        (kind, (option, *_)), (other, (other_option, *_)), *_ = claims
        raise OptionError(
            f"{option} is for {kind}, {other_option} is for {other}: they cannot be combined"
        )
    found = [own for own in readers() if request.format in ("auto", *own.formats)]
    if not found:
        raise OptionError(
            f"--format: found {request.format!r}{perhaps(request.format, FORMATS)}, expected auto, "
            f"{', '.join(FORMATS)}"
        )
    for kind, options in claims:
        found = [own for own in found if {*options} <= {*own.takes(request)}]
        if not found:
            raise OptionError(f"{options[0]} is for {kind} and not for --format {request.format}")
    return _first(found, request)


def read(request: Request, metrics: Sequence[str] = ()) -> Data:
    """What the files hold that were asked for.

    Parameters
    ----------
    request : Request
        What to read.
    metrics : sequence of str
        Those that were asked for; samples of a harness are read for one.

    Raises
    ------
    OptionError
        If the options do not go together.
    InputError
        If a file cannot be used.
    """
    reader = reader_of(request)
    if request.allow_missing is not None and "allow_missing" not in reader.shared:
        raise OptionError(f"--allow-missing is for tables and spans, not for {reader.name}")
    return reader.read(request, metrics)
