"""Files of tags in every layout: what was written is read, and a mistake is found on its line."""

import random
import re

import numpy as np
import pytest
from drawn import several
from hypothesis import given, settings
from hypothesis import strategies as st
from tagging import conlleval, written
from written import refusal, text_file

from csig.readers import read_tags
from csig.readers.tags.file import Block, Tags


@given(seed=st.integers(0, 2**32))
@settings(max_examples=several(20, 300))
def test_what_was_written_is_read(seed):
    case = written(random.Random(seed))
    found = read_tags(*case.sources, **case.options)
    assert [found.gold, *found.systems] == [case.spans(i) for i in range(len(case.sources))]
    documents = [document for document, _, _ in case.sentences]
    assert found.documents == (None if None in documents else documents)
    lengths = [len(tokens) for _, tokens, _ in case.sentences]
    assert (found.n_sentences, found.n_tokens) == (len(lengths), sum(lengths))
    assert found.token_sentences.tolist() == [i for i, n in enumerate(lengths) for _ in range(n)]
    assert found.notes == ()
    if len(case.files) > 1:
        again = read_tags(*case.sources, **case.options, match="position")
        assert (again.gold, again.systems, again.notes) == (found.gold, found.systems, ())


@given(seed=st.integers(0, 2**32), kind=st.sampled_from(["tag", "width", "token"]))
@settings(max_examples=several(25, 150))
def test_a_mistake_is_found_on_its_line(seed, kind):
    rng = random.Random(seed)
    case = written(rng)
    path, (columns, places) = rng.choice(list(case.files.items()))
    with_tokens = len(case.files) > 1 and columns[0] == "token"
    if not places or (kind == "token" and not with_tokens):
        return
    at = rng.choice(places)
    lines = path.read_bytes().decode().split("\n")
    line, end = lines[at - 1].removesuffix("\r"), "\r" * lines[at - 1].endswith("\r")
    parts = re.split("(\t| +)", line)
    if kind == "width" and (parts[0].isspace() or parts[0].startswith("#")):
        return  # alone they are a blank line, or a remark
    token = parts[0] + "y"
    if kind == "tag":
        parts[2 * next(i for i, name in enumerate(columns) if name[0] in "gx")] = "NNP"
    elif kind == "token":
        parts[0] = token
    else:
        parts = parts[:-2] or [*parts, " O"]
    lines[at - 1] = "".join(parts) + end
    path.write_bytes("\n".join(lines).encode())
    message = refusal(read_tags, *case.sources, **case.options)
    assert f"{path} line {at}: " in message
    assert {"tag": "'NNP'", "width": " column", "token": repr(token)}[kind] in message


def test_rows_are_read_many_at_once(monkeypatch):
    """Only the first lines are read one by one, and those that are no plain rows."""
    path = text_file("a\tO\n" * 5000 + " \t\nb\t\n" + "a\tN\n" * 5000)
    alone = []
    line = Block.line
    monkeypatch.setattr(Block, "line", lambda block, i: alone.append(i) or line(block, i))
    found = read_tags(path, scheme="plain")
    assert len(alone) < 500
    assert (found.n_tokens, found.n_sentences) == (10_001, 2)
    assert found.labels == [["O"] * 5000 + [""] + ["N"] * 5000]


LETTERS = {"IOB1": "BI", "IOB2": "BI", "IOE1": "IE", "IOE2": "IE", "IOBES": "BIES", "BILOU": "BILU"}
ALL = "IOB1, IOB2, BIO, IOE1, IOE2, IOBES, BIOES, BILOU"
SCHEMES = [*sorted(LETTERS), None]


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
        end = here + 1
        if starts(scheme, tags[here - 1] if here else "O", tags[here]):
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


@pytest.mark.parametrize("scheme", SCHEMES)
def test_rules(scheme):
    """Strict rules as in the docs; without a scheme those of conlleval, which reads all."""

    @given(sequences(LETTERS.get(scheme, "BIES")))
    @settings(max_examples=several(20, 200))
    def agree(tags):
        if scheme is None:
            assert entities(tags) == conlleval(tags)
        else:
            assert entities(tags, rules="strict", scheme=scheme) == strict(tags, scheme)

    agree()


@pytest.mark.parametrize(
    ("rules", "scheme"),
    [("strict", own) for own in LETTERS]
    + [("conlleval", own) for own in SCHEMES if own != "BILOU"],
)
def test_seqeval_has_the_same_rules(rules, scheme):
    """It calls an empty label "_", and reads BILOU by strict rules only."""
    theirs = pytest.importorskip("seqeval.scheme")
    found = pytest.importorskip("seqeval.metrics.sequence_labeling").get_entities

    @given(sequences(LETTERS.get(scheme, "BIES")))
    @settings(max_examples=several(60, 200))
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


@pytest.mark.parametrize(("scheme", "tags", "expected"), [
    ("BIO", "_ I-X B-X _", [(2, 3, "X")]), ("BIOES", "S-X", [(0, 1, "X")]),
    ("", "B-X M-X M-X E-X S-Y", [(0, 4, "X"), (4, 5, "Y")]),
    ("", "B-geo-loc I-geo-loc I-geo", [(0, 2, "geo-loc"), (2, 3, "geo")]),
    ("", "B-- I--", [(0, 2, "-")]),
])  # fmt: skip
def test_entities(scheme, tags, expected):
    options = {"rules": "strict", "scheme": scheme} if scheme else {}
    assert entities(tags.split(), **options) == expected


@pytest.mark.parametrize(("options", "message"), [
    ({"rules": "lenient"}, "rules must be one of 'conlleval', 'strict', found 'lenient'"),
    ({"scheme": "IO"}, f"scheme must be one of {', '.join(map(repr, ALL.split(', ')))}, 'plain', "
     "found 'IO' (did you mean 'BIO'?)"),
    ({"rules": "strict"}, f"scheme: the strict rules need the name of one, expected {ALL}"),
    ({"rules": "strict", "scheme": "plain"},
     "rules: found 'strict' with plain labels, which have no rules"),
])  # fmt: skip
def test_what_is_refused(options, message):
    assert refusal(Tags, **options) == message
