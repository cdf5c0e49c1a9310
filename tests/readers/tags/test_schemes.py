"""The strict rules of every scheme, against the sentences of docs/tags.md and seqeval."""

from __future__ import annotations

from itertools import pairwise

import pytest
from drawn import several
from hypothesis import given, settings
from hypothesis import strategies as st
from written import refusal

from csig.readers.tags.schemes import entities

LETTERS = {"IOB1": "BI", "IOB2": "BI", "IOE1": "IE", "IOE2": "IE", "IOBES": "BIES", "BILOU": "BILU"}


def sequences(letters):
    tag = st.builds("{}-{}".format, st.sampled_from(letters), st.sampled_from(["X", "Y"]))
    return st.lists(st.one_of(st.just("O"), tag, st.sampled_from(letters)), max_size=25)


def strict(tags, scheme):
    """Token by token, in the words of docs/tags.md."""
    tags = [*tags, "O"]
    found = []
    here = 0
    while here < len(tags):
        if not starts(scheme, tags[here - 1] if here else "O", tags[here]):
            here += 1
            continue
        end = here + 1
        while goes_on(scheme, tags[end - 1], tags[end]):
            end += 1
        if ends(scheme, tags[end - 1], tags[end]):
            found.append((here, end, tags[here][2:]))
        here = end
    return found


def same(before, tag):
    return before[2:] == tag[2:]


def starts(scheme, before, tag):
    if scheme in ("IOB2", "IOBES", "BILOU"):
        return tag[0] in "BSU"
    if scheme == "IOE2":
        return tag[0] in "IE" and (before[0] in "OE" or not same(before, tag))
    if scheme == "IOB1" and tag[0] == "B":
        return before[0] in "BI" and same(before, tag)
    if scheme == "IOE1" and tag[0] == "E":
        return before[0] == "E" and same(before, tag)
    return tag[0] == "I" and (before[0] != "I" or not same(before, tag))


def goes_on(scheme, before, tag):
    after, inside = {
        "IOB1": ("BI", "I"),
        "IOB2": ("BI", "I"),
        "IOE1": ("I", "IE"),
        "IOE2": ("I", "IE"),
        "IOBES": ("BI", "IE"),
        "BILOU": ("BI", "IL"),
    }[scheme]
    return before[0] in after and tag[0] in inside and same(before, tag)


def ends(scheme, before, tag):
    """The tags are the last of the entity and the one behind it."""
    if scheme in ("IOE2", "IOBES", "BILOU"):
        return before[0] in "ESLU"
    if scheme == "IOB1":
        return before[0] == "I" or tag[0] != "B" or same(before, tag)
    if scheme == "IOE1":
        return before[0] == "I" or (tag[0] in "IE" and same(before, tag))
    return True


@pytest.mark.parametrize("scheme", sorted(LETTERS))
def test_strict_rules(scheme):
    @given(sequences(LETTERS[scheme]))
    @settings(max_examples=several(60, 200))
    def agree(tags):
        assert entities(tags, rules="strict", scheme=scheme) == strict(tags, scheme)

    agree()


@pytest.mark.parametrize("scheme", sorted(LETTERS))
def test_strict_rules_agree_with_seqeval(scheme):
    seqeval = pytest.importorskip("seqeval.scheme")

    @given(sequences(LETTERS[scheme]))
    @settings(max_examples=200)
    def agree(tags):
        (theirs,) = seqeval.Entities([tags], getattr(seqeval, scheme)).entities
        ours = entities(tags, rules="strict", scheme=scheme)
        # seqeval calls an empty label "_".
        assert [(start, end, label or "_") for start, end, label in ours] == [
            (entity.start, entity.end, entity.tag) for entity in theirs
        ]

    agree()


@pytest.mark.parametrize("scheme", ["IOB1", "IOB2", "IOE1", "IOE2", "IOBES"])
def test_conllevals_rules_agree_with_seqeval(scheme):
    get_entities = pytest.importorskip("seqeval.metrics.sequence_labeling").get_entities

    @given(sequences(LETTERS[scheme]))
    @settings(max_examples=200)
    def agree(tags):
        theirs = [(first, last + 1, label) for label, first, last in get_entities(tags)]
        ours = entities(tags, scheme=scheme)
        assert [(start, end, label or "_") for start, end, label in ours] == theirs

    agree()


@pytest.mark.parametrize(
    ("scheme", "tags", "expected"),
    [
        ("IOB2", "I-X I-X O B-X I-Y", [(3, 4, "X")]),
        ("IOB1", "B-X I-X B-X I-Y", [(1, 2, "X"), (2, 3, "X"), (3, 4, "Y")]),
        ("IOE1", "I-X E-X I-X", [(0, 2, "X"), (2, 3, "X")]),
        ("IOE2", "I-X I-X O I-X E-X", [(3, 5, "X")]),
        ("IOBES", "B-X I-X O B-X E-X S-X E-X", [(3, 5, "X"), (5, 6, "X")]),
        ("BILOU", "B-X I-X O B-X L-X U-X L-X", [(3, 5, "X"), (5, 6, "X")]),
        ("BIO", "_ I-X B-X _", [(2, 3, "X")]),
        ("BIOES", "S-X", [(0, 1, "X")]),
    ],
)
def test_strict_rules_drop_what_the_scheme_does_not_allow(scheme, tags, expected):
    assert entities(tags.split(), rules="strict", scheme=scheme) == expected


@pytest.mark.parametrize("rules", ["strict", "conlleval"])
def test_tag_of_another_scheme(rules):
    assert refusal(entities, ["O", "E-X"], rules=rules, scheme="IOB2") == (
        "tags[1]: found 'E-X', expected O, or one of B, I with or without a label, as in B-PER"
    )


def test_unknown_names():
    schemes = "IOB1, IOB2, BIO, IOE1, IOE2, IOBES, BIOES, BILOU"
    assert refusal(entities, ["O", "E-X"], rules="lenient") == (
        "rules: found 'lenient', expected 'conlleval' or 'strict'"
    )
    assert (
        refusal(entities, ["O", "E-X"], scheme="IO")
        == f"scheme: found 'IO' (did you mean 'BIO'?), expected one of {schemes}"
    )
    assert refusal(entities, ["O", "E-X"], rules="strict") == (
        f"scheme: the strict rules need the name of one, expected {schemes}"
    )


@pytest.mark.parametrize(
    ("scheme", "tags"),
    [
        ("IOB1", "I-X I-X B-X O I-Y I-X"),
        ("IOB2", "B-X I-X B-X O B-Y B-X"),
        ("IOE1", "I-X E-X I-X O I-Y I-X"),
        ("IOE2", "I-X E-X E-X O E-Y E-X"),
        ("IOBES", "B-X E-X S-X O S-Y S-X"),
        ("BILOU", "B-X L-X U-X O U-Y U-X"),
    ],
)
def test_all_schemes_read_the_same_entities(scheme, tags):
    expected = [(0, 2, "X"), (2, 3, "X"), (4, 5, "Y"), (5, 6, "X")]
    assert entities(tags.split()) == expected


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("", []),
        ("O O", []),
        ("O I-X I-X", [(1, 3, "X")]),
        ("B-X I-Y", [(0, 1, "X"), (1, 2, "Y")]),
        ("B-X E-Y", [(0, 1, "X"), (1, 2, "Y")]),
        ("B-X I-X I-X E-X", [(0, 4, "X")]),
        ("E-X E-X", [(0, 1, "X"), (1, 2, "X")]),
        ("S-X I-X", [(0, 1, "X"), (1, 2, "X")]),
        ("I-X S-X", [(0, 1, "X"), (1, 2, "X")]),
        ("B I O S", [(0, 2, ""), (3, 4, "")]),
        ("B I-X", [(0, 1, ""), (1, 2, "X")]),
        ("B-geo-loc I-geo-loc I-geo", [(0, 2, "geo-loc"), (2, 3, "geo")]),
        ("B-- I--", [(0, 2, "-")]),
    ],
)
def test_entities(tags, expected):
    assert entities(tags.split()) == expected


@pytest.mark.parametrize(
    "tag", ["X-PER", "NNP", "", "-", "B-", "BPER", "b-PER", "o", "O-PER", "__"]
)
def test_not_a_tag(tag):
    assert refusal(entities, ["O", tag]) == (
        f"tags[1]: found {tag!r}, expected O, or one of B, I, E, S, L, U with or without a "
        "label, as in B-PER"
    )


TAGS = st.one_of(
    st.sampled_from(["O", "B", "I", "E", "S"]),
    st.builds("{}-{}".format, st.sampled_from("BIES"), st.sampled_from(["X", "Y", "X-Y", "-"])),
)


# endOfChunk and startOfChunk of conlleval.pl as tables of (tag before, tag), with S added.
ENDS = {"BB", "BS", "BO", "IB", "IS", "IO"} | {before + tag for before in "ES" for tag in "BIESO"}


STARTS = {before + tag for before in "BIESO" for tag in "BS"} | {
    *("EE", "EI", "SE", "SI", "OE", "OI")
}


def conlleval(tags):
    """Two passes over the tables: where chunks end, where they start; then pair them."""
    pairs = [(tag[0], tag[2:]) for tag in ["O", *tags, "O"]]
    ends, starts = [], []
    for index, ((before, label_before), (tag, label)) in enumerate(pairwise(pairs)):
        differs = label != label_before
        if before + tag in ENDS or (before != "O" and differs):
            ends.append((index, label_before))
        if before + tag in STARTS or (tag != "O" and differs):
            starts.append(index)
    return [(start, end, label) for start, (end, label) in zip(starts, ends, strict=True)]


@given(st.lists(TAGS, max_size=30))
def test_entities_agree_with_the_tables_of_conlleval(tags):
    assert entities(tags) == conlleval(tags)


def test_entities_agree_with_seqeval():
    get_entities = pytest.importorskip("seqeval.metrics.sequence_labeling").get_entities

    @given(st.lists(TAGS, max_size=30))
    def agree(tags):
        theirs = [(first, last + 1, label) for label, first, last in get_entities(tags)]
        # seqeval calls an empty label "_".
        assert [(start, end, label or "_") for start, end, label in entities(tags)] == theirs

    agree()


SCHEMES = {
    "IOB2": lambda n: "B" + "I" * (n - 1),
    "IOE2": lambda n: "I" * (n - 1) + "E",
    "IOBES": lambda n: "S" if n == 1 else "B" + "I" * (n - 2) + "E",
    "BILOU": lambda n: "U" if n == 1 else "B" + "I" * (n - 2) + "L",
}


@given(
    parts=st.lists(st.tuples(st.integers(1, 4), st.sampled_from(["X", "Y", None])), max_size=12),
    scheme=st.sampled_from(sorted(SCHEMES)),
)
def test_entities_reads_what_a_scheme_writes(parts, scheme):
    tags, expected = [], []
    for length, label in parts:
        if label is None:
            tags += ["O"] * length
        else:
            expected.append((len(tags), len(tags) + length, label))
            tags += [f"{kind}-{label}" for kind in SCHEMES[scheme](length)]
    assert entities(tags) == expected
