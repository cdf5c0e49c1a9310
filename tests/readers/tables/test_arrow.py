"""Tables with and without pyarrow: the same cells, the same doubles, the same mistakes."""

from __future__ import annotations

import gzip
import io
import math
import sys
from pathlib import Path

import numpy as np
import pytest
from drawn import examples
from hypothesis import example, given
from hypothesis import strategies as st

from csig.errors import InputError
from csig.readers import read_table, read_tables
from csig.readers.tables import delimited

arrow = pytest.importorskip("csig.readers.tables.arrow")


def plain(values):
    """Numbers with their type and bits, or strings."""
    if isinstance(values, np.ndarray):
        return values.dtype.str, values.shape, values.tobytes()
    return None if values is None else list(values)


def outcome(read):
    """Everything that is in a table, or the message."""
    try:
        table = read()
    except InputError as error:
        return type(error).__name__, str(error)
    return (
        table.format,
        table.columns,
        {name: plain(values) for name, values in table.systems.items()},
        plain(table.gold),
        plain(table.ids),
        plain(table.clusters),
        {name: plain(values) for name, values in table.others.items()},
        (table.id_column, table.cluster_column, table.gold_column, table.notes),
    )


def both(data: bytes, **options):
    """What both ways give, which must be the same; and whether pyarrow took the file."""
    Path("t.csv").write_bytes(data)
    taken = []
    cells = arrow.csv_cells

    def spy(*arguments):
        taken.append(cells(*arguments) is not None)
        return cells(*arguments)

    found = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrow, "csv_cells", spy)
        for least in (0, 2**62):
            patch.setattr(delimited, "ARROW_FROM", least)
            found.append(outcome(lambda: read_table("t.csv", **options)))
            found.append(outcome(lambda: read_tables(["t.csv", "t.csv"], **options)))
    assert found[:2] == found[2:]
    return found[0], bool(taken) and all(taken)


NUMBER = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-(2**70), 2**70).map(str),
    st.decimals(allow_nan=False, allow_infinity=False).map(str),
    st.from_regex(r"-?[0-9]{1,30}\.[0-9]{0,30}", fullmatch=True),
    st.from_regex(r"-?[0-9]{0,5}\.?[0-9]{1,400}", fullmatch=True),
    st.from_regex(r"-?[0-9]{1,20}(\.[0-9]{1,20})?[eE][-+]?[0-9]{1,3}", fullmatch=True),
    # Half way between two doubles, where rounding is seen.
    st.floats(0.5, 1).map(lambda x: f"{math.ldexp(x, 53):.0f}.{'5' * 1}"),
)

# fmt: off
ODD = st.sampled_from([
    "nan", "NaN", "-nan", "inf", "-inf", "Infinity", "nan(1)", "1_000", "0x10", "0x1p3", "1e", "+1",
    "1e999", "-1e999", "1e-400", "4.9e-324", "2.4e-324", "-0", "-0.0", ".5", "5.", ".", "-", "1d5",
    "1f", "1L", "1,5", "9007199254740993", "18446744073709551616", "true", "NULL", "null", "NA",
    "#N/A", "--1", "1e+5", "1E-5", "1.e3", "0.1e1", "00.5", "\u0661", "\uff11", "\u00e4", "'1'",
    "\\", '"', '"1"', '1"', "", " ", " 1", "1 ", "\t1", "1\x0b", "\x0c2", "1\0", "1\r", "\r",
    "1\xa0", "\ufeff1", "1\u2028",
])
# fmt: on


@examples(300)
@given(st.lists(st.tuples(NUMBER, NUMBER), min_size=1, max_size=8))
@example([("9007199254740993.0", "0.1"), ("1e23", "8.5e22")])
@example([("1e999", "0.5")])
@example([("2.4703282292062327e-324", "2.4703282292062328e-324")])
def test_doubles_are_the_same_to_the_bit(rows):
    body = "".join(f"q{i},{a},{b}\n" for i, (a, b) in enumerate(rows))
    found, taken = both(f"id,a,b\n{body}".encode(), systems=["a", "b"])
    assert taken
    values = [[float(a) for a, _ in rows], [float(b) for _, b in rows]]
    if found[0] == "scores":
        for name, own in zip("ab", values, strict=True):
            kind, _, raw = found[2][name]
            whole = all(x == round(x) and abs(x) < 2**53 for x in own)
            assert kind == ("<i8" if whole else "<f8")
            assert np.frombuffer(raw, dtype=kind).tolist() == own
    else:
        texts = [text for row in rows for text in row]
        lost = [text for text in texts if text.lstrip("+-").isdigit() and float(text) != int(text)]
        assert lost or not np.isfinite(values).all()


@examples(300)
@given(
    st.lists(
        st.tuples(st.text("ab1\u00e4 ", max_size=3) | ODD, NUMBER | ODD, NUMBER | ODD),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from("\t,;"),
    st.sampled_from(["\n", "\r\n", "\n\n", "\r"]),
    st.booleans(),
)
def test_any_cells(rows, delimiter, end, allow_missing):
    lines = [delimiter.join(row) for row in [("id", "a", "b"), *rows]]
    both(end.join(lines).encode(), allow_missing=allow_missing)


@given(
    st.binary(max_size=60) | st.text('id,ab\n"01.5\t;x-\r e', max_size=60).map(str.encode),
    st.sampled_from([b"", b"id,a,b\n", b"\xef\xbb\xbf\n \r\nid\ta\tb\r\n", b"id,system,score\n"]),
)
def test_any_bytes(data, header):
    both(header + data)


WIDE = "id,task,text,a,b\nq1,x,u,0.5,1\nq2,x,v,0.25,0\nq3,y,,1e-3,1\n"


@pytest.mark.parametrize(
    "data",
    [
        WIDE,
        WIDE.rstrip("\n"),
        WIDE.replace("\n", "\r\n"),
        "\n  \n" + WIDE,
        "\ufeff" + WIDE,
        WIDE.replace(",", "\t"),
        WIDE.replace(",", ";"),
        WIDE.replace("u", "\u00e4\U0001f600"),
        WIDE.replace("q", "0"),
        WIDE.replace("0.25", " 0.25"),
        WIDE.replace("0.25", "+0.25"),
        WIDE.replace("0.25", ""),
        WIDE.replace("0.25", "nan"),
        WIDE.replace("q3", "q1"),
        WIDE.replace("q3", ""),
        WIDE.replace("\nq2", "\n\n\nq2"),
        WIDE.replace("\nq2", "\n\nq2").replace("0.25", "x") + "\n\n",
        "id,task,a,b\n1,x,1,0.5\n1,y,1,0\n2,y,0,0\n",
        "id,system,genre,score\n1,x,n,0.5\n1,y,n,0\n2,y,f,0\n2,x,f,1\n",
        "id,gold,x,y\n1,1,1,0\n2,0,0,0\n3,1, 1,1\n",
        "id,tp,fp,fn\n1,1,1,0\n2,0,0,0\n3,1,1,1\n",
        "a,b\n1,0.5\n2,0.25\n1,1\n",
        "id,a,b\n" + "x" * 2**17 + ",1,0.5\n",
    ],
)
def test_what_pyarrow_takes(data):
    for options in ({}, {"systems": ["a", "b"]}, {"allow_missing": True}, {"cluster": "text"}):
        assert both(data.encode(), **options)[1]


@pytest.mark.parametrize(
    "data",
    [
        WIDE.replace("q1", '"q1"'),
        WIDE.replace("q2", "q\r2"),
        WIDE.replace("id", "\rid"),
        WIDE.replace("\nq2", "\n \nq2"),
        WIDE.replace("q1", "\ufeffq1"),
        WIDE + "q4,x,u,1\n",
        WIDE + "q4,x,u,1,2,3\n",
        WIDE + "q4",
        "id,task,text,a,b\n",
        "a\n1\n2\n",
        WIDE.replace("id", "x" * 2**16),
        b"id,a\nq\xff,1\n",
        b"id,a\nq\0,1\n",
        b"",
    ],
)
def test_what_pyarrow_does_not_take(data):
    assert not both(data if isinstance(data, bytes) else data.encode())[1]


def test_packed_and_standard_input(monkeypatch):
    monkeypatch.setattr(delimited, "ARROW_FROM", 0)
    Path("t.csv.gz").write_bytes(gzip.compress(WIDE.encode()))

    class Stdin:
        buffer = io.BytesIO(WIDE.encode())

    monkeypatch.setattr(sys, "stdin", Stdin())
    for path in ("t.csv.gz", "-"):
        table = read_table(path, cluster="task")
        assert table.ids == ["q1", "q2", "q3"]
        assert table.clusters == ["x", "x", "y"]
        assert table.others["text"] == ["u", "v", ""]
        assert table.systems["a"].tolist() == [0.5, 0.25, 0.001]


def test_many_rows_in_many_blocks(monkeypatch):
    rng = np.random.default_rng(1)
    ids = [f"question/{i}" for i in rng.permutation(100_000).tolist()]
    scores = rng.normal(size=(2, len(ids)))
    rows = (f"{i},{a!r},{b!r}\n" for i, a, b in zip(ids, *scores.tolist(), strict=True))
    Path("t.csv").write_text("id,a,b\n" + "".join(rows))
    for least in (0, 2**62):
        monkeypatch.setattr(delimited, "ARROW_FROM", least)
        table = read_table("t.csv")
        assert table.ids == ids
        assert np.array_equal(np.stack([table.systems["a"], table.systems["b"]]), scores)
