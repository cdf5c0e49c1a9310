"""Make the files of this example: three models on one benchmark of two tasks.

Needs scikit-learn. Its handwritten digits come in a fixed order: the first 200 images train three
classifiers, the next 240 are a benchmark: is the digit right, and is it said whether it is even?
Each folder is a model's, with the samples of each task as lm-evaluation-harness writes them.

    python make_benchmark.py [FOLDER]      (default: the folder of this script)
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

from sklearn.datasets import load_digits
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

TRAINED, ASKED = 200, 240
MODELS = {
    "neighbours": KNeighborsClassifier(3),
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(random_state=0),
}


def main(folder: Path) -> None:
    """Write a folder of samples for every model."""
    images, digits = load_digits(return_X_y=True)
    asked = slice(TRAINED, TRAINED + ASKED)
    for name, model in MODELS.items():
        (folder / name).mkdir(exist_ok=True)
        for task, truth in {"digits": digits, "even": digits % 2}.items():
            answers = model.fit(images[:TRAINED], truth[:TRAINED]).predict(images[asked])
            right = answers == truth[asked]
            lines = []
            for i, own in enumerate(right):
                digest = hashlib.sha256(images[TRAINED + i].tobytes()).hexdigest()[:16]
                sample = {"doc_id": i, "doc_hash": digest, "filter": "none", "acc": float(own)}
                lines.append(json.dumps(sample) + "\n")
            # Bytes, so that the line ends are the same on every system.
            path = folder / name / f"samples_{task}_2026-01-01T00-00-00.jsonl"
            path.write_bytes("".join(lines).encode())
            print(f"{name}, {task}: {right.mean():.4f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent)
