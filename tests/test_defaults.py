"""The constants that commands list are those that the tests use."""

import subprocess
import sys
from typing import get_args

import numpy as np

from csig import streams
from csig.base import defaults
from csig.base.defaults import RESAMPLINGS
from csig.classical.paired import ZeroMethod
from csig.comparing.bootstrap import INTERVAL_METHODS
from csig.datasets.pairs import DatasetsCorrection, DatasetTest


def test_generators_are_numpys():
    assert all(
        issubclass(getattr(np.random, own), np.random.BitGenerator) for own in defaults.GENERATORS
    )
    assert streams.make_source(0, None).name == defaults.GENERATORS[0]
    assert tuple(streams.BAD) == defaults.BAD_GENERATORS


def test_all_but_the_first_intervals_are_resampled():
    assert set(defaults.INTERVALS) - set(defaults.UNDRAWN_INTERVALS) == set(INTERVAL_METHODS)
    assert defaults.INTERVALS[0] in defaults.UNDRAWN_INTERVALS


def test_tests_and_corrections_over_data_sets():
    assert get_args(DatasetTest) == defaults.DATASET_TESTS
    assert get_args(DatasetsCorrection) == defaults.DATASET_CORRECTIONS
    assert set(defaults.ZERO_METHODS) == set(get_args(ZeroMethod))


def test_samples_of_training_data():
    assert defaults.RESAMPLINGS == RESAMPLINGS


def test_they_need_nothing():
    code = "import sys, csig.base.defaults; print({'numpy', 'scipy', 'click'} & {*sys.modules})"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "set()\n"
