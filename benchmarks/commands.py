"""``python -m benchmarks.commands``: what every command prints, in two checkouts.

``run TREE RECORD`` runs the commands of README, docs and examples, some on every form of input, and
those on the data in CSIG_TEST_DATA, with the csig of a built checkout, in six formats, and writes
what they print. ``compare RECORD RECORD`` lists what differs: results (systems, units, scores,
hits, p-values, to the last digit) and words.
"""

from __future__ import annotations

import contextlib
import difflib
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FORMATS = ("text", "markdown", "latex", "csv", "html", "json")

#: What a command that draws is given, so that it draws the same again; and those that know -f.
SEEDED = ("compare", "systems", "datasets", "rank", "recommend", "interval", "audit")
RENDERED = ("compare", "systems", "datasets", "rank", "recommend", "interval", "describe", "train")

#: What differs between two runs of the same code.
VOLATILE = (
    (r"\d{4}-\d{2}-\d{2}(T[\d:.+-]+Z?)?", "DATE"), (r"\b[0-9a-f]{40,}\b", "DIGEST"),
    (r"(csig |version[\": ]+)\d+\.\d+\.\d+(\.?\w+)?", r"\1VERSION"), (r"\d+(\.\d+)? m?s\b", "TIME"),
)  # fmt: skip

#: Fields of JSON that are results.
NUMBERS = {
    "systems", "names", "n_units", "scores", "score_a", "score_b", "difference", "hits", "trials",
    "pvalue", "log_pvalue", "adjusted_pvalue", "lower", "upper", "metric", "engine", "gold",
}  # fmt: skip

#: What stands for longer words in the commands below.
SHORT = {
    "YEH": "examples/yeh2000.toml",
    "CLAIMS": "examples/yeh2000-claims.toml",
    "CONLL": "conll03_ner_tags/conll03_test_tags.tsv --gold-column gold "
    "--system flair --system elmo",
    "WNUT": "wnut17_ner/gold.emerging.test.annotated.conll wnut17_ner/spinningbytes.conll "
    "wnut17_ner/uh_ritual.conll",
}

#: Commands for the data in CSIG_TEST_DATA.
ON_DATA = """
compare cls_figqa_sst2_outputs/figqa_correct.csv --id item --cluster pair
compare cls_figqa_sst2_outputs/sst2_labels.csv
systems cls_figqa_sst2_outputs/sst2_labels.csv
recommend cls_figqa_sst2_outputs/sst2_labels.csv
compare CONLL
compare CONLL --by label
compare CONLL --statistic difference
describe conlleval_sample/output.txt
compare ir_trec_eval_test/out.test ir_trec_eval_test/out.test.aq
rank krenn_ppv_ranking/KrennPPV.csv --true is.colloc --methods freq,MI,Dice,t.score,chisq,log.like
rank krenn_ppv_ranking/KrennPPV.csv
compare krenn_ppv_ranking/KrennPPV.csv
compare llm_bbh_codex/correct.csv
compare llm_bbh_codex/published_accuracy.csv
datasets llm_bbh_codex/published_accuracy.csv
compare llm_gsm8k_four_systems/correct.csv
systems llm_gsm8k_four_systems/correct.csv
interval llm_gsm8k_four_systems/correct.csv
compare mlxtend_cochran_q/predictions.csv
compare mlxtend_cochran_q/predictions.csv --all-tests
compare mqm_ende2020/mqm_newstest2020_ende.avg_seg_scores.tsv
systems mqm_ende2020/mqm_newstest2020_ende.avg_seg_scores.tsv
compare mt_comparemt_ted/ted.ref.eng mt_comparemt_ted/ted.sys1.eng mt_comparemt_ted/ted.sys2.eng
datasets mteb_eng_v2/mteb_eng_v2.csv
describe mteb_eng_v2/mteb_eng_v2.csv
compare tau_bench_airline/gpt-4o-airline.csv
describe tau_bench_airline/gpt-4o-airline.csv
compare trec_cacm/ir_measures.csv
compare trec_robust03/ir_measures.csv
describe trec_robust03/ir_measures.csv
compare asr_sctk/utterances.csv
describe asr_sctk/utterances.csv
compare WNUT
compare WNUT --statistic difference --unit sentence
describe llm_logs/helm_hellaswag_pythia1b_per_instance_stats.json
describe llm_logs/every_eval_ever_samples.jsonl
describe llm_logs/samples_math_perturbed_full_2026-01-21T03-44-18.458309.jsonl
"""

#: Commands for the files that `inputs` makes.
ON_INPUTS = """
compare scores.csv --cluster task --explain --cite
compare scores.csv --system base --system new --by task
compare right.csv --system a --system b --all-tests
compare right.csv --baseline b --risk 0.1
compare gold.conll a.conll b.conll --unit response --method approximate
compare gold.conll a.conll b.conll --scheme plain
compare gold.tsv a.tsv b.tsv --documents --worst 3
compare labels.tsv --gold-column gold --metric macro_f1,mcc
compare labels.tsv --positive spam
compare counts.csv
compare long.csv
compare long.csv --run seed
compare base.txt new.txt
compare base.json new.json
compare records.jsonl
compare missing.csv
compare missing.csv --allow-missing intersection
compare summed.csv
compare summed.csv --drop-row mean
compare percent.csv
compare mixed.csv
compare nothing.csv
compare scores.csv --metrc mean
compare gold.spans.jsonl a.spans.jsonl b.spans.jsonl --by label
compare --counts YEH --method yeh2000
compare --counts YEH --statistic difference
compare --counts YEH --sensitivity
systems scores.csv --letters --explain
systems right.csv --baseline a --correction flips
systems gold.conll a.conll b.conll c.conll --metric f1
interval right.csv
interval scores.csv --method bca
datasets sets.csv --explain --all-tests
datasets sets.csv --baseline s1
rank cands.csv --true true --methods MI,freq --n 50:200:10 --explain
rank cands.csv --true true --methods MI,freq --sample part --n 100
recommend scores.csv --system base --system new --all-tests --explain
recommend gold.conll a.conll b.conll
recommend sets.csv --rows datasets
describe gold.conll a.conll b.conll
describe scores.csv
describe labels.tsv
convert gold.conll a.conll b.conll -o -
convert labels.tsv -o -
train train.csv --method bootstrap
audit right.csv --system a --system b --table
audit --claims CLAIMS
verify nothing.json
"""


def inputs() -> None:
    """Files of every form in the working folder, the same at every call."""
    draw = random.Random(5)

    def write(name: str, lines: Sequence[str]) -> None:
        Path(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    def table(name: str, header: str, rows: Iterator[str]) -> None:
        write(name, [header, *rows])

    def share() -> str:
        return f"{draw.random():.3f}"

    table("scores.csv", "id,task,base,new,other",
          (f"q{i},t{i // 4},{share()},{share()},{share()}" for i in range(60)))  # fmt: skip
    table("right.csv", "id,a,b,c",
          (f"q{i},{','.join(str(int(draw.random() < p)) for p in (0.6, 0.7, 0.5))}"
           for i in range(80)))  # fmt: skip
    kinds = ("spam", "ham", "eggs")
    gold = [draw.choice(kinds) for _ in range(80)]
    label_rows = []
    for i, label in enumerate(gold):
        wrong = ((0.7, "ham"), (0.6, "eggs"))
        answers = [label if draw.random() < p else other for p, other in wrong]
        label_rows.append("\t".join((str(i), label, *answers)))
    table("labels.tsv", "id\tgold\tx\ty", iter(label_rows))
    tags = [[draw.choice(("O", "O", "O", "B-PER", "B-LOC")) for _ in range(8)] for _ in range(30)]
    for name, right in (("gold", 1.0), ("a", 0.8), ("b", 0.7), ("c", 0.5)):
        lines = []
        for i, sentence in enumerate(tags):
            lines += ["-DOCSTART- O", ""] if i % 10 == 0 else []
            lines += [f"w{t} {g if draw.random() < right else 'O'}" for t, g in enumerate(sentence)]
            lines.append("")
        write(f"{name}.conll", lines)
        write(
            f"{name}.tsv", [f"d{i // 4}\tr{i if draw.random() < right else -i}" for i in range(40)]
        )
        write(f"{name}.spans.jsonl", [
            json.dumps({"document": f"d{i // 5}", "start": 10 * i, "end": 10 * i + 4,
                        "label": "PER" if i % 3 else "LOC"})
            for i in range(50) if draw.random() < right
        ])  # fmt: skip
    table("sets.csv", "dataset,s1,s2,s3,s4",
          (f"d{i},{share()},{share()},{share()},{share()}" for i in range(12)))  # fmt: skip
    table("cands.csv", "pair,true,MI,freq,part",
          (f"p{i},{draw.random() < 0.3},{share()},{draw.randint(1, 20)},k{i % 6}"
           for i in range(300)))  # fmt: skip
    table("train.csv", "replicate,system,score",
          (f"{i},{s},{share()}" for i in range(20) for s in "uv"))  # fmt: skip
    table("counts.csv", "id,gold,tp_a,predicted_a,tp_b,predicted_b",
          (f"q{i},5,{draw.randint(0, 3)},4,{draw.randint(0, 2)},{draw.randint(2, 6)}"
           for i in range(40)))  # fmt: skip
    keys = product(range(20), ("one", "two"), (1, 2))
    table("long.csv", "id,model,seed,score", (f"q{i},{m},{s},{share()}" for i, m, s in keys))
    for name in ("base", "new"):
        write(f"{name}.txt", [share() for _ in range(30)])
        write(f"{name}.json", [json.dumps({f"q{i}": draw.random() for i in range(20)}, indent=1)])
    write("records.jsonl", [
        json.dumps({"id": i, "meta": {"topic": f"t{i % 5}"}, "base": draw.random(), "new": 0.5})
        for i in range(20)
    ])  # fmt: skip
    table(
        "missing.csv",
        "id,base,new",
        (f"q{i},{share()},{share() if i % 7 else 'NA'}" for i in range(20)),
    )
    table("summed.csv", "id,base,new", iter(["q1,1,0", "q2,0,1", "q3,1,1", "mean,0.67,0.67"]))
    table("percent.csv", "id,base,new", (f"q{i},{share()}%,{share()}%" for i in range(20)))
    table(
        "mixed.csv", "id,base,new", (f"q{i},{share()},{draw.randint(5, 90)}.5" for i in range(20))
    )


def long(text: str) -> str:
    """A command with the words that are short above."""
    return re.sub(r"\b[A-Z]{3,}\b", lambda word: SHORT.get(word[0], word[0]), text)


def commands(data: str | None) -> list[list[str]]:
    """Every command once, without formats."""
    texts = [f"csig {line}" for line in ON_INPUTS.strip().splitlines()]
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    pages += sorted((ROOT / "examples").glob("*/README.md"))
    for page in pages:
        for line in re.findall(r"(?m)^(?:    |\$ )(csig [a-z].*)$", page.read_text("utf-8")):
            if not re.search(r"[>|&]|  |--scheduler|--workers", line):
                texts.append(line)
    for line in ON_DATA.strip().splitlines() if data else ():
        texts.append("csig " + re.sub(r"(?<= )(?=\w+/)", f"{data}/", long(line)))
    texts = [long(text).replace(" examples/", f" {ROOT}/examples/") for text in texts]
    return [shlex.split(text, comments=True)[1:] for text in dict.fromkeys(texts)]


def record() -> dict[str, list[Any]]:
    """What the csig that can be imported prints for every command."""
    from click.testing import CliRunner

    from csig.cli.app import program

    data = os.environ.get("CSIG_TEST_DATA")
    places = [(str(ROOT), "ROOT"), (data or "DATA", "DATA")]
    found: dict[str, list[Any]] = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        inputs()
        for words in commands(data):
            seed = ["--seed", "1"] if words[0] in SEEDED and "--seed" not in words else []
            named = {"-f", "--json"} & {*words} or words[0] not in RENDERED
            for form in ("",) if named else FORMATS:
                every = [*words, *seed, *(["-f", form] if form else [])]
                result = CliRunner().invoke(program, every)
                if "No such option" in result.output and seed:
                    result = CliRunner().invoke(program, [w for w in every if w not in seed])
                output = result.output
                for place, name in (*places, (folder, "FOLDER")):
                    output = output.replace(place, name)
                key = shlex.join(every)
                for place, name in places:
                    key = key.replace(place, name)
                found[key] = [result.exit_code, output]
                print(result.exit_code, key, file=sys.stderr, flush=True)
    return found


def numbers(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The results in a JSON record, by their paths."""
    if isinstance(value, dict):
        for name, own in value.items():
            if name in NUMBERS and not isinstance(own, dict):
                yield f"{path}.{name}", own
            else:
                yield from numbers(own, f"{path}.{name}")
    elif isinstance(value, list):
        for i, own in enumerate(value):
            yield from numbers(own, f"{path}[{i}]")


def plain(text: str) -> list[str]:
    for pattern, name in VOLATILE:
        text = re.sub(pattern, name, text)
    return text.splitlines()


def compare(before: dict[str, list[Any]], after: dict[str, list[Any]]) -> None:
    """Print what differs: commands that are refused by one only, results, and words."""
    counts = dict.fromkeys(("same", "words differ", "RESULTS DIFFER", "STATUS DIFFERS", "one"), 0)
    for key in dict.fromkeys([*before, *after]):
        if key not in before or key not in after:
            counts["one"] += 1
            continue
        (one, old), (other, new) = before[key], after[key]
        lines = list(difflib.unified_diff(plain(old), plain(new), lineterm="", n=0))[2:]
        kind = "words differ" if lines else "same"
        if one != other:
            kind = "STATUS DIFFERS"
        elif lines and key.endswith("-f json") and one == 0:
            results = [dict(numbers(json.loads(text))) for text in (old, new)]
            if results[0] != results[1]:
                kind = "RESULTS DIFFER"
                paths = [
                    p for p in results[0] | results[1] if results[0].get(p) != results[1].get(p)
                ]
                lines = [f"{p}: {results[0].get(p)} -> {results[1].get(p)}" for p in paths]
        counts[kind] += 1
        if kind != "same":
            print(f"\n{kind}: csig {key}", *lines[:12], sep="\n    ")
    print("\n" + ", ".join(f"{number} {kind}" for kind, number in counts.items()))


def main() -> None:
    match sys.argv[1:]:
        case ["run", tree, path]:
            found = subprocess.run(
                [sys.executable, __file__, "record"], stdout=subprocess.PIPE, text=True, check=True,
                env={**os.environ, "PYTHONPATH": str(Path(tree).resolve()), "COLUMNS": "100"},
            )  # fmt: skip
            Path(path).write_text(found.stdout, encoding="utf-8")
        case ["compare", one, other]:
            compare(*(json.loads(Path(path).read_text("utf-8")) for path in (one, other)))
        case ["record"]:
            sys.path.pop(0)  # this folder, which is no csig
            json.dump(record(), sys.stdout)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
