//! Histograms: against NumPy's counts, and against comparisons of numbers one by one; what is refused, and that nothing else is written.

use crate::{
    BOTH, Case, VULKAN,
    device::Gpu,
    scans::{numbers, read, slice_of},
    support::{
        data::mix,
        histogram_vectors::{Made, histogram_vectors},
    },
};
use gridfold::{
    BinCount, Binned, Bins, Bool, DeviceClass, Error, Executor, GpuSlice, Histogram,
    HistogramError, HostSlices, Mean, Min, PrepareError, Sum, SumWide, Variant,
    half::{bf16, f16},
    shader::Sources,
    wgpu,
};

pub fn cases() -> Vec<Case> {
    let cases = vec![
        Case::tier1(VULKAN, "histograms, vectors", |gpu, _| {
            vectors::<f32>(gpu);
            vectors::<f64>(gpu);
            vectors::<f16>(gpu);
            vectors::<bf16>(gpu);
            vectors::<i32>(gpu);
            vectors::<u32>(gpu);
            vectors::<i64>(gpu);
            vectors::<u64>(gpu);
            vectors::<i8>(gpu);
            vectors::<u8>(gpu);
            vectors::<i16>(gpu);
            vectors::<u16>(gpu);
        }),
        Case::tier1(BOTH, "histograms, lengths around rows, rounds and blocks", |gpu, _| {
            let bins = even(50, -10.0, 10.0);
            for len in [0, 1, 3, 4, 5, 255, 1023, 1024, 1025, 4097, 8191, 8193, 16_385, 70_001] {
                check::<f32, u64>(gpu, &hostile(len), &bins, 0);
                check::<u8, u32>(gpu, &bytes(len), &even(50, 0.0, 99.0), 0);
            }
        }),
        Case::tier1(BOTH, "histograms, random lengths, places and bins", random),
        Case::tier1(BOTH, "histograms, numbers of bins around what memory has", |gpu, _| {
            let floats = hostile(30_001);
            for bins in [1, 2, 3, 5, 95, 96, 97, 256, 768, 769, 1023, 1024, 1025, 2016, 2017, 4095]
            {
                check::<f32, u64>(gpu, &floats, &even(bins, -20.0, 30.0), 4);
                check::<u16, u32>(gpu, &halves(30_001), &even(bins, 0.0, 65535.0), 0);
            }
            for bins in [4096, 4097, 5000, 20_000, 40_000] {
                check::<f32, u32>(gpu, &floats, &even(bins, -1.0, 1.0), 0);
                check::<f32, u64>(gpu, &vec![0.5; 20_000], &even(bins, 0.0, 1.0), 0);
                check::<u16, u64>(gpu, &halves(30_001), &even(bins, 0.0, 65535.0), 2);
            }
            // More words to clear than a workgroup takes.
            check::<f32, u64>(gpu, &floats, &even(100_000, -1.0, 1.0), 0);
        }),
        Case::tier1(VULKAN, "histograms, even bins, and what is beside their edges", |gpu, _| {
            let ranges = [(0.0, 1.0), (-3.3, 17.0), (99.0, 101.0), (-1e-30, 2e-30), (0.0, 1e-40)];
            for (low, high) in ranges {
                for count in [1, 3, 256, 1000, 4096, 30_000] {
                    let bins = even(count, low, high);
                    let near = |x: f32| [x, x.next_up(), x.next_down()];
                    let mut elements: Vec<f32> =
                        bins.edge_values().into_iter().flat_map(|x| near(as_f32(x))).collect();
                    elements.extend(hostile(3000));
                    check::<f32, u64>(gpu, &elements, &bins, 4);
                }
            }
            let halves: Vec<f16> = (0..=u16::MAX).map(f16::from_bits).collect();
            check::<f16, u64>(gpu, &halves, &even(300, -2.5, 2.5), 0);
        }),
        Case::tier1(BOTH, "histograms, constant data, and none that is in a bin", |gpu, _| {
            for value in [0.0f32, -0.0, 1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e-45] {
                for bins in [even(7, 0.0, 1.0), even(4096, -1.0, 1.0), even(5000, 0.0, 2.0)] {
                    check::<f32, u64>(gpu, &vec![value; 40_000], &bins, 0);
                }
            }
            check::<u8, u64>(gpu, &bytes(5000), &edges(&[256, 300, 400]), 0);
            check::<u32, u64>(gpu, &numbers(5000), &edges(&[-7, -5, -3]), 0);
            check::<i32, u32>(
                gpu,
                &[i32::MIN, i32::MAX, 0, -1],
                &edges(&[i64::MIN, 0, i64::MAX]),
                0,
            );
            check::<i32, u32>(gpu, &[i32::MIN, i32::MAX, 0, -1], &edges(&[1i64 << 31, 1 << 32]), 0);
        }),
        Case::tier1(
            BOTH,
            "histograms, values on edges, beside them, and special ones",
            |gpu, _| {
                let ends =
                    [-f64::MAX, -3e38, -1.5, -1e-45, -1e-300, 0.0, 1e-300, 1e-45, 0.1, 0.7, 1.5];
                let all: Vec<f64> = ends.into_iter().chain([f64::INFINITY]).collect();
                let bins = Bins::edges(&all).expect("ascending");
                let near = |x: f64| [x, x.next_up(), x.next_down(), -x];
                let doubles: Vec<f64> =
                    all.iter().flat_map(|&x| near(x)).chain([f64::NAN, -f64::NAN]).collect();
                check::<f64, u64>(gpu, &doubles, &bins, 0);
                let floats: Vec<f32> =
                    doubles.iter().flat_map(|&x| [as_f32(x), as_f32(x).next_up()]).collect();
                check::<f32, u64>(gpu, &floats, &bins, 0);
                let halves: Vec<f16> = (0..=u16::MAX).map(f16::from_bits).collect();
                check::<f16, u64>(gpu, &halves, &bins, 0);
                let halves: Vec<bf16> = (0..=u16::MAX).map(bf16::from_bits).collect();
                check::<bf16, u64>(gpu, &halves, &bins, 0);
                let flags: Vec<Bool> = bytes(999).into_iter().map(Bool::from_byte).collect();
                check::<Bool, u64>(gpu, &flags, &edges(&[0, 1, 2]), 0);
            },
        ),
        Case::tier1(BOTH, "histograms, slices, strides and windows over a buffer", |gpu, _| {
            several(gpu);
            let small = gpu.with_limits(|limits| {
                limits.max_storage_buffer_binding_size = (1 << 15) + 16;
                limits.max_compute_workgroups_per_dimension = 2;
            });
            let check = |gpu: &Gpu| {
                several(gpu);
                check::<f32, u64>(gpu, &hostile(60_001), &even(300, -3.0, 3.0), 8);
                check::<u64, u64>(gpu, &wide(20_001), &even(3000, 0.0, 1.9e19), 4);
                check::<u8, u32>(gpu, &bytes(100_003), &even(256, 0.0, 256.0), 1);
            };
            small.expect("a device with lower limits").check(check).expect("no errors");
        }),
        Case::tier1(BOTH, "histograms, recorded again and again", again),
        Case::tier1(BOTH, "histograms that are refused", refused),
        Case::tier1(BOTH, "histograms of arrays", arrays),
        Case::tier1(BOTH, "bins, numbers of elements, and reductions by bin", by_bin),
        Case::tier1(BOTH, "histograms, counts that carry", carries),
        Case::tier2("histograms, counts beyond 32 bits", beyond_a_word)
            .needs(|capabilities| capabilities.device_class != DeviceClass::Cpu),
    ];
    cases.into_iter().map(|case| case.only(Variant::WorkgroupMemory)).collect()
}

fn even(bins: u64, low: f64, high: f64) -> Bins {
    Bins::even(bins, low..=high).expect("a range")
}

fn edges<T: Binned>(edges: &[T]) -> Bins {
    Bins::edges(edges).expect("ascending")
}

#[expect(clippy::cast_possible_truncation, reason = "the nearest one")]
fn as_f32(number: f64) -> f32 {
    number as f32
}

/// Of sizes around 1, some of them quarters, infinite, NaN, subnormal or zeros of either sign; in runs.
fn hostile(len: usize) -> Vec<f32> {
    let of = |(i, bits): (u32, u32)| match i % 50 {
        0 => f32::from_bits(bits & 0x8000_0000),
        1 => f32::from_bits(bits | 0x7f80_0000),
        2 => f32::from_bits(bits & 0x807f_ffff),
        3..9 => f32::from_bits(0x3e80_0000 + (mix(i / 50) & 0x8180_0000)),
        _ => f32::from_bits((bits & 0x807f_ffff) | ((120 + (mix(bits) & 15)) << 23)),
    };
    (0..).zip(numbers(len)).map(of).collect()
}

fn bytes(len: usize) -> Vec<u8> {
    numbers(len).into_iter().map(|x| x.to_le_bytes()[1]).collect()
}

fn halves(len: usize) -> Vec<u16> {
    bytes(2 * len).as_chunks().0.iter().copied().map(u16::from_le_bytes).collect()
}

fn wide(len: usize) -> Vec<u64> {
    numbers(len).into_iter().map(|x| u64::from(x) << 32 | u64::from(mix(x))).collect()
}

/// What each bin has, as comparisons of f64s say, in one loop. Elements are numbers that an f64 tells, or so far from edges that rounding is no matter.
fn wanted<T: Binned + Number>(elements: &[T], bins: &Bins) -> Vec<u64> {
    let edges = bins.edge_values();
    let last = edges.len() - 2;
    let mut counts = vec![0; edges.len() - 1];
    for element in elements {
        let x = element.number();
        // The last edge that is not above it: the end of the last bin is in it.
        let after = edges.partition_point(|&edge| edge <= x);
        if after > 0 && x <= edges[last + 1] {
            counts[(after - 1).min(last)] += 1;
        }
    }
    counts
}

/// As an f64.
trait Number {
    fn number(&self) -> f64;
}

macro_rules! numbers {
    ($($element:ident: $number:expr;)*) => {$(
        impl Number for $element {
            fn number(&self) -> f64 {
                let number: fn($element) -> f64 = $number;
                number(*self)
            }
        }
    )*};
}

numbers! {
    f32: f64::from;
    f64: |x| x;
    f16: f16::to_f64;
    bf16: bf16::to_f64;
    i32: f64::from;
    u32: f64::from;
    u64: |x| x as f64;
    u8: f64::from;
    u16: f64::from;
    Bool: |x| if x.get() { 1.0 } else { 0.0 };
}

/// Room for counts, from the third word of a buffer on, which holds something else.
fn room<C: BinCount>(gpu: &Gpu, bins: &Bins) -> GpuSlice<C> {
    let len = usize::try_from(bins.len()).expect("small") * size_of::<C>();
    let filled = slice_of(gpu, &vec![0x77u8; len], 8, 4);
    GpuSlice::new(filled.buffer(), 8, bins.len()).expect("within")
}

fn counts<C: BinCount>(gpu: &Gpu, output: &GpuSlice<C>) -> Vec<u64> {
    let words = read(gpu, output);
    let wide = |bytes: &[u8]| bytes.iter().rev().fold(0, |wide, &byte| wide << 8 | u64::from(byte));
    words.iter().map(|count| wide(bytemuck::bytes_of(count))).collect()
}

#[track_caller]
fn check<T: Binned + Number, C: BinCount>(gpu: &Gpu, elements: &[T], bins: &Bins, before: usize) {
    let input = slice_of(gpu, elements, before, 0);
    let output = room::<C>(gpu, bins);
    let mut encoder = gpu.encoder();
    let histogram = Histogram::<T>::new(&gpu.context);
    histogram.record(&mut encoder, &input, bins, &output).expect("records");
    gpu.submit(encoder);
    let found = counts(gpu, &output);
    let wanted = wanted(elements, bins);
    let place = found.iter().zip(&wanted).position(|(found, wanted)| found != wanted);
    if let Some(bin) = place {
        let plan = histogram.plan(&input, bins, &output).expect("plans");
        panic!("bin {bin} has {}, not {}, of {plan}", found[bin], wanted[bin]);
    }
    assert_eq!(found.len(), wanted.len());
}

fn vectors<T: Made>(gpu: &Gpu) {
    for (number, vector) in histogram_vectors::<T>().into_iter().enumerate() {
        let elements = vector.elements::<T>();
        let input = slice_of(gpu, &elements, [0, 4, 8][number % 3], 0);
        let found = Histogram::<T>::new(&gpu.context).count_blocking(&input, &vector.bins);
        vector.check(&found.expect("counts"), T::NAME);
    }
}

fn random(gpu: &Gpu, _: Variant) {
    for seed in 0..60 {
        let choose = |number: u32, below: u32| mix(1000 * seed + number) % below;
        let len = choose(0, 40_000) as usize >> choose(1, 12);
        let before = 4 * choose(2, 8) as usize;
        let count = 1 + u64::from(choose(3, 3000) >> choose(4, 10));
        let middle = f64::from(choose(5, 2000)) / 100.0 - 10.0;
        let bins = even(count, middle, middle + f64::from(choose(6, 1000)) / 50.0);
        match choose(7, 4) {
            0 => check::<u8, u64>(gpu, &bytes(len), &even(count, middle, 255.5), before / 4),
            1 => {
                let doubles: Vec<f64> = hostile(len).iter().map(|&x| 1.1 * f64::from(x)).collect();
                check::<f64, u32>(gpu, &doubles, &bins, before);
            }
            2 => check::<f32, u32>(gpu, &hostile(len), &bins, before),
            _ => check::<f32, u64>(gpu, &hostile(len), &bins, before),
        }
    }
}

/// Elements in several slices, some empty, some with strides.
fn several(gpu: &Gpu) {
    let elements = hostile(20_011);
    let whole = slice_of(gpu, &elements, 4, 0);
    let cut = |range| whole.slice(range).expect("within");
    let slices = [cut(0..5), cut(5..5), cut(5..9000), cut(9000..9001), cut(9001..20_011)];
    for bins in [even(64, -2.0, 2.0), even(4096, -2.0, 2.0)] {
        let found = Histogram::<f32>::new(&gpu.context).count_blocking(&slices, &bins);
        assert_eq!(found.expect("counts"), wanted(&elements, &bins));
        let field = GpuSlice::<f32>::strided(whole.buffer(), 8, 12, 6000).expect("within");
        let found = Histogram::<f32>::new(&gpu.context).count_blocking(&field, &bins);
        let own: Vec<f32> = elements.iter().skip(1).step_by(3).take(6000).copied().collect();
        assert_eq!(found.expect("counts"), wanted(&own, &bins));
    }
    let halves = halves(9001);
    let whole = slice_of(gpu, &halves, 2, 0);
    let field = GpuSlice::<u16>::strided(whole.buffer(), 4, 6, 3000).expect("within");
    let bins = even(100, 0.0, 65535.0);
    let found = Histogram::<u16>::new(&gpu.context).count_blocking(&field, &bins);
    let own: Vec<u16> = halves.iter().skip(1).step_by(3).take(3000).copied().collect();
    assert_eq!(found.expect("counts"), wanted(&own, &bins));
}

fn again(gpu: &Gpu, _: Variant) {
    let elements = hostile(9000);
    let input = slice_of(gpu, &elements, 0, 0);
    let bins = even(10, -1.0, 1.0);
    let output = room::<u64>(gpu, &bins);
    let histogram = Histogram::<f32>::new(&gpu.context).label("a histogram");
    let prepared = histogram.prepare(&input, &bins, &output).expect("prepares");
    let text = prepared.plan().to_string();
    assert_eq!(text, "10 bins of 9000 elements of f32, counts of 64 bits, 2 dispatches");
    for in_a_pass in [false, true, false] {
        let mut encoder = gpu.encoder();
        match in_a_pass {
            true => prepared.record_in(
                &mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()),
            ),
            false => prepared.record(&mut encoder),
        }
        let readback = prepared.record_readback(&mut encoder).expect("records");
        gpu.submit(encoder);
        assert_eq!(readback.wait_blocking().expect("counts"), wanted(&elements, &bins));
        assert_eq!(counts(gpu, &output), wanted(&elements, &bins));
    }
}

fn refused(gpu: &Gpu, _: Variant) {
    fn error<R>(result: Result<R, PrepareError>) -> PrepareError {
        result.err().expect("it is refused")
    }
    let input = slice_of(gpu, &hostile(100), 0, 0);
    let bins = even(10, -1.0, 1.0);
    let output = room::<u64>(gpu, &bins);
    let histogram = Histogram::<f32>::new(&gpu.context);
    let short = output.slice(0..9).expect("within");
    let found = error(histogram.prepare(&input, &bins, &short));
    assert!(matches!(found, PrepareError::ShortOutput { len: 9, needed: 10 }), "{found}");
    let over = GpuSlice::<u32>::new(input.buffer(), 0, 10).expect("within");
    let found = error(histogram.prepare(&input, &bins, &over));
    assert!(matches!(found, PrepareError::Histogram(HistogramError::Aliasing)), "{found}");
    let strided = GpuSlice::<u32>::strided(output.buffer(), 0, 8, 10).expect("within");
    let found = error(histogram.prepare(&input, &bins, &strided));
    assert!(matches!(found, PrepareError::StridedOutput), "{found}");
    // A slice again and again, which is more than a word counts.
    let many = vec![slice_of(gpu, &vec![0u8; 1 << 22], 0, 0); 1 << 10];
    let narrow = room::<u32>(gpu, &bins);
    let found = error(Histogram::<u8>::new(&gpu.context).plan(&many, &bins, &narrow));
    let wanted = HistogramError::NarrowCounts { len: 1 << 32 };
    assert!(matches!(found, PrepareError::Histogram(error) if error == wanted));
    let wide = Histogram::<u8>::new(&gpu.context).plan(&many, &bins, &output);
    assert_eq!(wide.expect("plans").len, 1 << 32);
    let small = gpu.with_limits(|limits| {
        limits.max_storage_buffer_binding_size = (1 << 15) + 16;
    });
    let check = |gpu: &Gpu| {
        let found = Histogram::<u8>::new(&gpu.context)
            .count_blocking(slice_of(gpu, &[1u8, 2], 0, 0), &even(5000, 0.0, 1.0));
        let is_too_small =
            |error: &Error| matches!(error, Error::Prepare(PrepareError::BindingTooSmall { .. }));
        assert!(found.as_ref().is_err_and(is_too_small), "{found:?}");
    };
    small.expect("a device with lower limits").check(check).expect("no errors");
}

fn arrays(gpu: &Gpu, _: Variant) {
    let executor = Executor::from_context(gpu.context.clone());
    let executors = [
        executor.clone().host_slices(HostSlices::OnDevice),
        executor.host_slices(HostSlices::OnCpu),
        Executor::cpu(),
    ];
    let floats = hostile(70_001);
    for executor in executors {
        for bins in [even(100, -1.0, 1.0), even(5000, -1.0, 1.0), edges(&[0u8, 1, 2])] {
            let wanted = wanted(&floats, &bins);
            assert_eq!(executor.histogram(&floats, &bins).expect("counts"), wanted);
            let array = executor.upload(&floats).expect("uploads");
            assert_eq!(array.histogram(&bins).expect("counts"), wanted);
        }
        let bins = edges(&[i64::MIN, -1, 1 << 60]);
        let integers = [i64::MIN, -2, -1, 1 << 60, (1 << 60) + 1];
        assert_eq!(executor.histogram(&integers, &bins).expect("counts"), [2, 2]);
        assert_eq!(executor.histogram::<u8>(&[], &bins).expect("counts"), [0, 0]);
    }
}

/// Where counts begin at so many that words wrap around.
fn carries(gpu: &Gpu, _: Variant) {
    const WORD: u64 = 0xffff_ff00;
    let sources =
        Sources::default().replace("histogram/totals.wgsl@clear", "= 0u;", "= 0xffffff00u;");
    let begun = gpu.with_shaders(sources.expect("it is there")).expect("a context");
    for bins in [4, 5000] {
        let bins = even(bins, 0.0, 16.0);
        let elements: Vec<u8> = bytes(50_001).iter().map(|byte| byte % 16).collect();
        let input = slice_of(&begun, &elements, 0, 0);
        let found = Histogram::<u8>::new(&begun.context).count_blocking(&input, &bins);
        let own = wanted(&elements, &bins).into_iter();
        let wanted: Vec<u64> = own.map(|own| (WORD << 32 | WORD) + own).collect();
        assert!(wanted.iter().any(|&own| own & 0xffff_ffff < WORD), "none carries");
        assert_eq!(found.expect("counts"), wanted);
    }
}

/// 2^32 and some bytes of one buffer, read again and again.
fn beyond_a_word(gpu: &Gpu, _: Variant) {
    let elements: Vec<u8> = (0..1 << 24).map(|i: u32| if i % 16 == 3 { 9 } else { 2 }).collect();
    let slice = slice_of(gpu, &elements, 0, 0);
    for (bins, count) in [(16, 300), (5000, 280)] {
        let bins = even(bins, 0.0, 16.0);
        let wanted: Vec<u64> =
            wanted(&elements, &bins).into_iter().map(|own| count as u64 * own).collect();
        assert!(wanted.iter().any(|&own| own > u32::MAX.into()));
        let found =
            Histogram::<u8>::new(&gpu.context).count_blocking(vec![slice.clone(); count], &bins);
        assert_eq!(found.expect("counts"), wanted);
    }
}

/// The number of each element's bin, by comparisons of numbers; and values reduced bin by bin.
fn by_bin(gpu: &Gpu, _: Variant) {
    let executor = Executor::from_context(gpu.context.clone()).host_slices(HostSlices::OnDevice);
    let cpu = Executor::cpu();
    let (floats, words) = (hostile(30_001), numbers(30_001));
    let bins = [even(1, -1.0, 1.0), even(300, -5.0, 7.0), edges(&[-1.0, 0.0, 0.0, 0.5, 3e38])];
    for bins in &bins {
        numbered::<f32>(gpu, &floats, bins);
        let (found, wanted) = [&executor, &cpu].map(|by| by.bin_numbers(&floats, bins)).into();
        let (found, wanted) = (found.expect("numbers"), wanted.expect("numbers"));
        assert_eq!(found, wanted);
        // Each bin has as many numbers as elements.
        let counts = cpu.histogram(&floats, bins).expect("counts");
        for (bin, count) in (0u32..).zip(counts) {
            assert_eq!(wanted.iter().filter(|&&number| number == bin).count() as u64, count);
        }
        let sums = [&executor, &cpu].map(|by| {
            let sums = by.reduce_bins::<f32, _, f32>(&floats, &floats, bins, Sum).expect("sums");
            let wide = by.reduce_bins::<u32, _, f32>(&words, &floats, bins, SumWide).expect("sums");
            let least = by.reduce_bins::<u32, _, f32>(&words, &floats, bins, Min).expect("extrema");
            (sums.into_iter().map(f32::to_bits).collect::<Vec<_>>(), wide, least)
        });
        assert_eq!(sums[0], sums[1]);
    }
    numbered::<u8>(gpu, &bytes(9001), &even(50, 3.0, 99.0));
    numbered::<u8>(gpu, &bytes(900), &edges(&[256, 300, 400]));
    numbered::<u64>(gpu, &wide(9001), &even(3000, 0.0, 1.9e19));
    numbered::<u16>(gpu, &halves(9001), &even(5000, 0.0, 65535.0));
    numbered::<f32>(gpu, &[], &bins[0]);
    let small = gpu.with_limits(|limits| {
        limits.max_storage_buffer_binding_size = (1 << 17) + 16;
        limits.max_compute_workgroups_per_dimension = 2;
    });
    let check = |gpu: &Gpu| numbered::<f32>(gpu, &floats, &bins[1]);
    small.expect("a device with lower limits").check(check).expect("no errors");
    let array = executor.upload(&words).expect("uploads");
    let keys = executor.upload(&floats[1..]).expect("uploads");
    let found = array.reduce_bins(&keys, &bins[0], Sum).expect_err("too few keys");
    assert!(matches!(found, Error::Prepare(PrepareError::Segments(_))), "{found}");
    let keys = executor.upload(&floats).expect("uploads");
    // In several passes: the last one has all bins, some, or one.
    for bins in [8192, 10_000, 4097] {
        let bins = even(bins, -1.0, 1.5);
        let sums = array.reduce_bins(&keys, &bins, Sum).expect("sums");
        assert_eq!(
            sums,
            cpu.reduce_bins::<u32, _, f32>(&words, &floats, &bins, Sum).expect("sums")
        );
        let rounded = [&executor, &cpu].map(|by| {
            let sums = by.reduce_bins::<f32, _, f32>(&floats, &floats, &bins, Mean).expect("means");
            let least =
                by.reduce_bins::<u32, _, f32>(&words, &floats, &bins, Min).expect("extrema");
            (sums.into_iter().map(f32::to_bits).collect::<Vec<_>>(), least)
        });
        assert_eq!(rounded[0], rounded[1]);
        assert!(rounded[1].1[4096..].iter().any(Option::is_some), "later passes have elements");
    }
}

/// In two slices, the second of which has every other element.
fn numbered<T: Binned>(gpu: &Gpu, elements: &[T], bins: &Bins) {
    let before = if size_of::<T>().is_multiple_of(4) { 4 } else { size_of::<T>() };
    let slice = slice_of(gpu, elements, before, 0);
    let (len, cut) = (elements.len() as u64, elements.len() as u64 / 3);
    let stride = size_of::<T>() as u64;
    let second = GpuSlice::<T>::strided(
        slice.buffer(),
        slice.offset_bytes() + cut * stride,
        2 * stride,
        (len - cut).div_ceil(2),
    );
    let input = [slice.slice(0..cut).expect("within"), second.expect("within")];
    let taken = |&(number, _): &(u64, &T)| number < cut || (number - cut).is_multiple_of(2);
    let own: Vec<T> = (0..).zip(elements).filter(taken).map(|(_, element)| *element).collect();
    let all = slice_of(gpu, &vec![0xa5a5_a5a5u32; own.len() + 2], 0, 0);
    let output = GpuSlice::<u32>::new(all.buffer(), 4, own.len() as u64).expect("within");
    let mut encoder = gpu.encoder();
    let histogram = Histogram::<T>::new(&gpu.context);
    histogram.record_numbers(&mut encoder, &input[..], bins, &output).expect("records");
    gpu.submit(encoder);
    let mut wanted = vec![0xa5a5_a5a5];
    wanted.extend(Executor::cpu().bin_numbers(&own, bins).expect("numbers"));
    wanted.push(0xa5a5_a5a5);
    let found =
        read(gpu, &GpuSlice::<u32>::whole(all.buffer()).slice(0..all.len()).expect("within"));
    assert_eq!(found, wanted, "{} of {}", own.len(), T::TYPE);
}
