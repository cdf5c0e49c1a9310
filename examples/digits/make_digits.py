"""Make the files of this example: which of the held-out images show an 8?

Needs scikit-learn. Its handwritten digits come in a fixed order; the first half trains
two classifiers, the second half is held out. Nothing is random: there is no shuffling,
and both classifiers give the same model on every run. Each file lists the ids of images,
one per line: gold.tsv those that show an 8, a system's file those that it says show an 8.

    python make_digits.py [FOLDER]      (default: the folder of this script)
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import NearestCentroid

WANTED = 8


def main(folder: Path) -> None:
    """Train the classifiers and write the three files to a folder."""
    images, digits = load_digits(return_X_y=True)
    half = len(digits) // 2
    lists = {"gold.tsv": digits[half:]}
    for name, classifier in {
        "logistic-regression.tsv": LogisticRegression(max_iter=5000),
        "nearest-centroid.tsv": NearestCentroid(),
    }.items():
        with warnings.catch_warnings():
            # Pixels at the margin are always 0; the centroids do not mind.
            warnings.filterwarnings("ignore", message=".*within_class_std_dev_")
            classifier.fit(images[:half], digits[:half])
        lists[name] = classifier.predict(images[half:])
    for name, answers in lists.items():
        ids = [f"image-{half + i:04d}" for i, digit in enumerate(answers) if digit == WANTED]
        # Bytes, so that the line ends are the same on every system.
        (folder / name).write_bytes("".join(f"{id_}\n" for id_ in ids).encode())
        print(f"{name}: {len(ids)} of {len(answers)} images")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent)
