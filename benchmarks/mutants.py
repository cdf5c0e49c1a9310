"""``python -m benchmarks.mutants``: small wrong changes of csig, and whether its tests notice them.

``make MUTANTS N SEED [ROOM ...]`` chooses N changes for each room of csig/: another comparison,
sign, number, order of two branches. Those in results/mutants.json stay, as long as their lines do.
``cover LINES [TEST ...]`` runs the tests once (all, or these files) and notes which run which line,
and how long each takes.
``run MUTANTS LINES RESULT [LIMIT]`` makes every change in turn, in a copy of the checkout, and runs
the tests of its line until one fails, the quickest first, for at most LIMIT seconds (60) each; what
RESULT has already is not run again. ``show RESULT [OTHER]`` prints a table by room, and what OTHER
kills and RESULT does not.
"""

from __future__ import annotations

import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]

OPERATORS = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.And: "and", ast.Or: "or", ast.In: "in", ast.NotIn: "not in", ast.Is: "is",
    ast.IsNot: "is not",
}  # fmt: skip

#: What an operator becomes.
OTHER = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+",
    "*": "/", "/": "*", "//": "*", "%": "*", "and": "or", "or": "and", "in": "not in",
    "not in": "in", "is": "is not", "is not": "is",
}  # fmt: skip

#: Keywords whose value changes nothing but time or form.
HARMLESS = {"maxsize", "strict", "stacklevel", "kind", "cache", "frozen", "eq", "repr", "slots"}


def skipped(tree: ast.Module) -> set[int]:
    """Nodes that say nothing of what is computed: annotations, imports, messages of errors."""
    roots: list[ast.AST | None] = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom, ast.Raise, ast.JoinedStr, ast.Assert)):
            roots.append(node)
        elif isinstance(node, ast.AnnAssign):
            roots.append(node.annotation)
        elif isinstance(node, ast.FunctionDef):
            every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            roots += [node.returns, *(a.annotation for a in every), *node.decorator_list]
        elif isinstance(node, ast.ClassDef):
            roots += node.decorator_list
        elif isinstance(node, ast.keyword):
            roots.append(node if node.arg in HARMLESS else None)
        elif isinstance(node, ast.If):
            roots.append(node if "TYPE_CHECKING" in ast.unparse(node.test) else None)
    return {id(inside) for root in roots if root is not None for inside in ast.walk(root)}


def changes(node: ast.AST) -> Iterator[str]:
    """How else an expression could read."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        other = OTHER[OPERATORS[type(node.ops[0])]]
        yield f"{ast.unparse(node.left)} {other} {ast.unparse(node.comparators[0])}"
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        other = OTHER[OPERATORS[type(node.op)]]
        yield f"({ast.unparse(node.left)}) {other} ({ast.unparse(node.right)})"
    elif isinstance(node, ast.BoolOp):
        yield f" {OTHER[OPERATORS[type(node.op)]]} ".join(
            f"({ast.unparse(v)})" for v in node.values
        )
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield repr(node.value + 1 if isinstance(node.value, int) else node.value * 1.5 + 0.1)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield repr(not node.value)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.Not)):
        yield f"({ast.unparse(node.operand)})"
    elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("min", "max", "any", "all"):
        names = {"min": "max", "max": "min", "any": "all", "all": "any"}
        call = ast.unparse(node)
        yield names[call[:3]] + call[3:]
    elif isinstance(node, ast.IfExp):
        body, test, other = map(ast.unparse, (node.body, node.test, node.orelse))
        yield f"({other} if {test} else {body})"
    elif isinstance(node, ast.If) and not isinstance(node.test, ast.Compare):
        yield ""  # its test, turned round


class Change(NamedTuple):
    """A line of a module, the how manyth of its kind it is (from 0), and what it becomes."""

    file: str
    old: str
    nth: int
    new: str


def mutants(path: Path) -> list[Change]:
    """All changes of a module that stay within one line."""
    lines, tree = path.read_text("utf-8").splitlines(), ast.parse(path.read_text("utf-8"))
    skip = skipped(tree)
    found = []
    for node in ast.walk(tree):
        for new in changes(node) if id(node) not in skip else ():
            place: Any = node.test if isinstance(node, ast.If) else node
            if place.lineno == place.end_lineno:
                new = new or f"not ({ast.unparse(place)})"
                old = lines[place.lineno - 1]
                head, tail = old.encode()[: place.col_offset], old.encode()[place.end_col_offset :]
                file = path.relative_to(ROOT).as_posix()
                nth = lines[: place.lineno].count(old) - 1
                found.append(Change(file, old, nth, f"{head.decode()}{new}{tail.decode()}"))
    return found


def changed(root: Path, change: Change) -> str | None:
    """The text of the module with the change; None where its line is gone."""
    file = root / change.file
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    line = place(lines, change)
    if line is None:
        return None
    lines[line - 1] = change.new
    return "\n".join(lines) + "\n"


def place(lines: Sequence[str], change: Change) -> int | None:
    """The number of the change's line, from 1."""
    same = [number for number, line in enumerate(lines, 1) if line == change.old]
    return same[change.nth] if change.nth < len(same) else None


def make(out: Path, n: int, seed: int, rooms: Sequence[str]) -> None:
    """N changes of each room, spread over its modules by their length."""
    chosen = []
    for folder in sorted(f for f in (ROOT / "csig").iterdir() if (f / "__init__.py").exists()):
        every = [c for path in sorted(folder.rglob("*.py")) for c in mutants(path)]
        random.Random(f"{seed} {folder.name}").shuffle(every)
        kept: list[Change] = []
        for change in every if not rooms or folder.name in rooms else ():
            before = (ROOT / change.file).read_text("utf-8")
            try:
                different = ast.dump(ast.parse(changed(ROOT, change) or "")) != ast.dump(
                    ast.parse(before)
                )
            except SyntaxError:  # within a string that has fields
                continue
            if different:
                kept.append(change)
            if len(kept) == n:
                break
        chosen += kept
    out.write_text(json.dumps([c._asdict() for c in chosen], indent=0) + "\n", "utf-8")
    print(len(chosen), "mutants")


#: Notes which tests run which lines of csig, and how long they take.
PLUGIN = """
import json, os, coverage, pytest
class Lines:  # in every worker
    def __init__(self):
        self.cover = coverage.Coverage(
            source=["csig"], data_file=os.environ["COVERED"], data_suffix=True, config_file=False)
        self.cover.set_option("run:disable_warnings", ["module-not-measured", "no-data-collected",
            "already-imported", "module-not-imported"])
        self.cover.start()
    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        self.cover.switch_context(item.nodeid)
        return (yield)
    def pytest_sessionfinish(self):
        self.cover.stop()
        self.cover.save()
class Seconds:  # where their reports arrive
    def __init__(self):
        self.of = {}
    def pytest_runtest_logreport(self, report):
        self.of[report.nodeid] = self.of.get(report.nodeid, 0) + report.duration
    def pytest_sessionfinish(self):
        with open(os.environ["COVERED"] + ".seconds", "w") as file:
            json.dump(self.of, file)
def pytest_configure(config):
    config.pluginmanager.register(Lines() if hasattr(config, "workerinput") else Seconds())
"""


def pytest(
    tree: Path, *arguments: str, timeout: float | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run tests of a checkout."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=no", *arguments],
        cwd=tree,
        env={
            **os.environ,
            "PYTHONPATH": str(tree),
            "PYTHONDONTWRITEBYTECODE": "1",
            "CI": "1",  # the same examples every time
            **variables,
        },
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def cover(out: Path, tests: Sequence[str]) -> None:
    """Run tests, and write {file: {line: [tests]}} and the seconds of every test."""
    import coverage

    with tempfile.TemporaryDirectory() as scratch:
        (Path(scratch) / "noted.py").write_text(PLUGIN)
        lines = f"{scratch}/lines"
        path = f"{ROOT}{os.pathsep}{scratch}"
        ran = pytest(ROOT, "-p", "noted", "-n", "2", *tests, COVERED=lines, PYTHONPATH=path)
        print(ran.stdout[-300:], ran.stderr[-300:])
        data = coverage.CoverageData(lines + ".all")
        for part in Path(scratch).glob("lines.*"):
            if part.suffix != ".seconds":
                one = coverage.CoverageData(str(part))
                one.read()
                data.update(one)
        seconds = json.loads(Path(lines + ".seconds").read_text())
        names = sorted(seconds)
        number = {name: i for i, name in enumerate(names)}
        by_line: dict[str, dict[str, list[int]]] = {}
        for file in sorted(data.measured_files()):
            name = Path(file).relative_to(ROOT).as_posix()
            by_line[name] = {
                str(line): sorted(number[c] for c in contexts if c in number)
                for line, contexts in data.contexts_by_lineno(file).items()
            }
    out.write_text(json.dumps({"tests": names, "seconds": seconds, "lines": by_line}), "utf-8")


def run(listed: Path, covered: Path, out: Path, limit: float) -> None:
    """Make them, one after the other."""
    known = json.loads(covered.read_text("utf-8"))
    results = json.loads(out.read_text("utf-8")) if out.exists() else []
    done = {Change(**result["mutant"]) for result in results}
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch) / "tree"
        ignored = shutil.ignore_patterns(".git", "build", "__pycache__")
        shutil.copytree(ROOT, tree, ignore=ignored)
        for change in (Change(**mutant) for mutant in json.loads(listed.read_text("utf-8"))):
            if change not in done:
                killed = attempt(tree, change, known, limit)
                results.append({"mutant": change._asdict(), "killed": killed})
                out.write_text(json.dumps(results, indent=0) + "\n", "utf-8")
                print(len(results), killed, change.file, change.new.strip(), flush=True)


def attempt(tree: Path, change: Change, known: dict[str, Any], limit: float) -> str | None:
    """The first test that fails; None where none does."""
    text = changed(tree, change)
    if text is None:
        return "gone"
    file = tree / change.file
    before = file.read_text("utf-8")
    line = place(before.splitlines(), change)
    assert line is not None
    lines = known["lines"].get(change.file, {})
    tests = lines.get(str(line), [])
    if not tests:  # run at import, or within a statement of several lines
        near = [n for n in map(int, lines) if n <= line and lines[str(n)]]
        tests = lines[str(max(near))] if near else sorted({t for ts in lines.values() for t in ts})
    seconds = known["seconds"]
    names = sorted((known["tests"][test] for test in tests), key=seconds.__getitem__)
    chosen, total = [], 0.0
    for name in names:
        total += seconds[name]
        if total > limit or len(chosen) == 1500:
            break
        chosen.append(name)
    if not chosen:
        return None
    file.write_text(text, "utf-8")
    (tree / "chosen.txt").write_text("\n".join(chosen) + "\n", "utf-8")
    try:
        ran = pytest(tree, "-x", "-rfE", "@chosen.txt", timeout=60 + 5 * limit)
    except subprocess.TimeoutExpired:
        return "too long"
    finally:
        file.write_text(before, "utf-8")
    failed = [row.split()[1] for row in ran.stdout.splitlines() if row[:6] in ("FAILED", "ERROR ")]
    if failed:
        return failed[0]
    return None if ran.returncode == 0 else f"exit {ran.returncode}"


def show(result: Path, other: Path | None) -> None:
    """A table by room; what the other kills alone."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    fate = {}
    for row in json.loads(result.read_text("utf-8")):
        key = json.dumps(row["mutant"])
        fate[key] = row["killed"]
        state = "killed" if row["killed"] else "survived"
        if row["killed"] == "gone" or str(row["killed"]).startswith("exit"):
            state = "gone"  # the line, or a test of it
        counts[row["mutant"]["file"].split("/")[1]][state] += 1
    for room, count in sorted(counts.items()):
        print(f"{room:12}", *(f"{count[s]:4} {s}" for s in ("killed", "survived", "gone")))
    total: Counter[str] = sum(counts.values(), Counter())
    print(f"{'all':12}", *(f"{total[s]:4} {s}" for s in ("killed", "survived", "gone")))
    for row in json.loads(other.read_text("utf-8")) if other else []:
        key = json.dumps(row["mutant"])
        if row["killed"] and row["killed"] != "gone" and key in fate and fate[key] is None:
            print("survives now:", row["mutant"]["file"], row["mutant"]["new"].strip())


def main(arguments: Sequence[str]) -> None:
    match arguments:
        case ["make", out, n, seed, *rooms]:
            make(Path(out), int(n), int(seed), rooms)
        case ["cover", out, *tests]:
            cover(Path(out), tests)
        case ["run", listed, covered, out, *limit]:
            run(Path(listed), Path(covered), Path(out), float(limit[0]) if limit else 60.0)
        case ["show", result, *other]:
            show(Path(result), Path(other[0]) if other else None)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
