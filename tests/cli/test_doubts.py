"""Cautions come before every number, in all outputs; with --strict they are the exit status."""

import html
import json
from pathlib import Path

import pytest
from commands import record, run, said_beside, words, write

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
    few = ("--seed", 1, "--resamples", 999)
    run("audit", *BAD, *few, "--html", "page.html", "--markdown", "page.md")
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
