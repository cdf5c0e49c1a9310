"""Forge records of every kind and version: each change is found, refused, or listed as trusted.

    PYTHONPATH=tests python -m fuzz.fuzz_records 20000 [SEED]

A forger changes one thing of a record (or two that belong together) and computes the SHA-256 anew.
Verified alone, or with the files or data that it was made from, the record must differ, or every
field that was changed must stand in the list of what is taken on trust. tests/audits/test_forged.py
does the same in short.
"""

from __future__ import annotations

import copy
import functools
import gzip
import json
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import chdir
from typing import Any, NamedTuple

import numpy as np
from commands import both
from evidence import version_of_records
from forged import COMPARISONS, ODD, changed, put, remembering, signed
from places import REFERENCE

from csig import Comparison, InputError, audit
from csig.audits.records import make_record, parse_record
from csig.audits.trust import Trusted
from csig.audits.verify import Given, Verification, verify_checked
from csig.cli.audits import LAST_BY_RULES_OF_THEN, given_of
from csig.engines.base import EDITION
from csig.report.records import canonical

#: Records of real inputs, made by a csig of their time.
OLD = REFERENCE / "records"

Path_ = tuple[Any, ...]


class Known(NamedTuple):
    """A record, and with what it is verified."""

    name: str
    record: dict[str, Any]
    given: Given = Given()
    inputs: tuple[str, ...] = ()  #: Files in the folder of inputs, read again each time.

    def verify(self, record: dict[str, Any]) -> Verification:
        """As ``csig verify`` does it."""
        checked = parse_record(canonical(record).encode(), "r.json")
        given, differences = self.given, []
        if self.inputs:
            with chdir(OLD / "inputs"):
                given, differences = given_of(checked, self.inputs, "r.json")
        if differences:
            return Verification(tuple(differences), 0, False, "")
        return verify_checked(checked, "r.json", given, threads=1)


# ---- records -----------------------------------------------------------------------------------


def real_scores() -> tuple[Comparison, list[str]]:
    """Whose mean has proven bounds, and no count."""
    rng = np.random.default_rng(4)
    a = rng.normal(size=90)
    return Comparison.from_scores(a + rng.normal(0.1, 0.5, size=90), a), ["mean"]


def whole_numbers() -> tuple[Comparison, list[str]]:
    """Whose bounds close, if an edition prefers them to a count."""
    rng = np.random.default_rng(4)
    return Comparison.from_scores(*rng.integers(0, 10**6, (2, 90))), ["mean"]


MADE = {**COMPARISONS, "bounds": real_scores, "whole": whole_numbers}


def made_now(kind: str, version: int, **options: Any) -> Known:
    """A record of a version as this csig makes it."""
    comparison, metrics = MADE[kind]()
    asked = {"metric": [], "lower_is_better": False} if version > 1 else {}
    with version_of_records(version):
        found = audit(comparison, metrics, n_resamples=256, rng=7, threads=1, **options)
        record = make_record(
            found,
            inputs=[{"path": "a.csv", "bytes": 5, "sha256": "0" * 64}],
            command=["csig", "audit"],
            request={"files": ["a.csv"], "unit": None} | asked,
            cautions=["one", "two"] if version > 3 else [],
        )
    return Known(f"{version} {kind}", record)


def with_data(known: Known, kind: str) -> Known:
    comparison, metrics = MADE[kind]()
    return known._replace(name=f"{known.name}, data", given=Given(comparison, metrics))


def old_records() -> Iterator[Known]:
    """Golden ones, alone and with their files."""
    for version in range(1, EDITION + 1):
        path = REFERENCE / f"audit-{version}.json"
        if path.exists():
            yield Known(path.name, json.loads(path.read_text(encoding="utf-8")))
    for own in json.loads((OLD / "index.json").read_text(encoding="utf-8")):
        if own["expected"] or any(name.endswith(".parquet") for name in own["inputs"]):
            continue
        data = (OLD / own["record"]).read_bytes()
        record = json.loads(gzip.decompress(data) if own["record"].endswith(".gz") else data)
        name, inputs = f"{own['version']}/{own['name']}", tuple(own["inputs"])
        yield Known(f"{name}, files", record, inputs=inputs)
        if record["comparison"]["classes"] or record["comparison"]["differences"]:
            yield Known(name, record)


#: What is audited of the inputs since what columns are is declared.
DECLARED = (
    ("scores/task.csv", "--cluster", "task", "--system", "base", "--system", "new"),
    ("--counts", "counts/some.toml", "--metric", "f1,recall"),
    ("tags/gold.conll", "tags/base.conll", "tags/new.conll"),
    ("labels/answer.csv", "--gold-column", "answer", "--metric", "kappa"),
)


def of_files(version: int) -> Iterator[Known]:
    """Records of a version as the command line makes them, verified from their files."""
    for arguments in DECLARED:
        few = ("--resamples", 256, "--seed", 1, "--threads", 1, "--record", "-")
        with chdir(OLD / "inputs"), version_of_records(version):
            record = json.loads(both("audit", *arguments, *few)[0])
        inputs = tuple(file["path"] for file in record["inputs"])
        yield Known(f"{version} {inputs[0]}, files", record, inputs=inputs)


def records() -> Iterator[Known]:
    """All of them."""
    yield from old_records()
    for version in range(1, EDITION + 1):
        if version > LAST_BY_RULES_OF_THEN:
            yield from of_files(version)
        for kind in MADE:
            known = made_now(kind, version)
            yield known
            yield with_data(known, kind)
        yield made_now("counts", version, alternative="greater", zero_division=1)


# ---- what a forger does ------------------------------------------------------------------------


def places(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Every path in a record."""
    yield path
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


def at(record: Any, path: Path_) -> Any:
    return functools.reduce(lambda value, key: value[key], path, record)


def other(rng: random.Random, value: Any) -> Any:
    """Something else in the place of a value, mostly of the same type."""
    if rng.random() < 0.1:
        choices = [*ODD, None]
        return rng.choice([own for own in choices if repr(own) != repr(value)])
    choices: list[Any] = []
    if isinstance(value, bool):
        choices = [not value, int(value), None]
    elif isinstance(value, (int, float)):
        choices += [
            -value, float(value), bool(value), str(value), value + 1, value - 1, value * 2
        ]  # fmt: skip
        if isinstance(value, float):
            choices += [math.nextafter(value, end) for end in (-math.inf, math.inf)]
            choices += [value * (1 + part) for part in (1e-12, 1e-8, 1e-7, 1e-4, 0.01, -0.01)]
            choices += [math.trunc(value), math.sqrt(abs(value))]
        else:
            choices += [value + value // 100 + 1, value - value // 100, abs(value - 1)]
    elif isinstance(value, str):
        i = rng.randrange(len(value) + 1)
        choices += [
            changed(value), f"{value} ", f"0{value}", value[:i] + value[i + 1 :], value.upper(),
            value[:i] + "7" + value[i + 1 :], value[::-1], value[:-1], [value], "x" * 5000,
        ]  # fmt: skip
    elif value is None:
        choices += [0, 0.5, 1, "", [], {}, False, True]
    elif isinstance(value, list):
        items, i = [*value], rng.randrange(len(value) or 1)
        shuffled = rng.sample(items, len(items))
        turned = [*items]
        if turned:
            j = rng.randrange(len(turned))
            turned[i], turned[j] = turned[j], turned[i]
        choices += [
            items[:i] + items[i + 1 :], items[: i + 1] + items[i:], items[::-1], shuffled, turned,
            turned, [], {}, {str(i): own for i, own in enumerate(items)},
        ]  # fmt: skip
    else:
        keys = list(value)
        dropped = {key: value[key] for key in keys if key != (keys and rng.choice(keys))}
        one, two = (rng.choice(keys) if keys else "" for _ in "ab")
        exchanged = {**value, one: value[two], two: value[one]} if keys else {}
        choices += [dropped, {**value, "x": 1}, exchanged, exchanged, {}, list(value.values())]
    return rng.choice([own for own in choices if repr(own) != repr(value)])


def narrowed(rng: random.Random, record: dict[str, Any]) -> dict[str, Any]:
    """Another enclosure or interval, in line with itself."""
    record = copy.deepcopy(record)
    own = rng.choice(record["results"])
    proof = own.get("certificate")
    if proof is None:
        low, high = own["pvalue_interval"]
        share = rng.choice([0.5, 0.9, 0.0, 1.1])
        middle = own["pvalue"]
        own["pvalue_interval"] = [middle + share * (end - middle) for end in (low, high)]
        return record
    low, high = proof["low"], proof["high"]
    ends = rng.choice([
        (low, low), (high, high), ((low + high) / 2, (low + high) / 2), (low, (low + high) / 2),
        ((low + high) / 2, high), (low * (1 - 1e-7), high * (1 + 1e-7)), (low / 2, high),
        (low * (1 + 1e-8), high), (low, high * (1 - 1e-8)), (low * (1 - 5e-5), high),
    ])  # fmt: skip
    proof |= {"low": ends[0], "high": ends[1], "width": (ends[1] - ends[0]) / ends[0]}
    proof |= {"log_low": math.log(ends[0]), "log_high": math.log(ends[1])}
    own |= {"exact_pvalue": proof["high"], "exact_log_pvalue": proof["log_high"]}
    return record


def forgery(rng: random.Random, record: dict[str, Any]) -> dict[str, Any]:
    """A record in which one thing is not as it was, or two."""
    if rng.random() < 0.03:
        return narrowed(rng, record)
    proofs = [i for i, own in enumerate(record["results"]) if own.get("certificate")]
    root: Path_ = ()
    if proofs and rng.random() < 0.2:
        root = ("results", rng.choice(proofs), "certificate")
    else:  # else most were of the words of checks
        root = (rng.choice([name for name in record if name not in ("schema", "sha256")]),)
    if root == ("checks",):
        root = ("checks", rng.randrange(len(record["checks"])))
    forged = record
    for _ in range(rng.choice([1, 1, 1, 1, 2])):
        everywhere = [*places(at(record, root), root)]
        leaves = [own for own in everywhere if not isinstance(at(record, own), (dict, list))]
        path = rng.choice(leaves if leaves and rng.random() < 0.75 else everywhere)
        try:
            forged = put(forged, path, other(rng, at(forged, path)))
        except (LookupError, TypeError, AttributeError, OverflowError):
            return forged  # the first change took it away
    return forged


# ---- what becomes of it ------------------------------------------------------------------------


def changes(old: Any, new: Any, name: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Every field that differs, what differences call it, and both values."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in {**old, **new}:
            inner = f"{name}.{key}" if name else key
            if key in old and key in new:
                yield from changes(old[key], new[key], inner)
            else:
                yield inner, old.get(key), new.get(key)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, (one, two) in enumerate(zip(old, new, strict=True)):
            label = two.get("name", two.get("metric")) if isinstance(two, dict) else None
            yield from changes(one, two, f"{name}[{label or i}]")
    elif repr(old) != repr(new):
        yield name, old, new


def covered(trust: tuple[Trusted, ...], name: str, old: Any, new: Any) -> bool:
    return any(own.covers(name) and own.overlooks(old, new) for own in trust)


def outcome(known: Known, forged: dict[str, Any]) -> tuple[str, list[tuple[str, Any, Any]]]:
    """What became of a forged record, and the fields that nothing and nobody names."""
    different = [own for own in changes(known.record, forged) if own[0] != "sha256"]
    if not different:
        return "the same", []
    try:
        found = known.verify(signed(forged) if "sha256" in forged else forged)
    except InputError as error:
        plain = "\n" not in str(error) and len(str(error)) < 600
        return ("refused", []) if plain else ("MISSED", [("", "one line", str(error))])
    if not found.ok:
        return "found", []
    left = [own for own in different if not covered(found.trust, *own)]
    return ("MISSED", left) if left else ("listed", [])


def run(n: int, seed: int, only: str = "") -> int:
    """So many forgeries, in turn of all records; how many were missed."""
    all_known = [own for own in records() if only in own.name]
    rng = random.Random(seed)
    counts: dict[str, Counter[str]] = {}
    missed: Counter[str] = Counter()
    start, total = time.monotonic(), 0
    slowest: list[tuple[float, str]] = []
    with remembering({}):
        for known in all_known:
            found = known.verify(known.record)
            assert found.ok, (known.name, found.differences)
        print(f"{len(all_known)} records verify ({time.monotonic() - start:.0f} s)", flush=True)
        by_version = [
            own
            for version in range(1, EDITION + 1)
            if (own := [known for known in all_known if known.record["schema_version"] == version])
        ]
        while total < n:
            known = rng.choice(by_version[total % len(by_version)])
            state = rng.getrandbits(64)
            forged = forgery(random.Random(state), known.record)
            began = time.monotonic()
            try:
                result, left = outcome(known, forged)
            except Exception as error:  # what is no InputError is a fault
                result, left = "CRASHED", [("", type(error).__name__, str(error)[:200])]
                left += [(own[0], own[1], own[2]) for own in changes(known.record, forged)][:3]
            slowest = sorted([*slowest, (time.monotonic() - began, f"{known.name} {state}")])[-5:]
            total += result != "the same"
            if result == "the same":
                continue
            version = f"version {known.record['schema_version']}"
            counts.setdefault(version, Counter())[result] += 1
            if left:
                missed[f"{result} {left[0][0]}"] += 1
                if missed[f"{result} {left[0][0]}"] <= 3:
                    shown = [(own[0], *(repr(x)[:60] for x in own[1:])) for own in left[:4]]
                    print(f"{result}: {known.name} (seed {state}): {shown}", flush=True)
    for version, own in sorted(counts.items()):
        print(version, dict(sorted(own.items())))
    print(f"{total} forgeries of {len(all_known)} records, {time.monotonic() - start:.0f} s")
    print("slowest:", [(round(seconds, 1), name) for seconds, name in slowest])
    print(f"{sum(missed.values())} missed", dict(missed))
    return sum(missed.values())


if __name__ == "__main__":
    arguments = [*sys.argv[1:], "0"]
    sys.exit(run(int(arguments[0]), int(arguments[1]), *sys.argv[3:4]) > 0)
