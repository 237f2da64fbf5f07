#!/usr/bin/env python3
"""Writes tree_v1.txt: the results that `tree-v1` defines, for the tests to compare with.

Written from the definition of the order alone, not from the Rust code or the shaders, so that a
mistake there cannot hide here. Needs Python 3.9 and NumPy. Run it only when lines are to be added: a
changed result means a changed definition, which would need another version.

    python3 tests/vectors/tree_v1.py            writes tree_v1.txt beside this file
    python3 tests/vectors/tree_v1.py --check    compares the arithmetic below with a slow literal
                                                one, and tree_v1.txt with what would be written

A line of tree_v1.txt is `operator data seed len bits`, separated by single spaces; lines that begin
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
  near_one    (2^24 - 2^15 + 2 * (h >> 17)) * 2^-24, in [1 - 2^-9, 1 + 2^-9), with the sign bit set if
              h & 1: long products stay finite
  finite      bits h, but the exponent field 255 becomes 127: subnormals, both zeros, huge numbers
  any         bits h: also infinities and NaNs
  subnormal   bits h & 0x807fffff: subnormals and both zeros
  zeros       +0, or -0 if h & 1
  one_nan     as signed, but the element of index `seed` has bits 0xffa00001
"""

import struct
import sys
from pathlib import Path

import numpy as np

LANES = 256
COMPONENTS = 4
ROW = LANES * COMPONENTS
MAX_BLOCKS = 2048

SIGN = 0x80000000
INFINITY = 0x7F800000
CANONICAL_NAN = 0x7FC00000


# --- data ---------------------------------------------------------------------------------------


def mix(x):
    x = x ^ (x >> np.uint32(16))
    x = x * np.uint32(0x7FEB352D)
    x = x ^ (x >> np.uint32(15))
    x = x * np.uint32(0x846CA68B)
    return x ^ (x >> np.uint32(16))


def generate(kind, seed, length):
    """The elements' bits, as uint32."""
    u = np.uint32
    index = np.arange(length, dtype=u)
    h = mix(index + u(seed))
    sign_of_low_bit = h << u(31)

    def scaled(integers):
        # Exact: the integers have at most 24 significant bits.
        return (integers.astype(np.float32) * np.float32(2.0**-24)).view(u)

    if kind == "uniform":
        return scaled(h >> u(8))
    if kind == "signed":
        return scaled(h >> u(8)) | sign_of_low_bit
    if kind == "wide":
        exponent = u(87) + ((((h >> u(23)) & u(255)) * u(81)) >> u(8))
        return (h & u(0x807FFFFF)) | (exponent << u(23))
    if kind == "constant":
        return np.full(length, 0x3F8CCCCD, dtype=u)
    if kind == "near_one":
        return scaled(u(2**24 - 2**15) + (h >> u(17)) * u(2)) | sign_of_low_bit
    if kind == "finite":
        not_finite = (h & u(INFINITY)) == u(INFINITY)
        return np.where(not_finite, (h & u(0x807FFFFF)) | u(127 << 23), h)
    if kind == "any":
        return h
    if kind == "subnormal":
        return h & u(0x807FFFFF)
    if kind == "zeros":
        return sign_of_low_bit
    if kind == "one_nan":
        bits = scaled(h >> u(8)) | sign_of_low_bit
        bits[index == u(seed)] = 0xFFA00001
        return bits
    raise ValueError(kind)


# --- the order ----------------------------------------------------------------------------------


def rows_for(length):
    rows = 4
    while -(-length // (ROW * rows)) > MAX_BLOCKS:
        rows *= 2
    return rows


def fold_blocks(elements, rows, identity, combine):
    """The results of all blocks of `rows` rows. `elements`, `identity` and what `combine` takes and
    returns are tuples of arrays: an accumulator may have several parts."""
    length = len(elements[0])
    blocks = -(-length // (ROW * rows))
    padded = []
    for part, missing in zip(elements, identity):
        whole = np.full(blocks * rows * ROW, missing, dtype=part.dtype)
        whole[:length] = part
        padded.append(whole.reshape(blocks, rows, LANES, COMPONENTS))

    def start():
        return tuple(
            np.full((blocks, LANES, COMPONENTS), missing, dtype=part.dtype)
            for part, missing in zip(elements, identity)
        )

    acc = [start() for _ in range(4)]
    for row in range(rows):
        acc[row % 4] = combine(acc[row % 4], tuple(part[:, row] for part in padded))

    v = combine(combine(acc[0], acc[2]), combine(acc[1], acc[3]))
    x, y, z, w = (tuple(part[:, :, component] for part in v) for component in range(4))
    s = combine(combine(x, y), combine(z, w))

    lane = np.arange(LANES)
    d = 1
    while d < LANES:
        s = combine(s, tuple(part[:, lane ^ d] for part in s))
        d *= 2
    return tuple(part[:, 0] for part in s)


def fold(elements, identity, combine):
    """One accumulator: a tuple of NumPy scalars."""
    length = len(elements[0])
    if length == 0:
        return identity
    results = fold_blocks(elements, rows_for(length), identity, combine)
    if len(results[0]) > 1:
        results = fold_blocks(results, 4, identity, combine)
    return tuple(part[0] for part in results)


# --- operators ----------------------------------------------------------------------------------


def is_nan(bits):
    return (bits & np.uint32(~SIGN & 0xFFFFFFFF)) > np.uint32(INFINITY)


def sum_f32(bits):
    (total,) = fold((bits.view(np.float32),), (np.float32(0),), lambda a, b: (a[0] + b[0],))
    assert total.dtype == np.float32
    result = int(total.view(np.uint32))
    if result & 0x7FFFFFFF > INFINITY:
        return CANONICAL_NAN
    return 0 if result == SIGN else result


def product_f32(bits):
    magnitude = bits & np.uint32(0x7FFFFFFF)
    negative = bool(np.bitwise_xor.reduce(bits) & np.uint32(SIGN))
    sign = SIGN if negative else 0
    has_zero = bool((magnitude == 0).any())
    has_infinity = bool((magnitude == INFINITY).any())
    if bool(is_nan(bits).any()) or (has_zero and has_infinity):
        return CANONICAL_NAN
    if has_infinity:
        return sign | INFINITY
    if has_zero:
        return sign

    # Significands in [1, 2) and exponents, subnormals normalised: float64 holds every f32 and its
    # significand exactly, so frexp and the conversion back round nothing.
    half, exponent = np.frexp(magnitude.view(np.float32).astype(np.float64))
    significand = (half * 2).astype(np.float32)
    exponent = exponent.astype(np.int64) - 1

    def combine(a, b):
        m = a[0] * b[0]
        carry = m >= np.float32(2)
        return np.where(carry, m * np.float32(0.5), m), a[1] + b[1] + carry

    m, e = fold((significand, exponent), (np.float32(1), np.int64(0)), combine)
    assert m.dtype == np.float32
    return sign | round_product(int(m.view(np.uint32)) & 0x7FFFFF, int(e))


def round_product(fraction, exponent):
    """The bits of (1 + fraction * 2^-23) * 2^exponent."""
    if exponent > 127:
        return INFINITY
    if exponent >= -126:
        return ((exponent + 127) << 23) | fraction
    # In units of 2^-149, to nearest, ties to even; 2^23 of them are the smallest normal number.
    shift = -126 - exponent
    kept, rest = divmod(fraction | 1 << 23, 1 << shift)
    half = 1 << (shift - 1)
    return kept + (rest > half or (rest == half and kept & 1 == 1))


def extremum_f32(bits, largest):
    if len(bits) == 0:
        return None
    mask = np.uint32(0) - (bits >> np.uint32(31))
    keys = bits ^ (mask | np.uint32(SIGN))
    keys = np.where(is_nan(bits), np.uint32(0xFFFFFFFF if largest else 0), keys)
    key = int(keys.max() if largest else keys.min())
    result = key ^ (SIGN if key >> 31 == 1 else 0xFFFFFFFF)
    return CANONICAL_NAN if result & 0x7FFFFFFF > INFINITY else result


OPERATORS = {
    "sum": sum_f32,
    "product": product_f32,
    "min": lambda bits: extremum_f32(bits, False),
    "max": lambda bits: extremum_f32(bits, True),
}


# --- the vectors --------------------------------------------------------------------------------

SHORT = [0, 1, 3, 5, 1023, 1024, 1025, 4095, 4096, 4097, 12289]
# 2^23 is the longest input of 2048 blocks of four rows; one more makes blocks of eight.
LONG = [1000003, 2**23, 2**23 + 1, 2**23 + 2**13 + 7]

LISTED_SUMS = [
    "80000000",  # -0
    "80000000,80000000",
    "3f800000,bf800000",  # 1 - 1
    "00000001,00000001",  # subnormal
    "00800000,80000001",  # to below the smallest normal number
    "3f800000,33800000",  # 1 + 2^-24, a tie
    "3f800001,33800000",  # the tie above
    "7f7fffff,7f7fffff",  # overflows
    "7f7fffff,7f7fffff,ff7fffff,ff7fffff",  # inf - inf, halfway
    "7f7fffff,ff7fffff,7f7fffff,ff7fffff",
    "7f800000,ff800000",
    "7f800000,ff7fffff",
    "ff800000,00000000",
    "7fc00000",
    "ffffffff,3f800000",
    "7f800001",  # a signalling NaN
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


def cases():
    """(operator, data, seed, len)"""

    def listed(operator, texts):
        for text in texts:
            yield operator, "listed:" + text, 0, text.count(",") + 1

    # Seeds are arbitrary, but for the products of `wide` in a few elements: some of them are subnormal.
    for length in SHORT + LONG:
        yield "sum", "uniform", 1, length
        yield "sum", "signed", 2, length
        yield "sum", "wide", 3, length
        yield "sum", "constant", 0, length
    for length in SHORT[3:] + LONG[:1]:
        yield "sum", "finite", 4, length
        yield "sum", "subnormal", 5, length
        yield "sum", "near_one", 6, length
    yield "sum", "any", 7, 3
    yield "sum", "any", 7, 12289
    yield "sum", "zeros", 8, 4097
    yield "sum", "one_nan", 0, 1
    yield "sum", "one_nan", 4096, 4097
    yield "sum", "one_nan", 999999, 1000003
    yield from listed("sum", LISTED_SUMS)

    for length in SHORT + LONG:
        yield "product", "near_one", 11, length
    for length in SHORT[1:]:
        yield "product", "signed", 12, length
        yield "product", "wide", 13, length
        yield "product", "finite", 14, length
    for seed in WIDE_SUBNORMAL_SEEDS:
        yield "product", "wide", seed, 5
    yield "product", "constant", 0, 1023
    yield "product", "constant", 0, 5
    yield "product", "subnormal", 15, 5
    yield "product", "any", 16, 5
    yield "product", "any", 16, 12289
    yield "product", "zeros", 17, 4097
    yield "product", "one_nan", 4096, 4097
    yield "product", "near_one", 2**32 - 5, 1000003
    yield from listed("product", LISTED_PRODUCTS)

    for operator in ("min", "max"):
        for length in SHORT + LONG:
            yield operator, "signed", 21, length
        for length in SHORT[1:]:
            yield operator, "finite", 22, length
            yield operator, "subnormal", 23, length
        for length in (1, 3, 1025, 12289):
            yield operator, "any", 24, length
            yield operator, "zeros", 25, length
        yield operator, "one_nan", 0, 1025
        yield operator, "one_nan", 4096, 4097
        yield operator, "one_nan", 2**23, 2**23 + 1
        yield from listed(operator, LISTED_EXTREMA)


WIDE_SUBNORMAL_SEEDS = [127, 128, 130, 437, 1076, 1077, 2562, 3461]


def data_bits(data, seed, length):
    if data.startswith("listed:"):
        return np.array([int(word, 16) for word in data[7:].split(",")], dtype=np.uint32)
    return generate(data, seed, length)


def text():
    lines = ["# Written by tree_v1.py, which explains it. Not to be edited by hand.\n"]
    for operator, data, seed, length in cases():
        result = OPERATORS[operator](data_bits(data, seed, length))
        bits = "none" if result is None else f"0x{result:08x}"
        lines.append(f"{operator} {data} {seed} {length} {bits}\n")
    return "".join(lines)


# --- the same, slowly, word by word, without NumPy's arithmetic ---------------------------------


def to_f32(value):
    """A Python float, rounded once more to f32. For the sum of two f32 the two roundings are one: 53
    bits are at least 2 * 24 + 2."""
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def float_of(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def literal_block(elements, identity, combine):
    results = []
    for lane in range(LANES):
        acc = [[identity] * 4 for _ in range(4)]
        first = lane * COMPONENTS
        for row in range(-(-len(elements) // ROW)):
            for component in range(COMPONENTS):
                e = row * ROW + first + component
                if e < len(elements):
                    acc[row % 4][component] = combine(acc[row % 4][component], elements[e])
        v = [
            combine(combine(acc[0][c], acc[2][c]), combine(acc[1][c], acc[3][c]))
            for c in range(COMPONENTS)
        ]
        results.append(combine(combine(v[0], v[1]), combine(v[2], v[3])))
    for d in (1, 2, 4, 8, 16, 32, 64, 128):
        results = [combine(results[lane], results[lane ^ d]) for lane in range(LANES)]
    return results[0]


def literal(elements, identity, combine):
    rows = 4
    while len(elements) > MAX_BLOCKS * ROW * rows:
        rows *= 2
    size = ROW * rows
    results = [
        literal_block(elements[first : first + size], identity, combine)
        for first in range(0, len(elements), size)
    ]
    if not results:
        return identity
    return results[0] if len(results) == 1 else literal_block(results, identity, combine)


def literal_sum(bits):
    total = literal([float_of(word) for word in bits], 0.0, lambda a, b: to_f32(a + b))
    if total != total:
        return CANONICAL_NAN
    result = struct.unpack("<I", struct.pack("<f", total))[0]
    return 0 if result == SIGN else result


def literal_product(bits):
    values = [float_of(word) for word in bits]
    sign = SIGN if sum(word >> 31 for word in bits) % 2 == 1 else 0
    has_infinity = any(abs(value) == float("inf") for value in values)
    if any(value != value for value in values) or (has_infinity and 0.0 in values):
        return CANONICAL_NAN
    if has_infinity:
        return sign | INFINITY
    if 0.0 in values:
        return sign

    # Integers of 24 bits stand for the significands.
    def lift(word):
        field, fraction = word >> 23 & 255, word & 0x7FFFFF
        if field > 0:
            return fraction | 1 << 23, field - 127
        shift = 24 - fraction.bit_length()
        return fraction << shift, -126 - shift

    def combine(a, b):
        product, exponent = a[0] * b[0], a[1] + b[1]
        # As f32 does: 24 bits are kept, wherever the product's leading one is.
        shift = product.bit_length() - 24
        kept, rest = product >> shift, product & ((1 << shift) - 1)
        half = 1 << (shift - 1)
        if rest > half or (rest == half and kept & 1 == 1):
            kept += 1
        if shift == 24:
            exponent += 1
        if kept == 1 << 24:
            kept, exponent = 1 << 23, exponent + 1
        return kept, exponent

    significand, exponent = literal([lift(word) for word in bits], (1 << 23, 0), combine)
    # In units of 2^-149, as far as f32 can say.
    if exponent > 127:
        return sign | INFINITY
    if exponent >= -126:
        return sign | (exponent + 127) << 23 | significand & 0x7FFFFF
    doubled = significand * 2 >> -126 - exponent
    sticky = (doubled << -126 - exponent) != significand * 2
    up = doubled & 1 == 1 and (sticky or doubled & 2 == 2)
    return sign | (doubled >> 1) + up


def literal_extremum(bits, largest):
    if not bits:
        return None
    values = [float_of(word) for word in bits]
    if any(value != value for value in values):
        return CANONICAL_NAN
    # Zeros compare equal as numbers: the sign decides.
    order = sorted(bits, key=lambda word: (float_of(word), 1 - (word >> 31)))
    return order[-1] if largest else order[0]


LITERAL = {
    "sum": literal_sum,
    "product": literal_product,
    "min": lambda bits: literal_extremum(bits, False),
    "max": lambda bits: literal_extremum(bits, True),
}


def check(path):
    count = 0
    for operator, data, seed, length in cases():
        # One long input of eight rows is enough for a minute's work.
        if length > max(SHORT) and (operator, data, length) != ("sum", "signed", 2**23 + 1):
            continue
        bits = data_bits(data, seed, length)
        fast, slow = OPERATORS[operator](bits), LITERAL[operator](bits.tolist())
        if fast != slow:
            sys.exit(f"{operator} {data} {seed} {length}: {fast} here, {slow} word by word")
        count += 1
    print(f"{count} results are the same word by word")
    if path.read_text(encoding="ascii") != text():
        sys.exit(f"{path} is not what this script writes")
    print(f"{path} is what this script writes")


def main():
    path = Path(__file__).with_name("tree_v1.txt")
    # Overflow and NaN are among the cases.
    with np.errstate(all="ignore"):
        if sys.argv[1:] == ["--check"]:
            check(path)
        elif not sys.argv[1:]:
            path.write_text(text(), encoding="ascii", newline="\n")
        else:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
