//! Both extrema at once, and where they are: against vectors that NumPy made, and, wherever the elements lie, against the CPU, which
//! has the same vectors.

use crate::{
    BOTH, Case,
    device::Gpu,
    inputs::upload,
    narrow::{any_place, arrays, assert_same, placed, slices, strided, ways, windows},
    support::extrema_vectors::{is_extremum, vectors_of},
};
use gridfold::{
    ArgMax, ArgMin, ArgMinMax, Batch, Bool, Element, GpuSlice, Min, MinMax, Nan, Operator, Place,
    Precision, Reducer, Variant,
    half::{bf16, f16},
};

macro_rules! check_all {
    (
        $sizes:expr, $gpu:ident, $variant:ident
        one input { $($verb:ident $operator:ident $name:literal [$($element:ident)*] $doc:literal)* }
        two inputs $two:tt
        options { $($of:ident $choice:tt [$($of_element:ident)*])* }
    ) => {
        $($(check_of_sizes::<$element, _>(&$sizes, $gpu, $variant, gridfold::$operator);)*)*
        $($(check_of_sizes::<$of_element, _>(&$sizes, $gpu, $variant, gridfold::operator!($of $choice));)*)*
    };
}

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier2("extrema and places, vectors of one word", |gpu, variant| {
            gridfold::operators!(check_all!([4], gpu, variant));
        }),
        Case::tier2("extrema and places, vectors of two words", |gpu, variant| {
            gridfold::operators!(check_all!([8], gpu, variant));
        }),
        Case::tier2("extrema and places, vectors of narrow elements", |gpu, variant| {
            gridfold::operators!(check_all!([1, 2], gpu, variant));
        }),
        Case::tier1(BOTH, "extrema and places, a few vectors", |gpu, variant| {
            check::<f32, _>(gpu, variant, ArgMax);
            check::<i32, _>(gpu, variant, MinMax);
            check::<u64, _>(gpu, variant, ArgMin.last());
            check::<u8, _>(gpu, variant, ArgMinMax);
            check::<f32, _>(gpu, variant, ArgMax.nan(Nan::Ignore));
            check::<f64, _>(gpu, variant, Min.nan(Nan::Total));
        }),
        Case::tier2("places, from any place of a buffer on", |gpu, variant| {
            any_place::<f32, _>(gpu, variant, ArgMax);
            any_place::<i64, _>(gpu, variant, ArgMinMax.last());
            any_place::<u8, _>(gpu, variant, ArgMax);
            any_place::<f16, _>(gpu, variant, ArgMin.last());
        }),
        Case::tier2("places, slices cut anywhere", |gpu, variant| {
            slices::<f32, _>(gpu, variant, ArgMin);
            slices::<u8, _>(gpu, variant, ArgMax.last());
            slices::<f64, _>(gpu, variant, ArgMinMax);
            slices::<f64, _>(gpu, variant, MinMax);
        }),
        Case::tier2("places, windows over a buffer", |gpu, variant| {
            let small = gpu.with_limits(|limits| {
                limits.max_storage_buffer_binding_size = (1 << 15) + 16;
                limits.max_compute_workgroups_per_dimension = 2;
            });
            let check = |gpu: &Gpu| {
                windows::<f32, _>(gpu, variant, ArgMax);
                windows::<u8, _>(gpu, variant, ArgMin.last());
                windows::<u64, _>(gpu, variant, ArgMinMax);
            };
            small.expect("a device with lower limits").check(check).expect("no errors");
        }),
        Case::tier2("places, arrays and host slices", |gpu, _| {
            arrays::<f32, _>(gpu, ArgMax);
            arrays::<u8, _>(gpu, ArgMax.last());
            arrays::<i64, _>(gpu, ArgMinMax);
        }),
        Case::tier2("places, strided elements", |gpu, variant| {
            strided::<f32, _>(gpu, variant, ArgMin);
            strided::<u16, _>(gpu, variant, ArgMax.last());
            strided::<f64, _>(gpu, variant, ArgMinMax);
        }),
        Case::tier2("places, a batch", batch),
        Case::tier2("places, one best element anywhere", anywhere),
        Case::tier2("places beyond 2^32", beyond_words),
    ]
}

/// The vectors, if the operator has some, and the elements one of these sizes.
fn check_of_sizes<T: Element, Op: Operator<T> + Copy>(
    sizes: &[usize],
    gpu: &Gpu,
    variant: Variant,
    op: Op,
) {
    if is_extremum(op.spec().operator) && sizes.contains(&size_of::<T>()) {
        check(gpu, variant, op);
    }
}

/// Each vector in one way or another, from one place or another on.
fn check<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, variant: Variant, op: Op) {
    for (number, vector) in vectors_of(T::TYPE).into_iter().enumerate() {
        let elements: Vec<T> = vector.elements();
        let expected = <Op as Operator<T>>::value(vector.out::<T, _>(op), vector.len as u64);
        // Words begin where words do.
        let slice = placed(gpu, &elements, number % 17, number % 3);
        let ways = ways::<T, _>(gpu, variant, Precision::Reproducible, op);
        for way in [&ways[0], &ways[number % ways.len()]] {
            let reduction = way.measure_blocking(&slice).expect("reduces");
            assert_same(reduction.value, expected, || {
                format!("{} of {vector:?}, {}", op.spec().operator, reduction.plan)
            });
        }
    }
}

/// One element is better than all others: in every lane, and in every place of its vector, of a round that is loaded whole, and at
/// the edges of a block.
fn anywhere(gpu: &Gpu, variant: Variant) {
    let len = 3 * 4096 + 77;
    let buffer = upload(gpu, &vec![5u32; len]);
    let reducer = Reducer::<u32, _>::new(&gpu.context, ArgMax).variant(variant);
    let last = Reducer::<u32, _>::new(&gpu.context, ArgMin.last()).variant(variant);
    let queue = gpu.context.queue();
    for index in (0..len as u64).step_by(37) {
        let (at, best) = (buffer.offset_bytes() + 4 * index, 6u32);
        queue.write_buffer(buffer.buffer(), at, &best.to_le_bytes());
        let found = reducer.reduce_blocking(&buffer).expect("reduces");
        assert_eq!(found, Some(Place { index, element: 6 }));
        queue.write_buffer(buffer.buffer(), at, &4u32.to_le_bytes());
        let found = last.reduce_blocking(&buffer).expect("reduces");
        assert_eq!(found, Some(Place { index, element: 4 }));
        queue.write_buffer(buffer.buffer(), at, &5u32.to_le_bytes());
    }
}

/// Jobs of a table, and the others.
fn batch(gpu: &Gpu, variant: Variant) {
    let values: Vec<f32> = (0..40_000u32).map(|i| (i * 7919 % 1009) as f32).collect();
    let whole = upload(gpu, &values);
    let first = Reducer::<f32, _>::new(&gpu.context, ArgMax).variant(variant);
    let last = Reducer::<f32, _>::new(&gpu.context, ArgMinMax.last()).variant(variant);
    let both = Reducer::<f32, _>::new(&gpu.context, MinMax).variant(variant);
    let mut batch = Batch::new(&gpu.context);
    let mut tickets = Vec::new();
    for range in [0..10, 7..7, 17..5016, 8191..30_001, 39_999..40_000, 16..40_000, 18..5017] {
        let slice = whole.slice(range.start as u64..range.end as u64).expect("within");
        let parts = [slice.clone(), slice.clone()];
        tickets.push((
            batch.add(&first, &slice).expect("adds"),
            batch.add(&last, &slice).expect("adds"),
            batch.add(&both, &slice).expect("adds"),
            batch.add(&last, &parts).expect("adds"),
            range,
        ));
    }
    let results = batch.reduce_blocking().expect("reduces");
    for (first, last, both, twice, range) in tickets {
        let part = &values[range.clone()];
        let expected = gridfold::cpu::reduce::<f32, _>(&[part], ArgMax).expect("it is defined");
        assert_eq!(results.get(first).expect("its own"), expected, "{range:?}");
        let expected =
            gridfold::cpu::reduce::<f32, _>(&[part], ArgMinMax.last()).expect("it is defined");
        assert_eq!(results.get(last).expect("its own"), expected, "{range:?}");
        let expected = gridfold::cpu::reduce::<f32, _>(&[part], MinMax).expect("it is defined");
        assert_eq!(results.get(both).expect("its own"), expected, "{range:?}");
        let expected = gridfold::cpu::reduce::<f32, _>(&[part, part], ArgMinMax.last())
            .expect("it is defined");
        assert_eq!(results.get(twice).expect("its own"), expected, "{range:?}, twice");
    }
}

/// The same slice again and again, so that little memory has many elements.
fn beyond_words(gpu: &Gpu, variant: Variant) {
    let max_bytes = gpu.capabilities().max_binding_bytes.min(1 << 27);
    let len = max_bytes / 2;
    let mut bytes = vec![0x55u8; usize::try_from(len).expect("little memory")];
    let slice = placed(gpu, &bytes, 0, 0);
    bytes[12_345] = 0x56;
    let other = placed(gpu, &bytes[..20_000], 0, 0);
    let times = (1 << 32) / len + 1;
    let mut slices: Vec<GpuSlice<u8>> = vec![slice; usize::try_from(times).expect("not many")];
    slices.push(other);
    let found =
        Reducer::<u8, _>::new(&gpu.context, ArgMax).variant(variant).reduce_blocking(&slices);
    let index = times * len + 12_345;
    assert!(index > 1 << 32);
    assert_eq!(found.expect("reduces"), Some(Place { index, element: 0x56 }));
    let last = Reducer::<u8, _>::new(&gpu.context, ArgMin.last()).variant(variant);
    let found = last.reduce_blocking(&slices).expect("reduces");
    assert_eq!(found.map(|place| place.index), Some(times * len + 19_999));
}
