"""What commands write as JSON: the fields of its schema and of docs/json.md, and their numbers."""

from __future__ import annotations

import itertools
import json
import math
import random
import re
import runpy
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from brute import PAPER, traded
from commands import record, run, write
from places import DOCS, EXAMPLES, ROOT
from written import refusal

import csig
from csig.answers.records import as_dict
from csig.comparing.options import Options
from csig.comparing.summary import Summary
from csig.data.comparison import Comparison
from csig.readers.request import Input
from csig.report.forms import dumps
from csig.report.schemas import json_schema

NAMES = [
    "csig.claims", "csig.compare", "csig.compare.systems", "csig.datasets", "csig.describe",
    "csig.interval", "csig.rank", "csig.recommend", "csig.systems", "csig.train", "csig.verify",
]  # fmt: skip


def codes() -> set[str]:
    """Those of doubts that the page lists."""
    page = (DOCS / "json.md").read_text(encoding="utf-8")
    items = re.findall(r"^- (`[^:(]*)", page.split("\n## Doubts")[1].split("\n## ")[0], re.M)
    return set(re.findall(r"`([a-z-]+)`", " ".join(items)))


CODES = codes()


@pytest.fixture(scope="module", autouse=True)
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("schemas"))
        files()
        yield


def files() -> None:
    """Inputs of every kind."""
    rng = random.Random(1)
    write("yeh.toml", *(f"{name} = {n}" for name, n in PAPER.items()))
    for name in ("gold", "one", "two", "six"):
        rows = [f"d{i % 5}\t{2 * i}\t{2 * i + 1}\t{'xyz'[i % 3]}" for i in range(30)]
        write(f"{name}.tsv", *(row for row in rows if name == "gold" or rng.random() < 0.7))
    write("same.tsv", *Path("one.tsv").read_text(encoding="utf-8").splitlines())
    labels = ["O", "B-X", "I-X", "B-Y"]
    tags = ["\t".join(["w", *(rng.choice(labels) for _ in range(3))]) for _ in range(40)]
    write(
        "tags.tsv", *(line for i, tag in enumerate(tags) for line in ([tag, ""][: 1 + (i % 4 > 2)]))
    )
    rows = [
        f"q{i},{'uv'[i % 2]},{rng.randint(0, 3)},{rng.randint(1, 4)},{rng.randint(0, 4)}"
        for i in range(24)
    ]
    write("t.csv", "id,story,base,x,y", *rows)
    write(
        "s.csv",
        "id,base,x,y",
        *(row[: row.index(",") + 1] + row[row.index(",") + 3 :] for row in rows),
    )
    rows = [f"q{i},{'uvw'[i % 3]},{rng.random():.3f},{i % 2},{i % 5 / 4}" for i in range(30)]
    write("c.csv", "id,story,base,x,y", *rows)
    write("f.csv", "id,base,x", *(f"q{i},{rng.random():.3f},{rng.random():.3f}" for i in range(24)))
    rows = [f"q{i},{'abc'[i % 3]},{rng.choice('abc')},{rng.choice('abc')}" for i in range(30)]
    write("l.csv", "id,gold,one,two", *rows)
    rows = [f"q{i},{s},{rng.random():.2f},{rng.random():.2f}" for i in range(12) for s in range(3)]
    write("r.csv", "id,seed,one,two", *rows)
    for name in ("m1", "m2"):
        rows = [f"q{i},{rng.randint(0, 9)},{rng.randint(0, 9)}" for i in range(15)]
        write(f"{name}.csv", "id,bleu,ter", *rows)
    rows = [f"{r},{s},{t},{rng.random()}" for r in range(12) for s in "ab" for t in "tu"]
    write("train.csv", "replicate,system,test_set,score", *rows)
    rows = [f"{i % 3 // 2},{'pq'[i % 4 // 2]},{rng.random()},{i % 11},{i % 7}" for i in range(60)]
    write("k.csv", "true,part,x,y,z", *rows)
    for name, task in itertools.product(("h1", "h2", "h3"), ("arc", "boolq")):
        samples = [{"doc_id": i, "filter": "", "acc": rng.randint(0, 1)} for i in range(len(task))]
        write(f"{name}/samples_{task}.jsonl", *map(json.dumps, samples))


YEH = ("--counts", "yeh.toml")
RESPONSES = ("gold.tsv", "one.tsv", "two.tsv", "--documents")
FEW = ("--seed", "1", "--resamples", "999")
COMPARED = [
    YEH,
    (*YEH, "--method", "approximate", "--seed", "2", "--alternative", "less"),
    (*YEH, "--method", "yeh2000", "--seed", "1"),
    (*YEH, "--decide", "--seed", "1"),
    (*YEH, "--decide", "--method", "approximate", "--seed", "1"),
    (*YEH, "--interval", "none"),
    (*YEH, "--interval", "percentile", "--seed", str(2**70), "--metric", "f1"),
    (*YEH, "--all-tests", "--metric", "recall", *FEW),
    (*YEH, "--baseline", "B", "--zero-division", "1", "--metric", "recall"),
    RESPONSES,
    (*RESPONSES, "--by", "4"),
    (*RESPONSES, "--spans", "--by", "label", "--unit", "response"),
    (*RESPONSES, "--unit", "response", "--no-sensitivity"),
    ("gold.tsv", "one.tsv", "same.tsv"),
    ("tags.tsv", "--gold-column", "2", "--system", "3", "--system", "4"),
    ("t.csv", "--system", "base", "--system", "x", "--cluster", "story", "--worst", "2"),
    ("t.csv", "--system", "base", "--system", "x", "--by", "story", *FEW),
    ("f.csv", "--method", "approximate", "--lower-is-better", *FEW),
    ("f.csv", "--method", "certified", "--decide"),
    ("l.csv", "--gold-column", "gold", "--metric", "macro_f1,mcc", *FEW),
    ("r.csv", "--run", "seed", "--paired-runs"),
    ("r.csv", "--run", "seed", "--interval", "percentile", *FEW),
    ("m1.csv", "m2.csv", "--alternative", "greater"),
    ("h1", "h2"),
    ("h1", "h2", "--interval", "percentile", *FEW),
]
MANY = [
    ("s.csv",),
    ("t.csv", "--cluster", "story", "--baseline", "y", "--alternative", "less", *FEW),
    ("gold.tsv", "one.tsv", "two.tsv", "six.tsv", "same.tsv", "--format", "responses"),
    ("s.csv", "--interval", "none", "--method", "approximate", "--lower-is-better", *FEW),
    ("t.csv", "--method", "certified", "--cluster", "story"),
    ("h1", "h2", "h3", "--unit", "cluster"),
]
ESTIMATED = [
    YEH,
    ("s.csv",),
    RESPONSES,
    ("gold.tsv", "one.tsv", "same.tsv"),
    ("m1.csv", "m2.csv"),
    ("r.csv", "--run", "seed"),
    ("f.csv", "--method", "bca", "--seed", "3", "--resamples", "999", "--confidence-level", "0.9"),
]
DESCRIBED = [YEH, RESPONSES, ("s.csv",), ("l.csv", "--gold-column", "gold"), ("f.csv",)]
RECOMMENDED = [
    YEH,
    (*RESPONSES, "--all-tests", "--metric", "recall", *FEW),
    ("s.csv",),
    ("t.csv", "--system", "base", "--system", "x", "--cluster", "story"),
    ("t.csv", "--dataset", "story", "--seed", "1"),
    ("f.csv", "--rows", "folds", "--all-tests", "--seed", "1"),
]
TRAINED = [("train.csv",), ("train.csv", "--method", "bootstrap", "--a", "b", "--b", "a")]
RANKED = [
    ("--methods", "x,y", *FEW),
    ("--methods", "x,y,z", "--n", "10", "--sample", "part"),
    ("--methods", "x,z", "--baseline", "z", "--lower", "z", "--n", "5,10:30:5", *FEW),
    ("--methods", "x", "--ties", "first", "--interval", "wilson"),
    ("--methods", "x,y", "--n", "10", "--sample", "part", "--sample-n", "4"),
]
SYSTEMS = [(), ("--baseline", "y"), ("--correction", "flips", *FEW)]
DATASETS = [
    ("f.csv",),
    ("f.csv", "--system", "base", "--system", "x", "--pairs", "randomization", *FEW),
    ("c.csv", "--dataset", "story", "--baseline", "y", "--pairs", "within", *FEW),
]


def checked(found: dict[str, Any], name: str) -> dict[str, Any]:
    """A record, of the schema that it names."""
    assert found["schema"] == name
    jsonschema.Draft202012Validator(json_schema(name)).validate(found)
    for own in [found, *(found.get("comparisons") or [])]:
        assert {doubt["code"] for doubt in own.get("doubts", [])} <= CODES
    return found


@cache
def compared(arguments: tuple[str, ...]) -> dict[str, Any]:
    return record("compare", *arguments)


@pytest.mark.parametrize("arguments", COMPARED, ids=" ".join)
def test_two_systems(arguments: tuple[str, ...]) -> None:
    checked(compared(arguments), "csig.compare")


def test_every_field_of_two_systems_is_there() -> None:
    """Also what stands within what may be null."""
    known = set().union(*(paths(compared(arguments)) for arguments in COMPARED))
    documented = {path for path, _ in fields(json_schema("csig.compare"))}
    cited = {path for path in documented if path.startswith("citation")}
    assert cited >= {"citation.methods", "citation.references[].bibtex"}
    within = {path for path in documented if path.startswith("comparisons[].")}
    assert (documented - within - known - cited, known - documented) == (set(), set())
    assert len({tuple(compared(arguments)) for arguments in COMPARED}) == 1
    assert len({tuple(compared(arguments)["results"][0]) for arguments in COMPARED}) == 1


def paths(value: Any, prefix: str = "") -> set[str]:
    """All fields of a record by their paths."""
    if isinstance(value, list):
        return set().union(*(paths(inner, f"{prefix}[]") for inner in value))
    if not isinstance(value, dict):
        return set()
    within = {f"{prefix}.{key}" if prefix else key: inner for key, inner in value.items()}
    return set(within).union(*(paths(inner, path) for path, inner in within.items()))


OTHERS = [
    *(("compare", "csig.compare.systems", own) for own in MANY),
    *(("interval", "csig.interval", own) for own in ESTIMATED),
    *(("describe", "csig.describe", own) for own in DESCRIBED),
    *(("recommend", "csig.recommend", own) for own in RECOMMENDED),
    *(("rank", "csig.rank", ("k.csv", "--true", "true", *own)) for own in RANKED),
    *(("train", "csig.train", own) for own in TRAINED),
    *(("systems", "csig.systems", ("s.csv", *own)) for own in SYSTEMS),
    *(("datasets", "csig.datasets", own) for own in DATASETS),
]


@pytest.mark.parametrize(
    ("command", "name", "arguments"), OTHERS, ids=[" ".join([c, *own]) for c, _, own in OTHERS]
)
def test_other_commands(command: str, name: str, arguments: tuple[str, ...]) -> None:
    found = checked(record(command, *arguments), name)
    if name == "csig.compare.systems":
        assert len(found["comparisons"]) > 1
    if command == "recommend":
        tested = any(own["pvalue"] is not None for own in found["tests"])
        assert tested == ("--all-tests" in arguments)
    if command == "rank":
        assert (found["samples"] is None) == ("--sample" not in arguments)
        assert (found["seed"] is None) == (found["test"] != "flips")


@pytest.mark.parametrize(("command", "name", "arguments"), [
    ("compare", "csig.compare", YEH),
    ("compare", "csig.compare.systems", ("s.csv",)),
    ("interval", "csig.interval", YEH),
    ("systems", "csig.systems", ("s.csv",)),
    ("rank", "csig.rank", ("k.csv", "--true", "true", *RANKED[0])),
])  # fmt: skip
def test_citations(command: str, name: str, arguments: tuple[str, ...]) -> None:
    found = checked(record(command, *arguments, "--cite"), name)
    assert found["citation"]["methods"]
    assert all(own["bibtex"].startswith("@") for own in found["citation"]["references"])


def test_a_statistic_may_be_infinite() -> None:
    write("e.csv", "dataset,a,b,c", "x,1,2,3", "y,2,3,4", "z,1,2,4")
    found = checked(record("datasets", "e.csv"), "csig.datasets")
    statistics = {own["name"]: own["statistic"] for own in found["overall"]}
    assert statistics["iman-davenport"] is None
    assert statistics["friedman"] == pytest.approx(6.0)


def test_claims() -> None:
    path = EXAMPLES / "yeh2000-claims.toml"
    said = run("audit", "--claims", path, "--record", "-", status=None)
    checked(json.loads(said), "csig.claims")


def test_verifications() -> None:
    run("audit", *YEH, "--resamples", "2048", "--seed", "1", "--record", "r.json")
    checked(json.loads(run("verify", "r.json", "--json")), "csig.verify")
    changed = (
        Path("r.json").read_text(encoding="utf-8").replace('"passed": true', '"passed": false')
    )
    Path("x.json").write_text(changed, encoding="utf-8")
    found = checked(json.loads(run("verify", "x.json", "--json", status=1)), "csig.verify")
    assert found["differences"]


# ---- schemas and docs ----------------------------------------------------------------------------


def fields(schema: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """All fields of a schema by their paths."""
    for name, own in schema.get("properties", {}).items():
        yield f"{prefix}{name}", own
        yield from fields(own, f"{prefix}{name}.")
        yield from fields(own.get("items", {}), f"{prefix}{name}[].")


def test_the_table_of_fields_is_that_of_the_documents() -> None:
    script = runpy.run_path(str(DOCS / "json_fields.py"))
    assert script["FIELDS"].read_text(encoding="utf-8") == script["fields"]()


def test_the_versions_on_the_page() -> None:
    text = (DOCS / "json.md").read_text(encoding="utf-8")
    for name in NAMES:
        version = json_schema(name)["properties"]["schema_version"]["const"]
        assert re.search(rf"\[`{re.escape(name)}`\]\(#[a-z-]+\) \| {version} \|", text), name


def test_types_of_the_table() -> None:
    found = dict(fields(json_schema("csig.compare")))
    kinds = {path: {k: own[k] for k in own if k != "description"} for path, own in found.items()}
    assert found["options.seed"]["description"].endswith("digits; null if fresh entropy was drawn")
    assert kinds["results[].pvalue"] == {"type": "number"}
    assert kinds["results[].n_hits"] == {"type": ["integer", "null"]}
    assert kinds["results[].tail"] == {"type": "string", "enum": ["both", "upper", "lower"]}
    assert kinds["options.zero_division"] == {"type": "integer", "enum": [0, 1]}
    two = {"minItems": 2, "maxItems": 2}
    assert kinds["results[].pvalue_interval"] == {
        "type": "array", "items": {"type": "number"}, **two,
    }  # fmt: skip
    assert kinds["results[].over_tasks"]["type"] == ["object", "null"]
    assert kinds["comparisons"]["type"] == ["array", "null"]
    assert kinds["doubts[].numbers"]["additionalProperties"] == {"type": "number"}
    counts = dict(fields(json_schema("csig.claims")))["counts"]["additionalProperties"]
    assert counts == {"type": "array", "items": {"type": "string"}}
    method = dict(fields(json_schema("csig.train")))["method"]
    assert (method["type"], method["enum"][-1]) == (["string", "null"], None)


@pytest.mark.parametrize("name", NAMES)
def test_schemas_are_strict(name: str) -> None:
    schema = json_schema(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["title"] == name
    for path, own in [("", schema), *fields(schema)]:
        assert own.get("description") or "const" in own, path
        for inner in (own, own.get("items", {})):
            if "properties" in inner:
                assert inner["additionalProperties"] is False
                always = [name for name in inner["properties"] if name != "citation"]
                assert inner["required"] == always
            elif inner.get("type") in ("object", ["object", "null"]):
                assert isinstance(inner["additionalProperties"], dict), path


def test_every_schema_is_one_of_these() -> None:
    said = refusal(json_schema, "csig.comparr")
    assert "no schema 'csig.comparr' (did you mean 'csig.compare'" in said
    assert f"; there are {str(NAMES)[1:-1]}" in refusal(json_schema, "interval")
    record = dict(fields(json_schema("csig.compare.systems")))["comparisons"]["items"]
    assert record["properties"] == json_schema("csig.compare")["properties"]


def test_doubts_are_codes_and_numbers() -> None:
    write(
        "gaps.csv",
        "id,x,y",
        *(f"q{i},0.{i},{'' if i == 7 else f'0.{i * i % 9}'}" for i in range(9)),
    )
    asked = ("gaps.csv", "--allow-missing", "intersection")
    left = {"code": "left-out", "numbers": {"n_left_out": 1, "n_units": 9}}
    for command in ("compare", "interval", "systems", "datasets"):
        found = record(command, *asked)
        checked(found, found["schema"])
        assert left in found["doubts"]
    same = checked(record("compare", "gold.tsv", "one.tsv", "one.tsv"), "csig.compare")
    assert "same-file" in [own["code"] for own in same["doubts"]]
    few = checked(
        record("compare", *YEH, "--metric", "recall", "--method", "exact"), "csig.compare"
    )
    assert few["doubts"] == []
    small = record("rank", "k.csv", "--true", "true", "--methods", "x,y", "--n", "1")
    codes = [own["code"] for own in checked(small, "csig.rank")["doubts"]]
    assert codes == ["ties", "too-few-candidates"]


def test_codes_of_the_source_are_on_the_page() -> None:
    named = set()
    for path in (ROOT / "csig").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "wording" in text and ("coded(" in text or "doubts(found)" in text):
            named |= set(re.findall(r'coded\(\s*"([a-z-]+)"', text))
            named |= set(re.findall(r'found\["([a-z-]+)"\] = ', text))
    assert named | {"too-few-units", "too-few-shuffles"} == CODES


def test_a_field_that_is_new_or_missing_is_refused() -> None:
    found = record("compare", *YEH)
    for broken in (
        {**found, "more": 1},
        {name: own for name, own in found.items() if name != "baseline"},
        {**found, "results": [{**found["results"][0], "score_a": 1.0}]},
    ):
        with pytest.raises(jsonschema.ValidationError):
            checked(broken, "csig.compare")


# ---- numbers -------------------------------------------------------------------------------------


YEH_COMPARED = Comparison.from_counts(**traded(PAPER))  # the first file is the baseline


def test_intervals_and_effects() -> None:
    recall = compared(YEH)["results"][0]
    interval = csig.intervals.linearized_interval(YEH_COMPARED, "recall")
    for field in ("low", "high", "standard_error", "confidence_level", "method", "n_units"):
        assert recall["interval"][field] == getattr(interval, field)
    assert (recall["interval"]["instead"], recall["interval"]["few"]) == (False, False)
    flips = {"both": 19, "only_system": 6, "only_baseline": 28, "neither": 50}
    assert recall["effect"]["flips"] == flips
    assert recall["effect"]["share_system_better"] == 6 / 103
    asked = ("--interval", "percentile", "--seed", str(2**70), "--metric", "f1")
    found = compared((*YEH, *asked))
    drawn = found["results"][0]["interval"]
    assert (drawn["n_resamples"], drawn["seed"]["entropy"]) == (100_000, [str(2**70)])
    assert found["options"]["seed"] == str(2**70)


def test_a_decision() -> None:
    found = record("compare", *YEH, "--decide", "--method", "approximate", "--metric", "recall,f1")
    assert found["options"]["risk"] == 1e-6
    decision = {"alpha": 0.05, "risk": 1e-6, "verdict": "below", "n_resamples": 65536}
    for result in found["results"]:
        assert (result["verdict"], result["decision"]) == ("significant", decision)


def test_numbers_survive_json() -> None:
    """What a double does not hold are digits; the counts repeat the comparison."""
    made = compared(YEH)
    result = csig.randomization_test(YEH_COMPARED, "recall")
    found = made["results"][0]
    assert (found["pvalue"], found["log_pvalue"]) == (result.pvalue, result.log_pvalue)
    scores = (found["score"], found["baseline_score"], found["difference"])
    assert scores == (result.score_a, result.score_b, result.statistic)
    assert int(found["exact_count"]) == result.exact_count
    assert int(found["total_count"]) == 2**86
    names = {"system": "b", "baseline": "a"}
    counts = made["comparison"]["counts"].items()
    again = {"_".join(names.get(word, word) for word in key.split("_")): n for key, n in counts}
    assert again == PAPER
    found = compared((*YEH, "--method", "yeh2000", "--seed", "1"))["results"][0]["checks"]
    twice = csig.randomization_test(YEH_COMPARED, "recall", method="yeh2000", rng=1)
    expected = twice.checks.second_run.agreement_pvalue
    assert found["second_run"]["agreement_pvalue"] == expected


@pytest.mark.parametrize("comparison", [
    Comparison.from_responses({"d": ["x"]}, {"d": ["x"]}, {"d": ["y"]}, unit="key"),
    Comparison.from_responses(["x"], ["x"], ["y"], unit="conflict", conflict=len),
    Comparison.from_scores([0.5, 2], [0.25, 3]),
])  # fmt: skip
def test_other_units_have_the_same_fields(comparison: Comparison) -> None:
    columns = comparison.columns
    metric = csig.Metric("m", columns[:2], numerator=(1, 0), denominator=(0, 1))
    results = csig.randomization_test(comparison, [metric])
    options = Options(("m",), "two-sided", "auto", 99, None, None, None, 0, 0.99, 0.05, "key")
    made = Summary("1", Input("responses", {}), comparison, options, results)
    found, usual = json.loads(dumps(as_dict(made))), compared(YEH)
    assert found["comparison"].keys() == usual["comparison"].keys()
    assert found["results"][0].keys() == usual["results"][0].keys()
    assert found["comparison"]["counts"] is None
    assert found["comparison"]["n_total"] == comparison.units.n_total
    assert found["comparison"]["columns"] == list(columns)
    for system, field in (("a", "sums"), ("b", "baseline_sums")):
        sums = [Fraction(total) for total in found["comparison"][field]]
        assert sums == list(comparison.sums(system).values())
    assert [Fraction(value) for value in found["comparison"]["scale"]] == list(comparison.scale)
    assert found["options"]["unit"] == "key"
    assert found["results"][0]["n_correct"] is None
    assert found["results"][0]["n_units"] == comparison.n_units


def test_nothing_is_nan_or_infinite() -> None:
    """The smallest p-values: a double is 0, its logarithm is not."""
    write("far.toml", "gold = 5000", "only_a_correct = 0", "only_b_correct = 4500")
    (found,) = record("compare", "--counts", "far.toml", "--metric", "recall")["results"]
    assert found["pvalue"] == 0
    assert math.isclose(found["log_pvalue"], -4499 * math.log(2))


def test_no_character_of_json_steers_a_terminal() -> None:
    names = "\x7f\x9b\u202e日\ud800😀\U000e0001\xa0"
    text = dumps({"names": names})
    assert "日" in text
    assert text.replace("\n", "").isprintable()
    assert json.loads(text) == {"names": names}
