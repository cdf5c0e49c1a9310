"""Reports of SWE-bench: which instances a system resolved, and of which nothing is known.

A file has a run's report; a folder has one of every instance, ``RUN/MODEL/INSTANCE/report.json``.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from csig.base.errors import InputError, Refusal, Remedy, argument
from csig.base.wording import clean, counted, first_few, listed
from csig.readers.data import Data
from csig.readers.lines import is_json, is_text, json_values, read_bytes, read_lines
from csig.readers.records import read_sheets, sheet_of
from csig.readers.request import OptionError, Request
from csig.readers.samples import in_folder
from csig.readers.tables.rules import LEAVE_OUT

#: The report of one instance, in a folder of its own within the model's; and its log.
PATTERN, _LOG = "report.json", "run_instance.log"

#: What a report says of instances that its own machine failed.
_INFRA = "infra_failure"

#: What counts as unresolved, as in SWE-bench's own rate, and is said.
_SAID = {
    "error_ids": "that ended in an error", "empty_patch_ids": "with an empty patch",
    f"{_INFRA}_ids": "with a failure of the infrastructure",
    "ambiguous_failure_ids": "with an ambiguous failure",
}  # fmt: skip


def is_report(record: dict[str, Any]) -> bool:
    """Whether an object is a report: lists of ids, or a verdict by id."""
    for ids in (record.get("resolved_ids"), record.get("resolved")):
        if isinstance(ids, list) and all(map(is_text, ids)):
            return True
    return bool(record) and all(
        isinstance(own, dict)
        and isinstance(own.get("resolved"), bool)
        and not {int, float} & {*map(type, own.values())}
        for own in record.values()
    )


@dataclass
class _Report:
    """What a file says of instances."""

    path: str
    #: Resolved, 1, or not, 0; None if nothing was handed in.
    verdicts: dict[str, int | None]
    #: Whether instances that are not resolved are named.
    whole: bool = True
    notes: tuple[str, ...] = ()
    #: How many instances there are, by the report.
    total: int = 0


def _ids(path: str, found: object) -> list[str]:
    """Ids in a list, each once."""
    if not isinstance(found, list) or not all(is_text(own) and own.strip() for own in found):
        raise InputError(f"{path}: found {found!r}, expected a list of the ids of instances")
    if doubled := [own for own, times in Counter(found).items() if times > 1]:
        raise InputError(f"{path}: found more than once in a list of ids: {first_few(doubled)}")
    return found


def _said(path: str, numbers: Mapping[str, int]) -> tuple[str, ...]:
    """What is said of instances that count as unresolved without having been tested."""
    more = [f"{counted(n, 'instance')} {_SAID[name]}" for name, n in numbers.items() if n]
    if not more:
        return ()
    counts = "counts" if sum(numbers.values()) == 1 else "count"
    return (f"{clean(path)}: {listed(more)} {counts} as unresolved, as in SWE-bench.",)


def _report(path: str) -> _Report:
    values, at = json_values(path)
    record = values[0] if len(values) == 1 and at(0) != "record 1" else values
    if isinstance(record, list):
        return _Report(path, dict.fromkeys(_ids(path, record), 1), whole=False)
    if not isinstance(record, dict):
        raise InputError(f"{path}: found {record!r}, expected a report of SWE-bench")
    if isinstance(record.get("resolved"), list):
        others = [own for own in record.values() if isinstance(own, list)]
        known = {name: 0 for own in others for name in _ids(path, own)}
        resolved = dict.fromkeys(_ids(path, record["resolved"]), 1)
        return _Report(path, {**known, **resolved}, whole=False)
    if "resolved_ids" not in record:
        verdicts = {
            name: own.get("resolved") if isinstance(own, dict) else own
            for name, own in record.items()
        }
        odd = next((name for name, own in verdicts.items() if not isinstance(own, bool)), None)
        if odd is not None or not verdicts:
            raise InputError(f"{path}: found no 'resolved' (true or false) for {odd!r}")
        failed = [own for own in record.values() if isinstance(own, dict) and own.get(_INFRA)]
        notes = _said(path, {f"{_INFRA}_ids": len(failed)})
        return _Report(path, {name: int(bool(own)) for name, own in verdicts.items()}, notes=notes)
    names = ("unresolved_ids", *_SAID, "completed_ids", "submitted_ids")
    lists = {name: _ids(path, record.get(name, [])) for name in (*names, "incomplete_ids")}
    resolved = dict.fromkeys(_ids(path, record["resolved_ids"]), 1)
    for name in ("unresolved_ids", *_SAID, "incomplete_ids"):
        if both := [own for own in lists[name] if own in resolved]:
            raise InputError(f"{path}: both in resolved_ids and in {name}: {first_few(both)}")
    known = dict.fromkeys((own for name in names for own in lists[name]), 0)
    notes = _said(path, {name: len(lists[name]) for name in _SAID})
    nothing = dict.fromkeys(lists["incomplete_ids"], None)
    total = record.get("total_instances")
    total = total if isinstance(total, int) else 0
    whole = not record.keys().isdisjoint(lists)
    return _Report(path, {**nothing, **known, **resolved}, whole, notes, total)


def _of_folder(folder: Path, files: Sequence[Path]) -> _Report:
    """The reports of single instances as one; what has a log and no report ended in an error."""
    verdicts: dict[str, int | None] = {}
    first: dict[str, Path] = {}
    failed = 0
    for file in (own for own in files if own.name == PATTERN):
        own = _report(str(file))
        for name in own.verdicts:
            if first.setdefault(name, file) != file:
                raise InputError(f"{file}: found {name!r} again, first in {first[name]}")
        verdicts |= own.verdicts
        failed += bool(own.notes)
    errors = [own.parent.name for own in files if not own.with_name(PATTERN).exists()]
    notes = _said(str(folder), {"error_ids": len(errors), f"{_INFRA}_ids": failed})
    return _Report(str(folder), {**dict.fromkeys(errors, 0), **verdicts}, notes=notes)


def _reports(path: str) -> Iterator[_Report]:
    """The report in a file, or those of the models in a folder."""
    if not os.path.isdir(path):
        yield _report(path)
        return
    folders: dict[Path, list[Path]] = {}
    for file in (*in_folder(path, PATTERN), *in_folder(path, _LOG)):
        if file.parent == Path(path):
            raise InputError(f"{file}: found in no folder of an instance; give the file itself")
        folders.setdefault(file.parent.parent, []).append(file)
    if not folders:
        raise InputError(f"{path}: found a folder without {PATTERN}")
    for folder, files in folders.items():
        yield _of_folder(folder, files)


def _instances(path: str) -> list[str]:
    """All instances: of a report, of records with an instance_id, or of lines."""
    if os.path.isdir(path):
        return [name for report in _reports(path) for name in report.verdicts]
    if not is_json(read_bytes(path)):
        return _ids(path, [line.strip() for line in read_lines(path) if line.strip()])
    values, _ = json_values(path)
    if values and all(isinstance(own, dict) and "instance_id" in own for own in values):
        return _ids(path, [own["instance_id"] for own in values])
    return [*_report(path).verdicts]


def _check(reports: Sequence[_Report], every: Iterable[str], allow: bool) -> None:
    """Refuse instances of which a system's report says nothing."""
    every = list(every)
    for report in reports:
        lacks = [name for name in every if report.verdicts.get(name) is None]
        if lacks and not allow:
            ways = [LEAVE_OUT]
            for own in reports:
                if own.whole and len(own.verdicts) == len(every):
                    way = ("--instances", own.path)
                    ways = [Remedy(way, "counts what was not submitted as unresolved"), *ways]
                    break
            raise Refusal(
                f"{report.path}: nothing was submitted for {len(lacks):,} of "
                f"{counted(len(every), 'instance')}: {first_few(lacks)}",
                *ways,
            )


def read(request: Request, metrics: Sequence[str]) -> Data:
    """The share of instances that every system resolved, one report or folder each."""
    reports = [report for path in request.files for report in _reports(path)]
    request = replace(request, files=tuple(report.path for report in reports))
    if request.instances is not None:
        every = dict.fromkeys(_instances(request.instances))
        for report in reports:
            if extra := [name for name in report.verdicts if name not in every]:
                raise InputError(
                    f"{report.path}: found instances that {request.instances} has not, "
                    f"{len(extra):,} in all: {first_few(extra)}"
                )
            lacks = [name for name in every if report.verdicts.get(name) is None]
            of = f"{len(lacks):,} of {counted(len(every), 'instance')}"
            if lacks and report.whole:
                said = f"{clean(report.path)}: {of}, not submitted, count as unresolved."
                report.notes = (*report.notes, said)
            report.verdicts = {name: report.verdicts.get(name) or 0 for name in every}
    for report in reports:
        if not report.whole and request.instances is None:
            said = f"{report.path}: found the resolved instances and not all of the others"
            for own in reports:
                if own.whole and report.verdicts.keys() <= own.verdicts.keys():
                    way = "counts what is not resolved there as unresolved"
                    raise Refusal(said, Remedy(("--instances", own.path), way))
            raise OptionError(
                f"{said}; name a file with all, one a line, or a report: "
                f"{argument('instances', 'FILE')}"
            )
    every = dict.fromkeys(name for report in reports for name in report.verdicts)
    for report in reports:
        if report.total > len(every) and not request.given("instances", "allow_missing"):
            raise Refusal(
                f"{report.path}: names {len(every):,} of {report.total:,} instances; name a file "
                f"with all, one a line: {argument('instances', 'FILE')}",
                LEAVE_OUT,
            )
    _check(reports, every, request.allow_missing is not None)
    for report in reports:
        if os.path.isdir(report.path) and request.instances is None:
            report.notes += (
                f"{clean(report.path)}: instances without a folder, not submitted or with an empty "
                f"patch, are not known; {argument('instances')} names a file with all.",
            )
    repos = [name.rpartition("-")[0] or name for name in every]
    sheets = []
    for own in reports:
        verdicts = [own.verdicts.get(name) for name in every]
        columns: dict[str, Any] = {"instance_id": [*every], "repo": repos, "resolved": verdicts}
        places = [f"instance {name!r}" for name in every]
        sheets.append(sheet_of(request, own.path, columns, places.__getitem__, notes=own.notes))
    return read_sheets(request, metrics, "swe-bench", sheets, scores=["resolved"], id="instance_id")
