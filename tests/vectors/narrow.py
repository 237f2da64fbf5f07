#!/usr/bin/env python3
"""Writes narrow.txt: reductions of elements of less than a word, of all integers, and of floats of every size sums of magnitudes, largest
magnitudes, and what is counted, for the tests to compare with.

NumPy holds the elements, widens them, and reduces integers. Floats, once they are widened to binary32, are reduced by the scripts beside
this one, which know only the definitions: pairwise.py and the others of that name, and exact.py and exact_f64.py for exact results. Needs Python 3.9,
NumPy, and a minute or two. Run it only when lines are to be added.

    python3 tests/vectors/narrow.py            writes narrow.txt beside this file
    python3 tests/vectors/narrow.py --check    compares narrow.txt with what would be written

A line of narrow.txt is `operator type level data seed len bits`: the level is `exact`, or `reproducible` where that is another result;
the bits are those that a device writes: of a 32-bit or a 64-bit number, to which an element is widened; or `none`. Of moments they are
what a line of pairwise_moments.txt tells, joined by commas.

The element with an index is made of h = mix(index + seed), as pairwise.py has it; of 64 bits mix(h) is the higher half.

  any        the lowest bits of h, as many as the type has
  odd        the same, and the lowest one
  few        0, but where h % 1500 is 1: there the bit number (h >> 8), modulo the bits of the type
  most       all bits, but for these
  sparse     0, but where h % 7 is 0: there as `any`
  holes      0 where h % 1500 is 1, and else as `odd`
  zeros      the sign bit of `any`, and nothing else
  finite     of floats: exponents from -7 to 7 of f16, from -20 to 11 of bf16, f32 and f64, with the sign and fraction of `any`
  some_nan   of floats: as `finite`, but NaN where h % 700 is 1
  subnormal  of floats: exponent field 0, with the sign and fraction of `any`
"""

import sys
from pathlib import Path

import numpy as np

import exact
import exact_f64
import pairwise
import pairwise_f64
import pairwise_moments
import pairwise_statistics
from pairwise import MASK, mix

TYPES = {
    "i8": np.int8,
    "u8": np.uint8,
    "i16": np.int16,
    "u16": np.uint16,
    "i32": np.int32,
    "u32": np.uint32,
    "i64": np.int64,
    "u64": np.uint64,
    "f16": np.uint16,
    "bf16": np.uint16,
    "bool": np.uint8,
    "f32": np.uint32,
    "f64": np.uint64,
}
# Of each: the place of the exponent, the field of 2^-20 (of f16 2^-7), and how many exponents `finite` has.
FIELDS = {"f16": (10, 8, 15), "bf16": (7, 107, 32), "f32": (23, 107, 32), "f64": (52, 1003, 32)}
LENGTHS = [0, 1, 2, 3, 5, 17, 255, 257, 4096, 4097, 12289, 70003]
SHORT = [0, 1, 3, 18, 1025, 4097]
FLOATS = ("f16", "bf16", "f32", "f64")


def element(kind, element_type, seed, index):
    h = mix(index + seed & MASK)
    width = 8 * np.dtype(TYPES[element_type]).itemsize
    all_bits = (1 << width) - 1
    any_bits = (h | mix(h) << 32) & all_bits
    one_bit = 1 << (h >> 8) % width if h % 1500 == 1 else 0
    sign = 1 << width - 1
    if kind == "any":
        return any_bits
    if kind == "odd":
        return any_bits | 1
    if kind == "few":
        return one_bit
    if kind == "most":
        return all_bits ^ one_bit
    if kind == "sparse":
        return any_bits if h % 7 == 0 else 0
    if kind == "holes":
        return 0 if h % 1500 == 1 else any_bits | 1
    if kind == "zeros":
        return any_bits & sign
    place, lowest, exponents = FIELDS[element_type]
    fraction = any_bits & (sign | (1 << place) - 1)
    if kind == "subnormal":
        return fraction
    if kind == "some_nan" and h % 700 == 1:
        return fraction | sign - (1 << place) | 1
    if kind in ("finite", "some_nan"):
        return fraction | lowest + (h >> 16) % exponents << place
    raise ValueError(kind)


def widened(element_type, bits):
    """Numbers of 32 bits or more; of floats their bits."""
    dtype = np.dtype(TYPES[element_type])
    unsigned = np.array(bits, dtype=f"u{dtype.itemsize}")
    if element_type == "f16":
        return unsigned.view(np.float16).astype(np.float32).view(np.uint32)
    if element_type == "bf16":
        return unsigned.astype(np.uint32) << 16
    if element_type in ("f32", "f64"):
        return unsigned
    if element_type == "bool":
        return unsigned.view(np.bool_).astype(np.uint32)
    elements = unsigned.view(dtype)
    return elements.astype(max(np.dtype(f"{dtype.kind}4"), dtype, key=lambda d: d.itemsize))


def in_hex(number, width):
    return f"{int(number) & (1 << width) - 1:#0{2 + width // 4}x}"


def integer_result(operator, values):
    """Of numbers of 32 bits, or 64."""
    own = 8 * values.dtype.itemsize
    wide = np.dtype(f"{values.dtype.kind}8")
    with np.errstate(over="ignore"):
        if operator == "sum":
            return in_hex(np.sum(values, dtype=values.dtype), own)
        if operator == "product":
            return in_hex(np.prod(values, dtype=values.dtype), own)
        if operator == "sum-wide":
            return in_hex(np.sum(values, dtype=wide), 64)
        if operator == "product-wide":
            return in_hex(np.prod(values, dtype=wide), 64)
    if operator == "count":
        return in_hex(np.count_nonzero(values), 64)
    if operator in ("any", "all"):
        return in_hex(getattr(np, operator)(values), 32)
    if operator in ("bit-and", "bit-or", "bit-xor"):
        reduce = getattr(np, operator.replace("bit-", "bitwise_")).reduce
        return in_hex(reduce(values), own)
    if operator == "max-abs":
        return in_hex(max((abs(int(value)) for value in values), default=0), own)
    if len(values) == 0:
        return "none"
    return in_hex(values.min() if operator == "min" else values.max(), own)


def float_results(operator, level, bits, lengths, width):
    """Of bits of binary32, or of binary64."""
    sign = 1 << width - 1
    if operator in ("any", "all", "count-nan"):
        values = np.array(bits, dtype=f"u{width // 8}").view(f"f{width // 8}")
        if operator == "count-nan":
            return [in_hex(np.count_nonzero(np.isnan(values[:length])), 64) for length in lengths]
        return [in_hex(getattr(np, operator)(values[:length]), 32) for length in lengths]
    script = pairwise if width == 32 else pairwise_f64
    binary = pairwise.F32 if width == 32 else pairwise_f64.F64
    if operator == "nan-sum":
        numbers = [0 if b & ~sign > binary.infinity else b for b in bits]
        return [in_hex(sum, width) for sum in script.results("sum", numbers, lengths)]
    if operator == "nan-mean":
        numbers = [0 if b & ~sign > binary.infinity else b for b in bits]
        counts = [sum(b & ~sign <= binary.infinity for b in bits[:length]) for length in lengths]
        sums = [binary.number(total) for total in script.results("sum", numbers, lengths)]
        return [in_hex(binary.bits_of(binary.mean(s, n)), width) for s, n in zip(sums, counts)]
    if operator in ("nan-variance", "nan-sample-variance"):
        name = operator.removeprefix("nan-")
        found = []
        for length in lengths:
            numbers = [b for b in bits[:length] if b & ~sign <= binary.infinity]
            if width == 64:
                found.append(exact_f64.result(name, [binary.number(b) for b in numbers]))
            else:
                found.append(exact.variance(numbers, len(numbers) - (name == "sample-variance")))
        return [in_hex(result, width) for result in found]
    if operator == "l1-norm":
        return [in_hex(sum, width) for sum in script.results("sum", [b & ~sign for b in bits], lengths)]
    if level == "exact" and operator not in ("min", "max", "max-abs", "count"):
        names = "sum mean . dot . . sum-of-squares norm . variance sample-variance".split()
        place = names.index(operator)
        return [in_hex(exact.results(bits[:length])[place], 32) for length in lengths]
    if operator == "count":
        return [in_hex(sum(b & ~sign != 0 for b in bits[:n]), 64) for n in lengths]
    if operator == "max-abs":
        return [in_hex(magnitude(bits[:length], binary), width) for length in lengths]
    if operator in ("variance", "sample-variance"):
        results = binary.variances(bits, lengths, int(operator == "sample-variance"))
        return [in_hex(result, width) for result in results]
    if operator == "moments":
        return [line.replace(" ", ",") for line in pairwise_moments.results(bits, lengths, binary)]
    if operator in ("min", "max"):
        found = []
        for length in lengths:
            result = pairwise.F32.extremum(bits[:length], operator == "max")
            found.append("none" if result is None else in_hex(result, 32))
        return found
    if operator in ("sum", "product"):
        return [in_hex(result, 32) for result in pairwise.results(operator, bits, lengths)]
    # A dot product's last element has the first one beside it.
    return [in_hex(result, 32) for result in pairwise_statistics.results(operator, bits, lengths)]


def magnitude(bits, binary):
    largest = max((b & binary.magnitude for b in bits), default=0)
    return binary.nan if largest > binary.infinity else largest


def integers(t):
    for operator, kind in (
        ("sum", "any"),
        ("product", "odd"),
        ("min", "any"),
        ("max", "any"),
        ("min", "most"),
        ("max", "few"),
        ("max-abs", "any"),
        ("max-abs", "few"),
        ("count", "sparse"),
        ("bit-and", "most"),
        ("bit-or", "few"),
        ("bit-xor", "any"),
    ):
        yield operator, t, "exact", kind, LENGTHS


def cells():
    """operator, type, level, kind, lengths"""
    narrow = ["i8", "u8", "i16", "u16"]
    for t in narrow:
        yield from integers(t)
    for t in narrow + ["i32", "u32", "i64", "u64"]:
        yield "sum-wide", t, "exact", "any", LENGTHS
        yield "sum-wide", t, "exact", "most", [4097]
        yield "product-wide", t, "exact", "odd", LENGTHS
    for operator in ("min", "max", "count"):
        yield operator, "bool", "exact", "sparse", LENGTHS
        yield operator, "bool", "exact", "most", LENGTHS
        yield operator, "bool", "exact", "few", [3, 4097]
    for t in ("f16", "bf16"):
        for operator in ("min", "max", "max-abs"):
            yield operator, t, "exact", "any", SHORT
            yield operator, t, "exact", "finite", LENGTHS
            yield operator, t, "exact", "subnormal", SHORT
        yield "count", t, "exact", "sparse", LENGTHS
        for operator in ("sum", "product"):
            yield operator, t, "reproducible", "finite", LENGTHS
            yield operator, t, "reproducible", "any", SHORT
            yield operator, t, "reproducible", "subnormal", SHORT
        for operator in ("mean", "sum-of-squares", "norm", "dot"):
            yield operator, t, "reproducible", "finite", LENGTHS
            yield operator, t, "reproducible", "subnormal", SHORT
        for operator in ("sum", "mean", "sum-of-squares", "norm", "dot", "variance", "sample-variance"):
            yield operator, t, "exact", "finite", SHORT
            yield operator, t, "exact", "subnormal", SHORT
    for t in TYPES:
        yield "any", t, "exact", "few", LENGTHS
        yield "any", t, "exact", "zeros" if t in FLOATS else "sparse", SHORT
        yield "all", t, "exact", "holes", LENGTHS
        yield "all", t, "exact", "sparse", SHORT
    for t in FLOATS:
        yield "count-nan", t, "exact", "any", LENGTHS
        yield "count-nan", t, "exact", "finite", SHORT
        yield "l1-norm", t, "reproducible", "finite", LENGTHS
        yield "l1-norm", t, "reproducible", "any", SHORT
        yield "l1-norm", t, "reproducible", "subnormal", SHORT
    for t in FLOATS:
        yield "nan-sum", t, "reproducible", "any", LENGTHS
        yield "nan-sum", t, "reproducible", "finite", SHORT
        yield "nan-sum", t, "reproducible", "some_nan", LENGTHS
    for t in FLOATS:
        yield "nan-mean", t, "reproducible", "any", LENGTHS
        yield "nan-mean", t, "reproducible", "finite", SHORT
        yield "nan-mean", t, "reproducible", "some_nan", LENGTHS
        yield "nan-mean", t, "reproducible", "subnormal", SHORT
        yield "nan-mean", t, "reproducible", "zeros", SHORT
    # A line's seed is its cell's place in this list: what is new comes last.
    for t in ("i32", "u32", "i64", "u64"):
        yield from integers(t)
    for t in ("f32", "f64"):
        yield "max-abs", t, "exact", "any", SHORT
        yield "max-abs", t, "exact", "finite", LENGTHS
        yield "max-abs", t, "exact", "some_nan", SHORT
        yield "max-abs", t, "exact", "subnormal", SHORT
        yield "count", t, "exact", "sparse", LENGTHS
        yield "count", t, "exact", "zeros", SHORT
    for t in ("f16", "bf16"):
        for operator in ("variance", "sample-variance"):
            yield operator, t, "reproducible", "finite", LENGTHS
            yield operator, t, "reproducible", "any", SHORT
            yield operator, t, "reproducible", "subnormal", SHORT
        yield "moments", t, "reproducible", "finite", SHORT + [12289]
        yield "moments", t, "reproducible", "some_nan", SHORT
        yield "moments", t, "reproducible", "subnormal", SHORT
    for t in FLOATS:
        for operator in ("nan-variance", "nan-sample-variance"):
            yield operator, t, "exact", "some_nan", SHORT + [12289]
            yield operator, t, "exact", "any", SHORT
            yield operator, t, "exact", "finite", SHORT
            yield operator, t, "exact", "subnormal", SHORT


def text():
    lines = ["# Written by narrow.py, which says what a line is."]
    for seed, (operator, t, level, kind, lengths) in enumerate(cells()):
        # A dot product looks one element further.
        bits = [element(kind, t, seed, index) for index in range(max(lengths) + 1)]
        values = widened(t, bits)
        if t in FLOATS:
            found = float_results(operator, level, [int(b) for b in values], lengths, 8 * values.dtype.itemsize)
        else:
            found = [integer_result(operator, values[:length]) for length in lengths]
        for length, result in zip(lengths, found):
            lines.append(f"{operator} {t} {level} {kind} {seed} {length} {result}")
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
