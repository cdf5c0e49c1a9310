"""What is said of a comparison over data sets: when, and when not."""

import pytest

from csig.data.several import dataset_table
from csig.datasets.pairs import advice_on, doubts, overall_doubts


def of(
    n, k, test="wilcoxon", correction="holm", *, pairs=None, alpha=0.05, shuffled=0, units=False
):
    rows = {str(j): [(i * (j + 2)) % 7 for i in range(n)] for j in range(k)}
    if units:
        rows = {name: {i: [own, own] for i, own in enumerate(row)} for name, row in rows.items()}
    return doubts(
        dataset_table(rows), test, correction, alpha,
        n_pairs=k * (k - 1) // 2 if pairs is None else pairs, n_shuffled=shuffled,
    )  # fmt: skip


def test_nothing_to_say():
    assert of(20, 6) == ()
    assert of(20, 2) == ()


@pytest.mark.parametrize(
    ("n", "k", "said"),
    [(10, 6, True), (11, 6, False), (11, 5, True), (30, 3, True), (31, 3, False), (900, 5, False)],
)
def test_friedman_is_rough_with_few(n, k, said):
    assert any("rough approximation" in own for own in overall_doubts(k, n)) is said


def test_too_few_data_sets_for_any_verdict():
    """2^(1 - n) m > alpha: with 7 data sets 1/64 times 3; 8 suffice for two pairs, not for six."""
    assert "none of 3 pairs can be significant at 0.05 after the correction holm" in of(6, 3)[0]
    assert "below 0.0625: it is above 0.05, whatever the scores" in of(5, 2)[0]
    assert not any("none of" in own for own in of(8, 2, pairs=2))
    assert any("none of" in own for own in of(7, 4, pairs=6))
    assert not any("none of" in own for own in of(7, 4, "t", pairs=6))
    assert not any("none of" in own for own in of(7, 4, correction="bh", pairs=6))


def test_what_the_choice_assumes():
    assert any("depends on which others" in own for own in of(20, 6, "ranks", "nemenyi"))
    assert any("takes from 'j equals k" in own for own in of(20, 6, correction="shaffer"))
    assert not any("takes from" in own for own in of(20, 6, "anova", "shaffer"))


def test_data_that_say_nothing_or_were_shuffled():
    table = dataset_table({"a": [1] * 9, "b": [1] * 9})
    found = doubts(table, "wilcoxon", "holm", 0.05, n_pairs=1, n_shuffled=0)
    assert found == ("All systems have the same scores: nothing can differ.",)
    assert of(20, 6, shuffled=2) == ()  # of tests beside the chosen one
    assert of(20, 6, "randomization", shuffled=2) == (
        "2 p-values of pairs are from shuffles, not exact.",
    )
    assert "40 items in 20 data sets of 2 each" in of(20, 6, units=True)[0]


def test_advice_names_its_sources():
    for own in (advice_on(2, 10, False), advice_on(6, 10, True)):
        assert any("Demsar 2006" in line for line in own)
    assert not any("Nemenyi" in own for own in advice_on(2, 10, False))
    assert any("Benavoli" in own and "Nemenyi" in own for own in advice_on(6, 10, False))
    assert any("other units of these data sets" in own for own in advice_on(6, 10, True))


def test_what_symmetry_is_for():
    assert any("symmetric around zero" in own for own in advice_on(2, 10, False))
    assert any("Conover" in own and "too small" in own for own in advice_on(3, 10, False))


def test_benjamini_and_yekutieli_need_more_data_sets():
    """6 pairs: 2^-5 (1 + 1/2 + ... + 1/6) is 0.077, and 2^-6 of it 0.038."""
    assert any("correction by" in own for own in of(6, 4, correction="by"))
    assert not any("none of" in own for own in of(7, 4, correction="by"))
    assert not any("none of" in own for own in of(6, 4, correction="bh"))
