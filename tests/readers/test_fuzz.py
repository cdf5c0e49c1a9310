"""Files that nobody would write: every reader refuses them in one line, or reads them right.

tests/fuzz/fuzz_readers.py asks the same with inputs that a fuzzer finds by coverage, for as
long as one likes.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from drawn import examples, several
from fuzz.targets import EXTREMES, TARGETS, VALID, attempt
from hypothesis import given
from hypothesis import strategies as st

each = pytest.mark.parametrize("name", TARGETS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    return tmp_path_factory.mktemp("fuzz")


#: What stands between fields, lines and values, and what is a value in one format only.
TOKENS = [
    *(b"\n", b"\r\n", b"\r", b"\t", b" ", b",", b";", b'"', b"'", b"\\", b"#", b"=", b"[", b"{"),
    *(b"}", b":", b"-", b".", b"0", b"O", b"B-X", b"-DOCSTART- O\n", b"# newdoc id = z\n", b""),
    *(b"NaN", b"-Infinity", b"1e999", b"1e308", b"5e-324", b"9" * 30, b"9223372036854775807"),
    *(b'"\\ud800"', b"\\udc00", b"null", b"true", b"\xef\xbb\xbf", b"\xff", b"\0", b"\x1f\x8b"),
    *("é", "\u2028", "\x85", "\u00a0", "٣"),
]
TOKENS = [token.encode() if isinstance(token, str) else token for token in TOKENS]
EVERYTHING = sorted({contents for own in VALID.values() for contents in own})
LINES = sorted({line for contents in EVERYTHING for line in contents.split(b"\n")})
Change = Callable[[bytes], bytes]


def cut(contents: bytes, share: float) -> tuple[bytes, bytes]:
    at = round(share * len(contents))
    return contents[:at], contents[at:]


shares = st.floats(0, 1)


@st.composite
def changes(draw: st.DrawFn) -> Change:
    """A change of a file, of bytes or of lines."""
    kind = draw(st.sampled_from(["insert", "delete", "repeat", "replace", "lines", "splice"]))
    start, end = sorted((draw(shares), draw(shares)))
    token = draw(st.one_of(st.sampled_from(TOKENS), st.binary(max_size=4)))
    if kind == "insert":
        return lambda contents: token.join(cut(contents, start))
    if kind == "delete":
        return lambda contents: cut(contents, start)[0] + cut(contents, end)[1]
    if kind == "repeat":
        times = draw(st.sampled_from([2, 3, 1000, 5000]))

        def repeat(contents: bytes) -> bytes:
            before, after = cut(contents, start)
            return before + after[:draw_length] * times + after

        draw_length = draw(st.integers(1, 20))
        return repeat
    if kind == "replace":
        old = draw(st.sampled_from([token for token in TOKENS if token]))
        count = draw(st.sampled_from([1, -1]))
        return lambda contents: contents.replace(old, token, count)
    if kind == "splice":
        other = draw(st.sampled_from(EVERYTHING))
        return lambda contents: cut(contents, start)[0] + cut(other, end)[1]
    order = draw(st.randoms(use_true_random=False))
    line = draw(st.sampled_from(LINES))

    def shuffled(contents: bytes) -> bytes:
        lines = [*contents.split(b"\n"), line]
        order.shuffle(lines)
        return b"\n".join(lines[: len(lines) - order.randrange(2)])

    return shuffled


@st.composite
def changed_files(draw: st.DrawFn, name: str) -> list[bytes]:
    """One file that is right or three, with up to four changes in each."""
    files = []
    for _ in range(draw(st.sampled_from([1, 3]))):
        contents = draw(st.sampled_from(VALID[name]))
        for change in draw(st.lists(changes(), max_size=4)):
            contents = change(contents)
        files.append(gzip.compress(contents) if draw(st.integers(0, 19)) == 7 else contents)
    return files


@each
def test_files_with_some_changes(name, folder):
    @examples(150)
    @given(variant=st.integers(0, 99), contents=changed_files(name))
    def read(variant, contents):
        attempt(name, variant, contents, folder)

    read()


ANY = st.binary() | st.text().map(lambda text: text.encode("utf-8", "surrogatepass"))


@each
def test_any_bytes(name, folder):
    @examples(50)
    @given(variant=st.integers(0, 99), contents=st.lists(ANY, min_size=1, max_size=3))
    def read(variant, contents):
        attempt(name, variant, contents, folder)

    read()


@each
def test_files_to_start_from_are_right(name, folder):
    """Else nothing but refusals would be looked at."""
    variants = range(TARGETS[name].variants)
    for contents in VALID[name]:
        assert any(attempt(name, variant, [contents], folder) for variant in variants), contents


@pytest.mark.parametrize("name", EXTREMES)
def test_extremes(name, folder):
    for contents in EXTREMES[name]:  # the fuzzer begins with all of them
        for variant in range(min(TARGETS[name].variants, several(6, 16))):
            attempt(name, variant, [contents], folder)
