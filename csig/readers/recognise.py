"""From the arguments of a command to data: recognise what the files hold, and read it."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from csig import readers
from csig.comparison import Comparison
from csig.data.conflicts import Span
from csig.errors import InputError
from csig.readers import (
    NotATableError,
    Table,
    TagFiles,
    looks_like_labels,
    looks_like_parquet,
    looks_like_records,
    looks_like_samples,
    looks_like_spans,
    looks_like_tables,
    looks_like_tag_column,
    looks_like_tags,
)
from csig.readers.data import CountsData, Data, ResponseData, TableData
from csig.readers.limits import check_systems
from csig.readers.lines import first_line
from csig.readers.request import TABLES, OptionError, Request, shown, stem
from csig.readers.source import Columns, Input, ResponseTable, TableInput
from csig.readers.statistics import looks_like_statistics, read_statistics
from csig.readers.tables.grids import header_of
from csig.readers.tables.sentences import are_tags
from csig.readers.tags.matching import MATCHES
from csig.readers.tags.roles import check_roles, looks_gold
from csig.wording import first_few

__all__ = ["read"]

Fields = list[tuple[str, ...]]


# ---- what the files hold ---------------------------------------------------------------------


def _check(request: Request) -> None:
    """Refuse what does not go together, before any file is read."""
    whole = [f"--{name}" for name in ("counts", "statistics") if getattr(request, name) is not None]
    if whole:
        option, given = whole[0], len(request.files)
        if given or len(whole) > 1:
            raise OptionError(
                f"{option} takes the place of GOLD A B, but {given} more "
                f"file{'s' * (given > 1)} came: {first_few(map(shown, request.files))}"
                if given
                else f"{option} does not go with {whole[1]}"
            )
        other = request.of_columns + request.of_responses + request.of_tags + request.of_tables
        other += request.given("field", "format")
        if option == "--counts":
            other += request.given("system")
        else:  # its columns are known by their names
            read_too = ("--a-column", "--b-column", "--quoting")
            other = [name for name in other if name not in read_too]
        if other:
            raise OptionError(f"{option} does not go with {other[0]}")
    elif not request.files:
        raise OptionError("files are needed: GOLD A B, or a table, or --counts FILE; found none")
    for option, name in (("--name-a", request.name_a), ("--name-b", request.name_b)):
        if name is not None and not name.strip():
            raise OptionError(f"{option} must not be empty")
    kinds = [
        ("responses", request.of_responses),
        ("tags", request.of_tags),
        ("spans", request.of_spans),
        ("tables of scores, counts or labels", [*request.of_tables, *request.of_records]),
    ]
    several = [(kind, options[0]) for kind, options in kinds if options]
    if len(several) > 1:
        (kind, option), (other_kind, other_option) = several[:2]
        raise OptionError(
            f"{option} is for {kind}, {other_option} is for {other_kind}: they do not go together"
        )
    if several and request.format != "auto":
        kind, option = several[0]
        fits = kind == request.format or (kind.startswith("tables") and request.format in TABLES)
        if not fits:
            raise OptionError(f"{option} is for {kind} and not for --format {request.format}")


def _kind(request: Request) -> str:
    """What is to be read: "counts file", one of ``--format``, or "table"."""
    if request.counts is not None:
        return "counts file"
    if request.statistics is not None:
        return "statistics"
    if request.format != "auto":
        return "table" if request.format in TABLES else request.format
    files = request.files
    for kind, options in (
        ("responses", request.of_responses),
        ("tags", request.of_tags),
        ("spans", request.of_spans),
        ("table", [*request.of_tables, *request.of_records]),
    ):
        if options == ["--quoting"] and len(files) == 1 and looks_like_statistics(files[0]):
            return "statistics"
        if options:
            return kind
    if os.path.isdir(files[0]) or files[0].removesuffix(".gz").endswith(".ann"):
        return "spans"
    if looks_like_samples(files[0]) or (len(files) > 1 and looks_like_parquet(files[0])):
        return "table"
    if len(files) > 1 and looks_like_spans(files[0]):
        return "spans"
    if looks_like_records(files[0]):
        return "table"
    if request.gold_column is not None:
        return "tags" if looks_like_tag_column(files[0], request.gold_column) else "table"
    if len(files) == 1:
        return "statistics" if looks_like_statistics(files[0]) else "table"
    tagged = [looks_like_tags(path) for path in files]
    if all(tagged):
        return "tags"
    if len(files) >= 3 and not any(tagged) and looks_like_labels(files):
        return "table"
    if len(files) != 3:
        return "table"
    if any(tagged):
        yes, no = (
            next(path for path, tags in zip(files, tagged, strict=True) if tags is kind)
            for kind in (True, False)
        )
        raise InputError(
            f"{yes} looks like tokens with tags, {no} does not; give three files of the same "
            f"form, or say which with --format tags or --format responses"
        )
    return "table" if looks_like_tables(files) else "responses"


# ---- names -----------------------------------------------------------------------------------


def _names(request: Request, systems: Sequence[str]) -> tuple[str, ...]:
    """What the systems are called in the output, made different."""
    given = (request.name_a, request.name_b)
    names = [shown(name) for name in systems]
    if len(names) == 2:
        names = [
            shown(name if new is None else new) for new, name in zip(given, names, strict=True)
        ]
        if names[0] == names[1]:
            return f"A ({names[0]})", f"B ({names[1]})"
    elif given != (None, None):
        raise OptionError("--name-a and --name-b are for two systems")
    for i, name in enumerate(names):
        if name in names[:i]:
            names[i] = f"{name} ({names[:i].count(name) + 1})"
    return tuple(names)


def _same_files(files: Sequence[str]) -> list[str]:
    """A note where a file came twice."""
    letters = "AB" if len(files) == 2 else ""
    for i, path in enumerate(files):
        for j, other in enumerate(files[:i]):
            if path == other or (
                os.path.exists(path) and os.path.exists(other) and os.path.samefile(path, other)
            ):
                if letters:
                    return [f"{letters[j]} and {letters[i]} are the same file."]
                return [f"{shown(other)} and {shown(path)} are the same file."]
    return []


def _gold_and_systems(request: Request, kind: str) -> tuple[str, tuple[str, ...]]:
    """The gold's file, and the systems'."""
    gold, *systems = request.files
    if len(systems) < 1:
        raise OptionError(f"{kind} need a file for the gold and one for every system: GOLD A B")
    check_systems(gold, len(systems))
    check_roles((gold, None), [(path, None) for path in systems])
    return gold, tuple(systems)


def _files(gold: str, systems: Sequence[str]) -> dict[str, str]:
    if len(systems) != 2:
        return {"gold": shown(gold)}
    return dict(zip(("gold", "a", "b"), map(shown, (gold, *systems)), strict=True))


# ---- counts ----------------------------------------------------------------------------------


def _read_counts(request: Request, path: str) -> Data:
    found = readers.read_counts(path)
    counts: dict[str, Any] = dict(found.counts)
    names = _names(request, (found.name_a or "A", found.name_b or "B"))
    try:
        comparison = Comparison.from_counts(**counts, names=(names[0], names[1]))
    except InputError as error:  # the file is only known here
        raise InputError(f"{path}: {error}") from None
    return CountsData(Input("counts", {"counts": shown(path)}), names, comparison)


# ---- tags ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _TagColumns:
    """Where the tags of the gold and of the systems are, and what is said of these files."""

    gold: Any
    systems: list[Any]
    names: tuple[str, ...]
    notes: list[str]
    source: dict[str, Any]


def _of_one_file(request: Request) -> _TagColumns:
    """The tags of all as columns of one file."""
    (file,), columns = request.files, request.columns
    if request.match is not None:
        raise OptionError("--match is for several files: the columns of one share tokens")
    if request.gold_column is None or not columns:
        raise OptionError(
            "one file with tags needs --gold-column and the systems' columns, with "
            "--a-column and --b-column or with --system"
        )
    source: dict[str, Any] = {"files": {"columns": shown(file)}}
    if len(columns) == 2:
        source["columns"] = Columns(request.gold_column, *columns, request.sentence_column)
    return _TagColumns(
        (file, request.gold_column),
        [(file, name) for name in columns],
        _names(request, columns),
        ["A and B are the same column."] if len({*columns}) < len(columns) else [],
        source,
    )


def _of_several_files(request: Request) -> _TagColumns:
    """The tags of each in a file of its own."""
    columns = request.columns
    first, others = _gold_and_systems(request, "tags")
    if columns and len(columns) != len(others):
        raise OptionError(
            f"with several files a column is needed for each: found {len(columns)} for "
            f"{len(others)} systems"
        )
    if bool(columns) != (request.gold_column is not None):
        raise OptionError("with several files name the gold's column and the systems'")
    return _TagColumns(
        first if request.gold_column is None else (first, request.gold_column),
        list(zip(others, columns, strict=True)) if columns else list(others),
        _names(request, list(map(stem, others))),
        _same_files(others) if not columns else [],
        {"files": _files(first, others)},
    )


def _read_tags(request: Request) -> Data:
    given = _of_one_file(request) if len(request.files) == 1 else _of_several_files(request)
    tags = readers.read_tags(
        given.gold,
        *given.systems,
        rules=request.rules or "conlleval",
        scheme=request.scheme,
        sentence=request.sentence_column,
        document=request.document_column,
        documents=request.document_file,
        match=request.match or MATCHES[0],
    )
    source = given.source | {
        "n_sentences": tags.n_sentences,
        "n_tokens": tags.n_tokens,
        "systems": tuple(shown(s[0] if isinstance(s, tuple) else s) for s in given.systems),
        "rules": request.rules or "conlleval",
        "scheme": request.scheme,
        "cautions": tags.cautions,
        "notes": (*given.notes, *tags.notes),
    }
    if tags.labels:
        return _plain_labels(tags, Input("labels", **source), given.names, request.positive)
    clusters: Mapping[Hashable, Hashable] | None = None
    if tags.documents is not None:
        source["n_documents"] = len(set(tags.documents))
        clusters = dict(enumerate(tags.documents))
    by_sentence = tags.by("sentence")
    table = ResponseTable(
        by_sentence[0],
        dict(zip(given.names, by_sentence[1:], strict=True)),
        clusters,
        "sentence",
        None if clusters is None else "document",
        spans=True,
    )
    return ResponseData(Input("tags", **source), given.names, table)


def _plain_labels(
    tags: TagFiles, source: Input, names: tuple[str, ...], positive: str | None
) -> Data:
    """Labels of tokens that are no entities: sentences, or documents, are their clusters."""
    sentences = tags.token_sentences.tolist()
    documents = tags.documents
    name = "sentence" if documents is None else "document"
    table = Table(
        "labels",
        ("label",),
        dict(zip(names, tags.labels[1:], strict=True)),
        gold=tags.labels[0],
        clusters=[str(i) if documents is None else documents[i] for i in sentences],
        cluster_column=name,
    )
    return TableData(source, names, table, positive, units_are="token")


# ---- spans and responses ---------------------------------------------------------------------


def _unknown_documents(
    gold: Mapping[Hashable, Sequence[Hashable]],
    systems: Mapping[str, Mapping[Hashable, Sequence[Hashable]]],
) -> tuple[str, ...]:
    """Documents of a system that the gold does not have: perhaps ids that are misspelt."""
    known = {key for key, right in gold.items() if right}
    found = []
    for name, own in systems.items():
        unknown = [key for key, said in own.items() if said and key not in known]
        if unknown and known:
            found.append(
                f"{name} has responses in documents that the gold does not have: "
                f"{first_few(unknown, 3)}. They count as spurious; are the ids right?"
            )
    return tuple(found)


def _read_spans(request: Request) -> Data:
    gold, systems = _gold_and_systems(request, "spans")
    missing = request.allow_missing is not None
    found: list[Any] = readers.read_span_files(
        gold, *systems, fields=request.fields, allow_missing=missing
    )
    names = _names(request, list(map(stem, systems)))
    by_name = dict(zip(names, found[1:], strict=True))
    source = Input(
        "spans",
        _files(gold, systems),
        systems=tuple(map(shown, systems)),
        n_documents=len(found[0]),
        notes=tuple(_same_files(systems)),
        cautions=_silent_documents(found[0], by_name),
    )
    return ResponseData(
        source, names, ResponseTable(found[0], by_name, key_name="document", spans=True)
    )


def _silent_documents(
    gold: Mapping[Hashable, Sequence[Hashable]],
    systems: Mapping[str, Mapping[Hashable, Sequence[Hashable]]],
) -> tuple[str, ...]:
    """Systems that have nothing in half of the documents in which the gold has something."""
    wanted = [key for key, right in gold.items() if right]
    found = []
    for name, own in systems.items():
        silent = [key for key in wanted if not own[key]]
        if len(wanted) > 1 and 2 * len(silent) >= len(wanted):
            found.append(
                f"{name} has no responses in {len(silent):,} of the {len(wanted):,} documents in "
                f"which the gold has some: {first_few(silent)}. Is the file complete?"
            )
    return tuple(found)


def _check_widths(paths: Sequence[str], responses: Sequence[Fields]) -> None:
    """Refuse files whose lines have different numbers of fields: nothing could agree."""
    widths = {path: len(own[0]) for path, own in zip(paths, responses, strict=True) if own}
    if len(set(widths.values())) > 1:
        found = ", ".join(f"{shown(path)} {width}" for path, width in widths.items())
        raise InputError(f"the files differ in the number of fields a line: {found}")


def _spans(path: str, responses: Fields, documents: bool) -> list[Hashable]:
    """Fields start, end (not included) and label, after the document id if there is one."""
    spans: list[Hashable] = []
    for response in responses:
        document, fields = (response[0], response[1:]) if documents else ("", response)
        # int() refuses more than 4300 digits, and no text is that long.
        if len(fields) != 3 or not all(f.isdecimal() and len(f) < 20 for f in fields[:2]):
            raise InputError(
                f"{path}: with --spans a response is {'document, ' if documents else ''}start, "
                f"end, label with whole numbers, found {' | '.join(response)!r}"
            )
        start, end = int(fields[0]), int(fields[1])
        if start >= end:
            raise InputError(
                f"{path}: with --spans a start lies before its end, found {' | '.join(response)!r}"
            )
        spans.append(Span(document, start, end, fields[2]))
    return spans


def _read_responses(request: Request) -> Data:
    gold, systems = _gold_and_systems(request, "responses")
    paths = (gold, *systems)
    lines = [readers.read_responses(path, documents=request.documents) for path in paths]
    _check_widths(paths, lines)
    claims: list[list[Hashable]] = [list(own) for own in lines]
    if request.spans:
        claims = [
            _spans(path, own, request.documents) for path, own in zip(paths, lines, strict=True)
        ]
    key_name = "document" if request.documents else None
    everybody: list[dict[Hashable, list[Hashable]]] = [{None: own} for own in claims]
    if request.documents:
        keys = dict.fromkeys(line[0] for own in lines for line in own)
        everybody = [{key: [] for key in keys} for _ in paths]
        for by_key, own, claimed in zip(everybody, lines, claims, strict=True):
            for line, response in zip(own, claimed, strict=True):
                by_key[line[0]].append(response)
    names = _names(request, list(map(stem, systems)))
    by_name = dict(zip(names, everybody[1:], strict=True))
    source = Input(
        "responses",
        _files(gold, systems),
        documents=request.documents,
        systems=tuple(map(shown, systems)),
        n_documents=len(everybody[0]) if request.documents else None,
        notes=tuple(_same_files(systems)),
        cautions=_unknown_documents(everybody[0], by_name) if request.documents else (),
    )
    return ResponseData(
        source,
        names,
        ResponseTable(everybody[0], by_name, key_name=key_name, spans=request.spans),
    )


# ---- tables ----------------------------------------------------------------------------------


def _read_table(request: Request, metrics: Sequence[str]) -> Table:
    samples = request.format == "lm-eval"
    if request.format == "auto":
        samples = looks_like_samples(request.files[0])
    if not samples and request.filter is not None:
        raise OptionError("--filter is for samples of lm-evaluation-harness")
    names = tuple(dict.fromkeys(request.columns))
    if samples:
        other = request.given("id", "cluster", "gold_column", "positive", "ignore", "quoting")
        other += request.given("decimal", "header", "field")
        if other:
            raise OptionError(f"{other[0]} does not go with samples of a harness")
        if len(metrics) > 1:
            raise OptionError("--metric: one at a time for samples of a harness")
        return readers.read_samples(
            request.files,
            metric=metrics[0] if metrics else None,
            filter=request.filter,
            systems=names,
            allow_missing=request.allow_missing is not None,
        )
    options: dict[str, Any] = {
        "format": None if request.format == "auto" else request.format,
        "id": request.id,
        "cluster": request.cluster,
        "gold": request.gold_column,
        "systems": names,
        "allow_missing": request.allow_missing is not None,
        "ignore": request.ignore,
        "quoting": request.quoting,
        "decimal": request.decimal,
        "header": request.header,
        "fields": request.fields,
    }
    if _has_label_lines(request):
        other = request.given("quoting", "decimal", "header", "field")
        if other:
            raise OptionError(f"{other[0]} does not go with labels, one a line")
        right, others = _gold_and_systems(request, "labels, one a line,")
        return readers.read_labels(right, *others, allow_missing=options["allow_missing"])
    if len(request.files) == 1:
        table = readers.read_table(request.files[0], **options)
        gold = table.gold_column
        if request.format == "auto" and request.gold_column is None and gold is not None:
            _refuse_tags(request.files[0], gold, table)
        return table
    return readers.read_tables(request.files, **options, metrics=metrics)


def _has_label_lines(request: Request) -> bool:
    """Whether the files have one label a line; asked for, or because nothing else fits."""
    files = request.files
    if len(files) < 2 or request.gold_column is not None:
        return False
    if request.format == "labels" or (request.format == "auto" and request.positive is not None):
        return all(len(header_of(path)) <= 1 for path in files)
    return request.format == "auto" and len(files) >= 3 and looks_like_labels(files)


def _refuse_tags(path: str, gold: str, table: Table) -> None:
    """The accuracy of single tokens is not what is wanted of tags."""
    found = f"{path}: column {gold!r} looks like tags of tokens"
    if looks_like_tag_column(path, gold) or (
        are_tags(table.gold or ()) and "\t" in first_line(path)
    ):
        raise InputError(
            f"{found}; name the columns with --gold-column, --a-column and --b-column, or say "
            f"--format labels"
        )
    if are_tags(table.gold or ()):
        raise InputError(
            f"{found}, which are read from columns separated by tabs or spaces; or say --format "
            f"labels for the accuracy of single tokens"
        )


def _labels_or_scores(request: Request, table: Table) -> tuple[str, ...]:
    """Several files of whole numbers, one a line, may as well be the gold's labels and systems'."""
    files = request.files
    if request.format != "auto" or table.format != "scores" or len(files) < 3:
        return ()
    if table.ids is not None or any(len(header_of(path)) > 1 for path in files):
        return ()
    gold = next((path for path in files if looks_gold((path, None))), None)
    if gold is not None:
        raise InputError(
            f"{gold}: found a gold among files with one number a line, of which each is a system; "
            f"if they have labels, say --format labels, if scores --format scores"
        )
    values = [np.asarray(own) for own in table.systems.values()]
    if any(own.dtype.kind != "i" or 2 * len(np.unique(own)) > len(own) for own in values):
        return ()
    return (
        f"{len(files)} files of few whole numbers were read as scores, each of a system. Are they "
        f"labels, the first file the gold? Then say --format labels, else --format scores.",
    )


def _different_items(table: Table) -> tuple[str, ...]:
    """Counts that say the systems were asked different things; another gold is refused."""
    if table.format != "counts" or "items" not in table.columns:
        return ()
    column = table.columns.index("items")
    items = {name: values[:, column] for name, values in table.systems.items()}  # type: ignore[call-overload]
    (first, base), *others = items.items()
    return tuple(
        f"{shown(name)} and {shown(first)} differ in items in {count} of "
        f"{table.n_units} units. Is it the same test data?"
        for name, own in others
        if (count := int((own != base).sum()))
    )


def _of_table(request: Request, table: Table, files: Sequence[str]) -> Data:
    """The data of a table, with the systems that were asked for."""
    chosen = request.columns
    systems = list(chosen or table.systems)
    if len(files) == 1 and request.statistics is None:  # columns may be given by their number
        called = dict(zip(dict.fromkeys(chosen), table.systems, strict=False))
        systems = [called.get(name, name) for name in systems]
    missing = [name for name in systems if name not in table.systems]
    if missing:
        raise InputError(
            f"{first_few(map(shown, files))}: no system {first_few(missing)}; there are "
            f"{first_few(table.systems, 12)}"
        )
    names = _names(request, systems)
    if table.format == "labels" and table.gold_column is not None and len(files) == 1:
        columns = [(files[0], name) for name in systems]
        check_roles((files[0], table.gold_column), columns)
    notes = [*_same_files(files), *table.notes]
    if len(systems) == 2 and systems[0] == systems[1]:
        notes.append("A and B are the same column.")
    unused = [name for name in table.others if name not in (request.by, *request.ignore)]
    if unused and not chosen and request.statistics is None:
        notes.append(f"Columns that were not used: {', '.join(map(repr, unused))}.")
    if request.positive is not None and table.format != "labels":
        raise OptionError("--positive is for tables of labels")
    source = Input(
        table.format,
        {},
        table=TableInput(
            tuple(map(shown, files)),
            tuple(map(shown, systems)),
            table.n_units,
            None if table.clusters is None else len(set(table.clusters)),
            table.id_column,
            table.cluster_column,
            table.gold_column,
        ),
        notes=tuple(notes),
        cautions=(*table.cautions, *_different_items(table)),
    )
    # A column may be asked for twice, as A and as B.
    return TableData(source, names, table, request.positive, table.units_are, order=tuple(systems))


def _read_tables(request: Request, metrics: Sequence[str]) -> Data:
    try:
        table = _read_table(request, metrics)
    except NotATableError as error:
        if request.format != "auto":
            raise
        hint = (
            "responses and tags need three files, GOLD A B, or one with --gold-column, --a-column "
            "and --b-column"
        )
        if len(request.files) > 3:
            hint = "responses of more than two systems need --format responses"
        if request.of_tables:
            hint = f"{request.of_tables[0]} is for tables of units"
        raise InputError(f"{error}; {hint}") from None
    doubts = _labels_or_scores(request, table)
    if doubts:
        table = replace(table, cautions=(*table.cautions, *doubts))
    return _of_table(request, table, request.files)


def _read_statistics(request: Request, path: str) -> Data:
    found = read_statistics(path, quoting=request.quoting)  # type: ignore[arg-type]
    if isinstance(found, Table):
        return _of_table(request, found, (path,))
    systems = list(request.columns or found.systems)
    missing = [name for name in systems if name not in found.systems]
    if missing:
        raise InputError(
            f"{path}: no system {first_few(missing)}; there are {first_few(found.systems, 12)}"
        )
    names = _names(request, systems)
    notes = ["A and B are the same column."] if len({*systems}) < len(systems) else []
    table = ResponseTable(
        found.gold,
        {name: found.systems[own] for name, own in zip(names, systems, strict=True)},
        found.clusters,
        found.key_name,
        found.cluster_name,
        found.spans,
    )
    count = None
    if "document" in (found.key_name, found.cluster_name):
        count = len(set(found.clusters.values() if found.clusters is not None else found.gold))
    source = Input(
        "statistics",
        {"statistics": shown(path)},
        systems=tuple(map(shown, systems)),
        n_sentences=len(found.gold) if found.key_name == "sentence" else None,
        n_documents=count,
        notes=tuple(notes),
    )
    return ResponseData(source, names, table)


# ---- all of them -----------------------------------------------------------------------------


def read(request: Request, metrics: Sequence[str] = ()) -> Data:
    """What the arguments of a command name.

    Parameters
    ----------
    request : Request
        What to read.
    metrics : sequence of str
        Those that were asked for; samples of a harness are read for one.

    Raises
    ------
    OptionError
        If the arguments do not go together.
    InputError
        If a file cannot be used.
    """
    _check(request)
    kind = _kind(request)
    if request.allow_missing is not None and kind not in ("table", "spans"):
        raise OptionError(f"--allow-missing is for tables and spans, not for {kind}")
    if request.counts is not None:
        return _read_counts(request, request.counts)
    if kind == "statistics":
        if request.statistics is None and len(request.files) != 1:
            raise OptionError("--format statistics is for one file")
        return _read_statistics(request, request.statistics or request.files[0])
    if kind == "table":
        return _read_tables(request, metrics)
    other = request.given("system") if kind != "tags" else []
    if kind != "tags":
        other += request.of_columns
    if other:
        raise OptionError(f"{other[0]} does not go with {kind}: every system has a file")
    if kind == "tags":
        return _read_tags(request)
    return _read_spans(request) if kind == "spans" else _read_responses(request)
