"""Alignments of sclite: NIST's own numbers, transcripts that are aligned, and what is refused."""

from __future__ import annotations

import csv
import random
import re
import sys
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from commands import followed, record, refused, run
from written import refusal

import csig
from csig.readers import sclite
from csig.readers.forms import form_of
from csig.readers.request import Request

SYSTEMS = ("sys1", "sys2", "sys3", "rover")


@pytest.fixture
def files(shared_data):
    return [shared_data("asr_sctk") / f"{name}.ctm.sgml" for name in SYSTEMS]


# ---- numbers that NIST's programs printed --------------------------------------------------------
def test_rates_words_and_counts(shared_data, files):
    with (shared_data("asr_sctk") / "utterances.csv").open() as file:
        rows = list(csv.DictReader(file))
    read = csig.read(*files)
    assert (read.source.format, read.names) == ("sclite", tuple(f"{n}.ctm" for n in SYSTEMS))
    table = read.data.table
    assert len(rows) == len(SYSTEMS) * table.n_units == 192
    for name, (_, own) in zip(SYSTEMS, table.systems.items(), strict=True):
        found = dict(zip(table.ids, own.tolist(), strict=True))
        for row in (row for row in rows if row["system"] == name):
            wrong = [int(row[key]) for key in ("substituted", "deleted", "inserted")]
            words = int(row["correct"]) + sum(wrong[:2])
            assert found[row["utterance"]] == [sum(wrong), words]
        assert sum(words for _, words in found.values()) == 336
    rates = [read.comparison(i, 1 - bool(i)).scores("wer")[0] for i in range(4)]
    assert [f"{100 * rate:.1f}" for rate in rates] == ["6.5", "3.9", "33.3", "3.9"]


def test_mcnemar_over_sentences(files):
    """Which utterances have errors, exactly; the shared data say how these p were counted."""
    expected = [
        0.1795654296875, 1, 0.0703125, 0.28627872467041016, 1, 0.14599609375,
    ]  # fmt: skip
    found = []
    for pair in combinations(files, 2):
        result = record("compare", *pair, "--metric", "ser")["results"][0]
        assert not result["greater_is_better"]
        found.append(result["pvalue"])
    assert found == pytest.approx(expected, rel=1e-12)


def test_sign_test_over_speakers(files):
    """Half of the zero differences count as positive, as in sc_stats, in its order of systems."""
    printed = {
        (0, 1): ".289", (0, 2): ".008", (0, 3): ".289", (1, 2): ".008", (3, 1): ".727",
        (2, 3): ".008",
    }  # fmt: skip
    read = csig.read(*files, cluster="speaker")
    table = read.data.table
    speakers = sorted(set(table.clusters))
    rates = []
    for own in table.systems.values():
        sums = {name: [0, 0] for name in speakers}
        for name, counts in zip(table.clusters, own.tolist(), strict=True):
            sums[name] = [one + other for one, other in zip(sums[name], counts, strict=True)]
        rates.append([Fraction(*sums[name]) for name in speakers])
    assert len(speakers) == 8
    for (one, other), expected in printed.items():
        signs = Counter((a > b) - (a < b) for a, b in zip(rates[one], rates[other], strict=True))
        more = signs[1] + signs[0] // 2
        wins = [1] * more + [0] * (8 - more)
        comparison = csig.Comparison.from_scores(wins, [1 - own for own in wins])
        assert f"{csig.classical.sign_test(comparison).pvalue:.3f}".lstrip("0") == expected
    for pair in ((0, 2), (1, 2)):  # of whose speakers none has the same rate
        assert csig.classical.sign_test(read.comparison(*pair), "wer").pvalue == 2 / 2**8


def test_utterances_without_words(shared_data):
    folder = shared_data("asr_sctk")
    found = csig.read(folder / "file1.sgml", folder / "file2.sgml")
    assert [own.tolist() for own in found.data.table.systems.values()] == [
        [[1, 0], [8, 11]], [[0, 0], [7, 11]],
    ]  # fmt: skip
    assert found.notes[0].endswith("file1.sgml: 1 utterance without reference words, all inserted.")


@pytest.mark.parametrize("options", [(), ("--metric", "ser"), ("--cluster", "speaker")])
def test_a_table_of_alignments_gives_the_same_p(files, options):
    run("convert", *files[:2], *options, "--output", "t.csv")
    expected = record("compare", *files[:2], *options)["results"]
    found = record("compare", "--statistics", "t.csv")["results"]
    for one, other in zip(found, expected, strict=True):
        names = "pvalue", "baseline_score", "score", "n_units", "greater_is_better"
        assert [one[name] for name in names] == [other[name] for name in names]


# ---- both forms of alignments --------------------------------------------------------------------
def pra(*utterances: tuple[str, str, str]) -> str:
    """A .pra with (speaker, id, counts)."""
    lines = ["", "\t\tDUMP OF SYSTEM ALIGNMENT STRUCTURE", "", "System name:   a"]
    for i, (speaker, name, counts) in enumerate(utterances):
        lines += ["", f"Speaker sentences   {i}:  {speaker}   #utts: 1", f"id: ({name})"]
        lines += [f"Scores: (#C #S #D #I) {counts}", "REF:  id: (x)", "HYP:  Scores: 1", "Eval:"]
    return "\n".join(lines) + "\n"


def sgml(*utterances: tuple[str, str, str]) -> str:
    lines = ['<SYSTEM title="a" ref_fname="r">']
    for speaker, name, tokens in utterances:
        lines += [f'<SPEAKER id="{speaker}">', f'<PATH id="({name})" word_cnt="1">', tokens]
        lines += ["</PATH>", "</SPEAKER>"]
    return "\n".join([*lines, "</SYSTEM>"]) + "\n"


def test_both_forms_are_alike():
    tokens = 'C,"12:30","12:30",0.1+0.2:S,"a","b",0.2+0.3,0.5:D,"c",,:I,,"d:,e",0.4+0.5'
    Path("a.sgml").write_text(sgml(("s", "s-1", tokens), ("t", "t-1", ""), ("t", "t-2", tokens)))
    Path("b.pra").write_text(pra(("s", "s-1", "1 1 1 1"), ("t", "t-1", "0 0 0 0"),
                                 ("t", "t-2", "1 1 1 1")))  # fmt: skip
    read = csig.read("a.sgml", "b.pra", cluster="speaker")
    one, other = (own.tolist() for own in read.data.table.systems.values())
    assert one == other == [[3, 3], [0, 0], [3, 3]]
    assert list(read.data.table.clusters) == ["s", "t", "t"]
    assert csig.read("a.sgml", "b.pra", by="speaker").parts.keys() == {"s", "t"}


@pytest.mark.parametrize(("text", "said"), [
    (sgml(("s", "s-1", "C,a,b")), "a.sgml line 3: found 'C,a,b', no alignment"),
    (sgml(("s", "s-1", 'C"as""as"')), "a.sgml line 3: found 'C\"as\"\"as\"', no alignment"),
    ("".join(sgml(("s", "s-1", "")).partition(">\n")[:2]), "a.sgml: ends within the system; is"),
    (sgml(("s", "s-1", "")).partition("</SYSTEM>")[0], "a.sgml: ends within the system; is the"),
    ('<SYSTEM t="x">\n</SYSTEM>', "a.sgml: found no utterances, expected"),
    (sgml(("s", "s-1", "")).partition("\n</PATH>")[0], "a.sgml: ends within '(s-1)'; is the file"),
    (sgml(("s", "", "")), "a.sgml line 3, column 'utterance': the cell is empty, expected an id"),
    ('<SYSTEM t="x">\n<PATH id="(a)">', "a.sgml line 2: found a PATH without an id, or no"),
    (pra(("s", "s-1", "1 1 1")), "a.sgml line 7: found no scores of 's-1'"),
    (sgml(("s", "x", ""), ("s", "x", "")), "a.sgml: found the id 'x' on line 3 and again on"),
])  # fmt: skip
def test_what_is_no_alignment(text, said):
    Path("a.sgml").write_text(text)
    assert refusal(csig.read, "a.sgml", "a.sgml").startswith(said)


def test_other_utterances_are_refused():
    Path("a.pra").write_text(
        pra(("s", "1", "1 0 0 0"), ("s", "2", "1 1 0 0"), ("s", "3", "2 0 0 0"))
    )
    Path("b.pra").write_text(pra(("s", "1", "0 0 1 0"), ("s", "3", "1 1 0 1")))
    said = refused("compare", "a.pra", "b.pra")
    assert said.startswith("csig: b.pra: b lacks 1 id that a has: '2'\n")
    assert followed("compare", "a.pra", "b.pra") == 1
    (caution,) = csig.read("a.pra", "b.pra", allow_missing=True).cautions
    assert caution == "1 of 3 items is left out: b alone lacks 1."
    assert refusal(csig.read, "a.pra", "b.pra", metric="cer").startswith("metric='cer': alignments")


# ---- transcripts ---------------------------------------------------------------------------------
@cache
def cheapest(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[int, int]:
    """The cost of the cheapest alignment, and its errors; by all of them."""
    if not one or not other:
        rest = len(one) + len(other)
        return 3 * rest, rest
    ways = [cheapest(one[1:], other), cheapest(one, other[1:])]
    ways = [(cost + 3, errors + 1) for cost, errors in ways]
    cost, errors = cheapest(one[1:], other[1:])
    same = one[0] == other[0]
    return min(*ways, (cost + 4 * (not same), errors + (not same)))


def test_errors_are_those_of_the_cheapest_alignment():
    pytest.importorskip("rapidfuzz")
    rng = random.Random(4)
    for _ in range(150):
        one, other = (tuple(rng.choices("abc", k=rng.randrange(9))) for _ in "ab")
        assert sclite.count_errors(one, other) == cheapest(one, other)[1]


def test_alignments_of_nist_again(files):
    """The words in sclite's own alignments, aligned by csig, have as many errors."""
    pytest.importorskip("rapidfuzz")
    token = re.compile(r'[CSDI],(?:"(\w+)")?,(?:"(\w+)")?')
    found = csig.read(*files).data.table
    for path, (_, counts) in zip(files, found.systems.items(), strict=True):
        lines = path.read_text().splitlines()
        tokens = [lines[i + 1] for i, line in enumerate(lines) if line.startswith("<PATH")]
        for line, (errors, _) in zip(tokens, counts.tolist(), strict=True):
            words = zip(*token.findall(line), strict=True)
            assert sclite.count_errors(*(list(filter(None, side)) for side in words)) == errors


def test_transcripts_with_a_reference():
    pytest.importorskip("rapidfuzz")
    Path("ref.trn").write_text(";; a comment\nthe cat  sat (ann_1)\n(ann_2)\nA (x) b (bob-1)\n")
    Path("a.trn").write_text("(ann_2)\nThe CAT sat (ann_1)\n\na b (bob-1)\n")
    Path("b.trn").write_text("uh (ann_2)\nthe mat (ann_1)\na (x) b c (bob-1)\r\n")
    read = csig.read("ref.trn", "a.trn", "b.trn", cluster="speaker")
    assert (read.source.format, read.names) == ("sclite", ("a", "b"))
    table = read.data.table
    found = {name: dict(zip(table.ids, own.tolist(), strict=True))
             for name, own in table.systems.items()}  # fmt: skip
    assert found == {
        "a": {"ann_1": [0, 3], "ann_2": [0, 0], "bob-1": [1, 3]},
        "b": {"ann_1": [2, 3], "ann_2": [1, 0], "bob-1": [1, 3]},
    }
    assert dict(zip(table.ids, table.clusters, strict=True)) == {
        "ann_1": "ann", "ann_2": "ann", "bob-1": "bob",
    }  # fmt: skip
    assert "WER" in run("compare", "ref.trn", "a.trn", "b.trn")


@pytest.mark.parametrize(("line", "said"), [
    ("no id", "a.trn line 2: expected words and an utterance's id, (ID), at the end"),
    ("{ a / b } (u2)", "a.trn line 2: found alternatives, which only sclite aligns; give its"),
    ("a (u1)", "a.trn: found 'u1' on line 1 and again on line 2"),
    ("a (u9)", "a.trn: found utterances that ref.trn has not: 'u9'"),
])  # fmt: skip
def test_transcripts_that_are_refused(line, said):
    pytest.importorskip("rapidfuzz")
    Path("ref.trn").write_text("a b (u1)\nc (u2)\n")
    Path("a.trn").write_text(f"a (u1)\n{line}\n")
    assert refusal(csig.read, "ref.trn", "a.trn", "ref.trn").startswith(said)


def test_transcripts_need_a_package(monkeypatch):
    Path("ref.trn").write_text("a b (u1)\n")
    assert form_of(Request(("ref.trn", "ref.trn"))) == "sclite"
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    assert refusal(csig.read, "ref.trn", "ref.trn", "ref.trn") == (
        "ref.trn: to align words needs a package: pip install 'csig-stats[text]'"
    )


def test_a_reference_that_does_not_come_first():
    for name in ("a", "b", "dev.ref", "refined"):
        Path(f"{name}.trn").write_text("a b (s-1)\n")
    assert refusal(csig.read, "a.trn", "b.trn", "dev.ref.trn") == (
        "a.trn: taken as the reference, which comes first, but dev.ref.trn is called so"
    )
    assert csig.read("a.trn", "b.trn", "refined.trn").names == ("b", "refined")


def test_prf_is_read_as_pra():
    plain = pra(("s", "s-1", "4 8 0 0"), ("s", "s-2", "1 0 0 1"))
    full = plain.replace("#utts: 1", "utt# 0 of 1")
    Path("a.pra").write_text(plain)
    Path("b.prf").write_text(f"NIST_TEXT_ALIGNMENT\nVERSION 0.1\n\n{full}")
    read = csig.read("a.pra", "b.prf", cluster="speaker")
    one, other = (own.tolist() for own in read.data.table.systems.values())
    assert one == other == [[8, 12], [1, 1]]
    assert list(read.data.table.clusters) == ["s", "s"]


def test_other_files_beside_alignments():
    Path("a.sgml").write_text(sgml(("s", "s-1", "")))
    Path("b.json").write_text("{}")
    assert refusal(csig.read, "a.sgml", "b.json") == (
        "b.json: found no utterances, expected sclite's .sgml, .pra or .trn"
    )


def test_transcripts_among_alignments():
    Path("a.pra").write_text(pra(("s", "1", "1 0 0 0")))
    Path("b.trn").write_text("a (1)\n")
    said = "b.trn: found transcripts among alignments, expected one form"
    assert refusal(csig.read, "a.pra", "b.trn") == said
