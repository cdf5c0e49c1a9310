"""What the command line says, by two tables of commands.

Of every command refused.txt has what its one line of refusal contains, and said.txt what is
printed or written of it: words in their order, `! words` that are not there, `path = value` of what
it writes as JSON, and `as command` with the same results. ` =3> ` is the status 3, ` ; ` stands
between commands. The files of a section stand before its commands, written as golden.py says.
"""

import json
import os
import re
import shlex
from importlib.util import find_spec
from pathlib import Path

import pytest
from commands import record, refused, run
from golden import file_in, table
from places import EXAMPLES
from written import text_file

import csig

DRAWS = find_spec("matplotlib") is not None

PLACES = {
    "YEH": EXAMPLES / "yeh2000.toml",
    "CLAIMS": EXAMPLES / "yeh2000-claims.toml",
    "ONES": "1" * 5000,
    "BROKEN": "no\nsuch\x1b[2J",
}


def sections(name):
    """The lines of each section."""
    found = []
    for line in table(name):
        if line.startswith("# "):
            found.append(pytest.param([], id=line[2:]))
        else:
            found[-1].values[0].append(line)
    return found


def rows(lines):
    """Commands, their status, what is said, and the files that are there, which are written."""
    files = {}
    for line in lines:
        row = re.fullmatch(r"(.*?) =(\d?)> (.*)", line)
        if row:
            command, status, said = row.groups()
            if DRAWS or not re.search("--plot|--html|-f html", command):
                yield command, int(status or 0), said.split(" … "), files
            for name in os.listdir():
                if name not in {own.partition("/")[0] for own in files}:
                    os.remove(name)
        else:
            name, files[name] = file_in(line)
            text_file(files[name], name)


def arguments(command):
    return [PLACES.get(word, word) for word in shlex.split(command)]


def at(found, path):
    """What stands at a path of what is written as JSON; `*` is all of a list."""
    name, _, rest = path.partition(".")
    if name == "*":
        return [at(own, rest) for own in found]
    found = found[int(name) if isinstance(found, list) else name]
    return at(found, rest) if rest else found


def exactly(value):
    """Numbers but for the last digits."""
    return pytest.approx(value, rel=1e-12) if isinstance(value, float) else value


@pytest.mark.parametrize("lines", sections("refused.txt"))
def test_mistakes_are_refused_in_one_line_and_nothing_is_written(lines):
    for command, _, said, files in rows(lines):
        output = refused(*arguments(command)).replace("\n", "⏎")
        for part in said:
            assert part in output, command
        assert {*os.listdir()} == {name.partition("/")[0] for name in files}, command
        for name, text in files.items():
            assert Path(name).read_text("utf-8") == text, command


def results(found):
    """All results of a record."""
    several = [own["results"] for own in found.get("comparisons") or []]
    return found["results"], several, found.get("breakdown")


@pytest.mark.parametrize("lines", sections("said.txt"))
def test_answers_say(lines):
    for command, status, said, _ in rows(lines):
        *before, last = command.split(" ; ")
        for own in before:
            run(*arguments(own), status=None)
        facts = dict(re.findall(r"^([\w.*]+) = (.*)$", "\n".join(said), re.MULTILINE))
        same = [part[3:] for part in said if part.startswith("as ")]
        more = ("--json", "said.json") if facts or same else ()
        text, end = " ".join(run(*arguments(last), *more, status=status).split()), 0
        if more:
            found = json.loads(Path("said.json").read_text("utf-8"))
            assert {path: at(found, path) for path in facts} == {
                path: exactly(json.loads(value)) for path, value in facts.items()
            }, command
        for other in same:
            assert results(found) == results(record(*arguments(other))), command
        for part in said:
            if part.startswith("! "):
                assert part[2:] not in text, command
            elif not re.match(r"[\w.*]+ = |as ", part):
                assert part in text[end:], command
                end = text.index(part, end) + len(part)


def test_python_says_what_may_have_been_meant():
    text_file("id,a,b\n1,0.5,1\n2,1,0\n")
    c = csig.Comparison.from_scores([1, 0], [0, 1], cluster=["x", "y"], cluster_name="story")
    test, read = csig.randomization_test, csig.read
    sums = {"numerator": {"TP": 1}, "denominator": {"gold": 1}}
    for call, expected in (
        (lambda: test(c, "means"), "'mean'"),
        (lambda: test(c, "mean", method="Exact"), "'exact'"),
        (lambda: test(c, "mean", alternative="two_sided"), "'two-sided'"),
        (lambda: test(c, "mean", bit_generator="PCG64DSXM"), "'PCG64DXSM'"),
        (lambda: csig.intervals.bootstrap_interval(c, "mean", method="bcA"), "'bca'"),
        (lambda: read("t.csv", unit="clusters"), "'cluster'"),
        (lambda: read("t.csv", format="score"), "'scores'"),
        (lambda: read("t.csv").comparison("A", "b"), "'a'"),
        (lambda: c.at("stories"), "'story'"),
        (lambda: csig.Metric("m", ("tp", "gold"), **sums), "'tp'"),
    ):
        with pytest.raises(csig.InputError) as caught:
            call()
        assert f"(did you mean {expected}?)" in str(caught.value)
