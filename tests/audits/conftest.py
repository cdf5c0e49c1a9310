"""Audits and records of every kind."""

from __future__ import annotations

import numpy as np
import pytest
from audited import METRICS, YEH, N
from brute import PAPER
from forged import KINDS, made

from csig import Comparison, InputError, audit
from csig.audits import verify as verifying
from csig.audits.records import comparison_digest
from csig.classical import correlation


@pytest.fixture(scope="session")
def paper():
    return audit(YEH, METRICS, n_resamples=N, rng=1)


@pytest.fixture(scope="session")
def labels():
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 3, 60)
    a, b = (np.where(rng.random(60) < p, gold, rng.integers(0, 3, 60)) for p in (0.7, 0.6))
    return gold, a, b


@pytest.fixture(scope="session")
def kept():
    return {kind: made(kind).record for kind in KINDS}


@pytest.fixture(scope="session")
def paper_record():
    return audit(Comparison.from_counts(**PAPER), ["recall", "f1"], n_resamples=2**10, rng=1).record


def results_on_items(comparison):
    """What a record has not, whose audit is otherwise the same."""
    try:
        return repr(correlation(comparison))
    except InputError:
        return None


@pytest.fixture(scope="session")
def audits_known():
    return {}


@pytest.fixture
def repeated(monkeypatch, audits_known):
    """The same audit is not run again for every forged record: only what it compares differs."""
    known = audits_known
    original = verifying.audit_of_edition

    def remembered(edition, comparison, metrics, *, rng, **options):
        seed = (repr(getattr(rng, "entropy", rng)), getattr(rng, "spawn_key", ()))
        key = (
            edition, comparison_digest(comparison), comparison, comparison.levels,
            results_on_items(comparison),
            repr(comparison.by_response()), repr(metrics), seed, repr(options),
        )  # fmt: skip
        if key not in known:
            known[key] = original(edition, comparison, metrics, rng=rng, **options)
        return known[key]

    monkeypatch.setattr(verifying, "audit_of_edition", remembered)
