"""What was wrong once with values that nobody gives on purpose."""

from __future__ import annotations

import copy
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

import csig
from csig.training.ledger import Ledger
from csig_ext import inversion
from csig_ext.lattice import Lattice

THREE = {"a": [1.0, 2, 3, 5], "b": [2, 2, 1.5, 1], "c": [1, 1, 1, 2.5]}
PAIR = csig.Comparison.from_scores(THREE["a"], THREE["b"])


@pytest.mark.parametrize("result", [
    csig.compare_systems(THREE), csig.compare_datasets(THREE),
    csig.effects.unit_contributions(PAIR, "mean"),
])  # fmt: skip
def test_a_copy_of_a_result_with_arrays_is_equal(result: object) -> None:
    for own in (copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
        assert (own == result, hash(own)) == (True, hash(result))
    assert result != csig.compare_systems({**THREE, "c": [1, 1, 1, 2]})
    assert result != THREE


@pytest.mark.parametrize(("call", "message"), [
    (lambda: csig.classical.holm([10**400]), "tests[0]: expected a p-value from 0 to 1, found 1"),
    (lambda: csig.classical.holm(np.array(0.5)), "tests: expected several tests, found array(0.5)"),
    (lambda: csig.classical.holm(3), "tests: expected several tests, found 3"),
    (lambda: csig.Comparison.from_scores(np.ones((2, 3)), np.ones((2, 3)), runs=np.array(2.0)),
     "runs must be a sequence of names, found ndarray"),
    (lambda: csig.rank_methods({"true": [1, 0], "m": np.array(2.0), "k": [1, 2]}, ["m", "k"], 1),
     "m: expected one value per candidate, found array(2.)"),
    *((lambda own=own: csig.compare({"a": [1, 2], f"x{own}y": [1, "q"]}),
       f"x{escaped}y: unit 1: expected a number, found 'q'")
      for own, escaped in (("\u2028", r"\u2028"), ("\x85", r"\x85"), ("\x0b", r"\x0b"),
                           ("\n", r"\n"), ("\u200b", r"\u200b"))),
])  # fmt: skip
def test_one_line_names_what_was_wrong(call, message: str) -> None:
    with pytest.raises(csig.InputError, match=f"^{re.escape(message)}") as refused:
        call()
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize(
    "odds", [(0.0, 1.0), (-1.0, 1.0), (1.0, float("nan")), (float("inf"), 1.0)]
)
def test_odds_that_are_none_are_refused(odds: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="expected odds above 0"):
        Lattice(100).convolve(*odds, 1, 1, 3, 0.0, 0)


@pytest.mark.parametrize("periods", [(2**40 + 1, 1), (1, 2**40 + 1), (-1, 3)])
def test_periods_beyond_doubles_are_refused(periods: tuple[int, int]) -> None:
    one = np.ones(1)
    with pytest.raises(ValueError, match="expected periods up to 1099511627776"):
        inversion.find(one, one, one, one, *periods, 1.0, 100)


@pytest.mark.parametrize(("responses", "options", "message"), [
    (2**24, {}, "comparison.classes: found more than 16,777,216 responses"),
    (9, {"n_resamples": 2**32 + 1}, "found 17,179,869,188 trials, expected at most 17,179"),
    (9, {"exact_budget": 2**32 + 1}, "options.exact_budget: found 4,294,967,297, expected at most"),
    (2**20, {"n_resamples": 2**27}, "found 536,870,912 trials of 1,048,577 units, which need"),
])  # fmt: skip
def test_no_record_is_written_that_could_not_be_verified(
    responses: int, options: dict[str, int], message: str
) -> None:
    """The run is refused before it starts, by the limits of the verification."""
    counts = {"only_a_correct": responses, "only_b_correct": 1}
    found = csig.Comparison.from_counts(gold=2 * responses, **counts)
    with pytest.raises(csig.InputError, match=f"^the record of this audit .* verified: {message}"):
        csig.audit(found, "recall", rng=1, **options)


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999"])
def test_a_ledger_with_what_is_no_number_is_no_ledger(number: str, tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    head = '{"schema": "csig.training.ledger", "schema_version": 1, "digest": "", "question": '
    path.write_text(f'{head}{{"n": {number}}}}}\n', encoding="utf-8")
    with pytest.raises(csig.InputError, match=r"l\.jsonl line 1: this is no first line of a"):
        Ledger(str(path), lambda known: {"n": 3})


def test_pairs_that_have_shuffles_of_their_own_beside_bounds_keep_their_places() -> None:
    """Pairs that differ by three values that no step has in common cannot be bounded."""
    rng = np.random.default_rng(1)
    few = np.sqrt([2.0, 3.0, 5.0])[rng.integers(0, 3, (2, 1000))] * rng.choice([-1, 1], (2, 1000))
    systems = dict(zip("abcd", [np.zeros(1000), *few, rng.standard_normal(1000)], strict=True))
    found = csig.compare_systems(systems, n_resamples=99, rng=1)
    alone = {
        (pair.system, pair.other): csig.randomization_test(
            csig.Comparison.from_scores(systems[pair.system], systems[pair.other]), "mean",
            n_resamples=99, rng=1,
        )
        for pair in found.pairs
    }  # fmt: skip
    drawn = [own for own, result in alone.items() if result.method == "approximate"]
    assert 1 < len(drawn) < len(alone)
    for pair in found.pairs:
        result = alone[pair.system, pair.other]
        close = {"abs": 0.2} if result.method == "approximate" else {"rel": 2e-4}
        assert pair.pvalue == pytest.approx(result.pvalue, **close)


def test_a_field_of_a_record_ends_where_its_form_ends() -> None:
    record = csig.audit(PAIR, "mean", rng=1, n_resamples=64).record
    record["comparison"]["sums_a"][0] += "\n"
    with pytest.raises(csig.InputError, match=r"comparison\.sums_a\[0\]: found"):
        csig.verify(record)
