"""An audit on one page, as HTML or Markdown: what a reviewer reads in two minutes.

The verdict first, then the results, the table of checks, a picture of each metric's null
distribution, and the details. A page needs nothing from outside and runs nothing; every name in
it is escaped. The pages themselves are ``page.html`` and ``page.md`` beside this module.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import resources
from string import Template
from typing import TYPE_CHECKING, Any

from csig import wording
from csig.audits.digests import file_digest
from csig.report.audits import level, limit, outcome, sentences, state
from csig.report.verdict import Said, pvalue_text
from csig.wording import clean

if TYPE_CHECKING:
    from csig.audits.checks import Check
    from csig.audits.outcome import Audit

__all__ = ["as_html", "as_markdown"]


def _template(name: str) -> Template:
    return Template(resources.files("csig.report").joinpath(name).read_text(encoding="utf-8"))


# ---- what is on a page -------------------------------------------------------------------------

#: The columns of the results that are numbers; of the checks.
_RESULT_NUMBERS, _CHECK_NUMBERS = {1, 2, 3, 4, 5, 6}, {2}


def _headers(audit: Audit) -> list[str]:
    interval = f"{level(audit)}% interval"
    a, b = map(clean, audit.comparison.names)
    return ["Metric", a, b, "Difference", "p (shuffles)", interval, "p (exact)"]


def _rows(audit: Audit) -> list[list[str]]:
    """The results, one row per metric."""
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


def _check(check: Check) -> tuple[str, str, str, str]:
    """A check's name, what became of it, its p-value, and what was seen."""
    pvalue = "" if check.pvalue is None else wording.pvalue(check.pvalue)
    return clean(check.name), state(check), pvalue, clean(check.observed)


def _facts(audit: Audit, record: Mapping[str, Any]) -> list[tuple[str, str]]:
    """How the page came to be."""
    run, made = record["runs"][0], record["environment"]
    comparison = audit.comparison
    total = record["comparison"]["n_total"]
    units = f"{comparison.n_units:,}" + ("" if total is None else f" of {total:,}")
    facts = [
        ("Swapped", f"{units} {wording.noun(comparison.unit, 2)} that differ"),
        ("Alternative", record["options"]["alternative"]),
        ("Shuffles", f"{run['n_resamples']:,} per run, three runs"
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
    return [(name, clean(value)) for name, value in facts]


def _page(
    template: str,
    escape: Callable[[str], str],
    audit: Audit,
    said: Said | None,
    forms: Mapping[str, str],
    **parts: str,
) -> str:
    """A template with everything that both pages have; `forms` are those of a line of each kind."""
    said = said or Said()

    def lines(kind: str, found: Iterable[str]) -> str:
        return "".join(forms[kind].format(escape(clean(line))) for line in found)

    return _template(template).substitute(
        parts,
        title=" against ".join(escape(clean(name)) for name in audit.comparison.names),
        outcome=escape(outcome(audit)),
        limit=escape(limit(audit)),
        cautions=lines("caution", said.cautions),
        notes=lines("note", said.notes),
        sentences=lines("sentence", sentences(audit)).rstrip("\n"),
    )


# ---- HTML --------------------------------------------------------------------------------------


_HTML_LINES = {
    "caution": '<p class="caution"><strong>Caution:</strong> {}</p>\n',
    "note": '<p class="small">Note: {}</p>\n',
    "sentence": "<li>{}</li>\n",
}


def _html_table(headers: Sequence[str], rows: Iterable[Sequence[str]], numbers: set[int]) -> str:
    """A table; its cells are escaped already."""

    def row(cells: Sequence[str], tag: str) -> str:
        found = (
            f"<{tag}{' class=n' if i in numbers else ''}>{cell}</{tag}>"
            for i, cell in enumerate(cells)
        )
        return f"<tr>{''.join(found)}</tr>"

    body = "\n".join(row(cells, "td") for cells in rows)
    return (
        f"<table>\n<thead>{row(list(map(html.escape, headers)), 'th')}</thead>\n"
        f"<tbody>\n{body}\n</tbody>\n</table>"
    )


def _html_check(check: Check) -> list[str]:
    name, word, pvalue, seen = map(html.escape, _check(check))
    return [
        name, word if word == "-" else f'<span class="{word.lower()}">{word}</span>', pvalue, seen
    ]  # fmt: skip


def _html_details(check: Check) -> str:
    own = (check.name, check.what, check.observed, check.expected, check.sentence)
    name, what, seen, expected, meaning = (html.escape(clean(text)) for text in own)
    return (
        f"<details><summary>{name}</summary><p>{what}</p>"
        f"<p>Seen: {seen}<br>Expected: {expected or '-'}</p><p>{meaning}</p></details>"
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

    metrics = audit.options["metrics"]
    facts = _facts(audit, record)
    rows = [list(map(html.escape, row)) for row in _rows(audit)]
    checks = map(_html_check, audit.checks)
    return _page(
        "page.html",
        html.escape,
        audit,
        said,
        _HTML_LINES,
        bad=" bad" if audit.failed else "",
        results=_html_table(_headers(audit), rows, _RESULT_NUMBERS),
        checks=_html_table(["Check", "Outcome", "p", "Seen"], checks, _CHECK_NUMBERS),
        pictures="".join(f"<figure>{null_picture(audit, own)}</figure>" for own in metrics),
        details="".join(map(_html_details, audit.checks)),
        facts="\n".join(
            f"<tr><th>{html.escape(name)}</th><td><code>{html.escape(value)}</code></td></tr>"
            for name, value in facts
        ),
    )


# ---- Markdown ----------------------------------------------------------------------------------


_MARKDOWN_LINES = {
    "caution": "**Caution:** {}\n\n",
    "note": "Note: {}\n\n",
    "sentence": "- {}\n",
}


def _m(value: str) -> str:
    """Text that means nothing to Markdown, in a table or out of it."""
    found = html.escape(value, quote=False)
    for mark in "\\`*_{}[]()#+!|~$":
        found = found.replace(mark, f"\\{mark}")
    return found


def _markdown_table(
    headers: Sequence[str], rows: Iterable[Sequence[str]], numbers: set[int]
) -> str:
    rule = ["---:" if i in numbers else "---" for i in range(len(headers))]
    cells = [list(map(_m, headers)), rule, *(list(map(_m, row)) for row in rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def as_markdown(audit: Audit, record: Mapping[str, Any], said: Said | None = None) -> str:
    """The page as Markdown, without pictures: as :func:`as_html`."""
    checks = [(*_check(check), clean(check.sentence)) for check in audit.checks]
    headers = ["Check", "Outcome", "p", "Seen", "What it means"]
    return _page(
        "page.md",
        _m,
        audit,
        said,
        _MARKDOWN_LINES,
        results=_markdown_table(_headers(audit), _rows(audit), _RESULT_NUMBERS),
        checks=_markdown_table(headers, checks, _CHECK_NUMBERS),
        facts="\n".join(f"- {_m(name)}: {_m(value)}" for name, value in _facts(audit, record)),
    )
