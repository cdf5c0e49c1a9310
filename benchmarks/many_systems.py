"""``python -m benchmarks.many_systems``: false and true claims among many systems.

How often is any claim false, that one of two systems is better, though they are equal or the
other is? How many of the true differences are found, and do the intervals of ranks hold? Holm, Holm
over both directions of every pair and flips, as csig has them, beside the range of scores permuted
within units (randomised Tukey HSD), which csig does not offer. The tables and the picture are in
docs/type-one-error.md.

    nice python -m benchmarks.many_systems            # some ten minutes; results/many_systems.json
    nice python -m benchmarks.many_systems clones     # the cells of this name once more
    nice python -m benchmarks.many_systems --tables   # prints the tables of what was written

Real scores are on a grid of tenths or twentieths of a standard deviation, so that Holm's exact
p-values are cheap; the tests hold every adjusted p-value against `csig.compare_systems`.
"""

from __future__ import annotations

import argparse
import json
import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import ndtri

from benchmarks.signs import flip_pvalues
from csig import streams
from csig.engines.flips import Flips, flip_hits
from csig.probability.binomial import sign_tails
from csig.probability.corrections import adjusted
from csig.probability.tables import rank_intervals

Integers = NDArray[np.int64]
Numbers = NDArray[np.float64]
Claims = NDArray[np.bool_]

RESULTS = Path(__file__).with_name("results") / "many_systems.json"

DATA_SETS, FLIPS, PERMUTATIONS, ALPHA, SEED = 1000, 999, 499, 0.05, 1

#: A pair that is reached by more than this share of the flips is not significant.
CLEAR = 0.15

METHODS = ("Holm", "both directions", "flips", "flips, difference", "range")
MARKS = "oD^sX"

#: The noisy systems' standard deviation; that of what tells clones apart, and of scores that hardly
#: vary.
NOISY, CLONED, STILL = 3.0, 0.1, 0.2

#: Of shifted systems the best is this many standard errors ahead, its own, of the tied ones.
SHIFT = 7.7

#: Of close systems, no two of which are equal, the best is so many standard errors ahead of the
#: worst.
CLOSE = (0.5, 2.0, 4.0, 8.0)

#: Binary: the tied systems' accuracy, how much better the best is, and the share of an item's
#: difficulty that all systems have in common.
RIGHT, BETTER, COMMON = 0.4, 0.55, 0.5

#: Items in a cluster, and the correlation of differences within one.
SIZE, WITHIN = 10, 0.2


class Cell(NamedTuple):
    """A kind of data: what half of the systems are like, and how many units there are."""

    name: str
    systems: int
    units: int
    shifted: bool = False  # whether half of the systems are better than the others, which are tied
    data_sets: int = DATA_SETS

    @property
    def close(self) -> bool:
        """Whether no two systems are equal, and all are nearly so."""
        return self.name.startswith("close")

    @property
    def span(self) -> float:
        """How many standard errors the best is ahead of the others, or of the worst."""
        return float(self.name.split()[1]) if self.close else SHIFT

    @property
    def grid(self) -> int:
        """Steps in a standard deviation."""
        return 20 if self.name in ("clones", "shapes") else 10

    @property
    def better(self) -> Claims:
        """Every second system: those that are shifted, if any are."""
        return np.arange(self.systems) % 2 == 1

    @property
    def special(self) -> Claims:
        """The others, or these: the half that is noisy, skewed or clones."""
        own = self.name == "noisy shifted" or (self.name == "clones" and self.shifted)
        return self.better if own else ~self.better

    @property
    def steps(self) -> Numbers:
        """How far each system is ahead, from 0 to 1: no two of the better ones are equal."""
        found = np.zeros(self.systems)
        if self.close:
            return np.arange(self.systems) / (self.systems - 1)
        if self.shifted:
            many = int(self.better.sum())
            found[self.better] = np.arange(1, many + 1) / many
        return found


# ---- data ---------------------------------------------------------------------------------------


def _spread(cell: Cell) -> Numbers:
    """What a shift is a multiple of: the standard deviation of each system's own part."""
    if cell.name in ("sd 3:1", "noisy ties", "noisy shifted"):
        return np.where(cell.special, NOISY, 1.0)
    return np.where(cell.special & (cell.name == "clones"), CLONED, 1.0)


def scores(cell: Cell, rng: Generator) -> Integers:
    """The scores of a data set, (units, systems); of clusters (items, systems)."""
    shape = cell.units, cell.systems
    if cell.name == "binary":
        hard = math.sqrt(COMMON) * rng.normal(size=(cell.units, 1))
        luck = hard + math.sqrt(1 - COMMON) * rng.normal(size=shape)
        return (luck < ndtri(RIGHT + BETTER * cell.steps)).astype(np.int64)
    if cell.name == "skew":
        found = rng.exponential(size=shape)
    elif cell.name == "shapes":
        skewed, still = rng.exponential(size=shape) - 1, STILL * rng.normal(size=shape)
        found = np.where(cell.special, skewed, still)
    elif cell.name == "clusters":
        own = np.repeat(rng.normal(size=(cell.units // SIZE, cell.systems)), SIZE, axis=0)
        found = math.sqrt(WITHIN) * own + math.sqrt(1 - WITHIN) * rng.normal(size=shape)
    else:
        found = rng.normal(size=shape) * _spread(cell)
        if cell.name == "clones":
            found += cell.special * rng.normal(size=(cell.units, 1))
    found = found + cell.span / math.sqrt(cell.units) * _spread(cell) * cell.steps
    return np.rint(cell.grid * found).astype(np.int64)


# ---- procedures ---------------------------------------------------------------------------------


def pair_pvalues(values: Integers, flips: Flips) -> Numbers:
    """Two-sided, of all pairs: exact wherever that could be 0.05 or less.

    Pairs that are reached in more than 15% of the flips are far above: of 999 flips fewer than one
    in 10^25 data sets would have so many. They keep the p-value of the flips.
    """
    j, k = np.triu_indices(values.shape[1], 1)
    found = (1 + flips.single) / (1 + flips.n_resamples)
    near = flips.single <= CLEAR * flips.n_resamples
    d = (values[:, j[near]] - values[:, k[near]]).T
    if np.isin(values, (0, 1)).all():
        found[near] = sign_tails((d > 0).sum(axis=1), (d < 0).sum(axis=1))[0]
    else:
        found[near] = flip_pvalues(d)
    return found


def holm(p: Numbers, directions: bool = False) -> Numbers:
    """Adjusted p-values of Holm, the family being all pairs, or both directions of all pairs."""
    own = p / 2 if directions else p
    logs = np.log(np.maximum(own, 1e-300))
    return adjusted(own, logs, "holm", total=(1 + directions) * len(own))[0]


def of_range(values: Integers, rng: Generator, permutations: int = PERMUTATIONS) -> Numbers:
    """p-values of all pairs by the range of permuted rows."""
    sums = values.sum(axis=0)
    j, k = np.triu_indices(len(sums), 1)
    many = np.broadcast_to(values, (permutations, *values.shape))
    ranges = np.sort(np.ptp(rng.permuted(many, axis=2).sum(axis=1), axis=1))
    hits = permutations - np.searchsorted(ranges, np.abs(sums[j] - sums[k]))
    return np.asarray((1 + hits) / (1 + permutations))


def pvalues(values: Integers, seed: Sequence[int], rng: Generator) -> dict[str, Numbers]:
    """Adjusted p-values of all pairs, by procedure."""
    pairs = np.triu_indices(values.shape[1], 1)
    flips, plain = (
        flip_hits(values, pairs, streams.make_source(list(seed)), FLIPS, studentized=own)
        for own in (True, False)
    )
    alone = pair_pvalues(values, flips)
    found = (
        holm(alone),
        holm(alone, directions=True),
        flips.adjusted,
        plain.adjusted,
        of_range(values, rng),
    )
    return dict(zip(METHODS, found, strict=True))


# ---- what is counted ----------------------------------------------------------------------------


class Counted(NamedTuple):
    """Of one data set: any false claim, any in the wrong direction, share of true ones, ranks all
    covered, mean width.
    """

    false: float
    wrong: float
    found: float
    covered: float
    width: float


def count(values: Integers, p: Numbers, steps: Numbers) -> Counted:
    """What the claims at the level say, and whether that is so."""
    n = len(steps)
    sums = values.sum(axis=0)
    whole = np.ones((n, n))
    pairs = np.triu_indices(n, 1)
    whole[pairs] = whole[pairs[::-1]] = p
    better = (whole <= ALPHA) & (sums[:, None] > sums)
    truly = steps[:, None] > steps
    possible = rank_intervals(truly)  # all that ties permit
    ranks = rank_intervals(better)
    held = all(
        low <= least and most <= high
        for (low, high), (least, most) in zip(ranks, possible, strict=True)
    )
    return Counted(
        float((better & ~truly).any()),
        float((better & truly.T).any()),
        float(better[truly].mean()) if truly.any() else math.nan,
        float(held),
        float(np.mean([1 + high - low for low, high in ranks])),
    )


def row(cell: Cell) -> list[dict[str, Any]]:
    """What a cell shows, by what is a unit: rates of all procedures."""
    key = zlib.crc32(repr(cell[:4]).encode())
    kinds = ("items", "clusters") if cell.name == "clusters" else ("items",)
    found: dict[str, list[list[Counted]]] = {unit: [] for unit in kinds}
    for i in range(cell.data_sets):
        rng = np.random.default_rng([SEED, key, i])
        values = scores(cell, rng)
        for unit in kinds:
            own = values if unit == "items" else values.reshape(-1, SIZE, cell.systems).sum(axis=1)
            p = pvalues(own, (SEED, key, i), rng)
            found[unit].append([count(own, p[method], cell.steps) for method in METHODS])
    return [
        {
            **cell._asdict(),
            "unit": unit,
            "rates": {
                method: {
                    name: round(float(rate), 5)
                    for name, rate in zip(Counted._fields, rates, strict=True)
                    if not math.isnan(rate)
                }
                for method, rates in zip(METHODS, np.mean(own, axis=0), strict=True)
            },
        }
        for unit, own in found.items()
    ]


def cells() -> Iterator[Cell]:
    """All of them: complete nulls, clusters, and half of the systems better."""
    for name, systems, units in (
        ("equal", 50, 50), ("binary", 15, 20), ("skew", 15, 50), ("sd 3:1", 5, 50),
        ("sd 3:1", 15, 50), ("sd 3:1", 15, 200), ("sd 3:1", 50, 50), ("clones", 50, 50),
        ("shapes", 15, 20), ("shapes", 50, 50), ("shapes", 15, 200),
    ):  # fmt: skip
        many = 1200 if name == "sd 3:1" else 600  # the first 600 had 0.077 for flips
        yield Cell(name, systems, units, data_sets=many if systems == 50 else DATA_SETS)
    yield Cell("clusters", 15, 400, data_sets=400)
    for name, systems, units in (
        ("normal", 15, 20), ("normal", 15, 50), ("normal", 15, 200), ("normal", 50, 50),
        ("noisy ties", 15, 50), ("noisy shifted", 15, 50), ("clones", 5, 50), ("binary", 15, 20),
        ("binary", 50, 50), ("binary", 15, 200),
    ):  # fmt: skip
        yield Cell(name, systems, units, True, 600 if systems == 50 else DATA_SETS)
    for span in CLOSE:
        yield Cell(f"close {span:g}", 15, 50, True)


# ---- tables -------------------------------------------------------------------------------------


def _rate(row: Mapping[str, Any], method: str, what: str) -> str:
    found = row["rates"][method][what]
    return f"{found:.1f}" if what == "width" else f"{found:.3f}"


def _cell(row: Mapping[str, Any]) -> str:
    unit = f", by {row['unit'].removesuffix('s')}" if row["name"] == "clusters" else ""
    return f"{row['name']}{unit} | {row['systems']}/{row['units']}"


def tables(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Markdown: false claims, wrong directions, the share of true ones, ranks."""
    many = len(METHODS)
    heads = f"| scores | systems/units | {' | '.join(METHODS)} |", "|---|---|" + "---|" * many
    close = [own for own in rows if own["name"].startswith("close")]
    half = [own for own in rows if own["shifted"] and own not in close]
    chosen = {
        "complete null": ([own for own in rows if not own["shifted"]], "false"),
        "partial null": (half, "false"),
        "wrong direction": (close, "wrong"),
        "found": (half + close, "found"),
    }
    found = {
        title: [
            *heads,
            *(
                f"| {_cell(own)} | " + " | ".join(_rate(own, m, what) for m in METHODS) + " |"
                for own in some
            ),
        ]
        for title, (some, what) in chosen.items()
    }
    some = [own for own in rows if (own["name"], own["systems"]) == ("sd 3:1", 15)] + half + close
    found["ranks"] = [
        *heads,
        *(
            f"| {_cell(own)} | "
            + " | ".join(f"{_rate(own, m, 'covered')} / {_rate(own, m, 'width')}" for m in METHODS)
            + " |"
            for own in some
        ),
    ]
    return found


def _rows_of(axes: Any, rows: Sequence[Mapping[str, Any]], what: str) -> None:
    """One row per cell, the marks of its procedures one below the other."""
    from csig.report.style import COLOURS, FAINT, name_rows, styled

    styled(axes, left=False)
    for place, own in enumerate(rows):
        axes.axhline(place, color=FAINT, linewidth=0.5, zorder=0)
        for i, (method, mark, color) in enumerate(zip(METHODS, MARKS, COLOURS, strict=False)):
            axes.plot(
                own["rates"][method][what], place + 0.32 - 0.16 * i, mark, color=color,
                markersize=4, markerfacecolor="none", clip_on=False, label="" if place else method,
            )  # fmt: skip
    name_rows(axes, range(len(rows)), [_cell(own).replace(" | ", ", ") for own in rows])


def picture(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    """False claims where all means are equal, and what is found where they are not."""
    from csig.report.style import MUTED, bytes_of, drawing, kind_of, new_figure

    null = [own for own in rows if not own["shifted"]]
    null = [own for own in null if (own["name"], own["unit"]) != ("clusters", "items")]
    null.sort(key=lambda own: own["rates"]["range"]["false"])
    better = [own for own in rows if own["shifted"] and not own["name"].startswith("close")]
    better.sort(key=lambda own: own["rates"]["Holm"]["found"])
    with drawing(""):
        figure = new_figure(height=0.9 + 0.28 * max(len(null), len(better)))
        left, right = figure.subplots(1, 2)
        _rows_of(left, null, "false")
        _rows_of(right, better, "found")
        left.axvline(ALPHA, color=MUTED, linewidth=0.8, linestyle="dotted")
        left.set(title="All means equal", xlabel="data sets with a false claim", xlim=(0, None))
        right.set(title="Half shifted", xlabel="true differences found", xlim=(0, 1))
        figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=5,
                      frameon=False)  # fmt: skip
        path.write_bytes(bytes_of(figure, kind_of(str(path))))


def main(arguments: Sequence[str] | None = None) -> None:
    """Simulate and write, or print the tables of what was written."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="only the cells of these names")
    parser.add_argument("--tables", action="store_true", help="print what was written")
    parser.add_argument("--picture", type=Path, help="draw it into this file")
    given = parser.parse_args(arguments)
    kept = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else []
    rows = {tuple(own[key] for key in (*Cell._fields[:4], "unit")): own for own in kept}
    if not given.tables and given.picture is None:
        for cell in cells():
            if not given.names or cell.name in given.names:
                rows |= {(*cell[:4], own["unit"]): own for own in row(cell)}
                text = json.dumps(list(rows.values()), indent=1)
                RESULTS.write_text(text + "\n", encoding="utf-8")
    if given.picture is not None:
        picture(list(rows.values()), given.picture)
    for title, lines in tables(list(rows.values())).items():
        print(f"\n{title}\n", *lines, sep="\n")


if __name__ == "__main__":
    main()
