"""Pages of every report: their structure, and how they look in a browser, where one is there."""

import html
import json
import re
import shutil
import subprocess
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from brute import PAPER
from commands import run
from drawings import light
from elements import Page
from places import EXAMPLES

import csig
from csig.report.document import Cell, Column, Table
from csig.report.rendering.html import block_html

DIGITS = [EXAMPLES / "digits" / f"{own}.tsv" for own in ("gold", "nearest-centroid",
                                                         "logistic-regression")]  # fmt: skip
DATASETS = EXAMPLES / "datasets" / "accuracy.csv"
TRAINED = EXAMPLES / "training" / "bootstrap.csv"

COMMANDS = {
    "compare": ("compare", *DIGITS, "--explain", "--cite"),
    "many": ("compare", DATASETS),
    "interval": ("interval", *DIGITS),
    "describe": ("describe", *DIGITS),
    "systems": ("systems", DATASETS, "--letters", "--explain"),
    "datasets": ("datasets", DATASETS, "--all-tests", "--explain"),
    "recommend": ("recommend", *DIGITS, "--all-tests"),
    "train": ("train", TRAINED, "--method", "bootstrap"),
    "audit": ("audit", *DIGITS, "--resamples", "1024"),
    "claims": ("audit", "--claims", EXAMPLES / "yeh2000-claims.toml"),
}


@cache
def written(name: str) -> str:
    return run(*COMMANDS[name], "-f", "html", status=int(name == "claims"))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_page_is_in_order(name):
    """One heading of the first level, no level left out, what is read aloud has words."""
    found = Page(written(name))  # whose elements end in order
    levels = [int(tag[1]) for tag in found.tags() if re.fullmatch("h[1-6]", tag)]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))
    assert {own.get("scope") for own in found.attributes("th")} <= {"col", "row"}
    assert all(own.get("alt") for own in found.attributes("img"))
    regions = [own for own in found.attributes("div") if own.get("role") == "region"]
    assert len(regions) == len(found.attributes("table")) > 0
    assert all(own.get("aria-label") for own in regions)
    ids = [own["id"] for _, own in found.elements if "id" in own]
    assert len(ids) == len(set(ids))
    assert len(found.attributes("style")) == 1


def test_a_fragment_is_readable_on_white_and_on_black():
    def contrast(one: str, other: str) -> float:
        low, high = sorted(float(light(own) @ [0.2126, 0.7152, 0.0722]) for own in (one, other))
        return (high + 0.05) / (low + 0.05)

    cells = [Cell("x", "text", tone) for tone in ("better", "worse", "doubt", "quiet")]
    table = Table(name="t", columns=[Column("")] * len(cells), rows=[cells])
    colours = re.findall(r"[\";]color:(#\w{6})", block_html(table))
    assert len(colours) == 3
    for own in colours:
        assert contrast(own, "#ffffff") >= 4.5
        assert contrast(own, "#111111") >= 3.9


# ---- in a browser --------------------------------------------------------------------------------

#: Lays pages out in frames, and says where their cells end and what of them is folded.
FRAMES = """<!doctype html><html><body>%s<pre id="said"></pre><script>
window.onload = () => {
  const said = {};
  for (const frame of document.querySelectorAll("iframe")) {
    const page = frame.contentDocument, box = (own) => own.getBoundingClientRect();
    const cells = [...page.querySelectorAll("td")].filter((own) =>
      own.closest("details:not([open])") === null && box(own).width > 0);
    const folded = [...page.querySelectorAll("details > :not(summary)")];
    said[frame.name] = {
      wide: page.documentElement.scrollWidth,
      cells: cells.map((own) =>
        [own.dataset.label, own.textContent, box(own).left, box(own).right]),
      scrolled: [...page.querySelectorAll("[role=region]")].map((own) =>
        own.scrollWidth - own.clientWidth),
      folded: folded.map((own) => own.checkVisibility() ? box(own).height : 0),
    };
  }
  document.getElementById("said").textContent = JSON.stringify(said);
};
</script></body></html>"""
FRAME = '<iframe name="%s" width="%d" height="800" style="border:0" srcdoc="%s"></iframe>'

WIDTHS = (360, 1280)
SEEN = ("compare", "many", "systems", "audit", "claims", "recommend")


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """All pages in one browser: by name and width, and as they are printed."""
    browser = next(filter(None, map(shutil.which, ("chromium", "google-chrome", "chrome"))), None)
    if browser is None:
        pytest.skip("no chromium and no google-chrome is installed")
    pages = [(f"{name} {width}", width, written(name)) for name in SEEN for width in WIDTHS]
    for name in ("compare", "audit"):
        paper = written(name).replace("@media print", "@media all")
        pages += [(f"{name} folded", 1000, written(name)), (f"{name} printed", 1000, paper)]
    folder = tmp_path_factory.mktemp("frames")
    path = folder / "frames.html"
    frames = (FRAME % (name, width, html.escape(text)) for name, width, text in pages)
    path.write_text(FRAMES % "".join(frames), encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile"]
    options += ["--window-size=1400,1000", "--virtual-time-budget=10000", "--dump-dom"]
    done = subprocess.run(
        [browser, *options, path.as_uri()], capture_output=True, timeout=120, check=True
    )
    said = re.search(r'<pre id="said">(.*?)</pre>', done.stdout.decode(), re.DOTALL)
    assert said is not None
    found: dict[str, Any] = json.loads(html.unescape(said[1]))
    assert set(found) == {name for name, *_ in pages}
    return found


@pytest.mark.parametrize("name", SEEN)
@pytest.mark.parametrize("width", WIDTHS)
def test_p_and_the_verdict_are_in_sight(name, width, laid_out):
    found = laid_out[f"{name} {width}"]
    assert found["wide"] <= width
    assert width != 360 or max(found["scrolled"]) <= 1
    cells = [own for own in found["cells"] if re.match(r"(adjusted )?p\b|at 0\.05|Verdict",
                                                       own[0] or "", re.IGNORECASE)]  # fmt: skip
    assert cells
    assert [own for own in cells if own[2] < 0 or own[3] > width + 1] == []


@pytest.mark.parametrize("name", ["compare", "audit"])
def test_what_is_folded_is_printed(name, laid_out):
    folded, printed = (laid_out[f"{name} {own}"]["folded"] for own in ("folded", "printed"))
    assert len(printed) == len(folded) > 0
    assert min(printed) > 0
    assert name == "compare" or min(folded) == 0


def test_a_page_of_a_result_is_that_of_the_command_line():
    test = csig.Comparison.from_counts(**PAPER, names=("new", "base"))
    text = csig.randomization_test(test, "f1").summary("html", explain=True)
    assert "csig-many" in text
    assert "@media print" in text
