#!/usr/bin/env python3
"""Writes exact_f64.txt: what exact sums and means of f64s are, for the tests to compare with.

Written from the definition alone, not from the Rust code or the shaders, so that a mistake there cannot hide here. Elements, their
generators are those of pairwise_f64.py, and the rounding is that of binary.py; a sum is one of Python's integers, and rounded once. Needs Python 3.9, and
a few seconds. Run it only when lines are to be added: a changed result means a changed definition.

    python3 tests/vectors/exact_f64.py            writes exact_f64.txt beside this file
    python3 tests/vectors/exact_f64.py --check    compares exact_f64.txt with what would be written

Any NaN, or infinities of both signs, give 0x7ff8000000000000. One infinity gives that infinity. A sum of 0 is +0, and a mean below 0
may round to -0. The mean of nothing is NaN.

A line of exact_f64.txt is `operator data seed len bits`, as in pairwise_f64.txt.
"""

import sys
from pathlib import Path

from binary import MINUS_INFINITY, PLUS_INFINITY
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


def result(operator, numbers):
    if operator == "mean" and not numbers:
        return F64.nan
    specials = {x for x in numbers if not isinstance(x, int)}
    if specials:
        infinities = {(PLUS_INFINITY,): F64.infinity, (MINUS_INFINITY,): F64.sign | F64.infinity}
        return infinities.get(tuple(specials), F64.nan)
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


def text():
    lines = ["# Written by exact_f64.py, which explains it. Not to be edited by hand.\n"]

    def add_lines(data, seed, numbers):
        for operator in ("sum", "mean"):
            bits = result(operator, numbers)
            lines.append(f"{operator} {data} {seed} {len(numbers)} 0x{bits:016x}\n")

    for kind, seed, lengths in generated():
        numbers = [F64.number(element(kind, seed, index)) for index in range(max(lengths))]
        for length in lengths:
            add_lines(kind, seed, numbers[:length])
    for words in LISTED["sum"] + OTHERS:
        add_lines("listed:" + ",".join(words), 0, [F64.number(int(word, 16)) for word in words])
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
