"""Seeds in records."""

from csig.comparing.options import digits_of, record_of_seed, unneeded
from csig.results.randomization import Seed


def test_seeds() -> None:
    assert record_of_seed(None) is None
    assert record_of_seed(Seed("PCG64", (2**70, 3), (4,), 5)) == {
        "bit_generator": "PCG64",
        "entropy": ["1180591620717411303424", "3"],
        "spawn_key": [4],
        "run": 5,
    }
    assert digits_of(Seed("PCG64", 7, (), 0)) == ["7"]


def test_options_without_effect_are_named() -> None:
    assert unneeded(["--seed"]) == "--seed: no effect, as no shuffles were needed."
