"""Tags and labels on the command line: matched by position, plain labels, single tokens, lines."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from commands import record, refused, run, said_beside, words, write

GOLD = ["u X", "v Y", "w X", "", "x Z", "y X", "z X"]
SYSTEM_A = ["u X", "v X", "w Y", "", "x Z", "y X", "z X"]
SYSTEM_B = ["u Y", "v Y", "w X", "", "x X", "y X", "z Z"]
COLUMNS = ("--gold-column", "gold", "--system", "a", "--system", "b")
PLAIN = ("--scheme", "plain")
LABELS = ("--format", "labels")
#: The words of the tables are no ids.
WORDS = ("--ignore", "t")
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


def test_tokens_spelt_differently(files):
    given = ("compare", *files[:2], write("c.txt", *map(str.upper, SYSTEM_B)), *PLAIN)
    assert "--match position  # if it is only spelt differently" in refused(*given)
    found = record(*given, "--match", "position")
    assert found["results"] == record("compare", *files, *PLAIN)["results"]
    said = said_beside(*given, "--match", "position")
    (note,) = [note for note in said["notes"] if "spelt differently" in note]
    assert note.startswith("6 of 6 tokens are spelt differently in g.txt and c.txt, the first 'u'")
    assert "Is it the same text?" in said["cautions"][0]
    assert "Caution: 6 of 6 tokens differ" in words(*given, "--match", "position")


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


LINES = {"g": "xxyyxzxy", "a": "xyyyxzxx", "b": "xxyxxzyy"}


@pytest.fixture
def lines() -> tuple[str, ...]:
    return tuple(write(name, *text) for name, text in LINES.items())


def test_one_label_per_line(lines):
    """Items, and not one sentence of tags: as in a table of the same labels."""
    found = record("compare", *lines)
    assert (found["input"]["format"], found["comparison"]["n_total"]) == ("labels", 8)
    rows = (",".join(map(str, row)) for row in zip(range(8), *LINES.values(), strict=True))
    table = write("t.csv", "id,gold,a,b", *rows)
    assert pvalues(found) == pvalues(record("compare", table))
    said = words("compare", *lines, "--explain")
    assert "labels, one per line, 8 items (g, a, b)" in said
    assert record("compare", *lines, *LABELS)["results"] == found["results"]
    positive = record("compare", *lines, "--positive", "y")
    assert [row["metric"] for row in positive["results"]] == ["recall", "precision", "f1"]
    assert "Macro F1 by gold" in words("compare", *lines, "--by", "gold")
    four = record("compare", *lines, write("c.txt", *"xxyyxzxx"))
    assert [own["comparison"]["n_total"] for own in four["comparisons"]] == [8, 8]
    left = ("g", write("m", *"xx", "", *"yxzxy"), "b", *LABELS, "--allow-missing", "intersection")
    assert record("compare", *left)["comparison"]["n_total"] == 7
    many = record("compare", "g", "a", write("many", *"abcdefgx"), *LABELS)
    assert many["doubts"] == []


TABLE = ["t,gold,a,b", "u,B-X,B-X,O", "v,O,O,O", "", "w,B-Y,O,B-Y"]
TEXTS = {
    "g.txt": GOLD,
    "a.txt": SYSTEM_A,
    "b.txt": SYSTEM_B,
    "t.tsv": ["gold\ta\tb", "B-X\tB-X\tO", "I-X\tO\tB-X", "O\tO\tO"],
    "x.tsv": [row.replace(",", "\t") for row in TABLE],
    "x.csv": TABLE,
    **{name: [*text] for name, text in LINES.items()},
    **{f"{name}.txt": [*"010011"] for name in ("n1", "n2", "gold")},
    "n3.txt": [*"110011"],
}


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (["g.txt", "a.txt", "b.txt", *PLAIN, "--positive", "W"], ["no item has the label 'W'"]),
        # An entity is no token: what is possible instead is said.
        (["t.tsv", *COLUMNS, "--unit", "token"],
         ["--unit token is not possible here, only response, conflict, sentence;",
          "labels of tokens have it (--scheme plain)"]),
        (["t.tsv", *COLUMNS, *PLAIN, "--unit", "token"], ("labels", "token", 3)),
        (["g.txt", "a.txt", "b.txt", "--format", "tags"],
         ["--format tags --scheme plain  # for labels that are not entities"]),
        (["g", "a", "b", "--unit", "token"], ["--unit token is not possible here"]),
        (["n1.txt", "n2.txt", "n3.txt"],
         ["each of 3 files has one whole number a line",
          "--format labels     # the first has the right labels, one a line"]),
        (["gold.txt", "n2.txt", "n3.txt"],
         ["gold.txt: a gold among files with one number per line"]),
        (["gold.txt", "n2.txt", "n3.txt", *LABELS], ("labels", "unit", 6)),
        (["n1.txt", "n2.txt", "--format", "scores"], ("scores", "unit", 6)),
        (["x.tsv"], ["x.tsv --gold-column gold --system a --system b"]),
        (["x.tsv", *COLUMNS], ("tags", "sentence", 2)),
        (["x.tsv", *LABELS, *WORDS], ("labels", "sentence", 2)),
        (["x.csv", *LABELS, *WORDS], ("labels", "sentence", 2)),
    ],
)  # fmt: skip
def test_what_is_refused_or_read(given, found):
    """The messages of a refusal; or the format, the unit and how many there are."""
    for name in given:
        if name in TEXTS:
            write(name, *TEXTS[name])
    if isinstance(found, list):
        said = refused("compare", *given)
        assert [own for own in found if own not in said] == []
    else:
        result = record("compare", *given)
        units = result["comparison"]
        assert (result["input"]["format"], units["unit"], units["n_total"]) == found


def test_a_gold_among_the_systems():
    """Each system errs by itself; given in the wrong order, the gold lies between them."""
    gold = ["x" if i % 3 else "y" for i in range(400)]
    one, two = (["z" if i % 20 == at else label for i, label in enumerate(gold)] for at in (0, 7))
    files = [write(f"{i}.txt", *own) for i, own in enumerate((gold, one, two))]
    assert "as labels, 'z' would be unknown to the gold" in refused("compare", *files)
    assert record("compare", *files, *LABELS)["doubts"] == []
    wrong = [files[1], files[0], files[2]]
    (caution,) = said_beside("compare", *wrong)["cautions"]
    assert caution == (
        "Is 0 the gold? It agrees with the gold (95.0%) and with 2 (95.0%) far more than these two "
        "with each other (90.0%); the gold is alone against the other two in 20 items, 2 in 20, 0 "
        "in only 0."
    )
    assert f"Caution: {caution}" in words("describe", *wrong)
    assert "Caution: Is 0 the gold?" not in words("describe", *files, *LABELS)
    assert "the gold?" in words("compare", *wrong, "--strict", status=3)


def table_of(delimiter: str, names: str) -> str:
    rows = [names.replace(" ", delimiter)]
    for lines_ in zip(GOLD, SYSTEM_A, SYSTEM_B, strict=True):
        cells = [line.split()[1] if line else "" for line in lines_]
        rows.append(delimiter.join([f"w{len(rows)}", *cells]) if lines_[0] else "")
    return write("table", *rows)


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
@pytest.mark.parametrize("names", ["t gold a b", "t gold_label one pred_label"])
def test_sentences_of_a_table_of_labels(files, delimiter, names):
    """The same p-values as of files with a token and a label a line, and of what is converted."""
    path = table_of(delimiter, names)
    assert "column 't' has another text in every row" in refused("compare", path)
    found = record("compare", path, *WORDS)
    assert found["comparison"]["unit"] == "sentence"
    assert [row["unit"] for row in found["sensitivity"]] == ["token", "sentence"]
    assert pvalues(found) == pvalues(record("compare", *files, *PLAIN))
    assert "6 items in 2 clusters by sentence" in words("compare", path, *WORDS, "--explain")
    assert "Blank lines divide 6 rows into 2 sentences" in words("compare", path, *WORDS)
    gold, *systems = names.split()[1:]
    options = ("--gold-column", gold, "--system", systems[0], "--system", systems[1])
    assert record("compare", path, *options)["results"] == found["results"]
    token = ("--unit", "token")
    tokens = record("compare", path, *WORDS, *token)
    assert tokens["results"] == record("compare", *files, *PLAIN, *token)["results"]
    run("convert", path, *WORDS, "--output", "s.csv")
    again = record("compare", "--statistics", "s.csv")
    assert pvalues(again) == pvalues(found)
    assert again["comparison"]["n_total"] == found["comparison"]["n_total"] == 2
