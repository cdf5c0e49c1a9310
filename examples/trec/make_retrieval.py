"""Make the files of this example: which images look like this one?

Needs scikit-learn. Its handwritten digits come in a fixed order: the first 300 images are the
collection, the next 50 are the topics, and relevant is what shows the same digit. Three systems
rank the collection by the distance of its images from the topic's: of all pixels, of four
principal components, of the sums of rows and columns. Nothing is random.

    python make_retrieval.py [FOLDER]      (default: the folder of this script)
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits

DOCUMENTS, TOPICS, KEPT = 300, 50, 20


def main(folder: Path) -> None:
    """Write the judgements and three runs to a folder."""
    images, digits = load_digits(return_X_y=True)
    squares = images.reshape(-1, 8, 8)
    centred = images - images[:DOCUMENTS].mean(axis=0)
    axes = np.linalg.svd(centred[:DOCUMENTS], full_matrices=False)[2][:4]
    systems = {
        "pixels": images,
        "pca": centred @ axes.T,
        "margins": np.hstack([squares.sum(axis=1), squares.sum(axis=2)]),
    }
    topics = range(DOCUMENTS, DOCUMENTS + TOPICS)
    qrels = [
        f"{topic} 0 image-{document:03} 1"
        for topic in topics
        for document in np.flatnonzero(digits[:DOCUMENTS] == digits[topic])
    ]
    files = {"qrels.txt": qrels}
    for name, features in systems.items():
        lines = files[f"{name}.run"] = []
        for topic in topics:
            away = np.linalg.norm(features[:DOCUMENTS] - features[topic], axis=1).round(3)
            for rank, document in enumerate(np.argsort(away, kind="stable")[:KEPT], start=1):
                lines.append(f"{topic} Q0 image-{document:03} {rank} {-away[document]:.3f} {name}")
    for name, lines in files.items():
        # Bytes, so that the line ends are the same on every system.
        (folder / name).write_bytes("".join(f"{line}\n" for line in lines).encode())
        print(f"{name}: {len(lines)} lines")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent)
