"""Names of systems and units."""

import pytest

from csig import InputError
from csig.data.names import checked_level_names, checked_names


def test_a_pair_of_names():
    assert checked_names(["base", "new"]) == ("base", "new")


@pytest.mark.parametrize("names", ["AB", ["A"], ["A", "B", "C"], None, {"A", "B"}])
def test_names_must_be_a_pair(names):
    with pytest.raises(InputError, match="names must be a pair of names"):
        checked_names(names)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"unit_name": " "}, "unit_name must be a name, found ' '"),
        ({"unit_name": 3}, "unit_name must be a name, found 3"),
        ({"unit_name": "response"}, "unit_name: 'response' is the name of another unit"),
        ({"key_name": "cluster"}, "key_name: 'cluster' is the name of another unit"),
        ({"key_name": "x", "cluster_name": "x"}, "key_name and cluster_name must differ"),
    ],
)
def test_names_of_units(names, message):
    with pytest.raises(InputError, match=message):
        checked_level_names(**names)


def test_a_level_may_have_its_own_name():
    checked_level_names(key_name="key", cluster_name="story")
