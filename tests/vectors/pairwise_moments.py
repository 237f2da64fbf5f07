#!/usr/bin/env python3
"""Writes pairwise_moments.txt: mean, variances, skewness, kurtosis, extrema and NaNs of one read, for the tests to compare with.

Written from the definition alone, not from the Rust code or the shaders, so that a mistake there cannot hide here. All arithmetic
is of integers. It takes the arithmetic from binary.py, and generators from the scripts beside it. Needs Python 3.9, and a minute or two. Run
it only when lines are to be added: a changed result means a changed definition.

    python3 tests/vectors/pairwise_moments.py            writes pairwise_moments.txt beside this file
    python3 tests/vectors/pairwise_moments.py --check    compares pairwise_moments.txt with what would be written

The definition. R, M, A, B and M2 are as in pairwise_variance.py, in the elements' format. All else is in binary64, in which RN rounds; what
is in the elements' format is first taken as the same number in binary64.

A run of 2^k elements has C and Q, too. Of one element both are 0. Of a run whose halves, of 2^k elements each, have (a, s, c, q) and
(b, t, e, r), where d = b - a, rounded in the elements' format as it is for M:

  f = RN(d * 2^(1-k)),  g = RN(f * f),  D = RN(t - s),  S = RN(s + t)
  C = RN(RN(c + e) + RN(3/4 * RN(f * D)))
  w = RN(RN(3/8 * S) + RN(g * 2^(k-7)))
  Q = RN(RN(q + r) + RN(RN(g * w) + RN(f * RN(e - c))))

n elements fall into runs 1 .. p of levels k_1 > k_2 > .... From T = C_1 and U = Q_1 on, for i = 2 .. p, with e = RN(R_i / 2^k_i - R_1 / 2^k_1),
rounded in the elements' format as it is for A and B:

  h = RN(e * e),  j = RN(h * 2^k_i)
  x = RN(e * RN(RN(3 * M_i) + j)),  y = RN(h * RN(RN(6 * M_i) + j))
  T = RN(T + RN(C_i + x)),  U = RN(U + RN(RN(Q_i + RN(4 * RN(e * C_i))) + y))

At the end, with H = RN(A / n) and J = RN(H * A):

  M3 = RN(T - RN(H * RN(RN(3 * B) - RN(2 * J))))
  M4 = RN(U - RN(H * RN(RN(4 * T) - RN(H * RN(RN(6 * B) - RN(3 * J))))))
  v = RN(M2 / n)
  skewness   RN(RN(M3 / n) / RN(v * RN(sqrt(v))))
  kurtosis   RN(RN(M4 / n) / RN(v * v))

Both are NaN unless v is more than 0 and finite. Every NaN is the canonical one, and no result is -0.

A line of pairwise_moments.txt is `type data seed len mean variance sample-variance skewness kurtosis min at max at nans`: bits in hexadecimal
digits, of skewness and kurtosis those of binary64; then the extrema's bits, each with the first place where it is; then how many elements are
NaN. An extremum is the canonical NaN if there is one, at the first of them. Of no elements both extrema are `none`.
"""

import sys
from pathlib import Path

import pairwise_f64
import pairwise_variance
from binary import NOT_A_NUMBER, PLUS_INFINITY, Runs, is_negative, negated, times_power, with_sign
from pairwise import F32
from pairwise_f64 import F64

TYPES = {"f32": (F32, pairwise_variance.element), "f64": (F64, pairwise_f64.element)}


def wide(x, binary):
    """The same number, in units of binary64."""
    return times_power(x, F64.unit - binary.unit)


def power(exponent):
    return 1 << F64.unit + exponent


def constant(numerator, log2_denominator):
    return numerator << F64.unit - log2_denominator


def add(a, b):
    return F64.add(a, b)


def subtract(a, b):
    return F64.add(a, negated(b))


def multiply(a, b):
    return F64.product(a, b)


def divide(a, b):
    """Of b more than 0, and finite."""
    if not isinstance(a, int):
        return a
    return with_sign(F64.rounded_quotient(abs(a) << F64.unit, b), a < 0)


def one(x, binary):
    return binary.run_of(x) + (0, 0)


def merge(left, right, binary):
    (a, s, level, c, q), (b, t, right_level, e, r) = left, right
    total, squares, next_level = binary.merge_runs(left[:3], right[:3])
    d = wide(binary.add(b, negated(a)), binary)
    s, t = wide(s, binary), wide(t, binary)
    f = multiply(d, power(1 - level))
    g = multiply(f, f)
    cubes = add(add(c, e), multiply(constant(3, 2), multiply(f, subtract(t, s))))
    w = add(multiply(constant(3, 3), add(s, t)), multiply(g, power(level - 7)))
    fourths = add(add(q, r), add(multiply(g, w), multiply(f, subtract(e, c))))
    return total, squares, next_level, cubes, fourths


def high_moments(runs, length, binary):
    """T, U, A and B of the first elements."""
    begin, first = 0, None
    for level in reversed(range(length.bit_length())):
        if length >> level & 1 == 0:
            continue
        total, m, _, c, q = runs.levels[level][begin >> level]
        begin += 1 << level
        if first is None:
            first, t, u, drift, squares = (total, level), c, q, 0, m
            continue
        own = binary.scaled_difference(total, level, *first)
        drift = binary.add(drift, times_power(own, level))
        squares = binary.add(squares, binary.add(m, binary.scaled_square(own, level)))
        e, m = wide(own, binary), wide(m, binary)
        h = multiply(e, e)
        j = multiply(h, power(level))
        x = multiply(e, add(multiply(constant(3, 0), m), j))
        y = multiply(h, add(multiply(constant(6, 0), m), j))
        t = add(t, add(c, x))
        u = add(u, add(add(q, multiply(constant(4, 0), multiply(e, c))), y))
    return t, u, wide(drift, binary), wide(squares, binary)


def shape(runs, length, squares, binary):
    """Skewness and kurtosis, of squares about the mean in the elements' format."""
    n = length << F64.unit
    v = divide(wide(squares, binary), n)
    if not isinstance(v, int) or v <= 0:
        return F64.nan, F64.nan
    t, u, a, b = high_moments(runs, length, binary)
    h = divide(a, n)
    j = multiply(h, a)
    times = lambda factor, x: multiply(constant(factor, 0), x)
    m3 = subtract(t, multiply(h, subtract(times(3, b), times(2, j))))
    inner = subtract(times(6, b), times(3, j))
    m4 = subtract(u, multiply(h, subtract(times(4, t), multiply(h, inner))))
    of_v = (multiply(v, F64.root(v)), multiply(v, v))
    found = []
    for moment, divisor in zip((m3, m4), of_v):
        of_one = divide(moment, n)
        if divisor == 0:
            # The variance to this power is too small.
            quotient = NOT_A_NUMBER if of_one in (0, NOT_A_NUMBER) else with_sign(PLUS_INFINITY, is_negative(of_one))
        elif isinstance(divisor, int):
            quotient = divide(of_one, divisor)
        else:
            quotient = 0 if isinstance(of_one, int) else NOT_A_NUMBER
        found.append(F64.bits_of(quotient))
    return tuple(found)


def place(elements, binary, largest):
    """The extremum's bits, and the first place where it is."""
    bits = binary.extremum(elements, largest)
    if bits is None:
        return "none", "none"
    is_nan = lambda element: element & binary.magnitude > binary.infinity
    at = next(i for i, element in enumerate(elements) if element == bits or (bits == binary.nan and is_nan(element)))
    return bits, at


def results(elements, lengths, binary):
    numbers = [binary.number(bits) for bits in elements]
    runs = Runs([one(x, binary) for x in numbers], lambda left, right: merge(left, right, binary))
    sums = Runs(numbers, binary.add)
    digits = 2 + (binary.sign.bit_length() // 4)
    for length in lengths:
        squares = binary.squares_about_mean(Variances(runs), length) if length > 0 else NOT_A_NUMBER
        variances = [
            binary.nan if length < divisor_less + 1 else binary.bits_of(binary.mean(squares, length - divisor_less))
            for divisor_less in (0, 1)
        ]
        total = sums.total(length)
        words = [binary.bits_of(binary.mean(0 if total is None else total, length))] + variances
        skewness, kurtosis = shape(runs, length, squares, binary) if length > 0 else (F64.nan, F64.nan)
        first = elements[:length]
        nans = sum(bits & binary.magnitude > binary.infinity for bits in first)
        fields = [f"{word:#0{digits}x}" for word in words] + [f"{skewness:#018x}", f"{kurtosis:#018x}"]
        for largest in (False, True):
            bits, at = place(first, binary, largest)
            fields += [bits if bits == "none" else f"{bits:#0{digits}x}", str(at)]
        yield " ".join(fields + [str(nans)])


class Variances:
    """The runs, as far as variances go."""

    def __init__(self, runs):
        self.levels = [[run[:3] for run in level] for level in runs.levels]


LISTED = {
    "f32": [
        "80000000",
        "3f800000,bf800000",
        "00000000,80000000",
        "80000000,00000000",
        "3f800000,3f800001",
        "3f800000,40000000,40400000",
        "00000000,00000000,3f800000",
        "40a00000,3f800000,3f800000,40a00000,40a00000,3f800000,3f800000",
        "3f8ccccd,3f8ccccd,3f8ccccd",
        "00000001,00000000",
        "1a3504f3,9a3504f3",
        "1b000000,9b000000,1b000000,9b000000,1b000000",
        "1f000000,9f000000,1f000000,9f000000,1f800000",  # f32s whose fourth powers are no f32s
        "5e000000,de000000,5e000000,de800000,5e000000",
        "5f000000,df000000,5f000000",
        "7f7fffff,7f7fffff",  # the sum overflows
        "7f7fffff,ff7fffff",
        "7f7fffff,7f7fffff,7f7fffff",
        "7f800000",
        "ff800000,3f800000",
        "3f800000,ff800000,7f800000",
        "7fc00000",
        "3f800000,7fc00001,3f800000,ffc00000",
        "7fc00000,7fc00000,7fc00000",
        "4b800000,4b800001,4b800002",
    ],
    "f64": [
        "8000000000000000",
        "3ff0000000000000,bff0000000000000",
        "3ff0000000000000,4000000000000000,4008000000000000",
        "0000000000000001,0000000000000000",
        "3ff199999999999a,3ff199999999999a,3ff199999999999a",
        # Fourth powers that are too small, and too large.
        "2ff0000000000000,aff0000000000000,3000000000000000",
        "2800000000000000,a800000000000000,2810000000000000",
        "4ff0000000000000,cff0000000000000,5000000000000000",
        "5800000000000000,d800000000000000,5810000000000000,5800000000000000,5800000000000000",
        "6000000000000000,e000000000000000,6010000000000000",
        "7fefffffffffffff,ffefffffffffffff",
        "7ff0000000000000",
        "3ff0000000000000,fff8000000000001,7ff8000000000000",
    ],
}


def generated(name):
    """(data, seed, lengths)"""
    short = [*range(34), 63, 64, 65, 127, 255, 1000]
    edges = [1023, 1024, 1025, 2049, 4095, 4096, 4097, 5000]
    yield "signed", 171, short + edges + [12289]
    yield "uniform" if name == "f32" else "near_one", 172, short + edges
    yield "clustered", 173, short + edges
    yield "wide", 174, short + [4097]
    yield "small", 175, short + [4097]
    yield "large", 176, short + [4097]
    yield "constant", 0, [1, 2, 3, 7, 4097]
    yield "huge", 0, [1, 2, 3, 7, 4097]
    yield "subnormal", 177, [2, 5, 1025]
    yield "finite", 178, short
    yield "any", 179, short + [4097]
    yield "one_nan", 4096, [4095, 4096, 4097]


def text():
    lines = ["# Written by pairwise_moments.py, which explains it. Not to be edited by hand.\n"]
    for name, (binary, element) in TYPES.items():

        def add_lines(data, seed, elements, lengths):
            for length, line in zip(lengths, results(elements, lengths, binary)):
                lines.append(f"{name} {data} {seed} {length} {line}\n")

        for kind, seed, lengths in generated(name):
            add_lines(kind, seed, [element(kind, seed, index) for index in range(max(lengths))], lengths)
        for words in LISTED[name]:
            elements = [int(word, 16) for word in words.split(",")]
            add_lines("listed:" + words, 0, elements, [len(elements)])
    return "".join(lines)


def main():
    path = Path(__file__).with_name("pairwise_moments.txt")
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
