#!/usr/bin/env python3
"""Writes components.txt: reductions of elements of two to four components, for the tests to compare with.

NumPy holds the elements as rows of an array, takes its columns, and reduces integers. Columns of floats are reduced by the scripts beside
this one, which know only the definitions: pairwise.py and pairwise_statistics.py. Needs Python 3.9, NumPy, and a minute or two. Run it
only when lines are to be added.

    python3 tests/vectors/components.py            writes components.txt beside this file
    python3 tests/vectors/components.py --check    compares components.txt with what would be written

A line of components.txt is `operator type kind seed len bits`: the bits of each component of the result, or `none`. Of 64 bits the low
word comes first. Bounds are the minima, the maxima and the means.

The component c of the element i, of N components, is made of h = mix(i * N + c + seed), as pairwise.py has it:

  any        h
  odd        h, and its lowest bit
  most       all bits, but where h % 1500 is 1: there all but the bit number (h >> 8) % 32
  sparse     0, but where h % 7 is 0: there h; but the sign bit of h also elsewhere
  near_one   of floats: between 1/2 and 2, with the sign and fraction of h
  finite     of floats: exponents from -10 to 21, with the sign and fraction of h; but of the component 0 they are subnormal where
             h % 3000 is 1
  specials   the same, but of the last component NaN where h % 4000 is 1, and infinite where it is 2
"""

import sys
from pathlib import Path

import numpy as np

import narrow
from pairwise import MASK, mix

LENGTHS = [0, 1, 2, 3, 5, 17, 255, 257, 4096, 4097, 12289]
SHORT = [0, 1, 3, 18, 1025, 4097]
COMPONENTS = [2, 3, 4]


def component(kind, components, seed, index, c):
    h = mix(index * components + c + seed & MASK)
    if kind == "any":
        return h
    if kind == "odd":
        return h | 1
    if kind == "most":
        return MASK ^ (1 << (h >> 8) % 32 if h % 1500 == 1 else 0)
    if kind == "sparse":
        return h if h % 7 == 0 else h & 0x80000000
    if kind == "near_one":
        return h & 0x807FFFFF | 126 + (h >> 16) % 2 << 23
    if kind == "specials" and c == components - 1 and h % 4000 in (1, 2):
        return 0x7FC00001 if h % 4000 == 1 else 0x7F800000
    if c == 0 and h % 3000 == 1:
        return h & 0x807FFFFF
    return h & 0x807FFFFF | 117 + (h >> 16) % 32 << 23


def results(operator, scalar, column, lengths):
    """Of one component."""
    if scalar == "f32":
        return narrow.float_results(operator, "reproducible", [int(b) for b in column], lengths, 32)
    values = column.view(np.int32 if scalar == "i32" else np.uint32)
    return [narrow.integer_result(operator, values[:length]) for length in lengths]


def cells():
    """operator, scalar, kind, lengths"""
    for scalar in ("i32", "u32"):
        for operator in ("sum", "min", "max"):
            yield operator, scalar, "any", LENGTHS
    for operator in ("sum", "mean"):
        yield operator, "f32", "finite", LENGTHS
        yield operator, "f32", "specials", SHORT
        if operator == "sum":
            yield operator, "f32", "any", SHORT
    for operator in ("min", "max"):
        yield operator, "f32", "finite", SHORT
        yield operator, "f32", "specials", SHORT
        yield operator, "f32", "any", SHORT
    # A line's seed is its cell's place in this list: what is new comes last.
    for scalar in ("i32", "u32"):
        yield "product", scalar, "odd", LENGTHS
        yield "sum-wide", scalar, "any", LENGTHS
        yield "max-abs", scalar, "any", SHORT
        yield "max-abs", scalar, "most", SHORT
        yield "count", scalar, "sparse", LENGTHS
        for operator in ("bit-and", "bit-or", "bit-xor"):
            yield operator, scalar, "any", SHORT
            yield operator, scalar, "most", SHORT
    yield "product", "f32", "near_one", LENGTHS
    yield "product", "f32", "specials", SHORT
    yield "product", "f32", "any", SHORT
    yield "max-abs", "f32", "finite", SHORT
    yield "max-abs", "f32", "specials", SHORT
    yield "max-abs", "f32", "any", SHORT
    yield "count", "f32", "sparse", LENGTHS
    yield "count", "f32", "any", SHORT
    yield "bounds", "f32", "finite", LENGTHS
    yield "bounds", "f32", "specials", SHORT
    yield "bounds", "f32", "any", SHORT


def words(result):
    """Of 32 bits, the low one first."""
    digits = result.removeprefix("0x")
    return [f"0x{digits[begin:begin + 8]}" for begin in range(0, len(digits), 8)][::-1]


def text():
    lines = ["# Written by components.py, which says what a line is."]
    seed = 0
    for operator, scalar, kind, lengths in cells():
        for n in COMPONENTS:
            seed += 1
            # A mean looks one element further.
            rows = range(max(lengths) + 1)
            elements = np.array([[component(kind, n, seed, i, c) for c in range(n)] for i in rows], np.uint32)
            own = ("min", "max", "mean") if operator == "bounds" else (operator,)
            columns = [
                results(one, scalar, np.ascontiguousarray(elements[:, c]), lengths) for one in own for c in range(n)
            ]
            for length, found in zip(lengths, zip(*columns)):
                found = "none" if "none" in found else " ".join(w for result in found for w in words(result))
                lines.append(f"{operator} {scalar}x{n} {kind} {seed} {length} {found}")
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
