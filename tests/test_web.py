"""csig in one page of HTML (docs/web): the kernels in WebAssembly, in node and in a browser."""

import base64
import functools
import hashlib
import html
import importlib.util
import json
import math
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from chromium import PRESSED, Chromium, chromium
from forged import changed as other
from forged import made, put, signed
from places import DOCS, REFERENCE

import csig
from csig.audits import report
from csig.audits.records import comparison_digest, rebuilt
from csig.audits.report import audit_document
from csig.audits.trust import WORDS
from csig.report.document import Document
from csig.report.records import canonical, file_digest, record_digest
from csig.report.rendering.html import CONTENT_SECURITY_POLICY, page

pytestmark = pytest.mark.usefixtures("remembered")
WEB = DOCS / "web"

YEH = {
    "gold": 103, "both_correct": 19, "only_a_correct": 28, "only_b_correct": 6,
    "both_spurious": 5, "only_a_spurious": 43, "only_b_spurious": 9,
}  # fmt: skip
METRICS = {"Recall": "recall", "Precision": "precision", "F1": "f1"}

#: What a case of `answers` asks of kernels.js: counts or columns, p and hits; or a record.
SCRIPT = """
const fs = require("fs"), { kernels, source, cases } = JSON.parse(fs.readFileSync(0));
const { crypto } = globalThis;
const names = "loadKernels, ofResponses, ofUnits, exactOfUnits, verifyRecord, verdictOf, sum, " +
  "METRICS";
const web = new Function(`${source}; return { ${names} };`)();
(async () => {
  const loaded = await web.loadKernels(Buffer.from(kernels, "base64")), found = [];
  for (const { sums, classes, columns, draw, record, plain } of cases) {
    if (record !== undefined) {
      const value = plain ? undefined : crypto;
      Object.defineProperty(globalThis, "crypto", { value, configurable: true });
      found.push(await web.verifyRecord(loaded, record).then(
        ({ rows, digest, ...done }) => {
          const verdict = web.verdictOf({ rows, ...done });
          return { rows, digest, verdict, ...Object.fromEntries(["open", "rest", "left"].map(
            name => [name, [...done[name]].join("; ")])) };
        },
        error => ({ error: error.message })));
      continue;
    }
    const big = rows => rows.map(row => row.map(BigInt)), asked = {};
    if (columns) {
      const [a, b] = big(columns), steps = a.map((score, i) => score - b[i]).filter(step => step);
      const scores = [a, b].map(of => [web.sum(of), BigInt(of.length)]);
      asked.mean = web.ofUnits(steps, steps.map(() => 0n), ...scores);
    } else for (const [name, weights] of Object.entries(web.METRICS)) {
      asked[name] = web.ofResponses(...big(sums), big(classes), weights, 0n);
    }
    const exact = {}, hits = {};
    for (const [name, one] of Object.entries(asked)) {
      exact[name] = columns ? web.exactOfUnits(one) : loaded.exact(one);
      exact[name] = [exact[name].value, exact[name].log];
      hits[name] = 0;
    }
    if (draw) {
      const from = { generator: draw.generator, entropy: draw.entropy.map(BigInt) };
      await loaded.shuffle(Object.values(asked)[0], from, draw.n, of => {
        for (const [name, one] of Object.entries(asked)) hits[name] += of(one, "two-sided");
      });
    }
    found.push({ exact, hits });
  }
  console.log(JSON.stringify(found));
})();
"""


@functools.cache
def build() -> Any:
    spec = importlib.util.spec_from_file_location("build_web", WEB / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def kernels() -> bytes:
    if reason := build().missing():
        pytest.skip(reason)
    found: bytes = build().compiled()
    return found


@pytest.fixture(scope="module")
def answers(kernels: bytes) -> Callable[[Sequence[Mapping[str, Any]]], list[dict[str, Any]]]:
    """What kernels.js gives for some cases, in node."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not here")

    def ask(cases: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        given = {
            "kernels": base64.b64encode(kernels).decode(), "cases": cases,
            "source": build().source(),
        }  # fmt: skip
        done = subprocess.run(
            [node, "-e", SCRIPT], input=json.dumps(given), capture_output=True, text=True,
            check=False, timeout=300,
        )  # fmt: skip
        assert done.stderr == ""
        found: list[dict[str, Any]] = json.loads(done.stdout)
        return found

    return ask


def case(counts: Mapping[str, int], **more: object) -> dict[str, Any]:
    comparison = csig.Comparison.from_counts(**counts)
    return {
        "sums": [list(map(int, comparison.sums_a)), list(map(int, comparison.sums_b))],
        "classes": [[group.only_a, group.only_b] for group in comparison.responses],
        **more,
    }


def some_counts(rng: random.Random) -> dict[str, int]:
    """Counts of all sizes, zeros among them."""
    counts = {name: rng.choice([0, rng.randrange(10), rng.randrange(2000)]) for name in YEH}
    correct = ("both_correct", "only_a_correct", "only_b_correct")
    return counts | {"gold": sum(counts[name] for name in correct) + counts["gold"]}


def test_exact_pvalues_are_csigs_to_the_last_bit(answers: Any) -> None:
    rng = random.Random(1)
    counts = [YEH, dict.fromkeys(YEH, 0) | {"gold": 9}, *(some_counts(rng) for _ in range(12))]
    for own, found in zip(counts, answers(list(map(case, counts))), strict=True):
        comparison = csig.Comparison.from_counts(**own)
        for title, metric in METRICS.items():
            result = csig.randomization_test(
                comparison, metric, method="exact", statistic="difference"
            )
            pvalue, log_pvalue = found["exact"][title]
            assert pvalue == result.pvalue, (own, metric)
            assert log_pvalue == pytest.approx(result.log_pvalue, rel=1e-12)


def test_hits_are_csigs(answers: Any) -> None:
    """Three generators, ten seeds of any length, more than a chunk; and many responses."""
    many = dict.fromkeys(YEH, 700) | {"gold": 3000, "only_a_correct": 640}
    runs = [
        (YEH, generator, seed, 70_000)
        for generator in ("PCG64DXSM", "PCG64", "Philox")
        for seed in (0, 1, 2, 3, 5, 8, 2**32, 2**64 + 1, 2**200 + 7, 10**300)
    ]
    runs += [(many, "PCG64DXSM", 1, 4097), (many, "Philox", 2, 4097)]
    cases = [
        case(counts, draw={"generator": generator, "entropy": [str(seed)], "n": n})
        for counts, generator, seed, n in runs
    ]
    for (counts, generator, seed, n), found in zip(runs, answers(cases), strict=True):
        comparison = csig.Comparison.from_counts(**counts)
        for title, metric in METRICS.items():
            result = csig.randomization_test(
                comparison, metric, method="approximate", statistic="difference", n_resamples=n,
                rng=seed, bit_generator=generator,
            )  # fmt: skip
            assert found["hits"][title] == result.n_hits, (generator, seed, metric)


def test_columns(answers: Any) -> None:
    """Of 0 and 1, and of whole numbers: p by all signs, and csig's hits."""
    rng = random.Random(2)
    columns = [
        [[rng.randrange(-low, high) for _ in range(n)] for _ in "ab"]
        for n, low, high in [(1, 0, 2), (9, 0, 2), (14, 3, 8), (200, 0, 2), (99, 5, 9)]
    ]
    columns += [[[0] * 1080, [1] * 1080], [[1, 1], [1, 1]], [[10**6, 0, 3], [0, 10**6, 1]]]
    numbers = [66_000 if len(a) < 20 else 4097 for a, _ in columns]
    draws = [{"generator": "Philox", "entropy": ["7"], "n": n} for n in numbers]
    cases = [{"columns": a, "draw": draw} for a, draw in zip(columns, draws, strict=True)]
    for (a, b), n, found in zip(columns, numbers, answers(cases), strict=True):
        ways = {0: 1}
        steps = [x - y for x, y in zip(a, b, strict=True) if x != y]
        for step in steps:
            new: dict[int, int] = {}
            for total, count in ways.items():
                for one in (total + step, total - step):
                    new[one] = new.get(one, 0) + count
            ways = new
        share = Fraction(
            sum(count for total, count in ways.items() if abs(total) >= abs(sum(steps))),
            2 ** len(steps),
        )
        pvalue, log_pvalue = found["exact"]["mean"]
        assert pvalue == share.numerator / share.denominator
        wanted = math.log(share.numerator) - math.log(share.denominator)
        assert log_pvalue == pytest.approx(wanted, rel=1e-12, abs=1e-12)
        result = csig.randomization_test(
            csig.Comparison.from_scores(a, b), "mean", method="approximate", n_resamples=n, rng=7,
            bit_generator="Philox",
        )  # fmt: skip
        assert found["hits"]["mean"] == result.n_hits


def recorded(version: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((REFERENCE / f"audit-{version}.json").read_text("utf-8"))
    return found


def changed(
    change: Callable[[dict[str, Any]], object], *, version: int = 5, sealed: bool = True
) -> str:
    """A record with a change, by default of Yeh's example; sealed it has a digest that fits."""
    record = recorded(version)
    change(record)
    return json.dumps(signed(record) if sealed else record)


def check_of(record: dict[str, Any], name: str) -> Any:
    return next(check for check in record["checks"] if check["name"] == name)


CERTIFICATE = dict.fromkeys(("evaluated", "factors", "nodes"), 1) | {
    "low": 0.0, "high": 1e-9, "log_low": -99.0, "log_high": -20.7, "width": 1.0, "theta": 0.1,
    "step": 0.1, "lattice": False,
}  # fmt: skip

#: Changes of a record, and what they are shown to be changes of.
TAMPERED: dict[str, Callable[[dict[str, Any]], object]] = {
    "f1: hits of the first run": lambda r: r["results"][2].update(n_hits=100),
    "f1: p of the shuffles": lambda r: r["results"][2].update(pvalue=0.0246),
    "precision: exact p": lambda r: r["results"][1].update(exact_pvalue=0.0399885),
    "recall: score of method I": lambda r: r["results"][0].update(score_b=0.4564),
    "f1: method II - method I": lambda r: r["results"][2].update(statistic=0.12263479869113672),
    "Run 2 (Philox): hits, f1, upper": lambda r: r["runs"][2]["hits"][7].update(hits=52),
    "Run 1 (PCG64DXSM): SHA-256 of the hits by chunk": lambda r: r["runs"][1].update(
        chunks_sha256="0" * 64
    ),
    "Runs": lambda r: r["runs"].append(r["runs"][0] | {"run": 3}),
    "Shuffles of each": lambda r: r["options"].update(n_resamples=4095),
    "Metrics with results": lambda r: r["results"].pop(),
    "Run 0 (PCG64DXSM): hits that are missing": lambda r: r["runs"][0]["hits"].pop(0),
    "recall: exact p": lambda r: r["results"][0].update(exact_pvalue=None),
    "Run 1 (PCG64DXSM): hits that are missing": lambda r: r["runs"][1]["hits"].pop(1),
    "What both systems found": lambda r: r["comparison"].update(sums_b=["47", "96", "103"]),
    "SHA-256 of the data": lambda r: r["comparison"].update(unit="responses"),
    "Units that differ": lambda r: r["comparison"].update(n_units=87),
    "f1: weights of tp, predicted, gold": lambda r: r["metrics"][2].update(
        denominator=["0", "1", "2"]
    ),
    "Seeds": lambda r: r["runs"][1].update(entropy=["2"]),
    "Generators": lambda r: r["runs"][2].update(bit_generator="PCG64"),
    "f1: upper limit of that p": lambda r: r["results"][2].update(pvalue_interval=[0.0, 0.05]),
    "Check runs: f1, first and third: its p": lambda r: check_of(
        r, "runs: f1, first and third"
    ).update(pvalue=0.5),
    "Check sign test: recall, two-sided: its statistic": lambda r: check_of(
        r, "sign test: recall, two-sided"
    ).update(statistic=9.0),
    "Check symmetry: f1, sum": lambda r: check_of(r, "symmetry: f1, sum").update(passed=False),
    "Check exact: recall": lambda r: r["checks"].remove(check_of(r, "exact: recall")),
    "Check resolution: f1": lambda r: check_of(r, "resolution: f1").update(passed=None),
    "Limit of every check with a p": lambda r: check_of(r, "exact: f1").update(limit=1e-9),
    "Checks with a p whose outcome is another": lambda r: check_of(r, "exact: f1").update(
        passed=False
    ),
    "No check failed": lambda r: r.update(passed=False),
    # A record's own words do not keep a value from being compared.
    "Shuffles of each (of one run)": lambda r: r["runs"][0].update(n_resamples=10**14),
    "f1: exact p (engine)": lambda r: r["results"][2].update(
        engine="fourier", exact_pvalue=1e-9, exact_log_pvalue=-20.7
    ),
    "f1: exact p (budget)": lambda r: (
        r["options"].update(exact_budget=1),
        r["results"][2].update(exact_pvalue=None),
    ),
    "f1: bounds of p": lambda r: r["results"][2].update(certificate=CERTIFICATE),
    "Limit of every check with a p (null)": lambda r: [
        check.update(limit=None) for check in r["checks"]
    ],
    "Checks with a limit and no p": lambda r: check_of(r, "symmetry: f1, sum").update(limit=0.5),
    "Checks that are there twice": lambda r: r["checks"].append(
        check_of(r, "dependence") | {"sentence": "All is well."}
    ),
    "Checks that are missing": lambda r: r["checks"].remove(check_of(r, "determinism: replay")),
    "Level between 0 and 1": lambda r: r["options"].update(alpha=1.0),
    "Run 0 (PCG64DXSM): hits of nothing that was asked": lambda r: r["runs"][0]["hits"][0].update(
        metric="x"
    ),
    "Checks that only inform, with an outcome": lambda r: check_of(r, "dependence").update(
        passed=True
    ),
    "f1: greater is better": lambda r: r["metrics"][2].update(greater_is_better=False),
    "Checks that csig has not": lambda r: r["checks"].append(
        check_of(r, "dependence") | {"name": "verdict"}
    ),
    "Checks that csig has not (of a kind that it has)": lambda r: r["checks"].append(
        check_of(r, "generator: period") | {"name": "generator: everything"}
    ),
    "Metrics that are there twice": lambda r: (
        r["metrics"].append(r["metrics"][2]),
        r["results"].append(r["results"][2]),
    ),
    "Responses": lambda r: r["comparison"].update(responses=[[5, 29], [9, 43]]),
    "Tolerance of sums, below 0": lambda r: r["comparison"].update(tau="-1"),
    "Scales of counts that are not 1, of scores that are not above 0": lambda r: r[
        "comparison"
    ].update(scale=["1/2", "1", "1"]),
    "f1: its weights": lambda r: r["metrics"][2].update(numerator=None, denominator=None),
}

#: What tells apart changes that are shown at one value.
WHICH = re.compile(r" \([a-z ]+\)$")

#: The same of a record of sentences.
OF_SENTENCES: dict[str, Callable[[dict[str, Any]], object]] = {
    "Differences of the sums": lambda r: r["comparison"].update(sums_a=["90", "104", "109"]),
    "Run 0 (PCG64DXSM): hits, precision, two-sided": lambda r: r["comparison"][
        "differences"
    ].reverse(),
    "Run 3 (PCG64DXSM): hits, recall, two-sided": lambda r: r["runs"][3]["hits"][0].update(hits=9),
    "recall: p within its bounds": lambda r: (
        r.update(schema_version=4),
        [own.update(certificate=None) for own in r["results"]],
        r["results"][0].update(engine="fourier", exact_pvalue=1e-9, certificate=CERTIFICATE),
    ),
    "recall: exact p (engine)": lambda r: r["results"][0].update(
        engine="fourier", exact_pvalue=1e-9, exact_log_pvalue=-20.7
    ),
    "f1: exact p and the hits": lambda r: r["results"][2].update(exact_pvalue=1e-9),
    "f1: score of one": lambda r: r["metrics"][2].update(numerator=["3", "0", "0"]),
    "Units that do not differ": lambda r: r["comparison"]["differences"].append("0 0 0"),
    "Fewer units than differ": lambda r: r["comparison"].update(n_total=9),
}


def test_records_verify_and_changes_are_shown(answers: Any) -> None:
    texts = [canonical(recorded(version)) for version in range(1, 7)]
    less = csig.audit(
        csig.Comparison.from_counts(**YEH), ["precision", "f2"], rng=[3, 2**70], n_resamples=4096,
        alternative="less", bit_generator="PCG64", zero_division=1,
    )  # fmt: skip
    rng = random.Random(4)
    real = [[rng.gauss(mean, 1) for _ in range(90)] for mean in (0.3, 0)]
    greater = csig.audit(
        csig.Comparison.from_scores(*real), ["mean"], rng=8, n_resamples=70_000,
        alternative="greater", bit_generator="Philox",
    )  # fmt: skip
    texts += [canonical(less.record), canonical(greater.record)]
    n = len(texts)
    texts += [
        changed(change, version=2 if name in OF_SENTENCES else 5)
        for name, change in {**TAMPERED, **OF_SENTENCES}.items()
    ]
    # Nothing but the digest knows of the first; of the second the shuffles do, too.
    texts.append(changed(lambda r: r.update(date="2026-11-27T00:00:00Z"), sealed=False))
    texts.append(changed(lambda r: r["runs"][0].update(entropy=["6"]), sealed=False))
    answered = answers([{"record": text} for text in texts])
    for found in answered[:n]:
        assert len(found["rows"]) > 20
    differing = [[row["what"] for row in own["rows"] if not row["same"]] for own in answered]
    assert differing[:n] == [[]] * n
    for name, found, what in zip(
        [*TAMPERED, *OF_SENTENCES], answered[n:-2], differing[n:-2], strict=True
    ):
        assert found["verdict"][0] == "differs", name
        assert WHICH.sub("", name) in what
    assert differing[-2] == ["SHA-256 of the record"]
    assert len(differing[-1]) > 3


#: Changes after which a record has not the form of one, and what is said of them.
UNFIT: dict[str, Callable[[dict[str, Any]], object]] = {
    "options.alternative has another value": lambda r: r["options"].update(alternative="both"),
    "options.alpha is not of type number": lambda r: r["options"].update(alpha=None),
    "options.exact_budget is too small or too large": lambda r: r["options"].update(exact_budget=0),
    "checks[0].pvalue is not of type number or null": lambda r: r["checks"][0].update(pvalue="x"),
    "checks[1].limit is not of type number or null": lambda r: r["checks"][1].update(limit="x"),
    "runs[0].bit_generator has another value": lambda r: r["runs"][0].update(bit_generator="Foo"),
    "runs has 10 items": lambda r: r.update(runs=r["runs"][:1] * 10),
    "comparison.digest has another form": lambda r: r["comparison"].update(digest="0"),
    "results[0] has no field engine": lambda r: r["results"][0].pop("engine"),
    "record has a field that csig does not know: verdict": lambda r: r.update(verdict="all well"),
    "results[1] has a field that csig does not know: p b": lambda r: r["results"][1].update(
        {"p\u202eb": 0}
    ),
    "checks[3] has a field that csig does not know: seed": lambda r: r["checks"][3].update(seed=1),
    "comparison.classes[0] has 3 items": lambda r: r["comparison"]["classes"][0].append(0),
}


def without_data(record: dict[str, Any]) -> None:
    record["comparison"].update(classes=None, responses=None)


def huge(record: dict[str, Any]) -> None:
    counts = [[1, 2], [3, 10**9]]
    record["comparison"].update(classes=counts, responses=counts)


#: Changes after which less of a record can be recomputed, and what is said of it.
LEFT_OUT: dict[str, Callable[[dict[str, Any]], object]] = {
    "csig verify --inputs": without_data,
    "too many shuffles": lambda r: r["runs"][0].update(n_resamples=10**14),
    "too large": huge,
    "run 2 (randu)": lambda r: r["runs"][2].update(bit_generator="randu"),
    "hits, p and its interval of f1 in run 0 (SFC64)": lambda r: [
        run.update(bit_generator="SFC64") for run in r["runs"][:2]
    ],
    "other weights for share": lambda r: r["metrics"][0].update(name="share"),
}


def test_what_is_no_such_record_and_what_is_left_out_is_named(answers: Any) -> None:
    texts = {
        "not JSON": "{",
        "not the record of an audit": "[]",
        "twice": '{"schema": "csig.audit", "a": [], "a": 1}',
        "negative": changed(lambda r: r["comparison"].update(classes=[[29, 6], [43, 99]])),
        "only versions 1 to 6 of records, not 7": changed(lambda r: r.update(schema_version=7)),
        **{message: changed(change) for message, change in {**UNFIT, **LEFT_OUT}.items()},
    }
    cases = [{"record": text} for text in texts.values()]
    for message, found in zip(texts, answers(cases), strict=True):
        if message not in LEFT_OUT:
            assert message in found["error"]
            continue
        assert message in f"{found['open']}; {found['rest']}"
        assert "SHA-256 of the record" in [row["what"] for row in found["rows"] if row["same"]]


def test_verify_finds_the_same() -> None:
    """What pages find, and what they refuse."""
    for name, change in {**TAMPERED, **OF_SENTENCES, **UNFIT}.items():
        text = changed(change, version=2 if name in OF_SENTENCES else 5)
        with suppress(csig.InputError):
            assert not csig.verify(json.loads(text)).ok, name


def test_only_what_was_recomputed_is_green(answers: Any) -> None:
    changes = {
        without_data: "quiet",
        huge: "differs",
        (lambda r: r["metrics"][0].update(name="share")): "differs",
        (lambda r: r["results"][0].update(n_hits=9)): "differs",
        (lambda r: r.update(date="2026-11-27T00:00:00Z")): "agrees",
    }  # fmt: skip
    cases = [{"record": changed(change)} for change in changes]
    # Over http there are no digests.
    cases += [{"record": case["record"], "plain": True} for case in cases]
    for kind, found in zip([*changes.values()] * 2, answers(cases), strict=True):
        colour, words = found["verdict"]
        assert colour == kind, words
        assert "All" not in words
        if kind == "agrees":
            assert words.startswith(f"{len(found['rows'])} values were recomputed here and match;")


def leaves(value: Any, *path: str | int) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """All values of a record that are none of others, by their paths."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, own in inner:
        if isinstance(own, (dict, list)):
            yield from leaves(own, *path, key)
        elif own is not None:
            yield (*path, key), own


@pytest.mark.parametrize("kind", ["counts", "units", "scores"])
def test_every_field_is_compared_or_named(answers: Any, kind: str) -> None:
    """A field of each name, changed as a forger would: all digests fit again."""
    record = json.loads(canonical(made(kind, 2**7).record))
    last: dict[tuple[str, ...], tuple[tuple[str | int, ...], Any]] = {}
    for path, value in leaves(record):
        names = tuple(key for key in path if isinstance(key, str))
        if path[0] == "checks":
            # The checks of counts one by one; of units one of each sort is enough.
            if kind == "scores":
                continue
            name = record["checks"][path[1]]["name"]
            names = (name if kind == "counts" else name.partition(":")[0], names[1])
        last[names] = path, value
    cases: dict[tuple[str, ...], dict[str, Any]] = {}
    for names, (path, value) in last.items():
        new = 0.999 * value + 1e-9 if isinstance(value, float) else other(value)
        forged = put(record, path, new)
        if names != ("comparison", "digest"):
            with suppress(ValueError):
                digest = comparison_digest(rebuilt(forged, ""))
                forged = put(forged, ("comparison", "digest"), digest)
        cases[names] = {"record": json.dumps(signed(forged))}
    assert len(cases) > {"counts": 150, "units": 100, "scores": 40}[kind]
    named = {
        ("comparison", "names"): "that the systems are",
        ("comparison", "unit"): "that the unit is",
        ("comparison", "columns"): "was counted",
        ("options", "alpha"): "the level 0.04",
        **dict.fromkeys(
            [("comparison", "tau"), ("options", "exact_budget"), ("options", "zero_division")],
            "comparison.tau, options.exact_budget and options.zero_division where they change no",
        ),
        ("metrics", "greater_is_better"): "that less of mean is better",
        ("metrics", "name"): "whether csig has other weights for",
    }
    for names, found in zip(cases, answers(list(cases.values())), strict=True):
        if "error" in found or found["verdict"][0] == "differs" or names == ("sha256",):
            continue
        text = f"{found['open']}; {found['rest']}; {found['left']}"
        if last[names][0][0] == "checks":
            words = "the words and the order of checks"
            if names[1] not in WORDS:
                words = f"{names[0].partition(':')[0]} ("
                assert "the checks " in found["rest"]
            assert words in text, names
        else:
            places = [names[0], ".".join(names), f"{names[0]}[].{names[-1]}"]
            assert named.get(names, "") in text, names
            assert names in named or any(own in text.split("; ") for own in places), names
            assert names[:2] != ("metrics", "name") or found["verdict"][0] == "quiet"


def test_digests_are_those_of_any_json_of_the_record(answers: Any) -> None:
    """Spaces, the order of keys and the ways to write a number or a letter do not count."""
    record = recorded(5)
    record["cautions"] = ["\u00fc \U0001f600 \x7f <b>"]
    for result, numbers in zip(
        record["results"], [[1e-05, -0.0], [1.5e16, 1e22], [123456789.125, 5e-324]], strict=True
    ):
        result |= dict(zip(("score_a", "score_b"), numbers, strict=True))
    record["sha256"] = record_digest(record)
    texts = [
        canonical(record), json.dumps(record, ensure_ascii=False), json.dumps(record, indent="\t"),
        json.dumps(dict(reversed(record.items()))).replace("1e-05", "0.00001"),
    ]  # fmt: skip
    for found in answers([{"record": text} for text in texts]):
        assert "SHA-256 of the record" in [row["what"] for row in found["rows"] if row["same"]]
        assert found["digest"] == file_digest(record)


# ---- in a browser -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    with chromium(tmp_path_factory.mktemp("chromium")) as opened:
        yield opened


@pytest.fixture(scope="module")
def csig_page(kernels: bytes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page with forms."""
    path = tmp_path_factory.mktemp("web") / "csig.html"
    path.write_text(build().page(kernels), "utf-8")
    return path


@pytest.fixture
def loaded(browser: Chromium, csig_page: Path) -> Callable[..., str]:
    """The page after it has done what stands behind the # of its address."""

    def load(**given: object) -> str:
        browser.open(csig_page, urlencode(given))
        found: str = browser.run(DONE)
        assert browser.told("Log.entryAdded") == browser.told("Runtime.exceptionThrown") == []
        return found.partition("<script>")[0]

    return load


#: The page, when no button waits for an answer.
DONE = """new Promise((resolve) => {
  const look = () => document.querySelector("button:disabled") ? setTimeout(look, 10)
    : resolve(document.documentElement.outerHTML);
  look();
})"""


def test_the_page_tests_counts(loaded: Any) -> None:
    exact = loaded(**YEH)
    for pvalue in (0.0001951255835592747, 0.039988579124198086, 0.029551371505577052):
        assert f"p = {pvalue}, exact" in exact
    assert exact.count('role="img"') == 3
    result = csig.randomization_test(
        csig.Comparison.from_counts(**YEH), "f1", method="approximate", n_resamples=2**20, rng=3,
        statistic="difference", bit_generator="PCG64",
    )  # fmt: skip
    drawn = loaded(**YEH, method="approximate", n=2**20, seed=3, generator="PCG64")
    assert (
        f"p = ({result.n_hits:,} + 1) / (1,048,576 + 1) = {result.pvalue}, PCG64, seed 3" in drawn
    )


@pytest.mark.parametrize(
    "shown",
    [
        {
            ("columns", "old,new\r\n0 1\r\n0,1\r1\t1\n−1 ; 0"): "p = 0.25, exact",
            ("gold", "-1"): "Items in the gold: expected a whole number from 0 to 1,048,576",
            ("record", "{"): "This is not JSON.",
        },
        {
            ("columns", "0 1\n0 x"): "Scores, line 2: expected two whole numbers, found “0 x”.",
            ("only_b_spurious", "x"): "Spurious responses of the second system only: expected",
            (
                "record",
                '{"schema": "csig.audit", "schema_version": 5}',
            ): "This record cannot be right: record has no field checks.",
        },
        {
            ("columns", "<b>&\n1 2"): "found “&lt;b&gt;&amp;”.",
            ("gold", "9"): "There are 53 correct responses, but 9 items in the gold.",
            ("record", " "): "Choose a file, or paste its text.",
        },
        {
            ("columns", "0,5 1,0\n0,5 0,5"): "line 1: expected two whole numbers, found “0,5 1,0”.",
            ("gold", "10,3"): "Items in the gold: expected a whole number from 0 to 1,048,576",
        },
        {
            ("columns", "NaN true\n1 0"): "line 1: expected two whole numbers, found “NaN true”.",
            ("gold", "1 048,576"): "p = 0.0001951255835592747, exact",
        },
        {
            (
                "columns",
                "0,5\n0,25",
            ): "Scores, line 1: “0,5” may be two whole numbers, or one with a "
        },
        {("columns", "old new\n1 0\n10,3"): "line 3: “10,3” may be two whole numbers, or one with"},
        {("columns", "1, 0\n0,-1"): "p = 0.5, exact"},
    ],
)
def test_what_the_page_shows(loaded: Any, shown: dict[tuple[str, str], str]) -> None:
    text = loaded(**dict(shown.keys()))
    assert [words for words in shown.values() if words not in text] == []


# ---- pages of audits ----------------------------------------------------------------------------


@pytest.fixture
def scripted(kernels: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder; audits find the script of these sources."""
    (tmp_path / "recompute.js").write_text(build().script(kernels, "audit.js"), "utf-8")
    own = report.resources.files
    monkeypatch.setattr(
        report.resources, "files", lambda name: tmp_path if name == "csig.audits" else own(name)
    )
    return tmp_path


def document_page(document: Document) -> str:
    return page(document, failed=False)


def shown(browser: Chromium, text: str, folder: Path) -> str:
    """What a page shows after its button was pressed; before, nothing."""
    (folder / "page.html").write_text(text, "utf-8")
    browser.open(folder / "page.html")
    before, after = browser.run(PRESSED)
    assert before == ""
    requests = [sent["request"]["url"] for sent in browser.told("Network.requestWillBeSent")]
    assert [url for url in requests if not url.startswith("data:")] == [requests[0]]
    assert browser.told("Log.entryAdded") == browser.told("Runtime.exceptionThrown") == []
    found: str = after
    return found


def test_pages_of_audits_have_csigs_hits(browser: Chromium, scripted: Path) -> None:
    """Ten seeds of any length, each with one of three generators, more than a chunk."""
    comparison = csig.Comparison.from_counts(**YEH)
    seeds = (0, 1, 2, 3, 5, 8, 2**32, 2**64 + 1, 2**200 + 7, 10**300)
    for seed, generator in zip(seeds, cycle(("PCG64DXSM", "PCG64", "Philox")), strict=False):
        audit = csig.audit(
            comparison, ["recall", "precision", "f1"], rng=seed, bit_generator=generator,
            n_resamples=4096 if seed else 66_000,
        )  # fmt: skip
        page = document_page(replace(audit_document(audit, audit.record), explanation=()))
        text = shown(browser, page, scripted)
        assert re.match(r"\d+ values were recomputed here and match; csig verify", text)
        for run in audit.runs:
            for (metric, tail), hits in run.hits.items():
                name = f"Run {run.number} ({run.bit_generator}): hits, {metric}, {tail}"
                assert f"\n{name}\t{hits}\t{hits}\tsame\n" in text
        for metric, exact in audit.exact.items():
            assert f"{metric}: exact p\t{exact.pvalue}\t{exact.pvalue}\tsame\n" in text


def renamed(record: dict[str, Any]) -> None:
    """F1 by a name that csig has not."""
    text = json.dumps(record).replace('"f1"', '"g"').replace(": f1", ": g")
    record.update(json.loads(text))


#: Changes of a record with new digests, the colour of what is said first, and words of the page.
SHOWN: list[tuple[Callable[[dict[str, Any]], object], str, str]] = [
    (lambda r: None, "agrees", "values were recomputed here and match; csig verify compares all"),
    (TAMPERED["Check sign test: recall, two-sided: its statistic"], "differs", "1 of "),
    (
        lambda r: r["runs"][1]["hits"][0].update(hits=9),
        "differs",
        "Run 1 (PCG64DXSM): hits, recall, two-sided\t9\t",
    ),
    (TAMPERED["Check resolution: f1"], "differs", "Check resolution: f1\tnull\ttrue\tdiffers"),
    (TAMPERED["No check failed"], "differs", "No check failed\tfalse\ttrue\tdiffers"),
    (TAMPERED["Responses"], "differs", "Responses\t5,29,9,43\t6,28,9,43\tdiffers"),
    (lambda r: r.update(verdict="fine"), "error differs", "csig does not know: verdict."),
    (lambda r: r["metrics"][0].update(name="x"), "differs", "Metrics with results"),
    (
        lambda r: (r["metrics"][2].update(name="g"), r["results"][2].update(metric="g")),
        "differs",
        "Run 0 (PCG64DXSM): hits that are missing",
    ),
    (renamed, "quiet", "rest on it: whether csig has other weights for g; "),
    (lambda r: r["options"].update(alpha=0.01), "agrees", "the level 0.01; "),
    (
        lambda r: r["comparison"]["names"].reverse(),
        "agrees",
        "that the systems are method I and method II, in this order; ",
    ),
    (
        lambda r: check_of(r, "generator: period").update(pvalue=0.9),
        "agrees",
        "generator (11), ",
    ),
    (lambda r: r["comparison"].update(ids_digest="0" * 64), "agrees", "; comparison.ids_digest; "),
    (
        lambda r: check_of(r, "metric itself: f1").update(statistic=1e-9),
        "agrees",
        "metric itself (2)",
    ),
]


def test_records_that_were_sealed_anew(browser: Chromium, csig_page: Path) -> None:
    """Green is only what was recomputed, and below it stands what was not."""
    browser.open(csig_page)
    for change, colour, words in SHOWN:
        first, doubt, text = browser.run(f"({CHECKED})({json.dumps(changed(change))})")
        assert first == colour, text
        assert words in text
        if colour in ("agrees", "quiet"):
            for part in (
                "generator (11)",
                "that the systems are",
                "metric itself (2)",
                "the level",
            ):
                assert part in doubt


#: Gives a record to the page with forms: the classes of what it shows first, and its texts.
CHECKED = """(record) => new Promise((resolve) => {
  const part = document.getElementById("from-record"), form = part.querySelector("form");
  const button = form.querySelector("button"), place = part.querySelector(".answer");
  const watching = new MutationObserver(() => button.disabled || (watching.disconnect(), resolve([
    place.querySelector("p").className, place.querySelector("p.doubt")?.innerText ?? "",
    place.innerText])));
  watching.observe(button, { attributes: true });
  form.elements.record.value = record;
  form.requestSubmit();
})"""


def test_pages_that_were_changed(browser: Chromium, scripted: Path) -> None:
    audit = csig.audit(
        csig.Comparison.from_counts(**YEH, names=("<script>alert(1)</script>", "&lt;\u00fc\u2028")),
        ["recall", "f1"], n_resamples=4096, rng=1,
    )  # fmt: skip
    pytest.importorskip("matplotlib")
    for written, most in (
        (audit.summary("html"), 3), (document_page(audit_document(audit, audit.record)), 1)
    ):  # fmt: skip
        assert re.match(r"\d+ values were recomputed", shown(browser, written, scripted))
        hits = audit.results["f1"].n_hits
        for old, new, differs in [
            (f'"n_hits": {hits}', f'"n_hits": {hits + 1}', f"hits of the first run\t{hits + 1}\t"),
            (f'"pvalue": {audit.results["f1"].pvalue}', '"pvalue": 0.01', "shuffles\t0.01\t"),
            (f'"exact_pvalue": {audit.exact["f1"].pvalue}', '"exact_pvalue": 0.06', "p\t0.06\t"),
        ][:most]:
            assert old in written
            text = shown(browser, written.replace(old, new), scripted)
            assert re.search(r"This record is not right: 2 of \d+ values differ", text)
            assert re.search(f"f1: .*{differs}.*\tdiffers", text)
            assert re.search(r"SHA-256 of the record\t\w{64}\t\w{64}\tdiffers", text)
        text = shown(browser, written.replace("12.26", "22.26"), scripted)
        assert text.startswith("The text of this page is not what csig wrote")
        # Another script does not run.
        (scripted / "page.html").write_text(written.replace("RISK = 1e-6", "RISK = 1e-5"), "utf-8")
        browser.open(scripted / "page.html")
        assert browser.run("document.getElementById('recompute').hidden")
        assert "Content Security Policy" in str(browser.told("Log.entryAdded"))


def test_pages_whose_words_are_not_of_their_record(browser: Chromium, scripted: Path) -> None:
    ours, other = (
        csig.audit(csig.Comparison.from_counts(**counts), "f1", n_resamples=1024, rng=1)
        for counts in (YEH, YEH | {"only_a_spurious": 9})
    )
    page = document_page(audit_document(ours, ours.record))
    template = re.compile(r'(?s)<template id="record">.*?</template>')
    held, record = template.findall(page)[0], html.escape(canonical(other.record), quote=False)
    of_other = f'<template id="record">{record}</template>'
    good = shown(browser, page, scripted)
    assert re.match(r"\d+ values were recomputed here and match;", good)
    text = shown(browser, page.replace(held, of_other), scripted)
    assert text.startswith("The text of this page is not that of the record in it.")
    assert browser.run("document.querySelectorAll('#recomputed p.agrees').length") == 0
    for changed_page in (
        page.replace(held, of_other + held),
        page.replace(held, held + of_other),
        page.replace("<main>", of_other + "<main>"),
        page.replace(held, "").replace("</main>", f"</main>{held}"),
        page.replace(held, held.replace("template", "div")),
        page.replace("<main>", "<main></main><main>"),
    ):
        text = shown(browser, changed_page, scripted)
        assert text == "This page does not hold one record: it was changed."


def test_a_page_of_an_audit_loads_nothing(scripted: Path) -> None:
    audit = csig.audit(csig.Comparison.from_counts(**YEH), "f1", n_resamples=1024, rng=1)
    text = audit.summary("html")
    script = text.partition("<script>")[2].partition("</script>")[0]
    assert script == (scripted / "recompute.js").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    assert html.unescape(policy) == (
        f"script-src 'sha256-{digest}' 'wasm-unsafe-eval'; {CONTENT_SECURITY_POLICY}"
    )
    assert text.count("<script") == 1
    record = text.partition('<template id="record">')[2].partition("</template>")[0]
    assert html.unescape(record) == canonical(audit.record)
    assert "<script" not in audit._repr_html_()
    (scripted / "recompute.js").unlink()
    without = audit.summary("html")
    assert "<script" not in without
    assert html.escape(CONTENT_SECURITY_POLICY) in without
    assert without.count("docs/audit.md, In a browser") == 1


def test_the_page_loads_nothing(kernels: bytes) -> None:
    text: str = build().page(kernels)
    assert "default-src 'none'; script-src 'sha256-" in text
    assert "unsafe-inline" not in text
    assert re.findall(r"https?://[^\"'\s]+", text) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"\b(src|srcset)=|@import|url\(|fetch\(|XMLHttpRequest|innerHTML", text)


def test_the_script_is_made_anew_where_sources_changed(
    kernels: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is that of its sources, or it is not there."""
    made = tmp_path / "recompute.js"
    monkeypatch.setitem(vars(build()), "MADE", made)
    monkeypatch.setitem(vars(build()), "compiled", lambda: kernels)
    assert build().refresh() == ""
    text = made.read_text("utf-8")
    assert text.endswith(build().script(kernels, "audit.js"))
    made.write_text(text + "// kept", "utf-8")
    monkeypatch.setenv("PATH", "")
    assert build().refresh() == ""
    assert made.read_text("utf-8") == text + "// kept"
    made.write_text(text[1:], "utf-8")
    assert build().refresh() == "clang is not here"
    assert not made.exists()


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert build().missing() == "clang is not here"
