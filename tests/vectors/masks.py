#!/usr/bin/env python3
"""Writes masks.txt: reductions of masks of a bit for each flag, for the tests to compare with, by NumPy's `unpackbits`. Needs Python 3.9
and NumPy. Run it only when lines are to be added.

    python3 tests/vectors/masks.py            writes masks.txt beside this file
    python3 tests/vectors/masks.py --check    compares masks.txt with what would be written

A line of masks.txt is `kind seed first len count all any`: of `len` bits from bit `first` on how many are 1, whether all are, and whether
any is, 0 or 1, or `none` of no bits. Bit 0 is the lowest one of word 0. The word with an index is made of h = mix(index + seed), as
pairwise.py has it:

  any   h
  few   0, but where h % 300 is 1: there the bit (h >> 8) % 32
  most  all bits, but for these
  ones  all bits
  none  0
"""

import sys
from pathlib import Path

import numpy as np

from pairwise import MASK, mix

KINDS = ["any", "few", "most", "ones", "none"]
PLACES = [
    (0, 0), (5, 0), (0, 1), (31, 1), (32, 1), (3, 28), (3, 29), (3, 30), (0, 32), (32, 32), (7, 64), (31, 33), (1, 127),
    (0, 128), (96, 128), (100, 5000), (33, 131072), (0, 131073), (31, 400_001), (64, 1 << 19),
]


def word(kind, seed, index):
    h = mix(index + seed & MASK)
    few = 1 << (h >> 8) % 32 if h % 300 == 1 else 0
    return {"any": h, "few": few, "most": MASK ^ few, "ones": MASK, "none": 0}[kind]


def text():
    lines = ["# Written by masks.py, which says what a line is."]
    for seed, kind in enumerate(KINDS):
        words = max(first + length for first, length in PLACES) // 32 + 1
        made = np.array([word(kind, seed, index) for index in range(words)], dtype="<u4")
        bits = np.unpackbits(made.view(np.uint8), bitorder="little")
        for first, length in PLACES:
            mask = bits[first : first + length]
            whether = (int(mask.all()), int(mask.any())) if length else ("none", "none")
            lines.append(f"{kind} {seed} {first} {length} {np.count_nonzero(mask)} {whether[0]} {whether[1]}")
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
