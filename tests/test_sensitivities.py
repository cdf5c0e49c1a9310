"""One test for every unit of exchange that is known."""

import numpy as np
import pytest

import csig
from csig import Comparison, InputError, randomization_test
from csig.effects import sensitivity

RESPONSES = (
    {"s1": [(0, 1, "LOC"), (2, 3, "PER")], "s2": [(4, 6, "PER")], "s3": [(0, 1, "ORG")]},
    {"s1": [(0, 1, "PER"), (2, 3, "PER")], "s2": [(4, 6, "PER")], "s3": []},
    {"s1": [(0, 1, "LOC")], "s2": [(4, 5, "PER")], "s3": [(0, 1, "LOC")]},
)
CLUSTERS = {"s1": "d1", "s2": "d1", "s3": "d2"}


def comparison():
    return Comparison.from_responses(
        *RESPONSES, clusters=CLUSTERS, conflict=csig.metrics.spans, key_name="sentence"
    )


@pytest.mark.parametrize("method", ["exact", "approximate"])
def test_every_unit_gives_what_it_gives_alone(method):
    options = {"method": method, "n_resamples": 1000, "alternative": "less"}
    found = sensitivity(comparison(), ["recall", "f1"], rng=5, **options)
    assert list(found) == ["response", "conflict", "sentence", "cluster"]
    for unit, results in found.items():
        alone = randomization_test(comparison().at(unit), ["recall", "f1"], rng=5, **options)
        assert list(results) == ["recall", "f1"]
        for name, result in results.items():
            assert result.unit == unit
            assert (result.pvalue, result.n_hits) == (alone[name].pvalue, alone[name].n_hits)


def test_one_metric_gives_one_result_a_unit():
    found = sensitivity(comparison(), "f1")
    assert found["cluster"].pvalue == randomization_test(comparison(), "f1").pvalue
    assert sensitivity(comparison().at("response"), "f1").keys() == found.keys()


@pytest.mark.parametrize("rng", [None, np.random.default_rng(3)])
def test_all_units_have_the_same_seed(rng):
    found = sensitivity(comparison(), iter(["f1"]), method="approximate", n_resamples=64, rng=rng)
    seeds = {results["f1"].seed for results in found.values()}
    assert len(seeds) == 1
    again = sensitivity(comparison(), "f1", method="approximate", n_resamples=64, rng=rng)
    assert again["response"].seed not in seeds


def test_a_generator_keeps_its_kind():
    rng = np.random.Generator(np.random.Philox(1))
    found = sensitivity(comparison(), "f1", method="approximate", n_resamples=64, rng=rng)
    assert found["response"].seed.bit_generator == "Philox"
    named = sensitivity(
        comparison(), "f1", method="approximate", n_resamples=64, rng=1, bit_generator="SFC64"
    )
    assert named["cluster"].seed.bit_generator == "SFC64"


def test_what_is_refused():
    with pytest.raises(InputError, match=r"comparison must be a csig.Comparison, found str"):
        sensitivity("x", "f1")
    with pytest.raises(InputError, match="method 'yeh2000' is the paper's"):
        sensitivity(comparison(), "f1", method="yeh2000")
    with pytest.raises(InputError, match="alternative"):
        sensitivity(comparison(), "f1", alternative="both")


def test_a_spawned_seed_is_its_own():
    child = np.random.SeedSequence(3).spawn(2)[1]
    found = sensitivity(comparison(), "f1", method="approximate", n_resamples=64, rng=child)
    assert found["response"].seed.spawn_key == (1,)
