"""Cautions come before every number, in all outputs; with --strict they are the exit status."""

import html
import itertools
import json
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from commands import record, run, said_beside, words, write

import csig

DOUBT = "None of the responses of wrong is in the gold."


@pytest.fixture(autouse=True)
def files(_folder):
    """A system with nothing correct, beside one that is fine."""
    write("gold.tsv", *(f"r{i}" for i in range(40)))
    # With so many wrong ones that none of their ratios rests on few counts.
    write("right.tsv", *(f"r{i}" for i in range(3, 40)), *(f"x{i}" for i in range(12)))
    write("wrong.tsv", *(f"w{i}" for i in range(30)))
    write("table.csv", "id,base,new", *(f"q{i},{i % 3 > 0:d},{i % 2}" for i in range(12)))


BAD = ("gold.tsv", "right.tsv", "wrong.tsv")


def test_an_audit_says_its_cautions_below_its_answer_on_every_page():
    few = ("--seed", 1, "--resamples", 999, "--html", "page.html", "--markdown", "page.md")
    said = words("audit", *BAD, *few, "--strict", status=3)
    assert said.startswith("The audit")
    assert said.index(DOUBT) < said.index("Metric")
    page = Path("page.html").read_text(encoding="utf-8")
    assert page.index("The audit") < page.index(html.escape(DOUBT)) < page.index("<th")
    plain = Path("page.md").read_text(encoding="utf-8")
    assert plain.index("The audit") < plain.index(DOUBT.rstrip(".")) < plain.index("| Metric")


def test_strict_prints_and_writes_everything_all_the_same():
    plain = run("compare", *BAD, "--json", "plain.json")
    assert plain == run("compare", *BAD)
    written = json.loads(Path("plain.json").read_text(encoding="utf-8"))
    assert written == record("compare", *BAD)
    assert run("compare", *BAD, "--json", "strict.json", "--strict", status=3) == plain
    assert Path("plain.json").read_bytes() == Path("strict.json").read_bytes()
    assert DOUBT in " ".join(said_beside("compare", *BAD)["cautions"])


def test_json_has_what_looks_wrong_in_the_files():
    """A field of its own, as in the JSON of csig compare; an audit's record may go without."""
    write("blank.csv", "id,x,y", "1,0.5,1", "", *(f"{i},0.{i},0.{i**2 % 9}" for i in range(2, 9)))
    for command in ("compare", "systems", "datasets"):
        said = said_beside(command, "blank.csv")["cautions"]
        (caution,) = (line for line in said if "blank lines between" in line)
        assert len(record(command, "blank.csv")["doubts"]) == len(said)
    few = ("--seed", 1, "--resamples", 2048, "--record")
    for file, cautions in (("blank.csv", [caution]), ("table.csv", None)):
        run("audit", file, *few, "r.json", status=None)
        kept = json.loads(Path("r.json").read_text(encoding="utf-8"))
        assert kept.get("cautions") == cautions
        said = words("verify", "r.json", "--inputs", file)
        assert "recomputed values match the record" in said


def test_compare_recommend_and_describe_have_the_same_doubts_about_the_data():
    write("few.csv", "id,x,y", "1,0.5,0.75", "2,0.25,0.5", "3,0.5,0.5")
    for name in "ab":  # of several metrics
        scores = ({"doc_id": i, "acc": i / 9, "bleu": 10.5 + len(name) * i} for i in range(9))
        write(f"{name}.jsonl", *map(json.dumps, scores))
    assert "Read as" in run("describe", "a.jsonl", "b.jsonl")
    for arguments, doubt in (
        (BAD, DOUBT),
        (("few.csv",), "With 2 items that differ no p-value can be below 0.5: at 0.05 no"),
    ):
        for command in ("compare", "recommend", "describe"):
            cautions = said_beside(command, *arguments)["cautions"]
            assert len([line for line in cautions if line.startswith(doubt)]) == 1, command


def scores(path, *systems):
    """A table of scores, one column for each system."""
    names = ",".join(f"s{i}" for i in range(len(systems)))
    rows = (",".join(f"{x:.6f}" for x in row) for row in zip(*systems, strict=True))
    write(path, f"id,{names}", *(f"q{i},{row}" for i, row in enumerate(rows)))
    return path


SKEWED = "Caution: The differences of {} items in the mean are skewed: 95% intervals may miss"


@pytest.mark.parametrize(("n", "sigma", "doubted"), [
    (40, 1.0, True), (8, 0.05, False), (2000, 0.5, False),
])  # fmt: skip
def test_skewed_differences_are_one_caution_of_every_command(n, sigma, doubted):
    """With Python beside them, which warns of none."""
    rng = np.random.default_rng(2)
    common = rng.normal(50, 5, n)
    path = scores("s.csv", common, common + rng.lognormal(0, sigma, n) - np.exp(sigma**2 / 2))
    others = ("recommend", "describe", "interval", "systems") if n in (8, 40) else ()
    for command in ("compare", *others):
        assert (SKEWED.format(n) in words(command, path)) is doubted, command
    codes = [doubt.code for doubt in csig.compare(path).doubts]
    assert codes == ["skewed"] * doubted


@pytest.mark.parametrize("seed", range(5))
def test_many_systems_have_the_cautions_that_every_two_have(seed, tmp_path):
    """Of scores, right and wrong ones, clusters, systems without some units, counts."""
    rng = np.random.default_rng(seed)
    n, kind = int(rng.integers(6, 40)), seed % 5
    own = rng.normal(size=(n, 1)) + rng.lognormal(0, 1.2, (n, 4)) * rng.integers(0, 2, (n, 4))
    own = np.round(own * 7)
    if kind == 1:
        own[:, 0], own[:, 1] = rng.integers(0, 2, (2, n))
    given = {"cluster": [i // 2 for i in range(n)]} if kind == 2 else {}
    names = [f"s{i}" for i in range(4)]
    systems = {name: dict(enumerate(own[:, i].tolist())) for i, name in enumerate(names)}
    if kind == 2:
        systems = {name: [*scores.values()] for name, scores in systems.items()}
    if kind == 3:
        given["allow_missing"] = "pairwise"
        for i, name in enumerate(names):
            del systems[name][i]
    if kind == 4:
        own = np.clip(own, 0, None).astype(int)
        given |= {"columns": ("tp", "gold"), "metric": "recall"}
        gold = own.max(axis=1) + 1
        systems = {name: np.stack([own[:, i], gold], axis=1) for i, name in enumerate(names)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", csig.DataWarning)
        found = csig.compare_systems(systems, **given)
        expected = []
        for one, other in itertools.combinations(names, 2):
            pair = {name: systems[name] for name in (one, other)}
            if kind == 4:
                pair = csig.Comparison.from_statistics(*pair.values(), columns=("tp", "gold"))
            elif kind == 3:
                common = pair[one].keys() & pair[other].keys()
                pair = {name: {k: scores[k] for k in common} for name, scores in pair.items()}
            two = csig.compare(pair, **({"metric": "recall"} if kind == 4 else {}),
                               **{k: v for k, v in given.items() if k == "cluster"})  # fmt: skip
            expected += [f"{one} - {other}" for own in two.doubts if own.code == "skewed"]
    said = "; ".join(str(own) for own in found.doubts if own.code == "skewed")
    named = re.findall(r"s\d - s\d", said)
    assert set(named) <= set(expected)
    number = len(named) + sum(map(int, re.findall(r"(\d) of 6 pairs: The", said)))
    number += 6 * len(re.findall("^The differences", said))
    assert number == len(expected)


def test_many_systems_share_a_caution_that_names_a_few():
    rng = np.random.default_rng(1)
    path = scores("s.csv", *rng.lognormal(3, 1, (30, 5)))
    for command in ("compare", "interval", "describe", "systems", "recommend"):
        said = words(command, path)
        assert said.count("are skewed: 95%") <= 1, command
    said = words("interval", path)
    assert "Mean of s0, Mean of s1, Mean of s2, Mean of s3 and 26 more: the interval rests" in said


@pytest.mark.parametrize("seed", [0, 2, 5])  # of none, of one and of two systems
def test_an_interval_beside_an_adjusted_p_says_that_it_is_not_adjusted(seed):
    """Where it leaves out 0 and the verdict is "no evidence"; nothing is said of other systems."""
    rng = np.random.default_rng(seed)
    common = rng.normal(30, 5, 60)
    own = [common + rng.normal(0.12 * i, 1.5, 60) for i in range(6)]
    path = scores("s.csv", *own)
    row = r"^(s\d) +\S+ +\S+ +(\S+) to (\S+) +\S+ +(no evidence|\* \w+)$"
    page = run("compare", path)
    rows, said = re.findall(row, page, re.MULTILINE), " ".join(page.split())
    assert len(rows) == 5
    apart = [
        name
        for name, low, high, verdict in rows
        if verdict == "no evidence" and float(low) * float(high) > 0
    ]
    line = f"{', '.join(apart)}: Mean: the 95% interval leaves out 0, but is not adjusted;"
    assert (line in said) if apart else ("leaves out 0" not in said)
    assert ("fall on different sides" in said) is any(
        verdict != "no evidence" and float(low) * float(high) < 0 for _, low, high, verdict in rows
    )
