"""What a gzip file holds: members, damage, and files that go on for ever."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest
from commands import refused
from hypothesis import given, settings
from hypothesis import strategies as st
from written import half_random, many_members, refusal

from csig import readers
from csig.readers import packed
from csig.readers.lines import read_bytes, read_start, read_text

MEMBERS = st.lists(
    st.tuples(
        st.integers(0, 3).flatmap(lambda n: st.binary(max_size=9).map(lambda b: b * 7**n)),
        st.integers(0, 70),
    ),
    min_size=1,
    max_size=6,
)


@given(members=MEMBERS, sizes=st.tuples(*[st.integers(1, 40)] * 3), start=st.integers(0, 200))
@settings(max_examples=60)
def test_members_are_joined(tmp_path_factory, members, sizes, start):
    """Whatever is unpacked at a time, and wherever what is kept ends."""
    file = tmp_path_factory.mktemp("gz") / "t.gz"
    file.write_bytes(b"".join(gzip.compress(own) + bytes(zeros) for own, zeros in members))
    expected = b"".join(own for own, _ in members)
    assert gzip.decompress(file.read_bytes()) == expected
    with pytest.MonkeyPatch.context() as patch:
        for name, size in zip(("_INPUT", "_OUTPUT", "_KEPT"), sizes, strict=True):
            patch.setattr(packed, name, size)
        assert read_bytes(file).tobytes() == expected
        assert read_start(file, start).tobytes() == expected[:start]
        if len(expected) > file.stat().st_size:
            with readers.max_size(len(expected)):
                assert read_bytes(file).tobytes() == expected
            with readers.max_size(len(expected) - 1):
                assert "unpacks to more than" in refusal(read_bytes, file)


def test_large_files_are_what_they_were(monkeypatch):
    monkeypatch.setattr(packed, "_KEPT", 2**20)
    path = half_random(5)
    assert read_bytes(path).tobytes() == gzip.decompress(Path(path).read_bytes())


def test_damaged_files():
    data = gzip.compress(b"id,a,b\n" + random.Random(2).randbytes(300))
    for end in range(2, len(data)):
        Path("t.gz").write_bytes(data[:end])
        assert "t.gz: not a gzip file that can be read (" in refusal(read_text, "t.gz")
    for at in (3, 60, len(data) - 6, len(data) - 1):
        wrong = bytearray(data)
        wrong[at] ^= 255
        Path("t.gz").write_bytes(wrong)
        assert "t.gz: not a gzip file that can be read (" in refusal(read_text, "t.gz")
    Path("t.gz").write_bytes(data + b"more")
    assert "not a gzip file that can be read (" in refusal(read_text, "t.gz")


def test_a_million_members_are_too_many():
    many_members("t.gz", b"", packed.MOST_MEMBERS + 1)
    assert "t.gz: not a gzip file that can be read (more than 131,072 members)" in refusal(
        read_text, "t.gz"
    )


def test_files_that_go_on_for_ever():
    if not Path("/dev/zero").exists():
        pytest.skip("needs /dev/zero")
    with readers.max_size(2**20):
        assert refusal(read_text, "/dev/zero").startswith("/dev/zero: holds more than 1 MiB;")
    assert "holds more than 1 MiB" in refused("audit", "/dev/zero", "--max-size", "1M")
