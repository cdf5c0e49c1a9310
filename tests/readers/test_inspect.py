"""Logs of Inspect: what its own means say, archives, names, epochs, and what is refused."""

from __future__ import annotations

import gzip
import json
import math
import random
import sys
import zipfile
import zlib
from contextlib import nullcontext
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from commands import followed, record, refused, run, said_beside, words, write
from written import refusal

import csig
from csig.readers import limits
from csig.readers.forms import form_of
from csig.readers.inspect import read_log
from csig.readers.request import Request

LETTERS = "CICIICPN"
FAILED = {"error": "RuntimeError('boom')", "scores": {}}


def header(model="x/base", task="arc", status="success", **more):
    return {"version": 2, "status": status, "eval": {"model": model, "task": task}, **more}


def sample(id, epoch=1, **scores):
    return {
        "id": id, "epoch": epoch, "input": f"Question {id}", "target": str(id),
        "scores": {name: {"value": own} for name, own in scores.items()},
    }  # fmt: skip


def samples(letters=LETTERS):
    return [sample(i, match=letter) for i, letter in enumerate(letters)]


def as_json(name, rows, **about):
    return write(name, json.dumps(header(**about) | {"samples": rows}, indent=1))


def archive(name, members, method=zipfile.ZIP_DEFLATED):
    """A zip archive of these members, texts or what JSON makes of them."""
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    twice = len(dict(members)) < len(members)
    with (
        pytest.warns(UserWarning, match="Duplicate name") if twice else nullcontext(),
        zipfile.ZipFile(name, "w", method) as file,
    ):
        for member, value in members:
            file.writestr(member, value if isinstance(value, bytes) else json.dumps(value))
    return name


def as_eval(name, rows, method=zipfile.ZIP_DEFLATED, **about):
    start = "_journal/start.json", {"version": 2, "eval": header(**about)["eval"]}
    members = [start, ("summaries.json", rows), ("header.json", header(**about))]
    return archive(name, members, method)


def with_zstd(name, rows, frames=1):
    """Members stored as zstd, of several frames, and called so: method 93 in the two headers."""
    zstandard = pytest.importorskip("zstandard")
    data = json.dumps(rows).encode()
    cuts = [len(data) * i // frames for i in range(frames + 1)]
    pieces = [zstandard.compress(data[a:b]) for a, b in pairwise(cuts)]
    as_eval(name, [], zipfile.ZIP_STORED)
    members = {"summaries.json": b"".join(pieces), "header.json": json.dumps(header()).encode()}
    with zipfile.ZipFile(name, "w") as file:
        for member, content in members.items():
            file.writestr(member, content)
            info = file.getinfo(member)
            if member == "summaries.json":
                info.compress_type, info.CRC, info.file_size = 93, zlib.crc32(data), len(data)
    return name


def scores_of(*paths, metric=None, **options):
    """By system and sample what was read."""
    reading = csig.read(*paths, metric=metric, **options)
    table = reading.data.table
    return {
        name: dict(zip(table.ids, map(Fraction, own.tolist()), strict=True))
        for name, own in table.systems.items()
    }


# ---- what Inspect itself says --------------------------------------------------------------------
@pytest.mark.parametrize("name", ["own_zstd.eval", "own.json"])
def test_means_and_standard_errors_of_inspect(shared_data, name):
    path = shared_data("inspect_logs") / name
    if name.endswith("eval"):
        pytest.importorskip("zstandard")
    read = read_log(path)
    printed = {
        "match": (0.4375, 0.12173310319177118), "multi/a": (0.4375, 0.12173310319177118),
        "multi/b": (0.25, 0), "four": (0.40625000000000006, 0.06943204254338217),
        "unscored": (0.5, 0),
    }  # fmt: skip
    assert list(read.scores) == ["match", "multi/a", "multi/b", "four", "unscored"]
    for metric, (mean, error) in printed.items():
        own = [*read.scores[metric].values()]
        center = math.fsum(own) / len(own)
        assert center == pytest.approx(mean, abs=1e-15)
        spread = math.fsum((x - center) ** 2 for x in own) / (len(own) - 1) / len(own)
        assert math.sqrt(spread) == pytest.approx(error, abs=1e-15)
    match = {name: Fraction(own).limit_denominator(9) for name, own in read.scores["match"].items()}
    third = Fraction(1, 3)
    assert match == {0: 2 * third, 2: 2 * third, 4: third, 6: 0, "q/7": 1, "q1": third,
                     "q3": Fraction(1, 2), "q5": 0}  # fmt: skip
    assert read.cautions == [
        f"{path}: 1 of 24 samples failed and are left out, as from Inspect's means: 'q3' (epoch 2)."
    ]


@pytest.mark.parametrize(("name", "metric", "mean", "system"), [
    ("log_streaming.eval", "match", 0.75, "azureai/Meta-Llama-3-1-405B-Instruct-jqf"),
    ("log_message_deduplication.eval", "closeness_log", 0, "hardcoded/hardcoded"),
    ("2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval", "match", 0.8,
     "openai/gpt-4o-mini"),
])  # fmt: skip
def test_logs_of_its_own_tests(shared_data, name, metric, mean, system):
    path = str(shared_data("inspect_logs") / name)
    assert form_of(Request((path,))) == "inspect"
    (row,) = record("describe", path)["systems"]
    assert (row["system"], row["scores"]) == (system, {metric: mean})


def test_a_success_without_scores(shared_data):
    folder = shared_data("inspect_logs")
    path = folder / "2025-02-11T15-17-00-05-00_popularity_dPiJifoWeEQBrfWsAopzWr.eval"
    assert refusal(csig.read, path) == (
        f"{path}: none of 10 samples has a score; give it scores: inspect score {path}"
    )


# ---- archives ------------------------------------------------------------------------------------
def test_every_form_of_a_log_gives_the_same():
    rows = samples()
    paths = [
        as_json("a.json", rows),
        as_eval("b.eval", rows),
        as_eval("stored.eval", rows, zipfile.ZIP_STORED),
        as_eval("renamed.zip", rows),
        with_zstd("z.eval", rows),
        with_zstd("frames.eval", rows, frames=3),
        archive("journal.eval", [
            ("_journal/start.json", header(status="started")),
            *((f"_journal/summaries/{i}.json", rows[i - 1 : i]) for i in (10, 9, *range(1, 9))),
        ]),
        archive("whole.eval", [
            ("header.json", header()), ("summaries.json", rows[:2]),
            *((f"samples/{own['id']}_epoch_1.json", own) for own in rows[:-1]),
            (f"samples/{rows[-1]['id']}_epoch_1/sample.json", rows[-1]),
            (f"samples/{rows[-1]['id']}_epoch_1/messages/0.json", []),
        ]),
    ]  # fmt: skip
    expected = dict(zip(range(8), map(Fraction, "10100100"), strict=True)) | {6: Fraction(1, 2)}
    for path in paths:
        assert form_of(Request((path,))) == "inspect"
        assert scores_of(path) == {"x/base": expected}, path
    (said,) = csig.read("journal.eval").cautions
    assert said == "journal.eval: the run was interrupted; it has 8 samples."


def test_the_last_of_several_counts():
    old, new = [sample(0, match="I")], [sample(0, match="I"), sample(0, match="C")]
    members = [("header.json", header()), ("summaries.json", old), ("summaries.json", new)]
    assert scores_of(archive("a.eval", members)) == {"x/base": {0: 1}}
    steps = [(10, new), (9, old)]
    members = [("_journal/start.json", header(status="started"))]
    members += [(f"_journal/summaries/{i}.json", rows) for i, rows in steps]
    assert scores_of(archive("a.eval", members)) == {"x/base": {0: 1}}


def test_without_the_package_of_zstd(monkeypatch):
    path = with_zstd("z.eval", samples())
    monkeypatch.setitem(sys.modules, "zstandard", None)
    if sys.version_info < (3, 14):
        assert refusal(csig.read, path) == (
            "z.eval: summaries.json: found zstd, which needs a package: pip install "
            "'csig-stats[logs]'"
        )


def test_what_cannot_be_unpacked():
    path = Path(as_eval("a.eval", samples()))
    whole = path.read_bytes()
    path.write_bytes(whole[:-30])
    assert refusal(csig.read, "a.eval") == (
        "a.eval: found a zip archive that cannot be read (File is not a zip file); is the file "
        "complete?"
    )
    at = whole.index(b"summaries.json") + 20
    path.write_bytes(whole[:at] + bytes([whole[at] ^ 255]) + whole[at + 1 :])
    assert "a.eval: summaries.json cannot be unpacked (" in refusal(csig.read, "a.eval")
    stored = Path(as_eval("a.eval", samples(), zipfile.ZIP_STORED))
    stored.write_bytes(stored.read_bytes().replace(b'"C"', b'"P"', 1))
    assert refusal(csig.read, "a.eval") == (
        "a.eval: summaries.json cannot be unpacked (its checksum differs)"
    )
    as_eval("a.eval", samples(), zipfile.ZIP_BZIP2)
    assert refusal(csig.read, "a.eval") == (
        "a.eval: header.json is packed by method 12, expected deflate, zstd or no packing"
    )


def test_what_unpacks_to_too_much():
    rows = samples()
    bomb = b"[" + b" " * 2**25 + b"]"
    archive("a.eval", [("header.json", header()), ("summaries.json", bomb)])
    assert "a.eval: summaries.json: unpacks to more than 16 MiB and 200 times its " in refusal(
        csig.read, "a.eval"
    )
    as_eval("a.eval", rows)
    with limits.max_size(700):
        said = refusal(csig.read, "a.eval")
    assert said.startswith("a.eval")
    assert "700 bytes" in said or "holds" in said
    members = [("header.json", header()), ("_journal/start.json", {})]
    members += [(f"_journal/summaries/{i}.json", [*rows, {"pad": " " * 4000}]) for i in range(4)]
    archive("a.eval", members)
    with limits.max_size(10_000):  # each is small, all together are not
        assert "unpacks to more than 10,000 bytes" in refusal(csig.read, "a.eval")


# ---- scores --------------------------------------------------------------------------------------
@pytest.mark.parametrize(("value", "score"), [
    ("C", 1), ("I", 0), ("P", Fraction(1, 2)), ("N", 0), (True, 1), (False, 0), (3, 3),
    (0.25, Fraction(1, 4)), ("yes", 1), ("No", 0), ("TRUE", 1), ("false", 0), ("0.5", 0.5),
])  # fmt: skip
def test_values_as_inspect_counts_them(value, score):
    assert scores_of(as_json("a.json", [sample(0, f=value)])) == {"x/base": {0: score}}


@pytest.mark.parametrize(("value", "said"), [
    ("c", "f is 'c' in 0"), ([1, 0], "f is a list of 2 in 0"), ("inf", "f is 'inf' in 0"),
    (math.inf, "f is inf in 0"), (10**400, "f is 1000"), ("", "f is '' in 0"),
    (math.nan, "f has no number in 1 of 2 samples"), (None, "f has no number in 1 of 2 samples"),
])  # fmt: skip
def test_what_is_no_score(value, said):
    path = as_json("a.json", [sample(0, f=value, g=1), sample(1, f=1, g=0)])
    reading = csig.read(path)
    assert reading.data.table.columns == ("g",)
    assert f"a.json: {said}" in reading.notes[0]
    assert f"a.json: {said}" in refusal(csig.read, path, metric="f")


def test_fields_of_a_scorer_are_metrics():
    rows = [sample(i, match="C", multi={"a": i % 2, "b": 0.5}) for i in range(4)]
    paths = [as_json("a.json", rows), as_json("b.json", rows[::-1], model="y")]
    assert list(csig.read(*paths).data.table.metrics) == ["match", "multi/a", "multi/b"]
    assert list(csig.read(*paths, metric="multi").data.table.metrics) == ["multi/a", "multi/b"]
    assert csig.read(*paths, metric="multi/a").data.table.columns == ("multi/a",)
    assert refused("systems", *paths) == (
        "csig: found several metrics, 'match', 'multi/a', 'multi/b', expected one\n"
        "  csig systems a.json b.json --metric match\n"
        "  csig systems a.json b.json --metric multi/a\n"
        "  csig systems a.json b.json --metric multi/b\n"
    )
    assert refusal(csig.read, *paths, metric="mutli") == (
        "a.json: metric=: no metric 'mutli' (did you mean 'multi'?); there are 'match', 'multi/a', "
        "'multi/b', 'multi'"
    )


def test_the_answer_of_most_epochs():
    """Texts are those that the scorer found; an epoch without one agrees with none."""
    texts = {"base": ["7 7 4", "4 - -", "4 4 7"], "new": ["4 4 7", "- 4 4", "7 4 x"]}
    expected = {"base": [0, Fraction(1, 3), 1], "new": [1, 1, Fraction(1, 3)]}
    paths = []
    for name, questions in texts.items():
        rows = []
        for i, own in enumerate(questions):
            for epoch, text in enumerate(own.split(), start=1):
                score = {"value": "CI"[text != "4"], "answer": None if text == "-" else f" {text}"}
                row = sample(i, epoch) | {"scores": {"match": score, "multi": {"value": {"a": 1}}}}
                rows.append(row)
        paths.append(as_json(f"{name}.json", rows, model=name))
    comparison = csig.read(*paths, metric=["match", "plurality"]).tests(0, 1)[0][1]
    assert [comparison.sums(own)["score"] for own in "ab"] == [*map(sum, expected.values())]
    (result,) = record("compare", *paths, "--metric", "match,plurality")["results"]
    assert result["metric"] == "plurality"


def test_a_sample_is_swapped_with_all_its_epochs():
    draw = random.Random(3)
    paths, means = [], []
    for name in ("base", "new"):
        rows = [sample(i, e, match=draw.choice("CI")) for e in (1, 2, 3) for i in range(12)]
        paths.append(as_eval(f"{name}.eval", rows, model=name))
        right = [[own["scores"]["match"]["value"] == "C" for own in rows[i::12]] for i in range(12)]
        means.append([Fraction(sum(own), 3) for own in right])
    differences = [b - a for a, b in zip(*means, strict=True)]
    observed, hits = abs(sum(differences)), 0
    for signs in range(2**12):
        total = sum(own if signs >> i & 1 else -own for i, own in enumerate(differences))
        hits += abs(total) >= observed
    found = csig.compare(*paths)["match"]
    assert found.pvalue == hits / 2**12 < 1
    assert found.test.unit == "sample"
    assert "A sample's score is of all its epochs (3 in base, 3 in new)" in words("compare", *paths)


# ---- samples -------------------------------------------------------------------------------------
def test_ids_are_those_of_the_contents():
    rows = [sample(i, match="C") for i in (1, "a/b", "../x", "01")]
    paths = [as_eval("a.eval", rows), as_json("b.json", rows[::-1], model="y")]
    assert csig.read(*paths).data.table.ids == [1, "a/b", "../x", "01"]
    as_json("b.json", [sample("1", match="C"), *rows[1:]], model="y")
    assert refusal(csig.read, *paths) == (
        "b.json: y lacks 1 id that x/base has: 1 and has 1 id that x/base lacks: '1'; give "
        "allow_missing=True (compares only the 3 ids that both have)"
    )
    both = [sample(1, match="C"), sample("1", match="I"), sample(2, match="C")]
    paths = [as_json("a.json", both), as_json("b.json", both[::-1], model="y")]
    assert refusal(csig.compare, *paths) == (
        "id: 1 and '1' have the same text, by which units are ordered"
    )


def test_other_test_data():
    rows = samples()
    other = [own | {"input": "z"} for own in rows[:2]] + rows[2:]
    paths = [as_json("a.json", rows), as_json("b.json", other, model="y")]
    assert csig.read(*paths).cautions == (
        "y and x/base differ in input or target in 2 of 8 samples with the same id: 0, 1. Is it "
        "the same test data?",
    )
    as_json("b.json", [own | {"input": "z", "target": "z"} for own in rows], model="y")
    assert refusal(csig.read, *paths) == (
        "y and x/base differ in input and target in all samples with the same id (8): they are of "
        "different test data"
    )


def test_samples_that_failed():
    rows = samples()
    rows[3] |= FAILED
    rows[5] |= {"error": {"message": "late"}}
    paths = [as_json("a.json", rows), as_json("b.json", samples(), model="y")]
    assert refused("compare", *paths) == (
        "csig: a.json: 1 of 8 samples failed and have no score: 3 (3: RuntimeError('boom'))\n"
        "  csig compare a.json b.json --allow-missing intersection  # compares only the samples "
        "that every system has scored\n"
    )
    said = said_beside("compare", *paths, "--allow-missing", "intersection")["cautions"]
    assert said == [
        "1 of 8 items is left out: x/base alone lacks 1.",
        "a.json: 1 of 8 samples failed and are left out, as from Inspect's means: 3.",
        "a.json: 1 of 8 samples ended in an error, but have scores, which count: 5.",
    ]
    assert followed("compare", *paths) == 1
    as_json("a.json", [own | FAILED for own in rows])
    assert refusal(csig.read, *paths) == (
        "a.json: every sample failed, 8 in all; 0: RuntimeError('boom')"
    )


def test_samples_that_lack_a_score():
    rows = [own | ({"scores": {}} if i < 2 else {}) for i, own in enumerate(samples())]
    paths = [as_json("a.json", rows), as_json("b.json", samples(), model="y")]
    assert refused("compare", *paths).startswith(
        "csig: a.json: match has no number in 2 of 8 samples, expected a number for every sample\n"
    )
    assert followed("compare", *paths) == 1
    found = scores_of(*paths, allow_missing=True)
    assert [len(own) for own in found.values()] == [6, 6]
    own = [sample(i, e, match="C" if e < 3 else None) for i in range(3) for e in (1, 2, 3)]
    note = csig.read(as_json("a.json", own)).notes[1]
    assert note == (
        "a.json: of 9 samples some have no number and are left out of the means, as by Inspect: "
        "match in 3."
    )


@pytest.mark.parametrize(("text", "said"), [
    ('{"version": 2, "eval": 1}', "a.json: found no log of Inspect, expected 'eval' and samples"),
    ('{"version": 2, "eval": {}, "samples": [1]}', "a.json: sample 1 is no JSON object"),
    ('{"version": 2, "eval": {}, "samples": [{"id": true}]}',
     "a.json: sample 1 has the id True, expected a number or a text"),
    ('{"version": 2, "eval": {}, "samples": [{"id": " "}]}',
     "a.json: sample 1 has the id ' ', expected a number or a text"),
    ('{"version": 2, "eval": {}, "samples": [{"id": 1, "epoch": "a"}]}',
     "a.json: sample 1 has the epoch 'a', expected a number"),
    ('{"version": 2, "eval": {}, "samples": [{"id": 1, "epoch": {}}]}',
     "a.json: sample 1 has the epoch {}, expected a number"),
    ('{"version": 2, "eval": {}, "samples": true}', "a.json: found no log of Inspect, expected"),
    ('{"version": 2, "eval": {}, "samples": null}',
     "a.json: the log has no samples, so no scores that can be paired"),
    ('{"version": 2, "eval": {}, "samples": [{"id": 1}]}',
     "a.json: none of 1 sample has a score; give it scores: inspect score a.json"),
])  # fmt: skip
def test_what_is_no_log(text, said):
    assert refusal(csig.read, write("a.json", text), format="inspect").startswith(said)


def test_archives_that_are_no_logs():
    archive("a.eval", [("x.json", {})])
    assert refusal(csig.read, "a.eval") == (
        "a.eval: found no header.json in it, expected a log of Inspect"
    )
    archive("a.zip", [("x.json", {})])
    assert "found a zip archive, expected text" in refusal(csig.read, "a.zip")
    deep = b"[" * 5000 + b"]" * 5000
    archive("a.eval", [("header.json", header()), ("summaries.json", deep)])
    assert refusal(csig.read, "a.eval") == ("a.eval: not JSON (brackets nested more than 200 deep)")
    archive("a.eval", [("header.json", b"{"), ("summaries.json", [])])
    assert refusal(csig.read, "a.eval").startswith("a.eval: header.json: not JSON (")


# ---- systems -------------------------------------------------------------------------------------
@pytest.mark.parametrize(("models", "tasks", "names"), [
    ("x y", "arc arc", ["x", "y"]), ("x x", "arc cot", ["x, arc", "x, cot"]),
    ("x x", "arc arc", ["base", "new"]),
])  # fmt: skip
def test_systems_are_called_by_model_task_or_file(models, tasks, names):
    about = zip(("base", "new"), models.split(), tasks.split(), strict=True)
    paths = [as_json(f"{own}.json", samples(), model=m, task=t) for own, m, t in about]
    reading = csig.read(*paths)
    assert list(reading.names) == names
    assert list(csig.read(*paths, systems=names[::-1]).names) == names[::-1]


def test_folders_have_tasks():
    for i, model in enumerate(("x", "y")):
        for task, n in (("arc", 30), ("boolq", 20)):
            rows = [sample(j, match="CI"[(j + i) % 3 > 0]) for j in range(n)]
            as_eval(f"{model}/{task}.eval", rows, model=model, task=task)
            as_eval(f"all/{model}-{task}.eval", rows, model=model, task=task)
    own, every = record("compare", "x", "y"), record("compare", "all")
    assert own["results"] == every["results"]
    assert own["results"][0]["over_tasks"]["n_tasks"] == 2
    assert csig.read("x", "y").data.table.ids[-1] == ("boolq", 19)
    assert "By task, on match: " in words("compare", "x", "y", "--by", "task")
    Path("y/boolq.eval").unlink()
    assert "y has no samples of 'boolq', which x has" in refused("compare", "x", "y")
    assert csig.read("x", "y", allow_missing=True).data.table.n_units == 30
    as_json("x/again.json", samples(), model="x")
    assert refusal(csig.read, "x", "y").startswith("x: found 2 logs of the task 'arc': ")
    for name in ("z", "z/log.shards"):
        Path(name).mkdir()
    assert refusal(csig.read, "z", "y", format="inspect") == (
        "z/log.shards: found the parts of a log, expected log.eval beside them; merge them with "
        "Inspect"
    )
    as_eval("z/log.eval", samples(), model="x")
    as_eval("z/log.shards/1/log.eval", samples("CC"), model="x")
    assert csig.read("z", format="inspect").data.table.n_units == 8


@pytest.mark.parametrize("command", ["describe", "recommend", "interval", "systems", "convert"])
def test_every_command_reads_logs(command):
    for i, name in enumerate(("base", "new")):
        as_eval(f"{name}.eval", [sample(d, f="CI"[(d + i) % 3 > 0]) for d in range(30)], model=name)
    run(command, "base.eval", "new.eval", *(("--output", "t.csv") * (command == "convert")))


def test_an_audit_reads_the_logs_again():
    for i, name in enumerate(("base", "new")):
        as_eval(f"{name}.eval", [sample(d, f="CI"[(d + i) % 3 > 0]) for d in range(30)], model=name)
    run("audit", "base.eval", "new.eval", "--record", "r.json")
    given = ["--inputs", "base.eval", "--inputs", "new.eval"]
    assert "differ" not in words("verify", "r.json", *given)
    as_eval("new.eval", [sample(d, f="C") for d in range(30)], model="new")
    assert "new.eval" in words("verify", "r.json", *given, status=1)


# ---- what would be read wrongly ------------------------------------------------------------------
def test_a_log_that_has_a_sample_twice_with_other_scores():
    rows = samples()
    as_json("a.json", [*rows, sample(0, match="C")])  # the same once more
    assert scores_of("a.json")["x/base"][0] == 1
    as_json("a.json", [*rows, sample(0, match="I")])
    assert refusal(csig.read, "a.json") == (
        "a.json: found sample 0 (epoch 1) twice, with different scores; expected each only once"
    )


def test_a_refusal_names_the_run_that_was_stopped():
    as_json("a.json", samples())
    as_json("b.json", samples()[:5], model="x/new", status="started")
    said = refused("compare", "a.json", "b.json")
    assert "x/new lacks 3 ids that x/base has" in said
    assert "b.json: the run was interrupted; it has 5 samples" in said
    assert followed("compare", "a.json", "b.json") == 1


@pytest.mark.parametrize("start", [{"version": 2, "status": "ok"}, {"status": "ok"}])
def test_a_table_that_begins_like_a_log(start):
    write("t.jsonl", *(json.dumps(start | {"id": i, "a": i % 2, "b": 1}) for i in range(4)))
    assert form_of(Request(("t.jsonl",))) == "table"


def test_a_header_alone_without_its_version(shared_data):
    path = shared_data("llm_logs") / "data_with_llm_scoring.json"
    assert refusal(csig.read, path) == (
        f"{path}: the log has no samples, so no scores that can be paired"
    )


def test_an_archive_that_is_packed_once_more():
    as_eval("a.eval", samples())
    packed = gzip.compress(Path("a.eval").read_bytes())
    for name in ("b.eval.gz", "b.eval"):
        Path(name).write_bytes(packed)
        assert form_of(Request((name,))) == "inspect"
        assert scores_of(name) == scores_of("a.eval")
