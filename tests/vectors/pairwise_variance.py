#!/usr/bin/env python3
"""Writes pairwise_variance.txt: variances in the pairwise order, for the tests to compare with.

Written from the definition alone, not from the Rust code or the shaders, so that a mistake there cannot hide here. All arithmetic
is of integers. It takes the arithmetic from binary.py, and generators from pairwise.py and pairwise_statistics.py, which explain them. Needs
Python 3.9, and a minute or two. Run it only when lines are to be added: a changed result means a changed definition.

    python3 tests/vectors/pairwise_variance.py            writes pairwise_variance.txt beside this file
    python3 tests/vectors/pairwise_variance.py --check    compares pairwise_variance.txt with what would be written

The definition. RN(x) is the real number x, rounded to binary32, to nearest, ties to even, with subnormals; an infinity if it
is too large. Operations on infinities and NaNs are IEEE-754's.

A run of 2^k elements has R, its sum in the pairwise order, and M. Of one element x, M is +0, or NaN if x is not finite. Of
a run whose halves, of 2^k elements each, have (a, s) and (b, t):

  d = RN(b - a),  M = RN(RN(s + t) + RN(d * d / 2^(k + 1)))

n elements fall into runs 1 .. p of levels k_1 > k_2 > ..., with R_1, M_1 and so on. From A = 0 and B = M_1 on, for i = 2 .. p:

  e = RN(R_i / 2^k_i - R_1 / 2^k_1),  A = RN(A + 2^k_i * e),  B = RN(B + RN(M_i + RN(2^k_i * e * e)))

M2 is RN(B - RN(RN(A / n) * A)). (By rounding it may be negative, but only by so few units of 2^-149 that divided by n or n - 1 it is 0.)

  variance          RN(M2 / n); NaN of nothing
  sample-variance   RN(M2 / (n - 1)); NaN of less than two

Every NaN is 0x7fc00000. A line of pairwise_variance.txt is `operator data seed len bits`, as in pairwise.txt. There is one more
generator:

  clustered   1000 + j * 2^-14, where j is h >> 22: a mean far from 0, and little around it
"""

import sys
from pathlib import Path

import pairwise_statistics as statistics
from pairwise import ALL_SHORT, EDGES, F32, FEW_SHORT, MASK, POWERS, mix


def element(kind, seed, index):
    if kind == "clustered":
        h = mix(index + seed & MASK)
        # 1000 * 2^14 has 24 bits.
        return 0x447A0000 + (h >> 22)
    return statistics.element(kind, seed, index)


LISTED = [
    "80000000",
    "3f800000,3f800000",
    "3f800000,bf800000",
    "3f800000,3f800001",
    "3f800000,40000000,40400000",
    "3f800000,40000000,40400000,40800000,40a00000",
    "3f800000,40000000,40400000,40800000,40a00000,40c00000,40e00000",
    "3f8ccccd,3f8ccccd,3f8ccccd",
    "3f8ccccd,3f8ccccd,3f8ccccd,3f8ccccd,3f8ccccd,3f8ccccd,3f8ccccd",
    "00000001,00000000",
    "1a3504f3,9a3504f3",  # squares next to half of the smallest
    "1a800000,9a800000",
    "1a800000,9a800000,1a000000",
    "1b000000,9b000000,1b000000,9b000000,1b000000",
    "20000000,a0000000,00000000",
    "5f7fffff,df7fffff",
    "5f000000,df000000",
    "5f000000,df000000,5f000000",
    "7f7fffff,7f7fffff",  # the sum overflows
    "7f7fffff,ff7fffff",
    "7f7fffff,7f7fffff,7f7fffff",
    "7f000000,7f000000,7f000000,7f000000,7f000000",
    "7f800000",
    "ff800000,3f800000",
    "7fc00000",
    "3f800000,7fc00000,3f800000",
    "3f800000,3f800000,7f800000",
    "4b800000,4b800001,4b800002",
    "4b7fffff,4b800000,4b7ffffe,4b800001,4b7ffffd",
]


def generated():
    """(data, seed, lengths)"""
    long = [2**18 + 2**11 + 5, 2**19, 1000003]
    yield "signed", 71, ALL_SHORT + POWERS + long
    yield "uniform", 72, ALL_SHORT + EDGES + [1000003]
    yield "clustered", 73, ALL_SHORT + POWERS
    yield "wide", 74, FEW_SHORT + EDGES
    yield "small", 75, FEW_SHORT + EDGES
    yield "large", 76, FEW_SHORT + EDGES
    yield "constant", 0, FEW_SHORT + EDGES
    yield "huge", 0, FEW_SHORT + EDGES
    yield "subnormal", 77, [2, 5, 4097]
    yield "finite", 78, FEW_SHORT + [4096, 4097]
    yield "any", 79, FEW_SHORT
    yield "one_nan", 4096, [4095, 4096, 4097, 8192]


def text():
    lines = ["# Written by pairwise_variance.py, which explains it. Not to be edited by hand.\n"]
    for operator, degrees_lost in (("variance", 0), ("sample-variance", 1)):

        def add_lines(data, seed, elements, lengths):
            for length, result in zip(lengths, F32.variances(elements, lengths, degrees_lost)):
                lines.append(f"{operator} {data} {seed} {length} 0x{result:08x}\n")

        for kind, seed, lengths in generated():
            if operator != "variance":
                # They differ in the last division alone.
                lengths = [length for length in lengths if length < 20000]
            add_lines(kind, seed, [element(kind, seed, index) for index in range(max(lengths))], lengths)
        for words in LISTED:
            elements = [int(word, 16) for word in words.split(",")]
            add_lines("listed:" + words, 0, elements, [len(elements)])
    return "".join(lines)


def main():
    path = Path(__file__).with_name("pairwise_variance.txt")
    if sys.argv[1:] == ["--check"]:
        if path.read_text(encoding="ascii") != text():
            sys.exit(f"{path} is not what this script writes")
        print(f"{path} is what this script writes")
    elif not sys.argv[1:]:
        path.write_text(text(), encoding="ascii", newline="\n")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
