"""Documents as text, Markdown, LaTeX, CSV and JSON, read back by parsers of each."""

import csv
import io
import json
import re
import shutil
import subprocess
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from drawn import examples
from hostile import NAMES, document_of, header_of, texts
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from printed import expected, printed, rewrite

import csig
from csig.base.wording import clean
from csig.report.document import Cell, Column, Document, Names, Picture, Section, Table, Text, table
from csig.report.rendering import FORMULA, Rendering, latex, markdown, render
from csig.report.rendering.text import columns_of, fold

PRINTED = Path(__file__).with_name("formats.txt")
EVERYTHING = Rendering(explain=True, cite=True)

lists = st.lists(texts, min_size=1, max_size=4)

# ---- a document in every format ------------------------------------------------------------------

HEADERS = ["", "base\n%", "new\n%", "new - base\npoints", "95% interval", "p", ""]
KINDS = ["name", "number", "number", "number", "interval", "pvalue", "verdict"]
TEXTS = [
    ["Recall", "86.99", "91.33", "+4.34", "+1.82 to +7.00", "0.0062", "* new better"],
    ["b - a", "93.40", "94.28", "+0.88", "-1.02 to +2.83", "0.39", "no evidence"],
]
RESULTS = Table(
    name="Results of all",
    columns=[Column(own, "right" if own else "left") for own in HEADERS],
    rows=[
        [Cell(text, kind, "better" if text[0] == "*" else "plain")
         for text, kind in zip(texts, KINDS, strict=True)]
        for texts in TEXTS
    ],
)  # fmt: skip


def no_picture() -> str:
    raise AssertionError("these formats have no pictures")


PICTURE = Picture(name="null", alt="bars", draw=no_picture)
DOCUMENT = Document(
    title="new against base",
    doubts=["Few units."],
    verdict=["new beats base on recall."],
    tables=[RESULTS, replace(RESULTS, title="Again", rows=RESULTS.rows[1:])],
    notes=["- Exact test."],
    explanation=[
        "1. Why.",
        Section(name="outer", title="Outer", blocks=[
            "one", PICTURE, Section(name="inner", title="Inner", blocks=["two"]), "three",
        ]),
        Section(name="only", title="Only pictures", blocks=[PICTURE]),
    ],
    signature="csig|v:0.2.0",
)  # fmt: skip

SHORT = Document(title="t", verdict=["yes"], explanation=DOCUMENT.explanation)
ONLY = replace(SHORT, explanation=[DOCUMENT.explanation[-1], PICTURE])
NAMED = Table(
    name="t",
    columns=[Column("System", "left"), Column("a-long-name - another", short="long - other")],
    rows=[[Cell("a-long-name", "name", short="long"), Cell("1", "number")]],
)
HEADED = Table(
    name="t",
    columns=[Column("S", "left"), Column("aaa bbb ccc", short="a-c")],
    rows=[[Cell("x"), Cell("1")]],
)


GPT = ["gpt-4o-2024-08-06", "gpt-4o-2024-11-20"]
LONG = [f"a-long-name-of-a-system-number-{i}-of-ten" for i in range(10)]


def of_names(names: list[str]) -> Table:
    """A table as that of two systems, or of others with a row each."""
    own = Names(names)
    if len(names) != 2:
        rows: list[list[Text]] = [[own.cell("{}", name, tone="strong"), "50.0"] for name in names]
        return table("t", "n#", ["System", "Accuracy"], rows, names=own)
    heads = [own.header("{}\n%", name) for name in names]
    difference = own.header("{} - {}", *names[::-1], short="{}\n- {}")
    row: list[Text] = ["Accuracy", "50.0", "52.5", "+2.5", own.better(names[1], names[1])]
    return table("t", "n###v", ["Metric", *heads, difference, ""], [row], names=own)


def rendered(document: Document | Table, format: str, width: int = 90, **options: bool) -> str:
    if isinstance(document, Table):
        document = Document(title="t", tables=[document])
    return render(document, format, Rendering(width=width, **options))


@pytest.mark.parametrize(("expression", "whole"), expected(PRINTED))
def test_the_whole(expression, whole):
    assert printed(expression, globals() | {"markdown": markdown}) == whole


# ---- text ----------------------------------------------------------------------------------------


def test_at_any_width_every_word_is_there_whole():
    whole = set(render(DOCUMENT, "text").split())
    for width in range(1, 140, 3):
        text = render(DOCUMENT, "text", Rendering(width=width))
        missing = whole - set(text.split())
        # As blocks, headers are followed by a colon.
        assert all(f"{word}:" in text for word in missing), (width, missing)
        widest = max(map(len, text.splitlines()))
        assert widest <= max(width, len("new - base points: +4.34")) or width < 30


@given(st.text(alphabet="ab 日é", max_size=60), st.integers(1, 30))
def test_folding_keeps_all_words_and_the_width(text, width):
    lines = fold(text, width)
    assert " ".join(lines).split() == text.split()
    assert all(columns_of(line) <= width or len(line.split()) < 2 for line in lines)
    wide = sum(2 if letter == "日" else 1 for letter in text)  # as a terminal shows them
    assert columns_of(text + "e\u0301") == wide + 1


@examples(300)
@given(lists, st.integers(20, 120))
@example(NAMES, 20)
@example(NAMES, 80)
@example(NAMES, 10_000)
def test_no_name_steers_a_terminal_or_loses_a_word(names, width):
    text = render(document_of(*names), "text", replace(EVERYTHING, width=width))
    assert all(c.isprintable() for c in text.replace("\n", ""))
    words = set(text.split())
    for name in names:
        missing = set(clean(name).split()) - words
        assert all(f"{word}:" in words for word in missing), (name, missing)  # heads of blocks


@examples(300)
@given(st.lists(texts, min_size=1, max_size=5, unique=True), st.integers(40, 130))
@example([f"{own}-{'very-' * 20}long" for own in "abcd"], 80)
@example(["#1", "##2", "# 3"], 40)
@example(["0\x1f\U00012544", "a | b \\| c \\\\| d"], 44)
def test_tables_of_any_names_have_the_width(names, width):
    text = rendered(of_names(names), "text", width)
    assert all(columns_of(line) <= width or len(line.split()) < 3 for line in text.splitlines())
    # A name in two lines is broken at blanks, and behind signs.
    parts = {part for own in names for part in re.findall(r"\w+\W?|\W", clean(own)) if part.strip()}
    assert all(part.strip() in text for part in parts) or "..." in text
    if len(names) > 2 and width >= 60:
        assert re.search("^System +Accuracy$", text, re.MULTILINE)


# ---- Markdown, by a parser of CommonMark with the tables of GitHub -------------------------------

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])

#: What csig itself writes within a line.
OWN = {"text", "strong_open", "strong_close", "html_inline"}


def inline(token):
    """The text of a line, in which nothing else may be than csig writes."""
    kinds = {own.type for own in token.children}
    assert kinds <= OWN, (token.content, kinds)
    assert {own.content for own in token.children if own.type == "html_inline"} <= {"<!-- -->"}
    return "".join(own.content for own in token.children if own.type == "text")


def shape(text):
    return [token.type for token in PARSER.parse(text)]


def assert_inert_in_markdown(names):
    text = render(document_of(*names), "markdown")
    tokens = PARSER.parse(text)
    cells: list[list[str]] = []
    for i, token in enumerate(tokens):
        if token.type == "tr_open":
            cells.append([])
        elif token.type in ("th_open", "td_open"):
            cells[-1].append(inline(tokens[i + 1]))
    cleaned = list(map(clean, names))
    assert cells == [
        ["System", clean(header_of(names[0])), ""], *([name, "+1.5", name] for name in cleaned),
    ]  # fmt: skip
    assert all(c.isprintable() for c in text.replace("\n", ""))
    begun = [i for i, own in enumerate(tokens) if (own.type, own.level) == ("paragraph_open", 0)]
    tops = [tokens[i + 1] for i in begun]
    said = [inline(top) for top in tops if top.children[0].type != "code_inline"]
    assert said == [name for name in [*cleaned, cleaned[0], *cleaned] if name]


HARMLESS = shape(render(document_of("x"), "markdown", EVERYTHING))


def assert_shape_of_a_harmless_page(name):
    text = render(document_of(name), "markdown", EVERYTHING)
    assert shape(text.replace("<!-- -->", "")) == HARMLESS
    tokens = PARSER.parse(text)
    if name.splitlines():
        (block,) = (token for token in tokens if token.type == "fence")
        assert block.content.splitlines() == list(map(clean, name.splitlines()))
    *_, paragraph = PARSER.parse(render(Document(title="", signature=name), "markdown"))[:2]
    (code,) = paragraph.children
    assert code.type == "code_inline"
    assert code.content.strip(" ") == clean(name).strip(" ")


def test_hostile_names_are_text_in_markdown():
    for names in (NAMES, *zip(NAMES, strict=True)):
        assert_inert_in_markdown(names)
    for name in filter(bool, NAMES):
        assert_shape_of_a_harmless_page(name)


@examples(300)
@given(lists)
def test_any_names_are_text_in_markdown(names):
    assert_inert_in_markdown(names)


@examples(300)
@given(texts.filter(bool))
def test_any_page_has_the_shape_of_a_harmless_one(name):
    assert_shape_of_a_harmless_page(name)


# ---- LaTeX, by a tokenizer of TeX's categories, and compiled where TeX is there ------------------

#: What a command within a text prints.
PRINTS = {
    "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textless": "<",
    "textgreater": ">", "textbar": "|",
}  # fmt: skip

#: Two of these without anything between them are another character.
LIGATURES = ("--", "''", "``", ",,", "?`", "!`", "<<", ">>", "'`")


def tokens(text):
    """TeX's tokens: commands, characters with a meaning, and letters; no comments, no ^^."""
    assert "^^" not in text
    found, i = [], 0
    while i < len(text):
        if text[i] == "%":
            i = text.index("\n", i) + 1
            continue
        match = re.compile(r"\\([A-Za-z]+) *|\\(.)", re.DOTALL).match(text, i)
        if match is None:
            special = text[i] in "{}$&#_^~"
            found.append(("special" if special else "letter", text[i]))
            i += 1
        else:
            found.append(("command", match[1] or match[2]))
            i = match.end()
    return found


def prints(text):
    """What a text prints, by pdflatex's rivals; nothing in it may do more than print."""
    shown, row = [], tokens(f"{text}\n")
    i = 0
    while i < len(row):
        kind, value = row[i]
        if kind == "letter":
            shown.append(value)
        elif kind == "special":
            assert value in "{}", text
        elif value in PRINTS:
            assert row[i + 1 : i + 3] == [("special", "{"), ("special", "}")]
            shown.append(PRINTS[value])
        elif value == "char":
            assert [own[1] for own in row[i + 1 : i + 5]] == ["3", "4", "{", "}"]
            shown.append('"')
            i += 2
        elif value == "csigchar":
            end = row.index(("special", "}"), i)
            numbers = [f"U+{ord(own[1]):04X}" for own in row[i + 2 : end]]
            shown += [own[1] for own in row[i + 2 : end]]
            i = row.index(("special", "}"), end + 1)
            assert "".join(own[1] for own in row[end + 2 : i]) == " ".join(numbers)
        else:
            assert value in "{}$&#_%", text
            shown.append(value)
        i += 1
    return "".join(shown).removesuffix("\n")


def latex_cells(text):
    """The rows of a table, of its parts together: the first column of all but one is left out."""
    table = text[: text.index(r"\end{table")]
    parts = [cells_between(own) for own in table.split(r"\toprule")[1:]]
    height = max(map(len, parts))
    filled = [[[""] * len(own[0])] * (height - len(own)) + own for own in parts]
    return [[*first, *(cell for own in more for cell in own[1:])]
            for first, *more in zip(*filled, strict=True)]  # fmt: skip


def cells_between(body):
    """The rows before the last rule, split where TeX splits them."""
    body = body[: body.index(r"\bottomrule")]
    body = body.replace(r"\midrule", "")
    rows, depth, cell = [[]], 0, ""
    pieces = re.findall(r"\\\\|\\.|.", body, re.DOTALL)
    for piece in pieces:
        if piece == "\\\\":
            rows[-1].append(cell.strip(" \n"))
            rows.append([])
            cell = ""
        elif piece == "&" and not depth:
            rows[-1].append(cell.strip(" \n"))
            cell = ""
        else:
            depth += {"{": 1, "}": -1}.get(piece, 0)
            cell += piece
    assert depth == 0
    assert rows.pop() == []
    return rows


def unfolded(cell):
    """A cell without the box in which it is folded, and without the places where it may be."""
    box = re.fullmatch(r"\\parbox\[t\]\{0\.\d+\\linewidth\}\{\\raggedright (.*)\\strut\}", cell)
    return cell if box is None else box[1].replace(r"\allowbreak{}", "")


def squeezed(text):
    """Spaces as TeX has them."""
    return re.sub(" +", " ", text).strip(" ")


@examples(300)
@given(lists)
@example(["\t 1"])
@example(NAMES)
def test_any_names_are_text_in_latex(names):
    text = render(document_of(*names), "latex")
    found = latex_cells(text)
    heads, rows = found[: -len(names)], found[-len(names) :]
    head = " ".join(line[1] for line in heads)
    cleaned = [squeezed(clean(name)) for name in names]
    whole = clean(header_of(names[0]))  # whose long words go on in the next line
    assert prints(head.replace("$-$", "-")).replace(" ", "") == whole.replace(" ", "")
    for name, (first, middle, last) in zip(cleaned, rows, strict=True):
        assert squeezed(prints(unfolded(first).replace("$-$", "-"))) == name
        assert middle == "$+1.5$"
        assert squeezed(prints(unfolded(last))) == name
    assert all(c.isprintable() for c in text.replace("\n", ""))


@examples(300)
@given(texts)
@example("naïve Čapek Øst")
@example("aяb")
@example("e\u0301")
def test_a_text_prints_itself_without_ligatures(name):
    tex = latex.escaped(name)
    assert prints(tex) == clean(name)
    plain = re.sub(r"\\csigchar\{[^}]*\}\{[^}]*\}|\\[A-Za-z]+", "x", tex)
    assert not any(own in plain for own in LIGATURES)
    assert not re.search(r"(?<!\{)[\[*]", plain)


def test_without_a_table_doubts_come_below_the_answer():
    """Tables of the explanation stand where they are."""
    document = Document(title="t", doubts=["d"], verdict=["ü"], notes=["n"], explanation=[PICTURE])
    text = render(document, "latex", EVERYTHING)
    assert text.split("\n\n")[1:] == ["ü", r"\textbf{Caution:} d", "n\n"]
    assert "csigchar" not in text
    table = Table(name="t", title="More", columns=[Column("p")], rows=[[Cell("1", "pvalue")]])
    text = render(Document(title="t", explanation=["Why.", table]), "latex", EVERYTHING)
    assert "Why.\n\nMore\n\n\\begin{center}\n" in text
    assert r"\begin{table}" not in text


def test_long_texts_and_titles_are_folded():
    path = "/some/where/" + "far_away/" * 5
    rows = [[Cell("Input"), Cell(f"read from {path}")], [Cell("Gold"), Cell("[x]")]]
    text = latex.table_latex(Table(name="read", columns=[Column("", "left")] * 2, rows=rows))
    assert r"\parbox[t]{0.78\linewidth}{\raggedright read from /\allowbreak{}some/" in text
    assert text.count("parbox") == 1
    assert r"Gold & {[}x] \\" in text
    assert r"\midrule" not in text  # there is no header
    columns = [Column("large model - base\npoints"), Column("95% interval\npoints")]
    cells = [Cell("+4.34", "number"), Cell("+1.82 to +7.00", "interval")]
    lines = latex.table_latex(Table(name="t", columns=columns, rows=[cells])).splitlines()
    assert [line.strip() for line in lines[4:7]] == [
        r"large model &  \\",
        r"$-$ base & 95\% interval \\",
        r"points & points \\",
    ]


PAPER = r"""\documentclass{article}
%s
\usepackage{booktabs}
\begin{document}
%s
\end{document}
"""


def compile_with(engine, folder, body, preamble=""):
    """Names too long for a line are no matter."""
    if shutil.which(engine) is None:
        pytest.skip(f"{engine} is not installed")
    (folder / "paper.tex").write_text(PAPER % (preamble, body), encoding="utf-8")
    command = [engine, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "paper"]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stdout.decode("utf-8", "replace")[-3000:]
    assert (folder / "paper.pdf").exists()


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "preamble"), [
    ("pdflatex", ""), ("pdflatex", r"\usepackage[T1]{fontenc}"), ("xelatex", ""), ("lualatex", ""),
])  # fmt: skip
def test_hostile_names_compile(engine, preamble, tmp_path):
    pages = [render(document_of(name), "latex", EVERYTHING) for name in NAMES if len(name) < 1000]
    compile_with(engine, tmp_path, "\n\\clearpage\n".join(pages), preamble)


@pytest.mark.slow
def test_every_letter_that_is_written_as_it_is_compiles(tmp_path):
    letters = [c for c in map(chr, range(128, 0x3000)) if unicodedata.category(c)[0] == "L"]
    known = [c for c in letters if latex.escaped(c) == c]
    assert len(known) > 150
    compile_with("pdflatex", tmp_path, "\n\n".join(known))


# ---- JSON and CSV --------------------------------------------------------------------------------


def of_json(document, **options):
    return json.loads(render(document, "json", Rendering(**options)))


def test_without_a_record_json_is_the_document():
    """How to cite it, and the explanation, where it is asked for; of a picture there are words."""
    record = {"schema": "csig.compare", "p": 0.5}
    assert of_json(Document(title="t", record=lambda: dict(record))) == record
    document = document_of("a", "b")
    own = of_json(document)
    assert own["verdict"] == ["a", "b"]
    assert own["tables"][0]["columns"] == ["System", "a", ""]
    assert not {"explanation", "citation"} & set(own)
    more = {"name": "more", "title": "a", "blocks": ["a", "b"]}
    assert of_json(document, explain=True)["explanation"] == ["a", "b", more]
    references = [{"text": "a", "bibtex": "a"}]
    assert of_json(document, cite=True)["citation"] == {"methods": "a", "references": references}
    own = of_json(Document(title="", explanation=[PICTURE]), explain=True)
    assert own["explanation"] == [{"name": "null", "alt": "bars"}]


NUMBERS = {"metric": "f1", "p": 0.1 + 0.2, "hits": 2**70, "low": -1e-300, "exact": True, "n": None}
FIRST = Table(
    name="t",
    columns=[Column("System\nname", "left"), Column("\nd")],
    rows=[[Cell("=x", "name"), Cell("-1.5", "number")]],
)


@pytest.mark.parametrize(("parts", "written"), [
    ({"rows": [NUMBERS]},
     f"metric,p,hits,low,exact,n\r\nf1,0.30000000000000004,{2**70},-1e-300,true,\r\n"),
    ({"tables": [FIRST, FIRST]}, "System name,d\r\n'=x,-1.5\r\n"),
    ({}, ""),
])  # fmt: skip
def test_csv_has_all_digits_of_the_rows_else_the_first_table(parts, written):
    assert render(Document(title="t", **parts), "csv") == written


def inert(name):
    return clean(f"'{name}") if name.startswith(FORMULA) else clean(name)


@examples(300)
@given(lists)
@example(NAMES)
def test_any_names_come_back_from_json_and_csv(names):
    found = of_json(document_of(*names))
    assert [row["system"] for row in found["rows"]] == list(names)
    assert [row[0] for row in found["tables"][0]["rows"]] == list(names)
    text = render(document_of(*names), "json")
    assert text.replace("\n", "").isprintable()
    assert text.encode()  # also of halves of characters
    document = replace(document_of(*names), rows=[{names[0]: name} for name in names])
    for own, header, more in (
        (document_of(*names), ["system", "difference", "p"], ["-1.5", ""]),
        (document, [inert(names[0])], []),
    ):
        text = render(own, "csv")
        assert text.replace("\r\n", "").isprintable()
        assert text.encode()
        first, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
        assert first == header
        assert rows == [[inert(name), *more] for name in names]
        assert not any(cell.startswith(FORMULA) for row in rows for cell in row[:1])


def test_no_interval_is_folded_where_a_legend_can_have_the_names():
    counts = {"gold": 103, "both_correct": 19, "only_a_correct": 28, "only_b_correct": 6}
    pair = csig.Comparison.from_counts(
        **counts, both_spurious=5, only_a_spurious=43, only_b_spurious=9,
        names=("logistic-regression", "nearest-centroid"),
    )  # fmt: skip
    found = csig.compare(pair)
    for width in range(76, 110):
        text = found.summary(width=width)
        assert "-23.25 to -1.28" in text or "+1.28 to +23.25" in text, text


if __name__ == "__main__":
    rewrite(PRINTED, globals() | {"markdown": markdown})
