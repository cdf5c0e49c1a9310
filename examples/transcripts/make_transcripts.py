"""Make the files of this example: rows of written digits, read out as words.

Needs scikit-learn. Its handwritten digits come in a fixed order: the first 300 images train two
classifiers, the next 480 are cut into 60 rows of eight, each an utterance of the ten writers in
turn. Each file has a row a line, as sclite's .trn: the words, then (writer-row).

    python make_transcripts.py [FOLDER]      (default: the folder of this script)
"""

from __future__ import annotations

import sys
from pathlib import Path

from sklearn.datasets import load_digits
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
TRAINED, ROWS, LENGTH, WRITERS = 300, 60, 8, 10


def main(folder: Path) -> None:
    """Write the reference and two transcripts to a folder."""
    images, digits = load_digits(return_X_y=True)
    rows = slice(TRAINED, TRAINED + ROWS * LENGTH)
    files = {"reference": digits[rows]}
    for name, model in {"neighbours": KNeighborsClassifier(3), "bayes": GaussianNB()}.items():
        files[name] = model.fit(images[:TRAINED], digits[:TRAINED]).predict(images[rows])
    for name, read in files.items():
        lines = []
        for row, own in enumerate(read.reshape(ROWS, LENGTH)):
            words = " ".join(WORDS[digit] for digit in own)
            lines.append(f"{words} (writer{row % WRITERS}-{row:02})\n")
        # Bytes, so that the line ends are the same on every system.
        (folder / f"{name}.trn").write_bytes("".join(lines).encode())
        print(f"{name}.trn: {(read == files['reference']).mean():.4f} of the words right")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent)
