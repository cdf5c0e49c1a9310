"""Doubts about which file is the gold: silent on real systems, loud where nothing else is left."""

from __future__ import annotations

import csv
import itertools
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import EXAMPLES

import csig
from csig.comparison import Comparison
from csig.readers import read_tags
from csig.readers.roles import role_cautions, three_of

DIGITS = EXAMPLES / "digits"
NAMES = ("I", "II")


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def real(shared_data):
    """Gold and two systems: sets of responses, and columns of labels."""
    wnut = shared_data("wnut17_ner")
    conll = shared_data("conll03_ner_tags") / "conll03_test_tags.tsv"
    names = ("gold.emerging.test.annotated.conll", "spinningbytes.conll", "uh_ritual.conll")
    tags = [
        read_tags(*(wnut / name for name in names)),
        read_tags(*((conll, name) for name in ("gold", "elmo", "flair"))),
    ]
    responses = [[own.gold, own.a, own.b] for own in tags]
    files = ("gold", "logistic-regression", "nearest-centroid")
    responses.append([(DIGITS / f"{name}.tsv").read_text().split() for name in files])
    sst2 = rows(shared_data("cls_figqa_sst2_outputs") / "sst2_labels.csv")
    three = rows(shared_data("mlxtend_cochran_q") / "predictions.csv")
    columns = [("gold", "cnn", "lstm")]
    columns += [("y_true", *pair) for pair in itertools.combinations(("clf1", "clf2", "clf3"), 2)]
    labels = [
        [[row[name] for row in (sst2 if "gold" in own else three)] for name in own]
        for own in columns
    ]
    return responses, labels


def test_real_systems_raise_no_doubt(real):
    responses, labels = real
    for gold, a, b in responses:
        for pair in ((a, b), (b, a)):
            assert role_cautions(Comparison.from_responses(gold, *pair)) == []
    for gold, a, b in labels:
        for pair in ((a, b), (b, a)):
            assert role_cautions(Comparison.from_labels(gold, *pair)) == []
            for positive in set(gold):
                found = Comparison.from_labels(gold, *pair, positive=positive)
                assert role_cautions(found) == []


def test_models_with_questions_of_two_answers(shared_data):
    """The right answer is one of two, so that models agree where both are right or both wrong."""
    found = rows(shared_data("cls_figqa_sst2_outputs") / "figqa_correct.csv")
    models = [name for name in found[0] if name not in ("item", "pair")]
    gold = [str(i % 2) for i in range(len(found))]
    said = {
        name: [
            right if row[name] == "1" else str(1 - int(right))
            for right, row in zip(gold, found, strict=True)
        ]
        for name in models
    }
    assert len(models) == 5
    for a, b in itertools.permutations(models, 2):
        comparison = Comparison.from_labels(gold, said[a], said[b])
        assert comparison.scores("accuracy")[0] == pytest.approx(
            sum(row[a] == "1" for row in found) / len(found)
        )
        assert role_cautions(comparison) == []


def noisy(gold: list[csig.Span], rng: random.Random, share: float) -> list[csig.Span]:
    """A system that finds most, and calls the rest something else, each by itself."""
    return [
        span._replace(label=span.label + "?") if rng.random() < share else span for span in gold
    ]


def test_real_gold_given_as_a_system(shared_data):
    """Systems whose errors are their own: in the wrong order the gold stands between them."""
    conll = shared_data("conll03_ner_tags") / "conll03_test_tags.tsv"
    gold = read_tags((conll, "gold"), (conll, "gold")).gold
    rng = random.Random(1)
    one, two = noisy(gold, rng, 0.12), noisy(gold, rng, 0.1)
    assert role_cautions(Comparison.from_responses(gold, one, two)) == []
    for order in ((one, gold, two), (two, gold, one)):
        (said,) = role_cautions(Comparison.from_responses(*order, names=NAMES))
        assert said.startswith("Is I the gold? It agrees with the gold (F1 ")
    (said,) = role_cautions(Comparison.from_responses(one, two, gold, names=NAMES))
    right, first, second = (len(set(x)) for x in (gold, one, two))
    assert right == first == second
    f1 = [f"{100 * len({*x} & {*y}) / right:.1f}%" for x, y in
          ((one, gold), (two, gold), (one, two))]  # fmt: skip
    alone = [len({*x} - {*y} - {*z}) + len(({*y} & {*z}) - {*x}) for x, y, z in
             ((one, two, gold), (two, one, gold), (gold, one, two))]  # fmt: skip
    assert said == (
        f"Is II the gold? It agrees with the gold (F1 {f1[0]}) and with I ({f1[1]}) far more than "
        f"these two with each other ({f1[2]}); the gold is alone against the other two in "
        f"{alone[0]:,} responses, I in {alone[1]:,}, II in only {alone[2]:,}."
    )


@pytest.mark.parametrize(
    ("own", "others", "doubt"), [(10, 40, True), (11, 40, False), (5, 20, True), (1, 19, False)]
)
def test_how_often_the_others_stand_alone(own, others, doubt):
    """Four times as often, and twenty times at least."""
    common = {f"x{i}" for i in range(500)}
    gold, a, b = (
        common | {f"{name}{i}" for i in range(n)}
        for name, n in (("gold", others), ("a", own), ("b", others))
    )
    assert bool(role_cautions(Comparison.from_responses(gold, a, b))) is doubt


def test_real_labels_given_in_the_wrong_order(shared_data):
    gold = [row["gold"] for row in rows(shared_data("cls_figqa_sst2_outputs") / "sst2_labels.csv")]
    rng = random.Random(2)
    other = {"positive": "negative", "negative": "positive"}
    one, two = ([other[g] if rng.random() < 0.08 else g for g in gold] for _ in "ab")
    assert role_cautions(Comparison.from_labels(gold, one, two)) == []
    (said,) = role_cautions(Comparison.from_labels(one, gold, two, names=NAMES))
    assert said.startswith("Is I the gold? It agrees with the gold (9")
    assert "items, II in" in said
    positive = Comparison.from_labels(one, gold, two, names=NAMES, positive="positive")
    assert role_cautions(positive) == [said]


def test_real_labels_of_rows_in_another_order(shared_data):
    found = rows(shared_data("cls_figqa_sst2_outputs") / "sst2_labels.csv")
    gold, a, b = ([row[name] for row in found] for name in ("gold", "cnn", "lstm"))
    random.Random(3).shuffle(gold)
    for positive in (None, "negative"):
        comparison = Comparison.from_labels(gold, a, b, names=("cnn", "lstm"), positive=positive)
        (said,) = role_cautions(comparison)
        assert said.startswith("cnn and lstm agree with the gold on ")
        assert said.endswith(
            "but with each other on 91.2%: is it the right gold, with its rows in the same order?"
        )


def test_no_response_of_either_system_in_the_gold():
    a, b = ["1", "2"], ["1"]
    (said,) = role_cautions(Comparison.from_responses(["x"], a, b, names=NAMES))
    assert said == (
        "None of the responses of I (2) or II (1) is in the gold (1): is it the right gold? "
        "I and II share 1."
    )
    (said,) = role_cautions(Comparison.from_responses(["1"], a, ["x"], names=NAMES))
    assert said == "None of the responses of II is in the gold. Is it the right file?"
    assert role_cautions(Comparison.from_responses([], a, b)) == []  # which is a note of its own
    assert role_cautions(Comparison.from_responses(["1"], a, [])) == []


def test_no_label_of_either_system_is_the_golds():
    right, a, b = list("xyz"), list("XYZ"), list("XYY")
    (said,) = role_cautions(Comparison.from_labels(right, a, b, names=NAMES))
    assert said == (
        "No label of I or II is that of the gold, on 3 items: is it the right gold, written in the "
        "same way and in the same order?"
    )
    assert role_cautions(Comparison.from_labels(right, a, list("xYY"))) == []


def test_nothing_is_known_of_scores_and_counts():
    assert role_cautions(Comparison.from_scores([0, 0, 1], [1, 0, 0])) == []
    rows_ = [[0, 2, 3], [0, 1, 4]]
    columns = ("tp", "predicted", "gold")
    assert role_cautions(Comparison.from_statistics(rows_, rows_, columns)) == []
    items = [[0, 9], [0, 4]]
    assert role_cautions(Comparison.from_statistics(items, items, ("correct", "items"))) == []
    cells = [[3, 1, 0, 0], [0, 0, 1, 1]]
    columns = ("tp", "fp", "fn", "tn")
    assert role_cautions(Comparison.from_statistics(cells, cells, columns)) == []


SETS = st.lists(st.integers(0, 12), unique=True)


@given(SETS, SETS, SETS)
def test_alone_against_the_other_two(gold, a, b):
    three = three_of(Comparison.from_responses(gold, a, b))
    assert three is not None
    sets = [set(own) for own in (gold, a, b)]
    expected = []
    for i in range(3):
        mine, (one, other) = sets[i], [sets[j] for j in range(3) if j != i]
        expected.append(len(mine - one - other) + len((one & other) - mine))
    assert three.alone == expected
    for share, (x, y) in zip(three.shares, itertools.combinations(sets, 2), strict=True):
        size = len(x) + len(y)
        assert share == (2 * len(x & y) / size if size else 0)


@given(st.lists(st.tuples(*[st.sampled_from("xyz")] * 3), min_size=1, max_size=30))
def test_labels_in_common(items):
    gold, a, b = (list(own) for own in zip(*items, strict=True))
    three = three_of(Comparison.from_labels(gold, a, b, clusters=["c"] * len(items)))
    assert three is not None
    n = len(items)
    pairs = ((gold, a), (gold, b), (a, b))
    common = tuple(sum(x == y for x, y in zip(*pair, strict=True)) for pair in pairs)
    assert (three.sizes, three.common) == ((n, n, n), common)
    both = sum(g == x == y for g, x, y in items)
    none = sum(len({g, x, y}) == 3 for g, x, y in items)
    assert sum(three.alone) == n - both + none / 2
