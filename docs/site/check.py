"""Whether the built site holds: ``python docs/site/check.py OUT`` prints what does not.

Nothing is loaded from elsewhere, every link and its anchor is there, every picture has words, and
every page one h1 and no heading that skips a level.
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: Attributes whose address a browser loads by itself.
LOADED = {"src", "srcset", "poster", "data", "background"}
#: What is written for other programs, and loaded by none.
FOR_OTHERS = {"next", "prev", "search", "index", "author", "canonical"}


class Page(HTMLParser):
    """What a page links, loads and has."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.headings: list[int] = []
        self.wrong: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given[name] for name in ("id", "name") if name in given}
        self.loads += [given[name] for name in LOADED & given.keys() if tag != "meta"]
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "link" and given.get("rel") not in FOR_OTHERS:
            self.loads.append(given["href"])
        if tag == "img" and not given.get("alt", "").strip():
            self.wrong.append(f"a picture without words: {given.get('src')}")
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))


def problems(folder: Path) -> list[str]:
    """All of them, one line each."""
    pages = {
        path: Page(path) for path in sorted(folder.rglob("*.html")) if "_static" not in path.parts
    }
    found = [] if folder / "index.html" in pages else ["no index.html"]
    for path, page in pages.items():
        wrong = list(page.wrong)
        if page.headings.count(1) != 1:
            wrong.append(f"{page.headings.count(1)} headings h1")
        wrong += [
            f"h{level} after h{before}"
            for before, level in zip([0, *page.headings], page.headings, strict=False)
            if level > before + 1
        ]
        for address in page.loads + page.links:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                if address in page.loads and parts.scheme != "data":
                    wrong.append(f"loads {address}")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                wrong.append(f"no {address}")
            elif (
                parts.fragment
                and target in pages
                and unquote(parts.fragment) not in pages[target].ids
            ):
                wrong.append(f"no anchor {address}")
        found += [f"{path.relative_to(folder)}: {own}" for own in dict.fromkeys(wrong)]
    for path in sorted(folder.rglob("*.css")):
        style = path.read_text(encoding="utf-8")
        loaded = re.findall(r"""(?:url\(|@import)\s*["']?((?:https?:|//)[^)"']*)""", style)
        found += [f"{path.relative_to(folder)}: loads {own}" for own in loaded]
    return found


if __name__ == "__main__":
    lines = problems(Path(sys.argv[1]).resolve())
    print("\n".join(lines) or "the site holds")
    sys.exit(bool(lines))
