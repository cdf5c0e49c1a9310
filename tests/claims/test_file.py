"""A file of claims: its keys, and a message for every mistake."""

from __future__ import annotations

import contextlib
import json
import random
from fractions import Fraction

import pytest
from claimed import NUMBER, PVALUE
from drawn import several
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


METRICS = "expected recall, precision, f1, jaccard, accuracy, error_rate, or f0.5, f2, ..."
CANDIDATES = f"[{', '.join(map(str, range(40)))}]"

MISTAKES = [
    # the file
    ("x", "FILE: not TOML: Expected '=' after a key in a key/value pair (at end of document)"),
    ("a = 1\na = 2\n", "FILE line 2: not TOML: Cannot overwrite a value (column 6)"),
    ("", "FILE: nothing to check; expected [scores.a], [scores.b], [[tests]], [correlation], "
     "[chi_square] or [[distributions]]"),
    ("[score.a]\n", "FILE line 1: score: found the unknown key 'score' (did you mean 'scores'?)"),
    ("qwe = 1\n", "FILE line 1: qwe: found the unknown key 'qwe'; expected source, rounding, "
     "systems, counts, scores, tests, correlation, chi_square, distributions"),
    # source and systems
    ("source = 3\n", "FILE line 1: source: found 3, expected a table, [source]"),
    ("[source]\ntitle = 3\n", "FILE line 2: source.title: found 3, expected a text in quotes"),
    ("[systems]\na = '  '\n", "FILE line 2: systems.a: found '  ', expected a text in quotes"),
    ("[systems]\na = 'x\\u001b'\n".replace("'", '"'),
     "FILE line 2: systems.a: found 'x\\x1b', expected a line of at most 200 printable characters"),
    ("[systems]\na = 'x'\nb = 'x'\n",
     "FILE line 3: systems.b: found 'x' for both systems, expected two names"),
    # rounding
    ("rounding = 'up'\n",
     "FILE line 1: rounding: found 'up', expected nearest, half-up, half-even, truncated"),
    ("rounding = [1]\n",
     "FILE line 1: rounding: found 1, expected nearest, half-up, half-even, truncated"),
    ("rounding = []\n",
     "FILE line 1: rounding: found no convention, expected nearest, half-up, half-even, truncated"),
    # counts
    ("[counts]\ngold = 0\n",
     "FILE line 2: counts.gold: found 0, expected an integer from 1 to 10^18"),
    ("[counts]\ngold = 1_000_000_000_000_000_001\n",
     "FILE line 2: counts.gold: found 1000000000000000001, expected an integer from 1 to 10^18"),
    (f"[counts]\ngold = 0x{'f' * 5000}\n", "FILE line 2: counts.gold: found an integer of 20000 "
     "bits, expected an integer from 1 to 10^18"),
    ("[counts]\nboth_correct = -1\n",
     "FILE line 2: counts.both_correct: found -1, expected an integer from 0 to 10^18"),
    ("[counts]\ngold = 3.0\n", "FILE line 2: counts.gold: found 3.0, expected an integer"),
    ("[counts]\ngold = []\n",
     "FILE line 2: counts.gold: found no candidate, expected at least one integer"),
    ("[counts]\ngold = [3, [4]]\n",
     "FILE line 2: counts.gold: found an array of 1, expected an integer"),
    (f"[counts]\nboth_correct = {CANDIDATES}\nboth_spurious = {CANDIDATES}\n", "FILE line 1: "
     "counts: found candidates with 1600 combinations, expected at most 200"),
    # scores
    ("[scores]\nrecall = 3\n",
     "FILE line 2: scores.recall: found the unknown key 'recall'; expected a, b"),
    ("[scores.a]\nbleu = 3\n",
     f"FILE line 2: scores.a.bleu: found the metric 'bleu', {METRICS}"),
    ("[scores.a]\nf0 = 0.5\n", "FILE line 2: scores.a.f0: beta must be positive, found '0'"),
    ("[scores.a]\nf1 = 0.5\nF1 = 0.5\n",
     "FILE line 3: scores.a.F1: found f1 a second time, expected every score once"),
    ("[scores.a]\nrecall = nan\n", f"FILE line 2: scores.a.recall: found 'nan', {NUMBER}"),
    ("[scores.a]\nrecall = true\n", "FILE line 2: scores.a.recall: found True, expected a number "
     "as printed, in quotes"),
    ("[scores.a]\nrecall = 45.6\n", "FILE line 2: scores.a.recall: found '45.6', expected a share "
     "from 0 to 1, or in percent"),
    ("[scores.a]\n" + "".join(f"f{i} = 0.5\n" for i in range(2, 16)),
     "FILE line 1: scores.a: found 14 scores, expected at most 12"),
    ("[scores.a]\nrecall = 0.3\n[scores.b]\nrecall = x.3\n",
     "FILE line 4: not TOML: Invalid value (column 10)"),
    ("[scores.a]\nrecall = 0.3\n[scores . 'b']\nrecall = 3\n", "FILE line 4: scores.b.recall: "
     "found '3', expected a share from 0 to 1, or in percent"),
    ("[scores.a]\n'f0.5' = 3\n", "FILE line 2: scores.a.f0.5: found '3', expected a share from 0 "
     "to 1, or in percent"),
    # tests
    ("[tests]\n", "FILE line 1: tests: found a table of 0, expected [[tests]] before each"),
    (TEST * 51, "FILE line 1: tests: found 51, expected at most 50"),
    ("[[tests]]\nmetric = 'f1'\n", "FILE line 1: tests[0]: 'alternative' is missing"),
    (TEST, "FILE line 1: tests[0]: found neither hits nor a pvalue, expected one of them"),
    (TEST + "hits = 3\n", "FILE line 1: tests[0]: found hits without trials, expected both"),
    (TEST + "hits = 3\ntrials = 2\n",
     "FILE line 4: tests[0].hits: found 3, expected an integer from 0 to 2"),
    (TEST + "hits = 0\ntrials = 0\n",
     "FILE line 5: tests[0].trials: found 0, expected an integer from 1 to 10^18"),
    (TEST + "pvalue = 'small'\n", f"FILE line 4: tests[0].pvalue: found 'small', {PVALUE}"),
    (TEST + "pvalue = 3\n",
     "FILE line 4: tests[0].pvalue: found '3', expected a p-value from 0 to 1, or in percent"),
    (TEST.replace("less", "lower"), "FILE line 3: tests[0].alternative: found 'lower', expected "
     "greater, less, two-sided, of A minus B"),
    (TEST.replace('"recall"', "3") + "pvalue = 0.3\n",
     "FILE line 2: tests[0].metric: found 3, expected the name of a metric"),
    (TEST.replace("recall", "ter") + "pvalue = 0.3\n",
     f"FILE line 2: tests[0].metric: found the metric 'ter', {METRICS}"),
    # correlation and chi-square
    ("[correlation]\n", "FILE line 1: correlation: 'recall' is missing"),
    ("[correlation]\nrecall = 1.35\n",
     "FILE line 2: correlation.recall: found '1.35', expected a number from -1 to 1"),
    ("[chi_square.f1]\n", "FILE line 1: chi_square.f1: found the unknown key 'f1'; expected "
     "precision, recall, accuracy"),
    ("[chi_square.recall]\n", "FILE line 1: chi_square.recall: found neither a statistic nor a "
     "pvalue, expected one of them"),
    ("[chi_square.recall]\nstatistic = -3.1\n", "FILE line 2: chi_square.recall.statistic: found "
     "'-3.1', expected a number from 0 to 10^18"),
    # distributions
    ("distributions = 3\n", "FILE line 1: distributions: found 3, expected [[distributions]] "
     "before each"),
    ("distributions = [3]\n", "FILE line 1: distributions[0]: found 3, expected a table, "
     "[[distributions]]"),
    ("[[distributions]]\nsd_c = 1\n", "FILE line 2: distributions[0].sd_c: found the unknown key "
     "'sd_c' (did you mean 'sd_b' or 'sd_a'?)"),
    ("[[distributions]]\nsamples = 1\n", "FILE line 2: distributions[0].samples: found 1, expected "
     "an integer from 2 to 10^18"),
    ("[[distributions]]\nmean_a = '93 %'\nsd_a = 0.5\nprobability = 1\n", "FILE line 1: "
     "distributions[0]: found some scores in percent and some not, expected all or none"),
    ("[[distributions]]\nsd_difference = -0.5\n", "FILE line 2: distributions[0].sd_difference: "
     "found '-0.5', expected at least 0"),
    ("[[distributions]]\ncorrelation = 1.5\nprobability = 1\n", "FILE line 2: "
     "distributions[0].correlation: found '1.5', expected a number from -1 to 1"),
    ("[[distributions]]\nsd_a = 1\n", "FILE line 1: distributions[0]: found neither sd_difference "
     "nor probability, expected one of them"),
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


@settings(max_examples=25)
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
        json.dumps(check_claims(read_claims(path)).as_dict(), allow_nan=False)


def test_checks_of_changed_numbers(request, tmp_path):
    """The example with other numbers in it can always be checked."""
    text = (request.config.rootpath / "examples" / "yeh2000-claims.toml").read_text()
    numbers = ["0", "1", "7", "103", "1_000", "1_000_000_000_000", "1_000_000_000_000_000_000"]
    rng = random.Random(2)
    path = tmp_path / "changed.toml"
    checked = 0
    rounds = several(30, 150)
    for _ in range(rounds):
        lines = text.split("\n")
        for i, line in enumerate(lines):
            key, equals, value = line.partition(" = ")
            if equals and value[:1].isdigit() and rng.random() < 0.3:
                lines[i] = f"{key} = {rng.choice(numbers)}"
        path.write_text("\n".join(lines))
        with contextlib.suppress(InputError):
            claims = read_claims(path)
            json.dumps(check_claims(claims).as_dict(), allow_nan=False)
            checked += 1
    assert checked > rounds / 3
