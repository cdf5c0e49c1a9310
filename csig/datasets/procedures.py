"""What tests and corrections over data sets are called, and which of them are doubtful."""

from __future__ import annotations

from csig.datasets.comparing import DatasetsResult

#: Tests of two systems: in a sentence, and over a column.
_TESTS = {
    "wilcoxon": ("Wilcoxon signed-rank test", "Wilcoxon"),
    "sign": ("sign test", "sign"),
    "t": ("paired t test", "t"),
    "randomization": ("randomization test swapping data sets", "random."),
    "within": ("randomization test swapping units within data sets", "within"),
    "ranks": ("average ranks", "ranks"),
    "ranks-ties": ("average ranks with their ties", "ranks (ties)"),
    "conover": ("Conover's t test on ranks", "Conover"),
    "quade": ("Quade's t test on weighted ranks", "Quade"),
    "anova": ("analysis of variance", "ANOVA"),
}

#: Procedures that test and adjust at once, the same way.
_WHOLE = {
    "nemenyi": ("Nemenyi", "Nemenyi"),
    "nemenyi-ties": ("Nemenyi, with tied ranks", "Nemenyi (ties)"),
    "bonferroni-dunn": ("Bonferroni-Dunn", "Bonf.-Dunn"),
    "ranks-holm": ("average ranks, Holm-adjusted", "ranks (Holm)"),
    "ranks-shaffer": ("average ranks, Shaffer-adjusted", "ranks (Shaffer)"),
    "ranks-bergmann-hommel": ("average ranks, Bergmann-Hommel-adjusted", "ranks (B.-H.)"),
    "tukey": ("Tukey", "Tukey"),
    "dunnett": ("Dunnett", "Dunnett"),
}

#: What a correction makes of the p-values of a test.
CORRECTED = {
    "holm": "Holm-adjusted",
    "bonferroni": "Bonferroni-adjusted",
    "shaffer": "Shaffer-adjusted",
    "bergmann-hommel": "Bergmann-Hommel-adjusted",
    "bh": "false discovery rate, Benjamini-Hochberg",
    "by": "false discovery rate, Benjamini-Yekutieli",
}

#: Tests of all systems at once, and of two: what they are called, and what to think of them.
OVERALL = {
    "friedman": ("Friedman", "approximate, too cautious"),
    "friedman-ties": ("Friedman, tied ranks", "approximate, too cautious"),
    "iman-davenport": ("Iman-Davenport", "as if no ranks were tied"),
    "iman-davenport-ties": ("Iman-Davenport, tied ranks", "as if ties were planned"),
    "quade": ("Quade", "scores must be comparable"),
    "quade-chi2": ("Quade, chi-square", "scores must be comparable"),
    "aligned-ranks": ("Aligned ranks", "scores must be comparable"),
    "anova": ("ANOVA", "assumes normal scores"),
    "anova-greenhouse-geisser": ("ANOVA, Greenhouse-Geisser", "assumes normal scores"),
    "anova-huynh-feldt": ("ANOVA, Huynh-Feldt", "assumes normal scores"),
    "wilcoxon": ("Wilcoxon", ""),
    "sign": ("Sign", "valid, finds least"),
    "t": ("Paired t", "assumes normal differences"),
    "randomization": ("Randomization of data sets", "scores must be comparable"),
    "within": (
        "Randomization of units within data sets",
        "of these data sets only, not of others",
    ),
}


def doubt_of(procedure: str) -> str:
    """Why not to trust a procedure over data sets; empty where nothing speaks against it.

    >>> doubt_of("wilcoxon"), doubt_of("nemenyi")
    ('', 'depends on which other systems are in the table')
    """
    if procedure in ("t", "anova", "tukey", "dunnett"):
        return "assumes normal differences"
    if procedure.startswith(("ranks", "nemenyi", "bonferroni-dunn", "conover", "quade")):
        return "depends on which other systems are in the table"
    return ""


def adjusted_title(procedure: str, correction: str) -> str:
    """A procedure in a sentence, with its correction.

    >>> adjusted_title("wilcoxon", "holm"), adjusted_title("nemenyi", "holm")
    ('Wilcoxon signed-rank test, Holm-adjusted', 'Nemenyi')
    """
    if procedure in _WHOLE:
        return _WHOLE[procedure][0]
    # A correction of one test only leaves the other tests with Holm's.
    return f"{_TESTS[procedure][0]}, {CORRECTED.get(correction, CORRECTED['holm'])}"


def short_title(procedure: str) -> str:
    """The same over a column, without the correction.

    >>> short_title("randomization"), short_title("tukey")
    ('random.', 'Tukey')
    """
    return _WHOLE[procedure][1] if procedure in _WHOLE else _TESTS[procedure][1]


def title(result: DatasetsResult) -> str:
    """What the verdicts of a result come from."""
    if result.correction in _WHOLE:
        return _WHOLE[result.correction][0]
    found = _TESTS[result.test][0]
    if len(result.pairs) > 1:
        found += f", {CORRECTED[result.correction]}"
    return found


def procedures(result: DatasetsResult) -> list[str]:
    """The procedures that say something of a result, and none that says what another does.

    Those that count ties are left out where no ranks are tied, and the test of average ranks by a
    correction that "ranks" has already.
    """
    known = list(result.pairs[0].adjusted_by)
    tied = any(
        pair.adjusted_by[name] != pair.adjusted_by[name.removesuffix("-ties")]
        for pair in result.pairs
        for name in known
        if name.endswith("-ties")
    )
    general = result.correction if result.correction in CORRECTED else "holm"
    same = {f"ranks-{general}"}  # which "ranks" is, too
    return [name for name in known if name not in same and (tied or not name.endswith("-ties"))]
