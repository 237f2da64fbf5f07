//! Exact sums, means, squares and variances of segments: each is what the CPU makes of the segment alone, rounded once.

use crate::{
    Case, VULKAN,
    device::Gpu,
    scans::{numbers, slice_of},
    segments::{between_by, check, check_by, hostile},
    support::data::mix,
};
use gridfold::{
    Element, Executor, HostSlices, Mean, Norm, Operator, Precision, Segments, Sum, SumOfSquares,
    Variance, Variant,
    half::{bf16, f16},
};

pub fn cases() -> Vec<Case> {
    let cases = vec![
        Case::tier1(VULKAN, "exact segments, between offsets and along axes", |gpu, _| {
            let lens = [0, 1, 2, 15, 16, 17, 300, 0, 33, 1100, 5];
            between::<f32, _>(gpu, &all(1600), &lens, Sum);
            between::<f32, _>(gpu, &all(1600), &lens, Mean);
            along::<f32, _>(gpu, &all(1500), [5, 20, 15], Sum);
        }),
        Case::tier1(VULKAN, "exact segments, squares, norms and variances", |gpu, _| {
            let lens = [0, 1, 2, 15, 16, 17, 300, 0, 33, 1100, 5];
            between::<f32, _>(gpu, &small(1600), &lens, SumOfSquares);
            between::<f32, _>(gpu, &all(1600), &lens, Norm);
            between::<f32, _>(gpu, &small(1600), &lens, Variance);
            between::<f32, _>(gpu, &hostile(1600), &lens, Variance.sample());
            along::<f32, _>(gpu, &small(1500), [5, 20, 15], Norm);
            along::<f32, _>(gpu, &hostile(1500), [5, 20, 15], Variance);
        }),
        Case::tier2(
            "exact segments, squares, of lengths around chunks and workgroups",
            |gpu, _| {
                let sizes = [1u32, 4, 16, 32, 64, 256, 1024, 4096, 65_536];
                let lens: Vec<u32> = sizes.into_iter().flat_map(|n| [n - 1, n, n + 1]).collect();
                let len = 100 + lens.iter().sum::<u32>() as usize;
                between::<f32, _>(gpu, &small(len), &lens, SumOfSquares);
                between::<f32, _>(gpu, &hostile(len), &lens, Norm);
                between::<f32, _>(gpu, &small(len), &lens, Variance);
                between::<f32, _>(gpu, &small(len), &lens, Variance.sample());
                // Rows whose chunks are joined.
                let input = slice_of(gpu, &small(5120), 0, 0);
                let own: Vec<Vec<f32>> = small(5120).chunks(512).map(<[f32]>::to_vec).collect();
                let (rows, exact) = (Segments::rows(512), Precision::Exact);
                check_by::<f32, _>(gpu, &input, &rows, &own, "rows", exact, SumOfSquares);
                check_by::<f32, _>(gpu, &input, &rows, &own, "rows", exact, Variance);
                // Of three levels and of four, some with a digit of 0.
                for row_len in [4096, 8448, 65_536, 69_888] {
                    let all = small(2 * row_len);
                    let input = slice_of(gpu, &all, 0, 0);
                    let own: Vec<Vec<f32>> = all.chunks(row_len).map(<[f32]>::to_vec).collect();
                    let rows = Segments::rows(row_len as u64);
                    check_by::<f32, _>(gpu, &input, &rows, &own, "long rows", exact, SumOfSquares);
                    check::<f32, _>(gpu, &input, &rows, &own, "long rows, in order", Sum);
                }
            },
        ),
        Case::tier1(
            VULKAN,
            "exact segments, lengths around chunks, workgroups and tiles",
            |gpu, _| {
                let sizes = [1u32, 4, 16, 32, 64, 256, 1024, 4096, 65_536];
                let lens: Vec<u32> = sizes.into_iter().flat_map(|n| [n - 1, n, n + 1]).collect();
                let len = 100 + lens.iter().sum::<u32>() as usize;
                between::<f32, _>(gpu, &all(len), &lens, Sum);
                between::<f32, _>(gpu, &hostile(len), &lens, Sum);
            },
        ),
        Case::tier1(VULKAN, "exact segments, a million, nearly all empty", |gpu, _| {
            let lens: Vec<u32> =
                (0..1_000_000).map(|i| if i % 4999 == 7 { 1 + mix(i) % 40 } else { 0 }).collect();
            between::<f32, _>(gpu, &all(9000), &lens, Sum);
        }),
        Case::tier1(VULKAN, "exact segments, one giant among dwarfs", |gpu, _| {
            let mut lens: Vec<u32> = (0..2000).map(|i| mix(i) % 20).collect();
            lens[777] = 500_003;
            let len = 100 + lens.iter().sum::<u32>() as usize;
            between::<f32, _>(gpu, &all(len), &lens, Mean);
        }),
        Case::tier2("exact segments, narrow floats", |gpu, _| {
            let lens: Vec<u32> = (0..60).chain([300]).collect();
            let words = numbers(2300);
            let halves: Vec<f16> =
                words.iter().map(|&word| f16::from_bits((word >> 16) as u16)).collect();
            between::<f16, _>(gpu, &halves, &lens, Sum);
            let halves: Vec<bf16> =
                words.iter().map(|&word| bf16::from_bits((word >> 16) as u16)).collect();
            between::<bf16, _>(gpu, &halves, &lens, Mean);
            between::<bf16, _>(gpu, &halves, &lens, Norm);
            let halves: Vec<f16> = small(2300).iter().map(|&x| f16::from_f32(x)).collect();
            between::<f16, _>(gpu, &halves, &lens, SumOfSquares);
            between::<f16, _>(gpu, &halves, &lens, Variance);
        }),
        Case::tier1(VULKAN, "exact segments, in groups, of lengths and along axes apart", others),
        Case::tier1(VULKAN, "exact segments of arrays", arrays),
    ];
    cases.into_iter().map(|case| case.only(Variant::WorkgroupMemory)).collect()
}

/// Of all exponents, with few infinities and NaNs between them. Of most pairs the second one takes away what the first one adds, but for its last bits.
fn all(len: usize) -> Vec<f32> {
    let mut before = 0;
    let of = |(i, bits): (usize, u32)| {
        before = match i % 4 {
            1 | 3 => (before ^ 0x8000_0000) ^ (bits >> 31),
            _ if i % 512 == 256 => 0x7f80_0000 | (bits & 0x8000_0000),
            _ if bits & 0x7f80_0000 == 0x7f80_0000 => bits ^ 0x4000_0000,
            _ => bits,
        };
        f32::from_bits(before)
    };
    numbers(len).into_iter().enumerate().map(of).collect()
}

/// Of exponents up to 63, so that no square is too large, many of which are subnormal or below. In runs of fifteen none is larger than 2^-20.
fn small(len: usize) -> Vec<f32> {
    let of = |(i, bits): (usize, u32)| {
        let most = if i / 15 % 3 == 1 { 107 } else { 191 };
        f32::from_bits((bits & 0x807f_ffff) | ((mix(bits) % most) << 23))
    };
    numbers(len).into_iter().enumerate().map(of).collect()
}

fn between<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, elements: &[T], lens: &[u32], op: Op) {
    between_by::<T, _>(gpu, elements, lens, Precision::Exact, op);
}

fn along<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    elements: &[T],
    [groups, items, step]: [usize; 3],
    op: Op,
) {
    let input = slice_of(gpu, elements, 4, 0);
    let own: Vec<Vec<T>> = (0..groups * step)
        .map(|segment| {
            let first = segment / step * items * step + segment % step;
            (0..items).map(|item| elements[first + item * step]).collect()
        })
        .collect();
    let segments = Segments::axis(&[groups, items, step].map(|side| side as u64), 1);
    check_by::<T, _>(gpu, &input, &segments, &own, "along an axis", Precision::Exact, op);
}

fn others(gpu: &Gpu, _: Variant) {
    let elements = all(3000);
    let input = slice_of(gpu, &elements, 8, 0);
    let check = |segments: &Segments, own: &[Vec<f32>], what: &str| {
        check_by::<f32, _>(gpu, &input, segments, own, what, Precision::Exact, Sum);
    };
    let groups: Vec<u32> = (0..3000).map(|i| mix(i) % 11).collect();
    let own: Vec<Vec<f32>> = (0..9)
        .map(|group| {
            let own = elements.iter().zip(&groups).filter(|(_, own)| **own == group);
            own.map(|(element, _)| *element).collect()
        })
        .collect();
    check(&Segments::groups(slice_of(gpu, &groups, 0, 0), 9), &own, "in groups");
    let lens = [700u32, 0, 16, 31, 2000];
    let mut end = 0;
    let own: Vec<Vec<f32>> = lens
        .iter()
        .map(|&len| {
            end += len as usize;
            elements[end - len as usize..end].to_vec()
        })
        .collect();
    check(&Segments::lengths(&slice_of(gpu, &lens, 0, 0)), &own, "of lengths");
    let own: Vec<Vec<f32>> = (0..30)
        .map(|row| (0..100).map(|i| elements[(i / 10 * 30 + row) * 10 + i % 10]).collect())
        .collect();
    check(&Segments::axes(&[10, 30, 10], &[0, 2]), &own, "along axes apart");
}

/// Those that devices have none of come from the CPU, if the elements are in host memory.
fn arrays(gpu: &Gpu, _: Variant) {
    let executor = Executor::from_context(gpu.context.clone()).precision(Precision::Exact);
    let executor = executor.host_slices(HostSlices::OnDevice);
    let cpu = Executor::cpu().precision(Precision::Exact);
    let elements = all(5000);
    let offsets = [3, 3, 10, 4000, 4001, 5000];
    let bits = |sums: Vec<f32>| sums.into_iter().map(f32::to_bits).collect::<Vec<_>>();
    let array = executor.upload(&elements).expect("uploads");
    let found = array.reduce_segments(&offsets, Sum).expect("reduces");
    let wanted = cpu.reduce_segments(&elements, &offsets, Sum).expect("reduces");
    assert_eq!(bits(found), bits(wanted));
    let found = array.reduce_axes(&[10, 50, 10], &[0, 2], Mean).expect("reduces");
    let wanted =
        cpu.reduce_axes::<f32, _>(&elements, &[10, 50, 10], &[0, 2], Mean).expect("reduces");
    assert_eq!(bits(found), bits(wanted));
    let found = executor.reduce_segments(&elements, &offsets, SumOfSquares);
    let wanted = cpu.reduce_segments(&elements, &offsets, SumOfSquares);
    assert_eq!(bits(found.expect("reduces")), bits(wanted.expect("reduces")));
    let doubles: Vec<f64> = elements.iter().map(|&x| f64::from(x)).collect();
    let found = executor.reduce_segments(&doubles, &offsets, Norm).expect("reduces");
    let wanted = cpu.reduce_segments(&doubles, &offsets, Norm).expect("reduces");
    let bits = |sums: Vec<f64>| sums.into_iter().map(f64::to_bits).collect::<Vec<_>>();
    assert_eq!(bits(found), bits(wanted));
}
