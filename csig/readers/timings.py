"""Timings of independent runs: what pytest-benchmark, hyperfine, pyperf, asv and google/benchmark
write as JSON, and one number per line.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from csig.base.errors import InputError, Refusal, Remedy
from csig.base.wording import coded, counted, first_few
from csig.readers.lines import json_values, read_lines, stem, stems
from csig.readers.request import OptionError, Request, same_files, shown

if TYPE_CHECKING:
    from csig.readers.data import Data

#: Every benchmark's values, in the order in which they were taken.
Samples = dict[str, list[Any]]

#: What google/benchmark calls units of time, in seconds.
_SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


class Timings(NamedTuple):
    """The runs of systems, by benchmark, the same in all."""

    form: str  #: What wrote the files.
    systems: dict[str, Samples]  #: The baseline first.
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
    """The repetitions of each: two benchmarks may have one name, but no index."""
    runs: dict[tuple[object, ...], list[float]] = {}
    for own in record["benchmarks"]:
        name = own.get("run_name", own["name"])
        if own.get("error_occurred") or own.get("skipped"):
            yield name, None
        elif own.get("run_type", "iteration") == "iteration":
            seconds = own["real_time"] * _SECONDS[own.get("time_unit", "ns")]
            index = own.get("family_index"), own.get("per_family_instance_index")
            runs.setdefault((*index, name), []).append(seconds)
    if not runs and all(own.get("run_type") == "aggregate" for own in record["benchmarks"]):
        raise InputError("only aggregates; run without --benchmark_report_aggregates_only")
    for (*_, name), values in runs.items():
        yield str(name), values


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


#: With which options the programs run a benchmark more often.
_OFTEN = {
    "pytest-benchmark": "--benchmark-min-rounds=20", "hyperfine": "--runs 20",
    "pyperf": "--processes=20", "asv": "-a repeat=20",
    "google/benchmark": "--benchmark_repetitions=20",
}  # fmt: skip


class _File(NamedTuple):
    form: str  #: What wrote it.
    samples: Samples
    without: list[str]  #: Benchmarks, or runs of them, that have no values.
    commit: str  #: Of which commit asv has them.
    cautions: list[str]


def _samples(path: str) -> _File:
    """A file's values by benchmark."""
    lines = read_lines(path)
    if not "".join(lines[:9]).lstrip().startswith("{"):
        numbers = _numbers(path, [own for own in lines if own.strip()])
        return _File("numbers", {stem(path): numbers}, [], "", [])
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
            elif name in samples:
                way = "; tell them apart with --command-name" if form == "hyperfine" else ""
                raise InputError(f"found {name!r} twice{way}")
            else:
                samples[str(name)] = list(values)
    except InputError as error:
        raise InputError(f"{shown(path)} ({form}): {error}") from None
    except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
        raise InputError(
            f"{shown(path)}: looks written by {form}, but has another structure ({error!r})"
        ) from None
    if not samples:
        way = "; run asv with --record-samples" if form == "asv" else ""
        raise InputError(f"{shown(path)} ({form}): no benchmark has single values{way}")
    read = {name: _numbers(f"{path}, {name}", own) for name, own in samples.items()}
    if below := first_few([name for name, own in read.items() if min(own, default=0) < 0]):
        raise InputError(f"{shown(path)} ({form}): found times below 0: {below}")
    commit = str(record.get("commit_hash", ""))[:8] if form == "asv" else ""
    return _File(form, read, list(dict.fromkeys(without)), commit, _failed(path, record))


def _failed(path: str, record: Mapping[str, Any]) -> list[str]:
    """A doubt where hyperfine was told to ignore that commands failed."""
    results = record.get("results")
    failed = [
        str(own["command"])
        for own in (results if isinstance(results, list) else [])
        if any(code != 0 for code in own.get("exit_codes") or [])
    ]
    found = f"{shown(path)}: the command failed in some runs, which may have ended early: "
    return coded("failed-runs", [f"{found}{first_few(failed)}."] if failed else [])


def _numbers(where: str, values: Sequence[Any]) -> list[float]:
    """Finite numbers."""
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
    return numbers


def _systems(files: Sequence[str], read: Sequence[_File]) -> dict[str, Samples]:
    """What is compared: files, or the commands of one."""
    if len(files) == 1:
        samples, form = read[0].samples, read[0].form
        if len(samples) < 2 or (len(samples) > 2 and form != "hyperfine"):
            raise OptionError(
                f"--unpaired: {shown(files[0])} has {counted(len(samples), 'benchmark')}; give "
                "a second file, or one with the two commands to compare"
            )
        return {name: {_title(list(samples)): own} for name, own in samples.items()}
    if others := [i for i, own in enumerate(read) if own.form != read[0].form]:
        raise InputError(
            f"{shown(files[0])} is of {read[0].form}, {shown(files[others[0]])} of "
            f"{read[others[0]].form}; expected files of one kind"
        )
    names = [own.commit for own in read]
    if not all(names) or len(set(names)) < len(names):
        names = stems(files)
    found = [own.samples for own in read]
    if all(len(own) == 1 for own in found):  # there is no other way to match them
        title = _title([name for own in found for name in own])
        found = [{title: values} for own in found for values in own.values()]
    return dict(zip(names, found, strict=True))


def _title(names: list[str]) -> str:
    """What a benchmark is called that has other names in every system."""
    if len(set(names)) == 1:
        return names[0]
    return f"{names[1]} / {names[0]}" if len(names) == 2 else "runs"


def read_runs(request: Request) -> Timings:
    """Systems of several files, or the commands of one that hyperfine wrote; the baseline first."""
    files = request.files
    if not files:
        raise OptionError("--unpaired: expected the files of base and new, found none")
    read = [*map(_samples, files)]
    systems = _systems(files, read)
    form, one = read[0].form, len(files) == 1
    few, alone = [], []
    for path, own in zip(systems if one else files, systems.values(), strict=True):
        for name, values in own.items():
            if len(values) < 2:
                few.append(f"{shown(path)}, {name}: found {counted(len(values), 'run')}")
            if not all(name in other for other in systems.values()):
                alone.append(f"{shown(path)} has {name!r}, which others lack")
    common = [
        name for name in next(iter(systems.values()))
        if all(len(own.get(name, ())) > 1 for own in systems.values())
    ]  # fmt: skip
    away = [*few, *alone]
    if (away and request.allow_missing is None) or not common:
        found = f"{'; '.join(away[:3])}{'; ...' * (len(away) > 3)}"
        if few:
            way = f"; run it with {_OFTEN[form]}" if form in _OFTEN else ""
            found += f"; expected two or more{way}"
        if not common:
            raise InputError(f"{found}; no benchmark is left")
        raise Refusal(
            found, Remedy(("--allow-missing", "intersection"), "compares the benchmarks of all")
        )
    notes = [
        f"{shown(path)}: runs without a value are left out: {first_few(own.without)}."
        for path, own in zip(files, read, strict=True)
        if own.without
    ]
    notes += [f"Left out: {'; '.join(away)}."] * bool(away)
    cautions = same_files(files) + [text for own in read for text in own.cautions]
    kept = {who: {name: own[name] for name in common} for who, own in systems.items()}
    return Timings(form, kept, cautions, notes)


def read(request: Request, metrics: Sequence[str] = ()) -> Data:
    """Where paired data are expected: refused, with the way."""
    several = len(request.files) > 2
    raise Refusal(
        f"{shown(request.files[0])}: found timings of independent runs, which have no units in "
        "common",
        Remedy(("--unpaired",), "the first is the baseline" if several else "", verb="compare"),
        *[Remedy(("--unpaired",), "all pairs", verb="systems")] * several,
    )
