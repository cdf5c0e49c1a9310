"""The files that ``old_records.py`` audits: every form of input, small and made up.

Eighteen units, fifteen sentences or eight documents each, drawn from Python's own generator with
fixed seeds, so that every run of it writes the same bytes.
"""

from __future__ import annotations

import gzip
import io
import json
import random
from collections.abc import Iterable, Mapping, Sequence

__all__ = ["all_files"]

N = 18
QUARTERS = ("0", "0.25", "0.5", "0.75", "1")
BITS = ("0", "1")
LABELS = ("pos", "neg", "neu")

Columns = Mapping[str, Sequence[str]]
Files = dict[str, str | bytes]


def drawn(seed: int, values: Sequence[str], n: int = N) -> list[str]:
    """Some values; the same on every Python, as only random() is."""
    rng = random.Random(seed)
    return [values[int(rng.random() * len(values))] for _ in range(n)]


def answers(seed: int, gold: Sequence[str], values: Sequence[str], right: float) -> list[str]:
    """What a system says that is right as often as this, and else by chance."""
    rng = random.Random(seed)
    return [
        own if rng.random() < right else values[int(rng.random() * len(values))] for own in gold
    ]


def turned(cells: Sequence[str], by: int = 7) -> list[str]:
    """The same in another order, which is the same for all columns of a file."""
    return [cells[(by * i + 3) % len(cells)] for i in range(len(cells))]


def lines(cells: Iterable[str]) -> str:
    return "".join(f"{cell}\n" for cell in cells)


def table(columns: Columns, sign: str = ",", order: int = 1) -> str:
    """A header and rows; a quoted cell has to be written so."""
    cells = [turned(own, order) if order > 1 else own for own in columns.values()]
    return lines([sign.join(columns), *map(sign.join, zip(*cells, strict=True))])


def renamed(columns: Columns, **names: str) -> dict[str, Sequence[str]]:
    """The columns with these names, in this order: ``new="old"``."""
    return {new: columns[old] for new, old in names.items()}


ENDS = ("dale", "ford", "gate", "hill", "moor", "wood")
WORDS = [first + last for first in ("amber", "birch", "cedar") for last in ENDS]

#: Columns for tables: two systems with scores, more systems, and what else tables have.
UNITS: dict[str, list[str]] = {
    "id": [f"q{i:02}" for i in range(1, N + 1)],
    "base": drawn(1, QUARTERS),
    "new": drawn(2, QUARTERS),
    "other": drawn(3, QUARTERS),
    "right": drawn(4, BITS),
    "better": drawn(6, BITS),
    "stars": drawn(6, tuple("12345")),
    "points": drawn(7, tuple("12345")),
    "story": [f"s{i // 3 + 1}" for i in range(N)],
    "task": ["easy", "hard"] * (N // 2),
    "length": drawn(8, tuple(map(str, range(12, 40)))),
    "text": [f"the {word}" for word in WORDS],
    "uid": WORDS,
    "numbers": [str(101 + 7 * i % 90) for i in range(N)],
    "lots": [str(5 * (7 * i % N) + 11) for i in range(N)],
    "same": [str(10 * (i // 3 % 4) + 20) for i in range(N)],
    "words": [str(i) if i % 3 == 0 else word for i, word in enumerate(WORDS)],
    "truth": drawn(9, ("True", "False")),
    "share": [f"{cell}%" for cell in drawn(10, ("12.5", "50", "75", "100"))],
    "constant": ["100"] * N,
}


def of(*names: str, **others: str) -> dict[str, Sequence[str]]:
    """Columns of `UNITS` by their names, and others by another name: ``new="old"``."""
    return {name: UNITS[name] for name in names} | renamed(UNITS, **others)


# ---- responses, counts -------------------------------------------------------------------------


def responses() -> Files:
    """Responses of the gold and of two systems, with and without documents and spans."""
    rng = random.Random(11)
    whole = [f"{word}-{i}" for i in range(2) for word in WORDS]
    kept = [[own for own in whole if rng.random() < share] for share in (0.8, 0.55, 0.6)]
    spans = [
        (f"d{d}", 3 * p, 3 * p + 2, label)
        for d in range(1, 9)
        for p in range(4)
        for label in ("PER", "LOC")
    ]
    some = [[own for own in spans if rng.random() < share] for share in (0.6, 0.5, 0.4)]
    names = ("gold", "base", "new")
    found: Files = {}
    for name, own, places in zip(names, kept, some, strict=True):
        found[f"responses/{name}.txt"] = lines(own)
        found[f"responses/many-{name}.txt"] = lines(own[:16])
        found[f"responses/numbers-{name}.txt"] = lines(str(100 + whole.index(x)) for x in own)
        found[f"responses/spans-{name}.tsv"] = lines("\t".join(map(str, x)) for x in places)
        found[f"responses/bare-{name}.tsv"] = lines(
            "\t".join(map(str, x[1:])) for x in places if x[0] == "d1"
        )
    return found


def counts() -> Files:
    """Counts of a whole comparison, and tables of counts."""
    known = {
        "gold": 40, "both_correct": 9, "only_a_correct": 12, "only_b_correct": 4,
        "both_spurious": 3, "only_a_spurious": 11, "only_b_spurious": 5,
    }  # fmt: skip
    gold = drawn(12, tuple("23456"))
    found: Files = {
        "counts/some.toml": lines(f"{name} = {n}" for name, n in known.items())
        + 'name_a = "method I"\nname_b = "method II"\n',
        "counts/some.json": json.dumps(known, indent=1) + "\n",
    }
    columns: dict[str, list[str]] = {"gold": gold}
    for seed, name in ((13, "base"), (14, "new")):
        right = [str(min(int(g), int(x))) for g, x in zip(gold, drawn(seed, "0123"), strict=True)]
        wrong = drawn(seed + 10, "012")
        columns |= {
            f"tp_{name}": right,
            f"predicted_{name}": [str(int(x) + int(y)) for x, y in zip(right, wrong, strict=True)],
            f"fp {name}": wrong,
            f"fn {name}": [str(int(g) - int(x)) for g, x in zip(gold, right, strict=True)],
        }
    wide = ("gold", "tp_base", "predicted_base", "tp_new", "predicted_new")
    three = {
        f"{name}.{count}": columns[f"{count}_{name}" if count == "tp" else f"{count} {name}"]
        for name in ("base", "new")
        for count in ("tp", "fp", "fn")
    }
    found["counts/wide.csv"] = table(of(doc="id") | {name: columns[name] for name in wide})
    found["counts/cluster.csv"] = table(
        of("id", "length", document="story") | {name: columns[name] for name in wide}
    )
    found["counts/three.csv"] = table(of("id") | three)
    found["counts/half.csv"] = table(of("id") | {n: columns[n] for n in ("tp_base", "tp_new")})
    both = {f"{name} correct": columns[f"tp_{name}"] for name in ("base", "new")}
    found["counts/right.csv"] = table(of("id") | both | {"n": gold})
    long = []
    for name in ("base", "new"):
        own = {count: columns[f"{count}_{name}"] for count in ("tp", "predicted")}
        rows = zip(UNITS["id"], *own.values(), gold, strict=True)
        long += [",".join((name, *row)) for row in rows]
        found[f"counts/{name}.csv"] = table(of("id") | own | {"gold": gold})
    found["counts/long.csv"] = lines(["system,id,tp,predicted,gold", *long])
    return found


# ---- tags and spans ----------------------------------------------------------------------------

#: Sentences of (token, tags of the gold and of two systems).
Sentences = list[list[tuple[str, ...]]]


def tagged(seed: int, tags: Sequence[str]) -> Sentences:
    """Fifteen sentences; what begins with B goes on with I now and then."""
    rng = random.Random(seed)

    def one(right: str | None) -> str:
        if right is not None and rng.random() < 0.7:
            return right
        return tags[int(rng.random() * len(tags))]

    found: Sentences = []
    for i in range(15):
        sentence: list[tuple[str, ...]] = []
        for j in range(3 + i % 3):
            gold = one(None)
            if gold.startswith("B-") and sentence and sentence[-1][1] == gold:
                gold = gold.replace("B-", "I-")
            sentence.append((WORDS[(5 * i + j) % N], gold, one(gold), one(gold)))
        found.append(sentence)
    return found


def conll(sentences: Sentences, column: int | None, sign: str = " ", mark: str = "") -> str:
    """Tokens with the tags of one column, or of all; a mark before every third sentence."""
    found: list[str] = []
    for i, sentence in enumerate(sentences):
        if mark and i % 3 == 0:
            text = mark.format(i // 3 + 1)
            found += [text, ""] if text.startswith("-") else [text]
        for token, *tags in sentence:
            found.append(sign.join((token, *(tags if column is None else [tags[column]]))))
        found.append("")
    return lines(found[:-1])


def tags() -> Files:
    """Tags of entities and plain labels: in three files, and in columns of one."""
    found: Files = {}
    entities, plain = tagged(21, ("O", "O", "O", "B-PER", "B-LOC")), tagged(22, ("N", "V", "A"))
    for i, name in enumerate(("gold", "base", "new")):
        found[f"tags/{name}.conll"] = conll(entities, i)
        found[f"tags/docs-{name}.conll"] = conll(entities, i, mark="-DOCSTART- O")
        found[f"tags/marked-{name}.conll"] = conll(entities, i, "\t", "# newdoc id = d{}")
        found[f"tags/plain-{name}.tsv"] = conll(plain, i, "\t")
        spelt = [[(t.upper() if i else t, *own) for t, *own in s] for s in entities]
        found[f"tags/spelt-{name}.conll"] = conll(spelt, i)
        found[f"tags/alone-{name}.txt"] = lines(
            text for s in entities for text in (*(own[1 + i] for own in s), "")
        )
        found[f"tags/four-{name}.conll"] = lines(
            text
            for s in entities
            for text in (*(f"{t[0]} x {t[1 + i]} {t[1 + (i + 1) % 3]}" for t in s), "")
        )
    found["tags/documents.txt"] = lines(f"d{i // 3}" for i in range(15))
    found["tags/numbers.conll"] = conll(entities, None, "   ")
    rows = [
        "\t".join((str(i), f"d{i // 3}", *token))
        for i, sentence in enumerate(entities)
        for token in sentence
    ]
    found["tags/columns.tsv"] = lines(["sentence_id\tdoc\ttoken\tgold\tbase\tnew", *rows])
    found["tags/plain.tsv"] = lines(["token\tgold\tbase\tnew"]) + conll(plain, None, "\t")
    return found


def spans() -> Files:
    """Spans as JSON Lines and as brat writes them."""
    rng = random.Random(31)
    places = [(d, 6 * p, 6 * p + 4, x) for d in range(1, 9) for p in range(3) for x in ("A", "B")]
    found: Files = {}
    for name, share in (("gold", 0.7), ("base", 0.6), ("new", 0.5)):
        own = [place for place in places if rng.random() < share]
        rows = [
            {"document": f"d{d}", "start": start, "end": end, "label": label}
            for d, start, end, label in own
        ]
        bare = [{"document": "d9"}] if name == "gold" else []
        found[f"spans/{name}.jsonl"] = lines(map(json.dumps, [*rows, *bare]))
        short = ({"doc": x["document"], "from": x["start"], "to": x["end"], "label": x["label"],
                  "note": "-"} for x in rows)  # fmt: skip
        found[f"spans/short-{name}.jsonl"] = lines(map(json.dumps, short))
        for d in range(1, 9):
            text = [
                f"T{i}\t{label} {start} {end}\tword"
                for i, (own_d, start, end, label) in enumerate(own)
                if own_d == d
            ]
            if d != 8 or name != "new":
                found[f"spans/{name}/d{d}.ann"] = lines([*text, "#1\tAnnotatorNotes T1\tsure"])
    return found


# ---- tables of scores --------------------------------------------------------------------------


def scores() -> Files:
    """Tables of scores with a column for every system."""
    ids = of("id", "base", "new")
    found: Files = {
        f"scores/{name}.csv": table(columns)
        for name, columns in {
            "ids": ids,
            "no-ids": of("base", "new"),
            "three": of("id", "base", "new", "other"),
            "bits": of("id", "right", "better"),
            "whole": of("id", "stars", "points"),
            "story": of("id", "story", "base", "new"),
            "document": of("id", "base", "new", document="story"),
            "topic": of("base", "new", topic="id"),
            "question": of("base", "new", Question="uid"),
            "task": of("id", "task", "base", "new"),
            "length": of("id", "length", "base", "new"),
            "lots": of("id", "lots", "base", "new"),
            "constant": of("id", "constant", "base", "new"),
            "same": of("id", "same", "base", "new", group="story"),
            "size": of("id", "base", size="new"),
            "seed": of("id", "base", "new", seed="length"),
            "text": of("id", "text", "base", "new"),
            "words": of("id", "words", "base", "new"),
            "truth": of("id", "base", "truth", "new"),
            "share": of("id", "base", "share", "new"),
            "uid": of("uid", "base", "new"),
            "two-ids": of("id", "uid", "base", "new"),
            "unnamed": {"": UNITS["numbers"], **of("base", "new")},
            "unnamed-0": {"Unnamed: 0": UNITS["numbers"], **of("base", "new")},
            "gold": of("id", "base", gold="new"),
        }.items()
    }
    return found | written() | quoted()


def written() -> Files:
    """The same columns, written in other ways."""
    ids = of("id", "base", "new")
    found: Files = {"scores/total.csv": table(ids) + "all,0.5,0.625\n"}
    real = {
        name: [f"{random.Random(seed + i).random():.4f}" for i in range(N)]
        for name, seed in (("base", 100), ("new", 200))
    }
    found["scores/real.csv"] = table(of("id") | real)
    spelt = {"1": "+1.0", "0.5": " .5", "0.25": "2.5e-1", "0": "-0", "0.75": "00.750 "}
    found["scores/spelt.csv"] = table(
        of("id") | {name: [spelt[x] for x in UNITS[name]] for name in ("base", "new")}
    )
    inner = {"id": [str(i % 3) for i in range(N)]}
    found["scores/inner.csv"] = table(inner | of("base", "new", passage="story"))
    halves = {"id": [str(i // 2) for i in range(N)]}
    found["scores/inner-few.csv"] = table(halves | of("task", "base", "new"))
    found["scores/semicolon.csv"] = table(ids, ";")
    found["scores/comma.csv"] = table(ids, ";").replace(".", ",")
    marked = {n: [f'"{x.replace(".", ",")}"' for x in UNITS[n]] for n in ("base", "new")}
    found["scores/comma-marks.csv"] = table(of("id") | marked)
    found["scores/windows.csv"] = ("\ufeff" + table(ids).removesuffix("\n")).replace("\n", "\r\n")
    found["scores/gaps.csv"] = table(ids).replace("q07", "\nq07").replace("q13", "\nq13")
    found["scores/missing.csv"] = "".join(
        line.rpartition(",")[0] + ",\n" if line.startswith(("q05", "q11")) else line
        for line in table(ids).splitlines(keepends=True)
    )
    bare = table(ids).partition("\n")[2]
    found["scores/bare.csv"] = bare
    found["scores/names.csv"] = "id,2024,2025\n" + bare
    found["scores/bare-words.csv"] = table(of("text", "base", "new")).partition("\n")[2]
    found["scores/ids.csv.gz"] = gzip.compress(table(ids).encode(), mtime=0)
    return found


def quoted() -> Files:
    """Tables with quotation marks."""
    said = {"note": [f'"{word}, so ""it"" is"' for word in WORDS]}
    marks = {"note": [f'"{word}' if i % 5 == 0 else word for i, word in enumerate(WORDS)]}
    some = {"note": [f'"a ""{w}"""' if i == 4 else w for i, w in enumerate(WORDS)]}
    broken = {"note": [f'"{w},\nand"' if i == 4 else w for i, w in enumerate(WORDS)]}
    every = {f'"{name}"': [f'"{x}"' for x in UNITS[name]] for name in ("id", "base", "new")}
    return {
        "scores/quoted.csv": table(of("id") | said | of("base", "new")),
        "scores/quoted.tsv": table(every, "\t"),
        "scores/marks.tsv": table(of("id") | marks | of("base", "new"), "\t"),
        "scores/marks-some.tsv": table(of("id") | some | of("base", "new"), "\t"),
        "scores/marks.csv": table(of("id") | marks | of("base", "new")),
        "scores/broken.csv": table(of("id") | broken | of("base", "new")),
    }


def long() -> Files:
    """Tables of scores with a row for every unit and system."""
    found: Files = {}
    rows = [
        (name, own, cell, task)
        for name in ("base", "new")
        for own, cell, task in zip(UNITS["id"], UNITS[name], UNITS["story"], strict=True)
    ]
    found["long/score.csv"] = lines(["system,id,score", *(",".join(row[:3]) for row in rows)])
    found["long/value.csv"] = lines(
        ["model,question,points,domain", *(",".join(row) for row in rows[::-1])]
    )
    found["long/length.csv"] = lines(
        ["system,id,length,score", *(f"{a},{b},{len(d) + 40},{c}" for a, b, c, d in rows)]
    )
    found["long/run.csv"] = lines(
        ["system,id,run,score", *(",".join((a, b, "1", c)) for a, b, c, _ in rows)]
    )
    found["long/missing.csv"] = lines(
        ["system,id,score", *(",".join(row[:3]) for i, row in enumerate(rows) if i not in (4, 30))]
    )
    third = zip(UNITS["id"], UNITS["other"], strict=True)
    more = [*(row[:3] for row in rows), *(("other", own, cell) for own, cell in third)]
    found["long/three.csv"] = lines(["system,id,score", *map(",".join, more)])
    return found


def several() -> Files:
    """Tables with the scores of one system each."""
    found: Files = {}
    ids = {"base": "id", "new": "id", "other": "id"}
    for seed, (name, _) in enumerate(ids.items(), start=41):
        own = UNITS[name]
        order = 1 if name == "base" else 5
        extra = {"f1": drawn(seed, QUARTERS), "wer": drawn(seed + 5, QUARTERS)}
        forms: dict[str, Columns] = {
            "ids": of("id") | {"output": [f"{name} {x}" for x in WORDS], "score": own},
            "metrics": of("id") | {"em": drawn(seed + 9, BITS)} | extra,
            "uid": of("uid") | {"map": own},
            "key": of(key="numbers") | {"map": own},
            "named": of("id", "text") | {name: own},
            "wer": of("id") | {"wer": extra["wer"]},
            "length": of("id", "length") | {"score": own},
        }
        for form, columns in forms.items():
            found[f"several/{form}-{name}.csv"] = table(columns, order=order)
        text = {"output": [f"{name} {x}" for x in UNITS["text"]]}
        in_order: dict[str, Columns] = {
            "order": of("uid") | {"map": own},
            "bare": {"map": own, "f1": extra["f1"]},
            "run": {"run": [name] * N, "map": own},
            "output": text | {"map": own},
            "missing": {"text": UNITS["text"], "map": [
                "" if i == seed % 7 else x for i, x in enumerate(own)]},
        }  # fmt: skip
        for form, columns in in_order.items():
            found[f"several/{form}-{name}.csv"] = table(columns)
        found[f"several/{name}/scores.csv"] = table(forms["key"], order=order)
        rows = found[f"several/ids-{name}.csv"]
        assert isinstance(rows, str)
        found[f"several/some-{name}.csv"] = lines(
            line for line in rows.splitlines() if not line.startswith(f"q0{seed % 7}")
        )
    return found


def numbers() -> Files:
    """One number per line."""
    found: Files = {}
    for i, name in enumerate(("base", "new", "other")):
        own = UNITS[name]
        found[f"numbers/{name}.txt"] = lines(own)
        found[f"numbers/named-{name}.txt"] = lines(["bleu", *own])
        gaps = ["" if j == 4 + i else x for j, x in enumerate(own)]
        found[f"numbers/gaps-{name}.txt"] = lines(gaps)
        found[f"numbers/few-{name}.txt"] = lines(drawn(51 + i, ("0", "1", "2")))
    return found


# ---- tables of labels --------------------------------------------------------------------------


def labels() -> Files:
    """The gold and the systems in a table, or one label per line in a file for each."""
    gold = drawn(61, LABELS)
    own = {
        name: answers(seed, gold, LABELS, right)
        for name, seed, right in (("base", 62, 0.6), ("new", 63, 0.5), ("other", 64, 0.5))
    }
    two = {"base": own["base"], "new": own["new"]}
    as_many = {"mood": drawn(65, ("glad", "calm", "cross"))}
    fold = {"fold": drawn(66, tuple("01"))}
    bits = {"gold": drawn(67, BITS)}
    bits |= {n: answers(i, bits["gold"], BITS, 0.6) for i, n in ((68, "base"), (69, "new"))}
    found: Files = {
        "labels/wide.csv": table(of("id", "text") | {"gold": gold} | two),
        "labels/three.csv": table(of("id") | {"gold": gold} | own),
        "labels/target.csv": table(of("id") | {"target": [f" {x}" for x in gold]} | two),
        "labels/answer.csv": table(of("id") | {"answer": gold} | two),
        "labels/mood.csv": table(of("id") | {"gold": gold} | two | as_many),
        "labels/fold.csv": table(of("id") | bits | fold),
        "labels/stories.csv": table(of("id", group="story") | {"gold": gold} | two),
        "labels/bare.tsv": table({"gold": gold} | two, "\t").partition("\n")[2],
    }
    rows = table({"gold_label": gold} | two).splitlines()
    ends = (4, 7, 11, 15)
    sentences = [text for i, row in enumerate(rows) for text in (["", row] if i in ends else [row])]
    found["labels/sentences.csv"] = lines(sentences)
    for name, said in {"gold": gold, **own}.items():
        found[f"labels/{name}.txt"] = lines(said)
        head = "label" if name == "gold" else "prediction"
        found[f"labels/named-{name}.txt"] = lines([head, *said])
        found[f"labels/gaps-{name}.txt"] = lines(
            "" if i == 2 and name == "new" else x for i, x in enumerate(said)
        )
        found[f"labels/numbers-{name}.txt"] = lines(str(LABELS.index(x)) for x in said)
        if name != "gold":
            columns = {"gold": gold, "prediction": said}
            found[f"labels/of-{name}.csv"] = table(of("id") | columns, order=1 + 4 * (name > "c"))
            found[f"labels/order-{name}.csv"] = table(columns)
    return found


# ---- JSON, samples, Parquet, statistics --------------------------------------------------------


def samples() -> Files:
    """Samples of a harness in a folder for each system; and in one folder."""
    found: Files = {}
    time = "2026-01-02T03-04-05.000001"
    for seed, name in ((71, "base"), (72, "new")):
        for at, task in enumerate(("sums", "riddles", "rhymes")):
            acc, norm = drawn(seed + 10 * at, BITS, 8), drawn(seed + 10 * at + 5, QUARTERS, 8)
            rows = [
                {"doc_id": i, "doc_hash": f"{task}{i}", "acc": float(x)} for i, x in enumerate(acc)
            ]
            more = [row | {"acc_norm": float(x)} for row, x in zip(rows, norm, strict=True)]
            strict = [
                row | {"filter": "strict", "acc": 1 - float(x)}
                for row, x in zip(rows, acc, strict=True)
            ]
            order = rows if name == "base" else rows[::-1]
            found[f"samples/{name}/samples_{task}_{time}.jsonl"] = lines(map(json.dumps, order))
            if task == "sums":
                loose = [row | {"filter": "loose"} for row in rows]
                found[f"samples/{name}-filters.jsonl"] = lines(map(json.dumps, loose + strict))
                found[f"samples/{name}-metrics.jsonl"] = lines(map(json.dumps, more))
    return found


def objects() -> Files:
    """Tables as JSON."""
    cells = zip(UNITS["id"], UNITS["base"], UNITS["new"], UNITS["story"], strict=True)
    rows: list[dict[str, object]] = [
        {"id": own, "base": float(x), "new": float(y), "meta": {"topic": story, "list": [1]}}
        for own, x, y, story in cells
    ]
    inside = [{"id": row["id"], "scores": {"base": row["base"], "new": row["new"]}} for row in rows]
    plain = [{name: row[name] for name in ("id", "base", "new")} for row in rows]
    truth = [
        {"id": own, "base": x == "1", "new": y == "1"}
        for own, x, y in zip(UNITS["id"], UNITS["right"], UNITS["better"], strict=True)
    ]
    holes: list[dict[str, object]] = [dict(row) for row in plain]
    holes[3]["new"] = None
    del holes[8]["base"]
    found: Files = {
        "json/array.json": json.dumps(plain, indent=1) + "\n",
        "json/lines.jsonl": lines(map(json.dumps, rows)),
        "json/inside.jsonl": lines(map(json.dumps, inside)),
        "json/truth.json": json.dumps(truth) + "\n",
        "json/holes.jsonl": lines(map(json.dumps, holes)),
    }
    for name in ("base", "new"):
        own = [{"id": row["id"], "score": row[name]} for row in plain]
        found[f"json/{name}.jsonl"] = lines(map(json.dumps, own))
    return found


def statistics() -> Files:
    """Tables as ``csig convert`` writes them."""
    gold = drawn(81, LABELS)
    said = {
        f"label_{name}": answers(seed, gold, LABELS, 0.6) for seed, name in ((82, "base"),
                                                                             (83, "new"))
    }  # fmt: skip
    rng = random.Random(84)
    rows = []
    for i in range(12):
        for start in range(3):
            right, base, new = (int(rng.random() < share) for share in (0.7, 0.5, 0.4))
            if right or base or new:
                cells = (i, f"d{i // 3}", start, start + 2, "PER", right, right * base, base,
                         right * new, new)  # fmt: skip
                rows.append(",".join(map(str, cells)))
    head = "sentence,document,start,end,label,gold,tp_base,predicted_base,tp_new,predicted_new"
    words = [line.split(",") for line in rows]
    quoted = [[*x[:2], f'"{x[2]}\t{x[4]}"', *x[5:]] for x in words]
    names = head.replace("start,end,label", "response").split(",")
    wide = counts()["counts/wide.csv"]
    assert isinstance(wide, str)
    return {
        "statistics/responses.csv": lines([head, *rows]),
        "statistics/quoted.tsv": lines("\t".join(x) for x in (names, *quoted)),
        "statistics/counts.csv": wide.replace("doc,", "document,", 1),
        "statistics/scores.csv": table(
            of("id", cluster="story", score_base="base", score_new="new")
            | {"metric": ["f1 of words"] * N}
        ),
        "statistics/losses.csv": table(of("id", loss_base="base", loss_new="new")),
        "statistics/labels.csv": table(of("id", "text") | {"gold": gold} | said),
    }


def parquet() -> dict[str, bytes]:
    """Tables as Parquet; none without pyarrow."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        return {}
    single = pyarrow.float32()
    forms = {
        "parquet/scores.parquet": {
            "id": pyarrow.array(range(101, 101 + N)),
            "length": pyarrow.array(map(int, UNITS["length"])),
            "base": pyarrow.array(map(float, UNITS["base"]), single),
            "new": pyarrow.array(map(float, UNITS["new"]), single),
        },
        "parquet/index.parquet": {
            "base": pyarrow.array([x == "1" for x in UNITS["right"]]),
            "new": pyarrow.array([x == "1" for x in UNITS["better"]]),
            "__index_level_0__": pyarrow.array(UNITS["uid"]),
        },
        "parquet/labels.parquet": {
            name: pyarrow.array(drawn(seed, LABELS)).dictionary_encode()
            for seed, name in ((91, "gold"), (92, "base"), (93, "new"))
        },
    }
    forms |= {
        f"parquet/{name}.parquet": {
            "id": pyarrow.array(UNITS["id"]),
            "score": pyarrow.array(map(float, UNITS[name])),
        }
        for name in ("base", "new")
    }
    found = {}
    for path, columns in forms.items():
        file = io.BytesIO()
        pyarrow.parquet.write_table(pyarrow.table(columns), file)
        found[path] = file.getvalue()
    return found


def all_files() -> dict[str, bytes]:
    """All files by their paths."""
    forms = (
        responses(), counts(), tags(), spans(), scores(), long(), several(), numbers(), labels(),
        samples(), objects(), statistics(),
    )  # fmt: skip
    found = {path: text for form in forms for path, text in form.items()}
    return {
        path: text if isinstance(text, bytes) else text.encode() for path, text in found.items()
    } | parquet()
