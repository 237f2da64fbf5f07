//! Exact sums and means of segments of `f64`s: each is what the CPU makes of the segment alone, rounded once.

use crate::{
    Case, VULKAN,
    device::Gpu,
    scans::slice_of,
    segments::{between_by, check_by},
    support::data::mix,
};
use gridfold::{
    Executor, GpuSlice, HostSlices, Mean, Operator, Precision, SegmentedReducer, Segments, Sum,
    Variant,
};

const EXACT: Precision = Precision::Exact;

pub fn cases() -> Vec<Case> {
    let cases = vec![
        Case::tier1(VULKAN, "exact segments of f64, between offsets and along axes", |gpu, _| {
            between(gpu, &all(1600), &LENS, Sum);
            between(gpu, &all(1600), &LENS, Mean);
            between(gpu, &ordinary(1600), &LENS, Mean);
            along(gpu, &all(1500), [5, 20, 15], Sum);
            powers(gpu);
        }),
        Case::tier1(
            VULKAN,
            "exact segments of f64, lengths around chunks and workgroups",
            |gpu, _| {
                let sizes = [1u32, 4, 16, 32, 64, 256, 1024, 4096, 65_536];
                let lens: Vec<u32> = sizes.into_iter().flat_map(|n| [n - 1, n, n + 1]).collect();
                let len = 100 + lens.iter().sum::<u32>() as usize;
                between(gpu, &all(len), &lens, Sum);
                between(gpu, &ordinary(len), &lens, Mean);
                between(gpu, &tiny(len), &lens, Sum);
            },
        ),
        Case::tier1(VULKAN, "exact segments of f64, thousands, of mixed lengths", |gpu, _| {
            let mut lens: Vec<u32> = (0..3000).map(|i| mix(i) % 20).collect();
            lens[777] = 70_003;
            let len = 100 + lens.iter().sum::<u32>() as usize;
            between(gpu, &all(len), &lens, Mean);
            between(gpu, &ordinary(len), &lens, Sum);
        }),
        Case::tier2("exact segments of f64, of each layout", layouts),
        Case::tier1(VULKAN, "exact segments of f64, rows that are few and long", long_rows),
        Case::tier2("exact segments of f64, of arrays", arrays),
    ];
    cases.into_iter().map(|case| case.only(Variant::WorkgroupMemory)).collect()
}

const LENS: [u32; 11] = [0, 1, 2, 15, 16, 17, 300, 0, 33, 1100, 5];

fn bits(i: u32) -> u64 {
    u64::from(mix(i)) << 32 | u64::from(mix(!i))
}

/// Of all exponents, with few infinities and NaNs between them. Of most pairs the second one takes away what the first one adds, but for its last bits.
fn all(len: usize) -> Vec<f64> {
    let mut before = 0;
    let of = |i: u32| {
        let bits = bits(i);
        before = match i % 4 {
            1 | 3 => before ^ (1 << 63) ^ (bits >> 62),
            _ if i % 512 == 256 => 0x7ff0_0000_0000_0000 | (bits & (1 << 63)),
            _ if i % 512 == 302 => 0x7ff0_0000_0000_0001 | bits,
            _ if (bits >> 52) & 0x7ff == 0x7ff => bits ^ (1 << 62),
            _ => bits,
        };
        f64::from_bits(before)
    };
    (0..u32::try_from(len).expect("short")).map(of).collect()
}

/// Of similar sizes, with zeros of both signs.
fn ordinary(len: usize) -> Vec<f64> {
    let of = |i: u32| match mix(i) % 9 {
        0 => 0.0,
        1 => -0.0,
        _ => f64::from_bits((bits(i) & 0x800f_ffff_ffff_ffff) | (u64::from(1000 + i % 23) << 52)),
    };
    (0..u32::try_from(len).expect("short")).map(of).collect()
}

/// Subnormal ones, and the smallest normal ones.
fn tiny(len: usize) -> Vec<f64> {
    let of = |i: u32| f64::from_bits(bits(i) & 0x801f_ffff_ffff_ffff);
    (0..u32::try_from(len).expect("short")).map(of).collect()
}

/// Sums of sixteen, of sixteen times as many, and so on, that are a power of two or minus one, and those that are one more or less in the last place of an
/// element. They carry to each limb of an accumulator, and some have a limb of their own, or nothing but a sign above zeros.
fn powers(gpu: &Gpu) {
    for exponent in [0u32, 31, 32, 992, 1023, 1024, 1983] {
        let least = u64::from(exponent == 0);
        let power = f64::from_bits(least | u64::from(exponent) << 52);
        let mut elements = Vec::new();
        let mut lens = Vec::new();
        for len in [16u32, 4096, 8192] {
            for (sign, last) in [(1.0, power), (-1.0, -power), (-1.0, f64::from_bits(3))] {
                elements.extend((1..len).map(|_| sign * power));
                elements.push(last);
                lens.push(len);
            }
        }
        between_own(gpu, &elements, &lens, Sum);
        between_own(gpu, &elements, &lens, Mean);
    }
    // Ties that numbers far below them break, and one that none does.
    let (half, small) = (2.0f64.powi(-53), 2.0f64.powi(-300));
    let elements = [1.0, half, small, -1.0, -half, -small, 1.0, half, -small, 1.0, half];
    between_own(gpu, &elements, &[3, 3, 3, 2], Sum);
    // Too large in between, and too large.
    let max = f64::MAX;
    let elements = [max, max, -max, -max, 1.0, max, max, -f64::INFINITY, f64::INFINITY, 1.0];
    between_own(gpu, &elements, &[4, 1, 2, 1, 2, 0], Sum);
    between_own(gpu, &elements, &[5, 2, 1, 2, 0], Mean);
    between_own(gpu, &[-0.0; 40], &[1, 3, 17], Sum);
}

/// Of these elements, behind the seven that are of no segment.
fn between_own<Op: Operator<f64> + Copy>(gpu: &Gpu, own: &[f64], lens: &[u32], op: Op) {
    between(gpu, &[&[f64::NAN; 7], own].concat(), lens, op);
}

fn between<Op: Operator<f64> + Copy>(gpu: &Gpu, elements: &[f64], lens: &[u32], op: Op) {
    between_by::<f64, _>(gpu, elements, lens, EXACT, op);
}

fn along<Op: Operator<f64> + Copy>(
    gpu: &Gpu,
    elements: &[f64],
    [groups, items, step]: [usize; 3],
    op: Op,
) {
    let input = slice_of(gpu, elements, 4, 0);
    let own: Vec<Vec<f64>> = (0..groups * step)
        .map(|segment| {
            let first = segment / step * items * step + segment % step;
            (0..items).map(|item| elements[first + item * step]).collect()
        })
        .collect();
    let segments = Segments::axis(&[groups, items, step].map(|side| side as u64), 1);
    check_by::<f64, _>(gpu, &input, &segments, &own, "along an axis", EXACT, op);
}

fn layouts(gpu: &Gpu, _: Variant) {
    let elements = all(6000);
    let cut = |lens: &[u32]| -> Vec<Vec<f64>> {
        let mut end = 0;
        let own = lens.iter().map(|&len| {
            end += len as usize;
            elements[end - len as usize..end].to_vec()
        });
        own.collect()
    };
    for input in [slice_of(gpu, &elements, 0, 0), slice_of(gpu, &elements, 4, 0), apart(gpu)] {
        let check = |segments: &Segments, own: &[Vec<f64>], what: &str| {
            check_by::<f64, _>(gpu, &input, segments, own, what, EXACT, Sum);
            check_by::<f64, _>(gpu, &input, segments, own, what, EXACT, Mean);
        };
        // Of whole chunks of chunks, and of others; more than are done one by one.
        for row_len in [750, 768, 1500, 2, 4] {
            let own: Vec<Vec<f64>> =
                elements[..6000 / row_len * row_len].chunks(row_len).map(<[f64]>::to_vec).collect();
            let input = input.slice(0..(own.len() * row_len) as u64).expect("within");
            let rows = Segments::rows(row_len as u64);
            check_by::<f64, _>(gpu, &input, &rows, &own, "rows", EXACT, Sum);
        }
        let lens: Vec<u32> = [700, 0, 16, 31, 2000].into_iter().chain([1; 2000]).collect();
        check(&Segments::lengths(&slice_of(gpu, &lens, 0, 0)), &cut(&lens), "of lengths");
        let begins: Vec<u64> = [0, 700, 716, 716].into_iter().chain(747..2750).collect();
        let count = slice_of(gpu, &[begins.len() as u64], 0, 0);
        let lens: Vec<u32> = [700, 16, 0, 31].into_iter().chain([1; 2002]).chain([3251]).collect();
        let by_begins = Segments::begins(&slice_of(gpu, &begins, 0, 0), &count);
        check(&by_begins, &cut(&lens), "by begins");
        let groups: Vec<u32> = (0..6000).map(|i| mix(i) % 1500).collect();
        let own: Vec<Vec<f64>> = (0..1400)
            .map(|group| {
                let own = elements.iter().zip(&groups).filter(|(_, own)| **own == group);
                own.map(|(element, _)| *element).collect()
            })
            .collect();
        check(&Segments::groups(slice_of(gpu, &groups, 0, 0), 1400), &own, "in groups");
        let own: Vec<Vec<f64>> = (0..30)
            .map(|row| (0..200).map(|i| elements[(i / 20 * 30 + row) * 20 + i % 20]).collect())
            .collect();
        check(&Segments::axes(&[10, 30, 20], &[0, 2]), &own, "along axes apart");
    }
}

/// The same elements with others between them.
fn apart(gpu: &Gpu) -> GpuSlice<f64> {
    let all: Vec<f64> = all(6000).into_iter().flat_map(|element| [f64::NAN, element]).collect();
    let slice = slice_of(gpu, &all, 0, 0);
    GpuSlice::strided(slice.buffer(), 8, 16, 6000).expect("within")
}

/// They are reduced alone: a reduction takes no memory for totals of chunks.
fn long_rows(gpu: &Gpu, _: Variant) {
    let row_len = 1 << 18;
    let elements = all(3 * row_len);
    let input = slice_of(gpu, &elements, 0, 0);
    let output = slice_of(gpu, &[0.0f64; 3], 0, 0);
    let rows = Segments::rows(row_len as u64);
    let reducer = SegmentedReducer::<f64, _>::new(&gpu.context, Sum).precision(EXACT);
    let plan = reducer.plan(&input, &rows, &output).expect("a plan");
    assert!(plan.to_string().ends_with(", 3 segments alone"), "{plan}");
    assert_eq!(plan.scratch_bytes, 0);
    let own: Vec<Vec<f64>> = elements.chunks(row_len).map(<[f64]>::to_vec).collect();
    check_by::<f64, _>(gpu, &input, &rows, &own, "long rows", EXACT, Sum);
    let shorter = Segments::rows(row_len as u64 / 2);
    let output = slice_of(gpu, &[0.0f64; 6], 0, 0);
    let plan = reducer.plan(&input, &shorter, &output).expect("a plan");
    assert!(plan.to_string().ends_with(", 5 dispatches"), "{plan}");
}

fn arrays(gpu: &Gpu, _: Variant) {
    let executor = Executor::from_context(gpu.context.clone()).precision(EXACT);
    let executor = executor.host_slices(HostSlices::OnDevice);
    let cpu = Executor::cpu().precision(EXACT);
    let elements = all(20_000);
    let bits = |sums: Vec<f64>| sums.into_iter().map(f64::to_bits).collect::<Vec<_>>();
    let array = executor.upload(&elements).expect("uploads");
    let offsets: Vec<u32> = [3, 3, 10, 4000].into_iter().chain(4001..19_000).collect();
    let found = array.reduce_segments(&offsets, Sum).expect("reduces");
    let wanted = cpu.reduce_segments(&elements, &offsets, Sum).expect("reduces");
    assert_eq!(bits(found), bits(wanted.clone()));
    let found = executor.reduce_segments(&elements, &offsets, Sum).expect("reduces");
    assert_eq!(bits(found), bits(wanted));
    let flags: Vec<u32> = (0..20_000).map(|i| u32::from(mix(i) % 5 == 2)).collect();
    let found = array.reduce_flagged(&executor.upload(&flags).expect("uploads"), Mean);
    let wanted = cpu.reduce_flagged::<f64, _, u32>(&elements, &flags, Mean).expect("reduces");
    assert!(wanted.len() > 1024);
    assert_eq!(bits(found.expect("reduces")), bits(wanted));
    let numbers: Vec<u32> = (0..20_000).map(|i| mix(i) % 2000).collect();
    let found = array.reduce_groups(&executor.upload(&numbers).expect("uploads"), 1990, Sum);
    let wanted = cpu.reduce_groups(&elements, &numbers, 1990, Sum).expect("reduces");
    assert_eq!(bits(found.expect("reduces")), bits(wanted));
    let found = array.reduce_axes(&[10, 200, 10], &[0, 2], Mean).expect("reduces");
    let wanted =
        cpu.reduce_axes::<f64, _>(&elements, &[10, 200, 10], &[0, 2], Mean).expect("reduces");
    assert_eq!(bits(found), bits(wanted));
}
