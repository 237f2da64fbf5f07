#!/usr/bin/env python3
"""Writes pairwise.txt: the results that the pairwise order defines, for the tests to compare with.

Written from the definition of the order alone, not from the Rust code or the shaders, so that a
mistake there cannot hide here. All arithmetic is of integers, and in binary.py. Needs Python 3.9, a minute or two and
1.3 GB of memory. Run it only when lines are to be added: a changed result means a changed definition.

    python3 tests/vectors/pairwise.py            writes pairwise.txt beside this file
    python3 tests/vectors/pairwise.py --check    compares pairwise.txt with what would be written

The definition. R(0, i) is element i, R(k + 1, i) = R(k, 2 i) + R(k, 2 i + 1). S(n) is the left fold of
the runs that n elements fall into, the longest first: of n = 2^a + 2^b + ... with a > b > ... these
are a run of level a, then one of level b, and so on. A sum is S(n) with additions of IEEE-754's
binary32, to nearest, ties to even. A product is the same with multiplications of significands.

A line of pairwise.txt is `operator data seed len bits`, separated by single spaces; lines that begin
with # are comments.

  operator  sum, product, min or max, of f32
  data      a generator (below), or `listed:` and the elements' bits in hexadecimal, joined by commas
  seed      of the generator, decimal (0 for listed data)
  len       number of elements, decimal
  bits      the result's bits, 0x and eight hexadecimal digits; `none` for an empty minimum or maximum

The generators. Element i (from 0) is made of one number, h = mix(i + seed), in u32 arithmetic that
wraps; `mix` is:

    x ^= x >> 16;  x *= 0x7feb352d;  x ^= x >> 15;  x *= 0x846ca68b;  x ^= x >> 16

  uniform     (h >> 8) * 2^-24, in [0, 1)
  signed      the same, with the sign bit set if h & 1
  wide        exponents from -40 to 40. The bits are h's own sign and fraction, h & 0x807fffff, with
              the exponent field 87 + ((((h >> 23) & 255) * 81) >> 8)
  constant    1.1, that is bits 0x3f8ccccd
  huge        1e20, that is bits 0x60ad78ec
  near_one    (2^24 - 2^15 + 2 * (h >> 17)) * 2^-24, in [1 - 2^-9, 1 + 2^-9), with the sign bit set if
              h & 1: long products stay finite
  finite      bits h, but the exponent field 255 becomes 127: subnormals, both zeros, huge numbers
  any         bits h: also infinities and NaNs
  subnormal   bits h & 0x807fffff: subnormals and both zeros
  zeros       +0, or -0 if h & 1
  one_nan     as signed, but the element of index `seed` has bits 0xffa00001
"""

import sys
from pathlib import Path

from binary import Format, Runs

MASK = 0xFFFFFFFF
F32 = Format(24, 8)
SIGN, INFINITY, NAN = F32.sign, F32.infinity, F32.nan

# --- data ---------------------------------------------------------------------------------------


def mix(x):
    x ^= x >> 16
    x = x * 0x7FEB352D & MASK
    x ^= x >> 15
    x = x * 0x846CA68B & MASK
    return x ^ x >> 16


def element(kind, seed, index):
    h = mix(index + seed & MASK)
    low_bit = (h & 1) << 31
    if kind == "uniform":
        return F32.scaled(h >> 8)
    if kind == "signed" or (kind == "one_nan" and index != seed):
        return low_bit | F32.scaled(h >> 8)
    if kind == "wide":
        return h & 0x807FFFFF | 87 + ((h >> 23 & 255) * 81 >> 8) << 23
    if kind == "constant":
        return 0x3F8CCCCD
    if kind == "huge":
        return 0x60AD78EC
    if kind == "near_one":
        return low_bit | F32.scaled(2**24 - 2**15 + 2 * (h >> 17))
    if kind == "finite":
        return h if h & INFINITY != INFINITY else h & 0x807FFFFF | 127 << 23
    if kind == "any":
        return h
    if kind == "subnormal":
        return h & 0x807FFFFF
    if kind == "zeros":
        return low_bit
    if kind == "one_nan":
        return 0xFFA00001
    raise ValueError(kind)


# --- the vectors --------------------------------------------------------------------------------


def results(operator, elements, lengths):
    """The results for the first elements, so many as each of `lengths` says."""
    if operator == "sum":
        runs = Runs([F32.number(bits) for bits in elements], F32.add)
        return [F32.bits_of(runs.total(length)) for length in lengths]
    if operator == "product":
        runs = Runs([F32.lift(bits) for bits in elements], F32.multiply)
        return [F32.bits_of_product(elements[:length], runs.total(length)) for length in lengths]
    return [F32.extremum(elements[:length], operator == "max") for length in lengths]


ALL_SHORT = list(range(71))
FEW_SHORT = [0, 1, 2, 3, 5, 6, 7, 11, 13, 31, 55, 64, 67]


def around_powers(first, last):
    return [(1 << k) + d for k in range(first, last + 1) for d in (-1, 0, 1)]


POWERS = around_powers(7, 17)
EDGES = around_powers(10, 10) + around_powers(12, 12) + around_powers(16, 16) + [12289]
# Of all levels up to a million.
LONG = [2**20 - 1, 2**20, 1000003]
LONGEST = 2**22 + 2**13 + 7

# 2^-24, and 2^-23: 1 + 2^-24 is 1, and 1 + 2^-23 is the next number.
ONE, E, TWO_E, MINUS_ONE = "3f800000", "33800000", "34000000", "bf800000"
ZERO, MAX, MIN, TINY = "00000000", "7f7fffff", "ff7fffff", "04800000"

LISTED_SUMS = [
    "80000000",  # -0
    "80000000,80000000",
    "3f800000,bf800000",  # 1 - 1
    "00000000,40000000",  # 0 + 2
    "00000001,00000001",  # subnormal
    "00800000,80000001",  # to below the smallest normal number
    "3f800000,33800000",  # 1 + 2^-24, a tie
    "3f800001,33800000",  # the tie above
    "7f7fffff,7f7fffff",  # overflows
    "7f7fffff,73000000",  # half a unit: a tie to infinity
    "7f7fffff,72ffffff",  # just below
    "7f7fffff,7f7fffff,ff7fffff,ff7fffff",  # inf - inf, halfway
    "7f7fffff,ff7fffff,7f7fffff,ff7fffff",
    "7f7fffff,7f7fffff,ff7fffff",  # infinity, and less than that
    "ff7fffff,7f7fffff,7f7fffff",
    "7f800000,ff800000",
    "7f800000,ff7fffff",
    "ff800000,00000000",
    "7fc00000",
    "ffffffff,3f800000",
    "7f800001",  # a signalling NaN
    # Only siblings merge: 1, but with the tail folded first 1 + 2^-23.
    ",".join([ONE, ZERO, ZERO, ZERO, E, ZERO, E]),
    ",".join([ONE, E, E]),
    ",".join([ONE, E, E, E]),
    ",".join([ONE, ZERO, E, E]),
    ",".join([E, E, ONE]),
    ",".join([ONE, ZERO, E, ZERO, E]),
    ",".join([ONE, ZERO, ZERO, ZERO, E, E, E]),
    ",".join([ONE] + [ZERO] * 7 + [E] * 7),
    ",".join([ONE] + [ZERO] * 7 + [E] * 8),
    ",".join([ZERO] * 8 + [ONE, E, E, E, MINUS_ONE]),
    ",".join([ONE, TWO_E, MINUS_ONE, E, E]),
    # 2^-118 is lost, or what is left.
    ",".join([ONE, TINY, MINUS_ONE]),
    ",".join([ONE, MINUS_ONE, TINY]),
    ",".join([TINY, ONE, MINUS_ONE]),
    ",".join([TINY] + [ZERO] * 8),
    # Overflow on the second level, or nowhere.
    ",".join([MAX, ZERO, MAX, MIN, MIN]),
    ",".join([MAX, MIN, MAX, MIN, MAX]),
    ",".join([MAX, ZERO, ZERO, MIN, MAX, ZERO, ZERO]),
]

LISTED_PRODUCTS = [
    "80000000",
    "80000000,bf800000",
    "00000000,7f7fffff,7f7fffff",  # 0, whatever the others would make
    "00000000,7f800000",  # 0 times infinity
    "7f800000,80000000,40000000",
    "ff800000,c0000000",
    "ff800000,00000001",
    "7f800000,7fc00000",
    "ffa00001,00000000",
    "00000001",
    "80000001,3f800000",
    "00000001,3f000000",  # half of the smallest subnormal: a tie to 0
    "00000001,bf000001",  # just above
    "00000003,3f000000",  # 1.5 of them: a tie to 2
    "00000005,3f000000",  # 2.5 of them: a tie to 2
    "00800001,3f000000",
    "00800003,3f000000",
    "00ffffff,3f000000",  # rounds up to the smallest normal number
    "00ffffff,bf000000",
    "00ffffff,3effffff",
    "00800000,3f7fffff",
    "00000001,33800000",  # 2^-173
    "00000001,00000001,7f000000,7f000000",  # 2^-44, by way of 2^-298
    "7f7fffff,7f7fffff,00000001,00000001",
    "7f7fffff,3f800001",  # overflows
    "7f7fffff,3f7fffff",
    "7f000000,40000000",
    "3fffffff,3fffffff",
    "3fb504f3,3fb504f3",  # the square root of 2, just below
    "3fb504f4,3fb504f3",
    # 1 + 2^-23, 1 + 2^-22 and such: what is lost depends on the order.
    "3f800001,3f800001,3f800003,3f800005,3f800007",
    "3fc00001,3fc00001,3fc00001,3fc00001,3fc00001,3fc00001,3fc00001",
]

LISTED_EXTREMA = [
    "00000000,80000000",
    "80000000,00000000",
    "80000000",
    "3f800000,80000000",
    "bf800000,00000000",
    "00000001,00000000,80000001",
    "7f800000",
    "ff800000",
    "7f800000,ff800000,3f800000",
    "7f7fffff,7f800000",
    "7fc00000",
    "ffc00000",
    "7f800001,3f800000",
    "3f800000,ff800000,ffffffff,7f800000",
    "3f800000,7fffffff,00000000",
]

# Seeds are arbitrary, but for these: products of five elements of `wide` that are subnormal.
WIDE_SUBNORMAL_SEEDS = [127, 128, 130, 437, 1076, 1077, 2562, 3461]


def generated():
    """(operator, data, seed, lengths)"""
    yield "sum", "signed", 2, ALL_SHORT + POWERS + LONG + [LONGEST]
    yield "sum", "wide", 3, ALL_SHORT + POWERS + LONG
    yield "sum", "finite", 4, ALL_SHORT + EDGES
    yield "sum", "constant", 0, FEW_SHORT + EDGES + LONG
    yield "sum", "huge", 0, FEW_SHORT + EDGES + [2**20 - 1]
    yield "sum", "uniform", 1, FEW_SHORT + EDGES + LONG
    yield "sum", "subnormal", 5, FEW_SHORT + EDGES + [1000003]
    yield "sum", "near_one", 6, FEW_SHORT + EDGES + [1000003]
    yield "sum", "any", 7, FEW_SHORT + [12289]
    yield "sum", "zeros", 8, [2, 4097]
    yield "sum", "one_nan", 0, [1]
    yield "sum", "one_nan", 4096, [4096, 4097]
    yield "sum", "one_nan", 999999, [1000003]

    yield "product", "near_one", 11, ALL_SHORT + POWERS + LONG + [LONGEST]
    yield "product", "wide", 13, ALL_SHORT + EDGES
    yield "product", "signed", 12, FEW_SHORT + EDGES
    yield "product", "finite", 14, FEW_SHORT + EDGES
    for seed in WIDE_SUBNORMAL_SEEDS:
        yield "product", "wide", seed, [5]
    yield "product", "constant", 0, [5, 1023]
    yield "product", "subnormal", 15, [1, 5]
    yield "product", "any", 16, [5, 12289]
    yield "product", "zeros", 17, [4097]
    yield "product", "one_nan", 4096, [4096, 4097]
    yield "product", "near_one", 2**32 - 5, [1000003]

    for operator in ("min", "max"):
        yield operator, "signed", 21, FEW_SHORT + EDGES + [1000003]
        yield operator, "finite", 22, [3] + EDGES
        yield operator, "subnormal", 23, [3] + EDGES
        yield operator, "any", 24, [1, 3, 1025, 12289]
        yield operator, "zeros", 25, [1, 3, 1025, 12289]
        yield operator, "one_nan", 0, [1025]
        yield operator, "one_nan", 4096, [4096, 4097]
        yield operator, "one_nan", 2**20, [2**20 + 1]


def listed():
    for operator, texts in (
        ("sum", LISTED_SUMS),
        ("product", LISTED_PRODUCTS),
        ("min", LISTED_EXTREMA),
        ("max", LISTED_EXTREMA),
    ):
        for text in texts:
            yield operator, text


def text():
    lines = ["# Written by pairwise.py, which explains it. Not to be edited by hand.\n"]

    def add_line(operator, data, seed, length, result):
        bits = "none" if result is None else f"0x{result:08x}"
        lines.append(f"{operator} {data} {seed} {length} {bits}\n")

    for operator, kind, seed, lengths in generated():
        elements = [element(kind, seed, index) for index in range(max(lengths))]
        for length, result in zip(lengths, results(operator, elements, lengths)):
            add_line(operator, kind, seed, length, result)
    for operator, words in listed():
        elements = [int(word, 16) for word in words.split(",")]
        (result,) = results(operator, elements, [len(elements)])
        add_line(operator, "listed:" + words, 0, len(elements), result)
    return "".join(lines)


def main():
    path = Path(__file__).with_name("pairwise.txt")
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
