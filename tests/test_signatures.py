"""Every argument of every public function means one thing, and has one default."""

import importlib
import inspect
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import csig

ROOMS = (
    "classical", "intervals", "effects", "rankings", "training", "datasets", "metrics", "claims",
    "plots", "replay", "advice", "planning",
)  # fmt: skip

#: Stands for no default: the argument has to be given.
GIVEN = inspect.Parameter.empty

#: Arguments that have to be given, wherever they are.
REQUIRED = """
    **options **reading **stream *files *inputs aggregate beta claims corpus counts denominator
    differences entropy n_correct n_spurious n_test n_train n_trials numerator
    only_a_correct only_b_correct parts path predicted pvalue ranks record response result
    results samples second sums table test_sets tests train_and_score units validation values
    whole
"""

#: What nobody gave is None, the function's own choice; some have to be given somewhere.
OPTIONAL = """
    a ax b baseline by cd classes cluster columns comparison conflict datasets
    decide_at difference discordance exclusions executor first folds gold groups held_out id
    instances intervals item items k kind label ledger library lower_is_better margin methods
    n n_resamples n_samples n_simulations name_a name_b pair pilot power positive precision
    procedure progress
    quoting replicate risk rng runs score sd_a sd_b system systems test_set test_share threads
    threshold total unit
"""

#: One default.
ONE: dict[str, object] = {
    "both_correct": 0, "both_spurious": 0, "only_a_spurious": 0, "only_b_spurious": 0,
    "cluster_name": "cluster", "key_name": "key", "rows": "items", "greater_is_better": True,
    "zero_division": 0, "what": "difference", "alternative": "two-sided",
    "bootstrap_resamples": 100_000, "max_resamples": 2**32, "decide": False,
    "exact_budget": 2**26, "keep_null": False, "allow_bad_generator": False,
    "sensitivity": True, "correction": "holm", "continuity": False, "pairs": "wilcoxon",
    "pooled": True, "equal_variances": True, "independent": False,
    "pvalue_confidence": 0.99, "paired": False, "paired_runs": False, "true": "true",
    "disjoint": True, "note": "", "decimal": ".", "format": "text", "explain": False,
    "cite": False, "most": 100, "best": "left", "spawn_key": (), "run": 0, "chunk": 0,
    "first_chunk": 0, "rank_by": "mean", "alone": False, "studentized": True, "two_sided": False,
    "margin_kind": "points",
    "questions": 1, "answers": 1, "test": 0,
}  # fmt: skip

#: Several defaults, and why they are several.
SEVERAL: dict[str, tuple[object, ...]] = {
    "names": (("A", "B"), None),  # data without names are A and B; a comparison has its own
    "name": ("predicted", "", 5),  # of a table its system, of a title none; a picture names a few
    "unit_name": ("unit", None),  # many systems have that of what they are read from
    "metric": (None, "precision", "recall", "mean"),  # one kind of share or of scores has its own
    # Each function has methods of its own; None takes them from a table.
    "method": ("auto", "exact", "bca", "shift", "bootstrap", None),
    "statistic": ("auto", "difference"),  # a test of one comparison asks what the paper asks
    "alpha": (0.05, None),  # a result that has a level keeps it
    "bit_generator": (
        None,
        np.random.PCG64DXSM,
    ),  # None is that of the seed; a replay's is a number
    "zero_method": ("zsplit", "wilcox"),  # scipy's for one pair; Demsar's keeps the zeros
    "interval": ("auto", "clopper-pearson"),  # a difference has another than a precision
    "ties": ("all", "expected"),  # a list that is tested has whole candidates
    "sample": (None, 0),  # a replay counts samples from the first
    "size": ("size", None),  # a column of a table; a number is by default that of the corpus
    "width": (None, 6.4, 4.2),  # a square picture is narrower than a page
    "caption": (True, None),  # whether a picture has one; the words of a table in LaTeX
    "confidence_level": (0.95, None),  # where there is an alpha, the rest of it
    "band": ("both", 0),  # a picture has bands, a sum in fixed point a tolerance
    "engine": (0, 2),  # flips have a stream of their own
}


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Public functions, and the public methods and constructors of public classes, each once."""
    seen: set[object] = set()
    for home in ("csig", *(f"csig.{room}" for room in ROOMS)):
        module = importlib.import_module(home)
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isfunction(value):
                candidates = [(f"{home}.{name}", value)]
            elif inspect.isclass(value):
                candidates = [
                    (f"{home}.{name}.{method}", getattr(value, method))
                    for base in value.__mro__
                    if base.__module__.startswith("csig")
                    for method, own in vars(base).items()
                    if not method.startswith("_")
                    and (isinstance(own, classmethod | staticmethod) or inspect.isfunction(own))
                ]
            else:  # a module, a Metric, a number
                continue
            for where, function in candidates:
                key = getattr(function, "__func__", function)
                if key not in seen:
                    seen.add(key)
                    yield where, function


def used() -> dict[str, dict[str, list[str]]]:
    """By the name of an argument its defaults, as they are written, and who has each."""
    found: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    for where, function in functions():
        for name, argument in inspect.signature(function).parameters.items():
            if name != "self":
                default = argument.default
                found[stars.get(argument.kind, "") + name][written(default)].append(where)
    return found


def written(default: object) -> str:
    return default.__name__ if isinstance(default, type) else repr(default)


USED = used()


def test_every_argument_has_a_row_and_every_row_an_argument() -> None:
    """So that a new one is not called otherwise than one that means the same."""
    names = [*REQUIRED.split(), *OPTIONAL.split(), *ONE, *SEVERAL]
    assert len(set(names)) == len(names)
    assert sorted(names) == sorted(USED), {n: USED[n] for n in set(USED) - set(names)}


def test_defaults_are_those_of_the_row() -> None:
    defaults: dict[str, tuple[object, ...]] = {
        **dict.fromkeys(REQUIRED.split(), ()),
        **dict.fromkeys(OPTIONAL.split(), (None,)),
        **{name: (own,) for name, own in ONE.items()},
        **SEVERAL,
    }
    found = {name: own.keys() - {written(GIVEN)} for name, own in USED.items()}
    assert found == {name: {*map(written, own)} for name, own in defaults.items()}
    assert all(len(own) > 1 for own in SEVERAL.values())


def test_an_argument_that_is_not_given_is_none() -> None:
    """Never an empty list, which could as well be what somebody gave."""
    empty = {name for name, own in USED.items() if {"()", "[]", "{}"} & own.keys()}
    assert empty == {"spawn_key"}  # of a seed that spawned nothing, as numpy has it
    assert inspect.unwrap(csig.randomization_test).__kwdefaults__["n_resamples"] is None
