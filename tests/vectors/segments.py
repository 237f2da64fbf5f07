#!/usr/bin/env python3
"""Writes segments.txt: results of segments and along axes, for the tests to compare with, by NumPy's `reduceat` and `reduce`. Needs Python
3.9 and NumPy. Run it only when lines are to be added.

    python3 tests/vectors/segments.py            writes segments.txt beside this file
    python3 tests/vectors/segments.py --check    compares segments.txt with what would be written

A line of segments.txt is one of these:

  offsets operator type seed count most least digest
  axes operator type seed sides axes digest
  groups operator type seed length groups digest
  exact operator seed count most least digest

Of the first there are `count` segments. Number i has least + mix(2^31 + seed + i) mod most elements, from the end of the one before on, and
number 0 begins at element 5. Of the second the sides of an array and the axes are separated by commas. An element with an index is made of h =
mix(index + seed), as pairwise.py has it:

  u32   h
  i32   h, with its sign
  f32   h mod 2001 - 1000, so that sums of a few thousand are exact

Of the third element i of `length` is of group mix(2^31 + seed + i) mod (groups + 1), where the last number is of no group. The fourth is as the
first, with results that are the true ones of f32s, rounded once. There an element's bits are h, or h xor 2^30 if that is not finite.

The digest is d, which begins as 0, and becomes (d * 31 + word) mod 2^64 with the word of each result. Sums of integers are those mod 2^32.
"""

import sys
from pathlib import Path

import numpy as np

from exact import CANONICAL_NAN, INFINITY, nearest, sum_of, value
from pairwise import MASK, mix

OPERATORS = {"sum": np.add, "min": np.minimum, "max": np.maximum}
TYPES = {"u32": np.uint32, "i32": np.int32, "f32": np.float32}

OFFSETS = [
    ("sum", "f32", 1000, 9, 0),
    ("sum", "f32", 40, 700, 0),
    ("sum", "u32", 3000, 3, 0),
    ("sum", "i32", 300, 70, 0),
    ("min", "f32", 500, 40, 1),
    ("max", "i32", 200, 300, 1),
    ("min", "u32", 2000, 5, 1),
]
AXES = [
    ("sum", "f32", (300, 11), (0,)),
    ("sum", "f32", (11, 300), (1,)),
    ("sum", "u32", (7, 20, 30), (1,)),
    ("sum", "f32", (7, 20, 30), (0, 2)),
    ("min", "i32", (9, 8, 7, 6), (1, 2)),
    ("sum", "f32", (9, 8, 7, 6), (0, 3)),
    ("max", "f32", (4, 5, 6, 7), (0, 2)),
    ("sum", "u32", (2, 3, 5, 7, 11), (0, 2, 4)),
    ("sum", "f32", (11, 7, 5, 3, 2), (1, 3)),
    ("max", "u32", (3, 4, 5, 6, 7), (1, 2, 4)),
    ("min", "f32", (3, 4, 5, 6, 7), (0, 1, 2, 3, 4)),
    ("sum", "i32", (1, 40, 1, 50, 1), (2, 3)),
]

GROUPS = [
    ("sum", "u32", 9000, 16),
    ("sum", "i32", 5000, 700),
    ("min", "i32", 6000, 50),
    ("max", "u32", 6000, 90),
    ("max", "f32", 6000, 70),
    ("sum", "f32", 6000, 60),
]
EXACT = [
    ("sum", 300, 20, 0),
    ("sum", 3, 1500, 300),
    ("mean", 100, 40, 1),
]


def elements(of, seed, length):
    words = np.array([mix(index + seed & MASK) for index in range(length)], dtype=np.uint32)
    if of == "f32":
        return ((words % 2001).astype(np.int32) - 1000).astype(np.float32)
    return words.view(TYPES[of])


def digest(results):
    found = 0
    for word in np.ascontiguousarray(results).ravel().view(np.uint32):
        found = (found * 31 + int(word)) % 2**64
    return f"{found:#018x}"


def between(operator, of, seed, count, most, least):
    lengths = [least + mix(2**31 + seed + i & MASK) % most for i in range(count)]
    ends = 5 + np.cumsum(lengths)
    begins = ends - lengths
    made = elements(of, seed, int(ends[-1]) + 3)
    # NumPy takes an empty segment for one of an element, and the last one for all that follows.
    filled = [i for i in range(count) if lengths[i] > 0]
    results = np.zeros(count, dtype=TYPES[of])
    bounds = np.stack([begins[filled], ends[filled]], axis=1).ravel()
    results[filled] = OPERATORS[operator].reduceat(made, bounds, dtype=TYPES[of])[::2]
    return digest(results)


def along(operator, of, seed, sides, axes):
    made = elements(of, seed, int(np.prod(sides))).reshape(sides)
    return digest(OPERATORS[operator].reduce(made, axis=axes, dtype=TYPES[of]))



def grouped(operator, of, seed, length, groups):
    made = elements(of, seed, length)
    numbers = np.array([mix(2**31 + seed + i & MASK) % (groups + 1) for i in range(length)])
    results = [OPERATORS[operator].reduce(made[numbers == group], dtype=TYPES[of]) for group in range(groups)]
    return digest(np.array(results, dtype=TYPES[of]))


def exactly(operator, seed, count, most, least):
    results, end = [], 5
    for i in range(count):
        begin, end = end, end + least + mix(2**31 + seed + i & MASK) % most
        words = [mix(index + seed & MASK) for index in range(begin, end)]
        bits = [word ^ 2**30 if word & INFINITY == INFINITY else word for word in words]
        total = sum_of(value(of) for of in bits)
        if operator == "sum":
            results.append(nearest(total) if total else 0)
        elif bits:
            results.append(nearest(total / len(bits)) if total else 0)
        else:
            results.append(CANONICAL_NAN)
    return digest(np.array(results, dtype=np.uint32))


def text():
    lines = ["# Written by segments.py, which says what a line is."]
    for seed, (operator, of, count, most, least) in enumerate(OFFSETS):
        found = between(operator, of, seed, count, most, least)
        lines.append(f"offsets {operator} {of} {seed} {count} {most} {least} {found}")
    for seed, (operator, of, sides, axes) in enumerate(AXES):
        found = along(operator, of, seed, sides, axes)
        numbers = " ".join(",".join(map(str, all)) for all in (sides, axes))
        lines.append(f"axes {operator} {of} {seed} {numbers} {found}")
    for seed, (operator, of, length, groups) in enumerate(GROUPS):
        found = grouped(operator, of, seed, length, groups)
        lines.append(f"groups {operator} {of} {seed} {length} {groups} {found}")
    for seed, (operator, count, most, least) in enumerate(EXACT):
        found = exactly(operator, seed, count, most, least)
        lines.append(f"exact {operator} {seed} {count} {most} {least} {found}")
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
