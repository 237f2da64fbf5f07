//! Mean, variances, skewness, kurtosis, extrema and NaNs of one read: against vectors from an independent script, and against the CPU.

use crate::{
    Case, VULKAN,
    device::Gpu,
    floats,
    inputs::upload,
    narrow::placed,
    support::{
        Element, data, f64_data,
        moments_told::{brief_of_f32s, brief_of_f64s, told_of_f32s, told_of_f64s, without_shape},
        moments_vectors::moments_vectors,
        narrow_vectors::vectors_of,
    },
};
use gridfold::{
    BriefMoments, BriefSummary, ElementType, Executor, Moments, Operator, OperatorType, Policy,
    Reducer, Strategy, Summary, Variant,
    half::{bf16, f16},
    shader::{Kernel, ShaderKey},
};

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier1(VULKAN, "vectors of f32 moments", |gpu, variant| {
            for vector in moments_vectors(ElementType::F32) {
                let found = reduce::<f32>(gpu, variant, &vector.f32s());
                assert_eq!(told_of_f32s(&found), vector.told, "{vector:?}");
            }
        }),
        Case::tier1(VULKAN, "vectors of f64 moments", |gpu, variant| {
            for vector in moments_vectors(ElementType::F64) {
                let found = reduce::<f64>(gpu, variant, &vector.f64s());
                assert_eq!(told_of_f64s(&found), vector.told, "{vector:?}");
            }
        }),
        Case::tier2("vectors of moments of halves", |gpu, variant| {
            halves::<f16>(gpu, variant);
            halves::<bf16>(gpu, variant);
        }),
        Case::tier2("vectors of brief moments", |gpu, variant| {
            for vector in moments_vectors(ElementType::F32) {
                let found = reduce_by::<f32, _>(gpu, variant, &vector.f32s(), BriefMoments);
                assert_eq!(brief_of_f32s(&found), without_shape(vector.told), "{vector:?}");
            }
            for vector in moments_vectors(ElementType::F64) {
                let found = reduce_by::<f64, _>(gpu, variant, &vector.f64s(), BriefMoments);
                assert_eq!(brief_of_f64s(&found), without_shape(vector.told), "{vector:?}");
            }
        }),
        Case::tier2("vectors of brief moments, in software", |gpu, variant| {
            let software = floats::in_software(gpu);
            for vector in moments_vectors(ElementType::F32) {
                let found = reduce_by::<f32, _>(&software, variant, &vector.f32s(), BriefMoments);
                assert_eq!(brief_of_f32s(&found), without_shape(vector.told), "{vector:?}");
            }
        }),
        Case::tier2("brief moments of what no range has", out_of_range),
        Case::tier2("brief moments of several blocks", |gpu, variant| {
            let mut elements = data::generate("signed", 5, 200_003);
            check_by::<f32, _>(gpu, variant, &elements, BriefMoments);
            // Outliers, one in each of some tiles.
            for (at, bits) in [(5, 1), (70_000, 0x7f7f_ffff), (120_000, 0x8080_0000)] {
                elements[at] = f32::from_bits(bits);
            }
            check_by::<f32, _>(gpu, variant, &elements, BriefMoments);
            elements[150_001] = f32::NAN;
            check_by::<f32, _>(gpu, variant, &elements, BriefMoments);
            check_by::<f32, _>(gpu, variant, &data::generate("constant", 0, 1 << 17), BriefMoments);
            check_by::<f64, _>(
                gpu,
                variant,
                &f64_data::generate("clustered", 6, 70_001),
                BriefMoments,
            );
        }),
        Case::tier2("brief moments of segments", |gpu, _| segments_by(gpu, BriefMoments))
            .only(Variant::WorkgroupMemory),
        Case::tier2("moments of several blocks", |gpu, variant| {
            let mut elements = data::generate("signed", 5, 200_003);
            check::<f32>(gpu, variant, &elements);
            elements[150_001] = f32::NAN;
            check::<f32>(gpu, variant, &elements);
            let halves: Vec<f16> = elements.iter().map(|element| f16::from_f32(*element)).collect();
            let reducer = Reducer::<f16, _>::new(&gpu.context, Moments).variant(variant);
            let found = reducer.reduce_blocking(placed(gpu, &halves, 1, 0)).expect("reduces");
            let wanted = Executor::cpu().moments(&halves).expect("the CPU does not fail");
            assert_eq!(told_of_f32s(&found), told_of_f32s(&wanted), "of halves");
            check::<f64>(gpu, variant, &f64_data::generate("clustered", 6, 70_001));
        }),
        Case::tier2("moments of groups of blocks", |gpu, variant| {
            groups(gpu, variant, 64, Moments);
        }),
        Case::tier2("brief moments of groups of blocks", |gpu, variant| {
            groups(gpu, variant, 128, BriefMoments);
        }),
        Case::tier2("moments of segments", |gpu, _| segments(gpu)).only(Variant::WorkgroupMemory),
    ]
}

fn halves<T: gridfold::Element>(gpu: &Gpu, variant: Variant)
where
    Moments: Operator<T, Value = Summary<f32>>,
    BriefMoments: Operator<T, Value = BriefSummary<f32>>,
{
    let brief = Reducer::<T, _>::new(&gpu.context, BriefMoments).variant(variant);
    let reducer = Reducer::<T, _>::new(&gpu.context, Moments).variant(variant);
    for (number, vector) in vectors_of(OperatorType::Moments, T::TYPE).into_iter().enumerate() {
        let slice = placed::<T>(gpu, &vector.elements(), number % 5, number % 3);
        let found = reducer.reduce_blocking(&slice).expect("reduces");
        assert_eq!(told_of_f32s(&found), vector.told.replace(',', " "), "{vector:?}");
        let found = brief.reduce_blocking(&slice).expect("reduces");
        assert_eq!(brief_of_f32s(&found), without_shape(vector.told), "{vector:?}, brief");
    }
}

fn reduce<T: Element>(
    gpu: &Gpu,
    variant: Variant,
    elements: &[T],
) -> <Moments as Operator<T>>::Value
where
    Moments: Operator<T>,
{
    reduce_by::<T, _>(gpu, variant, elements, Moments)
}

fn reduce_by<T: Element, Op: Operator<T>>(
    gpu: &Gpu,
    variant: Variant,
    elements: &[T],
    op: Op,
) -> Op::Value {
    let reducer = Reducer::<T, _>::new(&gpu.context, op).variant(variant);
    reducer.reduce_blocking(upload(gpu, elements)).expect("reduces")
}

fn check<T: Element>(gpu: &Gpu, variant: Variant, elements: &[T])
where
    Moments: Operator<T>,
{
    check_by::<T, _>(gpu, variant, elements, Moments);
}

/// Of one slice, and of several.
fn check_by<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    elements: &[T],
    op: Op,
) {
    let words = |value| Op::out(value).map(|out| bytemuck::bytes_of(&out).to_vec());
    let wanted = words(gridfold::cpu::reduce::<T, _>(&[elements], op).expect("it is defined"));
    let found = reduce_by::<T, _>(gpu, variant, elements, op);
    assert_eq!(words(found), wanted, "{} in one slice", elements.len());
    let (left, right) = elements.split_at(elements.len() / 3);
    let slices = [upload(gpu, left), upload(gpu, right)];
    let reducer = Reducer::<T, _>::new(&gpu.context, op).variant(variant);
    let found = words(reducer.reduce_blocking(slices.to_vec()).expect("reduces"));
    assert_eq!(found, wanted, "{} in two slices", elements.len());
}

/// Blocks are more than a workgroup has room for. So another pass folds partials to fewer, of so many blocks each, before the last one does.
fn groups<Op: Operator<f32> + Copy>(gpu: &Gpu, variant: Variant, blocks: usize, op: Op) {
    // A round each.
    let policy = Policy { min_rows: 4, max_workgroups: 2048 };
    let reducer = Reducer::<f32, _>::new(&gpu.context, op).variant(variant).policy(policy);
    let reducer = reducer.strategy(Strategy::TwoPass);
    let words = |value| Op::out(value).map(|out| bytemuck::bytes_of(&out).to_vec());
    let group = blocks << 10;
    let mut elements = data::generate("signed", 8, 5 * group + 3);
    for has_specials in [false, true] {
        // One that the device may not merge in a block, and a NaN in a block of another group.
        if has_specials {
            elements[200_000] = f32::MAX;
            elements[1_000] = f32::NAN;
        }
        // Groups alone; and groups behind a slice that ends within one, with some elements left.
        for cuts in [&[4 * group][..], &[60_001, elements.len()]] {
            let mut slices = Vec::new();
            let mut begin = 0;
            for &end in cuts {
                slices.push(upload(gpu, &elements[begin..end]));
                begin = end;
            }
            let plan = reducer.plan(slices.clone()).expect("plans");
            let folds = |shader: &ShaderKey| shader.kernel == Kernel::FoldToPartials;
            assert!(plan.dispatches.iter().map(|dispatch| &dispatch.shader).any(folds), "{plan}");
            let found = words(reducer.reduce_blocking(slices).expect("reduces"));
            let wanted = words(
                gridfold::cpu::reduce::<f32, _>(&[&elements[..begin]], op).expect("it is defined"),
            );
            assert_eq!(found, wanted, "{cuts:?}, specials: {has_specials}");
        }
    }
}

/// Sums and squares that are subnormal or overflow, of elements that the device may not merge, and of such as it may.
fn out_of_range(gpu: &Gpu, variant: Variant) {
    for field in [0, 1, 20, 51, 52, 62, 63, 64, 126, 127, 168, 169, 180, 190, 254] {
        for spread in [0, 1, 12] {
            let elements: Vec<f32> = (0..9001u32)
                .map(|i| {
                    let bits = data::mix(i ^ field);
                    let own = (field + bits % (spread + 1)).min(254);
                    f32::from_bits((bits & 0x807f_ffff) | own << 23)
                })
                .collect();
            check_by::<f32, _>(gpu, variant, &elements, BriefMoments);
            // Halves that differ in their last bits, or whose sum is next to 0.
            let near: Vec<f32> = (0..4096u32)
                .map(|i| f32::from_bits(field << 23 | data::mix(i) & 1 | (i & 1) << 31))
                .collect();
            check_by::<f32, _>(gpu, variant, &near, BriefMoments);
        }
    }
}

fn segments(gpu: &Gpu) {
    segments_by(gpu, Moments);
}

/// Places are counted from a segment's beginning.
fn segments_by<Op: Operator<f32> + Copy>(gpu: &Gpu, op: Op) {
    let elements = data::generate("signed", 7, 3000);
    let offsets = [0, 0, 1, 17, 400, 401, 2448, 2976, 3000];
    let reduce = |executor: &Executor| {
        let values = executor.reduce_segments(&elements, &offsets, op);
        let outs = values.expect("reduces").into_iter().map(<Op as Operator<f32>>::out);
        outs.collect::<Vec<_>>()
    };
    let found = reduce(&Executor::from_context(gpu.context.clone()));
    assert_eq!(found, reduce(&Executor::cpu()));
}
