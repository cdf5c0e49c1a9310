"""Where the files of the checkout are that tests read."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
EXAMPLES = ROOT / "examples"
BENCHMARKS = ROOT / "benchmarks"
REFERENCE = ROOT / "tests" / "reference"
