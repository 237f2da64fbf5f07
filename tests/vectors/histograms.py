#!/usr/bin/env python3
"""Writes histograms.txt: counts of elements by bins, for the tests to compare with, by NumPy's `histogram` of elements as float64s, or as
the integers that they are. Needs Python 3.9 and NumPy. Run it only when lines are to be added.

    python3 tests/vectors/histograms.py            writes histograms.txt beside this file
    python3 tests/vectors/histograms.py --check    compares histograms.txt with what would be written

A line of histograms.txt is `type kind seed len bins total digest`. Bins are `even:count:low:high`, or `edges:` and the edges, all numbers but the
count as the bits of float64s. The total is that of all counts. The digest is d, which begins as 0, and becomes (d * 31 + count) mod 2^64 with each
count. The word with an index is made of h = mix(index + seed), as pairwise.py has it:

  bits    h
  unit    of f32: (h >> 8) / 2^24, of f64: h / 2^32
  steps   (h % 41 - 20) / 8, so that elements are on edges; -0 where h % 41 is 20 and h is odd
  few     h % 7
  one     3

A word is an element: of f32 its bits, of integers their lowest ones, of f16 and bf16 likewise. Elements of two words are made as kinds say, or of
integers as the word is, with its sign.
"""

import struct
import sys
from pathlib import Path

import numpy as np

from pairwise import MASK, mix

TYPES = {
    "f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": None, "i32": np.int32, "u32": np.uint32, "i64": np.int64,
    "u64": np.uint64, "i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16,
}
FLOATS = ["f32", "f64", "f16", "bf16"]


def elements(of, kind, seed, length):
    words = np.array([mix(index + seed & MASK) for index in range(length)], dtype=np.uint32)
    if kind == "few":
        return (words % 7).astype(np.float64 if of in FLOATS else TYPES[of])
    if kind == "one":
        return np.full(length, 3, dtype=np.float64 if of in FLOATS else TYPES[of])
    if kind == "unit":
        return words / 2.0**32 if of == "f64" else (words >> 8) / 2.0**24
    if kind == "steps":
        steps = ((words % 41).astype(np.float64) - 20) / 8
        return np.where((words % 41 == 20) & (words % 2 == 1), -0.0, steps)
    if of == "bf16":
        return ((words & 0xFFFF) << 16).astype(np.uint32).view(np.float32).astype(np.float64)
    if of in ("i64", "u64"):
        return words.view(np.int32).astype(np.int64) if of == "i64" else words.astype(np.uint64)
    size = np.dtype(TYPES[of]).itemsize
    narrow = words.astype({1: np.uint8, 2: np.uint16, 4: np.uint32}[size]).view(TYPES[of])
    return narrow.astype(np.float64) if of in FLOATS else narrow


def bits(number):
    return struct.pack(">d", number).hex()


def even(count, low, high):
    return f"even:{count}:{bits(low)}:{bits(high)}", {"bins": count, "range": (low, high)}


def edges(*numbers):
    return "edges:" + ",".join(bits(number) for number in numbers), {"bins": np.array(numbers, dtype=np.float64)}


INFINITY = float("inf")
CASES = [
    ("f32", "unit", 20011, even(1, 0.0, 1.0)),
    ("f32", "unit", 20011, even(10, 0.0, 1.0)),
    ("f32", "unit", 20011, even(256, 0.25, 0.75)),
    ("f32", "unit", 50021, even(1023, 0.1, 0.7)),
    ("f32", "unit", 50021, even(1024, 0.0, 1.0)),
    ("f32", "unit", 50021, even(1025, 0.0, 1.0)),
    ("f32", "unit", 70001, even(4096, 0.0, 1.0)),
    ("f32", "unit", 70001, even(5000, -0.1, 0.9)),
    ("f32", "steps", 20011, even(40, -2.5, 2.5)),
    ("f32", "steps", 20011, even(7, -1.0, 2.0)),
    ("f32", "steps", 20011, edges(-2.0, -1.0, 0.0, 0.0, 1.0, 2.5)),
    ("f32", "steps", 20011, edges(0.0, 0.0)),
    ("f32", "steps", 20011, edges(-0.0, 1e-300, 2.0)),
    ("f32", "few", 20011, even(6, 0.0, 6.0)),
    ("f32", "one", 20011, even(3, 3.0, 3.0)),
    ("f32", "bits", 50021, edges(-INFINITY, -1.0, -1e-38, 0.0, 1e-45, 1.0, 3.5e38, INFINITY)),
    ("f32", "bits", 50021, edges(-3e38, -1e-40, 1e-40, 3e38)),
    ("f64", "unit", 20011, even(100, 0.0, 1.0)),
    ("f64", "unit", 50021, even(4096, 0.2, 0.9)),
    ("f64", "steps", 20011, even(1500, -2.5, 2.5)),
    ("f64", "few", 20011, edges(0.0, 1.0, 5.0, 6.0)),
    ("f16", "bits", 50021, edges(-INFINITY, -65504.0, -0.1, 0.0, 6e-8, 0.1, 1000.5, 65505.0, INFINITY)),
    ("f16", "bits", 50021, even(64, -2.0, 2.0)),
    ("bf16", "bits", 50021, edges(-INFINITY, -1e30, -0.1, 0.0, 1e-39, 0.1, 1e30, INFINITY)),
    ("bf16", "bits", 50021, even(2000, -1.0, 1.0)),
    ("i32", "bits", 50021, even(256, -(2.0**31), 2.0**31 - 1)),
    ("i32", "bits", 50021, even(33, -1e9, 1.5e9)),
    ("i32", "few", 20011, edges(-1.5, 0.5, 2.0, 6.5)),
    ("u32", "bits", 50021, even(1000, 0.0, 2.0**32 - 1)),
    ("u32", "bits", 50021, even(17, 1e9, 8e9)),
    ("u32", "bits", 70001, even(3000, -4e9, 1e10)),
    ("i64", "bits", 20011, even(99, -(2.0**31), 2.0**31)),
    ("u64", "bits", 20011, even(2048, 0.0, 2.0**32)),
    ("i8", "bits", 20011, even(256, -128.0, 127.0)),
    ("i8", "bits", 20011, edges(-200.0, -100.5, 0.0, 127.0, 300.0)),
    ("u8", "bits", 50021, even(256, 0.0, 255.0)),
    ("u8", "bits", 50021, even(10, 0.0, 255.0)),
    ("u8", "bits", 20011, even(1100, 0.0, 255.0)),
    ("u8", "one", 20011, even(256, 0.0, 256.0)),
    ("i16", "bits", 20011, even(77, -32768.0, 32767.0)),
    ("u16", "bits", 50021, even(4096, 0.0, 65536.0)),
    ("u16", "bits", 20011, edges(5.5, 5.75, 7.0, 65535.0)),
    ("u8", "bits", 20011, edges(-7.0, -3.0)),
    ("u8", "bits", 20011, edges(300.0, 400.0, 500.0)),
    ("f32", "unit", 0, even(5, 0.0, 1.0)),
    ("f32", "unit", 1, even(5, 0.0, 1.0)),
]


def text():
    lines = ["# Written by histograms.py, which says what a line is."]
    for seed, (of, kind, length, (bins, arguments)) in enumerate(CASES):
        made = elements(of, kind, seed, length)
        # NumPy rounds edges to small floats, and so compares those.
        made = made.astype(np.float64) if of in FLOATS else made
        with np.errstate(invalid="ignore"):
            counts, _ = np.histogram(made, **arguments)
        digest = 0
        for count in counts:
            digest = (digest * 31 + int(count)) % 2**64
        lines.append(f"{of} {kind} {seed} {length} {bins} {int(counts.sum())} {digest:#018x}")
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
