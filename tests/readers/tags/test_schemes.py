"""The strict rules of every scheme, against the sentences of docs/tags.md and seqeval."""

from __future__ import annotations

import numpy as np
import pytest
from drawn import several
from hypothesis import given, settings
from hypothesis import strategies as st
from tagging import conlleval
from written import refusal

from csig.readers.tags.file import Tags

LETTERS = {"IOB1": "BI", "IOB2": "BI", "IOE1": "IE", "IOE2": "IE", "IOBES": "BIES", "BILOU": "BILU"}
ALL = "IOB1, IOB2, BIO, IOE1, IOE2, IOBES, BIOES, BILOU"


def entities(tags, **options):
    """The entities in the tags of one sentence, as (start, end, label)."""
    known = Tags(**options)
    laid = np.array([0, *map(known.number, tags), 0], dtype=np.int32)
    start, end, labels, _ = known.chunks(laid)
    return list(zip((start - 1).tolist(), (end - 1).tolist(), labels, strict=True))


def sequences(letters):
    labels = st.sampled_from(["-X", "-Y", "-X-Y", "--", ""])
    tag = st.builds("{}{}".format, st.sampled_from(letters), labels)
    return st.lists(st.one_of(st.just("O"), tag), max_size=25)


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
    after = "BI" if scheme in ("IOB1", "IOB2", "IOBES", "BILOU") else "I"
    inside = {"IOB1": "I", "IOB2": "I", "BILOU": "IL"}.get(scheme, "IE")
    return before[0] in after and tag[0] in inside and same(before, tag)


def ends(scheme, before, tag):
    """The tags are the last of the entity and the one behind it."""
    if scheme in ("IOE2", "IOBES", "BILOU"):
        return before[0] in "ESLU"
    if scheme == "IOB1":
        return before[0] == "I" or tag[0] != "B" or same(before, tag)
    return scheme != "IOE1" or before[0] == "I" or (tag[0] in "IE" and same(before, tag))


@pytest.mark.parametrize("scheme", [*sorted(LETTERS), None])
def test_rules(scheme):
    """Strict rules as in the docs; without a scheme those of conlleval, which reads all."""

    @given(sequences(LETTERS.get(scheme, "BIES")))
    @settings(max_examples=several(60, 200))
    def agree(tags):
        if scheme is None:
            assert entities(tags) == conlleval(tags)
        else:
            assert entities(tags, rules="strict", scheme=scheme) == strict(tags, scheme)

    agree()


@pytest.mark.parametrize("scheme", [*sorted(LETTERS), None])
@pytest.mark.parametrize("rules", ["strict", "conlleval"])
def test_seqeval_has_the_same_rules(scheme, rules):
    """It calls an empty label "_", and reads BILOU by strict rules only."""
    theirs = pytest.importorskip("seqeval.scheme")
    found = pytest.importorskip("seqeval.metrics.sequence_labeling").get_entities
    if (rules, scheme) in (("strict", None), ("conlleval", "BILOU")):
        return

    @given(sequences(LETTERS.get(scheme, "BIES")))
    @settings(max_examples=200)
    def agree(tags):
        tags = [tag for tag in tags if tag.count("-") < 2]  # its label is behind the last one
        if rules == "conlleval":
            expected = [(first, last + 1, label) for label, first, last in found(tags)]
        else:
            (own,) = theirs.Entities([tags], getattr(theirs, scheme)).entities
            expected = [(entity.start, entity.end, entity.tag) for entity in own]
        ours = entities(tags, rules=rules, scheme=scheme)
        assert [(start, end, label or "_") for start, end, label in ours] == expected

    agree()


SIX = [(0, 2, "X"), (2, 3, "X"), (4, 5, "Y"), (5, 6, "X")]


@pytest.mark.parametrize(
    ("scheme", "tags", "expected"),
    [
        ("strict IOB2", "I-X I-X O B-X I-Y", [(3, 4, "X")]),
        ("strict IOB1", "B-X I-X B-X I-Y", [(1, 2, "X"), (2, 3, "X"), (3, 4, "Y")]),
        ("strict IOE1", "I-X E-X I-X", [(0, 2, "X"), (2, 3, "X")]),
        ("strict IOE2", "I-X I-X O I-X E-X", [(3, 5, "X")]),
        ("strict IOBES", "B-X I-X O B-X E-X S-X E-X", [(3, 5, "X"), (5, 6, "X")]),
        ("strict BILOU", "B-X I-X O B-X L-X U-X L-X", [(3, 5, "X"), (5, 6, "X")]),
        ("strict BIO", "_ I-X B-X _", [(2, 3, "X")]),
        ("strict BIOES", "S-X", [(0, 1, "X")]),
        ("IOB1", "I-X I-X B-X O I-Y I-X", SIX),
        ("IOB2", "B-X I-X B-X O B-Y B-X", SIX),
        ("IOE1", "I-X E-X I-X O I-Y I-X", SIX),
        ("IOE2", "I-X E-X E-X O E-Y E-X", SIX),
        ("IOBES", "B-X E-X S-X O S-Y S-X", SIX),
        ("BILOU", "B-X L-X U-X O U-Y U-X", SIX),
        ("", "B-X M-X M-X E-X S-Y", [(0, 4, "X"), (4, 5, "Y")]),
        ("", "B-geo-loc I-geo-loc I-geo", [(0, 2, "geo-loc"), (2, 3, "geo")]),
        ("", "B-- I--", [(0, 2, "-")]),
    ],
)
def test_entities(scheme, tags, expected):
    """The rules of conlleval find the same in every scheme; strict ones drop what it forbids."""
    *strictly, name = scheme.split(" ")
    if strictly:
        assert entities(tags.split(), rules="strict", scheme=name) == expected
    else:
        assert entities(tags.split()) == expected
        assert not name or entities(tags.split(), scheme=name) == expected


@pytest.mark.parametrize(
    ("tags", "options"),
    [
        (["", "X-PER", "NNP", "-", "B-", "BPER", "b-PER", "o", "O-PER", "__"], {}),
        (["E-X"], {"scheme": "IOB2"}),
        (["E-X"], {"scheme": "IOB2", "rules": "strict"}),
    ],
)
def test_what_is_no_tag(tags, options):
    assert {Tags(**options).number(tag) for tag in tags} == {None}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rules": "lenient"}, "rules: found 'lenient', expected 'conlleval' or 'strict'"),
        ({"scheme": "IO"}, f"scheme: found 'IO' (did you mean 'BIO'?), expected one of {ALL}"),
        ({"rules": "strict"}, f"scheme: the strict rules need the name of one, expected {ALL}"),
        ({"rules": "strict", "scheme": "plain"},
         "rules: found 'strict' with plain labels, which have no rules"),
    ],
)  # fmt: skip
def test_what_is_refused(options, message):
    assert refusal(Tags, **options) == message
