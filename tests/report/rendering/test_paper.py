"""LaTeX in a paper of two columns: no table is wider than its column, or than the page."""

import copy
import pickle
import re
import shutil
import string
import subprocess
import unicodedata
from functools import cache
from itertools import cycle
from typing import Any

import numpy as np
import pytest
from commands import run
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st
from places import EXAMPLES
from written import refusal

import csig
from csig.base.wording import Doubt, Line, joined
from csig.report.document import Cell, Column, Document, Table
from csig.report.rendering import latex, render

DIGITS = [EXAMPLES / "digits" / f"{own}.tsv" for own in ("gold", "nearest-centroid",
                                                         "logistic-regression")]  # fmt: skip
TRAINED = EXAMPLES / "training" / "bootstrap.csv"
DATASETS = EXAMPLES / "datasets" / "accuracy.csv"

#: Nearly every kind of table that there is.
COMMANDS = {
    "compare": ("compare", *DIGITS, "--explain", "--cite"),
    "all tests": ("compare", *DIGITS, "--all-tests", "--explain"),
    "many": ("compare", DATASETS, "--explain"),
    "interval": ("interval", *DIGITS),
    "describe": ("describe", *DIGITS),
    "systems": ("systems", DATASETS, "--letters", "--explain"),
    "datasets": ("datasets", DATASETS, "--all-tests", "--explain"),
    "recommend": ("recommend", *DIGITS, "--all-tests", "--explain"),
    "train": ("train", TRAINED, "--method", "bootstrap"),
    "audit": ("audit", *DIGITS, "--verbose"),
}


@cache
def written(name: str) -> str:
    return run(*COMMANDS[name], "-f", "latex")


# ---- by the widths of the letters ----------------------------------------------------------------

#: Points of the letters of a size in a class of 11 points, and of those in one of 10.
SIZES = {"": (10.95, 10), "small": (10, 9), "footnotesize": (9, 8), "scriptsize": (8, 7)}

#: Points of a column and of a page: ACL's, and those of an article of 10 points on paper of A4.
PLACES = {"table": (219, 221), "table*": (455, 452), "center": (219, 221)}

#: Signs of mathematics, in letter sizes.
SIGNS = {"+": 0.778, "-": 0.778, "<": 1.06, ">": 1.06, ",": 0.278 + 0.167}


@cache
def width_of(letter: str, font: str = "cmr10") -> float:
    """The width of a letter, in letter sizes."""
    pytest.importorskip("matplotlib")
    from matplotlib import ft2font, get_data_path

    flags = getattr(ft2font, "LoadFlags", ft2font)
    scale = getattr(flags, "NO_SCALE", None) or flags.LOAD_NO_SCALE
    letter = unicodedata.normalize("NFD", letter)[0]  # accents add nothing
    face = ft2font.FT2Font(f"{get_data_path()}/fonts/ttf/{font}.ttf")
    return face.load_char(ord(letter), flags=scale).horiAdvance / face.units_per_EM


def measured(cell: str, line: float, size: float) -> float:
    """How wide a cell of LaTeX is, in points."""
    folded = re.match(r"\\parbox\[t\]\{([\d.]+)\\linewidth\}", cell)
    if folded is not None:
        return float(folded[1]) * line
    total = 0.0
    for part in re.split(r"(\$[^$]*(?<!\\)\$)", re.sub(r"\\([%_&#$])", r"\1", cell)):
        if part.startswith("$") and part.endswith("$") and len(part) > 1:
            total += 0.44 * part.count(r"\times")  # spaces around it
            part = part.replace(r"\times", "+").replace("{,}", "q")  # a comma without a space
            small = sum(map(len, re.findall(r"\^\{([^}]*)\}", part)))
            letters = re.sub(r"[\\$^{} ]", "", part)
            total += sum(SIGNS.get(c, width_of(c)) for c in letters) - 0.2 * small
        else:
            text = re.sub(r"\\text\w+\{\}", "<", part)
            total += sum(map(width_of, re.sub(r"\\[a-z]+|[{}]", "", text)))
    return total * size


def too_wide(text: str, which: int = 0) -> list[tuple[float, str]]:
    """The tables that are wider than their place, by how many points."""
    found = []
    for kind, body in re.findall(r"\\begin\{(table\*?|center)\}(.*?)\\end\{\1\}", text, re.DOTALL):
        line = PLACES[kind][which]
        for table in re.split(r"\\par\\medskip\n", body):
            if r"\toprule" not in table:
                continue
            size = re.search(r"\\(\w+)\\setlength\{\\tabcolsep\}\{(\d)pt\}", table)
            points = SIZES[size[1] if size else ""][which]
            gap = int(size[2]) if size else 6
            inner = table[table.index(r"\toprule") + 8 : table.index(r"\bottomrule")]
            rows = [
                own.split(" & ") for own in inner.replace(r"\midrule", "").split(" \\\\\n")[:-1]
            ]
            columns = zip(*rows, strict=True)
            width = sum(max(measured(c.strip(), line, points) for c in own) for own in columns)
            over = width + 2 * gap * (len(rows[0]) - 1) - line
            found += [(over, table)] if over > 0 else []
    return found


@pytest.mark.parametrize("letter", string.ascii_letters + string.digits + " .,:;!?()[]/*%&#=+@-")
def test_letters_are_taken_for_no_narrower_than_they_are(letter):
    widest = max(width_of(letter), width_of(letter, "STIXGeneral"))  # of Times's widths
    assert widest - 0.002 < latex.width_of(letter) < widest + 0.14


@pytest.mark.parametrize("name", COMMANDS)
def test_every_table_has_room_in_its_place(name):
    text = written(name)
    assert r"\toprule" in text
    assert [too_wide(text, which) for which in (0, 1)] == [[], []]


WORDS = st.text("abimwWM-_%5", min_size=1, max_size=14)
NUMBERS = st.sampled_from(["+4.34", "0.0062", "-1.02 to +2.83", "1.2e-05", "1,204", "<0.001", ""])


@examples(200)
@given(st.integers(1, 24), st.integers(1, 3), st.data())
def test_any_table_of_words_has_room_in_its_place(n_columns, n_rows, data):
    """In parts, if need be, each with the first column, and every other once."""
    sentence = st.lists(WORDS, max_size=5).map(" ".join)
    kinds = [data.draw(st.sampled_from(["name", "text", "number"])) for _ in range(n_columns)]
    columns = [Column(f"{data.draw(WORDS)} c{i}", "left") for i in range(n_columns)]
    rows = [
        [Cell(data.draw(NUMBERS if kind == "number" else sentence), kind) for kind in kinds]
        for _ in range(n_rows)
    ]
    text = latex.table_latex(Table(name="t", columns=columns, rows=rows), "Caption")
    assert [own for which in (0, 1) for own in too_wide(text, which)] == []
    shown = re.findall(r"c(\d+)(?= [&\\])", text)
    assert set(shown) >= {str(i) for i in range(n_columns)}
    parts = text.count(r"\toprule")
    assert len(shown) == n_columns + parts - 1
    assert parts == 1 or r"\begin{table*}" in text


def test_short_tables_have_a_column_and_wide_ones_the_page_in_parts():
    def table(n: int, text: str = "0.123") -> str:
        rows = [[Cell("new", "name"), *[Cell(text, "number")] * n]] * 2
        columns = [Column("System", "left"), *(Column(f"c{i}") for i in range(n))]
        return latex.table_latex(Table(name="t", columns=columns, rows=rows))

    def place(text: str) -> tuple[str, list[str], int]:
        kind = re.match(r"\\begin\{(\S+)\}", text)
        sizes = re.findall(r"\\(\w+)\\setlength", text)
        return kind[1] if kind else "", sizes, text.count(r"\toprule")

    assert place(table(3)) == ("table", [], 1)
    assert place(table(6)) == ("table", ["small"], 1)
    assert place(table(7)) == ("table*", [], 1)
    assert place(table(12)) == ("table*", ["small"], 1)
    assert place(table(30)) == ("table*", ["scriptsize"] * 2, 2)


# ---- captions, labels and what is no word for a paper --------------------------------------------


def test_captions_and_labels_are_the_users():
    shown = run(*COMMANDS["systems"], "-f", "latex", "--caption", "50% of {x}", "--label", "tab:us")
    assert shown.count("\\caption{50\\% of \\{x\\}}\n  \\label{tab:us}\n") == 1
    assert r"\label{tab:us-pairs}" in shown
    result = csig.randomization_test(range(9), range(1, 10))
    assert r"\label{tab:csig-results}" in result.summary("latex")
    named = result.summary("latex", caption="Ours", label="tab:a/b_1")
    assert "\\caption{Ours}\n  \\label{tab:a/b_1}\n" in named
    trained = csig.training.TrainingDistribution.from_table(str(TRAINED), method="bootstrap")
    expected = run(*COMMANDS["train"], "-f", "latex", "--caption", "Ours")
    assert trained.table("latex", caption="Ours") == expected
    assert r"\caption{Ours}" in expected


@pytest.mark.parametrize(("options", "message"), [
    (("text", {"caption": "x"}), "caption= goes with format='latex'; found text"),
    (("html", {"label": "x"}), "label= goes with format='latex'; found html"),
    (("latex", {"caption": " "}), "caption= takes a text, found ' '"),
    (("latex", {"label": "a}b"}), "label= takes letters, digits and : . _ / + - only"),
])  # fmt: skip
def test_captions_of_other_formats_and_labels_that_break_are_refused(options, message):
    result = csig.randomization_test([1, 2, 3], [2, 4, 5])
    format, given_ = options
    assert message in refusal(result.summary, format, **given_)
    words = [word for name, value in given_.items() for word in (f"--{name}", value)]
    said = run("describe", DATASETS, "-f", format, *words, status=2)
    name, _, rest = message.replace("format='latex'", "--output-format latex").partition("= ")
    assert f"--{name}" in said
    assert rest in said


def test_notes_say_nothing_that_is_typed():
    notes = [
        Line("Not tested; csig systems x.csv tests all.", "Not tested."), Line("Give --n 3."),
        "At n.", joined(["By n,", Line("or --n."), "as --n says."]), "By the csig developers.",
    ]  # fmt: skip
    table = Table(name="t", columns=[Column("a")], rows=[])
    verdict = ["csig best is the best.", Line("In Python: csig.compare(c)")]
    doubts = [Doubt(notes[0]), copy.deepcopy(Doubt(notes[1])), pickle.loads(pickle.dumps(notes[0]))]
    document = Document(title="t", tables=[table], verdict=verdict, doubts=doubts, notes=notes)
    text = render(document, "latex")
    assert "csig best is the best." in text
    assert "Python" not in text
    said = [line.strip() for line in text.splitlines() if line.endswith(r"\par")]
    assert said == [
        r"\textbf{Caution:} Not tested.\par", r"\textbf{Caution:} Not tested.\par",
        r"Not tested.\par", r"At n.\par", r"By n, as -{}-n says.\par",
        r"By the csig developers.\par",
    ]  # fmt: skip
    for line in (*notes, *verdict):
        assert line in render(document, "text")
    for name in COMMANDS:
        for notes_of in re.findall(r"\\begin\{minipage\}.*?\\end\{minipage\}", written(name), re.S):
            assert not re.search(r"-\{\}-[a-z]|csig [a-z]", notes_of)
        assert not re.search(r"^(In Python|Command): ", written(name), re.MULTILINE)


@pytest.mark.filterwarnings("ignore::csig.DataWarning")
def test_no_two_captions_are_the_same():
    for name in COMMANDS:
        captions = re.findall(r"\\caption\{.*\}", written(name))
        assert len(captions) == len(set(captions)), name
    scores = {"a": [1, 2, 3.0], "b": [2, 2, 1], "c": [0, 1, 1]}
    found = csig.compare_systems(scores)
    captions = [r"\caption{Mean of 3 systems}", r"\caption{Mean of 3 systems: pairs}"]
    assert re.findall(r"\\caption\{.*\}", found.summary("latex")) == captions
    ours = re.findall(r"\\caption\{(.*)\}", found.summary("latex", caption="Ours"))
    assert ours == ["Ours", "Ours: pairs"]


# ---- by LaTeX, where it is there -----------------------------------------------------------------

PAPER = r"""\documentclass%s
\usepackage{booktabs}
\begin{document}
\sloppy
%s
\end{document}
"""


#: Names of some 60 letters: one word, the widest letters, words joined, and what pdflatex has no
#: signs for, which it prints as numbers.
LONG = ("abcdefghijkl" * 5 + "{}", "W" * 60 + "{}", "a_name_" * 8 + "{}", "数据" * 6 + "{}")


@cache
def of_long_names() -> list[str]:
    rng = np.random.default_rng(1)
    found: list[Any] = []
    for form, n in zip(cycle(LONG), (2, 3, 6, 20, 3, 6, 20, 6), strict=False):
        scores = {form.format("abcdefghijklmnopqrst"[i]): rng.random(9).round(3) for i in range(n)}
        found += [csig.compare(scores)]
        found += [csig.compare_systems(scores)] if n > 2 else [csig.recommend(scores)]
        found += [csig.compare_datasets(scores)] if 2 < n < 20 else []
    return [own.summary("latex", explain=True) for own in found]


@pytest.mark.parametrize("paper", [
    "[twocolumn]{article}", "[twocolumn,11pt,a4paper]{article}",
    pytest.param("[twocolumn,a4paper]{article}", marks=pytest.mark.slow),
])  # fmt: skip
def test_nothing_is_overfull(paper, tmp_path):
    engine = shutil.which("pdflatex") or shutil.which("tectonic")
    if engine is None:
        pytest.skip("neither pdflatex nor tectonic is installed")
    many = Table(
        name="many",
        columns=[Column("System", "left"), *(Column(f"task {i}") for i in range(30))],
        rows=[[Cell("a-long-name", "name"), *[Cell("1.2e-05", "number")] * 30]] * 3,
    )
    body = [*map(written, COMMANDS), latex.table_latex(many, "Many"), *of_long_names()]
    text = PAPER % (paper, "\n\\clearpage\n".join(body))
    (tmp_path / "paper.tex").write_text(text, encoding="utf-8")
    options = ["-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape"]
    if "tectonic" in engine:
        options = ["--keep-logs", "--untrusted"]
    command = [engine, *options, "paper.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stdout.decode("utf-8", "replace")[-3000:]
    log = (tmp_path / "paper.log").read_text(encoding="utf-8", errors="replace")
    assert re.findall(r"^Overfull \\hbox.*\n.*", log, re.MULTILINE) == []


@pytest.mark.filterwarnings("ignore::csig.DataWarning")
@pytest.mark.parametrize("systems", ["ab", "abc"])
def test_what_is_to_be_typed_stays_out_of_papers(systems):
    labels = {"a": "xxxxx", "b": "xxxyx", "c": "xxyxx"}
    found = csig.compare(
        {name: list(labels[name]) for name in systems}, gold=list("xxxxy"), metric=["mcc", "kappa"]
    )
    said = " ".join(found.summary().split())
    assert said.count("; interval='percentile' resamples the units.") == 2
    in_paper = found.summary("latex")
    assert in_paper.count("or not without one of them.") == 2
    assert "percentile" not in in_paper.replace(r"\allowbreak{}", "")
