#!/usr/bin/env python3
"""Writes exact.txt: exact sums and their relatives, for the tests to compare with.

Written from the definition alone, with Python's fractions. Needs Python 3.9.

    python3 tests/vectors/exact.py            writes exact.txt beside this file
    python3 tests/vectors/exact.py --check    compares exact.txt with what would be written

A line of exact.txt is `data seed len sum mean accumulator dot dot_root dot_accumulator squares norm
squares_accumulator variance sample_variance`, separated by single spaces; lines that begin with # are
comments. The dot product is that of the elements with themselves, rotated by one: each by the next, and
the last by the first.

  data         a generator, or `listed:` and the elements' bits in hexadecimal, joined by commas
               (nothing for no elements)
  seed         of the generator, decimal (0 for listed data)
  len          number of elements, decimal
  sum          the bits of the sum, rounded once to nearest even: 0x and eight hexadecimal digits
  mean         the same of the mean
  accumulator  52 bytes in hexadecimal, of little-endian integers: 40 of the sum of the finite
               elements in units of 2^-149, two's complement; 4 of flags, 1 NaN, 2 +infinity,
               4 -infinity; 8 of the number of elements
  dot          the bits of the dot product
  dot_root     the same of its square root, which is NaN below 0
  dot_accumulator
               92 bytes in hexadecimal: 80 of the sum of the finite products in units of 2^-298; flags of the
               products, and their number
  squares, norm, squares_accumulator
               the same of the sum of the elements' squares
  variance     the bits of the mean squared difference from the mean; NaN without elements, and if one is not
               finite
  sample_variance
               the same, divided by len - 1 instead of len; NaN for len 1, too

The generators are those of pairwise.py, of which uniform, signed, wide, constant, finite, any,
subnormal, zeros and one_nan are used.
"""

import sys
from fractions import Fraction
from math import isqrt
from pathlib import Path

SIGN = 0x80000000
INFINITY = 0x7F800000
CANONICAL_NAN = 0x7FC00000
MAX = 0x7F7FFFFF
ONE = 0x3F800000
WORD = 0xFFFFFFFF
UNIT = Fraction(1, 2**149)

HAS_NAN, HAS_INFINITY, HAS_NEGATIVE_INFINITY = 1, 2, 4


# --- data ---------------------------------------------------------------------------------------


def mix(x):
    x ^= x >> 16
    x = x * 0x7FEB352D & WORD
    x ^= x >> 15
    x = x * 0x846CA68B & WORD
    return x ^ (x >> 16)


def scaled(integer):
    """The bits of integer * 2^-24, for integers of at most 24 bits."""
    if integer == 0:
        return 0
    exponent = integer.bit_length() - 1
    return 127 - 24 + exponent << 23 | (integer << 23 - exponent) & 0x7FFFFF


def element(kind, seed, index):
    h = mix(index + seed & WORD)
    if kind == "uniform":
        return scaled(h >> 8)
    if kind == "signed" or (kind == "one_nan" and index != seed):
        return scaled(h >> 8) | (h & 1) << 31
    if kind == "wide":
        return h & 0x807FFFFF | 87 + ((h >> 23 & 255) * 81 >> 8) << 23
    if kind == "constant":
        return 0x3F8CCCCD
    if kind == "finite":
        return h & 0x807FFFFF | 127 << 23 if h & INFINITY == INFINITY else h
    if kind == "any":
        return h
    if kind == "subnormal":
        return h & 0x807FFFFF
    if kind == "zeros":
        return (h & 1) << 31
    if kind == "one_nan":
        return 0xFFA00001
    raise ValueError(kind)


# --- the definition -----------------------------------------------------------------------------


def value(bits):
    """The exact value of finite bits."""
    exponent, fraction = bits >> 23 & 255, bits & 0x7FFFFF
    if exponent == 0:
        magnitude = fraction * Fraction(2) ** -149
    else:
        magnitude = (1 + Fraction(fraction, 2**23)) * Fraction(2) ** (exponent - 127)
    return -magnitude if bits & SIGN else magnitude


def nearest(exact):
    """The bits of the nearest f32, ties to even; beyond the largest, infinity. Zero is +0, but a negative
    number that is rounded to zero keeps its sign."""
    sign, magnitude = (SIGN if exact < 0 else 0), abs(exact)
    # The spacing of floats where the magnitude lies: 2^-149 at least, else 2^-23 of its leading power of 2.
    spacing = UNIT
    while magnitude >= 2**24 * spacing:
        spacing *= 2
    steps = round(magnitude / spacing)  # a Fraction's ties go to even
    rounded = steps * spacing
    if rounded >= 2**128:
        return sign | INFINITY
    # Floats of one sign are numbered in order, from 0 on, by their bits.
    bits = steps
    while spacing > UNIT:
        spacing /= 2
        bits += 2**23
    assert value(bits) == rounded
    return sign | bits


def is_finite(bits):
    return bits & INFINITY != INFINITY


def flag(bits):
    if is_finite(bits):
        return 0
    if bits & 0x7FFFFF:
        return HAS_NAN
    return HAS_NEGATIVE_INFINITY if bits & SIGN else HAS_INFINITY


def sum_of(values):
    return sum(values, Fraction(0))


def accumulator(exact, unit, size, flags, count):
    units = exact / unit
    assert units.denominator == 1
    return (
        units.numerator.to_bytes(size, "little", signed=True)
        + flags.to_bytes(4, "little")
        + count.to_bytes(8, "little")
    )


def rounded(exact, flags):
    """The bits of a sum."""
    if flags == 0:
        return nearest(exact)
    return {HAS_INFINITY: INFINITY, HAS_NEGATIVE_INFINITY: SIGN | INFINITY}.get(flags, CANONICAL_NAN)


def nearest_root(exact):
    """The bits of the f32 nearest to the square root, ties to even."""
    # The root, and what is at most 2^-300 below it and not it, unless it is exact.
    scaled = exact * 2**600
    assert scaled.denominator == 1
    floor = isqrt(scaled.numerator)
    is_exact = floor**2 == scaled
    bits = nearest(Fraction(2 * floor + (0 if is_exact else 1), 2**301))
    # No neighbour is nearer.
    if 0 < bits < INFINITY:
        assert (value(bits) + value(bits - 1)) ** 2 <= 4 * exact
    if bits < MAX:
        assert (value(bits) + value(bits + 1)) ** 2 >= 4 * exact
    return bits


def root(exact, flags):
    """The bits of a sum's square root."""
    if flags == 0 and exact >= 0:
        return nearest_root(exact)
    return INFINITY if flags == HAS_INFINITY else CANONICAL_NAN


def product_flag(x, y):
    """1, 2 or 4 for products that are not finite."""
    if is_finite(x) and is_finite(y):
        return 0
    if HAS_NAN in (flag(x), flag(y)) or 0 in (x & ~SIGN, y & ~SIGN):
        return HAS_NAN
    return HAS_NEGATIVE_INFINITY if (x ^ y) & SIGN else HAS_INFINITY


def products(pairs):
    """Sum, root and accumulator."""
    exact = sum_of(value(x) * value(y) for x, y in pairs if is_finite(x) and is_finite(y))
    flags = 0
    for x, y in pairs:
        flags |= product_flag(x, y)
    return (
        rounded(exact, flags),
        root(exact, flags),
        accumulator(exact, UNIT**2, 80, flags, len(pairs)),
    )


def variance(elements, degrees):
    if degrees <= 0 or not all(map(is_finite, elements)):
        return CANONICAL_NAN
    values = list(map(value, elements))
    mean = sum_of(values) / len(values)
    return nearest(sum_of((value - mean) ** 2 for value in values) / degrees)


def results(elements):
    """All that is in a line after the elements."""
    exact = sum_of(value(bits) for bits in elements if is_finite(bits))
    flags = 0
    for bits in elements:
        flags |= flag(bits)
    count = len(elements)
    return (
        rounded(exact, flags),
        rounded(exact / count, flags) if elements else CANONICAL_NAN,
        accumulator(exact, UNIT, 40, flags, count),
        *products(list(zip(elements, elements[1:] + elements[:1]))),
        *products(list(zip(elements, elements))),
        variance(elements, count),
        variance(elements, count - 1),
    )


# --- cases --------------------------------------------------------------------------------------

LENGTHS = [0, 1, 2, 3, 5, 255, 257, 1023, 1025, 4097, 12289]

# At the ends of ranges: of f32, of what a device adds in floats, of a window of bits.
EDGES = [-149, -126, -103, -102, 0, 23, 24, 87, 123, 124, 127]

LISTED = [
    [],
    [0],
    [SIGN],
    [SIGN, SIGN],
    [0, SIGN],
    [ONE, SIGN | ONE],
    [MAX, SIGN | MAX, ONE],
    [MAX] * 2,
    [SIGN | MAX] * 3,
    [MAX, MAX, SIGN | MAX, SIGN | MAX, 1],
    [MAX, MAX, SIGN | INFINITY],
    [MAX, 0x73000000],
    [MAX, 0x73000000, SIGN | 1],
    [MAX, 0x72FFFFFF],
    [INFINITY],
    [SIGN | INFINITY, SIGN | INFINITY],
    [INFINITY, SIGN | INFINITY],
    [ONE, 0x7F800001],
    [0xFFFFFFFF, INFINITY, SIGN | INFINITY],
    # Means of subnormals: ties, and what rounds to zero.
    [1, 0],
    [3, 0],
    [2, 0, 0],
    [SIGN | 1, 0, 0],
    [SIGN | 1, 0],
    # The significand rounds up to the next power of two; subnormals become normal.
    [0x3FFFFFFF, 0x33800000],
    [0x007FFFFF, 1],
    [0x00FFFFFF, 1],
    [0x00FFFFFF, 2, 1],
]


def power(exponent):
    return nearest(Fraction(2) ** exponent)


def integer(number):
    return nearest(Fraction(number))


def listed():
    yield from LISTED
    for exponent in EDGES:
        bits = power(exponent)
        yield [bits]
        yield [bits, bits + 1, SIGN | bits - 1]
        # Halfway to the next float, in one piece where there is one, and next to that.
        if exponent - 24 >= -149:
            half = power(exponent - 24)
            for start in (bits, bits + 1):
                yield [start, half]
                yield [start, half, 1]
                yield [start, half, SIGN | 1]
                yield [SIGN | start, SIGN | half]
                yield [SIGN | start, SIGN | half, 1]
    yield [MAX, 1, SIGN | MAX] * 20
    # Single products, of which the others have a factor 0: about 2^-150, as small as there are, and large.
    for x, y in [
        (1, power(-1)),
        (3, power(-1)),
        (1, power(-1) + 1),
        (SIGN | 1, power(-1)),
        (power(-75), power(-75)),
        (power(-75) + 1, power(-75)),
        (1, SIGN | 1),
        (1, power(-126)),
        (MAX, MAX),
        (MAX, SIGN | ONE + 1),
        (power(64), power(64) - 1),
        (ONE + 1, ONE + 1),
        (ONE + 0x800, ONE + 0x800),
        (SIGN | ONE + 0x800, ONE + 0x1800),
        (INFINITY, SIGN | 1),
    ]:
        yield [x, y, 0]
    # Norms: 5; next to ties, and halfway: 17002001 and 18042603 are odd and above 2^24.
    yield [integer(3), integer(4)]
    yield [1, 1, SIGN | 1]
    yield [integer(14997999), integer(8008000)]
    yield [integer(14997999), integer(8008000), 1]
    yield [integer(13697397), SIGN | integer(11743800)]
    yield [power(-75), power(-75) + 1, power(-140)]
    # Variances where a difference of f32 sums has nothing left.
    yield [integer(2**24 - 1), integer(2**24)]
    yield [integer(10**7), integer(10**7 + 1), integer(10**7 + 3)]
    yield [MAX, MAX - 1, MAX - 2, MAX]
    yield [power(-75), SIGN | power(-75)]
    yield [power(63), SIGN | power(63), power(63)]
    yield [power(64), SIGN | power(64)]
    for rounds in range(1, 13):
        yield ill_conditioned(100 * rounds, 12, rounds)


def ill_conditioned(seed, length, rounds):
    """Elements of all sizes, then such that cancel their sum, as far as floats can, again and again."""
    elements = [element("finite", seed, index) for index in range(length)]
    for _ in range(rounds):
        rest = nearest(sum(map(value, elements)))
        elements.append(min(rest & ~SIGN, MAX) | ~rest & SIGN)
    return sorted(elements, key=mix)


def cases():
    """(data, seed, elements)"""
    for elements in listed():
        yield "listed:" + ",".join(f"{bits:08x}" for bits in elements), 0, elements
    for seed, kind in enumerate(["uniform", "signed", "wide", "constant", "finite", "subnormal", "zeros"]):
        for length in LENGTHS[1:]:
            yield kind, seed, [element(kind, seed, index) for index in range(length)]
    for kind, seed, length in [
        ("any", 7, 3),
        ("any", 7, 5),
        ("any", 7, 12289),
        ("one_nan", 0, 1),
        ("one_nan", 1024, 1025),
        ("one_nan", 0, 4097),
    ]:
        yield kind, seed, [element(kind, seed, index) for index in range(length)]


def text():
    lines = ["# Written by exact.py, which explains it. Not to be edited by hand.\n"]
    for data, seed, elements in cases():
        fields = [
            result.hex() if isinstance(result, bytes) else f"0x{result:08x}"
            for result in results(elements)
        ]
        lines.append(f"{data} {seed} {len(elements)} {' '.join(fields)}\n")
    return "".join(lines)


def main():
    path = Path(__file__).with_name("exact.txt")
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
