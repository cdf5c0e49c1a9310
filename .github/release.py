"""Whether a release is ready: checks it, builds it, and prints the commands that publish it.

python .github/release.py [--dry-run]

Nothing is pushed: the tag that is printed makes .github/workflows/wheels.yml build and publish what
it names; what is built here only shows that it can be. With --dry-run only what takes no time is
checked. Needs build and twine.
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.rstrip()


def version() -> str:
    """From the one place where it stands; a test compares CITATION.cff and the recipe with it."""
    found = re.search(r'^__version__ = "(.+)"$', text("csig/_version.py"), re.MULTILINE)
    assert found is not None
    return found[1]


def problems(version: str) -> list[str]:
    """What must be so before a release, and is not."""
    found = []
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        found.append(f"csig/_version.py: {version} is not the version of a release")
    heading = rf"^## {re.escape(version)} \((\d{{4}}-\d\d-\d\d)\)$"
    dated = re.search(heading, text("CHANGELOG.md"), re.MULTILINE)
    if dated is None:
        found.append(f"CHANGELOG.md: no heading '## {version} (YYYY-MM-DD)'")
    lines = {"version": version, "date-released": dated[1] if dated else "of the changelog"}
    for key, wanted in lines.items():
        if not re.search(rf'^{key}: "?{re.escape(wanted)}"?$', text("CITATION.cff"), re.MULTILINE):
            found.append(f"CITATION.cff: no line '{key}: {wanted}'")
    if f'version: "{version}"' not in text(".github/conda/recipe.yaml"):
        found.append(f".github/conda/recipe.yaml: no line 'version: \"{version}\"'")
    if changed := git("status", "--porcelain"):
        found.append(f"git: the working tree is not clean:\n{changed}")
    if git("tag", "--list", f"v{version}"):
        found.append(f"git: the tag v{version} is there already")
    if os.path.exists(ROOT / "dist" / version):
        found.append(f"dist/{version} is there already")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--dry-run", action="store_true", help="run no tests, build nothing")
    dry = parser.parse_args().dry_run
    released = version()
    found = problems(released)
    for problem in found:
        print(problem, file=sys.stderr)
    if found:
        return 1
    folder = Path("dist", released)
    if not dry:
        subprocess.run([".ci/run"], cwd=ROOT, check=True)
        build = [sys.executable, "-m", "build", "--outdir", folder]  # the sdist, a wheel from it
        subprocess.run(build, cwd=ROOT, env=os.environ | {"CSIG_ABI3": "1"}, check=True)
        built = sorted((ROOT / folder).iterdir())
        subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *built], check=True)
    print(f"git tag -a v{released} -m 'csig {released}' {git('rev-parse', 'HEAD')}")
    print(f"git push origin v{released}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
