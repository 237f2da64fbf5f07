#!/usr/bin/env python3
"""Writes distances_f64.txt: squared distances and cosine similarities of f64s in the pairwise order, for the tests to compare with.

Written from the definition alone, which is that of distances.py, with binary64 in the place of binary32. It takes the generators from
pairwise_f64.py. Needs Python 3.9, and some seconds. Run it only when lines are to be added.

    python3 tests/vectors/distances_f64.py            writes distances_f64.txt beside this file
    python3 tests/vectors/distances_f64.py --check    compares distances_f64.txt with what would be written

Every NaN is 0x7ff8000000000000, and -0 is +0. A line of distances_f64.txt is `question data seed len bits`, as in pairwise_f64.txt.
"""

import sys
from pathlib import Path

from distances import result
from pairwise_f64 import F64, element

KINDS = ["signed", "wide", "finite", "any", "subnormal", "zeros", "huge", "constant", "small", "large"]
LENGTHS = [0, 1, 2, 3, 5, 17, 255, 1000, 4097]


def text():
    lines = ["# Written by distances_f64.py, which explains it. Not to be edited by hand."]
    for question in ("squared-distance", "cosine-similarity"):
        for seed, kind in enumerate(KINDS, 7):
            for length in LENGTHS:
                elements = [element(kind, seed, index) for index in range(length)]
                bits = result(question, elements, F64)
                lines.append(f"{question} {kind} {seed} {length} {bits:#018x}")
    return "\n".join(lines) + "\n"


def main():
    path = Path(__file__).with_suffix(".txt")
    if sys.argv[1:] == ["--check"]:
        if path.read_text() != text():
            sys.exit(f"{path} is not what this writes")
    else:
        path.write_text(text())


if __name__ == "__main__":
    main()
