"""Logs of Inspect: ``.eval``, a zip archive of JSON, and ``.json``; scores by sample and epoch.

A sample (a question) is what is swapped, with all its epochs: its score is their mean, over those
that have one, as in Inspect's own means. Of a folder the logs are a system's tasks; every other log
is a system, called by its model. What a scorer gives is a metric: "match", or "scorer/field".

A log is JSON, or a zip archive, packed once more or not, whose members are JSON, packed by deflate
or zstd.
"""

from __future__ import annotations

import io
import json
import math
import os
import re
import sys
import zipfile
import zlib
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from csig.base.errors import InputError, Refusal, Remedy, argument
from csig.base.wording import coded, counted, few, first_few
from csig.data.repeats import of_files, text_of
from csig.readers import limits
from csig.readers.data import TASK, Data
from csig.readers.lines import (
    STDIN,
    StrPath,
    is_text,
    json_values,
    pieces,
    read_bytes,
    read_start,
)
from csig.readers.lines import stems as file_stems
from csig.readers.request import Request
from csig.readers.samples import Id, common_tasks, keys_of, of_samples, parts_of
from csig.readers.tables.matching import Table, check_there, join
from csig.readers.tables.names import direction_of
from csig.readers.tables.names import parts_of as words_of

#: Members of the archive; without the first two the run did not come to its end.
_HEADER, _SUMMARIES, _START = "header.json", "summaries.json", "_journal/start.json"
_JOURNAL = re.compile(r"_journal/summaries/(\d{1,18})\.json")
#: One sample, whole or the head of one in pieces; ids may hold anything, so they are read inside.
_SAMPLE = re.compile(r"samples/.*_epoch_\d+(/sample)?\.json", re.DOTALL)

#: How a log in JSON begins.
_JSON = re.compile(
    rb'(\xef\xbb\xbf)?\s*\{\s*(?="(version|status)")("version"\s*:\s*\d+\s*,\s*)?'
    rb'("status"\s*:\s*"\w+"\s*,\s*)?"eval"\s*:\s*\{'
)

#: What Inspect counts words as, besides numbers.
_WORDS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_SMALL_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}

#: Characters of an input or target that are compared: summaries cut them.
_COMPARED = 500


def is_log(path: StrPath) -> bool:
    """Whether a file is a log of Inspect, by its members or its beginning."""
    start = read_start(path, 512).tobytes()
    if start[:4] != b"PK\3\4":
        return bool(_JSON.match(start))
    if str(path).endswith(".eval"):
        return True
    with suppress(InputError), _opened(path) as file:
        return not {_HEADER, _START}.isdisjoint(_Archive(path, file).members)
    return False


def _opened(path: StrPath) -> BinaryIO:
    if path == STDIN or not os.path.isfile(path):
        return io.BytesIO(read_bytes(path).tobytes())
    limits.check_size(path, os.path.getsize(path))
    with open(path, "rb") as file:
        packed = file.read(2) != b"PK"  # once more, by gzip or another
    return io.BytesIO(read_bytes(path).tobytes()) if packed else open(path, "rb")


class _Archive:
    """The members of an ``.eval`` file; of several with one name the last."""

    def __init__(self, path: StrPath, file: BinaryIO) -> None:
        self.path, self.file, self.unpacked = path, file, 0
        try:
            with zipfile.ZipFile(file) as archive:
                self.members = {info.filename: info for info in archive.infolist()}
        except Exception as error:  # of many kinds
            raise InputError(
                f"{path}: found a zip archive that cannot be read ({error}); is the file complete?"
            ) from None
        self.size = file.seek(0, os.SEEK_END)

    def value(self, name: str) -> Any:
        """The JSON that a member holds."""
        data = self._bytes(name)
        try:
            return json.loads(data)
        except ValueError as error:
            raise InputError(f"{self.path}: {name}: not JSON ({error})") from None

    def _bytes(self, name: str) -> bytes:
        # Python's zipfile knows zstd from 3.14 on only.
        info, where = self.members[name], f"{self.path}: {name}"
        self.file.seek(max(0, min(info.header_offset, self.size)))
        head = self.file.read(30)
        skipped = int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
        self.file.seek(skipped, os.SEEK_CUR)
        data = self.file.read(min(info.compress_size, self.size))
        method = info.compress_type
        if info.flag_bits & 1 or method not in (0, 8, 93):
            how = "encrypted" if info.flag_bits & 1 else f"packed by method {method}"
            raise InputError(f"{where} is {how}, expected deflate, zstd or no packing")
        most = min(limits.largest() - self.unpacked, limits.largest_unpacked(len(data)))
        try:
            found = _unpacked(where, method, data, most)
            if len(found) <= most and zlib.crc32(found) != info.CRC:
                raise ValueError("its checksum differs")
        except (InputError, MemoryError):
            raise
        except Exception as error:  # each packing has its own
            raise InputError(f"{where} cannot be unpacked ({error})") from None
        if len(found) > most:
            raise limits.refuse_unpacked(where, len(data))
        self.unpacked += len(found)
        return found


def _unpacked(where: str, method: int, data: bytes, most: int) -> bytes:
    """What a member holds, or a little more than the most that it may."""
    if method == 8:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, most + 1)
    if method == 0:
        return data
    found = bytearray()
    for piece in pieces(where, "zstd", np.frombuffer(data, np.uint8), "'csig-stats[logs]'"):
        found += piece
        if len(found) > most:
            break
    return bytes(found)


@dataclass
class Log:
    """One log: of every sample the mean of its epochs by every metric that has one."""

    path: StrPath
    model: str = ""
    task: str = ""
    cautions: list[str] = field(default_factory=list)
    #: The beginning of every sample's input, and of its target.
    hashes: dict[Id, tuple[str, str]] = field(default_factory=dict)
    #: Samples without any score of which an epoch failed, and its error.
    failed: dict[Id, str] = field(default_factory=dict)
    scores: dict[str, dict[Id, float]] = field(default_factory=dict)
    #: Epoch by epoch: scores, and the texts of what was scored.
    answers: dict[str, dict[Id, list[float]]] = field(default_factory=dict)
    texts: dict[str, dict[Id, list[str | None]]] = field(default_factory=dict)
    #: Where a metric is no number.
    odd: dict[str, str] = field(default_factory=dict)
    #: How many epochs lack a number, by metric.
    unscored: Counter[str] = field(default_factory=Counter)
    n_samples: int = 0
    epochs: int = 1

    def reason(self, metric: str) -> str:
        """Why a metric cannot be tested over all samples, if so."""
        total = len(self.hashes) - len(self.failed)
        missing = total - len(self.scores.get(metric, ()))
        of_all = f"{missing:,} of {counted(total, 'sample')}"
        lacks = f"{self.path}: {metric} has no number in {of_all}" if missing else ""
        return self.odd.get(metric, lacks)


def _number(value: object) -> float | None:
    """A score as Inspect counts it; NaN where it is not scored, None where it is no number."""
    if isinstance(value, str):
        if (known := _WORDS.get(value, _SMALL_WORDS.get(value.lower()))) is not None:
            return known
        try:
            return _number(float(value)) if value.lower() != "nan" else None
        except ValueError:
            return None
    if value is None or value != value:
        return math.nan
    if isinstance(value, (int, float)) and abs(value) <= sys.float_info.max:
        return float(value)
    return None


def _by_metric(scores: object) -> Iterator[tuple[str, object]]:
    """The metrics of a sample's scores, and their values."""
    for scorer, score in scores.items() if isinstance(scores, dict) else ():
        value = score.get("value") if isinstance(score, dict) else None
        if isinstance(value, dict):
            yield from ((f"{scorer}/{name}", own) for name, own in value.items())
        else:
            yield scorer, value


def _text(scores: Any, metric: str) -> str | None:
    """The answer that a scorer has found in what the model says."""
    score = scores.get(metric, scores.get(metric.rpartition("/")[0]))
    return text_of(score.get("answer")) if isinstance(score, dict) else None


def _beginning(value: object) -> str:
    """The first words of an input or target, of several texts or messages those of each."""
    parts = value if isinstance(value, list) else [value]
    texts = (own.get("content") if isinstance(own, dict) else own for own in parts)
    text = " ".join(own[: 2 * _COMPARED] for own in texts if isinstance(own, str))
    return " ".join(text[: 2 * _COMPARED].split())[:_COMPARED]


def read_log(path: StrPath) -> Log:
    """A log, from its summaries if they have all samples."""
    try:
        return _read(path)
    except RecursionError:
        nested = f"brackets nested more than {limits.DEPTH} deep"
        raise InputError(f"{path}: not JSON ({nested})") from None


def _read(path: StrPath) -> Log:
    if read_start(path, 4).tobytes() == b"PK\3\4":
        with _opened(path) as file:
            header, samples = _of_archive(_Archive(path, file))
    else:
        values = json_values(path)[0]
        header = values[0] if len(values) == 1 else None
        samples = header.get("samples") or [] if isinstance(header, dict) else []
        if isinstance(samples, list):
            _check_once(path, samples)
    spec = header.get("eval") if isinstance(header, dict) else None
    if not isinstance(header, dict) or not isinstance(spec, dict) or not isinstance(samples, list):
        raise InputError(f"{path}: found no log of Inspect, expected 'eval' and samples")
    model, task = (str(spec[n]) if is_text(spec.get(n)) else "" for n in ("model", "task"))
    log = Log(path, model, task)
    status = header.get("status", "started")
    if status != "success":
        ended = "was interrupted" if status == "started" else f"ended with the status {status!r}"
        log.cautions.append(f"{path}: the run {ended}; it has {counted(len(samples), 'sample')}.")
    if header.get("invalidated"):
        log.cautions.append(f"{path}: samples were invalidated after the run, but are read.")
    _add(log, samples)
    return log


def _check_once(path: StrPath, samples: Any) -> None:
    """Refuse other scores of the same epoch; only an archive keeps what was replaced."""
    seen: dict[tuple[str, str], str] = {}
    for sample in filter(lambda own: isinstance(own, dict), samples):
        key = repr(sample.get("id")), repr(sample.get("epoch", 1))
        scores = repr(dict(_by_metric(sample.get("scores"))))
        if seen.setdefault(key, scores) != scores:
            raise InputError(
                f"{path}: found sample {key[0]} (epoch {key[1]}) twice, with different scores; "
                "expected each only once"
            )


def _of_archive(archive: _Archive) -> tuple[Any, Any]:
    """The header and the samples, or their summaries."""
    members = archive.members
    if (name := next((own for own in (_HEADER, _START) if own in members), None)) is None:
        raise InputError(f"{archive.path}: found no {_HEADER} in it, expected a log of Inspect")
    header = archive.value(name)
    steps = sorted((int(own[1]), own[0]) for own in map(_JOURNAL.fullmatch, members) if own)
    names = [_SUMMARIES] if _SUMMARIES in members else [own for _, own in steps]
    samples: list[Any] = []
    for name in names:
        found = archive.value(name)
        samples += found if isinstance(found, list) else [found]
    whole = [own for own in members if _SAMPLE.fullmatch(own)]
    scored = any(isinstance(own, dict) and own.get("scores") for own in samples)
    if len(whole) > len(samples) or not scored:  # the summaries have not all
        samples += [archive.value(own) for own in whole]
    return header, samples


def _add(log: Log, samples: Sequence[Any]) -> None:
    """Take the scores of samples; of one id and epoch the last counts."""
    by_id: dict[Id, dict[int, dict[str, Any]]] = {}
    for i, sample in enumerate(samples):
        where = f"{log.path}: sample {i + 1}"
        if not isinstance(sample, dict):
            raise InputError(f"{where} is no JSON object")
        name: Any = sample.get("id")
        epoch = sample.get("epoch", 1)
        if type(name) is not int and not (is_text(name) and str(name).strip()):
            raise InputError(f"{where} has the id {name!r}, expected a number or a text")
        if type(epoch) is not int:
            raise InputError(f"{where} has the epoch {epoch!r}, expected a number")
        by_id.setdefault(name, {})[epoch] = sample
    if not by_id:
        raise InputError(f"{log.path}: the log has no samples, so no scores that can be paired")
    lost, kept = list[str](), list[str]()
    values: dict[str, dict[Id, list[float]]] = {}
    for name, epochs in by_id.items():
        first = next(iter(epochs.values()))
        log.hashes[name] = _beginning(first.get("input")), _beginning(first.get("target"))
        log.n_samples += len(epochs)
        log.epochs = max(log.epochs, len(epochs))
        scored, failed = False, ""
        for epoch, sample in epochs.items():
            own = dict(_by_metric(sample.get("scores")))
            place = f"{name!r} (epoch {epoch})" if len(epochs) > 1 else repr(name)
            if sample.get("error"):
                (kept if own else lost).append(place)
                error = sample["error"]
                failed = str(error.get("message") if isinstance(error, dict) else error)
            scored = scored or bool(own)
            for metric, value in own.items():
                if not is_text(metric) or not metric.strip():
                    continue
                number = _number(value)
                column = values.setdefault(metric, {})
                if number is None:
                    said = f"a list of {len(value)}" if isinstance(value, list) else repr(value)
                    log.odd.setdefault(metric, f"{log.path}: {metric} is {said} in {place}")
                elif not math.isnan(number):
                    column.setdefault(name, []).append(number)
                    texts = log.texts.setdefault(metric, {}).setdefault(name, [])
                    texts.append(_text(sample["scores"], metric))
        if failed and not scored:
            log.failed[name] = failed
    for metric, column in values.items():
        log.unscored[metric] = log.n_samples - len(lost) - sum(map(len, column.values()))
        log.scores[metric] = {name: math.fsum(own) / len(own) for name, own in column.items()}
        log.answers[metric] = column
    if len(log.failed) == len(log.hashes):
        name, error = next(iter(log.failed.items()))
        raise InputError(
            f"{log.path}: every sample failed, {len(log.failed):,} in all; {name!r}: {error}"
        )
    if not values:
        raise InputError(
            f"{log.path}: none of {counted(log.n_samples, 'sample')} has a score; give it scores: "
            f"inspect score {log.path}"
        )
    of_all = f"of {counted(log.n_samples, 'sample')}"
    if lost:
        log.cautions.append(
            f"{log.path}: {len(lost):,} {of_all} failed and are left out, as from Inspect's means: "
            f"{few(lost, 5)}."
        )
    if kept:
        log.cautions.append(
            f"{log.path}: {len(kept):,} {of_all} ended in an error, but have scores, which count: "
            f"{few(kept, 5)}."
        )


_LEAVE_OUT = Remedy(
    ("--allow-missing", "intersection"), "compares only the samples that every system has scored"
)


def in_folder(folder: StrPath) -> list[Path]:
    """The logs in a folder, at any depth; the parts of a merged log are in that."""
    logs = []
    for path in sorted(Path(folder).rglob("*")):
        parts = next((own for own in (path, *path.parents) if own.suffix == ".shards"), None)
        if parts is not None and not parts.with_suffix(".eval").exists():
            raise InputError(
                f"{parts}: found the parts of a log, expected {parts.with_suffix('.eval').name} "
                "beside them; merge them with Inspect"
            )
        is_file = parts is None and path.suffix in (".eval", ".json") and path.is_file()
        logs += [path] if is_file and is_log(path) else []
    return logs


def _systems(paths: Sequence[StrPath]) -> dict[str, dict[str, Log]]:
    """{system: {task: log}}: a folder is a system, alone each of its models; else every log is."""
    groups: list[list[Log]] = []
    for path in paths:
        files = in_folder(path) if os.path.isdir(path) else [path]
        if not files:
            raise InputError(f"{path}: found a folder without logs of Inspect (.eval, .json)")
        groups.append(list(map(read_log, files)))
    if len(paths) == 1 and len(groups[0]) > 1:
        models: dict[str, list[Log]] = {}
        for log in groups[0]:
            models.setdefault(log.model, []).append(log)
        groups = list(models.values())
        paths = [f"{paths[0]}/{name}" for name in models]
    # By the model; where that is the same by model and task; else by the file or folder.
    ways = [
        [" and ".join(dict.fromkeys(log.model for log in own)) for own in groups],
        [", ".join(dict.fromkeys((own[0].model, *(log.task for log in own)))) for own in groups],
    ]
    fits = (own for own in ways if len({*own}) == len(own) and all(own))
    systems: dict[str, dict[str, Log]] = {}
    for name, logs in zip(next(fits, file_stems(paths)), groups, strict=True):
        alone = len(logs) == 1 and not any(len(own) > 1 for own in groups)
        systems[name] = {"" if alone else log.task: log for log in logs}
        if len(systems[name]) < len(logs):
            task, times = Counter(log.task for log in logs).most_common(1)[0]
            same = [str(log.path) for log in logs if log.task == task]
            raise InputError(
                f"{name}: found {times} logs of the task {task!r}: {few(same, 5)}; give the logs "
                "of one run by name"
            )
    return systems


def _chosen(
    logs: Sequence[Log], by_task: Sequence[Sequence[Log]], wanted: Sequence[str], allow: bool
) -> tuple[list[str], tuple[str, ...]]:
    """The metrics to test, and what is said of others."""
    where = logs[0].path
    every = dict.fromkeys(metric for log in logs for metric in log.scores)
    scorers = dict.fromkeys(name.rpartition("/")[0] for name in every if "/" in name)
    check_there(wanted, {**every, **scorers}, where, f"{argument('metric')}: no metric")
    asked = [n for n in every if not wanted or {n, n.rpartition("/")[0]} & {*wanted}]
    reasons = {}
    for name in asked:
        have = [log for own in by_task if any(name in log.scores for log in own) for log in own]
        reasons[name] = next(filter(None, (log.reason(name) for log in have)), "")
    complete = [name for name in asked if not reasons[name]]
    odd = [name for name in asked if any(name in log.odd for log in logs)]
    incomplete = [name for name in asked if reasons[name] and name not in odd]
    if allow and incomplete and (wanted or not complete) and not (wanted and odd):
        complete = [name for name in asked if name not in odd]
    if not complete or (wanted and len(complete) < len(asked)):
        name = next(own for own in asked if own not in complete)
        ways = [] if allow or odd else [_LEAVE_OUT]
        raise Refusal(f"{reasons[name]}, expected a number for every sample", *ways)
    limits.check_metrics(where, len(complete))
    others = [own for name, own in reasons.items() if name not in complete]
    said = f"Not tested, for lack of a number per sample: {'; '.join(others)}."
    return complete, (said,) if others else ()


def _check_failed(logs: Sequence[Log]) -> None:
    """Refuse samples that failed in every epoch."""
    for log in logs:
        if log.failed:
            name, error = next(iter(log.failed.items()))
            of_all = f"{len(log.failed):,} of {counted(len(log.hashes), 'sample')}"
            raise Refusal(
                f"{log.path}: {of_all} failed and have no score: {first_few(log.failed)} "
                f"({name!r}: {error})",
                _LEAVE_OUT,
            )


def read(request: Request, metrics: Sequence[str]) -> Data:
    """The scores of every system by all metrics that are there, or asked for."""
    allow = request.allow_missing is not None
    systems, notes = common_tasks(_systems(request.files), request.system, request.files[0], allow)
    logs = [log for own in systems.values() for log in own.values()]
    if not allow:
        _check_failed(logs)
    by_task = [*zip(*(own.values() for own in systems.values()), strict=True)]
    chosen, untested = _chosen(logs, by_task, of_files(metrics), allow)
    parts, asked = parts_of("inspect", dict(zip(chosen, chosen, strict=True)), systems)
    for name, own in systems.items():
        if (most := max(log.epochs for log in own.values())) > 1:
            answers, texts = _answers(parts[name], own, most)
            parts[name] = replace(parts[name], answers={name: answers}, texts={name: texts})
    doubts = [caution for log in logs for caution in log.cautions]
    try:
        table = join(parts, allow)
    except Refusal as refused:  # a run that was stopped lacks samples
        said = "; ".join((refused.found, *doubts)).removesuffix(".")
        raise Refusal(said, *refused.remedies) from None
    doubts += _differences(asked, table.ids or ())
    lower = {name for name in chosen if direction_of(words_of(name)) == "lower"}
    table = replace(
        table, id_column="sample_id", lower=frozenset(lower), others={},
        notes=(*notes, *_epochs(systems, chosen), *untested),
        cautions=(*table.left_out(), *doubts), tasks=table.others.get(TASK),
    )  # fmt: skip
    return of_samples(request, table)


def _answers(
    table: Table, logs: Mapping[str, Log], most: int
) -> tuple[NDArray[np.void], NDArray[np.void]]:
    """Scores and texts of every sample's epochs, (samples, epochs), with a field a metric."""
    shape = table.n_units, most
    answers = np.full(shape, math.nan, dtype=[(metric, np.float64) for metric in table.columns])
    texts = np.full(shape, None, dtype=[(metric, object) for metric in table.columns])
    rows = enumerate(keys_of(table, logs))
    for (row, (task, sample)), metric in product(rows, table.columns):
        log = logs[task]
        of_sample = log.answers.get(metric, {}).get(sample, ())
        answers[metric][row, : len(of_sample)] = of_sample
        texts[metric][row, : len(of_sample)] = log.texts.get(metric, {}).get(sample, ())
    return answers, texts


def _differences(
    asked: Mapping[str, Mapping[Hashable, tuple[str, str]]], ids: Sequence[Hashable]
) -> list[str]:
    """A doubt where systems were asked different things under one id; refused where all differ."""
    (first, base), *others = asked.items()
    doubts = []
    for name, own in others:
        differ = [key for key in ids if own[key] != base[key]]
        of_all = f"{len(differ):,} of {counted(len(ids), 'sample')}"
        both = [
            key for key in differ if own[key][0] != base[key][0] and own[key][1] != base[key][1]
        ]
        if ids and len(both) == len(ids):
            raise InputError(
                f"{name} and {first} differ in input and target in all samples with the same id "
                f"({len(ids):,}): they are of different test data"
            )
        if differ:
            doubts.append(
                f"{name} and {first} differ in input or target in {of_all} with the same id: "
                f"{first_few(differ)}. Is it the same test data?"
            )
    return coded("other-test-data", doubts)


def _epochs(systems: Mapping[str, Mapping[str, Log]], chosen: Sequence[str]) -> Iterator[str]:
    """What is said of epochs, and of those that lack a score."""
    numbers = {name: max(log.epochs for log in own.values()) for name, own in systems.items()}
    if max(numbers.values()) > 1:
        each = [f"{number} in {name}" for name, number in numbers.items()]
        yield (
            f"A sample's score is of all its epochs ({few(each, 5)}), their mean unless the metric "
            "says otherwise, and samples are swapped with all of them."
        )
    for log in (log for own in systems.values() for log in own.values()):
        lacking = [f"{m} in {log.unscored[m]:,}" for m in chosen if log.unscored[m] > 0]
        if lacking and log.epochs > 1:
            yield (
                f"{log.path}: of {counted(log.n_samples, 'sample')} some have no number and are "
                f"left out of the means, as by Inspect: {few(lacking, 5)}."
            )
