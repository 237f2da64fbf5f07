#!/usr/bin/env python3
"""Writes distances.txt: squared distances and cosine similarities in the pairwise order, for the tests to compare with.

Written from the definition alone. All arithmetic is of integers. It takes the order and the arithmetic from binary.py, and the generators
from pairwise.py. Needs Python 3.9, and some seconds. Run it only when lines are to be added.

    python3 tests/vectors/distances.py            writes distances.txt beside this file
    python3 tests/vectors/distances.py --check    compares distances.txt with what would be written

The definition, in the words of pairwise_statistics.py, where the y are the elements, rotated by one place:

  squared-distance     S(n) of the products RN(d * d), where d = RN(x - y)
  cosine-similarity    RN(dot / RN(norm(x) * norm(y)))

Quotients with zeros, infinities and NaNs are IEEE-754's. Every NaN is 0x7fc00000, and -0 is +0.

A line of distances.txt is `question data seed len bits`, as in pairwise.txt.
"""

import sys
from pathlib import Path

from binary import NOT_A_NUMBER, PLUS_INFINITY, Runs, is_negative, negated, with_sign
from pairwise import F32, element

KINDS = ["signed", "wide", "finite", "any", "subnormal", "zeros", "huge", "constant"]
LENGTHS = [0, 1, 2, 3, 5, 17, 255, 1000, 4097]


def total(terms, binary):
    return (Runs(terms, binary.add).total(len(terms)) if terms else 0) or 0


def fraction(a, b, binary):
    """RN(a / b)."""
    if NOT_A_NUMBER in (a, b):
        return NOT_A_NUMBER
    negative = is_negative(a) != is_negative(b)
    finite = isinstance(a, int), isinstance(b, int)
    if finite == (False, False) or (a == 0 and b == 0):
        return NOT_A_NUMBER
    if not finite[0] or b == 0:
        return with_sign(PLUS_INFINITY, negative)
    if not finite[1]:
        return 0
    return with_sign(binary.rounded_quotient(abs(a) << binary.unit, abs(b)), negative)


def result(question, elements, binary=F32):
    left = [binary.number(bits) for bits in elements]
    right = left[1:] + left[:1]
    if question == "squared-distance":
        apart = [binary.add(x, negated(y)) for x, y in zip(left, right)]
        return binary.bits_of(total([binary.product(d, d) for d in apart], binary))
    dot = total([binary.product(x, y) for x, y in zip(left, right)], binary)
    norms = [binary.root(total([binary.product(x, x) for x in side], binary)) for side in (left, right)]
    return binary.bits_of(fraction(dot, binary.product(*norms), binary))


def text():
    lines = ["# Written by distances.py, which explains it. Not to be edited by hand."]
    for question in ("squared-distance", "cosine-similarity"):
        for seed, kind in enumerate(KINDS, 7):
            for length in LENGTHS:
                elements = [element(kind, seed, index) for index in range(length)]
                lines.append(f"{question} {kind} {seed} {length} {result(question, elements):#010x}")
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
