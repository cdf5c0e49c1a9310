"""``csig.read`` gives what ``csig compare`` tests: the same sums, the same hits."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from commands import record, refused, run, write
from places import EXAMPLES

import csig
from csig.readers.reading import Reading
from csig.readers.request import OptionError

DIGITS = [EXAMPLES / "digits" / f"{name}.tsv" for name in
          ("gold", "logistic-regression", "nearest-centroid")]  # fmt: skip
SEED, SHUFFLES = 5, 300

SCORES = "id,task,a,b,c", "1,u,1,0.5,1", "2,v,0,1,0.25", "3,w,1,0,0.5", "4,x,0.5,1,1", "5,u,1,0,0"
TAGS = "w gold x y", "Eve B-PER O B-PER", "ran O O O", "", "Rome B-LOC B-LOC O", "is O O B-LOC"


def options_of(command: dict[str, object]) -> list[str]:
    """Keywords as a command has them."""
    found = []
    for name, value in command.items():
        option = f"--{name.replace('_', '-')}"
        if name == "field":
            value = [f"{column}={own}" for column, own in value.items()]
        if name == "allow_missing":
            value = "intersection"
        if name == "header":
            found.append("--header" if value else "--no-header")
        elif value is True:
            found.append(option)
        else:
            several = value if isinstance(value, (list, tuple)) else [value]
            found += [str(part) for one in several for part in (option, one)]
    return found


def check(*files: Path | str, **keywords: object) -> Reading:
    """Both ways to read some files, and what shuffles of them give."""
    shuffled = ("--method", "approximate", "--seed", SEED, "--resamples", SHUFFLES)
    found = record("compare", *files, *options_of(keywords), *shuffled, "--no-sensitivity")
    reading = csig.read(*files, **keywords)
    first, *_ = every = found["comparisons"] if "correction" in found else [found]
    assert len(every) == len(reading.pairs)
    assert first["input"] == reading.source.as_dict()
    assert [*reading.cautions] == [line for line in first["cautions"] if line in reading.cautions]
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


@pytest.fixture
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


# ---- what is shipped, and what others measured --------------------------------------------------


def test_the_examples():
    assert check(*DIGITS).source.format == "responses"
    found = check(counts=EXAMPLES / "yeh2000.toml")
    assert found.names == ("method I", "method II")
    assert repr(found) == "<Reading counts: 'method I', 'method II'>"


@pytest.mark.parametrize(
    ("path", "keywords"),
    [
        ("cls_figqa_sst2_outputs/figqa_correct.csv", {"cluster": "pair"}),
        ("cls_figqa_sst2_outputs/sst2_labels.csv", {"metric": ["accuracy", "mcc"]}),
        ("conll03_ner_tags/conll03_test_tags.tsv",
         {"gold_column": "gold", "system": ["elmo", "flair"], "unit": "sentence"}),
        ("llm_bbh_codex/correct.csv", {"cluster": "task", "id": "item"}),
        ("llm_gsm8k_four_systems/correct.csv", {"system": ["175b_finetuning", "6b_finetuning"]}),
        ("mlxtend_cochran_q/predictions.csv", {"unit": "unit"}),
    ],
)  # fmt: skip
def test_tables_and_tags_of_others(shared_data, path, keywords):
    folder, name = path.split("/")
    check(shared_data(folder) / name, **keywords)


def test_three_files_of_tags(shared_data):
    names = ("gold.emerging.test.annotated", "spinningbytes", "uh_ritual")
    files = [shared_data("wnut17_ner") / f"{name}.conll" for name in names]
    assert check(*files, unit="conflict").source.format == "tags"


# ---- every format -------------------------------------------------------------------------------


def spans(name: str, *found: tuple[str, int, int, str]) -> str:
    keys = ("document", "start", "end", "label")
    return write(name, *(json.dumps(dict(zip(keys, own, strict=True))) for own in found))


@pytest.mark.usefixtures("_folder")
class TestFormats:
    def test_scores_of_three_systems(self):
        reading = check(write("scores.csv", *SCORES), cluster="task", lower_is_better=True)
        assert list(reading.comparisons) == [("b", "a"), ("c", "a")]
        assert reading.metrics[0].greater_is_better is False

    def test_files_with_several_columns_of_scores(self):
        files = [write(f"{name}.csv", "id,em,f1", f"1,1,{x}", "2,0,0.5", "3,1,0.25")
                 for name, x in (("a", 0.5), ("b", 1))]  # fmt: skip
        reading = check(*files)
        assert len(reading.tests("a", "b")) == 2
        with pytest.raises(
            csig.InputError, match="found several metrics, 'em', 'f1', expected one"
        ):
            reading.comparison()
        chosen = check(*files, metric="f1")
        assert chosen.comparison().sums("a") == {"score": 1.25, "n": 3}

    def test_tags_in_columns(self):
        reading = check(write("t.txt", *TAGS), gold_column="gold", system=["y", "x"])
        assert reading.names == ("y", "x")

    def test_plain_labels_of_tokens(self):
        files = [write(f"{name}.txt", f"an {x}", "by P", "", "on P") for name, x in
                 (("g", "N"), ("a", "P"), ("b", "N"))]  # fmt: skip
        assert check(*files, scheme="plain", unit="token").source.format == "labels"

    def test_labels_one_per_line(self):
        files = [write(name, *labels) for name, labels in
                 (("g.txt", "yyyn"), ("a.txt", "ynyn"), ("b.txt", "nnyn"))]  # fmt: skip
        assert check(*files, positive="n", name_a="I", name_b="II").names == ("I", "II")

    def test_responses_by_document(self):
        files = [write(f"{name}.tsv", "d1\t1\t3\tPER", f"d2\t{x}\t9\tLOC") for name, x in
                 (("g", 1), ("a", 1), ("b", 2))]  # fmt: skip
        assert check(*files, documents=True, spans=True, unit="response").source.documents

    def test_samples_of_a_harness(self):
        files = [write(f"{name}.jsonl", '{"doc_id": 0, "acc": 1, "em": 0}',
                       f'{{"doc_id": 1, "acc": {x}, "em": 1}}')
                 for name, x in (("a", 0), ("b", 1))]  # fmt: skip
        assert check(*files, metric="acc").source.format == "lm-eval"

    def test_a_table_that_was_written(self):
        run("convert", write("scores.csv", *SCORES), "--output", "statistics.csv")
        assert check(statistics="statistics.csv", system=["c", "b"]).names == ("c", "b")
        assert len(check(statistics=Path("statistics.csv")).pairs) == 2

    def test_fields_of_json_and_rows_without_a_header(self):
        table = write("t.json", '[{"n": 1, "x": {"y": 0.5}, "z": 1}, {"n": 2, "x": {"y": 1}}]')
        reading = check(table, field={"id": "n", "x": "x.y"}, allow_missing=True)
        assert reading.cautions == ("1 of 2 items is left out: z alone lacks 1.",)
        assert check(write("t.csv", "q1,0.5,1", "q2,1,0"), header=False).names == ("2", "3")


# ---- parts, doubts, mistakes --------------------------------------------------------------------


@pytest.mark.usefixtures("_folder")
def test_parts_are_those_of_by():
    gold = spans("g.jsonl", ("d", 0, 3, "PER"), ("e", 0, 2, "LOC"), ("e", 5, 6, "PER"))
    a = spans("a.jsonl", ("d", 0, 3, "PER"), ("e", 0, 2, "PER"), ("e", 5, 6, "LOC"))
    b = spans("b.jsonl", ("d", 0, 2, "PER"), ("e", 0, 2, "LOC"))
    reading = csig.read(gold, a, b, by="label")
    found = record("compare", gold, a, b, "--by", "label", "--seed", 1)["breakdown"]
    assert list(reading.parts) == [row["label"] for row in found["parts"]] == ["PER", "LOC"]
    ours = csig.breakdown(reading.parts, "f1", rng=1)
    theirs = [row["results"][-1]["pvalue"] for row in found["parts"]]
    assert [part.results["f1"].pvalue for part in ours.parts] == theirs
    assert csig.read(gold, a, b).parts == {}


def test_what_looks_wrong_is_said():
    gold, system, other = DIGITS
    reading = csig.read(gold, system, system)
    assert reading.names == ("A (logistic-regression)", "B (logistic-regression)")
    assert reading.cautions == ("A and B are the same file.",)
    told = csig.read(gold, gold, other).describe()
    assert any("responses of gold are exactly the gold" in line for line in told.suspicious)


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"format": "xml"}, "--format: found 'xml', expected auto, responses, tags"),
        ({"unit": "word"}, "unit: found 'word', expected 'response'"),
        ({"id": 3}, "id: found 3, expected a text"),
        ({"documents": "yes"}, "documents: found 'yes', expected True or False"),
        ({"system": [1]}, "system: found"),
        ({"decimal": None}, "decimal: found None"),
        ({"allow_missing": "all"}, "allow_missing: found 'all'"),
    ],
)
def test_values_that_no_option_has(keywords, words):
    with pytest.raises(csig.InputError, match=re.escape(words)):
        csig.read(*DIGITS, **keywords)


@pytest.mark.parametrize(
    "keywords",
    [
        {"documents": True, "id": "x"},
        {"unit": "document"},
        {"counts": EXAMPLES / "yeh2000.toml"},
        {"format": "tags", "cluster": "x"},
        {"name_a": " "},
    ],
)
def test_mistakes_are_those_of_the_command_line(keywords):
    with pytest.raises(OptionError) as error:
        csig.read(*DIGITS, **keywords).comparison()
    line = refused("compare", *DIGITS, *options_of(keywords))
    assert line == f"csig: {error.value}; try 'csig compare --help'\n"
    assert error.value.option in line


def test_systems_by_name_and_place():
    reading = csig.read(*DIGITS)
    one, other = reading.names
    assert reading.comparison(other, one).sums_a == reading.comparison(0, 1).sums_b
    assert reading.comparison(other, one) is reading.comparison(1, 0)
    for wrong in ("gold", 2, -1):
        with pytest.raises(csig.InputError, match="no system"):
            reading.comparison(one, wrong)


def test_one_system_can_be_described_and_not_compared():
    write("t.csv", "id,a,b,c\n1,0.5,1,0.25\n2,1,0.5,0.75\n")
    reading = csig.read("t.csv", system="c")
    assert [row.system for row in reading.describe().systems] == ["c"]
    for compared in (lambda: reading.comparisons, reading.comparison, reading.tests):
        with pytest.raises(csig.InputError, match="one system only, 'c', expected two or more"):
            compared()


@pytest.mark.parametrize(
    "keywords",
    [{"files": [b"t.csv"]}, {"files": [["t.csv"]]}, {"counts": 3}, {"document_file": 3},
     {"metric": None}, {"ignore": 3}, {"system": [1]}],
)  # fmt: skip
def test_values_of_another_type_are_named(keywords):
    write("t.csv", "id,a,b\n1,0.5,1\n")
    files = keywords.pop("files", ["t.csv"])
    with pytest.raises(csig.InputError, match=f"^{next(iter(keywords), 'files')}: found .* expect"):
        csig.read(*files, **keywords)
