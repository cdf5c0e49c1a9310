"""A plan as a document: the answer, what it assumes, and the same for other discordances."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from scipy.special import ndtri

from csig.base import wording
from csig.comparing.described import source_line
from csig.comparing.options import digits_of, record_of_seed
from csig.margins.gate import Design, document_of_designs
from csig.planning.model import Plan, PlannedTest
from csig.planning.pairs import normal_items, power
from csig.planning.solving import POWER, planned
from csig.readers import forms
from csig.readers.reading import Reading
from csig.readers.request import Request
from csig.report.document import Block, Document, head, plain, record_of_doubts, table
from csig.report.shown import document_of, picture_of

_DISCRETE = (
    "p-values of counts are discrete: the level that is attained is below {}, and the power does "
    "not rise with every item."
)

_MODEL = (
    "The power is exact: of n items a binomial number m differs, and of these a binomial number in "
    "favour of the new system; the test is the exact one that csig compare runs on right/wrong "
    "items (sign test, McNemar's exact test). It is summed over both."
)

_SIMULATED = (
    "Every simulated test set has units of the pilot, drawn with replacement. How often and how "
    "far the systems differ is the pilot's; in whose favour is drawn for each unit, so that the "
    "expected difference is the declared one. That assumes that the size of a difference says "
    "nothing about its direction. The pilot's own difference is not used: a power at an observed "
    "difference only restates the p-value (Hoenig and Heisey 2001)."
)

_REPEATS = (
    "Repeats of a question reduce only the variance within it. They are taken for independent "
    "between questions, as sampled answers are; the chance in a training seed is not."
)


def share(value: float) -> str:
    """A share in percent, with a decimal where it has one."""
    return f"{wording.decimal(round(100 * value, 1))}%"


def _difference(plan: Plan, value: float | None) -> str:
    """A difference: as it was given, or what was found, rounded up."""
    if value is None:
        return "none"
    size = 100 * value if plan.percents else value
    if plan.solved == "difference":
        places = max(0, 2 - math.floor(math.log10(size)))
        size = math.ceil(round(size * 10**places, 6)) / 10**places
    number = wording.decimal(size)
    return f"{number} point{'s' * (number != '1')}" if plan.percents else number


def _power(test: PlannedTest) -> str:
    error = test.standard_error
    return share(test.power) + ("" if error is None else f" ± {100 * error:.1f}")


def _verdict(plan: Plan) -> str:
    """The answer in a sentence."""
    own = plan.tests[0]
    differ = "" if own.discordance is None else f"{share(own.discordance)} of them differ"
    if not plan.known:
        first, last = plan.tests[0], plan.tests[-1]
        if all(one.difference is None for one in plan.tests):
            return (
                f"No difference is detected with a power of {share(plan.target or 0)} by "
                f"{wording.counted(first.items, plan.unit)}, whether "
                f"{share(first.discordance or 0)} or {share(last.discordance or 0)} of them differ."
            )
        ends = [
            wording.count(one.items) if plan.solved == "items"
            else _difference(plan, one.difference) if plan.solved == "difference"
            else share(one.power)
            for one in (first, last)
        ]  # fmt: skip
        what = {
            "items": "The number of items needed",
            "difference": "The smallest difference that is detected",
            "power": "The power",
        }[plan.solved]
        return (
            f"{what} depends on how often the two systems differ: {ends[0]} if that is on "
            f"{share(first.discordance or 0)} of the items, {ends[1]} if on "
            f"{share(last.discordance or 0)}."
        )
    items = wording.counted(own.items, plan.unit)
    target, true = share(plan.target or 0), _difference(plan, own.difference)
    if plan.solved == "power":
        given = f"if {differ} and" if differ else "if"
        return (
            f"The power is {_power(own)} with {items}, {given} the true difference is {true}: so "
            f"often csig compare finds it significant at {wording.decimal(plan.alpha)}."
        )
    given = f", if {differ}" if differ else ""
    if plan.solved == "difference":
        if own.difference is None:
            return (
                f"No difference is detected with a power of {target} by {items}{given}: if the new "
                f"system is the better one wherever they differ, the power is {_power(own)}."
            )
        return (
            f"The smallest difference that {items} detect with a power of {target} is "
            f"{true}{given}."
        )
    given = f"{differ} and " if differ else ""
    close = "" if own.standard_error is None else f" ({_power(own)} in simulations)"
    return (
        f"{items} detect a difference of {true} with a power of {target}{close}, if {given}that is "
        "the true one."
    )


def _formula(plan: Plan) -> str:
    """What would be planned without the exact distribution."""
    own, formula = plan.tests[0], "The formula that takes the mean difference for normal"
    if plan.solved == "items" and plan.margin is None and own.discordance and own.difference:
        n = normal_items(own.discordance, own.difference, plan.target or 0, plan.alpha)
        exact = share(power(n, own.discordance, own.difference, plan.alpha))
        first = "" if plan.known else f" for {share(own.discordance)}"
        return f"{formula} asks for {wording.count(n)}{first}, whose exact power is {exact}."
    several = wording.listed([share(one.normal_power) for one in plan.tests])
    return f"{formula} gives a power of {several}."


def slope_error(test: PlannedTest, alpha: float) -> float:
    """The relative standard error of the difference that has this power, of its simulation."""
    probit = ndtri(min(max(test.power, 1e-4), 1 - 1e-4))
    density = math.exp(-probit * probit / 2) / math.sqrt(2 * math.pi)
    return float((test.standard_error or 0) / density / (probit - ndtri(alpha / 2)))


def _of_pilot(plan: Plan) -> list[str]:
    """What is to say of the pilot."""
    notes = []
    if plan.pilot_units is not None:
        notes.append(
            f"Pilot: the systems differ on {wording.count(plan.pilot_differ or 0)} of "
            f"{wording.counted(plan.pilot_units, plan.unit)}; its own difference is not used."
        )
    if plan.pilot_units is not None and plan.simulations is None:
        first, *others = (own.discordance or 0 for own in plan.tests)
        ends = ["lower" if own < first else "upper" for own in others]
        which = "end of the 95% interval of the share that differs"
        if not ends:
            notes.append(f"The lower {which} is below the difference.")
        else:
            left = "" if "lower" in ends else "; the lower end is below the difference"
            notes.append(f"Below the first row: the {wording.listed(ends)} {which}{left}.")
    return notes


def _notes(plan: Plan) -> list[str]:
    notes = []
    if plan.tests[0].level is not None:
        stays = " The items needed are those from which on it stays high enough."
        notes.append(
            _DISCRETE.format(wording.decimal(plan.alpha)) + stays * (plan.solved == "items")
        )
    notes += _of_pilot(plan)
    if plan.seed is not None:
        own = plan.tests[0]
        about = ""
        if plan.solved != "power" and own.difference is not None:
            size = 1 if plan.solved == "difference" else 2
            off = 100 * size * slope_error(own, plan.alpha)
            verb = "is" if size == 1 else "are"
            about = f" So the {plan.solved} found {verb} off by about {off:.0f}%."
        notes.append(
            f"{wording.count(plan.simulations or 0)} test sets were simulated for every power "
            f"(± its standard error), with the seed {', '.join(digits_of(plan.seed))}.{about}"
        )
    if plan.repeats:
        notes.append(_REPEATS)
    return notes


def _record(plan: Plan, files: list[str]) -> Mapping[str, Any]:
    """What ``docs/json.md`` lists."""
    tests = [
        plain({**asdict(own), "curve": plan.curve(i)}) for i, own in enumerate(plan.tests)
    ]  # fmt: skip
    names = (
        "solved target alpha margin metric unit percents known pilot_units pilot_differ simulations"
    )
    return {
        **head("csig.plan"),
        "files": files,
        **{name: getattr(plan, name) for name in names.split()},
        "seed": record_of_seed(plan.seed),
        "tests": tests,
        "repeats": [asdict(own) for own in plan.repeats],
        "doubts": record_of_doubts(plan.doubts),
    }


def _at_margin(plan: Plan, margin: float, files: list[str], notes: list[str]) -> Document:
    """What gates see."""
    designs = [
        Design(
            items=own.items, margin=margin, discordance=own.discordance, alpha=plan.alpha,
            level=own.level or 0, power=own.power, needed=own.needed, target=plan.target or POWER,
        )
        for own in plan.tests
    ]  # fmt: skip
    found = document_of_designs(designs)
    return replace(
        found,
        doubts=plan.doubts,
        notes=[*notes, *found.notes, *_of_pilot(plan)],
        explanation=[_formula(plan), *picture_of(plan, "power", found.verdict[0])],
        rows=[asdict(own) for own in plan.tests],
        record=lambda: _record(plan, files),
    )


@document_of.register
def document_of_plan(
    plan: Plan, *, files: list[str] | None = None, notes: tuple[str, ...] = (), read: str = ""
) -> Document:
    """The plan, with what was read for it."""
    if plan.margin is not None:
        return _at_margin(plan, plan.margin, files or [], [f"Read as {read}."] * bool(read))
    pairs = plan.tests[0].discordance is not None
    headers = [wording.noun(plan.unit, 2).capitalize(), "Difference", "Power"]
    rows = [
        [
            *[share(own.discordance or 0)] * pairs,
            wording.count(own.items), _difference(plan, own.difference), _power(own),
            *[share(own.level or 0)] * pairs,
        ]
        for own in plan.tests
    ]  # fmt: skip
    tables = [
        table(
            "tests",
            "#" * len(rows[0]),
            [*["Differ"] * pairs, *headers, *["Level"] * pairs],
            rows,
        )
    ]
    if plan.repeats:
        shown = [[*map(wording.count, asdict(own).values())] for own in plan.repeats]
        title = "The same power with other numbers of repeats"
        both = "Answers" if plan.unit == "unit" else f"{headers[0]} x repeats"
        tables.append(table("repeats", "###", ("Repeats", headers[0], both), shown, title))
    explanation: list[Block] = [_MODEL if pairs else _SIMULATED, _formula(plan)]
    return Document(
        title="Plan",
        doubts=plan.doubts,
        verdict=[_verdict(plan)],
        tables=tables,
        notes=[*[f"Read as {read}."] * bool(read), *_notes(plan), *notes],
        explanation=[*explanation, *picture_of(plan, "power", _verdict(plan))],
        rows=[asdict(own) for own in plan.tests],
        record=lambda: _record(plan, files or []),
    )


def plan_document(
    request: Request,
    metrics: tuple[str, ...],
    unit: str | None,
    lower_is_better: bool | None,
    **asked: Any,
) -> tuple[Plan, Document]:
    """Read a pilot, if there is one, and plan: ``csig plan``."""
    if not request.paths:
        request.check_unread("the files of a pilot", unit=unit, lower_is_better=lower_is_better)
        plan = planned(None, *(metrics or (None,)), in_points=True, **asked)
        return plan, document_of_plan(plan)
    reading = Reading(forms.read(request, list(metrics)), unit, metrics, lower_is_better)
    plan = planned(reading, *(metrics or (None,)), in_points=True, **asked)
    document = document_of_plan(
        plan,
        files=[*request.paths],
        notes=reading.notes,
        read=source_line(reading.source),
    )
    return plan, document
