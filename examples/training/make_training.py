"""Make the files of this example: how much do two learners depend on their training images?

Needs scikit-learn. Of its handwritten digits the first half trains, the second half tests: 600
images as they are ("clean"), and 299 others whose three columns at the right are blank ("cut").
Two samples of 299 clean images each, without a common image, are as large as the cut set
("clean a", "clean b").

    python make_training.py [FOLDER [SAMPLES]]      (default: the folder of this script, 100)

A run that was stopped goes on: the ledgers keep what is done. Takes less than a minute.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from threadpoolctl import threadpool_limits

from csig.training import TrainingDistribution, resample_training, training_distribution

SEED = 2001
IMAGES, DIGITS = load_digits(return_X_y=True)
IMAGES = IMAGES / 16  # grey values from 0 to 1
HALF = len(DIGITS) // 2
CUT = 299


def cut(images: np.ndarray) -> np.ndarray:
    """The images without the three columns at the right."""
    pictures = images.reshape(-1, 8, 8).copy()
    pictures[:, :, 5:] = 0
    return pictures.reshape(-1, 64)


def test_sets() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The images and the digits of every test set."""
    images, digits = IMAGES[HALF:], DIGITS[HALF:]
    sample = resample_training(len(digits), CUT, "subsample", n_samples=1, rng=SEED)[0]
    clean = sample.held_out
    halves = resample_training(len(clean), CUT, "subsample", n_samples=2, rng=SEED)
    return {
        "clean": (images[clean], digits[clean]),
        "cut": (cut(images[sample.indices]), digits[sample.indices]),
        "clean a": (images[clean[halves[0].indices]], digits[clean[halves[0].indices]]),
        "clean b": (images[clean[halves[1].indices]], digits[clean[halves[1].indices]]),
    }


def train_and_score(
    training: np.ndarray, tests: dict[str, tuple[np.ndarray, np.ndarray]]
) -> dict[str, dict[str, np.ndarray]]:
    """Train both learners on these images; which images of a test set each gets right."""
    learners = {
        "logistic regression": LogisticRegression(max_iter=1000),
        "3 neighbours": KNeighborsClassifier(3),
    }
    scores = {}
    for name, learner in learners.items():
        learner.fit(IMAGES[training], DIGITS[training])
        scores[name] = {
            test: learner.predict(images) == digits for test, (images, digits) in tests.items()
        }
    return scores


def distribution(folder: Path, method: str, **options: int) -> TrainingDistribution:
    """Train and score on every sample of the first half."""
    return training_distribution(
        train_and_score,
        HALF,
        test_sets(),
        systems=["logistic regression", "3 neighbours"],
        method=method,
        rng=SEED,
        ledger=folder / f"{method}.jsonl",
        note="digits; logistic regression with C = 1, 3 neighbours",
        progress=sys.stderr.isatty(),
        **options,
    )


def write(path: Path, text: str) -> None:
    """Bytes, so that the line ends are the same on every system."""
    path.write_bytes(text.encode())


def main(folder: Path, samples: int = 100) -> None:
    """Train, and write the scores, the tables and the pictures to a folder."""
    for method, options in (("bootstrap", {"n_samples": samples}), ("kfold", {"k": 10})):
        with threadpool_limits(1):  # the matrices are small
            found = distribution(folder, method, **options)
        write(folder / f"{method}.csv", found.to_csv())
        write(folder / f"{method}.txt", found.table(width=100))
        if method == "bootstrap":
            two = found.scores[:, :, :2], found.systems, found.test_sets[:2], found.method
            page = TrainingDistribution(*two).plot("page").figure
            page.savefig(folder / f"{method}.svg", metadata={"Date": None})


if __name__ == "__main__":
    main(
        Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent,
        *map(int, sys.argv[2:3]),
    )
