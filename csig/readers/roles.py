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
from collections.abc import Sequence
from dataclasses import dataclass

from csig import wording
from csig.comparison import Comparison

__all__ = ["agreement_cautions", "role_cautions"]

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
class _Three:
    """The gold and two systems: sizes, and how much each pair has in common.

    Attributes
    ----------
    noun : str
        "response" or what an item is called.
    sizes : (gold, a, b)
        Responses of each; of labels the items, three times.
    common : (gold and a, gold and b, a and b)
        Responses or labels in which they agree.
    """

    noun: str
    sizes: tuple[int, int, int]
    common: tuple[int, int, int]

    @property
    def alone(self) -> tuple[float, float, float]:
        """How often gold, A and B stand alone against the other two.

        An item to which the three give three labels counts half for each.
        """
        gold, a, b = self.sizes
        ga, gb, ab = self.common
        to_a, to_b, between = gold + a - 2 * ga, gold + b - 2 * gb, a + b - 2 * ab
        twice = (to_a + to_b - between, to_a + between - to_b, to_b + between - to_a)
        # An item on which two differ is a difference of two labels, one of each.
        halves = 2 if self.noun == "response" else 4
        return tuple(number / halves for number in twice)  # type: ignore[return-value]

    @property
    def shares(self) -> tuple[float, float, float]:
        """F1 of gold and A, of gold and B, of A and B: twice what is common by both sizes."""
        gold, a, b = self.sizes
        pairs = zip(self.common, (gold + a, gold + b, a + b), strict=True)
        return tuple(2 * common / max(1, size) for common, size in pairs)  # type: ignore[return-value]


def of_responses(comparison: Comparison) -> _Three | None:
    if "response" not in comparison.levels:
        return None
    a, b = (comparison.sums(system) for system in "ab")
    unique = comparison.at("response").n_units
    both = (a["predicted"] + b["predicted"] - unique) // 2
    sizes = (a["gold"], a["predicted"], b["predicted"])
    return _Three("response", sizes, (a["tp"], b["tp"], both))


def _classes(comparison: Comparison) -> list[str]:
    """The labels of a comparison of labels."""
    return [column[3:-1] for column in comparison.columns if column.startswith("tp[")]


def of_labels(comparison: Comparison) -> _Three | None:
    """The same for one label an item; a label that is looked for, and no other, is one too."""
    finest = comparison.at(comparison.levels[0])
    if finest.units is None:
        return None
    n = finest.units.n_total
    a, b = (comparison.sums(system) for system in "ab")
    if _classes(comparison):
        right = a["correct"], b["correct"]
        items = a["items"]
    elif comparison.columns == ("tp", "fp", "fn", "tn"):
        right = a["tp"] + a["tn"], b["tp"] + b["tn"]
        items = sum(a.values())
    else:
        return None
    if items != n:  # a unit holds several
        return None
    return _Three(finest.unit, (n, n, n), (*right, n - finest.n_units))


def _shown(comparison: Comparison) -> tuple[str, str]:
    return wording.clean(comparison.names[0]), wording.clean(comparison.names[1])


def _per_cent(shares: Sequence[float]) -> list[str]:
    return [f"{100 * share:.1f}%" for share in shares]


# ---- nothing in common -------------------------------------------------------------------


def _nothing(comparison: Comparison, three: _Three) -> list[str]:
    """Systems of which nothing is in the gold: one of them, or both."""
    gold, *sizes = three.sizes
    lacking = [i for i in (0, 1) if sizes[i] and gold and not three.common[i]]
    names = _shown(comparison)
    if three.noun != "response":
        if len(lacking) < 2:
            return []
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
    ]


def _by_chance(
    own: Sequence[int], other: Sequence[int], common: int, n: int
) -> tuple[float, float] | None:
    """The agreement that chance gives two columns of labels, and how far theirs is above it.

    In standard errors of the agreement of independent columns; None where chance decides all.
    """
    expected = sum(x * y for x, y in zip(own, other, strict=True)) / n**2
    if expected >= 1:
        return None
    if not expected:
        return 0.0, math.inf if common else 0.0
    return expected, (common / n - expected) / math.sqrt(expected * (1 - expected) / n)


def _counts(comparison: Comparison) -> list[list[int]]:
    """How often gold, A and B have every label."""
    a, b = (comparison.sums(system) for system in "ab")
    classes = _classes(comparison)
    if classes:
        kinds = ((a, "gold"), (a, "predicted"), (b, "predicted"))
        return [[sums[f"{kind}[{label}]"] for label in classes] for sums, kind in kinds]
    return [
        [a["tp"] + a["fn"], a["fp"] + a["tn"]],
        [a["tp"] + a["fp"], a["fn"] + a["tn"]],
        [b["tp"] + b["fp"], b["fn"] + b["tn"]],
    ]


def _no_better_than_chance(comparison: Comparison, three: _Three) -> list[str]:
    """Systems that agree with each other, but with the gold as rows in another order would."""
    n = three.sizes[0]
    gold, a, b = _counts(comparison)
    pairs = ((gold, a), (gold, b), (a, b))
    found = [
        _by_chance(one, other, common, n)
        for (one, other), common in zip(pairs, three.common, strict=True)
    ]
    to_a, to_b, between = found
    if to_a is None or to_b is None or between is None:
        return []
    if max(to_a[1], to_b[1]) >= _MAY_BE_CHANCE or between[1] < _NO_CHANCE:
        return []
    names = _shown(comparison)
    with_a, with_b, each = _per_cent(three.shares)
    chance_a, chance_b = _per_cent((to_a[0], to_b[0]))
    return [
        f"{names[0]} and {names[1]} agree with the gold on {with_a} and {with_b} of the "
        f"{wording.noun(three.noun, 2)}, about as often as by chance ({chance_a} and {chance_b}), "
        f"but with each other on {each}: is it the right gold, with its rows in the same order?"
    ]


# ---- the gold among the systems ----------------------------------------------------------


def _between(comparison: Comparison, three: _Three) -> list[str]:
    """A system that agrees with both other files far more than they do with each other."""
    gold, *systems = three.alone
    if not min(three.common):  # nothing in common is another doubt
        return []
    found = []
    names = _shown(comparison)
    measure = "F1 " if three.noun == "response" else ""
    with_a, with_b, each = _per_cent(three.shares)
    of_noun = wording.noun(three.noun, 2)
    for i, to_gold, other_to_gold in ((0, with_a, with_b), (1, with_b, with_a)):
        mine, others = systems[i], (gold, systems[1 - i])
        if min(others) < max(_TIMES * mine, _LEAST):
            continue
        mine_, gold_, other_ = (f"{number:,.0f}" for number in (mine, *others))
        found.append(
            f"Is {names[i]} the gold? It agrees with the gold ({measure}{to_gold}) and with "
            f"{names[1 - i]} ({each}) far more than these two with each other ({other_to_gold}); "
            f"the gold is alone against the other two in {gold_} {of_noun}, {names[1 - i]} in "
            f"{other_}, {names[i]} in only {mine_}."
        )
    return found


def role_cautions(comparison: Comparison) -> list[str]:
    """What makes it doubtful that the gold is the gold, and the systems are systems.

    Parameters
    ----------
    comparison : Comparison
        Of responses or of labels; of others nothing is known.

    Examples
    --------
    >>> comparison = Comparison.from_responses(["x"], ["y", "z"], ["y"], names=("I", "II"))
    >>> role_cautions(comparison)[0][:57]
    'None of the responses of I (2) or II (1) is in the gold ('
    """
    three = of_responses(comparison) or of_labels(comparison)
    nothing = [] if three is None else _nothing(comparison, three)
    return nothing or agreement_cautions(comparison)


def agreement_cautions(comparison: Comparison) -> list[str]:
    """The same, where the systems and the gold have something in common.

    Parameters
    ----------
    comparison : Comparison
        As for :func:`role_cautions`.
    """
    three = of_responses(comparison)
    if three is not None:
        return _between(comparison, three)
    three = of_labels(comparison)
    if three is None:
        return []
    return _no_better_than_chance(comparison, three) or _between(comparison, three)
