#!/usr/bin/env python3
"""Writes scans.txt: what scans give, for the tests to compare with.

Written from the definition alone, not from the Rust code or the shaders, so that a mistake there cannot hide here. All arithmetic
is of integers. It takes the generators, and the operations, from pairwise.py and pairwise_f64.py, which explain them. Needs Python
3.9, and a minute. Run it only when lines are to be added: a changed result means a changed definition.

    python3 tests/vectors/scans.py            writes scans.txt beside this file
    python3 tests/vectors/scans.py --check    compares scans.txt with what would be written

The definition. Result i of an exclusive scan is S(i), of an inclusive one S(i + 1), each as a reduction of so many elements gives it.
With an initial value z, S(n) is the left fold ((z + R1) + R2) + ... of the runs that n falls into, and S(0) is z itself.

A line of scans.txt is `type operator data seed len kind initial digest`, separated by single spaces; lines that begin with # are
comments.

  type      f32, f64, u32 or i32
  operator  sum, sum-wide, product, min, max or bit-xor
  data      a generator of pairwise.py, or of f64s one of pairwise_f64.py; or `listed:` and the elements' bits in hexadecimal, joined
            by commas. Of u32 and i32 the generators' bits are taken for integers.
  seed      of the generator, decimal (0 for listed data)
  len       number of elements, decimal
  kind      inclusive or exclusive
  initial   the bits of z, in hexadecimal, or `none`
  digest    of all results: d = 0, and then d = mix(d ^ word) + 0x9e3779b9 for each word of 32 bits of each result, the low one
            first, in u32 arithmetic that wraps; 0x and eight hexadecimal digits
"""

import sys
from pathlib import Path

import pairwise
import pairwise_f64
from pairwise import MASK, mix


# --- operations: of bits to accumulators, of two of these, to bits ---------------------------------


def wrapped(bits):
    return bits & MASK


def signed(bits):
    return bits - (bits >> 31 << 32)


class Operation:
    def __init__(self, lift, combine, finish, nothing, words):
        self.lift, self.combine, self.finish = lift, combine, finish
        self.nothing, self.words = nothing, words


WIDE = (1 << 64) - 1


def extremum_f32(largest):
    def key(bits):
        if bits & pairwise.MAGNITUDE > pairwise.INFINITY:
            return None
        return -1 - (bits & pairwise.MAGNITUDE) if bits & pairwise.SIGN else bits

    def combine(a, b):
        if a is None or b is None:
            return None
        return max(a, b) if largest else min(a, b)

    def finish(value):
        if value is None:
            return pairwise.NAN
        return value if value >= 0 else (-1 - value) | pairwise.SIGN

    nothing = pairwise.SIGN | pairwise.INFINITY if largest else pairwise.INFINITY
    return Operation(key, combine, finish, key(nothing), 1)


def product_f32():
    """An accumulator is a number, and the sign and the specials of all factors."""

    def lift(bits):
        magnitude = bits & pairwise.MAGNITUDE
        special = {
            "nan" if magnitude > pairwise.INFINITY else None,
            "infinity" if magnitude == pairwise.INFINITY else None,
            "zero" if magnitude == 0 else None,
        } - {None}
        return pairwise.lift(bits), bits & pairwise.SIGN, frozenset(special)

    def combine(a, b):
        return pairwise.multiply(a[0], b[0]), a[1] ^ b[1], a[2] | b[2]

    def finish(total):
        number, sign, special = total
        # Of factors with the same sign and specials.
        factors = [sign | 0x3F800000]
        factors += [0x7FC00000] if "nan" in special else []
        factors += [pairwise.INFINITY] if "infinity" in special else []
        factors += [0] if "zero" in special else []
        return pairwise.bits_of_product(factors, number)

    nothing = ((pairwise.HIDDEN, 0), 0, frozenset())
    return Operation(lift, combine, finish, nothing, 1)


OPERATIONS = {
    ("f32", "sum"): Operation(pairwise.number, pairwise.add, pairwise.bits_of_sum, 0, 1),
    ("f64", "sum"): Operation(
        pairwise_f64.number, pairwise_f64.add, pairwise_f64.bits_of, 0, 2
    ),
    ("f32", "product"): product_f32(),
    ("f32", "min"): extremum_f32(False),
    ("f32", "max"): extremum_f32(True),
    ("u32", "sum"): Operation(wrapped, lambda a, b: a + b, wrapped, 0, 1),
    ("i32", "sum"): Operation(signed, lambda a, b: a + b, wrapped, 0, 1),
    ("u32", "sum-wide"): Operation(wrapped, lambda a, b: a + b, lambda x: x & WIDE, 0, 2),
    ("i32", "sum-wide"): Operation(signed, lambda a, b: a + b, lambda x: x & WIDE, 0, 2),
    ("u32", "product"): Operation(
        wrapped, lambda a, b: a * b & MASK, wrapped, 1, 1
    ),
    ("i32", "min"): Operation(signed, min, wrapped, 2**31 - 1, 1),
    ("u32", "max"): Operation(wrapped, max, wrapped, 0, 1),
    ("u32", "bit-xor"): Operation(wrapped, lambda a, b: a ^ b, wrapped, 0, 1),
}


# --- scans ----------------------------------------------------------------------------------------


class NoInitial:
    """Stands for no total yet: None may be a total."""


def scan(operation, elements, is_inclusive, initial):
    runs = pairwise.Runs([operation.lift(bits) for bits in elements], operation.combine)
    for i in range(len(elements)):
        length = i + is_inclusive
        begin, total = 0, NoInitial if initial is None else operation.lift(initial)
        for level in reversed(range(length.bit_length())):
            if length >> level & 1 == 1:
                run = runs.levels[level][begin >> level]
                total = run if total is NoInitial else operation.combine(total, run)
                begin += 1 << level
        yield operation.finish(operation.nothing if total is NoInitial else total)


def digest(results, words):
    total = 0
    for result in results:
        for word in range(words):
            total = mix(total ^ (result >> 32 * word & MASK)) + 0x9E3779B9 & MASK
    return total


# --- the vectors ----------------------------------------------------------------------------------

SHORT = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 255, 257]
EDGES = [1023, 1024, 1025, 4095, 4096, 4097, 8191, 12289]
LONG = [65535, 65537, 100003]


def generated():
    """(type, operator, data, seed, lengths, initials)"""
    yield "f32", "sum", "signed", 2, SHORT + EDGES + LONG, [None]
    yield "f32", "sum", "wide", 3, SHORT + EDGES, [None, 0x3E99999A]
    yield "f32", "sum", "finite", 4, [9, 65] + EDGES, [None, 0x00000003]
    yield "f32", "sum", "constant", 0, [100, 4097], [None, 0x4B800001]
    yield "f32", "sum", "huge", 0, [100, 4097, 12289], [None]
    yield "f32", "sum", "subnormal", 5, [65, 4097], [None, 0x80000001]
    yield "f32", "sum", "any", 7, [65, 4097], [None]
    yield "f32", "sum", "zeros", 8, [65, 4097], [None, 0x80000000]
    yield "f32", "sum", "one_nan", 4096, [4097, 8191], [None]
    yield "f32", "product", "near_one", 11, [17, 1025, 4097], [None, 0xC0400000]
    yield "f32", "product", "wide", 13, [65, 4097], [None]
    yield "f32", "product", "any", 16, [65, 1025], [None]
    yield "f32", "min", "any", 24, [65, 4097], [None]
    yield "f32", "max", "finite", 22, [65, 4097], [None, 0x80000000]
    yield "f64", "sum", "signed", 2, [1, 2, 3, 65] + EDGES, [None]
    yield "f64", "sum", "wide", 3, [65, 4097, 12289], [None, 0x3FD3333333333333]
    yield "f64", "sum", "finite", 5, [65, 4097], [None]
    yield "f64", "sum", "subnormal", 6, [65, 4097], [None]
    yield "f64", "sum", "any", 9, [65, 1025], [None]
    for kind in ("u32", "i32"):
        yield kind, "sum", "any", 31, SHORT + EDGES + LONG, [None, 0x80000007]
        yield kind, "sum-wide", "any", 32, [3, 65] + EDGES, [None, 0xFFFFFFFF]
    yield "u32", "product", "any", 33, [65, 4097], [None, 3]
    yield "i32", "min", "any", 34, [65, 4097], [None, 0xFFFF0000]
    yield "u32", "max", "any", 35, [65, 4097], [None, 0x10000000]
    yield "u32", "bit-xor", "any", 36, [65, 4097], [None, 0xFF]


LISTED = [words for words in pairwise.LISTED_SUMS if "," in words]


def text():
    lines = ["# Written by scans.py, which explains it. Not to be edited by hand.\n"]

    def add_lines(kind, operator, data, seed, elements, initial):
        operation = OPERATIONS[kind, operator]
        bits = "none" if initial is None else f"{initial:x}"
        for name in ("inclusive", "exclusive"):
            results = scan(operation, elements, name == "inclusive", initial)
            found = digest(results, operation.words)
            lines.append(
                f"{kind} {operator} {data} {seed} {len(elements)} {name} {bits} 0x{found:08x}\n"
            )

    for kind, operator, data, seed, lengths, initials in generated():
        element = pairwise_f64.element if kind == "f64" else pairwise.element
        elements = [element(data, seed, index) for index in range(max(lengths))]
        for length in lengths:
            for initial in initials:
                add_lines(kind, operator, data, seed, elements[:length], initial)
    for words in LISTED:
        elements = [int(word, 16) for word in words.split(",")]
        for initial in (None, 0x33800000):
            add_lines("f32", "sum", "listed:" + words, 0, elements, initial)
    return "".join(lines)


def main():
    path = Path(__file__).with_name("scans.txt")
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
