"""Device time of PyTorch's reductions, as lines of JSON: `python3 with_torch.py [LOG2_LENGTHS]`."""

import time

import lines

# About 0.1 ms: what the host enqueues within it does not find the GPU idle.
OCCUPIED_CYCLES = 200_000
CHUNK = 1 << 24


def uniform(torch, first, items):
    """The elements from number `first` on."""
    elements = torch.empty(items, dtype=torch.float32, device="cuda")
    for begin in range(0, items, CHUNK):
        end = min(begin + CHUNK, items)
        numbers = torch.arange(first + begin, first + end, dtype=torch.int64, device="cuda")
        elements[begin:end] = (lines.mixed(numbers) >> 8).to(torch.float32) / 16777216.0
    return elements


class Bench:
    def __init__(self, torch):
        self.torch = torch
        self.data = uniform(torch, 0, 1 << lines.LONGEST)
        self.other = uniform(torch, 1 << lines.LONGEST, lines.OTHER_ITEMS)

    def views(self, of_two, length, number, data=None):
        """Inputs of a length follow one another through the data, and start again."""
        data = self.data if data is None else data
        arrays = (data, self.other) if of_two else (data,)
        views = []
        for array in arrays:
            begin = number % (len(array) // length) * length
            views.append(array[begin : begin + length])
        return views

    def keep_busy(self):
        """So that clocks go up, and caches hold nothing of what comes next."""
        begin = time.perf_counter()
        while time.perf_counter() - begin < lines.BUSY_SECONDS:
            for _ in range(20):
                self.torch.sum(self.data)
            self.torch.cuda.synchronize()

    def between_events(self, work):
        begin, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        work()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) * 1e3

    def row(self, op, log2_len, reduce, of_two=False, compares=True, dtype=None, name="f32"):
        """`dtype` is what the bits of the data are taken for."""
        length = 1 << log2_len
        count = lines.WARM_UPS + 2 * lines.SAMPLES + lines.BATCH * lines.BATCH_SAMPLES
        data = None if dtype is None else self.data.view(dtype)
        inputs = iter([self.views(of_two, length, number, data) for number in range(count)])
        value = reduce(*self.views(of_two, length, 0, data))
        values = {"value": value.item()} if compares else {}
        self.keep_busy()
        for _ in range(lines.WARM_UPS):
            reduce(*next(inputs))
        self.torch.cuda.synchronize()
        single = [self.between_events(lambda: reduce(*next(inputs))) for _ in range(lines.SAMPLES)]
        queued = []
        for _ in range(lines.SAMPLES):
            self.torch.cuda._sleep(OCCUPIED_CYCLES)
            queued.append(self.between_events(lambda: reduce(*next(inputs))))

        def all_of_a_batch():
            for _ in range(lines.BATCH):
                reduce(*next(inputs))

        batch = [self.between_events(all_of_a_batch) for _ in range(lines.BATCH_SAMPLES)]
        lines.line(
            program="torch", op=op, type=name, mode="", log2_len=log2_len,
            us=lines.median(single), us_queued=lines.median(queued),
            us_batch=lines.median(batch) / lines.BATCH, **values,
        )

    def host_row(self, log2_len):
        length = 1 << log2_len
        inputs = [
            self.views(False, length, number)[0]
            for number in range(lines.HOST_WARM_UPS + lines.HOST_SAMPLES)
        ]
        self.keep_busy()
        us = lines.host_time(lambda number: self.torch.sum(inputs[number]).item())
        lines.line(program="torch", op="sum", type="f32", mode="", log2_len=log2_len, us_host=us)

    def copy_row(self):
        target = self.torch.empty_like(self.other)
        self.keep_busy()
        times = []
        for number in range(lines.WARM_UPS + lines.SAMPLES):
            source = self.views(False, lines.OTHER_ITEMS, number)[0]
            times.append(self.between_events(lambda: target.copy_(source)))
        us = lines.median(times[lines.WARM_UPS :])
        lines.line(program="torch", copy_gb_per_s=round(lines.OTHER_ITEMS * 8 / us / 1e3, 1))


def main():
    logs = lines.lengths()
    try:
        import torch
    except ImportError as missing:
        lines.line(program="torch", skipped=f"{missing}: `pip install torch`")
        return
    if not torch.cuda.is_available():
        lines.line(program="torch", skipped="it finds no CUDA device")
        return
    lines.line(
        program="torch",
        version=f"PyTorch {torch.__version__}",
        device=torch.cuda.get_device_name(),
    )
    with torch.inference_mode():
        bench = Bench(torch)
        bench.copy_row()
        ops = {
            "sum": torch.sum,
            "max": torch.max,
            "mean": torch.mean,
            "variance": lambda view: torch.var(view, correction=0),
            "norm": torch.linalg.vector_norm,
        }

        def sum_of_squares(view):
            return torch.dot(view, view)

        for log2_len in logs:
            for op, reduce in ops.items():
                bench.row(op, log2_len, reduce)
            # gridfold's results are of several words.
            bench.row("arg_max", log2_len, torch.argmax, compares=False)
            bench.row("min_max", log2_len, torch.aminmax, compares=False)
            if 1 << log2_len <= lines.OTHER_ITEMS:
                bench.row("dot", log2_len, torch.dot, of_two=True)
                bench.row("sum of squares", log2_len, sum_of_squares, compares=False)
        few = {
            "min": torch.min,
            "count": torch.count_nonzero,
            "any": torch.any,
        }
        # The same bits of the data; the halves' data gridfold makes are others.
        others = [
            ("sum", torch.sum, torch.float64, "f64"),
            ("max", torch.max, torch.uint8, "u8"),
            ("sum", torch.sum, torch.uint8, "u8"),
            ("max", torch.max, torch.int16, "i16"),
            ("sum", lambda view: torch.sum(view, dtype=torch.float32), torch.bfloat16, "bf16"),
            ("sum", lambda view: torch.sum(view, dtype=torch.float32), torch.float16, "f16"),
            ("count", torch.count_nonzero, torch.bool, "bool"),
        ]
        for log2_len in logs:
            if log2_len in lines.FEW_LOG2_LENGTHS:
                for op, reduce in few.items():
                    bench.row(op, log2_len, reduce, compares=False)
                for op, reduce, dtype, name in others:
                    bench.row(op, log2_len, reduce, compares=False, dtype=dtype, name=name)
        for log2_len in logs:
            if log2_len in lines.HOST_LOG2_LENGTHS:
                bench.host_row(log2_len)


if __name__ == "__main__":
    main()
