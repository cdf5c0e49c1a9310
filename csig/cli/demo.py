"""``csig demo``: the main job, on files that csig brings along."""

from __future__ import annotations

import os
from importlib import resources

import click

from csig.base.errors import InputError, pasteable
from csig.cli.options import command

#: The gold and the two systems: which of 899 images show an 8.
FILES = "gold.tsv", "nearest-centroid.tsv", "logistic-regression.tsv"


@command("")
def demo(folder: str | None) -> None:
    """Compare two systems on bundled files, and draw the comparison.

    Two classifiers say which of 899 images show an 8. Their answers, and the right ones, are
    written to FOLDER as files to look at and to try other commands on. What is there already is
    kept; a file with other contents is never overwritten.

    Examples:
      csig demo
      csig demo /tmp/digits
    """
    folder = folder or "csig-demo"
    if folder.startswith("-"):  # which is an option to the command below
        folder = os.path.join(".", folder)
    paths = [os.path.join(folder, name) for name in FILES]
    inside = resources.files("csig.cli") / "demo_files"
    drawn = os.path.join(folder, "comparison.svg")
    if os.path.lexists(drawn) and not all(map(os.path.lexists, paths)):
        raise InputError(f"{drawn}: is another file already; name another folder")
    try:
        os.makedirs(folder, exist_ok=True)
        for name, path in zip(FILES, paths, strict=True):
            data = (inside / name).read_bytes()
            if os.path.lexists(path):
                with open(path, "rb") as there:
                    if there.read() != data:
                        raise InputError(f"{path}: is another file already; name another folder")
            else:
                with open(path, "xb") as file:
                    file.write(data)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror})") from None
    picture = ["--plot", drawn]
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        picture = []
    words = ["compare", *paths, *picture]
    click.echo(f"$ {pasteable(['csig', *words])}\n")
    from csig.cli.app import program  # which imports commands

    program.main(words, standalone_mode=False)
    if picture:
        click.echo(f"\nThe picture is {picture[1]}.")
    else:
        click.echo('\nWith matplotlib (pip install "csig-stats[plot]") csig demo draws it, too.')
