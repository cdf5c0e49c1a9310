"""What old records of audits were made from: the ways in which their files may have been read.

Records of versions 1 to 3 say what was asked for, not what csig found in the files by the rules of
its time. Their comparison has a digest, so that the right way is known when it is met: here are the
ways to try, all of them declared, so that no rule of today takes part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from csig.base.errors import InputError
from csig.readers.lines import stem
from csig.readers.request import Request, shown
from csig.readers.tables.files import read_sheet
from csig.readers.tables.names import (
    CLUSTER_NAMES,
    GOLD_NAMES,
    ID_NAMES,
    SYSTEM_NAMES,
    is_summary,
    known_name,
)
from csig.readers.tables.reader import dialect_of
from csig.readers.tables.rules import kind_of
from csig.readers.tables.sheets import Sheet

#: Forms that files were recognised as, the most frequent first.
_FORMS = ("scores", "labels", "counts", "responses", "lm-eval", "tags", "spans", "statistics")


def called_then(request: Request, names: Sequence[str]) -> Request:
    """The request, with the names of a record for two files of one name, if these were theirs."""
    files = request.files[-2:]
    called = {stem(path) for path in files}
    if len(files) < 2 or len(called) > 1 or (request.name_a, request.name_b) != (None, None):
        return request
    (name,) = called
    numbered = (f"{path} ({i})" for i, path in enumerate(files, start=1))
    for a, b in (tuple(files), tuple(numbered), (f"A ({name})", f"B ({name})")):
        if {shown(a), shown(b)} == {*names}:
            return replace(request, name_a=a, name_b=b)
    return request


def requests_of_then(request: Request, names: Sequence[str]) -> Iterator[tuple[Request, bool]]:
    """What may have been read, by what was asked for and the names of systems that a record has."""
    # True where clusters only told ids apart, as too few ones did.
    yield request, False
    if request.counts is not None or request.statistics is not None:
        return
    for form in (request.format,) if request.format != "auto" else _FORMS:
        asked = replace(request, format=form)
        if form not in ("scores", "counts"):
            yield asked, False
        if form not in ("scores", "labels", "counts"):
            continue
        # Quotation marks of a table with tabs were text, whatever cells looked like.
        marks = [asked] if asked.quoting is not None else [asked, replace(asked, quoting="none")]
        for own in marks:
            try:
                sheets = [read_sheet(path, dialect_of(own)) for path in request.files]
                ids = [sheet.texts(name) for sheet in sheets for name in sheet.names[:2]]
            except InputError:
                yield own, False
                continue
            # Rows of totals were units.
            cells = dict.fromkeys(cell for texts in ids for cell in texts.codes()[1])
            sums = [str(cell) for cell in cells if is_summary(cell)]
            yield from _of_tables(replace(own, keep_row=(*own.keep_row, *sums)), sheets, names)


def _of_tables(
    request: Request, sheets: Sequence[Sheet], names: Sequence[str]
) -> Iterator[tuple[Request, bool]]:
    """Ids and clusters by their names or by what they hold; all columns but the systems ignored."""
    first, *others = sheets
    common = [name for name in first.names if all(name in own.names for own in others)]
    texts = [name for name in common if kind_of(first, name) in ("text", "empty")]
    distinct = [name for name in common if first.texts(name).distinct()]
    ids: list[str | None] = [request.id]
    if request.id is None:
        free = [name for name in common if name not in (request.cluster, request.gold_column)]
        named = known_name(free, ID_NAMES, exact=True)
        ids = [named] if named is not None else [*(distinct if others else ()), None]
    clusters: list[str | None] = [request.cluster]
    if request.cluster is None:
        clusters = [*(n for n in common if n.casefold() in CLUSTER_NAMES and n not in ids), None]
    systems = request.system
    apart = others and all(any(name in own.names for own in sheets) for name in names)
    if not systems and (apart or not others):
        # "A (base)" and "B (base)" are columns of one name, told apart.
        known = {name: name for name in first.names}
        known |= {re.sub(r"(?s)^[AB] \((.*)\)\Z", r"\1", name): name for name in first.names}
        systems = tuple(known.get(name, name) for name in reversed(names))
    scores: list[tuple[str, ...]] = [request.score_column]
    if request.format == "scores" and (others or known_name(first.names, SYSTEM_NAMES, exact=True)):
        scores += [(name,) for name in common if name not in texts]
    for id_, cluster, score in product(ids, clusters, scores):
        used = {id_, cluster, request.run, request.gold_column, *systems, *score}
        odd = {*texts, *(n for n in common if n.casefold() in (*CLUSTER_NAMES, *ID_NAMES))}
        odd |= set(common) if score else set()
        odd -= {known_name(common, known, exact=True) for known in (SYSTEM_NAMES, GOLD_NAMES)}
        ignored = tuple(n for n in common if n in odd - used or n in request.ignore)
        asked = replace(request, id=id_, cluster=cluster, score_column=score, ignore=ignored)
        for own in dict.fromkeys((systems, systems[::-1], request.system)):
            yield replace(asked, system=own), False
            if request.cluster is None and (cluster is not None or request.format == "labels"):
                yield replace(asked, system=own), True
