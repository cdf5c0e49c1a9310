"""An audit on one page, as HTML or Markdown: what a reviewer reads in two minutes.

The verdict first, then the results, the table of checks, a picture of each metric's null
distribution, and the details. A page needs nothing from outside and runs nothing; every name in
it is escaped.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from csig import wording
from csig.audits.digests import file_digest
from csig.report.audits import outcome, state
from csig.report.verdict import Said, pvalue_text, sentence

if TYPE_CHECKING:
    from csig.audits.outcome import Audit

__all__ = ["as_html", "as_markdown"]

_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; color: #222; max-width: 60rem; margin: 2rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; margin: 0.5rem 0; }
th, td { border-bottom: 1px solid #ddd; padding: 0.3rem 0.6rem; text-align: left;
  vertical-align: top; overflow-wrap: break-word; }
td.n, th.n { text-align: right; }
td.n { white-space: nowrap; } th { overflow-wrap: anywhere; min-width: 4rem; }
.passed { color: #1b6e2c; } .failed { color: #b00020; font-weight: bold; }
.verdict { border-left: 0.4rem solid #1b6e2c; padding: 0.4rem 1rem; background: #f2f7f3; }
.caution { border-left: 0.4rem solid #b26a00; padding: 0.4rem 1rem; background: #fdf6ea; }
.verdict.bad { border-color: #b00020; background: #fbf1f2; }
figure { margin: 1rem 0; } figure svg { max-width: 100%; height: auto; }
code { overflow-wrap: anywhere; } details { margin: 0.4rem 0; } .small { color: #555; }
"""


def _rows(audit: Audit) -> list[list[str]]:
    """The results, a row a metric."""
    found = []
    for name, result in audit.results.items():
        exact = audit.exact.get(name)
        percents = wording.in_percent(result.score_a, result.score_b)
        low, high = (wording.pvalue(end) for end in result.pvalue_interval)
        sign = "%" * percents
        found.append(
            [
                wording.metric_title(name),
                wording.score(result.score_a, percents) + sign,
                wording.score(result.score_b, percents) + sign,
                wording.score_difference(result.statistic, percents, sign=True),
                pvalue_text(result),
                f"{low} to {high}",
                "not known" if exact is None else pvalue_text(exact),
            ]
        )
    return found


def _headers(audit: Audit) -> list[str]:
    first = next(iter(audit.results.values()))
    level = wording.decimal(100 * first.confidence_level)
    a, b = (wording.clean(name) for name in audit.comparison.names)
    return ["Metric", a, b, "Difference", "p (shuffles)", f"{level}% interval", "p (exact)"]


def _facts(audit: Audit, record: Mapping[str, Any]) -> list[tuple[str, str]]:
    """How the page came to be."""
    run, made = record["runs"][0], record["environment"]
    comparison = audit.comparison
    total = record["comparison"]["n_total"]
    units = f"{comparison.n_units:,}" + ("" if total is None else f" of {total:,}")
    facts = [
        ("Exchanged", f"{units} {wording.noun(comparison.unit, 2)} that differ"),
        ("Alternative", record["options"]["alternative"]),
        ("Shuffles", f"{run['n_resamples']:,} a run, three runs"
            + (", and a fourth that swaps single responses" if len(record["runs"]) > 3 else "")),
        ("Generator", f"{run['bit_generator']}, seed {', '.join(run['entropy'])}"),
        ("Written", f"{record['date']} by csig {made['csig']} (Python {made['python']}, numpy "
                    f"{made['numpy']}, scipy {made['scipy']}; {made['platform']})"),
    ]  # fmt: skip
    facts += [("Input", f"{file['path']} (SHA-256 {file['sha256']})") for file in record["inputs"]]
    if record["command"]:
        facts.append(("Command", " ".join(record["command"])))
    facts.append(("Data", f"SHA-256 {record['comparison']['digest']}"))
    facts.append(("Record", f"SHA-256 {file_digest(record)}"))
    return [(name, wording.clean(value)) for name, value in facts]


def _sentences(audit: Audit) -> list[str]:
    names = audit.comparison.names
    return [sentence(result, audit.alpha, names) for result in audit.best.values()]


def _limit(audit: Audit) -> str:
    limit = next((check.limit for check in audit.checks if check.limit is not None), None)
    if limit is None:
        return ""
    return (
        f"A check with a p-value fails below {limit:.2g}; an audit in which nothing is wrong fails "
        f"with a probability of 1e-6 at most. Checks without an outcome only inform, or do not "
        f"apply."
    )


# ---- HTML --------------------------------------------------------------------------------------


def _e(value: str) -> str:
    return html.escape(value, quote=True)


def _html_table(headers: Sequence[str], rows: Sequence[Sequence[str]], numbers: set[int]) -> str:
    def row(cells: Sequence[str], tag: str) -> str:
        found = (
            f"<{tag}{' class=n' if i in numbers else ''}>{cell}</{tag}>"
            for i, cell in enumerate(cells)
        )
        return f"<tr>{''.join(found)}</tr>"

    body = "\n".join(row(cells, "td") for cells in rows)
    return (
        f"<table>\n<thead>{row([_e(h) for h in headers], 'th')}</thead>\n"
        f"<tbody>\n{body}\n</tbody>\n</table>"
    )


def as_html(audit: Audit, record: Mapping[str, Any], said: Said | None = None) -> str:
    """The page as HTML.

    Parameters
    ----------
    audit : Audit
        An audit that has run.
    record : mapping
        Its record.
    said : Said, optional
        Cautions, which come first, and notes.

    Raises
    ------
    InputError
        If matplotlib is not installed.
    """
    from csig.report.plots import null_picture

    title = " against ".join(map(wording.clean, audit.comparison.names))
    results = _html_table(
        _headers(audit), [[_e(cell) for cell in row] for row in _rows(audit)], {1, 2, 3, 4, 5, 6}
    )
    checks = []
    for check in audit.checks:
        word = state(check)
        shown = f'<span class="{word.lower()}">{word}</span>' if word != "-" else "-"
        pvalue = "" if check.pvalue is None else _e(wording.pvalue(check.pvalue))
        checks.append(
            [_e(wording.clean(check.name)), shown, pvalue, _e(wording.clean(check.observed))]
        )
    pictures = [
        f"<figure>{null_picture(audit, metric)}</figure>" for metric in audit.options["metrics"]
    ]
    details = [
        f"<details><summary>{_e(wording.clean(check.name))}</summary>"
        f"<p>{_e(wording.clean(check.what))}</p><p>Seen: {_e(wording.clean(check.observed))}<br>"
        f"Expected: {_e(wording.clean(check.expected) or '-')}</p>"
        f"<p>{_e(wording.clean(check.sentence))}</p></details>"
        for check in audit.checks
    ]
    facts = "\n".join(
        f"<tr><th>{_e(name)}</th><td><code>{_e(value)}</code></td></tr>"
        for name, value in _facts(audit, record)
    )
    items = "\n".join(f"<li>{_e(line)}</li>" for line in _sentences(audit))
    bad = " bad" if audit.failed else ""
    said = said or Said()
    doubts = "".join(
        f'<p class="caution"><strong>Caution:</strong> {_e(wording.clean(line))}</p>\n'
        for line in said.cautions
    )
    notes = "".join(
        f'<p class="small">Note: {_e(wording.clean(line))}</p>\n' for line in said.notes
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Audit: {_e(title)}</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{_e(title)}</h1>
{doubts}<div class="verdict{bad}"><p><strong>{_e(outcome(audit))}</strong></p>
<ul>
{items}
</ul></div>
<h2>Results</h2>
{results}
{notes}<h2>Checks</h2>
{_html_table(["Check", "Outcome", "p", "Seen"], checks, {2})}
<p class="small">{_e(_limit(audit))}</p>
<h2>If it made no difference which system an output came from</h2>
{"".join(pictures)}
<h2>Details</h2>
{"".join(details)}
<h2>How to repeat it</h2>
<p>The record of this audit holds the seeds and the counts, and the data or their digest;
<code>csig verify RECORD</code> repeats it and compares every number.</p>
<table>
{facts}
</table>
</body>
</html>
"""


# ---- Markdown ----------------------------------------------------------------------------------


def _m(value: str) -> str:
    """Text that means nothing to Markdown, in a table or out of it."""
    found = html.escape(value, quote=False)
    for mark in "\\`*_{}[]()#+!|~$":
        found = found.replace(mark, f"\\{mark}")
    return found


def _markdown_table(
    headers: Sequence[str], rows: Sequence[Sequence[str]], numbers: set[int]
) -> str:
    shown: Callable[[Sequence[str]], str] = lambda cells: f"| {' | '.join(cells)} |"  # noqa: E731
    rule = ["---:" if i in numbers else "---" for i in range(len(headers))]
    lines = [shown([_m(h) for h in headers]), shown(rule)]
    lines += [shown([_m(cell) for cell in row]) for row in rows]
    return "\n".join(lines)


def as_markdown(audit: Audit, record: Mapping[str, Any], said: Said | None = None) -> str:
    """The page as Markdown, without pictures: as :func:`as_html`."""
    a, b = (wording.clean(name) for name in audit.comparison.names)
    checks = [
        [
            wording.clean(check.name),
            state(check),
            "" if check.pvalue is None else wording.pvalue(check.pvalue),
            wording.clean(check.observed),
            wording.clean(check.sentence),
        ]
        for check in audit.checks
    ]
    said = said or Said()
    lines = [
        f"# {_m(a)} against {_m(b)}",
        "",
        *(
            line
            for doubt in said.cautions
            for line in (f"**Caution:** {_m(wording.clean(doubt))}", "")
        ),
        f"**{_m(outcome(audit))}**",
        "",
        *(f"- {_m(line)}" for line in _sentences(audit)),
        "",
        "## Results",
        "",
        _markdown_table(_headers(audit), _rows(audit), {1, 2, 3, 4, 5, 6}),
        "",
        *(line for note in said.notes for line in (f"Note: {_m(wording.clean(note))}", "")),
        "## Checks",
        "",
        _markdown_table(["Check", "Outcome", "p", "Seen", "What it means"], checks, {2}),
        "",
        _m(_limit(audit)),
        "",
        "## How to repeat it",
        "",
        "`csig verify RECORD` repeats the audit from its record and compares every number.",
        "",
        *(f"- {_m(name)}: {_m(value)}" for name, value in _facts(audit, record)),
    ]
    return "\n".join(lines) + "\n"
