"""Documents as LaTeX, read by a tokenizer of TeX's categories, and compiled where TeX is there."""

import re
import shutil
import subprocess
import unicodedata

import pytest
from drawn import examples
from hostile import NAMES, document_of, header_of, texts
from hypothesis import example, given
from hypothesis import strategies as st

from csig.base.wording import clean
from csig.report.document import Cell, Column, Document, Picture, Section, Table
from csig.report.rendering import Rendering, render
from csig.report.rendering.latex import escaped, number, table_latex

EVERYTHING = Rendering(explain=True, cite=True)

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


def printed(text):
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


def cells(text):
    """The rows between the rules, split where TeX splits them."""
    body = text[text.index(r"\toprule") + 8 : text.index(r"\bottomrule")]
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


def assert_inert(names):
    text = render(document_of(*names), "latex")
    heads, rows = cells(text)[: -len(names)], cells(text)[-len(names) :]
    head = " ".join(line[1] for line in heads)
    cleaned = [squeezed(clean(name)) for name in names]
    assert squeezed(printed(head.replace("$-$", "-"))) == squeezed(clean(header_of(names[0])))
    for name, (first, middle, last) in zip(cleaned, rows, strict=True):
        assert squeezed(printed(unfolded(first).replace("$-$", "-"))) == name
        assert middle == "$+1.5$"
        assert squeezed(printed(unfolded(last))) == name
    assert all(c.isprintable() for c in text.replace("\n", ""))


def test_hostile_names_are_text():
    assert_inert(NAMES)


@examples(300)
@given(st.lists(texts, min_size=1, max_size=4))
@example(["\t 1"])
def test_any_names_are_text(names):
    assert_inert(names)


@examples(300)
@given(texts)
def test_a_text_prints_itself_without_ligatures(name):
    tex = escaped(name)
    assert printed(tex) == clean(name)
    plain = re.sub(r"\\csigchar\{[^}]*\}\{[^}]*\}|\\[A-Za-z]+", "x", tex)
    assert not any(own in plain for own in LIGATURES)
    assert not re.search(r"(?<!\{)[\[*]", plain)


@pytest.mark.parametrize(("text", "written"), [
    ("91.33", "91.33"),
    ("1,204", "1,204"),
    ("+4.34", "$+4.34$"),
    ("-1,204.5", "$-1{,}204.5$"),
    ("1.2e-05", r"$1.2 \times 10^{-5}$"),
    ("10^-1234.5", "$10^{-1234.5}$"),
    ("<0.001", "$<0.001$"),
    ("+13.6%", r"$+13.6\%$"),
    ("13.6%", r"13.6\%"),
    ("+1.82 to +7.00", "$[+1.82, +7.00]$"),
    ("1.5% to 2.5%", r"$[1.5\%, 2.5\%]$"),
    ("-", "-"),
    ("none: too few", "none: too few"),
    ("-a_b", r"-a\_b"),
])  # fmt: skip
def test_numbers_are_mathematics_where_it_matters(text, written):
    assert number(text) == written


def test_letters_that_pdflatex_has_and_others():
    assert escaped("naïve Čapek Øst") == "naïve Čapek Øst"
    assert escaped("aяb") == r"a\csigchar{я}{U+044F}b"
    assert escaped("e\u0301") == "e\\csigchar{\u0301}{U+0301}"
    assert "csigchar" not in render(Document(title="t", verdict=["ü"]), "latex")


def test_the_whole():
    headers = ["new - base\npoints", "95% interval", "p"]
    cells = [Cell("+4.34", "number"), Cell("+1.82 to +7.00", "interval"), Cell("0.0062", "pvalue")]
    table = Table(
        name="Results of all",
        columns=[Column("", "left"), *map(Column, headers)],
        rows=[[Cell("b - a", "name", "strong"), *cells]],
    )
    document = Document(
        title="new against base",
        doubts=["Few units."],
        verdict=["new beats base."],
        tables=[table, table],
        notes=["Exact test."],
        explanation=["Why.", Section(name="s", title="More", blocks=["This."])],
        signature="csig|v:0.2.0",
    )
    text = render(document, "latex", Rendering(explain=True))
    first = r"""% In the preamble: \usepackage{booktabs}
% csig|v:0.2.0

new beats base.

\begin{table}
  \centering
  \caption{new against base}
  \label{tab:csig-results-of-all}
  \begin{tabular}{@{}lrrr@{}}
    \toprule
     & new $-$ base &  &  \\
     & points & 95\% interval & p \\
    \midrule
    b $-$ a & $+4.34$ & $[+1.82, +7.00]$ & 0.0062 \\
    \bottomrule
  \end{tabular}
  \par\medskip\begin{minipage}{\linewidth}\footnotesize
    \textbf{Caution:} Few units.\par
    Exact test.\par
  \end{minipage}
\end{table}
"""
    assert text.startswith(first)
    assert text.endswith("\nWhy.\n\n\\paragraph{More}\n\nThis.\n")
    assert table_latex(table, "new against base") in text


def test_without_a_table_doubts_come_first():
    """Tables of the explanation stand where they are."""
    picture = Picture(name="null", alt="bars", draw=str)
    document = Document(title="t", doubts=["d"], verdict=["v"], notes=["n"], explanation=[picture])
    text = render(document, "latex", EVERYTHING)
    assert text.split("\n\n")[1:] == [r"\textbf{Caution:} d", "v", "n\n"]
    table = Table(name="t", title="More", columns=[Column("p")], rows=[[Cell("1", "pvalue")]])
    text = render(Document(title="t", explanation=["Why.", table]), "latex", EVERYTHING)
    assert "Why.\n\nMore\n\n\\begin{center}\n" in text
    assert r"\begin{table}" not in text


def test_long_texts_are_folded_and_wide_tables_are_small():
    path = "/some/where/" + "far_away/" * 5
    rows = [[Cell("Input"), Cell(f"read from {path}")], [Cell("Gold"), Cell("[x]")]]
    read = Table(name="read", columns=[Column("", "left"), Column("", "left")], rows=rows)
    text = table_latex(read)
    assert r"\parbox[t]{0.6\linewidth}{\raggedright read from /\allowbreak{}some/" in text
    assert text.count("parbox") == 1
    assert r"Gold & {[}x] \\" in text
    assert r"\midrule" not in text  # there is no header
    sizes = {}
    for n in (3, 7, 9, 12):
        columns = [Column("9_numbers")] * n
        wide = Table(name="wide", columns=columns, rows=[[Cell("1", "number")] * n])
        sizes[n] = re.findall(r"\\(\w+)\\setlength", table_latex(wide))
    assert sizes == {3: [], 7: ["small"], 9: ["footnotesize"], 12: ["scriptsize"]}


def test_titles_are_folded_over_narrow_cells():
    columns = [Column("large model - base\npoints"), Column("95% interval\npoints")]
    cells = [Cell("+4.34", "number"), Cell("+1.82 to +7.00", "interval")]
    lines = table_latex(Table(name="t", columns=columns, rows=[cells])).splitlines()
    assert [line.strip() for line in lines[4:7]] == [
        r"large model &  \\",
        r"$-$ base & 95\% interval \\",
        r"points & points \\",
    ]


def test_references_are_comments():
    text = render(document_of("x"), "latex", EVERYTHING)
    assert text.endswith("\n% x\n% x\n")
    hostile = render(document_of("\\end{document}"), "latex", EVERYTHING)
    assert hostile.splitlines()[-2:] == ["% \\end{document}"] * 2


# ---- compiled ----------------------------------------------------------------------------

PAPER = r"""\documentclass{article}
%s
\usepackage{booktabs}
\begin{document}
%s
\end{document}
"""


def compiled(engine, folder, body, preamble=""):
    """The engine's log, if it went through; names too long for a line are no matter."""
    if shutil.which(engine) is None:
        pytest.skip(f"{engine} is not installed")
    (folder / "paper.tex").write_text(PAPER % (preamble, body), encoding="utf-8")
    command = [engine, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "paper"]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=300)
    log = done.stdout.decode("utf-8", "replace")
    assert done.returncode == 0, log[-3000:]
    assert (folder / "paper.pdf").exists()
    return log


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["pdflatex", "xelatex", "lualatex"])
@pytest.mark.parametrize("preamble", ["", r"\usepackage[T1]{fontenc}"])
def test_hostile_names_compile(engine, preamble, tmp_path):
    if preamble and engine != "pdflatex":
        pytest.skip("only pdflatex chooses the encoding of its fonts")
    pages = [render(document_of(name), "latex", EVERYTHING) for name in NAMES if len(name) < 1000]
    compiled(engine, tmp_path, "\n\\clearpage\n".join(pages), preamble)


@pytest.mark.slow
def test_every_letter_that_is_written_as_it_is_compiles(tmp_path):
    letters = [c for c in map(chr, range(128, 0x3000)) if unicodedata.category(c)[0] == "L"]
    known = [c for c in letters if escaped(c) == c]
    assert len(known) > 150
    compiled("pdflatex", tmp_path, "\n\n".join(known))
