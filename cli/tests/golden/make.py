"""Writes the files beside it, and expected.txt: what NumPy makes of them.

    python3 cli/tests/golden/make.py

A line of expected.txt is a file (or FILE.npz:ARRAY), an operator, the name of the element type, and the bits of the result.
Floats are few and small, so that no sum of theirs is rounded, in any order.
"""

import pathlib

import numpy as np

HERE = pathlib.Path(__file__).parent
LINES = []


def bits(value):
    """The bit pattern of a NumPy scalar."""
    data = value.newbyteorder("<") if value.dtype.byteorder == ">" else value
    raw = np.asarray(data).astype(value.dtype.newbyteorder("<")).tobytes()
    return "0x" + raw[::-1].hex()


def magnitude(array):
    """The largest magnitude: of signed integers without a sign, so that the smallest has one."""
    if array.dtype.kind == "i":
        largest = max(abs(int(x)) for x in array.ravel())
        return np.array(largest, dtype=array.dtype.name.replace("int", "uint"))[()]
    return np.max(array) if array.dtype.kind in "bu" else np.max(np.abs(array))


def exact_mean(array):
    """The nearest float64: Python divides integers so."""
    return np.float64(sum(int(x) for x in array.ravel()) / array.size)


def results(array):
    native = array.astype(array.dtype.newbyteorder("="))
    kind = native.dtype.kind
    yield "min", np.min(native)
    yield "max", np.max(native)
    yield "max-abs", magnitude(native)
    yield "count", np.uint64(np.count_nonzero(native))
    if kind == "f":
        wide = np.float64 if native.dtype.itemsize == 8 else np.float32
        yield "sum", np.sum(native, dtype=wide)
        yield "mean", wide(np.sum(native, dtype=wide) / wide(native.size))
    else:
        with np.errstate(over="ignore"):
            yield "sum", np.sum(native)
            yield "product", np.prod(native)
        yield "mean", exact_mean(native)
        yield "bit-and", np.bitwise_and.reduce(native.ravel())
        yield "bit-or", np.bitwise_or.reduce(native.ravel())
        yield "bit-xor", np.bitwise_xor.reduce(native.ravel())


def expect(name, array):
    for operator, value in results(array):
        LINES.append(f"{name} {operator} {array.dtype.name} {bits(value)}")


def save(name, array, version=None):
    with open(HERE / name, "wb") as file:
        np.lib.format.write_array(file, array, version=version)
    expect(name, array)


def array_of(code, shape):
    rng = np.random.default_rng(16)
    dtype = np.dtype(code)
    if dtype.kind == "f":
        return (rng.integers(-40, 40, shape) / 4).astype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    info = np.iinfo(dtype)
    array = rng.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)
    array.flat[0], array.flat[1] = info.min, info.max
    return array


CODES = "f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1".split()

for code in CODES:
    for order in "<>":
        array = array_of(code, 37).astype(np.dtype(order + code))
        side = "little" if order == "<" else "big"
        if array.dtype.itemsize > 1:
            save(f"{code}-{side}.npy", array)
        elif order == "<":
            save(f"{code}.npy", array)

save("c-order.npy", array_of("i2", (3, 4, 5)))
save("fortran-order.npy", np.asfortranarray(array_of("f4", (3, 4, 5))))
save("scalar.npy", np.array(7.5, dtype=np.float32))
save("version-2.npy", array_of("u2", (2, 3)), (2, 0))
save("version-3.npy", array_of("u2", (2, 3)), (3, 0))

arrays = {"weights": array_of("f4", 20), "counts": array_of("i8", (2, 5)).astype(">i8"), "mask": array_of("b1", 33)}
for name, write in [("stored.npz", np.savez), ("deflated.npz", np.savez_compressed)]:
    write(HERE / name, **arrays)
    for member, array in arrays.items():
        expect(f"{name}:{member}", array)
np.savez(HERE / "single.npz", only=array_of("u1", 9))
expect("single.npz", array_of("u1", 9))

# bfloat16s: the upper halves of float32s, as uint16s.
floats = array_of("f4", 37)
np.save(HERE / "bf16.npy", (floats.view(np.uint32) >> 16).astype(np.uint16))
for operator, value in [("min", floats.min()), ("max", floats.max())]:
    LINES.append(f"bf16.npy {operator} bfloat16 {bits(value)[:6]}")
LINES.append(f"bf16.npy sum bfloat16 {bits(np.sum(floats))}")

(HERE / "expected.txt").write_text("\n".join(LINES) + "\n")
