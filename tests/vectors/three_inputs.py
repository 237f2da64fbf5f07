#!/usr/bin/env python3
"""Writes three_inputs.txt: sums of what expressions make of three inputs, in the pairwise order, for the tests to compare with.

Written from the definition alone. All arithmetic is of integers. It takes the order and the arithmetic from binary.py, and the generators
from pairwise.py. Needs Python 3.9, and some seconds. Run it only when lines are to be added.

    python3 tests/vectors/three_inputs.py            writes three_inputs.txt beside this file
    python3 tests/vectors/three_inputs.py --check    compares three_inputs.txt with what would be written

The definition, in the words of distances.py, where the y are the elements, rotated by one place, and the z those, rotated by two:

  x * y * z    S(n) of RN(RN(x * y) * z)
  x - y * z    S(n) of RN(x - RN(y * z))
  z - x * y    S(n) of RN(z - RN(x * y))

Every NaN is 0x7fc00000, and a sum that is -0 is +0.

A line of three_inputs.txt is `data seed len bits | expression`, the first four as in pairwise.txt.
"""

import sys
from pathlib import Path

from binary import negated
from distances import total
from pairwise import F32, element

KINDS = ["signed", "wide", "finite", "any", "subnormal", "zeros", "huge", "constant"]
LENGTHS = [0, 1, 2, 3, 4, 5, 17, 255, 1000, 4096, 4099]
EXPRESSIONS = {
    "x * y * z": lambda x, y, z: F32.product(F32.product(x, y), z),
    "x - y * z": lambda x, y, z: F32.add(x, negated(F32.product(y, z))),
    "z - x * y": lambda x, y, z: F32.add(z, negated(F32.product(x, y))),
}


def rotated(elements, places):
    places %= max(len(elements), 1)
    return elements[places:] + elements[:places]


def result(expression, elements):
    x = [F32.number(bits) for bits in elements]
    terms = [EXPRESSIONS[expression](*three) for three in zip(x, rotated(x, 1), rotated(x, 2))]
    return F32.bits_of(total(terms, F32))


def text():
    lines = ["# Written by three_inputs.py, which explains it. Not to be edited by hand."]
    for expression in EXPRESSIONS:
        for seed, kind in enumerate(KINDS, 11):
            for length in LENGTHS:
                elements = [element(kind, seed, index) for index in range(length)]
                lines.append(f"{kind} {seed} {length} {result(expression, elements):#010x} | {expression}")
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
