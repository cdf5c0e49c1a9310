"""Make the files of this example: do four learners differ over nine data sets?

Needs scikit-learn, whose data sets they are. Handwritten digits make five of them, each of two
digits that are easily taken for one another; no image is in two. Diabetes is the question whether
the disease gets worse than the median. Every learner is scored by ten folds in the order of a fixed
seed: what a model says of the examples that it did not see.

    python make_datasets.py [FOLDER]      (default: the folder of this script)
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

SEED = 2006

#: Digits that look alike.
PAIRS = ((0, 6), (1, 7), (2, 5), (3, 8), (4, 9))

LEARNERS = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=5000)),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(3)),
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(random_state=SEED),
}


def data_sets() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The examples and the labels of every data set."""
    found = {
        "breast cancer": load_breast_cancer(return_X_y=True),
        "iris": load_iris(return_X_y=True),
        "wine": load_wine(return_X_y=True),
    }
    values, progress = load_diabetes(return_X_y=True)
    found["diabetes"] = values, (progress > np.median(progress)).astype(int)
    images, digits = load_digits(return_X_y=True)
    for pair in PAIRS:
        own = np.isin(digits, pair)
        found[f"digits {pair[0]}-{pair[1]}"] = images[own], digits[own]
    return found


def main(folder: Path) -> None:
    """Train, and write which examples every learner gets right, and its accuracies."""
    units = [",".join(["dataset", "item", *LEARNERS])]
    means = [",".join(["dataset", *LEARNERS])]
    folds = StratifiedKFold(10, shuffle=True, random_state=SEED)
    for name, (examples, labels) in data_sets().items():
        with threadpool_limits(1):  # the data are small
            right = np.stack(
                [cross_val_predict(own, examples, labels, cv=folds) == labels
                 for own in LEARNERS.values()]
            )  # fmt: skip
        units += [",".join(map(str, [name, i, *row])) for i, row in enumerate(right.T.astype(int))]
        means.append(",".join([name, *(f"{share:.4f}" for share in right.mean(axis=1))]))
    for file, lines in (("correct.csv", units), ("accuracy.csv", means)):
        text = "".join(f"{line}\n" for line in lines)
        (folder / file).write_bytes(text.encode())  # the same line ends on every system


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent)
