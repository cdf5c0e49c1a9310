"""Records of every kind of comparison, and what a forger does to one."""

import hashlib
import json
import re
from contextlib import contextmanager

import numpy as np
import pytest
from brute import PAPER
from places import REFERENCE
from written import refusal

from csig import Comparison, InputError, audit, verify
from csig.audits import verify as verifying
from csig.audits.records import comparison_digest, parse_record
from csig.classical import correlation
from csig.report.records import canonical

GOLDEN = REFERENCE / "audit-1.json"


def some_labels():
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 3, 40)
    return gold, *(np.where(rng.random(40) < p, gold, rng.integers(0, 3, 40)) for p in (0.7, 0.5))


def statistics(n):
    rng = np.random.default_rng(5)
    gold = rng.integers(1, 6, n)
    return [np.stack([rng.integers(0, gold + 1), gold + 1, gold], axis=1) for _ in range(2)]


def responses():
    keys = [f"d{i}" for i in range(8)]
    gold = {key: {(key, j) for j in range(4)} for key in keys}
    a = {key: {(key, j) for j in range(i % 4)} | {(key, 9)} for i, key in enumerate(keys)}
    b = {key: {(key, j) for j in range(1, 2 + i % 2)} for i, key in enumerate(keys)}
    return gold, a, b


COLUMNS = ["tp", "predicted", "gold"]

#: Every kind of comparison, and metrics for it.
COMPARISONS = {
    "counts": lambda: (Comparison.from_counts(**PAPER), ["recall", "f1"]),
    "responses": lambda: (Comparison.from_responses(*responses(), unit="response"), ["f1", "f2"]),
    "keys": lambda: (Comparison.from_responses(*responses()), ["precision"]),
    "units": lambda: (
        Comparison.from_statistics(*statistics(30), COLUMNS, id=[f"u{i}" for i in range(30)]),
        ["f1", "f0.5"],
    ),
    "clusters": lambda: (
        Comparison.from_statistics(*statistics(30), COLUMNS, cluster=np.arange(30) // 3),
        ["f1"],
    ),
    "scores": lambda: (Comparison.from_scores(*np.random.default_rng(1).random((2, 25))), ["mean"]),
    "labels": lambda: (Comparison.from_labels(*some_labels()), ["mcc", "accuracy"]),
    "same": lambda: (Comparison.from_scores([1, 2, 3], [1, 2, 3]), ["mean"]),
}

KINDS = sorted(COMPARISONS)


#: Values of every type, at every limit; each is put where another stands.
DEEP = json.loads("[" * 40 + "]" * 40)
ODD = [
    None, True, False, -1, 0, 1, 63, 65, 2**63, 10**400, 0.0, -0.0, 0.5, 1.0, 1e308, 5e-324, "",
    "0", "1", "-1", "1/3", "x", "9" * 41, "less", "mean", "f1", "mcc", "tp", "response", "randu",
    "MT19937", "\ud800", "\u00e9\n", [], {}, [1], ["1"], [[1, 2], [3, 4]], ["1 2", "0 1"], DEEP,
]  # fmt: skip


def made(kind, n=2**10, **options):
    comparison, metrics = COMPARISONS[kind]()
    return audit(comparison, metrics, n_resamples=n, rng=options.pop("rng", 7), **options)


def signed(record):
    """With a SHA-256 that is right, as a forger would."""
    rest = {key: value for key, value in record.items() if key != "sha256"}
    text = json.dumps(rest, sort_keys=True, indent=1) + "\n"
    return {**rest, "sha256": hashlib.sha256(text.encode()).hexdigest()}


def put(record, path, value):
    """Another value at a path, the whole if there is none; the rest is the same object."""
    if not path:
        return value
    record = record.copy()
    record[path[0]] = put(record[path[0]], path[1:], value)
    return record


def changed(value):
    """Something else of the same form."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, float):
        return value * (1 - 1e-6) if value else 1e-6
    if re.fullmatch("-?[0-9]+", value):
        return str(int(value) + 1)
    if re.fullmatch("[0-9a-f]{64}", value):
        return value[:-1] + ("1" if value[-1] == "0" else "0")
    others = {
        "two-sided": "less", "upper": "lower", "lower": "upper", "PCG64DXSM": "PCG64",
        "Philox": "PCG64", "tp": "fp",
    }  # fmt: skip
    return others.get(value, f"{value}x")


def refused(data):
    """The one line with which something is refused."""
    data = data if isinstance(data, bytes) else data.encode()
    message = refusal(lambda: verify(parse_record(data, "r.json")))
    assert len(message) < 500
    return message


def replaced(record, path, text):
    """The record's text with something else at a path, which may be no JSON."""
    mark = "\x01\x02"
    return canonical(put(record, path, mark)).replace(json.dumps(mark), text)


def results_on_items(comparison):
    """What a record has not, whose audit is otherwise the same."""
    try:
        return repr(correlation(comparison))
    except InputError:
        return None


@contextmanager
def remembering(known, most=2**10):
    """The same audit is not run again for every forged record: only what it compares differs."""
    original = verifying.audit_of_edition

    def remembered(edition, comparison, metrics, *, rng, **options):
        seed = (repr(getattr(rng, "entropy", rng)), getattr(rng, "spawn_key", ()))
        key = (
            edition, comparison_digest(comparison), comparison, comparison.levels,
            results_on_items(comparison),
            repr(comparison.by_response()), repr(metrics), seed, repr(options),
        )  # fmt: skip
        if key not in known:
            if len(known) >= most:
                known.pop(next(iter(known)))
            known[key] = original(edition, comparison, metrics, rng=rng, **options)
        else:  # what is asked for often stays
            known[key] = known.pop(key)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verifying, "audit_of_edition", remembered)
        yield
