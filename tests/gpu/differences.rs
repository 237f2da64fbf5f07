//! Differences of neighbours: against a loop in Rust, in place and apart, around the lengths of rows, rounds and blocks, over several slices
//! and windows; what is refused.

use crate::{
    BOTH, Case,
    device::Gpu,
    map::random::{Random, words},
    scans::{read, slice_of, unwritten},
};
use gridfold::{
    DifferenceElement, Differencer, Element, Error, Executor, GpuSlice, HostSlices, Policy,
    PrepareError, Scanner, Sum, Variant, wgpu,
};

pub fn cases() -> Vec<Case> {
    let cases = vec![
        Case::tier1(BOTH, "differences, lengths around rows, rounds and blocks", |gpu, _| {
            for len in [0, 1, 2, 3, 255, 1023, 1024, 1025, 4095, 4096, 4097, 8192, 16_385] {
                every_way::<f32>(gpu, len);
                every_way::<u32>(gpu, len);
            }
            for len in [5, 4096, 9001] {
                every_way::<i32>(gpu, len);
                every_way::<i64>(gpu, len);
                every_way::<u64>(gpu, len);
                every_way::<f64>(gpu, len);
            }
        }),
        Case::tier1(BOTH, "differences, windows over a buffer", |gpu, _| {
            let small = gpu.with_limits(|limits| {
                limits.max_storage_buffer_binding_size = (1 << 15) + 16;
                limits.max_compute_workgroups_per_dimension = 2;
            });
            let check = |gpu: &Gpu| {
                every_way::<f32>(gpu, 50_001);
                every_way::<u64>(gpu, 30_000);
            };
            small.expect("a device with lower limits").check(check).expect("no errors");
        }),
        Case::tier1(BOTH, "differences, more blocks than a workgroup has lanes", |gpu, _| {
            every_way::<u32>(gpu, 1_200_001);
        }),
        Case::tier1(BOTH, "differences, in software", |gpu, _| {
            let gpu = crate::floats::in_software(gpu);
            every_way::<f32>(&gpu, 9001);
            every_way::<f64>(&gpu, 9001);
        }),
        Case::tier1(BOTH, "differences, floats that are as the device likes", |gpu, _| {
            let gpu = crate::floats::taking_liberties(gpu, Default::default());
            every_way::<f32>(&gpu, 9001);
        }),
        Case::tier1(BOTH, "differences, recorded again and again", recorded_again),
        Case::tier1(BOTH, "differences that are refused", refused),
        Case::tier1(BOTH, "differences of arrays", arrays),
    ];
    cases.into_iter().map(|case| case.only(Variant::WorkgroupMemory)).collect()
}

/// What Rust makes of two neighbours, with one NaN.
trait Number: DifferenceElement {
    fn less(self, before: Self) -> Self;
}

macro_rules! numbers {
    ($($integer:ident)*) => {$(
        impl Number for $integer {
            fn less(self, before: Self) -> Self {
                self.wrapping_sub(before)
            }
        }
    )*};
}

numbers!(i32 u32 i64 u64);

impl Number for f32 {
    fn less(self, before: Self) -> Self {
        let less = self - before;
        if less.is_nan() { Self::from_bits(0x7fc0_0000) } else { less }
    }
}

impl Number for f64 {
    fn less(self, before: Self) -> Self {
        let less = self - before;
        if less.is_nan() { Self::from_bits(0x7ff8_0000_0000_0000) } else { less }
    }
}

/// Of all kinds, some of them equal to the ones before.
fn elements<T: Element>(len: usize) -> Vec<T> {
    let mut random = Random(u32::try_from(len).expect("short"));
    let (low, high) = (words(&mut random, len), words(&mut random, len));
    let mut all: Vec<T> = (0..len)
        .map(|i| {
            // As f64s they have the exponents that they have as f32s, but for three bits.
            let high = if i % 3 == 0 { high[i] } else { high[i] & 0x800f_ffff | 0x3fe0_0000 };
            let words = if size_of::<T>() == 4 { [high, 0] } else { [low[i], high] };
            let bytes: &[u8] = bytemuck::cast_slice(&words);
            bytemuck::pod_read_unaligned(&bytes[..size_of::<T>()])
        })
        .collect();
    for i in (1..len).step_by(5) {
        all[i] = all[i - 1];
    }
    all
}

fn wanted<T: Number>(all: &[T]) -> Vec<T> {
    let mut wanted = Vec::new();
    for (i, &x) in all.iter().enumerate() {
        wanted.push(if i == 0 { x } else { x.less(all[i - 1]) });
    }
    wanted
}

fn assert_same<T: Element>(found: &[T], wanted: &[T], what: &str) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    let bytes = |x: &T| bytemuck::bytes_of(x).to_vec();
    let differs = |(a, b): (&T, &T)| bytes(a) != bytes(b);
    if let Some(place) = found.iter().zip(wanted).position(differs) {
        let (found, wanted) = (found[place], wanted[place]);
        panic!("{what}: {found:?}, not {wanted:?}, at {place} of {}", T::TYPE);
    }
}

/// In small blocks.
fn differencer<T: DifferenceElement>(gpu: &Gpu) -> Differencer<T> {
    Differencer::new(&gpu.context).policy(Policy { min_rows: 4, max_workgroups: 2048 })
}

/// Slices of one buffer each, at odd places, one of them empty.
fn cut<T: Element>(gpu: &Gpu, all: &[T], places: [usize; 3]) -> Vec<GpuSlice<T>> {
    let ends = [0, places[0], places[1], places[2], all.len()];
    let slice = |(i, ends): (usize, &[usize])| {
        slice_of(gpu, &all[ends[0]..ends[1]], 4 * (i + 1), 4 * (i % 3))
    };
    ends.windows(2).enumerate().map(slice).collect()
}

fn read_all<T: Element>(gpu: &Gpu, slices: &[GpuSlice<T>]) -> Vec<T> {
    slices.iter().flat_map(|slice| read(gpu, slice)).collect()
}

fn every_way<T: Number>(gpu: &Gpu, len: usize) {
    let all = elements::<T>(len);
    let wanted = wanted(&all);
    let differencer = differencer::<T>(gpu);
    assert_same(&Executor::cpu().adjacent_difference(&all).expect("fits"), &wanted, "on the CPU");

    for (before, after) in [(0, 0), (4, 8), (12, 4)] {
        let input = slice_of(gpu, &all, before, 4);
        let output = unwritten::<T>(gpu, len, after, 4);
        differencer.adjacent_difference_blocking(&input, &output).expect("there is room");
        assert_same(&read(gpu, &output), &wanted, "apart");
        assert_same(&read(gpu, &input), &all, "the input");
        differencer.adjacent_difference_blocking(&input, &input).expect("in place");
        assert_same(&read(gpu, &input), &wanted, "in place");
    }

    // Into more room than there has to be, which stays as it is.
    let places = [len / 7, len / 7, len / 2];
    let input = cut(gpu, &all, places);
    let room = len + 10;
    let mut zeros = vec![T::zeroed(); room];
    let output = cut(gpu, &zeros, [room / 3, room / 3 + 1, room - room / 5]);
    differencer.adjacent_difference_blocking(&input[..], &output[..]).expect("there is room");
    zeros[..len].copy_from_slice(&wanted);
    assert_same(&read_all(gpu, &output), &zeros, "of slices to slices");
    differencer.adjacent_difference_blocking(&input[..], &input[..]).expect("in place");
    assert_same(&read_all(gpu, &input), &wanted, "of slices in place");

    // Two slices of a buffer in place, which are not in its order.
    let whole = slice_of(gpu, &all, 8, 0);
    let middle = (len / 2) as u64;
    let part = |range| whole.slice(range).expect("within");
    let turned = [part(middle..len as u64), part(0..middle)];
    differencer.adjacent_difference_blocking(&turned[..], &turned[..]).expect("in place");
    let (first, second) = all.split_at(len / 2);
    let in_order = self::wanted(&[second, first].concat());
    let (second, first) = in_order.split_at(len - len / 2);
    assert_same(&read(gpu, &whole), &[first, second].concat(), "of two slices in place");

    let fields: Vec<T> = all.iter().flat_map(|&x| [T::zeroed(), x, x]).collect();
    let fields = slice_of(gpu, &fields, 0, 0);
    let bytes = size_of::<T>() as u64;
    let strided = GpuSlice::<T>::strided(fields.buffer(), bytes, 3 * bytes, len as u64);
    let output = unwritten::<T>(gpu, len, 4, 0);
    let strided = strided.expect("within");
    differencer.adjacent_difference_blocking(&strided, &output).expect("there is room");
    assert_same(&read(gpu, &output), &wanted, "of fields");
}

/// Differences of differences; and sums of them, which are the integers again.
fn recorded_again(gpu: &Gpu, _: Variant) {
    let all = elements::<u32>(30_000);
    let input = slice_of(gpu, &all, 0, 0);
    let apart = unwritten::<u32>(gpu, all.len(), 4, 0);
    let differencer = differencer::<u32>(gpu);
    let prepared = differencer.prepare(&input, &apart).expect("prepares");
    let in_place = differencer.prepare(&apart, &apart).expect("prepares");
    let text = in_place.plan().to_string();
    assert!(text.starts_with("differences of") && text.contains("in place"), "{text}");
    let wanted = wanted(&wanted(&all));
    for _ in 0..3 {
        let mut encoder = gpu.encoder();
        prepared.record(&mut encoder);
        let readback = in_place.record_readback(&mut encoder).expect("records");
        gpu.submit(encoder);
        assert_same(&readback.wait_blocking().expect("differences"), &wanted, "read back");
        assert_same(&read(gpu, &apart), &wanted, "differences of differences");
    }
    let mut encoder = gpu.encoder();
    prepared.record_in(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()));
    differencer.record(&mut encoder, &apart, &apart).expect("records");
    gpu.submit(encoder);
    assert_same(&read(gpu, &apart), &wanted, "differences of differences");
    let scanner = Scanner::<u32, _>::new(&gpu.context, Sum);
    for _ in 0..2 {
        scanner.scan_blocking(&apart, &apart).expect("scans");
    }
    assert_same(&read(gpu, &apart), &all, "sums of differences");
}

fn refused(gpu: &Gpu, _: Variant) {
    let all = slice_of(gpu, &elements::<u32>(100), 0, 0);
    let output = unwritten::<u32>(gpu, 100, 0, 0);
    let differencer = differencer::<u32>(gpu);
    let error = |input: &[GpuSlice<u32>], output: &[GpuSlice<u32>]| match differencer
        .adjacent_difference_blocking(input, output)
    {
        Err(Error::Prepare(error)) => error,
        other => panic!("{other:?}"),
    };
    let part = |slice: &GpuSlice<u32>, range| slice.slice(range).expect("within");
    let found = error(std::slice::from_ref(&all), &[part(&output, 0..99)]);
    assert!(matches!(found, PrepareError::ShortOutput { len: 99, needed: 100 }), "{found}");
    // A place further on, each difference would take the place of an element that the next one needs.
    let found = error(&[part(&all, 0..99)], &[part(&all, 1..100)]);
    assert!(matches!(found, PrepareError::ScanAliasing { slice: 0 }), "{found}");
    let twice = [part(&output, 0..50), part(&output, 49..99)];
    let found = error(std::slice::from_ref(&all), &twice);
    assert!(matches!(found, PrepareError::ScanAliasing { slice: 1 }), "{found}");
    let strided = GpuSlice::<u32>::strided(output.buffer(), 0, 8, 50).expect("within");
    let found = error(&[part(&all, 0..50)], &[strided]);
    assert!(matches!(found, PrepareError::StridedOutput), "{found}");
    assert!(read(gpu, &output).iter().all(|&x| x == 0), "something was written");
}

fn arrays(gpu: &Gpu, _: Variant) {
    let executor = Executor::from_context(gpu.context.clone());
    let all = elements::<f64>(20_000);
    let wanted = wanted(&all);
    let array = executor.upload(&all).expect("uploads");
    let found = array.adjacent_difference().expect("there is room");
    assert_same(&found.download().expect("downloads"), &wanted, "of an array");
    let on_device = executor.host_slices(HostSlices::OnDevice);
    let found = on_device.adjacent_difference(&all).expect("there is room");
    assert_same(&found, &wanted, "of a slice, on the device");
    let array = Executor::cpu().upload(&all).expect("fits");
    let found = array.adjacent_difference().and_then(|found| found.download());
    assert_same(&found.expect("fits"), &wanted, "of an array on the CPU");
}
