"""The strict rules of every scheme, against the sentences of docs/tags.md and seqeval."""

from __future__ import annotations

import pytest
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
    @settings(max_examples=200)
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
        == f"scheme: found 'IO', expected one of {schemes}"
    )
    assert refusal(entities, ["O", "E-X"], rules="strict") == (
        f"scheme: the strict rules need the name of one, expected {schemes}"
    )
