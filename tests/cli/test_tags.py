"""Tags and labels on the command line: matched by position, plain labels, single tokens, lines."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from commands import record, said_beside, words, write

GOLD = ["u X", "v Y", "w X", "", "x Z", "y X", "z X"]
SYSTEM_A = ["u X", "v X", "w Y", "", "x Z", "y X", "z X"]
SYSTEM_B = ["u Y", "v Y", "w X", "", "x X", "y X", "z Z"]
PLAIN = ("--scheme", "plain")
WNUT = ("gold.emerging.test.annotated.conll", "spinningbytes.conll", "uh_ritual.conll")


@pytest.fixture
def files() -> tuple[str, ...]:
    texts = {"g.txt": GOLD, "a.txt": SYSTEM_A, "b.txt": SYSTEM_B}
    return tuple(write(name, *lines) for name, lines in texts.items())


def pvalues(found):
    return [row["pvalue"] for row in found["results"]]


def recall_pvalue(positive: str) -> Fraction:
    """By all shuffles of the tokens, in fractions."""
    gold, a, b = ([x.split()[1] for x in own if x] for own in (GOLD, SYSTEM_A, SYSTEM_B))

    def difference(swapped: tuple[int, ...]) -> int:
        pairs = [(y, x) if s else (x, y) for x, y, s in zip(a, b, swapped, strict=True)]
        one, other = (
            sum(own == right == positive for own, right in zip(side, gold, strict=True))
            for side in zip(*pairs, strict=True)
        )
        return one - other

    shuffles = list(product((0, 1), repeat=len(gold)))
    observed = abs(difference(shuffles[0]))
    return Fraction(sum(abs(difference(s)) >= observed for s in shuffles), len(shuffles))


def test_one_label_of_plain_tags(files):
    found = record("compare", *files, *PLAIN, "--positive", "Y", "--unit", "token")
    assert (found["comparison"]["unit"], found["input"]["n_sentences"]) == ("token", 2)
    assert [row["metric"] for row in found["results"]] == ["recall", "precision", "f1"]
    assert pvalues(found)[0] == pytest.approx(float(recall_pvalue("Y")), rel=1e-12)
    by_sentence = record("compare", *files, *PLAIN, "--positive", "Y")
    assert by_sentence["comparison"]["unit"] == "sentence"


def upper(line: str) -> str:
    token, tag = line.split("\t")
    return f"{token}\t{tag if tag == 'O' else tag[:2] + tag[2:].upper()}"


@pytest.mark.parametrize(
    ("order", "change", "cautions"),
    [
        ((0, 1, 2), str, []),
        # Renamed, so that no name tells; the tagger's own mistakes do.
        ((1, 0, 2), str, ["34 of 824 entities begin with the tag of a later token, I or E, the"]),
        # The labels of both systems in other case.
        ((0, 1, 2), upper,
         ["None of the responses of 2 is in the gold. Is it the right file?"]),
        # Sentences that are lost leave one unit.
        ((0, 1, 2), None,
         ["All the data are one sentence, and a test on one unit cannot show anything"]),
    ],
)  # fmt: skip
def test_real_files(shared_data, order, change, cautions):
    folder = shared_data("wnut17_ner")
    paths = []
    for i, name in enumerate(WNUT):
        lines = (folder / name).read_text(encoding="utf-8").splitlines()
        if change is None:
            lines = list(filter(None, lines))
        elif i:
            lines = [line and change(line) for line in lines]
        paths.append(write(f"{i}.conll", *lines))
    given = [paths[i] for i in order]
    found = said_beside("compare", *given)["cautions"]
    assert bool(record("compare", *given)["doubts"]) is bool(found)
    assert bool(found) is bool(cautions)
    if cautions:
        said = words("compare", *given, "--strict", status=3)
        assert cautions[0] in said
        assert said.startswith("Caution: ")
