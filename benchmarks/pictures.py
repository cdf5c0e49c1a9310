"""A sheet of every kind of picture, of 2 to 100 systems and in two widths, for a person to look at.

python -m benchmarks.pictures FOLDER [--kind png|svg|pdf] [--seen all|grey|protan|deutan] [NAME ...]

``--seen`` shows them in grey, or as people see them who lack the cones for red or for green.
"""

from __future__ import annotations

import argparse
import io
import tempfile
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import csig
from csig import plots
from csig.answers.compare import Compared
from csig.comparing import pictures_pages
from csig.comparing.estimates import estimated
from csig.comparing.options import Options
from csig.rankings.methods import RankedMethods
from csig.readers.request import Request
from csig.report.style import bytes_of
from csig.results.randomization import RandomizationResult
from csig.systems.ranking import SystemsResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Inches: a column of a paper, a page.
WIDTHS = (3.3, 7.0)

#: Names of systems: short ones, long ones that begin and end alike, and odd ones.
SHORT, LONG = "s{}", "bert-large-uncased-whole-word-masking-{}-seed"
ODD = "\N{FOX FACE} 数据 $x_{}$"

#: Metrics of labels.
METRICS = (
    "accuracy", "macro_f1", "weighted_f1", "kappa", "mcc", "balanced_accuracy", "error_rate",
)  # fmt: skip


@cache
def labels(n: int, names: str = SHORT, items: int = 120) -> tuple[dict[str, list[str]], list[str]]:
    """The answers of n systems, each a little worse than the one before, and the right ones."""
    rng = np.random.default_rng(n)
    gold = rng.integers(0, 3, items)
    answers = {
        names.format(i): np.where(
            rng.random(items) < share, gold, rng.integers(0, 3, items)
        ).astype(str).tolist()
        for i, share in enumerate(np.linspace(0.9, 0.5, n))
    }  # fmt: skip
    return answers, gold.astype(str).tolist()


def compared(n: int, metrics: int, names: str = SHORT, **options: Any) -> Compared:
    answers, gold = labels(n, names)
    return csig.compare(answers, gold=gold, metric=METRICS[:metrics], **options)


def systems(n: int, names: str = SHORT, **options: Any) -> SystemsResult:
    answers, gold = labels(n, names)
    if "baseline" in options:
        options["baseline"] = names.format(0)
    return csig.compare_systems(answers, gold=gold, metric="accuracy", **options)


def alike(n: int, step: float, names: str) -> Compared:
    """Systems whose scores differ by a step from that of the first, in every unit but one."""
    base = np.random.default_rng(4).uniform(20, 30, 40)
    systems = {names.format(0): base}
    for i in range(1, n):
        systems[names.format(i)] = base + step * (np.arange(40) != i)
    return csig.compare(systems, interval="linearized")


def shares(n: int, names: str) -> Compared:
    answers, gold = labels(n, names)
    metrics = [own for own in METRICS if own not in ("kappa", "mcc")]
    return csig.compare(answers, gold=gold, metric=metrics)


def documents(names: str = SHORT) -> csig.Comparison:
    """Counts of 60 documents in 15 clusters."""
    rng = np.random.default_rng(3)
    gold = rng.integers(1, 9, 60)
    sides = []
    for share in (0.8, 0.6):
        predicted = rng.integers(1, 9, 60)
        right = rng.binomial(np.minimum(gold, predicted), share)
        sides.append(np.stack([right, predicted, gold], axis=1))
    return csig.Comparison.from_statistics(
        *sides, ("tp", "predicted", "gold"), id=[f"document-{i:02d}-of-news" for i in range(60)],
        names=(names.format(0), names.format(1)), cluster=[i // 4 for i in range(60)],
        cluster_name="collection of documents",
    )  # fmt: skip


def ranks(n: int, names: str = SHORT) -> dict[str, float]:
    """Average ranks, some of them the same."""
    places = np.arange(n) // 3 * 3 + 2.0 if n > 3 else np.linspace(1.2, n - 0.2, n)
    places = np.clip(places + (n + 1) / 2 - places.mean(), 1, n)
    return {names.format(i): float(place) for i, place in enumerate(places)}


def candidates(n: int, names: str = SHORT) -> tuple[dict[str, list[float]], list[str]]:
    """The true candidates of 400, and the scores of n methods."""
    rng = np.random.default_rng(7)
    true = rng.random(400) < 0.3
    table = {"true": true.astype(int).tolist()}
    for i in range(n):
        table[names.format(i)] = (true * (2.0 - i / n) + rng.normal(size=400)).tolist()
    return table, [names.format(i) for i in range(n)]


def difference(names: str) -> RankedMethods:
    table, methods = candidates(2, names)
    return csig.rank_methods(table, methods, range(20, 400, 20), n_resamples=999, rng=1)


def trained(n: int, names: str = SHORT) -> csig.training.TrainingDistribution:
    scores = np.random.default_rng(1).normal(0.8, 0.01, (200, n, 2)) + 0.01 * np.arange(n)[:, None]
    return csig.training.TrainingDistribution(
        scores, tuple(map(names.format, range(n))), ("test", "another, longer test set of news")
    )


#: A picture of a width, in inches.
Picture = Callable[[float], "Figure"]


def of(
    picture: Callable[..., Any], make: Callable[..., Any], *values: Any, **options: Any
) -> Picture:
    """A picture of what is made when it is asked for."""

    def draw(width: float) -> Figure:
        figure: Figure = picture(make(*values, **options), width=width).figure
        return figure

    return draw


def page(systems: int, metrics: int, names: str, **options: Any) -> Picture:
    """What ``csig compare --plot`` writes, whose width is its own."""
    return lambda width: pictures_pages.page(compared(systems, metrics, names, **options).report)


def intervals(systems: int, kind: str, names: str) -> Picture:
    """What ``csig interval --plot`` writes, whose width is its own."""

    def draw(width: float) -> Figure:
        answers, gold = labels(systems, names)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "labels.tsv")
            rows = zip(gold, *answers.values(), strict=True)
            lines = ["\t".join(row) for row in [("gold", *answers), *rows]]
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
            request = Request(files=(str(path),), gold_column="gold", system=tuple(answers))
            options = options_of(METRICS[:3])
            found = estimated(request, options)
        return pictures_pages.page_of_estimates(found, kind)

    return draw


def options_of(metrics: Sequence[str]) -> Options:
    return Options(
        metrics=tuple(metrics), alternative="two-sided", method="auto", n_resamples=9999, seed=1,
        bit_generator=None, threads=1, zero_division=0, pvalue_confidence=0.95, alpha=0.05,
    )  # fmt: skip


def tested(names: str, **options: Any) -> RandomizationResult:
    return csig.randomization_test(documents(names), "f1", keep_null=True, **options)


def curves(n: int, names: str) -> csig.rankings.NBestResult:
    return csig.rankings.nbest_precision(*candidates(n, names))


def plotted(found: Any, **options: Any) -> Any:
    return found.plot(**options)


def _kinds(names: str) -> dict[str, Picture]:
    """Pictures of systems with such names."""
    drawn: dict[str, Any] = {"method": "approximate", "n_resamples": 4096, "rng": 1}
    kinds = {f"page of {n} metrics": page(2, n, names) for n in (1, 3, 7)}
    kinds |= {f"page of {n} systems": page(n, 3, names) for n in (3, 20)}
    for n, kind in ((2, "differences"), (2, "scores"), (20, "differences"), (20, "scores")):
        kinds[f"page of intervals of {n}, {kind}"] = intervals(n, kind, names)
    kinds["page of shuffles"] = page(2, 2, names, **drawn)
    diagram = plots.critical_difference
    for n in (2, 3, 20, 100):
        kinds[f"leaderboard of {n}"] = of(plots.leaderboard, systems, n, names)
        kinds[f"leaderboard of {n}, baseline"] = of(
            plots.leaderboard, systems, n, names, baseline=True
        )
        cd = 0.4 * min(n, 60) ** 0.7
        kinds[f"diagram of {n}"] = of(partial(diagram, cd=cd), ranks, n, names)
        beside = partial(diagram, cd=cd, baseline=names.format(0))
        kinds[f"diagram of {n}, baseline"] = of(beside, ranks, n, names)
    for n in (3, 20, 100):
        kinds[f"forest of {n} systems"] = of(plots.forest, compared, n, 1, names)
    for n in (2, 3, 20, 100):
        kinds[f"scores of {n}"] = of(plots.scores, compared, n, 1, names)
        kinds[f"scores of {n}, all pairs"] = of(plots.scores, systems, n, names)
    for step in (0.0, 1.0, 1e-6):
        kinds[f"forest, all {step:g} apart"] = of(plots.forest, alike, 4, step, names)
        kinds[f"scores, all {step:g} apart"] = of(plots.scores, alike, 4, step, names)
    for n in (3, 20):
        kinds[f"scores of {n}, 5 metrics"] = of(plots.scores, shares, n, names)
    for n in (1, 3):
        kinds[f"forest of {n} metrics"] = of(plots.forest, compared, 2, n, names)
    for alternative in ("two-sided", "greater"):
        kinds[f"null, {alternative}"] = of(
            plots.null, compared, 2, 1, names, alternative=alternative
        )
    kinds["null of shuffles"] = of(plots.null, tested, names, **drawn)
    kinds["scores of a comparison"] = of(partial(plots.scores, metric="f1"), documents, names)
    kinds["units"] = of(partial(plots.units, metric="f1"), documents, names)
    for n in (2, 14):
        kinds[f"curves of {n}"] = of(plots.nbest_curves, curves, n, names)
    kinds["difference of rankings"] = of(plots.ranking_difference, difference, names)
    for kind in ("histogram", "pairs"):
        kinds[f"training, {kind}"] = of(partial(plotted, kind=kind), trained, 3, names)
    kinds["training, page"] = lambda width: trained(3, names).plot("page").figure
    return kinds


def samples(equal: bool) -> csig.rankings.BinomialValidation:
    rng = np.random.default_rng(2)
    sizes = np.full(40, 80) if equal else rng.integers(50, 150, 60)
    return csig.rankings.validate_binomial(
        [(int(rng.binomial(size, 0.3)), int(size)) for size in sizes]
    )


#: Those that are drawn with emoji, Chinese and dollars in names, too.
OF_ODD = (
    "scores of 3", "forest of 3 systems", "leaderboard of 3", "diagram of 3", "page of 1 metrics",
)  # fmt: skip

#: Every kind by its name.
KINDS: dict[str, Picture] = {
    **_kinds(SHORT),
    **{f"{name}, long names": picture for name, picture in _kinds(LONG).items()},
    **{f"{name}, odd names": _kinds(ODD)[name] for name in OF_ODD},
    "samples of one size": of(plots.precision_histogram, samples, True),
    "samples of several sizes": of(plots.precision_histogram, samples, False),
}


#: What is seen of linear light, red, green and blue: in grey (sRGB's luminance), and without the
#: cones for red and for green (Vienot, Brettel and Mollon 1999, Color Research and Application 24).
SEEN = {
    "grey": np.tile([0.2126, 0.7152, 0.0722], (3, 1)),
    "protan": np.array([[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]]),
    "deutan": np.array([[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]]),
}


def seen(png: bytes, by: str) -> bytes:
    """A picture as it is seen."""
    from matplotlib.image import imread, imsave

    colours = imread(io.BytesIO(png), format="png")[..., :3].astype(float)
    light = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    light = np.clip(light @ SEEN[by].T, 0, 1)
    colours = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    buffer = io.BytesIO()
    imsave(buffer, np.clip(colours, 0, 1), format="png")
    return buffer.getvalue()


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", help="of pictures; by default all")
    parser.add_argument("--kind", choices=("png", "svg", "pdf"), default="png")
    parser.add_argument("--seen", choices=("all", *SEEN), default="all")
    asked = parser.parse_intermixed_args(arguments)
    asked.folder.mkdir(parents=True, exist_ok=True)
    for name in asked.names or KINDS:
        for width in WIDTHS:
            drawn = bytes_of(KINDS[name](width), asked.kind)
            shown = drawn if asked.seen == "all" else seen(drawn, asked.seen)
            (asked.folder / f"{name}, {width:g} inches.{asked.kind}").write_bytes(shown)


if __name__ == "__main__":
    main()
