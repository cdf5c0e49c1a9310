"""What is changed in a record is found, or trusted by the list: fuzz_records.py, in short."""

import random

import pytest
from drawn import several
from fuzz.fuzz_records import MADE, Known, forgery, made_now, old_records, outcome, with_data

from csig.engines.base import EDITION

pytestmark = pytest.mark.usefixtures("repeated")

VERSIONS = range(1, EDITION + 1)

#: Of these of every version, in turn.
FEW = ("bounds", "counts", "clusters", "keys")


def agrees(known: Known, seed: int, number: int) -> None:
    assert known.verify(known.record).ok
    for i in range(number):
        forged = forgery(random.Random(f"{known.name} {seed} {i}"), known.record)
        result, left = outcome(known, forged)
        assert result != "MISSED", (i, left)


@pytest.mark.parametrize("version", VERSIONS)
def test_records_of_every_version(version):
    for kind in FEW if several(1, 0) else MADE:
        known = made_now(kind, version)
        agrees(known, 0, several(4, 100))
        agrees(with_data(known, kind), 1, several(2, 50))


def test_golden_records_and_records_of_files():
    for known in old_records():
        if several(0, 1) or known.name in {"audit-1.json", "audit-3.json", "2/scores, files"}:
            agrees(known, 2, several(12, 10))
