#!/usr/bin/env python3
"""Writes expressions.txt: reductions of what expressions make of elements of every type, for the tests to compare with.

NumPy makes of the elements what the expression beside says, with its own integers and floats, which wrap and are rounded as IEEE-754 says.
Floats are compared as bits: of every NaN those of the canonical one. Sums of floats are in the order that pairwise.py defines, each addition
rounded. Needs Python 3.9 and NumPy.

    python3 tests/vectors/expressions.py            writes expressions.txt beside this file
    python3 tests/vectors/expressions.py --check    compares expressions.txt with what would be written

A line of expressions.txt is `type operator seed len bits | expression`. The element with an index is made of h = mix(index + seed), as pairwise.py
has it: of the lowest bits of h, as many as the type has; of 64 bits mix(h) is the higher half. A bool is whether the lowest bit is set.
The bits are those of the result as a device writes it: of 32 or 64 bits.
"""

import sys
from pathlib import Path

import numpy as np

from pairwise import MASK, mix

DTYPES = {
    "i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16, "f16": np.float16, "bool": np.bool_,
    "i32": np.int32, "u32": np.uint32, "f32": np.float32, "i64": np.int64, "u64": np.uint64, "f64": np.float64,
}
WIDE = {
    "i8": np.int32, "i16": np.int32, "u8": np.uint32, "u16": np.uint32, "bool": np.uint32, "f16": np.float32,
}


def elements(kind, seed, length):
    low = [mix((i + seed) & MASK) for i in range(length)]
    if kind == "bool":
        return np.array([h & 1 for h in low], dtype=np.bool_)
    dtype = np.dtype(DTYPES[kind])
    if dtype.itemsize == 8:
        bits = np.array([(mix(h) << 32) | h for h in low], dtype=np.uint64)
    else:
        bits = np.array([h & ((1 << (8 * dtype.itemsize)) - 1) for h in low], dtype=f"u{dtype.itemsize}")
    return bits.view(dtype)


def widened(kind, x):
    return x.astype(WIDE.get(kind, DTYPES[kind]))


def bits_of(x):
    """Of floats: every NaN as the canonical one."""
    unsigned = x.view(f"u{x.dtype.itemsize}").copy()
    if x.dtype.kind == "f":
        unsigned[np.isnan(x)] = 0x7FC00000 if x.dtype.itemsize == 4 else 0x7FF8000000000000
    return unsigned


def div(a, b):
    """Of integers, toward zero; by 0 the dividend."""
    a, b = int(a), int(b)
    return a if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def each(of, x, *others):
    bits = 8 * x.dtype.itemsize
    whole = [of(*values) & ((1 << bits) - 1) for values in zip(x, *others)]
    return np.array(whole, dtype=f"u{x.dtype.itemsize}").view(x.dtype)


def rem(a, b):
    return int(a) - div(a, b) * int(b) if int(b) else 0


def double(x):
    return x.view(np.float64)


def real(x):
    return x.view(np.float32)


def saturated(x, dtype):
    """Of floats, toward zero; NaN becomes 0."""
    info = np.iinfo(dtype)
    whole = [0 if np.isnan(v) else (info.max if v > info.max else info.min if v < info.min else min(max(int(v), info.min), info.max)) for v in x]
    return np.array(whole, dtype=dtype)


U64, I64, F64, F32 = np.uint64, np.int64, np.float64, np.float32

# Type, expression, and the same in NumPy, of widened elements and their indices.
ROWS = [
    ("i8", "sum", "x * x - 200", lambda x, i: x * x - 200),
    ("i8", "sum", "x * 0x1000001", lambda x, i: x * np.int32(0x1000001)),
    ("u8", "sum", "x * 300u + i", lambda x, i: x * np.uint32(300) + i),
    ("u8", "max", "x * x", lambda x, i: x * x),
    ("u8", "bit-xor", "(x << 23u) / 7", lambda x, i: (x << np.uint32(23)) // np.uint32(7)),
    ("bool", "sum", "x + 2u * (i & 1u)", lambda x, i: x + np.uint32(2) * (i & np.uint32(1))),
    ("i16", "min", "x * -3", lambda x, i: x * np.int32(-3)),
    ("i16", "sum", "abs(x) * 65537", lambda x, i: np.abs(x) * np.int32(65537)),
    ("u16", "sum", "x * x", lambda x, i: x * x),
    ("f16", "max", "select(x * 0.1, 0.0, x != x)", lambda x, i: np.where(np.isnan(x), F32(0), x * F32(0.1))),
    ("f16", "min", "select(x * x - 7.0, 0.0, x != x)", lambda x, i: np.where(np.isnan(x), F32(0), x * x - F32(7))),
    ("f16", "count", "x * 1e-39f", lambda x, i: x * F32(1e-39)),
    ("f32", "count", "x * 1e-30f", lambda x, i: x * F32(1e-30)),
    ("u64", "sum", "x * x + u64(i)", lambda x, i: x * x + i.astype(U64)),
    ("u64", "bit-xor", "x / (x >> 40u)", lambda x, i: each(div, x, x >> U64(40))),
    ("u64", "bit-xor", "x % 1000003 * 0x123456789lu", lambda x, i: x % U64(1000003) * U64(0x123456789)),
    ("u64", "bit-xor", "~x << 5u | reverseBits(x)", lambda x, i: (~x << U64(5)) | np.array([int(f"{int(v):064b}"[::-1], 2) for v in x], dtype=U64)),
    ("u64", "sum", "countOneBits(x) + countLeadingZeros(x >> 9u)",
     lambda x, i: np.array([int(v).bit_count() + 64 - (int(v) >> 9).bit_length() for v in x], dtype=U64)),
    ("i64", "sum", "x / 7 - x % -1000", lambda x, i: each(lambda v: div(v, 7) - rem(v, -1000), x)),
    ("i64", "min", "abs(x) / -3 >> 2u", lambda x, i: each(lambda v: div(abs(int(v)), -3) >> 2, x)),
    ("i64", "max", "select(x, -x, x < 0)", lambda x, i: np.where(x < 0, -x, x)),
    ("u64", "bit-xor", "bitcast<u64>(bitcast<f64>(x) * 0.1 + 1e-308)", lambda x, i: bits_of(double(x) * 0.1 + 1e-308)),
    ("u64", "bit-xor", "bitcast<u64>(bitcast<f64>(x) / 3.0)", lambda x, i: bits_of(double(x) / 3.0)),
    ("u64", "bit-xor", "bitcast<u64>(bitcast<f64>(x) / bitcast<f64>(x ^ (x >> 3u)))", lambda x, i: bits_of(double(x) / double(x ^ (x >> U64(3))))),
    ("u64", "bit-xor", "bitcast<u64>(bitcast<f64>(x >> 2u) - bitcast<f64>(x * 3 >> 2u))",
     lambda x, i: bits_of(double(x >> U64(2)) - double((x * U64(3)) >> U64(2)))),
    ("u64", "bit-xor", "bitcast<u64>(f64(x) * f64(bitcast<i64>(x)))", lambda x, i: bits_of(x.astype(F64) * x.view(I64).astype(F64))),
    ("u64", "bit-xor", "u64(bitcast<f64>(x))", lambda x, i: saturated(double(x), U64)),
    ("i64", "bit-xor", "i64(f64(x) * 1.5)", lambda x, i: saturated(x.astype(F64) * 1.5, I64)),
    ("u32", "bit-xor", "bitcast<u32>(f32(f64(bitcast<f32>(x)) * 0.1))", lambda x, i: bits_of((real(x).astype(F64) * 0.1).astype(F32))),
    ("u64", "bit-xor", "u64(bitcast<u32>(f32(x)))", lambda x, i: bits_of(x.astype(F32)).astype(U64)),
    ("u64", "bit-xor", "u64(bitcast<u32>(f32(bitcast<i64>(x) >> 20u)))", lambda x, i: bits_of((x.view(I64) >> I64(20)).astype(F32)).astype(U64)),
    ("f64", "max", "select(x * 0.1, 0.0, x != x)", lambda x, i: np.where(np.isnan(x), 0.0, x * 0.1)),
    ("f64", "count", "x * 1e-300", lambda x, i: x * 1e-300),
    ("u32", "bit-xor", "u32(i64(bitcast<i32>(x)) * 3 / 7)", lambda x, i: each(lambda v: div(int(np.int32(np.uint32(v).view(np.int32))) * 3, 7), x)),
    ("f16", "norm", "select(0.25, x * 0.1, abs(x) < 6e4)", lambda x, i: np.where(np.abs(x) < F32(6e4), x * F32(0.1), F32(0.25))),
    ("f16", "nan-sum", "select(x * 0.1, 2.0, abs(x) > 6e4)", lambda x, i: np.where(np.abs(x) > F32(6e4), F32(2), x * F32(0.1))),
    ("f32", "sum-of-squares", "select(0.25, x * 0.1, abs(x) < 1e9)", lambda x, i: np.where(np.abs(x) < F32(1e9), x * F32(0.1), F32(0.25))),
    ("f32", "norm", "select(0.25, x * 0.1, abs(x) < 1e9)", lambda x, i: np.where(np.abs(x) < F32(1e9), x * F32(0.1), F32(0.25))),
    ("f32", "norm", "select(1e-39f, x, abs(x) < 1e-22f)", lambda x, i: np.where(np.abs(x) < F32(1e-22), x, F32(1e-39))),
    ("f32", "l1-norm", "select(0.25, x * 0.1, abs(x) < 1e9)", lambda x, i: np.where(np.abs(x) < F32(1e9), x * F32(0.1), F32(0.25))),
    ("f32", "nan-sum", "select(x * 0.1, 2.0, abs(x) > 1e9)", lambda x, i: np.where(np.abs(x) > F32(1e9), F32(2), x * F32(0.1))),
    ("f32", "nan-mean", "select(x * 0.1, 2.0, abs(x) > 1e9)", lambda x, i: np.where(np.abs(x) > F32(1e9), F32(2), x * F32(0.1))),
    ("f64", "sum-of-squares", "select(0.25, x * 0.1, abs(x) < 1e99)", lambda x, i: np.where(np.abs(x) < 1e99, x * 0.1, 0.25)),
    ("f64", "norm", "select(0.25, x * 0.1, abs(x) < 1e99)", lambda x, i: np.where(np.abs(x) < 1e99, x * 0.1, 0.25)),
    ("f64", "l1-norm", "select(0.25, x * 0.1, abs(x) < 1e99)", lambda x, i: np.where(np.abs(x) < 1e99, x * 0.1, 0.25)),
    ("f64", "nan-sum", "select(x * 0.1, 2.0, abs(x) > 1e99)", lambda x, i: np.where(np.abs(x) > 1e99, 2.0, x * 0.1)),
    ("f64", "nan-mean", "select(x * 0.1, 2.0, abs(x) > 1e99)", lambda x, i: np.where(np.abs(x) > 1e99, 2.0, x * 0.1)),
]


def pairwise_sum(x):
    """In the order that pairwise.py defines, each addition rounded to the type."""
    total, begin = x.dtype.type(0), 0
    for level in reversed(range(len(x).bit_length())):
        if len(x) >> level & 1:
            run = x[begin : begin + (1 << level)]
            begin += 1 << level
            while len(run) > 1:
                run = run[0::2] + run[1::2]
            total = total + run[0]
    return total


def of_floats(operator, x):
    numbers = ~np.isnan(x)
    if operator in ("nan-sum", "nan-mean"):
        x = np.where(numbers, x, x.dtype.type(0))
    if operator in ("sum-of-squares", "norm"):
        x = x * x
    if operator == "l1-norm":
        x = np.abs(x)
    total = pairwise_sum(x)
    if operator == "norm":
        total = np.sqrt(total)
    if operator == "nan-mean":
        total = total / x.dtype.type(np.count_nonzero(numbers))
    # One zero.
    return total + x.dtype.type(0)


def reduced(operator, x):
    if operator == "count":
        return np.count_nonzero(x), 8
    if operator == "max":
        x = x.max()
    elif operator == "min":
        x = x.min()
    elif operator in ("sum-of-squares", "norm", "l1-norm", "nan-sum", "nan-mean"):
        x = bits_of(np.array([of_floats(operator, x)]))[0]
    elif operator == "sum":
        x = np.add.reduce(x, dtype=x.dtype)
    else:
        x = np.bitwise_xor.reduce(x)
    return int(np.array([x]).view(f"u{x.dtype.itemsize}")[0]), x.dtype.itemsize


def lines():
    yield "# Written by expressions.py, which says what a line is."
    for number, (kind, operator, text, of) in enumerate(ROWS):
        for length in (1, 1000):
            seed = 1000 * number
            x = widened(kind, elements(kind, seed, length))
            i = np.arange(length, dtype=np.uint32)
            with np.errstate(all="ignore"):
                made = of(x, i)
            if operator != "count" and not (kind.startswith("f") and made.dtype == np.bool_):
                assert made.dtype == x.dtype, (text, made.dtype, x.dtype)
            bits, size = reduced(operator, made)
            yield f"{kind} {operator} {seed} {length} 0x{bits:0{2 * size}x} | {text}"


def main():
    path = Path(__file__).with_name("expressions.txt")
    text = "\n".join(lines()) + "\n"
    if "--check" in sys.argv[1:]:
        if path.read_text() != text:
            sys.exit(f"{path} is not what this script writes")
        return
    path.write_text(text)


if __name__ == "__main__":
    main()
