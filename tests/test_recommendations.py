"""``csig.recommend`` and ``csig.advice.all_tests``: whatever the data come as."""

import re
from pathlib import Path

import numpy as np
import pytest
from places import DOCS

import csig
from csig.advice.advising import all_tests, recommend
from csig.advice.base import SOURCES, VERDICTS

SCORES = {"base": [0, 1, 0, 0, 1, 0, 0, 1], "new": [1, 1, 1, 0, 1, 1, 0, 1]}


def test_two_systems_of_a_mapping_are_compared_as_the_command_does() -> None:
    found = recommend(SCORES)
    assert found.names == ("new", "base")
    assert found.test.call == 'csig.randomization_test(comparison, "accuracy")'
    more = {name: own * 3 for name, own in SCORES.items()}
    own = csig.compare(more)["accuracy"]
    tested = all_tests(more, rng=1, n_resamples=99, bootstrap_resamples=99)
    assert (tested.test.pvalue, tested.test.statistic) == (own.pvalue, own.difference)
    found = recommend(SCORES, cluster=[0, 0, 1, 1, 2, 2, 3, 3])
    assert (found.unit, found.n_units) == ("cluster", 4)
    by_id = {name: dict(enumerate(own)) for name, own in SCORES.items()}
    assert recommend(by_id, cluster={i: i // 2 for i in range(8)}).n_units == 4


def test_a_comparison_a_reading_and_a_mapping_say_the_same(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = [f"{a},{b}" for a, b in zip(*SCORES.values(), strict=True)]
    path.write_text("\n".join(["base,new", *rows]) + "\n", encoding="utf-8")
    reading = csig.read(path)
    of_file, of_mapping = recommend(reading), recommend(SCORES)
    of_comparison = recommend(reading.comparison(1, 0), "accuracy")
    assert of_file == of_mapping == of_comparison
    counts = "".join(f"q{i},{s},{1 + (s == 'a') * i % 2},2,3\n" for i in range(9) for s in "ab")
    path.write_text("id,system,tp,predicted,gold\n" + counts, encoding="utf-8")
    assert recommend(csig.read(path)).metric == "f1"


def test_many_systems() -> None:
    many = {**SCORES, "old": [0, 0, 0, 0, 1, 0, 0, 1]}
    found = recommend(many)
    assert found.test.test == "all pairs, Holm"
    assert found.names == ("base", "new", "old")
    assert all_tests(many, rng=1)["all pairs, flips"].pvalue is not None
    with pytest.raises(csig.InputError, match="tested two-sided"):
        all_tests(many, alternative="less")


def test_nothing_is_chosen_by_its_pvalue() -> None:
    """The same data with the systems' scores made more alike have the same recommendation."""
    rng = np.random.default_rng(1)
    noise, base = rng.normal(size=(2, 50)).round(3)
    for size in (0.0, 0.1, 5.0):
        found = recommend({"a": base, "b": base + noise + size})
        assert found.test.test.startswith("randomization test")


def test_data_sets_by_a_column_and_by_labels(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = [f"q{i},{'uvwxyz'[i % 6]},{i % 2},{int(i % 3 > 0)}" for i in range(36)]
    path.write_text("\n".join(["id,corpus,a,b", *rows]) + "\n", encoding="utf-8")
    reading = csig.read(path, systems=["a", "b"])
    found = recommend(reading, datasets="corpus")
    assert (found.rows, found.n_units, found.test.test) == (
        "datasets", 6, "Wilcoxon test over data sets",
    )  # fmt: skip
    scores = {"a": [i % 2 for i in range(36)], "b": [int(i % 3 > 0) for i in range(36)]}
    again = recommend(scores, datasets=["uvwxyz"[i % 6] for i in range(36)])
    assert [own.verdict for own in again.tests] == [own.verdict for own in found.tests]
    with pytest.raises(csig.InputError, match=r"datasets=: no column 'corpse'.*'corpus'"):
        recommend(reading, datasets="corpse")
    with pytest.raises(csig.InputError, match="tests over data sets are two-sided"):
        all_tests(scores, rows="datasets", alternative="less")


def test_folds_of_a_comparison() -> None:
    comparison = csig.Comparison.from_scores([0.5, 0.75, 0.25], [0.25, 0.75, 0.5])
    found = recommend(comparison, rows="folds")
    assert found.test.test == "corrected resampled t test"
    assert found.facts[0] == "Rows: 3 folds of one cross-validation; each tests 33.3% of the data."
    a, b = {"a": 1, "b": 2, "c": 1, "d": 3}, {"a": 2, "b": 0, "c": 1, "d": 0}
    ids = csig.Comparison.from_scores(a, b)
    assert recommend(ids, rows="folds").n_units == 4
    with pytest.raises(csig.InputError, match="a comparison with ids have no order"):
        recommend(ids, rows="folds", folds=2)


def test_the_page_names_every_source_and_every_test() -> None:
    page = (DOCS / "recommend.md").read_text(encoding="utf-8")
    sources = " ".join(page.partition("## Sources")[2].split())
    for text in SOURCES.values():
        year = re.search(r"\(\d{4}\)", text)
        assert year
        assert re.search(rf"{text.partition(',')[0]}[^()]*{re.escape(year[0])}", sources), text
    for verdict in VERDICTS:
        assert f"| {verdict} |" in page or f"| {verdict} (`!`) |" in page
