"""Timings of independent runs: what pytest-benchmark, hyperfine, pyperf, asv and google/benchmark
write as JSON, and one number per line.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from csig.base.errors import InputError, Refusal, Remedy
from csig.base.wording import counted, first_few
from csig.readers.lines import json_values, read_lines, stem
from csig.readers.request import OptionError, Request, same_files, shown

if TYPE_CHECKING:
    from csig.readers.data import Data

#: Every benchmark's values, in the order in which they were taken.
Samples = dict[str, list[Any]]

#: What google/benchmark calls units of time, in seconds.
_SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


class Timings(NamedTuple):
    """The runs of two programs, by benchmark."""

    form: str  #: What wrote the files.
    names: tuple[str, str]  #: Base and new.
    base: Samples
    new: Samples
    cautions: list[str]
    notes: list[str]

    @property
    def times(self) -> bool:
        """Whether the values are seconds, of which fewer are better."""
        return self.form != "numbers"


def _pytest_benchmark(record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for own in record["benchmarks"]:
        if "data" not in own["stats"]:
            raise InputError(
                "only summaries, no single timings; run pytest with --benchmark-save-data"
            )
        yield own.get("fullname", own["name"]), own["stats"]["data"]


def _hyperfine(record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for own in record["results"]:
        if "times" not in own:
            raise InputError("no single timings; write them by hyperfine --export-json")
        yield own["command"], own["times"]


def _pyperf(record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The mean of each process: its values share a memory layout and a hash seed."""
    for own in record["benchmarks"]:
        metadata = {**record.get("metadata", {}), **own.get("metadata", {})}
        name, unit = metadata.get("name", "benchmark"), metadata.get("unit", "second")
        if unit != "second":
            raise InputError(f"{name}: values are in {unit}s, expected seconds")
        runs = [run["values"] for run in own["runs"] if run.get("values")]
        yield name, [math.fsum(values) / len(values) for values in runs]


def _asv(record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    place = record["result_columns"].index("samples")
    for name, own in record["results"].items():
        parameters = own[record["result_columns"].index("params")]
        several = math.prod(map(len, parameters)) > 1
        samples = own[place] if len(own) > place else None
        if samples is None:
            yield name, None
            continue
        labels = [""]
        for values in parameters:
            labels = [", ".join(filter(None, (own, value))) for own in labels for value in values]
        for label, values in zip(labels, samples, strict=True):
            yield f"{name}({label})" if several else name, values


def _google(record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for own in record["benchmarks"]:
        if own.get("error_occurred") or own.get("skipped"):
            yield own.get("run_name", own["name"]), None
        elif own.get("run_type", "iteration") == "iteration":
            seconds = own["real_time"] * _SECONDS[own.get("time_unit", "ns")]
            yield own.get("run_name", own["name"]), [seconds]


def _of_commands(results: object) -> bool:
    """Whether a list is hyperfine's."""
    found = results if isinstance(results, list) else []
    return bool(found) and all(isinstance(own, dict) and "command" in own for own in found)


#: By what a record has: the program that wrote it, and what it says.
_WRITERS: tuple[tuple[str, Callable[[Any], bool], Callable[[Any], Any]], ...] = (
    ("pytest-benchmark", lambda own: "machine_info" in own, _pytest_benchmark),
    ("google/benchmark", lambda own: "context" in own and "benchmarks" in own, _google),
    ("asv", lambda own: "result_columns" in own, _asv),
    ("hyperfine", lambda own: _of_commands(own.get("results")), _hyperfine),
    ("pyperf", lambda own: "benchmarks" in own and "version" in own, _pyperf),
)


def writer_of(record: object) -> str | None:
    """What wrote a record, if that is one of timings."""
    if not isinstance(record, dict):
        return None
    return next((name for name, is_its, _ in _WRITERS if is_its(record)), None)


class _File(NamedTuple):
    form: str  #: What wrote it.
    samples: Samples
    without: list[str]  #: Benchmarks, or runs of them, that have no values.


def _samples(path: str) -> _File:
    """A file's values by benchmark."""
    lines = read_lines(path)
    if not "".join(lines[:9]).lstrip().startswith("{"):
        numbers = _numbers(path, [own for own in lines if own.strip()])
        return _File("numbers", {stem(path): numbers}, [])
    record = json_values(path)[0][0]
    form = writer_of(record)
    if form is None:
        raise InputError(
            f"{shown(path)}: found JSON, expected that of pytest-benchmark, hyperfine, pyperf, asv "
            "or google/benchmark"
        )
    samples: Samples = {}
    without = []
    try:
        for name, values in next(read for own, _, read in _WRITERS if own == form)(record):
            if values is None:
                without.append(str(name))
            else:
                samples.setdefault(str(name), []).extend(values)
    except InputError as error:
        raise InputError(f"{shown(path)} ({form}): {error}") from None
    except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
        raise InputError(
            f"{shown(path)}: looks written by {form}, but has another structure ({error!r})"
        ) from None
    if without and not samples:
        way = "; run asv with --record-samples" if form == "asv" else ""
        raise InputError(f"{shown(path)} ({form}): no benchmark has single values{way}")
    read = {name: _numbers(f"{path}, {name}", own) for name, own in samples.items()}
    if below := first_few([name for name, own in read.items() if min(own) < 0]):
        raise InputError(f"{shown(path)} ({form}): found times below 0: {below}")
    return _File(form, read, without)


def _numbers(where: str, values: Sequence[Any]) -> list[float]:
    """Finite numbers, two at least."""
    numbers = []
    for i, value in enumerate(values, start=1):
        try:
            numbers.append(math.nan if isinstance(value, bool) else float(value))
        except (TypeError, ValueError):
            numbers.append(math.nan)
        if not math.isfinite(numbers[-1]):
            raise InputError(
                f"{shown(where)}: value {i} is {value!r}, expected one finite number per run"
            )
    if len(numbers) < 2:
        raise InputError(
            f"{shown(where)}: found {counted(len(numbers), 'run')}, expected two or more; give "
            "the repetitions"
        )
    return numbers


def read_two(request: Request) -> Timings:
    """Base and new: two files, or the two commands of one that hyperfine wrote."""
    files = request.files
    if len(files) not in (1, 2):
        raise OptionError(
            f"--unpaired: expected the files of base and new, found {counted(len(files), 'file')}"
        )
    forms, samples, without = zip(*map(_samples, files), strict=True)
    notes = [
        f"{shown(path)}: runs without a value are left out: {first_few(own)}."
        for path, own in zip(files, without, strict=True)
        if own
    ]
    if len(files) == 1:
        if len(samples[0]) != 2:
            raise OptionError(
                f"--unpaired: {shown(files[0])} has {counted(len(samples[0]), 'benchmark')}; give "
                "a second file, or one with the two commands to compare"
            )
        (one, base), (two, new) = samples[0].items()
        title = f"{two} / {one}"
        return Timings(forms[0], (one, two), {title: base}, {title: new}, [], notes)
    if forms[0] != forms[1]:
        raise InputError(
            f"{shown(files[0])} is of {forms[0]}, {shown(files[1])} of {forms[1]}; expected files "
            "of one kind"
        )
    base, new = samples
    if len(base) == len(new) == 1:  # there is no other way to pair them
        (one,), (two,) = base, new
        title = one if one == two else f"{two} / {one}"
        base, new = {title: base[one]}, {title: new[two]}
    alone = [
        f"{shown(path)} alone has {name!r}"
        for path, own, other in zip(files, (base, new), (new, base), strict=True)
        for name in own
        if name not in other
    ]
    if alone and request.allow_missing is None:
        raise Refusal(
            f"{'; '.join(alone[:3])}{'; ...' * (len(alone) > 3)}",
            Remedy(("--allow-missing", "intersection"), "compares the benchmarks of both"),
        )
    common = [name for name in base if name in new]
    if not common:
        raise InputError(f"{shown(files[0])} and {shown(files[1])} have no benchmark in common")
    names = (stem(files[0]), stem(files[1]))
    notes += [f"Left out: {'; '.join(alone)}."] * bool(alone)
    return Timings(
        forms[0], names, {name: base[name] for name in common},
        {name: new[name] for name in common}, same_files(files), notes,
    )  # fmt: skip


def read(request: Request, metrics: Sequence[str] = ()) -> Data:
    """Where paired data are expected: refused, with the way."""
    raise Refusal(
        f"{shown(request.files[0])}: found timings of independent runs, which have no units in "
        "common",
        Remedy(("--unpaired",), verb="compare"),
    )
