"""Time of JAX's reductions, as lines of JSON: `python3 with_jax.py [LOG2_LENGTHS]`.

Each is compiled by XLA before. JAX shows no timestamps of the GPU: times are by the clock on the wall, of 20 calls in a row
until the last is done, so those of short inputs are the host's.
"""

import os
import time

import lines

# As much memory as is needed, not most of the GPU's.
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
# Arrays of a length: beyond caches, within reason.
DATA_ITEMS = 1 << 28
MOST_INPUTS = lines.BATCH * lines.BATCH_SAMPLES


class Bench:
    def __init__(self, jax):
        self.jax = jax

        def uniform(first, items):
            numbers = first + jax.lax.iota(jax.numpy.uint32, items)
            return (lines.mixed(numbers, jax.numpy.uint32) >> 8).astype(jax.numpy.float32) / 16777216.0

        self.uniform = jax.jit(uniform, static_argnums=1)
        self.ops = {
            op: jax.jit(reduce)
            for op, reduce in dict(sum=jax.numpy.sum, max=jax.numpy.max, dot=jax.numpy.dot).items()
        }
        self.busy_input = self.elements(0, DATA_ITEMS)

    def elements(self, first, items):
        return self.uniform(self.jax.numpy.uint32(first), items)

    def inputs(self, of_two, length):
        count = max(1, min(MOST_INPUTS, DATA_ITEMS // length))
        inputs = []
        for number in range(count):
            one = [self.elements(number * length, length)]
            if of_two:
                one.append(self.elements((1 << lines.LONGEST) + number * length, length))
            inputs.append(one)
        return self.jax.block_until_ready(inputs)

    def keep_busy(self):
        begin = time.perf_counter()
        while time.perf_counter() - begin < lines.BUSY_SECONDS:
            for _ in range(20):
                result = self.ops["sum"](self.busy_input)
            result.block_until_ready()

    def row(self, op, log2_len):
        reduce = self.ops[op]
        inputs = self.inputs(op == "dot", 1 << log2_len)
        value = float(reduce(*inputs[0]))
        self.keep_busy()
        for number in range(lines.WARM_UPS):
            reduce(*inputs[-1 - number % len(inputs)]).block_until_ready()
        times = []
        number = 0
        for _ in range(lines.BATCH_SAMPLES):
            begin = time.perf_counter()
            for _ in range(lines.BATCH):
                result = reduce(*inputs[number % len(inputs)])
                number += 1
            result.block_until_ready()
            times.append((time.perf_counter() - begin) * 1e6)
        lines.line(
            program="jax", op=op, type="f32", mode="wall", log2_len=log2_len,
            us_batch=lines.median(times) / lines.BATCH, value=value,
        )

    def host_row(self, log2_len):
        inputs = self.inputs(False, 1 << log2_len)
        reduce = self.ops["sum"]
        self.keep_busy()
        us = lines.host_time(lambda number: float(reduce(*inputs[number % len(inputs)])))
        lines.line(program="jax", op="sum", type="f32", mode="wall", log2_len=log2_len, us_host=us)


def main():
    logs = lines.lengths()
    try:
        import jax
        import jax.numpy
    except ImportError as missing:
        lines.line(program="jax", skipped=f"{missing}: `pip install 'jax[cuda13]'`")
        return
    try:
        device = jax.devices("gpu")[0]
    except RuntimeError as problem:
        lines.line(program="jax", skipped=f"it finds no GPU: {problem}")
        return
    lines.line(program="jax", version=f"JAX {jax.__version__}", device=device.device_kind)
    bench = Bench(jax)
    for log2_len in logs:
        for op in bench.ops:
            if op != "dot" or 1 << log2_len <= lines.OTHER_ITEMS:
                bench.row(op, log2_len)
    for log2_len in logs:
        if log2_len in lines.HOST_LOG2_LENGTHS:
            bench.host_row(log2_len)


if __name__ == "__main__":
    main()
