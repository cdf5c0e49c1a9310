"""Files that nobody would write: every reader refuses them in one line, or reads them right."""

import gzip
import random
from pathlib import Path

import pytest
from drawn import several
from fuzz.targets import EXTREMES, TARGETS, VALID, attempt

#: What stands between fields, lines and values, and what is a value in one format only.
TOKENS = [
    *(b"\n", b"\r\n", b"\r", b"\t", b" ", b",", b";", b'"', b"'", b"\\", b"#", b"=", b"[", b"{"),
    *(b"}", b":", b"-", b".", b"0", b"O", b"B-X", b"-DOCSTART- O\n", b"# newdoc id = z\n", b""),
    *(b"NaN", b"-Infinity", b"1e999", b"1e308", b"5e-324", b"9" * 30, b"9223372036854775807"),
    *(b'"\\ud800"', b"\\udc00", b"null", b"true", b"\xef\xbb\xbf", b"\xff", b"\0", b"\x1f\x8b"),
    *map(str.encode, ("é", "\u2028", "\x85", "\u00a0", "٣")),
]
EVERYTHING = sorted({contents for own in VALID.values() for contents in own})


def changed(rng: random.Random, contents: bytes) -> bytes:
    start, end = sorted(rng.randint(0, len(contents)) for _ in "ab")
    before, after, token = contents[:start], contents[start:], rng.choice(TOKENS)
    lines = [*contents.split(b"\n"), *rng.choice(EVERYTHING).split(b"\n")[:1]]
    rng.shuffle(lines)
    return rng.choice([
        before + token + after,
        before + rng.randbytes(rng.randrange(5)) + after,
        before + contents[end:],
        before + after[: rng.randint(1, 20)] * rng.choice([2, 3, 1000, 5000]) + after,
        contents.replace(rng.choice(TOKENS) or b"\n", token, rng.choice([1, -1])),
        before + rng.choice(EVERYTHING)[-end:],
        b"\n".join(lines[rng.randrange(2) :]),
        "".join(map(chr, rng.choices(range(0x3000), k=9))).encode("utf-8", "surrogatepass"),
    ])  # fmt: skip


@pytest.mark.parametrize("name", TARGETS)
def test_files_with_some_changes(name, tmp_path):
    """One file that is right or three, with up to four changes in each."""
    for i in range(several(6, 200)):
        rng = random.Random(f"{name} {i}")
        files = []
        for _ in range(rng.choice([1, 3])):
            contents = rng.choice(VALID[name])
            for _ in range(rng.randrange(5)):
                contents = changed(rng, contents)
            files.append(gzip.compress(contents) if rng.random() < 0.05 else contents)
        attempt(name, rng.randrange(100), files, tmp_path)


@pytest.mark.parametrize("name", [name for name in TARGETS if name != "command"])
def test_files_to_start_from_are_right(name, tmp_path):
    """Else nothing but refusals would be looked at."""
    variants = range(TARGETS[name].variants)
    for contents in VALID[name]:
        assert any(attempt(name, variant, [contents], tmp_path) for variant in variants), contents


@pytest.mark.parametrize("name", EXTREMES)
def test_extremes(name, tmp_path: Path):
    for contents in EXTREMES[name]:  # the fuzzer begins with all of them
        for variant in range(min(TARGETS[name].variants, several(1, 16))):
            attempt(name, variant, [contents], tmp_path)
