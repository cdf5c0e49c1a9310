"""Ledgers: one question, one writer, and nothing lost but half a line."""

import json
import os
from pathlib import Path

import pytest
from children import needs_posix, python
from written import refusal

from csig import InputError
from csig.training import running
from csig.training.running import Ledger, question_digest

QUESTION = {"seed": ["1"], "n": 3}


def ledger(question=QUESTION, path="l.jsonl"):
    return Ledger(path, lambda known: question)


def filled(n=3):
    with ledger() as book:
        for i in range(n):
            book.append({"sample": i, "scores": [[i / 3]]})
    return Path("l.jsonl").read_bytes()


def test_what_was_appended_is_there_again():
    filled()
    asked = []
    with Ledger("l.jsonl", lambda known: asked.append(known) or known) as book:
        assert asked == [QUESTION]
        assert [entry["sample"] for entry in book.entries] == [0, 1, 2]
        assert book.entries[1]["scores"] == [[1 / 3]]
        book.append({"sample": 9})
        with pytest.raises(ValueError, match="not JSON compliant"):
            book.append({"score": float("nan")})
    with ledger(path=Path("l.jsonl")) as book:
        assert (book.path, len(book.entries)) == ("l.jsonl", 4)
    header = json.loads(Path("l.jsonl").read_text().splitlines()[0])
    assert header["schema"] == "csig.training.ledger"
    assert header["digest"] == question_digest(QUESTION)
    assert header["question"] == QUESTION


def test_half_a_last_line_goes_and_no_other_is_guessed():
    whole = filled()
    for rest in (b"\0\0\0\n", b'{"sample": 3, "sc\n', b'{"sample": 3', b"[1]\n"):
        Path("l.jsonl").write_bytes(whole + rest)
        with ledger() as book:
            assert len(book.entries) == 3
        assert Path("l.jsonl").read_bytes() == whole
    lines = whole.splitlines(keepends=True)
    Path("l.jsonl").write_bytes(b"".join([*lines[:2], b"{\n", *lines[2:]]))
    assert refusal(ledger) == "l.jsonl line 3: not what csig wrote there"


def test_another_question_is_refused():
    whole = filled()
    for more, words in (
        ({"n": 4}, "n is 3 there, 4 here; give another file"),
        ({"more": 1}, "more is None there, 1 here; give another file"),
    ):
        message = refusal(ledger, QUESTION | more)
        assert message == f"l.jsonl: a ledger of another question: {words}"
    assert Path("l.jsonl").read_bytes() == whole
    with ledger():  # a refusal lets others in
        pass
    question = {**QUESTION, "more": None}  # which only a later csig tells apart
    text = whole.decode().replace(question_digest(QUESTION), question_digest(question))
    Path("l.jsonl").write_text(text.replace('"n": 3', '"n": 3, "more": null'))
    assert "it has parts that this csig does not know" in refusal(ledger)


@pytest.mark.parametrize(("path", "words"), [
    (3, "ledger must be the path of a file, found 3"), (b"", "ledger must be the path of a file"),
    (os.devnull, "is no regular file"), (".", "ledger: found a directory at ."),
    ("no/l.jsonl", "the ledger cannot be written (No such file or directory)"),
    ("a\0b", "the ledger cannot be written (embedded null byte)"),
])  # fmt: skip
def test_places_without_a_file(path, words):
    assert words in refusal(ledger, path=path)


@needs_posix
@pytest.mark.parametrize("name", ["l.jsonl", "./l.jsonl", "link.jsonl", "hard.jsonl"])
def test_one_writer_in_a_process_by_any_name(name):
    filled()
    os.symlink("l.jsonl", "link.jsonl")
    os.link("l.jsonl", "hard.jsonl")
    first = ledger()
    assert refusal(ledger, path=name) == f"{name}: this process writes this ledger already"
    first.close()
    with ledger(path=name) as book:
        assert len(book.entries) == 3
        first.close()  # a second time lets go of nothing
        assert "this process writes this ledger already" in refusal(ledger)


@needs_posix
def test_one_writer_among_processes():
    code = (
        "from csig.training.running import Ledger\n"
        "from csig import InputError\n"
        "try:\n"
        "    Ledger('l.jsonl', lambda known: known)\n"
        "except InputError as error:\n"
        "    print(error)\n"
    )
    with ledger():
        done = python(code)
    expected = "l.jsonl: another process writes this ledger; wait for it, or end it\n"
    assert (done.stdout, done.stderr) == (expected, "")
    with ledger():  # which waits for nobody
        pass


def test_a_file_that_cannot_be_read_is_one_line(monkeypatch):
    filled()

    def failing(file, size, place):
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(running, "read_at", failing)
        said = refusal(ledger)
    assert said == "l.jsonl: the ledger cannot be read (Input/output error)"
    with ledger():  # nobody holds it
        pass


def test_a_ledger_larger_than_is_read_is_refused(monkeypatch):
    size = len(filled())
    monkeypatch.setattr(running, "MOST_BYTES", size)
    with ledger():
        pass
    monkeypatch.setattr(running, "MOST_BYTES", size - 1)
    said = f"l.jsonl: a ledger of {size} bytes, expected at most {size - 1}"
    assert refusal(ledger) == said
    assert len(Path("l.jsonl").read_bytes()) == size


def refuse(known):
    raise InputError("refused")


def test_a_refused_call_leaves_what_was_there():
    assert refusal(Ledger, "l.jsonl", refuse) == "refused"
    for _ in range(2):  # and lets others in
        assert not os.path.lexists("l.jsonl")
        with pytest.raises(InputError), ledger():
            refuse(None)
    Path("l.jsonl").write_bytes(b"")
    refusal(Ledger, "l.jsonl", refuse)
    assert Path("l.jsonl").read_bytes() == b""

    def later(samples):
        with ledger() as book:
            for sample in samples:
                book.append({"sample": sample})
            refuse(None)

    for samples in ([0], []):
        assert refusal(later, samples) == "refused"
        assert len(Path("l.jsonl").read_bytes().splitlines()) == 2
    Path("l.jsonl").unlink()
    with pytest.raises(KeyboardInterrupt), ledger():  # stopped, not refused
        raise KeyboardInterrupt
    with ledger() as book:
        assert book.entries == []


@needs_posix
def test_a_file_that_is_taken_away_meanwhile_is_made_again(monkeypatch):
    """By one who was refused, between our opening and locking it."""
    lock, calls = running.lock, []

    def late(file):
        calls.append(file)
        if len(calls) == 1:
            os.unlink("l.jsonl")
        lock(file)

    monkeypatch.setattr(running, "lock", late)
    filled()
    assert len(calls) == 2
    assert len(Path("l.jsonl").read_bytes().splitlines()) == 4
