"""The pages of docs/: no line is too long, and every page and heading that is linked is there."""

import re
from functools import cache
from pathlib import Path

import pytest
from places import DOCS, ROOT

#: What a line may have.
WIDTH = 120

PAGES = [*sorted(DOCS.glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def prose(page: Path) -> str:
    """The page without its blocks of code."""
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"^(?: {4}|\t).*$", "", text, flags=re.MULTILINE)


@cache
def anchors(page: Path) -> frozenset[str]:
    """Of its headings, as GitHub makes them."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        again = (own for i in range(99) if (own := f"{anchor}-{i}" if i else anchor) not in found)
        found.add(next(again))
    return frozenset(found)


def missing(target: str, beside: Path) -> str:
    """What is not there of a link on a page of the folder, or ""."""
    path, _, anchor = target.partition("#")
    page = (beside / path).resolve()
    if not page.exists():
        return f"no {path}"
    if anchor and anchor not in anchors(page):
        return f"no #{anchor} in {page.name}"
    return ""


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_line_is_too_long(page: Path) -> None:
    """But for a URL alone, which cannot be broken."""
    lines = page.read_text(encoding="utf-8").splitlines()
    long = [
        f"{i}: {line}"
        for i, line in enumerate(lines, 1)
        if len(line) > WIDTH
        and not re.fullmatch(r"\W*https?://\S+", line)
        and not line.startswith("    python -m pip install ")  # to be pasted as it is
    ]
    assert long == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)\s]+)\)", prose(page))
    targets = [own for own in targets if not re.match(r"[a-z]+:", own)]
    wrong = {own: missing(f"{page.name}{own}" if own.startswith("#") else own, page.parent)
             for own in targets}  # fmt: skip
    assert {own: why for own, why in wrong.items() if why} == {}


@cache
def sources(folder: str) -> dict[Path, str]:
    """The texts of a folder."""
    suffixes = {".py", ".pyi", ".pyx", ".h", ".c", ".md", ".toml"}
    paths = [path for path in (ROOT / folder).rglob("*.*") if path.suffix in suffixes]
    return {path: path.read_text("utf-8") for path in paths}


def test_pages_that_the_code_names_exist() -> None:
    wrong = {}
    for folder in ("csig", "csig_ext", "benchmarks", "tests", "examples"):
        for path, text in sources(folder).items():
            whole = re.sub(r"""["']\s*\n\s*f?["']""", "", text)  # strings over several lines
            for target in re.findall(r"\bdocs/[\w-]+\.md(?:#[\w-]+)?", whole):
                if why := missing(target, ROOT):
                    wrong[name_of(path), target] = why
    assert wrong == {}


def test_headings_that_the_code_names_exist() -> None:
    """``docs/theory.md``, "The lattice" or *The lattice*: a heading, or bold words."""
    wrong = {}
    named = r"docs/([\w-]+\.md)`*,? \(?(?:\"([^\"]+)\"|\*([^*]+)\*)"
    for folder in ("csig", "csig_ext", "benchmarks"):
        for path, text in sources(folder).items():
            for page, quoted, starred in re.findall(named, re.sub(r"\n[ #*]*", " ", text)):
                title = quoted or starred
                own = (DOCS / page).read_text(encoding="utf-8")
                if not re.search(rf"^(#+ |\*\*){re.escape(title)}", own, re.MULTILINE):
                    wrong[name_of(path), page] = title
    assert wrong == {}


def test_the_first_screen_of_readme_is_short() -> None:
    """300 words: of what is rendered before the second heading, blocks of code apart."""
    markdown_it = pytest.importorskip("markdown_it")
    words: list[str] = []
    headings = 0
    for token in (
        markdown_it.MarkdownIt("commonmark")
        .enable("table")
        .parse((ROOT / "README.md").read_text(encoding="utf-8"))
    ):
        headings += token.type == "heading_open"
        if headings > 1:
            break
        shown = [own.content for own in token.children or () if own.type in ("text", "code_inline")]
        words += [word for text in shown for word in text.split() if re.search(r"\w", word)]
    assert 250 < len(words) <= 300
