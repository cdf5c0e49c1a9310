"""From the arguments of ``csig compare`` to a comparison."""

from __future__ import annotations

import os
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from csig.comparison import Comparison
from csig.conflicts import Span
from csig.errors import InputError, first_few
from csig.report.summary import Columns, Input

if TYPE_CHECKING:
    from csig.readers import TagFiles

__all__ = ["UNITS", "Request", "read", "shown"]

_ROLES = ("gold", "a", "b")

#: What --unit takes; which of them there are depends on the input.
UNITS = ("response", "conflict", "sentence", "document", "unit", "cluster")

Responses = list[tuple[str, ...]]


@dataclass(frozen=True)
class Request:
    """The options of ``csig compare`` that say what to read."""

    files: Sequence[str]
    counts: str | None
    format: str
    documents: bool
    spans: bool
    gold_column: str | None
    a_column: str | None
    b_column: str | None
    sentence_column: str | None
    name_a: str | None
    name_b: str | None
    unit: str | None = None
    systems: tuple[str, ...] = ()
    id_column: str | None = None
    cluster: str | None = None
    filter: str | None = None
    allow_missing: bool = False

    @property
    def columns(self) -> dict[str, str | None]:
        """The columns of the gold and of the systems, by the option that gives them."""
        return {
            "--gold-column": self.gold_column,
            "--a-column": self.a_column,
            "--b-column": self.b_column,
        }

    @property
    def with_columns(self) -> bool:
        """Whether one file with columns is meant."""
        return self.sentence_column is not None or any(
            column is not None for column in self.columns.values()
        )

    @property
    def of_tables(self) -> list[str]:
        """The options that were given and are for tables of units only."""
        given = {
            "--system": self.systems,
            "--id": self.id_column,
            "--cluster": self.cluster,
            "--filter": self.filter,
            "--allow-missing": self.allow_missing,
        }
        return [option for option, value in given.items() if value not in (None, (), False)]

    @property
    def of_responses(self) -> bool:
        """Whether an option says what the fields of responses are."""
        return self.documents or self.spans

    @property
    def paths(self) -> list[str]:
        """All files that are read."""
        return [*self.files, *([] if self.counts is None else [self.counts])]


def shown(path: str) -> str:
    """A path as text that every encoding and JSON can hold."""
    return path.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def _stem(path: str) -> str:
    return Path(shown(path)).stem or shown(path)


def _names(request: Request, default_a: str, default_b: str) -> tuple[str, str]:
    """The systems' names, made different."""
    for option, name in (("--name-a", request.name_a), ("--name-b", request.name_b)):
        if name is not None and not name.strip():
            raise click.UsageError(f"{option} must not be empty")
    a, b = (
        shown(default if name is None else name)
        for name, default in ((request.name_a, default_a), (request.name_b, default_b))
    )
    return (f"A ({a})", f"B ({b})") if a == b else (a, b)


def _check(request: Request) -> None:
    """Refuse what does not go together, before any file is read."""
    given = len(request.files)
    if request.of_tables:
        raise click.UsageError(
            f"{request.of_tables[0]} is for tables of scores, counts or labels, not for counts, "
            f"responses or tags"
        )
    if request.counts is not None:
        if given:
            raise click.UsageError(
                f"--counts takes the place of GOLD A B, but {given} more "
                f"file{'s' * (given > 1)} came: {first_few(map(shown, request.files))}"
            )
        if request.with_columns or request.of_responses or request.format != "auto":
            raise click.UsageError(
                "--counts does not go with --format, --documents, --spans or the names of columns"
            )
    elif request.with_columns:
        missing = [option for option, column in request.columns.items() if column is None]
        if missing:
            raise click.UsageError(
                f"one file with columns needs --gold-column, --a-column and --b-column; "
                f"missing: {', '.join(missing)}"
            )
        if given != 1:
            raise click.UsageError(f"with named columns exactly one FILE is needed, found {given}")
        if request.of_responses or request.format == "responses":
            raise click.UsageError(
                "columns of tags do not go with --documents, --spans or --format responses"
            )
    elif given != 3:
        hint = "; for one file with columns name them with --gold-column and so on"
        raise click.UsageError(
            f"three files are needed, GOLD A B, or --counts FILE; found {given}"
            + (f": {first_few(map(shown, request.files))}" if given else "")
            + (hint if given == 1 else "")
        )
    elif request.of_responses and request.format == "tags":
        raise click.UsageError(
            "--documents and --spans are for responses and do not go with --format tags"
        )
    if request.counts is not None:
        _check_unit(request, "counts")
    elif request.with_columns or request.format == "tags":
        _check_unit(request, "tags")
    elif request.of_responses or request.format == "responses":
        _check_unit(request, "responses")


def _check_unit(request: Request, kind: str) -> None:
    """Refuse units that this kind of input does not have."""
    possible, more = ["response"], ""
    if kind == "tags":
        possible += ["conflict", "sentence", "document"]
    elif kind == "responses":
        possible += ["conflict"] * request.spans + ["document"] * request.documents
        lacking = [("conflict", "--spans")] * (not request.spans)
        lacking += [("document", "--documents")] * (not request.documents)
        more = "".join(f", {unit} with {option}" for unit, option in lacking)
    if request.unit not in possible:
        raise click.UsageError(
            f"--unit {request.unit} is not possible with {kind}, only {', '.join(possible)}{more}"
        )


def _compare(
    request: Request,
    responses: Sequence[Sequence[Span | tuple[str, ...]]],
    names: tuple[str, str],
) -> Comparison:
    """The comparison at the unit asked for; the first field of a response is its document."""
    assert request.unit is not None  # `read` has set it
    if request.unit != "document":
        return Comparison.from_responses(*responses, unit=request.unit, names=names)
    keys = dict.fromkeys(response[0] for own in responses for response in own)
    by_key: list[dict[Hashable, list[Hashable]]] = []
    for own in responses:
        by_key.append({key: [] for key in keys})
        for response in own:
            by_key[-1][response[0]].append(response)
    comparison = Comparison.from_responses(*by_key, unit="key", names=names)
    return replace(comparison, unit=request.unit)


def _compare_tags(request: Request, tags: TagFiles, names: tuple[str, str]) -> Comparison:
    """The comparison at the unit asked for."""
    assert request.unit is not None  # `read` has set it
    if request.unit in ("sentence", "document"):
        comparison = Comparison.from_responses(*tags.by(request.unit), unit="key", names=names)
        return replace(comparison, unit=request.unit)
    return Comparison.from_responses(tags.gold, tags.a, tags.b, unit=request.unit, names=names)


# ---- counts ------------------------------------------------------------------------------


def _read_counts(request: Request, path: str) -> tuple[Comparison, Input]:
    from csig.readers import read_counts

    found = read_counts(path)
    counts: dict[str, Any] = dict(found.counts)
    names = _names(request, found.name_a or "A", found.name_b or "B")
    try:
        comparison = Comparison.from_counts(**counts, names=names)
    except InputError as error:  # the file is only known here
        raise InputError(f"{path}: {error}") from None
    return comparison, Input("counts", {"counts": shown(path)})


# ---- one file with columns ---------------------------------------------------------------


def _read_columns(
    request: Request, gold: str, a: str, b: str, sentence: str | None
) -> tuple[Comparison, Input]:
    from csig.readers import read_tag_columns

    path = request.files[0]
    tags = read_tag_columns(path, gold, a, b, sentence=sentence)
    names = _names(request, a, b)
    notes = ("A and B are the same column.",) if a == b else ()
    comparison = _compare_tags(request, tags, names)
    return comparison, Input(
        "tags",
        {"columns": shown(path)},
        columns=Columns(gold, a, b, sentence),
        n_sentences=tags.n_sentences,
        n_tokens=tags.n_tokens,
        notes=notes,
    )


# ---- three files -------------------------------------------------------------------------


def _recognise(request: Request) -> str:
    """Whether the files hold tags or responses."""
    if request.format != "auto":
        return request.format
    if request.of_responses:
        return "responses"
    from csig.readers import looks_like_tags

    tagged = [looks_like_tags(path) for path in request.files]
    if any(tagged) and not all(tagged):
        yes, no = (
            next(path for path, tags in zip(request.files, tagged, strict=True) if tags is kind)
            for kind in (True, False)
        )
        raise InputError(
            f"{yes} looks like tokens with tags, {no} does not; give three files of the same "
            f"form, or say which with --format tags or --format responses"
        )
    return "tags" if all(tagged) else "responses"


def _unknown_documents(
    responses: Sequence[Sequence[tuple[str, ...]]], names: Sequence[str]
) -> tuple[str, ...]:
    """Documents of a system that the gold does not have: perhaps ids that are misspelt."""
    known = {response[0] for response in responses[0]}
    found = []
    for name, own in zip(names, responses[1:], strict=True):
        unknown = list(dict.fromkeys(r[0] for r in own if r[0] not in known))
        if unknown and known:
            found.append(
                f"{name} has responses in documents that the gold does not have: "
                f"{first_few(unknown, 3)}. They count as spurious; are the ids right?"
            )
    return tuple(found)


def _check_widths(paths: Sequence[str], responses: Sequence[Responses]) -> None:
    """Refuse files whose lines have different numbers of fields: nothing could agree."""
    widths = {path: len(own[0]) for path, own in zip(paths, responses, strict=True) if own}
    if len(set(widths.values())) > 1:
        found = ", ".join(f"{shown(path)} {width}" for path, width in widths.items())
        raise InputError(f"the files differ in the number of fields a line: {found}")


def _spans(path: str, responses: Responses, documents: bool) -> list[Span]:
    """Fields start, end (not included) and label, after the document id if there is one."""
    spans = []
    for response in responses:
        document, fields = (response[0], response[1:]) if documents else ("", response)
        if len(fields) != 3 or not (fields[0].isdecimal() and fields[1].isdecimal()):
            raise InputError(
                f"{path}: with --spans a response is {'document, ' if documents else ''}start, "
                f"end, label with whole numbers, found {' | '.join(response)!r}"
            )
        spans.append(Span(document, int(fields[0]), int(fields[1]), fields[2]))
    return spans


def _read_files(request: Request) -> tuple[Comparison, Input]:
    gold, a, b = request.files
    names = _names(request, _stem(a), _stem(b))
    notes = []
    if os.path.exists(a) and os.path.exists(b) and os.path.samefile(a, b):
        notes.append("A and B are the same file.")
    files = dict(zip(_ROLES, map(shown, request.files), strict=True))
    kind = _recognise(request)
    _check_unit(request, kind)
    if kind == "tags":
        from csig.readers import read_tag_files

        tags = read_tag_files(gold, a, b)
        comparison = _compare_tags(request, tags, names)
        return comparison, Input(
            "tags",
            files,
            n_sentences=tags.n_sentences,
            n_tokens=tags.n_tokens,
            notes=tuple(notes),
        )
    from csig.readers import read_responses

    responses = [read_responses(path, documents=request.documents) for path in request.files]
    _check_widths(request.files, responses)
    claims: Sequence[Sequence[Span | tuple[str, ...]]] = responses
    if request.spans:
        claims = [
            _spans(path, own, request.documents)
            for path, own in zip(request.files, responses, strict=True)
        ]
    comparison = _compare(request, claims, names)
    cautions = _unknown_documents(responses, names) if request.documents else ()
    return comparison, Input(
        "responses",
        files,
        documents=request.documents,
        notes=tuple(notes),
        cautions=cautions,
    )


def read(request: Request) -> tuple[Comparison, Input]:
    """The comparison that was asked for, and what it was read from.

    Raises
    ------
    click.UsageError
        If the arguments do not go together.
    InputError
        If a file cannot be used.
    """
    request = replace(request, unit=request.unit or "response")
    _check(request)
    if request.counts is not None:
        return _read_counts(request, request.counts)
    gold, a, b = request.columns.values()
    if gold is not None and a is not None and b is not None:
        return _read_columns(request, gold, a, b, request.sentence_column)
    return _read_files(request)
