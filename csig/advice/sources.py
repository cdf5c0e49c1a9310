"""Who says which test is sound: short references, and the publications behind them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

__all__ = ["SOURCES", "publications"]

#: Publications by the name and year that a short reference begins with.
SOURCES: Mapping[str, str] = {
    "Alpaydin 1999": "Alpaydin, E. (1999). Combined 5x2 cv F test for comparing supervised "
    "classification learning algorithms. Neural Computation 11(8).",
    "Benavoli et al. 2016": "Benavoli, A., Corani, G. and Mangili, F. (2016). Should we really use "
    "post-hoc tests based on mean-ranks? Journal of Machine Learning Research 17(5).",
    "Benjamini and Hochberg 1995": "Benjamini, Y. and Hochberg, Y. (1995). Controlling the false "
    "discovery rate: a practical and powerful approach to multiple testing. Journal of the Royal "
    "Statistical Society B 57.",
    "Berg-Kirkpatrick et al. 2012": "Berg-Kirkpatrick, T., Burkett, D. and Klein, D. (2012). An "
    "empirical investigation of statistical significance in NLP. EMNLP.",
    "Bestgen 2022": "Bestgen, Y. (2022). Please, don't forget the difference and the confidence "
    "interval when seeking for the state-of-the-art status. LREC; arXiv:2205.11134.",
    "Bouckaert and Frank 2004": "Bouckaert, R. and Frank, E. (2004). Evaluating the replicability "
    "of significance tests for comparing learning algorithms. PAKDD.",
    "Cochran 1950": "Cochran, W. (1950). The comparison of percentages in matched samples. "
    "Biometrika 37.",
    "Demšar 2006": "Demšar, J. (2006). Statistical comparisons of classifiers over multiple data "
    "sets. Journal of Machine Learning Research 7.",
    "Dietterich 1998": "Dietterich, T. (1998). Approximate statistical tests for comparing "
    "supervised classification learning algorithms. Neural Computation 10(7).",
    "Fagerland et al. 2013": "Fagerland, M., Lydersen, S. and Laake, P. (2013). The McNemar test "
    "for binary matched-pairs data: mid-p and asymptotic are better than exact conditional. BMC "
    "Medical Research Methodology 13:91.",
    "Holm 1979": "Holm, S. (1979). A simple sequentially rejective multiple test procedure. "
    "Scandinavian Journal of Statistics 6.",
    "Koehn 2004": "Koehn, P. (2004). Statistical significance tests for machine translation "
    "evaluation. EMNLP.",
    "Konietschke and Pauly 2014": "Konietschke, F. and Pauly, M. (2014). Bootstrapping and "
    "permuting paired t-test type statistics. Statistics and Computing 24.",
    "Nadeau and Bengio 2003": "Nadeau, C. and Bengio, Y. (2003). Inference for the generalization "
    "error. Machine Learning 52.",
    "Noreen 1989": "Noreen, E. (1989). Computer-Intensive Methods for Testing Hypotheses. Wiley.",
    "Riezler and Maxwell 2005": "Riezler, S. and Maxwell, J. (2005). On some pitfalls in automatic "
    "evaluation and significance testing for MT. ACL workshop.",
    "Romano and Wolf 2005": "Romano, J. and Wolf, M. (2005). Exact and approximate stepdown "
    "methods for multiple hypothesis testing. Journal of the American Statistical Association 100.",
    "Shaffer 1986": "Shaffer, J. (1986). Modified sequentially rejective multiple test procedures. "
    "Journal of the American Statistical Association 81.",
    "Smucker et al. 2007": "Smucker, M., Allan, J. and Carterette, B. (2007). A comparison of "
    "statistical significance tests for information retrieval evaluation. CIKM.",
    "Sugden et al. 2000": "Sugden, R., Smith, T. and Jones, R. (2000). Cochran's rule for simple "
    "random sampling. Journal of the Royal Statistical Society B 62, 787-793.",
    "Yeh 2000": "Yeh, A. (2000). More accurate tests for the statistical significance of result "
    "differences. COLING.",
}


def publications(references: Iterable[str]) -> list[str]:
    """The publications that short references name, in the order of their authors.

    >>> publications(["Yeh 2000, section 2.1; Holm 1979", "docs/bootstrap.md"])[0][:14]
    'Holm, S. (1979'
    """
    named = {part.strip() for own in references for part in own.split(";")}
    keys = {re.split(r",? (?:sections?|pages?) ", part)[0].rstrip(",") for part in named}
    return [text for key, text in SOURCES.items() if key in keys]
