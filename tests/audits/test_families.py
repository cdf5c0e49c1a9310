"""Every check has a family, in the code and in the docs."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from brute import PAPER
from places import ROOT

import csig
from csig.audits.families import FAMILIES, families


def test_every_check_of_an_audit_has_a_family():
    found = csig.audit(csig.Comparison.from_counts(**PAPER), "f1", n_resamples=1024, rng=1)
    kinds = families(found.checks)
    assert [family.name for family in kinds] == list(FAMILIES)
    assert all(family.about for family in kinds)
    assert [check for family in kinds for check in family.checks] == list(found.checks)
    states = {family.name: family.state for family in kinds}
    assert states["runs"] == "3/3 passed"
    assert states["generator"] == "11/11 passed"
    assert (states["independence"], states["dependence"]) == ("informs", "not applicable")


def test_the_docs_have_every_family():
    text = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    section = text.partition("## The checks")[2].partition("\n## ")[0]
    assert re.findall(r"^\*\*`([a-z ]+)`\*\*", section, re.MULTILINE) == list(FAMILIES)


def test_records_of_every_version_have_families():
    for path in sorted((ROOT / "tests" / "reference").glob("audit-*.json")):
        names = {
            check["name"].partition(":")[0] for check in json.loads(path.read_text())["checks"]
        }
        assert names <= set(FAMILIES)


def test_failures_come_first_and_the_generator_before_them():
    found = csig.audit(csig.Comparison.from_counts(**PAPER), "f1", n_resamples=1024, rng=1)
    spoilt = [
        replace(check, passed=False) if check.kind in ("exact", "generator") else check
        for check in found.checks
    ]
    kinds = families(spoilt)
    assert [family.name for family in kinds][:3] == ["generator", "exact", "runs"]
    assert kinds[0].state == "11/11 FAILED"
    assert len(kinds[1].failed) == kinds[1].decided == 2  # recall is shuffled, too


def test_a_family_of_another_version_has_a_name_and_nothing_more():
    found = csig.audit(csig.Comparison.from_counts(**PAPER), "f1", n_resamples=1024, rng=1)
    (own,) = families([replace(found.checks[0], name="luck: f1")])
    assert (own.name, own.about, own.own_name(own.checks[0])) == ("luck", "", "f1")
