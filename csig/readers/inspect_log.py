"""One log of Inspect: of every sample the mean of its epochs, as Inspect counts them.

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
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import numpy as np

from csig.base.errors import InputError
from csig.base.wording import counted, few
from csig.data.repeats import text_of
from csig.readers import limits
from csig.readers.lines import (
    STDIN,
    StrPath,
    is_text,
    json_values,
    pieces,
    read_bytes,
    read_start,
)
from csig.readers.samples import Id

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
