"""Messages are one line that can be read, whatever is in the file."""

import os
import shutil
import subprocess

import numpy as np
import pytest
from commands import refused, write
from hypothesis import given
from hypothesis import strategies as st
from written import read_samples

import csig
from csig import readers
from csig.base.errors import (
    LONGEST,
    LONGEST_QUOTE,
    InputError,
    Refusal,
    Remedy,
    argument,
    in_python,
    pasteable,
    shortened,
)

LONG = "x" * 1_000_000


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_what_is_quoted_is_cut_and_its_length_is_said():
    short = f"f.csv line 2: found {'y' * 199!r}, expected the gold's label"
    assert str(InputError(short)) == short
    found = str(InputError(f"f.csv line 2: found {LONG!r}, expected a number; --id helps"))
    quoted = "x" * LONGEST_QUOTE
    assert found == (
        f"f.csv line 2: found '{quoted}...' (1,000,000 characters), expected a number; --id helps"
    )
    once = shortened(f"found {'x' * 1000!r}, expected a label")
    assert shortened(once) == once
    assert once.endswith("...' (1,000 characters), expected a label")
    prose = " word" * 60  # between two quotes
    message = f"found {'a'!r};{prose}: {'b'!r} and the gold's, then{prose} {'c'!r}"
    assert str(InputError(message)) == message
    found = str(InputError(f"f.csv: {LONG} has no ids; say --id NAME"))  # not quoted
    assert found.startswith("f.csv: xxx")
    assert found.endswith("xxx has no ids; say --id NAME")
    assert len(found) < LONGEST + 100


@pytest.mark.parametrize(
    "cell", [LONG, "it's " * 99_999, "'\" " * 99_999, "a\\" * 99_999, "\n'\"" * 99_999]
)
def test_quotes_inside_what_is_quoted(cell):
    found = str(InputError(f"the gold's column {'q'!r}: found {cell!r} and {'z'!r}, way out"))
    assert found.startswith("the gold's column 'q': found ")
    assert found.endswith(" and 'z', way out")
    assert "\\..." not in found  # no half of an escape
    assert len(found) < 300


@given(st.text("ab '\"\\\n([,=:", max_size=800), st.text("ab '\"\\\n", max_size=300))
def test_any_message_stays_short_and_keeps_what_is_short(long, short):
    message = f"found {long!r} beside {short!r}"
    found = str(InputError(message))
    assert len(found) <= max(len(message), LONGEST + 100)
    if len(repr(long)) <= LONGEST_QUOTE and len(repr(short)) <= LONGEST_QUOTE:
        assert found == message


@pytest.mark.parametrize("read", [
    lambda: readers.read_table(write("t.csv", "id,a,b", f"q1,0.5,{LONG}", "q2,1,1", "q3,1,1")),
    lambda: read_samples([write("l.jsonl", f'{{"doc_id": 1, "acc": "{LONG}"}}')] * 2),
    lambda: csig.Comparison.from_scores({LONG: 1.0}, {"q": 1.0}),
])  # fmt: skip
def test_a_megabyte_in_a_message(read):
    with pytest.raises(InputError) as error:
        read()
    assert len(str(error.value)) < 2_500


def test_a_megabyte_on_the_command_line():
    write("t.csv", "id,a,b", f"q1,0.5,{LONG}", "q2,1,1", "q3,1,1")
    for more in ((), ("--by", LONG)):
        assert len(refused("compare", "t.csv", *more)) < 600


def test_a_refusal_is_one_line_whatever_columns_are_called() -> None:
    error = Refusal("no ids", Remedy(("--id", "a\x0cb\nc"), "if a\x0cb is one"))
    assert str(error) == r"no ids; give --id $'a\x0cb\x0ac' (if a\x0cb is one)"
    assert error.remedies[0].why == "if a\\x0cb is one"
    assert error.remedies[0].options == ("--id", "a\x0cb\nc")


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_a_shell_takes_a_command_to_paste_as_it_was_meant() -> None:
    words = ["x\u00a0y", "\u0645\u06cc\u200c\u062e", "\U0001f469\u200d", "gr\tp", "it's\n\\n",
             "a b", "\x1b[2J1", "-d'\u200b1a", "\udcff", ""]  # fmt: skip
    command = pasteable(["printf", r"%s\0", *words])
    assert command.isprintable()
    printed = subprocess.run(["bash", "-c", command], capture_output=True, check=True).stdout
    assert [os.fsdecode(own) for own in printed.split(b"\0")[:-1]] == words


@pytest.mark.parametrize(
    ("name", "values", "option", "keyword"),
    [
        ("gold_column", (), "--gold-column", "gold="),
        ("seed", (), "--seed", "rng="),
        ("no_header", (), "--no-header", "header=False"),
        ("unit", ("conflict",), "--unit conflict", "unit='conflict'"),
        ("system", ("a", "b"), "--system a b", "systems=['a', 'b']"),
        ("allow_missing", ("intersection",), "--allow-missing intersection", "allow_missing=True"),
    ],
)
def test_an_argument_is_named_as_each_face_has_it(name, values, option, keyword):
    assert argument(name, *values) == option
    with in_python():
        assert argument(name, *values) == keyword
    assert argument(name, *values) == option


def test_remedies_are_arguments_of_python():
    ways = Remedy(("--system", "a", "--system", "b"), "both"), Remedy(("--no-header",))
    sets = Remedy(("--dataset", "x", "--lower-is-better"), verb="datasets")
    assert str(Refusal("x", *ways)) == "x; give --system a --system b (both) or --no-header"
    with in_python():
        assert str(Refusal("x", *ways)) == "x; give systems=['a', 'b'] (both) or header=False"
        assert str(sets) == "csig datasets datasets='x', lower_is_better=True"
    assert str(sets) == "csig datasets --dataset x --lower-is-better"


def test_warnings_are_of_the_line_that_called_csig(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many functions of csig lie between."""
    monkeypatch.setattr("csig.engines.tasks.SLOW", 0)
    monkeypatch.setattr("csig.engines.tasks.SLOW_TRIAL", 0)
    own = csig.Metric("own", ("x", "n"), function=lambda sums: sums[..., 0] / sums[..., 1])
    units = np.random.default_rng(1).integers(1, 99, (2, 40, 2))
    comparison = csig.Comparison.from_statistics(*units, ("x", "n"))
    drawn = {"n_resamples": 2000, "rng": 1}
    for call in (
        lambda: csig.randomization_test(comparison, own, method="approximate", **drawn),
        lambda: csig.intervals.bootstrap_interval(comparison, own, method="percentile", **drawn),
        lambda: csig.effects.sensitivity(comparison, own, **drawn),
        lambda: csig.compare({"a": [1.0, 2.0], "b": [2.0, 4.0]}),
    ):
        with pytest.warns() as found:
            call()
        assert {warning.filename for warning in found} == {__file__}
