"""What the programs in Python share: lengths, medians, lines of JSON, elements. README.md beside this file explains them."""

import json
import sys
import time

LOG2_LENGTHS = (10, 12, 14, 16, 18, 20, 22, 24, 25, 26, 28, 29, 30)
HOST_LOG2_LENGTHS = (10, 20, 24)
# Of rows that only tell operators and element types apart.
FEW_LOG2_LENGTHS = (20, 24, 28)
LONGEST = 30
OTHER_ITEMS = 1 << 28
WARM_UPS = 3
SAMPLES = 21
BATCH = 20
BATCH_SAMPLES = 5
HOST_WARM_UPS = 20
HOST_SAMPLES = 200
BUSY_SECONDS = 0.2


def lengths():
    """The logarithms that the first argument lists, or all."""
    if len(sys.argv) < 2:
        return LOG2_LENGTHS
    logs = tuple(int(text) for text in sys.argv[1].split(","))
    if not all(0 <= log2_len <= LONGEST for log2_len in logs):
        sys.exit(f"{sys.argv[1]}: lengths are powers of two up to 2^{LONGEST}, as `10,20`")
    return logs


def line(**fields):
    """Prints an object. Times are rounded to nanoseconds."""
    for name, value in fields.items():
        if name.startswith("us"):
            fields[name] = round(value, 3)
    print(json.dumps(fields, allow_nan=False), flush=True)


def median(values):
    return sorted(values)[len(values) // 2]


def mixed(numbers, word=int):
    """32 bits without a pattern of each number: benches/common/mod.rs has the same function. Of an array of 64 bits, or of 32
    without sign, whose constants `word` makes."""
    mask = word(0xFFFFFFFF)
    bits = (numbers * word(0x9E3779B1)) & mask
    bits = ((bits ^ (bits >> 16)) * word(0x85EBCA6B)) & mask
    bits = ((bits ^ (bits >> 13)) * word(0xC2B2AE35)) & mask
    return bits ^ (bits >> 16)


def host_time(call):
    """The median of microseconds by the clock on the wall. `call` takes a number, and waits for its result."""
    times = []
    for number in range(HOST_WARM_UPS + HOST_SAMPLES):
        begin = time.perf_counter()
        call(number)
        times.append((time.perf_counter() - begin) * 1e6)
    return median(times[HOST_WARM_UPS:])
