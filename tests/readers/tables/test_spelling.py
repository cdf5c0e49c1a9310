"""Systems whose labels are spelt in another way than the gold's: never dropped in silence."""

from __future__ import annotations

import csv
import random
from pathlib import Path

import pytest
from commands import record, refused, words
from written import file_of, refusal

from csig.errors import InputError
from csig.readers import read_table, read_tables
from csig.readers.tables.spelling import folded

N = 60
LABELS = ("pos", "neg", "none")


def answers(seed: int, accuracy: float, gold: list[str] | None = None) -> list[str]:
    """Labels, as often the gold's as that."""
    rng = random.Random(seed)
    right = gold or [rng.choice(LABELS) for _ in range(N)]
    if gold is None:
        return right
    return [x if rng.random() < accuracy else rng.choice(LABELS) for x in right]


GOLD = answers(1, 1)
X, Y = answers(2, 0.7, GOLD), answers(3, 0.6, GOLD)
IDS = [f"q{i}" for i in range(N)]

SPELLINGS = {
    "capitals": str.upper,
    "a capital": str.capitalize,
    "wide letters": lambda label: "".join(chr(ord(c) + 0xFEE0) for c in label),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("name", ["x", "y"])
def test_another_spelling_is_refused_with_the_pairs(spelling, name):
    """The first system, which would be the baseline, as well as the second."""
    columns = {"x": X, "y": Y}
    spell = SPELLINGS[spelling]
    columns[name] = [spell(label) for label in columns[name]]
    path = file_of(id=IDS, gold=GOLD, **columns)
    message = refusal(read_table, path)
    assert f"column {name!r} has the labels of the gold, column 'gold', in another spelling" in (
        message
    )
    for label in LABELS:
        assert f"{spell(label)!r} for {label!r}" in message
    assert f"--ignore {name}" in message
    assert list(read_table(path, ignore=[name]).systems) == [own for own in "xy" if own != name]
    assert read_table(path, ignore=[name]).cautions == ()


@pytest.mark.parametrize("both", [True, False])
def test_numbers_that_were_written_as_fractions(both):
    code = {"pos": "1", "neg": "0", "none": "2"}
    gold, x, y = ([code[label] for label in own] for own in (GOLD, X, Y))
    x = [f"{label}.0" for label in x]
    y = [f"{label}.0" for label in y] if both else y
    message = refusal(read_table, file_of(id=IDS, gold=gold, x=x, y=y))
    assert "column 'x' has the labels of the gold" in message
    assert "'1.0' for '1'" in message
    assert "--format scores" in message


def test_all_systems_in_another_spelling():
    path = file_of(id=IDS, gold=GOLD, x=[a.upper() for a in X], y=[a.upper() for a in Y])
    assert "in another spelling" in refusal(read_table, path)
    assert "'POS' for 'pos'" in refusal(read_table, path, gold="gold")
    assert "has no label of the gold, column 'gold'; found 'NEG' for 'neg', 'NONE' for 'none'" in (
        refusal(read_table, path, systems=["x", "y"])
    )


def test_cells_that_are_empty_in_both_are_no_label_in_common():
    path = file_of(id=["q0", *IDS], gold=["", *GOLD], x=["", *("up" for _ in X)], y=["", *Y])
    message = refusal(read_table, path, systems=["x", "y"], allow_missing=True)
    assert "column 'x' has no label of the gold, column 'gold'" in message


def test_some_labels_in_another_spelling_are_a_doubt():
    y = [label.upper() if label == "none" else label for label in Y]
    path = file_of(id=IDS, gold=GOLD, x=X, y=y)
    table = read_table(path)
    many = Y.count("none")
    assert table.cautions == (
        f"{many} labels of y are spelt as in 'NONE' for 'none' of the gold, and count as wrong. "
        f"Are they the same labels?",
    )
    assert read_table(path, systems=["x", "y"]).cautions == table.cautions
    found = words("compare", path)
    assert found.index("Caution: ") < found.index("Accuracy")


def test_labels_by_other_names_are_refused():
    names = {"pos": "P", "neg": "N", "none": "0"}
    path = file_of(id=IDS, gold=GOLD, x=X, y=[names[label] for label in Y])
    message = refusal(read_table, path)
    assert "column 'y' has other labels than the gold" in message
    for label, own in names.items():
        assert f"{own!r} for {label!r}" in message


def test_a_column_that_agrees_now_and_then_is_refused():
    mixed = [label if i % 3 == 0 else f"I would say {i}" for i, label in enumerate(Y)]
    path = file_of(id=IDS, gold=GOLD, x=X, y=mixed, z=Y)
    assert "column 'y' has labels of the gold, column 'gold', in 20 of 60 cells" in refusal(
        read_table, path
    )
    assert list(read_table(path, ignore=["y"]).systems) == ["x", "z"]
    assert list(read_table(path, systems=["y", "x"]).systems) == ["y", "x"]


def test_as_many_values_as_the_gold_are_a_doubt():
    rng = random.Random(9)
    path = file_of(id=IDS, gold=GOLD, x=X, y=Y, z=[rng.choice("uvw") for _ in IDS])
    table = read_table(path)
    assert list(table.systems) == ["x", "y"]
    assert (
        "Column 'z' was left out: it has 3 different values, as many as the gold"
        in (table.cautions[0])
    )
    assert read_table(path, ignore=["z"]).cautions == ()


def test_a_fold_beside_labels_that_are_numbers_is_no_system():
    gold = [str(i * 7 % 5) for i in range(N)]
    said = [g if i % 4 else "0" for i, g in enumerate(gold)]
    path = file_of(id=IDS, fold=[i % 5 for i in range(N)], gold=gold, x=said, y=said[::-1])
    table = read_table(path)
    assert list(table.systems) == ["x", "y"]
    assert "Column 'fold' was left out: it is named like a property" in table.cautions[0]
    assert list(read_table(path, systems=["fold", "x"]).systems) == ["fold", "x"]
    good = file_of(id=IDS, seed=said, gold=gold, x=said)
    assert list(read_table(good).systems) == ["seed", "x"]


ORDINARY = {
    "free text": [f"a film {i}" for i in range(N)],
    "a genre": [("drama", "crime")[i * 7 % 5 % 2] for i in range(N)],
    "lengths": [5 + i * 7 % 31 for i in range(N)],
    "probabilities": [round(i * 0.37 % 1, 3) for i in range(N)],
    "right or wrong": [int(x == g) for x, g in zip(X, GOLD, strict=True)],
    "nothing": [""] * N,
}


@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_columns_beside_labels(name):
    table = read_table(file_of(id=IDS, gold=GOLD, more=ORDINARY[name], x=X, y=Y))
    assert (list(table.systems), table.cautions) == (["x", "y"], ())
    assert list(table.others) == ["more"]
    assert "Columns that were not used: 'more'" in words("compare", "t.csv")


def test_signs_are_labels_of_their_own():
    signs = ["+" if i % 3 else "-" for i in range(N)]
    table = read_table(file_of(id=IDS, gold=signs, x=signs[::-1], y=signs))
    assert (list(table.systems), table.cautions) == (["x", "y"], ())
    assert folded("A-") != folded("A")


def test_files_of_one_system_each():
    one = file_of("one.csv", id=IDS, gold=GOLD, pred=X, said=[f"one {i}" for i in range(N)])
    two = file_of("two.csv", id=IDS, gold=GOLD, pred=[y.upper() for y in Y], said=IDS)
    with pytest.raises(InputError, match=r"two.csv: column 'pred' has the labels .* another spell"):
        read_tables([one, two])
    two = file_of("two.csv", id=IDS, gold=GOLD, pred=Y, said=IDS)
    table = read_tables([one, two])
    assert "Columns that differ between systems and were not used: 'said'" in " ".join(table.notes)
    assert "'said'" not in " ".join(read_tables([one, two], ignore=["said"]).notes)


def test_real_labels_in_capitals(shared_data):
    path = shared_data("cls_figqa_sst2_outputs") / "sst2_labels.csv"
    with open(path, newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    columns = dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))
    assert read_table(path).cautions == ()
    spelt = {name: [f"{label}.0" if label.isdigit() else label.upper() for label in cells]
             if name == "cnn" else cells for name, cells in columns.items()}  # fmt: skip
    changed = file_of(**spelt)
    assert "column 'cnn' has the labels of the gold" in refused("compare", changed)
    assert "found one system only, 'lstm'" in refused("compare", changed, "--ignore", "cnn")


def test_real_classifiers_with_labels_of_numbers(shared_data):
    path = shared_data("mlxtend_cochran_q") / "predictions.csv"
    text = Path(path).read_text(encoding="utf-8").splitlines()
    rows = [line.split(",") for line in text[1:]]
    at = text[0].split(",").index("clf1")
    lines = [",".join([*row[:at], f"{row[at]}.0", *row[at + 1 :]]) for row in rows]
    Path("t.csv").write_text("\n".join([text[0], *lines]) + "\n", encoding="utf-8")
    assert "column 'clf1' has the labels of the gold, column 'y_true'" in refused(
        "compare", "t.csv"
    )
    kept = record("compare", "t.csv", "--ignore", "clf1", "--metric", "accuracy")
    whole = record("compare", path, "--system", "clf2", "--system", "clf3", "--metric", "accuracy")
    assert kept["results"] == whole["results"]
