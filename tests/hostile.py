"""Names that would steer a terminal, a page, a paper or a spreadsheet, if anything let them."""

from hypothesis import strategies as st

from csig.report.document import Cell, Citation, Column, Document, Reference, Section, Table

#: One of every kind.
NAMES = (
    "\x1b[2J\x1b[31mred\x1b]0;title\x07", "\x9b31m", "[bold red]markup[/bold red]",
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>',
    "</script></style></title></td></table>", "&lt;b&gt; &amp; &#x3c;", "a | b \\| c \\\\| d",
    "[link](javascript:alert(1)) ![x](http://x.org/y.png)",
    "<https://x.org> http://x.org www.x.org WWW.X.org me@x.org @somebody #12",
    "mailto:me@x.org xmpp:me@x.org", "*a* _b_ __c__ ~~d~~ `e` ``f`` $g$", "# heading", "- item",
    "+ item", "1. item", "12) item", "> quote", "===", "---", "***", "```", "[x]: http://x.org",
    "    code", "=1+1", '=HYPERLINK("http://x.org","x")', "+1", "-1", "@SUM(A1)", "\t=1", "\r=1",
    "＝1", "two\nlines\r\nthree\u2028four\u2029five\x85six\x0bseven",
    "\u202eright to left\u202c \u2066x\u2069 \u061c \u200f", "zero\u200bwidth\u200d\ufeff\u00ad",
    "100% \\ {x} {", "\\input{/etc/passwd}", "\\end{document}", "}\\catcode`\\%=12",
    "^^5cinput ~ # & _ ^ $x$ \\\\[2cm] [x] *", "[5cm]", "* starred",
    "--- -- '' `` ?` !` ,, << >> \"quoted\"", "日本語 Ελληνικά עברית العربية ñ ß ø e\u0301 😀",
    "\x00\x7f\x80", "\ud800", "x" * 3000, "long " * 200, "", " ", "   ", " around ", "'quoted'",
)  # fmt: skip

#: Texts of what means something somewhere.
texts = st.one_of(
    st.sampled_from(NAMES),
    st.text(alphabet="a1 \\|`*_[]<>&;#$%{}^~-+=@.:/!'\",()?x\n\t\x1b\u202e\u200b日é", max_size=30),
    st.text(max_size=20),
)


def header_of(name: str) -> str:
    """A name over a column, where the end of a line is one."""
    return name.replace("\n", " ")


def document_of(*names: str) -> Document:
    """A document with the names wherever a name can be; its table has a row for each."""
    cells = [
        [Cell(name, "name", "strong"), Cell("+1.5", "number"), Cell(name, "verdict", "better")]
        for name in names
    ]
    columns = [Column("System", "left"), Column(header_of(names[0])), Column("", "left")]
    table = Table(name="results", title=names[0], columns=columns, rows=cells)
    said = list(names)
    return Document(
        title=names[0],
        doubts=said,
        verdict=said,
        tables=[table],
        notes=said,
        explanation=[*said, Section(name="more", title=names[0], blocks=said)],
        signature=names[0],
        citation=Citation(methods=names[0], references=[Reference(names[0], names[0])]),
        rows=[{"system": name, "difference": -1.5, "p": None} for name in names],
    )
