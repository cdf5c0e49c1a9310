"""Tags: the rules of conlleval, its published figures, and a message for every mistake."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from written import refusal

from csig.data.conflicts import Span, exclusions, lay_out, spans
from csig.errors import InputError
from csig.readers import looks_like_tags, read_tag_columns, read_tag_files, read_tags

# Published figures


def test_conll03_gives_the_published_counts(shared_data):
    """ELMo and Flair on CoNLL-2003: F1 92.2165 and 93.0274 by conlleval."""
    path = shared_data("conll03_ner_tags") / "conll03_test_tags.tsv"
    found = read_tag_columns(path, "gold", "elmo", "flair")
    assert (found.n_sentences, found.n_tokens) == (3453, 46435)
    gold, elmo, flair = set(found.gold), set(found.a), set(found.b)
    assert (len(found.gold), len(found.a), len(found.b)) == (5648, 5658, 5682)
    assert (len(gold), len(gold & elmo), len(gold & flair)) == (5648, 5213, 5270)
    assert len(elmo ^ flair) == 494
    unique = [*(elmo - flair), *(flair - elmo)]
    places = lay_out((None, spans(span)) for span in unique)
    assert exclusions(places, len(elmo - flair)).pairs == 199
    assert looks_like_tags(path)
    assert read_tag_columns(path, "3", "4", "5", sentence="1") == found


def test_wnut17_gives_the_published_counts(shared_data):
    """Strict F1 40.78 of spinningbytes and 41.86 of uh_ritual (Derczynski et al. 2017)."""
    folder = shared_data("wnut17_ner")
    paths = [
        folder / name
        for name in ("gold.emerging.test.annotated.conll", "spinningbytes.conll", "uh_ritual.conll")
    ]
    found = read_tag_files(*paths)
    assert (found.n_sentences, found.n_tokens) == (1287, 23394)
    gold, a, b = set(found.gold), set(found.a), set(found.b)
    assert (len(gold & a), len(found.a), len(found.gold)) == (388, 824, 1079)
    assert (len(gold & b), len(found.b)) == (355, 617)
    assert all(looks_like_tags(path) for path in paths)


def test_conlleval_sample_gives_the_printed_counts(shared_data):
    """The sample output of the conlleval page: by type, then phrases, found, correct."""
    path = shared_data("conlleval_sample") / "output.txt"
    found = read_tag_columns(path, "3", "4", None)
    assert found.b == []
    assert found.n_tokens == 961
    correct = set(found.gold) & set(found.a)
    assert (len(found.gold), len(found.a), len(correct)) == (459, 539, 371)
    n_gold, n_found, n_correct = (
        Counter(span.label for span in spans) for spans in (found.gold, found.a, correct)
    )
    assert n_found == {"NP": 317, "PP": 107, "VP": 100, "ADVP": 11, "SBAR": 3, "ADJP": 1}
    percent = {
        label: tuple(
            round(100 * n_correct[label] / n, 2) for n in (n_found[label], n_gold[label]) if n
        )
        for label in n_found
    }
    assert percent == {
        "NP": (64.98, 78.63),
        "PP": (83.18, 98.89),
        "VP": (69.00, 79.31),
        "ADVP": (45.45, 62.50),
        "SBAR": (66.67, 33.33),
        "ADJP": (0, 0),
    }
    assert looks_like_tags(path)


# Three files

GOLD = "Ada\tB-PER\nwas\tO\n\nin\tO\nParis\tB-LOC\n"
SPANS = [Span(0, 0, 1, "PER"), Span(1, 1, 2, "LOC")]


@pytest.mark.parametrize(
    "text",
    [
        GOLD,
        GOLD.replace("\n", "\r\n"),
        GOLD.removesuffix("\n"),
        "\n\n" + GOLD + "\n \t\n\n",
        GOLD.replace("\n\n", "\n\n  \n\t\n"),
        GOLD.replace("\t", " "),
        GOLD.replace("\t", "   "),
        GOLD.replace("\t", "\tNNP\t"),
        GOLD.replace("\t", " X X "),
        GOLD.replace("\tO\n", "\tO \n"),
        "".join(line.split("\t")[-1] + "\n" for line in GOLD.split("\n")),
        "\ufeff" + GOLD,
    ],
)
def test_layouts_of_one_text(write, text):
    other = write("other.conll", text)
    found = read_tag_files(write("gold.conll", GOLD), other, other)
    assert found.gold == found.a == found.b == SPANS
    assert (found.n_sentences, found.n_tokens) == (2, 4)


def test_one_system_alone(write):
    path = write("gold.conll", GOLD)
    found = read_tag_files(path, path, None)
    assert (found.a, found.b) == (SPANS, [])


@pytest.mark.parametrize("token", ["", " ", "\u3000", "\u00a0", "\u2028", "\x0b", "\x85", "#"])
def test_token_of_white_space_is_a_token_if_it_has_a_tag(write, token):
    path = write("x.conll", f"a\tB-X\n{token}\tI-X\n\nb\tB-X\n")
    found = read_tag_files(path, path, None)
    assert found.gold == [Span(0, 0, 2, "X"), Span(1, 0, 1, "X")]
    assert found.n_tokens == 3


@pytest.mark.parametrize("token", ["\u3000", "\u00a0", "\u2028", "\x0b"])
def test_token_of_white_space_between_spaces(write, token):
    path = write("x.conll", f"a B-X\n{token} I-X\n")
    assert read_tag_files(path, path, None).gold == [Span(0, 0, 2, "X")]


def test_token_with_spaces_between_tabs(write):
    path = write("x.conll", "New York\tB-X\n#1 fan\tI-X\n")
    assert read_tag_files(path, path, None).gold == [Span(0, 0, 2, "X")]


def test_blank_line_ends_a_chunk(write):
    path = write("x.conll", "a B-X\n\nb I-X\n")
    assert read_tag_files(path, path, None).gold == [Span(0, 0, 1, "X"), Span(1, 0, 1, "X")]


@pytest.mark.parametrize("blank", ["", "\n"])
@pytest.mark.parametrize("mark", ["-DOCSTART- O", "-DOCSTART- -X- -X- O"])
def test_document_mark_is_a_sentence(write, blank, mark):
    line = f"{mark}\n{blank}"
    path = write("x.conll", f"{line}a y z I-X\n{blank}{line}b y z I-X\n")
    found = read_tag_files(path, path, None)
    assert found.gold == [Span(1, 0, 1, "X"), Span(3, 0, 1, "X")]
    assert (found.n_sentences, found.n_tokens) == (4, 4)


def test_document_mark_with_a_tag(write):
    gold, a = write("gold.conll", "-DOCSTART- O\n"), write("a.conll", "\n-DOCSTART- B-X\n")
    assert refusal(read_tag_files, gold, a, None) == (
        f"{a} line 2: found the tag 'B-X' at -DOCSTART-, expected O"
    )


def test_files_with_different_tokens(write):
    gold = write("gold.conll", GOLD)
    a = write("a.conll", "\n" + GOLD.replace("Paris", "London"))
    assert refusal(read_tag_files, gold, gold, a) == (
        f"{gold} line 5: 'Paris', {a} line 6: 'London'; expected the same token; if it is only "
        "spelt differently, give --match position"
    )


def test_files_with_a_token_left_out(write):
    gold, a = write("gold.conll", GOLD), write("a.conll", GOLD.replace("in\tO\n", ""))
    assert refusal(read_tag_files, gold, a, gold) == (
        f"{gold} line 4: 'in', {a} line 4: 'Paris'; expected the same token"
    )


def test_files_with_a_sentence_cut_short(write):
    gold, a = write("gold.conll", GOLD), write("a.conll", GOLD.replace("Paris\tB-LOC\n", ""))
    assert refusal(read_tag_files, gold, a, gold) == (
        f"{gold} line 4: sentence 2 has 2 tokens, but 1 in {a} (line 4); expected the same number"
    )


def test_files_with_a_lost_blank_line(write):
    gold, a = write("gold.conll", GOLD), write("a.conll", GOLD.replace("\n\n", "\n"))
    assert refusal(read_tag_files, gold, a, gold) == (
        f"{gold} line 1: sentence 1 has 2 tokens, but 4 in {a} (line 1); expected the same number"
    )


@pytest.mark.parametrize("swap", [False, True])
def test_files_with_a_sentence_more(write, swap):
    gold, a = write("x.conll", GOLD), write("y.conll", GOLD + "\nx\tO\n")
    paths, counts = ([a, gold], [3, 2]) if swap else ([gold, a], [2, 3])
    assert refusal(read_tag_files, *paths, None) == (
        f"{paths[0]}: {counts[0]} sentences, but {counts[1]} in {paths[1]}; expected the same "
        f"number ({a} goes on at line 7)"
    )


def test_files_of_tags_alone_differ_in_length(write):
    gold, a = write("gold.txt", "O\nO\n"), write("a.txt", "O\n")
    assert "sentence 1 has 2 tokens, but 1 in" in refusal(read_tag_files, gold, a, None)


@pytest.mark.parametrize("tag", ["X-PER", "NNP", "B-"])
def test_file_with_something_that_is_no_tag(write, tag):
    gold, a = write("gold.conll", GOLD), write("a.conll", GOLD.replace("B-LOC", tag))
    assert refusal(read_tag_files, gold, a, None) == (
        f"{a} line 5: found the tag {tag!r}, expected O, or one of B, I, E, S, L, U with or "
        "without a label, as in B-PER; for labels that are not entities give --scheme plain"
    )


@pytest.mark.parametrize(("line", "found"), [("I", "1 column"), ("I x O", "3 columns")])
def test_file_with_another_number_of_columns(write, line, found):
    """A line "I" that lost its tag is not the tag I."""
    path = write("x.conll", f"\na O\n{line}\n")
    assert refusal(read_tag_files, path, path, None) == (
        f"{path} line 3: found {found}, expected 2 as on line 2"
    )


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_file_without_tokens(write, text):
    path = write("x.conll", text)
    assert refusal(read_tag_files, path, path, None) == (
        f"{path}: found no tokens, expected one token and its tag per line"
    )


def test_files_that_cannot_be_read(write, tmp_path):
    gold = write("gold.conll", GOLD)
    assert (
        refusal(read_tag_files, gold, gold, tmp_path / "no") == f"{tmp_path / 'no'}: no such file"
    )


# Recognizing the format


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (GOLD, True),
        ("0\tB-PER\tO\tI-PER\n0\tI-PER\tO\tI-PER\n1\tI-LOC\tI-LOC\tO\n", True),
        ("# token\ttag\n" + GOLD, True),
        ("#token O\nb O\n", True),
        ("\tO\n", True),
        ("a U-X\nb O\n", True),
        ("", False),
        ("\n \n", False),
        ("O\nO\n", False),
        ("a B-X\nb I-X\n", False),
        ("a O\nb NNP\n", False),
        ("a O\nb\n", False),
        ("token tag\na O\n", False),
        ("doc-1\t12\t14\tPER\n", False),
        ("gold = 103\n", False),
    ],
)
def test_looks_like_tags(write, text, expected):
    assert looks_like_tags(write("x.txt", text)) is expected


def test_looks_like_tags_reads_a_thousand_lines(write):
    assert looks_like_tags(write("x.txt", "a O\n\n" * 1000 + "not a tag\n"))
    assert not looks_like_tags(write("x.txt", "a O\n\n" * 999 + "not a tag\n"))


def test_looks_like_tags_of_a_binary_file(write):
    path = write("x.txt", "a\0b")
    assert "NUL byte" in refusal(looks_like_tags, path)


def test_large_file(write):
    text = "".join(f"w{i}\t{'B-X' if i % 9 == 0 else 'O'}\n" for i in range(46_000))
    path = write("x.conll", text)
    found = read_tag_files(path, path, None)
    assert len(found.gold) == len(range(0, 46_000, 9))


@pytest.mark.parametrize("separator", ["\t", " "])
@pytest.mark.parametrize("scheme", [None, "plain"])
def test_tags_may_be_in_the_first_column(tmp_path, separator, scheme):
    rng = random.Random(7)
    tags = ["O", "O", "B-X", "I-X", "B-Y", "I-Y"]
    rows = [[rng.choice(tags) for _ in range(3)] for _ in range(3000)]
    blank = {i for i in range(3000) if rng.random() < 0.1}

    def write(name, order):
        lines = (separator.join([*(row[i] for i in order), "x"]) + "\n" * (1 + (n in blank))
                 for n, row in enumerate(rows))  # fmt: skip
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
        return tmp_path / name

    first = write("first", (0, 1, 2))
    (tmp_path / "last").write_text(
        "".join(f"w{separator}{line}\n" if line else "\n" for line in first.read_text().split("\n"))
    )
    mine = read_tags(*((first, str(i)) for i in (1, 2, 3)), scheme=scheme)
    behind = read_tags(*((tmp_path / "last", str(i)) for i in (2, 3, 4)), scheme=scheme)
    assert mine == behind
    assert mine.labels or mine.gold


def test_tags_in_the_first_column_are_no_tokens(tmp_path):
    rows = [("O", "B-X"), ("B-X", "B-X"), ("B-X", "O")]
    for name, column in (("gold", 0), ("a", 1)):
        (tmp_path / name).write_text(
            "".join(f"{row[column]}\tw{i}\n" for i, row in enumerate(rows))
        )
    found = read_tags((tmp_path / "gold", 1), (tmp_path / "a", 1))
    assert [len(found.gold), len(found.a)] == [2, 2]


def in_files(tmp_path, rng, n=40, **names):
    """A gold and a system with sentence ids, in files of their own, sentence by sentence."""
    tags = ["O", "O", "B-X", "I-X", "B-Y"]
    sentences = {
        f"s{i}": [(f"w{i}.{j}", rng.choice(tags), rng.choice(tags)) for j in range(i % 4 + 1)]
        for i in range(n)
    }
    paths = []
    for column, order in ((1, list(sentences)), (2, rng.sample(list(sentences), n))):
        lines = ["token\tsent_id\tdoc\ttag"]
        for key in order:
            for row in sentences[key]:
                lines.append("\t".join((row[0], key, f"d{int(key[1:]) % 5}", row[column])))
        paths.append(tmp_path / f"{column}.tsv")
        paths[-1].write_text("\n".join(lines))
    return paths, sentences


def test_sentences_with_ids_may_be_in_any_order(tmp_path):
    (gold, system), sentences = in_files(tmp_path, random.Random(3))
    found = read_tags((gold, "tag"), (system, "tag"), document="doc")
    one = tmp_path / "one.tsv"
    lines = ["sent_id\tdoc\tgold\tx"]
    for key, rows in sentences.items():
        lines += ["\t".join((key, f"d{int(key[1:]) % 5}", *row[1:])) for row in rows]
    one.write_text("\n".join(lines))
    together = read_tags((one, "gold"), (one, "x"), document="doc")
    assert found == together
    pairs = ((gold, "tag"), (system, "tag")), ((one, "gold"), (one, "x"))
    plain = [read_tags(*files, scheme="plain").labels for files in pairs]
    assert plain[0] == plain[1]


def test_sentences_that_one_file_has(tmp_path):
    (gold, system), _ = in_files(tmp_path, random.Random(3))
    text = system.read_text()
    system.write_text("\n".join(line for line in text.split("\n") if "\ts7\t" not in line))
    with pytest.raises(InputError, match=r"2.tsv: lacks 1 sentence that \S+1.tsv has: 's7'$"):
        read_tags((gold, "tag"), (system, "tag"))
    system.write_text(text.replace("\ts7\t", "\tq7\t"))
    with pytest.raises(InputError, match=r"has: 's7' and has 1 sentence that \S+ lacks: 'q7'$"):
        read_tags((gold, "tag"), (system, "tag"))
    system.write_text(text.replace("w9.0", "other"))
    with pytest.raises(
        InputError, match=r"1.tsv line \d+: 'w9.0', \S+ line \d+: 'other'; expected"
    ):
        read_tags((gold, "tag"), (system, "tag"))
