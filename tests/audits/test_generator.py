"""The checks of a run's generator: good ones pass as often as they should, bad ones fail, each by
the check that says why. Their p-values against independent arithmetic.
"""

import re

import numpy as np
import pytest
from brute import PAPER
from doctored import (
    Alternating,
    Balanced,
    Biased,
    CopiedBits,
    CopiedPlaces,
    CopiedUnit,
    Copies,
    CopiesAndOpposites,
    LowBits,
    ManyCopies,
    Opposites,
    SameSeed,
    ShortPeriod,
    StuckBit,
    Untouched,
    repeating,
)
from drawn import several
from numpy.random import SFC64
from scipy.stats import binom, kstest

from csig import Comparison, InputError, replay, streams
from csig.audits.checks import decided
from csig.audits.generator import check_generator
from csig.streams import NAMED, make_source

YEH = Comparison.from_counts(**PAPER)

NAMES = [
    "known answers",
    "same words",
    "single bits",
    "each unit",
    "counts of the shuffles",
    "neighbouring trials",
    "RANDU's relation",
    "repeated words",
    "period",
    "neighbouring groups",
    "copied words",
]


def checked(source, comparison=YEH, **options):
    """The decided checks by the last part of their names."""
    checks = decided(check_generator(source, comparison, **options))
    assert [check.name for check in checks] == [f"generator: {name}" for name in NAMES]
    return dict(zip(NAMES, checks, strict=True))


def failed(checks):
    return {name for name, check in checks.items() if check.passed is False}


def test_a_doctored_generator_that_is_not_bad_passes():
    assert not failed(checked(make_source(1, Untouched), n_resamples=2**15))


BAD = [
    # The generator, one failing check and a part of its sentence, and checks that pass.
    (StuckBit, "single bits", "Bit 13 of every 64-bit word is never 1", {"RANDU's relation"}),
    (Biased, "single bits", "Bits of the stream are 1 in 8,4", {"repeated words", "period"}),
    (
        ShortPeriod,
        "repeated words",
        "the stream repeats itself after 1,024 words",
        {"known answers"},
    ),
    (ShortPeriod, "period", "the bits of words 1,024 apart never differ", {"RANDU's relation"}),
    (SameSeed, "repeated words", "chunk 1 begins as chunk 0 does", {"single bits", "period"}),
    (
        Alternating,
        "neighbouring trials",
        "crosses its middle from one trial to the next",
        {"single bits", "each unit"},
    ),
    (
        Balanced,
        "counts of the shuffles",
        "The shuffles do not swap",
        {"single bits", "each unit"},
    ),
    (LowBits, "period", "bit 0 of words 1 apart always differs", {"single bits", "repeated words"}),
]


@pytest.mark.parametrize(("kind", "name", "sentence", "good"), BAD)
def test_bad_generators_fail_and_the_check_says_why(kind, name, sentence, good):
    checks = checked(make_source(3, kind), n_resamples=2**16 + 2**12)
    assert checks[name].passed is False
    assert sentence in checks[name].sentence
    assert "the probability that a good generator is as odd is" in checks[name].sentence
    assert not failed(checks) & good
    assert checks["known answers"].passed is None
    assert checks["same words"].passed


BOTH = {"neighbouring groups", "copied words"}

OF_GROUPS = [
    # The generator, what the sentences of the two checks of groups say, and what fails.
    (Copies, "The bits of words 86 apart differ", "before", BOTH | {"repeated words"}),
    (ManyCopies, "the bits of words 70,000 apart", "the same unit's 1 group of 64 trials", BOTH),
    (
        Opposites,
        "the bits of words 86 apart differ",
        "word 86 of chunk 0, is the opposite of",
        BOTH,
    ),
    (CopiesAndOpposites, "words 86 apart: ", "or their opposites", BOTH | {"repeated words"}),
    (CopiedBits, "the bits of words 86 apart differ", None, {"neighbouring groups"}),
    (CopiedPlaces, "of words 86 apart differs", None, {"neighbouring groups"}),
]


@pytest.mark.parametrize(("kind", "groups", "copies", "failing"), OF_GROUPS)
def test_groups_that_depend_on_those_before_are_found(kind, groups, copies, failing):
    checks = checked(make_source(1, kind), kind.units, n_resamples=2**14 if kind.units < 99 else 99)
    assert failed(checks) == failing  # and nothing else sees it
    assert groups.lower() in checks["neighbouring groups"].sentence.lower()
    assert copies is None or copies in checks["copied words"].sentence


@pytest.mark.parametrize(("n", "period"), [(128, 2**16), (100, 700 * 100), (86, 2**16 + 86)])
def test_long_periods_are_found(n, period):
    """2^16 words of 128 units: every trial of a chunk twice."""
    checks = checked(make_source(1, repeating(period)), n, n_resamples=2**16)
    assert {"copied words"} <= failed(checks) <= BOTH
    assert ("neighbouring groups" in failed(checks)) or n != 128
    groups, rest = divmod(period, n)
    text = f"the first, word {period:,} of chunk 0, is word 0 of chunk 0"
    if not rest:
        text += f", the same unit's {groups:,} groups of 64 trials before"
    assert text in checks["copied words"].sentence


def test_one_unit_of_many_that_depends_on_the_group_before():
    checks = checked(make_source(1, CopiedUnit), n_resamples=2**16)
    sentence = checks["neighbouring groups"].sentence
    apart = re.search(r"the bits of words ([\d,]+) apart", sentence).group(1)
    assert int(apart.replace(",", "")) % (64 * 86) == 0
    assert "the same unit's 64 groups of 64 trials before" in checks["copied words"].sentence


class Halves(SFC64):
    """All seeds give one of two streams."""

    def __init__(self, seed):
        super().__init__(int(seed.generate_state(1)[0]) % 2)


def test_chunks_that_have_their_words_from_each_other_are_found():
    """Chunk 0 is not among them: its beginning is compared with that of others already."""
    checks = checked(make_source(0, Halves), n_resamples=2**16 * 6)
    assert checks["copied words"].passed is False
    assert " of chunk 0, is word 0 of chunk" not in checks["copied words"].sentence


@pytest.mark.parametrize("comparison", [YEH, 2000, 2])
def test_randu_is_named(comparison):
    checks = checked(make_source(3, "randu", allow_bad=True), comparison, n_resamples=2**16)
    assert checks["single bits"].observed.startswith("bit 0 of every 31-bit state is always 1")
    assert {"single bits", "RANDU's relation", "period"} <= failed(checks)
    assert checks["RANDU's relation"].observed == (
        "in 135,298 of 135,298 triples of 31-bit pieces of the stream; "
        "in 16,382 of 16,382 triples of raw outputs (their low 31 bits)"
    )
    assert "the two before it" in checks["RANDU's relation"].sentence


@pytest.mark.parametrize("seed", range(5))
def test_randu_top_is_found_by_its_raw_output_not_by_its_shuffles(seed):
    checks = checked(make_source(seed, "randu-top", allow_bad=True), n_resamples=2**18)
    assert failed(checks) == {"RANDU's relation", "period"}
    found = checks["RANDU's relation"]
    assert found.observed.startswith("in 0 of 135,298 triples of 31-bit")
    assert "in 16,382 of 16,382 triples of raw outputs" in found.sentence


def test_without_raw_output_only_the_stream_is_looked_at():
    found = checked(make_source(1, Untouched), 3, n_resamples=64)["RANDU's relation"]
    assert found.observed == "in 0 of 135,298 triples of 31-bit pieces of the stream"


# ---- good generators -----------------------------------------------------------------------


SEEDS = several(12, 80)


@pytest.mark.parametrize("name", NAMED)
def test_good_generators_pass_and_their_pvalues_are_not_smaller_than_uniform(name):
    comparison = Comparison.from_counts(
        gold=99, only_a_correct=5, only_b_correct=4, only_a_spurious=3, only_b_spurious=8
    )
    sources = [make_source(seed, name) for seed in range(SEEDS)]
    found = [checked(source, comparison, n_resamples=4096) for source in sources]
    assert all(not failed(checks) for checks in found)
    assert all(checks["known answers"].passed for checks in found)
    for check in NAMES[2:]:
        pvalues = [checks[check].pvalue for checks in found]
        # Exact (Smirnov); and how many are small, which Bonferroni's inequality leaves alone.
        assert kstest(pvalues, "uniform", alternative="greater", method="exact").pvalue > 1e-9
        for alpha in (1e-4, 0.01, 0.1):
            small = sum(p <= alpha for p in pvalues)
            assert binom.sf(small - 1, SEEDS, alpha) > 1e-9


@pytest.mark.parametrize("name", NAMED)
def test_good_generators_pass_with_any_number_of_units(name):
    rng = np.random.default_rng(NAMED.index(name))
    more = rng.integers(1, 5000, several(2, 20)).tolist()
    for seed, n in enumerate([1, 2, 63, 64, 128, 1024, 5000, *more]):
        assert not failed(checked(make_source(seed, name), n, n_resamples=2**12))


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("run", [0, 1])
def test_the_paper_passes_with_good_generators(name, run):
    checks = checked(make_source(1, name), run=run)
    assert all(check.passed for check in checks.values())
    assert "1,048,576 trials" in checks["counts of the shuffles"].what


def test_wrong_words_fail(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(streams, "known_answers", lambda name, seed: {0: 1, 1: 2, 999: 3})
        checks = checked(make_source(1, "PCG64"), 5, n_resamples=64)
    assert failed(checks) == {"known answers"}
    assert checks["known answers"].expected == "0x1, 0x2, 0x3"
    assert "(numpy's class, the compiled kernel)" in checks["known answers"].sentence

    def other(n, **options):
        words = replay_words(n, **options)
        words[7] ^= np.uint64(1)
        return words

    replay_words = replay.chunk_words
    monkeypatch.setattr(replay, "chunk_words", other)
    checks = checked(make_source(1, "SFC64"), 5, n_resamples=64)
    assert failed(checks) == {"same words"}
    assert checks["same words"].observed == "other words: chunk 0 from word 7 on"


# ---- what is counted -------------------------------------------------------------------------


def test_a_period_beyond_the_words_that_are_held_is_found_by_the_beginnings_of_groups(monkeypatch):
    """Of 300 units, 873 groups are held; the stream repeats itself after 1,000."""
    monkeypatch.setattr("csig.audits.words.WORDS", 1000)
    checks = checked(make_source(1, repeating(300_000)), 300, n_resamples=2**16)
    assert failed(checks) == {"copied words"}
    assert "384 of" in checks["copied words"].observed  # 24 groups' 16 words
    assert "word 300,000 of chunk 0, is word 0 of chunk 0" in checks["copied words"].sentence
    assert "the same unit's 1,000 groups of 64 trials before" in checks["copied words"].sentence
    assert not failed(checked(make_source(1), 300, n_resamples=2**16))


@pytest.mark.parametrize("trials", [1, 64, 100, 2**16])
def test_few_units_and_trials(trials):
    for n in (1, 2, 3):
        assert not failed(checked(make_source(5), n, n_resamples=trials))


def test_nothing_to_exchange():
    same = Comparison.from_counts(gold=9, both_correct=3, only_a_correct=0, only_b_correct=0)
    checks = checked(make_source(1), same)
    for name in ("each unit", "counts of the shuffles", "neighbouring trials"):
        assert checks[name].passed is None
        assert "the systems do not differ" in checks[name].sentence
    assert not failed(checks)
    assert checks["period"].passed


def test_units_of_a_comparison():
    rng = np.random.default_rng(1)
    comparison = Comparison.from_scores(*rng.random((2, 50)))
    checks = checked(make_source(1), comparison, n_resamples=5000)
    assert "50 units in 5,056 trials" in checks["each unit"].what
    assert "is swapped" in checks["each unit"].observed
    assert "unique" in checked(make_source(1), n_resamples=64)["each unit"].observed


@pytest.mark.parametrize(
    ("comparison", "options", "message"),
    [
        (-1, {}, "a non-negative number of units, found -1"),
        ("7", {}, "must be a csig.Comparison or a non-negative number"),
        (5, {"run": -1}, "run must be an integer from 0, found -1"),
        (5, {"n_resamples": 0}, "n_resamples must be an integer from 1, found 0"),
        (5, {"n_resamples": 2.5}, "n_resamples must be an integer from 1, found 2.5"),
    ],
)
def test_what_is_refused(comparison, options, message):
    with pytest.raises(InputError, match=message):
        check_generator(make_source(1), comparison, **options)
