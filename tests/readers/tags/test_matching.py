"""Tags of files whose tokens are spelt differently: matched by position."""

from __future__ import annotations

import random

import pytest
from written import refusal

from csig.data.conflicts import Span
from csig.readers import read_tags

GOLD = '# newdoc id = x\nHe\tO\nsaid\tO\n"\tO\n\nAda\tB-P\nB.\tI-P\n\n# newdoc id = y\nYes\tO\n'


def test_other_spelling_other_documents(write):
    """The tags stand where they stand; what else is in the file says nothing."""
    gold = write("gold.tsv", GOLD)
    lines = "he\tO\nsaid\tB-P\n``\tO\n\nAda\tB-P\nB.\tI-P\n\n# newdoc id = z\nyes\tO\n"
    a = write("a.tsv", lines)
    found = read_tags(gold, a, gold, match="position")
    assert found.a == [Span(0, 1, 2, "P"), Span(1, 0, 2, "P")]
    assert found.systems[1] == found.gold == [Span(1, 0, 2, "P")]
    assert found.documents == ["x", "x", "y"]
    assert (found.n_sentences, found.n_tokens) == (3, 6)
    assert found.notes == (
        f"3 of 6 tokens are spelt differently in {gold} and {a}, the first 'He' (line 2) and 'he' "
        f"(line 1); they are matched by position.",
    )
    assert found.cautions == (f"3 of 6 tokens differ in {gold} and {a}. Is it the same text?",)
    assert "if it is only spelt differently, give --match position" in refusal(read_tags, gold, a)


@pytest.mark.parametrize("scheme", [None, "plain"])
@pytest.mark.parametrize("marks", [(True, False), (False, True), (True, True)])
def test_document_lines_may_be_missing(write, scheme, marks):
    """Lines with -DOCSTART- are no words; the tags around them are where they were."""
    texts = ["-DOCSTART- O\n\n" * mark + "u B-X\nv I-X\n\n" for mark in marks]
    texts = [t + "-DOCSTART- O\n\n" * m + "w O\n" for t, m in zip(texts, marks, strict=True)]
    paths = [write(f"{i}.txt", text) for i, text in enumerate(texts)]
    found = read_tags(*paths, match="position", scheme=scheme)
    if scheme is None:
        assert [s[1:] for s in found.a] == [s[1:] for s in found.gold] == [(0, 2, "X")]
        assert found.a == found.gold
    else:
        assert found.labels == [["B-X", "I-X", "O"]] * 2
    assert found.documents == (["1", "1", "2", "2"] if marks[0] else None)
    assert found.notes == ()


def test_sentences_of_the_gold(write):
    gold = write("gold.tsv", GOLD)
    a = write("a.txt", "O\nO\nB-Q\nI-Q\nO\nO\n")
    found = read_tags(gold, a, match="position")
    assert found.a == [Span(0, 2, 3, "Q"), Span(1, 0, 1, "Q")]  # no entity over their ends
    assert found.notes == (f"{a} marks no sentences: those of {gold} are used.",)
    b = write("b.txt", "O\nO\nB-Q\nI-Q\nO\n")
    assert refusal(read_tags, gold, b, match="position") == (
        f"{gold}: 3 sentences and 6 tokens, but 1 sentence and 5 tokens in {b}; expected the same "
        "numbers, to match by position"
    )


def test_sentences_of_other_lengths(write):
    gold = write("gold.tsv", GOLD)
    a = write("a.txt", "-DOCSTART- O\n\nO\nO\nO\n\nO\n\nO\nO\n".replace("\nO", "\nx O"))
    assert refusal(read_tags, gold, a, match="position") == (
        f"{gold} line 6: sentence 2 has 2 tokens, but 1 in {a} (line 7); expected the same "
        "number, to match by position"
    )
    short = write("b.txt", "x O\ny O\nz O\n\nx O\ny O\n")
    assert refusal(read_tags, gold, short, match="position") == (
        f"{gold}: 3 sentences and 6 tokens, but 2 sentences and 5 tokens in {short}; expected the "
        "same numbers, to match by position"
    )
    assert refusal(read_tags, gold, gold, match="text") == (
        "match: found 'text', expected 'token' or 'position'"
    )


def test_random_files(write):
    """Against a reading of the tags alone."""
    rng = random.Random(3)
    for turn in range(20):
        lengths = [rng.randint(1, 4) for _ in range(rng.randint(1, 8))]
        tags = [
            [[rng.choice(["O", "B-X", "I-X"]) for _ in range(n)] for n in lengths] for _ in "ab"
        ]
        paths, plain = [], []
        for name, own in zip("ab", tags, strict=True):
            words = [[f"{rng.choice('xyz')} {tag}" for tag in sentence] for sentence in own]
            start = [rng.choice(["", "-DOCSTART- O\n\n"]) for _ in words]
            sentences = ["\n".join(sentence) + "\n\n" for sentence in words]
            text = "".join(s + t for s, t in zip(start, sentences, strict=True))
            paths.append(write(f"{turn}{name}.txt", text))
            texts = ["\n".join(sentence) for sentence in own]
            plain.append(write(f"{turn}{name}.tags", "\n\n".join(texts) + "\n"))
        found, expected = read_tags(*paths, match="position"), read_tags(*plain)
        for one, other in ((found.gold, expected.gold), (found.a, expected.a)):
            assert [span[1:] for span in one] == [span[1:] for span in other]
        assert found.gold == read_tags(paths[0]).gold


@pytest.mark.parametrize("match", ["token", "position"])
def test_documents_of_a_system_alone(write, match):
    gold = write(
        "right.tsv", GOLD.replace("# newdoc id = x\n", "").replace("# newdoc id = y\n", "")
    )
    a = write("a.tsv", GOLD)
    found = read_tags(gold, a, match=match)
    assert found.documents is None
    assert found.cautions == (
        f"{a} marks documents, the gold ({gold}) does not: these marks are ignored. Is it the "
        "gold?",
    )
    assert read_tags(a, gold, match=match).cautions == ()
    of_sentences = write("documents.txt", "x\nx\ny\n")
    assert read_tags(gold, a, match=match, documents=of_sentences).cautions == ()


def test_real_tags_with_tokens_spelt_differently(shared_data, write):
    """Quotes and digits in another spelling, no sentence marks: the same entities."""
    path = shared_data("conll03_ner_tags") / "conll03_test_tags.tsv"
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    gold, a = "", ""
    for i, (sentence, token, right, said, _) in enumerate(rows):
        if i and token == "0":
            gold += "\n"
        gold += f"{sentence}.{token}\t{right}\n"
        a += f"{sentence}.{'#' if token == '7' else token}\t{said}\n"
    paths = write("gold.tsv", gold), write("a.tsv", a)
    expected = read_tags((path, "gold"), (path, "elmo"))
    found = read_tags(*paths, match="position")
    assert found.gold == expected.gold
    assert found.a == expected.a
    assert "--match" not in refusal(read_tags, *paths)  # a differs in more than spelling
    sevens = sum(row[1] == "7" for row in rows)
    assert found.notes[0].startswith(f"{sevens:,} of 46,435 tokens are spelt differently in")
    assert found.notes[1].endswith(f"marks no sentences: those of {paths[0]} are used.")
