"""What goes with a release: its script, citation, recipe, hook, action and paper."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from commands import run
from forged import remembering
from places import DOCS, REFERENCE, ROOT

import csig
from csig import __version__

yaml = pytest.importorskip("yaml")
GITHUB = ROOT / ".github"
if not GITHUB.is_dir():
    pytest.skip("an sdist has no .github", allow_module_level=True)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def parsed(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


# ---- the version, and the script -----------------------------------------------------------------
def test_the_version_stands_in_one_place() -> None:
    """CITATION.cff repeats it, as its format asks; the recipe names the release to come."""
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert parsed("CITATION.cff")["version"] == __version__
    assert parsed(".github/conda/recipe.yaml")["context"]["version"] == __version__.split(".dev")[0]
    if "dev" in __version__:  # that of a release stands in examples
        folders = ("csig", "csig_ext", "docs", ".github", "benchmarks", "examples")
        paths = [path for folder in folders for path in (ROOT / folder).rglob("*.*")]
        text = [
            own for own in paths if own.suffix in (".py", ".pyx", ".md", ".toml", ".yml", ".yaml")
        ]
        found = [own.name for own in text if __version__ in own.read_text(encoding="utf-8")]
        assert found == ["_version.py"]


@pytest.fixture
def ready(tmp_path: Path) -> Path:
    """A repository of what the script looks at, of which version 9.8.7 can be released."""
    changed = {
        "csig/_version.py": '__version__ = "9.8.7"\n',
        "CHANGELOG.md": "# Changelog\n\n## 9.8.7 (2031-02-03)\n",
        "CITATION.cff": 'version: 9.8.7\ndate-released: "2031-02-03"\n',
        ".github/conda/recipe.yaml": 'context:\n  version: "9.8.7"\n',
        ".github/release.py": (GITHUB / "release.py").read_text(encoding="utf-8"),
    }
    for name, text in changed.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    return tmp_path


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=somebody", "-c", "user.email=somebody@example.org")
    return subprocess.run(
        ["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True
    ).stdout


def commit(folder: Path) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "all")


def dry(folder: Path) -> tuple[int, str, str]:
    script = [sys.executable, folder / ".github" / "release.py", "--dry-run"]
    done = subprocess.run(script, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_a_dry_run_prints_the_commands_and_runs_none(ready: Path) -> None:
    head = git(ready, "rev-parse", "HEAD").strip()
    tag = f"git tag -a v9.8.7 -m 'csig 9.8.7' {head}\ngit push origin v9.8.7\n"
    assert dry(ready) == (0, tag, "")
    assert git(ready, "tag") == ""
    assert not (ready / "dist").exists()


def test_what_is_not_ready(ready: Path) -> None:
    for name, old, new, said in [
        ("csig/_version.py", "9.8.7", "9.8.7.dev1", "9.8.7.dev1 is not the version of a release"),
        ("CHANGELOG.md", "2031-02-03", "unreleased", "no heading '## 9.8.7 (YYYY-MM-DD)'"),
        ("CITATION.cff", "9.8.7", "9.8.6", "CITATION.cff: no line 'version: 9.8.7'"),
        ("CITATION.cff", "02-03", "02-04", "no line 'date-released: 2031-02-03'"),
        (".github/conda/recipe.yaml", "9.8.7", "9.8.6", "recipe.yaml: no line"),
    ]:
        path = ready / name
        before = path.read_text("utf-8")
        path.write_text(before.replace(old, new), "utf-8")
        status, out, error = dry(ready)
        assert (status, out) == (1, "")
        assert said in error
        assert "the working tree is not clean" in error
        path.write_text(before, "utf-8")
    path.write_text("", "utf-8")
    commit(ready)
    git(ready, "tag", "v9.8.7")
    error = dry(ready)[2]
    assert "recipe.yaml: no line" in error
    assert "the working tree" not in error
    assert "the tag v9.8.7 is there already" in error


# ---- the citation, and the paper -----------------------------------------------------------------
def test_classifiers_are_the_pythons_that_wheels_are_tried_with() -> None:
    tried = PROJECT["tool"]["cibuildwheel"]["build"]
    named = [own.rpartition(" :: ")[2] for own in PROJECT["project"]["classifiers"]]
    assert [f"cp{own.replace('.', '')}-*" for own in named if "." in own] == tried
    workflow = parsed(".github/workflows/test.yml")["jobs"]["systems"]["strategy"]["matrix"]
    tested = {*workflow["python"], *(own["python"] for own in workflow["include"])}
    assert tested == {own for own in named if "." in own}


def test_the_citation() -> None:
    """Its form, by CFF 1.2's rules for what is there; and that of references printed elsewhere."""
    found = parsed("CITATION.cff")
    assert found["cff-version"] == "1.2.0"
    assert found.keys() >= {"message", "title", "authors", "version", "license"}
    if "date-released" in found:
        assert found["date-released"].isoformat() in (ROOT / "CHANGELOG.md").read_text("utf-8")
    cited = (ROOT / "csig" / "report" / "references.bib").read_text("utf-8")
    cited += (DOCS / "paper" / "paper.bib").read_text("utf-8")
    for own in found["references"]:
        assert own.keys() >= {"type", "title", "authors", "year"}
        key = "".join(c for c in own["authors"][0]["family-names"].lower() if c.isascii())
        entry = next(
            e for e in cited.split("\n@") if re.match(rf".*{{{key[:3]}\w*{own['year']}", e)
        )
        assert own["title"].lower() in re.sub("[{}]", "", entry).lower()
        if "start" in own:
            assert f"{own['start']}--{own['end']}" in entry
    assert [own["year"] for own in found["references"]] == [2000, 2004, 2001, 2006]


def test_numbers_of_the_paper_stand_where_it_says() -> None:
    """A comment below a paragraph names a page and its numbers; shares are in percent above it."""
    text = (DOCS / "paper" / "paper.md").read_text(encoding="utf-8")
    blocks = text.split("---\n", 2)[2].split("\n\n")
    known: dict[str, set[str]] = {}
    above = ""
    for block in blocks:
        comments = re.findall(r"<!-- (docs/\S+): (.*?) -->", block)
        if not comments:
            above = block
        for page, numbers in comments:
            there = (ROOT / page).read_text(encoding="utf-8")
            for number in numbers.split(", "):
                shown = {number}
                if number.startswith("0."):
                    shown.add(f"{100 * float(number):.3g}%")
                assert re.search(rf"(?<![\d.]){re.escape(number)}(?![\d.])", there), number
                assert any(own in above for own in shown), number
                known.setdefault(above, set()).update(shown)
    for block in blocks:  # and no other number with decimals stands in it
        if not block.startswith("<!--"):
            assert set(re.findall(r"\d+\.\d+%?", block)) <= known.get(block, set()), block
    cited = set(re.findall(r"@(\w+)", text))
    entries = re.findall(r"^@\w+\{(\w+)", (DOCS / "paper" / "paper.bib").read_text("utf-8"), re.M)
    assert cited == set(entries)


# ---- the recipe ----------------------------------------------------------------------------------
def test_the_recipe_asks_for_what_the_package_asks_for() -> None:
    recipe = parsed(".github/conda/recipe.yaml")
    assert recipe["schema_version"] == 1
    assert recipe["package"]["name"] == PROJECT["project"]["name"]
    assert recipe["build"]["python"]["entry_points"] == [
        f"{name} = {where}" for name, where in PROJECT["project"]["scripts"].items()
    ]
    oldest = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert recipe["context"]["python_min"] == oldest
    assert parsed(".github/conda/conda_build_config.yaml") == {"python_min": [oldest]}
    needs = recipe["requirements"]
    built = {own.replace(" ", "").lower() for own in needs["host"]}
    assert built == {"python", "python-abi3", "pip"} | {
        own.lower() for own in PROJECT["build-system"]["requires"]
    }
    wanted = PROJECT["project"]["dependencies"] + PROJECT["project"]["optional-dependencies"]["cli"]
    assert {own.replace(" ", "") for own in needs["run"]} == {"python", *wanted}
    assert ["csig demo"] in [own.get("script") for own in recipe["tests"]]


@pytest.mark.skipif(
    importlib.util.find_spec("rattler_build") is None, reason="needs py-rattler-build"
)
@pytest.mark.parametrize("platform", ["linux-64", "osx-arm64", "win-64"])
def test_rattler_build_makes_one_package_of_it(platform: str, tmp_path: Path) -> None:
    variants = {
        "python": ["3.11.* *_cpython", "3.12.* *_cpython", "3.14.* *_cp314t"],
        "is_abi3": [True, True, False],
        "zip_keys": [["python", "is_abi3"]],
        "c_compiler": ["gcc"],
        "c_stdlib": ["sysroot"],
    } | parsed(".github/conda/conda_build_config.yaml")
    (tmp_path / "variants.yaml").write_text(json.dumps(variants))
    render = (
        "import sys; from rattler_build.cli_api import build_recipes; build_recipes("
        "[sys.argv[1]], render_only=True, build_platform='linux-64', target_platform=sys.argv[2], "
        "variant_config=['variants.yaml'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", render, GITHUB / "conda" / "recipe.yaml", platform],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    rendered = json.loads(done.stdout[done.stdout.index("[\n") :])
    assert [own["build_configuration"]["variant"]["python"] for own in rendered] == [
        variants["python"][0]
    ]
    assert rendered[0]["recipe"]["build"]["python"]["version_independent"] is True


# ---- the hook ------------------------------------------------------------------------------------
def test_the_hook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its entry, on records of which one was changed and one is none."""
    (hook,) = parsed(".pre-commit-hooks.yaml")
    assert hook["additional_dependencies"] == PROJECT["project"]["optional-dependencies"]["cli"]
    chosen = ["record.json", "audits/record.json", "wnut.record.json", "a/b.record.json"]
    others = ["records.json", "myrecord.json", "record.jsonl", "package.json", "record.json.bak"]
    assert [own for own in chosen + others if re.search(hook["files"], own)] == chosen
    monkeypatch.chdir(tmp_path)
    shutil.copy(REFERENCE / "audit-1.json", "record.json")
    record = json.loads((REFERENCE / "audit-6.json").read_text(encoding="utf-8"))
    Path("good.record.json").write_text(json.dumps(record))
    record["runs"][0]["hits"][0]["hits"] += 1
    Path("bad.record.json").write_text(json.dumps(record))
    Path("none.record.json").write_text("{}")
    program, *words = hook["entry"].split() + hook["args"]
    assert program == "csig"
    with remembering({}):
        outcomes_of_the_hook(words)


def outcomes_of_the_hook(words: list[str]) -> None:
    good = run(*words, "record.json", "good.record.json")
    outcome = re.compile(r"^(\S+)  +(verified|NOT verified|CANNOT BE USED)  ", re.M)
    assert outcome.findall(good) == [("record.json", "verified"), ("good.record.json", "verified")]
    bad = run(*words, "bad.record.json", "none.record.json", "record.json", status=1)
    assert outcome.findall(bad) == [
        ("bad.record.json", "NOT verified"),
        ("none.record.json", "CANNOT BE USED"),
        ("record.json", "verified"),
    ]
    assert re.search(r"(?m)^bad.* runs\[0\].hits\[mean\].hits: 1 in the record, 0 now$", bad)
    assert re.search("(?m)^none.record.json  found no schema, expected", bad)
    assert "none.record.json" in run(*words, "none.record.json", "record.json", status=2)
    assert "with one record" in run("verify", "--inputs=record.json", "record.json", "x", status=2)


# ---- the action ----------------------------------------------------------------------------------
needs_shell = pytest.mark.skipif(os.name == "nt", reason="the stand-in for csig is a shell script")


def action_step(
    name: str, folder: Path, action_of: str = "csig", **given: str
) -> subprocess.CompletedProcess[str]:
    """Runs a step's own lines, with these inputs and the defaults of the others."""
    action = parsed(f".github/actions/{action_of}/action.yml")
    (step,) = (own for own in action["runs"]["steps"] if own["name"] == name)
    assert "${{" not in step["run"]
    inputs = {name: own.get("default", "") for name, own in action["inputs"].items()} | given
    own = {
        key: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda m: inputs[m[1]], value)
        for key, value in step["env"].items()
    }
    own |= {"GITHUB_STEP_SUMMARY": "summary.md", "GITHUB_OUTPUT": "output.txt"}
    own |= {"RUNNER_TEMP": "temporary", "PYTHONPATH": str(Path(csig.__file__).parents[1])}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder, env=os.environ | own, capture_output=True, text=True,
    )  # fmt: skip


def stand_in(folder: Path, status: int) -> None:
    """A csig that keeps its words, and ends with a status."""
    scripts = folder / "temporary" / "csig" / "bin"
    scripts.mkdir(parents=True, exist_ok=True)
    (scripts / "csig").write_text(
        f'#!/bin/sh\nprintf "%s\\n" "$@" > words.txt\necho "the summary"\nexit {status}\n'
    )
    (scripts / "csig").chmod(0o755)


@needs_shell
def test_lines_of_the_action() -> None:
    """Those of workflows are looked at by actionlint."""
    steps = parsed(".github/actions/csig/action.yml")["runs"]["steps"]
    assert len(steps) == 3
    checks = [["bash", "-n"], ["shellcheck", "-s", "bash", "-S", "warning", "-"]]
    for check in checks if shutil.which("shellcheck") else checks[:1]:
        for step in steps:
            done = subprocess.run(check, input=step["run"], capture_output=True, text=True)
            assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), step["name"]


@needs_shell
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"files": " \n"}, "files: expected at least one, one a line; found none"),
        ({"files": "a.csv\r\n-\r\n"}, "files: expected the path of a file, found '-'"),
        ({"json": ""}, "json: expected the path of a file, found ''"),
        ({"json": "-"}, "json: expected the path of a file, found '-'"),
        ({"json": "a\nb=c"}, "json: expected one line"),
        ({"requirement": "csig\n-r x"}, "requirement: expected one line"),
        *(
            ({"args": f"--metric\nf1\n{word}\r\n"}, f"args: the action .* takes no {word}")
            for word in ("--help", "--version", "--", "-fjson", "--output-format=csv", "--json")
        ),
        ({"args": "--metric\n$(touch pwned)\n-x\n"}, ""),
        ({"files": "gold file.tsv\na.tsv\n", "json": "out/$HOME.json"}, ""),
    ],
)
def test_inputs_of_the_action(given: dict[str, str], said: str, tmp_path: Path) -> None:
    """Before anything is installed, in one line."""
    done = action_step("inputs", tmp_path, **{"files": "a.csv"} | given)
    assert done.returncode == (2 if said else 0), done.stderr
    assert re.fullmatch(f"::error::{said}\n" if said else "", done.stdout)
    assert (done.stderr, list(tmp_path.iterdir())) == ("", [])


@needs_shell
def test_the_action(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The step's own lines, with names that a shell would run if it read them."""
    monkeypatch.chdir(tmp_path)
    lines = (GITHUB / "actions" / "csig" / "action.yml").read_text(encoding="utf-8")
    assert lines.count("\n") <= 120
    files = ["$(touch pwned).csv", "`touch pwned`;touch pwned.csv", "a b'\"*.csv", "-x.csv"]
    rows = "".join(f"q{i},{i % 7},{(i + i % 2) % 9}\n" for i in range(30))
    for name in files:
        Path(name).write_text(f"id,n w,b$HOME\n{rows}")
    args = "--strict\r\n--system\nn w\n--system\nb$HOME\n"
    for status in (0, 3):
        stand_in(tmp_path, status)
        done = action_step("csig compare", tmp_path, files="\n".join(files), args=args)
        assert done.returncode == status, done.stderr
        words = Path("words.txt").read_text().splitlines()
        assert words[:6] == ["compare", "--strict", "--system", "n w", "--system", "b$HOME"]
        assert words[6:] == ["--output-format", "markdown", "--json", "csig.json", "--", *files]
        assert Path("output.txt").read_text() == "json=csig.json\n"
        assert Path("summary.md").read_text() == "the summary\n"
        for name in ("output.txt", "summary.md"):
            Path(name).unlink()
    assert run(*words).startswith("## ")
    assert json.loads(Path("csig.json").read_text())["schema"] == "csig.compare.systems"
    Path(files[2]).unlink()
    run(*words, status=2)
    assert not [*Path().glob("*pwned")]


@needs_shell
def test_the_action_of_a_gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By hand: its verdict is an output, and INCONCLUSIVE passes where that is asked for."""
    monkeypatch.chdir(tmp_path)
    lines = (GITHUB / "actions" / "gate" / "action.yml").read_text(encoding="utf-8")
    assert lines.count("\n") <= 120
    for lost, margin, verdict, status in (
        (0, "9", "PASS", 0), (30, "9", "FAIL", 1), (4, "5", "INCONCLUSIVE", 3), (4, "x", "", 2)
    ):  # fmt: skip
        rows = "".join(f"q{i},1,{i >= lost:d}\n" for i in range(100))
        Path("a b.csv").write_text(f"id,base,new\n{rows}")
        given = {"files": "a b.csv\r\n", "margin": margin, "args": "--metric\naccuracy\n"}
        stand_in(tmp_path, status)
        done = action_step("csig gate", tmp_path, "gate", **given)
        assert done.returncode == status, done.stderr
        output, summary = Path("output.txt"), Path("summary.md")
        assert output.exists() == bool(verdict)
        assert summary.read_text() == "the summary\n"
        said = run(*Path("words.txt").read_text().splitlines(), status=status)
        if verdict:
            assert output.read_text() == f"verdict={verdict}\n"
            output.unlink()
            assert f"\n{verdict}: " in said
            assert json.loads(Path("gate.json").read_text())["verdict"] == verdict
        done = action_step("csig gate", tmp_path, "gate", **given, inconclusive="pass")
        assert done.returncode == (0 if verdict == "INCONCLUSIVE" else status)
        summary.unlink()
        output.unlink(missing_ok=True)
