"""``csig plan`` and `csig.plan`: what is asked, what is answered, and what is simulated."""

import math
import random

import numpy as np
import pytest
from commands import record, refused, run, words, write
from numpy.random import default_rng
from scipy.stats import multinomial
from written import refusal

import csig
from csig import streams
from csig.planning import pairs
from csig.planning.pilot import Pilot, simulated

SOURCE = streams.make_source(7)


def binary(n: int, n_differ: int) -> csig.Comparison:
    """Items of which so many differ."""
    new = np.zeros(n, dtype=int)
    new[:n_differ] = 1
    return csig.Comparison.from_scores(new, np.zeros(n, dtype=int))


def counts(n: int = 300, seed: int = 3) -> csig.Comparison:
    """Documents with correct, predicted and gold entities."""
    rng = default_rng(seed)
    gold = rng.integers(1, 6, size=n)
    tables = []
    for share, extra in ((0.7, 1.0), (0.65, 0.7)):
        found = rng.binomial(gold, share)
        tables.append(np.column_stack([found, found + rng.poisson(extra, n), gold]))
    return csig.Comparison.from_statistics(*tables, ["tp", "predicted", "gold"])


def scores(n: int = 400, seed: int = 4) -> csig.Comparison:
    rng = default_rng(seed)
    base = rng.random(n)
    return csig.Comparison.from_scores(np.clip(base + rng.normal(0.01, 0.1, n), 0, 1), base)


# ---- simulations ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "d"), [(198, 0.08), (60, 0.12), (198, 0.0), (4000, 0.015)])
def test_simulated_right_and_wrong_items_have_the_exact_power(n, d):
    found = simulated(Pilot.of(binary(1000, 200), "mean"), n, d, 0.05, SOURCE, 0, 1500)
    assert abs(found.power - pairs.power(n, 0.2, d, 0.05)) < 4 * found.standard_error + 0.002
    assert 0.5 < found.standard_error / math.sqrt(found.power * (1 - found.power) / 1500) < 2


@pytest.mark.parametrize("metric", ["mean", "f1"])
def test_the_simulated_power_is_that_of_the_test_that_csig_runs(metric):
    """Test sets drawn here, by what the page says, and given to `randomization_test`."""
    comparison = scores() if metric == "mean" else counts()
    rows = comparison.rows()
    pilot = Pilot.of(comparison, metric)
    n, d, number, rng = 60, 0.5 * pilot.largest, 100, default_rng(5)
    share = pilot.share(d)
    wanted = csig.metrics.get(metric, comparison.columns)
    unit = [float(own) for own in comparison.scale]

    def score(sums: np.ndarray) -> float:
        named = dict(zip(comparison.columns, (sums * unit).tolist(), strict=True))
        return float(wanted.score({name: round(own * 2**20) for name, own in named.items()}))

    whole = rows.a.sum(axis=0), rows.b.sum(axis=0)
    pooled = whole[0] + whole[1]
    # A unit's better output is the one with which the sums of both systems are worth more.
    a, b = (np.array([score(pooled * 1000 + own) for own in table]) for table in (rows.a, rows.b))
    first = (a > b)[:, None]
    better, worse = np.where(first, rows.a, rows.b), np.where(first, rows.b, rows.a)
    expected = [share * one.sum(axis=0) + (1 - share) * two.sum(axis=0)
                for one, two in ((better, worse), (worse, better))]  # fmt: skip
    assert score(expected[0]) - score(expected[1]) == pytest.approx(d, abs=1e-4)
    hits = 0
    for _ in range(number):
        index, up = rng.integers(len(better), size=n), (rng.random(n) < share)[:, None]
        own = np.where(up, better[index], worse[index]), np.where(up, worse[index], better[index])
        test = csig.Comparison.from_statistics(*own, comparison.columns)
        p = csig.randomization_test(
            test, wanted, statistic="auto", method="approximate", n_resamples=499, rng=rng
        ).pvalue
        hits += p <= 0.05
    found = simulated(pilot, n, d, 0.05, SOURCE, 0, 1000)
    assert abs(hits / number - found.power) < 4.5 * math.sqrt(0.25 / number)
    assert 0.1 < found.power < 0.995


def test_many_units_have_the_power_that_few_foretell():
    """The normal distribution of the statistic, where units are too many for shuffles."""
    for comparison, metric in ((scores(), "mean"), (counts(), "f1")):
        pilot = Pilot.of(comparison, metric)
        few, many = (
            simulated(pilot, n, 2 * pilot.spread(0.0) / math.sqrt(n), 0.05, SOURCE, part, 500)
            for part, n in enumerate((450, 6000))
        )
        assert abs(few.power - many.power) < 0.08
        assert 0.4 < many.power < 0.6


def test_equal_systems_are_significant_at_the_level():
    for comparison, metric in ((scores(), "mean"), (counts(), "precision")):
        found = simulated(Pilot.of(comparison, metric), 80, 0.0, 0.05, SOURCE, 0, 1000)
        assert abs(found.power - 0.05) < 0.028


def test_the_seed_repeats_a_plan_and_the_order_of_systems_does_not_matter():
    one, again = (csig.plan(scores(), difference=0.01, n_simulations=200, rng=3) for _ in range(2))
    assert one == again
    assert one != csig.plan(scores(), difference=0.01, n_simulations=200, rng=4)
    (a, b) = scores().rows()
    traded = csig.Comparison.from_scores(b[:, 0] / 2**30, a[:, 0] / 2**30)
    there = csig.Comparison.from_scores(a[:, 0] / 2**30, b[:, 0] / 2**30)
    found = [csig.plan(c, items=90, difference=1e-3, n_simulations=200, rng=3).power
             for c in (traded, there)]  # fmt: skip
    assert found[0] == found[1]


def test_the_pilots_own_difference_changes_nothing():
    """Systems that differ as far, one way or both ways, have one plan."""
    rng = default_rng(6)
    gains, base = rng.random(200) * 0.3, rng.random(200) * 0.5 + 0.25
    signs = rng.choice([-1, 1], size=200)
    one_way, both_ways = (
        csig.plan(csig.Comparison.from_scores(base + own, base), items=100, difference=0.03, rng=1,
                  n_simulations=1000) for own in (gains, gains * signs)
    )  # fmt: skip
    assert abs(one_way.power - both_ways.power) < 1e-9


def test_what_is_found_has_the_power_that_was_wanted():
    for comparison, metric in ((scores(), "mean"), (counts(), "f1")):
        d = Pilot.of(comparison, metric).spread(0.0) / 10
        given = {"power": 0.7, "rng": 1, "n_simulations": 500}
        found = csig.plan(comparison, metric, difference=d, **given)
        assert abs(found.power - 0.7) < 0.07
        assert found.items == pytest.approx(100 * (1.96 + 0.5244) ** 2, rel=0.15)
        back = csig.plan(comparison, metric, items=found.items, **given | {"rng": 2})
        assert back.difference == pytest.approx(d, rel=0.07)


@pytest.mark.parametrize("n", [3, 5, 8, 12])
def test_few_units_have_the_power_of_all_their_shuffles(n):
    pilot = csig.Comparison.from_scores([0.75] * 10, [0.25] * 10)
    exact = pairs.power(n, 1.0, 0.4, 0.05)
    (found,) = csig.plan(pilot, items=n, difference=0.2, rng=1, n_simulations=600).tests
    assert abs(found.power - exact) <= 4 * found.standard_error * (exact > 0)


@pytest.mark.parametrize("n", [6, 10])
def test_few_units_detect_a_difference_with_the_power_that_is_wanted(n):
    found = csig.plan(scores(), items=n, rng=1)
    assert found.power == pytest.approx(0.8, abs=0.04)
    assert csig.plan(scores(), items=1, rng=1).items == 1
    assert csig.plan(scores(), difference=found.difference, rng=2).items == pytest.approx(n, abs=2)


def test_no_difference_is_large_enough_for_few_units():
    found = csig.plan(scores(), items=4, rng=1, n_simulations=200)  # the least p is 1/8
    assert (found.difference, found.power) == (None, 0.0)
    assert "No difference is detected with a power of 80% by 4 items" in str(found)


def test_clusters_are_units_of_their_own():
    rng = default_rng(8)
    effect = np.repeat(rng.normal(0, 0.2, 60), 10)
    labels = np.repeat(np.arange(60), 10)
    pilot = csig.Comparison.from_scores(effect + rng.normal(0, 0.05, 600), np.zeros(600),
                                        cluster=labels)  # fmt: skip
    whole, items = (
        csig.plan(own, difference=0.09, rng=1, n_simulations=300)
        for own in (pilot, pilot.at("unit"))
    )
    assert whole.unit == "cluster"
    assert whole.items == pytest.approx(items.items, rel=0.2)  # items of a cluster are alike
    assert 10 * whole.items > 5 * items.items


def test_repeats_of_a_question_reduce_the_variance_within_it():
    rng = default_rng(9)
    question = rng.normal(0, 0.3, 200)
    runs = [question * side + rng.normal(0, 0.6, (4, 200)) for side in (1, 0)]
    found = csig.plan(csig.Comparison.from_scores(*runs), difference=0.15, rng=1, n_simulations=500)
    by = {own.repeats: own.items for own in found.repeats}
    assert sorted(by) == [1, 2, 4, 8, 16]
    assert by[4] == found.items
    assert by[1] / by[16] == pytest.approx((0.09 + 0.72) / (0.09 + 0.72 / 16), rel=0.3)
    assert all(own.answers == own.repeats * own.items for own in found.repeats)
    assert "Repeats  Items  Answers" in str(found)


# ---- what is asked -------------------------------------------------------------------------------


def test_a_pilot_of_right_and_wrong_items_gives_its_discordance_and_how_well_it_is_known():
    found = csig.plan(binary(1000, 150), difference=0.02)
    assert found.items == csig.plan(discordance=0.15, difference=0.02).items == 3028
    shares = [own.discordance for own in found.tests]
    assert shares == pytest.approx([0.15, 0.1284, 0.1737], abs=1e-4)
    assert (found.simulations, found.seed, found.doubts) == (None, None, ())
    wide = csig.plan(binary(1000, 150), difference=0.14)
    assert [own.discordance for own in wide.tests] == pytest.approx([0.15, 0.1737], abs=1e-4)
    assert "the lower end is below the difference" in " ".join(str(wide).split())
    # Where all differ the upper end is the first row.
    all_of_40 = csig.plan(binary(40, 40), difference=0.2)
    assert [own.discordance for own in all_of_40.tests] == pytest.approx([1, 0.9119], abs=1e-4)
    assert "Below the first row: the lower end of" in " ".join(str(all_of_40).split())
    one = csig.plan(binary(1, 1), difference=0.05)
    assert [own.discordance for own in one.tests] == [1]
    said = "The lower end of the 95% interval of the share that differs is below the difference."
    assert said in " ".join(str(one).split())
    labels = csig.Comparison.from_labels([*"aabb"] * 9, [*"aaba"] * 9, [*"bbbb"] * 9)
    assert csig.plan(labels, difference=0.5).tests[0].discordance == 0.75


def test_recall_of_single_responses_is_right_or_wrong():
    yeh = {"gold": 103, "both_correct": 19, "only_a_correct": 28, "only_b_correct": 6}
    pilot = csig.Comparison.from_counts(**yeh, only_a_spurious=43, only_b_spurious=9)
    assert csig.plan(pilot, "recall", difference=0.2).tests[0].discordance == 34 / 103
    assert csig.plan(pilot, "f1", difference=0.2, rng=1, n_simulations=50).simulations == 50


def test_doubtful_pilots_and_differences():
    few = csig.plan(binary(40, 6), difference=0.1)
    assert [own.code for own in few.doubts] == ["small-pilot"]
    own = csig.plan(binary(100, 20), difference=0.2)
    assert [doubt.code for doubt in own.doubts] == ["observed-difference"]
    assert csig.plan(binary(100, 20), difference=0.15).doubts == ()


def test_two_of_three_are_given():
    for asked in ({}, {"power": 0.8}, {"discordance": 0.2}):
        assert "give difference=, the smallest difference that matters" in refusal(
            csig.plan, **asked
        )
    assert "power=: follows from items= and difference=" in refusal(
        csig.plan, items=9, difference=0.1, power=0.8
    )
    assert "a pilot's own difference is never used" in refusal(csig.plan, scores())


def test_a_margin_is_planned_with_all_outcomes_of_the_test_that_the_gate_runs():
    n, share, margin = 6, 0.5, 40
    found = csig.plan(items=n, margin=margin, discordance=share)
    new, base = [1] * n, [0] * n
    passing = {"equal": 0.0, "worse": 0.0}
    for x in range(n + 1):
        for y in range(n + 1 - x):
            rates = {"equal": (share / 2, share / 2), "worse": (share / 2 - 0.2, share / 2 + 0.2)}
            chances = {name: multinomial.pmf([x, y, n - x - y], n, [*own, 1 - share])
                       for name, own in rates.items()}  # fmt: skip
            if max(chances.values()) < 1e-7:
                continue
            a, b = new[:x] + base[x:], base[:x] + new[:y] + base[x + y :]
            own = csig.noninferiority_test(csig.Comparison.from_scores(a, b), "mean", margin)
            for name in passing:
                passing[name] += chances[name] * own.shown
    (test,) = found.tests
    assert (found.power, test.level) == pytest.approx(
        (passing["equal"], passing["worse"]), abs=1e-4
    )
    assert found.solved == "power"


@pytest.mark.parametrize(
    ("margin", "share", "power"), [(8, 0.15, 0.8), (15, 0.3, 0.9), (6, 0.3, 0.5)]
)
def test_about_so_many_items_are_needed_at_a_margin(margin, share, power):
    found = csig.plan(margin=margin, discordance=share, power=power)
    assert found.power >= power
    fewer = csig.plan(margin=margin, discordance=share, items=round(found.items / 1.03)).power
    assert fewer < power
    assert found.items == found.tests[0].needed
    assert found.tests[0].normal_power > found.power - 0.01


def test_gates_are_planned_by_the_command_and_by_a_pilot(pilots):
    found = csig.plan(margin=30, discordance=0.4)
    said = words("plan", "--margin", 30, "--discordance", "40%")
    assert f"{found.items} items of which 40% differ: a system that is worse by 30 points" in said
    for asked in (("--margin", 30, "--items", 60), ("--margin", 30)):
        assert run("plan", *asked) == run("gate", "--design", *asked)
    kept = record("plan", "b.csv", "--margin", 13)
    assert (kept["margin"], kept["solved"], len(kept["tests"])) == (13.0, "items", 3)
    share = kept["pilot_differ"] / kept["pilot_units"]
    assert kept["tests"][0]["items"] == csig.plan(margin=13, discordance=share).items
    curve = dict(found.curve())
    assert curve[max(curve)] > 0.95 > 0.2 > curve[min(curve)]


@pytest.mark.parametrize(("asked", "message"), [
    ({"margin": 5, "difference": 0.1}, "an equal system is to pass; difference= does not go"),
    ({"margin": 5, "items": 9, "power": 0.8}, "follows from items= and margin="),
    ({"margin": 5, "discordance": 0.05}, "0.05, is not above the margin, 0.05"),
    ({"margin": 100}, "margin must lie between 0 and 100"),
    ({"margin": 5, "alpha": 0.5}, "alpha must lie between 0 and 0.5"),
    ({"margin": 0.01, "discordance": 0.2}, "more than a million items; give a larger margin"),
    ({"margin": 5, "pilot": scores()}, "margin= is planned for items that are right or wrong"),
])  # fmt: skip
def test_margins_that_cannot_be_planned(asked, message):
    assert message in refusal(csig.plan, **asked)


@pytest.mark.parametrize(("asked", "message"), [
    ({"difference": 0.3, "discordance": 0.2}, "expected at most 0.2, the share of items that"),
    ({"difference": 2}, "expected at most 1, the share"),
    ({"difference": 0}, "difference must be above 0"),
    ({"difference": math.nan}, "difference must be above 0"),
    ({"items": 0}, "items must be an integer from 1 to 1000000"),
    ({"items": 9, "power": 0.01}, "power must lie between 0.05 and 1"),
    ({"items": 9, "discordance": 0}, "discordance must be above 0 and at most 1"),
    ({"items": 9, "alpha": 1}, "alpha must lie between 0 and 1"),
    ({"items": 9, "metric": "f1"}, "metric= goes with a pilot"),
    ({"items": 9, "rng": 1}, "nothing is simulated without a pilot"),
    ({"pilot": "p.csv", "items": 9}, "pilot: found str, expected a csig.Comparison"),
    ({"pilot": binary(9, 0), "items": 9}, "the same outputs"),
    ({"pilot": binary(9, 3), "items": 9, "discordance": 0.1}, "discordance= is that of the pilot"),
    ({"pilot": scores(), "difference": 0.9}, "as the pilot's systems do not differ by more"),
    ({"pilot": scores(), "difference": 1e-9}, "more than 1,000,000; give a larger difference"),
])  # fmt: skip
def test_what_cannot_be_planned(asked, message):
    assert message in refusal(csig.plan, **asked)


def test_a_function_of_sums_is_refused():
    pilot = csig.Comparison.from_labels([*"aabc"] * 9, [*"aaca"] * 9, [*"bbbb"] * 9)
    assert "means and ratios of sums" in refusal(csig.plan, pilot, "mcc", items=9)


# ---- the command line ----------------------------------------------------------------------------


@pytest.fixture
def pilots():
    draw = random.Random(1)
    rows = [(i, f"t{i // 4}", draw.random(), draw.random()) for i in range(80)]
    write("s.csv", "id,task,base,new", *(f"q{i},{t},{a:.3f},{b:.3f}" for i, t, a, b in rows))
    write("b.csv", "id,base,new", *(f"q{i},{a > 0.4:d},{a + b > 1:d}" for i, _, a, b in rows))
    write("l.csv", "id,base,new", *(f"q{i},{9 * a:.2f},{9 * b:.2f}" for i, _, a, b in rows))
    write("three.csv", "id,x,y,z", *(f"q{i},{a:.2f},{b:.2f},{a * b:.2f}" for i, _, a, b in rows))


def test_the_command_says_what_python_finds(pilots):
    assert words("plan", "--items", 198, "--discordance", "20%", "--difference", 8).startswith(
        "The power is 67.2% with 198 items, if 20% of them differ and the true difference is 8 "
        "points"
    )
    found = csig.plan(discordance=0.08, difference=0.02)
    asked = ("plan", "--discordance", "8%", "--difference", 2, "--power", "80%")
    assert words(*asked) == " ".join(found.summary().split())  # lines are as wide as the terminal
    explained = words("plan", "--discordance", "8%", "--difference", 2, "--explain")
    assert "asks for 1,562, whose exact power is 77.8%" in explained
    pilot = csig.read("s.csv", cluster="task")
    asked = ["plan", "s.csv", "--cluster", "task", "--seed", 1, "--simulations", 200]
    own = csig.plan(pilot, difference=0.06, rng=1, n_simulations=200)
    assert record(*asked, "--difference", 6)["tests"][0]["items"] == own.items
    assert "s.csv" in words(*asked, "--items", 70)


def test_a_difference_is_in_points_where_scores_are_in_percent(pilots):
    asked = "--items", 60, "--difference", 2, "--seed", 1, "--simulations", 200
    assert "the true difference is 2:" in words("plan", "l.csv", *asked)
    assert "the true difference is 2 points:" in words("plan", "s.csv", "--ignore", "task", *asked)
    assert "the true difference is 1 point:" in words(
        "plan", "--items", 60, "--discordance", 0.5, "--difference", 1
    )


def test_the_pilots_difference_is_never_printed(pilots):
    for file in ("s.csv", "b.csv"):
        reading = csig.read(file, ignore="task" if file == "s.csv" else ())
        own = abs(np.subtract(*reading.comparison(1, 0).scores(reading.metrics[0])))
        options = ["--ignore", "task"] if file == "s.csv" else []
        said = run("plan", file, *options, "--difference", 10, "--explain", "--seed", 1,
                   "--simulations", 200)  # fmt: skip
        for digits in (f"{100 * own:.1f}", f"{own:.3f}"):
            assert digits not in said.replace("10.0", "")
        assert "its own difference is not used" in " ".join(said.split())


def test_what_the_command_refuses(pilots):
    assert "--cluster goes with the files of a pilot" in refused(
        "plan", "--cluster", "task", "--items", 9
    )
    assert "--unit goes with the files of a pilot" in refused(
        "plan", "--unit", "cluster", "--items", 9
    )
    assert "csig plan three.csv --items 9 --system x --system y" in refused(
        "plan", "three.csv", "--items", 9
    )
    assert "--difference: expected at most 20 points" in refused(
        "plan", "--difference", 21, "--discordance", "20%"
    )
    assert "give --difference, the smallest" in refused("plan", "b.csv")
    assert "found '2%'; write 2: where scores are printed in percent it is in points" in refused(
        "plan", "--difference", "2%"
    )
    assert "found '20'; write 20%" in refused("plan", "--difference", 2, "--discordance", 20)
    assert "a difference of 0.02 points would need about 39,244,391 items" in refused(
        "plan", "--difference", 0.02, "--discordance", "20%"
    )
    assert "give one metric" in refused("plan", "b.csv", "-m", "mean,accuracy", "--items", 9)


def test_what_is_said_of_few_items_and_large_differences():
    assert words("plan", "--items", 5).startswith(
        "No difference is detected with a power of 80% by 5 items, whether 2% or 50% of them "
        "differ."
    )
    assert words("plan", "--difference", 60).startswith(
        "The number of items needed depends on how often the two systems differ: 12 if that is on "
        "60% of the items, 23 if on 100%."
    )
    assert words("plan", "--difference", 100).startswith(
        "6 items detect a difference of 100 points"
    )


def test_clusters_with_repeats_are_not_counted_as_answers():
    draw = random.Random(1)
    for name in "ab":
        rows = [f"q{i},t{i // 4},{run},{draw.random():.2f}" for i in range(80) for run in (0, 1)]
        write(f"{name}.csv", "id,task,run,score", *rows)
    said = words("plan", "a.csv", "b.csv", "--run", "run", "--cluster", "task", "--difference", 5,
                 "--simulations", 200)  # fmt: skip
    assert "Repeats Tasks Tasks x repeats" in said


def test_items_are_not_called_like_their_clusters_and_a_power_has_no_direction(pilots):
    asked = "plan", "l.csv", "--difference", 2, "--seed", 1, "--simulations", 100
    assert record(*asked) == record(*asked, "--lower-is-better")
    said = words("plan", "s.csv", "--cluster", "task", "--items", 9, "--simulations", 200)
    assert "80 items in 20 tasks" in said


def test_the_picture_has_a_line_for_each_discordance(pilots):
    pytest.importorskip("matplotlib")
    run("plan", "--difference", 60, "--plot", "power.svg")
    axes = csig.plan(difference=0.2).plot()
    shown = [text.get_text() for text in axes.get_legend().get_texts()]
    assert shown == ["20% differ", "30% differ", "40% differ", "50% differ"]
    line = next(own for own in axes.get_lines() if len(own.get_xdata()) > 9)
    x, y = line.get_data()
    assert y[-1] == pairs.power(int(x[-1]), 0.2, 0.2, 0.05)
    found = csig.plan(scores(), difference=0.03, rng=1, n_simulations=200)
    curve = dict(found.curve())
    assert curve[min(curve, key=lambda n: abs(n - found.items))] == pytest.approx(
        found.power, abs=0.02
    )
    assert csig.plan(items=5, discordance=0.2).plot().get_lines()
