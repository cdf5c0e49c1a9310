"""csig in one page of HTML (docs/web): the kernels in WebAssembly, in node and in a browser."""

import base64
import functools
import importlib.util
import json
import math
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from places import DOCS, REFERENCE

import csig
from csig.audits.records import canonical, record_digest

WEB = DOCS / "web"

YEH = {
    "gold": 103, "both_correct": 19, "only_a_correct": 28, "only_b_correct": 6,
    "both_spurious": 5, "only_a_spurious": 43, "only_b_spurious": 9,
}  # fmt: skip
METRICS = {"Recall": "recall", "Precision": "precision", "F1": "f1"}

#: What a case of `answers` asks of kernels.js: counts or columns, p and hits; or a record.
SCRIPT = """
const fs = require("fs"), { kernels, source, cases } = JSON.parse(fs.readFileSync(0));
const names = "loadKernels, ofResponses, ofUnits, exactOfUnits, verifyRecord, sum, METRICS";
const web = new Function(`${source}; return { ${names} };`)();
(async () => {
  const loaded = await web.loadKernels(Buffer.from(kernels, "base64")), found = [];
  for (const { sums, classes, columns, draw, record } of cases) {
    if (record !== undefined) {
      found.push(await web.verifyRecord(loaded, record).catch(error => ({ error: error.message })));
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
            "source": "".join((WEB / name).read_text("utf-8") for name in build().SCRIPTS[:2]),
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
    counts = [YEH, dict.fromkeys(YEH, 0) | {"gold": 9}, *(some_counts(rng) for _ in range(60))]
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
        for n, low, high in [(1, 0, 2), (9, 0, 2), (14, 3, 8), (300, 0, 2), (200, 5, 9)]
    ]
    columns += [[[0] * 1200, [1] * 1200], [[1, 1], [1, 1]], [[10**6, 0, 3], [0, 10**6, 1]]]
    draw = {"generator": "Philox", "entropy": ["7"], "n": 66_000}
    cases = [{"columns": own, "draw": draw} for own in columns]
    for (a, b), found in zip(columns, answers(cases), strict=True):
        ways = {0: 1}
        steps = [x - y for x, y in zip(a, b, strict=True) if x != y]
        for step in steps:
            new: dict[int, int] = {}
            for total, count in ways.items():
                for signed in (total + step, total - step):
                    new[signed] = new.get(signed, 0) + count
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
            csig.Comparison.from_scores(a, b), "mean", method="approximate", n_resamples=66_000,
            rng=7, bit_generator="Philox",
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
    if sealed:
        record["sha256"] = record_digest(record)
    return canonical(record)


#: Changes of a record, and what they are shown to be changes of.
TAMPERED: dict[str, Callable[[dict[str, Any]], object]] = {
    "f1: hits of the first run": lambda r: r["results"][2].update(n_hits=100),
    "f1: p of the shuffles": lambda r: r["results"][2].update(pvalue=0.0246),
    "precision: exact p": lambda r: r["results"][1].update(exact_pvalue=0.0399885),
    "recall: score of B": lambda r: r["results"][0].update(score_b=0.4564),
    "f1: difference": lambda r: r["results"][2].update(statistic=0.12263479869113672),
    "Run 2 (Philox): hits, f1, upper": lambda r: r["runs"][2]["hits"][7].update(hits=52),
    "Run 1 (PCG64DXSM): SHA-256 of the hits by chunk": lambda r: r["runs"][1].update(
        chunks_sha256="0" * 64
    ),
    "Runs": lambda r: r["runs"].pop(),
    "Shuffles of each": lambda r: r["options"].update(n_resamples=4095),
    "Metrics with results": lambda r: r["results"].pop(),
    "Run 0 (PCG64DXSM): hits that are missing": lambda r: r["runs"][0]["hits"].pop(0),
    "recall: exact p": lambda r: r["results"][0].update(exact_pvalue=None),
    "Run 1 (PCG64DXSM): hits that are missing": lambda r: r["runs"][1]["hits"].pop(1),
    "What both systems found": lambda r: r["comparison"].update(sums_b=["47", "96", "103"]),
}

#: The same of a record of sentences.
OF_SENTENCES: dict[str, Callable[[dict[str, Any]], object]] = {
    "Differences of the sums": lambda r: r["comparison"].update(sums_a=["90", "104", "109"]),
    "Run 0 (PCG64DXSM): hits, precision, two-sided": lambda r: r["comparison"][
        "differences"
    ].reverse(),
    "Run 3 (PCG64DXSM): hits, recall, two-sided": lambda r: r["runs"][3]["hits"][0].update(hits=9),
    "f1: score of A": lambda r: r["metrics"][2].update(numerator=["3", "0", "0"]),
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
    for found in answers([{"record": text} for text in texts]):
        assert [row for row in found["rows"] if not row["same"]] == []
        assert len(found["rows"]) > 20
    cases = [
        {"record": changed(change, version=2 if name in OF_SENTENCES else 5)}
        for name, change in {**TAMPERED, **OF_SENTENCES}.items()
    ]
    for name, found in zip([*TAMPERED, *OF_SENTENCES], answers(cases), strict=True):
        assert name in [row["what"] for row in found["rows"] if not row["same"]]
    # Nothing but the digest knows of the first; of the second the shuffles do, too.
    (date, seed) = answers(
        [
            {"record": changed(lambda r: r.update(date="2026-11-27T00:00:00Z"), sealed=False)},
            {"record": changed(lambda r: r["runs"][0].update(entropy=["6"]), sealed=False)},
        ]
    )
    assert [row["what"] for row in date["rows"] if not row["same"]] == ["SHA-256 of the record"]
    assert len([row for row in seed["rows"] if not row["same"]]) > 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[]", "not the record of an audit"),
        (changed(lambda r: r["comparison"].update(classes=None)), "csig verify --inputs"),
        (changed(lambda r: r["runs"][0].update(n_resamples=10**15)), "too many shuffles"),
        (changed(lambda r: r["comparison"].update(classes=[[1, 2], [3, 10**9]])), "too large"),
    ],
)
def test_what_is_no_such_record(answers: Any, text: str, message: str) -> None:
    (found,) = answers([{"record": text}])
    assert message in found["error"]


# ---- in a browser -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def loaded(kernels: bytes, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """The text of the page after it has done what stands behind the # of its address."""
    browser = shutil.which("chromium")
    if browser is None:
        pytest.skip("chromium is not here")
    folder = tmp_path_factory.mktemp("web")
    page = folder / "csig.html"
    page.write_text(build().page(kernels), "utf-8")

    def load(**given: object) -> str:
        done = subprocess.run(
            [
                browser, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
                f"--user-data-dir={folder / 'profile'}", "--virtual-time-budget=20000",
                "--dump-dom", f"{page.as_uri()}#{urlencode(given)}",
            ],
            capture_output=True, encoding="utf-8", check=False, timeout=120,
        )  # fmt: skip
        if not done.stdout:
            pytest.skip(f"chromium does not run here: {done.stderr[-200:]}")
        assert "CONSOLE" not in done.stderr
        return done.stdout.partition("<script>")[0]

    return load


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
            ("columns", "old new\n0 1\n0,1\n1\t1\n0 1"): "p = 0.25, exact",
            ("gold", "-1"): "Items in the gold: expected a whole number from 0 to 1,048,576",
            ("record", "{"): "This is not JSON.",
        },
        {
            ("columns", "0 1\n0 x"): "Scores, line 2: expected two whole numbers, found “0 x”.",
            ("only_b_spurious", "x"): "Spurious responses of the second system only: expected",
            ("record", '{"schema": "csig.audit"}'): "This cannot be read: ",
        },
        {
            ("columns", "<b>&\n1 2"): "found “&lt;b&gt;&amp;”.",
            ("gold", "9"): "There are 53 correct responses, but 9 items in the gold.",
            ("record", " "): "Choose a file, or paste its text.",
        },
    ],
)
def test_what_the_page_shows(loaded: Any, shown: dict[tuple[str, str], str]) -> None:
    text = loaded(**dict(shown.keys()))
    assert [words for words in shown.values() if words not in text] == []


def test_the_page_checks_a_record(loaded: Any) -> None:
    record = recorded(5)
    del record["checks"], record["request"]  # an address has room for so much
    record["sha256"] = record_digest(record)
    right = loaded(record=canonical(record))
    assert "values that are computed here match the record." in right
    record["results"][1]["exact_pvalue"] = 0.06
    wrong = loaded(record=canonical(record))
    assert "This record is not right: 2 of" in wrong
    assert re.search(r"precision: exact p</td><td>0\.06</td><td>0\.0399885\d+</td>", wrong)


def test_the_page_loads_nothing(kernels: bytes) -> None:
    text: str = build().page(kernels)
    assert "default-src 'none'; script-src 'sha256-" in text
    assert "unsafe-inline" not in text
    assert re.findall(r"https?://[^\"'\s]+", text) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"\b(src|srcset)=|@import|url\(|fetch\(|XMLHttpRequest|innerHTML", text)


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert build().missing() == "clang is not here"
