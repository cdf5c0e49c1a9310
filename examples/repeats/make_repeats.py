"""Make the files of this example: two models that answer by chance, several times each.

Needs scikit-learn, whose handwritten digits they read. Both models are trained on the first 60
images and asked which digit each of 60 other images shows: an answer is drawn from the
probabilities that a model gives to the digits, eight times an image. One row an answer, 1 where it
is right.

    python make_repeats.py [FOLDER]      (default: the folder of this script)
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

SEED, TRAINED, IMAGES, ANSWERS = 2024, 60, 60, 8

MODELS = {
    "neighbours": KNeighborsClassifier(5),
    "logistic": LogisticRegression(C=0.003, max_iter=5000),
}


def main(folder: Path) -> None:
    """Train the models and write their answers to a folder."""
    images, digits = load_digits(return_X_y=True)
    asked = np.linspace(len(digits) // 2, len(digits) - 1, IMAGES).astype(int)
    for seed, (name, model) in enumerate(MODELS.items(), SEED):
        rng = np.random.default_rng(seed)
        model.fit(images[:TRAINED], digits[:TRAINED])
        lines = ["id,sample,right"]
        for i, chances in zip(asked.tolist(), model.predict_proba(images[asked]), strict=True):
            answers = rng.choice(model.classes_, ANSWERS, p=chances)
            for j, answer in enumerate(answers.tolist(), 1):
                lines.append(f"image-{i},{j},{int(answer == digits[i])}")
        # Bytes, so that the line ends are the same on every system.
        (folder / f"{name}.csv").write_bytes("".join(f"{line}\n" for line in lines).encode())
        print(f"{name}.csv: {sum(line[-1] == '1' for line in lines)} of {len(lines) - 1} right")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent)
