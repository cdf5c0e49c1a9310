"""Tables of units and tags on the command line: from a file to a verdict with one command."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product

import commands
import pytest
from brute import textbook_holm
from commands import said_beside, words, write
from written import text_file

import csig

run = partial(commands.run, "compare")
record = partial(commands.record, "compare")


FOUR = "id,w,x,y,z\n" + "".join(f"q{i},{i % 3},{i % 4},{(i * 7) % 5},{i % 3}\n" for i in range(24))


def test_each_system_with_the_first():
    """Its results do not depend on how many others there are."""
    path = text_file(FOUR)
    drawn = ("--seed", "1", "--method", "approximate", "--resamples", "999")
    found = record(path, *drawn)
    assert (found["schema"], found["baseline"], found["correction"]) == (
        "csig.compare.systems", "w", "holm",
    )  # fmt: skip
    pvalues = []
    for name, own in zip("xyz", found["comparisons"], strict=True):
        pair = record(path, "--system", "w", "--system", name, *drawn)
        for part in (own, pair):  # the notes are those of all systems
            assert part["results"][0]["seed"]["entropy"] == ["1"]
        assert (own["results"], own["comparison"]) == (pair["results"], pair["comparison"])
        pvalues.append(own["results"][0]["pvalue"])
    adjusted = [row["adjusted_pvalue"] for row in found["results"]]
    assert adjusted == [row.adjusted_pvalue for row in csig.classical.holm(pvalues)]
    assert adjusted == pytest.approx(textbook_holm(pvalues))
    assert found["comparisons"][2]["comparison"]["identical"] is True


def test_fresh_entropy_is_one_for_all_systems():
    found = record(text_file(FOUR), "--method", "approximate", "--resamples", "99")
    seeds = [own["results"][0]["seed"]["entropy"] for own in found["comparisons"]]
    assert seeds[0] == seeds[1] == seeds[2]
    assert f"|seed:{seeds[0][0]}|" in found["signature"]


def test_standard_input_and_names():
    data = b"id,a,b\n1,1,0\n2,0.5,0\n"
    output = run("-", "--name-a", "old", "--name-b", "new", "--explain", stdin=data)
    assert "Input  a table of scores, 2 items (-)" in output
    assert "old    2 items, total score 1.5" in output
    # Another input, not the one remembered.
    assert "3 items" in run("-", "--explain", stdin=b"id,a,b\n1,1,0\n2,0,0\n4,1,1\n")


GOLD, A, B = "XYXZXX", "XXYZXX", "YYXXXZ"


def test_one_label_of_plain_tags():
    """Recall by all shuffles of the tokens, in fractions."""
    for name, labels in (("g", GOLD), ("a", A), ("b", B)):
        rows = [f"{token} {label}" for token, label in zip("uvwxyz", labels, strict=True)]
        write(f"{name}.txt", *rows[:3], "", *rows[3:])
    given = ("g.txt", "a.txt", "b.txt", "--scheme", "plain", "--positive", "Y")
    found = record(*given, "--unit", "token")
    assert (found["comparison"]["unit"], found["input"]["n_sentences"]) == ("token", 2)
    assert [row["metric"] for row in found["results"]] == ["recall", "precision", "f1"]
    differences = [
        (gold == "Y") * ((a == gold) - (b == gold)) for gold, a, b in zip(GOLD, A, B, strict=True)
    ]
    sums = [
        sum(s * d for s, d in zip(signs, differences, strict=True))
        for signs in product((1, -1), repeat=len(GOLD))
    ]
    share = Fraction(sum(abs(own) >= abs(sum(differences)) for own in sums), len(sums))
    assert found["results"][0]["pvalue"] == pytest.approx(float(share), rel=1e-12)
    assert record(*given)["comparison"]["unit"] == "sentence"


def upper(line: str) -> str:
    token, tag = line.split("\t")
    return f"{token}\t{tag if tag == 'O' else tag[:2] + tag[2:].upper()}"


@pytest.mark.parametrize(
    ("order", "change", "caution"),
    [
        ((0, 1, 2), str, None),
        # Renamed, so that no name tells; the tagger's own mistakes do.
        ((1, 0, 2), str, "34 of 824 entities begin with the tag of a later token, I or E, the"),
        # The labels of both systems in other case.
        ((0, 1, 2), upper, "None of the responses of 2 is in the gold. Is it the right file?"),
        # Sentences that are lost leave one unit.
        ((0, 1, 2), None, "All the data are one sentence, and a test on one unit cannot show any"),
    ],
)
def test_cautions_about_real_files(shared_data, order, change, caution):
    names = ("gold.emerging.test.annotated", "spinningbytes", "uh_ritual")
    for i, name in enumerate(names):
        text = (shared_data("wnut17_ner") / f"{name}.conll").read_text(encoding="utf-8")
        lines = text.splitlines()
        if change is None:
            lines = list(filter(None, lines))
        elif i:
            lines = [line and change(line) for line in lines]
        write(f"{i}.conll", *lines)
    given = ("compare", *(f"{i}.conll" for i in order), "--no-sensitivity", "--metric", "f1")
    found = said_beside(*given)["cautions"]
    assert bool(found) is (caution is not None)
    if caution is not None:
        said = words(*given, "--strict", status=3)
        assert caution in said
        assert said.startswith("Caution: ")
