"""Which file is the gold, and which are the systems: what three files tell by their agreement.

Each pair of the gold and two systems differs in some number of responses or labels. What one of the
three has alone against the other two follows: half of its differences from both less those
between them. The gold is alone where both systems make the same mistake, a system where it alone
is right or wrong. None of this says for certain which file is the gold: two systems that learnt
from the same data often agree with each other more than with the gold, and a good system lies
between the gold and a poor one. So there is a doubt only where the numbers leave little else.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

from csig import wording
from csig.comparison import Comparison
from csig.readers.source import ResponseTable

__all__ = ["Three", "odd_systems", "role_cautions", "silent_systems", "three_of"]

#: A system is between the other two files if each of those is alone this many times as often...
_TIMES = 4
#: ... and so often at least. In 27 comparisons of real taggers and models, with the true gold, the
#: first was at most 3.1. (It was 11.6 for a model that solves nearly all that a small one does,
#: where an answer is right or wrong and wrong ones are all alike.)
_LEAST = 20

#: An agreement this many standard errors above that of chance is none by chance,
_NO_CHANCE = 5.0
#: and one that is less above it may be.
_MAY_BE_CHANCE = 2.0


@dataclass(frozen=True)
class Three:
    """The gold, A and B: how much each has, and has in common with the others."""

    #: "response", or what an item is called.
    noun: str
    #: Responses of each; of labels the items, three times.
    sizes: tuple[int, int, int]
    #: Responses or labels in common: of gold and A, of gold and B, of A and B.
    common: tuple[int, int, int]
    #: How often each has every label; none for responses.
    labels: tuple[list[int], ...] = ()

    @property
    def alone(self) -> list[float]:
        """How often gold, A and B stand alone against the other two.

        An item to which the three give three labels counts half for each.
        """
        pairs = zip(combinations(self.sizes, 2), self.common, strict=True)
        to_a, to_b, between = (sum(sizes) - 2 * common for sizes, common in pairs)
        # An item on which two differ is a difference of two labels, one of each.
        halves = 4 if self.labels else 2
        twice = (to_a + to_b - between, to_a + between - to_b, to_b + between - to_a)
        return [number / halves for number in twice]

    @property
    def shares(self) -> list[float]:
        """F1 of gold and A, of gold and B, of A and B: twice what is common by both sizes."""
        pairs = zip(combinations(self.sizes, 2), self.common, strict=True)
        return [2 * common / max(1, sum(sizes)) for sizes, common in pairs]


def three_of(comparison: Comparison) -> Three | None:
    """What responses, or one label an item, tell; a label that is looked for is one too."""
    a, b = (comparison.sums(system) for system in "ab")
    if "response" in comparison.levels:
        unique = comparison.at("response").n_units
        both = (a["predicted"] + b["predicted"] - unique) // 2
        sizes = (a["gold"], a["predicted"], b["predicted"])
        return Three("response", sizes, (a["tp"], b["tp"], both))
    finest = comparison.at(comparison.levels[0])
    classes = [column[3:-1] for column in comparison.columns if column.startswith("tp[")]
    labels: tuple[list[int], ...]
    if classes:
        right, items = (a["correct"], b["correct"]), a["items"]
        kinds = ((a, "gold"), (a, "predicted"), (b, "predicted"))
        labels = tuple([sums[f"{kind}[{label}]"] for label in classes] for sums, kind in kinds)
    elif comparison.columns == ("tp", "fp", "fn", "tn"):
        right, items = (a["tp"] + a["tn"], b["tp"] + b["tn"]), sum(a.values())
        gold = [a["tp"] + a["fn"], a["fp"] + a["tn"]]
        labels = (gold, *([s["tp"] + s["fp"], s["fn"] + s["tn"]] for s in (a, b)))
    else:
        return None
    if finest.units is None or items != finest.units.n_total:  # a unit holds several
        return None
    return Three(finest.unit, (items, items, items), (*right, items - finest.n_units), labels)


def _nothing(names: tuple[str, str], three: Three) -> list[str]:
    """Systems of which nothing is in the gold: one of them, or both."""
    gold, *sizes = three.sizes
    lacking = [i for i in (0, 1) if sizes[i] and gold and not three.common[i]]
    if len(lacking) == 2 and three.labels:
        return [
            f"No label of {names[0]} or {names[1]} is that of the gold, on "
            f"{wording.counted(gold, three.noun)}: is it the right gold, written in the same way "
            f"and in the same order?"
        ]
    if len(lacking) == 2:
        return [
            f"None of the responses of {names[0]} ({wording.count(sizes[0])}) or {names[1]} "
            f"({wording.count(sizes[1])}) is in the gold ({wording.count(gold)}): is it the right "
            f"gold? {names[0]} and {names[1]} share {wording.count(three.common[2])}."
        ]
    return [
        f"None of the responses of {names[i]} is in the gold. Is it the right file?"
        for i in lacking
        if not three.labels
    ]


def _no_better_than_chance(names: tuple[str, str], three: Three) -> list[str]:
    """Systems that agree with each other, but with the gold as rows in another order would."""
    n = three.sizes[0]
    chances, errors = [], []
    for (one, other), common in zip(combinations(three.labels, 2), three.common, strict=True):
        # The agreement of independent columns, and how many standard errors theirs is above it.
        chance = sum(x * y for x, y in zip(one, other, strict=True)) / n**2
        if chance >= 1:  # which decides all
            return []
        above = common / n - chance
        error = math.sqrt(chance * (1 - chance) / n)
        chances.append(chance)
        errors.append(above / error if error else math.inf if above else 0.0)
    if max(errors[:2]) >= _MAY_BE_CHANCE or errors[2] < _NO_CHANCE:
        return []
    with_a, with_b, each, *by_chance = (f"{100 * x:.1f}%" for x in (*three.shares, *chances))
    return [
        f"{names[0]} and {names[1]} agree with the gold on {with_a} and {with_b} of the "
        f"{wording.noun(three.noun, 2)}, about as often as by chance ({by_chance[0]} and "
        f"{by_chance[1]}), but with each other on {each}: is it the right gold, with its rows in "
        "the same order?"
    ]


def _between(names: tuple[str, str], three: Three) -> list[str]:
    """A system that agrees with both other files far more than they do with each other."""
    if not min(three.common):  # nothing in common is another doubt
        return []
    gold, *systems = three.alone
    shares = [f"{100 * share:.1f}%" for share in three.shares]
    found = []
    for i, other in ((0, 1), (1, 0)):
        if min(gold, systems[other]) < max(_TIMES * systems[i], _LEAST):
            continue
        found.append(
            f"Is {names[i]} the gold? It agrees with the gold ({'' if three.labels else 'F1 '}"
            f"{shares[i]}) and with {names[other]} ({shares[2]}) far more than these two with each "
            f"other ({shares[other]}); the gold is alone against the other two in {gold:,.0f} "
            f"{wording.noun(three.noun, 2)}, {names[other]} in {systems[other]:,.0f}, {names[i]} "
            f"in only {systems[i]:,.0f}."
        )
    return found


def role_cautions(comparison: Comparison, *, something: bool = False) -> list[str]:
    """What makes it doubtful that the gold is the gold, and the systems are systems.

    `something` is true where it is said elsewhere that they have nothing in common with the gold.

    >>> comparison = Comparison.from_responses(["x"], ["y", "z"], ["y"], names=("I", "II"))
    >>> role_cautions(comparison)[0][:57]
    'None of the responses of I (2) or II (1) is in the gold ('
    """
    three = three_of(comparison)
    if three is None:
        return []
    names = wording.clean(comparison.names[0]), wording.clean(comparison.names[1])
    found = [] if something else _nothing(names, three)
    if not found and three.labels:
        found = _no_better_than_chance(names, three)
    return found or _between(names, three)


def odd_systems(comparison: Comparison) -> list[str]:
    """Nothing to find, nothing found, or all of it and nothing else."""
    if not {"tp", "predicted", "gold"} <= set(comparison.columns):
        return []
    found = []
    if comparison.sums("a")["gold"] == 0:
        found.append("The gold is empty: no response can be correct.")
    for name, side in zip(map(wording.clean, comparison.names), "ab", strict=True):
        sums = comparison.sums(side)
        if sums["predicted"] == 0:
            found.append(f"{name} has no responses. Is the file complete?")
        elif sums["tp"] == sums["predicted"] == sums["gold"]:
            found.append(
                f"The responses of {name} are exactly the gold: all are correct, none is missing. "
                "Is it a system?"
            )
    return found


def silent_systems(table: ResponseTable) -> list[str]:
    """Systems that are silent in half the documents in which there is something to find."""
    if table.key_name is None:
        return []
    label_of = table.clusters or {key: key for key in table.gold}
    wanted = dict.fromkeys(label_of[key] for key, right in table.gold.items() if right)
    noun = wording.noun(table.cluster_name or table.key_name, len(wanted))
    found = []
    for name, own in table.systems.items():
        heard = {label_of[key] for key, said in own.items() if said}
        silent = [label for label in wanted if label not in heard]
        if len(wanted) > 1 and 2 * len(silent) >= len(wanted):
            found.append(
                f"{wording.clean(name)} has no responses in {wording.count(len(silent))} of the "
                f"{wording.count(len(wanted))} {noun} in which the gold has some: "
                f"{wording.first_few(silent)}. Is the file complete?"
            )
    return found
