"""Results of promptfoo: tests, answered by providers with prompts; each pair of these is a system.

A test is known by its description, variables and assertions, since every repeat has a testIdx of
its own. That ``error`` is set says nothing, for it also says why an assertion failed; results with
the ``failureReason`` 2 are errors.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from csig.base.errors import InputError, Refusal, argument
from csig.base.wording import counted, first_few
from csig.data.repeats import of_files
from csig.readers.data import Data
from csig.readers.lines import is_text, json_values, stems
from csig.readers.records import read_sheets, sheet_of
from csig.readers.request import Request
from csig.readers.tables.matching import MEAN, check_there
from csig.readers.tables.rules import LEAVE_OUT

#: What every result has, and the reason of a failure that is no answer.
_FIELDS = frozenset(("success", "testIdx", "promptIdx"))
_ERROR = 2

#: The column of what is said, which no score is called.
_ANSWER = "response.output"

_RED_TEAM = "These tests are a red team's: pass says that the model resisted the attack."


def _inner(record: Mapping[str, Any]) -> list[Any] | None:
    """The results in a file's object."""
    found = record.get("results")
    found = found.get("results") if isinstance(found, dict) else found
    return found if isinstance(found, list) else None


def is_results(record: dict[str, Any]) -> bool:
    """Whether an object has results, or is a result."""
    first = next(iter(_inner(record) or ()), record)
    return isinstance(first, dict) and first.keys() >= _FIELDS


class _Result(NamedTuple):
    """One answer to a test."""

    #: Which result of its file it is.
    row: int
    #: The file, the pair of provider and prompt, by number, and the provider; and their names.
    system: tuple[int, int, str]
    called: tuple[str, str]
    #: What it is called, and all that tells it from others, as JSON.
    test: tuple[str, str]
    number: int
    #: None in errors.
    scores: dict[str, Any]
    #: What the provider said, as JSON if it is no text.
    answer: str
    error: str
    red_team: bool


def _object(value: object, otherwise: str) -> dict[str, Any]:
    return value if isinstance(value, dict) else {otherwise: value}


def _json(value: object) -> str:
    return json.dumps(value, sort_keys=True)


def _result(where: Callable[[], str], row: int, file: int, record: Any) -> _Result:
    if not isinstance(record, dict) or not record.keys() >= _FIELDS:
        raise InputError(f"{where()}: no result, expected {', '.join(sorted(_FIELDS))}")
    number, index, success = (record[name] for name in ("testIdx", "promptIdx", "success"))
    if (type(number), type(index), type(success)) != (int, int, bool):
        raise InputError(
            f"{where()}: found testIdx {number!r}, promptIdx {index!r} and success "
            f"{success!r}, expected two whole numbers and true or false"
        )
    case = _object(record.get("testCase"), "")
    provider, text = _object(record.get("provider"), "id"), _object(record.get("prompt"), "label")
    label = str(provider.get("label") or provider.get("id") or "provider")
    variables = _object(case.get("vars", record.get("vars")) or {}, "")
    description = case.get("description", record.get("description"))
    name = description if isinstance(description, str) else ""
    if not name.strip():
        pairs = (
            f"{key}={own if isinstance(own, str) else _json(own)}" for key, own in variables.items()
        )
        name = ", ".join(pairs)
    whole = _json([description, variables, case.get("assert")])
    failed = record.get("failureReason") == _ERROR
    named = _object(record.get("namedScores"), "")
    output = _object(record.get("response"), "output").get("output") or ""
    scores = {"pass": success, "score": record.get("score")}
    scores |= {key: own for key, own in named.items() if key.strip() and key not in scores}
    return _Result(
        row, (file, index, label), (label, " ".join(str(text.get("label") or "").split())[:40]),
        (name.strip() if is_text(name) and name.strip() else whole, whole), number,
        dict.fromkeys(scores) if failed else scores,
        output if isinstance(output, str) else _json(output),
        str(record.get("error") or "no message") if failed else "",
        "pluginId" in _object(case.get("metadata"), ""),
    )  # fmt: skip


def _results(path: str, file: int) -> tuple[list[_Result], Callable[[int], str]]:
    """The results of a file, and where each is, which is slow to say."""
    records, at = json_values(path)
    inner = _inner(records[0]) if len(records) == 1 and isinstance(records[0], dict) else None
    if inner is not None:
        records, at = inner, lambda row: f"result {row + 1}"
    if not records:
        raise InputError(f"{path}: found no results")
    found = [
        _result(lambda row=row: f"{path} {at(row)}", row, file, record)  # type: ignore[misc]
        for row, record in enumerate(records)
    ]
    return found, at


def _names(paths: Sequence[str], results: Sequence[_Result]) -> dict[tuple[int, int, str], str]:
    """The systems: by provider, or with what tells them apart."""
    called = {own.system: own.called for own in sorted(results, key=lambda own: own.system)}
    files = stems(paths)
    ways = (
        {key: label for key, (label, _) in called.items()},
        {key: f"{label} ({files[key[0]]})" for key, (label, _) in called.items()},
        {key: f"{label}, {prompt}" for key, (label, prompt) in called.items()},
        {key: f"{label}, prompt {key[1]}" for key, (label, _) in called.items()},
        {key: f"{files[key[0]]}: {label}, prompt {key[1]}" for key, (label, _) in called.items()},
    )
    return next(own for own in ways if len({*own.values()}) == len(own))


def _repeats(path: str, results: Sequence[_Result], names: Mapping[Any, str]) -> list[int]:
    """Which repeat of its test every result is; every test of a system needs as many."""
    times: dict[Any, Counter[str]] = {}
    repeats = []
    for own in results:
        counter = times.setdefault(own.system, Counter())
        counter[own.test[1]] += 1
        repeats.append(counter[own.test[1]])
    for system, counter in times.items():
        (test, most), (_, least) = counter.most_common(1)[0], counter.most_common()[-1]
        if most > least:
            raise InputError(
                f"{path}: {names[system]} has {most} results of the test {test}, and {least} of "
                "others; repeats of a test have the same description, variables and assertions, "
                "and every test needs as many"
            )
    return repeats


def read(request: Request, metrics: Sequence[str]) -> Data:
    """Whether tests pass, their scores, or the named scores that were asked for."""
    paths = request.files
    files = [_results(path, i) for i, path in enumerate(paths)]
    results = [own for found, _ in files for own in found]

    def where(own: _Result) -> str:
        return files[own.system[0]][1](own.row)

    results.sort(key=lambda own: (own.system, own.number))
    names = _names(paths, results)
    if len(results) == len(names):
        raise InputError(f"{paths[0]}: found one test, and one score of a system is no test")
    repeats = _repeats(paths[0], results, names)
    if request.allow_missing is None and (failed := [own for own in results if own.error]):
        first = failed[0]
        whose = names[first.system]
        same = [own.test[0] for own in failed if own.system == first.system]
        raise Refusal(
            f"{paths[first.system[0]]}: {len(failed):,} of {counted(len(results), 'result')} are "
            f"errors and no answers, {len(same):,} of them of {whose}: {first_few(same)} "
            f"({where(first)}: {first.error})",
            LEAVE_OUT,
        )
    there = dict.fromkeys(name for own in results for name in own.scores)
    wanted = [name.removeprefix(MEAN) for name in of_files(metrics)]
    check_there(wanted, there, paths[0], f"{argument('metric')}: no score")
    alike = all(own.scores["score"] in (None, own.scores["pass"]) for own in results)
    chosen = wanted or (["pass"] if alike else ["pass", "score"])
    whole = {own.test[1]: own.test[0] for own in results}
    short = len({*whole.values()}) == len(whole)  # names tell the tests apart
    columns: dict[str, list[Any]] = {
        "system": [names[own.system] for own in results],
        "test": [own.test[not short] for own in results],
        "repeat": repeats,
        _ANSWER: [own.answer for own in results],
        **{name: [own.scores.get(name) for own in results] for name in chosen},
    }
    others = [name for name in there if name not in (*chosen, "score")]
    notes = [_RED_TEAM] if any(own.red_team for own in results) else []
    if others:
        notes.append(f"There are more scores, {first_few(others, 12)}, for {argument('metric')}.")
    sheet = sheet_of(
        request, paths[0], columns, lambda row: where(results[row]), notes=tuple(notes)
    )
    return read_sheets(
        request, metrics, "promptfoo", [sheet], scores=chosen, system_column="system", id="test",
        answer_column=_ANSWER,
    )  # fmt: skip
