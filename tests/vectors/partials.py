#!/usr/bin/env python3
"""Writes partials.txt: the bytes of parts of sequences, for the tests to compare with.

Written from the definition alone, not from the Rust code or the shaders, so that a mistake there cannot hide here. All arithmetic
is of integers. It takes the generators from pairwise.py and pairwise_f64.py, and the roundings from binary.py, which explain them.
Needs Python 3.9, and a second. Run it only when lines are to be added: changed bytes mean a changed format.

    python3 tests/vectors/partials.py            writes partials.txt beside this file
    python3 tests/vectors/partials.py --check    compares partials.txt with what would be written
    python3 tests/vectors/partials.py --seeds DIR    writes each line's bytes to a file there, for the fuzzer

The definition. A part has the elements at positions first .. end of a sequence. Its bytes, all integers of which are little-endian:

  `gridfp\\n`, 1; first and end, of 8 bytes each; a kind; the number of bytes of the operator's name, and of the element type's; both
  names; and then by kind:

  0  an operator that does not round: its accumulator
  1  one that rounds in the pairwise order: the accumulators of the longest runs that the part falls into, the first one first. A run
     of level k begins at a multiple of 2^k, and has 2^k elements.
  2  exact: a sum in two's complement, of f32s 40 bytes in units of 2^-149, of f64s 272 bytes in units of 2^-1074; 4 bytes of flags,
     1 NaN, 2 +infinity, 4 -infinity; 8 bytes with the number of elements

Accumulators are words of 4 bytes, of numbers of 8 bytes the low one first. A sum is its bits: a NaN is the canonical one, and a zero +0. A
product is a word of flags (1 NaN, 2 infinity, 4 zero, 2^31 the sign), the bits of its significand in [1, 2), and 8 bytes with its
exponent; what is NaN, infinite or zero has significand 1 and exponent 0. A count has 8 bytes. The key of a float is its bits, in the order of
integers: with the sign bit set, or, of negative ones, all bits inverted. The key of an integer is the integer, of a signed one with the
highest bit inverted. A least element is the complement of
its key; a NaN has all bits. A place is a position of 8 bytes and a key: of the largest integer itself, of the smallest one its complement.

A line of partials.txt is `operator type level data seed len first bytes`, separated by single spaces; lines that begin with # are
comments. The level is `exact` where that is asked for, else `reproducible`. The bytes are in hexadecimal.
"""

import sys
from pathlib import Path

import pairwise
import pairwise_f64
from binary import MINUS_INFINITY, NOT_A_NUMBER, PLUS_INFINITY, Format

F32 = Format(24, 8)
F64 = Format(53, 11)
MASK = 0xFFFFFFFF


def word(number):
    return (number & MASK).to_bytes(4, "little")


def double(number):
    return (number & (1 << 64) - 1).to_bytes(8, "little")


def runs(first, end):
    """The positions of the longest runs."""
    while first < end:
        level = 0
        while first % (2 << level) == 0 and first + (2 << level) <= end:
            level += 1
        yield range(first, first + (1 << level))
        first += 1 << level


def in_order(first, items, combine):
    """The totals of the runs."""

    def total(items):
        if len(items) == 1:
            return items[0]
        half = len(items) // 2
        return combine(total(items[:half]), total(items[half:]))

    for run in runs(first, first + len(items)):
        yield total(items[run.start - first : run.stop - first])


# --- accumulators --------------------------------------------------------------------------------


def sums(form, size, first, elements):
    totals = in_order(first, [form.number(bits) for bits in elements], form.add)
    return b"".join(form.bits_of(total).to_bytes(size, "little") for total in totals)


def product_of(bits):
    magnitude = bits & F32.magnitude
    specials = {1} if magnitude > F32.infinity else set()
    specials |= {2} if magnitude == F32.infinity else set()
    specials |= {4} if magnitude == 0 else set()
    return bits & F32.sign, specials, F32.lift(bits)


def multiplied(a, b):
    return a[0] ^ b[0], a[1] | b[1], F32.multiply(a[2], b[2])


def products(first, elements):
    found = b""
    for sign, specials, number in in_order(first, [product_of(x) for x in elements], multiplied):
        significand, exponent = (F32.hidden, 0) if specials else number
        bits = F32.bias << F32.fraction_bits | significand & F32.fraction
        found += word(sign | sum(specials)) + word(bits) + double(exponent)
    return found


def exact(form, size, elements):
    numbers = [form.number(bits) for bits in elements]
    total = sum(number for number in numbers if isinstance(number, int))
    flags = {NOT_A_NUMBER: 1, PLUS_INFINITY: 2, MINUS_INFINITY: 4}
    found = sum(flag for special, flag in flags.items() if special in numbers)
    return total.to_bytes(size, "little", signed=True) + word(found) + double(len(elements))


def least(elements):
    def key(bits):
        if bits & F32.magnitude > F32.infinity:
            return MASK
        return bits if bits & F32.sign else bits ^ F32.magnitude

    return word(max([key(bits) for bits in elements] + [key(F32.infinity)]))


def least_signed(elements):
    keys = [bits ^ F32.sign for bits in elements]
    return word(max([key ^ MASK for key in keys] + [0]))


def place(first, elements, is_best, complement):
    best = 0
    for index, element in enumerate(elements):
        if is_best(element, elements[best]):
            best = index
    return double(first + best) + word(elements[best] ^ (MASK if complement else 0))


def count(elements):
    return double(sum(bits & F32.magnitude != 0 for bits in elements))


KINDS = {
    ("sum", "f32", "reproducible"): (1, lambda first, x: sums(F32, 4, first, x)),
    ("sum", "f64", "reproducible"): (1, lambda first, x: sums(F64, 8, first, x)),
    ("mean", "f32", "reproducible"): (1, lambda first, x: sums(F32, 4, first, x)),
    ("product", "f32", "reproducible"): (1, products),
    ("sum", "f32", "exact"): (2, lambda first, x: exact(F32, 40, x)),
    ("sum", "f64", "exact"): (2, lambda first, x: exact(F64, 272, x)),
    ("sum", "u32", "reproducible"): (0, lambda first, x: word(sum(x))),
    ("sum-wide", "u32", "reproducible"): (0, lambda first, x: double(sum(x))),
    ("count", "f32", "reproducible"): (0, lambda first, x: count(x)),
    ("min", "f32", "reproducible"): (0, lambda first, x: least(x)),
    ("min", "i32", "reproducible"): (0, lambda first, x: least_signed(x)),
    ("arg-max", "u32", "reproducible"): (
        0,
        lambda first, x: place(first, x, lambda a, b: a > b, False),
    ),
    ("arg-min", "u32", "reproducible"): (
        0,
        lambda first, x: place(first, x, lambda a, b: a < b, True),
    ),
}

# Lengths, and where the first element is: within runs, at their ends, and near the end of what there may be.
PLACES = [(1, 0), (7, 0), (64, 0), (2, 1), (3, 1), (64, 3), (70, 4095), (61, 2**40 - 61)]


def part(operator, kind, level, first, elements):
    tag, accumulators = KINDS[operator, kind, level]
    found = b"gridfp\n\x01" + double(first) + double(first + len(elements))
    found += bytes([tag, len(operator), len(kind)]) + operator.encode() + kind.encode()
    return found + accumulators(first, elements)


def generators(operator, kind):
    if kind in ("u32", "i32"):
        return ["any", "constant"]
    if operator == "product":
        return ["near_one", "any", "subnormal"]
    return ["signed", "wide", "any", "zeros", "one_nan"]


def text():
    lines = ["# Written by partials.py, which explains it. Not to be edited by hand.\n"]
    for operator, kind, level in KINDS:
        element = pairwise_f64.element if kind == "f64" else pairwise.element
        for data in generators(operator, kind):
            for length, first in PLACES if data in ("signed", "near_one") else PLACES[3:6]:
                elements = [element(data, 1, index) for index in range(length)]
                found = part(operator, kind, level, first, elements).hex()
                lines.append(f"{operator} {kind} {level} {data} 1 {length} {first} {found}\n")
        if "arg" not in operator:
            found = part(operator, kind, level, 5, []).hex()
            lines.append(f"{operator} {kind} {level} any 0 0 5 {found}\n")
    return "".join(lines)


def main():
    path = Path(__file__).with_name("partials.txt")
    if sys.argv[1:] == ["--check"]:
        if path.read_text(encoding="ascii") != text():
            sys.exit(f"{path} is not what this script writes")
        print(f"{path} is what this script writes")
    elif sys.argv[1:2] == ["--seeds"] and len(sys.argv) == 3:
        folder = Path(sys.argv[2])
        folder.mkdir(parents=True, exist_ok=True)
        for number, line in enumerate(text().splitlines()[1:]):
            (folder / f"line-{number}").write_bytes(bytes.fromhex(line.split(" ")[-1]))
    elif not sys.argv[1:]:
        path.write_text(text(), encoding="ascii", newline="\n")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
