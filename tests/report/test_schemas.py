"""What commands write as JSON: the fields of its schema and of docs/json.md, and their numbers."""

import json
import math
import random
import re
import runpy
import shlex
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
from csig.answers.answer import as_dict
from csig.comparing.options import Options
from csig.comparing.summary import Summary
from csig.data.comparison import Comparison
from csig.readers.request import Input
from csig.report.document import dumps
from csig.report.schemas import json_schema

NAMES = [
    "csig.claims", "csig.compare", "csig.compare.systems", "csig.datasets", "csig.describe",
    "csig.interval", "csig.plan", "csig.rank", "csig.recommend", "csig.systems", "csig.train",
    "csig.unpaired", "csig.verify", "csig.verify.records",
]  # fmt: skip

PAGE = (DOCS / "json.md").read_text(encoding="utf-8")

#: Those of doubts that the page lists.
CODES = {
    code
    for item in re.findall(r"^- (`[^:(]*)", PAGE.split("\n## Doubts")[1].split("\n## ")[0], re.M)
    for code in re.findall(r"`([a-z-]+)`", item)
}


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
    write("far.toml", "gold = 5000", "only_a_correct = 0", "only_b_correct = 4500")
    for name in ("gold", "one", "two", "six"):
        rows = [f"d{i % 5}\t{2 * i}\t{2 * i + 1}\t{'xyz'[i % 3]}" for i in range(30)]
        write(f"{name}.tsv", *(row for row in rows if name == "gold" or rng.random() < 0.7))
    write("same.tsv", *Path("one.tsv").read_text(encoding="utf-8").splitlines())
    tags = [" ".join(rng.choice(["O", "B-X", "I-X", "B-Y"]) for _ in range(3)) for _ in range(40)]
    rows = ["\t".join(["w", *tag.split()]) + "\n" * (i % 4 > 2) for i, tag in enumerate(tags)]
    write("tags.tsv", *rows)
    scores = [f"{rng.randint(0, 3)},{rng.randint(1, 4)},{rng.randint(0, 4)}" for _ in range(24)]
    write("s.csv", "id,base,x,y", *(f"q{i},{row}" for i, row in enumerate(scores)))
    rows = [f"q{i},{'uvw'[i % 3]},{row}" for i, row in enumerate(scores)]
    write("t.csv", "id,story,base,x,y", *rows)
    write("f.csv", "id,base,x", *(f"q{i},{rng.random():.3f},{i % 5 / 4}" for i in range(24)))
    write("e.csv", "dataset,a,b,c", "x,1,2,3", "y,2,3,4", "z,1,2,4")
    rows = [f"q{i},0.{i},{'' if i == 7 else f'0.{i * i % 9}'}" for i in range(9)]
    write("gaps.csv", "id,x,y", *rows)
    rows = [f"q{i},{'abc'[i % 3]},{rng.choice('abc')},{rng.choice('abc')}" for i in range(30)]
    write("l.csv", "id,gold,one,two", *rows)
    rows = [f"q{i},{s},{rng.random():.2f},{rng.random():.2f}" for i in range(12) for s in range(3)]
    write("r.csv", "id,seed,one,two", *rows)
    rows = [f"q{i % 9},{i // 9},{i * i % 7 % 2},{i % 3 % 2}" for i in range(36)]
    write("n.csv", "id,sample,one,two", *rows)
    for name in ("m1", "m2"):
        rows = [f"q{i},{rng.randint(0, 9)},{rng.randint(0, 9)}" for i in range(15)]
        write(f"{name}.csv", "id,bleu,ter", *rows)
    write("base.txt", *(str(rng.random()) for _ in range(6)))
    write("new.txt", *(str(rng.random()) for _ in range(5)))
    write("long.txt", *(str(rng.random()) for _ in range(40)))
    rows = [f"{r},{s},{t},{rng.random()}" for r in range(12) for s in "ab" for t in "tu"]
    write("train.csv", "replicate,system,test_set,score", *rows)
    rows = [f"{i % 3 // 2},{'pq'[i % 4 // 2]},{rng.random()},{i % 11},{i % 7}" for i in range(60)]
    write("k.csv", "true,part,x,y,z", *rows)
    for path in (f"h{i}/samples_{task}.jsonl" for i in (1, 2, 3) for task in ("arc", "boolq")):
        samples = [{"doc_id": i, "filter": "", "acc": rng.randint(0, 1)} for i in range(5)]
        write(path, *map(json.dumps, samples))


YEH = "compare --counts yeh.toml"
DRAWN = f"{YEH} --interval percentile --seed {2**70} --metric f1"
TWICE = f"{YEH} --method yeh2000 --seed 1"
FEW = "--seed 1 --resamples 999"

#: Every field of two systems is in one of these, and its values are of all their types.
TWO = [
    YEH, DRAWN, TWICE,
    f"{YEH} --decide --method approximate --seed 1 --alternative less",
    f"{YEH} --all-tests --metric recall {FEW} --cite",
    f"{YEH} --baseline B --zero-division 1 --metric recall --interval none",
    "compare gold.tsv one.tsv two.tsv --documents --spans --by label --unit response",
    "compare gold.tsv one.tsv same.tsv",
    "compare tags.tsv --gold-column 2 --system 3 --system 4",
    "compare t.csv --system base --system x --cluster story --worst 2",
    f"compare t.csv --system base --system x --by story {FEW}",
    f"compare f.csv --method approximate --lower-is-better {FEW}",
    "compare f.csv --method certified --decide",
    f"compare l.csv --gold-column gold --metric macro_f1,mcc {FEW}",
    "compare r.csv --run seed --paired-runs",
    "compare n.csv --run sample --metric pass@2",
    "compare m1.csv m2.csv --alternative greater",
    "compare h1 h2",
    f"compare h1 h2 --interval percentile {FEW}",
]  # fmt: skip

OTHERS = [
    "compare s.csv --cite",
    f"compare t.csv --cluster story --baseline y --alternative less {FEW}",
    "compare gold.tsv one.tsv two.tsv six.tsv same.tsv --format responses",
    f"compare s.csv --interval none --method approximate --lower-is-better {FEW}",
    "compare t.csv --method certified --cluster story",
    "compare h1 h2 h3 --unit cluster",
    "interval --counts yeh.toml --cite",
    "interval gold.tsv one.tsv two.tsv --documents",
    "interval r.csv --run seed",
    "interval f.csv --method bca --seed 3 --resamples 999 --confidence-level 0.9",
    "describe --counts yeh.toml",
    "describe gold.tsv one.tsv two.tsv --documents",
    "describe s.csv",
    "describe l.csv --gold-column gold",
    f"recommend gold.tsv one.tsv two.tsv --documents --all-tests --metric recall {FEW}",
    "recommend s.csv",
    "recommend t.csv --system base --system x --cluster story",
    "recommend t.csv --dataset story --seed 1",
    "recommend f.csv --rows folds --all-tests --seed 1",
    "plan --difference 20",
    "plan --items 9 --discordance 0.2",
    "plan --items 90 --discordance 0.2 --difference 15",
    "plan r.csv --run seed --difference 10 --simulations 100 --seed 1",
    "plan f.csv --items 50 --simulations 100",
    "compare --unpaired base.txt new.txt",
    "compare --unpaired base.txt long.txt --alternative less",
    "systems --unpaired base.txt new.txt long.txt --metric median",
    "train train.csv",
    "train train.csv --method bootstrap --a b --b a",
    f"rank k.csv --true true --methods x,y {FEW} --cite",
    "rank k.csv --true true --methods x,y,z --n 10 --sample part",
    f"rank k.csv --true true --methods x,z --baseline z --lower z --n 5,10:30:5 {FEW}",
    "rank k.csv --true true --methods x --ties first --interval wilson",
    "rank k.csv --true true --methods x,y --n 10 --sample part --sample-n 4",
    "systems s.csv --cite",
    "systems s.csv --baseline y",
    f"systems s.csv --correction flips {FEW}",
    "datasets e.csv",  # a statistic is infinite
    f"datasets e.csv --system a --system b --pairs randomization {FEW}",
    f"datasets t.csv --dataset story --baseline y --pairs within {FEW}",
]


def checked(found: dict[str, Any], name: str) -> dict[str, Any]:
    """A record, of the schema that it names."""
    assert found["schema"] == name
    jsonschema.Draft202012Validator(json_schema(name)).validate(found)
    for own in [found, *(found.get("comparisons") or [])]:
        assert {doubt["code"] for doubt in own.get("doubts", [])} <= CODES
    return found


@cache
def recorded(line: str) -> dict[str, Any]:
    return record(*shlex.split(line))


def paths(value: Any, prefix: str = "") -> set[str]:
    """All fields of a record by their paths."""
    if isinstance(value, list):
        return set().union(*(paths(inner, f"{prefix}[]") for inner in value))
    if not isinstance(value, dict):
        return set()
    within = {f"{prefix}.{key}" if prefix else key: inner for key, inner in value.items()}
    return set(within).union(*(paths(inner, path) for path, inner in within.items()))


def test_two_systems_and_every_field_of_theirs() -> None:
    """Also what stands within what may be null."""
    found = [checked(recorded(line), "csig.compare") for line in TWO]
    known = set().union(*map(paths, found))
    documented = {path for path, _ in fields(json_schema("csig.compare"))}
    within = {path for path in documented if path.startswith("comparisons[].")}
    assert (documented - within - known, known - documented) == (set(), set())
    assert len({tuple(key for key in own if key != "citation") for own in found}) == 1
    assert len({tuple(own["results"][0]) for own in found}) == 1


@pytest.mark.parametrize("line", OTHERS)
def test_other_commands(line: str) -> None:
    command = line.split()[0]
    found = recorded(line)
    if "--unpaired" in line:
        command = "unpaired"
    checked(found, "csig.compare.systems" if command == "compare" else f"csig.{command}")
    if command == "compare":
        assert len(found["comparisons"]) > 1
    if command == "recommend":
        tested = any(own["pvalue"] is not None for own in found["tests"])
        assert tested == ("--all-tests" in line)
    if command == "rank":
        assert (found["samples"] is None) == ("--sample " not in line)
        assert (found["seed"] is None) == (found["test"] != "flips")
    if "--cite" in line:
        assert found["citation"]["methods"]
        assert all(own["bibtex"].startswith("@") for own in found["citation"]["references"])


def test_claims_and_verifications() -> None:
    path = EXAMPLES / "yeh2000-claims.toml"
    said = run("audit", "--claims", path, "--record", "-", status=None)
    checked(json.loads(said), "csig.claims")
    audited = shlex.split("audit --counts yeh.toml --resamples 2048 --seed 1 --record r.json")
    run(*audited)
    checked(json.loads(run("verify", "r.json", "--json")), "csig.verify")
    text = Path("r.json").read_text(encoding="utf-8")
    write("x.json", text.replace('"passed": true', '"passed": false'))
    found = checked(json.loads(run("verify", "x.json", "--json", status=1)), "csig.verify")
    assert found["differences"]
    several = json.loads(run("verify", "r.json", "x.json", "s.csv", "--json", status=1))
    checked(several, "csig.verify.records")
    assert several["records"][1]["verification"] == found


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
    for name in NAMES:
        version = json_schema(name)["properties"]["schema_version"]["const"]
        assert re.search(rf"\[`{re.escape(name)}`\]\(#[a-z-]+\) \| {version} \|", PAGE), name


@pytest.mark.parametrize(("name", "path", "expected"), [
    ("compare", "results[].pvalue", {"type": "number"}),
    ("compare", "results[].n_hits", {"type": ["integer", "null"]}),
    ("compare", "results[].tail", {"type": "string", "enum": ["both", "upper", "lower"]}),
    ("compare", "results[].pvalue_interval",
     {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}),
    ("compare", "results[].over_tasks", {"type": ["object", "null"]}),
    ("compare", "doubts[].numbers", {"additionalProperties": {"type": "number"}}),
    ("claims", "counts",
     {"additionalProperties": {"type": "array", "items": {"type": "string"}}}),
    ("train", "method", {"type": ["string", "null"]}),
    ("compare", "options.seed", {"type": ["string", "null"]}),
])  # fmt: skip
def test_types_of_the_table(name: str, path: str, expected: dict[str, Any]) -> None:
    own = dict(fields(json_schema(f"csig.{name}")))[path]
    assert {key: own[key] for key in expected} == expected
    if path == "method":
        assert own["enum"][-1] is None
    if path == "options.seed":
        assert own["description"].endswith("digits; null if fresh entropy was drawn")


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
    own = dict(fields(json_schema("csig.compare.systems")))["comparisons"]["items"]
    assert own["properties"] == json_schema("csig.compare")["properties"]


@pytest.mark.parametrize(("line", "codes"), [
    *((f"{command} gaps.csv --allow-missing intersection", {"left-out"})
      for command in ("compare", "interval", "systems", "datasets")),
    ("compare gold.tsv one.tsv one.tsv", {"same-file"}),
    (f"{YEH} --metric recall --method exact", set()),
    ("rank k.csv --true true --methods x,y --n 1", {"ties", "too-few-candidates"}),
])  # fmt: skip
def test_doubts_are_codes_and_numbers(line: str, codes: set[str]) -> None:
    found = recorded(line)
    checked(found, found["schema"])
    doubts = {own["code"]: own["numbers"] for own in found["doubts"]}
    assert codes <= set(doubts)
    assert codes or not doubts
    assert doubts.get("left-out", {}) in ({}, {"n_left_out": 1, "n_units": 9})


def test_codes_of_the_source_are_on_the_page() -> None:
    named = set()
    for path in (ROOT / "csig").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "wording" in text and re.search(r"coded\(|doubts\((found|reasons)\)", text):
            named |= set(re.findall(r'coded\(\s*"([a-z-]+)"', text))
            named |= set(re.findall(r'(?:found|reasons)\["([a-z-]+)"\] = ', text))
    assert named | {"too-few-units", "too-few-shuffles"} == CODES


# ---- numbers -------------------------------------------------------------------------------------


YEH_COMPARED = Comparison.from_counts(**traded(PAPER))  # the first file is the baseline


def test_numbers_survive_json() -> None:
    """What a double does not hold are digits; the counts repeat the comparison."""
    made = recorded(YEH)
    result = csig.randomization_test(YEH_COMPARED, "recall")
    found = made["results"][0]
    assert (found["pvalue"], found["log_pvalue"]) == (result.pvalue, result.log_pvalue)
    scores = (found["score"], found["baseline_score"], found["difference"])
    assert scores == (result.score_a, result.score_b, result.statistic)
    assert int(found["exact_count"]) == result.exact_count
    assert int(found["total_count"]) == 2**86
    interval = csig.intervals.linearized_interval(YEH_COMPARED, "recall")
    for field in ("low", "high", "standard_error", "confidence_level", "method", "n_units"):
        assert found["interval"][field] == getattr(interval, field)
    assert (found["interval"]["instead"], found["interval"]["few"]) == (False, False)
    flips = {"both": 19, "only_system": 6, "only_baseline": 28, "neither": 50}
    assert found["effect"]["flips"] == flips
    assert found["effect"]["share_system_better"] == 6 / 103
    names = {"system": "b", "baseline": "a"}
    counts = made["comparison"]["counts"].items()
    again = {"_".join(names.get(word, word) for word in key.split("_")): n for key, n in counts}
    assert again == PAPER
    drawn = recorded(DRAWN)
    found = drawn["results"][0]["interval"]
    assert (found["n_resamples"], found["seed"]["entropy"]) == (100_000, [str(2**70)])
    assert drawn["options"]["seed"] == str(2**70)
    found = recorded(TWICE)["results"][0]["checks"]
    twice = csig.randomization_test(YEH_COMPARED, "recall", method="yeh2000", rng=1)
    expected = twice.checks.second_run.agreement_pvalue
    assert found["second_run"]["agreement_pvalue"] == expected
    (found,) = recorded("compare --counts far.toml --metric recall")["results"]
    assert found["pvalue"] == 0  # as a double
    assert math.isclose(found["log_pvalue"], -4499 * math.log(2))


@pytest.mark.parametrize("comparison", [
    Comparison.from_responses({"d": ["x"]}, {"d": ["x"]}, {"d": ["y"]}, unit="key"),
    Comparison.from_scores([0.5, 2], [0.25, 3]),
])  # fmt: skip
def test_other_units_have_the_same_fields(comparison: Comparison) -> None:
    columns = comparison.columns
    metric = csig.Metric("m", columns[:2], numerator=(1, 0), denominator=(0, 1))
    results = csig.randomization_test(comparison, [metric])
    options = Options(("m",), "two-sided", "auto", 99, None, None, None, 0, 0.99, 0.05, "key")
    made = Summary("1", Input("responses", {}), comparison, options, results)
    found, usual = json.loads(dumps(as_dict(made))), recorded(YEH)
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


def test_no_character_of_json_steers_a_terminal() -> None:
    names = "\x7f\x9b\u202e日\ud800😀\U000e0001\xa0"
    text = dumps({"names": names})
    assert "日" in text
    assert text.replace("\n", "").isprintable()
    assert json.loads(text) == {"names": names}
