#!/usr/bin/env python3
"""Writes pairwise_f64.txt: what sums, products, means, sums of squares, norms, dot products, variances and extrema of f64s are, for
the tests to compare with.

Written from the definition alone, not from the Rust code or the shaders, so that a mistake there cannot hide here. All arithmetic
is of integers, and in binary.py. It takes the order from pairwise.py, which explains it. Needs Python 3.9, and some minutes. Run it only when
lines are to be added: a changed result means a changed definition.

    python3 tests/vectors/pairwise_f64.py            writes pairwise_f64.txt beside this file
    python3 tests/vectors/pairwise_f64.py --check    compares pairwise_f64.txt with what would be written

The definitions are those of pairwise.py, pairwise_statistics.py and pairwise_variance.py, with binary64 in the place of binary32: significands of 53
bits, exponents from -1022 to 1023, subnormals in units of 2^-1074. Every NaN is 0x7ff8000000000000, and -0 is +0 but in products
and extrema.

A line of pairwise_f64.txt is `operator data seed len bits`, as in pairwise.txt, with sixteen digits for bits.

The generators. Element i (from 0) is made of two numbers, h = mix(i + seed) and g = mix(h ^ 0x9e3779b9). The low word is g if nothing
else is said.

  signed      ((h >> 8) * 2^29 + (g >> 3)) * 2^-53, in [0, 1), with the sign bit set if h & 1
  wide        exponents from -40 to 40: the high word is h & 0x800fffff, with the exponent field 983 + ((((h >> 20) & 2047) * 81) >> 11)
  few         exponents from -60 to 59, and few bits, so that ties are frequent: the high word is h & 0x800c0000, with the exponent
              field 963 + ((((h >> 20) & 2047) * 120) >> 11); the low word is g & 3
  constant    1.1, that is bits 0x3ff199999999999a
  huge        1e300, that is bits 0x7e37e43c8800759c
  near_one    (2^53 - 2^44 + 2 * ((h >> 1) * 2^13 + (g >> 19))) * 2^-53, with the sign bit set if h & 1: long products stay finite
  small       exponents from -538 to -512: as wide, with the exponent field 485 + ((((h >> 20) & 2047) * 27) >> 11)
  large       exponents from 505 to 512: as wide, with the exponent field 1528 + ((((h >> 20) & 2047) * 8) >> 11)
  barely      exponents from -970 to -967, next to the least that hardware is trusted with: as wide, with the exponent field
              53 + ((h >> 20) & 3)
  finite      the high word is h, but the exponent field 2047 becomes 1023
  any         the high word is h
  subnormal   the high word is h & 0x800fffff
  zeros       +0, or -0 if h & 1
  clustered   1000 + j * 2^-43, where j is h >> 12: a mean far from 0, and little around it
  one_nan     as signed, but the element of index `seed` has bits 0xfff4000000000001
"""

import sys
from pathlib import Path

from binary import Format, Runs
from pairwise import ALL_SHORT, EDGES, FEW_SHORT, MASK, POWERS, mix
from pairwise_statistics import results as statistics

F64 = Format(53, 11)
SALT = 0x9E3779B9

# --- data ---------------------------------------------------------------------------------------


def element(kind, seed, index):
    h = mix(index + seed & MASK)
    g = mix(h ^ SALT)
    sign = (h & 1) << 63
    of_field = lambda field: (h & 0x800FFFFF | field << 20) << 32 | g
    part = lambda count: (h >> 20 & 2047) * count >> 11
    if kind == "signed" or (kind == "one_nan" and index != seed):
        return sign | F64.scaled((h >> 8 << 29) + (g >> 3))
    if kind == "wide":
        return of_field(983 + part(81))
    if kind == "few":
        return (h & 0x800C0000 | 963 + part(120) << 20) << 32 | g & 3
    if kind == "constant":
        return 0x3FF199999999999A
    if kind == "huge":
        return 0x7E37E43C8800759C
    if kind == "near_one":
        return sign | F64.scaled(2**53 - 2**44 + 2 * ((h >> 1 << 13) + (g >> 19)))
    if kind == "small":
        return of_field(485 + part(27))
    if kind == "large":
        return of_field(1528 + part(8))
    if kind == "barely":
        return of_field(53 + (h >> 20 & 3))
    if kind == "finite":
        return h << 32 | g if h >> 20 & 2047 != 2047 else of_field(F64.bias)
    if kind == "any":
        return h << 32 | g
    if kind == "subnormal":
        return (h & 0x800FFFFF) << 32 | g
    if kind == "zeros":
        return sign
    if kind == "clustered":
        return 0x408F400000000000 + (h >> 12)
    if kind == "one_nan":
        return 0xFFF4000000000001
    raise ValueError(kind)


# --- the vectors --------------------------------------------------------------------------------


def results(operator, elements, lengths):
    """The results for the first elements, so many as each of `lengths` says."""
    if operator == "product":
        runs = Runs([F64.lift(bits) for bits in elements], F64.multiply)
        return [F64.bits_of_product(elements[:length], runs.total(length)) for length in lengths]
    if operator in ("min", "max"):
        return [F64.extremum(elements[:length], operator == "max") for length in lengths]
    if operator in ("variance", "sample-variance"):
        return F64.variances(elements, lengths, 1 if operator == "sample-variance" else 0)
    return statistics(operator, elements, lengths, F64)


# Powers of two, and numbers next to them.
ZERO, MINUS_ZERO, ONE, MINUS_ONE, TWO, HALF = (
    "0000000000000000",
    "8000000000000000",
    "3ff0000000000000",
    "bff0000000000000",
    "4000000000000000",
    "3fe0000000000000",
)
# 2^-53, and 2^-52: 1 + 2^-53 is 1, and 1 + 2^-52 is the next number.
E, TWO_E, NEXT_TO_ONE = "3ca0000000000000", "3cb0000000000000", "3ff0000000000001"
MAX, MIN, TINY, SMALLEST = (
    "7fefffffffffffff",
    "ffefffffffffffff",
    "0350000000000000",
    "0000000000000001",
)
NORMAL, BELOW_NORMAL = "0010000000000000", "000fffffffffffff"
INF, MINUS_INF, A_NAN, SIGNALLING = (
    "7ff0000000000000",
    "fff0000000000000",
    "7ff8000000000000",
    "7ff0000000000001",
)

LISTED = {
    "sum": [
        [MINUS_ZERO],
        [MINUS_ZERO, MINUS_ZERO],
        [ONE, MINUS_ONE],
        [ZERO, TWO],
        [SMALLEST, SMALLEST],
        [NORMAL, "8000000000000001"],  # to below the smallest normal number
        [BELOW_NORMAL, SMALLEST],
        [BELOW_NORMAL, BELOW_NORMAL],
        ["0000000100000000", "80000000ffffffff"],  # words borrow
        ["00000000ffffffff", SMALLEST],
        [ONE, E],  # a tie
        [NEXT_TO_ONE, E],  # the tie above
        [ONE, "3ca0000000000001"],
        [ONE, "bc90000000000000"],  # less 2^-54, a tie
        [ONE, "bc90000000000001"],
        [ONE, "bc80000000000001"],
        [TWO, "bca0000000000001"],
        [ONE, SMALLEST],
        [ONE, "8000000000000001"],
        ["3fffffffffffffff", E],
        ["43f0000000000000", "c3efffffffffffff"],
        ["43f0000000000001", "3ff0000000000001"],
        ["43f0000000000001", "40a0000000000001", "c3f0000000000001"],
        [MAX, MAX],
        [MAX, "7c90000000000000"],  # half a unit: a tie to infinity
        [MAX, "7c8fffffffffffff"],  # just below
        [MAX, MAX, MIN, MIN],  # inf - inf, halfway
        [MAX, MIN, MAX, MIN],
        [MAX, MAX, MIN],
        [MIN, MAX, MAX],
        [INF, MINUS_INF],
        [INF, MIN],
        [MINUS_INF, ZERO],
        [A_NAN],
        ["ffffffffffffffff", ONE],
        [SIGNALLING],
        [INF, SIGNALLING],
        ["7ff0000000000000", "7ff0000000000000"],
        # Only siblings merge: 1, but with the tail folded first 1 + 2^-52.
        [ONE, ZERO, ZERO, ZERO, E, ZERO, E],
        [ONE, E, E],
        [ONE, E, E, E],
        [ONE, ZERO, E, E],
        [E, E, ONE],
        [ONE, ZERO, ZERO, ZERO, E, E, E],
        [ONE] + [ZERO] * 7 + [E] * 7,
        [ONE] + [ZERO] * 7 + [E] * 8,
        [ZERO] * 8 + [ONE, E, E, E, MINUS_ONE],
        [ONE, TWO_E, MINUS_ONE, E, E],
        [ONE, TINY, MINUS_ONE],
        [ONE, MINUS_ONE, TINY],
        [TINY, ONE, MINUS_ONE],
        [TINY] + [ZERO] * 8,
        [MAX, ZERO, MAX, MIN, MIN],
        [MAX, MIN, MAX, MIN, MAX],
        [MAX, ZERO, ZERO, MIN, MAX, ZERO, ZERO],
    ],
    "mean": [
        [MINUS_ZERO],
        [SMALLEST, ZERO],  # half of the smallest: a tie to 0
        ["8000000000000001", ZERO],  # and no -0
        ["0000000000000003", ZERO],
        ["0000000000000002", ZERO, ZERO],
        [SMALLEST, SMALLEST, ZERO],
        ["0010000000000001", ZERO],
        ["001fffffffffffff", ZERO],  # rounds up to the smallest normal number
        [MAX, MAX],
        [MIN, MIN, MAX],
        [INF, ONE],
        [INF, MINUS_INF],
        [A_NAN, ONE],
        [ONE, ONE, ONE],
        ["3ff199999999999a"] * 3,
        ["4014000000000000"] + [ZERO] * 6,
        ["4008000000000000", ZERO, ZERO],
        ["7fefffffffffffff", ZERO, ZERO],
    ],
    "sum-of-squares": [
        [MINUS_ZERO],
        [SMALLEST],
        ["1e56a09e667f3bcc"],  # squares next to half of the smallest
        ["1e56a09e667f3bcd"],
        ["1e60000000000000"],
        ["2000000000000000"],  # 2^-1022
        ["1fffffffffffffff"],
        ["5fefffffffffffff"],  # next to 2^1024
        ["5ff0000000000000"],
        ["5ff0000000000000", A_NAN],
        [MINUS_INF],
        [NEXT_TO_ONE],
        ["3ff0000004000001"],  # nearly a tie
        ["3ff6a09e667f3bcd", "3ff6a09e667f3bcc"],
        [ONE, "3e50000000000000", "3e50000000000000"],
        ["000fffffffffffff", "7fd0000000000000"],
    ],
    "norm": [
        [MINUS_ZERO],
        [MINUS_ONE],
        ["4008000000000000", "4010000000000000"],  # 3, 4
        [SMALLEST],
        ["1e60000000000000"],
        ["1e50000000000000"],  # its square is a tie to 0
        ["1e50000000000001"],
        ["5fefffffffffffff"],
        ["5ff0000000000000"],
        ["5fe0000000000000"] * 4,
        [INF],
        [INF, "fff0000000000001"],
        [TWO, TWO],
        ["2000000000000000", "1ff0000000000000"],
    ],
    "dot": [
        [MINUS_ZERO],
        [INF, ZERO],
        [INF, ONE],
        [INF, MINUS_ONE, ONE],
        [A_NAN],
        [SMALLEST, HALF, ZERO, ZERO],  # half of the smallest: a tie to 0
        ["0000000000000003", HALF, ZERO, ZERO],
        [SMALLEST, "bfe0000000000001", ZERO, ZERO],
        ["001fffffffffffff", HALF, ZERO, ZERO],  # rounds up to the smallest normal number
        ["001fffffffffffff", "3fdfffffffffffff", ZERO, ZERO],
        [NORMAL, "3fefffffffffffff", ZERO, ZERO],
        ["0000000012345678", "43d0000000000001", ZERO, ZERO],
        [MAX, NEXT_TO_ONE, ZERO, ZERO],  # overflows
        [MAX, "3fefffffffffffff", ZERO, ZERO],
        ["7fe0000000000000", "c000000000000000", ZERO, ZERO],
        [NEXT_TO_ONE, NEXT_TO_ONE, ZERO, ZERO],
        ["3fffffffffffffff", "3fffffffffffffff", ZERO, ZERO],
    ],
    "variance": [
        [MINUS_ZERO],
        [ONE, ONE],
        [ONE, MINUS_ONE],
        [ONE, NEXT_TO_ONE],
        [ONE, TWO, "4008000000000000"],
        [ONE, TWO, "4008000000000000", "4010000000000000", "4014000000000000"],
        ["3ff199999999999a"] * 3,
        ["3ff199999999999a"] * 7,
        [SMALLEST, ZERO],
        ["1e56a09e667f3bcd", "9e56a09e667f3bcd"],  # squares next to half of the smallest
        ["1e60000000000000", "9e60000000000000"],
        ["1e60000000000000", "9e60000000000000", "1e50000000000000"],
        ["1e70000000000000", "9e70000000000000"] * 2 + ["1e70000000000000"],
        ["2000000000000000", "a000000000000000", ZERO],
        ["5fefffffffffffff", "dfefffffffffffff"],
        ["5fe0000000000000", "dfe0000000000000"],
        ["5fe0000000000000", "dfe0000000000000", "5fe0000000000000"],
        [MAX, MAX],  # the sum overflows
        [MAX, MIN],
        [MAX, MAX, MAX],
        ["7fe0000000000000"] * 5,
        [INF],
        [MINUS_INF, ONE],
        [A_NAN],
        [ONE, A_NAN, ONE],
        [ONE, ONE, INF],
        ["4340000000000000", "4340000000000001", "4340000000000002"],
    ],
    "product": [
        [MINUS_ZERO],
        [MINUS_ZERO, MINUS_ONE],
        [ZERO, MAX, MAX],
        [ZERO, INF],
        [INF, MINUS_ZERO, TWO],
        [MINUS_INF, "c000000000000000"],
        [MINUS_INF, SMALLEST],
        [INF, A_NAN],
        ["fff4000000000001", ZERO],
        [SMALLEST],
        ["8000000000000001", ONE],
        [SMALLEST, HALF],  # half of the smallest subnormal: a tie to 0
        [SMALLEST, "bfe0000000000001"],  # just above
        ["0000000000000003", HALF],
        ["0000000000000005", HALF],
        ["0010000000000001", HALF],
        ["0010000000000003", HALF],
        ["001fffffffffffff", HALF],  # rounds up to the smallest normal number
        ["001fffffffffffff", "bfe0000000000000"],
        ["001fffffffffffff", "3fdfffffffffffff"],
        [NORMAL, "3fefffffffffffff"],
        [SMALLEST, "3ca0000000000000"],
        [SMALLEST, SMALLEST, "7fe0000000000000", "7fe0000000000000"],
        [MAX, MAX, SMALLEST, SMALLEST],
        [MAX, NEXT_TO_ONE],  # overflows
        [MAX, "3fefffffffffffff"],
        ["7fe0000000000000", TWO],
        ["3fffffffffffffff", "3fffffffffffffff"],
        ["3ff6a09e667f3bcc", "3ff6a09e667f3bcc"],  # the square root of 2, just below
        ["3ff6a09e667f3bcd", "3ff6a09e667f3bcc"],
        [NEXT_TO_ONE, NEXT_TO_ONE, "3ff0000000000003", "3ff0000000000005", "3ff0000000000007"],
        ["3ff8000000000001"] * 7,
    ],
}
LISTED_EXTREMA = [
    [ZERO, MINUS_ZERO],
    [MINUS_ZERO, ZERO],
    [MINUS_ZERO],
    [ONE, MINUS_ZERO],
    [MINUS_ONE, ZERO],
    [SMALLEST, ZERO, "8000000000000001"],
    ["00000000ffffffff", "0000000100000000"],
    ["80000000ffffffff", "8000000100000000"],
    ["3ff00000ffffffff", "3ff0000100000000"],
    [INF],
    [MINUS_INF],
    [INF, MINUS_INF, ONE],
    [MAX, INF],
    [A_NAN],
    ["fff8000000000000"],
    [SIGNALLING, ONE],
    [ONE, MINUS_INF, "ffffffffffffffff", INF],
    [ONE, "7fffffffffffffff", ZERO],
]


def generated():
    """(operator, data, seed, lengths)"""
    long = [2**18 - 1, 300007]
    yield "sum", "signed", 2, ALL_SHORT + POWERS + long
    yield "sum", "wide", 3, ALL_SHORT + POWERS
    yield "sum", "few", 4, ALL_SHORT + POWERS
    yield "sum", "finite", 5, ALL_SHORT + EDGES
    yield "sum", "constant", 0, FEW_SHORT + EDGES + long
    yield "sum", "huge", 0, FEW_SHORT + EDGES
    yield "sum", "subnormal", 6, FEW_SHORT + EDGES
    yield "sum", "barely", 7, FEW_SHORT + EDGES
    yield "sum", "near_one", 8, FEW_SHORT + EDGES
    yield "sum", "any", 9, FEW_SHORT + [12289]
    yield "sum", "zeros", 10, [2, 4097]
    yield "sum", "one_nan", 0, [1]
    yield "sum", "one_nan", 4096, [4096, 4097]

    yield "mean", "signed", 31, ALL_SHORT + EDGES + long
    yield "mean", "wide", 32, FEW_SHORT + EDGES
    yield "mean", "constant", 0, FEW_SHORT + EDGES
    yield "mean", "subnormal", 33, FEW_SHORT + EDGES
    yield "mean", "finite", 34, FEW_SHORT + EDGES
    yield "mean", "zeros", 36, [2, 4097]
    yield "mean", "one_nan", 4096, [4096, 4097]
    for seed, operator in ((41, "sum-of-squares"), (51, "norm")):
        yield operator, "signed", seed, ALL_SHORT + EDGES
        yield operator, "wide", seed + 1, FEW_SHORT + EDGES
        yield operator, "small", seed + 2, FEW_SHORT + EDGES
        yield operator, "large", seed + 3, FEW_SHORT + EDGES
        yield operator, "constant", 0, FEW_SHORT + EDGES
        yield operator, "subnormal", seed + 4, [5, 4097]
        yield operator, "finite", seed + 5, FEW_SHORT + [4097]
        yield operator, "any", seed + 6, FEW_SHORT
        yield operator, "one_nan", 4096, [4096, 4097]
    for seed, operator in ((81, "variance"), (91, "sample-variance")):
        yield operator, "signed", seed, ALL_SHORT + EDGES
        yield operator, "clustered", seed + 1, FEW_SHORT + EDGES
        yield operator, "wide", seed + 2, FEW_SHORT + [4096, 4097]
        yield operator, "small", seed + 3, FEW_SHORT + [4097]
        yield operator, "large", seed + 4, FEW_SHORT + [4097]
        yield operator, "constant", 0, [3, 7, 4097]
        yield operator, "huge", 0, [3, 4097]
        yield operator, "subnormal", seed + 5, [2, 5, 4097]
        yield operator, "finite", seed + 6, FEW_SHORT + [4096]
        yield operator, "any", seed + 7, [1, 5, 67]
        yield operator, "one_nan", 4096, [4096, 4097, 8192]
    yield "dot", "signed", 61, FEW_SHORT + EDGES
    yield "dot", "wide", 62, FEW_SHORT + EDGES
    yield "dot", "few", 68, FEW_SHORT + EDGES
    yield "dot", "small", 63, FEW_SHORT + EDGES
    yield "dot", "large", 64, FEW_SHORT + EDGES
    yield "dot", "subnormal", 65, [5, 4097]
    yield "dot", "finite", 66, FEW_SHORT + EDGES
    yield "dot", "any", 67, FEW_SHORT
    yield "dot", "one_nan", 4096, [4096, 4097]

    yield "product", "near_one", 11, ALL_SHORT + POWERS + long
    yield "product", "wide", 13, ALL_SHORT + EDGES
    yield "product", "signed", 12, FEW_SHORT + EDGES
    yield "product", "finite", 14, FEW_SHORT + EDGES
    yield "product", "constant", 0, [5, 1023]
    yield "product", "subnormal", 15, [1, 5]
    yield "product", "any", 16, [5, 12289]
    yield "product", "zeros", 17, [4097]
    yield "product", "one_nan", 4096, [4096, 4097]

    for operator in ("min", "max"):
        yield operator, "signed", 21, FEW_SHORT + EDGES
        yield operator, "finite", 22, [3] + EDGES
        yield operator, "subnormal", 23, [3] + EDGES
        yield operator, "any", 24, [1, 3, 1025, 12289]
        yield operator, "zeros", 25, [1, 3, 1025, 12289]
        yield operator, "one_nan", 0, [1025]
        yield operator, "one_nan", 4096, [4096, 4097]


def text():
    lines = ["# Written by pairwise_f64.py, which explains it. Not to be edited by hand.\n"]

    def add_lines(operator, data, seed, elements, lengths):
        for length, result in zip(lengths, results(operator, elements, lengths)):
            bits = "none" if result is None else f"0x{result:016x}"
            lines.append(f"{operator} {data} {seed} {length} {bits}\n")

    for operator, kind, seed, lengths in generated():
        elements = [element(kind, seed, index) for index in range(max(lengths))]
        add_lines(operator, kind, seed, elements, lengths)
    lists = {**LISTED, "sample-variance": LISTED["variance"], "min": LISTED_EXTREMA, "max": LISTED_EXTREMA}
    for operator, texts in lists.items():
        for words in texts:
            elements = [int(word, 16) for word in words]
            add_lines(operator, "listed:" + ",".join(words), 0, elements, [len(elements)])
    return "".join(lines)


def main():
    path = Path(__file__).with_name("pairwise_f64.txt")
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
