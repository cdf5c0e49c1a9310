"""A file of claims: its keys, and a message for every mistake."""

import contextlib
import json
import random
from fractions import Fraction

import pytest
from claimed import NUMBER, PVALUE
from drawn import several
from golden import lines_of, table
from hypothesis import given, settings
from hypothesis import strategies as st
from written import refusal

from csig.base.errors import InputError
from csig.claims import read_claims
from csig.claims.attainable import COUNTS
from csig.claims.checker import check_claims

SCORE = '[scores.a]\nrecall = "45.6 %"\n'
TEST = '[[tests]]\nmetric = "recall"\nalternative = "less"\n'


@pytest.fixture
def read(tmp_path):
    """Give a function from a text to its claims."""

    def read_text(text):
        data = text if isinstance(text, bytes) else text.encode()
        (tmp_path / "claims.toml").write_bytes(data)
        return read_claims(tmp_path / "claims.toml")

    return read_text


@pytest.fixture
def message(read, tmp_path):
    """Give the message for a text, with FILE for the path."""
    return lambda text: refusal(read, text).replace(str(tmp_path / "claims.toml"), "FILE")


def test_defaults_rounding_and_candidates(read, paper):
    assert (paper.source["section"], paper.correlation.text) == ("3.3", "0.35")
    assert paper.chi_squares[0].pvalue.text == "10 % to 20 %"
    for number, decimals in (("0.50", 2), ("0.5", 1), ('"0.500"', 3), ("1", 0), ("5e-1", 1)):
        interval = read(f"scores.a.recall = {number}\n").scores[0].printed.interval
        assert interval.high - interval.low == Fraction(1, 10**decimals)
    found = read(SCORE)
    assert (found.names, found.rounding) == (("A", "B"), ("nearest",))
    assert (dict(found.counts), found.tests) == ({}, ())
    for said, meaning in (
        ('["truncated", "half-up"]', "45.55% to 45.7% (without 45.7%)"),
        ('"truncated"', "45.6% to 45.7% (without 45.7%)"),
    ):
        (score,) = read(f"rounding = {said}\n" + SCORE).scores
        assert score.printed.meaning == meaning
    assert read(SCORE + "[counts]\ngold = [104, 103, 104]\n").counts["gold"] == (104, 103)


#: What messages of several rows have in common.
WORDS = {
    "NUMBER": NUMBER,
    "PVALUE": PVALUE,
    "METRICS": "expected recall, precision, f1, jaccard, accuracy, error_rate, or f0.5, f2, ...",
}


def rows():
    """The texts and messages of mistakes.txt."""
    for line in table("mistakes.txt", "claims")[1:]:
        text, expected = line.split(" => ")
        for word, said in WORDS.items():
            expected = expected.replace(word, said)
        yield "".join(f"{own}\n" for own in lines_of(text)), expected


MISTAKES = [
    ("x", "FILE: not TOML: Expected '=' after a key in a key/value pair (at end of document)"),
    (f"[counts]\ngold = 0x{'f' * 5000}\n", "FILE line 2: counts.gold: found an integer of 20000 "
     "bits, expected an integer from 1 to 10^18"),
    (TEST * 51, "FILE line 1: tests: found 51, expected at most 50"),
    *rows(),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), MISTAKES, ids=range(len(MISTAKES)))
def test_mistakes(message, text, expected):
    assert message(text) == expected


def test_hostile_keys_and_bytes(message):
    assert "UTF-8" in message(b"[scores.a]\nrecall = '45.6 \xff'\n")
    found = message('[scores.a]\n"\\u001b[31m" = 0.5\n')
    assert found.startswith("FILE: scores.a.\\x1b[31m: found the metric '\\x1b[31m', expected ")
    assert message('"\\u001b" = 1\n').startswith("FILE: \\x1b: found the unknown key '\\x1b'; ")
    deep = message("x = " + "[" * 100_000)
    assert deep.startswith("FILE line 1: found more than 8 dots in a key, or nested ")


# ---- anything at all -------------------------------------------------------------------------

VALUES = st.recursive(
    st.one_of(
        st.integers(-(10**20), 10**20), st.integers(0, 200), st.booleans(), st.floats(),
        st.sampled_from(["45.6 %", "0.5", "< 0.05", "10 % to 20 %", "recall", "f1", "less", "x"]),
        st.text(max_size=5),
    ),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)  # fmt: skip
NAMES = ("a", "b", "recall", "f1", "metric", "alternative", "hits", "trials", "pvalue", "statistic")
KEYS = st.sampled_from([*COUNTS, *NAMES, "title"])
SECTIONS = (
    "counts", "scores.a", "scores.b", "[tests]", "correlation", "chi_square.precision", "source",
)  # fmt: skip


def toml(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    return json.dumps(value) if isinstance(value, str) else str(value)


@settings(max_examples=several(15, 25))
@given(
    st.lists(
        st.tuples(st.sampled_from(SECTIONS), st.dictionaries(KEYS, VALUES, max_size=6)),
        max_size=5,
        unique_by=lambda section: section[0],
    )
)
def test_any_values(tmp_path_factory, sections):
    """Whatever can be read can be checked, and written as JSON."""
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_bytes(
        "".join(
            f"[{name}]\n" + "".join(f"{key} = {toml(v)}\n" for key, v in table.items())
            for name, table in sections
        ).encode("utf-8", "replace")
    )
    with contextlib.suppress(InputError):
        json.dumps(check_claims(read_claims(path)).to_dict(), allow_nan=False)


def test_checks_of_changed_numbers(request, tmp_path):
    """The example with other numbers in it can always be checked."""
    text = (request.config.rootpath / "examples" / "yeh2000-claims.toml").read_text()
    numbers = ["0", "1", "7", "103", "1_000", "1_000_000_000_000", "1_000_000_000_000_000_000"]
    rng = random.Random(2)
    path = tmp_path / "changed.toml"
    checked = 0
    rounds = several(12, 150)
    for _ in range(rounds):
        lines = text.split("\n")
        for i, line in enumerate(lines):
            key, equals, value = line.partition(" = ")
            if equals and value[:1].isdigit() and rng.random() < 0.3:
                lines[i] = f"{key} = {rng.choice(numbers)}"
        path.write_text("\n".join(lines))
        with contextlib.suppress(InputError):
            claims = read_claims(path)
            json.dumps(check_claims(claims).to_dict(), allow_nan=False)
            checked += 1
    assert checked > rounds / 3
