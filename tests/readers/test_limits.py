"""What a file may cost: bombs are refused in one line, and take no memory before they are."""

import gzip
import json
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from commands import refused, run, write
from drawn import several
from hypothesis import given, settings
from hypothesis import strategies as st
from memory import MOST_MEGABYTES, needs_proc, taken
from places import ROOT
from written import half_random, read_samples, read_span_files, refusal

from csig import readers
from csig.base.errors import InputError
from csig.readers import counts, limits


def rows(megabytes, packing="gzip"):
    """A table that packs to a thousandth of its size."""
    pack = import_module(packing).compress
    block = pack(b"q,0,1\n" * 50_000) * (megabytes * 10 // 3)
    Path(f"{packing}.csv").write_bytes(pack(b"id,a,b\n") + block)
    return f"{packing}.csv"


# ---- sizes ---------------------------------------------------------------------------------------
ANOTHER = "--max-size (in Python csig.readers.max_size) sets another limit"

#: Reads files in every way, and prints what each ends in. Less is kept than usual of what is
#: unpacked, so that smaller bombs show what larger ones would.
READ = """
from csig import InputError, readers
from csig.readers import counts, lines
from csig.readers.lines import json_values, read_lines
from csig.readers.tables.files import read_numbers, read_sheet
lines._KEPT //= 8
with readers.max_size(int(sys.argv[1])):
    for name in sys.argv[2:]:
        tables = read_lines, read_numbers, read_sheet, json_values
        for read in (counts.read_counts, readers.read_claims) if "." not in name else tables:
            try:
                read(name)
            except InputError as error:
                print(error)
"""


@needs_proc
def test_bombs_take_no_memory():
    sizes = {"gzip": 120, "bz2": 40, "lzma": 200, "zstandard": 200}
    paths = [rows(size, own) for own, size in sizes.items() if find_spec(own)]
    for name, text in TOML_BOMBS.items():
        Path(name).write_text(text)
    Path("gzip").write_bytes(Path(paths[0]).read_bytes())
    found = taken(READ, 2**30, *paths, *TOML_BOMBS, "gzip")
    deep = "found more than 8 dots in a key, or nested brackets, expected at most 2"
    lines = [f"{name} line {text.count(chr(10))}: {deep}" for name, text in TOML_BOMBS.items()]
    lines.append("gzip: holds more than 256 KiB, expected a file of a few numbers")
    assert found.output[4 * len(paths) :] == [line for line in lines for _ in range(2)]
    for i, line in enumerate(found.output[: 4 * len(paths)]):
        size = Path(paths[i // 4]).stat().st_size
        most = f"{paths[i // 4]}: unpacks to more than 16 MiB and 200 times its {size:,} bytes"
        assert line.startswith(most)
    assert found.megabytes < MOST_MEGABYTES


@needs_proc
def test_what_is_too_large_only_at_its_end_takes_no_memory():
    found = taken(READ, 110 * 2**20, half_random(120))
    assert found.output == [f"half.csv.gz: unpacks to more than 110 MiB; {ANOTHER}"] * 4
    assert found.megabytes < MOST_MEGABYTES / 2


def test_standard_input_that_is_too_long():
    said = "-: unpacks to more than 16 MiB and 200 times"
    assert said in refused("compare", "-", stdin=Path(rows(40)).read_bytes())
    table = b"id,a,b\n" + b"".join(b"%d,0,1\n" % i for i in range(1000, 2000))
    assert 8 * 2**10 < len(table) < 9 * 2**10
    run("compare", "-", "--max-size", "9K", stdin=table)
    said = refused("compare", "-", "--max-size", "8K", stdin=table)
    assert said == f"csig: -: holds more than 8 KiB; {ANOTHER}\n"
    for size in ("0", "-1", "x", "1P", "1.5", "", "1" * 20):
        said = refused("compare", "-", f"--max-size={size}", stdin=table)
        assert "expected a size such as 500M, 2G or 1073741824" in said


def test_max_size_is_of_what_the_file_holds():
    path = write("t.csv", "id,a,b", *(f"r{i},1,0.5" for i in range(40)))
    size = Path(path).stat().st_size
    Path("t.csv.gz").write_bytes(gzip.compress(Path(path).read_bytes()))
    for own in (path, "t.csv.gz"):
        with readers.max_size(size):
            assert readers.read_table(own).n_units == 40
            with readers.max_size(size - 1):
                assert ANOTHER in refusal(readers.read_table, own)
            assert readers.read_table(own).n_units == 40
    with readers.max_size(1):
        assert f"holds {size} bytes, expected at most 1;" in refusal(readers.read_table, path)
    for wrong in (0, -1, 1.5, "1G", True):
        said = refusal(readers.max_size(wrong).__enter__)
        assert said == f"max_size must be a positive integer, found {wrong!r}"
    run("audit", path, "--resamples", "256", "--seed", "1", "--record", "r.json")
    run("verify", "r.json", "--inputs", path)
    for verb in (("compare", path), ("audit", path), ("verify", "r.json", "--inputs", path)):
        said = refused(*verb, "--max-size=27")
        assert f"t.csv: holds {size} bytes, expected at most 27;" in said


# ---- TOML and JSON -------------------------------------------------------------------------------
TOML_BOMBS = {
    "dots": "a." * 20_000 + "a = 1\n", "quoted": "'a' . " * 7_000 + "a = 1\n",
    "header": "[" + "a." * 20_000 + "a]\n",
    "in a table": "gold = 1\nx = {" + "a." * 20_000 + "a = 1}\n",
    "brackets": "a = " + "[" * 20_000 + "]" * 20_000 + "\n",
    "tables": "a = " + "{a = " * 20_000 + "1" + "}" * 20_000 + "\n",
    "texts": 'a = """x""""\nb = \'\'\'y\'\'\'\'\n# "\nc = "\\""\n' + "a." * 20_000 + "a = 1\n",
}  # fmt: skip

DOTS = "a.a.a.a.a.a.a.a.a.a.a.a"


@pytest.mark.parametrize("text", [
    f"name_a = '{DOTS} [[[[[[[[[[[['", f'name_a = "{DOTS} \\" [[[[[[[[[[[["',
    f'name_a = """\n{DOTS} "" [[[[[[[[[[[["""', f"name_a = '''{DOTS} '' [[[[[[[[[[[['''",
    f"# {DOTS} [[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
])  # fmt: skip
def test_texts_and_comments_of_toml_have_no_depth(text):
    path = write("c.toml", "gold = 9", "only_a_correct = 4", "only_b_correct = 1", text)
    assert counts.read_counts(path)[0]["gold"] == 9


@pytest.mark.parametrize("quote", ['"', "'", '"""', "'''", '"""\\"""'])
def test_texts_left_open_are_read_once(quote):
    path = write("c.toml", "x = " + quote * 40_000)
    assert "c.toml" in refusal(counts.read_counts, path)


def test_claims_with_many_spaces_are_read():
    """A regular expression took a day for them."""
    lines = [" " * 50_000 + "#", "a" + " " * 50_000 + "b", 'x = """', "b." * 9_000 + "b = 1", '"""']
    path = write("c.toml", "counts.gold = 9", *lines)
    assert "c.toml line 3: not TOML" in refusal(readers.read_claims, path)
    path = write("c.toml", "counts.gold = 9", lines[0], *lines[2:])
    assert "c.toml line 3: x: found the unknown key" in refusal(readers.read_claims, path)


@pytest.mark.parametrize("cell", [
    "1" * 9000, "1" * 9000 + "x", "1" + " " * 3000 + "x", "1" * 5000 + "±" + "1" * 5000 + "x",
    "1 " * 20_000 + "x", " " * 30_000 + "x",
], ids=["digits", "digits, letter", "spaces", "an error", "numbers", "spaces first"])  # fmt: skip
def test_long_cells_that_are_almost_numbers_are_looked_at_once(cell):
    """A regular expression took minutes for them."""
    for path in (
        write("cells.csv", "id,a,b", f'1,"{cell}",0', f'2,"{cell}",1'),
        write("header.csv", f'id,"{cell}",b', "1,1,0", "2,0,1"),
        write("rule.md", "|a|b|", f"{cell}|-|", "|1|2|"),
    ):
        with suppress(InputError):
            readers.read_table(path)


TEXT = st.text('[]{}"\\\u2028x', max_size=4)
JSON = st.recursive(
    st.none() | TEXT, lambda own: st.lists(own) | st.dictionaries(TEXT, own), max_leaves=6
)


@given(JSON)
@settings(max_examples=several(12, 40))
def test_the_depth_of_json(value):
    def depth(own):
        if isinstance(own, dict):
            own = list(own.values())
        return 1 + max(map(depth, own), default=0) if isinstance(own, list) else 0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "DEPTH", 2)
        for ascii_ in (True, False):
            text = json.dumps(value, ensure_ascii=ascii_)
            assert limits.too_deep(text) == (depth(value) > 2)


# ---- systems and columns -------------------------------------------------------------------------
TOO_MANY = "systems, expected at most 1,000: each would be compared with the first"


def test_a_thousand_systems_are_read_and_no_more():
    for n in (1000, 1001):
        names = [f"s{i}" for i in range(n)]
        for header, lines in (
            (["id", *names], [f"{i}" + ",1" * n for i in "ab"]),
            (["system", "id", "score"], [f"{name},{i},1" for name in names for i in "ab"]),
            (["id", "gold", *names], [f"{i},x" + ",x" * n for i in "ab"]),
        ):
            path = write("t.csv", ",".join(header), *lines)
            if n == 1000:
                assert len(readers.read_table(path).systems) == 1000
            else:
                assert f"{path}: found 1,001 {TOO_MANY}" in refusal(readers.read_table, path)
    assert len(readers.read_table(path, systems=("s7", "s1000")).systems) == 2


def test_more_files_than_systems_are_read():
    files = ["none"] * 1001
    assert TOO_MANY in refusal(read_samples, files)
    assert TOO_MANY in refusal(readers.read_table, *files)
    for read in (read_span_files, readers.read_tags):
        assert TOO_MANY in refusal(read, "gold", *files)
    assert TOO_MANY in refused("compare", "--format", "responses", "gold", *files)
    names = (f"{own}_{i}" for i in range(1001) for own in ("tp", "predicted"))
    path = write("s.csv", ",".join(["response", "gold", *names]), "x,1" + ",1" * 2002)
    assert TOO_MANY in refused("compare", "--statistics", path)


def test_the_limits_are_in_the_docs_and_the_help():
    text = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    section = text.partition("\n## Limits\n")[2].partition("\n## ")[0]
    sizes = map(limits.size_text, (limits.MAX_SIZE, limits.FREE, limits.MOST_TEXT))
    counts = (f"{limits.MOST_TIMES} times", f"{limits.MOST_SYSTEMS:,}", f"{limits.MOST_COLUMNS:,}")
    for number in (*sizes, *counts, f"{limits.DEPTH} others", f"{limits.TOML_DEPTH} dots"):
        assert number in section, number
    for verb in ("compare", "convert", "audit"):
        said = " ".join(run(verb, "--help-all").split())
        assert "--max-size SIZE" in said
        beyond = "Beyond 16 MiB a packed file may hold at most 200 times its size."
        assert f"{beyond} [default: 1 GiB]" in said
