"""``csig plan``: how many items does an evaluation need, or what can it detect?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from csig.cli.options import INPUT, command, one_metric
from csig.cli.output import Output
from csig.readers.request import Request

if TYPE_CHECKING:
    from csig.planning import Plan
    from csig.report.document import Document


@command(
    "--system --id --cluster --metric --unit --items --difference --margin --discordance --power "
    "--alpha --simulations --seed --output-format --plot --explain --json --strict",
    f"{INPUT}--lower-is-better --progress --caption --label",
)
def plan(
    metrics: tuple[str, ...],
    simulations: int | None,
    seed: int | None,
    unit: str | None,
    lower_is_better: bool | None,
    items: int | None,
    difference: float | None,
    margin: float | None,
    discordance: float | None,
    power: float | None,
    alpha: float,
    **given: Any,
) -> None:
    """Plan an evaluation: its power, the smallest difference it detects, or the items it needs.

    Give two of --items, --difference and --power; without --power it is 0.8. For items that are
    right or wrong the power is exact, and depends on --discordance, the share of items on which one
    system is right and the other wrong; without it a table has several.

    With --margin it is the plan of csig gate: how often an equal system passes, and the items that
    takes.

    FILES, as for csig compare, are a pilot: two systems on other data of this kind. It says how
    often and how far the systems differ, never by how much one is better: that is for you to
    declare. Power for scores, precision, F and clusters is simulated.

    Examples:
      csig plan --discordance 8% --difference 2 --power 0.8
      csig plan --items 198 --discordance 20% --difference 8
      csig plan --items 198 --discordance 20%
      csig plan --difference 2 --plot power.svg
      csig plan --margin 3 --discordance 10%
      csig plan pilot.csv --difference 2
      csig plan pilot.csv --difference 2 --cluster task --seed 1
      csig plan gold.conll crf.conll bert.conll --metric f1 --difference 1.5 --power 0.9
    """
    names = one_metric(metrics, "a plan is for one")
    output, request = Output.taken(given), Request.taken(given)

    def made() -> tuple[Plan, Document]:
        from csig.planning.report import plan_document

        return plan_document(
            request, names, unit, lower_is_better, items=items, difference=difference,
            discordance=discordance, margin=margin, power=power, alpha=alpha,
            n_simulations=simulations, rng=seed,
        )  # fmt: skip

    output.give(made, request.paths, lambda found: found.plot().figure)
