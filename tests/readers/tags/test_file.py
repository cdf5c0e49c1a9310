"""Files of tags in every layout: what was written is read, and a mistake is found on its line."""

from __future__ import annotations

import random
import re

from drawn import several
from hypothesis import given, settings
from hypothesis import strategies as st
from tagging import written
from written import refusal

from csig.readers import read_tags
from csig.readers.tags.file import Block


def writer(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tags")

    def write(name, text):
        path = folder / name
        path.write_bytes(text.encode())
        return path

    return write


@given(seed=st.integers(0, 2**32))
@settings(max_examples=several(300, 10))
def test_what_was_written_is_read(tmp_path_factory, seed):
    case = written(random.Random(seed), writer(tmp_path_factory))
    found = read_tags(*case.sources, **case.options)
    expected = [case.spans(i) for i in range(len(case.sources))]
    assert [found.gold, *found.systems] == expected
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
@settings(max_examples=several(150, 10))
def test_a_mistake_is_found_on_its_line(tmp_path_factory, seed, kind):
    rng = random.Random(seed)
    case = written(rng, writer(tmp_path_factory))
    path, (columns, places) = rng.choice(list(case.files.items()))
    with_tokens = len(case.files) > 1 and columns[0] == "token"
    if not places or (kind == "token" and not with_tokens):
        return
    at = rng.choice(places)
    lines = path.read_bytes().decode().split("\n")
    line, end = lines[at - 1].removesuffix("\r"), "\r" * lines[at - 1].endswith("\r")
    parts = re.split("(\t| +)", line)
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


def test_rows_are_read_many_at_once(write, monkeypatch):
    """Only the first lines are read one by one, and those that are no plain rows."""
    path = write("x.tsv", "a\tO\n" * 5000 + " \t\nb\t\n" + "a\tN\n" * 5000)
    alone = []
    line = Block.line
    monkeypatch.setattr(Block, "line", lambda block, i: alone.append(i) or line(block, i))
    found = read_tags(path, scheme="plain")
    assert len(alone) < 500
    assert (found.n_tokens, found.n_sentences) == (10_001, 2)
    assert found.labels == [["O"] * 5000 + [""] + ["N"] * 5000]
