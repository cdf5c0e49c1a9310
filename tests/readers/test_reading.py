"""``csig.read`` gives what ``csig compare`` tests: the same sums, the same hits."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from commands import options_of, record, refused, write
from places import EXAMPLES

import csig
from csig.base.errors import argument
from csig.readers.reading import Reading
from csig.readers.request import OptionError

DIGITS = [EXAMPLES / "digits" / f"{name}.tsv" for name in
          ("gold", "logistic-regression", "nearest-centroid")]  # fmt: skip
SEED, SHUFFLES = 5, 300


def check(*files: Path | str, **keywords: object) -> Reading:
    """Both ways to read some files, and what shuffles of them give."""
    shuffled = ("--method", "approximate", "--seed", SEED, "--resamples", SHUFFLES)
    found = record("compare", *files, *options_of(keywords), *shuffled, "--no-sensitivity")
    reading = csig.read(*files, **keywords)
    first, *_ = every = found["comparisons"] if "correction" in found else [found]
    assert len(every) == len(reading.pairs)
    assert first["input"] == reading.source.as_dict()
    assert bool(first["doubts"]) >= bool(reading.cautions)
    for own, (a, b) in zip(every, reading.pairs, strict=True):
        results = iter(own["results"])
        described = iter(own["comparisons"] or [own["comparison"]])
        for metrics, comparison in reading.tests(a, b):
            said = next(described)
            assert [said["system"], said["baseline"]] == [reading.names[a], reading.names[b]]
            for side, field in (("a", "sums"), ("b", "baseline_sums")):
                sums = [str(total) for total in comparison.sums(side).values()]
                assert sums == said[field]
            assert (said["unit"], said["n_units"]) == (comparison.unit, comparison.n_units)
            tested = csig.randomization_test(
                comparison, metrics, method="approximate", rng=SEED, n_resamples=SHUFFLES,
                statistic="auto",
            )  # fmt: skip
            for name, result in tested.items():
                other = next(results)
                assert (name, result.n_hits) == (other["metric"], other["n_hits"])
                assert result.pvalue == other["pvalue"]
        assert next(results, None) is None
    return reading


def test_the_example_of_the_paper():
    found = check(counts=EXAMPLES / "yeh2000.toml")
    assert found.names == ("method I", "method II")
    assert repr(found) == "<Reading counts: 'method I', 'method II'>"


# ---- every format -------------------------------------------------------------------------------
SPAN = '{{"document": "{}", "start": {}, "end": {}, "label": "{}"}}'
FILES = {
    "scores.csv": ["id,task,a,b,c", "1,u,1,0.5,1", "2,v,0,1,0.25", "3,w,1,0,0.5", "4,x,0.5,1,1",
                   "5,u,1,0,0"],
    "t.txt": ["w gold x y", "Eve B-PER O B-PER", "ran O O O", "", "Rome B-LOC B-LOC O",
              "is O O B-LOC"],
    **{f"{name}.csv": ["id,em,f1", f"1,1,{x}", "2,0,0.5", "3,1,0.25"]
       for name, x in (("a", 0.5), ("b", 1))},
    **{f"{name}.tok": [f"an {x}", "by P", "", "on P"]
       for name, x in (("g", "N"), ("a", "P"), ("b", "N"))},
    **{f"{name}.lab": [*own] for name, own in (("g", "yyyn"), ("a", "ynyn"), ("b", "nnyn"))},
    **{f"{name}.tsv": ["d1\t1\t3\tPER", f"d2\t{x}\t9\tLOC"]
       for name, x in (("g", 1), ("a", 1), ("b", 2))},
    **{f"{name}.jsonl": ['{"doc_id": 0, "acc": 1, "em": 0}',
                         f'{{"doc_id": 1, "acc": {x}, "em": 1}}']
       for name, x in (("a", 0), ("b", 1))},
    "statistics.csv": ["id,score_a,score_b,score_c", "1,1,0.5,1", "2,0,1,0.25"],
    "t.json": ['[{"n": 1, "x": {"y": 0.5}, "z": 1}, {"n": 2, "x": {"y": 1}}]'],
    "rows.csv": ["q1,0.5,1", "q2,1,0"],
    "gold.spans": [SPAN.format("d", 0, 3, "PER"), SPAN.format("e", 0, 2, "LOC"),
                   SPAN.format("e", 5, 6, "PER")],
    "a.spans": [SPAN.format("d", 0, 3, "PER"), SPAN.format("e", 0, 2, "PER"),
                SPAN.format("e", 5, 6, "LOC")],
    "b.spans": [SPAN.format("d", 0, 2, "PER"), SPAN.format("e", 0, 2, "LOC")],
}  # fmt: skip


@pytest.fixture(autouse=True)
def _files(_folder):
    for name, lines in FILES.items():
        write(name, *lines)


@pytest.mark.parametrize(("files", "keywords", "form", "names"), [
    ("scores.csv", {"cluster": "task", "lower_is_better": True}, "scores", "a b c"),
    ("a.csv b.csv", {"metric": "f1"}, "scores", "a b"),
    ("t.txt", {"gold": "gold", "systems": ["y", "x"]}, "tags", "y x"),
    ("g.tok a.tok b.tok", {"scheme": "plain", "unit": "token"}, "labels", "a b"),
    ("g.lab a.lab b.lab", {"positive": "n", "name_a": "I", "name_b": "II"}, "labels", "I II"),
    ("g.tsv a.tsv b.tsv", {"documents": True, "spans": True, "unit": "response"}, "responses",
     "a b"),
    ("a.jsonl b.jsonl", {"metric": "acc"}, "lm-eval", "a b"),
    ("gold.spans a.spans b.spans", {"by": "label"}, "spans", "a b"),
    ("", {"statistics": "statistics.csv", "systems": ["c", "b"]}, "scores", "c b"),
    ("t.json", {"field": {"id": "n", "x": "x.y"}, "allow_missing": True}, "scores", "x z"),
    ("rows.csv", {"header": False}, "scores", "2 3"),
])  # fmt: skip
def test_every_format(files, keywords, form, names):
    reading = check(*files.split(), **keywords)
    assert (reading.source.format, reading.names) == (form, tuple(names.split()))


def test_what_a_reading_has():
    reading = csig.read("scores.csv", cluster="task", lower_is_better=True)
    assert list(reading.comparisons) == [("b", "a"), ("c", "a")]
    assert reading.metrics[0].greater_is_better is False
    reading = csig.read("a.csv", "b.csv")
    assert len(reading.tests("a", "b")) == 2
    with pytest.raises(csig.InputError, match="found several metrics, 'em', 'f1', expected one"):
        reading.comparison()
    chosen = csig.read("a.csv", "b.csv", metric="f1")
    assert chosen.comparison().sums("a") == {"score": 1.25, "n": 3}
    missing = csig.read("t.json", field={"id": "n", "x": "x.y"}, allow_missing=True)
    assert missing.cautions == ("1 of 2 items is left out: z alone lacks 1.",)
    alone = csig.read("scores.csv", systems="c", ignore="task")
    assert [row.system for row in alone.describe().systems] == ["c"]
    for compared in (lambda: alone.comparisons, alone.comparison, alone.tests):
        with pytest.raises(csig.InputError, match="one system only, 'c', expected two or more"):
            compared()


# ---- parts, doubts, mistakes --------------------------------------------------------------------


@pytest.mark.parametrize("keywords", [
    {"documents": True, "id": "x"}, {"unit": "document"}, {"counts": EXAMPLES / "yeh2000.toml"},
    {"format": "tags", "cluster": "x"}, {"name_a": " "},
])  # fmt: skip
def test_mistakes_are_those_of_the_command_line_in_words_of_python(keywords):
    with pytest.raises(OptionError) as error:
        csig.read(*DIGITS, **keywords).comparison()
    line = refused("compare", *DIGITS, *options_of(keywords))
    names = re.compile(r"(\w+)=(?:'(\w+)')?")
    said = names.sub(lambda own: argument(own[1], *filter(None, [own[2]])), str(error.value))
    assert said != str(error.value)
    assert line == f"csig: {said}; try 'csig compare --help'\n"


def test_remedies_and_later_mistakes_name_keywords():
    """Not the names that csig.compare has for them, and whenever the mistake comes to light."""
    write("t.csv", "item,right_,a,b", *(f"q{i},{'xy'[i % 2]},x,y" for i in range(4)))
    with pytest.raises(csig.InputError, match="give gold='right_' or gold='a'"):
        csig.read("t.csv", format="labels")
    write("s.csv", "item,a,b", *(f"q{i},{i / 7},{i / 5}" for i in range(4)))
    with pytest.raises(csig.InputError, match=r"^systems=: give each system only once"):
        csig.read("s.csv", systems=["a", "a"])
    reading = csig.read("s.csv", by="c")
    with pytest.raises(csig.InputError, match=r"^by='c': no such label or column"):
        dict(reading.parts)
    with pytest.raises(csig.InputError, match=r"^by='c'"):
        dict(replace(reading, unit=None).parts)
    assert refused("compare", "s.csv", "--by", "c").startswith("csig: --by c: no such label")


def test_systems_by_name_and_place():
    reading = csig.read(*DIGITS)
    one, other = reading.names
    assert reading.comparison(other, one).sums_a == reading.comparison(0, 1).sums_b
    assert reading.comparison(other, one) is reading.comparison(1, 0)
    for wrong in ("gold", 2, -1):
        with pytest.raises(csig.InputError, match="no system"):
            reading.comparison(one, wrong)
