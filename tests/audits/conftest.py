"""Audits and records of every kind."""

import numpy as np
import pytest
from audited import METRICS, YEH, N
from brute import PAPER
from forged import KINDS, made, remembering
from remembered import generators

from csig import Comparison, audit


@pytest.fixture(scope="session", autouse=True)
def _generators():
    with generators():
        yield


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


@pytest.fixture(scope="session")
def audits_known():
    return {}


@pytest.fixture
def repeated(audits_known):
    """The same audit is not run again for every forged record: only what it compares differs."""
    with remembering(audits_known):
        yield
