"""docs/formats.md: its words are those of the code, and files are read by its rules."""

import re
from contextlib import chdir
from pathlib import Path

from commands import followed, printed, record, refused, run
from places import DOCS

from csig.readers import forms
from csig.readers.tables import names

PAGE = (DOCS / "formats.md").read_text(encoding="utf-8")
#: Files, and what they are read as by the rules of the page.
FILES = Path(__file__).with_name("formats.txt").read_text(encoding="utf-8")


def section(heading: str) -> str:
    """What the page says below a heading."""
    return PAGE[PAGE.index(f"\n## {heading}\n") :].split("\n## ")[1]


def table(text: str, header: str) -> list[list[str]]:
    """The rows of a table, by the first cell of its header."""
    lines = text[text.index(f"| {header} |") :].split("\n\n")[0].splitlines()
    cells = [re.split(r" ?(?<!\\)\| ?", line.strip())[1:-1] for line in lines[2:]]
    return [[cell.strip().replace("\\|", "|") for cell in row] for row in cells]


def words(header: str) -> dict[str, set[str]]:
    """The names in a table of them, by what they are."""
    found: dict[str, set[str]] = {}
    what = ""
    for own, cells in table(section("Columns"), header):
        what = own.split(",")[0] or what
        found.setdefault(what, set()).update(re.findall("`([^`]+)`", cells.split(";")[0]))
    return found


def test_the_names_of_the_page_are_those_of_the_code():
    assert words("role") == {
        "id": {*names.ID_NAMES} - {""},
        "clusters": {*names.CLUSTER_NAMES},
        "gold": {*names.GOLD_NAMES},
        "system": {*names.SYSTEM_NAMES},
        "score": {*names.SCORE_NAMES},
        "runs": {*names.RUN_NAMES},
        "counts": {*names.COUNTS},
    }
    found = words("what")
    assert found["properties"] == {*names.PROPERTY_NAMES}
    assert found["statistics"] == {*names.STATISTIC_NAMES}
    assert found["perhaps the gold"] == {*names.PERHAPS_GOLD}
    assert found["metrics"] == {*names.METRIC_NAMES}
    for mark, known in (("*", names.LAST_PARTS), ("°", names.FIRST_PARTS)):
        assert set(re.findall(rf"`([^`]+)`[*°]*{re.escape(mark)}", section("Columns"))) == {*known}
    lower, either, *_ = section("Direction").split("until")[0].split("`time`")
    assert {*re.findall("`([^`]+)`", lower)} == {*names.LOWER_WORDS}
    assert {"time", *re.findall("`([^`]+)`", either)} == {*names.EITHER_WORDS}
    own = section("All formats, and `csig.read`")
    assert tuple(re.findall(r"^\| `([a-z][a-z-]*)` \|", own, re.MULTILINE)) == forms.FORMATS


def test_the_refusal_at_the_top_is_what_is_printed():
    (block,) = re.findall(r"^`scores.csv`:\n\n((?:    .*\n)+)", PAGE, re.MULTILINE)
    Path("scores.csv").write_text(re.sub("^    ", "", block, flags=re.MULTILINE))
    (shown,) = re.findall(r"\n\n((?:    .*\n)+)", PAGE.split("`csig describe")[0])
    assert run("compare", "scores.csv", status=2) == re.sub("^    ", "", shown, flags=re.MULTILINE)


ROWS = table(FILES, "form or rule")


def made(example: str) -> list[str]:
    """The arguments of an example, its files written."""
    arguments, named = [], set()
    for span in re.findall("`([^`]+)`", example):
        if span.startswith("--"):
            option, _, value = span.partition(" ")
            arguments += [option, *([value] if value else [])]
            named.add(value)
            continue
        name, text = span.split(": ", 1)
        text = text.replace("⏎", "\n").replace("⇥", "\t") + "\n"
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")
        if name not in named:
            arguments.append(name.split("/")[0])
    return arguments


def test_what_files_are_read_as(tmp_path_factory):
    for _, example, expected in ROWS:
        with chdir(tmp_path_factory.mktemp("files")):
            try:
                read_as(example, expected)
            except AssertionError as error:
                error.add_note(example)
                raise


def read_as(example: str, expected: str) -> None:
    """Whether an example is refused, or read, as it should be."""
    arguments = made(example)
    what, *more = expected.split("; ")
    if what.startswith("refused: "):
        message = refused("compare", *arguments)
        for phrase in (what.removeprefix("refused: "), *more):
            assert phrase in message
        for command in printed(message):
            if "--delimiter" not in command:  # of two ways to cut a file one is nonsense
                followed(*command)
        return
    found = record("describe", *arguments)
    assert found["input"]["format"] == what
    for phrase in more:
        check(found, phrase, arguments)


def check(found: dict, phrase: str, arguments: list[str]):
    """One thing that the table says of what was read."""
    word, _, said = phrase.partition(" ")
    if word == "systems":
        assert [row["system"] for row in found["systems"]] == said.split(", ")
    elif word == "metrics":
        assert list(found["systems"][0]["scores"]) == said.split(", ")
    elif word in ("id", "cluster"):
        assert (found["input"]["table"][word] or "none") == said
    elif word == "caution":
        assert any(said in line for line in found["suspicious"])
    else:
        assert said == "is better"
        (result, *_) = record("compare", *arguments)["results"]
        assert result["greater_is_better"] is (word == "higher")
