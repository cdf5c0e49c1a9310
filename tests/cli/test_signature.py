"""The signature: two runs have the same one when they must give the same numbers, and only then.

Every option of ``csig compare`` and ``csig interval`` has pairs of runs here that differ in it:
where numbers differ the signatures do, and where they must not neither does.
"""

from __future__ import annotations

import contextlib
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from brute import PAPER
from commands import record, run, write
from places import DOCS

from csig.cli.compare import compare, interval
from csig.comparing.signature import parse

#: Of 24 units: id, story, kind, scores of three systems.
ROWS = [
    [f"q{i:02}", f"s{i % 7}", "even" if i % 2 else "odd", i * 7 % 11 / 10, i * 5 % 13 / 10, i % 3]
    for i in range(24)
]
NAMES = ["id", "story", "kind", "base", "new", "third"]


def table(name: str, rows: list[list[Any]] = ROWS, mark: str = ",", decimal: str = ".") -> str:
    def cell(value: object) -> str:
        return str(value).replace(".", decimal)

    return write(name, mark.join(NAMES), *(mark.join(map(cell, row)) for row in rows))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All the files, once."""
    found = tmp_path_factory.mktemp("signature")
    with contextlib.chdir(found):
        small_files()
        scores()
        run("convert", "labels.csv", "--output", "statistics.tsv")
    return found


@pytest.fixture(autouse=True)
def _inside(_folder: None, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)


def small_files() -> None:
    """Yeh's counts, responses, tags."""
    write("yeh.toml", *(f"{key} = {value}" for key, value in PAPER.items()))
    write("yeh2.toml", *(f"{key} = {value - (value == 43)}" for key, value in PAPER.items()))
    write("yeh.json", json.dumps(PAPER))
    write("gold.tsv", "d1\t1\tx", "d1\t4\ty", "d2\t2\tx", "d2\t9\ty")
    write("one.tsv", "d1\t1\tx", "d1\t4\ty", "d2\t2\tz")
    write("two.tsv", "d1\t1\tx", "d2\t3\tx")
    write("empty.tsv")
    write("gold.conll", "a\tB-X", "b\tI-X", "c\tO", "", "d\tB-Y", "e\tO")
    write("one.conll", "a\tB-X", "b\tI-X", "c\tO", "", "d\tB-X", "e\tO")
    write("two.conll", "a\tB-X", "b\tB-X", "c\tO", "", "d\tB-Y", "e\tO")
    write("odd.conll", "a\tB-X", "b\tI-Y", "c\tO", "", "d\tB-Y", "e\tO")
    write("docs.txt", "x", "y")
    tags = ["B-X\tB-X\tB-Y", "I-X\tI-X\tO", "O\tB-X\tO", "B-X\tO\tB-X", "B-Y\tO\tI-Y"] * 2
    rows = [f"{i // 5}\t{i // 3}\t{own}" for i, own in enumerate(tags)]
    write("tags.tsv", "doc\tsentence\tgold\tcrf\tbert", *rows)


def scores() -> None:
    """Tables of scores and labels."""
    rng = random.Random(3)
    many = [f"q{i},s{i % 6},{','.join(rng.choices('xyzuv', k=3))}" for i in range(120)]
    write("large.csv", "id,story,gold,a,b", *many)
    table("t.csv")
    changed = [list(row) for row in ROWS]
    changed[5][4] += 0.1
    table("changed.csv", changed)
    moved = [list(row) for row in ROWS]
    moved[5][1] = "s0"
    table("moved.csv", moved)
    both = [list(row) for row in ROWS]
    both[3][3] = both[3][4] = 0.75  # no difference there, but another one before
    same = [list(row) for row in both]
    same[3][3] = same[3][4] = 0.25
    table("both.csv", both)
    table("same.csv", same)
    shuffled = random.Random(1).sample(ROWS, len(ROWS))
    table("shuffled.csv", shuffled)
    table("rows.tsv", mark="\t")
    table("comma.csv", mark=";", decimal=",")
    write("bare.csv", *(",".join(map(str, row)) for row in ROWS))
    records = [dict(zip(NAMES, row, strict=True)) for row in ROWS]
    write("t.jsonl", *(json.dumps(own) for own in records))
    write(
        "deep.jsonl", *(json.dumps({"id": r["id"], "story": r["story"], "s": r}) for r in records)
    )
    labels = [(f"q{i}", "xyz"[i % 3], "xyz"[i * i % 3], "xyz"[i * 7 % 5 % 3]) for i in range(24)]
    write("labels.csv", "id,gold,a,b", *map(",".join, labels))
    runs = [(row[0], seed, row[3] + seed * i % 3 / 10, row[4] + seed * i % 5 / 10)
            for i, row in enumerate(ROWS) for seed in (1, 2, 3)]  # fmt: skip
    write("runs.csv", "id,seed,base,new", *(",".join(map(str, row)) for row in runs))
    declared()


def declared() -> None:
    """Tables that are read once an option says what is in them."""
    write("three.csv", "id,a,b,c", *(f"{r[0]},{r[3]},{r[4] / 2},{r[3] * r[4] / 2}" for r in ROWS))
    long = [(r[0], NAMES[i], r[i], r[i] / 3) for r in ROWS for i in (3, 4)]
    write("long.csv", "id,who,score,thirds", *(",".join(map(str, row)) for row in long))
    table("mean.csv", [*ROWS, ["mean", "s0", "odd", 0.5, 0.6, 1]])
    gap = [list(row) for row in ROWS]
    gap[7][4] = "NA"
    table("gap.csv", gap)
    gap[7][4] = -1
    table("minus.csv", gap)
    table("percent.csv", [[*r[:4], i * 5 % 13 * 10, r[5]] for i, r in enumerate(ROWS)])


# ---- what is compared --------------------------------------------------------------------

#: Not numbers: names, options, and what says how a number came about.
_NOT_NUMBERS = frozenset(
    {"sentence", "seed", "decision", "confidence_level", "reason", "engine", "label", "metric"}
    | {"unit", "name_a", "name_b", "system", "systems", "columns", "scale", "error_bound", "trust"}
    | {"baseline", "minus", "a", "b"}
    | {"by", "alternative", "method", "pvalue_text", "zero_division", "few", "what"}
)


def _numbers(value: Any) -> Any:
    """What is left of a record without names."""
    if isinstance(value, dict):
        return {key: _numbers(own) for key, own in value.items() if key not in _NOT_NUMBERS}
    return [_numbers(own) for own in value] if isinstance(value, list) else value


def results(command: str, *arguments: object) -> tuple[Any, str]:
    """The numbers of a command, and its signature."""
    found = record(command, *arguments, status=None)
    parts = [sorted(map(_numbers, found["results"]), key=str)]  # in any order
    parts += [found.get("sensitivity"), found.get("breakdown")]
    others = [own["results"] + [own["sensitivity"]] for own in found.get("comparisons") or []]
    parts.append(sorted(others, key=str))  # systems in any order
    assert set(parse(found["signature"])) <= DOCUMENTED
    assert parse(found["signature"])["data"][0] == found["digest"][:16]
    return _numbers(parts), found["signature"]


#: The keys in the table of docs/output.md.
SECTION = (DOCS / "output.md").read_text(encoding="utf-8").partition("## The signature")[2]
DOCUMENTED = {"method", "alternative"} | set(re.findall(r"`([a-z-]+)`", SECTION))

T = ("t.csv", "--system", "base", "--system", "new")
#: All three systems.
T3 = (*T, "--system", "third")
#: Approximate, with a seed.
D = (*T, "--method", "approximate", "--resamples", 999, "--seed", 1)
#: The same near alpha.
U = (*T, "--method", "approximate", "--seed", 1, "--alpha", 0.24)
C = (*T, "--cluster", "story")
#: Exact for clusters, approximate for units.
B = ("large.csv", "--cluster", "story", "--metric", "kappa", "--resamples", 5000)
R = ("runs.csv", "--run", "seed", "--seed", 1)
TSV = ("gold.tsv", "one.tsv", "two.tsv")
CONLL = ("gold.conll", "one.conll", "two.conll")
TAGS = ("tags.tsv", "--gold-column", "gold", "--system", "crf", "--system", "bert")

#: What an option of csig compare decides: pairs of runs that must not have the same numbers, and
#: pairs that must. Every option has its entry here.
DIFFERENT: dict[str, list[tuple[tuple[object, ...], tuple[object, ...]]]] = {
    "statistic": [(TSV, (*TSV, "--statistic", "difference"))],
    "files": [
        (T, ("changed.csv", *T[1:])),
        # A unit without a difference matters to intervals.
        (("both.csv", *T[1:]), ("same.csv", *T[1:])),
        # Which system is which matters to signs.
        (T, ("t.csv", "--system", "new", "--system", "base")),
        # Without ids the order of rows decides the words that a unit takes.
        ((*D, "--ignore", "id"), ("shuffled.csv", *D[1:], "--ignore", "id")),
        (TSV, ("gold.tsv", "two.tsv", "one.tsv")),
    ],
    "counts": [(("--counts", "yeh.toml"), ("--counts", "yeh2.toml"))],
    "documents": [(TSV, (*TSV, "--documents"))],
    "system": [(T, ("t.csv", "--system", "base", "--system", "third")), (T, T3),
               (("t.csv", "--system", "base", "--system", "new"),
                ("t.csv", "--system", "new", "--system", "base"))],
    "id": [((*D, "--ignore", "id"), ("shuffled.csv", *D[1:], "--id", "id", "--seed", 2))],
    "cluster": [(T, C), (C, ("moved.csv", *C[1:]))],
    "run": [(("runs.csv", "--run", "seed", "--id", "id"), ("runs.csv", "--ignore", "seed",
             "--ignore", "id"))],
    "ignore": [(("three.csv",), ("three.csv", "--ignore", "c"))],
    "score_column": [(("long.csv", "--system-column", "who", "--score-column", "score"),
                      ("long.csv", "--system-column", "who", "--score-column", "thirds"))],
    "drop_row": [(("mean.csv", *T[1:], "--drop-row", "mean"),
                  ("mean.csv", *T[1:], "--keep-row", "mean"))],
    "keep_row": [(T, ("mean.csv", *T[1:], "--keep-row", "mean"))],
    "missing": [(("minus.csv", *T[1:]), ("minus.csv", *T[1:], "--missing", -1, "--allow-missing",
                 "intersection"))],
    "percent": [(T, (*T, "--percent", "new"))],
    "positive": [(("labels.csv", "--metric", "f1", "--positive", "x"),
                  ("labels.csv", "--metric", "f1", "--positive", "y"))],
    "document_column": [(TAGS, (*TAGS, "--document-column", "doc"))],
    "sentence_column": [((*TAGS, "--document-column", "doc"), (*TAGS, "--sentence-column",
                         "sentence"))],
    "document_file": [(CONLL, (*CONLL, "--document-file", "docs.txt"))],
    "rules": [((*TAGS, "--scheme", "IOB2"), (*TAGS, "--scheme", "IOB2", "--rules", "strict"))],
    "scheme": [(TAGS, (*TAGS, "--scheme", "plain"))],
    "unit": [(C, (*C, "--unit", "unit")), (TSV, (*TSV, "--documents", "--unit", "response"))],
    "by": [(T, (*T, "--by", "kind")), ((*T, "--by", "kind"), (*T, "--by", "story"))],
    "sensitivity": [(C, (*C, "--no-sensitivity"))],
    "baseline": [(T3, (*T3, "--baseline", "new")), (T, (*T, "--baseline", "new"))],
    "metrics": [(TSV, (*TSV, "--metric", "f1")), ((*TSV, "--metric", "f0.5"),
                (*TSV, "--metric", "f2"))],
    "lower_is_better": [(T, (*T, "--lower-is-better"))],
    "alternative": [(T, (*T, "--alternative", "less")), ((*T, "--alternative", "greater"),
                    (*T, "--alternative", "less"))],
    "method": [(T, D), (("--counts", "yeh.toml", "--seed", 1), ("--counts", "yeh.toml", "--method",
               "yeh2000", "--seed", 1))],
    "decide": [(D, (*D, "--decide"))],
    "risk": [((*U, "--decide", "--risk", 1e-30), (*U, "--decide"))],
    "resamples": [(D, (*D, "--resamples", 998)), ((*U, "--decide", "--risk", 1e-99, "--resamples",
                  2**16), (*U, "--decide", "--risk", 1e-99, "--resamples", 2**17))],
    "seed": [(D, (*D, "--seed", 2)), ((*T, "--interval", "basic", "--seed", 1), (*T, "--interval",
             "basic", "--seed", 2)), ((*D, "--by", "kind"), (*D, "--by", "kind", "--seed", 3)),
             # Of a unit beside the one that is tested exactly.
             ((*B, "--seed", 1), (*B, "--seed", 2))],
    "bit_generator": [(D, (*D, "--bit-generator", "Philox"))],
    "zero_division": [(("gold.tsv", "one.tsv", "empty.tsv"), ("gold.tsv", "one.tsv", "empty.tsv",
                       "--zero-division", 1))],
    "alpha": [((*T, "--alpha", 0.9999), (*T, "--alpha", 0.0001))],
    "pvalue_confidence": [(D, (*D, "--pvalue-confidence", 0.9))],
    "interval": [(T, (*T, "--interval", "none")), (T, (*T, "--interval", "percentile", "--seed",
                 1)), ((*T, "--interval", "basic", "--seed", 1), (*T, "--interval", "bca", "--seed",
                 1))],
    "confidence_level": [(T, (*T, "--confidence-level", 0.9))],
    "paired_runs": [(R, (*R, "--paired-runs"))],
}  # fmt: skip

SAME: dict[str, list[tuple[tuple[object, ...], tuple[object, ...]]]] = {
    "files": [
        (D, ("shuffled.csv", *D[1:])),
        (D, ("rows.tsv", *D[1:])),
        (D, ("t.jsonl", *D[1:])),
        ((*C, "--interval", "basic", "--seed", 1), ("shuffled.csv", *C[1:], "--interval", "basic",
                                                    "--seed", 1)),
        ((*D, "--by", "kind"), ("shuffled.csv", *D[1:], "--by", "kind")),
    ],
    "counts": [(("--counts", "yeh.toml"), ("--counts", "yeh.json"))],
    "statistics": [(("labels.csv", "--metric", "accuracy"), ("--statistics", "statistics.tsv",
                    "--metric", "accuracy", "--seed", 4))],
    "format": [(D, (*D, "--format", "scores"))],
    "field": [(D, ("deep.jsonl", *D[1:], *(x for n in NAMES[3:] for x in ("--field",
              f"{n}=s.{n}"))))],
    "gold_column": [(("labels.csv",), ("labels.csv", "--gold-column", "gold"))],
    "id": [(D, ("shuffled.csv", *D[1:], "--id", "id"))],
    "ignore": [(D, (*D, "--ignore", "third", "--ignore", "kind"))],
    "system_column": [(T, ("long.csv", "--system-column", "who", "--ignore", "thirds"))],
    "drop_row": [(D, ("mean.csv", *D[1:], "--drop-row", "mean"))],
    "missing": [(("gap.csv", *D[1:], "--allow-missing", "intersection"), ("minus.csv", *D[1:],
                 "--allow-missing", "intersection", "--missing", -1))],
    "percent": [(D, ("percent.csv", *D[1:], "--percent", "new"))],
    "delimiter": [(D, (*D, "--delimiter", "comma")), (D, ("comma.csv", *D[1:], "--decimal", ",",
                  "--delimiter", "semicolon"))],
    "allow_missing": [(D, (*D, "--allow-missing", "intersection"))],
    "quoting": [(D, (*D, "--quoting", "none"))],
    "decimal": [(D, ("comma.csv", *D[1:], "--decimal", ","))],
    "header": [(D, ("bare.csv", "--no-header", "--id", 1, "--system", 4, "--system", 5, *D[5:])),
               (D, (*D, "--header"))],
    "match": [(CONLL, (*CONLL, "--match", "position"))],
    "name_a": [(D, (*D, "--name-a", "|x:y,%"))],
    "name_b": [(D, (*D, "--name-b", "\u202ex"))],
    "max_size": [(D, (*D, "--max-size", "1G"))],
    "unit": [(C, (*C, "--unit", "cluster"))],
    "metrics": [((*TSV, "--metric", "f1,recall"), (*TSV, "--metric", "recall", "--metric", "f1"))],
    "system": [(("t.csv", "--system", "base", "--system", "new", "--system", "third"),
                ("t.csv", "--system", "base", "--system", "third", "--system", "new"))],
    # A test that is exact draws nothing.
    "method": [(T, (*T, "--method", "exact"))],
    "decide": [(T, (*T, "--decide"))],
    "resamples": [(T, (*T, "--resamples", 5))],
    "seed": [(T, (*T, "--seed", 9)), ((*T, "--seed", 9), (*T, "--seed", 8))],
    "bit_generator": [(T, (*T, "--bit-generator", "Philox"))],
    "pvalue_confidence": [(T, (*T, "--pvalue-confidence", 0.9))],
    "confidence_level": [((*T, "--interval", "none"), (*T, "--interval", "none",
                          "--confidence-level",
                       0.9))],
    "threads": [((*D, "--threads", 1), (*D, "--threads", 3)), ((*D, "--decide", "--threads", 1),
                (*D, "--decide", "--threads", 2))],
    "strict": [(D, (*D, "--strict"))],
    "all_tests": [(D, (*D, "--all-tests"))],
    "json_path": [(D, D)],
}  # fmt: skip

#: Options that change no number of a run that can be made here, and why they have no pair.
NO_PAIR = {
    "spans": "overlaps are counted in a caution, or decide units, which --unit has",
    "filter": "chooses among the samples of lm-evaluation-harness: other data",
    "scheduler": "needs workers; tests/engines/test_remote.py holds that they change no hit",
}

#: Options of what is shown, whose numbers are computed whether or not it is: they can decide none.
SHOWN = frozenset(
    {"help_all", "output_format", "explain", "cite", "plot_path", "worst", "progress", "verbose"}
)


def _pairs(found: dict[str, list[tuple[Any, Any]]]) -> list[Any]:
    return [pytest.param(*pair, id=f"{name}-{i}") for name, own in found.items()
            for i, pair in enumerate(own)]  # fmt: skip


def test_a_seed_beside_the_test_is_in_the_signature() -> None:
    known = parse(results("compare", *B, "--seed", 1)[1])
    assert (known["method"], known["beside"], known["beside-drawn"]) == (
        ("exact",), ("unit",), ("5000",)
    )  # fmt: skip
    assert known["seed"] == ("1",)


def test_every_option_is_decided() -> None:
    """A new option of csig compare needs a pair in DIFFERENT or SAME, or a reason in NO_PAIR."""
    decided = {*DIFFERENT, *SAME, *NO_PAIR, *SHOWN}
    assert {param.name for param in compare.params} - decided == set()


@pytest.mark.parametrize(("one", "other"), _pairs(DIFFERENT))
def test_other_numbers_have_another_signature(
    one: tuple[object, ...], other: tuple[object, ...]
) -> None:
    found = [results("compare", *arguments) for arguments in (one, other)]
    assert found[0][0] != found[1][0]
    assert found[0][1] != found[1][1]


@pytest.mark.parametrize(("one", "other"), _pairs(SAME))
def test_the_same_numbers_have_the_same_signature(
    one: tuple[object, ...], other: tuple[object, ...]
) -> None:
    found = [results("compare", *arguments) for arguments in (one, other)]
    assert found[0][0] == found[1][0]
    assert found[0][1] == found[1][1]


# ---- csig interval -----------------------------------------------------------------------

I = (*T, "--method", "basic", "--resamples", 500, "--seed", 1)  # noqa: E741

#: Options of csig interval that csig compare has not, or that mean something else there.
INTERVALS_DIFFER = {
    "method": [(T, I), (I, (*I, "--method", "percentile"))],
    "confidence_level": [(T, (*T, "--confidence-level", 0.9))],
    "resamples": [(I, (*I, "--resamples", 501))],
    "seed": [(I, (*I, "--seed", 2))],
    "bit_generator": [(I, (*I, "--bit-generator", "PCG64"))],
    "zero_division": [(("labels.csv", "--metric", "f1", "--positive", "x"),
                       ("labels.csv", "--metric", "f1", "--positive", "y"))],
    "files": [(T, ("t.csv", "--system", "new", "--system", "base")),
              (("both.csv", *T[1:]), ("same.csv", *T[1:]))],
    "unit": [(C, (*C, "--unit", "unit"))],
    "metrics": [(TSV, (*TSV, "--metric", "f1"))],
}  # fmt: skip

INTERVALS_AGREE = {
    "files": [(I, ("shuffled.csv", *I[1:])), (I, ("t.jsonl", *I[1:]))],
    "threads": [((*I, "--threads", 1), (*I, "--threads", 2))],
    "name_a": [(T, (*T, "--name-a", "x"))],
    "strict": [(T, (*T, "--strict"))],
}


def test_every_option_of_interval_is_decided() -> None:
    """A new option of csig interval needs a pair of runs, here or for csig compare."""
    decided = {*DIFFERENT, *SAME, *NO_PAIR, *SHOWN, *INTERVALS_DIFFER, *INTERVALS_AGREE}
    assert {param.name for param in interval.params} - decided == set()


@pytest.mark.parametrize(("one", "other"), _pairs(INTERVALS_DIFFER))
def test_other_intervals_have_another_signature(
    one: tuple[object, ...], other: tuple[object, ...]
) -> None:
    found = [results("interval", *arguments) for arguments in (one, other)]
    assert found[0][0] != found[1][0]
    assert found[0][1] != found[1][1]


@pytest.mark.parametrize(("one", "other"), _pairs(INTERVALS_AGREE))
def test_the_same_intervals_have_the_same_signature(
    one: tuple[object, ...], other: tuple[object, ...]
) -> None:
    found = [results("interval", *arguments) for arguments in (one, other)]
    assert found[0] == found[1]


def test_the_same_data_have_the_same_digest_in_every_verb() -> None:
    digests = {record(verb, *T)["digest"] for verb in ("compare", "interval")}
    assert len(digests) == 1


def test_a_fresh_seed_is_in_the_signature_and_repeats_the_run() -> None:
    fresh = D[:-2]
    numbers, signature = results("compare", *fresh)
    (seed,) = parse(signature)["seed"]
    assert results("compare", *fresh, "--seed", seed) == (numbers, signature)
    assert results("compare", *fresh)[1] != signature
