"""Which file is the gold, and which are the systems: what makes the roles of files doubtful.

Two systems that learnt from the same data often agree with each other more than with the gold, and
a good system lies between the gold and a poor one. So there is a doubt only where the numbers leave
little else: nothing in common with the gold, or a system between the two others.
"""

from __future__ import annotations

from itertools import combinations

from csig.base import wording
from csig.data.comparison import Comparison
from csig.readers.source import ResponseTable

#: A system is between the other two files if each of those is alone this many times as often...
_TIMES = 4
#: ... and so often at least. In 27 comparisons of real taggers and models, with the true gold, the
#: first was at most 3.1. (It was 11.6 for a model that solves nearly all that a small one does,
#: where an answer is right or wrong and wrong ones are all alike.)
_LEAST = 20


def role_cautions(comparison: Comparison) -> list[str]:
    """What makes it doubtful that the gold is the gold, and the systems are systems.

    >>> comparison = Comparison.from_responses(["x"], ["y", "z"], ["x"], names=("I", "II"))
    >>> role_cautions(comparison)[0]
    'None of the responses of I is in the gold. Is it the right file?'
    """
    names = wording.clean(comparison.names[0]), wording.clean(comparison.names[1])
    found = []
    if {"tp", "predicted", "gold"} <= {*comparison.columns}:
        if not comparison.sums("a")["gold"]:
            found.append("The gold is empty: no response can be correct.")
        for name, side in zip(names, "ab", strict=True):
            sums = comparison.sums(side)
            if not sums["predicted"]:
                found.append(f"{name} has no responses. Is the file complete?")
            elif "response" in comparison.levels and sums["gold"] and not sums["tp"]:
                found.append(
                    f"None of the responses of {name} is in the gold. Is it the right file?"
                )
            elif sums["tp"] == sums["predicted"] == sums["gold"]:
                found.append(
                    f"The responses of {name} are exactly the gold: all are correct, none is "
                    "missing. Is it a system?"
                )
    three = _three(comparison)
    return found if three is None else found + _doubts(names, *three)


def _three(comparison: Comparison) -> tuple[str, list[int], list[int]] | None:
    """What a response or item is called; how many the gold, A and B have, and each two of them.

    Of labels each has all items, and two have those to which they give the same label.
    """
    a, b = (comparison.sums(system) for system in "ab")
    if "response" in comparison.levels:
        unique = comparison.at("response").n_units
        both = (a["predicted"] + b["predicted"] - unique) // 2
        return "response", [a["gold"], a["predicted"], b["predicted"]], [a["tp"], b["tp"], both]
    if any(column.startswith("tp[") for column in comparison.columns):
        right, items = [a["correct"], b["correct"]], a["items"]
    elif comparison.columns == ("tp", "fp", "fn", "tn"):
        right, items = [a["tp"] + a["tn"], b["tp"] + b["tn"]], sum(a.values())
    else:
        return None
    finest = comparison.at(comparison.levels[0])
    if finest.units is None or items != finest.units.n_total:  # a unit holds several
        return None
    return finest.unit, [items] * 3, [*right, items - finest.n_units]


def _doubts(names: tuple[str, str], noun: str, sizes: list[int], common: list[int]) -> list[str]:
    """No label of either system is the gold's, or a system lies between the other two files.

    What one of the three has alone against the other two is half of its differences from both less
    those between them. The gold is alone where both systems make the same mistake, a system where
    it alone is right or wrong.
    """
    labels = noun != "response"
    if labels and not any(common[:2]):
        return [
            f"No label of {names[0]} or {names[1]} is that of the gold, on "
            f"{wording.counted(sizes[0], noun)}: is it the right gold, written in the same way and "
            "in the same order?"
        ]
    if not min(common):
        return []
    both = [sum(pair) for pair in combinations(sizes, 2)]
    to_a, to_b, between = (n - 2 * own for n, own in zip(both, common, strict=True))
    # An item on which two differ is a difference of two labels, one of each.
    halves = 4 if labels else 2
    gold = (to_a + to_b - between) / halves
    systems = [(to_a + between - to_b) / halves, (to_b + between - to_a) / halves]
    shares = [f"{200 * own / n:.1f}%" for n, own in zip(both, common, strict=True)]
    return [
        f"Is {names[i]} the gold? It agrees with the gold ({'' if labels else 'F1 '}{shares[i]}) "
        f"and with {names[other]} ({shares[2]}) far more than these two with each other "
        f"({shares[other]}); the gold is alone against the other two in {gold:,.0f} "
        f"{wording.noun(noun, 2)}, {names[other]} in {systems[other]:,.0f}, {names[i]} in only "
        f"{systems[i]:,.0f}."
        for i, other in ((0, 1), (1, 0))
        if min(gold, systems[other]) >= max(_TIMES * systems[i], _LEAST)
    ]


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
