#!/usr/bin/env python3
"""Writes exact_f64.txt: what exact sums, means, sums of squares, norms, dot products and variances of f64s are, for the tests to
compare with.

Written from the definition alone, not from the Rust code or the shaders, so that a mistake there cannot hide here. Elements, their
generators are those of pairwise_f64.py, and the rounding is that of binary.py; a sum is one of Python's integers, and rounded once. Needs Python 3.9, and
a few seconds. Run it only when lines are to be added: a changed result means a changed definition.

    python3 tests/vectors/exact_f64.py            writes exact_f64.txt beside this file
    python3 tests/vectors/exact_f64.py --check    compares exact_f64.txt with what would be written

Any NaN, or infinities of both signs, give 0x7ff8000000000000. One infinity gives that infinity. A sum of 0 is +0, and a mean below 0
may round to -0. The mean of nothing is NaN.

Products are not rounded before they are added up: their sum is rounded once, and so is the square root of that. One of a NaN, or of 0 and
an infinity, is a NaN; others of infinities are infinities, to which the rules above apply. The right side of a dot product is the
elements, rotated by one place. With n elements, their sum S and the sum of their squares Q, a variance is (n * Q - S * S) / (n * n), and a
sample's (n * Q - S * S) / (n * (n - 1)), rounded once; NaN of no elements, of a sample of less than two, and of what is not finite.

A line of exact_f64.txt is `operator data seed len bits`, as in pairwise_f64.txt.
"""

import math
import sys
from pathlib import Path

from binary import MINUS_INFINITY, NOT_A_NUMBER, PLUS_INFINITY, is_negative
from pairwise import EDGES, FEW_SHORT
from pairwise_f64 import (
    A_NAN,
    E,
    F64,
    HALF,
    INF,
    LISTED,
    MAX,
    MIN,
    MINUS_INF,
    MINUS_ONE,
    NORMAL,
    ONE,
    SMALLEST,
    TINY,
    TWO_E,
    ZERO,
    element,
)

# Lists whose sums or means say more if they are exact.
OTHERS = [
    [ONE, E, SMALLEST],  # just above a tie
    [ONE, E, "8000000000000001"],
    [ONE, TWO_E, E, SMALLEST],
    [ONE, TWO_E, E],
    [MAX, "7c90000000000000", "8000000000000001"],  # just below the tie to infinity
    [MAX, MAX, MAX, MIN, MIN, TINY],
    [MIN, MIN, MIN],
    ["c340000000000000", ONE, "4340000000000000", HALF],
    ["8000000000000001", ZERO, ZERO],  # a mean that is -0
    [SMALLEST, ZERO],
    ["0000000000000003", ZERO],
    ["8000000000000003", ZERO],
    [NORMAL, SMALLEST, ZERO],
    [ONE, ONE, ZERO],
    ["7fe0000000000000"] * 7,
    [INF, MAX, MAX],
    [INF, MINUS_INF, A_NAN],
    [MINUS_INF, MINUS_ONE],
]


def bits_of_quotient(total, divisor):
    magnitude = F64.rounded_quotient(abs(total), divisor)
    return F64.bits_of(magnitude) | (F64.sign if total < 0 else 0)


def bits_of_root(square):
    """Of a square in units of that of the smallest number."""
    # With 64 bits behind the last place, and one more that stands for all others.
    root = math.isqrt(square << 128)
    return F64.bits_of(F64.rounded_quotient(2 * root + (root * root != square << 128), 1 << 65))


def special_product(x, y):
    """None of two numbers."""
    if isinstance(x, int) and isinstance(y, int):
        return None
    if NOT_A_NUMBER in (x, y) or 0 in (x, y):
        return NOT_A_NUMBER
    return MINUS_INFINITY if is_negative(x) != is_negative(y) else PLUS_INFINITY


def bits_of_specials(specials):
    infinities = {(PLUS_INFINITY,): F64.infinity, (MINUS_INFINITY,): F64.sign | F64.infinity}
    return infinities.get(tuple(specials), F64.nan)


def result_of_products(operator, numbers):
    others = numbers[1:] + numbers[:1] if operator == "dot" else numbers
    specials = {special_product(x, y) for x, y in zip(numbers, others)} - {None}
    if operator in ("variance", "sample-variance"):
        length = len(numbers)
        degrees = length - (operator == "sample-variance")
        if specials or degrees <= 0:
            return F64.nan
        spread = length * sum(x * x for x in numbers) - sum(numbers) ** 2
        return bits_of_quotient(spread, length * degrees << F64.unit)
    if specials:
        return bits_of_specials(specials)
    total = sum(x * y for x, y in zip(numbers, others))
    return bits_of_root(total) if operator == "norm" else bits_of_quotient(total, 1 << F64.unit)


def result(operator, numbers):
    if operator not in ("sum", "mean"):
        return result_of_products(operator, numbers)
    if operator == "mean" and not numbers:
        return F64.nan
    specials = {x for x in numbers if not isinstance(x, int)}
    if specials:
        return bits_of_specials(specials)
    return bits_of_quotient(sum(numbers), len(numbers) if operator == "mean" else 1)


def generated():
    """(data, seed, lengths)"""
    yield "signed", 2, FEW_SHORT + EDGES + [300007]
    yield "wide", 3, FEW_SHORT + EDGES
    yield "few", 4, FEW_SHORT + EDGES
    yield "finite", 5, FEW_SHORT + EDGES
    yield "constant", 0, [7, 4097]
    yield "huge", 0, [3, 4097]
    yield "subnormal", 6, [5, 4097]
    yield "near_one", 8, [5, 65537]
    yield "any", 9, [5, 12289]
    yield "zeros", 10, [2, 4097]
    yield "one_nan", 4096, [4096, 4097]


# Lists whose products say more if they are exact.
OF_PRODUCTS = [
    [],
    [ONE],
    [MAX, MAX],
    [MAX],
    [MIN, MAX, MIN],
    [SMALLEST],
    [SMALLEST, "8000000000000001"],
    ["8000000000000001", ONE],  # a dot product of the smallest numbers
    ["1e60000000000000", "9e60000000000000", ZERO],  # squares next to the smallest number
    ["1e56a09e667f3bcd", ZERO],  # and to half of it
    ["1e56a09e667f3bcc", ZERO],
    [ONE, E, ZERO, ZERO],
    ["7e37e43c8800759c", "3ff0000000000000", "fe37e43c8800759c", "3ff0000000000000"],  # 1e300, 1, -1e300, 1
    ["4340000000000000", "4340000000000001", "4340000000000002"],  # close to one another, and far from 0
    ["433fffffffffffff", "4340000000000000"],
    ["7fe0000000000000", "ffe0000000000000"],
    ["5fefffffffffffff"] * 4,  # a norm that is a number, of a sum of squares that is not
    ["7fdfffffffffffff"] * 4,
    ["0010000000000000", "000fffffffffffff"],
    ["3ff0000000000000", "3ff0000000000001", "3ff0000000000003"],
    [INF, ONE],
    [INF, ZERO, ONE],
    [INF, MINUS_INF, INF],
    [MINUS_INF, MINUS_ONE, ONE],
    [A_NAN, ONE],
]


def text():
    lines = ["# Written by exact_f64.py, which explains it. Not to be edited by hand.\n"]

    def add_lines(data, seed, numbers, operators=("sum", "mean")):
        for operator in operators:
            bits = result(operator, numbers)
            lines.append(f"{operator} {data} {seed} {len(numbers)} 0x{bits:016x}\n")

    for kind, seed, lengths in generated():
        numbers = [F64.number(element(kind, seed, index)) for index in range(max(lengths))]
        for length in lengths:
            add_lines(kind, seed, numbers[:length])
    for words in LISTED["sum"] + OTHERS:
        add_lines("listed:" + ",".join(words), 0, [F64.number(int(word, 16)) for word in words])
    of_products = ("sum-of-squares", "norm", "dot", "variance", "sample-variance")
    kinds = [(kind, seed, [n for n in lengths if n <= 4097]) for kind, seed, lengths in generated()]
    others = [("small", 11, [5, 4097]), ("large", 12, [5, 4097]), ("clustered", 13, [5, 4097])]
    for kind, seed, lengths in kinds + others:
        numbers = [F64.number(element(kind, seed, index)) for index in range(max(lengths))]
        for length in lengths:
            add_lines(kind, seed, numbers[:length], of_products)
    for words in LISTED["dot"] + LISTED["sum-of-squares"] + LISTED["variance"] + OF_PRODUCTS:
        words = words.split(",") if isinstance(words, str) else words
        if words:
            add_lines("listed:" + ",".join(words), 0, [F64.number(int(word, 16)) for word in words], of_products)
    return "".join(lines)


def main():
    path = Path(__file__).with_name("exact_f64.txt")
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
