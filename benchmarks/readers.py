"""Reading tags: files to entities, beside seqeval, which gets its entities from lists in memory.

And runs of TREC: ten, with four measures, beside ir-measures; and two logs of Inspect, of 1,000
questions with 10 epochs each. ``python -m benchmarks.readers`` also prints the peak of the memory.
seqeval and ir-measures are none of the extras; where they are missing, there are only csig's own
times.
"""

from __future__ import annotations

import json
import random
import statistics
import tempfile
import tracemalloc
import zipfile
from pathlib import Path

import csig
from benchmarks.timing import Row, pairs, seconds, table, text
from csig.readers.tags.read import TagFiles, TagSource, read_tags
from csig.readers.trec import read_runs

TOKENS = 1_000_000
LABELS = ("PER", "LOC", "ORG", "MISC")


def column(lengths: list[int], rng: random.Random) -> list[list[str]]:
    """Tags of sentences, IOB2; an entity begins at one token in nine or so."""
    sentences = []
    for length in lengths:
        tags: list[str] = []
        while len(tags) < length:
            if rng.random() < 0.12:
                label = rng.choice(LABELS)
                tags += [f"B-{label}", *[f"I-{label}"] * rng.choice((0, 0, 1, 1, 2))]
            else:
                tags.append("O")
        sentences.append(tags[:length])
    return sentences


def write(
    folder: Path, tokens: int = TOKENS
) -> tuple[list[list[list[str]]], dict[str, list[TagSource]]]:
    """The columns in memory, and as one file and as three."""
    rng = random.Random(1)
    lengths = [rng.randint(5, 35) for _ in range(tokens // 20)]
    words = [f"w{i}" if i % 7 else f"Wörd{i}" for i in range(20_000)]
    columns = [column(lengths, rng) for _ in range(3)]
    texts = [[rng.choice(words) for _ in range(length)] for length in lengths]
    names = ("gold", "a", "b")
    together = folder / "tags.tsv"
    with together.open("w", encoding="utf-8") as file:
        file.write("\t".join(("token", *names)) + "\n")
        for sentence in zip(texts, *columns, strict=True):
            file.writelines("\t".join(row) + "\n" for row in zip(*sentence, strict=True))
            file.write("\n")
    paths = [folder / f"{name}.conll" for name in names]
    for path, own in zip(paths, columns, strict=True):
        with path.open("w", encoding="utf-8") as file:
            for sentence in zip(texts, own, strict=True):
                file.writelines(f"{word} NN {tag}\n" for word, tag in zip(*sentence, strict=True))
                file.write("\n")
    sources: dict[str, list[TagSource]] = {
        "one file": [(together, name) for name in names],
        "three files": [*paths],
    }
    return columns, sources


def runs(folder: Path) -> None:
    """Ten runs of 50 topics and 1,000 documents: read, and measured."""
    rng = random.Random(1)
    files = [folder / f"{i}.run" for i in range(10)]
    judged = {topic: rng.sample(range(200_000), 2000) for topic in range(300, 350)}
    with (folder / "qrels").open("w", encoding="utf-8") as file:
        for topic, own in judged.items():
            file.writelines(f"{topic} 0 FT-{d} {rng.choice((0, 0, 0, 1, 2))}\n" for d in own)
    for path in files:
        with path.open("w", encoding="utf-8") as file:
            for topic, own in judged.items():
                found = list({*rng.sample(own, 400), *rng.sample(range(200_000), 700)})[:1000]
                file.writelines(f"{topic} Q0 FT-{d} 1 {rng.random():.5f} x\n" for d in found)
    names = ("AP", "nDCG@10", "P@5", "RR")

    def ours() -> object:
        return read_runs(files, folder / "qrels", names)

    what = "10 runs of 50 topics and 1,000 documents, 4 measures"
    try:
        import ir_measures
    except ImportError:
        times = [seconds(ours) for _ in range(7)]
        print(f"{what}: {text(statistics.median(times))} (ir-measures is not installed)")
        return

    def theirs() -> object:
        qrels = ir_measures.read_trec_qrels(str(folder / "qrels"))
        evaluator = ir_measures.evaluator([*map(ir_measures.parse_measure, names)], qrels)
        own = (ir_measures.read_trec_run(str(path)) for path in files)
        return [list(evaluator.iter_calc(run)) for run in own]

    print(table([pairs(what, "ir-measures", theirs, ours, rounds=5, wanted="3")]))


def logs(folder: Path) -> None:
    """Two logs of Inspect, 1,000 questions with 10 epochs and texts: read to the comparison."""
    rng = random.Random(1)
    files = [folder / f"{name}.eval" for name in ("base", "new")]
    for path in files:
        summaries = []
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            for i in range(10_000):
                value = rng.choice("CI")
                own = {"id": i // 10, "epoch": i % 10 + 1, "scores": {"match": {"value": value}}}
                summaries.append(own)
                whole = json.dumps(own | {"messages": rng.randbytes(1800).hex()})
                file.writestr(f"samples/{i // 10}_epoch_{i % 10 + 1}.json", whole)
            file.writestr("summaries.json", json.dumps(summaries))
            head = {"version": 2, "status": "success", "eval": {"model": path.stem}}
            file.writestr("header.json", json.dumps(head))
    size = files[0].stat().st_size

    def ours() -> object:
        return csig.read(*files).comparison

    times = [seconds(ours) for _ in range(5)]
    tracemalloc.start()
    ours()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    print(
        f"two logs of Inspect, {size / 1e6:.3g} MB each, 10,000 samples: "
        f"{text(statistics.median(times))}, peak {peak / size:.2g} times one of them"
    )


def memory(sources: list[TagSource]) -> str:
    """The peak while reading, and the size of the files."""
    paths = {source[0] if isinstance(source, tuple) else source for source in sources}
    size = sum(Path(path).stat().st_size for path in paths)
    tracemalloc.start()
    read_tags(*sources)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return f"files {size / 1e6:.3g} MB, peak {peak / 1e6:.3g} MB, {peak / size:.2g} times as much"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        columns, files = write(Path(folder))
        found: TagFiles = read_tags(*files["one file"])
        print(f"{found.n_tokens} tokens, {len(found.gold)} entities of the gold\n")
        try:
            from seqeval.metrics.sequence_labeling import get_entities
            from seqeval.scheme import IOB2, Entities
        except ImportError:
            for what, sources in files.items():
                times = [seconds(lambda s=sources: read_tags(*s)) for _ in range(7)]
                print(f"{what}: {text(statistics.median(times))} (seqeval is not installed)")
        else:
            rows: list[Row] = []
            for what, sources in files.items():
                rows.append(
                    pairs(
                        f"gold and two systems of 1,000,000 tokens, {what}",
                        "seqeval, lists in memory",
                        lambda: [get_entities(own) for own in columns],
                        lambda s=sources: read_tags(*s),
                        rounds=5,
                        wanted="3",
                    )
                )
            rows.append(
                pairs(
                    "the same, one file, strict rules",
                    "seqeval, mode strict",
                    lambda: [Entities(own, IOB2) for own in columns],
                    lambda: read_tags(*files["one file"], rules="strict", scheme="IOB2"),
                    rounds=1,
                )
            )
            print(table(rows))
        for what, sources in files.items():
            print(f"\n{what}: {memory(sources)}")
        runs(Path(folder))
        logs(Path(folder))


if __name__ == "__main__":
    main()
