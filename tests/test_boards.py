"""Boards of systems: Borda scores and win rates, systems with other units, cards and records."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from commands import refused, run
from drawn import several
from hypothesis import given, settings
from hypothesis import strategies as st

import csig
from csig.report.records import record_digest
from csig.systems.report import check_size, data_of, runs


def borda(board: list[list[int]], lower: bool) -> list[Fraction]:
    """The mean number of systems that each beats, from its definition."""
    sign = -1 if lower else 1
    total = [Fraction(0)] * len(board[0])
    for row in board:
        for j, own in enumerate(row):
            for k, other in enumerate(row):
                if j != k:
                    total[j] += Fraction(1 + np.sign(sign * (own - other)).item(), 2)
    return [own / len(board) for own in total]


boards = st.integers(2, 4).flatmap(
    lambda systems: st.lists(
        st.lists(st.integers(0, 3), min_size=systems, max_size=systems), min_size=2, max_size=6
    )
)


@given(boards, st.booleans())
@settings(max_examples=several(8, 30))
def test_borda_over_all_swaps_of_a_board(board: list[list[int]], lower: bool) -> None:
    names = [f"s{j}" for j in range(len(board[0]))]
    columns = dict(zip(names, map(list, zip(*board, strict=True)), strict=True))
    found = csig.compare_systems(columns, rank_by="borda", lower_is_better=lower)
    observed = borda(board, lower)
    assert found.scores == pytest.approx([float(own) for own in observed])
    for j, k in zip(*np.triu_indices(len(names), 1), strict=True):
        hits = 0
        for swapped in product((False, True), repeat=len(board)):
            rows = [list(row) for row in board]
            for row, swap in zip(rows, swapped, strict=True):
                if swap:
                    row[j], row[k] = row[k], row[j]
            trial = borda(rows, lower)
            hits += abs(trial[j] - trial[k]) >= abs(observed[j] - observed[k])
        assert found.pvalues[j, k] == hits / 2 ** len(board)
    rates = csig.compare_systems(columns, rank_by="win-rate", lower_is_better=lower)
    assert np.array_equal(rates.pvalues, found.pvalues)
    assert rates.ranks == found.ranks
    assert rates.scores == pytest.approx(np.array(found.scores) / (len(names) - 1))


def test_borda_does_not_see_the_scale_of_an_item() -> None:
    rng = np.random.default_rng(2)
    scores = rng.normal(size=(4, 30))
    one, other = (
        csig.compare_systems(dict(zip("abcd", own, strict=True)), rank_by=by)
        for own, by in ((scores, "borda"), (scores * rng.uniform(0.01, 100, 30), "win-rate"))
    )
    assert np.array_equal(one.pvalues, other.pvalues)
    assert (one.in_percent, other.in_percent) == (False, True)
    two = csig.compare_systems({"a": scores[0], "b": scores[1]}, rank_by="borda")
    sign = csig.classical.sign_test(csig.Comparison.from_scores(*scores[:2]))
    assert two.pvalues[0, 1] == pytest.approx(sign.pvalue, rel=1e-12)


@pytest.mark.parametrize("others", [(0.1, 0.7), (1, 2)])
def test_borda_ties_are_those_of_decimals(others: tuple[float, float]) -> None:
    # 0.1 + 0.2 is another double than 0.3, and no better.
    data = {"a": [0.1 + 0.2] * 10, "b": [0.3] * 10, "c": [*others] * 5}
    found = csig.compare_systems(data, rank_by="borda")
    assert found.scores[0] == found.scores[1]
    assert found.pvalues[0, 1] == 1
    single = {name: np.array(own, dtype=np.float32) for name, own in data.items()}
    single["b"] = np.nextafter(single["b"], np.float32(1))  # which is one digit of this type
    found = csig.compare_systems(single, rank_by="borda")
    assert found.pvalues[0, 1] == 2.0**-9


# ---- systems that lack units ---------------------------------------------------------------------


def with_gaps(seed: int, binary: bool) -> dict[str, dict[str, float]]:
    rng = np.random.default_rng(seed)
    found = {}
    for name, share in zip("abcd", (0.9, 0.8, 0.5, 0.45), strict=True):
        scores = rng.random(40) < share if binary else rng.normal(share, 0.2, 40).round(2)
        kept = np.flatnonzero(rng.random(40) < 0.8)
        found[name] = {f"q{i}": float(scores[i]) for i in kept}
    return found


@pytest.mark.parametrize("binary", [True, False])
def test_pairs_are_compared_on_the_units_that_both_have(binary: bool) -> None:
    data = with_gaps(5, binary)
    with pytest.warns(csig.DataWarning, match=r"different \w+: each pair is compared on those"):
        found = csig.compare_systems(data, allow_missing="pairwise")
    for j, k in zip(*np.triu_indices(4, 1), strict=True):
        one, other = "abcd"[j], "abcd"[k]
        both = sorted(data[one].keys() & data[other].keys())
        a, b = ([data[name][key] for key in both] for name in (one, other))
        alone = csig.randomization_test(a, b)
        assert found.pvalues[j, k] == pytest.approx(alone.pvalue, rel=1e-12)
        assert found.differences[j, k] == pytest.approx(np.mean(a) - np.mean(b), abs=1e-12)
    assert found.scores == pytest.approx([np.mean([*own.values()]) for own in data.values()])


def test_who_is_better_is_said_by_the_common_units() -> None:
    # a has the easy units alone: its mean is higher, but on the common ones b is better.
    easy, hard = [f"e{i}" for i in range(60)], [f"h{i}" for i in range(20)]
    a = dict.fromkeys(easy, 1) | dict.fromkeys(hard, 0)
    b = dict.fromkeys(hard, 1)
    with pytest.warns(csig.DataWarning):
        found = csig.compare_systems({"a": a, "b": b}, allow_missing="pairwise")
    (pair,) = found.pairs
    assert pair.better == "b"
    assert found.ranks == {"b": (1, 1), "a": (2, 2)}


def test_what_needs_all_units() -> None:
    gaps: dict[str, object] = {"allow_missing": "pairwise"}
    apart = {"a": {"x": 1, "y": 0}, "b": {"x": 1, "z": 0}, "c": {"z": 1}}
    labels = {"a": ["x", "y"], "b": ["y", "y"]}
    for function, data, options, message in (
        (csig.compare_systems, with_gaps(5, True), {"rank_by": "borda"}, "needs every system's sc"),
        (csig.compare_systems, with_gaps(5, True), {"correction": "flips"}, "needs all units of"),
        (csig.compare_systems, with_gaps(5, True), {"correction": "shaffer"}, "needs all units of"),
        (csig.compare_systems, apart, {}, "a and c have no unit in common"),
        (csig.compare_systems, labels, {"gold": ["x", "y"]}, "'pairwise': needs one score per uni"),
        (csig.compare, with_gaps(5, True), {}, "is for csig systems"),
    ):
        with pytest.raises(csig.InputError, match=message):
            function(data, **gaps, **options)  # type: ignore[operator]


@pytest.mark.filterwarnings("ignore::csig.DataWarning")
def test_beside_a_baseline_only_its_units_matter() -> None:
    data = {"a": {"x": 1, "y": 0}, "b": {"z": 1, "w": 1}, "base": dict.fromkeys("wxyz", 0)}
    found = csig.compare_systems(data, allow_missing="pairwise", baseline="base")
    assert "both have, 2 of 4" in found.doubts[0]
    assert found.differences[:2, 2].tolist() == [0.5, 1]
    assert np.isnan(found.differences[0, 1])
    assert csig.verify(found.record).ok


@pytest.mark.filterwarnings("ignore::csig.DataWarning")
def test_pairs_with_too_few_common_units() -> None:
    def some(first: int, last: int, seed: int) -> dict[str, int]:
        right = np.random.default_rng(seed).integers(0, 2, 20)
        return {f"q{i}": int(right[i]) for i in range(first, last)}

    data = {"a": some(0, 12, 1), "b": some(9, 20, 2), "c": some(4, 20, 3)}
    found = csig.compare_systems(data, allow_missing="pairwise")
    assert "3 to 11 of 20" in found.doubts[0]
    assert "Of 1 pair these are too few" in found.doubts[0]
    data["c"] = some(7, 14, 3)
    found = csig.compare_systems(data, allow_missing="pairwise")
    assert "With 5 items no p-value of a pair can be below 0.0625" in found.doubts[1]


@pytest.mark.filterwarnings("ignore::csig.DataWarning")
def test_clusters_are_counted_as_such() -> None:
    def some(first: int, last: int) -> dict[str, float]:
        return {f"q{i}": i * first % 7 / 7 for i in range(first, last)}

    data = {"a": some(0, 12), "b": some(9, 21), "c": some(5, 18)}
    labels = {f"q{i}": f"d{i // 3}" for i in range(21)}
    found = csig.compare_systems(data, allow_missing="pairwise", cluster=labels)
    assert "both have, 1 to 3 of 7" in found.doubts[0]
    assert found.n_units == 7


def test_small_differences_of_large_scores() -> None:
    steps = np.array([1, 2, 3] * 7) * 2.0**-20
    a = {f"q{i}": 1e9 + step for i, step in enumerate(steps.tolist())}
    b = {f"q{i}": 1e9 for i in range(30)}
    with pytest.warns(csig.DataWarning):
        found = csig.compare_systems({"a": a, "b": b}, allow_missing="pairwise")
    assert found.differences[0, 1] == 2 * 2.0**-20 == -found.differences[1, 0]


def test_units_without_ids_are_rows() -> None:
    scores = np.random.default_rng(3).random((3, 30)).round(2)
    scores[2, ::3] = np.nan
    plain = dict(zip("abc", scores, strict=True))
    by_id = {
        name: {f"q{i:02}": v for i, v in enumerate(own) if v == v} for name, own in plain.items()
    }
    frame = pytest.importorskip("pandas").DataFrame(plain)
    results = []
    for data in (plain, by_id, frame):
        with pytest.warns(csig.DataWarning, match="20 to 30 of 30"):
            results.append(csig.compare_systems(data, allow_missing="pairwise"))
    for own in results[1:]:
        assert np.array_equal(own.pvalues, results[0].pvalues)
        assert np.array_equal(own.differences, results[0].differences)


# ---- records -------------------------------------------------------------------------------------

COUNTS = {
    "a": [[3, 4, 5], [2, 2, 4], [0, 1, 2], [4, 5, 5]],
    "b": [[2, 4, 5], [1, 3, 4], [1, 1, 2], [3, 5, 5]],
    "c": [[1, 4, 5], [0, 3, 4], [0, 2, 2], [3, 6, 5]],
}
SCORES = np.random.default_rng(4).normal(size=(3, 20)).round(2)
FEW = dict(zip("abc", SCORES, strict=True))


@pytest.mark.parametrize(
    ("data", "options"),
    [
        (FEW, {}),
        (FEW, {"rank_by": "borda", "lower_is_better": True}),
        (FEW, {"rank_by": "win-rate", "baseline": "b"}),
        (FEW, {"cluster": [i // 4 for i in range(20)]}),
        (FEW, {"correction": "flips", "rng": 7, "n_resamples": 999}),
        ({name: own.astype(np.float32) / 3 for name, own in FEW.items()}, {}),
        (COUNTS, {"columns": ("tp", "predicted", "gold"), "metric": "f1"}),
        (COUNTS, {"columns": ("tp", "predicted", "gold"), "metric": "recall"}),
        (with_gaps(6, True), {"allow_missing": "pairwise"}),
    ],
)
@pytest.mark.filterwarnings("ignore::csig.DataWarning")
def test_a_record_is_run_again(data: object, options: dict[str, object]) -> None:
    found = csig.compare_systems(data, **options)  # type: ignore[arg-type]
    record = json.loads(json.dumps(found.record))
    verified = csig.verify(record)
    assert verified.ok
    assert verified.compared > 20


def doctored(**changes: object) -> dict[str, object]:
    """A record with other fields, and the digest that goes with them."""
    record = json.loads(json.dumps(csig.compare_systems(FEW, rng=1).record))
    for path, value in changes.items():
        *above, last = path.split("__")
        place = record
        for step in above:
            place = place[int(step) if step.isdigit() else step]
        place[int(last) if last.isdigit() else last] = value
    record["sha256"] = record_digest(record)
    return record  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    "changes",
    [
        {"systems__0__numbers__0": 9.0},
        {"options__rank_by": "borda"},
        {"metric__greater_is_better": False},
        {"result__pairs__0__pvalue": 1e-9},
        {"result__systems__0__rank_high": 1},
        {"result__possibly_best": ["c"]},
        {"result__extra": 1},
    ],
)
def test_a_record_that_was_changed_and_sealed_again(changes: dict[str, object]) -> None:
    verified = csig.verify(doctored(**changes))
    assert not verified.ok
    assert all(line.startswith("result") for line in verified.differences)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"systems__0__numbers": [1, 2]}, "b has 20 items, a has 2"),
        ({"systems__0__numbers__3": "x"}, "no table"),
        ({"systems__0__numbers__3": [1]}, "no table"),
        ({"systems__1__name": "a"}, "same name"),
        ({"systems__0__type": "object"}, "one of"),
        ({"systems__0__numbers": [2**63] * 20, "systems__0__type": "int64"}, "no table"),
        ({"systems__0__numbers": [1.7e308] * 20}, "1e300 or more"),
        ({"systems__0__numbers": [1e30] * 20, "systems__0__type": "float16"}, "finite number"),
        ({"systems__0__numbers": [True] * 20}, "no table"),
        ({"systems__0__numbers": [None] * 20}, "a has no units"),
        (
            {
                "systems__0__numbers": [1] * 9 + [None] * 11,
                "systems__1__numbers": [None] * 9 + [1] * 11,
            },
            "a and b have no unit in common",
        ),
        ({"metric__numerator": ["x", "0"]}, "expected the form"),
        ({"metric__numerator": ["1/0", "0"]}, "expected the form"),
        ({"metric__numerator": ["1e99999999", "0"]}, "expected the form"),
        ({"metric__columns": ["tp", "n"]}, "reads 'tp'"),
        ({"options__baseline": "b"}, "expected 2 pairs"),
        ({"result": {}}, "expected 3 pairs"),
        ({"clusters": [0]}, "1 labels for 20 units"),
        ({"options__n_resamples": 2**50}, "n_resamples"),
        ({"metric__numerator": None}, "differs from csig's own"),
        ({"schema_version": 2}, "knows only versions 1 to 1"),
        ({"extra": 1}, "unknown fields"),
    ],
)
def test_records_that_cannot_be_used(changes: dict[str, object], message: str) -> None:
    with pytest.raises(csig.InputError, match=message):
        csig.verify(doctored(**changes))


def test_what_would_take_too_long_has_no_record() -> None:
    found = csig.compare_systems(COUNTS, columns=("tp", "predicted", "gold"), metric="f1")
    record = found.record
    asked = {**record["options"], "n_resamples": 2**43}
    with pytest.raises(csig.InputError, match="3 pairs of systems would take too long"):
        check_size(data_of(record), asked)


def test_numbers_under_the_name_of_another_metric() -> None:
    for name in ("accuracy", "error_rate"):
        assert csig.verify(doctored(metric__name=name)).differences == (
            f"metric: these numbers have no {name} with these weights",
        )
    record = csig.compare_systems(
        COUNTS, columns=("tp", "predicted", "gold"), metric="recall"
    ).record
    record["metric"]["name"] = "precision"
    assert "sha256: the record was changed after it was written" in csig.verify(record).differences
    record["sha256"] = record_digest(record)
    (line,) = csig.verify(record).differences
    assert "its weights are not those of csig's own precision" in line


def test_clusters_of_a_record_keep_their_order() -> None:
    data = {name: np.tile(own, 2) for name, own in FEW.items()}
    flips = {"correction": "flips", "rng": 1, "n_resamples": 999}
    labels = [f"c{i}" for i in np.random.default_rng(9).permutation(40) % 13]
    with pytest.warns(csig.DataWarning):
        found = csig.compare_systems(data, cluster=labels, **flips)  # type: ignore[arg-type]
    assert csig.verify(found.record).ok


# ---- the command ---------------------------------------------------------------------------------


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = [",".join(["id", *"abcd"])]
    data = with_gaps(8, True)
    for i in range(40):
        rows.append(",".join([f"q{i}", *(f"{own.get(f'q{i}', '')}" for own in data.values())]))
    (tmp_path / "t.csv").write_text("\n".join([*rows, "q40,,,,", ""]))
    return tmp_path


def test_a_card_and_a_record(table: Path) -> None:
    assert runs([1, 2, 3, 5, 7, 8]) == "1 to 3, 5, 7, 8"
    files = ("--card", "c.md", "--record", "r.json")
    said = run("systems", "t.csv", "--allow-missing", "pairwise", *files)
    assert "1 of 41 items is left out" in said
    lines = (table / "c.md").read_text().splitlines()
    head = "| Row | System | Accuracy, % | Interval, 95% | Ranks, 95% | Group | Better than |"
    rows = [line.strip("| ").split(" | ") for line in lines[lines.index(head) + 2 :][:4]]
    with pytest.warns(csig.DataWarning):
        found = csig.compare_systems(with_gaps(8, True), allow_missing="pairwise")
    assert [row[1] for row in rows] == [own.name for own in found.systems]
    ranks = [range(own.low or 0, (own.high or 0) + 1) for own in found.systems]
    assert [row[4] for row in rows] == [
        f"{own[0]}" if len(own) == 1 else f"{own[0]} to {own[-1]}" for own in ranks
    ]
    places = {row[1]: row[0] for row in rows}
    for row in rows:
        worse = [places[p.other if p.better == p.system else p.system] for p in found.pairs
                 if p.better == row[1]]  # fmt: skip
        assert row[6] == (runs(sorted(map(int, worse))) or "-")
    record = json.loads((table / "r.json").read_text())
    assert [file["path"] for file in record["inputs"]] == ["t.csv"]
    run("verify", "r.json")
    run("verify", "r.json", "--inputs", "t.csv")
    assert run("verify", "r.json", "r.json").startswith("2 of 2 records verified.")
    (table / "t.csv").write_text("id,a,b\nq,1,0\n")
    run("verify", "r.json", "--inputs", "t.csv", status=1)
    assert "has all that is compared again" in refused("verify", "r.json", "--independent")


@pytest.mark.parametrize(
    ("rows", "options"),
    [
        (["id,gold,a,b", "1,x,x,", "2,y,x,y", "3,x,x,x"], ()),
        (["id,tp_a,tp_b,predicted_a,predicted_b,gold", "1,,1,2,2,3", "2,1,1,2,2,3"], ("recall",)),
    ],
)
def test_a_table_of_labels_or_counts(table: Path, rows: list[str], options: tuple[str]) -> None:
    (table / "l.csv").write_text("\n".join([*rows, ""]))
    asked = [word for name in options for word in ("--metric", name)]
    said = refused("systems", "l.csv", "--allow-missing", "pairwise", *asked)
    assert "--allow-missing pairwise: needs one score per unit, found" in said


def test_a_record_on_standard_output_is_all_that_is_printed(table: Path) -> None:
    given = ("systems", "t.csv", "--allow-missing", "pairwise", "--record")
    printed = json.loads(run(*given, "-"))
    run(*given, "r.json")
    written = json.loads((table / "r.json").read_text())
    assert not (table / "-").exists()
    assert printed["result"] == written["result"]
    assert printed["systems"] == written["systems"]


def test_a_card_of_names_with_marks(table: Path) -> None:
    names = "a|b", "<i>x</i> & y"
    rows = [",".join(["id", *(f'"{name}"' for name in names)])]
    rows += [f"q{i},{i % 2},{i % 3 // 2}" for i in range(20)]
    (table / "n.csv").write_text("\n".join([*rows, ""]))
    run("systems", "n.csv", "--card", "n.md")
    assert "a\\|b |" in (table / "n.md").read_text()
    pytest.importorskip("matplotlib")
    run("systems", "n.csv", "--card", "n.html", "--rank-by", "borda")
    assert "Borda score" in (table / "n.html").read_text()
    assert "&lt;i&gt;x&lt;/i&gt; &amp; y" in (table / "n.html").read_text()
    assert "<i>x" not in (table / "n.html").read_text()


def test_a_card_as_a_picture(table: Path) -> None:
    pytest.importorskip("matplotlib")
    options = ("--allow-missing", "intersection", "--rank-by", "borda", "--card", "c.svg")
    run("systems", "t.csv", *options)
    assert "Borda score" in (table / "c.svg").read_text()
    assert "a card is .html, .md or .svg" in refused("systems", "t.csv", "--card", "c.txt")
