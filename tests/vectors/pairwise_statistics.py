#!/usr/bin/env python3
"""Writes pairwise_statistics.txt: means, sums of squares, norms and dot products in the pairwise order, for the tests to compare with.

Written from the definition alone, not from the Rust code or the shaders, so that a mistake there cannot hide here. All arithmetic
is of integers. It takes the order, the additions and the generators from pairwise.py, which explains them. Needs Python 3.9,
and a minute or two. Run it only when lines are to be added: a changed result means a changed definition.

    python3 tests/vectors/pairwise_statistics.py            writes pairwise_statistics.txt beside this file
    python3 tests/vectors/pairwise_statistics.py --check    compares pairwise_statistics.txt with what would be written

The definition. RN(x) is the real number x, rounded to binary32, to nearest, ties to even, with subnormals; an infinity if it
is too large. S(n) is the sum of n numbers in the pairwise order.

  mean            RN(S(n) / n); NaN of nothing
  sum-of-squares  S(n) of the products RN(x * x)
  norm            RN of the square root of that
  dot             S(n) of the products RN(x * y), where the y are the elements, rotated by one place: element i is multiplied
                  by element i + 1, and the last one by the first

Products with infinities and NaNs are IEEE-754's. Every NaN is 0x7fc00000, and -0 is +0.

A line of pairwise_statistics.txt is `operator data seed len bits`, as in pairwise.txt. There are two more generators:

  small       exponents from -75 to -52: the bits are h & 0x807fffff, with the exponent field 52 + ((((h >> 23) & 255) * 24) >> 8)
  large       exponents from 53 to 64: the same with the exponent field 180 + ((((h >> 23) & 255) * 12) >> 8)
"""

import sys
from pathlib import Path

import pairwise
from binary import Runs
from pairwise import ALL_SHORT, EDGES, F32, FEW_SHORT, MASK, POWERS, mix


def element(kind, seed, index):
    h = mix(index + seed & MASK)
    if kind == "small":
        return h & 0x807FFFFF | 52 + ((h >> 23 & 255) * 24 >> 8) << 23
    if kind == "large":
        return h & 0x807FFFFF | 180 + ((h >> 23 & 255) * 12 >> 8) << 23
    return pairwise.element(kind, seed, index)


# --- the vectors --------------------------------------------------------------------------------


def results(operator, elements, lengths, binary=F32):
    """Of another format than f32, too."""
    add, product = binary.add, binary.product
    numbers = [binary.number(bits) for bits in elements]
    if operator == "dot":
        # The last element has another neighbour in each length.
        products = [product(x, y) for x, y in zip(numbers, numbers[1:])]

        def dot(length):
            last = product(numbers[length - 1], numbers[0])
            return Runs(products[: length - 1] + [last], add).total(length)

        return [binary.bits_of(dot(length) if length > 0 else 0) for length in lengths]
    terms = numbers if operator in ("sum", "mean") else [product(x, x) for x in numbers]
    runs = Runs(terms, add)
    found = []
    for length in lengths:
        total = runs.total(length)
        total = 0 if total is None else total
        if operator == "mean":
            total = binary.mean(total, length)
        if operator == "norm":
            total = binary.root(total)
        found.append(binary.bits_of(total))
    return found


LISTED = {
    "mean": [
        "80000000",
        "00000001,00000000",  # half of the smallest: a tie to 0
        "80000001,00000000",  # and no -0
        "00000003,00000000",  # 1.5 of them: a tie to 2
        "00000002,00000000,00000000",
        "00000001,00000001,00000000",  # 2 / 3
        "00800001,00000000",
        "00ffffff,00000000",  # rounds up to the smallest normal number
        "7f7fffff,7f7fffff",  # the sum overflows
        "ff7fffff,ff7fffff,7f7fffff",
        "7f800000,3f800000",
        "7f800000,ff800000",
        "7fc00000,3f800000",
        "3f800000,3f800000,3f800000",
        "3f8ccccd,3f8ccccd,3f8ccccd",  # not the element
        "40a00000,00000000,00000000,00000000,00000000,00000000,00000000",
        "40400000,00000000,00000000",
    ],
    "sum-of-squares": [
        "80000000",
        "00000001",
        "1a3504f3",  # squares next to half of the smallest: 2^-74.5
        "1a3504f4",
        "1a800000",
        "20000000",  # 2^-126
        "1fffffff",
        "5f7fffff",  # next to 2^128
        "5f800000",
        "5f800000,7fc00000",
        "ff800000",
        "3f800001",
        "3f800801",  # a tie of 24 bits
        "3fb504f3,3fb504f4",
        "3f800000,39800000,39800000",
    ],
    "norm": [
        "80000000",
        "bf800000",
        "40400000,40800000",  # 3, 4
        "00000001",
        "1a000000",  # 2^-75: its square is half of the smallest, a tie to 0
        "1a000001",
        "1a800000",
        "1a800000,1a800000",
        "5f7fffff",
        "5f800000",
        "5f000000,5f000000,5f000000,5f000000",
        "7f800000",
        "7f800000,ff800001",
        "20000000,1f800000",
    ],
    "dot": [
        "80000000",
        "7f800000,00000000",
        "7f800000,3f800000",
        "7f800000,bf800000,3f800000",
        "7fc00000",
        "00000001,3f000000,00000000,00000000",  # half of the smallest: a tie to 0
        "00000003,3f000000,00000000,00000000",
        "00000001,bf000001,00000000,00000000",
        "00ffffff,3f000000,00000000,00000000",  # rounds up to the smallest normal number
        "00ffffff,3effffff,00000000,00000000",
        "00800000,3f7fffff,00000000,00000000",
        "7f7fffff,3f800001,00000000,00000000",  # overflows
        "7f7fffff,3f7fffff,00000000,00000000",
        "7f000000,c0000000,00000000,00000000",
        "3f800001,3f800001,00000000,00000000",
        "5f000000,df800000,00000000,00000000,5f000000,5f800000",
    ],
}


def generated():
    """(operator, data, seed, lengths)"""
    long = [2**20 - 1, 2**20, 1000003]
    yield "mean", "signed", 31, ALL_SHORT + POWERS + long
    yield "mean", "wide", 32, ALL_SHORT + EDGES
    yield "mean", "constant", 0, FEW_SHORT + EDGES + [1000003]
    yield "mean", "subnormal", 33, FEW_SHORT + EDGES
    yield "mean", "finite", 34, FEW_SHORT + EDGES
    yield "mean", "any", 35, FEW_SHORT + [12289]
    yield "mean", "zeros", 36, [2, 4097]
    yield "mean", "one_nan", 4096, [4096, 4097]
    for seed, operator in ((41, "sum-of-squares"), (51, "norm")):
        yield operator, "signed", seed, ALL_SHORT + POWERS + long
        yield operator, "wide", seed + 1, FEW_SHORT + EDGES + [1000003]
        yield operator, "small", seed + 2, ALL_SHORT + EDGES
        yield operator, "large", seed + 3, ALL_SHORT + EDGES
        yield operator, "constant", 0, FEW_SHORT + EDGES
        yield operator, "subnormal", seed + 4, [5, 4097]
        yield operator, "finite", seed + 5, FEW_SHORT + [4097]
        yield operator, "any", seed + 6, FEW_SHORT
        yield operator, "one_nan", 4096, [4096, 4097]
    yield "dot", "signed", 61, ALL_SHORT + EDGES + long
    yield "dot", "wide", 62, FEW_SHORT + EDGES + [1000003]
    yield "dot", "small", 63, ALL_SHORT + EDGES
    yield "dot", "large", 64, ALL_SHORT + EDGES
    yield "dot", "subnormal", 65, [5, 4097]
    yield "dot", "finite", 66, FEW_SHORT + EDGES
    yield "dot", "any", 67, FEW_SHORT
    yield "dot", "one_nan", 4096, [4096, 4097]


def text():
    lines = ["# Written by pairwise_statistics.py, which explains it. Not to be edited by hand.\n"]

    def add_lines(operator, data, seed, elements, lengths):
        for length, result in zip(lengths, results(operator, elements, lengths)):
            lines.append(f"{operator} {data} {seed} {length} 0x{result:08x}\n")

    for operator, kind, seed, lengths in generated():
        elements = [element(kind, seed, index) for index in range(max(lengths))]
        add_lines(operator, kind, seed, elements, lengths)
    for operator, texts in LISTED.items():
        for words in texts:
            elements = [int(word, 16) for word in words.split(",")]
            add_lines(operator, "listed:" + words, 0, elements, [len(elements)])
    return "".join(lines)


def main():
    path = Path(__file__).with_name("pairwise_statistics.txt")
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
