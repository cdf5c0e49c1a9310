"""Look at the built site in Chromium: ``python docs/site/look.py OUT [PICTURES]``.

Needs playwright, and Chromium. At 360 and 1280 pixels, light and dark, it prints what is wider than
the window, is written in too little contrast (WCAG AA), is not drawn, or comes from another host,
and whether the search finds something without a server. It keeps pictures of the pages if a folder
for them is named.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

LOOK = """() => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [r, g, b] = colour.map((x) => x / 255)
      .map((x) => (x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const below = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = numbers(getComputedStyle(e).backgroundColor);
      if (colour.length == 3 || colour[3] == 1) return colour.slice(0, 3);
    }
    return [255, 255, 255];
  };
  const found = new Set();
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth + 1) found.add(`${root.scrollWidth} pixels wide`);
  for (const image of document.images)
    if (!image.naturalWidth) found.add(`not drawn: ${image.src}`);
  for (const e of document.querySelectorAll("body *")) {
    const own = [...e.childNodes].some((node) => node.nodeType == 3 && node.textContent.trim());
    const style = getComputedStyle(e);
    if (!own || e.closest("svg") || !e.getClientRects().length || style.visibility == "hidden")
      continue;
    const pair = [light(numbers(style.color).slice(0, 3)), light(below(e))];
    const contrast = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    if (contrast < (large ? 3 : 4.5) - 0.01)
      found.add(`contrast ${contrast.toFixed(2)}: ${e.textContent.trim().slice(0, 30)}`);
  }
  return [...found];
}"""


def look(page: Page, folder: Path, pictures: Path | None, suffix: str) -> list[str]:
    found = []
    for path in sorted(folder.rglob("*.html")):
        if "_static" in path.parts:
            continue
        name = path.relative_to(folder).as_posix()
        page.goto(path.as_uri())
        found += [f"{name}, {suffix}: {own}" for own in page.evaluate(LOOK)]
        if pictures:
            picture = pictures / f"{name.replace('/', '-')}-{suffix}.png"
            page.screenshot(path=picture, full_page=True)
    return found


def main(folder: Path, pictures: Path | None) -> list[str]:
    found: list[str] = []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"))
        for scheme in ("light", "dark"):
            for width in (360, 1280):
                size = {"width": width, "height": 900}
                page = browser.new_context(viewport=size, color_scheme=scheme).new_page()
                asked: set[str] = set()
                page.on("request", lambda request, asked=asked: asked.add(request.url))
                found += look(page, folder, pictures, f"{width}-{scheme}")
                found += [f"asks for {url}" for url in asked if url[:5] not in ("file:", "data:")]
        page.goto(f"{(folder / 'search.html').as_uri()}?q=mcnemar")
        try:
            page.wait_for_selector("#search-results li", timeout=10_000)
        except Exception:
            found.append("the search finds nothing")
        browser.close()
    return found


if __name__ == "__main__":
    kept = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    lines = main(Path(sys.argv[1]).resolve(), kept)
    print("\n".join(lines) or "the site looks as it should")
    sys.exit(bool(lines))
