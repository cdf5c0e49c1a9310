"""``python -m benchmarks``: every ratio against the peers, measured in this run.

Peer and csig alternate; a ratio is the median over pairs of peer time / csig time, with
its quartiles. The peers are the extra ``bench``.
"""

from __future__ import annotations

import csig
from benchmarks import (
    curves,
    exact,
    flips,
    imports,
    intervals,
    lattice,
    resamples,
    responses,
    scores,
    units,
)
from benchmarks.timing import table


def main() -> None:
    csig.show_config()
    print()
    parts = (responses, exact, units, scores, lattice, intervals, resamples, flips, curves)
    rows = [r for part in parts for r in part.rows()]
    print(table(rows))
    print()
    print(exact.millions())
    print(imports.importing())
    print(imports.starting())


if __name__ == "__main__":
    main()
