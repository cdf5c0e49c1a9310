"""Sources of the rules."""

import numpy as np
import pytest
from advised import CASES

import csig
from csig.advice.base import VERDICTS
from csig.advice.sources import SOURCES, publications


def test_publications_are_found_by_short_references() -> None:
    found = publications(["Yeh 2000, section 2.1; Noreen 1989", "docs/bootstrap.md"])
    assert [text.partition(" (")[0] for text in found] == ["Noreen, E.", "Yeh, A."]
    assert publications(["Smith 1900"]) == []


def test_every_reference_is_a_publication_or_a_page() -> None:
    """No test refers to what is not on the list, and nothing on the list is without a test."""
    rng = np.random.default_rng(1)
    found = [csig.recommend(make(), metric) for make, metric in CASES.values()]
    found.append(csig.recommend({name: rng.random(9) for name in "abc"}))
    found.append(csig.recommend({"a": [1, 0, 1], "b": [0, 0, 1], "c": [1, 1, 1]}))
    for folds in (None, 2):
        scores = {"a": rng.random(10), "b": rng.random(10)}
        found.append(csig.recommend(scores, rows="folds", folds=folds))
    for k in (2, 4):
        table = {f"s{i}": rng.random(12) for i in range(k)}
        found.append(csig.recommend(table, rows="datasets"))
    references = {own.source for one in found for own in one.tests}
    named = {part.strip() for own in references for part in own.split(";")}
    assert {own for own in named if not publications([own])} == {"docs/bootstrap.md"}
    assert {own.verdict for one in found for own in one.tests} == set(VERDICTS)
    used = set(publications(references))
    assert [key for key, text in SOURCES.items() if text not in used] == []


@pytest.mark.parametrize("key", SOURCES)
def test_keys_are_author_and_year(key: str) -> None:
    year = key[-4:]
    assert f"({year})" in SOURCES[key]
    assert SOURCES[key].startswith(key.split()[0])
