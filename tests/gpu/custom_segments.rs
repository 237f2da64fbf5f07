//! Reductions of segments by operators of a user's own, each against a loop on the host.

use crate::{
    Case, OPENGL,
    custom::examples::{self, Example},
    device::Gpu,
    scans::{assert_same, numbers, read, slice_of, unwritten},
};
use gridfold::{Element, Executor, Precision, PrepareError, SegmentedReducer, Segments, Variant};

pub fn cases() -> Vec<Case> {
    let cases = vec![
        Case::tier1(OPENGL, "custom segments, in order", |gpu, _| {
            between(gpu, &examples::affine(), &numbers(20_001));
            along(gpu, &examples::maps(), numbers(12_000).as_chunks().0, &[2, 50, 60]);
        }),
        Case::tier2("custom segments, large accumulators", |gpu, _| {
            between(gpu, &examples::matrix_of_four(), &numbers(9001));
        }),
        Case::tier1(OPENGL, "custom segments, in any order, and of a byte", |gpu, _| {
            let sixes: Vec<u32> = numbers(6000).iter().map(|word| word % 100_000 * 6).collect();
            along(gpu, &examples::gcd(), &sixes, &[20, 300, 1]);
            let bytes: Vec<u8> = numbers(9001).iter().map(|word| word.to_le_bytes()[2]).collect();
            between(gpu, &examples::hash(), &bytes);
        }),
        Case::tier1(OPENGL, "custom segments, in groups", |gpu, _| {
            in_groups(gpu, &examples::affine(), &numbers(20_001));
            let bytes: Vec<u8> = numbers(9001).iter().map(|word| word.to_le_bytes()[2]).collect();
            in_groups(gpu, &examples::hash(), &bytes);
        }),
        Case::tier2("custom segments, by all calls of slices and of arrays", |gpu, _| {
            let executor = Executor::from_context(gpu.context.clone());
            examples::check_segments(&executor, &examples::affine(), &numbers(900));
            examples::check_segments(&executor, &examples::matrix_of_four(), &numbers(900));
            let bytes: Vec<u8> = numbers(900).iter().map(|word| word.to_le_bytes()[2]).collect();
            examples::check_segments(&executor, &examples::hash(), &bytes);
        }),
        Case::tier1(OPENGL, "custom segments that are refused", |gpu, _| refused(gpu)),
    ];
    cases.into_iter().map(|case| case.only(Variant::WorkgroupMemory)).collect()
}

/// Offsets around chunks of 16 and of 256, some of nothing, from any word on.
fn between<T: Element, A: Copy, Out: gridfold::CustomOut>(
    gpu: &Gpu,
    example: &Example<T, A, Out>,
    elements: &[T],
) {
    let mut offsets = vec![3u32];
    for len in [0, 1, 2, 15, 16, 17, 0, 33, 255, 256, 257, 0, 4097] {
        offsets.push(offsets[offsets.len() - 1] + len);
    }
    offsets.push(u32::try_from(elements.len()).expect("short"));
    let input = slice_of(gpu, elements, size_of::<T>().min(4), 0);
    let on_device = slice_of(gpu, &offsets, 0, 0);
    let output = unwritten::<Out>(gpu, offsets.len() - 1, 4, 0);
    let reducer = SegmentedReducer::new(&gpu.context, example.operator.clone());
    reducer.reduce_blocking(&input, &Segments::offsets(&on_device), &output).expect("reduces");
    let wanted: Vec<Out> = offsets
        .windows(2)
        .map(|ends| example.result(&elements[ends[0] as usize..ends[1] as usize]))
        .collect();
    assert_same(&read(gpu, &output), &wanted, || format!("segments by {}", example.name));
    let executor = Executor::from_context(gpu.context.clone());
    let array = executor.upload(elements).expect("uploads");
    let found = array.reduce_segments(&offsets, example.operator.clone()).expect("reduces");
    assert_same(&found, &wanted, || format!("segments of an array by {}", example.name));
    let found = executor.reduce_segments(elements, &offsets, example.operator.clone());
    assert_same(&found.expect("reduces"), &wanted, || format!("of a slice by {}", example.name));
}

/// Along the middle one of three axes.
fn along<T: Element, A: Copy, Out: gridfold::CustomOut>(
    gpu: &Gpu,
    example: &Example<T, A, Out>,
    elements: &[T],
    shape: &[usize; 3],
) {
    let [outer, len, step] = *shape;
    let input = slice_of(gpu, elements, 0, 0);
    let output = unwritten::<Out>(gpu, outer * step, 0, 0);
    let reducer = SegmentedReducer::new(&gpu.context, example.operator.clone());
    let segments = Segments::axis(&shape.map(|size| size as u64), 1);
    reducer.reduce_blocking(&input, &segments, &output).expect("reduces");
    let wanted: Vec<Out> = (0..outer * step)
        .map(|segment| {
            let first = segment / step * len * step + segment % step;
            let own = elements.iter().skip(first).step_by(step).take(len);
            example.result(&own.copied().collect::<Vec<_>>())
        })
        .collect();
    assert_same(&read(gpu, &output), &wanted, || format!("{shape:?} by {}", example.name));
    let executor = Executor::from_context(gpu.context.clone());
    let shape = shape.map(|size| size as u64);
    let found = executor.reduce_axis(elements, &shape, 1, example.operator.clone());
    assert_same(&found.expect("reduces"), &wanted, || format!("an axis by {}", example.name));
}

/// Groups whose elements lie anywhere, and keep their order. One has none, and some elements are in no group.
fn in_groups<T: Element, A: Copy, Out: gridfold::CustomOut>(
    gpu: &Gpu,
    example: &Example<T, A, Out>,
    elements: &[T],
) {
    const GROUPS: u32 = 21;
    const NONE_OF: u32 = 7;
    let group = |word: u32| if word % 25 == NONE_OF { GROUPS } else { word % 25 };
    let group_of: Vec<u32> = numbers(elements.len()).into_iter().map(group).collect();
    let mut own: Vec<Vec<T>> = vec![Vec::new(); GROUPS as usize];
    for (&element, &group) in elements.iter().zip(&group_of) {
        if group < GROUPS {
            own[group as usize].push(element);
        }
    }
    let input = slice_of(gpu, elements, size_of::<T>().min(4), 0);
    let on_device = slice_of(gpu, &group_of, 0, 0);
    let output = unwritten::<Out>(gpu, own.len(), 4, 0);
    let reducer = SegmentedReducer::new(&gpu.context, example.operator.clone());
    let segments = Segments::groups(&on_device, GROUPS);
    reducer.reduce_blocking(&input, &segments, &output).expect("reduces");
    let wanted: Vec<Out> = own.iter().map(|own| example.result(own)).collect();
    assert_same(&read(gpu, &output), &wanted, || format!("groups by {}", example.name));
}

fn refused(gpu: &Gpu) {
    let input = slice_of(gpu, &numbers(100), 0, 0);
    let output = unwritten::<[u32; 2]>(gpu, 10, 0, 0);
    let rows = Segments::rows(10);
    let reducer = SegmentedReducer::new(&gpu.context, examples::affine().operator.clone());
    let error = reducer.precision(Precision::Exact).plan(&input, &rows, &output);
    let error = error.expect_err("not exact");
    assert!(matches!(error, PrepareError::Imprecise { .. }), "{error}");
}
