#!/usr/bin/env python3
"""Writes extrema.txt: extrema, and where they are, of elements of every type, for the tests to compare with.

NumPy holds the elements and finds the extrema among integers that are in their order. Where no zeros or NaNs of different bits tie, the
result is NumPy's own `argmin` and `argmax`, which is checked. Needs Python 3.9, NumPy, and some seconds. Run it only when lines are to
be added.

    python3 tests/vectors/extrema.py            writes extrema.txt beside this file
    python3 tests/vectors/extrema.py --check    compares extrema.txt with what would be written

A line of extrema.txt is `type data seed len smallest largest first first last last`: the bits of the smallest and of the largest element,
as a device writes them (of a 32-bit or a 64-bit number, to which an element is widened); then where the first smallest and the
first largest are, and the last ones. -0 is less than +0. If there is a NaN, NaNs are the smallest and the largest. Of floats there follow
the same without NaNs (of which the first and the last are found if there is nothing else); and in IEEE-754's total order.

The element with an index is made of h = mix(index + seed), as pairwise.py has it; of 64 bits mix(h) is the higher half.

  any      the lowest bits of h, as many as the type has
  ties     of integers h % 3 - 1, modulo as many bits as the type has; of floats -1, -0, +0 or 1, as h % 4 says
  finite   of floats: as `any`, but 1 for what is infinite or NaN
  lowest   the smallest integer, or -infinity
  highest  the largest integer, or infinity
  one_nan  of floats: as `finite`, but a NaN at indices 700 and 4000
  nans     of floats: NaNs with the lowest bits of `any`, and 1 where h % 5000 is 1
"""

import sys
from pathlib import Path

import numpy as np

from pairwise import MASK, mix

TYPES = {
    "f32": (32, 8),
    "f64": (64, 11),
    "f16": (16, 5),
    "bf16": (16, 8),
    "i8": (8, 0),
    "u8": (8, 0),
    "i16": (16, 0),
    "u16": (16, 0),
    "i32": (32, 0),
    "u32": (32, 0),
    "i64": (64, 0),
    "u64": (64, 0),
    "bool": (8, 0),
}
LENGTHS = [1, 2, 3, 5, 17, 257, 4096, 4097, 12289, 70003]
SHORT = [1, 3, 18, 1025, 5000]


def element(kind, t, seed, index):
    width, exponent_bits = TYPES[t]
    h = mix(index + seed & MASK)
    all_bits = (1 << width) - 1
    any_bits = (h | mix(h) << 32) & all_bits
    sign = 1 << width - 1
    infinity = (1 << exponent_bits) - 1 << width - 1 - exponent_bits
    one = (1 << exponent_bits - 1) - 1 << width - 1 - exponent_bits if exponent_bits else 0
    is_float = exponent_bits != 0
    finite = one if any_bits & infinity == infinity else any_bits
    if kind == "any":
        return any_bits
    if kind == "ties" and is_float:
        return [one | sign, sign, 0, one][h % 4]
    if kind == "ties":
        return h % 3 - 1 & all_bits
    if kind == "finite":
        return finite
    if kind == "lowest":
        return infinity | sign if is_float else sign if t[0] == "i" else 0
    if kind == "highest":
        return infinity if is_float else all_bits ^ sign if t[0] == "i" else all_bits
    if kind == "nans":
        return one if h % 5000 == 1 else infinity | any_bits | 1
    if kind == "one_nan":
        return infinity | sign | 5 if index in (700, 4000) else finite
    raise ValueError(kind)


def widened(t, bits):
    """NumPy's numbers, and the bits of what they are widened to."""
    width = TYPES[t][0]
    unsigned = np.array(bits, dtype=f"u{width // 8}")
    if t == "f16":
        values = unsigned.view(np.float16).astype(np.float32)
        return values, values.view(np.uint32)
    if t == "bf16":
        wide = unsigned.astype(np.uint32) << 16
        return wide.view(np.float32), wide
    if t[0] == "f":
        return unsigned.view(f"f{width // 8}"), unsigned
    if t == "bool":
        values = (unsigned != 0).astype(np.uint32)
        return values, values
    values = unsigned.view(f"{t[0]}{width // 8}")
    wide = values.astype(f"{t[0]}{max(4, width // 8)}")
    return values, wide.view(f"u{wide.dtype.itemsize}")


def results(t, bits):
    values, wide = widened(t, bits)
    width = 8 * wide.dtype.itemsize
    sign = wide.dtype.type(1 << width - 1)
    if values.dtype.kind == "f":
        keys = np.where(wide & sign != 0, ~wide, wide | sign)
    elif values.dtype.kind == "i":
        keys = wide ^ sign
    else:
        keys = wide
    canonical = 0x7FC00000 if width == 32 else 0x7FF8000000000000
    nan = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), bool)
    if nan.any():
        is_least = is_largest = nan
        found = [canonical, canonical]
    else:
        is_least, is_largest = keys == keys.min(), keys == keys.max()
        found = [int(wide[keys.argmin()]), int(wide[keys.argmax()])]
    first = [int(np.flatnonzero(a)[0]) for a in (is_least, is_largest)]
    last = [int(np.flatnonzero(a)[-1]) for a in (is_least, is_largest)]
    for mine, theirs in zip(first, (values.argmin(), values.argmax())):
        # NumPy takes zeros of either sign for the same.
        if values[mine] != 0:
            assert mine == theirs, (t, mine, theirs)
    digits = width // 4
    text = lambda found: [f"{b:#0{2 + digits}x}" for b in found]
    fields = text(found) + [str(n) for n in first + last]
    if values.dtype.kind == "f":
        # Keys of NaNs that are ignored are worse than those of all numbers.
        numbers = np.flatnonzero(~nan)
        if len(numbers) == 0:
            end = str(len(values) - 1)
            fields += text([canonical, canonical]) + ["0", "0", end, end]
        else:
            of_numbers = keys[numbers]
            fields += ends(text, wide, numbers, of_numbers)
        fields += ends(text, wide, np.arange(len(keys)), keys)
    return fields


def ends(text, wide, numbers, keys):
    """Of some elements, which these are, and their keys: both extrema, and where they are first and last."""
    first = [int(numbers[keys.argmin()]), int(numbers[keys.argmax()])]
    last = [int(numbers[::-1][keys[::-1].argmin()]), int(numbers[::-1][keys[::-1].argmax()])]
    return text([int(wide[place]) for place in first]) + [str(n) for n in first + last]


def cells():
    """type, kind, lengths"""
    for t, (_, exponent_bits) in TYPES.items():
        yield t, "any", LENGTHS
        yield t, "ties", LENGTHS
        yield t, "lowest", SHORT
        yield t, "highest", SHORT
        if exponent_bits:
            yield t, "finite", LENGTHS
            yield t, "one_nan", SHORT
            yield t, "nans", SHORT


def text():
    lines = ["# Written by extrema.py, which says what a line is."]
    for seed, (t, kind, lengths) in enumerate(cells()):
        bits = [element(kind, t, seed, index) for index in range(max(lengths))]
        for length in lengths:
            lines.append(" ".join([t, kind, str(seed), str(length), *results(t, bits[:length])]))
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
